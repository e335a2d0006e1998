"""The histograms: a row for each bucket that holds something."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

from iodyno.analysis.columns.column import KEY, LOAD, SYSTEM, Column
from iodyno.analysis.units import ms
from iodyno.reading import PointResult

DirectionName: TypeAlias = Literal["read", "write", "trim", "sync"]


@dataclass(frozen=True)
class BucketItem:
    """What a row of the histograms is made from."""

    result: PointResult
    load: int
    """Which load of its point it is of, from 0."""
    direction: DirectionName
    measure: Literal["latency", "response_time"]
    low_ns: int
    below_ns: int
    count: int


HISTOGRAM_COLUMNS: tuple[Column[BucketItem], ...] = (
    *KEY,
    Column("direction", str, "read, write, trim or sync", lambda i: i.direction),
    Column("measure", str, "latency, or response_time where a rate was given", lambda i: i.measure),
    Column("bucket_ms_low", float, "Lowest value that the bucket holds", lambda i: ms(i.low_ns)),
    Column("bucket_ms_below", float, "First value above the bucket", lambda i: ms(i.below_ns)),
    Column("count", int, "I/Os in the bucket", lambda i: i.count),
    LOAD,
    SYSTEM,
)
"""Columns of the histograms."""
