"""Each of several targets at the maximum, and what searches for the highest rate found."""

from __future__ import annotations

from collections.abc import Sequence

from iodyno.analysis.figures import PointFigures
from iodyno.analysis.run import CurveAnalysis
from iodyno.analysis.targets import TargetFigures
from iodyno.analysis.units import ms
from iodyno.rates import Search
from iodyno.report.context import Context
from iodyno.report.curve_names import curve_name
from iodyno.report.document import Cell, Column, Table
from iodyno.report.sections.result_tables import RESPONSE_SHARE, latency_column, time_cell
from iodyno.report.sentences.loads import load
from iodyno.report.sentences.search import brackets_note, curve_of, goal, rate_text, time_beside

SHARES = (0.5, 0.99, 0.999)
"""Percentiles of the latency of each target."""


def target_table(context: Context, item: CurveAnalysis) -> list[Table]:
    """Make the table of each target at the maximum; none where there is only one."""
    targets, top, say = item.targets_at_maximum, item.maximum.at, context.messages.say
    if not targets:
        return []
    share = context.numbers.percentile(RESPONSE_SHARE)
    response = [Column(say("Response time {percentile}", percentile=share), "right", "ms")]
    return [
        Table(
            columns=(
                Column(say("Target")),
                Column(say("Transaction rate"), "right", "IO/s"),
                Column(say("Throughput"), "right", "MB/s"),
                Column(say("Mean latency"), "right", "ms"),
                *(latency_column(context, share) for share in SHARES),
                *(response if item.curve.open_loop else ()),
            ),
            rows=tuple(
                _target_row(context, target, (top, *top.beside)[target.load], open_loop=item.curve.open_loop)
                for target in targets
            ),
            caption=_targets_caption(context, item),
            key=f"table-targets-{item.curve.key}",
        )
    ]


def _targets_caption(context: Context, item: CurveAnalysis) -> str:
    """Name the table of each target: what has no maximum by the rate that was offered."""
    name = curve_name(context.messages, item.curve)
    if item.asked:
        return context.messages.say(
            "{profile}: each target {load}", profile=name, load=load(context.messages, item.maximum.at)
        )
    return context.messages.say("{profile}: each target at the maximum", profile=name)


def _target_row(
    context: Context, item: TargetFigures, of_all: PointFigures, *, open_loop: bool
) -> tuple[Cell, ...]:
    """Write the figures of a target with no more digits than those of all targets of its load have."""
    numbers = context.numbers
    rate = item.known_as(item.transaction_rate_io_s, of_all.transaction_rate_io_s)
    throughput = item.known_as(item.throughput_mb_s, of_all.throughput_mb_s)
    response = (time_cell(context, item.response_time_ms_at(RESPONSE_SHARE)),) if open_loop else ()
    return (
        Cell(item.path),
        Cell(numbers.estimate(rate)),
        Cell(numbers.estimate(throughput)),
        time_cell(context, item.latency_ms_mean),
        *(time_cell(context, item.latency_ms_at(share)) for share in SHARES),
        *response,
    )


def search_table(context: Context, sweep: str, found: Sequence[Search]) -> Table:
    """Make the table of what the searches of a sweep found."""
    say = context.messages.say
    notes = [
        say(
            "The response time counts from the intended start. A rate that is not served, as the target does "
            "not keep up with it, breaks every limit."
        )
    ]
    notes += brackets_note(context.messages, found)
    return Table(
        columns=(
            Column(say("Load profile")),
            Column(say("Response time to keep")),
            Column(say("Highest rate that keeps it"), "right", "IO/s"),
            Column(say("Response time there"), "right"),
            Column(say("Lowest rate that breaks it"), "right", "IO/s"),
            Column(say("Response time there"), "right"),
        ),
        rows=tuple(_search_row(context, search) for search in found),
        caption=say("The highest rate that keeps a limit of the response time"),
        key=f"table-searches-{sweep}",
        notes=tuple(notes),
    )


def _search_row(context: Context, found: Search) -> tuple[Cell, ...]:
    messages = context.messages
    return (
        Cell(curve_name(messages, curve_of(context.analysis.curves, found).curve), strong=True),
        Cell(messages.say("{percentile} at most {limit}", **goal(messages, found))),
        *_end(context, found, found.keeps_io_s, strong=True),
        *_end(context, found, found.breaks_io_s),
    )


def _end(
    context: Context, found: Search, rate_io_s: float | None, *, strong: bool = False
) -> tuple[Cell, ...]:
    if rate_io_s is None:
        return Cell("–"), Cell("–")
    step = found.decisive[rate_io_s]
    value = time_beside(context.messages, ms(step.value_ns), found.goal.limit_s * 1e3)
    return (
        Cell(rate_text(context.messages, found, rate_io_s), strong=strong),
        Cell(context.messages.say("not served") if step.overloaded else value),
    )
