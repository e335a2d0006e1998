"""From values to positions: the scales of an axis and their ticks."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from iodyno.report.charts.numerals import Numerals
from iodyno.report.document import Axis

_MOST_NINES = 12
_MOST_MINOR_DECADES, _MOST_MINOR_OCTAVES = 8, 40


@dataclass(frozen=True)
class Tick:
    """A mark on an axis; one without a label is a minor tick."""

    value: float
    label: str = ""


@dataclass(frozen=True)
class Scale:
    """Maps values from ``low`` to ``high`` to positions from 0 to 1."""

    transform: Callable[[float], float]
    low: float
    high: float
    ticks: tuple[Tick, ...]

    def position(self, value: float) -> float | None:
        """Find the position of a value.

        Returns
        -------
        float or None
            0 at the low end, 1 at the high end, beyond them for a value outside. None where the scale
            has no place for the value: zero on a logarithmic scale, or no number.
        """
        start, end = self.transform(self.low), self.transform(self.high)
        place = self.transform(value)
        return (place - start) / (end - start) if math.isfinite(place) else None


def make_scale(
    axis: Axis, values: Iterable[float], numerals: Numerals, *, zero: bool, most: int = 6
) -> Scale:
    """Choose the scale of an axis.

    Parameters
    ----------
    axis
        What the document asks for.
    values
        All values to be shown, intervals included; those without a place are left out of account.
    numerals
        How the labels of the ticks are written.
    zero
        A linear axis begins at 0, unless a value is negative.
    most
        The number of labels for which there is room, about.
    """
    known = [value for value in (*values, *axis.ticks, *axis.reach) if math.isfinite(value)]
    make = {"linear": _linear, "log2": _log2, "log10": _log10, "nines": _nines}[axis.scale]
    scale = make(known, numerals, zero, max(2, most))
    if not axis.ticks:
        return scale
    write = numerals.percent if axis.scale == "nines" else numerals.alike(axis.ticks)
    ticks = tuple(Tick(value, write(value)) for value in sorted(axis.ticks) if _has_place(scale, value))
    return Scale(scale.transform, scale.low, scale.high, ticks)


def _has_place(scale: Scale, value: float) -> bool:
    return scale.position(value) is not None


def _linear(values: Sequence[float], numerals: Numerals, zero: bool, most: int) -> Scale:
    low, high = (min(values), max(values)) if values else (0.0, 1.0)
    if zero:
        low, high = min(low, 0.0), max(high, 0.0)
    if low == high:
        low, high = (low, low + 1) if low == 0 else (low - abs(low) / 2, low + abs(low) / 2)
    step = linear_step(high - low, most)
    first, last = math.floor(low / step + 1e-9), math.ceil(high / step - 1e-9)
    decimals = max(0, -math.floor(math.log10(step) + 1e-9))
    write = _linear_writer(numerals, step, decimals, max(abs(first), abs(last)) * step)
    ticks = tuple(Tick(index * step, write(index * step)) for index in range(first, last + 1))
    return Scale(lambda value: value, first * step, last * step, ticks)


def _linear_writer(numerals: Numerals, step: float, decimals: int, largest: float) -> Callable[[float], str]:
    if step < 1e-5 or largest >= 1e7:
        exponent = math.floor(math.log10(largest) + 1e-9)
        of_power = max(0, exponent - math.floor(math.log10(step) + 1e-9))
        return lambda value: numerals.scaled(value, exponent, of_power)
    return lambda value: numerals.fixed(value, decimals)


def linear_step(span: float, most: int) -> float:
    """Choose a step of 1, 2 or 5 times a power of ten, with at most so many steps in the span.

    Examples
    --------
    >>> linear_step(34_000, 5), linear_step(1, 5), linear_step(0.07, 5)
    (10000.0, 0.2, 0.02)
    """
    least = span / most
    power = math.floor(math.log10(least))
    for mantissa in (1, 2, 5, 10):
        if mantissa * 10.0**power >= least * (1 - 1e-9):
            break
    return float(f"{mantissa}e{power}")


def _log2_of(value: float) -> float:
    return math.log2(value) if value > 0 else -math.inf


def _log10_of(value: float) -> float:
    return math.log10(value) if value > 0 else -math.inf


def _log2(values: Sequence[float], numerals: Numerals, _zero: bool, most: int) -> Scale:
    positive = [value for value in values if value > 0] or [1.0]
    low = math.floor(math.log2(min(positive)) + 1e-9)
    high = math.ceil(math.log2(max(positive)) - 1e-9)
    if low == high:
        low, high = low - 1, high + 1
    every = math.ceil((high - low + 1) / max(most, 2))
    ticks = tuple(
        Tick(2.0**power, _power_of_two(numerals, power) if (power - low) % every == 0 else "")
        for power in range(low, high + 1)
        if (power - low) % every == 0 or high - low <= _MOST_MINOR_OCTAVES
    )
    return Scale(_log2_of, 2.0**low, 2.0**high, ticks)


def _power_of_two(numerals: Numerals, power: int) -> str:
    """Write a power of two with all of its digits, as far as it has no more than 18."""
    return numerals.fixed(2.0**power, 0) if 0 <= power < 60 else numerals.plain(2.0**power)


def _log10(values: Sequence[float], numerals: Numerals, _zero: bool, most: int) -> Scale:
    positive = [value for value in values if value > 0] or [1.0]
    low, high = _step_down(min(positive)), _step_up(max(positive))
    if low == high:
        low, high = _step_down(low * 0.99), _step_up(high * 1.01)
    marks = _mantissa_ticks(low, high)
    labelled = _labelled(marks, most)
    write = numerals.alike(labelled)
    ticks = tuple(Tick(value, write(value) if value in labelled else "") for value in marks)
    return Scale(_log10_of, low, high, ticks)


def _mantissa_ticks(low: float, high: float) -> list[float]:
    """Every 1 to 9 times a power of ten between the ends."""
    powers = range(math.floor(math.log10(low) + 1e-9), math.floor(math.log10(high) + 1e-9) + 1)
    mantissas = range(1, 10) if len(powers) <= _MOST_MINOR_DECADES else (1,)
    marks = (float(f"{mantissa}e{power}") for power in powers for mantissa in mantissas)
    return [mark for mark in marks if low <= mark <= high]


def _labelled(marks: Sequence[float], most: int) -> set[float]:
    """The marks that get a label: 1-2-5, else the powers of ten, else every few of them."""
    steps = [mark for mark in marks if _mantissa(mark) in (1, 2, 5)]
    if len(steps) <= most:
        return set(steps)
    decades = [mark for mark in marks if _mantissa(mark) == 1]
    if len(decades) < 2:
        return {steps[0], *decades, steps[-1]}
    return set(decades[:: math.ceil(len(decades) / most)])


def _mantissa(value: float) -> int:
    return int(f"{value:.0e}"[0])


def _step_down(value: float) -> float:
    power = math.floor(math.log10(value))
    steps = (float(f"{mantissa}e{power + shift}") for shift in (1, 0, -1) for mantissa in (5, 2, 1))
    return next(step for step in steps if step <= value * (1 + 1e-9))


def _step_up(value: float) -> float:
    power = math.floor(math.log10(value))
    steps = (float(f"{mantissa}e{power + shift}") for shift in (-1, 0, 1) for mantissa in (1, 2, 5))
    return next(step for step in steps if step >= value * (1 - 1e-9))


def nines(share: float) -> float:
    """Count the nines of a share: 0 for 0, 1 for 0.9, 3 for 0.999.

    Examples
    --------
    >>> [round(nines(share), 6) for share in (0, 0.9, 0.99, 0.999)]
    [0.0, 1.0, 2.0, 3.0]
    """
    if not 0 <= share < 1:
        return math.inf if share == 1 else math.nan
    return math.log10(1 / (1 - share))


def _nines(values: Sequence[float], numerals: Numerals, _zero: bool, most: int) -> Scale:
    places = [min(place, _MOST_NINES) for place in map(nines, values) if math.isfinite(place)] or [0.0]
    low, high = math.floor(min(places) + 1e-6), max(math.ceil(max(places) - 1e-6), 1)
    high = max(high, low + 1)
    every = math.ceil((high - low + 1) / most)
    ticks = [
        Tick(share_of(place), numerals.percent(share_of(place)) if (place - low) % every == 0 else "")
        for place in range(low, high + 1)
    ]
    if low == 0 and every == 1 and high < most:
        ticks.insert(1, Tick(0.5, numerals.percent(0.5)))
    top = float(high)
    return Scale(lambda share: _clamped(share, top), share_of(low), share_of(high), tuple(ticks))


def _clamped(share: float, top: float) -> float:
    """The largest value, at a share of 1, has its place at the end of the axis."""
    place = nines(share)
    return top if place == math.inf else place


def share_of(count: int) -> float:
    """The share with so many nines.

    Examples
    --------
    >>> share_of(0), share_of(3)
    (0.0, 0.999)
    """
    return float(f"0.{'9' * count}" if count else "0")
