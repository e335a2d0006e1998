"""The distribution of the latency against the values that it was made from."""

from __future__ import annotations

import random
from bisect import bisect_right
from itertools import pairwise

import pytest

from factories import make_histogram
from iodyno.analysis.distribution import distribution
from iodyno.analysis.estimate import Estimate
from iodyno.analysis.scaling import scaling
from iodyno.histogram import Histogram


def test_shares_agree_with_a_sorted_list() -> None:
    draw = random.Random(5)
    values = sorted(round(draw.lognormvariate(13.0, 0.8)) for _ in range(20_000))
    for point in distribution(make_histogram(values))[1:-1]:
        below = bisect_right(values, point.latency_ms * 1e6 * (1 + 1 / 128)) / len(values)
        above = bisect_right(values, point.latency_ms * 1e6 * (1 - 1 / 128)) / len(values)
        assert above - 1e-9 <= point.share <= below + 1e-9


def test_it_ends_where_ten_values_are_left() -> None:
    latency = make_histogram(range(1_000_000, 1_000_000 + 1000 * 5000, 5000))
    assert distribution(latency)[-1].share == pytest.approx(0.99)


def test_it_ends_at_five_nines_at_the_latest() -> None:
    latency = make_histogram([1_000_000, 2_000_000], [9_000_000, 1_000_000])
    assert distribution(latency)[-1].share <= 0.99999


def test_it_never_falls() -> None:
    latency = make_histogram(random.Random(6).randrange(10**5, 10**9) for _ in range(3000))
    found = distribution(latency)
    assert all(one.share <= two.share and one.latency_ms <= two.latency_ms for one, two in pairwise(found))


def test_nothing_completed_has_no_distribution() -> None:
    assert distribution(Histogram()) == ()


def test_as_few_as_a_percentile_must_have_beyond_it_have_none_either() -> None:
    """Of ten nothing can be said but that they took some time: a line of one point is no chart."""
    assert distribution(make_histogram([1_000_000], [10])) == ()
    assert len(distribution(make_histogram([1_000_000, 2_000_000], [6, 6]))) > 1


def test_scaling_against_the_ideal() -> None:
    found = scaling({4: Estimate(380.0, 0.01), 1: Estimate(100.0, 0.01), 2: Estimate(200.0, 0.01)})
    assert [item.count for item in found] == [1, 2, 4]
    assert [item.ideal for item in found] == [1.0, 2.0, 4.0]
    pairs = scaling({2: Estimate(100.0), 8: Estimate(300.0), 12: Estimate(400.0)}, {12: 0.5})
    assert [item.ideal for item in pairs] == [1.0, 4.0, 3.0]
    assert [item.factor and item.factor.value for item in found] == pytest.approx([1.0, 2.0, 3.8])
