"""Appendix of a run of many curves: a row a curve, one command, and all points in a file that is attached."""

from __future__ import annotations

from collections.abc import Sequence

from iodyno.profiles import LoadProfile
from iodyno.report.context import Context
from iodyno.report.document import (
    Block,
    Code,
    Facts,
    Heading,
    Paragraph,
    Text,
)
from iodyno.report.messages import Messages
from iodyno.report.names import access, profile_name
from iodyno.report.names import blocks as block_text
from iodyno.report.operations import operations
from iodyno.report.sections import disclosure_configurations
from iodyno.report.sections import disclosure_curves as curves
from iodyno.report.sections.areas import measured_areas
from iodyno.report.sections.attachments import points_name
from iodyno.report.sections.method import used_profiles
from iodyno.report.sections.results import sweep_source


def blocks(context: Context, of_run: Sequence[tuple[str, Text]]) -> list[Block]:
    """Make the section."""
    say = context.messages.say
    made: list[Block] = [
        Heading(1, say("Appendix: disclosure of the figures"), "disclosure"),
        Paragraph(_introduction(context)),
        Facts((*of_run, *_area(context), (say("Conditioning"), _conditioning(context)))),
        Paragraph(say("The definitions of the load profiles:")),
        Facts(tuple(_profile(context, profile) for profile in _one_a_name(context))),
    ]
    if len(context.analysis.curves) > disclosure_configurations.MOST_PRINTED:
        return made + disclosure_configurations.blocks(context)
    for sweep in context.analysis.sweeps:
        items = sorted(context.analysis.of_sweep(sweep), key=curves.of_configuration(context, sweep))
        title = str(sweep_source(context, sweep).get("title") or sweep)
        made += [
            Heading(2, context.messages.of_study(title), f"disclosure-{sweep}"),
            curves.table(context, sweep, items),
            *curves.commands(context, items),
        ]
    return made


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


def _area(context: Context) -> list[tuple[str, Text]]:
    areas = measured_areas(context.messages, (item.curve for item in context.analysis.curves))
    return [(context.messages.say("Measured area"), areas)] if areas else []


def _conditioning(context: Context) -> str:
    say = context.messages.say
    if context.run.imported:
        return say("not known")
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
    return profile_name(context.messages, profile), definition(context.messages, profile)


def definition(messages: Messages, profile: LoadProfile) -> str:
    """Define a load profile: what it accesses, and what it does beside."""
    return messages.say(
        "{name}, version {version}: {access}, {reads} reads, blocks of {block}",
        name=profile.name,
        version=str(profile.version),
        access=access(messages, profile),
        reads=messages.numbers.chosen(profile.read_share),
        block=messages.enumerated([block_text(messages, profile), *operations(messages, profile)]),
    )
