"""Interfaces: their names, and what two sides negotiate."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from importlib import resources

from iodyno.errors import CatalogError

TAKES = {"SAS": ("SAS", "SATA"), "SATA": ("SATA",), "PCIe": ("PCIe",), "DMI": ("DMI",)}
"""Families of interfaces that a port of each takes."""
WIDTHS = (1, 2, 4, 8, 12, 16, 32)
"""Lanes that a link of PCIe can have (PCI Express Base Specification)."""
_TEXT = re.compile(r"(SAS|SATA) (\d+G)|(PCIe|DMI) (\d\.0)(?: x(\d+))?")


@dataclass(frozen=True)
class Interface:
    """An interface: ``SAS 12G`` with lanes, or ``PCIe 3.0 x4``.

    Examples
    --------
    >>> parse_interface("PCIe 3.0 x4")
    Interface(family='PCIe', version='3.0', lanes=4)
    >>> str(parse_interface("SATA 6G"))
    'SATA 6G'
    """

    family: str
    version: str
    lanes: int = 1

    def __str__(self) -> str:
        width = f" x{self.lanes}" if self.family in ("PCIe", "DMI") else ""
        return f"{self.family} {self.version}{width}"

    def wide(self, lanes: int) -> Interface:
        """Give the same with another number of lanes."""
        return Interface(self.family, self.version, lanes)


def parse_interface(text: str) -> Interface:
    """Read an interface: with its width, where it is one of PCIe or DMI.

    Raises
    ------
    CatalogError
        If it is none.
    """
    match = _TEXT.fullmatch(text)
    if not match:
        raise CatalogError.of(text, "is no interface", "write SATA 6G, SAS 12G, PCIe 3.0 x4 or DMI 2.0 x4")
    family, version = match[1] or match[3], match[2] or match[4]
    known = f"{', '.join(f'x{width}' for width in WIDTHS[:-1])} or x{WIDTHS[-1]}"
    if match[3] and not match[5]:
        what = "says nothing of its width"
        raise CatalogError.of(text, what, f"write {text} and then its lanes: {known}")
    made = Interface(family, version, int(match[5] or 1))
    if made.lanes not in WIDTHS:
        raise CatalogError.of(text, f"has a width that {family} does not have", f"write {known}")
    return made


def parse_version(text: str) -> Interface:
    """Read a version of PCIe, whose width is told elsewhere: one lane of it.

    Examples
    --------
    >>> str(parse_version("PCIe 3.0").wide(8))
    'PCIe 3.0 x8'

    Raises
    ------
    CatalogError
        If it is none.
    """
    match = _TEXT.fullmatch(text)
    if not match:
        raise CatalogError.of(text, "is no interface", "write PCIe 3.0")
    if match[5]:
        what = "has a width, and here stands a version alone"
        raise CatalogError.of(text, what, f"write {match[3]} {match[4]}")
    return Interface(match[1] or match[3], match[2] or match[4])


@lru_cache
def versions_of(family: str) -> tuple[str, ...]:
    """Give the versions of a kind of link that there are: those of its part.

    Examples
    --------
    >>> versions_of("SATA")
    ('3G', '6G')
    """
    folder = resources.files("iodyno").joinpath("catalog").joinpath("parts").joinpath("links")
    text = folder.joinpath(f"{family.lower()}.toml").read_text("utf-8")
    found: list[str] = re.findall(r"^\[versions\.\"?([^\"\]]+)\"?\]", text, re.MULTILINE)
    return tuple(sorted(found, key=_version))


def _version(text: str) -> float:
    return float(text.rstrip("G"))


def negotiated(port: Interface, drive: Interface) -> Interface:
    """Give the highest version and width that a port and what is put into it both have.

    Examples
    --------
    >>> str(negotiated(parse_interface("PCIe 3.0 x8"), parse_interface("PCIe 2.0 x4")))
    'PCIe 2.0 x4'
    >>> str(negotiated(parse_interface("SAS 12G"), parse_interface("SATA 6G")))
    'SATA 6G'

    Raises
    ------
    CatalogError
        If the port takes no such drive.
    """
    takes = TAKES[port.family]
    if drive.family not in takes:
        raise CatalogError.of(
            str(drive), f"does not fit {port}", f"{port.family} takes {' and '.join(takes)}"
        )
    version = min(port.version, drive.version, key=_version)
    return Interface(drive.family, version, min(port.lanes, drive.lanes))
