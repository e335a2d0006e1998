"""What a load is on average: accesses of a point, and the operations that arrays make of them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from iodyno.plan import Point

MOST_COMMANDS = 1 << 16
"""Commands on a drive where nothing limits them: more than any load here has."""


@dataclass(frozen=True)
class Access:
    """A class of accesses: reads or writes of one size."""

    share: float
    """How many of an I/O are of it, 0 to 1."""
    write: bool
    bytes: int
    """Size in bytes."""
    alignment_bytes: int
    """Random offsets are multiples of this, in bytes."""


@dataclass(frozen=True)
class Load:
    """What a point asks of one of its targets."""

    share: float
    """Share of the I/Os that go to the target, 0 to 1."""
    outstanding: int
    """I/Os outstanding on the target in all."""
    random_share: float
    read_share: float
    mean_written_bytes: float
    """Mean size of a write in bytes."""
    length_bytes: int
    """Length of the accessed area in bytes."""
    start_bytes: int
    classes: tuple[Access, ...]
    first_share: float | None = None
    """What of a set's reads goes to its first copy, where the others are read once that has enough under way;
    none: reckoned from what is outstanding."""

    @property
    def written_bytes(self) -> float:
        """Bytes of the area that writes can come to: not all of it where all are at random, and begin further
        apart than they are long."""
        grain = max((access.alignment_bytes for access in self.classes if access.write), default=0)
        if self.random_share < 1 or grain <= self.mean_written_bytes:
            return self.length_bytes
        return self.length_bytes * self.mean_written_bytes / grain


def one_at_a_time(point: Point) -> Point:
    """Give a point whose workers think as what it is: who thinks after every access has no other outstanding.

    Of those that think after several, with more outstanding, the formulas know nothing: see ``knows.py``.
    """
    return point.model_copy(update={"outstanding": 1}) if point.profile.think_time_us else point


def loads(point: Point, first_share: float | None = None) -> Iterator[tuple[str, Load]]:
    """Give what a point asks of each target, with the target's path."""
    profile = point.profile
    weights = {write: sum(block.weight for block in profile.blocks_of(write)) for write in (False, True)}
    classes = tuple(
        Access(share * block.weight / weights[write], write, block.bytes, profile.alignment_of(write))
        for write, share in ((False, profile.read_share), (True, 1 - profile.read_share))
        for block in profile.blocks_of(write)
        if share > 0
    )
    for target in point.targets:
        yield (
            target.path,
            Load(
                share=1 / len(point.targets),
                outstanding=point.outstanding * point.workers,
                random_share=profile.random_share,
                read_share=profile.read_share,
                mean_written_bytes=profile.mean_bytes_of(write=True),
                length_bytes=target.area_length_bytes,
                start_bytes=target.area_start_bytes,
                classes=classes,
                first_share=first_share,
            ),
        )


@dataclass(frozen=True)
class Operations:
    """Equal operations on one drive that an I/O makes, on average."""

    count: float
    """How many of an I/O; below 1 where not every I/O makes one."""
    write: bool
    bytes: float
    """Size of one in bytes."""
    waited: float
    """Share of them that the I/O waits for, 0 to 1: 0 behind its back."""
    parallel: float = 1.0
    """Operations side by side on several drives."""
    alike: float = 1.0
    """How many of these find the same on their drives: copies of one piece, which are written together."""
    each: float = 1.0
    """Operations of an I/O, one behind the other, on a drive that has some."""
    most: float = 1.0
    """The same on the drive that has most to do, in operations of the mean size."""
    following: float = 0.0
    """Share of them that write what they have read on their drives right before, all that belong together."""
    span_bytes: float = 0.0
    """Bytes of a drive from the first to the last of them, where they are several."""


def waited_reads(operations: Iterable[Operations]) -> float:
    """Give how many reads an I/O waits for."""
    return sum(op.count for op in operations if not op.write and op.waited)


@dataclass(frozen=True)
class DriveUse:
    """What a load does with one drive: what its state follows from."""

    operations: tuple[Operations, ...]
    random_share: float
    accessed_bytes: float
    start_bytes: float
    """Where the accessed area begins on the drive."""
    outstanding: float
    """Operations under way on the drive at most, that something waits for."""
    members: int = 1
    """Drives that the load is spread over."""
    sharing: float = 1.0
    """Drives that share the reads that are waited for; inf where not all that is outstanding waits."""
    streams: int = 1
    """Streams of the load that come to it, where accesses are in order."""
    queue_limit: int = MOST_COMMANDS
    """Operations that whoever sends them keeps under way at most."""
    destaging: float = 0.0
    """Operations that a drive chooses from where some go on behind the back of I/Os; 0: none do."""
    under_way: float = 0.0
    """Those of them that a controller destages."""
    destaged_distance: float = 1 / 3
    """Mean way of the arm to such an operation, as a share of the accessed stretch."""
    gathered: int = 1
    """Rows that a controller has whole of a stream when it has taken a write of it, where it gathers."""
    dirty: float = 0.0
    """Share of the bytes that are dirty where a sweep over the drive comes next; 0: none goes there."""
    passed_over: float = 1.0
    """Bytes of the drive that pass for each byte of a sequential read: copies and parity lie between."""
    run_bytes: float = 0.0
    """Bytes that lie side by side of what a stream reads on the drive; 0: all of them."""
    nearest: bool = False
    """Whether reads take the copy whose arm is nearer."""
    starts: tuple[int, ...] = ()
    """First bytes of streams in order, where they are several, or one that is read and written."""
    each: int = 1
    """Accesses that each of them has outstanding."""
    cores: int = 1
    """Cores of the host that begin with them."""
    fetched: float = 0.0
    """Operations that are fetched ahead of each; 0: its accesses are what is sent."""
    copies: int = 1
    """Copies of which one alone reads for each of them."""
    turns: float = 0.0
    """Share of accesses in order that go to other drives than the one before."""
    think_s: float = 0.0
    """For how long a worker thinks after so many accesses, in s."""
    think_every: int = 1
    overwritten_share: float = 1.0
    """What writes go to of the accessed area in the long run: blocks may leave what lies between them as it
    is."""
