"""SNIA's rule of the steady state, over rounds.

Solid State Storage Performance Test Specification 2.0, "Steady State": within the window the values lie no
further apart than 20 % of their mean, and the line fitted to them by least squares moves by no more than 10 %
of the mean from its first round to its last.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from iodyno.conditioned import Step
from iodyno.plan import PlannedRounds, SteadyRule


@dataclass(frozen=True)
class Window:
    """The last rounds of one load, looked at.

    Parameters
    ----------
    first, last
        Numbers of the rounds, from 1.
    mean
        Mean of the values, in their unit.
    range_share
        Greatest less smallest value, as a share of the mean.
    slope
        Slope of the fitted line, in the unit a round.
    excursion_share
        How far the line moves over the window, as a share of the mean.
    """

    first: int
    last: int
    mean: float
    range_share: float
    slope: float
    excursion_share: float

    def steady(self, rule: SteadyRule) -> bool:
        """Say whether both limits are kept."""
        return self.range_share <= rule.range_share and self.excursion_share <= rule.excursion_share


def rounds_done(steps: Sequence[Step], rounds: PlannedRounds) -> tuple[Step, ...]:
    """Give the rounds of a group that were done and not undone on any of its targets, in order."""
    paths = {of.path for load in rounds.loads for of in load.targets}
    undone = [place for place, step in enumerate(steps) if step.kind == "lost" and step.target in paths]
    kept = steps[undone[-1] + 1 :] if undone else steps
    return tuple(step for step in kept if step.kind == "round" and step.before == rounds.before)


def windows(rounds: Sequence[Sequence[float]], rule: SteadyRule) -> tuple[Window, ...]:
    """Look at the last rounds of each load; empty as long as they are fewer than the window.

    Parameters
    ----------
    rounds
        For each round the value of each load.
    rule
        The rule.
    """
    if len(rounds) < rule.window:
        return ()
    first = len(rounds) - rule.window + 1
    return tuple(
        _window([float(value) for value in values], first)
        for values in zip(*rounds[first - 1 :], strict=True)
    )


def attained(rounds: Sequence[Sequence[float]], rule: SteadyRule) -> bool:
    """Say whether every load is in a steady state in the last rounds, in the same window.

    Examples
    --------
    >>> attained([[100.0], [101.0], [99.0], [100.0], [100.0]], SteadyRule())
    True
    >>> attained([[100.0], [90.0], [80.0], [70.0], [60.0]], SteadyRule())
    False
    """
    looked_at = windows(rounds, rule)
    return bool(looked_at) and all(window.steady(rule) for window in looked_at)


def attained_at(rounds: Sequence[Sequence[float]], rule: SteadyRule) -> int | None:
    """Give the number of the first round with which a steady state was attained; none: there was none."""
    numbers = range(rule.window, len(rounds) + 1)
    return next((number for number in numbers if attained(rounds[:number], rule)), None)


def _window(values: Sequence[float], first: int) -> Window:
    count = len(values)
    mean = sum(values) / count
    middle = (count - 1) / 2
    slope = sum((place - middle) * value for place, value in enumerate(values)) / sum(
        (place - middle) ** 2 for place in range(count)
    )
    whole = max(values) - min(values)
    moved = abs(slope) * (count - 1)
    none = float("inf")  # nothing completed: no share can be told, and nothing is steady
    return Window(
        first=first,
        last=first + count - 1,
        mean=mean,
        range_share=whole / mean if mean > 0 else none,
        slope=slope,
        excursion_share=moved / mean if mean > 0 else none,
    )
