"""What an access to a RAID 1E becomes, on average over the places where it can begin.

A strip lies in an even row of a member, its copy in the next row of the next member. So the copy of a strip
lies beside the strip after it, or near: a member has pieces of a large access, one behind the other.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from iodyno.prediction.pieces import Made, Pieces, Shape, joined, mean


@dataclass(frozen=True)
class Rows:
    """Rows of a RAID 1E."""

    members: int
    strip_bytes: int
    failed: tuple[int, ...] = ()


@lru_cache(maxsize=1024)
def mean_pieces(rows: Rows, size: int, grain: int, own_share: float | None, start: int = 0) -> Pieces:
    """Give what an access becomes that begins at any multiple of the grain, each as likely as the others.

    Parameters
    ----------
    rows
        The rows.
    size
        Bytes of the access.
    grain
        What its beginnings are multiples of, in bytes.
    own_share
        Share of the strips that are read in their even rows, the others where their copies are; none of a
        write, which goes to both.
    start
        Where multiples are counted from, in bytes.
    """
    begins = Shape(rows.members, 0, 1, rows.strip_bytes, shifted=True).begins(size, grain, start)
    draw = random.Random(0)
    every = [_pieces(rows, (at, size), own_share, draw) for at in begins]
    return mean(every, [*begins.values()])


def _pieces(rows: Rows, part: tuple[int, int], own_share: float | None, draw: random.Random) -> Made:
    """Give by member the ranges that an access has there, in order, those that meet as one."""
    found: Made = {}
    for strip, first, to in _strips(rows.strip_bytes, part):
        row, column = strip // rows.members * 2, strip % rows.members
        places = [(column, row), ((column + 1) % rows.members, row + 1)]
        places = [place for place in places if place[0] not in rows.failed]
        if own_share is not None and len(places) > 1:
            places = [places[draw.random() >= own_share]]
        for member, at in places:
            base = at * rows.strip_bytes
            found.setdefault(member, []).append((base + first, base + to))
    return {member: joined(ranges) for member, ranges in found.items()}


def _strips(strip_bytes: int, part: tuple[int, int]) -> Iterator[tuple[int, int, int]]:
    at, end = part[0], part[0] + part[1]
    while at < end:
        strip, first = divmod(at, strip_bytes)
        to = min(first + end - at, strip_bytes)
        yield strip, first, to
        at += to - first
