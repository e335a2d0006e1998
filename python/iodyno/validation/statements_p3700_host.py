"""Statements of the P3700 paper on the accessed area, several processes, and the host."""

from __future__ import annotations

from functools import partial

from iodyno.fitting.answered.p3700 import LARGER, LARGEST, READ_4K, SINGLE, on
from iodyno.fitting.answers import Curves
from iodyno.validation.statements import (
    Finding,
    Paper,
    alike,
    all_of,
    compare,
    each,
    growing,
    loads,
    rising,
    top,
    within,
)

CAPACITIES = (SINGLE, LARGER, LARGEST)
FULL = "-full"
"""What the name of a configuration ends with whose whole range is accessed."""
READS = ("random-read-4k", "random-read-8k", "random-read-64k")
MIXES = ("random-67-4k", "database", "file-server")
WRITES = ("random-write-4k", "random-write-8k", "random-write-64k")
BLOCKS = ("4 kB", "8 kB", "64 kB")
SLOW, MIDDLE = "single-800g-1.6ghz", "single-800g-2.3ghz"
DEFAULT_SETTINGS, POWER_PLAN = "single-800g-default", "single-800g-power-plan"
paper = Paper("p3700")


def _pair(curves: Curves, name: str, profile: str) -> tuple[float, float]:
    """Maxima on the full range and on 32 GB."""
    return top(curves, on(name + FULL, profile)), top(curves, on(name, profile))


def _loss(curves: Curves, name: str, profile: str) -> float:
    """Share of the rate that the full range costs, 0 to 1."""
    full, small = _pair(curves, name, profile)
    return 1 - full / small


@paper.says(109, "Streaming and Restore: maxima on the full range within 5 % of those on 32 GB")
def _sequential_area(curves: Curves) -> Finding:
    return each(
        within(profile, *_pair(curves, SINGLE, profile), share=0.05) for profile in ("streaming", "restore")
    )


@paper.says(110, "random reads of 4, 8 and 64 kB, each capacity: full range within 5 % of 32 GB")
def _read_area(curves: Curves) -> Finding:
    return each(
        within(f"{name} {profile}", *_pair(curves, name, profile), share=0.05)
        for name in CAPACITIES
        for profile in READS
    )


@paper.says(111, "800 GB, 67 % read, 4, 8 and 64 kB: at least 5 % slower on the full range")
def _mixed_area(curves: Curves) -> Finding:
    return each(compare(profile, *_pair(curves, SINGLE, profile), most=0.95) for profile in MIXES)


@paper.says(112, "1.6 TB, 67 % read: at least 5 % slower on the full range at 64 kB, less at 4 and 8 kB")
def _mixed_area_larger(curves: Curves) -> Finding:
    return all_of(
        compare("file-server", *_pair(curves, LARGER, "file-server"), most=0.95),
        *(compare(profile, *_pair(curves, LARGER, profile), least=0.95) for profile in MIXES[:2]),
    )


@paper.says(
    113, "100 % write, each capacity: at least 5 % slower on the full range, mean over 4, 8 and 64 kB"
)
def _write_area(curves: Curves) -> Finding:
    losses = {name: [_loss(curves, name, profile) for profile in WRITES] for name in CAPACITIES}
    return each(
        Finding(
            sum(found) >= 0.05 * len(found), f"{name} {' '.join(f'{loss * 100:.1f} %' for loss in found)}"
        )
        for name, found in losses.items()
    )


@paper.says(
    114, "800 GB, each block size: what the full range costs does not fall from 0 over 33 to 100 % write"
)
def _with_writes(curves: Curves) -> Finding:
    return each(
        growing(block, [_loss(curves, SINGLE, profile) for profile in profiles], slack=0.01)
        for block, profiles in zip(BLOCKS, zip(READS, MIXES, WRITES, strict=True), strict=True)
    )


@paper.says(115, "800 GB, 67 % read: what the full range costs is greater at 64 kB than at 4 and 8 kB")
def _with_block(curves: Curves) -> Finding:
    small, medium, large = (_loss(curves, SINGLE, profile) for profile in MIXES)
    return growing("up to 8 kB, then 64 kB:", [max(small, medium), large])


@paper.says(116, "100 % write of 64 kB, and File server: what the full range costs falls from 800 GB to 2 TB")
def _with_capacity(curves: Curves) -> Finding:
    return each(
        growing(f"{profile} from 2 TB down", [_loss(curves, name, profile) for name in reversed(CAPACITIES)])
        for profile in ("random-write-64k", "file-server")
    )


@paper.says(
    117, "random load with writes, each capacity: 32 GB as fast as the full range or faster, 1 % slack"
)
def _small_area(curves: Curves) -> Finding:
    return each(
        compare(f"{name} {profile}", *_pair(curves, name, profile), most=1.01)
        for name in CAPACITIES
        for profile in (*MIXES, *WRITES)
    )


@paper.says(121, "4 processes, random reads of 4 kB: at least 5 % faster at 3.5 GHz than at 1.6 GHz")
def _frequency_needed(curves: Curves) -> Finding:
    fast, middle, slow = (top(curves, on(host, READ_4K, 4)) for host in (SINGLE, MIDDLE, SLOW))
    beside = compare("at 2.3 GHz", fast, middle)
    return all_of(compare("IO/s", fast, slow, least=1.05), beside)


@paper.says(122, "4 processes, random reads of 4 kB: their cores busy for at least 30 % of the time")
def _cores_busy(curves: Curves) -> Finding:
    point = max(curves(on(SINGLE, READ_4K, 4)).values(), key=lambda found: found.rate)
    busy = max((use.utilisation for name, use in point.stations.items() if "core" in name), default=0.0)
    return Finding(busy >= 0.3, f"{busy * 100:.0f} % at {point.rate:.0f} IO/s")


@paper.says(123, "random 4 and 8 kB: maxima rise with 1.6, 2.3 and 3.5 GHz, by at least 20 % in all")
def _small_blocks(curves: Curves) -> Finding:
    return each(
        rising(f"{profile} IO/s", _by_frequency(curves, profile), slack=0.0, gain=0.20)
        for profile in (READ_4K, "database")
    )


def _by_frequency(curves: Curves, profile: str) -> list[float]:
    return [top(curves, on(host, profile)) for host in (SLOW, MIDDLE, SINGLE)]


@paper.says(
    124,
    "random 64 kB: the maxima at 1.6, 2.3 and 3.5 GHz differ by at most 3 %."
    " Blocks between 8 and 64 kB, of which the paper shows none, are no part of this",
)
def _large_blocks(curves: Curves) -> Finding:
    return each(
        alike(profile, _by_frequency(curves, profile), 0.03) for profile in ("file-server", "file-copy")
    )


def _settings(curves: Curves, *, least: float, most: float, slower: str) -> Finding:
    fast, slow = (top(curves, on(name, "database")) for name in (SINGLE, slower))
    return compare("IO/s", fast, slow, least=least, most=most)


paper.add(
    125,
    "Database: performance settings give a higher maximum than default settings",
    partial(_settings, least=1.001, most=float("inf"), slower=DEFAULT_SETTINGS),
)


@paper.says(
    126,
    "Database, File server from 2 outstanding on: settings gain over 5 % only above 120 000 IO/s,"
    " and at the maximum of Database",
)
def _threshold(curves: Curves) -> Finding:
    found = []
    for profile in ("database", "file-server"):
        fast, slow = curves(on(SINGLE, profile)), curves(on(DEFAULT_SETTINGS, profile))
        found += [
            Finding(fast[load].rate > 120_000, f"{profile} at {load}: {fast[load].rate:.0f} IO/s")
            for load in loads(fast, 2, 512)
            if fast[load].rate > slow[load].rate * 1.05
        ]
    most, slower = (top(curves, on(name, "database")) for name in (SINGLE, DEFAULT_SETTINGS))
    return all_of(each(found), compare("maximum of Database", most, slower, least=1.05))


paper.add(
    127,
    "Database: maximum with the power plan alone within 5 % of that with performance settings",
    partial(_settings, least=1 / 1.05, most=1.05, slower=POWER_PLAN),
)
