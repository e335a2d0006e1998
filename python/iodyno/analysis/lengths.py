"""How many I/Os a simulated point counts: what its rule says, or more with many outstanding."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Collection, Mapping
from dataclasses import dataclass

from iodyno.plan import Point
from iodyno.profiles import LoadProfile
from iodyno.virtual import Array, HddModel, OnDrive, OnHostRaid, VirtualSystem

ROUNDS = 24
"""Rounds that a closed loop makes at the least before anything is counted, and that it counts: those of
``crates/sim/src/meter.rs``."""
MOST_ROUNDS = 48
"""Rounds that are counted where the precision is not reached before, however few I/Os the rule allows."""
OPEN_ROUNDS = 2
"""Rounds of the most that may be outstanding, of an open loop, before anything is counted."""
LONGEST_WAIT = 16
"""So many times the I/Os that are not counted it is waited for that each of several loads has its share."""
FEWEST_IOS = 200
"""I/Os that are not counted at the least."""
BEATS, BEATS_OF_ONE, TOLERANCE = 8, 2, 0.002
"""Times that disks come round past each other whose revolutions differ by that share, and times that they do
for one reader: as in ``crates/sim/src/least.rs`` and ``spindles.rs``."""
STREAM_BYTES, MOST_WARMUP = 32 << 20, 200_000
"""What a stream with gaps writes to a controller's cache before anything is counted, in bytes, and the most
I/Os of that: as in ``crates/sim/src/least.rs``, which takes half of what such a stream has there."""


@dataclass(frozen=True)
class Counted:
    """I/Os of a simulated point, of all its targets together."""

    warmup: int
    """Not counted."""
    floor: int
    """Counted at the least."""
    cap: int
    """Counted at the most."""


def asked(point: Point) -> Counted:
    """Give what the rule of a point says."""
    rule = point.stopping
    return Counted(rule.warmup_ios or 0, rule.floor_ios or 0, rule.cap_ios or 0)


def counted(point: Point, systems: Mapping[str, VirtualSystem]) -> Counted:
    """Give what a point counts: no fewer than its rounds; a rebuild beside it, a matter of time, aside.

    Parameters
    ----------
    point
        A simulated point.
    systems
        The virtual systems by name.
    """
    rule, closed = asked(point), closed_outstanding(point)
    opened = sum(load.outstanding_total for load in point.loads) - closed
    floor = max(rule.floor, ROUNDS * closed)
    rounds = ROUNDS * closed + OPEN_ROUNDS * opened
    return Counted(
        warmup=max(rule.warmup, rounds, FEWEST_IOS, filling_ios(point, systems)),
        floor=floor,
        cap=max(rule.cap, floor, MOST_ROUNDS * closed),
    )


def closed_outstanding(point: Point) -> int:
    """Give the outstanding I/Os of those loads of a point that are closed loops."""
    return sum(load.outstanding_total for load in point.loads if not load.open_loop)


def filling_ios(point: Point, systems: Mapping[str, VirtualSystem]) -> int:
    """Give the I/Os in which streams with gaps fill the caches of controllers; 0 where there are none."""
    system = systems[point.system or ""]
    return max(
        (
            round(min(STREAM_BYTES * len(load.targets) / written, MOST_WARMUP))
            for load in point.loads
            if (written := _written_between_gaps(load.profile))
            and any(all(_disks(system, path)) for path in _paths(load))
        ),
        default=0,
    )


def lasts_for_beats(point: Point, systems: Mapping[str, VirtualSystem]) -> set[int]:
    """Give for how many beats of its hard disks a point lasts, volume by volume; none where it does not.

    ``BEATS`` where several streams are read from several hard disks, or those answer writes in order
    themselves, and ``BEATS_OF_ONE`` where one is read from disks that hold copies or parity, several I/Os
    outstanding.
    """
    return {beats for beats, beat_s in _beats(point, systems).values() if beat_s}


def beats_s(point: Point, systems: Mapping[str, VirtualSystem]) -> float:
    """Give how long a point lasts at the least for the beats of its slowest disks, in s of virtual time; 0
    where it has none."""
    return max(beats * beat_s for beats, beat_s in _beats(point, systems).values())


def _beats(point: Point, systems: Mapping[str, VirtualSystem]) -> dict[str, tuple[int, float]]:
    """Give for how many beats of its disks a point lasts for each of its volumes, and one in s; 0 where it
    does not."""
    system, streams, outstanding = systems[point.system or ""], Counter[str](), Counter[str]()
    for load in point.loads:
        if read := _streams_read(load):
            for path, count in _paths(load).items():
                streams[path] += count * read
                outstanding[path] += count * load.workers * load.outstanding
    last: dict[str, tuple[int, float]] = {target.path: (0, 0.0) for target in point.targets}
    for load in point.loads:
        for path in _paths(load):
            found = [last[path]]
            if beats := _beats_of_readers(system, path, streams[path], outstanding[path]):
                found.append((beats, _beat_s(system, path, written=False)))
            if _writes_in_order(load.profile):
                found.append((BEATS, _beat_s(system, path, written=True)))
            last[path] = max(found, key=math.prod)
    return last


def _beats_of_readers(system: VirtualSystem, path: str, streams: int, outstanding: int) -> int:
    if streams == 1 and (outstanding == 1 or not _is_redundant(system, path)):
        return 0
    return BEATS_OF_ONE if streams == 1 else BEATS if streams else 0


def beside_beats(point: Point, systems: Mapping[str, VirtualSystem]) -> Point | None:
    """Give what of a point goes on beside the disks that it lasts for: its loads on other volumes.

    Returns
    -------
    Point or None
        With the same outstanding I/Os for each target; a rate that was asked for in the share of the targets
        that are left, one that follows from other points as a closed loop, and all loads from the beginning.
        None where the point lasts for no disks, or all of its volumes have such.
    """
    last = _beats(point, systems)
    others = {path for path, (_, beat_s) in last.items() if not beat_s}
    if not others or len(others) == len(last):
        return None
    return Point.at_once([part for load in point.loads if (part := _only_on(load, others))])


def _only_on(load: Point, paths: Collection[str]) -> Point | None:
    """Give what of a load is on some volumes; none where nothing is."""
    targets = tuple(target for target in load.targets if target.path in paths)
    if not targets:
        return None
    rate, each = load.rate_io_s, load.targets_per_worker
    own = {
        "rate_io_s": rate and rate * len(targets) / len(load.targets),
        "targets_per_worker": each and math.gcd(each, len(targets)),
    }
    return load.model_copy(update={"targets": targets, "rate_from": None, "begins_after_s": 0.0} | own)


def _paths(load: Point) -> Counter[str]:
    """Count the targets of a load by their volume."""
    return Counter(target.path for target in load.targets)


def _streams_read(load: Point) -> int:
    """Give the streams in which a load reads each of its targets."""
    profile = load.profile
    if profile.read_share == 0 or profile.random_of(write=False) == 1:
        return 0
    return 1 if load.workers_area == "stream" else load.workers


def _writes_in_order(profile: LoadProfile) -> bool:
    """Whether some of what a profile writes is in order."""
    return profile.read_share < 1 and profile.random_of(write=True) < 1


def _beat_s(system: VirtualSystem, path: str, *, written: bool) -> float:
    """Give the beat of the disks of a volume, or of those that answer what is written there; 0 of fewer than
    two."""
    disks, answered = _disks(system, path)
    turns = [disk.revolution_ps for disk in disks if not written or not (answered or disk.write_cache)]
    return max(turns) / TOLERANCE / 1e12 if len(turns) > 1 else 0.0


def _written_between_gaps(profile: LoadProfile) -> float:
    """Give the bytes that an access of a stream with gaps writes, on the mean; 0 of other loads."""
    gaps = profile.gap_bytes > 0 or (profile.mixes and not profile.own_cursors)
    if not profile.writes or not gaps or profile.random_of(write=True) > 0:
        return 0.0
    return (1 - profile.trim_share) * (1 - profile.read_share) * profile.mean_bytes_of(write=True)


def _array(system: VirtualSystem, path: str) -> tuple[Array | None, bool]:
    """Give the array that a volume is, none of a drive, and whether a controller answers its writes."""
    on = next(volume.on for volume in system.volumes if volume.name == path)
    if isinstance(on, OnDrive):
        return None, False
    if isinstance(on, OnHostRaid):
        return on.array, False
    controller = system.controllers[on.controller]
    logical = controller.logicals[on.logical]
    return logical.array, logical.write_back and controller.cache_bytes > 0


def _is_redundant(system: VirtualSystem, path: str) -> bool:
    """Whether a volume is an array whose drives hold copies or parity."""
    array, _ = _array(system, path)
    return array is not None and array.level not in {"JBOD", "0"}


def _disks(system: VirtualSystem, path: str) -> tuple[list[HddModel], bool]:
    """Give the hard disks at work that a volume joins, and whether a controller answers its writes."""
    array, answered = _array(system, path)
    if array is None:
        return [], False
    lost = () if array.rebuild_bytes_s else array.failed
    at_work = (drive for member, drive in enumerate(array.drives) if member not in lost)
    models = (system.drives[drive].model for drive in at_work)
    return [model for model in models if isinstance(model, HddModel)], answered
