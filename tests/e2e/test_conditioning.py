"""Conditioning by the installed program: on a file that it makes, and on a loop device over several runs."""

from __future__ import annotations

import json
import math
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from contents import no_file_system
from loop_devices import loop_device, tool

pytest.importorskip("iodyno._core", reason="the engine is not built")

SIZE = 16 << 20
ROUND_S = 0.2
WRITTEN, BLOCK = 0.33, 8192
"""Share of the I/Os of Database that write, and their size in bytes."""
STUDY = """
schema = 1
name = "conditioned"
title = "Conditioned"
[measurement]
warmup_s = 0
floor_s = 0.2
cap_s = 0.2
[file]
size = "16M"
[conditioning]
purge = "{purge}"
fill = 2
rounds = "each-profile"
round_s = {round_s}
at_most = {rounds}
window = {window}
[[sweep]]
name = "one"
profiles = ["database"]
workers = 1
outstanding = [1, 4]
"""
TRIMS = """
schema = 1
name = "trimmed"
title = "Trimmed"
[measurement]
warmup_s = 0
floor_s = 0.2
cap_s = 0.2
[conditioning]
fill = 0
rounds = "once"
profiles = ["trims"]
round_s = 0.2
at_most = 1000
window = 100
[[profile]]
name = "trims"
random_share = 1
read_share = 1
trim_share = 0.5
blocks = 4096
[[sweep]]
name = "one"
profiles = ["random-read-4k"]
workers = 1
outstanding = 1
"""

needs_loop = [
    pytest.mark.root,
    pytest.mark.skipif(os.geteuid() != 0, reason="loop devices need root"),
    pytest.mark.skipif(not Path("/dev/loop-control").exists(), reason="this kernel has no loop devices"),
]


class Program:
    """The program with a store and a study of its own."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.environment = {**os.environ, "IODYNO_STORE": str(folder / "runs.db")}

    def study(self, purge: str = "none", rounds: int = 4, window: int = 3) -> Path:
        path = self.folder / f"study-{purge}-{rounds}.toml"
        path.write_text(STUDY.format(purge=purge, rounds=rounds, window=window, round_s=ROUND_S))
        return path

    def words(self, *arguments: object) -> list[str]:
        return [sys.executable, "-m", "iodyno", *(str(argument) for argument in arguments)]

    def __call__(self, *arguments: object) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            self.words(*arguments), env=self.environment, capture_output=True, text=True, check=False,
            timeout=120,
        )  # fmt: skip

    def steps(self) -> list[dict[str, Any]]:
        """Give the steps of the latest run."""
        return list(json.loads(self("show", "--json").stdout)["conditioning"])

    def kinds(self) -> list[str]:
        return [step["kind"] for step in self.steps()]


@pytest.fixture
def program(tmp_path: Path) -> Program:
    return Program(tmp_path)


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[str]:
    """Give a loop device over a file of zeros."""
    path = tmp_path / "disk"
    path.write_bytes(bytes(SIZE))
    with loop_device(path) as device:
        yield device


def interrupted_in_a_round(program: Program, disk: str, study: Path) -> None:
    """Begin a run, and press Ctrl-C after its first round."""
    words = program.words("measure", disk, "--study", study, *allowed(), "--json")

    def hear_ctrl_c() -> None:
        signal.signal(signal.SIGINT, signal.SIG_DFL)

    process = subprocess.Popen(
        words, env=program.environment, text=True, stdout=subprocess.PIPE, preexec_fn=hear_ctrl_c
    )
    assert process.stdout
    for line in process.stdout:
        event = json.loads(line)
        if event["event"] == "step_done" and event["step"]["kind"] == "round":
            break
    process.send_signal(signal.SIGINT)
    process.communicate(timeout=60)
    assert process.returncode == 130


def allowed() -> tuple[str, ...]:
    return ("--write-existing", "--identity", str(SIZE), "--buffered")


def test_a_file_is_filled_twice_and_loaded_in_rounds(program: Program, tmp_path: Path) -> None:
    place = tmp_path / "place"
    place.mkdir()
    study = program.study()
    plan = program("plan", study, "--target", place)
    assert "filled twice; at most 4 rounds" in plan.stdout
    done = program("measure", place, "--study", study, "--buffered")
    assert done.returncode == 0, done.stderr
    assert "writing (2 of 2)" in done.stdout
    assert "round 3: database" in done.stdout
    assert "range" in done.stdout
    filled = [step for step in program.steps() if step["kind"] == "filled"]
    assert [(step["turn"], step["written_bytes"]) for step in filled] == [(1, SIZE), (2, SIZE)]
    assert filled[-1]["traces"][0]["zero_samples"] == 0
    assert filled[-1]["traces"][0]["unwritten_bytes"] in (0, None)
    rounds = [step for step in program.steps() if step["kind"] == "round"]
    assert 3 <= len(rounds) <= 4
    # A disk may stand still for the whole of a round: what it did in half of one was sent in all of it.
    sent = [step["loads"][0]["rate_io_s"] * ROUND_S / 2 for step in rounds]
    assert sum(sent) > 0
    for ios, step in zip(sent, rounds, strict=True):
        fewest = ios * WRITTEN - 6 * math.sqrt(ios * WRITTEN * (1 - WRITTEN))
        assert step["written_bytes"] >= fewest * BLOCK, "far fewer writes than a third of its I/Os"
    shown = program("show").stdout
    assert "filled twice" in shown
    assert f"database: {len(rounds)} rounds" in shown
    assert list(place.iterdir()) == []


def test_the_events_tell_the_rounds(program: Program, tmp_path: Path) -> None:
    done = program("measure", tmp_path / "new", "--study", program.study(), "--buffered", "--json")
    events = [json.loads(line) for line in done.stdout.splitlines()]
    kinds = list(dict.fromkeys(event["event"] for event in events))
    assert kinds[:5] == ["run_started", "filling", "step_done", "round_started", "sample"]
    third = next(event for event in events if event["event"] == "step_done" and event["step"]["turn"] == 3)
    (window,) = third["windows"]
    assert window["mean_io_s"] > 0
    assert third["steady"] in (True, False)


def test_what_undoes_it_in_the_last_point_is_noted_there(program: Program, tmp_path: Path) -> None:
    place = tmp_path / "place"
    place.mkdir()
    load = (
        "--quick",
        "--size",
        "16M",
        "--profile",
        "random-read-4k",
        "--outstanding",
        "1,2,4",
        "--workers",
        "1",
    )
    times = ("--warmup", "0s", "--floor", "2s", "--cap", "2s", "--condition", "fill", "--buffered", "--json")
    words = program.words("measure", place, *load, *times)
    process = subprocess.Popen(words, env=program.environment, text=True, stdout=subprocess.PIPE)
    assert process.stdout
    for line in process.stdout:
        event = json.loads(line)
        if (event["event"], event.get("index")) == ("sample", 2):
            tool("fallocate", "--punch-hole", "--length", "4M", str(place / "iodyno.data"))
            break
    process.communicate()
    assert process.returncode == 0
    results = json.loads(program("export", "latest").stdout)["results"]
    notes = [{note["code"] for note in result["verdict"]["notes"]} for result in results]
    assert ["conditioning_lost" in codes for codes in notes] == [False, False, True]
    shown = " ".join(program("show").stdout.split())
    assert "filled once; lost: " in shown
    assert "(seen after the last point)" in shown


class TestADevice:
    pytestmark = needs_loop

    def test_it_is_refused_like_any_write(self, program: Program, disk: str) -> None:
        study = program.study()
        study.write_text(study.read_text().replace('"database"', '"random-read-4k"'))
        done = program("measure", disk, "--study", study, "--buffered")
        assert done.returncode == 2
        assert "--write-existing" in done.stderr
        assert not any(Path(disk).read_bytes())

    def test_a_later_run_uses_what_holds_until_a_discard_undoes_it(self, program: Program, disk: str) -> None:
        words = ("measure", disk, "--study", program.study(), *allowed())
        assert program(*words).returncode == 0
        first = program.kinds()
        assert first[:2] == ["filled", "filled"]
        again = program(*words)
        assert again.returncode == 0, again.stderr
        assert "filled twice by run" in again.stdout
        assert program.kinds()[0] == "reused"
        assert "filled" not in program.kinds()
        assert "what run" in program("show").stdout
        tool("blkdiscard", "--length", str(4 << 20), disk)
        done = program(*words)
        assert done.returncode == 0, done.stderr
        assert "is lost" in done.stdout
        assert program.kinds()[:3] == ["lost", "filled", "filled"]
        reasons = {reason["code"] for reason in program.steps()[0]["reasons"]}
        assert "discarded" in reasons
        assert "zeros" in reasons

    def test_another_medium_of_the_same_size_is_filled_anew(self, program: Program, tmp_path: Path) -> None:
        nodes = []
        for name in ("one", "other"):
            medium = tmp_path / name
            medium.write_bytes(no_file_system(SIZE))
            with loop_device(medium) as node:
                nodes.append(node)
                done = program("measure", node, "--study", program.study(), *allowed())
                assert done.returncode == 0, done.stderr
        if nodes[0] != nodes[1]:
            pytest.skip("the other one got another name")
        assert program.kinds()[:3] == ["lost", "filled", "filled"]
        assert [reason["code"] for reason in program.steps()[0]["reasons"]] == ["exchanged"]

    def test_it_is_purged_first(self, program: Program, disk: str, tmp_path: Path) -> None:
        Path(disk).write_bytes(no_file_system(SIZE))
        done = program("measure", disk, "--study", program.study("discard"), *allowed())
        assert done.returncode == 0, done.stderr
        assert program.kinds()[:3] == ["purged", "filled", "filled"]
        trace = program.steps()[0]["traces"][0]
        assert trace["discarded_bytes"] >= SIZE

    def test_it_is_written_to_its_last_sector(self, program: Program, tmp_path: Path) -> None:
        """It ends within 4 KiB, as a partition does that somebody made so."""
        size_bytes, file = SIZE + 512, tmp_path / "odd"
        file.write_bytes(bytes(size_bytes))
        words = ("--study", program.study(), "--write-existing", "--identity", size_bytes, "--buffered")
        with loop_device(file) as device:
            done = program("measure", device, *words)
        assert done.returncode == 0, done.stderr
        (trace,) = next(step["traces"] for step in program.steps() if step["kind"] == "filled")
        assert trace["length_bytes"] == size_bytes
        assert any(file.read_bytes()[SIZE:])

    def test_a_purge_of_a_file_is_refused_before_anything_is_written(
        self, program: Program, tmp_path: Path
    ) -> None:
        done = program("measure", tmp_path / "new", "--study", program.study("discard"), "--buffered")
        assert done.returncode == 2
        assert "only a device can be discarded" in done.stderr
        assert not (tmp_path / "new").exists()

    def test_ctrl_c_in_the_rounds_and_resume_does_not_start_again(self, program: Program, disk: str) -> None:
        # 20 rounds at least: it is interrupted before they are over, however soon the load is steady.
        interrupted_in_a_round(program, disk, program.study(rounds=25, window=20))
        before = program.steps()
        done = program("measure", "--resume", "latest", *allowed())
        assert done.returncode == 0, done.stderr
        after = program.steps()
        assert after[: len(before)] == before
        assert [step["kind"] for step in after].count("filled") == 2
        assert "lost" not in [step["kind"] for step in after]
        turns = [step["turn"] for step in after if step["kind"] == "round"]
        assert turns == list(range(1, len(turns) + 1))

    def test_rounds_that_only_trim_are_resumed_only_where_it_is_allowed(
        self, program: Program, disk: str, tmp_path: Path
    ) -> None:
        """Without a permission nothing that the device holds by then is trimmed away."""
        study = tmp_path / "trims.toml"
        study.write_text(TRIMS)
        interrupted_in_a_round(program, disk, study)
        held = no_file_system(SIZE)
        (tmp_path / "disk").write_bytes(held)
        done = program("measure", "--resume", "latest")
        assert done.returncode == 2
        assert "everything on it would be lost" in done.stderr
        tool("sync", disk)
        assert (tmp_path / "disk").read_bytes() == held
