"""A prediction in the form of a reading, for whoever shows readings."""

from __future__ import annotations

import math
from collections.abc import Sequence

from iodyno.histogram import HISTOGRAM_SUB_BUCKETS, Histogram
from iodyno.plan import Point
from iodyno.prediction.records import Prediction
from iodyno.reading import Direction, EngineFacts, Issued, Precision, Reading, Series, Simulation, WorkerFacts

PREDICTION_VERSION = 1
"""Version of the formulas: another one can give other figures."""
LEAST_IOS = 1_000_000
"""I/Os that a reading counts at least: so many that rounding to whole ones does not show."""


def as_reading(point: Point, prediction: Prediction) -> Reading:
    """Give a prediction as a reading.

    Its means are those of the prediction; there is nothing else in it. The histograms have the mean
    as their only value, because means are all that the formulas give: **percentiles of such a
    reading say nothing**, and its engine is called ``analytic`` so that they are not shown.

    Parameters
    ----------
    point
        The point.
    prediction
        What :func:`iodyno.prediction.predict` said of it.

    Returns
    -------
    Reading
        With ``simulation`` telling stations, split of the latency, bottleneck and bound.
    """
    measured_s = max(1.0, math.ceil(LEAST_IOS / prediction.rate_io_s))
    completed = round(prediction.rate_io_s * measured_s)
    reads = round(completed * point.profile.read_share)
    latency = prediction.latency_ns_mean
    directions = [
        _direction(count, point.profile.mean_bytes_of(write), latency)
        for write, count in ((False, reads), (True, completed - reads))
    ]
    issued = Issued(
        reads=reads,
        writes=completed - reads,
        read_bytes=directions[0].bytes,
        written_bytes=directions[1].bytes,
    )
    worker = WorkerFacts(
        cpu_s=0.0, elapsed_s=measured_s, system_calls=0,
        io_time_s=prediction.customers / point.workers_in_all * measured_s,
    )  # fmt: skip
    return Reading(
        engine=EngineFacts(name="analytic", direct=point.direct, clock="none"),
        warmup_s=0.0, measured_s=measured_s, reads=directions[0], writes=directions[1],
        series=_series(measured_s, directions),
        precision=Precision(), stopped="precise", issued=issued, workers=(worker,) * point.workers_in_all,
        simulation=Simulation(
            model_version=PREDICTION_VERSION, virtual_s=0.0, events=0, stations=prediction.stations,
            latency_split=prediction.latency_split, bottleneck=prediction.bottleneck,
            bounds=prediction.bounds,
        ),
    )  # fmt: skip


def _series(measured_s: float, directions: Sequence[Direction]) -> Series:
    """One window: nothing changes over time."""
    reads, writes = directions
    return Series(
        window_s=measured_s, reads=(reads.completed,), writes=(writes.completed,), read_bytes=(reads.bytes,),
        written_bytes=(writes.bytes,), p99_ns=(0,), max_ns=(0,),
        latency_sum_ns=(reads.latency.sum_ns + writes.latency.sum_ns,),
    )  # fmt: skip


def _direction(count: int, size: float, latency_ns: float) -> Direction:
    if not count:
        return Direction()
    value = max(round(latency_ns), 1)
    mean = Histogram(
        index=(_bucket(value),), count=(count,), min_ns=value, max_ns=value, sum_ns=round(latency_ns * count)
    )
    return Direction(completed=count, bytes=round(count * size), latency=mean)


def _bucket(value: int) -> int:
    bits = HISTOGRAM_SUB_BUCKETS.bit_length() - 1
    shift = value.bit_length() - bits - 1
    if shift <= 0:
        return value
    return ((shift + 1) << bits) | ((value >> shift) & (HISTOGRAM_SUB_BUCKETS - 1))
