"""How many drives a run was made on: one of an array says nothing of a single drive."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from iodyno.catalog.levels import shown_level
from iodyno.plan import PlannedTarget
from iodyno.reading import PointResult
from iodyno.store.records import Run
from iodyno.system.records import Section, System
from iodyno.virtual import OnDrive, OnHostRaid, VirtualSystem, Volume

NAMED = 4
"""Drives that a message names."""


@dataclass(frozen=True)
class Drives:
    """The drives that a target is on."""

    count: int
    level: str = ""
    """How they are joined, ``RAID 5``; empty of one drive, and where nothing tells."""
    named: tuple[str, ...] = ()
    """What the kernel calls them, where it does."""

    def __str__(self) -> str:
        if self.count == 1:
            return "one drive"
        more = ", …" if len(self.named) > NAMED else ""
        names = f" ({', '.join(self.named[:NAMED])}{more})" if self.named else ""
        return f"{f'{self.level} of ' if self.level else ''}{self.count} drives{names}"


def drives_of(system: VirtualSystem, volume: Volume) -> Drives:
    """Give the drives of a virtual volume."""
    on = volume.on
    if isinstance(on, OnDrive):
        return Drives(1)
    if isinstance(on, OnHostRaid):
        array = on.array
    else:
        array = system.controllers[on.controller].logicals[on.logical].array
    count = len(array.drives)
    return Drives(count, shown_level(array.level) if count > 1 else "")


def drives_of_run(run: Run, used: Sequence[PointResult]) -> Drives | None:
    """Give the drives of the one target of the points that are used; none where the run does not tell.

    A controller shows the kernel an array as one drive.
    """
    point = used[0].point
    target = point.targets[0]
    if point.system is None:
        return _below(run.system, target)
    system = run.plan.systems[point.system]
    return drives_of(system, next(volume for volume in system.volumes if volume.name == target.path))


def _below(system: System, target: PlannedTarget) -> Drives | None:
    """Give the drives that the device of a target stands on; none where it is one, or may be.

    They are told apart by their serial numbers: several paths can lead to one drive. Without these only md is
    known to join drives.
    """
    sections = {section.subject: section for section in system.all("device")}
    device = _device_of(system, target, sections)
    below = _stands_on(device) if device else []
    stacks = [section for name in below if (section := sections.get(name))]
    arrays = [section for section in (device, *stacks) if section and section.value("kind") == "md"]
    drives = [section for section in stacks if not _stands_on(section)]
    serials = {str(serial) for one in drives if (serial := one.value("serial"))}
    count = len(drives) if arrays and len(serials) < 2 else len(serials)
    if count < 2:
        return None
    level = next((str(found).upper() for one in arrays if (found := one.value("raid_level"))), "")
    shown = f"RAID {level.removeprefix('RAID')}" if level.startswith("RAID") else ""
    return Drives(count, shown, tuple(one.subject for one in drives))


def _stands_on(section: Section) -> list[str]:
    found = section.value("stands_on")
    return str(found).split(", ") if found else []


def _device_of(system: System, target: PlannedTarget, sections: dict[str, Section]) -> Section | None:
    """Find the device that a target is, or that its file's file system is on; of a partition the whole."""
    on = system.value("file_system", "fs_device", target.path) if target.kind == "file" else target.path
    name = Path(str(on or "")).name
    whole = [one for one in sections if name == one or name.removeprefix(one).lstrip("p").isdigit()]
    return sections[max(whole, key=len)] if whole and name else None
