"""Readings as tidy tables: one row a point, a window or a bucket; one column a figure with its unit."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TypeAlias, TypeVar

from iodyno.analysis.columns import (
    HISTOGRAM_COLUMNS,
    POINT_COLUMNS,
    SERIES_COLUMNS,
    TARGET_COLUMNS,
    BucketItem,
    Column,
    DirectionName,
    PointItem,
    Value,
    WindowItem,
)
from iodyno.analysis.targets import target_figures
from iodyno.histogram import Histogram
from iodyno.reading import Direction, PointResult

Row: TypeAlias = dict[str, Value]
T = TypeVar("T")


def point_rows(results: Iterable[PointResult]) -> list[Row]:
    """Make the table of points: one row a result, in their order; of several loads one each.

    Parameters
    ----------
    results
        Results of one run or of several.

    Returns
    -------
    list of dict
        A dict a row with the names of :data:`POINT_COLUMNS`; rates in IO/s, throughputs in
        MB/s (2^20 bytes/s), latencies in ms, shares 0 to 1, sizes in bytes.
    """
    items = (PointItem(load, number, result) for result, number, load in _loads(results))
    return _rows(POINT_COLUMNS, items)


def series_rows(results: Iterable[PointResult]) -> list[Row]:
    """Make the time series: one row a window, warm-up included, by :data:`SERIES_COLUMNS`.

    A row of a point of many hours holds several windows: ``length_s`` says how long it is. Of several loads
    each has a series.
    """
    items = (
        WindowItem(load, window, number)
        for _, number, load in _loads(results)
        for window in range(len(load.reading.series.reads))
    )
    return _rows(SERIES_COLUMNS, items)


def target_rows(results: Iterable[PointResult]) -> list[Row]:
    """Make the table of targets: a row for each of several targets of a point, by :data:`TARGET_COLUMNS`."""
    return _rows(TARGET_COLUMNS, (item for result in results for item in target_figures(result)))


def histogram_rows(results: Iterable[PointResult]) -> list[Row]:
    """Make the histograms: one row a bucket that holds something, by :data:`HISTOGRAM_COLUMNS`."""
    return _rows(HISTOGRAM_COLUMNS, (item for of in _loads(results) for item in _buckets(*of[1:])))


def _loads(results: Iterable[PointResult]) -> Iterator[tuple[PointResult, int, PointResult]]:
    """Yield each load of each point with its number, after the result of all of them."""
    for result in results:
        yield from ((result, number, load) for number, load in enumerate(result.loads))


def _rows(columns: Sequence[Column[T]], items: Iterable[T]) -> list[Row]:
    return [{column.name: column.value(item) for column in columns} for item in items]


def _buckets(load: int, result: PointResult) -> Iterator[BucketItem]:
    reading = result.reading
    halves: tuple[tuple[DirectionName, Direction | None], ...] = (
        ("read", reading.reads), ("write", reading.writes), ("trim", reading.trims), ("sync", reading.syncs)
    )  # fmt: skip
    for direction, half in halves:
        if half is None:
            continue
        for low, below, count in half.latency.buckets():
            yield BucketItem(result, load, direction, "latency", low, below, count)
        for low, below, count in (half.response_time or Histogram()).buckets():
            yield BucketItem(result, load, direction, "response_time", low, below, count)
