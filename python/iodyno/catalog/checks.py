"""Whether a system can exist: every problem of its tree at once."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from iodyno.catalog.controller_checks import check_controller
from iodyno.catalog.levels import drives_hint, drives_problem
from iodyno.catalog.links import parse_interface
from iodyno.catalog.looking import Looking
from iodyno.catalog.member_checks import check_failed, check_filled
from iodyno.catalog.naming import volume_names
from iodyno.catalog.parts import (
    ControllerPart,
    DrivePart,
    ProcessorPart,
    ServerPart,
    SettingsPart,
    SoftwarePart,
    SwitchPart,
    Taken,
)
from iodyno.catalog.shelf import Catalog, shipped
from iodyno.catalog.tree import DirectSpec, SystemSpec
from iodyno.errors import CatalogError, Problem


def check(system: SystemSpec, catalog: Catalog | None = None, where: str = "") -> list[Problem]:
    """Find every problem of a system.

    Parameters
    ----------
    system
        The tree.
    catalog
        Where its parts are; what iodyno ships unless another is given.
    where
        What to call the system; its name unless another is given.

    Returns
    -------
    list of Problem
        Empty where the system can exist.
    """
    look = Looking(catalog or shipped(), where or system.name)
    server = look.part(system.host.server, ServerPart, "host.server")
    _check_host(look, system, server)
    software = look.part(system.host.software, SoftwarePart, "host.software")
    for place, controller in enumerate(system.controller):
        before = system.controller[:place]
        check_controller(look, controller, f"controller[{place}]", server, software, before)
    for place, group in enumerate(system.drives):
        _check_direct(look, group, f"drives[{place}]", server, software)
        _check_server_takes(look, system.drives[: place + 1], f"drives[{place}]", server)
    _check_lanes(look, system)
    _check_volumes(look, system)
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


def _check_host(look: Looking, system: SystemSpec, server: ServerPart | None) -> None:
    host = system.host
    processor = look.part(host.processor, ProcessorPart, "host.processor")
    look.part(host.settings, SettingsPart, "host.settings")
    most = processor.model.get("sockets") if processor else None
    if processor and most and host.processors > most.value:
        what = f"{host.processors} processors, of {processor.title} at most {most} work together"
        look.wrong("host.processors", what, "take fewer, or another processor")
    if server and host.processors > server.model["sockets"].value:
        sockets = server.model["sockets"]
        what = f"{host.processors} processors, {server.title} has {sockets} sockets"
        look.wrong("host.processors", what, "take fewer, or another server")


def _check_direct(
    look: Looking, group: DirectSpec, place: str, server: ServerPart | None, software: SoftwarePart | None
) -> None:
    drive = look.part(group.drive, DrivePart, f"{place}.drive")
    switch = look.part(group.switch, SwitchPart, f"{place}.switch")
    if drive:
        _check_direct_drive(look, group, place, drive)
        check_filled(look, place, drive, group.filled)
    if switch and group.count > switch.model["ports"].value:
        ports = switch.model["ports"]
        what = f"{group.count} drives, {switch.title} has {ports} ports"
        look.wrong(f"{place}.count", what, "take fewer drives, or another [[drives]] for a second adapter")
    if switch and server and server.switches and switch.name not in server.switches:
        look.wrong(f"{place}.switch", f"{server.title} does not take {switch.title}", _takes(server))
    if software and group.level:
        _check_host_level(look, group, place, software)


def _is_direct(drive: DrivePart) -> bool:
    """Tell whether a drive can be connected to a host at all."""
    return parse_interface(drive.interface).family == "PCIe"


def _check_direct_drive(look: Looking, group: DirectSpec, place: str, drive: DrivePart) -> None:
    if not _is_direct(drive):
        hint = "put it on a controller: [[controller.logical]]"
        look.wrong(f"{place}.drive", f"{drive.title} has {drive.interface}, the host only PCIe", hint)
    if group.form_factor and group.form_factor not in drive.form_factors:
        forms = ", ".join(drive.form_factors)
        look.wrong(
            f"{place}.form_factor",
            f'{drive.title} does not come as "{group.form_factor}"',
            f"it comes as {forms}",
        )
    if group.write_cache and group.write_cache not in drive.write_cache:
        what = f"{drive.title} cannot have it {group.write_cache}"
        look.wrong(f"{place}.write_cache", what, f"it has it {' or '.join(drive.write_cache)}")


def _check_server_takes(
    look: Looking, groups: Sequence[DirectSpec], place: str, server: ServerPart | None
) -> None:
    """Check the last of some groups; what a server takes of a family counts all of them."""
    group = groups[-1]
    drive = look.catalog.parts.get(group.drive)
    if server is None or not isinstance(drive, DrivePart) or not _is_direct(drive):
        return
    taken = _taken(server, drive)
    if taken is None:
        look.wrong(f"{place}.drive", f"{server.title} does not take {drive.title}", _takes(server))
        return
    parts = ((other, look.catalog.parts.get(other.drive)) for other in groups)
    total = sum(
        other.count for other, part in parts if isinstance(part, DrivePart) and _taken(server, part) is taken
    )
    most = taken.drives.value
    if total > most >= total - group.count:
        together = " together" if total > group.count else ""
        what = f"{total} drives{together}, {server.title} takes {taken.drives} of them"
        look.wrong(f"{place}.count", what, "take fewer drives")
    if taken.form_factors and group.form_factor and group.form_factor not in taken.form_factors:
        forms = ", ".join(taken.form_factors)
        what = f"{server.title} takes it as {forms}, not as {group.form_factor}"
        look.wrong(f"{place}.form_factor", what, f"take it as {forms}")


def _taken(server: ServerPart, drive: DrivePart) -> Taken | None:
    return server.takes.get(drive.family) or server.takes.get(drive.name)


def _check_host_level(look: Looking, group: DirectSpec, place: str, software: SoftwarePart) -> None:
    assert group.level is not None
    if group.level not in software.levels:
        offered = ", ".join(software.levels) or "none"
        look.wrong(f"{place}.level", f"{software.title} has no RAID {group.level}", f"its levels: {offered}")
    elif problem := drives_problem(group.level, group.count, 1):
        look.wrong(f"{place}.count", problem, drives_hint(group.level))
    else:
        check_failed(look, place, group.level, group.count, 1, group.failed)


def _check_lanes(look: Looking, system: SystemSpec) -> None:
    """Count the lanes of PCIe that the processors have and the parts use."""
    processor = look.catalog.parts.get(system.host.processor)
    if not isinstance(processor, ProcessorPart):
        return
    has = int(processor.model["pcie_lanes"].value) * system.host.processors
    used = sum(_controller_lanes(look, c.part) for c in system.controller) + sum(
        _direct_lanes(look, group) for group in system.drives
    )
    if used > has:
        hint = "take fewer drives, a switch adapter or more processors"
        look.wrong("host.processors", f"the parts use {used} lanes of PCIe, the processors have {has}", hint)


def _controller_lanes(look: Looking, name: str) -> int:
    part = look.catalog.parts.get(name)
    interface = parse_interface(part.host_interface) if isinstance(part, ControllerPart) else None
    return interface.lanes if interface and interface.family == "PCIe" else 0


def _direct_lanes(look: Looking, group: DirectSpec) -> int:
    switch = look.catalog.parts.get(group.switch or "")
    drive = look.catalog.parts.get(group.drive)
    if isinstance(switch, SwitchPart):
        return int(switch.model["host_lanes"].value)
    return parse_interface(drive.interface).lanes * group.count if isinstance(drive, DrivePart) else 0


def _check_volumes(look: Looking, system: SystemSpec) -> None:
    if not system.controller and not system.drives:
        look.wrong(
            "drives",
            "the system has no drives",
            "give [[drives]] or [[controller]] with [[controller.logical]]",
        )
    twice = [name for name, count in Counter(volume_names(system)).items() if count > 1]
    for name in twice:
        look.wrong("name", f'two volumes are called "{name}"', "give the logical drives names of their own")


def _takes(server: ServerPart) -> str:
    return f"`iodyno catalog fits {server.name}` lists what it takes"
