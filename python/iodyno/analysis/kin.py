"""What virtual systems have in common that differ in their number of drives alone."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from iodyno.virtual import Array, Hop, Link, LinkHop, OnDrive, OnHostRaid, VirtualSystem, Volume

INDEPENDENT = "independent"
"""Drives that are not joined: each is a target of its own."""
EACH = "each"
"""In place of a number: as many as drives."""
_OF_EACH = (INDEPENDENT, "JBOD")
"""Levels at which every drive is a volume."""


@dataclass(frozen=True)
class Step:
    """A link or a switch on the way to the drives."""

    part: Link | str
    """The link, or the switch as its numbers."""
    count: int | str
    """How many of them there are beside each other: :data:`EACH`, or a number that drives share."""


@dataclass(frozen=True)
class Family:
    """What systems have in common that differ in their number of drives alone."""

    drive: str
    level: str
    """RAID level, or :data:`INDEPENDENT`."""
    behind: str
    """Names of the controllers and switches on the way; empty where drives hang on the host."""
    words: tuple[str, ...] = ()
    """Settings of the volumes that have a name: ``write-back``, ``fast path``."""
    settings: str = ""
    """Settings of the volumes, all of them."""
    rest: str = ""
    """Everything else that must be the same: model of the drive, host, cost of an I/O there, controllers."""
    way: tuple[Step, ...] = ()
    """Links and switches from the host, or from the controller, to the drives."""
    area: str = ""
    """What the configuration says of the accessed area."""
    like: str = ""
    """Title of the system with fewest drives, where others are named the same by all the names above."""

    @property
    def named(self) -> tuple[str, str, str, tuple[str, ...]]:
        """What of it has a name."""
        return self.drive, self.level, self.behind, self.words


def family(system: VirtualSystem, area: str = "") -> Family | None:
    """Give the family of a system; none where its drives, their ways, or volumes are of several kinds.

    Parameters
    ----------
    system
        The system.
    area
        What its configuration says of the accessed area.
    """
    drives = {slot.model.model_dump_json(): slot.name for slot in system.drives}
    kinds = {_joined(system, volume) for volume in system.volumes}
    costs = {volume.cpu.model_dump_json() + volume.child_cpu.model_dump_json() for volume in system.volumes}
    way = _way(system, [slot.path for slot in system.drives])
    hosts = _way(system, [item.path for item in system.controllers]) if system.controllers else ()
    if len(drives) != 1 or len(kinds) != 1 or len(costs) != 1 or way is None or hosts is None:
        return None
    ((model, name),), ((level, words, settings),), (cost,) = drives.items(), kinds, costs
    if level not in _OF_EACH:
        settings += f" {len(system.volumes)} volumes"
    numbers = [item.model_dump_json(exclude={"path", "logicals"}) for item in system.controllers]
    behind = [item.name for item in system.controllers] + [item.name for item in system.switches]
    return Family(
        drive=name,
        level=level,
        behind=", ".join(dict.fromkeys(behind)),
        words=words,
        settings=settings,
        rest="\n".join((model, cost, system.host.model_dump_json(), *numbers, str(hosts))),
        way=way,
        area=area,
    )


def _way(system: VirtualSystem, paths: Sequence[tuple[Hop, ...]]) -> tuple[Step, ...] | None:
    """Give what paths have in common, step by step; none where they are of several kinds."""
    if len({len(path) for path in paths}) != 1:
        return None
    steps = []
    for hops in zip(*paths, strict=True):
        parts = [_part(system, hop) for hop in hops]
        if any(part != parts[0] for part in parts):
            return None
        several = len(set(hops))
        steps.append(Step(parts[0], EACH if several == len(paths) else several))
    return tuple(steps)


def _part(system: VirtualSystem, hop: Hop) -> Link | str:
    if isinstance(hop, LinkHop):
        return system.links[hop.link]
    return system.switches[hop.switch].model_dump_json()


def _joined(system: VirtualSystem, volume: Volume) -> tuple[str, tuple[str, ...], str]:
    """Give the level of a volume, and the settings that belong to it: those with a name, and all."""
    on = volume.on
    if isinstance(on, OnDrive):
        return INDEPENDENT, (), ""
    if isinstance(on, OnHostRaid):
        return on.array.level, (), _array(on.array)
    logical = system.controllers[on.controller].logicals[on.logical]
    settings = logical.model_dump_json(exclude={"name", "array", "size_bytes"})
    words = ("write-back" if logical.write_back else "write-through",) + ("fast path",) * logical.fast_path
    return logical.array.level, words, settings + _array(logical.array)


def _array(array: Array) -> str:
    return array.model_dump_json(exclude={"level", "drives"})


def leads_to(one: Family, count: int, other: Family) -> bool:
    """Tell whether a system with so many drives is one of another family too: with few drives it shows less.

    A single drive is the first step of every family of this drive in its place: a link that others share it
    has alone, and it is in no array. And drives on ports of their own are as those behind a link of all ports
    (an expander), as long as together they are no faster than that link.

    Parameters
    ----------
    one
        The family of the system.
    count
        Its number of drives.
    other
        The other family.
    """
    single = count == 1
    alone = single and one.level == INDEPENDENT
    if (one.drive, one.behind, one.rest, one.area) != (other.drive, other.behind, other.rest, other.area):
        return False
    if (one.level, one.settings) != (other.level, other.settings) and not alone:
        return False
    return _same_way(one.way, other.way, single=single) or _on_ports(one.way, count, other.way)


def _same_way(one: tuple[Step, ...], other: tuple[Step, ...], *, single: bool) -> bool:
    if not single:
        return one == other
    return [step.part for step in one] == [step.part for step in other]


def _on_ports(ports: tuple[Step, ...], count: int, wide: tuple[Step, ...]) -> bool:
    """Tell whether drives on ports of their own have what a link of all ports would leave them."""
    if not ports or not wide or ports != wide[1:] or wide[0].count != 1:
        return False
    port, link = ports[0].part, wide[0].part
    if not isinstance(port, Link) or not isinstance(link, Link) or ports[0].count not in (EACH, count):
        return False
    alike = (port.side, port.full_duplex) == (link.side, link.full_duplex) and link.side == "disk"
    return alike and count * port.bytes_s <= link.bytes_s


def told_apart(families: Iterable[tuple[Family, str]]) -> list[Family]:
    """Give families that are named the same the title of a system of theirs, so that names tell them apart.

    Parameters
    ----------
    families
        Each with the title of its system with fewest drives.
    """
    found = list(families)
    titles: dict[object, dict[Family, str]] = {}
    for kin, title in found:
        titles.setdefault(kin.named, {}).setdefault(kin, title)
    alike = {kin: title for those in titles.values() if len(those) > 1 for kin, title in those.items()}
    return [replace(kin, like=alike.get(kin, "")) for kin, _ in found]
