"""Loads at which curves can be compared: as many outstanding I/Os of all their targets and workers."""

from __future__ import annotations

from collections.abc import Sequence

from iodyno.analysis.curves import Curve
from iodyno.analysis.figures import PointFigures


def unlike_loads(curves: Sequence[Curve]) -> bool:
    """Tell whether as many outstanding I/Os per target and worker are not as many in all: curves have other
    numbers of targets or workers. Of open loops the load is a rate, and never unlike."""
    closed = [curve.first for curve in curves if not curve.open_loop]
    return len({first.outstanding_total // first.outstanding for first in closed}) > 1


def begin_apart(curves: Sequence[Curve]) -> bool:
    """Tell whether closed loops of several loads begin at other numbers of outstanding I/Os in all."""
    closed = [curve for curve in curves if not curve.open_loop]
    several = any(len(curve.points) > 1 for curve in closed)
    return several and len({curve.lowest.point.outstanding_total for curve in closed}) > 1


def by_total(curve: Curve) -> dict[int, PointFigures]:
    """Give the points of a closed loop by their outstanding I/Os in all; none of an open loop."""
    return {} if curve.open_loop else {at.point.outstanding_total: at for at in curve.points}


def common_totals(curves: Sequence[Curve]) -> tuple[int, ...]:
    """Give the outstanding I/Os in all at which every curve has a point, ascending."""
    found = [set(by_total(curve)) for curve in curves]
    return tuple(sorted(set.intersection(*found))) if found else ()


def lowest_common(curves: Sequence[Curve]) -> tuple[PointFigures, ...]:
    """Give the point of each curve at the lowest load that all of them have; nothing where there is none.

    Loads are alike where as many I/Os are outstanding in all, or as high a rate is offered.
    """
    if len({(curve.open_loop, curve.first.rate_io_s) for curve in curves}) > 1:
        return ()
    if curves[0].open_loop:
        alike = len({curve.lowest.outstanding for curve in curves}) == 1
        return tuple(curve.lowest for curve in curves) if alike else ()
    totals = common_totals(curves)
    return tuple(by_total(curve)[totals[0]] for curve in curves) if totals else ()
