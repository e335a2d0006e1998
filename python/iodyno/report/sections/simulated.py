"""What the sections say of a simulated run instead of a measured one."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from iodyno.analysis.bottleneck import keeps_turn, thinks
from iodyno.analysis.configurations import configuration_title
from iodyno.analysis.interfaces import Chain, chain
from iodyno.analysis.lengths import (
    BEATS,
    BEATS_OF_ONE,
    LONGEST_WAIT,
    MOST_WARMUP,
    ROUNDS,
    STREAM_BYTES,
    TOLERANCE,
    closed_outstanding,
    filling_ios,
    lasts_for_beats,
)
from iodyno.analysis.run import CurveAnalysis
from iodyno.analysis.units import mb_s
from iodyno.plan import Point, Stopping
from iodyno.reading import Simulation, Station
from iodyno.report import rows_in_common
from iodyno.report.context import Context
from iodyno.report.document import Block, Cell, Column, Figure, Heading, Paragraph, Table
from iodyno.report.names import exact_size, limit_text, main_figure, marks_note, of_a_part, station_name
from iodyno.report.sections.part_charts import above_limits, limit_bars
from iodyno.report.sections.result_tables import load_cell, loads_column, no_maxima_notes
from iodyno.report.sentences.side_by_side import latency_note
from iodyno.simulated import of_most
from iodyno.virtual import Array, VirtualSystem

REBUILD_STEPS, REBUILD_S, TIMES_PASSED_OVER = 100, 8, 16
"""How long a point lasts beside a rebuild: as in ``crates/sim/src/least.rs``."""
MOST_NAMED = 4
"""Systems that a sentence names."""


def system_titles(context: Context, names: Iterable[str] | None = None) -> list[str]:
    """Give the titles of the virtual systems: of some, or of all."""
    return [
        context.messages.titled(configuration_title(context.run.plan, name))
        for name in (context.run.plan.systems if names is None else names)
    ]


def systems_text(context: Context, names: Iterable[str] | None = None) -> str:
    """Name the virtual systems, some or all; of many only how many."""
    return named_or_counted(context, system_titles(context, names))


def named_or_counted(context: Context, titles: Sequence[str]) -> str:
    """Name virtual systems by their titles; of many only how many."""
    if len(titles) <= MOST_NAMED:
        return context.messages.listed(titles)
    return context.messages.say_n("{count} virtual system", "{count} virtual systems", len(titles))


def introduction(context: Context) -> str:
    """Say what the paper is: the figures of a model."""
    return context.messages.say(
        "This paper reports what storage would deliver that was not measured: the figures are those of a "
        "model. Its systems are built of parts of a catalogue, each number of which has a source or is said "
        "to be fitted or assumed, and a simulator drives them in virtual time with the load profiles that "
        "real storage is measured with. Every rate and throughput carries the confidence interval of the "
        "simulation; how close the model is to real parts is another question, and has a section of its own. "
        "One seed gives one result."
    )


def scope(context: Context, profiles: list[str]) -> str:
    """Say what was simulated."""
    messages = context.messages
    return messages.flow(
        (
            profiles_text(context, profiles),
            messages.say("There are {systems}.", systems=systems_text(context))
            if len(context.run.plan.systems) > MOST_NAMED
            else messages.say_n(
                "The system is {systems}.",
                "The systems are {systems}.",
                len(context.run.plan.systems),
                systems=systems_text(context),
            ),
            messages.say_n(
                "In all, {count} point was simulated, with {completed} I/Os.",
                "In all, {count} points were simulated, with {completed} I/Os.",
                context.analysis.points,
                completed=context.numbers.integer(context.analysis.completed),
            ),
        )
    )


def profiles_text(context: Context, names: Sequence[str]) -> str:
    """Name the load profiles of a run."""
    return context.messages.say_n(
        "The load profile is {profiles}.",
        "The load profiles are {profiles}.",
        len(names),
        profiles=context.messages.listed(names),
    )


def semantics(context: Context) -> tuple[str, ...]:
    """Say what of the method is particular to virtual targets."""
    say = context.messages.say
    return (
        say(
            "The load goes past the caches of the operating system. Caches of drives and controllers are "
            "modelled, with the settings of the system; what is read was written before, and data does not "
            "compress."
        ),
        say(
            "Latency is the virtual time from the issue of an I/O to its completion, processor time of the "
            "host included. The transaction rate is the number of I/Os completed per second of virtual "
            "time, the throughput the bytes completed per second. 1 MB/s is 2²⁰ bytes per second. Sizes of "
            "blocks and areas are base 2, capacities of drives base 10."
        ),
    )


def rule(context: Context, stopping: Stopping) -> str:
    """Describe the stopping rule of simulated points."""
    numbers = context.numbers
    return context.messages.say(
        "Each point runs {warmup} I/Os that are not counted, then about {floor} at the least. It ends when "
        "the {confidence} interval of its main figure is within ±{precision} and no drift is found, at each "
        "check until half as much again is counted, or after about {cap} counted I/Os.",
        warmup=numbers.integer(stopping.warmup_ios or 0),
        floor=numbers.integer(stopping.floor_ios or 0),
        cap=numbers.integer(stopping.cap_ios or 0),
        precision=numbers.chosen(stopping.precision),
        confidence=numbers.chosen(stopping.confidence),
    )


def of_each_target(point: Point) -> Stopping:
    """Give the stopping rule of a point as it is for each of its targets: I/Os are counted for all."""
    rule, targets = point.stopping, len(point.targets)
    if rule.cap_ios is None:
        return rule
    counts = {name: (getattr(rule, name) or 0) // targets for name in ("warmup_ios", "floor_ios", "cap_ios")}
    return rule.model_copy(update=counts)


def for_each_target(context: Context) -> str:
    """Say that the numbers of the stopping rule are those of one target."""
    return context.messages.say(
        "Where several targets are loaded at once, these numbers are for each of them."
    )


def rules(context: Context, stopping: Stopping) -> str:
    """Describe stopping rules that differ in nothing but how many I/Os they take; those are in a table."""
    return context.messages.say(
        "Each point runs some I/Os that are not counted and then some that are; the table says about how "
        "many. It ends when the {confidence} interval of its main figure is within ±{precision} and no drift "
        "is found, at each check until half as much again is counted, or at the most I/Os that it may take.",
        precision=context.numbers.chosen(stopping.precision),
        confidence=context.numbers.chosen(stopping.confidence),
    )


def counted(context: Context) -> Iterator[str]:
    """Say why a point counts more or fewer I/Os than its stopping rule says."""
    messages, points = context.messages, context.run.plan.points
    yield messages.say(
        "What is counted are whole windows of virtual time. The rule says how many windows there are at the "
        "least and at the most; how long they are follows from the rate at the beginning of the point. So a "
        "point can count somewhat fewer or more I/Os than that, and fewer where its beginning had not "
        "settled and is left out."
    )
    if any(_rounds_are_longer(point) for point in points):
        yield messages.say(
            "With many I/Os outstanding a point is longer: {rounds} rounds, each of as many I/Os as are "
            "outstanding, are not counted, then as many are counted at the least, and up to twice as many "
            "where the precision is not reached before.",
            rounds=messages.numbers.integer(ROUNDS),
        )
    if any(point.beside for point in points):
        yield messages.say(
            "Where several loads run at once, counting begins when each has done its share of the I/Os that "
            "are not counted, and {rounds} rounds, or when all together have done {times} times as many. It "
            "does not end before as many rounds of each are counted, or as many I/Os as may be. A load at a "
            "given rate needs its rounds alone.",
            rounds=messages.numbers.integer(ROUNDS),
            times=messages.numbers.integer(LONGEST_WAIT),
        )
    if any(_fills_a_cache(point, context.run.plan.systems) for point in points):
        yield messages.say(
            "Where a load reads and writes in order on hard disks behind the cache of a controller, as many "
            "I/Os are not counted as write {bytes} there, {most} at the most, where that is more.",
            bytes=exact_size(messages, STREAM_BYTES),
            most=messages.numbers.integer(MOST_WARMUP),
        )
    beats = {times for point in points for times in lasts_for_beats(point, context.run.plan.systems)}
    if BEATS in beats:
        yield messages.say(
            "Where several streams are read from an array of hard disks, or writes in order reach it with "
            "no cache to answer them, neither a controller's nor the disks' own, a point lasts at least "
            "until one of two disks whose revolutions differ by {share} has overtaken the other {times} "
            "times, however many I/Os that is: its rate hangs on the angles between the disks.",
            share=messages.numbers.chosen(TOLERANCE),
            times=messages.numbers.integer(BEATS),
        )
    if BEATS_OF_ONE in beats:
        yield messages.say(
            "Where one stream is read from an array of hard disks that hold copies or parity, with several "
            "I/Os outstanding, a point lasts at least until one of two disks whose revolutions differ by "
            "{share} has overtaken the other {times} times: how the disks follow on each other hangs on the "
            "angles between them.",
            share=messages.numbers.chosen(TOLERANCE),
            times=messages.numbers.integer(BEATS_OF_ONE),
        )
    if beats:
        yield messages.say(
            "It ends at the latest with the most I/Os that may be counted, or after twice that time, where "
            "that is later."
        )
    if any(array.failed and array.rebuild_bytes_s for array in _arrays(context)):
        yield messages.say(
            "Beside a rebuild a point is longer: it lasts for {steps} steps of the rebuild, or {longest} s "
            "of virtual time, at the least, and with hard disks {times} times as long as one can pass a "
            "command over.",
            steps=messages.numbers.integer(REBUILD_STEPS),
            longest=messages.numbers.integer(REBUILD_S),
            times=messages.numbers.integer(TIMES_PASSED_OVER),
        )


def _rounds_are_longer(point: Point) -> bool:
    """Whether that is more than the point counts, or leaves out, by its own numbers."""
    rounds = ROUNDS * closed_outstanding(point)
    rule = point.stopping
    return rounds > min(rule.warmup_ios or 0, rule.floor_ios or 0) or 2 * rounds > (rule.cap_ios or 0)


def _fills_a_cache(point: Point, systems: Mapping[str, VirtualSystem]) -> bool:
    """Whether a stream with gaps makes the part of a point longer that is not counted."""
    return filling_ios(point, systems) > (point.stopping.warmup_ios or 0)


def _arrays(context: Context) -> Iterator[Array]:
    for system in context.run.plan.systems.values():
        yield from (logical.array for item in system.controllers for logical in item.logicals)


def limits(context: Context) -> list[Block]:
    """Say what limits each maximum, with the utilisations that show it."""
    heading, rule, *tables = interfaces(context)
    return [heading, rule, _table(context), *tables]


def interfaces(context: Context) -> list[Block]:
    """Say how a limit is named, and what the interfaces of each system let through."""
    say = context.messages.say
    chains = {name: chain(system) for name, system in context.run.plan.systems.items()}
    shown: list[Figure | Table] = [*limit_bars(context, chains), _interface_table(context, chains)]
    return [
        Heading(2, say("Limits"), "limits"),
        Paragraph(
            context.messages.flow(
                (
                    say(
                        "Each simulated point knows how busy every station of its system was. Where a "
                        "station is busy for at least nine tenths of the time it is the limit; elsewhere the "
                        "latency is, of which the place with the greatest share is named."
                    ),
                    say(
                        "There more outstanding I/Os bring more as a rule, unless a load with think time may "
                        "have all accesses between two pauses outstanding: it never has more of them, so "
                        "that they would bring nothing."
                    )
                    if any(keeps_turn(at) for item in context.analysis.curves for at in item.curve.points)
                    else say("There more outstanding I/Os bring more as a rule."),
                    say(
                        "Where no station is so busy, and a rate that is offered is served, the rate is "
                        "the limit itself: more was not asked for."
                    )
                    if any(item.curve.open_loop for item in context.analysis.curves)
                    else "",
                    say(
                        "Where no station is so busy, and the pauses that a load asks for are more than half "
                        "of the time of its workers, the think time is the limit: more outstanding I/Os "
                        "would bring little."
                    )
                    if any(think_limited(item) for item in context.analysis.curves)
                    else "",
                )
            )
        ),
        Paragraph(
            context.messages.see(
                context.messages.flow(
                    (
                        say(
                            "Sequential reads cannot be faster than the interfaces on their way. The table "
                            "gives what each of them lets through in practice, whatever the load, for all "
                            "volumes of a system together; the least of a row binds."
                        ),
                        say(
                            "What controllers move to the host is part of its links, and named so as a limit."
                        )
                        if any(found.controller is not None for found in chains.values())
                        else "",
                        above_limits(context, chains),
                    )
                ),
                *(block.key for block in shown),
            )
        ),
        *shown,
    ]


def think_limited(item: CurveAnalysis) -> bool:
    """Tell whether the think time is most of the time at a load of a curve."""
    return any(thinks(at) for at in item.curve.points)


def _interface_table(context: Context, chains: Mapping[str, Chain]) -> Table:
    """Tabulate what the interfaces let through, without those that no system has."""
    say, plan = context.messages.say, context.run.plan
    names = [context.messages.titled(configuration_title(plan, name)) for name in chains]
    heads: dict[str, list[float | None]] = {
        say("Links to the host"): [found.host for found in chains.values()],
        say("Controllers to the host"): [found.controller for found in chains.values()],
        say("Links to the drives"): [found.disk for found in chains.values()],
        say("Media of the drives"): [found.media for found in chains.values()],
    }
    shown = {head: parts for head, parts in heads.items() if any(part is not None for part in parts)}
    cells = [
        tuple(
            _limit_cell(context, parts[place], binds=parts[place] == found.least) for parts in shown.values()
        )
        for place, found in enumerate(chains.values())
    ]
    return Table(
        columns=(
            Column(say("Configuration")),
            *(Column(head, "right", "MB/s") for head in shown),
            *rows_in_common.counted_columns(context, len(names)),
        ),
        rows=tuple(rows_in_common.rows_of(context, names, cells, range(len(names)))),
        caption=say("Practical limits of the interfaces for sequential reads; the binding one in bold"),
        key="table-interfaces",
        notes=rows_in_common.note(context, len(names)),
    )


def _limit_cell(context: Context, part: float | None, *, binds: bool) -> Cell:
    return Cell("–") if part is None else Cell(context.numbers.integer(round(mb_s(part))), strong=binds)


def _table(context: Context) -> Table:
    say = context.messages.say
    notes = latency_note(context.messages, context.analysis.curves)
    if notes:
        notes += (say("Where no station is saturated, the next station is the busiest one."),)
    return Table(
        columns=(
            Column(say("Load profile")),
            Column(say("Maximum"), "right"),
            loads_column(context, [item.curve for item in context.analysis.curves], at=True),
            Column(say("Limit")),
            Column(say("Utilisation"), "right"),
            Column(say("Next station")),
            Column(say("Utilisation"), "right"),
        ),
        rows=tuple(_row(context, item) for item in context.analysis.curves),
        caption=say("What limits each maximum, and the busiest station beside it"),
        key="table-bottlenecks",
        notes=(
            *no_maxima_notes(context, context.analysis.curves),
            *notes,
            *marks_note(context.messages, (item.maximum.at for item in context.analysis.curves)),
        ),
    )


def _row(context: Context, item: CurveAnalysis) -> tuple[Cell, ...]:
    at, messages = item.maximum.at, context.messages
    name = Cell(context.names_of_curves[item.curve.key], strong=True)
    shown = (
        name,
        Cell(main_figure(messages, at), strong=True),
        load_cell(context, at, [other.curve for other in context.analysis.curves]),
    )
    found = at.simulation
    if found is None:
        return (*shown, Cell("–"), Cell("–"), Cell("–"), Cell("–"))
    saturated = found.bottleneck.kind == "saturated"
    after, busy = _next(found)
    return (
        *shown,
        Cell(limit_text(messages, at, found)),
        Cell(context.numbers.percent(found.utilisation, 1) if saturated else "–"),
        Cell(of_a_part(messages, station_name(messages, after.name), after.part) if after else "–"),
        Cell(context.numbers.percent(busy, 1) if after else "–"),
    )


def _next(found: Simulation) -> tuple[Station | None, float]:
    """Give the busiest station beside the limit, with its utilisation: of equal stations their mean, where
    that of the limit is one, else the busiest of them. So none is busier than the limit, but where fewer of
    the I/Os go through it. As the limit itself, one that less than half of them go through comes after all
    others."""
    named = found.bottleneck.station
    by_mean = any(one.name == named and one.utilisation_mean >= found.utilisation for one in found.stations)
    busy = {
        one: one.utilisation_mean if by_mean else one.utilisation_max
        for one in of_most(one for one in found.stations if one.serves and one.name != named)
    }
    after = max(busy, key=lambda one: busy[one], default=None)
    return after, busy[after] if after else 0.0
