"""What is written: incompressible, unique, and all of it."""

from __future__ import annotations

import zlib
from itertools import pairwise
from pathlib import Path

import pytest

from conformance.asking import FILE_BYTES, REAL, Stand, ask, needs, profile
from iodyno import bench
from iodyno.plan import FillData

RECORD = 128 << 10
"""What file systems that compress take together."""
PIECE = 4096
"""The smallest piece that stores keep once for all its copies: each is unlike all others."""


def _compressed_share(data: bytes) -> float:
    records = [data[at : at + RECORD] for at in range(0, len(data), RECORD)]
    return sum(len(zlib.compress(record, 6)) for record in records) / len(data)


def _distinct_share(data: bytes, size: int) -> float:
    blocks = [data[at : at + size] for at in range(0, len(data), size)]
    return len(set(blocks)) / len(blocks)


def test_a_filled_file_is_incompressible_and_unique(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.touch()
    bench.fill(path, 0, FILE_BYTES, seed=5, direct=False)
    data = path.read_bytes()
    assert len(data) == FILE_BYTES
    assert _compressed_share(data) > 0.999
    assert _distinct_share(data, PIECE) == 1.0


@pytest.mark.parametrize("size", [4096, 65536])
def test_what_a_profile_writes_is_incompressible_and_unique(stand: Stand, size: int) -> None:
    # One block after the other through the whole file: neighbours would compress together.
    reading = ask(stand.point("auto", profile(0.0, 0.0, size), outstanding=2, seconds=1.0))
    written = min(reading.issued.written_bytes, FILE_BYTES)
    data = stand.path.read_bytes()[: written // RECORD * RECORD]
    assert data
    assert _compressed_share(data) > 0.999
    assert _distinct_share(data, PIECE) == 1.0


def test_the_same_point_writes_other_data_each_time(stand: Stand) -> None:
    point = stand.point("auto", profile(0.0, 0.0, 65536), outstanding=2, seconds=1.0)
    written: list[bytes] = []
    for _ in range(2):
        reading = ask(point)
        length = min(reading.issued.written_bytes, FILE_BYTES) // 4096 * 4096
        written.append(stand.path.read_bytes()[:length])
    first, second = ({data[at : at + 512] for at in range(0, len(data), 512)} for data in written)
    assert not first & second


@pytest.mark.parametrize("share", [0.25, 0.5, 0.8])
def test_the_compressible_share_of_what_is_written_compresses_away(stand: Stand, share: float) -> None:
    written = profile(0.0, 0.0, 16384, data_compressible_share=share)
    reading = ask(stand.point("auto", written, outstanding=2, seconds=1.0))
    data = stand.path.read_bytes()[: min(reading.issued.written_bytes, FILE_BYTES) // RECORD * RECORD]
    assert data
    assert _compressed_share(data) == pytest.approx(1 - share, abs=0.03)
    assert _distinct_share(data, PIECE) == 1.0


@pytest.mark.parametrize("engine", REAL)
@pytest.mark.parametrize("share", [0.3, 0.75])
def test_the_duplicate_share_of_the_blocks_are_copies(stand: Stand, engine: str, share: float) -> None:
    needs(engine)
    size = 16384
    written = profile(0.0, 0.0, size, data_duplicate_share=share)
    reading = ask(stand.point(engine, written, outstanding=4, seconds=1.0))
    blocks = min(reading.issued.writes, FILE_BYTES // size)
    data = stand.path.read_bytes()[: blocks * size]
    copies = 1 - _distinct_share(data, size)
    # What was last in flight, and the first block of each slot, may be off by one block each; where the file
    # was gone through several times, writes of two passes stand side by side.
    assert copies == pytest.approx(share, abs=0.02 + 16 / blocks)
    assert 1 - _distinct_share(data, 4096) == pytest.approx(copies)
    assert _compressed_share(data[:size]) > 0.99


def test_a_fill_has_the_shares_too(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.touch()
    shares = FillData(compressible_share=0.5, duplicate_share=0.4)
    bench.fill(path, 0, 4 * FILE_BYTES, seed=5, direct=False, data=shares)
    data = path.read_bytes()
    assert len(data) == 4 * FILE_BYTES
    assert 1 - _distinct_share(data, 128 << 10) == pytest.approx(0.4, abs=0.01)
    assert 1 - _distinct_share(data, 4096) == pytest.approx(0.4, abs=0.01)
    distinct = b"".join(dict.fromkeys(data[at : at + RECORD] for at in range(0, len(data), RECORD)))
    assert _compressed_share(distinct) == pytest.approx(0.5, abs=0.03)


def test_zeros_and_repeated_blocks_are_what_they_say(stand: Stand) -> None:
    ask(stand.point("auto", profile(0.0, 0.0, data="zeros"), area=(0, 1 << 20), seconds=0.3))
    assert not any(stand.path.read_bytes()[: 1 << 16])
    ask(stand.point("auto", profile(0.0, 0.0, data="repeated"), area=(0, 1 << 20), seconds=0.3))
    data = stand.path.read_bytes()[: 1 << 16]
    assert _distinct_share(data, 4096) == 1 / 16
    assert _compressed_share(data[:4096]) > 0.99


def test_filling_tells_how_far_it_is_and_leaves_the_rest_alone(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(bytes(FILE_BYTES))
    heard: list[int] = []
    bench.fill(path, 1 << 20, 5 << 20, seed=5, direct=False, tell=heard.append)
    data = path.read_bytes()
    assert heard[-1] == 5 << 20
    assert all(before <= after for before, after in pairwise(heard))
    assert not any(data[: 1 << 20])
    assert not any(data[6 << 20 :])
    assert all(any(data[at : at + 512]) for at in range(1 << 20, 6 << 20, 512))
