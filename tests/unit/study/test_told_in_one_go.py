"""What is wrong with a study on its targets is told beside what cannot be read of it, and nothing else is."""

from __future__ import annotations

import copy
import sys
from collections.abc import Iterator
from contextlib import suppress
from importlib import resources
from pathlib import Path
from typing import Any

import pytest

from command_line import CommandLine
from iodyno.errors import ProfileError
from iodyno.problems import path_text
from iodyno.study import Overrides, load_to_simulate, plan_study, shipped
from iodyno.study.load import UnreadError, study_of_document
from iodyno.study.partly import Rest
from iodyno.study.systems import resolve
from iodyno.targets import Target

# ruff: noqa: E501

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

HEAD = 'schema = 1\nname = "mine"\ntitle = "Mine"\n'
FILE = '[file]\nsize = "1G"\n'
PROFILE = '[[profile]]\nname = "mail"\nrandom_share = 1\nread_share = 0.5\nblocks = "8k"\n'
SWEEP = '[[sweep]]\nname = "one"\nprofiles = ["mail", "database"]\noutstanding = [1, 8]\n'


def _errors(text: str) -> list[str]:
    return [line for line in text.splitlines() if line.startswith("error:")]


@pytest.mark.parametrize(
    ("study", "told"),
    [
        (
            'colour = "red"\n' + FILE + PROFILE.replace("8k", "1000") + SWEEP
            + 'area = { start = "900M", length = "512M" }\n',
            ("colour: is no key", "the area of 512M from 900M ends outside", "mail: a block of 1000 is no multiple"),
        ),
        (
            '[measurement]\ncap_s = "x"\n' + PROFILE.replace("= 1\n", "= 0\n") + 'distribution = "zipf:1.2"\n' + SWEEP
            + 'engine = ["foo"]\nblock_sizes = [1000]\n',
            ("cap_s", "zipf:1.2 says nothing", '"foo" is not one of', "a block of 1000"),
        ),
        (
            PROFILE.replace("0.5", '"150%"') + 'fsync_every = 4\nfdatasync_every = 2\nthink_time_us = "5ms"\n' + SWEEP
            + "rate_io_s = [100]\nworkers = 0\n",
            ("150%", "stands beside fsync_every", "has a think time and a rate", "0 is below the least"),
        ),
        (
            PROFILE.replace("0.5", "1") + "fsync_every = 4\n" + SWEEP
            + 'area = ["25%", "130%"]\nblock_sizes = ["4k", 1000, "4Q"]\nmaximum_at = [4]\n',
            ("the profile does not write", "130%", "a block of 1000", "4Q", "maximum_at"),
        ),
        (
            '[file]\nsize = "1M"\n' + PROFILE + 'distribution = "90/10, 20/70"\n' + SWEEP
            + 'outstanding_ = 4\nblock_sizes = "2M"\n',
            ("110% of the accesses", "outstanding_", "has 1M, less than a block of 2M"),
        ),
        (
            PROFILE.replace("= 1\n", "= 0.5\n") + 'distribution = "permutation"\nalignment_bytes = 700\n'
            + SWEEP.replace("database", "databse"),
            ("every access is random", "an alignment of 700", "databse"),
        ),
        (
            PROFILE + 'data = "zeros"\ndata_compressible_share = "50%"\nthink_every = 4\n' + SWEEP
            + 'workers_area = "stream"\nread_share = "2x"\n',
            ("data_compressible_share", "without a think time", "mail accesses at random",
             "database accesses at random", "'2x' is no share"),
        ),
        (
            FILE + '[measurement]\nwarmup_s = "abc"\ncold_cache = true\n' + PROFILE.replace("8k", "700") + SWEEP
            + "begins_after_s = 5\n",
            ("'abc' is no duration", "is for buffered I/O", "a block of 700", "nothing runs beside the sweep"),
        ),
        (
            FILE + PROFILE + 'area = { start = "60%", length = "60%" }\nshown_as = "iops"\n' + SWEEP
            + '[[sweep.beside]]\nprofile = "restor"\n',
            ("ends outside", '"iops" is not one of', '"restor"'),
        ),
        (
            PROFILE + "trim_share = 2\nbloks = 4\n" + SWEEP + "area = 25\n",
            ("2 is outside 0 to 100%", "bloks", "25 bytes"),
        ),
        (
            '[file]\nsize = "64M"\n' + PROFILE.replace("8k", "1000").replace("mail", "Mail Server")
            + SWEEP.replace("mail", "Mail Server").replace('"one"', '"The One"') + 'area = "1G"\n',
            ('"Mail Server" is no short name', '"The One" is no short name', "sweep The One.profiles.Mail Server: a block of 1000",
             "the area of 1G from 0 ends outside"),
        ),
        (
            '[measurement]\nverify = true\nengine = "libaio"\n' + PROFILE + 'gap_bytes = "4k"\ndata = "zeros"\n' + SWEEP
            + "rate_io_s = [-5, 100]\nrate_share = [0.5]\n",
            ('"libaio"', "no access is sequential", "-5 is not above 0", "rate_io_s and rate_share",
             "a stamp in each sector would spoil"),
        ),
        (
            PROFILE + 'think_time_us = "xx"\nthink_every = 4\n' + SWEEP + 'rate_io_s = 5\narea = "900T"\nname2 = 3\n',
            ("'xx' is no duration", "has a think time and a rate", "ends outside", "name2"),
        ),
        (
            '[file]\nsize = "x"\n' + PROFILE + SWEEP + 'area = "900G"\nblock_sizes = 1000\n[sweep.chart]\nlayot = "x"\n',
            ("'x' is no size", "a block of 1000", "layot"),
        ),
        (
            PROFILE + SWEEP.replace('"database"', '"data"')
            + 'targets_per_worker = 2\nworkers = [1, 1]\n[[sweep.beside]]\nprofile = "restore"\n',
            ('no profile "data"', "stands beside targets_per_worker", "1 is in the list twice", "do not come out even"),
        ),
        (
            PROFILE + 'gap_bytes = "4k"\ncursors = "own"\ndistribution = "zipf:9x"\nrandom_every = 0\n' + SWEEP
            + 'workers_area = "own"\nworkers = [1024]\narea = "1M"\n',
            ("zipf", "0 is below the least of 1", "gap_bytes = 4096 says nothing", 'cursors = "own" says nothing',
             "gives each of 1024 workers"),
        ),
    ],
)  # fmt: skip
def test_all_is_told_in_one_go(
    iodyno_says: CommandLine, tmp_path: Path, study: str, told: tuple[str, ...]
) -> None:
    file = tmp_path / "mine.toml"
    file.write_text(HEAD + study, "utf-8")
    said = iodyno_says("plan", file)
    assert (said.code, said.out) == (2, "")
    assert "nameless" not in said.err
    errors = _errors(said.err)
    assert len(errors) == len(told), said.err
    for part in told:
        assert sum(part in line for line in errors) == 1, part


VIRTUAL = """
[[configuration]]
name = "absent"
system = "p3701"
[[configuration]]
name = "there"
system = "p3700"
"""


@pytest.mark.parametrize("named", [False, True])
def test_a_simulation_tells_what_virtual_targets_cannot_be_asked_beside_the_rest(
    iodyno_says: CommandLine, tmp_path: Path, named: bool
) -> None:
    file = tmp_path / "mine.toml"
    own = PROFILE.replace("8k", "1000") + 'write_distribution = "permutation"\n'
    sweep = SWEEP + 'workers = "many"\narea = "2T"\n'
    file.write_text(HEAD + ("" if named else VIRTUAL) + own + sweep, "utf-8")
    said = iodyno_says("simulate", file, *(("--on", "p3701", "--on", "p3700") if named else ()), "--plan")
    assert said.code == 2
    told = ('"many" is no whole number', "p3701: there is no system", "the area of 2T from 0 ends outside",
            "a block of 1000", "writes by permutation")  # fmt: skip
    assert len(_errors(said.err)) == len(told), said.err
    for part in told:
        assert part in said.err


def test_volumes_and_targets_that_there_are_not_hide_nothing(
    iodyno_says: CommandLine, tmp_path: Path
) -> None:
    file = tmp_path / "mine.toml"
    virtual = '[[configuration]]\nname = "there"\nsystem = "p3700"\nvolumes = ["nix"]\n'
    file.write_text(HEAD + virtual + PROFILE + SWEEP + "targets = [2]\nblock_sizes = 1000\n", "utf-8")
    said = iodyno_says("simulate", file, "--plan")
    told = ('no volume "nix"', "names target 2, and there is 1 target", "a block of 1000")
    assert len(_errors(said.err)) == len(told), said.err
    for part in told:
        assert part in said.err


def test_measuring_tells_of_targets_that_cannot_be_and_of_what_cannot_be_on_others(
    iodyno_says: CommandLine, tmp_path: Path
) -> None:
    """Whether or not the study can be read."""
    file = tmp_path / "mine.toml"
    reads = SWEEP.replace('"mail", "database"', '"mail"')
    (tmp_path / "small").write_bytes(b"\x5a" * (1 << 16))
    for more, count in (("", 3), ("colour = 1\n", 4)):
        file.write_text(
            HEAD + more + PROFILE.replace("0.5", "1") + reads + 'area = "1M"\ntargets = [3]\n', "utf-8"
        )
        said = iodyno_says("measure", tmp_path / "no" / "way", tmp_path / "small", "--study", file)
        assert said.code == 2
        told = (
            "no/way: is missing",
            "names target 3, and there are 2 targets",
            f"ends outside {tmp_path / 'small'}",
        )
        for part in told:
            assert part in said.err
        assert len(_errors(said.err)) == count, said.err
    assert sorted(one.name for one in tmp_path.iterdir()) == ["mine.toml", "small"]


WHOLE = tomllib.loads(
    HEAD + FILE + '[measurement]\ndirect = true\nworkers_area = "shared"\ntargets_per_worker = 1\npinning = "none"\n'
    + PROFILE + 'write_random_share = 0\nwrite_blocks = "4k"\nalignment_bytes = "8k"\ncursors = "own"\n'
    'distribution = "zipf:1.2"\narea = { start = "10%", length = "80%" }\ndata_compressible_share = 0.5\n'
    'trim_share = 0\nfsync_every = 4\nthink_time_us = "1ms"\nthink_every = 2\ngap_bytes = "4k"\nshown_as = "throughput"\n'
    + PROFILE.replace("mail", "log").replace("= 1\n", "= 0\n").replace("0.5", "0") + "fdatasync_every = 1\n"
    + SWEEP.replace("database", "log") + 'workers_area = ["shared", "own"]\nblock_sizes = ["8k", "64k"]\n'
    '[[sweep]]\nname = "two"\nprofiles = ["database"]\nrate_share = [0.5]\nmaximum_at = [4, 8]\narrival = "poisson"\n'
    '[[sweep]]\nname = "three"\nset = "field"\narea = ["25%", "1G"]\nread_share = [0.5, 1]\noutstanding = 4\n'
    '[[sweep]]\nname = "four"\nprofiles = "log"\nworkers = 4\nworkers_area = "stream"\n'
    '[[sweep]]\nname = "five"\nprofiles = "oltp-4k"\nrandom_share = [0, 0.5]\nsearch = { limit = "2ms" }\n'
)  # fmt: skip
"""A study that can be, with most keys."""


def _places(value: Any, above: tuple[str | int, ...] = ()) -> Iterator[tuple[str | int, ...]]:
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, item in items:
        yield (*above, key)
        yield from _places(item, (*above, key))


def _rest_problems(document: dict[str, Any], judged: bool) -> tuple[list[str], list[str]]:
    """Read a document: where something is wrong with it, and what is wrong with what is left on a target."""
    target = Target.model_validate({"path": "/a", "asked": "/a", "kind": "file", "size_bytes": 1 << 31})
    try:
        study = study_of_document(document, "x")
    except UnreadError as error:
        rest = error.rest if judged else Rest()
        left = rest.problems(lambda study: plan_study(study, [target], Overrides()))
        return [problem.where for problem in error.problems], [str(problem) for problem in left]
    plan_study(study, [target], Overrides()) if judged else None
    return [], []


@pytest.mark.parametrize("wrong", ["???", -7.5, {"huh": 1}, []], ids=repr)
def test_of_one_thing_that_is_wrong_nothing_else_follows(wrong: object) -> None:
    """Each value of a study in turn is one that cannot be: all that is told is of that value."""
    assert _rest_problems(WHOLE, judged=True) == ([], [])
    seen = 0
    for place in _places(WHOLE):
        document = copy.deepcopy(WHOLE)
        here: Any = document
        for part in place[:-1]:
            here = here[part]
        here[place[-1]] = copy.deepcopy(wrong)
        with suppress(ProfileError):  # it can be read, and asks for something else
            told, left = _rest_problems(document, judged=True)
            seen += told != []
            assert left == [], place
            if len(place) > 2 and "name" not in place:  # of names that are gone others tell
                key = f"x: {path_text(place[:3])}"
                assert [where for where in told if not where.startswith(key)] == [], place
    assert seen > 40


@pytest.mark.parametrize("name", ["p3700", "nvme-host-connections", "primequest-2800e3"])
def test_a_configuration_that_cannot_be_read_takes_no_name_from_sweeps(name: str) -> None:
    """All sweeps and charts that name it told that it was not there, and a list of words that some lack."""
    text = resources.files("iodyno").joinpath("studies").joinpath(f"{name}.toml").read_text("utf-8")
    whole, seen = tomllib.loads(text), 0
    for place in _places({"configuration": whole["configuration"]}):
        if place[2:] == ("each",):
            continue  # that is another list of words
        document = copy.deepcopy(whole)
        here: Any = document
        for part in place[:-1]:
            here = here[part]
        here[place[-1]] = {"huh": {}}
        told, _ = _rest_problems(document, judged=False)
        seen += told != []
        assert [where for where in told if not where.startswith(f"x: {path_text(place[:3])}")] == [], place
        assert len(told) <= 3, (place, told)
    assert seen > 5


def test_a_pattern_of_a_sweep_that_is_mistyped_is_told_once() -> None:
    """Each part of the sweep's chart told that it was not there either."""
    text = (
        resources.files("iodyno")
        .joinpath("studies")
        .joinpath("nvme-host-connections.toml")
        .read_text("utf-8")
    )
    document = tomllib.loads(text)
    document["sweep"][1]["configurations"][0] = "*-11"
    assert _rest_problems(document, judged=False)[0] == ["x: sweep[1].configurations[0]"]


def test_of_shipped_studies_with_something_wrong_nothing_else_follows() -> None:
    for name in shipped():
        text = resources.files("iodyno").joinpath("studies").joinpath(f"{name}.toml").read_text("utf-8")
        document = tomllib.loads(text) | {"colour": "red"}
        assert _rest_problems(document, judged=False) == (["x: colour"], []), name


def test_what_is_left_of_a_shipped_study_can_be_simulated(tmp_path: Path) -> None:
    for name in shipped():
        text = resources.files("iodyno").joinpath("studies").joinpath(f"{name}.toml").read_text("utf-8")
        file = tmp_path / f"{name}.toml"
        file.write_text('colour = "red"\n' + text, "utf-8")
        on = () if tomllib.loads(text).get("configuration") else ("p3700",)
        with pytest.raises(ProfileError) as caught:
            load_to_simulate(file, on, resolve, Overrides())
        assert [problem.what for problem in caught.value.problems] == ["is no key of this table"], name


@pytest.mark.parametrize(
    ("pattern", "told"), [("x8-adapter-3", False), ("*-3", False), ("x9-*", True), ("direct3", True)]
)
def test_what_no_name_with_unread_words_can_match_is_told(pattern: str, told: bool) -> None:
    """Of `{short}-{count}` the counts cannot be read: names begin as before."""
    lists = {"short": ["x8-adapter", "direct"], "count": [{"huh": {}}]}
    document = tomllib.loads(HEAD + SWEEP.replace('"mail", ', "")) | {
        "configuration": [{"name": "{short}-{count}", "system": "p3700", "each": lists}]
    }
    document["sweep"][0]["configurations"] = [pattern]
    named = ["x: sweep[0].configurations[0]"] if told else []
    assert _rest_problems(document, judged=False)[0] == [*named, "x: configuration[0].each.count[0].huh"]
