"""A number or true in quotes is a text, in systems and in studies as in parts; what has a unit may be one."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any

import pytest
from pydantic import BaseModel, TypeAdapter, ValidationError

from command_line import CommandLine
from iodyno.catalog.changes import changed
from iodyno.catalog.parts import BasePart
from iodyno.catalog.tree import TABLES as SYSTEM
from iodyno.catalog.tree import load_system
from iodyno.distributions import Distribution
from iodyno.errors import ProfileError
from iodyno.profiles import LoadProfile
from iodyno.study import chosen_configurations, parse_study
from iodyno.study.problems import TABLES as STUDY
from iodyno.study.systems import resolve

SIZES = {
    "size", "strip", "block_sizes", "bytes", "alignment_bytes", "write_alignment_bytes", "gap_bytes", "area",
    "blocks", "write_blocks", "start", "length",
}  # fmt: skip
"""Keys that are sizes, which a text can be without a suffix: ``"4096"`` is 4 kB as ``"4k"`` is."""


def fields() -> Iterator[tuple[str, Any]]:
    """Yield each key of a study, of a system and of every part that is no size, with what it is."""
    tables: dict[str, type[BaseModel]] = {}
    shown: list[type[BaseModel]] = [*SYSTEM.values(), *STUDY.values(), Distribution, BasePart]
    for table in shown:
        tables[table.__name__] = table
    for name, table in sorted(tables.items()):
        for key, field in table.model_fields.items():
            annotation: Any = field.annotation
            for limit in field.metadata:
                annotation = Annotated[annotation, limit]
            if key not in SIZES:
                yield f"{name}.{key}", annotation


def leaves(value: Any) -> Iterator[Any]:
    """Yield what lists and tables that were read hold in the end."""
    if isinstance(value, dict | list | tuple):
        for item in value.values() if isinstance(value, dict) else value:
            yield from leaves(item)
    else:
        yield value


def numbers(value: Any) -> list[Any]:
    """Find the numbers in what was read."""
    return [leaf for leaf in leaves(value) if isinstance(leaf, int | float) and not isinstance(leaf, bool)]


def flags(value: Any) -> list[Any]:
    """Find true and false in what was read."""
    return [leaf for leaf in leaves(value) if isinstance(leaf, bool)]


@pytest.mark.parametrize(("key", "annotation"), [pytest.param(*one, id=one[0]) for one in fields()])
def test_no_key_takes_a_text_for_a_number(key: str, annotation: Any) -> None:
    assert LoadProfile in STUDY.values()
    for text in ("8", " 8 ", "8.5", "1e1", "0.5", "1"):
        for written in (text, [text], {"database": text}):
            try:
                found = TypeAdapter(annotation).validate_python(written)
            except ValidationError:
                continue
            assert not numbers(found), f"{key} = {written!r} came to {found!r}"


@pytest.mark.parametrize(("key", "annotation"), [pytest.param(*one, id=one[0]) for one in fields()])
def test_no_key_takes_a_text_or_a_number_for_true_or_false(key: str, annotation: Any) -> None:
    for word in ("true", "false", "yes", "on", "1", 1, 0, 1.0):
        for written in (word, [word], {"database": word}):
            try:
                found = TypeAdapter(annotation).validate_python(written)
            except ValidationError:
                continue
            assert not flags(found), f"{key} = {written!r} came to {found!r}"


@pytest.mark.parametrize(("key", "annotation"), [pytest.param(*one, id=one[0]) for one in fields()])
def test_no_key_takes_true_or_false_for_a_number(key: str, annotation: Any) -> None:
    """Python counts them as 1 and 0."""
    for flag in (True, False):
        for written in (flag, [flag], {"database": flag}):
            try:
                found = TypeAdapter(annotation).validate_python(written)
            except ValidationError:
                continue
            assert not numbers(found), f"{key} = {written!r} came to {found!r}"


def test_a_system_with_numbers_in_quotes_is_told_all_of_them(
    iodyno_says: CommandLine, tmp_path: Path
) -> None:
    file = tmp_path / "mine.toml"
    file.write_text(
        """
name = "mine"
[host]
processor = "xeon-e5-2660-v3"
processors = "2"
software = "windows-raw-megaraid"
[[controller]]
part = "praid-ep420i"
mode = "performance"
[[controller.logical]]
drive = "toshiba-px02smf040"
count = " 8"
level = "5"
failed = ["0"]
rebuild_mb_s = "12.5"
filled = "0.5"
"""
    )
    said = iodyno_says("catalog", "check", file)
    assert said.code == 2
    told = {
        "host.processors": '"2" is a text, no number\nhint: write 2 without quotes\n',
        "controller[0].logical[0].count": '" 8" is a text, no number\nhint: write 8 without quotes\n',
        "controller[0].logical[0].failed[0]": '"0" is a text, no number\nhint: write 0 without quotes\n',
        "controller[0].logical[0].rebuild_mb_s": '"12.5" is a text, no number\nhint: write 12.5 without quot',
        "controller[0].logical[0].filled": "'0.5' is no share\nhint: write \"50%\" or 0.5",
    }
    for key, what in told.items():
        (line,) = [
            number
            for number, written in enumerate(file.read_text().splitlines(), 1)
            if written.startswith(key.rpartition(".")[2].removesuffix("[0]") + " ")
        ]
        assert f"error: {file}:{line}: {key}: {what}" in said.err
    assert said.err.count("error: ") == len(told)


STUDY_TEXT = """
name = "mine"
title = "Mine"
[measurement]
seed = "7"
warmup_s = "5"
[simulation]
warmup_of = { database = "3" }
[[profile]]
name = "own"
random_share = 1.0
read_share = 1.0
blocks = [{ bytes = "4k", weight = "3" }]
think_time_us = "200"
distribution = { kind = "zipf", parameter = "1.2" }
[[sweep]]
name = "one"
profiles = ["own"]
outstanding = ["8", 16]
rate_io_s = "1000"
"""


def test_a_study_with_numbers_in_quotes_is_told_all_of_them() -> None:
    with pytest.raises(ProfileError) as raised:
        parse_study(STUDY_TEXT)
    told = {problem.where.removeprefix("study: "): problem.hint for problem in raised.value.problems}
    assert told == {
        "measurement.seed": "write 7 without quotes",
        "measurement.warmup_s": 'write "5s", or 5 without quotes',
        "simulation.warmup_of.database": "write 3 without quotes",
        "profile[0].blocks[0].weight": "write 3 without quotes",
        "profile[0].think_time_us": 'write "200us", or 200 without quotes',
        "profile[0].distribution.parameter": "write 1.2 without quotes",
        "sweep[0].outstanding[0]": "write 8 without quotes",
        "sweep[0].rate_io_s": "write 1000 without quotes",
    }


def test_a_limit_is_written_in_full() -> None:
    with pytest.raises(ProfileError) as raised:
        parse_study(
            'name = "mine"\ntitle = "Mine"\n[[profile]]\nname = "own"\nrandom_share = 1.0\nread_share = 0\n'
            'blocks = "4k"\nfsync_every = 5000000000\nthink_time_us = 4000000000\n'
            '[[sweep]]\nname = "one"\nprofiles = ["own"]\noutstanding = 1\n'
        )
    told = {problem.where.rpartition(".")[2]: problem.what for problem in raised.value.problems}
    assert told["fsync_every"] == f"5000000000 is above the limit of {2**32}"
    assert told["think_time_us"] == f"4000000000 is above the limit of {3600 * 10**6}"


WITH_EACH = """
name = "mine"
title = "Mine"
[[configuration]]
name = "{count}-{processors}"
system = "p3700"
changes = { count = "{count}", processors = "{processors}" }
each.count = [1, 2]
each.processors = PROCESSORS
[[configuration]]
name = "own-{count}"
each.count = [1, 2]
[configuration.system.host]
processor = "xeon-e5-2637-v3"
software = "linux-nvme"
[[configuration.system.drives]]
drive = "intel-p3700-800"
count = "{count}"
[[sweep]]
name = "one"
set = "field"
"""


def test_a_placeholder_of_an_axis_is_the_number_that_stands_for_it(
    iodyno_says: CommandLine, tmp_path: Path
) -> None:
    study = parse_study(WITH_EACH.replace("PROCESSORS", "[1, 2]"))
    systems = [resolve(item) for item in chosen_configurations(study, ())]
    assert [len(system.drives) for system in systems] == [1, 1, 2, 2, 1, 2]
    assert [system.host.cores for system in systems[:2]] == [4, 8]
    # A text on the axis is one in the system.
    file = tmp_path / "mine.toml"
    file.write_text(WITH_EACH.replace("PROCESSORS", '[1, "2"]'))
    said = iodyno_says("simulate", file, "--plan")
    line = 1 + file.read_text().splitlines().index(
        'changes = { count = "{count}", processors = "{processors}" }'
    )
    told = (
        f'error: {file}:{line}: 1-2, 2-2: host.processors: "2" is a text, no number\n'
        "hint: write 2 without quotes\n"
    )
    assert (said.code, said.err) == (2, told)


def test_a_placeholder_of_an_axis_is_true_or_false_as_that_is() -> None:
    study = parse_study("""
name = "mine"
title = "Mine"
[[configuration]]
name = "unit-{unit}"
system = "raid-controllers"
changes = { backup_unit = "{unit}" }
each.unit = [true, false]
[[sweep]]
name = "one"
set = "field"
""")
    chosen = chosen_configurations(study, ())
    assert [item.name for item in chosen] == ["unit-true", "unit-false"]
    systems = [changed(load_system("raid-controllers"), item.changes) for item in chosen]
    assert [system.controller[0].backup_unit for system in systems] == [True, False]


@pytest.mark.parametrize(
    ("text", "hint"),
    [
        ("20", 'write "20%" or 0.2'),
        (" 110 ", 'write "110%" or 1.1'),
        ("5", 'write 5 without quotes; "5%" if that is meant'),
        ("0.5", "write 0.5 without quotes"),
        ("nan", ""),
        ("0", "give more than 0% and up to 10000%"),
        ("-5", "give more than 0% and up to 10000%"),
        ("10001", "give more than 0% and up to 10000%"),
    ],
)
def test_a_rate_in_quotes_is_told_as_what_may_stand_there(text: str, hint: str) -> None:
    """Without quotes 20 would be refused next: as twenty times what the target can serve."""
    sweep = f'[[sweep]]\nname = "one"\nprofiles = ["database"]\nrate_share = ["{text}"]\n'
    with pytest.raises(ProfileError) as refused:
        parse_study(f'name = "mine"\ntitle = "Mine"\n{sweep}')
    (problem,) = refused.value.problems
    assert (problem.what, problem.hint) == (f'"{text}" is a text, no number', hint)
