"""Memory of whole studies: peak of the process, as the kernel counts it, beside one that measures nothing."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

MIB = 1024
"""In KiB, as ``ru_maxrss`` has it."""
ASK = """
import resource, subprocess, sys
subprocess.run(sys.argv[1:], check=True, stdout=subprocess.DEVNULL)
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
"""
IODYNO = (sys.executable, "-m", "iodyno")
SHORT = ("--warmup", "0s", "--floor", "0.3s", "--cap", "0.3s", "-q")


def peak(*command: object) -> int:
    """Run a command, and give its greatest resident set in KiB."""
    told = subprocess.run(
        [sys.executable, "-c", ASK, *map(str, command)],
        check=True,
        capture_output=True,
        text=True,
        timeout=300,
    )
    return int(told.stdout)


@pytest.fixture
def measure(tmp_path: Path) -> Callable[..., int]:
    def of(targets: list[Path], *options: str) -> int:
        return peak(*IODYNO, "measure", *targets, "--store", tmp_path / "runs.db", *options)

    return of


def test_a_whole_study_stays_below_150_mb(measure: Callable[..., int], tmp_path: Path) -> None:
    nothing = peak(*IODYNO, "plan", "quick")
    whole = measure([tmp_path], "--study", "quick", "--size", "16M", *SHORT)
    assert nothing < whole < 150 * MIB


def test_many_targets_take_little_more_than_one(measure: Callable[..., int], tmp_path: Path) -> None:
    what = ("--study", "quick", "--profile", "database", "--outstanding", "2", "--size", "1M", *SHORT[:2])
    options = (*what, "--floor", "3s", "--cap", "3s", "-q")
    one = measure([tmp_path / "single"], *options)
    many = measure([tmp_path / f"file-{number}" for number in range(64)], *options)
    # 128 blocks of 8 kB outstanding are 1 MB, twice that with the data to write; a reading of each target.
    assert many - one < 6 * MIB
    assert many < 150 * MIB
