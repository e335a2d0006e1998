"""Whether a system can exist: every problem of its tree at once."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from contextlib import suppress
from typing import Any

from iodyno.catalog.controller_checks import check_controller
from iodyno.catalog.direct_checks import check_direct, check_server_takes
from iodyno.catalog.driver import driver, drives_of
from iodyno.catalog.driver_checks import check_drivers, software_in
from iodyno.catalog.fits import processors_of
from iodyno.catalog.interfaces import negotiated, parse_interface
from iodyno.catalog.looking import Looking
from iodyno.catalog.matrix import taken_of
from iodyno.catalog.naming import names_of
from iodyno.catalog.onboard_checks import check_socket_of_chipset
from iodyno.catalog.partly import partly
from iodyno.catalog.parts import (
    ControllerPart,
    DrivePart,
    ProcessorPart,
    ServerPart,
    SettingsPart,
    Socket,
    SwitchPart,
)
from iodyno.catalog.room_checks import check_room
from iodyno.catalog.shelf import Catalog, catalogue
from iodyno.catalog.tree import ControllerSpec, DirectSpec, HostSpec, LogicalSpec, SystemSpec
from iodyno.catalog.written import UNREAD, read_or
from iodyno.errors import CatalogError, Problem


def check(system: SystemSpec, catalog: Catalog | None = None, where: str = "") -> list[Problem]:
    """Find every problem of a system.

    Parameters
    ----------
    system
        The tree.
    catalog
        Where its parts are; what iodyno ships and the user's own unless another is given.
    where
        What to call the system; its name unless another is given.

    Returns
    -------
    list of Problem
        Empty where the system can exist.
    """
    look = Looking(catalog or catalogue(), where or read_or(system, "name", "system"))
    host = system.host
    server = look.part_in(host, "server", ServerPart, "host")
    processor = look.part_in(host, "processor", ProcessorPart, "host")
    software = software_in(look, host)
    look.part_in(host, "settings", SettingsPart, "host")
    look.at(_check_processors, host, processor, server)
    controllers: Sequence[ControllerSpec] = read_or(system, "controller", ())
    if processor and server and server.socket:
        _check_socket(look, server, server.socket, processor)
    elif processor:
        check_socket_of_chipset(look, controllers, processor)
    groups: Sequence[DirectSpec] = read_or(system, "drives", ())
    on = drives_of(look.catalog, controllers, groups)
    for place, controller in enumerate(controllers):
        before = controllers[:place]
        check_controller(look, controller, f"controller[{place}]", server, processor, software, before, on)
    look.at(check_drivers, on, software)
    for place, group in enumerate(groups):
        check_direct(look, group, f"drives[{place}]", server, processor, driver(software, "nvme"))
        if server:
            look.at(check_server_takes, groups[: place + 1], f"drives[{place}]", server)
    check_room(look, system, server)
    if processor:
        look.at(_check_lanes, system, processor, server)
    look.at(_check_there_are_drives, system)
    _check_volumes(look, controllers, groups)
    return look.problems


def refuse(system: SystemSpec, catalog: Catalog | None = None, where: str = "") -> None:
    """Raise what :func:`check` found.

    Raises
    ------
    CatalogError
        With every problem, if there is any.
    """
    problems = check(system, catalog, where)
    if problems:
        raise CatalogError(*problems)


def checked(
    document: Mapping[str, Any],
    where: str,
    catalog: Catalog | None = None,
    known: Sequence[Problem] = (),
    but: Collection[Problem] = (),
) -> SystemSpec:
    """Read a system from its table, and check it.

    Parameters
    ----------
    document
        The table: a TOML document, or what a study holds inline.
    where
        What to call the system.
    catalog
        Where its parts are; what iodyno ships and the user's own unless another is given.
    known
        Problems that were found before, to be told with the others.
    but
        Problems that are told elsewhere.

    Raises
    ------
    CatalogError
        With every problem: what cannot be read, and what of the rest cannot be, as the document has it.
    """
    found = partly(document, where)
    unread = (one for one in found.problems if one not in but)
    told = dict.fromkeys((*known, *unread, *check(found.system, catalog, where)))
    if told:
        raise CatalogError(*sorted(told, key=lambda problem: _rank(problem, where)))
    return found.system


_ALL = 1 << 30
"""Rank of what is said of all tables of a name: behind what is said of each."""


def _rank(problem: Problem, where: str) -> tuple[int, int]:
    """Order problems as a system is written: what it is called, its host, its controllers, its drives."""
    table, _, rest = problem.where.removeprefix(f"{where}: ").partition("[")
    at = int(rest.partition("]")[0]) if rest[:1].isdigit() else _ALL
    tables = ("host", "controller", "drives")
    top = table.partition(".")[0]
    return (tables.index(top) + 1 if top in tables else 0, at)


def _check_processors(
    look: Looking, host: HostSpec, processor: ProcessorPart | None, server: ServerPart | None
) -> None:
    """Hold the number of processors to what the server has sockets for and what works together."""
    together = processor.model.get("sockets") if processor else None
    sockets = server.model["sockets"] if server else None
    if server and sockets and host.processors > sockets.value:
        word = "socket" if sockets.value == 1 else "sockets"
        what = f"{host.processors} processors, {server.title} has {sockets} {word}"
        look.wrong("host.processors", what, "take fewer, or another server")
    elif processor and together and host.processors > together.value:
        what = f"{host.processors} processors, of {processor.title} at most {together} work together"
        look.wrong("host.processors", what, "take fewer, or another processor")


def _check_socket(look: Looking, server: ServerPart, socket: Socket, processor: ProcessorPart) -> None:
    """Refuse a processor that sits in another socket than that of the server, where its own is known."""
    if processor.socket and socket.value != processor.socket.value:
        what = f"{processor.title} sits in {processor.socket}, {server.title} has {socket}"
        fit = [part.name for part in processors_of(server, look.catalog)]
        none = f"the catalogue has no processor for {socket}: take another server"
        look.wrong("host.processor", what, f"take {', '.join(fit)}, or another server" if fit else none)


def _check_lanes(
    look: Looking, system: SystemSpec, processor: ProcessorPart, server: ServerPart | None
) -> None:
    """Count the lanes of PCIe that the processors have and the parts use, in the slots where they sit."""
    has = processor.model["pcie_lanes"].whole * system.host.processors
    if in_all := processor.model.get("pcie_lanes_in_all"):
        has = min(has, in_all.whole)
    used = sum(_controller_lanes(look, spec, server) for spec in system.controller) + sum(
        _direct_lanes(look, group, server) for group in system.drives
    )
    if used > has:
        hint = "take fewer drives, a switch adapter or more processors"
        look.wrong("host.processors", f"the parts use {used} lanes of PCIe, the processors have {has}", hint)


def _controller_lanes(look: Looking, spec: ControllerSpec, server: ServerPart | None) -> int:
    part, unit = look.catalog.parts.get(spec.part), look.catalog.parts.get(spec.unit or "")
    if not isinstance(part, ControllerPart):
        return 0
    taken = taken_of(unit if isinstance(unit, ServerPart) else server, part)
    return _lanes(part.host_interface, spec.link or (taken.link if taken else ""))


def _direct_lanes(look: Looking, group: DirectSpec, server: ServerPart | None) -> int:
    switch = look.catalog.parts.get(group.switch or "")
    drive = look.catalog.parts.get(group.drive)
    if isinstance(switch, SwitchPart):
        taken = taken_of(server, switch)
        return _lanes(switch.host_interface, taken.link if taken else "")
    if not isinstance(drive, DrivePart):
        return 0
    taken = taken_of(server, drive)
    return _lanes(drive.interface, group.link or (taken.link if taken else "")) * group.count


def _lanes(own: str, slot: str) -> int:
    """Count the lanes of a part of PCIe in a slot; its own where it does not go into that, as is told."""
    interface = parse_interface(own)
    if interface.family != "PCIe":
        return 0
    with suppress(CatalogError):
        return negotiated(parse_interface(slot), interface).lanes if slot else interface.lanes
    return interface.lanes


def _check_there_are_drives(look: Looking, system: SystemSpec) -> None:
    if not system.controller and not system.drives:
        look.wrong(
            "drives",
            "the system has no drives",
            "give [[drives]] or [[controller]] with [[controller.logical]]",
        )


def _check_volumes(
    look: Looking, controllers: Sequence[ControllerSpec], groups: Sequence[DirectSpec]
) -> None:
    """Refuse two volumes of one name; how those without one are numbered is known where all can be read."""
    every = [*(one for part in controllers for one in read_or(part, "logical", ())), *groups]
    known = [group for group in every if _named(group)]
    if len(known) < len(every):
        known = [group for group in known if group.name]
    twice = [name for name, count in Counter(names_of(known)).items() if count > 1]
    for name in twice:
        look.wrong("name", f'two volumes are called "{name}"', "give the logical drives names of their own")


def _named(group: LogicalSpec | DirectSpec) -> bool:
    """Tell whether all can be read that a name of a volume is made of."""
    return all(read_or(group, key, UNREAD) is not UNREAD for key in ("name", "count", "level"))
