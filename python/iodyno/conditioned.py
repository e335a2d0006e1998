"""What was done to targets before they were measured, step by step, as it is kept beside the readings."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Literal

from pydantic import NonNegativeFloat, NonNegativeInt

from iodyno.profiles import Record
from iodyno.reading import Cause, PointResult
from iodyno.targets.trace import Trace

StepKind = Literal["purged", "filled", "round", "reused", "lost"]


class RoundLoad(Record):
    """What a load of a round came to."""

    profile: str
    """Name of the load profile."""
    rate_io_s: NonNegativeFloat
    """I/Os completed ÷ seconds of the round."""
    errors: NonNegativeInt = 0
    """I/Os that failed or came back short."""


class Step(Record):
    """One thing that was done, or that was found to have undone what was."""

    kind: StepKind
    """``reused``: what was written before still holds, by an earlier run, or by this one until it went on;
    ``lost``: something undid what was done before."""
    started_at: str
    """UTC, ISO 8601."""
    finished_at: str
    target: str | None = None
    """Path of the target; none for a round, which loads all targets of its loads."""
    turn: NonNegativeInt = 0
    """Which time through the target, or which round, from 1; of ``reused`` how often it had been filled."""
    before: NonNegativeInt | None = None
    """Index of the point that a round comes before; of ``lost``, and of ``reused`` by this run, of the point
    before which it was seen, or the number of points where that was after the last."""
    since: NonNegativeInt | None = None
    """Of ``lost`` that samples alone show: index of the first point that may have been measured on what was
    undone. None: looks at each point tell, and its note stands at the points that it concerns."""
    written_bytes: NonNegativeInt = 0
    """Bytes written."""
    loads: tuple[RoundLoad, ...] = ()
    """Of a round: what each load came to."""
    reasons: tuple[Cause, ...] = ()
    """Of ``lost``: what was seen. See :data:`LOSSES`."""
    of_run: str | None = None
    """Of ``reused``: the run that did it; none: this one."""
    traces: tuple[Trace, ...] = ()
    """What the targets showed at the end of the step."""


LOSSES: dict[str, str] = {
    "exchanged": "another file or device is there",
    "holes": "the file has holes, or space that was never written",
    "discarded": "blocks of the device were discarded",
    "zeros": "zeros are where data was written: a discard or a format",
    "deallocated": "the drive says that fewer blocks are in use: a discard or a format",
    "unseen": "it could not be looked at",
}
"""How conditioning can be lost, by code."""

IN_SAMPLES = frozenset({"zeros"})
"""Losses that samples alone show: they are looked at before the first point and after the last."""

LOST, UNSURE = "conditioning_lost", "conditioning_unsure"
"""What a point's verdict notes: it was measured on what had been undone, or may have been."""


def since_lost(steps: Sequence[Step], target: str) -> tuple[Step, ...]:
    """Give the steps of a target, rounds among them, that came after it was last found undone."""
    mine = [
        step
        for step in steps
        if step.target == target
        or (step.kind == "round" and any(trace.path == target for trace in step.traces))
    ]
    last = max((place for place, step in enumerate(mine) if step.kind == "lost"), default=-1)
    return tuple(mine[last + 1 :])


def with_losses(results: Iterable[PointResult], steps: Sequence[Step]) -> tuple[PointResult, ...]:
    """Note at the points since the last look that showed it whole that their conditioning may have been lost.

    What samples show after the last point may have been so before any of them; by then they are kept.
    """
    lost = [step for step in steps if step.kind == "lost" and step.since is not None]
    return tuple(_noted(result) if _concerned(result, lost) else result for result in results)


def _concerned(result: PointResult, lost: Sequence[Step]) -> bool:
    if any(cause.code in (LOST, UNSURE) for cause in result.verdict.notes):
        return False
    paths, index = {target.path for target in result.point.targets}, result.point.index
    return any(step.target in paths and (step.since or 0) <= index < (step.before or 0) for step in lost)


def _noted(result: PointResult) -> PointResult:
    notes = (*result.verdict.notes, Cause(code=UNSURE))
    return result.model_copy(update={"verdict": result.verdict.model_copy(update={"notes": notes})})


def times_filled(steps: Sequence[Step], target: str) -> int:
    """Say how often a target was written in full since it was last found undone, earlier runs included."""
    return max(
        (step.turn for step in since_lost(steps, target) if step.kind in ("filled", "reused")), default=0
    )
