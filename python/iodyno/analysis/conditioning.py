"""What came of the conditioning of a run: the state of each target, and the rounds with what the rule saw."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from iodyno.conditioned import LOST, UNSURE, Step, since_lost, times_filled
from iodyno.conditioning.steady import Window, attained_at, rounds_done, windows
from iodyno.plan import Plan, PlannedRounds
from iodyno.profiles import LoadProfile
from iodyno.store.records import StoredRun


@dataclass(frozen=True)
class TargetState:
    """What was done to a target, or had been until it was found undone.

    Parameters
    ----------
    path
        Path of the target.
    purged
        Whether it was purged.
    filled
        How often it was written in full.
    of_run
        The earlier run that wrote it; empty: this one.
    lost
        The last time something undid it, none where nothing did.
    made_good
        Whether it was filled again after that. Where it was not, the rest says what had been done before.
    """

    path: str
    purged: bool
    filled: int
    of_run: str
    lost: Step | None
    made_good: bool


@dataclass(frozen=True)
class Round:
    """A round: the rate of each load in IO/s, and what the rule saw with it; nothing while rounds are few."""

    number: int
    rates_io_s: tuple[float, ...]
    windows: tuple[Window, ...]


@dataclass(frozen=True)
class Rounds:
    """The rounds before a point.

    Parameters
    ----------
    before
        Index of the point.
    profiles
        The profile of each load.
    rounds
        In their order.
    steady_after
        The round with which a steady state was attained; none: there was none.
    """

    before: int
    profiles: tuple[LoadProfile, ...]
    rounds: tuple[Round, ...]
    steady_after: int | None


def target_states(plan: Plan, steps: Sequence[Step]) -> tuple[TargetState, ...]:
    """Give the state of each target of a run, in the order of the plan."""
    paths = dict.fromkeys(target.path for point in plan.points for target in point.targets)
    return tuple(_state(path, steps) for path in paths)


def _state(path: str, steps: Sequence[Step]) -> TargetState:
    lost = next((step for step in reversed(steps) if step.kind == "lost" and step.target == path), None)
    made_good = lost is not None and times_filled(steps, path) > 0
    steps = counted(steps, path)
    mine = since_lost(steps, path)
    return TargetState(
        path=path,
        purged=any(step.kind == "purged" for step in mine),
        filled=times_filled(steps, path),
        of_run=next((step.of_run or "" for step in mine if step.kind == "reused"), ""),
        lost=lost,
        made_good=made_good,
    )


def counted(steps: Sequence[Step], path: str) -> Sequence[Step]:
    """Give the steps that say what was done to a target: all, or those until it was found undone for good."""
    losses = [place for place, step in enumerate(steps) if step.kind == "lost" and step.target == path]
    each = (steps[:end] for end in (len(steps), *reversed(losses)))
    until_lost = steps[: losses[-1]] if losses else steps
    return next((some for some in each if times_filled(some, path)), until_lost)


def was_lost(stored: StoredRun) -> bool:
    """Tell whether a point was measured, or may have been, on what had been undone."""
    if any(cause.code in (LOST, UNSURE) for result in stored.results for cause in result.verdict.notes):
        return True
    steps = stored.conditioning
    lost = {step.target for step in steps if step.kind == "lost" and step.target and not step.of_run}
    return any(not since_lost(steps, path) for path in lost)


def rounds_of(plan: Plan, steps: Sequence[Step]) -> tuple[Rounds, ...]:
    """Give the rounds of a run; none where its plan has none."""
    planned = plan.conditioning.rounds if plan.conditioning else ()
    return tuple(_rounds(plan, one, steps) for one in planned)


def _done(steps: Sequence[Step], planned: PlannedRounds) -> tuple[Step, ...]:
    """Give the rounds that were done, or had been until they were found undone."""
    losses = [place for place, step in enumerate(steps) if step.kind == "lost"]
    each = (rounds_done(steps[:end], planned) for end in (len(steps), *reversed(losses)))
    return next((found for found in each if found), ())


def _rounds(plan: Plan, planned: PlannedRounds, steps: Sequence[Step]) -> Rounds:
    assert plan.conditioning
    rule = plan.conditioning.rule
    values = [tuple(load.rate_io_s for load in step.loads) for step in _done(steps, planned)]
    return Rounds(
        before=planned.before,
        profiles=tuple(load.profile for load in planned.loads),
        rounds=tuple(
            Round(number, rates, windows(values[:number], rule))
            for number, rates in enumerate(values, start=1)
        ),
        steady_after=attained_at(values, rule),
    )
