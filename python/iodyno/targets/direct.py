"""Whether direct I/O is possible, and in which units."""

from __future__ import annotations

import contextlib
import ctypes
import errno
import os
import stat
import struct
from dataclasses import dataclass
from pathlib import Path

_AT_EMPTY_PATH = 0x1000
_STATX_DIOALIGN = 0x2000
_STATX_BYTES = 256
_DIO_OFFSET_ALIGN_AT = 0x9C
_DIRECT = getattr(os, "O_DIRECT", 0)
_STATFS_BYTES = 256
_IN_MEMORY = frozenset({0x01021994, 0x858458F6})
"""Types of statfs(2) of tmpfs and ramfs (and devtmpfs, which is one of them): they may take a direct open."""
_NO_UNNAMED_FILES = (errno.EOPNOTSUPP, errno.EISDIR, errno.ENOENT, errno.EINVAL)


@dataclass(frozen=True)
class DirectIO:
    """What is known of direct I/O.

    Parameters
    ----------
    possible
        None where only making the file will tell.
    block_bytes
        Unit of offsets and lengths in bytes; none where the kernel does not say.
    """

    possible: bool | None
    block_bytes: int | None = None


def direct_of_existing(path: str) -> DirectIO:
    """Try a direct open for reading of a file or device."""
    try:
        descriptor = os.open(path, os.O_RDONLY | _DIRECT | os.O_NONBLOCK)
    except OSError as error:
        return DirectIO(False if error.errno == errno.EINVAL else None)
    return _of_open_file(descriptor)


def direct_in_directory(directory: Path) -> DirectIO:
    """Try a direct open of an unnamed file, which is gone when it is closed.

    Raises
    ------
    OSError
        If no file can be made there at all.
    """
    try:
        return _of_open_file(os.open(directory, os.O_TMPFILE | os.O_RDWR | _DIRECT, 0o600))
    except OSError as error:
        if error.errno not in _NO_UNNAMED_FILES:
            raise
    with contextlib.suppress(OSError):
        os.close(os.open(directory, os.O_TMPFILE | os.O_RDWR, 0o600))
        return DirectIO(False)
    return DirectIO(None)


def _of_open_file(descriptor: int) -> DirectIO:
    try:
        block_bytes = 0 if _lies_in_memory(descriptor) else _statx_alignment(descriptor)
    finally:
        os.close(descriptor)
    return DirectIO(False) if block_bytes == 0 else DirectIO(True, block_bytes)


def _lies_in_memory(descriptor: int) -> bool:
    """Tell whether a regular file has no disk behind it; the node of a device tells nothing of the device."""
    return stat.S_ISREG(os.fstat(descriptor).st_mode) and _file_system_type(descriptor) in _IN_MEMORY


def _file_system_type(descriptor: int) -> int | None:
    """Ask fstatfs(2) for the type of a file system; none where it does not say."""
    answer = ctypes.create_string_buffer(_STATFS_BYTES)
    if ctypes.CDLL(None).fstatfs(descriptor, answer) != 0:
        return None
    (number,) = struct.unpack_from("@l", answer, 0)
    return int(number) & 0xFFFFFFFF


def _statx_alignment(descriptor: int) -> int | None:
    """Ask statx(2) for the alignment of direct I/O (Linux 6.1).

    Returns
    -------
    int or None
        Bytes; 0 where direct I/O is not supported, none where the kernel does not say.
    """
    statx = getattr(ctypes.CDLL(None), "statx", None)
    if statx is None:
        return None
    answer = ctypes.create_string_buffer(_STATX_BYTES)
    if statx(descriptor, b"", _AT_EMPTY_PATH, _STATX_DIOALIGN, answer) != 0:
        return None
    (mask,) = struct.unpack_from("=I", answer, 0)
    (align,) = struct.unpack_from("=I", answer, _DIO_OFFSET_ALIGN_AT)
    return int(align) if mask & _STATX_DIOALIGN else None
