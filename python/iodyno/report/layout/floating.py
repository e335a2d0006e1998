"""Which figures may stand at the foot of a page: not where it is the next section that begins above them."""

from __future__ import annotations

from collections.abc import Iterator

from iodyno.report.document import BarChart, Block, Chart, Document, Figure, Heading, Paragraph, Table
from iodyno.report.layout.columns import DENSE_ROWS
from iodyno.report.layout.outline import parts

PAGE_MM = 250.0
"""Height of the text of a page in print."""


def floating(document: Document) -> frozenset[str]:
    """Give the figures that float: so much of its section follows on each that it fills a page."""
    return frozenset(_floating(document))


def _floating(document: Document) -> Iterator[str]:
    waiting: list[tuple[float, str]] = []
    down = 0.0
    for block in (*document.blocks, Heading(1, "", "")):
        if isinstance(block, Heading):
            yield from (key for place, key in waiting if down - place >= PAGE_MM)
            waiting = []
        down += _height_mm(block)
        if isinstance(block, Figure) and block.floats:
            waiting.append((down, block.key))


def _height_mm(block: Block) -> float:
    """Give about how high a block is in print."""
    if isinstance(block, Figure):
        return 20 + max((_chart_mm(chart) for chart in block.charts), default=0.0)
    if isinstance(block, Table):
        row = 4.2 if block.lookup or len(block.rows) > DENSE_ROWS else 5.8
        return 20 + row * len(block.rows) + 4 * len(block.notes) if block.printed else 0.0
    if isinstance(block, Paragraph):
        return (
            5 + 5 * sum(len(part if isinstance(part, str) else part.text) for part in parts(block.text)) / 85
        )
    return 12.0 if isinstance(block, Heading) else 0.0


def _chart_mm(chart: Chart) -> float:
    if isinstance(chart, BarChart):
        return 15 + sum(max(7.0, 2.6 * len(bars)) + 1.8 for _, bars in chart.rows)
    return 50.0
