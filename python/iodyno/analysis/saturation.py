"""Where a curve saturates, and how much it grows until then."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from iodyno.analysis.estimate import Estimate, Quotient, distinguishable, quotient
from iodyno.analysis.figures import PointFigures
from iodyno.analysis.maxima import competing, maximum

SATURATION_MARGIN = 0.05
"""A curve is saturated within this share of its maximum. 5 % is what the published papers
round away, and is wider than the interval of ±2 % that a point is measured to by default."""


@dataclass(frozen=True)
class Saturation:
    """The least load at which a curve comes near its maximum."""

    at: PointFigures
    reached: bool
    """Whether the point is shown to come within the margin of every higher load, those included that do not
    compete for the maximum."""
    grown: bool
    """Whether the maximum is distinguishable from the lowest load: else nothing is shown to saturate."""
    at_maximum: bool
    """Whether the point is the maximum itself."""
    earlier: tuple[PointFigures, ...]
    """Lower loads not distinguishably below the margin: the curve may saturate at them already."""
    above: tuple[PointFigures, ...]
    """Higher loads."""
    unsure: tuple[PointFigures, ...]
    """Points of which the intervals do not tell whether they are below saturation or beyond it."""
    untold: tuple[PointFigures, ...] = ()
    """Higher loads that are known too little to tell whether they bring more, where nothing else stands
    against saturation: the point is shown to come within the margin of the maximum."""

    @property
    def certain(self) -> bool:
        """Whether the point reaches the margin and every lower load is distinguishably below it."""
        return self.grown and self.reached and not self.earlier

    @property
    def within_range(self) -> bool:
        """Whether a higher load was measured: false where the curve may still grow."""
        return bool(self.above)

    def levels(self, at: PointFigures) -> bool:
        """Tell whether a point at saturation or above is shown to bring as much as another load there:
        one of the two more brought within the margin no more."""
        place = next((index for index, item in enumerate((self.at, *self.above)) if item is at), None)
        if place is None:
            return False
        lower, higher = (self.at, *self.above)[:place], self.above[place:]
        return any(_comes_near(item.main, at.main) for item in lower) or any(
            _comes_near(at.main, item.main) for item in higher
        )

    @property
    def enough(self) -> bool:
        """Whether the point is certain and more load is shown to bring little: what disturbed a higher load
        may have cost it what it would bring."""
        undisturbed = all(item.verdict.state != "disturbed" for item in self.above)
        return self.certain and self.within_range and undisturbed


def saturation(points: Sequence[PointFigures]) -> Saturation:
    """Find the least load whose interval reaches within :data:`SATURATION_MARGIN` of the maximum.

    Parameters
    ----------
    points
        At least one point, ascending by load.
    """
    top = maximum(points)
    limit = Estimate((1 - SATURATION_MARGIN) * top.at.main.value, top.at.main.half_width)
    at = next(item for item in competing(points) if _reach(item) >= limit.value)
    place = next(index for index, item in enumerate(points) if item is at)
    above = tuple(points[place + 1 :])
    earlier = tuple(item for item in points[:place] if not _below(item.main, limit))
    factor = growth(points)
    grown = factor is not None and factor.low > 1
    level = () if grown else (*top.level, *top.unknown, top.at)
    beyond = (at,) if earlier and at is points[-1] else ()
    return Saturation(
        at=at,
        reached=all(_comes_near(at.main, item.main) for item in above),
        grown=grown,
        at_maximum=at is top.at,
        earlier=earlier,
        above=above,
        unsure=(*earlier, *level, *beyond),
        untold=tuple(item for item in above if _untold(at, item))
        if _comes_near(at.main, top.at.main)
        else (),
    )


def _below(figure: Estimate, limit: Estimate) -> bool:
    return figure.value < limit.value and distinguishable(figure, limit)


def _comes_near(figure: Estimate, higher: Estimate) -> bool:
    """Tell whether a figure is shown to be within the margin of that of a higher load."""
    found = quotient(figure, higher)
    return found is not None and found.low >= 1 - SATURATION_MARGIN


def _untold(at: PointFigures, higher: PointFigures) -> bool:
    """Tell whether a higher load can bring more than the margin, but is not shown to do so undisturbed."""
    found = quotient(at.main, higher.main)
    open_ended = found is None or found.high >= 1 - SATURATION_MARGIN
    return not _comes_near(at.main, higher.main) and (open_ended or higher.verdict.state == "disturbed")


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
