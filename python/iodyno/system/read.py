"""Reading the whole system under test."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timezone

from iodyno.system import machine
from iodyno.system.devices import device_section
from iodyno.system.file_systems import file_system_section
from iodyno.system.host import Host
from iodyno.system.places import devices_of
from iodyno.system.records import System, TargetLike

_MACHINE = (
    machine.processor, machine.frequency, machine.idle, machine.memory, machine.board,
    machine.operating_system, machine.virtualisation,
)  # fmt: skip


def read_system(targets: Sequence[TargetLike], *, serials: bool = True, host: Host | None = None) -> System:
    """Read the system under test: the machine, the devices behind targets, their file systems.

    Nothing is changed and nothing raises: what cannot be read says so and why. Takes some
    milliseconds, more where smartctl is asked.

    Parameters
    ----------
    targets
        What will be measured; may be empty.
    serials
        Whether serial numbers are read.
    host
        Where to look; this machine where left out.

    Returns
    -------
    System
        One section for each part of the machine, then one for each device (those that a
        stacked device stands on follow it), then one for each target file.
    """
    host = host or Host()
    devices = [device_section(host, name, serials=serials) for name in devices_of(host, targets)]
    files = [file_system_section(host, target) for target in targets if target.kind == "file"]
    return System(
        read_at=datetime.now(timezone.utc).isoformat(timespec="seconds"),
        sections=(*(section(host) for section in _MACHINE), *devices, *files),
    )
