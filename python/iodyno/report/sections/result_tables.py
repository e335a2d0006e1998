"""The numbers of a profile: rates over the load, and percentiles of the latency."""

from __future__ import annotations

from iodyno.analysis.curves import Curve
from iodyno.analysis.figures import PERCENTILES, PointFigures
from iodyno.analysis.run import CurveAnalysis
from iodyno.report.context import Context
from iodyno.report.document import Cell, Column, Table, Text
from iodyno.report.names import curve_name, state_name, tone


def load_table(context: Context, item: CurveAnalysis) -> Table:
    """Make the table of rate, throughput and mean latency over the load."""
    say, curve = context.messages.say, item.curve
    top = item.maximum.at
    return Table(
        columns=(
            load_column(context, curve),
            Column(say("Transaction rate"), "right", "IO/s"),
            Column(say("Throughput"), "right", "MB/s"),
            Column(say("Interval"), "right"),
            Column(say("Mean latency"), "right", "ms"),
            Column(context.numbers.percentile(0.99), "right", "ms"),
            Column(say("Verdict")),
        ),
        rows=tuple(_load_row(context, point, strong=point is top) for point in curve.points),
        caption=say("{profile}: rate and latency over the load", profile=curve_name(context.messages, curve)),
        key=f"table-load-{curve.key}",
        notes=_notes(context, item),
    )


def latency_table(context: Context, item: CurveAnalysis) -> Table:
    """Make the table of the percentiles of the latency over the load."""
    say, curve = context.messages.say, item.curve
    shares = _supported_anywhere(curve)
    return Table(
        columns=(
            load_column(context, curve),
            *(Column(context.numbers.percentile(share), "right", "ms") for share in shares),
            Column(say("Longest"), "right", "ms"),
            Column(say("I/Os"), "right"),
        ),
        rows=tuple(_latency_row(context, point, shares) for point in curve.points),
        caption=say(
            "{profile}: latency within which a share of the I/Os completed",
            profile=curve_name(context.messages, curve),
        ),
        key=f"table-latency-{curve.key}",
    )


def load_column(context: Context, curve: Curve) -> Column:
    """Give the column of the load."""
    say = context.messages.say
    if curve.open_loop:
        return Column(say("Offered rate"), "right", "IO/s")
    return Column(say("Outstanding I/Os"), "right")


def load_cell(context: Context, item: PointFigures, *, strong: bool = False) -> Cell:
    """Give the cell of the load."""
    if item.point.rate_io_s is not None:
        return Cell(context.numbers.significant(item.point.rate_io_s, 4), strong=strong)
    return Cell(context.numbers.integer(item.outstanding), strong=strong)


def _load_row(context: Context, item: PointFigures, *, strong: bool) -> tuple[Cell, ...]:
    numbers, p99 = context.numbers, item.latency_ms_at(0.99)
    return (
        load_cell(context, item, strong=strong),
        Cell(numbers.estimate(item.transaction_rate_io_s), strong=strong),
        Cell(numbers.estimate(item.throughput_mb_s), strong=strong),
        Cell(numbers.half_width(item.main)),
        Cell(numbers.estimate(item.latency_ms_mean)),
        Cell("–" if p99 is None else numbers.significant(p99)),
        Cell(state_name(context.messages, item.verdict.state), tone=tone(item)),
    )


def _latency_row(context: Context, item: PointFigures, shares: tuple[float, ...]) -> tuple[Cell, ...]:
    values = (item.latency_ms_at(share) for share in shares)
    return (
        load_cell(context, item),
        *(Cell("–" if value is None else context.numbers.significant(value)) for value in values),
        Cell(context.numbers.significant(item.latency_ms_max)),
        Cell(context.numbers.integer(item.completed)),
    )


def _supported_anywhere(curve: Curve) -> tuple[float, ...]:
    """Leave out percentiles that no point of the curve supports."""
    return tuple(
        share
        for share in PERCENTILES
        if any(point.latency_ms_at(share) is not None for point in curve.points)
    )


def _notes(context: Context, item: CurveAnalysis) -> tuple[Text, ...]:
    messages = context.messages
    notes: list[Text] = []
    if item.maximum.level and len(item.curve.points) > 1:
        loads = messages.listed([load_cell(context, point).text for point in item.maximum.level])  # type: ignore[misc]
        notes.append(messages.say("Bold: the maximum. Not distinguishable from it: {loads}.", loads=loads))
    elif len(item.curve.points) > 1:
        notes.append(messages.say("Bold: the maximum."))
    return tuple(notes)
