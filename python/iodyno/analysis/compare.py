"""Two runs side by side: which figures differ, and whether the intervals show it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal, TypeAlias

from iodyno.analysis.estimate import Quotient, quotient
from iodyno.analysis.figures import PointFigures, point_figures
from iodyno.conditioned import times_filled
from iodyno.plan import Point, RateShare
from iodyno.profiles import LoadProfile
from iodyno.reading import PointResult
from iodyno.store.records import StoredRun

Outcome = Literal["faster", "slower", "no difference shown", "unknown"]
Load: TypeAlias = tuple[str, str, int, int, int, str, tuple[tuple[object, ...], ...]]
"""System where there are several, profile, workers, targets, outstanding, and rate."""
Key: TypeAlias = tuple[Load, int]
"""A load, and which of several such."""


@dataclass(frozen=True)
class Difference:
    """A difference of method: it may explain a difference of figures."""

    what: str
    """Of a point ``profile``, ``kind``, ``area``, ``size``, ``direct``, ``engine``, ``workers``, ``arrival``,
    ``beginning``, ``verify``, ``data``; of a run ``conditioning``, ``build``, ``version``, ``simulated``,
    ``tool``."""
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

    def count(self, outcome: Outcome) -> int:
        """Count the points with an outcome."""
        return sum(point.outcome == outcome for point in self.points)


def compare(base: StoredRun, other: StoredRun) -> Comparison:
    """Compare a run with another, point by point.

    Points match where profile name, workers, number of targets, outstanding I/Os and rate
    are the same; which targets they are does not matter, that is what is compared. A rate that is
    a share of what the target can serve matches the same share, whatever it came to. Where
    both runs have several virtual systems, points of equally named ones match. Of several loads at once all
    are the same, and share targets in the same way.

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
        0.05: the rate or throughput of the other is below 95 % of that of the base, or, of open loops, the
        99th percentile of its response time is above 105 %; and the interval of the ratio leaves out 1.

    Examples
    --------
    >>> slower_by(Comparison("a", "b", (), (), (), ()), 0.05)
    ()
    """
    return tuple(point for point in comparison.points if point.outcome == "slower" and point.loss > share)


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
    seen: Counter[Load] = Counter()
    found: dict[Key, PointResult] = {}
    for result in sorted(stored.results, key=lambda result: result.point.index):
        point = result.point
        key = (
            (point.system or "") if by_system else "",
            point.profile.name,
            point.workers,
            len(point.targets),
            point.outstanding,
            _rate(point),
            tuple(_beside(point)),
        )
        found[key, seen[key]] = result
        seen[key] += 1
    return found


def _beside(point: Point) -> Iterator[tuple[object, ...]]:
    """Yield each load that runs beside the first, with its targets by where in the point they first stand."""
    paths = [target.path for target in point.targets]
    places = [paths.index(path) for path in paths]
    for number, load in enumerate(point.loads[1:], 1):
        start = sum(len(other.targets) for other in point.loads[:number])
        own = tuple(places[start : start + len(load.targets)])
        yield load.profile.name, load.outstanding, load.workers, load.rate_io_s, own


def _rate(point: Point) -> str:
    """Name the rate that was asked for: a share of what the target can serve is the same on any target."""
    rule = point.rate_from
    if isinstance(rule, RateShare):
        return f"{rule.share:g} of what it can serve"
    return f"{point.rate_io_s:.10g}" if point.rate_io_s else ""


def _both_open(base: PointFigures, other: PointFigures) -> bool:
    return base.point.rate_io_s is not None and other.point.rate_io_s is not None


def _served(item: PointFigures) -> bool:
    """Tell whether an open loop had the rate that was asked for."""
    return all(cause.code != "overload" for cause in item.verdict.causes)


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
        differences=_differing(_method(base), _method(other)),
    )


def _response(base: PointFigures, other: PointFigures) -> Quotient | None:
    of_base, of_other = base.response_time_ms_p99, other.response_time_ms_p99
    return quotient(of_other, of_base) if of_base and of_other else None


_NO_DEFINITION = {
    "name", "title", "stands_for", "area", "data", "data_compressible_share", "data_duplicate_share",
    "source", "assumed",
}  # fmt: skip
"""Fields of a profile that do not define its accesses, or are compared by themselves."""


def _method(result: PointResult) -> dict[str, str]:
    """Give what a point's method is, in words that two points can be compared by."""
    point, engine = result.point, result.reading.engine
    targets = point.targets
    return {
        "profile": "; ".join(map(_definition, point.profiles)),
        "kind": ", ".join(target.kind for target in targets),
        "area": ", ".join(f"{target.area_start_bytes}+{target.area_length_bytes}" for target in targets)
        + ("" if point.workers_area == "shared" else f", {point.workers_area}"),
        "size": ", ".join(str(target.size_bytes) for target in targets),
        "direct": ("direct" if engine.direct else "buffered")
        + (", O_DSYNC" if engine.write_through else "")
        + (", cold cache" if point.cold_cache else ""),
        "engine": engine.name,
        "workers": f"{point.targets_per_worker or len(targets)} of {len(targets)} targets each",
        "arrival": ", ".join(load.arrival if load.rate_io_s else "closed loop" for load in point.loads),
        "beginning": ", ".join(f"{load.begins_after_s:g} s" for load in point.loads),
        "verify": "verified" if point.verify else "not verified",
        "data": "; ".join(map(_data, point.profiles)),
    }


def _definition(profile: LoadProfile) -> str:
    """Write what defines the accesses of a profile."""
    definition = profile.model_dump(exclude=_NO_DEFINITION)
    definition["distribution"] = profile.distribution
    definition["write_random_share"] = profile.random_of(write=True)
    definition["write_distribution"] = profile.distribution_of(write=True)
    definition["cursors"] = profile.own_cursors
    return " ".join(f"{name}={value}" for name, value in definition.items())


def _data(profile: LoadProfile) -> str:
    """Write what is written, with the shares that compress or repeat."""
    shares = profile.data_compressible_share, profile.data_duplicate_share
    return profile.data if not any(shares) else f"{shares[0]:g} compressible, {shares[1]:g} duplicate"


def conditioning_of(stored: StoredRun) -> str:
    """Say what was done to the targets before they were measured, in words that two runs can be compared by.

    Numbers of rounds are left out: the same rule takes as many as the target needs. What was undone before
    the end of the run counts as not done.
    """
    steps = stored.conditioning
    paths = dict.fromkeys(target.path for point in stored.run.plan.points for target in point.targets)
    filled = dict.fromkeys(times_filled(steps, path) for path in paths)
    kinds = {step.kind for step in steps}
    said = [
        "purged" if "purged" in kinds else "",
        f"filled {' or '.join(map(str, sorted(filled)))} times" if any(filled) else "",
        "rounds of load" if "round" in kinds else "",
    ]
    return ", ".join(part for part in said if part) or "none"


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


def _differing(base: dict[str, str], other: dict[str, str]) -> tuple[Difference, ...]:
    return tuple(Difference(what, base[what], other[what]) for what in base if base[what] != other[what])
