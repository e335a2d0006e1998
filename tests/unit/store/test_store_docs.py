"""The reference page names every column, and its queries run."""

from __future__ import annotations

import re
import sqlite3
from pathlib import Path

import pytest

from factories import make_stored_run
from iodyno.reading import PointResult
from iodyno.store import Store
from iodyno.store.look import APPLICATION_ID

PAGE = Path(__file__).parents[3] / "docs" / "reference" / "store.md"
QUERIES = re.findall(r"```sql\n(.*?)```", PAGE.read_text("utf-8"), re.DOTALL)


@pytest.fixture(scope="module")
def database(tmp_path_factory: pytest.TempPathFactory) -> sqlite3.Connection:
    path = tmp_path_factory.mktemp("store") / "runs.db"
    stored = make_stored_run(profiles=["database"], intensities=[1, 8], run_id="20261121-201530-4f2a")
    with Store.open(path) as store:
        store.create_run(stored.run)
        for result in stored.results:
            store.add(stored.run.id, result)
    return sqlite3.connect(path)


@pytest.mark.parametrize("query", QUERIES)
def test_a_query_of_the_page_finds_something(database: sqlite3.Connection, query: str) -> None:
    rows = database.execute(query).fetchall()
    assert rows
    assert all(value is not None for value in rows[0])


def test_windows_of_a_simulation_begin_where_they_do(tmp_path: Path) -> None:
    """They are as long as the rate asks for, and not 100 ms."""

    def short(result: PointResult) -> PointResult:
        series = result.reading.series.model_copy(update={"window_s": 0.0005})
        reading = result.reading.model_copy(update={"series": series})
        return result.model_copy(update={"reading": reading})

    run = "20261121-201530-4f2a"
    stored = make_stored_run(profiles=["database"], intensities=[1], run_id=run, change=short)
    with Store.open(tmp_path / "runs.db") as store:
        store.create_run(stored.run)
        store.add(run, stored.results[0])
    (query,) = (text for text in QUERIES if "start_s" in text)
    rows = sqlite3.connect(tmp_path / "runs.db").execute(query).fetchall()
    series = stored.results[0].reading.series
    starts_s = [series.start_s(window) for window in range(len(series.reads))]
    assert [start_s for start_s, _ in rows] == pytest.approx(starts_s)
    assert [reads for _, reads in rows] == list(series.reads)


def test_the_page_names_every_column(database: sqlite3.Connection) -> None:
    named = set(re.findall(r"`(\w+)`", PAGE.read_text("utf-8")))
    named |= {"latency_ns" + name for name in named if name.startswith("_")}
    for table in ("runs", "points", "conditioning"):
        columns = {row[1] for row in database.execute(f"PRAGMA table_info({table})")}
        assert columns - named == set()
    assert str(APPLICATION_ID) in PAGE.read_text("utf-8")
