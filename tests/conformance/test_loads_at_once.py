"""One test body for every engine and the simulator: several loads at once, each with readings of its own."""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from conformance.asking import ENGINES, EVERY, FILE_BYTES, REAL, Stand, all_served, needs, profile
from conformance.asking import ask as ask_any
from iodyno.histogram import Histogram
from iodyno.plan import BesideLoad, PlannedTarget, Point
from iodyno.reading import Reading
from iodyno.verdict import laws
from virtual_systems import virtual_system

SEED = 77


def with_loads(point: Point, stand: Stand, *loads: dict[str, Any], other: bool = False) -> Point:
    """Put loads beside a point on its own file or volume, or on the other one."""
    area = {"size_bytes": FILE_BYTES, "area_length_bytes": FILE_BYTES}
    path = str(stand.other if other else stand.path)
    own = [PlannedTarget(path=path, kind="file", **area) for _ in loads]
    if point.simulated:
        path = "drive-1" if other else point.targets[0].path
        own = [PlannedTarget(path=path, kind="virtual", **area) for _ in loads]
    usual = {"targets": 1, "outstanding": 2, "workers": 1, "seed": SEED}
    beside = tuple(BesideLoad(**{**usual, **load}) for load in loads)
    targets = (*point.targets, *own)
    return point.model_copy(update={"beside": beside, "targets": targets})


def ask(point: Point, served: Callable[[Reading], object] = all_served) -> Reading:
    """Ask for a reading; a virtual system has a drive for each file."""
    system = virtual_system(drives=2)
    volumes = tuple(item.model_copy(update={"size_bytes": FILE_BYTES}) for item in system.volumes)
    return ask_any(point, system=system.model_copy(update={"volumes": volumes}), served=served)


@pytest.mark.parametrize("engine", EVERY)
@pytest.mark.parametrize("other", [False, True], ids=["one file", "two files"])
def test_each_load_does_what_is_asked_of_it_and_the_sum_is_exact(
    stand: Stand, engine: str, other: bool
) -> None:
    needs(engine)
    first = stand.point(engine, profile(1.0, 1.0), outstanding=4, workers=2, seconds=0.8)
    point = with_loads(
        first, stand, {"profile": profile(1.0, 0.0, 16384)},
        {"profile": profile(0.0, 0.5, 8192), "outstanding": 3}, other=other,
    )  # fmt: skip
    reading = ask(point, lambda reading: all_served(reading) and reading.loads[2].reads.completed)
    assert laws(point, reading) == []
    reads, writes, mixed = reading.loads
    assert (reads.writes.completed, writes.reads.completed) == (0, 0)
    assert reads.reads.bytes == 4096 * reads.reads.completed > 0
    assert writes.writes.bytes == 16384 * writes.writes.completed > 0
    assert mixed.reads.bytes == 8192 * mixed.reads.completed > 0
    assert {load.simulation == reading.simulation for load in reading.apart} == {True}
    assert {load.series.measured_from for load in reading.loads} == {reading.series.measured_from}
    assert [len(load.workers) for load in reading.loads] == [2, 1, 1]
    assert len(reading.workers) == point.workers_in_all == 4
    assert point.outstanding_total == 4 * 2 + 2 + 3
    for name in ("reads", "writes"):
        parts = [getattr(load, name) for load in reading.loads]
        whole = getattr(reading, name)
        assert Histogram.merged(part.latency for part in parts) == whole.latency
        assert sum(part.bytes for part in parts) == whole.bytes
        series = [getattr(load.series, name) for load in reading.loads]
        assert [sum(values) for values in zip(*series, strict=True)] == list(getattr(reading.series, name))
    assert [part.completed for part in reading.per_target] == [part.completed for part in reading.apart]


@pytest.mark.parametrize("engine", EVERY)
@pytest.mark.parametrize("other", [False, True], ids=["one file", "two files"])
def test_each_load_is_kept_at_its_own_depth(stand: Stand, engine: str, other: bool) -> None:
    """Little's law on each load alone: its rate times its mean latency is the depth asked of it."""
    needs(engine)
    first = stand.point(engine, profile(1.0, 1.0), outstanding=6, seconds=0.8)
    point = with_loads(first, stand, {"profile": profile(1.0, 1.0), "outstanding": 2}, other=other)
    reading = ask(point)
    for asked, load in zip((6, 2), reading.apart, strict=True):
        if engine == "simulator":
            assert load.mean_outstanding == pytest.approx(asked)
        cut = 2 * asked * max(load.latency.max_ns, load.drained_max_ns) / 1e9 / load.measured_s
        assert load.latency.sum_ns / 1e9 / load.measured_s <= asked * (1 + 1e-6) + cut
        assert load.mean_outstanding <= asked * (1 + 1e-6)


@pytest.mark.parametrize("engine", EVERY)
def test_a_rate_beside_a_loop_that_waits_keeps_its_schedule(stand: Stand, engine: str) -> None:
    needs(engine)
    first = stand.point(engine, profile(1.0, 1.0), outstanding=1, seconds=1.0)
    paced = {"profile": profile(1.0, 1.0), "outstanding": 64, "rate_io_s": 500.0}
    point = with_loads(first, stand, paced)
    reading = ask(point)
    assert laws(point, reading) == []
    waiting, scheduled = reading.apart
    assert reading.open_loop is None
    assert waiting.open_loop is None
    assert waiting.reads.response_time is None
    assert scheduled.open_loop is not None
    assert scheduled.open_loop.rate_asked_io_s == 500
    assert scheduled.reads.response_time is not None
    assert scheduled.reads.response_time.total == scheduled.reads.completed
    # On a busy machine starts may come late: what is not done stands in the backlog.
    behind = scheduled.open_loop.backlog_end + 64
    whole_s = reading.series.window_s * len(reading.series.reads)
    assert 500 * scheduled.measured_s - behind <= scheduled.completed <= 500 * whole_s + 1


@pytest.mark.parametrize("engine", ENGINES)
def test_a_load_draws_the_same_whatever_stands_beside_it(stand: Stand, engine: str) -> None:
    """Share of reads and sizes follow from the seed; the sums of the first accesses are equal."""
    needs(engine)
    mixed = profile(1.0, 0.3)
    first = stand.point(engine, mixed, outstanding=1, rate_io_s=400.0, seconds=0.5)
    beside = with_loads(first, stand, {"profile": profile(1.0, 1.0)}, other=True)
    alone, together = ask(first), ask(beside).apart[0]
    same = min(alone.issued.reads + alone.issued.writes, together.issued.reads + together.issued.writes)
    assert same > 0
    shares = [
        reading.issued.reads / (reading.issued.reads + reading.issued.writes) for reading in (alone, together)
    ]
    # The sequences are the same; they end at most some accesses apart.
    apart = abs(alone.completed - together.completed) + 2
    assert abs(shares[0] - shares[1]) * same <= apart


@pytest.mark.parametrize("engine", REAL)
def test_errors_belong_to_the_load_whose_target_fails(stand: Stand, engine: str) -> None:
    needs(engine)
    stand.other.write_bytes(b"")
    first = stand.point(engine, profile(1.0, 1.0), seconds=0.3)
    reading = ask(with_loads(first, stand, {"profile": profile(1.0, 1.0)}, other=True))
    sound, cut = reading.apart
    assert sound.errors == 0
    assert sound.completed > 0
    assert cut.errors > 0
    assert cut.completed == 0
    assert reading.errors == cut.errors


@pytest.mark.parametrize("engine", REAL)
def test_a_load_that_only_fails_ends_the_point_however_fast_the_other_is(stand: Stand, engine: str) -> None:
    """1000 failed I/Os of a rate of 2000 IO/s are half a second; the cap is far behind."""
    needs(engine)
    stand.other.write_bytes(b"")
    first = stand.point(engine, profile(1.0, 1.0), outstanding=16, seconds=20.0)
    paced = {"profile": profile(1.0, 1.0), "outstanding": 64, "rate_io_s": 2000.0}
    point = with_loads(first, stand, paced, other=True)
    reading = ask(point, lambda reading: reading.loads[0].reads.completed > 100)
    sound, cut = reading.apart
    assert reading.stopped == "failed"
    assert cut.completed == sound.errors == 0
    assert cut.errors >= 1000
    assert sound.completed > 100


def _moved(reading: Reading, **changes: int) -> Reading:
    """Take I/Os away from the first load alone."""
    first, *others = reading.loads
    reads = first.reads.model_copy(update=changes)
    return reading.model_copy(update={"loads": (first.model_copy(update={"reads": reads}), *others)})


def test_loads_that_do_not_add_up_break_a_law(stand: Stand) -> None:
    first = stand.point("null", profile(1.0, 1.0))
    point = with_loads(first, stand, {"profile": profile(1.0, 1.0)})
    reading = ask(point)
    assert laws(point, reading) == []
    less = _moved(reading, completed=reading.loads[0].reads.completed - 1)
    assert "reads of all loads" in {cause.values.get("what") for cause in laws(point, less)}
    fewer = _moved(reading, bytes=reading.loads[0].reads.bytes - 4096)
    assert "bytes of the reads of all loads" in {cause.values.get("what") for cause in laws(point, fewer)}


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("late", [0, 1], ids=["first", "beside"])
@pytest.mark.parametrize("rate_io_s", [None, 300.0], ids=["closed", "open"])
def test_a_load_that_begins_later_does_nothing_before(
    stand: Stand, engine: str, late: int, rate_io_s: float | None
) -> None:
    """Windows are a tenth of a second: three before it begins, two of the warm-up, eight that count."""
    needs(engine)
    begins = {"begins_after_s": 0.3, "rate_io_s": rate_io_s, "outstanding": 4}
    usual = {"outstanding": 4}
    first, other = (begins, usual) if late == 0 else (usual, begins)
    point = stand.point(engine, profile(1.0, 1.0), seconds=0.8, warmup_s=0.2, **first)
    point = with_loads(point, stand, {"profile": profile(1.0, 1.0), **other}, other=True)
    reading = ask(point, lambda told: all_served(told) and sum(told.loads[1 - late].series.reads[:3]))
    assert laws(point, reading) == []
    before = 3 + 2 + reading.precision.discarded_windows
    assert reading.series.measured_from == before
    assert reading.warmup_s == pytest.approx(before / 10)
    assert reading.warmup_s + reading.measured_s == pytest.approx(1.3)
    whole = [list(load.series.reads) for load in reading.loads]
    assert [len(series) for series in whole] == [13, 13]
    assert sum(whole[late][:3]) == 0
    assert sum(whole[late][3:]) > 0
    assert sum(whole[1 - late][:3]) > 0
    assert [sum(of) for of in zip(*whole, strict=True)] == list(reading.series.reads)
    assert sum(whole[late][before:]) == reading.loads[late].reads.completed
    if rate_io_s is not None:
        assert reading.loads[late].issued.reads <= rate_io_s * 1.0 + 1


@pytest.mark.parametrize("late", [0, 1], ids=["first", "beside"])
@pytest.mark.parametrize(
    ("rate_io_s", "think_time_us"), [(None, 0), (300.0, 0), (None, 1000)], ids=["closed", "open", "thinking"]
)
def test_a_virtual_load_that_begins_later_does_nothing_before(
    stand: Stand, late: int, rate_io_s: float | None, think_time_us: int
) -> None:
    """Two drives alike serve both loads at one rate: what the late one lacks is what it did not do before."""
    shape = profile(1.0, 1.0, think_time_us=think_time_us)
    usual: dict[str, Any] = {"outstanding": 4, "rate_io_s": rate_io_s}
    begins = {**usual, "begins_after_s": 0.3}
    first, other = (begins, usual) if late == 0 else (usual, begins)
    point = stand.point("simulator", shape, warmup_s=1.0, **first)
    point = with_loads(point, stand, {"profile": shape, **other}, other=True)
    reading = ask(point)
    assert laws(point, reading) == []
    whole_s = reading.warmup_s + reading.measured_s
    done = [load.issued.reads for load in reading.loads]
    assert done[late] / done[1 - late] == pytest.approx((whole_s - 0.3) / whole_s, rel=0.02)
    # The warm-up is 2000 I/Os of both loads from when the late one begins.
    rate = sum(load.reads.completed for load in reading.loads) / reading.measured_s
    settled_s = reading.precision.discarded_windows * reading.series.window_s
    assert reading.warmup_s - settled_s - 0.3 == pytest.approx(2000 / rate, rel=0.05)


@pytest.mark.parametrize("engine", REAL)
def test_loads_that_have_not_begun_end_with_the_point(stand: Stand, engine: str) -> None:
    needs(engine)
    first = stand.point(engine, profile(1.0, 1.0), seconds=600.0)
    point = with_loads(first, stand, {"profile": profile(1.0, 1.0), "begins_after_s": 3600.0})

    def observe(_: object) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        ask_any(point, observe)
    # They look every 50 ms; a machine that is busy takes longer.
    until = time.monotonic() + 30
    while workers() and time.monotonic() < until:
        time.sleep(0.01)
    assert workers() == []


def workers() -> list[str]:
    """Name the threads of this process that keep a load."""
    names = []
    for task in Path("/proc/self/task").iterdir():
        with suppress(OSError):
            names.append((task / "comm").read_text().strip())
    return [name for name in names if re.fullmatch(r"iodyno-\d+", name)]


@pytest.mark.parametrize("engine", ENGINES)
def test_a_load_draws_the_same_whenever_it_begins(stand: Stand, engine: str) -> None:
    needs(engine)
    paced = {"profile": profile(1.0, 0.3), "rate_io_s": 400.0, "outstanding": 64}
    first = stand.point(engine, profile(1.0, 1.0), outstanding=1, seconds=0.5)
    told = []
    for begins in (0.0, 0.2):
        load = {**paced, "begins_after_s": begins}
        issued = ask(with_loads(first, stand, load, other=True)).loads[1].issued
        told.append((issued.reads, issued.reads + issued.writes))
    (reads, ios), (late_reads, late_ios) = told
    assert min(ios, late_ios) > 0
    # One sequence of reads and writes: that which is longer has at most so many more of each.
    assert abs(reads - late_reads) <= abs(ios - late_ios)
