"""What fio measured with a job file stands beside what iodyno makes of the same job file."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from command_line import CommandLine, Said
from fio_documents import job, job_file, result
from iodyno.report.document import Table
from iodyno.report.paper import build
from iodyno.store import Store

JOBS = """
    [global]
    ioengine=libaio
    direct=1
    size=1g
    bs=4k
    iodepth=8
    [random]
    filename=a
    rw=randread
    [{second}]
    stonewall
    filename=b
    rw={rw}
    """

Compare = Callable[..., Said]


@pytest.fixture
def compared(iodyno_says: CommandLine, tmp_path: Path) -> Compare:
    """Give a function that compares a simulation of jobs with fio's result of two: randread, and read."""

    def compare(second: str = "in-order", rw: str = "read") -> Said:
        file = job_file(tmp_path, JOBS.format(second=second, rw=rw))
        said = iodyno_says("simulate", file, "--on", "p3700", "--floor-ios", "2000", "--cap-ios", "2000")
        assert said.code == 0, said.err
        options = job()["job options"]
        told = [job("random"), job("in-order", **{"job options": {**options, "rw": "read"}})]
        found = tmp_path / "r.json"
        found.write_text(json.dumps(result(*told)))
        assert iodyno_says("import", found).code == 0
        return iodyno_says("compare", "latest~1", "latest")

    return compare


def test_jobs_are_compared_with_the_results_of_fio(compared: Compare) -> None:
    said = compared()
    assert (said.code, said.err) == (0, "")
    assert "only in" not in said.out
    assert "2 unknown" in said.out  # imports have no intervals


def test_other_names_of_jobs_are_the_same_loads(compared: Compare) -> None:
    said = compared(second="walk")
    assert "only in" not in said.out


def test_what_differs_in_its_accesses_is_no_counterpart(compared: Compare) -> None:
    said = compared(rw="randwrite")
    assert said.code == 0
    assert said.out.count("only in") == 2
    assert "1 unknown" in said.out


def test_a_run_is_compared_with_its_own_export(iodyno_says: CommandLine, tmp_path: Path) -> None:
    """Database is aligned to 4 kB and goes anywhere; what fio would call so, to each block of 8 kB once."""
    loads = ("--outstanding", "1,4", "--floor-ios", "2000", "--cap-ios", "2000")
    assert iodyno_says("simulate", "quick", "--on", "p3700", "--profile", "database", *loads).code == 0
    assert iodyno_says("export", "--format", "fio-json", "-o", tmp_path / "out.json").code == 0
    assert iodyno_says("import", tmp_path / "out.json").code == 0
    said = iodyno_says("compare", "latest~1", "latest")
    assert (said.code, said.err) == (0, "")
    assert "only in" not in said.out
    assert "2 unknown" in said.out


def zipf(name: str, distribution: str | None = None) -> dict[str, Any]:
    given = {"random_distribution": distribution} if distribution else {}
    return job(name, **{"job options": job()["job options"] | given})


def simulated(iodyno_says: CommandLine, tmp_path: Path, *options: str) -> None:
    """Simulate jobs of 4 kB random reads, each with an option of its own, one after the other."""
    jobs = "".join(f"[j{number}]\nstonewall\n{option}\n" for number, option in enumerate(options))
    head = "[global]\nioengine=libaio\ndirect=1\nsize=1g\nbs=4k\niodepth=8\nfilename=a\nrw=randread\n"
    short = ("--floor-ios", "2000", "--cap-ios", "2000", "--approximate")
    said = iodyno_says("simulate", job_file(tmp_path, head + jobs), "--on", "p3700", *short)
    assert said.code == 0, said.err


def compared_with(iodyno_says: CommandLine, tmp_path: Path, *jobs: dict[str, Any]) -> Any:
    (tmp_path / "r.json").write_text(json.dumps(result(*jobs)))
    assert iodyno_says("import", tmp_path / "r.json").code == 0
    return iodyno_says("compare", "latest~1", "latest", "--json")


@pytest.mark.parametrize("names", [("uni", "zip"), ("zip", "uni"), ("zip",)])
def test_jobs_that_differ_in_where_they_go_stand_beside_their_likes(
    iodyno_says: CommandLine, tmp_path: Path, names: tuple[str, ...]
) -> None:
    """Both access the same, so they went together in order, or not at all where one was missing."""
    simulated(iodyno_says, tmp_path, "", "random_distribution=zipf:1.2")
    told = {"uni": zipf("uni"), "zip": zipf("zip", "zipf:1.2")}
    said = compared_with(iodyno_says, tmp_path, *(told[name] for name in names))
    assert said.code == 0, said.err
    (found,) = json.loads(said.out)
    beside = [
        tuple(point[run]["point"]["profile"]["distribution"]["kind"] == "zipf" for run in ("base", "other"))
        for point in found["points"]
    ]
    assert len(beside) == len(names)
    assert all(one == other for one, other in beside)


def test_what_cannot_be_told_apart_is_told(iodyno_says: CommandLine, tmp_path: Path) -> None:
    """Two jobs of one load beside one: both sides had the same words."""
    simulated(iodyno_says, tmp_path, "", "")
    said = compared_with(iodyno_says, tmp_path, zipf("uni"))
    assert said.code == 2
    assert "no telling which points belong together: of 1 worker on 1 target at 8 outstanding" in said.err


def test_how_fio_opened_its_files_is_compared(iodyno_says: CommandLine, tmp_path: Path) -> None:
    """Durable writes of both were told as a difference."""
    simulated(iodyno_says, tmp_path, "sync=dsync")
    durable = job("d", **{"job options": job()["job options"] | {"sync": "dsync"}})
    said = compared_with(iodyno_says, tmp_path, durable)
    assert said.code == 0, said.err
    assert "O_DSYNC" not in said.out


@pytest.mark.parametrize(
    ("language", "kinds"),
    [
        ("en", ("simulated", "imported")),
        ("de", ("simuliert", "importiert")),
        ("ja", ("シミュレーション", "インポート")),
    ],
)
def test_an_imported_run_is_called_so_beside_another(
    compared: Compare, iodyno_says: CommandLine, tmp_path: Path, language: str, kinds: tuple[str, str]
) -> None:  # fmt: skip
    """It was called measured, as a run of iodyno's is, with its verdicts."""
    compared()
    with Store.open(tmp_path / "runs.db") as store:
        simulated, imported = store.load("latest~1"), store.load("latest")
    document = build(simulated, language, [imported])
    tables = [block for block in document.blocks if isinstance(block, Table)]
    (table, *_) = (table for table in tables if table.key == "table-comparison-0-0")
    heads = [str(column.title) for column in table.columns]
    assert kinds[0] in heads[1]
    assert kinds[1] in heads[3]
