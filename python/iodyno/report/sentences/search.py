"""What searches for the highest rate that keeps a limit found: their figures and sentences."""

from __future__ import annotations

from collections.abc import Sequence

from iodyno.analysis.run import CurveAnalysis
from iodyno.rates import Search
from iodyno.report.curve_names import curve_place, loaded_name, told_loop
from iodyno.report.messages import Messages
from iodyno.report.numbers import DIGITS_OF_A_PERCENTILE
from iodyno.report.sentences.practice import of_several_systems

DIGITS = range(DIGITS_OF_A_PERCENTILE, 8)
"""Digits of a response time that stands beside its limit."""
MOST_TOLD = 4
"""Searches of which each has a sentence; of more the tables tell."""


def curve_of(items: Sequence[CurveAnalysis], found: Search) -> CurveAnalysis:
    """Give the curve that the steps of a search make."""
    index = found.steps[0].result.point.index
    return next(item for item in items if any(point.point.index == index for point in item.curve.points))


def rate_text(messages: Messages, found: Search, rate_io_s: float) -> str:
    """Write the rate of an end: in brackets where it rests on a measurement that decides little."""
    rate, step = messages.numbers.asked(rate_io_s), found.decisive[rate_io_s]
    return rate if step.sound and not found.contradicted else f"({rate})"


def brackets_note(messages: Messages, searches: Sequence[Search]) -> list[str]:
    """Say what a rate in brackets is, where there is one."""
    if not any(search.doubtful or search.contradicted for search in searches):
        return []
    return [
        messages.say(
            "A rate in brackets rests on a measurement that was not steady, on too few I/Os for its "
            "percentile, or on steps that contradict each other."
        )
    ]


def goal(messages: Messages, found: Search) -> dict[str, str]:
    """Write what was asked: a percentile and its limit."""
    return {
        "percentile": messages.numbers.percentile(found.goal.percentile),
        "limit": f"{messages.numbers.shortest(found.goal.limit_s * 1e3)} ms",
    }


def time_beside(messages: Messages, value_ms: float, limit_ms: float) -> str:
    """Write a response time beside the limit that it keeps or breaks: with digits enough to see which.

    Examples
    --------
    >>> [time_beside(Messages("en"), value, 1.9) for value in (1.8992, 1.9031, 1.9)]
    ['1.899 ms', '1.903 ms', '1.90 ms']
    """
    apart = (digits for digits in DIGITS if f"{value_ms:.{digits}g}" != f"{limit_ms:.{digits}g}")
    return f"{messages.numbers.significant(value_ms, next(apart, DIGITS[0]))} ms"


def headline(messages: Messages, items: Sequence[CurveAnalysis], found: Search) -> tuple[str, str, str]:
    """Give name, figure and remark of a search that has an answer."""
    assert found.keeps_io_s is not None
    asked = goal(messages, found)
    if found.breaks_io_s is None:
        remark = messages.say(
            "highest rate that was tried, with {percentile} of the response times at most {limit}", **asked
        )
    else:
        remark = messages.say(
            "highest rate with {percentile} of the response times at most {limit}; {broken} IO/s breaks it",
            broken=rate_text(messages, found, found.breaks_io_s),
            **asked,
        )
    loop = told_loop(messages, curve_of(items, found).curve)
    name = messages.enumerated([_name(messages, items, found), loop])
    return name, f"{rate_text(messages, found, found.keeps_io_s)} IO/s", remark


def sentences(messages: Messages, items: Sequence[CurveAnalysis], searches: Sequence[Search]) -> list[str]:
    """Say the answer of each search; of many how many have one."""
    if len(searches) <= MOST_TOLD:
        return [_answer(messages, items, found) for found in searches]
    count = sum(found.keeps_io_s is not None for found in searches)
    every = messages.numbers.integer(len(searches))
    if not count:
        return [
            messages.say(
                "None of {all} searches found a rate that keeps its limit of the response time.", all=every
            )
        ]
    if count == len(searches):
        return [
            messages.say(
                "All {all} searches for the highest rate that keeps a limit of the response time found one.",
                all=every,
            )
        ]
    return [
        messages.say_n(
            "Of {all} searches for the highest rate that keeps a limit of the response time, {count} found "
            "one.",
            "Of {all} searches for the highest rate that keeps a limit of the response time, {count} found "
            "one.",
            count,
            all=every,
        )
    ]


def _answer(messages: Messages, items: Sequence[CurveAnalysis], found: Search) -> str:
    asked = {**goal(messages, found), "profile": _name(messages, items, found)}
    kept, broken = found.keeps_io_s, found.breaks_io_s
    if kept is None:
        return messages.say(
            "No rate of {profile} that was tried has {percentile} of the response times at most {limit}.",
            **asked,
        )
    asked["rate"] = rate_text(messages, found, kept)
    if broken is None:
        return messages.say(
            "{profile} has {percentile} of the response times at most {limit} up to {rate} IO/s, the highest "
            "rate that was tried.",
            **asked,
        )
    return messages.say(
        "The highest rate of {profile} with {percentile} of the response times at most {limit} is {rate} "
        "IO/s: {broken} IO/s breaks the limit.",
        **asked,
        broken=rate_text(messages, found, broken),
    )


def _name(messages: Messages, items: Sequence[CurveAnalysis], found: Search) -> str:
    curve = curve_of(items, found).curve
    place = curve_place(messages, curve, several=of_several_systems(items))
    return messages.enumerated([loaded_name(messages, curve), place])
