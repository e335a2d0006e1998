"""Whether an open loop had the rate asked for, and whether its queue grew."""

from __future__ import annotations

import math
from collections.abc import Iterator

from iodyno.plan import Point
from iodyno.reading import Cause, Growth, Reading
from iodyno.verdict import limits


def schedule(point: Point, reading: Reading) -> Iterator[Cause]:
    """Compare the rate had with the rate asked for, by what is missing and by whether the queue grew.

    Work is conserved: what came due in the measured part and was not done in it has made the queue longer,
    the I/Os due or under way. By chance a queue is longer at one end than at the other; it does not grow
    all the while. Where the rate was had, a target that becomes slower shows in response times alone; and a
    cache that answers writes fills where drives do not keep up, or until they do: a longer point tells which.
    """
    if point.rate_io_s is None or reading.measured_s <= 0:
        return
    asked, opened = point.rate_io_s * reading.measured_s, reading.open_loop
    allowed = missing_allowed(point, asked)
    values = {"rate_io_s": reading.transaction_rate_io_s, "asked_io_s": point.rate_io_s}
    backlog = opened.backlog_end if opened else 0
    # What failed is no work that was left over.
    failed = sum(error.count for access in reading.accesses for error in access.errors)
    if asked - reading.completed - failed > allowed or backlog > allowed:
        grown = backlog - (opened.backlog_start if opened else 0)
        growth = grown / reading.measured_s if abs(grown) > allowed else 0.0
        seconds = backlog / point.rate_io_s
        found = {"backlog": backlog, "backlog_s": seconds, "growth_io_s": growth}
        yield Cause(code="overload", values=values | found)
    elif reading.completed - asked > allowed:
        yield Cause(code="catching_up", values=values)
    elif opened:
        growth, filling = (_proven(found) for found in (opened.growth, opened.growth_with_dirty))
        moved, least = opened.response_movement, limits.OVERLOAD_SHARE * point.rate_io_s
        if abs(growth) > least:
            code = "queue_grew" if growth > 0 else "queue_shrank"
            yield Cause(code=code, values=values | {"growth_io_s": abs(growth)})
        elif filling > least:
            found = {"growth_io_s": filling, "done_io_s": max(0.0, point.rate_io_s - filling)}
            yield Cause(code="cache_fills", values=values | found)
        elif moved and moved.drifting:
            yield Cause(code="response_drift", values={"drift": moved.drift, "range": moved.range})


def _proven(growth: Growth | None) -> float:
    """Give a growth that chance does not explain, in I/Os a second; else none."""
    return growth.rate_io_s if growth and growth.proven else 0.0


def missing_allowed(point: Point, asked: float) -> float:
    """Give the I/Os of those asked for that may be missing where a rate is served."""
    return limits.OVERLOAD_SHARE * asked + _chance(point, asked)


def _chance(point: Point, asked: float) -> float:
    """Give the I/Os by which chance alone moves what is done in the measured part.

    Arrivals by chance scatter by the root of their number. At fixed distances only the services scatter, of
    a disk that seeks by about half of their mean: by no more than the root, once, if they are no less
    regular than arrivals by chance are.
    """
    root = math.sqrt(asked)
    return limits.SIGMAS * root if point.arrival == "poisson" else 1.0 + root
