"""What lies behind a path, for looking only: no guard speaks, nothing is made."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

from iodyno.errors import TargetError
from iodyno.targets.host import Host as Devices
from iodyno.targets.host import block_number, no_target


@dataclass(frozen=True)
class Place:
    """A path with the device and file system behind it; what ``read_system`` takes."""

    path: str
    kind: str
    device: str | None = None
    partition: str | None = None
    file_system: str | None = None
    mount_options: str = ""


def look_at(path: str | Path, devices: Devices | None = None) -> Place:
    """Find the device and the file system behind a file, folder or block device.

    Unlike ``find_targets`` this takes a mounted device too: it is only looked at.

    Raises
    ------
    TargetError
        If the path does not exist, or is neither of them.
    """
    devices, real = devices or Devices(), Path(path).resolve()
    if not real.exists():
        raise TargetError.of(str(path), "does not exist", "name a file, folder or block device")
    if kind := no_target(real.stat().st_mode):
        raise TargetError.of(str(path), f"is {kind}", "name a file, folder or block device")
    number = block_number(real)
    mount = None if number else devices.mount_of(real, _file_system_number(real))
    block = devices.device(number) if number else devices.device_of_mount(mount) if mount else None
    return Place(
        path=str(real),
        kind="device" if number else "file",
        device=block.disk.name if block else None,
        partition=block.name if block and block.is_partition else None,
        file_system=mount.file_system if mount else None,
        mount_options=mount.options if mount else "",
    )


def _file_system_number(path: Path) -> str:

    number = path.stat().st_dev
    return f"{os.major(number)}:{os.minor(number)}"
