"""Open loops through a write-back cache: whether the cache fills tells whether drives keep up.

Work is conserved: of the writes that come, those that do not reach the drives are due, under way or dirty
in the cache. So above the greatest rate of a closed loop, which always has I/Os waiting, these grow by what
is too much at the least, and below it they stay (Lazowska and others, Quantitative System Performance, 1984,
chapter 3).
"""

from __future__ import annotations

from functools import cache

import pytest

from iodyno import bench
from iodyno.plan import PlannedTarget, Point, Stopping
from iodyno.profiles import Block, LoadProfile
from iodyno.reading import Observation, Reading
from iodyno.study.configuration import Configuration
from iodyno.study.systems import resolve
from iodyno.verdict import judge
from iodyno.virtual import VirtualSystem

SEEDS = range(1, 6)


@cache
def array() -> VirtualSystem:
    return resolve(Configuration(name="array", system="raid-controllers", changes={"level": "5"}))


def load(rate_io_s: float | None, seed: int, *, outstanding: int = 4096, reads: float = 0.5) -> Point:
    volume, block = array().volumes[0], Block(bytes=4096, weight=1.0)
    return Point(
        index=0, sweep="s", system="array", engine="simulator", seed=seed, outstanding=outstanding, workers=1,
        rate_io_s=rate_io_s, arrival="poisson",
        profile=LoadProfile(name="made", random_share=1.0, read_share=reads, blocks=(block,)),
        targets=(PlannedTarget(path=volume.name, kind="virtual", size_bytes=volume.size_bytes,
                               area_length_bytes=volume.size_bytes // 4),),
        stopping=Stopping(warmup_s=0, floor_s=1, cap_s=1, precision=0.02, confidence=0.95,
                          floor_ios=40_000, cap_ios=40_000),
    )  # fmt: skip


@cache
def greatest_io_s() -> float:
    return bench.simulate_point(load(None, 1, outstanding=512), array()).transaction_rate_io_s


def causes(point: Point, reading: Reading) -> list[tuple[str, int]]:
    found = judge(point, reading, Observation(), contents="written", optimised=True).causes
    return [(cause.code, cause.load) for cause in found if cause.code != "imprecise"]


@pytest.mark.parametrize("seed", SEEDS)
def test_what_drives_do_not_keep_up_with_fills_a_cache(seed: int) -> None:
    share = 1.1
    point = load(share * greatest_io_s(), seed)
    reading = bench.simulate_point(point, array())
    assert point.rate_io_s
    assert reading.transaction_rate_io_s == pytest.approx(point.rate_io_s, rel=0.03), "the cache takes all"
    assert ("cache_fills", 0) in causes(point, reading), seed
    assert reading.open_loop
    assert reading.open_loop.growth_with_dirty
    found = reading.open_loop.growth_with_dirty
    # Chance of the arrivals: three times the root of 40,000 of them.
    assert found.rate_io_s / point.rate_io_s > 1 - 1 / share - 0.015, seed


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("share", [0.5, 0.9])
def test_what_they_keep_up_with_does_not(share: float, seed: int) -> None:
    point = load(share * greatest_io_s(), seed)
    assert causes(point, bench.simulate_point(point, array())) == [], seed


def test_each_load_that_fills_it_is_told_and_none_beside_one_that_waits() -> None:
    half = 0.55 * greatest_io_s()
    both = Point.at_once([load(half, 1), load(half, 2)])
    found = causes(both, bench.simulate_point(both, array()))
    assert {("cache_fills", 0), ("cache_fills", 1)} <= set(found), found
    beside = Point.at_once([load(0.1 * half, 1), load(None, 2, outstanding=8)])
    reading = bench.simulate_point(beside, array())
    opened = reading.apart[0].open_loop
    assert opened
    assert opened.growth
    assert opened.growth_with_dirty is None


def test_reads_alone_fill_none() -> None:
    reading = bench.simulate_point(load(20_000, 1, reads=1.0), array())
    assert reading.open_loop
    assert reading.open_loop.growth_with_dirty is None
