"""What a job of fio reads and writes, and where: the profile that it becomes."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from fio_documents import Make, One, Refused


@pytest.mark.parametrize(
    ("options", "random", "read"),
    [
        ("rw=randread", 1.0, 1.0),
        ("readwrite=randwrite", 1.0, 0.0),
        ("rw=randrw", 1.0, 0.5),
        ("rw=randrw\nrwmixread=67", 1.0, 0.67),
        ("rw=randrw\nrwmixwrite=30", 1.0, 0.7),
        ("rw=rw\nrwmixread=10\nrwmixwrite=60", 0.0, 0.4),
        ("rw=randread:8", 1.0, 1.0),
        ("rw=randwrite\npercentage_random=50", 0.5, 0.0),
    ],
)
def test_directions(one: One, options: str, random: float, read: float) -> None:
    (profile,) = one(options).study.profile
    assert profile.random_share == random
    assert profile.read_share == pytest.approx(read)


@pytest.mark.parametrize(
    ("options", "blocks"),
    [
        ("bs=4k,64k\nrw=write", [(65536, 1)]),
        ("bs=4k,64k\nrw=randread", [(4096, 1)]),
        ("bssplit=4k/60:64k/40\nrw=randrw", [(4096, 60), (65536, 40)]),
        ("bssplit=4k/60:8k:16k", [(4096, 60), (8192, 20), (16384, 20)]),
        ("blocksize_range=4k-16k", [(4096, 1), (8192, 1), (12288, 1), (16384, 1)]),
        ("bsrange=4k-4k,8k-8k\nrw=write", [(8192, 1)]),
        ("kb_base=1000\nbs=4KiB", [(4096, 1)]),
    ],
)
def test_block_sizes(one: One, options: str, blocks: list[tuple[int, int]]) -> None:
    (profile,) = one(options).study.profile
    assert [(block.bytes, block.weight) for block in profile.blocks] == blocks
    assert profile.alignment_bytes == min(size for size, _ in blocks)


@pytest.mark.parametrize(
    ("options", "blocks", "written"),
    [
        ("bs=4k,64k", [(4096, 1)], [(65536, 1)]),
        ("bs=,64k", [(4096, 1)], [(65536, 1)]),
        ("bs=64k,64k,4k", [(65536, 1)], []),
        ("bsrange=4k-8k,32k-64k", [(4096, 1), (8192, 1)], [(32768, 1), (65536, 1)]),
        ("bssplit=4k/60:64k/40,8k/100", [(4096, 60), (65536, 40)], [(8192, 100)]),
        ("bs=4k,64k\nrwmixread=100", [(4096, 1)], []),
        ("bs=4k,64k\nrwmixwrite=100", [(65536, 1)], []),
    ],
)
@pytest.mark.parametrize("rw", ["rw", "randrw"])
def test_sizes_of_reads_and_of_writes(
    one: One, rw: str, options: str, blocks: object, written: object
) -> None:
    (profile,) = one(f"rw={rw}\n{options}").study.profile
    assert [(block.bytes, block.weight) for block in profile.blocks] == blocks
    assert [(block.bytes, block.weight) for block in profile.write_blocks] == written
    # fio aligns either direction to its own least block.
    for write in (False, True):
        least = min(block.bytes for block in profile.blocks_of(write))
        assert profile.alignment_of(write) == least


def test_alignments_and_places_of_both(make: Make, one: One) -> None:
    (profile,) = one("rw=randrw\nbs=16k\nblockalign=4k,8k").study.profile
    assert (profile.write_blocks, profile.alignment_bytes, profile.write_alignment_bytes) == ((), 4096, 8192)
    # The map of fio is of the least block of all; one of two sizes is none that iodyno has.
    found = make("[a]\nfilename=x\nsize=1m\nrw=randrw\nbs=4k,64k\n")
    assert found.jobs[0].study.profile[0].distribution.even
    assert any("can come again before all others" in note for note in found.notes)
    (profile,) = one("rw=randrw\nbs=4k,4k").study.profile
    assert profile.distribution.kind == "permutation"


@pytest.mark.parametrize(
    ("options", "distribution"),
    [
        ("rw=randread", "permutation"),
        ("rw=randread\nnorandommap", "uniform"),
        ("rw=randread\nbssplit=4k/50:8k/50", "uniform"),
        ("rw=randread:4", "uniform"),
        ("rw=read", "uniform"),
        ("rw=randwrite\nrandom_distribution=zipf:1.2", "zipf:1.2"),
        ("rw=randwrite\nrandom_distribution=zipf", "zipf:1.1"),
        ("rw=randwrite\nrandom_distribution=pareto:0.3", "pareto:0.3"),
        # fio scatters the blocks before it moves them to the centre: it decides nothing.
        ("rw=randwrite\nrandom_distribution=zipf:1.2:0.25", "zipf:1.2"),
        ("rw=randwrite\nrandom_distribution=pareto:0.3:1", "pareto:0.3"),
        ("rw=randrw\nrandom_distribution=zoned:50/5:30/15:20/", "50/5, 30/15, 20/80"),
        ("rw=randread\nrandom_distribution=zoned_abs:60/128k:40/512k", "60/12.5, 40/50"),
        ("rw=randread\nkb_base=1000\nsize=1m\nrandom_distribution=zoned_abs:60/100k:40/200k", "60/10, 40/20"),
        # The mean of 12 uniform draws has a variance of 1/144, one as wide as 0.12 has 0.12² / 12.
        ("rw=randread\nrandom_distribution=normal:12:0.3", "normal:0.0902"),
        ("rw=randread\nrandom_distribution=normal", "normal:0.0833"),
        # Of what a job does not do nothing is read.
        ("rw=randread\nrandom_distribution=zoned:90/10:10/,80/50:20/", "90/10, 10/90"),
        ("rw=randwrite\nrandom_distribution=zoned:90/10:10/,80/50:20/", "80/50, 20/50"),
    ],
)
def test_distributions(one: One, options: str, distribution: str) -> None:
    (profile,) = one(options).study.profile
    assert str(profile.distribution) == distribution


@pytest.mark.parametrize(
    ("options", "shares", "distributions"),
    [
        ("percentage_random=50,10", (0.5, 0.1), ("uniform", "uniform")),
        ("percentage_random=50,10,100", (0.5, 0.1), ("uniform", "uniform")),
        ("percentage_random=0,80", (0, 0.8), ("uniform", "uniform")),
        ("percentage_random=,30", (1, 0.3), ("uniform", "uniform")),
        ("percentage_random=30,", (0.3, 1), ("uniform", "uniform")),
        ("percentage_random=0,100\nrandom_distribution=zipf:1.2", (0, 1), ("zipf:1.2", "zipf:1.2")),
        ("percentage_random=40,100\nrandom_distribution=zipf:1.2", (0.4, 1), ("zipf:1.2", "zipf:1.2")),
        ("random_distribution=zoned:90/10:10/,80/50:20/", (1, 1), ("90/10, 10/90", "80/50, 20/50")),
        ("random_distribution=zoned:90/10:10/,90/10:10/", (1, 1), ("90/10, 10/90", "90/10, 10/90")),
        ("random_distribution=zoned_abs:60/128k:40/512k,100/1m", (1, 1), ("60/12.5, 40/50", "100/100")),
        (
            "percentage_random=0,50\nrandom_distribution=zoned:90/10:10/,80/50:20/",
            (0, 0.5),
            ("80/50, 20/50", "80/50, 20/50"),
        ),
    ],
)
def test_ways_of_reads_and_of_writes(
    one: One, options: str, shares: tuple[float, ...], distributions: tuple[str, ...]
) -> None:
    (profile,) = one(f"rw=randrw\n{options}").study.profile
    assert tuple(profile.random_of(write) for write in (False, True)) == shares
    assert tuple(str(profile.distribution_of(write)) for write in (False, True)) == distributions
    if len(set(shares)) == 1:
        assert profile.write_random_share is None
    if len(set(distributions)) == 1:
        assert profile.write_distribution is None


def test_shares_of_one_direction_are_those_of_that(one: One) -> None:
    for options, share in (
        ("rw=randread\npercentage_random=50,10", 0.5),
        ("rw=randwrite\npercentage_random=50,10", 0.1),
        ("rw=randrw\nrwmixread=0\npercentage_random=50,10", 0.1),
        ("rw=randrw:4\nrwmixread=100\npercentage_random=80,10", 0.8),
    ):
        (profile,) = one(options).study.profile
        assert profile.random_share == pytest.approx(share)
        assert profile.write_random_share is None


@pytest.mark.parametrize(
    ("options", "gap"),
    [
        ("rw=read:64k", 65536),
        ("rw=write:-8k", -8192),
        ("rw=rw:-0x1000", -4096),
        ("rw=read:8\nkb_base=1000", 8),
        ("kb_base=1000\nrw=read:-8k", -8000),
        ("rw=read", 0),
        ("rw=randread:8", 0),
    ],
)
def test_sequential_accesses_with_gaps(one: One, options: str, gap: int) -> None:
    assert one(options).study.profile[0].gap_bytes == gap


def test_gaps_that_are_none_are_refused(refused: Refused, make: Make) -> None:
    for value in ("read:", "read:x", "read:1.5k", "read:--8k", "write:+8k", "randread:", "randread:-8"):
        (problem,) = refused(f"[a]\nfilename=x\nsize=1m\nrw={value}\n")
        assert problem.startswith(":4")
    for offset, said in (("", False), ("offset=128k", True)):
        found = make(f"[a]\nfilename=x\nsize=1m\nrw=read:8k\n{offset}\n")
        assert any("with an offset fio begins elsewhere" in note for note in found.notes) == said


@pytest.mark.parametrize(
    ("options", "cursors"),
    [
        ("rw=rw", "own"),
        ("rw=readwrite\nrwmixread=70", "own"),
        ("rw=rw\nrwmixread=100", "shared"),
        ("rw=read", "shared"),
        ("rw=randrw", "shared"),
        ("rw=randrw:8", "own"),
        ("rw=randrw\npercentage_random=50", "own"),
    ],
)
def test_each_direction_of_a_mix_has_a_cursor(one: One, options: str, cursors: str) -> None:
    (profile,) = one(options).study.profile
    assert profile.cursors == cursors
    assert one("rw=randrw\npercentage_random=50,10").study.profile[0].own_cursors


def test_every_so_many_th_access_is_random(one: One, make: Make) -> None:
    for options, every in (
        ("rw=randread:8", 8),
        ("rw=randread:1", 1),
        ("rw=randrw:4\npercentage_random=80,10", 4),
        ("rw=randread:4\npercentage_random=0", 1),
    ):
        assert one(options).study.profile[0].random_every == every
    for files, said in (("filename=x", False), ("filename=x:y", True), ("nrfiles=2", True)):
        found = make(f"[a]\n{files}\nsize=1m\niodepth=2\nioengine=libaio\nrw=randread:8\n")
        assert any("fio counts over all files" in note for note in found.notes) == said


def test_each_block_once_is_of_both_directions_at_once(one: One, make: Make) -> None:
    """The map of fio is one for reads and writes: what it asks of one direction alone is none of ours."""
    for options in ("percentage_random=0,100", "percentage_random=100,50"):
        assert one(f"rw=randrw\n{options}").study.profile[0].distribution.even
        found = make(f"[a]\nfilename=x\nsize=1m\nrw=randrw\n{options}\n")
        assert any("can come again before all others" in note for note in found.notes)


def test_distributions_that_cannot_be(refused: Refused) -> None:
    text = "[a]\nfilename=x\nsize=1m\nrw=randrw\nrandom_distribution={}\n"
    for value in (
        "normal:100",
        "normal:x",
        "normal:5:2",
        "zoned_abs:60/1m:40/1m",
        "zoned_abs:60/1m:40",
        "zoned_abs:60/4k:30/4k",
        "zoned:60/10:30/20",
        "zoned:a/b",
        "zipf:x",
        "zipf:1.2:1.25",
        "zipf:1.2:x",
        "zipf::0.5",
        "pareto:0.2:",
        "pareto:2",
        "zipf:1.2,pareto:0.9",
        "zipf:1.2,0.9",
        "normal:10,20",
        "zoned:60/10:40/20,60/10:30/20",
        "zoned:100/20,,,",
    ):
        (said,) = refused(text.format(value))
        assert said.startswith(f":5: random_distribution={value}")


def test_that_a_centre_makes_no_difference_is_told(make: Make) -> None:
    text = "[a]\nfilename=x\nsize=1m\nrw=randread\nrandom_distribution="
    said = ":5: random_distribution=zipf:1.2:0.25: fio scatters the blocks"
    assert any(said in note for note in make(f"{text}zipf:1.2:0.25\n").notes)
    assert not any("fio scatters" in note for note in make(f"{text}zipf:1.2\n").notes)


def test_a_distribution_that_iodyno_has_not_is_left_out_on_request(refused: Refused, make: Make) -> None:
    text = "[a]\nfilename=x\nsize=1m\nrw=randread\nrandom_distribution=sequence:2,0,1\n"
    said = ":5: random_distribution=sequence:2,0,1 is not honoured: offsets are uniform"
    assert refused(text) == [said]
    found = make(text, approximate=True)
    assert found.jobs[0].study.profile[0].distribution.even
    assert any(note.endswith(f"{said}; left out on request") for note in found.notes)


def test_data_that_compresses_or_repeats(one: One) -> None:
    (profile,) = one("rw=write\nbuffer_compress_percentage=40\ndedupe_percentage=25").study.profile
    assert (profile.data_compressible_share, profile.data_duplicate_share) == (0.4, 0.25)


def test_sizes_that_are_cut_are_told_and_ranges_are_never_unaligned(make: Make, refused: Refused) -> None:
    text = "[a]\nfilename=x\nsize=1m\nrw=randread\nbssplit=4k/50:6k/30:8k/20\n"
    translated = make(text)
    blocks = translated.jobs[0].study.profile[0].blocks
    assert [(block.bytes, block.weight) for block in blocks] == [(4096, 80), (8192, 20)]
    said = ":5: blocks of 6k are 4k, a multiple of 4k, as in fio without bs_unaligned=1"
    assert [note for note in translated.notes if said in note]
    blocks = make(f"{text}bs_unaligned\n").jobs[0].study.profile[0].blocks
    assert [(block.bytes, block.weight) for block in blocks] == [(4096, 50), (6144, 30), (8192, 20)]
    ranged = "[a]\nfilename=x\nsize=1m\nrw=randread\nbsrange=4k-8k\nbs_unaligned={}\n"
    assert refused(ranged.format(1)) == [
        ":6: bs_unaligned is not honoured with bsrange: sizes are multiples of the least"
    ]
    assert len(make(ranged.format(0)).jobs[0].study.profile[0].blocks) == 2


def test_a_theta_that_fio_refuses_is_refused(refused: Refused, one: One) -> None:
    for number in ("1", "1.0", "1:0.5"):
        text = f"[a]\nfilename=x\nsize=1m\nrw=randread\nrandom_distribution=zipf:{number}\n"
        assert refused(text) == [f":5: random_distribution=zipf:{number}: fio takes no theta of 1"]
    assert (
        str(one("rw=randread\nrandom_distribution=zipf:0.9999").study.profile[0].distribution)
        == "zipf:0.9999"
    )


@pytest.mark.parametrize(
    ("options", "data", "said"),
    [
        ("", "incompressible", False),
        ("scramble_buffers=1", "incompressible", False),
        ("scramble_buffers=0", "repeated", False),
        ("scramble_buffers=0\niodepth=8\nioengine=libaio", "repeated", True),
        ("scramble_buffers=0\nrefill_buffers", "incompressible", False),
        ("scramble_buffers=0\nbuffer_compress_percentage=50", "incompressible", False),
        ("scramble_buffers=0\ndedupe_percentage=50", "incompressible", False),
        ("scramble_buffers=0\nzero_buffers", "zeros", False),
    ],
)
def test_buffers_that_are_not_scrambled_are_written_again(
    make: Make, options: str, data: str, said: bool
) -> None:
    translated = make(f"[a]\nfilename=x\nsize=1m\nrw=randwrite\n{options}\n")
    assert translated.jobs[0].study.profile[0].data == data
    assert said == any("one block is written again and again" in note for note in translated.notes)


@pytest.mark.skipif(shutil.which("fio") is None, reason="fio is not installed")
@pytest.mark.parametrize(
    ("options", "repeated"),
    [("", False), ("scramble_buffers=0", True), ("scramble_buffers=0\nrefill_buffers=1", False),
     ("scramble_buffers=0\nbuffer_compress_percentage=50", False)],
)  # fmt: skip
def test_an_installed_fio_writes_one_block_where_one_is_meant(
    tmp_path: Path, one: One, options: str, repeated: bool
) -> None:
    asked = [f"--{option}" for option in options.splitlines()]
    command = ["fio", "--name=a", "--filename=x", "--ioengine=psync", "--rw=write", "--bs=4k", "--size=1m"]
    subprocess.run([*command, *asked], cwd=tmp_path, check=True, capture_output=True, timeout=60)
    content = (tmp_path / "x").read_bytes()
    blocks = {content[at : at + 4096] for at in range(0, len(content), 4096)}
    assert len(blocks) == (1 if repeated else 256)
    assert (one(f"rw=write\n{options}").study.profile[0].data == "repeated") == repeated


ANEW = [
    ("time_based\nruntime=1", False),
    ("", True),
    ("time_based\nruntime=1\nbs=12k", True),
    ("time_based\nruntime=1\nbs=4k,16k", False),
    ("time_based\nruntime=1\nfilename=x:y\niodepth=2\nioengine=libaio", True),
    ("time_based\nruntime=1\nrwmixread=100", False),
]


@pytest.mark.parametrize(("options", "said"), ANEW)
def test_where_fio_begins_both_directions_again_is_told(make: Make, options: str, said: bool) -> None:
    notes = make(f"[a]\nfilename=x\nsize=1m\nrw=rw\n{options}\n").notes
    assert said == any("fio begins both again, where one has, or before" in note for note in notes)


@pytest.mark.skipif(shutil.which("fio") is None, reason="fio is not installed")
@pytest.mark.parametrize(("options", "said"), [one for one in ANEW if "rwmixread" not in one[0]])
def test_an_installed_fio_begins_both_directions_again(tmp_path: Path, options: str, said: bool) -> None:
    """Of ten accesses one reads: reads come to the end only where writes do not take them back."""
    text = (
        f"[a]\nioengine=null\nfilename=x\nsize=1m\nrw=rw\nrwmixread=10\n{options}\nioengine=null\niodepth=1\n"
    )
    (tmp_path / "job.fio").write_text(text + "write_iolog=log\n")
    subprocess.run(["fio", "job.fio"], cwd=tmp_path, check=True, capture_output=True, timeout=60)
    lines = (line.split() for line in (tmp_path / "log").read_text().splitlines())
    most = max(int(words[-2]) + int(words[-1]) for words in lines if "read" in words)
    assert (most < 1 << 19) == said


@pytest.mark.parametrize(
    ("sizes", "said"),
    [
        ("bs=8k", ""),
        ("bssplit=4k/50:64k/50", "fio ranks blocks of 4k"),
        ("bs=4k,16k", "fio ranks blocks of 4k, seeks most of the direction with larger ones behind the end"),
        ("bssplit=4k/50:8k/50,4k/90:64k/10", "fio ranks blocks of 4k"),
    ],
)
def test_what_a_law_ranks_is_told(make: Make, sizes: str, said: str) -> None:
    text = f"[a]\nfilename=x\nsize=16m\nrw=randrw\n{sizes}\nrandom_distribution="
    for law in ("zipf:1.2", "pareto:0.2", "normal:10"):
        notes = [note for note in make(text + law).notes if "the law ranks cells" in note]
        assert len(notes) == bool(said)
        assert all(said in note and ":6: " in note for note in notes)
        assert all(("behind the end" in note) == ("behind the end" in said) for note in notes)
    assert not any("the law ranks" in note for note in make(text + "zoned:60/10:40/90").notes)
