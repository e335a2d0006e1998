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


@dataclass(frozen=True)
class Scaling:
    """A step of a scaling: so many, and what they came to."""

    count: int
    figure: Estimate
    factor: Quotient | None
    """Figure ÷ that of the least count."""
    ideal: float
    """Count ÷ least count."""


def scaling(figures: Mapping[int, Estimate]) -> tuple[Scaling, ...]:
    """Compare figures at several counts with the least of them.

    Examples
    --------
    >>> steps = scaling({1: Estimate(100, 0.01), 2: Estimate(190, 0.01)})
    >>> steps[1].ideal, steps[1].factor.value
    (2.0, 1.9)
    """
    if not figures:
        return ()
    least = min(figures)
    return tuple(
        Scaling(count, figures[count], quotient(figures[count], figures[least]), count / least)
        for count in sorted(figures)
    )


def scalings(maxima: Iterable[tuple[Curve, Estimate]]) -> tuple[ScalingOf, ...]:
    """Find where curves of one sweep and profile differ in their workers alone.

    Parameters
    ----------
    maxima
        Curves of one run with the maximum of each.
    """
    groups: dict[tuple[str, LoadProfile], dict[int, Estimate]] = {}
    for curve, figure in maxima:
        if curve.varied == ("workers",):
            groups.setdefault((curve.sweep, curve.profile), {})[curve.first.workers] = figure
    return tuple(
        ScalingOf(sweep, profile, scaling(figures))
        for (sweep, profile), figures in groups.items()
        if len(figures) > 1
    )
