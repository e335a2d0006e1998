"""Which points of two runs stand beside each other, and what has no counterpart."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from iodyno.plan import Point, RateShare
from iodyno.profiles import LoadProfile
from iodyno.reading import PointResult
from iodyno.store.records import StoredRun
from iodyno.study.model import OPEN_LOOP_OUTSTANDING

_NO_DEFINITION = {
    "name", "title", "stands_for", "area", "data", "data_compressible_share", "data_duplicate_share",
    "source", "assumed",
}  # fmt: skip
"""Fields of a profile that do not define its accesses, or are compared by themselves."""


def matched(base: StoredRun, other: StoredRun) -> list[tuple[PointResult, PointResult]]:
    """Put points beside each other, in the order of the first run.

    The load has to be the same; where several points have it, those belong together that are also of one
    method and on targets of the same name. What is left of one profile, and then of a load, goes together in
    order only where both runs have as many of it: nothing tells otherwise which belongs to which. Another
    program does not know what a profile is called here: beside its results profiles are the same where their
    accesses are. Of those of iodyno a name may say an area that the other has without saying so, as all of a
    small file: such points belong together where what they access is as large and lies in the same place.
    """
    if unsaid_system(base, other):
        return []
    by_name, known_as = named_systems(base, other), profile_names(base, other)
    left, right = _in_order(base), _in_order(other)
    found: dict[int, tuple[PointResult, PointResult]] = {}
    keys = (_exact, _alike, _same_way, _same_profiles, _any)
    ways: list[tuple[Callable[[PointResult], Hashable], Callable[[LoadProfile], str], bool]]
    ways = [(key, known_as, key in (_same_profiles, _any)) for key in keys]
    ways += [(_same_areas, _without_area, True)]
    for key, names, equal in ways:
        for one, two in _pairs(left, right, key, by_name, names, equal=equal):
            found[one.point.index] = (one, two)
        left = [result for result in left if result.point.index not in found]
        taken = {two.point.index for _, two in found.values()}
        right = [result for result in right if result.point.index not in taken]
    return [found[index] for index in sorted(found)]


def named_systems(base: StoredRun, other: StoredRun) -> bool:
    """Tell whether virtual systems match by their names: where a run has several of them."""
    counts = [len(stored.run.plan.systems) for stored in (base, other)]
    return min(counts) > 0 and max(counts) > 1


def unsaid_system(base: StoredRun, other: StoredRun) -> bool:
    """Tell whether one run was measured and the other has several systems: nothing says which is meant."""
    counts = [len(stored.run.plan.systems) for stored in (base, other)]
    return min(counts) == 0 and max(counts) > 1


def profile_names(base: StoredRun, other: StoredRun) -> Callable[[LoadProfile], str]:
    """Give what profiles are told apart by: their names; where one run was imported, their accesses."""
    imported = [bool(stored.run.imported) for stored in (base, other)]
    return _accesses if imported[0] != imported[1] else lambda profile: profile.name


_WHERE = {"distribution", "write_distribution", "alignment_bytes", "write_alignment_bytes"}
"""Where fio goes unless it is told otherwise: to each block once, aligned to its size."""


def _accesses(profile: LoadProfile) -> str:
    """Write what is done, wherever on the target that is."""
    return _definition(profile, leave_out=_WHERE)


@dataclass(frozen=True)
class Lacking:
    """Points of a run that the other has nothing beside, as far as one name covers them."""

    system: str | None
    """Their virtual system; none of real targets."""
    profile: LoadProfile | None
    """Their load profile; none where it is all that the run has of the system."""
    whole: bool
    """Whether nothing of the profile beside the same loads, or of the system, has a counterpart."""
    points: tuple[Point, ...]

    @property
    def at_most(self) -> int | None:
        """How many I/Os open loops may have outstanding, where it was said and is the same of all points."""
        most = _same(map(_at_most, self.points))
        return None if most in OPEN_LOOP_OUTSTANDING else most

    @property
    def workers(self) -> int | None:
        """Workers of each point; none where they differ."""
        return _same(point.workers for point in self.points)

    @property
    def each(self) -> int | None:
        """How many targets of each point have workers of their own; none where these drive all, or where they
        differ."""
        return _same(point.shared_out for point in self.points)

    @property
    def told_workers(self) -> int | None:
        """Workers that a name has: not the one that drives all targets, as is usual."""
        return self.workers if self.each is not None or self.workers != 1 else None

    @property
    def targets(self) -> int | None:
        """Targets of each point's first load; none where they differ."""
        return _same(len(point.loads[0].targets) for point in self.points)


def _same(values: Iterable[int | None]) -> int | None:
    found = set(values)
    return found.pop() if len(found) == 1 else None


def lacking(points: Iterable[Point], compared: Iterable[Point]) -> tuple[Lacking, ...]:
    """Gather points without a counterpart under the fewest names.

    Parameters
    ----------
    points
        Points of a run that the other lacks.
    compared
        Its points that are compared.
    """
    points, there = list(points), list(compared)
    systems = {point.system for point in there}
    several = len(systems | {point.system for point in points}) > 1
    profiles = {(point.system, *_named(point)) for point in there}
    groups: dict[Hashable, list[Point]] = {}
    for point in points:
        named = (point.system, *_named(point))
        if point.system is not None and point.system not in systems and several:
            groups.setdefault((point.system,), []).append(point)
        elif named not in profiles:
            groups.setdefault(named, []).append(point)
        else:
            way = point.workers, point.shared_out, len(point.targets), _at_most(point)
            groups.setdefault((*named, way), []).append(point)
    return tuple(
        Lacking(
            system=of[0].system,
            profile=None if len(key) == 1 else of[0].profile,
            whole=(of[0].system, *_named(of[0])) not in profiles,
            points=tuple(of),
        )
        for key, of in groups.items()
        if isinstance(key, tuple)
    )


def _at_most(point: Point) -> int | None:
    """Give how many I/Os an open loop may have outstanding: none of a closed one, whose load that is."""
    return point.outstanding if point.rate_io_s is not None else None


def _named(point: Point) -> tuple[Hashable, ...]:
    """Give what loads are called by: their profile, and each that runs beside it."""
    return point.profile.name, *_beside(point, lambda profile: profile.name)


def _pairs(
    left: Sequence[PointResult],
    right: Sequence[PointResult],
    closer: Callable[[PointResult], Hashable],
    by_name: bool,
    known_as: Callable[[LoadProfile], str],
    *,
    equal: bool,
) -> Iterator[tuple[PointResult, PointResult]]:
    """Yield what has the same load and is as close; where asked for, only of what both have as many."""

    def grouped(results: Sequence[PointResult]) -> dict[Hashable, list[PointResult]]:
        groups: dict[Hashable, list[PointResult]] = {}
        for result in results:
            groups.setdefault((_load(result.point, by_name, known_as), closer(result)), []).append(result)
        return groups

    others = grouped(right)
    for key, some in grouped(left).items():
        beside = others.get(key, [])
        if len(some) == len(beside) or not equal:
            yield from zip(some, beside, strict=False)


def _in_order(stored: StoredRun) -> list[PointResult]:
    return sorted(stored.results, key=lambda result: result.point.index)


def _load(point: Point, by_name: bool, known_as: Callable[[LoadProfile], str]) -> Hashable:
    """Give what has to be the same of two points: figures of one kind, under one load."""
    return (
        (point.system or "") if by_name else "",
        known_as(point.profile),
        point.profile.shown_as,
        point.workers,
        len(point.targets),
        point.outstanding,
        _rate(point),
        tuple(_beside(point, known_as)),
    )


def _exact(result: PointResult) -> Hashable:
    return _alike(result), tuple(target.path for target in result.point.targets)


def _alike(result: PointResult) -> Hashable:
    return tuple(method(result).values())


def _same_way(result: PointResult) -> Hashable:
    point = result.point
    profiles = tuple(map(_definition, point.profiles))
    return profiles, result.reading.engine.name, point.workers_area, point.targets_per_worker


def _same_areas(result: PointResult) -> Hashable:
    areas = ((target.area_start_bytes, target.area_length_bytes) for target in result.point.targets)
    return *map(_definition, result.point.profiles), *areas


_SAYS_AREA = re.compile(r"-area-\d[a-z0-9-]*$")
"""The end of the name of a profile that has another area than its own: see ``iodyno.study.expand``."""


def _without_area(profile: LoadProfile) -> str:
    return _SAYS_AREA.sub("", profile.name)


def _same_profiles(result: PointResult) -> Hashable:
    return tuple(map(_definition, result.point.profiles))


def _any(_: PointResult) -> Hashable:
    return ()


def _beside(point: Point, known_as: Callable[[LoadProfile], str]) -> Iterator[tuple[object, ...]]:
    """Yield each load that runs beside the first, with its targets by where in the point they first stand."""
    paths = [target.path for target in point.targets]
    places = [paths.index(path) for path in paths]
    for number, load in enumerate(point.loads[1:], 1):
        start = sum(len(other.targets) for other in point.loads[:number])
        own = tuple(places[start : start + len(load.targets)])
        yield known_as(load.profile), load.outstanding, load.workers, load.rate_io_s, own


def _rate(point: Point) -> str:
    """Name the rate that was asked for: a share of what the target can serve is the same on any target."""
    rule = point.rate_from
    if isinstance(rule, RateShare):
        return f"{rule.share:g} of what it can serve"
    return f"{point.rate_io_s:.10g}" if point.rate_io_s else ""


def method(result: PointResult) -> dict[str, str]:
    """Give what a point's method is, in words that two points can be compared by."""
    point, engine = result.point, result.reading.engine
    targets = point.targets
    # A load beside on the same target has it once more.
    areas = dict.fromkeys((t.path, f"{t.area_start_bytes}+{t.area_length_bytes}") for t in targets)
    sizes = dict.fromkeys((t.path, str(t.size_bytes)) for t in targets)
    return {
        "profile": "; ".join(map(_definition, point.profiles)),
        "kind": ", ".join(target.kind for target in targets),
        "area": ", ".join(text for _, text in areas)
        + ("" if point.workers_area == "shared" else f", {point.workers_area}"),
        "size": ", ".join(text for _, text in sizes),
        "direct": "direct" if engine.direct else "buffered",
        "durable": "O_DSYNC" if engine.write_through else "no O_DSYNC",
        "cold": "cold cache" if point.cold_cache else "cache as it was",
        "engine": engine.name,
        "workers": f"{point.targets_per_worker or len(targets)} of {len(targets)} targets each",
        "arrival": ", ".join(load.arrival if load.rate_io_s else "closed loop" for load in point.loads),
        "beginning": ", ".join(f"{load.begins_after_s:g} s" for load in point.loads),
        "verify": "verified" if point.verify else "not verified",
        "data": "; ".join(map(_data, point.profiles)),
    }


def _definition(profile: LoadProfile, leave_out: Collection[str] = ()) -> str:
    return " ".join(f"{name}={value}" for name, value in definition(profile).items() if name not in leave_out)


def definition(profile: LoadProfile) -> dict[str, object]:
    """Give what defines the accesses of a profile."""
    return {
        **profile.model_dump(exclude=_NO_DEFINITION),
        "distribution": profile.distribution,
        "write_random_share": profile.random_of(write=True),
        "write_distribution": profile.distribution_of(write=True),
        "cursors": profile.own_cursors,
    }


def _data(profile: LoadProfile) -> str:
    """Write what is written, with the shares that compress or repeat."""
    shares = profile.data_compressible_share, profile.data_duplicate_share
    return profile.data if not any(shares) else f"{shares[0]:g} compressible, {shares[1]:g} duplicate"
