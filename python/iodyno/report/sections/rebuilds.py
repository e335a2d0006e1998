"""What the rebuilds beside the load came to: rate and time at each point."""

from __future__ import annotations

from collections.abc import Iterator

from iodyno.analysis.figures import PointFigures
from iodyno.analysis.layout import EACH_UP_TO
from iodyno.analysis.run import CurveAnalysis
from iodyno.analysis.units import mb_s
from iodyno.reading import Rebuilding
from iodyno.report.context import Context
from iodyno.report.document import Block, Cell, Code, Column, Heading, Paragraph, Table, Text
from iodyno.report.numbers import NOT_KNOWN
from iodyno.report.sections.attachments import points_name
from iodyno.report.sections.result_tables import each_note, load_cell, loads_column

SECONDS_PER_HOUR = 3600


def blocks(context: Context) -> list[Block]:
    """Make the part; nothing where no point is beside a rebuild."""
    items = [item for item in context.analysis.curves if any(_rebuilds(at) for at in item.curve.points)]
    if not items:
        return []
    say, messages = context.messages.say, context.messages
    text = say(
        "Failed members are rebuilt beside the load, all of an array at once. A rebuild can be slower than "
        "asked for where the load leaves it too little. The time is what a whole member takes where the load "
        "stays as it is."
    )
    many = len(context.analysis.curves) > EACH_UP_TO
    return [
        Heading(2, say("Rebuilds"), "rebuilds"),
        Paragraph(messages.see(text, "table-rebuilds")),
        _table(context, items, many=many),
        *((Paragraph(_where_all_are(context)),) if many else ()),
    ]


def _rebuilds(at: PointFigures) -> tuple[Rebuilding, ...]:
    return at.simulation.rebuilds if at.simulation else ()


def _where_all_are(context: Context) -> Text:
    return context.messages.compose(
        "Those of every point are in the file {file}, which is attached to this document.",
        file=Code(points_name(context)),
    )


def _table(context: Context, items: list[CurveAnalysis], *, many: bool) -> Table:
    """Give a row for each point; of many curves one for each, at its maximum."""
    say, curves = context.messages.say, [item.curve for item in items]
    several = any(len(_rebuilds(at)) > 1 for curve in curves for at in curve.points)
    return Table(
        columns=(
            Column(say("Load profile")),
            loads_column(context, curves, at=many),
            *((Column(say("Volume")),) if several else ()),
            Column(say("Rebuild of each member"), "right", "MB/s"),
            Column(say("Asked for"), "right", "MB/s"),
            Column(say("Whole member"), "right", "h"),
        ),
        rows=tuple(row for item in items for row in _rows(context, items, item, many=many, several=several)),
        caption=say("Rebuilds beside the load, at each maximum") if many else say("Rebuilds beside the load"),
        key="table-rebuilds",
        notes=each_note(context, curves),
    )


def _rows(
    context: Context, items: list[CurveAnalysis], item: CurveAnalysis, *, many: bool, several: bool
) -> Iterator[tuple[Cell, ...]]:
    numbers, name = context.numbers, context.names_of_curves[item.curve.key]
    among = [other.curve for other in items]
    for at in [item.maximum.at] if many else item.curve.points:
        load: Cell | None = load_cell(context, at, among)
        for rebuild in _rebuilds(at):
            whole = rebuild.member_s
            yield (
                Cell(name, strong=True),
                load or Cell(""),
                *((Cell(rebuild.volume),) if several else ()),
                Cell(numbers.significant(mb_s(rebuild.bytes_s))),
                Cell(numbers.shortest(mb_s(rebuild.asked_bytes_s))),
                Cell(NOT_KNOWN if whole is None else numbers.significant(whole / SECONDS_PER_HOUR)),
            )
            name, load = "", None
