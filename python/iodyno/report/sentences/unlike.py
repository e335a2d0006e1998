"""Why two runs have no point in common, in words."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from iodyno.analysis.compare import Comparison
from iodyno.analysis.matching import matched, named_systems, profile_names, unsaid_system
from iodyno.errors import Problem, ReportError
from iodyno.plan import Point
from iodyno.report.names import own_workers
from iodyno.report.plain import ENGLISH, beside_text, loads_text, named, shown_text
from iodyno.store.records import StoredRun

ALONE = "simulate one of them alone, with --only or --on: two runs on one system each are compared"


def refuse_unlike(base: StoredRun, others: Iterable[StoredRun]) -> None:
    """Refuse a paper that would compare runs without a point in common.

    Raises
    ------
    ReportError
        With every such run.
    """
    problems = [why_none(base, other) for other in others if not matched(base, other)]
    if problems:
        raise ReportError(*problems)


def with_reason(comparison: Comparison, base: StoredRun, other: StoredRun) -> Comparison:
    """Add to a comparison without points why there are none."""
    return comparison if comparison.points else replace(comparison, why_none=why_none(base, other))


def why_none(base: StoredRun, other: StoredRun) -> Problem:
    """Say why two runs have no point in common, and what helps, in the words of the command line."""
    what, hint = _reason(base, other)
    return Problem(other.run.id, f"cannot be compared with {base.run.id}: {what}", hint)


def _reason(base: StoredRun, other: StoredRun) -> tuple[str, str]:
    runs = (base, other)
    for stored in runs:
        if not stored.results:
            run = stored.run
            go_on = f"`iodyno {'simulate' if run.simulated else 'measure'} --resume {run.id}` goes on with it"
            return f"run {run.id} has no results yet", go_on
    if unsaid_system(base, other):
        several = max(runs, key=lambda stored: len(stored.run.plan.systems))
        names = list(several.run.plan.systems)
        what = f"run {several.run.id} is on {len(names)} systems: {named(names)}"
        return f"{what}; nothing says which of them stands beside what was measured", ALONE
    systems = [set(stored.run.plan.systems) for stored in runs]
    if named_systems(base, other) and not systems[0] & systems[1]:
        told = [list(stored.run.plan.systems) for stored in runs]
        return f"no system in common: {_each(runs, told)}", ALONE
    points = [[result.point for result in stored.results] for stored in runs]
    if named_systems(base, other):
        points = [[point for point in some if point.system in systems[0] & systems[1]] for some in points]
    known_as = profile_names(base, other)
    kinds = [{(known_as(point.profile), point.profile.shown_as) for point in some} for some in points]
    if not kinds[0] & kinds[1]:
        names_of = [list(dict.fromkeys(shown_text(point.profile) for point in some)) for some in points]
        hint = "make both with one study and the same choices, --area and --profile among them"
        return f"no load profile in common: {_each(runs, names_of)}", hint
    common = kinds[0] & kinds[1]
    points = [
        [point for point in some if (known_as(point.profile), point.profile.shown_as) in common]
        for some in points
    ]
    loads = _told_apart(points, several=len(common) > 1)
    if loads[0] == loads[1]:
        numbers = [f"{stored.run.id} has {len(some)}" for stored, some in zip(runs, points, strict=True)]
        what = f"no telling which points belong together: of {' and '.join(loads[0])} {', '.join(numbers)}"
        return what, "compare runs of the same loads, each as often"
    hint = "give both the same --outstanding, --rate and --workers, and as many targets"
    if any(point.beside for some in points for point in some):
        hint = "make both with the same loads at once: each beside the same others, on the same targets"
    return f"no load in common: {_each(runs, loads)}", hint


def _each(runs: Iterable[StoredRun], names: Iterable[Sequence[str]]) -> str:
    return "; ".join(f"{stored.run.id} has {named(some)}" for stored, some in zip(runs, names, strict=True))


def _told_apart(points: Sequence[Sequence[Point]], *, several: bool) -> list[list[str]]:
    """Write the loads of each run, of several profiles by these; of open loops how many I/Os they may have
    outstanding, where these limits are not the same in both."""
    most = [{point.outstanding for point in some if point.open_loop} for some in points]

    def way(point: Point) -> tuple[str, str]:
        name = f"{shown_text(point.profile)}, " if several else ""
        limit = point.open_loop and most[0] != most[1]
        most_text = f", {point.outstanding} outstanding at most" if limit else ""
        return f"{name}{_ways(point)}", f"{most_text}{beside_text(point)}"

    def loads(some: Sequence[Point]) -> list[str]:
        groups: dict[tuple[str, str], list[Point]] = {}
        for point in some:
            groups.setdefault(way(point), []).append(point)
        return [f"{first} at {loads_text(those)}{rest}" for (first, rest), those in groups.items()]

    return list(map(loads, points))


def _ways(point: Point) -> str:
    targets = len(point.loads[0].targets)
    return f"{own_workers(ENGLISH, point)} on {targets} target{'' if targets == 1 else 's'}"
