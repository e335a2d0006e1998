"""Simulations with very many I/Os in flight: told before they begin, or refused: memory may not hold them."""

from __future__ import annotations

import time
from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from iodyno.plan import Plan, Point

SOON_S = 10.0
"""How long people keep their attention on what gives no sign of life (J. Nielsen, *Usability Engineering*,
1993, section 5.5)."""


def tell_of_lengthy(
    plan: Plan,
    done: Collection[int],
    jobs: int | None,
    *,
    quiet: bool,
    instead: str = "--analytic calculates it at once",
) -> None:
    """Say of points that are long by their many outstanding I/Os, or for their disks, how long that is.

    That is said before they begin.

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
    from iodyno.cli.lasting import tell_of_lasting
    from iodyno.in_flight import dwelling, refuse_without_memory

    refuse_without_memory(plan, jobs, done)
    left = dwelling(plan, done)
    if left and not quiet:
        _say_how_long(left, plan, jobs, instead)
    if not quiet:
        tell_of_lasting(plan, done, jobs)


def _least(point: Point, plan: Plan) -> int:
    """Give the I/Os that a point simulates at the least."""
    from iodyno.analysis.lengths import counted

    counts = counted(point, plan.systems)
    return counts.warmup + counts.floor


def _say_how_long(points: Sequence[Point], plan: Plan, jobs: int | None, instead: str) -> None:
    from iodyno import bench
    from iodyno.analysis.lengths import closed_outstanding
    from iodyno.cli.ending import say
    from iodyno.cli.pace import clock_text
    from iodyno.cli.wording import points_text
    from iodyno.in_flight import fewer, least_bytes
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
    memory = short_size(max(map(least_bytes, points)))
    every = ""
    if len(points) > 1:
        every_ios = sum(_least(point, plan) for point in points)
        at_once = min(jobs or bench.processors(), len(points))
        all_s = max(took_s, every_ios / pace_io_s / at_once)
        every = f"; all of them simulate {every_ios:,}, about {clock_text(all_s)}{at_a_time(at_once)}"
    what = (
        f"{points_text(len(points))} {keep} {flight:,} I/Os in flight: {each} {ios:,} at the least, which "
        f"takes about {clock_text(took_s)} here, and {memory} of memory, or more{every}"
    )
    alone = not any(point.beside for point in points)
    say("note", what, f"{fewer(longest)}; {instead}" if alone else fewer(longest))


def at_a_time(points: int) -> str:
    """Say how many points are simulated at a time; nothing of one."""
    return f" with {points} at a time" if points > 1 else ""


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
