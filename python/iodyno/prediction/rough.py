"""Where the formulas are known to be far from the simulator: a verdict on what is calculated.

``benches/formulas.py`` counts, on points drawn at random, how many of those with and without a reason are far
off, and how far: the spans here are from there, of several seeds, and wider where more workers, disks without
their caches and parity were tried out.
"""

from __future__ import annotations

import heapq
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from iodyno.plan import Point
from iodyno.prediction.accesses import MOST_COMMANDS, one_at_a_time
from iodyno.prediction.beginnings import spread
from iodyno.prediction.controllers import AHEAD_BYTES, LINE_BYTES, sharing_caches
from iodyno.prediction.demands import PS
from iodyno.prediction.raid import PARITIES
from iodyno.prediction.records import Solver
from iodyno.prediction.ssd import FOLLOWED
from iodyno.profiles import LoadProfile
from iodyno.virtual import (
    Array,
    HddModel,
    OnDrive,
    OnHostRaid,
    PrimaryReads,
    SpreadReads,
    SsdModel,
    VirtualSystem,
    Volume,
)

PARITY = tuple(PARITIES)
COPIES = ("1", "1E", "10")
FETCHED_FOR, FETCHED_BESIDE_PARITY = 3, 2
"""Workers from which on it is not foreseen in what orders disks have what a controller fetches for them, and
where there is parity."""
DEEP_BYTES = 512 << 10
"""Bytes outstanding in order on a set of copies, about half a track, from which on a head may leave what the
other reads instead of letting it pass."""
FEW = 0.8
"""Share of the disks that formulas have at work, below which those that a stream reaches are few."""
FEW_PAIRS = 0.95
"""The same of pairs of disks, where they are reckoned."""
NEAR = 2.0
"""How much longer than a transfer a command is up to where both hold up a stream."""
_ROUNDS, _EACH, _MOST = 6, 40, 20_000
"""Times that a stream goes over all disks, accesses for each outstanding one, and at the most."""
FEW_BYTES = 1 << 20
"""Bytes outstanding in order on SSDs up to which it is not foreseen how reads and writes among them meet."""
SOME_STRIPS = (0.5, 2.0)
"""Strips of an access from which on, and up to which, it hangs on two disks of an array how long it waits."""
UPDATE_BYTES, FEW_ROWS = 128 << 10, 4
"""Bytes of a write to parity on SSDs from which on much of it is still to be programmed when the next comes,
and rows outstanding up to which the drives are not busy all of the time."""
UNSTEADY = 0.25
"""By how much a beginning of streams on a disk is faster than another from which on it counts which it is."""
STREAM_BYTES, STREAM_ROWS = 64 << 20, 16
"""Room that a cache has for what streams write, and rows for which it has some, at the least. Both as assumed
of the simulated controller (``crates/sim/src/controller/cache.rs``)."""
FEW_READS = 0.4
"""Share of reads up to which a disk has time to write most of what it has answered."""
AHEAD_AT_RANDOM = 0.75
"""Share of random accesses up to which much is read ahead of them for nothing."""
SMALL_AREA, SMALL_AREA_OF_PARITY = 8.0, 40.0
"""Area up to which much of what is written at random lies on each other in the cache, in caches; and up to
which several blocks share a parity."""
LARGE_BYTES, WIDE = 256 << 10, 16
"""A block is large among small ones from so many bytes on, and so many times as large."""


@dataclass(frozen=True)
class Rough:
    """Why a calculated rate may be far off."""

    what: str
    """The load and where it goes, in words."""
    least: float
    most: float
    """Figures of the formulas ÷ those of the simulator that were seen."""
    of: Literal["rate", "latency"] = "rate"
    """What may be far off: the rate, and with it the latency, or the latency alone."""


@dataclass(frozen=True)
class _Place:
    """What the rules look at of a volume."""

    model: HddModel | SsdModel
    array: Array | None
    """None of a drive alone."""
    read_ahead: bool = False
    write_back: bool = False
    behind: bool = False
    """Whether a controller has the level."""
    destaged: int = 0
    """Operations on each drive that a controller destages at a time, at most."""
    area_of_cache: float = math.inf
    """The accessed area as a share of the controller's cache; none: there is no cache."""

    @property
    def members(self) -> int:
        return len(self.array.drives) if self.array else 1

    @property
    def level(self) -> str:
        return self.array.level if self.array else ""


def rough(point: Point, system: VirtualSystem, solve: Solver) -> tuple[Rough, ...]:
    """Tell why the rate of a point by the formulas may be far off, or the latency at a rate asked for.

    Parameters
    ----------
    point
        The point. Its targets are volumes of the system.
    system
        The system.
    solve
        What solves networks: ``bench.solve_network``. Streams on disks are reckoned from several beginnings.

    Returns
    -------
    tuple of Rough
        Each reason once; none where the formulas are good.
    """
    point = one_at_a_time(point)
    system = sharing_caches(system, point)
    areas = {target.path: target.area_length_bytes for target in point.targets}
    places = [_place(volume, system, areas[volume.name]) for volume in system.volumes if volume.name in areas]
    found = [reason for reason, holds in _RULES if any(holds(point, place) for place in places)]
    return (*found, _BEGINNING) if spread(point, system, solve) >= UNSTEADY else tuple(found)


def _place(volume: Volume, system: VirtualSystem, area_bytes: int) -> _Place:
    on = volume.on
    if isinstance(on, OnDrive):
        return _Place(system.drives[on.drive].model, None)
    if isinstance(on, OnHostRaid):
        return _Place(system.drives[on.array.drives[0]].model, on.array)
    controller = system.controllers[on.controller]
    logical, cache = controller.logicals[on.logical], controller.cache_bytes
    model = system.drives[logical.array.drives[0]].model
    return _Place(
        model, logical.array, logical.read_ahead, logical.write_back, behind=True,
        destaged=max(min(controller.drive_queue, *_commands(system, logical.array)) // 2, 1),
        area_of_cache=area_bytes / cache if cache else math.inf,
    )  # fmt: skip


def _commands(system: VirtualSystem, array: Array) -> list[int]:
    return [system.drives[drive].commands or MOST_COMMANDS for drive in array.drives]


def _in_order(profile: LoadProfile) -> bool:
    return profile.random_share < 1


def _mixed_on_disks(point: Point, place: _Place) -> bool:
    ahead = place.read_ahead or place.write_back or place.members > 1
    return isinstance(place.model, HddModel) and _in_order(point.profile) and point.profile.mixes and ahead


def _mixed_on_ssds(point: Point, place: _Place) -> bool:
    """Which of few accesses are reads decides what is prefetched, and how long a stream waits for a write,
    while the formulas take both for chance."""
    profile = point.profile
    few = point.outstanding * point.workers * profile.mean_block_bytes <= FEW_BYTES
    return isinstance(place.model, SsdModel) and profile.random_share == 0 and profile.mixes and few


def _readers_of_copies(point: Point, place: _Place) -> bool:
    several = point.workers > 1 and place.level in COPIES
    disks = isinstance(place.model, HddModel)
    return disks and several and _in_order(point.profile) and not point.profile.writes


def _deep_reader_of_copies(point: Point, place: _Place) -> bool:
    if not isinstance(place.model, HddModel) or place.level not in COPIES or point.workers > 1:
        return False
    sets = 1 if place.level == "1" else max(place.members // 2, 1)
    deep = point.outstanding * point.profile.mean_block_bytes >= DEEP_BYTES * sets and point.outstanding > 1
    # As much as the largest read is fetched ahead at once.
    deep |= place.read_ahead and max(point.profile.block_sizes) > AHEAD_BYTES * sets
    # Of a RAID 1E the copy of a strip lies beside the next one: what is fetched may be read together.
    deep |= place.read_ahead and place.level == "1E"
    return deep and _in_order(point.profile) and not point.profile.writes


def _restless_readers(point: Point, place: _Place) -> bool:
    """Readers that cannot be shared out evenly change copies now and then, and have a page read by each,
    while the formulas let them stay."""
    array, profile, readers = place.array, point.profile, point.workers
    if array is None or array.level not in COPIES or not isinstance(place.model, SsdModel):
        return False
    spread = isinstance(array.mirror_read, SpreadReads) and array.mirror_read.from_outstanding == 0
    if not spread or point.outstanding > 1 or profile.random_share > 0 or profile.writes:
        return False
    if array.level != "1":
        return 2 < readers <= 2 * FOLLOWED
    copies = place.members - len(array.failed)
    return 1 < copies < readers and readers % copies > 0


def _more_than_are_followed(point: Point, place: _Place) -> bool:
    """A drive follows so many streams, and each drive of an array sees a part of more: which, and for how
    long, the formulas do not know."""
    array = place.array
    if array is None or not isinstance(place.model, SsdModel) or not _in_order(point.profile):
        return False
    return place.members > 1 and point.workers > FOLLOWED and point.profile.read_share > 0


def _shared_out_by_a_controller(point: Point, place: _Place) -> bool:
    """Behind a controller that has the level readers of small blocks change copies as its queue lets them."""
    several = place.behind and place.level in COPIES and isinstance(place.model, SsdModel)
    return several and point.workers > 2 and _in_order(point.profile) and point.profile.read_share > 0


def _over_many_mirrors(point: Point, place: _Place) -> bool:
    """Each mirror reads what lies behind what it read last: it may follow no stream, and pieces meet."""
    array, profile = place.array, point.profile
    if array is None or array.level != "1" or not isinstance(place.model, SsdModel):
        return False
    several = point.outstanding > 1 and place.members - len(array.failed) > 2
    return several and _in_order(profile) and profile.read_share > 0


def _few_reads_fetched_ahead(point: Point, place: _Place) -> bool:
    """While each drive of an array has one read at a time it fetches ahead, as its next ones come in turn;
    how often they do not, the formulas do not know."""
    array, profile, model = place.array, point.profile, place.model
    if (
        array is None
        or array.level not in ("0", "10")
        or not isinstance(model, SsdModel)
        or not model.prefetch
    ):
        return False
    if point.outstanding < 2 or point.workers > 2 or profile.random_share > 0 or profile.writes:
        return False
    row = place.members // (2 if array.level == "10" else 1) * array.strip_bytes
    block = max(profile.block_sizes)
    return block >= array.strip_bytes and point.outstanding * block <= row


def _few_at_the_idlest(point: Point, place: _Place) -> bool:
    """A read goes to the idlest of a RAID 1, so as many as it has disks keep all of them busy, while the
    formulas have them meet by chance."""
    array = place.array
    if array is None or array.level != "1" or isinstance(array.mirror_read, PrimaryReads):
        return False
    copies = place.members - len(array.failed)
    # With more than one each the nearer of two reads, if it may choose.
    most = 2 * copies if isinstance(array.mirror_read, SpreadReads) else copies
    few = 1 < point.outstanding * point.workers <= most
    disks = isinstance(place.model, HddModel) and copies > 1
    return disks and few and point.profile.read_share > 0 and point.profile.random_share > 0


def _few_reads_among_answered(point: Point, place: _Place) -> bool:
    """A disk keeps what it has answered only until that is urgent, so few blocks are there to choose from for
    a write, while the formulas have it choose from as many as there is room for."""
    answers = isinstance(place.model, HddModel) and place.model.write_cache and not place.write_back
    few = point.outstanding * point.workers <= place.members
    return answers and few and point.profile.random_share > 0 and 0 < point.profile.read_share <= FEW_READS


def _few_disks_at_a_time(point: Point, place: _Place) -> bool:
    """Consecutive accesses meet on one disk of an array, which passes their commands one by one, while the
    formulas spread them evenly over all."""
    array, profile = place.array, point.profile
    if array is None or array.level == "1" or not isinstance(place.model, HddModel) or not _in_order(profile):
        return False
    if (place.read_ahead or profile.read_share < 1) and (place.write_back or not profile.writes):
        return False
    if array.level == "1E" and profile.read_share == 0:
        return _few_pairs_at_a_time(point, array, place.model)
    sets = place.members // 2 if array.level in COPIES else place.members
    busy = disks_at_a_time(point.outstanding * profile.mean_block_bytes / array.strip_bytes)
    return busy < FEW * min(sets, point.outstanding)


def _few_pairs_at_a_time(point: Point, array: Array, model: HddModel) -> bool:
    """Of a RAID 1E each disk has the copy of the strip before its own: it goes on with that when a stream
    comes to it. That holds up commands; where the medium takes longer the others make up for it."""
    size = point.profile.mean_block_bytes
    command_s, transfer_s = model.command_ps * PS, size / model.outer_bytes_s
    if point.outstanding == 1 or size > array.strip_bytes:
        return False
    if transfer_s <= command_s <= NEAR * transfer_s:
        return True
    most = min(len(array.drives) / 2, point.outstanding) * min(command_s / transfer_s, 1.0)
    run = max(round(array.strip_bytes / size), 1)
    return pairs_at_a_time(len(array.drives), point.outstanding, run) < FEW_PAIRS * most


def disks_at_a_time(strips: float) -> float:
    """Give how many disks of an array a stream with so many strips outstanding keeps busy, on average.

    What is answered is replaced on the disk that the stream has come to. While a disk works off what it had
    when the stream left it, the next is busy as well: with x strips outstanding, of one for each 1 - x. From
    half a strip on the backlogs of m disks add up to (m - 1) ÷ 2 strips.

    Examples
    --------
    >>> disks_at_a_time(0.0), disks_at_a_time(0.5), disks_at_a_time(2.0)
    (1.0, 2.0, 5.0)
    """
    return 1 / (1 - strips) if strips < 0.5 else 1 + 2 * strips


@lru_cache(maxsize=1024)
def pairs_at_a_time(members: int, outstanding: int, run: int) -> float:
    """Give how many pairs of disks of a RAID 1E a stream of writes keeps busy, on average, reckoned write by
    write.

    Each goes to a disk and the next one, so many in a row to the same two, and takes a unit of time of each.

    Examples
    --------
    >>> pairs_at_a_time(8, 1, 64)
    1.0
    >>> round(pairs_at_a_time(8, 1024, 1), 1)
    4.0
    """
    free, back = [0.0] * members, [0.0] * outstanding
    every = min(max(_ROUNDS * members * run, _EACH * outstanding), _MOST)
    first = every // 3
    begun = 0.0
    for number in range(every):
        begun = back[0] if number == first else begun
        one = number // run % members
        both = (one, (one + 1) % members)
        for disk in both:
            free[disk] = max(free[disk], back[0]) + 1
        heapq.heapreplace(back, max(free[disk] for disk in both))
    return (every - first) / (back[0] - begun)


def _several_streams(point: Point, place: _Place) -> bool:
    """They are taken for one stream. Of writes to a RAID 1 each disk has all; what nothing caches, and what
    goes to parity, is marked as that."""
    model, several = place.model, point.workers > 1 and place.members > 1
    if not isinstance(model, HddModel) or not several or not _in_order(point.profile) or point.profile.mixes:
        return False
    if not point.profile.writes:
        return not place.read_ahead and place.level not in COPIES
    parts = place.level != "1" and place.level not in PARITY
    return parts and not place.write_back and model.write_cache


def _fetched_from_disks(point: Point, place: _Place) -> bool:
    """A reader goes on when all disks have what it waits for, each in an order of its own, while the formulas
    have all of them in one. Parity leaves gaps, beside which fewer are not foreseen already."""
    few = FETCHED_BESIDE_PARITY if PARITIES.get(place.level) else FETCHED_FOR
    several = point.workers >= few and place.read_ahead and place.level not in COPIES
    disks = isinstance(place.model, HddModel) and place.members > 1
    return disks and several and _in_order(point.profile) and not point.profile.writes


def _more_writers_than_rows(point: Point, place: _Place) -> bool:
    """Each writer has a row that is not whole yet. Where these and the rows on their way to the drives fill
    the cache there is no whole one, and parts of rows go, while the formulas have all of them whole."""
    array, profile = place.array, point.profile
    if array is None or not place.write_back or not isinstance(place.model, HddModel):
        return False
    if profile.random_share > 0 or profile.read_share > 0:
        return False
    parity = PARITIES.get(array.level, 0)
    groups = array.groups if parity else 1
    sets = place.members // groups - parity if parity else _data_sets(array.level, place.members)
    row_bytes = sets * array.strip_bytes
    room = max(STREAM_BYTES // row_bytes, STREAM_ROWS)
    parts = profile.mean_block_bytes < row_bytes
    return parts and point.workers + place.destaged * groups > room


def _data_sets(level: str, members: int) -> int:
    """Give how many members a row has beside their copies, without parity."""
    return 1 if level == "1" else max(members // 2, 1) if level in COPIES else members


def _in_order_to_parity(point: Point, place: _Place) -> bool:
    gathered = place.write_back and not point.profile.mixes
    parity = place.level in PARITY and not gathered
    return parity and _in_order(point.profile) and point.profile.writes


def _whole_rows_at_random(point: Point, place: _Place) -> bool:
    """What of a write are whole rows goes to the disks at once, row by row and wherever it lies, while the
    formulas have all of it destaged in order of position."""
    array, profile = place.array, point.profile
    if array is None or array.level not in PARITY or not place.write_back:
        return False
    if not isinstance(place.model, HddModel) or profile.random_of(write=True) == 0 or not profile.writes:
        return False
    data = place.members // array.groups - PARITIES[array.level]
    return max(block.bytes for block in profile.blocks_of(write=True)) >= data * array.strip_bytes


def _taken_share(profile: LoadProfile) -> float:
    """Give how much of a cache the area takes in the end beside its length: random writes can begin further
    apart than they are long, and those that are shorter than a line take one all the same."""
    size = profile.mean_bytes_of(write=True)
    apart = min(size / profile.alignment_of(write=True), 1.0) if profile.random_of(write=True) == 1 else 1.0
    return apart / min(size / LINE_BYTES, 1.0)


def _little_more_than_the_cache(point: Point, place: _Place) -> bool:
    """Where much of the area is dirty the head goes over nearly all of it, and comes back for what it has
    missed, while the formulas have it come over all in order of position."""
    written = bool(point.profile.writes) and point.profile.random_of(write=True) > 0
    most = SMALL_AREA_OF_PARITY if place.level in PARITY else SMALL_AREA
    small = place.write_back and 1 < place.area_of_cache * _taken_share(point.profile) <= most
    return isinstance(place.model, HddModel) and written and small


def _large_updates_on_ssds(point: Point, place: _Place) -> bool:
    """What a write reads first waits on a drive for all parts of one before that are still to be programmed,
    while the formulas have it wait for one of them."""
    array, profile = place.array, point.profile
    if array is None or array.level not in PARITY or not place.behind or profile.random_share == 0:
        return False
    if (
        not isinstance(place.model, SsdModel)
        or not profile.writes
        or (place.write_back and not profile.mixes)
    ):
        return False
    row_bytes = (place.members // array.groups - PARITIES[array.level]) * array.strip_bytes
    outstanding = point.outstanding * point.workers * profile.mean_block_bytes
    return max(profile.block_sizes) >= UPDATE_BYTES and outstanding <= FEW_ROWS * row_bytes


def _within_a_page(point: Point, place: _Place) -> bool:
    if not isinstance(place.model, SsdModel) or not _in_order(point.profile):
        return False
    page = max(place.model.read_bytes, place.model.stripe_bytes, place.model.program_bytes)
    small = any(block.bytes < page for block in point.profile.blocks)
    several = point.outstanding > 1 or (point.workers > 1 and point.workers_area == "stream")
    return small and point.profile.read_share > 0 and several


def _members_in_step(point: Point, place: _Place) -> bool:
    """How disks are turned to each other when their turn comes decides what comes late, for one access at a
    time too, where it is about a strip and takes some of them. Each of a RAID 1 has all of every stream."""
    array, profile = place.array, point.profile
    if not isinstance(place.model, HddModel) or place.model.write_cache or place.write_back:
        return False
    if array is None or place.members < 2 or not _in_order(profile) or not profile.writes:
        return False
    if point.outstanding > 1 or place.level == "1":
        return point.outstanding > 1
    strips = max(profile.block_sizes) / array.strip_bytes
    sets = place.members / (2 if place.level in COPIES else 1)
    some = SOME_STRIPS[0] <= strips <= SOME_STRIPS[1] and strips < sets
    return point.workers > 1 or (some and place.level not in PARITY)


def _partly_at_random(point: Point, place: _Place) -> bool:
    """What is fetched ahead of a stream that soon goes elsewhere is read for nothing, of SSDs as well."""
    random = point.profile.random_share
    if place.read_ahead and point.profile.read_share > 0:
        return 0 < random <= AHEAD_AT_RANDOM
    return 0 < random < (0.75 if isinstance(place.model, HddModel) else 0.5)


def _large_among_small(point: Point, place: _Place) -> bool:
    sizes = point.profile.block_sizes
    return isinstance(place.model, SsdModel) and max(sizes) >= max(LARGE_BYTES, WIDE * min(sizes))


def _in_order_degraded(point: Point, place: _Place) -> bool:
    return place.array is not None and bool(place.array.failed) and _in_order(point.profile)


def rebuilds(array: Array) -> bool:
    """Tell whether what members of an array have lost is being written again."""
    return bool(array.failed and array.rebuild_bytes_s)


def _beside_a_rebuild(_: Point, place: _Place) -> bool:
    """The rate of a rebuild comes before the load, and the formulas leave all of it out."""
    return place.array is not None and rebuilds(place.array)


def _at_a_rate(point: Point, _: _Place) -> bool:
    return point.open_loop


_BEGINNING = Rough("streams on a disk whose rate hangs on where they begin", 0.3, 7)

_RULES: Sequence[tuple[Rough, Callable[[Point, _Place], bool]]] = (
    (
        Rough("reads and writes in order on disks behind read-ahead, a cache or in an array", 0.03, 130),
        _mixed_on_disks,
    ),
    (Rough("few reads and writes in order at a time on SSDs", 0.5, 2.7), _mixed_on_ssds),
    (Rough("several workers that read in order what disks have copies of", 0.45, 1.7), _readers_of_copies),
    (
        Rough("one worker that reads mirrored disks in order, much at a time", 0.5, 1.2),
        _deep_reader_of_copies,
    ),
    (Rough("readers in order that SSDs have no like number of copies for", 0.3, 2.5), _restless_readers),
    (
        Rough("reads in order, several at once, of more than two SSDs in RAID 1", 0.35, 3.5),
        _over_many_mirrors,
    ),
    (Rough("more readers in order than SSDs of an array follow", 0.4, 1.65), _more_than_are_followed),
    (
        Rough("readers in order of what SSDs behind a controller have copies of", 1.0, 1.75),
        _shared_out_by_a_controller,
    ),
    (
        Rough("few reads in order at a time on arrays of SSDs that fetch ahead", 0.2, 1.05),
        _few_reads_fetched_ahead,
    ),
    (
        Rough("few random reads at a time of disks in RAID 1, of which the idlest reads", 0.65, 1.15),
        _few_at_the_idlest,
    ),
    (
        Rough("few random reads among writes that disks answer from their caches", 0.9, 1.9),
        _few_reads_among_answered,
    ),
    (
        Rough("several workers that read in order what is read ahead of several disks", 0.6, 1.8),
        _fetched_from_disks,
    ),
    (
        Rough("more workers that write in order than a cache gathers whole rows of for disks", 0.9, 2.4),
        _more_writers_than_rows,
    ),
    (
        Rough("streams of several workers on disks for which nothing is read ahead or gathered", 0.5, 9),
        _several_streams,
    ),
    (Rough("a stream that meets on few disks of an array at a time", 0.6, 110), _few_disks_at_a_time),
    (Rough("writes in order to parity that no cache gathers", 0.05, 250), _in_order_to_parity),
    (
        Rough("random writes of whole rows that a cache sends to parity on disks", 0.65, 2.5),
        _whole_rows_at_random,
    ),
    (
        Rough(
            "random writes before disks on little more than the cache: up to eight times, with parity forty",
            0.35,
            2.8,
        ),
        _little_more_than_the_cache,
    ),
    (
        Rough("large random writes to parity on SSDs behind a controller, few at a time", 0.85, 1.9),
        _large_updates_on_ssds,
    ),
    (Rough("writes in order on several disks without their caches", 0.4, 250), _members_in_step),
    (Rough("reads in order of less than a page of flash, several at once", 0.4, 3.4), _within_a_page),
    (Rough("accesses in order on arrays with failed members", 0.2, 17), _in_order_degraded),
    (Rough("a load beside a rebuild, which the formulas leave out", 0.4, 2400), _beside_a_rebuild),
    (Rough("accesses of which a part is random and a part in order", 0.4, 7.5), _partly_at_random),
    (Rough("large accesses among small ones on SSDs", 0.4, 2.2), _large_among_small),
    (
        Rough(
            "latencies at a rate, taken for those of as many outstanding I/Os as have it", 0.02, 70, "latency"
        ),
        _at_a_rate,
    ),
)
