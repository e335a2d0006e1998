"""How loads are named in sentences: one, several of a curve, and which points of a load that has several."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from iodyno.analysis.curves import Curve
from iodyno.analysis.figures import PointFigures
from iodyno.report.messages import Messages

Told = Callable[[Messages, PointFigures], str]
"""Names a load, as :func:`load` and :func:`load_in_all` do."""
FEWEST_OF_A_RANGE = 3
"""Loads that follow each other are named as a range from so many on."""


def load(messages: Messages, at: PointFigures) -> str:
    """Name a load: ``at 8 outstanding I/Os``, or a rate."""
    if at.point.rate_io_s is not None:
        rate = messages.numbers.asked(at.point.rate_io_s)
        return messages.say("at an offered rate of {rate} IO/s", rate=rate)
    return messages.say_n("at {count} outstanding I/O", "at {count} outstanding I/Os", at.outstanding)


def load_in_all(messages: Messages, at: PointFigures) -> str:
    """Name a load where nothing beside it says that it is one of a target and worker: outstanding I/Os of all
    of them, and in brackets those of one × how many there are: ``at 512 outstanding I/Os (32 × 16)``."""
    each, total = at.outstanding, at.point.outstanding_total
    if at.point.rate_io_s is not None or total == each:
        return load(messages, at)
    return messages.say(
        "at {total} outstanding I/Os ({each} × {times})",
        total=messages.numbers.integer(total),
        each=messages.numbers.integer(each),
        times=messages.numbers.integer(total // each),
    )


def loads(messages: Messages, points: Sequence[PointFigures], curve: Curve) -> str:
    """Name several loads of a curve: ``at 4 and 16``, ``from 8 to 512 outstanding I/Os``, ``at every load``.

    Where a curve has several points at a load, as of a step of a search that was repeated, it is said which
    of them are meant.

    Parameters
    ----------
    points
        Points of the curve, ascending by load.
    """
    if 1 < len(points) == len(curve.points):
        return messages.say("at every load")
    apart = _named_apart(messages, points, curve)
    if len(apart) == 1:
        of_load = [at for at in curve.points if _load(at) == _load(points[0])]
        said, partly = load(messages, points[0]), _partly(points[0], points, curve)
        return _which(messages, said, points[0], of_load) if partly else said
    adjoining = _adjoining(points, curve) and not any(_partly(at, points, curve) for at in points)
    if len(apart) >= FEWEST_OF_A_RANGE and adjoining:
        first, last = number(messages, points[0]), number(messages, points[-1])
        if curve.open_loop:
            return messages.say("at offered rates from {first} to {last} IO/s", first=first, last=last)
        return messages.say("from {first} to {last} outstanding I/Os", first=first, last=last)
    numbers = messages.listed(apart)
    if curve.open_loop:
        return messages.say("at offered rates of {rates} IO/s", rates=numbers)
    return messages.say("at {loads} outstanding I/Os", loads=numbers)


def _load(at: PointFigures) -> tuple[int, float | None]:
    return at.outstanding, at.point.rate_io_s


def _partly(at: PointFigures, points: Sequence[PointFigures], curve: Curve) -> bool:
    """Tell whether a curve has more points at the load of one than are among some."""
    return sum(_load(one) == _load(at) for one in points) < sum(
        _load(one) == _load(at) for one in curve.points
    )


def _named_apart(messages: Messages, points: Sequence[PointFigures], curve: Curve) -> list[str]:
    """Write the number of each load once; of a load of which only some points are meant, which of them."""
    made = []
    for at in points:
        of_load = [one for one in curve.points if _load(one) == _load(at)]
        said = number(messages, at)
        made.append(_which(messages, said, at, of_load) if _partly(at, points, curve) else said)
    return list(dict.fromkeys(made))


def _which(messages: Messages, said: str, at: PointFigures, of_load: Sequence[PointFigures]) -> str:
    return messages.say(
        "{load} (point {count} of {all} there)",
        load=said,
        count=messages.numbers.integer(1 + next(i for i, one in enumerate(of_load) if one is at)),
        all=messages.numbers.integer(len(of_load)),
    )


def _adjoining(points: Sequence[PointFigures], curve: Curve) -> bool:
    places = [curve.points.index(at) for at in points]
    return places == list(range(places[0], places[-1] + 1))


def number(messages: Messages, at: PointFigures) -> str:
    """Write a load without a unit: a rate, or outstanding I/Os."""
    if at.point.rate_io_s is not None:
        return messages.numbers.asked(at.point.rate_io_s)
    return messages.numbers.integer(at.outstanding)
