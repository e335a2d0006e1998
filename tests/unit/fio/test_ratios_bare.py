"""Results of fio beside each other in a paper: no figure has an interval, and ratios stand bare."""

from __future__ import annotations

import json
from pathlib import Path

from fio_documents import half, imported, job, result
from iodyno.report.document import Document, Table
from iodyno.report.messages import plain
from iodyno.report.paper import build

BARE = (
    "A quotient stands without an interval where a figure has none: it does not tell whether the runs differ."
)


def paper_of(tmp_path: Path, ios: int) -> Document:
    """Make the paper of 10,000 I/Os in a time, beside a run of another number of them in the same time."""
    runs = []
    for name, count in (("first", 10_000), ("further", ios)):
        file = tmp_path / f"{name}.json"
        file.write_text(json.dumps(result(job(read=half(count)))))
        runs.append(imported(file))
    base, other = runs
    other = other.model_copy(update={"run": other.run.model_copy(update={"id": "20260301-000000-bbbb"})})
    return build(base, "en", beside=(other,))


def test_a_ratio_of_figures_without_intervals_stands_bare_and_says_so(tmp_path: Path) -> None:
    """A dash stood there, where `iodyno compare` has the ratio."""
    (table,) = [
        block
        for block in paper_of(tmp_path, 5_000).blocks
        if isinstance(block, Table) and block.key.startswith("table-comparison")
    ]
    ((_, _, _, _, _, ratio, latency, outcome),) = [[plain(cell.text) for cell in row] for row in table.rows]
    assert (ratio, latency, outcome) == ("0.500", "1.00", "unknown")  # half the I/Os, each as long
    assert BARE in [plain(note) for note in table.notes]
