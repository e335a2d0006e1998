"""A plan as text: what all its points share, and a line for each."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from iodyno.plan import Plan, Point

MOST_NAMED = 3
"""Systems that are told by name of the points that have a stopping rule."""


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
    pairs += _lasting(plan)
    pairs += _long(plan)
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


def _lasting(plan: Plan) -> list[tuple[str, str]]:
    """Say which points last for a time, however many I/Os that is; nothing where there are none."""
    from iodyno.analysis.lengths import beats_s
    from iodyno.cli.wording import points_text

    if not plan.simulated:
        return []
    last = {point.index: beats_s(point, plan.systems) for point in plan.points}
    told = []
    for points in _products([point for point in plan.points if last[point.index]]):
        times = dict.fromkeys(f"{bound(last[point.index] for point in points):.0f}" for bound in (min, max))
        text = (
            f"{' to '.join(times)} s of virtual time at the least, however many I/Os that is: streams on "
            "arrays of hard disks"
        )
        which = f"{points_text(len(points))}, {_which(points, plan.points)}: "
        told.append(("lasting", text if len(points) == len(plan.points) else which + text))
    return told


def _long(plan: Plan) -> list[tuple[str, str]]:
    """Say which of the points that last for a time have very many I/Os by that, and of what."""
    from iodyno.cli.lasting import going_on, longer
    from iodyno.cli.wording import points_text

    found = longer(plan)
    if not found:
        return []
    points = [one.point for one in found]
    which = (
        ""
        if len(points) == len(plan.points)
        else f"{points_text(len(points))}, {_which(points, plan.points)}: "
    )
    return [("long", which + going_on(found))]


def _products(points: Sequence[Point]) -> list[list[Point]]:
    """Sort points so that those of one group have all their profiles with all their workers and systems."""
    by_profile: dict[str, list[Point]] = {}
    for point in points:
        by_profile.setdefault(point.profile.name, []).append(point)
    found: dict[Hashable, list[Point]] = {}
    for those in by_profile.values():
        on: dict[Hashable, set[Hashable]] = {}
        for point in those:
            on.setdefault((point.workers, point.workers_area), set()).add((point.sweep, point.system))
        for point in those:
            places = on[point.workers, point.workers_area]
            workers = frozenset(one for one, of in on.items() if of == places)
            found.setdefault((frozenset(places), workers), []).append(point)
    return list(found.values())


def _which(points: Sequence[Point], among: Sequence[Point]) -> str:
    """Say in what points differ from others: sweep, profile, number of targets, workers, systems."""
    from iodyno.report.names import workers_area
    from iodyno.report.plain import ENGLISH

    reads: tuple[tuple[Callable[[Point], str], str], ...] = (
        (lambda point: f"sweep {point.sweep}", ""),
        (lambda point: point.profile.name, ""),
        (lambda point: f"{len(point.targets)} target{'' if len(point.targets) == 1 else 's'}", ""),
        (lambda point: str(point.workers), "worker"),
        (lambda point: workers_area(ENGLISH, point.workers_area), ""),
    )
    parts = []
    for read, of in reads:
        own = dict.fromkeys(read(point) for point in points)
        if set(own) != {read(point) for point in among}:
            noun = f" {of}{'' if [*own] == ['1'] else 's'}" if of else ""
            parts.append(", ".join(own) + noun)
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
