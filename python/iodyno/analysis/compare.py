"""Two runs side by side: which figures differ, and whether the intervals show it."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Literal, TypeAlias

from iodyno.analysis.estimate import Quotient, quotient
from iodyno.analysis.figures import PointFigures, point_figures
from iodyno.plan import Point
from iodyno.profiles import LoadProfile
from iodyno.reading import PointResult
from iodyno.store.records import StoredRun

Outcome = Literal["faster", "slower", "no difference shown", "unknown"]
Key: TypeAlias = tuple[str, str, int, int, int, float, int]
"""System where there are several, profile, workers, targets, outstanding, rate, and which of several such."""


@dataclass(frozen=True)
class Difference:
    """A difference of method: it may explain a difference of figures."""

    what: str
    """Of a point ``profile``, ``kind``, ``area``, ``size``, ``direct``, ``engine``, ``verify``, ``data``; of
    a run ``build``, ``version``, ``simulated``, ``tool``."""
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
    outcome: Outcome
    """Of the other against the base."""
    differences: tuple[Difference, ...]
    """What was done differently at this point."""


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

    def count(self, outcome: Outcome) -> int:
        """Count the points with an outcome."""
        return sum(point.outcome == outcome for point in self.points)


def compare(base: StoredRun, other: StoredRun) -> Comparison:
    """Compare a run with another, point by point.

    Points match where profile name, workers, number of targets, outstanding I/Os and rate
    are the same; which targets they are does not matter, that is what is compared. Where
    both runs have several virtual systems, points of equally named ones match.

    Parameters
    ----------
    base, other
        Two runs with results.

    Returns
    -------
    Comparison
        A ratio above 1 means that the other run is faster, if its interval says so.
    """
    several = min(len(base.run.plan.systems), len(other.run.plan.systems)) > 1
    of_base, of_other = _by_key(base, several), _by_key(other, several)
    points = tuple(_compared(result, of_other[key]) for key, result in of_base.items() if key in of_other)
    every = _run_differences(base, other) + tuple(
        difference for point in points for difference in point.differences
    )
    return Comparison(
        base=base.run.id,
        other=other.run.id,
        points=points,
        differences=tuple(dict.fromkeys(every)),
        only_base=tuple(result.point for key, result in of_base.items() if key not in of_other),
        only_other=tuple(result.point for key, result in of_other.items() if key not in of_base),
    )


def slower_by(comparison: Comparison, share: float) -> tuple[Compared, ...]:
    """Give the points at which the other run is slower by more than a share.

    Parameters
    ----------
    comparison
        Two runs side by side.
    share
        0.05: the rate or throughput of the other is below 95 % of that of the base, and the interval of the
        ratio leaves out 1.

    Examples
    --------
    >>> slower_by(Comparison("a", "b", (), (), (), ()), 0.05)
    ()
    """
    return tuple(
        point
        for point in comparison.points
        if point.outcome == "slower" and point.ratio is not None and point.ratio.value < 1 - share
    )


def outcome(ratio: Quotient | None) -> Outcome:
    """Tell what a ratio with its interval allows to be said.

    Examples
    --------
    >>> outcome(Quotient(1.05, 1.01, 1.09)), outcome(Quotient(1.05, 0.99, 1.11))
    ('faster', 'no difference shown')
    """
    if ratio is None or not ratio.known:
        return "unknown"
    if ratio.low > 1:
        return "faster"
    return "slower" if ratio.high < 1 else "no difference shown"


def _by_key(stored: StoredRun, by_system: bool) -> dict[Key, PointResult]:
    seen: Counter[tuple[str, str, int, int, int, float]] = Counter()
    found: dict[Key, PointResult] = {}
    for result in sorted(stored.results, key=lambda result: result.point.index):
        point = result.point
        key = (
            (point.system or "") if by_system else "",
            point.profile.name,
            point.workers,
            len(point.targets),
            point.outstanding,
            point.rate_io_s or 0.0,
        )
        found[key + (seen[key],)] = result  # noqa: RUF005 - keeps the type of the tuple
        seen[key] += 1
    return found


def _compared(base: PointResult, other: PointResult) -> Compared:
    of_base, of_other = point_figures(base), point_figures(other)
    ratio = quotient(of_other.main, of_base.main)
    return Compared(
        base=of_base,
        other=of_other,
        ratio=ratio,
        latency_ratio=quotient(of_other.latency_ms_mean, of_base.latency_ms_mean),
        outcome=outcome(ratio),
        differences=_differing(_method(base), _method(other)),
    )


_NO_DEFINITION = {
    "name", "title", "stands_for", "area", "data", "data_compressible_share", "data_duplicate_share",
    "source", "assumed",
}  # fmt: skip
"""Fields of a profile that do not define its accesses, or are compared by themselves."""


def _method(result: PointResult) -> dict[str, str]:
    """Give what a point's method is, in words that two points can be compared by."""
    point, engine = result.point, result.reading.engine
    targets = point.targets
    profile = point.profile
    definition = profile.model_dump(exclude=_NO_DEFINITION)
    definition["distribution"] = profile.distribution
    return {
        "profile": " ".join(f"{name}={value}" for name, value in definition.items()),
        "kind": ", ".join(target.kind for target in targets),
        "area": ", ".join(f"{target.area_start_bytes}+{target.area_length_bytes}" for target in targets)
        + ("" if point.workers_area == "shared" else f", {point.workers_area}"),
        "size": ", ".join(str(target.size_bytes) for target in targets),
        "direct": "direct" if engine.direct else "buffered",
        "engine": engine.name,
        "verify": "verified" if point.verify else "not verified",
        "data": _data(profile),
    }


def _data(profile: LoadProfile) -> str:
    """Write what is written, with the shares that compress or repeat."""
    shares = profile.data_compressible_share, profile.data_duplicate_share
    return profile.data if not any(shares) else f"{shares[0]:g} compressible, {shares[1]:g} duplicate"


def _run_differences(base: StoredRun, other: StoredRun) -> tuple[Difference, ...]:
    def facts(stored: StoredRun) -> dict[str, str]:
        return {
            "build": stored.run.tool.build_profile,
            "version": stored.run.tool.version,
            "simulated": "simulated" if stored.run.simulated else "measured",
            "tool": stored.run.imported or "iodyno",
        }

    return _differing(facts(base), facts(other))


def _differing(base: dict[str, str], other: dict[str, str]) -> tuple[Difference, ...]:
    return tuple(Difference(what, base[what], other[what]) for what in base if base[what] != other[what])
