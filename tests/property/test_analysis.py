"""Laws of the analysis that hold for all figures."""

from __future__ import annotations

from random import Random

from hypothesis import given
from hypothesis import strategies as st

from factories import make_histogram
from iodyno.analysis.distribution import distribution
from iodyno.analysis.estimate import Estimate, distinguishable, quotient
from iodyno.analysis.figures import percentiles_ms
from iodyno.histogram import Histogram
from iodyno.report.numbers import digits_for

values = st.floats(min_value=1e-3, max_value=1e9)
half_widths = st.floats(min_value=1e-6, max_value=0.9)
estimates = st.builds(Estimate, values, half_widths)
latencies = st.lists(st.integers(min_value=1, max_value=10**11), min_size=1, max_size=200)


@given(estimates, estimates)
def test_the_interval_of_a_quotient_contains_it(one: Estimate, other: Estimate) -> None:
    found = quotient(one, other)
    assert found is not None
    assert 0 < found.low <= found.value * (1 + 1e-9)
    assert found.value <= found.high * (1 + 1e-9)


@given(estimates, estimates)
def test_the_quotient_turned_round_is_its_inverse(one: Estimate, other: Estimate) -> None:
    found, inverse = quotient(one, other), quotient(other, one)
    assert found is not None
    assert inverse is not None
    assert abs(found.value * inverse.value - 1) < 1e-9
    assert abs(found.low * inverse.high - 1) < 1e-9


@given(estimates, estimates)
def test_the_ratio_of_two_times_is_that_of_their_rates_turned_round(one: Estimate, other: Estimate) -> None:
    rates, times = quotient(one, other), quotient(other.inverse, one.inverse)
    assert rates is not None
    assert times is not None
    assert abs(times.low / rates.low - 1) < 1e-6
    assert abs(times.high / rates.high - 1) < 1e-6


@given(estimates, estimates)
def test_the_ratio_and_the_difference_say_the_same(one: Estimate, other: Estimate) -> None:
    found = quotient(one, other)
    assert found is not None
    near = min(abs(found.low - 1), abs(found.high - 1)) < 1e-9  # the limit itself is decided by rounding
    assert near or distinguishable(one, other) == (found.low > 1 or found.high < 1)


@given(estimates, estimates)
def test_telling_apart_does_not_depend_on_the_order(one: Estimate, other: Estimate) -> None:
    assert distinguishable(one, other) == distinguishable(other, one)
    assert not distinguishable(one, one)


@given(st.lists(latencies, min_size=1, max_size=5), st.randoms(use_true_random=False))
def test_percentiles_do_not_depend_on_the_order_of_merging(parts: list[list[int]], draw: Random) -> None:
    histograms = [make_histogram(part) for part in parts]
    shuffled = list(histograms)
    draw.shuffle(shuffled)
    assert percentiles_ms(Histogram.merged(histograms)) == percentiles_ms(Histogram.merged(shuffled))


@given(latencies)
def test_percentiles_ascend_and_stay_within_the_range(drawn: list[int]) -> None:
    found = [item.value_ms for item in percentiles_ms(make_histogram(drawn)) if item.value_ms is not None]
    assert found == sorted(found)
    assert all(min(drawn) / 1e6 <= value <= max(drawn) / 1e6 for value in found)


@given(latencies)
def test_the_distribution_ascends(drawn: list[int]) -> None:
    found = distribution(make_histogram(drawn))
    assert [point.share for point in found] == sorted(point.share for point in found)
    assert [point.latency_ms for point in found] == sorted(point.latency_ms for point in found)


@given(half_widths)
def test_digits_never_hide_the_interval_nor_pretend_more(half_width: float) -> None:
    digits = digits_for(half_width)
    assert 2 <= digits <= 4
    if digits > 2:
        assert half_width < 10 ** (2 - digits)
