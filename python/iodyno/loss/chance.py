"""How probable it is that drives which hold each other's data lose some: by Monte Carlo, of rare events too.

Drives fail at a constant rate, are replaced and rebuilt. Data is lost where more fail than the level
survives, and where a rebuild needs a block that cannot be read while nothing else tells it. Failures within
a rebuild are seldom: they are drawn more often than they come, and count by as much less (failure biasing:
Lewis, Böhm, *Monte Carlo simulation of Markov unreliability models*, Nuclear Engineering and Design 77,
1984).
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from random import Random

from iodyno.catalog.levels import survives
from iodyno.virtual import Level

BATCH = 10_000
"""Missions between two looks at how precise the probability is."""
LEAST, MOST = 4 * BATCH, 40 * BATCH
"""Missions at the least, so that a few rare ones do not look precise, and at the most."""
PRECISE = 0.05
"""Half width of the 95 % interval, as a share of the probability, that is enough."""
WHOLE, DEGRADED = 0.5, 0.2
"""How often a failure is drawn at the least: before a mission ends with all drives whole, and before the next
of those that failed is whole again. With two tenths the weight of a mission of many rebuilds stays small."""
NORMAL = 1.959964
"""Standard deviations on each side of the mean that hold 95 % of a normal distribution."""


@dataclass(frozen=True)
class RedundantSet:
    """Drives that hold each other's data, nobody else's: an array, a pair of RAID 10, a group of RAID 50."""

    level: Level
    """JBOD, 0, 1, 1E, 5 or 6."""
    drives: int
    """How many, as many as the level takes."""
    failures_s: float
    """Failures of each a second, above 0."""
    drive_bytes: int
    """Bytes of each that are rebuilt, above 0."""
    unreadable_bits: float
    """Bits that are read for each block that cannot be, above 0."""
    replaced_s: float
    """Seconds from a failure to the beginning of the rebuild, 0 and more."""
    rebuilt_s: float
    """Seconds that the rebuild takes, above 0."""

    @property
    def redundancy(self) -> int:
        """Members that may fail at a time, whichever they are."""
        return {"JBOD": 0, "0": 0, "1": self.drives - 1, "1E": 1, "5": 1, "6": 2}[self.level]

    def survives(self, failed: Collection[int]) -> bool:
        """Tell whether all data is there while some members have failed."""
        return survives(self.level, self.drives, 1, tuple(failed))

    def unreadable(self, others: Collection[float]) -> float:
        """Give the probability that a rebuild meets a block that nothing tells.

        Of two drives that failed, what the first has rebuilt is told by it. So only the rest of it counts,
        and where a third would have to fail for a loss nothing does.

        Parameters
        ----------
        others
            Of those that failed before and are not whole again: the share of each that is not rebuilt.
        """
        if len(others) + 1 < self.redundancy:
            return 0.0
        # Of a ring whoever failed before and is no neighbour has none of the same data.
        share = 1.0 if self.level == "1E" else min(others, default=1.0)
        read_from = self.drives - 1 - len(others) if self.level in ("5", "6") else 1
        return -math.expm1(-8 * self.drive_bytes * share * read_from / self.unreadable_bits)


@dataclass(frozen=True)
class Chance:
    """A probability with what it may be off by."""

    probability: float
    """0 to 1."""
    half_width: float
    """Half width of its 95 % interval."""


@dataclass(frozen=True)
class Loss:
    """How probable a loss of data is."""

    any: Chance
    """Of whatever cause."""
    drives: Chance
    """More drives failed than the level survives: all is lost."""
    blocks: Chance
    """A rebuild met a block that could not be read, and nothing else told it."""
    missions: int
    """How many were drawn."""


def chance(of: RedundantSet, sets: int, mission_s: float, seed: int) -> Loss:
    """Give the probability that one of several equal sets loses data within a mission.

    A rebuild that begins within the mission counts whole. One seed, one result.

    Parameters
    ----------
    of
        The drives that hold each other's data.
    sets
        How many of it: no two share a drive. 1 and more.
    mission_s
        Seconds, above 0.
    seed
        Of every draw.

    Examples
    --------
    >>> pair = RedundantSet("1", 2, 1e-9, 10**12, 1e15, 0.0, 1e4)
    >>> chance(pair, 1, 1.5e8, 1).drives.probability < 1e-5
    True
    """
    random, sums = Random(seed), [_Sum(), _Sum(), _Sum()]
    while True:
        for _ in range(BATCH):
            found = [0.0, 0.0, 0.0]
            for lost in _mission(of, mission_s, random):
                found = [one + more for one, more in zip(found, lost, strict=True)]
            for one, total in zip(sums, found, strict=True):
                one.add(total)
        whole = sums[0].chance(1)
        enough = whole.probability > 0 and whole.half_width <= PRECISE * whole.probability
        if (sums[0].count >= LEAST and enough) or sums[0].count >= MOST:
            of_any, of_drives, of_blocks = (one.chance(sets) for one in sums)
            return Loss(of_any, of_drives, of_blocks, sums[0].count)


def _mission(of: RedundantSet, mission_s: float, random: Random) -> Iterator[tuple[float, float, float]]:
    """Draw what happens in a mission, and yield what is lost: of whatever, by drives, and by blocks.

    Each is the probability of a loss at that moment, by how often such a mission comes. Of whatever counts
    the first loss alone.
    """
    now, weight, nothing_yet = 0.0, 1.0, 1.0
    whole_at: dict[int, float] = {}
    while now < mission_s:
        until = min([mission_s, *whole_at.values()])
        rate = of.failures_s * (of.drives - len(whole_at))
        comes = -math.expm1(-rate * (until - now))
        drawn = max(comes, DEGRADED if whole_at else WHOLE)
        if random.random() >= drawn:
            weight *= (1 - comes) / (1 - drawn)
            now = until
            whole_at = {member: then for member, then in whole_at.items() if then > now}
            continue
        weight *= comes / drawn
        now -= math.log1p(-random.random() * comes) / rate
        member = random.choice([one for one in range(of.drives) if one not in whole_at])
        if not of.survives({*whole_at, member}):
            yield weight * nothing_yet, weight, 0.0
            return
        unreadable = of.unreadable([min((then - now) / of.rebuilt_s, 1.0) for then in whole_at.values()])
        yield weight * nothing_yet * unreadable, 0.0, weight * nothing_yet * unreadable
        nothing_yet *= 1 - unreadable
        whole_at[member] = now + of.replaced_s + of.rebuilt_s


class _Sum:
    """The mean of draws, and what it may be off by."""

    def __init__(self) -> None:
        self.count, self.total, self.squares = 0, 0.0, 0.0

    def add(self, one: float) -> None:
        self.count += 1
        self.total += one
        self.squares += one * one

    def chance(self, sets: int) -> Chance:
        """Give the probability that it comes to pass in one of several sets, each by itself."""
        mean = min(self.total / self.count, 1.0)
        variance = max(self.squares / self.count - mean * mean, 0.0) / (self.count - 1)
        none = math.log1p(-mean) * sets if mean < 1 else -math.inf
        slope = sets * (1 - mean) ** (sets - 1)
        return Chance(-math.expm1(none), NORMAL * slope * math.sqrt(variance))
