"""Dirty blocks side by side leave a controller's cache as one: fewer operations than blocks."""

from __future__ import annotations

import random

import pytest

from iodyno import bench
from iodyno.catalog.resolve import resolve
from iodyno.catalog.tree import system_of
from iodyno.plan import PlannedTarget, Point, Stopping
from iodyno.prediction import predict
from iodyno.prediction.accesses import loads
from iodyno.prediction.controllers import LONGEST_BYTES, LogicalMap
from iodyno.prediction.rough import rough
from iodyno.prediction.sweep import front_density
from iodyno.profiles import Block, LoadProfile
from iodyno.virtual import OnLogical, VirtualSystem

KIB = 1024


def made(caches: float, kib: int, level: str = "10") -> tuple[Point, VirtualSystem]:
    """Write at random to so many times the cache of a controller."""
    logical = {"drive": "sas-12g-hdd-450-15k", "count": 4, "level": level}
    controller = {"part": "praid-ep420i", "write": "always-write-back", "logical": [logical]}
    host = {"processor": "xeon-e5-2660-v3", "software": "windows-raw-megaraid"}
    system = resolve(system_of({"name": "joined", "host": host, "controller": [controller]}))
    volume = system.volumes[0]
    area = round(caches * system.controllers[0].cache_bytes) >> 20 << 20
    target = PlannedTarget(
        path=volume.name, kind="virtual", size_bytes=volume.size_bytes, area_length_bytes=area
    )
    profile = LoadProfile(
        name="joined", random_share=1.0, read_share=0.0, blocks=(Block(bytes=kib * KIB, weight=1.0),)
    )
    stopping = Stopping(
        warmup_s=0, floor_s=1, cap_s=60, precision=0.01, confidence=0.95, warmup_ios=60000, floor_ios=20000,
        cap_ios=40000,
    )  # fmt: skip
    point = Point(
        index=0, sweep="s", profile=profile, targets=(target,), outstanding=32, workers=1, seed=3,
        engine="simulator", system="joined", stopping=stopping,
    )  # fmt: skip
    return point, system


def mapped(caches: float, kib: int, level: str = "10") -> LogicalMap:
    return mapped_of(*made(caches, kib, level))


def mapped_of(point: Point, system: VirtualSystem) -> LogicalMap:
    on = system.volumes[0].on
    assert isinstance(on, OnLogical)
    load = next(loads(point))[1]
    controller = system.controllers[on.controller]
    return LogicalMap(system, on.controller, controller.logicals[on.logical], load)


def at_once(caches: float, kib: int, level: str = "10") -> tuple[float, int, int]:
    """Give the dirty share where the sweep comes, a block, and what goes at once, in bytes."""
    mapping = mapped(caches, kib, level)
    (access,) = mapping.load.classes
    return front_density(mapping.dirty_share), access.alignment_bytes, mapping.joined(access).bytes


@pytest.mark.parametrize(("level", "dirty"), [("10", 1.0), ("5", 3 / 4 * 2), ("6", 2 / 4 * 3)])
def test_where_the_sweep_comes_parity_is_dirty_beside_the_data(level: str, dirty: float) -> None:
    """Of little that is dirty the front has twice the mean share of the data. Of four drives all are data
    and copies; or three in four are data, and one parity has as much; or two are, and two parities."""
    assert mapped(600, 256, level).front_density == pytest.approx(2 / 600 * dirty, rel=0.02)


@pytest.mark.parametrize("caches", [1.6, 2.0, 4.0])
@pytest.mark.parametrize("kib", [4, 16])
def test_runs_are_as_long_as_drawn_at_random(caches: float, kib: int) -> None:
    """Writes that begin at any place of a grain with the same chance, so many that as much is dirty."""
    share, grain, found = at_once(caches, kib)
    draw, length = random.Random(7), kib * KIB // grain
    chance = 1 - (1 - share) ** (1 / length)
    runs = dirty = until = 0
    for place in range(1_000_000):
        if draw.random() < chance:
            # One that begins where another ends goes on with it.
            runs += place > until or not runs
            dirty += place + length - max(until, place)
            until = place + length
    assert found == pytest.approx(dirty / runs * grain, rel=0.05, abs=grain / 2)


def test_no_run_is_longer_than_what_is_written_at_once() -> None:
    share, _, found = at_once(1.02, 64)
    assert share > 0.999
    assert 0.9 * LONGEST_BYTES < found <= LONGEST_BYTES


def test_parts_of_rows_with_parity_stay_blocks() -> None:
    assert at_once(1.3, 4, "5")[2] == 4 * KIB


def test_small_blocks_side_by_side_do_not_each_take_a_command() -> None:
    """Of the area of 1.6 caches nine tenths are dirty where the sweep comes: nine blocks and more at once."""
    point, system = made(1.6, 4)
    simulated = bench.simulate_point(point, system)
    assert predict(point, system, bench.solve_network).rate_io_s == pytest.approx(
        simulated.transaction_rate_io_s, rel=0.15
    )
    assert simulated.simulation is not None
    commands = sum(one.jobs for one in simulated.simulation.stations if one.name.endswith(": command"))
    written = (1 - 1 / 1.6) * simulated.transaction_rate_io_s * simulated.measured_s
    assert commands < 2 * written / 5


def far_apart(caches: float, kib: int, step: int) -> tuple[Point, VirtualSystem]:
    """The same with writes that begin so many times their length apart, or a multiple of that."""
    point, system = made(caches, kib)
    profile = point.profile.model_copy(update={"alignment_bytes": step * kib * KIB})
    return point.model_copy(update={"profile": profile}), system


def test_writes_further_apart_than_they_are_long_lie_beside_none() -> None:
    """Of area ÷ 64 kB places the cache has a block each for cache ÷ 4 kB: 16 ÷ 40 of them."""
    mapping = mapped_of(*far_apart(40, 4, 16))
    (access,) = mapping.load.classes
    assert mapping.joined(access).bytes == 4 * KIB
    assert mapping.dirty_share == pytest.approx(16 / 40, rel=0.01)
    assert mapping.front_density == pytest.approx(front_density(16 / 40) / 16, rel=0.01)
    assert mapping.destaged_distance == pytest.approx(0.0, abs=0.01)


def test_writes_far_apart_come_to_the_disks_one_by_one() -> None:
    """A block of 64 kB in four was taken for one operation with all that lies between: 12 times the rate."""
    point, system = far_apart(160, 4, 16)
    assert predict(point, system, bench.solve_network).rate_io_s == pytest.approx(
        bench.simulate_point(point, system).transaction_rate_io_s, rel=0.2
    )


@pytest.mark.parametrize(
    ("caches", "size", "step", "marked"),
    [(64, 4096, 1, False), (64, 4096, 16, True), (7, 512, 8, True), (9, 512, 8, False), (0.5, 512, 1, True),
     (1.1, 512, 1, False)],
)  # fmt: skip
def test_what_counts_is_how_much_of_the_area_can_be_dirty(
    caches: float, size: int, step: int, marked: bool
) -> None:
    """Of 64 caches a sixteenth is four, and a half of one in sectors, each of which takes a line, is four:
    so small an area is marked."""
    point, system = made(caches, 4)
    changed = {"blocks": (Block(bytes=size),), "alignment_bytes": step * size}
    point = point.model_copy(update={"profile": point.profile.model_copy(update=changed)})
    reasons = [reason.what for reason in rough(point, system, bench.solve_network)]
    assert any("little more than the cache" in reason for reason in reasons) == marked
