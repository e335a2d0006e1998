"""A figure with its interval, and what two of them allow to be said."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

APPRECIABLE = 0.05
"""A difference is named from this share on. A smaller one can be real where intervals are narrow, but nobody
who chooses between two would act on it."""


@dataclass(frozen=True)
class Estimate:
    """A figure and the half-width of its confidence interval."""

    value: float
    half_width: float | None = None
    """As a share of the value: 0.02 is ±2 %; none where no interval could be given."""
    reciprocal: bool = False
    """Whether the half-width is that of 1 ÷ value: of a time whose rate was estimated."""

    @property
    def low(self) -> float:
        """Lower end of the interval; 0 where there is none, so that nothing is claimed."""
        if self.half_width is None:
            return 0.0
        if self.reciprocal:
            return self.value / (1 + self.half_width)
        return max(0.0, self.value * (1 - self.half_width))

    @property
    def high(self) -> float:
        """Upper end of the interval; infinite where there is none."""
        if self.half_width is None:
            return math.inf
        if self.reciprocal:
            return self.value / (1 - self.half_width) if self.half_width < 1 else math.inf
        return self.value * (1 + self.half_width)

    @property
    def inverse(self) -> Estimate:
        """1 ÷ this, with the same interval turned round; the value must not be 0."""
        return Estimate(1 / self.value, self.half_width, not self.reciprocal)


@dataclass(frozen=True)
class Quotient:
    """A ratio of two figures with its interval."""

    value: float
    low: float
    high: float

    @property
    def gain(self) -> float:
        """What the numerator has more, as a share of the denominator."""
        return self.value - 1

    @property
    def inverse(self) -> Quotient:
        """1 ÷ this; the value must not be 0."""
        return Quotient(1 / self.value, 1 / self.high, 1 / self.low if self.low else math.inf)

    @property
    def known(self) -> bool:
        """Whether there is an interval at all."""
        return math.isfinite(self.high)

    @property
    def bounded(self) -> bool:
        """Whether there is an interval, or the low end of one: that of the denominator holds 0."""
        return self.known or self.low > 0


def quotient(numerator: Estimate, denominator: Estimate) -> Quotient | None:
    """Divide two independent figures, with the interval of Fieller's theorem.

    It holds for wide intervals too, where the delta method is too narrow, and agrees with
    :func:`distinguishable`: it leaves out 1 exactly where the difference leaves out 0.

    Parameters
    ----------
    numerator, denominator
        Independent figures with intervals of one confidence; both are reciprocal, or neither.

    Returns
    -------
    Quotient or None
        The ratio with its interval, from 0 to infinity where one of them has none; none
        where the ratio does not exist.

    Notes
    -----
    E. Fieller, Some Problems in Interval Estimation, Journal of the Royal Statistical
    Society B 16 (1954), 175-185. The limits are the roots in r of
    (a - r·b)² = (a·h_a)² + (r·b·h_b)².

    Examples
    --------
    >>> q = quotient(Estimate(200, 0.03), Estimate(100, 0.04))
    >>> round(q.value, 3), round(q.low, 3), round(q.high, 3)
    (2.0, 1.903, 2.103)
    """
    assert numerator.reciprocal == denominator.reciprocal
    if numerator.value <= 0 or denominator.value <= 0:
        return None
    if numerator.reciprocal:
        return quotient(denominator.inverse, numerator.inverse)
    value, above, below = numerator.value / denominator.value, numerator.half_width, denominator.half_width
    if above is None or below is None:
        return Quotient(value, 0.0, math.inf)
    root = math.sqrt(max(0.0, above**2 + below**2 - (above * below) ** 2))
    low = value * (1 - above**2) / (1 + root) if above < 1 else 0.0
    high = value * (1 + root) / (1 - below**2) if below < 1 else math.inf
    return Quotient(value, low, high)


def distinguishable(one: Estimate, other: Estimate) -> bool:
    """Tell whether the interval of the difference of two independent figures leaves out 0.

    Figures without an interval are never distinguishable: nothing is known about them.

    Examples
    --------
    >>> distinguishable(Estimate(100, 0.02), Estimate(102, 0.02))
    False
    >>> distinguishable(Estimate(100, 0.02), Estimate(104, 0.02))
    True
    """
    if one.half_width is None or other.half_width is None:
        return False
    reach = math.hypot(one.value * one.half_width, other.value * other.half_width)
    return abs(one.value - other.value) > reach


def together(parts: Sequence[Estimate]) -> Estimate:
    """Add figures up: the sum is off by no more than all of them; without an interval where one has none.

    Examples
    --------
    >>> together([Estimate(100, 0.02), Estimate(300, 0.02)])
    Estimate(value=400, half_width=0.02, reciprocal=False)
    """
    value = sum(part.value for part in parts)
    off = [part.value * part.half_width for part in parts if part.half_width is not None]
    if len(off) < len(parts):
        return Estimate(value)
    return Estimate(value, sum(off) / value if value else 0.0)
