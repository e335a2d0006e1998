"""The command line with the real engine on real files, each in a process of its own."""

from __future__ import annotations

import json
import os
import shlex
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from iodyno.report.sections.commands import repeat
from iodyno.store.records import StoredRun

pytest.importorskip("iodyno._core", reason="the engine is not built")

SHORT = (
    "--quick", "--size", "8M", "--profile", "database", "--profile", "streaming", "--outstanding", "1,4",
    "--warmup", "100ms", "--cap", "300ms", "--buffered",
)  # fmt: skip
MANY = ("--outstanding", ",".join(map(str, range(1, 65))))
"""So many points that no run has come to its end when it is stopped, however late a test is with that."""
TRIES = 20
LIMIT_S = 120


@pytest.fixture
def place(tmp_path: Path) -> Path:
    """Give a folder to measure."""
    folder = tmp_path / "target"
    folder.mkdir()
    return folder


@pytest.fixture
def environment(tmp_path: Path) -> dict[str, str]:
    """Give the environment with a store of its own."""
    return {**os.environ, "IODYNO_STORE": str(tmp_path / "runs.db")}


def command(*arguments: object) -> list[str]:
    """Write the command line."""
    return [sys.executable, "-m", "iodyno", *(str(argument) for argument in arguments)]


def call(environment: dict[str, str], *arguments: object) -> subprocess.CompletedProcess[str]:
    """Run a command to its end."""
    return subprocess.run(
        command(*arguments), env=environment, capture_output=True, text=True, check=False, timeout=120
    )


def loaded(environment: dict[str, str], *run: str) -> dict[str, Any]:
    """Give a run as JSON."""
    shown: dict[str, Any] = json.loads(call(environment, "show", *run, "--json").stdout)
    return shown


def start(
    place: Path, environment: dict[str, str], handlers: dict[signal.Signals, signal.Handlers], *more: str
) -> subprocess.Popen[str]:
    """Start a run with these signals as its parent would leave them."""

    def prepare() -> None:
        for number, handler in handlers.items():
            signal.signal(number, handler)

    words = command("measure", place, *SHORT, *more, "--json")
    return subprocess.Popen(words, env=environment, stdout=subprocess.PIPE, text=True, preexec_fn=prepare)


@pytest.fixture
def started(place: Path, environment: dict[str, str]) -> Iterator[subprocess.Popen[str]]:
    """Start a run of many points that hears Ctrl-C, even if the tests run in the background; it ends with the
    test."""
    heard = {signal.SIGINT: signal.SIG_DFL, signal.SIGHUP: signal.SIG_DFL}
    process = start(place, environment, heard, *MANY)
    yield process
    process.kill()
    process.communicate()


def wait_for(process: subprocess.Popen[str], event: str, count: int) -> None:
    """Read events until so many of a kind have come."""
    assert process.stdout
    for line in process.stdout:
        count -= json.loads(line)["event"] == event
        if not count:
            return
    pytest.fail(f"the run ended before {event}")


def test_a_run_from_start_to_paper(place: Path, environment: dict[str, str], tmp_path: Path) -> None:
    done = call(environment, "measure", place, *SHORT, "-o", tmp_path / "paper.pdf")
    assert done.returncode == 0, done.stderr
    stored = loaded(environment)
    assert stored["run"]["status"] == "finished"
    assert [result["point"]["outstanding"] for result in stored["results"]] == [1, 4, 1, 4]
    for result in stored["results"]:
        reading = result["reading"]
        block = 8192 if result["point"]["profile"]["name"] == "database" else 65536
        assert reading["reads"]["bytes"] == reading["reads"]["completed"] * block
    # A disk may stand still for the whole of a short point.
    assert sum(result["reading"]["reads"]["completed"] for result in stored["results"]) > 0
    assert (tmp_path / "paper.pdf").read_bytes().startswith(b"%PDF-")
    assert list(place.iterdir()) == []


@pytest.mark.parametrize("engine", ["io_uring", "aio", "sync", "null", "nop"])
def test_every_engine_answers(place: Path, environment: dict[str, str], engine: str) -> None:
    if call(environment, "doctor", place, "--json").stdout.find(f"{engine} is available") < 0:
        pytest.skip(f"{engine} is not available here")
    done = call(environment, "measure", place, *SHORT, "--engine", engine, "--outstanding", "4")
    assert done.returncode == 0, done.stderr
    assert {result["reading"]["engine"]["name"] for result in loaded(environment)["results"]} == {engine}


def killed_in_its_midst(place: Path, environment: dict[str, str]) -> dict[str, Any]:
    """Kill a run of four points in the third, and give what is kept.

    Four are over soon: it is done again where a test that had to wait for a processor came too late.
    """
    for _ in range(TRIES):
        process = start(place, environment, {})
        wait_for(process, "point_finished", 2)
        wait_for(process, "sample", 1)
        process.send_signal(signal.SIGKILL)
        process.communicate()
        kept = loaded(environment)
        assert len(kept["results"]) >= 2
        if len(kept["results"]) < 4:
            return kept
    raise AssertionError("each run came to its end")


def test_kill_9_loses_only_the_point_in_progress(place: Path, environment: dict[str, str]) -> None:
    before = killed_in_its_midst(place, environment)
    assert before["run"]["status"] == "interrupted"

    done = call(environment, "measure", "--resume", "latest")
    assert done.returncode == 0, done.stderr
    after = loaded(environment)
    assert after["run"]["status"] == "finished"
    assert after["run"]["plan"] == before["run"]["plan"]
    assert after["results"][: len(before["results"])] == before["results"]
    assert [result["point"]["index"] for result in after["results"]] == [0, 1, 2, 3]
    assert list(place.iterdir()) == []


def test_what_is_copied_onto_the_file_of_a_killed_run_stays(
    started: subprocess.Popen[str], place: Path, environment: dict[str, str], tmp_path: Path
) -> None:
    wait_for(started, "point_finished", 2)
    wait_for(started, "sample", 1)
    started.send_signal(signal.SIGKILL)
    started.wait()
    (file,) = place.iterdir()
    mine = os.urandom(file.stat().st_size)
    with file.open("r+b") as there:
        there.write(mine)  # as cp does it: the file stays, with its mark
    for words in (("--resume", "latest"), (place, "--profile", "database", "--size", "16M", "--buffered")):
        done = call(environment, "measure", *map(str, words))
        assert done.returncode == 2
        assert "error" in done.stderr
    assert file.read_bytes() == mine


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_ctrl_c_keeps_what_is_finished(
    started: subprocess.Popen[str], place: Path, environment: dict[str, str], number: signal.Signals
) -> None:
    wait_for(started, "point_finished", 1)
    wait_for(started, "sample", 1)
    started.send_signal(number)
    started.communicate(timeout=LIMIT_S)
    assert started.returncode == 130
    stored = loaded(environment)
    assert stored["run"]["status"] == "interrupted"
    assert stored["results"]
    assert list(place.iterdir()) == []


def test_under_nohup_a_closed_terminal_ends_nothing(place: Path, environment: dict[str, str]) -> None:
    process = start(place, environment, {signal.SIGHUP: signal.SIG_IGN})
    wait_for(process, "point_finished", 1)
    process.send_signal(signal.SIGHUP)
    process.communicate(timeout=LIMIT_S)
    assert process.returncode == 0


@pytest.mark.parametrize(
    "load",
    [(), ("--rate", "200,450.5", "--arrival", "poisson"), ("--rate", "2%,5%"), ("--workers-area", "own")],
)
def test_the_command_in_the_paper_repeats_the_point(
    place: Path, environment: dict[str, str], load: tuple[str, ...]
) -> None:
    assert call(environment, "measure", place, *SHORT, *load).returncode == 0
    first = StoredRun.model_validate(loaded(environment))
    (*_, point) = (result.point for result in first.results)
    words = shlex.split(repeat(first.run, point))
    assert words[:2] == ["iodyno", "measure"]
    done = call(environment, *words[1:])
    assert done.returncode == 0, done.stderr
    *_, again = StoredRun.model_validate(loaded(environment)).results
    assert again.point.seed == point.seed
    assert (again.point.rate_io_s is None) == (point.rate_io_s is None)
    assert again.point.arrival == point.arrival
    if point.rate_from is None:  # with one, the hash names the points by whose numbers the whole is found
        assert again.point.config_hash == point.config_hash


def test_a_run_without_a_paper_loads_none(place: Path, environment: dict[str, str]) -> None:
    words = ["measure", str(place), *SHORT, "--json"]
    show = "print('\\n'.join(sys.modules), file=sys.stderr)"
    script = (
        f"import sys\nfrom iodyno.cli import main\ntry:\n    main({words})\nexcept SystemExit: pass\n{show}"
    )
    done = subprocess.run(
        [sys.executable, "-c", script],
        env=environment,
        capture_output=True,
        text=True,
        check=True,
        timeout=120,
    )
    assert '"run_finished"' in done.stdout
    modules = set(done.stderr.split())
    assert "iodyno.cli.measure" in modules
    assert not modules & {"iodyno.report.paper", "iodyno.report.messages", "iodyno.analysis.run", "babel"}
