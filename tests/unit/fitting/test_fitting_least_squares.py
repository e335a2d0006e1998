"""The least squares of the fitting, against certified results and functions with a known minimum."""

from __future__ import annotations

import math
import random
from collections.abc import Sequence

import pytest

from iodyno.fitting.least_squares import (
    Bounded,
    Determined,
    Minimum,
    intervals,
    least_squares,
    student,
)
from iodyno.fitting.matrices import SingularError, cholesky, eigen, solve

MISRA_1A = (
    (77.6, 10.07), (114.9, 14.73), (141.1, 17.94), (190.8, 23.93), (239.9, 29.61), (289.0, 35.18),
    (332.8, 40.02), (378.4, 44.82), (434.8, 50.76), (477.3, 55.05), (536.8, 61.01), (593.1, 66.40),
    (689.1, 75.47), (760.0, 81.78),
)  # fmt: skip
"""NIST, Statistical Reference Datasets, nonlinear regression: Misra1a, x and y."""
MISRA_VALUES = (2.3894212918e2, 5.5015643181e-4)
MISRA_DEVIATIONS = (2.7070075241, 7.2668688436e-6)


def _misra(values: Sequence[float]) -> list[float]:
    return [values[0] * (1 - math.exp(-values[1] * x)) - y for x, y in MISRA_1A]


def test_the_certified_minimum_of_misra1a_is_found() -> None:
    parameters = [Bounded("b1", 500, 1, 1e5), Bounded("b2", 1e-4, 1e-6, 1)]
    minimum = least_squares(_misra, parameters, steps=60, tolerance=1e-9)
    assert minimum.values == pytest.approx(MISRA_VALUES, rel=1e-3)
    assert minimum.cost == pytest.approx(1.2455138894e-1, rel=1e-3)


def test_the_intervals_of_misra1a_are_the_certified_deviations_times_student() -> None:
    parameters = [Bounded("b1", 240, 1, 1e5), Bounded("b2", 5e-4, 1e-6, 1)]
    found = intervals(least_squares(_misra, parameters), parameters, least_spread=1e-9)
    for one, value, deviation in zip(found, MISRA_VALUES, MISRA_DEVIATIONS, strict=True):
        assert one.high is not None
        # 2.179: Student's t for 95 % and 12 degrees of freedom, from any table.
        assert math.log(one.high / one.value) == pytest.approx(2.179 * deviation / value, rel=0.02)


def test_rosenbrocks_valley_ends_at_one_and_one() -> None:
    def rosenbrock(v: Sequence[float]) -> list[float]:
        return [10 * (v[1] - v[0] ** 2), 1 - v[0]]

    parameters = [Bounded("x", 0.3, 1e-3, 10), Bounded("y", 3, 1e-3, 10)]
    assert least_squares(rosenbrock, parameters, steps=300, tolerance=1e-10).values == pytest.approx(
        [1, 1], rel=0.02
    )


def test_a_minimum_outside_stops_at_the_bound_and_says_so() -> None:
    parameters = [Bounded("x", 1, 0.5, 2), Bounded("y", 1, 0.1, 10)]
    minimum = least_squares(lambda v: [math.log(v[0] / 5), math.log(v[1] / 3)], parameters)
    assert minimum.values == pytest.approx([2, 3], rel=1e-3)
    assert [one.at_bound for one in intervals(minimum, parameters, least_spread=0.01)] == [True, False]


SCATTER = (0.004, -0.003, -0.002, 0.001)
"""Adds up to nothing."""


@pytest.mark.parametrize(
    ("beyond", "stopped"), [(-0.005, False), (0.0, False), (0.009, False), (0.012, True)]
)
@pytest.mark.parametrize("end", ["low", "high"])
def test_what_is_at_its_bound_is_stopped_where_figures_ask_for_more_than_they_scatter_by(
    beyond: float, stopped: bool, end: str
) -> None:
    """The mean of four figures scatters by half of what one does: 1.96 · 0.01 are 0.0098 from the bound."""
    way = 1 if end == "high" else -1
    bounds = (0.4, 1.0) if end == "high" else (1.0, 2.5)
    parameters = [Bounded("share", 1.0, *bounds), Bounded("other", 3, 1, 10)]

    def residuals(v: Sequence[float]) -> list[float]:
        of_share = [math.log(v[0]) - way * beyond + one for one in SCATTER]
        return [*of_share, math.log(v[1] / 5), math.log(v[1] / 5)]

    minimum = least_squares(residuals, parameters, tolerance=1e-9)
    share, other = intervals(minimum, parameters, least_spread=0.01)
    assert share.value == pytest.approx(math.exp(way * min(beyond, 0.0)), rel=1e-3)
    assert share.low is not None
    assert share.high is not None
    assert share.low < 1 < share.high
    assert (share.at_bound, other.at_bound) == (stopped, False)


def test_a_bound_that_makes_figures_miss_does_not_hide_itself_behind_their_spread() -> None:
    """Residuals of a factor of 5 scatter widely only as long as nothing explains them."""
    parameters = [Bounded("x", 2, 0.5, 2), Bounded("y", 1, 0.5, 2)]
    minimum = least_squares(
        lambda v: [math.log(v[0] / 10), math.log(v[0] / 10.1), math.log(v[1] / 20), math.log(v[1] / 20.1)],
        parameters,
    )
    found = intervals(minimum, parameters, least_spread=0.02)
    assert [one.at_bound for one in found] == [True, True]


@pytest.mark.parametrize("start", [2.0, 1.9, 0.5])
def test_a_derivative_at_a_bound_is_that_of_the_inside(start: float) -> None:
    """Three times the logarithm rises by three for each e-fold, wherever the parameter may not go."""
    minimum = least_squares(lambda v: [3 * math.log(v[0] / 5)], [Bounded("x", start, 0.5, 2)])
    assert minimum.values == pytest.approx([2], rel=1e-3)
    assert minimum.jacobian == [pytest.approx([3])]


@pytest.mark.parametrize(
    ("figures", "reach"), [(1, 1.96), (2, 1.96 / math.sqrt(2)), (8, 1.96 / math.sqrt(8))]
)
def test_figures_that_agree_are_believed_no_better_than_the_least_spread(figures: int, reach: float) -> None:
    """With residuals of nothing each figure has the spread given: of n of them the mean has 1/√n of it."""
    parameters = [Bounded("x", 1, 0.1, 10)]
    minimum = least_squares(lambda v: [math.log(v[0] / 3)] * figures, parameters)
    (found,) = intervals(minimum, parameters, least_spread=0.02)
    assert found.high is not None
    assert math.log(found.high / found.value) == pytest.approx(0.02 * reach, rel=1e-3)


def test_what_only_a_product_shows_is_not_determined_and_names_the_other() -> None:
    def only_the_product(v: Sequence[float]) -> list[float]:
        return [
            math.log(v[0] * v[1] / 6),
            math.log(v[0] * v[1] / 6.1),
            math.log(v[2] / 4),
            math.log(v[2] / 4.1),
        ]

    parameters = [Bounded(name, 1, 1e-3, 1e3) for name in ("a", "b", "c")]
    minimum = least_squares(only_the_product, parameters)
    a, b, c = intervals(minimum, parameters, least_spread=0.01)
    assert (a.low, b.low) == (None, None)
    assert (a.together_with, b.together_with) == (("b",), ("a",))
    assert c.low is not None
    assert c.low < 4.05 < (c.high or 0)


def test_what_moves_nothing_is_not_determined() -> None:
    parameters = [Bounded("used", 1, 0.1, 10), Bounded("idle", 1, 0.1, 10)]
    found = intervals(
        least_squares(lambda v: [math.log(v[0] / 2)] * 3, parameters), parameters, least_spread=0.01
    )
    assert found[1] == Determined("idle", 1, None, None, False, ())


@pytest.mark.parametrize("seed", range(3))
def test_intervals_hold_what_the_data_was_made_with_as_often_as_they_say(seed: int) -> None:
    draw = random.Random(seed)
    held = 0
    for _ in range(200):
        noise = [draw.gauss(0, 0.02) for _ in range(8)]

        def residuals(v: Sequence[float], noise: list[float] = noise) -> list[float]:
            return [
                math.log((v[0] + v[1] * x) / (3 + 0.5 * x)) + n for x, n in zip(range(8), noise, strict=True)
            ]

        parameters = [Bounded("a", 2, 0.1, 50), Bounded("b", 1, 0.01, 50)]
        found = intervals(least_squares(residuals, parameters), parameters, least_spread=1e-9)
        held += (found[0].low or 0) <= 3 <= (found[0].high or 0)
    # 95 % of 200 is 190; five standard deviations of the binomial distribution are 15.
    assert 175 <= held <= 200, f"seed {seed}"


def test_quantiles_of_student_are_those_of_the_tables() -> None:
    """Of an expansion in 1/n up to the third power the rest is of the order of 1/n⁴."""
    for degrees, quantile in {1: 12.7062047, 2: 4.3026527}.items():
        assert student(0.95, degrees) == pytest.approx(quantile, rel=1e-7)
    tables = {3: 3.1824463, 4: 2.7764451, 5: 2.5705818, 10: 2.2281389, 20: 2.0859634, 30: 2.0422725}
    for degrees, quantile in tables.items():
        assert student(0.95, degrees) == pytest.approx(quantile, rel=1 / degrees**4)
    assert student(0.95, None) == pytest.approx(1.9599640, rel=1e-7)


def test_equations_are_solved_and_singular_ones_refused() -> None:
    matrix = [[4.0, 2.0, 0.6], [2.0, 5.0, 1.0], [0.6, 1.0, 3.0]]
    found = solve(matrix, [1.0, 2.0, 3.0])
    assert [sum(a * x for a, x in zip(row, found, strict=True)) for row in matrix] == pytest.approx([1, 2, 3])
    with pytest.raises(SingularError):
        cholesky([[1.0, 2.0], [2.0, 4.0]])


def test_eigenvectors_are_kept_in_direction_by_the_matrix() -> None:
    matrix = [[4.0, 2.0, 0.6], [2.0, 5.0, 1.0], [0.6, 1.0, 3.0]]
    values, vectors = eigen(matrix)
    for value, vector in zip(values, vectors, strict=True):
        image = [sum(a * x for a, x in zip(row, vector, strict=True)) for row in matrix]
        assert image == pytest.approx([value * x for x in vector], abs=1e-9)
        assert math.hypot(*vector) == pytest.approx(1)


def test_a_search_tells_its_steps_and_whether_it_came_to_an_end() -> None:
    asked: list[Sequence[float]] = []

    def residuals(v: Sequence[float]) -> list[float]:
        asked.append(v)
        return [math.log(v[0] / 3), 0.5]

    whole = least_squares(residuals, [Bounded("x", 1, 0.1, 10)])
    assert whole.evaluations == len(asked)
    assert whole.converged
    assert whole.history[0] == pytest.approx(math.log(3) ** 2 + 0.25)
    assert whole.history == sorted(whole.history, reverse=True)
    assert whole.history[-1] == pytest.approx(whole.cost) == pytest.approx(0.25)
    heard: list[tuple[int, float]] = []
    one = least_squares(
        residuals, [Bounded("x", 1, 0.1, 10)], steps=1, listener=lambda *told: heard.append(told)
    )
    assert not one.converged
    assert (len(one.history), heard) == (2, [(0, one.history[0])])
    assert not least_squares(residuals, [Bounded("x", 1, 0.1, 10)], steps=0).converged


@pytest.mark.parametrize(("low", "high", "bound"), [(0.1, 2, 2), (6, 20, 6)])
def test_what_a_bound_holds_is_left_there_while_the_others_go_on(
    low: float, high: float, bound: float
) -> None:
    """Of ln(y/3) and ln(x y/15) with x at its bound the squares are least where ln y is the mean of both."""

    def residuals(v: Sequence[float]) -> list[float]:
        return [math.log(v[0] / 5), math.log(v[1] / 3), math.log(v[0] * v[1] / 15)]

    parameters = [Bounded("x", 2 if high == 2 else 8, low, high), Bounded("y", 1, 0.1, 30)]
    found = least_squares(residuals, parameters, tolerance=1e-8)
    assert found.values == pytest.approx([bound, math.sqrt(3 * 15 / bound)], rel=1e-3)


def test_a_number_that_is_none_is_a_mistake_of_who_asks() -> None:
    for wrong in (math.nan, math.inf):
        with pytest.raises(AssertionError, match="no number"):
            least_squares(lambda _, wrong=wrong: [wrong, 1.0], [Bounded("x", 1, 0.1, 10)])  # type: ignore[misc]


@pytest.mark.parametrize(
    ("figures", "quantile"),
    [(4, 3.182), (3, 1.960), (2, 1.960)],  # Student's t of 3 degrees from any table; else the normal's
)
def test_student_is_asked_from_three_degrees_on(figures: int, quantile: float) -> None:
    """Residuals of 0.1 have a spread of 0.1 √(n / (n - 1)), and the mean of n of them 1/√n of that."""
    residuals = [0.1, -0.1, 0.1, -0.1][:figures]
    minimum = Minimum([2.0], residuals, [[1.0]] * figures, 1, True)
    (found,) = intervals(minimum, [Bounded("x", 2, 0.1, 50)], least_spread=0.02)
    assert found.high is not None
    half = quantile * 0.1 * math.sqrt(figures / (figures - 1)) / math.sqrt(figures)
    assert math.log(found.high / 2) == pytest.approx(half, rel=0.012)
    assert found.low == pytest.approx(4 / found.high)


@pytest.mark.parametrize(("factor", "determined"), [(2.97, True), (3.03, False)])
def test_what_is_known_to_a_factor_of_three_only_is_not_determined(factor: float, determined: bool) -> None:
    slope = 1.95996 * 0.02 / math.log(factor)
    minimum = Minimum([2.0], [0.0], [[slope]], 1, True)
    (found,) = intervals(minimum, [Bounded("x", 2, 0.1, 50)], least_spread=0.02)
    assert (found.low is not None) is determined
    if determined:
        assert found.high == pytest.approx(2 * factor, rel=1e-3)


def test_what_no_figure_moves_is_neither_determined_nor_exchanged_for_another() -> None:
    assert Determined("x", 1, None, None, False).unmoved
    assert not Determined("x", 1, None, None, False, ("y",)).unmoved
    assert not Determined("x", 1, 0.9, 1.1, False).unmoved
