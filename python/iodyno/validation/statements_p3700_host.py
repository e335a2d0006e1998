"""Statements of the P3700 paper on the accessed area, several processes, and the host."""

from __future__ import annotations

from iodyno.fitting.answered.p3700 import LARGER, LARGEST, READ_4K, SINGLE, on
from iodyno.fitting.answers import Curves
from iodyno.validation.statements import (
    POINT,
    Finding,
    Paper,
    alike,
    all_of,
    compare,
    each,
    growing,
    rising,
    top,
    within,
)

CAPACITIES = (SINGLE, LARGER, LARGEST)
FULL = "-full"
"""What the name of a configuration ends with whose whole range is accessed."""
READS = ("random-read-4k", "random-read-8k", "random-read-64k")
MIXES = ("random-67-4k", "database", "file-server")
"""67 % reads of 4, 8 and 64 kB."""
WRITES = ("random-write-4k", "random-write-8k", "random-write-64k")
BLOCKS = ("4 kB", "8 kB", "64 kB")
SMALL_BLOCKS = (*READS[:2], *MIXES[:2], *WRITES[:2])
LARGE_BLOCKS = (READS[2], MIXES[2], WRITES[2], "file-copy")
SLOW, MIDDLE = "single-800g-1.6ghz", "single-800g-2.3ghz"
DEFAULT_SETTINGS, POWER_PLAN = "single-800g-default", "single-800g-power-plan"
paper = Paper("p3700")


def maxima_by_area(curves: Curves, name: str, profile: str) -> tuple[float, float]:
    """Maxima on the full range and on 32 GB, over the loads that both have."""
    full, small = curves(on(name + FULL, profile)), curves(on(name, profile))
    both = [load for load in full if load in small]
    return max(full[load].rate for load in both), max(small[load].rate for load in both)


def loss(curves: Curves, name: str, profile: str) -> float:
    """Share of the rate that the full range costs, 0 to 1."""
    full, small = maxima_by_area(curves, name, profile)
    return 1 - full / small


@paper.says(
    109, "Streaming and Restore, each capacity: maxima on the full range within 5 % of those on 32 GB"
)
def _sequential_area(curves: Curves) -> Finding:
    return each(
        within(f"{name} {profile}", *maxima_by_area(curves, name, profile), share=0.05)
        for name in CAPACITIES
        for profile in ("streaming", "restore")
    )


@paper.says(110, "random reads of 4, 8 and 64 kB, each capacity: full range within 5 % of 32 GB")
def _read_area(curves: Curves) -> Finding:
    return each(
        within(f"{name} {profile}", *maxima_by_area(curves, name, profile), share=0.05)
        for name in CAPACITIES
        for profile in READS
    )


@paper.says(111, "800 GB, 67 % read, 4, 8 and 64 kB: at least 5 % slower on the full range")
def _mixed_area(curves: Curves) -> Finding:
    return each(compare(profile, *maxima_by_area(curves, SINGLE, profile), most=0.95) for profile in MIXES)


@paper.says(112, "1.6 TB, 67 % read: at least 5 % slower on the full range at 64 kB, less at 4 and 8 kB")
def _mixed_area_larger(curves: Curves) -> Finding:
    return all_of(
        compare("file-server", *maxima_by_area(curves, LARGER, "file-server"), most=0.95),
        *(compare(profile, *maxima_by_area(curves, LARGER, profile), least=0.95) for profile in MIXES[:2]),
    )


@paper.says(
    113,
    "100 % write: at least 5 % slower on the full range, of 8 and 64 kB with each capacity, of 4 kB with"
    " 800 GB. 4 kB with 1.6 and 2 TB is no part of this",
)
def _write_area(curves: Curves) -> Finding:
    asked = [(SINGLE, WRITES[0]), *((name, profile) for name in CAPACITIES for profile in WRITES[1:])]
    beside = [compare(f"{name} 4 kB", *maxima_by_area(curves, name, WRITES[0])) for name in (LARGER, LARGEST)]
    slower = each(
        compare(f"{name} {profile}", *maxima_by_area(curves, name, profile), most=0.95)
        for name, profile in asked
    )
    return all_of(slower, *beside)


@paper.says(
    114,
    "each block size with 800 GB, 8 and 64 kB with 1.6 and 2 TB: what the full range costs does not fall from"
    " 0 over 33 to 100 % write, and is greatest at 100 %",
)
def _with_writes(curves: Curves) -> Finding:
    return each(
        growing(f"{name} {block}", [loss(curves, name, profile) for profile in profiles], slack=POINT)
        for name in CAPACITIES
        for block, profiles in zip(BLOCKS, zip(READS, MIXES, WRITES, strict=True), strict=True)
        if name == SINGLE or block != BLOCKS[0]
    )


@paper.says(
    115,
    "67 % read and 100 % write with 800 GB, 100 % write with 1.6 and 2 TB: what the full range costs grows"
    " from 4 over 8 to 64 kB",
)
def _with_block(curves: Curves) -> Finding:
    asked = [(SINGLE, "67 % read", MIXES), *((name, "100 % write", WRITES) for name in CAPACITIES)]
    return each(
        growing(f"{name}, {share}:", [loss(curves, name, profile) for profile in profiles])
        for name, share, profiles in asked
    )


@paper.says(
    116, "100 % write of 4, 8 and 64 kB, and File server: what the full range costs falls from 800 GB to 2 TB"
)
def _with_capacity(curves: Curves) -> Finding:
    return each(
        growing(f"{profile} from 2 TB down", [loss(curves, name, profile) for name in reversed(CAPACITIES)])
        for profile in (*WRITES, "file-server")
    )


@paper.says(
    117, "random load with writes, each capacity: 32 GB as fast as the full range or faster, 1 % slack"
)
def _small_area(curves: Curves) -> Finding:
    return each(
        compare(f"{name} {profile}", *maxima_by_area(curves, name, profile), most=1.01)
        for name in CAPACITIES
        for profile in (*MIXES, *WRITES)
    )


@paper.says(
    121,
    "4 processes, random accesses of 4 kB with 100, 67 and 0 % reads: at least 5 % faster at 3.5 GHz than at"
    " 1.6 GHz. 2.3 GHz and 8 kB are no part of this",
)
def _frequency_needed(curves: Curves) -> Finding:
    beside = compare("at 2.3 GHz", *(top(curves, on(host, READ_4K, 4)) for host in (SINGLE, MIDDLE)))
    faster = each(
        compare(profile, *(top(curves, on(host, profile, 4)) for host in (SINGLE, SLOW)), least=1.05)
        for profile in (READS[0], MIXES[0], WRITES[0])
    )
    return all_of(faster, beside)


@paper.says(122, "4 processes, random reads of 4 kB: their cores busy for at least 30 % of the time")
def _cores_busy(curves: Curves) -> Finding:
    point = max(curves(on(SINGLE, READ_4K, 4)).values(), key=lambda found: found.rate)
    busy = max((use.utilisation for use in point.stations.values() if use.place == "host_cpu"), default=0.0)
    return Finding(busy >= 0.3, f"{busy * 100:.0f} % at {point.rate:.0f} IO/s")


@paper.says(123, "random 4 and 8 kB: maxima rise from 1.6 to 2.3 and to 3.5 GHz, by at least 5 % each time")
def _small_blocks(curves: Curves) -> Finding:
    return each(
        rising(f"{profile} IO/s", _by_frequency(curves, profile), step=0.05) for profile in SMALL_BLOCKS
    )


def _by_frequency(curves: Curves, profile: str) -> list[float]:
    return [top(curves, on(host, profile)) for host in (SLOW, MIDDLE, SINGLE)]


@paper.says(
    124,
    "random 64 kB: the maxima at 1.6, 2.3 and 3.5 GHz differ by at most 3 %."
    " Blocks between 8 and 64 kB, of which the paper shows none, are no part of this",
)
def _large_blocks(curves: Curves) -> Finding:
    return each(alike(profile, _by_frequency(curves, profile), 0.03) for profile in LARGE_BLOCKS)


def _settings(curves: Curves, profile: str, slower: str) -> tuple[float, float]:
    """Maxima with performance settings and with others."""
    return top(curves, on(SINGLE, profile)), top(curves, on(slower, profile))


@paper.says(
    125,
    "random 4 and 8 kB with writes: performance settings give a maximum at least 5 % above default settings",
)
def _settings_matter(curves: Curves) -> Finding:
    return each(
        compare(profile, *_settings(curves, profile, DEFAULT_SETTINGS), least=1.05)
        for profile in (*MIXES[:2], *WRITES[:2])
    )


@paper.says(
    126,
    "maxima of random accesses: settings gain 5 % or more above 120 000 IO/s, and less below. Loads below the"
    " maximum are no part of this",
)
def _threshold(curves: Curves) -> Finding:
    found = []
    for profile in (*SMALL_BLOCKS, *LARGE_BLOCKS):
        fast, slow = _settings(curves, profile, DEFAULT_SETTINGS)
        above = fast > 120_000
        least, most = (1.05, float("inf")) if above else (0.0, 1.05)
        found.append((above, compare(profile, fast, slow, least=least, most=most)))
    assert {above for above, _ in found} == {True, False}, "rates on one side alone show no threshold"
    return each(finding for _, finding in found)


@paper.says(
    127, "random 4 and 8 kB: maxima with the power plan alone within 5 % of those with performance settings"
)
def _power_plan(curves: Curves) -> Finding:
    return each(
        within(profile, *_settings(curves, profile, POWER_PLAN), share=0.05) for profile in SMALL_BLOCKS
    )
