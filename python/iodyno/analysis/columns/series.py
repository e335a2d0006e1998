"""The time series: a row for each window."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

from iodyno.analysis.columns.column import KEY, LOAD, SYSTEM, Column, Value
from iodyno.analysis.units import mb_s, ms
from iodyno.reading import PointResult

WindowTime: TypeAlias = Literal[
    "latency_sum_ns", "p99_ns", "max_ns", "response_sum_ns", "response_p99_ns", "response_max_ns"
]


@dataclass(frozen=True)
class WindowItem:
    """What a row of the time series is made from."""

    result: PointResult
    window: int
    load: int
    """Which load of its point it is of, from 0."""

    @property
    def length_s(self) -> float:
        """Length of the window in s."""
        return self.result.reading.series.length_s(self.window)

    @property
    def completed(self) -> int:
        """I/Os completed in the window."""
        return self.result.reading.series.completed(self.window)

    @property
    def bytes(self) -> int:
        """Bytes completed in the window."""
        series = self.result.reading.series
        return series.read_bytes[self.window] + series.written_bytes[self.window]

    def waiting(self, field: Literal["backlog", "under_way"]) -> int | None:
        """Give the I/Os that were due, or issued and not done, at its end; none in a closed loop."""
        counts: tuple[int, ...] = getattr(self.result.reading.series, field)
        return counts[self.window] if counts else None

    def of(self, command: Literal["trims", "syncs"]) -> int:
        """Trims, or syncs, completed in the window."""
        counts: tuple[int, ...] = getattr(self.result.reading.series, command)
        return counts[self.window] if counts else 0

    def rate(self, amount: float) -> float:
        """Give an amount ÷ the length of the window."""
        return amount / self.length_s

    def latency_ms(self, field: WindowTime, divisor: int = 1) -> Value:
        """Give a latency or response time of the window in ms; none where nothing completed, or no rate."""
        values: tuple[int, ...] = getattr(self.result.reading.series, field)
        return ms(values[self.window] / divisor) if self.completed and values else None


SERIES_COLUMNS: tuple[Column[WindowItem], ...] = (
    *KEY,
    Column("window", int, "Index of the window, from 0", lambda i: i.window),
    Column(
        "start_s",
        float,
        "Where it begins, in seconds after the point began",
        lambda i: i.result.reading.series.start_s(i.window),
    ),
    Column("length_s", float, "Its length in seconds", lambda i: i.length_s),
    Column(
        "measured",
        bool,
        "Whether it feeds the result",
        lambda i: i.window >= i.result.reading.series.measured_from,
    ),
    Column("completed_reads", int, "Reads completed", lambda i: i.result.reading.series.reads[i.window]),
    Column("completed_writes", int, "Writes completed", lambda i: i.result.reading.series.writes[i.window]),
    Column("completed_bytes", int, "Bytes completed", lambda i: i.bytes),
    Column("completed_trims", int, "Trims completed", lambda i: i.of("trims")),
    Column("completed_syncs", int, "Syncs completed", lambda i: i.of("syncs")),
    Column("transaction_rate_io_s", float, "I/Os completed ÷ length", lambda i: i.rate(i.completed)),
    Column("throughput_mb_s", float, "Bytes completed ÷ length ÷ 2^20", lambda i: mb_s(i.rate(i.bytes))),
    Column(
        "latency_ms_mean",
        float,
        "Mean latency; latencies are empty where nothing completed",
        lambda i: i.latency_ms("latency_sum_ns", i.completed),
    ),
    Column(
        "latency_ms_p99",
        float,
        "99th percentile; of a row of several windows their greatest",
        lambda i: i.latency_ms("p99_ns"),
    ),
    Column("latency_ms_max", float, "Greatest latency", lambda i: i.latency_ms("max_ns")),
    Column(
        "response_time_ms_mean",
        float,
        "Mean response time; like what follows only with a rate",
        lambda i: i.latency_ms("response_sum_ns", i.completed),
    ),
    Column("response_time_ms_p99", float, "99th percentile", lambda i: i.latency_ms("response_p99_ns")),
    Column(
        "response_time_ms_max", float, "Greatest response time", lambda i: i.latency_ms("response_max_ns")
    ),
    Column(
        "backlog", int, "I/Os due but not issued, at the end of the window", lambda i: i.waiting("backlog")
    ),
    Column(
        "under_way",
        int,
        "I/Os and syncs issued and not completed, at its end",
        lambda i: i.waiting("under_way"),
    ),
    LOAD,
    SYSTEM,
)
"""Columns of the time series."""
