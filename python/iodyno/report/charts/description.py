"""What a chart shows, in the words and numbers that it has: good in every language."""

from __future__ import annotations

import math
from collections.abc import Iterable

from iodyno.report.charts.numerals import Numerals
from iodyno.report.document import BarChart, Chart, ChartPoint, LineChart

_DIGITS = 3


def name_of(chart: Chart) -> str:
    """Name a chart: its title, or its axes."""
    return chart.title or _axes(chart)


def describe(chart: Chart, numerals: Numerals) -> str:
    """Describe a chart: its axes, its series and from where to where their values reach.

    Parameters
    ----------
    chart
        What is drawn.
    numerals
        How numbers are written.

    Returns
    -------
    str
        ``Latency in ms – Outstanding I/Os. mean: 0.05 – 14; p99: 0.08 – 27.``
    """
    if isinstance(chart, BarChart):
        series = [(name, [_point(numerals, point, chart, at) for at, point in enumerate(points)])
                  for name, points in chart.rows]  # fmt: skip
        told = [f"{name}: {', '.join(values)}" for name, values in series]
    else:
        told = [_told(line.name, (point.y for point in line.points), numerals) for line in chart.lines]
    return ". ".join(part for part in (_axes(chart), "; ".join(told)) if part) + "."


def _axes(chart: Chart) -> str:
    return f"{chart.y.label} – {chart.x.label}" if isinstance(chart, LineChart) else chart.x.label


def _told(name: str, values: Iterable[float], numerals: Numerals) -> str:
    known = [value for value in values if math.isfinite(value)]
    if not known:
        return name
    low, high = (numerals.plain(value, _DIGITS) for value in (min(known), max(known)))
    return f"{name}: {low}" if low == high else f"{name}: {low} – {high}"


def _point(numerals: Numerals, point: ChartPoint, chart: BarChart, index: int) -> str:
    name = f"{chart.names[index]} " if index < len(chart.names) and len(chart.names) > 1 else ""
    return f"{name}{point.label or numerals.plain(point.y, _DIGITS)}"
