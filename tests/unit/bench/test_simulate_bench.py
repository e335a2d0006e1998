"""Simulating a plan: on any number of processors the same, quick to stop, and said to be simulated."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Generator, Sequence
from typing import Any

import pytest

from command_line import simulated_result
from iodyno import bench
from iodyno.errors import EngineError
from iodyno.events import Event, PointFinished
from iodyno.plan import Plan, Point
from iodyno.reading import PointResult
from iodyno.study import load_study, on_systems, plan_simulation
from virtual_systems import virtual_system

Simulate = Callable[[str, str, Callable[[dict[str, Any]], None]], str]


def plan(profile_count: int = 1) -> Plan:
    study = on_systems(load_study("quick"), ["made-up"])
    sweep = study.sweep[0].model_copy(
        update={"set": None, "profiles": ("database", "restore")[:profile_count], "outstanding": (1, 2, 4, 8)}
    )
    return plan_simulation(study.model_copy(update={"sweep": (sweep,)}), {"made-up": virtual_system()})


@pytest.fixture
def fake(monkeypatch: pytest.MonkeyPatch) -> Callable[[Simulate], None]:
    """Give what puts a function in the place of the simulator."""

    def install(simulate: Simulate) -> None:
        monkeypatch.setattr(bench._core, "simulate", simulate, raising=False)

    return install


def answer(point: str, system: str, observe: Callable[[dict[str, Any]], None]) -> str:
    assert '"name":"made-up"' in system
    found = Point.model_validate_json(point)
    time.sleep(0.05 / found.outstanding)  # the first points end last
    return simulated_result(found).reading.model_dump_json()


@pytest.mark.parametrize("jobs", [1, 4, None])
def test_results_come_in_the_order_of_the_plan(fake: Callable[[Simulate], None], jobs: int | None) -> None:
    fake(answer)
    heard: list[Event] = []
    results = list(bench.simulate(plan(), jobs=jobs, listener=heard.append))
    assert [result.point.index for result in results] == [0, 1, 2, 3]
    assert [event.result for event in heard if isinstance(event, PointFinished)] == results
    assert {result.verdict.state for result in results} == {"steady"}
    assert all("simulated" in {note.code for note in result.verdict.notes} for result in results)
    codes = {note.code for result in results for note in result.verdict.notes}
    assert not codes & {"device_not_counted", "contents_not_written", "unoptimised"}


def test_what_is_done_is_not_simulated_again(fake: Callable[[Simulate], None]) -> None:
    fake(answer)
    earlier = [simulated_result(plan().points[index]) for index in (0, 2)]
    results = bench.simulate(plan(), earlier=earlier)
    assert [result.point.index for result in results] == [1, 3]


def test_as_many_points_as_jobs_run_at_a_time(fake: Callable[[Simulate], None]) -> None:
    together = threading.Barrier(2, timeout=20)

    def wait(point: str, system: str, observe: Callable[[dict[str, Any]], None]) -> str:
        together.wait()  # breaks where only one comes
        return answer(point, system, observe)

    fake(wait)
    assert len(list(bench.simulate(plan(), jobs=2))) == 4


def test_a_point_that_cannot_be_simulated_is_named(fake: Callable[[Simulate], None]) -> None:
    def refuse(point: str, system: str, observe: Callable[[dict[str, Any]], None]) -> str:
        raise ValueError("no such volume")

    fake(refuse)
    with pytest.raises(EngineError, match=r"point 0 \(made-up, database\): no such volume"):
        list(bench.simulate(plan()))


def test_who_stops_listening_stops_the_points_under_way(fake: Callable[[Simulate], None]) -> None:
    started, ended = threading.Event(), threading.Event()

    def endless(point: str, system: str, observe: Callable[[dict[str, Any]], None]) -> str:
        if Point.model_validate_json(point).outstanding == 1:
            return answer(point, system, observe)
        started.set()
        try:
            while True:
                observe({})
                time.sleep(0.001)
        finally:
            ended.set()

    fake(endless)
    results = bench.simulate(plan(), jobs=2)
    assert next(results).point.index == 0
    assert started.wait(20)
    assert isinstance(results, Generator)
    results.close()
    assert ended.wait(20)


def test_what_is_told_was_kept_before(fake: Callable[[Simulate], None]) -> None:
    """Nothing waits for points that are not there: the first is kept while the second goes on."""
    first_is_kept = threading.Event()

    def slow_but_for_the_first(point: str, system: str, observe: Callable[[dict[str, Any]], None]) -> str:
        if Point.model_validate_json(point).outstanding > 1:
            assert first_is_kept.wait(20), "the first point is kept only with others"
        return answer(point, system, observe)

    fake(slow_but_for_the_first)
    kept: list[int] = []

    def keep(results: Sequence[PointResult]) -> None:
        kept.extend(result.point.index for result in results)
        first_is_kept.set()

    def told(event: Event) -> None:
        assert isinstance(event, PointFinished)
        assert event.result.point.index in kept

    for result in bench.simulate(plan(2), jobs=2, keep=keep, listener=told):
        assert result.point.index in kept
    assert kept == list(range(8))


def test_what_was_finished_is_kept_before_a_failure_is_told(fake: Callable[[Simulate], None]) -> None:
    everything_failed = threading.Event()

    def fail_at_the_third(point: str, system: str, observe: Callable[[dict[str, Any]], None]) -> str:
        asked = Point.model_validate_json(point).outstanding
        if asked == 4:
            everything_failed.set()
            raise ValueError("no such volume")
        if asked == 1:
            assert everything_failed.wait(20)
        return answer(point, system, observe)

    fake(fail_at_the_third)
    kept: list[int] = []
    with pytest.raises(EngineError, match="point 2"):
        list(bench.simulate(plan(), jobs=4, keep=lambda some: kept.extend(one.point.index for one in some)))
    assert kept == [0, 1]
