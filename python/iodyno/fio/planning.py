"""From the jobs of a file to one plan: each with its own targets, time and engine."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from iodyno.errors import IodynoError, Problem, ProfileError
from iodyno.fio.together import JobStudy
from iodyno.fio.told import told
from iodyno.fio.translating import Translated
from iodyno.plan import Plan
from iodyno.study import Overrides, plan_study
from iodyno.targets import Permissions, Target, find_targets

_LEAST_FILE_BYTES = 4096
Finder = Callable[[Sequence[str], bool, int], tuple[Target, ...]]
"""Gives the targets at paths, whether they are written, with the size of files to be made."""


@dataclass(frozen=True)
class JobPlan:
    """A plan with the targets that it was made on."""

    plan: Plan
    targets: tuple[Target, ...]


def is_job_file(name: str) -> bool:
    """Tell whether a path is that of a fio job file, by how it ends.

    Examples
    --------
    >>> is_job_file("jobs/randread.fio"), is_job_file("quick.toml")
    (True, False)
    """
    return name.lower().endswith(".fio")


def plan_jobs(translated: Translated, overrides: Overrides, find: Finder) -> JobPlan:
    """Plan every job on its targets, one after the other.

    Parameters
    ----------
    translated
        The jobs.
    overrides
        Choices that replace those of the jobs.
    find
        Finds the targets.

    Raises
    ------
    ProfileError, TargetError
        With every problem of every job.
    """
    targets = _targets(translated.jobs, find)
    problems: list[Problem] = []
    plans: list[Plan] = []
    for job in translated.jobs:
        try:
            plans.append(plan_study(job.study, [targets[path] for path in job.paths], overrides))
        except ProfileError as error:
            problems += told(error.problems, (job,), overrides)
    if problems:
        raise ProfileError(*dict.fromkeys(problems))
    points = [point for plan in plans for point in plan.points]
    study = translated.study
    plan = plans[0].model_copy(
        update={
            "points": tuple(point.model_copy(update={"index": place}) for place, point in enumerate(points)),
            "title": f"fio job file {study.name}" if len(plans) > 1 else study.title,
            "study_source": overrides.apply(study).source(),
        }
    )
    return JobPlan(plan, tuple({target.path: target for target in targets.values()}.values()))


def _targets(jobs: Sequence[JobStudy], find: Finder) -> dict[str, Target]:
    """Find the targets of all jobs, those that are only read apart from those that are written."""
    written = {path for job in jobs for path in job.altered}
    users: dict[str, list[JobStudy]] = {}
    for job in jobs:
        for path in job.paths:
            users.setdefault(path, []).append(job)
    sizes = {path: max(job.bytes_of(path) or _LEAST_FILE_BYTES for job in users[path]) for path in users}
    found: dict[str, Target] = {}
    problems: list[Problem] = []
    for writes, size in sorted({(path in written, size) for path, size in sizes.items()}, reverse=True):
        paths = [path for path in users if (path in written, sizes[path]) == (writes, size)]
        try:
            found |= dict(zip(paths, find(paths, writes, size), strict=True))
        except IodynoError as error:
            problems += error.problems
    for path in (path for path in users if path in found and found[path].created):
        without = next((job for job in users[path] if job.bytes_of(path) is None), None)
        problems += [_size_missing(path, without)] if without else []
    if problems:
        from iodyno.errors import TargetError

        raise TargetError(*dict.fromkeys(problems))
    return found


def _size_missing(path: str, job: JobStudy) -> Problem:
    """Say that the size of a target is not known, at the first job that has it."""
    place = f"{job.place}: [{job.name}]"
    if path.startswith("/dev/"):
        hint = "add --target, or take `iodyno measure --plan`: it looks at the targets, and writes nothing"
        return Problem(place, f"the size of {path} is not known, because nothing is looked at", hint)
    return Problem(
        place, f"{path} is to be made, and the job says no size in bytes", "add size=1g, or give --size"
    )


def finder(permissions: Permissions, *, buffered: bool, size_asked: bool = False) -> Finder:
    """Find targets on this machine; a job that does not ask for direct I/O needs none.

    Files that are there have the size that was asked for, if it was for files and not for what jobs access.
    """
    allowed = replace(permissions, buffered=permissions.buffered or buffered)

    def find(paths: Sequence[str], writes: bool, size: int) -> tuple[Target, ...]:
        return find_targets(
            paths, writes=writes, permissions=allowed, file_size_bytes=size, size_asked=size_asked
        )

    return find


def supposed(paths: Sequence[str], _: bool, size: int) -> tuple[Target, ...]:
    """Suppose that each path is a file still to be made; looks at nothing."""
    from iodyno.targets import FILE_NAME, whole_blocks

    def made(path: str) -> Target:
        whole = Path(path) / FILE_NAME if Path(path).is_dir() else Path(path)
        full = str(whole.absolute())
        return Target(path=full, asked=path, kind="file", size_bytes=whole_blocks(size), created=True)

    return tuple(made(path) for path in paths)
