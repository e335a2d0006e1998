"""Targets that are taken, or go, between the plan and the first write: the run is as if it had not begun."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from command_line import Bench, CommandLine
from iodyno.store import Store
from iodyno.store.records import RunSummary
from iodyno.targets.claim import IN_USE, WAIT

SMALL = ("--quick", "--profile", "database", "--outstanding", "1,2", "--buffered", "--write-existing")


def kept(folder: Path) -> list[RunSummary]:
    """Give the runs in the test's store."""
    with Store.open(folder / "runs.db") as store:
        return store.runs()


@contextmanager
def taken_meanwhile(file: Path, monkeypatch: pytest.MonkeyPatch, how: str) -> Iterator[None]:
    """Let another measurement take the file right after this one's run has begun, or goes on."""
    descriptor = os.open(file, os.O_RDONLY)
    into_the_store: Callable[..., Any] = getattr(Store, how)

    def take(store: Store, run: object) -> object:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        return into_the_store(store, run)

    with monkeypatch.context() as patch:
        patch.setattr(Store, how, take)
        yield
    os.close(descriptor)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """Give a file to measure."""
    made = tmp_path / "data"
    made.write_bytes(os.urandom(1 << 16))
    return made


def test_a_new_run_leaves_nothing(
    iodyno_says: CommandLine, bench: Bench, file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with taken_meanwhile(file, monkeypatch, "begin"):
        said = iodyno_says("measure", file, *SMALL)
    assert (said.code, said.err) == (2, f"error: {file}: {IN_USE}\nhint: {WAIT}\n")
    assert kept(tmp_path) == []
    assert iodyno_says("measure", file, *SMALL).code == 0
    assert [run.status for run in kept(tmp_path)] == ["finished"]


def test_a_run_that_goes_on_stays_as_it_was(
    iodyno_says: CommandLine, bench: Bench, file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    bench.interrupt_at = 1
    assert iodyno_says("measure", file, *SMALL).code == 130
    (before,) = kept(tmp_path)
    again = ("measure", "--resume", "latest", "--write-existing")
    with taken_meanwhile(file, monkeypatch, "reopen"):
        said = iodyno_says(*again)
    assert (said.code, said.err) == (2, f"error: {file}: {IN_USE}\nhint: {WAIT}\n")
    assert kept(tmp_path) == [before]
    bench.interrupt_at = None
    assert iodyno_says(*again).code == 0
    assert [run.status for run in kept(tmp_path)] == ["finished"]
