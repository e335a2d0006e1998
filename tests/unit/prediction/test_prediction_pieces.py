"""What accesses become on arrays, on average over where they begin: by hand, and against the simulator."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from iodyno import bench
from iodyno.catalog.resolve import resolve
from iodyno.catalog.tree import system_of
from iodyno.plan import PlannedTarget, Point, Stopping
from iodyno.prediction import predict
from iodyno.prediction.accesses import Access, Load
from iodyno.prediction.parity import mean_update
from iodyno.prediction.pieces import Shape, mean_read, read_shares
from iodyno.prediction.raid import ArrayMap
from iodyno.prediction.shifted import Rows, mean_pieces
from iodyno.profiles import Block, LoadProfile
from iodyno.reading import Reading
from iodyno.virtual import Array, PrimaryReads, VirtualSystem

KIB = 1024
STRIP = 64 * KIB


def test_a_read_that_a_strip_ends_in_has_two_unequal_pieces() -> None:
    """A strip at any of its 16 places of 4 KiB: once whole, else cut."""
    made = mean_read(Shape(8, 0, 1, STRIP), STRIP, 4 * KIB)
    assert made.operations == pytest.approx(1 + 15 / 16)
    assert made.moved_bytes == STRIP
    larger = sum(max(at, 16 - at) for at in range(1, 16)) * 4 * KIB
    assert made.most_bytes == pytest.approx((larger + STRIP) / 16)
    assert made.each == 1


@pytest.mark.parametrize("strip_kib", [64, 256, 1024])
def test_few_places_tell_how_often_a_strip_ends_in_a_read(strip_kib: int) -> None:
    """8 KiB at multiples of 4: of the places in a strip the last one is cut."""
    made = mean_read(Shape(8, 0, 1, strip_kib * KIB), 8 * KIB, 4 * KIB)
    assert made.operations == pytest.approx(1 + 4 / strip_kib)


@pytest.mark.parametrize(
    ("size", "grain", "start", "operations"),
    [
        (64, 64, 16, 2),  # every strip ends in one
        (64, 64, 128, 1),
        (64, 4, 16, 1 + 15 / 16),  # any multiple of 4 as before
        (16, 64, 32, 1),
        (16, 64, 52, 2),
        (48, 48, 8, 1 + 3 / 4),  # 8, 56, 40, 24 within the strips: one of four ends in its strip
        (48, 48, 0, 1 + 2 / 4),
        (256, 256, 16, 4),  # the end of a whole row follows on its beginning
        (128, 128, 60, 3),
    ],
)
def test_where_the_area_begins_tells_what_is_cut(
    size: int, grain: int, start: int, operations: float
) -> None:
    """Accesses that are aligned within an area which begins within a strip."""
    made = mean_read(Shape(4, 0, 1, STRIP), size * KIB, grain * KIB, start * KIB)
    assert made.operations == pytest.approx(operations)


def test_of_rows_that_an_area_begins_within_two_are_updated() -> None:
    """A write as large as a row, from its second strip on: of two rows something is read."""
    shape = Shape(3, 1, 1, STRIP)
    assert mean_update(shape, 3 * STRIP, 3 * STRIP).reads == 0
    shifted = mean_update(shape, 3 * STRIP, 3 * STRIP, STRIP)
    # Of the row with two strips the other one is read, of that with one the strip and its parity.
    assert (shifted.reads, shifted.reading) == (1 + 2, 1)
    # Of three strips and two of parity two pairs lie behind each other.
    assert (shifted.writes, shifted.written_bytes) == (3, 5 * STRIP)


def test_copies_of_a_raid_1e_are_cut_where_the_area_begins() -> None:
    rows = Rows(3, STRIP)
    assert mean_pieces(rows, STRIP, STRIP, 1.0).operations == 1
    assert mean_pieces(rows, STRIP, STRIP, 1.0, STRIP // 4).operations == 2


@pytest.mark.parametrize("members", [3, 4, 5, 8])
@pytest.mark.parametrize("strip_kib", [64, 256, 1024])
def test_few_writes_to_a_raid_1e_lie_in_two_strips(members: int, strip_kib: int) -> None:
    """Of 8 kB at multiples of 4 all of a strip but one lie in one, and its copy. That one lies in two: it has
    four pieces, or three where the strip is the last of its row: that copy ends where the next row begins."""
    crossing = 1 / (strip_kib // 4)
    pieces = 4 - 1 / members
    made = mean_pieces(Rows(members, strip_kib * KIB), 8 * KIB, 4 * KIB, None)
    assert made.operations == pytest.approx(2 * (1 - crossing) + pieces * crossing)
    assert made.moved_bytes == pytest.approx(2 * 8 * KIB)


def test_what_follows_on_a_member_is_one_piece() -> None:
    """A row and what is left of its first strip: the end of a read lies behind its beginning there."""
    made = mean_read(Shape(4, 0, 1, STRIP), 4 * STRIP, 4 * KIB)
    assert (made.operations, made.most_bytes, made.each) == (4, STRIP, 1)


def test_parity_lies_between_the_pieces_of_a_member() -> None:
    """Three whole rows of RAID 5 of three: a member's parity is in the first, second or third of them."""
    made = mean_read(Shape(2, 1, 1, STRIP), 6 * STRIP, 2 * STRIP)
    assert made.operations == 1 + 2 + 1
    assert made.each == pytest.approx(4 / 3)
    assert made.span_bytes == (2 + 3 + 2) / 3 * STRIP


def test_what_is_lost_is_told_from_the_rest_of_its_row() -> None:
    """RAID 5 of four, one lost: a strip of it takes three reads; a whole row three, whichever is lost."""
    shape = Shape(3, 1, 1, STRIP, frozenset({2}))
    assert mean_read(shape, 8 * KIB, STRIP).operations == pytest.approx(3 / 4 * 1 + 1 / 4 * 3)
    assert mean_read(shape, 3 * STRIP, 3 * STRIP).operations == pytest.approx(3)


def test_two_strips_of_a_row_with_one_lost() -> None:
    """RAID 5 of four, two strips from a row's first on: 2 of 4 rows have one of them lost, and read three."""
    shape = Shape(3, 1, 1, STRIP, frozenset({0}))
    aligned = mean_read(shape, 2 * STRIP, 3 * STRIP)
    assert aligned.operations == pytest.approx(2 / 4 * 2 + 2 / 4 * 3)


@pytest.mark.parametrize("lost", [{3}, {0}])
def test_nothing_is_read_but_what_tells_what_is_lost(lost: set[int]) -> None:
    """RAID 5 of eight, no more than a strip: each byte is there, or in one of eight told by seven."""
    made = mean_read(Shape(7, 1, 1, STRIP, frozenset(lost)), 16 * KIB, 4 * KIB)
    assert made.moved_bytes == pytest.approx((7 / 8 + 7 / 8) * 16 * KIB)


@pytest.mark.parametrize(
    ("shape", "shares"),
    [
        # Each of the three has two of eight strips, and in two rows the first one has data. It is told by the
        # other one and the first parity, which is on the member after it once and never on the last one.
        (Shape(2, 2, 1, STRIP, frozenset({0})), (0, 4, 3, 3)),
        # Two read for the third of their group, the others for themselves.
        (Shape(2, 1, 2, STRIP, frozenset({0})), (0, 2, 2, 1, 1, 1)),
        (Shape(2, 2, 2, STRIP, frozenset({0, 1})), (0, 0, 3, 3, 1, 1, 1, 1)),
        # Those of which all read alike are equal.
        (Shape(7, 1, 1, STRIP, frozenset({0})), ()),
        (Shape(2, 1, 2, STRIP, frozenset({0, 4})), ()),
        (Shape(2, 2, 1, STRIP), ()),
    ],
)
def test_some_read_more_for_those_that_failed(shape: Shape, shares: tuple[int, ...]) -> None:
    found = [share for share, _ in read_shares(shape, 16 * KIB, 16 * KIB)]
    assert found == pytest.approx([share / sum(shares) for share in shares])


def test_a_small_write_to_a_degraded_array() -> None:
    """RAID 5 of four, one lost, written within a strip.

    In one row of four the parity is lost: the strip is written, nothing read. In one the strip itself: the
    other two are read, the parity written. In two another strip: data and parity are read and written.
    """
    made = mean_update(Shape(3, 1, 1, STRIP, frozenset({1})), 8 * KIB, STRIP)
    assert made.reads == pytest.approx((0 + 2 + 2 * 2) / 4)
    assert made.writes == pytest.approx((1 + 1 + 2 * 2) / 4)
    assert made.reading == pytest.approx(3 / 4)
    assert made.parity_bytes == pytest.approx(3 / 4 * 8 * KIB)


def test_bytes_that_stay_and_are_lost_are_told_by_what_was_there() -> None:
    """RAID 6 of five, two lost, two strips of three written from a row's first strip on.

    Of ten pairs of a row: both parities: nothing is read. A parity and the third strip: the two and the
    other parity, three (2 pairs). A parity and a strip written: the third strip (4 pairs). Both strips
    written: the third (1 pair). A strip written and the third: of both the old bytes are unknown, which two
    parities and the written one that is there tell (2 pairs).
    """
    shapes = [Shape(3, 2, 1, STRIP, frozenset({0, other})) for other in (1, 2, 3, 4)]
    reads = sum(mean_update(shape, 2 * STRIP, 3 * STRIP).reads for shape in shapes) / len(shapes)
    assert reads == pytest.approx((1 * 0 + 2 * 3 + 4 * 1 + 1 * 1 + 2 * 3) / 10)


def test_each_part_of_a_strip_is_read_for_in_the_way_that_takes_least() -> None:
    """RAID 5 of five, one lost, the last 2 kB of each row's first strip written and 4 kB of the second.

    In one row of five the parity is lost: nothing is read. In two a strip that is not written: old data and
    old parity, 2 + 4 + 6 kB. In one the second strip: of the three others 4 kB, with which new parity is
    told, and of the first and the parity 2 kB, the old ones. In one the first strip: of the three others 2
    kB, and of the second and the parity 4 kB.
    """
    made = mean_update(Shape(4, 1, 1, STRIP, frozenset({2})), 6 * KIB, 4 * STRIP, STRIP - 2 * KIB)
    assert made.read_bytes == pytest.approx((0 + 2 * 12 + (3 * 4 + 2 * 2) + (3 * 2 + 2 * 4)) / 5 * KIB)
    assert made.reads == pytest.approx((0 + 2 * 4 + 2 * (3 + 2)) / 5)
    assert made.computed == (0, 0)


def test_one_parity_tells_a_strip_where_all_others_are_written() -> None:
    """RAID 6 of six, one lost, the first three of four strips of each row written.

    Of six rows one has lost the first parity, one the second: the last strip is read. Three a strip that is
    written: the last one, too. One the last: three strips and a parity, and not both, tell it.
    """
    made = mean_update(Shape(4, 2, 1, STRIP, frozenset({0})), 3 * STRIP, 4 * STRIP)
    assert made.reads == pytest.approx((2 * 1 + 3 * 1 + 4) / 6)
    assert made.computed == pytest.approx((STRIP / 6, 4 * STRIP / 6))


def _system(drives: Mapping[str, Any]) -> VirtualSystem:
    host = {"processor": "epyc-9354", "software": "linux-nvme"}
    return resolve(system_of({"name": "drawn", "host": host, "drives": [drives]}))


def _both(
    drives: Mapping[str, Any],
    kib: int,
    outstanding: int,
    read: float = 1.0,
    random: float = 1.0,
    start: int = 0,
) -> tuple[float, Reading]:
    """Give the rate by the formulas, and the reading of a simulation."""
    system = _system(drives)
    targets = tuple(
        PlannedTarget(path=volume.name, kind="virtual", size_bytes=volume.size_bytes,
                      area_start_bytes=start, area_length_bytes=volume.size_bytes >> 22 << 20)
        for volume in system.volumes
    )  # fmt: skip
    profile = LoadProfile(
        name="drawn", random_share=random, read_share=read, blocks=(Block(bytes=kib * KIB, weight=1.0),)
    )
    stopping = Stopping(
        warmup_s=0, floor_s=1, cap_s=60, precision=0.01, confidence=0.95, warmup_ios=4000, floor_ios=8000,
        cap_ios=16000,
    )  # fmt: skip
    asked = Point(
        index=0, sweep="s", profile=profile, targets=targets, outstanding=outstanding, workers=1, seed=5,
        engine="simulator", system="drawn", stopping=stopping,
    )  # fmt: skip
    return predict(asked, system, bench.solve_network).rate_io_s, bench.simulate_point(asked, system)


def test_who_lies_beside_a_failed_member_reads_for_both() -> None:
    """Two strips at a time, where the nth strip lies on the nth of four members: beside the lost one of a row
    the second or the fourth is read for itself as well, and in two of twelve places, between two rows, twice.
    """
    shape = Shape(3, 1, 1, STRIP, frozenset({0}))
    found = [share * longer for share, longer in read_shares(shape, 2 * STRIP, STRIP)]
    assert found == pytest.approx([0, 10 / 32, 12 / 32, 10 / 32])


@pytest.mark.parametrize(("count", "kib", "most"), [(4, 128, 32 / 36), (8, 256, 0.837)])
def test_the_member_that_reads_most_is_the_limit(count: int, kib: int, most: float) -> None:
    """Drives of which one alone is busy all of the time have so much of what all could do."""
    drives = {"drive": "intel-p3700-1600", "count": count, "level": "5", "failed": [0]}
    calculated, reading = _both(drives, kib, 64, 1.0)
    assert calculated == pytest.approx(reading.transaction_rate_io_s, rel=0.02)
    assert reading.simulation is not None
    path = next(one for one in reading.simulation.stations if one.name.endswith("data path"))
    assert path.utilisation_mean / path.utilisation_max == pytest.approx(most, abs=0.01)


@pytest.mark.parametrize(
    ("drives", "kib", "outstanding", "read", "within"),
    [
        # Parts that meet on dies, of an I/O and of others.
        ({"drive": "samsung-pm9a3-3840"}, 64, 4, 1.0, 0.06),
        ({"drive": "samsung-pm1743-7680"}, 256, 4, 1.0, 0.06),
        # Copies, of which the idlest reads.
        ({"drive": "samsung-pm9a3-3840", "count": 4, "level": "1"}, 256, 4, 1.0, 0.06),
        ({"drive": "intel-p3700-800", "count": 8, "level": "1"}, 64, 4, 1.0, 0.06),
        # Two unequal pieces.
        ({"drive": "samsung-pm9a3-3840", "count": 6, "level": "10"}, 64, 1, 0.0, 0.06),
        ({"drive": "intel-p3700-2000", "count": 4, "level": "0"}, 64, 2, 0.0, 0.1),
        # Pieces that parity lies between.
        ({"drive": "fusion-io-iodrive2-1200", "count": 4, "level": "6"}, 1024, 128, 1.0, 0.06),
        # Programs of a write, which end together, on one drive and on several.
        ({"drive": "toshiba-px04pmb-960", "count": 8, "level": "10"}, 256, 16, 0.67, 0.08),
        ({"drive": "intel-p3700-800", "count": 8, "level": "10"}, 1024, 1, 0.67, 0.15),
        # Members that have failed.
        ({"drive": "intel-p3700-2000", "count": 6, "level": "5", "failed": [0]}, 1024, 128, 1.0, 0.06),
        ({"drive": "fusion-io-iodrive2-1200", "count": 4, "level": "5", "failed": [0]}, 8, 64, 0.0, 0.06),
        ({"drive": "intel-p3700-1600", "count": 6, "level": "6", "failed": [0, 4]}, 8, 32, 0.0, 0.15),
    ],
)
def test_formulas_and_simulator_agree(
    drives: Mapping[str, Any], kib: int, outstanding: int, read: float, within: float
) -> None:
    calculated, reading = _both(drives, kib, outstanding, read)
    assert calculated == pytest.approx(reading.transaction_rate_io_s, rel=within)


@pytest.mark.parametrize("level", ["0", "5"])
@pytest.mark.parametrize("kib", [12, 64, 200, 1024])
def test_reads_become_as_many_operations_as_in_the_simulator(level: str, kib: int) -> None:
    """What the firmware of the drives has counted."""
    drives = {"drive": "samsung-pm9a3-3840", "count": 5, "level": level, "strip": "64k"}
    if level == "5":
        drives["failed"] = [3]
    _, reading = _both(drives, kib, 4)
    assert reading.simulation is not None
    served = sum(one.jobs for one in reading.simulation.stations if one.name.endswith("firmware"))
    shape = Shape(
        5 if level == "0" else 4, int(level == "5"), 1, STRIP, frozenset({3} if level == "5" else ())
    )
    made = mean_read(shape, kib * KIB, 4 * KIB)
    assert served / reading.reads.completed == pytest.approx(made.operations, rel=0.02)


@pytest.mark.parametrize("random", [0.0, 1.0])
@pytest.mark.parametrize("read", [0.0, 1.0])
@pytest.mark.parametrize(("kib", "start_kib"), [(64, 16), (48, 0), (256, 4), (1024, 32)])
def test_accesses_of_an_area_that_begins_within_a_strip(
    kib: int, start_kib: int, read: float, random: float
) -> None:
    """Operations that the firmware has counted, and the rate: 64 kB at once 1.4 times it were said of a host
    whose processor is the limit."""
    drives = {"drive": "samsung-pm9a3-3840", "count": 4, "level": "0", "strip": "64k"}
    grain = 4 if random else kib
    calculated, reading = _both(drives, kib, 128, read, random, start_kib * KIB)
    assert reading.simulation is not None
    served = sum(one.jobs for one in reading.simulation.stations if one.name.endswith("firmware"))
    completed = reading.reads.completed + reading.writes.completed
    made = mean_read(Shape(4, 0, 1, STRIP), kib * KIB, grain * KIB, start_kib * KIB)
    assert served / completed == pytest.approx(made.operations, rel=0.02)
    assert calculated == pytest.approx(reading.transaction_rate_io_s, rel=0.1)


@pytest.mark.parametrize(
    ("level", "members", "write", "at_a_strip", "within_one"),
    [
        # Old and new, data and parity. Of two strips of a row data are two operations, and of two rows what
        # is the parity of one lies before data of the other: two again. Every third is of two rows.
        ("5", 4, True, 2 + 2, (2 * (3 + 3) + (2 + 2)) / 3),
        ("1E", 3, False, 1, 2),
        ("10", 4, False, 1, 2),
        ("0", 4, True, 1, 2),
    ],
)
def test_arrays_see_where_the_area_begins(
    level: Any, members: int, write: bool, at_a_strip: float, within_one: float
) -> None:
    """64 kB at multiples of it: in one strip, or a half in each of two."""
    array = Array(
        level=level, drives=tuple(range(members)), groups=1, strip_bytes=STRIP, mirror_read=PrimaryReads(),
        failed=(), rebuild_bytes_s=0,
    )  # fmt: skip
    access = Access(1.0, write, STRIP, STRIP)

    def operations(start: int) -> float:
        load = Load(1.0, 4, 1.0, 0.0 if write else 1.0, STRIP, 1 << 40, start, (access,))
        mapping = ArrayMap(array, load)
        return (mapping.write(access) if write else mapping.read(access)).operations

    assert operations(STRIP) == pytest.approx(at_a_strip)
    assert operations(STRIP // 2) == pytest.approx(within_one)
