"""How a published figure is read off the lab's curves: an expression, and what it was used for."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Literal

from iodyno.fitting.curves import Curve, Metric, Series, best
from iodyno.fitting.published import Figure

Curves = Callable[[Series], Curve]
"""Gives the curve of a series."""


@dataclass(frozen=True)
class At:
    """A figure at one load."""

    series: Series
    outstanding: int
    """Outstanding I/Os per target and worker."""
    metric: Metric

    def value(self, curves: Curves) -> float:
        """Give the figure."""
        return curves(self.series)[self.outstanding].metric(self.metric)

    def parts(self) -> Iterator[tuple[Series, int | None]]:
        """Give what it reads: series and load."""
        yield self.series, self.outstanding

    def __str__(self) -> str:
        return f"{self.series}, at {self.outstanding}"


@dataclass(frozen=True)
class Best:
    """The best figure over the whole load, and over several series where there are several."""

    series: tuple[Series, ...]
    metric: Metric

    def value(self, curves: Curves) -> float:
        """Give the figure."""
        values = [best(curves(series), self.metric) for series in self.series]
        return min(values) if self.metric == "latency" else max(values)

    def parts(self) -> Iterator[tuple[Series, int | None]]:
        """Give what it reads: series, and no load for all of them."""
        for series in self.series:
            yield series, None

    def __str__(self) -> str:
        return f"{'; '.join(map(str, self.series))}, {'least' if self.metric == 'latency' else 'maximum'}"


@dataclass(frozen=True)
class Quotient:
    """One figure over another."""

    over: Expression
    under: Expression

    def value(self, curves: Curves) -> float:
        """Give the quotient."""
        return self.over.value(curves) / self.under.value(curves)

    def parts(self) -> Iterator[tuple[Series, int | None]]:
        """Give what both read."""
        yield from self.over.parts()
        yield from self.under.parts()

    def __str__(self) -> str:
        return f"({self.over}) ÷ ({self.under})"


@dataclass(frozen=True)
class Greatest:
    """The greatest of several figures, or the least."""

    of: tuple[Expression, ...]
    least: bool = False

    def value(self, curves: Curves) -> float:
        """Give the greatest, or the least."""
        values = [one.value(curves) for one in self.of]
        return min(values) if self.least else max(values)

    def parts(self) -> Iterator[tuple[Series, int | None]]:
        """Give what all read."""
        for one in self.of:
            yield from one.parts()

    def __str__(self) -> str:
        return ("least of " if self.least else "greatest of ") + "; ".join(map(str, self.of))


@dataclass(frozen=True)
class MeanGain:
    """How much faster one series is than another, as a factor, mean over some loads."""

    over: Series
    under: Series
    loads: tuple[int, ...]

    def value(self, curves: Curves) -> float:
        """Give the mean of the quotients of the rates."""
        over, under = curves(self.over), curves(self.under)
        return sum(over[load].rate / under[load].rate for load in self.loads) / len(self.loads)

    def parts(self) -> Iterator[tuple[Series, int | None]]:
        """Give what it reads at each load."""
        for load in self.loads:
            yield self.over, load
            yield self.under, load

    def __str__(self) -> str:
        loads = f"mean over {self.loads[0]} to {self.loads[-1]} outstanding"
        return f"rate of ({self.over}) ÷ ({self.under}), {loads}"


Expression = At | Best | Quotient | Greatest | MeanGain


@dataclass(frozen=True)
class Range:
    """What a figure says a value is: from low to high, both the same where it is one value."""

    low: float
    high: float

    def error(self, value: float) -> float:
        """Give the relative error: 0 inside, else to the nearer end."""
        if value < self.low:
            return value / self.low - 1
        return value / self.high - 1 if value > self.high else 0.0


Meaning = Literal["value", "percent", "at_least", "at_most", "gain", "gain_at_least", "gain_at_most", "loss"]
"""How a printed value is meant: as it stands; a percentage; an end of a range; an advantage or a loss in
percent, which are compared as factors (20 % more is 1.2 times as much, 30 % less is 0.7 times as much)."""


@dataclass(frozen=True)
class Answer:
    """What answers a figure. Whether it was used for fitting is told by the fits alone."""

    figure: str
    expression: Expression
    meant: Meaning = "value"
    follows: bool = False
    """Whether it follows from other figures of the same paper: a quotient of maxima."""
    repeats: str = ""
    """The figure that it prints again: the same quantity, sometimes with another value."""
    note: str = ""

    def published(self, figure: Figure) -> Range:
        """Give what the figure says, in the unit of the expression."""
        printed = printed_range(figure.value)
        low, high = printed.low, printed.high
        return {
            "value": Range(low, high),
            "percent": Range(low / 100, high / 100),
            "at_least": Range(low, float("inf")),
            "at_most": Range(0.0, high),
            "gain": Range(1 + low / 100, 1 + high / 100),
            "gain_at_least": Range(1 + low / 100, float("inf")),
            "gain_at_most": Range(1.0, 1 + high / 100),
            "loss": Range(1 - high / 100, 1 - low / 100),
        }[self.meant]

    def shown(self, value: float) -> float:
        """Turn a simulated figure into what the paper prints."""
        if self.meant.startswith("gain"):
            return (value - 1) * 100
        return {"percent": value * 100, "loss": (1 - value) * 100}.get(self.meant, value)


def printed_range(printed: str) -> Range:
    """Read ``864``, ``6-11`` and ``<6``.

    Examples
    --------
    >>> printed_range("6-11")
    Range(low=6.0, high=11.0)
    """
    if match := re.fullmatch(r"\s*([\d.]+)\s*-\s*([\d.]+)\s*", printed):
        return Range(float(match[1]), float(match[2]))
    if printed.startswith("<"):
        return Range(0.0, float(printed[1:]))
    return Range(float(printed), float(printed))
