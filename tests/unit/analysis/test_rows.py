"""The tables say what the readings hold, in the units of their names."""

from __future__ import annotations

import pytest

from factories import (
    make_histogram,
    make_point,
    make_profile,
    make_reading,
    make_result,
    make_stored_run,
    make_target,
)
from iodyno.analysis.columns import HISTOGRAM_COLUMNS, POINT_COLUMNS, SERIES_COLUMNS
from iodyno.analysis.rows import histogram_rows, point_rows, series_rows
from iodyno.reading import Cause, Direction, PointResult, Series


def known_result() -> PointResult:
    """Five reads of 1, 2, 3, 4 and 10 ms and no write, of 64 kB each, in half a second."""
    times = (1_000_000, 2_000_000, 3_000_000, 4_000_000, 10_000_000)
    latency = make_histogram(times)
    series = Series(
        window_s=0.1, measured_from=1, reads=(2, 3, 2), writes=(0, 0, 0),
        read_bytes=(131072, 196608, 131072), written_bytes=(0, 0, 0),
        latency_sum_ns=(4_000_000, 9_000_000, 11_000_000), p99_ns=(2_500_000, 4_000_000, 10_000_000),
        max_ns=(3_000_000, 4_000_000, 10_000_000),
    )  # fmt: skip
    reads = Direction(completed=5, bytes=5 * 65536, latency=latency)
    point = make_point("streaming", 2, workers=3)
    reading = make_reading(point, measured_s=0.5, reads=reads, writes=Direction(), series=series)
    return make_result(
        point, reading=reading, state="capped", causes=[Cause(code="imprecise"), Cause(code="drift")]
    )


def test_a_row_of_the_points_has_the_figures_in_their_units() -> None:
    (row,) = point_rows([known_result()])
    assert row["transaction_rate_io_s"] == 10.0
    assert row["throughput_mb_s"] == 10 * 65536 / 2**20
    assert row["latency_ms_mean"] == 4.0
    assert (row["latency_ms_min"], row["latency_ms_max"]) == (1.0, 10.0)
    assert (row["outstanding"], row["workers"], row["outstanding_total"]) == (2, 3, 6)
    assert (row["completed"], row["completed_reads"], row["completed_writes"]) == (5, 5, 0)
    assert (row["profile"], row["read_share"], row["random_share"]) == ("streaming", 1.0, 0.0)
    assert row["block_bytes"] == "65536"
    assert (row["state"], row["causes"]) == ("capped", "imprecise drift")
    assert row["rate_asked_io_s"] is None
    assert row["response_time_ms_mean"] is None


def test_percentiles_that_few_ios_support_are_empty() -> None:
    (row,) = point_rows([known_result()])
    assert row["latency_ms_p50"] is None
    (many,) = point_rows([make_result(rate_io_s=5000.0, measured_s=1.0)])
    assert isinstance(many["latency_ms_p99"], float)  # 50 of 5000 lie beyond it
    assert many["latency_ms_p99_9"] is None  # 5 of 5000


def test_a_rate_brings_response_times() -> None:
    (row,) = point_rows([make_result(make_point(rate_io_s=5000.0), latency_ms=1.0)])
    assert row["rate_asked_io_s"] == 5000.0
    assert row["response_time_ms_mean"] == pytest.approx(1.5, rel=1e-3)


def test_the_area_is_that_of_every_target_or_empty() -> None:
    def area(*lengths: int) -> tuple[object, object]:
        targets = [
            make_target(f"/data/{i}", area_start_bytes=4096, area_length_bytes=n)
            for i, n in enumerate(lengths)
        ]
        (row,) = point_rows([make_result(make_point(targets=targets))])
        return row["area_start_bytes"], row["area_length_bytes"]

    assert area(1 << 20) == (4096, 1 << 20)
    assert area(1 << 20, 1 << 20) == (4096, 1 << 20)
    assert area(1 << 20, 1 << 21) == (4096, None)


def test_several_block_sizes_are_listed_with_their_weights() -> None:
    profile = make_profile("database", blocks=[{"bytes": 4096, "weight": 60}, {"bytes": 65536, "weight": 40}])
    (row,) = point_rows([make_result(make_point(profile))])
    assert row["block_bytes"] == "4096:60 65536:40"


def test_a_row_of_the_series_is_a_window() -> None:
    rows = series_rows([known_result()])
    assert [row["measured"] for row in rows] == [False, True, True]
    assert [row["start_s"] for row in rows] == [0.0, 0.1, 0.2]
    assert [row["length_s"] for row in rows] == [0.1, 0.1, 0.1]
    assert [row["transaction_rate_io_s"] for row in rows] == pytest.approx([20.0, 30.0, 20.0])
    assert [row["throughput_mb_s"] for row in rows] == pytest.approx([1.25, 1.875, 1.25])
    assert [row["latency_ms_mean"] for row in rows] == pytest.approx([2.0, 3.0, 5.5])
    assert [row["latency_ms_p99"] for row in rows] == [2.5, 4.0, 10.0]


def test_a_row_of_several_windows_says_how_long_it_is() -> None:
    result = known_result()
    long = result.reading.series.model_copy(update={"windows": (2, 3, 2)})
    rows = series_rows(
        [result.model_copy(update={"reading": result.reading.model_copy(update={"series": long})})]
    )
    assert [row["start_s"] for row in rows] == pytest.approx([0.0, 0.2, 0.5])
    assert [row["length_s"] for row in rows] == pytest.approx([0.2, 0.3, 0.2])
    assert [row["transaction_rate_io_s"] for row in rows] == pytest.approx([10.0, 10.0, 10.0])


def test_a_window_in_which_nothing_completed_has_no_latency() -> None:
    reading = make_reading(make_point(), measured_s=0.1)
    idle = dict.fromkeys(("reads", "writes", "read_bytes", "written_bytes", "latency_sum_ns"), (0,) * 6)
    series = reading.series.model_copy(update=idle)
    rows = series_rows([make_result(reading=reading.model_copy(update={"series": series}))])
    assert {
        (row["transaction_rate_io_s"], row["latency_ms_mean"], row["latency_ms_max"]) for row in rows
    } == {(0.0, None, None)}


def test_the_buckets_hold_every_io_at_its_time() -> None:
    rows = histogram_rows([known_result()])
    for row, expected_ms in zip(rows, (1.0, 2.0, 3.0, 4.0, 10.0), strict=True):
        assert (row["direction"], row["measure"], row["count"]) == ("read", "latency", 1)
        assert float(row["bucket_ms_low"] or 0) <= expected_ms < float(row["bucket_ms_below"] or 0)


def test_reads_writes_and_response_times_are_told_apart() -> None:
    result = make_result(make_point(rate_io_s=2000.0), measured_s=1.0)
    rows = histogram_rows([result])
    sums = {
        (direction, measure): sum(
            int(row["count"] or 0)
            for row in rows
            if (row["direction"], row["measure"]) == (direction, measure)
        )
        for direction in ("read", "write")
        for measure in ("latency", "response_time")
    }
    reads, writes = result.reading.reads.completed, result.reading.writes.completed
    assert (reads, writes) == (1340, 660)  # two thirds of 2000, as the profile says
    assert sums == {
        ("read", "latency"): reads, ("read", "response_time"): reads,
        ("write", "latency"): writes, ("write", "response_time"): writes,
    }  # fmt: skip


def test_every_value_has_the_type_of_its_column() -> None:
    results = make_stored_run(profiles=["database", "restore"], intensities=[1, 64]).results
    for columns, rows in (
        (POINT_COLUMNS, point_rows(results)),
        (SERIES_COLUMNS, series_rows(results)),
        (HISTOGRAM_COLUMNS, histogram_rows(results)),
    ):
        assert len({column.name for column in columns}) == len(columns)
        for row in rows:
            assert list(row) == [column.name for column in columns]
            for column in columns:
                value = row[column.name]
                assert value is None or type(value) is column.type, (column.name, value)
