"""One test body for every engine and the simulator: several targets at once."""

from __future__ import annotations

import resource
from pathlib import Path
from typing import Any

import pytest

from conformance.asking import EVERY, FILE_BYTES, REAL, SIMULATOR, Stand, ask, made_up_system, needs, profile
from iodyno.histogram import Histogram
from iodyno.verdict import laws
from iodyno.virtual import VirtualSystem


@pytest.mark.parametrize("engine", EVERY)
@pytest.mark.parametrize("rate", [None, 2000.0])
def test_each_target_has_readings_of_its_own_that_add_up(
    stand: Stand, engine: str, rate: float | None
) -> None:
    needs(engine)
    point = stand.point(
        engine, profile(1.0, 0.5), targets=2, outstanding=8, workers=2, rate_io_s=rate, seconds=0.8
    )
    reading = ask(point)
    assert laws(point, reading) == []
    splits = [part.split for part in reading.per_target if part.split]
    assert len(splits) == 2
    for name in ("reads", "writes"):
        parts = [getattr(split, name) for split in splits]
        whole = getattr(reading, name)
        assert all(part.completed == part.latency.total for part in parts)
        assert Histogram.merged(part.latency for part in parts) == whole.latency
        assert (whole.response_time is not None) == (rate is not None)
        if whole.response_time is not None:
            assert Histogram.merged(part.response_time for part in parts) == whole.response_time
    for part, split in zip(reading.per_target, splits, strict=True):
        assert (part.reads, part.writes) == (split.reads.completed, split.writes.completed)
        assert part.bytes == split.reads.bytes + split.writes.bytes


@pytest.mark.parametrize("engine", EVERY)
def test_each_target_is_kept_at_the_depth_asked_for(stand: Stand, engine: str) -> None:
    """Little's law on each target alone: its rate times its mean latency is the depth asked for."""
    needs(engine)
    point = stand.point(engine, profile(1.0, 1.0), targets=2, outstanding=4, workers=1, seconds=0.8)
    reading = ask(point)
    for part in reading.per_target:
        assert part.split
        depth = part.split.reads.latency.sum_ns / 1e9 / reading.measured_s
        # I/Os cut by the ends of the measured part, and the time between a completion and the next issue.
        longest_ns = max(reading.latency.max_ns, reading.drained_max_ns)
        cut = 2 * 4 * longest_ns / 1e9 / reading.measured_s
        most = 4 * (1 + 1e-6) + cut
        assert depth <= most
        if engine in ("simulator", "sync"):
            assert depth >= 4 * 0.8 - cut


@pytest.mark.parametrize("engine", REAL)
def test_a_target_that_fails_is_told_from_one_that_does_not(stand: Stand, engine: str) -> None:
    needs(engine)
    stand.other.write_bytes(stand.other.read_bytes()[: FILE_BYTES // 2])
    point = stand.point(engine, profile(1.0, 1.0), targets=2)
    reading = ask(point, served=lambda reading: reading.errors)
    sound, cut = (part.split for part in reading.per_target)
    assert sound
    assert cut
    assert sound.reads.errors == ()
    (short,) = cut.reads.errors
    assert short.name == "SHORT"
    assert (short,) == reading.reads.errors


@pytest.mark.parametrize("engine", EVERY)
def test_one_target_is_not_told_twice(stand: Stand, engine: str) -> None:
    needs(engine)
    (part,) = ask(stand.point(engine, profile(1.0, 0.5))).per_target
    assert part.split is None


@pytest.mark.parametrize("engine", EVERY)
@pytest.mark.parametrize("rate", [None, 2000.0])
def test_workers_that_drive_some_of_the_targets_keep_the_same_load(
    stand: Stand, engine: str, rate: float | None
) -> None:
    needs(engine)
    asked: dict[str, Any] = {"targets": 2, "outstanding": 3, "workers": 2, "rate_io_s": rate, "seconds": 0.8}
    point = stand.point(engine, profile(1.0, 0.5), targets_per_worker=1, **asked)
    reading = ask(
        point, served=lambda reading: all(part.reads and part.writes for part in reading.per_target)
    )
    assert laws(point, reading) == []
    assert len(reading.workers) == point.workers_in_all == 4
    assert point.outstanding_total == 12
    for part in reading.per_target:
        assert part.split
        assert part.reads > 0
        assert part.writes > 0
    whole = ask(stand.point(engine, profile(1.0, 0.5), **asked))
    assert len(whole.workers) == 2
    if rate is None:
        # Of 3 I/Os on each of its targets a worker keeps 3 where it drives one, and 6 where it drives both.
        for worker in reading.workers:
            assert worker.io_time_s / worker.elapsed_s <= 3 * (1 + 1e-6)
        assert max(worker.io_time_s / worker.elapsed_s for worker in whole.workers) <= 6 * (1 + 1e-6)


@pytest.mark.parametrize("engine", REAL)
def test_a_worker_of_a_later_target_works_on_that_target(stand: Stand, engine: str) -> None:
    """The file of the first target is cut: only the reads of its own worker come back short."""
    needs(engine)
    stand.path.write_bytes(b"")
    point = stand.point(engine, profile(1.0, 1.0), targets=2, targets_per_worker=1, seconds=0.2)
    reading = ask(point, served=lambda reading: reading.errors and reading.completed)
    cut, sound = (part.split for part in reading.per_target)
    assert cut
    assert sound
    assert cut.reads.completed == 0
    assert sound.reads.errors == ()
    assert sound.reads.completed > 0


def test_virtual_workers_of_a_part_of_the_targets_have_a_core_and_a_rate_of_their_own(stand: Stand) -> None:
    """Where a core is the limit: two targets with a worker each have twice the rate of one worker on both."""
    asked: dict[str, Any] = {"targets": 2, "outstanding": 8, "ios": 8_000}
    one = ask(stand.point(SIMULATOR, profile(1.0, 1.0), **asked), system=slow_host())
    two = ask(stand.point(SIMULATOR, profile(1.0, 1.0), targets_per_worker=1, **asked), system=slow_host())
    assert one.simulation
    assert two.simulation
    # 1 ms of a core for each I/O: 1000/s of a worker.
    assert one.completed / one.measured_s == pytest.approx(1000, rel=0.002)
    assert two.completed / two.measured_s == pytest.approx(2000, rel=0.002)
    cores = [station for station in two.simulation.stations if station.name == "core"]
    assert [core.count for core in cores] == [2]
    assert cores[0].utilisation_mean == pytest.approx(1, abs=0.002)
    assert [worker.cpu_s / worker.elapsed_s for worker in two.workers] == [pytest.approx(1, abs=0.002)] * 2


def slow_host() -> VirtualSystem:
    """Two drives of a host that needs a millisecond for each I/O."""
    slow = {"read_ps": 10**9, "write_ps": 10**9, "per_kib_ps": 0}
    system = made_up_system().model_dump(mode="json")
    for volume in system["volumes"]:
        volume["cpu"] = slow
    return VirtualSystem.model_validate(system)


@pytest.mark.parametrize("engine", REAL)
def test_targets_may_be_more_than_the_files_that_a_process_may_open_at_first(
    stand: Stand, engine: str
) -> None:
    needs(engine)
    point = stand.point(engine, profile(1.0, 1.0), outstanding=1, seconds=0.1)
    point = point.model_copy(update={"targets": point.targets * 40})
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    few = sum(1 for _ in Path("/proc/self/fd").iterdir()) + 20
    assert hard < 0 or hard > few + 100
    resource.setrlimit(resource.RLIMIT_NOFILE, (few, hard))
    try:
        assert all(part.reads for part in ask(point).per_target)
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
