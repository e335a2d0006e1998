"""What a study sets against each other as a tidy table: a row a quotient."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from iodyno.analysis.against import Compared, Pair, against
from iodyno.analysis.columns.comparisons import COMPARISON_COLUMNS, ComparisonItem
from iodyno.analysis.common_load import by_total
from iodyno.analysis.estimate import Estimate
from iodyno.analysis.rows import Row
from iodyno.analysis.run import CurveAnalysis, RunAnalysis, analyse
from iodyno.analysis.two_sweeps import Beside, What, beside
from iodyno.rates import needed
from iodyno.store.records import StoredRun


def comparison_rows(stored: StoredRun) -> list[Row]:
    """Make the table of comparisons of a run, by :data:`COMPARISON_COLUMNS`; nothing where its study asks
    for none."""
    if not stored.results:
        return []
    return [{column.name: column.value(item) for column in COMPARISON_COLUMNS} for item in _items(stored)]


def comparisons_of(stored: StoredRun) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Yield what the study of a run sets against each other, each with the name of its sweep."""
    for sweep in stored.run.plan.study_source.get("sweep") or ():
        for compare in (sweep.get("chart") or {}).get("compare") or ():
            yield str(sweep.get("name")), compare


def _items(stored: StoredRun) -> Iterator[ComparisonItem]:
    analysis = analyse(stored)
    answered = [result.point for result in stored.results]
    planned = sorted((*answered, *needed(stored.run.plan, stored.results)), key=lambda point: point.index)
    for sweep, compare in comparisons_of(stored):
        if compare.get("to_sweep"):
            for pair in beside(analysis, sweep, compare, planned):
                yield from _of_two(compare, pair)
        else:
            yield from _of_one(analysis, sweep, compare)


def _of_two(compare: Mapping[str, Any], pair: Beside) -> Iterator[ComparisonItem]:
    for what, steps in pair.figures.items():
        for step in steps:
            yield ComparisonItem(
                title=str(compare["title"]),
                to_sweep=str(compare["to_sweep"]),
                item=pair.item,
                other=pair.other,
                loads=step.loads,
                figure=_figure(pair.item, what),
                one=step.one,
                two=step.other,
                quotient=step.compared.quotient,
            )


def _of_one(analysis: RunAnalysis, sweep: str, compare: Mapping[str, Any]) -> Iterator[ComparisonItem]:
    for pair in against(analysis.of_sweep(sweep), compare):
        for step in pair.steps:
            one, two = _mains(pair, step)
            yield ComparisonItem(
                title=str(compare["title"]),
                to_sweep=sweep,
                item=pair.item,
                other=pair.other,
                loads=step.loads,
                figure=_figure(pair.item, "main"),
                one=one,
                two=two,
                quotient=step.quotient,
            )


def _mains(pair: Pair, step: Compared) -> tuple[Estimate | None, Estimate | None]:
    if step.loads.several:
        return None, None
    if step.loads.maxima:
        return pair.item.maximum.at.main, pair.other.maximum.at.main
    mine, theirs = (by_total(item.curve)[step.loads.first].main for item in (pair.item, pair.other))
    return mine, theirs


def _figure(item: CurveAnalysis, what: What) -> str:
    """Name a figure by its column in the table of points."""
    if what == "main":
        throughput = item.curve.profile.shown_as == "throughput"
        return "throughput_mb_s" if throughput else "transaction_rate_io_s"
    kind = "response_time" if item.curve.open_loop else "latency"
    return f"{kind}_ms_{'mean' if what == 'time_mean' else 'p99'}"
