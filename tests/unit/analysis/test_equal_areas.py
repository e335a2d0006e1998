"""Runs that access as much in the same place are compared, whichever of them says so with ``--area``."""

from __future__ import annotations

import pytest

from factories import make_result, make_run
from iodyno.analysis.compare import compare
from iodyno.plan import Plan
from iodyno.profiles import Area
from iodyno.store.records import StoredRun
from iodyno.study import Overrides, load_study, on_systems, plan_simulation, plan_study
from iodyno.targets import Target
from virtual_systems import virtual_system

MIB = 1 << 20
FEW = {"profiles": ("database",), "outstanding": (1, 8)}


def answered(plan: Plan) -> StoredRun:
    return StoredRun(run=make_run(plan, status="finished"), results=tuple(map(make_result, plan.points)))


def measured(area: Area | None = None, size_bytes: int = 256 * MIB) -> StoredRun:
    """Give a run on a file, of which it accesses all unless an area is given."""
    file = {"path": "/file", "asked": "/file", "kind": "file", "size_bytes": size_bytes}
    choices = Overrides(**FEW, area=area)
    return answered(plan_study(load_study("quick"), [Target.model_validate(file)], choices))


def simulated(area: Area | None = None) -> StoredRun:
    """Give a run on a drive of 100 GB."""
    study = on_systems(load_study("quick"), ["p3700"])
    return answered(plan_simulation(study, {"p3700": virtual_system()}, Overrides(**FEW, area=area)))


@pytest.mark.parametrize("area", [Area(length=256 * MIB), Area(start=0, length=256 * MIB)])
def test_all_of_a_file_is_an_area_as_large_as_the_file(area: Area) -> None:
    """Without --area beside both they had no point in common."""
    for base, other in ((measured(), simulated(area)), (simulated(area), measured())):
        found = compare(base, other)
        assert [one.base.outstanding for one in found.points] == [1, 8]
        assert found.only_base == found.only_other == ()
        assert {one.what for one in found.differences}.isdisjoint({"area", "profile"})


def test_a_share_is_the_area_that_it_comes_to() -> None:
    found = compare(measured(Area(length=0.25), 1024 * MIB), simulated(Area(length=256 * MIB)))
    assert len(found.points) == 2


@pytest.mark.parametrize(
    "area", [Area(length=512 * MIB), Area(start=256 * MIB, length=256 * MIB), Area(length=0.5)]
)
def test_other_areas_stay_other_loads(area: Area) -> None:
    assert compare(measured(), simulated(area)).points == ()


def test_what_is_named_alike_is_compared_first() -> None:
    """All of a drive beside all of a file, as ever: the areas are a difference that is told."""
    found = compare(measured(), simulated())
    assert len(found.points) == 2
