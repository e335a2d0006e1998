"""Figures in shown units: what a reading means by definition."""

from __future__ import annotations

import math

import pytest

from factories import make_histogram, make_point, make_profile, make_reading, make_result
from iodyno.analysis.estimate import Estimate
from iodyno.analysis.figures import percentiles_ms, point_figures, supported
from iodyno.analysis.timeseries import windows
from iodyno.analysis.units import mb_s, ms
from iodyno.profiles import Block
from iodyno.reading import Direction, Precision, Series, State


def test_rate_throughput_and_latency_of_a_closed_loop() -> None:
    """8 outstanding at 4 ms each are 2000 IO/s; with blocks of 64 kB 125 MB/s."""
    point = make_point("file-copy", 8)
    figures = point_figures(make_result(point, rate_io_s=2000.0, latency_ms=4.0, measured_s=3.0))
    assert figures.transaction_rate_io_s.value == pytest.approx(2000.0)
    assert figures.throughput_mb_s.value == pytest.approx(125.0)
    assert figures.latency_ms_mean.value == pytest.approx(4.0, rel=1e-3)
    assert figures.completed == 6000
    assert figures.depth_kept == pytest.approx(1.0, rel=1e-3)


def test_main_figure_is_the_one_that_the_profile_is_shown_in() -> None:
    rate = point_figures(make_result(make_point("database", 1), rate_io_s=1000.0))
    throughput = point_figures(make_result(make_point("streaming", 1), rate_io_s=1600.0))
    assert rate.main.value == pytest.approx(1000.0)
    assert throughput.main.value == pytest.approx(100.0)  # 1600 × 64 kB


def test_units_are_base_two_for_bytes_and_decimal_for_time() -> None:
    assert mb_s(1 << 20) == 1.0
    assert ms(2_500_000) == 2.5


@pytest.mark.parametrize(
    ("share", "fewest"), [(0.5, 20), (0.9, 100), (0.99, 1000), (0.999, 10_000), (0.99999, 1_000_000)]
)
def test_a_percentile_needs_ten_beyond_it(share: float, fewest: int) -> None:
    assert supported(share, fewest)
    assert not supported(share, fewest - 1)


def test_unsupported_percentiles_are_none() -> None:
    latency = make_histogram(range(1000, 2000))
    found = {item.share: item.value_ms for item in percentiles_ms(latency)}
    assert found[0.99] is not None
    assert found[0.999] is None
    assert found[0.99999] is None


def test_percentiles_of_known_values() -> None:
    """1 to 1000 ms, once each: the median is 500 ms, the 99th percentile 990 ms, within a bucket."""
    latency = make_histogram(value * 1_000_000 for value in range(1, 1001))
    found = {item.share: item.value_ms for item in percentiles_ms(latency)}
    assert found[0.5] == pytest.approx(500, rel=1 / 128)
    assert found[0.99] == pytest.approx(990, rel=1 / 128)


def test_response_time_only_where_a_rate_was_given() -> None:
    closed = point_figures(make_result(make_point("database", 8)))
    opened = point_figures(make_result(make_point("database", 8, rate_io_s=5000.0)))
    assert closed.response_time_ms_mean is None
    assert opened.response_time_ms_mean == pytest.approx(1.5 * opened.latency_ms_mean.value, rel=0.05)


def test_the_interval_of_a_latency_is_that_of_the_rate_turned_round() -> None:
    """8 outstanding at 2000 IO/s ± 50 % are 4 ms: 8 ÷ 3000 to 8 ÷ 1000; ± 100 % and more has no upper end."""

    def latency(half_width: float) -> Estimate:
        result = make_result(
            make_point("database", 8), rate_io_s=2000.0, latency_ms=4.0, half_width=half_width
        )
        return point_figures(result).latency_ms_mean

    assert latency(0.5).low == pytest.approx(8 / 3, rel=1e-2)
    assert latency(0.5).high == pytest.approx(8.0, rel=1e-2)
    assert latency(1.2).high == math.inf
    assert latency(1.2).low > 0


def test_what_was_discarded_is_part_of_the_seconds_before_the_measured_part() -> None:
    """7 windows of 100 ms, discarded after a warm-up of 0.4 s, make 1.1 s before the measured part."""
    precision = Precision(half_width=0.02, discarded_windows=7)
    figures = point_figures(make_result(make_point("database", 1), precision=precision, warmup_s=1.1))
    assert figures.warmup_s == pytest.approx(1.1)
    assert figures.discarded_s == pytest.approx(0.7)


def test_the_latency_of_an_open_loop_has_no_interval() -> None:
    opened = point_figures(make_result(make_point("database", 8, rate_io_s=5000.0)))
    assert opened.latency_ms_mean.half_width is None


@pytest.mark.parametrize(
    "changes", [{"fsync_every": 8}, {"fdatasync_every": 8}, {"think_time_us": 100}], ids=str
)
def test_a_latency_has_no_interval_where_something_else_is_outstanding_too(changes: dict[str, int]) -> None:
    """Outstanding ÷ rate is the mean latency of the accesses where nothing else is ever outstanding."""
    point = make_point(make_profile("database", **changes), 8)
    assert point_figures(make_result(point, half_width=0.02)).latency_ms_mean.half_width is None


def test_commands_that_did_not_complete_have_no_latency() -> None:
    point = make_point(make_profile("database", trim_share=0.1), 8)
    made = make_reading(point)
    reading = made.model_copy(update={"trims": Direction()})
    found = point_figures(make_result(point, reading=reading)).trims
    assert found is not None
    assert (found.rate_s, found.latency_ms_mean, found.latency_ms_p99) == (0.0, None, None)


def test_no_warm_up_is_below_nothing() -> None:
    """A load that begins after 5 s, of which all before the measured part was discarded."""
    point = make_point("database", 8, begins_after_s=5.0)
    precision = Precision(
        half_width=0.01, confidence=0.95, batches=10, batch_windows=3, lag1=0, drift=0, range=0,
        discarded_windows=20,
    )  # fmt: skip
    reading = make_reading(point, precision=precision, warmup_s=6.0)
    assert point_figures(make_result(point, reading=reading)).warmed_up_s == 0.0


def test_tail_ratio() -> None:
    figures = point_figures(make_result(make_point("database", 1), rate_io_s=8000.0))
    p999 = figures.latency_ms_at(0.999)
    assert p999 is not None
    assert figures.tail_ratio(0.999) == pytest.approx(p999 / figures.latency_ms_mean.value)
    assert figures.tail_ratio(0.99999) is None


def test_windows_are_shown_in_their_units() -> None:
    series = Series(
        measured_from=1,
        reads=(100, 100, 50),
        writes=(0, 100, 0),
        read_bytes=(100 << 20, 100 << 20, 50 << 20),
        written_bytes=(0, 100 << 20, 0),
        latency_sum_ns=(100_000_000, 400_000_000, 0),
        p99_ns=(2_000_000, 3_000_000, 0),
        max_ns=(2_000_000, 3_000_000, 0),
    )
    found = windows(series)
    assert [window.transaction_rate_io_s for window in found] == pytest.approx([1000, 2000, 500])
    assert [window.throughput_mb_s for window in found] == pytest.approx([1000, 2000, 500])
    assert [window.latency_ms_mean for window in found] == pytest.approx([1.0, 2.0, 0.0])
    assert [window.measured for window in found] == [False, True, True]
    assert found[2].start_s == pytest.approx(0.2)


def test_windows_that_are_several_in_one_have_their_length_and_place() -> None:
    """Three windows and one of warm-up, then four, four and two of a long part: 100 I/Os in each."""
    counts = (300, 100, 400, 400, 200)
    nothing = (0,) * 5
    series = Series(
        measured_from=2, reads=counts, writes=nothing, read_bytes=tuple(count << 20 for count in counts),
        written_bytes=nothing, latency_sum_ns=tuple(count * 1_000_000 for count in counts),
        p99_ns=(1,) * 5, max_ns=(1,) * 5, windows=(3, 1, 4, 4, 2),
    )  # fmt: skip
    found = windows(series)
    assert [window.transaction_rate_io_s for window in found] == pytest.approx([1000] * 5)
    assert [window.throughput_mb_s for window in found] == pytest.approx([1000] * 5)
    assert [window.latency_ms_mean for window in found] == pytest.approx([1.0] * 5)
    assert [window.start_s for window in found] == pytest.approx([0.0, 0.3, 0.4, 0.8, 1.2])


def test_windows_of_nothing_completed_have_no_latency() -> None:
    series = Series(
        reads=(0,),
        writes=(0,),
        read_bytes=(0,),
        written_bytes=(0,),
        latency_sum_ns=(0,),
        p99_ns=(0,),
        max_ns=(0,),
    )
    assert windows(series)[0].latency_ms_mean is None


def test_mixed_blocks_use_the_bytes_that_were_moved() -> None:
    point = make_point("database", 4)
    blocks = (Block(bytes=4096), Block(bytes=12288))
    mixed = point.model_copy(update={"profile": point.profile.model_copy(update={"blocks": blocks})})
    figures = point_figures(make_result(mixed, reading=make_reading(mixed, rate_io_s=1280.0)))
    assert figures.throughput_mb_s.value == pytest.approx(10.0)  # 1280 × 8 kB


@pytest.mark.parametrize(
    ("state", "steady"),
    [("steady", True), ("not_steady", False), ("disturbed", False), ("not_judged", False)],
)
def test_a_point_is_steady_where_its_verdict_says_so(state: State, steady: bool) -> None:
    """The marks of all others are hollow in charts."""
    assert point_figures(make_result(state=state)).steady is steady
