"""Speed of the virtual lab: simulated I/Os per second of one processor, and a whole study on all of them.

The cases are systems of the catalogue under standard profiles; each is simulated three times and the
fastest counts. Processor time is taken, so that what else runs on the machine does not count. The study
is simulated as ``iodyno simulate`` does it, and takes what the clock on the wall says.
"""

from __future__ import annotations

import argparse
import json
import time

from iodyno import bench
from iodyno.plan import Plan, Point
from iodyno.study import chosen_configurations, load_study, on_systems, plan_simulation, resolve_all
from iodyno.study.systems import resolve
from iodyno.virtual import VirtualSystem

IOS = 500_000
"""Counted I/Os of a case."""
ARRAY = ("raid-controllers", "ep420i-24x-sas-ssd-raid5-fast-path-optimum", "database", 128)
"""Study, configuration, profile, outstanding I/Os: 24 SSDs in RAID 5 behind a controller."""
STUDY = "p3700"
"""The study that is simulated whole."""


def plan_on(system: str) -> Plan:
    """Plan the standard study on a system of the catalogue."""
    study = on_systems(load_study("standard"), [system])
    return plan_simulation(study, resolve_all(study.configurations, resolve))


def plan_of(study_name: str, configuration: str = "*") -> Plan:
    """Plan a study on the configurations whose names fit."""
    study = load_study(study_name)
    return plan_simulation(study, resolve_all(chosen_configurations(study, (configuration,)), resolve))


def point_of(plan: Plan, profile: str, outstanding: int) -> Point:
    """Take a point of a plan, with as many I/Os as a case counts."""
    fits = [point for point in plan.points if point.profile.name == profile]
    point = min(fits, key=lambda point: abs(point.outstanding_total - outstanding))
    stopping = point.stopping.model_copy(
        update={"warmup_ios": 20_000, "floor_ios": IOS, "cap_ios": IOS, "precision": 1e-6}
    )
    return point.model_copy(update={"outstanding": outstanding, "stopping": stopping})


def random_reads(point: Point) -> Point:
    """Make a point one of random reads."""
    profile = point.profile.model_copy(update={"name": "random-read-8k", "read_share": 1.0})
    return point.model_copy(update={"profile": profile})


def speed(point: Point, system: VirtualSystem) -> dict[str, float]:
    """Simulate a point three times; gives millions of I/Os and of events per second of one processor."""
    document, best = system.model_dump_json(), float("inf")
    for _ in range(3):
        began = time.thread_time()
        reading = bench.simulate_point(point, document)
        best = min(best, time.thread_time() - began)
    simulation = reading.simulation
    assert simulation is not None
    ios = reading.issued.reads + reading.issued.writes
    return {"million_ios_s": ios / best / 1e6, "million_events_s": simulation.events / best / 1e6}


def cases() -> dict[str, dict[str, float]]:
    """Give the speed of each case by its name."""
    single = plan_on("p3700")
    database = point_of(single, "database", 32)
    (system,) = single.systems.values()
    study, configuration, profile, outstanding = ARRAY
    array = plan_of(study, configuration)
    (controller,) = array.systems.values()
    return {
        "one SSD, random read 8 kB, 32 outstanding": speed(random_reads(database), system),
        "one SSD, Database, 32 outstanding": speed(database, system),
        f"24 SSDs in RAID 5 behind a controller, random read 8 kB, {outstanding} outstanding": speed(
            random_reads(point_of(array, profile, outstanding)), controller
        ),
        f"24 SSDs in RAID 5 behind a controller, Database, {outstanding} outstanding": speed(
            point_of(array, profile, outstanding), controller
        ),
    }


def whole_study(name: str) -> dict[str, float]:
    """Simulate a study on all processors; gives points and seconds."""
    plan = plan_of(name)
    began = time.perf_counter()
    points = sum(1 for _ in bench.simulate(plan))
    return {"points": points, "seconds": time.perf_counter() - began, "processors": bench.processors()}


def main() -> None:
    """Print the speeds."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.add_argument("--study", default=STUDY, help="the study that is simulated whole")
    chosen = parser.parse_args()
    found = cases()
    study = whole_study(chosen.study)
    if chosen.json:
        print(json.dumps({"cases": found, "study": {chosen.study: study}}))
        return
    for name, figures in found.items():
        ios, events = figures["million_ios_s"], figures["million_events_s"]
        print(f"{ios:6.2f} million I/Os/s, {events:6.2f} million events/s: {name}")
    took, points, processors = (study[key] for key in ("seconds", "points", "processors"))
    print(f"{took:6.1f} s for {points:.0f} points of {chosen.study}, on {processors:.0f} processors")


if __name__ == "__main__":
    main()
