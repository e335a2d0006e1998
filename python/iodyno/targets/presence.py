"""Whether a name still leads to the target that was found: before each point, and after one that failed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from iodyno.errors import Problem, TargetError
from iodyno.targets.busy import why_busy
from iodyno.targets.host import Host, file_id
from iodyno.targets.record import Target

_HINT = "look what happened to it before the run goes on"
_FREE_IT = "unmount it, or take it out of what uses it, before the run goes on"


def check_present(targets: Sequence[Target], host: Host | None = None) -> None:
    """Refuse targets whose names lead to something else by now, before anything is written there.

    Of a file the inode must be the same, and it must not have become smaller: beyond its end there is nothing
    to read. Of a device it must be the size, and the number that the kernel gives to each medium and
    attachment (``diskseq``, since Linux 5.15): a drive or loop device that was detached and another one that
    got its name are told apart. One that is written must not have been mounted meanwhile, or taken into use
    otherwise.

    Parameters
    ----------
    targets
        Targets as they were found or made.
    host
        Where the kernel's facts are read; this machine by default.

    Raises
    ------
    TargetError
        With every target that has gone, was exchanged or cut short, or is in use by others now.
    """
    host = host or Host()
    looks = (_changes, _cuts, _uses)
    problems = [problem for target in targets for look in looks for problem in look(target, host)]
    if problems:
        raise TargetError(*problems)


def gone(targets: Sequence[Target], host: Host | None = None) -> tuple[str, ...]:
    """Name the targets that have gone or were exchanged, as they were asked for; in a folder the file."""
    host = host or Host()
    return tuple(_name(target) for target in targets if any(_changes(target, host)))


def _name(target: Target) -> str:
    """Name a target as it was asked for; where that is a folder, the file in it."""
    asked = Path(target.asked)
    return str(asked / Path(target.path).name) if asked.is_dir() else target.asked


def _changes(target: Target, host: Host) -> Iterator[Problem]:
    yield from (_file_changes if target.kind == "file" else _device_changes)(target, host)


def _file_changes(target: Target, host: Host) -> Iterator[Problem]:  # noqa: ARG001 - as for a device
    try:
        found = Path(target.path).stat()
    except OSError as error:
        yield Problem(_name(target), f"has gone since it was found: {error.strerror}", _HINT)
        return
    if target.file_id is not None and target.file_id != file_id(found):
        yield Problem(_name(target), "is not the file that it was: another one has its name now", _HINT)


def _cuts(target: Target, host: Host) -> Iterator[Problem]:  # noqa: ARG001 - as for a change
    if target.kind != "file":
        return
    try:
        size_bytes = Path(target.path).stat().st_size
    except OSError:
        return  # that it has gone is told as a change
    if size_bytes < target.size_bytes:
        what = f"it had {target.size_bytes} bytes, and has {size_bytes} now"
        yield Problem(_name(target), f"is smaller than it was: {what}", _HINT)


def _uses(target: Target, host: Host) -> Iterator[Problem]:
    device = host.device(host.number_of(target.path) or "") if target.writes else None
    busy = why_busy(device, host) if device and target.kind == "device" else ()
    if busy:
        yield Problem(_name(target), f"is in use and will not be written: {'; '.join(busy)}", _FREE_IT)


def _device_changes(target: Target, host: Host) -> Iterator[Problem]:
    device = host.device(host.number_of(target.path) or "")
    if device is None:
        yield Problem(_name(target), "has gone since it was found: no device has its name now", _HINT)
    elif device.size_bytes != target.size_bytes:
        what = f"it had {target.size_bytes} bytes, and has {device.size_bytes} now"
        yield Problem(_name(target), f"is not the device that it was: {what}", _HINT)
    elif target.disk_sequence and device.disk.read("diskseq") != target.disk_sequence:
        what = "it was detached, and another one has its name now"
        yield Problem(_name(target), f"is not the device that it was: {what}", _HINT)
