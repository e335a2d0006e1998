"""What the kernel says of block devices, mounts and swap; read only."""

from __future__ import annotations

import errno
import fcntl
import os
import re
import stat
import struct
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from iodyno.targets.signature import Signature, read_signature

SECTOR_BYTES = 512
"""Unit of sizes in sysfs, whatever the device's logical block."""
_LOOP_GET_STATUS64 = 0x4C05
_LOOP_STATUS = struct.Struct("=QQQ208x")
"""``linux/loop.h``: device and inode of what is behind it, and its own device number, 0 for a file."""


@dataclass(frozen=True)
class Mount:
    """A line of mountinfo."""

    number: str
    point: str
    source: str
    file_system: str
    options: str


@dataclass(frozen=True)
class Swap:
    """A line of /proc/swaps."""

    path: str
    kind: str


def no_target(mode: int) -> str | None:
    """Say what is neither a folder, a file nor a block device, from its mode; none where it is one of them.

    Examples
    --------
    >>> no_target(0o020666)
    'a character device'
    """
    if stat.S_ISDIR(mode) or stat.S_ISREG(mode) or stat.S_ISBLK(mode):
        return None
    kinds = (
        (stat.S_ISCHR, "a character device"),
        (stat.S_ISFIFO, "a pipe"),
        (stat.S_ISSOCK, "a socket"),
    )
    return next((name for is_kind, name in kinds if is_kind(mode)), "of an unknown kind")


def block_number(path: str | Path) -> str | None:
    """Give the device number of a block device as ``major:minor``; none for anything else."""
    if not str(path).startswith("/"):
        return None  # the source of a mount that is no device: tmpfs, overlay
    try:
        found = os.stat(path)  # noqa: PTH116 (str or Path)
    except OSError:
        return None
    return _number(found.st_rdev) if stat.S_ISBLK(found.st_mode) else None


def file_number(path: str | Path) -> str | None:
    """Give device number and inode of a regular file as ``major:minor:inode``."""
    try:
        found = os.stat(path)  # noqa: PTH116 (str or Path)
    except OSError:
        return None
    return file_id(found) if stat.S_ISREG(found.st_mode) else None


def file_id(found: os.stat_result) -> str:
    """Name a file by its device number and inode."""
    return f"{_number(found.st_dev)}:{found.st_ino}"


def _number(number: int) -> str:
    return f"{os.major(number)}:{os.minor(number)}"


def reading_failure(path: str | Path) -> str | None:
    """Say why a file or device cannot be opened for reading; none where it can.

    Permissions alone do not tell: a container may forbid devices to root.
    """
    try:
        os.close(os.open(path, os.O_RDONLY | os.O_NONBLOCK))
    except OSError as error:
        return error.strerror
    return None


def exclusive_failure(path: str) -> str | None:
    """Try to open a block device exclusively, and close it again.

    Returns
    -------
    str or None
        Why it cannot be opened so; none where nothing else claims it.
    """
    try:
        os.close(os.open(path, os.O_RDONLY | os.O_EXCL | os.O_NONBLOCK))
    except OSError as error:
        if error.errno == errno.EBUSY:
            return "is open exclusively, by a mount, swap, an array or another program"
        return f"cannot be opened exclusively: {error.strerror}"
    return None


def behind_loop(node: str, number: str) -> str | None:
    """Ask the kernel what is behind a loop device: names may have gone, or mean something else here.

    Parameters
    ----------
    node, number
        Path of its node, and the device number that it must have.

    Returns
    -------
    str or None
        Number of a block device (:func:`block_number`) or id of a file (:func:`file_id`); none where
        this user may not ask.
    """
    try:
        descriptor = os.open(node, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    except OSError:
        return None
    try:
        found = os.fstat(descriptor)
        if not stat.S_ISBLK(found.st_mode) or _number(found.st_rdev) != number:
            return None
        status = fcntl.ioctl(descriptor, _LOOP_GET_STATUS64, bytes(_LOOP_STATUS.size))
    except OSError:
        return None
    finally:
        os.close(descriptor)
    device, inode, own = _LOOP_STATUS.unpack(status)
    return _number(own) if own else f"{_number(device)}:{inode}"


@dataclass(frozen=True)
class BlockDevice:
    """A block device as sysfs shows it."""

    name: str
    folder: Path
    """Its directory in sysfs, links resolved."""

    def read(self, name: str) -> str | None:
        """Read an attribute; none where it is missing or empty."""
        return read_text(self.folder / name)

    @property
    def number(self) -> str:
        """Device number, ``major:minor``."""
        return self.read("dev") or ""

    @property
    def node(self) -> str:
        """Path of its node under /dev."""
        return "/dev/" + self.name.replace("!", "/")

    @property
    def size_bytes(self) -> int:
        """Size in bytes; 0 where there is no medium."""
        return int(self.read("size") or 0) * SECTOR_BYTES

    @property
    def is_partition(self) -> bool:
        """Whether it is a partition."""
        return (self.folder / "partition").exists()

    @property
    def disk(self) -> BlockDevice:
        """The whole device: of a partition the one that it is part of."""
        return _at(self.folder.parent) if self.is_partition else self

    @property
    def partitions(self) -> list[BlockDevice]:
        """Partitions that the kernel knows, by name."""
        return [_at(entry.parent) for entry in sorted(self.folder.glob("*/partition"))]

    @property
    def range(self) -> tuple[int, int]:
        """First and last sector (one past) on the whole device."""
        start = int(self.read("start") or 0)
        return start, start + int(self.read("size") or 0)


def _at(folder: Path) -> BlockDevice:
    return BlockDevice(folder.name, folder)


def read_text(path: Path) -> str | None:
    """Read a short file of the kernel; none where it is missing, unreadable or empty."""
    try:
        return path.read_text(errors="replace").strip("\0 \n\t") or None
    except OSError:
        return None


@dataclass(frozen=True)
class Host:
    """Where the kernel's facts are read; made-up trees stand in for them in tests."""

    proc: Path = Path("/proc")
    sys: Path = Path("/sys")
    run: Path = Path("/run")
    etc: Path = Path("/etc")
    number_of: Callable[[str | Path], str | None] = field(default=block_number)
    file_of: Callable[[str | Path], str | None] = field(default=file_number)
    exclusive_failure: Callable[[str], str | None] = field(default=exclusive_failure)
    behind_loop: Callable[[str, str], str | None] = field(default=behind_loop)
    signature: Callable[[str], Signature] = field(default=read_signature)

    def device(self, number: str) -> BlockDevice | None:
        """Find a block device by its number."""
        link = self.sys / "dev/block" / number
        return _at(link.resolve()) if number and link.exists() else None

    def named(self, name: str) -> BlockDevice | None:
        """Find a block device by its kernel name."""
        link = self.sys / "class/block" / name
        return _at(link.resolve()) if link.exists() else None

    def mounts(self) -> list[Mount]:
        """Read the mounts, in the order in which they were made."""
        return list(_parse_mounts(read_text(self.proc / "self/mountinfo") or ""))

    def swaps(self) -> list[Swap]:
        """Read the swap areas in use."""
        lines = (read_text(self.proc / "swaps") or "").splitlines()[1:]
        fields = (line.split() for line in lines)
        return [Swap(_unescape(words[0]), words[1]) for words in fields if len(words) >= 2]

    def btrfs_members(self) -> dict[str, str]:
        """Map the kernel name of each device of a mounted btrfs to the UUID of that file system."""
        return {entry.name: entry.parent.parent.name for entry in self.sys.glob("fs/btrfs/*/devices/*")}

    def holders(self, device: BlockDevice) -> list[BlockDevice]:
        """List what the kernel says is built on a device: arrays, volumes; no loop devices."""
        try:
            names = sorted(entry.name for entry in (device.folder / "holders").iterdir())
        except OSError:
            return []
        return [holder for name in names if (holder := self.named(name))]

    def mount_of(self, path: Path, number: str) -> Mount | None:
        """Find the mount that a path lies on, given the device number of its file system."""
        above = [mount for mount in self.mounts() if path.is_relative_to(mount.point)]
        exact = [mount for mount in above if mount.number == number]
        return max(reversed(exact or above), key=lambda mount: len(mount.point), default=None)

    def device_of_mount(self, mount: Mount) -> BlockDevice | None:
        """Find the block device that a file system lies on; btrfs hides it behind a number of its own."""
        return self.device(mount.number) or self.device(self.number_of(mount.source) or "")


def _parse_mounts(text: str) -> Iterator[Mount]:
    for line in text.splitlines():
        head, _, tail = line.partition(" - ")
        left, right = head.split(), tail.split()
        if len(left) < 6 or len(right) < 2:
            continue
        options = [*left[5].split(","), *(right[2].split(",") if len(right) > 2 else [])]
        yield Mount(
            number=left[2],
            point=_unescape(left[4]),
            source=_unescape(right[1]),
            file_system=right[0],
            options=",".join(dict.fromkeys(options)),
        )


def _unescape(text: str) -> str:
    """Undo the kernel's octal escapes of blanks in names."""
    return re.sub(r"\\([0-7]{3})", lambda match: chr(int(match[1], 8)), text)
