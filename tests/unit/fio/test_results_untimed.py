"""Results of jobs that timed no I/O (``gtod_reduce=1``): no latency is known, and none is made up."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path
from typing import Any

import pytest

from command_line import CommandLine
from fio_documents import half, imported, job, latency, result
from iodyno.report.document import Figure, LineChart, Table
from iodyno.report.html import render
from iodyno.report.paper import build
from iodyno.store.records import StoredRun


def untimed(ios: int = 10_000, **changes: Any) -> dict[str, Any]:
    return half(ios, clat_ns=latency(), lat_ns=latency(), **changes)


def stored(tmp_path: Path, *depths: int, read: dict[str, Any] | None = None) -> StoredRun:
    options = {**job()["job options"], "filename": "/mnt/x"}
    jobs = [
        job(f"q{depth}", read=read or untimed(), **{"job options": {**options, "iodepth": str(depth)}})
        for depth in depths
    ]
    file = tmp_path / "r.json"
    file.write_text(json.dumps(result(*jobs)))
    return imported(file)


_FLAT = "The main figure goes from 5,000 IO/s to a maximum of 5,000 IO/s."


@pytest.mark.parametrize("depths", [(8,), (1, 8, 64)])
def test_the_paper_has_no_latency(tmp_path: Path, depths: tuple[int, ...]) -> None:
    paper = build(stored(tmp_path, *depths), "en")
    assert not [name for name, _, _ in paper.title_page.summary if "latency" in name]
    figures = [block for block in paper.blocks if isinstance(block, Figure)]
    assert not [figure for figure in figures if figure.key.startswith("figure-latency")]
    described = [figure.alt.partition(". ")[2] for figure in figures if figure.key.startswith("figure-load")]
    assert described == [_FLAT for _ in depths[1:2]]
    text = render(paper)
    assert "latency of 0" not in text
    assert "latency of –" not in text
    assert " 0 ms" not in text
    assert "The latency is not known: nobody timed" in text


def test_the_text_of_a_chart_has_no_latency_where_that_of_an_end_is_not_known(tmp_path: Path) -> None:
    options = {**job()["job options"], "filename": "/mnt/x"}
    jobs = [
        job(f"q{depth}", read=read, **{"job options": {**options, "iodepth": depth}})
        for depth, read in (("1", half(10_000)), ("8", untimed()))
    ]
    file = tmp_path / "r.json"
    file.write_text(json.dumps(result(*jobs)))
    figures = [block for block in build(imported(file), "en").blocks if isinstance(block, Figure)]
    (described,) = [figure.alt for figure in figures if figure.key.startswith("figure-load")]
    assert described.endswith(_FLAT)


def test_a_latency_without_distribution_is_drawn_over_the_rate(tmp_path: Path) -> None:
    told = half(10_000)
    del told["clat_ns"]["bins"]
    paper = build(stored(tmp_path, 1, 8, 64, read=told), "en")
    (figure,) = [
        block
        for block in paper.blocks
        if isinstance(block, Figure) and block.key.startswith("figure-latency")
    ]
    (chart,) = figure.charts
    assert isinstance(chart, LineChart)
    assert [len(line.points) for line in chart.lines][:1] == [3]
    assert figure.caption == "randread 4k: latency over the transaction rate"
    (over_the_load,) = [
        block for block in paper.blocks if getattr(block, "key", "").startswith("figure-load")
    ]
    assert isinstance(over_the_load, Figure)
    assert "interval" not in over_the_load.caption
    assert "command that repeats" not in render(paper)


def test_what_is_not_known_is_a_dash_and_empty(iodyno_says: CommandLine, tmp_path: Path) -> None:
    file = tmp_path / "r.json"
    file.write_text(json.dumps(result(job(read=untimed()))))
    assert iodyno_says("import", file).code == 0
    shown = iodyno_says("show").out
    assert "0 ms" not in shown
    assert "no latency" in shown
    (row,) = csv.DictReader(io.StringIO(iodyno_says("export", "-f", "csv").out))
    names = [name for name in row if "latency" in name] + ["mean_outstanding"]
    assert {row[name] for name in names} == {""}
    assert float(row["transaction_rate_io_s"]) == 5000


def test_a_paper_without_intervals_explains_none(tmp_path: Path) -> None:
    """It said what bars through the points of its charts are: it has none, nor marks."""
    text = render(build(stored(tmp_path, 1, 8), "en"))
    assert "How to read this paper" in text
    assert "A percentile is shown only where" in text
    assert "are confidence intervals of" not in text
    assert "Level with it is what" not in text


def test_a_paper_of_what_nobody_judged_lists_no_verdicts_and_rules_that_it_has_none_of(
    tmp_path: Path,
) -> None:
    """Four verdicts had no point, and six rules stood before a table of one "unknown"."""
    blocks = build(stored(tmp_path, 8), "en").blocks
    tables = [block for block in blocks if isinstance(block, Table)]
    (verdicts,) = [table for table in tables if table.key == "table-verdicts"]
    assert [str(row[0].text) for row in verdicts.rows] == ["not judged"]
    assert not [block for block in blocks if getattr(block, "key", "").startswith("table-limits")]
    text = render(build(stored(tmp_path, 8), "en"))
    assert "Nothing in these results tells what limited a point." in text
    assert "decided by the first of these rules" not in text
