"""A machine of made-up trees in sysfs and proc, for the guards of targets."""

from __future__ import annotations

from pathlib import Path

from iodyno.targets.busy import why_busy
from iodyno.targets.host import BlockDevice, Host
from iodyno.targets.signature import Signature

ROOT_MOUNT = "22 1 259:1 / / rw,relatime shared:1 - ext4 /dev/nvme0n1p1 rw,errors=remount-ro\n"


class Machine:
    """A made-up machine: sda (two partitions), sdb, nvme0n1 with the root file system."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.files: dict[str, str] = {}
        self.behind: dict[str, str] = {}
        """What the kernel says is behind loop devices, by their numbers."""
        self.write("proc/self/mountinfo", ROOT_MOUNT)
        self.write("proc/swaps", "Filename\tType\tSize\tUsed\tPriority\n")
        self.disk("sda", "8:0", 1000)
        self.part("sda", "sda1", "8:1", 8, 400)
        self.part("sda", "sda2", "8:2", 408, 400)
        self.disk("sdb", "8:16", 1000)
        self.disk("nvme0n1", "259:0", 1000)
        self.part("nvme0n1", "nvme0n1p1", "259:1", 8, 900)

    def write(self, path: str, text: str) -> None:
        target = self.root / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text)

    def _link(self, name: str, number: str, folder: str) -> None:
        for link in (f"sys/class/block/{name}", f"sys/dev/block/{number}"):
            path = self.root / link
            path.parent.mkdir(parents=True, exist_ok=True)
            path.symlink_to(self.root / folder)
        self.write(f"{folder}/dev", number + "\n")
        (self.root / folder / "holders").mkdir()

    def disk(self, name: str, number: str, sectors: int) -> None:
        self.write(f"sys/devices/block/{name}/size", str(sectors))
        self._link(name, number, f"sys/devices/block/{name}")

    def part(self, disk: str, name: str, number: str, start: int, sectors: int) -> None:
        folder = f"sys/devices/block/{disk}/{name}"
        for key, value in (("partition", 1), ("start", start), ("size", sectors)):
            self.write(f"{folder}/{key}", str(value))
        self._link(name, number, folder)

    def hold(self, holder: str, *members: str) -> None:
        for member in members:
            folder = (self.root / "sys/class/block" / member).resolve()
            (folder / "holders" / holder).symlink_to(self.root / "sys/class/block" / holder)

    def mount(self, number: str, source: str, point: str, kind: str = "ext4") -> None:
        path = self.root / "proc/self/mountinfo"
        path.write_text(path.read_text() + f"40 22 {number} / {point} rw - {kind} {source} rw\n")

    def swap(self, path: str, kind: str = "partition") -> None:
        table = self.root / "proc/swaps"
        table.write_text(table.read_text() + f"{path}\t{kind}\t100\t0\t-2\n")

    def number_of(self, path: str | Path) -> str | None:
        if not str(path).startswith("/dev/"):
            return None
        entry = self.root / "sys/class/block" / Path(path).name / "dev"
        return entry.read_text().strip() if entry.exists() else None

    @property
    def host(self) -> Host:
        return Host(
            proc=self.root / "proc", sys=self.root / "sys", run=self.root / "run", etc=self.root / "etc",
            number_of=self.number_of, exclusive_failure=lambda path: None,
            signature=lambda path: Signature(), behind_loop=lambda node, number: self.behind.get(number),
        )  # fmt: skip

    def device(self, name: str) -> BlockDevice:
        found = self.host.named(name)
        assert found
        return found

    def busy(self, name: str) -> str:
        return "; ".join(why_busy(self.device(name), self.host))
