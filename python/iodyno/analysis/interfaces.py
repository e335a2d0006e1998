"""What the interfaces of a virtual system let through on the way from its drives to the host."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

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
    most of them.

    Parameters
    ----------
    system
        The system, resolved.
    """
    direct = [joined for volume in system.volumes for joined in _direct(system, volume)]
    behind = [_arrays(system, number) for number in range(len(system.controllers))]
    hosts = [slot.path for joined in direct for slot in _working(system, joined)]
    hosts += [controller.path for controller in system.controllers]
    disks = [
        _through(system, [slot.path for joined in arrays for slot in _working(system, joined)])
        for arrays in behind
    ]
    return Chain(
        host=_through(system, hosts),
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


def _working(system: VirtualSystem, joined: Array | int) -> list[DriveSlot]:
    """Give the drives of an array that have not failed, or a drive that stands alone."""
    if isinstance(joined, int):
        return [system.drives[joined]]
    return [system.drives[drive] for place, drive in enumerate(joined.drives) if place not in joined.failed]


def _media(system: VirtualSystem, joined: Array | int) -> float:
    """Give what an array reads in sequence, in bytes/s: each set of members at the pace of the slowest."""
    if isinstance(joined, int):
        return _reads(system.drives[joined])
    sets = len(joined.drives) // 2 if joined.level == "10" else joined.groups
    each = len(joined.drives) // sets
    places = range(len(joined.drives))
    return sets * min(_set(system, joined, places[first : first + each]) for first in places[::each])


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


def _through(system: VirtualSystem, paths: Sequence[Sequence[Hop]]) -> float:
    """Give what a tree of links lets through: of each link the less of its rate and of what hangs on it."""
    links = [tuple(hop.link for hop in path if isinstance(hop, LinkHop)) for path in paths]
    return _tree(system, links)


def _tree(system: VirtualSystem, paths: Iterable[tuple[int, ...]]) -> float:
    branches: dict[int, list[tuple[int, ...]]] = {}
    for path in paths:
        if path:
            branches.setdefault(path[0], []).append(path[1:])
    total = 0.0
    for link, rest in branches.items():
        rate = float(system.links[link].bytes_s)
        beyond = _tree(system, rest) if all(rest) else rate
        total += min(rate, beyond)
    return total


def _reads(slot: DriveSlot) -> float:
    model = slot.model
    return float(model.outer_bytes_s if model.kind == "hdd" else model.data_read_bytes_s)
