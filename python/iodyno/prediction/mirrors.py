"""What the first of several copies has of the reads, where others are read once it has enough under way.

Up to n operations under way all of a set's reads go to its first copy, those beyond to the idlest. So of N
under way at a set of c copies the first has max(min(N, n), N ÷ c), and how long they are under way there
depends on how many it has: the share is the one with which the network has as many of them there.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Iterator, Sequence

from iodyno.plan import Point
from iodyno.prediction import hdd, ssd
from iodyno.prediction.accesses import loads
from iodyno.prediction.network import BuiltNetwork
from iodyno.prediction.raid import ArrayMap
from iodyno.prediction.records import Solution
from iodyno.virtual import Array, LinkHop, OnHostRaid, OnLogical, SpreadReads, VirtualSystem, Volume

CLOSE = 0.003
"""How far the share may be from the one that fits."""
MOST_ROUNDS = 12
"""Solutions until it fits: mostly six."""


def first_share(
    point: Point, system: VirtualSystem, answer: Callable[[float | None], tuple[BuiltNetwork, Solution]]
) -> float | None:
    """Give what of the reads goes to the first copy.

    Parameters
    ----------
    point
        The point. Its targets are equal.
    system
        The system.
    answer
        What makes and solves the network with a share.

    Returns
    -------
    float or None
        1 ÷ copies to 1; none where it does not depend on what is under way, or writes are there too.
    """
    volumes = {volume.name: volume for volume in system.volumes}
    arrays = [array for target in point.targets if (array := array_of(system, volumes[target.path]))]
    if not arrays or not _watched(arrays[0]) or point.profile.writes:
        return None
    counted = _Counted(point, system, arrays)
    least, most = 1 / counted.copies, 1.0
    at_once = counted.wanted(point.outstanding_total)
    if at_once > 1 - CLOSE:
        return most
    if at_once < least + CLOSE and point.rate_io_s is None and not point.profile.think_time_us:
        return least

    def beyond(share: float) -> float:
        built, solution = answer(share)
        return counted.at_first(share, built, solution) - counted.wanted(solution.customers)

    low, high = beyond(least), beyond(most)
    if low >= -CLOSE or high <= CLOSE:
        return least if low >= -CLOSE else most
    for _ in range(MOST_ROUNDS):
        share = least + (most - least) * low / (low - high)
        here = beyond(share)
        if abs(here) < CLOSE or most - least < CLOSE:
            break
        # The end that stays counts for half, so that it does not stay for ever.
        if here < 0:
            least, low, high = share, here, high / 2
        else:
            most, high, low = share, here, low / 2
    return share


def array_of(system: VirtualSystem, volume: Volume) -> Array | None:
    """Give the array that a volume is; none of one on a drive."""
    on = volume.on
    if isinstance(on, OnHostRaid):
        return on.array
    return system.controllers[on.controller].logicals[on.logical].array if isinstance(on, OnLogical) else None


def _watched(array: Array) -> bool:
    policy = array.mirror_read
    return array.level in ("1", "10") and isinstance(policy, SpreadReads) and policy.from_outstanding > 0


class _Counted:
    """What is under way at first copies and at others, of targets that are equal arrays."""

    def __init__(self, point: Point, system: VirtualSystem, arrays: Sequence[Array]) -> None:
        _, load = next(loads(point))
        mapping, policy = ArrayMap(arrays[0], load), arrays[0].mirror_read
        assert isinstance(policy, SpreadReads)
        self.enough, self.copies, self.targets = policy.from_outstanding, mapping.copies, len(arrays)
        self.sets = mapping.members // mapping.copies
        self.operations = sum(access.share * mapping.read(access).operations for access in load.classes)
        self.random = load.random_share > 0
        whole = [at for at in range(mapping.members) if mapping.living_copies(at) == mapping.copies]
        self.first, self.others = (
            frozenset(
                key
                for array in arrays
                for at in whole
                if (at % self.copies == 0) == first
                for key in stations_of(system, array.drives[at])
            )
            for first in (True, False)
        )

    def at_first(self, share: float, built: BuiltNetwork, solution: Solution) -> float:
        """Give which share of all operations under way is at first copies, with a share of the reads.

        Those that wait for a processor, or on a link of all, are under way as well.
        """
        rows = list(zip(solution.stations, built.keys, strict=True))
        first, others = (
            sum(station.residence_s * len(keys & these) / len(keys) for station, keys in rows)
            for these in (self.first, self.others)
        )
        every = sum(station.residence_s for station, _ in rows)
        return (first + share * (every - first - others)) / every

    def wanted(self, outstanding: int) -> float:
        """Give the share that first copies have of the operations of so many I/Os by the rule."""
        every = max(round(outstanding / self.targets * self.operations), 1)
        mean = every / self.sets
        if not self.random:
            return self.most(mean) / mean
        return sum(share * self.most(there) for there, share in _binomial(every, 1 / self.sets)) / mean

    def most(self, there: float) -> float:
        """Give how many of so many at a set are at its first copy."""
        return max(min(there, self.enough), there / self.copies)


def stations_of(system: VirtualSystem, drive: int) -> Iterator[Hashable]:
    """Give the keys of the stations that only a drive's operations visit."""
    yield from ssd.stations_of(drive)
    yield from hdd.stations_of(drive)
    if system.drives[drive].path:
        hop = system.drives[drive].path[-1]
        if isinstance(hop, LinkHop):
            yield from (("link", hop.link, way) for way in ("", ", reads", ", writes"))


def _binomial(every: int, chance: float) -> Iterator[tuple[int, float]]:
    """Give how many of all are there, each with that chance, and the share of the time."""
    if chance == 1:
        yield every, 1.0
        return
    for there in range(every + 1):
        ways = math.lgamma(every + 1) - math.lgamma(there + 1) - math.lgamma(every - there + 1)
        share = ways + there * math.log(chance) + (every - there) * math.log1p(-chance)
        yield there, math.exp(share)
