"""Runs that were cut off between their last point and their end: a resume ends them."""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path
from typing import Any, cast

import pytest

from command_line import Bench, CommandLine
from iodyno.bench import Ledger
from iodyno.cli.around import remembered
from iodyno.store import Store, ledger_path
from iodyno.targets import Permissions, create_file, find_targets
from iodyno.targets.mark import read_mark

SMALL = ("--quick", "--size", "64k", "--profile", "database", "--outstanding", "1,2", "--buffered")
KIB = 1 << 10


def cut_off(folder: Path) -> str:
    """Make the latest run of the test's store what kill -9 after its last point leaves, and give its id."""
    place = folder / "runs.db"
    with sqlite3.connect(place) as database:
        database.execute("UPDATE runs SET status = 'running', finished_at = NULL")
    with Store.open(place) as store:
        return store.find("latest").id


def left_file(place: Path) -> Path:
    """Make the file that such a run leaves."""
    allowed = Permissions(buffered=True)
    (target,) = find_targets([place], writes=True, permissions=allowed, file_size_bytes=64 * KIB)
    made = Path(create_file(target, allowed).path)
    if read_mark(made) is None:
        pytest.skip("this file system has no user attributes")
    return made


@pytest.fixture
def place(tmp_path: Path) -> Path:
    """Give a folder to measure."""
    folder = tmp_path / "target"
    folder.mkdir()
    return folder


def test_a_run_that_lacks_only_its_end_is_finished_by_a_resume(
    iodyno_says: CommandLine, bench: Bench, place: Path, tmp_path: Path
) -> None:
    assert iodyno_says("measure", place, *SMALL).code == 0
    run, file = cut_off(tmp_path), left_file(place)
    (ledger := ledger_path(tmp_path / "runs.db", run)).write_bytes(b"what was written where")
    said = iodyno_says("measure", "--resume", "latest")
    assert (said.code, said.err) == (0, "")
    assert f"run {run} had every point and lacked its end: it is finished now" in said.out
    assert f"run {run} finished: 2 points" in said.out
    assert (file.exists(), ledger.exists()) == (False, False)
    assert (bench.measured, len(bench.filled)) == ([0, 1], 1), "nothing is measured or filled again"
    with Store.open(tmp_path / "runs.db") as store:
        assert store.find("latest").status == "finished"
    assert iodyno_says("measure", "--resume", "latest").code == 2


def test_its_file_and_what_is_known_of_it_can_be_kept(
    iodyno_says: CommandLine, bench: Bench, place: Path, tmp_path: Path
) -> None:
    assert iodyno_says("measure", place, *SMALL).code == 0
    run, file = cut_off(tmp_path), left_file(place)
    (ledger := ledger_path(tmp_path / "runs.db", run)).write_bytes(b"what was written where")
    assert iodyno_says("measure", "--resume", "latest", "--keep", "--quiet").out == ""
    mark = read_mark(file)
    assert mark is not None
    assert mark.kept
    assert ledger.exists()
    assert bench.measured == [0, 1]


def test_what_is_known_of_a_file_stays_as_long_as_the_file(
    iodyno_says: CommandLine, bench: Bench, place: Path, tmp_path: Path
) -> None:
    """It could not be removed, say: `iodyno verify` can read it then."""
    assert iodyno_says("measure", place, *SMALL).code == 0
    file = left_file(place)
    with Store.open(tmp_path / "runs.db") as store:
        run = store.find("latest")
        (ledger := ledger_path(store.path, run.id)).write_bytes(b"what was written where")
        targets = find_targets(
            [place], writes=True, permissions=Permissions(buffered=True), file_size_bytes=64 * KIB
        )
        assert targets[0].created
        written = cast(Ledger, object())
        with remembered(store, run, targets, written, keep=False):
            pass
        assert ledger.exists()
        file.unlink()
        with remembered(store, run, targets, written, keep=False):
            pass
        assert not ledger.exists()


def test_a_file_of_somebody_else_in_its_place_stays(
    iodyno_says: CommandLine, bench: Bench, place: Path, tmp_path: Path
) -> None:
    assert iodyno_says("measure", place, *SMALL).code == 0
    cut_off(tmp_path)
    (place / "iodyno.data").write_bytes(b"mine")
    said = iodyno_says("measure", "--resume", "latest")
    assert said.code == 0
    assert f"note: {place / 'iodyno.data'} stays" in said.err
    assert (place / "iodyno.data").read_bytes() == b"mine"
    assert bench.measured == [0, 1]


def test_its_events_are_told_as_json(
    iodyno_says: CommandLine, bench: Bench, place: Path, tmp_path: Path
) -> None:
    assert iodyno_says("measure", place, *SMALL).code == 0
    cut_off(tmp_path)
    said = iodyno_says("measure", "--resume", "latest", "--json")
    events = [json.loads(line) for line in said.out.splitlines()]
    assert [event["event"] for event in events] == ["run_started", "run_finished"]
    assert (events[0]["done"], events[1]["status"]) == (2, "finished")
    assert bench.measured == [0, 1]


def test_a_simulation_that_lacks_only_its_end_is_finished_by_a_resume(
    iodyno_says: CommandLine, bench: Bench, tmp_path: Path
) -> None:
    words = ("simulate", "quick", "--on", "p3700", "--profile", "database", "--outstanding", "1,2")
    assert iodyno_says(*words).code == 0
    run = cut_off(tmp_path)
    said = iodyno_says("simulate", "--resume", "latest")
    assert (said.code, said.err) == (0, "")
    assert f"run {run} finished" in said.out
    assert bench.measured == [0, 1]


def test_a_full_disk_is_no_bad_request(
    iodyno_says: CommandLine, bench: Bench, place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    create_run = Store.create_run

    def on_a_full_disk(store: Store, *run: Any) -> None:
        connection = store._database.connection
        (pages,) = connection.execute("PRAGMA page_count").fetchone()
        connection.execute(f"PRAGMA max_page_count = {pages}")
        create_run(store, *run)

    monkeypatch.setattr(Store, "create_run", on_a_full_disk)
    said = iodyno_says("measure", place, *SMALL, "--outstanding", ",".join(map(str, range(1, 65))))
    assert "full disk" in said.err
    assert (said.code, bench.measured) == (1, [])


def test_a_ledger_that_is_gone_is_told_as_such(tmp_path: Path) -> None:
    from iodyno.bench import load_ledger
    from iodyno.errors import EngineError

    with pytest.raises(EngineError, match="nothing tells any more what it has written where") as caught:
        load_ledger(tmp_path / "runs.db-run.ledger", [], "run")
    assert "without --keep it goes when the run ends" in caught.value.problems[0].hint
