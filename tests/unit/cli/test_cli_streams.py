"""The streams of a process that was started without some of them, or whose terminal knows few characters."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

_OPENED = """
import sys
from iodyno.cli.streams import make_ready
make_ready()
with open(sys.argv[1], "w") as file:
    print("to whoever reads")
    sys.stderr.write("a complaint")
    file.write(str(file.fileno() > 2))
"""


def run(command: str, **more: str) -> subprocess.CompletedProcess[bytes]:
    environment = {**os.environ, **more}
    return subprocess.run(["sh", "-c", command], capture_output=True, env=environment, check=False)


@pytest.mark.parametrize("closed", [">&-", "2>&-", "<&-", ">&- 2>&- <&-"])
def test_what_is_opened_does_not_take_the_place_of_a_closed_stream(tmp_path: Path, closed: str) -> None:
    """What is printed would go into the first file that is opened: the store, or a target."""
    (tmp_path / "opening.py").write_text(_OPENED)
    done = run(f"exec {sys.executable} {tmp_path / 'opening.py'} {tmp_path / 'found'} {closed}")
    assert (done.returncode, (tmp_path / "found").read_text()) == (0, "True")


@pytest.mark.parametrize("closed", [">&-", "2>&-", "<&-"])
def test_a_command_works_without_a_stream(closed: str) -> None:
    done = run(f"exec {sys.executable} -m iodyno profiles {closed}")
    assert (done.returncode, done.stderr) == (0, b"")


def test_what_is_nearest_stands_for_characters_that_a_terminal_lacks(tmp_path: Path) -> None:
    more = {"PYTHONIOENCODING": "latin-1", "IODYNO_STORE": str(tmp_path / "runs.db")}
    done = run(f"exec {sys.executable} -m iodyno doctor {tmp_path}", **more)
    assert done.stderr == b""
    assert b"\\u" not in done.stdout
    assert b"+ sync is available" in done.stdout


def test_units_can_be_read_on_a_terminal_of_ascii_alone() -> None:
    done = run(f"exec {sys.executable} -m iodyno catalog show intel-p3700-800", PYTHONIOENCODING="ascii")
    assert done.stderr == b""
    assert b" us " in done.stdout
    assert b"\\x" not in done.stdout


def test_a_character_that_has_nothing_near_is_written_as_its_number() -> None:
    done = run(f"exec {sys.executable} -m iodyno profiles \N{SNOWMAN}", PYTHONIOENCODING="latin-1")
    assert b"error: \\u2603: there is no standard profile" in done.stderr


def test_a_name_that_is_no_utf_8_is_written_out(tmp_path: Path) -> None:
    done = run(f"exec {sys.executable} -m iodyno measure \"$(printf '{tmp_path}/\\377.fio')\"")
    assert done.returncode == 2
    assert b"Traceback" not in done.stderr
    assert b"there is no such job file" in done.stderr
