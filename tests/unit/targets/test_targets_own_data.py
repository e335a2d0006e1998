"""What of a file is taken for iodyno's own: words of its generator, made here once more, and nothing else."""

from __future__ import annotations

import random
import struct
import zlib
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from iodyno.targets.mark import Mark
from iodyno.targets.own import BLOCK_BYTES, BLOCKS, EVIDENCE, _offsets, is_untouched

SEED = 7
SECTOR = 512
KINDS = (b"H+", b"HX", b"\x53\xef")
"""What no word of iodyno's begins with, lest its device seem to hold a file system."""
STAMP = b"iodyno\x1e\x01"


def generated(seed: int, numbers: np.ndarray) -> np.ndarray:
    """Give words of SplitMix64 (Steele, Lea and Flood, OOPSLA 2014), its state told by seed and number."""
    with np.errstate(over="ignore"):
        z = np.uint64(seed) ^ ((numbers + np.uint64(1)) * np.uint64(0x9E3779B97F4A7C15))
        z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
        words: np.ndarray = z ^ (z >> np.uint64(31))
    return words


def words(seed: int = SEED, sectors: int = 8) -> np.ndarray:
    """Give sectors of words, a row each."""
    return generated(seed, np.arange(sectors * 64, dtype="u8")).reshape(sectors, 64)


def is_ours(path: Path, data: bytes) -> bool:
    """Write a file as a killed run leaves it, and ask."""
    path.write_bytes(data)
    return is_untouched(path, Mark(inode=path.stat().st_ino))


def test_words_of_the_generator_are_known_whatever_its_seed(tmp_path: Path) -> None:
    for seed in (0, 1, 63, 64, 20261129, 2**63 + 5):
        assert is_ours(tmp_path / "file", words(seed).tobytes()), seed
    assert not is_ours(tmp_path / "file", np.roll(words(), 1, axis=1).tobytes()), "in another order"
    for bit in (1, 2, 4, 8, 16, 32):
        halves = np.concatenate([words()[:, :32], words(SEED ^ bit)[:, 32:]], axis=1)
        assert not is_ours(tmp_path / "file", halves.tobytes()), "of two seeds"


@pytest.mark.parametrize("kind", KINDS)
def test_words_that_avoid_a_beginning_of_file_systems_are_known(tmp_path: Path, kind: bytes) -> None:
    """Many in one sector, of each kind: one bit is another in them."""
    numbers = np.arange(1 << 22, dtype="u8")
    found = generated(SEED, numbers)
    avoided = numbers[(found & np.uint64(0xFFFF)) == np.uint64(int.from_bytes(kind, "little"))]
    sectors = words()
    changed = {int(number) % 64: found[number] ^ np.uint64(1) for number in avoided if number % 64}
    assert len(changed) > 20
    for at, word in changed.items():
        sectors[0, at] = word
    assert is_ours(tmp_path / "file", sectors.tobytes())
    for at, word in changed.items():
        sectors[0, at] = word ^ np.uint64(1)
    assert is_ours(tmp_path / "file", sectors.tobytes()), "as versions before have written them"
    sectors[0, next(at for at in range(1, 64) if at not in changed)] ^= np.uint64(1)
    assert not is_ours(tmp_path / "file", sectors.tobytes()), (
        "a word that begins otherwise has no bit changed"
    )


@pytest.mark.parametrize(("words_kept", "ours"), [(EVIDENCE + 2, True), (EVIDENCE + 1, False)])
def test_so_many_words_in_order_are_enough_and_no_fewer(tmp_path: Path, words_kept: int, ours: bool) -> None:
    """The first word of a sector may be another, and the next tells the seed: what follows is evidence."""
    sector = words(sectors=1)
    sector[0, words_kept:] = 0
    assert is_ours(tmp_path / "file", sector.tobytes() + bytes(BLOCK_BYTES - SECTOR)) is ours


def test_a_sector_of_a_word_or_two_cannot_be_told_from_somebodys(tmp_path: Path) -> None:
    """Where nearly all compresses away: a refusal, and no file of somebody's is overwritten."""
    many = words(sectors=64)
    many[:, 3:] = 0
    assert is_ours(tmp_path / "file", many.tobytes())
    many[9, 2:] = 0
    assert not is_ours(tmp_path / "file", many.tobytes())


def test_verified_data_are_known_by_stamp_and_checksum(tmp_path: Path) -> None:
    body = STAMP + random.Random(20261129).randbytes(SECTOR - len(STAMP) - 4)
    whole = body + struct.pack("<I", zlib.crc32(body))
    assert is_ours(tmp_path / "file", whole * 8)
    torn = bytearray(whole * 8)
    torn[3 * SECTOR + 100] ^= 1
    assert not is_ours(tmp_path / "file", bytes(torn))
    assert not is_ours(tmp_path / "file", (b"x" + whole[1:]) * 8), "of another stamp"


def test_a_link_is_not_followed(tmp_path: Path) -> None:
    assert is_ours(tmp_path / "file", words().tobytes())
    (tmp_path / "link").symlink_to(tmp_path / "file")
    assert not is_untouched(tmp_path / "link", Mark(inode=1))


@pytest.mark.parametrize(("end", "ours"), [(b"", True), (bytes(100), True), (b"a line\n", False)])
def test_what_lies_beyond_the_last_sector_is_somebodys_unless_it_is_zeros(
    tmp_path: Path, end: bytes, ours: bool
) -> None:
    assert is_ours(tmp_path / "file", words().tobytes() + words().tobytes()[:SECTOR] + end) is ours


@pytest.mark.parametrize("seed", range(20))
def test_blocks_that_are_looked_at_are_spread_over_what_was_written(seed: int) -> None:
    """The first and the last, and between them one of each part that is as large as the others."""
    draw = random.Random(seed)
    ranges: list[tuple[int, int]] = []
    at = 0
    for _ in range(draw.randint(1, 40)):
        at += draw.randint(1, 99) * BLOCK_BYTES
        blocks = draw.randint(1, 999 if seed % 2 else 9)
        ranges.append((at, at + blocks * BLOCK_BYTES - draw.choice([0, 100])))
        at += blocks * BLOCK_BYTES
    every = [number for start, end in ranges for number in range(start, end, BLOCK_BYTES)]
    offsets = _offsets(ranges)
    if len(every) <= BLOCKS:
        assert offsets == every
        return
    assert len(offsets) == BLOCKS
    assert (offsets[0], offsets[-1]) == (every[0], every[-1])
    place = {offset: number for number, offset in enumerate(every)}
    assert set(offsets) <= set(every)
    assert _spread([place[offset] for offset in offsets[1:-1]], len(every))


def _spread(places: Sequence[int], total: int) -> bool:
    """Tell whether each of equal parts has one of these places."""
    parts = len(places)
    return all(total * n // parts <= at < total * (n + 1) // parts for n, at in enumerate(places))
