"""What a disk takes for the blocks that a controller's cache destages in order of position.

Such a sweep hands a disk the dirty blocks next to each other there, and the disk chooses of those that it
has. A block that the head comes over within half a track is taken as it passes. Where there is none, the one
is taken that can be reached first: seeks are short and alike, and where the disk has turned to is chance.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache
from typing import Protocol

_PLACES = 8
"""Places of the head among its choices that the mean is taken over."""
_STEPS, _EACH = 64, 4
"""Steps of a revolution, and for each choice: the more there are, the sooner one is reached."""
_NEVER = 1e-4


@lru_cache(maxsize=1024)
def front_density(share: float) -> float:
    """Give the share of the bytes that are dirty where a sweep comes next, of the share that is everywhere.

    Writes come everywhere alike, so a share x of a round after the sweep ``1 - e^(-λx)`` is dirty, λ times
    the area being what is written in a round: at the front ``1 - e^(-λ)``, on the average
    ``1 - (1 - e^(-λ)) / λ``.

    Parameters
    ----------
    share
        Dirty share of the area, 0 to 1.
    """
    if share >= 1:
        return 1.0
    low, high = 2 * share, 2 * share / (1 - share)
    for _ in range(60):
        middle = (low + high) / 2
        if middle > 0 and 1 + math.expm1(-middle) / middle < share:
            low = middle
        else:
            high = middle
    return -math.expm1(-high)


@dataclass(frozen=True)
class Track:
    """What a way over the medium hangs on."""

    revolution_s: float
    bytes: float
    """Bytes of a track where the blocks are."""
    cylinder_bytes: float
    """Of all tracks of a cylinder."""
    cylinders: float

    @property
    def bytes_s(self) -> float:
        """Rate of the medium in bytes/s."""
        return self.bytes / self.revolution_s


class Seek(Protocol):
    """Time to another track."""

    def time_s(self, share: float) -> float:
        """Give the seconds of a way over a share of the stroke."""


def ends(track: Track, gap_bytes: float) -> float:
    """Give the share of blocks behind which the head comes over none within half a track: runs end there."""
    return math.exp(-track.bytes / 2 / gap_bytes) if gap_bytes > 0 else 0.0


@lru_cache(maxsize=4096)
def mean_way_s(
    track: Track, seek: Seek, *, settle_s: float, gap_bytes: float, spacing_bytes: float, choices: int,
    missed: float, between: float = 0.0, back_s: float = 0.0,
) -> float:  # fmt: skip
    """Give the mean time from the end of a block to the beginning of the one that is written next.

    Parameters
    ----------
    track
        The medium.
    seek
        Time to another track, without settling.
    settle_s
        What settling takes there.
    gap_bytes
        Mean bytes between a block and the next; how many varies as by chance.
    spacing_bytes
        The same from beginning to beginning.
    choices
        Blocks that the disk can choose from, at least 1.
    missed
        Share of the moves of the arm that take a revolution more.
    between
        Reads for each block, that the arm leaves the sweep for.
    back_s
        Time from one of them back to the sweep.
    """
    half, beyond = track.bytes / 2, ends(track, gap_bytes)
    passed_bytes = gap_bytes - half * beyond / (1 - beyond) if beyond < 1 else half / 2
    moved_s = 0.0
    if beyond > 0:
        # A run of blocks ends where none is to be passed: what comes next is another, or a read.
        left = between / (between + beyond)
        moved_s = _first_s(track, seek, settle_s, spacing_bytes, choices)
        moved_s += left * (back_s - moved_s) + missed * track.revolution_s
    return (1 - beyond) * passed_bytes / track.bytes_s + beyond * moved_s


def _first_s(track: Track, seek: Seek, settle_s: float, spacing_bytes: float, choices: int) -> float:
    """Give the mean time until the head is over the first of the choices that it can reach.

    Each is at the head at a moment that is uniform within a revolution from when the arm is there; the head
    is anywhere among them.
    """
    stroke_bytes = track.cylinder_bytes * track.cylinders

    def way(steps: float) -> tuple[float, float]:
        bytes_off = steps * spacing_bytes
        there_s = seek.time_s(max(bytes_off / stroke_bytes, 1 / track.cylinders)) + settle_s
        return there_s, max(1 - bytes_off / track.bytes, 0.0)

    total = 0.0
    for place in range(_PLACES):
        head = choices * (place + 0.5) / _PLACES
        steps = sorted(max(abs(choice + 0.5 - head), 0.5) for choice in range(choices))
        total += _least_s(track.revolution_s, list(map(way, steps)))
    return total / _PLACES


def _least_s(revolution_s: float, ways: list[tuple[float, float]]) -> float:
    """Integrate the chance that none has been reached yet over time; the nearest come first."""
    step, at, total = revolution_s / (_STEPS + _EACH * len(ways)), 0.5, 0.0
    while True:
        none, now = 1.0, at * step
        here = min(now / revolution_s, 1.0)
        for there_s, same_track in ways:
            if there_s > now and not same_track:
                break
            there = min(max((now - there_s) / revolution_s, 0.0), 1.0)
            none *= 1 - same_track * here - (1 - same_track) * there
            if none < _NEVER:
                return total
        total += none * step
        at += 1
