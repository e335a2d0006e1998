"""Copies in a host, and points that read them."""

from __future__ import annotations

from typing import Any

from iodyno.catalog.resolve import resolve
from iodyno.catalog.tree import system_of
from iodyno.plan import PlannedTarget, Point, Stopping
from iodyno.profiles import Block, LoadProfile
from iodyno.virtual import VirtualSystem


def mirrored(level: str, count: int, software: str = "linux-nvme", **drives: Any) -> VirtualSystem:
    host = {"processor": "xeon-e5-2660-v3", "processors": 2, "software": software}
    group = {"drive": "intel-p3700-1600", "count": count, "level": level, **drives}
    return resolve(system_of({"name": "made-up", "host": host, "drives": [group]}))


def reading(system: VirtualSystem, workers: int, outstanding: int = 1, kib: int = 64, **more: Any) -> Point:
    size = system.volumes[0].size_bytes
    target = PlannedTarget(
        path=system.volumes[0].name, kind="virtual", size_bytes=size, area_length_bytes=size // 4 >> 20 << 20
    )
    profile = LoadProfile(
        name="made", random_share=0.0, read_share=1.0, blocks=(Block(bytes=kib << 10, weight=1.0),)
    )
    stopping = Stopping(
        warmup_s=0, floor_s=1, cap_s=10, precision=0.02, confidence=0.95, warmup_ios=4000, floor_ios=4000,
        cap_ios=8000,
    )  # fmt: skip
    return Point(
        index=0, sweep="s", profile=profile, outstanding=outstanding, workers=workers, seed=1,
        system="made-up", engine="simulator", targets=(target,), stopping=stopping, **more,
    )  # fmt: skip
