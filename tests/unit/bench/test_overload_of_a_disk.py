"""The verdict on short open loops on one hard disk: an I/O takes long, some are under way at the end."""

from __future__ import annotations

from collections import Counter
from functools import cache

import pytest

from iodyno import bench
from iodyno.catalog.resolve import resolve
from iodyno.catalog.tree import system_of
from iodyno.plan import PlannedTarget, Point, Stopping
from iodyno.profiles import Block, LoadProfile
from iodyno.reading import Observation
from iodyno.verdict import judge
from iodyno.virtual import VirtualSystem

READS = LoadProfile(name="reads", random_share=1.0, read_share=1.0, blocks=(Block(bytes=4096, weight=1.0),))
SEEDS = range(40)


@cache
def disk() -> VirtualSystem:
    logical = {"drive": "seagate-st91000640ns", "level": "JBOD"}
    controller = {"part": "c610", "mode": "performance", "logical": [logical]}
    host = {"processor": "xeon-e5-2660-v3", "software": "windows-onboard-raid"}
    return resolve(system_of({"name": "one-disk", "host": host, "controller": [controller]}))


def point(outstanding: int, ios: int, seed: int, **fields: object) -> Point:
    (volume,) = disk().volumes
    stopping = Stopping(
        warmup_s=0, floor_s=1, cap_s=60, precision=0.01, confidence=0.95,
        warmup_ios=200, floor_ios=ios, cap_ios=ios,
    )  # fmt: skip
    target = PlannedTarget(
        path=volume.name, kind="virtual", size_bytes=volume.size_bytes,
        area_length_bytes=volume.size_bytes >> 20 << 20,
    )  # fmt: skip
    asked = {
        "index": 0,
        "sweep": "s",
        "workers": 1,
        "engine": "simulator",
        "system": "one-disk",
        "profile": READS,
    }
    asked |= {"targets": (target,), "outstanding": outstanding, "stopping": stopping, "seed": seed}
    return Point.model_validate(asked | fields)


@cache
def most_io_s(slots: int) -> float:
    """Give what the disk serves with so many outstanding; it orders 32 of them."""
    return bench.simulate_point(point(min(slots, 64), 8000, 1), disk()).transaction_rate_io_s


def told(slots: int, ios: int, share: float, arrival: str) -> Counter[str]:
    """Count what verdicts say of rates that are a share of what the disk serves, one for each seed."""
    found: Counter[str] = Counter()
    for seed in SEEDS:
        asked = point(slots, ios, 1 + 7919 * seed, rate_io_s=share * most_io_s(slots), arrival=arrival)
        reading = bench.simulate_point(asked, disk())
        verdict = judge(asked, reading, Observation(), contents="written", optimised=True)
        found["overloaded"] += verdict.overloaded
        found.update(cause.code for cause in verdict.causes)
    return found


@pytest.mark.parametrize("slots", [4, 512])
@pytest.mark.parametrize("ios", [100, 437, 2000])
@pytest.mark.parametrize("share", [0.5, 0.8, 0.9])
def test_what_is_merely_under_way_is_no_overload(slots: int, ios: int, share: float) -> None:
    """Below what can be served I/Os that wait are done again and again: once in 40 would be much."""
    found = told(slots, ios, share, "fixed")
    assert found["overloaded"] + found["catching_up"] <= 1, found


# The queue grows by I/Os times the share asked for too much, and services of a disk that orders scatter by
# about half their mean: by √I/Os / 2. It is told from them at twice as much beyond √I/Os.
@pytest.mark.parametrize("slots", [4, 512])
@pytest.mark.parametrize(
    ("ios", "share"),
    [(100, 1.5), (437, 1.2), (437, 1.15), (2000, 1.1), (6000, 1.05)],
)
def test_a_queue_that_grows_is_an_overload_inside_the_outstanding_ios_too(
    slots: int, ios: int, share: float
) -> None:
    found = told(slots, ios, share, "fixed")
    assert found["overloaded"] >= len(SEEDS) * 19 // 20, found


@pytest.mark.parametrize("slots", [4, 512])
def test_poisson_arrivals_are_told_alike(slots: int) -> None:
    served = told(slots, 437, 0.9, "poisson")
    assert served["overloaded"] + served["catching_up"] <= 1, served
    assert told(slots, 6000, 1.2, "poisson")["overloaded"] == len(SEEDS)
