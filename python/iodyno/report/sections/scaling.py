"""How maxima scale: over workers and over drives, against the ideal line."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from iodyno.analysis.configurations import areas_of
from iodyno.analysis.drives import DriveScaling, drive_scalings
from iodyno.analysis.kin import Family
from iodyno.analysis.scaling import Scaling
from iodyno.report.context import Context
from iodyno.report.document import (
    Axis,
    Block,
    Cell,
    ChartLine,
    ChartPoint,
    Column,
    Figure,
    Heading,
    LineChart,
    Paragraph,
    Table,
)
from iodyno.report.enough_text import level_name, like_name, scaled_name
from iodyno.report.names import main_unit

MOST_LINES = 5
"""Scalings that a chart holds beside the ideal line: those with most drives."""
PAIR = 2
"""Numbers of drives of an array that grows once: then one column holds all factors."""
IDEAL = 0.95
"""A factor is called proportional from this share of the ideal on, interval included."""


def blocks(context: Context) -> list[Block]:
    """Make the part on the number of drives; nothing where no systems differ in it alone."""
    curves = ((item.curve, item.maximum.at.main) for item in context.analysis.curves if not item.asked)
    found = drive_scalings(curves, context.run.plan.systems, areas_of(context.run.plan))
    if not found:
        return []
    say = context.messages.say
    made: list[Block] = [
        Heading(2, say("Scaling with the number of drives"), "scaling-drives"),
    ]
    found = tuple(
        sorted(
            found,
            key=lambda item: (
                item.family.drive, item.family.behind, item.family.like, item.family.level,
                item.family.words,
            ),
        )
    )  # fmt: skip
    places = list(dict.fromkeys(_place(item.family) for item in found))
    drawn = [_drawn([item for item in found if _place(item.family) == of]) for of in places]
    whole = sum(len(lines) for lines in drawn) == len(found)
    figures = [
        _figure(context, drawn[place : place + 2], place // 2, whole=whole)
        for place in range(0, len(drawn), 2)
    ]
    table = _table(context, found)
    words = context.messages.see(
        in_proportion_text(context, found), *(figure.key for figure in figures), table.key
    )
    return [*made, Paragraph(words), *figures, table]


def _drawn(those: Sequence[DriveScaling]) -> list[DriveScaling]:
    """Choose the scalings that a chart shows: those that its ideal line is of, and of them the longest."""
    of_line = [item for item in those if item.in_proportion] or those
    return sorted(of_line, key=lambda item: -item.steps[-1].count)[:MOST_LINES]


def in_proportion_text(context: Context, found: Sequence[DriveScaling]) -> str:
    """Say how many scale in proportion, as far as the intervals show."""
    messages = context.messages
    last = [item.steps[-1] for item in found]
    good = sum(step.factor is not None and step.factor.low >= IDEAL * step.ideal for step in last)
    return messages.say_n(
        "At least {share} of its ideal, interval included, is reached by {good} of {count} curve, a profile "
        "on one kind of array.",
        "At least {share} of their ideal, interval included, is reached by {good} of {count} curves, each a "
        "profile on one kind of array.",
        len(found),
        good=messages.numbers.integer(good),
        share=messages.numbers.percent(IDEAL, 0),
    )


def family_name(context: Context, family: Family, families: Iterable[Family] = ()) -> str:
    """Name how the drives are joined, and to what; settings only where others differ in nothing else."""
    alike = [
        other.words for other in families if (_place(other), other.level) == (_place(family), family.level)
    ]
    words = [context.messages.known(word) for word in family.words if not all(word in of for of in alike)]
    level = level_name(context.messages, family)
    return context.messages.enumerated(
        [
            name
            for name in (
                context.messages.part(family.drive), level, family.behind, *words,
                like_name(context.messages, family),
            )
            if name
        ]
    )  # fmt: skip


def _place(family: Family) -> tuple[str, str, str]:
    """Give what families of one chart share: the drive, and what it hangs on."""
    return family.drive, family.behind, family.like


def _figure(context: Context, pair: Sequence[Sequence[DriveScaling]], number: int, *, whole: bool) -> Figure:
    messages = context.messages
    name = messages.gathered([_chart_name(context, found) for found in pair])
    return Figure(
        charts=tuple(_chart(context, found) for found in pair),
        caption=messages.say("{name}: maxima over the number of drives, against the ideal line", name=name)
        if whole
        else messages.say(
            "{name}: maxima over the number of drives, against the ideal line; at most {count} curves, of "
            "those with most drives: the table has all",
            name=name,
            count=messages.numbers.integer(MOST_LINES),
        ),
        alt=messages.say(
            "A line chart of the factor by which the maximum grows with the number of drives, beside the "
            "line on which it would grow in proportion; the values are in the table below."
        ),
        key=f"figure-scaling-drives-{number}",
        floats=True,
    )


def _chart_name(context: Context, found: Sequence[DriveScaling]) -> str:
    """Name the drives of a chart, how they are joined where they all are so, and what they hang on."""
    messages, family = context.messages, found[0].family
    level = level_name(messages, family) if _one_level(found) else ""
    return messages.enumerated(
        [messages.part(family.drive), level, family.behind, like_name(messages, family)]
    )


def _one_level(found: Sequence[DriveScaling]) -> bool:
    return len({item.family.level for item in found}) == 1


def _chart(context: Context, found: Sequence[DriveScaling]) -> LineChart:
    messages = context.messages
    counts = sorted({step.count for item in found for step in item.steps})
    names, alike = _names(context, found), _one_level(found)
    longest = max(found, key=lambda item: item.steps[-1].ideal).steps
    ideal = ChartLine(
        messages.say("ideal"),
        tuple(ChartPoint(step.count, step.ideal) for step in (longest[0], longest[-1])),
        markers=False,
    )
    lines = tuple(
        ChartLine(
            messages.enumerated([names[item], "" if alike else level_name(messages, item.family)]),
            tuple(_point(context, step) for step in item.steps),
        )
        for item in found
    )
    return LineChart(
        Axis(messages.say("Drives"), "linear", tuple(float(count) for count in counts)),
        Axis(messages.say("Factor of the maximum")),
        (ideal, *lines),
        title=_chart_name(context, found),
    )


def _point(context: Context, step: Scaling) -> ChartPoint:
    factor = step.factor
    known = factor is not None and factor.known
    return ChartPoint(
        x=step.count,
        y=factor.value if factor else 0.0,
        low=factor.low if factor and known else None,
        high=factor.high if factor and known else None,
        label=context.messages.numbers.quotient(factor),
    )


def _table(context: Context, found: Sequence[DriveScaling]) -> Table:
    """Give a row to each profile of an array: the maximum of the fewest drives, and the factor of others."""
    say, messages = context.messages.say, context.messages
    counts = sorted({step.count for item in found for step in item.steps[1:]})
    paired = all(len(item.steps) == PAIR for item in found)
    factors = (
        (Column(say("Most drives"), "right"), Column(say("Factor"), "right"), Column(say("ideal"), "right"))
        if paired
        else tuple(
            Column(messages.say_n("{count} drive", "{count} drives", count), "right") for count in counts
        )
    )
    note = (
        say(
            "Maximum: that of the fewest drives. Factor: from there to the most drives, with its interval; "
            "the ideal is the quotient of the numbers of drives."
        )
        if paired
        else say(
            "Maximum: that of the fewest drives. Under a number of drives: the factor to it, with its "
            "interval; the ideal is the quotient of the numbers of drives."
        )
    )
    notes = [note]
    if not all(item.in_proportion for item in found):
        notes.append(
            say(
                "From one drive to an array that writes copies or parity the ideal is less, by what has to "
                "be written beside the data: what two drives in RAID 1 write is what one writes, at most."
            )
        )
    families, names = list(dict.fromkeys(item.family for item in found)), _names(context, found)
    rows: list[tuple[Cell, ...]] = []
    for of in families:
        rows.append((Cell(family_name(context, of, families)),))
        rows += [
            (
                *_first(context, item, names[item]),
                *(_pair(context, item) if paired else _factors(context, item, counts)),
            )
            for item in found
            if item.family == of
        ]
    return Table(
        columns=(
            Column(say("Load profile")),
            Column(say("Fewest drives"), "right"),
            Column(say("Maximum"), "right"),
            Column(say("Unit")),
            *factors,
        ),
        rows=tuple(rows),
        caption=say("Maximum of each profile over the number of drives"),
        key="table-scaling-drives",
        notes=tuple(notes),
    )


def _names(context: Context, found: Sequence[DriveScaling]) -> dict[DriveScaling, str]:
    """Name rows and lines by their profile, and by their workers where these are not the same in all."""
    several = len({item.workers for item in found}) > 1
    return {item: scaled_name(context.messages, item, workers=several) for item in found}


def _first(context: Context, item: DriveScaling, name: str) -> tuple[Cell, ...]:
    first = item.steps[0]
    return (
        Cell(name, strong=True),
        Cell(context.numbers.integer(first.count)),
        Cell(context.numbers.estimate(first.figure)),
        Cell(main_unit(item.profile)),
    )


def _pair(context: Context, item: DriveScaling) -> tuple[Cell, ...]:
    numbers, last = context.numbers, item.steps[-1]
    return (
        Cell(numbers.integer(last.count)),
        Cell(numbers.quotient(last.factor)),
        Cell(numbers.shortest(round(last.ideal, 2))),
    )


def _factors(context: Context, item: DriveScaling, counts: Sequence[int]) -> tuple[Cell, ...]:
    factors = {step.count: step.factor for step in item.steps[1:]}
    return tuple(
        Cell(context.numbers.quotient(factors[count]) if count in factors else "–") for count in counts
    )
