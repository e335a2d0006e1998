"""A guest that runs: asking it for commands, and its machine for what only the machine knows."""

from __future__ import annotations

import json
import os
import re
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import astuple, dataclass
from pathlib import Path
from typing import Any

import iodyno
from vm.kernel import NoGuestError, find_kernel, make_image, make_initramfs
from vm.machine import qemu_command

BOOT_LIMITS_S = (100, 300)
"""A guest that is not there by then is tried again: one may hang while it boots on a busy machine. If
the last is late too, there is none: the machine is too slow for it."""
CALL_LIMIT_S = 600
"""A call that takes longer hangs: the test fails."""
HERE = Path(__file__).parent
STORE = "/run/runs.db"
SECTOR = 512
_COUNTERS = (
    "rd_operations",
    "wr_operations",
    "wr_bytes",
    "unmap_operations",
    "unmap_bytes",
    "flush_operations",
)
SHARE = "/mnt"
"""Where the guest sees the folder that it shares with the tests."""


@dataclass(frozen=True)
class Said:
    """What a command printed in the guest, and how it ended."""

    code: int
    out: str
    err: str


@dataclass(frozen=True)
class Stat:
    """Counters of a block device (the kernel's Documentation/block/stat.rst)."""

    reads: int
    read_bytes: int
    writes: int
    written_bytes: int
    trims: int
    trimmed_bytes: int

    def __sub__(self, other: Stat) -> Stat:
        return Stat(*(mine - others for mine, others in zip(astuple(self), astuple(other), strict=True)))


class Channel:
    """Lines of JSON over a socket of QEMU's."""

    def __init__(self, path: Path, process: subprocess.Popen[bytes], end: float) -> None:
        self._socket = socket.socket(socket.AF_UNIX)
        while True:
            try:
                self._socket.connect(str(path))
                break
            except OSError as error:
                if process.poll() is not None:
                    raise ConnectionError("QEMU ended at once") from error
                if time.monotonic() > end:
                    raise TimeoutError("QEMU does not answer") from error
                time.sleep(0.05)
        self._file = self._socket.makefile("rb")

    def send(self, message: dict[str, Any]) -> None:
        """Send a message."""
        self._socket.sendall(json.dumps(message).encode() + b"\n")

    def receive(self, limit_s: float) -> dict[str, Any]:
        """Wait for a message.

        Raises
        ------
        TimeoutError
            If none comes in time.
        ConnectionError
            If QEMU has ended.
        """
        self._socket.settimeout(limit_s)
        line = self._file.readline()
        if not line:
            raise ConnectionError("the guest has gone")
        return dict(json.loads(line))


STUDY = """
schema = 1
name = "vm"
title = "A guest"
[measurement]
warmup_s = 0.1
floor_s = {seconds}
cap_s = {seconds}
[[profile]]
name = "load"
random_share = {random_share}
{profile}
[[sweep]]
name = "load"
profiles = ["load"]
workers = 1
outstanding = {outstanding}
"""


class LateGuestError(NoGuestError):
    """A guest that did not come up in time."""


class Guest:
    """A guest with NVMe drives, in which the program under test runs.

    Parameters
    ----------
    folder
        Where its drives, its console and its sockets are; emptied by :meth:`close`.
    limit_s
        How long it may take to come up.

    Raises
    ------
    LateGuestError
        Where it does not come up in time.
    NoGuestError
        Where there cannot be one: something is not installed.
    """

    def __init__(self, folder: Path, limit_s: float) -> None:
        if not shutil.which("qemu-system-x86_64"):
            raise NoGuestError("qemu-system-x86_64 is not there")
        self.folder = folder
        self.share = folder / "share"
        self.share.mkdir(parents=True)
        kernel = find_kernel()
        archive = make_initramfs(kernel, _init(), folder)
        with (folder / "qemu.log").open("wb") as log:
            command = qemu_command(make_image(kernel, folder), archive, folder)
            self._process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=log, stderr=log)
        try:
            self._connect(limit_s)
        except BaseException:
            self.close()
            raise

    def _connect(self, limit_s: float) -> None:
        end = time.monotonic() + limit_s
        try:
            self._machine = Channel(self.folder / "qmp", self._process, end)
            self._machine.receive(limit_s)
            self.machine("qmp_capabilities")
            self._agent = Channel(self.folder / "agent", self._process, end)
            self._agent.receive(max(1.0, end - time.monotonic()))
        except TimeoutError as error:
            raise LateGuestError(f"the guest did not come up in {limit_s} s\n{self.console()}") from error
        except OSError as error:
            raise AssertionError(f"the guest ended: {error}\n{self.console()}") from error

    def console(self) -> str:
        """Give the last of what the guest's kernel and QEMU have said."""
        paths = (self.folder / "console", self.folder / "qemu.log")
        return "\n".join(path.read_text("utf-8", "replace")[-3000:] for path in paths if path.exists())

    def close(self) -> None:
        """End the guest and remove what it stood on."""
        self._process.kill()
        self._process.wait()
        shutil.rmtree(self.folder)

    def iodyno(self, *words: object, may_fail: bool = False) -> Said:
        """Run the program under test."""
        return self._ask("iodyno", words, may_fail, {"IODYNO_STORE": STORE})

    def measure(self, target: str, profile: str, *words: object, **axes: object) -> dict[str, Any]:
        """Measure a point, and give its result.

        Parameters
        ----------
        target
            Device.
        profile
            Lines of the profile.
        words
            More of the command line.
        axes
            ``outstanding``, ``seconds`` and ``random_share``.
        """
        said = self._measure(target, profile, words, may_fail=False, **axes)
        events = [json.loads(line) for line in said.out.splitlines()]
        (result,) = [event["result"] for event in events if event["event"] == "point_finished"]
        return dict(result)

    def try_to_measure(self, target: str, profile: str, *words: object, **axes: object) -> Said:
        """Measure what may be refused or fail; like :meth:`measure`."""
        return self._measure(target, profile, words, may_fail=True, **axes)

    def _measure(
        self, target: str, profile: str, words: Sequence[object], may_fail: bool, **axes: object
    ) -> Said:
        study = self.share / "study.toml"
        study.write_text(
            STUDY.format(profile=profile, **{"outstanding": 4, "seconds": 0.4, "random_share": 1.0, **axes})
        )
        return self.iodyno(
            "measure", target, "--study", f"{SHARE}/study.toml", "--json", *words, may_fail=may_fail
        )

    def sh(self, script: str, may_fail: bool = False) -> str:
        """Run a shell script, and give what it prints."""
        return self._ask("shell", ("/bin/sh", "-euc", script), may_fail, {}).out

    def python(self, source: str) -> Any:
        """Run Python in the guest, the program under test at hand, and give the JSON that it prints."""
        return json.loads(self._ask("python", (source,), False, {}).out)

    def _ask(self, kind: str, words: tuple[object, ...], may_fail: bool, environment: dict[str, str]) -> Said:
        began, worked = time.monotonic(), self._processor_s()
        self._agent.send({"kind": kind, "words": [str(word) for word in words], "environment": environment})
        try:
            said = Said(**self._agent.receive(CALL_LIMIT_S))
        except (OSError, ValueError) as error:
            raise AssertionError(f"{words}: {error}\n{self.console()}") from error
        took = f"{time.monotonic() - began:.1f} s, {self._processor_s() - worked:.1f} s of processors"
        print(f"{' '.join(map(str, words))[:100]}: {said.code}, {took}")  # noqa: T201 - a failing test tells it
        assert may_fail or said.code == 0, f"{words}: {said.code}\n{said.out[-3000:]}\n{said.err[-3000:]}"
        return said

    def _processor_s(self) -> float:
        """Tell how much processor time QEMU has taken, in seconds."""
        fields = Path(f"/proc/{self._process.pid}/stat").read_text().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def machine(self, command: str, **arguments: Any) -> Any:
        """Ask QEMU (its machine protocol, QMP)."""
        self._machine.send({"execute": command, "arguments": arguments})
        while True:
            message = self._machine.receive(CALL_LIMIT_S)
            if "error" in message:
                raise AssertionError(f"{command}: {message['error']}")
            if "return" in message:
                return message["return"]

    def read(self, *patterns: str) -> dict[str, str]:
        """Read files of the guest's kernel, by path; bytes as letters."""
        return dict(json.loads(self._ask("read", patterns, False, {}).out))

    def word(self, path: str) -> str:
        """Read one file of the guest's kernel."""
        (text,) = self.read(path).values()
        return text.strip()

    def device(self, serial: str) -> str:
        """Give the guest's name of a drive's first namespace, from sysfs: ``nvme2n1``."""
        return self.devices(serial)[0]

    def devices(self, serial: str) -> list[str]:
        """Give the guest's names of a drive's namespaces."""
        serials = self.read("/sys/block/nvme*n*/device/serial")
        names = [path.split("/")[3] for path, text in serials.items() if text.strip() == serial]
        return [name for name in names if "c" not in name]

    def run(self) -> dict[str, Any]:
        """Give the latest run."""
        return dict(json.loads(self.iodyno("show", "--json").out))

    def stat(self, device: str) -> Stat:
        """Give a device's counters."""
        fields = [int(field) for field in self.word(f"/sys/block/{device}/stat").split()]
        return Stat(
            fields[0], fields[2] * SECTOR, fields[4], fields[6] * SECTOR, fields[11], fields[13] * SECTOR
        )

    def interrupts(self, controller: str) -> list[int]:
        """Count the interrupts of a controller's queues for I/O since boot, by processor."""
        lines = self.word("/proc/interrupts").splitlines()
        processors = len(lines[0].split())
        queues = [line.split() for line in lines if re.search(rf"\b{controller}q[1-9]\d*$", line.strip())]
        return [sum(int(words[1 + cpu]) for words in queues) for cpu in range(processors)]

    def medium(self, serial: str, number: int = 1) -> Path:
        """Give the file of the host that a drive of the guest writes to."""
        return self.folder / f"{serial}-{number}"

    def at_device(self, serial: str, number: int = 1) -> dict[str, int]:
        """Give the counters of a drive's own side: what QEMU has done for it."""
        for found in self.machine("query-blockstats"):
            if found["device"] == f"disk-{serial}-{number}":
                return {name: int(found["stats"][name]) for name in _COUNTERS}
        raise AssertionError(f"QEMU has no drive {serial}")


def punches_holes(folder: Path) -> bool:
    """Tell whether blocks of files can be given back in a folder: what a drive's trims become."""
    path = folder / "hole"
    path.write_bytes(b"\xa5" * 8192)
    punched = subprocess.run(["fallocate", "--punch-hole", "--length", "4096", str(path)], check=False)
    path.unlink()
    return punched.returncode == 0


def _init() -> str:
    """Give the guest's first script, with the Python that runs the tests."""
    root = Path(iodyno.__file__).parents[1]
    values = {"PACKAGES": root, "PYTHON": sys.executable, "AGENT": HERE / "inside.py"}
    text = (HERE / "init.sh").read_text()
    for name, value in values.items():
        text = text.replace(f"@{name}@", str(value))
    return text
