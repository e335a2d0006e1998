"""Giving back every block of a device: the purge before it is filled."""

from __future__ import annotations

import fcntl
import os
import struct
from collections.abc import Callable, Iterator, Sequence

from iodyno.errors import Problem, TargetError
from iodyno.targets.host import Host
from iodyno.targets.record import Target

_BLKDISCARD = 0x1277
"""``linux/fs.h``: takes start and length in bytes."""
_AT_ONCE_BYTES = 8 << 30
"""Bytes of a request, so that Ctrl-C is heard in between."""


def discard_problems(targets: Sequence[Target], host: Host | None = None) -> Iterator[Problem]:
    """Yield why a target cannot be discarded; looks only."""
    host = host or Host()
    for target in targets:
        device = host.device(host.number_of(target.path) or "")
        if target.kind != "device" or device is None:
            yield Problem(target.asked, "is a file: only a device can be discarded", 'write purge = "none"')
        elif int(device.disk.read("queue/discard_max_bytes") or 0) == 0:
            yield Problem(
                target.asked, "does not take discards: it cannot be purged so", 'write purge = "none"'
            )


def discard(target: Target, tell: Callable[[int], None] = lambda _: None) -> None:
    """Discard every block of a device. What it holds is lost.

    Parameters
    ----------
    target
        A device that passed the guards for writing; it is opened exclusively once more.
    tell
        Called with the bytes discarded so far.

    Raises
    ------
    TargetError
        If it is in use by now, or refuses.
    """
    assert target.kind == "device", target.kind
    assert target.writes, f"{target.path} was not allowed to be written"
    try:
        descriptor = os.open(target.path, os.O_RDWR | os.O_EXCL)
        try:
            for start in range(0, target.size_bytes, _AT_ONCE_BYTES):
                length = min(_AT_ONCE_BYTES, target.size_bytes - start)
                fcntl.ioctl(descriptor, _BLKDISCARD, struct.pack("=QQ", start, length))
                tell(start + length)
        finally:
            os.close(descriptor)
    except OSError as error:
        raise TargetError.of(
            target.asked, f"could not be purged: {error.strerror}", 'write purge = "none"'
        ) from error
