"""Loads that run at the same time: what each of them did, and all together."""

from __future__ import annotations

from collections.abc import Iterator

from iodyno.analysis.estimate import together
from iodyno.analysis.figures import PointFigures
from iodyno.analysis.run import CurveAnalysis
from iodyno.plan import Point
from iodyno.report.context import Context
from iodyno.report.curve_names import curve_name, own_load
from iodyno.report.document import Cell, Column, Table
from iodyno.report.messages import Messages
from iodyno.report.names import profile_name
from iodyno.report.sections.result_tables import latency_column, load_cell, load_column, time_cell
from iodyno.report.sentences.loads import load as at_load

SHARE = 0.99
"""Percentile of the latency of each load."""


def said(context: Context) -> Iterator[str]:
    """Say what loads at once are, where the run has any."""
    if any(point.beside for point in context.run.plan.points):
        if any(point.all_begun_s for point in context.run.plan.points):
            yield context.messages.say(
                "Several loads run at the same time, each with workers of its own. Some begin later than "
                "others: warm-up and measured part come after the last of them has begun. They end together, "
                "and a point lasts until the main figure of each is as precise as asked. Figures are those "
                "of the first of them; a table tells what the others did meanwhile."
            )
        else:
            yield context.messages.say(
                "Several loads run at the same time: they begin and end together, each with workers of its "
                "own, and a point lasts until the main figure of each is as precise as asked. Figures are "
                "those of the first of them; a table tells what the others did meanwhile."
            )
        if context.run.simulated:
            yield context.messages.say(
                "What limits a point, and the shares of its latency, are those of the first of its loads: a "
                "station that it goes through, whichever loads keep that busy."
            )


def facts(context: Context, item: CurveAnalysis) -> Iterator[tuple[str, str]]:
    """Disclose each load that ran beside a curve: where, with how many workers, how much, from when on."""
    messages = context.messages
    if item.curve.first.begins_after_s:
        yield messages.say("Beginning"), _begun(context, item.curve.first)
    for load in item.curve.beside:
        paths = messages.listed([target.path for target in load.point.targets])
        count = messages.say_n("{count} worker", "{count} workers", load.point.workers_in_all)
        much = at_load(messages, load)
        begun = [_begun(context, load.point)] if load.point.begins_after_s else []
        yield (
            messages.say("At the same time"),
            messages.say(
                "{profile} on {targets}: {details}",
                profile=profile_name(messages, load.profile),
                targets=paths,
                details=messages.enumerated([count, much, *begun]),
            ),
        )


def _begun(context: Context, load: Point) -> str:
    """Say when a load begins that does not at once."""
    numbers = context.numbers
    return context.messages.say("after {time} s", time=numbers.shortest(load.begins_after_s))


def loads_table(context: Context, item: CurveAnalysis) -> list[Table]:
    """Make the table of what each load did at each point of a curve; none where there is only one."""
    if not any(point.beside for point in item.curve.points):
        return []
    say, messages = context.messages.say, context.messages
    share, late = latency_column(context, SHARE), _any_late(item)
    return [
        Table(
            columns=(
                load_column(context, item.curve),
                Column(say("Load profile")),
                Column(say("Own load"), "right"),
                *((Column(say("Begins after"), "right", "s"),) if late else ()),
                Column(say("Transaction rate"), "right", "IO/s"),
                Column(say("Throughput"), "right", "MB/s"),
                Column(say("Interval"), "right"),
                Column(say("Mean latency"), "right", "ms"),
                share,
            ),
            rows=tuple(row for point in item.curve.points for row in rows(context, point, late=late)),
            caption=say("{profile}: what ran at the same time", profile=curve_name(messages, item.curve)),
            key=f"table-loads-{item.curve.key}",
            notes=(
                say("Own load: outstanding I/Os per target and worker, or the rate offered."),
                *_held_up(messages, item),
            ),
        )
    ]


def _held_up(messages: Messages, item: CurveAnalysis) -> Iterator[str]:
    """Say for which load beside it a point lasted as long as allowed, where its own figure is precise."""
    for at in item.curve.points:
        loads = [load for load in (at, *at.beside) if not _precise(load)]
        if at.verdict.state == "capped" and loads and _precise(at):
            yield messages.say(
                "* {load}: it is the figure of {profiles} that is not as precise as asked for.",
                load=at_load(messages, at),
                profiles=messages.listed([profile_name(messages, load.profile) for load in loads]),
            )


def _precise(at: PointFigures) -> bool:
    return at.main.half_width is not None and at.main.half_width <= at.point.stopping.precision


def warmup_note(context: Context, item: CurveAnalysis) -> list[str]:
    """Say of loads that begin at different times from when on the warm-up is told."""
    return [context.messages.say("Warm-up: from when the last load began.")] if _any_late(item) else []


def _any_late(item: CurveAnalysis) -> bool:
    return any(point.planned.all_begun_s for point in item.curve.points)


def rows(context: Context, point: PointFigures, *, late: bool) -> Iterator[tuple[Cell, ...]]:
    """Make a row for each load of a point, and one for all of them."""
    numbers, messages = context.numbers, context.messages
    loads = (point, *point.beside)
    for load in loads:
        yield (
            load_cell(context, point) if load is point else Cell(""),
            Cell(profile_name(messages, load.profile)),
            Cell(own_load(messages, load.point)),
            *((Cell(numbers.shortest(load.point.begins_after_s)),) if late else ()),
            Cell(numbers.estimate(load.transaction_rate_io_s)),
            Cell(numbers.estimate(load.throughput_mb_s)),
            Cell(numbers.half_width(load.main)),
            Cell(numbers.latency(load.latency_ms_mean)),
            time_cell(context, load.latency_ms_at(SHARE)),
        )
    yield (
        Cell(""),
        Cell(messages.say("All together"), strong=True),
        *(Cell("") for _ in range(2 if late else 1)),
        Cell(numbers.estimate(together([load.transaction_rate_io_s for load in loads])), strong=True),
        Cell(numbers.estimate(together([load.throughput_mb_s for load in loads])), strong=True),
        *(Cell("") for _ in range(3)),
    )
