"""What somebody stumbles over who uses the command line for the first time."""

from __future__ import annotations

from pathlib import Path

import click
import pytest

from command_line import Bench, CommandLine
from factories import make_run
from iodyno.cli.commands import COMMANDS, iodyno
from iodyno.cli.meant import ELSEWHERE
from iodyno.store import Store
from iodyno.study.model import OPEN_LOOP_OUTSTANDING


def _errors(text: str) -> list[str]:
    return [line for line in text.splitlines() if line.startswith("error:")]


@pytest.mark.parametrize(
    ("words", "meant"),
    [
        (("measure", ".", "--bs", "4k"), "--block-sizes"),
        (("measure", ".", "--iodepth=32"), "--outstanding"),
        (("simulate", "--ramp_time", "2"), "--warmup-ios"),
        (("simulate", "--cap", "2"), "--cap-ios"),
        (("measure", ".", "--ramp_time", "2"), "--warmup"),
        (("measure", ".", "--outsanding", "3"), "--outstanding"),
        (("catalog", "list", "--jsn"), "--json"),
        (("remove", "--force", "latest"), "--yes"),
    ],
)  # fmt: skip
def test_of_an_option_that_there_is_not_the_one_that_was_meant_is_told(
    iodyno_says: CommandLine, words: tuple[str, ...], meant: str
) -> None:
    """Mistyped, or as fio calls it; and no other."""
    said = iodyno_says(*words)
    assert said.code == 2
    written = next(word for word in words if word.startswith("--")).partition("=")[0]
    assert said.err.startswith(f"error: there is no option {written}\nhint: did you mean {meant}? `iodyno ")


@pytest.mark.parametrize(
    "words", [("measure", ".", "--verbose"), ("runs", "--limit"), ("search", "--rates", "5")]
)
def test_of_an_option_that_is_like_none_nothing_is_guessed(
    iodyno_says: CommandLine, words: tuple[str, ...]
) -> None:
    said = iodyno_says(*words)
    assert said.code == 2
    assert "did you mean" not in said.err
    assert f"hint: `iodyno {words[0]} -h` shows" in said.err


def test_what_other_tools_call_options_is_an_option_of_some_command() -> None:
    context = click.Context(iodyno)
    commands = [found for name in COMMANDS if (found := iodyno.get_command(context, name))]
    options = {name for command in commands for one in command.params for name in one.opts}
    assert set(ELSEWHERE.values()) <= options


def test_a_dash_is_no_target(
    iodyno_says: CommandLine, bench: Bench, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """To others it is the standard input: a file of that name would be made and filled."""
    monkeypatch.chdir(tmp_path)
    said = iodyno_says("measure", "-", "--quick")
    assert said.code == 2
    assert said.err.startswith("error: -: names no target\nhint: name a folder, a file or a device")
    assert not bench.filled


@pytest.mark.parametrize(
    ("words", "path"),
    [
        (("measure", "--study"), "iodyno measure"),
        (("--store", "x", "measure"), "iodyno"),
        (("catalog", "fit", "x", "--run"), "iodyno catalog fit"),
        (("catalog", "show", "--toml", "--nonsense"), "iodyno catalog show"),
        (("compare", "--fail-if-slower"), "iodyno compare"),
    ],
)
def test_an_option_without_its_value_is_told_with_the_help_of_its_command(
    iodyno_says: CommandLine, words: tuple[str, ...], path: str
) -> None:
    said = iodyno_says(*words)
    assert said.code == 2
    assert said.err.splitlines()[-1].endswith(f"`{path} -h` shows what it takes")


def test_runs_that_there_are_not_are_told_beside_values_that_cannot_be_read(
    iodyno_says: CommandLine, tmp_path: Path
) -> None:
    with Store.open() as store:
        store.create_run(make_run())
    said = iodyno_says("compare", "latest", "one", "two", "--fail-if-slower", "x")
    assert [line.split(": ", 1)[1][:5] for line in _errors(said.err)] == ["inval", "one: ", "two: "]
    said = iodyno_says("export", "one", "-f", "xml", "-o", tmp_path / "no" / "run.csv")
    assert len(_errors(said.err)) == 3
    assert "the folder" in said.err


def test_file_and_run_of_an_export_are_told_together(iodyno_says: CommandLine, tmp_path: Path) -> None:
    with Store.open() as store:
        store.create_run(make_run())
    said = iodyno_says("export", "one", "-o", tmp_path / "no" / "run.csv")
    assert said.code == 2
    assert len(_errors(said.err)) == 2
    assert "the folder" in said.err
    assert "one: there is no such run" in said.err


def test_part_and_run_of_a_fit_are_told_together(iodyno_says: CommandLine) -> None:
    with Store.open() as store:
        store.create_run(make_run())
    said = iodyno_says("catalog", "fit", "no-drive", "--run", "one")
    assert said.code == 2
    assert len(_errors(said.err)) == 2
    assert "no-drive: there is no part" in said.err
    assert "one: there is no such run" in said.err


@pytest.mark.parametrize("command", [("export",), ("report",), ("measure", "."), ("simulate", "p3700")])
def test_an_empty_name_of_a_file_is_none(iodyno_says: CommandLine, command: tuple[str, ...]) -> None:
    """Such as that of a variable that was not set."""
    said = iodyno_says(*command, "-o", "")
    assert said.code == 2
    assert _errors(said.err)[0].endswith("an empty text names nothing")


def test_a_folder_is_told_as_that_alone(iodyno_says: CommandLine, tmp_path: Path) -> None:
    said = iodyno_says("report", "-o", tmp_path)
    assert f"error: {tmp_path}: is a folder\nhint: name a file in it" in said.err
    assert "format" not in said.err


def test_shells_are_told_in_one_line(iodyno_says: CommandLine) -> None:
    said = iodyno_says("completion")
    assert said.err.splitlines()[0] == "error: missing argument 'SHELL'. Choose from: bash, zsh, fish"


def test_the_version_has_a_short_name(iodyno_says: CommandLine) -> None:
    assert iodyno_says("-V").out == iodyno_says("--version").out != ""


def test_a_search_says_what_its_options_are_of(iodyno_says: CommandLine) -> None:
    said = " ".join(iodyno_says("search", "-h").out.split())
    assert "--profile NAME Load profile to search with, needed;" in said
    assert "--outstanding LIST Most outstanding I/Os per target and worker of the open loop" in said
    assert f"[default: {OPEN_LOOP_OUTSTANDING[0]}]" in said


@pytest.mark.parametrize("command", ["fits", "fit"])
def test_where_a_part_is_asked_for_no_system_is_what_was_meant(
    iodyno_says: CommandLine, command: str
) -> None:
    """It would be refused in turn: p3700 is a system."""
    said = iodyno_says("catalog", command, "p370")
    assert said.code == 2
    assert "did you mean intel-p3700" in said.err
    assert "mean p3700" not in said.err
    assert "did you mean p3700?" in iodyno_says("catalog", "check", "p370").err


@pytest.mark.parametrize(
    ("words", "error", "hint"),
    [
        (("simulate", "raid-onboard"), "raid-onboard: is a system, no study",
         "`iodyno simulate --on raid-onboard` runs a study on it"),
        (("plan", "Raid-Onboard"), "Raid-Onboard: is a system, no study",
         "`iodyno simulate --on raid-onboard` runs a study on it"),
        (("studies", "intel-p3700-800"), "intel-p3700-800: is a part, no study",
         "`iodyno catalog show intel-p3700-800` describes it"),
        (("measure", ".", "--study", "database"), "database: is a load profile, no study",
         "leave it out and add --profile database"),
        (("simulate", "quick", "--on", "quick"), "quick: is a study, no system",
         "`iodyno simulate quick` runs it"),
    ],
)  # fmt: skip
def test_a_name_of_something_else_is_told_as_what_it_is(
    iodyno_says: CommandLine, words: tuple[str, ...], error: str, hint: str
) -> None:
    """A system of `iodyno catalog list` was no study of this name, and nothing said how it runs."""
    said = iodyno_says(*words)
    assert (said.code, said.out) == (2, "")
    assert f"error: {error}\nhint: {hint}\n" in said.err


@pytest.mark.parametrize("written", ["-v", "-H"])
def test_a_letter_of_the_other_case_is_known(iodyno_says: CommandLine, written: str) -> None:
    meant = written.swapcase()
    assert f"there is no option {written}\nhint: did you mean {meant}?" in iodyno_says(written).err


@pytest.mark.parametrize(
    ("words", "hint"),
    [
        (("plan", "quick", "--profile", "database,streaming"), "name each by itself: database and streaming"),
        (("simulate", "quick", "--on", "p3700, raid-onboard"), "name each by itself: p3700 and raid-onboard"),
    ],
)
def test_names_in_a_list_where_each_has_an_option_of_its_own(
    iodyno_says: CommandLine, words: tuple[str, ...], hint: str
) -> None:
    """`--outstanding 1,8` is a list; `--profile database,streaming` was told to be a mistyped streaming."""
    said = iodyno_says(*words)
    assert said.code == 2
    assert f"hint: {hint}" in said.err
