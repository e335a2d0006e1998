"""Everything wrong with what the command line chooses, at once and in its own words."""

from __future__ import annotations

from pathlib import Path

import pytest

from command_line import CommandLine, Said
from iodyno.catalog.tree import system_text

NO_PROFILE = '--profile: there is no profile "nosuch"'
NO_SYSTEM = "nosuch: there is no system of this name"


def errors(said: Said) -> list[str]:
    assert said.code == 2
    return [line.removeprefix("error: ") for line in said.err.splitlines() if line.startswith("error: ")]


def test_a_simulation_tells_of_paper_configuration_system_sweep_and_profile(iodyno_says: CommandLine) -> None:
    """It told of the first two, and named a system that there is not among those known."""
    said = iodyno_says(
        "simulate", "quick", "--on", "nosuch", "--profile", "nosuch", "--sweep", "nosuch", "-o", "x.txt",
        "--only", "foo",
    )  # fmt: skip
    assert errors(said) == [
        "x.txt: its format is not known",
        '--only: there is no configuration "foo"',
        NO_SYSTEM,
        '--sweep: quick has no sweep "nosuch"',
        NO_PROFILE,
    ]
    assert "known configurations: nosuch" not in said.err
    assert "leave --only out: --on says what is simulated" in said.err


def test_a_configuration_that_there_is_not_hides_nothing_else(iodyno_says: CommandLine) -> None:
    only = ("--only", "nosuch", "--only", "single-800g")
    said = iodyno_says("simulate", "p3700", *only, "--profile", "nosuch")
    assert errors(said) == ['--only: there is no configuration "nosuch"', NO_PROFILE]
    assert "known configurations: single-800g" in said.err


def test_a_search_tells_of_profile_and_system(iodyno_says: CommandLine) -> None:
    said = iodyno_says("search", "--on", "nosuch", "--profile", "nosuch", "--p99", "2ms")
    assert errors(said) == [NO_PROFILE, NO_SYSTEM]
    assert "sweep[0]" not in said.err
    more = ("--cold-cache", "--verify", "--buffered", "-o", "x.txt")
    said = iodyno_says("search", "--on", "nosuch", "--profile", "nosuch", "--p99", "2ms", *more)
    assert errors(said) == [
        "--verify, --buffered, --cold-cache: of real targets only, and --on names virtual ones",
        NO_PROFILE,
        "x.txt: its format is not known",
        NO_SYSTEM,
    ]


def test_a_profile_that_is_known_beside_one_that_is_not_says_what_it_cannot_be(
    iodyno_says: CommandLine,
) -> None:
    names = ("--profile", "database", "--profile", "nosuch")
    said = iodyno_says("search", "--on", "p3700", *names, "--p99", "2ms", "--area", "4k")
    assert errors(said)[0] == NO_PROFILE
    assert errors(said)[1].startswith("database: a block of 8k is larger than the area of 4k")


def test_options_are_told_by_their_names(iodyno_says: CommandLine, tmp_path: Path) -> None:
    """Of a study that is a file the keys are told, and of what an option changes the option."""
    options = (
        "--iopoll",
        "--engine",
        "sync",
        "--targets-per-worker",
        "2",
        "--pinning",
        "4000",
        "--cold-cache",
    )
    said = iodyno_says("measure", "--quick", tmp_path, "--size", "64M", *options)
    wheres = [line.partition(":")[0] for line in errors(said)]
    assert set(wheres) == {"--cold-cache", "--iopoll", "--pinning", "--targets-per-worker"}
    assert "measurement." not in said.err
    assert "hint: add --buffered, or leave it out" in said.err
    assert "hint: choose --engine io_uring, or leave --iopoll out" in said.err


@pytest.mark.parametrize(
    "command", [("plan", "quick"), ("simulate", "quick", "--on", "p3700"), ("search", "--on", "p3700")]
)
def test_numbers_of_targets_are_those_of_the_option(
    iodyno_says: CommandLine, command: tuple[str, ...]
) -> None:
    more = ("--profile", "database", "--p99", "2ms") if command[0] == "search" else ()
    assert errors(iodyno_says(*command, *more, "--targets", "3")) == [
        "--targets: names target 3, and there is 1 target"
    ]


def test_keys_of_a_file_keep_their_names(iodyno_says: CommandLine, tmp_path: Path) -> None:
    """Where the file says it, and no option does."""
    path = tmp_path / "own.toml"
    path.write_text(
        'schema = 1\nname = "own"\ntitle = "Own"\n[measurement]\ncold_cache = true\n'
        '[[sweep]]\nname = "field"\nprofiles = ["database"]\noutstanding = [1]\nworkers = 1\n'
    )
    found = errors(iodyno_says("simulate", path, "--on", "p3700"))
    assert any(line.startswith(f"{path}:5: measurement.cold_cache: ") for line in found)


def test_a_sweep_without_configurations_gives_no_empty_hint(iodyno_says: CommandLine, tmp_path: Path) -> None:
    path = tmp_path / "own.toml"
    path.write_text(
        'schema = 1\nname = "own"\ntitle = "Own"\n[[configuration]]\nname = "a"\nsystem = "p3700"\n'
        '[[sweep]]\nname = "field"\nprofiles = ["database"]\noutstanding = [1]\nworkers = 1\n'
        'configurations = ["b"]\n[sweep.chart]\n[[sweep.chart.compare]]\nof = ["a"]\nto = "a"\n'
    )
    said = iodyno_says("simulate", path)
    assert 'there is no configuration "b"' in said.err
    assert "configurations: \n" not in said.err
    assert not said.err.rstrip().endswith("configurations:")


def test_a_profile_sweep_or_pattern_that_is_named_twice_is_told(
    iodyno_says: CommandLine, tmp_path: Path
) -> None:
    """It counted once, without a word: one of the two may be mistyped."""
    profiles = ("--profile", "database", "--profile", "restore", "--profile", "database")
    database, field = "--profile: database is named twice", "--sweep: field is named 3 times"
    sweeps = ("--sweep", "field") * 3
    for command in (("simulate", "quick", "--on", "p3700"), ("plan", "quick")):
        said = iodyno_says(*command, *profiles, *(() if command[0] == "plan" else ("--plan",)))
        assert (errors(said), said.out) == ([database], "")
        assert said.err.endswith("hint: name each profile once\n")
    said = iodyno_says("measure", tmp_path, "--quick", *profiles, *sweeps, "--plan")
    assert errors(said) == [field, database]
    assert "hint: name each sweep once" in said.err
    said = iodyno_says("measure", tmp_path, "--quick", *profiles, "--cap", "soon")
    assert errors(said)[1:] == [database]
    assert errors(iodyno_says("search", "--on", "p3700", *profiles, "--p99", "2ms")) == [database]
    only = ("--only", "single-*", "--only", "single-*")
    for more in ((), ("--precision", "much")):
        said = iodyno_says("simulate", "p3700", *only, "--plan", *more)
        assert "--only: single-* is named twice" in errors(said)
    missing = ("--profile", "nosuch", "--profile", "nosuch")
    said = iodyno_says("simulate", "quick", "--on", "p3700", *missing)
    assert errors(said) == ["--profile: nosuch is named twice", NO_PROFILE]


def test_a_file_that_is_there_is_told_where_its_name_lacks_its_ending_or_is_mistyped(
    iodyno_says: CommandLine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Who names `array` beside array.toml was told the systems of the catalogue alone."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "lab").mkdir()
    for name in ("array.toml", "lab/array.toml"):
        Path(name).write_text(system_text("p3700"), "utf-8")
    Path("nights.toml").write_text("", "utf-8")
    for command in (("catalog", "check"), ("simulate", "quick", "--plan", "--on")):
        assert "hint: give array.toml, or a name; known systems: " in iodyno_says(*command, "array").err
        assert "hint: give lab/array.toml, or a name; known" in iodyno_says(*command, "lab/array").err
        assert "hint: did you mean aray.toml" not in iodyno_says(*command, "aray.toml").err
        assert "hint: did you mean array.toml? `iodyno catalog list" in iodyno_says(*command, "aray.toml").err
        assert "hint: known systems: " in iodyno_says(*command, "disks").err
    assert "hint: give nights.toml, or a name; known studies: " in iodyno_says("plan", "nights").err
    assert "hint: did you mean nights.toml? Shipped studies: " in iodyno_says("plan", "nigths.toml").err
    assert "hint: shipped studies: " in iodyno_says("plan", "days.toml").err
