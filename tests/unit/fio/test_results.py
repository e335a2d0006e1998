"""Results of fio become runs that say where they come from."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from command_line import CommandLine
from factories import make_stored_run, make_tool
from fio_documents import NOW, Read, half, imported, job, latency, result
from iodyno.analysis.figures import point_figures
from iodyno.analysis.run import analyse
from iodyno.errors import StoreError
from iodyno.fio.exporting import document
from iodyno.fio.importing import import_results
from iodyno.report.context import Context
from iodyno.report.messages import Messages
from iodyno.report.sections import method
from iodyno.report.sentences import offered as offered_text
from iodyno.store.records import StoredRun


def test_rates_latencies_and_where_they_come_from(read: Read) -> None:
    stored = read(result())
    (found,), reading = stored.results, stored.results[0].reading
    assert stored.run.imported == "fio-3.36"
    assert reading.transaction_rate_io_s == 5000.0
    assert reading.throughput_bytes_s == 5000 * 4096
    assert (reading.latency.total, reading.latency.mean_ns) == (10_000, 10_500.0)
    assert abs(reading.latency.percentile_ns(0.5) / 10_048 - 1) < 1 / 64
    assert found.verdict.state == "not_judged"
    assert [note.code for note in found.verdict.notes] == ["imported", "completion_latency"]
    assert (found.point.outstanding, found.point.targets[0].size_bytes) == (8, 1 << 30)
    assert reading.workers[0].cpu_s == pytest.approx(0.5)
    assert reading.engine.name == "fio"
    assert found.started_at == "2023-11-14T22:13:20+00:00"


def test_what_the_result_does_not_tell_is_not_made_up(read: Read) -> None:
    stored = read(result(job(**{"job options": {}})))
    reading, point = stored.results[0].reading, stored.results[0].point
    assert reading.precision.half_width is None
    assert reading.series.reads == ()
    assert point.targets[0].size_bytes == 0
    hosts = stored.run.system.get("imported", "imported_hosts")
    assert hosts is not None
    assert hosts.missing


def early(**changes: Any) -> dict[str, Any]:
    """Give a job as an early fio 3 writes it: without the number of samples and the time of its clones."""
    told = job(**changes)
    for name in ("read", "write", "trim"):
        for kind in ("slat_ns", "clat_ns", "lat_ns"):
            told[name][kind] = {key: value for key, value in told[name][kind].items() if key != "N"}
    del told["job_runtime"]
    return told


def test_what_an_early_fio_3_does_not_say_follows_from_the_rest(read: Read) -> None:
    """Its note on percentiles was missing, and a worker at 25 % was at 0."""
    stored = read({**result(early(usr_cpu=10.0, sys_cpu=15.0)), "fio version": "fio-3.1"})
    (found,) = stored.results
    assert [note.code for note in found.verdict.notes] == ["imported", "completion_latency"]
    assert point_figures(found).utilisation_worker == pytest.approx(0.25)
    four = early(**{"job options": {**job()["job options"], "numjobs": "4"}})
    assert point_figures(read(result(four)).results[0]).utilisation_worker == pytest.approx(0.25)


def test_a_mean_of_completions_alone_is_said_to_be_one(read: Read) -> None:
    """``disable_lat=1``: the mean is that of ``clat`` too, and the note spoke of percentiles alone."""
    (found,) = read(result(job(read=half(10_000, lat_ns=latency())))).results
    assert found.reading.latency.mean_ns == 10_500.0
    assert [note.code for note in found.verdict.notes] == ["imported", "completion_latency_only"]


def test_clones_of_a_group_share_its_processor_time(read: Read) -> None:
    """Four clones of 25 % each were a worker of 100 %."""
    clones = {"job options": {**job()["job options"], "numjobs": "4"}, "job_runtime": 8000}
    (found,) = read(result(job(**clones))).results
    assert point_figures(found).utilisation_worker == pytest.approx(0.25)


def test_jobs_of_one_name_with_other_options_are_no_clones(read: Read) -> None:
    """The second was taken for a clone of the first: a writer for a reader."""
    options = {**job()["job options"], "rw": "randwrite", "bs": "16k"}
    written = half(3_000, io_bytes=3_000 * 16384)
    stored = read(result(job("a"), job("a", **{"job options": options}, read=half(), write=written)))
    first, second = stored.results
    assert (first.reading.reads.completed, first.reading.writes.completed) == (10_000, 0)
    assert (second.reading.reads.completed, second.reading.writes.completed) == (0, 3_000)
    assert [found.point.profile.read_share for found in stored.results] == [1.0, 0.0]
    assert second.point.profile.largest_block_bytes == 16384


@pytest.mark.parametrize(
    ("asked", "limit", "served"), [("5000", "rate", True), ("5050", "rate", True), ("5100", "unknown", False),
                                   ("1000000", "unknown", False)]
)  # fmt: skip
def test_a_rate_that_was_not_had_is_not_called_served(
    read: Read, asked: str, limit: str, served: bool
) -> None:
    """10,000 I/Os were done in 2 s, and every rate was said to be served: of 10,100 0.5 % and the root are
    151 that may be missing, and 100 are; of 10,200 they are 153, and 200 are."""
    options = {**job()["job options"], "rate_iops": asked}
    stored = read(result(job(**{"job options": options})))
    (item,) = analyse(stored).curves
    assert [found.by for found in item.limits] == [limit]
    assert item.asked is served
    said = offered_text.served(Messages("en"), [item])
    assert ("is served" in said) is served
    assert ("1 of 1 offered rates is not served" in said) is not served


def test_without_bins_only_the_percentiles_that_were_told_are_known(read: Read) -> None:
    told = half(10_000)
    del told["clat_ns"]["bins"]
    found = read(result(job(read=told))).results[0]
    kept = found.reading.latency
    assert (kept.total, kept.mean_ns, kept.index) == (10_000, 10_500.0, ())
    assert (kept.knows(0.5), kept.knows(0.999)) == (True, False)
    assert kept.percentile_ns(0.99) == 20_000
    assert found.verdict.notes[-1].code == "no_distribution"


def test_bins_of_the_whole_latency_come_first(read: Read) -> None:
    told = half(10_000)
    told["lat_ns"] |= {"bins": {"12032": 10_000}}
    found = read(result(job(read=told))).results[0]
    assert abs(found.reading.latency.percentile_ns(0.5) / 12_032 - 1) < 1 / 64
    assert [note.code for note in found.verdict.notes] == ["imported"]


def test_clones_that_fio_lists_one_by_one_are_one_point(read: Read) -> None:
    options = {**job()["job options"], "numjobs": "2"}
    stored = read(result(job(**{"job options": options}), job(**{"job options": options})))
    (found,) = stored.results
    assert (found.reading.completed, found.reading.transaction_rate_io_s) == (20_000, 10_000.0)
    assert (found.point.workers, len(found.reading.workers)) == (2, 2)


def test_reads_and_writes_errors_and_short_ones(read: Read) -> None:
    options = {"rw": "randrw", "rwmixread": "75", "bs": "4k"}
    told = job(**{"job options": options}, write=half(2_000, short_ios=3), error=5)
    found = read(result(told)).results[0]
    assert found.point.profile.read_share == 0.75
    assert found.reading.writes.completed == 2_000
    assert {error.name: error.count for error in found.reading.writes.errors} == {"SHORT": 3}
    assert [error.name for error in found.reading.reads.errors] == ["EIO"]
    assert found.reading.latency.total == 12_000


# As fio 3.33 writes them: calls of fdatasync are counted among the short reads, with every engine. A version
# that counts them with the other syncs has none there.
@pytest.mark.parametrize("rw", ["randwrite", "randrw"])
@pytest.mark.parametrize(
    ("asked", "total", "timed", "among_reads"),
    [({"fdatasync": "1"}, 0, 299, 299), ({"fdatasync": "1"}, 0, 0, 299), ({"fsync": "1"}, 299, 299, 0),
     ({"fdatasync": "2", "fsync": "3"}, 99, 299, 200), ({"fdatasync": "1"}, 299, 299, 0)],
)  # fmt: skip
@pytest.mark.parametrize("engine", ["sync", "libaio"])
@pytest.mark.parametrize("short", [0, 3])
def test_calls_of_fdatasync_are_syncs_and_no_short_reads(
    read: Read,
    rw: str,
    asked: dict[str, str],
    total: int,
    timed: int,
    among_reads: int,
    engine: str,
    short: int,
) -> None:
    options = {"rw": rw, "bs": "4k", "ioengine": engine, "size": "8m", **asked}
    reads = 150 if rw == "randrw" else 0
    if not reads or not timed:
        short = 0  # where nothing was read nothing was short, and without times it cannot be told
    told = {
        "read": half(reads, short_ios=among_reads + short),
        "write": half(300),
        "sync": {
            "total_ios": total, "lat_ns": latency(min=10, max=90, mean=50.0, N=timed) if timed else latency()
        },
    }  # fmt: skip
    reading = read(result(job(**{"job options": options}, **told))).results[0].reading
    assert {error.name: error.count for error in reading.all_errors} == ({"SHORT": short} if short else {})
    assert reading.syncs is not None
    assert (reading.syncs.completed, reading.issued.syncs) == (299, 299)
    assert reading.syncs.latency.total == timed


@pytest.mark.skipif(not shutil.which("fio"), reason="no fio here")
@pytest.mark.parametrize("rw", ["randwrite", "randrw"])
def test_syncs_of_this_fio_are_no_short_reads(tmp_path: Path, rw: str) -> None:
    out = tmp_path / "fio.json"
    command = ["fio", "--name=x", f"--rw={rw}", "--bs=4k", "--size=256k", "--ioengine=sync", "--fdatasync=1"]
    subprocess.run(
        [*command, f"--output={out}", "--output-format=json"], capture_output=True, check=True, cwd=tmp_path
    )
    reading = imported(out).results[0].reading
    assert reading.all_errors == ()
    assert reading.syncs
    assert reading.syncs.completed == reading.issued.syncs == reading.syncs.latency.total > 0


def test_what_is_short_where_nothing_was_done_is_no_error(read: Read) -> None:
    assert read(result(job(write=half(0, short_ios=7)))).results[0].reading.errors == 0


def test_text_around_objects_and_several_of_them(read: Read) -> None:
    early, late = result(job(read=half(100))), result(job(read=half(900)))
    stored = read(early, late, result(job("k")), before="fio: a warning {not JSON}\n", after="\nbye }\n")
    assert [found.reading.completed for found in stored.results] == [900, 10_000]


def test_numbers_that_are_none(tmp_path: Path) -> None:
    file = tmp_path / "nan.json"
    file.write_text(json.dumps(result()).replace('"usr_cpu": 10.0', '"usr_cpu": -nan'))
    assert imported(file).results[0].reading.workers[0].cpu_s == pytest.approx(0.3)


def test_a_job_whose_statistics_were_not_wanted_is_none(read: Read) -> None:
    """``stats=0``: fio writes zeros and no name for it, as for what filled the drive beforehand."""
    filling = job(read=half())
    del filling["jobname"], filling["job options"]
    assert [found.point.profile.title for found in read(result(filling, job("m"))).results] == ["randread 4k"]
    with pytest.raises(StoreError, match="holds no job"):
        read(result(filling))
    unnamed = job()
    del unnamed["jobname"]
    with pytest.raises(StoreError, match=r"jobs\.0\.jobname: field required"):
        read(result(unnamed))


def test_clients_without_their_sum(read: Read) -> None:
    clients = [job(hostname="a"), job(hostname="b"), job("All clients", hostname="")]
    stored = read({"fio version": "fio-3.36", "client_stats": clients, "global options": [{"direct": "1"}]})
    assert len(stored.results) == 2
    assert stored.run.system.value("imported", "imported_hosts") == "a, b"


def test_a_folder_of_bench_fio_makes_curves(tmp_path: Path) -> None:
    for depth in (1, 8, 64):
        for size in ("4k", "64k"):
            place = tmp_path / "sda" / size / f"randread-{depth}-1.json"
            place.parent.mkdir(parents=True, exist_ok=True)
            options = {"rw": "randread", "bs": size, "iodepth": str(depth), "ioengine": "libaio"}
            done = half(10_000, io_bytes=10_000 * {"4k": 4096, "64k": 65536}[size])
            place.write_text(json.dumps(result(job(read=done, **{"job options": options}))))
    stored = imported(tmp_path)
    assert sorted((item.point.profile.name, item.point.outstanding) for item in stored.results) == [
        ("randread-4k", 1), ("randread-4k", 8), ("randread-4k", 64),
        ("randread-64k", 1), ("randread-64k", 8), ("randread-64k", 64),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("", "holds no result of fio"),
        ("[1, 2]", "holds no result of fio"),
        ('{"fio version": "fio-2.21", "jobs": []}', "was written by fio-2.21"),
        ('{"jobs": []}', "does not say which fio wrote it"),
        ('{"fio version": "fio-3.1", "jobs": []}', "holds no job"),
        ('{"fio version": "fio-3.1", "jobs": [{"jobname": "a"}]}', "is not as fio writes it: jobs.0.read"),
        ('{"fio version": "fio-3.1", "jobs": [', "holds no result of fio"),
        (json.dumps(result(job(read=half()))), "holds no job that reads, writes or trims"),
    ],
)
def test_what_cannot_be_imported_is_refused_with_a_hint(tmp_path: Path, text: str, what: str) -> None:
    file = tmp_path / "x.json"
    file.write_text(text)
    with pytest.raises(StoreError) as caught:
        imported(file)
    assert what in str(caught.value)
    assert all(problem.hint for problem in caught.value.problems)


def test_files_without_a_result_are_left_out_where_that_is_asked_for(
    iodyno_says: CommandLine, tmp_path: Path
) -> None:
    folder = tmp_path / "results"
    folder.mkdir()
    (folder / "good.json").write_text(json.dumps(result()))
    (folder / "notes.json").write_text("[1, 2]")
    (folder / "old.json").write_text('{"fio version": "fio-2.21", "jobs": []}')
    refused = iodyno_says("import", folder)
    assert refused.code != 0
    for said in ("notes.json", "old.json", "or leave it out with --skip-unreadable"):
        assert said in refused.err
    assert "good.json" not in refused.err
    taken = iodyno_says("import", folder, "--skip-unreadable")
    assert taken.code == 0, taken.err
    assert "1 point imported" in taken.out
    for said in ("notes.json holds no result of fio: left out", "old.json was written by fio-2.21"):
        assert said in " ".join(taken.err.split())
    run = json.loads(iodyno_says("export", "-f", "json").out)["run"]
    left_out = run["plan"]["study_source"]["left_out"]
    assert [item["file"] for item in left_out] == ["notes.json", "old.json"]
    (folder / "good.json").unlink()
    refused = iodyno_says("import", folder, "--skip-unreadable")
    assert refused.code != 0
    assert "--skip-unreadable" not in refused.err


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("en", "Left out, for no result in them can be read: notes.json and old.json."),
        ("de", "Ausgelassen, weil darin kein Ergebnis zu lesen ist: notes.json und old.json."),
        ("ja", "除外したファイル：notes.json、old.json。"),
    ],
)
def test_the_paper_names_the_files_that_were_left_out(language: str, said: str, tmp_path: Path) -> None:
    good = tmp_path / "good.json"
    good.write_text(json.dumps(result()))
    for name in ("notes.json", "old.json"):
        (tmp_path / name).write_text("[1, 2]")
    for path, named in ((tmp_path, True), (good, False)):
        stored, _ = import_results(
            [path], run_id="20260301-000000-aaaa", now=NOW, tool=make_tool(), command=(), skip_unreadable=True
        )
        text = repr(method.blocks(Context(stored, analyse(stored), Messages(language))))
        assert (said in text, said.split("notes")[0] in text) == (named, named)


def test_every_command_says_that_a_run_is_imported(iodyno_says: CommandLine, tmp_path: Path) -> None:
    file = tmp_path / "r.json"
    file.write_text(json.dumps(result(job(), job("m", **{"job options": {"rw": "write", "bs": "64k"}}))))
    said = iodyno_says("import", file, "--title", "An old array")
    assert said.code == 0, said.err
    assert "2 points imported from fio-3.36" in said.out
    shown = iodyno_says("show").out
    assert "measured by fio-3.36, nothing was judged" in shown
    assert "conditioning" not in shown, "fio does not tell what was done before"
    assert "2 not judged" in shown
    assert "An old array" in iodyno_says("runs").out or "fio-import" in iodyno_says("runs").out
    assert "imported from fio-3.36: j, m" in iodyno_says("runs").out
    assert [run["imported"] for run in json.loads(iodyno_says("runs", "--json").out)] == ["fio-3.36"]
    assert "not judged" in iodyno_says("compare", "latest", "latest").out
    paper = tmp_path / "p.html"
    said = iodyno_says("report", "-o", paper)
    assert said.code == 0, said.err
    assert "iodyno did not measure this" in paper.read_text("utf-8")
    resumed = iodyno_says("measure", "--resume", "latest")
    assert resumed.code == 2
    assert "the run was imported: fio-3.36 measured it" in resumed.err
    assert json.loads(iodyno_says("export").out)["run"]["imported"] == "fio-3.36"
    assert "not_judged" in iodyno_says("export", "-f", "csv").out


def test_rates_of_half_seconds_have_whole_windows_of_a_long_point() -> None:
    """Two, two, two and one of 100 ms and 100 I/Os each, then one of three hours: it is one sample."""
    stored = make_stored_run(profiles=["streaming"], intensities=[1])
    (result,) = stored.results
    lengths = (2, 2, 2, 1, 108_000, 3)
    series = result.reading.series.model_copy(
        update={
            "measured_from": 0,
            "windows": lengths,
            "reads": tuple(100 * windows for windows in lengths),
            "read_bytes": tuple(1024 * windows for windows in lengths),
        }
    )
    reading = result.reading.model_copy(update={"series": series})
    long = stored.model_copy(update={"results": (result.model_copy(update={"reading": reading}),)})
    read = document(long)["jobs"][0]["read"]
    assert read["iops_samples"] == 2
    assert (read["iops_min"], read["iops_max"], read["bw_min"], read["bw_max"]) == (1000, 1000, 10, 10)


def test_trims_come_in_alone_and_beside_reads(read: Read) -> None:
    options = {**job()["job options"], "rw": "randtrim"}
    alone = job("t", **{"job options": options, "read": half(), "trim": half(3_000)})
    beside = job("b", read=half(3_000), trim=half(1_000))
    trims, both = (read(result(item)).results for item in (alone, beside))
    for (found,), share, count in ((trims, 1.0, 3_000), (both, 0.25, 1_000)):
        assert found.point.profile.trim_share == share
        assert found.reading.trims is not None
        assert (found.reading.trims.completed, found.reading.issued.trims) == (count, count)
        assert found.reading.trims.latency.total == count
        assert found.reading.issued.trimmed_bytes == count * 4096
    assert trims[0].reading.measured_s == 2.0
    assert trims[0].reading.bytes == 0
    assert both[0].reading.transaction_rate_io_s == 2_000


def test_loads_are_titled_as_their_jobs_where_each_has_its_own(read: Read) -> None:
    of_a_file = {**job()["job options"], "filename": "/mnt/x"}
    alike = {"job options": of_a_file}
    written = {"job options": {**of_a_file, "rw": "write"}, "read": half(), "write": half(10_000)}
    mine = result(job("mail", **alike), job("log", **written), job("mail-2", **alike))
    (first, second, third) = read(mine).results
    assert [item.point.profile.title for item in (first, second, third)] == ["mail", "log", "mail-2"]
    assert first.point.profile.name == "randread-4k"
    curve = result(job("qd8"), job("qd1", **{"job options": {**job()["job options"], "iodepth": "1"}}))
    titles = {item.point.profile.title for item in read(curve).results}
    assert titles == {"randread 4k"}, "two jobs of one load are one curve, and have no one name"


def test_what_is_no_text_is_refused_before_it_is_read_whole(tmp_path: Path) -> None:
    file = tmp_path / "disk.img"
    file.write_bytes(bytes(1 << 20))
    with pytest.raises(StoreError, match="it is no text"):
        imported(file)
    with pytest.raises(StoreError, match="it is no text"):
        imported(Path("/dev/zero"))


def noted(*documents: dict[str, Any], at: Path) -> tuple[StoredRun, tuple[str, ...]]:
    at.write_text("\n".join(json.dumps(item) for item in documents))
    return import_results(
        [at], run_id="20260301-000000-aaaa", now=NOW, tool=make_tool(), command=("iodyno",), title=""
    )


def test_reads_that_verify_what_was_written_are_no_part_of_its_rate(tmp_path: Path) -> None:
    """fio writes, then reads what it wrote: its own rate of the writes is that of the writes alone."""
    options = {**job()["job options"], "rw": "randwrite", "verify": "crc32c"}
    written = {**half(10_000), "runtime": 500}
    stored, notes = noted(result(job(write=written, **{"job options": options})), at=tmp_path / "r.json")
    (found,) = stored.results
    assert found.reading.transaction_rate_io_s == 20_000.0
    assert (found.reading.reads.completed, found.reading.measured_s) == (0, 0.5)
    assert notes == (f"{tmp_path / 'r.json'}: j: 10,000 reads verified what was written: left out",)


@pytest.mark.parametrize(
    ("more", "said"),
    [
        ({"verify": "md5"}, True),
        ({"verify": "md5", "do_verify": "0"}, False),
        ({"verify": "0"}, False),
        ({}, False),
    ],
)
def test_reads_that_verify_beside_others_are_told(tmp_path: Path, more: dict[str, str], said: bool) -> None:
    options = {**job()["job options"], "rw": "randrw", **more}
    stored, notes = noted(result(job(write=half(10_000), **{"job options": options})), at=tmp_path / "r.json")
    assert stored.results[0].reading.completed == 20_000
    assert any("counted among its reads" in note for note in notes) is said


def test_reads_and_writes_that_fio_did_not_tell_apart_are_refused_as_such(tmp_path: Path) -> None:
    told = job()
    told["mixed"] = told.pop("read")
    del told["write"], told["trim"]
    file = tmp_path / "r.json"
    file.write_text(json.dumps(result(told)))
    with pytest.raises(StoreError, match="reads, writes and trims as one"):
        imported(file)
    file.write_text(json.dumps(result(job(mixed=told["mixed"]))))
    assert imported(file).results, "=both has all of them"


@pytest.mark.parametrize(("engine", "nearest"), [("mmap", "sync"), ("posixaio", "aio"), ("rbd", "aio")])
def test_engines_of_fio_alone_are_shown_as_the_nearest(read: Read, engine: str, nearest: str) -> None:
    options = {**job()["job options"], "ioengine": engine}
    found = read(result(job(**{"job options": options}))).results[0]
    assert (found.point.engine, found.reading.engine.why) == (nearest, engine)
    assert found.point.outstanding == (1 if nearest == "sync" else 8)


def test_a_file_that_is_named_twice_is_read_once(tmp_path: Path) -> None:
    file = tmp_path / "r.json"
    file.write_text(json.dumps(result()))
    (tmp_path / "same.json").symlink_to(file)
    assert len(imported(file, tmp_path, file).results) == 1


@pytest.mark.parametrize(
    ("sizes", "each"),
    [({"size": "1g"}, 1 << 29), ({"filesize": "1g"}, 1 << 30), ({"filesize": "1g", "size": "3g"}, 1 << 30)],
)
def test_a_files_size_is_its_own_or_its_part_of_the_jobs(
    read: Read, sizes: dict[str, str], each: int
) -> None:
    options = {"rw": "randread", "bs": "4k", "filename": "a:b", **sizes}
    found = read(result(job(**{"job options": options}))).results[0]
    assert [target.size_bytes for target in found.point.targets] == [each, each]


def test_of_a_file_with_a_size_what_is_behind_the_offset_is_accessed(read: Read) -> None:
    """Of 1 MiB from 256 KiB on 768 KiB are left; half of it is less."""
    for more, length in (({}, 768 << 10), ({"size": "4m"}, 768 << 10), ({"size": "50%"}, 512 << 10)):
        options = {"rw": "randread", "bs": "4k", "filesize": "1m", "offset": "256k", **more}
        (target,) = read(result(job(**{"job options": options}))).results[0].point.targets
        assert (target.area_start_bytes, target.area_length_bytes) == (256 << 10, length)


@pytest.mark.parametrize(
    ("depth", "files", "said"),
    [
        (8, "a:b:c", "iodepth=8 over 3 files: 2 on each, 6 in all"),
        (1, "a:b", "iodepth=1 over 2 files: 1 on each, 2 in all"),
        (8, "a:b", ""),
        (7, "a", ""),
    ],
)
def test_a_depth_that_files_do_not_share_evenly_is_told(
    tmp_path: Path, depth: int, files: str, said: str
) -> None:
    options = {**job()["job options"], "filename": files, "iodepth": str(depth)}
    (tmp_path / "r.json").write_text(json.dumps(result(job(**{"job options": options}))))
    _, notes = import_results(
        [tmp_path / "r.json"], run_id="20260301-000000-aaaa", now=NOW, tool=make_tool(), command=("iodyno",)
    )
    assert notes == ((f"{tmp_path}/r.json: j: not shown as it was: {said}",) if said else ())


def test_jobs_of_one_load_at_several_rates_are_one_curve(read: Read) -> None:
    jobs = [
        job("j", groupid=group, **{"job options": {**job()["job options"], "rate_iops": str(rate)}})
        for group, rate in enumerate((100, 200))
    ]
    points = [found.point for found in read(result(*jobs)).results]
    assert [point.rate_io_s for point in points] == [100.0, 200.0]
    assert len({point.profile.name for point in points}) == 1


def test_sizes_are_read_as_fio_was_told_to_read_them(read: Read) -> None:
    """``kb_base=1000``: a k is 1000 bytes, and a ki 1024."""
    options = {**job()["job options"], "size": "8m", "bs": "4096"}
    sizes = [
        read(result(job(**{"job options": {**options, **base}}))).results[0].point.targets[0].size_bytes
        for base in ({}, {"kb_base": "1000"})
    ]
    assert sizes == [8 * 1024**2, 8 * 1000**2]


def test_clones_ran_for_as_long_as_the_longest_of_them(read: Read) -> None:
    options = {**job()["job options"], "numjobs": "2", "ramp_time": "3"}
    longer = {**half(10_000), "runtime": 4000}
    found = read(
        result(job(**{"job options": options}), job(read=longer, **{"job options": options}))
    ).results[0]
    assert (found.reading.measured_s, found.reading.warmup_s) == (4.0, 3.0)
    assert found.reading.transaction_rate_io_s == 5000.0


def test_the_depth_of_a_job_is_shared_out_over_its_files(read: Read) -> None:
    options = {**job()["job options"], "filename": "a:b"}
    point = read(result(job(**{"job options": options}))).results[0].point
    assert (point.outstanding, point.outstanding_total) == (4, 8)


def test_the_ends_of_a_distribution_are_those_of_all_that_was_told(read: Read) -> None:
    told = half(10_000)
    told["clat_ns"] |= {"min": 8_000, "max": 30_000}
    kept = read(result(job(read=told))).results[0].reading.latency
    assert (kept.min_ns, kept.max_ns) == (8_000, 30_000)


def test_one_direction_without_bins_is_told(read: Read) -> None:
    written = half(10_000)
    del written["clat_ns"]["bins"]
    options = {**job()["job options"], "rw": "randrw"}
    found = read(result(job(write=written, **{"job options": options}))).results[0]
    assert "no_distribution" in [note.code for note in found.verdict.notes]
