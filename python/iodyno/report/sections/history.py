"""Document history: which state of a run a paper shows."""

from __future__ import annotations

from iodyno.report.context import Context
from iodyno.report.document import Block, Cell, Code, Column, Heading, Table

DRAFT, FIRST = "0.1", "1.0"
"""Version of a paper of a run that is not finished, and of a finished one."""


def blocks(context: Context) -> list[Block]:
    """Make the section: one row, for a run never changes once it is finished."""
    say, run = context.messages.say, context.run
    finished = context.analysis.points == context.analysis.planned
    values = {
        "points": context.numbers.integer(context.analysis.points),
        "planned": context.numbers.integer(context.analysis.planned),
    }
    text = (
        context.messages.say_n(
            "First issue: {count} point", "First issue: all {count} points", context.analysis.points
        )
        if finished
        else say("Draft: {points} of {planned} points", **values)
    )
    row = (
        Cell(FIRST if finished else DRAFT),
        Cell(context.messages.date(run.finished_at or run.started_at)),
        Cell(text),
        Cell((Code(run.id),)),
        Cell(f"{run.tool.version} ({run.tool.commit})"),
    )
    return [
        Heading(1, say("Document history"), "history"),
        Table(
            columns=tuple(
                Column(name) for name in (say("Version"), say("Date"), say("What"), say("Run"), "iodyno")
            ),
            rows=(row,),
            caption=say("Versions of this document"),
            key="table-history",
        ),
    ]
