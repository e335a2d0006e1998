"""Fits of a part of one's own to a run that was measured on it: each point of the run is a figure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from iodyno.catalog.parts import Part
from iodyno.catalog.shelf import Catalog
from iodyno.errors import CatalogError
from iodyno.fitting.answers import At, Range
from iodyno.fitting.curves import Series
from iodyno.fitting.fit import FIT_IOS, Target
from iodyno.fitting.joined import Drives, drives_of, drives_of_run
from iodyno.fitting.lab import Asked, Key
from iodyno.fitting.own import OwnFit, configuration_of, numbers_of, system_of_part
from iodyno.fitting.specs import FitSpec
from iodyno.plan import PlannedTarget, Point, Stopping
from iodyno.reading import PointResult
from iodyno.store.records import Run, StoredRun
from iodyno.virtual import Volume

CONFIGURATION = "system-1"
NAMED = 3
"""Drives that a message names."""
_OF_THE_MACHINE = {
    "engine": "simulator", "cold_cache": False, "worker_cpus": (), "pinning": "none",
    "targets_per_worker": None,
}  # fmt: skip
"""What a point says of the machine that measured it."""


@dataclass(frozen=True)
class MeasuredFit:
    """A fit to a run."""

    fit: OwnFit
    notes: tuple[str, ...]
    """What is to be known of it, in sentences: what was left out, taken for granted or not judged."""


def measured_fit(part: Part, catalog: Catalog, folder: Path, stored: StoredRun) -> MeasuredFit:
    """Make the fit of a part to a run, in the system and with the numbers that its ``[fitting]`` names.

    Parameters
    ----------
    part
        A part with ``[fitting]``; figures in it are left alone.
    catalog
        All parts, this one among them.
    folder
        Where its file lies: paths of systems begin there.
    stored
        The run. Points count that one load made in a closed loop on one target, past the caches of the
        operating system, without verifying and with interrupts, and that nothing disturbed.

    Raises
    ------
    IodynoError
        If there are fewer such points than numbers, or of several drives, or no points of this system: of
        other drives, or of an array of them, as far as the run tells.
    """
    wanted = part.fitting
    assert wanted is not None, "a part that asks for a fit"
    item = configuration_of(wanted, {}, CONFIGURATION, folder)
    system = system_of_part(part, item, catalog)
    volumes = system.volumes
    where = f"{part.name}: fitting.system"
    if len(volumes) != 1:
        what = f"has {len(volumes)} volumes, where a run on one drive is one"
        raise CatalogError.of(where, what, "give changes that leave one: count = 1")
    used = [result for result in stored.results if _says_something(result)]
    _refuse_several(stored.run.id, used)
    _refuse_other_arrays(stored.run, used, drives_of(system, volumes[0]))
    numbers = tuple(numbers_of(wanted))
    if len(used) < len(numbers):
        what = f"{len(used)} of {len(stored.results)} points can be used, for {len(numbers)} numbers"
        hint = "those of one load on one target in a closed loop can: direct, quiet, not verified or polled"
        raise CatalogError.of(f"run {stored.run.id}", what, hint)
    points: dict[Key, Asked] = {}
    targets = []
    for result in used:
        series = _series(part.name, result.point, points)
        points[series, result.point.outstanding] = Asked(_asked(result.point, volumes[0], where), item)
        targets.append(_target(series, result))
    run = stored.run
    spec = FitSpec(
        part.name,
        numbers,
        (),
        source=f"run-{run.id}",
        citation=f"Run {run.id} of {run.plan.title}, {run.started_at[:10]}, {_on(used[0].point)}",
        command=f"iodyno catalog fit {part.name} --run {run.id}",
    )
    fit = OwnFit(spec, tuple(targets), {part.name: points})
    return MeasuredFit(fit, tuple(_notes(stored, used)))


def _notes(stored: StoredRun, used: Sequence[PointResult]) -> Iterator[str]:
    every, states = len(stored.results), Counter[str](result.verdict.state for result in used)
    if len(used) < every:
        why = "not of one load on one target in a closed loop, disturbed, verified, polled or through caches"
        yield f"{every - len(used)} of {every} points are left out: {why}"
    for state, said in (("not_steady", "were not steady"), ("not_judged", "were not judged")):
        if states[state]:
            yield f"{states[state]} of the {len(used)} points {said}"
    targets = [result.point.targets[0] for result in used]
    if stored.run.simulated:
        yield "the run was simulated: a model is fitted to a model"
    if any(target.kind == "file" for target in targets):
        yield "the run accessed a file, taken to lie at the beginning of the drive: nobody knows where"
    if any(target.area_length_bytes == 0 for target in targets):
        yield "the run does not say which area it accessed: taken is the whole drive"


def _refuse_several(run: str, used: Sequence[PointResult]) -> None:
    """Refuse a run of several drives, or of several virtual systems: a part is one of them."""
    places = ((result.point.system, result.point.targets[0].path) for result in used)
    named = list(dict.fromkeys(system or path for system, path in places))
    if len(named) > 1:
        what = f"is of several: {', '.join(named[:NAMED])}{', …' if len(named) > NAMED else ''}"
        raise CatalogError.of(f"run {run}", what, "a part is fitted to a run on one drive: measure it alone")


def _refuse_other_arrays(run: Run, used: Sequence[PointResult], fitted: Drives) -> None:
    """Refuse a run on another number of drives than the system of the fit has, or joined otherwise."""
    found = drives_of_run(run, used) if used else None
    if found is None or (found.count, found.level) == (fitted.count, fitted.level):
        return
    if found.count == fitted.count and not found.level:
        return
    what = f"accessed {found} at {used[0].point.targets[0].path}, and the system of the fit has {fitted}"
    hint = "give [fitting] a system with the drives of the run"
    if fitted.count == 1:
        hint = "a drive is fitted to a run on one drive: measure it alone; arrays of it are predicted then"
    raise CatalogError.of(f"run {run.id}", what, hint)


def _says_something(result: PointResult) -> bool:
    point = result.point
    alone = len(point.targets) == 1 and not point.beside and point.direct
    closed = point.rate_io_s is None and point.rate_from is None
    plain = not point.verify and not point.iopoll
    quiet = result.verdict.state != "disturbed" and result.reading.completed > 0
    return alone and closed and plain and quiet


def _series(name: str, point: Point, taken: dict[Key, Asked]) -> Series:
    """Name the curve of a point; of two points that would be one the sweep is told too."""
    series = Series(name, CONFIGURATION, point.profile.name, point.workers)
    for profile in _names(point):
        series = Series(name, CONFIGURATION, profile, point.workers)
        if (series, point.outstanding) not in taken:
            break
    return series


def _names(point: Point) -> Iterator[str]:
    yield point.profile.name
    yield f"{point.profile.name} of {point.sweep}"
    yield f"{point.profile.name} of {point.sweep}, point {point.index}"


def _asked(point: Point, volume: Volume, where: str) -> Point:
    """Make of a measured point one that is simulated: the same bytes of the volume, always as many I/Os."""
    measured, grain = point.targets[0], point.profile.grain_bytes
    length = measured.area_length_bytes or volume.size_bytes // grain * grain
    if measured.area_start_bytes + length > volume.size_bytes:
        what = f"{volume.name} has {volume.size_bytes} bytes, and the run accessed more of {measured.path}"
        raise CatalogError.of(where, what, "give changes with a part of this capacity")
    target = PlannedTarget(
        path=volume.name,
        kind="virtual",
        size_bytes=volume.size_bytes,
        area_start_bytes=measured.area_start_bytes,
        area_length_bytes=length,
    )
    stopping = Stopping(
        warmup_s=0.0, floor_s=1.0, cap_s=3600.0, precision=0.01, confidence=0.95,
        warmup_ios=FIT_IOS, floor_ios=FIT_IOS, cap_ios=FIT_IOS,
    )  # fmt: skip
    changes = {"targets": (target,), "system": CONFIGURATION, "stopping": stopping}
    return point.model_copy(update={**_OF_THE_MACHINE, **changes})


def _target(series: Series, result: PointResult) -> Target:
    rate = result.reading.transaction_rate_io_s
    load = result.point.outstanding
    workers = f", {series.workers} workers" if series.workers > 1 else ""
    return Target(f"{series.profile} at {load}{workers}, IO/s", At(series, load, "rate"), Range(rate, rate))


def _on(point: Point) -> str:
    target = point.targets[0]
    return "simulated" if target.kind == "virtual" else f"on {target.path}"
