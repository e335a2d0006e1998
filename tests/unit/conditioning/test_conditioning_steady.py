"""SNIA's rule of the steady state, against examples worked out by hand from its definition."""

from __future__ import annotations

import random
from fractions import Fraction

import pytest

from iodyno.conditioning.steady import attained, attained_at, windows
from iodyno.plan import SteadyRule

RULE = SteadyRule()


def rounds(*values: float) -> list[list[float]]:
    return [[value] for value in values]


@pytest.mark.parametrize(
    ("values", "range_share", "slope", "excursion_share", "steady"),
    [
        # mean 100; slope = (-2·100 - 102 + 101 + 2·99) / 10
        ((100, 102, 98, 101, 99), 0.04, -0.3, 0.012, True),
        # the range exactly at its limit: 110 - 90; slope = (-180 - 110 + 110 + 200) / 10
        ((90, 110, 90, 110, 100), 0.20, 2.0, 0.08, True),
        # beyond it: 111 - 89
        ((89, 111, 90, 110, 100), 0.22, 2.1, 0.084, False),
        # the line exactly at its limit: 2.5 a round, 4 rounds apart
        ((95, 97.5, 100, 102.5, 105), 0.10, 2.5, 0.10, True),
        # beyond it though the range is small; downwards as upwards
        ((94, 97, 100, 103, 106), 0.12, 3.0, 0.12, False),
        ((106, 103, 100, 97, 94), 0.12, -3.0, 0.12, False),
        # a slope that a single round makes: slope = 2·20 / 10, mean 104
        ((100, 100, 100, 100, 120), 20 / 104, 4.0, 16 / 104, False),
        # the same round in the middle tilts nothing
        ((100, 100, 120, 100, 100), 20 / 104, 0.0, 0.0, True),
    ],
)
def test_worked_examples(
    values: tuple[float, ...], range_share: float, slope: float, excursion_share: float, steady: bool
) -> None:
    (window,) = windows(rounds(*values), RULE)
    assert window.mean == pytest.approx(sum(values) / 5)
    assert window.range_share == pytest.approx(range_share)
    assert window.slope == pytest.approx(slope)
    assert window.excursion_share == pytest.approx(excursion_share)
    assert attained(rounds(*values), RULE) is steady


def test_only_the_window_counts() -> None:
    falling = rounds(900, 500, 300, 200, 150, 120, 100, 100, 100, 100, 100)
    # Rounds 6 to 10 are 120, 100, 100, 100, 100: their line moves by 16 of 104.
    assert attained_at(falling, RULE) == 11
    (window,) = windows(falling, RULE)
    assert not attained(falling[:10], RULE)
    assert (window.first, window.last) == (7, 11)


def test_fewer_rounds_than_the_window_say_nothing() -> None:
    assert windows(rounds(100, 100, 100, 100), RULE) == ()
    assert not attained(rounds(100, 100, 100, 100), RULE)
    assert attained_at(rounds(100, 100, 100, 100), RULE) is None


def test_every_load_has_to_be_steady_in_the_same_window() -> None:
    both = [[100.0, 50.0], [100.0, 50.0], [100.0, 50.0], [100.0, 50.0], [100.0, 50.0]]
    assert attained(both, RULE)
    both[-1][1] = 70.0
    assert not attained(both, RULE)


def test_nothing_completed_is_no_steady_state() -> None:
    assert not attained(rounds(0, 0, 0, 0, 0), RULE)


def test_the_line_is_that_of_least_squares() -> None:
    """Against the normal equations in exact fractions."""
    draw = random.Random(20260314)
    for count in (3, 5, 8):
        values = [draw.randrange(1, 10_000) for _ in range(count)]
        x = [Fraction(number) for number in range(1, count + 1)]
        y = [Fraction(value) for value in values]
        top = count * sum(a * b for a, b in zip(x, y, strict=True)) - sum(x) * sum(y)
        slope = Fraction(top, count * sum(a * a for a in x) - sum(x) ** 2)
        (window,) = windows(rounds(*values), SteadyRule(window=count))
        assert window.slope == pytest.approx(float(slope), abs=1e-9)
        assert window.excursion_share == pytest.approx(float(abs(slope) * (count - 1) / (sum(y) / count)))
