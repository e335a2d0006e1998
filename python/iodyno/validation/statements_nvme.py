"""Statements of the paper on host connections."""

from __future__ import annotations

from iodyno.fitting.answered.nvme import CONNECTIONS, COUNTS, on, rate
from iodyno.fitting.answers import Curves
from iodyno.validation.statements import Finding, Paper, alike, compare, each, top

READ, WRITE = "random-read-4k", "random-write-4k"
paper = Paper("nvme")


@paper.says(1, "1 SSD, direct cable: sequential reads of 256 kB above 2000 MB/s of 10^6 bytes")
def _above_two_thousand(curves: Curves) -> Finding:
    found = top(curves, on("direct", 1, "sequential-read-256k"), "throughput") * 2**20 / 1e6
    return Finding(found > 2000, f"{found:.0f} MB/s")


@paper.says(29, "random writes, 1 to 4 SSDs: three connections within 3 %; 4 SSDs at least 3.8 times one")
def _no_difference(curves: Curves) -> Finding:
    same = [
        alike(f"{n} SSDs:", [rate(name, n, WRITE).value(curves) for name in CONNECTIONS], 0.03)
        for n in COUNTS
    ]
    scaling = [
        compare(f"{name}, 4 against 1:", *(rate(name, n, WRITE).value(curves) for n in (4, 1)), least=3.8)
        for name in CONNECTIONS
    ]
    return each([*same, *scaling])


@paper.says(
    30, "random reads: the x16 adapter is never faster than direct cable; with 4 SSDs 10 % slower or more"
)
def _direct_is_faster(curves: Curves) -> Finding:
    return each(
        compare(
            f"{n} SSDs:",
            rate("direct", n, READ).value(curves),
            rate("x16-adapter", n, READ).value(curves),
            least=1.10 if n == 4 else 0.995,
        )
        for n in COUNTS
    )


@paper.says(31, "random reads, 4 SSDs on the x16 adapter: the adapter is the busiest station, 90 % or more")
def _adapter_limits(curves: Curves) -> Finding:
    point = max(curves(on("x16-adapter", 4, READ)).values(), key=lambda found: found.rate)
    name, use = max(point.stations.items(), key=lambda item: item[1].utilisation)
    shown = f"{name} ({use.place}) {use.utilisation * 100:.0f} %"
    return Finding("1610" in name and use.utilisation >= 0.9, shown)


@paper.says(35, "random writes, 1 to 4 SSDs: two lanes (x8 adapter) within 3 % of four (direct cable)")
def _lanes(curves: Curves) -> Finding:
    return each(
        alike(f"{n} SSDs:", [rate(name, n, WRITE).value(curves) for name in ("x8-adapter", "direct")], 0.03)
        for n in COUNTS
    )
