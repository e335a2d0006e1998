"""What simulated points with very many I/Os in flight take of memory, and the refusal of what it cannot hold.

A closed loop keeps its outstanding I/Os in flight; an open loop may have as many.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING

from iodyno.analysis.lengths import OPEN_ROUNDS, ROUNDS, asked, closed_outstanding
from iodyno.errors import ProfileError
from iodyno.units import short_size

if TYPE_CHECKING:
    from iodyno.plan import Plan, Point

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


def dwelling(plan: Plan, done: Collection[int] = ()) -> list[Point]:
    """Give the points whose outstanding I/Os make them longer than all that their rule allows.

    Parameters
    ----------
    plan
        A plan of virtual targets.
    done
        Indices of the points that are finished already: they are left out.
    """
    return [point for point in plan.points if point.index not in done and _dwells(point)]


def _dwells(point: Point) -> bool:
    rule, closed = asked(point), closed_outstanding(point)
    rounds = ROUNDS * closed + OPEN_ROUNDS * (point.outstanding_total - closed)
    return max(rule.warmup, rounds) + max(rule.floor, ROUNDS * closed) > rule.warmup + rule.cap


def least_bytes(point: Point) -> int:
    """Give the memory that a point takes at the least, in bytes."""
    closed = closed_outstanding(point)
    return closed * LEAST_BYTES + (point.outstanding_total - closed) * SLOT_BYTES


def fewer(point: Point) -> str:
    """Say why fewer I/Os in flight show the same."""
    return _FEW if closed_outstanding(point) else _FEW_OPEN


def refuse_without_memory(plan: Plan, jobs: int | None, done: Collection[int] = ()) -> None:
    """Refuse points that take more memory at a time than is available, in the words of the command line.

    Parameters
    ----------
    plan
        A plan of virtual targets.
    jobs
        Points at a time; as many as there are processors where left out.
    done
        Indices of the points that are finished already.

    Raises
    ------
    ProfileError
        If the memory that is available does not hold what is in flight at the least. Where it is not known
        how much that is, nothing is refused.
    """
    from iodyno import bench

    points = sorted(dwelling(plan, done), key=least_bytes, reverse=True)
    if not points:
        return
    at_once = points[: jobs or bench.processors()]
    least, available = sum(map(least_bytes, at_once)), bench.available_memory()
    if available is None or least <= available:
        return
    alone = least_bytes(at_once[0]) <= available
    flight = sum(point.outstanding_total for point in at_once)
    when = f"{len(at_once)} points at a time" if len(at_once) > 1 else "one point"
    what = (
        f"{flight:,} in flight, {when}, take {short_size(least)} of memory or more, and "
        f"{short_size(available)} is available"
    )
    few = fewer(at_once[0])
    raise ProfileError.of("outstanding I/Os", what, f"take --jobs 1, or {few}" if alone else few)
