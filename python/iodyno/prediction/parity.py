"""What a write to an array with parity becomes, on average over the places where it can begin.

A row is a strip of every member of a group. Where a write covers all data of a row, the parity follows from
it. Of every other row something is read first: the old data and the old parity, or the rest of the row where
that takes fewer operations.
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Literal

from iodyno.prediction.pieces import Own, Range, Shape, joined, mean_of, moved, shares_of

Step = Literal["read", "write at once", "write then"]
"""What a row needs no reads for is written while others are read."""


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
    most_read_bytes: float
    """Bytes of the member that reads most, where some is read."""
    most_written_bytes: float
    """Bytes of the member that writes most."""
    following: float
    """Share of the writes all of whose operations come to what they have read before, each on its member."""
    computed: tuple[float, float]
    """Lost bytes that stay, which new parity is computed with, and bytes of the others that tell them."""


@dataclass
class _Made:
    """Operations of one write: those of a member and a step that follow on each other are one."""

    ranges: dict[tuple[Step, int], list[Range]] = field(default_factory=dict)
    parity_bytes: int = 0
    lost_bytes: int = 0
    telling_bytes: int = 0

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

    @property
    def follows(self) -> bool:
        """Whether all that is written was read before, and nothing else was."""
        read, written = (
            {member: ranges for (step, member), ranges in self.ranges.items() if step == of}
            for of in ("read", "write then")
        )
        return bool(read) and read == written and not any(step == "write at once" for step, _ in self.ranges)

    def most(self, write: bool) -> int:
        """Give the bytes of the member that has most, of the reads or the writes."""
        of_member: dict[int, int] = {}
        for (step, member), made in self.ranges.items():
            if (step != "read") is write:
                of_member[member] = of_member.get(member, 0) + moved(made)
        return max(of_member.values(), default=0)


@lru_cache(maxsize=1024)
def mean_update(shape: Shape, size: int, grain: int, start: int = 0) -> Update:
    """Give what a write becomes that begins at any multiple of the grain, each as likely as the others.

    Members that have failed are neither read nor written. Beside lost data each part of a row goes the way
    that takes least.

    Parameters
    ----------
    shape
        The rows.
    size
        Bytes of the write.
    grain
        What its beginnings are multiples of, in bytes.
    start
        Where multiples are counted from, in bytes.
    """
    begins = shape.begins(size, grain, start)
    every, weights = [_made(shape, size, begin) for begin in begins], [*begins.values()]
    reads, writes = ([made.of(write) for made in every] for write in (False, True))
    reading = mean_of((len(made) > 0 for made in reads), weights)
    return Update(
        reads=mean_of(map(len, reads), weights),
        read_bytes=mean_of(map(moved, reads), weights),
        writes=mean_of(map(len, writes), weights),
        written_bytes=mean_of(map(moved, writes), weights),
        parity_bytes=mean_of((made.parity_bytes for made in every), weights),
        reading=reading,
        most_read_bytes=mean_of((made.most(False) for made in every), weights) / (reading or 1.0),
        most_written_bytes=mean_of((made.most(True) for made in every), weights),
        following=mean_of((made.follows for made in every), weights),
        computed=(
            mean_of((made.lost_bytes for made in every), weights),
            mean_of((made.telling_bytes for made in every), weights),
        ),
    )


@lru_cache(maxsize=1024)
def update_shares(shape: Shape, size: int, grain: int, start: int = 0) -> tuple[Own, Own]:
    """Give what of reads and of writes of such updates each member has; empty where all have as many."""
    begins = shape.places_of_members(size, grain, start)
    read, written = (by_member(shape, size, begins, write) for write in (False, True))
    return shares_of(read, shape.failed), shares_of(written, shape.failed)


def by_member(shape: Shape, size: int, begins: list[int], write: bool) -> list[list[Range]]:
    """Give all that is read, or written, of each member by updates at some places."""
    own: list[list[Range]] = [[] for _ in range(shape.groups * shape.width)]
    for begin in begins:
        for (step, member), ranges in _made(shape, size, begin).ranges.items():
            if (step != "read") is write:
                own[member] += ranges
    return own


def _made(shape: Shape, size: int, begin: int) -> _Made:
    made = _Made()
    for row, part in shape.rows(begin, size):
        _row(shape, row, part, made)
    return made


def _row(shape: Shape, row: int, part: Range, made: _Made) -> None:
    """Add what becomes of a part of a row."""
    own, offset = shape.covered(part), shape.offset(row)
    parity = changed(shape.strip_bytes, list(own.values()))

    def add(step: Step, at: int, ranges: list[Range]) -> None:
        for first, to in ranges:
            made.add(step, shape.member(row, at), (offset + first, offset + to))

    there = [at for at in range(shape.width) if shape.member(row, at) not in shape.failed]
    parities = [at for at in there if at >= shape.data]
    old = {at: [own[at]] for at in there if at in own} | dict.fromkeys(parities, parity)
    if not parities:
        needed: dict[int, list[Range]] = {}
    elif len(there) - len(parities) < shape.data:
        needed = _beside_lost(shape, own, there, made)
    else:
        rest = {at: [gap for c in parity if (gap := _gap(c, own.get(at)))] for at in range(shape.data)}
        fewest = sum(map(len, rest.values()))
        needed = rest if fewest < len(own) + len(parities) * len(parity) else old
    for at, ranges in needed.items():
        add("read", at, ranges)
    reading = any(needed.values())
    for at, ranges in old.items():
        add("write then" if reading else "write at once", at, ranges)
    made.parity_bytes += len(parities) * sum(to - first for first, to in parity)


def _beside_lost(
    shape: Shape, own: dict[int, Range], there: list[int], made: _Made
) -> dict[int, list[Range]]:  # fmt: skip
    """Give what is read of each strip of a row that has lost data, so that its new parity is known.

    Each part of its strips at which the same ones are written takes the way with the fewest reads: the old
    data of what is written and the old parities; where a lost strip is written, whose old data are not there,
    the rest of the row; where another lost one stays then, all that is there, and as many old parities as
    strips are lost. That also tells the one that is lost where all others are written and a second parity
    would be one read more.
    """
    data, needed = range(shape.data), dict[int, list[Range]]()
    parities = [at for at in there if at >= shape.data]
    lost = [at for at in data if at not in there]
    edges = sorted({edge for covered in own.values() for edge in covered})
    for part in itertools.pairwise(edges):
        written = [at for at, covered in own.items() if covered[0] <= part[0] and part[1] <= covered[1]]
        if not written:
            continue
        stay = [at for at in lost if at not in written]
        if not stay:
            read = [at for at in data if at not in written]
        elif len(stay) == len(lost) and len(written) + len(parities) <= shape.data:
            read = written + parities
        else:
            read = [at for at in data if at in there] + parities[: len(lost)]
            made.lost_bytes += len(stay) * moved([part])
            made.telling_bytes += shape.data * moved([part])
        for at in read:
            needed.setdefault(at, []).append(part)
    return {at: joined(ranges) for at, ranges in sorted(needed.items())}


def changed(strip: int, covered: list[Range]) -> list[Range]:
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
