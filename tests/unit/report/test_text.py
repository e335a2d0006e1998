"""The rules of the text: each sentence appears where the intervals allow it, and only there."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Literal

import pytest

from factories import make_histogram, make_point, make_reading, make_result, make_stored_run
from iodyno.analysis.run import CurveAnalysis, analyse
from iodyno.reading import Bottleneck, Cause, Direction, PointResult, Simulation
from iodyno.report.messages import Messages
from iodyno.report.plain import load_text
from iodyno.report.sentences import curve as text
from iodyno.report.sentences import latency as latency_text
from iodyno.report.sentences import loads as naming
from iodyno.report.sentences import practice as practice_text
from iodyno.report.sentences.side_by_side import anomalies, counted_anomalies

ENGLISH = Messages("en")


def analysed(results: list[PointResult]) -> CurveAnalysis:
    """Analyse results of one curve."""
    stored = make_stored_run(profiles=("database",), intensities=(1,))
    return analyse(stored.model_copy(update={"results": tuple(results)})).curves[0]


def curve(rates: Mapping[int, float], half_width: float | None = 0.01, **changes: Any) -> CurveAnalysis:
    """Make a curve of the database profile from rates in IO/s; latency by Little's law."""
    return analysed(
        [
            make_result(
                make_point("database", load, index=index), rate_io_s=rate, half_width=half_width, **changes
            )
            for index, (load, rate) in enumerate(rates.items())
        ]
    )


def test_lowest_load_gives_figure_interval_and_latency() -> None:
    """1 outstanding at 2000 IO/s is 0.5 ms; ±1 % supports three digits."""
    said = text.lowest(ENGLISH, curve({1: 2000, 2: 3000}))
    assert said == (
        "The Database profile starts from 2,000 IO/s (±1.0%) at 1 outstanding I/O, with a mean latency of "
        "0.500 ms."
    )


def test_growth_is_a_factor_with_its_interval() -> None:
    """An interval of √2 × 1 % around 4: 3.94 to 4.06."""
    said = text.grows(ENGLISH, curve({1: 1000, 8: 4000}))
    assert said == (
        "As the load increases, the transaction rate grows to a maximum of 4,000 IO/s (±1.0%) at 8 "
        "outstanding I/Os: 4.00 times the first value (interval 3.94 to 4.06)."
    )


def test_a_small_growth_is_no_factor() -> None:
    assert "is 6.0% higher" in text.grows(ENGLISH, curve({1: 1000, 2: 1060}))


def test_no_growth_is_claimed_where_the_interval_of_the_factor_holds_one() -> None:
    said = text.grows(ENGLISH, curve({1: 1000, 2: 1060}, half_width=0.05))
    assert "no gain that the intervals would show" in said
    assert "higher." not in said


def test_no_growth_is_claimed_without_intervals() -> None:
    said = text.grows(ENGLISH, curve({1: 1000, 2: 9000}, half_width=None))
    assert said.endswith(
        "about 9,000 IO/s at 2 outstanding I/Os; no growth is shown: the interval at 1 outstanding I/O is "
        "missing and the interval at 2 outstanding I/Os is missing."
    )
    assert "no interval" in text.lowest(ENGLISH, curve({1: 1000, 2: 9000}, half_width=None))


def mixed(points: Mapping[int, tuple[float, float | None]]) -> CurveAnalysis:
    """Make a curve of rates with intervals of their own."""
    return analysed(
        [
            make_result(make_point("database", load, index=load), rate_io_s=rate, half_width=half_width)
            for load, (rate, half_width) in points.items()
        ]
    )


def test_a_start_that_is_higher_and_does_not_count_contradicts_no_highest_value() -> None:
    """ "Starts from about 2,500 IO/s" stood before "The highest value is about 2,380 IO/s"."""
    said = text.grows(ENGLISH, mixed({1: (2500, None), 2: (2380, 0.01)}))
    assert said.startswith(
        "The highest value that counts as the maximum is about 2,380 IO/s at 2 outstanding"
    )
    said = text.grows(ENGLISH, mixed({1: (2500, 0.4), 2: (2380, 0.01)}))
    assert "the highest value that counts as the maximum, 2,380 IO/s" in said


def test_the_interval_that_hides_growth_is_named() -> None:
    widths = {1: 1.2, 2: 0.01}
    item = analysed(
        [
            make_result(make_point("database", load, index=load), rate_io_s=1000.0 * load, half_width=width)
            for load, width in widths.items()
        ]
    )
    assert text.grows(ENGLISH, item).endswith(
        "no growth is shown: the interval at 1 outstanding I/O, ±120%, is too wide."
    )


def test_saturation_is_named_where_it_is_in_range() -> None:
    said = text.saturates(ENGLISH, curve({1: 1000, 2: 2000, 4: 2050, 8: 2060}))
    assert said == "It is within 5% of the maximum, and so saturated, at 2 outstanding I/Os already."


def test_saturation_is_hedged_where_only_the_interval_reaches() -> None:
    said = text.saturates(ENGLISH, curve({1: 1000, 2: 1890, 4: 2000, 8: 2000}, half_width=0.02))
    assert "as far as the interval tells" in said


def test_the_maximum_is_not_said_to_be_near_itself() -> None:
    assert (
        text.saturates(ENGLISH, curve({1: 1000, 2: 2000, 4: 4000, 8: 3900}))
        == "No lower load comes within 5% of this."
    )
    wide = curve({1: 1000, 2: 3750, 4: 4000, 8: 3900}, half_width=0.06)
    assert text.saturates(ENGLISH, wide) == ""


def test_saturation_is_at_the_latest_where_a_lower_load_can_be_saturated() -> None:
    loads = ((1, 1000.0, 0.01), (2, 1800.0, 0.9), (4, 1980.0, 0.01), (8, 2000.0, 0.01))
    item = analysed(
        [
            make_result(make_point("database", load, index=load), rate_io_s=rate, half_width=width)
            for load, rate, width in loads
        ]
    )
    assert text.saturates(ENGLISH, item) == (
        "It is within 5% of the maximum, and so saturated, at 4 outstanding I/Os at the latest."
    )


def test_nothing_lies_beyond_a_saturation_that_is_not_shown() -> None:
    assert "Beyond saturation" in text.beyond(ENGLISH, curve({1: 1000, 2: 2000, 4: 2000, 16: 2000}))
    assert text.beyond(ENGLISH, curve({1: 1000, 2: 1000, 4: 1000, 16: 1000})) == ""
    # 2,600 ± 30 % is no maximum, but more than 2,000 as far as anybody knows.
    item = of_widths({1: (1000, 0.01), 2: (2000, 0.01), 16: (2600, 0.3)})
    assert item.maximum.at.outstanding == 2
    assert text.beyond(ENGLISH, item) == ""


def of_widths(figures: Mapping[int, tuple[float, float | None]]) -> CurveAnalysis:
    """Make a curve from rates in IO/s, each with its own interval."""
    return analysed(
        [
            make_result(make_point("database", load, index=index), rate_io_s=rate, half_width=width)
            for index, (load, (rate, width)) in enumerate(figures.items())
        ]
    )


@pytest.mark.parametrize("width", [0.1, 0.4, None])
def test_a_higher_load_that_is_hardly_known_is_the_reason_why_saturation_is_not(width: float | None) -> None:
    """90,000 ± 40 % may be 126,000 and 95,000 ± 10 % 104,500, more than 98,000 ÷ 0.95: it was said for the
    interval of the maximum, which tells, and that more load mainly waits."""
    last = (95_000 if width == 0.1 else 90_000, width)
    item = of_widths({1: (8278, 0.01), 8: (98_000, 0.01), 16: (100_000, 0.01), 32: last})
    assert item.maximum.at.outstanding == 16
    assert text.saturates(ENGLISH, item) == (
        "It is within 5% of the maximum at 8 outstanding I/Os already; what is reached at 32 outstanding "
        "I/Os is not known well enough to tell whether more load brings more."
    )
    assert text.beyond(ENGLISH, item) == ""


def test_a_higher_load_that_was_disturbed_is_such_a_reason_too() -> None:
    figures = {1: 8278.0, 8: 98_000.0, 16: 100_000.0, 32: 120_000.0}
    item = analysed(
        [
            make_result(
                make_point("database", load, index=index),
                rate_io_s=rate,
                half_width=0.01,
                state="disturbed" if load == 32 else "steady",
            )
            for index, (load, rate) in enumerate(figures.items())
        ]
    )
    assert item.maximum.at.outstanding == 16
    assert "what is reached at 32 outstanding I/Os is not known well enough" in text.saturates(ENGLISH, item)
    assert text.beyond(ENGLISH, item) == ""


def test_saturation_is_told_where_the_higher_load_is_known() -> None:
    """90,000 ± 5 % is 94,500 at most: less than 98,000."""
    item = of_widths({1: (8278, 0.01), 8: (98_000, 0.01), 16: (100_000, 0.01), 32: (90_000, 0.05)})
    assert text.saturates(ENGLISH, item).endswith("and so saturated, at 8 outstanding I/Os already.")
    assert text.beyond(ENGLISH, item).startswith("Beyond saturation, at 8 outstanding I/Os, ")


def test_where_the_maximum_itself_is_open_its_interval_is_the_reason() -> None:
    """1,890 ± 2 % may be 1,852: 7 % below 2,000, whatever a further load brings."""
    item = of_widths({1: (1000, 0.02), 2: (1890, 0.02), 4: (2000, 0.02), 16: (1900, 0.4)})
    assert text.saturates(ENGLISH, item).endswith("already, as far as the interval tells.")
    assert text.beyond(ENGLISH, item) == ""


def test_nothing_lies_beyond_a_maximum_that_a_higher_load_may_exceed() -> None:
    item = of_widths({1: (8278, 0.01), 8: (100_000, 0.01), 32: (90_000, 0.4)})
    assert text.saturates(ENGLISH, item) == "No lower load comes within 5% of this."
    assert text.beyond(ENGLISH, item) == ""


def test_no_saturation_where_it_still_grows() -> None:
    assert "beyond the loads that were measured" in text.saturates(
        ENGLISH, curve({1: 1000, 2: 2000, 4: 4000})
    )


def test_no_saturation_where_nothing_grows() -> None:
    assert text.saturates(ENGLISH, curve({1: 1000, 2: 1010, 4: 1005})) == ""


def test_level_values_are_named() -> None:
    assert text.level(ENGLISH, curve({1: 1000, 2: 2000, 4: 2005, 8: 1999})) == (
        "From 2 outstanding I/Os on, all values are level with the maximum."
    )
    assert text.level(ENGLISH, curve({1: 1000, 2: 2000, 4: 2005, 8: 1500})) == (
        "The values at 4 outstanding I/Os are level with the maximum."
    )
    assert text.level(ENGLISH, curve({1: 1000, 2: 2000, 4: 4000})) == ""


def test_waiting_beyond_saturation_is_named_from_its_threshold_on() -> None:
    long = text.beyond(ENGLISH, curve({1: 1000, 2: 2000, 4: 2000, 8: 2000}))
    assert "rises from 1.00 ms there to 4.00 ms at 8 outstanding I/Os" in long
    assert text.beyond(ENGLISH, curve({1: 1000, 3: 3000, 4: 3000})) == ""  # 1.0 ms to 1.33 ms


def test_a_dip_and_a_fall_are_mentioned() -> None:
    item = curve({1: 2000, 2: 1500, 4: 4000, 8: 3000})
    said = [text.anomaly(ENGLISH, found) for found in item.anomalies]
    assert said == [
        "The curve dips at 2 outstanding I/Os: 1,500 IO/s (±1.0%) are 25% less than the lower of the two "
        "neighbours, more than the intervals explain.",
        "At the end of the range, at 8 outstanding I/Os, it has fallen to 3,000 IO/s (±1.0%), 25% below the "
        "maximum.",
    ]


def test_curves_that_dip_or_fall_are_named_in_one_sentence() -> None:
    alike = {1: 2000, 2: 1500, 4: 4000}
    items = [
        curve(of) for of in (alike, alike, {1: 2000, 2: 1600, 4: 4000, 8: 3000}, {1: 2000, 2: 4000, 4: 2000})
    ]
    names = dict(zip(map(id, items), ("A1", "B2", "C3", "D4"), strict=True))

    def said(some: list[CurveAnalysis]) -> list[str]:
        return anomalies(ENGLISH, some, lambda item: names[id(item)])

    (alone,) = said(items[1:2])
    assert alone.startswith("B2: The curve dips at 2 outstanding I/Os: 1,500 IO/s (±1.0%) are 25% less than ")
    assert said(items[:3]) == [
        "Curves dip between neighbours, more than the intervals explain: A1 and B2 at 2 outstanding I/Os, "
        "1,500 IO/s (±1.0%), 25% less than the lower of the two; C3 at 2 outstanding I/Os, 1,600 IO/s "
        "(±1.0%), 20% less than the lower of the two.",
        "C3: At the end of the range, at 8 outstanding I/Os, it has fallen to 3,000 IO/s (±1.0%), 25% below "
        "the maximum.",
    ]
    assert said(items[2:])[1] == (
        "Curves have fallen at the end of the range: C3 at 8 outstanding I/Os to 3,000 IO/s (±1.0%), 25% "
        "below the maximum; D4 at 4 outstanding I/Os to 2,000 IO/s (±1.0%), 50% below the maximum."
    )


def test_a_curve_that_dips_twice_is_one_curve() -> None:
    twice = {1: 2000, 2: 1500, 4: 4000, 8: 3500, 16: 5000}
    items = [curve({1: 2000, 2: 3000, 4: 4000}), curve(twice), curve(twice)]
    names = dict(zip(map(id, items), ("A1", "cache off", "C3"), strict=True))
    told = [anomalies, counted_anomalies]
    each, counted = (say(ENGLISH, items[:2], lambda item: names[id(item)]) for say in told)
    assert [said.partition(" outst")[0] for said in each] == [
        f"“cache off”: The curve dips at {at}" for at in (2, 8)
    ]
    assert counted[0].startswith("One curve dips between its neighbours")
    each, counted = (say(ENGLISH, items, lambda item: names[id(item)]) for say in told)
    assert each == [
        "Curves dip between neighbours, more than the intervals explain: “cache off” and “C3” at 2 "
        "outstanding I/Os, 1,500 IO/s (±1.0%), 25% less than the lower of the two; “cache off” and "
        "“C3” at 8 outstanding I/Os, 3,500 IO/s (±1.0%), 12% less than the lower of the two."
    ]
    assert counted[0].startswith("2 curves dip between neighbours")


def test_names_in_a_sentence_of_curves_that_dip_are_quoted_alike() -> None:
    items = [curve({1: 2000, 2: low, 4: 4000}) for low in (1500, 1600)]
    names = dict(zip(map(id, items), ("cache off", "C3"), strict=True))
    (said,) = anomalies(ENGLISH, items, lambda item: names[id(item)])
    assert "explain: “cache off” at 2" in said
    assert "; “C3” at 2" in said


def with_tail(share_slow: float, slow: int) -> CurveAnalysis:
    """Make a point of 100 000 I/Os at 1 ms, a share of them slower by a factor."""
    slow_count = round(100_000 * share_slow)
    latency = make_histogram([1_000_000, slow * 1_000_000], [100_000 - slow_count, slow_count])
    point = make_point("database", 1)
    reads = Direction(completed=100_000, bytes=100_000 * 8192, latency=latency)
    reading = make_reading(point, reads=reads, writes=Direction())
    return analysed([make_result(point, reading=reading, state="steady")])


def test_a_tail_is_long_from_ten_times_the_mean_on() -> None:
    assert "a long tail" in text.tail(ENGLISH, with_tail(0.002, 12))
    short = text.tail(ENGLISH, with_tail(0.002, 9))
    assert "one in a thousand takes longer than" in short
    assert "long tail" not in short


def test_the_only_load_of_a_profile_is_called_no_maximum() -> None:
    """The paper of one job said how long I/Os take "at the maximum"."""
    alone = [text.tail(ENGLISH, curve({8: 1000.0})), text.tail(ENGLISH, with_tail(0.002, 12))]
    assert all(said.startswith("99% of the I/Os complete within ") for said in alone)
    several = text.tail(ENGLISH, curve({8: 1000.0, 16: 1900.0}))
    assert several.startswith("At the maximum 99% of the I/Os complete within ")


def test_a_tail_is_only_said_where_enough_ios_support_it() -> None:
    few = analysed([make_result(make_point("database", 1), rate_io_s=100.0)])
    some = analysed([make_result(make_point("database", 1), rate_io_s=1000.0)])
    assert text.tail(ENGLISH, few) == ""
    assert "one in a thousand" not in text.tail(ENGLISH, some)
    assert "99% of the I/Os complete within" in text.tail(ENGLISH, some)


def test_host_and_queue_are_named_where_a_verdict_notes_them() -> None:
    host = curve({1: 1000, 2: 2000}, notes=[Cause(code="host_cpu", values={"share": 0.97})])
    assert "The host was the limit at every load" in text.host(ENGLISH, host)
    assert text.host(ENGLISH, curve({1: 1000, 2: 2000})) == ""
    queued = curve({1: 1000}, notes=[Cause(code="beyond_tags")])
    assert text.queue(ENGLISH, queued).startswith("At 1 outstanding I/O more is asked for")
    assert "than the device takes at once" in text.queue(ENGLISH, queued)


@pytest.mark.parametrize(
    ("state", "words"), [("not_steady", "No steady state"), ("disturbed", "was disturbed")]
)
def test_reservations_are_named(state: str, words: str) -> None:
    assert words in text.rate_paragraph(ENGLISH, curve({1: 1000, 2: 2000}, state=state))
    assert words not in text.rate_paragraph(ENGLISH, curve({1: 1000, 2: 2000}))


def test_no_steady_state_at_any_load_is_not_one_at_some() -> None:
    """`No steady state was reached at every load` says that it was reached at some."""
    assert "at any load (†)" in text.unsteady(ENGLISH, curve({1: 1000, 2: 2000}, state="not_steady"))
    alone = text.unsteady(ENGLISH, curve({1: 1000}, state="not_steady"))
    assert alone.startswith("No steady state was reached at 1 outstanding I/O (†)")


def test_figures_of_reserve_carry_their_mark() -> None:
    assert "2,000 IO/s‡" in text.lowest(ENGLISH, curve({1: 2000, 2: 3000}, state="disturbed"))


def test_a_single_point_is_one_load_and_no_curve() -> None:
    said = text.rate_paragraph(ENGLISH, curve({4: 2000}))
    assert said.startswith("The Database profile reaches 2,000 IO/s (±1.0%) at 4 outstanding I/Os")
    assert "increases" not in said
    assert "saturated" not in said


def test_an_offered_rate_is_a_load() -> None:
    point = make_point("database", 64, rate_io_s=5000.0)
    said = text.rate_paragraph(ENGLISH, analysed([make_result(point)]))
    assert "at an offered rate of 5,000 IO/s" in said


def test_a_rate_that_was_asked_for_is_not_rounded() -> None:
    """73,355 IO/s were tried; 73,400 would be above what was."""
    point = make_point("database", 64, rate_io_s=73_355.0)
    item = analysed([make_result(point, rate_io_s=73_355.0)])
    at = item.curve.points[0]
    assert naming.load(ENGLISH, at) == "at an offered rate of 73,355 IO/s"
    assert naming.load(Messages("de"), at).count("73.355") == 1
    assert load_text(at.point) == "73,355/s"


def test_knee_needs_three_points() -> None:
    assert text.knee(ENGLISH, curve({1: 1000, 2: 2000})) == ""
    assert "is at 2 outstanding I/Os" in text.knee(ENGLISH, curve({1: 1000, 2: 2000, 4: 2000}))


def test_several_loads_are_listed_or_named_as_a_range() -> None:
    item = curve({1: 1000, 2: 1000, 4: 1000, 8: 1000, 16: 1000})
    points = item.curve.points

    def named(*places: int) -> str:
        return naming.loads(ENGLISH, [points[place] for place in places], item.curve)

    assert named(0) == "at 1 outstanding I/O"
    assert named(0, 2) == "at 1 and 4 outstanding I/Os"
    assert named(1, 2) == "at 2 and 4 outstanding I/Os"
    assert named(1, 2, 3) == "from 2 to 8 outstanding I/Os"
    assert named(0, 1, 3) == "at 1, 2, and 8 outstanding I/Os"
    assert named(0, 1, 2, 3, 4) == "at every load"


def test_sentences_do_not_contradict_each_other_where_intervals_are_wide() -> None:
    """8 times as much, ±100 %: neither a growth nor a load that is level with the maximum is claimed."""
    stored = [
        make_result(make_point("database", load, index=load), rate_io_s=rate, half_width=half_width)
        for load, rate, half_width in ((1, 8000.0, 0.93), (8, 24_000.0, 0.95), (64, 64_000.0, 1.02))
    ]
    said = text.rate_paragraph(ENGLISH, analysed(stored))
    assert "no gain that the intervals would show" in said
    assert "times the first value" not in said
    assert "saturat" not in said


def test_a_knee_that_the_intervals_leave_open_is_a_range() -> None:
    said = text.knee(ENGLISH, curve({1: 1000, 2: 2000, 4: 2757, 8: 2000}, half_width=0.02))
    assert "lies between 2 and 4 outstanding I/Os" in said


def test_a_depth_that_was_not_kept_is_not_called_the_host() -> None:
    item = curve({1: 1000, 2: 2000}, notes=[Cause(code="depth_not_reached")])
    assert text.host(ENGLISH, item) == ""
    assert text.submission(ENGLISH, item).startswith("The host kept only ")
    assert text.submission(ENGLISH, curve({1: 1000, 2: 2000})) == ""


def test_a_wide_interval_of_a_latency_is_given_by_its_ends() -> None:
    """1 outstanding at 2000 IO/s ± 50 %: 0.5 ms, 1/3 to 1 ms, all with the digits of the value."""
    assert text.lowest(ENGLISH, curve({1: 2000, 2: 3000}, half_width=0.5)).endswith(
        "latency of 0.500 ms (0.333–1.00 ms)."
    )


def test_no_knee_at_the_end_of_the_range() -> None:
    assert text.knee(ENGLISH, curve({1: 1000, 2: 2000, 4: 4000})) == ""


def test_the_least_latency_has_the_mark_of_its_point() -> None:
    disturbed = curve({1: 2000}, half_width=None, state="disturbed")
    assert latency_text.quickest(ENGLISH, [disturbed]).startswith("The least mean latency is 0.500 ms‡, with")


@pytest.mark.parametrize(
    ("kind", "said"),
    [
        ("saturated", "No lower load comes within 5% of this. What is saturated there: core of the host."),
        ("outstanding", "lies beyond the loads that were simulated."),
    ],
)
def test_a_saturated_station_is_no_saturation_beyond_the_loads(
    kind: Literal["saturated", "outstanding"], said: str
) -> None:
    """The table of limits said that the last load saturates, and the text that nothing did so far."""
    limit = Bottleneck(station="core", place="host_cpu", utilisation=0.99, kind=kind)
    found = Simulation(model_version=1, virtual_s=1, events=9, bottleneck=limit)
    results = [
        result.model_copy(update={"reading": result.reading.model_copy(update={"simulation": found})})
        for load, rate in ((1, 1000), (8, 4000))
        for result in (make_result(make_point("database", load), rate_io_s=rate),)
    ]
    assert text.saturates(ENGLISH, analysed(results)).endswith(said)


def test_a_rate_that_is_not_served_is_no_saturation_beyond_the_loads() -> None:
    served = make_result(make_point("database", 8, rate_io_s=1000.0), rate_io_s=1000)
    behind = make_result(
        make_point("database", 8, rate_io_s=9000.0, index=1), rate_io_s=4000, causes=(Cause(code="overload"),)
    )
    assert text.saturates(ENGLISH, analysed([served, behind])).endswith("offered there is not served.")


def test_nobody_is_kept_from_a_maximum_that_is_the_lowest_load() -> None:
    """Of a single load a paper advised not to run there: there is no lower one to run at."""
    alone = with_tail(0.002, 12)
    assert practice_text.tails(ENGLISH, [alone]) == ""
    top = alone.curve.points[0]
    lower = curve({1: 1000}).curve.points[0]
    above = replace(alone, curve=replace(alone.curve, points=(lower, top)))
    assert practice_text.tails(ENGLISH, [above]).startswith("Do not run Database at the maximum")


def test_of_a_flat_or_falling_curve_the_first_value_is_not_set_beside_itself() -> None:
    """7,200 IO/s at 32 outstanding were "not distinguishable from the first", which they are."""
    for rates in ({32: 7200, 128: 7190}, {32: 7200, 128: 6000}):
        said = text.grows(ENGLISH, curve(rates))
        assert said == "A higher load brings no gain: the first value is the maximum."
    said = text.grows(ENGLISH, mixed({32: (7200, 0.01), 128: (7900, 0.4)}))
    assert said == "A higher load brings no gain that counts: the first value is the maximum."


def lowest_loads(rates: Mapping[str, tuple[float, float]]) -> list[CurveAnalysis]:
    """Make curves of one outstanding I/O from rates and their intervals: latencies of 1 ÷ rate."""
    stored = make_stored_run(profiles=("database",), intensities=(1,))
    results = tuple(
        make_result(make_point(name, 1, index=index), rate_io_s=rate, half_width=half_width)
        for index, (name, (rate, half_width)) in enumerate(rates.items())
    )
    return list(analyse(stored.model_copy(update={"results": results})).curves)


def test_a_latency_that_is_hardly_known_is_the_least_where_all_of_its_interval_lies_below() -> None:
    """0.077 to 0.143 ms lies below 0.5 ms, however wide it is; 0.185 to 1.67 ms does not."""
    below = lowest_loads({"file-copy": (2_000.0, 0.01), "database": (10_000.0, 0.3)})
    said = latency_text.quickest(ENGLISH, below)
    assert said.startswith("The least mean latency is 0.100 ms")
    assert "Database" in said
    among = lowest_loads({"file-copy": (2_000.0, 0.01), "database": (3_000.0, 0.8)})
    assert latency_text.quickest(ENGLISH, among).startswith("The least mean latency is 0.500 ms")


def test_latencies_that_lie_below_are_level_with_each_other() -> None:
    """Both are wholly below 0.5 ms, and the intervals do not tell them apart."""
    rates = {"file-copy": (2_000.0, 0.01), "database": (10_000.0, 0.3), "restore": (9_000.0, 0.3)}
    said = latency_text.quickest(ENGLISH, lowest_loads(rates))
    assert "Database" in said
    assert "Restore" in said
    assert "File copy" not in said


def test_the_least_latency_of_small_random_blocks_is_told_beside_that_of_a_stream() -> None:
    """The title page gives that of 8 kB blocks, 0.5 ms: nothing said why 64 kB in order had 0.1 ms."""
    rates = {"streaming": (10_000.0, 0.01), "database": (2_000.0, 0.01), "file-copy": (5_000.0, 0.01)}
    said = latency_text.quickest(ENGLISH, lowest_loads(rates))
    assert said.startswith("The least mean latency is 0.100 ms, with Streaming at 1 outstanding I/O. ")
    assert said.endswith(
        "Of the random profiles with the smallest blocks the least is 0.500 ms, with Database."
    )
    rates["database"] = (20_000.0, 0.01)
    assert "smallest blocks" not in latency_text.quickest(ENGLISH, lowest_loads(rates))
