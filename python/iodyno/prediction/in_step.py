"""A stream on hard disks that nothing buffers: each access that comes too late waits for a revolution.

Such a load leaves nothing to chance. Which access comes late, and how many with it, follows from the way that
each has behind the one that it replaces; so it is reckoned access by access.
"""

from __future__ import annotations

import heapq
import math
from dataclasses import dataclass
from functools import lru_cache

from iodyno.prediction.demands import Demands

MECHANICS = "mechanics"
"""What keys of demands for the mechanics of drives begin with."""
_LEAST, _EACH, _MOST = 400, 30, 4000
"""Accesses that are reckoned, at the least, for each outstanding one, and at the most."""
LOST = 0.99
"""Share of the rate without lost revolutions below which some are lost."""


@dataclass(frozen=True)
class Way:
    """What an access goes through beside the medium, in s."""

    total_s: float
    shared_s: float
    """Of that, the slowest server that all accesses pass, one after the other."""
    own_s: float
    """The slowest that each drive has for itself."""
    behind_s: float = 0.0
    """What goes on behind the back of accesses, one operation after the other."""


def way_of(demands: Demands) -> Way:
    """Give the way of an access, from what is asked of all stations but the mechanics."""
    others = [
        one
        for key, one in demands.by_station.items()
        if one.visits and not (isinstance(key, tuple) and key[0] == MECHANICS)
    ]
    served = [one for one in others if one.law != "delay"]
    shared = (one.service_s / one.copies for one in served if one.visits > 1 - 1e-9)
    own = (one.service_s / one.visits for one in served if one.visits <= 1 - 1e-9)
    total = sum(one.service_s / one.visits * one.passes for one in others)
    # Of equal ones of several drives one is on the way.
    hidden = {one.key(): one.service_s / one.visits for one in others if not one.passes}
    return Way(total, max(shared, default=0.0), max(own, default=0.0), sum(hidden.values()))


@lru_cache(maxsize=1024)
def rate_s(
    way: Way, *, outstanding: int, transfer_s: float, revolution_s: float, drives: int = 1, run: int = 1
) -> float | None:
    """Give the rate of a stream, or nothing where it loses no revolutions.

    Parameters
    ----------
    way
        What an access goes through before and after the medium.
    outstanding
        Accesses outstanding, which follow each other on the medium.
    transfer_s
        How long one takes to pass the head.
    revolution_s
        How long the head waits for one that has passed.
    drives
        Drives that have their turn, one after the other.
    run
        Accesses of a turn.

    Returns
    -------
    float or None
        Accesses a second.
    """
    shared, own, end = 0.0, [0.0] * drives, [-1.0] * drives
    rest = way.total_s - way.shared_s - way.own_s
    back = [0.0] * outstanding
    every = min(_LEAST + _EACH * outstanding, _MOST)
    first = latest = None
    for number in range(every):
        drive = number // run % drives
        shared = max(back[0], shared) + way.shared_s
        own[drive] = max(shared, own[drive]) + way.own_s
        there, last = own[drive] + rest, end[drive]
        turns = max(math.ceil((there - last) / revolution_s), 0)
        begin = there if last < 0 else last + turns * revolution_s
        if turns and 4 * number > every:
            first, latest = first or (number, begin), (number, begin)
        end[drive] = begin + transfer_s
        heapq.heapreplace(back, end[drive])
    if first is None or latest is None or first == latest:
        return None
    found = (latest[0] - first[0]) / (latest[1] - first[1])
    server = max(way.shared_s, way.own_s / drives, transfer_s / drives)
    without = min(outstanding / (way.total_s + transfer_s), 1 / server)
    return found if found < LOST * without else None
