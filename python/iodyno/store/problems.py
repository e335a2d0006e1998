"""What SQLite says, in the words of the user."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from iodyno.errors import Problem, StoreError

_FULL = "disk is full"
# What SQLite's message holds; what is said instead, and the hint. The first that fits.
_MEANINGS = (
    ("locked", "locked by another process", "close the other program that has it open, and try again"),
    ("malformed", "damaged: SQLite cannot read it", "restore a copy, or try `sqlite3 FILE .recover`"),
    ("not a database", "damaged, or no SQLite database", "give another file, or restore a copy"),
    ("readonly", "read-only", "give a store that can be written, or make this one writable"),
    (_FULL, "on a full disk: nothing more can be kept", "make space there; then resume the run"),
    ("unable to open", "a file that cannot be opened", "look at its permissions and at those of its folder"),
    ("disk i/o error", "on a disk that gave an I/O error", "copy it away while it can be read"),
)  # fmt: skip

_LOG_INDEX_BYTES = 1 << 15
"""SQLite lengthens the index of the log by as much."""


@contextmanager
def explained(path: Path, when_full: str = "") -> Iterator[None]:
    """Raise :class:`StoreError` for whatever the file, the disk or another process did.

    ``when_full`` is the hint where the disk is full, instead of the usual one.

    A broken constraint is a bug of ours, and raised as an assertion.
    """
    try:
        yield
    except sqlite3.IntegrityError as error:
        raise AssertionError(f"the store was asked for what cannot be: {error}") from error
    except sqlite3.DatabaseError as error:
        told = StoreError(meaning(path, error, when_full))
        if _is_full(path, error):
            told.exit_code = 1  # Nothing is wrong with what was asked.
        raise told from error


def meaning(path: Path, error: sqlite3.DatabaseError, when_full: str = "") -> Problem:
    """Say what an error of SQLite means for the user."""
    said = _FULL if _is_full(path, error) else str(error)
    for fragment, what, hint in _MEANINGS:
        if fragment in said.lower():
            if fragment == _FULL:
                hint = when_full or hint
            return Problem(str(path), f"the store is {what}", hint)
    return Problem(str(path), f"the store cannot be used: {said}", "look whether it is an iodyno store")


def _is_full(path: Path, error: sqlite3.DatabaseError) -> bool:
    """Tell whether there was no room; of the index of its log SQLite only says that there was an error."""
    said = str(error).lower()
    return _FULL in said or ("disk i/o error" in said and full(path))


def full(path: Path) -> bool:
    """Tell whether the disk of a store has no room for as much as the index of its log."""
    try:
        room = os.statvfs(path.parent)
    except OSError:
        return False
    return room.f_bavail * room.f_frsize < _LOG_INDEX_BYTES
