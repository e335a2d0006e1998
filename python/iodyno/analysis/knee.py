"""The knee of the rate–latency curve."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from iodyno.analysis.estimate import Estimate, distinguishable
from iodyno.analysis.figures import PointFigures

LEAST_POINTS = 3
"""Fewer points have no knee between them."""


@dataclass(frozen=True)
class Knee:
    """The load that uses a system best."""

    at: PointFigures
    """The point with the highest power."""
    candidates: tuple[PointFigures, ...]
    """Every point whose power is not distinguishable from it, itself among them, ascending by load."""

    @property
    def certain(self) -> bool:
        """Whether no other load could be the knee as well."""
        return len(self.candidates) == 1


def knee(points: Sequence[PointFigures]) -> Knee | None:
    """Find the knee: the load with the highest power, rate ÷ mean latency.

    Below it more load buys rate for little latency, beyond it latency for little rate.

    Parameters
    ----------
    points
        Points of a curve, ascending by load.

    Returns
    -------
    Knee or None
        None with fewer than :data:`LEAST_POINTS` points, where nothing was completed, and
        where the highest or only the lowest load could be it: then the knee may lie beyond.

    Notes
    -----
    Power and its maximum as the knee: L. Kleinrock, Power and Deterministic Rules of Thumb
    for Probabilistic Problems in Computer Communications, ICC 1979, 43.1.1-43.1.10.
    """
    usable = [item for item in points if item.latency_ms_mean.value > 0]
    if len(usable) < LEAST_POINTS:
        return None
    powers = [_power(item) for item in usable]
    best = max(range(len(usable)), key=lambda place: powers[place].value)
    near = [place for place, power in enumerate(powers) if not distinguishable(power, powers[best])]
    if near[-1] == len(usable) - 1 or near == [0]:
        return None
    return Knee(usable[best], tuple(usable[near[0] : near[-1] + 1]))


def _power(item: PointFigures) -> Estimate:
    """Give rate ÷ latency; in a closed loop rate² ÷ outstanding, with twice the relative interval."""
    half_width = item.transaction_rate_io_s.half_width
    return Estimate(
        item.transaction_rate_io_s.value / item.latency_ms_mean.value,
        None if half_width is None else 2 * half_width,
    )
