"""A stream over the strips of an array: consecutive accesses within a strip meet on its drive.

The formulas spread accesses evenly over all drives. One stream of accesses that are smaller than a strip has
several in a row on one drive, and with few outstanding it waits for that drive while others are idle. Where
all is even, every access follows from those before it, and the rate is reckoned access by access.
"""

from __future__ import annotations

import heapq
import math
from collections.abc import Callable, Sequence

from iodyno.plan import Point
from iodyno.prediction.accesses import Load, loads
from iodyno.prediction.mirrors import array_of, stations_of
from iodyno.prediction.network import BuiltNetwork
from iodyno.prediction.raid import ArrayMap
from iodyno.prediction.records import Solver
from iodyno.virtual import Array, OnLogical, SsdModel, VirtualSystem, Volume

ROUNDS, FEWEST, MOST = 6, 400, 10_000
"""Times that a stream goes over all drives, and accesses, at least and at most: in the first third of them it
comes into step."""


def waits_s(point: Point, system: VirtualSystem, build: Callable[[], BuiltNetwork], solve: Solver) -> float:
    """Give what an access waits on average for those before it on its drive, beside others that are idle.

    Parameters
    ----------
    point
        The point.
    system
        The system.
    build
        What makes its network.
    solve
        What solves networks.

    Returns
    -------
    float
        Time in s; 0 where accesses are no stream, or other stations limit it more.
    """
    volumes = {volume.name: volume for volume in system.volumes}
    (path, load), *others = loads(point)
    array = array_of(system, volumes[path])
    if others or array is None or _cached(system, volumes[path], load):
        return 0.0
    if not _meet(point, system, array, load) or not (built := build()).network.regular:
        return 0.0
    alone, there = solve(built.network, sorted({1, load.outstanding}))
    # What is written lies in the buffer of a drive, which works it off behind the back of accesses.
    behind = [load.classes[0].write and not station.passes for station in built.network.stations]
    drives = [frozenset(stations_of(system, drive)) for drive in array.drives]
    own = max(
        station.utilisation * sum(len(keys & of) > 0 for of in drives)
        for station, keys, left in zip(alone.stations, built.keys, behind, strict=True)
        if not left
    )
    served_s = own * alone.residence_s / ArrayMap(array, load).copies
    order = _order(array, load)
    rate_s = stream_rate_s(order, load.outstanding, served_s, alone.residence_s - served_s)
    return load.outstanding / rate_s - there.residence_s if rate_s < there.rate_s else 0.0


def _cached(system: VirtualSystem, volume: Volume, load: Load) -> bool:
    """Tell whether a controller fetches ahead of the stream, or gathers what it writes."""
    on = volume.on
    if not isinstance(on, OnLogical):
        return False
    logical = system.controllers[on.controller].logicals[on.logical]
    return logical.read_ahead if load.read_share else logical.write_back


def _meet(point: Point, system: VirtualSystem, array: Array, load: Load) -> bool:
    """Tell whether it is one stream of equal accesses within strips that goes to the drives as it is."""
    mapping = ArrayMap(array, load)
    access, *others = load.classes
    drives = [system.drives[drive] for drive in array.drives]
    if (
        others
        or access.bytes >= array.strip_bytes
        or not all(isinstance(one.model, SsdModel) for one in drives)
    ):
        return False
    if array.level == "1E" or array.failed or (mapping.parity if access.write else mapping.copies > 1):
        return False
    several = load.outstanding > 1 and point.workers == 1 and len(drives) > 1
    return several and not point.profile.think_time_us and not load.random_share and mapping.fits(access)


def _order(array: Array, load: Load) -> list[int]:
    """Give the members that accesses of a stream go to, one after the other, until all begins again."""
    shape, (access,) = ArrayMap(array, load).shape, load.classes
    strips = [
        shape.member(row, at)
        for row in range(shape.groups * (shape.width if shape.parity else 1))
        for at in range(shape.data)
    ]
    return [member for member in strips for _ in range(array.strip_bytes // access.bytes)]


def stream_rate_s(order: Sequence[int], outstanding: int, served_s: float, else_s: float) -> float:
    """Give the rate of accesses that go to drives in an order, each begun where another ends.

    Parameters
    ----------
    order
        Drives, again from the first after the last.
    outstanding
        Accesses under way at a time.
    served_s
        For how long an access occupies its drive, in s.
    else_s
        What else it takes, in s.

    Examples
    --------
    One at a time waits for nobody, and two that go to two drives in turn keep both busy.

    >>> round(stream_rate_s([0, 0, 1, 1], 1, 1.0, 1.0), 3), round(stream_rate_s([0, 1], 2, 1.0, 0.0), 3)
    (0.5, 2.0)
    """
    count = max(min(ROUNDS * len(order), MOST), FEWEST, 3 * outstanding)
    free, ends, begun = dict.fromkeys(order, 0.0), [0.0] * outstanding, [0.0] * count
    for at in range(count):
        begun[at] = heapq.heappop(ends)
        drive = order[at % len(order)]
        free[drive] = max(begun[at], free[drive]) + served_s
        heapq.heappush(ends, free[drive] + else_s)
    before = count // 3
    return (count - 1 - before) / (begun[-1] - begun[before]) if begun[-1] > begun[before] else math.inf
