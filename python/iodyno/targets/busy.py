"""Whether a block device is in use, and by what."""

from __future__ import annotations

from collections.abc import Iterator

from iodyno.targets.host import BlockDevice, Host
from iodyno.targets.storage import Loops, beneath, extent_of, read_loops, sharing, unseen_by


def why_busy(device: BlockDevice, host: Host) -> tuple[str, ...]:
    """Say everything that uses a device, its partitions, what is built on them or what it lies on.

    A partition is also in use where its whole device or a partition that overlaps it is;
    it is not where only its neighbours are. A loop device is in use where what it lies on is, or another
    one that lies there too.

    Returns
    -------
    tuple of str
        One clause for each use, ``/dev/sdb1 is mounted at /home``; empty where it is free.
    """
    loops = read_loops(host)
    uses = _all_uses(device, host, loops)
    return tuple(dict.fromkeys(uses))


def _all_uses(device: BlockDevice, host: Host, loops: Loops) -> Iterator[str]:
    parts = _affected(device, host, loops)
    names = {part.name for part in parts}
    own = {part.disk.name for part in (device, *beneath(device, host, loops))}
    over = [loop for loop in loops.values() if loop.device.name in names and loop.device.name not in own]
    for part in parts:
        yield from _uses(part, host)
        for loop in over:
            if loop.behind == part.number:
                yield f"{part.node} is held by {holder_kind(loop.device)}"
    lies_on = extent_of(device, host, loops).lies_on
    for loop in over:
        if loop.behind == lies_on and host.device(lies_on) is None:
            yield f"the file behind {device.node} is behind {loop.device.node} too"
    for swap in host.swaps():
        if host.file_of(swap.path) == lies_on:
            yield f"the file behind {device.node} is in use as swap"
    for loop in unseen_by(device, host, loops):
        yield f"{loop.device.node} may lie on it: it is attached to {loop.path}, which is out of sight here"


def why_claimed(path: str, device: BlockDevice, host: Host) -> tuple[str, ...]:
    """Try the exclusive open that mounts, swap, arrays and ZFS pools also make: the last guard.

    It also shows what is mounted where this process does not see it.
    """
    failure = host.exclusive_failure(path)
    if failure:
        nodes = [path, *(part.node for part in device.partitions)]
        if any("zfs_member" in host.signature(node).found for node in nodes):
            return (f"{path} is in use by ZFS: it {failure}",)
        return (f"{path} {failure}",)
    failures = ((part.node, host.exclusive_failure(part.node)) for part in _elsewhere(device, host))
    return tuple(f"{node} {failure}" for node, failure in failures if failure)


def _elsewhere(device: BlockDevice, host: Host) -> Iterator[BlockDevice]:
    """Give the devices of other disks that share a device's storage: its own disk is claimed with it.

    Of a disk with partitions those that share it: another of them may be in use.
    """
    others = [part for part in sharing(device, host, read_loops(host)) if part.disk.name != device.disk.name]
    divided = {part.disk.name for part in others if part.is_partition}
    return (part for part in others if part.is_partition or part.name not in divided)


def _affected(device: BlockDevice, host: Host, loops: Loops) -> list[BlockDevice]:
    """List every device whose data a write to a device would change, itself first."""
    waiting = [device, *device.partitions, *_whole(device), *sharing(device, host, loops)]
    found: dict[str, BlockDevice] = {}
    while waiting:
        part = waiting.pop(0)
        if part.name not in found:
            found[part.name] = part
            for holder in host.holders(part):
                waiting += [holder, *holder.partitions, *sharing(holder, host, loops)]
    return list(found.values())


def _whole(device: BlockDevice) -> Iterator[BlockDevice]:
    if device.is_partition:
        yield device.disk


def _uses(part: BlockDevice, host: Host) -> Iterator[str]:
    for mount in host.mounts():
        if part.number in (mount.number, host.number_of(mount.source)):
            yield f"{part.node} is mounted at {mount.point}"
    for swap in host.swaps():
        if host.number_of(swap.path) == part.number:
            yield f"{part.node} is in use as swap"
    if uuid := host.btrfs_members().get(part.name):
        yield f"{part.node} is part of the mounted btrfs {uuid}"
    for holder in host.holders(part):
        yield f"{part.node} is held by {holder_kind(holder)}"


def holder_kind(holder: BlockDevice) -> str:
    """Name what is built on a device: md, LVM, device mapper, a loop device.

    A holder's directory in sysfs tells its driver.
    """
    if (holder.folder / "md").exists():
        return f"the md array {holder.name}"
    if (holder.folder / "dm").exists():
        name = holder.read("dm/name") or holder.name
        lvm = (holder.read("dm/uuid") or "").startswith("LVM-")
        return f"the LVM volume {name}" if lvm else f"the device mapper's {name}"
    if (holder.folder / "loop").exists():
        return f"the loop device {holder.name}"
    return holder.name
