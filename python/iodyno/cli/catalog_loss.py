"""``iodyno catalog loss``: how probable it is that the arrays of a system lose data."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import click

from iodyno.cli.options import json_option
from iodyno.cli.parameters import (
    FAILURES,
    LEVEL,
    NAME,
    REBUILD,
    SEED,
    WAIT,
    YEARS,
    complete_systems,
)
from iodyno.cli.wording import to_digits
from iodyno.units import MIB

if TYPE_CHECKING:
    from iodyno.catalog.tree import SystemSpec
    from iodyno.errors import Problem
    from iodyno.loss import Arranged, ArrayLoss, Chance

YEAR_H = 365.25 * 24
NOT_COUNTED = "Drives fail independently and at a constant rate: wear, batches, heat and people are left out."
_COLUMNS = (
    ("array", "left"), ("a drive is rebuilt", "right"), ("data lost", "right"),
    ("by failed drives", "right"), ("by unreadable blocks", "right"),
)  # fmt: skip


@click.command(short_help="Say how probable it is that the arrays of a system lose data.")
@click.argument("system", type=NAME, shell_complete=complete_systems)
@click.option(
    "--level", "levels", multiple=True, type=LEVEL, help="RAID level instead; several are compared."
)
@click.option("--years", type=YEARS, default="5", show_default=True, help="How long the mission is.")
@click.option(
    "--replace",
    "replaced_s",
    type=WAIT,
    default="0s",
    show_default=True,
    metavar="TIME",
    help="From a failure to the beginning of the rebuild: 24h.",
)
@click.option(
    "--rebuild",
    "rebuild_mb_s",
    type=REBUILD,
    metavar="MB/S",
    help="Rate of a rebuild beside a load; what the simulator finds without one unless given.",
)
@click.option(
    "--annual-failures",
    type=FAILURES,
    metavar="SHARE",
    help="Drives that fail in a year, as in your own records: 2%. What the part says unless given.",
)
@click.option("--seed", type=SEED, default="1", show_default=True, help="Seed of every draw.")
@json_option
def loss(
    system: str,
    levels: tuple[str, ...],
    years: float,
    replaced_s: float,
    rebuild_mb_s: float | None,
    annual_failures: float | None,
    seed: int,
    as_json: bool,
) -> None:
    """Say how probable it is that the arrays of a system lose data within a mission.

    SYSTEM is the name of a shipped system or the path of a TOML file. Data is lost where more drives fail
    than the level survives, and where a rebuild needs a block that cannot be read. How long a rebuild
    takes is simulated.

    \b
    iodyno catalog loss raid-controllers --level 5 --level 6 --level 10
    iodyno catalog loss my-system.toml --rebuild 50 --replace 24h --annual-failures 2%
    """
    found = losses_of(
        system,
        levels,
        years,
        replaced_s=replaced_s,
        rebuild_mb_s=rebuild_mb_s,
        failures_a_year=annual_failures,
        seed=seed,
    )
    if as_json:
        click.echo(json.dumps(losses_json(found, years, replaced_s, seed), indent=2, ensure_ascii=False))
    else:
        print_losses(found, years, replaced_s)


def losses_of(
    name: str,
    levels: Sequence[str],
    years: float,
    *,
    replaced_s: float,
    rebuild_mb_s: float | None,
    failures_a_year: float | None,
    seed: int,
) -> list[ArrayLoss]:
    """Give how probable a loss is, for each array of a system, with each of several RAID levels.

    Raises
    ------
    CatalogError
        With every problem of the system, of it with each level, and of its drives.
    """
    from iodyno.catalog.shelf import catalogue
    from iodyno.errors import CatalogError
    from iodyno.loss import YEAR_S, arrays_of, loss_of

    catalog, found = catalogue(), []
    problems: dict[Problem, None] = {}
    for system in _with_levels(name, levels, problems):
        try:
            arrays, resolved = arrays_of(system, catalog)
        except CatalogError as error:
            problems |= dict.fromkeys(error.problems)
            continue
        for array in arrays:
            try:
                one = loss_of(
                    array,
                    resolved,
                    years * YEAR_S,
                    replaced_s=replaced_s,
                    rebuild_bytes_s=rebuild_mb_s and rebuild_mb_s * MIB,
                    failures_a_year=failures_a_year,
                    seed=seed,
                )
                found.append(one)
            except CatalogError as error:
                problems |= dict.fromkeys(error.problems)
    if problems:
        raise CatalogError(*problems)
    return found


def _with_levels(name: str, levels: Sequence[str], problems: dict[Problem, None]) -> Iterator[SystemSpec]:
    """Yield the system as it is, or with each of the levels, and note what cannot be."""
    from iodyno.catalog.changes import changed
    from iodyno.catalog.tree import load_system
    from iodyno.errors import CatalogError

    system = load_system(name)
    if not levels:
        yield system
    for level in dict.fromkeys(levels):
        try:
            yield changed(system, {"level": level}, f"{name}, --level {level}")
        except CatalogError as error:
            problems.update(dict.fromkeys(error.problems))


def print_losses(found: Sequence[ArrayLoss], years: float, replaced_s: float) -> None:
    """Print how probable a loss is, array by array, and what was counted with."""
    from iodyno.cli.console import console, table

    out = console()
    out.print(f"Loss of data within {to_digits(years, 4)} {'year' if years == 1 else 'years'}", style="bold")
    out.print(table(_COLUMNS, [_row(one) for one in found]))
    out.print()
    widest = max((_relative(one.loss.any) for one in found), default=0.0)
    out.print(f"Probabilities by Monte Carlo, data lost to within {widest:.1%} (95% intervals).")
    for line in dict.fromkeys(map(_drive, found)):
        out.print(line)
    if any(one.rebuilt_s for one in found):
        spare = (
            "A spare is there at once" if not replaced_s else f"A rebuild begins after {_time(replaced_s)}"
        )
        out.print(f"{spare}. {_rebuilds(found)}".strip())
    out.print(NOT_COUNTED, style="dim")


def losses_json(
    found: Sequence[ArrayLoss], years: float, replaced_s: float, seed: int
) -> list[dict[str, Any]]:
    """Give the same as a list: probabilities 0 to 1, times in s, rates in MB/s of 2^20 bytes."""
    return [
        {
            "volume": one.array.volume,
            "equal": one.array.equal,
            "level": one.array.level,
            "drives": one.array.drives,
            "groups": one.array.groups,
            "drive": one.array.part.name,
            "mission_years": years,
            "mtbf_h": one.mtbf_h,
            "unreadable_bits": one.unreadable_bits,
            "replaced_s": replaced_s,
            "rebuild_mb_s": one.rebuild_bytes_s and one.rebuild_bytes_s / MIB,
            "rebuild_simulated": one.simulated,
            "rebuild_s": one.rebuilt_s,
            "loss": _chance_json(one.loss.any),
            "loss_by_drives": _chance_json(one.loss.drives),
            "loss_by_blocks": _chance_json(one.loss.blocks),
            "missions": one.loss.missions,
            "seed": seed,
        }
        for one in found
    ]


def _chance_json(of: Chance) -> dict[str, float]:
    return {"probability": of.probability, "half_width": of.half_width}


def _row(one: ArrayLoss) -> tuple[str, ...]:
    rebuilt = ""
    if one.rebuilt_s is not None and one.rebuild_bytes_s is not None:
        rebuilt = f"in {_time(one.rebuilt_s)}, {to_digits(one.rebuild_bytes_s / MIB, 3)} MB/s"
    loss = one.loss
    shown = [shown_chance(of) for of in (loss.any, loss.drives, loss.blocks)]
    return array_text(one.array), rebuilt, *(shown if rebuilt else [*shown[:2], ""])


def array_text(array: Arranged, before: str = "") -> str:
    """Describe an array by its level and its drives, with what stands before their number."""
    from iodyno.catalog.levels import shown_level

    several = array.drives > 1 or before
    drives = f"{before}{array.drives} × {array.part.title}" if several else array.part.title
    groups = f" in {array.groups} groups" if array.groups > 1 else ""
    each = f", each of {array.equal}" if array.equal > 1 else ""
    return f"{shown_level(array.level)}, {drives}{groups}{each}"


def shown_chance(of: Chance) -> str:
    """Write a probability: in percent, below one percent as one in so many.

    Examples
    --------
    >>> from iodyno.loss import Chance
    >>> shown_chance(Chance(0.0899, 0.0001)), shown_chance(Chance(3.93e-05, 0.0)), shown_chance(Chance(0, 0))
    ('8.99%', '1 in 25,400', 'none drawn')
    """
    if not of.probability:
        return "none drawn"
    digits = 2 if _relative(of) > 0.01 else 3
    if of.probability >= 0.01:
        return f"{to_digits(100 * of.probability, digits)}%"
    return f"1 in {float(f'{1 / of.probability:.{digits}g}'):,.0f}"


def _relative(of: Chance) -> float:
    return of.half_width / of.probability if of.probability else 0.0


def _drive(one: ArrayLoss) -> str:
    """Say how often a drive fails and cannot be read, and where that is from."""
    facts = one.array.part.facts
    yearly = -math.expm1(-YEAR_H / one.mtbf_h)
    fails = f"{to_digits(100 * yearly, 2)}% fail in a year"
    if one.mtbf_of_part:
        fails += f" (MTBF {one.mtbf_h:,.0f} h, {facts['mtbf'].kind})"
    unreadable = facts["unreadable"]
    return f"{one.array.part.title}: {fails}, one block in {unreadable} is unreadable ({unreadable.kind})."


def _rebuilds(found: Sequence[ArrayLoss]) -> str:
    """Say whose the rates are at which drives are rebuilt."""
    if not any(one.simulated for one in found):
        return ""
    return (
        "Rebuilds have the drives for themselves, as simulated: beside a load they take longer (--rebuild)."
    )


def _time(seconds: float) -> str:
    """Write a time in the unit that it is read in."""
    for unit, factor in (("days", 86400 * 2), ("h", 7200), ("min", 120)):
        if seconds >= factor:
            return f"{to_digits(seconds / {'days': 86400, 'h': 3600, 'min': 60}[unit], 3)} {unit}"
    return f"{to_digits(seconds, 3)} s"
