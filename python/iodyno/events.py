"""What happens while a run is made, for whoever shows it: a live view, plain lines, JSON.

Libraries raise no output of their own; they call back with one of these.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Literal, TypeAlias

from pydantic import AfterValidator, NonNegativeFloat, NonNegativeInt, PositiveInt

from iodyno.conditioned import Step
from iodyno.plan import Point
from iodyno.profiles import Record
from iodyno.reading import PointResult


class RunStarted(Record):
    """A run begins, or goes on after a resume."""

    event: Literal["run_started"] = "run_started"
    run: str
    """Id of the run."""
    study: str
    """Name of the study."""
    points: NonNegativeInt
    """Points in the plan."""
    done: NonNegativeInt
    """Points that were finished before."""
    longest_s: NonNegativeFloat
    """Most seconds that the points still to do can take."""


class Filling(Record):
    """A target is being written in full, or purged."""

    event: Literal["filling"] = "filling"
    path: str
    """Path of the target."""
    done_bytes: NonNegativeInt
    """Bytes of this turn that are written."""
    total_bytes: NonNegativeInt
    """Bytes of a turn."""
    turn: NonNegativeInt = 1
    """Which time through it, from 1; 0 where it is purged."""
    turns: NonNegativeInt = 1
    """How often it is written."""


class RoundStarted(Record):
    """A load of a round of conditioning begins."""

    event: Literal["round_started"] = "round_started"
    before: NonNegativeInt
    """Index of the point that the rounds come before."""
    number: PositiveInt
    """Which round, from 1."""
    at_most: PositiveInt
    """Most rounds."""
    load: Point
    """The load, as a point."""
    place: NonNegativeInt
    """Which load of the round, from 0."""
    loads: PositiveInt
    """Loads of a round."""


class SeenWindow(Record):
    """What the rule of the steady state sees of a load in the last rounds."""

    mean_io_s: NonNegativeFloat
    """Mean rate of the rounds, in IO/s."""
    range_share: float | None
    """Greatest less smallest round, as a share of the mean; none where nothing completed."""
    slope_io_s: float
    """Slope of the fitted line in IO/s a round."""
    excursion_share: float | None
    """How far the fitted line moves over the window, as a share of the mean."""


class StepDone(Record):
    """A step of conditioning is done and kept, or was found undone."""

    event: Literal["step_done"] = "step_done"
    step: Step
    """The step, as the run keeps it."""
    windows: tuple[SeenWindow, ...] = ()
    """After a round: the last rounds of each load; empty while they are too few."""
    steady: bool | None = None
    """After a round: whether a steady state is attained."""


class Verifying(Record):
    """What a point has written is being read and compared."""

    event: Literal["verifying"] = "verifying"
    index: NonNegativeInt
    """Index of the point in the plan."""
    path: str
    """Path of the target."""
    done_bytes: NonNegativeInt
    """Bytes that are compared."""
    total_bytes: NonNegativeInt
    """Bytes to compare."""


class PointStarted(Record):
    """A point begins."""

    event: Literal["point_started"] = "point_started"
    point: Point
    """The point, as the plan has it."""


class Sample(Record):
    """How a point is going: the last 100 ms."""

    event: Literal["sample"] = "sample"
    index: NonNegativeInt
    """Index of the point in the plan."""
    phase: Literal["warmup", "measured", "conditioning"]
    """What the 100 ms belong to."""
    elapsed_s: Annotated[NonNegativeFloat, AfterValidator(lambda seconds: round(seconds, 9))]
    """Seconds since the point began, to the nanosecond."""
    rate_io_s: NonNegativeFloat
    """I/Os completed, in IO/s."""
    throughput_bytes_s: NonNegativeFloat
    """Bytes completed a second."""
    latency_mean_ns: NonNegativeFloat
    """Mean latency of the I/Os that completed."""
    p99_ns: NonNegativeInt
    """99th percentile of it."""
    half_width: float | None = None
    """Half-width of the interval so far, as a share of the mean."""
    response_mean_ns: float | None = None
    """Mean of intended start to completion; only in an open loop, as what follows."""
    response_p99_ns: int | None = None
    """99th percentile of it."""
    backlog: int | None = None
    """I/Os due but not issued, at the end of the window."""


class PointFinished(Record):
    """A point is done and kept."""

    event: Literal["point_finished"] = "point_finished"
    result: PointResult
    """Point, reading, observation and verdict, as an export has them."""


class RunFinished(Record):
    """The run ends."""

    event: Literal["run_finished"] = "run_finished"
    run: str
    """Id of the run."""
    status: Literal["finished", "interrupted", "failed"]
    """How it ends."""
    done: NonNegativeInt
    """Points that are finished."""


Event: TypeAlias = (
    RunStarted
    | Filling
    | RoundStarted
    | StepDone
    | PointStarted
    | Sample
    | Verifying
    | PointFinished
    | RunFinished
)
Listener: TypeAlias = Callable[[Event], None]
