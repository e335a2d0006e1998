"""From results of fio to a run: rates, latencies and what is known of how they came about."""

from __future__ import annotations

import errno
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timezone
from pathlib import Path
from typing import Any

from iodyno.errors import Problem, StoreError
from iodyno.fio.bins import histogram_of
from iodyno.fio.jobs import Findings, Job
from iodyno.fio.lines import Setting
from iodyno.fio.loads import ENGINES, Load, load_of
from iodyno.fio.options import ALONE, HONOURED, canonical, read_setting
from iodyno.fio.results import Half, JobResult, Latency, Result, read_results, result_files
from iodyno.plan import Plan, PlannedTarget, Point, Stopping
from iodyno.reading import (
    Cause,
    Direction,
    EngineFacts,
    Histogram,
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
from iodyno.store.records import Run, StoredRun, ToolFacts
from iodyno.system import Fact, Section, System
from iodyno.system.host import NOT_TOLD
from iodyno.units import format_size

STUDY = "fio-import"
_SHARES = (0.5, 0.9, 0.99, 0.999, 0.9999, 0.99999)
_UNKNOWN_S = 1e-9


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


def import_results(
    paths: Sequence[Path],
    *,
    run_id: str,
    now: datetime,
    tool: ToolFacts,
    command: Sequence[str],
    title: str = "",
) -> tuple[StoredRun, tuple[str, ...]]:
    """Make a run of results of fio.

    Parameters
    ----------
    paths
        Files, and folders with files below them, such as bench-fio makes.
    run_id, now, tool, command
        What the run's record needs.
    title
        Title of the run; made of the version of fio where empty.

    Returns
    -------
    tuple
        The run, every point in it, and what was left out.

    Raises
    ------
    StoreError
        With every file that holds no result that can be read.
    """
    found, notes = _read(result_files(paths))
    if not found:
        hint = "trims and syncs alone are not imported"
        raise StoreError.of(", ".join(map(str, paths)), "holds no job that reads or writes", hint)
    versions = list(dict.fromkeys(item.result.version for item in found))
    measured = _named(found)
    results = tuple(_point_result(index, item) for index, item in enumerate(measured))
    names = {item.name: item.load.profile.title for item in measured}
    run = Run(
        id=run_id,
        started_at=now.isoformat(timespec="seconds"),
        finished_at=now.isoformat(timespec="seconds"),
        status="finished",
        plan=Plan(
            study=STUDY,
            title=title or f"Results of {' and '.join(versions)}",
            seed=0,
            points=tuple(result.point for result in results),
            study_source={
                "sweep": [{"name": STUDY, "title": "Imported jobs"}],
                "fio": [_options_of(item) for item in measured],
                "profiles": names,
            },
        ),
        tool=tool,
        system=_system(measured),
        command=tuple(command),
        imported=", ".join(versions),
    )
    return StoredRun(run=run, results=results), tuple(notes)


def _read(files: Sequence[Path]) -> tuple[list[Measured], list[str]]:
    problems: list[Problem] = []
    notes: list[str] = []
    found: list[Measured] = []
    for file in files:
        try:
            results = read_results(file)
        except StoreError as error:
            problems += error.problems
            continue
        for result in results:
            for jobs in _groups(result):
                if jobs[0].read.total_ios + jobs[0].write.total_ios or jobs[0].error:
                    found.append(_measured(jobs, result, file))
                else:
                    notes.append(f"{file}: {jobs[0].jobname} neither read nor wrote: left out")
    if problems:
        raise StoreError(*problems)
    return found, notes


def _groups(result: Result) -> list[tuple[JobResult, ...]]:
    """Put the clones of a job together: they ran at once, and fio lists each where it does not group."""
    groups: dict[tuple[Any, ...], list[JobResult]] = {}
    for job in result.all_jobs:
        groups.setdefault((job.jobname, job.groupid, job.hostname), []).append(job)
    return [tuple(jobs) for jobs in groups.values()]


def _measured(jobs: tuple[JobResult, ...], result: Result, file: Path) -> Measured:
    told = {**result.options, **jobs[0].options}
    values = _values(told)
    rw = values.get("rw", (_guessed(jobs), 1))[0]
    values["rw"] = (rw if "trim" not in rw else _guessed(jobs), values.get("rw", ("", 1))[1])
    engine = values.get("ioengine", "psync")
    known = {**values, "ioengine": engine if engine in ENGINES else "libaio"}
    job = Job(jobs[0].jobname, str(file), known, {})
    load = load_of(job, "imported", Findings(approximate=True)) or load_of(
        replace(job, values={"rw": values["rw"]}), "imported", Findings(approximate=True)
    )
    assert load is not None, "reads or writes of one block size are always a load"
    return Measured(jobs, result, file, load, {**values, "ioengine": engine}, _profile_name(values, load))


def _values(told: dict[str, Any]) -> dict[str, Any]:
    """Read the options that fio repeats in its result; one that cannot be read is as if not told."""
    values: dict[str, Any] = {}
    for key, value in told.items():
        name = canonical(str(key))
        text = "1" if value in (None, "") and name in ALONE else str(value)
        if name in HONOURED:
            try:
                values[name] = read_setting(
                    Setting(name, text, ""), 1000 if told.get("kb_base") == "1000" else 1024
                )
            except ValueError:
                continue
    return values


def _guessed(jobs: Sequence[JobResult]) -> str:
    """Tell the direction from what was done."""
    reads, writes = any(job.read.total_ios for job in jobs), any(job.write.total_ios for job in jobs)
    return "rw" if reads and writes else "write" if writes else "read"


def _profile_name(values: dict[str, Any], load: Load) -> str:
    sizes = "-".join(format_size(block.bytes).lower() for block in load.profile.blocks[:3])
    mixed = (
        f"-r{load.profile.read_share * 100:g}".replace(".", "-") if 0 < load.profile.read_share < 1 else ""
    )
    return f"{values['rw'][0]}-{sizes}{mixed}"


def _named(found: Sequence[Measured]) -> list[Measured]:
    """Tell jobs apart that have the same load on the same target: by the name of the job, or by a number."""
    seen: dict[tuple[Any, ...], int] = {}
    named = []
    for item in found:
        key = (item.name, _paths(item), item.load.outstanding, item.load.workers, item.load.rate_io_s)
        seen[key] = seen.get(key, 0) + 1
        name = item.name if seen[key] == 1 else f"{item.name}-{seen[key]}"
        title = name.replace("-", " ")
        profile = item.load.profile.model_copy(update={"name": name, "title": title})
        named.append(replace(item, name=name, load=replace(item.load, profile=profile)))
    return named


def _paths(item: Measured) -> tuple[str, ...]:
    folder = item.values.get("directory", "")
    names = item.values.get("filename") or (item.jobs[0].jobname,)
    return tuple(str(Path(folder) / name) for name in names)


def _point_result(index: int, item: Measured) -> PointResult:
    moment = datetime.fromtimestamp(min(item.result.timestamp_s, 1 << 36), timezone.utc)
    return PointResult(
        point=_point(index, item),
        reading=_reading(item),
        observation=Observation(),
        verdict=Verdict(state="not_judged", notes=tuple(_notes(item))),
        started_at=moment.isoformat(timespec="seconds"),
    )


def _point(index: int, item: Measured) -> Point:
    load, size = item.load, item.values.get("filesize") or item.values.get("size")
    paths = _paths(item)
    known = size // len(paths) if isinstance(size, int) else 0
    start = item.values.get("offset", 0)
    targets = tuple(
        PlannedTarget(
            path=path,
            kind="device" if path.startswith("/dev/") else "file",
            size_bytes=known,
            area_start_bytes=start if isinstance(start, int) else 0,
            area_length_bytes=known,
        )
        for path in paths
    )
    measured_s = max(_measured_s(item), _UNKNOWN_S)
    return Point(
        index=index,
        sweep=STUDY,
        profile=load.profile,
        targets=targets,
        outstanding=max(1, load.outstanding // len(paths)),
        workers=load.workers,
        rate_io_s=load.rate_io_s,
        arrival=load.arrival,
        engine=load.engine,
        direct=load.direct,
        stopping=Stopping(
            warmup_s=item.values.get("ramp_time", 0.0), floor_s=measured_s, cap_s=measured_s,
            precision=0.02, confidence=0.95,
        ),
        seed=item.values.get("randseed", 0),
    )  # fmt: skip


def _measured_s(item: Measured) -> float:
    return max(max(job.read.runtime_ms, job.write.runtime_ms) for job in item.jobs) / 1000


def _reading(item: Measured) -> Reading:
    reads = _direction(item, [job.read for job in item.jobs])
    writes = _direction(item, [job.write for job in item.jobs])
    issued = Issued(
        reads=reads.completed, writes=writes.completed, read_bytes=reads.bytes, written_bytes=writes.bytes
    )
    return Reading(
        engine=EngineFacts(
            name="fio", why=str(item.values["ioengine"]), direct=item.load.direct, clock="that of fio"
        ),
        warmup_s=item.values.get("ramp_time", 0.0),
        measured_s=_measured_s(item),
        reads=reads,
        writes=writes,
        series=Series(),
        precision=Precision(),
        stopped="cap",
        issued=issued,
        workers=tuple(_worker(job, item) for job in item.jobs),
    )


def _worker(job: JobResult, item: Measured) -> WorkerFacts:
    """Give what is known of a clone, or of a group of them; the depth follows from Little's law."""
    busy_ns = sum(_whole_latency(half).mean * half.total_ios for half in (job.read, job.write))
    return WorkerFacts(
        cpu_s=(job.usr_cpu + job.sys_cpu) / 100 * job.job_runtime_ms / 1000,
        elapsed_s=_measured_s(item),
        system_calls=0,
        io_time_s=busy_ns / 1e9,
    )


def _direction(item: Measured, halves: Sequence[Half]) -> Direction:
    short = sum(half.short_ios for half in halves)
    errors = [IoError(errno=0, name="SHORT", count=short, first_offset_bytes=0)] if short else []
    failed = [job.error for job in item.jobs if job.error]
    if failed and halves[0] in (item.jobs[0].read, item.jobs[0].write) and _carries_errors(item, halves):
        name = errno.errorcode.get(failed[0], str(failed[0]))
        errors.append(IoError(errno=failed[0], name=name, count=len(failed), first_offset_bytes=0))
    return Direction(
        completed=sum(half.total_ios for half in halves),
        bytes=sum(half.io_bytes for half in halves),
        latency=Histogram.merged([_latency(half) for half in halves]),
        errors=tuple(errors),
    )


def _carries_errors(item: Measured, halves: Sequence[Half]) -> bool:
    """Put an error, whose direction fio does not tell, to the reads, or to writes where nothing reads."""
    reads = item.load.profile.read_share > 0
    return (halves[0] is item.jobs[0].read) == reads


def _whole_latency(half: Half) -> Latency:
    """Give the latency from issue to completion, or what is nearest to it."""
    return half.lat if half.lat.samples or half.lat.mean else half.clat


def _detailed(half: Half) -> Latency:
    """Give the latency whose distribution fio told: that from issue on only if it was asked for."""
    return half.lat if half.lat.bins or half.lat.percentile else half.clat


def _latency(half: Half) -> Histogram:
    whole, detailed = _whole_latency(half), _detailed(half)
    samples = whole.samples or detailed.samples or half.total_ios
    if not samples:
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
    halves = [half for job in item.jobs for half in (job.read, job.write) if half.total_ios]
    if any(half.clat.samples and _detailed(half) is not half.lat for half in halves):
        notes.append(Cause(code="completion_latency"))
    if any(not _detailed(half).bins for half in halves):
        notes.append(Cause(code="no_distribution"))
    if not item.load.direct:
        notes.append(Cause(code="buffered"))
    return notes


def _options_of(item: Measured) -> dict[str, Any]:
    return {
        "file": item.file.name,
        "job": item.jobs[0].jobname,
        "profile": item.name,
        "options": {**item.result.options, **item.jobs[0].options},
    }


def _system(found: Sequence[Measured]) -> System:
    """Tell of the machine what the results tell: hardly anything."""
    hosts = dict.fromkeys(job.hostname for item in found for job in item.jobs if job.hostname)
    disks = dict.fromkeys(
        str(disk["name"]) for item in found for disk in item.result.disks if disk.get("name")
    )
    engines = dict.fromkeys(str(item.values["ioengine"]) for item in found)
    versions = dict.fromkeys(item.result.version for item in found)
    told = {
        "imported_tool": versions,
        "imported_engines": engines,
        "imported_hosts": hosts,
        "imported_disks": disks,
    }
    facts = tuple(
        Fact(code=code, value=", ".join(names)) if names else Fact(code=code, missing=NOT_TOLD)
        for code, names in told.items()
    )
    return System(sections=(Section(code="imported", facts=facts),))
