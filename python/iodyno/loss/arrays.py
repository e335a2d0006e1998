"""The arrays of a system: which drives hold each other's data, how long a rebuild takes, what is lost."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

from iodyno.catalog.naming import volume_names, volumes_of
from iodyno.catalog.parts import DrivePart
from iodyno.catalog.quantity import UNITS
from iodyno.catalog.resolve import resolve
from iodyno.catalog.shelf import Catalog
from iodyno.catalog.tree import DirectSpec, LogicalSpec, SystemSpec
from iodyno.errors import CatalogError, Problem
from iodyno.loss.chance import Loss, RedundantSet, chance
from iodyno.prediction.mirrors import array_of
from iodyno.study import parse_study
from iodyno.study.simulating import plan_simulation
from iodyno.virtual import Level, OnDrive, OnLogical, VirtualSystem, Volume

YEAR_S = 365.25 * 24 * 3600
"""Seconds of a year."""
FASTEST_BYTES_S = 100_000 << 20
"""Rate that a rebuild is asked for where it may take all that the drives have: more than any has."""
HELD_UP = 0.99
"""Share of the rate asked for below which a rebuild has not come to it."""
GIVE_RATE = "give a rate: --rebuild 200"
DEFECTS = {"mtbf": "how often drives fail", "unreadable": "how often a block cannot be read"}
"""What facts of a drive tell."""
IDLE = """
name = "rebuild"
title = "Rebuild"
[simulation]
warmup_ios = 1
floor_ios = 2
cap_ios = 2
precision = "50%"
[[profile]]
name = "next-to-nothing"
random_share = 1
read_share = 1
blocks = "4k"
[[configuration]]
name = "rebuilding"
title = "Rebuilding"
system = "p3700"
[[sweep]]
name = "idle"
profiles = ["next-to-nothing"]
rate_io_s = [10]
"""
"""A load beside which a rebuild has the drives for itself: a point needs one. Its system is replaced."""


@dataclass(frozen=True)
class Arranged:
    """Drives that are loaded as one, or a drive alone."""

    volume: str
    """What it is called; of several equal ones the first."""
    equal: int
    """How many of the system are like it."""
    level: Level
    drives: int
    groups: int
    """Groups of RAID 50 and 60; 1 for the others."""
    part: DrivePart
    """Each of its drives."""
    drive_bytes: int
    by_controller: bool
    """Whether a controller joins its drives, which is what the simulator rebuilds."""


@dataclass(frozen=True)
class ArrayLoss:
    """How probable it is that an array loses data."""

    array: Arranged
    mtbf_h: float
    """Mean time between failures of a drive in hours, that was counted with."""
    mtbf_of_part: bool
    """Whether the part says so; else a share of failures in a year was given."""
    unreadable_bits: float
    """Bits read for each block that cannot be."""
    rebuild_bytes_s: float | None
    """Rate at which a drive is rebuilt; none without redundancy."""
    simulated: bool
    """Whether that rate is the simulator's, without other load; else it was given."""
    rebuilt_s: float | None
    """How long a drive takes; none without redundancy."""
    loss: Loss


def arrays_of(system: SystemSpec, catalog: Catalog) -> tuple[tuple[Arranged, ...], VirtualSystem]:
    """List the arrays of a system, equal ones once, and resolve it.

    Raises
    ------
    CatalogError
        With every problem, if the system cannot exist, or has members that have failed already.
    """
    resolved = resolve(system, catalog)
    if begun := [
        volume.name for volume in resolved.volumes if (array := array_of(resolved, volume)) and array.failed
    ]:
        wrong = "has failed members, and missions begin with whole arrays"
        raise CatalogError(*(Problem(name, wrong, "leave failed out") for name in begun))
    return arranged(system, resolved, catalog), resolved


def arranged(system: SystemSpec, resolved: VirtualSystem, catalog: Catalog) -> tuple[Arranged, ...]:
    """List the arrays of a system that exists, equal ones once."""
    groups: list[LogicalSpec | DirectSpec] = [part for one in system.controller for part in one.logical]
    groups += system.drives
    each = [group for group in groups for _ in range(volumes_of(group))]
    volumes = {volume.name: volume for volume in resolved.volumes}
    found: dict[object, Arranged] = {}
    for name, group in zip(volume_names(system), each, strict=True):
        part = catalog.take(group.drive, DrivePart)
        one, behind = _arranged(resolved, volumes[name], part)
        key = one.level, one.drives, one.groups, part.name, one.drive_bytes, behind
        first = found.get(key, replace(one, equal=0))
        found[key] = replace(first, equal=first.equal + 1)
    return tuple(found.values())


def _arranged(system: VirtualSystem, volume: Volume, part: DrivePart) -> tuple[Arranged, str]:
    """Describe a volume, and name the controller that joins it, nothing where none does."""
    array = array_of(system, volume)
    if array is None:
        assert isinstance(volume.on, OnDrive), "what is no array is a drive"
        size = system.drives[volume.on.drive].model.capacity_bytes
        return Arranged(volume.name, 1, "JBOD", 1, 1, part, size, False), ""
    controller = system.controllers[volume.on.controller] if isinstance(volume.on, OnLogical) else None
    size = min(system.drives[drive].model.capacity_bytes for drive in array.drives)
    made = Arranged(
        volume.name, 1, array.level, len(array.drives), array.groups, part, size, controller is not None
    )
    return made, controller.name if controller else ""


def loss_of(
    array: Arranged,
    system: VirtualSystem,
    mission_s: float,
    *,
    replaced_s: float = 0.0,
    rebuild_bytes_s: float | None = None,
    failures_a_year: float | None = None,
    seed: int = 1,
) -> ArrayLoss:
    """Give how probable it is that an array loses data within a mission.

    Parameters
    ----------
    array, system
        As :func:`arrays_of` gives them.
    mission_s
        Seconds, above 0.
    replaced_s
        Seconds from a failure to the beginning of the rebuild; 0: a spare is there.
    rebuild_bytes_s
        Rate of a rebuild in bytes/s. None: what the simulator finds without other load.
    failures_a_year
        Share of the drives that fail in a year, above 0 and below 1, instead of what the part says.
    seed
        Of every draw.

    Raises
    ------
    CatalogError
        If the part does not say how often it fails or cannot be read, or the rebuild needs a rate.
    """
    failures_s = -math.log1p(-failures_a_year) / YEAR_S if failures_a_year else None
    mtbf_s, unreadable_bits = _facts(array.part, 1 / failures_s if failures_s else None)
    level, drives, sets = _sets(array)
    rate, simulated = None, False
    if level not in ("JBOD", "0"):
        rate, simulated = _rebuild_bytes_s(array, system, rebuild_bytes_s)
    rebuilt_s = array.drive_bytes / rate if rate else 1.0
    one = RedundantSet(level, drives, 1 / mtbf_s, array.drive_bytes, unreadable_bits, replaced_s, rebuilt_s)
    loss = chance(one, sets, mission_s, seed)
    told = rebuilt_s if rate else None
    return ArrayLoss(array, mtbf_s / 3600, failures_s is None, unreadable_bits, rate, simulated, told, loss)


def _sets(array: Arranged) -> tuple[Level, int, int]:
    """Give level and drives of what holds each other's data, and how many of it there are."""
    if array.level == "10":
        return "1", 2, array.drives // 2
    if array.level in ("50", "60"):
        return ("5" if array.level == "50" else "6"), array.drives // array.groups, array.groups
    return array.level, array.drives, 1


def _facts(part: DrivePart, mtbf_s: float | None) -> tuple[float, float]:
    """Read the time between failures in s, unless it is known, and the bits to a block that is unreadable."""
    wanted = {"unreadable": ("Pbit", 1)} if mtbf_s else {"mtbf": ("h", 10**12), "unreadable": ("Pbit", 1)}
    problems, found = [], {"mtbf": mtbf_s or 0.0}
    for name, (unit, base) in wanted.items():
        fact = part.facts.get(name)
        if fact is None or fact.dimension != UNITS[unit][0] or fact.base <= 0:
            wrong = f"is missing: {DEFECTS[name]}" if fact is None else f"is no number of {unit} above 0"
            hint = f'{name} = {{ value = …, unit = "{unit}", kind = …, source = … }}'
            problems.append(Problem(f"{part.name}: facts.{name}", wrong, hint))
        else:
            found[name] = float(fact.base / base)
    if problems:
        raise CatalogError(*problems)
    return found["mtbf"], found["unreadable"]


def _rebuild_bytes_s(
    array: Arranged, system: VirtualSystem, asked_bytes_s: float | None
) -> tuple[float, bool]:
    """Give the rate of a rebuild, what was asked for at the most, and whether it is the simulator's."""
    if not array.by_controller:
        if asked_bytes_s is None:
            wrong = "how fast the host rebuilds its RAID is not modelled"
            raise CatalogError.of(array.volume, wrong, GIVE_RATE)
        return asked_bytes_s, False
    from iodyno import bench

    bare, volume = _rebuilding(system, array.volume, round(asked_bytes_s or FASTEST_BYTES_S))
    point = plan_simulation(parse_study(IDLE), {"rebuilding": bare}).points[0]
    found = bench.simulate_point(point, bare).simulation
    rebuild = found.longest_rebuild if found else None
    if rebuild is None or not rebuild.bytes_s:
        raise CatalogError.of(volume.name, "nothing is rebuilt", GIVE_RATE)
    slower = asked_bytes_s is None or rebuild.bytes_s < HELD_UP * asked_bytes_s
    return (rebuild.bytes_s, True) if slower else (asked_bytes_s or 0.0, False)


def _rebuilding(system: VirtualSystem, name: str, bytes_s: int) -> tuple[VirtualSystem, Volume]:
    """Give a system with one volume, whose first drive is rebuilt, and nobody else's."""
    volume = next(one for one in system.volumes if one.name == name)
    assert isinstance(volume.on, OnLogical), "only what a controller joins"
    controllers = list(system.controllers)
    for at, controller in enumerate(controllers):
        logicals = []
        for number, logical in enumerate(controller.logicals):
            own = (at, number) == (volume.on.controller, volume.on.logical)
            failed, rate = ((0,), bytes_s) if own else ((), 0)
            changes = {"failed": failed, "rebuild_bytes_s": rate}
            logicals.append(logical.model_copy(update={"array": logical.array.model_copy(update=changes)}))
        controllers[at] = controller.model_copy(update={"logicals": tuple(logicals)})
    return system.model_copy(update={"controllers": tuple(controllers), "volumes": (volume,)}), volume
