"""What the words of a command line ask for: choices of a study, permissions, targets."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from iodyno.errors import Problem
    from iodyno.study import Overrides, Study
    from iodyno.targets import Permissions, Target


def overrides_of(choices: dict[str, Any], allowed: dict[str, Any]) -> Overrides:
    """Make the overrides of what the options say."""
    from iodyno.study import Overrides

    given = {name: value for name, value in choices.items() if value is not None}
    return Overrides(**given, direct=False if allowed["buffered"] else None)


def permissions_of(allowed: dict[str, Any]) -> Permissions:
    """Make the permissions of what the options say."""
    from iodyno.targets import Permissions

    return Permissions(**allowed)


def targets_of(
    study: Study, choices: Overrides, paths: tuple[str, ...], allowed: Permissions, *, quiet: bool = False
) -> tuple[Target, ...]:
    """Find the targets of a study; of one that cannot be, what is wrong with the targets is told as well.

    Unless it is quiet, a note says which kept files have not the size that the study asks for.
    """
    from iodyno.cli.fio_jobs import refuse_as_targets
    from iodyno.errors import ProfileError, TargetError
    from iodyno.study import conditioning_drafts, expand, for_real
    from iodyno.targets import find_targets

    refuse_as_targets(paths)
    try:
        changed = for_real(study, choices)
        drafts = (*expand(changed), *conditioning_drafts(changed))
    except ProfileError as error:
        raise ProfileError(*error.problems, *target_problems(paths, allowed)) from None
    writes = any(load.profile.alters for draft in drafts for load in draft.loads)
    writes = writes or bool(changed.conditioning and changed.conditioning.writes)
    size, asked = changed.file.size, choices.size is not None
    find = partial(find_targets, writes=writes, permissions=allowed, file_size_bytes=size)
    try:
        found = find(paths, size_asked=asked)
    except TargetError as error:
        more = _on_those_found(study, choices, paths, find)
        raise TargetError(*dict.fromkeys((*error.problems, *more))) from None
    for target in found if not quiet else ():
        _note_kept_size(target, size)
        _note_new_name(target)
    return found


def _on_those_found(
    study: Study, choices: Overrides, paths: tuple[str, ...], find: Callable[..., tuple[Target, ...]]
) -> tuple[Problem, ...]:
    """Give what is wrong with a study on those targets that can be, in the places of the others too."""
    from iodyno.errors import IodynoError, TargetError
    from iodyno.study import for_real, plan_study
    from iodyno.study.planning import number_problems, once_each

    each: list[Target | None] = []
    for path in paths:
        try:
            each += find((path,))
        except TargetError:
            each.append(None)
    there = [target for target in each if target]
    if not there:
        sweeps = for_real(study, choices).sweep
        return tuple(once_each([one for sweep in sweeps for one in number_problems(sweep, len(paths))]))
    try:
        plan_study(study, [target or there[0] for target in each], choices)
    except IodynoError as error:
        return error.problems
    return ()


def _note_new_name(target: Target) -> None:
    """Say that a name that looks like that of a folder, and leads to nothing, becomes a file: who mistypes a
    folder, or has not mounted it, would measure another disk."""
    from iodyno.cli.ending import say

    path = Path(target.path)
    if target.created and Path(target.asked).name == path.name and not path.suffix:
        made = f"a file of this name is made in {path.parent}"
        say("note", f"{target.asked}: there is no such directory or file: {made}")


def _note_kept_size(target: Target, size_bytes: int) -> None:
    """Say of a kept file of iodyno's that it has not the size for which the study would have one made."""
    from iodyno.cli.ending import say
    from iodyno.targets import whole_blocks
    from iodyno.units import short_size

    if target.ours and not target.created and target.size_bytes != whole_blocks(size_bytes):
        there, wanted = short_size(target.size_bytes), short_size(size_bytes)
        how = f"is a kept file of {there}, and is measured as it is: the study asks for {wanted}"
        say("note", f"{target.path} {how}")


def target_problems(paths: tuple[str, ...], allowed: Permissions) -> tuple[Problem, ...]:
    """Give what is wrong with targets whatever is asked of them: as little as may be is supposed."""
    from iodyno.errors import TargetError
    from iodyno.targets import find_targets

    try:
        find_targets(paths, writes=False, permissions=allowed, file_size_bytes=1)
    except TargetError as error:
        return error.problems
    return ()


@contextmanager
def rest_told(choices: Overrides, paths: tuple[str, ...], allowed: Permissions) -> Iterator[None]:
    """Tell what is wrong with targets, and with what is left of a study on them, beside the study's problems.

    Raises
    ------
    ProfileError
        That of the block with all of it.
    """
    from iodyno.errors import ProfileError
    from iodyno.study.load import UnreadError

    try:
        yield
    except ProfileError as error:
        rest = error.rest if isinstance(error, UnreadError) else None
        sized = rest is not None and rest.sized and rest.studies != ()
        of_targets = paths if sized else ()
        found = rest.problems(lambda study: _planned(study, choices, of_targets, allowed)) if rest else []
        found += target_problems(paths, allowed) if paths and not sized else ()
        raise ProfileError(*dict.fromkeys((*error.problems, *found))) from None


def _planned(study: Study, choices: Overrides, paths: tuple[str, ...], allowed: Permissions) -> None:
    from iodyno.study import plan_study

    found = targets_of(study, choices, paths, allowed, quiet=True) if paths else supposed(study, choices)
    # Of sweeps that cannot be read nobody knows whether they are for real targets.
    asking = [sweep for sweep in study.sweep if sweep.profile_names]
    if any(sweep.real for sweep in asking) or len(asking) == len(study.sweep):
        plan_study(study, found, choices)


def supposed(study: Study, choices: Overrides) -> tuple[Target, ...]:
    """Suppose a file of the study's size in this folder, or as many as it speaks of by number."""
    from iodyno.targets import FILE_NAME, Target, whole_blocks

    size = whole_blocks(choices.apply(study).file.size)
    numbers = [number for sweep in study.sweep for number in sweep.numbers]
    count = max(numbers, default=1)
    folders = [Path.cwd() / str(number) for number in range(1, count + 1)] if count > 1 else [Path.cwd()]
    return tuple(
        Target(path=str(folder / FILE_NAME), asked=".", kind="file", size_bytes=size, created=True)
        for folder in folders
    )
