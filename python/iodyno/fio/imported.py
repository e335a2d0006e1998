"""A job of fio as a point with its reading: what is known of it, and nothing more."""

from __future__ import annotations

import errno
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timezone
from pathlib import Path
from typing import Any

from iodyno.fio.bins import histogram_of
from iodyno.fio.grouped import tells_depth
from iodyno.fio.loads import Load
from iodyno.fio.places import accessed_bytes
from iodyno.fio.results import Half, JobResult, Latency, Result
from iodyno.histogram import Histogram
from iodyno.plan import PlannedTarget, Point, Stopping
from iodyno.reading import (
    Cause,
    Direction,
    EngineFacts,
    IoError,
    Issued,
    Observation,
    PointResult,
    Precision,
    Reading,
    Series,
    Verdict,
    WorkerFacts,
)

STUDY = "fio-import"
"""Name of the study and of the sweep of imported points."""
_SHARES = (0.5, 0.9, 0.99, 0.999, 0.9999, 0.99999)
_UNKNOWN_S = 1e-9
_MOST_OUTSTANDING = 4096
"""More than this no job asks for, but several that fio added up may have had more."""


@dataclass(frozen=True)
class Measured:
    """A job of fio with the clones that ran with it, and what it was."""

    jobs: tuple[JobResult, ...]
    result: Result
    file: Path
    load: Load
    values: dict[str, Any]
    name: str
    """Name of its profile: points of one name make a curve over the outstanding I/Os."""
    grouped: bool = False
    """Whether fio added several jobs up: the name is that of the first of them."""
    otherwise: tuple[str, ...] = ()
    """What of its load is shown otherwise than it was."""

    @property
    def called(self) -> str:
        """What it is called after its job, or its jobs."""
        return f"{self.jobs[0].jobname}, …" if self.grouped else self.jobs[0].jobname


def paths_of(item: Measured) -> tuple[str, ...]:
    folder = item.values.get("directory", "")
    names = item.values.get("filename") or (item.called,)
    return tuple(str(Path(folder) / name) for name in names)


def file_bytes(values: dict[str, Any], files: int) -> int:
    """Give the length of what a job accesses of each file: of ``filesize`` what is behind the offset, or its
    part of ``size``; 0 where neither says."""
    each, whole, start = values.get("filesize"), values.get("size"), values.get("offset", 0)
    if each:
        return accessed_bytes(each, start if isinstance(start, int) else 0, whole)
    return whole // files if isinstance(whole, int) else 0


def point_result(index: int, item: Measured) -> PointResult:
    moment = datetime.fromtimestamp(min(item.result.timestamp_s, 1 << 36), timezone.utc)
    return PointResult(
        point=_point(index, item),
        reading=_reading(item),
        observation=Observation(),
        verdict=Verdict(state="not_judged", notes=tuple(_notes(item))),
        started_at=moment.isoformat(timespec="seconds"),
    )


def _point(index: int, item: Measured) -> Point:
    load, paths = item.load, paths_of(item)
    known = file_bytes(item.values, len(paths))
    start, own = item.values.get("offset", 0), known > 0 and _has_parts(item, known)
    parts = item.values.get("numjobs", 1) if own else 1
    targets = tuple(
        PlannedTarget(
            path=path,
            kind="device" if path.startswith("/dev/") else "file",
            size_bytes=known * parts,
            area_start_bytes=start if isinstance(start, int) else 0,
            area_length_bytes=known * parts,
        )
        for path in paths
    )
    measured_s = max(_measured_s(item), _UNKNOWN_S)
    return Point(
        index=index,
        sweep=STUDY,
        profile=load.profile,
        targets=targets,
        outstanding=min(max(1, load.outstanding // len(paths)), _MOST_OUTSTANDING),
        workers=load.workers,
        workers_area="own" if own else "shared",
        rate_io_s=load.rate_io_s,
        arrival=load.arrival,
        engine=load.engine,
        direct=load.direct,
        write_through=load.opened.get("write_through", False),
        cold_cache=load.opened.get("cold_cache", False),
        stopping=Stopping(
            warmup_s=item.values.get("ramp_time", 0.0), floor_s=measured_s, cap_s=measured_s,
            precision=0.02, confidence=0.95,
        ),
        seed=item.values.get("randseed", 0),
    )  # fmt: skip


def _has_parts(item: Measured, known: int) -> bool:
    """Tell whether each clone has the next part of each file."""
    parts = item.values.get("offset_increment") == known and "filesize" not in item.values
    return item.load.workers > 1 and parts


def _measured_s(item: Measured) -> float:
    return max(half.runtime_ms for job in item.jobs for half in job.halves) / 1000


def _reading(item: Measured) -> Reading:
    reads = _direction(item, [job.read for job in item.jobs])
    writes = _direction(item, [job.write for job in item.jobs])
    trims = _direction(item, [job.trim for job in item.jobs]) if item.load.profile.trim_share else None
    issued = Issued(
        reads=reads.completed, writes=writes.completed, read_bytes=reads.bytes, written_bytes=writes.bytes,
        trims=trims.completed if trims else 0, trimmed_bytes=trims.bytes if trims else 0,
        syncs=sum(_synced(item, job) for job in item.jobs),
    )  # fmt: skip
    return Reading(
        engine=EngineFacts(
            name="fio",
            why=str(item.values["ioengine"]),
            direct=item.load.direct,
            clock="that of fio",
            write_through=item.load.opened.get("write_through", False),
        ),
        warmup_s=item.values.get("ramp_time", 0.0),
        measured_s=_measured_s(item),
        reads=reads,
        writes=writes,
        trims=trims,
        syncs=_syncs(item),
        series=Series(),
        precision=Precision(),
        stopped="cap",
        issued=issued,
        workers=tuple(_worker(job, item) for job in item.jobs),
    )


def _worker(job: JobResult, item: Measured) -> WorkerFacts:
    """Give what is known of a clone, or of a group of them; the depth follows from Little's law."""
    busy_ns = sum(_whole_latency(half).mean * half.total_ios for half in job.halves)
    elapsed_s, clones = _measured_s(item), max(1, item.load.workers // len(item.jobs))
    run_s = job.job_runtime_ms / 1000 or elapsed_s * clones  # early versions of fio 3 do not tell it
    return WorkerFacts(
        threads=max(1, round(run_s / elapsed_s)) if elapsed_s else clones,
        cpu_s=(job.usr_cpu + job.sys_cpu) / 100 * run_s,
        elapsed_s=elapsed_s,
        system_calls=0,
        io_time_s=busy_ns / 1e9,
    )


def _direction(item: Measured, halves: Sequence[Half]) -> Direction:
    short = sum(_short(item, *pair) for pair in zip(item.jobs, halves, strict=True))
    errors = [IoError(errno=0, name="SHORT", count=short, first_offset_bytes=0)] if short else []
    failed = [job.error for job in item.jobs if job.error]
    if failed and _carries_errors(item, halves):
        name = errno.errorcode.get(failed[0], str(failed[0]))
        errors.append(IoError(errno=failed[0], name=name, count=len(failed), first_offset_bytes=0))
    return Direction(
        completed=sum(half.total_ios for half in halves),
        bytes=sum(half.io_bytes for half in halves),
        latency=Histogram.merged([_latency(half) for half in halves]),
        errors=tuple(errors),
    )


def _syncs(item: Measured) -> Direction | None:
    """Give what is known of the syncs; none where the job asks for none."""
    if not item.load.profile.syncs:
        return None
    found = [job.sync for job in item.jobs]
    return Direction(
        completed=sum(_synced(item, job) for job in item.jobs),
        latency=Histogram.merged([_histogram(sync.lat, sync.lat, sync.total_ios) for sync in found]),
    )


def _short(item: Measured, job: JobResult, half: Half) -> int:
    """Count the I/Os that came back short; what fio counts where nothing was done is something else."""
    among = _miscounted(item, job) if half is job.read else 0
    return max(0, half.short_ios - among) if half.total_ios else 0


def _synced(item: Measured, job: JobResult) -> int:
    return job.sync.total_ios + _miscounted(item, job)


def _miscounted(item: Measured, job: JobResult) -> int:
    """Count the calls of fdatasync that fio has among short reads and not among its syncs.

    Up to 3.33 at least it counts one call behind the end of its table, where short reads begin; it times them
    all. Where nothing was timed they are told from short reads by nothing, and taken for calls.
    """
    if not item.values.get("fdatasync"):
        return 0
    timed, counted = job.sync.lat.samples, job.sync.total_ios
    return max(0, timed - counted) if timed or counted else job.read.short_ios


def _carries_errors(item: Measured, halves: Sequence[Half]) -> bool:
    """Put an error, whose direction fio does not tell, to reads; to writes or trims where nothing else is."""
    first, profile = item.jobs[0], item.load.profile
    only_trims = profile.trim_share == 1
    return halves[0] is (first.trim if only_trims else first.read if profile.read_share > 0 else first.write)


def _whole_latency(half: Half) -> Latency:
    """Give the latency from issue to completion, or what is nearest to it."""
    return half.lat if half.lat.samples or half.lat.mean else half.clat


def _detailed(half: Half) -> Latency:
    """Give the latency whose distribution fio told: that from issue on only if it was asked for."""
    return half.lat if half.lat.bins or half.lat.percentile else half.clat


def _latency(half: Half) -> Histogram:
    return _histogram(_whole_latency(half), _detailed(half), half.total_ios)


def _histogram(whole: Latency, detailed: Latency, total: int) -> Histogram:
    """Make a histogram of what fio told of a latency, and of the one whose distribution it told."""
    samples = whole.samples or detailed.samples or total
    if not samples or not whole.mean:
        return Histogram()
    least, most = min(whole.min, detailed.min or whole.min), max(whole.max, detailed.max)
    if detailed.bins:
        told = sum(detailed.bins.values())
        return histogram_of(detailed.bins, least=least, most=most, total_ns=round(whole.mean * told))
    return Histogram(
        min_ns=least, max_ns=most, sum_ns=round(whole.mean * samples), untold=samples,
        percentiles=tuple(_percentiles(detailed)),
    )  # fmt: skip


def _percentiles(latency: Latency) -> list[tuple[float, int]]:
    told = {round(percent / 100, 9): value for percent, value in latency.percentile.items()}
    return [(share, told[share]) for share in _SHARES if share in told]


def _notes(item: Measured) -> list[Cause]:
    notes = [Cause(code="imported", values={"tool": item.result.version})]
    if item.grouped:
        notes.append(Cause(code="grouped_jobs"))
        if not tells_depth(item.jobs[0]):
            notes.append(Cause(code="depth_of_last"))
    halves = [half for job in item.jobs for half in job.halves if half.total_ios]
    completions = [half for half in halves if half.clat.mean]
    if any(_whole_latency(half) is half.clat for half in completions):
        notes.append(Cause(code="completion_latency_only"))
    elif any(_detailed(half) is not half.lat for half in completions):
        notes.append(Cause(code="completion_latency"))
    timed = [half for half in halves if _whole_latency(half).mean]
    if timed and len(timed) < len(halves):
        notes.append(Cause(code="some_untimed"))
    if halves and not timed:
        notes.append(Cause(code="no_latency"))
    elif any(not _detailed(half).bins for half in timed):
        notes.append(Cause(code="no_distribution"))
    if not item.load.direct:
        notes.append(Cause(code="buffered"))
    return notes
