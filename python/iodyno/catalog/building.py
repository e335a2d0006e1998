"""A virtual system while it is being put together."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction

from iodyno.catalog import links
from iodyno.catalog.fields import DRIVER, MODELS
from iodyno.catalog.interfaces import Interface, parse_interface
from iodyno.catalog.parts import DrivePart, Reached, SoftwarePart, Switchable
from iodyno.catalog.reading import converted
from iodyno.catalog.shelf import Catalog
from iodyno.virtual import (
    Array,
    CpuCost,
    DriveModel,
    DriveSlot,
    Flush,
    HddModel,
    Hop,
    Level,
    Link,
    LinkHop,
    MirrorRead,
    OnDrive,
    OnHostRaid,
    OnLogical,
    Prefetch,
    PrimaryReads,
    Side,
    SpreadReads,
    SsdModel,
    Switch,
    SwitchHop,
    VirtualController,
    VirtualHost,
    VirtualSystem,
    Volume,
)

_PS = 10**12
SATA_COMMANDS = 32
"""Commands that a SATA drive takes at once: Serial ATA, Native Command Queuing."""


@dataclass(frozen=True)
class HostCosts:
    """What I/Os cost in the host, as time of its processor."""

    software: SoftwarePart
    hz: Fraction
    """Frequency of its processors as far as the settings hold it, in Hz."""
    driver_read: Fraction = Fraction(0)
    """Cycles of a drive's own driver for a read."""
    driver_write: Fraction = Fraction(0)
    """Cycles of a drive's own driver for a write."""

    @property
    def cpu(self) -> CpuCost:
        """What an I/O takes."""
        return self._cost("")

    @property
    def child_cpu(self) -> CpuCost:
        """What each operation on a further member takes, where the host joins drives."""
        return self._cost("child_")

    @property
    def mirror_read(self) -> MirrorRead:
        """How RAID of the host's own reads mirrors."""
        if self.software.mirror_read == "primary":
            return PrimaryReads()
        return SpreadReads(from_outstanding=self.software.model["mirror_read_from"].whole)

    def with_driver(self, drive: DrivePart) -> HostCosts:
        """Give the costs with what the drive's own driver takes of the host for each operation on it."""
        read, write = (drive.model[key].base if key in drive.model else Fraction(0) for key in DRIVER)
        return replace(self, driver_read=read, driver_write=write)

    def _cost(self, prefix: str) -> CpuCost:
        cycles = {key: self.software.model[prefix + key].base for key in ("read", "write", "per_kib")}
        cycles["read"] += self.driver_read
        cycles["write"] += self.driver_write
        return CpuCost(**{f"{key}_ps": round(spent * _PS / self.hz) for key, spent in cycles.items()})


@dataclass
class Building:
    """Lists that grow; what is added is named by its index."""

    catalog: Catalog
    costs: Mapping[Reached, HostCosts]
    """What I/Os cost on drives of each kind."""
    pcie: Interface
    """What the processors have for one lane."""
    links: list[Link] = field(default_factory=list)
    switches: list[Switch] = field(default_factory=list)
    controllers: list[VirtualController] = field(default_factory=list)
    drives: list[DriveSlot] = field(default_factory=list)
    volumes: list[Volume] = field(default_factory=list)
    onboard: dict[tuple[str, str | None], LinkHop] = field(default_factory=dict)
    """The link to the processor of each onboard controller: by its part, and by what it sits in."""

    def add_link(self, interface: Interface, side: Side, name: str = "") -> LinkHop:
        """Add a link, and give the step over it."""
        self.links.append(links.link(interface, side, name or str(interface), self.catalog))
        return LinkHop(link=len(self.links) - 1)

    def add_switch(self, switch: Switch) -> SwitchHop:
        """Add a switch, and give the step through it."""
        self.switches.append(switch)
        return SwitchHop(switch=len(self.switches) - 1)

    def add_drive(self, part: DrivePart, path: tuple[Hop, ...], model: DriveModel) -> int:
        """Add a drive, and give its index.

        The cache of an NVMe drive that loses nothing with the power is no volatile one (NVM Express Base
        Specification, feature Volatile Write Cache); a disk with SAS or SATA tells of one while it is on.
        """
        family = parse_interface(part.interface).family
        lossless = not model.write_cache or (isinstance(model, SsdModel) and model.protected_share == 1)
        flush: Flush = "alone" if family == "SATA" else "queued"
        own = self.costs.get("nvme")
        if family == "PCIe" and lossless and own and own.software.flushes == "volatile-caches":
            flush = "unneeded"
        commands = SATA_COMMANDS if family == "SATA" else None
        slot = DriveSlot(name=part.title, path=path, model=model, flush=flush, commands=commands)
        self.drives.append(slot)
        return len(self.drives) - 1

    def add_volume(
        self, name: str, size_bytes: int, on: OnDrive | OnHostRaid | OnLogical, costs: HostCosts
    ) -> None:
        """Add a volume that the load can access."""
        cpu, child = costs.cpu, costs.child_cpu
        self.volumes.append(Volume(name=name, size_bytes=size_bytes, cpu=cpu, child_cpu=child, on=on))

    def system(self, name: str, host: VirtualHost) -> VirtualSystem:
        """Give what was put together."""
        return VirtualSystem(
            name=name,
            host=host,
            links=tuple(self.links),
            switches=tuple(self.switches),
            controllers=tuple(self.controllers),
            drives=tuple(self.drives),
            volumes=tuple(self.volumes),
        )


def drive_model(part: DrivePart, cache: Switchable | None, filled: float | None) -> DriveModel:
    """Resolve the numbers of a drive.

    Parameters
    ----------
    part
        The drive.
    cache
        Its write cache; as it comes where none is given.
    filled
        Share of an SSD outside the accessed area that holds data; as in the part where none is given.
    """
    numbers = converted(part.model, MODELS[part.kind])
    settings = {"write_cache": (cache or part.write_cache[0]) == "on"}
    if part.kind == "hdd":
        return HddModel.model_validate(numbers | settings)
    share = {} if filled is None else {"filled_share": filled}
    prefetch = (
        Prefetch.model_validate(converted(part.prefetch, MODELS["prefetch"])) if part.prefetch else None
    )
    return SsdModel.model_validate(numbers | settings | share | {"prefetch": prefetch})


def array(
    level: Level, drives: list[int], strip_bytes: int, mirror_read: MirrorRead, *, groups: int = 1,
    failed: tuple[int, ...] = (), rebuild_bytes_s: int = 0,
) -> Array:  # fmt: skip
    """Join drives."""
    return Array(
        level=level, drives=tuple(drives), groups=groups, strip_bytes=strip_bytes, mirror_read=mirror_read,
        failed=failed, rebuild_bytes_s=rebuild_bytes_s,
    )  # fmt: skip
