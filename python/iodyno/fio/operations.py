"""What a job asks beside reads and writes: syncs, trims, think time, polling, processors."""

from __future__ import annotations

from typing import Any

from iodyno.fio.jobs import Findings, Job
from iodyno.plan import RealEngine


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
