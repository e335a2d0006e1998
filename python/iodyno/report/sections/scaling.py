"""How maxima scale: over workers and over drives, against the ideal line."""

from __future__ import annotations

from collections.abc import Sequence

from iodyno.analysis.drives import INDEPENDENT, DriveScaling, Family, drive_scalings
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
from iodyno.report.names import main_unit, profile_name

MOST_LINES = 5
"""Scalings that a chart holds beside the ideal line."""
IDEAL = 0.95
"""A factor is called proportional from this share of the ideal on, interval included."""


def blocks(context: Context) -> list[Block]:
    """Make the part on the number of drives; nothing where no systems differ in it alone."""
    curves = ((item.curve, item.maximum.at.main) for item in context.analysis.curves)
    found = drive_scalings(curves, context.run.plan.systems)
    if not found:
        return []
    say = context.messages.say
    made: list[Block] = [
        Heading(2, say("Scaling with the number of drives"), "scaling-drives"),
        Paragraph(_text(context, found)),
    ]
    families = list(dict.fromkeys((item.family.drive, item.family.controller) for item in found))
    for number, of in enumerate(families):
        those = [item for item in found if (item.family.drive, item.family.controller) == of]
        drawn = sorted(those, key=lambda item: -item.steps[-1].count)[:MOST_LINES]
        made.append(_figure(context, drawn, number))
    return [*made, _table(context, found)]


def _text(context: Context, found: Sequence[DriveScaling]) -> str:
    """Say how many scale in proportion, as far as the intervals show."""
    messages = context.messages
    last = [item.steps[-1] for item in found]
    good = sum(step.factor is not None and step.factor.low >= IDEAL * step.ideal for step in last)
    return messages.say_n(
        "Of {count} array, {good} reach at least {share} of what its drives would in proportion, interval "
        "included.",
        "Of {count} arrays, {good} reach at least {share} of what their drives would in proportion, interval "
        "included.",
        len(found),
        good=messages.numbers.integer(good),
        share=messages.numbers.percent(IDEAL, 0),
    )


def family_name(context: Context, family: Family) -> str:
    """Name how the drives are joined, and to what."""
    level = _level(context, family)
    return context.messages.enumerated([name for name in (family.drive, level, family.controller) if name])


def _figure(context: Context, found: Sequence[DriveScaling], number: int) -> Figure:
    messages = context.messages
    counts = sorted({step.count for item in found for step in item.steps})
    least = counts[0]
    ideal = ChartLine(
        messages.say("ideal"),
        tuple(ChartPoint(count, count / least) for count in (least, counts[-1])),
        markers=False,
    )
    lines = tuple(
        ChartLine(
            messages.enumerated([profile_name(messages, item.profile), _level(context, item.family)]),
            tuple(_point(context, step) for step in item.steps),
        )
        for item in found
    )
    name = messages.enumerated([part for part in (found[0].family.drive, found[0].family.controller) if part])
    return Figure(
        charts=(
            LineChart(
                Axis(messages.say("Drives"), "linear", tuple(float(count) for count in counts)),
                Axis(messages.say("Factor of the maximum")),
                (ideal, *lines),
            ),
        ),
        caption=messages.say("{name}: maxima over the number of drives, against the ideal line", name=name),
        alt=messages.say(
            "A line chart of the factor by which the maximum grows with the number of drives, beside the "
            "line on which it would grow in proportion; the values are in the table below."
        ),
        key=f"figure-scaling-drives-{number}",
    )


def _level(context: Context, family: Family) -> str:
    say = context.messages.say
    return (
        say("independent drives") if family.level == INDEPENDENT else say("RAID {level}", level=family.level)
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
    say, numbers, messages = context.messages.say, context.numbers, context.messages
    return Table(
        columns=(
            Column(say("Load profile")),
            Column(say("Drives and how they are joined")),
            Column(say("Drives"), "right"),
            Column(say("Maximum"), "right"),
            Column(say("Unit")),
            Column(say("Factor"), "right"),
            Column(say("Ideal"), "right"),
        ),
        rows=tuple(
            (
                Cell(profile_name(messages, item.profile) if step is item.steps[0] else "", strong=True),
                Cell(family_name(context, item.family) if step is item.steps[0] else ""),
                Cell(numbers.integer(step.count)),
                Cell(numbers.estimate(step.figure)),
                Cell(main_unit(item.profile)),
                Cell(numbers.quotient(step.factor)),
                Cell(numbers.significant(step.ideal)),
            )
            for item in found
            for step in item.steps
        ),
        caption=say("Maximum of each profile over the number of drives"),
        key="table-scaling-drives",
        notes=(say("Factor: maximum ÷ that of the fewest drives, with its interval."),),
    )
