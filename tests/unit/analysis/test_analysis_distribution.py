"""The distribution of the latency against the values that it was made from."""

from __future__ import annotations

import random
from bisect import bisect_right
from itertools import pairwise

import pytest

from factories import make_histogram, make_point, make_result
from iodyno.analysis.curves import curves
from iodyno.analysis.distribution import distribution
from iodyno.analysis.estimate import Estimate, Quotient
from iodyno.analysis.figures import point_figures
from iodyno.analysis.scaling import scaling, scalings
from iodyno.histogram import Histogram
from iodyno.reading import Cause, PointResult


def test_shares_agree_with_a_sorted_list() -> None:
    draw = random.Random(5)
    values = sorted(round(draw.lognormvariate(13.0, 0.8)) for _ in range(20_000))
    found = distribution(make_histogram(values))
    # Twelve points a nine up to where ten of 20,000 are left, which is 3.3 nines; and both ends.
    assert 36 <= len(found) - 2 <= 40
    for point in found[1:-1]:
        below = bisect_right(values, point.latency_ms * 1e6 * (1 + 1 / 128)) / len(values)
        above = bisect_right(values, point.latency_ms * 1e6 * (1 - 1 / 128)) / len(values)
        assert above - 1e-9 <= point.share <= below + 1e-9


def test_it_ends_where_ten_values_are_left() -> None:
    latency = make_histogram(range(1_000_000, 1_000_000 + 1000 * 5000, 5000))
    end = distribution(latency)[-1]
    assert end.share == pytest.approx(0.99)
    # The 990th of them; a bucket is 1/128 of its value wide.
    assert end.latency_ms == pytest.approx(1 + 989 * 0.005, rel=1 / 128)
    # Nine in ten took 9 ms, and so did the 990th.
    end = distribution(make_histogram([1_000_000, 9_000_000], [100, 900]))[-1]
    assert end.share == pytest.approx(0.99)
    assert end.latency_ms == pytest.approx(9, rel=1 / 128)


def test_it_ends_at_five_nines_at_the_latest() -> None:
    latency = make_histogram([1_000_000, 2_000_000], [9_000_000, 1_000_000])
    assert distribution(latency)[-1].share <= 0.99999


def test_it_never_falls() -> None:
    latency = make_histogram(random.Random(6).randrange(10**5, 10**9) for _ in range(3000))
    found = distribution(latency)
    assert all(one.share <= two.share and one.latency_ms <= two.latency_ms for one, two in pairwise(found))


def test_only_percentiles_that_were_told_are_known_without_buckets() -> None:
    told = Histogram(untold=10_000, percentiles=((0.5, 1_000_000), (0.99, 3_000_000)))
    assert [told.knows(share) for share in (0.5, 0.9, 0.99)] == [True, False, True]
    assert [told.percentile_ns(share) for share in (0.5, 0.9, 0.99)] == [1e6, 0.0, 3e6]
    assert Histogram(index=(5,), count=(10_000,)).knows(0.9)


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


def test_a_figure_is_exactly_itself() -> None:
    """The factor of the fewest had an interval, as if it were two figures that know nothing of each other."""
    first, second = scaling({1: Estimate(100.0, 0.05), 2: Estimate(200.0, 0.05)})
    assert first.factor == Quotient(1.0, 1.0, 1.0)
    assert second.factor
    assert second.factor.low < 2 < second.factor.high
    assert [step.factor for step in scaling({1: Estimate(0.0), 2: Estimate(1.0)})] == [None, None]


def test_open_loops_are_no_maxima_over_workers_where_closed_ones_have_the_profile() -> None:
    """Answers of searches stood in the table, and figures of overloaded loops: the later curve won."""
    closed = {1: 10_000.0, 2: 19_000.0}
    results: list[PointResult] = []
    for rate_io_s, rates in ((None, closed), (5000.0, {1: 4000.0, 2: 3000.0})):
        for workers, rate in rates.items():
            point = make_point("database", 8, index=len(results), workers=workers, rate_io_s=rate_io_s)
            causes = [Cause(code="overload")] if rate_io_s else []
            results.append(make_result(point, rate_io_s=rate, state="not_steady", causes=causes))
    found = curves(point_figures(result) for result in results)
    assert [len(curve.points) for curve in found] == [1] * 4
    (of,) = scalings((curve, curve.points[0].main) for curve in found)
    assert {step.count: round(step.figure.value) for step in of.steps} == closed
    (alone,) = scalings((curve, curve.points[0].main) for curve in found if curve.open_loop)
    assert [round(step.figure.value) for step in alone.steps] == [4000, 3000]
