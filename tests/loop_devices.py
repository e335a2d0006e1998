"""Loop devices for tests that need block devices: attached to a file, and detached at the end."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

DIRECT = "--direct-io=on"
"""Past the caches of the file system that the file lies on."""


def tool(*words: str) -> str:
    """Give what a tool of the system says; the test is skipped where it is not there, or fails."""
    found = shutil.which(words[0], path=os.environ["PATH"] + ":/usr/sbin:/sbin")
    if not found:
        pytest.skip(f"{words[0]} is not there")
    done = subprocess.run([found, *words[1:]], capture_output=True, text=True, timeout=60, check=False)
    if done.returncode:
        pytest.skip(f"{' '.join(words)}: {done.stderr.strip()}")
    return done.stdout.strip()


@contextmanager
def loop_device(path: Path, *options: str) -> Iterator[str]:
    """Attach a loop device to a file, and detach it; the test is skipped where that is not allowed."""
    device = tool("losetup", *options, "--find", "--show", str(path))
    losetup = shutil.which("losetup", path=os.environ["PATH"] + ":/usr/sbin:/sbin") or "losetup"
    try:
        yield device
    finally:
        subprocess.run([losetup, "--detach", device], capture_output=True, timeout=60, check=True)
