"""From study to plan: every choice made, and everything impossible refused at once."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from typing import Any, TypeAlias, TypeVar

from iodyno.errors import Problem, ProfileError
from iodyno.integrity import too_large, unverifiable
from iodyno.plan import (
    BesideLoad,
    Plan,
    PlannedConditioning,
    PlannedTarget,
    Point,
    Stopping,
    point_seed,
)
from iodyno.study.conditioning import plan_conditioning, purge_problems
from iodyno.study.expand import Draft, conditioning_drafts, expand
from iodyno.study.following import Following
from iodyno.study.model import Measurement, Study, Sweep, shared_out
from iodyno.study.on_targets import Placed, told_of_all
from iodyno.study.operations import (
    asked_problems,
    pinning_problems,
    ring_problems,
    sharing_problems,
    target_problems,
    worker_cpus,
)
from iodyno.study.overrides import Overrides, is_real
from iodyno.study.patterns import area_problems as pattern_problems
from iodyno.study.patterns import load_problems
from iodyno.study.two_sweeps import nothing_in_common, of_left_out, on_common
from iodyno.targets.record import Target
from iodyno.units import format_size, short_size, signed_size

_T = TypeVar("_T")
Loads: TypeAlias = tuple[tuple[Draft, Sequence[_T]], ...]
"""Loads of a point, the first one first, each with its targets."""


def plan_study(study: Study, targets: Sequence[Target], overrides: Overrides | None = None) -> Plan:
    """Decide every point of a study on these targets.

    Parameters
    ----------
    study
        The study.
    targets
        At least one target.
    overrides
        Choices that replace those of the study.

    Returns
    -------
    Plan
        All points in the order in which they are measured. The same study, targets and
        choices give the same plan, byte for byte.

    Raises
    ------
    ProfileError
        With every point that cannot be on these targets, each problem once.
    """
    assert targets, "a plan without a target"
    overrides = overrides or Overrides()
    study = of_left_out(for_real(study, overrides))
    study_drafts = expand(study)
    drafts = [(draft, group) for draft in study_drafts for group in groups(draft.sweep, targets)]
    loads = [(draft, targets) for draft in conditioning_drafts(study)]
    every = [part for one in (*drafts, *loads) for part in each_load(*one, targets)]
    pairs = [(load, target) for load, group in every for target in group]
    problems = [problem for sweep in study.sweep for problem in number_problems(sweep, len(targets))]
    problems += told_of_all(pairs, area_problems)
    for load, _ in every:
        problems += asked_problems(load, study.measurement)
    problems += told_of_all(pairs, partial(target_problems, measurement=study.measurement))
    if study.measurement.direct:
        problems += told_of_all(pairs, _direct_problems)
    for load, group in every:
        problems += ring_problems(load, len(group), study.measurement)
    problems += beside_problems(study)
    problems += purge_problems(study.conditioning, targets) if study.conditioning else ()
    problems += pinning_problems(study.measurement)
    shared = ((draft.sweep, len(group)) for draft, group in (*drafts, *loads))
    problems += sharing_problems(shared, study.measurement)
    problems += _unverifiable(study, study_drafts)
    if problems:
        raise ProfileError(*once_each(problems))
    following = Following()
    points = tuple(
        _point(index, each_load(draft, group, targets), study.measurement, following)
        for index, (draft, group) in enumerate(drafts)
    )
    wrong = list(too_large(points, "measurement.verify"))
    if overrides.changes_loads:
        study = on_common(study, points)
    else:
        wrong += nothing_in_common(study, points)
    if wrong:
        raise ProfileError(*wrong)
    return Plan(
        study=study.name,
        title=study.title,
        seed=study.measurement.seed,
        points=points,
        study_source=study.source(),
        conditioning=_conditioning(study, points, loads, targets),
    )


def _conditioning(
    study: Study,
    points: Sequence[Point],
    drafts: Sequence[tuple[Draft, Sequence[Target]]],
    targets: Sequence[Target],
) -> PlannedConditioning | None:
    if study.conditioning is None:
        return None
    loads = [
        _point(index, ((draft, group),), study.measurement, Following())
        for index, (draft, group) in enumerate(drafts)
    ]
    return plan_conditioning(study.conditioning, points, loads, targets)


def _unverifiable(study: Study, drafts: Iterable[Draft]) -> Iterator[Problem]:
    """Yield why the data of a study cannot be verified, where that is asked."""
    if not study.measurement.verify:
        return
    for load in (load for draft in drafts for load in draft.loads):
        yield from unverifiable(load.profile, load.engine, load.where)
    if study.conditioning is not None:
        what = "conditioning writes data without stamps, which would look like somebody else's"
        yield Problem("measurement.verify", what, "leave conditioning or verify out")


def for_real(study: Study, overrides: Overrides) -> Study:
    """Give a study with these choices, without the sweeps that say something of virtual systems only.

    Raises
    ------
    ProfileError
        If no sweep is left, or one only without a profile that was asked for.
    """
    changed = overrides.apply(study, is_real)
    simulate = f"`iodyno simulate {study.name}`"
    lacking, own = overrides.lacking(study, is_real)
    if not own:
        chosen = "that was chosen" if any(sweep.real for sweep in study.sweep) else "of the study"
        what = f"no sweep {chosen} is for real targets"
        raise ProfileError.of(study.name, what, f"{simulate} answers it")
    if lacking:
        what = f"no sweep for real targets has {', '.join(lacking)}"
        raise ProfileError.of("--profile", what, f"they have {', '.join(own)}; {simulate} runs the others")
    return changed.model_copy(update={"sweep": tuple(filter(is_real, changed.sweep))})


def once_each(problems: list[Problem]) -> Iterator[Problem]:
    """Report what several profiles or points have in common once, with all places."""
    places: dict[tuple[str, str], dict[str, None]] = {}
    for problem in problems:
        places.setdefault((problem.what, problem.hint), {})[problem.where] = None
    for (what, hint), where in places.items():
        yield Problem(", ".join(where), what, hint)


def groups(sweep: Sweep, targets: Sequence[_T]) -> Iterable[Sequence[_T]]:
    """Give the targets of each point that a load of a sweep makes."""
    if sweep.targets == "each":
        return [[target] for target in targets]
    return [targets] if sweep.targets == "together" else [_numbered(sweep.targets, targets)]


def _numbered(numbers: Sequence[int], targets: Sequence[_T]) -> Sequence[_T]:
    """Give targets by their numbers; where there are none of these, which is told, all stand for them."""
    return [targets[number - 1] for number in numbers if number <= len(targets)] or targets


def each_load(draft: Draft, group: Sequence[_T], targets: Sequence[_T]) -> Loads[_T]:
    """Give the loads of a point with their targets, the first one first."""
    others = (
        (load, _numbered(asked.targets, targets) if asked.targets else group)
        for load, asked in zip(draft.beside, draft.sweep.beside, strict=True)
    )
    return ((draft, group), *others)


def number_problems(sweep: Sweep, count: int) -> Iterator[Problem]:
    """Yield numbers of targets that there are not, of a sweep and of the loads beside it."""
    hint = "name more targets, or lower numbers; a virtual system needs a volume for each"
    there = "there is 1 target" if count == 1 else f"there are {count} targets"
    asked = [("", sweep.targets if isinstance(sweep.targets, tuple) else ())]
    asked += [(f".beside[{place}]", load.targets) for place, load in enumerate(sweep.beside)]
    for path, number in ((path, number) for path, numbers in asked for number in numbers):
        if number > count:
            what = f"names target {number}, and {there}"
            yield Problem(f"sweep {sweep.name}{path}.targets", what, hint)


def beside_problems(study: Study) -> Iterator[Problem]:
    """Yield what several loads at once cannot be asked."""
    for sweep in study.sweep:
        yield from _beginning_problems(f"sweep {sweep.name}", sweep)
    for sweep in study.sweep:
        if sweep.beside and shared_out(study.measurement, sweep) is not None:
            whose = "measurement." if sweep.targets_per_worker is None else ""
            what = f"stands beside {whose}targets_per_worker, and each load has workers of its own"
            hint = "leave targets_per_worker out, and write a load for each target"
            yield Problem(f"sweep {sweep.name}.beside", what, hint)


def _beginning_problems(where: str, sweep: Sweep) -> Iterator[Problem]:
    """Yield that nothing runs at the beginning of a point."""
    first = min([sweep.begins_after_s, *(load.begins_after_s for load in sweep.beside)])
    if first == 0:
        return
    path = f"{where}.begins_after_s"
    if not sweep.beside:
        what = "nothing runs beside the sweep, and it begins at once"
        yield Problem(path, what, "leave it out, or add a load with [[sweep.beside]]")
    else:
        what = f"no load begins at once: the first begins after {first:g} s"
        yield Problem(path, what, f"take {first:g} s off each load")


def _direct_problems(draft: Draft, target: Placed) -> Iterator[Problem]:
    hint = f"direct I/O on {target.path} needs multiples of {target.logical_block_bytes} bytes"
    yield from sector_problems(draft, target, f"{hint}; --buffered does without")


def area_problems(draft: Draft, target: Placed) -> Iterator[Problem]:
    """Yield why a load cannot be on a target, or its area."""
    yield from load_problems(draft)
    without_unit = list(_without_unit(draft, target))
    if without_unit:
        yield from without_unit
        return
    start, length = _area(draft, target)
    asked, largest = draft.profile.area, draft.profile.largest_block_bytes
    block = f"less than a block of {format_size(largest)}"
    if target.size_bytes < largest:
        hint = "take a larger target (--size says how large a file is that iodyno makes), or a smaller block"
        yield Problem(draft.where, f"{target.path} has {_bytes_text(target.size_bytes)}, {block}", hint)
    elif start + length > target.size_bytes:
        what = (
            f"the area of {short_size(length)} from {short_size(start)} ends outside "
            f"{target.path} ({short_size(target.size_bytes)})"
        )
        hint = "take a smaller area, or one in percent, or a larger target"
        if isinstance(asked.start, float) and isinstance(asked.length, float):
            hint = "take a smaller area, or begin it earlier: the two come to more than 100%"
        yield Problem(draft.where, what, hint)
    elif length < largest and asked.length and isinstance(asked.length, float):
        part = f"{asked.length * 100:g}% of {_bytes_text(target.size_bytes)} on {target.path}"
        hint = "take a larger area, or a larger target, or a smaller block"
        yield Problem(draft.where, f"an area of {part} is {block}", hint)
    elif not length:
        what = f"an area of 0 on {target.path} has no place for a block"
        yield Problem(draft.where, what, "take a larger area")
    elif length < largest:
        area = f"the area of {short_size(length)} on {target.path}"
        what = f"a block of {format_size(largest)} is larger than {area}"
        yield Problem(draft.where, what, "take a larger area or a smaller block")
    else:
        yield from pattern_problems(draft, target, length)


def _bytes_text(size_bytes: int) -> str:
    """Write a size exactly: ``64k``, or ``1000 bytes``."""
    text = format_size(size_bytes)
    return f"{text} bytes" if text.isdecimal() else text


LEAST_EXTENT_BYTES = 512
"""Ends of an area that are less were meant with a unit; of others it is not that sure."""


def _without_unit(draft: Draft, target: Placed) -> Iterator[Problem]:
    """Yield ends of an area that come to nothing: a bare 25 is bytes, and G or % was meant."""
    grain, area, block = _grain(draft, target), draft.profile.area, draft.profile.largest_block_bytes
    for end, extent in (("start", area.start), ("length", area.length)):
        if isinstance(extent, int) and 0 < extent < grain:
            bytes_text = f"{extent} byte{'' if extent == 1 else 's'}"
            what = f"the {'beginning' if end == 'start' else 'length'} of the area, {bytes_text}"
            step, percent = format_size(grain), f" or {extent}%" if extent <= 100 else ""
            least = f"a block of {format_size(block)}"
            if extent >= block:
                least = f"{step}, and areas begin and end at multiples of that"
            hint = f"{extent} is {bytes_text}: write {extent}G{percent}"
            if extent >= LEAST_EXTENT_BYTES:
                fits = (
                    f"a multiple of {step}" if end == "start" else f"{format_size(max(block, grain))} or more"
                )
                hint = f"{hint}, or {fits}" if extent % 1024 else f"take {fits}"
            yield Problem(draft.where, f"{what} on {target.path}, is less than {least}", hint)


def sector_problems(draft: Draft, target: Placed, hint: str) -> Iterator[Problem]:
    """Yield what of a load is no multiple of the least that a target reads or writes."""
    sector = target.logical_block_bytes
    limit = f"no multiple of the logical sector of {sector} bytes"
    profile = draft.profile
    for size in profile.block_sizes:
        if size % sector:
            yield Problem(draft.where, f"a block of {format_size(size)} is {limit}", hint)
    for alignment in sorted({profile.alignment_of(write=False), profile.alignment_of(write=True)}):
        if alignment % sector:
            yield Problem(draft.where, f"an alignment of {format_size(alignment)} is {limit}", hint)
    if profile.gap_bytes % sector:
        yield Problem(draft.where, f"a gap of {signed_size(profile.gap_bytes)} is {limit}", hint)


def _area(draft: Draft, target: Placed) -> tuple[int, int]:
    return draft.profile.area.resolve(target.size_bytes, _grain(draft, target))


def _grain(draft: Draft, target: Placed) -> int:
    return max(draft.profile.grain_bytes, target.logical_block_bytes)


def _point(
    index: int,
    loads: Loads[Target],
    measurement: Measurement,
    following: Following,
) -> Point:
    draft, first = loads[0]
    targets = [target for _, group in loads for target in group]
    return Point(
        index=index,
        sweep=draft.sweep.name,
        profile=draft.profile,
        targets=tuple(_planned(load, target) for load, group in loads for target in group),
        beside=planned_beside(loads, measurement),
        outstanding=draft.outstanding,
        workers=draft.workers,
        workers_area=draft.workers_area,
        targets_per_worker=shared_out(measurement, draft.sweep),
        rate_io_s=draft.rate_io_s,
        arrival=draft.sweep.arrival,
        begins_after_s=draft.sweep.begins_after_s,
        rate_from=following.rule(index, draft, tuple(target.path for target in first)),
        engine=draft.engine,
        direct=measurement.direct,
        verify=measurement.verify,
        write_through=measurement.write_through,
        cold_cache=measurement.cold_cache,
        iopoll=measurement.iopoll,
        pinning=measurement.pinning,
        worker_cpus=worker_cpus(targets, measurement),
        stopping=Stopping(
            warmup_s=measurement.warmup_s,
            floor_s=measurement.floor_s,
            cap_s=measurement.cap_s,
            precision=measurement.precision,
            confidence=measurement.confidence,
        ),
        seed=point_seed(measurement.seed, *draft.identity()),
    )


def planned_beside(loads: Loads[Any], measurement: Measurement) -> tuple[BesideLoad, ...]:
    """Decide what runs at the same time as the first of these loads."""
    (draft, _), *others = loads
    return tuple(
        BesideLoad(
            profile=load.profile,
            targets=len(group),
            outstanding=load.outstanding,
            workers=load.workers,
            workers_area=load.workers_area,
            rate_io_s=load.rate_io_s,
            arrival=asked.arrival,
            begins_after_s=asked.begins_after_s,
            seed=point_seed(measurement.seed, "beside", place, *load.identity()),
        )
        for place, ((load, group), asked) in enumerate(zip(others, draft.sweep.beside, strict=True))
    )


def _planned(draft: Draft, target: Target) -> PlannedTarget:
    start, length = _area(draft, target)
    return PlannedTarget(
        path=target.path,
        kind=target.kind,
        size_bytes=target.size_bytes,
        logical_block_bytes=target.logical_block_bytes,
        created=target.created,
        area_start_bytes=start,
        area_length_bytes=length,
    )
