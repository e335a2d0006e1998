"""The table of comparisons: a row for each quotient that a study asks for."""

from __future__ import annotations

from dataclasses import dataclass

from iodyno.analysis.against import Loads
from iodyno.analysis.columns.column import Column
from iodyno.analysis.estimate import Estimate, Quotient
from iodyno.analysis.run import CurveAnalysis


@dataclass(frozen=True)
class ComparisonItem:
    """A quotient of a study's comparison."""

    title: str
    to_sweep: str
    item: CurveAnalysis
    other: CurveAnalysis
    loads: Loads
    figure: str
    """Name of the figure, with its unit."""
    one: Estimate | None
    """Of the first; none of a range of loads, and where it is not known."""
    two: Estimate | None
    quotient: Quotient | None


def _loads(item: ComparisonItem) -> str:
    loads = item.loads
    if loads.maxima:
        return "maximum"
    if loads.rate_io_s:
        return f"{loads.rate_io_s:.12g} IO/s"
    return f"{loads.first}-{loads.last}" if loads.several else str(loads.first)


def _value(estimate: Estimate | None) -> float | None:
    return None if estimate is None else estimate.value


def _end(item: ComparisonItem, *, high: bool) -> float | None:
    found = item.quotient
    if found is None or not found.known:
        return None
    return found.high if high else found.low


COMPARISON_COLUMNS: tuple[Column[ComparisonItem], ...] = (
    Column("comparison", str, "Title of the comparison", lambda i: i.title),
    Column("sweep", str, "Sweep of the first", lambda i: i.item.curve.sweep),
    Column("to_sweep", str, "Sweep of the second, which can be the same", lambda i: i.to_sweep),
    Column("profile", str, "Short name of the load profile", lambda i: i.item.curve.profile.name),
    Column(
        "system",
        str,
        "Virtual system of the first; empty where something was measured",
        lambda i: i.item.curve.first.system or "",
    ),
    Column("to_system", str, "Virtual system of the second", lambda i: i.other.curve.first.system or ""),
    Column("targets", str, "Paths of the first's targets", lambda i: " ".join(_paths(i))),
    Column("workers", int, "Workers", lambda i: i.item.curve.first.workers),
    Column(
        "loads",
        str,
        "Outstanding I/Os in all, a range of them, the rate asked for, or maximum over all loads",
        _loads,
    ),
    Column(
        "figure",
        str,
        "What is divided: a column of the table of points, in its unit",
        lambda i: i.figure,
    ),
    Column("value", float, "The figure of the first; empty of a range of loads", lambda i: _value(i.one)),
    Column("to_value", float, "The figure of the second", lambda i: _value(i.two)),
    Column(
        "quotient", float, "First ÷ second; of a range of loads the mean", lambda i: _quotient(i.quotient)
    ),
    Column(
        "quotient_low",
        float,
        "Lower end of its interval; empty where none is known",
        lambda i: _end(i, high=False),
    ),
    Column("quotient_high", float, "Upper end of its interval", lambda i: _end(i, high=True)),
)
"""Columns of the table of comparisons."""


def _paths(item: ComparisonItem) -> list[str]:
    return [target.path for target in item.item.curve.first.targets]


def _quotient(found: Quotient | None) -> float | None:
    return None if found is None else found.value
