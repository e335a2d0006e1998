"""Pages that end early are filled: figures are drawn lower where that lets what follows stand on the page."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from iodyno.report import filling, pdf
from iodyno.report.charts import PRINT, draw_figure
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
from iodyno.report.filling import LOWEST, Place, lowered

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


def pages(of: Document) -> tuple[int, dict[str, int]]:
    """Give the pages of a paper, and on which its figures are."""
    found = lowered(of, frozenset(), lambda those: pdf._places(of, those))
    count, places = pdf._places(of, found)
    begin = zip(of.blocks, places, strict=True)
    return count, {
        block.key: place.begins[0] for block, place in begin if isinstance(block, Figure) and place
    }


@pytest.mark.parametrize("words", range(240, 520, 40))
def test_a_figure_that_hardly_fits_no_more_stands_on_the_page_it_belongs_to(
    words: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The second figure fits as it is, with both drawn lower, or not at all: never are there more pages."""
    count, filled = pages(paper(words))
    monkeypatch.setattr(filling, "LOWEST", 1.0)
    before, empty = pages(paper(words))
    assert count <= before
    assert filled["two"] <= empty["two"]
    if words == 320:
        assert (filled["two"], empty["two"]) == (3, 4)


def test_a_table_that_stays_whole_finds_room_above_a_figure_at_the_foot() -> None:
    """The table is 53 mm high and 8 mm apart, and 55 mm are free: 6 of the 53 mm of the plot make room."""
    rows = tuple((Cell(str(number)),) for number in range(8))
    table = Table((Column("C"),), rows, "Table", "t")
    of = document(figure("foot"), Paragraph("text"), table)
    first = (None, Place((3, 180.0), (3, 264.0)), Place((3, 30.0), (3, 117.0)), Place((4, 30.0), (4, 75.0)))
    second = (*first[:3], Place((3, 125.0), (3, 178.0)))
    found = lowered(of, frozenset({"foot"}), lambda those: (4, second if those else first))
    assert found == {"foot": pytest.approx(1 - (75 - 22 + 8 - 55) / 52.9)}


@pytest.mark.parametrize(
    ("down", "pages_after"),
    [
        (95.0, 4),  # too much is lacking
        (70.0, 5),  # another page would be needed
    ],
)
def test_what_cannot_be_filled_is_left(down: float, pages_after: int) -> None:
    of = document(Paragraph("text"), figure("moved"))
    places = (None, Place((3, 30.0), (3, 216.0)), Place((4, 22.0), (4, down)))
    moved = (*places[:2], Place((3, 222.0), (3, 270.0)))
    assert lowered(of, frozenset(), lambda those: (pages_after, moved) if those else (4, places)) == {}


def test_bars_stay_as_they_are() -> None:
    """Their height is that of their rows."""
    bars = BarChart(Axis("x"), (("row", POINTS[:1]),), ("bar",))
    of = document(Paragraph("text"), Figure((bars,), "Bars", "alt", "bars"))
    places = (None, Place((3, 30.0), (3, 216.0)), Place((4, 22.0), (4, 75.0)))
    tried: list[Mapping[str, float]] = []
    assert lowered(of, frozenset(), lambda those: tried.append(those) or (4, places)) == {}
    assert tried == [{}]


def test_a_lower_figure_loses_height_of_its_plot_alone() -> None:
    high, low = (draw_figure(figure("f"), PRINT, "en", lowered=share)[0] for share in (1.0, LOWEST))
    assert low.width == high.width
    assert high.height - low.height == pytest.approx(200 * (1 - LOWEST))
