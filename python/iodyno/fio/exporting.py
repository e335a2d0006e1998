"""Runs as fio writes its results: what programs that read those can show."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Sequence
from datetime import datetime
from pathlib import PurePath
from typing import Any

from iodyno.fio.asked import Asked, asked
from iodyno.fio.bins import bins_of, percentiles_of
from iodyno.fio.logs import logs
from iodyno.histogram import Histogram
from iodyno.plan import Point
from iodyno.reading import Direction, PointResult, Series
from iodyno.store.records import StoredRun
from iodyno.units import format_size

PERCENTS = (1, 5, 10, 20, 30, 40, 50, 60, 70, 80, 90, 95, 99, 99.5, 99.9, 99.95, 99.99)
"""Percentiles that fio shows by default."""
_SAMPLE_S = 0.5
"""Length of the windows that fio takes its least and greatest rates from."""
_EDGES = (2, 4, 10, 20, 50, 100, 250, 500, 750, 1000)
_MS_EDGES = (*_EDGES, 2000)


def document(stored: StoredRun, results: Sequence[PointResult] | None = None) -> dict[str, Any]:
    """Write a run, or some of its points, as one document of fio: a job for each point.

    Parameters
    ----------
    stored
        The run.
    results
        The points to write; all where left out.
    """
    whole = stored.results if results is None else results
    kept = [load for result in whole for load in result.loads]
    started = datetime.fromisoformat(kept[0].started_at if kept else stored.run.started_at)
    return {
        "fio version": f"iodyno-{stored.run.tool.version}",
        "timestamp": int(started.timestamp()),
        "timestamp_ms": int(started.timestamp()) * 1000,
        "time": started.strftime("%a %b %d %H:%M:%S %Y"),
        "global options": {},
        "jobs": [_job(place, result) for place, result in enumerate(kept)],
        "disk_util": list(_disks(whole)),
    }


def files(stored: StoredRun) -> Iterator[tuple[PurePath, str]]:
    """Yield what each point has in a folder, as bench-fio lays it out: place and text of each file.

    Results are ``TARGET/BS/MODE-IODEPTH-NUMJOBS.json``, of mixes ``TARGET/MODEREADS/BS/…``; beside them lie
    the logs, ``MODE-iodepth-IODEPTH-numjobs-NUMJOBS_KIND.1.log``. A point whose place is taken goes below the
    name of its profile.
    """
    taken: set[PurePath] = set()
    for result in (load for each in stored.results for load in each.loads):
        options = _asked(result).options
        folder, mode = _folder(result.point, options), options["rw"].partition(":")[0]
        iodepth, numjobs = options["iodepth"], options["numjobs"]
        name, again = f"{mode}-{iodepth}-{numjobs}", ""
        if folder / name in taken:
            folder /= result.point.profile.name
        number = 2
        while folder / f"{name}{again}" in taken:
            again, number = f"-{number}", number + 1
        taken.add(folder / f"{name}{again}")
        text = json.dumps(document(stored, [result]), indent=1) + "\n"
        yield folder / f"{name}{again}.json", text
        for kind, log in logs(result):
            yield folder / f"{mode}-iodepth-{iodepth}-numjobs-{numjobs}{again}_{kind}.1.log", log


def not_said(stored: StoredRun) -> int:
    """Count the jobs of a run that do not say all of their points."""
    return sum(bool(_asked(load).otherwise) for result in stored.results for load in result.loads)


def not_taken(stored: StoredRun) -> int:
    """Count the jobs of a run that not every version of fio takes."""
    return sum(bool(_asked(load).needs) for result in stored.results for load in result.loads)


def _folder(point: Point, options: dict[str, str]) -> PurePath:
    target = point.system or PurePath(point.targets[0].path).name or "target"
    folder = PurePath(target)
    if "rwmixread" in options:
        folder /= f"{options['rw'].partition(':')[0]}{options['rwmixread']}"
    return folder / format_size(point.profile.largest_block_bytes).lower()


def _asked(result: PointResult) -> Asked:
    """Give the job of a point with the engine that answered; of an imported one that of its job."""
    engine = result.reading.engine
    return asked(result.point, engine.name, of_fio=engine.why if engine.name == "fio" else "")


def _job(place: int, result: PointResult) -> dict[str, Any]:
    point, reading = result.point, result.reading
    busy_s = sum(worker.cpu_s for worker in reading.workers)
    clock_s = sum(worker.elapsed_s * worker.threads for worker in reading.workers)
    halves = (*reading.accesses, *((reading.syncs,) if reading.syncs else ()))
    errors = [error for half in halves for error in half.errors if error.errno]
    latency, nothing = reading.latency, Direction()
    syncs = reading.syncs or nothing
    job = _asked(result)
    ramp = {"ramp_time": f"{round(reading.warmup_s * 1e6)}us"} if reading.warmup_s else {}
    return {
        "jobname": point.profile.name,
        "groupid": place,
        "error": errors[0].errno if errors else 0,
        "elapsed": math.ceil(reading.warmup_s + reading.measured_s),
        "job options": {
            **job.options,
            **ramp,
            "runtime": f"{math.ceil(reading.measured_s)}",
            "time_based": "1",
        },
        "read": _half(result, reading.reads, "read"),
        "write": _half(result, reading.writes, "write"),
        "trim": _half(result, reading.trims or nothing, "trim"),
        "sync": {"total_ios": syncs.completed, "lat_ns": _latency(syncs.latency)},
        "job_runtime": round(reading.measured_s * 1000) * int(job.options["numjobs"]),
        "usr_cpu": busy_s / clock_s * 100 if clock_s else 0.0,
        "sys_cpu": 0.0,
        "ctx": 0,
        "majf": 0,
        "minf": 0,
        "latency_ns": _shares(latency, 1, _EDGES, 0),
        "latency_us": _shares(latency, 1000, _EDGES, 1000),
        "latency_ms": _shares(latency, 1_000_000, _MS_EDGES, 1_000_000) | {">=2000": _beyond(latency)},
        "latency_depth": int(job.options["iodepth"]),
        "iodyno": {
            "engine": reading.engine.name,
            "verdict": result.verdict.state,
            "causes": [cause.code for cause in (*result.verdict.causes, *result.verdict.notes)],
            "half_width": reading.precision.half_width,
            "config_hash": point.config_hash,
            "otherwise": list(job.otherwise),
            "needs": list(job.needs),
        },
    }


def _half(result: PointResult, half: Direction, name: str) -> dict[str, Any]:
    runtime_s = result.reading.measured_s if half.completed else 0.0
    short = sum(error.count for error in half.errors if not error.errno)
    per_s = 1 / runtime_s if runtime_s else 0.0
    latency = _latency(half.latency)
    return {
        "io_bytes": half.bytes,
        "io_kbytes": half.bytes >> 10,
        "bw_bytes": round(half.bytes * per_s),
        "bw": round(half.bytes * per_s / 1024),
        "iops": half.completed * per_s,
        "runtime": round(runtime_s * 1000),
        "total_ios": half.completed,
        "short_ios": short,
        "drop_ios": 0,
        "slat_ns": _latency(Histogram()),
        "clat_ns": latency,
        "lat_ns": latency,
        **_rates(result.reading.series, name),
    }


def _latency(latency: Histogram) -> dict[str, Any]:
    bins, mean = bins_of(latency), latency.mean_ns
    count = sum(bins.values())
    spread = sum(number * (middle - mean) ** 2 for middle, number in bins.items())
    told: dict[str, Any] = {
        "min": latency.min_ns,
        "max": latency.max_ns,
        "mean": mean,
        "stddev": math.sqrt(spread / (count - 1)) if count > 1 else 0.0,
        "N": latency.total,
    }
    percentiles: dict[float, float] = dict(percentiles_of(bins, PERCENTS))
    percentiles |= {share * 100: value for share, value in latency.percentiles}
    if percentiles:
        told["percentile"] = {f"{percent:.6f}": value for percent, value in sorted(percentiles.items())}
    if bins:
        told["bins"] = {str(middle): number for middle, number in bins.items()}
    return told


def _rates(series: Series, name: str) -> dict[str, Any]:
    """Give the rates of windows of half a second, as fio has them."""
    kinds = {"read": series.reads, "write": series.writes, "trim": series.trims}
    sizes = {"read": series.read_bytes, "write": series.written_bytes}.get(name, ())
    io_s = _means(kinds[name], series)
    kib_s = [value / 1024 for value in _means(sizes, series)]
    rate, throughput = _spread(io_s), _spread(kib_s)
    return {
        "bw_min": round(throughput["min"]), "bw_max": round(throughput["max"]),
        "bw_agg": 100.0 if kib_s else 0.0, "bw_mean": throughput["mean"],
        "bw_dev": throughput["stddev"], "bw_samples": len(kib_s),
        "iops_min": round(rate["min"]), "iops_max": round(rate["max"]), "iops_mean": rate["mean"],
        "iops_stddev": rate["stddev"], "iops_samples": len(io_s),
    }  # fmt: skip


def _means(values: Sequence[int], series: Series) -> list[float]:
    """Give the rates of the measured part, each of as many windows as make half a second, or a few more."""
    each = max(1, round(_SAMPLE_S / series.window_s))
    lengths = series.windows or (1,) * len(values)
    made, amount, held = [], 0, 0
    for value, windows in zip(values[series.measured_from :], lengths[series.measured_from :], strict=False):
        amount, held = amount + value, held + windows
        if held >= each:
            made.append(amount / (held * series.window_s))
            amount = held = 0
    return made


def _spread(values: Sequence[float]) -> dict[str, float]:
    if not values or not any(values):
        return {"min": 0.0, "max": 0.0, "mean": 0.0, "stddev": 0.0}
    mean = sum(values) / len(values)
    squares = sum((value - mean) ** 2 for value in values)
    deviation = math.sqrt(squares / (len(values) - 1)) if len(values) > 1 else 0.0
    return {"min": min(values), "max": max(values), "mean": mean, "stddev": deviation}


def _shares(latency: Histogram, unit_ns: int, edges: Sequence[int], above_ns: int) -> dict[str, float]:
    """Give the percentage of I/Os up to each edge and above the one before."""
    told, low = {}, above_ns
    for edge in edges:
        high = edge * unit_ns
        told[str(edge)] = _between(latency, low, high) if high > low else 0.0
        low = max(low, high)
    return told


def _between(latency: Histogram, low_ns: int, high_ns: float) -> float:
    total = latency.total
    held = sum(count for low, _, count in latency.buckets() if low_ns <= low < high_ns)
    return held / total * 100 if total else 0.0


def _beyond(latency: Histogram) -> float:
    return _between(latency, _MS_EDGES[-1] * 1_000_000, math.inf)


def _disks(results: Sequence[PointResult]) -> Iterator[dict[str, Any]]:
    sums: dict[str, list[int]] = {}
    for result in results:
        for disk in result.observation.devices:
            found = sums.setdefault(disk.device, [0, 0, 0, 0])
            told = (disk.reads, disk.writes, disk.read_bytes >> 9, disk.written_bytes >> 9)
            sums[disk.device] = [before + more for before, more in zip(found, told, strict=True)]
    for name, counted in sums.items():
        keys = ("read_ios", "write_ios", "read_sectors", "write_sectors")
        yield {"name": name, **dict(zip(keys, counted, strict=True))}
