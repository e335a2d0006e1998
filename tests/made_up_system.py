"""Made-up trees of /proc and /sys, as real machines have them, for reading the system under test."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from iodyno.system import Host

ATA_WORDS = 256


@dataclass
class Place:
    """A target as far as the system looks at it."""

    path: str = "/data/iodyno.dat"
    kind: str = "file"
    device: str | None = None
    partition: str | None = None
    file_system: str | None = "ext4"
    mount_options: str = "rw,relatime"


@dataclass
class Tree:
    """A machine under a folder: files are written, devices are linked as sysfs links them."""

    root: Path
    answers: dict[str, str] = field(default_factory=dict)
    """What tools print, by name; a tool that is not here is not installed."""
    is_root: bool = True
    asked: list[list[str]] = field(default_factory=list)

    @property
    def host(self) -> Host:
        return Host(
            proc=self.root / "proc", sys=self.root / "sys", dev=self.root / "dev", etc=self.root / "etc",
            run=self._run, find=lambda name: name if name in self.answers else None, root=self.is_root,
        )  # fmt: skip

    def _run(self, command: Sequence[str]) -> str:
        self.asked.append(list(command))
        return self.answers[command[0]]

    def write(self, path: str, text: object) -> Path:
        """Write a file under the root, folders made as needed."""
        file = self.root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(f"{text}\n")
        return file

    def write_all(self, folder: str, values: Mapping[str, object]) -> None:
        for name, value in values.items():
            self.write(f"{folder}/{name}", value)

    def link(self, path: str, to: str) -> None:
        """Link a path to a folder; both under the root."""
        link = self.root / path
        link.parent.mkdir(parents=True, exist_ok=True)
        (self.root / to).mkdir(parents=True, exist_ok=True)
        link.symlink_to(self.root / to)

    def cpus(self, count: int = 4, *, governor: str = "powersave", driver: str = "intel_pstate") -> None:
        """Make a processor of one socket with two threads a core."""
        cpu = "sys/devices/system/cpu"
        for index in range(count):
            topology = {"physical_package_id": 0, "core_id": index // 2}
            self.write_all(f"{cpu}/cpu{index}/topology", topology)
            self.write_all(
                f"{cpu}/cpu{index}/cpufreq",
                {"scaling_governor": governor, "scaling_driver": driver, "base_frequency": 2_100_000,
                 "cpuinfo_max_freq": 3_900_000, "scaling_min_freq": 800_000, "scaling_max_freq": 3_900_000,
                 "energy_performance_preference": "balance_performance"},
            )  # fmt: skip
            states = (("POLL", 0, 0), ("C1", 2, 0), ("C6", 133, 0))
            for number, (name, latency, disable) in enumerate(states):
                values = {"name": name, "latency": latency, "disable": disable}
                self.write_all(f"{cpu}/cpu{index}/cpuidle/state{number}", values)
        self.write(f"{cpu}/intel_pstate/no_turbo", 0)
        self.write(f"{cpu}/smt/active", 1)
        self.write_all(f"{cpu}/cpuidle", {"current_driver": "intel_idle", "current_governor": "menu"})
        about = "model name\t: Made-up CPU @ 2.10GHz\nmicrocode\t: 0x2b\nflags\t\t: fpu tsc\n"
        self.write("proc/cpuinfo", "\n".join(f"processor\t: {index}\n{about}" for index in range(count)))

    def nvme(
        self, name: str = "nvme0n1", *, speed: str = "8.0 GT/s PCIe", width: int = 4, **queue: Any
    ) -> str:
        """Make an NVMe drive on PCIe 4.0 × 4, behind a port of the same; give its controller's folder."""
        port = "sys/devices/pci0000:00/0000:00:1d.0"
        card = f"{port}/0000:01:00.0"
        controller = f"{card}/nvme/{name[:-2]}"
        fast = {"max_link_speed": "16.0 GT/s PCIe", "max_link_width": 4}
        self.write_all(
            port, {**fast, "current_link_speed": speed, "current_link_width": width, "numa_node": 0}
        )
        self.write_all(
            card, {**fast, "current_link_speed": speed, "current_link_width": width, "numa_node": 1}
        )
        self.link(f"{card}/driver", "sys/bus/pci/drivers/nvme")
        identity = {"model": "Made-up NVMe 960GB   ", "serial": "S3RIAL-1", "firmware_rev": "EDA7"}
        self.write_all(controller, identity)
        self.block(f"{controller}/{name}", sectors=1_875_385_008, scheduler="[none] mq-deadline", **queue)
        self.link(f"{controller}/{name}/device", controller)
        return controller

    def hwmon(self, folder: str, **values: int) -> None:
        """Give a controller or drive a sensor; values in thousandths of a degree."""
        self.write_all(f"{folder}/hwmon3", values)

    def sata(self, name: str = "sda", *, speed: str = "3.0 Gbps", port: str = "6.0 Gbps") -> str:
        """Make a SATA drive of 6 Gbit/s on the first port of a controller; give its device folder."""
        card = "sys/devices/pci0000:00/0000:00:17.0"
        link = f"{card}/ata1/link1"
        device = f"{card}/ata1/host0/target0:0:0/0:0:0:0"
        self.link(f"{card}/driver", "sys/bus/pci/drivers/ahci")
        self.write_all(f"{link}/ata_link/link1", {"sata_spd": speed, "hw_sata_spd_limit": port})
        self.write(f"{link}/dev1.0/ata_device/dev1.0/id", identify())
        self.write_all(
            device, {"vendor": "ATA     ", "model": "Made-up SATA SSD", "rev": "1.0 ", "queue_depth": 32}
        )
        self.block(
            f"{device}/block/{name}", sectors=937_703_088, scheduler="none [mq-deadline]", nr_requests=64
        )
        self.link(f"{device}/block/{name}/device", device)
        self.link(f"{device}/driver", "sys/bus/scsi/drivers/sd")
        return device

    def block(self, folder: str, *, sectors: int, scheduler: str = "none", **queue: Any) -> None:
        """Make a block device with one queue, all its counters at 0."""
        name = folder.rsplit("/", 1)[1]
        values = {
            "scheduler": scheduler, "nr_requests": 1023, "rotational": 0, "logical_block_size": 512,
            "physical_block_size": 4096, "iostats": 1, "io_poll": 0, "write_cache": "write back",
            "read_ahead_kb": 128, "nomerges": 0, "rq_affinity": 1, "wbt_lat_usec": 2000, **queue,
        }  # fmt: skip
        self.write_all(f"{folder}/queue", values)
        self.write(f"{folder}/mq/0/nr_tags", values["nr_requests"])
        self.write(f"{folder}/size", sectors)
        self.link(f"sys/class/block/{name}", folder)
        self.stat(name)

    def partition(self, device: str, name: str) -> None:
        """Make a partition of a device."""
        folder = (self.root / "sys/class/block" / device).resolve().relative_to(self.root)
        self.write(f"{folder}/{name}/partition", 1)
        self.link(f"sys/class/block/{name}", f"{folder}/{name}")
        self.stat(name)

    def stat(self, name: str, *, reads: int = 0, read: int = 0, writes: int = 0, written: int = 0) -> None:
        """Set the counters of a device or partition: I/Os, and sectors of 512 bytes."""
        folder = (self.root / "sys/class/block" / name).resolve().relative_to(self.root)
        self.write(f"{folder}/stat", f"{reads} 7 {read} 9 {writes} 7 {written} 9 0 5 18 3 0 3 0 2 1")


def identify(*, generations: int = 0b1110) -> str:
    """Write the 256 words of an ATA drive as sysfs shows them: SATA 1 to 3, a serial, firmware, a model."""
    words = [0] * ATA_WORDS
    for begin, end, text in (
        (10, 20, "S3RIAL-2"),
        (23, 27, "FW-1.0.7"),
        (27, 47, "Made-up SATA SSD 480GB long"),
    ):
        padded = text.ljust(2 * (end - begin)).encode()
        words[begin:end] = [int.from_bytes(padded[i : i + 2], "big") for i in range(0, len(padded), 2)]
    words[76] = generations
    rows = (words[i : i + 8] for i in range(0, ATA_WORDS, 8))
    return "\n".join(" ".join(f"{word:04x}" for word in row) for row in rows)
