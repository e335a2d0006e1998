"""Names of a system's volumes: what its targets are called."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from iodyno.catalog.tree import DirectSpec, LogicalSpec, SystemSpec

USUAL = "volume"


def volumes_of(group: LogicalSpec | DirectSpec) -> int:
    """Count the volumes of a logical drive or group of drives: one, or as many as drives without RAID."""
    return group.count if group.level in (None, "JBOD") else 1


def volume_names(system: SystemSpec) -> list[str]:
    """Name the volumes: logical drives by controller, then drives of the host.

    A volume is called ``volume`` unless a name is given; several of one name given to a group,
    and several without a name, are numbered from 1.

    Examples
    --------
    >>> from iodyno.catalog.changes import changed
    >>> from iodyno.catalog.tree import load_system
    >>> volume_names(changed(load_system("p3700"), {"count": 2}))
    ['volume-1', 'volume-2']
    """
    groups: list[LogicalSpec | DirectSpec] = [part for c in system.controller for part in c.logical]
    groups += system.drives
    return names_of(groups)


def names_of(groups: Sequence[LogicalSpec | DirectSpec]) -> list[str]:
    """Name the volumes of logical drives and of drives of the host, in this order."""
    unnamed = sum(volumes_of(group) for group in groups if not group.name)
    names: list[str] = []
    seen: Counter[str] = Counter()
    for group in groups:
        several = unnamed > 1 if not group.name else volumes_of(group) > 1
        for _ in range(volumes_of(group)):
            name = group.name or USUAL
            seen[name] += 1
            names.append(f"{name}-{seen[name]}" if several else name)
    return names
