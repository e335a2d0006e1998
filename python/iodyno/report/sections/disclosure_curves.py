"""A row for each curve in the appendix of a run of many of them, and the command that repeats one."""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable, Iterator, Sequence

from iodyno.analysis.run import CurveAnalysis
from iodyno.report.context import Context
from iodyno.report.curve_names import curve_details, loaded_name
from iodyno.report.document import Block, Cell, Code, CodeBlock, Column, Inline, Paragraph, Table, Text
from iodyno.report.messages import Messages
from iodyno.report.names import main_unit, marked, marks_note, tone, workers_head
from iodyno.report.sections.commands import repeat
from iodyno.report.sections.result_tables import (
    latency_column,
    load_cell,
    loads_column,
    no_maxima_notes,
    time_cell,
)

SHARES = (0.5, 0.99)
"""Percentiles of the latency at the maximum that are disclosed."""


def of_configuration(context: Context, sweep: str) -> Callable[[CurveAnalysis], int]:
    """Give the order that keeps curves of one configuration together."""
    first: dict[str, int] = {}
    for item in context.analysis.of_sweep(sweep):
        first.setdefault(item.curve.first.system or "", len(first))
    return lambda item: first[item.curve.first.system or ""]


def table(context: Context, sweep: str, items: Sequence[CurveAnalysis]) -> Table:
    """Give a row for each curve of a sweep."""
    say = context.messages.say
    told, head, workers = _workers(context, items)
    return Table(
        columns=(
            Column(say("Configuration")),
            Column(say("Load profile")),
            *([Column(head, "right")] if told else []),
            Column(say("Maximum"), "right"),
            Column(say("Interval"), "right"),
            loads_column(context, [item.curve for item in items], at=True),
            Column(say("I/Os"), "right"),
            *(latency_column(context, share) for share in SHARES),
            Column(say("Hash")),
        ),
        rows=tuple(
            _row(context, items, place, workers=[count] if told else [])
            for place, count in enumerate(workers)
        ),
        caption=say("Disclosure of the maxima; the hash is that of the point's configuration"),
        key=f"table-disclosure-{sweep}",
        notes=(
            *no_maxima_notes(context, items),
            *marks_note(context.messages, (item.maximum.at for item in items)),
        ),
    )


def _workers(context: Context, items: Sequence[CurveAnalysis]) -> tuple[bool, str, list[int]]:
    """Tell whether curves differ in their workers, what numbers of these are called, and the numbers: where
    targets have workers of their own, how many each, if that can be said of all curves alike."""
    firsts = [item.curve.first for item in items]
    each = {point.shared_out for point in firsts if len(point.loads[0].targets) > 1} or {None}
    alike = len(each) == 1
    counts = [point.workers if alike else point.workers_in_all for point in firsts]
    differ = len({point.workers for point in firsts}) > 1
    return differ, workers_head(context.messages, each.pop() if alike else None), counts


def _row(
    context: Context, items: Sequence[CurveAnalysis], place: int, *, workers: Sequence[int]
) -> tuple[Cell, ...]:
    """Make a row; the name of a configuration stands only in its first."""
    numbers, item = context.numbers, items[place]
    at = item.maximum.at
    named = place > 0 and where(context, items[place - 1]) == where(context, item)
    return (
        Cell("" if named else where(context, item)),
        Cell(loaded_name(context.messages, item.curve)),
        *(Cell(numbers.integer(count)) for count in workers),
        Cell(f"{marked(numbers.estimate(at.main), at)} {main_unit(item.curve.profile)}", tone=tone(at)),
        Cell(numbers.half_width(at.main)),
        load_cell(context, at, [other.curve for other in items]),
        Cell(numbers.integer(at.completed)),
        *(time_cell(context, at.latency_ms_at(share)) for share in SHARES),
        Cell((Code(at.planned.config_hash),)),
    )


def where(context: Context, item: CurveAnalysis) -> Text:
    """Name what a curve is of, beside its profile, as the command takes it; its volumes where it is not on
    all of its system."""
    name, messages = item.curve.first.system, context.messages
    if not name:
        return curve_details(messages, item.curve) or "–"
    if "targets" not in item.curve.told:
        return (Code(name),)
    volumes = messages.names([target.path for target in item.curve.first.targets])
    return messages.compose("{name} ({load})", name=Code(name), load=volumes)


def commands(context: Context, items: Sequence[CurveAnalysis]) -> list[Block]:
    """Give the command that repeats the maximum of the first curve; none of what another program measured."""
    if context.run.imported:
        return []
    first = repeat(context.run, items[0].maximum.at.planned)
    return [Paragraph(_command_text(context, items)), CodeBlock(first, command=True)]


def _command_text(context: Context, items: Sequence[CurveAnalysis]) -> Text:
    """Say what the command repeats, and which of its words another row changes."""
    messages = context.messages
    named = messages.listed(_changing(context, items))
    before, after = _around(messages, named)
    return (before, *_as_code(named), after)


def _changing(context: Context, items: Sequence[CurveAnalysis]) -> list[str]:
    """Name the options that differ in commands of several curves, in their order there."""
    firsts = {item.curve.sweep: item for item in items}.values()
    words = {word for item in firsts for word in shlex.split(repeat(context.run, item.maximum.at.planned))}
    differ = {
        "--on": len({item.curve.first.system for item in items}) > 1,
        "--only": len({item.curve.first.system for item in items}) > 1,
        "--sweep": len(firsts) > 1,
        "--targets": any("targets" in item.curve.varied for item in items),
        "--profile": True,
        "--block-sizes": len({item.curve.profile.blocks for item in items}) > 1,
        "--read-share": len({item.curve.profile.read_share for item in items}) > 1,
        "--random-share": len({item.curve.profile.random_share for item in items}) > 1,
        "--area": len({item.curve.profile.area for item in items}) > 1,
        "--outstanding": True,
        "--rate": True,
        "--workers": len({item.curve.first.workers for item in items}) > 1,
    }
    return [option for option, differs in differ.items() if differs and option in words]


def _around(messages: Messages, named: str) -> tuple[str, str]:
    text = messages.say(
        "The command that repeats the first of them; for another, {options} change:", options=named
    )
    before, _, after = text.partition(named)
    return before, after


def _as_code(named: str) -> Iterator[Inline]:
    """Set the options of a list as words of a command."""
    for place, part in enumerate(re.split("(--[a-z-]+)", named)):
        if part:
            yield Code(part) if place % 2 else part
