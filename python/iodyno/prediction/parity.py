"""What a write to an array with parity becomes, on average over the places where it can begin.

A row is a strip of every member of a group. Where a write covers all data of a row, the parity follows from
it. Of every other row something is read first: the old data and the old parity, or the rest of the row where
that takes fewer operations.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Literal

MOST_PLACES = 128
"""Places that the mean is taken over, at most: evenly spread over those where a write can begin."""

Range = tuple[int, int]
"""Bytes from and up to."""
Step = Literal["read", "write at once", "write then"]
"""What a row needs no reads for is written while others are read."""


@dataclass(frozen=True)
class Shape:
    """Rows of an array with parity."""

    data: int
    """Strips of data in a row."""
    parity: int
    """Strips of parity in it."""
    groups: int
    strip_bytes: int

    @property
    def row_bytes(self) -> int:
        """Bytes of data in a row."""
        return self.data * self.strip_bytes


@dataclass(frozen=True)
class Update:
    """What a write becomes: means."""

    reads: float
    read_bytes: float
    """Bytes of all its reads."""
    writes: float
    written_bytes: float
    """Bytes of all its writes, parity included."""
    parity_bytes: float
    reading: float
    """Share of the writes that read before they write, 0 to 1."""


@dataclass
class _Made:
    """Operations of one write: those of a member and a step that follow on each other are one."""

    ranges: dict[tuple[Step, int], list[Range]] = field(default_factory=dict)
    parity_bytes: int = 0

    def add(self, step: Step, member: int, at: Range) -> None:
        """Add an operation of a member."""
        made = self.ranges.setdefault((step, member), [])
        if made and made[-1][1] == at[0]:
            made[-1] = (made[-1][0], at[1])
        else:
            made.append(at)

    def of(self, write: bool) -> list[Range]:
        """Give all reads, or all writes."""
        return [at for (step, _), made in self.ranges.items() if (step != "read") is write for at in made]


@lru_cache(maxsize=1024)
def mean_update(shape: Shape, size: int, grain: int) -> Update:
    """Give what a write becomes that begins at any multiple of the grain, each as likely as the others.

    Parameters
    ----------
    shape
        The rows.
    size
        Bytes of the write.
    grain
        What its beginnings are multiples of, in bytes.
    """
    step = math.gcd(grain, shape.row_bytes)
    count = shape.row_bytes // step
    taken = min(count, MOST_PLACES)
    every = [_made(shape, size, at * count // taken * step) for at in range(taken)]
    reads, writes = ([made.of(write) for made in every] for write in (False, True))
    return Update(
        reads=sum(map(len, reads)) / taken,
        read_bytes=sum(to - first for made in reads for first, to in made) / taken,
        writes=sum(map(len, writes)) / taken,
        written_bytes=sum(to - first for made in writes for first, to in made) / taken,
        parity_bytes=sum(made.parity_bytes for made in every) / taken,
        reading=sum(1 for made in reads if made) / taken,
    )


def _made(shape: Shape, size: int, begin: int) -> _Made:
    made, at = _Made(), begin
    while at < begin + size:
        row, first = divmod(at, shape.row_bytes)
        to = min(first + begin + size - at, shape.row_bytes)
        _row(shape, row, (first, to), made)
        at += to - first
    return made


def _row(shape: Shape, number: int, part: Range, made: _Made) -> None:
    """Add what becomes of a part of a row."""
    strip, width = shape.strip_bytes, shape.data + shape.parity
    group, row = number % shape.groups, number // shape.groups
    own = dict(_covered(strip, part))
    changed = _changed(strip, list(own.values()))

    def add(step: Step, at: int, ranges: list[Range]) -> None:
        # Data and then parity of a row begin one member further on from row to row.
        member = group * width + (at - row) % width
        for first, to in ranges:
            made.add(step, member, (row * strip + first, row * strip + to))

    parities = range(shape.data, width)
    rest = {at: [gap for c in changed if (gap := _gap(c, own.get(at)))] for at in range(shape.data)}
    fewest = sum(map(len, rest.values()))
    old = {at: [covered] for at, covered in own.items()} | dict.fromkeys(parities, changed)
    for at, ranges in (rest if fewest < len(own) + shape.parity * len(changed) else old).items():
        add("read", at, ranges)
    for at, ranges in old.items():
        add("write then" if fewest else "write at once", at, ranges)
    made.parity_bytes += shape.parity * sum(to - first for first, to in changed)


def _covered(strip: int, part: Range) -> Iterator[tuple[int, Range]]:
    """Give the strips that a part of a row touches, and what of each."""
    first, to = part
    for at in range(first // strip, (to - 1) // strip + 1):
        yield at, (max(first - at * strip, 0), min(to - at * strip, strip))


def _changed(strip: int, covered: list[Range]) -> list[Range]:
    """Give what changes of a parity strip: two ranges where a write ends, a strip on, before it began."""
    if len(covered) == 1:
        return covered
    head, tail = covered[-1], covered[0]
    if len(covered) == 2 and head[1] < tail[0]:
        return [head, tail]
    return [(0, strip)]


def _gap(of: Range, covered: Range | None) -> Range | None:
    """Give what of a range is not covered; it is never covered in its middle alone."""
    if covered is None or covered[1] <= of[0] or of[1] <= covered[0]:
        return of
    if of[0] < covered[0]:
        return (of[0], covered[0])
    return (covered[1], of[1]) if covered[1] < of[1] else None
