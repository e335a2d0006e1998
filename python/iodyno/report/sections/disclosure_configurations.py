"""Appendix of a run of very many curves: in print a row a configuration, on screen one a curve too."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from iodyno.analysis.run import CurveAnalysis
from iodyno.report.context import Context
from iodyno.report.document import Block, Cell, Column, Table, Text
from iodyno.report.names import MARKS, STATE_NAMES
from iodyno.report.sections import disclosure_curves as curves
from iodyno.report.sections.method import shown_states
from iodyno.report.sections.results import sweep_source

MOST_PRINTED = 150
"""Curves up to which each has a row in print."""


def blocks(context: Context) -> list[Block]:
    """Make the tables, and the command that repeats a point where there is one."""
    made: list[Block] = [_table(context), *curves.commands(context, context.analysis.curves)]
    return made + [_of_sweep(context, sweep) for sweep in context.analysis.sweeps]


def _of_sweep(context: Context, sweep: str) -> Table:
    """Give the rows of the curves of a sweep, for the screen."""
    title = str(sweep_source(context, sweep).get("title") or sweep)
    items = sorted(context.analysis.of_sweep(sweep), key=curves.of_configuration(context, sweep))
    table = curves.table(context, sweep, items)
    caption = context.messages.say(
        "{name}: {finding}", name=context.messages.of_study(title), finding=table.caption
    )
    return replace(table, caption=caption, printed=False)


def _table(context: Context) -> Table:
    messages, say = context.messages, context.messages.say
    groups: dict[Text, list[CurveAnalysis]] = {}
    for item in context.analysis.curves:
        groups.setdefault(curves.where(context, item), []).append(item)
    states = (
        Column(f"{messages.known(STATE_NAMES[state])}{MARKS[state]}", "right")
        for state in shown_states(context)
    )
    return Table(
        columns=(
            Column(say("Configuration")),
            Column(say("Load profiles"), "right"),
            Column(say("Points"), "right"),
            *states,
            Column(say("I/Os"), "right"),
            Column(say("Widest interval"), "right"),
        ),
        rows=tuple(_row(context, place, items) for place, items in groups.items()),
        caption=say("Disclosure of each configuration: its points, and their verdicts"),
        key="table-disclosure",
        notes=(say("Widest interval: of the maxima of the configuration."),),
    )


def _row(context: Context, place: Text, items: Sequence[CurveAnalysis]) -> tuple[Cell, ...]:
    numbers = context.numbers
    points = [at for item in items for at in item.curve.points]
    counts = [sum(item.states.get(state, 0) for item in items) for state in shown_states(context)]
    widest = max(items, key=lambda item: item.maximum.at.main.half_width or 0.0).maximum.at.main
    return (
        Cell(place),
        Cell(numbers.integer(len({item.curve.profile.name for item in items}))),
        Cell(numbers.integer(len(points))),
        *(Cell(numbers.integer(count) if count else "–") for count in counts),
        Cell(numbers.integer(sum(at.completed for at in points))),
        Cell(numbers.half_width(widest)),
    )
