"""The maximum over the load, and which points cannot be told from it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from iodyno.analysis.estimate import distinguishable
from iodyno.analysis.figures import PointFigures

WIDEST_SHARE = 0.25
"""Half-width beyond which a figure does not compete for the maximum: it could as well be half of the next
load's, and the luckiest of several noisy figures would be taken for what the device can do."""


@dataclass(frozen=True)
class Maximum:
    """The highest main figure of a curve."""

    at: PointFigures
    """The point with the highest value, of those that :func:`competing` leaves."""
    level: tuple[PointFigures, ...]
    """Other points whose figure is not distinguishable from it, ascending by load."""
    passed_over: tuple[PointFigures, ...] = ()
    """Points with a higher figure that does not compete, ascending by load: see :func:`competing`."""


def maximum(points: Sequence[PointFigures]) -> Maximum:
    """Find the maximum of the main figure.

    The highest of several values that are level is the luckiest of them: the value errs
    on the high side by about the interval of a single point, which is why the points that
    are level with it are named.

    Parameters
    ----------
    points
        At least one point, ascending by load. Of equal values the lowest load counts.
    """
    at = max(competing(points), key=lambda item: item.main.value)
    level = tuple(item for item in points if item is not at and not distinguishable(item.main, at.main))
    higher = tuple(item for item in points if item.main.value > at.main.value)
    return Maximum(at, level, higher)


def competing(points: Sequence[PointFigures]) -> Sequence[PointFigures]:
    """Give the points that can be a maximum: undisturbed ones with an interval that says something.

    Where there are none, all undisturbed points compete; where all are disturbed, all do.
    """
    undisturbed = [item for item in points if item.verdict.state != "disturbed"]
    narrow = [
        item
        for item in undisturbed
        if item.main.half_width is not None and item.main.half_width <= WIDEST_SHARE
    ]
    return narrow or undisturbed or points
