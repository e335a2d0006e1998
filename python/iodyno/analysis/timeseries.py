"""A point in time: its windows, in the units that are shown."""

from __future__ import annotations

from dataclasses import dataclass

from iodyno.analysis.units import mb_s, ms
from iodyno.reading import Series


@dataclass(frozen=True)
class Window:
    """A window of 100 ms; several as one in a point of many hours."""

    start_s: float
    """Since the point began."""
    transaction_rate_io_s: float
    throughput_mb_s: float
    latency_ms_mean: float | None
    """None where nothing completed."""
    latency_ms_p99: float | None
    measured: bool
    """Whether it feeds the result."""


def windows(series: Series) -> tuple[Window, ...]:
    """Give the windows of a point.

    Parameters
    ----------
    series
        The whole point, warm-up included.
    """
    made = []
    for index in range(len(series.reads)):
        completed, length = series.completed(index), series.length_s(index)
        made.append(
            Window(
                start_s=series.start_s(index),
                transaction_rate_io_s=completed / length,
                throughput_mb_s=mb_s((series.read_bytes[index] + series.written_bytes[index]) / length),
                latency_ms_mean=ms(series.latency_sum_ns[index] / completed) if completed else None,
                latency_ms_p99=ms(series.p99_ns[index]) if completed else None,
                measured=index >= series.measured_from,
            )
        )
    return tuple(made)
