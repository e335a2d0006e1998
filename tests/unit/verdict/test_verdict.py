"""The verdict: each cause alone, from readings made by hand."""

from __future__ import annotations

from typing import Any, Literal

import pytest

from factories import at_once, lognormal_histogram, make_observation, make_point, make_reading, make_target
from iodyno.plan import Point
from iodyno.reading import (
    Bottleneck,
    Cause,
    DeviceCounters,
    EngineFacts,
    Growth,
    IoError,
    Movement,
    Observation,
    Precision,
    Reading,
    Simulation,
    Verdict,
    WorkerFacts,
)
from iodyno.verdict import CAUSES, describe, judge

POINT = make_point("database", 8)
MIB = 1 << 20


_COUNTED = {"reads", "writes", "read_bytes", "written_bytes"}


def verdict(
    point: Point = POINT,
    reading: Reading | None = None,
    observation: Observation | None = None,
    *,
    contents: str = "written",
    optimised: bool = True,
    **observed: Any,
) -> Verdict:
    reading = reading or make_reading(point)
    observation = observation or make_observation(reading, **observed)
    return judge(point, reading, observation, contents=contents, optimised=optimised)


def codes(causes: tuple[Cause, ...]) -> list[str]:
    return [cause.code for cause in causes]


def counters(reading: Reading, *, exact: bool = False, **added: int) -> DeviceCounters:
    counted = {
        name: value + added.get(name, 0)
        for name, value in reading.issued.model_dump(include=_COUNTED).items()
    }
    return DeviceCounters(device="sda", exact=exact, **counted)


def engine(**changes: Any) -> EngineFacts:
    return EngineFacts.model_validate({"name": "io_uring", "direct": True, "clock": "tsc", **changes})


def test_a_quiet_reading_that_reached_its_precision_is_steady() -> None:
    assert verdict() == Verdict(state="steady")


def test_nothing_that_could_be_watched_is_no_cause_but_no_proof_either() -> None:
    found = verdict(observation=Observation())
    assert (found.state, codes(found.notes)) == ("steady", ["device_not_counted"])


@pytest.mark.parametrize(
    ("observed", "code"),
    [
        ({"steal_share": 0.021}, "steal"),
        ({"throttled": 1}, "throttled"),
        ({"temperature_end_c": 82.0, "temperature_limit_c": 82.0}, "drive_hot"),
    ],
)
def test_what_the_machine_did_disturbs(observed: dict[str, Any], code: str) -> None:
    found = verdict(**observed)
    assert (found.state, codes(found.causes)) == ("disturbed", [code])


@pytest.mark.parametrize(
    "observed",
    [{"steal_share": 0.02}, {"throttled": 0}, {"temperature_end_c": 81.9, "temperature_limit_c": 82.0},
     {"temperature_end_c": 99.0}],
)  # fmt: skip
def test_at_the_limit_nothing_is_said(observed: dict[str, Any]) -> None:
    assert verdict(**observed).state == "steady"


def test_a_target_that_has_gone_is_named() -> None:
    found = verdict(gone=("/dev/sdb", "data"))
    assert (found.state, codes(found.causes)) == ("disturbed", ["target_gone"])
    assert describe(found.causes[0]) == "a target has gone, or another has its name now (/dev/sdb, data)"


def test_errors_disturb_and_are_counted_by_kind() -> None:
    clean = make_reading(POINT)
    failed = (
        IoError(errno=5, name="EIO", count=2, first_offset_bytes=4096),
        IoError(errno=0, name="SHORT", count=1, first_offset_bytes=0),
    )
    reading = clean.model_copy(update={"reads": clean.reads.model_copy(update={"errors": failed})})
    (cause,) = verdict(reading=reading).causes
    assert cause == Cause(code="io_errors", values={"errors": 3, "kinds": "EIO: 2, SHORT: 1"})


@pytest.mark.parametrize("stopped", ["interrupted", "failed"])
def test_a_reading_cut_short_is_disturbed(stopped: Any) -> None:
    found = verdict(reading=make_reading(POINT, stopped=stopped))
    assert (found.state, codes(found.causes)) == ("disturbed", [stopped])


def test_a_reading_of_nothing_is_disturbed() -> None:
    found = verdict(reading=make_reading(POINT, rate_io_s=0, latency_ms=0))
    assert "nothing_completed" in codes(found.causes)


# A device measured whole must agree to 1 %, a file to 5 %; under 1 MiB nothing is said.
@pytest.mark.parametrize(
    ("exact", "share", "disturbs"),
    [(True, 0.009, False), (True, 0.011, True), (False, 0.04, False), (False, 0.06, True)],
)
def test_other_io_on_the_device_disturbs_by_bytes(exact: bool, share: float, disturbs: bool) -> None:
    reading = make_reading(POINT)
    other = round(share * (reading.issued.read_bytes + reading.issued.written_bytes))
    assert other > MIB
    found = verdict(reading=reading, devices=(counters(reading, exact=exact, written_bytes=other),))
    assert codes(found.causes) == (["other_io"] if disturbs else [])


def test_a_little_other_io_is_let_pass_on_a_slow_device() -> None:
    reading = make_reading(make_point("database", 1), rate_io_s=10)
    found = verdict(
        make_point("database", 1), reading, devices=(counters(reading, written_bytes=MIB, writes=8),)
    )
    assert found.state == "steady"


def test_few_bytes_in_many_ios_disturb_a_slow_drive() -> None:
    point = make_point("database", 1)
    reading = make_reading(point, rate_io_s=100)
    found = verdict(point, reading, devices=(counters(reading, reads=100, read_bytes=100 * 4096),))
    assert codes(found.causes) == ["other_io"]


def test_requests_that_the_kernel_split_or_merged_are_not_other_io() -> None:
    reading = make_reading(POINT)
    for reads in (reading.issued.reads, -reading.issued.reads // 2):
        found = verdict(reading=reading, devices=(counters(reading, reads=reads),))
        assert (found.state, found.causes) == ("steady", ())


@pytest.mark.parametrize(
    ("times", "code"), [(8, ["merged"]), (1.3, ["merged"]), (1.2, []), (1 / 1.2, []), (1 / 2, ["split"])]
)
@pytest.mark.parametrize("way", ["reads", "writes"])
def test_ios_that_the_kernel_merged_or_split_are_noted_with_their_sizes(
    way: str, times: float, code: list[str]
) -> None:
    reading = make_reading(POINT)
    ios = getattr(reading.issued, way)
    found = verdict(reading=reading, devices=(counters(reading, **{way: round(ios / times) - ios}),))
    assert (found.state, codes(found.notes)) == ("steady", code)
    if code:
        size = 8192  # Database
        assert found.notes[0].values["asked_bytes"] == size
        assert found.notes[0].values["received_bytes"] == pytest.approx(size * times, rel=0.001)


def test_sizes_are_not_told_where_bytes_of_others_are_among_them() -> None:
    reading = make_reading(POINT)
    other = round(0.2 * reading.issued.read_bytes)
    found = verdict(
        reading=reading, devices=(counters(reading, reads=-reading.issued.reads // 2, read_bytes=other),)
    )
    assert codes(found.notes) == []


@pytest.mark.parametrize("sign", [1, -1])
def test_other_io_one_way_does_not_hide_behind_less_the_other_way(sign: int) -> None:
    reading = make_reading(POINT)
    moved = sign * reading.issued.written_bytes
    found = verdict(reading=reading, devices=(counters(reading, read_bytes=moved, written_bytes=-moved),))
    assert codes(found.causes) == ["other_io", "cache_served"]


def test_what_the_device_never_saw_was_served_from_a_cache() -> None:
    reading = make_reading(POINT)
    missing = -round(0.03 * reading.issued.read_bytes)
    found = verdict(reading=reading, devices=(counters(reading, read_bytes=missing),))
    assert (found.state, codes(found.causes)) == ("disturbed", ["cache_served"])
    slightly = -round(0.01 * reading.issued.read_bytes)
    assert verdict(reading=reading, devices=(counters(reading, read_bytes=slightly),)).state == "steady"


def test_counters_of_several_devices_add_up() -> None:
    targets = (make_target("/a"), make_target("/b"))
    point = make_point("database", 8, targets=targets)
    reading = make_reading(point)
    half = {name: value // 2 for name, value in reading.issued.model_dump(include=_COUNTED).items()}
    both = (DeviceCounters(device="sda", **half), DeviceCounters(device="sdb", **half))
    assert verdict(point, reading, devices=both).state == "steady"


def test_direct_io_asked_for_and_not_had_disturbs_but_buffered_on_request_is_a_note() -> None:
    reading = make_reading(POINT, engine=engine(direct=False))
    assert codes(verdict(reading=reading).causes) == ["not_direct"]
    buffered = make_point("database", 8, direct=False)
    nothing_counted = (DeviceCounters(device="sda", reads=0, writes=0, read_bytes=0, written_bytes=0),)
    found = verdict(buffered, make_reading(buffered), devices=nothing_counted)
    assert (found.state, codes(found.notes)) == ("steady", ["buffered"])


@pytest.mark.parametrize("name", ["null", "nop"])
def test_an_engine_that_asks_nothing_is_named_and_not_compared_with_the_device(name: str) -> None:
    reading = make_reading(POINT, engine=engine(name=name))
    found = verdict(reading=reading, observation=Observation(), contents="unknown")
    assert (found.state, codes(found.notes)) == ("steady", [f"{name}_engine"])


def test_drift_is_not_steady_with_its_figures() -> None:
    drifting = Precision(half_width=0.01, drift=0.3, range=0.25, drifting=True)
    found = verdict(reading=make_reading(POINT, precision=drifting))
    assert (found.state, found.causes) == (
        "not_steady",
        (Cause(code="drift", values={"drift": 0.3, "range": 0.25}),),
    )


def test_time_that_ran_out_is_capped_with_its_interval() -> None:
    found = verdict(reading=make_reading(POINT, stopped="cap", half_width=0.05))
    assert found.causes == (Cause(code="imprecise", values={"asked": 0.02, "half_width": 0.05}),)
    assert found.state == "capped"
    none = verdict(reading=make_reading(POINT, stopped="cap", half_width=None))
    assert (none.state, none.causes[0].values) == ("capped", {"asked": 0.02})


def test_an_interval_narrow_enough_at_the_cap_is_steady() -> None:
    assert verdict(reading=make_reading(POINT, stopped="cap", half_width=0.02)).state == "steady"


def test_the_gravest_state_wins_and_all_causes_are_listed() -> None:
    drifting = Precision(half_width=0.05, drift=0.3, range=0.25, drifting=True)
    reading = make_reading(POINT, stopped="cap", precision=drifting)
    assert verdict(reading=reading).state == "not_steady"
    found = verdict(reading=reading, steal_share=0.5)
    assert (found.state, codes(found.causes)) == ("disturbed", ["steal", "drift", "imprecise"])


def opened(point: Point, rate_io_s: float = 1000.0, **changes: int) -> Reading:
    """Make a reading of an open loop whose schedule was kept so; 3 s at 1000 IO/s."""
    reading = make_reading(point, rate_io_s=rate_io_s, latency_ms=1)
    assert reading.open_loop
    in_time = reading.completed - changes.get("held_starts", 0) - changes.get("waited_starts", 0)
    found = changes | {"start_delay": lognormal_histogram(in_time, 2000.0, spread=0.4, seed=1)}
    return reading.model_copy(update={"open_loop": reading.open_loop.model_copy(update=found)})


# Of 3000 I/Os half a percent is 15, chance √3000 = 54.8, and one: 70.8, a rate of 976.4 to 1023.6.
@pytest.mark.parametrize(
    ("rate", "backlog", "causes"),
    [(977, 0, []), (976, 0, ["overload"]), (1000, 70, []), (1000, 71, ["overload"]), (1023, 0, []),
     (1024, 0, ["catching_up"])],
)  # fmt: skip
def test_a_rate_is_kept_within_half_a_percent_and_chance_or_the_verdict_says_so(
    rate: float, backlog: int, causes: list[str]
) -> None:
    point = make_point("database", 32, rate_io_s=1000.0)
    found = verdict(point, opened(point, rate, backlog_end=backlog))
    assert (found.state, codes(found.causes)) == ("not_steady" if causes else "steady", causes)


# Half a percent of 900 I/Os is 4.5, services as irregular as arrivals by chance scatter by √900 = 30, and the
# last may be due at the end or just after it: 35.5 in all. Poisson arrivals scatter by 5 √900 = 150: 154.5.
@pytest.mark.parametrize(
    ("missing", "arrival", "causes"),
    [(35, "fixed", []), (36, "fixed", ["overload"]), (-35, "fixed", []), (-36, "fixed", ["catching_up"]),
     (154, "poisson", []), (155, "poisson", ["overload"])],
)  # fmt: skip
def test_what_is_under_way_at_the_end_is_held_against_chance(
    missing: int, arrival: str, causes: list[str]
) -> None:
    point = make_point("database", 512, rate_io_s=1000.0, arrival=arrival)
    reading = make_reading(point, rate_io_s=(900 - missing) / 0.9, latency_ms=1, measured_s=0.9)
    found = verdict(point, reading)
    assert [code for code in codes(found.causes) if code != "imprecise"] == causes


@pytest.mark.parametrize(
    ("missing", "backlog", "measured_s"),
    [(1400, 1400, 60.0), (0, 300, 10.0), (500, 500, 10.0), (500, 0, 10.0)],
)
def test_a_queue_that_grew_or_stands_is_no_chance(missing: int, backlog: int, measured_s: float) -> None:
    """At 1000 IO/s: grown evenly; left by something that has passed; a standstill of half a second, whose
    I/Os are due or under way."""
    point = make_point("database", 512, rate_io_s=1000.0)
    served = (1000 * measured_s - missing) / measured_s
    reading = make_reading(point, rate_io_s=served, latency_ms=1, measured_s=measured_s)
    assert reading.open_loop
    left = reading.open_loop.model_copy(update={"backlog_end": backlog})
    reading = reading.model_copy(update={"open_loop": left})
    assert "overload" in codes(verdict(point, reading).causes)


@pytest.mark.parametrize(("failed", "causes"), [(300, ["io_errors"]), (200, ["io_errors", "overload"])])
def test_what_failed_was_served_too(failed: int, causes: list[str]) -> None:
    point = make_point("database", 32, rate_io_s=1000.0)
    reading = opened(point, 900)
    error = IoError(errno=5, name="EIO", count=failed, first_offset_bytes=0)
    writes = reading.writes.model_copy(update={"errors": (error,)})
    found = verdict(point, reading.model_copy(update={"writes": writes}))
    assert (codes(found.causes), found.overloaded) == (causes, "overload" in causes)


@pytest.mark.parametrize(
    ("growth", "proven", "causes"),
    [(5.1, True, ["queue_grew"]), (4.9, True, []), (500, False, []), (-5.1, True, ["queue_shrank"]),
     (-4.9, True, [])],
)  # fmt: skip
def test_a_queue_that_grew_all_the_while_was_not_served(
    growth: float, proven: bool, causes: list[str]
) -> None:
    point = make_point("database", 32, rate_io_s=1000.0)
    reading = opened(point)
    assert reading.open_loop
    found = Growth(rate_io_s=growth, proven=proven)
    of_loop = reading.open_loop.model_copy(update={"growth": found})
    verdict_of = verdict(point, reading.model_copy(update={"open_loop": of_loop}))
    assert codes(verdict_of.causes) == causes
    assert verdict_of.overloaded == (growth > 0 and bool(causes))
    told = "(by 5.1 I/Os a second, 1000 of 1000 IO/s)"
    assert all(describe(cause).endswith(told) for cause in verdict_of.causes)


@pytest.mark.parametrize(
    ("growth", "proven", "causes"),
    [(5.1, True, ["cache_fills"]), (4.9, True, ["response_drift"]), (500, False, ["response_drift"]),
     (-500, True, ["response_drift"])],
)  # fmt: skip
def test_a_cache_that_fills_has_not_settled(growth: float, proven: bool, causes: list[str]) -> None:
    """It says why response times become longer; whether the rate can be served it does not say."""
    point = make_point("database", 32, rate_io_s=1000.0)
    reading = opened(point)
    assert reading.open_loop
    found = {
        "growth_with_dirty": Growth(rate_io_s=growth, proven=proven),
        "response_movement": Movement(drift=0.34, range=0.3, drifting=True),
    }
    loop = reading.open_loop.model_copy(update=found)
    verdict_of = verdict(point, reading.model_copy(update={"open_loop": loop}))
    assert (codes(verdict_of.causes), verdict_of.state) == (causes, "not_steady")
    assert not verdict_of.overloaded
    if causes == ["cache_fills"]:
        told = "(by 5.1 I/Os a second, drives kept up with 995 of 1000 IO/s)"
        assert [describe(cause)[-len(told) :] for cause in verdict_of.causes] == [told]


@pytest.mark.parametrize(
    ("growth", "drifting", "causes"),
    [(0.0, True, ["response_drift"]), (0.0, False, []), (4.9, True, ["response_drift"]),
     (5.1, True, ["queue_grew"])],
)  # fmt: skip
def test_response_times_tell_of_a_target_that_becomes_slower_and_serves_the_rate(
    growth: float, drifting: bool, causes: list[str]
) -> None:
    """A queue that grows makes them longer, and says more."""
    point = make_point("database", 32, rate_io_s=1000.0)
    reading = opened(point)
    assert reading.open_loop
    found = {
        "growth": Growth(rate_io_s=growth, proven=True),
        "response_movement": Movement(drift=0.34, range=0.3, drifting=drifting),
    }
    loop = reading.open_loop.model_copy(update=found)
    verdict_of = verdict(point, reading.model_copy(update={"open_loop": loop}))
    assert codes(verdict_of.causes) == causes
    assert verdict_of.state == ("not_steady" if causes else "steady")
    assert verdict_of.overloaded == (causes == ["queue_grew"])
    if causes == ["response_drift"]:
        told = "response times had not settled (drift 34.0%, range 30.0%)"
        assert [describe(cause) for cause in verdict_of.causes] == [told]


@pytest.mark.parametrize(
    ("start", "end", "growth", "said"),
    [(0, 600, 200, "growing by 200 a second"), (600, 600, 0, "not growing"),
     (900, 600, -100, "shrinking by 100 a second"), (595, 600, 0, "not growing")],
)  # fmt: skip
def test_a_backlog_is_told_in_ios_in_seconds_and_whether_it_grows(
    start: int, end: int, growth: float, said: str
) -> None:
    point = make_point("database", 32, rate_io_s=1000.0)
    (cause,) = verdict(point, opened(point, backlog_start=start, backlog_end=end)).causes
    assert (cause.values["backlog"], cause.values["backlog_s"]) == (600, 0.6)
    assert cause.values["growth_io_s"] == pytest.approx(growth)
    assert describe(cause).endswith(f"backlog 600 I/Os, 0.6 s at that rate, {said})")


def test_a_backlog_that_grows_slowly_does_not_grow_by_0() -> None:
    values: dict[str, float | int | str] = {
        "rate_io_s": 990.0, "asked_io_s": 1000.0, "backlog": 50, "backlog_s": 0.05, "growth_io_s": 0.3,
    }  # fmt: skip
    for growth, said in ((0.3, "growing by 0.3 a second"), (-1234.0, "shrinking by 1,230 a second")):
        told = describe(Cause(code="overload", values={**values, "growth_io_s": growth}))
        assert told.endswith(f"{said})")


def test_the_limit_of_outstanding_ios_is_said_where_it_binds() -> None:
    point = make_point("database", 32, rate_io_s=1000.0)
    notes = [codes(verdict(point, opened(point, held_starts=held)).notes) for held in (0, 30, 31)]
    assert ["outstanding_limit" in found for found in notes] == [False, False, True]


def test_starts_that_waited_for_a_write_of_their_place_are_no_matter_of_the_limit() -> None:
    point = make_point("database", 32, rate_io_s=1000.0)
    found = verdict(point, opened(point, waited_starts=1000))
    assert (found.state, codes(found.causes)) == ("steady", [])  # all starts are accounted for
    assert "outstanding_limit" not in codes(found.notes)


def test_an_open_loop_that_waits_awake_is_not_limited_by_the_host() -> None:
    point = make_point("database", 32, rate_io_s=1000.0)
    awake = {"workers": (worker(3.0, 1.0),)}
    in_time, late = opened(point), opened(point, late_starts=100, host_late_starts=100)
    found = [verdict(point, reading.model_copy(update=awake)).notes for reading in (in_time, late)]
    assert ["host_cpu" in codes(notes) for notes in found] == [False, True]
    overloaded = opened(point, 900).model_copy(update=awake)
    assert "host_cpu" in codes(verdict(point, overloaded).notes)


def test_chance_is_no_overload_where_arrivals_are_random() -> None:
    # 3000 arrivals have a standard deviation of 55; 100 fewer are chance, 500 fewer are not.
    point = make_point("database", 32, rate_io_s=1000.0, arrival="poisson")
    for missing, state in ((100, "steady"), (500, "not_steady")):
        reading = make_reading(point, rate_io_s=(3000 - missing) / 3, latency_ms=1)
        assert verdict(point, reading).state == state


def test_starts_that_the_host_delayed_are_a_note() -> None:
    point = make_point("database", 32, rate_io_s=1000.0)
    for late, noted in ((30, False), (31, True)):
        reading = opened(point, late_starts=1000, held_starts=900, host_late_starts=late)
        notes = {note.code: note.values for note in verdict(point, reading).notes}
        assert ("late_starts" in notes) is noted
    assert notes["late_starts"] == {"late": 31, "completed": reading.completed}


def test_a_depth_beyond_what_the_device_and_the_kernel_hold_is_a_note() -> None:
    point = make_point("database", 512)
    found = verdict(point, make_reading(point), device_tags=128, queue_requests=256)
    assert found.notes == (
        Cause(code="beyond_tags", values={"outstanding": 512, "tags": 128}),
        Cause(code="beyond_requests", values={"outstanding": 512, "requests": 256}),
    )
    assert verdict(point, make_reading(point), device_tags=512, queue_requests=512).notes == ()


def test_the_depth_of_a_device_is_that_of_the_targets_on_it() -> None:
    targets = (make_target("/a"), make_target("/b"))
    point = make_point("database", 64, workers=2, targets=targets)
    reading = make_reading(point)
    assert codes(verdict(point, reading, device_tags=255).notes) == ["beyond_tags"]
    half = {name: value // 2 for name, value in reading.issued.model_dump(include=_COUNTED).items()}
    apart = (DeviceCounters(device="sda", **half), DeviceCounters(device="sdb", **half))
    assert verdict(point, reading, devices=apart, device_tags=255).notes == ()


def test_kernel_workers_are_a_note() -> None:
    assert codes(verdict(kernel_workers=3).notes) == ["kernel_workers"]


def worker(cpu_s: float, depth: float) -> WorkerFacts:
    return WorkerFacts(cpu_s=cpu_s, elapsed_s=3.0, system_calls=1, io_time_s=depth * 3.0)


def test_a_host_that_is_the_limit_is_named() -> None:
    assert codes(verdict(reading=make_reading(POINT, workers=(worker(2.85, 8),))).notes) == ["host_cpu"]
    assert verdict(reading=make_reading(POINT, workers=(worker(2.8, 8),))).notes == ()
    assert codes(verdict(busy_share=0.96).notes) == ["host_busy"]


@pytest.mark.parametrize(
    ("place", "kind", "cpu_s", "said"),
    [
        ("host_cpu", "saturated", 2.9, [0.92]),
        ("host_cpu", "saturated", 1.5, [0.92]),
        ("host_cpu", "outstanding", 2.9, []),
        ("controller_cpu", "saturated", 2.9, []),
    ],
)
def test_the_host_limits_a_simulation_where_its_bottleneck_says_so(
    place: str, kind: Literal["saturated", "outstanding"], cpu_s: float, said: list[float]
) -> None:
    """Whatever its workers say: the paper counts such points by the bottleneck too."""
    limit = Bottleneck(station="it", place=place, utilisation=0.92, kind=kind)
    told = {
        "simulation": Simulation(model_version=1, virtual_s=1, events=9, bottleneck=limit),
        "engine": engine(name="simulator", clock="virtual"),
    }
    reading = make_reading(POINT, workers=(worker(cpu_s, 8),)).model_copy(update=told)
    shares = [note.values["share"] for note in verdict(POINT, reading).notes if note.code == "host_cpu"]
    assert shares == said


def test_what_a_load_beside_has_is_told_as_its_own() -> None:
    """A worker that is busy for another load does not make the host the limit of the first."""
    whole = at_once()
    for place, said in ((0, 0), (1, 1)):
        loads = list(whole.reading.loads)
        loads[place] = loads[place].model_copy(update={"workers": (worker(2.9, 8),), "open_loop": None})
        # Streaming is offered a rate, and waits awake: only one that is behind tells of the host.
        point = whole.point
        if place:
            beside = point.beside[0].model_copy(update={"rate_io_s": None})
            point = point.model_copy(update={"beside": (beside, *point.beside[1:])})
        reading = whole.reading.model_copy(update={"loads": tuple(loads)})
        (note,) = [note for note in verdict(point, reading).notes if note.code == "host_cpu"]
        assert note.load == said


def test_a_load_beside_that_is_not_served_is_no_overload_of_the_first() -> None:
    whole = at_once(rate_io_s=4000.0)
    assert verdict(whole.point, whole.reading).state == "steady"
    slow = whole.point.beside[0].model_copy(update={"rate_io_s": 200.0})
    point = whole.point.model_copy(update={"beside": (slow, *whole.point.beside[1:])})
    found = verdict(point, whole.reading)
    assert [(cause.code, cause.load) for cause in found.causes] == [("overload", 1)]
    assert (found.state, found.overloaded) == ("not_steady", False)


def test_a_depth_that_was_not_reached_is_named() -> None:
    latency_ms = 7.5 / make_reading(POINT).transaction_rate_io_s * 1000
    reading = make_reading(POINT, latency_ms=latency_ms)
    (note,) = verdict(reading=reading).notes
    assert note.code == "depth_not_reached"
    assert note.values == {"reached": pytest.approx(7.5), "asked": 8}


@pytest.mark.parametrize(
    ("completed", "percentile"), [(999, "p99"), (1000, "p99.9"), (9999, "p99.9"), (10_000, None)]
)
def test_too_few_ios_for_a_percentile_are_noted(completed: int, percentile: str | None) -> None:
    notes = verdict(reading=make_reading(POINT, rate_io_s=completed / 3)).notes
    assert [note.values["percentile"] for note in notes] == ([percentile] if percentile else [])


@pytest.mark.parametrize("contents", ["unknown", "never_written", "partly_zero"])
def test_reading_what_was_not_seen_written_is_noted(contents: str) -> None:
    assert codes(verdict(contents=contents).notes) == ["contents_not_written"]
    writing = make_point("restore", 8)
    assert verdict(writing, make_reading(writing), contents=contents).notes == ()


def test_an_unoptimised_build_and_a_drifting_clock_are_noted() -> None:
    assert codes(verdict(optimised=False).notes) == ["unoptimised"]
    drifted = make_reading(POINT, engine=engine(clock_drift_ppm=-600.0))
    assert codes(verdict(reading=drifted).notes) == ["clock_drift"]


def test_every_code_that_is_used_has_a_meaning_and_a_text() -> None:
    point = make_point("database", 512)
    drifting = Precision(half_width=None, drift=0.3, range=0.25, drifting=True)
    reading = make_reading(
        point, stopped="cap", rate_io_s=100, latency_ms=1, precision=drifting, workers=(worker(3.0, 600),),
        engine=engine(clock_drift_ppm=1e4),
    )  # fmt: skip
    unwritten = counters(reading, read_bytes=10 * MIB, writes=99, written_bytes=-reading.issued.written_bytes)
    found = verdict(
        point, reading, contents="unknown", optimised=False, steal_share=0.1, throttled=2, kernel_workers=1,
        temperature_end_c=90.0, temperature_limit_c=80.0, queue_requests=256, busy_share=0.99,
        devices=(unwritten,),
    )  # fmt: skip
    causes = found.causes + found.notes
    assert len(causes) > 14
    assert {cause.code for cause in causes} <= CAUSES.keys()
    for cause in causes:
        text = describe(cause)
        assert text.startswith(CAUSES[cause.code])
        assert "{" not in text
