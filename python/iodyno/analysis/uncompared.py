"""What a study sets against each other and cannot be compared, each with the reason."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from iodyno.analysis.against import Loads, asked_alike, counterparts
from iodyno.analysis.common_load import by_total
from iodyno.analysis.run import CurveAnalysis
from iodyno.plan import Point

Reason = Literal["ended", "ended_partly", "rates", "apart", "served", "unanswered"]
"""The run ended before all points, or before some of those at which loads are compared; a load is a rate,
which has no number of outstanding I/Os; loads have none in common; there is no maximum, as all rates are
served, or as a search has no answer."""


@dataclass(frozen=True)
class Side:
    """A planned curve, and what the run has of it."""

    point: Point
    """Its first point, as planned."""
    totals: frozenset[int]
    """Outstanding I/Os in all of its planned points; none of an open loop."""
    item: CurveAnalysis | None
    """None: the run ended before its first point."""

    @property
    def whole(self) -> bool:
        """Whether the run has all of its points."""
        return self.item is not None and self.item.whole


@dataclass(frozen=True)
class Uncompared:
    """Two curves that cannot be compared as asked, or one of them that is the reason."""

    reason: Reason
    sides: tuple[Side, ...]
    """Those that the reason is about."""
    loads: Loads | None = None
    """The range of loads in which they have none in common; none: at no load."""


@dataclass(frozen=True)
class Asked:
    """Two curves that a study sets against each other, and why that cannot be done as asked."""

    one: Side
    other: Side
    found: tuple[Uncompared, ...]


def asked_pairs(
    items: Sequence[CurveAnalysis], planned: Iterable[Point], compare: Mapping[str, Any]
) -> tuple[Asked, ...]:
    """Give the pairs that a study asks to compare.

    Parameters
    ----------
    items
        The curves of a sweep.
    planned
        The points of the sweep that the run has, or has still to answer.
    compare
        An entry of ``sweep.chart.compare``.

    Returns
    -------
    tuple of Asked
        In the order of the plan; of several patterns that fit a name the first counts whose counterpart is
        planned, as in :func:`iodyno.analysis.against.against`. A curve without one is left out.
    """
    sides = _sides(items, planned)
    made = []
    for (name, asked), one in sides.items():
        others = (sides.get((other, asked)) for other in counterparts(name, compare))
        other = next((side for side in others if side is not None), None)
        if other is not None:
            made.append(Asked(one, other, tuple(_reasons(one, other, compare["loads"]))))
    return tuple(made)


def _sides(
    items: Sequence[CurveAnalysis], planned: Iterable[Point]
) -> dict[tuple[str, tuple[object, ...]], Side]:
    by_index = {at.point.index: item for item in items for at in item.curve.points}
    together: dict[tuple[str, tuple[object, ...]], list[Point]] = {}
    for point in planned:
        together.setdefault((point.system or "", asked_alike(point)), []).append(point)
    return {key: _side(points, by_index) for key, points in together.items()}


def _side(points: Sequence[Point], by_index: Mapping[int, CurveAnalysis]) -> Side:
    firsts = (point.loads[0] for point in points)
    totals = frozenset(first.outstanding_total for first in firsts if not first.open_loop)
    found = (by_index[point.index] for point in points if point.index in by_index)
    return Side(points[0], totals, next(found, None))


def _reasons(one: Side, other: Side, loads: Sequence[str]) -> Iterator[Uncompared]:
    lacking = tuple(side for side in (one, other) if not side.whole)
    common = one.totals & other.totals
    for asked in loads:
        if asked == "maximum":
            yield from [Uncompared("ended", lacking)] if lacking else _without_maximum(one, other)
            continue
        first, _, last = asked.partition("-")
        those = common if asked == "each" else {at for at in common if int(first) <= at <= int(last)}
        opened = tuple(side for side in (one, other) if not side.totals)
        if opened:
            yield Uncompared("rates", opened)
        elif not those:
            bounds = None if asked == "each" else Loads(int(first), int(last))
            yield Uncompared("apart", (one, other), bounds)
        elif lacking and (asked != "each" or _common(one, other) < those):
            partly = asked == "each" and bool(_common(one, other))
            yield Uncompared("ended_partly" if partly else "ended", lacking)


def _common(one: Side, other: Side) -> frozenset[int]:
    """Give the loads that the run has of both."""
    found = [frozenset(by_total(side.item.curve)) if side.item else frozenset() for side in (one, other)]
    return found[0] & found[1]


def _without_maximum(one: Side, other: Side) -> Iterator[Uncompared]:
    for side in (one, other):
        if side.item is not None and side.item.asked and not side.item.answered:
            yield Uncompared("unanswered" if side.item.searched else "served", (side,))
