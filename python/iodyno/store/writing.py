"""One writer a run: a lock that the kernel gives back when its process ends, however it ends.

The lock is a file beside the store, locked with ``flock``: no process number is guessed
at, and it works between containers that do not see each other's processes.
"""

from __future__ import annotations

import errno
import fcntl
import os
import time
from pathlib import Path

from iodyno.errors import IodynoError, StoreError

_ATTEMPTS = 5
_PAUSE_S = 0.02
_NO_ROOM = (errno.ENOSPC, errno.EDQUOT)


class TakenError(StoreError):
    """A run that another process writes, or an id that another run has."""


class WriterLock:
    """The right to write a run; held until released or until the process ends."""

    def __init__(self, path: Path, descriptor: int) -> None:
        self._path = path
        self._descriptor = descriptor

    def release(self) -> None:
        """Give the right back; the file goes first, so that nobody locks one without a name."""
        self._path.unlink(missing_ok=True)
        os.close(self._descriptor)


def lock_path(store: Path, run_id: str) -> Path:
    """Give the file whose lock is the right to write a run."""
    return store.with_name(f"{store.name}-{run_id}.lock")


def ledger_path(store: Path, run_id: str) -> Path:
    """Give the file that says what a run with ``--verify`` has written where."""
    return store.with_name(f"{store.name}-{run_id}.ledger")


def lock_run(store: Path, run_id: str) -> WriterLock:
    """Take the right to write a run.

    Raises
    ------
    TakenError
        If another process has it.
    StoreError
        If the lock cannot be made.
    """
    path = lock_path(store, run_id)
    for _ in range(_ATTEMPTS):
        lock = _try(path)
        if lock:
            return lock
        time.sleep(_PAUSE_S)  # Who looks whether a run is being written holds the lock for a moment.
    raise TakenError.of(
        run_id, f"the run is being written by {_holder(path)}", "wait for it to end, or stop it with Ctrl-C"
    )


def is_written(store: Path, run_id: str) -> bool:
    """Tell whether a living process writes the run."""
    try:
        descriptor = os.open(lock_path(store, run_id), os.O_RDONLY | os.O_CLOEXEC)
    except OSError:
        return False
    try:
        return not _flock(descriptor, fcntl.LOCK_SH)
    finally:
        os.close(descriptor)


def _try(path: Path) -> WriterLock | None:
    try:
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
    except OSError as error:
        raise _unmade(path, error) from error
    lock = WriterLock(path, descriptor)
    if not (_flock(descriptor, fcntl.LOCK_EX) and _same(path, descriptor)):
        os.close(descriptor)
        return None
    try:
        os.truncate(descriptor, 0)
        os.write(descriptor, f"{os.getpid()}\n".encode())
    except OSError as error:
        if error.errno not in _NO_ROOM:  # A lock needs no room; only who holds it is not told then.
            lock.release()
            raise _unmade(path, error) from error
    return lock


def _unmade(path: Path, error: OSError) -> IodynoError:
    full = error.errno in _NO_ROOM
    hint = "make space there" if full else "look at the permissions of the folder"
    told = StoreError.of(str(path), f"the lock of the run cannot be made: {error.strerror}", hint)
    told.exit_code = 1 if full else told.exit_code
    return told


def _flock(descriptor: int, kind: int) -> bool:
    try:
        fcntl.flock(descriptor, kind | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def _same(path: Path, descriptor: int) -> bool:
    """Tell whether the locked file still has its name: a writer that ended takes it away."""
    try:
        return os.path.samestat(path.stat(), os.fstat(descriptor))
    except FileNotFoundError:
        return False


def _holder(path: Path) -> str:
    try:
        number = path.read_text("ascii").strip()
    except (OSError, UnicodeDecodeError):
        number = ""
    return f"process {number}" if number.isdigit() else "another process"
