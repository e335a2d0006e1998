"""Points that ask the same are answered once; only the names of stations differ."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from iodyno import bench
from iodyno.alike import Alike, Nameless, _station
from iodyno.plan import Plan, Point, RateShare
from iodyno.reading import Reading
from iodyno.study import load_study, on_systems, plan_simulation
from iodyno.virtual import VirtualSystem


def renamed(system: VirtualSystem) -> VirtualSystem:
    """Give a system whose parts have other names."""
    drives = tuple(slot.model_copy(update={"name": "Other: drive"}) for slot in system.drives)
    links = tuple(link.model_copy(update={"name": link.name + ", other"}) for link in system.links)
    return system.model_copy(update={"name": "other", "drives": drives, "links": links})


@pytest.fixture(scope="module")
def plan() -> Plan:
    """Give a plan on a system and on the same under other names."""
    from iodyno.study.systems import resolve

    study = on_systems(load_study("quick"), ["p3700", "p3700-800"])
    one, two = (item.name for item in study.configurations)
    system = resolve(study.configurations[0])
    return plan_simulation(study, {one: system, two: renamed(system)})


def test_a_reading_of_a_point_alike_is_that_of_its_own(plan: Plan) -> None:
    counted = []
    alike = Alike(plan, plan.points)
    for index in (0, 7):
        first = plan.points[index]
        second = next(
            point
            for point in plan.points
            if point.system != first.system
            and (point.profile, point.outstanding) == (first.profile, first.outstanding)
        )

        def ask(point: Point = first) -> Reading:
            assert point.system is not None
            counted.append(point.index)
            return bench.simulate_point(point, plan.systems[point.system])

        assert alike.reading(first, ask) == ask()
        shared = alike.reading(second, lambda: pytest.fail("asked again"))
        assert second.system is not None
        own = bench.simulate_point(second, plan.systems[second.system])
        assert shared.model_dump_json() == own.model_dump_json()
        assert shared.simulation is not None
        assert any(station.name.startswith("Other: drive: ") for station in shared.simulation.stations)


def test_a_whole_plan_is_that_of_its_parts(plan: Plan) -> None:
    points = [point for point in plan.points if point.profile.name == plan.points[0].profile.name]
    part = plan.model_copy(update={"points": tuple(points)})
    together = [result.reading for result in bench.simulate(part, jobs=3)]
    for point, reading in zip(points, together, strict=True):
        assert point.system is not None
        assert reading == bench.simulate_point(point, plan.systems[point.system])


def test_what_differs_in_more_than_names_is_not_alike(plan: Plan) -> None:
    system = next(iter(plan.systems.values()))
    other = system.model_copy(update={"host": system.host.model_copy(update={"wakeup_ps": 7})})
    assert Nameless(system).key() == Nameless(renamed(system)).key()
    assert Nameless(system).key() != Nameless(other).key()
    questions = {
        Nameless(system).question(point) for point in plan.points if point.system == plan.points[0].system
    }
    assert len(questions) == len(plan.points) / 2


def test_parts_that_share_a_name_are_told_from_parts_that_do_not(plan: Plan) -> None:
    system = next(iter(plan.systems.values()))
    (slot, *_), links = system.drives, system.links
    twice = system.model_copy(update={"drives": (slot, slot), "links": (*links, *links)})
    apart = twice.model_copy(update={"drives": (slot, slot.model_copy(update={"name": "another"}))})
    assert Nameless(twice).key() != Nameless(apart).key()


def test_who_asks_the_same_meanwhile_waits_and_hears_of_a_failure(plan: Plan) -> None:
    one, two = (next(point for point in plan.points if point.system == name) for name in list(plan.systems))
    alike, begun, go_on = Alike(plan, plan.points), threading.Event(), threading.Event()

    def ask() -> Reading:
        begun.set()
        assert go_on.wait(60)
        raise RuntimeError("no answer")

    with ThreadPoolExecutor(2) as pool:
        first = pool.submit(alike.reading, one, ask)
        assert begun.wait(60)
        second = pool.submit(alike.reading, two, lambda: pytest.fail("asked again"))
        go_on.set()
        for answer in (first, second):
            with pytest.raises(RuntimeError, match="no answer"):
                answer.result()


def test_a_rate_that_is_not_known_yet_is_no_question(plan: Plan) -> None:
    """Points that follow others ask for a rate of their own, which the plan leaves open."""
    open_rate = RateShare(of=(0,), share=0.5)
    points = [point.model_copy(update={"rate_from": open_rate}) for point in plan.points]
    alike, asked = Alike(plan, points), []
    reading = bench.simulate_point(plan.points[0], plan.systems[plan.points[0].system or ""])

    def ask() -> Reading:
        asked.append(1)
        return reading

    for point in points:
        alike.reading(point, ask)
    assert len(asked) == len(points)


def test_a_station_is_named_by_the_whole_name_of_its_part() -> None:
    """One part may be named as another begins."""
    assert _station("drive: dies: data path", {"drive": "x", "drive: dies": "y"}) == "y: data path"
