"""What is wrong with a command line and with what it names is told in one answer."""

from __future__ import annotations

from pathlib import Path

import pytest

from command_line import CommandLine

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
