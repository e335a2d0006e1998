"""How maxima scale with the number of drives, over virtual systems that differ in nothing else."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from iodyno.analysis.curves import Curve
from iodyno.analysis.estimate import Estimate
from iodyno.analysis.kin import Family, family, leads_to, told_apart
from iodyno.analysis.scaling import Scaling, scaling
from iodyno.plan import BesideLoad, WorkersArea
from iodyno.profiles import LoadProfile
from iodyno.virtual import VirtualSystem


@dataclass(frozen=True)
class DriveScaling:
    """The maxima of a profile over the number of drives."""

    profile: LoadProfile
    workers: int
    """Workers of each of its curves."""
    workers_area: WorkersArea
    """What each of them accesses."""
    targets_per_worker: int | None
    """Targets that each of them drives; none where that is all of them."""
    beside: tuple[BesideLoad, ...]
    """What ran at the same time, whatever its targets and seeds."""
    family: Family
    steps: tuple[Scaling, ...]
    """Ascending by the number of drives, at least two."""
    curve: Curve = field(compare=False)
    """One of them, which tells what they are called."""

    @property
    def kind(self) -> tuple[Family, int | None]:
        """What stands together: one kind of array, and as many targets for each worker."""
        return self.family, self.targets_per_worker

    @property
    def in_proportion(self) -> bool:
        """Whether the ideal is the quotient of the numbers of drives: not from one drive to an array that
        writes more than its data."""
        first = self.steps[0].count
        return all(math.isclose(step.ideal, step.count / first) for step in self.steps)


def drive_scalings(
    maxima: Iterable[tuple[Curve, Estimate]],
    systems: Mapping[str, VirtualSystem],
    areas: Mapping[str, str] | None = None,
) -> tuple[DriveScaling, ...]:
    """Find the curves of a profile that differ in the number of drives, over the sweeps of a run.

    A single drive on the host is the first step of every family of this drive there: see
    :func:`iodyno.analysis.kin.leads_to`. Curves of one number of workers are compared, each of which drives
    as many targets, or all of them, with the same loads beside them; of several such curves the first
    counts. A curve with no more targets than a worker drives is one of those whose workers drive all, too.

    Parameters
    ----------
    maxima
        Curves of one run with the maximum of each.
    systems
        The virtual systems by name.
    areas
        What the configurations say of the accessed area, by name; systems with different ones are not
        compared.
    """
    found: dict[_Key, dict[int, _Found]] = {}
    for curve, figure in maxima:
        name = curve.first.system or ""
        system = systems.get(name)
        kin = family(system, (areas or {}).get(name, "")) if system else None
        if system and kin and _loads_all(curve, system):
            found.setdefault((_asked(curve), kin), {}).setdefault(len(system.drives), _Found(figure, curve))
    steps = {key: _Steps(own, _led(found, key, own)) for key, own in found.items()}
    lent = {(key, count) for item in steps.values() for count, key in item.sources}
    made = [
        (key, item)
        for key, item in steps.items()
        if len(item.whole) > 1 and not all((key, count) in lent for count in item.own)
    ]
    kins = told_apart((of, item.first.curve.configuration) for (_, of), item in made)
    return tuple(
        DriveScaling(*asked, kin, item.scaling(asked[0], kin.level), item.first.curve)
        for ((asked, _), item), kin in zip(made, kins, strict=True)
    )


_Asked = tuple[LoadProfile, int, WorkersArea, int | None, tuple[BesideLoad, ...]]
_Key = tuple[_Asked, Family]


def _asked(curve: Curve) -> _Asked:
    """Give what curves are asked that are compared: how many volumes a load is on follows from the system."""
    of = curve.first
    beside = tuple(load.model_copy(update={"seed": 0, "targets": 1}) for load in curve.planned.beside)
    return curve.profile, of.workers, of.workers_area, of.shared_out, beside


@dataclass(frozen=True)
class _Found:
    """A maximum, and the curve that it is of."""

    figure: Estimate
    curve: Curve


@dataclass(frozen=True)
class _Steps:
    """What a family has at each number of drives: of its own, and of families that lead to it."""

    own: Mapping[int, _Found]
    led: Mapping[int, tuple[_Key, _Found]]

    @property
    def sources(self) -> Iterable[tuple[int, _Key]]:
        return ((count, key) for count, (key, _) in self.led.items())

    @property
    def whole(self) -> dict[int, _Found]:
        return {**{count: one for count, (_, one) in self.led.items()}, **self.own}

    @property
    def first(self) -> _Found:
        return self.whole[min(self.whole)]

    def scaling(self, profile: LoadProfile, level: str) -> tuple[Scaling, ...]:
        """Compare with the least: from a drive in no array less is left than the proportion."""
        key, _ = self.led.get(1, (None, None))
        alone = key is not None and key[1].level != level
        left = {count: _left(profile, level, count) for count in self.whole if count > 1} if alone else {}
        return scaling({count: one.figure for count, one in self.whole.items()}, left)


def _led(
    found: Mapping[_Key, Mapping[int, _Found]], key: _Key, own: Mapping[int, _Found]
) -> dict[int, tuple[_Key, _Found]]:
    """Find the systems of other families with numbers of drives that this one does not have itself."""
    asked, kin = key
    led: dict[int, tuple[_Key, _Found]] = {}
    for other, figures in found.items():
        if other == key:
            continue
        for count, one in figures.items():
            alike = other[0] == asked or _has_all(other[0], one.curve, asked)
            if alike and count < max(own) and count not in own and leads_to(other[1], count, kin):
                led.setdefault(count, (other, one))
    return led


def _has_all(one: _Asked, curve: Curve, other: _Asked) -> bool:
    """Tell whether a curve whose workers drive all targets is one of those that drive so many, as it has no
    more."""
    return one[3] is None and other[3] == len(curve.first.targets) and one == (*other[:3], None, other[4])


def _loads_all(curve: Curve, system: VirtualSystem) -> bool:
    """Whether what the figure is of loads all volumes of a system: of others the drives would be counted in
    vain."""
    return {target.path for target in curve.first.targets} >= {volume.name for volume in system.volumes}


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
