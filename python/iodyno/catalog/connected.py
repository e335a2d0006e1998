"""Drives that a host has without a controller: by cable, in a slot, or through a switch adapter."""

from __future__ import annotations

from collections.abc import Sequence

from iodyno.catalog.building import Building, array, drive_model
from iodyno.catalog.fields import MODELS
from iodyno.catalog.levels import capacity_bytes
from iodyno.catalog.links import Interface, negotiated, parse_interface
from iodyno.catalog.parts import DrivePart, SwitchPart
from iodyno.catalog.reading import converted
from iodyno.catalog.tree import DirectSpec
from iodyno.virtual import Hop, OnDrive, OnHostRaid, Switch


def add_direct(building: Building, group: DirectSpec, names: Sequence[str]) -> None:
    """Add a group of drives of the host, and its volumes."""
    part = building.catalog.take(group.drive, DrivePart)
    model = drive_model(part, group.write_cache, group.filled)
    before, port = _switch(building, group, parse_interface(part.interface))
    link = negotiated(port, parse_interface(part.interface))
    drives = [
        building.add_drive(part, (*before, building.add_link(link, "host")), model)
        for _ in range(group.count)
    ]
    if group.level in (None, "JBOD"):
        for name, drive in zip(names, drives, strict=True):
            building.add_volume(name, model.capacity_bytes, OnDrive(drive=drive))
    else:
        _add_raid(building, group, names[0], drives, model.capacity_bytes)


def _switch(building: Building, group: DirectSpec, drive: Interface) -> tuple[tuple[Hop, ...], Interface]:
    """Give the steps to the switch, through it, and the port that it, or the host, has for a drive."""
    if group.switch is None:
        return (), building.pcie.wide(drive.lanes)
    part = building.catalog.take(group.switch, SwitchPart)
    lanes = {key: int(part.model[key].value) for key in ("host_lanes", "drive_lanes")}
    switch = parse_interface(part.version).wide(lanes["host_lanes"])
    host = negotiated(building.pcie.wide(lanes["host_lanes"]), switch)
    numbers = converted({"command": part.model["command"]}, MODELS["switch"])
    hops = (
        building.add_link(host, "host", f"{host} of {part.title}"),
        building.add_switch(Switch.model_validate({"name": part.title, **numbers})),
    )
    return hops, switch.wide(lanes["drive_lanes"])


def _add_raid(building: Building, group: DirectSpec, name: str, drives: list[int], member_bytes: int) -> None:
    assert group.level is not None
    strip = group.strip or building.costs.software.strip
    joined = array(group.level, drives, strip, building.costs.mirror_read, failed=group.failed)
    size = capacity_bytes(group.level, group.count, 1, member_bytes, strip)
    building.add_volume(name, size, OnHostRaid(array=joined))
