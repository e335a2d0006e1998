"""Rates that follow from readings: which points decide which."""

from __future__ import annotations

from collections.abc import Hashable

from iodyno.plan import RateShare, SearchGoal, SearchStep
from iodyno.study.expand import Draft


class Following:
    """Gives each point the rule of its rate, in the order of the plan."""

    def __init__(self) -> None:
        self._greatest: dict[Hashable, list[int]] = {}
        self._steps: dict[Hashable, list[int]] = {}

    def rule(self, index: int, draft: Draft, on: Hashable) -> RateShare | SearchStep | None:
        """Give the rule of a point, or keep it as one that finds the greatest rate.

        Parameters
        ----------
        index
            Index of the point in the plan.
        draft
            The point without its targets.
        on
            Its targets: only points on the same ones decide each other's rates.
        """
        relative = draft.relative
        if relative is None:
            return None
        key: Hashable = (relative.family, on)
        greatest = tuple(self._greatest.get(key, ()))
        if relative.share is not None:
            return RateShare(of=greatest, share=relative.share)
        if relative.step is not None:
            steps = self._steps.setdefault((key, draft.outstanding), [])
            rule = SearchStep(goal=_goal(draft), of=greatest, after=tuple(steps))
            steps.append(index)
            return rule
        self._greatest.setdefault(key, []).append(index)
        return None


def _goal(draft: Draft) -> SearchGoal:
    search = draft.sweep.search
    assert search is not None, "a step of no search"
    return SearchGoal(percentile=search.percentile, limit_s=search.limit, resolution=search.resolution)
