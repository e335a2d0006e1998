"""Where random accesses go: fio's own log of them against what a job file becomes here."""

from __future__ import annotations

import math
import shutil
import subprocess
from collections import Counter
from pathlib import Path

import pytest

from iodyno import bench
from iodyno.fio import translate
from iodyno.plan import PlannedTarget, Point, Stopping
from iodyno.profiles import LoadProfile

FIO = shutil.which("fio")
pytestmark = pytest.mark.skipif(FIO is None, reason="fio is not installed")
BLOCK, BLOCKS, DRAWS = 4096, 2048, 60_000
JOB = """\
[a]
filename=x
ioengine=null
size={size}
io_size={io_size}
rw=randread
bs=4k
random_distribution={distribution}
"""


def by_fio(folder: Path, distribution: str) -> Counter[int]:
    """Count how often fio accesses each block."""
    assert FIO
    text = JOB.format(size=BLOCK * BLOCKS, io_size=BLOCK * DRAWS, distribution=distribution)
    (folder / "job.fio").write_text(text + "write_iolog=log\n")
    subprocess.run([FIO, "job.fio"], cwd=folder, check=True, capture_output=True, timeout=300)
    lines = (line.split() for line in (folder / "log").read_text().splitlines())
    return Counter(int(words[-2]) // BLOCK for words in lines if "read" in words)


def by_iodyno(folder: Path, distribution: str) -> Counter[int]:
    """Count how often a point of the same job accesses each block."""
    (folder / "job.fio").write_text(JOB.format(size=BLOCK * BLOCKS, io_size="1m", distribution=distribution))
    (job,) = translate(folder / "job.fio", environment={}).jobs
    (profile,) = job.study.profile
    return Counter(offset // BLOCK for _, offset, _ in bench.accesses(_point(profile), count=DRAWS))


def _point(profile: LoadProfile) -> Point:
    target = PlannedTarget(
        path="/x", kind="file", size_bytes=BLOCK * BLOCKS, area_length_bytes=BLOCK * BLOCKS
    )
    return Point(
        index=0, sweep="a", profile=profile, targets=(target,), outstanding=1, workers=1, engine="null",
        stopping=Stopping(warmup_s=0, floor_s=1, cap_s=1, precision=0.02, confidence=0.95), seed=7,
    )  # fmt: skip


def test_zones_in_bytes_get_the_accesses_that_fio_gives_them(tmp_path: Path) -> None:
    text = f"zoned_abs:60/{BLOCK * 100}:30/{BLOCK * 500}:10/{BLOCK * 1000}"
    for counts in (by_fio(tmp_path, text), by_iodyno(tmp_path, text)):
        whole = sum(counts.values())
        assert whole == DRAWS
        for (start, end), share in {
            (0, 100): 0.6,
            (100, 600): 0.3,
            (600, 1600): 0.1,
            (1600, 2000): 0,
        }.items():
            found = sum(count for block, count in counts.items() if start <= block < end) / whole
            # Five standard deviations of a binomial share.
            assert found == pytest.approx(share, abs=5 * math.sqrt(0.25 / DRAWS))


def concentration(counts: Counter[int]) -> float:
    """Give the probability that two accesses meet, times the number of blocks: 1 where they are even."""
    whole = sum(counts.values())
    return BLOCKS * sum(count * (count - 1) for count in counts.values()) / (whole * (whole - 1))


@pytest.mark.parametrize("percent", [0, 10, 30])
def test_a_normal_law_is_as_concentrated_as_that_of_fio(tmp_path: Path, percent: int) -> None:
    """Two draws of a normal law of deviation σ meet with probability 1 / (2 σ √π).

    The number of blocks is a power of two: fio hashes ranks to blocks, and on other numbers several can
    meet on one block. Its law is a little flatter than a normal one of its deviation.
    """
    deviation = math.sqrt(1 / 144 + (percent / 100) ** 2 / 12)
    meets = 1 / (2 * deviation * math.sqrt(math.pi))
    for counts in (by_iodyno(tmp_path, f"normal:{percent}"), by_fio(tmp_path, f"normal:{percent}")):
        assert concentration(counts) == pytest.approx(meets, rel=0.05)
