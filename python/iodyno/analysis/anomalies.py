"""What a curve should not do: dips, and a fall at high load."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from iodyno.analysis.estimate import APPRECIABLE, Quotient, distinguishable, quotient
from iodyno.analysis.figures import PointFigures
from iodyno.analysis.maxima import maximum


@dataclass(frozen=True)
class Anomaly:
    """A place where the curve goes the wrong way, beyond its intervals."""

    kind: Literal["dip", "fall"]
    """``dip``: lower than both neighbours; ``fall``: the highest load is lower than the maximum."""
    at: PointFigures
    against: PointFigures
    """What it is lower than: the lower of the neighbours, or the maximum."""
    quotient: Quotient
    """Its main figure ÷ that of ``against``."""

    @property
    def loss(self) -> float:
        """What is missing, as a share of ``against``: 0 to 1."""
        return 1 - self.quotient.value


def anomalies(points: Sequence[PointFigures]) -> tuple[Anomaly, ...]:
    """Find the dips of a curve and whether it falls at its end.

    A dip is a point whose main figure is lower than that of both neighbours, distinguishably
    and by at least :data:`APPRECIABLE`. A fall is the same of the highest load against the
    maximum.

    Parameters
    ----------
    points
        At least one point, ascending by load.
    """
    found = [
        _lower("dip", middle, min(before, after, key=lambda item: item.main.value))
        for before, middle, after in zip(points, points[1:], points[2:], strict=False)
    ]
    found.append(_lower("fall", points[-1], maximum(points).at))
    return tuple(item for item in found if item)


def _lower(kind: Literal["dip", "fall"], at: PointFigures, against: PointFigures) -> Anomaly | None:
    ratio = quotient(at.main, against.main)
    if ratio is None or ratio.value > 1 - APPRECIABLE or not distinguishable(at.main, against.main):
        return None
    return Anomaly(kind, at, against, ratio)
