"""Figures that may stand at the foot of a page stand there before the next section begins."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from iodyno.report import pdf
from iodyno.report.document import (
    Axis,
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
from iodyno.report.layout.floating import floating
from pdf_texts import read


def figure(key: str) -> Figure:
    line = ChartLine("a", (ChartPoint(1, 1), ChartPoint(2, 2)))
    return Figure((LineChart(Axis("x"), Axis("y"), (line,)),), "Streaming", "alt", key, floats=True)


def document(figures: int, words: int = 150) -> Document:
    """Give a document of two sections, with as many figures in the first, each below a heading of its own."""
    blocks: list[Block] = [Heading(1, "Results", "r"), Heading(2, "First section", "first")]
    for number in range(figures):
        blocks += [
            Heading(3, f"Profile {number}", f"p{number}"),
            Paragraph("word " * 150),
            figure(f"f{number}"),
            Paragraph("after " * words),
        ]
    blocks += [Heading(2, "Second section", "second"), Paragraph("word " * 900)]
    return Document("en", TitlePage("K", "T", "", ()), tuple(blocks), "", "2024-05-17")


def test_a_figure_floats_where_its_own_section_goes_on_for_a_page() -> None:
    """A page holds some 700 words. Figures stood below the heading of the next part of a section."""
    assert floating(document(2, words=900)) == {"f0", "f1"}
    assert floating(document(5)) == frozenset()


def test_long_tables_of_a_section_let_its_figures_float() -> None:
    rows = tuple((Cell(str(number)),) for number in range(60))
    section = (Heading(2, "Section", "s"), figure("f"), Table((Column("C"),), rows, "Table", "t"))
    page = TitlePage("K", "T", "", ())
    assert floating(Document("en", page, (Heading(1, "H", "h"), *section), "", "2024-05-17")) == {"f"}
    assert not floating(Document("en", page, (Heading(1, "H", "h"), *section[:2]), "", "2024-05-17"))


@pytest.mark.parametrize("figures", [1, 2, 3, 4, 5, 6])
def test_no_figure_stands_below_the_heading_of_the_next_section(figures: int, tmp_path: Path) -> None:
    _, _, *pages = read(pdf.render(document(figures)), tmp_path, "-layout").split("\f")
    text = "\n".join(pages)
    assert text.rindex("Streaming") < text.index("Second section")
    places = [(found.start(), found[0]) for found in re.finditer(r"Profile \d|Streaming", text)]
    assert [what for _, what in sorted(places)] == [
        what for number in range(figures) for what in (f"Profile {number}", "Streaming")
    ]
