"""Making, keeping and removing the files of a run."""

from __future__ import annotations

import ctypes
import errno
import os
import stat
import time
from contextlib import suppress
from pathlib import Path

from iodyno.errors import Problem, TargetError
from iodyno.targets.claim import CHANGED, CHANGED_HINT, IN_USE, WAIT, locked_by_others
from iodyno.targets.direct import direct_of_existing
from iodyno.targets.host import file_id
from iodyno.targets.mark import Mark, left, other_owner, read_mark, this_process, write_mark
from iodyno.targets.own import is_untouched
from iodyno.targets.record import Permissions, Target
from iodyno.units import short_size

_MODE = 0o600
_TRIES = 3
_MARKED_WITHIN_S = 0.5
"""Seconds within which another iodyno marks the file that it made."""


def create_file(target: Target, permissions: Permissions | None = None) -> Target:
    """Make the file of a target, marked as iodyno's own, with its space reserved.

    A file that an interrupted run left is taken over. The contents are not written here.

    Parameters
    ----------
    target
        A target with ``created`` set.
    permissions
        Whether to go on without direct I/O, where only the file itself tells that.

    Returns
    -------
    Target
        The target with what is now known: whether direct I/O is possible, the identity of
        the file.

    Raises
    ------
    TargetError
        If a file of somebody else is there by now, or the file system has no room. Nothing
        is left behind.
    """
    assert target.created, f"{target.path} is not for iodyno to make"
    permissions = permissions or Permissions()
    descriptor, fresh = _open(target)
    try:
        mark = Mark(inode=os.fstat(descriptor).st_ino, owner=this_process())
        write_mark(descriptor, mark)
        _reserve(descriptor, target.size_bytes)
        made = _describe(descriptor, target)
        if target.direct is None and made.direct is False and not permissions.buffered:
            raise TargetError.of(target.asked, "lies on a file system without direct I/O", "add --buffered")
    except BaseException as error:
        if fresh:
            Path(target.path).unlink()
        if isinstance(error, OSError):
            reason = f"cannot be made with {short_size(target.size_bytes)}: {error.strerror}"
            raise TargetError.of(
                target.asked, reason, "ask for a smaller file, or name another place"
            ) from error
        raise
    finally:
        os.close(descriptor)
    return made


def _open(target: Target) -> tuple[int, bool]:
    """Open the file, new if nothing is there; and say whether it is new.

    What is there when it is looked for can be gone in the next moment: who used it removes it at the end.
    """
    for _ in range(_TRIES):
        with suppress(FileNotFoundError):
            return _opened(target)
    raise TargetError.of(target.asked, IN_USE, WAIT)


def _opened(target: Target) -> tuple[int, bool]:
    flags = os.O_RDWR | os.O_NOFOLLOW
    try:
        descriptor = os.open(target.path, flags | os.O_CREAT | os.O_EXCL, _MODE)
        os.fchmod(descriptor, _MODE)
        return descriptor, True
    except FileExistsError:
        mark = _mark_of_other(target)
        _refuse_used(target, mark)
        if mark and not mark.kept and not is_untouched(target.path, mark):
            raise TargetError.of(target.asked, CHANGED, CHANGED_HINT) from None
        if not (mark and not mark.kept) and not _same_file(target):
            raise TargetError.of(
                target.asked, "a file of another maker is there", "name another path"
            ) from None
        return _taken_over(target, mark, flags), False
    except OSError as error:
        raise TargetError.of(
            target.asked, f"cannot be made: {error.strerror}", "name another path"
        ) from error


def _refuse_used(target: Target, mark: Mark | None) -> None:
    owner = other_owner(mark) if mark else 0
    if owner:
        raise TargetError.of(
            target.asked, f"is in use by another iodyno, process {owner}", "wait for it, or name another path"
        ) from None


def _taken_over(target: Target, mark: Mark | None, flags: int) -> int:
    """Open a file that is there, locked until it is closed: of two processes that take it over at once, each
    before the other has marked it, one finds it locked, or then the mark of the other, or what that has left
    of it: another mark where it is kept, no file or another one where it was removed."""
    descriptor = os.open(target.path, flags)
    try:
        if locked_by_others(descriptor):
            raise TargetError.of(target.asked, IN_USE, WAIT)
        found = read_mark(target.path)
        _refuse_used(target, found)
        if found != mark or not os.path.samestat(os.fstat(descriptor), os.lstat(target.path)):
            raise TargetError.of(target.asked, IN_USE, WAIT)
    except BaseException:
        os.close(descriptor)
        raise
    return descriptor


def _mark_of_other(target: Target) -> Mark | None:
    """Read the mark of a file that is there; one that was made this moment may get its mark in the next."""
    end = time.monotonic() + _MARKED_WITHIN_S
    while (mark := read_mark(target.path)) is None and not _same_file(target) and time.monotonic() < end:
        if not _is_fresh(target.path):
            break
        time.sleep(0.01)
    return mark


def _is_fresh(path: str) -> bool:
    """Tell whether a file looks as one just made: empty, and younger than what it is waited for."""
    try:
        found = Path(path).lstat()
    except OSError:
        return False
    return found.st_size == 0 and time.time() - found.st_ctime < 2 * _MARKED_WITHIN_S


def _reserve(descriptor: int, size_bytes: int) -> None:
    """Give the file its size, and its space where the file system can reserve any."""
    os.ftruncate(descriptor, size_bytes)
    fallocate = ctypes.CDLL(None, use_errno=True).fallocate
    fallocate.argtypes = (ctypes.c_int, ctypes.c_int, ctypes.c_int64, ctypes.c_int64)
    if fallocate(descriptor, 0, 0, size_bytes) != 0:
        number = ctypes.get_errno()
        if number not in (errno.EOPNOTSUPP, errno.ENOSYS):
            raise OSError(number, os.strerror(number))


def _describe(descriptor: int, target: Target) -> Target:
    found = os.fstat(descriptor)
    direct = direct_of_existing(target.path)
    return target.model_copy(
        update={
            "direct": direct.possible,
            "logical_block_bytes": direct.block_bytes or target.logical_block_bytes,
            "file_id": file_id(found),
            "allocated_bytes": found.st_blocks * 512,
        }
    )


def keep_file(target: Target, *, doubtful: bool = False) -> bool:
    """Note on a file of iodyno's that the user keeps it; false where that cannot be noted.

    Parameters
    ----------
    target
        The file, as the run had it.
    doubtful
        Whether the run ended because something was wrong with a target.
    """
    mark = read_mark(target.path)
    if mark is None:
        return False
    descriptor = os.open(target.path, os.O_RDWR | os.O_NOFOLLOW)
    try:
        return write_mark(descriptor, left(descriptor, mark, target.size_bytes, doubtful=doubtful))
    finally:
        os.close(descriptor)


def marked_for_removal(path: str) -> bool:
    """Tell whether iodyno made the file at a path for a run that is over, and nobody keeps or uses it."""
    mark = read_mark(path)
    return mark is not None and not mark.kept and not other_owner(mark) and is_untouched(path, mark)


def remove_file(target: Target) -> bool:
    """Remove a file that iodyno made in this run, or one that carries its mark.

    Returns
    -------
    bool
        False where no file is there any more.

    Raises
    ------
    TargetError
        If the file is not iodyno's own, holds what iodyno did not write, or cannot be removed.
    """
    path = Path(target.path)
    try:
        found = path.lstat()
    except FileNotFoundError:
        return False
    mark = read_mark(path)
    if not stat.S_ISREG(found.st_mode) or not (mark or _same_file(target)):
        raise TargetError(Problem(target.asked, "is not removed: iodyno did not make it"))
    in_this_run = _same_file(target) and (mark is None or mark.owner == this_process())
    as_made = in_this_run and found.st_size == target.size_bytes
    if mark and not as_made and not is_untouched(path, mark):
        raise TargetError(Problem(target.asked, f"is not removed: it {CHANGED}", "look at it"))
    try:
        path.unlink()
    except OSError as error:
        raise TargetError.of(target.asked, f"cannot be removed: {error.strerror}") from error
    return True


def _same_file(target: Target) -> bool:
    """Tell whether the file is the one that this run made."""
    return target.created and target.file_id == file_id(Path(target.path).lstat())
