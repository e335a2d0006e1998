"""Readings: what an engine or a simulator answers for a point.

The JSON that ``iodyno._core`` returns is exactly a :class:`Reading`. Times are integers
in ns and sizes in bytes; ms and MB/s appear once, in the analysis.
"""

from __future__ import annotations

from functools import cached_property
from itertools import accumulate
from typing import Any, Literal

from pydantic import (
    Field,
    NonNegativeFloat,
    NonNegativeInt,
    PositiveInt,
    SerializerFunctionWrapHandler,
    model_serializer,
)

from iodyno.corruption import FinalPass as FinalPass
from iodyno.corruption import Finding as Finding
from iodyno.corruption import Findings as Findings
from iodyno.corruption import Found as Found
from iodyno.corruption import Integrity as Integrity
from iodyno.histogram import Histogram
from iodyno.plan import Point
from iodyno.profiles import Record
from iodyno.simulated import HOST_PLACE as HOST_PLACE
from iodyno.simulated import NEARLY_ALL as NEARLY_ALL
from iodyno.simulated import Bottleneck as Bottleneck
from iodyno.simulated import Bounds as Bounds
from iodyno.simulated import Rebuilding as Rebuilding
from iodyno.simulated import Simulation as Simulation
from iodyno.simulated import Station as Station

READING_SCHEMA = 1
_PS_PER_S = 10**12
StopReason = Literal["precise", "cap", "interrupted", "failed"]
State = Literal["steady", "not_steady", "capped", "disturbed", "not_judged"]


class IoError(Record):
    """A kind of I/O error and how often it was seen."""

    errno: int
    """Error number of the system; 0 where an I/O came back short."""
    name: str
    """Its name: ``EIO``, or ``SHORT``."""
    count: int
    first_offset_bytes: NonNegativeInt
    """Offset of the first of them; 0 of syncs, which have none."""


class Direction(Record):
    """What was read, or what was written, in the measured part."""

    completed: NonNegativeInt = 0
    """I/Os completed."""
    bytes: NonNegativeInt = 0
    latency: Histogram = Histogram()
    """Issue to completion."""
    response_time: Histogram | None = None
    """Intended start to completion; only where a rate was given."""
    errors: tuple[IoError, ...] = ()
    """I/Os that failed or came back short, in the whole point: warm-up included."""


class Series(Record):
    """The whole point in windows of 100 ms, warm-up included; one value a window in each field.

    Of a warm-up or a measured part longer than an hour a value holds several windows that follow each other,
    two, four, eight and so on, so that neither has more than 36,000 values: ``windows`` says how many.
    """

    window_s: float = Field(0.1, gt=0)
    """Length of a window in s."""
    measured_from: NonNegativeInt = 0
    """Index of the first value that feeds the result."""
    reads: tuple[int, ...] = ()
    writes: tuple[int, ...] = ()
    read_bytes: tuple[int, ...] = ()
    written_bytes: tuple[int, ...] = ()
    latency_sum_ns: tuple[int, ...] = ()
    """Sum of the latencies of the accesses completed in the window."""
    p99_ns: tuple[int, ...] = ()
    """99th percentile of the window, all accesses together, 0 where nothing completed; of several windows the
    greatest, and so no less than their own."""
    max_ns: tuple[int, ...] = ()
    response_sum_ns: tuple[int, ...] = ()
    """Sum of the response times; only where a rate was given, as all that follows."""
    response_p99_ns: tuple[int, ...] = ()
    """99th percentile of the response time in the window, as ``p99_ns``."""
    response_max_ns: tuple[int, ...] = ()
    backlog: tuple[int, ...] = ()
    """I/Os due but not issued, at the end of the window; with Poisson arrivals an expected number."""
    under_way: tuple[int, ...] = ()
    """I/Os and syncs issued and not completed, at the end of the window; not in earlier readings."""
    trims: tuple[int, ...] = ()
    """Empty where the profile neither trims nor syncs."""
    syncs: tuple[int, ...] = ()
    """They are in no other field: not in ``latency_sum_ns``, nor in ``p99_ns`` and ``max_ns``."""
    windows: tuple[PositiveInt, ...] = ()
    """Windows in each value; empty, and not written down, where each is one."""

    @model_serializer(mode="wrap")
    def _written(self, write: SerializerFunctionWrapHandler) -> dict[str, Any]:
        written: dict[str, Any] = write(self)
        if not self.windows:
            written.pop("windows", None)
        return written

    @cached_property
    def _windows_before(self) -> tuple[int, ...]:
        return tuple(accumulate(self.windows, initial=0))

    def start_s(self, window: int) -> float:
        """Where a value begins, in s since the point began."""
        return self._seconds(self._windows_before[window] if self.windows else window)

    def length_s(self, window: int) -> float:
        """Length in s of what a value holds."""
        return self._seconds(self.windows[window]) if self.windows else self.window_s

    def _seconds(self, windows: int) -> float:
        """Give how long windows last, divided once: three of 0.1 s are 0.3 and not 0.30000000000000004."""
        return windows * round(self.window_s * _PS_PER_S) / _PS_PER_S

    def completed(self, window: int) -> int:
        """Accesses completed in a window: reads, writes and trims."""
        return self.reads[window] + self.writes[window] + (self.trims[window] if self.trims else 0)


class Precision(Record):
    """The interval of the main figure, and how it was come by."""

    half_width: float | None = None
    """Half-width as a share of the mean; none where too few windows were left."""
    confidence: float = 0.95
    batches: NonNegativeInt = 0
    """Batch means that the interval rests on."""
    batch_windows: NonNegativeInt = 0
    """Windows of 100 ms in a batch."""
    lag1: float = 0.0
    """Lag-1 correlation of the batch means, corrected for."""
    discarded_windows: NonNegativeInt = 0
    """Windows cut off after the warm-up because the load had not settled."""
    drift: float = 0.0
    """Excursion of the fitted line over the measured part, as a share of the mean."""
    range: float = 0.0
    """Range of the means of five equal rounds of the measured part, as a share of the mean."""
    drifting: bool = False
    """Whether drift or range are over the limit: not steady."""


class WorkerFacts(Record):
    """What one worker did in the measured part."""

    threads: int = Field(1, ge=1)
    """Threads of the worker: one, or one for each outstanding I/O where an I/O holds up its thread."""
    cpus: tuple[NonNegativeInt, ...] = ()
    """Processors that its threads were pinned to, as the kernel told; none: not pinned."""
    cpu_s: NonNegativeFloat
    """CPU time of its threads in s."""
    elapsed_s: NonNegativeFloat
    system_calls: NonNegativeInt
    io_time_s: NonNegativeFloat
    """Integral of the outstanding I/Os over time, in s: divided by elapsed_s the mean depth."""

    @property
    def utilisation(self) -> float:
        """CPU time ÷ elapsed time of the processors that its threads can use at once, 0 to 1."""
        processors = min(self.threads, len(self.cpus) or self.threads)
        return self.cpu_s / (self.elapsed_s * processors) if self.elapsed_s else 0.0


class EngineFacts(Record):
    """Which engine answered and how it was set up."""

    name: Literal["io_uring", "aio", "sync", "null", "nop", "simulator", "analytic", "fio"]
    """``fio``: its results were imported."""
    why: str = ""
    """Why ``auto`` picked it; empty where it was asked for. Of an imported result the engine of fio."""
    setup: tuple[str, ...] = ()
    """Set-up flags and registrations that were active, by their kernel names."""
    direct: bool
    """Whether files were opened with O_DIRECT."""
    write_through: bool = False
    """Whether files were opened with O_DSYNC."""
    data_seed: NonNegativeInt = 0
    """Seed of the data that was written: new in each run, so that no two write equal blocks."""
    clock: str
    """Clock of the time stamps."""
    clock_drift_ppm: float = 0.0
    """Its drift against CLOCK_MONOTONIC over the point, in parts per million."""


class Issued(Record):
    """All that was issued in the point, warm-up and drain included."""

    reads: NonNegativeInt = 0
    writes: NonNegativeInt = 0
    read_bytes: NonNegativeInt = 0
    written_bytes: NonNegativeInt = 0
    trims: NonNegativeInt = 0
    trimmed_bytes: NonNegativeInt = 0
    syncs: NonNegativeInt = 0
    failed_read_bytes: NonNegativeInt = 0
    """Of the bytes those of reads that failed or came back short: nobody knows what of these a device has
    seen. 0 in earlier readings, as the next."""
    failed_written_bytes: NonNegativeInt = 0


class Split(Record):
    """What one target among several did, with its latencies and errors."""

    reads: Direction
    writes: Direction
    trims: Direction | None = None
    """None where the profile has none, as ``syncs``."""
    syncs: Direction | None = None

    @property
    def accesses(self) -> tuple[Direction, ...]:
        """Reads, writes and, where there are any, trims."""
        return (self.reads, self.writes, *((self.trims,) if self.trims else ()))


class TargetReading(Record):
    """What one target did in the measured part."""

    reads: NonNegativeInt = 0
    writes: NonNegativeInt = 0
    read_bytes: NonNegativeInt = 0
    written_bytes: NonNegativeInt = 0
    trims: NonNegativeInt = 0
    trimmed_bytes: NonNegativeInt = 0
    syncs: NonNegativeInt = 0
    issued: Issued | None = None
    """All that was issued to it, warm-up and drain included; none in earlier readings, and of a model."""
    split: Split | None = None
    """Its latencies and errors; none where it is the only target: they are the reading's own then."""

    @property
    def completed(self) -> int:
        """Accesses completed on it: reads, writes and trims."""
        return self.reads + self.writes + self.trims

    @property
    def bytes(self) -> int:
        """Bytes completed on it."""
        return self.read_bytes + self.written_bytes


class Growth(Record):
    """How the queue of an open loop grew over the measured part: what was due or under way."""

    rate_io_s: float
    """I/Os a second that it grew by; below 0 where it shrank."""
    proven: bool
    """Whether a random walk with steps as they were does not explain it (98 %): queues move like one at the
    rate that can just be served."""


class Movement(Record):
    """How a level moved over the measured part."""

    drift: float
    """Excursion of the fitted line, as a share of the mean; below 0 where it falls."""
    range: float
    """Range of the means of five equal rounds, as a share of the mean."""
    drifting: bool
    """Whether one of them is over the limit (10 %, 20 %) and noise does not explain it (98 %)."""


class OpenLoop(Record):
    """How the schedule was kept where a rate was given, by the I/Os that completed in the measured part."""

    rate_asked_io_s: float
    late_starts: NonNegativeInt
    """I/Os issued more than 1 ms after their intended start, for whatever reason."""
    held_starts: NonNegativeInt = 0
    """I/Os that were due while all outstanding I/Os that the point allows were taken."""
    waited_starts: NonNegativeInt = 0
    """I/Os that no limit held up, but another write or trim of the same place, where data are verified."""
    host_late_starts: NonNegativeInt = 0
    """Late starts that neither held up: the host was late."""
    start_delay: Histogram = Histogram()
    """Intended start to issue, of the I/Os that neither held up."""
    backlog_start: NonNegativeInt = 0
    """I/Os due but not issued when the measured part began."""
    backlog_end: NonNegativeInt
    """I/Os due but not issued at the end."""
    growth: Growth | None = None
    """None where the measured part is too short, and in earlier readings."""
    growth_with_dirty: Growth | None = None
    """The same with what write-back caches of a virtual system have taken in and not yet written to its
    drives, as I/Os; none where it writes through none, or through one beside a closed loop, where the
    measured part is too short, and in earlier readings."""
    response_p99_half_width: float | None = None
    """Half-width of the interval of the 99th percentile of the response time, as a share of it, at the
    confidence of the main figure; from up to twenty sections of the measured part, none where too few I/Os
    support it."""
    response_movement: Movement | None = None
    """How the mean response time moved; none where the measured part is too short or holds fewer than 10,000
    I/Os, by which a busy target that slows down is not told from chance, and in earlier readings."""


class LoadReading(Record):
    """What one of several loads did: fields are as those of :class:`Reading`."""

    reads: Direction
    writes: Direction
    trims: Direction | None = None
    syncs: Direction | None = None
    per_target: tuple[TargetReading, ...] = ()
    series: Series
    precision: Precision
    issued: Issued
    workers: tuple[WorkerFacts, ...]
    open_loop: OpenLoop | None = None


class Reading(Record):
    """What came out of a point."""

    reading_schema: int = READING_SCHEMA
    engine: EngineFacts
    warmup_s: NonNegativeFloat
    """Seconds before the measured part, what the rule discarded included."""
    measured_s: NonNegativeFloat
    """Seconds of the measured part."""
    reads: Direction
    writes: Direction
    trims: Direction | None = None
    """Trims; none where the profile has none."""
    syncs: Direction | None = None
    """Syncs, 0 bytes each; none where the profile has none. They are no accesses: no rate and no latency
    but their own has them in it."""
    per_target: tuple[TargetReading, ...] = ()
    """I/Os of the measured part by target, in the plan's order."""
    series: Series
    precision: Precision
    stopped: StopReason
    issued: Issued
    drained: NonNegativeInt = 0
    """I/Os and syncs that were outstanding when the measurement ended: not counted, but a stall that the end
    fell into shows here. 0 in earlier readings, and of one of several loads."""
    drained_max_ns: NonNegativeInt = 0
    """Greatest latency of these in ns."""
    workers: tuple[WorkerFacts, ...]
    open_loop: OpenLoop | None = None
    """How the schedule was kept; none of a closed loop, and of several loads: each has its own."""
    loads: tuple[LoadReading, ...] = ()
    """What each load did, in the plan's order; empty where there is one: it is the reading itself then."""
    simulation: Simulation | None = None
    """Where the time went, in a virtual system; none where a real target answered."""
    integrity: Integrity | None = None
    """Whether what was read is what was written; none where that was not asked for."""

    @property
    def apart(self) -> tuple[Reading, ...]:
        """The reading of each load as if it had been a point of its own: itself, where there is one.

        What limits in a virtual system, and the shares of the latency, are those of the first for each.
        """
        if not self.loads:
            return (self,)
        names = LoadReading.model_fields
        return tuple(
            Reading(
                engine=self.engine, warmup_s=self.warmup_s, measured_s=self.measured_s, stopped=self.stopped,
                drained_max_ns=self.drained_max_ns, simulation=self.simulation,
                **{name: getattr(load, name) for name in names},
            )
            for load in self.loads
        )  # fmt: skip

    @property
    def completed(self) -> int:
        """Accesses completed in the measured part: reads, writes and trims."""
        return sum(part.completed for part in self.accesses)

    @property
    def accesses(self) -> tuple[Direction, ...]:
        """Reads, writes and, where there are any, trims."""
        return (self.reads, self.writes, *((self.trims,) if self.trims else ()))

    @property
    def bytes(self) -> int:
        """Bytes read and written in the measured part; a trim moves none."""
        return self.reads.bytes + self.writes.bytes

    @property
    def transaction_rate_io_s(self) -> float:
        """I/Os completed ÷ measured seconds."""
        return self.completed / self.measured_s if self.measured_s else 0.0

    @property
    def throughput_bytes_s(self) -> float:
        """Bytes completed ÷ measured seconds."""
        return self.bytes / self.measured_s if self.measured_s else 0.0

    @cached_property
    def latency(self) -> Histogram:
        """Latencies of all accesses together."""
        return Histogram.merged(part.latency for part in self.accesses)

    @property
    def mean_outstanding(self) -> float:
        """Mean depth over all workers, from the integral over time and not from latencies."""
        return sum(worker.io_time_s / worker.elapsed_s for worker in self.workers if worker.elapsed_s)

    @property
    def corruptions(self) -> int:
        """Places whose data came back wrong."""
        return self.integrity.all.total if self.integrity else 0

    @property
    def errors(self) -> int:
        """I/Os that failed or came back short, syncs included."""
        return sum(error.count for error in self.all_errors)

    @property
    def all_errors(self) -> tuple[IoError, ...]:
        """Every kind of I/O error of every direction, syncs included."""
        parts = (*self.accesses, *((self.syncs,) if self.syncs else ()))
        return tuple(error for part in parts for error in part.errors)


class DeviceCounters(Record):
    """What the block device of a target counted over the point, from sysfs."""

    device: str
    """Kernel name of the device: ``nvme0n1``."""
    reads: NonNegativeInt
    writes: NonNegativeInt
    read_bytes: NonNegativeInt
    written_bytes: NonNegativeInt
    exact: bool = True
    """Whether the counts belong to this target alone: false for a file on a file system."""
    targets: tuple[str, ...] = ()
    """Paths of the targets whose I/Os it counts, each once: those on it, and those on a device that stands on
    it alone, as a loop device past the page cache. Empty in earlier results."""
    beside: tuple[str, ...] = ()
    """Paths of other targets of which it counts nobody knows how much: those on an array of several devices
    that it is one of, or on a loop device through the page cache."""


class DeviceQueue(Record):
    """What a device and the kernel hold of the I/Os of targets."""

    device: str
    """Kernel name of the whole device; of one that stands on one other, that one's."""
    targets: tuple[str, ...]
    """Paths of the targets behind which it is: files and partitions of one device share its queues."""
    tags: int | None = None
    """As :attr:`Observation.device_tags`, of this device."""
    requests: int | None = None
    """As :attr:`Observation.queue_requests`."""


class Observation(Record):
    """What was watched beside the engine while a point ran; none where it cannot be read here."""

    steal_share: float | None = None
    """Share of CPU time stolen by the hypervisor, 0 to 1."""
    busy_share: float | None = None
    """Share of CPU time used by anyone, 0 to 1."""
    devices: tuple[DeviceCounters, ...] = ()
    kernel_workers: NonNegativeInt = 0
    """Kernel worker threads (``iou-wrk``) of this process seen while the point ran."""
    device_tags: int | None = None
    """Requests that a device takes at once: hardware queues × tags, of the device that takes fewest."""
    queue_requests: int | None = None
    """Requests that the kernel accepts for it before it makes the caller wait: queues × nr_requests."""
    queues: tuple[DeviceQueue, ...] = ()
    """The same for each device; not in earlier results."""
    throttled: NonNegativeInt = 0
    """Thermal throttling events of the processor during the point."""
    temperature_start_c: float | None = None
    """Temperature of the drive in °C before the point."""
    temperature_end_c: float | None = None
    temperature_limit_c: float | None = None
    """Temperature in °C at which the drive warns or throttles."""
    load_average: float | None = None
    """One-minute load average before the point."""
    page_cached: tuple[str, ...] = ()
    """Loop devices, at the targets or below them, that go through the page cache: direct I/O ends there."""
    gone: tuple[str, ...] = ()
    """Targets that had gone, or were others, after a point with failed I/Os."""


OF_A_LOAD = frozenset({
    "overload", "catching_up", "queue_grew", "queue_shrank", "cache_fills", "response_drift", "think_time",
    "trimmed_reads", "depth_not_reached", "late_starts", "outstanding_limit", "few_rounds", "cut_at_ends",
    "drift", "imprecise",
})  # fmt: skip
"""Causes and notes that say of a load what it alone is asked for and has: of several each has its own. Of the
others the first load that has them stands for all."""
LOAD = "load"
"""Among the figures of a cause: which load of several it is of, where that is one beside the first."""


class Cause(Record):
    """A reason, named: the text comes from the message catalogue."""

    code: str
    """Stable name: see ``iodyno.verdict.CAUSES``."""
    values: dict[str, float | int | str] = Field(default_factory=dict)
    """The figures that the text needs."""

    @property
    def load(self) -> int:
        """Which load of the point has it, from 0; 0 too where all have."""
        return int(self.values.get(LOAD, 0))


OVERLOADED = frozenset({"overload", "queue_grew"})
"""Causes by which a target did not keep up: seen by what was missing at the end, or on the way there."""


class Verdict(Record):
    """Whether to trust a reading, and why or why not."""

    state: State
    causes: tuple[Cause, ...] = ()
    """What disturbed it or kept it from being steady."""
    notes: tuple[Cause, ...] = ()
    """What limits its meaning without making it wrong: the host is the limit, no direct I/O."""

    @property
    def overloaded(self) -> bool:
        """Whether the target did not keep up with the rate asked for; of several loads that of the first."""
        return any(cause.code in OVERLOADED and not cause.load for cause in self.causes)


class PointResult(Record):
    """A point with what came of it: what the store keeps and the analysis reads."""

    point: Point
    reading: Reading
    observation: Observation
    verdict: Verdict
    started_at: str
    """Start in UTC, ISO 8601."""

    @property
    def loads(self) -> tuple[PointResult, ...]:
        """What each load came to, as a result with the verdict of all: itself, where there is one."""
        if not self.reading.loads:
            return (self,)
        pairs = zip(self.point.loads, self.reading.apart, strict=True)
        return tuple(self.model_copy(update={"point": point, "reading": reading}) for point, reading in pairs)
