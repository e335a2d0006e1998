"""Parts of the user's own: a folder beside what is shipped; what is wrong with one stands in nobody's way."""

from __future__ import annotations

import copy
import json
import math
import os
import re
import shlex
import sys
from pathlib import Path
from typing import Any

import pytest

from command_line import CommandLine
from iodyno.catalog import reading, shelf
from iodyno.catalog.fields import MODELS
from iodyno.catalog.reading import parse_part
from iodyno.errors import CatalogError
from own_parts import DISK, SHIPPED, SSD, SYSTEM, having, named

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib


@pytest.fixture
def own(iodyno_says: CommandLine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Give a folder of own parts with one in it."""
    folder = tmp_path / "parts"
    folder.mkdir()
    (folder / "mine.toml").write_text(named(SSD, "my-ssd"))
    monkeypatch.setenv("IODYNO_PARTS", str(folder))
    return folder


@pytest.mark.usefixtures("own")
def test_an_own_part_is_one_like_others(iodyno_says: CommandLine, tmp_path: Path) -> None:
    assert "my-ssd" in iodyno_says("catalog", "list", "ssd").out
    assert iodyno_says("catalog", "show", "my-ssd").code == 0
    assert "primergy" in iodyno_says("catalog", "fits", "my-ssd").out
    (tmp_path / "system.toml").write_text(SYSTEM.format(drive="my-ssd"))
    assert iodyno_says("catalog", "check", tmp_path / "system.toml").code == 0
    said = iodyno_says(
        "simulate", "quick", "--on", tmp_path / "system.toml", "--profile", "database", "--outstanding", "1"
    )
    assert (said.code, "Database" in said.out) == (0, True)


def test_what_is_wrong_with_a_part_is_told_where_it_is_asked_for(
    iodyno_says: CommandLine, own: Path, tmp_path: Path
) -> None:
    (own / "bad.toml").write_text(having(named(SSD, "bad"), "dies", "2.5"))
    (own / "twin.toml").write_text(named(SSD, "intel-p3700-2000"))
    said = iodyno_says("catalog", "list", "ssd")
    assert (said.code, "my-ssd" in said.out) == (0, True)
    for name in ("bad", "twin"):
        assert f"left out: {name}.toml, `iodyno catalog show {name}` tells what is wrong" in said.err
    told = f"error: {own / 'bad.toml'}:25: model.dies: 2.5 is no whole number\n"
    assert iodyno_says("catalog", "show", "bad").err == told
    (tmp_path / "good.toml").write_text(SYSTEM.format(drive="my-ssd"))
    assert iodyno_says("catalog", "check", tmp_path / "good.toml").code == 0
    (tmp_path / "system.toml").write_text(SYSTEM.format(drive="bad"))
    assert iodyno_says("catalog", "check", tmp_path / "system.toml").err == told
    said = iodyno_says("catalog", "show", "twin")
    assert 'name: another part has the name "intel-p3700-2000"' in said.err
    assert shelf.catalogue().get("intel-p3700-2000") == shelf.shipped().get("intel-p3700-2000")


def test_a_part_that_has_changed_is_read_anew(own: Path) -> None:
    file = own / "mine.toml"
    before = shelf.catalogue().get("my-ssd").model["dies"].value
    file.write_text(having(named(SSD, "my-ssd"), "dies", "16"))
    os.utime(file, ns=(1, 1))
    assert before != 16
    assert shelf.catalogue().get("my-ssd").model["dies"].value == 16
    file.unlink()
    assert shelf.catalogue().parts == shelf.shipped().parts


def test_a_folder_that_is_none(
    iodyno_says: CommandLine, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("IODYNO_PARTS", str(tmp_path / "nowhere"))
    said = iodyno_says("catalog", "list")
    assert (said.code, "IODYNO_PARTS names no folder" in said.err) == (2, True)
    # A file needs none.
    (tmp_path / "mine.toml").write_text(named(SSD, "my-ssd"))
    assert iodyno_says("catalog", "show", tmp_path / "mine.toml").code == 0
    # Without the variable the folder of the user's data counts, where it is there.
    monkeypatch.delenv("IODYNO_PARTS")
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    assert shelf.own_folder() is None
    (tmp_path / "iodyno" / "parts").mkdir(parents=True)
    assert shelf.own_folder() == tmp_path / "iodyno" / "parts"


def test_a_file_is_shown_before_it_is_in_the_folder(iodyno_says: CommandLine, tmp_path: Path) -> None:
    part, system = tmp_path / "part.toml", tmp_path / "system.toml"
    part.write_text(having(named(SSD, "one"), "program_size", "1"))
    said = iodyno_says("catalog", "show", part)
    assert (said.code, "model.program_size: 1 KiB is below stripe, 8 KiB" in said.err) == (2, True)
    assert said.err.startswith(f"error: {part}:")
    part.write_text(having(SHIPPED["praid-ep420i.toml"], "firmware_memory", "4096"))
    said = iodyno_says("catalog", "show", part)
    assert "model.cache: 2 GiB is below firmware_memory, 4096 MiB" in said.err
    system.write_text(SYSTEM.format(drive="intel-p3700-800"))
    assert iodyno_says("catalog", "show", system).out.startswith("own\n")
    said = iodyno_says("catalog", "check", part)
    assert (said.code, "is a part, no system" in said.err) == (2, True)


GARBAGE: tuple[Any, ...] = (
    3, -1, "x", "", True, [], [1], ["ssd"], {}, {"value": []}, {"unit": [1]}, math.inf,
)  # fmt: skip


@pytest.mark.parametrize("name", ["intel-p3700-800", "praid-ep420i", "primergy-rx2540-m1", "sas"])
def test_whatever_stands_in_place_of_a_value_is_told(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """In the file itself and in each table of it: nothing but an error of the catalogue comes of it."""
    document = tomllib.loads(SHIPPED[f"{name}.toml"])
    given: dict[str, object] = {}
    monkeypatch.setattr(reading, "parse_toml", lambda *_: given)
    places: list[tuple[str, ...]] = [(key,) for key in document]
    places += [(key, inner) for key, table in document.items() if isinstance(table, dict) for inner in table]
    places += [(*place, last) for place in places if len(place) == 2 for last in ("value", "unit", "source")]
    told = 0
    for place in places:
        for garbage in GARBAGE:
            given.clear()
            given.update(copy.deepcopy(document))
            table: Any = given
            for key in place[:-1]:
                table = table[key]
            if isinstance(table, dict):
                table[place[-1]] = garbage
            try:
                parse_part("", "part.toml")
            except CatalogError:
                told += 1
    assert told > len(places)


def test_what_is_shipped_can_be_printed_to_begin_with(iodyno_says: CommandLine, own: Path) -> None:
    assert iodyno_says("catalog", "show", "intel-p3700-800", "--toml").out == SSD
    assert iodyno_says("catalog", "show", "my-ssd", "--toml").out == (own / "mine.toml").read_text()
    assert 'name = "p3700"' in iodyno_says("catalog", "show", "p3700", "--toml").out
    # Of a faulty part beside it nothing is to be seen, and a file is printed by other means.
    (own / "bad.toml").write_text(having(named(SSD, "bad"), "dies", "0"))
    assert iodyno_says("catalog", "show", "my-ssd", "--toml").code == 0
    said = iodyno_says("catalog", "show", own / "mine.toml", "--toml")
    assert (said.code, "is a file itself" in said.err) == (2, True)


@pytest.mark.parametrize(
    ("part", "key", "value", "told"),
    [
        (SSD, "dies", "0", "0 is not above 0"),
        (SSD, "dies", "1e9", "1000000000.0 is more than 65,536"),
        (SSD, "data_read", "0", "0 MB/s is not above 0"),
        (SSD, "data_read", "nan", "nan is no number that can be calculated with"),
        (SSD, "spare", "6.7", "6.7 is more than twice the capacity"),  # meant as percent
        (SSD, "turnaround", "-3", "-3 us is below the least of 0"),
        (SSD, "delay_write", "1e12", "1000000000000.0 us is more than a second"),
        (SSD, "capacity", "1e12", "1000000000000.0 GB is more than a PiB"),
        (DISK, "rotation", "-5", "-5 rpm is not above 0"),
        (DISK, "missed_revolution", "8.5", "8.5 is not below 1"),
        (DISK, "zones", "24.5", "24.5 is no whole number"),
        (DISK, "inner", "9000", ""),
        (SHIPPED["praid-ep420i.toml"], "read_efficiency", "1.5", "1.5 is above the limit of 1"),
        (SHIPPED["praid-ep420i.toml"], "lanes", "2.5", "2.5 is no whole number"),
        (SHIPPED["xeon-e5-2637-v3.toml"], "cores", "0", "0 is not above 0"),
        (SHIPPED["nvme-1610-4p.toml"], "ports", "-4", "-4 is not above 0"),
    ],
)
def test_numbers_that_nothing_can_have(part: str, key: str, value: str, told: str) -> None:
    with pytest.raises(CatalogError) as raised:
        parse_part(having(part, key, value), "part.toml")
    found = {re.split("[. ]", problem.where)[-1]: problem.what for problem in raised.value.problems}
    if told:
        assert found.get(key, found.get("value")) == told
    else:
        assert found["outer"].endswith(f"is below {key}, {value} MB/s(10^6)")


@pytest.mark.parametrize(
    ("file", "key"),
    [("intel-p3700-800", "interface"), ("praid-ep420i", "host_interface"),
     ("praid-ep420i", "drive_interface"), ("nvme-1610-4p", "version"), ("xeon-e5-2637-v3", "pcie"),
     ("sas-expander-12g", "interface")],
)  # fmt: skip
def test_an_interface_that_is_none(file: str, key: str) -> None:
    text = SHIPPED[f"{file}.toml"]
    old = next(line for line in text.splitlines() if line.startswith(f"{key} = "))
    with pytest.raises(CatalogError) as raised:
        parse_part(text.replace(old, f'{key} = "PCIE4x4"', 1), "part.toml")
    (problem,) = raised.value.problems
    assert (problem.where, problem.what) == (f"part.toml: {key}", '"PCIE4x4" is no interface')


@pytest.mark.parametrize(
    ("key", "needed"), [("turbo", False), ("threads", False), ("cores", True), ("frequency", True)]
)
def test_what_the_simulator_does_not_know_of_a_processor_may_be_left_out(key: str, needed: bool) -> None:
    text = SHIPPED["xeon-e5-2637-v3.toml"]
    left = "\n".join(line for line in text.splitlines() if not line.startswith(f"{key} = "))
    if needed:
        with pytest.raises(CatalogError, match=f"model.{key}: is missing"):
            parse_part(left)
    else:
        assert key in parse_part(text).model
        assert key not in parse_part(left).model
    # What is given is looked at all the same.
    with pytest.raises(CatalogError, match=f"model.{key}"):
        parse_part(having(text, key, "0"))


def test_the_mark_that_some_editors_put_before_a_text_is_no_mistake(
    iodyno_says: CommandLine, own: Path, tmp_path: Path
) -> None:
    mark = b"\xef\xbb\xbf"
    (own / "marked.toml").write_bytes(mark + named(SSD, "marked").encode())
    (tmp_path / "system.toml").write_bytes(mark + SYSTEM.format(drive="marked").encode())
    for words in (("check",), ("show",)):
        said = iodyno_says("catalog", *words, tmp_path / "system.toml")
        assert (said.code, said.err) == (0, "")


def test_a_fit_that_came_with_a_copy_is_said_to_be_of_the_other_part(
    iodyno_says: CommandLine, own: Path
) -> None:
    """Figures that were simulated of other numbers are none of the part."""
    (own / "other.toml").write_text(having(having(named(SSD, "other"), "dies", "16"), "rate", "90000"))
    shown = {
        name: iodyno_says("catalog", "show", name).out for name in ("intel-p3700-800", "my-ssd", "other")
    }
    made = "intel-p3700-800, which this part was made of"
    assert [made in said for said in shown.values()] == [False, True, True]
    assert ["p3700-055" in said for said in shown.values()] == [True, True, False]
    assert "left out: of intel-p3700-800, from which differ model.dies, prefetch.rate\n" in shown["other"]


def test_json_says_the_same_of_a_fit_that_came_with_a_copy(iodyno_says: CommandLine, own: Path) -> None:
    (own / "other.toml").write_text(having(having(named(SSD, "other"), "dies", "16"), "rate", "90000"))
    shipped, mine, other = (
        json.loads(iodyno_says("catalog", "show", name, "--json").out)["fit"]["intel-p3700-800"]
        for name in ("intel-p3700-800", "my-ssd", "other")
    )
    assert not {"of", "differ"} & shipped.keys()
    assert shipped["figures"]
    assert mine == {**shipped, "of": "intel-p3700-800", "differ": []}
    differ = ["model.dies", "prefetch.rate"]
    assert other == {**shipped, "of": "intel-p3700-800", "differ": differ, "figures": []}


def test_a_volume_of_a_thousand_tb_is_written_out(
    iodyno_says: CommandLine, own: Path, tmp_path: Path
) -> None:
    (own / "large.toml").write_text(having(named(SSD, "large"), "capacity", "1000000"))
    (tmp_path / "system.toml").write_text(SYSTEM.format(drive="large"))
    assert "  1,000 TB  " in iodyno_says("catalog", "check", tmp_path / "system.toml").out


BROKEN = having(named(SSD, "seagate-broken"), "dies", "2.5")


@pytest.mark.parametrize(
    ("text", "told"),
    [(BROKEN, "model.dies: 2.5 is no whole number"), (f"{BROKEN}\n[oops\n", "expected ']'")],
    ids=["a wrong number", "no TOML"],
)
def test_a_broken_part_is_found_by_the_name_in_it(
    iodyno_says: CommandLine, own: Path, tmp_path: Path, text: str, told: str
) -> None:
    """Systems name parts, not files: what is in broken.toml is wrong and not missing."""
    (own / "broken.toml").write_text(text)
    (tmp_path / "system.toml").write_text(SYSTEM.format(drive="seagate-broken"))
    for words in (
        ("check", tmp_path / "system.toml"), ("show", "seagate-broken"), ("fits", "seagate-broken"),
        ("show", "broken"),
    ):  # fmt: skip
        said = iodyno_says("catalog", *words)
        assert (said.code, str(own / "broken.toml") in said.err) == (2, True), words
        assert told in said.err
        assert "there is no part" not in said.err
    said = iodyno_says("catalog", "list", "ssd")
    assert said.err == "left out: broken.toml, `iodyno catalog show seagate-broken` tells what is wrong\n"


def test_a_broken_part_stands_in_no_other_ones_way(iodyno_says: CommandLine, own: Path) -> None:
    """Neither by its name, which a good part has too, nor by that of its file."""
    (own / "my-ssd.toml").write_text(having(named(SSD, "another"), "dies", "2.5"))
    (own / "zz.toml").write_text(having(named(SSD, "my-ssd"), "dies", "0"))
    assert iodyno_says("catalog", "show", "my-ssd").code == 0
    said = iodyno_says("catalog", "list", "ssd").err
    for file, name in (("my-ssd", "another"), ("zz", "zz")):
        assert f"left out: {file}.toml, `iodyno catalog show {name}` tells what is wrong\n" in said
        assert str(own / f"{file}.toml") in iodyno_says("catalog", "show", name).err


@pytest.mark.parametrize(
    ("stem", "text", "told"),
    [
        ("Bad_One", SSD.replace("\nname = ", "\nnam = "), "nam: is no key of this table"),
        ("bad one", f"{SSD}\n[oops\n", "expected ']'"),
        ("fine", having(named(SSD, "My_Drive"), "dies", "2.5"), "model.dies: 2.5 is no whole number"),
        ("My Drive", having(named(SSD, "My Drive"), "dies", "2.5"), "model.dies: 2.5 is no whole number"),
        ("my.toml", having(named(SSD, "my.toml"), "dies", "2.5"), "model.dies: 2.5 is no whole number"),
        # Read by themselves these are fine.
        ("Twin", SSD, 'another part has the name "intel-p3700-800"'),
        ("my-ssd", SSD, 'another part has the name "intel-p3700-800"'),
        ("p3700", named(SSD, "p3700"), 'a system has the name "p3700"'),
    ],
)
def test_the_command_that_the_list_names_tells_what_is_wrong(
    iodyno_says: CommandLine, own: Path, stem: str, text: str, told: str
) -> None:
    """Whatever the file and the part in it are called: where no name does, the command has the path."""
    (own / f"{stem}.toml").write_text(text)
    said = iodyno_says("catalog", "list", "ssd").err
    command = re.fullmatch(rf"left out: {stem}\.toml, `iodyno (.*)` tells what is wrong\n", said)
    assert command
    shown = iodyno_says(*shlex.split(command[1]))
    assert (shown.code, shown.out) == (2, "")
    assert str(own / f"{stem}.toml") in shown.err
    assert told in shown.err


def test_of_a_name_that_is_there_twice_both_files_are_named(
    iodyno_says: CommandLine, own: Path, tmp_path: Path
) -> None:
    (own / "xeon-gold.toml").write_text(named(SHIPPED["epyc-9354.toml"], "xeon-gold"))
    (own / "dup.toml").write_text(named(SHIPPED["epyc-9354.toml"], "xeon-gold"))
    told = f'error: {own}: dup.toml and xeon-gold.toml have one name, "xeon-gold"\n'
    (tmp_path / "system.toml").write_text(
        SYSTEM.format(drive="my-ssd").replace("xeon-e5-2637-v3", "xeon-gold")
    )
    for words in (("show", "xeon-gold"), ("show", "dup"), ("check", tmp_path / "system.toml")):
        assert iodyno_says("catalog", *words).err == f"{told}hint: give each a name of its own\n"
    assert "xeon-gold" not in iodyno_says("catalog", "list", "processor").out
    assert iodyno_says("catalog", "show", "my-ssd").code == 0


GUIDE = Path(__file__).resolve().parents[3] / "docs" / "guides" / "catalog.md"
ARRAY = """
name = "array"
[host]
processor = "xeon-e5-2660-v3"
software = "windows-raw-megaraid"
[[controller]]
part = "praid-ep420i"
[[controller.logical]]
drive = "my-drive"
count = 4
level = "5"
"""


ONE_DRIVE = """
name = "one"
[host]
processor = "xeon-e5-2660-v3"
software = "linux-scsi"
[[controller]]
part = "psas-cp400i"
[[controller.logical]]
drive = "my-drive"
count = 1
level = "JBOD"
"""
BEYOND = {"protected", "read_size"}
"""Numbers of the guide's drive that an SSD can do without."""


def _drive_of_the_guide() -> str:
    _, _, section = GUIDE.read_text("utf-8").partition("\n## A part of your own\n")
    found = re.search(r"```toml\n(.*?)```", section, re.DOTALL)
    assert found
    return found[1]


def test_the_drive_of_the_guide_is_a_whole_one(iodyno_says: CommandLine, own: Path, tmp_path: Path) -> None:
    """Read, shown and in an array as any other: and nothing of it can be left out."""
    example = _drive_of_the_guide()
    (own / "my-drive.toml").write_text(example)
    assert iodyno_says("catalog", "show", "my-drive").code == 0
    (tmp_path / "array.toml").write_text(ARRAY)
    said = iodyno_says("catalog", "check", tmp_path / "array.toml")
    assert (said.code, "array can exist." in said.out) == (0, True)
    words = ("--profile", "database", "--outstanding", "4", "-q")
    assert iodyno_says("simulate", "quick", "--on", tmp_path / "array.toml", *words).code == 0
    numbers = re.findall(r"^(\w+) = \{", example, re.MULTILINE)
    assert set(numbers) == {key for key, number in MODELS["ssd"].items() if number.required} | BEYOND
    for line in example.splitlines():
        if " = " in line and not line.startswith(("schema", *BEYOND)):
            with pytest.raises(CatalogError):
                parse_part(example.replace(f"{line}\n", ""))


def test_a_stream_of_the_guides_drive_brings_a_page_at_once(
    iodyno_says: CommandLine, own: Path, tmp_path: Path
) -> None:
    """64 KiB lie on four dies, a page of 16 KiB on each: one read of each, without read_size four in turn.

    So one outstanding read is three reads of a die slower without it, 3 · 60 µs.
    """
    whole = _drive_of_the_guide()
    without = re.sub(r"^read_size = .*\n", "", whole, flags=re.MULTILINE)
    latency_ms = {}
    for name, text in (("whole", whole), ("without", without)):
        (own / "my-drive.toml").write_text(text)
        changes = ("--profile", "streaming", "--outstanding", "1", "--analytic", "--json")
        (tmp_path / "one.toml").write_text(ONE_DRIVE)
        said = iodyno_says("simulate", "quick", "--on", tmp_path / "one.toml", *changes)
        latency_ms[name] = json.loads(said.out)[0]["calculated_latency_ms_mean"]
        shown = iodyno_says("catalog", "show", "my-drive").out
        assert ("Without read_size" in shown) is (name == "without"), shown
    assert latency_ms["without"] - latency_ms["whole"] == pytest.approx(0.180, rel=1e-6)
