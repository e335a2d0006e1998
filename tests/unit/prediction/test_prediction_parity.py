"""Writes to arrays with parity: means over where they begin, by hand."""

from __future__ import annotations

from typing import Literal

import pytest

from iodyno.prediction.accesses import Access, Load
from iodyno.prediction.parity import mean_update
from iodyno.prediction.pieces import Shape
from iodyno.prediction.raid import ArrayMap
from iodyno.virtual import Array, PrimaryReads

KIB = 1024
STRIP = 64 * KIB


def test_a_write_within_a_strip_reads_and_writes_it_and_its_parity() -> None:
    """RAID 5 and 6: two and three reads, as many writes; the rest of the row where that is less."""
    for parity, data, reads, writes in ((1, 7, 2, 2), (2, 6, 3, 3), (1, 2, 1, 2), (2, 2, 1, 3)):
        made = mean_update(Shape(data, parity, 1, STRIP), 8 * KIB, 8 * KIB)
        assert (made.reads, made.writes, made.reading) == (reads, writes, 1)
        assert (made.read_bytes, made.written_bytes) == (reads * 8 * KIB, writes * 8 * KIB)
        assert made.parity_bytes == parity * 8 * KIB


def test_a_strip_at_any_place_changes_a_strip_of_parity() -> None:
    """RAID 5 of three, 64 KiB on 4 KiB: 2 places of 32 fill a strip, 15 lie over two of a row, 15 over rows.

    The rest of the row is read: one strip; parts of both; the end of one and the beginning of the next, which
    follow on each other on their member. Written are one strip, two parts, or two that each follow on a
    parity; and a strip of parity, whole or in two parts.
    """
    made = mean_update(Shape(2, 1, 1, STRIP), STRIP, 4 * KIB)
    assert made.reads == (2 * 1 + 15 * 2 + 15 * 1) / 32
    assert made.writes == (2 * 2 + 15 * 3 + 15 * 2) / 32
    assert (made.read_bytes, made.written_bytes, made.parity_bytes) == (STRIP, 2 * STRIP, STRIP)


def test_the_end_of_a_strip_and_the_beginning_of_the_next_change_two_parts_of_parity() -> None:
    """RAID 5 of three, 32 KiB on 16 KiB: of eight places six lie in a strip, one over two, one over rows."""
    made = mean_update(Shape(2, 1, 1, STRIP), STRIP // 2, STRIP // 4)
    assert (made.reads, made.writes) == ((6 * 1 + 2 + 1) / 8, (6 * 2 + 4 + 2) / 8)
    assert (made.read_bytes, made.written_bytes, made.parity_bytes) == (STRIP / 2, STRIP, STRIP / 2)


@pytest.mark.parametrize("parity", [1, 2])
def test_whole_rows_are_written_without_reads(parity: int) -> None:
    made = mean_update(Shape(4, parity, 1, STRIP), 8 * STRIP, 4 * STRIP)
    # Two rows, each a strip on every member, and those of a member are one.
    assert (made.reads, made.reading, made.writes) == (0, 0, 4 + parity)
    assert (made.written_bytes, made.parity_bytes) == ((8 + 2 * parity) * STRIP, 2 * parity * STRIP)


def test_a_large_write_reads_for_the_rows_at_its_ends() -> None:
    """Two rows' worth, of four strips each: from the second, third and fourth strip on it ends within rows.

    Of one strip in a row it and the parity are read, of two or three the rest: 1 + 2, 2 + 2 and 2 + 1.
    Written are eight strips, and parity of two rows or of three.
    """
    made = mean_update(Shape(4, 1, 1, STRIP), 8 * STRIP, STRIP)
    assert made.reading == 3 / 4
    assert made.read_bytes == (3 + 4 + 3) / 4 * STRIP
    assert made.written_bytes == (10 + 3 * 11) / 4 * STRIP
    assert made.parity_bytes == (2 + 3 * 3) / 4 * STRIP


def test_groups_take_rows_in_turns() -> None:
    """RAID 50 of six: rows lie on other members than the rows before them, so nothing follows on anything."""
    alone, turns = (mean_update(Shape(2, 1, groups, STRIP), 4 * STRIP, 2 * STRIP) for groups in (1, 2))
    assert (alone.writes, turns.writes) == (3, 6)
    assert alone.written_bytes == turns.written_bytes == 6 * STRIP


@pytest.mark.parametrize(
    ("outstanding", "random_share", "read_share", "whole"),
    [
        (8, 0.0, 0.0, True),
        (7, 0.0, 0.0, False),
        (1, 0.0, 0.0, False),
        (64, 0.2, 0.0, False),
        (64, 0.0, 0.3, False),
    ],
)
def test_a_stream_fills_a_stripe_where_seven_strips_are_outstanding_beside_one(
    outstanding: int, random_share: float, read_share: float, whole: bool
) -> None:
    """RAID 5 of eight; whole, a strip takes n ÷ (n − 1) operations, all of them writes."""
    array = Array(
        level="5", drives=tuple(range(8)), groups=1, strip_bytes=STRIP, mirror_read=PrimaryReads(),
        failed=(), rebuild_bytes_s=0,
    )  # fmt: skip
    write = Access(1 - read_share, True, STRIP, STRIP)
    load = Load(1.0, outstanding, random_share, read_share, STRIP, 1 << 40, 0, (write,))
    mapping = ArrayMap(array, load)
    assert mapping.gathers(write, 1) is whole
    made = [found for of in mapping.write(write, coalesced=True).by_member.values() for found in of]
    assert sum(found.count for found in made) == pytest.approx(8 / 7)
    assert all(found.write for found in made)


def test_of_a_whole_stripe_what_belongs_to_a_failed_member_is_not_written() -> None:
    """RAID 5 of eight with one lost: seven strips of eight, for seven of data."""
    array = Array(
        level="5", drives=tuple(range(8)), groups=1, strip_bytes=STRIP, mirror_read=PrimaryReads(),
        failed=(2,), rebuild_bytes_s=0,
    )  # fmt: skip
    write = Access(1.0, True, 7 * STRIP, STRIP)
    load = Load(1.0, 8, 0.0, 0.0, 7 * STRIP, 1 << 40, 0, (write,))
    mapped = ArrayMap(array, load).write(write, coalesced=True)
    assert 2 not in mapped.by_member
    assert sum(one.count for of in mapped.by_member.values() for one in of) == pytest.approx(7)


@pytest.mark.parametrize(("level", "parities"), [("5", 1), ("6", 2)])
def test_of_a_whole_stripe_each_parity_is_a_strip(level: Literal["5", "6"], parities: int) -> None:
    array = Array(
        level=level, drives=tuple(range(8)), groups=1, strip_bytes=STRIP, mirror_read=PrimaryReads(),
        failed=(), rebuild_bytes_s=0,
    )  # fmt: skip
    whole = (8 - parities) * STRIP
    load = Load(1.0, 8, 0.0, 0.0, whole, 1 << 40, 0, (Access(1.0, True, whole, STRIP),))
    mapped = ArrayMap(array, load).write(load.classes[0], coalesced=True)
    assert mapped.parity_bytes == pytest.approx(parities * STRIP)
