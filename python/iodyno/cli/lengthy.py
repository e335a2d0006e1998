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
LEAST_BYTES = 400
"""What an I/O in flight takes in the simulator at the least, in bytes: its record, its place in a queue and
its event. A test holds it against the memory of the process; arrays take twice as much."""
_FEW = (
    "fewer --workers or --outstanding show the same: with more in flight than saturate a target its rate "
    "stays, and each I/O only waits longer"
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
    left = [point for point in plan.points if point.index not in done and _dwells(point, plan)]
    if not left:
        return
    _refuse_without_memory(left, jobs)
    if not quiet:
        _say_how_long(left, plan, instead)


def _dwells(point: Point, plan: Plan) -> bool:
    """Tell whether the rounds of a closed loop are longer than all that the rule of its point allows."""
    from iodyno.analysis.lengths import asked, closed_outstanding

    rule, closed = asked(point), closed_outstanding(point) == point.outstanding_total
    return closed and _least(point, plan) > rule.warmup + rule.cap


def _least(point: Point, plan: Plan) -> int:
    """Give the I/Os that a point simulates at the least."""
    from iodyno.analysis.lengths import counted

    counts = counted(point, plan.systems)
    return counts.warmup + counts.floor


def _refuse_without_memory(points: Sequence[Point], jobs: int | None) -> None:
    from iodyno import bench
    from iodyno.errors import ProfileError
    from iodyno.units import short_size

    available = bench.available_memory()
    flights = sorted((point.outstanding_total for point in points), reverse=True)
    at_once = flights[: jobs or bench.processors()]
    if available is None or sum(at_once) * LEAST_BYTES <= available:
        return
    alone = flights[0] * LEAST_BYTES <= available
    needed = f"{short_size(sum(at_once) * LEAST_BYTES)} of memory or more"
    when = f"{len(at_once)} points at a time" if len(at_once) > 1 else "one point"
    what = f"{sum(at_once):,} in flight, {when}, take {needed}, and {short_size(available)} is available"
    raise ProfileError.of("outstanding I/Os", what, f"take --jobs 1, or {_FEW}" if alone else _FEW)


def _say_how_long(points: Sequence[Point], plan: Plan, instead: str) -> None:
    from iodyno.cli.ending import say
    from iodyno.cli.pace import clock_text
    from iodyno.cli.wording import points_text
    from iodyno.units import short_size

    longest = max(points, key=lambda point: _least(point, plan))
    ios, flight = _least(longest, plan), longest.outstanding_total
    took_s = ios / trial_io_s(longest, plan)
    if took_s < SOON_S:
        return
    several = f"{points_text(len(points))} keep up to" if len(points) > 1 else "1 point keeps"
    each = "the longest of them simulates" if len(points) > 1 else "it simulates"
    what = (
        f"{several} {flight:,} I/Os in flight: {each} {ios:,} at the least, which takes about "
        f"{clock_text(took_s)} here, and {short_size(flight * LEAST_BYTES)} of memory, or more"
    )
    alone = not any(point.beside for point in points)
    say("note", what, f"{_FEW}; {instead}" if alone else _FEW)


def trial_io_s(point: Point, plan: Plan) -> float:
    """Give how many I/Os of a point are simulated in a second here, by a trial with one of each worker.

    With more in flight it is slower: what follows from the trial is the least.
    """
    from iodyno import bench
    from iodyno.analysis.lengths import counted

    beside = tuple(load.model_copy(update={"outstanding": 1}) for load in point.beside)
    few = {"warmup_ios": 0, "floor_ios": 1000, "cap_ios": 1000}
    rule = point.stopping.model_copy(update=few)
    trial = point.model_copy(update={"outstanding": 1, "beside": beside, "stopping": rule})
    assert trial.system is not None, "a point of a real target"
    began = time.perf_counter()
    reading = bench.simulate_point(trial, plan.systems[trial.system])
    simulated = counted(trial, plan.systems).warmup + reading.completed
    return simulated / (time.perf_counter() - began)
