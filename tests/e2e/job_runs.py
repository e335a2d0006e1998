"""Running a job file by fio and by iodyno, for the tests that compare them."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

FIO = shutil.which("fio")


def jobs_by_fio(job: Path) -> list[dict[str, Any]]:
    """Give what fio says of each job."""
    assert FIO
    printed = subprocess.run(
        [FIO, "--output-format=json", job], capture_output=True, text=True, check=True, timeout=120
    ).stdout
    found: list[dict[str, Any]] = json.loads(printed[printed.index("{") :])["jobs"]
    return found


def point_by_iodyno(job: Path, store: Path) -> dict[str, Any]:
    """Give the result of the one point that a job file comes to."""
    command = [sys.executable, "-m", "iodyno"]
    subprocess.run(
        [*command, "measure", job, "--warmup", "0s", "--store", store, "-q"], check=True, timeout=120
    )
    told = subprocess.run(
        [*command, "export", "latest", "--store", store], check=True, capture_output=True, text=True
    ).stdout
    (result,) = json.loads(told)["results"]
    found: dict[str, Any] = result
    return found
