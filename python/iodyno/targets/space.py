"""Whether the files to be made fit, with a tenth of the file system left free."""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path

from iodyno.errors import Problem
from iodyno.targets.host import Host
from iodyno.targets.record import Target
from iodyno.units import short_size

KEPT_FREE = 0.10
"""Share of a file system that stays free, 0 to 1."""


def space_problems(targets: Sequence[Target], host: Host) -> Iterator[Problem]:
    """Check that all files that iodyno makes, and holes that it fills, fit on their file systems together.

    What a file already takes is not counted again.
    """
    groups: dict[str, list[Target]] = defaultdict(list)
    for target in targets:
        if target.created or (target.kind == "file" and target.contents == "to_be_written"):
            groups[_pool(Path(target.path).parent, host)].append(target)
    for group in groups.values():
        found = os.statvfs(Path(group[0].path).parent)
        needed = sum(max(0, target.size_bytes - target.allocated_bytes) for target in group)
        kept = int(found.f_blocks * found.f_frsize * KEPT_FREE)
        usable = max(0, found.f_bavail * found.f_frsize - kept)
        if needed > usable:
            yield Problem(
                ", ".join(target.asked for target in group),
                f"needs {short_size(needed)} on its file system, where {short_size(usable)} may be used: "
                f"{KEPT_FREE:.0%} of it ({short_size(kept)}) stays free",
                "ask for smaller files, make room, or name a directory on another file system",
            )


def _pool(directory: Path, host: Host) -> str:
    """Name what the free space is shared by: btrfs subvolumes and ZFS datasets draw on one pool."""
    number = directory.stat().st_dev
    mount = host.mount_of(directory, f"{os.major(number)}:{os.minor(number)}")
    if mount and mount.file_system == "btrfs":
        return f"btrfs {mount.source}"
    if mount and mount.file_system == "zfs":
        return f"zfs {mount.source.partition('/')[0]}"
    return str(number)
