"""Job files of fio become studies; what is not honoured is named with its line."""

from __future__ import annotations

import shlex
from pathlib import Path

import pytest

from command_line import Bench, CommandLine
from factories import make_run
from fio_documents import Make, One, Refused, job_file
from iodyno.errors import ProfileError
from iodyno.plan import Plan
from iodyno.report.sections.commands import repeat


def test_the_defaults_are_those_of_fio(one: One) -> None:
    study = one("").study
    (profile,), (sweep,) = study.profile, study.sweep
    assert (profile.random_share, profile.read_share, profile.blocks[0].bytes) == (0.0, 1.0, 4096)
    assert (study.measurement.engine, study.measurement.direct) == ("sync", False)
    assert (sweep.outstanding, sweep.workers) == ((1,), (1,))


def test_global_sections_are_for_those_after_them(make: Make) -> None:
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


def test_variables_words_and_included_files(tmp_path: Path, make: Make) -> None:
    (tmp_path / "more.inc").write_text("iodepth=${DEPTH}\nioengine=libaio\nsize=16*$pagesize\n")
    (job,) = make("[a]\nfilename=x\ninclude more.inc\nbs=4k${NOTHING}\n").jobs
    assert job.study.sweep[0].outstanding == (7,)
    assert job.file_bytes == 16 * 4096


def test_a_rate_in_bytes_counts_the_blocks_of_its_direction(one: One) -> None:
    # 8 MB/s of 4 kB are 2048 reads a second, 16 MB/s of 64 kB 256 writes.
    study = one("rw=randrw\nbs=4k,64k\nrate=8m,16m").study
    assert study.sweep[0].rate_io_s == pytest.approx((2304,))
    assert study.profile[0].read_share == pytest.approx(2048 / 2304)


def test_a_mix_is_shown_by_the_mean_of_what_it_moves(one: One) -> None:
    # Half of 4 kB and half of 128 kB: 66 kB on average, from 64 kB on shown in MB/s.
    assert one("rw=rw\nbs=4k,128k").study.profile[0].shown_as == "throughput"
    assert one("rw=rw\nbs=4k,128k\nrwmixread=60").study.profile[0].shown_as == "transaction_rate"


def test_time_based_jobs_are_measured_for_exactly_their_runtime(one: One) -> None:
    measurement = one("time_based\nruntime=90\nramp_time=1m").study.measurement
    assert (measurement.warmup_s, measurement.floor_s, measurement.cap_s) == (60.0, 90.0, 90.0)


def test_jobs_of_so_many_bytes_are_measured_by_the_rule_and_that_is_said(make: Make) -> None:
    found = make("[a]\nfilename=x\nsize=1m\nruntime=20\n")
    measurement = found.jobs[0].study.measurement
    assert (measurement.floor_s, measurement.cap_s) == (5.0, 20.0)
    assert any("at most for 20 s" in note and "job.fio:3" in note for note in found.notes)
    assert "at most for 20 s" in found.jobs[0].study.description


def test_depth_has_no_effect_on_a_synchronous_engine(make: Make) -> None:
    found = make("[a]\nfilename=x\nsize=1m\niodepth=16\nioengine=psync\n")
    assert found.jobs[0].study.sweep[0].outstanding == (1,)
    assert any("no effect" in note for note in found.notes)


def test_several_files_share_the_depth_and_the_size(make: Make, refused: Refused) -> None:
    text = "[a]\nfilename=a:b\\:c\nsize=8m\nioengine=libaio\niodepth={}\n"
    (job,) = make(text.format(8)).jobs
    assert (job.paths, job.file_bytes, job.study.sweep[0].outstanding) == (("a", "b:c"), 4 << 20, (4,))
    assert refused(text.format(3)) == [":5: iodepth=3 cannot be shared out evenly over 2 files"]


def test_each_clone_and_direction_has_its_own_limit_of_rate(one: One) -> None:
    # fio 3.33 does 995 reads and 995 writes a second of the first, 4087 and 1022 of the last, for two clones.
    job = one("rw=randrw\nrwmixread=70\nrate_iops=1000\nnumjobs=2\nrate_process=poisson").study
    assert (job.sweep[0].rate_io_s, job.sweep[0].arrival) == ((4000.0,), "poisson")
    assert job.profile[0].read_share == 0.5
    job = one("rw=randrw\nrate=8m,2m\nnumjobs=2").study
    assert (job.sweep[0].rate_io_s, job.profile[0].read_share) == ((5120.0,), 0.8)
    assert one("bs=8k\nrate=16k").study.sweep[0].rate_io_s == (2.0,)


def test_rates_of_a_mix_that_are_not_its_shares_are_told(make: Make) -> None:
    text = "[a]\nfilename=x\nsize=1m\nrw=randrw\nrwmixread=70\nrate_iops={}\n"
    assert any("67% of the accesses read" in note for note in make(text.format("1000,500")).notes)
    assert not any("of the accesses read" in note for note in make(text.format("700,300")).notes)


def test_a_mix_of_which_one_direction_has_a_rate_is_refused(refused: Refused) -> None:
    """fio does 998 reads a second of it, and beside them as many writes as the device serves."""
    text = "[a]\nfilename=x\nsize=1m\nrw=randrw\nrate_iops={}\n"
    for value, limited in (("1000,", "reads"), (",500", "writes"), ("0,500", "writes")):
        (what,) = refused(text.format(value))
        assert f":5: of a mix only the {limited} have a rate" in what


def test_data_is_verified_in_the_way_of_iodyno(one: One, make: Make) -> None:
    assert one("rw=randwrite\nverify=crc32c").study.measurement.verify
    assert not one("rw=randwrite\nverify=0").study.measurement.verify
    trims = one("rw=randtrim\nverify=crc32c").study
    assert trims.measurement.verify
    assert trims.profile[0].trim_share == 1
    found = make("[a]\nfilename=x\nsize=1m\nrw=write\nverify=md5\n")
    assert any("verify=md5: iodyno stamps" in note for note in found.notes)
    both = make("[a]\nfilename=x\nsize=1m\nrw=write\nverify=md5\n[b]\nstonewall\nfilename=x\nsize=1m\n")
    assert all(job.study.measurement.verify for job in both.jobs)


def test_clones_without_a_file_or_with_an_increment_have_parts_of_their_own(make: Make) -> None:
    (job,) = make("[a]\nsize=4m\nnumjobs=3\n").jobs
    assert (job.study.measurement.workers_area, job.file_bytes) == ("own", 12 << 20)
    assert job.study.profile[0].area.length == 12 << 20
    (job,) = make("[a]\nfilename=x\nsize=4m\nnumjobs=3\noffset_increment=4m\n").jobs
    assert (job.study.measurement.workers_area, job.file_bytes) == ("own", 12 << 20)
    (job,) = make("[a]\nfilename=x\nsize=4m\nnumjobs=3\n").jobs
    assert (job.study.measurement.workers_area, job.file_bytes) == ("shared", 4 << 20)


def test_clones_of_files_with_a_size_have_no_parts(make: Make, refused: Refused) -> None:
    """Each goes on to the end of the file, as fio sets ``io_size`` to what is behind the offset."""
    text = "[a]\nfilename=x\nfilesize=4m\nnumjobs=3\noffset_increment=1m\n"
    assert refused(text) == [
        ":5: with filesize each clone goes on to the end of the file, wherever offset_increment lets it "
        "begin: each has the whole area"
    ]
    (job,) = make(text, approximate=True).jobs
    assert (job.study.measurement.workers_area, job.file_bytes) == ("shared", 4 << 20)
    assert refused("[a]\nfilename=x\nfilesize=4m\noffset=4m\n") == [
        ":4: offset=4M leaves nothing of files of 4M"
    ]
    (job,) = make("[a]\nfilename=x\nfilesize=4m\noffset=4m\n", size=8 << 20).jobs
    assert (job.study.profile[0].area.length, job.file_bytes) == (4 << 20, 8 << 20)


APART = [
    ("rw=read", True),
    ("rw=write:64k", True),
    ("rw=randread", False),
    ("rw=randread\npercentage_random=50", False),
    ("rw=read\noffset_increment=4m", False),
]


@pytest.mark.parametrize(("options", "said"), APART)
def test_clones_that_begin_apart_are_told(make: Make, options: str, said: bool) -> None:
    text = f"[a]\nfilename=x\nsize=4m\n{options}\n"
    what = "clones begin at equal distances; fio's all begin at the start"
    assert said == any(what in note for note in make(f"{text}numjobs=2\n").notes)
    assert not any(what in note for note in make(text).notes)


def test_jobs_of_one_load_that_begin_apart_are_told(make: Make) -> None:
    def told(rw: str, second: str = "") -> bool:
        text = f"[global]\nfilename=x\nsize=4m\nrw={rw}\n[a]\n[b]\n{second}\n"
        return any("they begin at equal distances; fio's all begin" in note for note in make(text).notes)

    assert told("read")
    assert not told("randread")
    assert not told("read", "offset=4m")
    assert not told("read", "filename=y")


def test_parts_of_clones_that_are_no_whole_blocks_are_told(make: Make) -> None:
    text = "[a]\nfilename=x\nsize=1m\noffset_increment=1m\nnumjobs=2\nrw=randread\nbs={}\n"
    said = ":5: the part of each clone has 1020k, a multiple of 12k; those of fio have 1M"
    assert any(said in note for note in make(text.format("12k")).notes)
    assert not any("the part of each clone" in note for note in make(text.format("4k")).notes)


def test_syncs_think_time_and_how_files_are_opened(one: One, make: Make) -> None:
    study = one("rw=randwrite\nfsync=32\nthinktime=200\nthinktime_blocks=4\nsync=dsync\ncpus_allowed=0").study
    (profile,), measurement = study.profile, study.measurement
    assert (profile.fsync_every, profile.think_time_us, profile.think_every) == (32, 200, 4)
    assert (measurement.write_through, measurement.pinning) == (True, "0")
    assert one("rw=randread\nfsync=32").study.profile[0].fsync_every == 0
    assert one("thinktime=2ms").study.profile[0].think_time_us == 2000
    assert one("").study.measurement.pinning == "none"
    assert one("ioengine=io_uring\ndirect=1\nhipri").study.measurement.iopoll
    assert any("O_SYNC" in note for note in make("[a]\nfilename=x\nsize=1m\nsync=1\n").notes)


def test_trims_alter_what_a_target_holds(one: One) -> None:
    job = one("rw=randtrim\nbs=4k,8k,64k")
    (profile,) = job.study.profile
    assert (profile.trim_share, profile.random_share, profile.blocks[0].bytes) == (1.0, 1.0, 65536)
    assert job.altered == set(job.paths)


def test_the_area_is_what_offset_and_size_say(one: One) -> None:
    job = one("offset=1m\nsize=2m")
    area = job.study.profile[0].area
    assert (area.start, area.length, job.file_bytes) == (1 << 20, 2 << 20, 3 << 20)
    area = one("offset=80%\nsize=50%").study.profile[0].area
    assert area.start == 0.8
    assert area.length == pytest.approx(0.2)


def test_an_offset_inside_the_first_block_is_taken_as_the_beginning(one: One) -> None:
    """A study refuses a beginning that comes to 0; jobs that fio takes are planned."""
    for offset, rw, start in (
        ("512", "bs=4k", 0.0),
        ("512", "bs=512", 512),
        ("12k", "bs=4k", 12288),
        ("25", "bs=4k", 25),
    ):
        area = one(f"offset={offset}\nsize=2m\n{rw}").study.profile[0].area
        assert (area.start, area.length) == (start, 2 << 20)


def test_an_offset_that_is_no_multiple_of_the_blocks_is_told(make: Make) -> None:
    """fio begins at the byte that is named; what begins elsewhere here is said, with where."""
    for options, said in (
        ("offset=1k\nbs=4k", ":4: the area begins at 0, a multiple of 4k; fio begins at the offset"),
        (
            "offset=5k\nbs=4k",
            ":4: the area begins at 4k, a multiple of 4k; fio begins at the offset",
        ),
        ("offset=4k\nrw=randrw\nbs=4k,64k", "the area begins at 0, a multiple of 64k;"),
        ("offset=4k\nbs=4k", ""),
        ("offset=512\nrw=randread\nbs=4k\nba=512", ""),
        ("bs=4k", ""),
    ):
        notes = [note for note in make(f"[a]\nfilename=x\nsize=1m\n{options}\n").notes if "begins at" in note]
        assert len(notes) == bool(said)
        assert all(said in note for note in notes)


def test_targets_take_the_place_of_the_files(make: Make, tmp_path: Path) -> None:
    folder = str(tmp_path)
    text = "[a]\nfilename={}\nsize=1m\n"
    assert make(text.format("f"), targets=[folder]).jobs[0].paths == (f"{folder}/f",)
    assert make(text.format("/dev/x"), targets=[folder]).jobs[0].paths == (folder,)
    assert make(text.format("/dev/x"), targets=["/dev/loop7"]).jobs[0].paths == ("/dev/loop7",)
    assert make("[a]\ndirectory=/data\nsize=1m\n").jobs[0].paths == ("/data/iodyno.data",)
    assert make("[a]\ndirectory=/data\nfilename=f\nsize=1m\n").jobs[0].paths == ("/data/f",)


def test_every_option_that_is_not_honoured_is_named_with_its_line_at_once(refused: Refused) -> None:
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
    ) == [
        ":6: a space stands before the value of bs: fio does not read it",
        ":3: size: '1.5m' is no number or size that fio reads as it looks",
        ":4: zonemode=zbd is not honoured: zones are not known",
        ":5: bss=4k is not honoured",
        ":7: direct: the value is missing",
    ]
    said = refused("[a]\nsize=1.5m\nzonemode=zbd\nbss=4k\ndirect\nioengine=rbd\niodepth=0\n")
    assert said == [
        ":2: size: '1.5m' is no number or size that fio reads as it looks",
        ":3: zonemode=zbd is not honoured: zones are not known",
        ":4: bss=4k is not honoured",
        ":5: direct: the value is missing",
        ":7: iodepth: 0 is outside 1 to 4096",
        ":6: ioengine=rbd is no engine of iodyno",
    ]


def test_values_that_change_nothing_are_not_complained_of(make: Make) -> None:
    text = "[a]\nfilename=x\nsize=1m\nzonemode=none\nverify=0\nthread\ngroup_reporting=1\nwrite_lat_log=x\n"
    assert [job.name for job in make(text).jobs] == ["a"]


def test_what_is_left_out_on_request_is_said(make: Make) -> None:
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
        ("size=1m\n", ':1: "size=1m" stands outside of a section'),
        ("[a\nsize=1m\n", ':1: "[a" is no name of a section'),
        ("[a]\ninclude job.fio\n", "a file that is included has a section"),
        ("[a]\ninclude none\n", "cannot be read: no such file or directory"),
        ("[a]\nsize=9*$pagesize/0\n", ':2: "9*4096/0" cannot be calculated'),
        (
            "[a]\nrw=randtrimwrite\n",
            ":2: rw=randtrimwrite: iodyno does not trim each block before it writes it",
        ),
        ("[a]\ntime_based\n", ":2: time_based needs a runtime"),
        ("[a]\nbs=256m\n", ":2: a block is above the limit of 64M"),
        (f"[a]\nbssplit={':'.join(str(512 * size) for size in range(1, 100))}\n", "above the limit of 64"),
    ],
)
def test_files_that_cannot_be_read(refused: Refused, text: str, said: str) -> None:
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
    for words in (("plan", file), ("simulate", file, "--on", "p3700", "--plan")):
        refused = iodyno_says(*words, "--sweep", "a")
        assert refused.code == 2
        assert "has jobs and no sweeps" in refused.err
    said = iodyno_says("simulate", file, "--on", "p3700", "--plan")
    assert said.code == 0, said.err
    assert "p3700" in said.out


def test_a_variable_that_is_not_there_is_named(refused: Refused) -> None:
    """As fio reads it, the folder would be none: the reason is said, and how to mend it."""
    (problem,) = refused("[a]\ndirectory=${DATA}\nsize=1m\n")
    assert "directory: ${DATA} stands for nothing" in problem
    assert not any("stands for" in one for one in refused("[a]\ndirectory=\nsize=1m\n"))


@pytest.mark.parametrize(
    ("options", "cold", "said"),
    [("rw=randread", True, ""), ("rw=randwrite\nbuffered=1", True, ""),
     ("rw=read\ndirect=0\ninvalidate=1", True, ""),
     ("rw=randread\ndirect=1", False, ""), ("rw=randread\nioengine=null", False, ""),
     ("rw=randread\ninvalidate=0", False, ": invalidate=0: what memory has of the file is kept"),
     ("rw=randread\ninvalidate=0\nfadvise_hint=0", False, ""), ("rw=read\nfadvise_hint=1", True, ""),
     ("rw=randread\nfadvise_hint=sequential", True, ": fadvise_hint=sequential: the kernel is told")],
)  # fmt: skip
def test_buffered_jobs_begin_with_a_cold_cache(make: Make, options: str, cold: bool, said: str) -> None:
    """By default fio reads a cold file, and a warm one answers some fifty times as fast."""
    found = make(f"[a]\nfilename=x\nsize=1m\n{options}\n")
    assert found.jobs[0].study.measurement.cold_cache == cold
    notes = [note for note in found.notes if "invalidate" in note or "fadvise" in note]
    assert any("once, and by fio before each pass" in note for note in found.notes) == cold
    assert [said in note for note in notes] == ([True] if said else [])


def test_the_command_that_repeats_a_job_makes_the_file_that_the_other_jobs_need(
    iodyno_says: CommandLine, tmp_path: Path
) -> None:
    """Alone the first and the last job would make a smaller one."""
    file = job_file(
        tmp_path,
        "[global]\ntime_based\nruntime=1\nrw=randread\n[a]\nsize=64m\noffset=1m\n[b]\nstonewall\nsize=32m\n"
        "numjobs=4\n[c]\nstonewall\nsize=16m\nnumjobs=2\n",
    )
    words = ("plan", file, "--target", tmp_path, "--json")
    plan = Plan.model_validate_json(iodyno_says(*words).out)
    assert {point.targets[0].size_bytes for point in plan.points} == {128 << 20}
    run = make_run(plan, command=("iodyno", "measure", str(file), str(tmp_path)))
    for point in plan.points:
        command = shlex.split(repeat(run, point))
        target, rest = command[2], command[command.index("--profile") :]
        said = iodyno_says("plan", file, "--target", target, *rest, "--json")
        assert said.code == 0, said.err
        (again,) = Plan.model_validate_json(said.out).points
        assert again.model_copy(update={"index": point.index, "stopping": point.stopping}) == point
    assert "--size" not in repeat(run, plan.points[1])


def test_hints_are_about_what_is_not_taken(make: Make, tmp_path: Path) -> None:
    """fio documents ranges of ``filesize`` and takes 2000 clones: not as it documents them is no help."""
    text = "[a]\nfilename=x\nrw=randread\n{}\n"
    for options, what, hint in (
        ("size=1m\nnumjobs=2000", "numjobs: 2000 is outside 1 to 1024", "take a number within these limits"),
        ("filesize=1m-4m",
         "filesize: '1m-4m' is a range, of which fio draws a size for each file: iodyno draws none",
         "write one size"),
        ("size=1m\nrandom_distribution=zipf:1", "random_distribution=zipf:1: fio takes no theta of 1",
         "take zipf:0.9999, which is next to it"),
        ("size=1m\nbs=x", "bs: 'x' is no number or size that fio reads as it looks",
         "write it as fio documents it"),
    ):  # fmt: skip
        with pytest.raises(ProfileError) as caught:
            make(text.format(options))
        assert [(problem.what, problem.hint) for problem in caught.value.problems] == [(what, hint)]


def test_an_engine_that_is_refused_hides_nothing(refused: Refused) -> None:
    text = "[a]\nfilename=x:y:z\nsize=3m\niodepth=8\nioengine=rados\ntime_based\n"
    assert refused(text) == [
        ":5: ioengine=rados is no engine of iodyno",
        ":4: iodepth=8 cannot be shared out evenly over 3 files",
        ":6: time_based needs a runtime",
    ]
