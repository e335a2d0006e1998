"""The door to the simulator: what goes through it, what is refused, and who is heard meanwhile."""

from __future__ import annotations

import threading

import pytest

from iodyno import bench
from iodyno.bench import _core
from iodyno.errors import EngineError
from iodyno.plan import Plan, Point
from iodyno.study import load_study, on_systems, plan_simulation, resolve_all
from iodyno.study.systems import resolve
from iodyno.verdict.laws import laws

SYSTEMS = ("p3700", "raid-controllers", "raid-controllers-24", "raid-onboard", "nvme-host-connections")


def plan_on(system: str, outstanding: tuple[int, ...] = (1, 32), **stopping: int) -> Plan:
    """Plan every standard profile on a system of the catalogue, with few I/Os."""
    study = on_systems(load_study("standard"), [system])
    sweep = study.sweep[0].model_copy(update={"outstanding": outstanding})
    study = study.model_copy(update={"sweep": (sweep,)})
    plan = plan_simulation(study, resolve_all(study.configurations, resolve))
    few = {"warmup_ios": 1000, "floor_ios": 2000, "cap_ios": 5000, **stopping}
    points = (
        point.model_copy(update={"stopping": point.stopping.model_copy(update=few)}) for point in plan.points
    )
    return plan.model_copy(update={"points": tuple(points)})


def first(system: str = "p3700", **stopping: int) -> tuple[Point, str]:
    """Give a point and the JSON of its system."""
    plan = plan_on(system, (1, 32), **stopping)
    point = plan.points[0]
    assert point.system is not None
    return point, plan.systems[point.system].model_dump_json()


@pytest.mark.parametrize("system", SYSTEMS)
def test_every_reading_keeps_the_laws(system: str) -> None:
    for result in bench.simulate(plan_on(system)):
        assert laws(result.point, result.reading) == []
        simulation = result.reading.simulation
        assert simulation is not None
        assert sum(simulation.latency_split.values()) == pytest.approx(1)
        bound, reading, point = simulation.bounds.rate_io_s, result.reading, result.point
        # Each of what is outstanding ends once more than as often as the least latency fits into the time.
        more = point.outstanding * point.workers * len(point.targets) / reading.measured_s
        assert bound is None or reading.transaction_rate_io_s <= bound + more


def test_the_same_point_gives_the_same_bytes_beside_others_too() -> None:
    plan = plan_on("raid-controllers")
    alone = [result.reading for result in bench.simulate(plan, jobs=1)]
    together = [result.reading for result in bench.simulate(plan, jobs=4)]
    assert alone == together


@pytest.mark.parametrize(
    ("broken", "said"),
    [
        (("{", None), "no point"),
        ((None, "{"), "no system"),
        ((None, '{"name": "x", "colour": 1}'), "colour"),
    ],
)
def test_what_is_no_point_or_no_system_is_refused(broken: tuple[str | None, str | None], said: str) -> None:
    point, system = first()
    with pytest.raises(ValueError, match=said):
        _core.simulate(broken[0] or point.model_dump_json(), broken[1] or system)


def test_a_point_that_does_not_fit_the_system_is_refused_with_its_name() -> None:
    point, system = first()
    target = point.targets[0].model_copy(update={"path": "elsewhere"})
    point = point.model_copy(update={"targets": (target,)})
    with pytest.raises(EngineError, match="no volume elsewhere"):
        bench.simulate_point(point, system)


def test_the_observer_is_asked_now_and_then_and_its_exception_ends_the_point() -> None:
    point, system = first(floor_ios=300_000, cap_ios=300_000)
    asked: list[None] = []
    bench.simulate_point(point, system, lambda: asked.append(None))
    # Each time costs the other threads a turn.
    assert 2 < len(asked) < 300

    def refuse() -> None:
        asked.append(None)
        raise KeyboardInterrupt

    asked.clear()
    with pytest.raises(KeyboardInterrupt):
        _core.simulate(point.model_dump_json(), system, refuse)
    assert len(asked) == 1


def test_other_threads_go_on_meanwhile() -> None:
    point, system = first(floor_ios=300_000, cap_ios=300_000)
    ended, steps = threading.Event(), 0

    def simulate() -> None:
        _core.simulate(point.model_dump_json(), system)
        ended.set()

    thread = threading.Thread(target=simulate, daemon=True)
    thread.start()
    while not ended.wait(0.001):
        steps += 1
    assert steps > 5
