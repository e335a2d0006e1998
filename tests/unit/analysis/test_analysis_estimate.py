"""Ratios and their intervals against formulas worked out by hand."""

from __future__ import annotations

import math
import random

import pytest

from iodyno.analysis.estimate import Estimate, distinguishable, quotient, together


def test_quotient_follows_fieller() -> None:
    """The limits solve (300 - r·100)² = 18² + (r·8)²: 9936 r² - 60 000 r + 89 676 = 0."""
    found = quotient(Estimate(300.0, 0.06), Estimate(100.0, 0.08))
    assert found is not None
    assert found.value == pytest.approx(3.0)
    root = math.sqrt(60_000**2 - 4 * 9936 * 89_676)
    assert found.high == pytest.approx((60_000 + root) / (2 * 9936))
    assert found.low == pytest.approx((60_000 - root) / (2 * 9936))


def test_what_a_quotient_gains_and_its_inverse() -> None:
    found = quotient(Estimate(250.0, 0.06), Estimate(100.0, 0.08))
    assert found is not None
    assert found.gain == pytest.approx(1.5)
    turned = quotient(Estimate(100.0, 0.08), Estimate(250.0, 0.06))
    assert turned is not None
    assert (turned.value, turned.low, turned.high) == pytest.approx(
        (found.inverse.value, found.inverse.low, found.inverse.high)
    )
    assert turned.gain == pytest.approx(-0.6)
    latency = Estimate(4.0, 0.5).inverse
    assert latency == Estimate(0.25, 0.5, reciprocal=True)
    assert (latency.low, latency.high) == pytest.approx((1 / 6, 1 / 2))
    assert latency.inverse == Estimate(4.0, 0.5)


def test_a_figure_that_may_be_nothing_gives_no_limit() -> None:
    above = quotient(Estimate(300.0, 1.2), Estimate(100.0, 0.1))
    below = quotient(Estimate(300.0, 0.1), Estimate(100.0, 1.2))
    assert above is not None
    assert below is not None
    assert above.low == 0.0
    assert below.high == math.inf
    assert not below.known


def test_quotient_without_an_interval_claims_nothing() -> None:
    found = quotient(Estimate(300.0), Estimate(100.0, 0.01))
    assert found is not None
    assert not found.known
    assert (found.low, found.high) == (0.0, math.inf)


@pytest.mark.parametrize(("above", "below"), [(0.0, 1.0), (1.0, 0.0)])
def test_no_quotient_of_nothing(above: float, below: float) -> None:
    assert quotient(Estimate(above, 0.01), Estimate(below, 0.01)) is None


def test_the_interval_of_a_quotient_holds_as_often_as_it_says() -> None:
    """Normal figures with 95 % half-widths of 3 % and 4 %: the true ratio is covered 95 % of the time."""
    draw = random.Random(20260314)
    tries, hits = 4000, 0
    for _ in range(tries):
        one = Estimate(draw.gauss(200.0, 200.0 * 0.03 / 1.96), 0.03)
        other = Estimate(draw.gauss(100.0, 100.0 * 0.04 / 1.96), 0.04)
        found = quotient(one, other)
        assert found is not None
        hits += found.low <= 2.0 <= found.high
    deviation = math.sqrt(0.95 * 0.05 / tries)
    assert abs(hits / tries - 0.95) < 4 * deviation + 0.002  # second-order terms of the method


def test_difference_is_shown_only_beyond_the_interval_of_the_difference() -> None:
    # Half-widths of 3 and 4 give one of 5 for the difference.
    assert not distinguishable(Estimate(100.0, 0.03), Estimate(105.0, 4 / 105))
    assert distinguishable(Estimate(100.0, 0.03), Estimate(105.1, 4 / 105.1))
    assert not distinguishable(Estimate(100.0), Estimate(900.0, 0.01))


def test_estimate_without_interval_reaches_everywhere() -> None:
    assert (Estimate(5.0).low, Estimate(5.0).high) == (0.0, math.inf)
    assert Estimate(10.0, 1.5).low == 0.0


def test_a_sum_is_as_uncertain_as_its_parts_can_make_it() -> None:
    """Nothing is known of how they move together: at most 100 ± 2 and 300 ± 3 are off by 5 in 400."""
    whole = together([Estimate(100.0, 0.02), Estimate(300.0, 0.01)])
    assert whole.value == 400.0
    assert whole.half_width == pytest.approx(5 / 400)
    assert together([Estimate(100.0, 0.02), Estimate(300.0)]) == Estimate(400.0)
    assert together([Estimate(0.0, 0.0)]).half_width == 0.0


def test_the_ends_of_an_interval_and_of_its_inverse() -> None:
    """100 ± 20 % is 80 to 120; a time of 0.01 whose rate is that is 1 ÷ 120 to 1 ÷ 80."""
    rate = Estimate(100.0, 0.2)
    assert (rate.low, rate.high) == pytest.approx((80, 120))
    assert (rate.inverse.low, rate.inverse.high) == pytest.approx((1 / 120, 1 / 80))
    assert Estimate(10.0, 1.0).high == 20.0
    assert Estimate(10.0, 1.0).inverse.high == math.inf
    assert (rate.inverse.inverse.low, rate.inverse.inverse.high) == (rate.low, rate.high)
