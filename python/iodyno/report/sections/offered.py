"""Open loops side by side: response times over the rates that were offered, as chart and table."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from iodyno.analysis.figures import PointFigures
from iodyno.analysis.layout import TOGETHER_UP_TO
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
from iodyno.report.names import marked, marks_note, ms_text, place_name, tone
from iodyno.report.sections.result_charts import load_axis
from iodyno.report.sections.result_tables import time_cell
from iodyno.report.sentences.loads import load
from iodyno.report.sentences.offered import RESPONSE_SHARE, paragraph, rate_share
from iodyno.report.shared_words import told_apart

Names = Mapping[str, str]
"""By the key of a curve, its name among those that it stands with."""


def blocks(context: Context, items: Sequence[CurveAnalysis], level: int) -> list[Block]:
    """Make a part for each load profile: words, a chart where it can hold the curves, and the table."""
    profiles = dict.fromkeys(loaded_name(context.messages, item.curve) for item in items)
    return [
        block
        for name in profiles
        for block in _profile(
            context,
            name,
            [item for item in items if loaded_name(context.messages, item.curve) == name],
            level,
        )
    ]


def _profile(context: Context, name: str, items: Sequence[CurveAnalysis], level: int) -> list[Block]:
    messages, key = context.messages, items[0].curve.key
    shared, short = told_apart([curve_details(messages, item.curve) or name for item in items])
    named = {item.curve.key: text for item, text in zip(items, short, strict=True)}
    title = messages.say("{profile}: response times at offered rates", profile=name)
    common = messages.say("All configurations here: {shared}.", shared=shared) if shared else ""
    charted = len(items) <= TOGETHER_UP_TO and all(len(item.curve.points) > 1 for item in items)
    known = any(at.response_time_ms_mean is not None for item in items for at in item.curve.points)
    shown: list[Figure | Table] = [_figure(context, title, items, named)] if charted and known else []
    shown.append(_table(context, title, items, named))
    text = messages.flow((common, paragraph(messages, items, lambda item: named[item.curve.key])))
    words = messages.see(text, *(block.key for block in shown))
    return [Heading(level, title, f"offered-{key}"), Paragraph(words), *shown]


def _figure(context: Context, title: str, items: Sequence[CurveAnalysis], named: Names) -> Figure:
    """Draw mean and percentile of the response times; not the percentile where no point has I/Os enough."""
    say, numbers = context.messages.say, context.numbers
    percentile = numbers.percentile(RESPONSE_SHARE)
    panels = (
        (say("Mean response time"), say("Mean response time in ms"), lambda at: at.response_time_ms_mean),
        (
            say("Response time {percentile}", percentile=percentile),
            say("Response time {percentile} in ms", percentile=percentile),
            lambda at: at.response_time_ms_at(RESPONSE_SHARE),
        ),
    )
    x = load_axis(context, *(item.curve for item in items))
    charts = (
        LineChart(
            x,
            Axis(label, "log10"),
            tuple(ChartLine(named[item.curve.key], _points(context, item, value)) for item in items),
            title=name,
        )
        for name, label, value in panels
    )
    known = tuple(chart for chart in charts if any(line.points for line in chart.lines))
    names = context.messages.listed(list(named.values()))
    both = say(
        "Two line charts over the offered rate, one line each for {names}: left the mean response time, "
        "right its percentile. All values are in the table below.",
        names=names,
    )
    one = say(
        "A line chart of the mean response time over the offered rate, one line each for {names}. All values "
        "are in the table below.",
        names=names,
    )
    return Figure(
        charts=known,
        caption=title,
        alt=both if len(known) > 1 else one,
        key=f"figure-offered-{items[0].curve.key}",
        floats=True,
    )


def _points(
    context: Context, item: CurveAnalysis, value: Callable[[PointFigures], float | None]
) -> tuple[ChartPoint, ...]:
    messages = context.messages
    return tuple(
        ChartPoint(
            x=at.point.rate_io_s or 0.0,
            y=shown,
            label=f"{load(messages, at)}: {ms_text(messages, shown)}",
            hollow=not at.steady,
        )
        for at in item.curve.points
        if (shown := value(at)) is not None
    )


def _table(context: Context, title: str, items: Sequence[CurveAnalysis], named: Names) -> Table:
    say, points = context.messages.say, [at for item in items for at in item.curve.points]
    shares = any(rate_share(at) is not None for at in points)
    simulated = any(at.simulation for at in points)
    percentile = context.numbers.percentile(RESPONSE_SHARE)
    return Table(
        columns=(
            Column(say("Configuration")),
            *((Column(say("Share"), "right"),) if shares else ()),
            Column(say("Offered rate"), "right", "IO/s"),
            Column(say("Transaction rate"), "right", "IO/s"),
            Column(say("Mean latency"), "right", "ms"),
            Column(say("Mean response time"), "right", "ms"),
            Column(say("Response time {percentile}", percentile=percentile), "right", "ms"),
            *((Column(say("Busiest station")),) if simulated else ()),
        ),
        rows=tuple(
            _row(context, at, named[item.curve.key] if at is item.curve.lowest else "", shares, simulated)
            for item in items
            for at in item.curve.points
        ),
        caption=title,
        key=f"table-offered-{items[0].curve.key}",
        notes=_notes(context, points, shares=shares),
    )


def _row(context: Context, at: PointFigures, name: str, shares: bool, simulated: bool) -> tuple[Cell, ...]:
    numbers, share = context.numbers, rate_share(at)
    return (
        Cell(name, strong=True),
        *((Cell("–" if share is None else numbers.chosen(share)),) if shares else ()),
        Cell(numbers.asked(at.point.rate_io_s or 0.0)),
        Cell(marked(numbers.estimate(at.transaction_rate_io_s), at), tone=tone(at)),
        Cell(numbers.latency(at.latency_ms_mean)),
        time_cell(context, at.response_time_ms_mean),
        time_cell(context, at.response_time_ms_at(RESPONSE_SHARE)),
        *((Cell(_busiest(context, at)),) if simulated else ()),
    )


def _busiest(context: Context, at: PointFigures) -> str:
    """Name the place of the busiest station, and how busy it is."""
    found = at.simulation.busiest if at.simulation else None
    if found is None:
        return "–"
    busy = context.numbers.percent(found.utilisation_max, 0)
    return f"{place_name(context.messages, found.place, short=True)} {busy}"


def _notes(context: Context, points: Sequence[PointFigures], *, shares: bool) -> tuple[Text, ...]:
    say = context.messages.say
    notes = [say("The response time counts from the intended start of an I/O, the latency from its issue.")]
    if shares:
        notes.append(say("Share: of the greatest rate of the closed loop."))
    return (*notes, *marks_note(context.messages, points))
