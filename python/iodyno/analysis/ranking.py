"""Several curves side by side: which maximum is highest, and what the intervals allow to be said of it."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass

from iodyno.analysis.estimate import APPRECIABLE, Estimate, Quotient, distinguishable, quotient
from iodyno.analysis.figures import PointFigures
from iodyno.analysis.maxima import hardly_known
from iodyno.analysis.run import CurveAnalysis


@dataclass(frozen=True)
class Ranking:
    """Curves by a figure of theirs, the highest first."""

    order: tuple[CurveAnalysis, ...]
    """All of them."""
    ranked: tuple[CurveAnalysis, ...]
    """Those that are ranked."""
    highest: tuple[CurveAnalysis, ...]
    """The highest that is ranked, and those that are level with it, in the order that they came in: by their
    figures it would be a ranking; empty where none is ranked."""
    lowest: tuple[CurveAnalysis, ...]
    """The same of the lowest; empty where it is among the highest."""
    unknown: tuple[CurveAnalysis, ...]
    """Those that are not ranked, as nothing tells where they stand: they have no interval, or one so wide
    that it does not tell them from the highest that is known."""
    spread: Quotient | None
    """Highest ÷ lowest, with its interval; none where fewer than two are ranked."""
    alike: bool
    """Whether every difference is shown to be below :data:`APPRECIABLE`."""
    apart: bool
    """Whether the intervals tell the highest from any other."""


def level(one: Estimate, other: Estimate) -> bool:
    """Tell whether two figures are level: the intervals do not tell them apart, or the difference is shown to
    be below :data:`APPRECIABLE`. Of such figures none is called the highest. A figure without an interval is
    level with none: nothing is known about it.

    Examples
    --------
    >>> level(Estimate(100, 0.03), Estimate(100, None))
    False
    >>> level(Estimate(100, 0.03), Estimate(103, 0.03)), level(Estimate(100, 0.001), Estimate(103, 0.001))
    (True, True)
    >>> level(Estimate(100, 0.03), Estimate(110, 0.03)), level(Estimate(100, 0.01), Estimate(105, 0.01))
    (False, False)
    """
    if one.half_width is None or other.half_width is None:
        return False
    if not distinguishable(one, other):
        return True
    more, less = (one, other) if one.value >= other.value else (other, one)
    found = quotient(more, less)
    return found is not None and found.high <= 1 + APPRECIABLE


def of_maxima(item: CurveAnalysis) -> PointFigures:
    """Give the point of the maximum."""
    return item.maximum.at


def leaves_out(items: Sequence[CurveAnalysis], failed: Collection[str]) -> bool:
    """Tell whether there are systems with failed members beside several without."""
    return 2 <= sum(item.curve.first.system not in failed for item in items) < len(items)


def sound(items: Sequence[CurveAnalysis], failed: Collection[str]) -> list[CurveAnalysis]:
    """Leave out curves of systems with failed members where there are others: nobody chooses such a state.

    Parameters
    ----------
    failed
        The names of those systems.
    """
    return [item for item in items if item.curve.first.system not in failed] or list(items)


def undisturbed(items: Iterable[CurveAnalysis]) -> list[CurveAnalysis]:
    """Leave out curves whose maximum was disturbed, as then were all of their points: such figures should not
    be used, so nothing is concluded from them."""
    return [item for item in items if item.maximum.at.verdict.state != "disturbed"]


def whole(items: Sequence[CurveAnalysis]) -> list[CurveAnalysis]:
    """Leave out curves of which the run lacks loads, where there are two others at least: what they come to
    at the loads that they have is not what they reach."""
    found = [item for item in items if item.whole]
    return found if len(found) > 1 else list(items)


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
    counts = comparable([point(item).main for item in order])
    ranked = [(item, point(item).main) for item, one in zip(order, counts, strict=True) if one]
    those = tuple(item for item, _ in ranked)
    came = {id(item): place for place, item in enumerate(items)}
    ranked_as_came = sorted(ranked, key=lambda one: came[id(one[0])])
    unknown = tuple(item for item, one in zip(order, counts, strict=True) if not one)
    if len(ranked) < 2:
        return Ranking(order, those, those, (), unknown, None, alike=False, apart=False)
    (_, first), (_, last) = ranked[0], ranked[-1]
    highest = [item for item, figure in ranked_as_came if figure is first or level(figure, first)]
    lowest = [item for item, figure in ranked_as_came if figure is last or level(figure, last)]
    spread = quotient(first, last)
    whole = ranked[-1][0] in highest
    return Ranking(
        order=order,
        ranked=those,
        highest=tuple(highest),
        lowest=tuple(item for item in lowest if item not in highest) if not whole else (),
        unknown=unknown,
        spread=spread,
        alike=not unknown and spread is not None and spread.known and spread.high <= 1 + APPRECIABLE,
        apart=any(distinguishable(figure, first) for _, figure in ranked[1:]),
    )


def comparable(figures: Sequence[Estimate]) -> list[bool]:
    """Tell of each figure whether it can be set beside the others: it is known, or the intervals tell it from
    the highest that is. Where none is known, all that have an interval can be.

    Examples
    --------
    >>> comparable([Estimate(200, 0.01), Estimate(120, 0.9), Estimate(50, 0.4), Estimate(150, None)])
    [True, False, True, False]
    >>> comparable([Estimate(100, 0.5), Estimate(120, 0.5), Estimate(110, None)])
    [True, True, False]
    """
    known = [figure for figure in figures if figure.half_width is not None and not hardly_known(figure)]
    if not known:
        return [figure.half_width is not None for figure in figures]
    top = max(known, key=lambda figure: figure.value)

    def counts(figure: Estimate) -> bool:
        below = figure.value < top.value and distinguishable(figure, top)
        return not hardly_known(figure) or below or figure.low > top.high

    return [figure.half_width is not None and counts(figure) for figure in figures]
