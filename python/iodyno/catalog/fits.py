"""What fits where: from release matrices and from interfaces."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from iodyno.catalog.links import negotiated, parse_interface
from iodyno.catalog.parts import (
    ControllerPart,
    DrivePart,
    ExpanderPart,
    Part,
    ProcessorPart,
    ServerPart,
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
        found = [*_servers_of(part.name, catalog), *_drives_of(part, catalog)]
    elif isinstance(part, DrivePart):
        found = [*_servers_of(part.family, catalog), *_ports_of(part, catalog)]
    elif isinstance(part, ServerPart):
        found = list(_in_server(part, catalog))
    elif isinstance(part, SwitchPart):
        found = [*_switch_takers(part, catalog), *_switched(part, catalog)]
    elif isinstance(part, ExpanderPart):
        found = list(_expanded(part, catalog))
    elif isinstance(part, ProcessorPart):
        found = list(_servers_with(part, catalog))
    else:
        found = []
    return sorted(found, key=lambda fit: (fit.part.kind != "server", fit.part.kind, fit.part.name))


def processors_of(server: ServerPart, catalog: Catalog) -> list[ProcessorPart]:
    """Give the processors that sit in the socket of a server; none where nothing is known of it."""
    if server.socket is None:
        return []
    known = ((part, part.socket) for part in catalog.of(ProcessorPart))
    return [part for part, socket in known if socket and socket.value == server.socket.value]


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


def _servers_of(name: str, catalog: Catalog) -> Iterator[Fit]:
    for server in catalog.of(ServerPart):
        taken = server.takes.get(name)
        if taken:
            yield Fit(server, taken.link, taken.drives, _note(taken))


def _drives_of(controller: ControllerPart, catalog: Catalog) -> Iterator[Fit]:
    most = controller.most_drives_expanded or controller.most_drives
    note = "with an expander" if controller.most_drives_expanded else ""
    for drive in catalog.of(DrivePart):
        link = _link(controller.drive_interface, drive.interface)
        if link:
            yield Fit(drive, link, most, note)
    for expander in catalog.of(ExpanderPart):
        link = _link(controller.drive_interface, expander.interface)
        if controller.most_drives_expanded and link:
            yield Fit(expander, link, controller.most_drives_expanded)


def _ports_of(drive: DrivePart, catalog: Catalog) -> Iterator[Fit]:
    for controller in catalog.of(ControllerPart):
        link = _link(controller.drive_interface, drive.interface)
        if link:
            most = controller.most_drives_expanded or controller.most_drives
            yield Fit(controller, link, most, "with an expander" if controller.most_drives_expanded else "")
    for switch in catalog.of(SwitchPart):
        link = _switch_link(switch, drive)
        if link:
            yield Fit(switch, link, switch.model["ports"])


def _in_server(server: ServerPart, catalog: Catalog) -> Iterator[Fit]:
    candidates: list[Part] = [*catalog.of(ControllerPart), *catalog.of(DrivePart)]
    for name, taken in server.takes.items():
        for part in candidates:
            if name in (part.name, getattr(part, "family", "")):
                yield Fit(part, taken.link, taken.drives, _note(taken))
    for switch in catalog.of(SwitchPart):
        if switch.name in server.switches:
            yield Fit(switch, switch.version, switch.model["ports"])
    for processor in processors_of(server, catalog):
        yield Fit(processor, "", None, _most_processors(server, processor), str(server.socket))


def _switch_takers(switch: SwitchPart, catalog: Catalog) -> Iterator[Fit]:
    for server in catalog.of(ServerPart):
        if switch.name in server.switches:
            yield Fit(server, switch.version, switch.model["ports"])


def _switched(switch: SwitchPart, catalog: Catalog) -> Iterator[Fit]:
    for drive in catalog.of(DrivePart):
        link = _switch_link(switch, drive)
        if link:
            yield Fit(drive, link, switch.model["ports"])


def _switch_link(switch: SwitchPart, drive: DrivePart) -> str:
    """Give the link between them; a drive that comes as a card alone is on no cable of a switch adapter."""
    if drive.form_factors == ("AIC",):
        return ""
    return _link(f"{switch.version} x{switch.model['drive_lanes'].whole}", drive.interface)


def _expanded(expander: ExpanderPart, catalog: Catalog) -> Iterator[Fit]:
    for controller in catalog.of(ControllerPart):
        link = _link(controller.drive_interface, expander.interface)
        if controller.most_drives_expanded and link:
            yield Fit(controller, link, controller.most_drives_expanded)


def _link(port: str, drive: str) -> str:
    try:
        return str(negotiated(parse_interface(port), parse_interface(drive)))
    except CatalogError:
        return ""


def _note(taken: Taken) -> str:
    """Say what is less there than the part could have."""
    said = [taken.drives.note] if taken.drives.note else []
    said += [f"as {', '.join(taken.form_factors)}"] if taken.form_factors else []
    said += [f"RAID {', '.join(taken.levels)}"] if taken.levels else []
    return "; ".join(said)
