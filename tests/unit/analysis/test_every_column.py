"""Each column of each table, of results whose figures are known: worked out by hand, beside the tables."""

from __future__ import annotations

from typing import Any

import pytest

from factories import make_point, make_reading, make_result, make_target, one_value
from iodyno.analysis.rows import Row, histogram_rows, point_rows, series_rows, target_rows
from iodyno.corruption import Findings, Integrity
from iodyno.histogram import Histogram
from iodyno.plan import Point, RateShare
from iodyno.profiles import LoadProfile
from iodyno.reading import (
    Bottleneck,
    Cause,
    Direction,
    EngineFacts,
    Growth,
    IoError,
    Movement,
    OpenLoop,
    PointResult,
    Precision,
    Reading,
    Rebuilding,
    Series,
    Simulation,
    Split,
    Station,
    TargetReading,
    WorkerFacts,
)

MIB = 1 << 20
NS = 1e6
"""In a ms."""


def times(counts: dict[int, int]) -> Histogram:
    """Give so many I/Os of each of several latencies below 256 ns, where a bucket is one value."""
    return Histogram.merged(one_value(count, value) for value, count in counts.items())


def failed(count: int) -> tuple[IoError, ...]:
    return (IoError(errno=5, name="EIO", count=count, first_offset_bytes=0),)


LATE_TRIMS = {30: 12_000, 40: 2_700, 50: 250, 60: 49, 70: 1}
ANSWERED_TRIMS = {130: 12_900, 140: 1_850, 150: 250}
READS = Direction(
    completed=120_000,
    bytes=120_000 * 4096,
    latency=one_value(120_000, 10),
    response_time=one_value(120_000, 110),
    errors=failed(2),
)
WRITES = Direction(
    completed=65_000,
    bytes=65_000 * 8192,
    latency=one_value(65_000, 20),
    response_time=one_value(65_000, 120),
    errors=failed(3),
)
TRIMS = Direction(completed=15_000, latency=times(LATE_TRIMS), response_time=times(ANSWERED_TRIMS))
SYNCS = Direction(completed=2_000, latency=times({80: 1_900, 90: 100}), errors=failed(4))
"""200,000 accesses in 2 s: of a thousand the greatest, and so on, each fall into another bucket."""

SERIES = Series(
    window_s=0.1, measured_from=1,
    reads=(1, 30, 0), writes=(2, 40, 0), trims=(3, 10, 0), syncs=(4, 5, 0),
    read_bytes=(MIB, 3 * MIB, 0), written_bytes=(MIB, 5 * MIB, 0),
    latency_sum_ns=(600, 160_000_000, 0), p99_ns=(150, 4_000_000, 0), max_ns=(160, 5_000_000, 0),
    response_sum_ns=(1200, 480_000_000, 0), response_p99_ns=(250, 7_000_000, 0),
    response_max_ns=(260, 8_000_000, 0), backlog=(0, 17, 18), under_way=(6, 12, 11),
)  # fmt: skip


def scheduled_point(**changes: Any) -> Point:
    profile = LoadProfile(
        name="mine", version=3, random_share=0.25, write_random_share=0.75, random_every=6,
        gap_bytes=8192, read_share=0.6, trim_share=0.1, fsync_every=32, fdatasync_every=8,
        blocks=[{"bytes": 4096, "weight": 1}], write_blocks=[{"bytes": 8192, "weight": 1}],
        distribution="zipf:1.1", write_distribution="zipf:1.2",
        data_compressible_share=0.3, data_duplicate_share=0.2, think_time_us=0, think_every=1,
    )  # fmt: skip
    area = {"area_start_bytes": 1 << 20, "area_length_bytes": 1 << 30}
    values: dict[str, Any] = {
        "index": 7, "sweep": "load", "workers": 2, "workers_area": "own", "rate_io_s": 100_500.0,
        "rate_from": RateShare(of=(0,), share=0.8), "begins_after_s": 1.5, "seed": 12345,
        "direct": False, "write_through": True, "verify": True,
        "targets": [make_target("/a", **area), make_target("/b", **area)],
    }  # fmt: skip
    return make_point(profile, 3, **{**values, **changes})


def worker(cpu_s: float, io_time_s: float, *cpus: int) -> WorkerFacts:
    return WorkerFacts(cpus=cpus, cpu_s=cpu_s, elapsed_s=2.0, system_calls=1, io_time_s=io_time_s)


def scheduled_reading(point: Point, **changes: Any) -> Reading:
    values: dict[str, Any] = {
        "engine": EngineFacts(name="aio", direct=False, write_through=True, clock="tsc"),
        "warmup_s": 0.5, "measured_s": 2.0, "stopped": "cap",
        "reads": READS, "writes": WRITES, "trims": TRIMS, "syncs": SYNCS, "series": SERIES,
        "precision": Precision(half_width=0.012, confidence=0.99),
        "workers": (worker(0.5, 4.0, 4), worker(1.5, 12.0, 0, 1)),
        "open_loop": OpenLoop(
            rate_asked_io_s=100_500.0, late_starts=11, host_late_starts=14, held_starts=12, waited_starts=13,
            start_delay=times({5: 985, 7: 15}), backlog_start=15, backlog_end=16,
            growth=Growth(rate_io_s=-2.5, proven=False),
            response_movement=Movement(drift=-0.03, range=0.05, drifting=False),
        ),
        "integrity": Integrity(
            session=1, unit_bytes=4096, targets=("/a", "/b"), load=Findings(counts={"torn": 2, "lost": 1})
        ),
    }  # fmt: skip
    return make_reading(point, rate_io_s=1.0, **{**values, **changes})


def scheduled(**of_reading: Any) -> PointResult:
    """An open loop of reads, writes, trims and syncs on two targets, verified, with all that goes wrong."""
    point = scheduled_point()
    return make_result(
        point,
        reading=scheduled_reading(point, **of_reading),
        state="disturbed",
        causes=[Cause(code="steal"), Cause(code="io_errors")],
        notes=[Cause(code="buffered")],
        started_at="2026-01-02T03:04:05Z",
    )


def test_each_column_of_an_open_loop() -> None:
    result = scheduled()
    (row,) = point_rows([result])
    hash_of_it = row.pop("config_hash")
    assert hash_of_it == result.point.config_hash
    # 200,000 accesses and 120,000 × 4 KiB + 65,000 × 8 KiB in 2 s; 3 outstanding × 2 workers × 2 targets.
    assert row == {
        "point": 7, "sweep": "load", "profile": "mine", "outstanding": 3, "workers": 2,
        "outstanding_total": 12, "rate_asked_io_s": 100_500.0, "targets": "/a /b",
        "area_start_bytes": 1 << 20, "area_length_bytes": 1 << 30, "profile_version": 3,
        "random_share": 0.25, "write_random_share": 0.75, "random_every": 6, "gap_bytes": 8192,
        "cursors": "own", "distribution": "zipf:1.1", "write_distribution": "zipf:1.2",
        "workers_area": "own", "targets_per_worker": None,
        "data_compressible_share": 0.3, "data_duplicate_share": 0.2,
        "read_share": 0.6, "block_bytes": "4096", "write_block_bytes": "8192", "engine": "aio",
        "direct": False, "write_through": True, "trim_share": 0.1, "fsync_every": 32, "fdatasync_every": 8,
        "think_time_us": 0, "think_every": 1, "worker_cpus": "4 0-1", "seed": 12345,
        "started_at": "2026-01-02T03:04:05Z", "begins_after_s": 1.5, "warmup_s": 0.5, "measured_s": 2.0,
        "completed": 200_000, "completed_reads": 120_000, "completed_writes": 65_000,
        "completed_bytes": 1_024_000_000, "completed_trims": 15_000, "completed_syncs": 2_000,
        "errors": 2 + 3 + 4, "corruptions": 3, "transaction_rate_io_s": 100_000.0,
        "throughput_mb_s": 512_000_000 / MIB, "interval_half_width": 0.012, "interval_confidence": 0.99,
        "latency_ms_mean": pytest.approx(2_983_510 / 200_000 / NS), "latency_ms_min": 10 / NS,
        "latency_ms_p50": 10 / NS, "latency_ms_p90": 20 / NS, "latency_ms_p99": 40 / NS,
        "latency_ms_p99_9": 50 / NS, "latency_ms_p99_99": 60 / NS, "latency_ms_max": 70 / NS,
        "response_time_ms_mean": pytest.approx(22_973_500 / 200_000 / NS),
        "trim_latency_ms_mean": pytest.approx(483_510 / 15_000 / NS), "trim_latency_ms_p99": 50 / NS,
        "sync_latency_ms_mean": pytest.approx(80.5 / NS), "sync_latency_ms_p99": 90 / NS,
        "response_time_ms_p99": pytest.approx(140 / NS), "response_time_ms_p99_9": pytest.approx(150 / NS),
        "rate_asked_share": 0.8, "late_starts": 11, "late_starts_host": 14, "held_starts": 12,
        "waited_starts": 13, "start_delay_ms_p99": 7 / NS, "backlog_start": 15, "backlog_end": 16,
        "queue_growth_io_s": -2.5, "response_drift": -0.03, "mean_outstanding": 8.0,
        "utilisation_worker": 0.75, "state": "disturbed", "causes": "steal io_errors", "notes": "buffered",
        "stopped": "cap", "load": 0, "system": "",
        "limited_by": None, "limit_station": None, "limit_place": None, "limit_utilisation": None,
        "limit_share": None, "rebuild_mb_s": None, "rebuild_asked_mb_s": None, "rebuild_s": None,
    }  # fmt: skip


def closed(**changes: Any) -> Point:
    profile = LoadProfile(
        name="mine", random_share=0.25, read_share=1.0, think_time_us=250, think_every=4,
        blocks=[{"bytes": 4096, "weight": 3}, {"bytes": 16384, "weight": 1}],
    )  # fmt: skip
    return make_point(profile, 4, **changes)


def test_what_a_closed_loop_does_not_have_is_empty() -> None:
    (row,) = point_rows([make_result(closed(), rate_io_s=1000.0)])
    asked = {
        "think_time_us": 250, "think_every": 4, "cursors": "shared", "block_bytes": "4096:3 16384:1",
        "write_block_bytes": "", "write_distribution": "", "write_random_share": None, "gap_bytes": 0,
        "random_every": 1, "fsync_every": 0, "fdatasync_every": 0, "write_through": False, "worker_cpus": "",
        "begins_after_s": 0.0, "completed_trims": 0, "completed_syncs": 0, "corruptions": None,
    }  # fmt: skip
    assert {name: row[name] for name in asked} == asked
    of_rates = [
        "rate_asked_io_s", "rate_asked_share", "late_starts", "late_starts_host", "held_starts",
        "waited_starts", "start_delay_ms_p99", "backlog_start", "backlog_end", "queue_growth_io_s",
        "response_drift",
        "response_time_ms_mean", "response_time_ms_p99", "response_time_ms_p99_9",
        "trim_latency_ms_mean", "trim_latency_ms_p99", "sync_latency_ms_mean", "sync_latency_ms_p99",
    ]  # fmt: skip
    assert [row[name] for name in of_rates] == [None] * len(of_rates)


def test_a_short_open_loop_tells_neither_growth_nor_drift() -> None:
    short = OpenLoop(rate_asked_io_s=1.0, late_starts=0, backlog_end=0, start_delay=one_value(999, 5))
    (row,) = point_rows([scheduled(open_loop=short)])
    # Fewer than ten of 999 starts lie beyond the 99th percentile.
    assert (row["queue_growth_io_s"], row["response_drift"], row["start_delay_ms_p99"]) == (None, None, None)
    assert (row["late_starts"], row["backlog_start"]) == (0, 0)


def test_of_a_point_in_which_nothing_completed_latencies_are_empty() -> None:
    """Not 0: that is a latency."""
    nothing = {name: Direction() for name in ("reads", "writes", "trims", "syncs")}
    (row,) = point_rows([scheduled(**nothing, workers=(worker(0.0, 0.0),))])
    assert (row["completed"], row["transaction_rate_io_s"], row["throughput_mb_s"]) == (0, 0.0, 0.0)
    empty = [name for name in row if "latency_ms" in name or "response_time_ms" in name]
    assert len(empty) == 15
    assert {row[name] for name in empty} == {None}
    assert row["mean_outstanding"] is None
    assert row["utilisation_worker"] == 0.0


@pytest.mark.parametrize(
    ("engine", "cpu_s", "told"),
    [("fio", 0.0, None), ("fio", 1.0, 0.5), ("sync", 0.0, 0.0), ("sync", 1.0, 0.5)],
)
def test_only_an_imported_result_may_not_tell_how_busy_the_workers_were(
    engine: Any, cpu_s: float, told: float | None
) -> None:
    facts = EngineFacts(name=engine, direct=True, clock="")
    (row,) = point_rows([scheduled(engine=facts, workers=(worker(cpu_s, 4.0),))])
    assert (row["engine"], row["utilisation_worker"]) == (engine, told)


def simulated(limit: Bottleneck, point: Point, *rebuilds: Rebuilding) -> Row:
    bus = Station(name="bus", place="link", utilisation_mean=0.5, utilisation_max=0.6, jobs=10)
    found = Simulation(
        model_version=1, virtual_s=1.0, events=5, stations=(bus,), bottleneck=limit, rebuilds=rebuilds
    )
    (row,) = point_rows([make_result(point, rate_io_s=1000.0, simulation=found)])
    return row


def test_what_limits_a_simulated_point_has_its_columns() -> None:
    saturated = Bottleneck(station="lanes", place="switch", utilisation=0.97, kind="saturated", share=0.25)
    rebuilds = (
        Rebuilding(volume="one", asked_bytes_s=30 * MIB, bytes_s=10 * MIB, member_bytes=20 * MIB),
        Rebuilding(volume="two", asked_bytes_s=100 * MIB, bytes_s=50 * MIB, member_bytes=200 * MIB),
    )
    row = simulated(saturated, closed(system="plant"), *rebuilds)
    told = {
        "system": "plant", "limited_by": "station", "limit_station": "lanes", "limit_place": "switch",
        "limit_utilisation": 0.97, "limit_share": 0.25,
        # The second takes 200 ÷ 50 s, the first 20 ÷ 10 s.
        "rebuild_mb_s": 50.0, "rebuild_asked_mb_s": 100.0, "rebuild_s": 4.0,
    }  # fmt: skip
    assert {name: row[name] for name in told} == told


def test_a_simulated_point_that_nothing_saturates_is_limited_by_what_it_asks_for_or_by_latency() -> None:
    waits = Bottleneck(place="drive", utilisation=0.5, kind="outstanding")
    plain = make_point("database", 4, system="plant")
    row = simulated(waits, plain, Rebuilding(volume="v", asked_bytes_s=MIB, bytes_s=0, member_bytes=MIB))
    told = {
        "limited_by": "latency", "limit_station": None, "limit_place": "drive", "limit_utilisation": 0.6,
        "limit_share": None, "rebuild_mb_s": 0.0, "rebuild_asked_mb_s": 1.0, "rebuild_s": None,
    }  # fmt: skip
    assert {name: row[name] for name in told} == told
    row = simulated(waits, make_point("database", 4, system="plant", rate_io_s=1000.0))
    assert (row["limited_by"], row["rebuild_mb_s"]) == ("rate", None)


def test_each_column_of_a_window() -> None:
    rows = series_rows([scheduled()])
    key = {
        "point": 7, "sweep": "load", "profile": "mine", "outstanding": 3, "workers": 2,
        "outstanding_total": 12, "load": 0, "system": "",
    }  # fmt: skip
    # 30 reads, 40 writes and 10 trims in 0.1 s; 160 ms of latency and 480 ms of response time of all 80.
    assert rows[1] == key | {
        "window": 1, "start_s": 0.1, "length_s": 0.1, "measured": True, "completed_reads": 30,
        "completed_writes": 40, "completed_bytes": 8 * MIB, "completed_trims": 10, "completed_syncs": 5,
        "transaction_rate_io_s": 800.0, "throughput_mb_s": 80.0, "latency_ms_mean": 2.0,
        "latency_ms_p99": 4.0, "latency_ms_max": 5.0, "response_time_ms_mean": 6.0,
        "response_time_ms_p99": 7.0, "response_time_ms_max": 8.0, "backlog": 17, "under_way": 12,
    }  # fmt: skip
    assert (rows[0]["measured"], rows[0]["latency_ms_mean"]) == (False, 100 / NS)
    # Nothing completed in the last: no latency, but what waits is told.
    assert [rows[2][name] for name in rows[2] if "_ms_" in name] == [None] * 6
    assert (rows[2]["transaction_rate_io_s"], rows[2]["backlog"], rows[2]["under_way"]) == (0.0, 18, 11)


def test_a_window_of_a_closed_loop_has_no_queue_and_no_response_time() -> None:
    row = series_rows([make_result(closed(), rate_io_s=1000.0)])[0]
    none = ("response_time_ms_mean", "response_time_ms_p99", "response_time_ms_max", "backlog", "under_way")
    assert [row[name] for name in none] == [None] * 5
    assert (row["completed_trims"], row["completed_syncs"]) == (0, 0)


def test_each_column_of_a_target() -> None:
    part = TargetReading(
        reads=120_000, writes=65_000, trims=15_000, syncs=2_000, read_bytes=READS.bytes,
        written_bytes=WRITES.bytes, split=Split(reads=READS, writes=WRITES, trims=TRIMS, syncs=SYNCS),
    )  # fmt: skip
    idle = TargetReading(split=Split(reads=Direction(), writes=Direction()))
    busy, other = target_rows([scheduled(per_target=(part, idle))])
    assert busy == {
        "point": 7, "sweep": "load", "profile": "mine", "outstanding": 3, "workers": 2,
        "outstanding_total": 12, "rate_asked_io_s": 100_500.0, "target": "/a", "completed_reads": 120_000,
        "completed_writes": 65_000, "completed_trims": 15_000, "completed_syncs": 2_000, "errors": 9,
        "transaction_rate_io_s": 100_000.0, "throughput_mb_s": 512_000_000 / MIB,
        "latency_ms_mean": pytest.approx(2_983_510 / 200_000 / NS), "latency_ms_p50": 10 / NS,
        "latency_ms_p99": 40 / NS, "latency_ms_p99_9": 50 / NS, "latency_ms_max": 70 / NS,
        "response_time_ms_p99": 140 / NS, "trim_latency_ms_p99": 50 / NS, "sync_latency_ms_p99": 90 / NS,
        "load": 0, "system": "",
    }  # fmt: skip
    assert (other["target"], other["completed_reads"], other["transaction_rate_io_s"]) == ("/b", 0, 0.0)
    assert {other[name] for name in other if "_ms_" in name} == {None}


def test_buckets_are_of_each_command_and_measure() -> None:
    rows = histogram_rows([scheduled()])
    found = [
        (row["direction"], row["measure"], row["bucket_ms_low"], row["bucket_ms_below"], row["count"])
        for row in rows
    ]
    expected = [
        (direction, measure, value / NS, (value + 1) / NS, count)
        for direction, measure, counts in (
            ("read", "latency", {10: 120_000}), ("read", "response_time", {110: 120_000}),
            ("write", "latency", {20: 65_000}), ("write", "response_time", {120: 65_000}),
            ("trim", "latency", LATE_TRIMS), ("trim", "response_time", ANSWERED_TRIMS),
            ("sync", "latency", {80: 1_900, 90: 100}),
        )
        for value, count in counts.items()
    ]  # fmt: skip
    assert found == expected
    assert {(row["point"], row["load"], row["system"]) for row in rows} == {(7, 0, "")}
