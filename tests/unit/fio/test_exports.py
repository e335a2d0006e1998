"""Runs become what fio writes: results, bins and logs."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from command_line import CommandLine, simulated_result
from factories import make_plan, make_point, make_profile, make_result, make_run, make_stored_run
from fio_documents import Read, half, imported, job, result
from iodyno.analysis.run import analyse
from iodyno.distributions import Distribution
from iodyno.export import export_run
from iodyno.fio import asked as of_fio
from iodyno.fio.bins import bin_index, bin_middle, percentiles_of
from iodyno.fio.exporting import document, files
from iodyno.fio.logs import logs
from iodyno.reading import PointResult
from iodyno.store.records import StoredRun


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


def test_an_export_that_is_imported_again_has_the_same_curves(tmp_path: Path) -> None:
    """Each point took its own time, and a curve is of them all."""

    def timed(result: PointResult) -> PointResult:
        reading = result.reading.model_copy(update={"measured_s": 3 + result.point.index / 100})
        return result.model_copy(update={"reading": reading})

    stored = make_stored_run(profiles=["database", "streaming"], intensities=[1, 4, 16], change=timed)
    back = again(stored, tmp_path)
    assert len({result.reading.measured_s for result in back.results}) == 6
    found = [item.curve for item in analyse(back).curves]
    loads = [[item.outstanding for item in curve.points] for curve in found]
    assert loads == [[1, 4, 16]] * 2


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


def test_a_folder_that_is_missing_is_made(iodyno_says: CommandLine, tmp_path: Path) -> None:
    file = tmp_path / "r.json"
    file.write_text(json.dumps(result()))
    iodyno_says("import", file)
    for name in ("folder", "another/", "with.dot/", "v1.2"):
        said = iodyno_says("export", "-f", "fio-json", "-o", f"{tmp_path}/{name}")
        assert said.code == 0, said.err
        assert (tmp_path / name).is_dir()
        assert list((tmp_path / name).rglob("*.json"))
    said = iodyno_says("export", "-f", "fio-json", "-o", tmp_path / "run.json")
    assert said.code == 0
    assert (tmp_path / "run.json").is_file()
    there = tmp_path / "there"
    there.write_text("kept before")
    refused = iodyno_says("export", "-f", "fio-json", "-o", f"{there}/")
    assert (refused.code, refused.err.splitlines()[0]) == (2, f"error: {there}/: is no folder")
    assert there.read_text() == "kept before"
    assert iodyno_says("export", "-f", "fio-json", "-o", there).code == 0
    assert json.loads(there.read_text())["jobs"]


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
    assert said.err == ""
    assert iodyno_says("export", "-f", "fio-json", "--table", "series").code == 2


def test_syncs_come_in_and_go_out_with_their_latencies(read: Read, tmp_path: Path) -> None:
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


@pytest.mark.parametrize(
    ("asked", "workers", "read_share", "written"),
    [(1.0, 4, 1.0, "1"), (150.0, 4, 1.0, "38"), (0.4, 1, 1.0, "1"), (4.0, 4, 0.9, "1,1"),
     (200.0, 1, 0.75, "150,50")],
)  # fmt: skip
def test_a_rate_is_never_written_as_none(asked: float, workers: int, read_share: float, written: str) -> None:
    """0 is no limit for fio: 1 IO/s over four workers was a load at full speed."""
    profile = make_profile("database", read_share=read_share)
    point = make_point(profile, 8, workers=workers, rate_io_s=asked)
    assert of_fio.asked(point).options["rate_iops"] == written


@pytest.mark.parametrize(
    ("answered", "written"), [("io_uring", "io_uring"), ("aio", "libaio"), ("sync", "psync")]
)
def test_the_engine_is_the_one_that_answered(answered: str, written: str) -> None:
    """fio knows no engine `auto`."""
    stored = make_stored_run(profiles=["database"], intensities=[4])
    (result,) = stored.results
    engine = result.reading.engine.model_copy(update={"name": answered})
    changed = result.model_copy(update={"reading": result.reading.model_copy(update={"engine": engine})})
    assert changed.point.engine == "auto"
    (told,) = document(stored.model_copy(update={"results": (changed,)}))["jobs"]
    assert told["job options"]["ioengine"] == written
