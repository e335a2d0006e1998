"""Virtual systems, with every choice made and every number resolved.

The JSON of :class:`VirtualSystem` is what the simulator reads (``crates/sim/src/system.rs``).
Spans are whole picoseconds, sizes bytes, rates bytes per second. The catalogue makes these
records from parts; nothing here has a default that a part should give.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field, NonNegativeInt, PositiveInt, model_validator

from iodyno.profiles import Record

Level = Literal["JBOD", "0", "1", "1E", "10", "5", "6", "50", "60"]
PARITY_LEVELS: frozenset[Level] = frozenset({"5", "50", "6", "60"})
"""Levels that write parity with the data."""
"""RAID levels; JBOD is a single drive, passed through."""
Side = Literal["host", "disk"]
"""Between the host and a controller or drive, or between a controller and its drives."""


class VirtualHost(Record):
    """The host that workers run on: worker w runs on core w mod cores."""

    cores: PositiveInt
    """Cores that workers run on."""
    wakeup_ps: NonNegativeInt
    """What an idle core needs to wake up, added to an I/O that completes on it, in ps."""


class CpuCost(Record):
    """Processor time of an operation."""

    read_ps: NonNegativeInt
    """Fixed part of a read, in ps."""
    write_ps: NonNegativeInt
    """Fixed part of a write, in ps."""
    per_kib_ps: NonNegativeInt
    """For each KiB, in ps."""


class Link(Record):
    """A link: each direction has the whole rate where it is full duplex, else they share it."""

    name: str
    """``PCIe 3.0 x4``."""
    bytes_s: PositiveInt
    """Practical rate of a direction as negotiated, in bytes/s."""
    full_duplex: bool
    """Whether both directions can be used at once: SATA cannot."""
    command_ps: NonNegativeInt
    """Overhead of a command, on the direction of its data, in ps."""
    side: Side


class Switch(Record):
    """A switch: a server of commands, beside the links on both of its sides."""

    name: str
    command_ps: NonNegativeInt
    """Processing of a command, in ps."""


class LinkHop(Record):
    """A step of a path over a link."""

    link: NonNegativeInt
    """Index of the link."""


class SwitchHop(Record):
    """A step of a path through a switch."""

    switch: NonNegativeInt
    """Index of the switch."""


Hop = LinkHop | SwitchHop


class HddModel(Record):
    """A hard disk."""

    kind: Literal["hdd"] = "hdd"
    capacity_bytes: PositiveInt
    """Capacity in bytes."""
    revolution_ps: PositiveInt
    """One revolution, in ps."""
    heads: PositiveInt
    """Recording surfaces: tracks of a cylinder."""
    outer_bytes_s: PositiveInt
    """Media rate of the outermost zone in bytes/s, gaps and switches of heads included: what is sustained
    there."""
    inner_bytes_s: PositiveInt
    """Media rate of the innermost zone in bytes/s."""
    zones: PositiveInt
    """Zones; rates fall linearly from the outermost to the innermost."""
    seek_track_ps: NonNegativeInt
    """Seek of a read to the next track, in ps, without rotation."""
    seek_average_ps: NonNegativeInt
    """Average seek of a read, the mean over all pairs of cylinders, in ps."""
    seek_full_ps: NonNegativeInt
    """Seek of a read over the full stroke, in ps."""
    write_settle_ps: NonNegativeInt
    """What a write settles longer than a read, in ps."""
    command_ps: NonNegativeInt
    """Command processing, in ps, by one server: beside the mechanics, and all that a hit in the buffer
    takes."""
    missed_revolution: float = Field(ge=0, lt=1)
    """Probability of missing the sector after a move of the arm: one revolution more, 0 to below 1."""
    tags: PositiveInt
    """Commands that the drive chooses from at once; what comes beyond waits its turn outside."""
    write_cache: bool
    """Whether writes are answered from the cache: drive cache on."""
    write_cache_entries: NonNegativeInt
    """Writes of up to 64 KiB that the cache holds at most, where it is on; a longer one takes several. Their
    memory has what was written last, whether or not the cache is on."""
    cached_write_ps: NonNegativeInt = 0
    """What the answer to a write from the cache takes beyond the command, in ps: a delay that occupies
    nobody."""
    read_ahead_bytes: NonNegativeInt
    """What is read ahead of a sequential stream at most, in bytes; 0: no read-ahead."""
    read_segments: PositiveInt = 1
    """Segments of the buffer, each for what is read and read ahead of one stream."""


class Prefetch(Record):
    """How an SSD prefetches one sequential stream of reads."""

    most_outstanding: PositiveInt
    """Most outstanding reads at which it prefetches."""
    delay_ps: NonNegativeInt
    """What a prefetched read takes, in ps, in place of `delay_read` and of its turn at the dies: beside
    firmware, data path and link."""
    bytes_s: PositiveInt
    """Rate at which prefetched data is given, in bytes/s: the data path and the dies can hold it lower."""


class SsdModel(Record):
    """A solid state drive."""

    kind: Literal["ssd"] = "ssd"
    capacity_bytes: PositiveInt
    """Capacity in bytes, as the host sees it."""
    spare_share: float = Field(gt=0)
    """Flash beyond the capacity, as a share of it: 0.28 is 28 % over-provisioning. How often garbage
    collection copies what was written at random follows from it."""
    filled_share: float = Field(ge=0, le=1)
    """Share of what is outside the accessed area that holds valid data: 1 filled, 0 trimmed."""
    command_read_ps: NonNegativeInt
    """Firmware time of a read command, in ps: one server takes all commands one by one, so that its inverse
    is the most reads a second."""
    command_write_ps: NonNegativeInt
    """Firmware time of a write command, in ps, at the same server."""
    delay_read_ps: NonNegativeInt
    """What a read takes beside host, links, firmware, dies and data path, in ps: a delay that occupies
    nobody and limits no rate. A prefetched read has none of it."""
    delay_write_ps: NonNegativeInt
    """What a write that the buffer answers takes beside host, links, firmware and its wait for room, in ps: a
    delay that occupies nobody."""
    delay_write_per_kib_ps: NonNegativeInt = 0
    """The same for each KiB, in ps: a drive fetches the data of one write with few requests under way."""
    dies: PositiveInt
    """Dies, or planes, that read and program by themselves, side by side."""
    stripe_bytes: PositiveInt
    """What a random read is cut into, in bytes: each part is read from any die. What continues a stream is
    read in parts of `read_size`, where that is given."""
    read_ps: PositiveInt
    """A die's time to read a part, in ps: the mean. What all dies hand over side by side is in it."""
    read_bytes: NonNegativeInt = 0
    """Consecutive bytes that a die reads at once where they were written in sequence, a page of each of its
    planes, in bytes; 0: as much as of a random read, `stripe`, each a read of its own, which makes streams
    with few outstanding I/Os slow."""
    read_spread: float = Field(0.0, ge=0, lt=1)
    """Times of reads, prefetched or not, are uniform between 1 - spread and 1 + spread of the mean."""
    program_bytes: PositiveInt
    """What a die programs at once, in bytes. Of data that were written in sequence so much lies on one die
    before the next one's turn: as many whole parts as go into it, one at least."""
    program_ps: PositiveInt
    """A die's time to program it, its share of erasing included, in ps; garbage collection prolongs it by the
    write amplification, and is not in it."""
    suspend_ps: NonNegativeInt
    """Longest wait of a read behind a program, in ps: as long as a program where the drive suspends none."""
    data_read_bytes_s: PositiveInt
    """Rate of the data path inside the drive, between dies and interface, for reads, in bytes/s. The link
    counts beside it; reads and writes share the path."""
    data_write_bytes_s: PositiveInt
    """Rate of the same path for what the host writes, on its way to the dies, in bytes/s."""
    turnaround_ps: NonNegativeInt
    """What the data path loses for each 4 KiB of an I/O in the other direction than the one before, in ps."""
    buffer_bytes: PositiveInt
    """Write buffer in bytes: a write is answered once it is in it, and leaves room when it is programmed."""
    write_cache: bool
    """Whether its write cache is on: see :attr:`buffers`."""
    protected_share: float = Field(0.0, ge=0, le=1)
    """Share of the buffer's data that a loss of power leaves: 1 where capacitors save it; below 1 a flush
    programs it."""
    prefetch: Prefetch | None
    """Prefetching of a single sequential stream; none: it does not."""

    @property
    def buffers(self) -> bool:
        """Whether writes are answered from the buffer, or when programmed.

        A buffer that outlasts a loss of power is no volatile cache: what turns such a cache off leaves it on.
        """
        return self.write_cache or self.protected_share == 1


DriveModel = Annotated[HddModel | SsdModel, Field(discriminator="kind")]


Flush = Literal["queued", "alone", "unneeded"]


class DriveSlot(Record):
    """A drive and how it is reached."""

    name: str
    """Name of the drive, for stations: equal drives have equal names."""
    path: tuple[Hop, ...]
    """From the host, or from the controller that it hangs on, to the drive."""
    model: DriveModel
    flush: Flush = "queued"
    """How it flushes: by a command like any other; by one that has the drive for itself and without which no
    write is durable, as with SATA; or by none, for it tells of nothing that could be lost."""
    commands: PositiveInt | None = None
    """Commands that it takes at once; what is sent beyond waits at its sender. None: any number."""


class PrimaryReads(Record):
    """Mirrors read from the first of a pair."""

    policy: Literal["primary"] = "primary"


class SpreadReads(Record):
    """Mirrors read from the other as well, from so many operations under way on the first."""

    policy: Literal["spread"] = "spread"
    from_outstanding: NonNegativeInt
    """0: always from the one that has fewest under way."""


class NearestReads(Record):
    """Mirrors of hard disks read from the nearer arm, unless it has more than twice as many under way."""

    policy: Literal["nearest"] = "nearest"


MirrorRead = Annotated[PrimaryReads | SpreadReads | NearestReads, Field(discriminator="policy")]


class Array(Record):
    """Drives joined to one range."""

    level: Level
    drives: tuple[NonNegativeInt, ...] = Field(min_length=1)
    """Indices of the drives, in order."""
    groups: PositiveInt
    """Groups of RAID 50 and 60; 1 for the others."""
    strip_bytes: PositiveInt
    """Bytes on one drive before the next one's turn."""
    mirror_read: MirrorRead
    failed: tuple[NonNegativeInt, ...]
    """Positions in ``drives`` of members that have failed."""
    rebuild_bytes_s: NonNegativeInt
    """Rate in bytes/s at which failed members are being rebuilt; 0: they are not."""


class OnDrive(Record):
    """A volume that is a drive."""

    kind: Literal["drive"] = "drive"
    drive: NonNegativeInt
    """Index of the drive."""


class OnHostRaid(Record):
    """A volume on drives that the host joins."""

    kind: Literal["host_raid"] = "host_raid"
    array: Array


class OnLogical(Record):
    """A volume that is a logical drive of a controller."""

    kind: Literal["logical"] = "logical"
    controller: NonNegativeInt
    """Index of the controller."""
    logical: NonNegativeInt
    """Index of the logical drive on it."""


class Volume(Record):
    """What a target of a point stands for: the target's path is the volume's name."""

    name: str
    size_bytes: PositiveInt
    """Size in bytes."""
    cpu: CpuCost
    """Processor time of the worker for an I/O."""
    child_cpu: CpuCost
    """Processor time of the worker for each operation on a member beyond the first, where the host joins."""
    on: Annotated[OnDrive | OnHostRaid | OnLogical, Field(discriminator="kind")]


class Logical(Record):
    """A logical drive of a controller, its settings resolved."""

    name: str
    array: Array
    size_bytes: PositiveInt
    """Size in bytes."""
    read_ahead: bool
    """Whether sequential reads are read ahead: into the cache, or what the controller has in place of one."""
    write_back: bool
    """Whether writes are answered from the cache."""
    cached_reads: bool
    """Whether reads fill the cache (cached) or pass it by (direct)."""
    fast_path: bool
    """Whether what is one operation on one SSD takes the fast path."""

    @model_validator(mode="before")
    @classmethod
    def _without_size(cls, data: Any) -> Any:
        """Leave out the largest I/O of the fast path, which runs kept until there was no such limit."""
        if isinstance(data, dict):
            return {name: value for name, value in data.items() if name != "fast_path_bytes"}
        return data


class VirtualController(Record):
    """A controller with a processor of its own."""

    name: str
    path: tuple[Hop, ...]
    """From the host to the controller."""
    cores: PositiveInt
    """Cores of its processor."""
    host_io_ps: NonNegativeInt
    """Processor time of an I/O of the host on the usual path, in ps, beside its operations on drives."""
    fast_io_ps: NonNegativeInt
    """The same on the fast path, in ps: no cache is looked at, and one operation on one drive is made of
    it."""
    disk_io_ps: NonNegativeInt
    """Processor time of each operation on a drive, in ps, whichever path."""
    parity_write_ps: NonNegativeInt
    """Processor time of writes for whose parity something has to be read before, beside their operations on
    drives, in ps: of a write of the host, of those that go together, or of destaging. Whole stripes need no
    such reads and do not take it."""
    parity_per_kib_ps: NonNegativeInt
    """Processor time of parity for each KiB of new parity, in ps."""
    delay_ps: NonNegativeInt
    """What every I/O takes beside host, links, processor and drives, in ps: a delay that occupies nobody."""
    read_bytes_s: PositiveInt
    """Rate at which it moves data to the host, in bytes/s."""
    write_bytes_s: PositiveInt
    """Rate at which it takes data from the host, in bytes/s."""
    parity_bytes_s: PositiveInt
    """Rate at which it takes what the host writes to arrays with parity, in bytes/s; ``write_efficiency`` can
    hold it lower."""
    cache_bytes: NonNegativeInt
    """Cache in bytes; 0: none."""
    cache_read_ps: NonNegativeInt
    """Delay of a read that the cache, or what was read ahead, answers, beside the stations, in ps."""
    cache_write_ps: NonNegativeInt
    """Delay of a write that the cache answers, beside the stations, in ps."""
    drive_queue: PositiveInt
    """Operations that it keeps under way on one drive at most."""
    logicals: tuple[Logical, ...]


class VirtualSystem(Record):
    """A host with links, switches, controllers, drives, and the volumes that a load accesses."""

    name: str
    """Short name, for stations and errors."""
    host: VirtualHost
    links: tuple[Link, ...]
    """Links, named by index in paths."""
    switches: tuple[Switch, ...]
    """Switches, named by index in paths."""
    controllers: tuple[VirtualController, ...]
    """Controllers with a processor of their own."""
    drives: tuple[DriveSlot, ...]
    """Drives, named by index everywhere."""
    volumes: tuple[Volume, ...]
    """What the targets of a point stand for."""

    def behind(self, drive: int) -> int | None:
        """Give the index of the controller that a drive hangs on; none where the host has it directly."""
        return next(
            (
                at
                for at, controller in enumerate(self.controllers)
                if any(drive in logical.array.drives for logical in controller.logicals)
            ),
            None,
        )
