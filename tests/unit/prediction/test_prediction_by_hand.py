"""What arrays and caches make of an access, reckoned by hand: counts, bytes and what waits for them."""

from __future__ import annotations

import math
import random
import statistics
from collections.abc import Iterable

import pytest

from iodyno.catalog.resolve import resolve
from iodyno.catalog.tree import system_of
from iodyno.prediction.accesses import Access, Load, Operations
from iodyno.prediction.controllers import LogicalMap
from iodyno.prediction.parity import mean_update
from iodyno.prediction.pieces import Shape
from iodyno.prediction.raid import ArrayMap, Mapped
from iodyno.prediction.shifted import Rows, mean_pieces
from iodyno.virtual import Array, PrimaryReads

KIB = 1024
STRIP = 64 * KIB
DATA_OF = {"0": 1.0, "1": 1 / 2, "10": 1 / 2, "5": 3 / 4, "6": 1 / 2}
"""Share of four members, of two in RAID 1, that is data."""


def array(level: str, members: int = 4, failed: tuple[int, ...] = ()) -> Array:
    return Array.model_validate(
        {
            "level": level, "drives": tuple(range(members)), "groups": 1, "strip_bytes": STRIP,
            "mirror_read": PrimaryReads(), "failed": failed, "rebuild_bytes_s": 0,
        }
    )  # fmt: skip


def writing(kib: int, *, at_random: float = 0.0, alignment_kib: int | None = None) -> Load:
    """Ask for writes of one size on the first TiB."""
    access = Access(1.0, True, kib * KIB, (alignment_kib or kib) * KIB)
    return Load(1.0, 1, at_random, 0.0, kib * KIB, 1 << 40, 0, (access,))


def every(mapped: Mapped) -> list[Operations]:
    return [op for operations in mapped.by_member.values() for op in operations]


def bytes_of(operations: Iterable[Operations]) -> float:
    return sum(op.count * op.bytes for op in operations)


@pytest.mark.parametrize(
    ("level", "members", "failed"),
    [("0", 4, 0), ("1", 2, 0), ("1", 2, 1), ("10", 4, 0), ("10", 4, 1), ("5", 4, 0), ("5", 4, 1),
     ("6", 4, 1)],
)  # fmt: skip
@pytest.mark.parametrize("kib", [16, 64, 256])
def test_whole_rows_have_what_is_written_with_copies_and_parity(
    level: str, members: int, failed: int, kib: int
) -> None:
    """All in strips, without those of a failed member; an I/O waits for the last of them."""
    load = writing(kib)
    mapping = ArrayMap(array(level, members, (0,)[:failed]), load)
    mapped = mapping.whole_rows(load.classes[0], 1.0)
    size, alive = kib * KIB, members - failed
    operations = every(mapped)
    assert {op.bytes for op in operations} == {STRIP}
    assert bytes_of(operations) == pytest.approx(size / DATA_OF[level] * alive / members)
    assert mapped.operations == pytest.approx(sum(op.count for op in operations))
    assert all(op.write for op in operations)
    assert sum(op.count * op.waited for op in operations) == pytest.approx(1)
    assert set(mapped.by_member) == set(range(failed, members))
    counts = [sum(op.count for op in of) for of in mapped.by_member.values()]
    assert counts == [pytest.approx(counts[0])] * alive
    parity = {"5": size / 3, "6": size}.get(level, 0)
    assert mapped.parity_bytes == pytest.approx(parity)
    assert all(op.parallel == pytest.approx(max(sum(counts), 1)) for op in operations)


@pytest.mark.parametrize(("level", "parities"), [("5", 1), ("6", 2)])
@pytest.mark.parametrize("failed", [0, 1])
@pytest.mark.parametrize("kib", [16, 64, 256])
def test_a_stripe_that_is_gathered_without_a_cache_is_written_at_once(
    level: str, parities: int, failed: int, kib: int
) -> None:
    """No part of it is read before, and the last of its parts is waited for."""
    load = writing(kib)
    mapped = ArrayMap(array(level, 4, tuple(range(failed))), load).write(load.classes[0], 1.0, coalesced=True)
    operations, data = every(mapped), 4 - parities
    assert all(op.write for op in operations)
    assert {op.bytes for op in operations} == {min(kib, 64) * KIB}
    assert bytes_of(operations) == pytest.approx(kib * KIB * 4 / data * (4 - failed) / 4)
    assert mapped.parity_bytes == pytest.approx(kib * KIB * parities / data)
    count = sum(op.count for op in operations)
    assert sum(op.count * op.waited for op in operations) == pytest.approx(1)
    assert all(op.parallel == pytest.approx(max(count, 1)) for op in operations)


@pytest.mark.parametrize(
    ("kib", "writes", "reads", "parity_kib"),
    [
        (16, 2, 2, 16),  # the old data and the old parity, then the new ones
        (64, 2, 2, 64),
        (192, 4, 0, 64),  # a row of three strips: parity follows from it
    ],
)
def test_an_update_of_raid_5_reads_what_it_has_to(kib: int, writes: int, reads: int, parity_kib: int) -> None:
    """Of four members; accesses one behind the other, or at random on multiples of their size."""
    for at_random in (0.0, 0.25, 1.0):
        load = writing(kib, at_random=at_random)
        mapped = ArrayMap(array("5"), load).update(load.classes[0], 1.0)
        found = {write: [op for op in every(mapped) if op.write is write] for write in (True, False)}
        assert sum(op.count for op in found[True]) == pytest.approx(writes)
        assert sum(op.count for op in found[False]) == pytest.approx(reads)
        assert mapped.operations == pytest.approx(writes + reads)
        assert mapped.parity_bytes == pytest.approx(parity_kib * KIB)
        assert mapped.phases == (2 if reads else 1)
        assert bytes_of(found[True]) == pytest.approx(kib * KIB + parity_kib * KIB)
        for write, count in ((True, writes), (False, reads)):
            if count:
                assert sum(op.count * op.waited for op in found[write]) == pytest.approx(1)
                assert {op.parallel for op in found[write]} == {count}


def test_an_update_has_its_shares_of_both_ways() -> None:
    """A row of 192 kB, aligned to 64 kB: in order always whole, at random one place of three is."""
    whole, random_share = 192 * KIB, 0.25
    load = writing(192, at_random=random_share, alignment_kib=64)
    mapped = ArrayMap(array("5"), load).update(load.classes[0], 1.0)
    at_random = mean_update(Shape(3, 1, 1, STRIP), whole, STRIP)
    assert at_random.reading == pytest.approx(2 / 3)
    assert mapped.phases == pytest.approx(1 + random_share * 2 / 3)
    reads = [op for op in every(mapped) if not op.write]
    assert sum(op.count for op in reads) == pytest.approx(random_share * at_random.reads)
    # Those that read wait for the last of what they read together.
    assert sum(op.count * op.waited for op in reads) == pytest.approx(random_share * 2 / 3)
    # Two strips of one row want the third, one of another its old data and parity: three side by side.
    assert all(op.parallel == pytest.approx(3) for op in reads)
    parity = random_share * at_random.parity_bytes + (1 - random_share) * STRIP
    assert mapped.parity_bytes == pytest.approx(parity)


@pytest.mark.parametrize("kib", [16, 64, 128, 192])
def test_a_write_to_raid_1e_has_two_of_everything(kib: int) -> None:
    """Of four members each has a strip and the copy of that before it, one row further on."""
    made = mean_pieces(Rows(4, STRIP), kib * KIB, kib * KIB, None)
    assert made.moved_bytes == 2 * kib * KIB


def test_strips_of_raid_1e_lie_beside_the_copy_of_the_one_before() -> None:
    """Two strips of four members, from the first on: A on members 0 and 1, B on 1 and 2. What member 1 has of
    A is in the row behind that of B: side by side they are one operation."""
    two = mean_pieces(Rows(4, STRIP), 2 * STRIP, 8 * STRIP, None)
    assert (two.operations, two.each, two.most_bytes) == (3, 1, 2 * STRIP)
    assert two.span_bytes == pytest.approx((STRIP + 2 * STRIP + STRIP) / 3)
    # From the last strip of a row on: D on 3 and 0, E in the next pair of rows on 0 and 1.
    across = mean_pieces(Rows(4, STRIP), 2 * STRIP, 4 * STRIP, None, 3 * STRIP)
    assert (across.operations, across.most_bytes) == (3, 2 * STRIP)
    # Half of a strip and half of the next: on member 1 the copy of the first half's end, then B's beginning
    # a row before, with half of a strip on either side.
    halves = mean_pieces(Rows(4, STRIP), STRIP, 4 * STRIP, None, STRIP // 2)
    assert (halves.operations, halves.most_bytes) == (4, STRIP)
    assert halves.each == pytest.approx(4 / 3)


def test_what_failed_members_of_raid_1e_had_is_written_once() -> None:
    """A strip on members 0 and 1: with one of them failed there is one operation, on any of four in the mean
    1 + 1/2."""
    one = mean_pieces(Rows(4, STRIP, (1,)), STRIP, 4 * STRIP, None)
    assert (one.operations, one.moved_bytes) == (1, STRIP)
    mean = mean_pieces(Rows(4, STRIP, (1,)), STRIP, STRIP, None)
    assert mean.operations == pytest.approx((2 + 2 + 1 + 1) / 4)


@pytest.mark.parametrize(("own_share", "operations"), [(1.0, 2), (0.0, 1)])
def test_a_read_of_raid_1e_takes_one_of_two(own_share: float, operations: int) -> None:
    """Of two strips in order: their own rows on members 0 and 1, or their copies on 1 and 2. Has member 2
    failed, there is the second in its own row alone: beside the copy of the first on member 1."""
    made = mean_pieces(Rows(4, STRIP), 2 * STRIP, 8 * STRIP, own_share)
    assert (made.operations, made.each, made.moved_bytes) == (2, 1, 2 * STRIP)
    failed = mean_pieces(Rows(4, STRIP, (2,)), 2 * STRIP, 8 * STRIP, own_share)
    assert (failed.operations, failed.moved_bytes) == (operations, 2 * STRIP)


def written_behind(level: str, kib: int, once: float, grain_kib: int | None = None) -> LogicalMap:
    """Let four disks behind a cache have random writes, of as large an area as makes it dirty so: what is
    written of it in a round of the sweep is ``once`` times the area.

    A share 1 - e^-once is dirty where the sweep comes next, and 1 - (1 - e^-once) / once on the average: that
    the cache has.
    """
    host = {"processor": "xeon-e5-2660-v3", "software": "windows-raw-megaraid"}
    logical = {"drive": "seagate-st91000640ns", "count": 4, "level": level, "strip": "64 KiB"}
    controller = {"part": "praid-ep420i", "write": "always-write-back", "logical": [logical]}
    system = resolve(system_of({"name": "made", "host": host, "controller": [controller]}))
    (model,) = system.controllers
    assert model.logicals[0].array.strip_bytes == STRIP
    everywhere = 1 - (1 - math.exp(-once)) / once
    access = Access(1.0, True, kib * KIB, (grain_kib or kib) * KIB)
    room = model.cache_bytes * min(kib / 4, 1)  # a block takes a line of 4 kB at the least
    load = Load(1.0, 64, 1.0, 0.0, kib * KIB, round(room / everywhere), 0, (access,))
    return LogicalMap(system, 0, model.logicals[0], load)


def test_how_much_is_dirty_where_a_sweep_comes() -> None:
    for once in (0.5, 1.0, 3.0):
        made = written_behind("0", 64, once)
        assert made.front_density == pytest.approx(1 - math.exp(-once), rel=1e-6)


def test_blocks_that_share_their_parity() -> None:
    """Blocks of a stripe are dirty by chance, so Poisson's law tells how many are where there is one; of
    RAID 5 over four disks three strips are data. No more than sixteen go at once, and nothing is shared
    elsewhere."""
    dirty = 1 - math.exp(-1)
    for kib in (64, 32, 16):
        blocks = 3 * 64 / kib * dirty
        expected = blocks / (1 - math.exp(-blocks))
        assert written_behind("5", kib, 1.0).together == pytest.approx(expected, rel=1e-6)
    assert written_behind("5", 4, 1.0).together == 16
    blocks = 2 * 64 / 32 * dirty
    expected = blocks / (1 - math.exp(-blocks))
    assert written_behind("6", 32, 1.0).together == pytest.approx(expected, rel=1e-6)
    assert written_behind("0", 32, 1.0).together == 1
    assert written_behind("10", 32, 1.0).together == 1


@pytest.mark.parametrize(("level", "parities", "strips"), [("5", 1, 3), ("6", 2, 2)])
@pytest.mark.parametrize("kib", [4, 16, 64])
def test_parity_goes_from_the_first_of_its_blocks_to_the_last(
    level: str, parities: int, strips: int, kib: int
) -> None:
    """Blocks begin anywhere in their strips, so parity goes over what n of them span there, which is drawn
    here; for each of them there are so many n-th parts of it."""
    blocks = min(strips * 64 / kib * (1 - math.exp(-1)), 16)
    blocks = min(blocks / (1 - math.exp(-blocks)), 16)
    draw, room = random.Random(51), 64 - kib

    def spanned(count: int) -> float:
        drawn = ([draw.uniform(0, room) for _ in range(count)] for _ in range(4000))
        return statistics.fmean(max(at) - min(at) for at in drawn)

    least, share = math.floor(blocks), blocks % 1
    reach = kib + (1 - share) * spanned(least) + (share * spanned(least + 1) if share else 0)
    each = parities / blocks
    expected = (kib + each * reach) / (kib + each * kib)
    assert written_behind(level, kib, 1.0).longer == pytest.approx(expected, rel=0.015)


@pytest.mark.parametrize(
    ("kib", "grain_kib", "once", "joined_kib"),
    [
        # Side by side e^once places of a grain: a run ends where none is dirty, a share e^-once.
        (16, 16, 1.0, 44),  # 16 e = 43.5
        (4, 4, 1.0, 12),  # 4 e = 10.9
        (16, 16, 3.0, 308),  # 16 e^3 = 321.4, of which what is beyond 1 MiB is cut: x (1 - e^(-1024 / x))
        # Places of 8 kB have a beginning with 1 - e^-0.5: 8 (1 - e^-1) / ((1 - e^-0.5) e^-1) = 34.9.
        (16, 8, 1.0, 36),
        (16, 32, 1.0, 16),  # they lie apart
        (1, 1, 0.5, 1),  # 1.6 of them, less than a line
    ],
)
def test_dirty_blocks_side_by_side_are_one_operation(
    kib: int, grain_kib: int, once: float, joined_kib: int
) -> None:
    for level in ("0", "10"):
        made = written_behind(level, kib, once, grain_kib)
        assert made.joined(made.load.classes[0]).bytes == joined_kib * KIB
    with_parity = written_behind("5", kib, once, grain_kib)
    assert with_parity.joined(with_parity.load.classes[0]).bytes == kib * KIB


@pytest.mark.parametrize("failed", range(4))
@pytest.mark.parametrize("at_random", [0.0, 1.0])
def test_an_update_of_raid_5_without_one_member(failed: int, at_random: float) -> None:
    """Of four rows the failed member has the strip that is written in one: then the other two tell the new
    parity. In one it has the parity: then nothing is read. In two the old data and parity are."""
    load = writing(16, at_random=at_random)
    mapped = ArrayMap(array("5", 4, (failed,)), load).update(load.classes[0], 1.0)
    assert mapped.operations == pytest.approx((2 + 0 + 2 + 2) / 4 + (1 + 1 + 2 + 2) / 4)
    assert mapped.phases == pytest.approx(1 + 3 / 4)
    assert mapped.parity_bytes == pytest.approx(3 / 4 * 16 * KIB)
    assert (mapped.lost_bytes, mapped.telling_bytes) == (0, 0)
    assert set(mapped.by_member) == {0, 1, 2, 3} - {failed}
    for read, write in mapped.by_member.values():
        assert (read.write, write.write) == (False, True)
        assert (read.count, write.count) == pytest.approx((1.5 / 3, 1.5 / 3))
        assert read.bytes == write.bytes == pytest.approx(16 * KIB)
        # Three of four I/Os wait for reads, two at a time; all for writes.
        assert (3 * read.count * read.waited, read.parallel) == pytest.approx((3 / 4, 2))
        assert (3 * write.count * write.waited, write.parallel) == pytest.approx((1, 1.5))
        # Two of four write what they have read, and nothing else.
        assert read.following == 0
        assert write.following == pytest.approx(1 / 2)


def test_an_update_of_raid_6_without_two_members() -> None:
    """Of six members those that face each other are lost: in two of six rows two strips of data, in four one
    and a parity. Of both kinds of rows each of the four strips of data is written as often."""
    load = writing(16, at_random=1.0)
    mapped = ArrayMap(array("6", 6, (0, 3)), load).update(load.classes[0], 1.0)
    # With one strip of data lost it is written itself, by the three others, or the old data and parity are
    # read. With two of them all that is left tells the other one; else the old data and both parities do.
    one, two = ((3 + 3 * 2) / 4, (1 + 3 * 2) / 4), ((2 * 4 + 2 * 3) / 4, (2 * 2 + 2 * 3) / 4)
    reads, writes = (2 / 3 * of_one + 1 / 3 * of_two for of_one, of_two in zip(one, two, strict=True))
    found = {write: [op for op in every(mapped) if op.write is write] for write in (True, False)}
    assert sum(op.count for op in found[False]) == pytest.approx(reads)
    assert sum(op.count for op in found[True]) == pytest.approx(writes)
    assert mapped.phases == pytest.approx(2)
    assert set(mapped.by_member) == {1, 2, 4, 5}
    assert mapped.parity_bytes == pytest.approx((2 / 3 * 1 + 1 / 3 * 2) * 16 * KIB)
    # One row in three with one strip of two written: the other is told by four.
    assert mapped.lost_bytes == pytest.approx(16 * KIB / 6)
    assert mapped.telling_bytes == pytest.approx(4 * 16 * KIB / 6)
