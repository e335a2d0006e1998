"""What a target does to a run under way: I/Os fail or come back short, its file system fills up, it is lost.

Each ends with the events counted, the run kept and the files cleaned up, on every engine.
"""

from __future__ import annotations

import fcntl
import json
import os
import resource
import shutil
import signal
import struct
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from contents import no_file_system
from loop_devices import DIRECT, loop_device, tool

pytest.importorskip("iodyno._core", reason="the engine is not built")

from iodyno import bench

MIB = 1 << 20
FILE_BYTES = 16 * MIB
LIMIT_S = 120
"""A run that takes longer hangs: it is killed and the test fails."""
TRIES = 20
BROKEN_AFTER = 3
"""Samples of 100 ms before a target is broken."""
SHUT_DOWN = 0x8004587D
"""``EXT4_IOC_SHUTDOWN`` of the kernel's ``fs/ext4/ext4.h``: as if the disk of a file system were pulled."""
SHUT_DOWN_WITHOUT_LOG = 2

needs_loop = [
    pytest.mark.root,
    pytest.mark.skipif(os.geteuid() != 0, reason="loop devices need root"),
    pytest.mark.skipif(not Path("/dev/loop-control").exists(), reason="this kernel has no loop devices"),
]

STUDY = """
schema = 1
name = "fault"
title = "Faults"
[measurement]
warmup_s = 0
floor_s = {seconds}
cap_s = {seconds}
[file]
size = "16M"
[[profile]]
name = "half"
random_share = 1.0
read_share = 0.5
blocks = [8192]
[[sweep]]
name = "half"
profiles = ["{profile}"]
workers = 2
outstanding = [{outstanding}]
"""


@pytest.fixture(params=["io_uring", "aio", "sync"])
def engine(request: pytest.FixtureRequest) -> str:
    name: str = request.param
    if why := bench.engines()[name]:
        pytest.skip(f"{name} cannot run here: {why}")
    return name


def unmount(place: Path) -> None:
    """Unmount; the kernel may let go of the files of a process some time after its end."""
    program = shutil.which("umount", path=os.environ["PATH"] + ":/usr/sbin:/sbin") or "umount"
    end = time.monotonic() + LIMIT_S
    while subprocess.run([program, str(place)], capture_output=True, check=False).returncode:
        assert time.monotonic() < end, f"{place} stays busy"
        time.sleep(0.1)


class Stand:
    """Measures a target in a process of its own and breaks it while that goes on."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.environment = {**os.environ, "IODYNO_STORE": str(folder / "runs.db")}

    def measure(
        self,
        target: Path | str,
        engine: str,
        *flags: str,
        seconds: float = 3.0,
        outstanding: str = "4",
        profile: str = "half",
        break_it: Callable[[], None] | None = None,
        limits: Callable[[], None] | None = None,
        then: Callable[[subprocess.Popen[str]], None] | None = None,
    ) -> tuple[int, str]:
        """Measure; break the target as soon as the load is under way. Give exit status and messages."""
        study = self.folder / "fault.toml"
        study.write_text(STUDY.format(seconds=seconds, outstanding=outstanding, profile=profile))
        words = ["measure", str(target), "--study", str(study), "--engine", engine, "--json", *flags]
        process = subprocess.Popen(
            [sys.executable, "-m", "iodyno", *words], env=self.environment, text=True,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, preexec_fn=limits,
        )  # fmt: skip
        try:
            if break_it:
                self._wait_for_load(process)
                break_it()
            if then:
                then(process)
            _, said = process.communicate(timeout=LIMIT_S)
        finally:
            process.kill()
            process.wait()
        return process.returncode, said

    def _wait_for_load(self, process: subprocess.Popen[str]) -> None:
        assert process.stdout
        samples = 0
        for line in process.stdout:
            samples += json.loads(line)["event"] == "sample"
            if samples == BROKEN_AFTER:
                return
        pytest.fail(f"the run ended before it was broken: {process.stderr and process.stderr.read()}")

    def kept(self) -> dict[str, Any]:
        """Give the run that the store holds."""
        shown = subprocess.run(
            [sys.executable, "-m", "iodyno", "show", "--json"], env=self.environment, capture_output=True,
            text=True, timeout=LIMIT_S, check=False,
        )  # fmt: skip
        assert shown.returncode == 0, shown.stderr
        stored: dict[str, Any] = json.loads(shown.stdout)
        return stored

    def shown(self) -> str:
        """Give what is shown of the run, with one blank between words."""
        words = [sys.executable, "-m", "iodyno", "show"]
        found = subprocess.run(
            words, env=self.environment, capture_output=True, text=True, timeout=LIMIT_S, check=True
        )
        return " ".join(found.stdout.split())

    def errors(self) -> dict[str, int]:
        """Give the I/O errors of the run's points by name; every verdict names them."""
        found: dict[str, int] = {}
        for result in self.kept()["results"]:
            reading = result["reading"]
            events = reading["reads"]["errors"] + reading["writes"]["errors"]
            for event in events:
                found[event["name"]] = found.get(event["name"], 0) + event["count"]
            if events:
                assert result["verdict"]["state"] == "disturbed"
                assert "io_errors" in {cause["code"] for cause in result["verdict"]["causes"]}
        return found


@pytest.fixture
def stand(tmp_path: Path) -> Stand:
    return Stand(tmp_path)


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[str]:
    """Give a loop device over a file written in full."""
    path = tmp_path / "disk"
    path.write_bytes(no_file_system(FILE_BYTES))
    with loop_device(path, DIRECT) as device:
        yield device


@pytest.fixture
def small(tmp_path: Path) -> Iterator[Path]:
    """Give a small ext4 of its own, mounted."""
    path, place = tmp_path / "image", tmp_path / "small"
    path.touch()
    os.truncate(path, 4 * FILE_BYTES)
    tool("mkfs.ext4", "-q", "-m", "0", str(path))
    place.mkdir()
    with loop_device(path) as device:
        tool("mount", device, str(place))
        yield place
        unmount(place)


def allowed(device: str) -> tuple[str, ...]:
    return ("--write-existing", "--identity", str(FILE_BYTES))


class TestAnIOThatFails:
    pytestmark = needs_loop

    def test_of_a_device_that_loses_its_second_half(
        self, stand: Stand, disk: str, tmp_path: Path, engine: str
    ) -> None:
        code, said = stand.measure(
            disk,
            engine,
            profile="random-read-4k",
            break_it=lambda: os.truncate(tmp_path / "disk", FILE_BYTES // 2),
        )
        assert code == 1, said
        assert "I/Os failed or came back short" in said
        run = stand.kept()
        assert run["run"]["status"] == "finished"
        (result,) = run["results"]
        assert set(stand.errors()) == {"EIO"}
        (error,) = result["reading"]["reads"]["errors"]
        assert error["first_offset_bytes"] >= FILE_BYTES // 2
        assert f" EIO {error['count']:,} {error['first_offset_bytes']:,} {disk}" in stand.shown()
        assert result["reading"]["reads"]["completed"] > 0
        assert result["reading"]["engine"]["name"] == engine

    def test_beyond_the_size_that_files_may_have(self, stand: Stand, tmp_path: Path, engine: str) -> None:
        """A write beyond RLIMIT_FSIZE fails with EFBIG; its signal must not end the program."""
        place = tmp_path / "file"
        place.write_bytes(os.urandom(FILE_BYTES))

        def limit() -> None:
            resource.setrlimit(resource.RLIMIT_FSIZE, (FILE_BYTES // 2, FILE_BYTES // 2))

        code, said = stand.measure(place, engine, "--write-existing", "--buffered", limits=limit)
        assert code == 1, said
        assert stand.kept()["run"]["status"] == "finished"
        assert set(stand.errors()) <= {"EFBIG", "SHORT"}
        assert stand.errors()["EFBIG"] > 0


def test_an_io_that_comes_back_short(stand: Stand, tmp_path: Path, engine: str) -> None:
    """A file that is cut while it is read gives fewer bytes than asked for."""
    place = tmp_path / "place"
    place.mkdir()
    code, said = stand.measure(
        place, engine, "--buffered", profile="random-read-4k",
        break_it=lambda: os.truncate(place / "iodyno.data", FILE_BYTES // 2),
    )  # fmt: skip
    assert code == 1, said
    assert "I/Os failed or came back short" in said
    assert stand.kept()["run"]["status"] == "finished"
    assert set(stand.errors()) == {"SHORT"}
    (result,) = stand.kept()["results"]
    assert result["reading"]["reads"]["errors"][0]["first_offset_bytes"] >= FILE_BYTES // 2
    assert list(place.iterdir()) == []


class TestAFullFileSystem:
    pytestmark = needs_loop

    def test_a_write_that_finds_no_room(self, stand: Stand, small: Path, engine: str) -> None:
        """The space of the file is taken away and given to another while it is written."""

        def take_its_room() -> None:
            fill_up(small / "other")
            punch(small / "iodyno.data", FILE_BYTES)
            fill_up(small / "other")

        code, said = stand.measure(small, engine, break_it=take_its_room)
        assert code == 1, said
        assert stand.kept()["run"]["status"] == "finished"
        assert stand.errors()["ENOSPC"] > 0
        assert set(stand.errors()) <= {"ENOSPC", "SHORT"}
        assert not (small / "iodyno.data").exists()
        assert (small / "other").exists()

    def test_a_device_whose_storage_finds_no_room(self, stand: Stand, small: Path) -> None:
        """A thin volume: it says 16 MiB, and what is behind it has none of them."""
        thin = small / "thin"
        with thin.open("wb") as made:
            made.truncate(FILE_BYTES)
        fill_up(small / "other")
        device = tool("losetup", "--find", "--show", str(thin))
        try:
            allowed = ("--write-existing", "--identity", str(FILE_BYTES), "--condition", "fill")
            code, said = stand.measure(device, "auto", *allowed)
        finally:
            tool("losetup", "--detach", device)
        assert code == 1, said
        assert f"error: {device}: could not be filled" in said
        assert "hint: what is behind the device has no room" in said

    def test_the_store_finds_no_room(self, stand: Stand, small: Path, tmp_path: Path) -> None:
        """What was finished before stays readable, and the run can be resumed."""
        stand.environment["IODYNO_STORE"] = str(small / "runs.db")
        place = tmp_path / "place"
        place.mkdir()
        code, said = stand.measure(
            place, "auto", "--buffered", seconds=1.5, outstanding="1, 2, 4, 8",
            break_it=lambda: fill_up(small / "other"),
        )  # fmt: skip
        assert code == 1, said
        assert "full" in said
        assert "hint:" in said
        assert list(place.iterdir()) == []
        run = stand.kept()
        assert run["run"]["status"] in ("interrupted", "failed")
        assert len(run["results"]) < 4
        (small / "other").unlink()
        done = subprocess.run(
            [sys.executable, "-m", "iodyno", "measure", "--resume", "latest", "--quiet"],
            env=stand.environment, capture_output=True, text=True, timeout=LIMIT_S, check=False,
        )  # fmt: skip
        assert done.returncode == 0, done.stderr
        assert len(stand.kept()["results"]) == 4

    def test_runs_are_shown_and_removed_on_a_full_disk(self, stand: Stand, small: Path) -> None:
        """To read takes nothing, to remove only a little; where even that is missing, the hint says so."""
        stand.environment["IODYNO_STORE"] = str(small / "runs.db")

        def iodyno(*words: str) -> tuple[int, str]:
            done = subprocess.run(
                [sys.executable, "-m", "iodyno", *words], env=stand.environment, capture_output=True,
                text=True, timeout=LIMIT_S, check=False,
            )  # fmt: skip
            return done.returncode, done.stdout + done.stderr

        for seed in ("1", "2"):
            simulate = ("simulate", "quick", "--on", "p3700", "--profile", "database", "--quiet")
            assert iodyno(*simulate, "--seed", seed)[0] == 0
        fill_up(small / "other")
        assert stand.kept()["run"]["status"] == "finished"
        code, said = iodyno("remove", "latest", "--yes")
        assert code, said
        assert "hint: removing takes some room too" in said
        os.truncate(small / "other", (small / "other").stat().st_size - MIB // 8)
        code, said = iodyno("remove", "latest", "--yes")
        assert code == 0, said
        assert "keeps its size for now" in said


class TestATargetThatIsGone:
    pytestmark = needs_loop

    def test_a_file_system_whose_disk_is_pulled(self, stand: Stand, small: Path, engine: str) -> None:
        """All points come to an end, and the run is kept."""
        code, said = stand.measure(small, engine, outstanding="1, 4", break_it=lambda: shut_down(small))
        assert code == 1, said
        assert "iodyno.data" in said or "cannot be removed" in said
        run = stand.kept()
        assert run["run"]["status"] in ("finished", "failed")
        assert run["results"], said
        assert set(stand.errors()) == {"EIO"}
        assert run["results"][0]["reading"]["stopped"] in ("failed", "cap")

    def test_a_device_that_shrinks_to_nothing(
        self, stand: Stand, disk: str, tmp_path: Path, engine: str
    ) -> None:
        """Nothing is written meanwhile: a write makes the file long again before the device learns of it."""

        def take_away() -> None:
            os.truncate(tmp_path / "disk", 0)
            tool("losetup", "--set-capacity", disk)

        code, said = stand.measure(
            disk, engine, profile="random-read-4k", outstanding="1, 4", break_it=take_away
        )
        assert code == 1, said
        run = stand.kept()
        assert run["run"]["status"] in ("finished", "failed")
        assert run["results"], said
        assert sum(stand.errors().values()) > 0
        failed = next(result for result in run["results"] if result["observation"]["gone"])
        assert failed["observation"]["gone"] == [disk]
        causes = {cause["code"] for cause in failed["verdict"]["causes"]}
        assert "target_gone" in causes
        assert "cache_served" not in causes, "what failed is no cache's doing"

    def test_a_device_detached_under_the_load(self, stand: Stand, tmp_path: Path, engine: str) -> None:
        """The kernel waits with that until the last user is gone, between two points at the earliest."""
        path = tmp_path / "disk"
        path.write_bytes(no_file_system(FILE_BYTES))
        device = tool("losetup", "--find", "--show", str(path))
        code, said = stand.measure(
            device, engine, "--buffered", *allowed(device), outstanding="1, 4",
            break_it=lambda: detach(device),
        )  # fmt: skip
        run = stand.kept()
        assert stand.errors() == {}, "what is at the device's name now is not touched"
        ends = {(0, "finished", 2), (1, "failed", 1)}
        assert (code, run["run"]["status"], len(run["results"])) in ends, said
        refused = "is not the device that it was" in said or "cannot be opened" in said
        assert refused == (code == 1)

    def test_a_file_that_is_removed(self, stand: Stand, tmp_path: Path, engine: str) -> None:
        """The open file goes on; the next point does not find it, and the run is kept."""
        place = tmp_path / "place"
        place.mkdir()
        code, said = stand.measure(
            place, engine, "--buffered", outstanding="1, 4",
            break_it=lambda: (place / "iodyno.data").unlink(),
        )  # fmt: skip
        assert code == 1, said
        assert "has gone since it was found" in said
        assert "hint:" in said
        run = stand.kept()
        assert run["run"]["status"] == "failed"
        assert len(run["results"]) == 1
        assert stand.errors() == {}
        assert list(place.iterdir()) == []


class TestADeviceThatHangs:
    pytestmark = needs_loop

    def test_ctrl_c_says_what_is_waited_for(self, stand: Stand, small: Path, engine: str) -> None:
        """A frozen file system answers no write; the process can only end when it does again."""
        said: list[str] = []

        def freeze() -> None:
            tool("fsfreeze", "--freeze", str(small))

        def interrupt(process: subprocess.Popen[str]) -> None:
            at_last = threading.Timer(LIMIT_S / 4, thaw, [small])
            at_last.start()
            try:
                time.sleep(0.5)  # what is read still comes back, until a write has every slot
                process.send_signal(signal.SIGINT)
                assert process.stderr
                said.append(process.stderr.readline())
            finally:
                at_last.cancel()
                thaw(small)

        code, rest = stand.measure(
            small, engine, seconds=LIMIT_S, break_it=freeze, limits=hear_ctrl_c, then=interrupt
        )
        assert said[0].startswith("waiting: I/Os are under way that the device has not answered"), rest
        assert code == 130
        assert "interrupted: 0 of 1 point is kept" in rest
        assert stand.kept()["run"]["status"] == "interrupted"
        assert not (small / "iodyno.data").exists()

    def test_without_a_hang_nothing_is_waited_for(self, stand: Stand, small: Path, engine: str) -> None:
        """A disk may stand still for as long as the program needs to call it a hang; not each time."""
        for _ in range(TRIES):
            code, said = stand.measure(
                small, engine, seconds=LIMIT_S, break_it=lambda: None, limits=hear_ctrl_c,
                then=lambda process: process.send_signal(signal.SIGINT),
            )  # fmt: skip
            assert code == 130
            assert "interrupted: " in said
            if said.startswith("interrupted: "):
                break
        else:
            pytest.fail(f"each time something came before it: {said}")
        assert said.startswith("interrupted: ")


def thaw(place: Path) -> None:
    subprocess.run(["fsfreeze", "--unfreeze", str(place)], capture_output=True, check=False)


def hear_ctrl_c() -> None:
    """Let a process hear Ctrl-C, even if the tests run in the background."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def detach(device: str) -> None:
    tool("losetup", "--detach", device)


def punch(path: Path, length: int) -> None:
    """Take the space of a file away; its size stays."""
    tool("fallocate", "--punch-hole", "--offset", "0", "--length", str(length), str(path))


def fill_up(path: Path) -> None:
    """Give a file all the room there is, at once: what is written beside it takes some too."""
    length = FILE_BYTES
    with path.open("ab") as file:
        while length >= 4096:
            try:
                os.posix_fallocate(file.fileno(), os.fstat(file.fileno()).st_size, length)
            except OSError:
                length //= 2
        os.fsync(file.fileno())


def shut_down(place: Path) -> None:
    """Let a file system answer every request with an error, as if its disk were pulled."""
    descriptor = os.open(place, os.O_RDONLY)
    try:
        fcntl.ioctl(descriptor, SHUT_DOWN, struct.pack("=I", SHUT_DOWN_WITHOUT_LOG))
    except OSError as error:
        pytest.skip(f"this file system cannot be shut down: {error}")
    finally:
        os.close(descriptor)
