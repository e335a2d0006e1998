"""What answers the figures of the paper on host connections."""

from __future__ import annotations

from collections.abc import Iterator

from iodyno.fitting.answers import Answer, Best, Greatest, Quotient
from iodyno.fitting.curves import Series

STUDY = "nvme-host-connections"
CONNECTIONS = ("direct", "x16-adapter", "x8-adapter")
COUNTS = (1, 2, 3, 4)
PROFILES = {
    "random-write-4k": 8,
    "random-read-4k": 8,
    "oltp-4k": 8,
    "sequential-write-256k": 1,
    "sequential-read-256k": 1,
}
"""The paper's profiles with their workers."""


def on(connection: str, drives: int, profile: str) -> Series:
    """Give a series of this study."""
    return Series(STUDY, f"{connection}-{drives}", profile, PROFILES[profile])


def rate(connection: str, drives: int, profile: str) -> Best:
    """Give the rate of all drives together."""
    return Best((on(connection, drives, profile),), "rate")


def answers() -> Iterator[Answer]:
    """Yield what answers each measured figure and ratio."""
    quotients = tuple(
        Quotient(rate("x16-adapter", drives, profile), rate("direct", drives, profile))
        for profile in PROFILES
        for drives in COUNTS
    )
    note = "the greatest loss by the x16 adapter, over all profiles and numbers of drives"
    yield Answer("nvme-032", Greatest(quotients, least=True), meant="loss", note=note)
