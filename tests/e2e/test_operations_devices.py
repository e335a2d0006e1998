"""Syncs and trims on a loop device: what the device counted and what it holds afterwards."""

from __future__ import annotations

import errno
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from contents import no_file_system
from iodyno import bench
from iodyno.errors import EngineError, ProfileError, TargetError
from iodyno.plan import BesideLoad, PlannedTarget, Point, Stopping
from iodyno.profiles import LoadProfile
from iodyno.reading import Reading
from iodyno.study import parse_study, plan_study
from iodyno.targets import Permissions, find_targets
from iodyno.verdict import laws
from loop_devices import DIRECT, loop_device

SIZE = 16 << 20
BLOCK = 4096
READ_SECTORS, WRITTEN_SECTORS, FLUSHES = 2, 6, 15
"""Fields of a device's stat, from 0: sectors read and written, flushes completed."""

pytestmark = [
    pytest.mark.root,
    pytest.mark.skipif(os.geteuid() != 0, reason="loop devices need root"),
    pytest.mark.skipif(not Path("/dev/loop-control").exists(), reason="this kernel has no loop devices"),
]


@pytest.fixture
def device(tmp_path: Path) -> Iterator[str]:
    """Give a loop device full of random bytes."""
    path = tmp_path / "disk"
    path.write_bytes(no_file_system(SIZE))
    with loop_device(path, DIRECT) as attached:
        yield attached


@pytest.mark.parametrize("read_share", [1.0, 0.0])
def test_nobody_else_can_claim_a_device_that_is_written(device: str, read_share: float) -> None:
    """Mounting it, or making it part of an array, would claim it."""
    answers: set[int] = set()

    def claim(_: object) -> None:
        try:
            os.close(os.open(device, os.O_RDONLY | os.O_EXCL))
        except OSError as error:
            answers.add(error.errno or 0)
        else:
            answers.add(0)

    bench.ask(point_on(device, "sync", profile(1.0, read_share)), claim)
    assert answers == {errno.EBUSY if read_share < 1 else 0}


def claimed(device: str) -> int:
    """Claim a device when the kernel has let go of it: it closes a ring in its own time."""
    until = time.monotonic() + 30
    while True:
        try:
            return os.open(device, os.O_RDONLY | os.O_EXCL)
        except OSError:
            if time.monotonic() > until:
                raise
            time.sleep(0.01)


def test_nobody_else_can_claim_a_device_that_is_filled_and_no_claimed_one_is(device: str) -> None:
    answers: set[int] = set()

    def claim(_: object = None) -> None:
        try:
            os.close(os.open(device, os.O_RDONLY | os.O_EXCL))
        except OSError as error:
            answers.add(error.errno or 0)
        else:
            answers.add(0)

    bench.fill(device, 0, SIZE, seed=1, direct=True, tell=claim)
    assert errno.EBUSY in answers  # and told once more when it is over
    before = Path(device).read_bytes()
    mounted = claimed(device)
    try:
        with pytest.raises(EngineError, match="busy"):
            bench.fill(device, 0, SIZE, seed=2, direct=True)
    finally:
        os.close(mounted)
    assert Path(device).read_bytes() == before


def stat_of(device: str) -> list[int]:
    return [int(field) for field in Path("/sys/block", Path(device).name, "stat").read_text().split()]


def takes_trims(device: str) -> bool:
    return Path("/sys/block", Path(device).name, "queue/discard_max_bytes").read_text().strip() != "0"


def profile(random: float, read: float, **fields: Any) -> LoadProfile:
    return LoadProfile(name="test", random_share=random, read_share=read, blocks=[{"bytes": BLOCK}], **fields)


def point_on(device: str, engine: str, shape: LoadProfile) -> Point:
    target = PlannedTarget(
        path=device, kind="device", size_bytes=SIZE, area_start_bytes=SIZE // 4, area_length_bytes=SIZE // 2
    )
    stopping = Stopping(warmup_s=0, floor_s=0.3, cap_s=0.3, precision=0.02, confidence=0.95)
    return Point(
        index=0, sweep="test", profile=shape, targets=(target,), outstanding=1, workers=1, engine=engine,
        stopping=stopping, seed=20_260_101,
    )  # fmt: skip


def ask(point: Point) -> Reading:
    print(f"seed {point.seed}")  # noqa: T201 - a failing test tells its seed
    why = bench.engines().get(str(point.engine), "")
    if why:
        pytest.skip(f"{point.engine} cannot run here: {why}")
    reading = bench.ask(point)
    assert laws(point, reading) == []
    return reading


@pytest.mark.parametrize("engine", ["io_uring", "aio", "sync"])
@pytest.mark.parametrize("call", ["fsync_every", "fdatasync_every"])
def test_the_device_counts_a_flush_for_each_sync(device: str, engine: str, call: str) -> None:
    if len(stat_of(device)) <= FLUSHES:
        pytest.skip("this kernel counts no flushes")
    for _ in range(50):  # the disk below may stand still for the whole of the point
        before = stat_of(device)
        reading = ask(point_on(device, engine, profile(1.0, 0.0, **{call: 3})))
        assert stat_of(device)[FLUSHES] - before[FLUSHES] == reading.issued.syncs
        if reading.issued.syncs:
            break
    assert reading.issued.syncs > 0


@pytest.mark.parametrize("engine", ["io_uring", "aio", "sync"])
def test_two_loads_that_write_to_one_device_open_it_once(device: str, engine: str) -> None:
    """A device that is written is claimed: nobody else can open it so, not even the other load."""
    alone = point_on(device, engine, profile(1.0, 0.0))
    load = BesideLoad(profile=profile(0.0, 0.5), targets=1, outstanding=2, workers=1, seed=7)
    both = alone.model_copy(update={"beside": (load,), "targets": alone.targets * 2})
    for _ in range(50):  # the disk below may stand still for the whole of the point
        before = stat_of(device)
        reading = ask(both)
        writes, _ = reading.apart
        assert writes.reads.completed == 0
        after = stat_of(device)
        written = (after[WRITTEN_SECTORS] - before[WRITTEN_SECTORS]) * 512
        read = (after[READ_SECTORS] - before[READ_SECTORS]) * 512
        assert (read, written) == (reading.issued.read_bytes, reading.issued.written_bytes)
        if read and written:
            break
    assert read > 0
    assert written > 0


def test_threads_trim_what_the_caches_hold(device: str) -> None:
    """Who has not claimed the device is refused a trim of what was written and is not on it yet."""
    if not takes_trims(device):
        pytest.skip("this loop device takes no trims: its file system punches no holes")
    point = point_on(device, "sync", profile(1.0, 0.5, trim_share=0.3))
    reading = ask(point.model_copy(update={"direct": False, "outstanding": 8, "workers": 2}))
    assert reading.all_errors == ()
    assert reading.issued.trims > 0


@pytest.mark.parametrize("engine", ["io_uring", "sync"])
@pytest.mark.parametrize("random", [0.0, 1.0])
def test_trimmed_blocks_are_zeros_and_no_others(device: str, engine: str, random: float) -> None:
    if not takes_trims(device):
        pytest.skip("this loop device takes no trims: its file system punches no holes")
    before = Path(device).read_bytes()
    point = point_on(device, engine, profile(random, 1.0, trim_share=1.0))
    try:
        reading = ask(point)
    except EngineError as error:
        if "does not trim" in str(error):
            pytest.skip(str(error))
        raise
    assert reading.trims
    assert reading.trims.errors == ()
    after = Path(device).read_bytes()
    zeros = {at for at in range(0, SIZE, BLOCK) if not any(after[at : at + BLOCK])}
    named = {offset for _, offset, _ in bench.accesses(point, count=reading.issued.trims)}
    assert zeros == named
    assert all(before[at : at + BLOCK] == after[at : at + BLOCK] for at in range(0, SIZE // 4, BLOCK))
    assert reading.issued.trimmed_bytes == reading.issued.trims * BLOCK


STUDY = """
schema = 1
name = "trim"
title = "Trims"
[[profile]]
name = "trims"
random_share = 1
read_share = 1
trim_share = 0.5
blocks = "{block}"
[[sweep]]
name = "trim"
profiles = ["trims"]
outstanding = 1
"""


def test_a_profile_that_trims_needs_what_one_that_writes_needs(device: str, tmp_path: Path) -> None:
    before = Path(device).read_bytes()
    with pytest.raises(TargetError, match="everything on it would be lost"):
        find_targets([device], writes=True, permissions=Permissions(), file_size_bytes=SIZE)
    study = tmp_path / "trim.toml"
    study.write_text(STUDY.format(block="4k"))
    done = subprocess.run(
        [sys.executable, "-m", "iodyno", "measure", device, "--study", str(study)],
        capture_output=True, text=True, check=False,
        env=os.environ | {"IODYNO_STORE": str(tmp_path / "runs.db")},
    )  # fmt: skip
    assert done.returncode == 2
    assert "--write-existing" in done.stderr
    assert Path(device).read_bytes() == before


def test_trims_smaller_than_the_device_takes_are_refused(device: str) -> None:
    if not takes_trims(device):
        pytest.skip("this loop device takes no trims")
    allowed = Permissions(write_existing=True, identity=(str(SIZE),))
    (target,) = find_targets([device], writes=True, permissions=allowed, file_size_bytes=SIZE)
    grain = target.discard_granularity_bytes
    if grain <= 512:
        pytest.skip("this device trims single sectors")
    with pytest.raises(ProfileError, match="is no multiple of"):
        plan_study(parse_study(STUDY.format(block="512")), (target,))
    assert plan_study(parse_study(STUDY.format(block=str(grain))), (target,)).points
