"""What a load does not use of a controller makes no other question; what it uses does."""

from __future__ import annotations

from functools import cache
from typing import Any

import pytest

from iodyno import bench
from iodyno.alike import Nameless
from iodyno.plan import Plan, Point
from iodyno.reading import Reading
from iodyno.study import load_study, plan_simulation, resolve_all
from iodyno.study.systems import resolve
from iodyno.virtual import VirtualSystem

PARITY = {"parity_write_ps": 900_000_000, "parity_per_kib_ps": 90_000_000, "parity_bytes_s": 50_000_000}
CACHE = {"cache_bytes": 96 << 20}
ARRAYS = {
    "5": "ep420i-8x-sas-hdd-raid5",
    "10": "ep420i-4x-sata-hdd-raid10",
    "5 without a cache": "cp400i-8x-sas-hdd-raid5",
}
LOADS = {"reads": 1.0, "writes": 0.0, "both": 0.5}
USES = {
    "through": {"write_back": False, "cached_reads": False},
    "write-back": {"write_back": True, "cached_reads": False},
    "cached reads": {"write_back": False, "cached_reads": True},
}


@cache
def _plan() -> Plan:
    study = load_study("raid-controllers")
    chosen = [one for one in study.configurations if one.name in ARRAYS.values()]
    return plan_simulation(study, resolve_all(chosen, resolve))


def _system(array: str, use: str, failed: bool) -> VirtualSystem:
    system = _plan().systems[ARRAYS[array]]
    (controller,) = system.controllers
    (logical,) = controller.logicals
    members = logical.array.model_copy(update={"failed": (1,) if failed else ()})
    logical = logical.model_copy(update={**USES[use], "array": members})
    return _with(system, {"logicals": (logical,)})


def _with(system: VirtualSystem, changes: dict[str, Any]) -> VirtualSystem:
    (controller,) = system.controllers
    return system.model_copy(update={"controllers": (controller.model_copy(update=changes),)})


def _point(array: str, load: str) -> Point:
    found = (point for point in _plan().points if point.system == ARRAYS[array])
    point = next(
        point for point in found if point.profile.name == "database" and point.outstanding_total == 32
    )
    profile = point.profile.model_copy(update={"read_share": LOADS[load]})
    stopping = point.stopping.model_copy(update={"warmup_ios": 500, "floor_ios": 1000, "cap_ios": 1000})
    return point.model_copy(update={"profile": profile, "stopping": stopping})


def _answer(system: VirtualSystem, point: Point) -> Reading:
    return bench.simulate_point(point, system)


@pytest.mark.parametrize("changed", [PARITY, CACHE], ids=["parity", "cache"])
@pytest.mark.parametrize("load", LOADS)
@pytest.mark.parametrize("use", USES)
@pytest.mark.parametrize("failed", [False, True], ids=["whole", "degraded"])
@pytest.mark.parametrize("array", ARRAYS)
def test_a_question_is_another_exactly_where_its_answer_is(
    array: str, failed: bool, use: str, load: str, changed: dict[str, int]
) -> None:
    system, point = _system(array, use, failed), _point(array, load)
    if "cache_bytes" in changed and not system.controllers[0].cache_bytes:
        changed = {}
    other = _with(system, changed)
    alike = Nameless(system).question(point) == Nameless(other).question(point)
    assert alike == (_answer(system, point) == _answer(other, point))


def test_whether_there_is_a_cache_at_all_is_asked() -> None:
    """A controller without one gathers writes to whole stripes."""
    system, point = _system("5", "through", failed=False), _point("5", "writes")
    other = _with(system, {"cache_bytes": 0})
    assert Nameless(system).question(point) != Nameless(other).question(point)
