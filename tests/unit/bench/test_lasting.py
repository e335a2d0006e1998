"""Points that last for a time by what plans and papers say of them do in the simulator, and no others do."""

from __future__ import annotations

import math
from typing import Any

import pytest

from iodyno import bench
from iodyno.analysis.lengths import beats_s, lasts_for_beats
from iodyno.plan import BesideLoad, PlannedTarget, Point, Stopping
from iodyno.profiles import Block, LoadProfile
from iodyno.study.configuration import Configuration
from iodyno.study.systems import resolve

BEAT_S = 2.0
"""In what time one of two disks of 15,000 revolutions per minute overtakes another that is 0.2 % slower."""
CACHED: dict[str, Any] = {"controller": "praid-ep420i", "backup_unit": True, "write": "always-write-back"}
WRITES, READS, BOTH = 0.0, 1.0, 0.5


def profile(read: float, random: float) -> LoadProfile:
    block = Block(bytes=64 << 10, weight=1.0)
    return LoadProfile(name="made", random_share=random, read_share=read, blocks=(block,))


@pytest.mark.parametrize(
    ("read", "load", "changes", "beats"),
    [
        (WRITES, {}, {}, 8),
        (BOTH, {}, {}, 8),
        (WRITES, {"random": 1.0}, {}, 0),
        (WRITES, {"random": 0.5}, {}, 8),
        (WRITES, {}, {"drive_cache": "on"}, 0),
        (WRITES, {"workers": 3}, CACHED, 0),
        (WRITES, {}, {"count": 1}, 0),
        (WRITES, {}, {"count": 2, "level": "1", "failed": [1]}, 0),
        (WRITES, {}, {"drive": "toshiba-px02smf040"}, 0),
        (READS, {}, {}, 0),
        (READS, {"workers": 2}, {}, 8),
        (READS, {"workers": 2}, CACHED, 8),
        (READS, {"workers": 2, "workers_area": "own"}, {}, 8),
        (READS, {"workers": 2, "workers_area": "stream"}, {}, 0),
        (READS, {"workers": 2, "workers_area": "stream"}, {"level": "10"}, 2),
        (READS, {"workers": 2, "workers_area": "stream", "outstanding": 1}, {"level": "10"}, 2),
        (READS, {}, {"level": "10"}, 2),
        (READS, {}, CACHED | {"level": "6"}, 2),
        (READS, {"outstanding": 1}, {"level": "10"}, 0),
        (READS, {"random": 1.0}, {"level": "10"}, 0),
        (READS, {}, {"level": "10", "drive": "toshiba-px02smf040"}, 0),
        (BOTH, {}, CACHED | {"level": "10"}, 2),
        (READS, {"beside": WRITES}, CACHED | {"level": "10"}, 2),
        (READS, {"workers": 2, "random": 1.0}, {}, 0),
        (READS, {"workers": 2}, {"drive": "toshiba-px02smf040"}, 0),
        (READS, {"beside": READS}, {}, 8),
        (READS, {"beside": WRITES}, CACHED, 0),
        (BOTH, {"beside": READS}, CACHED, 8),
    ],
)
def test_points_last_as_long_as_is_said(
    read: float, load: dict[str, Any], changes: dict[str, Any], beats: int
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
        index=0, sweep="s", system="disks", engine="simulator", seed=3,
        outstanding=load.get("outstanding", 2), workers=load.get("workers", 1),
        workers_area=load.get("workers_area", "shared"),
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
    assert beats_s(point, {"disks": system}) == pytest.approx(beats * BEAT_S)
    assert lasts_for_beats(point, {"disks": system}) == ({beats} if beats else set())
    series = bench.simulate_point(point, system).series
    lasted_s = series.window_s * len(series.reads)
    assert lasted_s >= beats * BEAT_S * (1 - 1e-6)
    assert lasted_s < {0: 2, 2: 8, 8: math.inf}[beats] * BEAT_S
