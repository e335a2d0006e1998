"""The ways between host, controllers and drives as stations."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from iodyno.prediction.demands import PS, Demands
from iodyno.prediction.records import Place
from iodyno.virtual import Hop, Link, LinkHop, VirtualSystem

LinkKey = tuple[str, int, str]
"""Which direction of which link: what its station goes by."""
PAGE = 4096
"""What must have passed a link before the next one begins with it, in bytes."""


def link_key(system: VirtualSystem, hop: LinkHop, *, write: bool) -> LinkKey:
    """Give the key of the station that data in a direction pass."""
    duplex = system.links[hop.link].full_duplex
    return ("link", hop.link, (", writes" if write else ", reads") if duplex else "")


def first_for_reads(system: VirtualSystem, path: Sequence[Hop]) -> tuple[LinkKey, Link] | None:
    """Give the link that the data of a read pass first, next to the drive; none where it is a switch."""
    hop = path[-1] if path else None
    if not isinstance(hop, LinkHop):
        return None
    return link_key(system, hop, write=False), system.links[hop.link]


def passing(link: Link, size: float) -> float:
    """Give the seconds that so many bytes take to pass a link."""
    return link.command_ps * PS + size / link.bytes_s


def overlaps(system: VirtualSystem, hops: Sequence[Hop], size: float) -> list[float]:
    """Give the share of each hop's time, in the order of the data, in which they still pass the link before.

    Of two links in a row the shorter time lies within the longer, but for that of its first page.
    """
    shares, before = [], 0.0
    rest = 1 - min(PAGE / size, 1.0) if size else 0.0
    for hop in hops:
        if isinstance(hop, LinkHop):
            service = passing(system.links[hop.link], size)
            shares.append(min(before, service) * rest / service if service else 0.0)
            before = service
        else:
            shares.append(0.0)
    return shares


def travel(
    demands: Demands, system: VirtualSystem, path: Iterable[Hop], *, write: bool, count: float, size: float,
    waited: float = 1.0, parallel: float = 1.0, alike: float = 1.0,
) -> None:  # fmt: skip
    """Add what operations ask of a path: data on the links of their direction, commands at switches.

    Parameters
    ----------
    demands
        Where to add it.
    system
        The system whose links and switches the path names.
    path
        From the host or controller to its end.
    write
        Whether data go towards the end of the path.
    count
        Operations of an I/O on the path.
    size
        Bytes of one.
    waited
        Share of them that the I/O waits for.
    parallel
        Operations side by side.
    alike
        How many of them find the same on their ways.
    """
    path = tuple(path)
    hidden = overlaps(system, path if write else path[::-1], size)
    for at, hop in enumerate(path):
        seen = 1.0
        if isinstance(hop, LinkHop):
            seen -= hidden[at if write else len(path) - 1 - at]
            link = system.links[hop.link]
            place: Place = "host_link" if link.side == "host" else "disk_link"
            key = link_key(system, hop, write=write)
            name = link.name + key[2]
            service = passing(link, size)
            demands.travelled_s[write] += count * waited * seen * service
        else:
            switch = system.switches[hop.switch]
            key, name, place = ("switch", hop.switch, ""), switch.name, "switch"
            service = switch.command_ps * PS
        demands.visit(
            key, name, place, visits=count, service_s=service, passes=count * waited * seen,
            parallel=parallel, alike=alike,
        )  # fmt: skip
