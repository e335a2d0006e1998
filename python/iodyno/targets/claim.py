"""One measurement of a file at a time: a lock on it that the kernel gives back however a process ends.

Files that iodyno makes say in their mark who measures them; files that were there before carry no such word.
"""

from __future__ import annotations

import errno
import fcntl
import os
import signal
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from functools import partial
from pathlib import Path
from types import TracebackType

from iodyno.errors import Problem, TargetError
from iodyno.targets.mark import Mark, left, read_mark, remove_mark, taken, write_mark
from iodyno.targets.own import is_untouched
from iodyno.targets.record import Target

IN_USE = "is in use by another iodyno, or locked by another program"
WAIT = "wait for it, or name another path"
CHANGED = "has changed since iodyno used it: it may hold what somebody needs"
CHANGED_HINT = "look at it; move it away or remove it, or add --write-existing if what it holds may be lost"
_LOOKED_AT_S = 0.5
"""Seconds for which others may look whether the file is claimed: that locks it for a moment."""


def is_claimed(path: Path) -> bool:
    """Tell whether somebody measures the file; where it cannot be told, nobody does."""
    descriptor = _locked(path)
    if descriptor is None:
        return True
    _close(descriptor)
    return False


def is_closed(path: Path) -> bool:
    """Tell whether nobody has the file open, by whatever name or in whatever mount namespace.

    The kernel leases a file for writing only where that is so. Who opens it in that moment waits until the
    lease is given back here. False where it cannot be told: the file of another user, a file system without
    leases.
    """
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK)
    except OSError:
        return False
    try:
        fcntl.fcntl(descriptor, fcntl.F_SETSIG, signal.SIGURG)  # SIGIO would end this process
        fcntl.fcntl(descriptor, fcntl.F_SETLEASE, fcntl.F_WRLCK)
        fcntl.fcntl(descriptor, fcntl.F_SETLEASE, fcntl.F_UNLCK)
    except OSError:
        return False
    finally:
        os.close(descriptor)
    return True


@contextmanager
def claimed(targets: Sequence[Target]) -> Iterator[None]:
    """Claim the files that were there before, until the end of the block.

    Of a file of iodyno's that is written the mark says so meanwhile, and how it was left at the end.

    Raises
    ------
    TargetError
        With every file that somebody else measures, or has changed by now.
    """
    with ExitStack() as held:
        problems, marked = [], []
        for target in targets:
            if target.kind != "file" or target.created:
                continue
            descriptor = _locked(Path(target.path))
            if descriptor is None:
                problems.append(Problem(target.asked, IN_USE, WAIT))
                continue
            held.callback(_close, descriptor)
            mark = read_mark(target.path) if target.writes else None
            if mark and target.ours and not is_untouched(target.path, mark):
                problems.append(Problem(target.asked, CHANGED, CHANGED_HINT))
            elif mark:
                marked.append((target, mark))
        if problems:
            raise TargetError(*problems)
        for target, mark in marked:
            _mark(target, mark)
            if target.ours:
                held.push(partial(_mark_as_left, target))
        yield


def _mark(target: Target, mark: Mark) -> None:
    """Say that a file is written, or that it is no file of iodyno's any more where the user gave it away."""
    with suppress(OSError):
        descriptor = os.open(target.path, os.O_RDWR | os.O_NOFOLLOW | os.O_CLOEXEC)
        try:
            if target.ours:
                write_mark(descriptor, taken(mark))
            else:
                remove_mark(descriptor)
        finally:
            os.close(descriptor)


def _mark_as_left(
    target: Target,
    kind: type[BaseException] | None,
    error: BaseException | None,  # noqa: ARG001 - as the end of a block is told
    trace: TracebackType | None,  # noqa: ARG001
) -> None:
    """Say how a file was left. Where that fails its data still tell whose it is."""
    doubtful = kind is not None and issubclass(kind, TargetError)
    with suppress(OSError):
        mark, descriptor = read_mark(target.path), os.open(target.path, os.O_RDWR | os.O_NOFOLLOW)
        try:
            if mark:
                write_mark(descriptor, left(descriptor, mark, target.size_bytes, doubtful=doubtful))
        finally:
            os.close(descriptor)


def _locked(path: Path) -> int | None:
    """Open and lock the file; none where it stays locked by others, below 0 where it cannot be opened."""
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK)
    except OSError:
        return -1
    if locked_by_others(descriptor):
        os.close(descriptor)
        return None
    return descriptor


def locked_by_others(descriptor: int) -> bool:
    """Lock an open file, until it is closed; tell whether it stays locked by others.

    False too where a file system has no locks: nothing is known of others there.
    """
    end = time.monotonic() + _LOOKED_AT_S
    while True:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            if error.errno != errno.EWOULDBLOCK:
                return False
            if time.monotonic() > end:
                return True
            time.sleep(0.01)
        else:
            return False


def _close(descriptor: int) -> None:
    if descriptor >= 0:
        os.close(descriptor)
