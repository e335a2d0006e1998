"""The way of a disk over what is destaged in order, where closed forms are known."""

from __future__ import annotations

import math

import pytest

from iodyno.prediction.hdd import SeekCurve
from iodyno.prediction.sweep import Track, _least_s, front_density, mean_way_s

TRACK = Track(revolution_s=0.008, bytes=1e6, cylinder_bytes=4e6, cylinders=100_000.0)
AT_ONCE = SeekCurve(track_s=0.0, full_s=0.0, stroke=100_000.0, bend=10.0)
FAR = 1e12
"""Bytes between blocks of which none passes and none is on the same track."""


def way_s(spacing: float, choices: int, settle_s: float = 0.0, missed: float = 0.0) -> float:
    return mean_way_s(
        TRACK, AT_ONCE, settle_s=settle_s, gap_bytes=spacing, spacing_bytes=spacing, choices=choices,
        missed=missed,
    )  # fmt: skip


@pytest.mark.parametrize("choices", [1, 2, 8, 50])
def test_of_blocks_that_are_anywhere_on_the_turn_the_first_one_comes_soonest(choices: int) -> None:
    # The least of n times that are uniform within a revolution.
    assert way_s(FAR, choices) == pytest.approx(0.008 / (choices + 1), rel=0.01)


def test_what_is_on_the_same_track_can_come_before_the_arm_could_be_elsewhere() -> None:
    """A turn is 4, the way of the arm 2: three in ten wait half a turn, the others as long after the way."""
    assert _least_s(4.0, [(2.0, 0.3)]) == pytest.approx(0.3 * 2 + 0.7 * (2 + 2), rel=1e-3)
    # Of two that are there as often as not: (1 - t/8)², from 2 on (5/4 - t/4)², from 4 to 6 (3/4 - t/8)².
    integral = 8 / 3 * (1 - 0.75**3) + 4 / 3 * (0.75**3 - 0.25**3) + 8 / 3 * 0.25**3
    assert _least_s(4.0, [(2.0, 0.5), (2.0, 0.5)]) == pytest.approx(integral, rel=1e-3)


def test_settling_and_missed_revolutions_come_on_top() -> None:
    assert way_s(FAR, 4, settle_s=0.001) == pytest.approx(0.001 + 0.008 / 5, rel=0.01)
    assert way_s(FAR, 4, missed=0.25) == pytest.approx(0.008 / 5 + 0.25 * 0.008, rel=0.01)


def test_dense_blocks_pass_as_fast_as_the_medium_turns() -> None:
    # 10 kB between them, of 1 MB in 8 ms; half a track without one has a chance of e^-50.
    assert way_s(1e4, 8) == pytest.approx(1e4 / 1e6 * 0.008, rel=1e-9)
    assert way_s(0.0, 8) == 0


def test_more_to_choose_from_is_never_slower() -> None:
    for spacing in (1e5, 1e6, 1e8):
        ways = [way_s(spacing, choices, settle_s=0.0004) for choices in (1, 2, 4, 16, 64, 256)]
        assert ways == sorted(ways, reverse=True), spacing


@pytest.mark.parametrize("round_", [0.01, 0.3, 1.0, 4.0])
def test_the_front_has_what_a_whole_round_has_written(round_: float) -> None:
    # Of 1 - e^(-λx) the mean over x from 0 to 1; at the front x is 1.
    steps = 100_000
    mean = sum(-math.expm1(-round_ * (step + 0.5) / steps) for step in range(steps)) / steps
    assert front_density(mean) == pytest.approx(-math.expm1(-round_), rel=1e-4)


def test_of_little_the_front_has_twice_the_mean_and_of_all_all() -> None:
    assert front_density(1e-5) == pytest.approx(2e-5, rel=1e-4)
    assert front_density(1.0) == 1.0


def test_a_seek_grows_from_nothing_through_that_to_the_next_track_to_the_full_stroke() -> None:
    """Within a cylinder it grows with the distance; where root and line meet nothing leaps."""
    curve = SeekCurve(track_s=0.001, full_s=0.01, stroke=100_000.0, bend=100.0)

    def time_s(cylinders: float) -> float:
        return curve.time_s(cylinders / curve.stroke)

    assert [time_s(0), time_s(0.25), time_s(0.5)] == pytest.approx([0, 0.000_25, 0.000_5])
    assert [time_s(0.999_999_9), time_s(1), time_s(100_000)] == pytest.approx([0.001, 0.001, 0.01], rel=1e-6)
    bend = 100.0**2
    before, at, behind = (time_s(bend + step) for step in (-1, 0, 1))
    assert at - before == pytest.approx(behind - at, rel=1e-3)
