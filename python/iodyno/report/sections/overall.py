"""Overall results: maxima, lowest load, verdicts, and what limited each point."""

from __future__ import annotations

from collections.abc import Iterable

from iodyno.analysis.bottleneck import Limit, Limited, keeps_turn
from iodyno.analysis.causes import load_of
from iodyno.analysis.layout import EACH_UP_TO
from iodyno.analysis.run import CurveAnalysis
from iodyno.analysis.saturation import SATURATION_MARGIN
from iodyno.report.context import Context
from iodyno.report.document import (
    Block,
    Bullets,
    Cell,
    Column,
    Heading,
    Paragraph,
    Strong,
    Table,
    Text,
    Tone,
)
from iodyno.report.messages import N_
from iodyno.report.names import LIMIT_NAMES, MARKS, STATE_NAMES, marks_note, profile_name
from iodyno.report.sections import maxima, rebuilds, scaling, simulated
from iodyno.report.sections.method import shown_states
from iodyno.report.sections.result_tables import latency_table, load_cell, load_column, loads_column
from iodyno.report.sections.results import sweep_source
from iodyno.report.sentences.causes import meaning
from iodyno.report.sentences.curve import capitalised
from iodyno.verdict.limits import DEPTH_SHARE, HOST_BUSY_SHARE, HOST_CPU_SHARE

LIMIT_TONES: dict[Limit, Tone] = {"host": "warning", "submission": "warning", "queue": "warning"}


def blocks(context: Context) -> list[Block]:
    """Make the section."""
    say = context.messages.say
    made: list[Block] = [Heading(1, say("Overall results"), "overall")]
    if len(context.analysis.curves) > EACH_UP_TO:
        made += [Paragraph(_verdict_text(context)), _verdicts_of_sweeps(context), *_causes(context)]
        made += scaling.blocks(context)
        if not context.run.simulated:
            return made + _rules_alone(context)
        return made + simulated.interfaces(context) + rebuilds.blocks(context)
    made += maxima.blocks(context)
    made += [
        Heading(2, say("Latency"), "overall-latency"),
        latency_table(context),
        Heading(2, say("Verdicts"), "overall-verdicts"),
        Paragraph(_verdict_text(context)),
        _verdict_table(context),
        *_causes(context),
    ]
    if context.run.simulated:
        return made + scaling.blocks(context) + simulated.limits(context) + rebuilds.blocks(context)
    if context.run.imported and _nothing_tells(context):
        told = say("Nothing in these results tells what limited a point.")
        return [*made, Heading(2, say("Limits"), "limits"), Paragraph(told)]
    return [*made, *_rules_alone(context), *_limit_tables(context)]


def _nothing_tells(context: Context) -> bool:
    """Tell whether the limit of no point is known: then rules that find one, and a table, say nothing."""
    return all(limit.by == "unknown" for item in context.analysis.curves for limit in item.limits)


def _verdict_text(context: Context) -> str:
    if context.run.imported:
        return context.messages.say(
            "No point of this run was judged: {tool} measured it.", tool=context.run.imported
        )
    steady, points = context.analysis.states["steady"], context.analysis.points
    if steady == points:
        return context.messages.say("Every point of this run is steady and as precise as was asked for.")
    if not steady:
        return context.messages.say("No point of this run is both steady and as precise as was asked for.")
    return context.messages.say_n(
        "Of {points} points, {count} is steady and as precise as was asked for.",
        "Of {points} points, {count} are steady and as precise as was asked for.",
        steady,
        points=context.numbers.integer(points),
    )


def _verdict_table(context: Context) -> Table:
    """Count the verdicts of each profile."""
    say, messages = context.messages.say, context.messages
    rows, states = [], shown_states(context)
    for item in context.analysis.curves:
        counts = {state: item.states.get(state, 0) for state in states}
        rows.append(
            (
                Cell(context.names_of_curves[item.curve.key], strong=True),
                *(Cell(context.numbers.integer(counts[state]) if counts[state] else "–") for state in states),
            )
        )
    return Table(
        columns=(
            Column(say("Load profile")),
            *(Column(f"{messages.known(STATE_NAMES[state])}{MARKS[state]}", "right") for state in states),
        ),
        rows=tuple(rows),
        caption=say("Verdicts of the points of each profile"),
        key="table-verdict-counts",
    )


def _rules_alone(context: Context) -> list[Block]:
    """Say how limits are found; what limits each maximum stands beside it."""
    say = context.messages.say
    return [
        Heading(2, say("Limits"), "limits"),
        Paragraph(say("What limited a point is decided by the first of these rules that applies:")),
        Bullets(_rules(context)),
    ]


def _verdicts_of_sweeps(context: Context) -> Table:
    """Count the verdicts of each section of the results."""
    say, messages, numbers = context.messages.say, context.messages, context.numbers
    rows, states = [], shown_states(context)
    for sweep in context.analysis.sweeps:
        items = context.analysis.of_sweep(sweep)
        counts = [sum(item.states.get(state, 0) for item in items) for state in states]
        title = str(sweep_source(context, sweep).get("title") or sweep)
        rows.append(
            (
                Cell(messages.of_study(title), strong=True),
                Cell(numbers.integer(sum(len(item.curve.points) for item in items))),
                *(Cell(numbers.integer(count) if count else "–") for count in counts),
            )
        )
    return Table(
        columns=(
            Column(say("Section")),
            Column(say("Points"), "right"),
            *(Column(f"{messages.known(STATE_NAMES[state])}{MARKS[state]}", "right") for state in states),
        ),
        rows=tuple(rows),
        caption=say("Verdicts of the points of each section"),
        key="table-verdict-counts",
    )


def _causes(context: Context) -> list[Block]:
    """List what the verdicts name, with how many points and of which profiles."""
    causes = [item for item in context.analysis.causes if item.code != "simulated"]
    if not causes:
        return []
    points = (point for item in context.analysis.curves for point in item.curve.points)
    every = {load.profile.name for point in points for load in (point, *point.beside)}
    say, messages = context.messages.say, context.messages
    rows = tuple(
        (
            Cell(capitalised(meaning(messages, item.code, simulated=context.run.simulated))),
            Cell(context.numbers.integer(item.count)),
            Cell(
                say("all")
                if {load_of(*found).profile.name for found in item.points} == every
                else messages.names(
                    list(
                        dict.fromkeys(
                            profile_name(messages, load_of(*found).profile) for found in item.points
                        )
                    )
                )
            ),
        )
        for item in causes
    )
    return [
        Table(
            columns=(Column(say("Finding")), Column(say("Points"), "right"), Column(say("Load profiles"))),
            rows=rows,
            caption=say("What the verdicts name; the points and figures are in the disclosure"),
            key="table-causes",
        )
    ]


def _rules(context: Context) -> tuple[Text, ...]:
    messages, numbers = context.messages, context.numbers
    return (
        *(
            (
                messages.compose(
                    "{name}: the pauses that the load asks for are more than half of the time of its "
                    "workers.",
                    name=Strong(messages.known(LIMIT_NAMES["think"])),
                ),
            )
            if any(limit.by == "think" for item in context.analysis.curves for limit in item.limits)
            else ()
        ),
        messages.compose(
            N_(
                "{name}: the busiest worker used {busy} or more of a processor, all processors together were "
                "busy to {all} or more (which does not count where the rate that was offered is served), or "
                "I/Os of an offered rate started late. With direct I/O the figure is a lower bound of what "
                "the device can do."
            )
            if any(item.curve.open_loop for item in context.analysis.curves)
            else N_(
                "{name}: the busiest worker used {busy} or more of a processor, all processors together were "
                "busy to {all} or more, or I/Os of an offered rate started late. With direct I/O the figure "
                "is a lower bound of what the device can do."
            ),
            name=Strong(messages.known(LIMIT_NAMES["host"])),
            busy=numbers.percent(HOST_CPU_SHARE, 0),
            all=numbers.percent(HOST_BUSY_SHARE, 0),
        ),
        messages.compose(
            "{name}: processors had time to spare, but less than {kept} of the I/Os asked for were "
            "outstanding on average: the host hands them over too slowly to keep the depth.",
            name=Strong(messages.known(LIMIT_NAMES["submission"])),
            kept=numbers.percent(DEPTH_SHARE, 0),
        ),
        messages.compose(
            "{name}: more I/Os were outstanding than the device takes at once; the rest waited in the "
            "kernel.",
            name=Strong(messages.known(LIMIT_NAMES["queue"])),
        ),
        *(
            (
                messages.compose(
                    "{name}: the rate that was offered is served, and more was not asked for.",
                    name=Strong(messages.known(LIMIT_NAMES["rate"])),
                ),
            )
            if any(item.curve.open_loop for item in context.analysis.curves)
            else ()
        ),
        messages.compose(
            "{name}: the load is below saturation (within {margin} of the maximum), too few I/Os were "
            "outstanding to keep the device busy. The latency is the limit.",
            name=Strong(messages.known(LIMIT_NAMES["load"])),
            margin=numbers.percent(SATURATION_MARGIN, 0),
        ),
        messages.compose(
            "{name}: the outstanding I/Os were kept up, the host had time to spare, and more of them "
            "brought no more. The device, or the path to it, is the limit.",
            name=Strong(messages.known(LIMIT_NAMES["device"])),
        ),
        messages.compose(
            N_(
                "{name}: the intervals do not tell whether the load is below saturation, there is no other "
                "load to compare it with, or a load with think time may have all accesses between two "
                "pauses outstanding: it never has more of them, so that a level curve says nothing."
            )
            if any(keeps_turn(at) for item in context.analysis.curves for at in item.curve.points)
            else N_(
                "{name}: the intervals do not tell whether the load is below saturation, or there is no "
                "other load to compare it with."
            ),
            name=Strong(messages.known(LIMIT_NAMES["unknown"])),
        ),
    )


def _limit_tables(context: Context) -> list[Block]:
    """Make one table of curves that share their loads, so that it has one row a profile; one of all that have
    a single load each, where these are others."""
    single = [item for item in context.analysis.curves if len(item.curve.points) == 1]
    if len({str(load_cell(context, item.maximum.at).text) for item in single}) < 2:
        single = []
    groups: dict[tuple[str, ...], list[CurveAnalysis]] = {}
    for item in context.analysis.curves:
        if any(item is one for one in single):
            continue
        loads = tuple(str(load_cell(context, point).text) for point in item.curve.points)
        groups.setdefault(loads, []).append(item)
    tables: list[Block] = [
        _limit_table(context, loads, items, number) for number, (loads, items) in enumerate(groups.items())
    ]
    return [*tables, _single_limits(context, single)] if single else tables


def _single_limits(context: Context, items: list[CurveAnalysis]) -> Table:
    """Give a row for each point."""
    say, curves = context.messages.say, [item.curve for item in items]
    return Table(
        columns=(Column(say("Load profile")), loads_column(context, curves), Column(say("Limit"))),
        rows=tuple(
            (
                Cell(context.names_of_curves[item.curve.key], strong=True),
                load_cell(context, item.maximum.at, curves),
                _limit_cell(context, item.limits[0]),
            )
            for item in items
        ),
        caption=say("What limited each point"),
        key="table-limits-single",
        notes=_limit_notes(context, items),
    )


def _limit_table(context: Context, loads: tuple[str, ...], items: list[CurveAnalysis], number: int) -> Table:
    say = context.messages.say
    opened = items[0].curve.open_loop
    caption = (
        say("What limited each point, by offered rate")
        if opened
        else say("What limited each point, by outstanding I/Os")
    )
    key = f"table-limits-{number}"
    if (
        opened and len(items) == 1
    ):  # The rates of a search are many, and its own: they stand below each other.
        (item,) = items
        columns = (load_column(context, item.curve), Column(context.names_of_curves[item.curve.key]))
        rows = tuple(
            (Cell(load), _limit_cell(context, limit)) for load, limit in zip(loads, item.limits, strict=True)
        )
        return Table(columns, rows, caption, key, notes=_limit_notes(context, items))
    return Table(
        columns=(Column(say("Load profile")), *(Column(load) for load in loads)),
        rows=tuple(
            (
                Cell(context.names_of_curves[item.curve.key], strong=True),
                *(_limit_cell(context, limit) for limit in item.limits),
            )
            for item in items
        ),
        caption=caption,
        key=key,
        notes=_limit_notes(context, items),
    )


def _limit_cell(context: Context, limit: Limited) -> Cell:
    """Name the limit of a point, with a mark where it was disturbed: nothing else is said of it there."""
    name = context.messages.known(LIMIT_NAMES[limit.by])
    mark = MARKS["disturbed"] if limit.at.verdict.state == "disturbed" else ""
    return Cell(f"{name}{mark}", tone=LIMIT_TONES.get(limit.by, "plain"))


def _limit_notes(context: Context, items: Iterable[CurveAnalysis]) -> tuple[str, ...]:
    points = (limit.at for item in items for limit in item.limits)
    return marks_note(context.messages, (at for at in points if at.verdict.state == "disturbed"))
