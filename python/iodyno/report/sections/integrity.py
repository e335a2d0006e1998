"""Where data came back wrong: what was expected at each place, and what was found."""

from __future__ import annotations

from collections.abc import Iterator

from iodyno.corruption import CorruptionKind, Finding, Integrity
from iodyno.reading import PointResult
from iodyno.report.context import Context
from iodyno.report.curve_names import own_load
from iodyno.report.document import Block, Cell, Code, Column, Heading, Link, Paragraph, Table, Text
from iodyno.report.messages import N_
from iodyno.report.names import profile_name

SHOWN = 20
"""Findings that the table has rows for; the export has the first hundred of each point."""

KINDS: dict[CorruptionKind, str] = {
    "bit_flip": N_("bit flip"),
    "torn": N_("torn"),
    "lost": N_("lost"),
    "stale": N_("stale"),
    "misdirected": N_("misdirected"),
    "zeros": N_("zeros"),
    "overtrimmed": N_("overtrimmed"),
    "foreign": N_("foreign"),
    "unreadable": N_("unreadable"),
}
MEANINGS: dict[CorruptionKind, str] = {
    "bit_flip": N_("bits are not as they were written"),
    "torn": N_("one write is there in part"),
    "lost": N_("a write that was acknowledged is not there, and no read has ever seen it"),
    "stale": N_("older data came back, though a read had found the newest"),
    "misdirected": N_("a block that belongs elsewhere"),
    "zeros": N_("zeros where something was written"),
    "overtrimmed": N_("zeros or ones beside a place that was trimmed"),
    "foreign": N_("nothing that this run wrote"),
    "unreadable": N_("the device gave an error"),
}


def blocks(context: Context) -> list[Block]:
    """Make the section; nothing where all data came back as it was written."""
    if not context.analysis.corruptions:
        return []
    say, messages = context.messages.say, context.messages
    kinds = [
        say("{kind}: {count}", kind=messages.known(KINDS[kind]), count=context.numbers.integer(count))
        for kind, count in _counts(context).items()
    ]
    text = messages.compose(
        "Each sector that was written carries its place, the number of its write and a checksum; what was "
        "read was compared with what had been written there last. Places that did not hold it, by kind: "
        "{kinds}. {table} says where they are.",
        kinds=messages.gathered(kinds),
        table=Link("", "table-integrity"),
    )
    return [Heading(1, say("Data that came back wrong"), "integrity"), Paragraph(text), _table(context)]


def _table(context: Context) -> Table:
    say, found = context.messages.say, list(_findings(context))
    several = len({path for _, integrity, _, _ in found for path in integrity.targets}) > 1
    kinds = dict.fromkeys(one.kind for _, _, one, _ in found)
    known = context.messages.known
    return Table(
        columns=(
            Column(say("Seen at")),
            Column(say("By")),
            *([Column(say("Target"))] if several else []),
            Column(say("Kind")),
            Column(say("Offset"), "right", "B"),
            Column(say("Length"), "right", "B"),
            Column(say("Expected")),
            Column(say("Found")),
            Column(say("Read again")),
        ),
        rows=tuple(_row(context, *one, several=several) for one in found[:SHOWN]),
        caption=say("Data that came back wrong: what was expected, and what was found"),
        key="table-integrity",
        notes=(
            say(
                "The numbers of writes count from the first of the run. Found: what the first wrong sector "
                "says of itself; – where it says nothing."
            ),
            context.messages.flow(
                [
                    say("{kind}: {meaning}.", kind=known(KINDS[kind]), meaning=known(MEANINGS[kind]))
                    for kind in kinds
                ]
            ),
            *_hidden(context, len(found[:SHOWN])),
        ),
    )


def _hidden(context: Context, shown: int) -> tuple[Text, ...]:
    more = context.analysis.corruptions - shown
    if more <= 0:
        return ()
    said = context.messages.say_n(
        "{count} more place is not shown.", "{count} more places are not shown.", more
    )
    return (said,)


def _findings(context: Context) -> Iterator[tuple[PointResult, Integrity, Finding, bool]]:
    """Yield the findings that are kept, with their points, and whether a pass after the load found them."""
    for result in context.stored.results:
        integrity = result.reading.integrity
        if integrity is not None:
            yield from ((result, integrity, one, False) for one in integrity.load.first)
            if integrity.final_pass:
                yield from ((result, integrity, one, True) for one in integrity.final_pass.findings.first)


def _row(
    context: Context, result: PointResult, integrity: Integrity, one: Finding, by_pass: bool, *, several: bool
) -> tuple[Cell, ...]:
    messages, numbers, say = context.messages, context.numbers, context.messages.say
    number = numbers.integer(one.expected_generation)
    again = {True: say("wrong again"), False: say("right"), None: "–"}
    return (
        Cell(f"{profile_name(messages, result.point.profile)}, {own_load(messages, result.point)}"),
        Cell(say("the pass after it") if by_pass else say("the load")),
        *([Cell((Code(integrity.targets[one.target]),))] if several else []),
        Cell(messages.known(KINDS[one.kind]), strong=True),
        Cell(numbers.integer(one.offset_bytes)),
        Cell(numbers.integer(one.bytes)),
        Cell(say("trim {number}", number=number) if one.trimmed else say("write {number}", number=number)),
        Cell(_found(context, integrity, one)),
        Cell(again[one.lasting]),
    )


def _found(context: Context, integrity: Integrity, one: Finding) -> Text:
    say, numbers = context.messages.say, context.numbers
    if one.found is None:
        return "–"
    number = numbers.integer(one.found.generation)
    if not one.found.this_run:
        return say("write {number} of another run", number=number)
    if one.kind != "misdirected":
        return say("write {number}", number=number)
    offset = numbers.integer(one.found.offset_bytes)
    if one.found.target == one.target:
        return say("write {number}, for {offset}", number=number, offset=offset)
    path = integrity.targets[one.found.target]
    return say("write {number}, for {offset} of {target}", number=number, offset=offset, target=path)


def _counts(context: Context) -> dict[CorruptionKind, int]:
    counts: dict[CorruptionKind, int] = {}
    for result in context.stored.results:
        found = result.reading.integrity.all.counts if result.reading.integrity else {}
        for kind, count in found.items():
            counts[kind] = counts.get(kind, 0) + count
    return {kind: counts[kind] for kind in KINDS if counts.get(kind)}
