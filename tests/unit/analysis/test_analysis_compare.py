"""Runs compared: only what the intervals show is said, and different methods are named."""

from __future__ import annotations

from typing import Any

import pytest

from factories import (
    at_once,
    make_plan,
    make_point,
    make_profile,
    make_reading,
    make_result,
    make_run,
    make_stored_run,
    make_target,
    make_tool,
)
from iodyno.analysis.compare import compare, conditioning_of, hidden_from, outcome, slower_by
from iodyno.analysis.estimate import Estimate, distinguishable, quotient
from iodyno.analysis.figures import point_figures
from iodyno.analysis.matching import lacking
from iodyno.cli.counterparts import lacking_lines
from iodyno.conditioned import Step
from iodyno.plan import Plan, Point, RateShare
from iodyno.reading import Cause, PointResult
from iodyno.report.messages import Messages
from iodyno.report.sections.comparison import _groups, _titles_of
from iodyno.store.records import StoredRun
from virtual_systems import virtual_system

LOADS = (1, 8, 64)


def run(factor: float = 1.0, run_id: str = "20260314-092653-4f2a", **changes: Any) -> StoredRun:
    """Make a run whose rates are those of the first, times a factor."""
    return make_stored_run(
        profiles=("database", "streaming"),
        intensities=LOADS,
        factor=factor,
        run_id=run_id,
        varied=False,
        **changes,
    )


def what(base: StoredRun, other: StoredRun) -> set[str]:
    """Name the differences of method between two runs."""
    return {difference.what for difference in compare(base, other).differences}


def test_a_run_against_itself_shows_no_difference() -> None:
    found = compare(run(), run())
    assert {point.outcome for point in found.points} == {"no difference shown"}
    assert all(point.ratio is not None and point.ratio.value == pytest.approx(1.0) for point in found.points)
    assert found.differences == ()


@pytest.mark.parametrize(
    ("factor", "outcome"), [(1.1, "faster"), (0.9, "slower"), (1.005, "no difference shown")]
)
def test_outcome_follows_the_interval(factor: float, outcome: str) -> None:
    """Half-widths are 0.4 to 0.8 %, so the ratio's is 0.6 to 1.1 %: 10 % is shown, 0.5 % is not."""
    found = compare(run(), run(factor))
    assert {point.outcome for point in found.points} == {outcome}
    assert all(
        point.ratio is not None and point.ratio.value == pytest.approx(factor, rel=1e-3)
        for point in found.points
    )


def test_latency_goes_the_other_way() -> None:
    found = compare(run(), run(1.25))
    assert all(
        point.latency_ratio is not None and point.latency_ratio.value == pytest.approx(0.8, rel=1e-2)
        for point in found.points
    )


def test_points_of_only_one_run_are_named() -> None:
    other = make_stored_run(profiles=("database",), intensities=(1, 8, 16), varied=False)
    found = compare(run(), other)
    assert [point.base.outstanding for point in found.points] == [1, 8]
    assert len(found.only_base) == 4
    assert [point.outstanding for point in found.only_other] == [16]


def changed(**changes: object) -> StoredRun:
    """Make the run with something of its points or readings different."""

    def change(result: PointResult) -> PointResult:
        point = {key: value for key, value in changes.items() if key in type(result.point).model_fields}
        engine = {key: value for key, value in changes.items() if key in ("direct", "name")}
        reading = result.reading.model_copy(
            update={"engine": result.reading.engine.model_copy(update=engine)}
        )
        return result.model_copy(update={"point": result.point.model_copy(update=point), "reading": reading})

    return run(change=change)


def test_different_methods_are_named() -> None:
    assert what(run(), changed(direct=False)) == {"direct"}
    assert what(run(), changed(name="aio")) == {"engine"}
    area = make_target(area_length_bytes=1 << 30)
    assert what(run(), changed(targets=(area,))) == {"area"}
    device = make_target("/dev/nvme0n1", kind="device", created=False)
    assert what(run(), changed(targets=(device,))) == {"kind"}


def test_different_definitions_of_a_profile_are_named() -> None:
    def change(result: PointResult) -> PointResult:
        profile = result.point.profile.model_copy(update={"read_share": 0.5})
        return result.model_copy(update={"point": result.point.model_copy(update={"profile": profile})})

    assert what(run(), run(change=change)) == {"profile"}


def test_different_builds_are_named() -> None:
    other = run()
    tool = make_tool(build_profile="debug", optimised=False, version="0.2.0")
    other = other.model_copy(update={"run": other.run.model_copy(update={"tool": tool, "simulated": True})})
    assert what(run(), other) == {"build", "version", "simulated"}


def test_without_an_interval_the_outcome_is_unknown() -> None:
    def change(result: PointResult) -> PointResult:
        precision = result.reading.precision.model_copy(update={"half_width": None})
        return result.model_copy(
            update={"reading": result.reading.model_copy(update={"precision": precision})}
        )

    found = compare(run(), run(2.0, change=change))
    assert {point.outcome for point in found.points} == {"unknown"}


def step(kind: str, **facts: object) -> Step:
    return Step.model_validate({"kind": kind, "started_at": "", "finished_at": "", **facts})


def test_different_conditioning_is_named() -> None:
    path = run().run.plan.points[0].targets[0].path

    def after(*steps: Step) -> StoredRun:
        return run().model_copy(update={"conditioning": steps})

    filled = [step("filled", target=path, turn=turn) for turn in (1, 2)]
    assert what(run(), after(*filled)) == {"conditioning"}
    assert what(after(filled[0]), after(*filled)) == {"conditioning"}
    assert what(after(*filled), after(*filled, step("round", turn=1))) == {"conditioning"}
    (found,) = compare(run(), after(*filled, step("round", turn=1))).differences
    assert (found.base, found.other) == ("none", "filled twice, rounds of load")
    assert what(run(), after(step("purged", target=path))) == {"conditioning"}
    look = {"path": path, "start_bytes": 0, "length_bytes": 4096, "identity": "1"}
    done = (step("purged", target=path), *filled, step("round", turn=1, traces=[look]))
    lost = step("lost", target=path, before=0)
    (found,) = compare(run(), after(*done, lost, filled[0])).differences
    assert found.other == "filled once"
    # The same rule takes as many rounds as the target needs; what an earlier run wrote counts.
    some, more = (tuple(step("round", turn=turn) for turn in range(1, last)) for last in (3, 9))
    assert what(after(*filled, *some), after(step("reused", target=path, turn=2), *more)) == set()


def test_conditioning_that_was_lost_is_neither_that_which_held_nor_none() -> None:
    """Kept whole, lost for good, never done: each differs from the others, and two losses do not."""
    path = run().run.plan.points[0].targets[0].path
    look = {"path": path, "start_bytes": 0, "length_bytes": 4096, "identity": "1"}
    filled = step("filled", target=path, turn=1, traces=[look])
    done = (step("purged", target=path), filled, step("round", turn=1, traces=[look]))
    lost = step("lost", target=path, before=1)

    def after(*steps: Step, noted: str = "") -> StoredRun:
        stored = run().model_copy(update={"conditioning": steps})
        verdict = stored.results[0].verdict.model_copy(update={"notes": (Cause(code=noted),)})
        first = stored.results[0].model_copy(update={"verdict": verdict})
        return stored.model_copy(update={"results": (first, *stored.results[1:])}) if noted else stored

    held, gone, never = after(*done), after(*done, lost), run()
    said = {"held": "purged, filled once, rounds of load", "none": "none"}
    said["gone"] = f"{said['held']}, lost during the run"
    for pair, texts in (
        ((held, gone), ("held", "gone")),
        ((never, gone), ("none", "gone")),
        ((never, held), ("none", "held")),
    ):
        (found,) = compare(*pair).differences
        assert (found.base, found.other) == tuple(said[one] for one in texts)
    assert what(gone, after(*done, lost.model_copy(update={"before": 0}))) == set()
    # Rounds on what has lost its fill do not make it good, and a second loss is no other.
    more = (step("round", turn=1, before=1, traces=[look]), lost)
    (found,) = compare(held, after(*done, lost, *more[:1], noted="conditioning_lost")).differences
    assert found.other == said["gone"]
    assert what(gone, after(*done, lost, *more)) == set()
    # Filled again before a point was measured: nothing was lost; after one that may have been: it was.
    again = (*done, lost, *done)
    assert what(held, after(*again)) == set()
    (found,) = compare(held, after(*again, noted="conditioning_unsure")).differences
    assert found.other == said["gone"]
    # What an earlier run had done was gone before this one began, and is done again.
    assert what(held, after(lost.model_copy(update={"before": 0, "of_run": "r"}), *done)) == set()


def opened(
    rate_io_s: float, response_ms: float = 1.0, half_width: float | None = 0.05, share: float | None = None,
    overloaded: bool = False,
) -> StoredRun:  # fmt: skip
    """Make a run of one open loop whose response time is so many times 1.5 ms."""
    rule = RateShare(of=(0,), share=share) if share else None
    point = make_point(rate_io_s=rate_io_s, rate_from=rule, outstanding=512)
    reading = make_reading(point, latency_ms=response_ms)
    assert reading.open_loop
    loop = reading.open_loop.model_copy(update={"response_p99_half_width": half_width})
    result = make_result(
        point, reading=reading.model_copy(update={"open_loop": loop}), state="steady",
        causes=[Cause(code="overload")] if overloaded else [],
    )  # fmt: skip
    plan = make_plan().model_copy(update={"points": (point,)})
    return StoredRun(run=make_run(plan), results=(result,))


def test_open_loops_of_one_rate_are_told_apart_by_their_response_times() -> None:
    (point,) = compare(opened(5000), opened(5000, 2.0)).points
    assert point.ratio is not None
    assert point.ratio.value == pytest.approx(1.0)
    assert point.response_ratio is not None
    assert point.response_ratio.value == pytest.approx(2.0, rel=0.01)
    # Fieller's interval of two figures of ±5 % each.
    assert point.response_ratio.low == pytest.approx(2.0 * (1 - 0.0683), rel=0.01)
    assert point.outcome == "slower"
    assert point.loss == pytest.approx(1.0, rel=0.02)
    (back,) = compare(opened(5000, 2.0), opened(5000)).points
    assert back.outcome == "faster"
    (near,) = compare(opened(5000), opened(5000, 1.04)).points
    assert near.outcome == "no difference shown"
    (unknown,) = compare(opened(5000), opened(5000, 2.0, half_width=None)).points
    assert unknown.outcome == "unknown"


def test_an_open_loop_that_does_not_serve_its_rate_is_told_by_the_rate() -> None:
    def served(io_s: float, *, overloaded: bool) -> StoredRun:
        made = opened(5000, overloaded=overloaded)
        (result,) = made.results
        slower = make_reading(result.point, rate_io_s=io_s, latency_ms=1.0)
        return made.model_copy(update={"results": (result.model_copy(update={"reading": slower}),)})

    (point,) = compare(served(5000, overloaded=False), served(4000, overloaded=True)).points
    assert (point.outcome, point.by_response) == ("slower", False)
    assert point.loss == pytest.approx(0.2, rel=0.01)


def test_a_rate_that_is_a_share_matches_the_same_share_whatever_it_came_to() -> None:
    found = compare(opened(5000, share=0.5), opened(6000, 0.5, share=0.5))
    (point,) = found.points
    assert point.outcome == "faster"
    assert not found.only_base
    assert not compare(opened(5000, share=0.5), opened(5000, share=0.8)).points
    assert not compare(opened(5000, share=0.5), opened(5000)).points
    assert not compare(opened(5000), opened(5001)).points


def test_a_loss_of_response_time_counts_against_the_limit() -> None:
    slower = compare(opened(5000), opened(5000, 1.3))
    assert len(slower_by(slower, 0.2)) == 1
    assert slower_by(slower, 0.4) == ()


def test_the_figure_of_the_response_time_has_its_interval() -> None:
    (result,) = opened(5000, half_width=0.05).results
    found = point_figures(result).response_time_ms_p99
    assert found is not None
    assert (found.half_width, found.value) == (0.05, point_figures(result).response_time_ms_at(0.99))
    assert point_figures(make_result()).response_time_ms_p99 is None


def of_points(*results: PointResult) -> StoredRun:
    plan = make_plan().model_copy(update={"points": tuple(result.point for result in results)})
    return StoredRun(run=make_run(plan), results=results)


@pytest.mark.parametrize(
    ("first", "second", "named"), [("fixed", "poisson", {"arrival"}), ("fixed", "fixed", set())]
)
def test_arrivals_of_another_law_are_another_method(first: str, second: str, named: set[str]) -> None:
    """Poisson arrivals wait for each other at any rate, evenly spaced ones hardly before the limit."""
    runs = [of_points(make_result(make_point(rate_io_s=1000.0, arrival=law))) for law in (first, second)]
    assert what(*runs) == named


def test_how_a_closed_loop_would_arrive_is_no_method() -> None:
    runs = [of_points(make_result(make_point(arrival=law))) for law in ("fixed", "poisson")]
    assert what(*runs) == set()


def test_a_load_beside_that_is_defined_otherwise_is_named() -> None:
    result = at_once()
    first, *others = result.point.beside
    changed = first.profile.model_copy(update={"version": first.profile.version + 1})
    beside = (first.model_copy(update={"profile": changed}), *others)
    point = result.point.model_copy(update={"beside": beside})
    assert what(of_points(result), of_points(result.model_copy(update={"point": point}))) == {"profile"}


def test_a_loss_that_no_interval_shows_counts_against_no_limit() -> None:
    """The response times differ by a third, and neither is known well enough to say so."""
    unsure = compare(opened(5000, half_width=0.3), opened(5000, 1.3, half_width=0.3))
    assert [point.outcome for point in unsure.points] == ["no difference shown"]
    assert unsure.points[0].loss > 0.2
    assert slower_by(unsure, 0.2) == ()
    assert hidden_from(unsure, 0.2) == unsure.points
    assert hidden_from(unsure, 0.8) == ()  # both half-widths, 30 %, come to 42 % of the ratio


def test_a_loss_hides_where_the_interval_of_the_ratio_is_wider() -> None:
    """Half-widths are 0.4 to 0.8 %, so the ratio's is 0.6 to 1.1 %."""
    same = compare(run(), run())
    assert hidden_from(same, 0.015) == ()
    assert hidden_from(same, 0.004) == same.points
    assert hidden_from(same, 0.0) == ()
    assert hidden_from(compare(run(), run(0.9)), 0.004) == ()  # they have lost, and it is shown


@pytest.mark.parametrize(
    ("names", "common"),
    [
        ((("a",), ("b",)), 1),
        ((("a",), ("a", "c")), 1),
        ((("a",), ("b", "c")), 0),  # which of them was meant nobody said
        ((("a", "d"), ("b", "c")), 0),
        (((None,), ("b",)), 1),
        (((None,), ("b", "c")), 0),
    ],
)
def test_systems_are_told_apart_by_name_where_a_run_has_several(
    names: tuple[tuple[str | None, ...], ...], common: int
) -> None:
    runs = []
    for systems in names:
        run = of_points(make_result(make_point().model_copy(update={"system": systems[0]})))
        known = {name: virtual_system() for name in systems if name}
        plan = run.run.plan.model_copy(update={"systems": known})
        runs.append(run.model_copy(update={"run": run.run.model_copy(update={"plan": plan})}))
    assert len(compare(*runs).points) == common


def test_a_system_that_is_another_or_has_other_numbers_is_named() -> None:
    def on(name: str, drives: int = 1, called: str = "made-up") -> StoredRun:
        run = of_points(make_result(make_point().model_copy(update={"system": name})))
        systems = {name: virtual_system(called, drives)}
        plan = run.run.plan.model_copy(update={"systems": systems})
        return run.model_copy(update={"run": run.run.model_copy(update={"plan": plan})})

    assert compare(on("a"), on("a", called="renamed")).differences == ()
    (other,) = compare(on("a"), on("b")).differences
    assert (other.what, other.base, other.other) == ("system", "a", "b")
    (changed,) = compare(on("a"), on("a", drives=2)).differences
    assert (changed.what, changed.base, changed.other) == ("system", "a", "a with other numbers")
    assert slower_by(compare(on("a"), on("b")), 0.05) == ()
    # What was measured is no other virtual system.
    measured = of_points(make_result(make_point()))
    for pair in ((on("a"), measured), (measured, on("a"))):
        assert compare(*pair).points
        assert "system" not in what(*pair)


def numbered(*points: Point) -> StoredRun:
    """Give a run of points, each with its place as index."""
    return of_points(
        *(make_result(point.model_copy(update={"index": place})) for place, point in enumerate(points))
    )


def paired(base: StoredRun, other: StoredRun) -> list[tuple[int, int]]:
    return [(one.base.point.index, one.other.point.index) for one in compare(base, other).points]


def test_of_several_points_of_one_load_those_of_one_method_are_compared() -> None:
    """A run with each of three engines beside one with the last of them: not its first with that."""
    result = make_result()

    def by(*engines: str) -> StoredRun:
        results = []
        for place, name in enumerate(engines):
            engine = result.reading.engine.model_copy(update={"name": name})
            reading = result.reading.model_copy(update={"engine": engine})
            point = result.point.model_copy(update={"index": place})
            results.append(result.model_copy(update={"point": point, "reading": reading}))
        return of_points(*results)

    assert paired(by("io_uring", "aio", "sync"), by("sync")) == [(2, 0)]
    assert paired(by("sync", "aio"), by("aio", "sync")) == [(0, 1), (1, 0)]
    # Both have two that are of no like method: in order. One of two: nothing tells which.
    assert paired(by("aio", "sync"), by("null", "nop")) == [(0, 0), (1, 1)]
    found = compare(by("aio", "sync"), by("null"))
    assert (len(found.points), len(found.only_base), len(found.only_other)) == (0, 2, 1)


def test_a_target_of_the_same_name_comes_before_the_next_in_order() -> None:
    def on(*paths: str) -> StoredRun:
        return numbered(*(make_point(targets=(make_target(path),)) for path in paths))

    assert paired(on("/a", "/b"), on("/b")) == [(1, 0)]
    assert paired(on("/a", "/b"), on("/c", "/d")) == [(0, 0), (1, 1)]


def test_figures_of_unlike_kinds_are_not_divided_by_each_other() -> None:
    point = make_point()
    throughput = point.profile.model_copy(update={"shown_as": "throughput"})
    found = compare(numbered(point), numbered(point.model_copy(update={"profile": throughput})))
    assert (found.points, len(found.only_base), len(found.only_other)) == ((), 1, 1)


def test_of_profiles_only_what_differs_is_told() -> None:
    point = make_point()
    edited = point.profile.model_copy(update={"read_share": 0.5, "title": "Other"})
    (found,) = compare(numbered(point), numbered(point.model_copy(update={"profile": edited}))).differences
    assert (found.base, found.other) == (f"read_share {point.profile.read_share}", "read_share 0.5")


def test_what_has_no_counterpart_is_gathered_under_the_fewest_names() -> None:
    def point(system: str, profile: str, outstanding: int) -> Point:
        made = make_point(profile, outstanding=outstanding)
        return made.model_copy(update={"system": system})

    compared = [point("a", "database", 1)]
    points = [
        *(point("a", "database", load) for load in (2, 4)),
        *(point("a", "streaming", load) for load in (1, 2, 4)),
        *(point("b", name, 1) for name in ("database", "streaming")),
    ]
    found = [
        (one.system, one.profile.name if one.profile else "", one.whole, len(one.points))
        for one in lacking(points, compared)
    ]
    assert found == [("a", "database", False, 2), ("a", "streaming", True, 3), ("b", "", True, 2)]


def test_a_profile_that_is_lacked_altogether_has_one_name() -> None:
    """Closed loops and rates of it had one each, and it was the same."""
    closed = make_point("database", 4)
    points = [
        closed,
        make_point("database", 4, workers=2),
        make_point("database", 4, targets=(make_target("/a"), make_target("/b"))),
        make_point("database", 64, rate_io_s=1000.0),
    ]
    (one,) = lacking(points, [make_point("streaming", 4)])
    assert (one.whole, len(one.points)) == (True, 4)
    assert (one.workers, one.targets, one.at_most) == (None, None, None)
    assert _groups(Messages("en"), [one]) == ["Database"]
    assert list(lacking_lines(points, [make_point("streaming", 4)])) == ["  Database: 4 points"]


def test_points_without_a_counterpart_are_told_in_order_and_apart() -> None:
    two = (make_target("/a"), make_target("/b"))
    points = [
        *(make_point("database", load) for load in (8, 2, 4)),
        *(make_point("database", load, targets=two) for load in (8, 2, 4)),
        *(make_point("database", 64, rate_io_s=rate) for rate in (3207.0, 6414.0, 4810.0, 4008.0)),
    ]
    compared = [make_point("database", 1)]
    assert _groups(Messages("en"), lacking(points, compared)) == [
        "Database, 1 target, at 2, 4, and 8 outstanding I/Os",
        "Database, 2 targets, at 2, 4, and 8 outstanding I/Os",
        "Database, 64 outstanding I/Os at most, at offered rates of 3,207, 4,008, 4,810, and 6,414 IO/s",
    ]
    assert list(lacking_lines(points, compared)) == [
        "  Database at 2, 4 and 8 outstanding I/Os: 3 points",
        "  Database, 2 targets at 2, 4 and 8 outstanding I/Os: 3 points",
        "  Database, 64 outstanding at most at 3,207/s, 4,008/s, 4,810/s and 6,414/s: 4 points",
    ]


def test_systems_without_a_counterpart_are_called_what_they_are_elsewhere_in_a_paper() -> None:
    """They had the names of the study's file. Titles that two have tell nothing."""
    named = [("direct-1", "Direct cable, 1 SSD"), ("a", "My array"), ("b", "My array")]
    fields: dict[str, Any] = {
        "study_source": {"configuration": [{"name": name, "title": title} for name, title in named]},
        "systems": dict.fromkeys(name for name, _ in named),
    }
    plan = Plan.model_construct(**fields)
    titles = _titles_of(Messages("en"), plan)
    points = [make_point("database", 4).model_copy(update={"system": name}) for name, _ in named]
    compared = [make_point("database", 1).model_copy(update={"system": name}) for name, _ in named]
    assert _groups(Messages("en"), lacking(points, compared), titles) == [
        "Direct cable, 1 SSD, Database, at 4 outstanding I/Os",
        "a, Database, at 4 outstanding I/Os",
        "b, Database, at 4 outstanding I/Os",
    ]


def test_writes_that_were_made_durable_are_another_method() -> None:
    result = make_result()
    engine = result.reading.engine.model_copy(update={"write_through": True})
    durable = result.model_copy(update={"reading": result.reading.model_copy(update={"engine": engine})})
    assert what(of_points(result), of_points(durable)) == {"durable"}


def test_points_that_began_with_a_cold_cache_are_another_method() -> None:
    result = make_result()
    cold = result.model_copy(update={"point": result.point.model_copy(update={"cold_cache": True})})
    assert what(of_points(result), of_points(cold)) == {"cold"}


def test_loads_at_once_match_where_they_share_targets_alike() -> None:
    """The first drives two targets; the other is on the first of these, or on the second."""
    two = (make_target("/a"), make_target("/b"))
    result = make_result(make_point(targets=two))
    beside = at_once().point.beside[:1]

    def on(path: str) -> StoredRun:
        changes = {"beside": beside, "targets": (*two, make_target(path))}
        return of_points(result.model_copy(update={"point": result.point.model_copy(update=changes)}))

    assert len(compare(on("/a"), on("/a")).points) == 1
    assert compare(on("/a"), on("/b")).points == ()


def test_what_cannot_be_judged_outweighs_what_is_slower(capsys: pytest.CaptureFixture[str]) -> None:
    from iodyno.cli.compare import _judge

    slower, nothing = (
        (compare(run(), other), (run(), other))
        for other in (run(0.5), of_points(make_result(make_point(outstanding=3))))
    )
    assert nothing[0].points == ()
    assert _judge([slower], 0.05) == 1
    assert _judge([nothing], 0.05) == 2
    assert _judge([nothing, slower], 0.05) == _judge([slower, nothing], 0.05) == 2
    assert "no point in common" in capsys.readouterr().err


@pytest.mark.parametrize("half_widths", [(0.006, 1.21), (0.3, 0.9), (1.4, 0.2), (0.02, 0.03)])
@pytest.mark.parametrize("rates", [(100, 110), (100, 300), (100, 1000), (100, 100)])
def test_turned_round_two_runs_say_the_same(
    rates: tuple[float, float], half_widths: tuple[float, float]
) -> None:
    """±121 % of the first run was `unknown`, of the further one `no difference shown`."""
    one, other = (Estimate(*pair) for pair in zip(rates, half_widths, strict=True))
    turned = {"faster": "slower", "slower": "faster"}
    there, back = outcome(quotient(other, one)), outcome(quotient(one, other))
    assert there == turned.get(back, back)
    assert there != "unknown"
    assert (there == "no difference shown") == (not distinguishable(one, other))
    for gone in ((one, Estimate(100)), (Estimate(100), one)):
        assert outcome(quotient(*gone)) == "unknown"


def test_what_is_written_is_told_where_it_differs() -> None:
    """Zeros, or what compresses and repeats so much: other data are another load for some drives."""
    plain = make_profile("database")
    changed: list[tuple[dict[str, object], str]] = [
        ({"data": "zeros"}, "zeros"),
        ({"data_compressible_share": 0.5}, "0.5 compressible, 0 duplicate"),
        ({"data_duplicate_share": 0.25}, "0 compressible, 0.25 duplicate"),
    ]
    for changes, text in changed:
        other = make_profile("database", **changes)
        base, beside = (
            StoredRun(run=make_run(make_plan()), results=(make_result(make_point(profile, 8)),))
            for profile in (plain, other)
        )
        (found,) = compare(base, beside).differences
        assert (found.what, found.base, found.other) == ("data", "incompressible", text)


def test_which_tool_a_run_comes_from_is_told() -> None:
    (found,) = compare(
        run(), run().model_copy(update={"run": run().run.model_copy(update={"imported": "fio"})})
    ).differences
    assert (found.what, found.base, found.other) == ("tool", "iodyno", "fio")


def test_targets_of_which_some_are_filled_are_told_so() -> None:
    """With two targets: one filled once and one not, or twice."""
    targets = (make_target("/a"), make_target("/b"))
    stored = StoredRun(
        run=make_run(make_plan(targets=targets)),
        results=(make_result(make_point("database", 1, targets=targets)),),
    )
    assert conditioning_of(stored) == "none"
    once, twice = (step("filled", target="/a", turn=turn) for turn in (1, 2))
    one = stored.model_copy(update={"conditioning": (once,)})
    assert conditioning_of(one) == "filled not at all or once"
    more = stored.model_copy(update={"conditioning": (once, twice, step("filled", target="/b", turn=1))})
    assert conditioning_of(more) == "filled once or twice"
