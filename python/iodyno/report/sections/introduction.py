"""The introduction: what was asked, what was measured, and how far it got."""

from __future__ import annotations

from iodyno.report.context import Context
from iodyno.report.curve_names import loaded_name
from iodyno.report.document import Block, Callout, Heading, Paragraph
from iodyno.report.sections import simulated
from iodyno.report.sections.facts import target_text, targets
from iodyno.report.sections.literature import reference_text
from iodyno.report.sections.remarks import remarks


def blocks(context: Context) -> list[Block]:
    """Make the introduction."""
    say = context.messages.say
    made: list[Block] = [
        Heading(1, say("Introduction"), "introduction"),
        Paragraph(simulated.introduction(context) if context.run.simulated else _measured(context)),
        Paragraph(_scope(context)),
    ]
    question = str(context.run.plan.study_source.get("question", ""))
    if question:
        asked = context.messages.of_study(question)
        made.insert(2, Paragraph(say("The question of the study is: {question}", question=asked)))
    source = reference_text(context)
    if source:
        text = say(
            "The configurations, load profiles and comparisons are those of a published paper: {source}.",
            source=source,
        )
        made.append(Paragraph(text))
    found = remarks(context)
    if found:
        made.append(Callout(context.messages.flow(found), "warning" if _grave(context) else "plain"))
    return made


def _measured(context: Context) -> str:
    if context.run.imported:
        return context.messages.say(
            "This paper shows results of {tool} in the form of those of iodyno: transaction rate, throughput "
            "and latency of the jobs that were imported.",
            tool=context.run.imported,
        )
    if all(len(item.curve.points) == 1 for item in context.analysis.curves):
        return context.messages.say(
            "This paper reports what the storage of one system delivers under defined load profiles, each at "
            "one load: its transaction rate, its throughput and its latency. Every figure was measured on "
            "the system described below. Every rate and throughput carries its confidence interval, where "
            "the time measured gave one, and each point its verdict; each can be repeated with the command "
            "given for its profile in the appendix."
        )
    return context.messages.say(
        "This paper reports what the storage of one system delivers under defined load profiles: "
        "its transaction rate, its throughput and its latency over a range of loads. Every figure "
        "was measured on the system described below. Every rate and throughput carries its "
        "confidence interval, where the time measured gave one, and each point its verdict; each can be "
        "repeated with the command given for its profile in the appendix."
    )


def _scope(context: Context) -> str:
    messages = context.messages
    names = list(dict.fromkeys(loaded_name(messages, item.curve) for item in context.analysis.curves))
    if context.run.simulated:
        return simulated.scope(context, names)
    found = targets(context)
    return messages.flow(
        (
            simulated.profiles_text(context, names),
            messages.say_n(
                "The target is {targets}.",
                "The targets are {targets}.",
                len(found),
                targets=messages.listed([target_text(context, target) for target in found]),
            ),
            _amount(context),
        )
    )


def _amount(context: Context) -> str:
    """Say how much was measured: below a minute in seconds."""
    messages, analysis = context.messages, context.analysis
    completed = context.numbers.integer(analysis.completed)
    if analysis.measured_min < 1:
        return messages.say_n(
            "In all, {count} point was measured, with {completed} I/Os in {seconds} seconds of measured "
            "time.",
            "In all, {count} points were measured, with {completed} I/Os in {seconds} seconds of measured "
            "time.",
            analysis.points,
            completed=completed,
            seconds=context.numbers.significant(analysis.measured_s, 2),
        )
    return messages.say_n(
        "In all, {count} point was measured, with {completed} I/Os in {minutes} minutes of measured time.",
        "In all, {count} points were measured, with {completed} I/Os in {minutes} minutes of measured time.",
        analysis.points,
        completed=completed,
        minutes=context.numbers.significant(analysis.measured_min, 2),
    )


def _grave(context: Context) -> bool:
    analysis = context.analysis
    return (
        not analysis.optimised
        or not analysis.direct
        or bool(analysis.errors or analysis.states["disturbed"])
        or bool(context.run.imported)
    )
