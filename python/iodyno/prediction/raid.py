"""What an array makes of an access, on average: operations on its members."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from iodyno.plan import Point
from iodyno.prediction.accesses import Access, Load, Operations
from iodyno.prediction.parity import mean_update, update_shares
from iodyno.prediction.pieces import Own, Pieces, Shape, mean_computed, mean_read, read_shares
from iodyno.prediction.shifted import Rows, mean_pieces
from iodyno.virtual import Array, NearestReads, PrimaryReads, SpreadReads

PARITIES = {"5": 1, "6": 2, "50": 1, "60": 2}
"""Strips of parity in a row, by level."""


@dataclass
class Mapped:
    """Operations of one class of accesses on an array."""

    by_member: dict[int, list[Operations]] = field(default_factory=dict)
    """Operations by position of the member, for one access."""
    operations: float = 0.0
    """Operations of one access in all."""
    phases: float = 1.0
    """1, or 2 where all is read before anything is written; between them where only some writes read."""
    parity_bytes: float = 0.0
    """Bytes of new parity."""
    lost_bytes: float = 0.0
    """Bytes that are read of failed members: they are computed."""
    telling_bytes: float = 0.0
    """Bytes of the others that tell them."""

    def add(
        self, shares: dict[int, float], count: float, longer: dict[int, float], **of: float | bool
    ) -> None:  # fmt: skip
        """Add so many operations, spread over members by their shares, which sum to 1; those of some members
        are longer than the mean, or shorter."""
        self.operations += count
        for member, share in shares.items():
            if share:
                own = of | {"bytes": of["bytes"] * longer.get(member, 1.0)}
                operations = Operations(count=count * share, **own)  # type: ignore[arg-type]
                self.by_member.setdefault(member, []).append(operations)

    def compute(self, computed: tuple[float, float], share: float = 1.0) -> None:
        """Add what is computed of failed members, and of how many bytes."""
        self.lost_bytes += share * computed[0]
        self.telling_bytes += share * computed[1]


class ArrayMap:
    """An array under a load."""

    def __init__(self, array: Array, load: Load) -> None:
        self.array, self.load = array, load
        self.members = len(array.drives)
        self.parity = PARITIES.get(array.level, 0)
        self.width = self.members // array.groups if self.parity else self.members
        self.data = self.width - self.parity
        self.alive = [at for at in range(self.members) if at not in array.failed]

    @property
    def copies(self) -> int:
        """Copies of every byte."""
        return {"1": self.members, "10": 2, "1E": 2}.get(self.array.level, 1)

    @property
    def data_members(self) -> float:
        """Members' worth of data."""
        return self.members / self.copies * self.data / self.width

    def passed_over(self, member: int) -> float:
        """Give the bytes of a member that pass for each byte read of it sequentially.

        Its parity passes, and what other copies read.
        """
        if self.array.level == "1E":
            # Every other row repeats the one before, so all rows pass, whichever are read of whom is left.
            return self.copies * len(self.alive) / self.members
        copies = max(self.living_copies(member), 1)
        turns = copies if self.first_share(2.0, copies) != 1 else 1
        return turns * self.width / self.data

    @property
    def run_bytes(self) -> float:
        """Bytes of a member that a stream reads side by side, up to its parity; 0 where there is none."""
        return self.data * self.array.strip_bytes if self.parity else 0.0

    def living_copies(self, member: int) -> int:
        """Count the living members with the same bytes as one."""
        first = member // self.copies * self.copies
        return sum(at in self.alive for at in range(first, first + self.copies))

    def in_one_strip(self, access: Access) -> float:
        """Give the share of accesses that end in the strip in which they begin; one member has no borders."""
        strip, size = self.array.strip_bytes, access.bytes
        if self.members == 1:
            return 1.0
        random = self.load.random_share
        ways = ((math.gcd(access.alignment_bytes, strip), random), (math.gcd(size, strip), 1 - random))
        start = self.load.start_bytes
        counts = ((grain, (strip - size - start % grain) // grain + 1, share) for grain, share in ways)
        return sum(share * max(count, 0) * grain / strip for grain, count, share in counts)

    @property
    def lost_share(self) -> float:
        """What of the reads has to be told from other members: with mirrors nothing."""
        return len(self.array.failed) / self.members if self.parity else 0.0

    def evenly(self) -> dict[int, float]:
        """All living members alike."""
        return {member: 1 / len(self.alive) for member in self.alive}

    def read_shares(self) -> dict[int, float]:
        """What of the reads goes to which member."""
        if self.copies == 1 or self.array.level == "1E":
            return self.evenly()
        sets = self.members // self.copies
        shares: dict[int, float] = {}
        for first in range(0, self.members, self.copies):
            alive = [at for at in range(first, first + self.copies) if at in self.alive]
            most = self.first_share(self.load.outstanding / sets, len(alive))
            rest = (1 - most) / max(len(alive) - 1, 1)
            shares |= {at: (rest if at != alive[0] else most) / sets for at in alive}
        return shares

    def first_share(self, outstanding: float, copies: int) -> float:
        """What of a set's reads goes to its first copy, with so many outstanding on the set."""
        policy = self.array.mirror_read
        if isinstance(policy, PrimaryReads) or copies == 1:
            return 1.0
        if isinstance(policy, NearestReads):
            return 1 / copies
        if self.load.first_share is not None:
            return self.load.first_share
        ahead = min(policy.from_outstanding, outstanding)
        return (ahead + (outstanding - ahead) / copies) / outstanding

    def under_way(self, member: int, point: Point) -> float:
        """Give how many of the accesses outstanding a member has at the most, where all are read in order.

        Workers with one read each have a copy each of what is spread, as long as there are so many: who comes
        finds the copies of the others busy, and takes the one that it had. That has one stream then, and
        fetches ahead of it. Fewer workers than copies go on with theirs where there are more than two.
        """
        copies = self.living_copies(member)
        enough = point.workers == copies or (point.workers <= copies and self.copies > 2)
        own = self.array.level in ("1", "10") and enough and self.one_each(point)
        return 1.0 if own else self.load.outstanding

    def streams_share(self, member: int, point: Point) -> float:
        """Give which share of the workers a member has for itself, where all read in order.

        Of a RAID 1 each copy has as many as the others, if they can be divided so: who comes finds one fewer
        at the copy that it had. Else they change copies now and then, and all come to each.
        """
        copies = self.living_copies(member)
        settled = self.array.level == "1" and copies and self.one_each(point) and not point.workers % copies
        return 1 / copies if settled else 1.0

    @property
    def turns(self) -> float:
        """Share of accesses in order that go to other drives than the one before, where drives have turns."""
        if self.parity or self.array.level in ("1", "1E"):
            return 0.0
        strips = min(access.bytes / self.array.strip_bytes for access in self.load.classes)
        return min(strips, 1.0) if self.members / self.copies >= 2 * max(strips, 1.0) else 0.0

    @property
    def by_fewest(self) -> bool:
        """Tell whether random reads take the copy that has the fewest under way."""
        load, policy = self.load, self.array.mirror_read
        spread = isinstance(policy, SpreadReads) and policy.from_outstanding == 0
        return spread and self.array.level in ("1", "10") and load.random_share > 0 and load.read_share == 1

    def one_each(self, point: Point) -> bool:
        """Tell whether all workers read streams of their own in order, a read each, by the idlest copy."""
        load, policy = self.load, self.array.mirror_read
        spread = isinstance(policy, SpreadReads) and policy.from_outstanding == 0
        alone = load.outstanding == point.workers and point.workers_area != "stream"
        return spread and alone and load.random_share == 0 and load.read_share == 1

    def nearer_reads(self, member: int) -> bool:
        """Tell whether a member shares its reads with another by the way of their arms."""
        if self.copies == 1 or not isinstance(self.array.mirror_read, NearestReads):
            return False
        if self.array.level == "1E":
            return not self.array.failed
        return self.living_copies(member) > 1

    def read(self, access: Access, waited: float = 1.0) -> Mapped:
        """Map a read; ``waited`` is 0 where nobody waits for it."""
        if self.array.level == "1E":
            return self.shifted(access, waited)
        mapped = Mapped()
        for made, share, own in self.cut(access):
            drives = made.operations / made.each
            mapped.add(
                self.weighted(self.read_shares(), own), share * made.operations, self.longer(own),
                write=False, bytes=made.moved_bytes / made.operations, waited=waited / made.operations,
                parallel=drives, **self.unequal(made),
            )  # fmt: skip
        if self.lost_share:
            for grain, share in self.ways(access).items():
                mapped.compute(self.computed(access.bytes, grain, self.load.start_bytes), share)
        return mapped

    def computed(self, size: int, grain: int, start: int = 0) -> tuple[float, float]:
        """Give what is computed of a read with parity, and of how many bytes."""
        return mean_computed(self.shape, size, grain, start)

    def weighted(self, shares: dict[int, float], own: Own) -> dict[int, float]:
        """Weight what members have of what all have alike by what each, or its set, has; not where that is
        nothing."""
        if not own:
            return shares
        if self.copies == 1:
            return {member: own[member][0] for member in shares}
        sets = self.members // self.copies
        return {member: share * own[member // self.copies][0] * sets for member, share in shares.items()}

    def longer(self, own: Own) -> dict[int, float]:
        """Give how long operations are, in terms of the mean, of members that have unlike ones."""
        return {member: own[member // self.copies][1] for member in self.alive} if own else {}

    def cut(self, access: Access) -> Iterator[tuple[Pieces, float, Own]]:
        """Give what becomes of each set of copies, or member, at random and in order, each with its share.

        With it comes what of it each set has; nothing where all have as much.
        """
        random, start = self.load.random_share, self.load.start_bytes
        own = self.in_order(access.bytes, start)
        if random > 0:
            at = self.shape, access.bytes, access.alignment_bytes, start
            yield mean_read(*at), random, read_shares(*at)
        if random < 1 and not self.fits(access):
            yield mean_read(self.shape, access.bytes, access.bytes, start), 1 - random, own
        elif random < 1:
            strips = min(max(access.bytes / self.array.strip_bytes, 1.0), self.members / self.copies)
            count = strips * (1 + self.lost_share * (self.data - 1))
            each = access.bytes / strips
            yield Pieces(count, count * each, 1.0, each, each), 1 - random, own

    def in_order(self, size: int, start: int = 0) -> Own:
        """Give what each member has of reads in order; nothing where all have as much."""
        return read_shares(self.shape, size, size, start) if self.shape.unlike else ()

    def fits(self, access: Access) -> bool:
        """Tell whether accesses one behind the other end where strips do, or strips where accesses do."""
        grain = math.gcd(access.bytes, self.array.strip_bytes)
        return grain in (access.bytes, self.array.strip_bytes) and self.load.start_bytes % grain == 0

    def unequal(self, made: Pieces) -> dict[str, float]:
        """Give what tells the drive that has most of an access from the others."""
        size = made.moved_bytes / made.operations
        return {"each": made.each, "most": made.most_bytes / size, "span_bytes": made.span_bytes}

    @property
    def shape(self) -> Shape:
        """Rows of the array, of copies one."""
        if self.copies > 1:
            return Shape(self.members // self.copies, 0, 1, self.array.strip_bytes)
        failed = frozenset(self.array.failed)
        return Shape(self.data, self.parity, self.array.groups, self.array.strip_bytes, failed)

    def gathers(self, access: Access, stripes: int) -> bool:
        """Say whether writes become whole stripes without a cache.

        They do in a stream, where others are outstanding that fill so many stripes.
        """
        stream = self.load.random_share == 0 and self.load.read_share == 0
        others = (self.load.outstanding - 1) * access.bytes
        return stream and others >= stripes * self.data * self.array.strip_bytes

    def write(self, access: Access, waited: float = 1.0, coalesced: bool = False) -> Mapped:
        """Map a write; ``coalesced`` where sequential writes become whole stripes."""
        if self.parity:
            return self.full_stripe(access, waited) if coalesced else self.update(access, waited)
        if self.array.level == "1E":
            return self.shifted(access, waited)
        mapped, copies = Mapped(), self.copies * len(self.alive) / self.members
        for made, share, own in self.cut(access):
            shares = self.weighted(self.evenly(), own)
            # Of a set with failed members there are fewer copies.
            every = sum(shares.values())
            shares = {member: of / every for member, of in shares.items()}
            count = made.operations * copies * every
            mapped.add(
                shares, share * count, self.longer(own), write=True, bytes=made.moved_bytes / made.operations,
                waited=waited / count, parallel=max(count / made.each, 1.0), alike=max(copies, 1.0),
                **self.unequal(made),
            )  # fmt: skip
        return mapped

    def shifted(self, access: Access, waited: float) -> Mapped:
        """Map an access to a RAID 1E: a member can have several pieces of it."""
        rows = Rows(self.members, self.array.strip_bytes, tuple(self.array.failed))
        own_share = None if access.write else self.first_share(self.load.outstanding / self.members, 2)
        mapped = Mapped()
        for grain, share in self.ways(access).items():
            made = mean_pieces(rows, access.bytes, grain, own_share, self.load.start_bytes)
            drives, size = made.operations / made.each, made.moved_bytes / made.operations
            mapped.add(
                self.evenly(), share * made.operations, {}, write=access.write,
                bytes=size, waited=waited / made.operations, parallel=drives, **self.unequal(made),
            )  # fmt: skip
        return mapped

    def ways(self, access: Access) -> dict[int, float]:
        """Give what beginnings of an access are multiples of: uniform offsets on the alignment, or one access
        behind the other; each with its share."""
        if access.alignment_bytes == access.bytes:
            return {access.bytes: 1.0}
        random = self.load.random_share
        ways = {access.alignment_bytes: random, access.bytes: 1 - random}
        return {grain: share for grain, share in ways.items() if share > 0}

    def full_stripe(self, access: Access, waited: float) -> Mapped:
        """Write whole strips with their parity: nothing is read."""
        size = min(float(self.array.strip_bytes), access.bytes * 1.0)
        count = access.bytes / size * self.width / self.data * len(self.alive) / self.members
        mapped = Mapped(parity_bytes=access.bytes * self.parity / self.data)
        mapped.add(
            self.evenly(), count, {}, write=True, bytes=size, waited=waited / count, parallel=max(count, 1.0)
        )
        return mapped

    def whole_rows(self, access: Access, waited: float) -> Mapped:
        """Write what a cache has gathered of a stream: whole strips, with their copies or their parity."""
        size = float(self.array.strip_bytes)
        count = access.bytes / size * self.copies * self.width / self.data * len(self.alive) / self.members
        mapped = Mapped(parity_bytes=access.bytes * self.parity / self.data)
        mapped.add(
            self.evenly(), count, {}, write=True, bytes=size, waited=waited / count, parallel=max(count, 1.0)
        )
        return mapped

    def update(self, access: Access, waited: float) -> Mapped:
        """Write with what is read before it where rows are not covered; then new data and parity."""
        mapped = Mapped(phases=1.0)
        for grain, share in self.ways(access).items():
            made = mean_update(self.shape, access.bytes, grain, self.load.start_bytes)
            mapped.phases += share * made.reading
            mapped.parity_bytes += share * made.parity_bytes
            mapped.compute(made.computed, share)
            at = self.shape, access.bytes, grain, self.load.start_bytes
            own = update_shares(*at) if grain == access.alignment_bytes else ((), ())
            for write, passes, count, moved, most in (
                (False, made.reading, made.reads, made.read_bytes, made.most_read_bytes),
                (True, 1.0, made.writes, made.written_bytes, made.most_written_bytes),
            ):
                if count:
                    mapped.add(
                        self.weighted(self.evenly(), own[write]), share * count, self.longer(own[write]),
                        write=write, bytes=moved / count, waited=waited * passes / count,
                        parallel=max(count / passes, 1.0), most=most / (moved / count),
                        following=made.following if write else 0.0,
                    )  # fmt: skip
        return mapped


def scaled(mapped: Mapped, factor: float, longer: float = 1.0) -> Mapped:
    """So many of the operations, each so many times as long."""
    by_member = {
        member: [replace(op, count=op.count * factor, bytes=op.bytes * longer) for op in operations]
        for member, operations in mapped.by_member.items()
    }
    return replace(mapped, by_member=by_member)
