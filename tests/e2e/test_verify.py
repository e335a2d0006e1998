"""Verified runs from the command line: kept, verified later, corrupted in between, and killed."""

from __future__ import annotations

import json
import os
import signal
import struct
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("iodyno._core", reason="the engine is not built")

SHORT = (
    "--quick", "--size", "8M", "--profile", "database", "--outstanding", "8", "--workers", "2",
    "--warmup", "0s", "--cap", "500ms", "--buffered", "--verify",
)  # fmt: skip
MANY = ",".join(str(8 * number) for number in range(1, 41))
"""So many points that a run has not come to its end when it is killed, however late a test is with that."""
WRITTEN = (*SHORT, "--cap", "2s", "--keep")
"""A run after which some blocks are another write's than before: a disk may stand still for half a second."""
BLOCK = 8192
SECTOR = 512


@pytest.fixture
def environment(tmp_path: Path) -> dict[str, str]:
    """Give the environment with a store of its own."""
    return {**os.environ, "IODYNO_STORE": str(tmp_path / "runs.db")}


@pytest.fixture
def place(tmp_path: Path) -> Path:
    """Give a folder to measure."""
    folder = tmp_path / "target"
    folder.mkdir()
    return folder


def call(environment: dict[str, str], *arguments: object) -> subprocess.CompletedProcess[str]:
    """Run a command to its end."""
    words = [sys.executable, "-m", "iodyno", *(str(argument) for argument in arguments)]
    return subprocess.run(words, env=environment, capture_output=True, text=True, check=False, timeout=120)


def generation(data: bytes | bytearray, at: int) -> int:
    """Read the number of its write from the stamp of a sector."""
    number: int = struct.unpack_from("<Q", data, at + 24)[0]
    return number


def single_writes(data: bytes) -> list[int]:
    """Give offsets of blocks that one write of the load holds whole, away from each other."""
    filled = min(generation(data, at) for at in range(0, len(data), SECTOR))
    found: list[int] = []
    for at in range(0, len(data), BLOCK):
        numbers = {generation(data, sector) for sector in range(at, at + BLOCK, SECTOR)}
        if len(numbers) == 1 and numbers != {filled} and (not found or at - found[-1] > BLOCK):
            found.append(at)
    return found


def test_what_was_kept_is_verified_later(environment: dict[str, str], place: Path) -> None:
    measured = call(environment, "measure", place, *SHORT, "--keep")
    assert measured.returncode == 0, measured.stderr
    for _ in range(2):
        said = call(environment, "verify")
        assert (said.returncode, said.stdout) == (0, "8M compared: all is as it was written\n"), said.stderr


BESIDE = """\
schema = 1
name = "beside"
title = "Several writers of one file"
[measurement]
warmup_s = 0
floor_s = 2
cap_s = 2
direct = false
verify = true
[file]
size = "8M"
[[sweep]]
name = "all"
profiles = ["database"]
outstanding = 8
[[sweep.beside]]
profile = "restore"
outstanding = 2
[[sweep.beside]]
profile = "file-copy"
workers = 2
outstanding = 4
"""


def test_several_loads_that_write_to_one_file_find_what_each_other_wrote(
    environment: dict[str, str], place: Path, tmp_path: Path
) -> None:
    study = tmp_path / "beside.toml"
    study.write_text(BESIDE)
    measured = call(environment, "measure", place, "--study", study)
    assert measured.returncode == 0, measured.stderr
    (result,) = json.loads(call(environment, "export", "latest").stdout)["results"]
    integrity = result["reading"]["integrity"]
    assert integrity["load"]["checked_bytes"] > 0
    assert integrity["load"]["counts"] == {}
    # The file once, and not once for each load.
    assert integrity["final_pass"]["findings"]["checked_bytes"] == 8 << 20
    assert integrity["final_pass"]["findings"]["counts"] == {}
    writers = [load["writes"]["completed"] for load in result["reading"]["loads"]]
    assert all(writers), writers


def test_each_corruption_between_run_and_verify_is_told_apart(
    environment: dict[str, str], place: Path
) -> None:
    assert call(environment, "measure", place, *WRITTEN).returncode == 0
    file = place / "iodyno.data"
    data = bytearray(file.read_bytes())
    flipped, zeroed, foreign, meant, landed = single_writes(bytes(data))[:5]
    data[flipped + 700] ^= 0x10
    data[zeroed : zeroed + SECTOR] = bytes(SECTOR)
    data[foreign + SECTOR : foreign + 2 * SECTOR] = b"x" * SECTOR
    data[landed : landed + BLOCK] = data[meant : meant + BLOCK]
    file.write_bytes(bytes(data))
    said = call(environment, "verify", "--json")
    assert said.returncode == 1
    assert "data came back wrong at 4 places" in said.stderr
    found: list[dict[str, Any]] = json.loads(said.stdout)["final_pass"]["findings"]["first"]
    assert {finding["kind"]: (finding["offset_bytes"], finding["bytes"]) for finding in found} == {
        "bit_flip": (flipped + SECTOR, SECTOR),
        "zeros": (zeroed, SECTOR),
        "foreign": (foreign + SECTOR, SECTOR),
        "misdirected": (landed, BLOCK),
    }
    (misdirected,) = (finding for finding in found if finding["kind"] == "misdirected")
    assert misdirected["found"]["offset_bytes"] == meant
    table = call(environment, "verify").stdout
    assert f"{landed:,}" in table
    assert f"for {meant:,}" in table


@pytest.mark.parametrize("cut", [0, BLOCK // 2])
def test_what_was_there_before_the_run_is_stale_after_its_pass_has_seen_the_new(
    environment: dict[str, str], place: Path, cut: int
) -> None:
    assert call(environment, "measure", place, *SHORT, "--keep").returncode == 0
    file = place / "iodyno.data"
    before = file.read_bytes()
    again = call(environment, "measure", file, *WRITTEN, "--write-existing")
    assert again.returncode == 0, again.stderr
    data = bytearray(file.read_bytes())
    at = next(
        at
        for at in range(BLOCK, len(data) - BLOCK, BLOCK)
        if len({(bytes(data[s + 8 : s + 16]), generation(data, s)) for s in range(at, at + BLOCK, SECTOR)})
        == 1
        and data[at + 8 : at + 16] != before[at + 8 : at + 16]
    )
    data[at + cut : at + BLOCK] = before[at + cut : at + BLOCK]
    file.write_bytes(bytes(data))
    said = call(environment, "verify", "--json")
    assert said.returncode == 1
    (found,) = json.loads(said.stdout)["final_pass"]["findings"]["first"]
    assert found["kind"] == "stale"
    assert (found["offset_bytes"], found["bytes"]) == (at + cut, BLOCK - cut)
    assert not found["found"]["this_run"]


def test_a_killed_run_has_lost_nothing_of_what_it_knew(environment: dict[str, str], place: Path) -> None:
    words = [sys.executable, "-m", "iodyno", "measure", str(place), *SHORT, "--outstanding", MANY, "--json"]
    process = subprocess.Popen(words, env=environment, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    seen = 0
    for line in process.stdout:
        seen += json.loads(line)["event"] == "sample" and json.loads(line)["index"] == 1
        if seen == 2:
            break
    process.send_signal(signal.SIGKILL)
    process.communicate()
    _until(lambda: call(environment, "verify").returncode == 0)
    said = call(environment, "verify")
    assert said.stdout == "8M compared: all is as it was written\n", said.stderr


def test_what_the_run_itself_found_wrong_is_not_said_to_be_as_it_was_written(
    environment: dict[str, str], place: Path
) -> None:
    """What stays wrong is told once and then left alone: the ledger that was kept knew nothing of it."""
    words = ("--quick", "--size", "8M", "--profile", "streaming", "--outstanding", "1", "--workers", "1")
    options = ("--warmup", "0s", "--cap", "2s", "--buffered", "--verify", "--keep")
    command = [sys.executable, "-m", "iodyno", "measure", str(place), *words, *options, "--json"]
    process = subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    file = place / "iodyno.data"
    for line in process.stdout:
        if json.loads(line)["event"] == "sample":
            with file.open("r+b") as opened:
                for at in (1 << 20, 5 << 20):
                    opened.seek(at)
                    opened.write(bytes(1 << 20))
            break
    process.communicate()
    assert process.returncode == 1
    said = call(environment, "verify")
    what = "2 places (2M) not compared: the run found them wrong and has not written there since"
    assert said.returncode == 1
    assert said.stdout == "6M compared: as it was written\n"
    assert said.stderr.endswith(f"error: {what}\n")
    told = json.loads(call(environment, "verify", "--json").stdout)["final_pass"]
    assert (told["wrong_before"], told["wrong_before_bytes"]) == (2, 2 << 20)
    assert told["findings"]["counts"] == {}


def _until(true: Callable[[], bool]) -> None:
    """Wait: what a killed process had under way may still be on its way."""
    end = time.monotonic() + 30
    while not true():
        assert time.monotonic() < end
        time.sleep(0.1)


def test_of_a_file_that_is_another_one_it_is_said_what_differs(
    environment: dict[str, str], place: Path
) -> None:
    assert call(environment, "measure", place, *SHORT, "--keep").returncode == 0
    os.truncate(place / "iodyno.data", 4 << 20)
    said = call(environment, "verify")
    assert said.returncode == 2
    what = f"it had {8 << 20} bytes, and has {4 << 20} now"
    assert f"is not what it was when the run wrote to it: {what}\nhint: bring back" in said.stderr


def test_a_run_whose_file_is_gone_or_that_verified_nothing_is_refused(
    environment: dict[str, str], place: Path
) -> None:
    assert call(environment, "measure", place, *SHORT).returncode == 0
    gone = call(environment, "verify")
    assert gone.returncode == 2
    assert "the file of the run is gone" in gone.stderr
    assert list(Path(environment["IODYNO_STORE"]).parent.glob("*.ledger")) == []
    plain = tuple(word for word in SHORT if word != "--verify")
    assert call(environment, "measure", place, *plain).returncode == 0
    refused = call(environment, "verify")
    assert refused.returncode == 2
    assert "the run did not verify its data" in refused.stderr


def test_a_load_that_only_reads_what_somebody_else_wrote_verifies_nothing_and_says_so(
    environment: dict[str, str], place: Path
) -> None:
    """It was: 0 compared, all as it was written."""
    file = place / "own.data"
    file.write_bytes(os.urandom(8 << 20))
    reads = ("--quick", "--profile", "streaming", "--outstanding", "1", *SHORT[9:])
    measured = call(environment, "measure", file, *reads)
    assert measured.returncode == 0, measured.stderr
    assert "note: nothing was verified" in measured.stderr
    nothing = "nothing compared: of no block it is known what was written there last"
    shown = call(environment, "show").stdout
    assert nothing in " ".join(shown.split())
    assert "as it was written" not in shown
    assert call(environment, "verify").stdout == f"{nothing}\n"
    assert "verified" not in call(environment, "measure", file, *reads, "-q").stderr
