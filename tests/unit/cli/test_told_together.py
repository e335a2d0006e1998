"""What is wrong with a command line and with what it names is told in one answer."""

from __future__ import annotations

from pathlib import Path

import pytest

from command_line import Bench, CommandLine

STUDY = """
schema = 1
name = "two"
title = "Two"
[[configuration]]
name = "crowded"
system = "raid-controllers"
changes = { count = 300, level = "6" }
[[configuration]]
name = "absent"
system = "no-such.toml"
[[sweep]]
name = "loads"
profiles = ["database"]
outstanding = [1]
"""


def _errors(text: str) -> list[str]:
    return [line for line in text.splitlines() if line.startswith("error:")]


@pytest.mark.parametrize("more", ["", "colour = 'red'\n"])
def test_plan_tells_the_problems_of_systems_that_simulate_does(
    iodyno_says: CommandLine, tmp_path: Path, more: str
) -> None:
    study = tmp_path / "two.toml"
    study.write_text(more + STUDY, "utf-8")
    planned, simulated = iodyno_says("plan", study), iodyno_says("simulate", study, "--plan")
    assert planned.code == simulated.code == 2
    assert planned.err == simulated.err
    assert len(_errors(planned.err)) == (3 if more else 2)
    assert "300 drives" in planned.err
    assert "no-such.toml" in planned.err


def test_plan_tells_of_systems_and_of_targets_and_profiles_together(
    iodyno_says: CommandLine, tmp_path: Path
) -> None:
    study = tmp_path / "two.toml"
    study.write_text(STUDY, "utf-8")
    said = iodyno_says("plan", study, "--target", tmp_path / "no" / "way", "--profile", "databse")
    assert said.code == 2
    for part in ("300 drives", "no-such.toml", "databse", "no/way: is missing"):
        assert part in said.err


VOLUMES = """
schema = 1
name = "volumes"
title = "Volumes"
[[configuration]]
name = "apart"
system = "raid-single-drive"
changes = {{ count = {count} }}
[[sweep]]
name = "loads"
profiles = ["database"]
outstanding = [1, 8]
targets = "{targets}"
"""


@pytest.mark.parametrize("targets", ["together", "each"])
@pytest.mark.parametrize(
    ("area", "count", "what"),
    [
        ("10", 4, "the length of the area, 10 bytes on volume-1, volume-2, volume-3 and volume-4, is less"),
        ("2T", 2, "the area of 2T from 0 ends outside volume-1 and volume-2 (372.5 GiB)"),
    ],
)
def test_an_area_that_no_volume_has_is_told_once_for_all_volumes(
    iodyno_says: CommandLine, tmp_path: Path, targets: str, area: str, count: int, what: str
) -> None:
    study = tmp_path / "volumes.toml"
    study.write_text(VOLUMES.format(count=count, targets=targets), "utf-8")
    said = iodyno_says("simulate", study, "--plan", "--area", area)
    assert said.code == 2
    assert len(_errors(said.err)) == 1
    assert what in said.err


def test_what_several_targets_have_not_is_told_once_for_all_of_them(
    iodyno_says: CommandLine, tmp_path: Path
) -> None:
    files = [tmp_path / f"file-{number}" for number in range(11)]
    words = [word for file in files for word in ("--target", file)]
    choices = (
        "--profile",
        "database",
        "--size",
        "1M",
        "--area",
        "10",
        "--block-sizes",
        "1000",
        "--engine",
        "aio",
    )
    said = iodyno_says("plan", "quick", *words, *choices)
    assert said.code == 2
    too_small, no_sector = _errors(said.err)
    named = f"{', '.join(map(str, files[:8]))} and 3 more"
    assert f"10 bytes on {named}, is less than a block of 1000" in too_small
    assert "a block of 1000 is no multiple of the logical sector" in no_sector
    assert f"hint: direct I/O on {named} needs" in said.err


def test_targets_of_unlike_size_are_told_apart(iodyno_says: CommandLine, tmp_path: Path) -> None:
    for name, size in (("small", 64 << 10), ("large", 128 << 10)):
        (tmp_path / name).write_bytes(b"\x5a" * size)
    words = ("--target", tmp_path / "small", "--target", tmp_path / "large")
    said = iodyno_says("plan", "quick", *words, "--profile", "streaming", "--engine", "aio", "--area", "1M")
    assert said.code == 2
    small, large = _errors(said.err)
    assert f"ends outside {tmp_path / 'small'} (64k)" in small
    assert f"ends outside {tmp_path / 'large'} (128k)" in large


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (
            ("measure", "no/way/here", "--profile", "databse", "--size", "3Q", "--cap", "x", "-o", "a.doc"),
            ("'3Q' is no size", "'x' is no duration", 'no profile "databse"', "no/way/here: is missing",
             "a.doc: its format"),
        ),
        (("measure", ".", "--study", "quik", "--engine", "x"), ("'x' is not one of", "no study of this")),
        (("measure", ".", "--resume", "x", "--cap", "x", "-o", "a.doc"), ("no duration", "a.doc: its")),
        (("plan", "quick", "--sweep", "feld", "--seed", "x"), ("'x' is no whole number", 'no sweep "feld"')),
        (
            ("simulate", "quick", "--on", "p3701", "--profile", "databse", "--precision", "3x"),
            ("'3x' is no share", "p3701: there is no system", 'no profile "databse"'),
        ),
        (("simulate", "p3700", "--only", "zz", "--seed", "x"), ("whole number", 'no configuration "zz"')),
        (("simulate", "quik", "--on", "p3701", "--jobs", "x"), ("'x' is no whole number", "quik:", "p3701:")),
        (
            ("search", "no/way/here", "--profile", "databse", "--p99", "2", "--language", "fr"),
            ("'2' has no unit", 'no profile "databse"', "no paper in 'fr'", "no/way/here: is missing"),
        ),
        (("search", "--on", "p3701", "--profile", "database", "--p99", "x"), ("no duration", "p3701:")),
    ],
)  # fmt: skip
def test_what_is_named_is_told_beside_values_that_cannot_be_read(
    iodyno_says: CommandLine,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    words: tuple[str, ...],
    told: tuple[str, ...],
) -> None:
    """And nothing else: what depends on the values is not looked at."""
    monkeypatch.chdir(tmp_path)
    said = iodyno_says(*words)
    assert said.code == 2
    errors = _errors(said.err)
    assert len(errors) == len(told), said.err
    for part in told:
        assert part in said.err
    assert list(tmp_path.glob("*.data")) == []


def test_the_systems_of_a_study_are_told_beside_values_that_cannot_be_read(
    iodyno_says: CommandLine, tmp_path: Path
) -> None:
    study = tmp_path / "two.toml"
    study.write_text(STUDY, "utf-8")
    for command in ("plan", "simulate"):
        said = iodyno_says(command, study, "--seed", "x")
        assert len(_errors(said.err)) == 3
        assert "300 drives" in said.err


def test_what_depends_on_values_is_not_told_beside_those_that_cannot_be_read(
    iodyno_says: CommandLine, tmp_path: Path
) -> None:
    """The area is larger than any file of the study's size, and nobody knows which size was meant."""
    said = iodyno_says("plan", "quick", "--target", tmp_path, "--area", "900T", "--size", "900X")
    assert len(_errors(said.err)) == 1
    said = iodyno_says("simulate", "quick", "--on", "p3700", "--area", "900T", "--block-sizes", "x")
    assert len(_errors(said.err)) == 1


def test_job_file_and_system_that_are_wrong_are_told_together(
    iodyno_says: CommandLine, tmp_path: Path
) -> None:
    job = tmp_path / "a.fio"
    job.write_text("[a]\nrw=rndwrite\nsize=1m\nfilename=/a\n", "utf-8")
    said = iodyno_says("simulate", job, "--on", "p3701")
    assert said.code == 2
    assert len(_errors(said.err)) == 2
    assert "'rndwrite' is not one of" in said.err
    assert "p3701: there is no system of this name" in said.err


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (
            ("measure", "no/way/here", "--iodepth", "32", "--profile", "databse", "--cap", "x"),
            ("no option --iodepth", "'x' is no duration", 'no profile "databse"', "no/way/here: is missing"),
        ),
        (
            ("measure", ".", "--outsanding=3", "--wat", "-z", "-o", "a.doc"),
            ("no option --outsanding", "no option --wat", "no option -z", "a.doc: its format"),
        ),
        (  # of an option like none nobody knows whether it has a value: "quick" is it, or the study
            ("simulate", "--verbose", "quick", "--on", "p3701", "--profile", "databse"),
            ("no option --verbose", "p3701: there is no system", 'no profile "databse"'),
        ),
        (("simulate", "--verbose", "quik", "--on", "p3700"), ("no option --verbose",)),
        (("measure", ".", "--quik", "--cap"), ("no option --quik", "'--cap' requires an argument")),
        (("plan", "quick", "--cap", "5s", "--size", "3Q", "--cap"), ("an argument", "'3Q' is no size")),
        (("plan", "quik", "--json=yes"), ("'--json' does not take a value", "quik: there is no study")),
        (("catalog", "list", "--jsn", "--wat"), ("no option --jsn", "no option --wat")),
        (("compare", "--wat"), ("no option --wat", "missing argument")),
        (("compare", "--wat", "latest"), ("no option --wat",)),
    ],
)  # fmt: skip
def test_options_that_there_are_not_hide_nothing_else(
    iodyno_says: CommandLine,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    words: tuple[str, ...],
    told: tuple[str, ...],
) -> None:
    monkeypatch.chdir(tmp_path)
    said = iodyno_says(*words)
    assert (said.code, said.out) == (2, "")
    assert len(_errors(said.err)) == len(told), said.err
    for part in told:
        assert part in said.err
    assert said.err.count(" -h` shows what it takes") == 1


def test_what_each_option_that_there_is_not_was_meant_for_is_told(iodyno_says: CommandLine) -> None:
    said = iodyno_says("measure", ".", "--iodepth", "32", "--bs=4k")
    assert said.err.splitlines() == [
        "error: there is no option --iodepth",
        "hint: did you mean --outstanding?",
        "error: there is no option --bs",
        "hint: did you mean --block-sizes? `iodyno measure -h` shows what it takes",
    ]


@pytest.mark.parametrize("command", ["show", "report", "verify", "remove"])
def test_a_run_that_there_is_not_is_told_beside_an_option_that_there_is_not(
    iodyno_says: CommandLine, bench: Bench, command: str
) -> None:
    assert iodyno_says("simulate", "quick", "--on", "p3700", "--outstanding", "1").code == 0
    said = iodyno_says(command, "nope", "--wat")
    assert said.code == 2
    assert len(_errors(said.err)) == 2
    assert "nope: there is no such run" in said.err


def test_several_runs_of_a_paper_are_told_how_to_be_written(
    iodyno_says: CommandLine, bench: Bench, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for _ in range(2):
        assert iodyno_says("simulate", "quick", "--on", "p3700", "--outstanding", "1").code == 0
    said = iodyno_says("report", "latest~1", "latest", "nope", "-o", "a.doc")
    assert said.code == 2
    assert said.err.splitlines()[:2] == [
        "error: a paper is of one run, and 3 are given: latest~1, latest, nope",
        "hint: `iodyno report latest~1 --beside latest --beside nope` compares them in the first's paper",
    ]
    assert "a.doc: its format" in said.err
    assert "nope: there is no such run" in said.err
    assert len(_errors(said.err)) == 3
    assert [file.name for file in tmp_path.iterdir()] == ["runs.db"]


def test_a_paper_of_a_run_beside_itself_says_so(
    iodyno_says: CommandLine, bench: Bench, tmp_path: Path
) -> None:
    """As a comparison does."""
    for _ in range(2):
        assert iodyno_says("simulate", "quick", "--on", "p3700", "--outstanding", "1").code == 0
    said = iodyno_says("report", "latest", "--beside", "latest", "-o", tmp_path / "a.html")
    note = iodyno_says("compare", "latest", "latest").err
    assert note.startswith("note: run ")
    assert (said.code, said.err) == (0, note)
    assert iodyno_says("report", "--beside", "latest~1", "-o", tmp_path / "a.html").err == ""


def test_what_options_give_to_all_loads_is_told_by_their_names(iodyno_says: CommandLine) -> None:
    """It was told at every load of every sweep, which the user had not written."""
    for words in (("simulate", "quick", "--on", "p3700"), ("plan", "quick")):
        said = iodyno_says(*words, "--area", "50%@60%", "--block-sizes", "1000")
        assert said.code == 2
        area, block = _errors(said.err)
        assert area.startswith("error: --area: the area of ")
        assert block.startswith("error: --block-sizes: a block of 1000 is no multiple")


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("catalog", "show", "a", "b"), "hint: it takes one NAME."),
        (("profiles", "database", "restore"), "hint: it takes one NAME."),
        (("predict", "quick"), "hint: did you mean simulate --analytic?"),
        (("measure", ""), 'error: "": is an empty path'),
    ],
)
def test_hints_say_what_there_is(iodyno_says: CommandLine, words: tuple[str, ...], told: str) -> None:
    said = iodyno_says(*words)
    assert said.code == 2
    assert told in said.err
