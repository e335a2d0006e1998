"""How the curves of a sweep are shown: one by one, several in a chart, or their maxima as a matrix."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal

from iodyno.analysis.curves import AXES, axis_value
from iodyno.analysis.run import CurveAnalysis

Layout = Literal["each", "together", "matrix"]
EACH_UP_TO = 12
"""Curves of a run up to which each has charts and a table of its own."""
TOGETHER_UP_TO = 6
"""Curves that one chart holds: more lines cannot be told apart in black and white."""


@dataclass(frozen=True)
class Group:
    """Curves that are shown side by side: their main figures have one unit."""

    by: Literal["profile", "system", "unit"]
    """What they have in common: the load profile, the virtual system, or only the unit."""
    items: tuple[CurveAnalysis, ...]


def layout(run_curves: int, items: Sequence[CurveAnalysis]) -> Layout:
    """Choose how the curves of a sweep are shown where the study does not say.

    Parameters
    ----------
    run_curves
        Curves of the whole run.
    items
        Curves of one sweep, or of a part of it.
    """
    if run_curves <= EACH_UP_TO:
        return "each"
    several = max(Counter(item.curve.profile.name for item in items).values(), default=0)
    lines = all(len(item.curve.points) > 1 for item in items)
    return "together" if several <= TOGETHER_UP_TO and lines else "matrix"


def groups(items: Sequence[CurveAnalysis]) -> tuple[Group, ...]:
    """Group the curves of a sweep that belong into one chart.

    Curves of one profile stand together where there are several; where each profile has one curve only, the
    profiles of one unit do, as many as a chart holds.
    """
    names = list(dict.fromkeys(item.curve.profile.name for item in items))
    if len(names) < len(items):
        found = (
            Group("profile", tuple(item for item in items if item.curve.profile.name == name))
            for name in names
        )
        return tuple(part for group in found for part in _parted(group))
    return tuple(part for group in _by_unit(items) for part in _parted(group))


def _by_unit(items: Sequence[CurveAnalysis]) -> list[Group]:
    systems = {item.curve.first.system for item in items}
    by: Literal["system", "unit"] = "system" if len(systems) == 1 and None not in systems else "unit"
    units = dict.fromkeys(item.curve.profile.shown_as for item in items)
    return [Group(by, tuple(item for item in items if item.curve.profile.shown_as == unit)) for unit in units]


def _parted(group: Group) -> list[Group]:
    """Cut a group into parts of about as many curves, so that no chart holds too many."""
    count = len(group.items)
    parts = -(-count // TOGETHER_UP_TO)
    cuts = [count * part // parts for part in range(parts + 1)]
    return [Group(group.by, group.items[low:high]) for low, high in pairwise(cuts)]


def rows_and_columns(
    items: Sequence[CurveAnalysis],
) -> tuple[tuple[tuple[CurveAnalysis | None, ...], ...], tuple[CurveAnalysis, ...]]:
    """Arrange curves as a matrix: a row for what differs beside the profile, a column a profile.

    Returns
    -------
    tuple
        Rows with a curve or none for each column; and for each column a curve that stands for its profile.
    """
    names = list(dict.fromkeys(item.curve.profile.name for item in items))
    rows: dict[object, dict[str, CurveAnalysis]] = {}
    for item in items:
        rows.setdefault(row_key(item), {})[item.curve.profile.name] = item
    columns = tuple(next(item for item in items if item.curve.profile.name == name) for name in names)
    return tuple(tuple(row.get(name) for name in names) for row in _merged(rows.values())), columns


def _merged(rows: Iterable[dict[str, CurveAnalysis]]) -> list[dict[str, CurveAnalysis]]:
    """Put rows of one system into one where no profile is in two: each profile has workers of its own."""
    made: list[dict[str, CurveAnalysis]] = []
    for row in rows:
        system = next(iter(row.values())).curve.configuration
        other = next(
            (
                found
                for found in made
                if system
                and next(iter(found.values())).curve.configuration == system
                and not found.keys() & row
            ),
            None,
        )
        if other is None:
            made.append(dict(row))
        else:
            other |= row
    return made


def row_key(item: CurveAnalysis) -> object:
    """Give what tells a curve from others of its profile; the area follows from profile and system."""
    left_out = ("profile", "area")
    return tuple(axis_value(item.curve.first, axis) for axis in AXES if axis not in left_out)


def alike(rows: Sequence[Sequence[CurveAnalysis | None]]) -> list[list[int]]:
    """Group the rows of a matrix by their figures: alike are those of which no point tells them apart.

    Only what was simulated is: points that ask the same of virtual systems have one answer, digit by digit.

    Returns
    -------
    list of list of int
        The places of the rows of each group, both ascending.
    """
    found: dict[object, list[int]] = {}
    for place, row in enumerate(rows):
        simulated = all(at.simulation for item in row if item for at in item.curve.points)
        key = tuple(_figures(item) for item in row) if simulated else place
        found.setdefault(key, []).append(place)
    return list(found.values())


def _figures(item: CurveAnalysis | None) -> object:
    """Give all figures of a curve, and the loads that they are at."""
    if item is None:
        return None
    return tuple(
        (
            at.outstanding, at.point.workers, at.point.rate_io_s, at.completed, at.measured_s,
            at.transaction_rate_io_s, at.latency_ms_mean, at.latency_ms, at.latency_ms_max,
        )
        for at in item.curve.points
    )  # fmt: skip
