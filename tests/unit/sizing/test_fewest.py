"""By halves to the fewest drives."""

from __future__ import annotations

import math
from types import SimpleNamespace
from typing import Any, cast

from hypothesis import given
from hypothesis import strategies as st

from iodyno.catalog.shelf import shipped
from iodyno.catalog.tree import load_system
from iodyno.plan import SearchGoal
from iodyno.rates import Step
from iodyno.sizing import Choice, Demand, Sized, choice_of, size
from iodyno.study import Overrides


def choice(counts: list[int]) -> Choice:
    candidates: Any = tuple(SimpleNamespace(count=count) for count in counts)
    return Choice("system", {}, candidates, None, ())


def step(keeps: bool, *causes: str) -> Step:
    verdict = SimpleNamespace(causes=[SimpleNamespace(code=code) for code in causes])
    return cast(Step, SimpleNamespace(keeps=keeps, result=SimpleNamespace(verdict=verdict)))


def test_a_rate_that_a_cache_takes_in_for_a_while_is_not_served() -> None:
    sized = Sized(choice([4, 6]), {6: step(True), 4: step(True, "cache_fills")})
    assert (sized.keeps and sized.keeps.count, sized.breaks and sized.breaks.count) == (6, 4)
    told = Sized(choice([4, 6]), {6: step(True), 4: step(True, "few_rounds")})
    assert (told.keeps and told.keeps.count, told.breaks) == (4, None)


@given(st.sets(st.integers(1, 256), min_size=1), st.integers(0, 300))
def test_the_fewest_are_found_in_as_many_steps_as_halves_take(counts: set[int], least: int) -> None:
    ordered = sorted(counts)
    sized = Sized(choice(ordered))
    while (count := sized.next_count()) is not None:
        assert count not in sized.tried
        sized.tried[count] = step(count >= least)
    kept = [count for count in ordered if count >= least]
    broken = [count for count in ordered if count < least]
    assert (sized.keeps and sized.keeps.count) == (kept[0] if kept else None)
    assert (sized.breaks and sized.breaks.count) == (broken[-1] if broken else None)
    assert len(sized.tried) <= 1 + math.ceil(math.log2(len(ordered)) + 1)


@given(st.dictionaries(st.integers(1, 64), st.booleans(), min_size=1))
def test_nothing_that_breaks_the_limit_is_above_the_answer(keeps: dict[int, bool]) -> None:
    """More drives can serve less, by chance or for good: then no fewer than they are the answer."""
    sized = Sized(choice(sorted(keeps)))
    while (count := sized.next_count()) is not None:
        sized.tried[count] = step(keeps[count])
    answer = sized.keeps
    assert all(one.keeps or (answer is not None and count < answer.count) or answer is None
               for count, one in sized.tried.items())  # fmt: skip


def test_the_answer_is_that_of_trying_every_number() -> None:
    """Four PM1743 behind one core, by 4 kB reads at a rate that one drive has not: each number alone."""
    system = load_system("nvme-today")
    goal = SearchGoal(percentile=0.99, limit_s=0.0005, resolution=0.5)
    demand = Demand(
        "random-read-4k", 5_200_000.0, goal, overrides=Overrides(workers=(16,), outstanding=(64,))
    )
    every = choice_of("nvme-today", system, {}, shipped())
    few = Choice(every.system, {}, every.candidates[:4], None, ())
    (found,) = size(demand, [few])
    alone = [size(demand, [Choice("one", {}, (one,), None, ())])[0] for one in few.candidates]
    kept = [one.choice.candidates[0].count for one in alone if one.keeps]
    assert kept, "the rate is served by four"
    assert len(kept) < 4, "and not by one"
    assert found.keeps is not None
    assert found.keeps.count == kept[0]


def test_no_fewer_drives_than_their_rates_together_are_the_answer() -> None:
    """Random reads of 4 kB on P3700s: none has more than 460,000 a second, its data sheet says, so a million
    wants three, whatever the limit."""
    demand = Demand(
        "random-read-4k",
        1_000_000.0,
        SearchGoal(percentile=0.5, limit_s=1.0, resolution=0.5),
        overrides=Overrides(workers=(8,)),
    )
    (found,) = size(demand, [choice_of("p3700", load_system("p3700"), {}, shipped())])
    assert found.keeps is not None
    assert found.keeps.count == 3
