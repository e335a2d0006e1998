"""Jobs of fio that begin later than others (startdelay): what runs at once, and which time of each counts."""

from __future__ import annotations

import json
import shutil
import subprocess
import time
from pathlib import Path

import pytest

from fio_documents import Make, Refused, job_file
from iodyno.fio import Translated
from iodyno.fio.planning import plan_jobs, supposed
from iodyno.study import Overrides

TIMED = "[global]\nsize=1m\nioengine=libaio\ntime_based\nruntime=10\nramp_time=2\n"
A, B = "[a]\nfilename=x\n", "[b]\nfilename=y\n"


def begins(found: Translated, job: int = 0) -> tuple[float, ...]:
    """Give when each load of a group begins."""
    (sweep,) = found.jobs[job].study.sweep
    return (sweep.begins_after_s, *(load.begins_after_s for load in sweep.beside))


def times(found: Translated, job: int = 0) -> tuple[float, float, float]:
    """Give warm-up, least and most measured seconds of a group."""
    measured = found.jobs[job].study.measurement
    return measured.warmup_s, measured.floor_s, measured.cap_s


def test_a_job_that_begins_later_is_a_load_that_begins_later(make: Make) -> None:
    """fio counts 2 to 12 s of [a] and 6 to 16 s of [b]: 6 to 12 s of both."""
    found = make(TIMED + A + B + "startdelay=4\n")
    assert begins(found) == (0, 4)
    assert times(found) == (2, 6, 6)
    (point,) = plan_jobs(found, Overrides(), supposed).plan.points
    assert [load.begins_after_s for load in point.loads] == [0, 4]
    assert point.longest_s == 12
    assert found.notes[-1].endswith(
        ":11: [b] begins 4 s after the first; what counts is the time in which all run: "
        "of the runtime of [a] 4 to 10 s, of [b] 0 to 6 s"
    )


def test_the_first_job_of_a_file_can_be_the_late_one(make: Make) -> None:
    found = make(TIMED + A + "startdelay=1500ms\nrw=randread\n" + B)
    assert begins(found) == (1.5, 0)
    assert times(found) == (2, 8.5, 8.5)


def test_a_delay_that_all_jobs_have_is_left_out_and_that_is_said(make: Make) -> None:
    for text, expected in ((A + "startdelay=5\n" + B + "startdelay=1m\n", (0, 55)), (A + B, (0, 0))):
        found = make("[global]\nsize=1m\nstartdelay=5\n" + text + "rw=write\n")
        assert begins(found) == expected
        assert any("nothing runs in the first 5 s" in note for note in found.notes)


def test_clones_of_a_job_begin_together_and_jobs_that_only_begin_apart_are_loads_of_their_own(
    make: Make,
) -> None:
    found = make(TIMED + "filename=x\n[a]\nnumjobs=3\n[b]\nnumjobs=3\nstartdelay=1\n")
    (sweep,) = found.jobs[0].study.sweep
    assert (sweep.workers, [load.workers for load in sweep.beside]) == ((3,), [3])
    assert begins(found) == (0, 1)
    together = make(TIMED + "filename=x\n[a]\nstartdelay=1\n[b]\nstartdelay=1\n").jobs[0].study.sweep[0]
    assert (together.workers, together.beside, together.begins_after_s) == ((2,), (), 0)


def test_jobs_with_times_of_their_own_are_measured_while_all_run(make: Make) -> None:
    """[a] counts 2 to 32 s, [b] 10 + 1 to 26 s."""
    found = make(TIMED + A + "runtime=30\n" + B + "startdelay=10\nramp_time=1\nruntime=15\n")
    assert (begins(found), times(found)) == ((0, 10), (1, 15, 15))
    assert found.notes[-1].endswith("of the runtime of [a] 9 to 24 s, of [b] 0 to 15 s")
    found = make(TIMED + A + "runtime=30\n" + B)
    assert (begins(found), times(found)) == ((0,), (2, 10, 10))
    assert found.notes[-1].endswith("of the runtime of [a] 0 to 10 s, of [b] 0 to 10 s")


def test_jobs_without_a_fixed_time_are_measured_for_the_time_that_is_left_at_most(make: Make) -> None:
    text = "[global]\nsize=1m\n" + A + B + "rw=write\nstartdelay=4\n"
    found = make(text)
    assert (begins(found), times(found)) == ((0, 4), (2, 5, 60))
    assert found.notes[-1].endswith(
        "[b] begins 4 s after the first; what counts is the time in which all run"
    )
    limited = make("[global]\nruntime=7\n" + text)
    assert (begins(limited), times(limited)) == ((0, 4), (2, 3, 3))


def test_jobs_that_are_over_before_others_begin_are_measured_one_after_the_other(make: Make) -> None:
    text = (
        TIMED + A + B + "rw=write\n[c]\nfilename=z\nstartdelay=20\n[d]\nfilename=x\nrw=write\nstartdelay=12\n"
    )
    found = make(text)
    assert [job.name for job in found.jobs] == ["a, b", "c, d"]
    assert (begins(found, 1), times(found, 1)) == ((8, 0), (2, 2, 2))
    (said,) = (note for note in found.notes if "without a pause" in note)
    assert said.endswith(
        ":18: [d] begins after 12 s, and [a], [b] ended after 12 s at the latest: "
        "they are measured one after the other, without a pause"
    )
    assert [job.name for job in make(text, only=["c, d"]).jobs] == ["c, d"]
    assert [job.name for job in make(text, only=["b"]).jobs] == ["b"]
    alone = make(TIMED + A + B + "startdelay=12\n")
    assert [(job.name, job.study.sweep[0].begins_after_s) for job in alone.jobs] == [("a", 0), ("b", 0)]
    files = make(TIMED + "[a]\n[b]\nstartdelay=12\n")
    assert [job.paths for job in files.jobs] == [("a.0",), ("b.0",)]


def test_jobs_that_overlap_without_a_time_in_which_both_count_are_refused(
    make: Make, refused: Refused
) -> None:
    """[b] counts from 12 s on, and [a] ends after 12 s; it begins a second before."""
    text = TIMED + A + B + "startdelay={}\n"
    (said,) = refused(text.format(11))
    assert said.startswith(":11: [b] counts from 13 s on, and [a], which would run at once, ends after 12 s")
    assert "no time in which both count" in refused(text.format(10))[0]
    assert times(make(text.format(9))) == (2, 1, 1)
    assert [job.name for job in make(text.format(11), approximate=True).jobs] == ["a", "b"]


def test_a_delay_that_fio_draws_is_refused_or_its_middle_taken(make: Make, refused: Refused) -> None:
    text = TIMED + A + B + "startdelay={}\n"
    (said,) = refused(text.format("2-4"))
    assert said.startswith(":11: startdelay=2-4: fio draws a delay for each clone")
    assert begins(make(text.format("2-4"), approximate=True)) == (0, 3)
    assert begins(make(text.format("3s-3"))) == (0, 3)
    for value in ("x", "25h", "1.5"):
        (said,) = refused(text.format(value))
        assert said.startswith(":11: startdelay: ")
    for value in ("2-", "-2"):
        (said,) = refused(text.format(value))
        assert said == f":11: startdelay: '{value}' is neither a time nor a range of two: 5 or 5-10"


def test_a_delay_of_a_job_that_runs_alone_is_left_out(make: Make) -> None:
    found = make(TIMED + A + B + "stonewall\nstartdelay=2-4\n")
    assert [begins(found, job) for job in range(2)] == [(0,), (0,)]
    assert any(":12: the delay is left out" in note for note in found.notes)


def test_other_differences_are_refused_by_their_names(refused: Refused) -> None:
    (said,) = refused(TIMED + A + B + "startdelay=2\nruntime=9\ndirect=1\n")
    assert "differs in direct: one point" in said
    (said,) = refused("[global]\nsize=1m\nruntime=4\n" + A + B + "startdelay=2\nruntime=9\n")
    assert "differs in runtime: one point" in said


@pytest.mark.skipif(shutil.which("fio") is None, reason="fio is not installed")
def test_fio_counts_ramp_time_and_runtime_of_each_job_from_its_own_start(tmp_path: Path) -> None:
    """What the common time is made from: each job has its whole runtime, and the last ends so much later."""
    text = (
        "[global]\nioengine=null\nsize=1g\ntime_based\nruntime=2\nramp_time=1\nrate_iops=500\n"
        "[a]\n[b]\nstartdelay=1\n"
    )
    began = time.monotonic()
    command = ["fio", "--output-format=json", str(job_file(tmp_path, text))]
    printed = subprocess.run(command, capture_output=True, text=True, check=True, timeout=60, cwd=tmp_path)
    took_s = time.monotonic() - began
    jobs = json.loads(printed.stdout[printed.stdout.index("{") :])["jobs"]
    # A job that began late and ended with the other would have half of it; a slow machine gives no less.
    assert all(job["read"]["runtime"] / 1000 > 1.9 for job in jobs)
    assert took_s >= 1 + 1 + 2
