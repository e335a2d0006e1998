"""Line charts."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from iodyno.report.charts import frame
from iodyno.report.charts.frame import LINE, MARGIN, TEXT_SIZE, Plot
from iodyno.report.charts.labels import Box, around, place_beside
from iodyno.report.charts.numerals import Numerals
from iodyno.report.charts.palette import MARKER_RADIUS, Style, Theme, style
from iodyno.report.charts.scales import Scale, make_scale
from iodyno.report.charts.svg import element, escape, exact, path
from iodyno.report.document import ChartLine, ChartPoint, LineChart
from iodyno.report.layout.metrics import text_width

_AXIS_HEIGHT, _LEAST_HEIGHT = 34.0, 105.0
_TICK_ROOM = {"linear": 55.0, "log2": 30.0, "log10": 45.0, "nines": 44.0}
_CAP = 2.6
_FOOTROOM, _LABELLED_FOOTROOM = 10.0, 21.0
_FROM_ZERO, _FLAT = 0.75, 0.95
"""Least value as a share of the greatest: up to the one an x axis begins at 0, and from the other on, where
values hardly differ: stretched over the axis, what the intervals leave open would look like a curve."""


@dataclass(frozen=True)
class _Spot:
    """A point of a line and where it is drawn."""

    point: ChartPoint
    x: float
    y: float
    low: float | None
    high: float | None


@dataclass(frozen=True)
class LineDrawing:
    """A line chart, laid out but for the height of its head."""

    chart: LineChart
    theme: Theme
    numerals: Numerals
    width: float
    plot_height: float
    named: bool = True
    """Whether it has a legend of its own, and not one that charts share."""

    @property
    def head(self) -> float:
        """The height of title, legend and name of the y axis."""
        title = len(frame.title_lines(self.chart.title, self.width)) * 15.0
        legend = len(self._legend()) * LINE + 4 if self._legend() else 0.0
        return title + legend + (20.0 if self.chart.y.label else 10.0)

    @property
    def least_height(self) -> float:
        """The height of the plot in which its lines can still be read."""
        return min(self.plot_height, _LEAST_HEIGHT)

    def lowered(self, share: float) -> LineDrawing:
        """Give the drawing with this share of the height of its plot."""
        return replace(self, plot_height=share * self.plot_height)

    def height(self, head: float) -> float:
        """The height of the drawing under a head of this height."""
        return head + self.plot_height + _AXIS_HEIGHT

    def draw(self, head: float) -> str:
        """Draw everything inside the SVG."""
        plot = self._plot(head)
        x, y = self._x_scale(), self._y_scale()
        series = [_spots(line, plot, x, y) for line in self.chart.lines]
        return "".join(
            (
                self._shaded(plot, x),
                frame.y_axis(plot, y, self.chart.y.label, self.theme),
                frame.x_axis(plot, x, self.chart.x.label, self.theme, grid=False),
                self._heading(head),
                *(self._series(index, spots) for index, spots in enumerate(series)),
                self._point_labels(plot, series),
            )
        )

    # Layout

    def _names(self) -> tuple[str, ...]:
        names = tuple(line.name for line in self.chart.lines)
        return names if len(names) > 1 and self.named else ()

    def _legend(self) -> list[list[tuple[int, str, float]]]:
        return frame.legend_rows(self._names(), self.width)

    def _plot(self, head: float) -> Plot:
        left = MARGIN + frame.label_room(self._y_scale())
        inset = 3.0 if self.chart.x.scale == "linear" else 8.0
        last = next((tick.label for tick in reversed(self._x_scale().ticks) if tick.label), "")
        right = max(text_width(last, TEXT_SIZE) / 2 - inset + MARGIN, 6.0)
        headroom = 15.0 if any(name for _, _, name in self.chart.shaded) else 4.0
        return Plot(
            left, head, self.width - right, head + self.plot_height, inset, headroom, self._footroom()
        )

    def _footroom(self) -> float:
        """A logarithmic axis begins at no zero: its lowest marker stands above the axis, not on it."""
        marked = [line for line in self.chart.lines if line.markers]
        if not marked or self.chart.y.scale not in ("log2", "log10"):
            return 0.0
        return _LABELLED_FOOTROOM if any(line.labelled for line in marked) else _FOOTROOM

    def _x_scale(self) -> Scale:
        values = [point.x for point in self._points()]
        values += [edge for start, end, _ in self.chart.shaded for edge in (start, end)]
        most = int(self.width / _TICK_ROOM[self.chart.x.scale])
        return make_scale(self.chart.x, values, self.numerals, zero=_from_zero(values), most=most)

    def _y_scale(self) -> Scale:
        values = [
            value
            for point in self._points()
            for value in (point.y, point.low, point.high)
            if value is not None
        ]
        room = 26 if self.chart.y.scale == "linear" else 18
        return make_scale(self.chart.y, values, self.numerals, zero=True, most=int(self.plot_height / room))

    def _points(self) -> Iterator[ChartPoint]:
        return (point for line in self.chart.lines for point in line.points)

    # Drawing

    def _heading(self, head: float) -> str:
        """Title and legend: at the top, and a title without a legend right above its plot."""
        lines = frame.title_lines(self.chart.title, self.width)
        height = 15.0 * len(lines)
        begin = 0.0 if self.named else head - self.head
        drawn = [
            frame.label_text(line, MARGIN, begin + 11.5 + 15.0 * row, self.theme["ink"], bold=True,
                             size=frame.TITLE_SIZE)
            for row, line in enumerate(lines)
        ]  # fmt: skip
        return "".join(drawn) + line_legend(self.chart.lines, self._legend(), height, self.theme)

    def _shaded(self, plot: Plot, scale: Scale) -> str:
        drawn = []
        taken: list[Box] = []
        for start, end, name in self.chart.shaded:
            places = [scale.position(start), scale.position(end)]
            left, right = (plot.x(min(1.0, max(0.0, place or 0.0))) for place in places)
            area = Box(left, plot.top, max(right, left + 1), plot.bottom)
            drawn.append(
                element(
                    "rect",
                    x=area.left,
                    y=area.top,
                    width=area.right - area.left,
                    height=area.bottom - area.top,
                    fill=self.theme["shade"],
                )
            )
            if start in (end for _, end, _ in self.chart.shaded):  # where one ends, the next begins
                edge = path([(area.left, area.top), (area.left, area.bottom)])
                drawn.append(element("path", d=edge, stroke=self.theme["muted"], stroke_width=0.5))
            drawn.append(self._shaded_name(name, area, plot, taken))
        return "".join(drawn)

    def _shaded_name(self, name: str, area: Box, plot: Plot, taken: list[Box]) -> str:
        """The name of a range on top of it; left out where there is no room beside the others."""
        width = text_width(name, frame.SMALL_SIZE)
        middle = (area.left + area.right) / 2
        x = max(plot.left + 2, min(plot.right - 2 - width, middle - width / 2))
        box = Box(x - 3, plot.top, x + width + 3, plot.top + 12)
        if not name or width > plot.right - plot.left - 4 or any(box.meets(other) for other in taken):
            return ""
        taken.append(box)
        return frame.label_text(name, x, plot.top + 10, self.theme["muted"], size=frame.SMALL_SIZE)

    def _series(self, index: int, spots: Sequence[_Spot]) -> str:
        line, look = self.chart.lines[index], style(self.theme, index)
        drawn = [] if line.markers else [_band(spots, look)]
        if len(spots) > 1:
            drawn.append(
                element("path", d=path([(spot.x, spot.y) for spot in spots]), stroke=look.colour,
                        stroke_width=1.6, stroke_linejoin="round", stroke_dasharray=look.dash)
            )  # fmt: skip
        single = len(spots) == 1
        drawn += [self._point(line, spot, look, shown=line.markers or single) for spot in spots]
        name = line.name if self.theme.interactive else None
        return element("g", "".join(drawn), class_="series" if name is not None else None, data_series=name)

    def _point(self, line: ChartLine, spot: _Spot, look: Style, *, shown: bool) -> str:
        fill = self.theme["paper"] if spot.point.hollow else look.colour
        drawn = (_interval(spot, look) if shown else "") + (
            frame.marker(spot.x, spot.y, look, fill) if shown or spot.point.hollow else ""
        )
        if not self.theme.interactive:
            return drawn
        target = element("circle", cx=spot.x, cy=spot.y, r=7, fill="transparent")
        return point_group(
            spot.point, point_title(self.chart, line, spot.point, self.numerals), drawn + target
        )

    def _point_labels(self, plot: Plot, series: Sequence[Sequence[_Spot]]) -> str:
        labelled = [index for index, line in enumerate(self.chart.lines) if line.labelled]
        if not labelled:
            return ""
        area = Box(plot.left + 3, plot.top - 2, plot.right, plot.bottom - 3)
        markers = [around(spot.x, spot.y, MARKER_RADIUS) for spots in series for spot in spots]
        strokes = [box for spots in series for box in _strokes(spots)]
        taken: list[Box] = []
        drawn = []
        for index in labelled:
            points = [(spot.x, spot.y, spot.point.label) for spot in series[index] if spot.point.label]
            colour = style(self.theme, index).colour if len(series) > 1 else self.theme["ink"]
            for label in place_beside(points, area, markers, strokes, frame.SMALL_SIZE, taken):
                drawn.append(
                    frame.label_text(label.text, label.x, label.baseline, colour, anchor=label.anchor,
                                     size=frame.SMALL_SIZE, halo=self.theme["paper"])
                )  # fmt: skip
        return "".join(drawn)


def line_legend(
    lines: Sequence[ChartLine], rows: list[list[tuple[int, str, float]]], top: float, theme: Theme
) -> str:
    """Draw the rows of a legend of lines, with a piece of each before its name."""
    samples = [
        frame.line_sample(x, top + LINE * row + 6.5, style(theme, index), markers=lines[index].markers)
        for row, entries in enumerate(rows)
        for index, _, x in entries
    ]
    return "".join(samples) + frame.legend_names(rows, top, theme)


def _from_zero(values: Sequence[float]) -> bool:
    """Tell whether an x axis begins at 0."""
    if not values or min(values) < 0:
        return False
    least, greatest = min(values), max(values)
    return least <= _FROM_ZERO * greatest or _FLAT * greatest <= least < greatest


def _spots(line: ChartLine, plot: Plot, x: Scale, y: Scale) -> list[_Spot]:
    """Where the points of a line are; those without a place on the scales are left out."""
    spots = []
    for point in line.points:
        across, up = x.position(point.x), y.position(point.y)
        if across is None or up is None:
            continue
        low, high = (_edge(value, plot, y) for value in (point.low, point.high))
        spots.append(_Spot(point, plot.x(across), plot.y(up), low, high))
    return spots


def _edge(value: float | None, plot: Plot, scale: Scale) -> float | None:
    """Where an end of an interval is; one at zero on a logarithmic scale ends at the edge."""
    if value is None or math.isnan(value):
        return None
    place = scale.position(value)
    if place is None:
        return plot.bottom if value <= 0 else plot.top
    return max(plot.top, min(plot.bottom, plot.y(place)))


def _interval(spot: _Spot, look: Style) -> str:
    if spot.low is None or spot.high is None or spot.low - spot.high < 0.2:
        return ""
    left, right = spot.x - _CAP, spot.x + _CAP
    steps = (
        f"M{spot.x:.2f} {spot.low:.2f}V{spot.high:.2f}"
        f"M{left:.2f} {spot.low:.2f}H{right:.2f}M{left:.2f} {spot.high:.2f}H{right:.2f}"
    )
    return element("path", d=steps, stroke=look.colour, stroke_width=1, class_="interval")


def _band(spots: Sequence[_Spot], look: Style) -> str:
    """The intervals of a line without markers, as an area."""
    upper = [(spot.x, spot.high) for spot in spots if spot.high is not None]
    lower = [(spot.x, spot.low) for spot in spots if spot.low is not None]
    if len(upper) < 2 or len(lower) < 2:
        return ""
    outline = path([*upper, *reversed(lower)], close=True)
    return element("path", d=outline, fill=look.colour, fill_opacity=0.16, class_="band")


def _strokes(spots: Sequence[_Spot]) -> Iterator[Box]:
    """Small boxes along a line and its intervals."""
    for first, second in pairwise(spots):
        steps = max(1, min(60, int(math.hypot(second.x - first.x, second.y - first.y) / 3)))
        for step in range(steps):
            part = step / steps
            x = first.x + part * (second.x - first.x)
            y = first.y + part * (second.y - first.y)
            yield around(x, y, 0.8)
    for spot in spots:
        if spot.low is not None and spot.high is not None:
            yield Box(spot.x - _CAP, spot.high, spot.x + _CAP, spot.low)


def point_group(point: ChartPoint, title: str, drawn: str, series: str | None = None) -> str:
    """A point with its data, for the reader's pointer and for scripts."""
    return element(
        "g",
        element("title", escape(title)),
        drawn,
        class_="point",
        data_x=exact(point.x),
        data_y=exact(point.y),
        data_low=None if point.low is None else exact(point.low),
        data_high=None if point.high is None else exact(point.high),
        data_label=point.label or None,
        data_hollow="true" if point.hollow else None,
        data_series=series,
    )


def point_title(chart: LineChart, line: ChartLine, point: ChartPoint, numerals: Numerals) -> str:
    """What is shown when a point is pointed at: its label, or its values where it has none."""
    if point.label and not line.labelled:
        return f"{line.name}: {point.label}"
    values = f"{chart.x.label}: {numerals.plain(point.x, 4)}\n{chart.y.label}: {numerals.plain(point.y, 4)}"
    if point.low is not None and point.high is not None:
        values += f" ({numerals.plain(point.low, 4)} – {numerals.plain(point.high, 4)})"
    return f"{line.name}{f' – {point.label}' if point.label else ''}\n{values}"
