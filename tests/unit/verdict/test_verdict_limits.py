"""Where a verdict on what devices counted and what was checked turns: the limits of ``verdict/limits.py``."""

from __future__ import annotations

from typing import Any

import pytest

from factories import lognormal_histogram, make_observation, make_point, make_profile, make_reading
from iodyno.corruption import Findings, Integrity
from iodyno.plan import Point
from iodyno.reading import (
    Bottleneck,
    Cause,
    DeviceCounters,
    Direction,
    EngineFacts,
    IoError,
    Observation,
    Reading,
    Rebuilding,
    Simulation,
    StopReason,
    TargetReading,
    WorkerFacts,
)
from iodyno.report.messages import Messages
from iodyno.report.sentences.causes import details
from iodyno.verdict import describe, judge

POINT = make_point("database", 8)
KIB = 1 << 10
MIB = 1 << 20


def told(point: Point, reading: Reading, observation: Observation) -> tuple[list[str], list[str]]:
    """Give the codes of causes and notes."""
    found = judge(point, reading, observation, contents="written", optimised=True)
    return [cause.code for cause in found.causes], [note.code for note in found.notes]


def counted(reading: Reading, *, exact: bool = False, **added: int) -> Observation:
    names = ("reads", "writes", "read_bytes", "written_bytes")
    values = {name: getattr(reading.issued, name) + added.get(name, 0) for name in names}
    return Observation(devices=(DeviceCounters(device="sda", exact=exact, **values),))


def slow(**issued: int) -> Reading:
    """Make a reading of 300 I/Os in 3 s: 5 % of it is far below the floors, of bytes and of I/Os."""
    reading = make_reading(POINT, rate_io_s=100)
    return reading.model_copy(update={"issued": reading.issued.model_copy(update=issued)})


@pytest.mark.parametrize(("more", "disturbs"), [(64, False), (65, True)])
@pytest.mark.parametrize("split", [0, 10])
def test_so_many_ios_are_let_pass_whatever_their_share(more: int, disturbs: bool, split: int) -> None:
    reading = slow()
    added = {"reads": more - split, "writes": split, "read_bytes": more * 4096}
    assert ("other_io" in told(POINT, reading, counted(reading, exact=False, **added))[0]) is disturbs


@pytest.mark.parametrize(("size", "disturbs"), [(4095, False), (4096, True)])
def test_ios_below_a_page_are_requests_that_were_split(size: int, disturbs: bool) -> None:
    reading = slow()
    observed = counted(reading, reads=100, read_bytes=100 * size)
    assert ("other_io" in told(POINT, reading, observed)[0]) is disturbs


@pytest.mark.parametrize(("share", "disturbs"), [(0.04, False), (0.06, True)])
def test_many_ios_are_those_above_a_share_of_all_that_were_issued(share: float, disturbs: bool) -> None:
    reading = make_reading(POINT)
    issued = reading.issued.reads + reading.issued.writes
    more = round(share * issued)
    # Of 4 KiB each they are half as many bytes as of 8 KiB: below the share, and no sign by themselves.
    observed = counted(reading, reads=more, read_bytes=more * 4096)
    assert ("other_io" in told(POINT, reading, observed)[0]) is disturbs


@pytest.mark.parametrize("way", ["syncs", "write through"])
@pytest.mark.parametrize(("more", "disturbs"), [(0, False), (1, True)])
def test_a_journal_may_write_for_each_sync(way: str, more: int, disturbs: bool) -> None:
    """64 KiB in 16 I/Os for each of the syncs, or of the writes where each is durable."""
    commits = 50
    reading = slow(syncs=commits) if way == "syncs" else slow()
    if way == "write through":
        commits = reading.issued.writes
        facts = EngineFacts(name="io_uring", direct=True, clock="tsc", write_through=True)
        reading = reading.model_copy(update={"engine": facts})
    journal = {"writes": 16 * commits + 64 + more, "written_bytes": 64 * KIB * commits + MIB * 3 // 4}
    assert ("other_io" in told(POINT, reading, counted(reading, exact=False, **journal))[0]) is disturbs
    # A device that is measured whole has no file system to write one.
    assert "other_io" in told(POINT, reading, counted(reading, exact=True, **journal))[0]


@pytest.mark.parametrize("way", ["syncs", "write through"])
def test_a_journal_may_write_so_many_bytes(way: str) -> None:
    reading = slow(syncs=50) if way == "syncs" else slow()
    commits = 50
    if way == "write through":
        commits = reading.issued.writes
        facts = EngineFacts(name="io_uring", direct=True, clock="tsc", write_through=True)
        reading = reading.model_copy(update={"engine": facts})
    for more, disturbs in ((MIB, False), (MIB + 1, True)):
        observed = counted(reading, writes=commits, written_bytes=64 * KIB * commits + more)
        assert ("other_io" in told(POINT, reading, observed)[0]) is disturbs


def test_data_that_came_back_right_disturb_nothing() -> None:
    sound = Integrity(session=9, unit_bytes=4096, targets=("/dev/x",), load=Findings(checked_bytes=4096))
    reading = make_reading(POINT, integrity=sound)
    assert told(POINT, reading, make_observation(reading)) == ([], ["verified"])


@pytest.mark.parametrize(("above", "noted"), [(0, False), (1, True)])
def test_writes_that_wait_for_others_are_noted_above_a_hundredth(above: int, noted: bool) -> None:
    reading = make_reading(POINT)
    waited = reading.issued.writes // 100 + above
    load = Findings(checked_bytes=4096, waited=waited)
    integrity = Integrity(session=9, unit_bytes=4096, targets=("/dev/x",), load=load)
    made = reading.model_copy(update={"integrity": integrity})
    assert ("waited" in told(POINT, made, make_observation(made))[1]) is noted


@pytest.mark.parametrize("engine", [{"name": "null"}, {"name": "io_uring", "direct": False}])
def test_sizes_are_told_of_direct_io_on_devices_alone(engine: dict[str, Any]) -> None:
    facts = EngineFacts.model_validate({"direct": True, "clock": "tsc", **engine})
    reading = make_reading(POINT, engine=facts)
    merged = counted(reading, reads=-reading.issued.reads // 2)
    assert "merged" not in told(POINT, reading, merged)[1]


def test_of_a_direction_that_the_device_did_not_count_no_size_is_told() -> None:
    reading = slow(read_bytes=0, reads=10)
    observed = counted(reading, reads=-10)
    assert {"merged", "split"}.isdisjoint(told(POINT, reading, observed)[1])


@pytest.mark.parametrize("awake", [{"iopoll": True}, {"profile": {"think_time_us": 50.0, "think_every": 1}}])
def test_a_worker_that_waits_awake_is_not_the_limit(awake: dict[str, Any]) -> None:
    changes = {**awake}
    profile = make_profile("database", **changes.pop("profile", {}))
    busy = WorkerFacts(cpu_s=3.0, elapsed_s=3.0, system_calls=1, io_time_s=24.0)
    plain = make_reading(POINT, workers=(busy,))
    assert "host_cpu" in told(POINT, plain, make_observation(plain))[1]
    point = make_point(profile, 8, **changes)
    reading = make_reading(point, workers=(busy,))
    assert "host_cpu" not in told(point, reading, make_observation(reading))[1]


# 3 s are measured: a tenth is 300 ms, and of more than 10 s one second is told in any case.
@pytest.mark.parametrize(
    ("measured_s", "longest_ms", "took_ms", "noted"),
    [(3.0, 1, 299, False), (3.0, 1, 301, True), (3.0, 200, 399, False), (3.0, 200, 401, True),
     (60.0, 1, 999, False), (60.0, 1, 1001, True)],
)  # fmt: skip
@pytest.mark.parametrize("rate_io_s", [None, 1000.0])
def test_an_end_that_fell_into_a_standstill_is_noted(
    measured_s: float, longest_ms: float, took_ms: float, noted: bool, rate_io_s: float | None
) -> None:
    point = make_point("database", 512, rate_io_s=rate_io_s)
    made = make_reading(point, rate_io_s=1000, latency_ms=longest_ms / 10, measured_s=measured_s)
    longest_ns = made.latency.max_ns
    changes: dict[str, Any] = {"drained_max_ns": round(took_ms * 1e6)}
    if longest_ms > 1:
        # A sync that was counted shows how long the device can take, as an access does.
        syncs = lognormal_histogram(1, longest_ms * 1e6, spread=0.0)
        changes["syncs"] = Direction(completed=1, latency=syncs)
        longest_ns = syncs.max_ns
    assert longest_ns / 1e6 == pytest.approx(longest_ms, rel=0.1) or longest_ms == 1
    reading = made.model_copy(update=changes)
    notes = judge(point, reading, make_observation(reading), contents="written", optimised=True).notes
    found = [note for note in notes if note.code == "stall_at_end"]
    assert bool(found) is noted
    for note in found:
        assert note.values == {"took_ms": took_ms, "counted_ms": longest_ns / 1e6}
        assert describe(note).endswith(f"(up to {took_ms} ms, the longest counted {longest_ns / 1e6:.3g} ms)")


def test_the_note_of_a_standstill_says_how_many_were_under_way() -> None:
    """Of one of 512 a device stood still for one; of all of them it stood still."""
    reading = make_reading(POINT, latency_ms=0.1, measured_s=3.0)
    stood = reading.model_copy(update={"drained": 1512, "drained_max_ns": 400_000_000})
    notes = judge(POINT, stood, make_observation(stood), contents="written", optimised=True).notes
    (note,) = (note for note in notes if note.code == "stall_at_end")
    assert note.values["under_way"] == 1512
    assert "(1,512 under way, up to 400 ms, the longest counted " in describe(note)
    for language, said in (
        ("en", "1,512 under way, up to 400 ms, the longest counted "),
        ("de", "1.512 liefen noch, bis zu 400 ms, das längste gezählte "),
        ("ja", "実行中 1,512 件、最大 400 ms、"),
    ):
        assert said in details(Messages(language), note).replace("\u00a0", " ")


# 512 outstanding and 50 IO/s are 10.24 s by Little's law: 5 s are 0.49 rounds. Of 8 at 10 a second 3 s are
# 3.75 rounds, and 13 s are 16.25 of them. A mean of 0.7 s is 12.5 % short of 8 ÷ 10.
FEW = "times as many as outstanding; outstanding ÷ rate is"


@pytest.mark.parametrize(
    ("outstanding", "rate_io_s", "measured_s", "latency_ms", "said"),
    [(512, 50, 5.0, 4680, f"counted were 0.488 {FEW} 10,240 ms"),
     (8, 10, 3.0, 800, f"counted were 3.75 {FEW} 800 ms"),
     (8, 10, 13.0, 700, "rate × mean latency is 7, 8 were outstanding; outstanding ÷ rate is 800 ms"),
     (8, 10, 13.0, 800, None), (8, 1000, 3.0, 8, None)],
)  # fmt: skip
@pytest.mark.parametrize("offered", [False, True])
def test_a_time_that_is_short_beside_the_latencies_is_noted(
    outstanding: int, rate_io_s: int, measured_s: float, latency_ms: float, said: str | None, offered: bool
) -> None:
    point = make_point("database", outstanding, rate_io_s=float(rate_io_s) if offered else None)
    reading = keeping(outstanding, make_reading(point, rate_io_s=rate_io_s, latency_ms=latency_ms,
                                                measured_s=measured_s))  # fmt: skip
    notes = judge(point, reading, make_observation(reading), contents="written", optimised=True).notes
    found = [note for note in notes if note.code in ("few_rounds", "cut_at_ends")]
    assert len(found) == (said is not None)
    for note in found:
        assert (note.code == "few_rounds") is (FEW in str(said))
        assert f"({said})" in describe(note)
    failed = reading.model_copy(
        update={
            "reads": reading.reads.model_copy(
                update={"errors": (IoError(errno=5, name="EIO", count=1, first_offset_bytes=0),)}
            )
        }
    )
    virtual = reading.model_copy(
        update={"engine": EngineFacts(name="simulator", direct=True, clock="virtual")}
    )
    assert not {"few_rounds", "cut_at_ends"} & {*told(point, failed, make_observation(failed))[1]}
    # A simulation ends at its cap too, and then of a slow load beside a fast one little is counted.
    notes = judge(point, virtual, make_observation(virtual), contents="written", optimised=True).notes
    few = [note for note in found if note.code == "few_rounds"]
    assert [note for note in notes if note.code in ("few_rounds", "cut_at_ends")] == few


@pytest.mark.parametrize(
    ("ended", "said"),
    [(60, f"b: counted were 3.75 {FEW} 800 ms"), (0, "b: nothing of it came back"), (160, None)],
)
@pytest.mark.parametrize("changes", [{}, {"rate_io_s": 1000.0}, {"think_time_us": 5}])
def test_a_time_that_is_short_beside_the_latencies_of_one_target_is_noted(
    ended: int, said: str | None, changes: dict[str, Any]
) -> None:
    """16 are outstanding on each, by two workers: 60 are 3.75 rounds, and in 3 s one lasts 0.8 s."""
    one = make_point("database", 8)
    both = tuple(target.model_copy(update={"path": name}) for target in one.targets for name in "ab")
    asked: dict[str, Any] = {"targets": both, "workers": 2, "rate_io_s": changes.get("rate_io_s")}
    if "think_time_us" in changes:
        asked["profile"] = one.profile.model_copy(update=changes)
    point = one.model_copy(update=asked)
    made = keeping(32, make_reading(point, rate_io_s=10_000, latency_ms=3.2, measured_s=3.0))
    each = (
        TargetReading(reads=made.completed - ended),
        TargetReading(reads=ended // 3, syncs=ended - ended // 3),
    )
    reading = made.model_copy(update={"per_target": each})
    notes = judge(point, reading, make_observation(reading), contents="written", optimised=True).notes
    found = [note for note in notes if note.code == "few_rounds"]
    assert len(found) == (said is not None and not changes)
    for note in found:
        assert f"({said})" in describe(note)
        for language, words in (("en", str(said).split(" times")[0]), ("de", "b: "), ("ja", "b")):
            assert words in details(Messages(language), note)


def keeping(outstanding: int, reading: Reading) -> Reading:
    """Give a reading workers that keep so many outstanding."""
    workers = (WorkerFacts(cpu_s=0, elapsed_s=1, system_calls=1, io_time_s=outstanding),)
    return reading.model_copy(update={"workers": workers})


# One outstanding and 100,000 I/Os in 10 s: of 0.08 ms each, rate × mean latency is 0.8. What was under way at
# the end for 2 s makes up for it, for 1.1 s does not, and 0.5 s are no standstill. Of 0.13 ms it is 1.3: one
# was under way for 3 s when the measured part began.
@pytest.mark.parametrize(
    ("latency_ms", "under_way_s", "notes"),
    [(0.08, 2.0, ["stall_at_end"]), (0.08, 0.5, ["cut_at_ends"]),
     (0.08, 1.1, ["stall_at_end", "cut_at_ends"]), (0.13, 2.0, ["stall_at_end", "cut_at_ends"]),
     (0.09, 0.9, ["cut_at_ends"]), (0.13, 0.0, ["cut_at_ends"]), (0.1, 0.5, [])],
)  # fmt: skip
def test_what_the_ends_cut_of_many_ios_is_no_short_time(
    latency_ms: float, under_way_s: float, notes: list[str]
) -> None:
    point = make_point("database", 1)
    made = make_reading(point, rate_io_s=10_000, latency_ms=latency_ms, measured_s=10.0)
    ended = {"drained": 1, "drained_max_ns": round(under_way_s * 1e9)}
    reading = keeping(1, made.model_copy(update=ended))
    assert told(point, reading, make_observation(reading))[1] == notes


@pytest.mark.parametrize(
    ("drained", "notes"),
    [(1, ["stall_at_end", "cut_at_ends"]), (8, ["stall_at_end"]), (None, ["stall_at_end"])],
)
def test_a_standstill_explains_what_was_under_way_then(drained: int | None, notes: list[str]) -> None:
    """Of 8 outstanding rate × mean latency is 7.2: 0.4 is let pass. One that was under way for 2 of 10 s
    makes up for 0.2 of the rest, all 8 for 1.6; of an earlier reading it is not known how many were."""
    made = make_reading(POINT, rate_io_s=10_000, latency_ms=0.72, measured_s=10.0)
    ended = {"drained_max_ns": 2 * 10**9} | ({} if drained is None else {"drained": drained})
    reading = keeping(8, made.model_copy(update=ended))
    assert told(POINT, reading, make_observation(reading))[1] == notes


@pytest.mark.parametrize(("due", "said"), [(2, []), (3, ["rebuild_stopped"])])
@pytest.mark.parametrize("measured_s", [0.5, 3.0])
def test_a_rebuild_may_lack_two_steps_of_what_was_due(due: int, said: list[str], measured_s: float) -> None:
    """Of 256 KiB each, beside a twentieth: of three 1.85 are missed, of two 0.9, were the limit one."""
    reading = make_reading(POINT, measured_s=measured_s)
    asked = due * 256 * KIB / measured_s
    rebuild = Rebuilding(volume="v", asked_bytes_s=asked, bytes_s=0, member_bytes=MIB)
    limit = Bottleneck(station=None, place="drive_media", utilisation=0.5, kind="outstanding")
    simulation = Simulation(model_version=1, virtual_s=1, events=9, bottleneck=limit, rebuilds=(rebuild,))
    facts = EngineFacts(name="simulator", direct=True, clock="virtual")
    reading = reading.model_copy(update={"simulation": simulation, "engine": facts})
    assert told(POINT, reading, Observation())[1] == ["simulated", *said]


def test_a_flush_that_is_counted_as_a_write_has_no_size() -> None:
    """Nothing was written, and the device counts a write without data: there is no size to compare."""
    point = make_point("streaming", 8)
    reading = make_reading(point)
    assert told(point, reading, counted(reading, exact=True, writes=1)) == ([], [])


@pytest.mark.parametrize(("share", "noted"), [(0.949, False), (0.95, True)])
def test_a_host_is_busy_from_its_limit_on(share: float, noted: bool) -> None:
    reading = make_reading(POINT)
    observed = make_observation(reading, busy_share=share)
    assert ("host_busy" in told(POINT, reading, observed)[1]) is noted


@pytest.mark.parametrize("half_width", [None, 0.5])
def test_a_reading_that_did_not_end_at_its_cap_is_as_precise_as_was_asked(half_width: float | None) -> None:
    """One that ends at a number of I/Os, or at a precision of its own, was not short of time."""
    ends: dict[StopReason, list[str]] = {"cap": ["imprecise"], "precise": []}
    for stopped, causes in ends.items():
        reading = make_reading(POINT, stopped=stopped, half_width=half_width)
        assert told(POINT, reading, make_observation(reading))[0] == causes


def test_figures_of_notes_are_no_powers_of_ten() -> None:
    values = {"expected": 1234.5, "depth": 102_345.0, "littles_ms": 1_234_567.0}
    said = "rate × mean latency is 1,230, 102,000 were outstanding; outstanding ÷ rate is 1,235,000 ms"
    note = Cause(code="cut_at_ends", values=values)
    assert f"({said})" in describe(note)
    for language, start in (("en", "rate × mean"), ("de", "Rate × mittlere"), ("ja", "レート × 平均")):
        told_so = details(Messages(language), note)
        assert told_so.startswith(start)
        assert "e+" not in told_so


def test_a_standstill_is_told_of_what_was_measured_and_completed() -> None:
    nothing = make_reading(POINT, rate_io_s=0, latency_ms=0).model_copy(update={"drained_max_ns": 10**10})
    assert "stall_at_end" not in told(POINT, nothing, make_observation(nothing))[1]
    facts = EngineFacts(name="simulator", direct=True, clock="virtual")
    virtual = make_reading(POINT, engine=facts).model_copy(update={"drained_max_ns": 10**10})
    assert "stall_at_end" not in told(POINT, virtual, Observation())[1]


@pytest.mark.parametrize("way", ["syncs", "write through"])
@pytest.mark.parametrize("counted_as_writes", [True, False])
def test_flushes_that_the_kernel_counts_as_writes_are_no_split(way: str, counted_as_writes: bool) -> None:
    point = make_point("random-write-4k", 8)
    reading = make_reading(point)
    writes = reading.issued.writes
    if way == "syncs":
        reading = reading.model_copy(update={"issued": reading.issued.model_copy(update={"syncs": writes})})
    else:
        facts = EngineFacts(name="io_uring", direct=True, clock="tsc", write_through=True)
        reading = reading.model_copy(update={"engine": facts})
    flushes = writes if counted_as_writes else 0
    assert told(point, reading, counted(reading, exact=True, writes=flushes))[1] == []


def test_of_a_split_beside_flushes_the_size_without_them_is_told() -> None:
    point = make_point("random-write-4k", 8)
    reading = make_reading(point)
    writes = reading.issued.writes
    reading = reading.model_copy(update={"issued": reading.issued.model_copy(update={"syncs": writes})})
    observed = counted(reading, exact=True, writes=2 * writes)
    (note,) = judge(point, reading, observed, contents="written", optimised=True).notes
    assert (note.code, note.values) == ("split", {"asked_bytes": 4096, "received_bytes": 2048})


@pytest.mark.parametrize(("more", "noted"), [(0, False), (30, True)])
def test_what_a_file_system_writes_for_each_sync_is_no_split(more: int, noted: bool) -> None:
    """A flush and 16 I/Os of its journal for each of 100 syncs; a quarter as many again as the writes is a
    split."""
    point = make_point("restore", 8)
    reading = make_reading(point, rate_io_s=100)
    reading = reading.model_copy(update={"issued": reading.issued.model_copy(update={"syncs": 100})})
    added = 17 * 100 + reading.issued.writes * more // 100
    assert ("split" in told(point, reading, counted(reading, writes=added))[1]) is noted


def test_a_loop_device_through_the_page_cache_disturbs_direct_io() -> None:
    reading = make_reading(POINT)
    observed = make_observation(reading, page_cached=("loop3", "loop4"))
    found = judge(POINT, reading, observed, contents="written", optimised=True)
    assert (found.state, [cause.code for cause in found.causes]) == ("disturbed", ["page_cache"])
    assert describe(found.causes[0]).endswith("direct I/O ends there (loop3, loop4)")
    buffered = make_point("database", 8, direct=False)
    assert told(buffered, make_reading(buffered), observed) == ([], ["buffered"])


def test_only_what_was_asked_to_go_to_a_device_is_missed_there() -> None:
    """I/O that went through a cache all the same is not held against counters of a device."""
    point = make_point("database", 8)
    reading = make_reading(point)
    assert reading.engine.direct
    for direct, expected in ((True, True), (False, False)):
        engine = reading.engine.model_copy(update={"direct": direct})
        found = judge(
            point, reading.model_copy(update={"engine": engine}), Observation(), contents="written",
            optimised=True,
        )  # fmt: skip
        assert ("device_not_counted" in [note.code for note in found.notes]) is expected
