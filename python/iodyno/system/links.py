"""How fast a drive is connected, and how fast it could be: PCIe, SATA, SAS."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from iodyno.system.host import ABSENT, Host, Missing, children
from iodyno.system.places import above_with, hardware, kind, upwards
from iodyno.system.records import Fact, known

_SATA_WORD = 76
_SATA_GENERATIONS = ((3, 6.0), (2, 3.0), (1, 1.5))


def link_facts(host: Host, device: str) -> Iterator[Fact]:
    """Read the links between a drive and the processor."""
    which = kind(host, device)
    if which == "sata":
        yield from _sata(host, device)
    if which == "sas":
        yield from _sas(host, device)
    yield from _pcie(host, device)


def _pcie(host: Host, device: str) -> Iterator[Fact]:
    """Read the PCIe link of the drive, or of the controller that it hangs on."""

    def folder() -> Path:
        return above_with(host, device, "current_link_speed")

    def port() -> Path:
        """The port of the board that the card sits in: it limits what the card can have."""
        parent = folder().parent
        if not (parent / "max_link_speed").exists():
            raise Missing(ABSENT)
        return parent

    yield known("pcie_address", lambda: folder().name)
    yield known("pcie_speed", lambda: _first_number(host, folder() / "current_link_speed"), "GT/s")
    yield known("pcie_speed_possible", lambda: _first_number(host, folder() / "max_link_speed"), "GT/s")
    yield known("pcie_speed_port", lambda: _first_number(host, port() / "max_link_speed"), "GT/s")
    yield known("pcie_width", lambda: _lanes(host, folder() / "current_link_width"))
    yield known("pcie_width_possible", lambda: _lanes(host, folder() / "max_link_width"))
    yield known("pcie_width_port", lambda: _lanes(host, port() / "max_link_width"))


def _first_number(host: Host, path: Path) -> float:
    """Read ``8.0 GT/s PCIe`` or ``6.0 Gbps``; ``Unknown`` and ``<unknown>`` count as absent."""
    match = re.match(r"\d+(?:\.\d+)?", host.text(path))
    if not match:
        raise Missing(ABSENT)
    return float(match[0])


def _lanes(host: Host, path: Path) -> int:
    """Read a number of lanes; 0 and 255 stand for a link that has none to tell."""
    lanes = host.number(path)
    if lanes in (0, 255):
        raise Missing(ABSENT)
    return lanes


def _sata(host: Host, device: str) -> Iterator[Fact]:
    def link() -> Path:
        for path in upwards(host, hardware(host, device)):
            if re.fullmatch(r"ata\d+", path.name):
                name = f"link{path.name[3:]}"
                return path / name / "ata_link" / name
        raise Missing(ABSENT)

    yield known("sata_speed", lambda: _first_number(host, link() / "sata_spd"), "Gbit/s")
    yield known("sata_speed_possible", lambda: _sata_generation(identify(host, device)), "Gbit/s")
    yield known("sata_speed_port", lambda: _first_number(host, link() / "hw_sata_spd_limit"), "Gbit/s")


def identify(host: Host, device: str) -> list[int]:
    """Read the 256 words that an ATA drive says about itself (IDENTIFY DEVICE)."""
    for path in upwards(host, hardware(host, device)):
        if re.fullmatch(r"ata\d+", path.name):
            name = f"dev{path.name[3:]}.0"
            words = host.text(path / f"link{path.name[3:]}" / name / "ata_device" / name / "id").split()
            if len(words) < 256:
                raise Missing(ABSENT)
            return [int(word, 16) for word in words]
    raise Missing(ABSENT)


def identify_text(words: list[int], begin: int, end: int) -> str:
    """Read a text from IDENTIFY words: two characters a word, the first in the upper byte."""
    return b"".join(word.to_bytes(2, "big") for word in words[begin:end]).decode("ascii", "replace").strip()


def _sata_generation(words: list[int]) -> float:
    """Give the fastest SATA speed of a drive: word 76, bits 1 to 3 (ATA8-ACS, table 22)."""
    for bit, speed in _SATA_GENERATIONS:
        if words[_SATA_WORD] not in (0, 0xFFFF) and words[_SATA_WORD] >> bit & 1:
            return speed
    raise Missing(ABSENT)


def _sas(host: Host, device: str) -> Iterator[Fact]:
    def phy() -> Path:
        for path in upwards(host, hardware(host, device)):
            if path.name.startswith("port-"):
                for link in children(path, "phy-*"):
                    return link.resolve() / "sas_phy" / link.name
        raise Missing(ABSENT)

    yield known("sas_speed", lambda: _first_number(host, phy() / "negotiated_linkrate"), "Gbit/s")
    yield known("sas_speed_possible", lambda: _first_number(host, phy() / "maximum_linkrate_hw"), "Gbit/s")
