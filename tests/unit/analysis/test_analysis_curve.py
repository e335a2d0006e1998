"""Curves, maxima, saturation, knee and anomalies against asymptotes worked out by hand."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pytest

from factories import make_point, make_result, make_stopping, make_stored_run, make_target
from iodyno.analysis.anomalies import anomalies
from iodyno.analysis.curves import curves, is_unfinished, unfinished
from iodyno.analysis.figures import PointFigures, point_figures
from iodyno.analysis.knee import knee
from iodyno.analysis.maxima import maximum
from iodyno.analysis.run import analyse
from iodyno.analysis.saturation import growth, saturation


def points(rates: Mapping[int, float], half_width: float | None = 0.01) -> list[PointFigures]:
    """Make points of the database profile at loads with rates in IO/s; latency by Little's law."""
    return [
        point_figures(make_result(make_point("database", load), rate_io_s=rate, half_width=half_width))
        for load, rate in rates.items()
    ]


def asymptotes(loads: Sequence[int], latency_ms: float, most_io_s: float) -> dict[int, float]:
    """Rates of an ideal closed loop: outstanding ÷ latency, at most the limit."""
    return {load: min(load / latency_ms * 1000, most_io_s) for load in loads}


def test_maximum_names_what_cannot_be_told_from_it() -> None:
    # Differences of 100 and 200 against an interval of the difference of about 141.
    found = maximum(points({1: 5000, 2: 9800, 4: 9900, 8: 10000}))
    assert found.at.outstanding == 8
    assert [item.outstanding for item in found.level] == [4]


def test_a_figure_that_is_hardly_known_is_no_maximum() -> None:
    known = points({1: 5000, 2: 9800})
    (unknown,) = points({4: 12_000}, half_width=0.3)
    assert maximum([*known, unknown]).at.outstanding == 2
    assert saturation([*known, unknown]).at.outstanding == 2
    assert maximum([unknown]).at is unknown
    assert maximum([*known, unknown]).passed_over == (unknown,)
    assert maximum(known).passed_over == ()


def test_a_figure_that_is_hardly_known_is_not_level_with_the_maximum() -> None:
    """1,900 ± 165 % was called level with 4,080 ± 3.5 %: nothing could be told from such a figure."""
    (hardly,), (highest,) = points({4: 1_900}, half_width=1.65), points({512: 4_080}, half_width=0.035)
    found = maximum([hardly, highest])
    assert (found.at, found.level, found.unknown) == (highest, (), (hardly,))


def test_a_figure_all_of_whose_interval_lies_above_the_others_is_the_maximum() -> None:
    """115,000 ± 26 % is 85,000 at least: a curve that comes to 62,500 before it has not saturated there."""
    known = points({1: 20_000, 16: 62_500, 32: 61_000})
    (above,) = points({64: 115_000}, half_width=0.26)
    found = maximum([*known, above])
    assert (found.at, found.passed_over) == (above, ())
    assert saturation([*known, above]).at is above


def test_of_a_flat_curve_the_least_load_counts() -> None:
    """Intervals of a simulation tell rates apart that are the same to anybody; their latencies are not."""
    flat = points({1: 5000, 2: 9970, 4: 9990, 8: 10_000}, half_width=0.0001)
    found = maximum(flat)
    assert found.at.outstanding == 2
    assert [item.outstanding for item in found.level] == [4, 8]
    assert found.passed_over == ()
    assert maximum(points({1: 5000, 2: 9940, 4: 10_000}, half_width=0.0001)).at.outstanding == 4


def test_a_disturbed_figure_is_a_maximum_only_among_its_like() -> None:
    sound = points({1: 5000, 2: 9800})
    disturbed = [
        point_figures(
            make_result(make_point("database", load), rate_io_s=12_000, half_width=0.01, state="disturbed")
        )
        for load in (4, 8)
    ]
    found = maximum([*sound, *disturbed])
    assert found.at.outstanding == 2
    assert found.level == (), "they are far above it"
    assert maximum(disturbed).at.outstanding == 4
    (wide,) = points({16: 8000}, half_width=0.5)
    assert maximum([*disturbed, wide]).at is wide


def test_without_intervals_nothing_can_be_told_from_the_maximum() -> None:
    found = maximum(points({1: 100, 2: 10000}, half_width=None))
    assert found.level == ()
    assert [item.outstanding for item in found.unknown] == [1]


def test_a_value_without_an_interval_is_not_level_with_the_maximum() -> None:
    """A quarter of the maximum was called level with it, and so was one that is as high."""
    (bare,), (high,) = points({1: 14_000}, half_width=None), points({8: 55_000}, half_width=None)
    known = points({2: 55_000, 4: 54_000}, half_width=0.13)
    found = maximum([bare, *known, high])
    assert (found.at, found.level, found.unknown) == (known[0], (known[1],), (bare, high))


def test_saturation_of_an_ideal_loop() -> None:
    """1 ms and at most 10 000 IO/s: the asymptotes cross at 10, so 16 is the first saturated load."""
    found = saturation(points(asymptotes((1, 2, 4, 8, 16, 32), 1.0, 10_000)))
    assert found.at.outstanding == 16
    assert found.within_range
    assert found.certain
    assert found.at_maximum


def test_what_comes_near_the_maximum_is_not_the_maximum() -> None:
    found = saturation(points({1: 4000, 2: 9600, 4: 10_000}, half_width=0.001))
    assert found.at.outstanding == 2
    assert found.reached
    assert not found.at_maximum


def test_a_curve_that_still_grows_is_not_saturated() -> None:
    found = saturation(points(asymptotes((1, 2, 4, 8), 1.0, 10_000)))
    assert found.at.outstanding == 8
    assert not found.within_range


def test_saturation_is_uncertain_where_only_the_upper_end_reaches() -> None:
    # 9400 ± 2 % reaches 9588, over the 9500 that are 5 % below the maximum, but the value does not.
    found = saturation(points({1: 4000, 2: 9400, 4: 10000}, half_width=0.02))
    assert found.at.outstanding == 2
    assert not found.certain


def test_a_wide_interval_does_not_saturate_early() -> None:
    found = saturation(points({1: 4000, 2: 8500, 4: 10000, 8: 10000}, half_width=0.15))
    assert found.at.outstanding == 4
    assert not found.certain


def test_saturation_is_certain_only_where_no_lower_load_can_be_saturated() -> None:
    """9,400 ± 2 % is not distinguishably below 9,500; a figure that is hardly known is below nothing."""
    near = saturation(points({1: 4000, 2: 9400, 4: 9700, 8: 10_000}, half_width=0.004))
    assert near.at.outstanding == 4
    assert near.certain
    (unknown,) = points({2: 9000}, half_width=0.9)
    rest = points({1: 4000, 4: 9990, 8: 10_000}, half_width=0.004)
    found = saturation([rest[0], unknown, *rest[1:]])
    assert found.at.outstanding == 4
    assert found.reached
    assert not found.certain
    assert found.earlier == (unknown,)


@pytest.mark.parametrize(
    "figures",
    [
        {1: (8278, 0.09), 8: (43_440, 0.09), 32: (53_483, 0.28)},
        {1: (8278, 0.2), 8: (43_440, 0.2), 32: (43_000, 0.2)},
        {1: (8278, 0.01), 8: (43_440, 0.01), 16: (43_440, 0.01), 32: (43_440, None)},
        {1: (8278, 0.01), 8: (43_440, 0.01), 32: (42_000, 0.2)},
    ],
)
def test_a_load_is_enough_only_where_each_higher_one_is_shown_to_bring_little(
    figures: dict[int, tuple[float, float | None]],
) -> None:
    """What a load brings that is hardly known, or not told from more, may be half as much again."""
    found = saturation([points({load: rate}, width)[0] for load, (rate, width) in figures.items()])
    assert found.at.outstanding == 8
    assert found.within_range
    assert not found.certain
    assert not found.enough


def test_a_load_is_enough_where_narrow_intervals_show_it_and_nothing_disturbed_the_higher_ones() -> None:
    """43,000 ± 1 % is 1.0 % less than 43,440 ± 1 %: quotient 1.010 (0.996 to 1.024), above 0.95."""
    known = points({1: 8278, 8: 43_440, 32: 43_000})
    assert saturation(known).enough
    disturbed = make_result(make_point("database", 32), rate_io_s=43_000, half_width=0.01, state="disturbed")
    found = saturation([*known[:2], point_figures(disturbed)])
    assert found.certain
    assert not found.enough
    assert not saturation(known[:2]).enough


def test_a_curve_that_begins_with_nothing_is_not_shown_to_grow() -> None:
    """Of no I/O there is no factor."""
    found = saturation(points({1: 0, 2: 9800, 4: 10_000}))
    assert (growth(points({1: 0, 2: 9800})), found.grown) == (None, False)


def test_a_level_curve_is_not_shown_to_saturate_and_what_is_hardly_known_is_not_told() -> None:
    flat = saturation(points({1: 10_000, 2: 10_010, 4: 10_005}, half_width=0.001))
    assert (flat.reached, flat.earlier, flat.certain) == (True, (), False)
    # 9,900 ± 30 % can be a third more than what comes to the maximum of the others.
    known, (hardly,) = points({1: 5000, 2: 10_000}, half_width=0.001), points({4: 9900}, half_width=0.3)
    assert saturation([*known, hardly]).untold == (hardly,)


def test_a_load_is_not_enough_where_one_of_the_higher_ones_was_disturbed() -> None:
    """That what disturbed it cost nothing is not known."""
    one, two, four = points({1: 5000, 2: 10_000, 4: 10_010}, half_width=0.001)
    (disturbed,) = [
        point_figures(
            make_result(make_point("database", 8), rate_io_s=10_005, half_width=0.001, state="disturbed")
        )
    ]
    assert saturation([one, two, four]).enough
    assert not saturation([one, two, four, disturbed]).enough


def test_growth_of_an_ideal_loop_is_its_load() -> None:
    found = growth(points(asymptotes((1, 2, 4, 8), 1.0, 100_000)))
    assert found is not None
    assert found.value == pytest.approx(8.0)
    assert found.low < 8.0 < found.high


def test_knee_of_an_ideal_loop_is_where_the_asymptotes_cross() -> None:
    """0.5 ms and at most 16 000 IO/s cross at 8 outstanding I/Os."""
    found = knee(points(asymptotes((1, 2, 4, 8, 16, 32), 0.5, 16_000)))
    assert found is not None
    assert found.at.outstanding == 8


def test_the_knee_is_not_the_maximum() -> None:
    """Rate ÷ latency is rate² ÷ outstanding: 16, 32, 40.5, 25 and 15.1 million."""
    item = knee(points({1: 4000, 2: 8000, 4: 12728, 8: 14142, 16: 15540}))
    assert item is not None
    assert item.at.outstanding == 4


def test_no_knee_while_the_power_still_grows() -> None:
    assert knee(points(asymptotes((1, 2, 4, 8), 1.0, 100_000))) is None


def test_the_knee_is_every_load_that_cannot_be_told_from_the_best() -> None:
    """Rate² ÷ outstanding: 1, 2, 1.9 and 0.5 million; with rates of ±2 % the two in the middle are level."""
    rates = {1: 1000, 2: 2000, 4: 2757, 8: 2000}
    found = knee(points(rates, half_width=0.02))
    assert found is not None
    assert [item.outstanding for item in found.candidates] == [2, 4]
    assert not found.certain
    sharp = knee(points(rates, half_width=0.005))
    assert sharp is not None
    assert sharp.certain


def test_the_power_is_known_half_as_well_as_the_rate() -> None:
    """Rate² ÷ outstanding: 2 and 1.93 million. Rates of ±1 % give ±2 %: differences up to 2.8 % are none."""
    found = knee(points({1: 1000, 2: 2000, 4: 2778, 8: 2000}, half_width=0.01))
    assert found is not None
    assert found.certain


def test_three_loads_are_enough_for_a_knee_and_those_without_an_io_are_none() -> None:
    rates = {1: 1000, 2: 2000, 4: 2010}
    found = knee(points(rates))
    assert found is not None
    assert found.at.outstanding == 2
    nothing = points({8: 0.0, 16: 0.0})
    assert nothing[0].latency_ms_mean.value == 0
    assert knee([*points(rates), *nothing]) is not None
    assert knee([*points({1: 1000, 2: 2000}), *nothing]) is None


def test_no_knee_at_the_first_load_nor_without_intervals() -> None:
    assert knee(points({1: 1000, 2: 1000, 4: 1000})) is None
    assert knee(points({1: 1000, 2: 2000, 4: 2000}, half_width=None)) is None


def test_no_knee_between_two_points() -> None:
    assert knee(points({1: 1000, 2: 2000})) is None


def test_a_dip_is_found_beyond_the_intervals() -> None:
    found = anomalies(points({1: 5000, 2: 4000, 4: 8000}))
    assert [(item.kind, item.at.outstanding, item.against.outstanding) for item in found] == [("dip", 2, 1)]
    assert found[0].loss == pytest.approx(0.2)


def test_a_load_of_which_nothing_completed_is_no_dip() -> None:
    """It has no factor, and its verdict says what happened."""
    assert anomalies(points({1: 5000, 2: 0, 4: 10_000})) == ()


def test_a_dip_within_the_intervals_is_not_named() -> None:
    assert anomalies(points({1: 5000, 2: 4700, 4: 8000}, half_width=0.06)) == ()


def test_a_dip_that_nobody_would_act_on_is_not_named() -> None:
    assert anomalies(points({1: 5000, 2: 4800, 4: 8000}, half_width=0.001)) == ()


def test_a_fall_at_the_highest_load_is_found() -> None:
    found = anomalies(points({1: 5000, 2: 10000, 4: 9900, 8: 8000}))
    assert [(item.kind, item.at.outstanding, item.against.outstanding) for item in found] == [("fall", 8, 2)]


def test_curves_part_what_differs_in_more_than_the_load() -> None:
    results = [
        make_result(make_point(profile, load, index=index, workers=workers))
        for index, (profile, workers, load) in enumerate(
            (profile, workers, load)
            for profile in ("database", "streaming")
            for workers in (1, 4)
            for load in (8, 1)
        )
    ]
    found = curves(point_figures(result) for result in reversed(results))
    assert [(curve.profile.name, curve.first.workers) for curve in found] == [
        ("database", 1), ("database", 4), ("streaming", 1), ("streaming", 4),
    ]  # fmt: skip
    assert all([item.outstanding for item in curve.points] == [1, 8] for curve in found)
    assert all(curve.varied == ("workers",) for curve in found)
    assert len({curve.key for curve in found}) == 4


def test_how_long_a_point_was_measured_tells_no_curves_apart() -> None:
    loads = enumerate((1, 4, 8))
    points = [
        make_point("database", load, index=at, stopping=make_stopping(cap_s=3 + at)) for at, load in loads
    ]
    (curve,) = curves(point_figures(make_result(point)) for point in points)
    assert [item.outstanding for item in curve.points] == [1, 4, 8]


def test_targets_tell_curves_apart() -> None:
    results = [
        make_result(make_point("database", 1, index=index, targets=[make_target(path)]))
        for index, path in enumerate(("/data/a", "/data/b"))
    ]
    found = curves(point_figures(result) for result in results)
    assert [curve.varied for curve in found] == [("targets",), ("targets",)]


def told_apart(*of: tuple[str, str, int]) -> set[tuple[str, ...]]:
    """Give on what curves differ that are on these systems, targets and beginnings of areas."""
    results = [
        make_result(
            make_point("database", 1, index=index, system=system, engine="simulator",
                       targets=[make_target(path, area_start_bytes=start)])
        )
        for index, (system, path, start) in enumerate(of)
    ]  # fmt: skip
    found = curves(point_figures(result) for result in results)
    assert len(found) == len(of)
    return {curve.varied for curve in found}


def test_what_follows_from_the_system_or_the_target_tells_no_curves_apart() -> None:
    assert told_apart(("one", "a", 0), ("other", "b", 0)) == {("system",)}
    assert told_apart(("one", "a", 0), ("one", "b", 0)) == {("targets",)}
    assert told_apart(("one", "a", 0), ("one", "b", 0), ("other", "c", 0)) == {("system", "targets")}
    assert told_apart(("one", "a", 0), ("one", "a", 4096)) == {("area",)}
    assert told_apart(("one", "a", 0), ("one", "b", 4096)) == {("targets",)}
    assert told_apart(("one", "a", 0), ("other", "a", 4096)) == {("system",)}
    both = told_apart(("one", "a", 0), ("other", "a", 0), ("one", "a", 4096), ("other", "a", 4096))
    assert both == {("system", "area")}


def test_a_curve_is_unfinished_where_points_of_it_are_to_come() -> None:
    database, streaming = (
        curves([point_figures(make_result(make_point(profile, 1)))])[0]
        for profile in ("database", "streaming")
    )
    # Of another load, not of another profile or number of workers.
    left = unfinished([make_point("database", 8, index=5), make_point("streaming", 8, index=6, workers=2)])
    assert is_unfinished(database, left)
    assert not is_unfinished(streaming, left)
    assert not is_unfinished(database, unfinished([]))


def test_run_counts_points_and_verdicts() -> None:
    found = analyse(make_stored_run())
    assert len(found.curves) == 5
    assert found.points == found.planned == 50
    assert found.states == {"steady": 44, "capped": 2, "not_steady": 3, "disturbed": 1}
    assert sum(sum(item.states.values()) for item in found.curves) == 50
    assert found.measured_s == pytest.approx(150.0)


def test_of_those_passed_over_a_narrower_interval_helps_what_nothing_disturbed() -> None:
    """More is measured at 4, not at 8: that was disturbed."""
    known = points({1: 5000, 2: 9800})
    (wide,) = points({4: 12_000}, half_width=0.3)
    disturbed = point_figures(
        make_result(make_point("database", 8), rate_io_s=12_000, half_width=0.01, state="disturbed")
    )
    found = maximum([*known, wide, disturbed])
    assert (found.at, found.passed_over, found.too_wide) == (known[1], (wide, disturbed), (wide,))
