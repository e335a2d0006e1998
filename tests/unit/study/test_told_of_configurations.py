"""Configurations that cannot be read: their systems, and sweeps on these, are judged in the same answer."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from command_line import CommandLine

CONFIGURATION = '[[configuration]]\nname = "one"\nsystem = "p3700"\n'
SWEEP = '[[sweep]]\nname = "s"\nprofiles = ["database"]\nblock_sizes = [1000]\noutstanding = 4\n'


def told(iodyno_says: CommandLine, tmp_path: Path, configuration: str) -> list[str]:
    """Give the keys and first words of all that is wrong with a study of this configuration, in order."""
    study = tmp_path / "mine.toml"
    study.write_text(f'name = "mine"\ntitle = "Mine"\n{configuration}{SWEEP}', "utf-8")
    said = iodyno_says("simulate", study, "--plan")
    assert (said.code, said.out) == (2, "")
    errors = [line.split("mine.toml:")[-1] for line in said.err.splitlines() if line.startswith("error: ")]
    return [re.sub(r"^\d+: ", "", error) for error in errors]


@pytest.mark.parametrize(
    ("written", "instead", "wrong"),
    [
        ('name = "one"', 'name = "one"\ncolour = "red"', "configuration[0].colour: is no key of this table"),
        ('name = "one"', 'name = "one"\ntitle = 5', "configuration[0].title: 5 is no text in quotes"),
        ('name = "one"', 'name = "One of them"', 'configuration[0].name: "One of them" is no short name'),
        ('name = "one"\n', "", "configuration[0].name: is missing"),
    ],
)
def test_the_sweeps_are_judged_on_a_configuration_with_something_wrong_beside_its_system(
    iodyno_says: CommandLine, tmp_path: Path, written: str, instead: str, wrong: str
) -> None:
    said = told(iodyno_says, tmp_path, CONFIGURATION.replace(written, instead))
    (first, second) = said
    assert first.startswith(wrong)
    assert second.startswith("sweep s.profiles.database: a block of 1000 is no multiple"), said


@pytest.mark.parametrize("name", ['name = "one"', 'name = "One"'])
def test_the_system_of_a_configuration_is_judged_beside_its_other_keys(
    iodyno_says: CommandLine, tmp_path: Path, name: str
) -> None:
    system = CONFIGURATION.replace('name = "one"', f"{name}\ncolour = 1")
    said = told(iodyno_says, tmp_path, f'{system}[configuration.changes]\ndrive = "none-such"\n')
    called = "one" if "one" in name else "configuration[0]"
    assert f'{called}: drives[0].drive: there is no part "none-such"' in said, said
    assert any(error.startswith("configuration[0].colour: is no key") for error in said), said


@pytest.mark.parametrize(
    "wrong",
    ['change = { drive = "intel-p3700-1600" }', "count = 2", 'area = "five"', "changes = 5", 'volume = "x"'],
)
def test_a_system_that_nobody_knows_is_not_judged(
    iodyno_says: CommandLine, tmp_path: Path, wrong: str
) -> None:
    """A key that was meant to change the system, or what is accessed of it, leaves open what it would be."""
    (said,) = told(iodyno_says, tmp_path, f"{CONFIGURATION}{wrong}\n")
    assert said.startswith(f"configuration[0].{wrong.split()[0]}"), said


@pytest.mark.parametrize(
    ("key", "hinted"), [("count", True), ("level", True), ("title", False), ("colour", False)]
)
def test_a_key_of_the_system_is_told_to_be_a_change(
    iodyno_says: CommandLine, tmp_path: Path, key: str, hinted: bool
) -> None:
    study = tmp_path / "mine.toml"
    study.write_text(f'name = "mine"\ntitle = "Mine"\n{CONFIGURATION}{key} = 5\n{SWEEP}', "utf-8")
    said = iodyno_says("simulate", study, "--plan")
    hint = f"hint: what differs from the system goes into changes = {{ {key} = … }}"
    assert (said.code, hint in said.err) == (2, hinted), said.err
