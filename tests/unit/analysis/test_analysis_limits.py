"""What limited a point, and the causes of many verdicts gathered."""

from __future__ import annotations

import math

import pytest

from factories import make_point, make_profile, make_result
from iodyno.analysis.bottleneck import (
    HOST_NOTES,
    QUEUE_NOTES,
    SUBMISSION_NOTES,
    Limit,
    asked_limit,
    limited,
    serves_its_rate,
)
from iodyno.analysis.causes import gathered
from iodyno.analysis.figures import PointFigures, point_figures
from iodyno.analysis.saturation import saturation
from iodyno.reading import HOST_PLACE, Bottleneck, Cause, Simulation, Station
from iodyno.verdict import CAUSES


def figures(load: int, rate: float, *notes: str) -> PointFigures:
    """Make a point of the database profile whose verdict has notes."""
    causes = [Cause(code=code) for code in notes]
    return point_figures(make_result(make_point("database", load), rate_io_s=rate, notes=causes))


def limits(*points: PointFigures) -> list[Limit]:
    """Name what limited each point of a curve."""
    found = saturation(points)
    return [limited(point, found, alone=len(points) == 1).by for point in points]


def test_below_saturation_the_load_is_the_limit_and_from_there_on_the_device() -> None:
    assert limits(figures(1, 1000), figures(2, 2000), figures(4, 2010)) == ["load", "device", "device"]


def test_a_curve_that_still_grows_is_limited_by_its_load() -> None:
    assert limits(figures(1, 1000), figures(2, 2000)) == ["load", "load"]


def test_a_single_point_tells_nothing() -> None:
    assert limits(figures(1, 1000)) == ["unknown"]


@pytest.mark.parametrize("note", sorted(HOST_NOTES))
def test_the_host_comes_before_all_others(note: str) -> None:
    assert limits(figures(1, 1000, note, "beyond_tags"), figures(2, 2000), figures(4, 2000)) == [
        "host", "device", "device",
    ]  # fmt: skip


def test_a_level_curve_says_nothing_of_the_device_where_pauses_keep_more_from_being_outstanding() -> None:
    """Of eight accesses between two pauses no more than eight are outstanding, however many may be."""
    profile = make_profile("database", think_time_us=10.0, think_every=8)

    def paused(load: int, rate: float) -> PointFigures:
        return point_figures(make_result(make_point(profile, load), rate_io_s=rate))

    assert limits(paused(1, 1000), paused(8, 2000), paused(16, 2010)) == ["load", "unknown", "unknown"]
    assert limits(paused(1, 1000), paused(4, 2000), paused(16, 2010)) == ["load", "device", "device"]


def test_an_offered_rate_that_is_served_is_the_limit_itself() -> None:
    def opened(rate: float, *, served: bool, notes: tuple[str, ...] = ()) -> PointFigures:
        point = make_point("database", 64, rate_io_s=rate)
        causes = () if served else (Cause(code="overload"),)
        found = [Cause(code=code) for code in notes]
        return point_figures(make_result(point, rate_io_s=rate, causes=causes, notes=found))

    assert limits(opened(1000, served=True)) == ["rate"]
    curve = (opened(1000, served=True), opened(2000, served=True), opened(2010, served=False))
    assert limits(*curve)[:2] == ["rate", "rate"]
    assert limits(*curve)[2] != "rate"
    assert limits(opened(1000, served=True, notes=("host_cpu",))) == ["host"]


@pytest.mark.parametrize(("load", "limit"), [(0, "host"), (1, "rate")])
def test_what_only_a_load_beside_has_limits_no_other(load: int, limit: str) -> None:
    """The note of a busy worker, and the overload, are of the load that has them."""
    values: dict[str, float | int | str] = {"load": load} if load else {}
    point = make_point("database", 64, rate_io_s=1000)
    cause, note = Cause(code="overload", values=values), Cause(code="host_cpu", values=values)
    assert limits(point_figures(make_result(point, rate_io_s=1000, causes=[cause], notes=[note]))) == [limit]


@pytest.mark.parametrize(
    ("place", "kind", "rate_io_s", "served", "by"),
    [
        ("drive_media", "outstanding", None, True, "load"),
        ("drive_media", "outstanding", 1000, True, "rate"),
        ("drive_media", "outstanding", 1000, False, "load"),
        ("drive_media", "saturated", 1000, True, "device"),
        ("drive_media", "saturated", None, True, "device"),
        (HOST_PLACE, "saturated", None, True, "host"),
        (HOST_PLACE, "saturated", 1000, False, "host"),
    ],
)
def test_a_simulated_point_names_its_limit_itself(
    place: str, kind: str, rate_io_s: float | None, served: bool, by: str
) -> None:
    limit = Bottleneck.model_validate({"place": place, "kind": kind, "utilisation": 0.9})
    found = Simulation(model_version=1, virtual_s=1, events=9, stations=(), bottleneck=limit)
    causes = () if served else (Cause(code="overload"),)
    point = make_point("database", 64, rate_io_s=rate_io_s)
    made = point_figures(make_result(point, rate_io_s=1000, causes=causes, simulation=found))
    assert limits(made) == [by]
    assert asked_limit(made) == ("rate" if by == "rate" else None)
    measured = point_figures(make_result(point, rate_io_s=1000, causes=causes))
    assert asked_limit(measured) is None


def test_of_open_loops_those_asked_for_less_than_saturates_are_below_it() -> None:
    """None was served, so that none is limited by its rate; all have the same limit of outstanding I/Os."""

    def overloaded(asked: float, rate: float) -> PointFigures:
        point = make_point("database", 64, rate_io_s=asked)
        return point_figures(make_result(point, rate_io_s=rate, causes=(Cause(code="overload"),)))

    assert limits(overloaded(1000, 900), overloaded(2000, 1800), overloaded(4000, 1810)) == [
        "load", "device", "device",
    ]  # fmt: skip


def test_a_depth_that_was_not_kept_up_is_not_yet_the_host() -> None:
    points = (
        figures(1, 1000),
        figures(2, 2000, "depth_not_reached"),
        figures(4, 2000, "depth_not_reached", "host_cpu"),
    )
    assert limits(*points) == ["load", "submission", "host"]


def test_where_nothing_grows_neither_load_nor_device_is_named() -> None:
    assert limits(figures(1, 1000), figures(2, 1001), figures(4, 1000)) == ["unknown"] * 3


def test_a_load_that_may_be_saturated_already_is_unknown() -> None:
    """9,000 ± 8 % may be 9,500, 5 % below the maximum; 4,000 ± 8 % may not."""

    def wide(load: int, rate: float) -> PointFigures:
        return point_figures(make_result(make_point("database", load), rate_io_s=rate, half_width=0.08))

    curve = [wide(1, 4000), wide(2, 9000), wide(4, 10_000), wide(8, 10_000)]
    assert limits(*curve) == ["load", "unknown", "unknown", "unknown"]
    assert limits(*curve[:3]) == ["load", "unknown", "unknown"]


def test_the_device_is_named_only_where_more_is_shown_to_bring_no_more() -> None:
    """10,000 ± 8 % may be 6 % below another 10,000 ± 8 %; it is not 5 % below 9,000 ± 2 %."""

    def known(load: int, rate: float, half_width: float) -> PointFigures:
        return point_figures(make_result(make_point("database", load), rate_io_s=rate, half_width=half_width))

    wide = [known(1, 4000, 0.01), known(2, 10_000, 0.08), known(4, 10_000, 0.08)]
    assert limits(*wide) == ["load", "unknown", "unknown"]
    assert limits(*wide, known(8, 9_000, 0.02)) == ["load", "device", "device", "device"]


@pytest.mark.parametrize("note", sorted(QUEUE_NOTES))
def test_what_the_device_does_not_take_waits_in_the_queue(note: str) -> None:
    assert limits(figures(1, 1000), figures(2, 1000, note))[1] == "queue"


def test_notes_of_the_rule_are_ones_that_a_verdict_can_have() -> None:
    assert set(CAUSES) >= HOST_NOTES | SUBMISSION_NOTES | QUEUE_NOTES


def test_causes_come_before_notes_and_figures_of_each_point_are_kept() -> None:
    steal = [Cause(code="steal", values={"share": share}) for share in (0.03, 0.05)]
    results = [
        make_result(make_point("database", 1), notes=[Cause(code="kernel_workers")]),
        make_result(make_point("database", 2), state="disturbed", causes=[steal[0]]),
        make_result(
            make_point("database", 4), state="disturbed", causes=[steal[1]], notes=[Cause(code="host_cpu")]
        ),
    ]
    found = gathered(point_figures(result) for result in results)
    assert [item.code for item in found] == ["steal", "kernel_workers", "host_cpu"]
    assert [(point.outstanding, cause.values["share"]) for point, cause in found[0].points] == [
        (2, 0.03),
        (4, 0.05),
    ]


def test_what_the_figures_show_themselves_is_left_out() -> None:
    result = make_result(state="capped", causes=[Cause(code="imprecise")], notes=[Cause(code="few_samples")])
    assert gathered([point_figures(result)]) == ()


def test_the_utilisation_of_what_waits_for_latency_is_that_of_the_busiest_of_all_stations() -> None:
    """Of eight equal cores one can have all the work; a full cache is no server, and a saturated station is
    the limit itself."""
    limit = Bottleneck(place="drive_media", utilisation=0.3, kind="outstanding")
    stations = (
        Station(name="core", place="host_cpu", count=8, utilisation_mean=0.08, utilisation_max=0.64, jobs=9),
        Station(name="dies", place="drive_media", utilisation_mean=0.3, utilisation_max=0.3, jobs=9),
        Station(name="cache", place="drive_room", room=True, utilisation_mean=1, utilisation_max=1, jobs=9),
    )
    found = Simulation(model_version=1, virtual_s=1, events=9, stations=stations, bottleneck=limit)
    assert found.utilisation == 0.64
    saturated = Bottleneck(station="dies", place="drive_media", utilisation=0.97, kind="saturated")
    assert found.model_copy(update={"bottleneck": saturated}).utilisation == 0.97


def test_what_few_of_the_ios_go_through_is_the_busiest_only_where_there_is_nothing_else() -> None:
    limit = Bottleneck(place="drive_media", utilisation=0.3, kind="outstanding")
    disk = Station(
        name="disk", place="drive_media", share=0.002, utilisation_mean=0.8, utilisation_max=0.8, jobs=9
    )
    core = Station(name="core", place="host_cpu", utilisation_mean=0.4, utilisation_max=0.4, jobs=9)
    for stations, named, busy in (((disk, core), "core", 0.4), ((disk,), "disk", 0.8)):
        found = Simulation(model_version=1, virtual_s=1, events=9, stations=stations, bottleneck=limit)
        assert found.busiest
        assert (found.busiest.name, found.utilisation) == (named, busy)


def test_a_rate_at_which_nothing_completed_is_not_called_served() -> None:
    slow = make_point("database", 8, rate_io_s=0.1)
    nothing = make_result(slow, rate_io_s=0.0, latency_ms=1.0, state="steady")
    assert not serves_its_rate(point_figures(nothing))
    one = make_result(slow, rate_io_s=1 / 3, latency_ms=1.0, state="steady")
    assert point_figures(one).completed == 1
    assert serves_its_rate(point_figures(one))


@pytest.mark.parametrize("measured_s", [0.5, 3.0, 20.0])
def test_what_an_imported_open_loop_may_lack(measured_s: float) -> None:
    """Nobody judged it. 0.5 % of what was asked in its time may be missing, and five standard deviations of
    the number of arrivals by chance."""
    asked = 10_000 * measured_s
    point = make_point("database", 16, rate_io_s=10_000.0, arrival="poisson")
    allowed = 0.005 * asked + 5 * math.sqrt(asked)
    for lacking, overloaded in ((0.9 * allowed, False), (1.1 * allowed, True)):
        rate = (asked - lacking) / measured_s
        result = make_result(point, rate_io_s=rate, latency_ms=1.0, measured_s=measured_s, state="not_judged")
        assert point_figures(result).overloaded is overloaded
