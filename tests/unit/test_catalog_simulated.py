"""The simulator takes every shipped system, and every level that a controller has."""

from __future__ import annotations

from typing import Any

import pytest

from iodyno import bench
from iodyno.catalog.changes import changed
from iodyno.catalog.parts import ControllerPart, DrivePart
from iodyno.catalog.resolve import resolve
from iodyno.catalog.shelf import shipped
from iodyno.catalog.tree import load_system, shipped_systems, system_of
from iodyno.plan import PlannedTarget, Point, Stopping
from iodyno.profiles import STANDARD_LOADS
from iodyno.virtual import VirtualSystem

DATABASE = STANDARD_LOADS["database"].profile
COUNTS = {"JBOD": 2, "0": 3, "1": 2, "1E": 3, "10": 4, "5": 3, "6": 4, "50": 6, "60": 8}
LEVELS = [
    (part.name, level) for part in shipped().of(ControllerPart) for level in part.levels
    if COUNTS[level] <= part.lanes.value
]  # fmt: skip


def _ask(system: VirtualSystem) -> int:
    """Simulate a few hundred I/Os on all volumes, each over its whole size, and count them."""
    targets = tuple(
        PlannedTarget(
            path=volume.name, kind="virtual", size_bytes=volume.size_bytes,
            area_length_bytes=volume.size_bytes // 4096 * 4096,
        )
        for volume in system.volumes
    )  # fmt: skip
    stopping = Stopping(
        warmup_s=0,
        floor_s=1,
        cap_s=1,
        precision=0.5,
        confidence=0.95,
        warmup_ios=0,
        floor_ios=300,
        cap_ios=300,
    )
    point = Point(
        index=0, sweep="asked", profile=DATABASE, targets=targets, outstanding=4, workers=1,
        engine="simulator", stopping=stopping, seed=1, system=system.name,
    )  # fmt: skip
    reading = bench.simulate_point(point, system)
    return reading.reads.completed + reading.writes.completed


@pytest.mark.parametrize("name", shipped_systems())
def test_every_shipped_system_is_taken(name: str) -> None:
    assert _ask(resolve(load_system(name))) > 0


@pytest.mark.parametrize("drive", [part.name for part in shipped().of(DrivePart)])
def test_every_drive_is_taken(drive: str) -> None:
    base = "p3700" if "PCIe" in shipped().take(drive, DrivePart).interface else "raid-single-drive"
    assert _ask(resolve(changed(load_system(base), {"drive": drive}))) > 0


@pytest.mark.parametrize(("controller", "level"), LEVELS)
def test_every_level_holds_what_the_catalogue_says(controller: str, level: str) -> None:
    """The simulator refuses a logical drive that is larger than its array."""
    onboard = shipped().take(controller, ControllerPart).kind == "onboard"
    logical: dict[str, Any] = {"drive": "seagate-st91000640ns", "count": COUNTS[level], "level": level}
    host = {
        "processor": "xeon-e5-2660-v3",
        "software": f"windows-{'onboard-raid' if onboard else 'raw-megaraid'}",
    }
    tree = {"name": "made", "host": host, "controller": [{"part": controller, "logical": [logical]}]}
    assert _ask(resolve(system_of(tree))) > 0
