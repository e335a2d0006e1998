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
READING = ("file-copy", "file-server", "database", "streaming")
"""Profiles that read, some or all of the time."""
paper = Paper("p3700")


@paper.says(6, "both form factors: maxima of each profile within 1 %")
def _form_factors(curves: Curves) -> Finding:
    return each(
        within(profile, top(curves, on(OTHER_FORM, profile)), top(curves, on(SINGLE, profile)), share=0.01)
        for profile in (*READING, "restore")
    )


@paper.says(
    58,
    "Database rises with the load: nowhere more than 1 % below a lower load, at 512 at least twice that at 1",
)
def _monotone(curves: Curves) -> Finding:
    curve = curves(on(SINGLE, "database"))
    return rising("IO/s", [curve[load].rate for load in sorted(curve)], step=-0.01, gain=1.0)


def _capacities(curves: Curves, *, profile: str, metric: Metric, share: float) -> Finding:
    found = [curves(on(name, profile)) for name in CAPACITIES]
    return each(
        alike(f"at {load}:", [curve[load].metric(metric) for curve in found], share)
        for load in sorted(found[0])
    )


for _row, _profile in ((59, "database"), (62, "file-server"), (63, "file-copy")):
    paper.add(
        _row,
        f"{_profile}: the three capacities differ by at most 5 % at every load",
        partial(_capacities, profile=_profile, metric="rate", share=0.05),
    )


@paper.says(67, "Streaming from 32 to 512 varies by at most 3 %, and is within 3 % of 2400 MB/s")
def _flat(curves: Curves) -> Finding:
    curve = curves(on(SINGLE, "streaming"))
    flat = [curve[load].throughput for load in loads(curve, 32, 512)]
    return all_of(alike("MB/s", flat, 0.03), within("at 32:", flat[0], 2400, share=0.03))


@paper.says(68, "Streaming is at least 5 % slower at 2 outstanding than at 1 and at 8")
def _dip(curves: Curves) -> Finding:
    curve = curves(on(SINGLE, "streaming"))
    one, two, eight = (curve[load].throughput for load in (1, 2, 8))
    return all_of(
        compare("at 2 against 1:", two, one, most=0.95), compare("at 2 against 8:", two, eight, most=0.95)
    )


paper.add(
    69,
    "Streaming: the three capacities differ by at most 2 % at every load",
    partial(_capacities, profile="streaming", metric="throughput", share=0.02),
)


@paper.says(74, "Restore: 2 TB is 1 to 15 % faster than 800 GB and than 1.6 TB, at every load")
def _larger_is_faster(curves: Curves) -> Finding:
    largest = curves(on(LARGEST, "restore"))
    smaller = {load: [curves(on(name, "restore"))[load] for name in (SINGLE, LARGER)] for load in largest}
    return each(
        compare(f"at {load}:", largest[load].throughput, other.throughput, least=1.01, most=1.15)
        for load, others in smaller.items()
        for other in others
    )


def _not_above(curves: Curves, *, array: str) -> Finding:
    return compare("IO/s", top(curves, on(array, "database")), top(curves, on(SINGLE, "database")), most=1.03)


paper.add(82, "RAID 0 of two: Database maximum at most 3 % above one SSD", partial(_not_above, array=RAID0))


@paper.says(
    83,
    "Database: RAID 0 of two over 10 % above one SSD somewhere between; it and RAID 1 at most 5 % above one"
    " SSD at 1, and from where that is within 1 % of its maximum",
)
def _medium_load_only(curves: Curves) -> Finding:
    stripe, mirror, one = (curves(on(name, "database")) for name in (RAID0, RAID1, SINGLE))
    full = max(point.rate for point in one.values()) * 0.99
    ends = [load for load in one if load == 1 or one[load].rate >= full]
    most = max(
        (load for load in one if load not in ends), key=lambda load: stripe[load].rate / one[load].rate
    )
    return all_of(
        compare(f"at {most}:", stripe[most].rate, one[most].rate, least=1.10),
        each(
            compare(f"at {load}:", array[load].rate, one[load].rate, most=1.05)
            for load in ends
            for array in (stripe, mirror)
        ),
    )


def _between(curves: Curves, *, profile: str) -> Finding:
    one, mirror, stripe = (curves(on(name, profile)) for name in (SINGLE, RAID1, RAID0))
    outside = [
        load for load in one if not one[load].rate * 0.97 <= mirror[load].rate <= stripe[load].rate * 1.03
    ]
    highest = [max(point.rate for point in curve.values()) for curve in (one, mirror, stripe)]
    apart = rising("maxima", highest, step=0.05)
    at = max(one)
    shown = f"at {at}: {one[at].rate:.0f} ≤ {mirror[at].rate:.0f} ≤ {stripe[at].rate:.0f}"
    shown += f"; outside at {', '.join(map(str, outside)) or 'no load'}"
    return all_of(Finding(len(outside) <= 2, shown), apart)


for _row, _profile in ((89, "file-server"), (90, "file-copy")):
    paper.add(
        _row,
        f"{_profile}: RAID 1 between one SSD and RAID 0, 3 % slack, at all loads but two;"
        " its maximum 5 % or more from either",
        partial(_between, profile=_profile),
    )


def _streaming_as(curves: Curves, *, other: str, low: int, high: int) -> Finding:
    mirror, same = curves(on(RAID1, "streaming")), curves(on(other, "streaming"))
    return each(
        within(f"at {load}:", mirror[load].throughput, same[load].throughput, share=0.05)
        for load in loads(mirror, low, high)
    )


paper.add(
    95,
    "Streaming from 1 to 8 outstanding: RAID 1 within 5 % of one SSD",
    partial(_streaming_as, other=SINGLE, low=1, high=8),
)
paper.add(
    96,
    "Streaming from 16 to 512 outstanding: RAID 1 within 5 % of RAID 0",
    partial(_streaming_as, other=RAID0, low=16, high=512),
)


@paper.says(
    100,
    "RAID 1 against one SSD, maxima of the four profiles that read: at least 5 % higher in three of them",
)
def _mirror_reads(curves: Curves) -> Finding:
    found = [
        compare(profile, *(top(curves, on(name, profile)) for name in (RAID1, SINGLE)), least=1.05)
        for profile in READING
    ]
    faster = [
        curves(on(RAID1, profile))[load].rate >= point.rate * 1.01
        for profile in READING
        for load, point in curves(on(SINGLE, profile)).items()
    ]
    points = f"1 % faster or more in {sum(faster)} of {len(faster)} points over the load"
    return Finding(sum(one.right for one in found) >= 3, "; ".join((*(one.shown for one in found), points)))


paper.add(
    106, "RAID 0 of four: Database maximum at most 3 % above one SSD", partial(_not_above, array=RAID0_OF_4)
)


@paper.says(
    167, "1 kB sequential reads and writes at 1 outstanding: latency at least 5 % below that of ioDrive2"
)
def _latency(curves: Curves) -> Finding:
    return each(
        compare(
            f"{profile} ms",
            curves(on(SINGLE, profile))[1].latency,
            curves(on(MEDIA["iodrive2"], profile))[1].latency,
            most=0.95,
        )
        for profile in (SMALL_READ, SMALL_WRITE)
    )
