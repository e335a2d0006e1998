"""How a figure scales with the number of something: workers, drives."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from iodyno.analysis.curves import Curve
from iodyno.analysis.estimate import Estimate, Quotient, quotient
from iodyno.profiles import LoadProfile


@dataclass(frozen=True)
class ScalingOf:
    """How the maximum of a profile scales with its workers."""

    sweep: str
    profile: LoadProfile
    steps: tuple[Scaling, ...]
    """Ascending by the number of workers, at least two."""
    each: int | None = None
    """How many targets have as many workers of their own; none: they drive all targets."""


@dataclass(frozen=True)
class Scaling:
    """A step of a scaling: so many, and what they came to."""

    count: int
    figure: Estimate
    factor: Quotient | None
    """Figure ÷ that of the least count; of that one itself exactly 1."""
    ideal: float
    """Count ÷ least count, or what is left of that."""


def scaling(figures: Mapping[int, Estimate], left: Mapping[int, float] | None = None) -> tuple[Scaling, ...]:
    """Compare figures at several counts with the least of them.

    Parameters
    ----------
    figures
        Figures by count.
    left
        Shares of the proportion that are left at a count, 0 to 1; all of it where none is given.

    Examples
    --------
    >>> steps = scaling({1: Estimate(100, 0.01), 2: Estimate(190, 0.01)})
    >>> steps[1].ideal, steps[1].factor.value
    (2.0, 1.9)
    """
    if not figures:
        return ()
    least, shares = min(figures), left or {}
    return tuple(
        Scaling(
            count,
            figures[count],
            _factor(figures, count, least),
            count / least * shares.get(count, 1.0),
        )
        for count in sorted(figures)
    )


def _factor(figures: Mapping[int, Estimate], count: int, least: int) -> Quotient | None:
    """Divide a figure by that of the least count; one and itself are not two that are independent."""
    found = quotient(figures[count], figures[least])
    return Quotient(1.0, 1.0, 1.0) if found and count == least else found


def scalings(maxima: Iterable[tuple[Curve, Estimate]]) -> tuple[ScalingOf, ...]:
    """Find where curves of one sweep and profile differ in their workers alone.

    Open loops are left out where closed ones have the profile: what they come to is what was asked, or the
    answer of a search.

    Parameters
    ----------
    maxima
        Curves of one run with the maximum of each.
    """
    groups: dict[tuple[str, LoadProfile, bool], dict[int, Estimate]] = {}
    each: dict[tuple[str, LoadProfile, bool], int | None] = {}
    for curve, figure in maxima:
        if curve.varied == ("workers",):
            key = (curve.sweep, curve.profile, curve.open_loop)
            groups.setdefault(key, {})[curve.first.workers] = figure
            each[key] = curve.first.shared_out
    return tuple(
        ScalingOf(sweep, profile, scaling(figures), each[sweep, profile, opened])
        for (sweep, profile, opened), figures in groups.items()
        if len(figures) > 1 and not (opened and (sweep, profile, False) in groups)
    )
