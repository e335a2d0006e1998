"""Files that a command writes: refused with a hint, written whole, or not there at all."""

from __future__ import annotations

import errno
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import pytest

from command_line import CommandLine
from iodyno.cli import output
from iodyno.errors import IodynoError, ReportError

NO_FULL = pytest.mark.skipif(not os.access("/dev/full", os.W_OK), reason="no /dev/full")


def test_a_folder_that_may_not_be_searched_is_a_problem_with_a_hint(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(path: Path) -> bool:
        raise PermissionError(errno.EACCES, "Permission denied", str(path))

    monkeypatch.setattr(Path, "is_dir", refuse)
    with pytest.raises(ReportError, match="permission denied") as caught:
        output.check_outputs([tmp_path / "locked" / "paper.pdf"])
    assert caught.value.exit_code == 2
    assert "accessible" in caught.value.problems[0].hint


@pytest.mark.root
@pytest.mark.skipif(os.geteuid() != 0, reason="mounting needs root")
def test_a_file_on_a_read_only_mount_is_refused_with_the_reason(tmp_path: Path) -> None:
    if subprocess.run(["mount", "-t", "tmpfs", "-o", "ro", "tmpfs", tmp_path], check=False).returncode:
        pytest.skip("nothing can be mounted here")
    try:
        with pytest.raises(ReportError, match="cannot be written: read-only file system"):
            output.check_outputs([tmp_path / "paper.pdf"])
    finally:
        subprocess.run(["umount", tmp_path], check=True)


def test_a_full_disk_leaves_no_draft(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made = tempfile.NamedTemporaryFile

    def full(**options: Any) -> object:
        file = made(**options)
        os.close(file.fileno())
        os.dup2(os.open("/dev/full", os.O_WRONLY), file.fileno())
        return file

    if not os.access("/dev/full", os.W_OK):
        pytest.skip("no /dev/full")
    monkeypatch.setattr(tempfile, "NamedTemporaryFile", full)
    with pytest.raises(IodynoError, match="no space left") as caught:
        output.write_output(tmp_path / "paper.pdf", b"content")
    assert caught.value.exit_code == 1
    assert list(tmp_path.iterdir()) == []


@NO_FULL
def test_a_full_device_as_output_is_one_error() -> None:
    with pytest.raises(IodynoError, match="/dev/full: cannot be written: no space left") as caught:
        output.write_output(Path("/dev/full"), b"content")
    assert caught.value.exit_code == 1


@NO_FULL
@pytest.mark.parametrize("arguments", [["plan", "quick"], ["plan", "quick", "--json"]])
def test_a_full_standard_output_is_one_line_and_1(arguments: list[str]) -> None:
    code = f"from iodyno.cli import main; import sys; sys.exit(main({arguments}))"
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(
            [sys.executable, "-c", code], stdout=full, stderr=subprocess.PIPE, text=True, check=False
        )
    assert done.returncode == 1
    assert done.stderr.startswith("error: no space left")
    assert len(done.stderr.splitlines()) == 2, "the error and its hint"


def test_an_error_of_the_system_is_one_line(
    iodyno_says: CommandLine, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object, **__: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device", "runs.db")

    monkeypatch.setattr("iodyno.study.plan_study", full)
    said = iodyno_says("plan", "quick")
    assert (said.code, said.err.splitlines()[0]) == (1, "error: runs.db: no space left on device")
    assert "Traceback" not in said.err
