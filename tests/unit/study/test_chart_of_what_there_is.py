"""What a chart names of configurations and loads has to be there: it vanished from the paper, unsaid."""

from __future__ import annotations

import pytest

from iodyno.errors import ProfileError
from iodyno.plan import Plan
from iodyno.study import Overrides, load_study, on_systems, parse_study, plan_simulation
from iodyno.study.load import as_file, shipped, study_of_document
from iodyno.study.overrides import Rates
from virtual_systems import virtual_system

HEAD = """
schema = 1
name = "two"
title = "Two"
[[configuration]]
name = "r{level}-of-{n}"
system = "made-up"
each = { level = ["0", "5"], n = [2, 4] }
[[configuration]]
name = "other"
system = "made-up"
[[sweep]]
name = "field"
profiles = ["database"]
configurations = "r*"
outstanding = [1, 3]
"""
COMPARE = '[[sweep.chart.compare]]\ntitle = "Against"\nof = "r5-*"\nto = "r0-*"\n'


def part(*names: str) -> str:
    return f'[[sweep.chart.part]]\ntitle = "Some"\nconfigurations = {list(names)}\n'


def refused(text: str) -> list[tuple[str, str, str]]:
    with pytest.raises(ProfileError) as caught:
        parse_study(HEAD + text)
    return [(problem.where, problem.what, problem.hint) for problem in caught.value.problems]


def test_a_part_has_configurations_of_its_sweep() -> None:
    assert parse_study(HEAD + part("r0-*", "r5-of-4") + part("*-of-2"))
    ((where, what, hint),) = refused(part("r5-*", "r6-*"))
    assert where == "study: sweep[0].chart.part[0].configurations[1]"
    assert what == 'the sweep has no configuration "r6-*"'
    assert hint.endswith("nown configurations: r0-of-2, r0-of-4, r5-of-2, r5-of-4")
    ((where, what, _),) = refused(part("r5-*") + part("other"))
    assert (where, what) == (
        "study: sweep[0].chart.part[1].configurations[0]",
        'the sweep has no configuration "other"',
    )


def test_what_none_has_is_told_without_a_list() -> None:
    text = 'schema = 1\nname = "n"\ntitle = "N"\n[[sweep]]\nname = "s"\nprofiles = "database"\n' + part("r5")
    with pytest.raises(ProfileError) as caught:
        parse_study(text)
    assert [problem.hint for problem in caught.value.problems] == ["the study has none"]


def planned(text: str, *names: str, choices: Overrides | None = None, drives: int = 1) -> Plan:
    study = parse_study(HEAD + text)
    names = names or tuple(item.name for item in study.configurations)
    return plan_simulation(study, {name: virtual_system(drives=drives) for name in names}, choices)


def test_a_range_of_loads_has_one() -> None:
    for loads in (["1-32"], ["2-4"], ["3-3", "1-1"], ["each", "maximum"]):
        assert planned(f"{COMPARE}loads = {loads}\n").points
    for loads, wrong in ((["64-128"], ["64-128"]), (["1-1", "2-2", "4-8"], ["2-2", "4-8"])):
        with pytest.raises(ProfileError) as caught:
            planned(f"{COMPARE}loads = {loads}\n")
        found = [(problem.where, problem.what, problem.hint) for problem in caught.value.problems]
        where, hint = "sweep field.chart.compare[0].loads", "outstanding I/Os in all are 1, 3"
        assert found == [(where, f'the sweep has no load in "{asked}"', hint) for asked in wrong]


def test_a_load_is_as_many_as_are_outstanding_in_all() -> None:
    assert planned(COMPARE + 'loads = "4-4"\n', drives=4).points
    with pytest.raises(ProfileError, match='no load in "3-3"'):
        planned(COMPARE + 'loads = "3-3"\n', drives=4)


def test_open_loops_have_no_such_loads() -> None:
    text = HEAD.replace("outstanding = [1, 3]", "rate_io_s = 1000") + COMPARE + 'loads = "1-512"\n'
    names = [item.name for item in parse_study(text).configurations]
    with pytest.raises(ProfileError, match='no load in "1-512"'):
        plan_simulation(parse_study(text), {name: virtual_system() for name in names})


@pytest.mark.parametrize(
    "choices", [Overrides(outstanding=(1,)), Overrides(workers=(2,)), Overrides(rates=Rates(io_s=(100.0,)))]
)
def test_other_loads_are_no_mistake_of_the_study(choices: Overrides) -> None:
    assert planned(COMPARE + 'loads = "3-3"\n', choices=choices).points


def test_some_of_the_systems_may_lack_a_load() -> None:
    assert planned(COMPARE + 'loads = "64-128"\n', "r0-of-2").points


def kept(plan: Plan) -> list[list[str]]:
    """Give the loads of each comparison of the study that a plan keeps, which has to be one by itself."""
    study = study_of_document(as_file(plan.study_source), "again")
    again = plan_simulation(study, {item.name: virtual_system() for item in study.configurations})
    assert [point.outstanding for point in again.points][: len(plan.points)] == [
        point.outstanding for point in plan.points
    ]
    return [list(one.loads) for sweep in study.sweep for one in sweep.chart.compare]


@pytest.mark.parametrize(
    ("choices", "left"),
    [
        (Overrides(outstanding=(3,)), [["each", "2-4"]]),
        (Overrides(outstanding=(1,)), [["each"], ["1-1"]]),
        (Overrides(workers=(1,)), [["each", "2-4"], ["1-1"]]),
        (Overrides(rates=Rates(io_s=(100.0,))), [["each"]]),
    ],
)
def test_what_is_kept_of_a_study_has_no_ranges_without_a_load(
    choices: Overrides, left: list[list[str]]
) -> None:
    """The study that the paper carries could not be simulated: it had the new loads and the old ranges."""
    text = f'{COMPARE}loads = ["each", "2-4"]\n{COMPARE}loads = ["1-1"]\n'
    assert kept(planned(text, choices=choices)) == left


def test_nor_has_it_ranges_of_systems_that_were_left_out() -> None:
    """Its four volumes have 4 to 12 outstanding I/Os in all."""
    text = HEAD + COMPARE + 'loads = ["each", "4-12", "3-3"]\n'
    names = [item.name for item in parse_study(text).configurations if item.name != "other"]
    systems = {name: virtual_system(drives=1 if name.endswith("2") else 4) for name in names}
    whole = plan_simulation(parse_study(text), systems | {"other": virtual_system()})
    assert kept_loads(whole) == ["each", "4-12", "3-3"]
    some = {name: system for name, system in systems.items() if name.endswith("2")}
    assert kept_loads(plan_simulation(parse_study(text), some)) == ["each", "3-3"]


def kept_loads(plan: Plan) -> list[str]:
    (sweep,) = plan.study_source["sweep"]
    (compare,) = sweep["chart"]["compare"]
    return list(compare["loads"])


@pytest.mark.parametrize("name", shipped())
def test_a_study_on_other_systems_reads_back(name: str) -> None:
    """Its charts spoke of configurations that are no longer in it."""
    study = on_systems(load_study(name), ["p3700"])
    assert study_of_document(as_file(study.source()), "again").source() == study.source()


def test_on_systems_that_are_called_alike_a_chart_stays() -> None:
    study = parse_study(HEAD.replace('"r{level}-of-{n}"', '"p3700"').replace(
        'each = { level = ["0", "5"], n = [2, 4] }', "").replace('"r*"', '["p3700", "other"]')
        + part("p3700", "other") + part("other"))  # fmt: skip
    (sweep,) = on_systems(study, ["p3700"]).sweep
    assert [one.configurations for one in sweep.chart.part] == [("p3700",)]
