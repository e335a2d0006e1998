"""One test body for every engine: what a reading says is what was done."""

from __future__ import annotations

import threading
import time

import pytest
from asking import ENGINES, FILE_BYTES, REAL, Stand, ask, needs, profile

from iodyno import bench
from iodyno.errors import EngineError
from iodyno.verdict import laws

BLOCK = 4096


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize(("random", "read"), [(1.0, 0.67), (0.0, 1.0), (0.0, 0.0), (0.5, 0.5)])
def test_every_reading_keeps_the_laws(stand: Stand, engine: str, random: float, read: float) -> None:
    needs(engine)
    point = stand.point(engine, profile(random, read), outstanding=8, warmup_s=0.1)
    reading = ask(point)
    assert laws(point, reading) == []
    assert reading.engine.name == engine
    assert reading.completed > 0
    assert reading.errors == 0
    assert bool(reading.reads.completed) == (read > 0)
    assert bool(reading.writes.completed) == (read < 1)


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("workers", [1, 3])
def test_no_more_is_outstanding_than_was_asked(stand: Stand, engine: str, workers: int) -> None:
    needs(engine)
    reading = ask(stand.point(engine, profile(1.0, 1.0), outstanding=4, workers=workers))
    assert 0 < reading.mean_outstanding <= 4 * workers * 1.000001
    assert len(reading.workers) == workers
    threads = {worker.threads for worker in reading.workers}
    assert threads == ({4} if engine == "sync" else {1})


@pytest.mark.parametrize("engine", REAL)
@pytest.mark.parametrize(
    ("random", "blocks"), [(1.0, [BLOCK]), (0.0, [2 * BLOCK]), (0.3, [BLOCK, 4 * BLOCK])]
)
def test_exactly_the_planned_offsets_are_written(
    stand: Stand, engine: str, random: float, blocks: list[int]
) -> None:
    """What is on the disk afterwards is where the plan's own sequence points, and nowhere else."""
    needs(engine)
    before = stand.path.read_bytes()
    shape = profile(random, 0.0).model_copy(update={"blocks": ()})
    shape = type(shape)(**(shape.model_dump() | {"blocks": [{"bytes": size} for size in blocks]}))
    area = (1 << 20, 8 << 20)
    point = stand.point(engine, shape, outstanding=1, area=area, seconds=0.2)
    reading = ask(point)
    after = stand.path.read_bytes()
    changed = {at for at in range(0, FILE_BYTES, BLOCK) if before[at : at + BLOCK] != after[at : at + BLOCK]}
    planned = bench.accesses(point, count=reading.issued.writes)
    touched = {at for _, offset, size in planned for at in range(offset, offset + size, BLOCK)}
    assert changed == touched
    assert reading.issued.written_bytes == sum(size for _, _, size in planned)


@pytest.mark.parametrize("engine", ENGINES)
def test_warm_up_is_seen_but_not_counted(stand: Stand, engine: str) -> None:
    needs(engine)
    reading = ask(stand.point(engine, profile(1.0, 1.0), warmup_s=0.3, seconds=0.5))
    series = reading.series
    assert series.measured_from >= 3
    assert reading.warmup_s == pytest.approx(series.measured_from * 0.1)
    assert reading.measured_s == pytest.approx((len(series.reads) - series.measured_from) * 0.1)
    assert sum(series.reads[series.measured_from :]) == reading.reads.completed
    assert sum(series.latency_sum_ns[series.measured_from :]) == reading.reads.latency.sum_ns
    assert max(series.max_ns[series.measured_from :]) == reading.reads.latency.max_ns
    assert reading.issued.reads >= sum(series.reads)


def test_what_was_outstanding_at_the_end_is_timed_too(stand: Stand) -> None:
    # Of 64 threads that read all the time, some are reading at any moment.
    reading = ask(stand.point("sync", profile(1.0, 1.0), outstanding=64))
    assert reading.drained_max_ns > 0


@pytest.mark.parametrize("engine", REAL)
def test_reads_beyond_the_end_are_events_and_not_exceptions(stand: Stand, engine: str) -> None:
    needs(engine)
    stand.path.write_bytes(stand.path.read_bytes()[: FILE_BYTES // 2])
    reading = ask(stand.point(engine, profile(1.0, 1.0), seconds=1.0))
    assert reading.stopped == "cap"
    (short,) = reading.reads.errors
    assert short.name == "SHORT"
    assert short.first_offset_bytes >= FILE_BYTES // 2
    # Half of the area is there: as many fail as succeed, within five standard deviations.
    # Errors are counted over the whole point, as is the series.
    succeeded = sum(reading.series.reads)
    total = succeeded + short.count
    assert abs(succeeded - total / 2) < 5 * (total / 4) ** 0.5 + 1


@pytest.mark.parametrize("engine", REAL)
@pytest.mark.parametrize("warmup_s", [0.0, 600.0])
def test_a_point_where_everything_fails_ends_soon(stand: Stand, engine: str, warmup_s: float) -> None:
    needs(engine)
    stand.path.write_bytes(b"")
    started = time.monotonic()
    reading = ask(stand.point(engine, profile(1.0, 1.0), seconds=600.0, warmup_s=warmup_s))
    assert time.monotonic() - started < 60
    assert reading.stopped == "failed"
    assert reading.completed == 0
    assert reading.errors >= 1000


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("arrival", ["fixed", "poisson"])
def test_an_open_loop_starts_what_its_schedule_holds(stand: Stand, engine: str, arrival: str) -> None:
    needs(engine)
    rate = 2000.0
    point = stand.point(
        engine, profile(1.0, 1.0), outstanding=32, rate_io_s=rate, arrival=arrival, seconds=0.8
    )
    reading = ask(point)
    assert laws(point, reading) == []
    assert reading.open_loop
    series = reading.series
    # However slow the machine is: what was due is complete, outstanding or in the backlog.
    due = rate * len(series.reads) * 0.1
    seen = sum(series.reads) + reading.open_loop.backlog_end
    spread = 5 * due**0.5 if arrival == "poisson" else 1
    assert due - 32 - spread - 1 <= seen <= due + spread + 1
    response = reading.reads.response_time
    assert response
    assert response.total == reading.reads.completed
    assert response.mean_ns >= reading.reads.latency.mean_ns


@pytest.mark.parametrize("engine", REAL)
@pytest.mark.parametrize("outstanding", [1, 8])
def test_beyond_what_can_be_served_the_backlog_and_the_response_time_grow(
    stand: Stand, engine: str, outstanding: int
) -> None:
    needs(engine)
    rate = 50e6
    load = {"outstanding": outstanding, "rate_io_s": rate}
    reading = ask(stand.point(engine, profile(1.0, 1.0), seconds=0.5, **load))
    assert reading.open_loop
    due = rate * len(reading.series.reads) * 0.1
    assert reading.open_loop.backlog_end == pytest.approx(due - sum(reading.series.reads), rel=0.001)
    response = reading.reads.response_time
    assert response
    # Every I/O waits for those before it, so the mean wait is about half of the time that passed.
    assert response.mean_ns > 0.05e9
    assert reading.reads.latency.mean_ns < response.mean_ns / 2


@pytest.mark.parametrize("engine", ENGINES)
def test_other_threads_run_while_io_is_under_way(stand: Stand, engine: str) -> None:
    needs(engine)
    turns, stop = 0, threading.Event()

    def count() -> None:
        nonlocal turns
        while not stop.wait(0.005):
            turns += 1

    thread = threading.Thread(target=count)
    thread.start()
    try:
        ask(stand.point(engine, profile(1.0, 1.0), seconds=1.0))
    finally:
        stop.set()
        thread.join()
    # With the GIL held there is a turn at most at each of the ten windows' callbacks.
    assert turns > 20


def test_an_observer_that_raises_ends_the_point(stand: Stand) -> None:
    def observe(_: object) -> None:
        raise KeyboardInterrupt

    started = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        ask(stand.point("auto", profile(1.0, 1.0), seconds=600.0), observe)
    assert time.monotonic() - started < 60


def test_more_memory_than_there_is_is_refused(stand: Stand) -> None:
    point = stand.point("auto", profile(1.0, 1.0, 8 << 20), outstanding=4096, workers=1024)
    with pytest.raises(EngineError, match="not enough memory"):
        ask(point)


def test_auto_says_which_engine_and_why(stand: Stand) -> None:
    reading = ask(stand.point("auto", profile(1.0, 1.0)))
    assert reading.engine.name in REAL
    assert reading.engine.why


def test_one_plan_one_sequence(stand: Stand) -> None:
    point = stand.point("auto", profile(1.0, 0.5))
    assert bench.accesses(point, count=1000) == bench.accesses(point, count=1000)
    other = point.model_copy(update={"seed": point.seed + 1})
    assert bench.accesses(point, count=1000) != bench.accesses(other, count=1000)
