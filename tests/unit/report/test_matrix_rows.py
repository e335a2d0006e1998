"""Matrices of many configurations: those with the same figures are one row, and rows stand under heads."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from iodyno.analysis.estimate import Estimate
from iodyno.analysis.layout import alike
from iodyno.analysis.run import analyse
from iodyno.report import paper
from iodyno.report.document import BarChart, Document, Figure, Table
from iodyno.report.messages import plain
from iodyno.store.records import StoredRun
from paper_texts import tables, texts
from unit.report.test_answer import run_of
from unit.report.test_side_by_side import curve_of

UNITS = ("Board", "Unit with one controller", "Unit with two controllers")
LEVELS = (0, 1, 5, 6, 10)
SIDES = ("SAS SSDs", "SAS hard disks")


def run(rates: dict[str, float] | None = None, units: tuple[str, ...] = UNITS, last: int = 2) -> StoredRun:
    """Make a run of 30 systems: two kinds of drives at five levels in three units, the first two alike.

    Parameters
    ----------
    rates
        Rates of systems that have others, by their names.
    units
        What the units are called.
    last
        How many drives the last unit has.
    """
    titles, found = {}, {}
    for place, unit in enumerate(units):
        for level in LEVELS:
            for side, drives in enumerate(SIDES):
                name = f"u{place}l{level}s{side}-2"
                titles[name] = f"{unit}: {last if place == 2 else 2} {drives}, RAID {level}"
                found[name] = 10_000.0 + 1_000.0 * level + 500.0 * side + (20_000.0 if place == 2 else 0.0)
    return run_of(found | (rates or {}), titles=titles)


def table_of(document: Document) -> Table:
    [table] = tables(document, "table-maxima")
    return table


def drawn(document: Document) -> list[str]:
    """Give the names of the rows of the charts of maxima."""
    figures = [one for one in document.blocks if isinstance(one, Figure) and "figure-matrix" in one.key]
    charts = [chart for figure in figures for chart in figure.charts if isinstance(chart, BarChart)]
    return [name for chart in charts for name, _ in chart.rows]


def test_configurations_with_the_same_figures_are_one_row_under_a_head_and_count_once() -> None:
    """A table of 50 configurations, each figure twice or three times, went over three pages."""
    document = paper.build(run())
    rows = [[plain(cell.text) for cell in row] for row in table_of(document).rows]
    heads = [row[0] for row in rows if len(row) == 1]
    assert heads == ["Board / Unit with one controller", "Unit with two controllers"]
    assert len(rows) == len(heads) + 20
    assert rows[1:3] == [["2 SAS SSDs, RAID 0", "10,000"], ["2 SAS hard disks, RAID 0", "10,500"]]
    said = "\n".join(texts(document.blocks))
    assert (
        "Configurations that have the same figures at every load are one row, and count once: the 30 of"
        in said
    )
    assert "them make 20 rows." in said


def test_charts_show_the_rows_of_the_table_in_its_order() -> None:
    """Names are told with their unit where two rows would be called the same without it."""
    names = drawn(paper.build(run()))
    first = names[: names.index("Unit with two controllers (2 SAS SSDs, RAID 0)")]
    assert first[:2] == [f"Board / Unit with one controller (2 {drives}, RAID 0)" for drives in SIDES]
    assert len(first) == 10


def test_names_leave_out_the_unit_where_they_are_no_others_without_it() -> None:
    document = paper.build(run(last=4))
    names = drawn(document)
    assert [names[0], names[-1]] == ["2 SAS SSDs (RAID 0)", "4 SAS hard disks (RAID 10)"]
    assert len([row for row in table_of(document).rows if len(row) == 1]) == 2


def test_what_was_measured_is_never_alike() -> None:
    items = [curve_of(100, 0.01)] * 2
    assert alike([(item,) for item in items]) == [[0], [1]]


@pytest.mark.parametrize(
    "other",
    [
        {"completed": 7},
        {"measured_s": 7.0},
        {"latency_ms_mean": Estimate(7.0)},
        {"latency_ms": ()},
        {"latency_ms_max": 7.0},
    ],
)
def test_what_any_figure_of_a_point_tells_apart_is_not_alike(other: dict[str, Any]) -> None:
    """The same rate is not enough: a configuration can answer as many I/Os, and some of them later."""
    item = analyse(run()).curves[0]
    unlike = tuple(replace(point, **other) for point in item.curve.points)
    assert alike([(item,), (item,)]) == [[0, 1]]
    assert alike([(item,), (replace(item, curve=replace(item.curve, points=unlike)),)]) == [[0], [1]]


def test_rows_that_one_figure_tells_apart_stay_apart() -> None:
    document = paper.build(run({"u1l5s0-2": 15_001.0}))
    rows = [plain(row[0].text) for row in table_of(document).rows if len(row) > 1]
    assert len(rows) == 21
    assert "make 21 rows" in "\n".join(texts(document.blocks))


def test_what_has_no_name_for_several_keeps_a_row_each() -> None:
    """Brackets in brackets cannot be read; then nothing is said of rows that are one either."""
    document = paper.build(run(units=("Board", "Unit, one controller", "Unit, two controllers")))
    assert len([row for row in table_of(document).rows if len(row) > 1]) == 30
    assert "the same figures at every load" not in "\n".join(texts(document.blocks))


@pytest.mark.parametrize("language", ["de", "ja"])
def test_other_languages_have_as_many_rows(language: str) -> None:
    rows = table_of(paper.build(run(), language)).rows
    assert len([row for row in rows if len(row) > 1]) == 20
