"""How maxima scale: over workers and over drives, against the ideal line."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

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
from iodyno.report.names import main_unit
from iodyno.report.sentences.enough import driven_name, level_name, like_name, scaled_names

MOST_LINES = 5
"""Scalings that a chart holds beside the ideal line: those with most drives."""
MOST_FLOATING = 2
"""Figures that may stand at the foot of a page: more would part the table into pieces."""
PAIR = 2
"""Numbers of drives of an array that grows once: then one column holds all factors, and no chart is drawn of
it, as a line through two points shows nothing that the factor does not tell."""
IDEAL = 0.95
"""A factor is called proportional from this share of the ideal on, interval included."""


def blocks(context: Context) -> list[Block]:
    """Make the part on the number of drives; nothing where no systems differ in it alone."""
    items = (item for item in context.analysis.curves if item.whole and not item.asked)
    curves = ((item.curve, item.maximum.at.main) for item in items)
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
    drawn = _drawn(found)
    pairs = _paired(drawn)
    figures = [_figure(context, pair, place, found) for place, pair in enumerate(pairs)]
    if any(len(pair) > 1 for pair in pairs):
        figures = [replace(figure, half=len(figure.charts) == 1) for figure in figures]
    if figures and sum(map(len, drawn)) < len(found):
        figures = [_leaves_out(context, figure) for figure in figures]
    if len(figures) > MOST_FLOATING:
        figures = [replace(figure, floats=False) for figure in figures]
    table = _table(context, found)
    words = context.messages.see(
        in_proportion_text(context, found), *(figure.key for figure in figures), table.key
    )
    return [*made, Paragraph(words), *figures, table]


def _drawn(found: Sequence[DriveScaling]) -> list[list[DriveScaling]]:
    """Choose the scalings of each chart: one kind of array with its settings, those that its ideal line is
    of, and of them the longest.

    A kind whose copies or parity leave it one such line has no chart, where others have: it is in the table.
    So is what grows once.
    """
    charts = []
    grown = [item for item in found if len(item.steps) > PAIR]
    for kind in dict.fromkeys(item.kind for item in grown):
        those = [item for item in grown if item.kind == kind]
        charts.append([item for item in those if item.in_proportion] or those)
    several = [lines for lines in charts if len(lines) > 1] or charts
    return [sorted(lines, key=lambda item: -item.steps[-1].count)[:MOST_LINES] for lines in several]


def _paired(drawn: Sequence[Sequence[DriveScaling]]) -> list[Sequence[Sequence[DriveScaling]]]:
    """Put two charts beside each other: those of one drive, on what it hangs on, where there are two."""
    places: dict[tuple[str, str, str], list[Sequence[DriveScaling]]] = {}
    for lines in drawn:
        places.setdefault(_place(lines[0].family), []).append(lines)
    pairs = [of[begin : begin + 2] for of in places.values() for begin in range(0, len(of) - 1, 2)]
    alone = [of[-1] for of in places.values() if len(of) % 2]
    pairs += [alone[begin : begin + 2] for begin in range(0, len(alone), 2)]
    return sorted(pairs, key=lambda pair: drawn.index(pair[0]))


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


def _kind_name(context: Context, item: DriveScaling, found: Sequence[DriveScaling]) -> str:
    """Name a kind of array, and how many targets a worker drives where that is all that tells it apart."""
    family = family_name(context, item.family, [other.family for other in found])
    return context.messages.enumerated([family, driven_name(context.messages, item, found)])


def _place(family: Family) -> tuple[str, str, str]:
    """Give what families of one chart share: the drive, and what it hangs on."""
    return family.drive, family.behind, family.like


def _figure(
    context: Context, pair: Sequence[Sequence[DriveScaling]], number: int, found: Sequence[DriveScaling]
) -> Figure:
    messages = context.messages
    titles = [_kind_name(context, lines[0], found) for lines in pair]
    reach = tuple(_highest(item) for lines in pair for item in lines)
    return Figure(
        charts=tuple(_chart(context, lines, title, reach) for lines, title in zip(pair, titles, strict=True)),
        caption=messages.say(
            "{name}: maxima over the number of drives, against the ideal line", name=messages.gathered(titles)
        ),
        alt=messages.say(
            "A line chart of the factor by which the maximum grows with the number of drives, beside the "
            "line on which it would grow in proportion; the values are in the table below."
        ),
        key=f"figure-scaling-drives-{number}",
        floats=True,
    )


def _leaves_out(context: Context, figure: Figure) -> Figure:
    """Say in the caption that the charts show not all."""
    caption = context.messages.say(
        "{caption}; at most {count} curves a chart, of those with most drives: the table has all",
        caption=figure.caption,
        count=context.numbers.integer(MOST_LINES),
    )
    return replace(figure, caption=caption)


def _highest(item: DriveScaling) -> float:
    """Give the highest place that a line needs on the axis, its interval and its ideal included."""
    known = [step.factor for step in item.steps if step.factor is not None]
    ends = [factor.high if factor.known else factor.value for factor in known]
    return max(item.steps[-1].ideal, *ends) if ends else item.steps[-1].ideal


def _chart(
    context: Context, found: Sequence[DriveScaling], title: str, reach: tuple[float, ...]
) -> LineChart:
    """Draw the lines of one kind of array; two charts beside each other have one scale."""
    messages = context.messages
    counts = sorted({step.count for item in found for step in item.steps})
    names = _names(context, found)
    longest = max(found, key=lambda item: item.steps[-1].ideal).steps
    ideal = ChartLine(
        messages.say("ideal"),
        tuple(ChartPoint(step.count, step.ideal) for step in (longest[0], longest[-1])),
        markers=False,
    )
    lines = tuple(
        ChartLine(names[item], tuple(_point(context, step) for step in item.steps)) for item in found
    )
    return LineChart(
        Axis(messages.say("Drives"), "linear", tuple(float(count) for count in counts)),
        Axis(messages.say("Factor of the maximum"), reach=(0.0, *reach)),
        (ideal, *lines),
        title=title,
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
        (Column(say("Most drives"), "right"), Column(say("Factor"), "right"), Column(say("Ideal"), "right"))
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
    names = _names(context, found)
    rows: list[tuple[Cell, ...]] = []
    for kind in dict.fromkeys(item.kind for item in found):
        of_kind = [item for item in found if item.kind == kind]
        rows.append((Cell(_kind_name(context, of_kind[0], found)),))
        rows += [
            (
                *_first(context, item, names[item]),
                *(_pair(context, item) if paired else _factors(context, item, counts)),
            )
            for item in of_kind
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
    """Name rows and lines by what is loaded, and by the workers where these are not the same in all."""
    return dict(zip(found, scaled_names(context.messages, found), strict=True))


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
