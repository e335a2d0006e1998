"""Syncs, think time, O_DSYNC, polling and pinned workers, on every engine that has them."""

from __future__ import annotations

import os
import platform
import re
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

import pytest

from conformance.asking import ENGINES, EVERY, REAL, SIMULATOR, Stand, ask, needs, profile
from iodyno.histogram import Histogram
from iodyno.reading import Reading
from iodyno.verdict import laws

EBADF_OR_NO_SYNC = {"EINVAL", "EOPNOTSUPP", "EBADF"}


@pytest.mark.parametrize("engine", EVERY)
@pytest.mark.parametrize("call", ["fsync_every", "fdatasync_every"])
def test_a_sync_follows_every_third_write(stand: Stand, engine: str, call: str) -> None:
    needs(engine)
    point = stand.point(engine, profile(1.0, 0.0, **{call: 3}), outstanding=1)
    reading = ask(point, served=lambda reading: reading.issued.syncs)
    assert laws(point, reading) == []
    assert reading.issued.writes >= 3
    assert reading.issued.syncs in (reading.issued.writes // 3, (reading.issued.writes - 1) // 3)
    assert reading.syncs
    assert reading.syncs.bytes == 0
    assert reading.issued.written_bytes == reading.issued.writes * 4096


@pytest.mark.parametrize("engine", EVERY)
def test_syncs_of_several_workers_and_outstanding_writes(stand: Stand, engine: str) -> None:
    needs(engine)
    point = stand.point(engine, profile(1.0, 0.5, fdatasync_every=4), outstanding=8, workers=2)
    reading = ask(point)
    assert laws(point, reading) == []
    # Every sync stands for four writes that were complete, of one worker; those of the end may be missing.
    assert reading.issued.syncs <= reading.issued.writes // 4
    assert reading.issued.syncs >= reading.issued.writes // 4 - 2 * (8 + 1)


@pytest.mark.parametrize("engine", EVERY)
def test_syncs_follow_the_writes_of_a_schedule(stand: Stand, engine: str) -> None:
    needs(engine)
    point = stand.point(engine, profile(1.0, 0.0, fdatasync_every=2), outstanding=8, rate_io_s=500.0)
    reading = ask(point)
    assert laws(point, reading) == []
    # Those that came due with the last completions, or found no slot, may be missing.
    assert reading.issued.writes // 2 - (8 + 1) <= reading.issued.syncs <= reading.issued.writes // 2


@pytest.mark.parametrize("engine", EVERY)
def test_syncs_of_each_target_are_timed(stand: Stand, engine: str) -> None:
    needs(engine)
    shape = profile(1.0, 0.0, fsync_every=2)
    point = stand.point(engine, shape, targets=2, outstanding=2, workers=2)
    reading = ask(point, served=lambda reading: reading.issued.syncs)
    assert [cause.values for cause in laws(point, reading) if cause.code == "law_completed"] == []
    assert reading.syncs
    assert reading.issued.syncs
    assert len(reading.per_target) == 2
    splits = [target.split.syncs for target in reading.per_target if target.split]
    assert [split.latency.total for split in splits if split] == [part.syncs for part in reading.per_target]
    assert Histogram.merged(split.latency for split in splits if split) == reading.syncs.latency


@pytest.mark.parametrize("engine", REAL)
def test_syncs_that_fail_are_counted_as_errors_of_their_own(stand: Stand, engine: str) -> None:
    """Writes to /dev/null succeed, and it cannot be synced."""
    needs(engine)
    point = stand.point(engine, profile(0.0, 0.0, fsync_every=2), outstanding=1, direct=False)
    target = point.targets[0].model_copy(update={"path": "/dev/null"})
    reading = ask(point.model_copy(update={"targets": (target,)}))
    assert reading.syncs
    assert reading.syncs.completed == 0
    assert reading.writes.errors == ()
    (error,) = reading.syncs.errors
    assert error.name in EBADF_OR_NO_SYNC
    assert 0 < error.count <= reading.issued.writes // 2
    assert error.count <= reading.issued.syncs <= reading.issued.writes // 2
    assert reading.errors == error.count


ASK = """
import sys
from iodyno import bench
from iodyno.plan import Point
point = Point.model_validate_json(sys.stdin.read())
for _ in range(50):  # the disk may stand still for the whole of it
    syncs = bench.ask(point).syncs
    if syncs.errors or syncs.completed:
        break
print(*(error.name for error in syncs.errors), syncs.completed > 0)
"""
FSYNC, FDATASYNC = 74, 75


@pytest.mark.skipif(platform.machine() != "x86_64", reason="its system calls have other numbers here")
@pytest.mark.parametrize("call", ["fsync_every", "fdatasync_every"])
@pytest.mark.parametrize("forbidden", [FSYNC, FDATASYNC])
def test_a_thread_that_syncs_makes_the_call_that_was_asked_for(
    stand: Stand, call: str, forbidden: int
) -> None:
    """Where the kernel forbids one of the two calls, it is the one that fails."""
    point = stand.point("sync", profile(1.0, 0.0, **{call: 1}), outstanding=1)
    forbid = Path(__file__).parent.parent / "e2e" / "forbidding.py"
    child = subprocess.run(
        [sys.executable, str(forbid), str(forbidden), sys.executable, "-c", ASK],
        input=point.model_dump_json(), text=True, capture_output=True, check=False, timeout=120,
    )  # fmt: skip
    assert child.returncode == 0, child.stderr
    fails = (call == "fsync_every") == (forbidden == FSYNC)
    assert child.stdout.split() == (["EPERM", "False"] if fails else ["True"])


@pytest.mark.parametrize("engine", EVERY)
@pytest.mark.parametrize(("outstanding", "every"), [(1, 1), (4, 2), (2, 5)])
def test_think_time_is_kept(stand: Stand, engine: str, outstanding: int, every: int) -> None:
    """However slow the machine is: no cycle is shorter than its think time."""
    needs(engine)
    think_s = 0.002
    shape = profile(1.0, 1.0, think_time_us=2000, think_every=every)
    point = stand.point(engine, shape, outstanding=outstanding, seconds=0.6)
    reading = ask(point)
    assert laws(point, reading) == []
    assert reading.completed > 0
    cycles = reading.issued.reads // every
    most = (reading.warmup_s + reading.measured_s + 2 * think_s) / think_s
    # The last accesses end after the measured part: the drain is no think time.
    assert cycles <= most + 1
    if outstanding == 1:
        busy_s = reading.latency.sum_ns / 1e9 + (reading.completed // every) * think_s
        assert busy_s <= reading.measured_s + think_s + reading.latency.max_ns / 1e9


def read_from_devices() -> int:
    """Give the bytes that devices have read for this process so far: what the page cache answers is none."""
    told = Path("/proc/self/io").read_text()
    return int(re.findall(r"^read_bytes: (\d+)", told, re.MULTILINE)[0])


@pytest.mark.parametrize("engine", REAL)
@pytest.mark.parametrize("random_share", [0.0, 1.0])
def test_a_cold_cache_has_nothing_of_the_target_and_is_read_ahead_where_accesses_follow(
    stand: Stand, engine: str, random_share: float
) -> None:
    """Whatever the load is told to be, its accesses here follow on each other: only what the kernel was told
    decides what it reads ahead."""
    needs(engine)
    if not stand.direct:
        pytest.skip("the files lie in memory, and there is no cache before them")
    load = profile(random_share, 1.0, random_every=1000 if random_share else 1)
    found = {}
    for cold in (False, True):
        stand.path.read_bytes()
        point = stand.point(
            engine, load, direct=False, cold_cache=cold, outstanding=1, rate_io_s=200.0, seconds=0.5
        )
        before = read_from_devices()
        reading = ask(point)
        found[cold] = read_from_devices() - before
        assert not reading.engine.direct
    asked = reading.issued.reads * 4096
    # Nothing of the target: a page of the program or of a folder may have left memory meanwhile.
    assert found[False] < asked / 4
    if random_share:
        assert asked <= found[True] < asked * 5 / 4
    else:
        assert found[True] > asked, found


@pytest.mark.parametrize("engine", REAL)
@pytest.mark.parametrize("write_through", [False, True])
def test_o_dsync_is_a_flag_of_the_open_file(stand: Stand, engine: str, write_through: bool) -> None:
    needs(engine)
    flags: set[int] = set()

    def look(_: object) -> None:
        for link in Path("/proc/self/fd").iterdir():
            if link.exists() and os.path.realpath(link) == str(stand.path.resolve()):
                with suppress(FileNotFoundError):  # closed since
                    info = Path("/proc/self/fdinfo", link.name).read_text()
                    flags.add(int(re.findall(r"flags:\s+(\d+)", info)[0], 8))

    reading = ask(stand.point(engine, profile(1.0, 0.5), write_through=write_through), look)
    assert flags
    assert all(bool(one & os.O_DSYNC) == write_through for one in flags)
    assert reading.engine.write_through == write_through


@pytest.mark.parametrize("engine", REAL)
def test_each_worker_has_the_file_open_for_itself(stand: Stand, engine: str) -> None:
    """The kernel writes to an open file with each I/O: workers that share one wait for each other."""
    needs(engine)
    most = 0

    def look(_: object) -> None:
        nonlocal most
        links = [os.path.realpath(link) for link in Path("/proc/self/fd").iterdir()]
        most = max(most, links.count(str(stand.path.resolve())))

    point = stand.point(engine, profile(1.0, 1.0), workers=3, outstanding=1)
    ask(point, look, served=lambda _: most > 1)
    assert most == 1 + 3, "one that the point holds, and one for each worker"
    most = 0
    look(None)
    assert most == 0, "all are closed after it"


ASK_WITH_FEW_FILES = """
import resource, sys
from iodyno import bench
from iodyno.plan import Point
resource.setrlimit(resource.RLIMIT_NOFILE, (64, 64))
point = Point.model_validate_json(sys.stdin.read())
# The disk may stand still for the whole of it.
print(max(bench.ask(point).completed for _ in range(5)))
"""


def test_workers_share_an_open_file_where_few_may_be_open(stand: Stand) -> None:
    """Forty rings leave no room for forty files."""
    needs("io_uring")
    point = stand.point("io_uring", profile(1.0, 1.0), workers=40, outstanding=1)
    child = subprocess.run(
        [sys.executable, "-c", ASK_WITH_FEW_FILES], input=point.model_dump_json(), text=True,
        capture_output=True, check=False, timeout=120,
    )  # fmt: skip
    assert child.returncode == 0, child.stderr
    assert int(child.stdout) > 0


def allowed_of_workers() -> set[str]:
    """What the kernel tells of the threads that iodyno started."""
    found = set()
    for task in Path("/proc/self/task").iterdir():
        try:
            if (task / "comm").read_text().startswith("iodyno-"):
                text = (task / "status").read_text()
                found.add(re.findall(r"Cpus_allowed_list:\s+(\S+)", text)[0])
        except (FileNotFoundError, ProcessLookupError):  # ended before, or after, its file was opened
            continue
    return found


@pytest.mark.parametrize("engine", ENGINES)
def test_workers_run_where_they_are_pinned(stand: Stand, engine: str) -> None:
    needs(engine)
    before = os.sched_getaffinity(0)
    last = max(before)
    seen: set[str] = set()
    reading = ask(
        stand.point(engine, profile(1.0, 1.0), workers=2, worker_cpus=(last, last + 1)),
        lambda _: seen.update(allowed_of_workers()),
    )
    assert seen == {str(last)}, "never beyond what the process may use"
    assert {worker.cpus for worker in reading.workers} == {(last,)}
    assert os.sched_getaffinity(0) == before, "who asks stays as it is"


def test_workers_stay_on_what_the_process_was_given(stand: Stand) -> None:
    before = os.sched_getaffinity(0)
    if len(before) < 2:
        pytest.skip("one processor only")
    first, last = min(before), max(before)
    os.sched_setaffinity(0, {last})
    try:
        reading = ask(stand.point("sync", profile(1.0, 1.0), worker_cpus=(first, last)))
    finally:
        os.sched_setaffinity(0, before)
    assert {worker.cpus for worker in reading.workers} == {(last,)}


def test_a_worker_with_nowhere_to_run_is_not_pinned(stand: Stand) -> None:
    beyond = max(os.sched_getaffinity(0)) + 1
    reading = ask(stand.point("sync", profile(1.0, 1.0), worker_cpus=(beyond,)))
    assert {worker.cpus for worker in reading.workers} == {()}


def test_a_ring_that_polls_ends_where_there_is_nothing_to_poll(stand: Stand) -> None:
    """It completes, or the kernel refuses each I/O: it never hangs."""
    needs("io_uring")
    started = time.monotonic()
    reading = ask(stand.point("io_uring", profile(1.0, 1.0), iopoll=True))
    assert time.monotonic() - started < 60
    assert "IOPOLL" in reading.engine.setup
    assert reading.completed or {error.name for error in reading.reads.errors} <= {"EOPNOTSUPP", "EINVAL"}


def test_only_a_ring_polls(stand: Stand) -> None:
    with pytest.raises(Exception, match="cannot poll"):
        ask(stand.point("sync", profile(1.0, 1.0), iopoll=True))


@pytest.mark.parametrize("engine", ["null", "nop", SIMULATOR])
@pytest.mark.parametrize("rate_io_s", [None, 1000.0])
def test_trims_are_accesses_that_move_no_bytes(stand: Stand, engine: str, rate_io_s: float | None) -> None:
    needs(engine)
    # With a rate less is due than there are slots: no start waits for a completion.
    point = stand.point(engine, profile(1.0, 0.5, trim_share=0.3), outstanding=512, rate_io_s=rate_io_s)
    reading: Reading = ask(point)
    assert laws(point, reading) == []
    assert reading.trims
    assert reading.completed == reading.reads.completed + reading.writes.completed + reading.trims.completed
    assert reading.trims.bytes == reading.trims.completed * 4096
    assert reading.bytes == reading.reads.bytes + reading.writes.bytes
    if reading.open_loop:
        # What they waited for their starts is what their response times have more than their latencies.
        parts = (reading.reads, reading.writes, reading.trims)
        waited = sum(part.response_time.sum_ns - part.latency.sum_ns for part in parts if part.response_time)
        assert waited >= reading.open_loop.start_delay.sum_ns - reading.completed


@pytest.mark.parametrize("engine", ["null", SIMULATOR])
def test_trims_of_each_target_are_counted(stand: Stand, engine: str) -> None:
    point = stand.point(engine, profile(1.0, 0.5, trim_share=0.3), targets=2)
    reading = ask(point)
    assert laws(point, reading) == []
    assert reading.trims
    assert sum(target.trims for target in reading.per_target) == reading.trims.completed
    assert all(target.trims for target in reading.per_target)
