"""What the words of a command line ask for: choices of a study, permissions, targets."""

from __future__ import annotations

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
    from iodyno.errors import ProfileError
    from iodyno.study import conditioning_drafts, expand, for_real
    from iodyno.study.planning import number_problems, once_each
    from iodyno.targets import find_targets

    refuse_as_targets(paths)
    try:
        changed = for_real(study, choices)
        drafts = (*expand(changed), *conditioning_drafts(changed))
        wrong = [problem for sweep in changed.sweep for problem in number_problems(sweep, len(paths))]
        if wrong:
            raise ProfileError(*once_each(wrong))
    except ProfileError as error:
        raise ProfileError(*error.problems, *target_problems(paths, allowed)) from None
    writes = any(load.profile.alters for draft in drafts for load in draft.loads)
    writes = writes or bool(changed.conditioning and changed.conditioning.writes)
    size, asked = changed.file.size, choices.size is not None
    found = find_targets(paths, writes=writes, permissions=allowed, file_size_bytes=size, size_asked=asked)
    for target in found if not quiet else ():
        _note_kept_size(target, size)
        _note_new_name(target)
    return found


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
