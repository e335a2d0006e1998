"""How fio walks over a file: its own log of offsets against what a job file becomes here."""

from __future__ import annotations

import math
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest

from iodyno import bench
from iodyno.fio import plan_jobs, translate
from iodyno.fio.planning import supposed
from iodyno.plan import PlannedTarget, Point, Stopping
from iodyno.study import Overrides

FIO = shutil.which("fio")
pytestmark = pytest.mark.skipif(FIO is None, reason="fio is not installed")
BLOCK, BLOCKS, DRAWS = 4096, 2048, 60_000
JOB = """\
[a]
filename=x
ioengine=null
size={size}
io_size={io_size}
norandommap
{options}
"""


class Io(NamedTuple):
    """An I/O: its direction and where it begins, in bytes."""

    write: bool
    offset: int


def by_fio(folder: Path, options: str, size: int = BLOCK * BLOCKS, count: int = DRAWS) -> list[Io]:
    """List what fio accesses."""
    assert FIO
    text = JOB.format(size=size, io_size=BLOCK * count, options=options)
    (folder / "job.fio").write_text(text + "write_iolog=log\n")
    subprocess.run([FIO, "job.fio"], cwd=folder, check=True, capture_output=True, timeout=300)
    lines = (line.split() for line in (folder / "log").read_text().splitlines())
    return [Io("write" in words, int(words[-2])) for words in lines if "read" in words or "write" in words]


def by_iodyno(folder: Path, options: str, size: int = BLOCK * BLOCKS, count: int = DRAWS) -> list[Io]:
    """List what a point of the same job accesses."""
    (folder / "job.fio").write_text(JOB.format(size=size, io_size="1m", options=options))
    (job,) = translate(folder / "job.fio", environment={}).jobs
    (profile,) = job.study.profile
    start, length = profile.area.resolve(1 << 40, profile.grain_bytes)
    target = PlannedTarget(
        path="/x", kind="file", size_bytes=1 << 40, area_start_bytes=start, area_length_bytes=length
    )
    point = Point(
        index=0, sweep="a", profile=profile, targets=(target,), outstanding=1, workers=1, engine="null",
        stopping=Stopping(warmup_s=0, floor_s=1, cap_s=1, precision=0.02, confidence=0.95), seed=7,
    )  # fmt: skip
    return [Io(write, offset) for write, offset, _ in bench.accesses(point, count=count)]


BOTH = pytest.mark.parametrize("walk", [by_fio, by_iodyno])
Walk = Callable[..., list[Io]]


def near(successes: int, of: int, share: float) -> bool:
    """Tell whether a count is within five standard deviations of a binomial mean."""
    return abs(successes - of * share) <= 5 * math.sqrt(of * share * (1 - share)) + 1


def followers(found: list[Io], every: int) -> list[list[bool]]:
    """Tell of each place in turns which I/Os follow the last one of their direction.

    Behind the last block fio draws a random one and iodyno begins again: that is left out.
    """
    follows: list[list[bool]] = [[] for _ in range(every)]
    last: dict[bool, int] = {}
    for number, io in enumerate(found):
        before = last.get(io.write)
        last[io.write] = io.offset
        if before is not None and before != (BLOCKS - 1) * BLOCK:
            follows[number % every].append(io.offset == before + BLOCK)
    return follows


def test_clones_of_fio_all_begin_at_the_start_and_here_apart(tmp_path: Path) -> None:
    assert FIO
    text = f"[a]\nfilename=x\nioengine=null\nsize={BLOCK * BLOCKS}\nrw=read\nnumjobs=4\n"
    (tmp_path / "job.fio").write_text(f"{text}write_lat_log=log\nlog_offset=1\n")
    subprocess.run([FIO, "job.fio"], cwd=tmp_path, check=True, capture_output=True, timeout=300)
    logs = [(tmp_path / f"log_lat.{clone}.log").read_text().splitlines() for clone in (1, 2, 3, 4)]
    assert [int(lines[0].split(",")[4]) for lines in logs] == [0] * 4
    (tmp_path / "job.fio").write_text(text)
    translated = translate(tmp_path / "job.fio", environment={})
    point = plan_jobs(translated, Overrides(), supposed).plan.points[0]
    firsts = [bench.accesses(point, worker=worker, count=1)[0][1] for worker in range(4)]
    assert firsts == [BLOCK * BLOCKS // 4 * worker for worker in range(4)]
    assert any("the 4 clones begin at equal distances" in note for note in translated.notes)


@BOTH
@pytest.mark.parametrize("every", [2, 8, 50])
def test_exactly_every_so_many_th_io_is_random(tmp_path: Path, walk: Walk, every: int) -> None:
    first, *others = followers(walk(tmp_path, f"rw=randread:{every}"), every)
    assert near(sum(first), len(first), 1 / BLOCKS)
    assert all(all(follows) for follows in others)


@BOTH
def test_a_turn_is_random_with_its_percentage(tmp_path: Path, walk: Walk) -> None:
    first, *others = followers(walk(tmp_path, "rw=randwrite:5\npercentage_random=30"), 5)
    assert near(sum(first), len(first), 0.7 + 0.3 / BLOCKS)
    assert all(all(follows) for follows in others)


@BOTH
def test_turns_of_a_mix_are_counted_over_both_directions(tmp_path: Path, walk: Walk) -> None:
    """Each direction goes on from its own last I/O; the shares differ so that each has a cursor here."""
    found = walk(tmp_path, "rw=randrw:4\nrwmixread=70\npercentage_random=100,60")
    first, *others = followers(found, 4)
    assert all(all(follows) for follows in others)
    # Every fourth I/O, whatever it is: 30 % of them write, and of those 40 % follow.
    assert near(sum(first), len(first), 0.3 * 0.4 + (0.7 + 0.3 * 0.6) / BLOCKS)


@BOTH
@pytest.mark.parametrize(
    "options",
    [
        "rw=read:16k",
        "rw=read:4k\nbs=8k",
        "rw=write:60k",
        "rw=read:-8k",
        "rw=write:-12k",
        "rw=read:-100k\nbs=16k",
        "rw=read:-4k\nbs=8k",
        "rw=read:-4k",
    ],
)
@pytest.mark.parametrize("blocks", [64, 100])
def test_gaps_and_steps_back_are_where_fio_has_them(
    tmp_path: Path, walk: Walk, options: str, blocks: int
) -> None:
    """Both walks are the one that the definition gives."""
    lines = dict(line.split("=") for line in options.splitlines())
    block = int(lines.get("bs", "4k").rstrip("k")) << 10
    gap = int(lines["rw"].partition(":")[2].rstrip("k")) << 10
    size = blocks * BLOCK
    found = walk(tmp_path, options, size=size, count=400)
    assert {io.write for io in found} == {"write" in options}
    at, expected = 0, []
    for _ in found:
        expected.append(at)
        at += block + gap
        if at < 0:
            at = size + gap
        elif at + block > size:
            at = 0
    assert len(found) >= 100
    assert [io.offset for io in found] == expected


@BOTH
@pytest.mark.parametrize(
    "options", ["rw=rw", "rw=rw:8k", "rw=rw:-8k", "rw=randrw:8", "rw=randrw\npercentage_random=40"]
)
def test_each_direction_of_a_mix_has_a_cursor(tmp_path: Path, walk: Walk, options: str) -> None:
    size = 1 << 40 if "rand" in options else BLOCK * 4 * DRAWS
    found = walk(tmp_path, f"{options}\nrwmixread=70", size=size, count=20_000)
    gap = int(options.partition(":")[2].rstrip("k")) << 10 if "rw=rw:" in options else 0
    last: dict[bool, int] = {}
    follows = []
    for number, io in enumerate(found):
        if io.write in last:
            follows.append((number, io.offset == last[io.write]))
        else:
            assert io.offset == 0 or "rand" in options
        last[io.write] = io.offset + BLOCK + gap
    assert near(sum(not io.write for io in found), len(found), 0.7)
    others = [number for number, follow in follows if not follow]
    if "percentage" in options:
        assert near(len(others), len(follows), 0.4)
    elif "rand" in options:
        assert others == [number for number, _ in follows if number % 8 == 0]
    elif gap < 0:
        assert len(others) == 2  # each goes from the start to the end, once
    else:
        assert others == []
