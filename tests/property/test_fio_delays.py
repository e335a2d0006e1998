"""Jobs that begin at any times: what is measured of them is, second by second, what fio counts of all."""

from __future__ import annotations

import tempfile
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from iodyno.errors import ProfileError
from iodyno.fio import Translated, translate

SECONDS = range(60)
Times = tuple[int, int, int]
"""Delay, ramp time and runtime of a job in seconds."""


def runs(times: Times) -> frozenset[int]:
    """Give the seconds in which fio runs a job."""
    delay, ramp, runtime = times
    return frozenset(second for second in SECONDS if delay <= second < delay + ramp + runtime)


def counts(times: Times) -> frozenset[int]:
    """Give the seconds that fio counts of it."""
    delay, ramp, _ = times
    return frozenset(second for second in runs(times) if second >= delay + ramp)


def at_once(jobs: dict[str, Times]) -> list[set[str]]:
    """Group jobs that run at once, also by way of others: no second without one of them lies between."""
    groups: list[set[str]] = []
    for second in SECONDS:
        running = {name for name, times in jobs.items() if second in runs(times)}
        before = {name for name, times in jobs.items() if second - 1 in runs(times)}
        if running & before:
            groups[-1] |= running
        elif running:
            groups.append(running)
    return groups


def translated(jobs: dict[str, Times]) -> Translated:
    """Translate jobs that ask for different blocks, so that each is a load of its own."""
    lines = ["[global]", "time_based", "size=1m"]
    for place, (name, (delay, ramp, runtime)) in enumerate(jobs.items()):
        lines += [f"[{name}]", f"filename={name}", f"bs={4 * place + 4}k", f"startdelay={delay}"]
        lines += [f"ramp_time={ramp}", f"runtime={runtime}"]
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "x.fio"
        file.write_text("\n".join(lines))
        return translate(file, environment={})


@given(st.lists(st.tuples(st.integers(0, 20), st.integers(0, 4), st.integers(1, 15)), min_size=2, max_size=4))
@settings(max_examples=300, deadline=None)
def test_what_is_measured_is_what_fio_counts_of_all(times: list[Times]) -> None:
    jobs = dict(zip("abcd", times, strict=False))
    groups = at_once(jobs)
    common = [frozenset.intersection(*(counts(jobs[name]) for name in group)) for group in groups]
    try:
        found = translated(jobs).jobs
    except ProfileError as error:
        refused = [
            problem.what for problem in error.problems if "no time in which both count" in problem.what
        ]
    else:
        refused = []
    assert len(refused) == sum(not seconds for seconds in common)
    if refused:
        return
    assert [{profile.title for profile in job.study.profile} for job in found] == groups
    for job, group, seconds in zip(found, groups, common, strict=True):
        (sweep,), measurement = job.study.sweep, job.study.measurement
        first = min(jobs[name][0] for name in group)
        begins = (sweep.begins_after_s, *(load.begins_after_s for load in sweep.beside))
        told = [profile.title for profile in job.study.profile]
        assert dict(zip(told, begins, strict=True)) == {name: jobs[name][0] - first for name in group}
        from_s = first + max(begins) + measurement.warmup_s
        assert measurement.warmup_s >= 0
        assert (
            frozenset(second for second in SECONDS if from_s <= second < from_s + measurement.cap_s)
            == seconds
        )
        assert measurement.floor_s == measurement.cap_s
