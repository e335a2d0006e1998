"""What the papers say of their method, beside the profiles and series that the lab uses."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from iodyno.fitting.published import Figure
from iodyno.profiles import DRAWN_ALIGNMENT_BYTES, ONE_THREE_EIGHT, POWERS_OF_TWO, STANDARD_LOADS
from iodyno.units import KIB, MIB

NAMES = {
    "Random Write": "random-write-4k",
    "Random Read": "random-read-4k",
    "OLTP": "oltp-4k",
    "Sequential Write": "sequential-write-256k",
    "Sequential Read": "sequential-read-256k",
}
PROFILE_METRICS = ("read_share", "write_share", "block_size", "workers", "queue_depth")
OTHER_METRICS = ("outstanding_sequence", "io_alignment", "throughput_unit", "iometer_workers")


@dataclass(frozen=True)
class Same:
    """What a paper's method says, and what the lab has in its place."""

    figure: str
    found: str
    right: bool


def answers(figure: Figure) -> bool:
    """Tell whether a row is of the method and has something to compare."""
    return figure.metric in OTHER_METRICS or (
        figure.metric in PROFILE_METRICS and _profile(figure) in STANDARD_LOADS
    )


def compared(figures: Mapping[str, Figure]) -> Iterator[Same]:
    """Compare every row of the method."""
    for figure in figures.values():
        if answers(figure):
            found = _found(figure)
            yield Same(figure.id, found, found == _printed(figure))


def _printed(figure: Figure) -> str:
    if figure.metric == "outstanding_sequence":
        return figure.outstanding.replace("...,", "8,16,32,64,128,256,")
    return figure.value.removeprefix("1 MB/s = ")


def _found(figure: Figure) -> str:
    if figure.metric == "outstanding_sequence":
        series = ONE_THREE_EIGHT if figure.prefix == "p3700" else POWERS_OF_TWO
        return ",".join(map(str, series))
    others = {
        "io_alignment": str(DRAWN_ALIGNMENT_BYTES),
        "throughput_unit": f"2^{math.log2(MIB):g}",
        "iometer_workers": str(STANDARD_LOADS["database"].workers),
    }
    if figure.metric in others:
        return others[figure.metric]
    return _of_the_profile(figure)


def _profile(figure: Figure) -> str:
    return NAMES.get(figure.profile, figure.profile.lower().replace(" ", "-"))


def _of_the_profile(figure: Figure) -> str:
    load = STANDARD_LOADS[_profile(figure)]
    profile = load.profile
    values = {
        "read_share": profile.read_share * 100,
        "write_share": (1 - profile.read_share) * 100,
        "block_size": profile.mean_block_bytes / KIB,
        "workers": load.workers,
        "queue_depth": load.workers * (load.outstanding[0] if load.outstanding else 0),
    }
    return f"{values[figure.metric]:.6g}"
