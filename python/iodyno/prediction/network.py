"""A virtual system under a point as a closed queueing network.

Customers are outstanding I/Os. A station is a server of the system, and what an I/O asks of
it on average is its demand: processor time of the host's cores, each direction of each link,
switches, a controller's processor and its data transfer, and inside drives firmware, dies, data
path, or the mechanics. Reads and writes, and blocks of all sizes, are one class with the mean and
the variation of their mix.
"""

from __future__ import annotations

import math
from collections.abc import Hashable
from dataclasses import dataclass, field, fields, replace
from operator import attrgetter

from iodyno.plan import Point
from iodyno.prediction import hdd, ssd
from iodyno.prediction.accesses import (
    MOST_COMMANDS,
    Access,
    DriveUse,
    Load,
    Operations,
    loads,
    one_at_a_time,
    waited_reads,
)
from iodyno.prediction.controllers import UNITS_AHEAD, LogicalMap, pass_through
from iodyno.prediction.demands import PS, Demands
from iodyno.prediction.overwritten import overwritten_share, overwritten_shares
from iodyno.prediction.paths import first_for_reads, passing, travel
from iodyno.prediction.raid import ArrayMap, Mapped, scaled
from iodyno.prediction.records import ClosedNetwork, Fewest, Place
from iodyno.virtual import (
    Array,
    CpuCost,
    HddModel,
    Hop,
    LinkHop,
    OnDrive,
    OnHostRaid,
    SsdModel,
    VirtualSystem,
    Volume,
)


@dataclass
class BuiltNetwork:
    """A network with what results need of it."""

    network: ClosedNetwork
    places: tuple[Place, ...]
    """Place of each station, in their order."""
    left_out: tuple[str, ...]
    """What of the system is not in it, each in a sentence."""
    keys: tuple[frozenset[Hashable], ...] = ()
    """Which stations of the system each station stands for."""


@dataclass
class _Use:
    """What reaches one drive, gathered from all targets."""

    operations: list[Operations] = field(default_factory=list)
    accessed_bytes: float = 0.0
    overwritten_bytes: float = 0.0
    start_bytes: float = 0.0
    outstanding: float = 0.0
    members: int = 1
    streams: int = 0
    """Streams that come to an SSD."""
    queue_limit: int = MOST_COMMANDS
    destaging: float = 0.0
    under_way: float = 0.0
    destaged_distance: float = 1 / 3
    gathered: int = 1
    dirty: float = 0.0
    passed_over: float = 1.0
    fetched: float = 0.0
    over_gaps: bool = False
    """Whether what is fetched ahead of one stream goes over what that writes."""
    copies: int = 1
    run_bytes: float = 0.0
    nearest: bool = False
    turns: float = 0.0


def build(
    point: Point, system: VirtualSystem, *, idle_share: float = 1.0, cores: int | None = None,
    first_share: float | None = None, waits_s: float = 0.0,
) -> BuiltNetwork:  # fmt: skip
    """Make the network of a point on a system.

    Parameters
    ----------
    point
        What is asked. Its targets are volumes of the system.
    system
        The system.
    idle_share
        Share of I/Os that complete on an idle core, which then has to wake up, 0 to 1.
    cores
        Cores that workers run on; those of the point's workers where left out.
    first_share
        What of the reads goes to the first of copies, where it depends on what is under way there: see
        ``mirrors.py``.
    waits_s
        What an access waits for others on its drive, beside drives that are idle: see ``strips.py``.

    Raises
    ------
    KeyError
        If a target is no volume of the system.
    """
    point = one_at_a_time(point)
    alone = cores is None
    cores = cores or min(system.host.cores, point.workers_in_all)
    return _Builder(point, system, cores, first_share, alone=alone).build(idle_share, waits_s)


class _Builder:
    def __init__(
        self, point: Point, system: VirtualSystem, cores: int, first_share: float | None, *, alone: bool
    ) -> None:
        self.point, self.system, self.alone = point, system, alone
        self.first_share = first_share
        self.demands = Demands()
        self.uses = [_Use(queue_limit=slot.commands or MOST_COMMANDS) for slot in system.drives]
        self.striped: list[tuple[Array, Load]] = []
        self.cores = cores

    def build(self, idle_share: float, waits_s: float) -> BuiltNetwork:
        volumes = {volume.name: volume for volume in self.system.volumes}
        for path, load in loads(self.point, self.first_share):
            self.volume(volumes[path], load)
        self.demands.delay("wake-up", "host_cpu", idle_share * self.system.host.wakeup_ps * PS)
        self.drives()
        self.demands.delay("others in a strip", "drive_media", waits_s)
        self.in_step()
        self.idlest()
        self.own_cores()
        stations, profile = self.demands.stations(), self.point.profile
        return BuiltNetwork(
            network=ClosedNetwork(
                think_s=profile.think_time_us / 1e6 / profile.think_every,
                stations=tuple(station for station, _, _ in stations),
                regular=self.regular,
            ),
            places=tuple(place for _, place, _ in stations),
            left_out=tuple(self.demands.left_out),
            keys=tuple(keys for _, _, keys in stations),
        )

    @property
    def regular(self) -> bool:
        """Whether all accesses are alike and follow each other: they come evenly, and nowhere by chance."""
        profile = self.point.profile
        alike = profile.read_share in (0, 1) and len(profile.blocks) == 1
        followed = all(use.streams <= ssd.FOLLOWED for use in self.uses) or not profile.read_share
        return alike and profile.random_share == 0 and followed and self.point.rate_io_s is None

    def starts(self, use: _Use) -> tuple[int, ...]:
        """Give where workers begin that go on in order, as far as they are streams of one drive."""
        point = self.point
        profile, workers = point.profile, point.workers
        mixed = 0 < profile.read_share < 1
        # Whole rows keep drives of an array in step, but for sets of copies: each chooses for itself.
        sets = math.ceil(use.members / use.copies) if use.copies > 1 else 1
        rows = not mixed and ((use.fetched and sets == 1) or (use.destaging and profile.writes))
        # Each of a RAID 1 has all that is written.
        rows = rows or (use.members == use.copies and not profile.read_share)
        if profile.random_share or len(point.targets) > 1 or (use.members > 1 and not rows):
            return ()
        if (mixed and (use.destaging or use.fetched or use.over_gaps)) or (workers < 2 and not mixed):
            return ()
        grain = profile.grain_bytes
        part = int(use.accessed_bytes) // workers // grain * grain
        # Of copies each reads for those that are nearest to its arm.
        own = -(-workers // use.copies) if use.fetched else workers
        return tuple(int(use.start_bytes) + at * part for at in range(own))

    def volume(self, volume: Volume, load: Load) -> None:
        """Add one target."""
        if isinstance(volume.on, OnDrive):
            self.on_drive(volume, volume.on.drive, load)
        elif isinstance(volume.on, OnHostRaid):
            self.on_host_raid(volume, volume.on.array, load)
        else:
            self.on_logical(volume, volume.on.controller, volume.on.logical, load)

    def on_drive(self, volume: Volume, drive: int, load: Load) -> None:
        for access in load.classes:
            self.core(load, access, cost_ps(volume.cpu, access.write, access.bytes))
            count = access.share * load.share
            self.send(drive, [Operations(count, access.write, access.bytes, 1.0)], ())
        use = self.uses[drive]
        use.accessed_bytes += load.length_bytes
        use.overwritten_bytes += load.length_bytes * overwritten_share(load)
        use.start_bytes = load.start_bytes
        use.outstanding += load.outstanding
        self.streams(drive, 1.0)

    def streams(self, drive: int, share: float) -> None:
        """Add a share of the workers, which are streams of an SSD."""
        if isinstance(self.system.drives[drive].model, SsdModel):
            workers = 1 if self.point.workers_area == "stream" else self.point.workers
            self.uses[drive].streams += math.ceil(workers * share)

    def on_host_raid(self, volume: Volume, array: Array, load: Load) -> None:
        mapping = ArrayMap(array, load)
        self.say_what_is_left_out(array)
        for access in load.classes:
            # What is much smaller than a strip begins before the rest of its stripe has come.
            whole = mapping.gathers(access, 1) and 2 * access.bytes > array.strip_bytes
            mapped = mapping.write(access, coalesced=whole) if access.write else mapping.read(access)
            self.core(
                load, access, cost_ps(volume.cpu, access.write, access.bytes) + children_ps(volume, mapped)
            )
            sent = scaled(mapped, access.share * load.share)
            self.through_controllers(array, sent, copies=access.write and mapping.copies > 1)
            self.to_members(array, sent, ())
        self.use_members(array, load, volume.size_bytes)

    def through_controllers(self, array: Array, mapped: Mapped, *, copies: bool) -> None:
        """Add what operations ask of the controllers that their drives hang on."""
        for member, operations in mapped.by_member.items():
            drive = array.drives[member]
            number = self.system.behind(drive)
            if number is not None:
                use = self.uses[drive]
                use.queue_limit = min(use.queue_limit, self.system.controllers[number].drive_queue)
                for op in operations:
                    pass_through(self.demands, self.system, number, drive, op, copies=copies)

    def on_logical(self, volume: Volume, controller: int, number: int, load: Load) -> None:
        model = self.system.controllers[controller]
        logical = model.logicals[number]
        self.say_what_is_left_out(logical.array)
        mapping = LogicalMap(self.system, controller, logical, load)
        for access in load.classes:
            self.core(load, access, cost_ps(volume.cpu, access.write, access.bytes))
        for mapped in mapping.place(self.demands):
            self.to_members(logical.array, mapped, ())
        self.use_members(logical.array, load, volume.size_bytes)
        for drive in logical.array.drives:
            use = self.uses[drive]
            use.queue_limit = min(use.queue_limit, model.drive_queue)
            use.over_gaps = mapping.over_gaps
            if mapping.write_back:
                use.destaging, use.under_way = mapping.destage_depth, mapping.under_way
                use.destaged_distance = mapping.destaged_distance
                use.dirty, use.gathered = mapping.front_density, mapping.whole_at_once
            if mapping.read_ahead and load.read_share > 0:
                use.fetched = UNITS_AHEAD

    def core(self, load: Load, access: Access, cost: float) -> None:
        """Processor time of the worker."""
        self.demands.visit(
            "core",
            "core",
            "host_cpu",
            visits=access.share * load.share,
            service_s=cost * PS,
            copies=self.cores,
        )

    def to_members(self, array: Array, mapped: Mapped, path: tuple[Hop, ...]) -> None:
        for member, operations in mapped.by_member.items():
            self.send(array.drives[member], operations, path)

    def send(self, drive: int, operations: list[Operations], path: tuple[Hop, ...]) -> None:
        """Operations travel to a drive."""
        for op in operations:
            travel(
                self.demands, self.system, (*path, *self.system.drives[drive].path), write=op.write,
                count=op.count, size=op.bytes, waited=op.waited, parallel=op.parallel,
                alike=op.alike,
            )  # fmt: skip
            self.in_turn(drive, op)
        self.uses[drive].operations += operations

    def in_turn(self, drive: int, op: Operations) -> None:
        """Add what an I/O waits for its last operation on a drive while others of its own are before it.

        While one is at a station others are at the next ones: the slowest tells how far apart they are.
        """
        slot = self.system.drives[drive]
        if op.most <= 1 or isinstance(slot.model, HddModel):
            return
        links = [
            passing(self.system.links[hop.link], op.bytes) for hop in slot.path if isinstance(hop, LinkHop)
        ]
        slowest = max(*links, ssd.in_turn_s(slot.model, op), 0.0)
        self.demands.delay(
            f"{slot.name}: in turn", "drive_front", op.count * op.waited * (op.most - 1) * slowest
        )

    def use_members(self, array: Array, load: Load, size_bytes: int) -> None:
        """What an array's drives are used for."""
        member = min(self.system.drives[drive].model.capacity_bytes for drive in array.drives)
        mapping = ArrayMap(array, load)
        # The copies of a RAID 1E are no sets.
        sets = array.level != "1E"
        overwritten = overwritten_shares(load, mapping.shape) if sets else ()
        mean = overwritten_share(load, mapping.shape)
        for at, drive in enumerate(array.drives):
            use = self.uses[drive]
            use.accessed_bytes += member * load.length_bytes / size_bytes
            own = overwritten[at // mapping.copies] if sets else mean
            use.overwritten_bytes += member * load.length_bytes / size_bytes * own
            use.start_bytes = member * load.start_bytes / size_bytes
            use.outstanding += mapping.under_way(at, self.point)
            self.streams(drive, mapping.streams_share(at, self.point))
            use.members = len(array.drives)
            use.passed_over = mapping.passed_over(at)
            use.copies = mapping.copies
            use.run_bytes = mapping.run_bytes
            use.nearest = mapping.nearer_reads(at)
            use.turns = mapping.turns
        self.striped.append((array, load))

    def drives(self) -> None:
        """Add what is asked of the drives."""
        for number, (slot, use) in enumerate(zip(self.system.drives, self.uses, strict=True)):
            # The other of a pair of which one alone is read has operations that never come.
            operations = tuple(one for one in merged(use.operations) if one.count > 0)
            if not operations:
                continue
            drive_use = DriveUse(
                operations=operations,
                random_share=self.point.profile.random_share,
                accessed_bytes=min(max(use.accessed_bytes, 1 << 20), slot.model.capacity_bytes),
                start_bytes=use.start_bytes,
                outstanding=use.outstanding,
                members=use.members,
                sharing=self.sharing(operations),
                streams=use.streams,
                queue_limit=use.queue_limit,
                destaging=use.destaging,
                under_way=use.under_way,
                destaged_distance=use.destaged_distance,
                gathered=use.gathered,
                dirty=use.dirty,
                passed_over=use.passed_over,
                starts=self.starts(use),
                each=self.point.outstanding,
                cores=self.cores,
                fetched=use.fetched,
                copies=use.copies,
                run_bytes=use.run_bytes,
                nearest=use.nearest,
                turns=use.turns,
                think_s=self.point.profile.think_time_us / 1e6,
                think_every=self.point.profile.think_every,
                overwritten_share=min(use.overwritten_bytes / use.accessed_bytes, 1.0),
            )
            link = first_for_reads(self.system, slot.path)
            if isinstance(slot.model, HddModel):
                hdd.place(self.demands, number, slot.name, slot.model, drive_use, link)
            else:
                ssd.place(self.demands, number, slot.name, slot.model, drive_use, link)

    def sharing(self, operations: tuple[Operations, ...]) -> float:
        """Give among how many drives the reads that a target waits for are shared, one of which has such."""
        point = self.point
        if point.open_loop or point.profile.think_time_us:
            return math.inf
        every = sum(waited_reads(use.operations) for use in self.uses) / len(point.targets)
        own = waited_reads(operations)
        return max(every / own, 1.0) if own else 1.0

    def in_step(self) -> None:
        """Add what a stream of writes over several disks, whose caches are off, loses in revolutions."""
        for array, load in self.striped:
            mapping, uses = ArrayMap(array, load), [self.uses[drive] for drive in array.drives]
            model = self.system.drives[array.drives[0]].model
            if not isinstance(model, HddModel) or len(self.striped) > 1 or len(load.classes) > 1:
                continue
            access, drives = load.classes[0], round(mapping.data_members)
            alone = access.write and not load.random_share and not model.write_cache
            if mapping.parity or drives < 2 or not alone or load.outstanding < 2 or uses[0].destaging:
                continue
            if access.bytes <= array.strip_bytes:
                hdd.in_step(self.demands, model, load, access, (drives, array.strip_bytes // access.bytes))

    def idlest(self) -> None:
        """Let random reads of copies find what is there where the fewest others are."""
        for array, load in self.striped:
            mapping = ArrayMap(array, load)
            if not mapping.by_fewest or len(self.point.targets) > 1:
                continue
            for at, drive in enumerate(array.drives):
                fewest = Fewest(of=max(mapping.living_copies(at), 1), sets=mapping.members // mapping.copies)
                link = first_for_reads(self.system, self.system.drives[drive].path)
                for key in (*ssd.stations_of(drive), *([link[0]] if link else ())):
                    if key in self.demands.by_station:
                        self.demands.by_station[key].fewest = fewest

    def own_cores(self) -> None:
        """Let nobody wait at a core behind the I/Os of others, where each worker has one for itself.

        All workers have as many I/Os outstanding: they are spread over the cores as if each took the one with
        the fewest. What takes as long each time comes back in the order in which it left, as far apart: until
        the core is busy all of the time who comes finds nobody there.
        """
        own = self.point.workers_in_all <= self.system.host.cores
        if "core" not in self.demands.by_station:
            return
        if self.steady:
            every = Fewest(of=max(self.point.outstanding_total, self.cores), sets=1)
            self.demands.by_station["core"].fewest = every
        elif own and self.cores > 1:
            self.demands.by_station["core"].fewest = Fewest(of=self.cores, sets=1)

    @property
    def steady(self) -> bool:
        """Whether all accesses take as long as each other once they have left their core: writes of one size
        that buffers of SSDs answer, with no read before them, where nothing else uses the cores."""
        point, profile = self.point, self.point.profile
        if profile.read_share or len(profile.blocks) > 1 or profile.think_time_us or point.open_loop:
            return False
        used = zip(self.system.drives, self.uses, strict=True)
        models = [slot.model for slot, use in used if use.operations]
        buffered = all(isinstance(model, SsdModel) and model.buffers for model in models)
        reads = any(not op.write for use in self.uses for op in use.operations)
        return self.alone and buffered and not reads

    def say_what_is_left_out(self, array: Array) -> None:
        if array.rebuild_bytes_s:
            self.demands.leave_out("the accesses of rebuilding")


def cost_ps(cost: CpuCost, write: bool, size: float) -> float:
    """Processor time of one operation in ps."""
    return (cost.write_ps if write else cost.read_ps) + cost.per_kib_ps * size / 1024


def children_ps(volume: Volume, mapped: Mapped) -> float:
    """Processor time of the operations on members beyond the first, in ps."""
    if mapped.operations <= 1:
        return 0.0
    every = [op for operations in mapped.by_member.values() for op in operations]
    total = sum(op.count * cost_ps(volume.child_cpu, op.write, op.bytes) for op in every)
    return total * (mapped.operations - 1) / mapped.operations


_kind = attrgetter(*(each.name for each in fields(Operations) if each.name != "count"))


def merged(operations: list[Operations]) -> list[Operations]:
    """Operations that differ in nothing but their number, together."""
    kinds: dict[Hashable, list[Operations]] = {}
    for op in operations:
        kinds.setdefault(_kind(op), []).append(op)
    return [
        replace(alike[0], count=sum(op.count for op in alike)) if len(alike) > 1 else alike[0]
        for alike in kinds.values()
    ]
