"""Curves of a lab that nobody simulated: every series has 100 of everything, but for what a test says."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fnmatch import fnmatchcase

from iodyno.fitting.answers import Curves
from iodyno.fitting.curves import Outcome, Series, StationUse

LOADS = (1, 2, 3, 4, 8, 16, 32, 64, 128, 256, 512)
FULL_LOADS = (8, 64, 512)
"""Loads of configurations whose whole range is accessed."""
BLOCKS_KIB = {
    "1k": 1, "4k": 4, "8k": 8, "64k": 64, "256k": 256,
    "database": 8, "copy": 64, "server": 64, "streaming": 64, "restore": 64,
}  # fmt: skip
"""By how a profile's name ends."""
Told = Mapping[str, "float | Outcome"]
"""``configuration profile``, with wildcards; of several processes `` x4`` behind it, of some loads ``@1-8``.
What stands further down holds where several fit."""


@dataclass(frozen=True)
class Case:
    """A statement of a paper: figures that bear it out, and figures that contradict it.

    ``holds`` and ``fails`` are changes to ``base``, each for itself; with ``base`` alone the statement holds.
    """

    figure: str
    base: Told
    fails: tuple[Told, ...]
    holds: tuple[Told, ...] = ()

    def tries(self) -> Iterator[tuple[bool, Told]]:
        """Give what is told each time, with whether the statement holds then."""
        for holds, changes in ((True, ({}, *self.holds)), (False, self.fails)):
            yield from ((holds, {**self.base, **change}) for change in changes)


def made_up(told: Told) -> Curves:
    """Give curves that say what is told, and 100 otherwise: MB/s of sequential profiles, IO/s of others.

    Latencies are as many ms, and of rates and throughputs one is the other by the size of a block.
    """
    return lambda series: {load: _point(told, series, load) for load in _loads(series)}


def _loads(series: Series) -> tuple[int, ...]:
    return FULL_LOADS if series.configuration.endswith("-full") else LOADS


def _point(told: Told, series: Series, load: int) -> Outcome:
    name = f"{series.configuration} {series.profile}" + (f" x{series.workers}" if series.workers > 1 else "")
    found: float | Outcome = 100.0
    for pattern, value in told.items():
        which, _, loads = pattern.partition("@")
        if fnmatchcase(name, which) and _within(load, loads):
            found = value
    if isinstance(found, Outcome):
        return found
    of_a_block = BLOCKS_KIB[series.profile.rpartition("-")[2]] / 1024
    if series.profile.startswith(("streaming", "restore", "sequential")):
        return Outcome(found / of_a_block, found, found)
    return Outcome(found, found * of_a_block, found)


def _within(load: int, loads: str) -> bool:
    if not loads:
        return True
    ends = re.fullmatch(r"(\d+)(?:-(\d+))?", loads)
    assert ends, loads
    return int(ends[1]) <= load <= int(ends[2] or ends[1])


def busy(rate: float = 100.0, **uses: float) -> Outcome:
    """Give a point with stations: ``core`` is one of the host, ``controller`` a part of a controller."""
    named = {
        "core": ("core", "host_cpu"),
        "controller": ("PRAID X: processor", "controller_cpu"),
        "link": ("PCIe 3.0 x8 of PRAID X, reads", "host_link"),
        "drive": ("an SSD: core of its firmware", "drive_front"),
        "writes": ("8 x SAS 12G of PRAID X, writes", "disk_link"),
        "reads": ("8 x SAS 12G of PRAID X, reads", "disk_link"),
        "adapter": ("1610-4P NVMe Switch Adapter", "switch"),
    }
    stations = {named[what][0]: StationUse(named[what][1], 1, use, 0) for what, use in uses.items()}
    return Outcome(rate, rate, rate, stations=stations)


def operations(of_ssds: int) -> Outcome:
    """Give a point of 1000 I/Os and so many operations of the firmware of SSDs, and more of others."""
    jobs = {"an SSD: firmware": of_ssds, "an SSD: dies": 9999, "firmware of a controller": 7777}
    stations = {name: StationUse("drive_front", 8, 0.5, count) for name, count in jobs.items()}
    return Outcome(100, 100, 100, completed=1000, stations=stations)
