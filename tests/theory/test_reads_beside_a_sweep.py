"""Random reads and writes mixed into a write-back cache before disks whose caches are on.

The controller hands disks their dirty blocks in order of position; a disk writes them in runs as they pass
under the head, however many reads wait, and goes to those between the runs.
"""

from __future__ import annotations

import pytest

from iodyno import bench
from iodyno.catalog.resolve import resolve
from iodyno.catalog.tree import system_of
from iodyno.plan import PlannedTarget, Point, Stopping
from iodyno.prediction import predict
from iodyno.prediction.rough import rough
from iodyno.prediction.sweep import Track, mean_way_s
from iodyno.profiles import Block, LoadProfile

SEED = 20_261_128


@pytest.mark.parametrize("drive", ["sas-12g-hdd-450-15k", "seagate-st91000640ns"])
@pytest.mark.parametrize(("level", "count"), [("0", 2), ("1", 2), ("10", 4)])
@pytest.mark.parametrize("area", [0.01, 0.05, 0.25])
@pytest.mark.parametrize("read_share", [0.1, 0.5, 0.9])
def test_reads_among_writes_that_a_cache_gathers(
    drive: str, level: str, count: int, area: float, read_share: float
) -> None:
    logical = {"drive": drive, "count": count, "level": level}
    controller = {"part": "praid-ep420i", "mode": "performance", "logical": [logical]}
    host = {"processor": "xeon-e5-2660-v3", "software": "windows-raw-megaraid"}
    system = resolve(system_of({"name": "made-up", "host": host, "controller": [controller]}))
    (volume,) = system.volumes
    target = PlannedTarget(
        path=volume.name, kind="virtual", size_bytes=volume.size_bytes,
        area_length_bytes=int(volume.size_bytes * area) >> 20 << 20,
    )  # fmt: skip
    profile = LoadProfile(
        name="made", random_share=1.0, read_share=read_share, blocks=(Block(bytes=4096, weight=1.0),)
    )
    stopping = Stopping(
        warmup_s=0, floor_s=1, cap_s=600, precision=0.01, confidence=0.95,
        warmup_ios=20_000, floor_ios=20_000, cap_ios=20_000,
    )  # fmt: skip
    point = Point(
        index=0, sweep="s", profile=profile, targets=(target,), outstanding=32, workers=1, seed=SEED,
        engine="simulator", system="made-up", stopping=stopping,
    )  # fmt: skip
    simulated = bench.simulate_point(point, system).transaction_rate_io_s
    small = target.area_length_bytes <= 8 * system.controllers[0].cache_bytes
    assert bool(rough(point, system, bench.solve_network)) == small
    # Where most of a small area is dirty, a sweep on slow disks takes up to a third longer than reckoned.
    near = 0.25 if area > 0.01 else 0.4
    assert predict(point, system, bench.solve_network).rate_io_s == pytest.approx(simulated, rel=near), SEED


class Even:
    """A seek that always takes as long."""

    def time_s(self, _: float) -> float:
        return 1e-3


@pytest.mark.parametrize("between", [0.0, 0.5, 1.0, 4.0])
def test_who_reads_between_blocks_that_lie_apart_comes_back_for_each(between: float) -> None:
    """No two lie on a track: each is a run by itself, and reached from a read as often as one is between."""
    track = Track(revolution_s=4e-3, bytes=1e6, cylinder_bytes=4e6, cylinders=1e5)
    apart = {"settle_s": 0.0, "gap_bytes": 1e9, "spacing_bytes": 1e9, "choices": 1, "missed": 0.0}
    alone = mean_way_s(track, Even(), **apart)
    # A seek, and half a revolution.
    assert alone == pytest.approx(1e-3 + 2e-3, rel=0.02)
    found = mean_way_s(track, Even(), **apart, between=between, back_s=5e-3)
    assert found == pytest.approx((alone + between * 5e-3) / (1 + between), rel=1e-3)
