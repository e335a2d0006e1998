"""What a search found, in words."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from iodyno.analysis.units import ms
from iodyno.cli.wording import profile_text
from iodyno.reading import OVERLOADED
from iodyno.report.names import ms_text
from iodyno.report.numbers import DIGITS_OF_A_PERCENTILE
from iodyno.report.plain import ENGLISH, shown_text

if TYPE_CHECKING:
    from iodyno.plan import Point, SearchGoal
    from iodyno.rates import Search, Step
    from iodyno.reading import PointResult

MOST_DIGITS = 9
"""Digits of a time in ms, at most: whole nanoseconds of one below a second."""


def search_lines(results: Sequence[PointResult]) -> list[str]:
    """Say what each search of a run found: both ends, and why they may be others."""
    from iodyno.rates import searches

    every = searches(results)
    limits = len({_first(found).outstanding for found in every}) > 1
    return [_line(found, limits=limits) for found in every]


def _first(found: Search) -> Point:
    return found.steps[0].result.point


def _line(found: Search, *, limits: bool) -> str:
    point = _first(found)
    on = f"{point.system}, " if point.system else ""
    most = f", {point.outstanding} outstanding at most" if limits else ""
    said = f"{on}{shown_text(point.profile)} ({profile_text(point.profile)}){most}: {answer(found)}"
    reasons = [reason for step in found.doubtful for reason in doubts(step)]
    reasons += (
        ["on points that contradict each other: a higher rate kept it too"] if found.contradicted else []
    )
    return f"{said}. This rests {'; '.join(reasons)}" if reasons else said


def doubts(step: Step) -> Iterator[str]:
    """Say why a point does not decide: ``on too few I/Os at 93 IO/s, 56 of the 1,000 that p99 needs``."""
    at = f"{ENGLISH.numbers.asked(step.rate_io_s)} IO/s"
    if not step.settled:
        yield f"on the point at {at}, which is {step.result.verdict.state.replace('_', ' ')}"
    if not step.told:
        of = f"{step.result.reading.completed:,} of the {step.needed:,} that {_percentile(step.goal)} needs"
        simulated = step.result.reading.simulation is not None
        more = "a larger --cap-ios" if simulated else "a longer --cap"
        yield f"on too few I/Os at {at}, {of}: {more} gives more"


def goal_text(goal: SearchGoal) -> str:
    """Write what was asked: ``p99 of the response time at most 2.00 ms``."""
    return f"{_percentile(goal)} of the response time at most {ms_text(ENGLISH, goal.limit_s * 1e3)}"


def _percentile(goal: SearchGoal) -> str:
    return "p" + ENGLISH.numbers.percentile(goal.percentile).removesuffix("%")


def answer(found: Search) -> str:
    """Say between which rates the highest lies that keeps the limit."""
    low, high = found.keeps_io_s, found.breaks_io_s
    if low is None:
        lowest = f"; the lowest was {_at(found, high)}" if high else ""
        return f"{goal_text(found.goal)}: no rate that was tried keeps it{lowest}"
    if high is None:
        return f"{goal_text(found.goal)}: kept up to {_at(found, low)}, the highest rate that was tried"
    more = "" if found.found else "; the search was not finished"
    return f"{goal_text(found.goal)}: kept up to {_at(found, low)}, broken at {_at(found, high)}{more}"


def _at(found: Search, rate_io_s: float) -> str:
    step = found.decisive[rate_io_s]
    value = why_not_had(step) or beside_limit(ms(step.value_ns), found.goal.limit_s * 1e3)
    return f"{ENGLISH.numbers.asked(rate_io_s)} IO/s ({value})"


def why_not_had(step: Step) -> str:
    """Say in the words of the verdict why a rate was not had: ``queue grew``; nothing where it was."""
    named = (
        cause.code for cause in step.result.verdict.causes if cause.code in OVERLOADED and not cause.load
    )
    return next(named, "nothing completed").replace("_", " ") if step.overloaded else ""


def beside_limit(value_ms: float, limit_ms: float) -> str:
    """Write a response time with as many digits as tell it from a limit that it is not.

    Examples
    --------
    >>> [beside_limit(value, 2.0) for value in (1.99, 2.0, 2.0013, 2.71)]
    ['1.99 ms', '2.00 ms', '2.001 ms', '2.71 ms']
    """
    numbers = ENGLISH.numbers
    digits = DIGITS_OF_A_PERCENTILE
    if value_ms > limit_ms:
        while digits < MOST_DIGITS and float(f"{value_ms:.{digits}g}") <= limit_ms:
            digits += 1
    return f"{numbers.significant(value_ms, digits)} ms"
