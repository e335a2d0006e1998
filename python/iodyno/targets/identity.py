"""What tells one device from another: serial number, world-wide name, size."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from iodyno.targets.host import BlockDevice, Host, read_text

_WWN_PREFIXES = ("naa.", "eui.", "uuid.", "nvme.", "0x")


@dataclass(frozen=True)
class Identity:
    """Names of a device; none where it has none."""

    serial: str | None
    wwn: str | None
    model: str | None
    size_bytes: int

    def matches(self, typed: str) -> bool:
        """Tell whether what the user typed names this device.

        The size counts only where there is neither serial number nor WWN.

        Examples
        --------
        >>> drive = Identity("S3X 12", "naa.5002538e", None, 1000)
        >>> drive.matches("S3X  12"), drive.matches("0x5002538E"), drive.matches("1000")
        (True, True, False)
        >>> Identity(None, None, None, 1000).matches("1000")
        True
        """
        if not self.serial and not self.wwn:
            return typed.strip() == str(self.size_bytes)
        same_serial = bool(self.serial) and _plain(typed) == _plain(self.serial or "")
        wwn = _plain_wwn(typed)
        return same_serial or (bool(wwn) and wwn == _plain_wwn(self.wwn or ""))

    @property
    def kind(self) -> str:
        """What the user has to type."""
        if self.serial:
            return "serial number"
        return "WWN" if self.wwn else "exact size in bytes"


def read_identity(device: BlockDevice, host: Host) -> Identity:
    """Read what identifies a device; of a partition, what identifies its disk, but its own size."""
    disk = device.disk
    udev = _udev(disk, host)
    serial = (
        disk.read("serial")
        or disk.read("device/serial")
        or _unit_serial(disk.folder / "device/vpd_pg80")
        or udev.get("ID_SERIAL_SHORT")
    )
    wwn = disk.read("wwid") or disk.read("device/wwid") or udev.get("ID_WWN")
    return Identity(
        serial=_meaningful(serial),
        wwn=_meaningful(wwn),
        model=_plain_blanks(disk.read("device/model") or udev.get("ID_MODEL") or "") or None,
        size_bytes=device.size_bytes,
    )


def _unit_serial(path: Path) -> str | None:
    """Read the SCSI vital product data page 0x80: four bytes of header, then the serial number."""
    try:
        return path.read_bytes()[4:].decode("ascii", "replace").strip("\0 ") or None
    except OSError:
        return None


def _udev(disk: BlockDevice, host: Host) -> dict[str, str]:
    """Read udev's record of a device, which is what lsblk shows."""
    text = read_text(host.run / "udev/data" / f"b{disk.number}") or ""
    lines = (line[2:] for line in text.splitlines() if line.startswith("E:"))
    return dict(line.split("=", 1) for line in lines if "=" in line)


def _meaningful(text: str | None) -> str | None:
    """Drop what is no name: blanks and zeros only."""
    text = _plain_blanks(text or "")
    return text if text.strip("0 ") else None


def _plain_blanks(text: str) -> str:
    return " ".join(text.split())


def _plain(text: str) -> str:
    return _plain_blanks(text).casefold()


def _plain_wwn(text: str) -> str:
    text = _plain(text)
    for prefix in _WWN_PREFIXES:
        text = text.removeprefix(prefix)
    return text
