"""Think time: after how many accesses fio pauses, and what a job file, a result and an export say of it."""

from __future__ import annotations

import itertools
import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from factories import make_point, make_profile, make_target, make_tool
from fio_documents import NOW, Make, Refused, again, answered, job, result, stored
from iodyno.fio.asked import asked
from iodyno.fio.exporting import document
from iodyno.fio.importing import import_results

FIO = pytest.mark.skipif(shutil.which("fio") is None, reason="fio is not installed")
TEXT = "[a]\nfilename=x\nsize=1m\nrw=randread\nthinktime=20ms\n"


def bursts(folder: Path, depth: int, options: str) -> list[int]:
    """Run fio with pauses of 20 ms: how many accesses it made between them, by its own log. A machine that
    stops parts bursts; nothing joins them."""
    text = f"{TEXT}ioengine=libaio\niodepth={depth}\nwrite_lat_log=l\ntime_based\nruntime=600ms\n{options}\n"
    (folder / "job.fio").write_text(text)
    subprocess.run(["fio", "job.fio"], cwd=folder, check=True, capture_output=True, timeout=60)
    times = [int(line.split(",")[0]) for line in (folder / "l_lat.1.log").read_text().splitlines()]
    found = [1]
    for before, now in itertools.pairwise(times):
        if now - before > 10:
            found.append(0)
        found[-1] += 1
    return found[1:]  # before the first pause none has completed that counts for it


@FIO
@pytest.mark.parametrize(("depth", "every"), [(8, 4), (4, 2), (16, 4)])
def test_fio_pauses_after_more_where_it_counts_completions(tmp_path: Path, depth: int, every: int) -> None:
    assert max(bursts(tmp_path, depth, f"thinktime_blocks={every}")) == depth + every - 2
    assert max(bursts(tmp_path, depth, f"thinktime_blocks={every}\nthinktime_blocks_type=issue")) == every


@FIO
@pytest.mark.parametrize(("depth", "every"), [(4, 4), (2, 8), (8, 1)])
def test_fio_pauses_after_as_many_as_are_outstanding_at_least(tmp_path: Path, depth: int, every: int) -> None:
    assert max(bursts(tmp_path, depth, f"thinktime_blocks={every}")) == every


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ("iodepth=8\nthinktime_blocks=4", "after 10 and after 1 in turn, 5.5 on the mean"),
        ("iodepth=16\nthinktime_blocks=3", "after 17 and after 1 in turn, 9 on the mean"),
        ("iodepth=8\nthinktime_blocks=4\nthinktime_blocks_type=complete", "after 10 and after 1 in turn"),
        ("iodepth=8\nthinktime_blocks=4\nthinktime_blocks_type=issue", ""),
        ("iodepth=4\nthinktime_blocks=4", ""),
        ("iodepth=8\nthinktime_blocks=1", ""),
        ("iodepth=8", ""),
        ("iodepth=8\nthinktime_blocks=4\nioengine=null", ""),
        ("iodepth=8\nthinktime_blocks=4\nioengine=psync", ""),
        ("iodepth=8\nthinktime_blocks=4\nthinktime=0", ""),
    ],
)
def test_where_fio_pauses_after_more_that_is_said(make: Make, options: str, said: str) -> None:
    found = make(f"{TEXT}ioengine=libaio\n{options}\n")
    notes = [note for note in found.notes if "workers think" in note]
    assert len(notes) == bool(said)
    assert all(said in note and ":8: " in note for note in notes)
    assert all("with thinktime_blocks_type=issue it does as here" in note for note in notes)
    (profile,) = found.jobs[0].study.profile
    every = next((line[-1] for line in options.splitlines() if line.startswith("thinktime_blocks=")), "1")
    assert profile.think_every == (int(every) if profile.think_time_us else 1)


def test_what_is_counted_is_one_of_two_words(refused: Refused) -> None:
    (problem,) = refused(f"{TEXT}thinktime_blocks_type=both\n")
    assert problem.startswith(":6: thinktime_blocks_type: 'both' is not one of complete, issue")


@FIO
def test_fio_counts_pauses_over_all_files(tmp_path: Path) -> None:
    assert max(bursts(tmp_path, 4, "thinktime_blocks=4\nfilename=y:z")) == 4


def test_files_share_the_accesses_between_two_pauses(make: Make) -> None:
    text = f"{TEXT}filename=y:z\nioengine=libaio\niodepth=4\nthinktime_blocks=4\n"
    found = make(text)
    assert found.jobs[0].study.profile[0].think_every == 2
    said = ":9: workers think after 2 accesses to each of 2 files; fio does after 4 to all of them"
    assert any(said in note for note in found.notes)
    one = make(text, targets=["/dev/null"])
    assert one.jobs[0].study.profile[0].think_every == 4
    assert not any("workers think" in note for note in one.notes)


def test_a_pause_that_files_cannot_share_is_refused(make: Make, refused: Refused) -> None:
    text = f"{TEXT}filename=y:z\nioengine=libaio\niodepth=2\n"
    assert refused(text) == [":5: thinktime_blocks=1 cannot be shared out evenly over 2 files"]
    found = make(text, approximate=True)
    assert found.jobs[0].study.profile[0].think_every == 1
    assert any("cannot be shared out evenly over 2 files: 1 on each" in note for note in found.notes)


def test_syncs_of_several_files_are_told(make: Make) -> None:
    text = "[a]\nfilename={}\nsize=1m\nioengine=libaio\nrw=write\niodepth=2\n{}=4\n"
    for option in ("fsync", "fdatasync"):
        said = ":7: each file is synced after 4 writes to it; fio counts over all files"
        assert any(said in note for note in make(text.format("x:y", option)).notes)
        assert not any("synced" in note for note in make(text.format("x", option)).notes)


def thinking(every: int, **changes: Any) -> Any:
    profile = make_profile("database", think_time_us=500, think_every=every)
    return make_point(profile, 8, **changes)


TWO = [make_target(path="/a"), make_target(path="/b")]


@pytest.mark.parametrize(
    ("every", "changes", "options", "needs"),
    [
        (4, {}, {"thinktime_blocks": "4", "thinktime_blocks_type": "issue"}, "fio 3.26"),
        (8, {}, {"thinktime_blocks": "8"}, ""),
        (1, {}, {"thinktime_blocks": "1"}, ""),
        # Two files, eight outstanding I/Os on each: sixteen in all, and pauses after twice as many.
        (8, {"targets": TWO}, {"thinktime_blocks": "16"}, ""),
        (6, {"targets": TWO}, {"thinktime_blocks": "12", "thinktime_blocks_type": "issue"}, "fio 3.26"),
        # A worker of psync is a clone for each thread, and four threads do all that comes between two pauses.
        (4, {"engine": "sync", "workers": 3}, {"thinktime_blocks": "1", "numjobs": "12"}, ""),
        (16, {"engine": "sync", "workers": 3}, {"thinktime_blocks": "2", "numjobs": "24"}, ""),
    ],
)
def test_an_export_pauses_as_often(
    every: int, changes: dict[str, Any], options: dict[str, str], needs: str
) -> None:
    found = asked(thinking(every, **changes))
    named = ("thinktime_blocks", "thinktime_blocks_type", *(["numjobs"] if "workers" in changes else []))
    assert {name: found.options[name] for name in named if name in found.options} == options
    assert bool(found.needs) == bool(needs)
    assert all(needs in why for why in found.needs)


@FIO
def test_fio_pauses_as_an_export_says(tmp_path: Path) -> None:
    options = asked(thinking(4, engine="aio")).options
    said = "\n".join(f"{name}={options[name]}" for name in options if name.startswith("thinktime_"))
    assert max(bursts(tmp_path, int(options["iodepth"]), said)) == 4


def test_threads_that_do_not_share_a_pause_evenly_are_told() -> None:
    told = asked(thinking(12, engine="sync")).otherwise
    assert "each clone thinks after 2 accesses: the 8 of a worker after 12 together" in told


@pytest.mark.parametrize("every", [4, 6, 8, 16])
@pytest.mark.parametrize("targets", [TWO[:1], TWO])
def test_pauses_come_back_from_an_export(tmp_path: Path, every: int, targets: list[Any]) -> None:
    point = thinking(every, targets=targets, engine="aio")
    assert again(answered(point, "aio"), tmp_path).profile.think_every == every


def test_a_result_tells_where_fio_paused_after_more(tmp_path: Path) -> None:
    def notes(**more: str) -> list[str]:
        options = {"rw": "randread", "bs": "4k", "iodepth": "8", "ioengine": "libaio", "thinktime": "500"}
        (tmp_path / "r.json").write_text(json.dumps(result(job(**{"job options": options | more}))))
        _, told = import_results(
            [tmp_path / "r.json"],
            run_id="20260301-000000-aaaa",
            now=NOW,
            tool=make_tool(),
            command=("iodyno",),
        )
        return [note.partition("not shown as it was: ")[2] for note in told]

    said = (
        "workers think after every 4 accesses; at a depth of 8 fio does after 10 and after 1 in turn, 5.5 on"
    )
    assert notes(thinktime_blocks="4") == [f"{said} the mean"]
    assert notes(thinktime_blocks="4", thinktime_blocks_type="issue") == []
    assert notes(thinktime_blocks="3", filename="a:b", thinktime_blocks_type="issue") == [
        "thinktime_blocks=3 over 2 files: 2 on each"
    ]
    # An export is told by how it was asked.
    (told,) = document(stored(thinking(4)))["jobs"]
    assert told["job options"]["thinktime_blocks_type"] == "issue"
