"""Jobs of fio that run at once, and what becomes of them."""

from __future__ import annotations

from pathlib import Path

import pytest

from fio_documents import Make, Refused
from iodyno.fio.planning import plan_jobs, supposed
from iodyno.study import Overrides

ALONE = "[c]\nstonewall\nfilename=z\nsize=1m\n"


def test_jobs_at_once_on_files_of_their_own_are_one_load_with_workers_for_each(make: Make) -> None:
    shared = "[global]\nsize=1m\nioengine=libaio\niodepth=8\nnrfiles=2\nnumjobs=3\nrate_iops=50\n"
    both, alone = make(shared + "[a]\nfilename=x:y\n[b]\nfilename=v:w\n" + ALONE).jobs
    study = both.study
    (sweep,), measurement = study.sweep, study.measurement
    assert (both.paths, both.file_bytes) == (("x", "y", "v", "w"), 512 << 10)
    assert (sweep.outstanding, sweep.workers, measurement.targets_per_worker) == ((4,), (3,), 2)
    assert sweep.rate_io_s == (2 * 3 * 50.0,)
    assert (both.name, study.title, study.profile[0].title) == ("a, b", "job: a, b", "a, b")
    assert (alone.name, alone.study.measurement.targets_per_worker) == ("c", None)


def test_jobs_at_once_without_a_file_have_files_of_their_names(make: Make, tmp_path: Path) -> None:
    text = "[global]\nsize=1m\ndirectory=/data\n[a]\n[b]\n"
    (job,) = make(text).jobs
    assert job.paths == ("/data/a.0", "/data/b.0")
    (job,) = make(text, targets=[str(tmp_path)]).jobs
    assert job.paths == (f"{tmp_path}/a.0", f"{tmp_path}/b.0")


def test_jobs_at_once_on_the_same_file_are_clones(make: Make) -> None:
    (job,) = make("[global]\nsize=1m\nfilename=x\nnumjobs=2\n[a]\n[b]\n[c]\n").jobs
    assert (job.paths, job.study.sweep[0].workers) == (("x",), (6,))
    assert (job.study.measurement.workers_area, job.study.measurement.targets_per_worker) == ("shared", None)


def test_jobs_at_once_on_parts_of_a_file_that_follow_each_other_have_areas_of_their_own(make: Make) -> None:
    text = "[global]\nsize={0}\nfilename=x\n[a]\noffset={1}\n[b]\noffset={2}\n"
    (job,) = make(text.format("1m", "1m", "2m")).jobs
    assert (job.paths, job.study.sweep[0].workers, job.file_bytes) == (("x",), (2,), 3 << 20)
    assert job.study.measurement.workers_area == "own"
    area = job.study.profile[0].area
    assert (area.start, area.length) == (1 << 20, 2 << 20)
    (job,) = make(text.format("30%", "10%", "40%")).jobs
    area = job.study.profile[0].area
    assert area.start == 0.1
    assert area.length == pytest.approx(0.6)


def test_jobs_at_once_that_ask_different_things_are_loads_of_one_point(make: Make) -> None:
    text = """\
        [global]
        size=1m
        ioengine=libaio
        [a]
        filename=x
        rw=randread
        iodepth=8
        [b]
        filename=y:x
        rw=write
        bs=64k
        iodepth=4
        rate_iops=100
        [c]
        size=2m
        numjobs=2
        offset_increment=2m
        filename=x
        """
    (job,) = make(text).jobs
    (sweep,) = job.study.sweep
    assert (job.name, job.paths, job.file_bytes) == ("a, b, c", ("x", "y"), 4 << 20)
    assert [profile.title for profile in job.study.profile] == ["a", "b", "c"]
    assert (sweep.profiles, sweep.targets, sweep.outstanding, sweep.workers) == (("a",), (1,), (8,), (1,))
    b, c = sweep.beside
    assert (b.profile, b.targets, b.outstanding, b.workers, b.rate_io_s) == ("b", (2, 1), 2, 1, 100.0)
    assert (c.profile, c.targets, c.outstanding, c.workers, c.workers_area) == ("c", (1,), 1, 2, "own")
    assert job.altered == {"x", "y"}
    assert (job.bytes_of("x"), job.bytes_of("y")) == (4 << 20, 512 << 10)
    planned = plan_jobs(make(text), Overrides(), supposed)
    assert {Path(of.path).name: of.size_bytes for of in planned.targets} == {"x": 4 << 20, "y": 512 << 10}
    readers = make("[global]\nsize=1m\n[a]\nfilename=x\n[b]\nfilename=y\nrw=write\n").jobs[0]
    assert readers.altered == {"y"}


def test_jobs_at_once_whose_files_overlap_in_part_are_loads_of_one_point(make: Make) -> None:
    for text in (
        "[a]\nfilename=x\n[b]\nfilename=y\nsize=2m\n",
        "iodepth=2\n[a]\nfilename=x:y\n[b]\nfilename=y:z\n",
        "[a]\nfilename=x\noffset=4k\n[b]\nfilename=x\n",
    ):
        (job,) = make(f"[global]\nsize=1m\nioengine=libaio\n{text}").jobs
        assert len(job.study.sweep[0].beside) == 1


def test_jobs_at_once_that_are_measured_otherwise_are_refused_or_measured_one_after_the_other(
    make: Make, refused: Refused
) -> None:
    def why(options: str) -> str:
        jobs = f"[a]\nfilename=x\n[b]\nfilename=y\nrw=write\n{options}"
        (said,) = refused(f"[global]\nsize=1m\nioengine=libaio\nruntime=4\n{jobs}")
        return said.partition(" at once with [a] and ")[2]

    of_one = "one point is measured in one way"
    assert why("direct=1\nioengine=io_uring\n") == f"differs in ioengine, direct: {of_one}"
    assert why("runtime=9\n") == f"differs in runtime: {of_one}"
    assert why("sync=dsync\ncpus_allowed=0\n") == f"differs in sync, cpus_allowed: {of_one}"
    text = "[a]\nfilename=x\nsize=1m\n[b]\nfilename=x\nsize=1m\ndirect=1\n" + ALONE
    found = make(text, approximate=True)
    assert [job.name for job in found.jobs] == ["a", "b", "c"]
    assert any("on request" in note for note in found.notes)


def test_jobs_at_once_end_together_and_that_is_said(make: Make) -> None:
    notes = make("[global]\nsize=1m\n[a]\nfilename=x\n[b]\nfilename=y\n").notes
    assert any("[a], [b] run at once" in note and "end together" in note for note in notes)


def test_one_of_several_jobs_can_be_picked(make: Make) -> None:
    text = "[global]\nsize=1m\n[a]\nfilename=x\n[b]\nfilename=y\n[c]\nfilename=z\n"
    (job,) = make(text, only=["a", "c"]).jobs
    assert job.paths == ("x", "z")
    (job,) = make(text, only=["a, b, c"]).jobs
    assert job.paths == ("x", "y", "z")
    (job,) = make(text, only=["b"]).jobs
    assert (job.name, job.paths, job.study.measurement.targets_per_worker) == ("b", ("y",), None)


def test_jobs_at_once_on_several_files_have_virtual_volumes_of_their_own(make: Make) -> None:
    text = "[global]\nsize=1m\n[a]\nfilename={}\n[b]\nfilename=y\n"
    (sweep,) = make(text.format("x"), real=False).study.sweep
    assert (sweep.targets, [load.targets for load in sweep.beside]) == ((1,), [(2,)])
    assert make(text.format("y"), real=False).study.sweep[0].workers == (2,)
