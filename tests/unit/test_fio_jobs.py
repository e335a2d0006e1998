"""Job files of fio become studies; what is not honoured is named with its line."""

from __future__ import annotations

from pathlib import Path
from textwrap import dedent

import pytest

from command_line import Bench, CommandLine
from iodyno.errors import ProfileError
from iodyno.fio import Translated, translate
from iodyno.fio.planning import plan_jobs, supposed
from iodyno.fio.together import JobStudy
from iodyno.study import Overrides


def job_file(folder: Path, text: str) -> Path:
    file = folder / "job.fio"
    file.write_text(dedent(text))
    return file


@pytest.fixture
def make(tmp_path: Path):  # type: ignore[no-untyped-def]
    def translated(text: str, **options: object) -> Translated:
        return translate(job_file(tmp_path, text), environment={"DEPTH": "7"}, **options)  # type: ignore[arg-type]

    return translated


@pytest.fixture
def one(make):  # type: ignore[no-untyped-def]
    def only(options: str, **more: object) -> JobStudy:
        (found,) = make("[a]\nfilename=x\nsize=1m\n" + dedent(options), **more).jobs
        return found

    return only


@pytest.fixture
def refused(make):  # type: ignore[no-untyped-def]
    def problems(text: str, **options: object) -> list[str]:
        with pytest.raises(ProfileError) as caught:
            make(text, **options)
        assert all(problem.hint for problem in caught.value.problems)
        return [str(problem).split("job.fio, ")[-1] for problem in caught.value.problems]

    return problems


def test_the_defaults_are_those_of_fio(one) -> None:  # type: ignore[no-untyped-def]
    study = one("").study
    (profile,), (sweep,) = study.profile, study.sweep
    assert (profile.random_share, profile.read_share, profile.blocks[0].bytes) == (0.0, 1.0, 4096)
    assert (study.measurement.engine, study.measurement.direct) == ("sync", False)
    assert (sweep.outstanding, sweep.workers) == ((1,), (1,))


def test_global_sections_are_for_those_after_them(make) -> None:  # type: ignore[no-untyped-def]
    jobs = make(
        """\
        ; a comment
        [a]
        filename=x
        size=1m
        # another
        [global]
        filename=y    # and one at the end of a line
        size=2m
        bs=8k
        [b]
        stonewall
        [global]
        bs=16k
        [c]
        stonewall
        size=3m
        """
    ).jobs
    assert [(job.name, job.paths, job.file_bytes) for job in jobs] == [
        ("a", ("x",), 1 << 20), ("b", ("y",), 2 << 20), ("c", ("y",), 3 << 20),
    ]  # fmt: skip
    assert [job.study.profile[0].blocks[0].bytes for job in jobs] == [4096, 8192, 16384]


def test_variables_words_and_included_files(tmp_path: Path, make) -> None:  # type: ignore[no-untyped-def]
    (tmp_path / "more.inc").write_text("iodepth=${DEPTH}\nioengine=libaio\nsize=16*$pagesize\n")
    (job,) = make("[a]\nfilename=x\ninclude more.inc\nbs=4k${NOTHING}\n").jobs
    assert job.study.sweep[0].outstanding == (7,)
    assert job.file_bytes == 16 * 4096


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
def test_directions(one, options: str, random: float, read: float) -> None:  # type: ignore[no-untyped-def]
    (profile,) = one(options).study.profile
    assert (profile.random_share, profile.read_share) == (random, pytest.approx(read))


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
def test_block_sizes(one, options: str, blocks: list[tuple[int, int]]) -> None:  # type: ignore[no-untyped-def]
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
def test_sizes_of_reads_and_of_writes(one, rw: str, options: str, blocks: object, written: object) -> None:  # type: ignore[no-untyped-def]
    (profile,) = one(f"rw={rw}\n{options}").study.profile
    assert [(block.bytes, block.weight) for block in profile.blocks] == blocks
    assert [(block.bytes, block.weight) for block in profile.write_blocks] == written
    # fio aligns either direction to its own least block.
    for write in (False, True):
        least = min(block.bytes for block in profile.blocks_of(write))
        assert profile.alignment_of(write) == least


def test_alignments_and_places_of_both(make, one) -> None:  # type: ignore[no-untyped-def]
    (profile,) = one("rw=randrw\nbs=16k\nblockalign=4k,8k").study.profile
    assert (profile.write_blocks, profile.alignment_bytes, profile.write_alignment_bytes) == ((), 4096, 8192)
    # The map of fio is of the least block of all; one of two sizes is none that iodyno has.
    found = make("[a]\nfilename=x\nsize=1m\nrw=randrw\nbs=4k,64k\n")
    assert found.jobs[0].study.profile[0].distribution.even
    assert any("can come again before all others" in note for note in found.notes)
    (profile,) = one("rw=randrw\nbs=4k,4k").study.profile
    assert profile.distribution.kind == "permutation"


def test_a_rate_in_bytes_counts_the_blocks_of_its_direction(one) -> None:  # type: ignore[no-untyped-def]
    # 8 MB/s of 4 kB are 2048 reads a second, 16 MB/s of 64 kB 256 writes.
    study = one("rw=randrw\nbs=4k,64k\nrate=8m,16m").study
    assert study.sweep[0].rate_io_s == (pytest.approx(2304),)
    assert study.profile[0].read_share == pytest.approx(2048 / 2304)


def test_a_mix_is_shown_by_the_mean_of_what_it_moves(one) -> None:  # type: ignore[no-untyped-def]
    # Half of 4 kB and half of 128 kB: 66 kB on average, from 64 kB on shown in MB/s.
    assert one("rw=rw\nbs=4k,128k").study.profile[0].shown_as == "throughput"
    assert one("rw=rw\nbs=4k,128k\nrwmixread=60").study.profile[0].shown_as == "transaction_rate"


def test_time_based_jobs_are_measured_for_exactly_their_runtime(one) -> None:  # type: ignore[no-untyped-def]
    measurement = one("time_based\nruntime=90\nramp_time=1m").study.measurement
    assert (measurement.warmup_s, measurement.floor_s, measurement.cap_s) == (60.0, 90.0, 90.0)


def test_jobs_of_so_many_bytes_are_measured_by_the_rule_and_that_is_said(make) -> None:  # type: ignore[no-untyped-def]
    found = make("[a]\nfilename=x\nsize=1m\nruntime=20\n")
    measurement = found.jobs[0].study.measurement
    assert (measurement.floor_s, measurement.cap_s) == (5.0, 20.0)
    assert any("at most for 20 s" in note and "job.fio, line 3" in note for note in found.notes)
    assert "at most for 20 s" in found.jobs[0].study.description


def test_depth_has_no_effect_on_a_synchronous_engine(make) -> None:  # type: ignore[no-untyped-def]
    found = make("[a]\nfilename=x\nsize=1m\niodepth=16\nioengine=psync\n")
    assert found.jobs[0].study.sweep[0].outstanding == (1,)
    assert any("no effect" in note for note in found.notes)


def test_several_files_share_the_depth_and_the_size(make, refused) -> None:  # type: ignore[no-untyped-def]
    text = "[a]\nfilename=a:b\\:c\nsize=8m\nioengine=libaio\niodepth={}\n"
    (job,) = make(text.format(8)).jobs
    assert (job.paths, job.file_bytes, job.study.sweep[0].outstanding) == (("a", "b:c"), 4 << 20, (4,))
    assert refused(text.format(3)) == ["line 5: iodepth=3 cannot be shared out evenly over 2 files"]


def test_each_clone_and_direction_has_its_own_limit_of_rate(one) -> None:  # type: ignore[no-untyped-def]
    # fio 3.33 does 995 reads and 995 writes a second of the first, 4087 and 1022 of the last, for two clones.
    job = one("rw=randrw\nrwmixread=70\nrate_iops=1000\nnumjobs=2\nrate_process=poisson").study
    assert (job.sweep[0].rate_io_s, job.sweep[0].arrival) == ((4000.0,), "poisson")
    assert job.profile[0].read_share == 0.5
    job = one("rw=randrw\nrate=8m,2m\nnumjobs=2").study
    assert (job.sweep[0].rate_io_s, job.profile[0].read_share) == ((5120.0,), 0.8)
    assert one("bs=8k\nrate=16k").study.sweep[0].rate_io_s == (2.0,)


def test_rates_of_a_mix_that_are_not_its_shares_are_told(make) -> None:  # type: ignore[no-untyped-def]
    text = "[a]\nfilename=x\nsize=1m\nrw=randrw\nrwmixread=70\nrate_iops={}\n"
    assert any("67% of the accesses read" in note for note in make(text.format("1000,500")).notes)
    assert not any("of the accesses read" in note for note in make(text.format("700,300")).notes)


def test_a_mix_of_which_one_direction_has_a_rate_is_refused(refused) -> None:  # type: ignore[no-untyped-def]
    """fio does 998 reads a second of it, and beside them as many writes as the device serves."""
    text = "[a]\nfilename=x\nsize=1m\nrw=randrw\nrate_iops={}\n"
    for value, limited in (("1000,", "reads"), (",500", "writes"), ("0,500", "writes")):
        (what,) = refused(text.format(value))
        assert f"line 5: of a mix only the {limited} have a rate" in what


def test_data_is_verified_in_the_way_of_iodyno(one, make) -> None:  # type: ignore[no-untyped-def]
    assert one("rw=randwrite\nverify=crc32c").study.measurement.verify
    assert not one("rw=randwrite\nverify=0").study.measurement.verify
    trims = one("rw=randtrim\nverify=crc32c").study
    assert trims.measurement.verify
    assert trims.profile[0].trim_share == 1
    found = make("[a]\nfilename=x\nsize=1m\nrw=write\nverify=md5\n")
    assert any("verify=md5: iodyno stamps" in note for note in found.notes)
    both = make("[a]\nfilename=x\nsize=1m\nrw=write\nverify=md5\n[b]\nstonewall\nfilename=x\nsize=1m\n")
    assert all(job.study.measurement.verify for job in both.jobs)


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
def test_distributions(one, options: str, distribution: str) -> None:  # type: ignore[no-untyped-def]
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
def test_ways_of_reads_and_of_writes(  # type: ignore[no-untyped-def]
    one, options: str, shares: tuple[float, ...], distributions: tuple[str, ...]
) -> None:
    (profile,) = one(f"rw=randrw\n{options}").study.profile
    assert tuple(profile.random_of(write) for write in (False, True)) == shares
    assert tuple(str(profile.distribution_of(write)) for write in (False, True)) == distributions
    if len(set(shares)) == 1:
        assert profile.write_random_share is None
    if len(set(distributions)) == 1:
        assert profile.write_distribution is None


def test_shares_of_one_direction_are_those_of_that(one) -> None:  # type: ignore[no-untyped-def]
    for options, share in (
        ("rw=randread\npercentage_random=50,10", 0.5),
        ("rw=randwrite\npercentage_random=50,10", 0.1),
        ("rw=randrw\nrwmixread=0\npercentage_random=50,10", 0.1),
        ("rw=randrw:4\nrwmixread=100\npercentage_random=80,10", 0.8),
    ):
        (profile,) = one(options).study.profile
        assert (profile.random_share, profile.write_random_share) == (pytest.approx(share), None)


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
def test_sequential_accesses_with_gaps(one, options: str, gap: int) -> None:  # type: ignore[no-untyped-def]
    assert one(options).study.profile[0].gap_bytes == gap


def test_gaps_that_are_none_are_refused(refused, make) -> None:  # type: ignore[no-untyped-def]
    for value in ("read:", "read:x", "read:1.5k", "read:--8k", "write:+8k", "randread:", "randread:-8"):
        (problem,) = refused(f"[a]\nfilename=x\nsize=1m\nrw={value}\n")
        assert problem.startswith("line 4")
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
def test_each_direction_of_a_mix_has_a_cursor(one, options: str, cursors: str) -> None:  # type: ignore[no-untyped-def]
    (profile,) = one(options).study.profile
    assert profile.cursors == cursors
    assert one("rw=randrw\npercentage_random=50,10").study.profile[0].own_cursors


def test_every_so_many_th_access_is_random(one, make) -> None:  # type: ignore[no-untyped-def]
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


def test_each_block_once_is_of_both_directions_at_once(one, make) -> None:  # type: ignore[no-untyped-def]
    """The map of fio is one for reads and writes: what it asks of one direction alone is none of ours."""
    for options in ("percentage_random=0,100", "percentage_random=100,50"):
        assert one(f"rw=randrw\n{options}").study.profile[0].distribution.even
        found = make(f"[a]\nfilename=x\nsize=1m\nrw=randrw\n{options}\n")
        assert any("can come again before all others" in note for note in found.notes)


def test_distributions_that_cannot_be(refused) -> None:  # type: ignore[no-untyped-def]
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
        "pareto:2",
        "zipf:1.2,pareto:0.9",
        "zipf:1.2,0.9",
        "normal:10,20",
        "zoned:60/10:40/20,60/10:30/20",
        "zoned:100/20,,,",
    ):
        (said,) = refused(text.format(value))
        assert said.startswith(f"line 5: random_distribution={value}")


def test_clones_without_a_file_or_with_an_increment_have_parts_of_their_own(make) -> None:  # type: ignore[no-untyped-def]
    (job,) = make("[a]\nsize=4m\nnumjobs=3\n").jobs
    assert (job.study.measurement.workers_area, job.file_bytes) == ("own", 12 << 20)
    assert job.study.profile[0].area.length == 12 << 20
    (job,) = make("[a]\nfilename=x\nsize=4m\nnumjobs=3\noffset_increment=4m\n").jobs
    assert (job.study.measurement.workers_area, job.file_bytes) == ("own", 12 << 20)
    (job,) = make("[a]\nfilename=x\nsize=4m\nnumjobs=3\n").jobs
    assert (job.study.measurement.workers_area, job.file_bytes) == ("shared", 4 << 20)


def test_data_that_compresses_or_repeats(one) -> None:  # type: ignore[no-untyped-def]
    (profile,) = one("rw=write\nbuffer_compress_percentage=40\ndedupe_percentage=25").study.profile
    assert (profile.data_compressible_share, profile.data_duplicate_share) == (0.4, 0.25)


def test_syncs_think_time_and_how_files_are_opened(one, make) -> None:  # type: ignore[no-untyped-def]
    study = one("rw=randwrite\nfsync=32\nthinktime=200\nthinktime_blocks=4\nsync=dsync\ncpus_allowed=0").study
    (profile,), measurement = study.profile, study.measurement
    assert (profile.fsync_every, profile.think_time_us, profile.think_every) == (32, 200, 4)
    assert (measurement.write_through, measurement.pinning) == (True, "0")
    assert one("rw=randread\nfsync=32").study.profile[0].fsync_every == 0
    assert one("thinktime=2ms").study.profile[0].think_time_us == 2000
    assert one("").study.measurement.pinning == "none"
    assert one("ioengine=io_uring\ndirect=1\nhipri").study.measurement.iopoll
    assert any("O_SYNC" in note for note in make("[a]\nfilename=x\nsize=1m\nsync=1\n").notes)


def test_trims_alter_what_a_target_holds(one) -> None:  # type: ignore[no-untyped-def]
    job = one("rw=randtrim\nbs=4k,8k,64k")
    (profile,) = job.study.profile
    assert (profile.trim_share, profile.random_share, profile.blocks[0].bytes) == (1.0, 1.0, 65536)
    assert job.altered == set(job.paths)


def test_the_area_is_what_offset_and_size_say(one) -> None:  # type: ignore[no-untyped-def]
    job = one("offset=1m\nsize=2m")
    area = job.study.profile[0].area
    assert (area.start, area.length, job.file_bytes) == (1 << 20, 2 << 20, 3 << 20)
    area = one("offset=80%\nsize=50%").study.profile[0].area
    assert (area.start, area.length) == (0.8, pytest.approx(0.2))


def test_targets_take_the_place_of_the_files(make, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    folder = str(tmp_path)
    text = "[a]\nfilename={}\nsize=1m\n"
    assert make(text.format("f"), targets=[folder]).jobs[0].paths == (f"{folder}/f",)
    assert make(text.format("/dev/x"), targets=[folder]).jobs[0].paths == (folder,)
    assert make(text.format("/dev/x"), targets=["/dev/loop7"]).jobs[0].paths == ("/dev/loop7",)
    assert make("[a]\ndirectory=/data\nsize=1m\n").jobs[0].paths == ("/data/iodyno.data",)
    assert make("[a]\ndirectory=/data\nfilename=f\nsize=1m\n").jobs[0].paths == ("/data/f",)


def test_every_option_that_is_not_honoured_is_named_with_its_line_at_once(refused) -> None:  # type: ignore[no-untyped-def]
    assert refused(
        """\
        [a]
        filename=x
        size=1.5m
        zonemode=zbd
        bss=4k
        bs= 8k
        direct
        ioengine=rbd
        """
    ) == ["line 6: a space stands before the value of bs: fio does not read it"]
    said = refused("[a]\nsize=1.5m\nzonemode=zbd\nbss=4k\ndirect\nioengine=rbd\niodepth=0\n")
    assert said == [
        "line 2: size: '1.5m' is no number or size that fio reads as it looks",
        "line 3: zonemode=zbd is not honoured: zones are not known",
        "line 4: bss=4k is not honoured",
        "line 5: direct: the value is missing",
        "line 7: iodepth: 0 is outside 1 to 4096",
        "line 6: ioengine=rbd is no engine of iodyno",
    ]


def test_values_that_change_nothing_are_not_complained_of(make) -> None:  # type: ignore[no-untyped-def]
    text = "[a]\nfilename=x\nsize=1m\nzonemode=none\nverify=0\nthread\ngroup_reporting=1\nwrite_lat_log=x\n"
    assert [job.name for job in make(text).jobs] == ["a"]


ALONE = "[c]\nstonewall\nfilename=z\nsize=1m\n"


def test_jobs_at_once_on_files_of_their_own_are_one_load_with_workers_for_each(make) -> None:  # type: ignore[no-untyped-def]
    shared = "[global]\nsize=1m\nioengine=libaio\niodepth=8\nnrfiles=2\nnumjobs=3\nrate_iops=50\n"
    both, alone = make(shared + "[a]\nfilename=x:y\n[b]\nfilename=v:w\n" + ALONE).jobs
    study = both.study
    (sweep,), measurement = study.sweep, study.measurement
    assert (both.paths, both.file_bytes) == (("x", "y", "v", "w"), 512 << 10)
    assert (sweep.outstanding, sweep.workers, measurement.targets_per_worker) == ((4,), (3,), 2)
    assert sweep.rate_io_s == (2 * 3 * 50.0,)
    assert (both.name, study.title, study.profile[0].title) == ("a, b", "job: a, b", "a, b")
    assert (alone.name, alone.study.measurement.targets_per_worker) == ("c", None)


def test_jobs_at_once_without_a_file_have_files_of_their_names(make, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    text = "[global]\nsize=1m\ndirectory=/data\n[a]\n[b]\n"
    (job,) = make(text).jobs
    assert job.paths == ("/data/a.0", "/data/b.0")
    (job,) = make(text, targets=[str(tmp_path)]).jobs
    assert job.paths == (f"{tmp_path}/a.0", f"{tmp_path}/b.0")


def test_jobs_at_once_on_the_same_file_are_clones(make) -> None:  # type: ignore[no-untyped-def]
    (job,) = make("[global]\nsize=1m\nfilename=x\nnumjobs=2\n[a]\n[b]\n[c]\n").jobs
    assert (job.paths, job.study.sweep[0].workers) == (("x",), (6,))
    assert (job.study.measurement.workers_area, job.study.measurement.targets_per_worker) == ("shared", None)


def test_jobs_at_once_on_parts_of_a_file_that_follow_each_other_have_areas_of_their_own(make) -> None:  # type: ignore[no-untyped-def]
    text = "[global]\nsize={0}\nfilename=x\n[a]\noffset={1}\n[b]\noffset={2}\n"
    (job,) = make(text.format("1m", "1m", "2m")).jobs
    assert (job.paths, job.study.sweep[0].workers, job.file_bytes) == (("x",), (2,), 3 << 20)
    assert job.study.measurement.workers_area == "own"
    area = job.study.profile[0].area
    assert (area.start, area.length) == (1 << 20, 2 << 20)
    (job,) = make(text.format("30%", "10%", "40%")).jobs
    area = job.study.profile[0].area
    assert (area.start, area.length) == (0.1, pytest.approx(0.6))


def test_jobs_at_once_that_ask_different_things_are_loads_of_one_point(make) -> None:  # type: ignore[no-untyped-def]
    text = """\
        [global]
        size=1m
        ioengine=libaio
        [a]
        filename=x
        rw=randread
        iodepth=8
        [b]
        filename=y:x
        rw=write
        bs=64k
        iodepth=4
        rate_iops=100
        [c]
        size=2m
        numjobs=2
        offset_increment=2m
        filename=x
        """
    (job,) = make(text).jobs
    (sweep,) = job.study.sweep
    assert (job.name, job.paths, job.file_bytes) == ("a, b, c", ("x", "y"), 4 << 20)
    assert [profile.title for profile in job.study.profile] == ["a", "b", "c"]
    assert (sweep.profiles, sweep.targets, sweep.outstanding, sweep.workers) == (("a",), (1,), (8,), (1,))
    b, c = sweep.beside
    assert (b.profile, b.targets, b.outstanding, b.workers, b.rate_io_s) == ("b", (2, 1), 2, 1, 100.0)
    assert (c.profile, c.targets, c.outstanding, c.workers, c.workers_area) == ("c", (1,), 1, 2, "own")
    assert job.altered == {"x", "y"}
    assert (job.bytes_of("x"), job.bytes_of("y")) == (4 << 20, 512 << 10)
    planned = plan_jobs(make(text), Overrides(), supposed)
    assert {Path(of.path).name: of.size_bytes for of in planned.targets} == {"x": 4 << 20, "y": 512 << 10}
    readers = make("[global]\nsize=1m\n[a]\nfilename=x\n[b]\nfilename=y\nrw=write\n").jobs[0]
    assert readers.altered == {"y"}


def test_jobs_at_once_whose_files_overlap_in_part_are_loads_of_one_point(make) -> None:  # type: ignore[no-untyped-def]
    for text in (
        "[a]\nfilename=x\n[b]\nfilename=y\nsize=2m\n",
        "iodepth=2\n[a]\nfilename=x:y\n[b]\nfilename=y:z\n",
        "[a]\nfilename=x\noffset=4k\n[b]\nfilename=x\n",
    ):
        (job,) = make(f"[global]\nsize=1m\nioengine=libaio\n{text}").jobs
        assert len(job.study.sweep[0].beside) == 1


def test_jobs_at_once_that_are_measured_otherwise_are_refused_or_measured_one_after_the_other(
    make, refused
) -> None:  # type: ignore[no-untyped-def]
    def why(options: str) -> str:
        jobs = f"[a]\nfilename=x\n[b]\nfilename=y\nrw=write\n{options}"
        (said,) = refused(f"[global]\nsize=1m\nioengine=libaio\nruntime=4\n{jobs}")
        return said.partition(" at once with [a] and ")[2]

    of_one = "one point is measured in one way"
    assert why("direct=1\nioengine=io_uring\n") == f"differs in ioengine, direct: {of_one}"
    assert why("runtime=9\n") == f"differs in runtime: {of_one}"
    assert why("sync=dsync\ncpus_allowed=0\n") == f"differs in sync, cpus_allowed: {of_one}"
    text = "[a]\nfilename=x\nsize=1m\n[b]\nfilename=x\nsize=1m\ndirect=1\n" + ALONE
    found = make(text, approximate=True)
    assert [job.name for job in found.jobs] == ["a", "b", "c"]
    assert any("on request" in note for note in found.notes)


def test_jobs_at_once_begin_and_end_together_and_that_is_said(make, refused) -> None:  # type: ignore[no-untyped-def]
    text = "[global]\nsize=1m\n[a]\nfilename=x\n[b]\nfilename=y\n{}"
    assert any(
        "[a], [b] run at once" in note and "end together" in note for note in make(text.format("")).notes
    )
    (said,) = refused(text.format("startdelay=5\n"))
    assert said == "line 7: startdelay: jobs that run at once begin together"


def test_one_of_several_jobs_can_be_picked(make) -> None:  # type: ignore[no-untyped-def]
    text = "[global]\nsize=1m\n[a]\nfilename=x\n[b]\nfilename=y\n[c]\nfilename=z\n"
    (job,) = make(text, only=["a", "c"]).jobs
    assert job.paths == ("x", "z")
    (job,) = make(text, only=["a, b, c"]).jobs
    assert job.paths == ("x", "y", "z")
    (job,) = make(text, only=["b"]).jobs
    assert (job.name, job.paths, job.study.measurement.targets_per_worker) == ("b", ("y",), None)


def test_jobs_at_once_on_several_files_have_virtual_volumes_of_their_own(make) -> None:  # type: ignore[no-untyped-def]
    text = "[global]\nsize=1m\n[a]\nfilename={}\n[b]\nfilename=y\n"
    (sweep,) = make(text.format("x"), real=False).study.sweep
    assert (sweep.targets, [load.targets for load in sweep.beside]) == ((1,), [(2,)])
    assert make(text.format("y"), real=False).study.sweep[0].workers == (2,)


def test_what_is_left_out_on_request_is_said(make) -> None:  # type: ignore[no-untyped-def]
    found = make(
        "[a]\nfilename=x\nsize=1m\nzonemode=zbd\nrw=randrw\nrandom_distribution=sequence:4\n",
        approximate=True,
    )
    assert [note.split(": ", 1)[1] for note in found.notes][:2] == [
        "zonemode=zbd is not honoured: zones are not known; left out on request",
        "random_distribution=sequence:4 is not honoured: offsets are uniform; left out on request",
    ]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "has no job"),
        ("size=1m\n", 'line 1: "size=1m" stands outside of a section'),
        ("[a\nsize=1m\n", 'line 1: "[a" is no name of a section'),
        ("[a]\ninclude job.fio\n", "a file that is included has a section"),
        ("[a]\ninclude none\n", "cannot be read: no such file or directory"),
        ("[a]\nsize=9*$pagesize/0\n", 'line 2: "9*4096/0" cannot be calculated'),
        (
            "[a]\nrw=randtrimwrite\n",
            "line 2: rw=randtrimwrite: iodyno does not trim each block before it writes it",
        ),
        ("[a]\ntime_based\n", "line 2: time_based needs a runtime"),
        ("[a]\nbs=256m\n", "line 2: a block is above the limit of 64M"),
        (f"[a]\nbssplit={':'.join(str(512 * size) for size in range(1, 100))}\n", "above the limit of 64"),
    ],
)
def test_files_that_cannot_be_read(refused, text: str, said: str) -> None:  # type: ignore[no-untyped-def]
    assert any(problem.endswith(said) for problem in refused(text))


def test_measure_runs_a_job_file(iodyno_says: CommandLine, bench: Bench, tmp_path: Path) -> None:
    file = job_file(
        tmp_path,
        "[a]\nfilename=f\nsize=1m\ntime_based\nruntime=1\n[b]\nstonewall\nfilename=f\nbs=8k\nsize=512k\n",
    )
    said = iodyno_says("measure", file, tmp_path)
    assert said.code == 0, said.err
    assert bench.measured == [0, 1]
    assert "note: " in said.err
    shown = iodyno_says("show")
    assert "fio job file job" in shown.out
    assert str(tmp_path / "f") in shown.out
    assert not (tmp_path / "f").exists()


def test_a_file_of_somebody_else_is_not_written(
    iodyno_says: CommandLine, bench: Bench, tmp_path: Path
) -> None:
    (tmp_path / "f").write_bytes(b"mine" * 4096)
    file = job_file(tmp_path, f"[a]\nfilename={tmp_path}/f\nrw=randwrite\nsize=16k\n")
    said = iodyno_says("measure", file)
    assert said.code == 2
    assert "was not made by iodyno" in said.err
    assert bench.measured == []


def test_a_job_without_a_size_makes_no_file(iodyno_says: CommandLine, bench: Bench, tmp_path: Path) -> None:
    file = job_file(tmp_path, "[a]\nrw=randread\n")
    said = iodyno_says("measure", file, tmp_path)
    assert said.code == 2
    assert "the job says no size in bytes" in said.err
    assert iodyno_says("measure", file, tmp_path, "--size", "1m").code == 0


def test_plan_and_simulate_take_a_job_file(iodyno_says: CommandLine, tmp_path: Path) -> None:
    file = job_file(
        tmp_path, "[a]\nfilename=f\nsize=64m\nrw=randread\nnorandommap\nbs=8k\n[b]\nstonewall\nsize=1m\n"
    )
    said = iodyno_says("plan", file)
    assert said.code == 0, said.err
    assert "2 points" in said.out
    said = iodyno_says("plan", file, "--profile", "a")
    assert "1 point," in said.out
    assert iodyno_says("plan", file, "--profile", "c").code == 2
    said = iodyno_says("simulate", file, "--on", "p3700", "--plan")
    assert said.code == 0, said.err
    assert "p3700" in said.out
