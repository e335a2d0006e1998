"""Syncs of jobs that read as well: what fio counts before it syncs, and what is said of it."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path

import pytest

from fio_documents import Make

FIO = pytest.mark.skipif(shutil.which("fio") is None, reason="fio is not installed")
SAID = "files are synced after every 4 writes, as by fio from 3.38 on; earlier ones sync after each read"


@FIO
@pytest.mark.parametrize("reads", [20, 50, 80])
def test_early_fio_syncs_after_so_many_accesses_and_later_after_writes(tmp_path: Path, reads: int) -> None:
    command = ["fio", "--name=a", "--ioengine=psync", "--rw=randrw", "--norandommap", "--bs=4k", "--size=1m",
               f"--rwmixread={reads}", "--io_size=8m", "--fsync=4", "--output-format=json"]  # fmt: skip
    done = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path, check=True, timeout=300)
    told = json.loads(done.stdout[done.stdout.index("{") :])
    (found,) = told["jobs"]
    numbers = told["fio version"].partition("-")[2].split("-")[0].split(".")
    writes = found["write"]["total_ios"]
    counted = writes + (found["read"]["total_ios"] if [int(number) for number in numbers] < [3, 38] else 0)
    # A fourth of the writes decides how often it is: some 100 to 400 turns of reads, exponential lengths.
    assert found["sync"]["total_ios"] == pytest.approx(counted / 4, rel=5 / (writes / 4) ** 0.5)


@pytest.mark.parametrize(("rw", "told"), [("rw", True), ("randrw", True), ("write", False), ("read", False)])
@pytest.mark.parametrize("option", ["fsync", "fdatasync"])
def test_syncs_of_mixes_are_told(make: Make, rw: str, told: bool, option: str) -> None:
    found = make(f"[a]\nfilename=x\nsize=1m\nrw={rw}\n{option}=4\n")
    assert told == any(f":5: {SAID}" in note for note in found.notes)
    (profile,) = found.jobs[0].study.profile
    assert (profile.fsync_every + profile.fdatasync_every == 4) == (rw != "read")
