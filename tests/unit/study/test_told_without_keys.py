"""What stands in the place of a table is told by what begins it, and nothing that follows of it."""

from __future__ import annotations

from pathlib import Path

import pytest

from command_line import CommandLine

HEAD = 'name = "mine"\ntitle = "Mine"\n'
LEAST = '[[sweep]]\nname = "one"\nprofiles = ["database"]\noutstanding = 1\n'


def told(iodyno_says: CommandLine, file: Path, text: str, *command: str) -> list[tuple[str, str]]:
    """Give each error of a command about a file, without the file, and its hint."""
    file.write_text(text, "utf-8")
    said = iodyno_says(*command, file)
    assert (said.code, said.out) == (2, "")
    lines = said.err.replace(f"{file}:", "").splitlines()
    return [
        (line.removeprefix("error: ").partition(" ")[2], after.removeprefix("hint: "))
        for line, after in zip(lines, [*lines[1:], ""], strict=True)
        if line.startswith("error: ")
    ]


@pytest.mark.parametrize(
    ("wrong", "what", "hint"),
    [
        ("measurement = 3\n", "measurement: 3 is no table", "write [measurement] with its keys below it"),
        (
            "measurement = [1]\n",
            "measurement: a list is no table",
            "write [measurement] with its keys below it",
        ),
        ('profile = "mine"\n', 'profile: "mine" is no list', "write [[profile]]: there can be several"),
        ("profile = [3]\n", "profile[0]: 3 is no table", "write [[profile]] with its keys below it"),
    ],
)
def test_what_is_no_table_of_a_study_is_told_with_what_begins_one(
    iodyno_says: CommandLine, tmp_path: Path, wrong: str, what: str, hint: str
) -> None:
    assert told(iodyno_says, tmp_path / "mine.toml", HEAD + wrong + LEAST, "plan") == [(what, hint)]


def test_what_is_no_table_of_a_system_is_told_with_what_begins_one(
    iodyno_says: CommandLine, tmp_path: Path
) -> None:
    said = told(
        iodyno_says, tmp_path / "mine.toml", 'name = "mine"\nhost = "a"\ndrives = 5\n', "catalog", "check"
    )
    assert said == [
        ('host: "a" is no table', "write [host] with its keys below it"),
        ("drives: 5 is no list", "write [[drives]]: there can be several"),
    ]


def test_sweeps_that_nobody_can_read_are_not_said_to_be_for_virtual_systems(
    iodyno_says: CommandLine, tmp_path: Path
) -> None:
    said = told(iodyno_says, tmp_path / "mine.toml", f'{HEAD}sweep = ["a"]\n', "plan")
    assert said == [('sweep[0]: "a" is no table', "write [[sweep]] with its keys below it")]


def test_a_sweep_that_nobody_can_read_hides_nothing_of_others(
    iodyno_says: CommandLine, tmp_path: Path
) -> None:
    blocks = f"{LEAST}block_sizes = [1000]\n"
    said = told(iodyno_says, tmp_path / "mine.toml", f"{HEAD}{blocks}[[sweep]]\nname = 5\n", "plan")
    assert any("a block of 1000 is no multiple" in what for what, _ in said), said
