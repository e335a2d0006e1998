"""Sentences on a terminal break between words, and never inside a command that is to be copied."""

from __future__ import annotations

import os
import pty
import re
import subprocess
import sys
from pathlib import Path

import pytest

from iodyno.cli.sentences import broken

SIXTY = "60"
LOAD = ("--outstanding", "1", "--profile", "database", "--cap-ios", "300", "--floor-ios", "200")


def _on_a_terminal(folder: Path, *words: str) -> str:
    """Run iodyno on a terminal of 60 columns, and give what it printed."""
    master, slave = pty.openpty()
    run = subprocess.Popen(
        [sys.executable, "-m", "iodyno", *words],
        stdin=slave, stdout=slave, stderr=slave, cwd=folder,
        env={**os.environ, "COLUMNS": SIXTY, "NO_COLOR": "1", "IODYNO_STORE": str(folder / "runs.db")},
    )  # fmt: skip
    os.close(slave)
    printed = b""
    while True:
        try:
            more = os.read(master, 4096)
        except OSError:  # the other end is closed
            break
        if not more:
            break
        printed += more
    run.wait(timeout=60)
    os.close(master)
    return re.sub(r"\x1b\[[0-9;]*[A-Za-z]", "", printed.decode().replace("\r\n", "\n"))


def test_the_end_of_a_simulation_breaks_between_words(tmp_path: Path) -> None:
    """`a larger --cap-ios makes it m` / `ore precise` stood on two lines."""
    said = _on_a_terminal(tmp_path, "simulate", "quick", "--on", "p3700", *LOAD)
    lines = [line for line in said.splitlines() if not line.startswith(("paper:", "figures:"))]
    assert max(map(len, lines)) <= int(SIXTY)
    assert "ended at the cap, less precise than asked: a larger" in " ".join(lines)


def test_errors_and_hints_break_between_words(tmp_path: Path) -> None:
    said = _on_a_terminal(tmp_path, "simulate", "quick", "--on", "nosuch-system-at-all", "--plan")
    assert max(map(len, said.splitlines())) <= int(SIXTY)
    assert "known systems: nvme-host-connections, nvme-today, p3700," in " ".join(said.splitlines())


@pytest.mark.parametrize(
    ("text", "width", "lines"),
    [
        ("one two three", 8, ["one two", "three"]),
        ("one `iodyno show x` three", 12, ["one", "`iodyno show x`", "three"]),
        ("see `a b`, then `c d`", 10, ["see `a b`,", "then `c d`"]),
        ("a-very-long-name-of-a-file/that/has/no/blank b", 10,
         ["a-very-long-name-of-a-file/that/has/no/blank", "b"]),
        ("one\ntwo three", 8, ["one", "two", "three"]),
        ("", 8, [""]),
        ("a stray ` in a text", 8, ["a stray", "` in a", "text"]),
    ],
)  # fmt: skip
def test_where_a_sentence_breaks(text: str, width: int, lines: list[str]) -> None:
    assert broken(text, width).split("\n") == lines
