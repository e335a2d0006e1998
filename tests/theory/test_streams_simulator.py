"""Several workers that read or write one hard disk in order: what is reckoned, beside the simulator.

Both follow the commands of one disk, from the same numbers; neither knows the other, and they share no code.
What is reckoned knows of nothing but that disk: the simulator has host, links and controller around it.
"""

from __future__ import annotations

from statistics import median

import pytest

from iodyno import bench
from iodyno.catalog.resolve import resolve
from iodyno.catalog.tree import system_of
from iodyno.plan import PlannedTarget, Point, Stopping
from iodyno.prediction import predict
from iodyno.prediction.rough import rough
from iodyno.profiles import Block, LoadProfile
from iodyno.virtual import HddModel, VirtualSystem

SEED = 20_160_324
DISKS = ["hgst-huc156045css204", "seagate-st91000640ns", "seagate-exos-x20-20tb"]


def behind(part: str, drive: str, count: int = 1, level: str = "0", **settings: str) -> VirtualSystem:
    """Put disks behind a controller, as it is or with its settings."""
    level = "JBOD" if part == "psas-cp400i" else level
    controller = {"part": part, "logical": [{"drive": drive, "count": count, "level": level}], **settings}
    host = {"processor": "xeon-e5-2660-v3", "software": "windows-raw-megaraid"}
    return resolve(system_of({"name": "made-up", "host": host, "controller": [controller]}))


def quotient(
    system: VirtualSystem, kib: int, read_share: float, workers: int, outstanding: int, warmup: int = 20_000
) -> float:
    """Give the rate of the formulas as a share of the simulator's."""
    point = streams(system, kib, read_share, workers, outstanding, warmup)
    simulated = bench.simulate_point(point, system).transaction_rate_io_s
    return predict(point, system, bench.solve_network).rate_io_s / simulated


def streams(
    system: VirtualSystem, kib: int, read_share: float, workers: int, outstanding: int, warmup: int = 20_000
) -> Point:
    """Ask for streams in order, one a worker."""
    (volume,) = system.volumes
    profile = LoadProfile(
        name="made", random_share=0.0, read_share=read_share, blocks=(Block(bytes=kib << 10, weight=1.0),)
    )
    stopping = Stopping(
        warmup_s=0, floor_s=1, cap_s=60, precision=0.01, confidence=0.95,
        warmup_ios=warmup, floor_ios=warmup, cap_ios=warmup,
    )  # fmt: skip
    target = PlannedTarget(
        path=volume.name, kind="virtual", size_bytes=volume.size_bytes,
        area_length_bytes=volume.size_bytes // 2 >> 20 << 20,
    )  # fmt: skip
    return Point(
        index=0, sweep="s", profile=profile, targets=(target,), outstanding=outstanding, workers=workers,
        seed=SEED, engine="simulator", system="made-up", stopping=stopping,
    )  # fmt: skip


def as_near_as_said(system: VirtualSystem, kib: int, workers: int, outstanding: int) -> bool:
    """Tell whether reads are within 25 %, in the median of simulations with several seeds.

    In which of several orders that last a disk comes to read the streams hangs on the seed: with one of four,
    twelve with four outstanding each are read up to twice as fast on four Exos X20. Of many workers on a disk
    that has all of their commands at once it is within what the formulas say of themselves: in what order it
    has them is not foreseen.
    """
    model = system.drives[0].model
    assert isinstance(model, HddModel)
    least, most = 0.75, 1.25
    if workers > 8 and model.tags >= workers * outstanding:
        reasons = rough(streams(system, kib, 1.0, workers, outstanding), system, bench.solve_network)
        least = min([least, *(said.least for said in reasons)])
        most = max([most, *(said.most for said in reasons)])
    return least <= typical(streams(system, kib, 1.0, workers, outstanding), system, 15) <= most


def typical(point: Point, system: VirtualSystem, seeds: int) -> float:
    """Give the rate of the formulas as a share of the simulator's, in the median of so many seeds."""
    points = (point.model_copy(update={"seed": SEED + more}) for more in range(seeds))
    simulated = median(bench.simulate_point(one, system).transaction_rate_io_s for one in points)
    return predict(point, system, bench.solve_network).rate_io_s / simulated


def turns(system: VirtualSystem, kib: int) -> int:
    """Give the I/Os in which a disk passes over a stream four times for as long as it may."""
    model = system.drives[0].model
    assert isinstance(model, HddModel)
    return max(20_000, round(4 * 256 * model.revolution_ps / 1e12 * model.outer_bytes_s / (kib << 10)))


@pytest.mark.parametrize("drive", DISKS)
@pytest.mark.parametrize("kib", [64, 1024])
@pytest.mark.parametrize(
    ("workers", "outstanding"), [(2, 1), (3, 1), (8, 1), (24, 1), (2, 2), (4, 4), (8, 2)]
)
def test_readers_whose_commands_the_disk_has_all(
    drive: str, kib: int, workers: int, outstanding: int
) -> None:
    system = behind("psas-cp400i", drive)
    assert quotient(system, kib, 1.0, workers, outstanding) == pytest.approx(1, rel=0.1), SEED


# Which commands the disk has before it hangs for long on the order in which they came first: where
# the formulas say so of themselves, no more than they say.
@pytest.mark.parametrize("drive", DISKS)
@pytest.mark.parametrize("kib", [16, 256])
@pytest.mark.parametrize(("workers", "outstanding"), [(16, 4), (32, 32), (8, 16)])
def test_readers_with_more_than_the_disk_takes(drive: str, kib: int, workers: int, outstanding: int) -> None:
    system = behind("psas-cp400i", drive)
    point = streams(system, kib, 1.0, workers, outstanding, turns(system, kib))
    said = rough(point, system, bench.solve_network)
    least, most = min([0.75, *(one.least for one in said)]), max([1.25, *(one.most for one in said)])
    assert least <= typical(point, system, 5) <= most, SEED


@pytest.mark.parametrize("drive", DISKS)
@pytest.mark.parametrize("kib", [16, 64])
@pytest.mark.parametrize(("workers", "outstanding"), [(2, 1), (4, 1), (4, 4), (16, 1)])
def test_readers_for_whom_a_controller_fetches(drive: str, kib: int, workers: int, outstanding: int) -> None:
    system = behind("praid-cp400i", drive, read="read-ahead")
    assert as_near_as_said(system, kib, workers, outstanding), SEED


def on_a_quarter(
    system: VirtualSystem, kib: int, read_share: float, workers: int, outstanding: int, ios: int
) -> float:
    """Give the rate of the formulas ÷ that of so many I/Os simulated after as many, on a quarter."""
    point = streams(system, kib, read_share, workers, outstanding, ios)
    (target,) = point.targets
    quarter = target.model_copy(update={"area_length_bytes": system.volumes[0].size_bytes >> 22 << 20})
    point = point.model_copy(update={"targets": (quarter,)})
    simulated = bench.simulate_point(point, system).transaction_rate_io_s
    return predict(point, system, bench.solve_network).rate_io_s / simulated


@pytest.mark.parametrize(
    ("controller", "drive", "kib", "outstanding"),
    [
        ("praid-cp400i", "sas-12g-hdd-450-15k", 16, 8),
        ("praid-cp400i", "hgst-huc156045css204", 16, 2),
        ("praid-ep420i", "hgst-huc156045css204", 256, 1),
    ],
)
def test_two_readers_of_whom_one_always_waits(
    controller: str, drive: str, kib: int, outstanding: int
) -> None:
    """After 256 revolutions the disk comes back to the one that has waited, and takes what passes under the
    head first: its reader gets nothing before the first is there, nothing follows the last, and from then on
    each has its turn for as long as is fetched ahead. The first 1 GB is before that."""
    system = behind(controller, drive, read="read-ahead")
    found = on_a_quarter(system, kib, 1.0, 2, outstanding, (1 << 20) // kib)
    assert found == pytest.approx(1, abs=0.08), SEED


@pytest.mark.parametrize(
    ("controller", "drive", "cache", "kib", "read_share", "outstanding"),
    [
        ("praid-cp400i", "seagate-exos-x20-20tb", "off", 16, 0.0, 1),
        ("psas-cp400i", "hgst-huc156045css204", "on", 8, 1.0, 2),
    ],
)
def test_streams_count_when_each_has_had_its_turn(
    controller: str, drive: str, cache: str, kib: int, read_share: float, outstanding: int
) -> None:
    """For 256 revolutions a disk may pass over some of twelve; after that it takes all in another order."""
    system = behind(controller, drive, drive_cache=cache)
    found = on_a_quarter(system, kib, read_share, 12, outstanding, 150_000)
    assert found == pytest.approx(1, abs=0.12), SEED


@pytest.mark.parametrize("kib", [128, 512])
@pytest.mark.parametrize("read_share", [0.25, 0.5, 0.9])
@pytest.mark.parametrize("workers", [1, 8])
def test_writes_behind_the_data_of_reads(kib: int, read_share: float, workers: int) -> None:
    """With two outstanding a write follows the answer to a read. Each takes its data along: on the link of
    a SATA disk, both together take longer than a block takes to pass the head."""
    system = behind("psas-cp400i", "seagate-exos-x20-20tb", drive_cache="off")
    found = quotient(system, kib, read_share, workers, 2)
    assert found == pytest.approx(1, abs=0.1), (found, SEED)


@pytest.mark.parametrize("kib", [64, 72])
@pytest.mark.parametrize("read_share", [0.67, 0.9])
@pytest.mark.parametrize("workers", [1, 2, 4])
def test_what_replaces_cached_writes(kib: int, read_share: float, workers: int) -> None:
    """The cache answers a write later than the next read of its stream is back: what replaces the read is
    sent before what replaces the write."""
    system = behind("psas-cp400i", "sas-12g-hdd-450-15k", drive_cache="on")
    found = quotient(system, kib, read_share, workers, 2)
    assert found == pytest.approx(1, abs=0.1), (found, SEED)


@pytest.mark.parametrize(
    ("drive", "cache", "kib", "read_share", "workers"),
    [("seagate-exos-x20-20tb", "off", kib, share, 1) for kib in (144, 176) for share in (0.5, 0.67, 0.9)]
    + [
        ("seagate-exos-x20-20tb", "off", 80, 0.25, 2),
        ("seagate-exos-x20-20tb", "on", 60, 0.5, 4),
        ("seagate-st91000640ns", "on", 28, 0.67, 3),
    ],
)
def test_the_way_of_reads_and_writes_is_that_of_their_data(
    drive: str, cache: str, kib: int, read_share: float, workers: int
) -> None:
    """What follows a read comes after its data have passed to the host, and a write after its own from there:
    at two outstanding that decides which of them are late for the head."""
    system = behind("psas-cp400i", drive, drive_cache=cache)
    assert quotient(system, kib, read_share, workers, 2) == pytest.approx(1, abs=0.1), SEED


@pytest.mark.parametrize(("cache", "outstanding"), [("off", 8), ("on", 4)])
@pytest.mark.parametrize("kib", [64, 128])
@pytest.mark.parametrize("read_share", [0.5, 0.67])
def test_reads_and_writes_share_a_link_no_faster_than_the_head(
    cache: str, outstanding: int, kib: int, read_share: float
) -> None:
    """Several writes wait before the link of SATA 3G at once: what is read passes behind those that came
    before, so that the disk has few commands to choose from."""
    system = behind("psas-cp400i", "seagate-exos-x20-20tb", drive_cache=cache)
    slow = [
        link.model_copy(update={"bytes_s": 275_000_000}) if "SATA" in link.name else link
        for link in system.links
    ]
    assert [link.bytes_s for link in slow].count(275_000_000) == 1
    system = system.model_copy(update={"links": tuple(slow)})
    assert quotient(system, kib, read_share, 1, outstanding) == pytest.approx(1, abs=0.12), SEED


@pytest.mark.parametrize("drive", DISKS)
@pytest.mark.parametrize("kib", [4, 64, 1024])
@pytest.mark.parametrize(("workers", "outstanding"), [(2, 1), (8, 1), (4, 4), (32, 4)])
@pytest.mark.parametrize("cache", ["on", "off"])
def test_writers(drive: str, kib: int, workers: int, outstanding: int, cache: str) -> None:
    system = behind("psas-cp400i", drive, drive_cache=cache)
    assert quotient(system, kib, 0.0, workers, outstanding) == pytest.approx(1, rel=0.25), SEED


# The head would stay with one of them for ever: of those that wait for room in the cache it takes what was
# passed over for too long, and what nearly was.
@pytest.mark.parametrize(
    ("drive", "kib", "workers", "outstanding"),
    [
        ("seagate-exos-x20-20tb", 1024, 8, 2),
        ("hgst-huc156045css204", 1024, 8, 2),
        ("sas-12g-hdd-450-15k", 128, 4, 16),
    ],
)
def test_writers_that_wait_for_room(drive: str, kib: int, workers: int, outstanding: int) -> None:
    system = behind("psas-cp400i", drive)
    assert quotient(system, kib, 0.0, workers, outstanding) == pytest.approx(1, rel=0.1), SEED


# A write of four rows makes all of them whole: they go to the disk one behind the other.
@pytest.mark.parametrize("drive", ["seagate-st91000640ns", "sas-12g-hdd-450-15k"])
@pytest.mark.parametrize(("workers", "outstanding"), [(24, 1), (32, 32)])
def test_writers_of_several_rows_at_once(drive: str, workers: int, outstanding: int) -> None:
    system = behind("praid-ep420i", drive, write="always-write-back", drive_cache="off")
    assert quotient(system, 1024, 0.0, workers, outstanding) == pytest.approx(1, rel=0.15), SEED


# Each of a pair has all of every stream; what one misses the other waits for.
@pytest.mark.parametrize("drive", DISKS[:2])
@pytest.mark.parametrize("workers", [2, 8])
@pytest.mark.parametrize("cache", ["on", "off"])
def test_writers_on_a_pair(drive: str, workers: int, cache: str) -> None:
    system = behind("praid-cp400i", drive, 2, "1", read="no-read-ahead", drive_cache=cache)
    near = 0.1 if cache == "off" else 0.25
    assert quotient(system, 64, 0.0, workers, 1, warmup=4000) == pytest.approx(1, rel=near), SEED
    assert rough(streams(system, 64, 0.0, workers, 1), system, bench.solve_network) == ()


def on_board(drive: str, **settings: str) -> VirtualSystem:
    """A disk without a controller of its own, so that the host sends its commands."""
    controller = {"part": "c610", "logical": [{"drive": drive, "count": 1, "level": "JBOD"}], **settings}
    host = {"processor": "xeon-e5-2660-v3", "software": "windows-onboard-raid"}
    return resolve(system_of({"name": "made-up", "host": host, "controller": [controller]}))


# What waits for one of the 32 that a disk with SATA takes goes in the order in which it came; which of them
# the disk has hangs for long on that.
@pytest.mark.parametrize("drive", ["seagate-st91000640ns", "seagate-exos-x20-20tb"])
@pytest.mark.parametrize("kib", [4, 16])
@pytest.mark.parametrize(("workers", "outstanding"), [(4, 64), (8, 64), (16, 32), (8, 128)])
@pytest.mark.parametrize("host", [False, True])
def test_writers_with_more_than_a_disk_is_sent(
    drive: str, kib: int, workers: int, outstanding: int, host: bool
) -> None:
    system = on_board(drive, drive_cache="off") if host else behind("psas-cp400i", drive, drive_cache="off")
    assert quotient(system, kib, 0.0, workers, outstanding) == pytest.approx(1, rel=0.35), SEED


# What the cache holds when a simulation begins is of one stream; it takes that long until it is of all.
@pytest.mark.parametrize("drive", DISKS)
@pytest.mark.parametrize("kib", [4, 64, 1024])
@pytest.mark.parametrize(("workers", "outstanding"), [(2, 1), (8, 4), (32, 4)])
def test_writers_before_whom_a_cache_gathers(drive: str, kib: int, workers: int, outstanding: int) -> None:
    system = behind("praid-ep420i", drive, write="always-write-back")
    warmup = max(20_000, 320_000 // kib)
    near = 0.3 if kib == 1024 else 0.25  # the smallest of these caches holds seven such blocks
    assert quotient(system, kib, 0.0, workers, outstanding, warmup) == pytest.approx(1, rel=near), SEED


# A row is on all of them: each has a strip of it, in the same order.
@pytest.mark.parametrize("drive", DISKS)
@pytest.mark.parametrize(("level", "count"), [("0", 4), ("5", 4), ("10", 4), ("1", 2)])
@pytest.mark.parametrize("kib", [64, 256])
def test_writers_of_whole_rows(drive: str, level: str, count: int, kib: int) -> None:
    system = behind("praid-ep420i", drive, count, level, write="always-write-back")
    assert quotient(system, kib, 0.0, workers=8, outstanding=4) == pytest.approx(1, rel=0.25), SEED


@pytest.mark.parametrize("drive", DISKS)
@pytest.mark.parametrize(("level", "count"), [("0", 4), ("5", 4), ("1", 2)])
@pytest.mark.parametrize(("workers", "outstanding"), [(2, 1), (12, 4)])
def test_readers_of_whole_rows(drive: str, level: str, count: int, workers: int, outstanding: int) -> None:
    system = behind("praid-ep420i", drive, count, level, read="read-ahead")
    assert as_near_as_said(system, 64, workers, outstanding), SEED
