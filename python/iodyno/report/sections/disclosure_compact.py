"""Appendix of a run of many curves: a row a curve, one command, and all points in a file that is attached."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from iodyno.analysis.run import CurveAnalysis
from iodyno.profiles import LoadProfile
from iodyno.report.context import Context
from iodyno.report.curve_names import curve_details, loaded_name
from iodyno.report.document import (
    Block,
    Cell,
    Code,
    CodeBlock,
    Column,
    Facts,
    Heading,
    Paragraph,
    Table,
    Text,
)
from iodyno.report.names import access, main_unit, marked, profile_name, tone
from iodyno.report.names import blocks as block_text
from iodyno.report.sections import disclosure_configurations
from iodyno.report.sections.attachments import points_name
from iodyno.report.sections.commands import repeat
from iodyno.report.sections.method import used_profiles
from iodyno.report.sections.result_tables import latency_column, load_cell, loads_column, time_cell
from iodyno.report.sections.results import sweep_source

SHARES = (0.5, 0.99)
"""Percentiles of the latency at the maximum that are disclosed."""


def blocks(context: Context, of_run: Sequence[tuple[str, Text]]) -> list[Block]:
    """Make the section."""
    say = context.messages.say
    made: list[Block] = [
        Heading(1, say("Appendix: disclosure of the figures"), "disclosure"),
        Paragraph(_introduction(context)),
        Facts((*of_run, (say("Conditioning"), _conditioning(context)))),
        Paragraph(say("The definitions of the load profiles:")),
        Facts(tuple(_profile(context, profile) for profile in _one_a_name(context))),
    ]
    if len(context.analysis.curves) > disclosure_configurations.MOST_PRINTED:
        return made + disclosure_configurations.blocks(context)
    for sweep in context.analysis.sweeps:
        items = sorted(context.analysis.of_sweep(sweep), key=of_configuration(context, sweep))
        title = str(sweep_source(context, sweep).get("title") or sweep)
        made += [
            Heading(2, context.messages.of_study(title), f"disclosure-{sweep}"),
            table(context, sweep, items),
            Paragraph(command_text(context)),
            CodeBlock(repeat(context.run, items[0].maximum.at.planned), command=True),
        ]
    return made


def of_configuration(context: Context, sweep: str) -> Callable[[CurveAnalysis], int]:
    """Give the order that keeps curves of one configuration together."""
    first: dict[str, int] = {}
    for item in context.analysis.of_sweep(sweep):
        first.setdefault(item.curve.first.system or "", len(first))
    return lambda item: first[item.curve.first.system or ""]


def _introduction(context: Context) -> Text:
    messages = context.messages
    if len(context.analysis.curves) > disclosure_configurations.MOST_PRINTED:
        return messages.compose(
            "A row for each configuration of this paper; its form for the screen (HTML) has one for each "
            "curve too. Every point with all that belongs to it, {count} of them, is in the file {file}, "
            "which is attached to this document; histograms and time series are in the store of the tool and "
            "can be exported.",
            count=context.numbers.integer(context.analysis.points),
            file=Code(points_name(context)),
        )
    return messages.compose(
        "A row for each curve of this paper, with its point of the maximum. Every point with all that "
        "belongs to it, {count} of them, is in the file {file}, which is attached to this document; "
        "histograms and time series are in the store of the tool and can be exported.",
        count=context.numbers.integer(context.analysis.points),
        file=Code(points_name(context)),
    )


def _conditioning(context: Context) -> str:
    say = context.messages.say
    if context.run.simulated:
        return say(
            "modelled as written in full, in the steady state of the load; caches begin full of its data"
        )
    return say("as the row of each point in the attached file says")


def _one_a_name(context: Context) -> list[LoadProfile]:
    found: dict[str, LoadProfile] = {}
    for profile in used_profiles(context):
        found.setdefault(profile.name, profile)
    return list(found.values())


def _profile(context: Context, profile: LoadProfile) -> tuple[str, Text]:
    messages = context.messages
    return profile_name(messages, profile), messages.say(
        "{name}, version {version}: {access}, {reads} reads, blocks of {block}",
        name=profile.name,
        version=str(profile.version),
        access=access(messages, profile),
        reads=context.numbers.percent(profile.read_share, 0),
        block=block_text(messages, profile),
    )


def table(context: Context, sweep: str, items: Sequence[CurveAnalysis]) -> Table:
    """Give a row for each curve of a sweep."""
    say = context.messages.say
    workers = {item.curve.first.workers for item in items}
    return Table(
        columns=(
            Column(say("Configuration")),
            Column(say("Load profile")),
            *([Column(say("Workers"), "right")] if len(workers) > 1 else []),
            Column(say("Maximum"), "right"),
            Column(say("Interval"), "right"),
            loads_column(context, [item.curve for item in items], at=True),
            Column(say("I/Os"), "right"),
            *(latency_column(context, share) for share in SHARES),
            Column(say("Hash")),
        ),
        rows=tuple(_row(context, items, place, workers=len(workers) > 1) for place in range(len(items))),
        caption=say("Disclosure of the maxima; the hash is that of the point's configuration"),
        key=f"table-disclosure-{sweep}",
        notes=(say("Of open loops whose rates are all served it is the highest of these, and no maximum."),)
        if any(item.asked for item in items)
        else (),
    )


def _row(context: Context, items: Sequence[CurveAnalysis], place: int, *, workers: bool) -> tuple[Cell, ...]:
    """Make a row; the name of a configuration stands only in its first."""
    numbers, item = context.numbers, items[place]
    at = item.maximum.at
    named = place > 0 and where(context, items[place - 1]) == where(context, item)
    return (
        Cell("" if named else where(context, item)),
        Cell(loaded_name(context.messages, item.curve)),
        *([Cell(numbers.integer(item.curve.first.workers))] if workers else []),
        Cell(f"{marked(numbers.estimate(at.main), at)} {main_unit(item.curve.profile)}", tone=tone(at)),
        Cell(numbers.half_width(at.main)),
        load_cell(context, at, [other.curve for other in items]),
        Cell(numbers.integer(at.completed)),
        *(time_cell(context, at.latency_ms_at(share)) for share in SHARES),
        Cell((Code(at.planned.config_hash),)),
    )


def where(context: Context, item: CurveAnalysis) -> Text:
    """Name what a curve is of, beside its profile, as the command takes it."""
    name = item.curve.first.system
    return (Code(name),) if name else curve_details(context.messages, item.curve) or "–"


def command_text(context: Context) -> Text:
    """Say what the command repeats, and which of its words another row changes."""
    messages = context.messages
    if not context.run.simulated:
        return messages.compose(
            "The command that repeats the first of them; for another, {profile}, {load} and {workers} "
            "change:",
            profile=Code("--profile"),
            load=Code("--outstanding"),
            workers=Code("--workers"),
        )
    return messages.compose(
        "The command that repeats the first of them; for another, {only}, {profile}, {load} and {workers} "
        "change:",
        only=Code("--only"),
        profile=Code("--profile"),
        load=Code("--outstanding"),
        workers=Code("--workers"),
    )
