"""What this machine can do, and which of its settings will disturb a measurement."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from iodyno.doctor import abilities, drives, machine
from iodyno.doctor.abilities import Probe
from iodyno.doctor.check import Check, CheckState
from iodyno.doctor.place import Place, look_at
from iodyno.system import Host, System

__all__ = ["Check", "CheckState", "Place", "Probe", "examine", "look_at"]


def examine(
    system: System,
    *,
    places: Sequence[Place] = (),
    engines: Mapping[str, str] | None = None,
    host: Host | None = None,
    probe: Probe | None = None,
) -> tuple[Check, ...]:
    """Examine the machine.

    Changes nothing. The paths and devices that are looked at are those of ``system``:
    ``read_system([look_at(path)])`` makes one.

    Parameters
    ----------
    system
        The system as it was read.
    places
        What is to be measured: its devices are tried. None where left out.
    engines
        Engines by name, each with the reason why it cannot run here, empty where it can;
        none: not tried.
    host, probe
        Where to look and what to try; this machine where left out.

    Returns
    -------
    tuple of Check
        What the machine can do, then the machine's settings, then those of each device and
        file system.
    """
    host, probe = host or Host(), probe or Probe()
    found = [*_machine(system, engines, host, probe), *_targets(system, places, host, probe)]
    return tuple(found)


def _machine(system: System, engines: Mapping[str, str] | None, host: Host, probe: Probe) -> Iterator[Check]:
    yield from abilities.engines(system, engines)
    yield from abilities.kernel(system)
    yield from abilities.rights(host)
    yield from abilities.process_limits(host, probe)
    yield from machine.processor(system)
    yield from machine.surroundings(system, host)


def _targets(system: System, places: Sequence[Place], host: Host, probe: Probe) -> Iterator[Check]:
    for place in places:
        if place.kind == "device":
            yield from abilities.device_access(place, host, probe)
    for section in system.all("device"):
        yield from drives.drive(section, system)
    for section in system.all("file_system"):
        yield from abilities.direct_io(section.subject, probe)
        yield from drives.file_system(section)
