"""Files as targets: iodyno's own, those of others, and those still to be made."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from iodyno.errors import Problem
from iodyno.targets.abilities import abilities
from iodyno.targets.claim import CHANGED, CHANGED_HINT, IN_USE, WAIT, is_claimed, is_closed
from iodyno.targets.contents import check_contents
from iodyno.targets.direct import DirectIO, direct_in_directory, direct_of_existing
from iodyno.targets.host import Host, file_id, reading_failure
from iodyno.targets.mark import Mark, other_owner, read_mark
from iodyno.targets.own import is_untouched
from iodyno.targets.record import ContentsState, Permissions, Target
from iodyno.targets.storage import extent_of, read_loops, unseen_over_file

_BUFFERED = "add --buffered to measure through the caches of the operating system; the verdict will say so"
INSTEAD, ANOTHER = "name a directory instead", "name another directory"
_OWN_FILE = f"{INSTEAD}: iodyno makes a file of its own there"


@dataclass(frozen=True)
class Request:
    """What is asked of each target."""

    writes: bool
    permissions: Permissions
    file_size_bytes: int
    host: Host
    known: Target | None = None
    """The target as it was found before; its contents are not read again."""


def find_new_file(asked: str, path: Path, request: Request) -> tuple[Target | None, list[Problem]]:
    """Look at the place of a file that is to be made; writes nothing that has a name."""
    parent = path.parent
    if _among_devices(parent):
        what = "is missing: there is no such device"
        if Path(asked).is_dir():
            what = "is a folder of devices: no file is made there"
        return None, [Problem(asked, what, "lsblk lists the devices")]
    if not parent.is_dir():
        return None, [Problem(asked, f"is missing, and so is its directory {parent}", "make the directory")]
    if os.statvfs(parent).f_flag & os.ST_RDONLY:
        return None, [
            Problem(asked, f"cannot be made: {parent} is mounted read-only", "name another directory")
        ]
    if not os.access(parent, os.W_OK | os.X_OK):
        return None, [Problem(asked, f"cannot be made: {parent} is not writable", "name another directory")]
    try:
        direct = direct_in_directory(parent)
    except OSError as error:
        reason = f"cannot be made in {parent}: {error.strerror}"
        return None, [Problem(asked, reason, "name another directory")]
    target = _target(
        asked, path, parent.stat(), direct, request.host,
        size_bytes=request.file_size_bytes, created=True, ours=True, writes=True, contents="to_be_written",
    )  # fmt: skip
    return target, list(_direct_problems(asked, direct, request.permissions))


def _among_devices(folder: Path) -> bool:
    """Tell whether a folder, there or missing, is one of the file system of /dev; /dev/shm is memory."""
    devices = Path("/dev")
    if not folder.is_relative_to(devices) or folder.is_relative_to(devices / "shm"):
        return False
    while not folder.exists():
        folder = folder.parent
    return folder.stat().st_dev == devices.stat().st_dev


def find_file(asked: str, path: Path, request: Request) -> tuple[Target | None, list[Problem]]:
    """Look at an existing regular file; writes nothing."""
    found = path.stat()
    mark = read_mark(path)
    in_use = mark is not None and bool(other_owner(mark, request.host.proc))
    in_this_run = _made_in_this_run(found, request.known)
    marked = mark is not None and (in_use or in_this_run or is_untouched(path, mark))
    temporary = (marked and mark is not None and not mark.kept) or in_this_run
    ours = marked or temporary
    size_bytes = request.file_size_bytes if temporary else found.st_size
    if not size_bytes:
        return None, [Problem(asked, "is empty", _OWN_FILE)]
    problems = list(_reading_problems(asked, path, mark, request.host))
    contents = _contents(path, found.st_size, size_bytes, request, skip=bool(problems))
    fills = contents == "to_be_written"
    if request.writes or (fills and (ours or request.permissions.write_existing)):
        problems += _writing_problems(asked, path, ours, mark, request)
    elif fills:
        problems.append(_not_written(asked, path, size_bytes))
    direct = direct_of_existing(str(path))
    problems += _direct_problems(asked, direct, request.permissions)
    target = _target(
        asked, path, found, direct, request.host, size_bytes=size_bytes, created=temporary, ours=ours,
        writes=request.writes or fills or temporary, contents=contents, file_id=file_id(found),
        allocated_bytes=found.st_blocks * 512,
    )  # fmt: skip
    return target, problems


def _made_in_this_run(found: os.stat_result, known: Target | None) -> bool:
    """Know a file again where the file system cannot carry the mark."""
    return known is not None and known.created and known.file_id == file_id(found)


def _reading_problems(asked: str, path: Path, mark: Mark | None, host: Host) -> Iterator[Problem]:
    if failure := reading_failure(path):
        yield Problem(asked, f"cannot be opened: {failure}", "change its permissions or the user")
    owner = other_owner(mark, host.proc) if mark else 0
    if owner:
        yield Problem(
            asked, f"is in use by another iodyno, process {owner}", "wait for it, or name another path"
        )
    elif is_claimed(path):
        yield Problem(asked, IN_USE, WAIT)


def _writing_problems(
    asked: str, path: Path, ours: bool, mark: Mark | None, request: Request
) -> Iterator[Problem]:
    if not ours and mark and not request.permissions.write_existing:
        yield Problem(asked, CHANGED, CHANGED_HINT)
    elif not ours and not request.permissions.write_existing:
        yield Problem(
            asked,
            "was not made by iodyno, and the profiles write: what it holds would be lost",
            f"{_OWN_FILE}; or add --write-existing",
        )
    if os.statvfs(path).f_flag & os.ST_RDONLY:
        yield Problem(asked, "is on a file system mounted read-only", "choose profiles that only read")
    elif not os.access(path, os.W_OK):
        yield Problem(asked, "may not be written by this user", "change its permissions or the user")
    for use in file_uses(path, request.host):
        yield Problem(asked, f"is in use and will not be written: {use}", "detach it; no flag overrides this")
    for doubt in _doubts(path, request.host):
        hint = f"run as root, who may ask what is behind a loop device; or {INSTEAD}"
        yield Problem(asked, f"may be in use and will not be written: {doubt}", hint)


def file_uses(path: Path, host: Host) -> Iterator[str]:
    """Say which loop devices and swap areas lie on a file."""
    number, loops = host.file_of(path), read_loops(host)
    for loop in loops.values():
        if extent_of(loop.device, host, loops).lies_on == number:
            yield f"it is behind the loop device {loop.device.name}"
    for swap in host.swaps():
        if host.file_of(swap.path) == number:
            yield "it is in use as swap"


def _doubts(path: Path, host: Host) -> Iterator[str]:
    """Say which loop devices may lie on a file that somebody has open: what is behind them cannot be told."""
    unseen = list(unseen_over_file(path.stat().st_size, read_loops(host)))
    if unseen and not is_closed(path):
        for loop in unseen:
            yield f"what is behind the loop device {loop.device.name} is out of sight here ({loop.path})"


def _contents(path: Path, found_bytes: int, size_bytes: int, request: Request, skip: bool) -> ContentsState:
    if request.known is not None:
        return request.known.contents
    if found_bytes != size_bytes:
        return "to_be_written"
    if skip:
        return "unknown"
    state = check_contents(str(path), 0, size_bytes).state
    return {"written": "written", "unknown": "unknown"}.get(state, "to_be_written")  # type: ignore[return-value]


def _not_written(asked: str, path: Path, size_bytes: int) -> Problem:
    contents = check_contents(str(path), 0, size_bytes)
    return Problem(
        asked,
        f"was never written in full ({contents}): reading it would not reach the disk",
        f"{_OWN_FILE}; or add --write-existing, and iodyno overwrites the whole file first",
    )


def _direct_problems(asked: str, direct: DirectIO, permissions: Permissions) -> Iterator[Problem]:
    if direct.possible is False and not permissions.buffered:
        yield Problem(asked, "lies on a file system without direct I/O", _BUFFERED)


def _target(
    asked: str, path: Path, found: os.stat_result, direct: DirectIO, host: Host, **facts: object
) -> Target:
    """Add what is known of the file system and the device behind a file."""
    number = f"{os.major(found.st_dev)}:{os.minor(found.st_dev)}"
    mount = host.mount_of(path, number)
    device = host.device(number) or (host.device_of_mount(mount) if mount else None)
    block = device.disk.read("queue/logical_block_size") if device else None
    return Target.model_validate({
        "path": str(path), "asked": asked, "kind": "file", "direct": direct.possible,
        "logical_block_bytes": direct.block_bytes or int(block or 512),
        "device": device.disk.name if device else None,
        "partition": device.name if device and device.is_partition else None,
        "file_system": mount.file_system if mount else None,
        "mount_options": mount.options if mount else "",
        **abilities(device, host),
        **facts,
    })  # fmt: skip
