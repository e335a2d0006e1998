"""Appendix: everything that belongs to a figure, and the command that repeats it."""

from __future__ import annotations

from iodyno.analysis.figures import PointFigures
from iodyno.analysis.run import CurveAnalysis
from iodyno.report.cause_text import gathered_text
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
from iodyno.report.names import access, curve_name, main_unit, size, state_name, tone
from iodyno.report.names import blocks as block_text
from iodyno.report.sections.commands import repeat
from iodyno.report.sections.facts import target_text
from iodyno.report.sections.result_tables import load_cell, load_column
from iodyno.report.text import load


def blocks(context: Context) -> list[Block]:
    """Make the section: what all points share, then a part for each profile."""
    say = context.messages.say
    made: list[Block] = [
        Heading(1, say("Appendix: disclosure of the figures"), "disclosure"),
        Paragraph(
            say(
                "For each figure of this paper: what was asked, how it was measured, what came out, and the "
                "command that repeats it. Raw data, with histograms and time series, is in the store of the "
                "tool and can be exported."
            )
        ),
        Facts(_shared(context)),
    ]
    for item in context.analysis.curves:
        made += [
            Heading(2, curve_name(context.messages, item.curve), f"disclosure-{item.curve.key}"),
            Facts(_curve_facts(context, item)),
            _table(context, item),
            Paragraph(_repeat_text(context, item)),
            CodeBlock(repeat(context.run, item.maximum.at.point)),
        ]
    return made


def _shared(context: Context) -> tuple[tuple[str, Text], ...]:
    messages, run = context.messages, context.run
    say = messages.say
    build = say("optimised") if run.tool.optimised else say("not optimised")
    return (
        (say("Run"), (Code(run.id),)),
        (say("Started"), messages.time(run.started_at)),
        (say("Ended"), messages.time(run.finished_at) if run.finished_at else say("not finished")),
        (say("Tool"), f"iodyno {run.tool.version}, {run.tool.commit}, {run.tool.build_profile} ({build})"),
        (say("Seed of the plan"), str(run.plan.seed)),
        (say("Hash of the plan"), (Code(run.config_hash),)),
        (say("Command of the run"), (Code(" ".join(run.command)),)),
        (say("Export of the raw data"), (Code(f"iodyno export {run.id}"),)),
    )


def _curve_facts(context: Context, item: CurveAnalysis) -> tuple[tuple[str, Text], ...]:
    messages, first = context.messages, item.curve.first
    say, profile = messages.say, item.curve.profile
    facts: list[tuple[str, Text]] = [
        (
            say("Profile"),
            say(
                "{name}, version {version}: {access}, {reads} reads, blocks of {block}",
                name=profile.name,
                version=str(profile.version),
                access=access(messages, profile),
                reads=context.numbers.percent(profile.read_share, 0),
                block=block_text(messages, profile),
            ),
        ),
        (say("Workers"), context.numbers.integer(first.workers)),
        (say("Targets"), "; ".join(target_text(context, target) for target in first.targets)),
        (
            say("Measured area"),
            "; ".join(
                say(
                    "{length} from {start}",
                    length=size(messages, target.area_length_bytes),
                    start=size(messages, target.area_start_bytes),
                )
                for target in first.targets
            ),
        ),
        (say("Engine"), _engine(context, item)),
    ]
    return tuple(facts)


def _engine(context: Context, item: CurveAnalysis) -> str:
    messages = context.messages
    by_index = {result.point.index: result.reading.engine for result in context.stored.results}
    engines = [by_index[point.point.index] for point in item.curve.points]
    names = dict.fromkeys(
        ", ".join(
            (
                engine.name,
                messages.say("direct I/O") if engine.direct else messages.say("buffered I/O"),
                *engine.setup,
            )
        )
        for engine in engines
    )
    return "; ".join(names)


def _repeat_text(context: Context, item: CurveAnalysis) -> str:
    say, where = context.messages.say, load(context.messages, item.maximum.at)
    if item.curve.open_loop or len(item.curve.points) == 1:
        return say("This command repeats the measurement {load}:", load=where)
    return say(
        "This command repeats the measurement {load}; for another row, put its number after {option}:",
        load=where,
        option="--outstanding",
    )


def _table(context: Context, item: CurveAnalysis) -> Table:
    say = context.messages.say
    return Table(
        columns=(
            load_column(context, item.curve),
            Column(say("In all"), "right"),
            Column(say("Window"), "right", "s"),
            Column(say("I/Os"), "right"),
            Column(say("Mean"), "right", main_unit(item.curve.profile)),
            Column(say("Interval"), "right"),
            Column(context.numbers.percentile(0.5), "right", "ms"),
            Column(context.numbers.percentile(0.99), "right", "ms"),
            Column(context.numbers.percentile(0.999), "right", "ms"),
            Column(say("Verdict")),
            Column(say("Hash")),
        ),
        rows=tuple(_row(context, point) for point in item.curve.points),
        caption=say("{profile}: disclosure", profile=curve_name(context.messages, item.curve)),
        key=f"table-disclosure-{item.curve.key}",
        notes=(
            say("Window: warm-up + measured seconds. Hash: of the configuration of the point."),
            *(gathered_text(context.messages, cause, item.curve) for cause in item.causes),
        ),
    )


def _row(context: Context, item: PointFigures) -> tuple[Cell, ...]:
    numbers = context.numbers
    percentiles = (item.latency_ms_at(share) for share in (0.5, 0.99, 0.999))
    return (
        load_cell(context, item),
        Cell(numbers.integer(item.point.outstanding_total)),
        Cell(f"{numbers.decimal(item.warmup_s, 1)} + {numbers.decimal(item.measured_s, 1)}"),
        Cell(numbers.integer(item.completed)),
        Cell(numbers.estimate(item.main)),
        Cell(numbers.half_width(item.main)),
        *(Cell("–" if value is None else numbers.significant(value)) for value in percentiles),
        Cell(state_name(context.messages, item.verdict.state), tone=tone(item)),
        Cell((Code(item.point.config_hash),)),
    )
