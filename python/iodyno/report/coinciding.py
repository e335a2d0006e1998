"""Lines of a figure that lie on each other: only the last that was drawn shows, so the caption says it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from iodyno.report.charts.numerals import Numerals, numerals
from iodyno.report.charts.scales import Scale, make_scale
from iodyno.report.document import Block, ChartLine, Figure, LineChart
from iodyno.report.messages import Messages

NEAR = 0.02
"""What two points may lie apart, as a share of the height of the plot: half of a marker."""


def with_coinciding(messages: Messages, block: Block) -> Block:
    """Say in the caption of a figure which lines lie on each other in each of its charts."""
    if not isinstance(block, Figure):
        return block
    charts = [chart for chart in block.charts if isinstance(chart, LineChart)]
    names = [line.name for line in charts[0].lines] if charts else []
    if any([line.name for line in chart.lines] != names for chart in charts):
        return block
    found = [group for group in _groups(names, charts, numerals(messages.language)) if len(group) > 1]
    if not found:
        return block
    caption = block.caption
    if len(found[0]) == len(names):
        return replace(block, caption=messages.say("{caption}; all lines coincide", caption=caption))
    quoted = iter(messages.quoted_alike([name for group in found for name in group]))
    told = messages.gathered([messages.listed([next(quoted) for _ in group]) for group in found])
    said = messages.say("{caption}; coinciding lines: {groups}", caption=caption, groups=told)
    return replace(block, caption=said)


def _groups(names: Sequence[str], charts: Sequence[LineChart], signs: Numerals) -> list[list[str]]:
    """Put together the names of lines that are near the first of their group everywhere."""
    groups: list[list[str]] = []
    for name in names:
        for group in groups:
            if all(_alike(chart, group[0], name, signs) for chart in charts):
                group.append(name)
                break
        else:
            groups.append([name])
    return groups


def _alike(chart: LineChart, one: str, other: str, signs: Numerals) -> bool:
    lines = {line.name: line for line in chart.lines}
    if one not in lines or other not in lines:
        return False
    scale = _scale(chart, signs)
    first, second = (_places(lines[name], scale) for name in (one, other))
    return first.keys() == second.keys() and all(abs(first[x] - second[x]) <= NEAR for x in first)


def _places(line: ChartLine, scale: Scale) -> dict[float, float]:
    """Give where the points are on the axis, by their x; what has no place on it is left out."""
    found = {point.x: scale.position(point.y) for point in line.points}
    return {x: place for x, place in found.items() if place is not None}


def _scale(chart: LineChart, signs: Numerals) -> Scale:
    """Give the axis as it is drawn: it reaches from mark to mark, however near its values are."""
    points = [point for line in chart.lines for point in line.points]
    values = [value for at in points for value in (at.y, at.low, at.high) if value is not None]
    return make_scale(chart.y, values, signs, zero=True)
