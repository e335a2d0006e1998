"""Which parts of a file were never written: holes and unwritten extents."""

from __future__ import annotations

import errno
import fcntl
import os
import struct
from collections.abc import Iterator
from dataclasses import dataclass

_FS_IOC_FIEMAP = 0xC020660B
_FLAG_SYNC = 0x1
_EXTENT_LAST = 0x1
_EXTENT_UNWRITTEN = 0x800
_HEADER = struct.Struct("=QQIIII")  # start, length, flags, mapped, count, reserved
_EXTENT = struct.Struct("=QQQ16xI12x")  # logical, physical, length, flags
_BATCH = 512


@dataclass(frozen=True)
class Extents:
    """What of an area was never written, in bytes; none where the file system does not say."""

    hole_bytes: int | None
    unwritten_bytes: int | None


def read_extents(descriptor: int, start: int, length: int, *, batch: int = _BATCH) -> Extents:
    """Ask the file system for its map of an area: FIEMAP, or SEEK_HOLE where that is missing.

    Data that waits in the cache is flushed first. SEEK_HOLE counts unwritten extents as
    holes.

    Parameters
    ----------
    descriptor
        An open regular file.
    start, length
        The area in bytes, inside the file.
    batch
        Extents asked for at once, 1 or more.
    """
    end = start + length
    try:
        mapped = unwritten = 0
        for logical, size, flags in _fiemap(descriptor, start, length, batch):
            inside = max(0, min(end, logical + size) - max(start, logical))
            mapped += inside
            unwritten += inside if flags & _EXTENT_UNWRITTEN else 0
        return Extents(length - mapped, unwritten)
    except OSError:
        return Extents(_seek_holes(descriptor, start, end), None)


def written_ranges(descriptor: int, start: int, length: int) -> list[tuple[int, int]]:
    """List the parts of an area that were written, as offsets in bytes: begin, and one past the end.

    All of it where the file system does not say.
    """
    end = start + length
    try:
        found = [
            (max(start, logical), min(end, logical + size))
            for logical, size, flags in _fiemap(descriptor, start, length, _BATCH)
            if not flags & _EXTENT_UNWRITTEN
        ]
    except OSError:
        found = list(_data(descriptor, start, end))
    return [(first, last) for first, last in found if first < last]


def _data(descriptor: int, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Give the parts with data by seeking from one to the next."""
    while start < end:
        try:
            data = os.lseek(descriptor, start, os.SEEK_DATA)
            hole = min(end, os.lseek(descriptor, data, os.SEEK_HOLE))
        except OSError as error:
            if error.errno != errno.ENXIO:
                yield start, end
            return
        yield data, hole
        start = hole


def _fiemap(descriptor: int, start: int, length: int, batch: int) -> Iterator[tuple[int, int, int]]:
    """Give (logical offset, length, flags) of each extent, batch after batch."""
    end = start + length
    while start < end:
        buffer = bytearray(_HEADER.size + batch * _EXTENT.size)
        _HEADER.pack_into(buffer, 0, start, end - start, _FLAG_SYNC, 0, batch, 0)
        fcntl.ioctl(descriptor, _FS_IOC_FIEMAP, buffer, True)
        count = _HEADER.unpack_from(buffer)[3]
        if not count:
            return
        for index in range(count):
            logical, _, size, flags = _EXTENT.unpack_from(buffer, _HEADER.size + index * _EXTENT.size)
            yield logical, size, flags
        if flags & _EXTENT_LAST or logical + size <= start:
            return
        start = logical + size


def _seek_holes(descriptor: int, start: int, end: int) -> int | None:
    """Count the bytes of holes by seeking from one to the next."""
    holes, at = 0, start
    while at < end:
        try:
            hole = os.lseek(descriptor, at, os.SEEK_HOLE)
            data = os.lseek(descriptor, hole, os.SEEK_DATA) if hole < end else end
        except OSError as error:
            if error.errno != errno.ENXIO:
                return None
            data = end
        holes += max(0, min(data, end) - min(hole, end))
        at = data
    return holes
