"""What several sweeps ask alike: curves that differ in nothing but their loads, and in the sweep's name."""

from __future__ import annotations

from collections.abc import Hashable, Sequence

from iodyno.analysis.curves import Curve, apart_from_sweep
from iodyno.analysis.estimate import distinguishable
from iodyno.analysis.run import CurveAnalysis


def once_each(items: Sequence[CurveAnalysis]) -> list[CurveAnalysis]:
    """Leave out curves that show no more than one of another sweep does.

    A sweep of shares has a closed loop at two loads before its rates; where another sweep goes through loads
    of the same profile on the same system, those two are among its own. A curve with a load outside those of
    the other, or a maximum that is distinguishably higher, stays.
    """
    groups: dict[Hashable, list[CurveAnalysis]] = {}
    for item in items:
        groups.setdefault(apart_from_sweep(item.curve.planned), []).append(item)
    kept: list[CurveAnalysis] = []
    for those in groups.values():
        shown: list[CurveAnalysis] = []
        # One of many points first: of two with the same loads it is the one that stays.
        for item in sorted(those, key=lambda item: -len(item.curve.points)):
            if not any(within(item, other) for other in shown):
                shown = [other for other in shown if not within(other, item)] + [item]
        kept += shown
    return [item for item in items if any(item is one for one in kept)]


def highest_of_each(items: Sequence[CurveAnalysis]) -> list[CurveAnalysis]:
    """Leave out, of curves that differ in nothing but their loads and their sweep, all but the one with the
    highest maximum: one thing has one maximum wherever it is told."""
    best: dict[Hashable, CurveAnalysis] = {}
    for item in items:
        found = best.setdefault(apart_from_sweep(item.curve.planned), item)
        if item.maximum.at.main.value > found.maximum.at.main.value:
            best[apart_from_sweep(item.curve.planned)] = item
    return list(best.values())


def within(item: CurveAnalysis, other: CurveAnalysis) -> bool:
    """Tell whether a curve shows no more than one of another sweep that asks the same."""
    (low, high), (least, most) = _loads(item.curve), _loads(other.curve)
    top, of_other = item.maximum.at.main, other.maximum.at.main
    higher = top.value > of_other.value and distinguishable(top, of_other)
    return item.curve.sweep != other.curve.sweep and least <= low and high <= most and not higher


def _loads(curve: Curve) -> tuple[float, float]:
    loads = [at.point.rate_io_s or at.outstanding for at in curve.points]
    return min(loads), max(loads)
