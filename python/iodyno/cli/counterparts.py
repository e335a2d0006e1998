"""What two runs have no counterpart for, in words: point by point, and why there may be none at all."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from iodyno.analysis.matching import Lacking
    from iodyno.plan import Point
    from iodyno.store.records import StoredRun

MOST_LINES = 12
"""Names under which points without a counterpart are listed."""
MOST_NAMES = 4
ALONE = "simulate one of them alone, with --only or --on: two runs on one system each are compared"


def lacking_lines(points: Sequence[Point], compared: Iterable[Point]) -> Iterator[str]:
    """Say which points the other run lacks: whole systems and profiles by name, else by their loads."""
    from iodyno.analysis.matching import lacking
    from iodyno.cli.wording import points_text

    found = lacking(points, compared)
    for one in found[:MOST_LINES]:
        yield f"  {_text(one)}: {points_text(len(one.points))}"
    rest = sum(len(one.points) for one in found[MOST_LINES:])
    if rest:
        yield f"  others: {points_text(rest)}; --json has them all"


def _text(one: Lacking) -> str:
    from iodyno.cli.wording import shown_text

    parts = [one.system] if one.system else []
    if one.profile:
        parts.append(shown_text(one.profile))
        parts += [f"{one.workers} workers"] if one.workers and one.workers > 1 else []
        parts += [f"{one.targets} targets"] if one.targets and one.targets > 1 else []
        parts += [f"{one.at_most} outstanding at most"] if one.at_most else []
    text = ", ".join(parts)
    loads = "" if one.whole else f" at {_loads(one.points)}"
    return f"{text}{loads}{_beside(one.points[0]) if one.profile else ''}"


def _loads(points: Iterable[Point]) -> str:
    """Write the loads of points: ``1, 2 and 4 outstanding I/Os``, ``1,000/s``."""
    from iodyno.cli.wording import load_text

    sorted_points = sorted(points, key=lambda point: (point.rate_io_s or 0.0, point.outstanding))
    closed, opened = (
        list(dict.fromkeys(load_text(point) for point in sorted_points if (point.rate_io_s is None) is kind))
        for kind in (True, False)
    )
    texts = [f"{named(closed)} outstanding I/O{'' if closed == ['1'] else 's'}"] if closed else []
    return " and ".join([*texts, named(opened)] if opened else texts)


def named(names: Sequence[str]) -> str:
    """Write names, of many the first."""
    shown, more = names[:MOST_NAMES], len(names) - MOST_NAMES
    if more > 1:
        return f"{', '.join(shown)} and {more} more"
    return " and ".join(filter(None, (", ".join(names[:-1]), names[-1])))


def made_on(stored: StoredRun) -> str:
    """Say what a run is and on what: ``quick, simulated on p3700``."""
    run = stored.run
    done = "simulated" if run.simulated else "imported" if run.imported else "measured"
    places = list(run.plan.systems) or _targets(stored)
    return f"{run.plan.study}, {done} on {named(places)}"


def _targets(stored: StoredRun) -> list[str]:
    return list(dict.fromkeys(target.path for point in stored.run.plan.points for target in point.targets))


def tell_of_itself(base: StoredRun, others: Iterable[StoredRun]) -> None:
    """Say of a run that stands beside itself that it does: one of them may be mistyped."""
    from iodyno.cli.ending import say

    if any(other.run.id == base.run.id for other in others):
        say("note", f"run {base.run.id} is compared with itself")


def refuse_unlike(base: StoredRun, others: Iterable[StoredRun]) -> None:
    """Refuse a paper that would compare runs without a point in common.

    Raises
    ------
    ReportError
        With every such run.
    """
    from iodyno.analysis.matching import matched
    from iodyno.errors import Problem, ReportError

    problems = []
    for other in others:
        if not matched(base, other):
            what, hint = why_none(base, other)
            problems.append(Problem(other.run.id, f"cannot be compared with {base.run.id}: {what}", hint))
    if problems:
        raise ReportError(*problems)


def why_none(base: StoredRun, other: StoredRun) -> tuple[str, str]:
    """Say why two runs have no point in common, and what helps."""
    from iodyno.analysis.matching import named_systems, profile_names, unsaid_system
    from iodyno.cli.wording import shown_text

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
    from iodyno.cli.wording import shown_text

    most = [{point.outstanding for point in some if point.open_loop} for some in points]

    def way(point: Point) -> tuple[str, str]:
        name = f"{shown_text(point.profile)}, " if several else ""
        limit = point.open_loop and most[0] != most[1]
        most_text = f", {point.outstanding} outstanding at most" if limit else ""
        return f"{name}{_ways(point)}", f"{most_text}{_beside(point)}"

    def loads(some: Sequence[Point]) -> list[str]:
        groups: dict[tuple[str, str], list[Point]] = {}
        for point in some:
            groups.setdefault(way(point), []).append(point)
        return [f"{first} at {_loads(those)}{rest}" for (first, rest), those in groups.items()]

    return list(map(loads, points))


def _ways(point: Point) -> str:
    workers, targets = point.workers, len(point.loads[0].targets)
    return f"{_workers(workers)} on {targets} target{'' if targets == 1 else 's'}"


def _workers(count: int) -> str:
    return f"{count} worker{'' if count == 1 else 's'}"


def _beside(point: Point) -> str:
    """Name what runs at the same time: `` beside Streaming (4, 2 workers, on target 2)``."""
    from iodyno.cli.wording import load_text, paths, shown_text

    places = {path: str(number) for number, path in enumerate(paths(point), 1)}
    texts = []
    for load in point.loads[1:]:
        on = list(dict.fromkeys(places[target.path] for target in load.targets))
        details = [load_text(load), _workers(load.workers)] if load.workers > 1 else [load_text(load)]
        details.append(f"on target{'' if len(on) == 1 else 's'} {named(on)}")
        texts.append(f"{shown_text(load.profile)} ({', '.join(details)})")
    return f" beside {' and '.join(texts)}" if texts else ""
