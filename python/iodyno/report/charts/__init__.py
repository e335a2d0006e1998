"""Charts as SVG: one drawing for the screen, in the page's colours, and one for print.

Own drawings instead of a plotting library: a paper must be ready in a moment, the same chart must follow
the light and the dark page, and each value must be there for who points at it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from iodyno.report.charts.bars import BarDrawing
from iodyno.report.charts.description import describe, name_of
from iodyno.report.charts.frame import LINE, document, legend_rows
from iodyno.report.charts.lines import LineDrawing, line_legend
from iodyno.report.charts.numerals import Numerals, numerals
from iodyno.report.charts.palette import DARK, LIGHT, PRINT, SCREEN, SIMULATED_DARK, SIMULATED_LIGHT, Theme
from iodyno.report.charts.svg import element
from iodyno.report.document import BarChart, Chart, ChartLine, Figure, LineChart

__all__ = [
    "DARK",
    "FULL_WIDTH",
    "HALF_WIDTH",
    "LIGHT",
    "PRINT",
    "SCREEN",
    "SIMULATED_DARK",
    "SIMULATED_LIGHT",
    "Drawing",
    "Theme",
    "draw_figure",
    "draw_legend",
    "plot_heights",
]

HALF_WIDTH, FULL_WIDTH, NARROW_WIDTH = 318.0, 650.0, 340.0
"""Widths in units of 1/96 inch: half and whole width of the print, and of a narrow screen."""
MOST_OWN_ROWS = 4
"""Rows of a legend up to which two charts of the same lines each have it; a longer one is shared in print."""
_HALF_HEIGHT, _FULL_HEIGHT, _NARROW_HEIGHT = 150.0, 200.0, 180.0


@dataclass(frozen=True)
class Drawing:
    """A drawn chart."""

    svg: str
    width: float
    height: float
    name: str
    """Its title, or what it shows over what."""
    description: str
    """What it shows, for who does not see it."""


def draw_figure(
    figure: Figure, theme: Theme, language: str, *, narrow: bool = False, lowered: float = 1.0
) -> tuple[Drawing, ...]:
    """Draw the charts of a figure; two stand side by side, their plots on one line.

    Parameters
    ----------
    figure
        What to draw.
    theme
        :data:`SCREEN` or :data:`PRINT`.
    language
        BCP 47, for the numbers on the axes.
    narrow
        For a narrow screen: a chart that stands alone is drawn for the width of one column.
    lowered
        What is left of the height of the plots, 1 being the usual height.

    Returns
    -------
    tuple of Drawing
        One for each chart. One that stands alone has the text alternative of the figure; two have each
        a description from their data, which says nothing of where they stand.
    """
    alone = len(figure.charts) == 1
    width, height = _size(figure)
    if alone and narrow:
        width, height = NARROW_WIDTH, _NARROW_HEIGHT
    stem = f"{figure.key}{'-narrow' if narrow else ''}"
    signs = numerals(language)
    idents = [f"{stem}-chart-{index}" for index in range(1, len(figure.charts) + 1)]
    laid_out = _laid_out(figure, theme, signs, width, height, idents)
    laid_out = [drawing.lowered(lowered) for drawing in laid_out] if lowered < 1 else laid_out
    if draw_legend(figure, theme):
        laid_out = [replace(one, named=False) if isinstance(one, LineDrawing) else one for one in laid_out]
    head = max((drawing.head for drawing in laid_out), default=0.0)
    return tuple(
        _finish(drawing, head, theme, ident, figure.alt if alone else describe(drawing.chart, signs))
        for drawing, ident in zip(laid_out, idents, strict=True)
    )


def _size(figure: Figure) -> tuple[float, float]:
    """Give the width of a chart of a figure, and the usual height of its plot."""
    whole = len(figure.charts) == 1 and not figure.half
    return (FULL_WIDTH, _FULL_HEIGHT) if whole else (HALF_WIDTH, _HALF_HEIGHT)


def plot_heights(figure: Figure, theme: Theme, language: str) -> tuple[float, float]:
    """Give how high the plots of a figure are, and how high they are at least where they are lowered, in
    units of 1/96 inch."""
    width, height = _size(figure)
    drawings = _laid_out(figure, theme, numerals(language), width, height, [figure.key] * len(figure.charts))
    highest = max(drawings, key=lambda drawing: drawing.plot_height)
    return highest.plot_height, max(drawing.least_height for drawing in drawings)


def _laid_out(
    figure: Figure, theme: Theme, signs: Numerals, width: float, height: float, idents: Sequence[str]
) -> list[LineDrawing | BarDrawing]:
    drawings = [
        _lay_out(chart, theme, signs, width, height, ident)
        for chart, ident in zip(figure.charts, idents, strict=True)
    ]
    return _with_rows_on_one_line(_with_looks(drawings), theme)


def _with_looks(drawings: list[LineDrawing | BarDrawing]) -> list[LineDrawing | BarDrawing]:
    """Let bars of two charts that are of other series look otherwise, and be named in both."""
    bars = [drawing for drawing in drawings if isinstance(drawing, BarDrawing)]
    if len(bars) != 2 or bars[0].chart.names == bars[1].chart.names:
        return drawings
    left, right = bars
    return [replace(left, unlike=True), replace(right, unlike=True, before=len(left.chart.names))]


def _lay_out(
    chart: Chart, theme: Theme, signs: Numerals, width: float, height: float, ident: str
) -> LineDrawing | BarDrawing:
    if isinstance(chart, BarChart):
        return BarDrawing(chart, theme, signs, width, ident)
    return LineDrawing(chart, theme, signs, width, height)


def _with_rows_on_one_line(
    drawings: list[LineDrawing | BarDrawing], theme: Theme
) -> list[LineDrawing | BarDrawing]:
    """Put the rows of two bar charts of the same rows on one line; in print the left one names them.

    On the screen each names them: on a narrow one they stand below each other.
    """
    bars = [drawing for drawing in drawings if isinstance(drawing, BarDrawing)]
    if len(bars) != 2 or len({tuple(name for name, _ in drawing.chart.rows) for drawing in bars}) != 1:
        return drawings
    room = max((len(points) for drawing in bars for _, points in drawing.chart.rows), default=0)
    left, right = (replace(drawing, room=room) for drawing in bars)
    return [left, right] if theme.interactive else [*left.beside(right)]


def draw_legend(figure: Figure, theme: Theme) -> Drawing | None:
    """Draw the legend that two charts of the same lines share in print, to stand above both; as they have it,
    so has one that is as wide as they are.

    Returns
    -------
    Drawing or None
        A line parts it from the charts: it belongs to neither alone. None where each has its own.
    """
    if theme.interactive or not (lines := _shared_lines(figure)):
        return None
    rows = legend_rows([line.name for line in lines], FULL_WIDTH)
    under = LINE * len(rows) + 3.0
    rule = element("path", d=f"M0 {under:g}H{FULL_WIDTH:g}", stroke=theme["grid"], stroke_width=1)
    body = line_legend(lines, rows, 0.0, theme) + rule
    svg = document(
        body, FULL_WIDTH, under + 5.0, ident=f"{figure.key}-legend", name="", description="", theme=theme
    )
    return Drawing(svg, FULL_WIDTH, under + 5.0, "", "")


def _shared_lines(figure: Figure) -> tuple[ChartLine, ...]:
    """Give the lines that two charts share a legend of: the same, and too many names for one in each."""
    found = [chart.lines for chart in figure.charts if isinstance(chart, LineChart)]
    names = [[line.name for line in lines] for lines in found]
    if len(found) != (1 if figure.half else 2) or names[0] != names[-1]:
        return ()
    if len(legend_rows(names[0], HALF_WIDTH)) <= MOST_OWN_ROWS:
        return ()
    return found[0]


def _finish(
    drawing: LineDrawing | BarDrawing, head: float, theme: Theme, ident: str, description: str
) -> Drawing:
    name, height = name_of(drawing.chart), drawing.height(head)
    svg = document(
        drawing.draw(head),
        drawing.width,
        height,
        ident=ident,
        name=name,
        description=description,
        theme=theme,
    )
    return Drawing(svg, drawing.width, height, name, description)
