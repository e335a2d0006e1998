"""The tables of the page on bottlenecks: its study, simulated, between two markers of the page."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from pathlib import Path

from iodyno import bench
from iodyno.plan import Point
from iodyno.reading import PointResult, Reading, Simulation, Station
from iodyno.report.names import PLACE_NAMES
from iodyno.study import load_study, plan_simulation, resolve_all
from iodyno.study.systems import resolve
from iodyno.units import MIB, format_size

CONCEPTS = Path(__file__).resolve().parent.parent / "docs" / "concepts"
PAGE = CONCEPTS / "bottlenecks.md"
STUDY = CONCEPTS / "bottlenecks.toml"
BEGIN = "<!-- Written by tools/bottlenecks_page.py from here: change bottlenecks.toml, not this. -->"
END = "<!-- to here -->"
DIGITS = 3
"""Significant digits of a rate."""


def bottlenecks_page() -> str:
    """Give the page with its tables made anew: some thirty points, a few seconds.

    The same study gives the same tables: its seed is fixed.
    """
    before, _, rest = PAGE.read_text("utf-8").partition(BEGIN)
    _, _, after = rest.partition(END)
    return "\n".join([f"{before}{BEGIN}", *_tables(), f"{END}{after}"])


def _tables() -> Iterator[str]:
    study = load_study(str(STUDY))
    titles = {item.name: item.shown for item in study.configurations}
    plan = plan_simulation(study, resolve_all(study.configurations, resolve))
    cases: dict[str, list[PointResult]] = {}
    for result in bench.simulate(plan):
        cases.setdefault(result.point.sweep, []).append(result)
    yield "\n| | system | load | rate | named limit | busy | busy next | latency mostly in |"
    yield "|---:|---|---|---:|---|---:|---|---|"
    for number, points in enumerate(cases.values(), 1):
        yield f"| {number} | {titles[_configuration(points[0].point)]} | {_limit_cells(points[0])} |"
    yield "\n| | changed | rate | times | named limit then |\n|---:|---|---:|---:|---|"
    for number, points in enumerate(cases.values(), 1):
        for changed in points[1:]:
            yield f"| {number} | {_change_cells(points[0], changed, titles)} |"
    yield ""


def _limit_cells(result: PointResult) -> str:
    point, found = result.point, _simulation(result.reading)
    limit, following = _busiest(found.stations)[:2]
    assert limit.name == found.bottleneck.station, f"{point.sweep}: the busiest station is not named"
    load = f"{point.profile.shown}, {_outstanding(point)}"
    place, share = max(found.latency_split.items(), key=lambda item: item[1])
    cells = (load, _rate(result), limit.name, f"{limit.utilisation_mean:.0%}")
    next_busy = f"{following.name}, {following.utilisation_mean:.0%}"
    return " | ".join((*cells, next_busy, f"{PLACE_NAMES[place]}, {share:.0%}"))


def _change_cells(base: PointResult, changed: PointResult, titles: dict[str, str]) -> str:
    bottleneck = _simulation(changed.reading).bottleneck
    assert bottleneck.station, f"{changed.point.sweep}: nothing is the limit of {changed.point.system}"
    times = _main_figure(changed) / _main_figure(base)
    words = ", ".join(_differences(base.point, changed.point, titles))
    return f"{words} | {_rate(changed)} | {times:.2f} | {bottleneck.station}, {bottleneck.utilisation:.0%}"


def _differences(base: Point, changed: Point, titles: dict[str, str]) -> Iterator[str]:
    if changed.system != base.system:
        yield titles[_configuration(changed)]
    if changed.workers != base.workers:
        yield f"{changed.workers} workers instead of {base.workers}"
    if changed.profile.area != base.profile.area:
        yield f"{format_size(changed.targets[0].area_length_bytes)} accessed instead of the full range"


def _configuration(point: Point) -> str:
    assert point.system is not None
    return point.system


def _simulation(reading: Reading) -> Simulation:
    assert reading.simulation is not None
    return reading.simulation


def _busiest(stations: Sequence[Station]) -> list[Station]:
    """Give the stations that serve anybody: a write cache is room and no server."""
    return sorted((one for one in stations if one.serves), key=lambda one: -one.utilisation_mean)


def _outstanding(point: Point) -> str:
    workers = f"{point.workers} workers x " if point.workers > 1 else ""
    return f"{workers}{point.outstanding} outstanding"


def _main_figure(result: PointResult) -> float:
    """Give MB/s where accesses are sequential, else I/Os per second."""
    reading = result.reading
    both = (reading.reads, reading.writes)
    if result.point.profile.random_share == 0:
        return sum(one.bytes for one in both) / reading.measured_s / MIB
    return sum(one.completed for one in both) / reading.measured_s


def _rate(result: PointResult) -> str:
    value = _main_figure(result)
    unit = "IO/s" if result.point.profile.random_share else "MB/s"
    return f"{round(value, DIGITS - 1 - math.floor(math.log10(value))):,.0f} {unit}"
