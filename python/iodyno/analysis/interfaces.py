"""What the interfaces of a virtual system let through on the way from its drives to the host."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from iodyno.virtual import Array, DriveSlot, Hop, LinkHop, OnDrive, OnHostRaid, VirtualSystem, Volume


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
    drives both sides read; of parity nothing is read. Links are full duplex where reads alone load them.

    Parameters
    ----------
    system
        The system, resolved.
    """
    direct = [slot for volume in system.volumes for slot in _direct(system, volume)]
    behind = [
        (
            controller,
            [system.drives[index] for logical in controller.logicals for index in logical.array.drives],
        )
        for controller in system.controllers
    ]
    hosts = [slot.path for slot in direct] + [controller.path for controller in system.controllers]
    disks = [_through(system, [slot.path for slot in slots]) for _, slots in behind]
    media = sum(_media(slot) for slot in direct) + sum(_media(slot) for _, slots in behind for slot in slots)
    return Chain(
        host=_through(system, hosts),
        controller=sum(controller.read_bytes_s for controller, _ in behind) if behind else None,
        disk=sum(disks) if disks else None,
        media=media,
    )


def _direct(system: VirtualSystem, volume: Volume) -> list[DriveSlot]:
    on = volume.on
    if isinstance(on, OnDrive):
        return [system.drives[on.drive]]
    if isinstance(on, OnHostRaid):
        return _members(system, on.array)
    return []


def _members(system: VirtualSystem, array: Array) -> list[DriveSlot]:
    return [system.drives[index] for index in array.drives]


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


def _media(slot: DriveSlot) -> float:
    model = slot.model
    return float(model.outer_bytes_s if model.kind == "hdd" else model.data_read_bytes_s)
