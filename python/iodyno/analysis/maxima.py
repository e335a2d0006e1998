"""The maximum over the load, and which points cannot be told from it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from iodyno.analysis.estimate import distinguishable
from iodyno.analysis.figures import PointFigures


@dataclass(frozen=True)
class Maximum:
    """The highest main figure of a curve."""

    at: PointFigures
    """The point with the highest value."""
    level: tuple[PointFigures, ...]
    """Other points whose figure is not distinguishable from it, ascending by load."""


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
    at = max(points, key=lambda item: item.main.value)
    level = tuple(item for item in points if item is not at and not distinguishable(item.main, at.main))
    return Maximum(at, level)
