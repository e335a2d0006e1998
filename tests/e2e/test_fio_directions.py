"""A mix whose reads and writes differ in size: what fio does with a job file, and what is measured here."""

from __future__ import annotations

import math
from pathlib import Path

import pytest

from e2e.job_runs import FIO, jobs_by_fio, point_by_iodyno

pytestmark = pytest.mark.skipif(FIO is None, reason="fio is not installed")
# With its map of blocks fio strays from rwmixread where sizes differ: 64.8 % reads of such a file.
MIXES = {
    "one size each": "bs=4k,64k\nnorandommap",
    "sizes by share": "bssplit=4k/60:16k/40,32k/25:64k/75\nnorandommap",
    "a range each": "bsrange=4k-8k,32k-64k\nnorandommap",
}
JOB = """\
[a]
filename={folder}/file
size=32m
rw={rw}
rwmixread=67
{sizes}
ioengine=libaio
iodepth=4
time_based
runtime=2
"""
READ, WRITTEN = "read", "write"


def by_fio(job: Path) -> dict[str, tuple[int, float]]:
    """Give the I/Os and the mean bytes of each direction, as fio counts them."""
    (part,) = jobs_by_fio(job)
    return {
        name: (part[name]["total_ios"], part[name]["io_bytes"] / part[name]["total_ios"])
        for name in (READ, WRITTEN)
    }


def by_iodyno(job: Path, store: Path) -> dict[str, tuple[int, float]]:
    """Give the same of a run."""
    result = point_by_iodyno(job, store)
    assert not [cause for cause in result["verdict"]["causes"] if cause["code"].startswith("law")]
    reading = result["reading"]
    halves = {name: reading[key] for name, key in ((READ, "reads"), (WRITTEN, "writes"))}
    return {name: (half["completed"], half["bytes"] / half["completed"]) for name, half in halves.items()}


@pytest.mark.parametrize("rw", ["randrw", "rw"])
@pytest.mark.parametrize("sizes", MIXES.values(), ids=MIXES)
def test_shares_and_sizes_of_both_directions_are_those_of_fio(tmp_path: Path, rw: str, sizes: str) -> None:
    job = tmp_path / "job.fio"
    job.write_text(JOB.format(folder=tmp_path, sizes=sizes, rw=rw))
    theirs = by_fio(job)
    (tmp_path / "file").unlink()
    ours = by_iodyno(job, tmp_path / "runs.db")
    for found in (theirs, ours):
        whole = found[READ][0] + found[WRITTEN][0]
        # Five standard deviations of a binomial share of the I/Os, whatever their sizes; those under way.
        assert found[READ][0] == pytest.approx(0.67 * whole, abs=5 * math.sqrt(0.67 * 0.33 * whole) + 8)
    for name in (READ, WRITTEN):
        # Sizes differ by a factor of two at most about their mean, so that a draw's deviation is below it.
        least = min(ours[name][0], theirs[name][0])
        assert ours[name][1] == pytest.approx(theirs[name][1], rel=5 * math.sqrt(2 / least))
    if sizes == MIXES["one size each"]:
        assert [found[name][1] for found in (theirs, ours) for name in (READ, WRITTEN)] == [4096, 65536] * 2
