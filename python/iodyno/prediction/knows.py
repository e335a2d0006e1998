"""What of a load the formulas do not know, though the simulator does."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from iodyno.errors import Problem, ProfileError
from iodyno.plan import Point, SearchStep

_HINT = "leave --analytic out: the simulator follows it"


def refuse_unknown(points: Iterable[Point]) -> None:
    """Refuse points whose load has no formula, before anything is calculated.

    Raises
    ------
    ProfileError
        With each problem once.
    """
    problems = dict.fromkeys(problem for point in points for problem in unknown(point))
    if problems:
        raise ProfileError(*problems)


def unknown(point: Point) -> Iterator[Problem]:
    """Yield what of a point's load has no formula."""
    profile = point.profile
    if point.beside:
        yield Problem(profile.name, "the formulas know one load at a time only", _HINT)
    if isinstance(point.rate_from, SearchStep):
        what = "the formulas know means only, and a search looks at a percentile"
        yield Problem(f"sweep {point.sweep}.search", what, _HINT)
    if profile.random_of(write=True) != profile.random_share:
        what = "the formulas know one share of random accesses for reads and writes"
        yield Problem(profile.name, what, _HINT)
    if profile.random_every > 1:
        what = "the formulas know random accesses at any time only, not every so many (random_every)"
        yield Problem(profile.name, what, _HINT)
    if profile.gap_bytes:
        what = "the formulas know sequential accesses without gaps (gap_bytes) only"
        yield Problem(profile.name, what, _HINT)
    if profile.cursors == "own":
        yield Problem(profile.name, 'the formulas know one cursor only, not cursors = "own"', _HINT)
    for found in (found for found in profile.distributions if not found.even):
        what = f"the formulas know even random accesses only, not {found}"
        yield Problem(profile.name, what, _HINT)
    if profile.trim_share:
        yield Problem(profile.name, "the formulas do not know trims", _HINT)
    if profile.syncs or point.write_through:
        what = "the formulas do not know what it costs to make writes durable"
        yield Problem(profile.name, what, _HINT)
    if profile.think_time_us and min(point.outstanding, profile.think_every) > 1:
        what = "the formulas know think time of workers with one access at a time only"
        yield Problem(profile.name, what, _HINT)
    if point.workers_area == "stream" and point.workers > 1:
        yield Problem(profile.name, 'the formulas do not know workers_area = "stream"', _HINT)
