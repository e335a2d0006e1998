"""Jobs that wait for others (``stonewall``, ``wait_for``): which of them run at once."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence

from iodyno.fio.delays import delay_s, span_of
from iodyno.fio.jobs import Findings, Job


def groups_of(jobs: Sequence[Job], findings: Findings) -> tuple[tuple[Job, ...], ...]:
    """Put together the jobs that run at once, one group after the other.

    ``stonewall`` waits for all jobs before it, ``wait_for`` for one of them: jobs beside that one do not
    wait, and begin with it.

    Parameters
    ----------
    jobs
        The jobs in the order of the file.
    findings
        Takes what is waited for and is not there, and where fio runs jobs at once that are in two groups.
    """
    _refuse_unknown(jobs, findings)
    groups = tuple(group for walled in _walled(jobs) for group in _in_turn(walled, findings))
    for group in groups[1:]:
        _say_delays(group, findings)
    return groups


def _say_delays(group: Sequence[Job], findings: Findings) -> None:
    """Say from when delays count of jobs at once that others have run before."""
    if len({delay_s(job) for job in group}) == 1:
        return
    what = "the delay counts from when the jobs before it have ended, and in fio from its own start"
    for job in group:
        if delay_s(job):
            findings.note(job.place_of("startdelay"), what)


def _refuse_unknown(jobs: Sequence[Job], findings: Findings) -> None:
    """Refuse to wait for what is not one job above: fio ends there."""
    for number, job in enumerate(jobs):
        if "wait_for" not in job.values:
            continue
        name, place = job.get("wait_for"), job.place_of("wait_for")
        found = sum(other.name == name for other in jobs[:number])
        if name == job.name:
            findings.refuse(place, f"wait_for={name}: [{job.name}] waits for itself", "name a job above it")
        elif found != 1:
            what = "no job above it has that name" if not found else f"{found} jobs above it have that name"
            findings.refuse(place, f"wait_for={name}: {what}", "name one job above it")


def _walled(jobs: Sequence[Job]) -> Iterator[tuple[Job, ...]]:
    group: list[Job] = []
    for job in jobs:
        if group and job.get("stonewall"):
            yield tuple(group)
            group = []
        group.append(job)
    yield tuple(group)


def _in_turn(jobs: Sequence[Job], findings: Findings) -> list[tuple[Job, ...]]:
    """Put each job behind the one that it waits for; those in the same place begin together."""
    if not any("wait_for" in job.values for job in jobs):
        return [tuple(jobs)]
    awaited = _awaited(jobs)
    turns = [len(_before(place, awaited)) for place in range(len(jobs))]
    _say_what_runs_on(jobs, awaited, turns, findings)
    return [
        tuple(job for job, own in zip(jobs, turns, strict=True) if own == turn) for turn in sorted(set(turns))
    ]


def _awaited(jobs: Sequence[Job]) -> dict[int, int]:
    """Give the place of the job that each waits for; what is behind a wall has ended already."""
    found: dict[int, int] = {}
    for place, job in enumerate(jobs):
        others = [other for other in range(place) if jobs[other].name == job.get("wait_for")]
        if others:
            found[place] = others[-1]
    return found


def _before(place: int, awaited: Mapping[int, int]) -> list[int]:
    """Give all that has ended when a job begins: what it waits for, what that waits for, …"""
    chain: list[int] = []
    while place in awaited:
        place = awaited[place]
        chain.append(place)
    return chain


def _times(jobs: Sequence[Job], awaited: Mapping[int, int]) -> list[tuple[float, float]]:
    """Give when each job begins and ends in fio, in seconds; without end where that is not known."""
    times: list[tuple[float, float]] = []
    for place, job in enumerate(jobs):
        begins = max(delay_s(job), times[awaited[place]][1] if place in awaited else 0.0)
        span = span_of(job)
        lasts = span.ends_s - span.begins_s if job.get("time_based") else math.inf
        times.append((begins, begins + lasts))
    return times


def _say_what_runs_on(
    jobs: Sequence[Job], awaited: Mapping[int, int], turns: Sequence[int], findings: Findings
) -> None:
    """Say which jobs fio runs beside one that waits, and iodyno before it."""
    times = _times(jobs, awaited)
    for place, waited in awaited.items():
        ended = _before(place, awaited)
        begins = times[place][0]
        others = [
            other
            for other in range(len(jobs))
            if turns[other] < turns[place] and other not in ended and not times[other][1] <= begins < math.inf
        ]
        if others:
            names = [jobs[other].name for other in others]
            surely = begins < math.inf and all(times[other][1] < math.inf for other in others)
            _say(jobs[place], jobs[waited], names, findings, surely=surely)


def _say(job: Job, waited: Job, others: Sequence[str], findings: Findings, *, surely: bool) -> None:
    place, names = job.place_of("wait_for"), ", ".join(f"[{name}]" for name in others)
    what = f"[{job.name}] begins when [{waited.name}] has ended"
    ours = "here it begins when all these have ended"
    if not surely:
        findings.note(place, f"{what}, and in fio what is left of {names} runs beside it: {ours}")
    elif findings.approximate:
        findings.note(place, f"{what}, and in fio {names} beside it: {ours}, on request")
    else:
        hint = (
            f"add stonewall, give {names} no more time than [{waited.name}], or give --approximate to "
            "measure them one after the other"
        )
        findings.refuse(place, f"{what}, and {names} would run on beside it for a while", hint)
