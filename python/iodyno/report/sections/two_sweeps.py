"""A sweep set against another one, as a study asks: both side by side over the load, with quotients."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal

from iodyno.analysis.two_sweeps import Beside, Step, What, beside, unmade
from iodyno.plan import Point
from iodyno.report.context import Context
from iodyno.report.curve_names import loads_name
from iodyno.report.document import Block, Cell, Column, Paragraph, Strong, Table, Text
from iodyno.report.numbers import NOT_KNOWN
from iodyno.report.sentences.against import level_note, loads_text
from iodyno.report.sentences.two_sweeps import (
    MOST_SAID,
    figure_name,
    finding,
    pair_name,
    summary,
    worst,
)


def planned(context: Context) -> list[Point]:
    """Give the points that a run has, or has still to answer, in the order of the plan."""
    answered = [result.point for result in context.stored.results]
    return sorted((*answered, *context.lacking), key=lambda point: point.index)


def found_pairs(context: Context, sweep: str, compare: Mapping[str, Any]) -> tuple[Beside, ...]:
    """Give the curves of a sweep that are set against those of another."""
    return beside(context.analysis, sweep, compare, planned(context))


def blocks(context: Context, sweep: str, compare: Mapping[str, Any], key: str) -> list[Block]:
    """Make words and a table of what one sweep has of the figures of another; where the run lacks points, it
    says so."""
    pairs = found_pairs(context, sweep, compare)
    shown, said = tables(context, sweep, compare, pairs, key), texts(context, pairs)
    made: list[Block] = []
    if said:
        *first, last = said
        made += [*map(Paragraph, first), Paragraph(context.messages.see(last, *(one.key for one in shown)))]
    made += shown
    if lacking := left_out(context, sweep, compare):
        made.append(Paragraph(lacking))
    return made


def texts(context: Context, pairs: Sequence[Beside]) -> list[Text]:
    """Say of each pair what it has of the other's figures; of many, between which quotients they lie."""
    messages, names = context.messages, _names(context, pairs)
    if len(pairs) > MOST_SAID:
        return [summary(messages, pairs, names)]
    return [
        messages.compose("{name}: {finding}", name=Strong(name), finding=finding(messages, pair))
        for name, pair in zip(names, pairs, strict=True)
    ]


def _names(context: Context, pairs: Sequence[Beside]) -> list[str]:
    several = len(context.run.plan.systems) > 1
    return [pair_name(context.messages, pair, several=several) for pair in pairs]


def in_short(context: Context, sweep: str, compare: Mapping[str, Any], key: str) -> list[Text]:
    """Say in a sentence, or in one for each pair, what is lost where it is most."""
    messages, pairs = context.messages, found_pairs(context, sweep, compare)
    names = _names(context, pairs)
    if not pairs:
        return []
    if len(pairs) > MOST_SAID:
        told = summary(messages, pairs, names)
    elif len(pairs) == 1:
        told = worst(messages, pairs[0]) or finding(messages, pairs[0])
    else:
        told = messages.flow(
            [
                messages.say(
                    "{name}: {finding}",
                    name=name,
                    finding=worst(messages, pair) or finding(messages, pair),
                )
                for name, pair in zip(names, pairs, strict=True)
            ]
        )
    title = Strong(messages.of_study(str(compare["title"])))
    said = messages.compose("{name}: {finding}", name=title, finding=told)
    return [messages.see(said, *(one.key for one in tables(context, sweep, compare, pairs, key)))]


def left_out(context: Context, sweep: str, compare: Mapping[str, Any]) -> str:
    """Say which loads are not set against each other, as the run ended before their points."""
    messages = context.messages
    found = unmade(context.analysis, sweep, compare, planned(context))
    names = {
        partly: list(
            dict.fromkeys(
                loads_name(messages, one.points.own[0].loads, loads=False, begins=False)
                for one in found
                if one.partly == partly
            )
        )
        for partly in (False, True)
    }
    said = []
    if names[False]:
        curves = messages.names(names[False])
        said.append(
            messages.say(
                "Not compared, as the run ended before all of their points: {curves}.", curves=curves
            )
        )
    if names[True]:
        said.append(
            messages.say(
                "Not compared at every load, as the run ended before all of their points: {curves}.",
                curves=messages.names(names[True]),
            )
        )
    return messages.flow(said)


def tables(
    context: Context, sweep: str, compare: Mapping[str, Any], pairs: Sequence[Beside], key: str
) -> list[Table]:
    """Make the table of both, over the loads; of open loops one of its own."""
    loops = [[pair for pair in pairs if pair.open_loop == opened] for opened in (False, True)]
    several = all(loops)
    return [
        _table(context, sweep, compare, those, f"table-against-{key}{'-rate' if opened and several else ''}")
        for opened, those in zip((False, True), loops, strict=True)
        if those
    ]


def _table(
    context: Context, sweep: str, compare: Mapping[str, Any], pairs: Sequence[Beside], key: str
) -> Table:
    messages, say = context.messages, context.messages.say
    other, own = (context.section_title(name) for name in (str(compare["to_sweep"]), sweep))
    load = (
        Column(say("Offered rate"), "right", "IO/s")
        if pairs[0].open_loop
        else Column(say("Outstanding I/Os"), "right")
    )
    made: list[tuple[Cell, ...]] = []
    for name, pair in zip(_names(context, pairs), pairs, strict=True):
        for what, steps in pair.figures.items():
            figure = figure_name(messages, pair, what)
            head = say("{name}: {finding}", name=name, finding=figure) if len(pairs) > 1 else figure
            made.append((Cell(head, strong=True),))
            made += [_row(context, what, step) for step in steps]
    return Table(
        columns=(load, Column(other, "right"), Column(own, "right"), Column(say("Quotient"), "right")),
        rows=tuple(made),
        caption=messages.of_study(str(compare["title"])),
        key=key,
        notes=_notes(context, pairs, own, other),
    )


def _row(context: Context, what: What, step: Step) -> tuple[Cell, ...]:
    numbers = context.numbers

    def written(of: Literal["one", "other"]) -> Cell:
        value = step.one if of == "one" else step.other
        if value is None:
            return Cell(NOT_KNOWN)
        return Cell(numbers.estimate(value) if what == "main" else numbers.latency(value))

    quotient = step.compared.quotient
    return (
        Cell(loads_text(context.messages, step.loads), strong=True),
        written("other"),
        written("one"),
        Cell(numbers.ratio(quotient), strong=step.compared.told_apart),
    )


def _notes(context: Context, pairs: Sequence[Beside], own: str, other: str) -> tuple[Text, ...]:
    messages, say = context.messages, context.messages.say
    steps = [step for pair in pairs for of in pair.figures.values() for step in of]
    notes: list[Text] = [
        say(
            "Quotient: {first} ÷ {second}, with its interval where it has one. Bold: the interval leaves "
            "out 1.",
            first=messages.in_quotes(own),
            second=messages.in_quotes(other),
        )
    ]
    if any(step.loads.several for step in steps):
        notes.append(say("Of several loads it is the mean of their quotients."))
    firsts = [item.curve.first for pair in pairs for item in (pair.item, pair.other)]
    if any(one.outstanding_total > one.outstanding for one in firsts if not one.open_loop):
        notes.append(say("Outstanding I/Os are those of all targets and workers together."))
    if any(step.compared.relation == "level" for step in steps):
        notes.append(level_note(messages))
    return tuple(notes)
