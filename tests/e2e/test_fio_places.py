"""Where random accesses go: fio's own log of them against what a job file becomes here."""

from __future__ import annotations

import math
import shutil
import subprocess
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest

from factories import make_point, make_target
from iodyno import bench
from iodyno.fio import translate
from iodyno.plan import PlannedTarget, Point, Stopping
from iodyno.profiles import LoadProfile

FIO = shutil.which("fio")
pytestmark = pytest.mark.skipif(FIO is None, reason="fio is not installed")
BLOCK, BLOCKS, DRAWS = 4096, 2048, 60_000
JOB = """\
[a]
filename=x
ioengine=null
size={size}
io_size={io_size}
rw=randread
bs=4k
random_distribution={distribution}
"""


def by_fio(folder: Path, distribution: str) -> Counter[int]:
    """Count how often fio accesses each block."""
    assert FIO
    text = JOB.format(size=BLOCK * BLOCKS, io_size=BLOCK * DRAWS, distribution=distribution)
    (folder / "job.fio").write_text(text + "write_iolog=log\n")
    subprocess.run([FIO, "job.fio"], cwd=folder, check=True, capture_output=True, timeout=300)
    lines = (line.split() for line in (folder / "log").read_text().splitlines())
    return Counter(int(words[-2]) // BLOCK for words in lines if "read" in words)


def by_iodyno(folder: Path, distribution: str) -> Counter[int]:
    """Count how often a point of the same job accesses each block."""
    (folder / "job.fio").write_text(JOB.format(size=BLOCK * BLOCKS, io_size="1m", distribution=distribution))
    (job,) = translate(folder / "job.fio", environment={}).jobs
    (profile,) = job.study.profile
    return Counter(offset // BLOCK for _, offset, _ in bench.accesses(_point(profile), count=DRAWS))


MIX = JOB.replace("rw=randread", "rw=randrw\nnorandommap").replace(
    "random_distribution={distribution}", "{options}"
)
"""Reads and writes, with options that tell where they go."""
Directions = dict[bool, list[int]]
"""Blocks that were read and that were written, in their order."""


def mix_by_fio(folder: Path, options: str) -> Directions:
    """List the blocks of each direction that fio accesses."""
    assert FIO
    text = MIX.format(size=BLOCK * BLOCKS, io_size=BLOCK * DRAWS, options=options)
    (folder / "job.fio").write_text(text + "write_iolog=log\n")
    subprocess.run([FIO, "job.fio"], cwd=folder, check=True, capture_output=True, timeout=300)
    found: Directions = {False: [], True: []}
    for words in (line.split() for line in (folder / "log").read_text().splitlines()):
        if "read" in words or "write" in words:
            found["write" in words].append(int(words[-2]) // BLOCK)
    return found


def mix_by_iodyno(folder: Path, options: str) -> Directions:
    """List the blocks of each direction that a point of the same job accesses."""
    (folder / "job.fio").write_text(MIX.format(size=BLOCK * BLOCKS, io_size="1m", options=options))
    (job,) = translate(folder / "job.fio", environment={}).jobs
    found: Directions = {False: [], True: []}
    for write, offset, _ in bench.accesses(_point(job.study.profile[0]), count=DRAWS):
        found[write].append(offset // BLOCK)
    return found


BOTH = pytest.mark.parametrize("mix", [mix_by_fio, mix_by_iodyno])


def near(successes: int, of: int, share: float) -> bool:
    """Tell whether a count is within five standard deviations of a binomial mean."""
    return abs(successes - of * share) <= 5 * math.sqrt(of * share * (1 - share)) + 1


@BOTH
@pytest.mark.parametrize(("reads", "writes"), [(50, 10), (0, 80), (100, 25)])
def test_each_direction_has_its_share_of_random_accesses_and_goes_on_from_its_own_last(
    tmp_path: Path, mix: Callable[[Path, str], Directions], reads: int, writes: int
) -> None:
    found = mix(tmp_path, f"percentage_random={reads},{writes}")
    assert near(len(found[False]), DRAWS, 0.5)
    for write, percent in ((False, reads), (True, writes)):
        pairs = list(zip(found[write], found[write][1:], strict=False))
        # What comes behind the last block is the first one, here, and a random one in fio.
        pairs = [pair for pair in pairs if pair[0] != BLOCKS - 1]
        follows = sum(after == before + 1 for before, after in pairs)
        random = percent / 100
        assert near(follows, len(pairs), 1 - random + random / BLOCKS)


@BOTH
def test_zones_of_reads_and_of_writes_are_each_their_own(
    tmp_path: Path, mix: Callable[[Path, str], Directions]
) -> None:
    try:
        found = mix(tmp_path, "random_distribution=zoned:90/10:10/40:0/50,20/50:80/50")
    except subprocess.CalledProcessError as error:
        # fio 3.33 has them in its manual and takes none; 3.42 does.
        assert b"failed parsing random_distribution" in error.stderr  # noqa: PT017
        return
    shares = {
        False: {(0.0, 0.1): 0.9, (0.1, 0.5): 0.1, (0.5, 1.0): 0},
        True: {(0.0, 0.5): 0.2, (0.5, 1.0): 0.8},
    }
    for write, zones in shares.items():
        for (start, end), share in zones.items():
            # fio and iodyno round ends to blocks, either their own way.
            inside = sum(start * BLOCKS <= block < end * BLOCKS for block in found[write])
            rounding = 2 / BLOCKS * len(found[write])
            assert abs(inside - share * len(found[write])) <= rounding + 5 * math.sqrt(
                0.25 * len(found[write])
            )


@BOTH
def test_one_law_has_the_same_hot_blocks_for_reads_and_for_writes(
    tmp_path: Path, mix: Callable[[Path, str], Directions]
) -> None:
    found = mix(tmp_path, "percentage_random=100,99\nrandom_distribution=zipf:1.2")
    hot = {write: Counter(blocks).most_common(3) for write, blocks in found.items()}
    assert [block for block, _ in hot[False]] == [block for block, _ in hot[True]]


def _point(profile: LoadProfile) -> Point:
    target = PlannedTarget(
        path="/x", kind="file", size_bytes=BLOCK * BLOCKS, area_length_bytes=BLOCK * BLOCKS
    )
    return Point(
        index=0, sweep="a", profile=profile, targets=(target,), outstanding=1, workers=1, engine="null",
        stopping=Stopping(warmup_s=0, floor_s=1, cap_s=1, precision=0.02, confidence=0.95), seed=7,
    )  # fmt: skip


@pytest.mark.parametrize(("start", "said"), [(1024, True), (5120, True), (4096, False), (0, False)])
@pytest.mark.parametrize("rw", ["read", "randread"])
def test_where_an_area_begins_is_told_where_fio_begins_elsewhere(
    tmp_path: Path, start: int, rw: str, said: bool
) -> None:
    assert FIO
    text = f"[a]\nfilename=x\nioengine=null\nsize=1m\nrw={rw}\nbs=4k\noffset={start}\n"
    (tmp_path / "job.fio").write_text(text + "write_iolog=log\n")
    subprocess.run([FIO, "job.fio"], cwd=tmp_path, check=True, capture_output=True, timeout=300)
    lines = (line.split() for line in (tmp_path / "log").read_text().splitlines())
    first = min(int(words[-2]) for words in lines if "read" in words)
    (tmp_path / "job.fio").write_text(text)
    translated = translate(tmp_path / "job.fio", environment={})
    (profile,) = translated.jobs[0].study.profile
    begins, _ = profile.area.resolve(1 << 21, profile.grain_bytes)
    assert first == start
    assert (begins != first) == said == any("fio begins at the offset" in note for note in translated.notes)


FILE_SIZES = [
    ("offset=256k", (256 << 10, 1 << 20)),
    ("size=50%", (0, 512 << 10)),
    ("size=50%\noffset=256k", (256 << 10, 768 << 10)),
    ("size=90%\noffset=256k", (256 << 10, 1 << 20)),
    ("size=256k", (0, 1 << 20)),
    ("size=4m\noffset=4k", (4 << 10, 1 << 20)),
]
"""Options beside ``filesize=1m``, and where what is accessed begins and ends."""


@pytest.mark.parametrize(("options", "ends"), FILE_SIZES)
def test_a_file_with_a_size_of_its_own_is_accessed_up_to_its_end(
    tmp_path: Path, options: str, ends: tuple[int, int]
) -> None:
    assert FIO
    text = f"[a]\nfilename=x\nioengine=null\nrw=read\nfilesize=1m\n{options}\ntime_based\nruntime=50ms\n"
    (tmp_path / "job.fio").write_text(text + "write_iolog=log\n")
    subprocess.run([FIO, "job.fio"], cwd=tmp_path, check=True, capture_output=True, timeout=300)
    lines = (line.split() for line in (tmp_path / "log").read_text().splitlines())
    accessed = [(int(words[-2]), int(words[-1])) for words in lines if "read" in words]
    assert (min(accessed)[0], sum(max(accessed))) == ends
    (tmp_path / "job.fio").write_text(text)
    (job,) = translate(tmp_path / "job.fio", environment={}).jobs
    start, length = job.study.profile[0].area.resolve(1 << 20, 4096)
    assert ((start, start + length), job.file_bytes) == (ends, 1 << 20)


def test_zones_in_bytes_get_the_accesses_that_fio_gives_them(tmp_path: Path) -> None:
    text = f"zoned_abs:60/{BLOCK * 100}:30/{BLOCK * 500}:10/{BLOCK * 1000}"
    for counts in (by_fio(tmp_path, text), by_iodyno(tmp_path, text)):
        whole = sum(counts.values())
        assert whole == DRAWS
        for (start, end), share in {
            (0, 100): 0.6,
            (100, 600): 0.3,
            (600, 1600): 0.1,
            (1600, 2000): 0,
        }.items():
            found = sum(count for block, count in counts.items() if start <= block < end) / whole
            # Five standard deviations of a binomial share.
            assert found == pytest.approx(share, abs=5 * math.sqrt(0.25 / DRAWS))


def concentration(counts: Counter[int]) -> float:
    """Give the probability that two accesses meet, times the number of blocks: 1 where they are even."""
    whole = sum(counts.values())
    return BLOCKS * sum(count * (count - 1) for count in counts.values()) / (whole * (whole - 1))


@pytest.mark.parametrize("percent", [0, 10, 30])
def test_a_normal_law_is_as_concentrated_as_that_of_fio(tmp_path: Path, percent: int) -> None:
    """Two draws of a normal law of deviation σ meet with probability 1 / (2 σ √π).

    The number of blocks is a power of two: fio hashes ranks to blocks, and on other numbers several can
    meet on one block. Its law is a little flatter than a normal one of its deviation.
    """
    deviation = math.sqrt(1 / 144 + (percent / 100) ** 2 / 12)
    meets = 1 / (2 * deviation * math.sqrt(math.pi))
    for counts in (by_iodyno(tmp_path, f"normal:{percent}"), by_fio(tmp_path, f"normal:{percent}")):
        assert concentration(counts) == pytest.approx(meets, rel=0.05)


ENDS = [
    ("rw=read\nbs=48k", 22 * 48, True),
    ("rw=write\nbs=48k", 22 * 48, True),
    ("rw=randread\nbs=48k\npercentage_random=50", 22 * 48, True),
    ("rw=read\nbs=64k", 1024, False),
    ("rw=read\nbssplit=48k/50:96k/50", 21 * 48, False),
    ("rw=randread\nbs=48k", 21 * 48, False),
]
"""Options beside ``size=1m`` on a file of 2 MiB, the end in KiB of what fio accesses, whether it is past."""


@pytest.mark.parametrize(("options", "end", "past"), ENDS)
@pytest.mark.parametrize("size", ["size", "filesize"])
def test_where_fio_goes_past_the_end_of_what_is_accessed_that_is_told(
    tmp_path: Path, options: str, end: int, past: bool, size: str
) -> None:
    assert FIO
    (tmp_path / "x").write_bytes(bytes(2 << 20))
    text = f"[a]\nfilename=x\nioengine=psync\n{options}\n{size}=1m\ntime_based\nruntime=100ms\n"
    (tmp_path / "job.fio").write_text(text + "write_iolog=log\n")
    subprocess.run([FIO, "job.fio"], cwd=tmp_path, check=True, capture_output=True, timeout=300)
    lines = (line.split() for line in (tmp_path / "log").read_text().splitlines())
    assert max(int(words[-2]) + int(words[-1]) for words in lines if len(words) > 4) == end << 10
    (tmp_path / "job.fio").write_text(text)
    translated = translate(tmp_path / "job.fio", environment={})
    (profile,) = translated.jobs[0].study.profile
    start, length = profile.area.resolve(2 << 20, profile.grain_bytes)
    target = make_target(size_bytes=2 << 20, area_start_bytes=start, area_length_bytes=length)
    accesses = bench.accesses(make_point(profile, targets=[target], engine="null"), count=500)
    assert max(offset + length for _, offset, length in accesses) <= 1 << 20
    assert past == any("of fio does, where the file goes on" in note for note in translated.notes)


def hottest(offsets: list[int], grain: int) -> float:
    """Give the share of the accesses that go to the hottest cell of so many bytes."""
    ((_, count),) = Counter(offset // grain for offset in offsets).most_common(1)
    return count / len(offsets)


def test_of_several_block_sizes_fio_ranks_the_least_and_iodyno_the_largest(tmp_path: Path) -> None:
    """The first of N ranks gets N ** -(ln(1 - h) / ln h) of pareto:h, here h = 0.2."""
    assert FIO
    size, text = 16 << 20, "[a]\nfilename=x\nioengine=null\nsize=16m\nrw=randread\nbssplit=512/30:4k/70\n"
    text += "random_distribution=pareto:0.2\n"
    (tmp_path / "job.fio").write_text(text + "io_size=64m\nwrite_iolog=log\n")
    subprocess.run([FIO, "job.fio"], cwd=tmp_path, check=True, capture_output=True, timeout=300)
    lines = (line.split() for line in (tmp_path / "log").read_text().splitlines())
    of_fio = [int(words[-2]) for words in lines if "read" in words]
    (tmp_path / "job.fio").write_text(text)
    translated = translate(tmp_path / "job.fio", environment={})
    point = make_point(
        translated.jobs[0].study.profile[0],
        targets=[make_target(size_bytes=size, area_length_bytes=size)],
        engine="null",
    )
    ours = [offset for _, offset, _ in bench.accesses(point, count=len(of_fio))]
    for offsets, grain in ((of_fio, 512), (ours, 4096)):
        share = (size / grain) ** -(math.log(0.8) / math.log(0.2))
        assert hottest(offsets, grain) == pytest.approx(share, abs=5 * math.sqrt(0.25 / len(of_fio)))
    said = "a smaller one lies anywhere in its cell; fio ranks blocks of 512"
    assert any(said in note for note in translated.notes)
