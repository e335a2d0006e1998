"""Results of fio become runs that say where they come from, and runs become what fio writes."""

from __future__ import annotations

import json
import shutil
import subprocess
from datetime import datetime, timezone
from pathlib import Path
from typing import Any

import pytest

from command_line import CommandLine, simulated_result
from factories import make_plan, make_point, make_profile, make_result, make_run, make_stored_run, make_tool
from iodyno.distributions import Distribution
from iodyno.errors import StoreError
from iodyno.export import export_run
from iodyno.fio.bins import bin_index, bin_middle, percentiles_of
from iodyno.fio.exporting import document, files
from iodyno.fio.importing import import_results
from iodyno.fio.logs import logs
from iodyno.store.records import StoredRun

NOW = datetime(2026, 3, 1, tzinfo=timezone.utc)


def latency(**told: Any) -> dict[str, Any]:
    return {"min": 0, "max": 0, "mean": 0.0, "stddev": 0.0, "N": 0, **told}


def half(ios: int = 0, **changes: Any) -> dict[str, Any]:
    bins = {
        "percentile": {"50.000000": 10_000, "99.000000": 20_000},
        "bins": {"10048": ios - 10, "20096": 10},
    }
    told = latency(min=9_000, max=21_000, mean=10_500.0, N=ios) if ios else latency()
    return {
        "io_bytes": ios * 4096, "total_ios": ios, "short_ios": 0, "runtime": 2000 if ios else 0,
        "slat_ns": latency(), "clat_ns": {**told, **(bins if ios else {})}, "lat_ns": told, **changes,
    }  # fmt: skip


def job(name: str = "j", **changes: Any) -> dict[str, Any]:
    options = {
        "rw": "randread",
        "bs": "4k",
        "iodepth": "8",
        "ioengine": "libaio",
        "direct": "1",
        "size": "1g",
    }
    return {
        "jobname": name, "groupid": 0, "error": 0, "job options": options, "read": half(10_000),
        "write": half(), "trim": half(), "usr_cpu": 10.0, "sys_cpu": 15.0, "job_runtime": 2000, **changes,
    }  # fmt: skip


def result(*jobs: dict[str, Any], **changes: Any) -> dict[str, Any]:
    return {"fio version": "fio-3.36", "timestamp": 1_700_000_000, "jobs": list(jobs) or [job()], **changes}


def imported(*paths: Path, title: str = "") -> StoredRun:
    stored, _ = import_results(
        paths, run_id="20260301-000000-aaaa", now=NOW, tool=make_tool(), command=("iodyno",), title=title
    )
    return stored


@pytest.fixture
def read(tmp_path: Path):  # type: ignore[no-untyped-def]
    def of(*documents: dict[str, Any], before: str = "", after: str = "") -> StoredRun:
        file = tmp_path / "r.json"
        file.write_text(before + "\n".join(json.dumps(item, indent=2) for item in documents) + after)
        return imported(file)

    return of


def test_rates_latencies_and_where_they_come_from(read) -> None:  # type: ignore[no-untyped-def]
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


def test_what_the_result_does_not_tell_is_not_made_up(read) -> None:  # type: ignore[no-untyped-def]
    stored = read(result(job(**{"job options": {}})))
    reading, point = stored.results[0].reading, stored.results[0].point
    assert reading.precision.half_width is None
    assert reading.series.reads == ()
    assert point.targets[0].size_bytes == 0
    assert stored.run.system.get("imported", "imported_hosts").missing  # type: ignore[union-attr]


def test_without_bins_only_the_percentiles_that_were_told_are_known(read) -> None:  # type: ignore[no-untyped-def]
    told = half(10_000)
    del told["clat_ns"]["bins"]
    found = read(result(job(read=told))).results[0]
    kept = found.reading.latency
    assert (kept.total, kept.mean_ns, kept.index) == (10_000, 10_500.0, ())
    assert (kept.knows(0.5), kept.knows(0.999)) == (True, False)
    assert kept.percentile_ns(0.99) == 20_000
    assert found.verdict.notes[-1].code == "no_distribution"


def test_bins_of_the_whole_latency_come_first(read) -> None:  # type: ignore[no-untyped-def]
    told = half(10_000)
    told["lat_ns"] |= {"bins": {"12032": 10_000}}
    found = read(result(job(read=told))).results[0]
    assert abs(found.reading.latency.percentile_ns(0.5) / 12_032 - 1) < 1 / 64
    assert [note.code for note in found.verdict.notes] == ["imported"]


def test_clones_that_fio_lists_one_by_one_are_one_point(read) -> None:  # type: ignore[no-untyped-def]
    options = {**job()["job options"], "numjobs": "2"}
    stored = read(result(job(**{"job options": options}), job(**{"job options": options})))
    (found,) = stored.results
    assert (found.reading.completed, found.reading.transaction_rate_io_s) == (20_000, 10_000.0)
    assert (found.point.workers, len(found.reading.workers)) == (2, 2)


def test_reads_and_writes_errors_and_short_ones(read) -> None:  # type: ignore[no-untyped-def]
    options = {"rw": "randrw", "rwmixread": "75", "bs": "4k"}
    told = job(**{"job options": options}, write=half(2_000, short_ios=3), error=5)
    found = read(result(told)).results[0]
    assert found.point.profile.read_share == 0.75
    assert found.reading.writes.completed == 2_000
    assert {error.name: error.count for error in found.reading.writes.errors} == {"SHORT": 3}
    assert [error.name for error in found.reading.reads.errors] == ["EIO"]
    assert found.reading.latency.total == 12_000


def test_text_around_objects_and_several_of_them(read) -> None:  # type: ignore[no-untyped-def]
    early, late = result(job(read=half(100))), result(job(read=half(900)))
    stored = read(early, late, result(job("k")), before="fio: a warning {not JSON}\n", after="\nbye }\n")
    assert [found.reading.completed for found in stored.results] == [900, 10_000]


def test_numbers_that_are_none(tmp_path: Path) -> None:
    file = tmp_path / "nan.json"
    file.write_text(json.dumps(result()).replace('"usr_cpu": 10.0', '"usr_cpu": -nan'))
    assert imported(file).results[0].reading.workers[0].cpu_s == pytest.approx(0.3)


def test_clients_without_their_sum(read) -> None:  # type: ignore[no-untyped-def]
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
            place.write_text(json.dumps(result(job(**{"job options": options}))))
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


def test_every_command_says_that_a_run_is_imported(iodyno_says: CommandLine, tmp_path: Path) -> None:
    file = tmp_path / "r.json"
    file.write_text(json.dumps(result(job(), job("m", **{"job options": {"rw": "write", "bs": "64k"}}))))
    said = iodyno_says("import", file, "--title", "An old array")
    assert said.code == 0, said.err
    assert "2 points imported from fio-3.36" in said.out
    shown = iodyno_says("show").out
    assert "measured by fio-3.36, nothing was judged" in shown
    assert "2 not judged" in shown
    assert "An old array" in iodyno_says("runs").out or "fio-import" in iodyno_says("runs").out
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


def test_bins_are_those_of_fio() -> None:
    # Edges from the layout: 64 bins an octave above 128 ns, each named by its middle.
    assert [bin_middle(bin_index(value)) for value in (0, 127, 128, 129, 255, 256, 259, 1000)] == [
        0, 127, 129, 129, 255, 258, 258, 1004,
    ]  # fmt: skip
    assert bin_index(1 << 62) == 1855


@pytest.mark.skipif(shutil.which("fio") is None, reason="fio is not installed")
def test_bins_and_percentiles_agree_with_an_installed_fio(tmp_path: Path) -> None:
    command = ["fio", "--name=x", "--ioengine=null", "--size=256m", "--bs=4k", "--rw=randrw",
               "--lat_percentiles=1", "--output-format=json+", f"--output={tmp_path / 'r.json'}"]  # fmt: skip
    subprocess.run(command, check=True, capture_output=True, timeout=60, cwd=tmp_path)
    (told,) = json.loads((tmp_path / "r.json").read_text())["jobs"]
    (found,) = imported(tmp_path / "r.json").results
    for name, direction in (("read", found.reading.reads), ("write", found.reading.writes)):
        of_fio = told[name]["lat_ns"]
        bins = {int(middle): count for middle, count in of_fio["bins"].items()}
        assert all(bin_middle(bin_index(middle)) == middle for middle in bins)
        percents = {float(percent): value for percent, value in of_fio["percentile"].items()}
        assert percentiles_of(bins, percents) == percents
        assert direction.latency.total == of_fio["N"] == told[name]["total_ios"]
        for percent, value in percents.items():
            assert abs(direction.latency.percentile_ns(percent / 100) - value) <= max(1, value / 64)


def again(stored: StoredRun, folder: Path) -> StoredRun:
    (folder / "again.json").write_text(json.dumps(document(stored)))
    return imported(folder / "again.json")


def test_an_export_that_is_imported_again_has_the_same_counts(tmp_path: Path) -> None:
    stored = make_stored_run(profiles=["database", "streaming"], intensities=[1, 16])
    back = again(stored, tmp_path)
    assert back.run.imported == f"iodyno-{stored.run.tool.version}"
    for before, after in zip(stored.results, back.results, strict=True):
        for old, new in (
            (before.reading.reads, after.reading.reads),
            (before.reading.writes, after.reading.writes),
        ):
            assert (new.completed, new.bytes, new.latency.total) == (
                old.completed,
                old.bytes,
                old.latency.total,
            )
            assert (new.latency.min_ns, new.latency.max_ns) == (old.latency.min_ns, old.latency.max_ns)
            for share in (0.5, 0.99, 0.999):
                value = old.latency.percentile_ns(share)
                assert abs(new.latency.percentile_ns(share) - value) <= value / 64 + 1
        assert after.reading.transaction_rate_io_s == pytest.approx(
            before.reading.transaction_rate_io_s, rel=1e-3
        )
        assert after.point.profile.read_share == pytest.approx(before.point.profile.read_share, abs=0.005)
        assert after.point.outstanding_total == before.point.outstanding_total
    assert document(again(back, tmp_path))["jobs"][0]["read"] == document(back)["jobs"][0]["read"]


def test_an_export_has_what_fio_has(tmp_path: Path) -> None:
    stored = make_stored_run(profiles=["database"], intensities=[4])
    (told,) = document(stored)["jobs"]
    read, reading = told["read"], stored.results[0].reading
    assert read["iops"] == reading.reads.completed / reading.measured_s
    assert read["bw"] == round(reading.reads.bytes / reading.measured_s / 1024)
    assert sum(read["lat_ns"]["bins"].values()) == reading.reads.completed
    assert read["iops_samples"] == 6  # three seconds in halves
    assert sum(sum(told[f"latency_{unit}"].values()) for unit in ("ns", "us", "ms")) == pytest.approx(100)
    assert (
        told["job options"] | {"rw": "randrw", "bs": "8k", "iodepth": "4", "rwmixread": "67"}
        == told["job options"]
    )
    export_run(stored, "fio-json", tmp_path / "x.json")
    assert json.loads((tmp_path / "x.json").read_text())["jobs"][0]["read"] == json.loads(json.dumps(read))


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


@pytest.mark.parametrize(
    "text", ["uniform", "permutation", "zipf:1.2", "pareto:0.3", "normal:0.1", "50/5, 30/15, 20/80"]
)
def test_distributions_come_back(tmp_path: Path, text: str) -> None:
    profile = make_profile("database").model_copy(update={"distribution": Distribution.model_validate(text)})
    point = make_point(profile, 8)
    plan = make_plan().model_copy(update={"points": (point,)})
    stored = StoredRun(run=make_run(plan), results=(make_result(point),))
    (found,) = again(stored, tmp_path).results
    assert str(found.point.profile.distribution) == text


def test_files_of_an_export_lie_as_bench_fio_lays_them_out(iodyno_says: CommandLine, tmp_path: Path) -> None:
    half_read = make_profile("database", read_share=0.5).model_copy(update={"name": "half"})
    profiles = [make_profile("streaming"), make_profile("database"), half_read, half_read]
    points = [make_point(profile, 8, index=index) for index, profile in enumerate(profiles)]
    plan = make_plan().model_copy(update={"points": tuple(points)})
    results = tuple(simulated_result(point) for point in points)
    stored = StoredRun(run=make_run(plan), results=results)
    places = [str(place) for place, _ in files(stored)]
    assert [place for place in places if place.endswith(".json")] == [
        "iodyno.dat/64k/read-8-1.json",
        "iodyno.dat/randrw67/8k/randrw-8-1.json",
        "iodyno.dat/randrw50/8k/randrw-8-1.json",
        "iodyno.dat/randrw50/8k/half/randrw-8-1.json",
    ]


def test_logs_lie_beside_the_results_under_the_names_that_fio_plot_looks_for() -> None:
    stored = make_stored_run(profiles=["streaming"], intensities=[8])
    (result,) = stored.results
    again = stored.model_copy(update={"results": (result,) * 3})
    names = ["read-iodepth-8-numjobs-1_{}.1.log", "streaming/read-iodepth-8-numjobs-1_{}.1.log"]
    names += ["streaming/read-iodepth-8-numjobs-1-2_{}.1.log"]
    logs_of = [str(place).partition("/64k/")[2] for place, _ in files(again) if place.suffix == ".log"]
    assert logs_of == [name.format(kind) for name in names for kind in ("iops", "bw", "lat", "clat")]


def test_logs_of_an_export_have_the_measured_part_window_by_window(tmp_path: Path) -> None:
    stored = make_stored_run(profiles=["database"], intensities=[8])
    (result,) = stored.results

    def written(**series: Any) -> dict[str, str]:
        told = result.reading.series.model_copy(update={"measured_from": 1, "windows": (), **series})
        reading = result.reading.model_copy(update={"series": told})
        return dict(logs(result.model_copy(update={"reading": reading})))

    one = {"reads": (9, 10, 0, 21), "writes": (0,) * 4, "read_bytes": (0, 20480, 0, 43008)}
    assert written(**one, written_bytes=(0,) * 4, latency_sum_ns=(9, 1000, 0, 44)) == {
        "iops": "100, 100, 0, 0, 0\n200, 0, 0, 0, 0\n300, 210, 0, 0, 0\n",
        "bw": "100, 200, 0, 0, 0\n200, 0, 0, 0, 0\n300, 420, 0, 0, 0\n",
        "lat": "100, 100, 0, 0, 0\n300, 2, 0, 0, 0\n",
        "clat": "100, 100, 0, 0, 0\n300, 2, 0, 0, 0\n",
    }
    both = {"reads": (1, 40), "writes": (1, 20), "read_bytes": (0, 0), "written_bytes": (0, 8192)}
    assert written(**both, latency_sum_ns=(2, 60), windows=(1, 2)) == {
        "iops": "200, 200, 0, 0, 0\n200, 100, 1, 0, 0\n",
        "bw": "200, 0, 0, 0, 0\n200, 40, 1, 0, 0\n",
    }
    nothing = ("reads", "writes", "read_bytes", "written_bytes", "latency_sum_ns")
    assert written(**dict.fromkeys(nothing, ())) == {}


@pytest.mark.skipif(not shutil.which("fio"), reason="fio is not installed")
def test_lines_of_logs_have_the_columns_of_fio(tmp_path: Path) -> None:
    command = [
        "fio", "--name=x", "--size=1m", "--rw=read", "--ioengine=null", "--time_based", "--runtime=1",
        "--write_iops_log=x", "--log_avg_msec=100",
    ]  # fmt: skip
    subprocess.run(command, cwd=tmp_path, check=True, capture_output=True)
    theirs = (tmp_path / "x_iops.1.log").read_text().splitlines()[-1].split(", ")
    (result,) = make_stored_run(profiles=["streaming"], intensities=[8]).results
    ours = dict(logs(result))["iops"].splitlines()[-1].split(", ")
    assert len(ours) == 5
    assert ours[2:] == theirs[2:5] == ["0", "0", "0"]


def test_the_command_exports_into_a_folder(iodyno_says: CommandLine, tmp_path: Path) -> None:
    file = tmp_path / "r.json"
    file.write_text(json.dumps(result()))
    iodyno_says("import", file)
    folder = tmp_path / "out"
    folder.mkdir()
    said = iodyno_says("export", "-f", "fio-json", "-o", folder)
    assert said.code == 0, said.err
    (made,) = folder.rglob("*.json")
    assert made.name == "randread-8-1.json"
    assert iodyno_says("export", "-f", "fio-json", "--table", "series").code == 2


def test_syncs_come_in_and_go_out_with_their_latencies(read, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    asked = {"rw": "randwrite", "bs": "4k", "ioengine": "psync", "fsync": "4", "size": "1g"}
    told = {
        "total_ios": 50,
        "lat_ns": {"min": 1000, "max": 3000, "mean": 2000.0, "N": 50, "bins": {"1000": 25, "3000": 25}},
    }
    stored = read(result(job(**{"job options": asked, "read": half(), "write": half(200), "sync": told})))
    syncs = stored.results[0].reading.syncs
    assert syncs is not None
    assert (syncs.completed, syncs.bytes, syncs.latency.total) == (50, 0, 50)
    assert (syncs.latency.min_ns, syncs.latency.max_ns, syncs.latency.mean_ns) == (1000, 3000, 2000.0)
    written = document(stored)["jobs"][0]
    assert written["job options"]["fsync"] == "4"
    assert written["sync"]["total_ios"] == 50
    assert {key: written["sync"]["lat_ns"][key] for key in ("min", "max", "mean", "N")} == {
        "min": 1000, "max": 3000, "mean": 2000.0, "N": 50,
    }  # fmt: skip
    assert sum(written["sync"]["lat_ns"]["bins"].values()) == 50
    back = again(stored, tmp_path).results[0].reading
    assert back.syncs is not None
    assert (back.syncs.completed, back.syncs.latency.total, back.syncs.latency.sum_ns) == (50, 50, 100_000)
    assert read(result()).results[0].reading.syncs is None


@pytest.mark.parametrize(
    ("read_share", "asked"), [(0.67, "670,330"), (1.0, "1000"), (0.0, "1000"), (0.5, "500,500")]
)
def test_rates_come_back(tmp_path: Path, read_share: float, asked: str) -> None:
    """fio limits each direction of a mix: a mix of 67 % reads at 1000 IO/s is 670 reads and 330 writes."""
    point = make_point(make_profile("database", read_share=read_share), 8)
    point = point.model_copy(update={"rate_io_s": 1000.0})
    stored = StoredRun(
        run=make_run(make_plan().model_copy(update={"points": (point,)})), results=(make_result(point),)
    )
    (told,) = document(stored)["jobs"]
    assert told["job options"]["rate_iops"] == asked
    (found,) = again(stored, tmp_path).results
    assert found.point.rate_io_s == pytest.approx(1000)
    assert found.point.profile.read_share == pytest.approx(read_share)


def test_trims_come_in_alone_and_beside_reads(read) -> None:  # type: ignore[no-untyped-def]
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


def test_loads_are_titled_as_their_jobs_where_each_has_its_own(read) -> None:  # type: ignore[no-untyped-def]
    of_a_file = {**job()["job options"], "filename": "/mnt/x"}
    alike, written = {"job options": of_a_file}, {"job options": {**of_a_file, "rw": "write"}}
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


def test_trims_go_out() -> None:
    profile = make_profile("database").model_copy(update={"trim_share": 1.0, "name": "trims"})
    point = make_point(profile, 8)
    trimmed = make_result(point).reading.reads
    reading = make_result(point).reading.model_copy(update={"trims": trimmed})
    stored = StoredRun(
        run=make_run(make_plan().model_copy(update={"points": (point,)})),
        results=(make_result(point).model_copy(update={"reading": reading}),),
    )
    written = document(stored)["jobs"][0]
    assert written["job options"]["rw"] == "randtrim"
    assert written["trim"]["total_ios"] == trimmed.completed > 0


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
def test_engines_of_fio_alone_are_shown_as_the_nearest(read, engine: str, nearest: str) -> None:  # type: ignore[no-untyped-def]
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
def test_a_files_size_is_its_own_or_its_part_of_the_jobs(read, sizes: dict[str, str], each: int) -> None:  # type: ignore[no-untyped-def]
    options = {"rw": "randread", "bs": "4k", "filename": "a:b", **sizes}
    found = read(result(job(**{"job options": options}))).results[0]
    assert [target.size_bytes for target in found.point.targets] == [each, each]


def test_jobs_of_one_load_at_several_rates_are_one_curve(read) -> None:  # type: ignore[no-untyped-def]
    jobs = [
        job("j", groupid=group, **{"job options": {**job()["job options"], "rate_iops": str(rate)}})
        for group, rate in enumerate((100, 200))
    ]
    points = [found.point for found in read(result(*jobs)).results]
    assert [point.rate_io_s for point in points] == [100.0, 200.0]
    assert len({point.profile.name for point in points}) == 1


def test_sizes_are_read_as_fio_was_told_to_read_them(read) -> None:  # type: ignore[no-untyped-def]
    """``kb_base=1000``: a k is 1000 bytes, and a ki 1024."""
    options = {**job()["job options"], "size": "8m"}
    sizes = [
        read(result(job(**{"job options": {**options, **base}}))).results[0].point.targets[0].size_bytes
        for base in ({}, {"kb_base": "1000"})
    ]
    assert sizes == [8 * 1024**2, 8 * 1000**2]


def test_clones_ran_for_as_long_as_the_longest_of_them(read) -> None:  # type: ignore[no-untyped-def]
    options = {**job()["job options"], "numjobs": "2", "ramp_time": "3"}
    longer = {**half(10_000), "runtime": 4000}
    found = read(
        result(job(**{"job options": options}), job(read=longer, **{"job options": options}))
    ).results[0]
    assert (found.reading.measured_s, found.reading.warmup_s) == (4.0, 3.0)
    assert found.reading.transaction_rate_io_s == 5000.0


def test_the_depth_of_a_job_is_shared_out_over_its_files(read) -> None:  # type: ignore[no-untyped-def]
    options = {**job()["job options"], "filename": "a:b"}
    point = read(result(job(**{"job options": options}))).results[0].point
    assert (point.outstanding, point.outstanding_total) == (4, 8)


def test_the_ends_of_a_distribution_are_those_of_all_that_was_told(read) -> None:  # type: ignore[no-untyped-def]
    told = half(10_000)
    told["clat_ns"] |= {"min": 8_000, "max": 30_000}
    kept = read(result(job(read=told))).results[0].reading.latency
    assert (kept.min_ns, kept.max_ns) == (8_000, 30_000)


def test_one_direction_without_bins_is_told(read) -> None:  # type: ignore[no-untyped-def]
    written = half(10_000)
    del written["clat_ns"]["bins"]
    options = {**job()["job options"], "rw": "randrw"}
    found = read(result(job(write=written, **{"job options": options}))).results[0]
    assert "no_distribution" in [note.code for note in found.verdict.notes]
