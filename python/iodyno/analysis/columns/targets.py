"""The table of targets: a row for each target of a load."""

from __future__ import annotations

from iodyno.analysis.columns.column import KEY, LOAD, SYSTEM, Column
from iodyno.analysis.targets import TargetFigures
from iodyno.analysis.units import ms

TARGET_COLUMNS: tuple[Column[TargetFigures], ...] = (
    *KEY,
    Column(
        "rate_asked_io_s",
        float,
        "Rate asked for in IO/s of all targets; empty in a closed loop",
        lambda i: i.result.point.rate_io_s,
    ),
    Column("target", str, "Path of the target", lambda i: i.path),
    Column("completed_reads", int, "Reads completed on it in the measured part", lambda i: i.reads),
    Column("completed_writes", int, "Writes", lambda i: i.writes),
    Column("completed_trims", int, "Trims", lambda i: i.trims),
    Column("completed_syncs", int, "Syncs, not among the I/Os", lambda i: i.syncs),
    Column("errors", int, "I/Os that failed or came back short", lambda i: i.errors),
    Column(
        "transaction_rate_io_s", float, "I/Os completed ÷ measured seconds", lambda i: i.transaction_rate_io_s
    ),
    Column(
        "throughput_mb_s", float, "Bytes completed ÷ measured seconds ÷ 2^20", lambda i: i.throughput_mb_s
    ),
    Column("latency_ms_mean", float, "Mean of issue to completion", lambda i: i.latency_ms_mean),
    Column("latency_ms_p50", float, "Median", lambda i: i.latency_ms_at(0.5)),
    Column("latency_ms_p99", float, "99th percentile", lambda i: i.latency_ms_at(0.99)),
    Column("latency_ms_p99_9", float, "99.9th percentile", lambda i: i.latency_ms_at(0.999)),
    Column(
        "latency_ms_max", float, "Greatest latency", lambda i: ms(i.latency.max_ns) if i.completed else None
    ),
    Column(
        "response_time_ms_p99",
        float,
        "99th percentile of intended start to completion; only with a rate",
        lambda i: i.response_time_ms_at(0.99),
    ),
    Column(
        "trim_latency_ms_p99", float, "99th percentile of the trims' latency", lambda i: i.trim_latency_ms_p99
    ),
    Column(
        "sync_latency_ms_p99", float, "99th percentile of the syncs' latency", lambda i: i.sync_latency_ms_p99
    ),
    LOAD,
    SYSTEM,
)
"""Columns of the table of targets."""
