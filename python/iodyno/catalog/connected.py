"""Drives that a host has without a controller: by cable, in a slot, or through a switch adapter."""

from __future__ import annotations

from collections.abc import Sequence

from iodyno.catalog.building import Building, HostCosts, array, drive_model
from iodyno.catalog.fields import MODELS
from iodyno.catalog.interfaces import Interface, negotiated, parse_interface, parse_version
from iodyno.catalog.levels import capacity_bytes
from iodyno.catalog.matrix import taken_of
from iodyno.catalog.parts import DrivePart, Part, ServerPart, SwitchPart
from iodyno.catalog.reading import converted
from iodyno.catalog.tree import DirectSpec
from iodyno.virtual import Hop, OnDrive, OnHostRaid, Switch


def add_direct(building: Building, group: DirectSpec, names: Sequence[str], server: str | None) -> None:
    """Add a group of drives of the host, and its volumes."""
    part = building.catalog.take(group.drive, DrivePart)
    model = drive_model(part, group.write_cache, group.filled)
    before, port = _switch(building, group, part, server)
    link = negotiated(port, parse_interface(part.interface))
    if group.link:
        link = negotiated(parse_interface(group.link), link)
    drives = [
        building.add_drive(part, (*before, building.add_link(link, "host")), model)
        for _ in range(group.count)
    ]
    costs = building.costs["nvme"].with_driver(part)
    if group.level in (None, "JBOD"):
        for name, drive in zip(names, drives, strict=True):
            building.add_volume(name, model.capacity_bytes, OnDrive(drive=drive), costs)
    else:
        _add_raid(building, group, names[0], drives, costs, model.capacity_bytes)


def _switch(
    building: Building, group: DirectSpec, drive: DrivePart, server: str | None
) -> tuple[tuple[Hop, ...], Interface]:
    """Give the steps to the switch, through it, and the port that it, or the host, has for a drive."""
    if group.switch is None:
        return (), _slot(building, drive, parse_interface(drive.interface).lanes, server)
    part = building.catalog.take(group.switch, SwitchPart)
    lanes = {key: int(part.model[key].value) for key in ("host_lanes", "drive_lanes")}
    switch = parse_version(part.version).wide(lanes["host_lanes"])
    host = negotiated(_slot(building, part, lanes["host_lanes"], server), switch)
    numbers = converted({"command": part.model["command"]}, MODELS["switch"])
    hops = (
        building.add_link(host, "host", f"{host} of {part.title}"),
        building.add_switch(Switch.model_validate({"name": part.title, **numbers})),
    )
    return hops, switch.wide(lanes["drive_lanes"])


def _slot(building: Building, part: Part, lanes: int, server: str | None) -> Interface:
    """Give what a host has for a part: as many lanes as asked for, unless the server's slot gives less."""
    host = building.pcie.wide(lanes)
    taken = taken_of(building.catalog.take(server, ServerPart), part) if server else None
    return negotiated(parse_interface(taken.link), host) if taken and taken.link else host


def _add_raid(
    building: Building, group: DirectSpec, name: str, drives: list[int], costs: HostCosts, member_bytes: int
) -> None:
    assert group.level is not None
    strip = group.strip or costs.software.strip
    joined = array(group.level, drives, strip, costs.mirror_read, failed=group.failed)
    size = capacity_bytes(group.level, group.count, 1, member_bytes, strip)
    building.add_volume(name, size, OnHostRaid(array=joined), costs)
