"""Statements of the P3700 paper on one, two and four SSDs."""

from __future__ import annotations

from functools import partial

from iodyno.fitting.answered.p3700 import (
    LARGER,
    LARGEST,
    MEDIA,
    RAID0,
    RAID0_OF_4,
    RAID1,
    SINGLE,
    SMALL_READ,
    SMALL_WRITE,
    on,
)
from iodyno.fitting.answers import Curves
from iodyno.fitting.curves import Metric
from iodyno.validation.statements import (
    Finding,
    Paper,
    alike,
    all_of,
    compare,
    each,
    loads,
    rising,
    top,
    within,
)

CAPACITIES = (SINGLE, LARGER, LARGEST)
OTHER_FORM = "single-800g-sff"
paper = Paper("p3700")


@paper.says(6, "both form factors: maxima of Database and Streaming within 1 %")
def _form_factors(curves: Curves) -> Finding:
    return each(
        within(profile, top(curves, on(OTHER_FORM, profile)), top(curves, on(SINGLE, profile)), share=0.01)
        for profile in ("database", "streaming")
    )


@paper.says(58, "Database rises with the load, no step down by more than 1 %")
def _monotone(curves: Curves) -> Finding:
    curve = curves(on(SINGLE, "database"))
    return rising("IO/s", [curve[load].rate for load in sorted(curve)], slack=0.01)


def _capacities(curves: Curves, *, profile: str, metric: Metric, share: float) -> Finding:
    found = [curves(on(name, profile)) for name in CAPACITIES]
    return each(
        alike(f"at {load}:", [curve[load].metric(metric) for curve in found], share)
        for load in sorted(found[0])
    )


for _row, _profile in ((59, "database"), (62, "file-server"), (63, "file-copy")):
    paper.add(
        _row,
        f"{_profile}: the three capacities differ by at most 10 % at every load",
        partial(_capacities, profile=_profile, metric="rate", share=0.10),
    )


@paper.says(67, "Streaming from 32 to 512 varies by at most 3 %")
def _flat(curves: Curves) -> Finding:
    curve = curves(on(SINGLE, "streaming"))
    return alike("MB/s", [curve[load].throughput for load in loads(curve, 32, 512)], 0.03)


@paper.says(68, "Streaming is slower at 2 outstanding than at 1 and at 8")
def _dip(curves: Curves) -> Finding:
    curve = curves(on(SINGLE, "streaming"))
    one, two, eight = (curve[load].throughput for load in (1, 2, 8))
    return all_of(
        compare("at 2 against 1:", two, one, most=0.999), compare("at 2 against 8:", two, eight, most=0.999)
    )


paper.add(
    69,
    "Streaming: the three capacities differ by at most 2 % at every load",
    partial(_capacities, profile="streaming", metric="throughput", share=0.02),
)


@paper.says(74, "Restore at 1 and at 512: 2 TB is 1 to 15 % faster than 1.6 TB")
def _larger_is_faster(curves: Curves) -> Finding:
    larger, largest = curves(on(LARGER, "restore")), curves(on(LARGEST, "restore"))
    return each(
        compare(f"at {load}:", largest[load].throughput, larger[load].throughput, least=1.01, most=1.15)
        for load in (1, 512)
    )


def _not_above(curves: Curves, *, array: str) -> Finding:
    return compare("IO/s", top(curves, on(array, "database")), top(curves, on(SINGLE, "database")), most=1.05)


paper.add(82, "RAID 0 of two: Database maximum at most 5 % above one SSD", partial(_not_above, array=RAID0))


@paper.says(
    83, "RAID 0 of two, Database: within 5 % of one SSD at 1 and at 512, over 10 % above it somewhere between"
)
def _medium_load_only(curves: Curves) -> Finding:
    array, one = curves(on(RAID0, "database")), curves(on(SINGLE, "database"))
    gains = {load: array[load].rate / one[load].rate for load in one if 1 < load < max(one)}
    most = max(gains, key=lambda load: gains[load])
    ends = [within(f"at {load}:", array[load].rate, one[load].rate, share=0.05) for load in (1, max(one))]
    return all_of(*ends, compare(f"at {most}:", array[most].rate, one[most].rate, least=1.10))


def _between(curves: Curves, *, profile: str) -> Finding:
    one, mirror, stripe = (curves(on(name, profile)) for name in (SINGLE, RAID1, RAID0))
    outside = [
        load for load in one if not one[load].rate * 0.97 <= mirror[load].rate <= stripe[load].rate * 1.03
    ]
    at = max(one)
    shown = f"at {at}: {one[at].rate:.0f} ≤ {mirror[at].rate:.0f} ≤ {stripe[at].rate:.0f}"
    return Finding(len(outside) <= 2, f"{shown}; outside at {', '.join(map(str, outside)) or 'no load'}")


for _row, _profile in ((89, "file-server"), (90, "file-copy")):
    paper.add(
        _row,
        f"{_profile}: RAID 1 between one SSD and RAID 0, 3 % slack, at all loads but two",
        partial(_between, profile=_profile),
    )


def _streaming_as(curves: Curves, *, other: str, low: int, high: int) -> Finding:
    mirror, same = curves(on(RAID1, "streaming")), curves(on(other, "streaming"))
    return each(
        within(f"at {load}:", mirror[load].throughput, same[load].throughput, share=0.10)
        for load in loads(mirror, low, high)
    )


paper.add(
    95,
    "Streaming from 1 to 8 outstanding: RAID 1 within 10 % of one SSD",
    partial(_streaming_as, other=SINGLE, low=1, high=8),
)
paper.add(
    96,
    "Streaming from 16 to 512 outstanding: RAID 1 within 10 % of RAID 0",
    partial(_streaming_as, other=RAID0, low=16, high=512),
)


@paper.says(
    100, "RAID 1 against one SSD, profiles that read, 8 to 512: faster in more than half of the points"
)
def _mirror_reads(curves: Curves) -> Finding:
    gains = [
        curves(on(RAID1, profile))[load].rate / curves(on(SINGLE, profile))[load].rate
        for profile in ("file-copy", "file-server", "database", "streaming")
        for load in loads(curves(on(SINGLE, profile)), 8, 512)
    ]
    faster = sum(gain > 1 for gain in gains)
    return Finding(2 * faster > len(gains), f"faster in {faster} of {len(gains)} points")


paper.add(
    106, "RAID 0 of four: Database maximum at most 5 % above one SSD", partial(_not_above, array=RAID0_OF_4)
)


@paper.says(167, "1 kB sequential reads and writes at 1 outstanding: P3700 faster than ioDrive2")
def _latency(curves: Curves) -> Finding:
    return each(
        compare(
            f"{profile} ms",
            curves(on(SINGLE, profile))[1].latency,
            curves(on(MEDIA["iodrive2"], profile))[1].latency,
            most=0.999,
        )
        for profile in (SMALL_READ, SMALL_WRITE)
    )
