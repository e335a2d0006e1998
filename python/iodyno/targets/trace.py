"""What a target shows of its state, so that it can be told later whether something undid it."""

from __future__ import annotations

import fcntl
import os
import struct
from hashlib import blake2b
from pathlib import Path

from pydantic import NonNegativeInt

from iodyno.profiles import Record
from iodyno.targets.contents import check_contents
from iodyno.targets.extents import read_extents
from iodyno.targets.host import SECTOR_BYTES, BlockDevice, Host, file_id, read_text
from iodyno.targets.record import Target

_WRITTEN_SECTORS, _DISCARDED_SECTORS = 6, 13
"""Fields of ``/sys/block/X/stat``: ``Documentation/block/stat.rst``; discards since Linux 4.19."""
_FS_IOC_GETVERSION = 0x80087601
"""``linux/fs.h``: the generation of an inode, which is another one for each file that gets the inode."""


class Trace(Record):
    """What a target showed at one moment; none where it cannot be told."""

    path: str
    """Path of the target."""
    start_bytes: NonNegativeInt
    """The part that was looked at."""
    length_bytes: NonNegativeInt
    identity: str
    """Of a file, device number and inode; of a device a hash of serial number, WWN and size, keyed with the
    machine's own number (``machine-id``): it tells whether another device is there, and not which."""
    generation: int | None = None
    """Of a file, what tells it from others that had the same inode before; none where that is not told."""
    named: bool = True
    """Whether anything but its size is in ``identity``: a device without serial number and WWN is known again
    within one attachment only."""
    attachment: str | None = None
    """The start of the machine and the kernel's number of the attachment: counters go on within one."""
    discarded_bytes: NonNegativeInt | None = None
    """Bytes that the device was told to forget since then; none of a file: it shares its device."""
    written_bytes: NonNegativeInt | None = None
    """Bytes that the device was sent, since it was attached, by anybody."""
    unwritten_bytes: NonNegativeInt | None = None
    """Bytes of the file without storage or never written."""
    used_bytes: NonNegativeInt | None = None
    """Bytes that the drive itself says are in use: NVMe's namespace utilisation."""
    samples: NonNegativeInt | None = None
    """Blocks of 4096 bytes that were read, always the same; none where none were."""
    zero_samples: NonNegativeInt | None = None
    """How many of them held only zeros."""


def take_trace(target: Target, start_bytes: int, length_bytes: int, *, samples: bool, host: Host) -> Trace:
    """Look at a target without changing it.

    Parameters
    ----------
    target
        A file that exists, or a device.
    start_bytes, length_bytes
        The part that matters.
    samples
        Whether to read blocks spread over it: 256 reads of 4 kB.
    host
        Where the kernel's facts are read.

    Raises
    ------
    OSError
        If the target has gone or cannot be read.
    """
    contents = check_contents(target.path, start_bytes, length_bytes) if samples else None
    sampled = (contents.samples, contents.zero_samples) if contents else (None, None)
    found = _of_file if target.kind == "file" else _of_device
    return found(target, start_bytes, length_bytes, host).model_copy(
        update={"samples": sampled[0], "zero_samples": sampled[1]}
    )


def _of_file(target: Target, start: int, length: int, host: Host) -> Trace:
    status = Path(target.path).stat()
    descriptor = os.open(target.path, os.O_RDONLY)
    try:
        extents, generation = read_extents(descriptor, start, length), _generation(descriptor)
    finally:
        os.close(descriptor)
    parts = (extents.hole_bytes, extents.unwritten_bytes)
    device = host.named(target.device) if target.device else None
    return Trace(
        path=target.path,
        start_bytes=start,
        length_bytes=length,
        identity=file_id(status),
        generation=generation,
        attachment=_attachment(device, host),
        written_bytes=_counted(device, _WRITTEN_SECTORS),
        unwritten_bytes=None if parts[0] is None else parts[0] + (parts[1] or 0),
    )


def _generation(descriptor: int) -> int | None:
    try:
        answer = fcntl.ioctl(descriptor, _FS_IOC_GETVERSION, bytes(8))
    except OSError:
        return None
    return int(struct.unpack_from("=I", answer)[0])  # the kernel writes an int, whatever its header says


def _of_device(target: Target, start: int, length: int, host: Host) -> Trace:
    device = host.device(host.number_of(target.path) or "")
    if device is None:
        raise FileNotFoundError(2, "no device has its name", target.path)
    return Trace(
        path=target.path,
        start_bytes=start,
        length_bytes=length,
        identity=_hashed((target.serial or "", target.wwn or "", str(device.size_bytes)), host),
        named=bool(target.serial or target.wwn),
        attachment=_attachment(device, host),
        discarded_bytes=_counted(device, _DISCARDED_SECTORS),
        written_bytes=_counted(device, _WRITTEN_SECTORS),
        used_bytes=_used(device),
    )


def _hashed(names: tuple[str, ...], host: Host) -> str:
    """Hash what names a device: a serial number, of which there are few alike, is not found by trial then."""
    key = (read_text(host.etc / "machine-id") or "").encode()[: blake2b.MAX_KEY_SIZE]
    return blake2b("\n".join(names).encode(), key=key, digest_size=16).hexdigest()


def _attachment(device: BlockDevice | None, host: Host) -> str | None:
    boot = read_text(host.proc / "sys/kernel/random/boot_id")
    if device is None or boot is None:
        return None
    return f"{boot} {device.disk.read('diskseq') or device.number}"


def _counted(device: BlockDevice | None, field: int) -> int | None:
    fields = (device.read("stat") or "").split() if device else []
    return int(fields[field]) * SECTOR_BYTES if len(fields) > field else None


def _used(device: BlockDevice) -> int | None:
    """Read NVMe's namespace utilisation: in logical blocks, since Linux 6.8."""
    blocks, size = device.disk.read("nuse"), device.disk.read("queue/logical_block_size")
    return int(blocks) * int(size) if blocks and size and blocks.isdigit() else None
