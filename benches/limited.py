"""Hold a process to a rate on a device, by the kernel: blk-throttle, control groups of version 1, root."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

BLKIO = Path("/sys/fs/cgroup/blkio")


@contextmanager
def limited(path: Path, limit: int | None) -> Iterator[None]:
    """Hold this process and its children to a rate on the device of a file."""
    if limit is None:
        yield
        return
    group = BLKIO / f"iodyno-bench-{os.getpid()}"
    number = path.stat().st_dev
    group.mkdir()
    try:
        for name in ("read", "write"):
            rule = f"{os.major(number)}:{os.minor(number)} {limit}"
            (group / f"blkio.throttle.{name}_iops_device").write_text(rule)
        (group / "cgroup.procs").write_text(str(os.getpid()))
        yield
    finally:
        (BLKIO / "cgroup.procs").write_text(str(os.getpid()))
        group.rmdir()
