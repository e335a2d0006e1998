"""A slow virtual target beside a fast one: warmed up and counted as if it were alone, or a note says not."""

from __future__ import annotations

from iodyno import bench
from iodyno.plan import BesideLoad, PlannedTarget, Point, Stopping
from iodyno.profiles import Block, LoadProfile
from iodyno.reading import Observation, Reading
from iodyno.verdict import describe, judge
from iodyno.virtual import VirtualSystem
from virtual_systems import GB, ssd, virtual_system

FLOOR_IOS = 10_000
"""I/Os of the warm-up and the least that are counted, for each target."""
MIXED = LoadProfile(name="mixed", random_share=1.0, read_share=0.5, blocks=(Block(bytes=8192, weight=1.0),))


def unlike() -> VirtualSystem:
    """The second drive takes fifty times as long, and its buffer holds some seconds of writes."""
    fast = virtual_system(drives=2).model_dump(mode="json")
    slow = ssd(read_ps=2_500_000_000, program_ps=45_000_000_000, buffer_bytes=32 << 20)
    drives = [fast["drives"][0], fast["drives"][1] | {"model": slow}]
    return VirtualSystem.model_validate(fast | {"drives": drives})


def asked(*drives: int, cap_ios: int = 40 * FLOOR_IOS) -> Point:
    count = len(drives)
    targets = tuple(
        PlannedTarget(path=f"drive-{at}", kind="virtual", size_bytes=100 * GB, area_length_bytes=64 * GB)
        for at in drives
    )
    stopping = Stopping(
        warmup_s=0, floor_s=1, cap_s=60, precision=0.01, confidence=0.95, warmup_ios=FLOOR_IOS * count,
        floor_ios=FLOOR_IOS * count, cap_ios=cap_ios * count,
    )  # fmt: skip
    return Point(
        index=0, sweep="s", profile=MIXED, targets=targets, outstanding=16, workers=1, seed=7,
        engine="simulator", system="made-up", stopping=stopping,
    )  # fmt: skip


def of_the_slow(point: Point) -> tuple[Reading, float]:
    """Give the reading, and the rate of the slow drive in I/Os per second; it is the last target."""
    reading = bench.simulate_point(point, unlike())
    done = reading.per_target[-1].completed if reading.per_target else reading.completed
    return reading, done / reading.measured_s


def notes(point: Point, reading: Reading) -> list[str]:
    verdict = judge(point, reading, Observation(), contents="written", optimised=True)
    return [describe(note) for note in verdict.notes if note.code == "few_of_target"]


def test_it_has_the_rate_beside_a_fast_one_that_it_has_alone() -> None:
    _, alone = of_the_slow(asked(1))
    reading, beside = of_the_slow(asked(0, 1))
    fast, slow = (target.completed for target in reading.per_target)
    assert fast > 20 * slow
    assert slow >= FLOOR_IOS / 4
    assert abs(beside / alone - 1) < 0.05, (beside, alone)
    assert notes(asked(0, 1), reading) == []


def test_few_counted_ios_are_named() -> None:
    point = asked(0, 1, cap_ios=FLOOR_IOS)
    reading, _ = of_the_slow(point)
    (said,) = notes(point, reading)
    slow, every = reading.per_target[1].completed, reading.completed
    assert slow < FLOOR_IOS / 4
    assert said == (
        "few I/Os were counted of a target beside faster ones: its own figures are rough "
        f"(drive-1: {slow:,} of {every:,})"
    )


def test_targets_that_are_alike_have_no_note() -> None:
    """Each has its part of the least at once, though a half may be cut off as not settled."""
    point = asked(0, 0, cap_ios=FLOOR_IOS)
    reading = bench.simulate_point(point, unlike())
    assert reading.completed < 2.2 * FLOOR_IOS
    assert notes(point, reading) == []


def test_loads_at_once_are_not_waited_for_by_their_targets() -> None:
    """The figure of each load is judged; a target of its own has none beside it."""
    both = asked(0, 1)
    reads = MIXED.model_copy(update={"read_share": 1.0})
    beside = BesideLoad(profile=reads, targets=1, outstanding=1, workers=1, seed=7)
    point = both.model_copy(update={"profile": reads, "outstanding": 32, "beside": (beside,)})
    reading = bench.simulate_point(point, virtual_system(drives=2))
    assert reading.completed < 4 * FLOOR_IOS
