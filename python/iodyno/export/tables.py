"""The tables of an export: columns with types, rows with the run in front."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

from iodyno.analysis.columns import (
    HISTOGRAM_COLUMNS,
    POINT_COLUMNS,
    SERIES_COLUMNS,
    TARGET_COLUMNS,
    Column,
    Value,
)
from iodyno.analysis.columns.comparisons import COMPARISON_COLUMNS
from iodyno.analysis.compared_rows import comparison_rows
from iodyno.analysis.rows import Row, histogram_rows, point_rows, series_rows, target_rows
from iodyno.errors import StoreError
from iodyno.problems import did_you_mean
from iodyno.reading import PointResult
from iodyno.store.records import StoredRun

What: TypeAlias = Literal["points", "series", "histogram", "targets", "comparisons"]


@dataclass(frozen=True)
class TableKind:
    """A table that can be exported."""

    meaning: str
    columns: tuple[Column[Any], ...]
    rows: Callable[[StoredRun], list[Row]]


def _of_results(rows: Callable[[Iterable[PointResult]], list[Row]]) -> Callable[[StoredRun], list[Row]]:
    return lambda stored: rows(stored.results)


TABLES: dict[What, TableKind] = {
    "points": TableKind("one row a point", POINT_COLUMNS, _of_results(point_rows)),
    "series": TableKind(
        "one row a window (of 100 ms, or of virtual time by the rate)",
        SERIES_COLUMNS,
        _of_results(series_rows),
    ),
    "histogram": TableKind("one row a histogram bucket", HISTOGRAM_COLUMNS, _of_results(histogram_rows)),
    "targets": TableKind(
        "one row a target of each point that has several", TARGET_COLUMNS, _of_results(target_rows)
    ),
    "comparisons": TableKind(
        "one row a quotient that the study asks for", COMPARISON_COLUMNS, comparison_rows
    ),
}


@dataclass(frozen=True)
class ExportTable:
    """A table: names, types and rows, each row with a value for every name."""

    types: dict[str, type]
    rows: list[Row]


def table(stored: StoredRun, what: What) -> ExportTable:
    """Make a table of a run; its first column is the id of the run.

    Raises
    ------
    StoreError
        If there is no such table.
    """
    if what not in TABLES:
        raise StoreError.of(
            "what", f'there is no table "{what}"', did_you_mean(str(what), list(TABLES), "tables")
        )
    kind = TABLES[what]
    types: dict[str, type] = {"run": str, **{column.name: column.type for column in kind.columns}}
    run: dict[str, Value] = {"run": stored.run.id}
    return ExportTable(types, [{**run, **row} for row in kind.rows(stored)])
