"""Where in sysfs a block device, its controller and the hardware above it are."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from pathlib import Path

from iodyno.system.file_systems import mount_of
from iodyno.system.host import ABSENT, Host, Missing, children
from iodyno.system.records import TargetLike

_BY_NAME = (
    ("nvme", "nvme"), ("loop", "loop"), ("dm-", "device mapper"), ("md", "md"), ("zram", "zram"),
    ("ram", "ram"), ("mmcblk", "mmc"), ("xvd", "xen"), ("nbd", "nbd"), ("vd", "virtio"),
)  # fmt: skip
_BY_PATH = (
    (r"/ata\d", "sata"), (r"/end_device-", "sas"), (r"/usb\d", "usb"), (r"/virtio\d", "virtio-scsi"),
    (r"/session\d", "iscsi"),
)  # fmt: skip
VIRTUAL_KINDS = frozenset({"loop", "device mapper", "md", "zram", "ram", "nbd"})
"""Kinds without hardware of their own."""


def block(host: Host, device: str) -> Path:
    """Give the folder of a block device or partition, links left as they are."""
    return host.sys / "class/block" / device


def kind(host: Host, device: str) -> str:
    """Tell what kind of device it is: ``nvme``, ``sata``, ``sas``, ``virtio``, ``loop`` …"""
    for start, name in _BY_NAME:
        if device.startswith(start):
            return name
    path = str(block(host, device).resolve())
    for pattern, name in _BY_PATH:
        if re.search(pattern, path):
            return name
    return "scsi" if device.startswith("sd") else "other"


def slaves(host: Host, device: str) -> list[str]:
    """List the devices that a stacked device (LVM, md, dm-crypt) stands on."""
    found = []
    for path in children(block(host, device) / "slaves"):
        whole = _whole(path)
        found += [whole, *slaves(host, whole)]
    return list(dict.fromkeys(found))


def _whole(path: Path) -> str:
    """Give the whole device that a partition is on; its folder lies in that of the device."""
    real = path.resolve()
    return real.parent.name if (real / "partition").exists() else path.name


def devices_of(host: Host, targets: Iterable[TargetLike]) -> list[str]:
    """List the distinct devices behind targets, each followed by those that it stands on.

    A loop device that goes past the page cache stands on what its file lies on; at one that does not, direct
    I/O ends.
    """
    waiting = [target.device for target in targets if target.device]
    names: dict[str, None] = {}
    while waiting:
        name = waiting.pop(0)
        if name not in names:
            names[name] = None
            waiting = [*slaves(host, name), *_below_loop(host, name), *waiting]
    return list(names)


def reached(host: Host, device: str) -> dict[str, bool]:
    """List what I/Os to a device or partition reach, itself included, and whether each of them does once.

    Of a partition that is its device too. What stands on one device hands on all that it gets (LVM, dm-crypt,
    a loop device past the page cache); of several (an array), and below the page cache, nobody knows how much
    each gets.
    """
    waiting, found = [(device, True)], dict[str, bool]()
    while waiting:
        name, once = waiting.pop(0)
        if name in found:
            continue
        found[name] = once
        folder = block(host, name).resolve()
        below = children(folder / "slaves")
        once = once and len(below) <= 1
        if (folder / "partition").exists():
            below = [folder.parent]
        elif kind(host, name) == "loop":
            try:
                below, once = _backing(host, name), once and goes_direct(host, name)
            except Missing:
                below = []
        waiting += [(path.name, once) for path in below]
    return found


def goes_direct(host: Host, loop: str) -> bool:
    """Tell whether a loop device reads and writes its file past the page cache.

    Raises
    ------
    Missing
        If nothing is attached to it.
    """
    return host.flag(block(host, loop) / "loop/dio")


def _below_loop(host: Host, loop: str) -> list[str]:
    """List the device that the file of a direct loop device lies on, where that is known."""
    try:
        return [_whole(entry) for entry in _backing(host, loop)] if goes_direct(host, loop) else []
    except Missing:
        return []


def _backing(host: Host, loop: str) -> list[Path]:
    """List the device or partition that the file of a loop device lies on, where that is known.

    Raises
    ------
    Missing
        If nothing is attached to it, or nothing tells what the file lies on.
    """
    file = Path(host.text(block(host, loop) / "loop/backing_file"))
    return _of_node(host, file) or _of_mount(host, file)


def _of_node(host: Host, file: Path) -> list[Path]:
    """List the device that a file is the node of, if it is one."""
    if Path("/dev") not in file.parents:
        return []
    real = (host.dev / file.relative_to("/dev")).resolve()
    entry = block(host, real.name)
    return [entry.resolve()] if real.parent == host.dev.resolve() and entry.exists() else []


def _of_mount(host: Host, file: Path) -> list[Path]:
    """List the device of the file system that a file is on, if it has one."""
    mount = mount_of(host, file)
    entry = host.sys / "dev/block" / mount["number"]
    if entry.exists():
        return [entry.resolve()]
    return _of_node(host, Path(mount["source"]))  # of btrfs the number is that of no device


def controllers(host: Host, device: str) -> list[Path]:
    """List the NVMe controllers of a namespace: several with multipath."""
    parent = (block(host, device) / "device").resolve()
    if re.fullmatch(r"nvme\d+", parent.name):
        return [parent]
    return [path.resolve() for path in children(parent) if re.fullmatch(r"nvme\d+", path.name)]


def request_folders(host: Host, device: str) -> list[Path]:
    """List the folders whose queues take the requests of a device.

    That is its own, but for an NVMe namespace with multipath, which only hands on: there it
    is the hidden device of each path (``nvme0c1n1``), which has queues and counters.
    """
    head = re.fullmatch(r"nvme(\d+)n(\d+)", device)
    if not head:
        return [block(host, device)]
    pattern = f"nvme{head[1]}c*n{head[2]}"
    paths = [path for controller in controllers(host, device) for path in children(controller, pattern)]
    return paths or [block(host, device)]


def hardware(host: Host, device: str) -> Path:
    """Give the real folder that the way up to the hardware begins at."""
    found = controllers(host, device) if device.startswith("nvme") else []
    return found[0] if found else block(host, device).resolve()


def upwards(host: Host, start: Path) -> Iterator[Path]:
    """Yield a folder and those above it, up to the root of all devices."""
    top = (host.sys / "devices").resolve()
    for path in (start, *start.parents):
        if path == top or top not in path.parents:
            return
        yield path


def above_with(host: Host, device: str, name: str) -> Path:
    """Find the nearest folder above a device that holds ``name``.

    Raises
    ------
    Missing
        If there is none.
    """
    for path in upwards(host, hardware(host, device)):
        if (path / name).exists():
            return path
    raise Missing(ABSENT)


def temperature_folders(host: Host, device: str) -> list[Path]:
    """List the hwmon folders of a drive: those of its NVMe controllers, or of drivetemp."""
    parents = controllers(host, device) or [block(host, device) / "device"]
    found: list[Path] = []
    for parent in parents:
        folders = children(parent, "hwmon[0-9]*") + children(parent / "hwmon", "hwmon[0-9]*")
        found += [folder for folder in folders if (folder / "temp1_input").exists()]
    return found
