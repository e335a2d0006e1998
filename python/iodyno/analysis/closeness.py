"""How close the simulator is to real parts: the record of what it was compared with, by part."""

from __future__ import annotations

import csv
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from functools import cache
from importlib import resources
from statistics import fmean
from typing import Literal, cast, get_args

from iodyno.catalog.reading import parse_toml
from iodyno.store.records import Run
from iodyno.virtual import VirtualSystem

RECORD = "compared.csv"
COLUMNS = ("id", "use", "drives", "behind", "error")
NEAR = 0.10
"""Relative error up to which a figure is called near."""

Use = Literal["fitted", "prediction", "follows", "others"]
"""Figures that parts were fitted to; that nothing was fitted to; that follow from others of the same paper;
and what others measured, or makers say and the parts do not use: nothing was fitted to that either."""


@dataclass(frozen=True)
class Comparison:
    """A published figure that was simulated."""

    id: str
    use: Use
    parts: frozenset[str]
    """Titles of the drives, controllers and switches that it is of."""
    error: float
    """Relative error; 0 inside a printed range."""


@dataclass(frozen=True)
class Closeness:
    """How far off a group of figures is."""

    count: int
    """Figures; the others are 0 where it is 0."""
    mean: float
    """Mean of the absolute relative errors."""
    most: float
    """Greatest of them."""
    near: int
    """Figures within :data:`NEAR`."""


@cache
def comparisons() -> tuple[Comparison, ...]:
    """Give all figures that the simulator was compared with: ``python -m iodyno.validation`` writes them."""
    folder = resources.files("iodyno").joinpath("catalog").joinpath("published")
    return read(folder.joinpath(RECORD).read_text("utf-8"))


def read(text: str) -> tuple[Comparison, ...]:
    """Read a record.

    Raises
    ------
    ValueError
        If a row has a use that there is not, or an error that is no number.
    """
    rows = list(csv.DictReader(text.splitlines()))
    unknown = {row["use"] for row in rows} - set(get_args(Use))
    if unknown:
        raise ValueError(f"{RECORD}: no such use: {', '.join(sorted(unknown))}")
    return tuple(
        Comparison(
            row["id"],
            cast(Use, row["use"]),
            frozenset(filter(None, (*row["drives"].split("; "), *row["behind"].split("; ")))),
            float(row["error"]),
        )
        for row in rows
    )


def compared_of(run: Run) -> dict[str, tuple[Comparison, ...]]:
    """Give the figures of each part of a simulated run, by its title: drives, controllers, switches.

    Parts that do not come with the tool have none, whatever they are called.
    """
    return compared_on(run.plan.systems.values(), _own_titles(run))


def compared_on(
    systems: Iterable[VirtualSystem], own: Collection[str] = ()
) -> dict[str, tuple[Comparison, ...]]:
    """Give the same of parts of systems; those whose titles are among ``own`` do not come with the tool."""
    every = tuple(systems)
    drives = (slot.name for system in every for slot in system.drives)
    controllers = (item.name for system in every for item in system.controllers)
    switches = (item.name for system in every for item in system.switches)
    return {
        name: tuple(one for one in comparisons() if name in one.parts and name not in own)
        for name in dict.fromkeys((*drives, *controllers, *switches))
    }


def _own_titles(run: Run) -> set[str]:
    files = (section.value("virtual_part_file") for section in run.system.all("virtual_part"))
    return {str(parse_toml(str(file), "part").get("title")) for file in files}


def fitted_or_not(found: Iterable[Comparison]) -> tuple[Closeness, Closeness]:
    """Sum up the figures that were fitted to, and those that nothing was fitted to, whosever they are."""
    figures = tuple(found)
    return closeness(figures, "fitted"), closeness(figures, "prediction", "others")


def closeness(found: Iterable[Comparison], *uses: Use) -> Closeness:
    """Sum up how far off the figures of some uses are."""
    errors = [abs(one.error) for one in found if one.use in uses]
    near = sum(error <= NEAR for error in errors)
    return Closeness(len(errors), fmean(errors) if errors else 0.0, max(errors, default=0.0), near)
