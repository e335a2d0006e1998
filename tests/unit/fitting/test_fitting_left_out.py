"""What a fit says of figures left out, against fits without them and against closed forms."""

from __future__ import annotations

import math
from collections.abc import Sequence

import pytest

from iodyno.fitting.least_squares import Bounded, Minimum, least_squares
from iodyno.fitting.left_out import left_out

LINE = ((1.0, 1.3), (2.0, 1.9), (3.0, 3.4), (4.0, 3.8), (5.0, 5.6))
"""x and y of a line with some scatter."""
PARAMETERS = [Bounded("a", 1.0, 1e-6, 1e6), Bounded("b", 2.0, 1e-6, 1e6)]


def _of(points: Sequence[tuple[float, float]]) -> Minimum:
    """Fit the logarithms of a and b, in which the residuals are linear."""
    return least_squares(
        lambda v: [math.log(v[0]) + math.log(v[1]) * x - y for x, y in points],
        PARAMETERS, steps=60, tolerance=1e-12,
    )  # fmt: skip


def _without(points: Sequence[tuple[float, float]], left: tuple[float, float]) -> float:
    """Say how far off a point is from the fit of the others."""
    a, b = _of(points).values
    return math.expm1(math.log(a) + math.log(b) * left[0] - left[1])


def test_of_a_linear_fit_it_is_the_error_of_the_fit_without_the_figure() -> None:
    whole = _of(LINE)
    found = left_out(whole, PARAMETERS, whole.residuals, range(len(LINE)), least_spread=0.02)
    for index, left in enumerate(LINE):
        others = [point for point in LINE if point != left]
        assert found[index] == pytest.approx(_without(others, left), rel=1e-4)


def test_figures_of_the_same_quantity_are_left_out_together() -> None:
    twice = (*LINE, (5.0, 5.2))
    whole = _of(twice)
    found = left_out(whole, PARAMETERS, whole.residuals, [x for x, _ in twice], least_spread=0.02)
    for index in (4, 5):
        assert found[index] == pytest.approx(_without(LINE[:4], twice[index]), rel=1e-4)


def test_a_figure_that_alone_holds_a_number_is_foretold_by_none() -> None:
    slopes = [[1.0, 0.0], [1.0, 0.0], [0.0, 0.7]]
    residuals = [0.03, -0.03, 0.0]
    found = left_out(
        Minimum([1.0, 2.0], residuals, slopes, 1, True), PARAMETERS, residuals, range(3), least_spread=0.02
    )
    assert found == [pytest.approx(math.expm1(0.06)), pytest.approx(math.expm1(-0.06)), None]


def test_a_figure_that_no_number_moves_is_no_trial_of_the_fit() -> None:
    residuals = [0.03, -0.03, 0.05]
    minimum = Minimum([1.0], residuals, [[1.0], [1.0], [0.0]], 1, True)
    assert left_out(minimum, PARAMETERS[:1], residuals, range(3), least_spread=0.02)[2] is None


def test_a_number_at_its_bound_stays_there() -> None:
    """Of two numbers that move two figures apart one cannot move: the other is held by both figures."""
    stuck = [Bounded("a", 1.0, 1.0, 9.0), Bounded("b", 2.0, 1e-6, 1e6)]
    residuals = [0.04, -0.04]
    minimum = Minimum([1.0, 2.0], residuals, [[1.0, 1.0], [-1.0, 1.0]], 1, True)
    assert left_out(minimum, stuck, residuals, range(2), least_spread=0.02) == [
        pytest.approx(math.expm1(0.08)), pytest.approx(math.expm1(-0.08))
    ]  # fmt: skip
    assert left_out(minimum, PARAMETERS, residuals, range(2), least_spread=0.02) == [None, None]


def test_directions_that_no_figure_tells_anything_of_hold_nothing() -> None:
    residuals = [0.03, -0.03]
    minimum = Minimum([1.0, 2.0], residuals, [[1.0, 1e-7], [1.0, -1e-7]], 1, True)
    found = left_out(minimum, PARAMETERS, residuals, range(2), least_spread=0.02)
    assert found == [pytest.approx(math.expm1(0.06)), pytest.approx(math.expm1(-0.06))]


def test_where_every_number_is_at_its_bound_no_figure_is_a_trial() -> None:
    stuck = [Bounded("a", 1.0, 1.0, 9.0), Bounded("b", 2.0, 1.0, 2.0)]
    residuals = [0.04, -0.04]
    minimum = Minimum([1.0, 2.0], residuals, [[1.0, 1.0], [-1.0, 1.0]], 1, True)
    assert left_out(minimum, stuck, residuals, range(2), least_spread=0.02) == [None, None]


@pytest.mark.parametrize(("slope", "held"), [(1.2e-4, False), (1.4e-4, True), (1e-3, True)])
def test_a_number_is_determined_where_the_spread_leaves_it_within_three_to_the_hundredth(
    slope: float, held: bool
) -> None:
    """Two figures move it by a slope each, apart: 0.02 ÷ (slope √2) of ln 3 × 100 is a slope of 1.29e-4."""
    residuals = [0.03, -0.03]
    minimum = Minimum([1.0, 2.0], residuals, [[1.0, slope], [1.0, -slope]], 1, True)
    found = left_out(minimum, PARAMETERS, residuals, range(2), least_spread=0.02)
    each = [None, None] if held else [pytest.approx(math.expm1(0.06)), pytest.approx(math.expm1(-0.06))]
    assert found == each


@pytest.mark.parametrize(
    ("leverage", "told"), [(0.0009, False), (0.0011, True), (0.5, True), (0.899, True), (0.901, False)]
)
def test_a_figure_is_a_trial_that_is_moved_and_does_not_hold_a_number_alone(
    leverage: float, told: bool
) -> None:
    """Of slopes 1, 1 and s the third has the leverage s² ÷ (2 + s²); its residual grows by 1 ÷ (1 - that)."""
    slope = math.sqrt(2 * leverage / (1 - leverage))
    residuals = [0.0, 0.0, 0.01]
    minimum = Minimum([1.0], residuals, [[1.0], [1.0], [slope]], 1, True)
    found = left_out(minimum, PARAMETERS[:1], residuals, range(3), least_spread=0.02)
    assert found[2] == (pytest.approx(math.expm1(0.01 / (1 - leverage))) if told else None)
