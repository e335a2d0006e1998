"""What fio measured with a job file stands beside what iodyno makes of the same job file."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from command_line import CommandLine
from fio_documents import job, job_file, result

JOBS = """
    [global]
    ioengine=libaio
    direct=1
    size=1g
    bs=4k
    iodepth=8
    [random]
    filename=a
    rw=randread
    [{second}]
    stonewall
    filename=b
    rw={rw}
    """


@pytest.fixture
def compared(iodyno_says: CommandLine, tmp_path: Path):  # type: ignore[no-untyped-def]
    """Give a function that compares a simulation of jobs with fio's result of two: randread, and read."""

    def compare(second: str = "in-order", rw: str = "read"):  # type: ignore[no-untyped-def]
        file = job_file(tmp_path, JOBS.format(second=second, rw=rw))
        said = iodyno_says("simulate", file, "--on", "p3700", "--floor-ios", "2000", "--cap-ios", "2000")
        assert said.code == 0, said.err
        options = job()["job options"]
        told = [job("random"), job("in-order", **{"job options": {**options, "rw": "read"}})]
        found = tmp_path / "r.json"
        found.write_text(json.dumps(result(*told)))
        assert iodyno_says("import", found).code == 0
        return iodyno_says("compare", "latest~1", "latest")

    return compare


def test_jobs_are_compared_with_the_results_of_fio(compared) -> None:  # type: ignore[no-untyped-def]
    said = compared()
    assert (said.code, said.err) == (0, "")
    assert "only in" not in said.out
    assert "2 unknown" in said.out  # imports have no intervals


def test_other_names_of_jobs_are_the_same_loads(compared) -> None:  # type: ignore[no-untyped-def]
    said = compared(second="walk")
    assert "only in" not in said.out


def test_what_differs_in_its_accesses_is_no_counterpart(compared) -> None:  # type: ignore[no-untyped-def]
    said = compared(rw="randwrite")
    assert said.code == 0
    assert said.out.count("only in") == 2
    assert "1 unknown" in said.out


def test_a_run_is_compared_with_its_own_export(iodyno_says: CommandLine, tmp_path: Path) -> None:
    """Database is aligned to 4 kB and goes anywhere; what fio would call so, to each block of 8 kB once."""
    loads = ("--outstanding", "1,4", "--floor-ios", "2000", "--cap-ios", "2000")
    assert iodyno_says("simulate", "quick", "--on", "p3700", "--profile", "database", *loads).code == 0
    assert iodyno_says("export", "--format", "fio-json", "-o", tmp_path / "out.json").code == 0
    assert iodyno_says("import", tmp_path / "out.json").code == 0
    said = iodyno_says("compare", "latest~1", "latest")
    assert (said.code, said.err) == (0, "")
    assert "only in" not in said.out
    assert "2 unknown" in said.out
