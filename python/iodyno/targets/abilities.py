"""What the device behind a target can do beside reading and writing, and which processors are near it."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Any

from iodyno.targets.host import BlockDevice, Host, read_text
from iodyno.units import parse_cpus

_CONTROLLER = re.compile(r"nvme\d+")
"""Links of an NVMe subsystem to its controllers: ``nvme0``, not its namespace ``nvme0n1``."""


def abilities(device: BlockDevice | None, host: Host) -> dict[str, Any]:
    """Give the fields of a :class:`~iodyno.targets.record.Target` that a device decides."""
    if device is None:
        return {}
    disk = device.disk
    node = numa_node(disk, host)
    return {
        "discard_granularity_bytes": _discard_granularity_bytes(disk),
        "poll_queues": disk.read("queue/io_poll") == "1",
        "numa_node": node,
        "node_cpus": () if node is None else _near(node, host),
    }


def _discard_granularity_bytes(disk: BlockDevice) -> int:
    """Smallest trim in bytes; 0 where the device takes none."""
    if not int(disk.read("queue/discard_max_bytes") or 0):
        return 0
    return int(disk.read("queue/discard_granularity") or 0)


def numa_node(disk: BlockDevice, host: Host) -> int | None:
    """Give the NUMA node that a device hangs on; none where nothing tells, or its parts hang on several.

    An NVMe drive with several controllers (multipath) hangs on no node itself: its controllers do.
    """
    parts = sorted((disk.folder / "slaves").glob("*"))
    if parts:
        below = [host.named(part.name) for part in parts]
        return _in_common({numa_node(part.disk, host) if part else None for part in below})
    ways = [way for way in (disk.folder / "device").glob("nvme*") if _CONTROLLER.fullmatch(way.name)]
    if ways:
        return _in_common({_told(way / "numa_node") for way in ways})
    for folder in (disk.folder, *disk.folder.parents):
        for path in (folder / "device/numa_node", folder / "numa_node"):
            if read_text(path) is not None:
                return _told(path)
    return None


def _in_common(nodes: set[int | None]) -> int | None:
    return nodes.pop() if len(nodes) == 1 else None


def _told(path: Path) -> int | None:
    """Read a node; the kernel writes -1 where it knows none."""
    text = read_text(path) or ""
    return int(text) if text.isdigit() else None


def _near(node: int, host: Host) -> tuple[int, ...]:
    """Give the processors of a node that this process may use; none where the machine has one node only."""
    nodes = host.sys / "devices/system/node"
    if len(list(nodes.glob("node[0-9]*"))) < 2:
        return ()
    text = read_text(nodes / f"node{node}" / "cpulist")
    return tuple(sorted(set(parse_cpus(text)) & os.sched_getaffinity(0))) if text else ()
