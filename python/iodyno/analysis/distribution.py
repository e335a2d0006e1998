"""The distribution of the latency, as far as the number of I/Os supports it."""

from __future__ import annotations

import math
from dataclasses import dataclass

from iodyno.analysis.units import ms
from iodyno.histogram import BEYOND_A_PERCENTILE, Histogram, bucket_bounds

FIVE_NINES = 0.99999
STEPS_A_NINE = 12
"""Points of the curve between a share and the next nine."""


@dataclass(frozen=True)
class Share:
    """A point of the cumulative distribution."""

    latency_ms: float
    share: float
    """Share of I/Os that took no longer, 0 to 1."""


def distribution(latency: Histogram, most: float = FIVE_NINES) -> tuple[Share, ...]:
    """Give the cumulative distribution, thinned evenly over the nines.

    Parameters
    ----------
    latency
        Latencies of a point, in ns.
    most
        Where it ends at the latest, 0 to 1.

    Returns
    -------
    tuple of Share
        Ascending in both; it ends where fewer than :data:`~iodyno.histogram.BEYOND_A_PERCENTILE` I/Os took
        longer. Empty where no more than those were completed, or no buckets are known.
    """
    total = latency.total
    if total <= BEYOND_A_PERCENTILE or latency.untold:
        return ()
    end = min(most, 1 - BEYOND_A_PERCENTILE / total)
    points, last = [Share(ms(latency.min_ns), 0.0)], -1
    for index, seen in zip(latency.index, latency.up_to, strict=True):
        share = seen / total
        if share > end:
            break
        step = math.floor(-math.log10(1 - share) * STEPS_A_NINE)
        if step > last:
            _, above = bucket_bounds(index)
            points.append(Share(ms(min(above - 1, latency.max_ns)), share))
            last = step
    if end > points[-1].share:
        points.append(Share(max(ms(latency.percentile_ns(end)), points[-1].latency_ms), end))
    return tuple(points)
