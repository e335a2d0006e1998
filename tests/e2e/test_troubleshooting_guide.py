"""The guide to troubleshooting quotes messages of the program, and what its sessions print."""

from __future__ import annotations

import ast
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from iodyno.targets.direct import direct_in_directory

ROOT = Path(__file__).parents[2]
GUIDE = ROOT / "docs" / "guides" / "troubleshooting.md"
TEXT = GUIDE.read_text("utf-8")
QUOTED = re.findall(r"^### (.*)$", TEXT, re.MULTILINE)
SESSIONS = re.findall(r"^```text\n(\$ .*?)^```$", TEXT, re.DOTALL | re.MULTILINE)
BESIDE = (
    "does not allow direct I/O", "is in use by another iodyno, or locked by another program",
    "the file of the run is gone", "the clock of the time stamps drifted",
    "the host is the limit: a worker used its processor fully",
    "the drive reached the temperature at which it warns", "data came back that is not what was written",
    'there is no part "…"', "there is no study of this name",
    'there is no profile "…"', "this is a SQLite database of another program, not a store of iodyno",
    "damaged: SQLite cannot read it",
)  # fmt: skip
"""Messages that are quoted below the heading of another."""
GAP = "…"


@cache
def templates() -> frozenset[str]:
    """Give all texts of the package, and of the engine, with a gap for each value that is put into them."""
    found = set[str]()
    for file in (ROOT / "python" / "iodyno").rglob("*.py"):
        for node in ast.walk(ast.parse(file.read_text("utf-8"))):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                found.add(re.sub(r"\{\w*(:[^}]*)?\}", GAP, node.value))
            elif isinstance(node, ast.JoinedStr):
                found.add("".join(map(part_text, node.values)))
    for file in (ROOT / "crates").rglob("*.rs"):
        found |= {
            re.sub(r"\{\w*\}", GAP, text) for text in re.findall(r'"([^"\n]+)"', file.read_text("utf-8"))
        }
    return frozenset(found)


def part_text(part: ast.expr) -> str:
    """Write a part of a text with values."""
    return str(part.value) if isinstance(part, ast.Constant) else GAP


def is_said(message: str) -> bool:
    """Tell whether the program has a text that reads so, where gaps stand for anything."""
    words = [re.escape(words) for words in message.split(GAP)]
    pattern = re.compile(".*".join(words), re.DOTALL)
    return any(pattern.fullmatch(text) for text in templates())


def commands(session: str) -> Iterator[tuple[str, str]]:
    """Yield the commands of a session, each with what it prints."""
    for part in re.split(r"^\$ ", session, flags=re.MULTILINE)[1:]:
        command, _, printed = part.partition("\n")
        yield command, printed


@pytest.mark.parametrize("heading", QUOTED)
def test_a_heading_is_a_message_of_the_program(heading: str) -> None:
    quoted = re.fullmatch(r"`(.*)`", heading)
    assert quoted, "headings below the second are messages"
    assert is_said(quoted[1])


@pytest.mark.parametrize("message", BESIDE)
def test_a_message_beside_a_heading_is_one_of_the_program(message: str) -> None:
    assert f"`{message}`" in " ".join(TEXT.split())
    assert is_said(message)


def test_other_words_are_no_message() -> None:
    assert is_said("there is no store here")
    assert not is_said("there is no shop here")
    assert not is_said("is in use and will be written: …")
    assert len(QUOTED) > 50


@pytest.mark.parametrize("session", SESSIONS, ids=[session.partition("\n")[0][2:40] for session in SESSIONS])
def test_a_session_prints_what_is_quoted(session: str, tmp_path: Path) -> None:
    if "iodyno measure" in session and not direct_in_directory(tmp_path).possible:
        pytest.skip("the folder of tests has no direct I/O")
    place = tmp_path / "here"
    place.mkdir()
    environment = {
        **os.environ, "IODYNO_STORE": str(tmp_path / "runs.db"), "XDG_DATA_HOME": str(tmp_path / "data"),
        "COLUMNS": "200", "PROGRAM": sys.executable,
    }  # fmt: skip
    for command, printed in commands(session):
        if command.startswith("cat "):
            (place / command.removeprefix("cat ")).write_text(printed, encoding="utf-8")
            continue
        done = subprocess.run(
            ["bash", "-c", f'iodyno() {{ "$PROGRAM" -m iodyno "$@"; }}\n{command}'],
            cwd=place, env=environment, text=True, check=False, timeout=120,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
        )  # fmt: skip
        expected = ".*".join(map(re.escape, printed.split(GAP)))
        assert re.fullmatch(expected, done.stdout, re.DOTALL), f"{command}: {done.stdout}"
    assert [file for file in place.iterdir() if file.name.endswith(".data")] == [], "nothing was written"


def test_every_session_is_one() -> None:
    assert len(SESSIONS) == TEXT.count("```text\n") > 10
