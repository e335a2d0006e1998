"""The causes and notes of many verdicts, gathered by what they say."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from iodyno.analysis.figures import PointFigures
from iodyno.reading import Cause

SHOWN_OTHERWISE = frozenset({"imprecise", "few_samples", "simulated"})
"""Causes that a reader sees in the figure itself: its interval, a dash for a percentile, or the mark of what
was simulated."""


@dataclass(frozen=True)
class Gathered:
    """A cause or note with the points that have it."""

    code: str
    """See ``iodyno.verdict.CAUSES``."""
    points: tuple[tuple[PointFigures, Cause], ...]
    """Each point with its own figures of the cause, in the order given; of several loads once for each that
    has it."""

    @property
    def count(self) -> int:
        """Points that have it."""
        return len({at.point.index for at, _ in self.points})


def load_of(at: PointFigures, cause: Cause) -> PointFigures:
    """Give the load of a point that has a cause: the point itself unless it is of one beside the first."""
    return at.beside[cause.load - 1] if 0 < cause.load <= len(at.beside) else at


def gathered(points: Iterable[PointFigures]) -> tuple[Gathered, ...]:
    """Gather the causes, then the notes, of points; those that the figures show are left out."""
    listed = list(points)
    found: dict[str, list[tuple[PointFigures, Cause]]] = {}
    for kind in ("causes", "notes"):
        for point in listed:
            for cause in getattr(point.verdict, kind):
                if cause.code not in SHOWN_OTHERWISE:
                    found.setdefault(cause.code, []).append((point, cause))
    return tuple(Gathered(code, tuple(places)) for code, places in found.items())
