"""A paper that is set many times, with figures of other heights: what is as it was costs nothing."""

from __future__ import annotations

from time import process_time

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
from iodyno.report.layout.placed import Filled

TRIES = 3


def paper(name: str, tables: int) -> Document:
    """Give a paper of tables, each with a text that is nowhere else, and of a figure behind them."""
    blocks: list[Block] = [Heading(1, name, "h")]
    for number in range(tables):
        rows = tuple(tuple(Cell(f"{name} {number} {row} {cell}") for cell in range(6)) for row in range(10))
        blocks.append(Paragraph(f"{name} {number}: what the table shows"))
        blocks.append(Table(tuple(Column(f"C{cell}") for cell in range(6)), rows, name, f"t{number}"))
    chart = LineChart(Axis("x"), Axis("y"), (ChartLine("a", (ChartPoint(1, 1), ChartPoint(2, 2))),))
    blocks.append(Figure((chart,), "Streaming", "alt", "figure"))
    return Document("en", TitlePage("K", "T", "", ()), tuple(blocks), "", "2024-05-17")


def seconds(setting: pdf._Setting, way: Filled) -> float:
    began = process_time()
    setting.places(way)
    return process_time() - began


def test_a_paper_is_set_again_in_less_than_half_of_the_time() -> None:
    """Nothing but the last figure is another one; before, the whole was set each time."""
    pdf._Setting(paper("fonts", 1)).places(Filled(frozenset()))
    first, again = [], []
    for number in range(TRIES):
        setting = pdf._Setting(paper(f"paper-{number}", 40))
        first.append(seconds(setting, Filled(frozenset())))
        again.append(seconds(setting, Filled(frozenset(), lowered={"figure": 0.8})))
    assert min(again) < min(first) / 2, (first, again)
