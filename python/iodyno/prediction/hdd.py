"""A hard disk as a station that works the faster, the more it can choose from."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache

from iodyno.prediction.accesses import Access, DriveUse, Load, Operations
from iodyno.prediction.demands import PS, Demand, Demands
from iodyno.prediction.in_step import MECHANICS, rate_s, way_of
from iodyno.prediction.records import Rates
from iodyno.virtual import HddModel

GAIN = 0.27
"""Exponent of the gain by choosing the shortest access time: X(q) = X(1)·q^0.27; 0.26 to 0.28 in simulations
of ideal scheduling."""
MOST_CHOICES = 64
"""Choices beyond which there is no further gain: the shortest access takes a settled head and missed
revolutions all the same."""
SERVICE_SCV = 0.12
"""Squared coefficient of variation of an access: most of it is the rotation, uniform over a revolution."""
_STEPS = 64
_PHASES = 16
"""Parts of a revolution in which the next of several readers can come to the head first."""
_EDGE = 0.1
"""Share of a revolution by which two seeks of such a formula can be off."""
_NEAREST = 8
"""Readers on either side that are looked at: further ones are reached later."""


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


@lru_cache(maxsize=256)
def first_to_come(curve: SeekCurve, step: float, readers: int, revolution_s: float) -> tuple[float, float]:
    """Give the mean seek to the one of several readers that comes to the head first, and the mean wait there.

    They are as far apart as ``step``, a share of the stroke, and each is anywhere in the revolution.
    """
    here = readers // 4
    near = [at for at in range(here - _NEAREST, here + _NEAREST + 1) if 0 <= at < readers and at != here]
    seeks = [curve.time_s(abs(at - here) * step) for at in near]
    of_all = way = wait = 0.0
    for number, seek in enumerate(seeks):
        for part in range(_PHASES):
            waited = (part + 0.5) / _PHASES * revolution_s
            later = (
                min(1 - (seek + waited - other) / revolution_s, 1.0)
                for at, other in enumerate(seeks)
                if at != number
            )
            first = math.prod(max(share, 0.0) for share in later)
            of_all, way, wait = of_all + first, way + first * seek, wait + first * waited
    return way / of_all, wait / of_all


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
        # A stream begins where the area does, and what is counted of it does not come far.
        at = (first + last) / 2 if use.random_share or use.readers > 1 else first
        self.bytes_s = model.outer_bytes_s - (model.outer_bytes_s - model.inner_bytes_s) * at

    def cylinder(self, share: float) -> float:
        """Give the share of the stroke that lies before a share of the capacity: outer tracks hold more."""
        outer, inner = self.model.outer_bytes_s, self.model.inner_bytes_s
        if outer - inner < 1e-6 * outer:
            return share
        return (outer - math.sqrt(outer**2 - (outer**2 - inner**2) * share)) / (outer - inner)

    def there_s(self, operations: Operations) -> float:
        """Give the mean time of an access once the head is there: it settles to write, and the data pass."""
        passed = 1.0 if operations.write else self.use.passed_over
        share = self.use.random_share
        settle = share * self.model.write_settle_ps * PS if operations.write else 0.0
        transfer = operations.bytes / self.bytes_s * (share + (1 - share) * passed)
        return settle + transfer * (1 + self.away())

    def away(self) -> float:
        """Give the time on the way from reader to reader, as a share of the time in which one is read.

        While the next reader's place turns to the head, it reads ahead for the one before. It comes back
        over the byte at which it left after whole revolutions: of two readers it spends -2s modulo a
        revolution with each, s the seek between them; half of one where the seek is not known well enough to
        tell next to nothing from all of it. Of several the one goes first that it reaches first. A reader
        whose next read waits already keeps the head.
        """
        if self.use.readers < 2 or not self.use.one_each or not self.model.read_ahead_bytes:
            return 0.0
        sizes = [op.bytes for op in self.use.operations]
        read_s = sum(sizes) / len(sizes) / self.bytes_s
        step = self.stretch / self.use.readers
        if self.use.readers == 2:
            way = self.seek.time_s(step)
            visit = -2 * way % self.revolution_s
            if not _EDGE < visit / self.revolution_s < 1 - _EDGE:
                visit = self.revolution_s / 2
            visit += self.revolution_s * max(math.ceil((read_s - visit) / self.revolution_s), 0)
        else:
            way, wait = first_to_come(self.seek, step, self.use.readers, self.revolution_s)
            visit = max(read_s, wait + read_s / 2)
        return (way + self.model.missed_revolution * self.revolution_s) / visit

    def positioning_s(self, operations: Operations) -> float:
        """Give the mean way to an access by itself: seek, rotation, missed ones."""
        way = self.seek.mean_s(self.stretch)
        if operations.waited == 0 and self.use.destaging:
            way = self.seek.time_s(self.use.destaged_distance * self.stretch)
        random = way + (0.5 + self.model.missed_revolution) * self.revolution_s
        return self.use.random_share * random

    def gain(self, outstanding: float) -> float:
        """Give how many times sooner the head is there with so many to choose from; streams gain nothing."""
        return float(min(max(outstanding, 1.0), MOST_CHOICES) ** (GAIN * self.use.random_share))


def place(demands: Demands, key: int, name: str, model: HddModel, use: DriveUse) -> None:
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
    mechanics = _mechanics(demands, key, name, disk, waited)
    for operations in hidden:
        entries = use.destaging or max(model.write_cache_entries, 1)
        access = disk.positioning_s(operations) / disk.gain(entries) + disk.there_s(operations)
        mechanics.background_s += operations.count * access
        seen = operations.count * operations.waited
        demands.delay(f"{name}: cache", "drive_front", seen * model.cached_write_ps * PS)


def _mechanics(demands: Demands, key: int, name: str, disk: Disk, waited: list[Operations]) -> Demand:
    visits = sum(op.count for op in waited)
    positioning = sum(op.count * disk.positioning_s(op) for op in waited) / visits if visits else 0.0
    there = sum(op.count * disk.there_s(op) for op in waited) / visits if visits else 1.0
    lost = _in_step(demands, disk, waited, there)
    there = there if lost is None else lost
    service = positioning + there
    depth = max(1, min(disk.model.tags, disk.use.queue_limit)) if disk.use.random_share else 1
    law = Rates(rates=tuple(1 / (positioning / disk.gain(q) + there) for q in range(1, depth + 1)))
    mechanics = demands.at((MECHANICS, key), f"{name}: mechanics", "drive_media", law=law)
    # A stream that is read ahead waits for the rate of the medium only, and for no access.
    ahead = disk.use.random_share == 0 and disk.model.read_ahead_bytes > 0
    for op in waited:
        seen = 0.0 if ahead and not op.write else op.count * op.waited
        mechanics.visits += op.count
        mechanics.service_s += op.count * service
        mechanics.square_s2 += op.count * service**2 * (1 + (SERVICE_SCV if lost is None else 0.0))
        mechanics.passes += seen
        # Copies of a stream turn in step: there is no last of them.
        mechanics.wide += seen * (op.parallel if lost is None else 1.0)
    if lost is None:
        _revolutions(demands, name, disk, waited)
    return mechanics


def _late(disk: Disk, waited: list[Operations]) -> list[Operations]:
    """Give what is neither waited for nor read ahead: what comes late in a sequence has passed the head."""
    return [op for op in waited if op.write or not disk.model.read_ahead_bytes]


def _revolutions(demands: Demands, name: str, disk: Disk, waited: list[Operations]) -> None:
    """A sequential access that comes when the one before is answered finds its sector passed."""
    if disk.use.outstanding > 1:
        return
    for op in _late(disk, waited):
        transfer = op.bytes / disk.bytes_s
        lost = disk.revolution_s - transfer % disk.revolution_s
        seconds = op.count * op.waited * (1 - disk.use.random_share) * lost
        demands.delay(f"{name}: lost revolutions", "drive_media", seconds)


def _in_step(demands: Demands, disk: Disk, waited: list[Operations], transfer_s: float) -> float | None:
    """Give the time for an access where every I/O of a stream is one, and loses revolutions."""
    every = sum(op.count for op in waited)
    if disk.use.random_share or not waited or _late(disk, waited) != waited or abs(every - 1) > 1e-6:
        return None
    outstanding, way = max(round(disk.use.outstanding), 1), way_of(demands)
    rate = rate_s(way, outstanding=outstanding, transfer_s=transfer_s, revolution_s=disk.revolution_s)
    if rate is None:
        return None
    return 1 / rate - (way.total_s if outstanding == 1 else 0.0)


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
