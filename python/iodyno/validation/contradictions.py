"""Where the papers say two things of one."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from iodyno.catalog.shelf import Catalog
from iodyno.fitting.published import Figure
from iodyno.validation import catalogue
from iodyno.validation.unreached import listed

_SAS_DRIVES = {
    "p3700-128": "raid-247",
    "p3700-135": "raid-248",
    "p3700-129": "raid-255",
    "p3700-136": "raid-256",
}
"""Database and File server on a hard disk and an SSD: in the P3700 paper, and in that on RAID controllers."""
_DMI = "raid-157"


def contradictions(figures: Mapping[str, Figure], catalog: Catalog) -> Iterator[str]:
    """Say what papers contradict each other in, or themselves."""

    def all_of(*names: str) -> str:
        values = sorted({figures[name].number for name in names})
        return listed(f"{value:,.0f}".replace(",", " " if value >= 10_000 else "") for value in values)

    yield (
        f"P3700, Streaming: maximum {all_of('p3700-145', 'p3700-066', 'p3700-169')} MB/s; at 2 outstanding"
        f" {all_of('p3700-065', 'p3700-091')} MB/s."
    )
    yield (
        f"P3700, Database: maximum {all_of('p3700-102', 'p3700-168').replace(' and ', ' to ')} IO/s, and"
        f" {all_of('p3700-055', 'p3700-101')} IO/s at 1, for the same drive."
    )
    more = [figures[one].number / figures[other].number - 1 for one, other in _SAS_DRIVES.items()]
    yield (
        "SAS drives of the P3700 paper, not named there, differ from those of the RAID paper by"
        f" {min(more) * 100:+.0f} to {max(more) * 100:+.0f} % at random access; they are parts of their"
        " own here."
        " (32 GB of a disk are a shorter way than 25 % of it.)"
    )
    yield (
        f"DMI 3.0 x4 is printed as {figures[_DMI].value} MB/s where the paper's own rule gives"
        f" {float(catalogue.check(figures[_DMI], catalog).found):.0f}: the rule is followed."
    )
    yield f"24 SSDs in RAID 0, Database: {all_of('raid-307', 'raid-351', 'raid-311')} IO/s."
