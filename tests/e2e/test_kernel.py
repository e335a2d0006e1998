"""What the kernel forbids, and what it counts: the installed program against the system."""

from __future__ import annotations

import json
import os
import platform
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from contents import no_file_system
from loop_devices import DIRECT, loop_device

pytest.importorskip("iodyno._core", reason="the engine is not built")

IO_SETUP, IO_URING_SETUP = 206, 425
"""Numbers of the system calls on x86-64."""
DEVICE_BYTES = 32 << 20
SHORT = ("--quick", "--profile", "database", "--outstanding", "4", "--warmup", "100ms", "--cap", "500ms")

needs_root = [
    pytest.mark.root,
    pytest.mark.skipif(os.geteuid() != 0, reason="loop devices need root"),
    pytest.mark.skipif(not Path("/dev/loop-control").exists(), reason="this kernel has no loop devices"),
]


@pytest.fixture
def environment(tmp_path: Path) -> dict[str, str]:
    return {**os.environ, "IODYNO_STORE": str(tmp_path / "runs.db")}


def call(environment: dict[str, str], *arguments: object, before: tuple[str, ...] = ()) -> Any:
    command = [*before, sys.executable, "-m", "iodyno", *(str(argument) for argument in arguments)]
    return subprocess.run(command, env=environment, capture_output=True, text=True, check=False, timeout=120)


def results(environment: dict[str, str]) -> list[dict[str, Any]]:
    """Give the results of the latest run."""
    shown = call(environment, "show", "--json")
    return list(json.loads(shown.stdout)["results"])


@pytest.mark.skipif(platform.machine() != "x86_64", reason="the numbers of system calls are those of x86-64")
@pytest.mark.parametrize(
    ("forbidden", "engine"), [((IO_URING_SETUP,), "aio"), ((IO_URING_SETUP, IO_SETUP), "sync")]
)
def test_where_the_ring_is_forbidden_another_engine_answers_and_says_why(
    environment: dict[str, str], tmp_path: Path, forbidden: tuple[int, ...], engine: str
) -> None:
    helper = str(Path(__file__).with_name("forbidding.py"))
    before = (sys.executable, helper, ",".join(str(number) for number in forbidden))
    done = call(environment, "measure", tmp_path, *SHORT, "--size", "8M", "--buffered", before=before)
    assert done.returncode == 0, done.stderr
    (result,) = results(environment)
    assert result["reading"]["engine"]["name"] == engine
    assert "no io_uring: Operation not permitted" in result["reading"]["engine"]["why"]
    asked = call(
        environment, "measure", tmp_path, *SHORT, "--size", "8M", "--buffered", "--engine", "io_uring",
        before=before,
    )  # fmt: skip
    assert asked.returncode == 1
    assert asked.stderr == (
        "error: the engine io_uring cannot run here: Operation not permitted (os error 1)\n"
        "hint: `auto` takes what the kernel allows; `iodyno doctor` tells what this machine can do\n"
    )
    # Nothing was begun that could not go on, and no file was made.
    assert call(environment, "runs", "--json").stdout.count('"id"') == 1
    assert [file for file in tmp_path.iterdir() if not file.name.startswith("runs.db")] == []


@pytest.fixture
def device(tmp_path: Path) -> Iterator[str]:
    """Give a loop device over a file written in full, for direct I/O."""
    path = tmp_path / "disk"
    path.write_bytes(no_file_system(DEVICE_BYTES))
    with loop_device(path, DIRECT) as attached:
        yield attached


class TestLoopDevice:
    pytestmark = needs_root

    def test_the_device_counts_exactly_what_was_issued(
        self, environment: dict[str, str], device: str
    ) -> None:
        done = call(
            environment, "measure", device, *SHORT, "--write-existing", "--identity", DEVICE_BYTES
        )  # fmt: skip
        assert done.returncode == 0, done.stderr
        (result,) = results(environment)
        issued = result["reading"]["issued"]
        (counted,) = result["observation"]["devices"]
        assert counted["exact"]
        for field in ("read_bytes", "written_bytes"):
            assert counted[field] == issued[field]
        codes = {cause["code"] for cause in result["verdict"]["causes"]}
        assert not codes & {"other_io", "cache_served", "not_direct"}

    def test_a_device_is_not_written_without_its_identity(
        self, environment: dict[str, str], device: str
    ) -> None:
        before = Path(device).read_bytes()
        done = call(environment, "measure", device, *SHORT)
        assert done.returncode == 2
        assert "--write-existing" in done.stderr
        done = call(environment, "measure", device, *SHORT, "--write-existing", "--identity", "4711")
        assert done.returncode == 2
        assert "exact size in bytes" in done.stderr
        assert Path(device).read_bytes() == before
        assert not Path(environment["IODYNO_STORE"]).exists()

    def test_io_errors_are_counted_and_the_run_is_kept(
        self, environment: dict[str, str], device: str, tmp_path: Path
    ) -> None:
        os.truncate(tmp_path / "disk", DEVICE_BYTES // 2)
        study = tmp_path / "read.toml"
        study.write_text(
            """
            schema = 1
            name = "read"
            title = "Reads"
            [measurement]
            warmup_s = 0.1
            floor_s = 2
            cap_s = 2
            [file]
            size = "8M"
            [[sweep]]
            name = "read"
            profiles = ["random-read-4k"]
            workers = 1
            outstanding = [4]
            """
        )
        done = call(environment, "measure", device, "--study", study)
        assert done.returncode == 1, done.stderr
        (result,) = results(environment)
        (error,) = result["reading"]["reads"]["errors"]
        assert error["name"] == "EIO"
        assert error["count"] > 0
        assert error["first_offset_bytes"] >= DEVICE_BYTES // 2
        assert result["reading"]["reads"]["completed"] > 0
        assert result["verdict"]["state"] == "disturbed"
        assert "io_errors" in {cause["code"] for cause in result["verdict"]["causes"]}
