"""Several curves in one chart, with a table of their lowest loads, maxima and quotients."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from iodyno.analysis.common_load import begin_apart, lowest_common, unlike_loads
from iodyno.analysis.estimate import quotient
from iodyno.analysis.figures import PointFigures
from iodyno.analysis.layout import Group
from iodyno.analysis.maxima import WIDEST_SHARE
from iodyno.analysis.ranking import whole
from iodyno.analysis.run import CurveAnalysis
from iodyno.report.context import Context
from iodyno.report.curve_names import curve_details, loaded_name
from iodyno.report.document import (
    Axis,
    Block,
    Cell,
    ChartLine,
    ChartPoint,
    Column,
    Figure,
    Heading,
    LineChart,
    Paragraph,
    Table,
    Text,
)
from iodyno.report.names import main_unit, marked, marks_note, ms_text, own_workers, tone
from iodyno.report.sections.areas import unlike_areas_note
from iodyno.report.sections.result_charts import far_apart, load_axis, load_of, main_label, rate_points
from iodyno.report.sections.result_tables import (
    each_note,
    in_all_note,
    load_cell,
    loads_column,
    reads_higher,
    time_cell,
    unfinished_note,
)
from iodyno.report.sentences.loads import load, load_in_all
from iodyno.report.sentences.side_by_side import latency_note, limit_name, side_paragraph
from iodyno.report.shared_words import told_apart

TAIL = 0.99
"""The percentile of the latency that stands beside the mean."""


def blocks(context: Context, group: Group, level: int) -> list[Block]:
    """Make the part of a group: heading, what the curves show side by side, charts and table."""
    key = group.items[0].curve.key
    shared, short = told_apart([_name(context, group, item) for item in group.items])
    named = {item.curve.key: name for item, name in zip(group.items, short, strict=True)}
    text = side_paragraph(context.messages, whole(group.items), lambda item: named[item.curve.key])
    made: list[Block] = [Heading(level, title(context, group), f"side-{key}")]
    common = context.messages.say("All configurations here: {shared}.", shared=shared) if shared else ""
    charted = all(len(item.curve.points) > 1 for item in group.items)
    figures = [_figure(context, group, named)] if charted else []
    shown: list[Figure | Table] = [*figures, _table(context, group, named)]
    words = context.messages.flow((common, text))
    return [*made, Paragraph(context.messages.see(words, *(block.key for block in shown))), *shown]


def _of_a_profile(group: Group) -> bool:
    """Tell whether a group's title names a profile, not what is measured."""
    return group.by == "profile" or len(group.items) == 1


def title(context: Context, group: Group) -> str:
    """Name a group by what its curves have in common, with their system where that is one."""
    first = group.items[0].curve
    if group.by == "profile":
        return loaded_name(context.messages, first)
    throughput = first.profile.shown_as == "throughput"
    say = context.messages.say
    unit = say("Throughput") if throughput else say("Transaction rate")
    what = loaded_name(context.messages, first) if _of_a_profile(group) else unit
    if group.by != "system":
        return what
    return context.messages.enumerated([what, context.messages.titled(first.configuration)])


def _name(context: Context, group: Group, item: CurveAnalysis) -> str:
    """Name a curve among those of its group, with its workers where others have other ones."""
    messages = context.messages
    profile = loaded_name(messages, item.curve)
    details = curve_details(messages, item.curve)
    if group.by == "profile":
        return details or profile
    shown = details if group.by == "unit" else ""
    first = item.curve.first
    differ = any(other.curve.first.workers != first.workers for other in group.items)
    own = own_workers(messages, first) if differ and not (shown and "workers" in item.curve.told) else ""
    return messages.enumerated([profile, shown, own])


def _caption(context: Context, group: Group) -> str:
    """Say what the lines show; a title that begins with the measure is not told it again."""
    messages, first = context.messages, group.items[0].curve
    throughput = first.profile.shown_as == "throughput"
    values = {
        "what": title(context, group),
        "confidence": context.numbers.chosen(group.items[0].maximum.at.confidence),
    }
    if _of_a_profile(group):
        measure = messages.say("throughput") if throughput else messages.say("transaction rate")
        return messages.say(
            "{what}: {measure} with intervals of {confidence}, and mean latency over the load",
            measure=measure,
            **values,
        )
    return messages.say("{what}, with intervals of {confidence}, and mean latency over the load", **values)


def _figure(context: Context, group: Group, named: Mapping[str, str]) -> Figure:
    messages, first = context.messages, group.items[0].curve
    in_all = unlike_loads([item.curve for item in group.items])
    rates = tuple(
        ChartLine(named[item.curve.key], rate_points(context, item.curve, in_all=in_all))
        for item in group.items
    )
    times = tuple(
        ChartLine(named[item.curve.key], _latencies(context, item, in_all=in_all)) for item in group.items
    )
    x = load_axis(context, *(item.curve for item in group.items))
    throughput = first.profile.shown_as == "throughput"
    measure = messages.say("Throughput") if throughput else messages.say("Transaction rate")
    latency = messages.say("Mean latency")
    maxima = [item.maximum.at.main.value for item in group.items]
    main = Axis(main_label(context, first), "log10" if far_apart(maxima) else "linear")
    return Figure(
        charts=(
            LineChart(x, main, rates, title=measure),
            LineChart(x, Axis(messages.say("Mean latency in ms"), "log10"), times, title=latency),
        ),
        caption=_caption(context, group),
        alt=messages.say(
            "Two line charts over the load, one line each for {names}: left the main figure, right the mean "
            "latency. Lowest loads and maxima are in the table below.",
            names=messages.listed(list(named.values())),
        ),
        key=f"figure-side-{first.key}",
        floats=True,
    )


def _latencies(context: Context, item: CurveAnalysis, *, in_all: bool) -> tuple[ChartPoint, ...]:
    told = load_in_all if in_all else load
    return tuple(
        ChartPoint(
            x=load_of(at, in_all=in_all),
            y=at.latency_ms_mean.value,
            label=f"{told(context.messages, at)}: {ms_text(context.messages, at.latency_ms_mean.value)}",
            hollow=not at.steady,
        )
        for at in item.curve.points
        if at.latency_ms_mean.value
    )


def _table(context: Context, group: Group, named: Mapping[str, str]) -> Table:
    say, unit = context.messages.say, main_unit(group.items[0].curve.profile)
    head = say("Load profile") if group.by != "profile" else say("Configuration")
    return Table(
        columns=(
            Column(head),
            Column(say("Lowest load"), "right", unit),
            Column(say("Latency"), "right", "ms"),
            Column(say("Maximum"), "right", unit),
            Column(say("Interval"), "right"),
            loads_column(context, [item.curve for item in group.items], at=True),
            Column(say("Latency"), "right", "ms"),
            Column(context.numbers.percentile(TAIL), "right", "ms"),
            Column(say("Quotient"), "right"),
            Column(say("Limit")),
        ),
        rows=_rows(context, group, named),
        caption=say("{what}: lowest load and maximum", what=title(context, group)),
        key=f"table-side-{group.items[0].curve.key}",
        notes=_notes(context, group, named),
    )


def _rows(context: Context, group: Group, named: Mapping[str, str]) -> tuple[tuple[Cell, ...], ...]:
    return tuple(_row(context, group, item, named[item.curve.key]) for item in group.items)


def _row(context: Context, group: Group, item: CurveAnalysis, name: str) -> tuple[Cell, ...]:
    numbers, low, top = context.numbers, item.curve.lowest, item.maximum.at
    first = group.items[0]
    ratio = "–" if item is first else numbers.quotient(quotient(top.main, first.maximum.at.main))
    return (
        Cell(name, strong=True),
        Cell(_lowest(context, group, low), tone=tone(low)),
        Cell(numbers.latency(low.latency_ms_mean)),
        Cell(marked(numbers.estimate(top.main), top), tone=tone(top), strong=True),
        Cell(numbers.half_width(top.main)),
        _at_cell(context, group, top),
        Cell(numbers.latency(top.latency_ms_mean)),
        time_cell(context, top.latency_ms_at(TAIL)),
        Cell(ratio),
        Cell(limit_name(context.messages, item, short=True)),
    )


def _lowest(context: Context, group: Group, low: PointFigures) -> str:
    """Write the figure at the lowest load; with the load where others of the group begin at another."""
    figure = marked(context.numbers.estimate(low.main), low)
    if not begin_apart([item.curve for item in group.items]) or low.point.rate_io_s is not None:
        return figure
    total = context.numbers.integer(low.point.outstanding_total)
    return context.messages.remarked(figure, total)


def _at_cell(context: Context, group: Group, top: PointFigures) -> Cell:
    """Give the load of a maximum as the chart has it: of unlike loads all I/Os that are outstanding."""
    curves = [item.curve for item in group.items]
    if unlike_loads(curves) and top.point.rate_io_s is None:
        return Cell(context.numbers.integer(top.point.outstanding_total))
    return load_cell(context, top, curves)


def _notes(context: Context, group: Group, named: Mapping[str, str]) -> tuple[Text, ...]:
    say = context.messages.say
    notes: list[Text] = []
    curves = [item.curve for item in group.items]
    if len(group.items) > 1:
        notes.append(
            say(
                "Quotient: maximum ÷ that of {first}, with its interval.",
                first=named[group.items[0].curve.key],
            )
        )
    if begin_apart(curves):
        notes.append(say("Lowest load: in brackets how many I/Os are outstanding in all."))
    notes += in_all_note(context) if unlike_loads(curves) else each_note(context, curves)
    notes += unlike_areas_note(context.messages, group.items)
    return (
        *notes,
        *latency_note(context.messages, group.items, short=True),
        *too_wide_note(context, group.items),
        *unfinished_note(context, group.items),
        *marks_note(context.messages, [*_own_points(group.items), *lowest_common(curves)]),
    )


def too_wide_note(context: Context, items: Sequence[CurveAnalysis]) -> tuple[Text, ...]:
    """Count the points that read higher than the maximum of their curve and are too little known to be it."""
    higher = (point for item in items for point in reads_higher(context, item))
    count = sum(point.verdict.state != "disturbed" for point in higher)
    if not count:
        return ()
    return (
        context.messages.say_n(
            "{count} point is higher and does not count as a maximum: its interval is wider than {share}, or "
            "it has none. A larger {option} makes it narrower.",
            "{count} points are higher and do not count as maxima: their intervals are wider than {share}, "
            "or they have none. A larger {option} makes them narrower.",
            count,
            share=context.numbers.within(WIDEST_SHARE),
            option="--cap-ios" if context.run.simulated else "--cap",
        ),
    )


def _own_points(items: Sequence[CurveAnalysis]) -> list[PointFigures]:
    return [at for item in items for at in (item.curve.lowest, item.maximum.at)]
