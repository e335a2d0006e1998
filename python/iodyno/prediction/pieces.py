"""What an access to strips in rows becomes, on average over the places where it can begin.

Pieces are unequal where a strip ends within the access, those of a member follow on each other unless parity
lies between, and what a failed member had is told from the rest of its row.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

MOST_PLACES = 128
"""Places that a mean is taken over, about: of more some stand for as many others as are like them."""
FEWEST_PLACES = 2
"""Places, at least, that stand for those of a strip from which an access ends alike."""
FEW_PLACES = 4 * MOST_PLACES
"""Places that are all looked at where strips have unlike ones."""
MOST_IN_PERIOD = 1 << 12
"""Places, times the strips of each, that are looked at for what each member has; of more all have about
as much."""

Range = tuple[int, int]
"""Bytes from and up to."""
Made = dict[int, list[Range]]
"""Ranges by member, in order."""
Own = tuple[tuple[float, float], ...]
"""What of all operations each member, or set of copies, has, and how long they are in terms of the mean."""


@dataclass(frozen=True)
class Shape:
    """Rows of an array; copies of a member count as one."""

    data: int
    """Strips of data in a row."""
    parity: int
    """Strips of parity in it."""
    groups: int
    strip_bytes: int
    failed: frozenset[int] = frozenset()
    """Members that have failed, by position."""
    shifted: bool = False
    """Whether the copy of a strip lies beside the strip after it, which the last of a row has in the next."""

    @property
    def width(self) -> int:
        """Members of a group."""
        return self.data + self.parity

    @property
    def row_bytes(self) -> int:
        """Bytes of data in a row."""
        return self.data * self.strip_bytes

    def member(self, row: int, at: int) -> int:
        """Give who has a strip of a row, data first, then parity; with it one further on from row to row."""
        group, turn = row % self.groups, row // self.groups if self.parity else 0
        return group * self.width + (at - turn) % self.width

    def offset(self, row: int) -> int:
        """Give where a row begins on its members, in bytes."""
        return row // self.groups * self.strip_bytes

    def begins(self, size: int, grain: int, start: int = 0) -> dict[int, float]:
        """Give where accesses begin that begin at multiples of a grain behind a start, each with how many it
        stands for.

        Those in one strip that end in the same strip are alike, and without parity or shifted copies all
        strips are. Where rows are not, as members have failed, every row counts, and of its strips as many as
        a mean needs.
        """
        rows = self.groups * self.width if self.failed else 1
        step = math.gcd(grain, rows * self.row_bytes)
        shift = start % step
        places = rows * self.row_bytes // step
        if self.strip_bytes % step and (step > self.strip_bytes or places <= FEW_PLACES):
            # Strips have unlike places, or some have none.
            return {place * step + shift: 1.0 for place in range(places)}
        unlike = self.data if self.parity or self.shifted else 1
        strips = range(0, unlike, -(-unlike * rows * 2 * FEWEST_PLACES // MOST_PLACES))
        each = max(MOST_PLACES // (len(strips) * rows * 2), FEWEST_PLACES)
        # From here on a strip further is touched.
        further = self.strip_bytes - size % self.strip_bytes + 1 if size % self.strip_bytes else 1
        found: dict[int, float] = {}
        for row in range(rows):
            for strip in strips:
                edges = (
                    row * self.row_bytes + strip * self.strip_bytes + at
                    for at in (0, further, self.strip_bytes)
                )
                first, between, end = (-((shift - at) // step) for at in edges)
                for alike in (range(first, between), range(between, end)):
                    taken = min(len(alike), each)
                    for at in range(taken):
                        place = alike[(2 * at + 1) * len(alike) // (2 * taken)] * step + shift
                        found[place] = len(alike) / taken
        return found

    @property
    def unlike(self) -> bool:
        """Whether some living members may have more to do than others, as others have failed: those of their
        group tell what these had, and who lies beside them in a row is read for itself as well."""
        return bool(self.failed and self.parity)

    def places_of_members(self, size: int, grain: int, start: int = 0) -> list[int]:
        """Give places that tell what each member has, as members have unlike numbers of them or as others
        have failed; none where all have as much. Of very many some stand for all, as many in each strip."""
        if not self.unlike:
            return self.uneven_places(size, grain, start)
        period = self.row_bytes * self.groups * self.width
        step = math.gcd(grain, period)
        most = MOST_IN_PERIOD // self.strips(size)
        while period // step > most and self.strip_bytes % (2 * step) == 0:
            step *= 2
        places = range(start % step, period, step)
        return [*places[:: -(-len(places) // most)]]

    def uneven_places(self, size: int, grain: int, start: int = 0) -> list[int]:
        """Give where accesses at multiples of a grain begin until all is as at first, if members may have
        unlike numbers of them; else none.

        Where the grain and the way until then have in common what strips are multiples of, all strips have
        the same places.
        """
        period = self.row_bytes * (self.groups * self.width if self.parity else 1)
        step = math.gcd(grain, period)
        if self.strip_bytes % step == 0 or period // step * self.strips(size) > MOST_IN_PERIOD:
            return []
        return [place * step + start % step for place in range(period // step)]

    def strips(self, size: int) -> int:
        """Give how many strips an access touches at the most, about."""
        return 1 + size // self.strip_bytes

    def rows(self, begin: int, size: int) -> Iterator[tuple[int, Range]]:
        """Give the rows of an access with what it has of each."""
        at = begin
        while at < begin + size:
            row, first = divmod(at, self.row_bytes)
            to = min(first + begin + size - at, self.row_bytes)
            yield row, (first, to)
            at += to - first

    def covered(self, part: Range) -> dict[int, Range]:
        """Give the strips that a part of a row touches, and what of each."""
        strip, (first, to) = self.strip_bytes, part
        return {
            at: (max(first - at * strip, 0), min(to - at * strip, strip))
            for at in range(first // strip, (to - 1) // strip + 1)
        }


@dataclass(frozen=True)
class Pieces:
    """What an access becomes: means."""

    operations: float
    moved_bytes: float
    """Bytes of all of them."""
    each: float
    """Operations of a member that has some."""
    most_bytes: float
    """Bytes of the member that has most."""
    span_bytes: float
    """Bytes of a member that has some, from its first to its last, with what lies between."""


def mean(every: Sequence[Made], weights: Sequence[float]) -> Pieces:
    """Give the means of what accesses became, of which each stands for so many."""
    of_each = [[*made.values()] for made in every]
    drives = mean_of(map(len, of_each), weights)
    operations = mean_of((sum(map(len, runs)) for runs in of_each), weights)
    span = mean_of((sum(ranges[-1][1] - ranges[0][0] for ranges in runs) for runs in of_each), weights)
    return Pieces(
        operations=operations,
        moved_bytes=mean_of((sum(map(moved, runs)) for runs in of_each), weights),
        each=operations / drives,
        most_bytes=mean_of((max(map(moved, runs)) for runs in of_each), weights),
        span_bytes=span / drives,
    )


def mean_of(values: Iterable[float], weights: Sequence[float]) -> float:
    """Give the mean of values of which each stands for so many."""
    return sum(value * weight for value, weight in zip(values, weights, strict=True)) / sum(weights)


@lru_cache(maxsize=1024)
def mean_read(shape: Shape, size: int, grain: int, start: int = 0) -> Pieces:
    """Give what a read becomes that begins at any multiple of the grain, each as likely as the others.

    Parameters
    ----------
    shape
        The rows.
    size
        Bytes of the read.
    grain
        What its beginnings are multiples of, in bytes.
    start
        Where multiples are counted from, in bytes.
    """
    begins = shape.begins(size, grain, start)
    return mean([_read(shape, begin, size) for begin in begins], [*begins.values()])


@lru_cache(maxsize=1024)
def read_shares(shape: Shape, size: int, grain: int, start: int = 0) -> Own:
    """Give what of the operations of such reads each member has; empty where all have as many."""
    own: list[list[Range]] = [[] for _ in range(shape.groups * shape.width)]
    for begin in shape.places_of_members(size, grain, start):
        for member, ranges in _read(shape, begin, size).items():
            own[member] += ranges
    return shares_of(own, shape.failed)


def shares_of(own: Sequence[list[Range]], failed: frozenset[int] = frozenset()) -> Own:
    """Give what each has of all operations; nothing where there are none, or where some have failed and the
    others have as much as each other."""
    alive = {(len(ranges), moved(ranges)) for at, ranges in enumerate(own) if at not in failed}
    if failed and len(alive) == 1:
        return ()
    every = sum(map(len, own))
    size = sum(map(moved, own)) / every if every else 0.0
    return tuple(
        (len(ranges) / every, moved(ranges) / len(ranges) / size if ranges else 1.0)
        for ranges in own if every
    )  # fmt: skip


def _read(shape: Shape, begin: int, size: int) -> Made:
    made: Made = {}
    for row, part in shape.rows(begin, size):
        own, offset = shape.covered(part), shape.offset(row)
        for at, ranges in _told(shape, row, own).items():
            of_member = made.setdefault(shape.member(row, at), [])
            of_member += ((offset + first, offset + to) for first, to in ranges)
    return {member: joined(ranges) for member, ranges in made.items()}


@lru_cache(maxsize=1024)
def mean_computed(shape: Shape, size: int, grain: int, start: int = 0) -> tuple[float, float]:
    """Give how many bytes of such a read lie on failed members, and how many of the others tell them."""
    begins = shape.begins(size, grain, start)
    lost, telling = [], []
    for begin in begins:
        of_rows = [
            [own for at, own in shape.covered(part).items() if shape.member(row, at) in shape.failed]
            for row, part in shape.rows(begin, size)
        ]
        lost.append(sum(map(moved, of_rows)))
        telling.append(sum(shape.data * moved(joined(ranges)) for ranges in of_rows))
    weights = [*begins.values()]
    return mean_of(lost, weights), mean_of(telling, weights)


def _told(shape: Shape, row: int, own: dict[int, Range]) -> dict[int, list[Range]]:
    """Give what is read of a row: what is wanted and lost of as many strips as it has data."""
    lost = [covered for at, covered in own.items() if shape.member(row, at) in shape.failed]
    if not lost:
        return {at: [covered] for at, covered in own.items()}
    there = [at for at in range(shape.width) if shape.member(row, at) not in shape.failed]
    return {at: joined(lost + ([own[at]] if at in own else [])) for at in there[: shape.data]}


def moved(ranges: list[Range]) -> int:
    """Give the bytes of ranges."""
    return sum(to - first for first, to in ranges)


def joined(ranges: list[Range]) -> list[Range]:
    """Sort ranges, and make one of those that meet or lie on each other."""
    found: list[Range] = []
    for first, to in sorted(ranges):
        if found and found[-1][1] >= first:
            found[-1] = (found[-1][0], max(to, found[-1][1]))
        else:
            found.append((first, to))
    return found
