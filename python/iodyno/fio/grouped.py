"""Results that are the sum of several jobs: what shows it, and what is known of such a sum.

With ``group_reporting`` fio adds all jobs up that ran since the last ``new_group`` or ``stonewall``. The sum
has the name of the first and the options of the last: what the others were asked is not in it.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import replace
from typing import Any

from iodyno.fio.loads import Load
from iodyno.fio.results import Half, JobResult
from iodyno.profiles import LARGEST_BLOCK_BYTES

_NEAR = 0.02
"""How far a mean size may be outside of the sizes asked for: I/Os at the end of a file are shorter."""
_A_CLONE_MORE = 0.5
"""Clones beyond those asked for from which on there were others: how long clones ran differs a little."""
_CLONES_DIFFER = 0.05
"""The same as a share of those asked for."""
_LEAST_MORE_MS = 50
"""Time of others from which on it is told: of what took some ms the rounding would be as much."""
MOST_WORKERS = 1024
"""Workers that a point may have."""
_USUAL_BLOCK = 4096
_LEAST_BLOCK = 512
_OF_ONE_JOB = frozenset({
    "filename", "directory", "nrfiles", "size", "filesize", "offset", "offset_increment", "numjobs",
    "rate", "rate_iops", "rate_process", "thinktime", "thinktime_blocks", "thinktime_blocks_type",
    "ramp_time", "description",
})  # fmt: skip
"""Options of the last job that say nothing about the others."""


def is_sum(job: JobResult, values: Mapping[str, Any], *, verifies: bool, by_order: bool) -> bool:
    """Tell whether a result is more than one job with these options can have done.

    Parameters
    ----------
    job
        The result.
    values
        The options that stand in it, read.
    verifies
        Whether it reads what it wrote, which fio counts as reads.
    by_order
        Whether the order of accesses decides their size (``bs_is_seq_rand``), and not what they do.
    """
    if "rw" not in values:
        return False
    asked, done = _asked(values, verifies=verifies), _done(job)
    either = [*_sizes(values, "read"), *_sizes(values, "write")]
    sizes = {name: (min(either), max(either)) if by_order else _sizes(values, name) for name in done}
    return (
        not set(done) <= asked
        or any(not _fits(half, *sizes[name]) for name, half in done.items())
        or _more_clones(job, values.get("numjobs", 1), verifies=verifies)
        or _deeper(job, values, verifies=verifies)
    )


def of_sum(job: JobResult, values: Mapping[str, Any], own: Collection[str], guessed: str) -> dict[str, Any]:
    """Give the options that hold of a sum: those that stand for all jobs, and how it was asked where that
    fits.

    Parameters
    ----------
    job
        The result.
    values
        All options, read.
    own
        Names of the options that stand in the last job itself.
    guessed
        The direction that was done: read, write, rw or trim.
    """
    kept = {name: value for name, value in values.items() if name not in own or name not in _OF_ONE_JOB}
    done = _done(job)
    if set(done) - {"trim"} != _asked(values, verifies=False) - {"trim"}:
        random = "rand" if values["rw"][0].startswith("rand") else ""
        kept = {name: value for name, value in kept.items() if name not in ("rwmixread", "rwmixwrite")}
        kept |= {"rw": (f"{random}{guessed}", 1)}
    transfers = job.read.total_ios + job.write.total_ios
    if job.read.total_ios and job.write.total_ios:
        kept = {name: value for name, value in kept.items() if name != "rwmixwrite"}
        kept |= {"rwmixread": round(100 * job.read.total_ios / transfers)}
    return kept | {"numjobs": min(max(1, round(_clones(job, verifies=False))), MOST_WORKERS)}


def with_done_sizes(job: JobResult, values: Mapping[str, Any]) -> dict[str, Any]:
    """Put the mean sizes of what was done in the place of sizes that cannot have come to them."""
    changed = {name: half for name, half in _done(job).items() if not _fits(half, *_sizes(values, name))}
    kept = dict(values)
    for option in ("bs", "bssplit", "bsrange", "ba"):
        told = values.get(option, {})
        kept[option] = {name: value for name, value in told.items() if name not in changed}
    for name, half in changed.items():
        mean = max(1, round(half.io_bytes / half.total_ios / _LEAST_BLOCK)) * _LEAST_BLOCK
        kept["bs"][name] = min(mean, LARGEST_BLOCK_BYTES)
    return kept if changed else dict(values)


def tells_depth(job: JobResult) -> bool:
    """Tell whether all that was done has a latency and took some time: Little's law needs both."""
    done = _done(job).values()
    return any(half.runtime_ms for half in done) and all(_mean_ns(half) for half in done)


def with_depth(load: Load, job: JobResult) -> Load:
    """Give the load of a sum the depth that Little's law tells, and no rate: that of one is not theirs.

    Without latencies the depth stays that of the options.
    """
    load = replace(load, rate_io_s=None, arrival="fixed")
    if not tells_depth(job):
        return load
    busy_ns = sum(_mean_ns(half) * half.total_ios for half in job.halves)
    depth = busy_ns / 1e6 / max(half.runtime_ms for half in job.halves)
    return replace(load, outstanding=max(1, round(depth / load.workers)))


def with_fewer_workers(load: Load) -> tuple[Load, str]:
    """Give a load of more clones than a point has workers as many outstanding in all, and what is told."""
    workers = next(count for count in range(MOST_WORKERS, 0, -1) if load.workers % count == 0)
    outstanding = load.outstanding * (load.workers // workers)
    told = f"numjobs={load.workers} are {workers} workers with {outstanding} outstanding I/Os each"
    return replace(load, workers=workers, outstanding=outstanding), told


def _mean_ns(half: Half) -> float:
    return (half.lat if half.lat.mean else half.clat).mean


def _done(job: JobResult) -> dict[str, Half]:
    halves = zip(("read", "write", "trim"), job.halves, strict=True)
    return {name: half for name, half in halves if half.total_ios}


def _asked(values: Mapping[str, Any], *, verifies: bool) -> set[str]:
    """Give what a job with these options does; of a mix without any of one direction too."""
    word = values["rw"][0]
    found = {name for name in ("read", "write", "trim") if name in word}
    if word in ("rw", "readwrite", "randrw"):
        found = {"read", "write"}
    return found | ({"read", "trim"} if verifies else set())


def _sizes(values: Mapping[str, Any], direction: str) -> tuple[int, int]:
    """Give the least and the greatest size that a direction is asked for."""
    split = values.get("bssplit", {}).get(direction)
    if split:
        sizes = [size for size, percent in split if percent]
        return min(sizes), max(sizes)
    if ends := values.get("bsrange", {}).get(direction):
        return ends[0], ends[1]
    size = values.get("bs", {}).get(direction, _USUAL_BLOCK)
    return size, size


def _fits(half: Half, least: int, most: int) -> bool:
    """Tell whether the mean size can come of such sizes; nothing is told of trims without bytes."""
    mean = half.io_bytes / half.total_ios
    return not half.io_bytes or least * (1 - _NEAR) <= mean <= most * (1 + _NEAR)


def _deeper(job: JobResult, values: Mapping[str, Any], *, verifies: bool) -> bool:
    """Tell by Little's law whether more was outstanding than one job keeps: early versions of fio 3 do not
    say how long clones ran."""
    asked, longest_ms = (
        values.get("numjobs", 1) * values.get("iodepth", 1),
        _longest_ms(job, verifies=verifies),
    )
    busy_ms = sum(_mean_ns(half) * half.total_ios for half in job.halves) / 1e6
    if job.job_runtime_ms or busy_ms - asked * longest_ms < asked * _LEAST_MORE_MS:
        return False
    return busy_ms / longest_ms > asked + max(_A_CLONE_MORE, _CLONES_DIFFER * asked) if longest_ms else False


def _more_clones(job: JobResult, asked: int, *, verifies: bool) -> bool:
    if job.job_runtime_ms - asked * _longest_ms(job, verifies=verifies) < _LEAST_MORE_MS:
        return False
    return _clones(job, verifies=verifies) > asked + max(_A_CLONE_MORE, _CLONES_DIFFER * asked)


def _clones(job: JobResult, *, verifies: bool) -> float:
    """Give how many ran on the mean while the longest did, from the sum of their times."""
    longest_ms = _longest_ms(job, verifies=verifies)
    return job.job_runtime_ms / longest_ms if longest_ms else 0.0


def _longest_ms(job: JobResult, *, verifies: bool) -> int:
    """Give how long the longest clone ran: what verifies does one thing after the other."""
    times_ms = [half.runtime_ms for half in job.halves]
    return sum(times_ms) if verifies else max(times_ms)
