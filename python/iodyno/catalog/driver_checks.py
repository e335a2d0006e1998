"""Whether the host's software is for the drives that a system has."""

from __future__ import annotations

from collections.abc import Sequence

from iodyno.catalog.levels import shown_level
from iodyno.catalog.looking import Looking
from iodyno.catalog.matrix import is_direct
from iodyno.catalog.parts import ControllerPart, DrivePart, SoftwarePart
from iodyno.catalog.tree import ControllerSpec, DirectSpec, LogicalSpec
from iodyno.catalog.written import read_or


def check_driver(
    look: Looking, controllers: Sequence[ControllerSpec], groups: Sequence[DirectSpec], software: SoftwarePart
) -> None:
    """Refuse software that is for none of the drives. A host that has some that it is for as well is taken as
    it is: it has one software. That none drives those of an onboard controller is told of them."""
    reached, on = software.reaches, _on(look, controllers, groups)
    if not reached or not on or "onboard" in on or any(where in reached for where in on):
        return
    able = [one for one in look.catalog.of(SoftwarePart) if set(on) <= set(one.reaches)]
    if set(reached) == {"onboard"}:
        what = "drives of an onboard controller, and no drive is on one"
    elif "scsi" in on:
        what = f"NVMe drives of the host, and all drives are behind {on['scsi']}"
    else:
        what = "drives behind controllers, and no drive is behind one"
    if "nvme" not in on:  # what is for both is taken, and not recommended
        able = [one for one in able if "nvme" not in one.reaches]
    named = " or ".join(one.name for one in able)
    look.wrong("host.software", f"{software.title} is for {what}", f"take {named or 'other host software'}")


def _on(look: Looking, controllers: Sequence[ControllerSpec], groups: Sequence[DirectSpec]) -> dict[str, str]:
    """Give what the drives are on, as ``reaches`` calls it, each with the first part of it; nothing where
    some are not known, or cannot be there: what reaches those depends on where they go."""
    parts = [look.catalog.parts.get(read_or(one, "part", "")) for one in controllers]
    drives = [look.catalog.parts.get(read_or(group, "drive", "")) for group in groups]
    on: dict[str, str] = {}
    for part in parts:
        if not isinstance(part, ControllerPart):
            return {}
        on.setdefault("scsi" if part.kind == "controller" else "onboard", part.title)
    if not all(isinstance(drive, DrivePart) and is_direct(drive) for drive in drives):
        return {}
    return on | ({"nvme": ""} if drives else {})


def check_driver_of_board(
    look: Looking, logical: LogicalSpec, part: ControllerPart, software: SoftwarePart
) -> None:
    """An onboard controller has the levels that the host's software does for it, if that drives it at all."""
    level = logical.level
    known = level in part.levels  # of others it is told that the controller has none
    drivers = [one for one in look.catalog.of(SoftwarePart) if "onboard" in one.reaches]
    able = " or ".join(one.name for one in drivers if level in ("JBOD", *one.levels))
    if known and level not in ("JBOD", *software.levels):
        what = f"{part.title} leaves RAID to the host, and {software.title} has no {shown_level(level)}"
    elif software.reaches and "onboard" not in software.reaches:
        what = f"{part.title} leaves its drives to the host, and {software.title} has no driver for them"
    else:
        return
    look.wrong("host.software", what, f"take {able or 'another level'}")
