"""What a sweep's chart says of configurations and loads: that there are such."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from fnmatch import fnmatchcase
from typing import Any

from iodyno.errors import Problem
from iodyno.plan import Point
from iodyno.study.counterparts import counterpart
from iodyno.study.model import Chart, Study
from iodyno.study.problems import NAMED, did_you_mean


def tables_of(document: Mapping[str, Any], key: str) -> list[Mapping[str, Any]]:
    """Give the tables of a list, an empty one for each entry that is none."""
    items = document.get(key)
    if not isinstance(items, list):
        return []
    return [item if isinstance(item, Mapping) else {} for item in items]


def named_texts(where: str, value: Any) -> Iterator[tuple[str, str]]:
    """Yield path and text of each entry that is a text."""
    if isinstance(value, str):
        yield where, value
    elif isinstance(value, list):
        yield from ((f"{where}[{place}]", item) for place, item in enumerate(value) if isinstance(item, str))


def chart_problems(where: str, sweep: Mapping[str, Any], every: Sequence[str]) -> Iterator[Problem]:
    """Look whether a sweep has the configurations of its parts, those that it sets against others, and those
    others.

    Parameters
    ----------
    where
        Path of the chart.
    sweep
        The sweep as written.
    every
        Names of all configurations of the study.
    """
    chart = sweep.get("chart")
    if not isinstance(chart, Mapping):
        return
    patterns = [pattern for _, pattern in named_texts("", sweep.get("configurations", []))]
    if any(not any(fnmatchcase(name, one) for name in every) for one in patterns):
        return  # that is told, and what the sweep has is not known
    names = [name for name in every if not patterns or any(fnmatchcase(name, one) for one in patterns)]
    for place, table in enumerate(tables_of(chart, "part")):
        yield from _lacking(f"{where}.part[{place}].configurations", table.get("configurations"), names)
    for place, table in enumerate(tables_of(chart, "compare")):
        yield from _compared(f"{where}.compare[{place}]", table, names)


def _lacking(where: str, patterns: Any, names: Sequence[str]) -> Iterator[Problem]:
    for path, pattern in named_texts(where, patterns):
        if not any(fnmatchcase(name, pattern) for name in names):
            yield _no_configuration(path, pattern, names)


def _compared(where: str, table: Mapping[str, Any], names: Sequence[str]) -> Iterator[Problem]:
    to = table.get("to")
    yield from _lacking(f"{where}.of", table.get("of"), names)
    for _, pattern in named_texts("", table.get("of")):
        found = [name for name in names if fnmatchcase(name, pattern)]
        others = {name: counterpart(name, pattern, to) for name in found if isinstance(to, str)}
        lacking = [other for other in others.values() if other not in names]
        if lacking and len(lacking) == len(others):
            yield _no_configuration(f"{where}.to", lacking[0], names)


def _no_configuration(where: str, name: str, names: Sequence[str]) -> Problem:
    hint = did_you_mean(name, names, "configurations", NAMED) if names else "the study has none"
    return Problem(where, f'the sweep has no configuration "{name}"', hint)


def on_configurations(chart: Chart, names: Sequence[str]) -> Chart:
    """Leave out of a chart what it says of configurations that there are not."""
    parts = []
    for part in chart.part:
        own = tuple(one for one in part.configurations if any(fnmatchcase(name, one) for name in names))
        parts += [part.model_copy(update={"configurations": own})] if own else []
    tables = ((one, one.model_dump(mode="json")) for one in chart.compare)
    compare = tuple(one for one, table in tables if not any(_compared("", table, names)))
    return chart.model_copy(update={"part": tuple(parts), "compare": compare})


def ranges_without_loads(study: Study, points: Iterable[Point]) -> Iterator[Problem]:
    """Look for ranges of loads that a sweep compares configurations at, and has no load in.

    Parameters
    ----------
    study
        The study.
    points
        All points of its sweeps on all of its configurations.
    """
    every = _loads_of_sweeps(points)
    for sweep in (one for one in study.sweep if one.name in every):
        loads = sorted(every[sweep.name])
        listed = ", ".join(map(str, loads[:NAMED])) + (f" … {loads[-1]}" if loads[NAMED:] else "")
        hint = (
            f"outstanding I/Os in all are {listed}"
            if loads
            else "open loops have no such loads: leave it out"
        )
        for place, compare in enumerate(sweep.chart.compare):
            for asked in (one for one in compare.loads if not _has_load(one, loads)):
                path = f"sweep {sweep.name}.chart.compare[{place}].loads"
                yield Problem(path, f'the sweep has no load in "{asked}"', hint)


def on_loads(study: Study, points: Iterable[Point]) -> Study:
    """Leave out of the charts of a study the ranges that its sweeps have no load in.

    Parameters
    ----------
    study
        The study.
    points
        The points that are left of its sweeps where choices change their loads, or leave configurations out.
    """
    every = _loads_of_sweeps(points)
    sweeps = []
    for sweep in study.sweep:
        compared = []
        for one in sweep.chart.compare:
            kept = tuple(asked for asked in one.loads if _has_load(asked, every.get(sweep.name, ())))
            compared += [one.model_copy(update={"loads": kept})] if kept else []
        chart = sweep.chart.model_copy(update={"compare": tuple(compared)})
        sweeps.append(sweep.model_copy(update={"chart": chart}))
    return study.model_copy(update={"sweep": tuple(sweeps)})


def _loads_of_sweeps(points: Iterable[Point]) -> dict[str, set[int]]:
    """Give the loads of each sweep, outstanding I/Os in all; none of an open loop."""
    loads: dict[str, set[int]] = {}
    for point in points:
        found = loads.setdefault(point.sweep, set())
        first = point.loads[0]
        found |= set() if first.open_loop else {point.outstanding_total, first.outstanding_total}
    return loads


def _has_load(asked: str, loads: Collection[int]) -> bool:
    """Tell whether one of these loads is in a range; ``each`` and ``maximum`` ask for none."""
    low, dash, high = asked.partition("-")
    return not dash or any(int(low) <= load <= int(high) for load in loads)
