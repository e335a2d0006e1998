"""Two runs side by side: which figures differ, and whether the intervals show it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from iodyno.analysis.conditioning import counted, was_lost
from iodyno.analysis.estimate import Quotient, quotient
from iodyno.analysis.figures import PointFigures, point_figures
from iodyno.analysis.matching import definition, matched, method
from iodyno.conditioned import since_lost, times_filled
from iodyno.errors import Problem
from iodyno.plan import Point
from iodyno.reading import PointResult
from iodyno.store.records import StoredRun
from iodyno.virtual import VirtualSystem

Outcome = Literal["faster", "slower", "no difference shown", "unknown"]


OTHER_NUMBERS = " with other numbers"
"""What stands behind the name of a system that both runs have, and that is not the same in both."""


@dataclass(frozen=True)
class Difference:
    """A difference of method: it may explain a difference of figures."""

    what: str
    """Of a point ``profile``, ``kind``, ``area``, ``size``, ``direct``, ``engine``, ``workers``, ``arrival``,
    ``beginning``, ``verify``, ``data``; of a run ``conditioning``, ``build``, ``version``, ``simulated``,
    ``tool``, ``system``."""
    base: str
    other: str


@dataclass(frozen=True)
class Compared:
    """A point of one run beside the same point of another."""

    base: PointFigures
    other: PointFigures
    ratio: Quotient | None
    """Main figure of the other ÷ that of the base; none where nothing was completed."""
    latency_ratio: Quotient | None
    """Mean latency of the other ÷ that of the base."""
    response_ratio: Quotient | None
    """99th percentile of the response time of the other ÷ that of the base; open loops only."""
    outcome: Outcome
    """Of the other against the base: by the main figure; of open loops, which both are asked the same, by the
    99th percentile of the response time, unless one of them did not serve the rate."""
    differences: tuple[Difference, ...]
    """What was done differently at this point."""

    @property
    def loss(self) -> float:
        """What the other is slower by, as a share; negative where it is faster.

        Of the main figure; of open loops that served their rate, of the response time.
        """
        if self.response_ratio is not None and self.by_response:
            return self.response_ratio.value - 1
        return 1 - self.ratio.value if self.ratio else 0.0

    @property
    def by_response(self) -> bool:
        """Whether the response time decides, and not the main figure."""
        return _both_open(self.base, self.other) and _served(self.base) and _served(self.other)


@dataclass(frozen=True)
class Comparison:
    """A run beside another."""

    base: str
    """Id of the run that is compared against."""
    other: str
    points: tuple[Compared, ...]
    """Matched points, in the order of the base's plan."""
    differences: tuple[Difference, ...]
    """Differences of method between the runs, and every one of any point, once."""
    only_base: tuple[Point, ...]
    """Points that the other run lacks."""
    only_other: tuple[Point, ...]
    why_none: Problem | None = None
    """Why nothing has a counterpart, and what helps: of a comparison without points, by who tells of it."""

    def count(self, outcome: Outcome) -> int:
        """Count the points with an outcome."""
        return sum(point.outcome == outcome for point in self.points)


def compare(base: StoredRun, other: StoredRun) -> Comparison:
    """Compare a run with another, point by point.

    Points match where profile name, workers, number of targets, outstanding I/Os and rate
    are the same; which targets they are does not matter, that is what is compared. A rate that is
    a share of what the target can serve matches the same share, whatever it came to. Two runs on one
    virtual system each match whatever these are called; where a run has several, points of equally named
    ones match, and none where the other was measured. An area that one of them names is the same as all of a
    target that is as large. Of several loads at once all are the same, and share
    targets in the same way. Beside an imported run profiles are the same that access the same, whatever they
    are called.

    Parameters
    ----------
    base, other
        Two runs with results.

    Returns
    -------
    Comparison
        A ratio above 1 means that the other run is faster, if its interval says so.
    """
    pairs = matched(base, other)
    points = tuple(_compared(*pair) for pair in pairs)
    every = (
        _run_differences(base, other)
        + _system_differences(base, other, pairs)
        + tuple(difference for point in points for difference in point.differences)
    )
    of_base, of_other = ({pair[side].point.index for pair in pairs} for side in (0, 1))
    return Comparison(
        base=base.run.id,
        other=other.run.id,
        points=points,
        differences=tuple(dict.fromkeys(every)),
        only_base=tuple(item.point for item in base.results if item.point.index not in of_base),
        only_other=tuple(item.point for item in other.results if item.point.index not in of_other),
    )


def slower_by(comparison: Comparison, share: float) -> tuple[Compared, ...]:
    """Give the points at which the other run is slower by more than a share.

    Parameters
    ----------
    comparison
        Two runs side by side.
    share
        0.05: the rate or throughput of the other is below 95 % of that of the base, or, of open loops, the
        99th percentile of its response time is above 105 %; and the interval of the ratio leaves out 1.

    Examples
    --------
    >>> slower_by(Comparison("a", "b", (), (), (), ()), 0.05)
    ()
    """
    return tuple(point for point in comparison.points if point.outcome == "slower" and point.loss > share)


def hidden_from(comparison: Comparison, share: float) -> tuple[Compared, ...]:
    """Give the points that could hide a loss of a share: no ratio is known, or its interval is too wide.

    Parameters
    ----------
    comparison
        Two runs side by side.
    share
        0.05: had the other lost 5 %, the interval of the ratio, as wide as it is, would hold 1. At 0 none is
        given: a loss of nothing can be shown by no interval.

    Examples
    --------
    >>> hidden_from(Comparison("a", "b", (), (), (), ()), 0.05)
    ()
    """

    def hides(point: Compared) -> bool:
        ratio = point.response_ratio if point.by_response else point.ratio
        if point.outcome == "slower":
            return False
        if ratio is None or not ratio.value:
            return True
        if point.by_response:
            return ratio.low / ratio.value * (1 + share) <= 1
        return ratio.high / ratio.value * (1 - share) >= 1

    return tuple(point for point in comparison.points if share and hides(point))


LEAST_DIFFERENCE = 0.001
"""A ratio nearer to 1 than this is no difference, however narrow its interval: of a stream without variation
that is narrower than what the ends of the measured part are worth."""


def outcome(ratio: Quotient | None) -> Outcome:
    """Tell what a ratio with its interval allows to be said.

    Examples
    --------
    >>> outcome(Quotient(1.05, 1.01, 1.09)), outcome(Quotient(1.05, 0.99, 1.11))
    ('faster', 'no difference shown')
    >>> outcome(Quotient(0.9997, 0.9996, 0.9998)), outcome(Quotient(0.9, 0.4, float("inf")))
    ('no difference shown', 'no difference shown')
    """
    if ratio is None or not ratio.bounded:
        return "unknown"
    if abs(ratio.value - 1) < LEAST_DIFFERENCE:
        return "no difference shown"
    if ratio.low > 1:
        return "faster"
    return "slower" if ratio.high < 1 else "no difference shown"


def _both_open(base: PointFigures, other: PointFigures) -> bool:
    return base.point.rate_io_s is not None and other.point.rate_io_s is not None


def _served(item: PointFigures) -> bool:
    """Tell whether an open loop had the rate that was asked for."""
    return not item.overloaded


def _decided(
    of_base: PointFigures, of_other: PointFigures, by_main: Outcome, response: Quotient | None
) -> Outcome:
    """Tell by what both did: of open loops the response time, unless one of them could not serve the rate."""
    if not _both_open(of_base, of_other) or not _served(of_base) or not _served(of_other):
        return by_main
    return outcome(response.inverse if response and response.value else None)


def _compared(base: PointResult, other: PointResult) -> Compared:
    of_base, of_other = point_figures(base), point_figures(other)
    ratio = quotient(of_other.main, of_base.main)
    response = _response(of_base, of_other)
    return Compared(
        base=of_base,
        other=of_other,
        ratio=ratio,
        latency_ratio=quotient(of_other.latency_ms_mean, of_base.latency_ms_mean),
        response_ratio=response,
        outcome=_decided(of_base, of_other, outcome(ratio), response),
        differences=_of_method(base, other),
    )


def _of_method(base: PointResult, other: PointResult) -> tuple[Difference, ...]:
    """Name what was done differently at a point; of the definitions of profiles only what differs."""
    found = _differing(method(base), method(other))
    if not found or found[0].what != "profile":
        return found
    texts: tuple[list[str], list[str]] = ([], [])
    for profiles in zip(base.point.profiles, other.point.profiles, strict=True):
        first, second = map(definition, profiles)
        for name in first:
            if first[name] != second[name]:
                texts[0].append(f"{name} {first[name]}")
                texts[1].append(f"{name} {second[name]}")
    return (Difference("profile", *map(", ".join, texts)), *found[1:])


def _response(base: PointFigures, other: PointFigures) -> Quotient | None:
    of_base, of_other = base.response_time_ms_p99, other.response_time_ms_p99
    return quotient(of_other, of_base) if of_base and of_other else None


TIMES = ("not at all", "once", "twice")
"""How often a target was filled, in words."""


def conditioning_of(stored: StoredRun) -> str:
    """Say what was done to the targets before they were measured, in words that two runs can be compared by.

    Numbers of rounds are left out: the same rule takes as many as the target needs. What was undone while
    the run went on is told as what had been done, and that it was lost.
    """
    steps = stored.conditioning
    paths = dict.fromkeys(target.path for point in stored.run.plan.points for target in point.targets)
    kept = {path: counted(steps, path) for path in paths}
    filled = dict.fromkeys(times_filled(kept[path], path) for path in paths)
    kinds = {step.kind for path in paths for step in since_lost(kept[path], path)}
    for one in kept.values():  # a round may have no look at its targets
        last = max((place for place, step in enumerate(one) if step.kind == "lost"), default=-1)
        kinds |= {step.kind for step in one[last + 1 :]}
    said = [
        "purged" if "purged" in kinds else "",
        f"filled {' or '.join(TIMES[times] for times in sorted(filled))}" if any(filled) else "",
        "rounds of load" if "round" in kinds else "",
    ]
    done = ", ".join(part for part in said if part) or "none"
    return f"{done}, lost during the run" if was_lost(stored) else done


def _run_differences(base: StoredRun, other: StoredRun) -> tuple[Difference, ...]:
    def facts(stored: StoredRun) -> dict[str, str]:
        return {
            "conditioning": conditioning_of(stored),
            "build": stored.run.tool.build_profile,
            "version": stored.run.tool.version,
            "simulated": "simulated" if stored.run.simulated else "measured",
            "tool": stored.run.imported or "iodyno",
        }

    return _differing(facts(base), facts(other))


def _system_differences(
    base: StoredRun, other: StoredRun, pairs: Iterable[tuple[PointResult, PointResult]]
) -> tuple[Difference, ...]:
    """Name virtual systems that stand beside each other and are not the same, by name or by what they are."""
    of_base, of_other = base.run.plan.systems, other.run.plan.systems
    found: list[Difference] = []
    for first, second in dict.fromkeys((one.point.system, two.point.system) for one, two in pairs):
        if first is None or second is None:
            continue
        if first != second:
            found.append(Difference("system", first, second))
        elif _without_name(of_base[first]) != _without_name(of_other[second]):
            found.append(Difference("system", first, f"{second}{OTHER_NUMBERS}"))
    return tuple(found)


def _without_name(system: VirtualSystem) -> VirtualSystem:
    return system.model_copy(update={"name": ""})


def _differing(base: dict[str, str], other: dict[str, str]) -> tuple[Difference, ...]:
    return tuple(Difference(what, base[what], other[what]) for what in base if base[what] != other[what])
