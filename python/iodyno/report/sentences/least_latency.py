"""Which curves have the least mean latency at their lowest load, as far as it is known."""

from __future__ import annotations

from collections.abc import Sequence

from iodyno.analysis.maxima import hardly_known
from iodyno.analysis.ranking import level
from iodyno.analysis.run import CurveAnalysis


def level_in_latency(item: CurveAnalysis, items: Sequence[CurveAnalysis]) -> list[CurveAnalysis]:
    """Give the curve of the least latency at its lowest load, and those that are level with it there, of
    those whose latency competes; it alone where it has no interval."""
    least = item.curve.lowest.latency_ms_mean
    if least.half_width is None:
        return [item]
    alike = [one for one in items if one.curve.open_loop == item.curve.open_loop]
    competing = _of_competing_latency(alike)
    return [
        one
        for one in items
        if one is item
        or (any(one is other for other in competing) and level(one.curve.lowest.latency_ms_mean, least))
    ]


def of_least_latency(items: Sequence[CurveAnalysis]) -> CurveAnalysis | None:
    """Give the curve with the least mean latency at its lowest load, of closed loops where there are any, and
    of those the ones whose latency competes."""
    found = [item for item in items if item.curve.lowest.latency_ms_mean.value > 0]
    found = [item for item in found if not item.curve.open_loop] or found
    competing = _of_competing_latency(found)
    return min(competing, key=lambda item: item.curve.lowest.latency_ms_mean.value, default=None)


def smallest_random(items: Sequence[CurveAnalysis]) -> list[CurveAnalysis]:
    """Give the random profiles with the smallest block: where latency is felt most."""
    random = [item for item in items if item.curve.profile.random]
    least = min((item.curve.profile.mean_block_bytes for item in random), default=0)
    return [item for item in random if item.curve.profile.mean_block_bytes == least]


def others_are_quicker(items: Sequence[CurveAnalysis]) -> bool:
    """Tell whether the least latency of all is not the least of the random profiles with the smallest block,
    nor level with it."""
    of_all, of_random = of_least_latency(items), of_least_latency(random := smallest_random(items))
    return of_random is not None and all(one is not of_all for one in level_in_latency(of_random, random))


def _of_competing_latency(items: Sequence[CurveAnalysis]) -> list[CurveAnalysis]:
    """Give the curves whose latency at the lowest load can be the least: those that are known, and those that
    are hardly known where all of their interval lies below these; all where none is known. The rule is that
    of maxima: see :func:`~iodyno.analysis.maxima.competing`."""
    found = [(item, item.curve.lowest.latency_ms_mean) for item in items]
    found = [(item, latency) for item, latency in found if latency.value > 0]
    known = [latency for _, latency in found if not hardly_known(latency)]
    least = min(known, key=lambda latency: latency.value, default=None)
    return [
        item
        for item, latency in found
        if least is None or not hardly_known(latency) or latency.high < least.low
    ]


def maybe_quicker(item: CurveAnalysis, items: Sequence[CurveAnalysis]) -> list[CurveAnalysis]:
    """Give the curves whose latency is less than that of the quickest, and too little known to compete."""
    alike = [one for one in items if one.curve.open_loop == item.curve.open_loop]
    competing = {id(one) for one in _of_competing_latency(alike)}
    least = item.curve.lowest.latency_ms_mean.value
    return [
        one
        for one in alike
        if id(one) not in competing and 0 < one.curve.lowest.latency_ms_mean.value < least
    ]
