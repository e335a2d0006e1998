"""What holds of arrays whatever their numbers: less of an array is not faster, and a cache costs nothing."""

from __future__ import annotations

from functools import cache

import pytest

from iodyno import bench
from iodyno.catalog.resolve import resolve
from iodyno.catalog.tree import system_of
from iodyno.plan import PlannedTarget, Point, Stopping
from iodyno.profiles import STANDARD_LOADS, Block

OUTSTANDING = 64


@cache
def rate(level: str, kib: int, failed: tuple[int, ...] = (), write: str = "write-back") -> float:
    """Simulate random writes on eight SSDs; give IO/s."""
    logical = {"drive": "toshiba-px02smf040", "count": 8, "level": level, "failed": failed}
    controller = {
        "part": "praid-ep420i", "mode": "performance", "backup_unit": True, "write": write,
        "logical": [logical],
    }  # fmt: skip
    host = {"processor": "xeon-e5-2660-v3", "software": "windows-raw-megaraid"}
    system = resolve(system_of({"name": "laws", "host": host, "controller": [controller]}))
    size = system.volumes[0].size_bytes
    # A quarter of it: then the cache holds several dirty blocks of a stripe.
    target = PlannedTarget(
        path="volume", kind="virtual", size_bytes=size, area_length_bytes=size // 4 // 65536 * 65536
    )
    changes = {"read_share": 0.0, "blocks": (Block(bytes=kib * 1024),)}
    point = Point(
        index=0, sweep="laws", profile=STANDARD_LOADS["database"].profile.model_copy(update=changes),
        targets=(target,), outstanding=OUTSTANDING, workers=1, engine="simulator", seed=1, system="laws",
        stopping=Stopping(
            warmup_s=0, floor_s=1, cap_s=1, precision=0.01, confidence=0.95, warmup_ios=6000, floor_ios=6000,
            cap_ios=6000,
        ),
    )  # fmt: skip
    return bench.simulate_point(point, system).transaction_rate_io_s


@pytest.mark.parametrize("kib", [4, 8])
@pytest.mark.parametrize("level", ["5", "6", "50"])
def test_an_array_with_a_failed_member_is_not_faster(level: str, kib: int) -> None:
    # Where the controller is the limit it may be a little: an eighth of the writes have lost their parity,
    # and of RAID 6 a quarter one of both.
    eased = {"5": 1 / 8, "6": 2 / 8, "50": 1 / 8}[level]
    assert rate(level, kib, failed=(2,)) <= rate(level, kib) * (1 + eased)


@pytest.mark.parametrize("kib", [4, 8])
@pytest.mark.parametrize("level", ["5", "6"])
def test_write_back_asks_no_more_of_ssds_than_write_through(level: str, kib: int) -> None:
    assert rate(level, kib) >= 0.95 * rate(level, kib, write="write-through")
