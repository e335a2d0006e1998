"""One write at a time, in order, on disks that have their turns and no cache: each waits for its sector."""

from __future__ import annotations

import statistics

import pytest

from iodyno import bench
from iodyno.catalog.resolve import resolve
from iodyno.catalog.tree import system_of
from iodyno.plan import PlannedTarget, Point, Stopping
from iodyno.prediction import predict
from iodyno.prediction.accesses import Access, Load
from iodyno.prediction.raid import ArrayMap
from iodyno.profiles import Block, LoadProfile
from iodyno.virtual import Array, PrimaryReads, VirtualSystem

KIB = 1024
STRIP = 64 * KIB


@pytest.mark.parametrize(
    ("level", "members", "kib", "turns"),
    [
        ("0", 8, 64, 1),
        ("0", 8, 16, 1 / 4),  # three of four follow on the same disk
        ("0", 4, 128, 1),
        ("0", 2, 128, 0),  # both again
        ("0", 3, 128, 0),  # one of them again
        ("10", 8, 64, 1),
        ("10", 4, 128, 0),
        ("1", 2, 64, 0),
        ("5", 4, 64, 0),
    ],
)
def test_which_writes_go_to_other_disks(level: str, members: int, kib: int, turns: float) -> None:
    array = Array.model_validate(
        {
            "level": level, "drives": tuple(range(members)), "groups": 1, "strip_bytes": STRIP,
            "mirror_read": PrimaryReads(), "failed": (), "rebuild_bytes_s": 0,
        }
    )  # fmt: skip
    load = Load(1.0, 1, 0.0, 0.0, kib * KIB, 1 << 40, 0, (Access(1.0, True, kib * KIB, 4 * KIB),))
    assert ArrayMap(array, load).turns == pytest.approx(turns)


def disks(level: str, count: int) -> VirtualSystem:
    host = {"processor": "xeon-e5-2660-v3", "software": "windows-raw-megaraid"}
    logical = {"drive": "hgst-huc156045css204", "count": count, "level": level}
    controller = {"part": "praid-cp400i", "drive_cache": "off", "logical": [logical]}
    return resolve(system_of({"name": "made-up", "host": host, "controller": [controller]}))


def writes(system: VirtualSystem, kib: int, length: int) -> Point:
    (volume,) = system.volumes
    target = PlannedTarget(
        path=volume.name, kind="virtual", size_bytes=volume.size_bytes, area_length_bytes=length
    )
    return Point(
        index=0, sweep="s", outstanding=1, workers=1, seed=length, system="made-up", engine="simulator",
        profile=LoadProfile(
            name="made", random_share=0.0, read_share=0.0, blocks=(Block(bytes=kib * KIB, weight=1.0),)
        ),
        targets=(target,),
        stopping=Stopping(
            warmup_s=0, floor_s=1, cap_s=60, precision=0.02, confidence=0.95, warmup_ios=500, floor_ios=2000,
            cap_ios=2000,
        ),
    )  # fmt: skip


@pytest.mark.parametrize(
    ("level", "count", "kib"),
    [("0", 4, 16), ("0", 8, 16), ("0", 2, 64), ("0", 8, 64), ("10", 8, 64), ("0", 8, 128)],
)
def test_the_simulator_waits_as_long_on_average(level: str, count: int, kib: int) -> None:
    """Where disks stand is chance: over several areas. Half of the rate at 64 kB was said."""
    system = disks(level, count)
    points = [writes(system, kib, length << 30) for length in (40, 50, 60, 70, 80, 90)]
    simulated = statistics.harmonic_mean(
        [bench.simulate_point(point, system).transaction_rate_io_s for point in points]
    )
    assert predict(points[0], system, bench.solve_network).rate_io_s == pytest.approx(simulated, rel=0.15)
