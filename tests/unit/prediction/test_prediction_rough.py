"""Which loads on which systems are told to be calculated roughly: each rule with its neighbours beyond it."""

from __future__ import annotations

from typing import Any

import pytest

from iodyno import bench
from iodyno.catalog.resolve import resolve
from iodyno.catalog.tree import system_of
from iodyno.plan import PlannedTarget, Point, Stopping
from iodyno.prediction import predict
from iodyno.prediction.rough import _RULES, pairs_at_a_time, rough
from iodyno.profiles import Block, LoadProfile
from iodyno.virtual import SsdModel, VirtualSystem

DISK, SSD = "seagate-st91000640ns", "toshiba-px02smf040"
PAGE_KIB = 16
"""Consecutive kB of a die of the P3700."""


def behind(
    part: str,
    drive: str = DISK,
    count: int = 1,
    level: str = "0",
    failed: tuple[int, ...] = (),
    rebuild_mb_s: int = 0,
    **settings: Any,
) -> VirtualSystem:
    """Put drives behind a controller."""
    logical = {"drive": drive, "count": count, "level": level, **({"failed": failed} if failed else {})}
    logical |= {"rebuild_mb_s": rebuild_mb_s} if rebuild_mb_s else {}
    host = {"processor": "xeon-e5-2660-v3", "software": "windows-raw-megaraid"}
    controller = {"part": part, "logical": [logical], **settings}
    return resolve(system_of({"name": "made-up", "host": host, "controller": [controller]}))


def direct(count: int = 1, level: str | None = None) -> VirtualSystem:
    """Put P3700 into a host."""
    drives = {"drive": "intel-p3700-800", "count": count, **({"level": level} if level else {})}
    host = {"processor": "xeon-e5-2660-v3", "software": "linux-nvme"}
    return resolve(system_of({"name": "made-up", "host": host, "drives": [drives]}))


def said(
    system: VirtualSystem,
    *,
    read: float = 1.0,
    random: float = 0.0,
    kib: tuple[int, ...] = (64,),
    workers: int = 1,
    outstanding: int = 2,
    area: int = 1 << 30,
) -> list[str]:
    """Give what is said of a load on the first volume, by the fewest words that nothing else begins with."""
    point = load(
        system, read=read, random=random, kib=kib, workers=workers, outstanding=outstanding, area=area
    )
    reasons = rough(point, system, bench.solve_network)
    assert all(reason.least < 1 < reason.most for reason in reasons)
    return [shortened(reason.what) for reason in reasons]


def shortened(what: str) -> str:
    """Give the fewest words of a mark, three or more, with which no other begins."""
    words = what.split()
    beginnings = (" ".join(words[:count]) for count in range(3, len(words) + 1))
    others = [rule.what for rule, _ in _RULES if rule.what != what]
    return next(short for short in beginnings if not any(other.startswith(short) for other in others))


def load(
    system: VirtualSystem,
    *,
    read: float = 1.0,
    random: float = 0.0,
    kib: tuple[int, ...] = (64,),
    workers: int = 1,
    outstanding: int = 2,
    area: int = 1 << 30,
) -> Point:
    """Ask for a load on the first volume."""
    volume = system.volumes[0]
    target = PlannedTarget(
        path=volume.name, kind="virtual", size_bytes=volume.size_bytes, area_length_bytes=area
    )
    return Point(
        index=0, sweep="s", outstanding=outstanding, workers=workers, seed=1, system="made-up",
        engine="simulator", targets=(target,),
        profile=LoadProfile(
            name="made", random_share=random, read_share=read,
            blocks=tuple(Block(bytes=size << 10, weight=1.0) for size in kib),
        ),
        stopping=Stopping(warmup_s=0, floor_s=1, cap_s=10, precision=0.02, confidence=0.95),
    )  # fmt: skip


def test_random_accesses_of_one_size_are_calculated_well() -> None:
    for system in (behind("praid-ep420i", count=4, level="5"), direct(4, "5"), direct()):
        for read in (0.0, 0.5, 1.0):
            assert said(system, read=read, random=1.0, workers=4) == []


@pytest.mark.parametrize(
    ("system", "rough"),
    [
        (behind("psas-cp400i", level="JBOD"), False),
        (behind("praid-cp400i", read="no-read-ahead"), False),
        (behind("praid-cp400i", read="read-ahead"), True),
        (behind("praid-ep420i", read="no-read-ahead", write="write-through"), False),
        (behind("praid-ep420i", read="no-read-ahead", write="always-write-back"), True),
        (behind("praid-cp400i", count=2, read="no-read-ahead"), True),
        (behind("praid-ep420i", SSD, read="read-ahead", write="always-write-back"), False),
    ],
)
def test_reads_and_writes_in_order_on_disks(system: VirtualSystem, rough: bool) -> None:
    words = "reads and writes"
    assert (words in said(system, read=0.5)) == rough
    assert words not in said(system, read=1.0)
    assert words not in said(system, read=0.0)
    assert words not in said(system, read=0.5, random=1.0)


def test_several_readers_of_copies() -> None:
    words = "several workers that read in order what disks"
    copies = behind("praid-ep420i", count=4, level="10")
    assert words in said(copies, workers=2)
    assert words not in said(copies)
    assert words not in said(copies, workers=2, random=1.0)
    assert words not in said(copies, workers=2, read=0.0)
    assert words not in said(behind("praid-ep420i", count=4), workers=2)
    assert words not in said(behind("praid-ep420i", SSD, 4, "10"), workers=2)


def test_few_reads_and_writes_in_order_on_ssds() -> None:
    """1 MiB outstanding at the most: 16 blocks of 64 kB."""
    words = "few reads and"
    for system in (direct(), direct(4, "0"), behind("praid-ep420i", SSD, 2, "1")):
        assert words in said(system, read=0.67, outstanding=16)
        assert words not in said(system, read=0.67, outstanding=17)
        assert words not in said(system, read=0.67, random=1.0, outstanding=16)
        assert words not in said(system, read=1.0, outstanding=16)
        assert words not in said(system, read=0.0, outstanding=16)
    assert words in said(direct(), read=0.67, workers=8)
    assert words not in said(direct(), read=0.67, workers=9)
    assert words not in said(behind("praid-ep420i", count=2), read=0.67)


def test_one_deep_reader_of_copies() -> None:
    words = "one worker that"
    pair, pairs = behind("praid-ep420i", count=2, level="1"), behind("praid-ep420i", count=4, level="10")
    # 512 kB on each set of copies, more than one block of it.
    assert words in said(pair, outstanding=8)
    assert words not in said(pair, outstanding=7)
    assert words in said(pairs, outstanding=16)
    assert words not in said(pairs, outstanding=15)
    alone = behind("praid-ep420i", count=2, level="1", read="no-read-ahead")
    assert words not in said(alone, outstanding=1, kib=(1024,))
    # As much is fetched ahead at once as the largest read has, of several at a time.
    fetched = behind("praid-ep420i", count=4, level="10", read="read-ahead")
    assert words in said(fetched, outstanding=1, kib=(4, 1024))
    assert words not in said(fetched, outstanding=1, kib=(4, 512))
    assert words not in said(pair, outstanding=8, random=1.0)
    assert words not in said(pair, outstanding=8, read=0.0)
    assert words not in said(pair, outstanding=8, workers=2)
    assert words not in said(behind("praid-ep420i", count=2, level="0"), outstanding=8)
    assert words not in said(behind("praid-ep420i", SSD, 2, "1"), outstanding=8)


def test_one_reader_of_a_raid_1e_that_is_read_ahead() -> None:
    """The copy of a strip lies beside the next one."""
    words = "one worker that"
    assert words in said(behind("praid-ep420i", count=3, level="1E", read="read-ahead"))
    assert words not in said(behind("praid-ep420i", count=3, level="1E", read="no-read-ahead"))
    assert words not in said(behind("praid-ep420i", count=4, level="10", read="read-ahead"))
    assert words not in said(behind("praid-ep420i", SSD, 3, "1E", read="read-ahead"))


def test_two_random_reads_of_a_pair() -> None:
    """The controller takes the nearer arm, of two reads that of each disk."""
    words = "few random reads at"
    pair = behind("praid-ep420i", count=2, level="1")
    assert words in said(pair, outstanding=2, random=1.0)
    assert words in said(pair, outstanding=1, workers=2, random=1.0)
    assert words not in said(pair, outstanding=1, random=1.0)
    assert words not in said(pair, outstanding=3, random=1.0)
    assert words not in said(pair, outstanding=2, random=1.0, read=0.0)
    assert words not in said(pair, outstanding=2)
    assert words not in said(behind("praid-ep420i", count=4, level="10"), outstanding=2, random=1.0)
    assert words not in said(behind("praid-ep420i", SSD, 2, "1"), outstanding=2, random=1.0)
    assert words not in said(
        behind("praid-ep420i", count=2, level="1", failed=(0,)), outstanding=2, random=1.0
    )


def test_several_readers_for_whom_a_controller_fetches() -> None:
    words = "several workers that read in order what is"
    fetched = behind("praid-ep420i", count=4, read="read-ahead")
    assert words in said(fetched, workers=3)
    assert words not in said(fetched, workers=2)
    assert words not in said(behind("praid-ep420i", count=1, read="read-ahead"), workers=32)
    assert words not in said(fetched, workers=4, random=1.0)
    assert words not in said(fetched, workers=4, read=0.0)
    assert words not in said(behind("praid-ep420i", count=4, read="no-read-ahead"), workers=4)
    assert words not in said(behind("praid-ep420i", SSD, 4, read="read-ahead"), workers=4)


@pytest.mark.parametrize(
    ("level", "count", "few"), [("0", 4, 3), ("5", 4, 2), ("50", 8, 2), ("6", 4, 2), ("60", 8, 2)]
)
def test_readers_for_whom_rows_with_parity_are_fetched(level: str, count: int, few: int) -> None:
    words = "several workers that read in order what is"
    fetched = behind("praid-ep420i", count=count, level=level, read="read-ahead")
    assert words in said(fetched, workers=few)
    assert words not in said(fetched, workers=few - 1)


# Rows of 2 MiB: a cache has room for 32. Of them 16 are on their way to drives with SATA, of two groups 32.
@pytest.mark.parametrize(
    ("level", "count", "most"), [("0", 8, 16), ("10", 8, 48), ("5", 8, 20), ("6", 8, 26), ("50", 8, 53)]
)
def test_more_writers_than_a_cache_gathers_rows_of(level: str, count: int, most: int) -> None:
    words = "more workers that"
    cached = behind("praid-ep420i", count=count, level=level, write="always-write-back")
    assert words in said(cached, read=0.0, workers=most + 1)
    assert words not in said(cached, read=0.0, workers=most)
    assert words not in said(cached, read=0.0, workers=most + 1, random=1.0)
    assert words not in said(cached, read=0.5, workers=most + 1)
    # Of blocks as long as a row none is in parts.
    assert words not in said(cached, read=0.0, workers=most + 1, kib=(2048,))
    through = behind("praid-ep420i", count=count, level=level, write="write-through")
    assert words not in said(through, read=0.0, workers=most + 1)
    ssds = behind("praid-ep420i", SSD, count, level, write="always-write-back")
    assert words not in said(ssds, read=0.0, workers=most + 1)


@pytest.mark.parametrize("read", [0.0, 0.25, 0.5, 0.9])
@pytest.mark.parametrize(("level", "count", "most"), [("10", 4, 8), ("0", 4, 8), ("5", 4, 40), ("60", 8, 40)])
def test_random_writes_of_little_more_than_the_cache(read: float, level: str, count: int, most: int) -> None:
    """More than the cache, where all of it stays, and up to so many times as much."""
    words = "random writes before"
    cached = behind("praid-ep420i", count=count, level=level, write="always-write-back")
    cache = cached.controllers[0].cache_bytes
    assert words in said(cached, read=read, random=1.0, area=2 * cache)
    assert words in said(cached, read=read, random=1.0, area=most * cache)
    assert words not in said(cached, read=read, random=1.0, area=(most + 1) * cache)
    assert words not in said(cached, read=read, random=1.0, area=cache)
    assert words not in said(cached, read=read, random=1.0, area=cache // 2)
    assert words not in said(cached, read=read, area=2 * cache)
    assert words not in said(cached, read=1.0, random=1.0, area=2 * cache)
    through = behind("praid-ep420i", count=count, level=level, write="write-through")
    assert words not in said(through, read=read, random=1.0, area=2 * cache)
    ssds = behind("praid-ep420i", SSD, count, level, write="always-write-back")
    assert words not in said(ssds, read=read, random=1.0, area=2 * cache)


@pytest.mark.parametrize("level", ["0", "5", "50"])
def test_a_stream_that_meets_on_few_disks(level: str) -> None:
    """Six disks with strips of 256 kB: 64 blocks of 4 kB for each."""
    words = "a stream that"
    alone = behind("praid-ep420i", count=6, level=level, read="no-read-ahead", write="write-through")
    assert words in said(alone, kib=(4,))
    # Of 6 disks 1 + 2 x strips are busy: fewer than 4.8 with up to 1.9 strips, 121 blocks.
    assert words in said(alone, kib=(4,), outstanding=121)
    assert words not in said(alone, kib=(4,), outstanding=122)
    # One outstanding I/O is one in any case, and two blocks of a strip are on two disks.
    assert words not in said(alone, kib=(4,), outstanding=1)
    assert words not in said(alone, kib=(256,))
    assert words not in said(alone, kib=(4,), random=1.0)
    fetched = behind("praid-ep420i", count=6, level=level, read="read-ahead")
    assert words not in said(fetched, kib=(4,))
    gathered = behind("praid-ep420i", count=6, level=level, read="no-read-ahead", write="always-write-back")
    assert words not in said(gathered, kib=(4,), read=0.0)
    assert words in said(gathered, kib=(4,))
    assert words not in said(behind("praid-ep420i", SSD, 6, level, read="no-read-ahead"), kib=(4,))
    assert words not in said(behind("praid-ep420i", read="no-read-ahead"), kib=(4,))


def test_streams_of_several_workers_on_disks() -> None:
    words = "streams of several"
    alone = behind("praid-ep420i", count=4, read="no-read-ahead")
    assert words in said(alone, workers=2)
    assert words not in said(alone)
    assert words not in said(alone, workers=2, random=1.0)
    assert words not in said(behind("praid-ep420i", count=4, read="read-ahead"), workers=2)
    assert words not in said(behind("praid-ep420i", count=1, read="no-read-ahead"), workers=2)
    assert words not in said(behind("praid-ep420i", SSD, 4, read="no-read-ahead"), workers=2)


@pytest.mark.parametrize(("level", "count"), [("0", 4), ("10", 4), ("1E", 3)])
def test_several_writers_in_order_on_disks_with_their_caches(level: str, count: int) -> None:
    """But for those that a cache of a controller gathers, and those of a pair, each of which has all."""
    words = "streams of several"

    def disks(part: str = "praid-cp400i", drive: str = DISK, **settings: Any) -> VirtualSystem:
        return behind(part, drive, count, level, drive_cache="on", **settings)

    assert words in said(disks(), read=0.0, workers=2, outstanding=1)
    assert words not in said(disks(), read=0.0)
    assert words not in said(disks(), read=0.0, workers=2, random=1.0)
    assert words not in said(disks(drive=SSD), read=0.0, workers=2)
    assert words not in said(disks("praid-ep420i", write="always-write-back"), read=0.0, workers=2)
    pair = behind("praid-cp400i", count=2, level="1", drive_cache="on")
    assert said(pair, read=0.0, workers=2) == []


@pytest.mark.parametrize(
    ("level", "kib", "outstanding", "marked"),
    [
        ("5", 256, 4, True), ("5", 128, 1, True), ("5", 64, 1, False),
        # Three strips of 256 kB in a row, of which four are 3 MiB; of RAID 6 two, and 2 MiB.
        ("5", 256, 12, True), ("5", 256, 13, False), ("6", 256, 8, True), ("6", 256, 9, False),
        ("10", 256, 4, False),
    ],
)  # fmt: skip
def test_large_updates_of_parity_on_ssds(level: str, kib: int, outstanding: int, marked: bool) -> None:
    words = "large random writes"
    through = behind("praid-ep420i", SSD, 4, level, mode="fast-path-optimum")
    load: dict[str, Any] = {"random": 1.0, "kib": (kib,), "outstanding": outstanding}
    assert (words in said(through, read=0.0, **load)) == marked
    assert words not in said(through, read=1.0, **load)
    assert words not in said(direct(4, level), read=0.0, **load)
    assert words not in said(
        behind("praid-ep420i", DISK, 4, level, mode="fast-path-optimum"), read=0.0, **load
    )
    gathered = behind("praid-ep420i", SSD, 4, level, mode="performance")
    assert words not in said(gathered, read=0.0, **load)
    assert (words in said(gathered, read=0.67, **load)) == marked


@pytest.mark.parametrize(("kib", "outstanding", "marked"), [
    # 83 µs a command and 17 µs for 4 kB: what a disk passes one by one.
    (4, 1, False), (4, 4, True), (4, 16, True), (4, 64, True), (4, 1024, False),
    # 276 µs for 64 kB: commands of two disks at a time would do.
    (64, 4, False), (64, 16, False),
    # 138 µs for 32 kB, eight to a strip.
    (32, 4, True), (32, 16, True), (32, 64, False),
    (512, 4, False),
])  # fmt: skip
def test_one_writer_in_order_on_a_raid_1e(kib: int, outstanding: int, marked: bool) -> None:
    """A disk that a stream comes to has the copy of the strip before to go on with."""
    words = ["a stream that"] if marked else []
    system = behind("praid-ep420i", "hgst-huc156045css204", 8, "1E", mode="fast-path-optimum")
    assert said(system, read=0.0, kib=(kib,), outstanding=outstanding) == words


def test_every_other_strip_of_a_raid_1e_gains_nothing() -> None:
    """With x strips outstanding, below one, the pair that the stream has left works on for x of a strip while
    the next is begun; but not the one after, whose disk has the copy before its own: 2 ÷ (2 - x)."""
    assert pairs_at_a_time(8, 1, 64) == pytest.approx(1)
    for outstanding in (8, 16, 24):
        x = outstanding / 64
        assert pairs_at_a_time(8, outstanding, 64) == pytest.approx(2 / (2 - x), rel=0.03)
    for members in (3, 4, 8):
        assert pairs_at_a_time(members, 4096, 1) == pytest.approx(members / 2, rel=0.03)


@pytest.mark.parametrize("level", ["5", "6"])
def test_writes_in_order_to_parity(level: str) -> None:
    words = "writes in order to"
    gathered = behind("praid-ep420i", SSD, 4, level, write="always-write-back")
    assert said(gathered, read=0.0) == []
    assert said(gathered, read=0.9, outstanding=32) == [words]
    for system in (behind("praid-ep420i", SSD, 4, level, write="write-through"), direct(4, level)):
        assert said(system, read=0.0) == [words]
        assert said(system, read=0.9, outstanding=32) == [words]
        assert said(system, read=1.0) == []
        assert said(system, read=0.0, random=1.0) == []
    assert said(direct(4, "10"), read=0.0) == []


def test_writes_in_order_on_disks_without_their_caches() -> None:
    def stripes(cache: str, count: int = 4, part: str = "praid-cp400i") -> VirtualSystem:
        return behind(part, count=count, drive_cache=cache, read="no-read-ahead")

    assert said(stripes("off"), read=0.0) == ["writes in order on"]
    assert said(stripes("off"), read=0.0, outstanding=1, kib=(16,), workers=2) == ["writes in order on"]
    # One at a time of half a strip of 64 kB to two, on some of four disks.
    for kib, marked in ((16, False), (32, True), (128, True), (192, False)):
        words = ["writes in order on"] if marked else []
        assert said(stripes("off"), read=0.0, outstanding=1, kib=(kib,)) == words
    assert said(stripes("off", 2), read=0.0, outstanding=1, kib=(128,)) == []
    # Each of a pair has all of every stream.
    pair = behind("praid-cp400i", count=2, level="1", drive_cache="off")
    assert "writes in order on" not in said(pair, read=0.0, outstanding=1, workers=8)
    assert said(pair, read=0.0, outstanding=2, workers=8) == ["writes in order on"]
    assert said(stripes("off"), read=1.0) == []
    assert said(stripes("on"), read=0.0) == []
    assert said(stripes("off", 1), read=0.0) == []
    gathered = behind("praid-ep420i", count=4, drive_cache="off", write="always-write-back")
    assert said(gathered, read=0.0) == []


@pytest.mark.parametrize(
    ("level", "count", "row_kib"),
    [("5", 4, 768), ("6", 4, 512), ("50", 6, 512), ("60", 8, 512), ("10", 4, 512)],
)
def test_random_writes_of_whole_rows_to_parity(level: str, count: int, row_kib: int) -> None:
    """Rows of 256 kB on each member that has data."""
    words = ["random writes of"] if level != "10" else []
    gathered = behind("praid-ep420i", DISK, count, level, write="always-write-back")
    array = gathered.controllers[0].logicals[0].array
    assert array.strip_bytes == 256 << 10
    assert said(gathered, read=0.0, random=1.0, kib=(row_kib,)) == words
    assert said(gathered, read=0.67, random=1.0, kib=(4, row_kib)) == words
    assert said(gathered, read=0.0, random=1.0, kib=(row_kib - 4,)) == []
    assert said(gathered, read=1.0, random=1.0, kib=(row_kib,)) == []
    assert "random writes of" not in said(gathered, read=0.0, random=0.0, kib=(row_kib,))
    through = behind("praid-ep420i", DISK, count, level, write="write-through")
    flash = behind("praid-ep420i", SSD, count, level, write="always-write-back")
    for system in (through, flash):
        assert said(system, read=0.0, random=1.0, kib=(row_kib,)) == []


def test_reads_in_order_within_a_page_of_flash() -> None:
    words = ["reads in order of"]
    system = direct()
    model = system.drives[0].model
    assert isinstance(model, SsdModel)
    assert max(model.stripe_bytes, model.read_bytes, model.program_bytes) == PAGE_KIB << 10
    assert said(system, kib=(PAGE_KIB // 2,)) == words
    assert said(system, kib=(PAGE_KIB // 2,), read=0.5, outstanding=256) == words
    assert said(system, kib=(PAGE_KIB // 2,), read=0.0) == []
    assert said(system, kib=(PAGE_KIB // 2,), outstanding=1) == []
    assert said(system, kib=(PAGE_KIB // 2,), random=1.0) == []
    assert said(system, kib=(PAGE_KIB,)) == []
    assert said(behind("praid-cp400i", read="no-read-ahead"), kib=(4,)) == []


@pytest.mark.parametrize(
    ("random", "disk", "ssd"), [(0.25, True, True), (0.5, True, False), (0.75, False, False)]
)
def test_a_part_at_random(random: float, disk: bool, ssd: bool) -> None:
    words = "accesses of which"
    assert (words in said(behind("psas-cp400i", level="JBOD"), random=random)) == disk
    assert (words in said(direct(), random=random)) == ssd


@pytest.mark.parametrize(("random", "marked"), [(0.5, True), (0.75, True), (0.9, False), (0.0, False)])
def test_a_part_at_random_of_what_is_read_ahead(random: float, marked: bool) -> None:
    """What is fetched ahead of a stream that soon goes elsewhere is read for nothing, of SSDs too."""
    words = "accesses of which"
    assert (words in said(behind("praid-ep420i", SSD, 4, read="read-ahead"), random=random)) == marked
    assert words not in said(behind("praid-ep420i", SSD, 4, read="no-read-ahead"), random=random)
    assert words not in said(behind("praid-ep420i", SSD, 4, read="read-ahead"), read=0.0, random=random)


def test_accesses_in_order_with_failed_members() -> None:
    words = "accesses in order"
    degraded = behind("praid-ep420i", SSD, 4, "5", failed=(0,))
    assert words in said(degraded)
    assert words not in said(degraded, random=1.0)
    assert words not in said(behind("praid-ep420i", SSD, 4, "5"))


@pytest.mark.parametrize(
    ("kib", "rough"),
    [((4, 1024), True), ((16, 256), True), ((32, 256), False), ((4, 128), False), ((1024,), False)],
)
def test_large_accesses_among_small_ones(kib: tuple[int, ...], rough: bool) -> None:
    assert (said(direct(), kib=kib, random=1.0) == ["large accesses among"]) == rough
    assert said(behind("psas-cp400i", level="JBOD"), kib=kib, random=1.0) == []


def test_readers_of_what_ssds_behind_a_controller_have_copies_of() -> None:
    """A controller shares them out as its queue lets it, from the third on; a host gives each its copy."""
    what = "readers in order of what SSDs behind a controller have copies of"

    def marked(system: VirtualSystem, **of: Any) -> bool:
        reasons = rough(load(system, **{"workers": 3, **of}), system, bench.solve_network)
        return what in [reason.what for reason in reasons]

    for level, count in (("1", 2), ("10", 4), ("1E", 3)):
        copies = behind("praid-ep420i", SSD, count, level)
        assert marked(copies)
        assert marked(copies, read=0.5)
        assert not marked(copies, workers=2)
        assert not marked(copies, random=1.0)
        assert not marked(copies, read=0.0)
    assert not marked(behind("praid-ep420i", SSD, 4))
    assert not marked(behind("praid-ep420i", count=2, level="1"))
    assert not marked(direct(2, "1"))


def test_readers_of_copies_are_told_as_that_and_not_as_streams_or_as_fetched_for() -> None:
    """Marks that begin with the same words have spans of their own."""
    of_copies = "several workers that read in order what disks have copies of"
    fetched = "several workers that read in order what is read ahead of several disks"
    streams = "streams of several workers on disks for which nothing is read ahead or gathered"

    def told(level: str, count: int, ahead: str) -> set[str]:
        system = behind("praid-ep420i", count=count, level=level, read=ahead)
        reasons = rough(load(system, workers=4), system, bench.solve_network)
        return {reason.what for reason in reasons} & {of_copies, fetched, streams}

    for level, count in (("1", 2), ("10", 4), ("1E", 3)):
        assert told(level, count, "read-ahead") == told(level, count, "no-read-ahead") == {of_copies}
    for level in ("0", "5"):
        assert told(level, 4, "read-ahead") == {fetched}
        assert told(level, 4, "no-read-ahead") == {streams}


def test_only_volumes_that_are_accessed_count() -> None:
    host = {"processor": "xeon-e5-2660-v3", "software": "windows-raw-megaraid"}
    logical = [{"drive": SSD, "count": 4, "level": level} for level in ("0", "5")]
    written = {"name": "two", "host": host, "controller": [{"part": "praid-ep420i", "logical": logical}]}
    assert said(resolve(system_of(written)), read=0.0) == []


@pytest.mark.parametrize(
    ("part", "drive", "count", "level", "cache", "kib", "read", "workers", "outstanding"),
    [
        ("praid-cp400i", "seagate-exos-x20-20tb", 4, "5", "off", 128, 0.0, 4, 1),
        ("praid-cp400i", "seagate-exos-x20-20tb", 4, "5", "off", 4, 0.0, 4, 1),
        ("praid-cp400i", "seagate-exos-x20-20tb", 8, "5", "off", 4, 0.0, 4, 2),
        ("praid-cp400i", "hgst-huc156045css204", 2, "1", "off", 4, 0.25, 16, 1),
        ("psas-cp400i", "seagate-exos-x20-20tb", 2, "1", "off", 8, 0.25, 3, 1),
        ("praid-cp400i", DISK, 8, "10", "on", 16, 0.0, 16, 1),
        ("praid-cp400i", "seagate-exos-x20-20tb", 8, "5", "on", 64, 0.0, 16, 1),
    ],
)
def test_what_is_marked_is_no_further_off_than_the_mark_says(
    part: str, drive: str, count: int, level: str, cache: str, kib: int, read: float, workers: int,
    outstanding: int,
) -> None:  # fmt: skip
    """What workers write without caches waits for revolutions, which formulas of one stream do not see."""
    system = behind(part, drive, count, level, drive_cache=cache)
    volume = system.volumes[0]
    target = PlannedTarget(
        path=volume.name, kind="virtual", size_bytes=volume.size_bytes,
        area_length_bytes=volume.size_bytes >> 22 << 20,
    )  # fmt: skip
    point = Point(
        index=0, sweep="s", outstanding=outstanding, workers=workers, seed=1, system="made-up",
        engine="simulator", targets=(target,),
        profile=LoadProfile(
            name="made", random_share=0.0, read_share=read, blocks=(Block(bytes=kib << 10, weight=1.0),)
        ),
        stopping=Stopping(warmup_s=0, floor_s=1, cap_s=60, precision=0.02, confidence=0.95,
                          warmup_ios=4000, floor_ios=4000, cap_ios=8000),
    )  # fmt: skip
    simulated = bench.simulate_point(point, system).transaction_rate_io_s
    quotient = predict(point, system, bench.solve_network).rate_io_s / simulated
    reasons = rough(point, system, bench.solve_network)
    assert reasons
    assert all(reason.least <= quotient <= reason.most for reason in reasons), quotient


def test_a_load_beside_a_rebuild() -> None:
    """Whatever is asked of the array: all that the rebuild does is left out."""
    words = "a load beside"
    rebuilt = behind("praid-ep420i", count=4, level="5", failed=(0,), rebuild_mb_s=50)
    for random in (0.0, 1.0):
        for read in (0.0, 1.0):
            assert words in said(rebuilt, read=read, random=random)
            assert words not in said(behind("praid-ep420i", count=4, level="5", failed=(0,)), random=random)


def test_reads_in_order_of_a_raid_1e_meet_on_few_disks_as_of_other_levels() -> None:
    """Only what is written goes to pairs. With x strips of 256 kB outstanding, from half a strip on, 1 + 2x
    disks are busy, of four sets of copies that formulas have at work: 3 of 4 are few, 3.5 are not."""
    words = "a stream that"
    disks = behind("praid-ep420i", "hgst-huc156045css204", 8, "1E", read="no-read-ahead")
    assert words in said(disks, read=1.0, outstanding=4)
    assert words not in said(disks, read=1.0, outstanding=5)
    assert words not in said(disks, read=0.0, outstanding=4)
