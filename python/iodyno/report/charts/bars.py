"""Bar charts: horizontal bars, one group a row."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import cached_property

from iodyno.report.charts import frame
from iodyno.report.charts.frame import LINE, MARGIN, TEXT_SIZE, Plot
from iodyno.report.charts.labels import set_apart
from iodyno.report.charts.lines import point_group
from iodyno.report.charts.numerals import Numerals
from iodyno.report.charts.palette import Style, Theme, style
from iodyno.report.charts.scales import Scale, make_scale
from iodyno.report.charts.svg import element, escape
from iodyno.report.document import BarChart, ChartPoint
from iodyno.report.layout.metrics import text_width

_BAR, _GAP, _LEAST_GAP = 10.0, 7.0, 3.0
_AXIS_HEIGHT = 34.0
_FAINT = 0.42
"""How much of its colour the filling of a hollow bar keeps."""
_NAMES, _WIDE = 0.4, 400.0
"""The most of the width that names of rows take; from this width on two lines are enough for them."""
_MOST_SHARED = 264.0
"""The most that they take where two charts have them in common."""


@dataclass(frozen=True)
class BarDrawing:
    """A bar chart, laid out but for the height of its head."""

    chart: BarChart
    theme: Theme
    numerals: Numerals
    width: float
    ident: str
    room: int = 0
    """Bars that a row has room for although it has fewer: so many has the chart beside it."""
    shares: bool = False
    """Whether its names are those of the chart to its right too."""
    named: BarDrawing | None = None
    """The chart to its left that names the rows of both; none: it names them itself."""
    gap: float = _GAP
    """What is free after a row."""
    before: int = 0
    """Series of the chart to its left, where they are others: their looks are taken."""
    unlike: bool = False
    """Whether a chart beside it has other series: then it names its own, though it has but one."""

    def beside(self, other: BarDrawing) -> tuple[BarDrawing, BarDrawing]:
        """Give this drawing and one to its right with the same rows, which only this one names.

        Their plots share the width that the names leave of both.
        """
        named = replace(self, shares=True)
        unnamed = replace(other, named=named)
        rest = (self.width + other.width - named.plot_left - unnamed.plot_left) / 2
        named = replace(named, width=named.plot_left + rest)
        return named, replace(other, named=named, width=unnamed.plot_left + rest)

    @property
    def plot_height(self) -> float:
        """The height of all rows."""
        return sum(self._row_height(row) for row in range(len(self.chart.rows)))

    @property
    def least_height(self) -> float:
        """The height of all rows as near to each other as they can still be told apart."""
        return self.plot_height - max(0.0, self.gap - _LEAST_GAP) * len(self.chart.rows)

    def lowered(self, share: float) -> BarDrawing:
        """Give the drawing with its rows nearer to each other, so that this share of their height is left."""
        less = (1 - share) * self.plot_height / max(len(self.chart.rows), 1)
        return replace(self, gap=max(_LEAST_GAP, self.gap - less))

    @property
    def head(self) -> float:
        """The height of title and legend."""
        title = len(frame.title_lines(self.chart.title, self.width)) * 15.0
        legend = len(self._legend()) * LINE + 4 if self._legend() else 0.0
        return title + legend + 4

    def height(self, head: float) -> float:
        """The height of the drawing under a head of this height."""
        return head + self.plot_height + _AXIS_HEIGHT

    def draw(self, head: float) -> str:
        """Draw everything inside the SVG."""
        scale = self._scale()
        plot = self._plot(head)
        drawn = [self._patterns(), frame.x_axis(plot, scale, self.chart.x.label, self.theme, grid=True)]
        top = plot.top
        for row in range(len(self.chart.rows)):
            drawn.append(self._row(row, top, plot, scale))
            top += self._row_height(row)
        drawn.append(
            element("path", d=f"M{plot.left:.2f} {plot.top:.2f}V{plot.bottom:.2f}",
                    stroke=self.theme["axis"], stroke_width=1)
        )  # fmt: skip
        return "".join(drawn) + self._heading()

    # Layout

    def _legend(self) -> list[list[tuple[int, str, float]]]:
        told = len(self.chart.names) > 1 or self.unlike
        return frame.legend_rows(self.chart.names, self.width) if told else []

    @cached_property
    def _names(self) -> list[tuple[str, ...]]:
        if self.named is not None:
            return self.named._names
        names = [name for name, _ in self.chart.rows]
        if self.shares:
            return set_apart(names, TEXT_SIZE, _MOST_SHARED, lines=3)
        return set_apart(names, TEXT_SIZE, _NAMES * self.width, lines=2 if self.width >= _WIDE else 3)

    def _row_height(self, row: int) -> float:
        bars = max(len(self.chart.rows[row][1]), self.room, 1) * _BAR
        return max(bars, len(self._names[row]) * LINE) + self.gap

    @property
    def plot_left(self) -> float:
        """Where the plot begins: behind the names."""
        lines = [] if self.named is not None else [line for name in self._names for line in name]
        return MARGIN + max((text_width(line, TEXT_SIZE) for line in lines), default=0.0) + 8

    def _plot(self, head: float) -> Plot:
        left = self.plot_left
        labels = [point.label for _, points in self.chart.rows for point in points]
        beside = max((text_width(label, frame.SMALL_SIZE) for label in labels), default=0.0) + 8
        last = self._scale().ticks[-1].label if self._scale().ticks else ""
        right = max(beside, text_width(last, TEXT_SIZE) / 2 + MARGIN)
        return Plot(left, head, self.width - right, self.height(head) - _AXIS_HEIGHT)

    def _scale(self) -> Scale:
        points = [point for _, points in self.chart.rows for point in points]
        values = [
            value for point in points for value in (point.y, point.low, point.high) if value is not None
        ]
        if self.chart.x.scale != "linear":  # begins below the shortest bar, which is seen so
            lengths = [*(point.y for point in points), *self.chart.x.reach]
            shortest = min((length for length in lengths if length > 0), default=1.0)
            values = [shortest / 2, *(value for value in values if value >= shortest)]
        return make_scale(self.chart.x, values, self.numerals, zero=True, most=int(self.width / 80))

    # Drawing

    def _heading(self) -> str:
        lines = frame.title_lines(self.chart.title, self.width)
        drawn = [
            frame.label_text(line, MARGIN, 11.5 + 15.0 * row, self.theme["ink"], bold=True,
                             size=frame.TITLE_SIZE)
            for row, line in enumerate(lines)
        ]  # fmt: skip
        rows, top = self._legend(), 15.0 * len(lines)
        for row, entries in enumerate(rows):
            for index, _, x in entries:
                drawn.append(
                    self._bar(x + 4, top + LINE * row + 2, 20.0, index, hollow=self._all_hollow(index))
                )
        return "".join(drawn) + frame.legend_names(rows, top, self.theme)

    def _all_hollow(self, index: int) -> bool:
        """The sample of a series looks like its bars: hollow where all of them are."""
        bars = [points[index] for _, points in self.chart.rows if index < len(points)]
        return bool(bars) and all(point.hollow for point in bars)

    def _row(self, row: int, top: float, plot: Plot, scale: Scale) -> str:
        name, points = self.chart.rows[row]
        lines, height = () if self.named is not None else self._names[row], self._row_height(row)
        baseline = top + height / 2 - (len(lines) - 1) * LINE / 2 + 3.5
        drawn = [
            frame.label_text(line, plot.left - 8, baseline + LINE * index, self.theme["ink"], anchor="end")
            for index, line in enumerate(lines)
        ]
        if self.theme.interactive and any("…" in line for line in lines):
            drawn = [element("g", element("title", escape(name)), *drawn)]
        first = top + (height - len(points) * _BAR) / 2
        drawn += [
            self._point(name, index, point, first + index * _BAR, plot, scale)
            for index, point in enumerate(points)
        ]
        return "".join(drawn)

    def _point(self, row: str, index: int, point: ChartPoint, top: float, plot: Plot, scale: Scale) -> str:
        place = scale.position(point.y)
        end = plot.x(place) if place is not None else plot.left
        start = plot.x(max(0.0, scale.position(0.0) or 0.0))
        bar = self._bar(min(start, end), top + 1, abs(end - start), index, hollow=point.hollow)
        interval, reach = self._interval(point, top + _BAR / 2, plot, scale, max(start, end))
        label = frame.label_text(
            point.label, reach + 5, top + _BAR / 2 + 3, self.theme["muted"], size=frame.SMALL_SIZE
        )
        drawn = bar + interval + (label if point.label else "")
        if not self.theme.interactive:
            return drawn
        series = self.chart.names[index] if len(self.chart.names) > index else None
        return point_group(point, self._title(row, index, point), drawn, series)

    def _title(self, row: str, index: int, point: ChartPoint) -> str:
        name = self.chart.names[index] if index < len(self.chart.names) else ""
        value = f"{self.chart.x.label}: {self.numerals.plain(point.y, 4)}"
        if point.low is not None and point.high is not None:
            value += f" ({self.numerals.plain(point.low, 4)} – {self.numerals.plain(point.high, 4)})"
        return "\n".join(part for part in (row, name, point.label, value) if part)

    def _interval(
        self, point: ChartPoint, y: float, plot: Plot, scale: Scale, end: float
    ) -> tuple[str, float]:
        """The interval of a bar, and how far to the right it reaches."""
        if point.low is None or point.high is None or math.isnan(point.low) or math.isnan(point.high):
            return "", end
        low, high = (
            plot.x(min(1.0, max(0.0, scale.position(value) or 0.0))) for value in (point.low, point.high)
        )
        steps = f"M{low:.2f} {y:.2f}H{high:.2f}M{low:.2f} {y - 3:.2f}v6M{high:.2f} {y - 3:.2f}v6"
        halo = element("path", d=steps, stroke=self.theme["paper"], stroke_width=3)
        drawn = halo + element("path", d=steps, stroke=self.theme["ink"], stroke_width=1.1, class_="interval")
        return drawn, max(end, high)

    def _bar(self, x: float, y: float, width: float, index: int, *, hollow: bool) -> str:
        """A bar; a hollow one has a dashed edge and a faint filling, in the pattern of its series."""
        place = self.before + index
        look = style(self.theme, place)
        return element(
            "rect",
            x=x + 0.5,
            y=y + 0.5,
            width=max(width - 1, 0.5),
            height=_BAR - 3,
            fill=self._fill(place, look),
            fill_opacity=_FAINT if hollow else None,
            stroke=look.colour,
            stroke_width=1,
            stroke_dasharray="3 2" if hollow else None,
        )

    def _fill(self, index: int, look: Style) -> str:
        return look.colour if index == 0 else f"url(#{self.ident}-fill-{index})"

    def _patterns(self) -> str:
        """Hatches: the second bar of a row differs from the first without colour too."""
        places = range(max(self.before, 1), self.before + len(self.chart.names))
        made = [self._pattern(place) for place in places]
        return element("defs", *made) if made else ""

    def _pattern(self, index: int) -> str:
        colour = style(self.theme, index).colour
        width = {1: 1.1, 2: 2.4, 3: 0.6}.get(index, 1.6)
        return element(
            "pattern",
            element("rect", width=5, height=5, fill=self.theme["paper"]),
            element("path", d="M0 2.5H5", stroke=colour, stroke_width=width),
            id=f"{self.ident}-fill-{index}",
            width=5,
            height=5,
            patternUnits="userSpaceOnUse",
            patternTransform=f"rotate({(45, 90, -45, 0)[(index - 1) % 4]})",
        )
