"""Jobs that wait for one of those before them: the others do not."""

from __future__ import annotations

import itertools
import shutil
import subprocess
from pathlib import Path

import pytest

from fio_documents import Make, Refused

HEAD = "[global]\nioengine=null\nsize=1m\nfilename=x\ntime_based\nruntime={}\n"
TIMED = HEAD.format(4)
SIZED = "[global]\nioengine=null\nsize=1m\nfilename=x\n"
CASES = [
    ("[a]\n[b]\nwait_for=a\n[c]\n", ["a, c", "b"]),
    ("[a]\n[b]\nwait_for=a\n[c]\nwait_for=b\n[d]\nwait_for=a\n", ["a", "b, d", "c"]),
    ("[a]\n[b]\nwait_for=a\n[c]\nstonewall\n[d]\nwait_for=a\n", ["a", "b", "c, d"]),
    ("[a]\nnumjobs=2\n[b]\nstonewall\nwait_for=a\n", ["a", "b"]),
]
"""Jobs, and which of them run at once, in turn."""


@pytest.mark.parametrize(("jobs", "groups"), CASES)
def test_a_job_begins_behind_the_one_that_it_waits_for(make: Make, jobs: str, groups: list[str]) -> None:
    assert [job.name for job in make(TIMED + jobs).jobs] == groups


@pytest.mark.skipif(shutil.which("fio") is None, reason="fio is not installed")
@pytest.mark.parametrize(("jobs", "groups"), CASES)
def test_fio_begins_jobs_so(tmp_path: Path, jobs: str, groups: list[str]) -> None:
    """Each job writes down when it begins: what is in another turn, a runtime later."""
    file = tmp_path / "job.fio"
    head = HEAD.format(1) + "exec_prerun=date +%s.%N\n"
    file.write_text(head.replace("filename=x\n", "") + jobs)
    subprocess.run(["fio", file.name], cwd=tmp_path, check=True, capture_output=True, timeout=60)
    begun = [
        [float((tmp_path / f"{name}.prerun.txt").read_text().split()[-1]) for name in group.split(", ")]
        for group in groups
    ]
    if any(max(group) - min(group) > 0.9 for group in begun):
        pytest.skip("the machine takes a second to begin two jobs")
    assert all(min(after) - min(before) > 0.9 for before, after in itertools.pairwise(begun))


def test_what_runs_beside_a_job_that_waits_is_told_where_its_end_is_not_known(make: Make) -> None:
    jobs, _ = CASES[0]
    said = "[b] begins when [a] has ended, and in fio what is left of [c] runs beside it"
    assert any(said in note for note in make(SIZED + jobs).notes)
    assert not any("begins when" in note for note in make(TIMED + jobs).notes)
    assert not any("begins when" in note for note in make(SIZED + "[a]\n[b]\nwait_for=a\n").notes)


def test_what_surely_runs_beside_a_job_that_waits_is_refused(make: Make, refused: Refused) -> None:
    jobs = "[a]\n[b]\nwait_for=a\n[c]\nruntime=9\n"
    said = "[b] begins when [a] has ended, and [c] would run on beside it for a while"
    assert refused(TIMED + jobs) == [f":9: {said}"]
    found = make(TIMED + jobs, approximate=True)
    assert [job.name for job in found.jobs] == ["a, c", "b"]
    assert any("and in fio [c] beside it" in note and "on request" in note for note in found.notes)
    shorter = jobs.replace("runtime=9", "runtime=3")
    assert [job.name for job in make(TIMED + shorter).jobs] == ["a, c", "b"]


def test_where_an_end_is_not_known_nothing_surely_runs_beside(refused: Refused) -> None:
    """Without time_based fio may have read all before its runtime is over."""
    timed = "time_based\nruntime=9\n"
    for jobs in (
        f"[a]\n[b]\nwait_for=a\n[c]\n{timed}",
        f"[a]\n{timed}[b]\nwait_for=a\n[c]\nruntime=20\n",
        f"[a]\n{timed}[b]\nwait_for=a\n[c]\n",
    ):
        # That jobs at once end in two ways is refused, for itself.
        problems = refused(SIZED + jobs + "[d]\nstonewall\nioengine=rados\n")
        assert problems
        assert not any("would run on" in problem for problem in problems)


def test_a_job_that_begins_late_has_nothing_beside_it(make: Make) -> None:
    """[b] may begin at 4 s, and does at 10; [c] has ended then."""
    found = make(f"{TIMED}[a]\n[b]\nwait_for=a\nstartdelay=10\n[c]\nruntime=9\n")
    assert [job.name for job in found.jobs] == ["a, c", "b"]
    assert not any("begins when" in note for note in found.notes)


def test_a_wall_before_the_first_job_is_none(make: Make) -> None:
    assert [job.name for job in make(f"{TIMED}[a]\nstonewall\n[b]\n").jobs] == ["a, b"]


DELAYED = "[a]\n[b]\nwait_for=a\nstartdelay=2\n[d]\nwait_for=a\n"


def test_from_when_a_delay_counts_behind_others_is_told(make: Make) -> None:
    said = "the delay counts from when the jobs before it have ended, and in fio from its own start"
    (found,) = (note for note in make(TIMED + DELAYED).notes if said in note)
    assert found.endswith(f":10: {said}")
    assert not any(said in note for note in make(f"{TIMED}[b]\nstartdelay=2\n[d]\n").notes)


@pytest.mark.skipif(shutil.which("fio") is None, reason="fio is not installed")
def test_fio_counts_delays_from_its_own_start(tmp_path: Path) -> None:
    """[a] takes 1 s, and [b] begins 2 s after it, and not 2 s after its end."""
    head = HEAD.format(1).replace("filename=x\n", "") + "exec_prerun=date +%s.%N\n"
    (tmp_path / "job.fio").write_text(head + DELAYED)
    subprocess.run(["fio", "job.fio"], cwd=tmp_path, check=True, capture_output=True, timeout=60)
    begun = {name: float((tmp_path / f"{name}.prerun.txt").read_text().split()[-1]) for name in "abd"}
    if begun["d"] - begun["a"] > 1.7:
        pytest.skip("the machine takes long to begin a job")
    assert begun["b"] - begun["a"] < 2.7


@pytest.mark.parametrize(
    ("jobs", "said"),
    [
        ("[a]\nwait_for=b\n[b]\n", ":6: wait_for=b: no job above it has that name"),
        ("[a]\n[b]\nwait_for=b\n", ":7: wait_for=b: [b] waits for itself"),
        ("[a]\n[a]\n[b]\nwait_for=a\n", ":8: wait_for=a: 2 jobs above it have that name"),
    ],
)
def test_what_is_waited_for_is_one_job_above(refused: Refused, jobs: str, said: str) -> None:
    """fio ends with "waitee job unknown", "cannot wait for itself" and "multiple waitees"."""
    assert said in refused(SIZED + jobs)
