"""The way to the machine: files under /proc and /sys, and commands; each can be replaced in a test."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

ABSENT = "not present on this machine"
NEEDS_ROOT = "needs root"
UNREADABLE = "could not be read"
LEFT_OUT = "left out on request"
NOT_TOLD = "not told by the imported result"
_TOOLS = ("smartctl", "nvme", "dmidecode", "systemd-detect-virt")

MISSING_REASONS = (
    ABSENT, NEEDS_ROOT, UNREADABLE, LEFT_OUT, NOT_TOLD,
    *(f"{tool} is not installed" for tool in _TOOLS),
    *(f"{tool} gave no answer" for tool in _TOOLS),
)  # fmt: skip
"""Every reason that a fact can be missing for, in English, for the message catalogue."""

COMMAND_TIMEOUT_S = 5.0
"""A drive that does not answer its SMART log in this time is left alone."""


class Missing(Exception):  # noqa: N818 - no error: it is a normal answer
    """Something that could not be read; never leaves this package.

    Parameters
    ----------
    reason
        One of :data:`MISSING_REASONS`.
    """

    def __init__(self, reason: str = ABSENT) -> None:
        self.reason = reason
        super().__init__(reason)


def run_command(command: Sequence[str]) -> str:
    """Run a command and give its standard output, whatever its exit status.

    smartctl and systemd-detect-virt answer with a status other than 0 as well.

    Raises
    ------
    Missing
        If it cannot be started or does not end in time.
    """
    try:
        done = subprocess.run(
            command, capture_output=True, text=True, errors="replace", stdin=subprocess.DEVNULL,
            timeout=COMMAND_TIMEOUT_S, check=False, env={**os.environ, "LC_ALL": "C"},
        )  # fmt: skip
    except (OSError, subprocess.TimeoutExpired) as error:
        raise Missing(UNREADABLE) from error
    return done.stdout


def find_tool(name: str) -> str | None:
    """Find a command, in the folders of the administrator too."""
    return shutil.which(name, path=os.environ.get("PATH", "") + ":/usr/local/sbin:/usr/sbin:/sbin")


@dataclass(frozen=True)
class Host:
    """Where to look; the defaults are this machine."""

    proc: Path = Path("/proc")
    sys: Path = Path("/sys")
    dev: Path = Path("/dev")
    etc: Path = Path("/etc")
    run: Callable[[Sequence[str]], str] = run_command
    find: Callable[[str], str | None] = find_tool
    root: bool = field(default_factory=lambda: os.geteuid() == 0)

    def bytes(self, path: Path) -> bytes:
        """Read a file.

        Raises
        ------
        Missing
            If it is not there, not for this user, or not readable for another reason.
        """
        try:
            return path.read_bytes()
        except PermissionError as error:
            raise Missing(UNREADABLE if self.root else NEEDS_ROOT) from error
        except (FileNotFoundError, NotADirectoryError) as error:
            raise Missing(ABSENT) from error
        except OSError as error:
            raise Missing(UNREADABLE) from error

    def text(self, path: Path) -> str:
        """Read a file as text without the white space around it; empty counts as absent."""
        text = self.bytes(path).decode(errors="replace").replace("\0", " ").strip()
        if not text:
            raise Missing(ABSENT)
        return text

    def number(self, path: Path) -> int:
        """Read a file that holds a whole number."""
        try:
            return int(self.text(path))
        except ValueError as error:
            raise Missing(UNREADABLE) from error

    def flag(self, path: Path) -> bool:
        """Read a file that holds 0 or 1."""
        return self.number(path) != 0

    def ask(self, tool: str, *arguments: str) -> str:
        """Run a tool where it is installed and give what it prints.

        Raises
        ------
        Missing
            If it is not installed or prints nothing.
        """
        found = self.find(tool)
        if not found:
            raise Missing(f"{tool} is not installed")
        answer = self.run([found, *arguments]).strip()
        if not answer:
            raise Missing(f"{tool} gave no answer")
        return answer


def children(folder: Path, pattern: str = "*") -> list[Path]:
    """List what a folder holds, numbers in order; nothing where it is not there."""
    try:
        found = [path for path in folder.iterdir() if path.match(pattern)]
    except OSError:
        return []
    return sorted(found, key=_natural)


def _natural(path: Path) -> list[tuple[int, str]]:
    return [(int(part), "") if part.isdigit() else (-1, part) for part in re.split(r"(\d+)", path.name)]
