"""What the lab does not reach of the paper on host connections."""

from __future__ import annotations

from iodyno.fitting.answered.nvme import COUNTS, PROFILES, on, rate
from iodyno.fitting.lab import loads_of
from iodyno.validation.unreached import Sources, Unreached, at_most, listed, percents

READ, IN_ORDER = "random-read-4k", "sequential-read-256k"


def narrow_adapter(of: Sources) -> Unreached:
    """nvme-032: what the adapter with fewer lanes costs."""
    direct, wide, narrow = (
        rate(name, 1, IN_ORDER).value(of.curves) for name in ("direct", "x16-adapter", "x8-adapter")
    )
    return Unreached(
        f"nvme-032, {of.printed('nvme-032'):.0f} % at the most by a switch adapter, is compared with the x16"
        " adapter. The x8 adapter gives each SSD two lanes; what it loses by these is more,"
        f" {percents([1 - narrow / direct])} of sequential reads of one SSD.",
        so=narrow < wide,
    )


def gap_by_drives(of: Sources) -> Unreached:
    """nvme-030: from how many SSDs on the adapter is slower."""
    direct, adapter = (
        {n: rate(name, n, READ).value(of.curves) for n in COUNTS} for name in ("direct", "x16-adapter")
    )
    alike = max(abs(direct[n] / adapter[n] - 1) for n in COUNTS[:2])
    millions = listed([f"{direct[n] / 1e6:.2f}" for n in COUNTS[:2]])
    load = min(loads_of(on("direct", n, READ))[-1] for n in COUNTS[:2])
    return Unreached(
        "nvme-030 is said of 1 to 4 SSDs, and the gap between direct cable and the x16 adapter is there in"
        " the lab with three and four of them. With one and two both connections come to the same within"
        f" {at_most(alike, 1)} ({millions} million IO/s): a switch that forwards"
        f" {max(adapter.values()) / 1e6:.2f} million has room for them, and at {load * PROFILES[READ]}"
        " outstanding of each SSD what it adds to a latency costs no rate. The row gives no figure by number"
        " of SSDs; whether the paper's gap is there from one SSD on cannot be told from it.",
        so=alike < 0.01 and all(direct[n] > 1.1 * adapter[n] for n in COUNTS[2:]),
    )
