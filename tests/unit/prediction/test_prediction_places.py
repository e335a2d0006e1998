"""Places that lie on some members of an array only: by hand, and against one drive that has them all."""

from __future__ import annotations

from typing import Any

import pytest

from iodyno import bench
from iodyno.catalog.resolve import resolve
from iodyno.catalog.tree import system_of
from iodyno.plan import PlannedTarget, Point, Stopping
from iodyno.prediction import predict
from iodyno.prediction.accesses import loads
from iodyno.prediction.overwritten import overwritten_share, overwritten_shares
from iodyno.prediction.parity import update_shares
from iodyno.prediction.pieces import Shape, mean_read, read_shares
from iodyno.profiles import Block, LoadProfile
from iodyno.virtual import VirtualSystem

KIB = 1024
STRIP = 64 * KIB
STOPPING = Stopping(
    warmup_s=0, floor_s=1, cap_s=60, precision=0.01, confidence=0.95,
    warmup_ios=10_000, floor_ios=20_000, cap_ios=20_000,
)  # fmt: skip


def point_on(
    count: int, step_kib: int, *, level: str = "0", size_kib: int = 4, reads: float = 0.0,
    outstanding: int = 256, start_kib: int = 0, failed: tuple[int, ...] = (),
) -> tuple[Point, VirtualSystem]:  # fmt: skip
    array = {"level": level} | ({"failed": [*failed]} if failed else {})
    drives = {"drive": "intel-p3700-800", "count": count} | (array if count > 1 else {})
    host = {"processor": "xeon-e5-2660-v3", "software": "linux-nvme"}
    system = resolve(system_of({"name": "places", "host": host, "drives": [drives]}))
    (volume,) = system.volumes
    profile = LoadProfile(
        name="places", random_share=1.0, read_share=reads, blocks=(Block(bytes=size_kib * KIB),),
        alignment_bytes=step_kib * KIB,
    )  # fmt: skip
    length = (volume.size_bytes - start_kib * KIB) // (3 << 20) * (3 << 20)
    target = PlannedTarget(
        path=volume.name, kind="virtual", size_bytes=volume.size_bytes, area_start_bytes=start_kib * KIB,
        area_length_bytes=length,
    )  # fmt: skip
    point = Point(
        index=0, sweep="s", profile=profile, targets=(target,), outstanding=outstanding, workers=1, seed=7,
        engine="simulator", system="places", stopping=STOPPING,
    )  # fmt: skip
    return point, system


def predicted(point: Point, system: VirtualSystem) -> float:
    return predict(point, system, bench.solve_network).rate_io_s


@pytest.mark.parametrize(
    ("shape", "size_kib", "grain_kib", "start_kib", "own"),
    [
        (Shape(3, 0, 1, STRIP), 4, 192, 0, [1, 0, 0]),  # every third strip
        (Shape(3, 0, 1, STRIP), 4, 192, 64, [0, 1, 0]),
        (Shape(6, 0, 1, STRIP), 4, 256, 0, [1 / 3, 0, 1 / 3, 0, 1 / 3, 0]),  # every fourth of six, gcd 2
        (Shape(3, 0, 1, STRIP), 4, 48, 0, [1 / 2, 1 / 4, 1 / 4]),  # 0 and 48, 96, 144
        (Shape(3, 0, 1, STRIP), 4, 128, 0, []),  # every second of three: all
        (Shape(3, 0, 1, STRIP), 4, 4, 0, []),
        (
            Shape(3, 1, 1, STRIP),
            4,
            256,
            0,
            [1, 0, 0, 0],
        ),  # parity turns with each row of three
        (Shape(3, 1, 1, STRIP), 4, 192, 0, [1 / 4] * 4),  # the first of each row
    ],
)
def test_members_have_what_begins_on_them(
    shape: Shape, size_kib: int, grain_kib: int, start_kib: int, own: list[float]
) -> None:
    found = read_shares(shape, size_kib * KIB, grain_kib * KIB, start_kib * KIB)
    assert [share for share, _ in found] == pytest.approx(own)


def test_pieces_of_members_are_as_long_as_they_are() -> None:
    """100 KiB of every 256: a strip of the first member and 36 KiB of the second, of 50 on the mean."""
    found = read_shares(Shape(4, 0, 1, STRIP), 100 * KIB, 256 * KIB)
    assert found[0] == pytest.approx((1 / 2, 64 / 50))
    assert found[1] == pytest.approx((1 / 2, 36 / 50))
    assert [share for share, _ in found[2:]] == [0, 0]


def test_an_update_reads_and_writes_data_and_parity() -> None:
    """RAID 5 of four: data on the first member; of rows 0, 1, 2 of every four, parity on 3, 2 and 1."""
    reads, writes = update_shares(Shape(3, 1, 1, STRIP), 4 * KIB, 256 * KIB)
    for own in (reads, writes):
        assert [share for share, _ in own] == pytest.approx([1 / 2, 1 / 6, 1 / 6, 1 / 6])


def test_an_area_may_begin_where_the_first_strip_has_no_place() -> None:
    """It ended in a division by zero."""
    assert mean_read(Shape(4, 0, 1, STRIP), 4 * KIB, 256 * KIB, 64 * KIB).operations == 1
    failed = Shape(7, 1, 1, STRIP, frozenset({2}))
    assert mean_read(failed, 4 * KIB, 448 * KIB, 64 * KIB).operations == pytest.approx(1 + 6 / 8)


@pytest.mark.parametrize(("failed", "operations"), [(0, 3), (1, 1)])
def test_what_a_failed_member_had_is_counted_over_all_rows(failed: int, operations: int) -> None:
    """All lies on the first of four: strips 0, 4 and 8 are 0, 1 and 2 of rows, which turn by one."""
    shape = Shape(3, 1, 1, STRIP, frozenset({failed}))
    assert mean_read(shape, 4 * KIB, 256 * KIB).operations == operations


@pytest.mark.parametrize("reads", [0.0, 1.0])
def test_an_array_whose_places_lie_on_one_member_is_as_fast_as_that(reads: float) -> None:
    """4 KiB in each of its strips are 4 KiB of every 64 on it."""
    array = predicted(*point_on(3, 192, reads=reads))
    assert array == pytest.approx(predicted(*point_on(1, 64, reads=reads)), rel=0.01)


@pytest.mark.parametrize(
    ("level", "count", "of"),
    [
        ("0", 4, {"step_kib": 512}),
        ("0", 4, {"step_kib": 256, "start_kib": 64}),
        ("0", 4, {"step_kib": 256, "size_kib": 100, "reads": 1.0, "outstanding": 64}),
        ("0", 6, {"step_kib": 128, "reads": 0.7}),
        ("10", 6, {"step_kib": 192}),
        ("10", 6, {"step_kib": 192, "reads": 0.7, "outstanding": 4}),
        ("5", 4, {"step_kib": 256, "reads": 0.7}),
        ("5", 3, {"step_kib": 384}),  # the third is only read: it ended in a division by zero
        ("5", 4, {"step_kib": 256, "reads": 1.0, "failed": (0,)}),
        ("5", 4, {"step_kib": 256, "reads": 1.0, "failed": (1,)}),
        ("5", 4, {"step_kib": 768, "failed": (0,)}),
    ],
)
def test_formulas_know_the_members_that_have_places(level: str, count: int, of: dict[str, Any]) -> None:
    point, system = point_on(count, level=level, **of)
    simulated = bench.simulate_point(point, system).transaction_rate_io_s
    assert predicted(point, system) == pytest.approx(simulated, rel=0.05)


def overwritten(size_kib: int, step_kib: int, shape: Shape | None, reads: float = 0.0) -> float:
    """Ask what writes of one size at multiples of another overwrite."""
    point, _ = point_on(1, step_kib, size_kib=size_kib, reads=reads)
    (_, load) = next(loads(point))
    return overwritten_share(load, shape)


@pytest.mark.parametrize(
    ("shape", "share"),
    [
        (None, 1 / 3),
        (Shape(4, 0, 1, STRIP), 1 / 3),
        # Of the 16 pages of three strips 3j, 3j - 16 and 3j - 32 are written: each once, and all of parity.
        (Shape(3, 1, 1, STRIP), (3 * 1 / 3 + 1) / 4),
        (Shape(3, 2, 1, STRIP), (3 * 1 / 3 + 2) / 5),
    ],
)
def test_what_is_overwritten_of_an_array_is_the_mean_of_data_and_parity(
    shape: Shape | None, share: float
) -> None:
    """4 kB at multiples of 12 are every third page of the data; 12 kB at multiples of 12 are all."""
    assert overwritten(4, 12, shape) == pytest.approx(share)
    assert overwritten(12, 12, shape) == 1.0
    assert overwritten(4, 12, shape, reads=1.0) == 1.0


def test_parity_is_overwritten_where_any_strip_of_its_row_is() -> None:
    """The first of 16 pages of each strip and of its parity; of one strip of three, and of each parity."""
    shape = Shape(3, 1, 1, STRIP)
    assert overwritten(4, 64, shape) == pytest.approx(1 / 16)
    assert overwritten(4, 192, shape) == pytest.approx((3 * 1 / 48 + 1 / 16) / 4)


@pytest.mark.parametrize(
    ("shape", "shares"),
    [
        (Shape(3, 0, 1, STRIP), [1 / 16, 0, 0]),
        # With parity the first strip goes round, and parity is there as often: 1 of 16 pages, in 2 rows of 4.
        (Shape(3, 1, 1, STRIP), [1 / 32] * 4),
        (Shape(3, 1, 2, STRIP), [1 / 32] * 8),
    ],
)
def test_what_is_overwritten_of_each_member(shape: Shape, shares: list[float]) -> None:
    """4 kB at multiples of 192 are the first page of each row of three strips of 64 kB."""
    for reads in (0.0, 0.5):
        point, _ = point_on(1, 192, reads=reads)
        (_, load) = next(loads(point))
        assert overwritten_shares(load, shape) == pytest.approx(shares)


@pytest.mark.parametrize(("step_kib", "share"), [(4, 1.0), (64, 1 / 16)])
def test_of_members_that_are_alike_each_has_the_mean(step_kib: int, share: float) -> None:
    """4 kB at each of 16 pages of a strip, or at the first."""
    (_, load) = next(loads(point_on(1, step_kib)[0]))
    assert overwritten_shares(load, Shape(3, 0, 1, STRIP)) == pytest.approx([share] * 3)
    assert overwritten_shares(load, Shape(3, 1, 2, STRIP)) == pytest.approx([share] * 8)
