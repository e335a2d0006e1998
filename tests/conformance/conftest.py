"""The file that engines are tried on."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from asking import FILE_BYTES, Stand

from iodyno import bench


@pytest.fixture
def stand(tmp_path: Path) -> Stand:
    """Give a file written in full."""
    path = tmp_path / "target"
    path.write_bytes(b"")
    os.truncate(path, FILE_BYTES)
    direct = True
    try:
        os.close(os.open(path, os.O_RDONLY | os.O_DIRECT))
    except OSError:
        direct = False
    bench.fill(path, 0, FILE_BYTES, seed=1, direct=direct)
    return Stand(path, direct)
