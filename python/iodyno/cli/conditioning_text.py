"""Conditioning in words: what a plan says of it, and what came of it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from iodyno.analysis.conditioning import TargetState, rounds_of, target_states
from iodyno.conditioned import LOSSES, Step
from iodyno.events import StepDone
from iodyno.plan import Plan, PlannedConditioning, PlannedFill
from iodyno.units import short_size

TIMES = ("not", "once", "twice")


def planned_text(planned: PlannedConditioning) -> str:
    """Say what a plan does to the targets first."""
    parts = ["every block of the devices discarded"] if planned.purge == "discard" else []
    parts += [_fill_text(fill) for fill in planned.fills]
    if planned.rounds:
        parts.append(_rounds_text(planned))
    text = "; ".join(parts) or "nothing"
    return text + ("" if planned.reuse or not planned.fills else "; what earlier runs filled does not count")


def _fill_text(fill: PlannedFill) -> str:
    of = f"{short_size(fill.length_bytes)} of " if fill.start_bytes else ""
    return f"{of}{fill.path} filled {TIMES[fill.times]}"


def _rounds_text(planned: PlannedConditioning) -> str:
    rule, loads = planned.rule, planned.rounds[0].loads
    seconds = f"{loads[0].stopping.cap_s:g} s"
    if len(planned.rounds) > 1:
        where = "before each profile, of its own load"
    else:
        where = "of " + ", ".join(f"{load.profile.name} at {load.outstanding}" for load in loads)
    return (
        f"at most {rule.at_most} rounds {where}, {seconds} each, until {rule.window} in a row are within "
        f"{rule.range_share * 100:g}% and move by at most {rule.excursion_share * 100:g}%"
    )


def state_lines(plan: Plan, steps: Sequence[Step]) -> Iterator[str]:
    """Say what was done to the targets of a run, and what undid it."""
    if plan.conditioning is None:
        created = any(target.created for point in plan.points for target in point.targets)
        yield "none; files that iodyno makes are written in full once" if created else "none"
        return
    for state in target_states(plan, steps):
        yield f"{state.path}: {_target_text(state, len(plan.points))}"
    for rounds in rounds_of(plan, steps):
        names = ", ".join(profile.name for profile in rounds.profiles)
        count = len(rounds.rounds)
        end = f"steady state after {rounds.steady_after}" if rounds.steady_after else "no steady state"
        if not rounds.steady_after and count < plan.conditioning.rule.at_most:
            end = f"of at most {plan.conditioning.rule.at_most}, and not steady yet"
        yield f"{names}: {count} round{'' if count == 1 else 's'}, {end}"


def _target_text(state: TargetState, points: int) -> str:
    filled = f"filled {TIMES[state.filled]}" if state.filled else "not filled"
    parts = ["purged", filled] if state.purged else [filled]
    parts += [f"what run {state.of_run} wrote"] if state.of_run else []
    text = ", ".join(parts)
    if state.lost:
        text += f"; {'before that ' if state.made_good else ''}lost: {loss_text(state.lost, points)}"
    return text


def loss_text(step: Step, points: int) -> str:
    """Say what undid conditioning, and before which of so many points it was seen, or after the last."""
    reasons = "; ".join(LOSSES.get(reason.code, reason.code) for reason in step.reasons)
    before = step.before or 0
    when = f"before point {before + 1}" if before < points else "after the last point"
    if step.since is not None and step.since < before:
        when += f", and may have been so since point {step.since + 1}"
    return f"{reasons} (seen {when})"


def round_text(step: Step) -> str:
    """Say what a round came to.

    Examples
    --------
    >>> from iodyno.conditioned import RoundLoad
    >>> loads = (RoundLoad(profile="database", rate_io_s=41_234.4),)
    >>> round_text(Step(kind="round", started_at="", finished_at="", turn=1, loads=loads))
    'database 41,234 IO/s'
    """
    return ", ".join(f"{load.profile} {load.rate_io_s:,.0f} IO/s" for load in step.loads)


def step_line(event: StepDone, points: int) -> str:
    """Say a step of the conditioning of a run of so many points in a line, with what the rule of the steady
    state sees."""
    step = event.step
    if step.kind == "lost":
        run = f" of run {step.of_run}" if step.of_run else ""
        return f"conditioning{run} of {step.target} is lost: {loss_text(step, points)}"
    if step.kind == "reused" and not step.of_run:
        return f"{step.target}: nothing has undone what this run did to it"
    if step.kind == "reused":
        return f"{step.target}: filled {TIMES[step.turn]} by run {step.of_run}, and nothing has undone it"
    if step.kind == "purged":
        return f"purged {step.target}"
    if step.kind == "filled":
        return f"filled {step.target}: {TIMES[step.turn]}"
    return f"round {step.turn}: {round_text(step)}{_window_text(event)}"


def _window_text(event: StepDone) -> str:
    def share(value: float | None) -> str:
        return "–" if value is None else f"{value:.1%}"

    parts = [
        f"range {share(one.range_share)}, slope {one.slope_io_s:+,.1f} IO/s a round, "
        f"{share(one.excursion_share)} in all"
        for one in event.windows
    ]
    state = "steady" if event.steady else "not steady yet"
    return f"; window: {'; '.join(parts)}; {state}" if parts else ""
