"""The maximum over the load, and which points cannot be told from it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from iodyno.analysis.estimate import Estimate, distinguishable
from iodyno.analysis.figures import PointFigures

WIDEST_SHARE = 0.25
"""Half-width beyond which a figure does not compete for the maximum: it could as well be half of the next
load's, and the luckiest of several noisy figures would be taken for what the device can do."""


SAME_SHARE = 0.005
"""Share of the highest value within which a lower load counts as having it: more adds latency alone."""


@dataclass(frozen=True)
class Maximum:
    """The highest main figure of a curve."""

    at: PointFigures
    """The point of the least load that has it: within :data:`SAME_SHARE` of the highest value, of those that
    :func:`competing` leaves."""
    level: tuple[PointFigures, ...]
    """Other points that are level with it, ascending by load: their intervals do not tell them apart, or they
    are as near as that."""
    unknown: tuple[PointFigures, ...] = ()
    """Points of which nothing tells whether they are level: they have no interval, or it has none, or they
    are hardly known: there is nearly nothing that such a figure could be told from."""
    passed_over: tuple[PointFigures, ...] = ()
    """Points with a higher figure that does not compete, ascending by load: see :func:`competing`."""

    @property
    def too_wide(self) -> tuple[PointFigures, ...]:
        """Those passed over that nothing disturbed: a narrower interval could make one the maximum."""
        return tuple(item for item in self.passed_over if item.verdict.state != "disturbed")


def maximum(points: Sequence[PointFigures]) -> Maximum:
    """Find the maximum of the main figure.

    The highest of several values that are level is the luckiest of them: the value errs
    on the high side by about the interval of a single point, which is why the points that
    are level with it are named. Where a curve is flat chance would choose the load, and with it
    the latency: so the least load that comes as near as makes no difference counts.

    Parameters
    ----------
    points
        At least one point, ascending by load.
    """
    those = competing(points)
    highest = max(item.main.value for item in those)
    at = next(item for item in those if _same(item.main.value, highest))
    others = [item for item in points if item is not at]
    known = (
        [] if at.main.half_width is None else [item for item in others if item.main.half_width is not None]
    )
    told = [item for item in known if not hardly_known(item.main)]
    level = tuple(
        item
        for item in told
        if not distinguishable(item.main, at.main) or _same(item.main.value, at.main.value)
    )
    higher = tuple(item for item in points if item.main.value > highest)
    return Maximum(at, level, tuple(item for item in others if item not in told), higher)


def _same(one: float, other: float) -> bool:
    return min(one, other) >= (1 - SAME_SHARE) * max(one, other)


def competing(points: Sequence[PointFigures]) -> Sequence[PointFigures]:
    """Give the points that can be a maximum: undisturbed ones with an interval that says something.

    One that is hardly known competes where all of its interval lies above those that are known: then
    the curve goes on, whatever the figure is. Where no figure is known, all undisturbed points compete;
    where all are disturbed, all do.
    """
    undisturbed = [item for item in points if item.verdict.state != "disturbed"]
    narrow = [item for item in undisturbed if _is_known(item)]
    if not narrow:
        return undisturbed or points
    known = max(narrow, key=lambda item: item.main.value).main
    return [item for item in undisturbed if _is_known(item) or item.main.low > known.high]


def hardly_known(figure: Estimate) -> bool:
    """Tell whether the interval of a figure is wider than :data:`WIDEST_SHARE`, to either side.

    Examples
    --------
    >>> hardly_known(Estimate(100, 0.2)), hardly_known(Estimate(100, 1.75)), hardly_known(Estimate(100, None))
    (False, True, False)
    """
    return figure.half_width is not None and figure.half_width > WIDEST_SHARE


def _is_known(item: PointFigures) -> bool:
    return item.main.half_width is not None and not hardly_known(item.main)
