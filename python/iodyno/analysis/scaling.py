"""How a figure scales with the number of something: workers, drives."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from iodyno.analysis.estimate import Estimate, Quotient, quotient


@dataclass(frozen=True)
class Scaling:
    """A step of a scaling: so many, and what they came to."""

    count: int
    figure: Estimate
    factor: Quotient | None
    """Figure ÷ that of the least count."""
    ideal: float
    """Count ÷ least count."""

    @property
    def efficiency(self) -> float | None:
        """Factor ÷ ideal factor; 1 is ideal."""
        return self.factor.value / self.ideal if self.factor else None


def scaling(figures: Mapping[int, Estimate]) -> tuple[Scaling, ...]:
    """Compare figures at several counts with the least of them.

    Examples
    --------
    >>> steps = scaling({1: Estimate(100, 0.01), 2: Estimate(190, 0.01)})
    >>> steps[1].ideal, round(steps[1].efficiency, 2)
    (2.0, 0.95)
    """
    if not figures:
        return ()
    least = min(figures)
    return tuple(
        Scaling(count, figures[count], quotient(figures[count], figures[least]), count / least)
        for count in sorted(figures)
    )
