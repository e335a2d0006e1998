"""Rate and time of the rebuilds beside the load: in the paper, and in the columns of the points."""

from __future__ import annotations

import pytest

from exports import exported, read_csv
from iodyno.export.reference import reference_page
from iodyno.reading import Rebuilding
from iodyno.report import paper
from iodyno.report.document import Table
from iodyno.store.records import StoredRun
from paper_texts import texts
from simulated_papers import many

MIB = 1 << 20
MEMBER_BYTES = 3600 * 100 * MIB
"""At 100 MB/s all of it takes an hour."""


def rebuilding(stored: StoredRun, **came_to_mb_s: float) -> StoredRun:
    """Give the run with rebuilds beside its points of 16 outstanding I/Os, by volume what they come to."""
    results = []
    for result in stored.results:
        where = result.reading.simulation
        assert where is not None
        rebuilds = tuple(
            Rebuilding(volume=name, asked_bytes_s=50 * MIB, bytes_s=rate * MIB, member_bytes=MEMBER_BYTES)
            for name, rate in came_to_mb_s.items()
            if result.point.outstanding == 16
        )
        simulation = where.model_copy(update={"rebuilds": rebuilds})
        reading = result.reading.model_copy(update={"simulation": simulation})
        results.append(result.model_copy(update={"reading": reading}))
    return stored.model_copy(update={"results": tuple(results)})


def tables(stored: StoredRun) -> list[Table]:
    blocks = paper.build(stored).blocks
    return [block for block in blocks if isinstance(block, Table) and block.key == "table-rebuilds"]


def test_a_paper_has_rate_and_time_of_each_rebuild() -> None:
    stored = many(2, '"database"')
    assert tables(stored) == []
    (table,) = tables(rebuilding(stored, volume=20.0))
    units = [(column.title, column.unit) for column in table.columns[2:]]
    assert units == [("Rebuild of each member", "MB/s"), ("Asked for", "MB/s"), ("Whole member", "h")]
    assert [tuple(cell.text for cell in row[1:]) for row in table.rows] == [("16", "20.0", "50", "5.00")] * 2
    assert table.caption == "Rebuilds beside the load (simulated)"


def test_of_several_volumes_each_has_a_row() -> None:
    (table,) = tables(rebuilding(many(1, '"database"'), one=20.0, other=0.0))
    rows = [tuple(cell.text for cell in row) for row in table.rows]
    assert rows == [("Database", "16", "one", "20.0", "50", "5.00"), ("", "", "other", "0", "50", "–")]


def test_of_many_curves_a_paper_has_the_rebuild_at_each_maximum_and_says_where_all_are() -> None:
    stored = rebuilding(many(12, '"database", "file-server"'), volume=20.0)
    (table,) = tables(stored)
    assert len(table.rows) == 24
    text = "\n".join(texts(paper.build(stored).blocks, codes=True))
    assert f"Those of every point are in the file {stored.run.id}-points.csv" in text


@pytest.mark.parametrize(
    ("came_to", "told"),
    [
        ({}, ("", "", "")),
        ({"volume": 20.0}, ("20.0", "50.0", "18000.0")),
        ({"one": 20.0, "other": 10.0, "last": 40.0}, ("10.0", "50.0", "36000.0")),
        ({"one": 20.0, "other": 0.0}, ("0.0", "50.0", "")),
    ],
)
def test_a_row_of_a_point_has_the_rebuild_that_takes_longest(
    came_to: dict[str, float], told: tuple[str, ...]
) -> None:
    rows = read_csv(exported(rebuilding(many(1, '"database"'), **came_to), "csv"))
    names = ("rebuild_mb_s", "rebuild_asked_mb_s", "rebuild_s")
    assert [tuple(row[name] for name in names) for row in rows] == [("", "", ""), told]
    assert all(f"| `{name}` |" in reference_page() for name in names)
