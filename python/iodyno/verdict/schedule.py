"""Whether an open loop had the rate asked for, and whether its queue grew."""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import pairwise

from iodyno.plan import Point
from iodyno.reading import Cause, Reading, Series
from iodyno.student import student
from iodyno.verdict import limits

_SECTIONS = 20
"""Sections that a measured part is looked at in, at the most: those of the growth of a queue."""


def schedule(point: Point, reading: Reading) -> Iterator[Cause]:
    """Compare the rate had with the rate asked for, by what is missing and by whether the queue grew.

    Work is conserved: what came due in the measured part and was not done in it has made the queue longer,
    the I/Os due or under way. So what is missing, or was left over, is held against what chance does to
    the queue, and a queue does not grow by chance all the while. Where the rate was had, a target that
    becomes slower shows in response times alone.
    """
    if point.rate_io_s is None or reading.measured_s <= 0:
        return
    asked, opened = point.rate_io_s * reading.measured_s, reading.open_loop
    allowed = limits.OVERLOAD_SHARE * asked + _chance(point, reading, asked)
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
        growth = opened.growth.rate_io_s if opened.growth and opened.growth.proven else 0.0
        moved = opened.response_movement
        if abs(growth) > limits.OVERLOAD_SHARE * point.rate_io_s:
            code = "queue_grew" if growth > 0 else "queue_shrank"
            yield Cause(code=code, values=values | {"growth_io_s": abs(growth)})
        elif moved and moved.drifting:
            yield Cause(code="response_drift", values={"drift": moved.drift, "range": moved.range})


def _chance(point: Point, reading: Reading, asked: float) -> float:
    """Give the I/Os by which chance alone moves a queue from one end of the measured part to the other.

    Arrivals by chance scatter by the root of their number. At fixed distances only the target scatters: a
    disk that seeks has other latencies each time. At the rate that can just be served a queue wanders then
    as a random walk (Kingman 1962), below it by less, and the steps that it took tell how far; by no more
    than if services scattered as arrivals by chance do.
    """
    most = limits.SIGMAS * math.sqrt(asked)
    if point.arrival == "poisson":
        return most
    return 1.0 + min(most, _wandered(reading.series))


def _wandered(series: Series) -> float:
    """Give how far a walk with the steps of the queue comes by chance over the measured part, in I/Os; no end
    where there are too few steps to tell."""
    both = zip(series.backlog, series.under_way, strict=False)
    queue = [due + issued for due, issued in both][series.measured_from :]
    each = max(1, math.ceil(len(queue) / _SECTIONS))
    levels = queue[each - 1 :: each]
    steps = [after - before for before, after in pairwise(levels)]
    if len(steps) < limits.FEWEST_STEPS:
        return math.inf
    mean = sum(steps) / len(steps)
    variance = sum((step - mean) ** 2 for step in steps) / (len(steps) - 1)
    whole = len(queue) / each  # steps of the whole part, with the one before the first level
    return student(limits.WALK_CONFIDENCE, len(steps) - 1) * math.sqrt(whole * variance)
