"""What syncs, trims, think time, O_DSYNC, polling and pinning ask of a profile, a load and a target."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from typing import Protocol

from iodyno.errors import Problem
from iodyno.profiles import LoadProfile, block_size
from iodyno.study.expand import Draft
from iodyno.study.model import Measurement, Study, Sweep, shared_out
from iodyno.study.on_targets import listed
from iodyno.units import format_cpus, format_size, parse_cpus, signed_size
from iodyno.virtual import OnDrive, OnLogical, VirtualSystem, Volume

_SYNC_FIELDS = ("fsync_every", "fdatasync_every")
_RING_ENTRIES = 32_768
"""I/Os that a ring of the kernel holds at the most (IORING_MAX_ENTRIES)."""


class AbleTarget(Protocol):
    """What a target's device can do: see :class:`~iodyno.targets.record.Target`."""

    @property
    def path(self) -> str: ...
    @property
    def kind(self) -> str: ...
    @property
    def discard_granularity_bytes(self) -> int: ...
    @property
    def poll_queues(self) -> bool: ...
    @property
    def node_cpus(self) -> tuple[int, ...]: ...


def profile_problems(profile: LoadProfile, where: str) -> Iterator[Problem]:
    """Yield what contradicts itself in a profile."""
    if profile.fsync_every and profile.fdatasync_every:
        yield Problem(f"{where}.fdatasync_every", "stands beside fsync_every", "keep one of them")
    for name in _SYNC_FIELDS:
        if getattr(profile, name) and not profile.writes:
            what = "asks for syncs after writes, and the profile does not write"
            yield Problem(f"{where}.{name}", what, "leave it out, or lower read_share or trim_share")
    if profile.trim_share == 1 and profile.shown_as == "throughput":
        what = "is throughput, and a trim moves no data"
        yield Problem(f"{where}.shown_as", what, 'write shown_as = "transaction_rate"')
    if profile.think_every > 1 and not profile.think_time_us:
        yield Problem(f"{where}.think_every", "is given without a think time", "add think_time_us")


def asked_problems(draft: Draft, measurement: Measurement) -> Iterator[Problem]:
    """Yield what a load cannot be on any real target."""
    profile = draft.profile
    if profile.trim_share and draft.engine == "aio":
        hint = 'choose engine = "auto", "io_uring" or "sync"'
        yield Problem(draft.where, "trims, and the engine aio has no trim", hint)
    if profile.trim_share and draft.engine == "io_uring" and not measurement.direct:
        what = "trims, and the kernel refuses the engine io_uring trims of what its caches hold"
        yield Problem(draft.where, what, 'choose engine = "auto" or "sync", or direct = true')
    if measurement.cold_cache and measurement.direct:
        what = "is for buffered I/O: direct I/O goes past the caches of the operating system"
        yield Problem("measurement.cold_cache", what, "add --buffered (direct = false), or leave it out")
    if measurement.iopoll:
        yield from _polling_problems(draft, measurement)


def _polling_problems(draft: Draft, measurement: Measurement) -> Iterator[Problem]:
    if draft.engine not in ("auto", "io_uring"):
        hint = 'choose engine = "io_uring", or leave iopoll out'
        yield Problem("measurement.iopoll", f"is for io_uring, and the engine is {draft.engine}", hint)
    if not measurement.direct:
        hint = "leave out --buffered (direct = false), or iopoll"
        yield Problem("measurement.iopoll", "needs direct I/O", hint)
    if draft.profile.syncs or draft.profile.trim_share:
        what = "polls for reads and writes only, and the profile syncs or trims"
        yield Problem(draft.where, f"iopoll {what}", "leave iopoll out, or choose other profiles")


def target_problems(draft: Draft, target: AbleTarget, measurement: Measurement) -> Iterator[Problem]:
    """Yield what a target's device cannot do of what a load asks; the engine null asks nothing of it."""
    if draft.engine == "null":
        return
    if draft.profile.trim_share:
        yield from _trim_problems(draft, target)
    if measurement.iopoll and not target.poll_queues:
        what = f"no poll queues of a driver are there for {target.path}"
        hint = (
            "leave iopoll out; or give the driver poll queues (nvme.poll_queues=4 at boot), "
            "so that queue/io_poll of the device is 1"
        )
        yield Problem("measurement.iopoll", what, hint)


def _trim_problems(draft: Draft, target: AbleTarget) -> Iterator[Problem]:
    grain = target.discard_granularity_bytes
    if target.kind != "device":
        what = f"the profile trims, and a file takes no trims: {target.path}"
        yield Problem(draft.where, what, 'take a block device, or engine = "null"')
    elif not grain:
        what = f"the profile trims, and no trims are taken by {target.path} (discard_max_bytes is 0)"
        yield Problem(draft.where, what, "take a device that does: `lsblk --discard` shows which do")
    else:
        limit = f"is no multiple of {format_size(grain)}, the least that is trimmed on {target.path}"
        hint = "choose multiples of it: of the rest the device would trim nothing"
        for block in draft.profile.blocks:
            if block.bytes % grain:
                yield Problem(draft.where, f"a trim of {format_size(block.bytes)} {limit}", hint)
        if draft.profile.alignment_bytes % grain:
            alignment = format_size(draft.profile.alignment_bytes)
            yield Problem(draft.where, f"an alignment of {alignment} for trims {limit}", hint)
        if draft.profile.gap_bytes % grain:
            gap = signed_size(draft.profile.gap_bytes)
            yield Problem(draft.where, f"a gap of {gap} between trims {limit}", hint)


def untrimmed_problems(
    loads: Iterable[tuple[Draft, VirtualSystem, AbstractSet[str]]],
) -> Iterator[Problem]:
    """Yield why the trims of loads get nowhere, once for all volumes of virtual systems that have it alike.

    Parameters
    ----------
    loads
        Each load with a system, and the names of the volumes that it goes to.
    """
    untrimmed: dict[tuple[str, str], dict[str, None]] = {}
    for draft, system, names in loads:
        for volume in system.volumes if draft.profile.trim_share else ():
            if volume.name in names and (why := _why_untrimmed(system, volume)):
                untrimmed.setdefault((draft.where, why), {})[f"{volume.name} of {system.name}"] = None
    hint = "take SSDs of the host, each for itself or in RAID 0, 1 or 10; or leave the profile out"
    for (where, why), volumes in untrimmed.items():
        what = f"the profile trims, and no trims are taken by {listed(list(volumes))}: {why}"
        yield Problem(where, what, hint)


def _why_untrimmed(system: VirtualSystem, volume: Volume) -> str:
    """Say what trims do not get past; nothing where they get to an SSD."""
    if isinstance(volume.on, OnLogical):
        return "a controller passes none on"
    drives: tuple[int, ...]
    if isinstance(volume.on, OnDrive):
        drives = (volume.on.drive,)
    elif any(system.behind(drive) is not None for drive in volume.on.array.drives):
        return "a controller passes none on"
    elif volume.on.array.level in ("5", "6", "50", "60"):
        return "an array with parity passes none on"
    else:
        drives = volume.on.array.drives
    return "hard disks take none" if any(system.drives[drive].model.kind == "hdd" for drive in drives) else ""


def pinning_problems(measurement: Measurement) -> Iterator[Problem]:
    """Yield which processors of a list this process may not use."""
    if measurement.pinning in ("node", "none"):
        return
    allowed = os.sched_getaffinity(0)
    outside = sorted(set(parse_cpus(measurement.pinning)) - allowed)
    if outside:
        what = f"names processors that this process may not use: {format_cpus(outside)}"
        yield Problem("measurement.pinning", what, f"it may use {format_cpus(sorted(allowed))}")


def sharing_problems(loads: Iterable[tuple[Sweep, int]], measurement: Measurement) -> Iterator[Problem]:
    """Yield numbers of targets that workers cannot share out among them.

    Parameters
    ----------
    loads
        The sweep of each point, and its number of targets.
    measurement
        How each is measured.
    """
    asked = {
        (count, each, "measurement" if sweep.targets_per_worker is None else f"sweep {sweep.name}")
        for sweep, count in loads
        if (each := shared_out(measurement, sweep)) is not None
    }
    for count, each, where in sorted(asked):
        if count % each:
            targets = "1 target" if count == 1 else f"{count} targets"
            what = f"workers that drive {each} of the targets do not come out even with {targets}"
            yield Problem(f"{where}.targets_per_worker", what, f"choose a number that divides {count}")


def ring_problems(draft: Draft, count: int, measurement: Measurement) -> Iterator[Problem]:
    """Yield that a worker would have more I/Os outstanding on so many targets than its ring holds."""
    each = shared_out(measurement, draft.sweep) or count
    if draft.engine in ("auto", "io_uring", "nop") and draft.outstanding * each > _RING_ENTRIES:
        what = (
            f"has {draft.outstanding * each} I/Os outstanding for each worker, {draft.outstanding} on each "
            f"of {each} targets, and a ring of the kernel holds {_RING_ENTRIES}"
        )
        hint = "add targets_per_worker = 1, or choose fewer outstanding I/Os"
        yield Problem(draft.where, what, hint)


def worker_cpus(targets: Sequence[AbleTarget], measurement: Measurement) -> tuple[int, ...]:
    """Decide which processors the workers run on; none: wherever the kernel puts them.

    By default those of the NUMA node that the devices hang on. Each worker loads every target: so
    where targets hang on several nodes, or nothing tells of one, nothing is pinned.
    """
    if measurement.pinning == "none":
        return ()
    if measurement.pinning != "node":
        return parse_cpus(measurement.pinning)
    near = {target.node_cpus for target in targets}
    return near.pop() if len(near) == 1 else ()


def study_problems(study: Study) -> Iterator[Problem]:
    """Yield what contradicts itself in the profiles of a study, and blocks of its axes that are too large."""
    for place, sweep in enumerate(study.sweep):
        for number, size_bytes in enumerate(sweep.block_sizes):
            try:
                block_size(size_bytes)
            except ValueError as error:
                yield Problem(f"sweep[{place}].block_sizes[{number}]", str(error))
    for place, profile in enumerate(study.profile):
        yield from profile_problems(profile, f"profile[{place}]")
