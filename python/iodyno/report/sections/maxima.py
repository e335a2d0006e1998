"""The maximum and the lowest load of every curve: as bars and as a table."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import chain

from iodyno.analysis.run import CurveAnalysis
from iodyno.report.context import Context
from iodyno.report.document import (
    Axis,
    BarChart,
    Block,
    Cell,
    ChartPoint,
    Column,
    Figure,
    Heading,
    Table,
    Text,
)
from iodyno.report.names import curve_details, curve_name, main_unit, marked, profile_name, tone
from iodyno.report.sections.result_tables import load_cell
from iodyno.report.sections.results import sweep_source

MOST_TOGETHER = 16
"""Rows of a chart up to which all profiles share one figure."""
MOST_ROWS = 24
"""Rows of a chart as wide as the page that is not taller than it."""


def blocks(context: Context) -> list[Block]:
    """Make the part: one figure where there is room for all bars, else one or more for each profile."""
    heading = Heading(2, context.messages.say("Maxima and lowest load"), "overall-maxima")
    units = [_of_unit(context, unit) for unit in ("IO/s", "MB/s")]
    if all(len(curves) <= MOST_TOGETHER for curves in units):
        return [heading, _together(context, [curves for curves in units if curves]), _table(context)]
    return [heading, _table(context), *chain.from_iterable(_apart(context, curves) for curves in units)]


def _of_unit(context: Context, unit: str) -> list[CurveAnalysis]:
    return [item for item in context.analysis.curves if main_unit(item.curve.profile) == unit]


def _together(context: Context, units: Sequence[Sequence[CurveAnalysis]]) -> Figure:
    """Draw all maxima beside the lowest load, one panel a unit."""
    say = context.messages.say
    return Figure(
        tuple(_chart(context, [(_name(context, item), item) for item in curves]) for curves in units),
        caption=say("Maximum over all loads, and the lowest load, of each profile"),
        alt=say(
            "Bar charts of the maximum and of the figure at the lowest load for each profile, as in the "
            "table below."
        ),
        key="figure-maxima",
    )


def _apart(context: Context, curves: Sequence[CurveAnalysis]) -> Iterator[Figure]:
    """Draw what one unit has, a profile at a time; profiles with one curve share their figures."""
    counts = Counter(_group(item) for item in curves)
    for group in dict.fromkeys(_group(item) for item in curves if counts[_group(item)] > 1):
        items = [item for item in curves if _group(item) == group]
        rows = [(curve_details(context.messages, item.curve), item) for item in items]
        yield from _figures(context, _group_name(context, items[0]), rows)
    yield from _figures(
        context, "", [(_name(context, item), item) for item in curves if counts[_group(item)] == 1]
    )


def _group(item: CurveAnalysis) -> tuple[str, str]:
    return item.curve.sweep, item.curve.profile.name


def _group_name(context: Context, item: CurveAnalysis) -> str:
    """Name a profile; where another sweep has it too, with the sweep."""
    name = profile_name(context.messages, item.curve.profile)
    sweeps = {other.curve.sweep for other in context.analysis.curves
              if other.curve.profile.name == item.curve.profile.name}  # fmt: skip
    if len(sweeps) == 1:
        return name
    title = str(sweep_source(context, item.curve.sweep).get("title") or item.curve.sweep)
    return f"{name} ({context.messages.known(title)})"


def _name(context: Context, item: CurveAnalysis) -> str:
    return curve_name(context.messages, item.curve)


def _figures(context: Context, name: str, rows: Sequence[tuple[str, CurveAnalysis]]) -> Iterator[Figure]:
    """Draw rows on as many pages as they need, all on the same axis; about as many on each."""
    say = context.messages.say
    pages = -(-len(rows) // MOST_ROWS)
    caption = say("Maximum over all loads, and the lowest load, of each profile")
    if name:
        caption = say("{profile}: maximum over all loads, and the lowest load", profile=name)
    reach = tuple(point.y for _, item in rows for point in _points(context, item)) if pages > 1 else ()
    for page in range(pages):
        shown = rows[page * len(rows) // pages : (page + 1) * len(rows) // pages]
        part = say("{caption}, part {part} of {parts}", caption=caption, part=str(page + 1), parts=str(pages))
        yield Figure(
            (_chart(context, shown, reach),),
            caption=part if pages > 1 else caption,
            alt=_alternative(context, name),
            key=f"figure-maxima-{shown[0][1].curve.key}",
        )


def _alternative(context: Context, name: str) -> str:
    say = context.messages.say
    if not name:
        return say(
            "A bar chart of the maximum and of the figure at the lowest load for each profile, as in the "
            "table of the maxima."
        )
    return say(
        "A bar chart of the maximum and of the figure at the lowest load of {profile}; its rows are rows of "
        "the table of the maxima.",
        profile=name,
    )


def _chart(
    context: Context, rows: Sequence[tuple[str, CurveAnalysis]], reach: tuple[float, ...] = ()
) -> BarChart:
    say = context.messages.say
    io_s = main_unit(rows[0][1].curve.profile) == "IO/s"
    label = say("Transaction rate in IO/s") if io_s else say("Throughput in MB/s")
    bars = tuple((name, _points(context, item)) for name, item in rows)
    return BarChart(Axis(label, reach=reach), bars, (say("lowest load"), say("maximum")))


def _points(context: Context, item: CurveAnalysis) -> tuple[ChartPoint, ...]:
    return tuple(
        ChartPoint(
            x=0,
            y=point.main.value,
            low=point.main.low if point.main.half_width is not None else None,
            high=point.main.high if point.main.half_width is not None else None,
            label=marked(context.numbers.estimate(point.main), point),
            hollow=not point.steady,
        )
        for point in (item.curve.lowest, item.maximum.at)
    )


def _table(context: Context) -> Table:
    say = context.messages.say
    return Table(
        columns=(
            Column(say("Load profile")),
            Column(say("Unit")),
            Column(say("Lowest load"), "right"),
            Column(say("Interval"), "right"),
            Column(say("Latency there"), "right", "ms"),
            Column(say("Maximum"), "right"),
            Column(say("Interval"), "right"),
            Column(say("At outstanding I/Os"), "right"),
            Column(say("Latency there"), "right", "ms"),
            Column(say("Factor"), "right"),
        ),
        rows=tuple(_row(context, item) for item in context.analysis.curves),
        caption=say("Lowest load and maximum of each profile"),
        key="table-maxima",
        notes=(
            say("Factor: maximum ÷ figure at the lowest load. 1 MB/s = 2²⁰ bytes/s."),
            say("* capped, † not steady, ‡ disturbed."),
            *_missing_factor(context),
        ),
    )


def _missing_factor(context: Context) -> tuple[Text, ...]:
    if all(item.growth is not None and item.growth.known for item in context.analysis.curves):
        return ()
    return (
        context.messages.say(
            "– as a factor: the interval of one of the two figures is missing, or that of the lowest load "
            "reaches 100% and so zero."
        ),
    )


def _row(context: Context, item: CurveAnalysis) -> tuple[Cell, ...]:
    numbers, low, top = context.numbers, item.curve.lowest, item.maximum.at
    return (
        Cell(curve_name(context.messages, item.curve), strong=True),
        Cell(main_unit(item.curve.profile)),
        Cell(marked(numbers.estimate(low.main), low), tone=tone(low)),
        Cell(numbers.half_width(low.main)),
        Cell(numbers.estimate(low.latency_ms_mean)),
        Cell(marked(numbers.estimate(top.main), top), tone=tone(top), strong=True),
        Cell(numbers.half_width(top.main)),
        load_cell(context, top),
        Cell(numbers.estimate(top.latency_ms_mean)),
        Cell(numbers.quotient(item.growth)),
    )
