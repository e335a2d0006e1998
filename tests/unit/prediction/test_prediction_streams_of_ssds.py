"""Streams of reads that come to an SSD: up to eight are followed, of copies each has its own."""

from __future__ import annotations

from typing import Any

import pytest

from iodyno import bench
from iodyno.catalog.resolve import resolve
from iodyno.catalog.tree import system_of
from iodyno.plan import PlannedTarget, Point, Stopping
from iodyno.prediction import predict
from iodyno.prediction.rough import rough
from iodyno.profiles import Block, LoadProfile
from iodyno.virtual import VirtualSystem

P3700, PM9A3, PX04 = "intel-p3700-1600", "samsung-pm9a3-3840", "toshiba-px04pmb-960"


def made(drive: str, level: str | None = None, count: int = 1, **more: Any) -> VirtualSystem:
    host = {"processor": "xeon-e5-2660-v3", "processors": 2, "software": "linux-nvme"}
    group = {"drive": drive, "count": count, **({"level": level} if level else {}), **more}
    return resolve(system_of({"name": "made", "host": host, "drives": [group]}))


def reading(
    system: VirtualSystem, workers: int, kib: int = 4, outstanding: int = 1, random: float = 0.0
) -> Point:
    size = system.volumes[0].size_bytes
    target = PlannedTarget(
        path=system.volumes[0].name, kind="virtual", size_bytes=size, area_length_bytes=size // 4 >> 20 << 20
    )
    block = Block(bytes=kib << 10, weight=1.0)
    stopping = Stopping(
        warmup_s=0, floor_s=1, cap_s=10, precision=0.02, confidence=0.95, warmup_ios=4000, floor_ios=4000,
        cap_ios=8000,
    )  # fmt: skip
    return Point(
        index=0, sweep="s", profile=LoadProfile(name="x", random_share=random, read_share=1, blocks=(block,)),
        outstanding=outstanding, workers=workers, seed=1, system="made", engine="simulator",
        targets=(target,), stopping=stopping,
    )  # fmt: skip


def rates(system: VirtualSystem, *of: Any, **more: Any) -> tuple[float, float]:
    """By the simulator, and by the formulas."""
    point = reading(system, *of, **more)
    simulated = bench.simulate_point(point, system).transaction_rate_io_s
    return simulated, predict(point, system, bench.solve_network).rate_io_s


@pytest.mark.parametrize("drive", [P3700, PM9A3, PX04])
def test_nine_streams_are_as_random(drive: str) -> None:
    """A page is read for each of its reads, as at random; of eight it is read once."""
    system = made(drive)
    for workers in (9, 16, 32):
        found, random = rates(system, workers), rates(system, workers, random=1.0)
        assert found == pytest.approx(random, rel=0.03), workers
    for in_order, at_random in zip(rates(system, 8), rates(system, 8, random=1.0), strict=True):
        assert in_order > 1.5 * at_random


@pytest.mark.parametrize("drive", [P3700, PM9A3, PX04])
@pytest.mark.parametrize("kib", [4, 16, 64])
def test_the_formulas_know_how_many_streams_are_followed(drive: str, kib: int) -> None:
    system = made(drive)
    for workers in (8, 9, 12, 16, 32):
        simulated, predicted = rates(system, workers, kib)
        assert predicted == pytest.approx(simulated, rel=0.15), workers


@pytest.mark.parametrize(("copies", "workers"), [(2, 4), (2, 16), (3, 6), (3, 12), (3, 24), (5, 10)])
@pytest.mark.parametrize("drive", [P3700, PM9A3])
def test_readers_that_can_be_shared_out_stay_with_their_copies(drive: str, copies: int, workers: int) -> None:
    """Each copy is a drive of its own for its part of them."""
    many, part = rates(made(drive, "1", copies), workers, 16), rates(made(drive), workers // copies, 16)
    for found, one in zip(many, part, strict=True):
        assert found == pytest.approx(copies * one, rel=0.02)


def marks(system: VirtualSystem, *of: Any, **more: Any) -> set[str]:
    return {reason.what for reason in rough(reading(system, *of, **more), system, bench.solve_network)}


RESTLESS = "readers in order that SSDs have no like number of copies for"
FEW = "few reads in order at a time on arrays of SSDs that fetch ahead"
MANY = "reads in order, several at once, of more than two SSDs in RAID 1"
BEYOND = "more readers in order than SSDs of an array follow"


@pytest.mark.parametrize(
    ("level", "count", "workers", "marked"),
    [("1", 2, 2, False), ("1", 2, 3, True), ("1", 2, 4, False), ("1", 2, 7, True), ("1", 2, 9, True),
     ("1", 3, 2, False), ("1", 3, 3, False), ("1", 3, 4, True), ("1", 3, 6, False), ("1", 5, 8, True),
     ("10", 4, 2, False), ("10", 4, 3, True), ("10", 4, 12, True), ("0", 2, 3, False)],
)  # fmt: skip
def test_readers_that_cannot_be_shared_out_are_marked(
    level: str, count: int, workers: int, marked: bool
) -> None:
    assert (RESTLESS in marks(made(P3700, level, count), workers, 16)) is marked


def test_three_readers_of_two_are_far_off_and_marked() -> None:
    """What was told without a mark: 1.5 times the simulator with 4 kB, 0.4 with 16 kB."""
    for kib, quotient in ((4, 1.5), (16, 0.42)):
        simulated, predicted = rates(made(P3700, "1", 2), 3, kib)
        assert predicted / simulated == pytest.approx(quotient, abs=0.1)
        assert marks(made(P3700, "1", 2), 3, kib) == {RESTLESS}


@pytest.mark.parametrize(
    ("drive", "level", "count", "kib", "outstanding", "marked"),
    [(P3700, "0", 4, 64, 2, True), (P3700, "0", 4, 64, 4, True), (P3700, "0", 4, 64, 5, False),
     (P3700, "0", 4, 64, 1, False), (P3700, "0", 4, 32, 2, False), (P3700, "10", 8, 64, 4, True),
     (P3700, "10", 8, 64, 5, False), (P3700, "1", 2, 64, 2, False), (P3700, "5", 5, 64, 4, False),
     (PM9A3, "0", 4, 64, 2, False)],
)  # fmt: skip
def test_few_reads_on_arrays_that_fetch_ahead_are_marked(
    drive: str, level: str, count: int, kib: int, outstanding: int, marked: bool
) -> None:
    """Up to a row of the array: with more its drives have several reads each, and fetch nothing."""
    assert (FEW in marks(made(drive, level, count), 1, kib, outstanding)) is marked


def test_several_reads_over_many_mirrors_are_marked() -> None:
    """Drives that share a stream read pieces of it that lie apart, and may follow none of it."""
    for count, kib, outstanding, marked in ((3, 128, 2, True), (3, 64, 8, True), (3, 128, 1, False),
                                            (2, 256, 8, False)):  # fmt: skip
        assert (MANY in marks(made(PM9A3, "1", count), 1, kib, outstanding)) is marked
    simulated, predicted = rates(made(PM9A3, "1", 6), 1, 256, 8)
    assert predicted / simulated > 1.5


def test_more_readers_than_the_drives_of_an_array_follow_are_marked() -> None:
    for level, count, workers, marked in (("0", 4, 9, True), ("0", 4, 8, False), ("5", 5, 9, True)):
        assert (BEYOND in marks(made(PM9A3, level, count), workers, 16)) is marked
    simulated, predicted = rates(made(PM9A3, "1", 2), 9, 256)
    assert predicted / simulated < 0.75
    assert BEYOND in marks(made(PM9A3, "1", 2), 9, 256)


@pytest.mark.parametrize(("kib", "outstanding", "marked"), [(8, 3, True), (8, 1, False), (16, 3, False)])
def test_halves_of_a_page_are_marked(kib: int, outstanding: int, marked: bool) -> None:
    """The P3700 programs 16 KiB and reads 8: in order each second one waits for the one before."""
    system = made(P3700)
    assert (
        "reads in order of less than a page of flash, several at once" in marks(system, 1, kib, outstanding)
    ) is marked
    simulated, predicted = rates(system, 1, kib, outstanding)
    assert (predicted / simulated > 1.15) is marked


@pytest.mark.parametrize("drive", [P3700, PM9A3])
def test_workers_that_share_a_stream_are_one(drive: str) -> None:
    """As many workers with streams of their own are more than a drive follows."""
    system = made(drive)
    point = reading(system, 16, 32).model_copy(update={"workers_area": "stream"})
    deep = reading(system, 1, 32, 16)
    one = predict(deep, system, bench.solve_network).rate_io_s
    assert predict(point, system, bench.solve_network).rate_io_s == pytest.approx(one, rel=0.02)
    small = reading(system, 16, 4).model_copy(update={"workers_area": "stream"})
    solve = bench.solve_network
    assert rough(small, system, solve) == rough(reading(system, 1, 4, 16), system, solve) != ()


@pytest.mark.parametrize("drive", [P3700, PM9A3])
def test_readers_of_striped_mirrors_come_to_each_copy(drive: str) -> None:
    """They change copies from strip to strip: 16 readers are more than each drive of four follows."""
    simulated, predicted = rates(made(drive, "10", 4), 16)
    assert predicted == pytest.approx(simulated, rel=0.05)


def test_marks_of_few_reads_and_of_many_mirrors_end() -> None:
    """Three workers keep a drive from fetching ahead; of three mirrors with one failed there are two."""
    few = made(P3700, "0", 4)
    assert [FEW in marks(few, workers, 64, 2) for workers in (1, 2, 3)] == [True, True, False]
    # With several reads each nobody stays with a copy, in the formulas either.
    assert RESTLESS not in marks(made(P3700, "1", 2), 3, 16, 2)
    written = reading(made(PM9A3, "1", 3), 1, 128, 2)
    profile = written.profile.model_copy(update={"read_share": 0.0})
    written = written.model_copy(update={"profile": profile})
    assert MANY not in {one.what for one in rough(written, made(PM9A3, "1", 3), bench.solve_network)}
    assert MANY in marks(made(PM9A3, "1", 3), 1, 128, 2)
    assert MANY not in marks(made(PM9A3, "1", 3, failed=[0]), 1, 128, 2)
