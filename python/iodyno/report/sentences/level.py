"""What is level at the top, in words: all are named, or counted, with the figures between which they lie."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from iodyno.analysis.estimate import Estimate
from iodyno.analysis.figures import PointFigures
from iodyno.analysis.ranking import level
from iodyno.analysis.run import CurveAnalysis
from iodyno.report.messages import Messages
from iodyno.report.names import MARKS, main_figure, main_unit, mean_latency
from iodyno.report.numbers import DIGITS_OF_A_PERCENTILE, digits_of, rounded
from iodyno.report.shared_words import taken_apart, told_apart

MOST_LISTED, MOST_LETTERS = 4, 72
"""Names that a sentence lists, and letters of them, two of them always; more are counted."""

LETTERS_AT_END = 140
"""Letters of short names that end a sentence."""

Figure = Callable[[PointFigures], Estimate]


def listable(names: Sequence[str], letters: int = MOST_LETTERS) -> bool:
    """Tell whether a sentence that lists these names can still be read."""
    return len(names) <= 2 or (len(names) <= MOST_LISTED and sum(map(len, names)) <= letters)


def level_at_top(messages: Messages, names: Sequence[str], every: int, figures: str) -> str:
    """Say that several are level at the top; what all share once, where that is much of two names or they are
    more, of too many only how many. How long names are in a language decides nothing of it.

    Parameters
    ----------
    names
        Their names, at least two.
    every
        How many there are in all.
    figures
        Between which figures they lie.
    """
    shared, short = told_apart(names)
    if not (_told_once(names) if shared else not listable(names)):
        listed = messages.listed(messages.quoted_alike(names))
        return messages.say("These are level at the top, {figures}: {names}.", names=listed, figures=figures)
    values = {
        "count": messages.numbers.integer(len(names)),
        "all": messages.numbers.integer(every),
        "figures": figures,
    }
    if shared and listable(short, LETTERS_AT_END):
        return messages.say(
            "{count} of {all} are level at the top, {figures}, each with {shared}: {names}.",
            shared=shared,
            names=messages.listed(messages.quoted_alike(short)),
            **values,
        )
    if shared:
        return messages.say(
            "{count} of {all} are level at the top, {figures}, each with {shared}.", shared=shared, **values
        )
    return messages.say("{count} of {all} are level at the top, {figures}.", **values)


def _told_once(names: Sequence[str]) -> bool:
    """Tell whether what names share is told once: of two only where it is several pieces, and each of them
    has something of its own."""
    pieces = [set(taken_apart(name)[::2]) for name in names]
    shared = set.intersection(*pieces)
    return len(names) > 2 or (len(shared) > 1 and all(own - shared for own in pieces))


def names_level(items: Sequence[CurveAnalysis], name: Callable[[CurveAnalysis], str]) -> list[str]:
    """Name the first of several curves, and what is level with it under another name.

    Parameters
    ----------
    items
        Curves that can be ranked, the highest first.
    name
        Writes what a curve is called.
    """
    first, *rest = items
    one = first.maximum.at.main
    return list(
        dict.fromkeys(map(name, (first, *(item for item in rest if level(item.maximum.at.main, one)))))
    )


def with_level(messages: Messages, names: Sequence[str]) -> str:
    """Write the first of several names, which a sentence names as the next, with what is level with it.

    Parameters
    ----------
    names
        What `names_level` gives, in quotes or not as that sentence has them.

    Examples
    --------
    >>> with_level(Messages("en"), ["a-4"]), with_level(Messages("en"), ["a-4", "b-4"])
    ('a-4', 'a-4 (level with b-4)')
    """
    name, *others = names
    if not others:
        return name
    if listable(others):
        return messages.remarked(name, messages.say("level with {others}", others=messages.listed(others)))
    counted = messages.say_n("level with {count} more", "level with {count} more", len(others))
    return messages.remarked(name, counted)


def main_range(messages: Messages, points: Sequence[PointFigures]) -> str:
    """Write the main figures of points by the least and the most; one where all are written alike.

    Each end is written as a table writes it, with the digits that its own interval supports. They are the
    least and the most of what is written: so the range holds every figure of the table beside it.
    """
    ends = _ends(messages, points, lambda at: at.main, digits_of)
    if ends is None:
        return main_figure(messages, max(points, key=lambda at: at.main.value))
    return messages.say("{low} to {high} {unit}", unit=main_unit(points[0].profile), **ends)


def written_alike(messages: Messages, points: Sequence[PointFigures]) -> bool:
    """Tell whether the main figures of points are all written alike."""
    return _ends(messages, points, lambda at: at.main, digits_of) is None


def latency_range(messages: Messages, points: Sequence[PointFigures]) -> str:
    """Write the mean latencies of points as :func:`main_range` does their main figures."""
    ends = _ends(messages, points, lambda at: at.latency_ms_mean, lambda _: DIGITS_OF_A_PERCENTILE)
    if ends is None:
        least = min(points, key=lambda at: at.latency_ms_mean.value)
        return f"{mean_latency(messages, least)}{MARKS[least.verdict.state]}"
    return messages.say("{low} to {high} {unit}", unit="ms", **ends)


def _ends(
    messages: Messages,
    points: Sequence[PointFigures],
    figure: Figure,
    digits_in: Callable[[Estimate], int],
) -> dict[str, str] | None:
    """Write the least and the most, each with the mark of its verdict; none where they are written alike."""

    def shown(at: PointFigures) -> tuple[float, float]:
        of = figure(at)
        return rounded(of.value, digits_in(of)), of.value

    def written(at: PointFigures) -> str:
        return messages.numbers.significant(figure(at).value, digits_in(figure(at)))

    least, most = (pick(points, key=shown) for pick in (min, max))
    if written(least) == written(most):
        return None
    low, high = (f"{written(at)}{MARKS[at.verdict.state]}" for at in (least, most))
    return {"low": low, "high": high}
