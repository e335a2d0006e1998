"""What fits where: from release matrices and from interfaces."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from iodyno.catalog.interfaces import negotiated, parse_interface
from iodyno.catalog.matrix import CARD, fewest, notes, reach, takes
from iodyno.catalog.parts import (
    ControllerPart,
    DrivePart,
    ExpanderPart,
    Part,
    ProcessorPart,
    ServerPart,
    Socket,
    SwitchPart,
    Taken,
)
from iodyno.catalog.quantity import Quantity
from iodyno.catalog.shelf import Catalog
from iodyno.errors import CatalogError


@dataclass(frozen=True)
class Fit:
    """A part that another fits into, or that fits into it."""

    part: Part
    link: str
    """Interface between them; empty where nothing is known of it."""
    drives: Quantity | None
    """Most drives there; none where it is not a matter of drives."""
    note: str = ""
    socket: str = ""
    """Socket of a processor in a server; empty where it is not a matter of processors."""
    drives_source: str = ""
    """Citation of the number of drives; empty where it has none."""


def fits(part: Part, catalog: Catalog) -> list[Fit]:
    """Give all that fits a part, sorted by name.

    Examples
    --------
    >>> from iodyno.catalog.shelf import shipped
    >>> found = fits(shipped().get("praid-em400i"), shipped())
    >>> [(fit.part.title, fit.drives.value) for fit in found if fit.part.kind == "server"]
    [('PRIMERGY BX2560 M1', 2)]
    """
    if isinstance(part, ControllerPart):
        found = [*_servers_of(part, catalog), *_drives_of(part, catalog)]
    elif isinstance(part, DrivePart):
        found = [*_servers_of(part, catalog), *_ports_of(part, catalog)]
    elif isinstance(part, ServerPart):
        found = list(_in_server(part, catalog))
    elif isinstance(part, SwitchPart):
        found = [*_servers_of(part, catalog), *_switched(part, catalog)]
    elif isinstance(part, ExpanderPart):
        found = list(_expanded(part, catalog))
    elif isinstance(part, ProcessorPart):
        found = list(_servers_with(part, catalog))
    else:
        found = []
    return sorted(found, key=_rank)


def family_fits(members: Sequence[DrivePart], catalog: Catalog) -> list[tuple[Fit, list[str]]]:
    """Give all that fits the drives of a family, each with the names of those that it fits."""
    found: list[tuple[Fit, list[str]]] = []
    for drive in members:
        for fit in fits(drive, catalog):
            same = next((names for other, names in found if other == fit), None)
            if same is None:
                found.append((fit, [drive.name]))
            else:
                same.append(drive.name)
    return sorted(found, key=lambda each: _rank(each[0]))


def _rank(fit: Fit) -> tuple[bool, str, str]:
    return fit.part.kind != "server", fit.part.kind, fit.part.name


def processors_of(server: ServerPart, catalog: Catalog) -> list[ProcessorPart]:
    """Give the processors that sit in the socket of a server; none where nothing is known of it."""
    return processors_in(server.socket, catalog) if server.socket else []


def processors_in(socket: Socket, catalog: Catalog) -> list[ProcessorPart]:
    """Give the processors that sit in a socket."""
    known = ((part, part.socket) for part in catalog.of(ProcessorPart))
    return [part for part, own in known if own and own.value == socket.value]


def _servers_with(processor: ProcessorPart, catalog: Catalog) -> Iterator[Fit]:
    for server in catalog.of(ServerPart):
        if processor in processors_of(server, catalog):
            yield Fit(server, "", None, _most_processors(server, processor), str(server.socket))


def _most_processors(server: ServerPart, processor: ProcessorPart) -> str:
    """Say how many processors there can be: as many as there are sockets, and as work together."""
    together = processor.model.get("sockets")
    sockets = server.model["sockets"].whole
    most = min(sockets, together.whole) if together else sockets
    return f"up to {most} processors" if most > 1 else "1 processor"


def _servers_of(part: Part, catalog: Catalog) -> Iterator[Fit]:
    for server in catalog.of(ServerPart):
        taken = takes(server, part)
        if taken:
            yield _in(server, server, part, taken)


def _in_server(server: ServerPart, catalog: Catalog) -> Iterator[Fit]:
    candidates: list[Part] = [*catalog.of(ControllerPart), *catalog.of(DrivePart), *catalog.of(SwitchPart)]
    for part in candidates:
        taken = takes(server, part)
        if taken:
            yield _in(part, server, part, taken)
    for processor in processors_of(server, catalog):
        yield Fit(processor, "", None, _most_processors(server, processor), str(server.socket))


def _in(shown: Part, server: ServerPart, part: Part, taken: Taken) -> Fit:
    """Say of a part in a server what is less there than it could be; shown is one of both."""
    most, by = taken.drives, server.sources
    link = taken.link
    said = [taken.drives.note] if taken.drives.note else []
    bays = server.model.get("bays")
    if isinstance(part, ControllerPart):
        most = reach(part, taken, bays)
        by = server.sources if most in (taken.drives, taken.lanes, bays) else part.sources
        said += notes(part, taken, bays)
        if part.kind == "controller" and (room := server.model.get("controllers")):
            said.append(f"room for {room} controller{'s' if room.value > 1 else ''}")
    elif isinstance(part, SwitchPart):
        most = fewest(taken.drives, part.model["ports"], bays)
        by = part.sources if most is part.model["ports"] else server.sources
        link = taken.link or part.host_interface
    elif isinstance(part, DrivePart):
        most = taken.drives if CARD in (taken.form_factors or part.form_factors) else fewest(most, bays)
        said += [f"of the family {part.family}, {most} in all"] if server.takes.get(part.name) is None else []
        said += [f"as {', '.join(taken.form_factors)}"] if taken.form_factors else []
    if most is bays:
        said.append(f"{server.title} has {bays} bays")
    return Fit(shown, link, most, "; ".join(said), drives_source=by.get(most.source, ""))


def _drives_of(controller: ControllerPart, catalog: Catalog) -> Iterator[Fit]:
    for drive in catalog.of(DrivePart):
        yield from _on_controller(drive, controller, drive.interface)
    for expander in catalog.of(ExpanderPart):
        yield from _with_expander(expander, controller, expander)


def _ports_of(drive: DrivePart, catalog: Catalog) -> Iterator[Fit]:
    for controller in catalog.of(ControllerPart):
        yield from _on_controller(controller, controller, drive.interface)
    for switch in catalog.of(SwitchPart):
        yield from _on_switch(switch, switch, drive)


def _on_controller(shown: Part, controller: ControllerPart, drive: str) -> Iterator[Fit]:
    link = _link(controller.drive_interface, drive)
    if link:
        most = reach(controller, None)
        source = controller.sources.get(most.source, "")
        yield Fit(shown, link, most, "; ".join(notes(controller, None)), drives_source=source)


def _with_expander(shown: Part, controller: ControllerPart, expander: ExpanderPart) -> Iterator[Fit]:
    link = _link(controller.drive_interface, expander.interface)
    most = controller.most_drives_expanded
    if most and link:
        yield Fit(shown, link, most, drives_source=controller.sources.get(most.source, ""))


def _switched(switch: SwitchPart, catalog: Catalog) -> Iterator[Fit]:
    for drive in catalog.of(DrivePart):
        yield from _on_switch(drive, switch, drive)


def _on_switch(shown: Part, switch: SwitchPart, drive: DrivePart) -> Iterator[Fit]:
    link, ports = _switch_link(switch, drive), switch.model["ports"]
    if link:
        yield Fit(shown, link, ports, drives_source=switch.sources.get(ports.source, ""))


def _switch_link(switch: SwitchPart, drive: DrivePart) -> str:
    """Give the link between them; a drive that comes as a card alone is on no cable of a switch adapter."""
    if drive.form_factors == (CARD,):
        return ""
    return _link(f"{switch.version} x{switch.model['drive_lanes'].whole}", drive.interface)


def _expanded(expander: ExpanderPart, catalog: Catalog) -> Iterator[Fit]:
    for controller in catalog.of(ControllerPart):
        yield from _with_expander(controller, controller, expander)


def _link(port: str, drive: str) -> str:
    try:
        return str(negotiated(parse_interface(port), parse_interface(drive)))
    except CatalogError:
        return ""
