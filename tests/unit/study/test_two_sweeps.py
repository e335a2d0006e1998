"""A sweep that is set against another one: what is wrong with that is told, and what is left of it kept."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from command_line import CommandLine
from iodyno.errors import ProfileError
from iodyno.study import Overrides, load_study, on_systems, parse_study, plan_simulation
from iodyno.study.load import as_file, study_of_document
from iodyno.virtual import VirtualSystem
from two_sweeps import OF_ALONE, STUDY, planned
from virtual_systems import virtual_system

HERE = 'has nothing to set against "alone": '


def refused(text: str) -> list[tuple[str, str, str]]:
    with pytest.raises(ProfileError) as caught:
        planned(text, "/a", "/b")
    return [(problem.where, problem.what, problem.hint) for problem in caught.value.problems]


@pytest.mark.parametrize(
    ("alone", "what", "hint"),
    [
        ("outstanding = [2, 4]", "no load is in both",
         'outstanding I/Os in all are 2, 16 in this sweep, and 4, 8 in "alone"'),
        ("rate_io_s = [100, 200]", '"alone" asks for rates, and this sweep keeps I/Os outstanding',
         "give both the same rates, or the same outstanding"),
        ("outstanding = [1, 8]\nworkers = 2", "they differ in workers", "write the same workers in both"),
        ('outstanding = [1, 8]\ntargets = [1]', "they differ in targets", "write the same targets in both"),
        ('outstanding = [1, 8]\ntargets = "each"\nengine = "sync"', "they differ in targets and engine",
         "write the same targets and engine in both"),
    ],
)  # fmt: skip
def test_sweeps_without_a_point_in_common_are_refused(alone: str, what: str, hint: str) -> None:
    found = refused(STUDY.replace(OF_ALONE, alone, 1))
    assert found == [("sweep beside.chart.compare[0].to_sweep", HERE + what, hint)]


def test_a_load_profile_is_in_both() -> None:
    found = refused(STUDY.replace('profiles = "database"', 'profiles = ["restore", "file-copy"]', 1))
    hint = 'this sweep loads database, and "alone" restore, file-copy'
    assert found == [("sweep beside.chart.compare[0].to_sweep", f"{HERE}no load profile is in both", hint)]


def test_rates_that_follow_from_readings_are_no_rates_to_compare_at() -> None:
    rates = STUDY.replace(OF_ALONE, 'rate_share = ["20%"]', 1).replace(OF_ALONE, "rate_io_s = 100")
    ((_, what, hint),) = refused(rates)
    assert what == f"{HERE}its rates follow from what the target can serve"
    assert hint == "give both sweeps the same rates as rate_io_s"


def test_a_range_has_a_load_of_both() -> None:
    wider = STUDY.replace(OF_ALONE, "outstanding = [8, 32]", 1)
    found = refused(wider + 'loads = ["16-16", "1-4"]\n')
    what = 'the sweep has no load in "1-4" in common with "alone"'
    hint = "outstanding I/Os in all that both have are 16"
    assert found == [("sweep beside.chart.compare[0].loads", what, hint)]


def test_such_a_range_is_told_once_of_virtual_systems_too() -> None:
    with pytest.raises(ProfileError) as caught:
        plan_simulation(parse_study(f'{STUDY}loads = "64-128"\n{CONFIGURATIONS}'), systems())
    (problem,) = caught.value.problems
    assert problem.what == 'the sweep has no load in "64-128" in common with "alone"'
    assert problem.hint == "outstanding I/Os in all that both have are 1, 8"


@pytest.mark.parametrize(
    ("name", "what"), [("alon", 'there is no sweep "alon"'), ("beside", '"beside" is this sweep itself')]
)
def test_there_is_another_sweep_of_that_name(name: str, what: str) -> None:
    with pytest.raises(ProfileError) as caught:
        parse_study(STUDY.replace('to_sweep = "alone"', f'to_sweep = "{name}"'))
    (problem,) = caught.value.problems
    assert (problem.where, problem.what) == ("study: sweep[1].chart.compare[0].to_sweep", what)


def test_what_is_wrong_is_told_with_its_line(iodyno_says: CommandLine, tmp_path: Path) -> None:
    file = tmp_path / "backup.toml"
    file.write_text(STUDY.replace(OF_ALONE, "outstanding = [2, 4]", 1), encoding="utf-8")
    told = iodyno_says("plan", file)
    assert told.code == 2
    said = " ".join(told.err.split())
    line = 1 + STUDY.splitlines().index('to_sweep = "alone"')
    assert f"error: {file}:{line}: sweep beside.chart.compare[0].to_sweep: {HERE}no load is in both" in said
    assert "hint: outstanding I/Os in all are 1, 8 in this sweep, and 2, 4 in" in said


CONFIGURATIONS = """
[[configuration]]
name = "old"
system = "made-up"
[[configuration]]
name = "new"
system = "made-up"
"""


def systems() -> dict[str, VirtualSystem]:
    return {name: virtual_system() for name in ("old", "new")}


def test_configurations_are_those_of_the_other_sweep() -> None:
    of_each = STUDY.replace('name = "alone"', 'name = "alone"\nconfigurations = "old"').replace(
        'name = "beside"', 'name = "beside"\nconfigurations = "new"'
    )
    with pytest.raises(ProfileError) as caught:
        parse_study(of_each + CONFIGURATIONS)
    (problem,) = caught.value.problems
    assert problem.where == "study: sweep[1].chart.compare[0].to_sweep"
    assert problem.what == 'sweep "alone" has no configuration "new"'
    both = parse_study(f'{of_each}of = "new"\nto = "old"\n{CONFIGURATIONS}')
    assert plan_simulation(both, systems()).points


@pytest.mark.parametrize(
    "choices",
    [
        Overrides(sweeps=("beside",)),
        Overrides(outstanding=(4,), sweeps=("beside",)),
        Overrides(profiles=("restore",)),
        Overrides(which_targets=(1,), sweeps=("alone", "beside")),
    ],
)
def test_with_choices_it_is_kept_where_there_is_something_to_compare(choices: Overrides) -> None:
    """The study that a run keeps reads back, and is planned again without them."""
    text = STUDY.replace('profiles = "database"', 'profiles = ["database", "restore"]', 1)
    source = planned(text, "/a", "/b", choices=choices).study_source
    kept = [one for sweep in source["sweep"] for one in (sweep.get("chart") or {}).get("compare", ())]
    assert len(kept) == (choices.which_targets is not None)
    again = study_of_document(as_file(source), "again")
    assert again.source() == source


def test_systems_that_are_named_instead_are_set_against_themselves() -> None:
    study = on_systems(parse_study(STUDY + CONFIGURATIONS), ["p3700"])
    assert study.sweep[1].chart.compare[0].to_sweep == "alone"
    assert plan_simulation(study, {"p3700": virtual_system()}).points


def test_the_study_of_the_guide_can_be_planned(tmp_path: Path) -> None:
    guide = (Path(__file__).parents[3] / "docs" / "guides" / "studies.md").read_text(encoding="utf-8")
    (text,) = (one for one in re.findall(r"```toml\n(.*?)```", guide, re.S) if "to_sweep" in one)
    file = tmp_path / "backup.toml"
    file.write_text(text, encoding="utf-8")
    study = on_systems(load_study(file), ["p3700"])
    plan = plan_simulation(study, {"p3700": virtual_system()})
    assert [len([point for point in plan.points if point.sweep == one.name]) for one in study.sweep] == [3, 3]
