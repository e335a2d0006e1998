"""Appendix: everything that belongs to a figure, and the command that repeats it."""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from typing import TypeAlias

from iodyno.analysis.configurations import configuration_title
from iodyno.analysis.figures import PointFigures
from iodyno.analysis.layout import EACH_UP_TO
from iodyno.analysis.run import CurveAnalysis
from iodyno.plan import PlannedTarget, RateShare
from iodyno.profiles import Area
from iodyno.report.context import Context
from iodyno.report.document import (
    Block,
    Cell,
    Code,
    CodeBlock,
    Column,
    Facts,
    Heading,
    Paragraph,
    Table,
    Text,
)
from iodyno.report.messages import N_, Messages
from iodyno.report.names import (
    ARRIVALS,
    area_size,
    capacity,
    driven,
    io_name,
    least_share,
    main_unit,
    state_name,
    tone,
    workers_area,
)
from iodyno.report.operations import command_texts, opening, pinned
from iodyno.report.sections import at_once, conditioning, disclosure_compact
from iodyno.report.sections.attachments import study_name
from iodyno.report.sections.commands import own_study, repeat
from iodyno.report.sections.facts import target_text
from iodyno.report.sections.result_tables import latency_column, load_cell, load_column
from iodyno.report.sentences.causes import gathered_text
from iodyno.report.sentences.loads import loads

Fact: TypeAlias = tuple[str, Text]
SHARES = (0.5, 0.99, 0.999)
"""Percentiles of the latency that are disclosed."""


def blocks(context: Context) -> list[Block]:
    """Make the section: what all points share, then a part for each profile."""
    if len(context.analysis.curves) > EACH_UP_TO:
        return disclosure_compact.blocks(context, facts_of_run(context))
    say = context.messages.say
    common = _common(context)
    introduction = N_(
        "For each figure of this paper: what was asked, how it was measured, what came out, and the "
        "command that repeats it. What a command repeats, and what changes in it for another row of the "
        "table, is said above it. Raw data, with histograms and time series, is in the store of the tool and "
        "can be exported."
    )
    if context.run.imported:
        introduction = N_(
            "For each figure of this paper: what was asked, how it was measured, and what came out. Raw "
            "data, with the histograms where there are some, is in the store of the tool and can be exported."
        )
    made: list[Block] = [
        Heading(1, say("Appendix: disclosure of the figures"), "disclosure"),
        Paragraph(say(introduction)),
        Facts((*facts_of_run(context), *common)),
    ]
    for item in context.analysis.curves:
        own = tuple(fact for fact in _of_curve(context, item) if fact not in common)
        made += [
            Heading(2, context.names_of_curves[item.curve.key], f"disclosure-{item.curve.key}"),
            Facts((_profile(context, item), *own)),
            _table(context, item),
        ]
        if not context.run.imported:
            made += [
                Paragraph(_command_text(context, item)),
                CodeBlock(repeat(context.run, item.maximum.at.planned), command=True),
            ]
    return made


def _command_text(context: Context, item: CurveAnalysis) -> Text:
    """Say which point the command is for, and which of its words another row changes."""
    messages, point = context.messages, item.maximum.at.point
    if item.searched:
        return messages.say("The command that repeats the search with all of its steps:")
    if item.asked:
        return messages.say("The command that repeats the highest rate offered:")
    if item.curve.open_loop or len(item.curve.points) == 1:
        return messages.say("The command that repeats the maximum:")
    return messages.compose(
        "The command that repeats the maximum. For another row, the number in its first column takes the "
        "place of {load} in {option}, and nothing else changes:",
        load=str(point.outstanding),
        option=Code(f"--outstanding {point.outstanding}"),
    )


def _common(context: Context) -> tuple[Fact, ...]:
    """Give the facts that are the same for all curves."""
    each = [_of_curve(context, item) for item in context.analysis.curves]
    return tuple(fact for fact in each[0] if all(fact in facts for facts in each))


def facts_of_run(context: Context) -> tuple[Fact, ...]:
    """Give what all points of the run share."""
    messages, run = context.messages, context.run
    say = messages.say
    build = say("optimised") if run.tool.optimised else say("not optimised")
    profile = messages.in_brackets(run.tool.build_profile, build)
    return (
        (say("Run"), (Code(run.id),)),
        *_times(context),
        (say("Tool"), f"iodyno {run.tool.version}, {run.tool.commit}, {profile}"),
        (say("Seed of the plan"), str(run.plan.seed)),
        (say("Hash of the plan"), (Code(run.config_hash),)),
        (say("Command of the run"), (Code(shlex.join(run.command), command=True),)),
        *_study(context),
        (say("Export of the raw data"), (Code(f"iodyno export {run.id}"),)),
    )


def _times(context: Context) -> tuple[tuple[str, Text], ...]:
    """Give when a run was made; of an imported one when that was, which is not when it was measured."""
    messages, run = context.messages, context.run
    say = messages.say
    if run.imported:
        return ((say("Imported"), messages.time(run.started_at)),)
    ended = messages.time(run.finished_at) if run.finished_at else say("not finished")
    return ((say("Started"), messages.time(run.started_at)), (say("Ended"), ended))


def _study(context: Context) -> Iterator[Fact]:
    """Say where a study of one's own is: commands name a file that nobody else has."""
    if named := own_study(context.run):
        yield (
            context.messages.say("Study"),
            context.messages.compose(
                "attached to this document as {file}; the commands name it {study}",
                file=Code(study_name(context)),
                study=Code(named),
            ),
        )


def _profile(context: Context, item: CurveAnalysis) -> Fact:
    messages = context.messages
    return messages.say("Profile"), disclosure_compact.definition(messages, item.curve.profile)


def _of_curve(context: Context, item: CurveAnalysis) -> tuple[Fact, ...]:
    messages, targets = context.messages, item.curve.first.targets
    say = messages.say
    areas = [_area(messages, target, item.curve.profile.area) for target in targets]
    return (
        (say("Targets"), messages.gathered([target_text(context, target) for target in targets])),
        (say("Measured area"), messages.gathered(areas)),
        *(at_once.facts(context, item)),
        (say("Conditioning"), _conditioning(context, item)),
        (say("Workers"), _workers(context, item)),
        *_offered(context, item),
        *_commands(context, item),
        (say("Engine"), _engine(context, item)),
        *_configuration(context, item),
    )


def _area(messages: Messages, target: PlannedTarget, asked: Area) -> str:
    """Say where the area of a target lies and what share of it that is.

    The sizes of devices and volumes are base 10 beside it: there the area is said in both bases.
    """
    length, start = target.area_length_bytes, area_size(messages, target.area_start_bytes, asked.start)
    if not length:
        return messages.say("not known")
    written = area_size(messages, length, asked.length)
    if not target.size_bytes:
        return messages.say("{length} from {start}", length=written, start=start)
    share = least_share(messages, length / target.size_bytes)
    if target.kind not in ("virtual", "device"):
        return messages.say(
            "{length} from {start}, {share} of the target",
            length=written,
            start=start,
            share=share,
        )
    return messages.say(
        "{length} (base 2; {capacity} base 10) from {start}, {share} of the target",
        length=written,
        capacity=capacity(messages, length),
        start=start,
        share=share,
    )


def _workers(context: Context, item: CurveAnalysis) -> str:
    """Count the workers, and say what each accesses and where it ran where that is not the usual."""
    point, messages = item.curve.first, context.messages
    places = {figures.point.index for figures in item.curve.points}
    found = [result for result in context.stored.results if result.point.index in places]
    where = pinned(messages, [worker for result in found for worker in result.reading.workers])
    area = "" if point.workers_area == "shared" else workers_area(messages, point.workers_area)
    each = point.targets_per_worker if len(point.targets) > 1 else None
    sharing = "" if each is None else driven(messages, each)
    count = context.numbers.integer(point.workers_in_all)
    return messages.enumerated([part for part in (count, sharing, area, where) if part])


def _configuration(context: Context, item: CurveAnalysis) -> tuple[Fact, ...]:
    name = item.curve.first.system
    if name is None:
        return ()
    title = context.messages.titled(configuration_title(context.run.plan, name))
    return ((context.messages.say("Virtual system"), f"{title} ({name})" if title != name else name),)


def _conditioning(context: Context, item: CurveAnalysis) -> str:
    say = context.messages.say
    if context.run.imported:
        return say("not known")
    if context.run.simulated:
        return say(
            "modelled as written in full, in the steady state of the load; caches begin full of its data"
        )
    if context.run.plan.conditioning:
        return conditioning.state_text(context, item)
    written = any(profile.writes for point in context.run.plan.points for profile in point.profiles)
    if all(target.created for target in item.curve.first.targets):
        if not written:
            return say("written in full once before the run, nothing beyond that")
        return say(
            "written in full once before the run, nothing beyond that; the points ran in the order of the "
            "plan on the same target, so that later ones found what earlier ones had written"
        )
    if not written:
        return say("as found; nothing was written to condition it")
    return say(
        "as found, nothing was written to condition it; the points ran in the order of the plan on the same "
        "target, so that later ones found what earlier ones had written"
    )


def _offered(context: Context, item: CurveAnalysis) -> tuple[Fact, ...]:
    """Say how the I/Os of an open loop were spaced, and which shares its rates are."""
    messages, points = context.messages, [figures.point for figures in item.curve.points]
    if not item.curve.open_loop:
        return ()
    rules = [point.rate_from for point in points if isinstance(point.rate_from, RateShare)]
    shares = messages.listed([context.numbers.chosen(rule.share) for rule in rules])
    said = messages.say("{shares} of what the closed loop reached", shares=shares) if rules else ""
    arrivals = messages.known(ARRIVALS[item.curve.first.arrival])
    return ((messages.say("Offered rates"), messages.enumerated([arrivals, said])),)


def _commands(context: Context, item: CurveAnalysis) -> tuple[Fact, ...]:
    """Give the syncs and trims at each load: they are in no table."""
    messages = context.messages
    found = (
        (loads(messages, [point], item.curve), command_texts(messages, point)) for point in item.curve.points
    )
    texts = [f"{load}: {', '.join(said)}" for load, said in found if said]
    return ((messages.say("Syncs and trims"), "; ".join(texts)),) if texts else ()


def _engine(context: Context, item: CurveAnalysis) -> str:
    messages = context.messages
    by_index = {
        result.point.index: (result.point, result.reading.engine) for result in context.stored.results
    }
    names = dict.fromkeys(
        messages.enumerated(
            (engine.name, *engine.setup)
            if context.run.simulated
            else (
                engine.name,
                io_name(messages, direct=engine.direct),
                *opening(messages, asked, engine),
                *engine.setup,
            )
        )
        for asked, engine in (by_index[point.point.index] for point in item.curve.points)
    )
    return messages.gathered(list(names))


def _rate_title(context: Context, item: CurveAnalysis) -> str:
    say = context.messages.say
    return say("Throughput") if item.curve.profile.shown_as == "throughput" else say("Rate")


def _table(context: Context, item: CurveAnalysis) -> Table:
    say = context.messages.say
    return Table(
        columns=(
            load_column(context, item.curve),
            Column(say("In all"), "right"),
            Column(say("Warm-up"), "right", "s"),
            Column(say("Discarded"), "right", "s"),
            Column(say("Measured"), "right", "s"),
            Column(say("I/Os"), "right"),
            Column(_rate_title(context, item), "right", main_unit(item.curve.profile)),
            Column(say("Interval"), "right"),
            *(latency_column(context, share) for share in SHARES),
            Column(say("Verdict")),
            Column(say("Hash")),
        ),
        rows=tuple(_row(context, point) for point in item.curve.points),
        caption=say("{profile}: disclosure", profile=context.names_of_curves[item.curve.key]),
        key=f"table-disclosure-{item.curve.key}",
        lookup=True,
        notes=(
            say(
                "Discarded: what had not settled after the warm-up; it is not counted either. Hash: of the "
                "configuration of the point."
            ),
            *at_once.warmup_note(context, item),
            *(gathered_text(context.messages, cause, item.curve) for cause in item.causes),
        ),
    )


def _seconds(context: Context, seconds: float) -> str:
    """Write measured time in tenths; virtual time can be much shorter."""
    if context.run.simulated:
        return context.numbers.significant(seconds)
    return context.numbers.decimal(seconds, 1)


def _row(context: Context, item: PointFigures) -> tuple[Cell, ...]:
    numbers = context.numbers
    percentiles = (item.latency_ms_at(share) for share in SHARES)
    times = (item.warmed_up_s, item.discarded_s, item.measured_s)
    return (
        load_cell(context, item),
        Cell(numbers.integer(item.planned.outstanding_total)),
        *(Cell(_seconds(context, part)) for part in times),
        Cell(numbers.integer(item.completed)),
        Cell(numbers.estimate(item.main)),
        Cell(numbers.half_width(item.main)),
        *(Cell("–" if value is None else numbers.significant(value)) for value in percentiles),
        Cell(state_name(context.messages, item.verdict.state), tone=tone(item)),
        Cell((Code(item.planned.config_hash),)),
    )
