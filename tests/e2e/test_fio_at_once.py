"""Jobs that run at once: what each target gets is what each job of fio does."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from e2e.job_runs import FIO, jobs_by_fio, point_by_iodyno

pytestmark = pytest.mark.skipif(FIO is None, reason="fio is not installed")
SECONDS = 2
TRIES = 5
"""A thread may get no processor, or a disk stand still, for a quarter of such a time; not each time."""

OWN_FILES = """\
[global]
size=8m
bs=4k
rw=randread
direct=0
time_based
runtime={seconds}
ioengine=psync
rate_iops=200
directory={folder}
[a]
filename=first
[b]
filename=second
[c]
filename=third
"""
SAME_FILE = OWN_FILES.replace("=first", "=one").replace("=second", "=one").replace("=third", "=one")

DIFFERENT = """\
[global]
size=8m
direct=0
time_based
runtime={seconds}
ioengine=psync
directory={folder}
[a]
filename=first
rw=randread
bs=4k
rate_iops=300
[b]
filename=second
rw=write
bs=16k
rate_iops=100
numjobs=2
[c]
filename=third
rw=randrw
bs=8k
rate_iops=150,50
"""
LATER = DIFFERENT.replace("[b]\n", "[b]\nstartdelay=1\n")
"""Each job of fio counts a runtime of its own, and iodyno a second less, when all run: rates are the same."""


def by_fio(job: Path) -> Counter[str]:
    """Give the reads and writes a second of each file, as fio counts them."""
    found: Counter[str] = Counter()
    for part in jobs_by_fio(job):
        for of in ("read", "write"):
            found[f"{part['job options']['filename']} {of}s"] += part[of]["iops"]
    return found


def by_iodyno(job: Path, store: Path) -> tuple[Counter[str], int, float]:
    """Give the reads and writes a second of each target, the number of workers, and how long it took in s."""
    result = point_by_iodyno(job, store)
    found: Counter[str] = Counter()
    for target, part in zip(result["point"]["targets"], result["reading"]["per_target"], strict=True):
        for of in ("reads", "writes"):
            found[f"{Path(target['path']).name} {of}"] += part[of] / result["reading"]["measured_s"]
    reading = result["reading"]
    return found, len(reading["workers"]), reading["warmup_s"] + reading["measured_s"]


@pytest.mark.parametrize(
    ("text", "jobs", "seconds"),
    [(OWN_FILES, 3, SECONDS), (SAME_FILE, 3, SECONDS), (DIFFERENT, 4, SECONDS), (LATER, 4, SECONDS + 2)],
    ids=["own files", "same file", "different jobs", "one begins later"],
)
def test_each_target_gets_what_its_jobs_of_fio_do(tmp_path: Path, text: str, jobs: int, seconds: int) -> None:
    job = tmp_path / "job.fio"
    job.write_text(text.format(seconds=seconds, folder=tmp_path))
    for _ in range(TRIES):
        theirs = by_fio(job)
        for file in tmp_path.glob("[fost]*"):
            file.unlink()
        ours, workers, took_s = by_iodyno(job, tmp_path / "runs.db")
        assert workers == jobs
        assert took_s == pytest.approx(seconds)
        assert ours.keys() == theirs.keys()
        if alike(ours, theirs):
            break
    else:
        pytest.fail(f"{ours} is not {theirs}")


def alike(ours: Counter[str], theirs: Counter[str]) -> bool:
    """Tell whether rates and their shares are within a quarter: a job too many is a third."""
    all_ours, all_theirs = sum(ours.values()), sum(theirs.values())
    if not all_ours or not all_theirs:
        return False
    close = [
        ours[name] / all_ours == pytest.approx(rate / all_theirs, rel=0.25) for name, rate in theirs.items()
    ]
    return all(close) and all_ours == pytest.approx(all_theirs, rel=0.25)
