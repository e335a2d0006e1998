"""Finding the targets of a run again."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from iodyno.errors import Problem, TargetError
from iodyno.plan import Plan, PlannedTarget
from iodyno.targets import Permissions, Target, find_targets

if TYPE_CHECKING:
    from iodyno.store.records import Run


def targets_of_plan(plan: Plan, allowed: Permissions) -> tuple[Target, ...]:
    """Find the targets of a plan again, under the same guards as the first time.

    Parameters
    ----------
    plan
        The plan that the run began with.
    allowed
        What the user allows this time; a device has to be named again.

    Raises
    ------
    TargetError
        If a target is gone, refused, or not what the plan was made for.
    """
    planned = {target.path: target for point in plan.points for target in point.targets}
    writes = any(point.alters for point in plan.points)
    writes = writes or bool(plan.conditioning and plan.conditioning.writes)
    if not all(point.direct for point in plan.points):
        allowed = replace(allowed, buffered=True)
    size = next((target.size_bytes for target in planned.values() if target.created), 1)
    found = find_targets(list(planned), writes=writes, permissions=allowed, file_size_bytes=size)
    problems = [
        problem
        for before, now in zip(planned.values(), found, strict=True)
        for problem in _differences(before, now)
    ]
    if problems:
        raise TargetError(*problems)
    return found


def clear_leftovers(run: Run, ledger: Path, *, keep: bool) -> None:
    """Remove or keep what a run left that was cut off after its last point: the files that it made, and what
    it knows of their data.

    Files that are kept already, that another iodyno uses or that carry no mark stay.
    """
    from iodyno.cli.ending import say
    from iodyno.targets import keep_file, marked_for_removal, remove_file

    keep = keep or "--keep" in run.command
    planned = {target.path: target for point in run.plan.points for target in point.targets}
    made = [target for target in planned.values() if target.created]
    for left in made:
        if marked_for_removal(left.path):
            target = Target(path=left.path, asked=left.path, kind="file", size_bytes=left.size_bytes)
            (keep_file if keep else remove_file)(target)
        elif Path(left.path).exists() and not keep:
            say(
                "note",
                f"{left.path} stays: it is kept, in use or changed, or nothing tells that iodyno made it",
            )
    if not keep and len(made) == len(planned):
        ledger.unlink(missing_ok=True)


def _differences(before: PlannedTarget, now: Target) -> Iterator[Problem]:
    hint = "start a new run"
    if now.created and not before.created:
        yield Problem(before.path, "the file of the run is gone", hint)
    elif before.created and not (now.created or now.ours):
        yield Problem(
            before.path, "is now a file that iodyno did not make", "move it away, or start a new run"
        )
    elif _kind(now) != _kind(before) and not (now.created and now.size_bytes == before.size_bytes):
        was = f"{before.kind} of {before.size_bytes} bytes, blocks of {before.logical_block_bytes}"
        is_now = f"{now.kind} of {now.size_bytes} bytes, blocks of {now.logical_block_bytes}"
        yield Problem(before.path, f"is not what it was: a {was}, now a {is_now}", hint)


def _kind(target: PlannedTarget | Target) -> tuple[str, int, int]:
    return target.kind, target.size_bytes, target.logical_block_bytes
