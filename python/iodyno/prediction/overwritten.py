"""What random writes really overwrite of the area that they go to.

Blocks at multiples of more than their size leave what lies between them as it is. Of an array's drives that
is what strips, copies and parities make of them, on average over the drives.
"""

from __future__ import annotations

import math
from functools import lru_cache

from iodyno.prediction.accesses import Load
from iodyno.prediction.parity import by_member, changed
from iodyno.prediction.pieces import Range, Shape

PAGE_BYTES = 4096
"""What an SSD maps, and writes anew as a whole."""
MOST_PLACES = 4096
"""Places that are looked at, times the strips of each; of more the first stand for all."""
FEWEST_PLACES = 256
"""Places that are looked at at the least, where there are as many."""


def overwritten_share(load: Load, shape: Shape | None = None) -> float:
    """Give what of an area the writes of a load overwrite in the long run, above 0 to 1.

    Parameters
    ----------
    load
        What is asked of a target.
    shape
        Rows of the array that it is, where it is one.
    """
    writes = [access for access in load.classes if access.write]
    if not writes or load.random_share < 1:
        return 1.0
    size, step = max(access.bytes for access in writes), writes[0].alignment_bytes
    if size >= step:
        return 1.0
    data = places_share(size, step)
    if shape is None or not shape.parity:
        return data
    parity = parity_share(shape, size, step, load.start_bytes)
    return (shape.data * data + shape.parity * parity) / shape.width


def overwritten_shares(load: Load, shape: Shape) -> tuple[float, ...]:
    """Give the same of each member of an array, of copies one."""
    mean, members = overwritten_share(load, shape), shape.groups * shape.width
    writes = [access for access in load.classes if access.write]
    if mean == 1:
        return (1.0,) * members
    size, step = max(access.bytes for access in writes), writes[0].alignment_bytes
    return _of_members(shape, size, step, load.start_bytes) or (mean,) * members


@lru_cache(maxsize=256)
def _of_members(shape: Shape, size: int, step: int, start: int) -> tuple[float, ...]:
    """Give what of the pages of each member hold some of a write, where members have unlike numbers of them;
    else nothing."""
    begins = shape.uneven_places(size, step, start)
    if not begins:
        return ()
    # Multiples of the step go over all of these, some rows of a member.
    length = math.lcm(step, shape.row_bytes * (shape.groups * shape.width if shape.parity else 1))
    own = length / shape.row_bytes / shape.groups * shape.strip_bytes
    begins = [start + at for at in range(0, length, step)][
        : max(MOST_PLACES // shape.strips(size), FEWEST_PLACES)
    ]
    own *= len(begins) * step / length
    members = by_member(shape, size, begins, True)
    return tuple(min(_pages(ranges) * PAGE_BYTES / own, 1.0) for ranges in members)


def places_share(size: int, step: int) -> float:
    """Give what of the pages hold some of a block, one of which begins at every multiple of a step.

    What is left are the whole pages between the end of a block and the beginning of the next, which come to
    lie against pages at any multiple of what step and page have in common.

    Examples
    --------
    4 kB of every 64, and 512 B of them, which are a page as well.

    >>> places_share(4096, 65536), places_share(512, 65536), places_share(512, 4096)
    (0.0625, 0.0625, 1.0)
    """
    common = math.gcd(step, PAGE_BYTES)
    between = step - -(-size // common) * common
    return 1 - max(between - PAGE_BYTES + common, 0) / step


@lru_cache(maxsize=256)
def parity_share(shape: Shape, size: int, step: int, start: int = 0) -> float:
    """Give what of the pages of parity hold some that changes with a write at any multiple of a step.

    Parameters
    ----------
    shape
        The rows.
    size
        Bytes of a write.
    step
        What its beginnings are multiples of, in bytes.
    start
        Where multiples are counted from, in bytes.
    """
    places = min(shape.row_bytes // math.gcd(shape.row_bytes, step), MOST_PLACES)
    rows: dict[int, list[Range]] = {}
    for place in range(places):
        for row, part in shape.rows(start + place * step, size):
            of_row = list(shape.covered(part).values())
            rows.setdefault(row, []).extend(changed(shape.strip_bytes, of_row))
    pages = sum(_pages(ranges) for ranges in rows.values())
    return min(pages * PAGE_BYTES / (places * step / shape.row_bytes * shape.strip_bytes), 1.0)


def _pages(ranges: list[Range]) -> int:
    """Count the pages that hold some of ranges."""
    count = reached = 0
    for first, to in sorted((first // PAGE_BYTES, -(-to // PAGE_BYTES)) for first, to in ranges):
        count += max(to - max(first, reached), 0)
        reached = max(reached, to)
    return count
