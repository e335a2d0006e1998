"""Load profiles, and the standard sets of the published methods as data."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Annotated, Any, Literal

from pydantic import (
    AfterValidator,
    BeforeValidator,
    Field,
    PositiveInt,
    model_validator,
)

from iodyno.contradictions import OF_WRITES, problems_of
from iodyno.distributions import UNIFORM, Distribution
from iodyno.record import Number, number, seconds
from iodyno.record import Record as Record
from iodyno.record import Share as Share
from iodyno.units import format_size, parse_extent, parse_size

DRAWN_ALIGNMENT_BYTES = 4096
LARGEST_BLOCK_BYTES = 64 << 20
"""Largest block size of an I/O in bytes: 64 MiB."""


Size = Annotated[int, BeforeValidator(parse_size), Field(gt=0)]
DataPattern = Literal["incompressible", "repeated", "zeros"]


def block_size(size_bytes: int) -> int:
    """Refuse a block size above the limit; what is below 1 is no :data:`Size` at all."""
    if size_bytes > LARGEST_BLOCK_BYTES:
        raise ValueError(
            f"{format_size(size_bytes)} is above the limit of {format_size(LARGEST_BLOCK_BYTES)}"
        )
    return size_bytes


def _finite(weight: float) -> float:
    if not math.isfinite(weight):
        raise ValueError(f"{weight} is no weight: give a finite number above 0")
    return weight


def _microseconds(value: Any) -> Any:
    """Accept ``"200us"`` and ``"1ms"`` beside whole microseconds."""
    return round(seconds(value, unit="us") * 1e6) if isinstance(value, str) else number(value)


def _signed_size(value: Any) -> Any:
    """Accept sizes below 0: ``"-16k"``."""
    if isinstance(value, str) and value.strip().startswith("-"):
        return -parse_size(value.strip()[1:])
    return value if isinstance(value, int) and not isinstance(value, bool) else parse_size(value)


SignedSize = Annotated[int, BeforeValidator(_signed_size), Field(gt=-(1 << 63), lt=1 << 63)]
Count = Annotated[int, Number, Field(ge=0, le=1 << 32)]
Microseconds = Annotated[int, BeforeValidator(_microseconds), Field(ge=0, le=3_600_000_000)]


class Block(Record):
    """A block size and how often it is drawn."""

    bytes: Annotated[Size, AfterValidator(block_size)]
    """Block size in bytes, 1 to 64 MiB, a multiple of the target's logical block."""
    weight: Annotated[float, Number, AfterValidator(_finite)] = Field(1.0, gt=0)
    """Weight among the blocks of the profile, finite and above 0."""


def _blocks(value: Any) -> Any:
    """Accept ``"64k"``, ``["4k", "64k"]`` and ``[{bytes = "4k", weight = 60}]``."""
    items = value if isinstance(value, list | tuple) else [value]
    return [{"bytes": item} if isinstance(item, str | int) else item for item in items]


def mean_bytes(blocks: Sequence[Block]) -> float:
    """Give the mean of block sizes in bytes, by weight."""
    weight = sum(block.weight for block in blocks)
    return sum(block.bytes * block.weight for block in blocks) / weight


class Area(Record):
    """The part of a target that is accessed: each end as bytes or as a share of the range.

    Written ``"25%"`` or ``"32G"`` (from the start), or as a table
    ``{ start = "10%", length = "25%" }``.
    """

    start: Size | Share = 0.0
    """Where it begins: an int is bytes, a float a share of the range."""
    length: Size | Share = 1.0
    """How long it is: an int is bytes, a float a share of the range."""

    @model_validator(mode="before")
    @classmethod
    def _short_form(cls, value: Any) -> Any:
        value = {"length": value} if isinstance(value, str | int | float) else value
        if not isinstance(value, dict):
            return value
        return {key: _extent(item) if key in ("start", "length") else item for key, item in value.items()}

    def __eq__(self, other: object) -> bool:
        """Tell bytes from a share: 1 byte is not the whole, though 1 equals 1.0."""
        return self._apart() == other._apart() if isinstance(other, Area) else NotImplemented

    def __hash__(self) -> int:
        return hash(self._apart())

    def _apart(self) -> tuple[object, ...]:
        ends = (self.start, self.length)
        return tuple((end, bool(end) and isinstance(end, float)) for end in ends)

    def resolve(self, size_bytes: int, grain_bytes: int) -> tuple[int, int]:
        """Decide the area on a target.

        Parameters
        ----------
        size_bytes
            Size of the target.
        grain_bytes
            Both ends are rounded down to a multiple of this.

        Returns
        -------
        tuple of int
            Start and length in bytes. The length can come out as 0 or reach beyond the
            target where the area does not fit; the plan refuses that.
        """

        def at(extent: float) -> int:
            size = round(extent * size_bytes) if isinstance(extent, float) else extent
            return size // grain_bytes * grain_bytes

        return at(self.start), at(self.length)

    def __str__(self) -> str:
        def text(extent: float) -> str:
            return f"{extent * 100:g}%" if isinstance(extent, float) else format_size(extent)

        return text(self.length) if not self.start else f"{text(self.length)} from {text(self.start)}"


def _extent(value: Any) -> Any:
    return parse_extent(value) if isinstance(value, str | float) else value


class LoadProfile(Record):
    """What is asked of a target, but for how much of it: that is the point's load."""

    name: str = Field(pattern=r"^[a-z0-9][a-z0-9-]*$")
    """Short name, lower case with hyphens."""
    title: str = ""
    """Name as shown; the short name where empty."""
    stands_for: str = ""
    """What of the field it stands for."""
    version: Annotated[int, Number, Field(gt=0)] = 1
    """Version of the definition, from 1."""
    random_share: Share
    """Share of accesses at a random offset, 0 to 1; the others follow the cursor."""
    write_random_share: Share | None = None
    """The same of writes, 0 to 1, where it is not that of reads and trims; none: it is. Where it is another,
    writes follow a cursor of their own."""
    random_every: Annotated[Count, Field(ge=1)] = 1
    """Of so many accesses of a worker to a target the first alone can be random, with its share; the others
    follow the cursor. From 1: each can be."""
    gap_bytes: SignedSize = 0
    """Bytes between the end of an access and a sequential one behind it, ``"64k"``; below 0, ``"-16k"``, it
    begins so far before that end, and goes back where that is more than a block."""
    cursors: Literal["shared", "own"] = "shared"
    """Whether sequential reads (and trims) and writes follow one cursor, or each direction its own; where
    writes go another way they have their own in any case."""
    read_share: Share
    """Share of accesses that read, 0 to 1; with ``trim_share``, of those that do not trim."""
    blocks: Annotated[tuple[Block, ...], BeforeValidator(_blocks), Field(min_length=1, max_length=64)]
    """Block sizes with weights."""
    write_blocks: Annotated[tuple[Block, ...], BeforeValidator(_blocks), Field(max_length=64)] = ()
    """Block sizes of writes with weights, where they are not those of reads and trims; none: they are."""
    alignment_bytes: Size = DRAWN_ALIGNMENT_BYTES
    """Random offsets are multiples of this, in bytes."""
    write_alignment_bytes: Size | None = None
    """Random offsets of writes are multiples of this, in bytes; none: of ``alignment_bytes``."""
    distribution: Distribution = UNIFORM
    """Where random accesses go: ``"uniform"``, ``"zipf:1.2"``, ``"pareto:0.2"``, ``"normal:0.1"``,
    ``"permutation"`` (each block once before any again), or zones, ``"90/10, 10/70"``: 90 % of the
    accesses on 10 % of the range, 10 % on the next 70 %, none on the rest."""
    write_distribution: Distribution | None = None
    """Where random writes go, where that is not where reads and trims go; none: it is. Where it is another,
    writes follow a cursor of their own."""
    area: Area = Area()
    """The part of the target that is accessed."""
    data: DataPattern = "incompressible"
    """What is written: new for each block, one block repeated, or zeros."""
    data_compressible_share: Share = 0.0
    """Share of each block that compresses away, 0 to 1: of ``incompressible`` data the rest stays so."""
    data_duplicate_share: Share = 0.0
    """Share of the blocks written that are copies of earlier ones, 0 to 1; a block is that of the profile,
    128 kB where a file is filled before."""
    trim_share: Share = 0.0
    """Share of accesses that trim (discard), 0 to 1; block devices only, and what they hold is lost."""
    fsync_every: Count = 0
    """Writes of a worker to a target after which it calls fsync, from 1; 0: never."""
    fdatasync_every: Count = 0
    """Writes of a worker to a target after which it calls fdatasync, from 1; 0: never."""
    think_time_us: Microseconds = 0
    """Time in µs that a worker leaves a target alone after ``think_every`` accesses, or ``"200us"``,
    ``"1ms"``; 0: none."""
    think_every: Annotated[Count, Field(ge=1)] = 1
    """Accesses of a worker to a target before each think time, from 1."""
    shown_as: Literal["transaction_rate", "throughput"] = "transaction_rate"
    """The main figure: IO/s or MB/s."""
    source: str = ""
    """Where the profile was published."""
    assumed: str = ""
    """What of it is an assumption, said plainly; empty where nothing is."""

    @model_validator(mode="after")
    def _possible(self) -> LoadProfile:
        problems = list(problems_of(self))
        if problems:
            raise ValueError("; ".join(problems))
        return self

    @property
    def shown(self) -> str:
        """Title, or the name where there is none."""
        return self.title or self.name

    def blocks_of(self, write: bool) -> tuple[Block, ...]:
        """Give the block sizes of writes, or of reads and trims."""
        return self.write_blocks if write and self.write_blocks else self.blocks

    def alignment_of(self, write: bool) -> int:
        """Give what random offsets of writes, or of reads and trims, are multiples of, in bytes."""
        return self.write_alignment_bytes if write and self.write_alignment_bytes else self.alignment_bytes

    def random_of(self, write: bool) -> float:
        """Give the share of writes, or of reads and trims, at a random offset, 0 to 1."""
        own = self.write_random_share if write else None
        return self.random_share if own is None else own

    def distribution_of(self, write: bool) -> Distribution:
        """Give where random writes, or random reads and trims, go."""
        own = self.write_distribution if write else None
        return self.distribution if own is None else own

    @property
    def ways_differ(self) -> bool:
        """Whether writes go another way than reads and trims: each direction has a cursor of its own then."""
        shares = self.random_of(write=True) != self.random_of(write=False)
        return shares or self.distribution_of(write=True) != self.distribution_of(write=False)

    @property
    def own_cursors(self) -> bool:
        """Whether reads and trims follow one cursor and writes another."""
        return self.cursors == "own" or self.ways_differ

    @property
    def distributions(self) -> tuple[Distribution, ...]:
        """Where random accesses go: all alike, or of reads and trims and of writes, where any are random."""
        if not self.ways_differ:
            return (self.distribution,)
        found = [self.distribution_of(write) for write in (False, True) if self.random_of(write) > 0]
        return tuple(dict.fromkeys(found))

    @property
    def random(self) -> bool:
        """Whether any access goes to a random offset."""
        return self.random_of(write=False) > 0 or self.random_of(write=True) > 0

    @property
    def sequential(self) -> bool:
        """Whether any access follows a cursor."""
        directions = [*([False] if self.reads or self.trim_share else []), *([True] if self.writes else [])]
        return self.random_every > 1 or any(self.random_of(write) < 1 for write in directions)

    def mean_bytes_of(self, write: bool) -> float:
        """Give the mean block size of writes, or of reads and trims, in bytes, by weight."""
        return mean_bytes(self.blocks_of(write))

    @property
    def mean_block_bytes(self) -> float:
        """Mean block size of all accesses in bytes, by weight."""
        if not self.write_blocks:
            return self.mean_bytes_of(write=False)
        share = (1 - self.trim_share) * (1 - self.read_share)
        return share * self.mean_bytes_of(write=True) + (1 - share) * self.mean_bytes_of(write=False)

    @property
    def block_sizes(self) -> tuple[int, ...]:
        """Block sizes of all accesses in bytes, ascending, each once."""
        return tuple(sorted({block.bytes for block in (*self.blocks, *self.write_blocks)}))

    @property
    def largest_block_bytes(self) -> int:
        """Largest block size in bytes."""
        return self.block_sizes[-1]

    @property
    def grain_bytes(self) -> int:
        """What areas, zones and the parts of workers begin and end at multiples of, in bytes: the least that
        the alignments of both directions divide."""
        return math.lcm(self.alignment_of(write=False), self.alignment_of(write=True))

    @property
    def mixes(self) -> bool:
        """Whether some accesses write and others read or trim."""
        return self.writes and (self.read_share > 0 or self.trim_share > 0)

    def settled(self) -> LoadProfile:
        """Give the profile without what says nothing: of writes where these are all accesses, or none, of
        turns where nothing is random, and of cursors where nothing is sequential."""
        plain = self._of_one_direction()
        changes: dict[str, Any] = {} if plain.random else {"random_every": 1}
        if not plain.sequential:
            changes["gap_bytes"] = 0
        if not (plain.sequential and plain.mixes):
            changes["cursors"] = "shared"
        return plain.model_copy(update=changes) if changes else plain

    def _of_one_direction(self) -> LoadProfile:
        if self.mixes or not any(getattr(self, name) not in (None, ()) for name in OF_WRITES):
            return self
        random = self.random_of(self.writes)
        changes = {
            "random_share": random,
            "blocks": self.blocks_of(self.writes),
            "alignment_bytes": self.alignment_of(self.writes),
            "distribution": self.distribution_of(self.writes) if random else UNIFORM,
        }
        nothing = {name: LoadProfile.model_fields[name].default for name in OF_WRITES}
        return self.model_copy(update={**changes, **nothing})

    @property
    def writes(self) -> bool:
        """Whether any access writes."""
        return self.read_share < 1 and self.trim_share < 1

    @property
    def reads(self) -> bool:
        """Whether any access reads."""
        return self.read_share > 0 and self.trim_share < 1

    @property
    def syncs(self) -> bool:
        """Whether syncs follow writes."""
        return self.fsync_every > 0 or self.fdatasync_every > 0

    @property
    def alters(self) -> bool:
        """Whether any access writes or trims: what a target held is lost then."""
        return self.writes or self.trim_share > 0


class StandardLoad(Record):
    """A profile of a set with the workers and outstanding that its method fixes."""

    profile: LoadProfile
    workers: PositiveInt = 1
    outstanding: tuple[PositiveInt, ...] = ()
    """Outstanding per target and worker; empty where the method sweeps it."""


POWERS_OF_TWO = (1, 2, 4, 8, 16, 32, 64, 128, 256, 512)
"""Load intensities of the published methods: outstanding I/Os."""
ONE_THREE_EIGHT = (1, 3, 8, 16, 32, 64, 128, 256, 512)
"""The other count, of one of the papers."""
INTENSITIES = {"powers-of-two": POWERS_OF_TWO, "one-three-eight": ONE_THREE_EIGHT}

OF_A_JOB_FILE = "a job file of fio"
"""The source of profiles that come from no publication, but from a job file."""
_RAID_PAPER = "Fujitsu, White Paper, RAID Controller Performance 2016, version 1.0d, 2016-08-29"
_LENOVO = (
    "Lenovo Press, Comparing the Effect of PCIe Host Connections on NVMe Drive Performance (LP0865), "
    "2018-04-13"
)


def _office(name: str, title: str, stands_for: str, random: float, read: float, kib: int) -> StandardLoad:
    shown = "transaction_rate" if random else "throughput"
    return StandardLoad(
        profile=LoadProfile(
            name=name, title=title, stands_for=stands_for, random_share=random, read_share=read,
            blocks=(Block(bytes=kib * 1024),), shown_as=shown, source=_RAID_PAPER,
        )
    )  # fmt: skip


def _host_connection(
    name: str, title: str, random: float, read: float, kib: int, workers: int, depth: int, assumed: str
) -> StandardLoad:
    return StandardLoad(
        profile=LoadProfile(
            name=name, title=title, random_share=random, read_share=read, blocks=(Block(bytes=kib * 1024),),
            shown_as="transaction_rate" if random else "throughput", source=_LENOVO, assumed=assumed,
        ),
        workers=workers,
        outstanding=(depth,),
    )  # fmt: skip


_DEPTH_ASSUMED = (
    "Lenovo Press LP0865 does not print whether queue depth 256 is per worker or in all; in all is assumed: "
    "8 × 32."
)

STANDARD_SETS: dict[str, tuple[StandardLoad, ...]] = {
    "field": (
        _office("file-copy", "File copy", "copying files", 1.0, 0.5, 64),
        _office("file-server", "File server", "file server", 1.0, 0.67, 64),
        _office("database", "Database", "database, mail server", 1.0, 0.67, 8),
        _office("streaming", "Streaming", "database log, backup, video", 0.0, 1.0, 64),
        _office("restore", "Restore", "restoring files", 0.0, 0.0, 64),
    ),
    "nvme-host-connections": (
        _host_connection("random-write-4k", "Random write 4 kB", 1.0, 0.0, 4, 8, 32, _DEPTH_ASSUMED),
        _host_connection("random-read-4k", "Random read 4 kB", 1.0, 1.0, 4, 8, 32, _DEPTH_ASSUMED),
        _host_connection(
            "oltp-4k", "OLTP 4 kB", 1.0, 0.7, 4, 8, 32,
            "Lenovo Press LP0865 does not print the read share; 70% is assumed. Nor does it print whether "
            "queue depth 256 is per worker or in all; in all is assumed: 8 × 32.",
        ),
        _host_connection("sequential-write-256k", "Sequential write 256 kB", 0.0, 0.0, 256, 1, 64, ""),
        _host_connection("sequential-read-256k", "Sequential read 256 kB", 0.0, 1.0, 256, 1, 64, ""),
    ),
}  # fmt: skip
"""The sets of the published methods, by name."""

STANDARD_LOADS = {load.profile.name: load for loads in STANDARD_SETS.values() for load in loads}
"""Every standard profile by its short name."""
