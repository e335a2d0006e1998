"""From study to a plan on virtual systems: every configuration, profile and load, decided."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase

from iodyno.errors import IodynoError, Problem, ProfileError
from iodyno.plan import Plan, PlannedTarget, Point, Stopping, point_seed
from iodyno.problems import did_you_mean
from iodyno.profiles import Area
from iodyno.study.charted import on_configurations, on_loads, ranges_without_loads
from iodyno.study.configuration import Configuration
from iodyno.study.expand import MOST_POINTS, Draft, expand
from iodyno.study.following import Following
from iodyno.study.model import Study, Sweep, shared_out
from iodyno.study.naming import configurations_of
from iodyno.study.on_targets import Placed, told_of_all
from iodyno.study.operations import sharing_problems, untrimmed_problems
from iodyno.study.overrides import Overrides
from iodyno.study.patterns import made_data_problems
from iodyno.study.planning import (
    Loads,
    area_problems,
    beside_problems,
    each_load,
    groups,
    number_problems,
    once_each,
    planned_beside,
    sector_problems,
)
from iodyno.study.problems import NAMED
from iodyno.study.two_sweeps import nothing_in_common, of_left_out, on_common
from iodyno.study.uneven import uneven_problems
from iodyno.virtual import OnLogical, VirtualSystem, Volume

MOST_IN_FLIGHT = 1 << 22
"""I/Os of a point that can be outstanding at once in all: the limit of ``crates/sim/src/check.rs``."""
Resolve = Callable[[Configuration], VirtualSystem]
"""Turns what a configuration says into a system; raises ``IodynoError`` with all its problems."""


@dataclass(frozen=True)
class VirtualTarget:
    """A volume of a virtual system, as a plan sees a target."""

    path: str
    size_bytes: int
    logical_block_bytes: int = 512


def plan_simulation(
    study: Study,
    systems: Mapping[str, VirtualSystem],
    overrides: Overrides | None = None,
) -> Plan:
    """Decide every point of a study on its configurations.

    Parameters
    ----------
    study
        A study with configurations; see :func:`on_systems` for one that has none.
    systems
        The resolved system of each configuration, by its name. A configuration that is
        missing here is left out.
    overrides
        Choices that replace those of the study.

    Returns
    -------
    Plan
        Points in the order of the sweeps, in each by configuration, profile and axes. The
        same study, systems and choices give the same plan, byte for byte.

    Raises
    ------
    ProfileError
        With every point that cannot be on these volumes, each problem once.
    """
    overrides = overrides or Overrides()
    nothing = nothing_runs(study, systems, overrides)
    study = of_left_out(overrides.apply(study, _runs_on_any(systems)))
    named = [item for item in study.configurations if item.name in systems]
    wrong = [problem for item in named for problem in _missing_volumes(item, systems[item.name])]
    placed = [(draft, item, _volumes(item, systems[item.name])) for draft, item in _placed(study, named)]
    wrong += (
        problem
        for draft, item, volumes in placed
        for problem in number_problems(draft.sweep, len(item.volumes) or len(volumes))
    )
    chosen = [
        (item, each_load(draft, group, volumes))
        for draft, item, volumes in placed
        for group in groups(draft.sweep, volumes)
    ]
    _refuse(study, chosen, systems, nothing, wrong)
    following = Following()
    points = tuple(_point(index, study, item, loads, following) for index, (item, loads) in enumerate(chosen))
    if overrides.changes_loads or any(item.name not in systems for item in study.configurations):
        study = on_common(on_loads(study, points), points)
    elif without := [*ranges_without_loads(study, points), *nothing_in_common(study, points)]:
        raise ProfileError(*without)
    used = {point.system for point in points}
    return Plan(
        study=study.name,
        title=study.title,
        seed=study.measurement.seed,
        points=points,
        study_source=study.source(),
        systems={name: system for name, system in systems.items() if name in used},
    )


def on_systems(study: Study, names: Sequence[str]) -> Study:
    """Give a study these systems of the catalogue as its configurations.

    Examples
    --------
    >>> from iodyno.study import load_study
    >>> [item.system for item in on_systems(load_study("quick"), ["p3700"]).configurations]
    ['p3700']
    """
    made = configurations_of(names)
    called = [item.name for item in made]
    sweeps = tuple(
        sweep.model_copy(update={"configurations": (), "chart": on_configurations(sweep.chart, called)})
        for sweep in study.sweep
    )
    return study.model_copy(update={"configuration": made, "sweep": sweeps})


def chosen_configurations(study: Study, only: Sequence[str] = ()) -> tuple[Configuration, ...]:
    """Give the configurations of a study whose names fit one of the patterns; all without a pattern.

    Raises
    ------
    ProfileError
        If a pattern fits none.
    """
    every = study.configurations
    missing = [pattern for pattern in only if not any(fnmatchcase(item.name, pattern) for item in every)]
    if missing:
        names = [item.name for item in every]
        raise ProfileError(
            *(
                Problem("--only", f'there is no configuration "{pattern}"', _hint(pattern, names))
                for pattern in missing
            )
        )
    return tuple(item for item in every if not only or any(fnmatchcase(item.name, one) for one in only))


def _hint(pattern: str, names: list[str]) -> str:
    if not names:
        return "the study has none: give --on"
    hint = did_you_mean(pattern, names, "configurations", NAMED)
    return hint if hint.endswith(names[-1]) else f"{hint}; `--plan` shows all"


def resolve_all(configurations: Sequence[Configuration], resolve: Resolve) -> dict[str, VirtualSystem]:
    """Resolve configurations, and report the problems of all of them together.

    Raises
    ------
    ProfileError
        With every problem, named by the configuration.
    """
    found, problems = resolve_each(configurations, resolve)
    if problems:
        raise ProfileError(*problems)
    return found


def resolve_each(
    configurations: Sequence[Configuration], resolve: Resolve, of: str = ""
) -> tuple[dict[str, VirtualSystem], list[Problem]]:
    """Resolve the configurations that can be, and give the problems of the others.

    What is wrong with several in the same place is told once, with the names of them. Of a system that there
    is not it is told which study names it, unless that is empty.
    """
    found: dict[str, VirtualSystem] = {}
    wrong: dict[Problem, list[str]] = {}
    for item in configurations:
        try:
            found[item.name] = resolve(item)
        except IodynoError as error:
            for problem in error.problems:
                if of and problem.where == item.system:
                    absent = Problem(
                        f"system in study {of}", f"{problem.where}: {problem.what}", problem.hint
                    )
                    wrong.setdefault(absent, []).append(item.name)
                    continue
                inside = problem.where.removeprefix(f"{item.name}: ")
                own = inside != problem.where or not _is_of_the_file(problem, item)
                wrong.setdefault(replace(problem, where=inside), []).extend([item.name] if own else [])
    return found, [_of(problem, names) for problem, names in wrong.items()]


def _is_of_the_file(problem: Problem, item: Configuration) -> bool:
    """Tell whether a problem is one of the file that a system is in, and not of what is made of it."""
    file = item.system
    return isinstance(file, str) and problem.where.startswith(file)


def _of(problem: Problem, names: Sequence[str]) -> Problem:
    """Put the names of configurations before a place."""
    if not names:
        return problem
    names = list(dict.fromkeys(names))
    more = f" and {len(names) - NAMED} more" if len(names) > NAMED + 1 else ""
    named = ", ".join(names[:NAMED] if more else names) + more
    return replace(problem, where=f"{named}: {problem.where}" if problem.where else named)


def _placed(study: Study, configurations: Sequence[Configuration]) -> Iterator[tuple[Draft, Configuration]]:
    """Yield each draft of each sweep on each configuration that the sweep runs on, each load once."""
    for sweep in study.sweep:
        on = [item for item in configurations if runs_on(sweep, item.name)]
        drafts = expand(study.model_copy(update={"sweep": (_without_engines(sweep),)})) if on else ()
        if len(drafts) * len(on) > MOST_POINTS:
            what = f"makes {len(drafts) * len(on):,} points, above the limit of {MOST_POINTS:,}"
            raise ProfileError.of(f"sweep {sweep.name}", what, "give fewer values to its axes")
        for item in on:
            yield from ((_in_area(draft, item), item) for draft in drafts)


def runs_on(sweep: Sweep, configuration: str) -> bool:
    """Tell whether a sweep names a configuration; one that names none runs on all."""
    return not sweep.configurations or any(fnmatchcase(configuration, one) for one in sweep.configurations)


def _runs_on_any(configurations: Collection[str]) -> Callable[[Sweep], bool]:
    """Tell of a sweep whether it runs on one of these configurations."""
    return lambda sweep: any(runs_on(sweep, item) for item in configurations)


def _without_engines(sweep: Sweep) -> Sweep:
    order = tuple(axis for axis in sweep.order if axis != "engine")
    return sweep.model_copy(update={"engine": (), "order": order})


def _in_area(draft: Draft, item: Configuration) -> Draft:
    """Give the profiles the area of the configuration unless they say another, or the sweep has that axis."""
    beside = tuple(_in_area(load, item) for load in draft.beside)
    if item.area is None or draft.sweep.area or draft.profile.area != Area():
        return replace(draft, beside=beside)
    profile = draft.profile.model_copy(update={"area": item.area.of(draft.profile)})
    return replace(draft, profile=profile, beside=beside)


def _volumes(item: Configuration, system: VirtualSystem) -> tuple[VirtualTarget, ...]:
    known = {volume.name: VirtualTarget(volume.name, volume.size_bytes) for volume in system.volumes}
    chosen = tuple(known[name] for name in item.volumes if name in known)
    return chosen or tuple(known.values())  # what there is not is told


def _missing_volumes(item: Configuration, system: VirtualSystem) -> Iterator[Problem]:
    known = [volume.name for volume in system.volumes]
    for name in item.volumes:
        if name not in known:
            hint = did_you_mean(name, known, "volumes", NAMED)
            yield Problem(f"{item.name}: volumes", f'the system has no volume "{name}"', hint)


def _refuse(
    study: Study,
    chosen: Sequence[tuple[Configuration, Loads[VirtualTarget]]],
    systems: Mapping[str, VirtualSystem],
    nothing: Problem,
    wrong: Sequence[Problem],
) -> None:
    every = [(item, draft, group) for item, loads in chosen for draft, group in loads]
    pairs = [(draft, target) for _, draft, group in every for target in group]
    problems = [*wrong, *told_of_all(pairs, area_problems), *told_of_all(pairs, _sector_problems)]
    problems += (problem for _, loads in chosen for problem in _flight_problems(loads))
    problems += _of_the_study(study)
    problems += untrimmed_problems(
        (draft, systems[item.name], {target.path for target in group}) for item, draft, group in every
    )
    problems += sharing_problems(((draft.sweep, len(group)) for _, draft, group in every), study.measurement)
    problems += (
        *beside_problems(study),
        *(found for item, loads in chosen for found in _cached_reads(loads, systems[item.name])),
        *(found for item, loads in chosen for found in uneven_problems(loads, systems[item.name])),
        *(found for _, draft, _ in every for found in made_data_problems(draft)),
    )
    if nothing.where == "--profile" or not chosen:
        problems.append(nothing)
    if problems:
        raise ProfileError(*once_each(problems))


def _flight_problems(loads: Loads[VirtualTarget]) -> Iterator[Problem]:
    """Yield that the loads of a point keep more I/Os in flight than can be simulated."""
    flight = sum(draft.outstanding * draft.workers * len(group) for draft, group in loads)
    if flight > MOST_IN_FLIGHT:
        what = f"keeps {flight:,} I/Os in flight in all, and {MOST_IN_FLIGHT:,} can be simulated"
        hint = "take fewer workers or outstanding I/Os, or fewer targets and loads at once"
        yield Problem(loads[0][0].where, what, hint)


def _sector_problems(draft: Draft, target: Placed) -> Iterator[Problem]:
    hint = f"virtual drives are read and written in multiples of {target.logical_block_bytes} bytes"
    return sector_problems(draft, target, hint)


def nothing_runs(study: Study, configurations: Collection[str], overrides: Overrides) -> Problem:
    """Say that no sweep runs on what was chosen, or that none that does has a profile that was asked for.

    Parameters
    ----------
    study
        The study as it is, without the overrides.
    configurations
        Names of the configurations that were chosen.
    overrides
        The choices, profiles and sweeps among them.
    """
    shows = "`iodyno simulate STUDY --plan` shows what the study has"
    lacking, own = overrides.lacking(study, _runs_on_any(configurations))
    if own and lacking:
        what = f"no sweep on the configurations that were chosen has {', '.join(lacking)}"
        return Problem("--profile", what, f"they have {', '.join(own)}; {shows}")
    what = "no sweep runs on the configurations that were chosen"
    return Problem(study.name, what, f"take another configuration; {shows}")


def _of_the_study(study: Study) -> Iterator[Problem]:
    """Yield what is asked of the measurement and cannot be on any virtual target."""
    if study.measurement.verify:
        what = "virtual targets hold no data: there is nothing to verify"
        yield Problem("measurement.verify", what, "leave it out of the study")
    if study.measurement.cold_cache:
        what = "virtual targets are asked past the caches of an operating system"
        yield Problem("measurement.cold_cache", what, "leave it out of the study")
    if study.measurement.iopoll:
        what = "virtual drives are not polled: what an interrupt costs is part of the host's time for an I/O"
        yield Problem("measurement.iopoll", what, "leave it out of the study")


def _cached_reads(loads: Loads[VirtualTarget], system: VirtualSystem) -> Iterator[Problem]:
    """Yield the volumes whose reads a cache keeps and that several loads read in different ways: which of
    them find what the others left there is not modelled."""
    keep = {volume.name for volume in system.volumes if _keeps_reads(system, volume)}
    ways: dict[str, set[object]] = {}
    for draft, group in loads:
        for target in group if draft.profile.reads else ():
            area = _planned(draft, target)
            where = area.area_start_bytes, area.area_length_bytes, draft.profile.distribution_of(write=False)
            way = *where, draft.profile.random_of(write=False)
            ways.setdefault(target.path, set()).add(way)
    for name in (name for name, found in ways.items() if name in keep and len(found) > 1):
        what = f"loads at once read {name} in different ways, and its controller caches reads: not modelled"
        hint = 'let them read one area with one random share, or set cache = "direct", or give each a volume'
        yield Problem(f"sweep {loads[0][0].sweep.name}.beside", what, hint)


def _keeps_reads(system: VirtualSystem, volume: Volume) -> bool:
    if not isinstance(volume.on, OnLogical):
        return False
    controller = system.controllers[volume.on.controller]
    return controller.cache_bytes > 0 and controller.logicals[volume.on.logical].cached_reads


def _point(
    index: int,
    study: Study,
    item: Configuration,
    loads: Loads[VirtualTarget],
    following: Following,
) -> Point:
    draft, group = loads[0]
    return Point(
        index=index,
        sweep=draft.sweep.name,
        profile=draft.profile,
        targets=tuple(_planned(load, target) for load, own in loads for target in own),
        beside=planned_beside(loads, study.measurement),
        outstanding=draft.outstanding,
        workers=draft.workers,
        workers_area=draft.workers_area,
        targets_per_worker=shared_out(study.measurement, draft.sweep),
        write_through=study.measurement.write_through,
        rate_io_s=draft.rate_io_s,
        arrival=draft.sweep.arrival,
        begins_after_s=draft.sweep.begins_after_s,
        rate_from=following.rule(index, draft, (item.name, *(target.path for target in group))),
        engine="simulator",
        stopping=_stopping(study, draft, item, sum(len(own) for _, own in loads)),
        seed=point_seed(study.measurement.seed, *draft.identity()),
        system=item.name,
    )


def _stopping(study: Study, draft: Draft, item: Configuration, targets: int) -> Stopping:
    options, seconds = study.simulation, study.measurement
    warmup_ios = {**options.warmup_of, **item.warmup_of}.get(draft.named, options.warmup_ios)
    cap_ios = options.cap_ios if draft.sweep.cap_ios is None else draft.sweep.cap_ios
    return Stopping(
        warmup_s=0.0,
        floor_s=seconds.floor_s,
        cap_s=seconds.cap_s,
        precision=options.precision,
        confidence=options.confidence,
        warmup_ios=warmup_ios * targets,
        floor_ios=options.floor_ios * targets,
        cap_ios=cap_ios * targets,
    )


def _planned(draft: Draft, target: VirtualTarget) -> PlannedTarget:
    grain = max(draft.profile.grain_bytes, target.logical_block_bytes)
    start, length = draft.profile.area.resolve(target.size_bytes, grain)
    return PlannedTarget(
        path=target.path,
        kind="virtual",
        size_bytes=target.size_bytes,
        logical_block_bytes=target.logical_block_bytes,
        area_start_bytes=start,
        area_length_bytes=length,
    )
