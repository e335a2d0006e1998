"""Whether a target holds data: nobody measures a disk by reading what was never written."""

from __future__ import annotations

import contextlib
import itertools
import mmap
import os
import random
import stat
from typing import Literal

from pydantic import NonNegativeInt

from iodyno.profiles import Record
from iodyno.targets.extents import Extents, read_extents

SAMPLE_BYTES = 4096
SAMPLES = 256
_SEED = 20260829
_ZEROS = bytes(SAMPLE_BYTES)


class Contents(Record):
    """What an area of a target holds."""

    start_bytes: NonNegativeInt
    """Where the area begins, in bytes."""
    length_bytes: NonNegativeInt
    """How long it is, in bytes."""
    hole_bytes: int | None
    """Bytes without storage behind them; none where it cannot be told, as on devices."""
    unwritten_bytes: int | None
    """Bytes reserved but never written; none where it cannot be told."""
    samples: NonNegativeInt
    """Blocks of 4096 bytes that were read."""
    zero_samples: NonNegativeInt
    """How many of them hold only zeros."""
    state: Literal["written", "holes", "zeros", "unknown"]
    """``holes``: holes or unwritten extents; ``zeros``: samples of zeros; ``unknown``: a file system
    that does not say, though every sample holds data."""

    def __str__(self) -> str:
        parts = []
        if self.hole_bytes:
            parts.append(f"{self.hole_bytes} bytes of holes")
        if self.unwritten_bytes:
            parts.append(f"{self.unwritten_bytes} bytes that were reserved but never written")
        if self.zero_samples:
            parts.append(f"only zeros in {self.zero_samples} of {self.samples} blocks sampled")
        return ", ".join(parts) or "data throughout"


def check_contents(
    path: str, start: int, length: int, *, samples: int = SAMPLES, seed: int = _SEED
) -> Contents:
    """Look for holes, unwritten extents and blocks of zeros in an area of a file or device.

    Reads only. Samples are spread evenly with a random place in each share of the area,
    the first and the last block among them, and bypass the caches where that is possible.

    Parameters
    ----------
    path
        A regular file or block device that may be read.
    start, length
        The area in bytes, inside the target.
    samples
        Blocks of 4096 bytes to read, 3 or more.
    seed
        Seed of the places, so that the same blocks are read again.

    Raises
    ------
    OSError
        If the target cannot be read.
    """
    descriptor = os.open(path, os.O_RDONLY)
    try:
        is_file = stat.S_ISREG(os.fstat(descriptor).st_mode)
        extents = read_extents(descriptor, start, length) if is_file else Extents(None, None)
        offsets = sample_offsets(start, length, samples, seed)
        zeros = _count_zeros(path, descriptor, offsets)
    finally:
        os.close(descriptor)
    return Contents(
        start_bytes=start, length_bytes=length, hole_bytes=extents.hole_bytes,
        unwritten_bytes=extents.unwritten_bytes, samples=len(offsets), zero_samples=zeros,
        state=_state(extents, zeros, is_file),
    )  # fmt: skip


def _state(extents: Extents, zeros: int, is_file: bool) -> Literal["written", "holes", "zeros", "unknown"]:
    if extents.hole_bytes or extents.unwritten_bytes:
        return "holes"
    if zeros:
        return "zeros"
    return "unknown" if is_file and extents.hole_bytes is None else "written"


def sample_offsets(start: int, length: int, samples: int, seed: int) -> list[int]:
    """Choose the blocks to read: sorted offsets in bytes, multiples of 4096, none twice.

    Examples
    --------
    >>> sample_offsets(0, 16384, 100, 1)
    [0, 4096, 8192, 12288]
    """
    first, last = -(-start // SAMPLE_BYTES), (start + length) // SAMPLE_BYTES
    blocks = last - first
    if blocks <= samples:
        return [block * SAMPLE_BYTES for block in range(first, max(last, first))]
    draw = random.Random(seed)
    inner = samples - 2
    edges = [first + 1 + (blocks - 2) * share // inner for share in range(inner + 1)]
    drawn = [draw.randrange(low, high) for low, high in itertools.pairwise(edges)]
    return [block * SAMPLE_BYTES for block in (first, *drawn, last - 1)]


def _count_zeros(path: str, buffered: int, offsets: list[int]) -> int:
    direct = buffered
    with contextlib.suppress(OSError, AttributeError):
        direct = os.open(path, os.O_RDONLY | os.O_DIRECT)
    try:
        with mmap.mmap(-1, SAMPLE_BYTES) as page:
            return sum(_is_zero(direct, buffered, page, offset) for offset in offsets)
    finally:
        if direct != buffered:
            os.close(direct)


def _is_zero(direct: int, buffered: int, page: mmap.mmap, offset: int) -> bool:
    """Read a block, past the caches where the target allows it."""
    try:
        count = os.preadv(direct, [page], offset)
    except OSError:
        if direct == buffered:
            raise
        count = os.preadv(buffered, [page], offset)
    return page[:count] == _ZEROS[:count]
