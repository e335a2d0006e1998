"""From a point, its reading and what was watched beside it to a verdict."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence

from iodyno.histogram import BEYOND_A_PERCENTILE
from iodyno.plan import Point
from iodyno.reading import (
    HOST_PLACE,
    LOAD,
    OF_A_LOAD,
    OVERLOADED,
    Cause,
    DeviceQueue,
    Observation,
    Reading,
    State,
    Verdict,
)  # fmt: skip
from iodyno.units import MIB
from iodyno.verdict import limits
from iodyno.verdict.counted import cache_served, compared, other_io
from iodyno.verdict.laws import depth_by_latency, laws
from iodyno.verdict.schedule import schedule

Loads = Sequence[tuple[Point, Reading]]
"""Each load of a point with what came of it, as if it had been a point of its own."""

_MODELS = {"simulator": "simulated", "analytic": "calculated"}
"""Engines that ask no device, and the note that says so."""
_COST = {"null": "null_engine", "nop": "nop_engine"}
"""Engines that ask nothing of the storage, and the note that says so."""
_NO_DEVICE = frozenset({*_COST, *_MODELS})
_WRITTEN = frozenset({"written", "to_be_written"})


def judge(
    point: Point, reading: Reading, observation: Observation, *, contents: str, optimised: bool
) -> Verdict:
    """Say whether to trust a reading, and why or why not.

    Disturbed comes before not steady, not steady before capped, capped before steady; the
    causes of all of them are listed. Pure: the same arguments give the same verdict.

    Parameters
    ----------
    point
        What was asked.
    reading
        What came out.
    observation
        What was watched beside it; what is none there is not judged.
    contents
        Whether what was read had been written: ``Target.contents`` of the worst target.
    optimised
        Whether the engine was built with optimisation.
    """
    disturbed = [*_ending(reading, observation), *_data(reading), *_machine(observation)]
    disturbed += _device(point, reading, observation)
    disturbed += laws(point, reading)
    loads = tuple(zip(point.loads, reading.apart, strict=True))
    not_steady = _once(_of_each(loads, lambda asked, had: (*_drift(had), *schedule(asked, had))))
    capped = _once(_of_each(loads, _precision))
    state: State = (
        "disturbed" if disturbed else "not_steady" if not_steady else "capped" if capped else "steady"
    )
    stalls = tuple(_stall(reading))
    notes = _once(
        (*_proof(point, reading, observation), *_checks(reading), *_rebuilds(reading),
         *_of_targets(loads, len(point.targets)),
         *_of_each(loads, _asked),
         *_queue(loads, observation), *_sizes(point, reading, observation), *stalls,
         *_of_each(loads, lambda asked, had: _rounds(asked, had, stalled=bool(stalls))),
         *_of_each(loads, lambda asked, had: _host(asked, had, observation)),
         *_of_each(loads, lambda asked, had: _worth(asked, had, contents, optimised)))
    )  # fmt: skip
    return Verdict(state=state, causes=(*disturbed, *not_steady, *capped), notes=tuple(notes))


def _of_each(loads: Loads, causes: Callable[[Point, Reading], Iterable[Cause]]) -> Iterator[Cause]:
    """Yield what is found of each load; what one beside the first has says which one."""
    for place, (point, reading) in enumerate(loads):
        for cause in causes(point, reading):
            values = {**cause.values, LOAD: place} if place else cause.values
            yield cause.model_copy(update={"values": values})


def _once(causes: Iterable[Cause]) -> list[Cause]:
    """Keep the first of each code: several loads of a point have some for the same reason. What a load is
    asked for and does not have is its own: see :data:`OF_A_LOAD`."""
    kept: dict[tuple[str, int], Cause] = {}
    for cause in causes:
        kept.setdefault((cause.code, cause.load if cause.code in OF_A_LOAD else 0), cause)
    return list(kept.values())


def _ending(reading: Reading, observation: Observation) -> Iterator[Cause]:
    if observation.gone:
        yield Cause(code="target_gone", values={"targets": ", ".join(observation.gone)})
    if reading.errors:
        counts: dict[str, int] = {}
        for error in reading.all_errors:
            counts[error.name] = counts.get(error.name, 0) + error.count
        kinds = ", ".join(f"{name}: {count}" for name, count in counts.items())
        yield Cause(code="io_errors", values={"errors": reading.errors, "kinds": kinds})
    if reading.stopped in ("interrupted", "failed"):
        yield Cause(code=reading.stopped)
    elif not reading.completed:
        yield Cause(code="nothing_completed")


def _data(reading: Reading) -> Iterator[Cause]:
    if reading.integrity and reading.corruptions:
        counts = reading.integrity.all.counts
        kinds = ", ".join(f"{kind.replace('_', ' ')}: {count}" for kind, count in sorted(counts.items()))
        yield Cause(code="corrupted", values={"findings": reading.corruptions, "kinds": kinds})


def _machine(observation: Observation) -> Iterator[Cause]:
    steal = observation.steal_share
    if steal is not None and steal > limits.STEAL_SHARE:
        yield Cause(code="steal", values={"share": steal, "limit": limits.STEAL_SHARE})
    if observation.throttled:
        yield Cause(code="throttled", values={"events": observation.throttled})
    hot, limit = observation.temperature_end_c, observation.temperature_limit_c
    if hot is not None and limit is not None and hot >= limit:
        yield Cause(code="drive_hot", values={"temperature_c": hot, "limit_c": limit})


def _device(point: Point, reading: Reading, observation: Observation) -> Iterator[Cause]:
    """Compare what the devices counted with what was issued: bytes, because the kernel merges and splits."""
    if reading.engine.name in _NO_DEVICE or not point.direct:
        return
    if not reading.engine.direct:
        yield Cause(code="not_direct")
        return
    if observation.page_cached:
        yield Cause(code="page_cache", values={"devices": ", ".join(observation.page_cached)})
    found = compared(point, reading, observation)
    yield from other_io(found)
    yield from cache_served(found)


def _drift(reading: Reading) -> Iterator[Cause]:
    found = reading.precision
    if found.drifting:
        yield Cause(code="drift", values={"drift": found.drift, "range": found.range})


def _precision(point: Point, reading: Reading) -> Iterator[Cause]:
    """Tell whether time ran out first; at the cap an interval that is narrow enough will do."""
    half_width, asked = reading.precision.half_width, point.stopping.precision
    if reading.stopped == "cap" and (half_width is None or half_width > asked):
        yield Cause(code="imprecise", values=_present(half_width=half_width, asked=asked))


def _present(**values: float | None) -> dict[str, float | int | str]:
    return {name: value for name, value in values.items() if value is not None}


def _proof(point: Point, reading: Reading, observation: Observation) -> Iterator[Cause]:
    if reading.engine.name in _MODELS:
        yield Cause(code=_MODELS[reading.engine.name])
    elif reading.engine.name in _COST:
        yield Cause(code=_COST[reading.engine.name])
    elif not point.direct:
        yield Cause(code="buffered")
    elif reading.engine.direct and not observation.devices:
        yield Cause(code="device_not_counted")


def _checks(reading: Reading) -> Iterator[Cause]:
    """Say what it costs that data was verified, and what could not be."""
    if reading.integrity is None:
        return
    yield Cause(code="verified")
    if reading.integrity.trimmed_share:
        yield Cause(code="trimmed_unchecked", values={"share": reading.integrity.trimmed_share})
    waited, writes = reading.integrity.load.waited, reading.issued.writes + reading.issued.trims
    if waited > limits.WAITED_SHARE * writes:
        yield Cause(code="waited", values={"waited": waited, "writes": writes})


def _rebuilds(reading: Reading) -> Iterator[Cause]:
    """Tell at what rate failed members were rebuilt, and how long all of each takes at that rate."""
    for rebuild in reading.simulation.rebuilds if reading.simulation else ():
        asked = {"asked_mb_s": rebuild.asked_bytes_s / MIB}
        due, done = (rate * reading.measured_s for rate in (rebuild.asked_bytes_s, rebuild.bytes_s))
        held_up = done + limits.REBUILD_CHANCE_BYTES < limits.REBUILT_SHARE * due
        if rebuild.member_s is None:
            if held_up:
                yield Cause(code="rebuild_stopped", values=asked)
            continue
        values = {"rate_mb_s": rebuild.bytes_s / MIB, "hours": rebuild.member_s / 3600}
        if held_up:
            yield Cause(code="rebuild_held_up", values=values | asked)
        else:
            yield Cause(code="rebuilding", values=values)


def _of_targets(loads: Loads, targets: int) -> Iterator[Cause]:
    """Name the virtual target of which fewer I/Os were counted than of each are meant to be."""
    for point, reading in loads:
        if reading.engine.name != "simulator" or len(reading.per_target) < 2:
            continue
        least = limits.TARGET_SHARE * (point.stopping.floor_ios or 0) / targets
        pairs = zip(reading.per_target, point.targets, strict=True)
        fewest, target = min((had.completed, target.path) for had, target in pairs)
        if fewest < least:
            values = {"target": target, "ios": fewest, "completed": reading.completed}
            yield Cause(code="few_of_target", values=values)


def _asked(point: Point, reading: Reading) -> Iterator[Cause]:
    """Name what the load itself does to the figures."""
    profile = point.profile
    if profile.think_time_us:
        yield Cause(
            code="think_time", values={"time_us": profile.think_time_us, "every": profile.think_every}
        )
    if point.iopoll:
        yield Cause(code="polled")
    if profile.trim_share and profile.reads and reading.engine.name not in _NO_DEVICE:
        yield Cause(code="trimmed_reads")
    pinned = {worker.cpus for worker in reading.workers}
    if point.worker_cpus and reading.engine.name not in _MODELS and pinned != {point.worker_cpus}:
        yield Cause(code="not_pinned")


def _queue(loads: Loads, observation: Observation) -> Iterator[Cause]:
    if observation.kernel_workers:
        yield Cause(code="kernel_workers", values={"threads": observation.kernel_workers})
    depths = [(_depth_of_queue(loads, queue), queue) for queue in observation.queues]
    if not depths:
        # An earlier result: only the device that takes fewest is known, and not which targets it is behind.
        queue = DeviceQueue(
            device="", targets=(), tags=observation.device_tags, requests=observation.queue_requests
        )
        depths = [(sum(_depth_of_device(*pair, observation) for pair in loads), queue)]
    for code, name in (("beyond_tags", "tags"), ("beyond_requests", "requests")):
        known = [(depth, getattr(queue, name)) for depth, queue in depths]
        beyond = [(depth, limit) for depth, limit in known if limit is not None and depth > limit]
        if beyond:
            depth, limit = max(beyond)
            yield Cause(code=code, values={"outstanding": depth, name: limit})


def _sizes(point: Point, reading: Reading, observation: Observation) -> Iterator[Cause]:
    """Compare the sizes of I/Os that devices received with those issued: the kernel merges and splits."""
    if reading.engine.name in _NO_DEVICE or not reading.engine.direct:
        return
    found = compared(point, reading, observation)
    # The kernel counts a flush without data as a write, and a file system writes its journal for it.
    each = 1 if all(one.counted.exact for one in found) else 1 + limits.JOURNAL_IOS
    commits = each * sum(one.commits for one in found)
    for ios_name, bytes_name, beside in (("reads", "read_bytes", 0), ("writes", "written_bytes", commits)):
        ios, in_bytes = (sum(getattr(one.issued, name) for one in found) for name in (ios_name, bytes_name))
        received, received_bytes = (
            sum(getattr(one.counted, name) for one in found) for name in (ios_name, bytes_name)
        )
        if not (ios and received) or abs(received_bytes - in_bytes) > limits.SAME_BYTES_SHARE * in_bytes:
            continue
        asked = in_bytes / ios
        # How many of these there were is not told: the sizes lie between those with them and without.
        least, most = received_bytes / received, received_bytes / max(1, received - beside)
        if least > asked * limits.OTHER_SIZE:
            yield Cause(code="merged", values=_rounded(asked_bytes=asked, received_bytes=least))
        elif most * limits.OTHER_SIZE < asked:
            yield Cause(code="split", values=_rounded(asked_bytes=asked, received_bytes=most))


def _rounded(**values: float) -> dict[str, float | int | str]:
    return {name: round(value) for name, value in values.items()}


def _stall(reading: Reading) -> Iterator[Cause]:
    """Look whether the end fell into a standstill: what was under way then is in no latency."""
    if reading.engine.name in _NO_DEVICE or not reading.completed:
        return
    longest_ns = max(reading.latency.max_ns, reading.syncs.latency.max_ns if reading.syncs else 0)
    least_s = min(limits.STALL_SHARE * reading.measured_s, limits.STALL_S)
    if reading.drained_max_ns > max(limits.STALL_TIMES * longest_ns, least_s * 1e9):
        values: dict[str, float | int | str] = {
            "took_ms": reading.drained_max_ns / 1e6,
            "counted_ms": longest_ns / 1e6,
        }
        if reading.drained:
            values["under_way"] = reading.drained
        yield Cause(code="stall_at_end", values=values)


def _depth_of_queue(loads: Loads, queue: DeviceQueue) -> int:
    """Give the most outstanding I/Os of all loads on one device; of an open loop their mean number."""
    depth = 0.0
    for point, reading in loads:
        share = sum(target.path in queue.targets for target in point.targets) / len(point.targets)
        depth += share * (point.outstanding_total if point.rate_io_s is None else reading.mean_outstanding)
    return math.floor(depth + 1e-9)


def _rounds(point: Point, reading: Reading, *, stalled: bool) -> Iterator[Cause]:
    """Look whether the measured part is long beside the latencies: else it has of I/Os that take long only
    those that fit into it. What is outstanding is known of a part of any length.

    Where many have ended, few that take very long can still be cut by the ends: rate × mean latency tells. A
    standstill at the end has its own note. A simulation goes on until few are cut, and it can end at its cap.
    """
    depth, simulated = reading.mean_outstanding, reading.engine.name == "simulator"
    if (
        (reading.engine.name in _NO_DEVICE and not simulated)
        or reading.errors
        or not reading.completed
        or depth <= 0
    ):
        return
    rounds = (reading.completed + (reading.syncs.completed if reading.syncs else 0)) / depth
    littles_ms = reading.measured_s / rounds * 1e3
    if rounds < limits.FEWEST_ROUNDS:
        yield Cause(code="few_rounds", values={"rounds": rounds, "littles_ms": littles_ms})
        return
    slowest, target = _slowest(point, reading)
    if slowest < limits.FEWEST_ROUNDS:
        values: dict[str, float | int | str] = {"target": target, "rounds": slowest}
        if slowest:
            values["littles_ms"] = reading.measured_s / slowest * 1e3
        yield Cause(code="few_rounds", values=values)
    if simulated:
        return
    expected, let_pass = depth_by_latency(reading), limits.LITTLES_LAW_SHARE * depth
    explained = _depth_under_way(point, reading) if stalled else 0.0
    if not -let_pass <= depth - expected <= let_pass + explained:
        told = {"expected": expected, "depth": depth, "littles_ms": littles_ms}
        yield Cause(code="cut_at_ends", values=told)


def _slowest(point: Point, reading: Reading) -> tuple[float, str]:
    """Give the rounds of the target that had fewest, and its path; infinitely many where it is not known how
    many were outstanding on each: a closed loop without think time keeps as many on all."""
    if len(reading.per_target) < 2 or point.rate_io_s is not None or point.profile.think_time_us:
        return math.inf, ""
    depth = point.outstanding * point.workers
    each = zip(reading.per_target, point.targets, strict=True)
    return min(((had.completed + had.syncs) / depth, target.path) for had, target in each)


def _depth_under_way(point: Point, reading: Reading) -> float:
    """Give the mean depth that what was under way at the end can come to at the most."""
    ios = min(reading.drained or point.outstanding_total, point.outstanding_total)
    return ios * min(reading.drained_max_ns / 1e9 / reading.measured_s, 1.0)


def _depth_of_device(point: Point, reading: Reading, observation: Observation) -> int:
    """Give the most outstanding I/Os on one device: those of a closed loop, or the mean of an open one."""
    if point.rate_io_s is not None:
        return math.floor(reading.mean_outstanding)
    devices = max(1, len(observation.devices))
    return point.outstanding * point.workers * math.ceil(len(point.targets) / devices)


def _host(point: Point, reading: Reading, observation: Observation) -> Iterator[Cause]:
    closed = point.rate_io_s is None
    busiest = _host_cpu(point, reading)
    if busiest is not None:
        yield Cause(code="host_cpu", values={"share": min(busiest, 1.0)})
    busy = observation.busy_share
    if busy is not None and busy >= limits.HOST_BUSY_SHARE:
        yield Cause(code="host_busy", values={"share": busy})
    asked, reached = point.outstanding_total, reading.mean_outstanding
    if (
        closed
        and not point.profile.think_time_us
        and reading.completed
        and reached < limits.DEPTH_SHARE * asked
    ):
        yield Cause(code="depth_not_reached", values={"reached": reached, "asked": asked})
    if _late(reading):
        late = reading.open_loop.host_late_starts if reading.open_loop else 0
        yield Cause(code="late_starts", values={"late": late, "completed": reading.completed})
    held = reading.open_loop.held_starts if reading.open_loop else 0
    if held > limits.HELD_SHARE * reading.completed:
        values = {"held": held, "completed": reading.completed, "limit": point.outstanding_total}
        yield Cause(code="outstanding_limit", values=values)


def _host_cpu(point: Point, reading: Reading) -> float | None:
    """Give how busy the processor is that limits a point; none where it does not.

    A virtual system knows its bottleneck, of several loads that of the first, whose note is kept: its workers
    are not asked.
    """
    if reading.simulation is not None:
        found = reading.simulation.bottleneck
        return found.utilisation if found.kind == "saturated" and found.place == HOST_PLACE else None
    busiest = max((worker.utilisation for worker in reading.workers), default=0.0)
    awake = point.iopoll or point.profile.think_time_us > 0
    can_tell = not awake and (point.rate_io_s is None or _behind(point, reading))
    return busiest if busiest >= limits.HOST_CPU_SHARE and can_tell else None


def _behind(point: Point, reading: Reading) -> bool:
    """Tell whether an open loop is behind its schedule: one that is not waits for its starts awake."""
    return _late(reading) or any(cause.code in OVERLOADED for cause in schedule(point, reading))


def _late(reading: Reading) -> bool:
    opened = reading.open_loop
    return opened is not None and opened.host_late_starts > limits.LATE_SHARE * reading.completed


def _worth(point: Point, reading: Reading, contents: str, optimised: bool) -> Iterator[Cause]:
    for share, name in ((0.99, "p99"), (0.999, "p99.9")):
        needed = round(BEYOND_A_PERCENTILE / (1 - share))
        if 0 < reading.completed < needed:
            values = {"percentile": name, "samples": reading.completed, "needed": needed}
            yield Cause(code="few_samples", values=values)
            break
    if point.profile.read_share > 0 and contents not in _WRITTEN and reading.engine.name not in _NO_DEVICE:
        yield Cause(code="contents_not_written", values={"contents": contents})
    if not optimised:
        yield Cause(code="unoptimised")
    if abs(reading.engine.clock_drift_ppm) > limits.CLOCK_DRIFT_PPM:
        yield Cause(code="clock_drift", values={"ppm": reading.engine.clock_drift_ppm})
