"""What two runs have no counterpart for, in words, point by point."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from iodyno.analysis.matching import Lacking
    from iodyno.plan import Point
    from iodyno.store.records import StoredRun

MOST_LINES = 12
"""Names under which points without a counterpart are listed."""


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
    from iodyno.report.names import workers_text
    from iodyno.report.plain import ENGLISH, beside_text, loads_text, shown_text

    parts = [one.system] if one.system else []
    if one.profile:
        parts.append(shown_text(one.profile))
        parts += [workers_text(ENGLISH, one.told_workers, one.each)] if one.told_workers else []
        parts += [f"{one.targets} targets"] if one.targets and one.targets > 1 else []
        parts += [f"{one.at_most} outstanding at most"] if one.at_most else []
    text = ", ".join(parts)
    loads = "" if one.whole else f" at {loads_text(one.points)}"
    return f"{text}{loads}{beside_text(one.points[0]) if one.profile else ''}"


def made_on(stored: StoredRun) -> str:
    """Say what a run is and on what: ``quick, simulated on p3700``."""
    from iodyno.report.plain import named

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
