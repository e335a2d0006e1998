"""What this machine can do: engines, direct I/O, rights, tools, limits."""

from __future__ import annotations

import errno
import os
import resource
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from iodyno.doctor.check import (
    KERNEL_BEST,
    KERNEL_FIRST,
    LOCKED_BYTES,
    OPEN_FILES,
    Check,
    bad,
    good,
    unknown,
    warning,
    why_missing,
)
from iodyno.doctor.place import Place
from iodyno.system import Host, System
from iodyno.targets.device import who_may_open
from iodyno.targets.direct import direct_in_directory, direct_of_existing
from iodyno.targets.host import read_text, reading_failure
from iodyno.units import MIB

_TOOLS = {
    "smartctl": ("smartmontools", "health, temperature and link of a drive are not read"),
    "nvme": ("nvme-cli", "of an NVMe drive it reads what smartctl does"),
    "dmidecode": ("dmidecode", "type and speed of the memory are not read"),
    "blkid": ("util-linux", "no device is written, as nothing tells whether it carries a file system"),
}
ALLOW_IO_URING = "sysctl kernel.io_uring_disabled=0"
_IO_URING_OFF = {1: "only for members of its group", 2: "for everyone"}


def soft_limit(which: int) -> int:
    """Give the soft limit of this process for a resource; -1 is none."""
    return resource.getrlimit(which)[0]


def direct_at(path: Path) -> bool | None:
    """Try direct I/O on a file or device, or on an unnamed file in a folder; none where it cannot be told."""
    try:
        found = direct_in_directory(path) if path.is_dir() else direct_of_existing(str(path))
    except OSError as error:
        return False if error.errno == errno.EINVAL else None
    return found.possible


def may_write(path: str) -> bool:
    """Tell whether this user may write to a device; it is not opened for that."""
    return os.access(path, os.W_OK)


@dataclass(frozen=True)
class Probe:
    """What is tried rather than read; replaced in tests."""

    limit: Callable[[int], int] = soft_limit
    direct: Callable[[Path], bool | None] = direct_at
    opened: Callable[[str], str | None] = reading_failure
    writable: Callable[[str], bool] = may_write


def engines(system: System, reasons: Mapping[str, str] | None) -> Iterator[Check]:
    """Tell which engines this machine can run: an empty reason stands for yes."""
    if reasons is None:
        yield _io_uring_allowed(system)
        return
    for name, reason in reasons.items():
        if not reason:
            yield good(f"engine_{name}", f"{name} is available")
        elif name == "io_uring":
            yield warning(
                "engine_io_uring", f"io_uring is not available: {reason}", _instead(system, reasons)
            )
        else:
            yield warning(f"engine_{name}", f"{name} is not available: {reason}")


def _instead(system: System, reasons: Mapping[str, str]) -> str:
    """Say what is used instead of io_uring, and what forbids it, as far as that can be told."""
    used = "threads that read and write are" if reasons.get("aio") else "the kernel's aio is"
    forbidden = "containers often forbid io_uring by their seccomp profile"
    if system.value("os", "io_uring_disabled"):
        forbidden = f"`{ALLOW_IO_URING}` allows it again"
    return f"{used} used instead; {forbidden}"


def _io_uring_allowed(system: System) -> Check:
    off = system.value("os", "io_uring_disabled")
    if not off:
        return unknown("engine_io_uring", "io_uring was not tried")
    what = f"io_uring is disabled {_IO_URING_OFF.get(int(off), '')}".rstrip()
    return warning("engine_io_uring", what, ALLOW_IO_URING)


def kernel(system: System) -> Iterator[Check]:
    """Tell whether the kernel is new enough for the fast ways."""
    release = system.value("os", "kernel")
    parts = str(release or "").replace("-", ".").split(".")
    if len(parts) < 2 or not (parts[0].isdigit() and parts[1].isdigit()):
        yield unknown("kernel", f"kernel release: {why_missing(system, 'os', 'kernel') or release}")
        return
    version = (int(parts[0]), int(parts[1]))
    if version < KERNEL_FIRST:
        yield warning(
            "kernel", f"kernel {release} is older than 5.11: io_uring waits less well", "use a newer kernel"
        )
    elif version < KERNEL_BEST:
        hint = "a kernel from 6.1 on lets each worker handle its own completions"
        yield good("kernel", f"kernel {release}; {hint}")
    else:
        yield good("kernel", f"kernel {release}")


def rights(host: Host) -> Iterator[Check]:
    """Tell whether root is had, and which tools are there."""
    if host.root:
        yield good("root", "running as root: everything can be read")
    else:
        hint = "run iodyno doctor with sudo once to see all; measuring a file needs no root"
        yield warning("root", "not running as root: SMART and memory modules are not read", hint)
    for tool, (package, lost) in _TOOLS.items():
        if host.find(tool):
            yield good(f"tool_{tool}", f"{tool} is installed")
        elif tool == "nvme" and host.find("smartctl"):
            yield good("tool_nvme", "nvme is not installed and not needed: smartctl reads the same")
        else:
            yield warning(
                f"tool_{tool}", f"{tool} is not installed: {lost}", f"install the package {package}"
            )


def process_limits(host: Host, probe: Probe) -> Iterator[Check]:
    """Tell whether the limits of a process leave room for registered buffers and many targets."""
    locked = probe.limit(resource.RLIMIT_MEMLOCK)
    if host.root or locked < 0 or locked >= LOCKED_BYTES:
        yield good("locked_memory", "memory for registered buffers is not limited")
    else:
        what = (
            f"at most {locked / MIB:g} MB of memory can be locked: registered buffers are left out above that"
        )
        yield warning("locked_memory", what, f"ulimit -l {LOCKED_BYTES // 1024}")
    files = probe.limit(resource.RLIMIT_NOFILE)
    if files < 0 or files >= OPEN_FILES:
        yield good("open_files", f"open files: {'no limit' if files < 0 else files}")
    else:
        yield warning("open_files", f"at most {files} open files", f"ulimit -n {OPEN_FILES}")


def direct_io(path: str, probe: Probe) -> Iterator[Check]:
    """Tell whether direct I/O is possible at a path."""
    possible = probe.direct(Path(path))
    if possible:
        yield good("direct_io", "direct I/O is possible", path)
    elif possible is None:
        yield unknown(
            "direct_io", "direct I/O could not be tried", "name a folder that you may write to", path
        )
    else:
        hint = "measure on another file system, or add --buffered and measure the caches too"
        yield bad("direct_io", "direct I/O is not possible", hint, path)


def device_access(place: Place, host: Host, probe: Probe) -> Iterator[Check]:
    """Tell whether a block device that is to be measured can be opened, and whether it can be written."""
    subject = place.partition or place.device or place.path
    if failure := probe.opened(place.path):
        yield bad("access", f"the device cannot be opened: {failure}", who_may_open(failure), subject)
    elif read_text(host.sys / "class/block" / subject / "ro") == "1":
        hint = "measure with profiles that only read, or make it writable"
        yield warning("access", "the device is read-only: profiles that write are refused", hint, subject)
    elif not probe.writable(place.path):
        what = "the device may not be written by this user: profiles that write are refused"
        yield warning("access", what, "run as root or join the group of the device", subject)
    else:
        yield good("access", "the device can be opened", subject)
