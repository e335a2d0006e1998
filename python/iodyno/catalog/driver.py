"""Which of a host's software drives the drives of a system, and what a single one leaves to be told."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from iodyno.catalog.matrix import is_direct
from iodyno.catalog.parts import ControllerPart, DrivePart, Reached, SoftwarePart
from iodyno.catalog.shelf import Catalog
from iodyno.catalog.tree import ControllerSpec, DirectSpec, SystemSpec
from iodyno.catalog.written import read_or


def reached_by(part: ControllerPart) -> Reached:
    """Say how a host comes to the drives of a controller."""
    return "onboard" if part.kind == "onboard" else "scsi"


def driver(software: Sequence[SoftwarePart | None], reached: Reached) -> SoftwarePart | None:
    """Give the software that drives what is reached so, none where none that is known does; a single one is
    taken for all."""
    if len(software) == 1:
        return software[0]
    return next((one for one in software if one and reached in one.reaches), None)


def drives_of(
    catalog: Catalog, controllers: Sequence[ControllerSpec], groups: Sequence[DirectSpec]
) -> dict[Reached, str]:
    """Give how a host comes to the drives of a system, each with what they are called.

    Returns
    -------
    dict
        Nothing where some are not known, or cannot be there: what reaches those depends on where they go.
    """
    parts = [catalog.parts.get(read_or(one, "part", "")) for one in controllers]
    drives = [catalog.parts.get(read_or(group, "drive", "")) for group in groups]
    on: dict[Reached, str] = {}
    for part in parts:
        if not isinstance(part, ControllerPart):
            return {}
        where = "behind" if part.kind == "controller" else "on"
        on.setdefault(reached_by(part), f"drives {where} {part.title}")
    if not all(isinstance(drive, DrivePart) and is_direct(drive) for drive in drives):
        return {}
    return on | ({"nvme": "NVMe drives of the host"} if drives else {})


def systems_of(software: Sequence[SoftwarePart]) -> dict[str, list[str]]:
    """Give the operating systems that software says it is part of, each with the names of it."""
    found: dict[str, list[str]] = {}
    for one in software:
        if one.operating_system:
            found.setdefault(one.operating_system, []).append(one.name)
    return found


def beside(
    catalog: Catalog, software: Sequence[SoftwarePart], wanted: Reached, others: Mapping[Reached, str]
) -> str:
    """Name what goes with software, drives what is reached so, and nothing of what others drive."""
    return " or ".join(one.name for one in goes_with(catalog, software, wanted, others))


def goes_with(
    catalog: Catalog, software: Sequence[SoftwarePart], wanted: Reached, others: Mapping[Reached, str]
) -> list[SoftwarePart]:
    """Give what :func:`beside` names."""
    return [
        one
        for one in catalog.of(SoftwarePart)
        if wanted in one.reaches
        and not others.keys() & set(one.reaches)
        and len(systems_of((*software, one))) < 2
    ]


def added(names: str, software: SoftwarePart) -> str:
    """Write the hint to name more software beside a single one, for the drives that it is not for."""
    return f'add {names}: software = ["{software.name}", …]'


def charged_beyond(system: SystemSpec, catalog: Catalog) -> list[tuple[str, str]]:
    """Say of which drives of a system that can exist the costs are those of software that is for others.

    Returns
    -------
    list
        What is so and a hint, of each kind of drives.
    """
    software = catalog.take(system.host.software[0], SoftwarePart)
    on, beyond = drives_of(catalog, system.controller, system.drives), not_its_own(system, catalog)
    own = {reached: what for reached, what in on.items() if reached not in beyond}
    able = {reached: beside(catalog, (software,), reached, own) or "software that is" for reached in beyond}
    return [
        (
            f"what an I/O costs on {what} is taken from {software.title}, which is not for them",
            added(able[reached], software),
        )
        for reached, what in beyond.items()
    ]


def not_its_own(system: SystemSpec, catalog: Catalog) -> dict[Reached, str]:
    """Give the drives of a system that can exist which its only software is not for, and is charged for.

    Returns
    -------
    dict
        How the host comes to them, each with what they are called; nothing where the software does not say
        which drives it is for.
    """
    if len(system.host.software) > 1:
        return {}
    reaches = catalog.take(system.host.software[0], SoftwarePart).reaches
    on = drives_of(catalog, system.controller, system.drives)
    return {reached: what for reached, what in on.items() if reaches and reached not in reaches}
