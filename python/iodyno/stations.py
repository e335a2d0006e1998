"""Names of stations: equal parts have equal names, unless they serve volumes that are unlike under a load.

Stations of one name are one row, with the mean of all: of a mirror and a RAID 5 on equal drives, or of two
equal drives of which one is read and the other written, that would be the mean of what has nothing in common.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from typing import TypeVar

from iodyno.plan import Point
from iodyno.virtual import (
    Array,
    DriveSlot,
    Hop,
    Link,
    LinkHop,
    OnDrive,
    OnHostRaid,
    VirtualController,
    VirtualSystem,
    Volume,
)

MOST_NAMED = 2
"""Volumes that the name of a part has at most."""

_Part = TypeVar("_Part", Link, VirtualController, DriveSlot)


def told_apart(system: VirtualSystem, point: Point) -> VirtualSystem:
    """Give a system whose equal parts are named with their volumes, where a load has unlike ones on them.

    Parameters
    ----------
    system
        The system.
    point
        The load; its targets are volumes of the system.

    Returns
    -------
    VirtualSystem
        The same object where no part needs another name.
    """
    loads = _loads(point)
    loaded = [volume for volume in system.volumes if volume.name in loads]
    kinds = {volume.name: (_kind(system, volume), loads[volume.name]) for volume in loaded}
    if len({*kinds.values()}) < 2:
        return system
    used = {volume.name: _serving(system, volume) for volume in loaded}

    def of(what: str) -> dict[str, set[int]]:
        return {name: parts[what] for name, parts in used.items()}

    named = {
        "links": _named(system.links, of("links"), kinds),
        "controllers": _named(system.controllers, of("controllers"), kinds),
        "drives": _named(system.drives, of("drives"), kinds),
    }
    changes = {what: parts for what, parts in named.items() if parts is not None}
    return system.model_copy(update=changes) if changes else system


def _loads(point: Point) -> dict[str, Hashable]:
    """Give what is asked of each volume: loads, and the areas that they have of it."""
    found: dict[str, list[str]] = {}
    for load in point.loads:
        asked = load.model_dump_json(exclude={"index", "seed", "targets", "beside", "system", "stopping"})
        for target in load.targets:
            found.setdefault(target.path, []).append(asked + target.model_dump_json(exclude={"path"}))
    return {name: tuple(asked) for name, asked in found.items()}


def _kind(system: VirtualSystem, volume: Volume) -> Hashable:
    """Give what a volume is, apart from its name and from which of equal drives it is on."""
    if isinstance(volume.on, OnDrive):
        return system.drives[volume.on.drive].model
    if isinstance(volume.on, OnHostRaid):
        return _array(volume.on.array)
    logical = system.controllers[volume.on.controller].logicals[volume.on.logical]
    return logical.model_dump_json(exclude={"name", "array"}), _array(logical.array)


def _array(array: Array) -> Hashable:
    return len(array.drives), array.model_dump_json(exclude={"drives"})


def _serving(system: VirtualSystem, volume: Volume) -> dict[str, set[int]]:
    """Give the numbers of the parts that serve a volume, by what they are."""
    on, hops, controllers = volume.on, list[Hop](), set[int]()
    if isinstance(on, OnDrive):
        drives = {on.drive}
    elif isinstance(on, OnHostRaid):
        drives = set(on.array.drives)
        controllers = {at for at in map(system.behind, drives) if at is not None}
    else:
        controllers = {on.controller}
        drives = set(system.controllers[on.controller].logicals[on.logical].array.drives)
    hops += [hop for controller in controllers for hop in system.controllers[controller].path]
    hops += [hop for drive in drives for hop in system.drives[drive].path]
    links = {hop.link for hop in hops if isinstance(hop, LinkHop)}
    return {"links": links, "controllers": controllers, "drives": drives}


def _named(
    parts: Sequence[_Part], used: Mapping[str, set[int]], kinds: Mapping[str, Hashable]
) -> tuple[_Part, ...] | None:
    """Put the volumes that parts serve behind their names, where parts of one name serve unlike ones; none
    where no parts do."""
    serves = [[name for name, numbers in used.items() if number in numbers] for number in range(len(parts))]
    signs = [frozenset(kinds[name] for name in names) for names in serves]
    made = list(parts)
    for numbers in _of_one_name(parts):
        busy = [number for number in numbers if serves[number]]
        if len({signs[number] for number in busy}) < 2:
            continue
        for number in busy:
            alike = dict.fromkeys(name for one in busy if signs[one] == signs[number] for name in serves[one])
            name = f"{parts[number].name} ({_listed(list(alike))})"
            made[number] = parts[number].model_copy(update={"name": name})
    return None if all(now is before for now, before in zip(made, parts, strict=True)) else tuple(made)


def _of_one_name(parts: Iterable[_Part]) -> Iterator[list[int]]:
    found: dict[str, list[int]] = {}
    for number, part in enumerate(parts):
        found.setdefault(part.name, []).append(number)
    yield from found.values()


def _listed(names: Sequence[str]) -> str:
    """Name volumes, the first ones of many.

    Examples
    --------
    >>> _listed(["system", "data"]), _listed(["a", "b", "c"])
    ('system, data', 'a, b, …')
    """
    return ", ".join((*names[:MOST_NAMED], *("…",) * (len(names) > MOST_NAMED)))
