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


def chart_problems(
    where: str, sweep: Mapping[str, Any], every: Sequence[str], sweeps: Sequence[Mapping[str, Any]] = ()
) -> Iterator[Problem]:
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
    sweeps
        All sweeps of the study, against which this one can be set.
    """
    chart = sweep.get("chart")
    if not isinstance(chart, Mapping):
        return
    names = _runs_on(sweep, every)
    if names is None:
        return
    for place, table in enumerate(tables_of(chart, "part")):
        yield from _lacking(f"{where}.part[{place}].configurations", table.get("configurations"), names)
    for place, table in enumerate(tables_of(chart, "compare")):
        others = _of_the_other(table, names, every, sweeps)
        if others is not None and (every or "to_sweep" not in table):
            yield from _compared(f"{where}.compare[{place}]", table, names, others)


def _runs_on(sweep: Mapping[str, Any], every: Sequence[str]) -> list[str] | None:
    """Give the configurations of a sweep; none where it names some that there are not: that is told, and what
    it has is not known."""
    patterns = [pattern for _, pattern in named_texts("", sweep.get("configurations", []))]
    if any(not any(fnmatchcase(name, one) for name in every) for one in patterns):
        return None
    return [name for name in every if not patterns or any(fnmatchcase(name, one) for one in patterns)]


def _of_the_other(
    table: Mapping[str, Any], names: list[str], every: Sequence[str], sweeps: Sequence[Mapping[str, Any]]
) -> list[str] | None:
    """Give the configurations of the sweep that one is set against, which can be another; none where they are
    not known."""
    if "to_sweep" not in table:
        return names
    other = next((one for one in sweeps if one.get("name") == table["to_sweep"]), None)
    return None if other is None else _runs_on(other, every)


def _lacking(where: str, patterns: Any, names: Sequence[str]) -> Iterator[Problem]:
    for path, pattern in named_texts(where, patterns):
        if not any(fnmatchcase(name, pattern) for name in names):
            yield _no_configuration(path, pattern, names)


def _compared(
    where: str, table: Mapping[str, Any], names: Sequence[str], there: Sequence[str]
) -> Iterator[Problem]:
    """Look at the names of a comparison: those of the sweep, and those that are there to set them against."""
    all_alike = "*" if table.get("to_sweep") else None
    of, to = table.get("of", all_alike), table.get("to", all_alike)
    yield from _lacking(f"{where}.of", of, names)
    for _, pattern in named_texts("", of):
        found = [name for name in names if fnmatchcase(name, pattern)]
        others = {name: counterpart(name, pattern, to) for name in found if isinstance(to, str)}
        lacking = [other for other in others.values() if other not in there]
        if lacking and len(lacking) == len(others):
            sweep = f'sweep "{table["to_sweep"]}"' if all_alike else "the sweep"
            key = "to" if "to" in table or not all_alike else "to_sweep"
            yield _no_configuration(f"{where}.{key}", lacking[0], there, sweep)


def _no_configuration(where: str, name: str, names: Sequence[str], sweep: str = "the sweep") -> Problem:
    hint = did_you_mean(name, names, "configurations", NAMED) if names else "the study has none"
    return Problem(where, f'{sweep} has no configuration "{name}"', hint)


def on_configurations(chart: Chart, names: Sequence[str]) -> Chart:
    """Leave out of a chart what it says of configurations that there are not."""
    parts = []
    for part in chart.part:
        own = tuple(one for one in part.configurations if any(fnmatchcase(name, one) for name in names))
        parts += [part.model_copy(update={"configurations": own})] if own else []
    tables = ((one, one.model_dump(mode="json")) for one in chart.compare)
    compare = tuple(one for one, table in tables if not any(_compared("", table, names, names)))
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
        loads = every[sweep.name]
        hint = (
            f"outstanding I/Os in all are {listed_loads(loads)}"
            if loads
            else "open loops have no such loads: leave it out"
        )
        for place, compare in enumerate(sweep.chart.compare):
            own = () if compare.to_sweep else compare.loads
            for asked in (one for one in own if not has_load(one, loads)):
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
            loads = every.get(sweep.name, ())
            kept = tuple(asked for asked in one.loads if one.to_sweep or has_load(asked, loads))
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


def listed_loads(loads: Collection[float]) -> str:
    """List loads, the last of them behind an ellipsis where there are many."""
    found = [f"{load:.12g}" for load in sorted(loads)]
    return ", ".join(found[:NAMED]) + (f" … {found[-1]}" if found[NAMED:] else "")


def has_load(asked: str, loads: Collection[float]) -> bool:
    """Tell whether one of these loads is in a range; ``each`` and ``maximum`` ask for none."""
    low, dash, high = asked.partition("-")
    return not dash or any(int(low) <= load <= int(high) for load in loads)
