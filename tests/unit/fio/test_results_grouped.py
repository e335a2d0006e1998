"""Several jobs that fio added up (group_reporting): what is shown is their sum, and no job's options."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from factories import make_tool
from fio_documents import NOW, half, imported, job, latency, result
from iodyno.fio.importing import import_results
from iodyno.reading import PointResult


def options(**changes: str) -> dict[str, Any]:
    return {"job options": {**job()["job options"], **changes}}


def noted(tmp_path: Path, *jobs: dict[str, Any], **more: Any) -> tuple[PointResult, tuple[str, ...]]:
    file = tmp_path / "r.json"
    file.write_text(json.dumps(result(*jobs, **more)))
    stored, notes = import_results(
        [file], run_id="20260301-000000-aaaa", now=NOW, tool=make_tool(), command=("iodyno",), title=""
    )
    (found,) = stored.results
    return found, notes


def grouped(found: PointResult) -> bool:
    return "grouped_jobs" in [note.code for note in found.verdict.notes]


def test_a_reader_beside_a_writer_loses_none_of_its_reads(tmp_path: Path) -> None:
    """The options are those of the writer: its reads verified nothing, as nobody asked for it."""
    written = half(10_000, io_bytes=10_000 * 16384)
    told = job(write=written, **options(rw="randwrite", bs="16k"))
    found, notes = noted(tmp_path, told)
    profile, reading = found.point.profile, found.reading
    assert (reading.reads.completed, reading.writes.completed) == (10_000, 10_000)
    assert reading.transaction_rate_io_s == 10_000.0
    assert (profile.read_share, profile.blocks[0].bytes, profile.write_blocks[0].bytes) == (0.5, 4096, 16384)
    assert (profile.title, profile.random) == ("randrw 4k 16k r50, …", True)
    assert grouped(found)
    assert len(notes) == 1
    assert "several jobs that fio reported as one" in notes[0]


def test_shares_of_a_sum_are_those_that_were_done(tmp_path: Path) -> None:
    """Of 40,000 reads and writes 10,000 read, whatever the last job was asked for; another one trimmed."""
    told = job(
        read=half(10_000),
        write=half(30_000),
        trim=half(100),
        **options(rw="randrw", rwmixread="70", rwmixwrite="50"),
    )
    found, _ = noted(tmp_path, told)
    assert grouped(found)
    assert found.point.profile.read_share == 0.25


def test_what_no_option_asks_for_another_did(tmp_path: Path) -> None:
    assert grouped(noted(tmp_path, job(write=half(10_000), **options(rw="randwrite")))[0])
    assert grouped(noted(tmp_path, job(trim=half(10_000)))[0])


def test_a_point_of_iodyno_is_no_sum(tmp_path: Path) -> None:
    """Trims beside reads are a load of its own, which no direction of fio stands for."""
    told = job(trim=half(10_000))
    assert not grouped(noted(tmp_path, told, **{"fio version": "iodyno-0.1.0"})[0])


def test_the_depth_of_a_sum_is_that_of_littles_law_over_its_clones(tmp_path: Path) -> None:
    """5000 I/O per second of 6.4 ms are 32 at a time; three clones ran for 2 s each."""
    slow = half(10_000)
    slow["lat_ns"] |= {"mean": 6_400_000.0}
    found, _ = noted(tmp_path, job(read=slow, job_runtime=6000, **options(iodepth="1", rate_iops="10")))
    assert (found.point.workers, found.point.outstanding) == (3, 11)
    assert (found.point.rate_io_s, grouped(found)) == (None, True)


def test_a_sum_of_an_early_fio_3_shows_by_what_is_outstanding(tmp_path: Path) -> None:
    """It does not say how long clones ran: 5000 I/O/s of 6.4 ms are 32 at a time, 8 were asked for."""
    slow = half(10_000)
    slow["lat_ns"] |= {"mean": 6_400_000.0}
    told = job(read=slow)
    del told["job_runtime"]
    found, _ = noted(tmp_path, told)
    assert (grouped(found), found.point.workers * found.point.outstanding) == (True, 32)
    told |= options(iodepth="32")
    assert not grouped(noted(tmp_path, told)[0])
    told |= options(iodepth="16", numjobs="2")
    assert not grouped(noted(tmp_path, told)[0])


def test_a_depth_that_no_point_can_have_is_the_greatest(tmp_path: Path) -> None:
    """5000 I/O per second of 2 s are 10,000 at a time, on two workers."""
    slow = half(10_000)
    slow["lat_ns"] |= {"mean": 2e9}
    found, _ = noted(tmp_path, job(read=slow, job_runtime=4000))
    assert (found.point.workers, found.point.outstanding) == (2, 4096)


@pytest.mark.parametrize("timed", [half(), half(5_000)])
def test_where_not_all_was_timed_the_depth_is_that_of_the_last(tmp_path: Path, timed: dict[str, Any]) -> None:
    """Little's law has no latency to go by, or that of some of them."""
    untimed = half(10_000, clat_ns=latency(), lat_ns=latency())
    told = job(read=untimed, write=timed, job_runtime=4000, **options(iodepth="64", rate_iops="10"))
    found, notes = noted(tmp_path, told)
    assert (found.point.workers, found.point.outstanding, found.point.rate_io_s) == (2, 64, None)
    assert "depth_of_last" in [note.code for note in found.verdict.notes]
    assert "the depth is that of the last" in notes[0]
    found, notes = noted(tmp_path, job(job_runtime=4000))
    assert "depth_of_last" not in [note.code for note in found.verdict.notes]
    assert "the depth" not in notes[0]


def test_latencies_are_those_of_what_was_timed(tmp_path: Path) -> None:
    """The 5000 writes took 10.5 us each; nobody knows what the 10,000 reads took."""
    untimed = half(10_000, clat_ns=latency(), lat_ns=latency())
    found, _ = noted(tmp_path, job(read=untimed, write=half(5_000), job_runtime=4000))
    assert found.reading.completed == 15_000
    assert found.reading.latency.mean_ns == 10_500
    codes = [note.code for note in found.verdict.notes]
    assert "some_untimed" in codes
    assert "no_latency" not in codes
    found, _ = noted(tmp_path, job(read=untimed, job_runtime=4000))
    assert "some_untimed" not in [note.code for note in found.verdict.notes]


def test_sizes_that_no_one_asked_for_are_the_mean(tmp_path: Path) -> None:
    """1000 I/Os of 4 kB and 13,626 of 64 kB, beside options that know only 64 kB."""
    done = half(14_626, io_bytes=1000 * 4096 + 13_626 * 65536)
    found, _ = noted(tmp_path, job(read=done, **options(bs="64k")))
    (block,) = found.point.profile.blocks
    assert abs(block.bytes - done["io_bytes"] / 14_626) <= 256
    assert grouped(found)


def test_the_target_of_the_last_is_not_that_of_all(tmp_path: Path) -> None:
    told = job(job_runtime=4000, **options(filename="/dev/sdb"))
    (target,) = noted(tmp_path, told)[0].point.targets
    assert (target.path, target.size_bytes) == ("j, …", 0)
    shared = {**told, **options()}
    (target,) = noted(tmp_path, shared, **{"global options": {"filename": "/dev/sdc"}})[0].point.targets
    assert target.path == "/dev/sdc"


def test_what_the_last_has_of_its_own_is_not_what_stands_for_all(tmp_path: Path) -> None:
    told = job(job_runtime=4000, **options(filename="/dev/sdb"))
    all_of_them = {"global options": {"filename": "/dev/sdc"}}
    (target,) = noted(tmp_path, told, **all_of_them)[0].point.targets
    assert target.path == "j, …"


def test_an_option_has_other_names(tmp_path: Path) -> None:
    all_of_them = {"global options": {"filename": "/dev/sdc", "fileoffset": "1m"}}
    (target,) = noted(tmp_path, job(job_runtime=4000), **all_of_them)[0].point.targets
    assert (target.path, target.area_start_bytes) == ("/dev/sdc", 1 << 20)
    told = job(job_runtime=4000, **options(offset="2m"))
    (target,) = noted(tmp_path, told, **all_of_them)[0].point.targets
    assert (target.path, target.area_start_bytes) == ("/dev/sdc", 0)
    one = job(**options(offset="2m"))
    (target,) = noted(tmp_path, one, **all_of_them)[0].point.targets
    assert target.area_start_bytes == 2 << 20
    (target,) = noted(tmp_path, job(**options(offset="far")), **all_of_them)[0].point.targets
    assert target.area_start_bytes == 0, "what cannot be read is not known"


@pytest.mark.parametrize("asked", [{"bs": "4k,64k"}, {"bs": "64k,4k"}, {"bssplit": "4k/100,64k/100"}])
def test_sizes_by_order_are_those_of_one_job(tmp_path: Path, asked: dict[str, str]) -> None:
    """fio then takes the sizes of reads for what is sequential, those of writes for what is random."""
    done = half(10_000, io_bytes=10_000 * 60_000)
    found, _ = noted(tmp_path, job(read=done, **options(bs_is_seq_rand="1", **asked)))
    assert not grouped(found)
    assert [block.bytes for block in found.point.profile.blocks] == [117 * 512], "60,000 / 512 = 117.2"
    beyond = half(10_000, io_bytes=10_000 * 80_000)
    assert grouped(noted(tmp_path, job(read=beyond, **options(bs_is_seq_rand="1", **asked)))[0])
    assert grouped(noted(tmp_path, job(read=done, **options(bs_is_seq_rand="0", **asked)))[0])


@pytest.mark.parametrize(
    "alone",
    [
        job(),
        job(job_runtime=3999, **options(numjobs="2")),
        job(job_runtime=200_500, **options(numjobs="100")),
        job(write=half(10_000), **options(rw="randrw")),
        job(**options(rw="randrw", rwmixread="100")),
        job(read=half(10_000, io_bytes=10_000 * 30_000), **options(bssplit="4k/50:64k/50")),
        job(read=half(10_000, io_bytes=10_000 * 30_000), **options(bsrange="4k-100k")),
        job(read=half(100, io_bytes=99 * 4096 + 512), **options()),
        job(write=half(10_000), job_runtime=4000, **options(rw="randwrite", verify="crc32c")),
        job(job_runtime=0),
        job(read=half(20, runtime=1), job_runtime=3),
    ],
)
def test_one_job_is_no_sum(tmp_path: Path, alone: dict[str, Any]) -> None:
    assert not grouped(noted(tmp_path, alone)[0])


def test_without_options_the_size_is_what_was_done(tmp_path: Path) -> None:
    done = half(10_000, io_bytes=10_000 * 131_072)
    found, _ = noted(tmp_path, job(read=done, **{"job options": {}}))
    assert [block.bytes for block in found.point.profile.blocks] == [131_072]
    assert not grouped(found)


@pytest.mark.skipif(not shutil.which("fio"), reason="no fio here")
def test_as_the_installed_fio_adds_up(tmp_path: Path) -> None:
    jobs = ["--name=small", "--rw=randread", "--bs=4k", "--iodepth=1"]
    jobs += ["--name=large", "--rw=randwrite", "--bs=64k", "--iodepth=4"]
    shared = ["--ioengine=null", "--size=4m", "--time_based", "--runtime=1", "--rate_iops=1000"]
    shared += ["--group_reporting", "--output-format=json+"]
    out = tmp_path / "out.json"
    done = subprocess.run(
        ["fio", f"--output={out}", *shared, *jobs], capture_output=True, check=False, cwd=tmp_path
    )
    if done.returncode:
        pytest.skip("this fio cannot run here")
    assert list(tmp_path.iterdir()) == [out], "nothing is put on storage"
    told = json.loads(out.read_text())
    assert [one["jobname"] for one in told["jobs"]] == ["small"], "fio names a sum after its first job"
    (found,) = imported(out).results
    assert found.reading.reads.completed == told["jobs"][0]["read"]["total_ios"] > 0
    assert found.reading.writes.completed == told["jobs"][0]["write"]["total_ios"] > 0
    assert (found.point.workers, grouped(found)) == (2, True)
