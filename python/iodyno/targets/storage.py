"""Where what is written to a target ends up: on which disk or in which file, and in what part of it.

Loop devices are looked through: several over one file are one storage, and so are a loop device and the
device that it lies on.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from iodyno.targets.host import SECTOR_BYTES, BlockDevice, Host, read_text

_DELETED = " (deleted)"
"""What the kernel adds to a name that was removed."""
_LEVELS = 32
"""Loop devices over loop devices: more than the kernel stacks."""


@dataclass(frozen=True)
class Extent:
    """A part of a whole block device or of a file."""

    lies_on: str
    """Number of the device, ``8:0``, or id of the file, ``8:1:1234``."""
    start_bytes: int
    end_bytes: int
    """One past its last byte."""

    def overlaps(self, other: Extent) -> bool:
        """Tell whether both have a byte in common."""
        return (
            self.lies_on == other.lies_on
            and self.start_bytes < other.end_bytes
            and other.start_bytes < self.end_bytes
        )

    def holds(self, other: Extent) -> bool:
        """Tell whether all of the other is a part of this one."""
        within = self.start_bytes <= other.start_bytes and other.end_bytes <= self.end_bytes
        return self.lies_on == other.lies_on and within


@dataclass(frozen=True)
class Loop:
    """An attached loop device."""

    device: BlockDevice
    path: str
    """Name of what is behind it, as it was when it was attached."""
    behind: str | None
    """Number of a device or id of a file; none where nothing tells."""
    start_bytes: int
    """Where in what is behind it the device begins."""

    @property
    def end_bytes(self) -> int:
        """Where it ends there."""
        return self.start_bytes + self.device.size_bytes


Loops = Mapping[str, Loop]
"""By kernel name."""


def read_loops(host: Host) -> Loops:
    """List the attached loop devices.

    What is behind one is asked of the kernel: its name may have been removed while another name of the file
    remains, or it is a name of another mount namespace. The name counts only where this user may not ask.
    """
    found = {}
    for entry in sorted((host.sys / "class/block").glob("loop*/loop/backing_file")):
        path, device = read_text(entry), host.named(entry.parent.parent.name)
        if path and device:
            behind = host.behind_loop(device.node, device.number) if device.number else None
            behind = behind or host.number_of(path) or host.file_of(path)
            found[device.name] = Loop(device, path, behind, int(device.read("loop/offset") or 0))
    return found


def extent_of(device: BlockDevice, host: Host, loops: Loops) -> Extent:
    """Find where what a device holds really lies."""
    disk, (first, last) = device.disk, device.range
    start, end = first * SECTOR_BYTES, last * SECTOR_BYTES
    for _ in range(_LEVELS):
        loop = loops.get(disk.name)
        if loop is None or loop.behind is None:
            break
        start, end = start + loop.start_bytes, end + loop.start_bytes
        below = host.device(loop.behind)
        if below is None:
            return Extent(loop.behind, start, end)
        shift = below.range[0] * SECTOR_BYTES
        disk, start, end = below.disk, start + shift, end + shift
    return Extent(disk.number, start, end)


def beneath(device: BlockDevice, host: Host, loops: Loops) -> list[BlockDevice]:
    """List what a loop device lies on, down to a disk or a file; nothing for another device."""
    found: list[BlockDevice] = []
    while (loop := loops.get(device.disk.name)) and len(found) < _LEVELS:
        below = host.device(loop.behind or "")
        if below is None:
            break
        found.append(below)
        device = below
    return found


def sharing(device: BlockDevice, host: Host, loops: Loops) -> Iterator[BlockDevice]:
    """Give every other device that holds a byte of what this one holds.

    Those are partitions of one disk that overlap, the disk itself, loop devices that lie on either, and loop
    devices over one file.
    """
    own = extent_of(device, host, loops)
    base = host.device(own.lies_on)
    disks = [device.disk, *([base] if base else []), *(loop.device for loop in loops.values())]
    others = (other for disk in disks for other in (disk, *disk.partitions))
    named = {other.name: other for other in others if other.name != device.name}
    for other in named.values():
        if own.overlaps(extent_of(other, host, loops)):
            yield other


def unseen_by(device: BlockDevice, host: Host, loops: Loops) -> Iterator[Loop]:
    """Give the loop devices that may lie on what a device lies on: nothing tells what is behind them."""
    own = extent_of(device, host, loops)
    base = host.device(own.lies_on)
    names = {_name(loop) for loop in loops.values() if loop.behind and loop.behind == own.lies_on}
    for loop in loops.values():
        if loop.behind is not None or loop.device.name == device.disk.name:
            continue
        of_device = loop.path.startswith("/dev/") and not loop.path.startswith("/dev/shm/")
        if _name(loop) in names or (of_device and base and loop.end_bytes <= base.size_bytes):
            yield loop


def unseen_over_file(size_bytes: int, loops: Loops) -> Iterator[Loop]:
    """Give the loop devices that are small enough to lie on a file: nothing tells what is behind them."""
    return (loop for loop in loops.values() if loop.behind is None and loop.end_bytes <= size_bytes)


def _name(loop: Loop) -> str:
    return loop.path.removesuffix(_DELETED)
