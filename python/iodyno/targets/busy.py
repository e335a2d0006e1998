"""Whether a block device is in use, and by what."""

from __future__ import annotations

from collections.abc import Iterator

from iodyno.targets.host import BlockDevice, Host


def why_busy(device: BlockDevice, host: Host) -> tuple[str, ...]:
    """Say everything that uses a device, its partitions or what is built on them.

    A partition is also in use where its whole device or a partition that overlaps it is;
    it is not where only its neighbours are.

    Returns
    -------
    tuple of str
        One clause for each use, ``/dev/sdb1 is mounted at /home``; empty where it is free.
    """
    return tuple(dict.fromkeys(reason for part in affected(device, host) for reason in _uses(part, host)))


def why_claimed(path: str, device: BlockDevice, host: Host) -> tuple[str, ...]:
    """Try the exclusive open that mounts, swap, arrays and ZFS pools also make: the last guard."""
    failure = host.exclusive_failure(path)
    if not failure:
        return ()
    nodes = [path, *(part.node for part in device.partitions)]
    if any("zfs_member" in host.signature(node).found for node in nodes):
        return (f"{path} is in use by ZFS: it {failure}",)
    return (f"{path} {failure}",)


def affected(device: BlockDevice, host: Host) -> list[BlockDevice]:
    """List every device whose data a write to a device would change, itself first."""
    waiting = [device, *device.partitions, *_around(device)]
    found: dict[str, BlockDevice] = {}
    while waiting:
        part = waiting.pop(0)
        if part.name not in found:
            found[part.name] = part
            for holder in host.holders(part):
                waiting += [holder, *holder.partitions]
    return list(found.values())


def _around(device: BlockDevice) -> Iterator[BlockDevice]:
    """Give the whole device of a partition and the partitions that overlap it."""
    if not device.is_partition:
        return
    yield device.disk
    start, end = device.range
    for sibling in device.disk.partitions:
        first, last = sibling.range
        if sibling.name != device.name and first < end and start < last:
            yield sibling


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
