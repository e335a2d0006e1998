"""Controllers with their drives and logical drives."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from iodyno.catalog import links
from iodyno.catalog.building import Building, HostCosts, array, drive_model
from iodyno.catalog.driver import reached_by
from iodyno.catalog.fields import MODELS
from iodyno.catalog.interfaces import Interface, negotiated, parse_interface
from iodyno.catalog.levels import capacity_bytes, groups_of
from iodyno.catalog.matrix import lanes_of, taken_of
from iodyno.catalog.naming import volumes_of
from iodyno.catalog.parts import ControllerPart, DrivePart, ExpanderPart, ServerPart, Taken
from iodyno.catalog.reading import converted
from iodyno.catalog.settings import Resolved, resolved
from iodyno.catalog.tree import ControllerSpec, LogicalSpec
from iodyno.units import MIB
from iodyno.virtual import (
    Array,
    Hop,
    LinkHop,
    Logical,
    MirrorRead,
    NearestReads,
    OnDrive,
    OnHostRaid,
    OnLogical,
    PrimaryReads,
    SpreadReads,
    VirtualController,
)


@dataclass(frozen=True)
class _Placed:
    """A controller where it sits."""

    building: Building
    spec: ControllerSpec
    part: ControllerPart
    sits_in: str | None
    taken: Taken | None

    @property
    def costs(self) -> HostCosts:
        """What I/Os on its drives cost in the host."""
        return self.building.costs[reached_by(self.part)]

    @property
    def host_link(self) -> Interface:
        """What controller and slot negotiate."""
        own = parse_interface(self.part.host_interface)
        slot = self.spec.link or (self.taken.link if self.taken else "")
        given = negotiated(parse_interface(slot), own) if slot else own
        return negotiated(self.building.pcie.wide(given.lanes), given) if own.family == "PCIe" else given

    def mirror_read(self, drive: DrivePart) -> MirrorRead:
        """How it reads mirrors of a drive: one with a processor follows the arms of hard disks."""
        if self.by_system:
            return self.costs.mirror_read
        from_outstanding = self.part.mirror_read_from
        if from_outstanding is None:
            return PrimaryReads()
        if drive.kind == "hdd":
            return NearestReads()
        return SpreadReads(from_outstanding=from_outstanding.whole)

    @property
    def by_system(self) -> bool:
        """Whether the operating system joins the drives of an onboard controller."""
        return self.part.kind == "onboard" and self.costs.software.joins_onboard

    @property
    def port(self) -> Interface:
        """What a drive is plugged into: a port of the controller, or of the expander that hangs on it."""
        own = parse_interface(self.part.drive_interface)
        if self.spec.expander is None:
            return own
        expander = self.building.catalog.take(self.spec.expander, ExpanderPart)
        return negotiated(own, parse_interface(expander.interface))

    def drive_link(self, drive: DrivePart) -> Interface:
        """What such a port and a drive negotiate."""
        return negotiated(self.port, parse_interface(drive.interface))


def add_controller(
    building: Building, spec: ControllerSpec, names: Sequence[str], server: str | None
) -> None:
    """Add a controller with its drives, and its volumes."""
    part = building.catalog.take(spec.part, ControllerPart)
    sits_in = spec.unit or server
    unit = building.catalog.take(sits_in, ServerPart) if sits_in else None
    placed = _Placed(building, spec, part, sits_in, taken_of(unit, part))
    if part.kind == "onboard":
        _add_onboard(placed, iter(names))
    else:
        _add_real(placed, iter(names))


def _add_onboard(placed: _Placed, names: Iterator[str]) -> None:
    """An onboard controller is a link that its drives share, those of all tables; the host does its RAID."""
    building, place = placed.building, (placed.part.name, placed.sits_in)
    if place not in building.onboard:
        name = f"{placed.host_link} of {placed.part.title}"
        building.onboard[place] = building.add_link(placed.host_link, "host", name)
    shared = building.onboard[place]
    for logical in placed.spec.logical:
        settings = resolved(placed.part, placed.spec, logical)
        for joined, size in _arrays(placed, logical, settings, (shared,)):
            on = OnDrive(drive=joined.drives[0]) if logical.level == "JBOD" else OnHostRaid(array=joined)
            building.add_volume(next(names), size, on, placed.costs)


def _add_real(placed: _Placed, names: Iterator[str]) -> None:
    building, controller = placed.building, len(placed.building.controllers)
    host = building.add_link(placed.host_link, "host", f"{placed.host_link} of {placed.part.title}")
    before = _wide_port(placed) if placed.spec.expander else ()
    logicals: list[Logical] = []
    for spec in placed.spec.logical:
        if spec.by_host:
            logicals += _passed_through(placed, spec, before, next(names))
            continue
        settings = resolved(placed.part, placed.spec, spec)
        for joined, size in _arrays(placed, spec, settings, before):
            name = next(names)
            on = OnLogical(controller=controller, logical=len(logicals))
            logicals.append(_logical(placed, spec, settings, name, joined, size))
            building.add_volume(name, size, on, placed.costs)
    building.controllers.append(_controller(placed, (host,), logicals))


def _passed_through(
    placed: _Placed, spec: LogicalSpec, before: tuple[Hop, ...], name: str
) -> Iterator[Logical]:
    """Add drives that the host joins, and give what they are on the controller: each a logical drive."""
    building = placed.building
    alone = spec.model_copy(update={"level": "JBOD", "raid": None, "strip": None, "failed": ()})
    settings = resolved(placed.part, placed.spec, alone)
    single = list(_arrays(placed, alone, settings, before))
    strip = spec.strip or placed.costs.software.strip
    drives = [joined.drives[0] for joined, _ in single]
    joined = array(spec.level, drives, strip, placed.costs.mirror_read, failed=spec.failed)
    member_bytes = building.drives[drives[0]].model.capacity_bytes
    size = capacity_bytes(spec.level, spec.count, 1, member_bytes, strip)
    building.add_volume(name, size, OnHostRaid(array=joined), placed.costs)
    for number, (own, own_bytes) in enumerate(single, 1):
        yield _logical(placed, alone, settings, f"{name}, drive {number}", own, own_bytes)


def _wide_port(placed: _Placed) -> tuple[Hop, ...]:
    """The lanes to an expander are one wide port that all drives share, as fast as the fastest of them."""
    catalog = placed.building.catalog
    drives = (catalog.take(logical.drive, DrivePart) for logical in placed.spec.logical)
    fastest = max(
        (placed.drive_link(drive) for drive in drives), key=lambda link: links.practical(link, catalog)
    )
    port = Interface("SAS", fastest.version, lanes_of(placed.part, placed.taken).whole)
    return (placed.building.add_link(port, "disk", f"{port.lanes} x {port} of {placed.part.title}"),)


def _arrays(
    placed: _Placed, logical: LogicalSpec, settings: Resolved, before: tuple[Hop, ...]
) -> Iterator[tuple[Array, int]]:
    """Add the drives of a logical drive, and give its arrays with their sizes: one, or one a drive."""
    building = placed.building
    part = building.catalog.take(logical.drive, DrivePart)
    model = drive_model(part, settings.drive_cache, logical.filled)
    link = placed.drive_link(part)

    def drive() -> int:
        own: LinkHop = building.add_link(link, "disk")
        return building.add_drive(part, (*before, own), model)

    usual = placed.costs.software.strip if placed.by_system else placed.part.strip
    strip = logical.strip or usual
    members = logical.count // volumes_of(logical)
    groups = groups_of(logical.level, logical.groups)
    size = capacity_bytes(logical.level, members, groups, model.capacity_bytes, strip)
    for _ in range(volumes_of(logical)):
        drives = [drive() for _ in range(members)]
        joined = array(
            logical.level, drives, strip, placed.mirror_read(part), groups=groups, failed=logical.failed,
            rebuild_bytes_s=round(logical.rebuild_mb_s * MIB),
        )  # fmt: skip
        yield joined, size


def _logical(
    placed: _Placed, spec: LogicalSpec, settings: Resolved, name: str, joined: Array, size_bytes: int
) -> Logical:
    ssd = placed.building.catalog.take(spec.drive, DrivePart).kind == "ssd"
    return Logical(
        name=name,
        array=joined,
        size_bytes=size_bytes,
        read_ahead=settings.read_ahead and spec.level != "JBOD",
        write_back=settings.write_back and placed.part.has_cache,
        cached_reads=settings.cache == "cached" and placed.part.has_cache,
        fast_path=placed.part.fast_path and ssd and settings.by_the_cache,
    )


def _controller(placed: _Placed, path: tuple[Hop, ...], logicals: list[Logical]) -> VirtualController:
    """Resolve its numbers; what it moves to and from the host is a share of what the link gives.

    The cache is its memory less what the firmware needs of it.
    """
    numbers = converted(placed.part.model, MODELS["controller"])
    link = float(links.practical(placed.host_link, placed.building.catalog))
    for moved in ("read_bytes_s", "write_bytes_s"):
        numbers[moved] = round(numbers[moved] * link)
    numbers["parity_bytes_s"] = min(numbers["parity_bytes_s"], numbers["write_bytes_s"])
    numbers["cache_bytes"] = placed.part.cache_bytes
    words = {"name": placed.part.title, "path": path, "logicals": tuple(logicals)}
    return VirtualController.model_validate(numbers | words)
