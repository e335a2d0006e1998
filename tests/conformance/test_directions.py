"""Reads and writes with sizes and alignments of their own, on every engine and the simulator."""

from __future__ import annotations

import math

import pytest

from conformance.asking import EVERY, REAL, Stand, ask, both_served, needs, profile
from iodyno import bench
from iodyno.profiles import Block, LoadProfile
from iodyno.verdict import laws

AREA = (1 << 20, 12 << 20)
READ, WRITE = 4096, 65536
WRITES = (Block(bytes=32768, weight=1), Block(bytes=WRITE, weight=3))


def of_their_own(random: float = 1.0, **fields: object) -> LoadProfile:
    """Give a mix of 67 % reads of 4 kB, and writes of 32 and 64 kB."""
    return profile(random, 0.67, READ, write_blocks=WRITES, write_alignment_bytes=32768, **fields)


@pytest.mark.parametrize("engine", EVERY)
@pytest.mark.parametrize("random", [0.0, 1.0])
def test_each_direction_has_its_share_and_its_sizes(stand: Stand, engine: str, random: float) -> None:
    needs(engine)
    point = stand.point(engine, of_their_own(random), workers=2, area=AREA)
    reading = ask(point)
    assert laws(point, reading) == []
    assert reading.errors == 0
    reads, writes = reading.reads, reading.writes
    # Five standard deviations of a binomial share; the outstanding ones at the end count for neither.
    count = reading.completed
    assert reads.completed == pytest.approx(0.67 * count, abs=5 * math.sqrt(0.67 * 0.33 * count) + 8)
    assert reads.bytes == reads.completed * READ
    large = (writes.bytes - 32768 * writes.completed) / 32768
    of = writes.completed
    assert large == pytest.approx(0.75 * of, abs=5 * math.sqrt(0.75 * 0.25 * of) + 8)


@pytest.mark.parametrize("engine", EVERY)
@pytest.mark.parametrize(("read", "written"), [(1 << 20, 512), (4096, 1 << 20)])
def test_the_larger_of_both_has_room(stand: Stand, engine: str, read: int, written: int) -> None:
    needs(engine)
    mix = profile(1.0, 0.5, read, write_blocks=(Block(bytes=written),))
    point = stand.point(engine, mix, outstanding=8, workers=2)
    reading = ask(point, served=both_served)
    assert laws(point, reading) == []
    assert reading.errors == 0
    assert reading.reads.bytes == reading.reads.completed * read > 0
    assert reading.writes.bytes == reading.writes.completed * written > 0


@pytest.mark.parametrize("engine", REAL)
def test_what_is_written_is_what_was_planned_and_what_is_read_is_whole(stand: Stand, engine: str) -> None:
    needs(engine)
    before = stand.path.read_bytes()
    point = stand.point(engine, of_their_own(), outstanding=1, area=AREA, seconds=0.2)
    reading = ask(point)
    drawn = bench.accesses(point, count=reading.issued.reads + reading.issued.writes)
    after = stand.path.read_bytes()
    expected = bytearray(before)
    for write, offset, length in drawn:
        assert length in ((32768, WRITE) if write else (READ,))
        assert (offset - AREA[0]) % (32768 if write else 4096) == 0
        if write:
            expected[offset : offset + length] = after[offset : offset + length]
            assert after[offset : offset + length] != before[offset : offset + length]
    assert bytes(expected) == after
    assert reading.reads.bytes == reading.reads.completed * READ


@pytest.mark.parametrize("distribution", ["zipf:1.1", "90/10, 10/70"])
def test_uneven_offsets_of_both_stay_in_the_area(stand: Stand, distribution: str) -> None:
    point = stand.point("null", of_their_own(distribution=distribution), workers=2, area=AREA)
    assert laws(point, ask(point)) == []
    for write, offset, length in bench.accesses(point, worker=1, count=20_000):
        assert AREA[0] <= offset <= offset + length <= sum(AREA)
        assert (offset - AREA[0]) % (32768 if write else 4096) == 0


def test_the_law_of_bytes_knows_the_direction(stand: Stand) -> None:
    point = stand.point("null", of_their_own(), area=AREA)
    reading = ask(point)
    swapped = point.model_copy(
        update={"profile": profile(1.0, 0.67, WRITE, write_blocks=(Block(bytes=READ),))}
    )
    assert {cause.values["what"] for cause in laws(swapped, reading)} == {"bytes read", "bytes written"}
