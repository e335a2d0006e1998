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
        "processor": {"c220": "xeon-e3-1240-v3", "c236": "xeon-e3-1240-v5"}.get(
            controller, "xeon-e5-2660-v3"
        ),
        "software": f"windows-{'onboard-raid' if onboard else 'raw-megaraid'}",
    }
    tree = {"name": "made", "host": host, "controller": [{"part": controller, "logical": [logical]}]}
    assert _ask(resolve(system_of(tree))) > 0


@pytest.mark.parametrize(
    ("level", "count", "strip", "drive"),
    [
        ("1", 2, "256k", "seagate-exos-x20-20tb"),
        ("5", 4, "64k", "toshiba-px02smf040"),
        ("10", 8, "64k", "toshiba-px02smf040"),
    ],
)
def test_a_cache_takes_no_more_than_it_has_room_for(level: str, count: int, strip: str, drive: str) -> None:
    """Of random writes to 4 GiB a cache of 1.7 GiB takes two fifths; the others reach the drives.

    Blocks of 512 kB that begin anywhere lie on each other and over the ends of stripes: what was counted as
    free twice was taken for room, until nothing was destaged at all.
    """
    rates = {}
    for write in ("write-through", "write-back"):
        logical = {"drive": drive, "count": count, "level": level, "strip": strip}
        controller = {"part": "praid-ep420i", "backup_unit": True, "mode": "performance", "write": write}
        system = resolve(
            system_of(
                {
                    "name": write,
                    "host": {"processor": "xeon-e5-2660-v3", "software": "windows-raw-megaraid"},
                    "controller": [{**controller, "logical": [logical]}],
                }
            )
        )
        (volume,) = system.volumes
        target = PlannedTarget(
            path=volume.name, kind="virtual", size_bytes=volume.size_bytes, area_length_bytes=4 << 30
        )
        profile = STANDARD_LOADS["random-write-4k"].profile
        block = profile.blocks[0].model_copy(update={"bytes": 512 << 10})
        stopping = Stopping(
            warmup_s=0, floor_s=1, cap_s=1, precision=0.5, confidence=0.95, warmup_ios=12_000,
            floor_ios=12_000, cap_ios=12_000,
        )  # fmt: skip
        point = Point(
            index=0, sweep="asked", profile=profile.model_copy(update={"blocks": (block,)}),
            targets=(target,), outstanding=32, workers=1, engine="simulator", stopping=stopping, seed=1,
            system=system.name,
        )  # fmt: skip
        reading = bench.simulate_point(point, system)
        rates[write] = reading.transaction_rate_io_s
    # In order and side by side they take less of the drives as well, a third at most.
    assert 1 < rates["write-back"] / rates["write-through"] < 1.5 / (1 - 1715 / 4096)
