"""How probable a loss of data is, against closed forms, a renewal equation and what the drives can do."""

from __future__ import annotations

import math

import pytest

from iodyno.catalog.changes import changed
from iodyno.catalog.shelf import shipped
from iodyno.catalog.tree import load_system
from iodyno.loss import YEAR_S, RedundantSet, arrays_of, chance, loss_of
from iodyno.virtual import Level

HOUR_S = 3600.0
READABLE = 1e40
"""Bits to an unreadable block: none in any mission."""
SEED = 20_161_130
WIDER = 1.6
"""Half widths that a result may be off: with them 99.8 % of normal results are within."""


def a_set(level: Level, drives: int, mtbf_h: float, rebuilt_h: float, **changes: float) -> RedundantSet:
    values: dict[str, float] = {
        "drive_bytes": 10**12,
        "unreadable_bits": READABLE,
        "replaced_s": 0.0,
    } | changes
    return RedundantSet(
        level, drives, 1 / (mtbf_h * HOUR_S), int(values["drive_bytes"]), values["unreadable_bits"],
        values["replaced_s"], rebuilt_h * HOUR_S,
    )  # fmt: skip


def close(found: float, half_width: float, expected: float) -> bool:
    return abs(found - expected) <= WIDER * half_width


@pytest.mark.parametrize("level", ["JBOD", "0"])
@pytest.mark.parametrize("mtbf_h", [1e5, 1e6])
def test_without_redundancy_the_first_failure_is_a_loss(level: Level, mtbf_h: float) -> None:
    drives = 1 if level == "JBOD" else 4
    found = chance(a_set(level, drives, mtbf_h, 1), 1, 5 * YEAR_S, SEED)
    expected = -math.expm1(-drives * 5 * YEAR_S / HOUR_S / mtbf_h)
    assert close(found.any.probability, found.any.half_width, expected)
    assert found.drives == found.any
    assert found.blocks.probability == 0


def survives_one_failure(drives: int, mtbf_h: float, rebuilt_h: float, mission_h: float, steps: int) -> float:
    """Give the probability that no two drives are failed at a time, by the renewal equation on a grid.

    With all drives whole and u left: f(u) = e^(-au) + the integral over the first failure at s of
    a e^(-as) g(u - s); g(u) = e^(-b min(W, u)) f(u - W), where nothing fails within the rebuild of W.
    """
    step = mission_h / steps
    first, second = drives / mtbf_h, (drives - 1) / mtbf_h
    window = round(rebuilt_h / step)
    whole = [1.0]
    degraded = [1.0]
    decay = math.exp(-first * step)
    held = 0.0
    for at in range(1, steps + 1):
        # The integral of a e^(-as) g(u - s), carried on by a step: trapezoidal, g taken at both ends.
        after = math.exp(-second * min(window, at) * step) * (whole[at - window] if at > window else 1.0)
        degraded.append(after)
        held = held * decay + first * step * (after + degraded[at - 1] * decay) / 2
        whole.append(math.exp(-first * at * step) + held)
    return whole[-1]


@pytest.mark.parametrize(
    ("level", "drives", "mtbf_h", "rebuilt_h"),
    [("1", 2, 20_000, 400), ("5", 8, 100_000, 100), ("5", 24, 60_000, 50), ("5", 3, 5_000, 200)],
)
def test_one_failure_survived_is_the_renewal_equation(
    level: Level, drives: int, mtbf_h: float, rebuilt_h: float
) -> None:
    mission_h = 43_800.0
    steps = round(mission_h / rebuilt_h * 100)
    found = chance(a_set(level, drives, mtbf_h, rebuilt_h), 1, mission_h * HOUR_S, SEED)
    expected = 1 - survives_one_failure(drives, mtbf_h, rebuilt_h, mission_h, steps)
    assert close(found.drives.probability, found.drives.half_width, expected), (found, expected)
    assert found.drives.half_width < 0.06 * expected


def test_waiting_for_a_drive_is_as_dangerous_as_rebuilding_it() -> None:
    waiting = chance(a_set("5", 6, 1e6, 10, replaced_s=50 * HOUR_S), 1, 5 * YEAR_S, SEED)
    rebuilding = chance(a_set("5", 6, 1e6, 60), 1, 5 * YEAR_S, SEED)
    assert waiting.drives.probability == pytest.approx(rebuilding.drives.probability, rel=1e-9)


@pytest.mark.parametrize(("drives", "mtbf_h", "rebuilt_h"), [(8, 1e6, 24), (12, 2e6, 10)])
def test_raid_5_is_patterson_s_mean_time_to_data_loss(drives: int, mtbf_h: float, rebuilt_h: float) -> None:
    """Patterson, Gibson, Katz, *A case for redundant arrays of inexpensive disks*, SIGMOD 1988."""
    mttdl_h = mtbf_h**2 / (drives * (drives - 1) * rebuilt_h)
    found = chance(a_set("5", drives, mtbf_h, rebuilt_h), 1, 5 * YEAR_S, SEED)
    assert close(found.any.probability, found.any.half_width, 5 * YEAR_S / HOUR_S / mttdl_h)


def test_raid_6_is_three_failures_within_a_rebuild() -> None:
    """The second comes s after the first, at a rate of 7 of 8; the third in what is left of its rebuild."""
    drives, mtbf_h, rebuilt_h, mission_h = 8, 1e6, 30.0, 43_830.0
    failures = drives * mission_h / mtbf_h
    expected = failures * (drives - 1) * (drives - 2) * (rebuilt_h / mtbf_h) ** 2 / 2
    found = chance(a_set("6", drives, mtbf_h, rebuilt_h), 1, mission_h * HOUR_S, SEED)
    assert close(found.any.probability, found.any.half_width, expected)
    assert found.any.half_width < 0.1 * expected


def test_raid_1e_loses_data_where_neighbours_fail() -> None:
    """Of five drives in a ring two of four others are neighbours: half of RAID 5's loss."""
    ring = chance(a_set("1E", 5, 1e6, 20), 1, 5 * YEAR_S, SEED).any
    parity = chance(a_set("5", 5, 1e6, 20), 1, 5 * YEAR_S, SEED).any
    width = math.hypot(ring.half_width, parity.half_width / 2)
    assert close(ring.probability, width, parity.probability / 2)


def test_a_third_mirror_helps_as_a_second_parity() -> None:
    """Three copies: three failures within a rebuild, as RAID 6, with 3 drives, 2 and 1 of them left."""
    mtbf_h, rebuilt_h, mission_h = 1e6, 30.0, 43_830.0
    expected = 3 * mission_h / mtbf_h * 2 * (rebuilt_h / mtbf_h) ** 2 / 2
    found = chance(a_set("1", 3, mtbf_h, rebuilt_h), 1, mission_h * HOUR_S, SEED).any
    assert close(found.probability, found.half_width, expected)


@pytest.mark.parametrize(("level", "drives", "read"), [("5", 8, 7), ("1", 2, 1), ("1E", 4, 1)])
def test_unreadable_blocks_are_those_of_what_a_rebuild_reads(level: Level, drives: int, read: int) -> None:
    mtbf_h, size, bits = 1e9, 4 * 10**12, 1e15
    found = chance(
        a_set(level, drives, mtbf_h, 0.001, drive_bytes=size, unreadable_bits=bits), 1, 5 * YEAR_S, SEED
    )
    expected = drives * 5 * YEAR_S / HOUR_S / mtbf_h * -math.expm1(-8 * size * read / bits)
    assert close(found.blocks.probability, found.blocks.half_width, expected)


@pytest.mark.parametrize("waiting_h", [0.0, 100.0])
def test_raid_6_reads_without_a_net_only_what_the_first_has_not_rebuilt(waiting_h: float) -> None:
    """The second fails somewhere within the rebuild of the first: half of it is left on the mean; all of it,
    while the first waits for a drive."""
    drives, mtbf_h, rebuilt_h, size, bits = 8, 1e7, 50.0, 10**12, 1e18
    without_h = waiting_h + rebuilt_h / 2
    seconds = drives * 5 * YEAR_S / HOUR_S / mtbf_h * (drives - 1) * without_h / mtbf_h
    expected = seconds * 8 * size * (drives - 2) / bits
    changes = {"drive_bytes": size, "unreadable_bits": bits, "replaced_s": waiting_h * HOUR_S}
    found = chance(a_set("6", drives, mtbf_h, rebuilt_h, **changes), 1, 5 * YEAR_S, SEED)
    assert close(found.blocks.probability, found.blocks.half_width, expected)


@pytest.mark.parametrize("share", [0.2, 0.999999])
def test_of_several_rebuilds_the_first_that_meets_a_block_is_the_loss(share: float) -> None:
    """Rebuilds that take no time come as a Poisson process does; each meets a block or not."""
    drives, mtbf_h, size = 4, 5e4, 10**12
    bits = -8 * size * (drives - 1) / math.log1p(-share)
    of = a_set("5", drives, mtbf_h, 1e-9, drive_bytes=size, unreadable_bits=bits)
    found = chance(of, 1, 5 * YEAR_S, SEED)
    expected = -math.expm1(-share * drives * 5 * YEAR_S / HOUR_S / mtbf_h)
    assert close(found.blocks.probability, found.blocks.half_width, expected)


def test_what_is_lost_already_is_not_lost_again() -> None:
    """Each rebuild meets a block: the first failure is the loss, though many a pair is lost later."""
    of = a_set("1", 2, 2e4, 400, drive_bytes=10**15, unreadable_bits=1e12)
    found = chance(of, 1, 5 * YEAR_S, SEED)
    assert found.drives.probability > 0.05
    assert close(found.any.probability, found.any.half_width, -math.expm1(-2 * 5 * YEAR_S / HOUR_S / 2e4))


def test_what_any_of_those_that_failed_has_rebuilt_is_told() -> None:
    copies, ring = (a_set(level, 4, 1e6, 1, unreadable_bits=1e14) for level in ("1", "1E"))
    assert copies.unreadable([0.2]) == 0
    assert copies.unreadable([0.7, 0.2]) == pytest.approx(-math.expm1(-8e12 * 0.2 / 1e14))
    assert ring.unreadable([0.2]) == ring.unreadable([]) == pytest.approx(-math.expm1(-8e12 / 1e14))


def test_few_missions_are_not_enough_however_alike() -> None:
    assert chance(a_set("0", 4, 1e5, 1), 1, 5 * YEAR_S, SEED).missions >= 40_000


def test_several_sets_lose_data_each_by_itself() -> None:
    one = chance(a_set("1", 2, 1e5, 100), 1, 5 * YEAR_S, SEED).any
    many = chance(a_set("1", 2, 1e5, 100), 12, 5 * YEAR_S, SEED).any
    assert many.probability == pytest.approx(1 - (1 - one.probability) ** 12)
    assert many.half_width == pytest.approx(12 * (1 - one.probability) ** 11 * one.half_width)


def test_intervals_hold_what_they_say() -> None:
    """Of ten seeds 95 % intervals miss three at the most, but for once in a thousand times."""
    expected = 1 - survives_one_failure(8, 1e5, 100, 43_800, 43_800)
    found = [chance(a_set("5", 8, 1e5, 100), 1, 43_800 * HOUR_S, seed).drives for seed in range(10)]
    missed = sum(abs(one.probability - expected) > one.half_width for one in found)
    assert missed <= 3, found


def test_one_seed_one_result() -> None:
    of = a_set("6", 8, 1e6, 30)
    assert chance(of, 1, YEAR_S, 7) == chance(of, 1, YEAR_S, 7)
    assert chance(of, 1, YEAR_S, 7) != chance(of, 1, YEAR_S, 8)


@pytest.mark.parametrize("level", ["5", "6", "10", "1E", "50"])
def test_a_rebuild_takes_what_the_drive_can_write(level: str) -> None:
    """Capacity ÷ the smallest rate on the way: eight SSDs have links and a controller that bring more."""
    system = changed(load_system("raid-controllers"), {"level": level})
    (array,), resolved = arrays_of(system, shipped())
    found = loss_of(array, resolved, YEAR_S)
    writes = array.part.model["data_write"].whole
    assert found.simulated
    assert found.rebuild_bytes_s == pytest.approx(writes, rel=0.02)
    assert found.rebuilt_s == pytest.approx(array.part.model["capacity"].whole / writes, rel=0.02)


@pytest.mark.parametrize(("level", "read"), [("10", 1), ("50", 3), ("5", 7)])
def test_a_rebuild_reads_the_others_of_its_pair_or_group(level: str, read: int) -> None:
    (array,), resolved = arrays_of(changed(load_system("raid-controllers"), {"level": level}), shipped())
    facts, size = array.part.facts, array.part.model["capacity"].whole
    meets = -math.expm1(-8 * size * read / (facts["unreadable"].value * 1e15))
    expected = 8 * 5 * YEAR_S / HOUR_S / facts["mtbf"].value * meets
    found = loss_of(array, resolved, 5 * YEAR_S, seed=SEED).loss.blocks
    assert close(found.probability, found.half_width, expected)


def test_a_rate_that_was_given_is_kept_as_far_as_the_drive_can() -> None:
    (array,), resolved = arrays_of(changed(load_system("raid-controllers"), {"level": "5"}), shipped())
    slow = loss_of(array, resolved, YEAR_S, rebuild_bytes_s=50 << 20)
    assert (slow.rebuild_bytes_s, slow.simulated) == (50 << 20, False)
    fast = loss_of(array, resolved, YEAR_S, rebuild_bytes_s=5000 << 20)
    assert fast.simulated
    assert fast.rebuild_bytes_s == pytest.approx(array.part.model["data_write"].whole, rel=0.02)
    assert slow.loss.drives.probability > 5 * fast.loss.drives.probability
