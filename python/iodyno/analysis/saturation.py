"""Where a curve saturates, and how much it grows until then."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from iodyno.analysis.estimate import Quotient, quotient
from iodyno.analysis.figures import PointFigures
from iodyno.analysis.maxima import competing, maximum

SATURATION_MARGIN = 0.05
"""A curve is saturated within this share of its maximum. 5 % is what the published papers
round away, and is wider than the interval of ±2 % that a point is measured to by default."""


@dataclass(frozen=True)
class Saturation:
    """The least load at which a curve comes near its maximum."""

    at: PointFigures
    within_range: bool
    """Whether a higher load was measured and brought no more: false where the curve may still grow."""
    certain: bool
    """Whether all of the point's interval lies within the margin, not just its upper part."""


def saturation(points: Sequence[PointFigures]) -> Saturation:
    """Find the least load whose interval reaches within :data:`SATURATION_MARGIN` of the maximum.

    Parameters
    ----------
    points
        At least one point, ascending by load.
    """
    limit = (1 - SATURATION_MARGIN) * maximum(points).at.main.value
    at = next(item for item in competing(points) if _reach(item) >= limit)
    return Saturation(
        at=at,
        within_range=at is not points[-1],
        certain=at.main.half_width is not None and at.main.low >= limit,
    )


def growth(points: Sequence[PointFigures]) -> Quotient | None:
    """Give the factor between the lowest load and the maximum, with its interval.

    Examples
    --------
    A loop that is limited by the latency alone grows as its load: 8 times from 1 to 8.
    """
    return quotient(maximum(points).at.main, points[0].main)


def _reach(item: PointFigures) -> float:
    """Give the upper end of the interval; the value alone where that is wider than the margin."""
    if item.main.half_width is None or item.main.half_width > SATURATION_MARGIN:
        return item.main.value
    return item.main.high
