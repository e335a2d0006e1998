"""A controller as stations: processor, data to and from the host, cache, and what it sends to drives."""

from __future__ import annotations

import math
from dataclasses import replace

from iodyno.plan import Point
from iodyno.prediction.accesses import MOST_COMMANDS, Access, Load, Operations
from iodyno.prediction.demands import PS, Demands
from iodyno.prediction.paths import passing, travel
from iodyno.prediction.raid import ArrayMap, Mapped, scaled
from iodyno.prediction.records import Servers
from iodyno.prediction.sweep import front_density
from iodyno.virtual import HddModel, LinkHop, Logical, OnLogical, VirtualController, VirtualSystem

AHEAD_BYTES = 256 << 10
"""Least bytes that a controller fetches ahead of a stream at once."""
UNITS_AHEAD = 4
"""How often so much is fetched ahead of a stream."""
TOGETHER = 16
"""Dirty blocks of a stripe whose parity is updated at once, at most."""
GAPS_FROM_SHARE = 0.4
"""Share of reads of a stream from which on a controller fetches what lies between them too."""
GAP_SHARE = 1 / 8
"""What may lie between them, as a share of what is fetched at once. Both as assumed of the simulated
controller (``READS_PERCENT`` and ``GAPS`` of ``crates/sim/src/controller/ahead.rs``)."""
LINE_BYTES = 4096
"""Smallest part of a cache that a block takes."""
LONGEST_BYTES = 1 << 20
"""What is written at once of dirty blocks side by side, at most."""


def sharing_caches(system: VirtualSystem, point: Point) -> VirtualSystem:
    """Give a system whose controllers have as much cache as each of the logical drives has that use it."""
    reads, writes = point.profile.read_share > 0, point.profile.read_share < 1
    volumes = {volume.name: volume.on for volume in system.volumes}
    users: list[set[int]] = [set() for _ in system.controllers]
    for target in point.targets:
        on = volumes[target.path]
        if isinstance(on, OnLogical):
            logical = system.controllers[on.controller].logicals[on.logical]
            if (logical.write_back and writes) or (logical.cached_reads and reads):
                users[on.controller].add(on.logical)
    if all(len(found) < 2 for found in users):
        return system
    controllers = tuple(
        model.model_copy(update={"cache_bytes": model.cache_bytes // max(len(found), 1)})
        for model, found in zip(system.controllers, users, strict=True)
    )
    return system.model_copy(update={"controllers": controllers})


class LogicalMap:
    """A logical drive of a controller under a load: all of the controller's cache is its own."""

    def __init__(self, system: VirtualSystem, controller: int, logical: Logical, load: Load) -> None:
        self.system, self.index, self.logical, self.load = system, controller, logical, load
        self.model: VirtualController = system.controllers[controller]
        self.commands = min(system.drives[drive].commands or MOST_COMMANDS for drive in logical.array.drives)
        self.array = ArrayMap(logical.array, load)
        cached = self.model.cache_bytes > 0
        self.write_back = cached and logical.write_back
        alone = load.read_share == 1 or load.random_share > 0 or len(logical.array.drives) > 1
        self.read_ahead = logical.read_ahead and alone
        # Writes smaller than a line take one all the same.
        room = self.model.cache_bytes * min(load.mean_written_bytes / LINE_BYTES, 1.0)
        random = load.random_share > 0 and load.read_share < 1 and self.write_back
        self.dirty_share = min(room / load.written_bytes, 1.0) if random else 0.0
        kept = cached and logical.cached_reads
        # Reads in order find what they left only where all is there.
        self.all_kept = kept and load.length_bytes <= self.model.cache_bytes
        self.kept_share = load.random_share * self.model.cache_bytes / load.length_bytes if kept else 0.0

    @property
    def over_gaps(self) -> bool:
        """Whether what it fetches of a disk goes over what a stream writes, which the disk's cache takes:
        then nobody waits for the arm.

        It does over gaps of an eighth of what it fetches at once, and what is read in the time of a command.
        """
        logical, load = self.logical, self.load
        model = self.system.drives[logical.array.drives[0]].model
        if not logical.read_ahead or self.write_back or not isinstance(model, HddModel):
            return False
        cheap_bytes = model.command_ps * PS * model.inner_bytes_s + self.unit_bytes * GAP_SHARE
        small = max(access.bytes for access in load.classes) <= cheap_bytes
        return model.write_cache and small and GAPS_FROM_SHARE <= load.read_share < 1

    @property
    def most_under_way(self) -> int:
        """Operations on a drive that destaging has under way at most: half of its queue."""
        return max(min(self.model.drive_queue, self.commands) // 2, 1)

    @property
    def under_way(self) -> float:
        """Operations on a drive that destaging has under way.

        The more is dirty of what the cache can have so, the more are under way, up to half of the drive's
        queue: as many as it takes to destage what is written. By Little's law they are to the reads there as
        their rates, where both wait as long.
        """
        most, load = self.most_under_way, self.load
        if not load.read_share:
            return most
        of_write = 2 * (1 + self.array.parity) if self.array.parity else self.array.copies
        of_read = of_write * (1 - load.read_share) / load.read_share
        return min(load.outstanding / self.array.members * of_read, most)

    @property
    def destage_depth(self) -> float:
        """Give of how many on a drive, and of what waits there beside them, the next is chosen."""
        reads = self.load.outstanding * self.load.read_share / self.array.members
        if not reads:
            # A place is free again when all of a block's operations are done: by then each is, on the mean.
            side_by_side = 1 + self.array.parity if self.array.parity else self.array.copies
            each = sum(1 / count for count in range(1, side_by_side + 1)) if self.front_density else 1.0
            return self.under_way / each
        return max(self.under_way + min(reads, self.most_under_way), 1.0)

    @property
    def front_density(self) -> float:
        """Share of a drive's bytes that are dirty where the sweep comes, if all is at random; else 0."""
        load, array = self.load, self.array
        if not self.dirty_share or load.random_share < 1:
            return 0.0
        # Of parity as much is written as of data, but for what blocks of a stripe share.
        places = array.data / array.width * (1 + array.parity / self.together)
        places *= load.written_bytes / load.length_bytes
        return min(front_density(self.dirty_share) * places * self.longer, 1.0)

    @property
    def together(self) -> float:
        """Dirty blocks of a stripe whose parity is updated at once."""
        load, array = self.load, self.array
        disk = isinstance(self.system.drives[self.logical.array.drives[0]].model, HddModel)
        alone = not disk or self.logical.array.failed or load.random_share < 1 or not self.dirty_share
        if not array.parity or alone:
            return 1.0
        stripe_bytes = array.data * self.logical.array.strip_bytes
        written_bytes = stripe_bytes * load.written_bytes / load.length_bytes
        blocks = written_bytes * front_density(self.dirty_share) / load.mean_written_bytes
        return min(blocks / -math.expm1(-blocks), TOGETHER)

    def joined(self, access: Access) -> Access:
        """Give what is destaged at once: dirty blocks side by side are one operation, without parity.

        Of places on a grain g each has a write of L bytes with a chance a where the sweep comes, so that of
        its bytes 1 − (1 − a)^(L/g) = p are dirty. Blocks side by side begin where a write does and none has
        reached the place before, with a chance of a·(1 − p): they are p·g ÷ (a·(1 − p)) long on average. Of
        what is longer than the longest it is cut, if lengths are taken as exponential. Where places are
        further apart than writes are long, none lies beside another.
        """
        share = front_density(self.dirty_share) if self.front_density else 0.0
        grain, size = access.alignment_bytes, access.bytes
        if not share or self.array.parity or grain > size:
            return access
        clean = max(1 - share, 1e-9)
        run = share * grain / clean / (1 - clean ** (grain / size))
        most = max(LONGEST_BYTES, round(self.logical.array.strip_bytes * self.array.data_members))
        made = -run * math.expm1(-most / run)
        return replace(access, bytes=max(round(made / LINE_BYTES) * LINE_BYTES, size))

    @property
    def longer(self) -> float:
        """How much longer operations of an update are, as parity goes from its first block to its last."""
        strip_bytes, size = self.logical.array.strip_bytes, self.load.mean_written_bytes
        blocks, parities = self.together, self.array.parity / self.together
        reach = size + max(strip_bytes - size, 0.0) * (blocks - 1) / (blocks + 1)
        return (size + parities * reach) / (size + parities * size)

    @property
    def destaged_distance(self) -> float:
        """Mean way of the arm to what is destaged next: dirty blocks are near each other, reads anywhere."""
        blocks = max(self.dirty_share * self.load.written_bytes / self.load.mean_written_bytes, 1.0)
        near = min(self.destage_depth * self.array.members / blocks, 1 / 3)
        return self.load.read_share / 3 + (1 - self.load.read_share) * near

    @property
    def whole_at_once(self) -> int:
        """Rows of a stream that are whole when a write of it has come: they go to the drives one behind the
        other, before what others write."""
        row_bytes = self.logical.array.strip_bytes * self.array.data_members
        return max(int(self.load.mean_written_bytes // row_bytes), 1)

    @property
    def unit_bytes(self) -> int:
        """Bytes that are fetched ahead at once: whole rows, and no less than the largest read."""
        row = round(self.logical.array.strip_bytes * self.array.data_members)
        largest = max((access.bytes for access in self.load.classes if not access.write), default=0)
        return row * -(-max(AHEAD_BYTES, largest) // row)

    def place(self, demands: Demands) -> list[Mapped]:
        """Add what an I/O asks of the controller; gives the operations that it sends to drives."""
        sent = []
        for access in self.load.classes:
            travel(
                demands, self.system, self.model.path, write=access.write,
                count=access.share * self.load.share, size=access.bytes, waited=0.0,
            )  # fmt: skip
            self.to_and_from_host(demands, access)
            sent += self.write(demands, access) if access.write else self.read(demands, access)
        demands.delay(
            f"{self.model.name}: delay", "controller_cpu", self.load.share * self.model.delay_ps * PS
        )
        return sent

    def to_and_from_host(self, demands: Demands, access: Access) -> None:
        """Data move at the controller's rate; the link moves the same bytes at the same time."""
        direction, rate = (
            ("data from host", self.model.write_bytes_s) if access.write
            else ("data to host", self.model.read_bytes_s)
        )  # fmt: skip
        demands.visit(
            (direction, self.index), f"{self.model.name}: {direction}", "host_link",
            visits=access.share * self.load.share, service_s=access.bytes / rate,
        )  # fmt: skip
        demands.travelled_s[access.write] += access.share * self.load.share * access.bytes / rate

    def process(self, demands: Demands, count: float, seconds: float, waited: float) -> None:
        """Add visits to the processor."""
        demands.visit(
            ("processor", self.index), f"{self.model.name}: processor", "controller_cpu",
            visits=count * self.load.share, service_s=seconds, passes=count * waited * self.load.share,
            law=Servers(servers=self.model.cores),
        )  # fmt: skip

    def read(self, demands: Demands, access: Access) -> list[Mapped]:
        """A read is answered from the cache, from what was fetched ahead, or by the drives."""
        model, share = self.model, access.share
        ahead = self.read_ahead and not self.all_kept
        streams = share * (1 - self.load.random_share) if ahead else 0.0
        hits = share if self.all_kept else max((share - streams) * self.dirty_share, share * self.kept_share)
        self.process(demands, streams + hits, model.host_io_ps * PS, 1.0)
        demands.delay(
            f"{model.name}: cache", "controller_cache",
            (streams + hits) * self.load.share * model.cache_read_ps * PS,
        )  # fmt: skip
        missed = share - streams - hits
        sent = []
        if missed > 0:
            mapped = self.array.read(access)
            cost = self.io_ps(access) + model.disk_io_ps * mapped.operations
            self.process(demands, missed, cost * PS, 1.0)
            self.compute(demands, mapped, missed, 1.0)
            sent.append(scaled(mapped, self.load.share * missed))
        if streams > 0:
            sent.append(self.fetched(demands, access, streams))
        return sent

    def fetched(self, demands: Demands, access: Access, streams: float) -> Mapped:
        """Whole rows, fetched ahead from all drives behind the back of I/Os."""
        unit = self.unit_bytes
        alone = self.logical.array.level == "1E"
        strips = unit / self.logical.array.strip_bytes if alone else self.array.data_members
        mapped = Mapped()
        shares = self.array.weighted(self.array.read_shares(), self.array.in_order(unit))
        mapped.add(shares, strips, {}, write=False, bytes=unit / strips, waited=0.0)
        count = streams * access.bytes / unit
        self.process(demands, count, self.model.disk_io_ps * strips * PS, 0.0)
        if self.array.lost_share:
            mapped.compute(self.array.computed(unit, unit))
            self.compute(demands, mapped, count, 0.0)
        return scaled(mapped, self.load.share * count)

    def write(self, demands: Demands, access: Access) -> list[Mapped]:
        """A write is answered from the cache, or by the drives."""
        model, array, io = self.model, self.array, self.io_ps(access)
        cached = self.write_back
        waited = 0.0 if cached else 1.0
        count = access.share * (1 - self.dirty_share if cached else 1.0)
        # Without a cache a stripe is gathered while another is written; a cache written through gathers none.
        gathered = model.cache_bytes == 0 and self.array.gathers(access, 2)
        whole = self.load.random_share == 0 if cached else gathered
        rows = cached and whole and self.load.read_share == 0
        at_once = self.joined(access)
        mapped = self.array.whole_rows(access, waited) if rows else self.array.write(at_once, waited, whole)
        if at_once.bytes > access.bytes:
            mapped = scaled(mapped, access.bytes / at_once.bytes)
        if cached:
            self.process(demands, access.share, io * PS, 1.0)
            demands.delay(
                f"{model.name}: cache", "controller_cache",
                access.share * self.load.share * model.cache_write_ps * PS,
            )  # fmt: skip
        if cached and array.parity and not rows:
            # So many of its operations are of data and of parity, and that of parity is there once for all.
            mapped = scaled(mapped, (1 + array.parity / self.together) / (1 + array.parity), self.longer)
        self.work(demands, mapped, count, 0 if cached else io, waited)
        self.compute(demands, mapped, count, waited)
        if mapped.parity_bytes:
            self.engine(demands, access.bytes, count, waited)
        return [scaled(mapped, self.load.share * count)]

    def compute(self, demands: Demands, mapped: Mapped, count: float, waited: float) -> None:
        """Compute what a failed member had of what the others have read, at the cost of as much parity."""
        if mapped.lost_bytes:
            ps = self.model.parity_per_kib_ps * mapped.lost_bytes / 1024
            self.process(demands, count, ps * PS, waited)
            self.engine(demands, mapped.telling_bytes, count, waited)

    def engine(self, demands: Demands, size: float, count: float, waited: float) -> None:
        """Add visits to what makes parity."""
        visits = count * self.load.share
        demands.visit(
            ("parity", self.index), f"{self.model.name}: parity", "controller_cpu", visits=visits,
            service_s=size / self.model.parity_bytes_s, passes=visits * waited,
        )  # fmt: skip

    def work(self, demands: Demands, mapped: Mapped, count: float, io_ps: float, waited: float) -> None:
        """Processor time of a write's operations on drives and parity, in one visit a phase."""
        model = self.model
        cost = io_ps + model.disk_io_ps * mapped.operations
        cost += model.parity_per_kib_ps * mapped.parity_bytes / 1024
        cost += model.parity_write_ps * (mapped.phases - 1)
        self.process(demands, count * mapped.phases, cost / mapped.phases * PS, waited)

    def io_ps(self, access: Access) -> float:
        """Processor time of an access beside its operations: less for what takes the fast path."""
        fast, model = self.fast_share(access), self.model
        return fast * model.fast_io_ps + (1 - fast) * model.host_io_ps

    def fast_share(self, access: Access) -> float:
        """What of the accesses takes the fast path: one operation on one drive, within a strip.

        Reads do, and writes where neither a copy nor parity is written with them; none does beside a rebuild.
        """
        logical, array = self.logical, self.array
        rebuilds = bool(logical.array.failed) and logical.array.rebuild_bytes_s > 0
        if not logical.fast_path or logical.write_back or rebuilds:
            return 0.0
        if access.write:
            return array.in_one_strip(access) if array.copies == 1 and not array.parity else 0.0
        return array.in_one_strip(access) * (1 - array.lost_share)


def pass_through(
    demands: Demands, system: VirtualSystem, number: int, drive: int, op: Operations, *, copies: bool
) -> None:
    """Add what an operation on a drive that the host joins with others asks of the controller before it.

    Parameters
    ----------
    demands
        Where to add it.
    system
        The system.
    number
        Index of the controller, which passes the drive through.
    drive
        Index of the drive.
    op
        The operations of an I/O on the drive.
    copies
        Whether those side by side write copies. These come together, and leave the slowest station that they
        pass one by one: for the last of them all the others are before it.
    """
    model = system.controllers[number]
    waited = op.count * op.waited
    fast = any(logical.fast_path for logical in model.logicals if logical.array.drives == (drive,))
    io_ps = model.fast_io_ps if fast else model.host_io_ps
    travel(
        demands, system, model.path, write=op.write, count=op.count, size=op.bytes, waited=0.0,
        parallel=op.parallel,
    )  # fmt: skip
    direction, rate = (
        ("data from host", model.write_bytes_s) if op.write else ("data to host", model.read_bytes_s)
    )
    demands.visit(
        (direction, number), f"{model.name}: {direction}", "host_link", visits=op.count,
        service_s=op.bytes / rate, passes=waited, parallel=op.parallel,
    )  # fmt: skip
    demands.travelled_s[op.write] += waited * op.bytes / rate
    demands.visit(
        ("processor", number), f"{model.name}: processor", "controller_cpu", visits=op.count,
        service_s=(io_ps + model.disk_io_ps) * PS, passes=waited, parallel=op.parallel,
        law=Servers(servers=model.cores),
    )  # fmt: skip
    demands.delay(f"{model.name}: delay", "controller_cpu", waited * model.delay_ps * PS)
    if copies:
        links = [passing(system.links[hop.link], op.bytes) for hop in model.path if isinstance(hop, LinkHop)]
        apart_s = max(op.bytes / rate, (io_ps + model.disk_io_ps) * PS / model.cores, *links)
        demands.delay(f"{model.name}: in turn", "controller_cpu", waited * (op.parallel - 1) * apart_s)
