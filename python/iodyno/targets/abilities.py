"""What the device behind a target can do beside reading and writing, and which processors are near it."""

from __future__ import annotations

import os
from typing import Any

from iodyno.targets.host import BlockDevice, Host, read_text
from iodyno.units import parse_cpus


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
    """Give the NUMA node that a device hangs on; none where nothing tells, or its parts hang on several."""
    parts = sorted((disk.folder / "slaves").glob("*"))
    if parts:
        below = [host.named(part.name) for part in parts]
        nodes = {numa_node(part.disk, host) if part else None for part in below}
        return nodes.pop() if len(nodes) == 1 else None
    for folder in (disk.folder, *disk.folder.parents):
        text = read_text(folder / "device/numa_node") or read_text(folder / "numa_node")
        if text is not None and text.lstrip("-").isdigit():
            return int(text) if int(text) >= 0 else None
    return None


def _near(node: int, host: Host) -> tuple[int, ...]:
    """Give the processors of a node that this process may use; none where the machine has one node only."""
    nodes = host.sys / "devices/system/node"
    if len(list(nodes.glob("node[0-9]*"))) < 2:
        return ()
    text = read_text(nodes / f"node{node}" / "cpulist")
    return tuple(sorted(set(parse_cpus(text)) & os.sched_getaffinity(0))) if text else ()
