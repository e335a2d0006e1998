"""The settings of a logical drive: its own, the controller's, the preset mode's, in this order."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from iodyno.catalog.naming import volume_names, volumes_of
from iodyno.catalog.parts import CachePolicy, ControllerPart, Preset, ReadPolicy, Switchable, WritePolicy
from iodyno.catalog.tree import ControllerSpec, LogicalSpec, SystemSpec

if TYPE_CHECKING:
    from iodyno.catalog.shelf import Catalog

KEYS = ("read", "write", "cache", "drive_cache")


@dataclass(frozen=True)
class Resolved:
    """Settings, decided; none of a drive cache: as the drive comes."""

    read: ReadPolicy
    write: WritePolicy
    cache: CachePolicy
    drive_cache: Switchable | None

    @property
    def read_ahead(self) -> bool:
        """Whether sequential reads are read ahead."""
        return self.read == "read-ahead"

    @property
    def write_back(self) -> bool:
        """Whether writes are answered from the cache."""
        return self.write != "write-through"

    @property
    def by_the_cache(self) -> bool:
        """Whether nothing goes through the cache: what the fast path needs."""
        return not self.read_ahead and not self.write_back and self.cache == "direct"


def drive_cache_of(
    part: ControllerPart, controller: ControllerSpec, logical: LogicalSpec
) -> Switchable | None:
    """Decide the write cache of the drives; none: as they come."""
    mode = controller.mode
    preset = part.modes.get(mode) if mode else None
    return logical.drive_cache or controller.drive_cache or (preset.drive_cache if preset else None)


def resolved(part: ControllerPart, controller: ControllerSpec, logical: LogicalSpec) -> Resolved:
    """Decide the settings of a logical drive."""
    preset = part.modes.get(controller.mode, Preset()) if controller.mode else Preset()
    with_backup = preset.write_with_backup if controller.backup_unit else None
    return Resolved(
        read=logical.read or controller.read or preset.read or "no-read-ahead",
        write=logical.write or controller.write or with_backup or preset.write or "write-through",
        cache=logical.cache or controller.cache or preset.cache or "direct",
        drive_cache=drive_cache_of(part, controller, logical),
    )


def always_write_back(system: SystemSpec, catalog: Catalog) -> dict[str, bool]:
    """Give the volumes whose writes a controller answers from its cache in any case, by name, each with
    whether a flash backup unit keeps what is in it."""
    found = [
        _always(catalog.take(controller.part, ControllerPart), controller, logical)
        for controller in system.controller
        for logical in controller.logical
        for _ in range(volumes_of(logical))
    ]
    names = volume_names(system)[: len(found)]
    return {name: one for name, one in zip(names, found, strict=True) if one is not None}


def _always(part: ControllerPart, controller: ControllerSpec, logical: LogicalSpec) -> bool | None:
    write = resolved(part, controller, logical).write
    return controller.backup_unit if part.has_cache and write == "always-write-back" else None
