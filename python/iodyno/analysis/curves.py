"""Curves: the points that differ in nothing but the load."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from iodyno.analysis.figures import PointFigures
from iodyno.plan import BesideLoad, Point, canonical_hash, hashed_point
from iodyno.profiles import Area, LoadProfile

_LOAD_FIELDS = {"index", "outstanding", "rate_io_s", "rate_from", "seed"}
_APART_FROM_A_CURVE = {*_LOAD_FIELDS, "worker_cpus", "stopping"}
_COMMON_FIELDS = tuple(name for name in Point.model_fields if name not in _APART_FROM_A_CURVE)
AXES = (
    "profile", "system", "targets", "area", "workers", "workers_area", "limit", "direct", "engine", "arrival",
)  # fmt: skip
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
    loop_told: bool = False
    """Whether the sweep has both kinds of loop with this profile: closed ones, and open ones at a rate."""
    loads_told: bool = False
    """Whether other curves have the same profiles at once and differ in the loads beside the first."""
    begins_told: bool = False
    """Whether other curves have the same profiles at once and differ in when one of the loads begins."""
    volumes: int = 0
    """Volumes of its configuration, where it loads only some of them; 0 where it loads all, and of real
    targets."""

    @property
    def beside(self) -> tuple[PointFigures, ...]:
        """What ran beside it at the lowest load: profiles and loads are the same at all."""
        return self.points[0].beside

    @property
    def told(self) -> tuple[str, ...]:
        """Which of :data:`AXES` its name has: on which it differs, and its targets where they are but some of
        those that the name of its system stands for."""
        named = {*self.varied, "targets"} if self.volumes else {*self.varied}
        return tuple(axis for axis in AXES if axis in named)

    @property
    def targets(self) -> tuple[str, ...]:
        """Paths of the targets of all its loads, each once."""
        return _loaded(self.points[0])

    @property
    def profile(self) -> LoadProfile:
        """The load profile of all points."""
        return self.points[0].profile

    @property
    def first(self) -> Point:
        """The point of the lowest load: what all points have in common is in it, but for what ran beside."""
        return self.points[0].point

    @property
    def planned(self) -> Point:
        """The same with all loads that ran at once."""
        return self.points[0].planned

    @property
    def lowest(self) -> PointFigures:
        """The lowest load."""
        return self.points[0]

    @property
    def open_loop(self) -> bool:
        """Whether the load is a rate."""
        return self.first.rate_io_s is not None

    @cached_property
    def key(self) -> str:
        """A name of the curve that is the same in every run of one plan."""
        limit = f"-{self.first.outstanding}" if "limit" in self.varied else ""
        loop = f"-rate{limit}" if self.open_loop else ""
        identity = canonical_hash(hashed_point(self.first, _LOAD_FIELDS))
        return f"{self.sweep}-{self.profile.name}-{identity[:6]}{loop}"


def curves(
    figures: Iterable[PointFigures],
    titles: Mapping[str, str] | None = None,
    volumes: Mapping[str, Sequence[str]] | None = None,
) -> tuple[Curve, ...]:
    """Sort points into curves, in the order in which the plan begins them.

    Parameters
    ----------
    figures
        Points of one run, in any order.
    titles
        Titles of virtual systems by the names that points have of them; the names where left out.
    volumes
        Volumes that these names stand for; where left out, nothing is told of curves that load some of them.

    Returns
    -------
    tuple of Curve
        Each with at least one point. Points that differ in more than their load (sweep,
        profile, targets, workers, engine, direct I/O, arrival) are apart. How long each was measured is
        no part of that: jobs of fio that did a number of I/Os took each its own time.
    """
    groups: dict[Hashable, list[PointFigures]] = {}
    for item in sorted(figures, key=lambda item: item.point.index):
        groups.setdefault(_identity(item.point), []).append(item)
    alike: dict[Hashable, list[Point]] = {}
    for point in (points[0].point for points in groups.values()):
        alike.setdefault(_side(point), []).append(point)
    varied = {side: _varied(points) for side, points in alike.items()}
    shown, names = titles or {}, volumes or {}
    others, begins = _loads_beside(groups.values()), _beginnings(groups.values())
    return tuple(
        Curve(
            first.sweep,
            _by_load(points),
            varied=varied[_side(first)],
            configuration=shown.get(first.system or "", first.system or ""),
            loop_told=len({point.open_loop for point in alike[_side(first)]}) > 1,
            loads_told=len(others[_at_once(points[0])]) > 1,
            begins_told=len(begins[_at_once(points[0])]) > 1,
            volumes=_of_volumes(points[0], names.get(first.system or "", ())),
        )
        for points in groups.values()
        for first in (points[0].point,)
    )


def _of_volumes(at: PointFigures, names: Sequence[str]) -> int:
    """Count the volumes that a name stands for, where some of them are not loaded; else 0."""
    return len(names) if {*names} - {*_loaded(at)} else 0


def _loaded(at: PointFigures) -> tuple[str, ...]:
    return tuple(dict.fromkeys(target.path for load in (at, *at.beside) for target in load.point.targets))


def _loads_beside(groups: Iterable[Sequence[PointFigures]]) -> dict[Hashable, set[Hashable]]:
    """Find by profiles at once the loads that stand beside the first."""
    found: dict[Hashable, set[Hashable]] = {}
    for first, *_ in groups:
        loads = tuple((load.point.outstanding, load.point.rate_io_s) for load in first.beside)
        found.setdefault(_at_once(first), set()).add(loads)
    return found


def _beginnings(groups: Iterable[Sequence[PointFigures]]) -> dict[Hashable, set[Hashable]]:
    """Find by profiles at once when the loads begin."""
    found: dict[Hashable, set[Hashable]] = {}
    for first, *_ in groups:
        begins = tuple(load.point.begins_after_s for load in (first, *first.beside))
        found.setdefault(_at_once(first), set()).add(begins)
    return found


def _at_once(at: PointFigures) -> Hashable:
    return (at.profile.name, *(load.profile.name for load in at.beside))


def axis_value(point: Point, axis: str) -> Hashable:
    """Give what a point has on one of :data:`AXES`; values compare with ==.

    ``limit`` is how many I/Os an open loop may have outstanding: of a closed one they are the load.
    """
    if axis == "profile":
        return point.profile.name
    if axis == "targets":
        return tuple(target.path for target in point.targets)
    if axis == "limit":
        return point.outstanding if point.open_loop else None
    if axis == "area":
        return tuple((target.area_start_bytes, target.area_length_bytes) for target in point.targets)
    value: Hashable = getattr(point, axis)
    return value


def _identity(point: Point) -> Hashable:
    """Give what points of one curve have in common: all but load, time and what the machine decided."""
    limit = axis_value(point, "limit")
    return (point.open_loop, limit, *(getattr(point, name) for name in _COMMON_FIELDS))


def apart_from_sweep(point: Point) -> Hashable:
    """Give what curves have in common that differ in nothing but their loads and their sweep; how arrivals
    come is nothing to a closed loop."""
    alike: dict[str, object] = {"sweep": "", "beside": tuple(map(_alike, point.beside))}
    return _identity(point.model_copy(update=alike | ({} if point.open_loop else {"arrival": "fixed"})))


def _alike(load: BesideLoad) -> BesideLoad:
    """Give a load beside without its seed, and without how arrivals come where its loop is closed."""
    closed = load.rate_io_s is None
    return load.model_copy(update={"seed": 0} | ({"arrival": "fixed"} if closed else {}))


def unfinished(points: Iterable[Point]) -> frozenset[Hashable]:
    """Give what tells the curves that points belong to which a run has still to answer: see
    :func:`is_unfinished`."""
    return frozenset(_identity(point.loads[0]) for point in points)


def is_unfinished(curve: Curve, among: frozenset[Hashable]) -> bool:
    """Tell whether a curve is one of those that lack points."""
    return _identity(curve.first) in among


def _side(point: Point) -> Hashable:
    """Give what curves have in common that are compared: the area of a profile can follow from the system."""
    return point.sweep, point.profile.model_copy(update={"area": Area()})


def _by_load(points: list[PointFigures]) -> tuple[PointFigures, ...]:
    return tuple(sorted(points, key=lambda item: (item.point.outstanding, item.point.rate_io_s or 0.0)))


def _varied(points: list[Point]) -> tuple[str, ...]:
    """Give the axes on which curves of the same profile differ within the sweep.

    Volumes that follow from the virtual system, and areas that follow from it and its volumes, are none, nor
    are areas that follow from one of several targets: the name of the system, or of the target, says it all.
    """
    open_loops = [point for point in points if point.open_loop]
    of = {axis: open_loops if axis == "limit" else points for axis in AXES[1:]}
    differ = (axis for axis in of if len({axis_value(point, axis) for point in of[axis]}) > 1)
    return tuple(axis for axis in differ if not _follows(points, axis))


def _follows(points: list[Point], axis: str) -> bool:
    """Tell whether an axis has one value on each of several virtual systems, or on each of their targets."""
    several = len({point.system for point in points}) > 1
    if axis != "area" and not (axis == "targets" and several):
        return False
    found: dict[Hashable, set[Hashable]] = {}
    for point in points:
        volumes = axis_value(point, "targets") if axis == "area" else ()
        found.setdefault((point.system, volumes), set()).add(axis_value(point, axis))
    return all(len(values) == 1 for values in found.values())
