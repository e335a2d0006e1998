"""A sweep set against another one: what the load beside costs, in rate and in response time."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from iodyno.analysis.against import Compared, Loads, compared
from iodyno.analysis.common_load import by_total
from iodyno.analysis.curves import Curve
from iodyno.analysis.estimate import Estimate
from iodyno.analysis.figures import PointFigures
from iodyno.analysis.run import CurveAnalysis, RunAnalysis
from iodyno.plan import Point
from iodyno.study.two_sweeps import Alike, common_loads, load_of, pairs

What = Literal["main", "time_mean", "time_p99"]
"""The profile's main figure; mean and 99th percentile of the latency, or of the response time where the load
is a rate."""
TAIL = 0.99


@dataclass(frozen=True)
class Step:
    """A figure of both at some loads."""

    compared: Compared
    one: Estimate | None
    """Of the sweep that is set against the other; none of a range of loads, and where it is not known."""
    other: Estimate | None

    @property
    def loads(self) -> Loads:
        """Which loads it is of."""
        return self.compared.loads


@dataclass(frozen=True)
class Beside:
    """A curve of a sweep and the one of the other that is asked the same."""

    item: CurveAnalysis
    other: CurveAnalysis
    figures: Mapping[What, tuple[Step, ...]]
    """By figure, those that are known of both at one load at least; each has the same loads."""

    @property
    def open_loop(self) -> bool:
        """Whether the load is a rate."""
        return self.item.curve.open_loop

    @property
    def worst(self) -> tuple[Loads, dict[What, Compared]] | None:
        """The load at which most is lost, by the main figure of a closed loop and by the response time of an
        open one, with all quotients that have an interval there; none where no quotient has one."""
        by_time = self.open_loop and "time_p99" in self.figures
        steps = [step.compared for step in self.figures.get("time_p99" if by_time else "main", ())]
        known = [step for step in steps if step.quotient is not None and step.relation != "unknown"]
        if not known:
            return None
        most = (max if by_time else min)(known, key=lambda step: step.quotient.value if step.quotient else 0)
        at = {
            what: step.compared
            for what, of in self.figures.items()
            for step in of
            if step.loads == most.loads and step.compared.quotient and step.compared.quotient.known
        }
        return most.loads, at


@dataclass(frozen=True)
class Unmade:
    """Two curves that cannot be set against each other as asked: the run lacks points of one."""

    points: Alike
    """As planned."""
    partly: bool
    """Whether some of their loads are compared."""


def beside(
    analysis: RunAnalysis, sweep: str, compare: Mapping[str, Any], planned: Sequence[Point]
) -> tuple[Beside, ...]:
    """Set the curves of a sweep against those of another that are asked the same.

    Parameters
    ----------
    analysis
        The run.
    sweep
        Name of the sweep.
    compare
        An entry of its ``chart.compare`` that names another sweep.
    planned
        The points of both that the run has, or has still to answer.

    Returns
    -------
    tuple of Beside
        In the order of the plan; without those that have no load in common.
    """
    made = []
    for pair in _planned(sweep, compare, planned):
        one, other = (_curve_of(analysis, points) for points in pair)
        if one is None or other is None:
            continue
        figures = {what: tuple(_steps(one, other, compare["loads"], of)) for what, of in _FIGURES.items()}
        known = {what: steps for what, steps in figures.items() if any(map(_is_told, steps))}
        if known:
            made.append(Beside(one, other, known))
    return tuple(made)


def unmade(
    analysis: RunAnalysis, sweep: str, compare: Mapping[str, Any], planned: Sequence[Point]
) -> tuple[Unmade, ...]:
    """Give the curves that a study sets against each other and of which the run lacks points; parameters are
    those of :func:`beside`."""
    made = []
    there = {at.planned.index for item in analysis.curves for at in item.curve.points}
    for pair in _planned(sweep, compare, planned):
        if all(point.index in there for points in pair for point in points):
            continue
        answered = Alike(*(tuple(point for point in points if point.index in there) for points in pair))
        partly = bool(common_loads(answered)) and "each" in compare["loads"]
        made.append(Unmade(pair, partly))
    return tuple(made)


def _planned(sweep: str, compare: Mapping[str, Any], planned: Sequence[Point]) -> list[Alike]:
    own = [point for point in planned if point.sweep == sweep]
    others = [point for point in planned if point.sweep == compare["to_sweep"]]
    return pairs(own, others, compare)


def _curve_of(analysis: RunAnalysis, points: Sequence[Point]) -> CurveAnalysis | None:
    indices = {point.index for point in points}
    found = (item for item in analysis.curves if any(at.planned.index in indices for at in item.curve.points))
    return next(found, None)


def _is_told(step: Step) -> bool:
    return step.compared.quotient is not None


Figure = Callable[[PointFigures], Estimate | None]


def _time_mean(at: PointFigures) -> Estimate | None:
    if at.point.rate_io_s is None:
        return at.latency_ms_mean if at.latency_ms_mean.value else None
    mean = at.response_time_ms_mean
    return None if mean is None else Estimate(mean)


def _time_p99(at: PointFigures) -> Estimate | None:
    if at.point.rate_io_s is not None:
        return at.response_time_ms_p99
    value = at.latency_ms_at(TAIL)
    return None if value is None else Estimate(value)


_FIGURES: dict[What, Figure] = {
    "main": lambda at: at.main,
    "time_mean": _time_mean,
    "time_p99": _time_p99,
}


def _by_load(curve: Curve) -> dict[float, PointFigures]:
    if not curve.open_loop:
        return {float(total): at for total, at in by_total(curve).items()}
    return {load: at for at in curve.points if (load := load_of(at.point)) is not None}


def _steps(one: CurveAnalysis, other: CurveAnalysis, loads: Sequence[str], figure: Figure) -> Iterator[Step]:
    mine, theirs = _by_load(one.curve), _by_load(other.curve)
    common = sorted(mine.keys() & theirs.keys())
    for asked in loads:
        if asked == "maximum":
            if all(item.whole and (item.answered or not item.asked) for item in (one, other)):
                yield _step(Loads(), [(one.maximum.at, other.maximum.at)], figure)
        elif asked == "each":
            for load in common:
                at = Loads(rate_io_s=load) if one.curve.open_loop else Loads(int(load), int(load))
                yield _step(at, [(mine[load], theirs[load])], figure)
        else:
            first, last = map(int, asked.split("-"))
            within = [(mine[load], theirs[load]) for load in common if first <= load <= last]
            if one.whole and other.whole and within and not one.curve.open_loop:
                yield _step(Loads(first, last), within, figure)


def _step(loads: Loads, points: Sequence[tuple[PointFigures, PointFigures]], figure: Figure) -> Step:
    pairs_of = [(figure(mine), figure(theirs)) for mine, theirs in points]
    known = [(mine, theirs) for mine, theirs in pairs_of if mine is not None and theirs is not None]
    if len(known) < len(pairs_of):
        one, other = pairs_of[0] if len(pairs_of) == 1 else (None, None)
        return Step(Compared(loads, None, "unknown"), one, other)
    one, other = known[0] if not loads.several else (None, None)
    return Step(compared(loads, known), one, other)
