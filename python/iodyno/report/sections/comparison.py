"""Another run beside this one: ratios with intervals, and how far simulated figures are from measured."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from iodyno.analysis.compare import LEAST_DIFFERENCE, Compared, Comparison, compare
from iodyno.analysis.configurations import configuration_title
from iodyno.analysis.curves import Curve
from iodyno.analysis.matching import Lacking, lacking, named_systems
from iodyno.plan import Plan, Point
from iodyno.report.context import Context
from iodyno.report.curve_names import (
    curve_place,
    limit_text,
    loaded_name,
    loads_name,
    told_loop,
)
from iodyno.report.document import (
    Axis,
    Block,
    Callout,
    Cell,
    ChartLine,
    ChartPoint,
    Column,
    Figure,
    Heading,
    LineChart,
    Paragraph,
    Table,
    Tone,
)
from iodyno.report.messages import N_, Messages, plain
from iodyno.report.names import main_unit, marked, marks_note, tone, workers_text
from iodyno.report.sections import beside
from iodyno.report.sections.result_charts import offered_axis
from iodyno.report.sections.result_tables import load_cell
from iodyno.report.sentences.loads import load
from iodyno.report.sentences.offered import rate_share
from iodyno.store.records import StoredRun

OUTCOMES: dict[str, str] = {
    "faster": N_("faster"),
    "slower": N_("slower"),
    "no difference shown": N_("no difference shown"),
    "unknown": N_("unknown"),
}
TONES: dict[str, Tone] = {"faster": "good", "slower": "warning"}
METHODS: dict[str, str] = {
    "profile": N_("the definition of the load profile"),
    "kind": N_("the kind of target"),
    "area": N_("the accessed area"),
    "size": N_("the size of the target"),
    "direct": N_("direct or buffered I/O"),
    "durable": N_("whether each write is durable"),
    "cold": N_("whether caches were emptied first"),
    "engine": N_("the engine"),
    "data": N_("the data that is written"),
    "verify": N_("whether data was verified"),
    "workers": N_("how many targets each worker drives"),
    "arrival": N_("how arrivals are spaced"),
    "beginning": N_("when loads begin"),
    "conditioning": N_("the conditioning of the targets"),
    "build": N_("the build of the tool"),
    "version": N_("the version of the tool"),
    "simulated": N_("measured or simulated"),
    "tool": N_("the program that measured"),
    "system": N_("the virtual system"),
}
"""What can differ between the methods of two runs."""


def blocks(context: Context) -> list[Block]:
    """Make the section, a part for each run that stands beside; nothing where there is none."""
    if not context.beside:
        return []
    made: list[Block] = [Heading(1, context.messages.say("Comparison"), "comparison")]
    for number, other in enumerate(context.beside):
        made += _run(context, other, number)
    return [*made, *beside.how_close(context)]


def _kind(context: Context, stored: StoredRun) -> str:
    say = context.messages.say
    if stored.run.imported:
        return say("imported")
    return say("simulated") if stored.run.simulated else say("measured")


def _run(context: Context, other: StoredRun, number: int) -> list[Block]:
    messages = context.messages
    found = compare(context.stored, other)
    heading = messages.say("Run {run}, {kind}", run=other.run.id, kind=_kind(context, other))
    if system := beside.only_system(context, other):
        heading = messages.say("{name}: {finding}", name=heading, finding=system)
    made: list[Block] = [
        Heading(2, heading, f"comparison-{number}"),
        Paragraph(
            messages.flow(
                (
                    _introduction(context, other, found),
                    _systems(context, other, found),
                    _alone(messages, context.stored, found.only_base, [at.base.point for at in found.points]),
                    _alone(
                        context.messages_of(other),
                        other,
                        found.only_other,
                        [at.other.point for at in found.points],
                    ),
                )
            )
        ),
    ]
    made += beside.systems(context, other)
    different = _different(context, found)
    if different:
        made.append(Callout(different, "warning"))
    if not found.points:
        return made
    made.append(Paragraph(_summary(context, other, found)))
    curves = {at.point.index: item.curve for item in context.analysis.curves for at in item.curve.points}
    series: dict[str, tuple[Curve, list[Compared]]] = {}
    for point in found.points:
        curve = curves[point.base.point.index]
        series.setdefault(curve.key, (curve, []))[1].append(point)
    titles = _titles(
        context, [curve for curve, _ in series.values()], several=named_systems(context.stored, other)
    )
    for place, (title, (_, points)) in enumerate(zip(titles, series.values(), strict=True)):
        made += _series(context, other, points, title, f"{number}-{place}")
    return made


def _titles(context: Context, curves: Sequence[Curve], *, several: bool) -> list[str]:
    """Name the curves whose points are compared, those of rates as open loops whatever their sweep has beside
    them; with their sections where names alone are not enough."""
    messages = context.messages
    names = [
        messages.enumerated(
            [
                loaded_name(messages, curve),
                curve_place(messages, curve, several=several),
                messages.say("open loop") if curve.open_loop else told_loop(messages, curve),
            ]
        )
        for curve in curves
    ]
    sections = [context.section_title(curve.sweep) for curve in curves]
    return [
        name
        if names.count(name) == 1
        else messages.say("{section} – {caption}", section=section, caption=name)
        for name, section in zip(names, sections, strict=True)
    ]


def _introduction(context: Context, other: StoredRun, found: Comparison) -> str:
    return context.messages.say_n(
        "This run ({kind}) and run {other} ({other_kind}) have {count} point in common. Points are compared "
        "where profile, workers, targets and load are the same.",
        "This run ({kind}) and run {other} ({other_kind}) have {count} points in common. Points are compared "
        "where profile, workers, targets and load are the same.",
        len(found.points),
        kind=_kind(context, context.stored),
        other=other.run.id,
        other_kind=_kind(context, other),
    )


def _systems(context: Context, other: StoredRun, found: Comparison) -> str:
    """Name the systems of runs on one each, where they are two."""
    runs = (context.stored, other)
    for one in found.differences:
        names = (one.base, one.other)
        if one.what == "system" and all(
            name in stored.run.plan.systems for name, stored in zip(names, runs, strict=True)
        ):
            first, second = (
                context.messages_of(stored).titled(configuration_title(stored.run.plan, name))
                for name, stored in zip(names, runs, strict=True)
            )
            return context.messages.say(
                "The system of this run is {first}, that of the other {second}.", first=first, second=second
            )
    return ""


MOST_NAMES = 6
"""Names under which points without a counterpart are listed."""


def _alone(messages: Messages, stored: StoredRun, points: Sequence[Point], compared: Sequence[Point]) -> str:
    """Count and name what of a run has no counterpart in the other."""
    groups = lacking(points, compared)
    if not points:
        return ""
    names = _groups(messages, groups[:MOST_NAMES], _titles_of(messages, stored.run.plan))
    rest = sum(len(one.points) for one in groups[MOST_NAMES:])
    if rest:
        names.append(messages.say_n("{count} further point", "{count} further points", rest))
    return messages.say_n(
        "{count} point of run {run} has no counterpart: {names}.",
        "{count} points of run {run} have no counterpart: {names}.",
        len(points),
        run=stored.run.id,
        names=messages.gathered(names),
    )


def _titles_of(messages: Messages, plan: Plan) -> dict[str, str]:
    """Give the titles of the systems of a plan that no other has, by their names."""
    titles = [configuration_title(plan, name) for name in plan.systems]
    return {
        name: messages.titled(title)
        for name, title in zip(plan.systems, titles, strict=True)
        if titles.count(title) == 1
    }


def _groups(
    messages: Messages, groups: Sequence[Lacking], titles: Mapping[str, str] | None = None
) -> list[str]:
    """Name points; with their number of targets where names are alike without it."""
    alone = titles or {}
    names = [_group(messages, one, alone) for one in groups]
    return [
        _group(messages, one, alone, targets=True) if names.count(name) > 1 else name
        for one, name in zip(groups, names, strict=True)
    ]


def _group(messages: Messages, one: Lacking, titles: Mapping[str, str], *, targets: bool = False) -> str:
    """Name points: by system and profile, and by their loads where others of the profile are compared."""
    parts, first = [titles.get(one.system or "", one.system or "")], one.points[0]
    if one.profile:
        parts.append(loads_name(messages, first.loads, loads=True, begins=False))
        parts += [workers_text(messages, one.told_workers, one.each)] if one.told_workers else []
        if targets and one.targets:
            parts.append(messages.say_n("{count} target", "{count} targets", one.targets))
        parts += [limit_text(messages, one.at_most)] if one.at_most else []
    if one.whole:
        return messages.enumerated(parts)
    closed = sorted({point.outstanding for point in one.points if point.rate_io_s is None})
    rates = sorted({point.rate_io_s for point in one.points if point.rate_io_s is not None})
    if len(closed) == 1:
        parts.append(messages.say_n("at {count} outstanding I/O", "at {count} outstanding I/Os", closed[0]))
    elif closed:
        numbers = messages.listed([messages.numbers.integer(load) for load in closed])
        parts.append(messages.say("at {loads} outstanding I/Os", loads=numbers))
    if len(rates) == 1:
        number = messages.numbers.asked(rates[0])
        parts.append(messages.say("at an offered rate of {rate} IO/s", rate=number))
    elif rates:
        numbers = messages.listed([messages.numbers.asked(rate) for rate in rates])
        parts.append(messages.say("at offered rates of {rates} IO/s", rates=numbers))
    return messages.enumerated(parts)


def _different(context: Context, found: Comparison) -> str:
    """Say in what the methods differ: a ratio can come from that alone, where there is one."""
    messages, differences = context.messages, found.differences
    names = list(dict.fromkeys(messages.known(METHODS.get(one.what, one.what)) for one in differences))
    if not names:
        return ""
    if not found.points:
        return messages.say("The runs differ in {methods}.", methods=messages.listed(names))
    return messages.say(
        "The runs differ in {methods}: a difference of their figures can come from that.",
        methods=messages.listed(names),
    )


def _summary(context: Context, other: StoredRun, found: Comparison) -> str:
    """Sum up the points at which both runs have an interval, and say how many there are without."""
    messages = context.messages
    unlike = context.run.simulated != other.run.simulated
    known = [point for point in found.points if (_ratio(point) if unlike else point.outcome != "unknown")]
    if not known:
        return messages.say(
            "At no point in common have both runs an interval: whether they differ is unknown."
        )
    if unlike:
        summed = _distance(context, other, known)
    else:
        summed = _counted(messages, other.run.id, found, len(known))
    return messages.flow((summed, _without_interval(context, len(found.points) - len(known))))


def _counted(messages: Messages, run: str, found: Comparison, known: int) -> str:
    """Count the points at which a run is faster, slower, and not shown to be either, where there are any."""
    faster, slower = found.count("faster"), found.count("slower")
    alike = found.count("no difference shown")
    if not faster and not slower:
        return messages.say_n(
            "At the only point at which both runs have an interval, the intervals show no difference.",
            "At none of the {count} points at which both runs have an interval do the intervals show a "
            "difference.",
            known,
        )
    said = []
    if faster:
        said.append(
            messages.say_n(
                "As far as the intervals show, run {run} is faster at {count} point.",
                "As far as the intervals show, run {run} is faster at {count} points.",
                faster,
                run=run,
            )
        )
    if slower and faster:
        said.append(
            messages.say_n("It is slower at {count} point.", "It is slower at {count} points.", slower)
        )
    elif slower:
        said.append(
            messages.say_n(
                "As far as the intervals show, run {run} is slower at {count} point.",
                "As far as the intervals show, run {run} is slower at {count} points.",
                slower,
                run=run,
            )
        )
    if alike:
        said.append(
            messages.say_n(
                "At {count} point no difference is shown.", "At {count} points no difference is shown.", alike
            )
        )
    return messages.flow(said)


def _distance(context: Context, other: StoredRun, known: Sequence[Compared]) -> str:
    """Say how far simulated figures are from measured ones, and when that is an error of the simulation."""
    messages, numbers = context.messages, context.numbers

    def apart(*, served: bool) -> dict[str, str]:
        ratios = [_ratio(point) for point in known if point.by_response is served]
        found = [abs((ratio if other.run.simulated else 1 / ratio) - 1) for ratio in ratios]
        of = {"mean": sum(found) / len(found), "greatest": max(found)} if found else {}
        return {name: numbers.percent(share) for name, share in of.items()}

    figures, times, served = apart(served=False), apart(served=True), sum(one.by_response for one in known)
    return messages.flow(
        (
            messages.say_n(
                "At the only point at which both runs have an interval, the simulated figure is {mean} "
                "away from the measured one.",
                "At the {count} points at which both runs have an interval, the simulated figures are "
                "{mean} away from the measured ones on average, {greatest} at most.",
                len(known) - served,
                **figures,
            )
            if figures
            else "",
            messages.say_n(
                "At {count} point both runs served the rate that was offered: there the 99th percentile of "
                "the simulated response times is {mean} away from the measured one.",
                "At {count} points both runs served the rate that was offered: there the 99th percentiles of "
                "the simulated response times are {mean} away from the measured ones on average, "
                "{greatest} at most.",
                served,
                **times,
            )
            if times
            else "",
            messages.say(
                "That is the error of the simulation only if the simulated system is the measured one; the "
                "runs do not tell whether it is."
            ),
        )
    )


def _ratio(point: Compared) -> float:
    """Give the quotient of what decides, the main figures or the response times, where it has an interval,
    else 0."""
    ratio = point.response_ratio if point.by_response else point.ratio
    return ratio.value if ratio is not None and ratio.bounded else 0.0


def _without_interval(context: Context, count: int) -> str:
    if not count:
        return ""
    return context.messages.say_n(
        "At {count} further point a run has no interval: whether they differ there is unknown.",
        "At {count} further points a run has no interval: whether they differ there is unknown.",
        count,
    )


def _series(
    context: Context, other: StoredRun, points: Sequence[Compared], profile: str, key: str
) -> list[Block]:
    shown: list[Figure | Table] = [_table(context, other, points, profile, key)]
    if len(points) > 1:
        shown.insert(0, _figure(context, other, points, profile, key))
    text = context.messages.see(_found(context, points), *(block.key for block in shown))
    return [Heading(3, profile, f"comparison-profile-{key}"), Paragraph(text), *shown]


def _found(context: Context, points: Sequence[Compared]) -> str:
    """Say at which loads the other run is faster and slower, as far as the intervals show."""
    messages = context.messages

    def loads(*outcomes: str) -> str:
        found = [_load(context, points, point) for point in points if point.outcome in outcomes]
        return messages.listed([plain(cell.text) for cell in found])

    faster, slower, unknown = loads("faster"), loads("slower"), loads("unknown")
    if all(point.outcome == "unknown" for point in points):
        if all(point.by_response for point in points):
            return messages.say(
                "At no load have the response times of both runs an interval: whether they differ is unknown."
            )
        return messages.say("At no load have both runs an interval: whether they differ is unknown.")
    outcomes = {point.outcome for point in points}
    if len(points) > 1 and outcomes == {"faster"}:
        return messages.say("The other run is faster at every load.")
    if len(points) > 1 and outcomes == {"slower"}:
        return messages.say("The other run is slower at every load.")
    if not faster and not slower and not unknown:
        return messages.say("The intervals show no difference at any load.")
    return messages.flow(
        (
            messages.say("The other run is faster at a load of {loads}.", loads=faster) if faster else "",
            messages.say("The other run is slower at a load of {loads}.", loads=slower) if slower else "",
            "" if faster or slower else messages.say("Where there are intervals they show no difference."),
            messages.say("It is unknown at a load of {loads}, for want of an interval.", loads=unknown)
            if unknown
            else "",
        )
    )


def _shares(points: Sequence[Compared]) -> bool:
    """Tell whether both runs were asked shares of what each can serve: no rate is that of both then."""
    return all(rate_share(point.base) is not None for point in points)


def _load(context: Context, points: Sequence[Compared], point: Compared) -> Cell:
    """Give the cell of a load among those of its series: what both runs were asked."""
    share = rate_share(point.base)
    if share is None or not _shares(points):
        return load_cell(context, point.base)
    return Cell(context.numbers.chosen(share))


def _line(context: Context, stored: StoredRun, points: Sequence[Compared], side: str) -> ChartLine:
    messages = context.messages
    name = messages.say("run {run}, {kind}", run=stored.run.id, kind=_kind(context, stored))
    name = beside.named(context, stored, name)
    items = [point.base if side == "base" else point.other for point in points]
    return ChartLine(
        name,
        tuple(
            ChartPoint(
                x=float(at.outstanding) if at.point.rate_io_s is None else at.point.rate_io_s,
                y=at.main.value,
                low=at.main.low if at.main.half_width is not None else None,
                high=at.main.high if at.main.half_width is not None else None,
                label=f"{load(messages, at)}: {marked(context.numbers.estimate(at.main), at)}",
                hollow=stored.run.simulated or not at.steady,
            )
            for at in items
        ),
    )


def _figure(context: Context, other: StoredRun, points: Sequence[Compared], profile: str, key: str) -> Figure:
    say = context.messages.say
    throughput = points[0].base.profile.shown_as == "throughput"
    opened = points[0].base.point.rate_io_s is not None
    asked = [at.point for point in points for at in (point.base, point.other)]
    each = any(point.outstanding_total > point.outstanding for point in asked)
    x = Axis(say("Outstanding I/Os per target and worker") if each else say("Outstanding I/Os"), "log2")
    if opened:
        x = offered_axis(context, asked)
    label = say("Throughput in MB/s") if throughput else say("Transaction rate in IO/s")
    lines = (
        _line(context, context.stored, points, "base"),
        _line(context, other, points, "other"),
    )
    return Figure(
        charts=(LineChart(x, Axis(label), lines),),
        caption=say(
            "{profile}: both runs over the load; hollow points are simulated or carry a reservation",
            profile=profile,
        ),
        alt=say("A line chart of both runs over the load; the values are in the table below."),
        key=f"figure-comparison-{key}",
    )


def _table(context: Context, other: StoredRun, points: Sequence[Compared], profile: str, key: str) -> Table:
    say, unit = context.messages.say, main_unit(points[0].base.profile)
    opened = points[0].base.point.rate_io_s is not None
    times = say("Quotient of the response times, p99") if opened else say("Quotient of the latencies")
    return Table(
        columns=(
            Column(say("Share") if _shares(points) else say("Load"), "right"),
            Column(say("This run, {kind}", kind=_kind(context, context.stored)), "right", unit),
            Column(say("Interval"), "right"),
            Column(say("Other run, {kind}", kind=_kind(context, other)), "right", unit),
            Column(say("Interval"), "right"),
            Column(say("Quotient"), "right"),
            Column(times, "right"),
            Column(say("The other is")),
        ),
        rows=tuple(_row(context, points, point) for point in points),
        caption=say("{profile}: the other run beside this one", profile=profile),
        key=f"table-comparison-{key}",
        notes=(
            say(
                "Quotient: figure of the other run ÷ that of this one, with its interval, bold where that "
                "leaves out 1. Faster or slower only where it does, and by {share} or more.",
                share=context.numbers.percent(LEAST_DIFFERENCE),
            ),
            *((_bare(context),) if any(map(_has_bare, points)) else ()),
            *((say("Share: of the greatest rate of the closed loop."),) if _shares(points) else ()),
            *((_by_response(context),) if opened else ()),
            *marks_note(context.messages, (at for point in points for at in (point.base, point.other))),
        ),
    )


def _has_bare(point: Compared) -> bool:
    """Tell whether a quotient of a row is written without an interval."""
    second = point.latency_ratio if point.base.point.rate_io_s is None else point.response_ratio
    return any(ratio is not None and not ratio.bounded for ratio in (point.ratio, second))


def _bare(context: Context) -> str:
    return context.messages.say(
        "A quotient stands without an interval where a figure has none: it does not tell whether the runs "
        "differ."
    )


def _by_response(context: Context) -> str:
    return context.messages.say(
        "Both runs were asked the same rate, or the same share of what each can serve: the response times "
        "decide, unless one of them did not serve its rate."
    )


def _apart(point: Compared) -> bool:
    """Tell whether the interval of the quotient leaves out 1."""
    found = point.ratio
    return found is not None and (found.low > 1 or found.high < 1)


def _row(context: Context, points: Sequence[Compared], point: Compared) -> tuple[Cell, ...]:
    numbers, base, other = context.numbers, point.base, point.other
    opened = base.point.rate_io_s
    return (
        _load(context, points, point),
        Cell(marked(numbers.estimate(base.main), base), tone=tone(base)),
        Cell(numbers.half_width(base.main)),
        Cell(marked(numbers.estimate(other.main), other), tone=tone(other)),
        Cell(numbers.half_width(other.main)),
        Cell(numbers.ratio(point.ratio), strong=_apart(point)),
        Cell(numbers.ratio(point.response_ratio if opened else point.latency_ratio)),
        Cell(context.messages.known(OUTCOMES[point.outcome]), tone=TONES.get(point.outcome, "plain")),
    )
