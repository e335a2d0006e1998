"""The method: load profiles, semantics of the load, units, stopping rule and verdicts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from iodyno.plan import Arrival, Point, RateShare
from iodyno.profiles import STANDARD_LOADS, LoadProfile
from iodyno.reading import State
from iodyno.report.context import Context
from iodyno.report.document import Block, Bullets, Cell, Column, Heading, Paragraph, Table
from iodyno.report.messages import N_
from iodyno.report.names import (
    TONES,
    access,
    main_unit,
    profile_name,
    state_name,
)
from iodyno.report.names import (
    blocks as block_text,
)
from iodyno.report.operations import operations
from iodyno.report.sections import at_once, patterns, simulated, stopping

VERDICT_MEANINGS: dict[State, str] = {
    "steady": N_("No drift was found, and the interval is as narrow as was asked for."),
    "capped": N_(
        "The point lasted as long as allowed, and there is no interval as narrow as was asked for. No fault "
        "was found; use the figure only with its interval, and without one as a rough guide."
    ),
    "not_steady": N_(
        "A trend or fluctuation over the limit was found. Mean and interval describe the time that was "
        "measured; a longer measurement can come to another value."
    ),
    "disturbed": N_(
        "An influence from outside was observed: stolen processor time, other I/O on the device, "
        "throttling, or I/Os that failed. The figure should not be used."
    ),
    "not_judged": N_("Another program measured. Its result was imported as it is."),
}


def blocks(context: Context) -> list[Block]:
    """Make the section."""
    say = context.messages.say
    return [
        Heading(1, say("Method"), "method"),
        Heading(2, say("Load profiles"), "method-profiles"),
        Paragraph(
            say(
                "A load profile says how storage is accessed: at random or in sequence, which share of the "
                "accesses reads, and in blocks of which size. Each stands for a kind of work that is common "
                "in practice."
            )
            if all(profile.stands_for for profile in used_profiles(context))
            else say(
                "A load profile says how storage is accessed: at random or in sequence, which share of the "
                "accesses reads, and in blocks of which size."
            )
        ),
        _profiles(context),
        *(_of_another(context) if context.run.imported else _own(context)),
        _verdicts(context),
    ]


def _own(context: Context) -> list[Block]:
    """Tell how iodyno measures."""
    say = context.messages.say
    return [
        Heading(2, say("Load and measured quantities"), "method-load"),
        Bullets(_semantics(context)),
        Heading(2, say("Duration, intervals and verdicts"), "method-verdicts"),
        *stopping.blocks(context),
    ]


def _of_another(context: Context) -> list[Block]:
    """Tell how another program measured, as far as its results tell, and which of them are missing."""
    say = context.messages.say
    how = say(
        "{tool} measured, and its results were imported. How long it warmed up and what it left out is as "
        "its own options say, which the export of the run lists. There are no intervals, because its "
        "results do not tell how the rate varied. Latencies come from its bins, moved by less than 1.6% to "
        "those of iodyno; where it kept none, only some percentiles are known.",
        tool=context.run.imported,
    )
    files = [item["file"] for item in context.run.plan.study_source.get("left_out", ())]
    if not files:
        return [Paragraph(how)]
    missing = say(
        "Left out, for no result in them can be read: {files}. The export of the run tells why.",
        files=context.messages.listed(files),
    )
    return [Paragraph(how), Paragraph(missing)]


def used_profiles(context: Context) -> tuple[LoadProfile, ...]:
    """Give every profile once that points of the run have results of, in the order of the plan."""
    every = (profile for point in context.run.plan.points for profile in point.profiles)
    found = {profile.model_dump_json(): profile for profile in every}
    with_results = {
        profile.model_dump_json() for result in context.stored.results for profile in result.point.profiles
    }
    return tuple(profile for definition, profile in found.items() if definition in with_results)


def _profiles(context: Context) -> Table:
    messages = context.messages
    say = messages.say
    profiles = used_profiles(context)
    described = any(profile.stands_for for profile in profiles)
    rows = tuple(
        (
            Cell(profile_name(messages, profile), strong=True),
            Cell(messages.enumerated([access(messages, profile), *operations(messages, profile)])),
            Cell(context.numbers.chosen((1 - profile.trim_share) * profile.read_share)),
            Cell(context.numbers.chosen((1 - profile.trim_share) * (1 - profile.read_share))),
            Cell(block_text(messages, profile)),
            Cell(main_unit(profile)),
            *((Cell(messages.of_study(profile.stands_for) or "–"),) if described else ()),
        )
        for profile in profiles
    )
    rows = tuple(dict.fromkeys(rows))
    assumed: dict[str, dict[str, None]] = {}
    for profile in profiles:
        if profile.assumed and _as_published(context, profile):
            assumed.setdefault(profile.assumed, {})[profile_name(messages, profile)] = None
    return Table(
        columns=(
            Column(say("Load profile")),
            Column(say("Access")),
            Column(say("Reads"), "right"),
            Column(say("Writes"), "right"),
            Column(say("Block"), "right"),
            Column(say("Shown in")),
            *((Column(say("Stands for")),) if described else ()),
        ),
        rows=rows,
        caption=say("The load profiles of this paper"),
        key="table-profiles",
        notes=tuple(
            say("{name}: {finding}", name=messages.names(list(names)), finding=messages.of_study(text))
            for text, names in assumed.items()
        ),
    )


def _as_published(context: Context, profile: LoadProfile) -> bool:
    """Tell whether a point drives a profile with the workers that it was published with: what was assumed of
    them is of interest there."""
    standard = STANDARD_LOADS.get(profile.name)
    loads = (load for point in context.run.plan.points for load in point.loads if load.profile == profile)
    return standard is None or any(load.workers == standard.workers for load in loads)


def _semantics(context: Context) -> tuple[str, ...]:
    """Say what the load is, only what applies to this run."""
    messages, points = context.messages, context.run.plan.points
    say = messages.say
    items = [
        *_loops(context),
        *at_once.said(context),
        patterns.draws(context),
        *patterns.places(context),
        *_commands(context),
    ]
    if context.run.simulated:
        return (*items, *simulated.semantics(context))
    if all(point.direct for point in points):
        items.append(
            say(
                "Files and devices are opened for direct I/O, past the caches of the operating system. "
                "Caches of drives and controllers are used as the system has set them."
            )
        )
    else:
        items.append(
            say(
                "Points that are marked as buffered went through the caches of the operating system: they "
                "show the sum of main memory and storage."
            )
            if any(point.direct for point in points)
            else say(
                "The load goes through the caches of the operating system: the figures show the sum of main "
                "memory and storage."
            )
        )
        if any(point.cold_cache for point in points):
            items.append(
                say(
                    "Points with a cold cache began with nothing of their targets in main memory, and the "
                    "operating system was told whether accesses are random."
                )
            )
    if any(profile.writes for point in points for profile in point.profiles):
        items += [_data(context), *patterns.data(context), *patterns.filled(context)]
    if any(profile.reads for point in points for profile in point.profiles):
        items.append(_contents(context))
    items.append(
        say(
            "Latency is the time from the issue of an I/O to its completion, taken for every single I/O. "
            "The transaction rate is the number of I/Os completed per second, the throughput the bytes "
            "completed per second. 1 MB/s is 2²⁰ bytes per second. Sizes of blocks, areas, files, file "
            "systems and memory are base 2, capacities of drives base 10."
        )
    )
    return tuple(items)


_SPACED: dict[Arrival, str] = {
    "fixed": N_("Fixed arrivals: I/Os are due at equal distances in time."),
    "poisson": N_(
        "Poisson arrivals: the distances in time between I/Os that are due are drawn from the exponential "
        "distribution, as between those of many users who know nothing of each other."
    ),
}
"""How the I/Os of an open loop are spaced."""


def _loops(context: Context) -> Iterator[str]:
    """Say what the load is: of loops that wait, of those that do not, or of both."""
    loads = [load for point in context.run.plan.points for load in point.loads]
    waiting = [load for load in loads if not load.open_loop]
    if waiting:
        yield _closed_loop(context, waiting)
    if len(waiting) < len(loads):
        yield context.messages.say(
            "The load is offered at a fixed rate, whether or not earlier I/Os are complete (open loop). The "
            "response time counts from the intended start of an I/O, the latency from its issue; where the "
            "storage does not keep up, the two part."
        )
        yield from _arrivals(context, [load for load in loads if load.open_loop])


def _arrivals(context: Context, loads: Sequence[Point]) -> Iterator[str]:
    """Say how the I/Os of open loops are spaced, and what rates are shares of."""
    known, say = context.messages.known, context.messages.say
    for arrival in dict.fromkeys(load.arrival for load in loads):
        yield known(_SPACED[arrival])
    if any(isinstance(load.rate_from, RateShare) for load in loads):
        yield say(
            "Rates that are given as shares are shares of what the target served in a closed loop, which was "
            "measured before them in the same run: of the greatest rate of its points."
        )


def _closed_loop(context: Context, loads: Sequence[Point]) -> str:
    say = context.messages.say
    point = max(loads, key=lambda found: found.outstanding_total)
    if all(found.workers == 1 and len(found.targets) == 1 for found in loads):
        return say(
            "One worker keeps the given number of I/Os outstanding on one target: as soon as one completes, "
            "the next is issued (closed loop). The latencies are those of such a loop, which never asks "
            "faster than it is answered."
        )
    return say(
        "The number of outstanding I/Os is per target and worker: workers × targets × outstanding I/Os are "
        "in flight, at most {workers} × {targets} × {outstanding} = {total}. As soon as one completes, the "
        "next is issued (closed loop). The latencies are those of such a loop, which never asks faster than "
        "it is answered.",
        workers=context.numbers.integer(point.workers),
        targets=context.numbers.integer(len(point.targets)),
        outstanding=context.numbers.integer(point.outstanding),
        total=context.numbers.integer(point.outstanding_total),
    )


def _commands(context: Context) -> Iterator[str]:
    """Say what trims and syncs count in: they are no transfers."""
    say, profiles = context.messages.say, used_profiles(context)
    if any(profile.trim_share for profile in profiles):
        yield say(
            "Trims count in the transaction rate and the latency, and not in the throughput: they move no "
            "data. What they come to alone is in the disclosure."
        )
    if any(profile.fsync_every or profile.fdatasync_every for profile in profiles):
        yield say("Syncs count in no rate and no latency but their own, which the disclosure has.")


def _data(context: Context) -> str:
    say = context.messages.say
    profiles = used_profiles(context)
    if all(profile.data == "incompressible" and not patterns.made(profile) for profile in profiles):
        return say(
            "Data that is written is incompressible and different in each block, so that compression and "
            "deduplication gain nothing."
        )
    return say(
        "Some profiles write data that compresses or repeats: a system that compresses or deduplicates "
        "appears faster with it."
    )


def _contents(context: Context) -> str:
    say = context.messages.say
    if all(target.created for point in context.run.plan.points for target in point.targets):
        return say(
            "What is read was written in full before: a file that is only laid out would be read from "
            "nowhere."
        )
    return say(
        "What is read is what the targets held; where it was never written, as far as could be seen, a "
        "finding of the verdicts says so."
    )


def shown_states(context: Context) -> list[State]:
    """Give the states that tables of verdicts tell: nothing disturbs a virtual system, unless it has, and
    what was imported is not judged."""
    states, run = context.analysis.states, context.run
    return [
        state
        for state in VERDICT_MEANINGS
        if state in states
        and (states[state] or not (run.imported or (run.simulated and state == "disturbed")))
    ]


def _verdicts(context: Context) -> Table:
    messages = context.messages
    say = messages.say
    return Table(
        columns=(Column(say("Verdict")), Column(say("Meaning")), Column(say("Points"), "right")),
        rows=tuple(
            (
                Cell(state_name(messages, state, whole=True), tone=TONES[state], strong=True),
                Cell(messages.known(meaning)),
                Cell(context.numbers.integer(context.analysis.states[state])),
            )
            for state, meaning in VERDICT_MEANINGS.items()
            if state in shown_states(context)
        ),
        caption=say("Verdicts and how many points of this run have each"),
        key="table-verdicts",
    )


__all__ = ["blocks", "shown_states", "used_profiles"]
