"""Everything that a report needs of one run, computed once."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable
from dataclasses import dataclass, replace
from functools import cached_property

from iodyno.analysis.anomalies import Anomaly, anomalies
from iodyno.analysis.bottleneck import Limit, Limited, limited
from iodyno.analysis.causes import Gathered, gathered
from iodyno.analysis.configurations import configuration_title, volumes_of
from iodyno.analysis.curves import Curve, curves, is_unfinished, unfinished
from iodyno.analysis.distribution import Share, distribution
from iodyno.analysis.estimate import Quotient
from iodyno.analysis.figures import PointFigures, point_figures
from iodyno.analysis.knee import Knee, knee
from iodyno.analysis.maxima import Maximum, maximum
from iodyno.analysis.saturation import Saturation, growth, saturation
from iodyno.analysis.scaling import ScalingOf, scalings
from iodyno.analysis.targets import TargetFigures, target_figures
from iodyno.analysis.timeseries import Window, windows
from iodyno.errors import refuse_types
from iodyno.histogram import Histogram
from iodyno.plan import SearchStep
from iodyno.rates import Search, answers, needed, searches
from iodyno.reading import Findings, PointResult, Series, State
from iodyno.store.records import A_RUN, StoredRun


@dataclass(frozen=True)
class CurveAnalysis:
    """A curve and what can be said about it."""

    curve: Curve
    maximum: Maximum
    """Where there is none it is the highest rate that was offered, and of a search its answer, the highest
    rate that kept the limit."""
    saturation: Saturation
    growth: Quotient | None
    """None of a search: its answer is no maximum that the load grows to."""
    knee: Knee | None
    """None of an open loop: its rates are asked for, and no balance that it finds."""
    anomalies: tuple[Anomaly, ...]
    limits: tuple[Limited, ...]
    """One for each point of the curve."""
    causes: tuple[Gathered, ...]
    """What its verdicts name."""
    histograms: tuple[Histogram, ...]
    """Latencies of each point of the curve, in ns."""
    answered: bool
    """Whether the maximum is the answer of a search."""
    series: Series
    """What the point with the maximum did in time."""
    whole: bool = True
    """Whether the run has all of its points: where it ended before, the maximum is that of those that there
    are."""
    targets_at_maximum: tuple[TargetFigures, ...] = ()
    """Each target at that point; empty where there is only one."""

    @cached_property
    def distributions(self) -> tuple[tuple[Share, ...], ...]:
        """One for each point of the curve."""
        return tuple(distribution(histogram) for histogram in self.histograms)

    @cached_property
    def series_at_maximum(self) -> tuple[Window, ...]:
        """The time series of the point with the maximum."""
        return windows(self.series)

    @property
    def searched(self) -> bool:
        """Whether its rates are the steps of a search for the highest one that keeps a limit."""
        return _searched(self.curve)

    @property
    def asked(self) -> bool:
        """Whether it is an open loop without a rate that is not served, or the steps of a search: its
        figures are no maxima."""
        return _asked(self.curve)

    @property
    def states(self) -> dict[str, int]:
        """How many points have each state of a verdict; every state is there."""
        return _states(self.curve.points)


@dataclass(frozen=True)
class RunAnalysis:
    """A run's figures."""

    curves: tuple[CurveAnalysis, ...]
    states: dict[str, int]
    """How many points have each state of a verdict; every state is there."""
    optimised: bool
    direct: bool
    """Whether every point bypassed the caches of the operating system."""
    points: int
    planned: int
    """Points in the plan, without those that a search did not need."""
    measured_s: float
    """Measured seconds of all points."""
    completed: int
    """I/Os of all points."""
    errors: int
    corruptions: int
    """Places whose data came back wrong, of all points that were verified."""
    verified: bool
    """Whether every point was verified."""
    trimmed_share: float
    """Share of what was read back to verify it, 0 to 1, that was trimmed and was not compared."""
    causes: tuple[Gathered, ...]
    """What the verdicts of all points name."""

    scalings: tuple[ScalingOf, ...] = ()
    """Where curves differ in their workers alone."""
    searches: tuple[Search, ...] = ()
    """Searches for the highest rate that keeps a limit."""

    @property
    def measured_min(self) -> float:
        """Measured minutes of all points."""
        return self.measured_s / 60

    @property
    def sweeps(self) -> tuple[str, ...]:
        """Names of the sweeps, in the order of the plan."""
        return tuple(dict.fromkeys(item.curve.sweep for item in self.curves))

    @property
    def one_load(self) -> bool:
        """Whether every curve has one load alone, which is its lowest and its highest."""
        return all(len(item.curve.points) == 1 for item in self.curves)

    def limited_by(self, limit: Limit) -> int:
        """Count the points that something limited, without those that were disturbed: of these nothing is
        concluded."""
        return sum(
            found.by == limit and found.at.verdict.state != "disturbed"
            for item in self.curves
            for found in item.limits
        )

    def named(self, code: str) -> int:
        """Count the points whose verdict names a cause or note."""
        return sum(item.count for item in self.causes if item.code == code)

    def of_sweep(self, sweep: str) -> tuple[CurveAnalysis, ...]:
        """Give the curves of a sweep."""
        return tuple(item for item in self.curves if item.curve.sweep == sweep)


STATES: tuple[State, ...] = ("steady", "capped", "not_steady", "disturbed")
"""States of a verdict in the order in which they are shown; imported points have none of them."""


def analyse(stored: StoredRun) -> RunAnalysis:
    """Compute the figures of a run.

    Parameters
    ----------
    stored
        A run with the results that it has; at least one.

    Returns
    -------
    RunAnalysis
        In shown units throughout.

    Raises
    ------
    ArgumentError
        If it is no run.
    """
    refuse_types(stored=(stored, A_RUN, (StoredRun,)))
    results = {result.point.index: result.loads[0] for result in stored.results}
    plan = stored.run.plan
    titles = {name: configuration_title(plan, name) for name in plan.systems}
    found = curves((point_figures(result) for result in stored.results), titles, volumes_of(plan))
    answering = answers(stored.results)
    left = needed(plan, stored.results)
    lacking = unfinished(left)
    analysed = tuple(
        replace(_curve(curve, results, answering), whole=not is_unfinished(curve, lacking)) for curve in found
    )
    return RunAnalysis(
        curves=analysed,
        states=_states(stored.results),
        optimised=stored.run.tool.optimised,
        direct=all(result.reading.engine.direct for result in stored.results),
        points=len(stored.results),
        planned=len(stored.results) + len(left),
        measured_s=sum(result.reading.measured_s for result in stored.results),
        completed=sum(result.reading.completed for result in stored.results),
        errors=sum(result.reading.errors for result in stored.results),
        corruptions=sum(result.reading.corruptions for result in stored.results),
        verified=all(result.reading.integrity is not None for result in stored.results),
        trimmed_share=_trimmed_share(stored.results),
        scalings=scalings(
            (item.curve, item.maximum.at.main) for item in analysed if item.whole and not item.asked
        ),
        causes=gathered(point for curve in found for point in curve.points),
        searches=tuple(searches(stored.results)),
    )


def _trimmed_share(results: Iterable[PointResult]) -> float:
    integrities = [result.reading.integrity for result in results if result.reading.integrity]
    found = Findings.merged(integrity.all for integrity in integrities)
    return found.trimmed_bytes / max(found.trimmed_bytes + found.checked_bytes, 1)


def _states(judged: Iterable[PointFigures | PointResult]) -> dict[str, int]:
    counts = Counter[str](item.verdict.state for item in judged)
    every = (*STATES, "not_judged") if counts["not_judged"] else STATES
    return {state: counts[state] for state in every}


def _searched(curve: Curve) -> bool:
    return isinstance(curve.first.rate_from, SearchStep)


def _asked(curve: Curve) -> bool:
    return _searched(curve) or (curve.open_loop and not any(at.overloaded for at in curve.points))


def _curve(curve: Curve, results: dict[int, PointResult], answering: Collection[int]) -> CurveAnalysis:
    """Analyse a curve; of a search the maximum is its answer: rates that broke the limit are none. Nothing
    else is said of the answer as of a maximum: higher rates that are served stand beside it."""
    points, searched = curve.points, _searched(curve)
    own = [results[item.point.index] for item in points]
    answer = [item for item in points if item.point.index in answering]
    top = maximum(answer or (points[-1:] if _asked(curve) else points))
    saturated = saturation(points)
    return CurveAnalysis(
        curve=curve,
        maximum=top,
        saturation=saturated,
        growth=None if searched else growth(points),
        knee=None if curve.open_loop else knee(points),
        anomalies=() if searched else anomalies(points),
        limits=tuple(limited(item, saturated, alone=len(points) == 1) for item in points),
        causes=gathered(points),
        histograms=tuple(result.reading.latency for result in own),
        answered=bool(answer),
        series=results[top.at.point.index].reading.series,
        targets_at_maximum=target_figures(results[top.at.point.index]),
    )
