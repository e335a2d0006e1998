"""``iodyno size``: the fewest drives that serve a load within a limit."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import click

from iodyno.cli import named, parameters
from iodyno.cli.catalog_loss import array_text
from iodyno.cli.in_options import told_as_options
from iodyno.cli.limits import Limits, goal_of, limit_options, limit_problems, limits_of
from iodyno.cli.options import json_option
from iodyno.cli.own_profiles import Own, own_profiles, study_of_profiles
from iodyno.cli.suggesting import complete_profiles
from iodyno.cli.telling import TellingCommand

if TYPE_CHECKING:
    from iodyno.analysis.closeness import Comparison
    from iodyno.catalog.tree import SystemSpec
    from iodyno.errors import Problem
    from iodyno.rates import Step
    from iodyno.sizing import Candidate, Choice, Demand, Sized

NOT_ENOUGH = "more than "
P99 = 0.99
ONE_VALUE = ("block_sizes", "read_share", "random_share", "outstanding", "workers")
"""Choices of which a study takes lists, and sizing one value each."""
_COLUMNS = (
    ("fewest drives", "left"), ("capacity", "right"), ("response time", "right"), ("busiest station", "left"),
    ("with fewer", "right"),
)  # fmt: skip


@click.command(cls=TellingCommand, named=named.of_sizing)
@click.argument("systems", nargs=-1, type=parameters.NAME, shell_complete=parameters.complete_systems,
                metavar="SYSTEM...")  # fmt: skip
@click.option(
    "--profile", "profiles", multiple=True, metavar="NAME", shell_complete=complete_profiles,
    help="Load profile that is served.",
)  # fmt: skip
@click.option("--rate", "rate_io_s", type=parameters.RATE, metavar="IO/S", help="Rate in all: 20000.")
@limit_options
@study_of_profiles
@click.option(
    "--block-size", "block_sizes", type=parameters.ONE_BLOCK_SIZE, metavar="SIZE",
    help="Block size instead of those of the profile: 16k.",
)  # fmt: skip
@click.option(
    "--read-share", type=parameters.ONE_SHARE, metavar="SHARE",
    help="Share of accesses that read instead of the profile's own: 70%.",
)  # fmt: skip
@click.option(
    "--random-share", type=parameters.ONE_SHARE, metavar="SHARE",
    help="Share of accesses that are random instead of the profile's own.",
)  # fmt: skip
@click.option(
    "--drive", "drives", multiple=True, type=parameters.NAME, metavar="PART",
    shell_complete=parameters.complete_parts, help="Drive instead; several are compared.",
)  # fmt: skip
@click.option(
    "--level",
    "levels",
    multiple=True,
    type=parameters.LEVEL,
    help="RAID level instead; several are compared.",
)
@click.option(
    "--capacity", "capacity_bytes", type=parameters.CAPACITY, metavar="SIZE",
    help="What all volumes hold together at the least: 2TB, base 10 as those of drives.",
)  # fmt: skip
@click.option(
    "--arrival", type=click.Choice(("fixed", "poisson")), default="poisson", show_default=True,
    help="How arrivals are spaced.",
)  # fmt: skip
@click.option(
    "--area", type=parameters.AREA, metavar="AREA",
    help="Part of each volume that is accessed: 32G, 25%, or 25%@10% for 25% from 10% on; all of it unless "
    "given.",
)  # fmt: skip
@click.option(
    "--outstanding", type=parameters.OUTSTANDING, metavar="NUMBER",
    help="I/Os of each target and worker that may be under way at the most.  [default: 512]",
)  # fmt: skip
@click.option("--workers", type=parameters.WORKERS, metavar="NUMBER", help="Workers.  [default: 1]")
@click.option("--seed", type=parameters.SEED, default="1", show_default=True, help="Seed of every draw.")
@json_option
def command(
    systems: tuple[str, ...],
    profiles: tuple[str, ...],
    rate_io_s: float | None,
    drives: tuple[str, ...],
    levels: tuple[str, ...],
    capacity_bytes: int | None,
    as_json: bool,
    **rest: Any,
) -> None:
    """Find the fewest drives that serve a load within a limit.

    SYSTEM is the name of a shipped system or the path of a TOML file; how many drives it has does
    not count. Each number of drives that it can have is looked at by halves: a rate is kept where
    it is served and the percentile of the response time is not above its limit. Both ends of each
    answer are simulated, and nothing is kept.

    \b
    iodyno size raid-controllers-24 --profile database --rate 3000 --p99 50ms --level 5 --level 10
    iodyno size nvme-today my-array.toml --profile database --rate 400000 --p99 2ms --capacity 10TB
    """  # fmt: skip
    from iodyno.sizing import SWEEP, size

    limits, own = limits_of(rest), own_profiles(rest["study"])
    wrong = [*_problems(systems, profiles, rate_io_s, limits, own), *own.wrong(profiles)]
    wanted = {"capacity_bytes": capacity_bytes or 0, "area": rest["area"] or own.area_of(profiles[:1])}
    choices = choices_of(systems, drives, levels, wanted, wrong)
    demand = demand_of(profiles[0], rate_io_s or 0.0, limits, rest, own)
    with told_as_options(demand.overrides, sweep=SWEEP):
        found = size(demand, choices)
    if as_json:
        click.echo(json.dumps(sizes_json(found, demand), indent=2, ensure_ascii=False))
    else:
        print_sizes(found, demand, several=len(systems) > 1)


def _problems(
    systems: Sequence[str], profiles: Sequence[str], rate_io_s: float | None, limits: Limits, own: Own
) -> Iterator[Problem]:
    from iodyno.errors import Problem

    if not systems:
        yield Problem("", "no system is named", "`iodyno catalog list system` lists them")
    if len(profiles) != 1:
        what = f"{len(profiles)} are given" if profiles else "none is given"
        yield Problem("--profile", f"one load profile is served, and {what}", own.hint)
    if rate_io_s is None:
        yield Problem("--rate", "is missing: how many I/Os per second are to be served", "give --rate 20000")
    yield from limit_problems("sizing", limits)


def choices_of(
    systems: Sequence[str],
    drives: Sequence[str],
    levels: Sequence[str],
    wanted: Mapping[str, Any],
    wrong: Sequence[Problem],
) -> list[Choice]:
    """Give each system with each drive and level, and with how many drives it holds what is wanted.

    Raises
    ------
    WrongRequestError
        With what was wrong before, and every problem of every choice.
    """
    from iodyno.catalog.shelf import catalogue
    from iodyno.catalog.tree import load_system
    from iodyno.cli.ending import WrongRequestError
    from iodyno.errors import CatalogError
    from iodyno.sizing import choice_of
    from iodyno.study.naming import configurations_of

    found: list[Choice] = []
    problems = dict.fromkeys(wrong)
    for item in configurations_of(tuple(dict.fromkeys(systems))):
        name = str(item.system)
        try:
            system: SystemSpec = load_system(name)
        except CatalogError as error:
            problems |= dict.fromkeys(error.problems)
            continue
        for changes in _changes(drives, levels):
            try:
                choice = choice_of(name, system, changes, catalogue(), **wanted)
                found.append(replace(choice, system=item.name))
            except CatalogError as error:
                problems |= dict.fromkeys(error.problems)
    if problems:
        raise WrongRequestError(*problems)
    return found


def _changes(drives: Sequence[str], levels: Sequence[str]) -> Iterator[dict[str, str]]:
    """Yield each drive with each level; where none is given, that of the system."""
    for drive in dict.fromkeys(drives) or ("",):
        for level in dict.fromkeys(levels) or ("",):
            both = {"drive": drive, "level": level}
            yield {key: value for key, value in both.items() if value}


def demand_of(profile: str, rate_io_s: float, limits: Limits, rest: dict[str, Any], own: Own) -> Demand:
    """Give what is to be served, as the command line says."""
    from iodyno.plan import SearchGoal
    from iodyno.sizing import Demand
    from iodyno.study import Overrides

    goal = goal_of(limits)
    chosen = {name: rest[name] for name in ("area", "seed")}
    chosen |= {name: rest[name] for name in ONE_VALUE if rest[name] is not None}
    return Demand(
        profile=profile,
        own=tuple(one for one in own.document if one["name"] == profile),
        rate_io_s=rate_io_s,
        goal=SearchGoal(percentile=goal["percentile"], limit_s=goal["limit"], resolution=0.5),
        arrival=rest["arrival"],
        overrides=Overrides(**chosen),
    )


def print_sizes(found: Sequence[Sized], demand: Demand, *, several: bool) -> None:
    """Print the fewest drives of each choice, and what hangs on chance."""
    from iodyno.cli.console import console, table
    from iodyno.cli.maxima import SIMULATED, parts_closeness_text
    from iodyno.cli.searching import goal_text
    from iodyno.report.plain import ENGLISH

    out = console()
    asked = ENGLISH.numbers.asked(demand.rate_io_s)
    served = f"{_load_of(found[0])}, {asked} IO/s, {goal_text(demand.goal)}"
    out.print(f"Fewest drives for {served}", style="bold")
    out.print(table(_COLUMNS, [_row(one, several=several) for one in found]))
    if notes := [note for one in found for note in _notes(one, several=several)]:
        out.print()
    for note in dict.fromkeys(notes):
        out.print(note)
    out.print(f"\n{SIMULATED}", style="dim")
    out.print(f"how close: {parts_closeness_text(_compared(found))}", style="dim")


def _load_of(one: Sized) -> str:
    """Name the load, with what is changed of its profile."""
    from iodyno.report.plain import shown_text

    return shown_text(next(iter(one.tried.values())).result.point.profile)


def _compared(found: Sequence[Sized]) -> dict[str, tuple[Comparison, ...]]:
    """Give the published figures of the parts that the answers have."""
    from iodyno.analysis.closeness import compared_on
    from iodyno.catalog.shelf import catalogue

    parts = catalogue()
    own = {parts.get(name).title for name in parts.own}
    return compared_on((_shown(one).system for one in found), own)


def _row(one: Sized, *, several: bool) -> tuple[str, ...]:
    from iodyno.report.names import capacity, station_name
    from iodyno.report.plain import ENGLISH

    shown = _shown(one)
    simulation = one.tried[shown.count].result.reading.simulation
    busiest = simulation.busiest if simulation else None
    station = station_name(ENGLISH, busiest.name) if busiest else ""
    at = station.removeprefix(f"{shown.array.part.title}: ")
    at = f"{at}, {busiest.utilisation_max:.1%}" if busiest else ""
    name = _drives(one, shown, several=several, before="" if one.keeps else NOT_ENOUGH)
    return name, capacity(ENGLISH, shown.capacity_bytes), _response(one.tried[shown.count]), at, _fewer(one)


def _shown(one: Sized) -> Candidate:
    """Give the fewest drives that keep the limit, else the most that there can be."""
    return one.keeps or one.choice.candidates[-1]


def _drives(one: Sized, of: Candidate, *, several: bool, before: str = "") -> str:
    """Describe the arrays with so many drives, with the system where there are several."""
    alone = of.array.level == "JBOD"
    text = f"{before}{of.array.equal} × {of.array.part.title}" if alone else array_text(of.array, before)
    text = f"{text}, {of.failed} failed" if of.failed else text
    return f"{one.choice.system}: {text}" if several else text


def _response(step: Step) -> str:
    """Write the percentile with its interval, or why the rate was not had."""
    from iodyno.cli.searching import beside_limit, why_not_had
    from iodyno.sizing import fills

    if why := why_not_had(step) or ("cache fills" if fills(step) else ""):
        return why
    value, half_width = beside_limit(step.value_ns / 1e6, step.goal.limit_s * 1e3), _half_width(step)
    return value if half_width is None else f"{value} ±{half_width:.1%}"


def _half_width(step: Step) -> float | None:
    """Give the half-width of the interval of the percentile, as a share of it: known of the 99th alone."""
    open_loop = step.result.reading.open_loop
    return open_loop.response_p99_half_width if open_loop and step.goal.percentile == P99 else None


def _fewer(one: Sized) -> str:
    """Say why fewer drives do not do."""
    from iodyno.report.names import capacity
    from iodyno.report.plain import ENGLISH

    if one.keeps is None:
        return ""
    if one.breaks is not None:
        return f"{one.breaks.count}: {_response(one.tried[one.breaks.count])}"
    small = one.choice.small
    return f"{small.count}: {capacity(ENGLISH, small.capacity_bytes)}" if small else "cannot be"


def _notes(one: Sized, *, several: bool) -> Iterator[str]:
    """Say why there cannot be more drives where all are too few, and what hangs on chance."""
    from iodyno.cli.searching import doubts
    from iodyno.sizing import fills

    if one.keeps is None:
        of = _drives(one, one.choice.candidates[-1], several=several)
        yield from (f"{of}, and no more: {problem.what}" for problem in one.choice.beyond)
    for end in (one.keeps, one.breaks):
        if end is None or fills(step := one.tried[end.count]):
            continue
        of = _drives(one, end, several=several)
        yield from (f"{of}: this rests {doubt}" for doubt in doubts(step))
        if not step.overloaded and near(step.value_ns, step.goal.limit_s * 1e9, _half_width(step)):
            yield f"{of}: too near to the limit to tell, another seed may decide otherwise"


def near(value: float, limit: float, half_width: float | None) -> bool:
    """Tell whether a limit lies in the interval of a value, whose half-width is a share of it.

    Examples
    --------
    >>> [near(value, 50.0, 0.02) for value in (49.2, 50.9, 48.9, 51.1)]
    [True, True, False, False]
    >>> near(0.2, 50.0, 1.2), near(50.0, 50.0, None)
    (False, False)
    """
    return half_width is not None and abs(limit - value) <= half_width * value


def sizes_json(found: Sequence[Sized], demand: Demand) -> list[dict[str, Any]]:
    """Give the same as a list: times in ms, capacities in bytes, shares 0 to 1."""
    return [
        {
            "system": one.choice.system,
            **one.choice.changes,
            "profile": demand.profile,
            "load": _load_of(one),
            "rate_io_s": demand.rate_io_s,
            "percentile": demand.goal.percentile,
            "limit_ms": demand.goal.limit_s * 1e3,
            "fewest": one.keeps and _end_json(one, one.keeps),
            "breaks": one.breaks and _end_json(one, one.breaks),
            "too_small": one.choice.small and _held_json(one.choice.small),
            "no_more": [problem.what for problem in one.choice.beyond],
            "seed": demand.overrides.seed,
        }
        for one in found
    ]


def _held_json(of: Candidate) -> dict[str, Any]:
    array = of.array
    return {
        "count": of.count,
        "level": array.level,
        "drive": array.part.name,
        "drives": array.drives,
        "groups": array.groups,
        "equal": array.equal,
        "capacity_bytes": of.capacity_bytes,
    }


def _end_json(one: Sized, of: Candidate) -> dict[str, Any]:
    from iodyno.sizing import fills

    step = one.tried[of.count]
    reading, verdict = step.result.reading, step.result.verdict
    busiest = reading.simulation.busiest if reading.simulation else None
    return {
        **_held_json(of),
        "served": not (step.overloaded or fills(step)),
        "transaction_rate_io_s": reading.transaction_rate_io_s,
        "response_time_ms": step.value_ns / 1e6,
        "half_width": _half_width(step),
        "busiest": busiest and {"station": busiest.name, "utilisation": busiest.utilisation_max},
        "verdict": verdict.state,
        "causes": [cause.code for cause in verdict.causes],
        "sound": step.sound,
    }
