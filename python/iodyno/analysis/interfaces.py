"""What the interfaces of a virtual system let through on the way from its drives to the host."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from iodyno.virtual import Array, DriveSlot, Hop, LinkHop, OnDrive, OnHostRaid, VirtualSystem, Volume

PS = 10**12
"""Picoseconds of a second."""
_PARITY = {"5": 1, "50": 1, "6": 2, "60": 2}
"""Parity strips in a row of a group."""


@dataclass(frozen=True)
class Chain:
    """Practical limits of sequential reads, in bytes/s; none where a system has no such part."""

    host: float
    """Links between the host and its controllers or drives."""
    controller: float | None
    """What the controllers move to the host."""
    disk: float | None
    """Links between controllers and drives."""
    media: float
    """What the drives together read from their media."""

    @property
    def least(self) -> float:
        """The binding one."""
        return min(part for part in (self.host, self.controller, self.disk, self.media) if part is not None)


def chain(system: VirtualSystem) -> Chain:
    """Give the limits of all volumes of a system together.

    A link that several drives share counts once, with what hangs on it where that is less. Of mirrored
    drives both sides read; of parity nothing is read, but heads of hard disks pass over it. Links are full
    duplex where reads alone load them.
    Members that have failed read nothing; a stream keeps the pace of the pair, or of the group, that has
    most of them, on the links of the others too.

    Parameters
    ----------
    system
        The system, resolved.
    """
    direct = [joined for volume in system.volumes for joined in _direct(system, volume)]
    behind = [_arrays(system, number) for number in range(len(system.controllers))]
    hosts = [way for joined in direct for way in _ways(system, joined)]
    hosts += [_Way(_links(controller.path)) for controller in system.controllers]
    disks = [_tree(system, [way for joined in arrays for way in _ways(system, joined)]) for arrays in behind]
    return Chain(
        host=_tree(system, hosts),
        controller=sum(controller.read_bytes_s for controller in system.controllers) if behind else None,
        disk=sum(disks) if disks else None,
        media=sum(_media(system, joined) for joined in itertools.chain(direct, *behind)),
    )


def _direct(system: VirtualSystem, volume: Volume) -> list[Array | int]:
    on = volume.on
    if isinstance(on, OnDrive):
        return [on.drive]
    return [on.array] if isinstance(on, OnHostRaid) and system.behind(on.array.drives[0]) is None else []


def _arrays(system: VirtualSystem, number: int) -> list[Array]:
    """Give what is behind a controller: its arrays, and those of the host in place of their drives."""
    joined = [volume.on.array for volume in system.volumes if isinstance(volume.on, OnHostRaid)]
    by_host = [array for array in joined if system.behind(array.drives[0]) == number]
    taken = {drive for array in by_host for drive in array.drives}
    own = [logical.array for logical in system.controllers[number].logicals]
    return [*(array for array in own if not taken.intersection(array.drives)), *by_host]


class _Way(NamedTuple):
    """The links that lead to a drive, or to a controller."""

    links: tuple[int, ...]
    most: float = math.inf
    """What is asked of what they lead to, in bytes/s, where others keep it from more."""


def _links(path: Sequence[Hop]) -> tuple[int, ...]:
    return tuple(hop.link for hop in path if isinstance(hop, LinkHop))


def _ways(system: VirtualSystem, joined: Array | int) -> list[_Way]:
    """Give the ways to the drives of an array that have not failed, or to a drive that stands alone.

    Where one has failed, the links of the set with the fewest set the pace of all sets, and the members of a
    set share what is read of it.
    """
    if isinstance(joined, int):
        return [_Way(_links(system.drives[joined].path))]
    sets = [
        [_links(system.drives[joined.drives[place]].path) for place in places if place not in joined.failed]
        for places in _sets(joined)
    ]
    if not joined.failed:
        return [_Way(links) for members in sets for links in members]
    pace = min(_tree(system, map(_Way, members)) for members in sets)
    return [_Way(links, pace / len(members)) for members in sets for links in members]


def _sets(joined: Array) -> list[range]:
    """Give the places of the members of each set: pairs of RAID 10, groups of RAID 50 and 60, else all."""
    count = len(joined.drives) // 2 if joined.level == "10" else joined.groups
    each = len(joined.drives) // count
    places = range(len(joined.drives))
    return [places[first : first + each] for first in places[::each]]


def _media(system: VirtualSystem, joined: Array | int) -> float:
    """Give what an array reads in sequence, in bytes/s: each set of members at the pace of the slowest."""
    if isinstance(joined, int):
        return _reads(system.drives[joined])
    sets = _sets(joined)
    return len(sets) * min(_set(system, joined, places) for places in sets)


def _set(system: VirtualSystem, joined: Array, places: range) -> float:
    """Give what a set of members reads in sequence, in bytes/s.

    Of disks with parity all turn below their heads in step, data and parity, with members that have failed
    as without: a row comes with its data strips. Only strips of more than a track could be passed faster.
    """
    working = [system.drives[joined.drives[place]] for place in places if place not in joined.failed]
    rates = [_reads(slot) for slot in working]
    if rates and all(_turns(slot, joined.strip_bytes) for slot in working):
        data = len(places) - _PARITY.get(joined.level, 0)
        return min(sum(rates), data * min(rates))
    return sum(rates)


def _turns(slot: DriveSlot, strip_bytes: int) -> bool:
    """Tell whether a drive is a disk with tracks longer than a strip."""
    model = slot.model
    return model.kind == "hdd" and strip_bytes < model.outer_bytes_s * model.revolution_ps / PS


def _tree(system: VirtualSystem, ways: Iterable[_Way]) -> float:
    """Give what a tree of links lets through: of each link the less of its rate and of what hangs on it."""
    branches: dict[int, list[_Way]] = {}
    for links, most in ways:
        if links:
            branches.setdefault(links[0], []).append(_Way(links[1:], most))
    return sum(
        min(float(system.links[link].bytes_s), _beyond(system, rest)) for link, rest in branches.items()
    )


def _beyond(system: VirtualSystem, ways: Sequence[_Way]) -> float:
    """Give what comes of all that hangs on a link."""
    return sum(way.most for way in ways if not way.links) + _tree(system, ways)


def _reads(slot: DriveSlot) -> float:
    model = slot.model
    return float(model.outer_bytes_s if model.kind == "hdd" else model.data_read_bytes_s)
