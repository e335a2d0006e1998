"""How much the rate of streams on disks hangs on where they begin.

Streams in order leave little to chance: which of them come late, and for how long the head stays with one,
can repeat itself for ever. There may be several such courses, with rates far from each other, and into which
of them a load comes is decided by its first accesses. Reckoned from other beginnings it comes into others.
"""

from __future__ import annotations

import math

from iodyno.plan import Point
from iodyno.prediction.network import build
from iodyno.prediction.records import DiskStreams, Solver
from iodyno.virtual import HddModel, VirtualSystem

BEGINNINGS = 4
"""Beginnings that are reckoned, the one that is asked for among them."""
FURTHER = 64
"""Accesses by which a stream begins further on than it is asked to, at the most."""
_GOLDEN = (math.sqrt(5) - 1) / 2


def spread(point: Point, system: VirtualSystem, solve: Solver) -> float:
    """Give by how much the fastest of several beginnings is faster than the slowest, as a share.

    Parameters
    ----------
    point
        The point. Its targets are volumes of the system.
    system
        The system.
    solve
        What solves networks.

    Returns
    -------
    float
        0 where no streams on a disk are reckoned; 0.5 where one beginning has half as much again as another.
    """
    disks = any(isinstance(slot.model, HddModel) for slot in system.drives)
    if len(point.targets) > 1 or point.profile.random_share or not disks:
        return 0.0  # no need to look for them
    network = build(point, system).network
    if not any(station.streams for station in network.stations):
        return 0.0
    rates = []
    for number in range(BEGINNINGS):
        stations = tuple(
            station.model_copy(update={"streams": begun(station.streams, number)})
            if station.streams
            else station
            for station in network.stations
        )
        moved = network.model_copy(update={"stations": stations})
        rates.append(solve(moved, [point.outstanding_total])[0].rate_s)
    return max(rates) / min(rates) - 1


def begun(streams: DiskStreams, number: int) -> DiskStreams:
    """Give streams that begin elsewhere: up to so many accesses further on, each its own way.

    The first beginning is theirs. The steps are those of the golden ratio, which come everywhere alike.
    """
    if not number:
        return streams
    steps = (int((at * BEGINNINGS + number) * _GOLDEN % 1 * FURTHER) for at in range(len(streams.starts)))
    last = streams.disk.capacity_bytes - streams.bytes
    moved = sorted(
        min(start + step * streams.bytes, max(last, start))
        for start, step in zip(streams.starts, steps, strict=True)
    )
    return streams.model_copy(update={"starts": tuple(moved)})
