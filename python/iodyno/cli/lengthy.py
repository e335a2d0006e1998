"""Simulations with very many I/Os in flight: told before they begin, or refused: memory may not hold them.

A closed loop keeps its outstanding I/Os in flight; an open loop may have as many.
"""

from __future__ import annotations

import time
from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from iodyno.plan import Plan, Point

SOON_S = 10.0
"""How long people keep their attention on what gives no sign of life (J. Nielsen, *Usability Engineering*,
1993, section 5.5)."""
LEAST_BYTES = 400
"""What an I/O in flight takes in the simulator at the least, in bytes: its record, its place in a queue and
its event. A test holds it against the memory of the process; arrays take twice as much."""
SLOT_BYTES = 128
"""What an I/O that an open loop may have in flight takes at the least, in bytes, in flight or not: its place.
A test holds it against the memory of the process."""
_FEW = (
    "fewer --workers or --outstanding show the same: with more in flight than saturate a target its rate "
    "stays, and each I/O only waits longer"
)
_FEW_OPEN = (
    "fewer --workers or --outstanding show the same as long as they are enough: in an open loop they are "
    "only the most that may be in flight"
)


def tell_of_lengthy(
    plan: Plan,
    done: Collection[int],
    jobs: int | None,
    *,
    quiet: bool,
    instead: str = "--analytic calculates it at once",
) -> None:
    """Say of points whose many outstanding I/Os make them long how long that is, before they begin.

    A closed loop is simulated for :data:`iodyno.analysis.lengths.ROUNDS` rounds before anything counts and as
    many that do, each of all outstanding I/Os: so they take a time, and a memory, that grows with these.

    Parameters
    ----------
    plan
        A plan of virtual targets.
    done
        Indices of the points that are finished already.
    jobs
        Points at a time; as many as there are processors where left out.
    quiet
        Whether nothing is said unless it is refused.
    instead
        What answers sooner; formulas know one load at a time only.

    Raises
    ------
    ProfileError
        If the memory that is available does not hold what is in flight at the least.
    """
    left = [point for point in plan.points if point.index not in done and _dwells(point)]
    if not left:
        return
    _refuse_without_memory(left, jobs)
    if not quiet:
        _say_how_long(left, plan, jobs, instead)


def _dwells(point: Point) -> bool:
    """Tell whether the rounds of a point are longer than all that its rule allows."""
    from iodyno.analysis.lengths import OPEN_ROUNDS, ROUNDS, asked, closed_outstanding

    rule, closed = asked(point), closed_outstanding(point)
    rounds = ROUNDS * closed + OPEN_ROUNDS * (point.outstanding_total - closed)
    return max(rule.warmup, rounds) + max(rule.floor, ROUNDS * closed) > rule.warmup + rule.cap


def _least(point: Point, plan: Plan) -> int:
    """Give the I/Os that a point simulates at the least."""
    from iodyno.analysis.lengths import counted

    counts = counted(point, plan.systems)
    return counts.warmup + counts.floor


def _least_bytes(point: Point) -> int:
    """Give the memory that a point takes at the least."""
    from iodyno.analysis.lengths import closed_outstanding

    closed = closed_outstanding(point)
    return closed * LEAST_BYTES + (point.outstanding_total - closed) * SLOT_BYTES


def _fewer(point: Point) -> str:
    """Say why fewer I/Os in flight show the same."""
    from iodyno.analysis.lengths import closed_outstanding

    return _FEW if closed_outstanding(point) else _FEW_OPEN


def _refuse_without_memory(points: Sequence[Point], jobs: int | None) -> None:
    from iodyno import bench
    from iodyno.errors import ProfileError
    from iodyno.units import short_size

    available = bench.available_memory()
    at_once = sorted(points, key=_least_bytes, reverse=True)[: jobs or bench.processors()]
    least = sum(map(_least_bytes, at_once))
    if available is None or least <= available:
        return
    alone = _least_bytes(at_once[0]) <= available
    flight = sum(point.outstanding_total for point in at_once)
    when = f"{len(at_once)} points at a time" if len(at_once) > 1 else "one point"
    what = (
        f"{flight:,} in flight, {when}, take {short_size(least)} of memory or more, and "
        f"{short_size(available)} is available"
    )
    fewer = _fewer(at_once[0])
    raise ProfileError.of("outstanding I/Os", what, f"take --jobs 1, or {fewer}" if alone else fewer)


def _say_how_long(points: Sequence[Point], plan: Plan, jobs: int | None, instead: str) -> None:
    from iodyno import bench
    from iodyno.analysis.lengths import closed_outstanding
    from iodyno.cli.ending import say
    from iodyno.cli.pace import clock_text
    from iodyno.cli.wording import points_text
    from iodyno.units import short_size

    longest = max(points, key=lambda point: _least(point, plan))
    ios = _least(longest, plan)
    pace_io_s = trial_io_s(longest, plan)
    took_s = ios / pace_io_s
    if took_s < SOON_S:
        return
    flight = max(point.outstanding_total for point in points)
    closed = all(closed_outstanding(point) == point.outstanding_total for point in points)
    keep = ("keep up to" if len(points) > 1 else "keeps") if closed else "may have up to"
    each = "the longest of them simulates" if len(points) > 1 else "it simulates"
    memory = short_size(max(map(_least_bytes, points)))
    every = ""
    if len(points) > 1:
        every_ios = sum(_least(point, plan) for point in points)
        at_once = min(jobs or bench.processors(), len(points))
        all_s = max(took_s, every_ios / pace_io_s / at_once)
        every = f"; all of them simulate {every_ios:,}, about {clock_text(all_s)}"
        every += f" with {at_once} at a time" if at_once > 1 else ""
    what = (
        f"{points_text(len(points))} {keep} {flight:,} I/Os in flight: {each} {ios:,} at the least, which "
        f"takes about {clock_text(took_s)} here, and {memory} of memory, or more{every}"
    )
    alone = not any(point.beside for point in points)
    say("note", what, f"{_fewer(longest)}; {instead}" if alone else _fewer(longest))


def trial_io_s(point: Point, plan: Plan) -> float:
    """Give how many I/Os of a point are simulated in a second here, by a trial with one of each worker.

    With more in flight it is slower: what follows from the trial is the least.
    """
    from iodyno import bench
    from iodyno.analysis.lengths import counted

    one = {"outstanding": 1, "rate_io_s": None}  # of an open loop each I/O costs as much, whatever the rate
    beside = tuple(load.model_copy(update=one) for load in point.beside)
    few = {"warmup_ios": 0, "floor_ios": 1000, "cap_ios": 1000}
    rule = point.stopping.model_copy(update=few)
    trial = point.model_copy(update=one | {"rate_from": None, "beside": beside, "stopping": rule})
    assert trial.system is not None, "a point of a real target"
    began = time.perf_counter()
    reading = bench.simulate_point(trial, plan.systems[trial.system])
    simulated = counted(trial, plan.systems).warmup + reading.completed
    return simulated / (time.perf_counter() - began)
