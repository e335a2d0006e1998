"""How an export is written: each format is a function from a run to bytes."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable
from importlib import import_module
from typing import Any, Literal, TypeAlias

from iodyno.errors import StoreError
from iodyno.export.tables import What, table
from iodyno.fio.exporting import document
from iodyno.store.records import StoredRun

EXPORT_SCHEMA = 1

Format: TypeAlias = Literal["json", "csv", "parquet", "fio-json"]


class ExportedRun(StoredRun):
    """A run as JSON holds it."""

    export_schema: int = EXPORT_SCHEMA
    """Version of the format."""


def to_json(stored: StoredRun, what: What) -> bytes:
    """Write the whole run; nothing is lost."""
    if what != "points":
        hint = f"leave the table out: JSON has it; or take --format csv for {what} alone"
        raise StoreError.of("", "JSON holds the whole run, no single table", hint)
    exported = ExportedRun(run=stored.run, results=stored.results, conditioning=stored.conditioning)
    return exported.model_dump_json(indent=1).encode() + b"\n"


def to_csv(stored: StoredRun, what: What) -> bytes:
    """Write a table as RFC 4180 has it, in UTF-8; what is not known is empty."""
    content = table(stored, what)
    text = io.StringIO(newline="")
    writer = csv.DictWriter(text, list(content.types))
    writer.writeheader()
    writer.writerows({name: _plain(value) for name, value in row.items()} for row in content.rows)
    return text.getvalue().encode()


def _plain(value: object) -> object:
    return str(value).lower() if isinstance(value, bool) else value


def to_parquet(stored: StoredRun, what: What) -> bytes:
    """Write a table as Parquet, with the types of its columns."""
    try:
        arrow, parquet = import_module("pyarrow"), import_module("pyarrow.parquet")
    except ImportError as error:
        hint = "pip install 'iodyno[parquet]'"
        raise StoreError.of("", "Parquet needs pyarrow, which is not installed", hint) from error
    content = table(stored, what)
    types: dict[type, Any] = {
        str: arrow.string(), int: arrow.int64(), float: arrow.float64(), bool: arrow.bool_()
    }  # fmt: skip
    schema = arrow.schema([(name, types[kind]) for name, kind in content.types.items()])
    out = io.BytesIO()
    parquet.write_table(arrow.Table.from_pylist(content.rows, schema=schema), out)
    return out.getvalue()


def to_fio_json(stored: StoredRun, what: What) -> bytes:
    """Write the run as fio writes its results, a job for each point, with the bins of the latencies."""
    if what != "points":
        hint = f"leave the table out, or take --format csv for {what} alone"
        raise StoreError.of("", "results as fio writes them hold no single table", hint)
    return json.dumps(document(stored), indent=1).encode() + b"\n"


FORMATS: dict[Format, Callable[[StoredRun, What], bytes]] = {
    "json": to_json, "csv": to_csv, "parquet": to_parquet, "fio-json": to_fio_json
}  # fmt: skip
"""Each format with what writes it."""
