"""Verified loads that trim a loop device: what trims may leave is no corruption, and all else is."""

from __future__ import annotations

import json
import os
import signal
import struct
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from contents import no_file_system
from iodyno import bench
from iodyno.errors import EngineError
from iodyno.plan import Plan, PlannedTarget, Point, Stopping
from iodyno.profiles import LoadProfile
from iodyno.reading import Finding, Findings
from iodyno.targets import Permissions, find_targets
from loop_devices import DIRECT, loop_device

SIZE = 16 << 20
UNIT = 4096
SECTOR = 512
KIB = 1 << 10
START = 4 << 20
SEED = 20_260_101

pytestmark = [
    pytest.mark.root,
    pytest.mark.skipif(os.geteuid() != 0, reason="loop devices need root"),
    pytest.mark.skipif(not Path("/dev/loop-control").exists(), reason="this kernel has no loop devices"),
]


@dataclass(frozen=True)
class Disk:
    """A loop device, and the file that holds what it holds."""

    device: str
    file: Path

    def read(self) -> bytes:
        return self.file.read_bytes()

    def write(self, offset: int, data: bytes) -> None:
        """Change it behind the back of the run."""
        with self.file.open("r+b") as file:
            os.pwrite(file.fileno(), data, offset)
            os.fsync(file.fileno())

    def trimmed(self, offset: int) -> bool:
        return not any(self.read()[offset : offset + UNIT])

    def written(self, offset: int) -> bool:
        return self.read()[offset : offset + 8] == b"iodyno\x1e\x01"


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[Disk]:
    """Give a loop device full of random bytes that takes trims."""
    path = tmp_path / "disk"
    path.write_bytes(no_file_system(SIZE))
    with loop_device(path, DIRECT) as device:
        if Path("/sys/block", Path(device).name, "queue/discard_max_bytes").read_text().strip() == "0":
            pytest.skip("this loop device takes no trims: its file system punches no holes")
        yield Disk(device, path)


def profile(**fields: Any) -> LoadProfile:
    return LoadProfile(**{"name": "test", "random_share": 1.0, "blocks": [{"bytes": UNIT}], **fields})


def point_on(disk: Disk, shape: LoadProfile, area: tuple[int, int], **fields: Any) -> Point:
    target = PlannedTarget(
        path=disk.device, kind="device", size_bytes=SIZE, area_start_bytes=area[0], area_length_bytes=area[1]
    )
    stopping = Stopping(warmup_s=0, floor_s=0.3, cap_s=0.3, precision=0.02, confidence=0.95)
    usual = {"outstanding": 1, "workers": 1, "engine": "sync", "seed": SEED}
    return Point(
        index=0, sweep="test", profile=shape, targets=(target,), stopping=stopping, verify=True,
        **{**usual, **fields},
    )  # fmt: skip


def ledger_of(*points: Point) -> bench.Ledger:
    ledger = bench.ledger_of(Plan(study="test", title="Test", seed=SEED, points=points))
    assert ledger is not None
    return ledger


def check(disk: Disk, ledger: bench.Ledger) -> Findings:
    (target,) = find_targets([disk.device], writes=False, permissions=Permissions(), file_size_bytes=SIZE)
    return bench.check(target, ledger)


def needs(engine: str, disk: Disk) -> None:
    why = bench.engines()[engine]
    if not why and engine == "io_uring":
        shape = profile(read_share=1.0, trim_share=1.0)
        try:
            bench.ask(point_on(disk, shape, (0, 1 << 20), engine=engine).model_copy(update={"verify": False}))
        except EngineError as error:
            why = str(error)
    if why:
        pytest.skip(f"{engine} cannot trim here: {why}")


@pytest.mark.parametrize(("engine", "direct"), [("sync", True), ("sync", False), ("io_uring", True)])
def test_writes_trims_and_reads_of_the_same_blocks_raise_no_alarm(
    disk: Disk, engine: str, direct: bool
) -> None:
    needs(engine, disk)
    shape = profile(
        read_share=0.5, trim_share=0.3, blocks=[{"bytes": UNIT, "weight": 3}, {"bytes": 16 * KIB}],
        alignment_bytes=UNIT,
    )  # fmt: skip
    area = (START, 256 * KIB)
    point = point_on(disk, shape, area, engine=engine, outstanding=16, workers=2, direct=direct)
    ledger = ledger_of(point)
    for seed in range(1, 100):
        reading = bench.ask(point.model_copy(update={"seed": seed}), ledger=ledger)
        assert reading.integrity is not None
        assert reading.errors == 0
        assert reading.corruptions == 0, reading.integrity.load.first
        found = check(disk, ledger)
        assert found.total == 0, found.first
        if reading.integrity.load.checked_bytes and reading.integrity.load.trimmed_bytes:
            break
    # A hole reads as zeros.
    assert reading.integrity is not None
    assert reading.integrity.load.trimmed_bytes > 0
    zeros = sum(disk.trimmed(at) for at in range(area[0], sum(area), UNIT))
    assert found.trimmed_zeros_bytes == zeros * UNIT
    assert found.trimmed_bytes == zeros * UNIT
    assert found.checked_bytes <= area[1] - found.trimmed_bytes


@dataclass(frozen=True)
class Worked:
    """A device of which is known, from its first block on: written, 256k; trimmed, 128k; trimmed and written,
    128k; written, trimmed beside it and written again, 128k; written, 128k; trimmed, 64k; written, 192k."""

    disk: Disk
    before: bytes
    ledger: bench.Ledger

    def block(self, of: int) -> bytes:
        """Give the block at so many KiB."""
        return self.disk.read()[START + of * KIB :][:UNIT]

    def plant(self, at: int, data: bytes) -> None:
        self.disk.write(START + at * KIB, data)

    def findings(self) -> dict[float, Finding]:
        """Check everything: what is found, by KiB from the first block on."""
        found = check(self.disk, self.ledger).first
        return {(finding.offset_bytes - START) / KIB: finding for finding in found}


@pytest.fixture
def worked(disk: Disk) -> Worked:
    """Write, trim and write parts of the device in turn, each until nothing of it is left out."""
    writes = profile(random_share=0.0, read_share=0.0)
    trims = profile(random_share=0.0, read_share=1.0, trim_share=1.0)
    areas = [
        (writes, 0, 1024), (trims, 256, 256), (writes, 384, 256), (trims, 768, 64),
    ]  # fmt: skip
    points = [point_on(disk, shape, (START + at * KIB, long * KIB)) for shape, at, long in areas]
    ledger = ledger_of(*points)
    before = b""
    for point, (shape, at, long) in zip(points, areas, strict=True):
        offsets = range(START + at * KIB, START + (at + long) * KIB, UNIT)
        whole, deadline = disk.trimmed if shape.trim_share else disk.written, time.monotonic() + 60
        issued = 0
        while issued < len(offsets):
            assert time.monotonic() < deadline
            reading = bench.ask(point, ledger=ledger)
            assert reading.errors == reading.corruptions == 0
            # Each time it begins anew: only a load that got to the end has left nothing out.
            issued = reading.issued.writes + reading.issued.trims
        assert all(map(whole, offsets))
        before = before or disk.read()
    return Worked(disk, before, ledger)


def test_what_was_trimmed_is_read_and_not_compared(worked: Worked) -> None:
    found = check(worked.disk, worked.ledger)
    assert found.total == 0, found.first
    assert (found.trimmed_bytes, found.trimmed_zeros_bytes) == (192 * KIB, 192 * KIB)
    assert found.checked_bytes == 832 * KIB


def test_whatever_a_trim_may_leave_is_no_corruption(worked: Worked) -> None:
    at = START + 300 * KIB
    worked.plant(300, worked.before[at : at + UNIT])
    worked.plant(304, b"\xff" * UNIT)
    worked.plant(308, os.urandom(UNIT))
    found = check(worked.disk, worked.ledger)
    assert found.total == 0, found.first
    assert (found.trimmed_bytes, found.trimmed_zeros_bytes) == (192 * KIB, 180 * KIB)


def test_each_fault_beside_and_in_what_was_trimmed_is_told_apart(worked: Worked) -> None:
    flipped = bytearray(worked.block(400))
    flipped[SECTOR + 100] ^= 4
    worked.plant(400, bytes(flipped))
    old = worked.before[START + 420 * KIB :][:UNIT]
    worked.plant(420, old)
    worked.plant(440, bytes(UNIT))
    worked.plant(384, bytes(UNIT))
    worked.plant(280, worked.block(100))
    worked.plant(248, bytes(2 * UNIT))
    worked.plant(832, b"\xff" * UNIT)
    worked.plant(512, bytes(UNIT))
    worked.plant(940, bytes(UNIT))
    found = worked.findings()
    assert {at: finding.kind for at, finding in found.items()} == {
        # Trimmed, then written: damaged, gone back to what was there before the trim, never written through.
        400.5: "bit_flip", 420.0: "lost", 440.0: "zeros", 384.0: "zeros",
        # Trimmed, and another place's block is there.
        280.0: "misdirected",
        # Neighbours of a trim, written before it: the second of two before it, and what is after it.
        248.0: "overtrimmed", 252.0: "overtrimmed", 832.0: "overtrimmed",
        # A neighbour that was written after the trim, and one that is far away.
        512.0: "zeros", 940.0: "zeros",
    }  # fmt: skip
    assert {at for at, finding in found.items() if finding.trimmed} == {280.0}
    stamp = found[280.0].found
    assert stamp is not None
    assert stamp.offset_bytes == START + 100 * KIB
    assert all(finding.lasting for finding in found.values())
    assert worked.findings() == {}, "what is told is told once"


STUDY = """\
schema = 1
name = "trims"
title = "Writes, then trims"
[measurement]
warmup_s = 0
floor_s = 1
cap_s = 1
verify = true
engine = "sync"
[[profile]]
name = "writes"
random_share = 1
read_share = 0.2
blocks = "4k"
[[profile]]
name = "trims"
random_share = 1
read_share = 1
trim_share = 1
blocks = "4k"
[[sweep]]
name = "first"
profiles = ["writes"]
outstanding = 4
area = { start = "4M", length = "256k" }
[[sweep]]
name = "then"
profiles = ["trims"]
rate_io_s = 60
outstanding = 4
area = { start = "4M", length = "256k" }
"""


class Program:
    """The program, with a store and a study of its own, on a device."""

    def __init__(self, folder: Path, disk: Disk) -> None:
        self.disk, self.study = disk, folder / "study.toml"
        self.environment = {**os.environ, "IODYNO_STORE": str(folder / "runs.db")}

    def words(self, *arguments: object) -> list[str]:
        return [sys.executable, "-m", "iodyno", *(str(argument) for argument in arguments)]

    def __call__(self, *arguments: object) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            self.words(*arguments), env=self.environment, capture_output=True, text=True, check=False,
            timeout=120,
        )  # fmt: skip

    def measure(self, trims: str = "4") -> tuple[object, ...]:
        """Give the words of a run whose trims are made at so many outstanding I/Os, each a point of 1 s."""
        self.study.write_text(STUDY.replace("60\noutstanding = 4\n", f"60\noutstanding = {trims}\n"))
        allowed = ("--write-existing", "--identity", SIZE)
        return ("measure", self.disk.device, "--study", self.study, *allowed)


@pytest.fixture
def program(tmp_path: Path, disk: Disk) -> Program:
    return Program(tmp_path, disk)


def generation(data: bytes, at: int) -> int:
    """Read the number of its write from the stamp of a sector."""
    number: int = struct.unpack_from("<Q", data, at + 24)[0]
    return number


def neighbour(disk: Disk) -> int:
    """Find a block that was written, and the one after it trimmed since."""
    data = disk.read()
    for at in range(START, START + 256 * KIB - UNIT, UNIT):
        if data[at : at + 6] == b"iodyno" and not any(data[at + UNIT : at + 2 * UNIT]):
            return at
    raise AssertionError("no trim has a written neighbour")


def test_a_run_tells_how_much_it_could_not_compare_and_verify_finds_a_lost_neighbour(
    program: Program, tmp_path: Path
) -> None:
    paper = tmp_path / "paper.html"
    measured = program(*program.measure(), "-o", paper)
    assert measured.returncode == 0, measured.stderr
    writes, trims = json.loads(program("export", "latest").stdout)["results"]
    assert trims["reading"]["issued"]["trims"] > 0
    everything = trims["reading"]["integrity"]["final_pass"]["findings"]
    assert everything["trimmed_bytes"] == everything["trimmed_zeros_bytes"] > 0
    assert writes["reading"]["integrity"]["final_pass"]["findings"]["trimmed_bytes"] == 0
    notes = [{note["code"] for note in result["verdict"]["notes"]} for result in (writes, trims)]
    assert ["trimmed_unchecked" in codes for codes in notes] == [False, True]
    assert "what was trimmed was not compared: nothing says what it holds" in program("show").stdout
    assert "had been trimmed. Nothing says what a trimmed block holds" in paper.read_text()
    assert "All data was verified that had not been trimmed" in paper.read_text()
    said = program("verify")
    assert said.returncode == 0, said.stderr
    assert "compared: all is as it was written" in said.stdout
    assert "not compared: it is trimmed" in said.stdout

    lost = neighbour(program.disk)
    program.disk.write(lost, bytes(UNIT))
    said = program("verify", "--json")
    assert said.returncode == 1
    (found,) = json.loads(said.stdout)["final_pass"]["findings"]["first"]
    assert (found["kind"], found["offset_bytes"]) == ("overtrimmed", lost)
    assert "overtrimmed" in program("verify").stdout


def test_a_run_that_was_killed_while_it_trimmed_has_lost_nothing(program: Program) -> None:
    # So many points that it is killed before its end, however late that is.
    words = program.words(*program.measure(str([*range(4, 64)])), "--json")
    process = subprocess.Popen(words, env=program.environment, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    for line in process.stdout:
        event = json.loads(line)
        if event["event"] == "sample" and event["index"] == 1 and event["elapsed_s"] >= 0.3:
            break
    process.send_signal(signal.SIGKILL)
    process.communicate()
    data = program.disk.read()
    assert any(not any(data[at : at + UNIT]) for at in range(START, START + 256 * KIB, UNIT))
    said = program("verify")
    assert said.returncode == 0, said.stdout + said.stderr
    assert "not compared: it is trimmed, or may be" in said.stdout
