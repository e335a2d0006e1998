"""Points and plans: every choice of a measurement, made before the first I/O.

A point is what goes to an engine or a simulator; the JSON of :class:`Point` is the
request that ``iodyno._core`` reads.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Sequence
from collections.abc import Set as AbstractSet
from functools import cache
from itertools import accumulate
from pathlib import PurePath
from typing import Any, Literal

from pydantic import Field, NonNegativeInt, PositiveFloat, PositiveInt

from iodyno.profiles import LoadProfile, Record, Share
from iodyno.virtual import VirtualSystem

PLAN_SCHEMA = 1
LATER_FIELDS = ("trim_share", "fsync_every", "fdatasync_every", "think_time_us", "think_every")
"""Fields of a profile that points were hashed without before there were any."""
WALKS = ("random_every", "gap_bytes", "cursors")
"""The same fields of a profile and of a load beside: how it walks over an area."""
LATER_CHOICES = ("write_through", "cold_cache", "iopoll", "pinning", "targets_per_worker")
"""The same of a point and of ``[measurement]``."""

Engine = Literal["auto", "io_uring", "aio", "sync", "null", "nop", "simulator", "analytic"]
RealEngine = Literal["auto", "io_uring", "aio", "sync", "null", "nop"]
"""Engines that ask real targets; the others answer for virtual ones."""
Arrival = Literal["fixed", "poisson"]
WorkersArea = Literal["shared", "own", "stream"]
"""Which part of an area a worker accesses: all of it, an equal part, or the next block of one sequential
stream that all workers drive."""


_OF_A_LOAD = (
    "profile", "outstanding", "workers", "workers_area", "targets_per_worker", "rate_io_s", "arrival",
    "begins_after_s", "seed",
)  # fmt: skip


class PlannedTarget(Record):
    """A target as the plan found it, with the area that a point accesses."""

    path: str
    """Absolute path of the file or block device, links resolved; the name of a virtual volume."""
    kind: Literal["file", "device", "virtual"]
    size_bytes: NonNegativeInt
    """Size of the file or device in bytes; 0 where an imported result does not say."""
    logical_block_bytes: PositiveInt = 512
    """Smallest unit of direct I/O in bytes."""
    created: bool = False
    """Whether iodyno makes the file for this run."""
    area_start_bytes: NonNegativeInt = 0
    """Where the accessed area begins, in bytes, a multiple of the alignment."""
    area_length_bytes: NonNegativeInt
    """How long the accessed area is, in bytes; 0 where an imported result does not say."""


class Stopping(Record):
    """When the measurement of a point ends."""

    warmup_s: float = Field(ge=0)
    """Seconds of load before anything is counted."""
    floor_s: PositiveFloat
    """Seconds that follow the warm-up at the least before the rule may stop; what of them came before the
    load had settled, up to a half, is cut off."""
    cap_s: PositiveFloat
    """Most measured seconds."""
    precision: float = Field(gt=0, lt=1)
    """Half-width of the interval to reach, as a share of the mean: 0.02 is ±2 %."""
    confidence: float = Field(gt=0.5, lt=1)
    """Confidence of the interval: 0.95."""
    warmup_ios: NonNegativeInt | None = None
    """I/Os before anything is counted, where the target is virtual; a closed loop has no fewer than 24 rounds
    of as many as are outstanding."""
    floor_ios: PositiveInt | None = None
    """I/Os that follow the warm-up at the least before the rule may stop, where the target is virtual, as
    :attr:`floor_s`: about as many, in windows of time; 24 rounds, where that is more."""
    cap_ios: PositiveInt | None = None
    """Most counted I/Os, where the target is virtual; 48 rounds, where that is more."""


class RateShare(Record):
    """A rate as a share of what the target can serve: of the greatest rate of earlier points of the run."""

    of: tuple[NonNegativeInt, ...] = Field(min_length=1)
    """Indices of the points of a closed loop whose greatest rate is the whole."""
    share: PositiveFloat
    """Share of it, above 0: 1.1 is a tenth more than the target can serve."""


class SearchGoal(Record):
    """What a search looks for: the highest rate at which a percentile of the response time keeps a limit."""

    percentile: float = Field(gt=0, lt=1)
    """0 to 1: 0.99 is the 99th."""
    limit_s: PositiveFloat
    """Limit of the response time in s."""
    resolution: float = Field(gt=0, lt=1)
    """How far the lowest rate that breaks the limit may be above the highest that keeps it, as a share."""


class SearchStep(Record):
    """A rate that follows from the steps before it."""

    goal: SearchGoal
    of: tuple[NonNegativeInt, ...] = Field(min_length=1)
    """Indices of the points of a closed loop whose greatest rate the search begins from."""
    after: tuple[NonNegativeInt, ...] = ()
    """Indices of the steps before it."""


class BesideLoad(Record):
    """A load that runs at the same time as another, on targets of its own or on the same."""

    profile: LoadProfile
    targets: PositiveInt
    """How many of the point's targets are its own: they follow those of the loads before it."""
    outstanding: int = Field(ge=1, le=4096)
    """As of a point, with all that follows."""
    workers: int = Field(ge=1, le=1024)
    workers_area: WorkersArea = "shared"
    targets_per_worker: PositiveInt | None = None
    rate_io_s: PositiveFloat | None = None
    arrival: Arrival = "fixed"
    begins_after_s: float = Field(0.0, ge=0)
    seed: int = Field(ge=0, lt=1 << 63)


class Point(Record):
    """One measurement, decided: what goes in where a reading comes out.

    Where several loads run at once, the fields are those of the first of them, but for ``targets``: they are
    those of all, one load after the other, and the same path may stand for several.
    """

    index: NonNegativeInt
    """Position in the plan, from 0."""
    sweep: str
    """Name of the sweep that it belongs to."""
    profile: LoadProfile
    targets: tuple[PlannedTarget, ...] = Field(min_length=1)
    beside: tuple[BesideLoad, ...] = ()
    """Loads that run at the same time as the first."""
    outstanding: int = Field(ge=1, le=4096)
    """Outstanding I/Os per target and worker, 1 to 4096; with a rate, the most of them."""
    workers: int = Field(ge=1, le=1024)
    """Workers (threads), 1 to 1024."""
    workers_area: WorkersArea = "shared"
    """Which part of the area a worker accesses: ``shared``, all of it; ``own``, an equal part; ``stream``,
    the next block of one sequential stream of all workers."""
    targets_per_worker: PositiveInt | None = None
    """Targets that a worker drives, which divides their number: each such part of them has :attr:`workers` of
    its own. None: every worker drives all targets."""
    rate_io_s: PositiveFloat | None = None
    """I/Os per second asked for in all (open loop); none: a loop that waits."""
    arrival: Arrival = "fixed"
    """How arrivals are spaced where a rate is given."""
    begins_after_s: float = Field(0.0, ge=0)
    """When the first load begins, in seconds after the beginning of the point."""
    rate_from: RateShare | SearchStep | None = None
    """Rule by which the rate follows from earlier readings of the run; in the plan the rate is open then."""
    engine: Engine = "auto"
    direct: bool = True
    """Bypass the caches of the operating system."""
    verify: bool = False
    """Stamp what is written and check what is read."""
    write_through: bool = False
    """Each write is durable before it is complete (O_DSYNC)."""
    cold_cache: bool = False
    """Begin with nothing of the targets in the caches of the operating system, and tell it whether accesses
    are random: for buffered I/O."""
    iopoll: bool = False
    """Ask the device for completions instead of waiting for its interrupts; io_uring only."""
    pinning: str = "node"
    """On which processors the workers run: ``node``, ``none`` or a list such as ``0-3,8``."""
    worker_cpus: tuple[NonNegativeInt, ...] = ()
    """Processors that the workers are pinned to, decided from ``pinning``; none: not pinned."""
    stopping: Stopping
    seed: int = Field(ge=0, lt=1 << 63)
    """Seed of every draw of this point."""
    system: str | None = None
    """Name in :attr:`Plan.systems` of the virtual system that the targets are volumes of; none: they
    are real."""

    @property
    def simulated(self) -> bool:
        """Whether it is answered by a simulation or a calculation, and not by a device."""
        return self.system is not None

    @property
    def follows(self) -> tuple[int, ...]:
        """Indices of the points whose readings decide its rate."""
        rule = self.rate_from
        if rule is None:
            return ()
        return rule.of if isinstance(rule, RateShare) else (*rule.of, *rule.after)

    @property
    def loads(self) -> tuple[Point, ...]:
        """Its loads, each as a point of its own: itself, where nothing runs beside it."""
        if not self.beside:
            return (self,)
        counts = [load.targets for load in self.beside]
        ends = list(accumulate([len(self.targets) - sum(counts), *counts]))
        own = [self.targets[start:end] for start, end in zip((0, *ends), ends, strict=False)]
        alone = {"beside": (), "targets": own[0]}
        others = (
            {**alone, **{name: getattr(load, name) for name in _OF_A_LOAD}, "targets": targets}
            for load, targets in zip(self.beside, own[1:], strict=True)
        )
        return tuple(self.model_copy(update=changes) for changes in (alone, *others))

    @staticmethod
    def at_once(loads: Sequence[Point]) -> Point:
        """Give the point whose :attr:`loads` these are: the first one, with the others beside it."""
        first, *others = loads
        beside = tuple(
            BesideLoad(**{name: getattr(load, name) for name in _OF_A_LOAD}, targets=len(load.targets))
            for load in others
        )
        targets = tuple(target for load in loads for target in load.targets)
        changes = {"beside": beside, "targets": targets}
        return first.model_copy(update=changes)

    @property
    def all_begun_s(self) -> float:
        """When the last of its loads begins, in seconds after its beginning: the warm-up is from then on."""
        return max([self.begins_after_s, *(load.begins_after_s for load in self.beside)])

    @property
    def longest_s(self) -> float:
        """Most seconds that it can take on real targets."""
        return self.all_begun_s + self.stopping.warmup_s + self.stopping.cap_s

    @property
    def profiles(self) -> tuple[LoadProfile, ...]:
        """Profiles of its loads."""
        return (self.profile, *(load.profile for load in self.beside))

    @property
    def alters(self) -> bool:
        """Whether any access writes or trims: what a target held is lost then."""
        return any(profile.alters for profile in self.profiles)

    @property
    def open_loop(self) -> bool:
        """Whether I/Os start when a schedule says so, and not when others complete; of several loads each
        has its own answer."""
        return not self.beside and (self.rate_io_s is not None or self.rate_from is not None)

    @property
    def outstanding_total(self) -> int:
        """Outstanding I/Os in all: per target and worker × workers × targets, of every load."""
        return sum(load.outstanding * load.workers * len(load.targets) for load in self.loads)

    @property
    def workers_in_all(self) -> int:
        """Workers of all targets, of every load."""
        return sum(
            load.workers * (len(load.targets) // (load.targets_per_worker or len(load.targets)))
            for load in self.loads
        )

    @property
    def shared_out(self) -> int | None:
        """Targets that have :attr:`workers` of their own, of the first load; none where every worker drives
        all."""
        each = self.targets_per_worker
        return None if each is None or each >= len(self.loads[0].targets) else each

    @property
    def config_hash(self) -> str:
        """First 16 hexadecimal digits of the SHA-256 of the canonical JSON."""
        return canonical_hash(hashed_point(self, {"index"}))


class SteadyRule(Record):
    """When rounds of conditioning end: SNIA's rule of steady state (PTS 2.0, "Steady State")."""

    at_most: int = Field(25, ge=1, le=1000)
    """Most rounds, 1 to 1000."""
    window: int = Field(5, ge=3, le=100)
    """Last rounds that are looked at, 3 to 100."""
    range_share: float = Field(0.2, gt=0, lt=1)
    """Most that the greatest and the smallest round of the window may differ, as a share of their mean."""
    excursion_share: float = Field(0.1, gt=0, lt=1)
    """Most that the line fitted to the window may move over it, as a share of the mean."""


class PlannedFill(Record):
    """Part of a target that is written in full and in sequence before anything is measured."""

    path: str
    """Path of the target."""
    start_bytes: NonNegativeInt
    length_bytes: PositiveInt
    times: int = Field(ge=1, le=2)
    """How often it is written, 1 or 2."""


class PlannedRounds(Record):
    """Rounds of load until a steady state, or until there have been too many."""

    before: NonNegativeInt
    """Index of the point that they come before."""
    loads: tuple[Point, ...] = Field(min_length=1)
    """What a round is made of, one after the other; each ends after a fixed time."""

    def of_round(self, number: int) -> tuple[Point, ...]:
        """Give the loads of a round, counted from 1: each draws offsets of its own."""
        return tuple(
            load.model_copy(update={"seed": point_seed(load.seed, "round", number)}) for load in self.loads
        )


class PlannedConditioning(Record):
    """What is done to the targets before they are measured."""

    purge: Literal["none", "discard"] = "none"
    """``discard``: every block of the devices is given back first."""
    fills: tuple[PlannedFill, ...] = ()
    """One for each target that is written in full."""
    rule: SteadyRule = SteadyRule()
    rounds: tuple[PlannedRounds, ...] = ()
    reuse: bool = True
    """Whether what an earlier run wrote counts, where it still holds."""

    @property
    def writes(self) -> bool:
        """Whether it writes to the targets, or trims them: what they held is lost then."""
        loads = (load for rounds in self.rounds for load in rounds.loads)
        return self.purge != "none" or bool(self.fills) or any(load.alters for load in loads)

    @property
    def longest_s(self) -> float:
        """Most seconds that the rounds can take; filling takes what it takes."""
        loads = (load.stopping.cap_s for rounds in self.rounds for load in rounds.loads)
        return self.rule.at_most * sum(loads)


class FillData(Record):
    """What files and areas are filled with before anything is measured."""

    compressible_share: Share = 0.0
    """Share of each block that compresses away, 0 to 1."""
    duplicate_share: Share = 0.0
    """Share of blocks of 128 kB that are copies of earlier ones, 0 to 1."""


class Plan(Record):
    """The whole list of points."""

    plan_schema: int = PLAN_SCHEMA
    study: str
    """Name of the study."""
    title: str
    seed: int = Field(ge=0, lt=1 << 63)
    points: tuple[Point, ...] = Field(min_length=1)
    study_source: dict[str, Any] = Field(default_factory=dict)
    """The study as read, whole: how the paper shows its sweeps is in it."""
    systems: dict[str, VirtualSystem] = Field(default_factory=dict)
    """The virtual systems of the points, resolved; empty where all targets are real."""
    conditioning: PlannedConditioning | None = None
    """What is done to the targets first; none: files that iodyno makes are written once, nothing else."""

    @property
    def config_hash(self) -> str:
        """First 16 hexadecimal digits of the SHA-256 of the canonical JSON."""
        left_out = {"points", "systems", "conditioning"}  # what is said of conditioning is in the study
        document = self.model_dump(mode="json", exclude=left_out)
        document["points"] = [hashed_point(point) for point in self.points]
        document["study_source"] = _without_folders(document["study_source"])
        if self.systems:
            document["systems"] = {name: item.model_dump(mode="json") for name, item in self.systems.items()}
        return canonical_hash(document)

    @property
    def fill_data(self) -> FillData:
        """What is filled before: data as all profiles of the plan write it; where they differ, data that
        neither compresses nor repeats."""
        profiles = (profile for point in self.points for profile in point.profiles)
        found = {(profile.data_compressible_share, profile.data_duplicate_share) for profile in profiles}
        if len(found) > 1:
            return FillData()
        ((compressible, duplicate),) = found
        return FillData(compressible_share=compressible, duplicate_share=duplicate)

    @property
    def simulated(self) -> bool:
        """Whether every point is answered by a simulation or a calculation."""
        return all(point.simulated for point in self.points)

    @property
    def longest_s(self) -> float:
        """Most seconds that points and rounds can take, without filling; simulated points are not timed."""
        points = sum(point.longest_s for point in self.points if not point.simulated)
        return points + (self.conditioning.longest_s if self.conditioning else 0.0)


def _without_folders(source: dict[str, Any]) -> dict[str, Any]:
    """Call systems in files by the names of the files: where they lie is no choice, and what is in them is
    hashed as it was resolved."""
    told = source.get("configuration", ())
    named = [
        {**item, "system": PurePath(item["system"]).name} if isinstance(item.get("system"), str) else item
        for item in told
    ]
    return {**source, "configuration": named} if told else source


def hashed_point(point: Point, leave_out: AbstractSet[str] = frozenset()) -> dict[str, Any]:
    """Give what a point's hash covers: what only virtual targets have is left out of real ones."""
    document = point.model_dump(mode="json", exclude=set(leave_out))
    if point.rate_from is None:
        document.pop("rate_from", None)
    if not point.verify:
        document.pop("verify", None)
    document.pop("worker_cpus", None)  # follows from the pinning and the machine
    without_defaults(document, (*LATER_CHOICES, "begins_after_s"), Point)
    without_defaults(document.get("profile", {}), LATER_FIELDS, LoadProfile)
    if not point.beside:
        document.pop("beside", None)
    for load in document.get("beside", ()):
        without_own_ways(load["profile"])
        without_defaults(load, ("begins_after_s",), BesideLoad)
    if point.system is None:
        document.pop("system", None)
        for name in ("warmup_ios", "floor_ios", "cap_ios"):
            document.get("stopping", {}).pop(name, None)
    unused_patterns_left_out(document, document.get("profile", {}))
    return document


def unused_patterns_left_out(document: dict[str, Any], profile: dict[str, Any]) -> None:
    """Leave out of a document, and of a profile in it, places and data that are the usual: what had a hash
    before there was a choice keeps it."""
    if document.get("workers_area") == "shared":
        del document["workers_area"]
    without_own_ways(profile)
    if profile.get("distribution", {}).get("kind") == "uniform":
        del profile["distribution"]
    for name in ("data_compressible_share", "data_duplicate_share"):
        if profile.get(name) == 0:
            del profile[name]
    for name in ("write_blocks", "write_alignment_bytes"):
        if not profile.get(name):
            profile.pop(name, None)


def without_own_ways(profile: dict[str, Any]) -> None:
    """Leave out of a profile that writes go the same way as all, and that it walks as usual."""
    without_defaults(profile, WALKS, LoadProfile)
    for name, plain in (("write_random_share", "random_share"), ("write_distribution", "distribution")):
        if profile.get(name) in (None, profile.get(plain)):
            profile.pop(name, None)
        else:  # each direction has a cursor of its own, said or not
            profile.pop("cursors", None)


def without_defaults(document: dict[str, Any], names: Iterable[str], record: type[Record]) -> None:
    """Leave out of a document what came later than the first of its kind and is not used."""
    for name in names:
        if name in document and document[name] == _default(record, name):
            del document[name]


@cache
def _default(record: type[Record], name: str) -> Any:
    return record.model_fields[name].default


def canonical_hash(value: object) -> str:
    """Hash a JSON value: keys sorted, no spaces; 16 hexadecimal digits of SHA-256."""
    text = json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def point_seed(plan_seed: int, *identity: object) -> int:
    """Derive a point's seed from the plan's seed and what the point is.

    The order of points does not matter: taking one away leaves the others' offsets as
    they were.
    """
    return int(canonical_hash([plan_seed, *(str(part) for part in identity)]), 16) >> 1
