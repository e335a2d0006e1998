"""The file system of a target: its type, how it is mounted, how full it is."""

from __future__ import annotations

import os
import re
from pathlib import Path

from iodyno.system.host import ABSENT, UNREADABLE, Host, Missing
from iodyno.system.records import Section, TargetLike, known


def file_system_section(host: Host, target: TargetLike) -> Section:
    """Read the file system that a target file is on, or will be."""
    mount = mount_of(host, Path(target.path))
    return Section(
        code="file_system",
        subject=target.path,
        facts=(
            known("file_system", lambda: target.file_system or mount["type"]),
            known("mount_options", lambda: _options(target.mount_options) or mount["options"]),
            known("fs_device", lambda: target.partition or target.device or mount["source"]),
            known("fs_size", lambda: _space(target.path)[0], "bytes"),
            known("fs_used", lambda: _space(target.path)[1], "bytes"),
            known("fs_free", lambda: _space(target.path)[2], "bytes"),
        ),
    )


class Mount(dict[str, str]):
    """Fields of a mount, ``type``, ``source``, ``options`` and ``number``; one that is not known is
    :class:`Missing`."""

    def __missing__(self, key: str) -> str:
        raise Missing(ABSENT)


def mount_of(host: Host, path: Path) -> Mount:
    """Find the mount that a path is on: that of the longest mount point above it, the last of equals."""
    try:
        lines = host.text(host.proc / "self/mountinfo").splitlines()
    except Missing:
        return Mount()
    best, found = -1, Mount()
    for line in lines:
        left, _, right = line.partition(" - ")
        point = Path(_unescaped(left.split()[4]))
        if (point == path or point in path.parents) and len(point.parts) >= best:
            kind, source, super_options = [*right.split(), "", "", ""][:3]
            own = left.split()[5].split(",")
            options = ",".join(dict.fromkeys([*own, *super_options.split(",")])).strip(",")
            number = left.split()[2]
            best = len(point.parts)
            found = Mount(type=kind, source=source, options=options, number=number)
    return found


def _unescaped(text: str) -> str:
    return re.sub(r"\\([0-7]{3})", lambda match: chr(int(match[1], 8)), text)


def _options(options: object) -> str:
    if isinstance(options, str):
        return options
    return ",".join(str(option) for option in options) if isinstance(options, list | tuple) else ""


def _space(path: str) -> tuple[int, int, int]:
    """Give size, used and free bytes of the file system of a path that may not exist yet.

    Used and free are those of df: what is reserved for root is neither.
    """
    here = Path(path)
    try:
        space = os.statvfs(here if here.exists() else here.parent)
    except OSError as error:
        raise Missing(UNREADABLE) from error
    used = space.f_blocks - space.f_bfree
    return space.f_blocks * space.f_frsize, used * space.f_frsize, space.f_bavail * space.f_frsize
