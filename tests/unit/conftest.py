"""Fixtures of the command line's tests, and the papers that tests of documents share."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

from command_line import Bench, CommandLine
from shelf import Shelf


@pytest.fixture
def iodyno_says(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> CommandLine:
    """Give the command line, with a store of its own and a plain terminal."""
    monkeypatch.setenv("IODYNO_STORE", str(tmp_path / "runs.db"))
    monkeypatch.delenv("IODYNO_PARTS", raising=False)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.setenv("COLUMNS", "120")
    monkeypatch.setattr("sys.argv", ["iodyno"])
    return CommandLine(capsys)


@pytest.fixture
def bench(monkeypatch: pytest.MonkeyPatch) -> Bench:
    """Give a bench that measures nothing."""
    made = Bench()
    made.install(monkeypatch)
    return made


@pytest.fixture(scope="session")
def shelf(tmp_path_factory: pytest.TempPathFactory) -> Shelf:
    """Give papers, each set once."""
    return Shelf(tmp_path_factory.mktemp("papers"))


@pytest.fixture
def hears_ctrl_c() -> Iterator[None]:
    """Let this process hear Ctrl-C: what a script starts in the background has been told to ignore it."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)
