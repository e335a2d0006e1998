"""Configurations set against others, as a study asks: quotients over the load in words and as a table."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from iodyno.analysis.against import Compared, Loads, Pair, against, rows
from iodyno.analysis.uncompared import asked_pairs
from iodyno.report.context import Context
from iodyno.report.curve_names import loaded_name
from iodyno.report.document import Block, Cell, Column, Heading, Link, Paragraph, Strong, Table, Text
from iodyno.report.sections import two_sweeps
from iodyno.report.sections.result_tables import no_maxima_notes
from iodyno.report.sentences.against import (
    level_note,
    loads_text,
    pair_names,
    paragraphs,
    spans,
    unknown_note,
)
from iodyno.report.sentences.uncompared import sentences

MOST_COLUMNS = 5
"""Quotients that a table has side by side; of more profiles each has a row."""


def blocks(context: Context, sweep: str, source: Mapping[str, Any], level: int) -> list[Block]:
    """Make a part for each comparison that the study asks of a sweep; where it lacks what it needs, it says
    so."""
    made: list[Block] = []
    for compare, key in _comparisons(sweep, source):
        made.append(Heading(level, context.messages.of_study(str(compare["title"])), f"against-{key}"))
        if compare.get("to_sweep"):
            made += two_sweeps.blocks(context, sweep, compare, key)
            continue
        if pairs := against(context.analysis.of_sweep(sweep), compare):
            made += _comparison(context, str(compare["title"]), pairs, key)
        if left_out := _left_out(context, sweep, compare):
            made.append(Paragraph(left_out))
    return made


def _left_out(context: Context, sweep: str, compare: Mapping[str, Any]) -> str:
    """Say what of a comparison cannot be made, and why."""
    if compare.get("to_sweep"):
        return two_sweeps.left_out(context, sweep, compare)
    own = [point for point in two_sweeps.planned(context) if point.sweep == sweep]
    return sentences(context, asked_pairs(context.analysis.of_sweep(sweep), own, compare))


def in_short(context: Context, sweep: str, source: Mapping[str, Any]) -> list[Text]:
    """Say of each comparison that the study asks of a sweep between which quotients its profiles lie."""
    messages, made = context.messages, []
    for compare, key in _comparisons(sweep, source):
        if compare.get("to_sweep"):
            made += two_sweeps.in_short(context, sweep, compare, key)
            continue
        pairs = against(context.analysis.of_sweep(sweep), compare)
        if not pairs:
            continue
        together = rows(pairs)
        _, names = pair_names(messages, [row[0] for row in together])
        name, finding = Strong(messages.of_study(str(compare["title"]))), spans(messages, together, names)
        said = messages.compose("{name}: {finding}", name=name, finding=finding)
        made.append(messages.see(said, f"table-against-{key}"))
    return made


def not_made(context: Context, sweep: str, source: Mapping[str, Any]) -> list[Link]:
    """Name the comparisons that the study asks of a sweep and that cannot be made, wholly or in part: there
    it is said of what, and why."""
    return [
        Link(context.messages.of_study(str(compare["title"])), f"against-{key}")
        for compare, key in _comparisons(sweep, source)
        if _left_out(context, sweep, compare)
    ]


def _comparisons(sweep: str, source: Mapping[str, Any]) -> Iterator[tuple[Mapping[str, Any], str]]:
    """Yield the comparisons that a study asks of a sweep, each with the end of its keys."""
    for number, compare in enumerate((source.get("chart") or {}).get("compare") or ()):
        yield compare, f"{sweep}-{number}"


def _comparison(context: Context, title: str, pairs: Sequence[Pair], key: str) -> list[Block]:
    messages, together = context.messages, rows(pairs)
    shared, names = pair_names(messages, [row[0] for row in together])
    table = _table(context, messages.of_study(title), together, names, f"table-against-{key}")
    told: list[Text] = [messages.say("Quotients: {finding}.", finding=shared)] if shared else []
    *texts, last = told + paragraphs(messages, together, names)
    return [
        *(Paragraph(text) for text in texts),
        Paragraph(messages.see(last, table.key)),
        table,
    ]


def _table(
    context: Context, title: str, together: Sequence[Sequence[Pair]], names: Sequence[str], key: str
) -> Table:
    every = [pair for row in together for pair in row]
    profiles = {pair.profile: loaded_name(context.messages, pair.item.curve) for pair in every}
    cells = {
        (place, pair.profile, step.loads): step
        for place, row in enumerate(together)
        for pair in row
        for step in pair.steps
    }
    by_profile = len(profiles) <= MOST_COLUMNS
    heads = list(profiles.values()) if by_profile else list(names)
    made = (
        _by_pair(context, cells, names, list(profiles)) if by_profile else _by_load(context, cells, profiles)
    )
    say = context.messages.say
    several = len({at for _, _, at in cells}) > 1
    first = (
        say("Load profile")
        if not by_profile
        else say("Outstanding I/Os")
        if several
        else say("Configuration")
    )
    return Table(
        columns=(Column(first), *(Column(head, "right") for head in heads)),
        rows=tuple(made),
        caption=say("{title}: quotients", title=title),
        key=key,
        notes=_notes(context, every),
    )


Cells = Mapping[tuple[int, str, Loads], Compared]
"""What stands in a table, by the number of the pair, the profile and the loads."""


def _by_pair(
    context: Context, cells: Cells, names: Sequence[str], profiles: Sequence[str]
) -> list[tuple[Cell, ...]]:
    """Give rows with a column for each profile: a row for each pair, or for each load below its name."""
    several = len({at for _, _, at in cells}) > 1
    made: list[tuple[Cell, ...]] = []
    for place, name in enumerate(names):
        own = _in_order(at for number, _, at in cells if number == place)
        if several and len(names) > 1:
            made.append((Cell(name, strong=True),))
        for at in own:
            head = loads_text(context.messages, at) if several else name
            row = (_cell(context, cells.get((place, profile, at))) for profile in profiles)
            made.append((Cell(head, strong=True), *row))
    return made


def _by_load(context: Context, cells: Cells, profiles: Mapping[str, str]) -> list[tuple[Cell, ...]]:
    """Give rows with a column for each pair: a row for each profile, of each load below its name."""
    loads = _in_order(at for _, _, at in cells)
    places = sorted({place for place, _, _ in cells})
    made: list[tuple[Cell, ...]] = []
    for at in loads:
        if len(loads) > 1:
            made.append((Cell(loads_text(context.messages, at, alone=True), strong=True),))
        known = {profile for _, profile, one in cells if one == at}
        for profile, name in ((profile, name) for profile, name in profiles.items() if profile in known):
            row = (_cell(context, cells.get((place, profile, at))) for place in places)
            made.append((Cell(name, strong=True), *row))
    return made


def _in_order(loads: Iterable[Loads]) -> list[Loads]:
    """Put loads in order, each once; ranges behind the load that they begin at, and maxima last."""
    return sorted(set(loads), key=lambda at: (at.maxima, at.first, at.last))


def _cell(context: Context, step: Compared | None) -> Cell:
    if step is None:
        return Cell("–")
    return Cell(context.numbers.quotient(step.quotient), strong=step.told_apart)


def _notes(context: Context, pairs: Sequence[Pair]) -> tuple[Text, ...]:
    messages = context.messages
    say, loads = messages.say, {step.loads for pair in pairs for step in pair.steps}
    items = [item for pair in pairs for item in (pair.item, pair.other)]
    curves = [item.curve for item in items]
    notes: list[Text] = [
        say(
            "Main figure of the first ÷ that of the second, with its interval. Bold: the interval leaves "
            "out 1."
        )
    ]
    if any(at.first != at.last for at in loads):
        notes.append(say("Of several loads it is the mean of their quotients."))
    if all(at.maxima for at in loads):
        several = any(len(pair.item.curve.points) > 1 for pair in pairs)
        notes += [say("The main figures are the maxima over all loads.")] if several else []
    elif any(at.first.outstanding_total > at.first.outstanding for at in curves if not at.open_loop):
        notes.append(say("Outstanding I/Os are those of all targets and workers together."))
    unknown = any(step.relation == "unknown" for pair in pairs for step in pair.steps)
    if any(at.maxima for at in loads):
        notes += no_maxima_notes(context, items)
    return (*notes, level_note(messages), *((unknown_note(messages),) if unknown else ()))
