"""Several curves side by side: which maximum is highest, and what the intervals allow to be said of it."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass

from iodyno.analysis.estimate import APPRECIABLE, Estimate, Quotient, distinguishable, quotient
from iodyno.analysis.figures import PointFigures
from iodyno.analysis.run import CurveAnalysis


@dataclass(frozen=True)
class Ranking:
    """Curves by a figure of theirs, the highest first."""

    order: tuple[CurveAnalysis, ...]
    highest: tuple[CurveAnalysis, ...]
    """The highest, and those that are level with it."""
    lowest: tuple[CurveAnalysis, ...]
    """The lowest, and those that are level with it; empty where it is among the highest."""
    spread: Quotient | None
    """Highest ÷ lowest, with its interval."""
    alike: bool
    """Whether every difference is shown to be below :data:`APPRECIABLE`."""
    apart: bool
    """Whether the intervals tell the highest from any other."""


def level(one: Estimate, other: Estimate) -> bool:
    """Tell whether two figures are level: the intervals do not tell them apart, or the difference is shown to
    be below :data:`APPRECIABLE`. Of such figures none is called the highest.

    Examples
    --------
    >>> level(Estimate(100, 0.03), Estimate(103, 0.03)), level(Estimate(100, 0.001), Estimate(103, 0.001))
    (True, True)
    >>> level(Estimate(100, 0.03), Estimate(110, 0.03)), level(Estimate(100, 0.01), Estimate(105, 0.01))
    (False, False)
    """
    if not distinguishable(one, other):
        return True
    more, less = (one, other) if one.value >= other.value else (other, one)
    found = quotient(more, less)
    return found is not None and found.high <= 1 + APPRECIABLE


def of_maxima(item: CurveAnalysis) -> PointFigures:
    """Give the point of the maximum."""
    return item.maximum.at


def of_lowest_load(item: CurveAnalysis) -> PointFigures:
    """Give the point of the lowest load."""
    return item.curve.lowest


def sound(items: Sequence[CurveAnalysis], failed: Collection[str]) -> list[CurveAnalysis]:
    """Leave out curves of systems with failed members where there are others: nobody chooses such a state.

    Parameters
    ----------
    failed
        The names of those systems.
    """
    return [item for item in items if item.curve.first.system not in failed] or list(items)


def ranking(
    items: Sequence[CurveAnalysis], point: Callable[[CurveAnalysis], PointFigures] = of_maxima
) -> Ranking:
    """Rank at least two curves of one unit by the main figure of a point of each.

    Parameters
    ----------
    items
        The curves.
    point
        Which point of a curve counts.
    """
    order = tuple(sorted(items, key=lambda item: -point(item).main.value))
    first, last = point(order[0]).main, point(order[-1]).main
    highest = tuple(item for item in order if item is order[0] or level(point(item).main, first))
    lowest = tuple(item for item in order if item is order[-1] or level(point(item).main, last))
    spread = quotient(first, last)
    whole = order[-1] in highest
    return Ranking(
        order=order,
        highest=highest,
        lowest=tuple(item for item in lowest if item not in highest) if not whole else (),
        spread=spread,
        alike=spread is not None and spread.known and spread.high <= 1 + APPRECIABLE,
        apart=any(distinguishable(point(item).main, first) for item in order[1:]),
    )
