"""Whether a file that carries iodyno's mark still holds what iodyno wrote, as far as can be seen.

The mark stays on the file when somebody writes to it: ``cp image iodyno.data`` keeps inode and attributes. So
the mark says how a run left the file. Where a run was killed the data tell: they are random words of one
generator, in an order that chance does not give (``crates/engine/src/data.rs``).
"""

from __future__ import annotations

import itertools
import os
import random
import struct
import sys
import zlib
from collections.abc import Iterator, Sequence
from pathlib import Path

from iodyno.targets.extents import written_ranges
from iodyno.targets.mark import Mark

BLOCK_BYTES = 4096
BLOCKS = 256
"""Blocks that are read of a file that a killed run left."""
EVIDENCE = 32
"""Words in the order of the generator that are enough: each has it by chance once in 64 times."""
_SEED = 20261128
_SECTOR = struct.Struct("=64Q")
_MAGIC = b"iodyno\x1e\x01"
"""``crates/load/src/integrity/stamp.rs``: data to be verified have a stamp, and a checksum at the end."""
_AVOIDED = (b"H+", b"HX", b"\x53\xef")
_CHANGE = int.from_bytes(b"\x01".ljust(8, b"\0"), sys.byteorder)
"""``crates/engine/src/data.rs``, ``no_signature``: what no word begins with, and what makes it another."""
_MASK = (1 << 64) - 1
_STEP = 0x9E37_79B9_7F4A_7C15
"""``crates/load/src/pattern``, ``mix``: SplitMix64 of the seed and a number, which is turned round here."""
_TURNED = pow(0x94D0_49BB_1331_11EB, -1, 1 << 64), pow(0xBF58_476D_1CE4_E5B9, -1, 1 << 64)


def is_untouched(path: str | Path, mark: Mark) -> bool:
    """Tell whether a marked file is as a run left it; where its mark does not say how that was, whether
    samples of it hold nothing but what iodyno wrote. False where that cannot be told.

    What somebody wrote into the middle of a file that a killed run left can lie between the samples: 1 MiB in
    1 GiB mostly does. A copy onto the file, or a file system in it, begins in its first block.

    Parameters
    ----------
    path, mark
        The file, and the mark that was read from it.
    """
    try:
        found = Path(path).lstat()
        if mark.modified_ns is not None:
            return (found.st_size, found.st_mtime_ns) == (mark.size_bytes, mark.modified_ns)
        return _holds_only_ours(path, found.st_size)
    except OSError:
        return False


def _holds_only_ours(path: str | Path, size_bytes: int) -> bool:
    """Look at blocks that were written: each holds words of iodyno's, and besides them only zeros.

    Blocks of zeros alone are somebody's too: there mkfs clears what was, and leaves the rest as it lay.
    """
    descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC)
    try:
        ranges = written_ranges(descriptor, 0, size_bytes)
        if not ranges:
            return True
        os.posix_fadvise(descriptor, 0, 0, os.POSIX_FADV_RANDOM)
        evidence = 0
        for offset in _offsets(ranges):
            found = _evidence(os.pread(descriptor, BLOCK_BYTES, offset))
            if not found:
                return False
            evidence += found
    finally:
        os.close(descriptor)
    return evidence >= EVIDENCE


def _offsets(ranges: Sequence[tuple[int, int]]) -> list[int]:
    """Choose blocks spread over ranges, the first and the last among them."""
    firsts = [start // BLOCK_BYTES for start, _ in ranges]
    counts = [-(-end // BLOCK_BYTES) - first for first, (_, end) in zip(firsts, ranges, strict=True)]
    upto = list(itertools.accumulate(counts, initial=0))
    total = upto[-1]
    if total <= BLOCKS:
        drawn: Iterator[int] = iter(range(total))
    else:
        draw = random.Random(_SEED)
        edges = [total * share // (BLOCKS - 2) for share in range(BLOCKS - 1)]
        drawn = iter([0, *(draw.randrange(low, high) for low, high in itertools.pairwise(edges)), total - 1])
    offsets, part = [], 0
    for number in drawn:
        while number >= upto[part + 1]:
            part += 1
        offsets.append((firsts[part] + number - upto[part]) * BLOCK_BYTES)
    return offsets


def _evidence(block: bytes) -> int | None:
    """Count the words of a block that are iodyno's; none where it holds what is not."""
    total = 0
    for start in range(0, len(block), _SECTOR.size):
        found = _evidence_of_sector(block[start : start + _SECTOR.size])
        if found is None:
            return None
        total += found
    return total


def _evidence_of_sector(sector: bytes) -> int | None:
    if not any(sector):
        return 0
    if len(sector) != _SECTOR.size:
        return None
    if sector.startswith(_MAGIC):
        whole = zlib.crc32(sector[:-4]) == int.from_bytes(sector[-4:], "little")
        return EVIDENCE if whole else None
    # The first word may be that of the block; zeros at the end are what compresses away.
    words = _SECTOR.unpack(sector)
    kept = 1 + max(at for at, word in enumerate(words) if word)
    seeds = [_seeds(words[at], at) for at in range(1, kept)]
    if len(seeds) < 2:
        return None
    return len(seeds) - 1 if frozenset.intersection(*seeds) else None


def _seeds(word: int, at: int) -> frozenset[int]:
    """Give the seeds that a word may be of: two where it may be there for one that iodyno avoids."""
    avoided = word ^ _CHANGE
    found = (word, avoided) if avoided.to_bytes(8, sys.byteorder).startswith(_AVOIDED) else (word,)
    return frozenset((_turn_back(each) ^ ((at + 1) * _STEP)) & 63 for each in found)


def _turn_back(word: int) -> int:
    """Give what the generator made the word of: its seed, and the word's number times a step."""
    word ^= word >> 31 ^ word >> 62
    word = word * _TURNED[0] & _MASK
    word ^= word >> 27 ^ word >> 54
    word = word * _TURNED[1] & _MASK
    return word ^ word >> 30 ^ word >> 60
