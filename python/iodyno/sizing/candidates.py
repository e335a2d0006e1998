"""With how many drives a system can exist, and what it holds with them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from iodyno.catalog.changes import changed
from iodyno.catalog.resolve import resolve
from iodyno.catalog.shelf import Catalog
from iodyno.catalog.tree import SystemSpec
from iodyno.errors import CatalogError, Problem
from iodyno.loss import Arranged, arranged
from iodyno.prediction.mirrors import array_of
from iodyno.profiles import Area
from iodyno.virtual import VirtualSystem

MOST_DRIVES = 256
"""Drives that are tried at the most in each group: more than any system of the catalogue takes."""

ROUNDED = 0.001
"""Share of a capacity that may be missing: five drives of 400 GB hold 2 TB, less what is no whole strip."""


@dataclass(frozen=True)
class Candidate:
    """A system with so many drives, which can exist."""

    count: int
    """Drives in each of its groups: ``count`` of the system."""
    system: VirtualSystem
    array: Arranged
    """Its arrays, all of one kind."""

    @property
    def failed(self) -> int:
        """Members of each array that have failed."""
        array = array_of(self.system, self.system.volumes[0])
        return len(array.failed) if array else 0

    def has(self, area: Area | None) -> bool:
        """Tell whether an area lies within each of its volumes: one in shares, whatever their size."""
        if area is None or (isinstance(area.start, float) and isinstance(area.length, float)):
            return True
        return all(sum(area.resolve(one.size_bytes, 1)) <= one.size_bytes for one in self.system.volumes)

    @property
    def capacity_bytes(self) -> int:
        """What all of its volumes hold together."""
        return sum(volume.size_bytes for volume in self.system.volumes)


@dataclass(frozen=True)
class Choice:
    """A system and what is changed of it, with any number of drives."""

    system: str
    """Its name, or path, or what it is called among others."""
    changes: Mapping[str, str]
    """What is changed but for the number of drives."""
    candidates: tuple[Candidate, ...]
    """With how many drives it can exist and holds what is wanted, ascending."""
    small: Candidate | None
    """The most drives that hold less than is wanted; none where the fewest hold it."""
    beyond: tuple[Problem, ...]
    """Why there cannot be more drives; nothing where as many are tried as ever are."""


def choice_of(
    name: str,
    system: SystemSpec,
    changes: Mapping[str, str],
    catalog: Catalog,
    *,
    capacity_bytes: int = 0,
    area: Area | None = None,
) -> Choice:
    """Find with how many drives a system can exist.

    Parameters
    ----------
    name
        Its name, or path.
    system
        The system; how many drives it has does not count.
    changes
        What is changed of it: ``drive``, ``level``.
    catalog
        The parts.
    capacity_bytes
        What all volumes are to hold together, at the least.
    area
        What of each volume is to be accessed; all of it where none is given.

    Raises
    ------
    CatalogError
        With the problems of the number of drives that has fewest, if it cannot exist with any. If it has
        several kinds of arrays, or holds too little with all drives.
    """
    called = ", ".join((name, *(f"--{key} {value}" for key, value in changes.items())))
    found: list[Candidate] = []
    refused: dict[int, tuple[Problem, ...]] = {}
    for count in range(1, MOST_DRIVES + 1):
        try:
            spec = changed(system, {**changes, "count": count}, called)
            resolved = resolve(spec, catalog)
        except CatalogError as error:
            refused[count] = error.problems
            continue
        arrays = arranged(spec, resolved, catalog)
        if len(arrays) > 1:
            kinds = "has arrays of several kinds, and one is sized at a time"
            raise CatalogError.of(called, kinds, "give a system with one of them alone")
        found.append(Candidate(count, resolved, arrays[0]))
    if not found:
        raise CatalogError(*min(refused.values(), key=len))
    least_bytes = (1 - ROUNDED) * capacity_bytes
    held = [one.capacity_bytes >= least_bytes and one.has(area) for one in found]
    step = found[-1].count - found[-2].count if len(found) > 1 else 1
    beyond = refused.get(found[-1].count + step, ())
    if not any(held):
        raise CatalogError(_too_little(called, found[-1], least_bytes, area), *beyond)
    first = held.index(True)
    small = found[first - 1] if first else None
    return Choice(name, changes, tuple(found[first:]), small, beyond)


def _too_little(called: str, most: Candidate, least_bytes: float, area: Area | None) -> Problem:
    """Say what is not held even with the most drives."""
    hint = "take larger drives, another level, or a system that takes more drives"
    if most.capacity_bytes >= least_bytes:
        what = f"an area of {area} is more than each volume holds with {most.count} drives"
        return Problem(called, what, hint)
    wanted = f"is to hold {_tb(least_bytes / (1 - ROUNDED))}"
    return Problem(called, f"holds {_tb(most.capacity_bytes)} with {most.count} drives, and {wanted}", hint)


def _tb(size_bytes: float) -> str:
    return f"{size_bytes / 1e12:.4g} TB"
