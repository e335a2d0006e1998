"""Matrices of curves that have one point each: milliseconds stand in tables, charts and words."""

from __future__ import annotations

import csv
from importlib import resources

import pytest

from command_line import CommandLine
from factories import closed_loop_rate, make_point, make_result
from iodyno.analysis.run import analyse
from iodyno.report.context import Context
from iodyno.report.document import BarChart, Block, Figure, Paragraph, Table
from iodyno.report.messages import Messages, plain
from iodyno.report.sections import matrix
from iodyno.store import Store
from unit.report.test_combined_features import run_of

PUBLISHED = {
    "SAS 12G hard disk": ("p3700-159", "p3700-163"),
    "SAS 12G SSD": ("p3700-160", "p3700-164"),
    "ioDrive2": ("p3700-161", "p3700-165"),
    "P3700": ("p3700-162", "p3700-166"),
}
"""By the beginning of a configuration's name: the smallest latencies that the paper prints of reading and of
writing 1 kB in order."""


def published_ms(figure: str) -> float:
    text = resources.files("iodyno").joinpath("catalog/published/figures.csv").read_text("utf-8")
    (row,) = (row for row in csv.reader(text.splitlines()) if row and row[0] == figure)
    assert row[-2] == "ms"
    return float(row[-3])


def words_of(blocks: list[Block]) -> list[str]:
    return [plain(block.text) for block in blocks if isinstance(block, Paragraph)]


def milliseconds(blocks: list[Block]) -> dict[str, list[str]]:
    """Give the rows of the table of latencies."""
    (table,) = (block for block in blocks if isinstance(block, Table) and "latenc" in block.key)
    assert {column.unit for column in table.columns[1:]} == {"ms"}
    return {plain(row[0].text): [plain(cell.text) for cell in row[1:]] for row in table.rows}


def test_the_smallest_latencies_are_told_in_milliseconds(iodyno_says: CommandLine) -> None:
    """The section of that name had a chart, a table and sentences of rates, and not one latency."""
    assert iodyno_says("simulate", "p3700", "--sweep", "smallest-latency", "-q").code == 0
    with Store.open() as store:
        stored = store.load("latest")
    context = Context(stored, analyse(stored), Messages("en"))
    blocks = matrix.blocks(context, context.analysis.curves, "x")
    shown = milliseconds(blocks)
    assert len(shown) == len(PUBLISHED)
    for beginning, figures in PUBLISHED.items():
        (found,) = (values for name, values in shown.items() if name.startswith(beginning))
        for value, figure in zip(found, figures, strict=True):
            assert float(value) == pytest.approx(published_ms(figure), rel=0.05), figure
    (drawn,) = (block for block in blocks if isinstance(block, Figure))
    (chart,) = drawn.charts
    assert isinstance(chart, BarChart)
    assert chart.x.label.startswith("Mean latency in ms")
    assert {name: [bar.label for bar in bars] for name, bars in chart.rows} == shown
    for place, text in enumerate(words_of(blocks)):
        of_all = sorted((row[place] for row in shown.values()), key=float)
        assert f"The least mean latency is {of_all[0]} ms, with" in text
        assert f"the greatest {of_all[-1]} ms, with" in text
        assert "maximum is" not in text


def test_of_one_deeper_load_the_latencies_stand_beside_the_maxima() -> None:
    """Outstanding I/Os ÷ rate, by Little's law."""
    points = [make_point("database", 32, index=index, workers=1 + index) for index in range(2)]
    stored = run_of([make_result(point) for point in points])
    context = Context(stored, analyse(stored), Messages("en"))
    blocks = matrix.blocks(context, context.analysis.curves, "x")
    expected = [
        f"{1000 * item.curve.first.outstanding_total / item.maximum.at.main.value:.3g}"
        for item in context.analysis.curves
    ]
    assert [row[0] for row in milliseconds(blocks).values()] == expected
    (text,) = words_of(blocks)
    assert "maximum" in text or "maxima" in text
    assert f"Mean latency: {min(expected, key=float)} to {max(expected, key=float)} ms." in text
    (drawn,) = (block for block in blocks if isinstance(block, Figure))
    assert [chart.x.label for chart in drawn.charts if isinstance(chart, BarChart)] == [
        "Transaction rate in IO/s"
    ]


def test_level_latencies_have_no_least() -> None:
    points = [make_point("database", 1, index=index, direct=not index) for index in range(2)]
    rate = closed_loop_rate(1, 0.1, 50_000)
    stored = run_of([make_result(point, rate_io_s=rate) for point in points])
    context = Context(stored, analyse(stored), Messages("en"))
    (text,) = words_of(matrix.blocks(context, context.analysis.curves, "x"))
    assert text.startswith("Database: The mean latencies are level, ")


@pytest.mark.parametrize("half_width", [None, 0.6])
def test_of_latencies_that_are_hardly_known_none_is_the_least(half_width: float | None) -> None:
    points = [make_point("database", 1, index=index, direct=not index) for index in range(2)]
    results = [
        make_result(point, rate_io_s=1000 + 500 * index, half_width=half_width if index else 0.01)
        for index, point in enumerate(points)
    ]
    stored = run_of(results)
    context = Context(stored, analyse(stored), Messages("en"))
    blocks = matrix.blocks(context, context.analysis.curves, "x")
    (text,) = words_of(blocks)
    assert "least mean latency" not in text
    assert "Mean latency: " in text
    (table,) = (block for block in blocks if isinstance(block, Table) and "latenc" in block.key)
    assert not any(cell.strong for row in table.rows for cell in row[1:])
