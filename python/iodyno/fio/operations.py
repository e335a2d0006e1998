"""What a job asks beside reads and writes: syncs, trims, think time, polling, processors."""

from __future__ import annotations

import math
from typing import Any

from iodyno.fio.jobs import Findings, Job
from iodyno.plan import RealEngine
from iodyno.profiles import LoadProfile


def of_profile(job: Job, word: str, findings: Findings) -> dict[str, Any]:
    """Give what a job changes of a load profile beside its reads and writes."""
    changes: dict[str, Any] = {}
    writes = word not in ("read", "randread") and "trim" not in word
    for option, field in (("fsync", "fsync_every"), ("fdatasync", "fdatasync_every")):
        if job.get(option) and writes:
            changes[field] = job.get(option)
    if len(changes) > 1:
        findings.deviate(
            job.place_of("fdatasync"), "fdatasync stands beside fsync: iodyno does the fsync alone"
        )
        del changes["fdatasync_every"]
    for field, every in changes.items() if word in ("rw", "readwrite", "randrw") else ():
        what = f"files are synced after every {every} writes, as by fio from 3.38 on"
        early = f"earlier ones sync after each read behind them too, every {every} accesses on the mean"
        findings.note(job.place_of(field.removesuffix("_every")), f"{what}; {early}")
    if "trim" in word:
        changes |= {"trim_share": 1.0}
    if job.get("thinktime"):
        changes |= {"think_time_us": job.get("thinktime"), "think_every": job.get("thinktime_blocks", 1)}
    return changes


def of_measurement(job: Job, engine: RealEngine, findings: Findings) -> dict[str, Any]:
    """Give what a job changes of how targets are opened and where its workers run."""
    changes: dict[str, Any] = {"pinning": "none"}
    sync = job.get("sync", "none")
    if sync in ("1", "sync", "dsync"):
        changes["write_through"] = True
        if sync != "dsync":
            findings.note(job.place_of("sync"), "files are opened with O_DSYNC, and not with O_SYNC")
    if job.get("hipri"):
        if engine == "io_uring":
            changes["iopoll"] = True
        else:
            findings.deviate(job.place_of("hipri"), "completions are polled for with io_uring only")
    if "cpus_allowed" in job.values:
        changes["pinning"] = job.get("cpus_allowed")
    return changes


def thought_otherwise(job: Job, outstanding: int) -> str:
    """Tell where fio pauses after more accesses than ``thinktime_blocks`` says; empty where it does not.

    It counts completions. While its queue is full it takes one at a time, and those that it waits for before
    it pauses count for the next pause. So, of n blocks at a depth d > n > 1, it issues d + n - 2 until n - 1
    more are complete, waits for d - 1, and pauses; has enough with the next one, and pauses again. Its null
    engine completes all at once.

    Parameters
    ----------
    job
        The job.
    outstanding
        Outstanding I/Os of a clone, all files together.
    """
    every: int = job.get("thinktime_blocks", 1)
    counts = job.get("thinktime_blocks_type", "complete") == "complete"
    if not (job.get("thinktime") and counts and 1 < every < outstanding) or job.get("ioengine") == "null":
        return ""
    both = outstanding + every - 1
    what = f"workers think after every {every} accesses; at a depth of {outstanding} fio does"
    return f"{what} after {both - 1} and after 1 in turn, {both / 2:g} on the mean"


def on_each_file(profile: LoadProfile, files: int) -> LoadProfile:
    """Give a clone's profile as that of each of its files: fio counts the accesses between two think times
    over all of them, and a worker counts on each. What cannot be shared out evenly is rounded up."""
    if files == 1 or not profile.think_time_us:
        return profile
    return profile.model_copy(update={"think_every": math.ceil(profile.think_every / files)})


def say_what_each_file_counts(job: Job, profile: LoadProfile, files: int, findings: Findings) -> None:
    """Say what fio counts over all files of a clone, and a worker on each.

    Parameters
    ----------
    job
        The job.
    profile
        The profile of the job, as it is for all files together.
    files
        Its files.
    findings
        Takes what is said, or refused.
    """
    if files == 1:
        return
    for option, every in (("fsync", profile.fsync_every), ("fdatasync", profile.fdatasync_every)):
        if every:
            what = f"each file is synced after {every} writes to it; fio counts over all files"
            findings.note(job.place_of(option), what)
    if not profile.think_time_us:
        return
    place = job.place_of("thinktime_blocks", "thinktime")
    every, each = profile.think_every, on_each_file(profile, files).think_every
    if every % files == 0:
        what = f"workers think after {each} accesses to each of {files} files"
        findings.note(place, f"{what}; fio does after {every} to all of them")
        return
    what = f"thinktime_blocks={every} cannot be shared out evenly over {files} files"
    if findings.approximate:
        findings.note(place, f"{what}: {each} on each")
    else:
        hint = f"take a multiple of {files} as thinktime_blocks, or give --approximate to round up"
        findings.refuse(place, what, hint)
