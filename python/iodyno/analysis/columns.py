"""The columns of the tables as data: name, type, meaning, and how the value comes from a result."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Generic, Literal, Protocol, TypeAlias, TypeVar

from iodyno.analysis.figures import CommandFigures, PointFigures, percentiles_ms, point_figures
from iodyno.analysis.targets import TargetFigures
from iodyno.analysis.units import mb_s, ms
from iodyno.plan import RateShare
from iodyno.profiles import Block, LoadProfile
from iodyno.reading import Cause, Direction, OpenLoop, PointResult
from iodyno.units import format_cpus

Value: TypeAlias = str | int | float | bool | None
T_contra = TypeVar("T_contra", contravariant=True)


@dataclass(frozen=True)
class Column(Generic[T_contra]):
    """A column of a table."""

    name: str
    """With its unit last, then the statistic."""
    type: type[str] | type[int] | type[float] | type[bool]
    meaning: str
    value: Callable[[T_contra], Value]


class HasResult(Protocol):
    """Anything that belongs to a result."""

    @property
    def result(self) -> PointResult:
        """The result."""


StartCount: TypeAlias = Literal[
    "late_starts", "host_late_starts", "held_starts", "backlog_start", "backlog_end"
]


@dataclass(frozen=True)
class PointItem:
    """What a row of the table of points is made from."""

    result: PointResult
    load: int = 0
    """Which load of its point it is, from 0."""
    known: PointFigures | None = None
    """Its figures, where they are there already."""

    @cached_property
    def figures(self) -> PointFigures:
        """The figures in the units that are shown."""
        return self.known or point_figures(self.result)

    def latency_ms(self, share: float) -> float | None:
        """Give a percentile of the latency; none where too few I/Os support it."""
        return self.figures.latency_ms_at(share)

    def response_time_ms(self, share: float) -> float | None:
        """Give a percentile of the response time; none without a rate, or where too few I/Os support it."""
        return self.figures.response_time_ms_at(share)

    @property
    def open_loop(self) -> OpenLoop | None:
        """How the schedule was kept; none in a closed loop."""
        return self.result.reading.open_loop

    @property
    def rate_share(self) -> float | None:
        """Rate asked for as a share of what the target served."""
        rule = self.result.point.rate_from
        return rule.share if isinstance(rule, RateShare) else None

    def starts(self, field: StartCount) -> int | None:
        """Give a count of the schedule; none in a closed loop."""
        count: int | None = getattr(self.open_loop, field, None)
        return count

    def start_delay_ms(self, share: float) -> float | None:
        """Give a percentile of the delay of the starts; none where too few I/Os support it."""
        if self.open_loop is None:
            return None
        (found,) = percentiles_ms(self.open_loop.start_delay, (share,))
        return found.value_ms


def _common(values: Iterable[int]) -> int | None:
    """Give the value that all have; none where they differ."""
    different = set(values)
    return different.pop() if len(different) == 1 else None


WindowTime: TypeAlias = Literal[
    "latency_sum_ns", "p99_ns", "max_ns", "response_sum_ns", "response_p99_ns", "response_max_ns"
]


@dataclass(frozen=True)
class WindowItem:
    """What a row of the time series is made from."""

    result: PointResult
    window: int

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

    @property
    def backlog(self) -> int | None:
        """I/Os due but not issued, at the end of the window; none in a closed loop."""
        backlog = self.result.reading.series.backlog
        return backlog[self.window] if backlog else None

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


DirectionName: TypeAlias = Literal["read", "write", "trim", "sync"]


@dataclass(frozen=True)
class BucketItem:
    """What a row of the histograms is made from."""

    result: PointResult
    direction: DirectionName
    measure: Literal["latency", "response_time"]
    low_ns: int
    below_ns: int
    count: int


def _profile(item: PointItem) -> LoadProfile:
    return item.result.point.profile


def _completed(found: Direction | None) -> int:
    return found.completed if found else 0


def _mean(found: CommandFigures | None) -> float | None:
    return found.latency_ms_mean if found else None


def _p99(found: CommandFigures | None) -> float | None:
    return found.latency_ms_p99 if found else None


def _codes(causes: Iterable[Cause]) -> str:
    return " ".join(cause.code for cause in causes)


def _blocks(result: PointResult) -> str:
    """Write block sizes with their weights: ``8192``, or ``4096:60 65536:40``."""
    return _sizes(result.point.profile.blocks)


def _sizes(blocks: Sequence[Block]) -> str:
    if not blocks:
        return ""
    if len(blocks) == 1:
        return str(blocks[0].bytes)
    return " ".join(f"{block.bytes}:{block.weight:g}" for block in blocks)


_KEY: tuple[Column[HasResult], ...] = (
    Column("point", int, "Index of the point in the plan, from 0", lambda i: i.result.point.index),
    Column("sweep", str, "Sweep of the study that it belongs to", lambda i: i.result.point.sweep),
    Column("profile", str, "Short name of the load profile", lambda i: i.result.point.profile.name),
    Column(
        "outstanding", int, "Outstanding I/Os per target and worker", lambda i: i.result.point.outstanding
    ),
    Column("workers", int, "Workers", lambda i: i.result.point.workers),
    Column(
        "outstanding_total",
        int,
        "Outstanding I/Os: per target and worker × workers × targets",
        lambda i: i.result.point.outstanding_total,
    ),
)

POINT_COLUMNS: tuple[Column[PointItem], ...] = (
    *_KEY,
    Column(
        "rate_asked_io_s",
        float,
        "Rate asked for in IO/s; empty in a closed loop",
        lambda i: i.result.point.rate_io_s,
    ),
    Column(
        "targets", str, "Paths of the targets", lambda i: " ".join(t.path for t in i.result.point.targets)
    ),
    Column(
        "area_start_bytes",
        int,
        "Where the accessed area of each target begins, in bytes; empty where targets differ",
        lambda i: _common(target.area_start_bytes for target in i.result.point.targets),
    ),
    Column(
        "area_length_bytes",
        int,
        "Length of the accessed area of each target, in bytes; empty where targets differ",
        lambda i: _common(target.area_length_bytes for target in i.result.point.targets),
    ),
    Column(
        "profile_version",
        int,
        "Version of the profile's definition",
        lambda i: i.result.point.profile.version,
    ),
    Column(
        "random_share",
        float,
        "Share of random accesses, 0 to 1",
        lambda i: i.result.point.profile.random_share,
    ),
    Column(
        "distribution",
        str,
        "Where random accesses go, as a study writes it",
        lambda i: str(i.result.point.profile.distribution),
    ),
    Column(
        "workers_area",
        str,
        "What a worker accesses: shared, own or stream",
        lambda i: i.result.point.workers_area,
    ),
    Column(
        "data_compressible_share",
        float,
        "Share of each block written that compresses away, 0 to 1",
        lambda i: i.result.point.profile.data_compressible_share,
    ),
    Column(
        "data_duplicate_share",
        float,
        "Share of blocks written that are copies of earlier ones, 0 to 1",
        lambda i: i.result.point.profile.data_duplicate_share,
    ),
    Column(
        "read_share", float, "Share of reads asked for, 0 to 1", lambda i: i.result.point.profile.read_share
    ),
    Column("block_bytes", str, "Block size in bytes; several as size:weight", lambda i: _blocks(i.result)),
    Column(
        "write_block_bytes",
        str,
        "Block size of writes in bytes where it is not that of reads; several as size:weight",
        lambda i: _sizes(i.result.point.profile.write_blocks),
    ),
    Column("engine", str, "Engine that answered", lambda i: i.result.reading.engine.name),
    Column(
        "direct",
        bool,
        "Whether the caches of the operating system were bypassed",
        lambda i: i.result.reading.engine.direct,
    ),
    Column(
        "write_through",
        bool,
        "Whether each write was durable before it was complete (O_DSYNC)",
        lambda i: i.result.reading.engine.write_through,
    ),
    Column("trim_share", float, "Share of trims asked for, 0 to 1", lambda i: _profile(i).trim_share),
    Column("fsync_every", int, "Writes between two fsyncs; 0: none", lambda i: _profile(i).fsync_every),
    Column(
        "fdatasync_every",
        int,
        "Writes between two fdatasyncs; 0: none",
        lambda i: _profile(i).fdatasync_every,
    ),
    Column("think_time_us", int, "Think time in µs; 0: none", lambda i: _profile(i).think_time_us),
    Column("think_every", int, "Accesses between two think times", lambda i: _profile(i).think_every),
    Column(
        "worker_cpus",
        str,
        "Processors that the workers were pinned to; empty: not pinned",
        lambda i: " ".join(dict.fromkeys(format_cpus(worker.cpus) for worker in i.result.reading.workers)),
    ),
    Column("seed", int, "Seed of the point's draws", lambda i: i.result.point.seed),
    Column("config_hash", str, "Hash of the point's configuration", lambda i: i.result.point.config_hash),
    Column("started_at", str, "Start in UTC, ISO 8601", lambda i: i.result.started_at),
    Column("warmup_s", float, "Seconds before the measured part", lambda i: i.figures.warmup_s),
    Column("measured_s", float, "Seconds of the measured part", lambda i: i.figures.measured_s),
    Column("completed", int, "I/Os completed in the measured part", lambda i: i.figures.completed),
    Column("completed_reads", int, "Reads among them", lambda i: i.result.reading.reads.completed),
    Column("completed_writes", int, "Writes among them", lambda i: i.result.reading.writes.completed),
    Column("completed_bytes", int, "Bytes completed in the measured part", lambda i: i.result.reading.bytes),
    Column("completed_trims", int, "Trims among the I/Os", lambda i: _completed(i.result.reading.trims)),
    Column("completed_syncs", int, "Syncs, not among the I/Os", lambda i: _completed(i.result.reading.syncs)),
    Column("errors", int, "I/Os that failed or came back short", lambda i: i.figures.errors),
    Column(
        "corruptions",
        int,
        "Places whose data came back wrong; none where it was not verified",
        lambda i: i.result.reading.corruptions if i.result.reading.integrity else None,
    ),
    Column(
        "transaction_rate_io_s",
        float,
        "I/Os completed ÷ measured seconds",
        lambda i: i.figures.transaction_rate_io_s.value,
    ),
    Column(
        "throughput_mb_s",
        float,
        "Bytes completed ÷ measured seconds ÷ 2^20",
        lambda i: i.figures.throughput_mb_s.value,
    ),
    Column(
        "interval_half_width",
        float,
        "Half-width of the interval of the rate, as a share of it; empty where unknown",
        lambda i: i.result.reading.precision.half_width,
    ),
    Column(
        "interval_confidence", float, "Confidence of the interval, 0 to 1", lambda i: i.figures.confidence
    ),
    Column(
        "latency_ms_mean", float, "Mean of issue to completion", lambda i: i.figures.latency_ms_mean.value
    ),
    Column("latency_ms_min", float, "Least latency", lambda i: ms(i.result.reading.latency.min_ns)),
    Column(
        "latency_ms_p50",
        float,
        "Median; percentiles are empty where too few I/Os support them",
        lambda i: i.latency_ms(0.5),
    ),
    Column("latency_ms_p90", float, "90th percentile", lambda i: i.latency_ms(0.9)),
    Column("latency_ms_p99", float, "99th percentile", lambda i: i.latency_ms(0.99)),
    Column("latency_ms_p99_9", float, "99.9th percentile", lambda i: i.latency_ms(0.999)),
    Column("latency_ms_p99_99", float, "99.99th percentile", lambda i: i.latency_ms(0.9999)),
    Column("latency_ms_max", float, "Greatest latency", lambda i: i.figures.latency_ms_max),
    Column(
        "response_time_ms_mean",
        float,
        "Mean of intended start to completion; only with a rate",
        lambda i: i.figures.response_time_ms_mean,
    ),
    Column("trim_latency_ms_mean", float, "Mean latency of the trims", lambda i: _mean(i.figures.trims)),
    Column("trim_latency_ms_p99", float, "99th percentile of it", lambda i: _p99(i.figures.trims)),
    Column("sync_latency_ms_mean", float, "Mean latency of the syncs", lambda i: _mean(i.figures.syncs)),
    Column("sync_latency_ms_p99", float, "99th percentile of it", lambda i: _p99(i.figures.syncs)),
    Column("response_time_ms_p99", float, "99th percentile of it", lambda i: i.response_time_ms(0.99)),
    Column("response_time_ms_p99_9", float, "99.9th percentile of it", lambda i: i.response_time_ms(0.999)),
    Column(
        "rate_asked_share",
        float,
        "Rate asked for as a share of what the target served in a closed loop; only where so asked for",
        lambda i: i.rate_share,
    ),
    Column(
        "late_starts",
        int,
        "I/Os issued more than 1 ms after their intended start; like what follows only with a rate",
        lambda i: i.starts("late_starts"),
    ),
    Column(
        "late_starts_host",
        int,
        "Those of them that no limit of outstanding I/Os held up",
        lambda i: i.starts("host_late_starts"),
    ),
    Column(
        "held_starts",
        int,
        "I/Os that were due while all that may be outstanding were",
        lambda i: i.starts("held_starts"),
    ),
    Column(
        "start_delay_ms_p99",
        float,
        "99th percentile of intended start to issue, of the I/Os that no limit held up",
        lambda i: i.start_delay_ms(0.99),
    ),
    Column(
        "backlog_start",
        int,
        "I/Os due but not issued when the measured part began",
        lambda i: i.starts("backlog_start"),
    ),
    Column(
        "backlog_end",
        int,
        "I/Os due but not issued at the end",
        lambda i: i.starts("backlog_end"),
    ),
    Column(
        "mean_outstanding",
        float,
        "Outstanding I/Os in all, mean over time",
        lambda i: i.result.reading.mean_outstanding,
    ),
    Column(
        "utilisation_worker",
        float,
        "CPU time of the busiest worker ÷ elapsed time, 0 to 1",
        lambda i: i.figures.utilisation_worker,
    ),
    Column(
        "state", str, "Verdict: steady, not_steady, capped or disturbed", lambda i: i.result.verdict.state
    ),
    Column(
        "causes",
        str,
        "Codes of what disturbed it or kept it from being steady",
        lambda i: _codes(i.result.verdict.causes),
    ),
    Column("notes", str, "Codes of what limits its meaning", lambda i: _codes(i.result.verdict.notes)),
    Column("stopped", str, "Why the measurement ended", lambda i: i.result.reading.stopped),
    Column(
        "load", int, "Which load of the point, from 0: of several at once each has a row", lambda i: i.load
    ),
)
"""Columns of the table of points."""


SERIES_COLUMNS: tuple[Column[WindowItem], ...] = (
    *_KEY,
    Column("window", int, "Index of the window, from 0", lambda i: i.window),
    Column(
        "start_s",
        float,
        "Where it begins, in seconds after the load began",
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
    Column("backlog", int, "I/Os due but not issued, at the end of the window", lambda i: i.backlog),
)
"""Columns of the time series."""


TARGET_COLUMNS: tuple[Column[TargetFigures], ...] = (
    *_KEY,
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
)
"""Columns of the table of targets."""


HISTOGRAM_COLUMNS: tuple[Column[BucketItem], ...] = (
    *_KEY,
    Column("direction", str, "read, write, trim or sync", lambda i: i.direction),
    Column("measure", str, "latency, or response_time where a rate was given", lambda i: i.measure),
    Column("bucket_ms_low", float, "Lowest value that the bucket holds", lambda i: ms(i.low_ns)),
    Column("bucket_ms_below", float, "First value above the bucket", lambda i: ms(i.below_ns)),
    Column("count", int, "I/Os in the bucket", lambda i: i.count),
)
"""Columns of the histograms."""
