"""A profile that no sweep has joins the first one that runs; what only others have is told."""

from __future__ import annotations

from pathlib import Path

import pytest

from command_line import CommandLine
from iodyno.errors import ProfileError
from iodyno.plan import Plan
from iodyno.study import Overrides, parse_study, plan_simulation, plan_study
from iodyno.targets import Target
from virtual_systems import virtual_system

STUDY = """
schema = 1
name = "two"
title = "Two"
[[configuration]]
name = "one"
system = "made-up"
[[configuration]]
name = "other"
system = "made-up"
[[sweep]]
name = "first"
profiles = ["database", "file-copy"]
configurations = "one"
outstanding = [1, 2]
real = false
[[sweep]]
name = "second"
profiles = ["streaming"]
configurations = "other"
outstanding = 7
"""


def real(*profiles: str, sweeps: tuple[str, ...] = ()) -> Plan:
    target = Target.model_validate({"path": "/a", "asked": "/a", "kind": "file", "size_bytes": 1 << 30})
    return plan_study(parse_study(STUDY), [target], Overrides(profiles=profiles, sweeps=sweeps))


def virtual(*profiles: str, on: str) -> Plan:
    return plan_simulation(parse_study(STUDY), {on: virtual_system()}, Overrides(profiles=profiles))


def points(plan: Plan) -> list[tuple[str, str, int]]:
    return [(point.sweep, point.profile.name, point.outstanding) for point in plan.points]


def test_of_real_targets_it_joins_the_first_sweep_for_them() -> None:
    assert points(real("restore")) == [("second", "restore", 7)]
    both = [("second", "streaming", 7), ("second", "restore", 7)]
    assert points(real("restore", "streaming")) == both


def test_it_joins_the_first_sweep_on_the_chosen_configurations() -> None:
    assert points(virtual("restore", on="other")) == [("second", "restore", 7)]
    both = [("second", "streaming", 7), ("second", "restore", 7)]
    assert points(virtual("restore", "streaming", on="other")) == both
    assert points(virtual("restore", on="one")) == [("first", "restore", 1), ("first", "restore", 2)]


@pytest.mark.parametrize("more", [(), ("streaming",), ("restore",)])
def test_what_only_sweeps_have_that_do_not_run_is_told(more: tuple[str, ...]) -> None:
    with pytest.raises(ProfileError) as refused:
        virtual("database", *more, on="other")
    (problem,) = refused.value.problems
    assert problem.where == "--profile"
    assert problem.what == "no sweep on the configurations that were chosen has database"
    assert problem.hint.startswith("they have streaming; ")
    with pytest.raises(ProfileError) as refused:
        real("database", *more)
    (problem,) = refused.value.problems
    assert str(problem).startswith("--profile: no sweep for real targets has database")
    assert "they have streaming; `iodyno simulate two`" in problem.hint


def test_that_no_sweep_is_for_real_targets_is_said_where_it_is_so() -> None:
    with pytest.raises(ProfileError, match="two: no sweep that was chosen is for real targets"):
        real("restore", sweeps=("first",))
    with pytest.raises(ProfileError, match="no sweep that was chosen is for real targets"):
        real(sweeps=("first",))


def test_commands_plan_what_joins(iodyno_says: CommandLine, tmp_path: Path) -> None:
    study = tmp_path / "two.toml"
    study.write_text(STUDY.replace("made-up", "p3700"))
    said = iodyno_says("plan", study, "--profile", "restore", "--json")
    assert said.code == 0, said.err
    assert points(Plan.model_validate_json(said.out)) == [("second", "restore", 7)]
    said = iodyno_says("plan", study, "--profile", "restore", "--target", tmp_path, "--size", "1G", "--json")
    assert said.code == 0, said.err
    said = iodyno_says("simulate", "p3700", "--only", "raid0-of-4", "--plan", "--json",
                       "--profile", "database", "--profile", "sequential-read-256k")  # fmt: skip
    assert said.code == 0, said.err
    names = {point.profile.name for point in Plan.model_validate_json(said.out).points}
    assert names == {"database", "sequential-read-256k"}
