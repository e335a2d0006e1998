"""Figures that may stand at the foot of a page stand there before the next section begins."""

from __future__ import annotations

from pathlib import Path

import pytest
from test_pdf import read

from iodyno.report import pdf
from iodyno.report.document import (
    Axis,
    Block,
    ChartLine,
    ChartPoint,
    Document,
    Figure,
    Heading,
    LineChart,
    Paragraph,
    TitlePage,
)
from iodyno.report.outline import outline


def figure(key: str) -> Figure:
    line = ChartLine("a", (ChartPoint(1, 1), ChartPoint(2, 2)))
    return Figure((LineChart(Axis("x"), Axis("y"), (line,)),), "Streaming", "alt", key, floats=True)


def document(figures: int) -> Document:
    """Give a document of two sections, with as many figures in the first."""
    blocks: list[Block] = [Heading(1, "Results", "r"), Heading(2, "First section", "first")]
    for number in range(figures):
        blocks += [
            Heading(3, f"Profile {number}", f"p{number}"),
            Paragraph("word " * 150),
            figure(f"f{number}"),
        ]
    blocks += [Heading(2, "Second section", "second"), Paragraph("word " * 900)]
    return Document("en", TitlePage("K", "T", "", ()), tuple(blocks), "", "2024-05-17")


def test_the_last_figures_of_a_section_do_not_float() -> None:
    assert outline(document(5)).floating == {"f0", "f1", "f2"}
    assert outline(document(2)).floating == frozenset()


@pytest.mark.parametrize("figures", [1, 2, 3, 4, 5, 6])
def test_no_figure_stands_below_the_heading_of_the_next_section(figures: int, tmp_path: Path) -> None:
    _, _, *pages = read(pdf.render(document(figures)), tmp_path, "-layout").split("\f")
    text = "\n".join(pages)
    assert text.rindex("Streaming") < text.index("Second section")
