"""What answers the measured figures of the disk chapter of the PRIMEQUEST paper."""

from __future__ import annotations

from collections.abc import Iterator

from iodyno.fitting.answers import Answer, Best
from iodyno.fitting.curves import Series

STUDY = "primequest-2800e3"
MODES = ("fast-path-optimum", "performance")
"""The paper's cells are maxima over the cache settings."""


def on(configuration: str, profile: str) -> Series:
    """Give a series of this study."""
    return Series(STUDY, configuration, profile)


def ssds(profile: str, level: str = "0") -> tuple[Series, ...]:
    """Give the series of four SSDs on a controller of a system board."""
    return tuple(on(f"sb-4x-sas-ssd-raid{level}-{mode}", profile) for mode in MODES)


def answers() -> Iterator[Answer]:
    """Yield what answers each measured figure."""
    sequential = tuple(series for profile in ("streaming", "restore") for series in ssds(profile))
    random = tuple(series for profile in ("database", "file-server", "file-copy") for series in ssds(profile))
    yield Answer("primequest-194", Best(sequential, "throughput"))
    yield Answer("primequest-195", Best(random, "rate"))
