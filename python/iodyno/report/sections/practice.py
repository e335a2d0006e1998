"""Best practice, from what the readings showed on this system, and the conclusion."""

from __future__ import annotations

from collections.abc import Iterator

from iodyno.analysis.configurations import areas_of
from iodyno.analysis.drives import drive_scalings
from iodyno.analysis.ranking import undisturbed, whole
from iodyno.analysis.saturation import SATURATION_MARGIN
from iodyno.analysis.things import described, with_failed
from iodyno.report.context import Context
from iodyno.report.document import Block, Bullets, Heading, Paragraph
from iodyno.report.sections import against
from iodyno.report.sections.remarks import remarks
from iodyno.report.sections.results import sweep_source
from iodyno.report.sentences import answer as answer_text
from iodyno.report.sentences import enough as enough_text
from iodyno.report.sentences import latency as latency_text
from iodyno.report.sentences import offered as offered_text
from iodyno.report.sentences import practice as rules
from iodyno.report.sentences.search import sentences as answers


def practice(context: Context) -> list[Block]:
    """Make the section on best practice."""
    say = context.messages.say
    found = rules.practice(context.messages, context.analysis.curves, described(context.stored))
    made: list[Block] = [Heading(1, say("Best practice"), "practice")]
    if not found:
        return [*made, Paragraph(say("The readings of this run support no advice beyond their figures."))]
    lead = say(
        "What follows from the readings of this paper, for the systems and profiles in it; where rates are "
        "compared, as far as their intervals show it:"
    )
    return [*made, Paragraph(lead), Bullets(tuple(found))]


def conclusion(context: Context) -> list[Block]:
    """Make the conclusion: the figures that stand out, what limits, and how far to trust it."""
    messages, items = context.messages, context.analysis.curves
    question = str(context.run.plan.study_source.get("question", ""))
    asked = (
        messages.say("The question was: {question}", question=messages.of_study(question)) if question else ""
    )
    compared, failed = _compared(context), with_failed(context.run.plan.systems)
    sentences = [
        *answers(messages, items, context.analysis.searches),
        *([] if compared else rules.highest(messages, items)),
        *([] if context.analysis.searches else offered_text.conclusion(messages, items, failed)),
        latency_text.quickest(messages, items),
        rules.usual_limit(messages, items),
    ]
    made: list[Block] = [Heading(1, messages.say("Conclusion"), "conclusion")]
    enough = _enough(context)
    if compared:
        lead, bullets = compared
        made += [Paragraph(messages.flow((asked, lead))), bullets, *_set_against(context), *enough]
        made.append(Paragraph(messages.flow(sentences)))
    else:
        made += [Paragraph(messages.flow((asked, *sentences))), *_set_against(context), *enough]
    made += [Paragraph(text) for text in _trust(context)]
    found = remarks(context)
    return [*made, Paragraph(messages.flow(found))] if found else made


def _set_against(context: Context) -> list[Block]:
    """Say what came of the comparisons that the study asks for: they are its question."""
    found = [
        text
        for sweep in context.analysis.sweeps
        for text in against.in_short(context, sweep, sweep_source(context, sweep))
    ]
    lead = context.messages.say("What the study sets against each other, the first ÷ the second:")
    made: list[Block] = [Paragraph(lead), Bullets(tuple(found))] if found else []
    return [*made, *_not_made(context)]


def _not_made(context: Context) -> list[Block]:
    """Say which of the comparisons cannot be made, wholly or in part, so that none is missed."""
    messages = context.messages
    names = [
        name
        for sweep in context.analysis.sweeps
        for name in against.not_made(context, sweep, sweep_source(context, sweep))
    ]
    if not names:
        return []
    said = messages.compose(
        "Comparisons that the study asks for and that could not be made, wholly or in part, with the "
        "reasons: {sections}.",
        sections=messages.linked(names),
    )
    return [Paragraph(said)]


def _compared(context: Context) -> tuple[str, Bullets] | None:
    """Say which system is the fastest, profile by profile; nothing where there is only one."""
    messages, failed = context.messages, with_failed(context.run.plan.systems)
    curves = whole(context.analysis.curves)
    groups = answer_text.comparable(curves, failed)
    if not groups:
        return None
    shown = answer_text.chosen(groups)
    left_out = answer_text.left_out(messages, curves, groups, failed)
    drives = {name: len(system.drives) for name, system in context.run.plan.systems.items()}
    return messages.flow((left_out, answer_text.lead(messages, shown, groups))), Bullets(
        tuple(answer_text.fastest(messages, those, drives) for those in shown)
    )


def _enough(context: Context) -> list[Block]:
    """Say from which load, number of drives and number of workers on more bring little."""
    messages, items = context.messages, undisturbed(context.analysis.curves)
    maxima = ((item.curve, item.maximum.at.main) for item in items if item.whole and not item.asked)
    plan = context.run.plan
    scaled = drive_scalings(maxima, plan.systems, areas_of(plan))
    found = [*enough_text.of_drives(messages, scaled), *enough_text.of_workers(messages, items)]
    of_loads, profiles = enough_text.of_loads(messages, items)
    if of_loads and not profiles:
        found.append(of_loads)
    made: list[Block] = []
    share = context.numbers.percent(SATURATION_MARGIN, 0)
    if found:
        lead = messages.say(
            "From these numbers on more brings less than {share}, compared with every higher number in this "
            "paper and as far as the intervals show it:",
            share=share,
        )
        made += [Paragraph(lead), Bullets(tuple(found))]
    if profiles:
        made += [Paragraph(of_loads), Bullets(tuple(profiles))]
    return made


def _trust(context: Context) -> Iterator[str]:
    """Say how many points are steady and precise; of imported ones, which nobody judged, the remarks tell."""
    if context.run.imported:
        return
    steady, points = context.analysis.states["steady"], context.analysis.points
    if not steady:
        yield context.messages.say(
            "No point of this run is both steady and as precise as was asked for; each carries its "
            "reservation beside its figure."
        )
    elif steady == points:
        yield context.messages.say("Every point of this run is steady and as precise as was asked for.")
    else:
        yield context.messages.say_n(
            "Of {points} points, {count} is steady and as precise as was asked for; each figure of the "
            "rest has its reservation beside it.",
            "Of {points} points, {count} are steady and as precise as was asked for; each figure of the "
            "rest has its reservation beside it.",
            steady,
            points=context.numbers.integer(points),
        )
