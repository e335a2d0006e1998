"""What every chart has: title, legend, axes and grid around a plot."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from iodyno.report.charts.palette import Style, Theme
from iodyno.report.charts.scales import Scale, Tick
from iodyno.report.charts.svg import element, escape
from iodyno.report.layout.metrics import shorten, text_width, wrap

FONT = "IBM Plex Sans, Noto Sans CJK JP"
TITLE_SIZE, TEXT_SIZE, SMALL_SIZE = 11.5, 10.0, 9.0
LINE, MARGIN = 13.0, 3.0
_SAMPLE = 24.0


@dataclass(frozen=True)
class Plot:
    """The rectangle in which values are drawn, and the room inside it that stays free of them."""

    left: float
    top: float
    right: float
    bottom: float
    inset: float = 0.0
    """Free on the left and on the right, so that no marker meets the edge."""
    headroom: float = 0.0
    """Free at the top, for the names of shaded ranges."""
    footroom: float = 0.0
    """Free at the bottom, so that no marker stands on the axis."""

    def x(self, position: float) -> float:
        """Where a position of 0 to 1 on the x axis is."""
        return self.left + self.inset + position * (self.right - self.left - 2 * self.inset)

    def y(self, position: float) -> float:
        """Where a position of 0 to 1 on the y axis is."""
        return (
            self.bottom - self.footroom - position * (self.bottom - self.footroom - self.top - self.headroom)
        )


def label_text(text: str, x: float, y: float, fill: str, *, anchor: str = "start", bold: bool = False,
               size: float = TEXT_SIZE, halo: str | None = None) -> str:  # fmt: skip
    """A line of text; in a colour of the paper around it, where it may lie on a line of the grid."""
    return element(
        "text",
        escape(text),
        x=x,
        y=y,
        fill=fill,
        font_size=size,
        text_anchor=None if anchor == "start" else anchor,
        font_weight="600" if bold else None,
        stroke=halo,
        stroke_width=2.5 if halo else None,
        stroke_linejoin="round" if halo else None,
        paint_order="stroke" if halo else None,
    )


def title_lines(title: str, width: float) -> tuple[str, ...]:
    """Break the title of a chart."""
    return wrap(title, TITLE_SIZE, width - 2 * MARGIN, bold=True) if title else ()


def legend_rows(names: Sequence[str], width: float) -> list[list[tuple[int, str, float]]]:
    """Set the entries of a legend into rows: number of the series, its name, where it begins."""
    rows: list[list[tuple[int, str, float]]] = [[]]
    x = MARGIN
    for index, name in enumerate(names):
        text = shorten(name, TEXT_SIZE, width - _SAMPLE - 2 * MARGIN - 5)
        needs = _SAMPLE + 5 + text_width(text, TEXT_SIZE)
        if rows[-1] and x + needs > width - MARGIN:
            rows.append([])
            x = MARGIN
        rows[-1].append((index, text, x))
        x += needs + 14
    return [row for row in rows if row]


def line_sample(x: float, y: float, style: Style, *, markers: bool) -> str:
    """The piece of a line that stands in a legend."""
    middle = x + _SAMPLE / 2
    line = element(
        "path",
        d=f"M{x:g} {y:g}h{_SAMPLE:g}",
        stroke=style.colour,
        stroke_width=1.6,
        stroke_dasharray=style.dash,
    )
    return line + (marker(middle, y, style, style.colour) if markers else "")


def marker(x: float, y: float, style: Style, fill: str) -> str:
    """A marker; one filled with the colour of the paper is hollow."""
    return element(
        "path",
        d=style.marker_path,
        transform=f"translate({x:.2f} {y:.2f})",
        fill=fill,
        stroke=style.colour,
        stroke_width=1.3,
    )


def legend_names(rows: list[list[tuple[int, str, float]]], top: float, theme: Theme) -> str:
    """The names of a legend; the samples are drawn by the chart."""
    return "".join(
        label_text(name, x + _SAMPLE + 5, top + LINE * row + 9.5, theme["ink"])
        for row, entries in enumerate(rows)
        for _, name, x in entries
    )


def x_axis(plot: Plot, scale: Scale, label: str, theme: Theme, *, grid: bool) -> str:
    """Ticks, their labels and the name of the axis below the plot."""
    drawn = [
        element(
            "path", d=f"M{plot.left:g} {plot.bottom:g}H{plot.right:g}", stroke=theme["axis"], stroke_width=1
        )
    ]
    shown = _without_overlap(scale.ticks, scale, plot)
    for tick in scale.ticks:
        x = plot.x(_place(scale, tick))
        if grid and tick.label:
            drawn.append(_line(x, plot.top, x, plot.bottom, theme["grid"]))
        drawn.append(_line(x, plot.bottom, x, plot.bottom + (4 if tick.label else 2.5), theme["axis"]))
        if tick in shown:
            drawn.append(label_text(tick.label, x, plot.bottom + 14, theme["muted"], anchor="middle"))
    middle = (plot.left + plot.right) / 2
    half = text_width(label, TEXT_SIZE) / 2
    middle = max(middle, MARGIN + half)
    return "".join(drawn) + label_text(label, middle, plot.bottom + 29, theme["muted"], anchor="middle")


def _place(scale: Scale, tick: Tick) -> float:
    place = scale.position(tick.value)
    assert place is not None, f"the tick {tick.value} has no place on its axis"
    return place


def _without_overlap(ticks: Sequence[Tick], scale: Scale, plot: Plot) -> list[Tick]:
    """Every label, or those of powers of two, or every second of them, or of all, or every third …: the first
    choice whose labels do not meet."""
    labelled = [tick for tick in ticks if tick.label]
    doubled = [tick for tick in labelled if tick.value > 0 and math.log2(tick.value).is_integer()]
    choices = [labelled]
    for of in (doubled if len(doubled) > 2 else [], labelled):
        choices += [of[::every] for every in range(1, len(of)) if len(of[::every]) > 2 or of is labelled]
    for chosen in choices:
        ends = [(plot.x(_place(scale, tick)), text_width(tick.label, TEXT_SIZE) / 2 + 2.5) for tick in chosen]
        if all(x + half <= after - room for (x, half), (after, room) in pairwise(ends)):
            return chosen
    return labelled[:1]


def y_axis(plot: Plot, scale: Scale, label: str, theme: Theme) -> str:
    """Grid, labels at the left of the plot, and the name of the axis on top of it."""
    drawn = [label_text(label, MARGIN, plot.top - 8, theme["muted"])] if label else []
    if any(not tick.label for tick in scale.ticks):
        drawn.append(_line(plot.left, plot.top, plot.left, plot.bottom, theme["axis"]))
    for tick in scale.ticks:
        y = plot.y(_place(scale, tick))
        if not tick.label:
            drawn.append(_line(plot.left - 2.5, y, plot.left, y, theme["axis"]))
            continue
        drawn.append(_line(plot.left, y, plot.right, y, theme["grid"]))
        drawn.append(label_text(tick.label, plot.left - 6, y + 3.5, theme["muted"], anchor="end"))
    return "".join(drawn)


def _line(x1: float, y1: float, x2: float, y2: float, colour: str) -> str:
    return element("path", d=f"M{x1:.2f} {y1:.2f}L{x2:.2f} {y2:.2f}", stroke=colour, stroke_width=1)


def label_room(scale: Scale) -> float:
    """The width that the labels of a y axis need, with the gap to the plot."""
    return max((text_width(tick.label, TEXT_SIZE) for tick in scale.ticks), default=0.0) + 8


def document(
    body: str, width: float, height: float, *, ident: str, name: str, description: str, theme: Theme
) -> str:
    """Wrap a drawing into an SVG with its name and its description."""
    texts = element("title", escape(name), id=f"{ident}-title")
    texts += element("desc", escape(description), id=f"{ident}-desc") if description else ""
    described = f"{ident}-desc" if description else None
    content = element("g", body, font_family=FONT, font_size=TEXT_SIZE, fill="none")
    return element(
        "svg",
        texts if theme.interactive else "",
        content,
        xmlns="http://www.w3.org/2000/svg",
        viewBox=f"0 0 {width:g} {height:g}",
        width=width,
        height=height,
        role="img",
        aria_labelledby=f"{ident}-title" if theme.interactive else None,
        aria_describedby=described if theme.interactive else None,
    )
