"""What a controller computes of failed members, and what its cache keeps of reads: formulas and simulator."""

from __future__ import annotations

from typing import Any

import pytest

from iodyno import bench
from iodyno.catalog.changes import changed
from iodyno.catalog.resolve import resolve
from iodyno.catalog.tree import load_system, system_of
from iodyno.plan import PlannedTarget, Point, Stopping
from iodyno.prediction import predict
from iodyno.prediction.parity import mean_update
from iodyno.prediction.pieces import Shape, mean_computed
from iodyno.profiles import Block, LoadProfile
from iodyno.virtual import VirtualSystem

KIB = 1 << 10
STRIP = 64 * KIB


def rates(
    changes: dict[str, Any], kib: int, outstanding: int, random: float, mib: int
) -> tuple[float, float]:
    """Give the rate of reads by the formulas and by the simulator."""
    asked = {"controller": "praid-ep420i", "mode": "performance", "count": 8} | changes
    system = resolve(changed(load_system("raid-controllers"), asked))
    return rates_of_volumes(system, kib, outstanding, random, mib)


def rates_of_volumes(
    system: VirtualSystem, kib: int, outstanding: int, random: float, mib: int, read_share: float = 1.0
) -> tuple[float, float]:
    """Give the rate of accesses to all volumes by the formulas and by the simulator."""
    targets = tuple(
        PlannedTarget(
            path=volume.name, kind="virtual", size_bytes=volume.size_bytes, area_start_bytes=1 << 30,
            area_length_bytes=mib << 20,
        )
        for volume in system.volumes
    )  # fmt: skip
    profile = LoadProfile(
        name="made", random_share=random, read_share=read_share, blocks=(Block(bytes=kib * KIB, weight=1.0),)
    )
    point = Point(
        index=0, sweep="s", profile=profile, targets=targets, outstanding=outstanding, workers=1, seed=3,
        engine="simulator", system=system.name,
        stopping=Stopping(warmup_s=0, floor_s=1, cap_s=60, precision=0.01, confidence=0.95,
                          warmup_ios=4000, floor_ios=8000, cap_ios=8000),
    )  # fmt: skip
    calculated = predict(point, system, bench.solve_network).rate_io_s
    return calculated, bench.simulate_point(point, system).transaction_rate_io_s


@pytest.mark.parametrize(
    ("shape", "size", "lost", "telling"),
    [
        # One strip of eight has failed, and seven tell it.
        (Shape(7, 1, 1, STRIP, frozenset({3})), STRIP, STRIP / 8, 7 * STRIP / 8),
        # Of whole rows in seven of eight.
        (Shape(7, 1, 1, STRIP, frozenset({3})), 7 * STRIP, 7 * STRIP / 8, 49 * STRIP / 8),
        # Two beside each other are both parity in one row of eight, and both data in five of them.
        (Shape(6, 2, 1, STRIP, frozenset({2, 3})), 6 * STRIP, 12 * STRIP / 8, 42 * STRIP / 8),
        (Shape(7, 1, 1, STRIP), STRIP, 0, 0),
    ],
)
def test_what_is_computed_of_a_read(shape: Shape, size: int, lost: float, telling: float) -> None:
    assert mean_computed(shape, size, size) == pytest.approx((lost, telling))


def test_what_is_computed_of_a_write() -> None:
    """From the middle of a strip to that of the next, in RAID 6 of six with two lost that lie side by side.

    In three rows of six both are data. Each half of each is written by one place of four, and then as much of
    the other is told, by four. One lost strip is never told: the others, or the old ones, do without it.
    """
    shape = Shape(4, 2, 1, STRIP, frozenset({3, 4}))
    stays = 3 / 6 * 4 / 4 * STRIP / 2
    assert mean_update(shape, STRIP, STRIP, STRIP // 2).computed == pytest.approx((stays, 4 * stays))
    for one in (Shape(3, 1, 1, STRIP, frozenset({3})), Shape(4, 2, 1, STRIP, frozenset({3}))):
        assert mean_update(one, STRIP, STRIP, STRIP // 2).computed == (0, 0)


@pytest.mark.parametrize(
    ("level", "failed", "random", "kib"),
    [
        ("5", [0], 0.0, 64),
        ("5", [0], 0.0, 1024),
        ("5", [0], 1.0, 1024),
        ("6", [0, 3], 0.0, 64),
        ("6", [0, 3], 1.0, 1024),
    ],
)
def test_what_failed_members_had_is_computed(level: str, failed: list[int], random: float, kib: int) -> None:
    """The engine of parity is the limit here: whole arrays read up to twice as much."""
    drives = {"drive": "toshiba-px02smf040", "level": level, "failed": failed}
    calculated, simulated = rates(drives, kib, 128, random, 65536)
    assert calculated == pytest.approx(simulated, rel=0.02)


@pytest.mark.parametrize("random", [0.0, 1.0])
@pytest.mark.parametrize(
    ("level", "count", "failed"),
    [("5", 8, [0]), ("6", 4, [0]), ("6", 8, [0, 1]), ("50", 8, [0]), ("60", 8, [0]), ("60", 8, [0, 1])],
)
def test_who_reads_for_failed_members_is_the_limit(
    level: str, count: int, failed: list[int], random: float
) -> None:
    """Members of a group read for it alone, and of two strips no more than what is wanted."""
    drives = {
        "drive": "intel-ssdsc2ba400g3c", "level": level, "count": count, "failed": failed,
        "mode": "fast-path-optimum",
    }  # fmt: skip
    calculated, simulated = rates(drives, 16, 128, random, 65536)
    assert calculated == pytest.approx(simulated, rel=0.05)


@pytest.mark.parametrize("random", [0.0, 0.5, 1.0])
@pytest.mark.parametrize("read", ["read-ahead", "no-read-ahead"])
def test_reads_of_what_is_all_in_the_cache(read: str, random: float) -> None:
    """Nothing is read of the disks then, and nothing fetched."""
    disks = {
        "drive": "hgst-huc156045css204", "level": "5", "cache": "cached", "write": "write-back", "read": read
    }  # fmt: skip
    for outstanding in (1, 64):
        calculated, simulated = rates(disks, 64, outstanding, random, 256)
        assert calculated == pytest.approx(simulated, rel=0.01)


def test_a_stream_finds_what_it_left_only_where_all_is_there() -> None:
    """More than the cache holds is read of the disks, all of it."""
    disks = {"drive": "hgst-huc156045css204", "level": "5", "cache": "cached", "read": "no-read-ahead"}
    calculated, simulated = rates(disks, 64, 64, 0.0, 4096)
    assert calculated == pytest.approx(simulated, rel=0.02)


@pytest.mark.parametrize("levels", [("0", "0"), ("0", "1", "0"), ("5",)])
def test_logical_drives_that_use_a_cache_have_equal_parts_of_it(levels: tuple[str, ...]) -> None:
    """Of an area as large as the whole cache each finds its part, and reads the rest of its disks."""
    logicals = [
        {"drive": "hgst-huc156045css204", "count": 3 if level == "5" else 2, "level": level}
        for level in levels
    ]
    controller = {
        "part": "praid-ep420i", "cache": "cached", "read": "no-read-ahead", "write": "write-through",
        "logical": logicals,
    }  # fmt: skip
    system = resolve(system_of({
        "name": "several", "controller": [controller],
        "host": {"processor": "xeon-e5-2660-v3", "processors": 2, "software": "windows-raw-megaraid"},
    }))  # fmt: skip
    mib = system.controllers[0].cache_bytes >> 20
    calculated, simulated = rates_of_volumes(system, 4, 32, 1.0, mib)
    assert calculated == pytest.approx(simulated, rel=0.05)
