"""What commands do with a job file of fio in the place of a study."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from iodyno.errors import Problem
    from iodyno.fio import JobPlan, Translated
    from iodyno.study import Overrides
    from iodyno.targets import Permissions


Planned = TypeVar("Planned")
_NO_TARGETS = (".fio", ".toml")


def is_job(name: str | None) -> bool:
    """Tell whether a study or target that was named is a job file of fio."""
    return name is not None and name.lower().endswith(".fio") and Path(name).is_file()


def refuse_as_targets(paths: Sequence[str]) -> None:
    """Refuse names of job files and of studies as targets: a file would be made of a mistyped one, or what
    somebody wrote be overwritten.

    Raises
    ------
    TargetError
        With every path that ends as a job file or a study does and is no folder, and every name of a
        shipped study that nothing else has.
    """
    from iodyno.errors import Problem, TargetError
    from iodyno.study import shipped

    studies = set(shipped())
    problems: list[Problem] = []
    for path in paths:
        if path.lower().endswith(_NO_TARGETS) and not Path(path).is_dir():
            problems.append(_no_target(path))
        elif path == "-":
            problems.append(
                Problem(path, "names no target", "name a folder, a file or a device; ./- is a file")
            )
        elif path in studies and not Path(path).exists():
            hint = f"write --study {path}; ./{path} is a file of that name"
            problems.append(Problem(path, "is a study, and no target", hint))
    if problems:
        raise TargetError(*problems)


def _no_target(path: str) -> Problem:
    """Say what a name that is no target is, and what to do."""
    from iodyno.errors import Problem

    job = path.lower().endswith(".fio")
    what = "job file of fio" if job else "study"
    if not Path(path).is_file():
        ending = path[path.rindex(".") :]
        hint = f"check the path; what iodyno makes or measures has a name that does not end in {ending}"
        return Problem(path, f"there is no such {what}", hint)
    hint = "name one, before all targets" if job else f"write --study {path}"
    return Problem(path, f"is a {what}, and no target", hint)


def planned(
    file: str, paths: tuple[str, ...], choices: Overrides, allowed: Permissions | None, *, approximate: bool
) -> JobPlan:
    """Plan the jobs of a file on these targets, or on the files that they name.

    Parameters
    ----------
    file
        The job file.
    paths
        Targets of the command line; none: the files that the jobs name.
    choices
        What the command line changes.
    allowed
        What the user allows; none: the files are supposed, and nothing is looked at.
    approximate
        Whether to go on without what is not honoured.
    """
    from iodyno.fio import plan_jobs
    from iodyno.fio.planning import finder, supposed

    refuse_as_targets(paths)
    changed = choices.model_copy(update={"profiles": ()})

    def plan(jobs: Translated) -> JobPlan:
        buffered = not any(job.study.measurement.direct for job in jobs.jobs)
        of_files = choices.size is not None and choices.area is not None
        find = supposed if allowed is None else finder(allowed, buffered=buffered, size_asked=of_files)
        return plan_jobs(jobs, changed, find)

    return planned_by(plan, file, paths, choices, approximate=approximate)


def planned_by(
    plan: Callable[[Translated], Planned],
    file: str,
    paths: tuple[str, ...],
    choices: Overrides,
    *,
    approximate: bool,
    real: bool = True,
) -> Planned:
    """Plan the jobs of a file; where not all of it is honoured, what cannot be of the rest is told as well.

    Raises
    ------
    IodynoError
        With every problem of the file and of its jobs.
    """
    from iodyno.errors import IodynoError, ProfileError

    try:
        jobs = translated(file, paths, choices, approximate=approximate, real=real)
    except ProfileError as error:
        more: tuple[Problem, ...] = ()
        try:
            plan(_translate(file, paths, choices, approximate=True, real=real))
        except IodynoError as of_the_rest:
            more = of_the_rest.problems
        raise ProfileError(*dict.fromkeys((*error.problems, *more))) from None
    return plan(jobs)


@contextmanager
def told_in_lines(jobs: Translated, choices: Overrides) -> Iterator[None]:
    """Tell what is wrong with the study of a job file by the lines of that file.

    Raises
    ------
    ProfileError
        That of the block.
    """
    from iodyno.errors import ProfileError
    from iodyno.fio.told import told

    try:
        yield
    except ProfileError as error:
        raise ProfileError(*told(error.problems, jobs.jobs, choices)) from None


def translated(
    file: str, paths: tuple[str, ...], choices: Overrides, *, approximate: bool, real: bool = True
) -> Translated:
    """Translate a job file, and say what is done otherwise than fio does it."""
    from iodyno.cli.ending import HintedUsageError, say

    if choices.sweeps:
        raise HintedUsageError("a job file of fio has jobs and no sweeps", "name jobs with --profile")
    found = _translate(file, paths, choices, approximate=approximate, real=real)
    for note in found.notes:
        say("note", note)
    return found


def _translate(
    file: str, paths: tuple[str, ...], choices: Overrides, *, approximate: bool, real: bool
) -> Translated:
    from iodyno.fio import translate

    return translate(
        Path(file), paths, only=choices.profiles, size=choices.size, area=choices.area,
        approximate=approximate, real=real,
    )  # fmt: skip
