"""What is missing to build iodyno is named before anything is built, all of it at once."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

SCRIPT = Path(__file__).parents[2] / "tools" / "requirements.sh"


def told(tmp_path: Path, python: str, **commands: str) -> tuple[int, list[str]]:
    """Run the script where only these commands are found, each with what it prints."""
    folder = tmp_path / "bin"
    folder.mkdir()
    for tool in ("sh", "awk"):
        (folder / tool).symlink_to(shutil.which(tool) or pytest.fail(f"{tool} is not there"))
    for name, output in commands.items():
        (folder / name).write_text(f"#!/bin/sh\necho '{output}'\n")
        (folder / name).chmod(0o755)
    ended = subprocess.run(
        ["sh", SCRIPT, python], env={"PATH": str(folder)}, capture_output=True, text=True, check=False
    )
    return ended.returncode, [line for line in ended.stderr.splitlines() if line.startswith("error: ")]


def test_all_that_is_missing_is_named_at_once(tmp_path: Path) -> None:
    """Nothing is there: three errors."""
    assert told(tmp_path, str(tmp_path / "no-python")) == (
        1,
        [
            "error: Python 3.10 or later with venv is missing",
            "error: a C compiler is missing",
            "error: Rust 1.88 or later (cargo) is missing",
        ],
    )


@pytest.mark.parametrize("version", ["1.88.0", "1.95.0", "2.0.0"])
def test_nothing_is_missing(tmp_path: Path, version: str) -> None:
    """All of it is there."""
    assert told(tmp_path, sys.executable, cc="cc", cargo=f"cargo {version} (abc 2026-01-01)") == (0, [])


@pytest.mark.parametrize("output", ["cargo 1.87.0 (abc 2025-05-05)", "cargo 1.9.0", "error: no toolchain"])
def test_a_toolchain_that_is_too_old_or_none(tmp_path: Path, output: str) -> None:
    """Cargo is there and does not do."""
    assert told(tmp_path, sys.executable, cc="cc", cargo=output) == (
        1,
        ["error: Rust 1.88 or later (cargo) is missing"],
    )
