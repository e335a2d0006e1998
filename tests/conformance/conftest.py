"""The file that engines are tried on."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from conformance.asking import FILE_BYTES, Stand
from iodyno import bench


@pytest.fixture
def stand(tmp_path: Path) -> Stand:
    """Give two files written in full."""
    path, other = tmp_path / "target", tmp_path / "other"
    direct = True
    for seed, file in enumerate((path, other)):
        file.write_bytes(b"")
        os.truncate(file, FILE_BYTES)
        try:
            os.close(os.open(file, os.O_RDONLY | os.O_DIRECT))
        except OSError:
            direct = False
        bench.fill(file, 0, FILE_BYTES, seed=1 + seed, direct=direct)
    return Stand(path, other, direct)
