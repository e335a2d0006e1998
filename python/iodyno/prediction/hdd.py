"""A hard disk as a station that works the faster, the more it can choose from."""

from __future__ import annotations

import math
from collections.abc import Hashable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from iodyno.prediction.accesses import Access, DriveUse, Load, Operations, waited_reads
from iodyno.prediction.demands import PS, Demand, Demands
from iodyno.prediction.in_step import MECHANICS, rate_s, way_of
from iodyno.prediction.paths import PAGE, LinkKey, passing
from iodyno.prediction.records import DiskNumbers, DiskStreams, Rates, StreamReaders
from iodyno.prediction.sweep import Track, ends, mean_way_s
from iodyno.virtual import HddModel, Link

GAIN = 0.3
"""Exponent of the gain by choosing the shortest access time: of c accesses that wait, the way to the one
that is nearest is c^0.3 times shorter than to any; 0.29 to 0.31 in simulations of several disks, of 3 to 127,
where a seek takes half a revolution or more."""
NEAR_GAIN, NEAR_TURNS = 0.6, 0.15
"""What the exponent has more where seeks are short, and the choice is one of turns of the disk:
0.6·e^(−seek ÷ 0.15 revolutions)·(3 ÷ c)^(1/3). Within 0.04 of what simulations on 1 to 100 % of three disks
have, up to 0.62 in all."""
MOST_CHOICES = 128
"""Commands beyond which there is no further gain: some wait for so long then that they go before others. What
a disk has answered from its cache may wait."""
NEARER = 5 / 8
"""Way of the nearer of two arms, as a share of that of one: 5/24 of the stretch and not 1/3."""
AGE_LIMIT_REVOLUTIONS = 256
"""Revolutions for which an access can be passed over, as in the simulator."""
ROUNDS = 4
"""Rounds in which the time of an access and the share of those that are overdue are found from each other."""
SERVICE_SCV = 0.12
"""Squared coefficient of variation of an access: most of it is the rotation, uniform over a revolution."""
ENTRY_BYTES = 64 << 10
"""What an entry of the write cache holds: a longer write takes several."""
STREAM_ENTRIES = 128
"""Entries of the write cache that a stream of writes fills at the most."""
_STEPS = 64


@dataclass(frozen=True)
class SeekCurve:
    """Seek time by distance: a + b·√d for short distances, c + e·d for long ones.

    Value and slope are continuous where they meet (Ruemmler and Wilkes, An introduction to disk drive
    modeling, 1994). Distances are shares of the stroke, times seconds.
    """

    track_s: float
    full_s: float
    stroke: float
    """Cylinders."""
    bend: float
    """Square root of the distance in cylinders at which the root becomes a line."""

    def time_s(self, share: float) -> float:
        """Give the time to move by a share of the stroke; nothing within a cylinder."""
        distance = share * self.stroke
        if distance < 1:
            return self.track_s * distance
        factor = (self.full_s - self.track_s) / ((self.bend + self.stroke / self.bend) / 2 - 1)
        if distance < self.bend**2:
            return self.track_s + factor * (math.sqrt(distance) - 1)
        return self.track_s + factor * (self.bend / 2 - 1 + distance / (2 * self.bend))

    def mean_s(self, stretch: float) -> float:
        """Give the mean between two places that are uniform over a share of the stroke."""
        return _mean_s(self, stretch)


@lru_cache(maxsize=4096)
def _mean_s(curve: SeekCurve, stretch: float) -> float:
    steps = ((at + 0.5) / _STEPS for at in range(_STEPS))
    return sum(2 * (1 - x) * curve.time_s(x * stretch) for x in steps) / _STEPS


@lru_cache(maxsize=64)
def seek_curve(track_s: float, average_s: float, full_s: float, stroke: float) -> SeekCurve:
    """Find the curve with such a track-to-track, average and full-stroke seek.

    Where the average asks for less than a straight line or more than a square root, the nearest of them
    is given.
    """
    low, high = 1.0, math.sqrt(stroke)
    for _ in range(40):
        middle = (low + high) / 2
        if SeekCurve(track_s, full_s, stroke, middle).mean_s(1.0) < average_s:
            low = middle
        else:
            high = middle
    return SeekCurve(track_s, full_s, stroke, high)


@dataclass(frozen=True)
class Choice:
    """How much sooner the head is there, as a disk chooses the next access of those that wait."""

    seek_turns: float
    """Mean seek in revolutions."""
    random_share: float
    revolution_s: float

    def gain(self, choices: float, most: float = MOST_CHOICES) -> float:
        """Give how many times sooner the head is there with so many to choose from; streams gain nothing."""
        count = min(max(choices, 1.0), most)
        near = NEAR_GAIN * math.exp(-self.seek_turns / NEAR_TURNS) * (3 / count) ** (1 / 3)
        return float(count ** ((GAIN + near) * self.random_share))

    def chosen_s(self, way_s: float, there_s: float, present: int, moves: float = 1.0) -> float:
        """Give the mean time of an access with so many present: while one is served, the others wait.

        The next is chosen of these, and at each of the moves from another place. Waits of an exponential
        distribution with their mean tell how many have been passed over for as long as the drive lets them.
        They count as if they came in turn: of them the nearest is taken first, but of a set of which less and
        less is left.
        """
        near_s = way_s / self.gain(max(present - 1, 1) * moves)
        longest_s = AGE_LIMIT_REVOLUTIONS * self.revolution_s
        access_s = near_s + there_s
        for _ in range(ROUNDS if near_s < way_s else 0):
            overdue = math.exp(-longest_s / (present * access_s))
            access_s = near_s + (way_s - near_s) * overdue + there_s
        return access_s


@lru_cache(maxsize=4096)
def _rates(choice: Choice, way_s: float, there_s: float, depth: int, moves: float) -> tuple[float, ...]:
    """Give the rates with one present, two, and so on up to it: those of an array's disks are often equal."""
    return tuple(1 / choice.chosen_s(way_s, there_s, present, moves) for present in range(1, depth + 1))


class Disk:
    """A disk under a load: how long one access takes."""

    def __init__(self, model: HddModel, use: DriveUse) -> None:
        self.model, self.use = model, use
        self.revolution_s = model.revolution_ps * PS
        mean_track = (model.outer_bytes_s + model.inner_bytes_s) / 2 * self.revolution_s
        stroke = max(model.capacity_bytes / (model.heads * mean_track), 4.0)
        self.seek = seek_curve(
            model.seek_track_ps * PS, model.seek_average_ps * PS, model.seek_full_ps * PS, stroke
        )
        first = self.cylinder(use.start_bytes / model.capacity_bytes)
        last = self.cylinder(min((use.start_bytes + use.accessed_bytes) / model.capacity_bytes, 1.0))
        self.stretch = last - first
        seek_turns = self.seek.mean_s(self.stretch) / self.revolution_s
        self.choice = Choice(seek_turns, use.random_share, self.revolution_s)
        nearer = NEARER if use.nearest else 1.0
        seeks = {False: self.seek.mean_s(self.stretch * nearer), True: self.seek.mean_s(self.stretch)}
        self.ways_s = {
            write: use.random_share * (seek_s + self.revolution_s / 2) for write, seek_s in seeks.items()
        }
        """Mean way to a read and a write by themselves: seek and rotation."""
        self.missed_s = use.random_share * model.missed_revolution * self.revolution_s
        # A stream begins where the area does, and what is counted of it does not come far.
        at = (first + last) / 2 if use.random_share else first
        self.bytes_s = model.outer_bytes_s - (model.outer_bytes_s - model.inner_bytes_s) * at

    def cylinder(self, share: float) -> float:
        """Give the share of the stroke that lies before a share of the capacity: outer tracks hold more."""
        outer, inner = self.model.outer_bytes_s, self.model.inner_bytes_s
        if outer - inner < 1e-6 * outer:
            return share
        return (outer - math.sqrt(outer**2 - (outer**2 - inner**2) * share)) / (outer - inner)

    def there_s(self, operations: Operations) -> float:
        """Give the mean time of an access that no choice spares: settling, missed turns, and the data."""
        passed = 1.0 if operations.write else self.use.passed_over
        share = self.use.random_share
        settle = share * self.model.write_settle_ps * PS if operations.write else 0.0
        transfer = operations.bytes / self.bytes_s * (share + (1 - share) * passed)
        return settle + self.missed_s + transfer

    def hidden_s(self, operations: Operations) -> float:
        """Give the mean time of a write that nobody waits for, destaged or from the disk's cache."""
        there = self.there_s(operations)
        if operations.waited > 0 or not self.use.destaging:
            gain = self.choice.gain(self.cached(operations), math.inf)
            return self.ways_s[operations.write] / gain + there
        if self.swept(operations):
            return self.swept_s(operations)
        share = self.use.random_share
        near = self.seek.time_s(self.use.destaged_distance * self.stretch) + self.revolution_s / 2
        # Sorted as it is, it lies near, and what is chosen is a turn of the disk, missed ones included.
        gain = float(self.destaged_of(operations) ** (GAIN * share))
        moved_s = (share * near + self.missed_s) / gain - self.missed_s + there
        if not self.use.dirty:
            return moved_s
        passes, passed_bytes = self.passed(operations)
        passed_s = (passed_bytes + operations.bytes) / self.bytes_s
        return (1 - passes) * moved_s + passes * passed_s

    def passed(self, operations: Operations) -> tuple[float, float]:
        """Give the share of what is destaged among reads that passes under the head, and how far off it is.

        A block does where it begins less than half a track behind the one before it in order of position, and
        is there already: of n that are under way as many as have one before them.
        """
        gap_bytes, half = self.gap_bytes(operations), self.track.bytes / 2
        beyond, under_way = ends(self.track, gap_bytes), max(self.use.under_way, 1.0)
        near_bytes = gap_bytes - half * beyond / (1 - beyond) if beyond < 1 else half / 2
        return (1 - beyond) * (1 - 1 / under_way), near_bytes

    def destaged_of(self, operations: Operations) -> float:
        """Give of how many blocks that a controller destages the next is chosen."""
        most, model = self.use.destaging, self.model
        if not model.write_cache or not operations.write:
            return most
        # What is answered from the disk's cache is chosen from there; where each write follows a read, and
        # none comes in order of position, so many are there as reads, or the others would come first.
        entries = self.cached(operations)
        follows = not self.use.dirty and any(not op.write for op in self.use.operations)
        return max(min(entries, 2 * most) if follows else entries, most)

    def cached(self, operations: Operations) -> int:
        """Give how many of such writes the cache holds."""
        return self.model.write_cache_entries // -(-int(operations.bytes) // ENTRY_BYTES)

    def swept(self, operations: Operations) -> bool:
        """Tell whether such operations come to the disk in order of position and are there together.

        Beside reads a disk without its cache has few of them, one by one among the commands.
        """
        return (
            self.use.destaging > 0
            and self.use.dirty > 0
            and operations.waited == 0
            and (self.model.write_cache or not self.reads_between)
        )

    @property
    def reads_between(self) -> float:
        """Reads that are waited for, for each write."""
        writes = sum(op.count for op in self.use.operations if op.write)
        return waited_reads(self.use.operations) / writes if writes else 0.0

    @property
    def track(self) -> Track:
        """The medium, as a sweep over it knows it."""
        track_bytes = self.bytes_s * self.revolution_s
        return Track(self.revolution_s, track_bytes, track_bytes * self.model.heads, self.seek.stroke)

    def gap_bytes(self, operations: Operations) -> float:
        """Give the bytes between two blocks of a sweep."""
        return max(operations.bytes / self.use.dirty - operations.bytes, 0.0)

    def swept_s(self, operations: Operations) -> float:
        """Give the mean time of a block that a sweep over the drive brings; reads call the arm away."""
        model = self.model
        settle_s = model.write_settle_ps * PS if operations.write else 0.0
        way_s = mean_way_s(
            self.track, self.seek, settle_s=settle_s, gap_bytes=self.gap_bytes(operations),
            spacing_bytes=operations.bytes / self.use.dirty,
            choices=max(round(self.destaged_of(operations)), 1), missed=model.missed_revolution,
            between=self.reads_between, back_s=self.seek.mean_s(self.stretch) + settle_s,
        )  # fmt: skip
        return way_s + operations.bytes / self.bytes_s

    def between(self, operations: Operations) -> tuple[float, float]:
        """Give how often the arm goes to such writes, for each access, and how long it is there each time."""
        seconds = self.hidden_s(operations)
        run = ends(self.track, self.gap_bytes(operations)) if self.swept(operations) else 1.0
        return operations.count * run, seconds / run if run else 0.0

    def moves(
        self, way_s: float, there_s: float, between: Sequence[tuple[float, float]], parallel: float = 1.0
    ) -> float:
        """Give how often the arm moves while accesses wait, for each of them that is served.

        Writes that the disk has answered go between: their number for each access that is waited for, and
        their time. What it writes while none waits does not count. Of n disks that share N outstanding
        evenly, all states being as likely, one has none for (n - 1) / (N + n - 1) of the time; accesses that
        wait for several side by side are as many more.
        """
        count = sum(number for number, _ in between)
        under_way, disks = self.use.outstanding * parallel, self.use.sharing
        if not count or math.isinf(disks):
            return 1.0
        seconds = sum(number * each for number, each in between)
        present = max(round(min(under_way / disks, self.model.tags)), 1)
        served_s = self.choice.chosen_s(way_s, there_s, present) + seconds
        alone_s = served_s * (disks - 1) / (under_way + disks - 1)
        return 1 + count * max(1 - alone_s / seconds, 0.0)


def stations_of(key: int) -> tuple[Hashable, ...]:
    """Give the keys of the stations that reads of a drive visit."""
    return ("command", key), (MECHANICS, key)


def place(
    demands: Demands, key: int, name: str, model: HddModel, use: DriveUse,
    link: tuple[LinkKey, Link] | None = None,
) -> None:  # fmt: skip
    """Add what an I/O asks of a drive; see :func:`iodyno.prediction.ssd.place`."""
    disk = Disk(model, use)
    hidden = [op for op in use.operations if op.waited == 0 or (op.write and model.write_cache)]
    waited = [op for op in use.operations if op not in hidden]
    for operations in use.operations:
        demands.visit(
            ("command", key), f"{name}: command", "drive_front", visits=operations.count,
            service_s=model.command_ps * PS, passes=operations.count * operations.waited,
            parallel=operations.parallel,
        )  # fmt: skip
    if use.starts:
        _streams(demands, key, name, disk, link)
        return
    random = use.random_share > 0
    if random:
        _hide(demands, disk, [op for op in waited if not op.write and op.bytes], link)
        waited = list(map(_moves, waited))
        # A sweep comes over each of them by itself.
        hidden = [op if disk.swept(op) else _moves(op) for op in hidden]
    between = [disk.between(op) for op in hidden if op.write and model.write_cache]
    mechanics = _mechanics(demands, key, name, disk, waited, between)
    for operations in hidden:
        seconds, seen = disk.hidden_s(operations), operations.count * operations.waited
        mechanics.add_behind(operations.count, seconds, 0.0 if model.write_cache else SERVICE_SCV + 1)
        demands.delay(f"{name}: cache", "drive_front", seen * model.cached_write_ps * PS)


def _hide(demands: Demands, disk: Disk, reads: list[Operations], link: tuple[LinkKey, Link] | None) -> None:
    """Take off the link what passes it while more comes from the medium: all but the first page."""
    if link is None:
        return
    key, passed = link
    for op in reads:
        service = passing(passed, op.bytes)
        overlap = min(op.bytes / disk.bytes_s, service) / service * (1 - min(PAGE / op.bytes, 1.0))
        demands.hide(key, op.count * op.waited * overlap, service, op.parallel, op.alike)


def _moves(operations: Operations) -> Operations:
    """Make one move of the arm of what lies one behind the other: the head comes over what is between."""
    if operations.each <= 1:
        return operations
    each = operations.each
    return replace(
        operations,
        count=operations.count / each,
        bytes=operations.span_bytes,
        each=1.0,
        waited=operations.waited * each,
    )


def _mechanics(
    demands: Demands, key: int, name: str, disk: Disk,
    waited: list[Operations], between: Sequence[tuple[float, float]],
) -> Demand:  # fmt: skip
    visits = sum(op.count for op in waited)
    positioning = sum(op.count * disk.ways_s[op.write] for op in waited) / visits if visits else 0.0
    there = sum(op.count * disk.there_s(op) for op in waited) / visits if visits else 1.0
    lost = _in_step(demands, disk, waited, there)
    there = there if lost is None else lost
    service = positioning + there
    depth = max(1, min(disk.model.tags, disk.use.queue_limit)) if disk.use.random_share else 1
    each = [(count / visits, seconds) for count, seconds in between] if visits else []
    parallel = sum(op.count * op.parallel for op in waited) / visits if visits else 1.0
    moves = disk.moves(positioning, there, each, parallel)
    law = Rates(rates=_rates(disk.choice, positioning, there, depth, moves))
    mechanics = demands.at((MECHANICS, key), f"{name}: mechanics", "drive_media", law=law)
    # A stream that is read ahead waits for the rate of the medium only, and for no access.
    ahead = disk.use.random_share == 0 and disk.model.read_ahead_bytes > 0
    for op in waited:
        seen = 0.0 if ahead and not op.write else op.count * op.waited
        followed = seen * _follow(demands, name, disk, op)
        seen -= followed
        mechanics.visits += op.count
        mechanics.service_s += op.count * service
        mechanics.square_s2 += op.count * service**2 * (1 + (SERVICE_SCV if lost is None else 0.0))
        mechanics.passes += seen
        # Copies of a stream turn in step: there is no last of them.
        mechanics.wide += seen * (op.parallel if lost is None else 1.0)
    if lost is None:
        _revolutions(demands, name, disk, waited)
    return mechanics


def _follow(demands: Demands, name: str, disk: Disk, op: Operations) -> float:
    """Add the wait of writes that replace what was just read, one I/O at a time; give the share that does.

    No other has moved the arm: the place comes round again. That it has on the disk that was read last is a
    revolution from the end of that, and by then it has on the others, which turn on meanwhile.
    """
    share = op.following * disk.use.random_share if disk.use.outstanding <= 1 else 0.0
    if share:
        transfer_s = op.bytes / disk.bytes_s
        turned = disk.revolution_s - transfer_s % disk.revolution_s + transfer_s
        demands.delay(f"{name}: back where it has read", "drive_media", op.count * op.waited * share * turned)
    return share


def _streams(
    demands: Demands, key: int, name: str, disk: Disk, link: tuple[LinkKey, Link] | None
) -> None:  # fmt: skip
    """Add what streams in order ask of the mechanics, which is reckoned command by command."""
    model, use = disk.model, disk.use
    count = sum(op.count for op in use.operations)
    written = sum(op.count for op in use.operations if op.write)
    waited = sum(op.count * op.waited for op in use.operations)
    moved = sum(op.count * op.bytes for op in use.operations)
    way, command_s = way_of(demands), model.command_ps * PS
    readers, gathered = None, round(use.destaging) if written else 0
    if use.fetched:
        asked = moved * use.copies
        readers = StreamReaders(outstanding=use.each, bytes=asked, way_s=way.total_s, ahead=use.fetched)
    # Of a mix each way is as long as what it takes along; on the average over the mix all are in the total.
    mixed = waited > 0 and 0 < written < count
    back_s, out_s = (demands.travelled_s[write] if mixed else 0.0 for write in (False, True))
    way_s = way.total_s - waited * command_s - back_s - out_s if waited else way.behind_s - command_s
    mechanics = demands.at((MECHANICS, key), f"{name}: mechanics", "drive_media")
    mechanics.visits += count
    mechanics.streams = DiskStreams(
        disk=_numbers(model, len(use.starts)), starts=use.starts, outstanding=gathered or use.each,
        in_turn=gathered > 0, run=use.gathered if gathered else 1, commands=use.queue_limit, cores=use.cores,
        bytes=moved / count,
        gap_bytes=0.0 if written or use.copies > 1 else moved / count * (use.passed_over - 1),
        read_share=1 - written / count, readers=readers,
        way_s=max(way_s, 0.0) + use.think_s / use.think_every,
        link_s=passing(link[1], moved / count) if link else 0.0,
        link_shared=link is not None and not link[1].full_duplex,
        read_back_s=back_s / (1 - written / count) if mixed else 0.0,
        write_out_s=out_s / (written / count) if mixed else 0.0,
    )  # fmt: skip


def _numbers(model: HddModel, streams: int) -> DiskNumbers:
    entries = min(model.write_cache_entries, STREAM_ENTRIES * streams) if model.write_cache else 0
    return DiskNumbers(
        capacity_bytes=model.capacity_bytes, revolution_s=model.revolution_ps * PS, heads=model.heads,
        zones=model.zones, outer_bytes_s=model.outer_bytes_s, inner_bytes_s=model.inner_bytes_s,
        seek_track_s=model.seek_track_ps * PS, seek_average_s=model.seek_average_ps * PS,
        seek_full_s=model.seek_full_ps * PS, write_settle_s=model.write_settle_ps * PS,
        command_s=model.command_ps * PS, cached_write_s=model.cached_write_ps * PS,
        missed_revolution=model.missed_revolution, tags=model.tags, cache_entries=entries,
        read_ahead_bytes=model.read_ahead_bytes, read_segments=model.read_segments,
    )  # fmt: skip


def _late(disk: Disk, waited: list[Operations]) -> list[Operations]:
    """Give what is neither waited for nor read ahead: what comes late in a sequence has passed the head."""
    return [op for op in waited if op.write or not disk.model.read_ahead_bytes]


def _revolutions(demands: Demands, name: str, disk: Disk, waited: list[Operations]) -> None:
    """A sequential access that comes when the one before on its disk is answered finds its sector passed."""
    use = disk.use
    if use.outstanding > 1:
        return
    # What replaces a block follows the read of it at once.
    updates = any(not op.write for op in waited)
    for op in _late(disk, waited):
        transfer = op.bytes / disk.bytes_s
        passed = disk.revolution_s - transfer % disk.revolution_s
        if use.think_s and not updates:
            thought = disk.revolution_s - (transfer + use.think_s) % disk.revolution_s
            passed += (thought - passed) / use.think_every
        # A disk that has its turn stands anywhere: of several the last counts.
        anywhere = disk.revolution_s * op.parallel / (op.parallel + 1)
        lost = (1 - disk.use.turns) * passed + disk.use.turns * anywhere
        seconds = op.count * op.waited * (1 - disk.use.random_share) * lost
        demands.delay(f"{name}: lost revolutions", "drive_media", seconds)


def _in_step(demands: Demands, disk: Disk, waited: list[Operations], transfer_s: float) -> float | None:
    """Give the time for an access where every I/O of a stream is one, and loses revolutions."""
    every = sum(op.count for op in waited)
    if disk.use.random_share or not waited or _late(disk, waited) != waited or abs(every - 1) > 1e-6:
        return None
    there = min(disk.use.outstanding, disk.use.queue_limit)
    outstanding, way = max(round(there), 1), way_of(demands)
    if outstanding == 1 and disk.use.think_s:
        return transfer_s + _alone(disk, way.total_s)
    rate = rate_s(way, outstanding=outstanding, transfer_s=transfer_s, revolution_s=disk.revolution_s)
    if rate is None:
        return None
    return 1 / rate - (way.total_s if outstanding == 1 else 0.0)


def _alone(disk: Disk, way_s: float) -> float:
    """Give how long the next of one access at a time waits for its place, as an access ends where the next
    begins: for the rest of the revolution that its way takes, and what is thought before it."""
    revolution_s, every = disk.revolution_s, disk.use.think_every
    after, thought = -way_s % revolution_s, -(way_s + disk.use.think_s) % revolution_s
    return after + (thought - after) / every


def in_step(demands: Demands, model: HddModel, load: Load, access: Access, turns: tuple[int, int]) -> None:
    """Add the revolutions that a stream of writes loses on several disks, each of which has its turn."""
    bytes_s, revolution_s = model.outer_bytes_s, model.revolution_ps * PS
    way, transfer_s = way_of(demands), access.bytes / bytes_s
    rate = rate_s(
        way, outstanding=load.outstanding, transfer_s=transfer_s, revolution_s=revolution_s,
        drives=turns[0], run=turns[1],
    )  # fmt: skip
    if rate is not None:
        lost = load.outstanding / rate - way.total_s - transfer_s
        demands.delay("lost revolutions", "drive_media", lost)
