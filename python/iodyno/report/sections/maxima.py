"""The maximum and the lowest load of every curve: as bars and as a table."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

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
    Link,
    Paragraph,
    Table,
    Text,
)
from iodyno.report.names import main_unit, marked, marks_note, state_name, tone
from iodyno.report.sections.result_tables import each_note, load_cell, loads_column, unfinished_note


def blocks(context: Context) -> list[Block]:
    """Make the part: bars and a table. A run of many curves shows its maxima among the results instead.

    Open loops whose rates are all served have no maximum.
    """
    if context.analysis.one_load:
        return _of_one_load(context)
    looking = tuple(item for item in context.analysis.curves if not item.asked)
    if not looking:
        return []
    served = _served_alone(context, looking)
    context = replace(context, analysis=replace(context.analysis, curves=looking))
    heading = Heading(2, context.messages.say("Maxima and lowest load"), "overall-maxima")
    units = [_of_unit(context, unit) for unit in ("IO/s", "MB/s")]
    figure, table = _together(context, [curves for curves in units if curves]), _table(context)
    text = context.messages.compose(
        "{figure} and {table} set the maximum of each profile beside the figure at its lowest load.",
        figure=Link("", figure.key),
        table=Link("", table.key),
    )
    return [heading, Paragraph(text), *([Paragraph(served)] if served else []), figure, table]


def _served_alone(context: Context, looking: Sequence[CurveAnalysis]) -> str:
    """Name the open loops without a maximum that no closed loop stands beside; empty where there is none."""
    known = {(item.curve.profile.name, item.curve.first.system) for item in looking}
    names = [
        _name(context, item)
        for item in context.analysis.curves
        if (item.curve.profile.name, item.curve.first.system) not in known
    ]
    if not names:
        return ""
    return context.messages.say_n(
        "Every rate that was offered is served, and the maximum is not known: {names}.",
        "Every rate that was offered is served, and the maxima are not known: {names}.",
        len(names),
        names=context.messages.names(names),
    )


def _of_one_load(context: Context) -> list[Block]:
    """Make the part where no profile has more than one load: nothing grows, and nothing is a maximum.

    Of one profile alone its own section has said it.
    """
    if len(context.analysis.curves) == 1:
        return []
    say, numbers, items = context.messages.say, context.numbers, context.analysis.curves
    table = Table(
        columns=(
            Column(say("Load profile")),
            loads_column(context, [item.curve for item in items]),
            Column(say("Transaction rate"), "right", "IO/s"),
            Column(say("Throughput"), "right", "MB/s"),
            Column(say("Interval"), "right"),
            Column(say("Mean latency"), "right", "ms"),
            Column(say("Verdict")),
        ),
        rows=tuple(
            (
                Cell(context.names_of_curves[item.curve.key], strong=True),
                load_cell(context, at, [other.curve for other in items]),
                Cell(numbers.estimate(at.transaction_rate_io_s)),
                Cell(numbers.estimate(at.throughput_mb_s)),
                Cell(numbers.half_width(at.main)),
                Cell(numbers.latency(at.latency_ms_mean)),
                Cell(state_name(context.messages, at.verdict.state), tone=tone(at)),
            )
            for item in items
            for at in item.curve.points
        ),
        caption=say("What each profile reaches at its load"),
        key="table-maxima",
        notes=(say("1 MB/s = 2²⁰ bytes/s."),),
    )
    text = context.messages.compose(
        "Each profile has one load; {table} says what it reaches there.", table=Link("", table.key)
    )
    return [Heading(2, say("Figures of each profile"), "overall-maxima"), Paragraph(text), table]


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


def _name(context: Context, item: CurveAnalysis) -> str:
    return context.names_of_curves[item.curve.key]


def _chart(context: Context, rows: Sequence[tuple[str, CurveAnalysis]]) -> BarChart:
    say = context.messages.say
    io_s = main_unit(rows[0][1].curve.profile) == "IO/s"
    label = say("Transaction rate in IO/s") if io_s else say("Throughput in MB/s")
    bars = tuple((name, _points(context, item)) for name, item in rows)
    return BarChart(Axis(label), bars, (say("lowest load"), say("maximum")))


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
            loads_column(context, [item.curve for item in context.analysis.curves], at=True),
            Column(say("Latency there"), "right", "ms"),
            Column(say("Factor"), "right"),
        ),
        rows=tuple(_row(context, item) for item in context.analysis.curves),
        caption=say("Lowest load and maximum of each profile"),
        key="table-maxima",
        notes=(
            say("Factor: maximum ÷ figure at the lowest load. 1 MB/s = 2²⁰ bytes/s."),
            *marks_note(
                context.messages,
                (at for item in context.analysis.curves for at in (item.curve.lowest, item.maximum.at)),
            ),
            *unfinished_note(context, context.analysis.curves),
            *each_note(context, [item.curve for item in context.analysis.curves]),
            *_missing_factor(context),
        ),
    )


def _missing_factor(context: Context) -> tuple[Text, ...]:
    items = (item for item in context.analysis.curves if item.maximum.at is not item.curve.lowest)
    if all(item.growth is not None and item.growth.known for item in items):
        return ()
    return (
        context.messages.say(
            "– as a factor: the interval of one of the two figures is missing, or that of the lowest load "
            "reaches 100% and so zero."
        ),
    )


def _row(context: Context, item: CurveAnalysis) -> tuple[Cell, ...]:
    """Make a row; a maximum that is the lowest load itself is once as much, without an interval."""
    numbers, low, top = context.numbers, item.curve.lowest, item.maximum.at
    return (
        Cell(context.names_of_curves[item.curve.key], strong=True),
        Cell(main_unit(item.curve.profile)),
        Cell(marked(numbers.estimate(low.main), low), tone=tone(low)),
        Cell(numbers.half_width(low.main)),
        Cell(numbers.latency(low.latency_ms_mean)),
        Cell(marked(numbers.estimate(top.main), top), tone=tone(top), strong=True),
        Cell(numbers.half_width(top.main)),
        load_cell(context, top, [other.curve for other in context.analysis.curves]),
        Cell(numbers.latency(top.latency_ms_mean)),
        Cell(numbers.significant(1.0) if top is low else numbers.quotient(item.growth)),
    )
