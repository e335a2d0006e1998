"""Rates that follow from readings: shares of what a target can serve, and the search for the highest rate.

Pure: the rule is in the plan, and the same readings give the same rates.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from iodyno.histogram import BEYOND_A_PERCENTILE, Histogram
from iodyno.plan import Plan, Point, RateShare, SearchGoal, SearchStep
from iodyno.reading import PointResult, Reading

FIRST_SHARE = 0.5
"""Where a search begins: half of what the target can serve."""
GROWTH = 1.25
"""Factor of the next rate where even the whole that was measured keeps the limit."""
LEAST_SHARE = 1 / 1024
"""Below this share of the whole the search gives up: no rate keeps the limit."""
WHOLE_FROM_IO_S = 1000
"""From here on rates are whole IO/s."""
DIGITS_OF_A_SEARCH = 5
"""Significant digits of a rate that follows from another: far below any resolution, and a number to read."""
_UNSOUND = frozenset({"drift", "response_drift", "catching_up", "queue_shrank", "cache_fills"})


@dataclass(frozen=True)
class Step:
    """A step of a search, done."""

    result: PointResult
    goal: SearchGoal

    @property
    def rate_io_s(self) -> float:
        """The rate asked for."""
        rate = self.result.point.rate_io_s
        assert rate is not None
        return rate

    @property
    def value_ns(self) -> float:
        """The percentile of the response time in ns; 0 where nothing completed."""
        return response_time(self.result.reading).percentile_ns(self.goal.percentile)

    @property
    def overloaded(self) -> bool:
        """Whether the target did not keep up with the rate: its response time has no end then."""
        return self.result.verdict.overloaded or not self.result.reading.completed

    @property
    def keeps(self) -> bool:
        """Whether the rate was had and the percentile kept the limit."""
        return not self.overloaded and self.value_ns <= self.goal.limit_s * 1e9

    @property
    def needed(self) -> int:
        """I/Os that a step must have for its percentile to mean something."""
        return ios_needed(self.goal.percentile)

    @property
    def told(self) -> bool:
        """Whether it had as many, or was overloaded: a few I/Os say nothing of a high percentile."""
        return self.overloaded or self.result.reading.completed >= self.needed

    @property
    def sound(self) -> bool:
        """Whether the step says what it says: its verdict lets it, and it has I/Os enough."""
        return self.settled and self.told

    @property
    def settled(self) -> bool:
        """Whether the verdict lets the step say so: not disturbed, and settled unless overloaded."""
        if self.result.verdict.state == "disturbed":
            return False
        return self.overloaded or all(cause.code not in _UNSOUND for cause in self.result.verdict.causes)


@dataclass(frozen=True)
class Search:
    """A search as far as it is done."""

    goal: SearchGoal
    whole_io_s: float
    """The greatest rate of a closed loop, which it began from."""
    steps: tuple[Step, ...]

    @property
    def decisive(self) -> dict[float, Step]:
        """The last step at each rate: a repeated one takes the place of the first."""
        return {step.rate_io_s: step for step in self.steps}

    @property
    def breaks_io_s(self) -> float | None:
        """Lowest rate that broke the limit; none where none did."""
        return min((rate for rate, step in self.decisive.items() if not step.keeps), default=None)

    @property
    def keeps_io_s(self) -> float | None:
        """Highest rate below it that kept the limit; none where none did."""
        most = self.breaks_io_s
        kept = (rate for rate, step in self.decisive.items() if step.keeps and (most is None or rate < most))
        return max(kept, default=None)

    @property
    def found(self) -> bool:
        """Whether both ends are as near to each other as was asked."""
        low, high = self.keeps_io_s, self.breaks_io_s
        return low is not None and high is not None and high / low - 1 <= self.goal.resolution + 1e-9

    @property
    def contradicted(self) -> bool:
        """Whether a rate above one that broke the limit kept it: chance or noise had a part."""
        most = self.breaks_io_s
        return most is not None and any(step.keeps and rate > most for rate, step in self.decisive.items())

    @property
    def doubtful(self) -> tuple[Step, ...]:
        """Steps at either end that are not sound, even when repeated."""
        ends = (self.keeps_io_s, self.breaks_io_s)
        return tuple(
            self.decisive[rate] for rate in ends if rate is not None and not self.decisive[rate].sound
        )

    def next_rate_io_s(self) -> float | None:
        """Give the rate to try next; none where nothing is left to find out."""
        last = self.steps[-1] if self.steps else None
        if last and not last.settled and sum(step.rate_io_s == last.rate_io_s for step in self.steps) == 1:
            return last.rate_io_s
        low, high = self.keeps_io_s, self.breaks_io_s
        if self.found or not self.whole_io_s:
            return None
        if low is None:
            rate = self.whole_io_s * FIRST_SHARE if high is None else high / 2
            return _rounded(rate) if rate >= self.whole_io_s * LEAST_SHARE else None
        if high is None:
            return _rounded(self.whole_io_s if low < 0.99 * self.whole_io_s else low * GROWTH)
        middle = _rounded((low + high) / 2)
        return middle if low < middle < high else None


def ios_needed(percentile: float) -> int:
    """Give the I/Os that a point must have for a percentile, 0 to 1, to mean something."""
    return round(BEYOND_A_PERCENTILE / (1 - percentile))


def _rounded(rate_io_s: float) -> float:
    """Round to the digits that a rate is shown with: what is told is what was tried."""
    rounded = float(f"{rate_io_s:.{DIGITS_OF_A_SEARCH}g}")
    return float(round(rounded)) if rounded >= WHOLE_FROM_IO_S else rounded


def response_time(reading: Reading) -> Histogram:
    """Give the response times of all accesses together."""
    parts = (part.response_time for part in reading.accesses)
    return Histogram.merged(part for part in parts if part is not None)


def decided(point: Point, results: Mapping[int, PointResult]) -> Point | None:
    """Give a point with its rate.

    Parameters
    ----------
    point
        A point of a plan.
    results
        What is finished, by index: what the point follows is among it, or was not needed.

    Returns
    -------
    Point or None
        None where it is not needed: a search has found its answer, or there is nothing to follow.
    """
    rule = point.rate_from
    if rule is None:
        return point
    if isinstance(rule, RateShare):
        rate: float | None = _rounded(whole_io_s(rule.of, results) * rule.share)
    else:
        rate = search_of(rule, results).next_rate_io_s()
    return point.model_copy(update={"rate_io_s": rate}) if rate else None


def whole_io_s(of: Iterable[int], results: Mapping[int, PointResult]) -> float:
    """Give the greatest rate of some points; 0 where none is finished."""
    found = (results[index].reading.transaction_rate_io_s for index in of if index in results)
    return max(found, default=0.0)


def search_of(rule: SearchStep, results: Mapping[int, PointResult]) -> Search:
    """Give the search that a step belongs to, as far as the steps before it."""
    steps = (Step(results[index], rule.goal) for index in rule.after if index in results)
    return Search(rule.goal, whole_io_s(rule.of, results), tuple(steps))


def has_searches(plan: Plan) -> bool:
    """Tell whether any point of a plan is a step of a search."""
    return any(isinstance(point.rate_from, SearchStep) for point in plan.points)


def searches(results: Sequence[PointResult]) -> list[Search]:
    """Give the searches of a run, as far as they are done, in the order of the plan."""
    by_index = {result.point.index: result for result in results}
    last: dict[tuple[int, ...], PointResult] = {}
    for result in results:
        if isinstance(result.point.rate_from, SearchStep):
            rule = _step_of(result)
            last[(rule.after or (result.point.index,))[:1]] = result
    found = []
    for result in last.values():
        rule = _step_of(result)
        before = search_of(rule, by_index)
        found.append(Search(rule.goal, before.whole_io_s, (*before.steps, Step(result, rule.goal))))
    return found


def answers(results: Sequence[PointResult]) -> frozenset[int]:
    """Give the points that answer the searches of a run: of each the highest rate that kept the limit."""
    kept = ((search, search.keeps_io_s) for search in searches(results))
    return frozenset(search.decisive[rate].result.point.index for search, rate in kept if rate is not None)


def _step_of(result: PointResult) -> SearchStep:
    rule = result.point.rate_from
    assert isinstance(rule, SearchStep), "no step of a search"
    return rule


def sources(plan: Plan) -> frozenset[int]:
    """Give the points that others follow: their results are needed later."""
    return frozenset(index for point in plan.points for index in point.follows)


def needed(plan: Plan, results: Iterable[PointResult]) -> list[Point]:
    """Give the points that are still to be answered, as planned: of a search all that it may need."""
    by_index = {result.point.index: result for result in results}
    left: dict[int, Point] = {}
    for point in plan.points:
        if point.index not in by_index and (
            any(index in left for index in point.follows) or decided(point, by_index) is not None
        ):
            left[point.index] = point
    return list(left.values())


class InTurn:
    """Points of a plan that can be answered now: what they follow is finished, or was not needed.

    Parameters
    ----------
    plan
        The plan.
    earlier
        Results that are there already.
    """

    def __init__(self, plan: Plan, earlier: Iterable[PointResult] = ()) -> None:
        self._sources = sources(plan)
        self._results: dict[int, PointResult] = {}
        self._under_way: set[int] = set()
        self._waiting = {point.index: point for point in plan.points}
        for result in earlier:
            self._waiting.pop(result.point.index, None)
            self.finish(result)

    def take(self) -> list[Point]:
        """Take the points that are ready, with their rates, in the order of the plan."""
        ready = []
        for index, point in list(self._waiting.items()):
            if any(one in self._waiting or one in self._under_way for one in point.follows):
                continue
            del self._waiting[index]
            point_with_rate = decided(point, self._results)
            if point_with_rate is not None:
                self._under_way.add(index)
                ready.append(point_with_rate)
        return ready

    def finish(self, result: PointResult) -> None:
        """Hear of a result; only what others follow is kept."""
        index = result.point.index
        if index in self._sources:
            self._results[index] = result
        self._under_way.discard(index)
