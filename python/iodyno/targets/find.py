"""From the paths that a user gives to targets that may be measured."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from iodyno.errors import Problem, TargetError
from iodyno.targets.device import find_device
from iodyno.targets.file import ANOTHER, INSTEAD, Request, find_file, find_new_file
from iodyno.targets.host import Host, no_target
from iodyno.targets.record import FILE_NAME, Permissions, Target
from iodyno.targets.space import space_problems
from iodyno.targets.storage import Extent, Loops, extent_of, read_loops
from iodyno.units import short_size

_BLOCK_BYTES = 4096
_ALIKE = 0.001
"""Share by which sizes differ that would read alike, as they are written to four digits."""

Found = tuple[Target | None, list[Problem]]


def find_targets(
    paths: Sequence[str | Path],
    *,
    writes: bool,
    permissions: Permissions,
    file_size_bytes: int,
    size_asked: bool = False,
    host: Host | None = None,
) -> tuple[Target, ...]:
    """Find the targets behind paths, and refuse what must not be measured; writes nothing.

    A directory, or a path where nothing is but whose directory exists, becomes a file that
    iodyno makes. An existing file or block device is used as it is.

    Parameters
    ----------
    paths
        Paths as the user gave them, one or more.
    writes
        Whether any profile writes. A device that is only read may be in use.
    permissions
        What the user allows.
    file_size_bytes
        Size of each file to be made, in bytes; rounded up to whole blocks of 4096.
    size_asked
        Whether the user asked for that size: files of another one are refused where none is to be made, and
        devices where there are no files.
    host
        Where the kernel's facts are read; this machine by default.

    Returns
    -------
    tuple of Target
        One for each path, in their order.

    Raises
    ------
    TargetError
        With every problem of every path.
    """
    assert file_size_bytes > 0, file_size_bytes
    request = Request(writes, permissions, whole_blocks(file_size_bytes), host or Host())
    results = [(str(path), *_find(str(path), request)) for path in paths]
    targets = tuple(target for _, target, _ in results if target)
    problems = [problem for _, _, found in results for problem in found]
    if not paths:
        problems.append(Problem("targets", "none is given", "name a directory, a file or a block device"))
    problems += _doubles(targets, request.host)
    problems += space_problems(tuple({target.path: target for target in targets}.values()), request.host)
    if size_asked and not any(target.created for target in targets):
        problems += _other_sizes(targets, request.file_size_bytes)
    if problems:
        raise TargetError(*problems)
    return targets


def _other_sizes(targets: Sequence[Target], wanted_bytes: int) -> Iterator[Problem]:
    for target in targets:
        if target.kind == "file" and whole_blocks(target.size_bytes) != wanted_bytes:
            there, wanted = _told_apart(target.size_bytes, wanted_bytes)
            what = f"is a file of {there}, which would be measured as it is, and --size asks for {wanted}"
            hint = f"leave out --size, or {ANOTHER}{'; or remove the file' if target.ours else ''}"
            yield Problem(target.path, what, hint)
    if not any(target.kind == "file" for target in targets):
        yield from _sizes_of_devices(targets, wanted_bytes)


def _sizes_of_devices(targets: Sequence[Target], wanted_bytes: int) -> Iterator[Problem]:
    """Refuse a size that nothing has: it is for files, of which there are none."""
    for target in targets:
        if whole_blocks(target.size_bytes) != wanted_bytes:
            there, wanted = _told_apart(target.size_bytes, wanted_bytes)
            what = f"is a block device of {there}, and --size, which is for files, asks for {wanted}"
            hint = "leave out --size"
            if wanted_bytes < target.size_bytes:
                hint += f", or give --area {short_size(wanted_bytes)} for a part of the device"
            yield Problem(target.asked, what, hint)


def _told_apart(size_bytes: int, wanted_bytes: int) -> tuple[str, str]:
    """Write two sizes that differ so that they do not read alike.

    Examples
    --------
    >>> _told_apart(1 << 16, 1 << 23), _told_apart((1 << 23) + 2, 1 << 23)
    (('64k', '8M'), ('8,388,610 bytes', '8,388,608 bytes'))
    """
    if abs(size_bytes - wanted_bytes) < _ALIKE * wanted_bytes:
        return f"{size_bytes:,} bytes", f"{wanted_bytes:,} bytes"
    return short_size(size_bytes), short_size(wanted_bytes)


def whole_blocks(size_bytes: int) -> int:
    """Round a size up so that direct I/O reaches the end of the file.

    Examples
    --------
    >>> whole_blocks(1_000_001)
    1003520
    """
    return -(-size_bytes // _BLOCK_BYTES) * _BLOCK_BYTES


def recheck(
    targets: Sequence[Target],
    *,
    permissions: Permissions,
    writes: bool | None = None,
    host: Host | None = None,
) -> None:
    """Run the guards again: right before the first write, and when a run is resumed.

    Each path must still lead to what was found: the same kind, size and serial number. The
    number of a device may differ, as it may after a restart.

    Parameters
    ----------
    targets
        What :func:`find_targets` or :func:`create_file` gave.
    permissions
        What the user allows.
    writes
        Whether any profile writes; none asks each target, so that a device that is only
        read may stand beside a file that is written first.

    Raises
    ------
    TargetError
        With every problem of every target.
    """
    base = Request(False, permissions, 0, host or Host())
    problems: list[Problem] = []
    now: list[Target] = []
    for target in targets:
        guarded = target.writes if writes is None else writes
        request = replace(base, writes=guarded, known=target, file_size_bytes=target.size_bytes)
        found, wrong = _find(target.path, request)
        problems += [replace(problem, where=target.asked) for problem in wrong]
        if found:
            now.append(found)
            problems += _changes(target, found)
    problems += _doubles(now, base.host)
    problems += space_problems(now, base.host)
    if problems:
        raise TargetError(*problems)


def _changes(before: Target, now: Target) -> Iterator[Problem]:
    if now.created and not before.created:
        yield Problem(before.asked, "has gone since it was found", "start a new run")
        return
    if before.created and not now.ours:
        yield Problem(before.asked, "is now a file of another maker", "name another path")
        return
    for name in ("kind", "size_bytes", "serial", "wwn"):
        old, new = getattr(before, name), getattr(now, name)
        if old != new:
            what = f"is not what it was: its {name.replace('_', ' ')} was {old} and is {new}"
            yield Problem(before.asked, what, "start a new run")


def _find(asked: str, request: Request) -> Found:
    try:
        path = _resolve(asked)
        if not (_is_text(asked) and _is_text(str(path))):
            return None, [_not_text(path)]
        return _find_at(asked, path, request)
    except _NotFound as error:
        return None, [Problem(asked or '""', str(error), error.hint)]
    except (OSError, ValueError, RuntimeError) as error:
        reason = error.strerror if isinstance(error, OSError) else str(error)
        return None, [Problem(asked, f"cannot be looked at: {reason}", "check the path and its permissions")]


def _is_text(path: str) -> bool:
    try:
        path.encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True


def _not_text(path: Path) -> Problem:
    """Refuse a name that could not be kept: readings are kept as text."""
    shown = os.fsencode(path).decode("utf-8", "backslashreplace")
    return Problem(shown, "has a name that is not UTF-8", "rename it, or name another path")


class _NotFound(Exception):  # noqa: N818 (never leaves this module)
    """A path that leads nowhere."""

    def __init__(self, what: str, hint: str) -> None:
        super().__init__(what)
        self.hint = hint


def _resolve(asked: str) -> Path:
    if not asked:
        raise _NotFound("is an empty path", "name a directory, a file or a block device")
    path = Path(asked)
    if path.is_symlink() and not path.exists():
        device = path.absolute().is_relative_to("/dev")
        hint = "lsblk lists the devices" if device else "make what it leads to, or name another path"
        raise _NotFound(f"is a link to {os.readlink(asked)}, where nothing is", hint)  # noqa: PTH115
    return path.resolve()


def _find_at(asked: str, path: Path, request: Request) -> Found:
    try:
        mode = path.stat().st_mode
    except FileNotFoundError:
        return find_new_file(asked, path, request)
    if stat.S_ISDIR(mode):
        return _find_in_directory(asked, path, request)
    if stat.S_ISREG(mode):
        return find_file(asked, path, request)
    if stat.S_ISBLK(mode):
        number = request.host.number_of(path) or ""
        sample = request.known is None
        return find_device(
            asked, str(path), number, request.writes, request.permissions, request.host, sample
        )
    return None, [Problem(asked, f"is {no_target(mode)}", "name a directory, a file or a block device")]


def _find_in_directory(asked: str, directory: Path, request: Request) -> Found:
    path = directory / FILE_NAME
    if path.is_symlink() or path.is_dir():
        return None, [Problem(asked, f"holds a {FILE_NAME} that is no file", "name a file in it")]
    target, problems = _find_at(asked, path, request)
    if not path.exists():
        return target, problems
    return target, [_of_the_file(problem, asked) for problem in problems]


def _of_the_file(problem: Problem, asked: str) -> Problem:
    """Name the file in a directory that was named: it is what could be lost."""
    return Problem(str(Path(asked) / FILE_NAME), problem.what, problem.hint.replace(INSTEAD, ANOTHER))


def _doubles(targets: Sequence[Target], host: Host) -> Iterator[Problem]:
    """Find targets given twice, by whatever names, and targets that are a part of another one."""
    loops = read_loops(host)
    seen: list[tuple[Target, Extent]] = []
    for target in targets:
        lies_on = _extent(target, host, loops)
        for first, other in seen:
            if lies_on.overlaps(other):
                yield _double(target, lies_on, first, other)
                break
        else:
            seen.append((target, lies_on))


def _double(target: Target, lies_on: Extent, first: Target, other: Extent) -> Problem:
    if lies_on == other:
        return Problem(target.asked, f"is the same as {first.asked}", "name each target once")
    if other.holds(lies_on):
        return Problem(target.asked, f"is part of {first.asked}, which is a target too", "name one of them")
    if lies_on.holds(other):
        return Problem(first.asked, f"is part of {target.asked}, which is a target too", "name one of them")
    return Problem(target.asked, f"overlaps {first.asked}, which is a target too", "name one of them")


def _extent(target: Target, host: Host, loops: Loops) -> Extent:
    """Find where what a target holds lies; a file that is still to be made is known by its name."""
    device = host.device(host.number_of(target.path) or "") if target.kind == "device" else None
    if device:
        return extent_of(device, host, loops)
    return Extent(target.file_id or target.path, 0, target.size_bytes)
