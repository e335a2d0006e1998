"""The knee of the rate–latency curve."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from iodyno.analysis.figures import PointFigures

LEAST_POINTS = 3
"""Fewer points have no knee between them."""


@dataclass(frozen=True)
class Knee:
    """The load that uses a system best."""

    at: PointFigures
    """The point with the highest power."""
    asymptote_outstanding: float
    """Outstanding I/Os in all where the asymptotes of the rate cross: maximum rate × lowest latency."""


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
        where the power still grows at the highest load: the knee lies beyond.

    Notes
    -----
    Power and its maximum as the knee: L. Kleinrock, Power and Deterministic Rules of Thumb
    for Probabilistic Problems in Computer Communications, ICC 1979, 43.1.1-43.1.10. The
    crossing of the asymptotes X ≤ N/R(1) and X ≤ X_max is the saturation point N* of
    E. Lazowska et al., Quantitative System Performance (1984), chapter 5.
    """
    usable = [item for item in points if item.latency_ms_mean.value > 0]
    if len(usable) < LEAST_POINTS:
        return None
    at = max(usable, key=lambda item: item.transaction_rate_io_s.value / item.latency_ms_mean.value)
    if at is usable[-1]:
        return None
    most = max(item.transaction_rate_io_s.value for item in usable)
    least_s = min(item.latency_ms_mean.value for item in usable) / 1000
    return Knee(at, most * least_s)
