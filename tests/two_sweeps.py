"""A database alone and beside its backup: the study, and runs of it whose figures are made up."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from factories import make_reading, make_result, make_run, summed
from iodyno.plan import Plan, Point
from iodyno.reading import PointResult
from iodyno.report.context import Context
from iodyno.report.messages import Messages
from iodyno.store.records import StoredRun
from iodyno.study import Overrides, parse_study, plan_study
from iodyno.targets import Target

STUDY = """
schema = 1
name = "backup"
title = "A database beside its backup"
[[sweep]]
name = "alone"
title = "Database alone"
profiles = "database"
outstanding = [1, 8]
[[sweep]]
name = "beside"
title = "Beside a backup"
profiles = "database"
outstanding = [1, 8]
[[sweep.beside]]
profile = "streaming"
outstanding = 4
[[sweep.chart.compare]]
title = "What the backup costs"
to_sweep = "alone"
"""
OF_ALONE = "outstanding = [1, 8]"


def planned(text: str = STUDY, *paths: str, choices: Overrides | None = None) -> Plan:
    """Plan a study on files of 1 GB each."""
    found = [
        {"path": path, "asked": path, "kind": "file", "size_bytes": 1 << 30} for path in paths or ("/data",)
    ]
    return plan_study(parse_study(text), [Target.model_validate(item) for item in found], choices)


def answered(plan: Plan, rate: Callable[[Point], float], half_width: float | None = 0.01) -> StoredRun:
    """Answer each point of a plan: its first load with a rate, what runs beside it with 100 IO/s."""
    results = tuple(_answer(point, rate(point), half_width) for point in plan.points)
    return StoredRun(run=make_run(plan, status="finished"), results=results)


def _answer(point: Point, rate_io_s: float, half_width: float | None) -> PointResult:
    first, *others = point.loads
    reading = make_reading(first, rate_io_s=rate_io_s, half_width=half_width)
    if not others:
        return make_result(point, reading=reading)
    return make_result(
        point, reading=summed([reading, *(make_reading(load, rate_io_s=100.0) for load in others)])
    )


def by_sweep(rates: Mapping[str, Mapping[float, float]]) -> Callable[[Point], float]:
    """Give the rates of points by their sweep and their load."""
    return lambda point: rates[point.sweep][point.loads[0].rate_io_s or point.outstanding]


COSTS = by_sweep({"alone": {1: 1000.0, 8: 4000.0}, "beside": {1: 250.0, 8: 2000.0}})
"""A quarter of the rate is left at 1 outstanding I/O, and half at 8."""


def context(run: StoredRun, language: str = "en") -> Context:
    """Give what sections are made from."""
    from iodyno.analysis.run import analyse

    return Context(run, analyse(run), Messages(language))


def compare_of(run: StoredRun, place: int = 1) -> Mapping[str, object]:
    """Give the comparison of a sweep."""
    sweeps: Sequence[Mapping[str, Mapping[str, Sequence[Mapping[str, object]]]]]
    sweeps = run.run.plan.study_source["sweep"]
    return sweeps[place]["chart"]["compare"][0]
