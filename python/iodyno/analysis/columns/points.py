"""The table of points: a row for each load of a point."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal, TypeAlias, TypeVar

from iodyno.analysis.bottleneck import asked_limit
from iodyno.analysis.columns.column import KEY, SYSTEM, Column, Value
from iodyno.analysis.figures import CommandFigures, PointFigures, percentiles_ms, point_figures
from iodyno.analysis.units import mb_s, ms
from iodyno.plan import RateShare
from iodyno.profiles import Block, LoadProfile
from iodyno.reading import (
    OF_A_LOAD,
    Bottleneck,
    Cause,
    Direction,
    OpenLoop,
    PointResult,
    Rebuilding,
    Simulation,
)  # fmt: skip
from iodyno.units import format_cpus

T = TypeVar("T")

StartCount: TypeAlias = Literal[
    "late_starts", "host_late_starts", "held_starts", "waited_starts", "backlog_start", "backlog_end"
]


@dataclass(frozen=True)
class PointItem:
    """What a row of the table of points is made from."""

    result: PointResult
    load: int = 0
    """Which load of its point it is, from 0."""
    whole: PointResult | None = None
    """The result of all loads of its point, where it is one of several."""
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
    def config_hash(self) -> str:
        """Hash of its point, with all loads."""
        return (self.whole or self.result).point.config_hash

    @property
    def open_loop(self) -> OpenLoop | None:
        """How the schedule was kept; none in a closed loop."""
        return self.result.reading.open_loop

    @property
    def corruptions(self) -> int | None:
        """Places whose data came back wrong, of the point: of which load they are is not told."""
        reading = (self.whole or self.result).reading
        return reading.corruptions if reading.integrity and not self.load else None

    def codes(self, causes: Sequence[Cause]) -> str:
        """Give the codes of the causes of this load, and of those that loads share."""
        own = (cause.load == self.load or not (cause.load or cause.code in OF_A_LOAD) for cause in causes)
        return " ".join(cause.code for cause, has in zip(causes, own, strict=True) if has)

    @property
    def utilisation_worker(self) -> float | None:
        """How busy the busiest worker was; none where an imported result does not tell it."""
        unknown = self.result.reading.engine.name == "fio" and not self.figures.utilisation_worker
        return None if unknown else self.figures.utilisation_worker

    @property
    def queue_growth_io_s(self) -> float | None:
        """I/Os a second by which the queue of an open loop grew; none of a closed one, or a short point."""
        growth = self.open_loop.growth if self.open_loop else None
        return growth.rate_io_s if growth else None

    @property
    def response_drift(self) -> float | None:
        """How response times of an open loop moved, as a share; none of a closed one, or a short point."""
        moved = self.open_loop.response_movement if self.open_loop else None
        return moved.drift if moved else None

    @property
    def simulation(self) -> Simulation | None:
        """What a virtual system told of the point; none of a measured one, and of loads beside the first."""
        return None if self.load else self.figures.simulation

    def limit(self, of: Callable[[Bottleneck], Value]) -> Value:
        """Give something of what limits a simulated point."""
        return of(self.simulation.bottleneck) if self.simulation else None

    def rebuild(self, of: Callable[[Rebuilding], Value]) -> Value:
        """Give something of the rebuild that takes longest; none where none is beside the point."""
        found = self.simulation.longest_rebuild if self.simulation else None
        return of(found) if found else None

    @property
    def limited_by(self) -> str | None:
        """What limits a simulated point."""
        if self.simulation is None:
            return None
        return (
            "station"
            if self.simulation.bottleneck.kind == "saturated"
            else asked_limit(self.figures) or "latency"
        )

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


def _profile(item: PointItem) -> LoadProfile:
    return item.result.point.profile


def _of_writes(of: Callable[[bool], T]) -> T | None:
    """Give what writes have of their own; none where they have what the others have."""
    own = of(True)
    return None if own == of(False) else own


def _completed(found: Direction | None) -> int:
    return found.completed if found else 0


def _least_ms(item: PointItem) -> float | None:
    """Give the least latency; none where none is known: where nothing completed, or nobody timed."""
    latency = item.result.reading.latency
    return ms(latency.min_ns) if latency.max_ns else None


def _mean(found: CommandFigures | None) -> float | None:
    return found.latency_ms_mean if found else None


def _p99(found: CommandFigures | None) -> float | None:
    return found.latency_ms_p99 if found else None


def _blocks(result: PointResult) -> str:
    """Write block sizes with their weights: ``8192``, or ``4096:60 65536:40``."""
    return _sizes(result.point.profile.blocks)


def _sizes(blocks: Sequence[Block]) -> str:
    if not blocks:
        return ""
    if len(blocks) == 1:
        return str(blocks[0].bytes)
    return " ".join(f"{block.bytes}:{block.weight:g}" for block in blocks)


POINT_COLUMNS: tuple[Column[PointItem], ...] = (
    *KEY,
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
        "write_random_share",
        float,
        "Share of random writes, 0 to 1, where it is not that of reads and trims",
        lambda i: _of_writes(_profile(i).random_of),
    ),
    Column(
        "random_every",
        int,
        "Accesses of a worker to a target of which the first alone can be random",
        lambda i: _profile(i).random_every,
    ),
    Column(
        "gap_bytes",
        int,
        "Bytes between the end of an access and a sequential one behind it; below 0 it goes back",
        lambda i: _profile(i).gap_bytes,
    ),
    Column(
        "cursors",
        str,
        "Which cursors sequential accesses follow: shared by both directions, or own ones",
        lambda i: "own" if _profile(i).own_cursors else "shared",
    ),
    Column(
        "distribution",
        str,
        "Where random accesses go, as a study writes it",
        lambda i: str(i.result.point.profile.distribution),
    ),
    Column(
        "write_distribution",
        str,
        "Where random writes go, where that is not where reads and trims go",
        lambda i: str(_of_writes(_profile(i).distribution_of) or ""),
    ),
    Column(
        "workers_area",
        str,
        "What a worker accesses: shared, own or stream",
        lambda i: i.result.point.workers_area,
    ),
    Column(
        "targets_per_worker",
        int,
        "Targets that have that many workers of their own; empty where every worker drives all",
        lambda i: i.result.point.shared_out,
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
    Column("config_hash", str, "Hash of the point's configuration", lambda i: i.config_hash),
    Column("started_at", str, "Start in UTC, ISO 8601", lambda i: i.result.started_at),
    Column(
        "begins_after_s",
        float,
        "When the load begins, in seconds after the beginning of the point",
        lambda i: i.result.point.begins_after_s,
    ),
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
        "Places whose data came back wrong; empty where it was not verified; of several loads at once the "
        "first has those of all",
        lambda i: i.corruptions,
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
        "Half-width of the interval of the main figure, rate or throughput, as a share of it; empty where "
        "unknown",
        lambda i: i.result.reading.precision.half_width,
    ),
    Column(
        "interval_confidence", float, "Confidence of the interval, 0 to 1", lambda i: i.figures.confidence
    ),
    Column(
        "latency_ms_mean",
        float,
        "Mean of issue to completion",
        lambda i: i.figures.known_latency_ms_mean,
    ),
    Column("latency_ms_min", float, "Least latency", _least_ms),
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
    Column("latency_ms_max", float, "Greatest latency", lambda i: i.figures.latency_ms_max or None),
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
        "Those of them that neither the limit of outstanding I/Os nor a write of the same place held up",
        lambda i: i.starts("host_late_starts"),
    ),
    Column(
        "held_starts",
        int,
        "I/Os that were due while all that may be outstanding were",
        lambda i: i.starts("held_starts"),
    ),
    Column(
        "waited_starts",
        int,
        "I/Os that waited for another write or trim of the same place, where data are verified",
        lambda i: i.starts("waited_starts"),
    ),
    Column(
        "start_delay_ms_p99",
        float,
        "99th percentile of intended start to issue, of the I/Os that neither held up",
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
        "queue_growth_io_s",
        float,
        "I/Os a second by which what was due or under way grew; below 0 where it shrank",
        lambda i: i.queue_growth_io_s,
    ),
    Column(
        "response_drift",
        float,
        "Excursion of the line fitted to the response times of an open loop, as a share of their mean; from "
        "10,000 I/Os on",
        lambda i: i.response_drift,
    ),
    Column(
        "mean_outstanding",
        float,
        "Outstanding I/Os in all, mean over time",
        lambda i: i.result.reading.mean_outstanding or None,
    ),
    Column(
        "utilisation_worker",
        float,
        "CPU time of the busiest worker ÷ that of the processors it can use at once, 0 to 1; empty where "
        "unknown",
        lambda i: i.utilisation_worker,
    ),
    Column(
        "state",
        str,
        "Verdict: steady, not_steady, capped or disturbed; not_judged of imported ones",
        lambda i: i.result.verdict.state,
    ),
    Column(
        "causes",
        str,
        "Codes of what disturbed it or kept it from being steady",
        lambda i: i.codes(i.result.verdict.causes),
    ),
    Column("notes", str, "Codes of what limits its meaning", lambda i: i.codes(i.result.verdict.notes)),
    Column("stopped", str, "Why the measurement ended", lambda i: i.result.reading.stopped),
    Column(
        "load", int, "Which load of the point, from 0: of several at once each has a row", lambda i: i.load
    ),
    SYSTEM,
    Column(
        "limited_by",
        str,
        "What limits in a virtual system: station, rate, think (the rate or think time asked for) or "
        "latency; of several loads at once only the first has a limit, here and in the next columns",
        lambda i: i.limited_by,
    ),
    Column(
        "limit_station",
        str,
        "Station of the virtual system that is saturated; empty where none is",
        lambda i: i.limit(lambda limit: limit.station),
    ),
    Column(
        "limit_place",
        str,
        "Part of the virtual system that limits, or that has the greatest share of the latency",
        lambda i: i.limit(lambda limit: limit.place),
    ),
    Column(
        "limit_utilisation",
        float,
        "Utilisation of the station that is saturated, where none is of the busiest one, 0 to 1",
        lambda i: i.simulation.utilisation if i.simulation else None,
    ),
    Column(
        "limit_share",
        float,
        "Share of the I/Os whose targets lie behind that station, 0 to 1; empty where all do",
        lambda i: i.limit(lambda limit: limit.share),
    ),
    Column(
        "rebuild_mb_s",
        float,
        "Bytes of each failed member rebuilt beside the load ÷ measured seconds ÷ 2^20; of several volumes "
        "those of the one that takes longest, here and in the next columns",
        lambda i: i.rebuild(lambda rebuild: mb_s(rebuild.bytes_s)),
    ),
    Column(
        "rebuild_asked_mb_s",
        float,
        "Rate that was asked for it",
        lambda i: i.rebuild(lambda rebuild: mb_s(rebuild.asked_bytes_s)),
    ),
    Column(
        "rebuild_s",
        float,
        "Time that all of a member takes at the rate it was rebuilt at, in seconds; empty where nothing was",
        lambda i: i.rebuild(lambda rebuild: rebuild.member_s),
    ),
)
"""Columns of the table of points."""
