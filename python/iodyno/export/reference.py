"""The reference page of the export, made from the columns themselves.

``python -m iodyno.export.reference`` writes it to standard output.
"""

from __future__ import annotations

import sys

from iodyno.analysis.columns import Column
from iodyno.export.tables import TABLES, TableKind

_HEAD = """# Exports

<!-- Made by `python -m iodyno.export.reference`: edit the columns, not this page. -->

`iodyno export` writes a run for other programs. JSON holds all of it: plan, system under test, every reading
with its histograms and time series. CSV and Parquet hold one table each. Every row stands for itself: it
names its run, profile and load.

Latencies are in ms, throughputs in MB/s (1 MB/s = 2^20 bytes/s), shares from 0 to 1, sizes in bytes. What is
not known is empty. A percentile is empty where fewer than ten I/Os lie beyond it.
[In Python](../guides/python.md#tables) `iodyno.rows(run)` gives the same rows.
"""


def reference_page() -> str:
    """Give the page in Markdown.

    Examples
    --------
    >>> reference_page().splitlines()[0]
    '# Exports'
    """
    return "\n".join([_HEAD, *(_section(name, kind) for name, kind in TABLES.items())])


def _section(name: str, kind: TableKind) -> str:
    run = Column[object]("run", str, "Id of the run", lambda _: None)
    lines = [_line(column) for column in (run, *kind.columns)]
    return "\n".join(
        [f"## {name}: {kind.meaning}", "", "| column | type | meaning |", "|---|---|---|", *lines, ""]
    )


def _line(column: Column[object]) -> str:
    types = {str: "text", int: "whole number", float: "number", bool: "true or false"}
    return f"| `{column.name}` | {types[column.type]} | {column.meaning} |"


if __name__ == "__main__":
    sys.stdout.write(reference_page())
