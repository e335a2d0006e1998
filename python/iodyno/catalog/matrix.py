"""What the release matrix of a server says of a part, and how many drives and which levels come of it.

The one place that answers both `iodyno catalog fits` and the checks of a system.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import groupby

from iodyno.catalog.interfaces import parse_interface
from iodyno.catalog.levels import least_drives, shown_level
from iodyno.catalog.parts import ControllerPart, DrivePart, Part, ServerPart, SwitchPart, Taken
from iodyno.catalog.quantity import Quantity
from iodyno.catalog.shelf import Catalog
from iodyno.virtual import Level

CARD = "AIC"
"""Form of a drive that is a card: it sits in a slot, on no cable and in no bay."""


def is_direct(drive: DrivePart) -> bool:
    """Tell whether a drive can be connected to a host at all."""
    return parse_interface(drive.interface).family == "PCIe"


def taken_of(server: ServerPart | None, part: Part) -> Taken | None:
    """Give what a server says of a part: by its name, or of a drive by the name of its family."""
    if server is None:
        return None
    family = part.family if isinstance(part, DrivePart) else ""
    return server.takes.get(part.name) or (server.takes.get(family) if family else None)


def takes(server: ServerPart, part: Part) -> Taken | None:
    """Give what a server says of a part that it takes in one of its forms."""
    taken = taken_of(server, part)
    if taken is None or not isinstance(part, DrivePart):
        return taken if isinstance(part, ControllerPart | SwitchPart) else None
    return taken if is_direct(part) and _forms(taken, part) else None


def _forms(taken: Taken, drive: DrivePart) -> bool:
    return not taken.form_factors or bool(set(taken.form_factors) & set(drive.form_factors))


def instances_of(part: ControllerPart, taken: Taken | None) -> int:
    """Give how often a board can have a controller."""
    has = taken.instances if taken else part.most_instances
    return has.whole if has else 1


def lanes_of(part: ControllerPart, taken: Taken | None) -> Quantity:
    """Give the lanes to drives of a controller where it sits."""
    return taken.lanes if taken and taken.lanes else part.lanes


def in_all(part: ControllerPart, each: int, instances: int) -> int:
    """Give the most drives on several instances of a controller together."""
    together = part.most_drives_in_all
    return min(each * instances, together.whole) if together and instances > 1 else each * instances


def reach(part: ControllerPart, taken: Taken | None, bays: Quantity | None = None) -> Quantity:
    """Give the most drives on one instance of a controller where it sits, with an expander if it can be.

    Parameters
    ----------
    bays
        Bays of the server that it sits in, where they are known.
    """
    own = part.most_drives_expanded or fewest(part.most_drives, lanes_of(part, taken))
    return fewest(taken.drives, own, bays) if taken else own


def fewest(first: Quantity, *others: Quantity | None) -> Quantity:
    """Give the least of some numbers, as far as they are known; of equal ones the first."""
    return min((first, *(number for number in others if number)), key=lambda number: number.value)


def levels_of(part: ControllerPart, taken: Taken | None) -> tuple[Level, ...]:
    """Give the levels that a controller has where it sits, whether or not there are the drives for them."""
    return tuple(level for level in part.levels if not taken or not taken.levels or level in taken.levels)


def built(levels: Iterable[Level], drives: float) -> list[Level]:
    """Give those of some levels that so many drives can have."""
    return [level for level in levels if least_drives(level) <= drives]


def notes(part: ControllerPart, taken: Taken | None, bays: Quantity | None = None) -> Iterator[str]:
    """Say what is less of a controller where it sits than it could be: instances, lanes, levels."""
    most, instances, lanes = reach(part, taken, bays), instances_of(part, taken), lanes_of(part, taken)
    plain = fewest(part.most_drives, lanes)
    if part.most_drives_expanded and most.value > plain.value:
        yield f"more than {plain} with an expander" if taken else "with an expander"
    if not (taken and taken.drives.note) and instances > 1:
        together = in_all(part, most.whole, instances)
        yield f"{min(together, bays.whole) if bays else together} with {instances} instances"
    if lanes.value < part.most_drives.value:
        yield f"{lanes} {'lane' if lanes.value == 1 else 'lanes'} to drives"
    levels = levels_of(part, taken)
    there = built(levels, most.value)
    if len(there) < len(part.levels):
        yield _listed(there) + _needing(set(levels) - set(there), levels)
    for level in there:
        most_of_level = part.most_drives_of_level.get(level)
        if most_of_level and most_of_level.value < most.value:
            yield f"{shown_level(level)} up to {most_of_level}"


def _listed(levels: Sequence[Level]) -> str:
    """Write levels as they are called: ``JBOD, RAID 0, 1``."""
    raid = ", ".join(level for level in levels if level != "JBOD")
    return ", ".join(filter(None, ("JBOD" * ("JBOD" in levels), f"RAID {raid}" * bool(raid)))) or "no level"


def _needing(missing: Collection[Level], levels: Sequence[Level]) -> str:
    """Say which levels need how many drives: ``: 6 and 10 need 4, 60 needs 8 drives``."""
    ordered = sorted((level for level in levels if level in missing), key=least_drives)
    said: list[str] = []
    for least, group in groupby(ordered, key=least_drives):
        names = list(group)
        drives = "" if said else f" drive{'s' if least > 1 else ''}"
        said.append(f"{' and '.join(names)} need{'s' if len(names) == 1 else ''} {least}{drives}")
    return f": {', '.join(said)}" if said else ""


def untaken(server: ServerPart, part: Part) -> str:
    """Say that nothing is known of a part in a server, which is not that it cannot be there."""
    return f"no release matrix says that {server.title} takes {part.title}"


def untaken_hint(server: ServerPart, part: Part) -> str:
    """Say what is known, and what to do where one knows better: matrices are a part of what is printed."""
    known = f"`iodyno catalog fits {part.name}` lists what is known to take it"
    return f"{known}; where it does, leave {server.name} out"


def takers_hint(part: Part, catalog: Catalog) -> str:
    """Say which servers take a part, and with how many drives."""
    there = [(server, taken) for server in catalog.of(ServerPart) if (taken := takes(server, part))]
    named = [f"{server.name} with {taken.drives}" for server, taken in there]
    return f"take fewer drives: {', '.join(named)} takes it" if len(named) == 1 else "take fewer drives"


def more_hint(part: Part, server: ServerPart, catalog: Catalog) -> str:
    """Say which other server has more drives of or on a part."""
    here = takes(server, part)
    others = ((other, takes(other, part)) for other in catalog.of(ServerPart))
    more = [
        f"{other.name} ({taken.drives})"
        for other, taken in others
        if taken and here and taken.drives.value > here.drives.value
    ]
    if not more:
        return "take fewer drives: no server in the catalogue takes more"
    hidden = f" and {len(more) - FEW} more" if len(more) > FEW else ""
    return f"take fewer drives, or another server: {', '.join(more[:FEW])}{hidden}"


FEW = 4
"""Servers that a hint names."""
