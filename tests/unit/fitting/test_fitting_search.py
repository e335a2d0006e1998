"""A fit on curves that a formula gives: what it finds, over which loads, and what it says of it."""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Iterable, Mapping
from typing import Any

import pytest

from iodyno.catalog.shelf import Catalog, shipped
from iodyno.errors import CatalogError
from iodyno.fitting.answers import At, Best, Expression, Range
from iodyno.fitting.curves import Curve, Outcome, Series
from iodyno.fitting.fit import Fit, Met, Target, fit, fit_to, rounded, spec_named, start_of, with_values
from iodyno.fitting.least_squares import Determined, Minimum
from iodyno.fitting.specs import SPECS, FitSpec, Parameter

PART = "toshiba-px02smf040"
NUMBER = "model.data_read"
ONE, OTHER = Series("study", "one", "streaming"), Series("study", "other", "streaming")
Formula = Callable[[float], Mapping[int, float]]
"""Rates by load, of the number that is fitted."""


def straight(number: float) -> Mapping[int, float]:
    return {64: number}


class Formulas:
    """Stands for the lab: its curves are of a formula."""

    formula: Formula = staticmethod(straight)
    asked: list[tuple[int, Mapping[Series, tuple[int, ...]] | None]]

    def __init__(
        self,
        catalog: Catalog,
        *,
        ios: int,
        only: Mapping[Series, tuple[int, ...]] | None = None,
        own: object = None,
    ) -> None:
        self._rates = self.formula(catalog.get(PART).model["data_read"].value)
        self._only = only or {}
        self.asked.append((ios, only))

    def need(self, expressions: Iterable[Expression]) -> list[object]:
        return []

    def ask(self, keys: Iterable[object]) -> None:
        """Everything is known."""

    def curves(self, series: Series) -> Curve:
        loads = self._only.get(series, tuple(self._rates))
        return {load: Outcome(self._rates[load], self._rates[load], 1 / self._rates[load]) for load in loads}


@pytest.fixture
def lab(monkeypatch: pytest.MonkeyPatch) -> type[Formulas]:
    class Here(Formulas):
        asked = []  # noqa: RUF012

    monkeypatch.setattr("iodyno.fitting.fit.Lab", Here)
    return Here


def spec(low: float = 300, high: float = 1030) -> FitSpec:
    return FitSpec(PART, (Parameter(NUMBER, low, high),), ())


def at(start: float) -> Catalog:
    """Give the shelf with a drive that begins there."""
    return with_values(shipped(), spec(), [start])


def figure(low: float, high: float | None = None, series: Series = ONE, name: str = "figure") -> Target:
    return Target(name, At(series, 64, "rate"), Range(low, low if high is None else high))


def fitted(targets: Iterable[Target], start: float = 500, of: FitSpec | None = None, **more: Any) -> Fit:
    return fit_to(list(targets), of or spec(), at(start), ios=1000, **more)


def test_two_figures_of_one_number_are_met_by_their_geometric_mean(lab: type[Formulas]) -> None:
    """Least squares of logarithms; with one left out the other is met, and this one is off by both."""
    found = fitted([figure(700, name="a"), figure(720, series=OTHER, name="b")])
    mean = math.sqrt(700 * 720)
    (number,) = found.found
    # What is written has four digits, and is what was simulated.
    assert number.value == rounded(number.value) == pytest.approx(mean, rel=1e-3)
    assert (number.at_bound, found.found_nothing, found.minimum.converged) == (False, False, True)
    one, other = found.met
    assert [(met.name, met.published) for met in found.met] == [("a", 700), ("b", 720)]
    assert one.simulated == other.simulated == number.value
    assert (one.residual, other.residual) == pytest.approx((mean / 700 - 1, mean / 720 - 1), abs=1e-3)
    assert one.left_out == pytest.approx(720 / 700 - 1, abs=1e-3)
    assert other.left_out == pytest.approx(700 / 720 - 1, abs=1e-3)
    assert found.degrees == 1
    assert found.off == pytest.approx((mean / 700 - 1 + 1 - mean / 720) / 2, abs=1e-3)


def test_figures_of_one_quantity_are_left_out_together(lab: type[Formulas]) -> None:
    """One gives the other away: nothing else holds the number."""
    found = fitted([figure(700), figure(720)])
    assert [met.left_out for met in found.met] == [None, None]


def test_a_number_within_a_range_is_no_further_off_and_beyond_it_as_far_as_its_nearer_end(
    lab: type[Formulas],
) -> None:
    within = fitted([figure(450, 550)]).met[0]
    assert (within.published, within.simulated, within.residual) == (500, 500, 0)
    below = figure(600, 800)
    assert below.residual(500) == pytest.approx(math.log(500 / 600))
    assert below.residual(700) == 0
    assert below.residual(1000) == pytest.approx(math.log(1000 / 800))
    for start, end in ((500, 600), (1000, 800)):
        stays = fitted([below], start=start, steps=0).met[0]
        assert stays.published == end
        assert stays.residual == pytest.approx(start / end - 1)


def test_what_is_beyond_a_bound_is_met_as_far_as_that_goes(lab: type[Formulas]) -> None:
    found = fitted([figure(2000)])
    assert found.found[0].value == 1030
    assert (found.found[0].at_bound, found.found_nothing) == (True, True)


def test_a_fit_has_found_something_where_one_number_is_neither_at_a_bound_nor_unmoved() -> None:
    stopped = Determined("stopped", 1, 0.9, 1.1, at_bound=True)
    unmoved = Determined("unmoved", 1, None, None, at_bound=False)
    good = Determined("good", 1, 0.9, 1.1, at_bound=False)
    met = (Met("a", 100, 110), Met("b", 100, 80), Met("c", 100, 100))
    for numbers, nothing in (((stopped, unmoved), True), ((stopped, unmoved, good), False)):
        of = Fit(spec(), numbers, met, Minimum([], [], [], 0, True))
        assert (of.found_nothing, of.degrees) == (nothing, 3 - len(numbers))
        # 10 % too much, 20 % too little, and as it should be.
        assert of.off == pytest.approx(0.1)


@pytest.mark.parametrize(
    ("rates", "loads"),
    [
        ({1: 10, 2: 50, 4: 98, 8: 100, 16: 99}, (4, 8, 16)),  # 98 is within 2 %
        ({1: 10, 2: 50, 4: 97.9, 8: 100, 16: 99}, (8, 16)),
        ({1: 10, 2: 50, 4: 60, 8: 70, 16: 80}, (16,)),
        ({1: 100, 2: 50, 4: 60, 8: 70, 16: 10}, (1, 16)),
    ],
)
def test_a_fit_looks_at_the_loads_where_a_maximum_may_be(
    lab: type[Formulas], rates: Mapping[int, float], loads: tuple[int, ...]
) -> None:
    lab.formula = staticmethod(lambda number: {load: rate * number for load, rate in rates.items()})
    fitted([Target("most", Best((ONE,), "rate"), Range(60_000, 60_000))], steps=3)
    # To choose the loads a quarter of the I/Os is enough; what is told in the end is of all of them.
    assert lab.asked[0] == (250, None)
    assert {only[ONE] for _, only in lab.asked if only} == {loads}
    assert {ios for ios, only in lab.asked if only} == {1000}
    assert (1000, None) in lab.asked


def test_a_figure_at_one_load_is_looked_at_there_alone(lab: type[Formulas]) -> None:
    lab.formula = staticmethod(lambda number: {1: number, 64: number, 512: 2 * number})
    fitted([figure(600), Target("least", At(ONE, 1, "rate"), Range(600, 600))])
    assert {tuple(only[ONE]) for _, only in lab.asked if only} == {(1, 64)}


def peaked(power: float) -> Formula:
    """Load 2 is passed by at 500, and rises faster than the others."""

    def formula(number: float) -> Mapping[int, float]:
        return {1: number, 2: 400 * (number / 500) ** power, 4: 0.6 * number}

    return formula


def test_a_search_goes_on_over_the_loads_that_are_best_where_it_ended(lab: type[Formulas]) -> None:
    """The first one takes load 1 to 600, where load 2 comes to 400 × 1.2^3 = 691; that has 600 at 572.4."""
    lab.formula = staticmethod(peaked(3))
    found = fitted([Target("most", Best((ONE,), "rate"), Range(600, 600))])
    assert {only[ONE] for _, only in lab.asked if only} == {(1, 4), (2, 4)}
    assert found.found[0].value == pytest.approx(500 * 1.5 ** (1 / 3), rel=2e-3)
    assert found.met[0].residual == pytest.approx(0, abs=5e-3)
    assert found.minimum.converged


def test_a_fit_does_not_end_further_off_than_it_began(lab: type[Formulas]) -> None:
    """At 600 load 2 would come to 400 × 1.2^5 = 995: further from 600 than the 500 of the beginning."""
    lab.formula = staticmethod(peaked(5))
    found = fitted([Target("most", Best((ONE,), "rate"), Range(600, 600))])
    assert found.found[0].value == 500
    assert (found.met[0].simulated, found.met[0].published) == (500, 600)
    assert found.minimum.converged


def test_a_fit_does_not_follow_what_only_scatters(lab: type[Formulas]) -> None:
    """Rates that scatter by 2 % around 600 whatever the number, beside 620: there is nothing to find, and
    some number seems better by chance. What is better by three standard deviations alone moves a search."""
    ends = []
    for seed in range(12):

        def formula(number: float, seed: int = seed) -> Mapping[int, float]:
            return {64: 600 * math.exp(random.Random(f"{seed} {number:.6g}").gauss(0, 0.02))}

        lab.formula = staticmethod(formula)
        ends.append(fitted([figure(620)]).minimum.values[0])
    assert ends.count(500) >= 10, ends


@pytest.mark.parametrize("power", [1, 3, 5])
def test_all_simulations_of_all_searches_are_counted(lab: type[Formulas], power: float) -> None:
    lab.formula = staticmethod(peaked(power))
    found = fitted([Target("most", Best((ONE,), "rate"), Range(600, 600))])
    assert found.minimum.evaluations == sum(only is not None for _, only in lab.asked)


def test_a_shipped_fit_is_of_the_shelf_the_ios_and_the_steps_that_it_is_given(lab: type[Formulas]) -> None:
    numbers: set[float] = set()
    told: list[int] = []
    loads = [2**power for power in range(10)]

    def formula(number: float) -> Mapping[int, float]:
        numbers.add(number)
        return dict.fromkeys(loads, number)

    lab.formula = staticmethod(formula)
    for steps in (0, 1):
        fit(
            "seagate-st91000640ns",
            at(500),
            ios=800,
            steps=steps,
            listener=lambda step, _rms: told.append(step),
        )
    assert (numbers, told) == ({500}, [0])
    assert {ios for ios, _ in lab.asked} == {200, 800}


def test_steps_are_told_one_by_one_with_the_root_mean_square(lab: type[Formulas]) -> None:
    told: list[tuple[int, float]] = []
    fitted([figure(700), figure(800, series=OTHER)], listener=lambda step, rms: told.append((step, rms)))
    assert [step for step, _ in told] == list(range(len(told)))
    one, other = math.log(500 / 700), math.log(500 / 800)
    assert told[0][1] == pytest.approx(math.sqrt((one**2 + other**2) / 2))


def test_no_more_steps_are_taken_than_were_asked_for(lab: type[Formulas]) -> None:
    """From 301 to 1029 one is not enough: the search says that it has not ended."""
    told: list[int] = []
    lab.formula = staticmethod(lambda number: {64: number**3})
    one_step = fitted([figure(1e9)], start=301, steps=1, listener=lambda step, _: told.append(step))
    assert (len(told), one_step.minimum.converged) == (1, False)
    assert fitted([figure(1e9)], start=301, steps=0).found[0].value == 301


def test_values_go_to_every_part_and_key_that_shares_them() -> None:
    parts = ("intel-p3700-800", "intel-p3700-1600")
    asked = FitSpec(
        "intel-p3700-800",
        (
            Parameter("model.data_read+model.data_write", 1, 5000, parts),
            Parameter("model.spare", 0.01, 1),
        ),
        (),
    )
    shelf = with_values(shipped(), asked, [1234.0, 0.125])
    for name in parts:
        assert [shelf.get(name).model[key].value for key in ("data_read", "data_write")] == [1234, 1234]
    assert shelf.get(parts[0]).model["spare"].value == 0.125
    assert shelf.get(parts[1]).model["spare"] == shipped().get(parts[1]).model["spare"]
    assert shelf.get(PART) == shipped().get(PART)


@pytest.mark.parametrize(("low", "high", "start"), [(300, 1030, 500), (600, 1030, 600), (300, 400, 400)])
def test_a_search_begins_where_the_part_stands_or_at_the_nearer_bound(
    low: float, high: float, start: float
) -> None:
    of = spec(low, high)
    found = start_of(of, of.parameters[0], at(500))
    assert (found.start, found.low, found.high) == (start, low, high)
    assert found.name == f"{PART}: {NUMBER}"


def test_of_a_part_that_is_not_fitted_those_that_are_are_told() -> None:
    assert spec_named("nvme-1610-4p") is SPECS["nvme-1610-4p"]
    with pytest.raises(CatalogError) as caught:
        spec_named("nobody")
    (problem,) = caught.value.problems
    assert (problem.where, problem.what) == ("nobody", "nothing of it is fitted")
    assert all(name in problem.hint for name in SPECS)
