"""Who closes the pipe has read enough: nothing is said of it, and the exit status is of what was asked."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

FEW = ("--profile", "database", "--cap-ios", "500", "--floor-ios", "500", "--warmup-ios", "0")


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Give a store with two runs."""
    path = tmp_path_factory.mktemp("unread") / "runs.db"
    for _ in range(2):
        done = _started(path, "simulate", "quick", "--on", "p3700", *FEW, "-q")
        assert done.wait() == 0
    return path


def _started(store: Path, *words: object, together: bool = False) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [sys.executable, "-m", "iodyno", *map(str, words)],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT if together else subprocess.PIPE,
        env={**os.environ, "IODYNO_STORE": str(store), "PYTHONUNBUFFERED": "1"},
    )


def _unread(store: Path, *words: object, lines: int) -> tuple[int, bytes]:
    """Read so many lines of what a command prints, close the pipe, and give how it ended."""
    process = _started(store, *words)
    assert process.stdout
    assert process.stderr
    for _ in range(lines):
        process.stdout.readline()
    process.stdout.close()
    said = process.stderr.read()
    process.stderr.close()
    return process.wait(), said


@pytest.mark.parametrize("lines", [0, 1])
@pytest.mark.parametrize(
    "words",
    [
        "show", "show --json", "export -f csv", "export -f json", "catalog list", "catalog show p3700",
        "compare latest~1 latest", "runs", "runs --json", "studies", "studies quick --toml", "profiles",
        "--help", "show -h", "plan quick", "plan quick --json", "simulate quick --on p3700 --plan",
        "simulate quick --on p3700 --analytic",
    ],
)  # fmt: skip
def test_what_only_prints_ends_quietly(store: Path, words: str, lines: int) -> None:
    assert _unread(store, *words.split(), lines=lines) == (0, b"")


def test_a_run_that_nobody_reads_on_is_not_done(store: Path) -> None:
    """It stops, says how to go on, and is no success."""
    code, said = _unread(store, "simulate", "quick", "--on", "p3700", *FEW, "--json", lines=0)
    assert code == 1
    assert b"points are kept in run" in said
    assert b"--resume" in said
    assert b"Traceback" not in said


def test_the_exit_status_tells_of_what_nobody_has_read(store: Path) -> None:
    slower = ("compare", "latest~1", "latest", "--fail-if-slower", "1%")
    with _started(store, "simulate", "quick", "--on", "p3700", *FEW, "--block-sizes", "64k", "-q") as other:
        assert other.wait() == 0
    read = _started(store, *slower)
    _, said = read.communicate()
    assert read.returncode != 0
    code, said_unread = _unread(store, *slower, lines=0)
    assert (code, said_unread) == (read.returncode, said)


def test_errors_that_nobody_reads_keep_their_exit_status(store: Path) -> None:
    for words in (("show", "nope"), ("measure", "--wat"), ("plan", "quik")):
        process = _started(store, *words, together=True)
        assert process.stdout
        process.stdout.close()
        assert process.wait() == 2
