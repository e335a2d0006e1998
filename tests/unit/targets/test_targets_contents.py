"""What was never written is found; the expected bytes follow from how each file is made."""

from __future__ import annotations

import fcntl
import os
import subprocess
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from iodyno.targets import check_contents
from iodyno.targets import extents as extents_module
from iodyno.targets.contents import sample_offsets
from iodyno.targets.extents import Extents, read_extents

MIB = 1 << 20


def write_data(path: Path, size_bytes: int) -> Path:
    path.write_bytes(os.urandom(size_bytes))
    return path


def needs_reserving(path: Path) -> None:
    """Skip where reserved space cannot be told from written: ext4, XFS and btrfs can."""
    kind = subprocess.run(["stat", "-f", "-c", "%T", str(path)], capture_output=True, text=True, check=True)
    if kind.stdout.strip() not in ("ext2/ext3", "xfs", "btrfs"):
        pytest.skip(f"this file system does not tell: {kind.stdout.strip()}")


def test_a_file_written_in_full(tmp_path: Path) -> None:
    contents = check_contents(str(write_data(tmp_path / "data", 4 * MIB)), 0, 4 * MIB)
    assert (contents.zero_samples, contents.samples) == (0, 256)
    assert not contents.hole_bytes
    assert contents.state in ("written", "unknown")
    assert str(contents) == "data throughout"


def test_holes_are_counted(tmp_path: Path) -> None:
    path = write_data(tmp_path / "data", MIB)
    os.truncate(path, 3 * MIB)
    contents = check_contents(str(path), 0, 3 * MIB)
    assert contents.state == "holes"
    assert contents.hole_bytes == 2 * MIB
    assert str(2 * MIB) in str(contents)
    assert check_contents(str(path), MIB // 2, MIB).hole_bytes == MIB // 2, "only inside the area"


def test_unwritten_extents_are_counted(tmp_path: Path) -> None:
    path = tmp_path / "data"
    needs_reserving(tmp_path)
    with path.open("wb") as file:
        os.posix_fallocate(file.fileno(), 0, 2 * MIB)
        file.write(os.urandom(MIB // 2))
    contents = check_contents(str(path), 0, 2 * MIB)
    assert contents.state == "holes"
    assert (contents.hole_bytes, contents.unwritten_bytes) == (0, 2 * MIB - MIB // 2)


def make_islands(path: Path, count: int) -> int:
    """Write every second block, so that each is an extent; give the size in bytes."""
    with path.open("wb") as file:
        for index in range(count):
            file.seek(index * 8192)
            file.write(os.urandom(4096))
        file.truncate(count * 8192)
    return count * 8192


@pytest.mark.parametrize("batch", [1, 7, 512])
def test_more_extents_than_one_batch(tmp_path: Path, batch: int) -> None:
    size = make_islands(tmp_path / "data", 700)
    with (tmp_path / "data").open("rb") as file:
        assert read_extents(file.fileno(), 0, size, batch=batch).hole_bytes == size // 2
        assert read_extents(file.fileno(), 8192, 8192, batch=batch).hole_bytes == 4096


def test_seeking_finds_the_same_holes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def unsupported(*_: object) -> None:
        raise OSError(95, "Operation not supported")

    size = make_islands(tmp_path / "data", 50)
    monkeypatch.setattr(fcntl, "ioctl", unsupported)
    with (tmp_path / "data").open("rb") as file:
        assert read_extents(file.fileno(), 0, size) == Extents(size // 2, None)
        assert read_extents(file.fileno(), 4096, size - 8192) == Extents(size // 2 - 4096, None)
        assert read_extents(file.fileno(), 0, size - 2048) == Extents(size // 2 - 2048, None)
        assert read_extents(file.fileno(), 0, size - 10240) == Extents(48 * 4096 + 2048, None)


def test_extents_that_reach_beyond_the_area_count_only_inside(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Linux, Documentation/filesystems/fiemap.rst: the first extent may begin before the area, the last may
    # end after it. 0x800 marks an unwritten one.
    extents = [(0, 100, 0), (120, 20, 0x800), (150, 100, 0x800)]
    monkeypatch.setattr(extents_module, "_fiemap", lambda *_: iter(extents))
    with write_data(tmp_path / "data", 4096).open("rb") as file:
        assert read_extents(file.fileno(), 50, 150) == Extents(20 + 10, 20 + 50)


def test_a_file_system_that_says_nothing_leaves_it_unknown(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = write_data(tmp_path / "data", MIB)
    monkeypatch.setattr("iodyno.targets.contents.read_extents", lambda *_: Extents(None, None))
    assert check_contents(str(path), 0, MIB).state == "unknown"


def test_blocks_of_zeros_are_found(tmp_path: Path) -> None:
    path = tmp_path / "data"
    path.write_bytes(os.urandom(MIB) + bytes(MIB))
    contents = check_contents(str(path), 0, 2 * MIB)
    assert contents.state == "zeros"
    assert contents.zero_samples == contents.samples // 2, "the samples are spread evenly"
    assert check_contents(str(path), 0, MIB).zero_samples == 0


def test_zeros_at_the_very_end_are_found(tmp_path: Path) -> None:
    path = tmp_path / "data"
    path.write_bytes(os.urandom(8 * MIB - 4096) + bytes(4096))
    assert check_contents(str(path), 0, 8 * MIB).zero_samples == 1


def test_a_block_with_one_byte_of_data_is_no_zero(tmp_path: Path) -> None:
    path = tmp_path / "data"
    path.write_bytes((bytes(4095) + b"\x01") * 16)
    assert check_contents(str(path), 0, 65536).zero_samples == 0


def test_nothing_is_written(tmp_path: Path) -> None:
    path = write_data(tmp_path / "data", MIB)
    path.chmod(0o400)
    before = (path.stat().st_mtime_ns, path.read_bytes())
    check_contents(str(path), 0, MIB)
    assert (path.stat().st_mtime_ns, path.read_bytes()) == before


@given(st.integers(0, 1 << 42), st.integers(0, 1 << 44), st.integers(3, 600), st.integers(0, 1 << 32))
def test_samples_lie_inside_sorted_and_apart(start: int, length: int, samples: int, seed: int) -> None:
    offsets = sample_offsets(start, length, samples, seed)
    assert offsets == sorted(set(offsets))
    assert all(offset % 4096 == 0 and start <= offset <= start + length - 4096 for offset in offsets)
    whole = max(0, (start + length) // 4096 - -(-start // 4096))
    assert len(offsets) == min(whole, samples)
    assert offsets == sample_offsets(start, length, samples, seed)
    if whole:
        assert offsets[0] == -(-start // 4096) * 4096
        assert offsets[-1] == ((start + length) // 4096 - 1) * 4096
