"""Options that say one thing in two ways: the one that is set last counts, as in fio."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path

import pytest

from fio_documents import Make, Read, job, result

MIXES = [
    ("rwmixwrite=30\nrwmixread=70", "rwmixwrite=50", 50),
    ("rwmixread=70\nrwmixwrite=60", "rwmixread=10", 10),
    ("rwmixread=10", "rwmixwrite=60", 40),
    ("", "rwmixread=10\nrwmixwrite=60", 40),
    ("", "rwmixread=10\nrwmixwrite=60\nrwmixread=20", 20),
]
"""What ``[global]`` says, what the job says, and the share of reads in percent."""


@pytest.mark.parametrize(("shared", "own", "reads"), MIXES)
def test_the_share_that_is_set_last_counts(make: Make, shared: str, own: str, reads: int) -> None:
    (found,) = make(f"[global]\nrw=randrw\nfilename=x\nsize=1m\n{shared}\n[a]\n{own}\n").jobs
    assert found.study.profile[0].read_share == pytest.approx(reads / 100)


@pytest.mark.skipif(shutil.which("fio") is None, reason="fio is not installed")
@pytest.mark.parametrize(("shared", "own", "reads"), MIXES)
def test_fio_counts_the_share_that_is_set_last(tmp_path: Path, shared: str, own: str, reads: int) -> None:
    file = tmp_path / "job.fio"
    file.write_text(f"[global]\nioengine=null\nrw=randrw\nsize=64m\n{shared}\n[a]\n{own}\n")
    command = ["fio", "--output-format=json", file.name]
    said = subprocess.run(command, cwd=tmp_path, check=True, capture_output=True, text=True, timeout=60)
    (told,) = json.loads(said.stdout[said.stdout.index("{") :])["jobs"]
    done = {name: told[name]["total_ios"] for name in ("read", "write")}
    # 16384 I/Os: the share that is drawn is within 2 points, above five standard deviations.
    assert done["read"] / sum(done.values()) * 100 == pytest.approx(reads, abs=2)


def test_a_result_with_both_shares_is_read(read: Read) -> None:
    """fio repeats the options of ``[global]`` apart: a job's own come after them."""
    shared = {"rw": "randrw", "rwmixread": "70", "bs": "4k"}
    found = read(result(job(**{"job options": {"rwmixwrite": "50"}}), **{"global options": shared}))
    assert found.results[0].point.profile.read_share == 0.5
    found = read(result(job(**{"job options": {"rw": "randrw", "rwmixwrite": "90", "rwmixread": "20"}})))
    assert found.results[0].point.profile.read_share == 0.2


@pytest.mark.parametrize(
    ("shared", "own", "direct"),
    [("direct=1", "buffered=1", False), ("buffered=1", "direct=1", True), ("", "direct=1\nbuffered=1", False),
     ("", "buffered=1\ndirect=0", False), ("direct=0", "buffered=0", True), ("", "", False)],
)  # fmt: skip
def test_direct_and_buffered_are_one_switch(make: Make, shared: str, own: str, direct: bool) -> None:
    (found,) = make(f"[global]\nfilename=x\nsize=1m\n{shared}\n[a]\n{own}\n").jobs
    assert found.study.measurement.direct is direct


def test_a_result_of_a_buffered_job_below_direct_ones_is_buffered(read: Read) -> None:
    options = {"rw": "randread", "bs": "4k", "buffered": "1"}
    found = read(result(job(**{"job options": options}), **{"global options": {"direct": "1"}}))
    assert found.results[0].point.direct is False
