"""Loop devices for tests that need block devices: attached to a file, and detached at the end."""

from __future__ import annotations

import fcntl
import os
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

DIRECT = "--direct-io=on"
"""Past the caches of the file system that the file lies on."""
CONTROL = Path("/dev/loop-control")
_LOOP_CTL_GET_FREE = 0x4C82
"""From <linux/loop.h>: gives the number of a device that nobody has, and takes it from nobody."""


def tool(*words: str) -> str:
    """Give what a tool of the system says; the test is skipped where it is not there, or fails.

    Of ``losetup`` it is skipped where there can be no loop devices, and fails where there can.
    """
    losetup = words[0] == "losetup"
    if losetup and (why := why_none()):
        pytest.skip(why)
    found = _found(words[0])
    if not found:
        pytest.skip(f"{words[0]} is not there")
    done = subprocess.run([found, *words[1:]], capture_output=True, text=True, timeout=60, check=False)
    if done.returncode:
        said = f"{' '.join(words)}: {done.stderr.strip()}"
        pytest.fail(said) if losetup else pytest.skip(said)
    return done.stdout.strip()


def why_none() -> str:
    """Say why no loop device can be attached here; nothing where one can."""
    if os.geteuid() != 0:
        return "loop devices need root"
    if not _found("losetup"):
        return "losetup is not there"
    try:
        free = _free_number()
    except PermissionError:
        return "this container may not use loop devices"
    except OSError:
        return "this kernel has no loop devices"
    device = CONTROL.with_name(f"loop{free}")
    return "" if device.exists() else f"this container has no loop devices: {device} is not there"


def _found(name: str) -> str | None:
    return shutil.which(name, path=os.environ["PATH"] + ":/usr/sbin:/sbin")


def _free_number() -> int:
    """Ask the kernel which loop device would be attached next."""
    control = os.open(CONTROL, os.O_RDWR)
    try:
        return fcntl.ioctl(control, _LOOP_CTL_GET_FREE)
    finally:
        os.close(control)


@contextmanager
def loop_device(path: Path, *options: str) -> Iterator[str]:
    """Attach a loop device to a file, and detach it; the test is skipped where there can be none."""
    device = tool("losetup", *options, "--find", "--show", str(path))
    losetup = _found("losetup") or "losetup"
    try:
        yield device
    finally:
        subprocess.run([losetup, "--detach", device], capture_output=True, timeout=60, check=True)
