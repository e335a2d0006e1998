"""Configurations set against others, load by load: quotients where as many I/Os are outstanding."""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from iodyno.analysis.common_load import by_total, common_totals
from iodyno.analysis.curves import AXES, Curve, axis_value
from iodyno.analysis.estimate import APPRECIABLE, Estimate, Quotient, quotient
from iodyno.analysis.ranking import comparable, level
from iodyno.analysis.run import CurveAnalysis
from iodyno.plan import Point
from iodyno.study.counterparts import counterpart

Relation = Literal["level", "more", "less", "unknown"]


@dataclass(frozen=True)
class Loads:
    """What a quotient is of: one load, the mean over a range of loads, or the maxima."""

    first: int = 0
    """Outstanding I/Os in all; 0: a rate, or the maxima over all loads."""
    last: int = 0
    rate_io_s: float = 0.0
    """Rate offered in IO/s; 0: none."""

    @property
    def maxima(self) -> bool:
        """Whether it is the maxima."""
        return not self.first and not self.rate_io_s

    @property
    def several(self) -> bool:
        """Whether it is a range of loads."""
        return self.first != self.last


@dataclass(frozen=True)
class Compared:
    """A quotient at some loads, with what may be said of it."""

    loads: Loads
    quotient: Quotient | None
    relation: Relation
    """Whether the two are level there, not told apart or shown to differ by less than is appreciable; unknown
    where one has no interval, or one so wide that it does not tell it from the other, which is known."""

    @property
    def told_apart(self) -> bool:
        """Whether the interval leaves out 1."""
        return self.quotient is not None and (self.quotient.low > 1 or self.quotient.high < 1)


@dataclass(frozen=True)
class Pair:
    """A curve and the one that it is set against."""

    item: CurveAnalysis
    other: CurveAnalysis
    steps: tuple[Compared, ...]

    @property
    def profile(self) -> str:
        """Name of the load profile."""
        return self.item.curve.profile.name

    @property
    def systems(self) -> tuple[str | None, str | None]:
        """Both configurations, by name."""
        return self.item.curve.first.system, self.other.curve.first.system


def against(items: Sequence[CurveAnalysis], compare: Mapping[str, Any]) -> tuple[Pair, ...]:
    """Set curves of a sweep against others of the same profile, as a study says it.

    Parameters
    ----------
    items
        The curves of the sweep.
    compare
        An entry of ``sweep.chart.compare``.

    Returns
    -------
    tuple of Pair
        In the order of the curves. Of several patterns that fit a name, the first counts whose counterpart
        the sweep has. A curve without counterpart, or without a common load, is left out, and so are maxima
        where one of the two has none: rates that are all served say only what was asked. Where a run ended
        before all loads of a curve, neither its maximum nor a range of its loads is set against others.
    """
    found = []
    for item in items:
        wanted = counterparts(item.curve.first.system or "", compare)
        others = (one for other in wanted for one in items if _is_counterpart(one.curve, item.curve, other))
        other = next(others, None)
        if other is not None and (steps := tuple(_steps(item, other, compare["loads"]))):
            found.append(Pair(item, other, steps))
    return tuple(found)


def counterparts(name: str, compare: Mapping[str, Any]) -> list[str]:
    """Name what a configuration is set against, for each of the patterns that its name fits."""
    fits = (counterpart(name, pattern, str(compare["to"])) for pattern in compare["of"])
    return [other for other in fits if other and other != name]


def _is_counterpart(one: Curve, other: Curve, name: str) -> bool:
    return one.first.system == name and asked_alike(one.planned) == asked_alike(other.planned)


def asked_alike(point: Point) -> tuple[Hashable, ...]:
    """Give what points have in common that are set against each other: all but their load, system, targets
    and areas."""
    follows = {"profile", "system", "targets", "area"}
    first, *others = point.loads
    loads = tuple((load.profile.name, load.outstanding, load.rate_io_s) for load in others)
    asked = (axis_value(first, axis) for axis in AXES if axis not in follows)
    return first.profile.name, first.open_loop, loads, *asked


def _steps(item: CurveAnalysis, other: CurveAnalysis, loads: Sequence[str]) -> Iterator[Compared]:
    totals = common_totals([item.curve, other.curve])
    for asked in loads:
        if asked == "maximum":
            if all(one.whole and (one.answered or not one.asked) for one in (item, other)):
                yield _at(item, other, Loads())
        elif asked == "each":
            yield from (_at(item, other, Loads(total, total)) for total in totals)
        else:
            first, last = map(int, asked.split("-"))
            if item.whole and other.whole and any(first <= total <= last for total in totals):
                yield _at(item, other, Loads(first, last))


def _at(item: CurveAnalysis, other: CurveAnalysis, loads: Loads) -> Compared:
    if loads.maxima:
        pairs = [(item.maximum.at, other.maximum.at)]
    else:
        mine, theirs = by_total(item.curve), by_total(other.curve)
        pairs = [
            (mine[at], theirs[at]) for at in sorted(mine) if at in theirs and loads.first <= at <= loads.last
        ]
    return compared(loads, [(one.main, two.main) for one, two in pairs])


def compared(loads: Loads, figures: Sequence[tuple[Estimate, Estimate]]) -> Compared:
    """Set figures against others: the mean of their quotients, and what may be said of it.

    Parameters
    ----------
    loads
        Which loads they are of.
    figures
        At each load that of the one and that of the other, both reciprocal or neither.
    """
    found = mean_quotient([quotient(one, two) for one, two in figures])
    if found is None or not found.known:
        return Compared(loads, found, "unknown")
    rates = [_as_rates(*pair) for pair in figures]
    alike = level(*rates[0]) if len(rates) == 1 else _within(found)
    if alike and not _is_near(found) and not all(all(comparable(pair)) for pair in rates):
        return Compared(loads, found, "unknown")
    return Compared(loads, found, "level" if alike else "more" if found.value > 1 else "less")


def _as_rates(one: Estimate, other: Estimate) -> tuple[Estimate, Estimate]:
    """Give times whose rates were estimated as these rates: what the intervals tell apart is the same."""
    return (one.inverse, other.inverse) if one.reciprocal else (one, other)


def _within(found: Quotient) -> bool:
    """Tell whether a mean of quotients may be 1, or is shown to be less than appreciably from it."""
    return found.low <= 1 <= found.high or _is_near(found)


def _is_near(found: Quotient) -> bool:
    return found.low >= 1 / (1 + APPRECIABLE) and found.high <= 1 + APPRECIABLE


def mean_quotient(found: Sequence[Quotient | None]) -> Quotient | None:
    """Give the mean of independent quotients, with its interval: the ends are as far off as those of all in
    quadrature.

    Examples
    --------
    >>> mean_quotient([Quotient(1.25, 1.2, 1.3), Quotient(1.75, 1.75, 1.75)])
    Quotient(value=1.5, low=1.475, high=1.525)

    Where one of them has no interval the mean has none:

    >>> mean_quotient([Quotient(1.25, 1.2, 1.3), Quotient(1.75, 0.0, float("inf"))])
    Quotient(value=1.5, low=0.0, high=inf)
    """
    known = [one for one in found if one is not None]
    if not known or len(known) < len(found):
        return None
    if len(known) == 1:
        return known[0]
    count = len(known)
    value = sum(one.value for one in known) / count
    if not all(one.bounded for one in known):
        return Quotient(value, 0.0, math.inf)
    below = math.hypot(*(one.value - one.low for one in known)) / count
    above = math.hypot(*(one.high - one.value for one in known)) / count
    return Quotient(value, max(0.0, value - below), value + above)


def runs(steps: Sequence[Compared]) -> list[tuple[Compared, ...]]:
    """Put loads in order together as far as the relation at them is the same."""
    made: list[list[Compared]] = []
    for step in steps:
        if made and made[-1][-1].relation == step.relation:
            made[-1].append(step)
        else:
            made.append([step])
    return [tuple(run) for run in made]


def rows(pairs: Sequence[Pair]) -> tuple[tuple[Pair, ...], ...]:
    """Put pairs of the same two configurations together, one for each profile; what they differ in besides,
    as in their workers, makes another row only where a profile has several."""
    made: list[list[Pair]] = []
    for pair in pairs:
        fits = (
            row
            for row in made
            if row[0].systems == pair.systems and all(one.profile != pair.profile for one in row)
        )
        row = next(fits, None)
        if row is None:
            made.append([pair])
        else:
            row.append(pair)
    return tuple(map(tuple, made))
