"""How long a run will still take, from its plan and from what its points took so far."""

from __future__ import annotations

from collections.abc import Collection

from iodyno.plan import Plan

OVERHEAD_S = 0.15
"""Seconds to open, warm up and close around a point, until the first points tell better."""


class Pace:
    """Estimates the time left of a run.

    Parameters
    ----------
    plan
        The plan.
    done
        Indices of the points that were finished before.

    Examples
    --------
    Points that took half of what they may take: so will the others.

    >>> from iodyno.plan import Plan
    >>> pace = Pace.of([10.0, 10.0, 10.0])
    >>> pace.started(0); pace.finished(0, 5.0); round(pace.left_s(), 1)
    10.0
    """

    def __init__(self, plan: Plan, done: Collection[int] = ()) -> None:
        limits = {point.index: point.longest_s + OVERHEAD_S for point in plan.points}
        self._begin({index: limit for index, limit in limits.items() if index not in done})

    @classmethod
    def of(cls, limits_s: Collection[float]) -> Pace:
        """Make one from the longest times of the points in s."""
        made = cls.__new__(cls)
        made._begin(dict(enumerate(limits_s)))
        return made

    def _begin(self, limits: dict[int, float]) -> None:
        self._left = limits
        self._most_s = self._took_s = 0.0
        self._current: int | None = None

    @property
    def known(self) -> bool:
        """Whether a point has finished, so that the time left is more than an upper limit."""
        return self._most_s > 0

    def started(self, index: int) -> None:
        """Note that a point begins."""
        self._current = index

    def finished(self, index: int, took_s: float) -> None:
        """Note that a point took so many seconds."""
        self._most_s += self._left.pop(index, 0.0)
        self._took_s += took_s
        self._current = None

    def left_s(self, elapsed_s: float = 0.0) -> float:
        """Give the seconds left.

        Parameters
        ----------
        elapsed_s
            Seconds since the current point began.
        """
        share = self._took_s / self._most_s if self.known else 1.0
        whole = sum(self._left.values()) * share
        running = self._left.get(self._current, 0.0) * share if self._current is not None else 0.0
        return whole - min(elapsed_s, running)


def clock_text(seconds: float) -> str:
    """Write a duration as a clock does.

    Examples
    --------
    >>> clock_text(83.2), clock_text(3 * 3600 + 62)
    ('1:23', '3:01:02')
    """
    whole = max(0, round(seconds))
    minutes, second = divmod(whole, 60)
    hour, minute = divmod(minutes, 60)
    return f"{hour}:{minute:02}:{second:02}" if hour else f"{minute}:{second:02}"
