"""The guest's hardware: two NUMA nodes, and NVMe drives that differ in what iodyno has to tell apart."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

MIB = 1 << 20


@dataclass(frozen=True)
class Drive:
    """An NVMe drive of the guest.

    Attributes
    ----------
    serial
        Serial number: how tests name it, whatever name the guest gives it.
    bus
        Where it is plugged in: ``pcie.0``, built into the board, or a port of :data:`PORTS`.
    pairs
        Queue pairs that it offers. The driver keeps one for interrupts, so one leaves none to poll.
    namespaces
        How many it has.
    size_bytes
        Of each namespace.
    ways
        Controllers that lead to it: with two, the kernel hands on between them (multipath).
    block_bytes
        Logical block.
    """

    serial: str
    bus: str = "pcie.0"
    pairs: int = 8
    namespaces: int = 1
    size_bytes: int = 64 * MIB
    ways: int = 1
    block_bytes: int = 512


POLLED = Drive("POLLED1", bus="far-port", block_bytes=4096)
SINGLE = Drive("SINGLE1", bus="near-port", pairs=1)
DOOMED = Drive("DOOMED1", bus="lost-port", pairs=2)
MEMBERS = Drive("MEMBERS1", namespaces=4, size_bytes=32 * MIB)
SHARED = Drive("SHARED1", bus="far-port-{}", pairs=4, ways=2)
DRIVES = (POLLED, SINGLE, DOOMED, MEMBERS, SHARED)

FAR_NODE = 1
"""NUMA node of the ports named ``far``."""
CPUS = {0: (0,), FAR_NODE: (1, 2)}
"""Processors by NUMA node."""
PORT_SPEED_GT_S = 8.0
PORT_LANES = 4
"""What the port of the polled drive can do; the drive itself can do less."""
PORTS = (
    ("far-port", "far", f"x-speed={PORT_SPEED_GT_S:.0f},x-width={PORT_LANES}"),
    ("near-port", "pcie.0", ""),
    ("lost-port", "pcie.0", ""),
    ("far-port-0", "far", ""),
    ("far-port-1", "far", ""),
)


def qemu_command(image: Path, initramfs: Path, folder: Path) -> list[str]:
    """Give the command that runs the guest; its drives, sockets and console are files of a folder."""
    words = [
        "qemu-system-x86_64", "-accel", "tcg,thread=multi", "-machine", "q35", "-cpu", "max",
        "-nodefaults", "-display", "none", "-no-reboot", "-m", "768M", *_nodes(),
        "-kernel", str(image), "-initrd", str(initramfs),
        "-append", "console=ttyS0 loglevel=5 panic=-1 mitigations=off tsc=reliable cryptomgr.notests",
        "-serial", f"file:{folder / 'console'}", "-qmp", f"unix:{folder / 'qmp'},server=on,wait=off",
        "-chardev", f"socket,id=agent,path={folder / 'agent'},server=on,wait=off",
        "-device", "virtio-serial-pci,bus=pcie.0", "-device", "virtserialport,chardev=agent",
        "-fsdev", "local,id=root,path=/,security_model=none,readonly=on,multidevs=remap",
        "-fsdev", f"local,id=share,path={folder / 'share'},security_model=none",
        "-device", "virtio-9p-pci,fsdev=root,mount_tag=root,bus=pcie.0",
        "-device", "virtio-9p-pci,fsdev=share,mount_tag=share,bus=pcie.0",
        "-device", f"pxb-pcie,id=far,bus_nr=64,numa_node={FAR_NODE},bus=pcie.0",
    ]  # fmt: skip
    for slot, (name, bus, more) in enumerate(PORTS, 1):
        port = f"pcie-root-port,id={name},bus={bus},chassis={slot},slot={slot}"
        words += ["-device", f"{port},{more}" if more else port]
    for drive in DRIVES:
        words += _drive(drive, folder)
    return words


def _nodes() -> Iterator[str]:
    yield from ("-smp", str(sum(len(cpus) for cpus in CPUS.values())))
    for node, cpus in CPUS.items():
        yield from ("-object", f"memory-backend-ram,id=memory{node},size={768 // len(CPUS)}M")
        yield from ("-numa", f"node,cpus={cpus[0]}-{cpus[-1]},memdev=memory{node}")


def _drive(drive: Drive, folder: Path) -> Iterator[str]:
    yield from ("-device", f"nvme-subsys,id={drive.serial}")
    for way in range(drive.ways):
        yield "-device"
        yield (
            f"nvme,id={drive.serial}-{way},serial={drive.serial},bus={drive.bus.format(way)},"
            f"max_ioqpairs={drive.pairs}" + (f",subsys={drive.serial}" if drive.ways > 1 else "")
        )
    for number in range(1, drive.namespaces + 1):
        name = f"{drive.serial}-{number}"
        path = folder / name
        with path.open("wb") as file:
            file.truncate(drive.size_bytes)
        yield from ("-drive", f"id=disk-{name},file={path},format=raw,if=none,discard=unmap")
        blocks = f"logical_block_size={drive.block_bytes},physical_block_size={drive.block_bytes}"
        yield from (
            "-device",
            f"nvme-ns,drive=disk-{name},bus={drive.serial}-0,nsid={number},{blocks}"
            + (",shared=on" if drive.ways > 1 else ""),
        )
