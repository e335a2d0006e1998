"""Makers of valid records for the tests: points, readings, results, whole runs.

Everything comes from seeds, nothing from a clock or a disk, so two calls with the same
arguments give equal records. Readings keep the laws that real ones keep: completed =
reads + writes, bytes = completed × block, and outstanding = rate × mean latency (to the
rounding of integers) where no latency is given.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Iterable, Sequence
from datetime import datetime, timedelta, timezone
from typing import Any

from iodyno.histogram import HISTOGRAM_SUB_BUCKETS, Histogram
from iodyno.plan import BesideLoad, Plan, PlannedTarget, Point, Stopping, point_seed
from iodyno.profiles import POWERS_OF_TWO, STANDARD_LOADS, STANDARD_SETS, LoadProfile
from iodyno.reading import (
    Cause,
    DeviceCounters,
    Direction,
    EngineFacts,
    Issued,
    LoadReading,
    Observation,
    OpenLoop,
    PointResult,
    Precision,
    Reading,
    Series,
    Split,
    State,
    StopReason,
    TargetReading,
    Verdict,
    WorkerFacts,
)
from iodyno.store.records import Run, RunStatus, StoredRun, ToolFacts
from iodyno.system import Fact, Section, System
from iodyno.verdict import judge

GIB = 1 << 30
STARTED = datetime(2026, 3, 14, 9, 26, 53, tzinfo=timezone.utc)
WINDOW_S = 0.1
SAMPLES = 400

FIELD_PROFILES = tuple(load.profile.name for load in STANDARD_SETS["field"])
"""Short names of the five profiles of the field set."""

# Latency at one outstanding I/O in ms, and the most I/Os per second: a fast SATA-class drive.
SATURATION: dict[str, tuple[float, float]] = {
    "file-copy": (0.40, 6_400.0),
    "file-server": (0.36, 7_000.0),
    "database": (0.12, 48_000.0),
    "streaming": (0.20, 8_300.0),
    "restore": (0.25, 7_200.0),
}


def bucket_index(value_ns: int) -> int:
    """Give the histogram bucket of a value: the inverse of ``bucket_bounds``."""
    bits = HISTOGRAM_SUB_BUCKETS.bit_length() - 1
    shift = max(0, value_ns.bit_length() - bits - 1)
    if shift == 0:
        return value_ns
    return ((shift + 1) << bits) | ((value_ns >> shift) & (HISTOGRAM_SUB_BUCKETS - 1))


def make_histogram(values_ns: Iterable[int], weights: Iterable[int] | None = None) -> Histogram:
    """Put values into buckets, each as often as its weight says."""
    values = list(values_ns)
    weighted = list(zip(values, weights if weights is not None else [1] * len(values), strict=True))
    counts: dict[int, int] = {}
    for value, weight in weighted:
        counts[bucket_index(value)] = counts.get(bucket_index(value), 0) + weight
    kept = sorted((index, count) for index, count in counts.items() if count)
    present = [value for value, weight in weighted if weight]
    return Histogram(
        index=tuple(index for index, _ in kept),
        count=tuple(count for _, count in kept),
        min_ns=min(present, default=0),
        max_ns=max(present, default=0),
        sum_ns=sum(value * weight for value, weight in weighted),
    )


def lognormal_histogram(count: int, mean_ns: float, *, spread: float = 0.4, seed: int = 1) -> Histogram:
    """Make a histogram of ``count`` lognormal latencies whose mean is ``mean_ns``.

    The values are :data:`SAMPLES` draws, scaled to the mean and repeated evenly.
    """
    if not count:
        return Histogram()
    draw = random.Random(seed)
    drawn = [math.exp(draw.gauss(0.0, spread)) for _ in range(min(SAMPLES, count))]
    weights = share_out(count, [1.0] * len(drawn))
    scale = mean_ns * count / sum(value * weight for value, weight in zip(drawn, weights, strict=True))
    return make_histogram((max(1, round(value * scale)) for value in drawn), weights)


def share_out(total: int, weights: Sequence[float]) -> tuple[int, ...]:
    """Split a whole number by weights, exactly."""
    whole, before, seen, parts = sum(weights), 0, 0.0, []
    for weight in weights:
        seen += weight
        upto = round(total * seen / whole)
        parts.append(upto - before)
        before = upto
    return tuple(parts)


def make_profile(name: str = "database", **changes: Any) -> LoadProfile:
    """Give a standard profile, changed where asked."""
    profile = STANDARD_LOADS[name].profile
    return LoadProfile.model_validate({**profile.model_dump(), **changes}) if changes else profile


def make_target(path: str = "/data/iodyno.dat", size_bytes: int = 4 * GIB, **changes: Any) -> PlannedTarget:
    """Make a planned target: a file that iodyno creates, accessed whole."""
    values: dict[str, Any] = {"kind": "file", "created": True, "area_length_bytes": size_bytes, **changes}
    return PlannedTarget(path=path, size_bytes=size_bytes, **values)


def make_stopping(**changes: Any) -> Stopping:
    """Make the stopping of a quick study: half a second of warm-up, at most three seconds."""
    values = {"warmup_s": 0.5, "floor_s": 1.0, "cap_s": 3.0, "precision": 0.02, "confidence": 0.95}
    return Stopping.model_validate({**values, **changes})


def make_point(
    profile: str | LoadProfile = "database",
    outstanding: int = 8,
    *,
    index: int = 0,
    sweep: str = "field",
    workers: int = 1,
    targets: Sequence[PlannedTarget] | None = None,
    seed: int | None = None,
    **changes: Any,
) -> Point:
    """Make a point; other fields of :class:`Point` as keywords."""
    chosen = make_profile(profile) if isinstance(profile, str) else profile
    values: dict[str, Any] = {"stopping": make_stopping(), **changes}
    return Point(
        index=index,
        sweep=sweep,
        profile=chosen,
        targets=tuple(targets) if targets else (make_target(),),
        outstanding=outstanding,
        workers=workers,
        seed=point_seed(7, sweep, chosen.name, outstanding, workers) if seed is None else seed,
        **values,
    )


def closed_loop_rate(outstanding: float, latency_ms: float, most_io_s: float) -> float:
    """Give the rate of a closed loop in IO/s: linear at first, then flat, with a smooth knee.

    Below saturation it is outstanding ÷ latency, above it ``most_io_s``.
    """
    linear = outstanding / (latency_ms / 1000)
    return float(linear / (1 + (linear / most_io_s) ** 4) ** 0.25)


def default_rate(point: Point) -> float:
    """Give a plausible rate for a point in IO/s, from :data:`SATURATION` where its profile is known."""
    if point.rate_io_s is not None:
        return point.rate_io_s
    latency_ms, most_io_s = SATURATION.get(point.profile.name, (0.1, 60_000.0))
    return closed_loop_rate(point.outstanding_total, latency_ms, most_io_s)


def make_reading(
    point: Point | None = None,
    *,
    rate_io_s: float | None = None,
    latency_ms: float | None = None,
    measured_s: float = 3.0,
    half_width: float | None = 0.008,
    spread: float = 0.4,
    noise: float = 0.01,
    stopped: StopReason = "precise",
    seed: int | None = None,
    precision: Precision | None = None,
    **changes: Any,
) -> Reading:
    """Make the reading of a point.

    Parameters
    ----------
    point
        What was asked; ``make_point()`` where none is given.
    rate_io_s
        Rate to show; from :func:`default_rate` where none is given.
    latency_ms
        Mean latency; outstanding ÷ rate (Little's law) where none is given.
    measured_s
        Measured seconds, a multiple of 0.1.
    half_width
        Half-width of the interval as a share of the mean.
    spread
        Sigma of the lognormal latencies.
    noise
        Standard deviation of the windows' rates as a share of the mean.
    changes
        Other fields of :class:`Reading`.
    """
    point = point or make_point()
    seed = point.seed if seed is None else seed
    rate = default_rate(point) if rate_io_s is None else rate_io_s
    completed = round(rate * measured_s)
    mean_ns = latency_ms * 1e6 if latency_ms is not None else point.outstanding_total * 1e9 / max(rate, 1e-9)
    reads, writes = _directions(point, completed, mean_ns, spread, seed)
    series = _series(point, reads, writes, measured_s, noise, seed)
    windows = round(measured_s / WINDOW_S)
    values: dict[str, Any] = {
        "engine": EngineFacts(name="io_uring", setup=("SINGLE_ISSUER",), direct=point.direct, clock="tsc"),
        "warmup_s": point.stopping.warmup_s,
        "measured_s": measured_s,
        "reads": reads,
        "writes": writes,
        "per_target": _per_target(point, reads, writes),
        "series": series,
        "precision": precision
        or Precision(
            half_width=half_width, confidence=point.stopping.confidence, batches=10,
            batch_windows=max(1, windows // 10), lag1=0.05, drift=0.01, range=0.02,
        ),
        "stopped": stopped,
        "issued": _issued(series),
        "workers": _workers(point, rate * mean_ns / 1e9, completed, measured_s),
        "open_loop": None
        if point.rate_io_s is None
        else OpenLoop(
            rate_asked_io_s=point.rate_io_s, late_starts=0, backlog_end=0,
            start_delay=lognormal_histogram(completed, 2000.0, spread=spread, seed=seed),
        ),
    }  # fmt: skip
    return Reading.model_validate({**values, **changes})


def _directions(
    point: Point, completed: int, mean_ns: float, spread: float, seed: int
) -> tuple[Direction, Direction]:
    """Split what was completed by the read share; writes take a fifth longer, the mean holds."""
    share = point.profile.read_share
    reads, writes = share_out(completed, [share, 1 - share])
    read_ns = mean_ns * completed / (reads + 1.2 * writes) if completed else 0.0
    return (
        _direction(point, False, reads, read_ns, spread, seed),
        _direction(point, True, writes, 1.2 * read_ns, spread, seed + 1),
    )


def _direction(
    point: Point, write: bool, completed: int, mean_ns: float, spread: float, seed: int
) -> Direction:
    latency = lognormal_histogram(completed, mean_ns, spread=spread, seed=seed)
    size = completed * round(point.profile.mean_bytes_of(write))
    waited = (
        lognormal_histogram(completed, 1.5 * mean_ns, spread=spread, seed=seed) if point.rate_io_s else None
    )
    return Direction(completed=completed, bytes=size, latency=latency, response_time=waited)


def _series(
    point: Point, reads: Direction, writes: Direction, measured_s: float, noise: float, seed: int
) -> Series:
    draw = random.Random(seed)
    measured = max(1, round(measured_s / WINDOW_S))
    warmup = round(point.stopping.warmup_s / WINDOW_S)
    weights = [max(0.0, draw.gauss(1.0, noise)) for _ in range(measured)]
    ramp = [0.5 + 0.5 * (window + 1) / (warmup + 1) for window in range(warmup)]

    def spread_out(total: int) -> tuple[int, ...]:
        return tuple(round(total / measured * share) for share in ramp) + share_out(total, weights)

    both = Histogram.merged((reads.latency, writes.latency))
    p99 = [round(both.percentile_ns(0.99) * draw.uniform(0.97, 1.03)) for _ in range(warmup + measured)]
    read_size, write_size = (round(point.profile.mean_bytes_of(write)) for write in (False, True))
    read, written = spread_out(reads.completed), spread_out(writes.completed)
    return Series(
        measured_from=warmup,
        reads=read,
        writes=written,
        read_bytes=tuple(count * read_size for count in read),
        written_bytes=tuple(count * write_size for count in written),
        latency_sum_ns=spread_out(both.sum_ns),
        p99_ns=tuple(min(value, both.max_ns) for value in p99),
        max_ns=(both.max_ns,) * (warmup + measured),
    )


def _issued(series: Series) -> Issued:
    return Issued(
        reads=sum(series.reads),
        writes=sum(series.writes),
        read_bytes=sum(series.read_bytes),
        written_bytes=sum(series.written_bytes),
    )


def _per_target(point: Point, reads: Direction, writes: Direction) -> tuple[TargetReading, ...]:
    even = [1.0] * len(point.targets)
    block = round(point.profile.mean_block_bytes)
    counts = zip(share_out(reads.completed, even), share_out(writes.completed, even), strict=True)
    return tuple(
        TargetReading(reads=read, writes=write, read_bytes=read * block, written_bytes=write * block)
        for read, write in counts
    )


def _workers(point: Point, depth: float, completed: int, measured_s: float) -> tuple[WorkerFacts, ...]:
    each = 1 / point.workers
    return tuple(
        WorkerFacts(
            cpu_s=min(measured_s, completed * each * 3e-6),
            elapsed_s=measured_s,
            system_calls=completed // point.workers,
            io_time_s=depth * each * measured_s,
        )
        for _ in range(point.workers)
    )


def make_observation(reading: Reading | None = None, **changes: Any) -> Observation:
    """Make a quiet observation, its device counters equal to what the reading issued."""
    issued = (reading or make_reading()).issued
    counted = issued.model_dump(include={"reads", "writes", "read_bytes", "written_bytes"})
    counters = DeviceCounters(device="sda", **counted)
    values = {"steal_share": 0.0, "busy_share": 0.2, "devices": (counters,), "device_tags": 256}
    return Observation.model_validate({**values, "load_average": 0.4, **changes})


def make_result(
    point: Point | None = None,
    *,
    state: State | None = None,
    causes: Sequence[Cause] = (),
    notes: Sequence[Cause] = (),
    started_at: str | None = None,
    observation: Observation | None = None,
    reading: Reading | None = None,
    **of_reading: Any,
) -> PointResult:
    """Make a result; other keywords go to :func:`make_reading`.

    The verdict is judged from what the reading and the observation are, where no state,
    cause or note is given.
    """
    point = point or make_point()
    reading = reading or make_reading(point, **of_reading)
    observation = observation or make_observation(reading)
    if state or causes or notes:
        verdict = Verdict(state=state or "steady", causes=tuple(causes), notes=tuple(notes))
    else:
        verdict = judge(point, reading, observation, contents="to_be_written", optimised=True)
    return PointResult(
        point=point,
        reading=reading,
        observation=observation,
        verdict=verdict,
        started_at=started_at or iso(STARTED + timedelta(seconds=4 * point.index)),
    )


def iso(moment: datetime) -> str:
    """Write a moment as the records do: UTC, ISO 8601, whole seconds."""
    return moment.astimezone(timezone.utc).isoformat(timespec="seconds")


def make_plan(
    profiles: Sequence[str] = ("database",),
    intensities: Sequence[int] = (1, 2, 4, 8),
    *,
    study: str = "quick",
    title: str = "Quick look at a drive",
    seed: int = 7,
    **of_points: Any,
) -> Plan:
    """Make a plan: every profile at every intensity; other keywords go to :func:`make_point`."""
    pairs = [(profile, outstanding) for profile in profiles for outstanding in intensities]
    return Plan(
        study=study,
        title=title,
        seed=seed,
        points=tuple(
            make_point(profile, outstanding, index=index, **of_points)
            for index, (profile, outstanding) in enumerate(pairs)
        ),
        study_source={
            "name": study,
            "title": title,
            "sweep": [{"name": "field", "profiles": list(profiles), "outstanding": list(intensities)}],
        },
    )


def make_tool(**changes: Any) -> ToolFacts:
    """Make the facts of a released iodyno."""
    values = {"version": "0.1.0", "commit": "4f2a9c1", "build_profile": "release", "optimised": True}
    return ToolFacts.model_validate({**values, "python": "3.11.2", **changes})


def make_run(
    plan: Plan | None = None,
    *,
    run_id: str = "20260314-092653-4f2a",
    status: RunStatus = "running",
    system: System | None = None,
    **changes: Any,
) -> Run:
    """Make a run that has begun; other fields of :class:`Run` as keywords."""
    values: dict[str, Any] = {
        "started_at": iso(STARTED),
        "command": ("iodyno", "measure", "/data", "--study", "quick"),
        "tool": make_tool(),
        **changes,
    }
    return Run(id=run_id, status=status, plan=plan or make_plan(), system=system or make_system(), **values)


def make_section(code: str, subject: str = "", units: dict[str, str] | None = None, **facts: Any) -> Section:
    """Make a section of the system; a value of none is a fact that needs root to read."""
    known = units or {}
    return Section(
        code=code,
        subject=subject,
        facts=tuple(
            Fact(
                code=name,
                value=value,
                unit=known.get(name, ""),
                missing="" if value is not None else "needs root",
            )
            for name, value in facts.items()
        ),
    )


def make_system(serial: str = "S4EVNX0M123456", **changes: Any) -> System:
    """Make a system under test: one processor, one SATA drive, one file system."""
    gib = {"memory_size": "bytes", "capacity": "bytes_base10", "fs_size": "bytes", "fs_free": "bytes"}
    block = {"logical_block": "bytes", "physical_block": "bytes", "temperature": "degC"}
    sections = (
        make_section("processor", model="Example CPU 3.0 GHz", sockets=1, cores=8, threads=16, smt=True),
        make_section("frequency", governor="performance", frequency_driver="acpi-cpufreq", turbo=False),
        make_section("idle", idle_driver="acpi_idle", idle_states="POLL, C1, C2"),
        make_section("memory", units=gib, memory_size=32 * GIB, numa_nodes=1, dimms=None),
        make_section("board", system_vendor="Example", system_product="Server 1", bios_version="1.2.3"),
        make_section("os", os_name="Debian GNU/Linux 12", kernel="6.1.0-18-amd64", architecture="x86_64",
                     command_line="quiet"),
        make_section("virtualisation", virtual_machine=False),
        make_section("device", "sda", {**gib, **block}, model="EXAMPLE SSD 480", firmware="EX01",
                     serial=serial, capacity=480_103_981_056,
                     logical_block=512, physical_block=4096, scheduler="none",
                     nr_requests=256, hardware_queues=1, write_cache="write back", smart_healthy=None,
                     temperature=31),
        make_section("file_system", "/data/iodyno.dat", gib, file_system="ext4", mount_options="rw,relatime",
                     fs_device="/dev/sda1", fs_size=440 * GIB, fs_free=300 * GIB),
    )  # fmt: skip
    return System.model_validate({"read_at": iso(STARTED), "sections": sections, **changes})


def make_stored_run(
    study: str = "quick",
    *,
    profiles: Sequence[str] = FIELD_PROFILES,
    intensities: Sequence[int] = POWERS_OF_TWO,
    run_id: str = "20260314-092653-4f2a",
    factor: float = 1.0,
    varied: bool = True,
    change: Callable[[PointResult], PointResult] | None = None,
) -> StoredRun:
    """Make a finished run: the five field profiles at 1 to 512 outstanding on one file.

    Parameters
    ----------
    study
        Name of the study.
    factor
        Multiplies every rate, and with it divides the latencies: a faster or slower drive.
    varied
        Whether three points are not steady, two capped and one disturbed; else all steady.
    change
        Applied to each result at the end.
    """
    plan = make_plan(profiles, intensities, study=study)
    results = [_varied_result(point, factor, varied) for point in plan.points]
    finished = iso(STARTED + timedelta(seconds=4 * len(results)))
    run = make_run(plan, run_id=run_id, status="finished", finished_at=finished)
    return StoredRun(run=run, results=tuple(change(result) if change else result for result in results))


def _varied_result(point: Point, factor: float, varied: bool) -> PointResult:
    rate = factor * default_rate(point)
    place = (point.profile.name, point.outstanding) if varied else None
    if place in {("restore", 64), ("restore", 128), ("file-copy", 512)}:
        precision = Precision(
            half_width=0.06, batches=10, batch_windows=3, lag1=0.5, drift=0.14, range=0.24, drifting=True
        )
        return make_result(point, rate_io_s=rate, stopped="cap", noise=0.08, precision=precision)
    if place in {("file-server", 1), ("database", 4)}:
        return make_result(point, rate_io_s=rate, stopped="cap", half_width=0.034, noise=0.05)
    half_width = 0.004 + 0.004 * random.Random(point.seed).random()
    reading = make_reading(point, rate_io_s=rate, half_width=half_width)
    steal = 0.07 if place == ("streaming", 16) else 0.0
    return make_result(point, reading=reading, observation=make_observation(reading, steal_share=steal))


def one_value(count: int, value_ns: int) -> Histogram:
    """Give so many I/Os of one latency below 256 ns, where a bucket is one value."""
    return Histogram(
        index=(value_ns,), count=(count,), min_ns=value_ns, max_ns=value_ns, sum_ns=count * value_ns
    )


def at_once(outstanding: int = 8, rate_io_s: float | None = None, **changes: Any) -> PointResult:
    """Give a point of Database on one target, beside it Streaming at 100 IO/s on another, and on both a file
    copy."""
    loads = (
        make_point("database", outstanding, rate_io_s=rate_io_s, **changes),
        make_point("streaming", 64, rate_io_s=100.0, targets=(make_target("/log"),), **changes),
        make_point("file-copy", 2, workers=2, targets=(make_target(), make_target("/log")), **changes),
    )
    first, *others = loads
    names = ("profile", "outstanding", "workers", "rate_io_s", "seed")
    beside = tuple(
        BesideLoad(targets=len(load.targets), **{name: getattr(load, name) for name in names})
        for load in others
    )
    targets = tuple(target for load in loads for target in load.targets)
    point = first.model_copy(update={"beside": beside, "targets": targets})
    readings = [
        make_reading(load, rate_io_s=rate) for load, rate in zip(loads, (4000.0, 100.0, 900.0), strict=True)
    ]
    return make_result(point, reading=summed(readings))


def summed(readings: Sequence[Reading]) -> Reading:
    """Add up what loads did at once."""

    def total(name: str) -> Direction:
        parts = [getattr(reading, name) for reading in readings]
        return Direction(
            completed=sum(part.completed for part in parts),
            bytes=sum(part.bytes for part in parts),
            latency=Histogram.merged(part.latency for part in parts),
        )

    def columns(of: str, names: Sequence[str]) -> dict[str, Any]:
        parts = [getattr(reading, of) for reading in readings]
        return {
            name: tuple(sum(values) for values in zip(*(getattr(part, name) for part in parts), strict=True))
            for name in names
        }

    first, fields = readings[0], LoadReading.model_fields
    series = first.series.model_copy(
        update=columns("series", ("reads", "writes", "read_bytes", "written_bytes", "latency_sum_ns"))
    )
    counts = ("reads", "writes", "read_bytes", "written_bytes")
    issued = {name: sum(getattr(reading.issued, name) for reading in readings) for name in counts}
    return first.model_copy(
        update={
            "reads": total("reads"),
            "writes": total("writes"),
            "series": series,
            "issued": Issued(**issued),
            "per_target": tuple(part for reading in readings for part in reading.per_target),
            "workers": tuple(worker for reading in readings for worker in reading.workers),
            "open_loop": None,
            "loads": tuple(
                LoadReading(**{name: getattr(reading, name) for name in fields}) for reading in readings
            ),
        }
    )


def on_two_targets(rate_io_s: float | None = None) -> PointResult:
    """Give a point of 3 s on two targets: 3000 reads of 100 ns on one, 6000 of 200 ns on the other."""
    point = make_point(
        "streaming", 4, rate_io_s=rate_io_s, targets=(make_target("/fast"), make_target("/slow"))
    )

    def part(count: int, value_ns: int) -> TargetReading:
        latency = one_value(count, value_ns)
        waited = one_value(count, value_ns + 50) if rate_io_s else None
        reads = Direction(completed=count, bytes=count << 16, latency=latency, response_time=waited)
        return TargetReading(
            reads=count, read_bytes=count << 16, split=Split(reads=reads, writes=Direction())
        )

    reading = make_reading(point, rate_io_s=3000.0)
    return make_result(
        point, reading=reading.model_copy(update={"per_target": (part(3000, 100), part(6000, 200))})
    )
