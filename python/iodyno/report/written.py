"""How the figures of a table are written: those of a column side by side with one precision."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from iodyno.analysis.estimate import Estimate
from iodyno.analysis.figures import PointFigures
from iodyno.analysis.run import CurveAnalysis
from iodyno.report.numbers import Numbers

Written: TypeAlias = Callable[[Estimate], str]


@dataclass(frozen=True)
class PointsWritten:
    """How the figures of points are written, a point a row."""

    rate: Written
    throughput: Written


@dataclass(frozen=True)
class EndsWritten:
    """How the figures of curves at their lowest load and their maximum are written, a curve a row."""

    low: Written
    top: Written


def points_written(numbers: Numbers, points: Sequence[PointFigures]) -> PointsWritten:
    """Write the figures of points alike."""
    return PointsWritten(
        numbers.alike(at.transaction_rate_io_s for at in points),
        numbers.alike(at.throughput_mb_s for at in points),
    )


def ends_written(numbers: Numbers, items: Sequence[CurveAnalysis]) -> EndsWritten:
    """Write the figures of curves alike."""
    low, top = [item.curve.lowest for item in items], [item.maximum.at for item in items]
    return EndsWritten(
        numbers.alike(at.main for at in low),
        numbers.alike(at.main for at in top),
    )
