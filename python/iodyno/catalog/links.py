"""Links: their rates by the rule.

Theoretical rate of a direction = transfers of a lane × lanes × coding ÷ 8; practical 90 % of
that, an empirical mean (Fujitsu, White Paper, RAID Controller Performance 2016, version 1.0d).
DMI is PCIe of the same version and width. Nothing of it is typed in but the transfers of a version.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

from iodyno.catalog.interfaces import WIDTHS, Interface
from iodyno.catalog.parts import LinkPart
from iodyno.errors import CatalogError
from iodyno.virtual import Link, Side

if TYPE_CHECKING:
    from iodyno.catalog.shelf import Catalog

PRACTICAL = Fraction(9, 10)
"""Share of the theoretical rate that is reached in practice."""
CODINGS = {"8b/10b": Fraction(8, 10), "128b/130b": Fraction(128, 130)}
"""Share of the transferred bits that is data."""
SHOWN_WIDTHS = {"PCIe": WIDTHS, "DMI": (2, 4), "SAS": (1, 2, 4, 8), "SATA": (1,)}
"""By family of interfaces the lanes that rates are shown for: of SAS those of wide ports."""


@dataclass(frozen=True)
class Rate:
    """What a link carries in a direction, in bytes/s."""

    version: str
    lanes: int
    theoretical: Fraction
    practical: Fraction
    """What is simulated."""


def rates(part: LinkPart, catalog: Catalog) -> tuple[Rate, ...]:
    """Compute the rates of a kind of link, by version and then by width; none where no interface is of it.

    Examples
    --------
    >>> from iodyno.catalog.shelf import shipped
    >>> sata = shipped().take("sata", LinkPart)
    >>> [(one.version, one.lanes, round(one.practical / 2**20)) for one in rates(sata, shipped())]
    [('3G', 1, 257), ('6G', 1, 515)]
    """
    family = next((name for name in SHOWN_WIDTHS if name.lower() == part.name), "")
    of = (
        Interface(family, version, lanes)
        for version in part.versions
        for lanes in SHOWN_WIDTHS.get(family, ())
    )
    return tuple(
        Rate(one.version, one.lanes, theoretical(one, catalog), practical(one, catalog)) for one in of
    )


def theoretical(interface: Interface, catalog: Catalog) -> Fraction:
    """Compute the theoretical rate of a direction in bytes/s."""
    part = link_part(interface, catalog)
    version = part.versions[interface.version]
    return version.transfer.base * interface.lanes * CODINGS[version.coding] / 8


def practical(interface: Interface, catalog: Catalog) -> Fraction:
    """Compute the practical rate of a direction in bytes/s: 90 % of the theoretical one."""
    return theoretical(interface, catalog) * PRACTICAL


def link_part(interface: Interface, catalog: Catalog) -> LinkPart:
    """Give the part of a kind of link.

    Raises
    ------
    CatalogError
        If there is none, or none of this version.
    """
    part = catalog.get(interface.family.lower())
    assert isinstance(part, LinkPart), f"{part.name} is no link"
    if interface.version not in part.versions:
        what = f"has a version that {interface.family} does not have"
        raise CatalogError.of(str(interface), what, f"known versions: {', '.join(part.versions)}")
    return part


def link(interface: Interface, side: Side, name: str, catalog: Catalog) -> Link:
    """Make the link of a virtual system."""
    part = link_part(interface, catalog)
    return Link(
        name=name,
        bytes_s=round(practical(interface, catalog)),
        full_duplex=part.full_duplex,
        command_ps=part.model["command"].whole,
        side=side,
    )
