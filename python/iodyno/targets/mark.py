"""How iodyno knows a file of its own again: a user attribute on the file itself."""

from __future__ import annotations

import contextlib
import json
import os
from pathlib import Path

from pydantic import ValidationError

from iodyno.profiles import Record
from iodyno.targets.host import read_text

ATTRIBUTE = "user.iodyno"
MARK_SCHEMA = 1


class Mark(Record):
    """What iodyno notes on a file that it makes."""

    mark_schema: int = MARK_SCHEMA
    inode: int
    """The file that was marked: a copy that carries the attribute along is no file of iodyno's."""
    kept: bool = False
    """Whether the user keeps the file; where not, it is removed after the run."""
    owner: str = ""
    """Which process uses it, see :func:`this_process`; empty for none."""
    size_bytes: int | None = None
    """How large the file was when a run left it; none while a run uses it, where one was killed, and where
    the file may be somebody's by then."""
    modified_ns: int | None = None
    """When it had been written last by then, in ns since 1970, by the clock of its file system."""

    @property
    def owner_process(self) -> int:
        """Number of the process that uses it, 0 for none."""
        return int(self.owner.split(":")[1]) if self.owner.count(":") == 2 else 0


def read_mark(path: str | Path) -> Mark | None:
    """Read the mark of a regular file; none for a file that iodyno did not make.

    Where the file system has no user attributes every file counts as not made by iodyno.
    """
    try:
        mark = Mark.model_validate(json.loads(os.getxattr(path, ATTRIBUTE, follow_symlinks=False)))
        same_file = mark.inode == Path(path).lstat().st_ino
    except (OSError, ValueError, ValidationError):
        return None
    return mark if same_file and mark.mark_schema == MARK_SCHEMA else None


def left(descriptor: int, mark: Mark, size_bytes: int, *, doubtful: bool) -> Mark:
    """Add to the mark of a file that stays how it was left: who writes to it later changes that.

    Parameters
    ----------
    descriptor, mark
        The open file, and its mark.
    size_bytes
        How large the run had it. A file of another size is somebody's by now, and nothing is vouched for: its
        data have to tell whose it is.
    doubtful
        Whether the run ended because something was wrong with a target: nothing is vouched for then either.
    """
    found = os.fstat(descriptor)
    kept = mark.model_copy(update={"kept": True, "owner": "", "size_bytes": None, "modified_ns": None})
    if doubtful or found.st_size != size_bytes:
        return kept
    return kept.model_copy(update={"size_bytes": found.st_size, "modified_ns": found.st_mtime_ns})


def taken(mark: Mark) -> Mark:
    """Say in the mark of a file that stays that this process writes to it."""
    return mark.model_copy(update={"owner": this_process(), "size_bytes": None, "modified_ns": None})


def remove_mark(descriptor: int) -> None:
    """Give up a file: it is somebody else's from now on."""
    with contextlib.suppress(OSError):
        os.removexattr(descriptor, ATTRIBUTE)


def write_mark(descriptor: int, mark: Mark) -> bool:
    """Mark an open file; false where the file system has no user attributes."""
    try:
        os.setxattr(descriptor, ATTRIBUTE, mark.model_dump_json().encode())
    except OSError:
        return False
    return True


def this_process(proc: Path = Path("/proc")) -> str:
    """Name this process so that no later one is taken for it: boot, number, start time."""
    return _process(proc, os.getpid()) or ""


def other_owner(mark: Mark, proc: Path = Path("/proc")) -> int:
    """Give the number of another living process that uses a marked file, 0 for none."""
    number = mark.owner_process
    alive = number and number != os.getpid() and _process(proc, number) == mark.owner
    return number if alive else 0


def _process(proc: Path, number: int) -> str | None:
    boot = read_text(proc / "sys/kernel/random/boot_id") or "unknown"
    fields = (read_text(proc / str(number) / "stat") or "").rpartition(")")[2].split()
    with contextlib.suppress(IndexError):
        return f"{boot.replace(':', '-')}:{number}:{fields[19]}"
    return None
