"""Jobs at once that begin at different times (``startdelay``): which of them run at once, and what counts."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass

from iodyno.fio.jobs import Findings, Job


@dataclass(frozen=True)
class Span:
    """When a job runs, in seconds from when its group begins, as fio has it."""

    begins_s: float
    counts_s: float
    """When its ``ramp_time`` is over."""
    ends_s: float
    """When its ``runtime`` is over; without end where it has none."""


@dataclass(frozen=True)
class Common:
    """What jobs that run at once have in common."""

    begins_s: tuple[float, ...]
    """When each begins, in seconds after the first of them."""
    counts_s: float
    """When the last of them begins to count, likewise."""
    ends_s: float
    """When the first of them ends, likewise; without end where none says."""


def delay_s(job: Job) -> float:
    """Give the delay of a job in seconds: the middle of a range."""
    least, most = job.get("startdelay", (0.0, 0.0))
    return (float(least) + float(most)) / 2


def refuse_ranges(jobs: Sequence[Job], findings: Findings) -> None:
    """Refuse delays that fio draws for each clone, of jobs that run at once."""
    for job in jobs:
        least, most = job.get("startdelay", (0.0, 0.0))
        if least == most:
            continue
        place = job.place_of("startdelay")
        what = f"startdelay={least:g}-{most:g}: fio draws a delay for each clone"
        if findings.approximate:
            findings.note(place, f"{what}; all begin after {delay_s(job):g} s, on request")
        else:
            hint = "write one time, or give --approximate to take the middle"
            findings.refuse(place, f"{what}, and iodyno draws none", hint)


def span_of(job: Job) -> Span:
    """Give when a job begins, counts and ends.

    Examples
    --------
    >>> job = Job("a", "line 1", {"startdelay": (2.0, 2.0), "ramp_time": 1.0, "runtime": 4.0}, {})
    >>> span_of(job)
    Span(begins_s=2.0, counts_s=3.0, ends_s=7.0)
    """
    begins = delay_s(job)
    counts = begins + job.get("ramp_time", 0.0)
    return Span(begins, counts, counts + (job.get("runtime", 0.0) or math.inf))


def apart(jobs: Sequence[Job]) -> list[tuple[Job, ...]]:
    """Take jobs apart where all have ended before the next one begins; in the order in which they begin.

    Parameters
    ----------
    jobs
        Jobs that nothing keeps from running at once, in the order of the file.
    """
    if not any(delay_s(job) for job in jobs):
        return [tuple(jobs)]
    parts: list[list[Job]] = []
    ended_s = -math.inf
    for job in sorted(jobs, key=delay_s):
        span = span_of(job)
        if span.begins_s >= ended_s:
            parts.append([])
        parts[-1].append(job)
        ended_s = max(ended_s, span.ends_s)
    return [tuple(job for job in jobs if job in part) for part in parts]


def common_of(jobs: Sequence[Job]) -> Common:
    """Find the time that jobs which run at once have in common."""
    spans = [span_of(job) for job in jobs]
    first = min(span.begins_s for span in spans)
    return Common(
        tuple(span.begins_s - first for span in spans),
        max(span.counts_s for span in spans) - first,
        min(span.ends_s for span in spans) - first,
    )


def say_parts(parts: Sequence[Sequence[Job]], findings: Findings) -> None:
    """Say that jobs which fio starts together do not run at once."""
    for before, part in itertools.pairwise(parts):
        first = min(part, key=delay_s)
        names, ended = (
            ", ".join(f"[{job.name}]" for job in before),
            max(span_of(job).ends_s for job in before),
        )
        what = (
            f"[{first.name}] begins after {delay_s(first):g} s, and {names} ended after {ended:g} s at the "
            "latest: they are measured one after the other, without a pause"
        )
        findings.note(first.place_of("startdelay"), what)


def say_common(jobs: Sequence[Job], common: Common, findings: Findings) -> None:
    """Say when jobs at once begin, and which seconds of each count."""
    least = min(delay_s(job) for job in jobs)
    if least:
        what = f"nothing runs in the first {least:g} s: they are left out"
        findings.note(jobs[0].place_of("startdelay"), what)
    late = [(job, begins) for job, begins in zip(jobs, common.begins_s, strict=True) if begins]
    said = [f"[{job.name}] begins {begins:g} s after the first" for job, begins in late]
    what = "what counts is the time in which all run"
    if common.ends_s < math.inf:
        counted = (_counted(job, common.counts_s + least, common.ends_s + least) for job in jobs)
        what = f"{what}: of the runtime of {', of '.join(counted)}"
    elif not late:
        return
    place = late[0][0].place_of("startdelay") if late else jobs[0].place_of("runtime")
    findings.note(place, f"{', '.join(said)}; {what}" if said else what)


def _counted(job: Job, start_s: float, end_s: float) -> str:
    """Write which seconds of the runtime of a job lie between two moments of its group."""
    counts = span_of(job).counts_s
    return f"[{job.name}] {start_s - counts:g} to {end_s - counts:g} s"


def refuse_nothing_common(jobs: Sequence[Job], findings: Findings) -> None:
    """Refuse jobs that overlap and yet have no time in which all of them count."""
    spans = [(job, span_of(job)) for job in jobs]
    late = max(spans, key=lambda one: one[1].counts_s)
    early = min(spans, key=lambda one: one[1].ends_s)
    what = (
        f"[{late[0].name}] counts from {late[1].counts_s:g} s on, and [{early[0].name}], which would run at "
        f"once, ends after {early[1].ends_s:g} s: there is no time in which both count"
    )
    place = late[0].place_of("startdelay", "ramp_time")
    if findings.approximate:
        findings.note(place, f"{what}; they are measured one after the other, on request")
    else:
        hint = (
            "give a longer runtime or a shorter startdelay, add stonewall, or give --approximate to measure "
            "them one after the other"
        )
        findings.refuse(place, what, hint)
