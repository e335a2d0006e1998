"""The fewest drives that serve a load: by halves, as a simulated point keeps its limit or breaks it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from iodyno import bench
from iodyno.plan import Plan, SearchGoal
from iodyno.rates import Step, ios_needed
from iodyno.sizing.candidates import Candidate, Choice
from iodyno.study import Overrides
from iodyno.study.configuration import SimulationOptions
from iodyno.study.load import study_of_document
from iodyno.study.simulating import plan_simulation

SWEEP = "size"
TITLE = "Fewest drives"
MARGIN = 1.1
"""I/Os of a point at the least ÷ those that its percentile needs: some are cut off as not settled."""
FILLS = "cache_fills"
"""Cause of a rate that is had for a while."""
CONFIGURATION = "choice-{at}"
"""Name of a choice in the plan of a round."""


@dataclass(frozen=True)
class Demand:
    """What is to be served."""

    profile: str
    """Name of a load profile."""
    rate_io_s: float
    """I/Os per second in all."""
    goal: SearchGoal
    """Percentile of the response time and its limit."""
    arrival: str = "poisson"
    overrides: Overrides = field(default_factory=Overrides)
    """Area, workers, outstanding I/Os at the most and seed, as a study takes them."""
    own: tuple[Mapping[str, Any], ...] = ()
    """The load profile as a study has it in its file, where it is no standard one."""


def keeps(step: Step) -> bool:
    """Tell whether a step keeps the limit, and goes on to.

    Not where a cache fills, which takes in for a while what the drives behind it do not write.
    """
    return step.keeps and not fills(step)


def fills(step: Step) -> bool:
    """Tell whether a write-back cache fills by the rate."""
    return any(cause.code == FILLS for cause in step.result.verdict.causes)


@dataclass
class Sized:
    """What was found of a choice."""

    choice: Choice
    tried: dict[int, Step] = field(default_factory=dict)
    """Simulated steps by number of drives."""

    @property
    def keeps(self) -> Candidate | None:
        """The fewest drives that keep the limit, with more of which nothing that was tried breaks it."""
        above = self._breaks_at()
        kept = (one for one in self.choice.candidates[above + 1 :] if one.count in self.tried)
        return next(kept, None)

    @property
    def breaks(self) -> Candidate | None:
        """The most drives that were tried and break it."""
        above = self._breaks_at()
        return self.choice.candidates[above] if above >= 0 else None

    @property
    def found(self) -> bool:
        """Whether nothing is left to find out."""
        return self.next_count() is None

    def next_count(self) -> int | None:
        """Give the number of drives to try next: the most there can be, then the middle of what is left."""
        counts = [one.count for one in self.choice.candidates]
        if not self.tried:
            return counts[-1]
        low = self._breaks_at()
        kept = self.keeps
        if kept is None:
            return None
        high = counts.index(kept.count)
        return counts[(low + high) // 2] if high - low > 1 else None

    def _breaks_at(self) -> int:
        """Give the place of the most drives that break the limit; -1 where none does."""
        counts = [one.count for one in self.choice.candidates]
        return max((counts.index(count) for count, step in self.tried.items() if not keeps(step)), default=-1)


def size(demand: Demand, choices: Sequence[Choice]) -> list[Sized]:
    """Find the fewest drives of each choice that keep the limit of a demand.

    More drives are taken to serve what fewer serve. Of each answer both ends are simulated: the number that
    keeps the limit, and the next smaller one that can be, which breaks it.

    Parameters
    ----------
    demand
        What is to be served.
    choices
        Systems, each with all numbers of drives that it can have.

    Raises
    ------
    IodynoError
        With everything that cannot be of the load on these systems.
    """
    every = [Sized(choice) for choice in choices]
    while left := [one for one in every if not one.found]:
        plan, counts = _round(demand, left)
        for one, count, result in zip(left, counts, bench.simulate(plan), strict=True):
            one.tried[count] = Step(result, demand.goal)
    return every


def _round(demand: Demand, left: Sequence[Sized]) -> tuple[Plan, list[int]]:
    """Plan the next step of each choice."""
    counts = [count for one in left if (count := one.next_count()) is not None]
    names = [CONFIGURATION.format(at=at) for at in range(len(left))]
    systems = {
        name: next(candidate.system for candidate in one.choice.candidates if candidate.count == count)
        for name, one, count in zip(names, left, counts, strict=True)
    }
    study = study_of_document(_document(demand, names), SWEEP)
    return plan_simulation(study, systems, demand.overrides), counts


def _document(demand: Demand, names: Sequence[str]) -> dict[str, Any]:
    """Write the study of a round; its systems are given with it."""
    sweep = {
        "name": SWEEP, "title": TITLE, "profiles": [demand.profile], "workers": [1],
        "rate_io_s": [demand.rate_io_s], "arrival": demand.arrival,
    }  # fmt: skip
    needed = round(MARGIN * ios_needed(demand.goal.percentile))
    ios = SimulationOptions()
    return {
        "name": SWEEP,
        "title": TITLE,
        "simulation": {"floor_ios": max(needed, ios.floor_ios), "cap_ios": max(needed, ios.cap_ios)},
        "profile": [dict(one) for one in demand.own],
        "configuration": [{"name": name, "system": name} for name in names],
        "sweep": [sweep],
    }
