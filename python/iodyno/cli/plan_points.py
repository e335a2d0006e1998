"""The points of a plan in tables: what is said once, what heads a table, and its columns."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from iodyno.plan import BesideLoad, Plan, Point

MOST_VOLUMES = 3
"""Volumes of a point that are named one by one."""


def _rate_text(point: Point) -> str:
    from iodyno.plan import SearchStep

    rule = point.rate_from
    if isinstance(rule, SearchStep):
        return f"step {len(rule.after) + 1} {point.arrival}"
    if rule is not None:
        return f"{rule.share * 100:g}% {point.arrival}"
    return f"{point.rate_io_s:,.10g} {point.arrival}" if point.rate_io_s else "–"


def _beside_text(load: BesideLoad) -> str:
    """Write a load that runs at the same time: ``restore 4``, or ``restore 1,000/s (after 5 s)``."""
    from iodyno.cli.wording import begun_text

    asked = f"{load.rate_io_s:,.10g}/s" if load.rate_io_s else f"{load.outstanding}"
    workers = f" × {load.workers}" if load.workers > 1 and not load.rate_io_s else ""
    return f"{load.profile.name} {asked}{workers}{begun_text(load)}"


def _area_text(point: Point) -> str:
    """Write the areas of the first load: ``32G``, ``24 × 93.13 GiB from 37.25 GiB``."""
    from iodyno.units import short_size

    areas = [
        short_size(target.area_length_bytes)
        + (f" from {short_size(target.area_start_bytes)}" if target.area_start_bytes else "")
        for target in point.loads[0].targets
    ]
    counted = {area: areas.count(area) for area in areas}
    return ", ".join(f"{count} × {area}" if count > 1 else area for area, count in counted.items())


def _targets_text(point: Point) -> str:
    """Name the targets; of many volumes the first and the last."""
    paths = list(dict.fromkeys(target.path for target in point.targets))
    if point.simulated and len(paths) > MOST_VOLUMES:
        return f"{len(paths)} volumes: {paths[0]} to {paths[-1]}"
    return ", ".join(paths)


def headed(plan: Plan) -> list[tuple[str, list[Point]]]:
    """Part the points where a heading changes: sweep, configuration, targets and area, where they differ."""
    reads = _heads(plan)
    found: list[tuple[str, list[Point]]] = []
    for point in plan.points:
        heading = ", ".join(text for read in reads if (text := read(point)))
        if not found or found[-1][0] != heading:
            found.append((heading, []))
        found[-1][1].append(point)
    return found


def _heads(plan: Plan) -> list[Callable[[Point], str]]:
    reads: tuple[Callable[[Point], str], ...] = (
        lambda point: point.sweep,
        lambda point: point.system or "",
        _targets_text,
    )
    heads = [read for read in reads if _differ(plan, read)]
    if _differ(plan, _area_text) and not _area_is_a_column(plan):
        heads.append(_area_text)
    return heads


def _area_is_a_column(plan: Plan) -> bool:
    """Tell whether areas differ where nothing else that stands in a heading does."""
    areas: dict[tuple[object, ...], set[str]] = {}
    for point in plan.points:
        key = point.sweep, point.system, _targets_text(point)
        areas.setdefault(key, set()).add(_area_text(point))
    return any(len(found) > 1 for found in areas.values())


def common_facts(plan: Plan) -> list[tuple[str, str]]:
    """Give what is said once: the area and the engine, where all points have the same."""
    reads: tuple[tuple[str, Callable[[Point], str]], ...] = (
        ("area", _area_text),
        ("engine", lambda point: "" if point.simulated else point.engine),
    )
    said = [(name, read(plan.points[0])) for name, read in reads if not _differ(plan, read)]
    return [pair for pair in said if pair[1]]


def _differ(plan: Plan, read: Callable[[Point], object]) -> bool:
    return len({read(point) for point in plan.points}) > 1


ROOM_FOR_SEEDS = 100
"""Columns of a terminal from which on the seeds of points have room: they are numbers of up to 19 digits."""


def with_seeds(plan: Plan, width: int) -> bool:
    """Tell whether the seed of each point of a plan is shown: those of real targets, where there is room."""
    return not plan.simulated and width >= ROOM_FOR_SEEDS


Column = tuple[str, str, "Callable[[Point], str]"]
"""What a column is called, its side, and what stands in it of a point."""


def within(
    plan: Plan, columns: Sequence[Column], width: int | None
) -> tuple[list[Column], list[tuple[str, str]]]:
    """Say once what is the same in many rows, as far as that gives each point a line of its own.

    Parameters
    ----------
    plan
        The plan.
    columns
        The columns of its points.
    width
        Columns of the terminal; none where the output is no terminal, whose lines may be of any length.

    Returns
    -------
    tuple
        The columns that are left, and what is said once instead of the others.
    """
    left, once = list(columns), list[tuple[str, str]]()
    widths = {name: _width(plan, name, read) for name, _, read in columns}
    for name, said in _same_in_many(plan):
        if width is None or sum(widths[name] for name, _, _ in left) + len(left) - 1 <= width:
            break
        left = [column for column in left if column[0] != name]
        once += [(name.replace("access", "profiles"), said)] if said else []
    return left, once


def _width(plan: Plan, name: str, read: Callable[[Point], str]) -> int:
    """Give how wide a column is with its heading."""
    return max(map(len, (*name.splitlines(), *(read(point) for point in plan.points))))


def _same_in_many(plan: Plan) -> Iterator[tuple[str, str]]:
    """Yield the columns that can be said once, by what is missed least, and what is said of each."""
    from iodyno.cli.wording import profile_text

    if all(point.outstanding == point.outstanding_total for point in plan.points):
        yield "in all", ""
    if not _differ(plan, lambda point: point.workers):
        yield "workers", f"{plan.points[0].workers}"
    accesses = {(point.profile.name, profile_text(point.profile)): None for point in plan.points}
    if len(dict(accesses)) == len(accesses):
        yield "access", "\n".join(f"{name}: {access}" for name, access in accesses)


def columns_of(plan: Plan, *, seeds: bool = False) -> list[Column]:
    """Choose the columns: those that always matter, and those in which points differ."""
    from iodyno.analysis.lengths import asked, counted
    from iodyno.cli.wording import begun_text, profile_text

    def rates(point: Point) -> object:
        return point.rate_io_s, point.rate_from

    more = plan.simulated and any(counted(point, plan.systems) != asked(point) for point in plan.points)

    def not_counted(point: Point) -> str:
        return f"{counted(point, plan.systems).warmup:,}"

    def counted_text(point: Point) -> str:
        ios = counted(point, plan.systems)
        return f"{ios.floor:,}–{ios.cap:,}" if ios.floor < ios.cap else f"{ios.cap:,}"

    every: tuple[tuple[str, str, Callable[[Point], str], bool], ...] = (
        ("#", "right", lambda point: str(point.index), True),
        ("profile", "whole", lambda point: point.profile.name + begun_text(point), True),
        ("access", "left", lambda point: profile_text(point.profile), True),
        ("area", "left", _area_text, _area_is_a_column(plan)),
        (
            "beside", "left", lambda point: ", ".join(_beside_text(load) for load in point.beside),
            any(point.beside for point in plan.points),
        ),
        ("workers", "right", lambda point: str(point.workers), True),
        (
            "workers' area", "left", lambda point: point.workers_area,
            any(point.workers_area != "shared" for point in plan.points),
        ),
        ("out-\nstanding", "right", lambda point: str(point.outstanding), True),
        ("in all", "right", lambda point: str(point.outstanding_total), True),
        ("IO/s", "right", _rate_text, any(rates(point) != (None, None) for point in plan.points)),
        ("not\ncounted", "right", not_counted, more),
        ("counted", "right", counted_text, more),
        ("engine", "left", lambda point: point.engine, _differ(plan, lambda point: point.engine)),
        ("seed", "right", lambda point: str(point.seed), seeds),
    )  # fmt: skip
    return [(name, side, read) for name, side, read, shown in every if shown]
