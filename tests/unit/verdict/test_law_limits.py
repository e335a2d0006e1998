"""Where the laws of a reading begin to be broken: limits from the binomial distribution and Little's law."""

from __future__ import annotations

import math
from typing import Any

import pytest

from factories import lognormal_histogram, make_point, make_profile, make_reading, make_target
from iodyno.histogram import bucket_bounds
from iodyno.plan import Point
from iodyno.reading import Cause, Direction, Reading, WorkerFacts
from iodyno.verdict import laws

POINT = make_point("database", 8)
SOUND = make_reading(POINT)
SIGMAS = 5


def of(code: str, point: Point, reading: Reading) -> list[Cause]:
    return [cause for cause in laws(point, reading) if cause.code == code]


@pytest.mark.parametrize("completed", [100, 3000, 300_000])
@pytest.mark.parametrize("sign", [1, -1])
def test_a_share_of_reads_may_differ_by_chance_and_by_what_is_outstanding(completed: int, sign: int) -> None:
    """Binomial: √(p(1 - p) ÷ n), five times; beside it the I/Os that either end of the window cuts."""
    share, outstanding = POINT.profile.read_share, 8
    allowed = SIGMAS * math.sqrt(share * (1 - share) / completed) + 2 * outstanding / completed
    for times, found in ((0.9, []), (1.1, ["law_direction"])):
        had = share + sign * times * allowed
        reads = round(had * completed)
        if 0 < reads < completed:
            drawn = make_point(make_profile("database", read_share=had), outstanding)
            reading = make_reading(drawn, rate_io_s=completed / 3)
            causes = of("law_direction", POINT, reading)
            assert [cause.code for cause in causes] == found
            for cause in causes:
                assert cause.values["read_share"] == pytest.approx(reads / completed, abs=1 / completed)
                assert cause.values["asked"] == share


def test_where_nothing_is_drawn_nothing_is_chance() -> None:
    reads = make_point(make_profile("streaming"), 8)
    mixed = make_point(make_profile("streaming", read_share=0.999), 8)
    assert of("law_direction", reads, make_reading(reads)) == []
    assert [cause.code for cause in of("law_direction", reads, make_reading(mixed))] == ["law_direction"]


@pytest.mark.parametrize(("asked", "had"), [(1.0, 0.99), (0.0, 0.01)])
def test_a_single_io_of_the_other_direction_is_found_where_there_is_none(asked: float, had: float) -> None:
    pure = make_point(make_profile("streaming", read_share=asked), 8)
    hundred = make_reading(make_point(make_profile("streaming", read_share=had), 8), rate_io_s=100 / 3)
    assert [cause.code for cause in of("law_direction", pure, hundred)] == ["law_direction"]


def with_trims(share: float) -> Reading:
    """Make a reading of which so many I/Os beside the transfers are trims, on its one target."""
    count = round(SOUND.completed * share / (1 - share))
    series = SOUND.series
    listed = (0,) * (len(series.reads) - 1) + (count,)
    (target,) = SOUND.per_target
    return SOUND.model_copy(update={
        "trims": Direction(completed=count, latency=lognormal_histogram(count, 1e6)),
        "series": series.model_copy(update={"trims": listed}),
        "issued": SOUND.issued.model_copy(update={"trims": count}),
        "per_target": (target.model_copy(update={"trims": count}),),
    })  # fmt: skip


def test_a_share_of_trims_may_differ_by_chance_and_by_what_is_outstanding() -> None:
    asked = 0.1
    point = make_point(make_profile("database", trim_share=asked), 8)
    for times, found in ((0.9, []), (1.1, ["law_trims"])):
        completed = SOUND.completed / (1 - asked)
        allowed = SIGMAS * math.sqrt(asked * (1 - asked) / completed) + 2 * 8 / completed
        for had in (asked + times * allowed, asked - times * allowed):
            causes = of("law_trims", point, with_trims(had))
            assert [cause.code for cause in causes] == found
            for cause in causes:
                assert cause.values == {"trim_share": pytest.approx(had, rel=1e-3), "asked": asked}


def test_trims_are_counted_on_every_target_and_among_all_ios() -> None:
    point = make_point(make_profile("database", trim_share=0.1), 8)
    sound = with_trims(0.1)
    assert of("law_completed", point, sound) == []
    (target,) = sound.per_target
    less = sound.model_copy(update={"per_target": (target.model_copy(update={"trims": target.trims - 1}),)})
    told = [cause.values for cause in of("law_completed", point, less)]
    assert [values["what"] for values in told] == ["trims of all targets", "I/Os of all targets"]
    assert [int(values["expected"]) - int(values["found"]) for values in told] == [1, 1]


@pytest.mark.parametrize("end", ["least", "most"])
def test_a_sum_is_between_those_of_the_ends_of_the_buckets(end: str) -> None:
    latency = SOUND.reads.latency
    bounds = [bucket_bounds(index) for index in latency.index]
    sums = {
        "least": sum(low * count for (low, _), count in zip(bounds, latency.count, strict=True)),
        "most": sum((high - 1) * count for (_, high), count in zip(bounds, latency.count, strict=True)),
    }
    beyond = {"least": -1, "most": 1}[end]
    for off, sound in ((0, True), (beyond, False)):
        changed = latency.model_copy(update={"sum_ns": sums[end] + off})
        reading = SOUND.model_copy(update={"reads": SOUND.reads.model_copy(update={"latency": changed})})
        assert (of("law_latency", POINT, reading) == []) is sound


@pytest.mark.parametrize(("which", "place"), [("min_ns", 0), ("max_ns", -1)])
def test_the_least_and_the_greatest_lie_in_their_buckets(which: str, place: int) -> None:
    latency = SOUND.reads.latency
    low, high = bucket_bounds(latency.index[place])
    for value, sound in ((low - 1, False), (low, True), (high - 1, True), (high, False)):
        changed = latency.model_copy(update={which: value})
        reading = SOUND.model_copy(update={"reads": SOUND.reads.model_copy(update={"latency": changed})})
        assert (of("law_latency", POINT, reading) == []) is sound


def with_depth(reading: Reading, depth: float, **changes: Any) -> Reading:
    span = reading.measured_s
    workers = (WorkerFacts(cpu_s=0.1, elapsed_s=span, system_calls=1, io_time_s=depth * span),)
    return reading.model_copy(update={"workers": workers, **changes})


@pytest.mark.parametrize("sign", [1, -1])
def test_littles_law_allows_what_the_ends_of_the_window_cut(sign: int) -> None:
    """8 I/Os begin before the window, and 8 end after it, each of at most the greatest latency. The time of
    these is missing and that of those too much: together they are off by no more than one of the two."""
    depth = 8 / (1 + sign * 0.15)  # 15 % off: 10 % beyond what is let pass
    longest_s = 0.1 * SOUND.measured_s / max(1, 8 / depth)
    for times, found in ((0.97, ["littles_law"]), (1.03, [])):
        reading = with_depth(SOUND, depth, drained_max_ns=round(times * longest_s * 1e9))
        causes = of("littles_law", POINT, reading)
        assert [cause.code for cause in causes] == found
        for cause in causes:
            assert cause.values == {"expected": pytest.approx(8, rel=1e-3), "depth": pytest.approx(depth)}


def test_littles_law_of_an_open_loop_knows_how_many_can_be_cut() -> None:
    """1000 a second of 1 ms are one outstanding on average, but up to 32 can be at either end."""
    point = make_point("database", 32, rate_io_s=1000.0)
    reading = make_reading(point, latency_ms=1)
    depth = 1 / 1.5
    longest_s = 0.45 * reading.measured_s / (32 / depth)
    # What the latencies are drawn from is below that: only what was outstanding at the end is so long.
    assert reading.latency.max_ns < longest_s * 1e9
    for times, found in ((0.97, ["littles_law"]), (1.03, [])):
        made = with_depth(reading, depth, drained_max_ns=round(times * longest_s * 1e9))
        assert [cause.code for cause in of("littles_law", point, made)] == found


def test_littles_law_counts_the_time_of_syncs() -> None:
    """300 syncs of 20 ms in 3 s are another two outstanding beside the 8 I/Os."""
    count = 300
    listed = (0,) * (len(SOUND.series.reads) - 1) + (count,)
    changes = {
        "syncs": Direction(completed=count, latency=lognormal_histogram(count, 20e6, spread=0.001)),
        "series": SOUND.series.model_copy(update={"syncs": listed}),
        "issued": SOUND.issued.model_copy(update={"syncs": count}),
        "per_target": (SOUND.per_target[0].model_copy(update={"syncs": count}),),
    }
    for depth, found in ((10, []), (8, ["littles_law"])):
        causes = of("littles_law", POINT, with_depth(SOUND, depth, **changes))
        assert [cause.code for cause in causes] == found
        for cause in causes:
            assert cause.values["expected"] == pytest.approx(10, rel=0.001)
    # A long sync at the end may be cut as any I/O: 0.2 of the whole time.
    longest = changes | {"drained_max_ns": round(0.2 * SOUND.measured_s * 1e9)}
    assert of("littles_law", POINT, with_depth(SOUND, 8.1, **longest)) == []


def test_littles_law_says_nothing_where_nothing_was_outstanding() -> None:
    assert of("littles_law", POINT, with_depth(SOUND, 0)) == []


def test_a_depth_a_thousandth_above_what_was_asked_is_rounding() -> None:
    for depth, found in ((8.007, []), (8.009, ["law_depth"])):
        assert [cause.code for cause in of("law_depth", POINT, with_depth(SOUND, depth))] == found


def test_starts_in_time_and_held_up_are_all_there_were() -> None:
    point = make_point("database", 32, targets=(make_target("/a"),), rate_io_s=1000.0)
    sound = make_reading(point, latency_ms=1)
    assert sound.open_loop
    for held, waited, found in ((0, 0, []), (7, 5, []), (7, 4, [1]), (6, 5, [1])):
        in_time = lognormal_histogram(sound.completed - 12 if held else sound.completed, 2000.0)
        opened = sound.open_loop.model_copy(
            update={"start_delay": in_time, "held_starts": held, "waited_starts": waited}
        )
        told = of("law_completed", point, sound.model_copy(update={"open_loop": opened}))
        assert [int(cause.values["expected"]) - int(cause.values["found"]) for cause in told] == found
