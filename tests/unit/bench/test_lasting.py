"""Points that last for a time by what plans and papers say of them do in the simulator, and no others do."""

from __future__ import annotations

from typing import Any

import pytest

from iodyno import bench
from iodyno.analysis.lengths import beats_s
from iodyno.plan import BesideLoad, PlannedTarget, Point, Stopping
from iodyno.profiles import Block, LoadProfile
from iodyno.study.configuration import Configuration
from iodyno.study.systems import resolve

BEATS_S = 16.0
"""Eight times the 2 s in which one of two disks of 15,000 revolutions per minute overtakes another that is
0.2 % slower."""
CACHED: dict[str, Any] = {"controller": "praid-ep420i", "backup_unit": True, "write": "always-write-back"}
WRITES, READS, BOTH = 0.0, 1.0, 0.5


def profile(read: float, random: float) -> LoadProfile:
    block = Block(bytes=64 << 10, weight=1.0)
    return LoadProfile(name="made", random_share=random, read_share=read, blocks=(block,))


@pytest.mark.parametrize(
    ("read", "load", "changes", "lasts"),
    [
        (WRITES, {}, {}, True),
        (BOTH, {}, {}, True),
        (WRITES, {"random": 1.0}, {}, False),
        (WRITES, {"random": 0.5}, {}, True),
        (WRITES, {}, {"drive_cache": "on"}, False),
        (WRITES, {"workers": 3}, CACHED, False),
        (WRITES, {}, {"count": 1}, False),
        (WRITES, {}, {"count": 2, "level": "1", "failed": [1]}, False),
        (WRITES, {}, {"drive": "toshiba-px02smf040"}, False),
        (READS, {}, {}, False),
        (READS, {"workers": 2}, {}, True),
        (READS, {"workers": 2}, CACHED, True),
        (READS, {"workers": 2, "workers_area": "own"}, {}, True),
        (READS, {"workers": 2, "workers_area": "stream"}, {}, False),
        (READS, {"workers": 2, "random": 1.0}, {}, False),
        (READS, {"workers": 2}, {"drive": "toshiba-px02smf040"}, False),
        (READS, {"beside": READS}, {}, True),
        (READS, {"beside": WRITES}, CACHED, False),
        (BOTH, {"beside": READS}, CACHED, True),
    ],
)
def test_points_last_as_long_as_is_said(
    read: float, load: dict[str, Any], changes: dict[str, Any], lasts: bool
) -> None:
    plain = {"controller": "praid-cp400i", "backup_unit": False, "drive_cache": "off", "count": 4}
    drives = {"drive": "hgst-huc156045css204", "level": "0"}
    system = resolve(Configuration(name="disks", system="raid-controllers", changes=plain | drives | changes))
    volume = system.volumes[0]
    target = PlannedTarget(
        path=volume.name, kind="virtual", size_bytes=volume.size_bytes, area_length_bytes=8 << 30
    )
    besides = [load["beside"]] if "beside" in load else []
    point = Point(
        index=0, sweep="s", system="disks", engine="simulator", seed=3, outstanding=2,
        workers=load.get("workers", 1), workers_area=load.get("workers_area", "shared"),
        profile=profile(read, load.get("random", 0.0)), targets=(target,) * (1 + len(besides)),
        beside=tuple(
            BesideLoad(profile=profile(one, 0.0), targets=1, outstanding=2, workers=1, seed=4)
            for one in besides
        ),
        stopping=Stopping(
            warmup_s=0, floor_s=1, cap_s=1, precision=0.05, confidence=0.95, warmup_ios=200, floor_ios=200,
            cap_ios=400,
        ),
    )  # fmt: skip
    assert beats_s(point, {"disks": system}) == pytest.approx(BEATS_S if lasts else 0.0)
    series = bench.simulate_point(point, system).series
    lasted_s = series.window_s * len(series.reads)
    assert lasted_s >= BEATS_S * (1 - 1e-6) if lasts else lasted_s < BEATS_S / 2
