"""How maxima scale with the number of drives, over virtual systems that differ in nothing else."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from iodyno.analysis.curves import Curve
from iodyno.analysis.estimate import Estimate
from iodyno.analysis.scaling import Scaling, scaling
from iodyno.profiles import LoadProfile
from iodyno.virtual import OnDrive, OnHostRaid, VirtualSystem, Volume

INDEPENDENT = "independent"
"""Drives that are not joined: each is a target of its own."""


@dataclass(frozen=True)
class Family:
    """What systems have in common that differ in their number of drives alone."""

    drive: str
    level: str
    """RAID level, or :data:`INDEPENDENT`."""
    controller: str
    """Names of the controllers; empty where drives hang on the host."""
    words: tuple[str, ...] = ()
    """Settings of the volumes that have a name: ``write-back``, ``fast path``."""
    rest: str = ""
    """Everything else that must be the same: model of the drive, settings, cost of an I/O on the host."""


@dataclass(frozen=True)
class DriveScaling:
    """The maxima of a profile over the number of drives."""

    profile: LoadProfile
    workers: int
    """Workers of each of its curves."""
    family: Family
    steps: tuple[Scaling, ...]
    """Ascending by the number of drives, at least two."""

    @property
    def in_proportion(self) -> bool:
        """Whether the ideal is the quotient of the numbers of drives: not from one drive to an array that
        writes more than its data."""
        first = self.steps[0].count
        return all(math.isclose(step.ideal, step.count / first) for step in self.steps)


def family(system: VirtualSystem) -> Family | None:
    """Give the family of a system; none where its drives or volumes are of several kinds."""
    drives = {slot.model.model_dump_json(): slot.name for slot in system.drives}
    kinds = {_joined(system, volume) for volume in system.volumes}
    if len(drives) != 1 or len(kinds) != 1:
        return None
    ((model, name),) = drives.items()
    ((level, words, settings),) = kinds
    cost = system.volumes[0].cpu.model_dump_json() + system.host.model_dump_json()
    controllers = ", ".join(dict.fromkeys(item.name for item in system.controllers))
    return Family(name, level, controllers, words, model + settings + cost)


def _joined(system: VirtualSystem, volume: Volume) -> tuple[str, tuple[str, ...], str]:
    """Give the level of a volume, and the settings that belong to it: those with a name, and all."""
    on = volume.on
    if isinstance(on, OnDrive):
        return INDEPENDENT, (), ""
    if isinstance(on, OnHostRaid):
        return on.array.level, (), str(on.array.strip_bytes)
    logical = system.controllers[on.controller].logicals[on.logical]
    settings = logical.model_dump_json(exclude={"name", "array", "size_bytes"})
    words = ("write-back" if logical.write_back else "write-through",) + ("fast path",) * logical.fast_path
    return logical.array.level, words, settings + str(logical.array.strip_bytes)


def drive_scalings(
    maxima: Iterable[tuple[Curve, Estimate]], systems: Mapping[str, VirtualSystem]
) -> tuple[DriveScaling, ...]:
    """Find the curves of a profile that differ in the number of drives, over the sweeps of a run.

    A single drive on the host is the first step of every family of this drive there. Curves of one number
    of workers are compared; of several such curves the first counts.

    Parameters
    ----------
    maxima
        Curves of one run with the maximum of each.
    systems
        The virtual systems by name.
    """
    found: dict[tuple[LoadProfile, int, Family], dict[int, Estimate]] = {}
    for curve, figure in maxima:
        system = systems.get(curve.first.system or "")
        kin = family(system) if system else None
        if system and kin:
            key = (curve.profile, curve.first.workers, kin)
            found.setdefault(key, {}).setdefault(len(system.drives), figure)
    made = []
    for (profile, workers, kin), figures in found.items():
        single = _single(found, profile, workers, kin)
        first = single if single and 1 not in figures else None
        whole = {**({1: first} if first else {}), **figures}
        if len(whole) > 1:
            left = {count: _left(profile, kin.level, count) for count in figures} if first else {}
            made.append(DriveScaling(profile, workers, kin, scaling(whole, left)))
    return tuple(made)


def _left(profile: LoadProfile, level: str, drives: int) -> float:
    """Give what is left for data, of the operations of an array that writes copies or parity too.

    The least that has to be written: each copy, or whole stripes with their parity.

    Examples
    --------
    Of two drives in RAID 1 half of what they write is a copy.

    >>> from iodyno.profiles import STANDARD_LOADS
    >>> _left(STANDARD_LOADS["restore"].profile, "1", 2), _left(STANDARD_LOADS["streaming"].profile, "1", 2)
    (0.5, 1.0)
    """
    written = {
        "1": float(drives),
        "10": 2.0,
        "5": drives / max(drives - 1, 1),
        "6": drives / max(drives - 2, 1),
    }.get(level, 1.0)
    return 1 / (profile.read_share + (1 - profile.read_share) * written)


def _single(
    found: Mapping[tuple[LoadProfile, int, Family], Mapping[int, Estimate]],
    profile: LoadProfile,
    workers: int,
    kin: Family,
) -> Estimate | None:
    """Find the single drive that an array of the host starts from."""
    if kin.controller or kin.level == INDEPENDENT:
        return None
    for (other, count, alone), figures in found.items():
        same = (other, count, alone.drive, alone.controller) == (profile, workers, kin.drive, "")
        if same and alone.level == INDEPENDENT and 1 in figures:
            return figures[1]
    return None
