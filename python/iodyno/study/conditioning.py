"""``[conditioning]``: what is done to real targets before they are measured, as written and as planned."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Field

from iodyno.errors import Problem
from iodyno.plan import (
    PlannedConditioning,
    PlannedFill,
    PlannedRounds,
    Point,
    SteadyRule,
    Stopping,
    point_seed,
)
from iodyno.profiles import DRAWN_ALIGNMENT_BYTES, Record, Share
from iodyno.record import Flag, Number, Seconds
from iodyno.targets.record import Target

Shortcut = Literal["none", "fill", "fill-twice", "steady"]
"""What the command line can ask for in a word."""


def _listed(value: Any) -> Any:
    return value if isinstance(value, list | tuple) else [value]


class ConditioningOptions(Record):
    """``[conditioning]``: what is done to real targets before they are measured."""

    purge: Literal["none", "discard"] = "none"
    """``"discard"``: give back every block of a device first; under the same guards as writes."""
    fill: Annotated[int, Number, Field(ge=0, le=2)] = 2
    """How often each target is written in full, 0 to 2; a file that iodyno makes at least once."""
    over: Literal["target", "area"] = "target"
    """What is filled: the whole target, or from the first to the last byte that any point accesses."""
    rounds: Literal["none", "once", "each-profile"] = "none"
    """Rounds of load after filling: ``"once"``, of ``profiles``, before the first point; or before
    ``"each-profile"``, of its own load at the most outstanding I/Os."""
    profiles: Annotated[tuple[str, ...], BeforeValidator(_listed)] = ()
    """Where ``rounds`` is ``"once"``: the profiles that make a round, one after the other."""
    outstanding: Annotated[int, Number, Field(ge=1, le=4096)] = 32
    """Outstanding I/Os per target and worker of ``profiles``, 1 to 4096."""
    workers: Annotated[int, Number, Field(ge=1, le=1024)] = 1
    """Workers of ``profiles``, 1 to 1024."""
    round_s: Annotated[float, Seconds, Field(gt=0, le=86400)] = 60.0
    """Seconds of each load in a round, above 0 to 86400."""
    at_most: Annotated[int, Number, Field(ge=1, le=1000)] = 25
    """Most rounds, 1 to 1000; no steady state by then is a result too."""
    window: Annotated[int, Number, Field(ge=3, le=100)] = 5
    """Last rounds that the rule of the steady state looks at, 3 to 100."""
    range: Annotated[Share, Field(gt=0, lt=1)] = 0.2
    """Most that rounds of the window may differ, as a share of their mean."""
    excursion: Annotated[Share, Field(gt=0, lt=1)] = 0.1
    """Most that the line fitted to the window may move over it, as a share of the mean."""
    reuse: Flag = True
    """Take what an earlier run filled for done, where nothing has undone it."""

    @property
    def rule(self) -> SteadyRule:
        """The rule of the steady state."""
        return SteadyRule(
            at_most=self.at_most,
            window=self.window,
            range_share=self.range,
            excursion_share=self.excursion,
        )

    @property
    def writes(self) -> bool:
        """Whether purging or filling writes; rounds write where their profiles do."""
        return self.purge != "none" or self.fill > 0


SHORTCUTS: dict[str, ConditioningOptions | None] = {
    "none": None,
    "fill": ConditioningOptions(fill=1),
    "fill-twice": ConditioningOptions(fill=2),
    "steady": ConditioningOptions(fill=2, rounds="each-profile"),
}
"""What each word of ``--condition`` stands for."""


def plan_conditioning(
    options: ConditioningOptions, points: Sequence[Point], loads: Sequence[Point], targets: Sequence[Target]
) -> PlannedConditioning:
    """Decide what is done to the targets before the points.

    Parameters
    ----------
    options
        What the study says.
    points
        The points of the plan.
    loads
        The loads of ``profiles``, where rounds come once.
    targets
        The targets of the plan.
    """
    fills = (_fill(options, target, points) for target in targets)
    return PlannedConditioning(
        purge=options.purge,
        fills=tuple(fill for fill in fills if fill),
        rule=options.rule,
        rounds=tuple(_rounds(options, points, loads)),
        reuse=options.reuse,
    )


def purge_problems(options: ConditioningOptions, targets: Sequence[Target]) -> Iterator[Problem]:
    """Yield why a target cannot be purged: only devices can."""
    for target in targets:
        if options.purge == "discard" and target.kind != "device":
            what = f'is "discard", and {target.path} is a file: only a device can be discarded'
            yield Problem("conditioning.purge", what, 'write purge = "none", or name a device')


def _fill(options: ConditioningOptions, target: Target, points: Sequence[Point]) -> PlannedFill | None:
    unwritten = target.created or target.contents == "to_be_written"
    times = max(options.fill, 1 if unwritten else 0)
    if not times:
        return None
    start, end = 0, target.size_bytes
    if target.kind == "file":
        # No area reaches into the rest of a file that ends within a block, and direct I/O does not either.
        end = end // DRAWN_ALIGNMENT_BYTES * DRAWN_ALIGNMENT_BYTES
    if options.over == "area" and not unwritten:
        areas = [of for point in points for of in point.targets if of.path == target.path]
        start = min(of.area_start_bytes for of in areas) // DRAWN_ALIGNMENT_BYTES * DRAWN_ALIGNMENT_BYTES
        last = max(of.area_start_bytes + of.area_length_bytes for of in areas)
        end = min(end, -(-last // DRAWN_ALIGNMENT_BYTES) * DRAWN_ALIGNMENT_BYTES)
    return PlannedFill(path=target.path, start_bytes=start, length_bytes=end - start, times=times)


def _rounds(
    options: ConditioningOptions, points: Sequence[Point], loads: Sequence[Point]
) -> Iterator[PlannedRounds]:
    if options.rounds == "once":
        timed = tuple(_timed(options, load, place) for place, load in enumerate(loads))
        yield PlannedRounds(before=points[0].index, loads=timed)
    elif options.rounds == "each-profile":
        for _, group in itertools.groupby(points, key=_same_load):
            members = list(group)
            most = max(members, key=lambda point: point.outstanding_total)
            yield PlannedRounds(before=members[0].index, loads=(_timed(options, most, 0),))


def _same_load(point: Point) -> tuple[object, ...]:
    """What the points have in common that a profile's rounds prepare."""
    return point.profiles, tuple(target.path for target in point.targets)


def _timed(options: ConditioningOptions, point: Point, index: int) -> Point:
    """Make a load of fixed length of a point; loops that wait, however its loads arrive."""
    rule = point.stopping.model_copy(
        update={"warmup_s": 0.0, "floor_s": options.round_s, "cap_s": options.round_s}
    )
    assert isinstance(rule, Stopping)
    seed = point_seed(point.seed, "conditioning")
    beside = tuple(load.model_copy(update={"rate_io_s": None}) for load in point.beside)
    closed_loop = {"rate_io_s": None, "rate_from": None, "beside": beside}
    changes = {"index": index, "sweep": "conditioning", "stopping": rule, "seed": seed, **closed_loop}
    return point.model_copy(update=changes)
