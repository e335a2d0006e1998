"""From which number of drives or workers on more bring little."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass

from iodyno.analysis.curves import AXES, Curve, axis_value
from iodyno.analysis.estimate import Estimate, quotient
from iodyno.analysis.saturation import SATURATION_MARGIN


@dataclass(frozen=True)
class Enough:
    """What figures at several counts show of the least that is enough."""

    count: int | None
    """The least count that is shown to come within :data:`SATURATION_MARGIN` of every higher one; none: only
    the highest is."""
    certain: bool
    """Whether every lower count is shown to be below that: else it is enough at the latest."""
    most: int
    """The highest count."""


def enough(figures: Mapping[int, Estimate]) -> Enough | None:
    """Find from which count on more bring less than :data:`SATURATION_MARGIN`, by the intervals of quotients.

    Parameters
    ----------
    figures
        At least two figures by count; none is given where there are fewer, or where the intervals do not even
        tell whether the highest count brings more.

    Examples
    --------
    >>> enough({1: Estimate(100, 0.01), 2: Estimate(190, 0.01), 4: Estimate(192, 0.01)})
    Enough(count=2, certain=True, most=4)
    >>> enough({1: Estimate(100, 0.01), 2: Estimate(190, 0.01)})
    Enough(count=None, certain=True, most=2)
    """
    counts = sorted(figures)
    if len(counts) < 2:
        return None
    at = next((count for count in counts[:-1] if _suffices(count, figures)), None)
    lower = [count for count in counts[:-1] if at is None or count < at]
    certain = all(_falls_short(count, figures) for count in lower)
    return Enough(at, certain, counts[-1]) if at is not None or certain else None


def _suffices(count: int, figures: Mapping[int, Estimate]) -> bool:
    """Tell whether a count is shown to come near every higher one."""
    found = [quotient(figures[count], figure) for other, figure in figures.items() if other > count]
    return all(one is not None and one.low >= 1 - SATURATION_MARGIN for one in found)


def _falls_short(count: int, figures: Mapping[int, Estimate]) -> bool:
    """Tell whether some higher count is shown to bring more."""
    found = [quotient(figures[count], figure) for other, figure in figures.items() if other > count]
    return any(one is not None and one.high < 1 - SATURATION_MARGIN for one in found)


def over_workers(maxima: Iterable[tuple[Curve, Estimate]]) -> list[tuple[Curve, dict[int, Estimate]]]:
    """Gather the curves of a sweep that differ in their workers alone.

    Parameters
    ----------
    maxima
        Curves of one run with the maximum of each.

    Returns
    -------
    list
        For each such group, of at least two numbers of workers, a curve and the figures by workers.
    """
    found: dict[Hashable, tuple[Curve, dict[int, Estimate]]] = {}
    for curve, figure in maxima:
        rest = tuple(axis_value(curve.first, axis) for axis in AXES if axis != "workers")
        key = (curve.sweep, curve.profile, curve.open_loop, rest)
        found.setdefault(key, (curve, {}))[1].setdefault(curve.first.workers, figure)
    return [one for one in found.values() if len(one[1]) > 1]
