"""``iodyno search``: the highest rate at which response times keep a limit."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

import click

from iodyno.cli import named, parameters
from iodyno.cli.in_options import told_as_options
from iodyno.cli.limits import Limits, goal_of, limit_options, limit_problems, limits_of, one_limit
from iodyno.cli.options import (
    IOS_VALUES,
    choices_of_a_search,
    outcome_options,
    permissions,
    plan_option,
    store_option,
)
from iodyno.cli.own_profiles import own_profiles, study_of_profiles
from iodyno.cli.papers import papers_of_a_run, told_with
from iodyno.cli.sections import SectionedCommand

if TYPE_CHECKING:
    from iodyno.cli.own_profiles import Own
    from iodyno.errors import Problem
    from iodyno.study import Overrides, Study
    from iodyno.targets import Permissions

_SWEEP = "search"
_OF_REAL_TARGETS = (
    "warmup_s", "floor_s", "cap_s", "size", "engine", "verify", "iopoll", "pinning", "condition",
    "buffered", "cold_cache", "write_existing", "identity", "overwrite_signature", "keep", "no_serials",
)  # fmt: skip
"""Choices that say nothing of virtual targets."""


@click.command(cls=SectionedCommand, named=named.of_searching)
@click.argument("paths", nargs=-1, type=click.Path(readable=False), metavar="TARGET...")
@limit_options
@study_of_profiles
@click.option(
    "--on", "systems", type=parameters.NAME, multiple=True, metavar="SYSTEM",
    shell_complete=parameters.complete_systems,
    help="Search on this system of the catalogue instead, by simulation; may be repeated.",
)  # fmt: skip
@click.option(
    "--resolution", type=parameters.RESOLUTION, default="2%", show_default=True, metavar="SHARE",
    help="How far the lowest rate that breaks the limit may be above the highest that keeps it.",
)  # fmt: skip
@click.option(
    "--maximum-at", type=parameters.INTENSITY, default="32,128", show_default=True, metavar="LIST",
    help="Outstanding I/Os at which what the target can serve is found first.",
)  # fmt: skip
@plan_option
@choices_of_a_search
@permissions
@click.option("--keep", is_flag=True, help="Keep the file that iodyno makes.")
@click.option("--no-serials", is_flag=True, help="Leave serial numbers out of what is kept.")
@store_option
@outcome_options("search")
def command(
    paths: tuple[str, ...],
    systems: tuple[str, ...],
    resolution: float,
    maximum_at: tuple[int, ...],
    overrides: dict[str, Any],
    permissions: dict[str, Any],
    **rest: Any,
) -> int:
    """Find the highest rate at which response times keep a limit.

    An open loop: I/Os start when a schedule says so, Poisson arrivals unless --arrival says
    otherwise, and the response time counts from the intended start. What the target can serve is
    found first; then rates are tried between one that keeps the limit and one that breaks it,
    until they are as near to each other as --resolution says. Each is a point of the run that is
    kept, with its verdict; `iodyno measure --resume` goes on with a search that was interrupted.

    \b
    iodyno search . --profile database --p99 2ms
    iodyno search /dev/nvme1n1 --profile random-read-4k --p99.9 500us --resolution 5%
    iodyno search --on p3700 --profile database --p99 2ms
    """  # fmt: skip
    from iodyno.cli.asked import overrides_of, permissions_of
    from iodyno.cli.papers import refuse_papers_of_plans

    limits, own = limits_of(rest), own_profiles(rest.pop("study"))
    given = overrides | permissions | {name: rest[name] for name in ("keep", "no_serials")}
    rest["papers"], wrong = papers_of_a_run(rest.pop("reports"), rest.pop("languages"))
    wrong = (*_problems(paths, systems, given, limits, own), *own.wrong(overrides["profiles"]), *wrong)
    _refuse_at_once(paths, systems, overrides["profiles"], limits, wrong)
    refuse_papers_of_plans(rest["papers"], plan_only=rest["plan_only"])
    goal = {"resolution": resolution, **goal_of(limits)}
    known = {**overrides, "profiles": _known(overrides["profiles"], own)}
    study = searching(known, goal, maximum_at, own)
    refused = dict.fromkeys(_OF_REAL_TARGETS if systems else IOS_VALUES)
    overrides |= {"profiles": (), "rates": None, "arrival": None}
    overrides |= {name: None for name in refused if name in overrides}
    permissions |= {name: False for name in refused if name == "buffered"}
    choices = overrides_of(overrides, permissions)
    with told_with(wrong), told_as_options(choices, sweep=_SWEEP):
        planned = _planned(study, choices, paths, systems, permissions_of(permissions), rest)
    return planned()


def searching(
    overrides: dict[str, Any], goal: dict[str, float], maximum_at: tuple[int, ...], own: Own
) -> Study:
    """Make a study of a search."""
    from iodyno.study.load import study_of_document

    sweep = {
        "name": _SWEEP, "title": "Highest rate", "profiles": list(overrides["profiles"]), "search": goal,
        "workers": [1], "maximum_at": list(maximum_at), "arrival": overrides["arrival"] or "poisson",
    }  # fmt: skip
    percentile, limit = f"p{goal['percentile'] * 100:g}", f"{goal['limit'] * 1e3:g} ms"
    title = f"Highest rate with {percentile} of the response time at most {limit}"
    profiles = [one for one in own.document if one["name"] in overrides["profiles"]]
    return study_of_document(
        {"name": "search", "title": title, "profile": profiles, "sweep": [sweep]}, "search"
    )


def _planned(
    study: Study,
    choices: Overrides,
    paths: tuple[str, ...],
    systems: tuple[str, ...],
    allowed: Permissions,
    rest: dict[str, Any],
) -> Callable[[], int]:
    """Plan a search on what it is to be done on, and give what carries it out."""
    if systems:
        return _on_systems(study, choices, systems, rest)
    return _on_targets(study, choices, paths, allowed, rest)


def _on_targets(
    study: Study, choices: Overrides, paths: tuple[str, ...], allowed: Permissions, rest: dict[str, Any]
) -> Callable[[], int]:
    from iodyno.cli import measure
    from iodyno.cli.asked import targets_of
    from iodyno.study import plan_study

    request = measure.Request(
        paths=paths, study=study.name, choices=choices, allowed=allowed, approximate=False, **rest
    )
    targets = targets_of(study, choices, paths, allowed, quiet=rest["quiet"])
    plan = plan_study(study, targets, choices)
    return lambda: measure.measure_plan(request, plan, targets)


def _on_systems(
    study: Study, choices: Overrides, systems: tuple[str, ...], rest: dict[str, Any]
) -> Callable[[], int]:
    from iodyno.cli import simulate
    from iodyno.cli.plan_text import print_plan

    kept = {name: value for name, value in rest.items() if name not in ("keep", "no_serials")}
    request = simulate.Request(
        study=study.name, systems=systems, only=(), choices=choices, approximate=False, jobs=None,
        analytic=False, compare=False, **kept,
    )  # fmt: skip
    plan = simulate.plan_on_systems(request, study, choices)

    def carry_out() -> int:
        if request.plan_only:
            print_plan(plan, supposed=False, as_json=request.as_json)
            return 0
        return simulate.simulate(request, plan)

    return carry_out


def _refuse_at_once(
    paths: tuple[str, ...],
    systems: tuple[str, ...],
    profiles: tuple[str, ...],
    limits: Limits,
    wrong: Sequence[Problem],
) -> None:
    """Refuse what cannot be planned, even without what is wrong: the rest is told with what the plan says."""
    from iodyno.cli.ending import WrongRequestError

    if not one_limit(limits) or not profiles or bool(paths) == bool(systems):
        raise WrongRequestError(*wrong)


def _known(profiles: tuple[str, ...], own: Own) -> tuple[str, ...]:
    """Give the profiles that there are, or one that only reads, to see what else is wrong."""
    from iodyno.profiles import STANDARD_LOADS

    known = {*STANDARD_LOADS, *own.names}
    return tuple(name for name in dict.fromkeys(profiles) if name in known) or ("random-read-4k",)


def _problems(
    paths: tuple[str, ...],
    systems: tuple[str, ...],
    choices: dict[str, Any],
    limits: Limits,
    own: Own,
) -> Iterator[Problem]:
    from iodyno.errors import Problem

    yield from limit_problems("a search", limits)
    if not choices["profiles"]:
        yield Problem("", "a search needs a load profile", f"give --profile; {own.hint}")
    if not paths and not systems:
        hint = "name a folder, file or device, or a system with --on"
        yield Problem("", "a search needs targets, either real or virtual ones", hint)
    if paths and systems:
        what = f"names virtual targets, and {paths[0]} is a real one"
        yield Problem("--on", what, "leave one of them out")
    if choices["rates"] is not None:
        yield Problem("--rate", "is what a search looks for", "leave it out")
    names = _OF_REAL_TARGETS if systems else IOS_VALUES
    given = [name for name in names if _given(choices[name])]
    if given and (systems or paths):
        words = ", ".join(f"--{name.removesuffix('_s').replace('_', '-')}" for name in given)
        it = "it" if len(given) == 1 else "them"
        if systems:
            yield Problem(words, "of real targets only, and --on names virtual ones", f"leave {it} out")
        else:
            hint = f"leave {it} out: --warmup, --floor and --cap are for real ones"
            yield Problem(words, "of virtual targets only, which --on names", hint)


def _given(value: object) -> bool:
    """Tell whether an option was given: 0 seconds are."""
    return value is not None and value is not False and value != ()
