"""Conditioning: the state of a target in a sentence, and the appendix with the rounds."""

from __future__ import annotations

from iodyno.analysis.conditioning import Rounds, TargetState, rounds_of, target_states
from iodyno.analysis.run import CurveAnalysis
from iodyno.conditioned import LOSSES
from iodyno.conditioning.steady import Window
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
from iodyno.report.messages import Messages
from iodyno.report.names import profile_name


def state_text(context: Context, item: CurveAnalysis) -> str:
    """Say what was done to the targets of a curve before it was measured, and what undid it."""
    messages, run = context.messages, context.run
    paths = {target.path for target in item.curve.first.targets}
    states = [one for one in target_states(run.plan, context.stored.conditioning) if one.path in paths]
    parts = list(dict.fromkeys(part for one in states for part in _target_parts(messages, one)))
    before = [
        one for one in rounds_of(run.plan, context.stored.conditioning)
        if one.before <= item.curve.first.index
    ]  # fmt: skip
    if before and before[-1].rounds:
        parts.append(_outcome(messages, before[-1]))
    return messages.gathered(parts)


def _target_parts(messages: Messages, state: TargetState) -> list[str]:
    say = messages.say
    parts = [say("every block discarded before the run")] if state.purged else []
    filled = (
        say("not written before the run"),
        say("written in full once before the run"),
        say("written in full twice before the run"),
    )[min(state.filled, 2)]
    parts.append(say("{state}, by run {run}", state=filled, run=state.of_run) if state.of_run else filled)
    if state.lost and not state.made_good:
        reasons = messages.enumerated([messages.known(LOSSES[one.code]) for one in state.lost.reasons])
        parts.append(say("undone while the run went on: {reasons}", reasons=reasons))
    return parts


def _outcome(messages: Messages, rounds: Rounds) -> str:
    if rounds.steady_after is None:
        return messages.say_n(
            "loaded for {count} round, without a steady state",
            "loaded for {count} rounds, without a steady state",
            len(rounds.rounds),
        )
    return messages.say_n(
        "loaded for {count} round, to a steady state",
        "loaded for {count} rounds, to a steady state",
        len(rounds.rounds),
    )


def blocks(context: Context) -> list[Block]:
    """Make the appendix: the rounds of each profile; nothing where there were none."""
    say = context.messages.say
    plan = context.run.plan
    found = [one for one in rounds_of(plan, context.stored.conditioning) if one.rounds]
    if not found or plan.conditioning is None:
        return []
    rule, numbers = plan.conditioning.rule, context.numbers
    made: list[Block] = [
        Heading(1, say("Appendix: conditioning"), "conditioning"),
        Paragraph(
            say(
                "Before they were measured, the targets were loaded in rounds. The state counts as steady "
                "when, over the last {window} rounds, the rates differ by at most {range} of their mean and "
                "the line fitted to them moves by at most {excursion} of the mean (SNIA PTS 2.0); there "
                "were at most {most} rounds.",
                window=numbers.integer(rule.window),
                range=numbers.chosen(rule.range_share),
                excursion=numbers.chosen(rule.excursion_share),
                most=numbers.integer(rule.at_most),
            )
        ),
    ]
    for one in found:
        made += [_figure(context, one), *(_table(context, one, place) for place in range(len(one.profiles)))]
    return made


def _names(context: Context, rounds: Rounds) -> str:
    return context.messages.listed([profile_name(context.messages, one) for one in rounds.profiles])


def _figure(context: Context, rounds: Rounds) -> Figure:
    say = context.messages.say
    lines = tuple(
        ChartLine(
            profile_name(context.messages, profile),
            tuple(ChartPoint(one.number, one.rates_io_s[place]) for one in rounds.rounds),
        )
        for place, profile in enumerate(rounds.profiles)
    )
    last = rounds.rounds[-1]
    name = say("steady state") if rounds.steady_after else say("last rounds")
    shaded = ((last.windows[0].first, last.windows[0].last, name),) if last.windows else ()
    chart = LineChart(
        Axis(say("Round")), Axis(say("Transaction rate in IO/s"), reach=(0.0,)), lines, shaded=shaded
    )
    return Figure(
        charts=(chart,),
        caption=say("{profiles}: rounds of conditioning", profiles=_names(context, rounds)),
        alt=say("Line chart of the rate of each round; the rounds that the rule looked at last are shaded."),
        key=f"figure-rounds-{rounds.before}",
    )


def _table(context: Context, rounds: Rounds, place: int) -> Table:
    say = context.messages.say
    name = profile_name(context.messages, rounds.profiles[place])
    return Table(
        columns=(
            Column(say("Round"), "right"),
            Column(say("Rate"), "right", "IO/s"),
            Column(say("Mean of the window"), "right", "IO/s"),
            Column(say("Range"), "right"),
            Column(say("Slope a round"), "right", "IO/s"),
            Column(say("Movement of the line"), "right"),
        ),
        rows=tuple(
            (
                Cell(context.numbers.integer(one.number)),
                Cell(context.numbers.significant(one.rates_io_s[place], 4)),
                *_window(context, one.windows[place] if one.windows else None),
            )
            for one in rounds.rounds
        ),
        caption=say("{profile}: rounds of conditioning", profile=name),
        key=f"table-rounds-{rounds.before}-{place}",
        notes=(_end(context, rounds),),
    )


def _end(context: Context, rounds: Rounds) -> str:
    if rounds.steady_after is None:
        return context.messages.say("No steady state was attained; the points were measured all the same.")
    return context.messages.say(
        "A steady state was attained with round {number}.",
        number=context.numbers.integer(rounds.steady_after),
    )


def _window(context: Context, window: Window | None) -> tuple[Cell, ...]:
    if window is None or not window.mean:
        return (Cell("–"),) * 4
    numbers = context.numbers
    return (
        Cell(numbers.significant(window.mean, 4)),
        Cell(numbers.percent(window.range_share, 1)),
        Cell(numbers.significant(window.slope, 3)),
        Cell(numbers.percent(window.excursion_share, 1)),
    )
