"""The guest's kernel: a Debian package, unpacked and not installed, and an initramfs made from it."""

from __future__ import annotations

import lzma
import os
import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

CHECKOUT = Path(__file__).resolve().parents[2]
MODULES = (
    "virtio_pci", "virtio_console", "9pnet_virtio", "9p", "nvme", "loop", "ext4", "crc32c_generic",
    "raid0", "raid1", "raid10", "raid456",
)  # fmt: skip
"""Modules that the guest loads at its start, with those that they need before them."""


_XZ = b"\xfd7zXZ\0"


class NoGuestError(Exception):
    """There is no guest to test in; says why."""


class Kernel:
    """A kernel image and its modules, as a Debian package has them."""

    def __init__(self, folder: Path) -> None:
        images = sorted(folder.glob("boot/vmlinuz-*"))
        if not images:
            raise NoGuestError(f"no kernel under {folder}: `sh tools/test_tools.sh kernel` gets one")
        self.image = images[-1]
        self.version = self.image.name.removeprefix("vmlinuz-")
        # From Debian 13 on the root file system is merged: usr/lib.
        found = [*folder.glob(f"lib/modules/{self.version}"), *folder.glob(f"usr/lib/modules/{self.version}")]
        if not found:
            raise NoGuestError(f"no modules of {self.version} under {folder}")
        self._files = {_plain(path.name): path for path in found[0].rglob("*.ko*")}

    def modules(self) -> list[tuple[str, bytes]]:
        """Give name and content of every module to load, each after those that it needs.

        A module that is not there is part of the kernel, or a test will say what is missing.
        """
        ordered: dict[str, bytes] = {}
        for name in MODULES:
            self._add(name, ordered)
        return list(ordered.items())

    def _add(self, name: str, ordered: dict[str, bytes]) -> None:
        path = self._files.get(_plain(name))
        if path is None or _plain(name) in ordered:
            return
        content = path.read_bytes()
        if path.suffix == ".xz":
            content = lzma.decompress(content)
        match = re.search(rb"\0depends=([^\0]*)\0", content)
        for needed in match[1].decode().split(",") if match else ():
            self._add(needed, ordered)
        ordered[_plain(name)] = content


def _plain(name: str) -> str:
    return name.split(".ko")[0].replace("-", "_")


def find_kernel() -> Kernel:
    """Find the kernel that ``tools/test_tools.sh`` unpacked, or another one by ``IODYNO_VM_KERNEL``."""
    return Kernel(Path(os.environ.get("IODYNO_VM_KERNEL") or CHECKOUT / "target/vm-kernel"))


def make_image(kernel: Kernel, folder: Path) -> Path:
    """Unpack the kernel's image on the host, where that takes a moment; as it is where it cannot be."""
    packed = kernel.image.read_bytes()
    begin = packed.find(_XZ)
    if begin < 0:
        return kernel.image
    image = folder / "vmlinux"
    image.write_bytes(lzma.LZMADecompressor().decompress(packed[begin:]))
    return image


def make_initramfs(kernel: Kernel, init: str, folder: Path) -> Path:
    """Make the first file system of the guest: busybox, the modules, and the script that it runs.

    Parameters
    ----------
    init
        The script.
    folder
        Where to make it.
    """
    busybox = shutil.which("busybox")
    if not busybox:
        raise NoGuestError("busybox is not there")
    tree = folder / "tree"
    for name in ("bin", "modules", "proc", "sys", "dev", "host"):
        (tree / name).mkdir(parents=True)
    shutil.copy(busybox, tree / "bin/busybox")
    loaded = kernel.modules()
    for name, content in loaded:
        (tree / "modules" / name).write_bytes(content)
    (tree / "order").write_text("".join(f"{name}\n" for name, _ in loaded))
    (tree / "init").write_text(init)
    (tree / "init").chmod(0o755)
    names = "\n".join(_names(tree))
    archive = folder / "initramfs"
    with archive.open("wb") as file:
        subprocess.run(
            [busybox, "cpio", "-o", "-H", "newc"], cwd=tree, input=names.encode(), stdout=file,
            stderr=subprocess.DEVNULL, check=True,
        )  # fmt: skip
    shutil.rmtree(tree)
    return archive


def _names(tree: Path) -> Iterator[str]:
    for path in sorted(tree.rglob("*")):
        yield str(path.relative_to(tree))
