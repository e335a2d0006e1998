"""Pages that end early are filled: figures are drawn lower where that lets what follows stand on the page."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import pytest

from iodyno.report import pdf
from iodyno.report.charts import PRINT, draw_figure, plot_heights
from iodyno.report.document import (
    Axis,
    BarChart,
    Block,
    Cell,
    ChartLine,
    ChartPoint,
    Column,
    Document,
    Figure,
    Heading,
    LineChart,
    Paragraph,
    Table,
    TitlePage,
)
from iodyno.report.layout.filling import filled
from iodyno.report.layout.placed import APART_MM, BOTTOM_MM, TOP_MM, Filled, Place
from pdf_texts import read

POINTS = (ChartPoint(1, 1), ChartPoint(2, 2))


def figure(key: str) -> Figure:
    chart = LineChart(Axis("x"), Axis("y"), (ChartLine("a", POINTS),))
    return Figure((chart,), "Streaming", "alt", key)


def document(*blocks: Block) -> Document:
    whole = (Heading(1, "Results", "r"), *blocks)
    return Document("en", TitlePage("K", "T", "", ()), whole, "", "2024-05-17")


def paper(words: int) -> Document:
    """Give a paper of two figures with so much text between them."""
    return document(figure("one"), Paragraph("word " * words), figure("two"), Paragraph("word " * 60))


def pages(of: Document, way: Filled) -> tuple[int, dict[str, int]]:
    """Give the pages of a paper that is set in a way, and on which its figures are."""
    count, places = pdf._Setting(of).places(way)
    begin = zip(of.blocks, places, strict=True)
    return count, {
        block.key: place.begins[0] for block, place in begin if isinstance(block, Figure) and place
    }


def best(of: Document) -> Filled:
    return filled(of, frozenset(), pdf._Setting(of).places)


@pytest.mark.parametrize("words", range(240, 520, 40))
def test_a_figure_that_hardly_fits_no_more_stands_on_the_page_it_belongs_to(words: int) -> None:
    """The second figure fits as it is, with both drawn lower, or not at all: never are there more pages."""
    of = paper(words)
    (count, found), (before, empty) = pages(of, best(of)), pages(of, Filled(frozenset()))
    assert count <= before
    assert found["two"] <= empty["two"]
    if words == 320:
        assert (found["two"], empty["two"]) == (3, 4)


def test_a_table_that_stays_whole_finds_room_above_a_figure_at_the_foot() -> None:
    """The table is 53 mm high and 8 mm apart, and 55 mm are free: 6 of the 53 mm of the plot make room."""
    rows = tuple((Cell(str(number)),) for number in range(8))
    table = Table((Column("C"),), rows, "Table", "t")
    of = document(figure("foot"), Paragraph("text"), table)
    first = (None, Place((3, 180.0), (3, 264.0)), Place((3, 30.0), (3, 117.0)), Place((4, 30.0), (4, 75.0)))
    second = (*first[:3], Place((3, 125.0), (3, 178.0)))
    found = filled(of, frozenset({"foot"}), lambda way: (4, second if way.lowered else first))
    assert found.lowered == {"foot": pytest.approx(1 - (75 - TOP_MM + APART_MM - 55) / 52.9, abs=0.001)}


@pytest.mark.parametrize(("high", "fits"), [(59.0, True), (95.0, False)])
def test_a_table_behind_a_figure_that_floats_finds_room_where_charts_are_drawn_lower(
    high: float, fits: bool
) -> None:
    """Of 60 mm 52 are left: the plot of the first gives 7 of its 53 mm for 59 mm, but not 43."""
    table = Table((Column("C"),), ((Cell("1"),),), "Table", "t")
    moved = dataclasses.replace(figure("moved"), floats=True)
    of = document(figure("first"), Paragraph("text"), moved, table, Heading(1, "Next", "n"), Paragraph("end"))
    ended = BOTTOM_MM - 60
    first, text = Place((3, TOP_MM), (3, 105.0)), Place((3, 113.0), (3, ended))
    chart, after = Place((4, TOP_MM), (4, 105.0)), Place((4, 200.0), (4, 210.0))
    behind = Place((4, 113.0), (4, 113.0 + high))
    plain = (None, first, text, chart, behind, None, after)
    filling = (None, first, text, chart, Place((3, 200.0), (3, 200.0 + high)), None, after)
    found = filled(of, frozenset(), lambda way: (4, filling if way.lowered and way.heads else plain))
    assert found.heads == ({"moved"} if fits else frozenset())
    assert found.lowered == ({"first": pytest.approx(1 - (high - 52) / 52.9, abs=0.001)} if fits else {})


@pytest.mark.parametrize(
    ("down", "pages_after"),
    [
        (105.0, 4),  # too much is lacking
        (70.0, 5),  # another page would be needed
    ],
)
def test_what_cannot_be_filled_is_left(down: float, pages_after: int) -> None:
    of = document(Paragraph("text"), figure("moved"))
    ended = BOTTOM_MM - 45
    places = (None, Place((3, 30.0), (3, ended)), Place((4, TOP_MM), (4, down)))
    moved = (*places[:2], Place((3, ended + 6), (3, 270.0)))
    found = filled(of, frozenset(), lambda way: (pages_after, moved) if way.lowered else (4, places))
    assert found == Filled(frozenset())


def test_a_figure_too_high_for_the_rest_of_the_page_lets_the_text_go_on_before_it(tmp_path: Path) -> None:
    """Fifty bars fill most of a page, and half of the one before is free: the text goes on there."""
    rows = tuple((f"row {number}", POINTS[:1]) for number in range(50))
    bars = Figure((BarChart(Axis("x"), rows, ("bar",)),), "Bars", "alt", "bars", floats=True)
    of = document(
        Paragraph("before " * 300), bars, Paragraph("after " * 500), Heading(1, "Next", "n"), Paragraph("end")
    )
    way = best(of)
    assert way.heads == {"bars"}
    (_, plain), (_, found) = pages(of, Filled(frozenset())), pages(of, way)
    assert plain == found == {"bars": 4}
    _, _, first, second = read(pdf.render(of), tmp_path, "-layout").split("\f")[:4]
    assert "after" in first
    assert "Bars" in second
    assert "Next" not in first + second[: second.index("Bars")]


def test_figures_stay_in_their_order() -> None:
    """One that floats to the foot of a page, below a later one, floats no more."""
    of = document(figure("one"), figure("two"), Paragraph("text"))
    turned = (
        None,
        Place((3, 200.0), (3, 270.0)),
        Place((3, 30.0), (3, 100.0)),
        Place((3, 110.0), (3, 120.0)),
    )
    right = (None, turned[2], Place((3, 110.0), (3, 180.0)), Place((3, 190.0), (3, 200.0)))
    found = filled(of, frozenset({"one"}), lambda way: (3, turned if way.floats else right))
    assert found.floats == frozenset()


@pytest.mark.parametrize(
    ("top", "next_page", "floats"),
    [
        (150.0, 4, frozenset()),
        (150.0, 5, {"foot"}),  # something would move to another page
        (79.0, 4, {"foot"}),  # 11 mm are empty: that is not worth it
    ],
)
def test_no_room_is_left_above_a_figure_at_the_foot(
    top: float, next_page: int, floats: frozenset[str]
) -> None:
    of = document(Paragraph("text"), figure("foot"), Paragraph("next"))
    text = (None, Place((3, 30.0), (3, 60.0)))
    foot = (*text, Place((3, top), (3, top + 87)), Place((4, 22.0), (4, 200.0)))
    below = (*text, Place((3, 68.0), (3, 155.0)), Place((next_page, 22.0), (next_page, 200.0)))
    found = filled(of, frozenset({"foot"}), lambda way: (next_page, foot if way.floats else below))
    assert found == Filled(frozenset(floats))


@pytest.mark.parametrize("head", [22.0, 108.0])
def test_a_figure_of_the_page_before_stands_at_the_head_instead_of_the_foot(head: float) -> None:
    """And it stays at the foot where it would stand after the beginning of the next section."""
    of = document(
        Paragraph("before"), figure("one"), Paragraph("after"), Heading(1, "Next", "n"), Paragraph("end")
    )
    before, after = Place((3, 30.0), (3, 240.0)), Place((4, 22.0), (4, 60.0))
    foot = (None, before, Place((4, 180.0), (4, 267.0)), after, None, Place((5, 30.0), (5, 50.0)))
    page = 4 if head == 22.0 else 5
    at_head = (None, before, Place((page, head), (page, head + 87)), Place((4, 108.0), (4, 146.0)), *foot[4:])
    found = filled(of, frozenset({"one"}), lambda way: (5, at_head if way.heads else foot))
    assert found == (Filled(frozenset(), frozenset({"one"})) if page == 4 else Filled(frozenset({"one"})))


@pytest.mark.parametrize(("top", "heads"), [(60.0, {"one"}), (30.0, set[str]())])
def test_a_figure_alone_on_its_page_stands_at_its_head(top: float, heads: set[str]) -> None:
    """A bar chart at the foot left the page empty above it; 8 mm are not worth it."""
    of = document(Paragraph("before"), figure("one"), Paragraph("after"), Heading(1, "Next", "n"))
    before, after = Place((3, 30.0), (3, 240.0)), Place((5, 22.0), (5, 60.0))
    foot = (None, before, Place((4, top), (4, 267.0)), after, None)
    at_head = (None, before, Place((4, 22.0), (4, 22.0 + 267.0 - top)), after, None)
    found = filled(of, frozenset({"one"}), lambda way: (5, at_head if way.heads else foot))
    assert found == Filled(frozenset({"one"} - heads), frozenset(heads))


def test_figures_that_move_up_are_tried_each_where_all_cannot() -> None:
    of = document(Paragraph("a"), figure("one"), Paragraph("b"), figure("two"), Paragraph("c"))

    def places(way: Filled) -> tuple[int, list[Place | None]]:
        moved = 4 if "one" in way.floats else 5
        one = (160.0, 247.0) if "one" in way.floats else (68.0, 155.0)
        two = (170.0, 257.0) if "two" in way.floats else (68.0, 155.0)
        return 5, [
            None,
            Place((3, 30.0), (3, 60.0)),
            Place((3, one[0]), (3, one[1])),
            Place((moved, 22.0), (moved, 60.0)),
            Place((moved, two[0]), (moved, two[1])),
            Place((5, 160.0), (5, 200.0)),
        ]

    assert filled(of, frozenset({"one", "two"}), places).floats == {"one"}


def test_a_lower_figure_loses_height_of_its_plot_alone() -> None:
    height, least = plot_heights(figure("f"), PRINT, "en")
    high, low = (draw_figure(figure("f"), PRINT, "en", lowered=share)[0] for share in (1.0, least / height))
    assert low.width == high.width
    assert high.height - low.height == pytest.approx(height - least)


def test_bars_stand_nearer_to_each_other_and_are_as_thick() -> None:
    bars = BarChart(Axis("x"), tuple((f"row {number}", POINTS[:1]) for number in range(9)), ("bar",))
    of = Figure((bars,), "Bars", "alt", "bars")
    height, least = plot_heights(of, PRINT, "en")
    high, low = (draw_figure(of, PRINT, "en", lowered=share)[0] for share in (1.0, least / height))
    assert high.height - low.height == pytest.approx(height - least) == pytest.approx(9 * 4.0)
    assert high.svg.count('height="7"') == low.svg.count('height="7"') > 0
