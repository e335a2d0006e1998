"""Curves of several sweeps and of several caps: what is told once, and what is told apart."""

from __future__ import annotations

import dataclasses
import itertools
from collections.abc import Mapping, Sequence
from types import MappingProxyType

from factories import make_plan, make_point, make_profile, make_result, make_run
from iodyno.analysis.curves import apart_from_sweep, curves
from iodyno.analysis.figures import point_figures
from iodyno.analysis.pairs import Pair, _once_each
from iodyno.analysis.ranking import ranking, sound, whole
from iodyno.analysis.repeated import highest_of_each, once_each
from iodyno.analysis.run import CurveAnalysis, analyse
from iodyno.analysis.scaling import scalings
from iodyno.plan import BesideLoad, Point
from iodyno.store.records import StoredRun


def closed(
    sweep: str, loads: Sequence[int], factor: float = 1.0, workers: int = 1
) -> list[tuple[Point, float]]:
    """Make a closed loop that serves 1,000 IO/s for each outstanding I/O, up to eight."""
    return [
        (make_point("database", load, sweep=sweep, workers=workers), factor * 1000.0 * min(load, 8))
        for load in loads
    ]


def analysed(
    *of: Sequence[tuple[Point, float]], widths: Mapping[float, float] = MappingProxyType({})
) -> tuple[CurveAnalysis, ...]:
    """Analyse a run of these points; half-widths by rate, ± 1 % of others."""
    made = [
        (point.model_copy(update={"index": at}), rate)
        for at, (point, rate) in enumerate(itertools.chain(*of))
    ]
    results = tuple(
        make_result(point, rate_io_s=rate, half_width=widths.get(rate, 0.01)) for point, rate in made
    )
    plan = make_plan().model_copy(update={"points": tuple(point for point, _ in made)})
    return analyse(StoredRun(run=make_run(plan, status="finished"), results=results)).curves


def shown(items: Sequence[CurveAnalysis]) -> list[str]:
    return [item.curve.sweep for item in items]


def test_a_curve_within_that_of_another_sweep_is_told_once() -> None:
    whole = closed("all", (1, 2, 4, 8, 16))
    within = closed("some", (2, 4))
    assert shown(once_each(analysed(whole, within))) == ["all"]
    assert shown(once_each(analysed(within, whole))) == ["all"]
    # Of two alike one is left, of one sweep both: their configurations tell them apart.
    assert len(once_each(analysed(closed("a", (1, 2)), closed("b", (1, 2))))) == 1


def test_a_curve_that_shows_more_stays() -> None:
    whole = closed("all", (1, 2, 4, 8))
    for other in (
        closed("some", (4, 16)),  # a higher load
        closed("some", (4, 8), factor=1.2),  # told from the others' maximum, 8,000 IO/s
        closed("some", (2, 4), workers=2),  # another load
    ):
        assert shown(once_each(analysed(whole, other))) == ["all", "some"]
    assert shown(once_each(analysed(whole, closed("some", (4, 8), factor=1.005)))) == ["all"]


def test_of_what_is_asked_alike_the_highest_maximum_counts() -> None:
    low, high = closed("low", (1, 2)), closed("high", (4, 8))
    for order in ((low, high), (high, low)):
        assert shown(highest_of_each(analysed(*order))) == ["high"]
    other = closed("other", (1, 2), workers=4)
    assert shown(highest_of_each(analysed(low, high, other))) == ["high", "other"]


def test_how_arrivals_come_is_nothing_to_a_closed_loop() -> None:
    fixed, poisson = (make_point("database", 8, arrival=arrival) for arrival in ("fixed", "poisson"))
    assert apart_from_sweep(fixed) == apart_from_sweep(poisson)
    open_fixed, open_poisson = (
        make_point("database", 8, rate_io_s=100.0, arrival=arrival) for arrival in ("fixed", "poisson")
    )
    assert apart_from_sweep(open_fixed) != apart_from_sweep(open_poisson)

    def beside(rate_io_s: float | None, arrival: str, seed: int = 1) -> Point:
        """Let a load run beside, closed where it has no rate."""
        load = {
            "profile": make_profile("streaming"), "targets": 1, "outstanding": 4, "workers": 1, "seed": seed,
            "rate_io_s": rate_io_s, "arrival": arrival,
        }  # fmt: skip
        target = make_point().targets[0]
        return make_point("database", 8, targets=(target, target), beside=(BesideLoad.model_validate(load),))

    assert apart_from_sweep(beside(None, "fixed")) == apart_from_sweep(beside(None, "poisson", seed=2))
    assert apart_from_sweep(beside(50.0, "fixed")) != apart_from_sweep(beside(50.0, "poisson"))


def test_open_loops_that_may_have_unlike_numbers_outstanding_are_curves_of_their_own() -> None:
    """Of a closed loop that number is the load."""
    opened = [
        make_point("database", most, rate_io_s=rate, index=at)
        for at, (most, rate) in enumerate(itertools.product((64, 512), (100.0, 200.0)))
    ]
    found = curves([point_figures(make_result(point, latency_ms=1.0)) for point in opened])
    told = [(curve.first.outstanding, [at.point.rate_io_s for at in curve.points]) for curve in found]
    assert told == [(64, [100, 200]), (512, [100, 200])]
    assert len({curve.key for curve in found}) == 2
    loop = [make_point("database", load, index=at) for at, load in enumerate((64, 512))]
    (curve,) = curves([point_figures(make_result(point)) for point in loop])
    assert [at.outstanding for at in curve.points] == [64, 512]


def test_a_profile_with_one_number_of_workers_does_not_scale() -> None:
    """Of its sweep another profile was measured with two, or its other curve failed."""
    one, two = analysed(closed("field", (1, 8)), closed("field", (1, 8), workers=2))
    maxima = [(item.curve, item.maximum.at.main) for item in (one, two)]
    (found,) = scalings(maxima)
    assert [(step.count, step.ideal) for step in found.steps] == [(1, 1.0), (2, 2.0)]
    assert scalings(maxima[:1]) == scalings(maxima[1:]) == ()


def test_where_the_lowest_is_level_with_the_highest_none_is_called_the_lowest() -> None:
    """100 ± 5 and 90 ± 9 differ by less than 10.3, 100 and 93 ± 0.5 by more than 5.02, 93 and 90 by less."""
    widths = {10_000.0: 0.05, 9_300.0: 0.005, 9_000.0: 0.1}
    of = [[(make_point("database", 8, sweep=str(rate)), rate)] for rate in widths]
    found = ranking(analysed(*of, widths=widths))
    assert shown(found.highest) == ["10000.0", "9000.0"]
    assert found.lowest == ()
    assert found.apart


def test_curves_that_lack_loads_are_left_out_where_two_others_are_whole() -> None:
    """A single one would have nothing to stand beside."""
    items = analysed(closed("a", (1, 8)), closed("b", (1, 8)), closed("c", (1,)))
    lacking = [dataclasses.replace(item, whole=item.curve.sweep != "c") for item in items]
    assert shown(whole(lacking)) == ["a", "b"]
    assert shown(whole(lacking[1:])) == ["b", "c"]
    assert shown(whole(lacking[2:])) == ["c"]


def test_systems_with_failed_members_are_left_out_where_there_are_others() -> None:
    of = [[(make_point("database", 8, sweep=name, system=name), 1000.0)] for name in ("a", "b", "c")]
    items = analysed(*of)
    assert shown(sound(items, {"b"})) == ["a", "c"]
    assert shown(sound(items, ())) == ["a", "b", "c"]
    assert shown(sound(items, {"a", "b", "c"})) == ["a", "b", "c"], "there is nothing else to show"


def test_a_pair_is_left_out_only_where_both_of_its_curves_show_no_more() -> None:
    whole, within, beyond = (1, 2, 4, 8), (2, 4), (4, 16)

    def pair(sweep: str, one: Sequence[int], other: Sequence[int]) -> Pair:
        first, second = analysed(closed(sweep, one), closed(sweep, other, workers=2))
        return first, second

    everything = pair("all", whole, whole)
    for loads, left in (
        ((within, within), 1),
        ((within, beyond), 2),
        ((beyond, within), 2),
        ((beyond, beyond), 2),
    ):
        some = pair("some", *loads)
        for order in ([everything, some], [some, everything]):
            kept = _once_each(order)
            assert len(kept) == left, loads
            assert everything in kept, loads


def test_a_pair_takes_the_place_of_those_that_show_no_more() -> None:
    """One of many points comes first, and one of higher loads after it: that takes its place where it shows
    all of it, however few points it has."""

    def pair(sweep: str, loads: Sequence[int]) -> Pair:
        first, second = analysed(closed(sweep, loads), closed(sweep, loads, workers=2))
        return first, second

    dense, wide = pair("dense", (2, 3, 4, 5)), pair("wide", (1, 8))
    assert _once_each([dense, wide]) == [wide]
    assert _once_each([dense, pair("apart", (8, 16))])[0] == dense
