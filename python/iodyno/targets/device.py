"""Block devices as targets, and the guards before one is written."""

from __future__ import annotations

import errno
import os
from collections.abc import Iterator

from iodyno.errors import Problem
from iodyno.targets.abilities import abilities
from iodyno.targets.busy import why_busy, why_claimed
from iodyno.targets.contents import check_contents
from iodyno.targets.direct import direct_of_existing
from iodyno.targets.host import BlockDevice, Host, reading_failure
from iodyno.targets.identity import Identity, read_identity
from iodyno.targets.record import ContentsState, Permissions, Target

_FREE_IT = "unmount it, or take it out of what uses it; no flag overrides this"
_BUFFERED = "add --buffered to measure through the caches of the operating system; the verdict will say so"


def find_device(
    asked: str, path: str, number: str, writes: bool, permissions: Permissions, host: Host, sample: bool
) -> tuple[Target | None, list[Problem]]:
    """Look at a block device; writes nothing.

    Parameters
    ----------
    asked, path
        The path as given, and with links resolved.
    number
        Its device number, ``major:minor``.
    sample
        Whether to read samples of what it holds.

    Returns
    -------
    tuple
        The target, none where too little is known of it, and everything that is wrong.
    """
    device = host.device(number)
    if device is None:
        return None, [Problem(asked, "is a device that sysfs does not show", "mount sysfs at /sys")]
    if not device.size_bytes:
        return None, [Problem(asked, "has no medium: its size is 0", "insert or attach one")]
    identity = read_identity(device, host)
    problems = list(_access_problems(asked, path, device, writes))
    if writes:
        problems += write_problems(asked, path, device, identity, permissions, host)
    direct = direct_of_existing(path)
    if direct.possible is False and not permissions.buffered:
        problems.append(Problem(asked, "does not allow direct I/O", _BUFFERED))
    disk = device.disk
    target = Target(
        path=path, asked=asked, kind="device", size_bytes=device.size_bytes,
        logical_block_bytes=int(disk.read("queue/logical_block_size") or 512),
        writes=writes, direct=direct.possible, device=disk.name,
        partition=device.name if device.is_partition else None, exact=not device.is_partition,
        serial=identity.serial, wwn=identity.wwn, model=identity.model,
        disk_sequence=disk.read("diskseq"),
        in_use=() if writes else why_busy(device, host),
        contents=device_contents(path, device.size_bytes) if sample and not problems else "unknown",
        **abilities(device, host),
    )  # fmt: skip
    return target, problems


def _access_problems(asked: str, path: str, device: BlockDevice, writes: bool) -> Iterator[Problem]:
    if failure := reading_failure(path):
        yield Problem(asked, f"cannot be opened: {failure}", who_may_open(failure))
    if not writes:
        return
    if device.read("ro") == "1":
        yield Problem(asked, "is read-only", "choose profiles that only read, or make it writable")
    elif not os.access(path, os.W_OK):
        yield Problem(asked, "may not be written by this user", "run as root or join the group of the device")
    if device.disk.read("queue/zoned") == "host-managed":
        yield Problem(asked, "has zones that only take writes in sequence", "choose profiles that only read")


def who_may_open(failure: str) -> str:
    """Say what to do about a device that cannot be opened: root is not refused by its mode."""
    if os.geteuid() == 0 and failure in (os.strerror(errno.EPERM), os.strerror(errno.EACCES)):
        return "root is refused too: let the device rules of the container (or its cgroup) allow the device"
    return "run as root, or join the group of the device"


def write_problems(
    asked: str, path: str, device: BlockDevice, identity: Identity, permissions: Permissions, host: Host
) -> list[Problem]:
    """Say everything that forbids a write to a device.

    A device in use is refused whatever the flags; so nothing else is said of it then.
    """
    busy = why_busy(device, host) or why_claimed(path, device, host)
    if busy:
        return [Problem(asked, f"is in use and will not be written: {'; '.join(busy)}", _FREE_IT)]
    return [
        *_identity_problems(asked, device, identity, permissions),
        *_signature_problems(asked, path, device, permissions, host),
    ]


def _identity_problems(
    asked: str, device: BlockDevice, identity: Identity, permissions: Permissions
) -> Iterator[Problem]:
    shown = f"lsblk --nodeps --bytes -o NAME,SIZE,SERIAL,WWN,MODEL {device.disk.node} shows it"
    if identity.kind.startswith("exact"):
        shown = f"blockdev --getsize64 {device.node} shows it"
    if not permissions.write_existing:
        yield Problem(
            asked,
            "is a device, and the profiles write: everything on it would be lost",
            "choose profiles that only read; or add --write-existing and "
            f"--identity with its {identity.kind} ({shown})",
        )
    elif not any(identity.matches(typed) for typed in permissions.identity):
        given = (
            f"none of {', '.join(permissions.identity)} is it" if permissions.identity else "none is given"
        )
        yield Problem(
            asked,
            f"needs its {identity.kind} before it is written; {given}",
            f"add --identity with its {identity.kind} ({shown})",
        )


def _signature_problems(
    asked: str, path: str, device: BlockDevice, permissions: Permissions, host: Host
) -> Iterator[Problem]:
    signature = host.signature(path)
    if signature.failure:
        hint = signature.hint or "check the device with blkid -p"
        yield Problem(asked, f"may carry a file system that cannot be seen: {signature.failure}", hint)
    found = list(signature.found)
    if not found and device.partitions:
        found = [f"partitions ({', '.join(part.name for part in device.partitions)})"]
    if found and not permissions.overwrite_signature:
        yield Problem(
            asked,
            f"carries {' and '.join(found)}: it may hold data that is needed",
            "look at it (lsblk --fs), then add --overwrite-signature if it may be lost",
        )


def device_contents(path: str, size_bytes: int) -> ContentsState:
    """Say from samples whether a device was ever written."""
    try:
        contents = check_contents(path, 0, size_bytes)
    except OSError:
        return "unknown"
    if not contents.zero_samples:
        return "written"
    return "never_written" if contents.zero_samples == contents.samples else "partly_zero"
