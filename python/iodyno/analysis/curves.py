"""Curves: the points that differ in nothing but the load."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from iodyno.analysis.figures import PointFigures
from iodyno.plan import Point, canonical_hash, hashed_point
from iodyno.profiles import LoadProfile

_LOAD_FIELDS = {"index", "outstanding", "rate_io_s", "rate_from", "seed"}
AXES = ("profile", "system", "targets", "area", "workers", "workers_area", "direct", "engine", "arrival")
"""What curves of one sweep can differ in, in the order in which it is named."""


@dataclass(frozen=True)
class Curve:
    """A sequence of points over the load: one profile on one configuration."""

    sweep: str
    points: tuple[PointFigures, ...]
    """Ascending by outstanding I/Os, then by the rate asked for."""
    varied: tuple[str, ...] = ()
    """Which of :data:`AXES` tell it from the other curves of its sweep, the profile aside."""
    configuration: str = ""
    """Title of the virtual system; empty where the targets are real."""

    @property
    def profile(self) -> LoadProfile:
        """The load profile of all points."""
        return self.points[0].profile

    @property
    def first(self) -> Point:
        """The point of the lowest load: what all points have in common is in it."""
        return self.points[0].point

    @property
    def lowest(self) -> PointFigures:
        """The lowest load."""
        return self.points[0]

    @property
    def open_loop(self) -> bool:
        """Whether the load is a rate."""
        return self.first.rate_io_s is not None

    @property
    def key(self) -> str:
        """A name of the curve that is the same in every run of one plan."""
        loop = "-rate" if self.open_loop else ""
        return f"{self.sweep}-{self.profile.name}-{_identity(self.first)[:6]}{loop}"


def curves(figures: Iterable[PointFigures], titles: Mapping[str, str] | None = None) -> tuple[Curve, ...]:
    """Sort points into curves, in the order in which the plan begins them.

    Parameters
    ----------
    figures
        Points of one run, in any order.
    titles
        Titles of virtual systems by the names that points have of them; the names where left out.

    Returns
    -------
    tuple of Curve
        Each with at least one point. Points that differ in more than their load (sweep,
        profile, targets, workers, engine, direct I/O, arrival, stopping rule) are apart.
    """
    groups: dict[tuple[str, str, bool], list[PointFigures]] = {}
    for item in sorted(figures, key=lambda item: item.point.index):
        key = (item.point.sweep, _identity(item.point), item.point.open_loop)
        groups.setdefault(key, []).append(item)
    made = [Curve(sweep, _by_load(points)) for (sweep, *_), points in groups.items()]
    shown = titles or {}
    return tuple(
        replace(
            curve,
            varied=_varied(curve, [other for other in made if other.sweep == curve.sweep]),
            configuration=shown.get(curve.first.system or "", curve.first.system or ""),
        )
        for curve in made
    )


def axis_value(point: Point, axis: str) -> object:
    """Give what a point has on one of :data:`AXES`; values compare with ==."""
    values: dict[str, object] = {
        "profile": point.profile.name,
        "system": point.system,
        "targets": tuple(target.path for target in point.targets),
        "area": tuple((target.area_start_bytes, target.area_length_bytes) for target in point.targets),
        "workers": point.workers,
        "workers_area": point.workers_area,
        "direct": point.direct,
        "engine": point.engine,
        "arrival": point.arrival,
    }
    return values[axis]


def _identity(point: Point) -> str:
    return canonical_hash(hashed_point(point, _LOAD_FIELDS))


def _by_load(points: list[PointFigures]) -> tuple[PointFigures, ...]:
    return tuple(sorted(points, key=lambda item: (item.point.outstanding, item.point.rate_io_s or 0.0)))


def _varied(curve: Curve, sweep: list[Curve]) -> tuple[str, ...]:
    """Give the axes on which curves of the same profile differ within the sweep."""
    same = [other.first for other in sweep if other.profile == curve.profile]
    return tuple(
        axis
        for axis in AXES[1:]
        if any(axis_value(other, axis) != axis_value(curve.first, axis) for other in same)
    )
