"""One test body for every engine and the simulator: what a reading says is what was done."""

from __future__ import annotations

import os
import tempfile
import threading
import time
from pathlib import Path

import pytest

from conformance.asking import (
    ENGINES,
    EVERY,
    FILE_BYTES,
    REAL,
    SIMULATOR,
    Stand,
    all_served,
    ask,
    both_served,
    needs,
    profile,
)
from iodyno import bench
from iodyno.errors import EngineError
from iodyno.profiles import Block
from iodyno.verdict import laws

BLOCK = 4096


@pytest.mark.parametrize("engine", EVERY)
@pytest.mark.parametrize(("random", "read"), [(1.0, 0.67), (0.0, 1.0), (0.0, 0.0), (0.5, 0.5)])
def test_every_reading_keeps_the_laws(stand: Stand, engine: str, random: float, read: float) -> None:
    needs(engine)
    point = stand.point(engine, profile(random, read), outstanding=8, warmup_s=0.1)
    reading = ask(point, served=both_served if 0 < read < 1 else all_served)
    assert laws(point, reading) == []
    assert reading.engine.name == engine
    assert reading.completed > 0
    assert reading.errors == 0
    assert bool(reading.reads.completed) == (read > 0)
    assert bool(reading.writes.completed) == (read < 1)


@pytest.mark.parametrize("engine", EVERY)
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


LONG_AGO_NS = 10**18


@pytest.mark.parametrize("engine", REAL)
def test_reading_writes_no_access_times(stand: Stand, engine: str) -> None:
    needs(engine)
    now_ns = time.time_ns()
    os.utime(stand.path, ns=(LONG_AGO_NS, now_ns))
    assert ask(stand.point(engine, profile(1.0, 1.0), direct=False)).completed > 0
    assert stand.path.stat().st_atime_ns == LONG_AGO_NS


@pytest.mark.skipif(os.geteuid() != 0, reason="becoming another user needs root")
@pytest.mark.root
@pytest.mark.parametrize("engine", REAL)
def test_files_of_others_are_read_too(engine: str) -> None:
    """Only the owner may ask for no access times."""
    needs(engine)
    with tempfile.NamedTemporaryFile(prefix="iodyno-") as file:
        file.truncate(FILE_BYTES)
        path = Path(file.name)
        path.chmod(0o644)
        point = Stand(path, path, direct=False).point(engine, profile(1.0, 1.0))
        os.seteuid(65534)
        try:
            reading = ask(point)
        finally:
            os.seteuid(0)
    assert reading.completed > 0


@pytest.mark.parametrize("engine", EVERY)
def test_warm_up_is_seen_but_not_counted(stand: Stand, engine: str) -> None:
    needs(engine)
    reading = ask(stand.point(engine, profile(1.0, 1.0), warmup_s=0.3, seconds=0.5))
    series, window_s = reading.series, reading.series.window_s
    if engine == SIMULATOR:
        assert reading.warmup_s > 0
    else:
        assert window_s == 0.1
        assert series.measured_from >= 3
        assert reading.warmup_s == pytest.approx(series.measured_from * 0.1)
    assert reading.measured_s == pytest.approx((len(series.reads) - series.measured_from) * window_s)
    assert sum(series.reads[series.measured_from :]) == reading.reads.completed
    assert sum(series.latency_sum_ns[series.measured_from :]) == reading.reads.latency.sum_ns
    assert max(series.max_ns[series.measured_from :]) == reading.reads.latency.max_ns
    assert reading.issued.reads >= sum(series.reads)


def test_what_was_outstanding_at_the_end_is_timed_too(stand: Stand) -> None:
    # Of 64 threads that read all the time, some are reading at any moment.
    reading = ask(stand.point("sync", profile(1.0, 1.0), outstanding=64))
    assert reading.drained_max_ns > 0
    assert 0 < reading.drained <= 64


@pytest.mark.parametrize("engine", EVERY)
def test_no_more_are_under_way_at_the_end_than_are_outstanding(stand: Stand, engine: str) -> None:
    needs(engine)
    reading = ask(stand.point(engine, profile(1.0, 1.0), outstanding=4))
    assert 0 <= reading.drained <= 4
    assert (reading.drained > 0) >= (reading.drained_max_ns > 0)


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


@pytest.mark.parametrize("engine", EVERY)
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
    due = rate * len(series.reads) * series.window_s
    seen = sum(series.reads) + reading.open_loop.backlog_end
    spread = 5 * due**0.5 if arrival == "poisson" else 1
    assert due - 32 - spread - 1 <= seen <= due + spread + 1
    response = reading.reads.response_time
    assert response
    assert response.total == reading.reads.completed
    assert response.mean_ns >= reading.reads.latency.mean_ns


@pytest.mark.parametrize("engine", [*REAL, SIMULATOR])
@pytest.mark.parametrize("outstanding", [1, 8])
def test_beyond_what_can_be_served_the_backlog_and_the_response_time_grow(
    stand: Stand, engine: str, outstanding: int
) -> None:
    needs(engine)
    rate = 50e6
    load = {"outstanding": outstanding, "rate_io_s": rate}
    point = stand.point(engine, profile(1.0, 1.0), seconds=0.5, **load)
    reading = ask(point, served=lambda reading: reading.completed >= 20 * outstanding)
    assert reading.open_loop
    due = rate * (reading.warmup_s + reading.measured_s)
    assert reading.open_loop.backlog_end == pytest.approx(due - reading.issued.reads, rel=0.001)
    response = reading.reads.response_time
    assert response
    # All were due at the beginning, so what each waited is the time that it was completed at.
    series = reading.series
    windows = range(series.measured_from, len(series.reads))
    # The simulator tells no windows of its warm-up.
    first_s = reading.warmup_s - series.measured_from * series.window_s
    begun_s = first_s + sum(series.reads[at] * at * series.window_s for at in windows) / reading.completed
    assert begun_s - reading.issued.reads / rate <= response.mean_ns / 1e9 <= begun_s + series.window_s
    assert reading.reads.latency.mean_ns < response.mean_ns / 2
    # Whatever is due finds every slot taken, but for what begins before the first completion.
    assert reading.open_loop.held_starts >= reading.completed - 4 * outstanding


@pytest.mark.parametrize("engine", EVERY)
def test_other_threads_run_while_io_is_under_way(stand: Stand, engine: str) -> None:
    needs(engine)
    callbacks, turns, seen, stop = 0, 0, 0, threading.Event()

    def count() -> None:
        nonlocal turns
        while not stop.is_set():
            begun_after = callbacks
            stop.wait(0.0001)
            # A turn between two callbacks: with the GIL held, the wait's end has to wait for the next one.
            turns += 0 < begun_after == callbacks

    def observe(_: object) -> None:
        nonlocal callbacks, seen
        callbacks, seen = callbacks + 1, turns
        if seen >= 20:
            raise KeyboardInterrupt

    thread = threading.Thread(target=count)
    thread.start()
    try:
        # However slow the machine: the point goes on until there were turns enough.
        with pytest.raises(KeyboardInterrupt):
            ask(stand.point(engine, profile(1.0, 1.0), seconds=30.0), observe)
    finally:
        stop.set()
        thread.join()
    assert seen >= 20


@pytest.mark.parametrize("engine", ["auto", SIMULATOR])
def test_an_observer_that_raises_ends_the_point(stand: Stand, engine: str) -> None:
    def observe(_: object) -> None:
        raise KeyboardInterrupt

    started = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        ask(stand.point(engine, profile(1.0, 1.0), seconds=600.0), observe)
    assert time.monotonic() - started < 60


def test_more_memory_than_there_is_is_refused(stand: Stand) -> None:
    point = stand.point("auto", profile(1.0, 1.0, 8 << 20), outstanding=4096, workers=1024)
    with pytest.raises(EngineError, match="not enough memory for the outstanding I/Os"):
        ask(point)


def test_auto_says_which_engine_and_why(stand: Stand) -> None:
    reading = ask(stand.point("auto", profile(1.0, 1.0)))
    assert reading.engine.name in REAL
    assert reading.engine.why


@pytest.mark.parametrize("engine", ["sync", SIMULATOR])
@pytest.mark.parametrize(
    ("random", "area"), [(1.0, (1 << 20, 8 << 20)), (0.0, (0, 1 << 20)), (0.3, (4096, 12 << 20))]
)
def test_the_accesses_of_a_point_stay_in_its_area_and_are_aligned(
    stand: Stand, engine: str, random: float, area: tuple[int, int]
) -> None:
    point = stand.point(engine, profile(random, 0.5, 3 * BLOCK), area=area, workers=2)
    for worker in range(2):
        for _, offset, size in bench.accesses(point, worker=worker, count=2000):
            assert area[0] <= offset
            assert offset + size <= sum(area)
            assert (offset - area[0]) % BLOCK == 0


@pytest.mark.parametrize("engine", EVERY)
def test_sizes_and_targets_add_up(stand: Stand, engine: str) -> None:
    needs(engine)
    shape = profile(1.0, 0.5).model_copy(update={"blocks": (Block(bytes=BLOCK), Block(bytes=4 * BLOCK))})
    reading = ask(stand.point(engine, shape, outstanding=8, workers=2))
    (target,) = reading.per_target
    assert (target.reads, target.writes) == (reading.reads.completed, reading.writes.completed)
    assert target.read_bytes + target.written_bytes == reading.bytes
    for direction in (reading.reads, reading.writes):
        large, odd = divmod(direction.bytes - direction.completed * BLOCK, 3 * BLOCK)
        assert odd == 0
        # Both sizes are drawn equally often, within five standard deviations.
        assert abs(large - direction.completed / 2) < 5 * (direction.completed / 4) ** 0.5 + 1


@pytest.mark.parametrize("engine", EVERY)
def test_more_outstanding_do_not_make_a_wait_shorter(stand: Stand, engine: str) -> None:
    """Little's law at two depths: the mean depth is the rate times the mean latency at each."""
    needs(engine)
    for outstanding in (1, 16):
        reading = ask(stand.point(engine, profile(1.0, 1.0), outstanding=outstanding))
        expected = reading.transaction_rate_io_s * reading.latency.mean_ns / 1e9
        # I/Os cut by the ends of the measured part: one each at most for every one outstanding. Apart from
        # them it is exact: what an I/O lasts and how long it is outstanding is told by the same clock.
        longest_ns = max(reading.latency.max_ns, reading.drained_max_ns)
        cut = 2 * outstanding * longest_ns / 1e9 / reading.measured_s
        assert expected == pytest.approx(reading.mean_outstanding, rel=1e-6, abs=cut)


def test_one_seed_one_reading_of_the_simulator(stand: Stand) -> None:
    point = stand.point(SIMULATOR, profile(1.0, 0.67), outstanding=16, workers=2)
    assert ask(point).model_dump_json() == ask(point).model_dump_json()
    other = point.model_copy(update={"seed": point.seed + 1})
    assert ask(other).model_dump_json() != ask(point).model_dump_json()


def test_what_a_simulation_tells_beside_a_reading(stand: Stand) -> None:
    found = ask(stand.point(SIMULATOR, profile(1.0, 0.67), outstanding=64)).simulation
    assert found
    assert sum(found.latency_split.values()) == pytest.approx(1)
    assert all(0 <= one.utilisation_mean <= one.utilisation_max <= 1 for one in found.stations)
    assert found.bottleneck.utilisation == max(one.utilisation_mean for one in found.stations if one.serves)


def test_one_plan_one_sequence(stand: Stand) -> None:
    point = stand.point("auto", profile(1.0, 0.5))
    assert bench.accesses(point, count=1000) == bench.accesses(point, count=1000)
    other = point.model_copy(update={"seed": point.seed + 1})
    assert bench.accesses(point, count=1000) != bench.accesses(other, count=1000)


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("workers", [1, 3])
def test_the_load_ends_at_its_cap_even_if_nobody_has_time_to_say_so(
    stand: Stand, engine: str, workers: int
) -> None:
    """With many more threads than processors the one that follows them comes late."""
    needs(engine)
    held = iter([0.6])
    reading = ask(
        stand.point(engine, profile(1.0, 1.0), seconds=0.2, workers=workers),
        lambda _: time.sleep(next(held, 0.0)),
    )
    assert reading.stopped == "cap"
    counted = sum(reading.series.reads)
    assert reading.reads.completed == counted
    assert len(reading.series.reads) == 2
    assert reading.issued.reads - counted <= 4 * workers, "what was outstanding at the end"
