"""How large the I/Os of fio are: its own log of them against what a job file becomes here."""

from __future__ import annotations

import math
import shutil
import subprocess
from collections import Counter
from pathlib import Path

import pytest

from factories import make_point, make_target
from iodyno import bench
from iodyno.fio import translate
from iodyno.fio.asked import asked
from iodyno.profiles import Block, LoadProfile

FIO = shutil.which("fio")
pytestmark = pytest.mark.skipif(FIO is None, reason="fio is not installed")
DRAWS = 20_000
SIZE = 64 << 20
Sizes = Counter[tuple[bool, int]]
"""How often what is of a size, and whether it is written."""


def by_fio(folder: Path, text: str) -> Sizes:
    """Count what fio accesses."""
    assert FIO
    (folder / "job.fio").write_text(f"{text}ioengine=null\nio_size={SIZE * 4}\nwrite_iolog=log\n")
    subprocess.run([FIO, "job.fio"], cwd=folder, check=True, capture_output=True, timeout=300)
    lines = (line.split() for line in (folder / "log").read_text().splitlines())
    done = [("write" in words, int(words[-1])) for words in lines if {"read", "write"} & set(words)]
    return Counter(done[:DRAWS])


def by_profile(profile: LoadProfile) -> Sizes:
    """Count what a point accesses."""
    target = make_target(size_bytes=SIZE, area_length_bytes=SIZE)
    point = make_point(profile, targets=[target], engine="null")
    return Counter((write, length) for write, _, length in bench.accesses(point, count=DRAWS))


def alike(one: Sizes, other: Sizes) -> bool:
    """Tell whether all counts are within five standard deviations of each other."""
    of, others = sum(one.values()), sum(other.values())

    def near(kind: tuple[bool, int]) -> bool:
        share = (one[kind] + other[kind]) / (of + others)
        deviation = math.sqrt(share * (1 - share) * (1 / of + 1 / others))
        return (
            one[kind] > 0 and other[kind] > 0 and abs(one[kind] / of - other[kind] / others) < 5 * deviation
        )

    return all(map(near, {*one, *other}))


@pytest.mark.parametrize(
    ("options", "sizes", "cut"),
    [
        ("bssplit=4k/60:16k/40", {4096, 16384}, False),
        ("bssplit=4k/50:6k/50", {4096}, True),
        ("bssplit=4k/50:6k/50\nbs_unaligned=1", {4096, 6144}, False),
        ("bssplit=3k/30:8k/70", {3072, 6144}, True),
        ("bssplit=512/10:5000/90", {512, 4608}, True),
        ("bssplit=8k/50:12k/30:16k/20,4k/50:6k/30:10k/20", {8192, 16384, 4096}, True),
        ("bsrange=4k-16k,1k-2k", {4096, 8192, 12288, 16384, 1024, 2048}, False),
    ],
)
def test_blocks_have_the_sizes_that_fio_gives_them(
    tmp_path: Path, options: str, sizes: set[int], cut: bool
) -> None:
    text = f"[a]\nfilename=x\nsize={SIZE}\nrw=randrw\nrwmixread=70\nnorandommap\n{options}\n"
    (tmp_path / "own.fio").write_text(text)
    translated = translate(tmp_path / "own.fio", environment={})
    ours = by_profile(translated.jobs[0].study.profile[0])
    assert {size for _, size in ours} == sizes
    assert alike(by_fio(tmp_path, text), ours)
    assert cut == any("as in fio without bs_unaligned=1" in note for note in translated.notes)


@pytest.mark.parametrize("sizes", [(4096, 6144), (4096, 8192), (3072, 8192)])
def test_sizes_that_are_no_multiples_go_out_as_they_are(tmp_path: Path, sizes: tuple[int, int]) -> None:
    blocks = tuple(Block(bytes=size, weight=weight) for size, weight in zip(sizes, (30, 70), strict=True))
    profile = LoadProfile(name="a", random_share=1, read_share=1, blocks=blocks, alignment_bytes=min(sizes))
    options = asked(make_point(profile)).options
    kept = ("rw", "bs", "bssplit", "bs_unaligned", "norandommap")
    text = f"[a]\nfilename=x\nsize={SIZE}\n" + "".join(
        f"{name}={options[name]}\n" for name in kept if name in options
    )
    assert alike(by_fio(tmp_path, text), by_profile(profile))
