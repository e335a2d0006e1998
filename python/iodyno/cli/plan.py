"""``iodyno plan``: every point of a study, decided."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from iodyno.cli import named, parameters
from iodyno.cli.in_options import told_as_options
from iodyno.cli.options import approximate_option, choices_of_a_study, json_option, permissions
from iodyno.cli.papers import told_with
from iodyno.cli.sections import SectionedCommand

if TYPE_CHECKING:
    from iodyno.errors import Problem
    from iodyno.plan import Plan, Point
    from iodyno.study import Overrides, Study
    from iodyno.targets import Permissions, Target

MOST_NAMED = 3
"""Systems that are told by name of the points that have a stopping rule."""


@click.command(cls=SectionedCommand, named=named.of_planning)
@click.argument("study", type=parameters.NAME, default="standard", shell_complete=parameters.complete_studies)
@click.option(
    "--target",
    "paths",
    multiple=True,
    type=click.Path(readable=False),
    metavar="TARGET",
    help="Plan on this folder, file or device; may be repeated. Otherwise on a file of the study's size.",
)
@approximate_option
@choices_of_a_study
@permissions
@json_option
def command(
    study: str,
    paths: tuple[str, ...],
    approximate: bool,
    overrides: dict[str, Any],
    permissions: dict[str, Any],
    as_json: bool,
) -> None:
    """Print every point of a study, decided, and stop.

    STUDY is one that `iodyno studies` lists, standard unless another is given, the path of a TOML file,
    or a job file of fio. Nothing is written and nothing is measured. What is wrong with the virtual
    systems of a study is told, too. The same study, targets and choices give the same plan, byte for byte.

    \b
    iodyno plan quick
    iodyno plan my-study.toml --target /dev/nvme0n1 --json
    """  # fmt: skip
    from iodyno.cli import fio_jobs

    choices = overrides_of(overrides, permissions)
    with told_as_options(choices):
        if fio_jobs.is_job(study):
            allowed = permissions_of(permissions) if paths else None
            plan = fio_jobs.planned(study, paths, choices, allowed, approximate=approximate).plan
        else:
            plan = _plan_of(study, paths, choices, permissions)
    print_plan(plan, supposed=not paths, as_json=as_json)


def _plan_of(name: str, paths: tuple[str, ...], choices: Overrides, permissions: dict[str, Any]) -> Plan:
    """Plan a study on targets, or on supposed ones; what is wrong with its virtual systems is told as well,
    as nothing else looks at a study before it runs."""
    from iodyno.study import load_to_simulate, plan_study
    from iodyno.study.at_once import system_problems
    from iodyno.study.systems import resolve

    study = load_to_simulate(name, (), resolve)
    with told_with(system_problems(study, resolve)):
        if paths:
            targets = targets_of(study, choices, paths, permissions_of(permissions))
        else:
            targets = supposed(study, choices)
        return plan_study(study, targets, choices)


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


def print_plan(plan: Plan, *, supposed: bool, as_json: bool) -> None:
    """Print a plan, as JSON or as a table."""
    if as_json:
        click.echo(plan.model_dump_json(indent=2))
    else:
        _print(plan, supposed=supposed)


def _print(plan: Plan, *, supposed: bool) -> None:
    from iodyno.cli.conditioning_text import planned_text
    from iodyno.cli.console import console, facts, is_terminal, table
    from iodyno.cli.pace import clock_text
    from iodyno.cli.plan_points import columns_of, common_facts, headed, with_seeds, within
    from iodyno.cli.wording import points_text

    out = console()
    out.print(plan.title, style="bold")
    targets = list(dict.fromkeys(target for point in plan.points for target in point.targets))
    paths = dict.fromkeys(_target_text(target) for target in targets)
    most = "simulated" if plan.simulated else f"at most {clock_text(plan.longest_s)} without {_writing(plan)}"
    note = " (supposed: give --target to plan on a real one)" if supposed else ""
    pairs = [("study", plan.study), ("targets", ", ".join(paths) + note), ("seed", str(plan.seed))]
    if plan.systems:
        pairs[1] = ("systems", ", ".join(plan.systems))
    if plan.conditioning:
        pairs.append(("conditioning", planned_text(plan.conditioning)))
    pairs += _timings(plan)
    pairs += _filled_with(plan)
    pairs += common_facts(plan)
    seeds = with_seeds(plan, out.width)
    columns, once = within(plan, columns_of(plan, seeds=seeds), out.width if is_terminal(out) else None)
    out.print(facts([*pairs, *once, ("hash", plan.config_hash)]))
    for heading, points in headed(plan):
        rows = [[read(point) for _, _, read in columns] for point in points]
        out.print()
        if heading:
            out.print(heading, style="bold")
        out.print(table([(name, side) for name, side, _ in columns], rows))
    elsewhere = "" if seeds else "; `--json` gives the seed of each"
    out.print(f"\n{points_text(len(plan.points))}, {most}{elsewhere}")


def _writing(plan: Plan) -> str:
    return "filling" if plan.conditioning else "making files"


def _filled_with(plan: Plan) -> list[tuple[str, str]]:
    """Say how far the data of a fill compresses and repeats; nothing where it does neither."""
    data = plan.fill_data
    if plan.simulated or not (data.compressible_share or data.duplicate_share):
        return []
    shares = f"{data.compressible_share * 100:g}% compressible, {data.duplicate_share * 100:g}% duplicate"
    return [("filled with", f"blocks of 128k, {shares}")]


def _target_text(target: Any) -> str:
    from iodyno.units import short_size

    kinds = {"virtual": "a virtual volume", "device": "a device", "file": "a file"}
    made = "a file to be made" if target.created else kinds[target.kind]
    return f"{target.path}, {made} of {short_size(target.size_bytes)}"


def _timings(plan: Plan) -> list[tuple[str, str]]:
    """Say how long points go on, and of which points it is said where they differ."""
    from iodyno.cli.wording import points_text

    found: dict[str, list[Point]] = {}
    for point in plan.points:
        found.setdefault(_timing(point), []).append(point)
    if len(found) <= 1:
        return [("each point", text) for text in found]
    return [
        (points_text(len(points)), f"{_which(points, plan.points)}: {text}") for text, points in found.items()
    ]


def _which(points: Sequence[Point], among: Sequence[Point]) -> str:
    """Say in what points differ from others: sweep, profile, number of targets, systems."""
    reads: tuple[Callable[[Point], str], ...] = (
        lambda point: f"sweep {point.sweep}",
        lambda point: point.profile.name,
        lambda point: f"{len(point.targets)} target{'' if len(point.targets) == 1 else 's'}",
    )
    parts = []
    for read in reads:
        own = dict.fromkeys(read(point) for point in points)
        if set(own) != {read(point) for point in among}:
            parts.append(", ".join(own))
            among = [point for point in among if read(point) in own]
    systems = dict.fromkeys(str(point.system) for point in points)
    others = {str(point.system) for point in among}
    if set(systems) != others:
        many = f"{len(systems)} of {len(others)} systems"
        parts.append(many if len(systems) > MOST_NAMED else ", ".join(systems))
    return "; ".join(parts) or "others"


def _timing(point: Point) -> str:
    stopping = point.stopping
    begun = f"all loads begun after {point.all_begun_s:g} s, then " if point.all_begun_s else ""
    if point.simulated:
        # With many outstanding there are more: the points say how many.
        return (
            f"{begun}warm-up {stopping.warmup_ios:,} I/Os, counted {stopping.floor_ios:,} to "
            f"{stopping.cap_ios:,}, until ±{stopping.precision * 100:g}% at {stopping.confidence * 100:g}%"
        )
    direct = "direct I/O" if point.direct else "buffered I/O"
    floor = f"{stopping.floor_s:g} to " if stopping.floor_s < stopping.cap_s else ""
    return (
        f"{begun}warm-up {stopping.warmup_s:g} s, measured {floor}{stopping.cap_s:g} s, "
        f"until ±{stopping.precision * 100:g}% at {stopping.confidence * 100:g}%, {direct}{_how(point)}"
    )


def _how(point: Point) -> str:
    """Say how targets are opened and where workers run, where that is not the usual."""
    from iodyno.report.names import driven
    from iodyno.report.operations import planned_pinning
    from iodyno.report.plain import ENGLISH

    each = point.targets_per_worker
    parts = (
        "O_DSYNC" if point.write_through else "",
        "cold cache" if point.cold_cache else "",
        "polled" if point.iopoll else "",
        planned_pinning(ENGLISH, point),
        driven(ENGLISH, each) if each and len(point.targets) > 1 else "",
    )
    return "".join(f", {part}" for part in parts if part)
