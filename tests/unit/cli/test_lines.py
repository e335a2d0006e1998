"""What is wrong in a TOML file is told with its line, as compilers do, and in the order of the file."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest

from command_line import CommandLine
from iodyno.bench import toml_lines
from iodyno.cli.lines import located
from iodyno.errors import Problem

STUDY = """\
schema = 1
name = "bad"

[measurement]
cap_s = "x"

[[profile]]
name = "a"
random_share = 1
read_share = 2
blocks = "4k"

[[profile]]
name = "b"
random_share = 1
read_share = 1
blocks = [
  "4k",
  "x4k",
]
[[sweep]]
name = "s"
profiles = ["a", "bb"]
outstanding = [1, 2,
   "many"]
"""
SYSTEM = """\
name = "mine"

[host]
processor = "xeon-e5-2637-v3"
software = "windows-raw-megaraid"

[[controller]]
part = "praid-ep420i"

[[controller.logical]]
level = "5"
drive = "intel-p3700-800"
count = 2
"""


def _told(text: str) -> list[str]:
    return [line.split(": ", 1)[1] for line in text.splitlines() if line.startswith("error: ")]


def test_lines_are_those_of_keys_tables_and_elements() -> None:
    text = """\
a = 1

[b]
c.d = [1,
  { e = "x" }, [2,
  3]]
"f g" = \"\"\"
h = 4
\"\"\"
[[b.i]]
[[b.i]]
j = 5 # k = 6
"""
    expected = {
        "a": 1, "b": 3, "b.c": 4, "b.c.d": 4, "b.c.d[0]": 4, "b.c.d[1]": 5, "b.c.d[1].e": 5, "b.c.d[2]": 5,
        "b.c.d[2][0]": 5, "b.c.d[2][1]": 6, "b.f g": 7, "b.i": 10, "b.i[0]": 10, "b.i[1]": 11, "b.i[1].j": 12,
    }  # fmt: skip
    assert toml_lines(text) == expected
    assert toml_lines(text.replace("\n", "\r\n")) == expected
    assert toml_lines("a = \n") == {}
    assert toml_lines("") == {}


@pytest.mark.parametrize("ahead", ["", "\ufeff"])
def test_a_study_is_told_from_its_beginning_on(iodyno_says: CommandLine, tmp_path: Path, ahead: str) -> None:
    file = tmp_path / "bad.toml"
    file.write_text(ahead + STUDY, "utf-8")
    said = iodyno_says("plan", file)
    assert said.code == 2
    places = [re.match(rf"{re.escape(str(file))}(:\d+)?: [\w.\[\]]+", line) for line in _told(said.err)]
    assert [place and place[0].removeprefix(str(file)) for place in places] == [
        ": title", ":5: measurement.cap_s", ":10: profile[0].read_share", ":19: profile[1].blocks[1]",
        ":23: sweep[0].profiles[1]", ":25: sweep[0].outstanding[2]",
    ]  # fmt: skip


def test_a_table_that_lacks_a_key_has_the_line_of_its_head(iodyno_says: CommandLine, tmp_path: Path) -> None:
    file = tmp_path / "bad.toml"
    lacking = STUDY.replace("random_share = 1\nread_share = 2\n", "")
    file.write_text(lacking, "utf-8")
    told = _told(iodyno_says("plan", file).err)
    assert f"{file}:7: profile[0].read_share: is missing" in told


def test_a_system_that_cannot_be_is_told_by_lines(
    iodyno_says: CommandLine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("mine.toml").write_text(SYSTEM, "utf-8")
    told = _told(iodyno_says("catalog", "check", "mine.toml").err)
    assert told[0].startswith("mine.toml:12: controller[0].logical[0].drive: Intel SSD DC P3700 800 GB has")
    assert told[1].startswith("mine.toml:13: controller[0].logical[0].count: RAID 5 needs at least 3 drives")


def test_what_cannot_be_on_targets_is_told_by_lines_of_the_study(
    iodyno_says: CommandLine, tmp_path: Path
) -> None:
    file = tmp_path / "plan.toml"
    file.write_text(
        'schema = 1\nname = "plan"\ntitle = "Plan"\n[measurement]\nverify = true\n[[profile]]\nname = "own"\n'
        'random_share = 1\nread_share = 0\nblocks = "1000"\n[[sweep]]\nname = "first"\n'
        'profiles = ["database"]\noutstanding = 1\n[[sweep]]\nname = "one"\n'
        'profiles = ["own"]\noutstanding = [1, 2]\ntargets = [2]\n',
        "utf-8",
    )
    told = _told(iodyno_says("simulate", file, "--on", "p3700", "--plan").err)
    assert [re.sub(": (a|virtual|names) .*", "", line.removeprefix(str(file))) for line in told] == [
        ":5: measurement.verify", ":17: sweep one.profiles.own", ":19: sweep one.targets",
    ]  # fmt: skip
    told = _told(iodyno_says("simulate", file, "--on", "p3700", "--plan", "--targets", "3").err)
    assert sum(line.startswith("--targets: ") for line in told) == 1
    assert not any(line.startswith(f"{file}:19:") for line in told)


def test_what_is_wrong_with_a_configuration_has_the_line_of_what_it_says(
    iodyno_says: CommandLine, tmp_path: Path
) -> None:
    file = tmp_path / "on.toml"
    file.write_text(
        'schema = 1\nname = "on"\ntitle = "On"\n'
        '[[sweep]]\nname = "s"\nprofiles = ["database"]\noutstanding = 1\n'
        '[[configuration]]\nname = "a"\nsystem = "nope"\n'
        '[[configuration]]\nname = "b"\nsystem = "raid-controllers"\nchanges = { level = "7" }\n'
        '[[configuration]]\nname = "c"\nsystem = "raid-controllers"\nchanges.level = "7"\n'
        '[[configuration]]\nname = "d"\nsystem = "p3700"\n[configuration.changes]\ncountt = 7\n'
        '[[configuration]]\nname = "e-{nr}"\nsystem = "p3700"\n'
        'each = { nr = [1, 2] }\nchanges.strip = "1k"\n'
        '[[configuration]]\nname = "f-{nr}"\nsystem = "p3700"\n'
        'each = { nr = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12] }\nchanges.drive = "none"\n',
        "utf-8",
    )
    for command in ("simulate", "plan"):
        told = [line.removeprefix(str(file)) for line in _told(iodyno_says(command, file).err)]
        places = [re.match(r"(:\d+: )?[^:]+: [\w.\[\]]+", line) for line in told]
        assert [place and place[0] for place in places] == [
            ":10: a: system", ":14: b, c: controller[0].logical[0].level", ":23: d: countt",
            ":28: e-1, e-2: drives[0].strip",
            ":33: f-1, f-2, f-3, f-4, f-5, f-6, f-7, f-8 and 4 more: drives[0].drive",
        ]  # fmt: skip


@pytest.mark.parametrize(
    "sweep", ["sweep = 5", "sweep = [1, 2]", "sweep = {}", "[sweep.name]", "[[sweep]]\nname = 3"]
)
def test_whatever_stands_for_sweeps_is_told(iodyno_says: CommandLine, tmp_path: Path, sweep: str) -> None:
    file = tmp_path / "bad.toml"
    file.write_text(f'schema = 1\nname = "a"\ntitle = "A"\n{sweep}\n', "utf-8")
    said = iodyno_says("plan", file)
    assert said.code == 2
    assert f"{file}:4: sweep" in said.err


def test_what_is_no_toml_has_line_and_column(iodyno_says: CommandLine, tmp_path: Path) -> None:
    file = tmp_path / "bad.toml"
    file.write_text("schema = 1\nname = = 2\n", "utf-8")
    assert _told(iodyno_says("plan", file).err) == [f"{file}:2:8: invalid value"]


def test_others_stay_as_they_are_and_where_they_are(tmp_path: Path) -> None:
    file = tmp_path / "a.toml"
    file.write_text("x = 1\ny = 2\n", "utf-8")
    problems = [
        Problem("--cap", "is below the floor", "take more"),
        Problem(f"{file}: y", "is wrong"),
        Problem("", "alone"),
        Problem(f"{file}: x", "is wrong", "mend it"),
        Problem(f"{file}", "cannot be read"),
        Problem("--cap", "twice"),
        Problem("gone.toml: x", "is wrong"),
        Problem("a.fio:12: [job]", "is wrong"),
        Problem("--rate", "is wrong"),
        Problem("a.fio:3", "is wrong"),
        Problem("b.fio:1", "is wrong"),
    ]
    assert list(located(problems)) == [
        ("--cap: is below the floor", "take more"),
        (f"{file}: cannot be read", ""),
        (f"{file}:1: x: is wrong", "mend it"),
        (f"{file}:2: y: is wrong", ""),
        ("alone", ""),
        ("--cap: twice", ""),
        ("gone.toml: x: is wrong", ""),
        ("a.fio:3: is wrong", ""),
        ("a.fio:12: [job]: is wrong", ""),
        ("--rate: is wrong", ""),
        ("b.fio:1: is wrong", ""),
    ]


def test_a_pipe_is_not_read_again(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe.toml"
    os.mkfifo(pipe)
    assert list(located([Problem(f"{pipe}: x", "is wrong")])) == [(f"{pipe}: x: is wrong", "")]
