"""Targets that lie on each other's devices, measured at once."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from loop_devices import DIRECT, loop_device, tool

pytest.importorskip("iodyno._core", reason="the engine is not built")

MIB = 1 << 20
READS = (
    "--quick", "--size", "8M", "--profile", "streaming", "--outstanding", "2", "--workers", "1",
    "--warmup", "0s", "--cap", "500ms",
)  # fmt: skip

pytestmark = [
    pytest.mark.root,
    pytest.mark.skipif(os.geteuid() != 0, reason="loop devices need root"),
    pytest.mark.skipif(not Path("/dev/loop-control").exists(), reason="this kernel has no loop devices"),
]


@pytest.fixture
def mounted(tmp_path: Path) -> Iterator[Path]:
    """Give a file system on a loop device of its own: nobody else uses that."""
    disk, folder = tmp_path / "disk.img", tmp_path / "mounted"
    disk.write_bytes(os.urandom(96 * MIB))
    folder.mkdir()
    with loop_device(disk, DIRECT) as device:
        tool("mkfs.ext4", "-q", "-E", "lazy_itable_init=0,lazy_journal_init=0", device)
        tool("mount", device, str(folder))
        try:
            yield folder
        finally:
            tool("umount", "--lazy", str(folder))


def call(environment: dict[str, str], *arguments: object) -> subprocess.CompletedProcess[str]:
    """Run a command to its end."""
    words = [sys.executable, "-m", "iodyno", *(str(argument) for argument in arguments)]
    return subprocess.run(words, env=environment, capture_output=True, text=True, check=False, timeout=120)


def test_io_of_a_loop_device_on_the_device_of_another_target_is_no_others(
    mounted: Path, tmp_path: Path
) -> None:
    upper = mounted / "x.img"
    with upper.open("wb") as file:
        file.write(os.urandom(8 * MIB))
        os.fsync(file.fileno())
    place = mounted / "place"
    place.mkdir()
    environment = {**os.environ, "IODYNO_STORE": str(tmp_path / "runs.db")}
    with loop_device(upper, DIRECT) as device:
        done = call(environment, "measure", device, place, *READS)
        assert done.returncode in (0, 1), done.stderr
    (result,) = json.loads(call(environment, "export", "latest").stdout)["results"]
    counted: dict[str, Any] = {one["device"]: one for one in result["observation"]["devices"]}
    assert len(counted) == 2, done.stderr
    causes = {cause["code"] for cause in result["verdict"]["causes"]}
    assert not causes & {"other_io", "cache_served"}, result["verdict"]
    issued = {path["issued"]["read_bytes"] for path in result["reading"]["per_target"]}
    above = counted[Path(device).name]
    assert above["read_bytes"] in issued
    assert above["targets"] == [device]
    (below,) = (one for one in counted.values() if one != above)
    assert set(below["targets"]) == {device, str(place / "iodyno.data")}
    assert below["read_bytes"] >= sum(issued)
