"""Measuring: files are made and removed, each point is kept, Ctrl-C loses one point, and a resume goes on."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from command_line import Bench, CommandLine, Said
from iodyno.cli import around
from iodyno.cli import measure as measuring
from iodyno.errors import EngineError, StoreError
from iodyno.reading import Direction, IoError, PointResult
from iodyno.store import Store
from iodyno.store.records import StoredRun
from iodyno.targets import Permissions, Target

SMALL = ("--quick", "--size", "64k", "--profile", "database", "--outstanding", "1,2,4,8", "--buffered")


def stored_in(folder: Path) -> StoredRun:
    """Load the latest run of the test's store."""
    with Store.open(folder / "runs.db") as store:
        return store.load("latest")


@pytest.fixture
def place(tmp_path: Path) -> Path:
    """Give a folder to measure."""
    folder = tmp_path / "target"
    folder.mkdir()
    return folder


def test_a_run_is_measured_and_kept(
    iodyno_says: CommandLine, bench: Bench, place: Path, tmp_path: Path
) -> None:
    said = iodyno_says("measure", place, *SMALL)
    assert (said.code, said.err) == (0, "")
    stored = stored_in(tmp_path)
    assert stored.run.status == "finished"
    assert [result.point.outstanding for result in stored.results] == [1, 2, 4, 8]
    assert bench.filled == [str(place / "iodyno.data")]
    assert list(place.iterdir()) == []
    assert f"run {stored.run.id} finished: 4 points, 4 steady" in said.out
    assert f"iodyno report {stored.run.id}" in said.out


def test_plain_lines_tell_of_the_file_and_of_each_point(
    iodyno_says: CommandLine, bench: Bench, place: Path
) -> None:
    lines = iodyno_says("measure", place, *SMALL).out.splitlines()
    assert [line.split(": ")[1] for line in lines if line.startswith("writing ")] == ["50%", "100%"]
    assert [line.split()[0] for line in lines if "latency" in line] == ["1/4", "2/4", "3/4", "4/4"]
    assert sum("Database: random, 67% read, 8 kB" in line for line in lines) == 1
    assert bench.measured == [0, 1, 2, 3]


def test_the_file_can_be_kept(iodyno_says: CommandLine, bench: Bench, place: Path) -> None:
    assert iodyno_says("measure", place, *SMALL, "--keep").code == 0
    assert [file.stat().st_size for file in place.iterdir()] == [65536]
    assert bench.measured


def test_quiet_says_nothing(iodyno_says: CommandLine, bench: Bench, place: Path) -> None:
    assert iodyno_says("measure", place, *SMALL, "--quiet") == Said(0, "", "")
    assert bench.measured


def test_json_is_one_event_a_line(iodyno_says: CommandLine, bench: Bench, place: Path) -> None:
    said = iodyno_says("measure", place, *SMALL, "--json")
    events = [json.loads(line) for line in said.out.splitlines()]
    point = ["point_started", "sample", "point_finished"]
    assert [event["event"] for event in events] == [
        "run_started",
        *["filling"] * 3,
        *point * 4,
        "run_finished",
    ]
    assert events[0]["points"] == 4
    assert PointResult.model_validate(events[6]["result"]).point.outstanding == 1
    assert (events[-1]["status"], events[-1]["done"]) == ("finished", len(bench.measured))


def test_what_was_allowed_has_to_be_allowed_again(
    iodyno_says: CommandLine, bench: Bench, place: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without it, the command that is said to go on would be refused; the identity is typed again."""
    (file := place / "mine").write_bytes(bytes(1 << 16))
    bench.interrupt_at = 2
    words = ("measure", str(file), *SMALL, "--write-existing", "--identity=123")
    monkeypatch.setattr("sys.argv", ["iodyno", *words])
    said = iodyno_says(*words)
    assert said.code == 130
    run = stored_in(tmp_path).run.id
    hint = said.err.splitlines()[-1]
    assert hint == f"hint: `iodyno measure --resume {run} --write-existing --identity …` goes on"


def test_ctrl_c_keeps_what_is_finished_and_resume_goes_on(
    iodyno_says: CommandLine, bench: Bench, place: Path, tmp_path: Path
) -> None:
    bench.interrupt_at = 2
    said = iodyno_says("measure", place, *SMALL)
    before = stored_in(tmp_path)
    assert said.code == 130
    assert said.err == (
        f"interrupted: 2 of 4 points are kept in run {before.run.id}\n"
        f"hint: `iodyno measure --resume {before.run.id}` goes on\n"
    )
    assert before.run.status == "interrupted"
    assert list(place.iterdir()) == []

    bench.interrupt_at = None
    said = iodyno_says("measure", "--resume", before.run.id)
    after = stored_in(tmp_path)
    assert (said.code, said.err) == (0, "")
    assert bench.measured == [0, 1, 2, 3]
    assert after.run.plan == before.run.plan
    assert after.results[:2] == before.results
    assert after.run.status == "finished"
    assert len(bench.filled) == 2
    assert list(place.iterdir()) == []


def test_a_run_whose_file_was_kept_is_resumed_on_it(
    iodyno_says: CommandLine, bench: Bench, place: Path
) -> None:
    bench.interrupt_at = 2
    assert iodyno_says("measure", place, *SMALL, "--keep").code == 130
    assert [path.name for path in place.iterdir()] == ["iodyno.data"]
    bench.interrupt_at = None
    said = iodyno_says("measure", "--resume", "latest")
    assert (said.code, said.err) == (0, "")
    assert bench.measured == [0, 1, 2, 3]
    assert [path.name for path in place.iterdir()] == ["iodyno.data"]


def test_nothing_is_left_to_resume(iodyno_says: CommandLine, bench: Bench, place: Path) -> None:
    iodyno_says("measure", place, *SMALL)
    said = iodyno_says("measure", "--resume", "latest")
    assert said.code == 2
    assert "nothing is left to measure" in said.err
    assert len(bench.measured) == 4
    assert list(place.iterdir()) == []


def test_that_nothing_is_left_is_told_before_what_is_missing(
    iodyno_says: CommandLine, bench: Bench, place: Path
) -> None:
    """Of a finished run whose target was gone since, the missing target was told."""
    file = place / "data"
    file.write_bytes(b"mine" * 16384)
    reads = ("--quick", "--profile", "streaming", "--outstanding", "1", "--buffered")
    assert iodyno_says("measure", file, *reads).code == 0
    file.unlink()
    place.rmdir()
    said = iodyno_says("measure", "--resume", "latest")
    assert said.code == 2
    assert "every point of the run is there: nothing is left to measure" in said.err
    assert str(place) not in said.err


def test_resume_refuses_a_file_of_somebody_else_in_the_place(
    iodyno_says: CommandLine, bench: Bench, place: Path
) -> None:
    bench.interrupt_at = 1
    iodyno_says("measure", place, *SMALL)
    (place / "iodyno.data").write_bytes(b"mine" * 16384)
    said = iodyno_says("measure", "--resume", "latest")
    assert said.code == 2
    assert (place / "iodyno.data").read_bytes() == b"mine" * 16384


def test_resume_does_not_take_a_file_of_somebody_else_even_if_it_may_be_written(
    iodyno_says: CommandLine, bench: Bench, place: Path
) -> None:
    bench.interrupt_at = 1
    iodyno_says("measure", place, *SMALL)
    (place / "iodyno.data").write_bytes(b"mine" * 16384)
    said = iodyno_says("measure", "--resume", "latest", "--write-existing")
    assert said.code == 2
    assert "a file that iodyno did not make" in said.err
    assert (place / "iodyno.data").read_bytes() == b"mine" * 16384


def test_resume_refuses_a_target_of_another_size(iodyno_says: CommandLine, bench: Bench, place: Path) -> None:
    (place / "data").write_bytes(b"mine" * 16384)
    bench.interrupt_at = 1
    said = iodyno_says("measure", place / "data", *SMALL, "--profile", "streaming")
    assert said.code == 2, "the database profile writes"
    reads = ("--quick", "--profile", "streaming", "--outstanding", "1,2", "--buffered")
    assert iodyno_says("measure", place / "data", *reads).code == 130
    (place / "data").write_bytes(b"mine" * 32768)
    said = iodyno_says("measure", "--resume", "latest")
    assert said.code == 2
    assert "is not what it was" in said.err


def test_a_bug_ends_the_run_as_failed(
    iodyno_says: CommandLine, bench: Bench, place: Path, tmp_path: Path
) -> None:
    bench.fail_at = 1
    with pytest.raises(RuntimeError, match="it broke"):
        iodyno_says("measure", place, *SMALL)
    stored = stored_in(tmp_path)
    assert (stored.run.status, len(stored.results)) == ("failed", 1)
    assert list(place.iterdir()) == []


@pytest.mark.parametrize("store_fails", [False, True])
def test_a_failure_says_what_is_kept_and_how_to_go_on(
    iodyno_says: CommandLine,
    bench: Bench,
    place: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    store_fails: bool,
) -> None:
    def fail(*_: object) -> None:
        raise StoreError.of("runs.db", "cannot be written: database or disk is full")

    def break_off(result: PointResult) -> PointResult:
        if result.point.index == 2:
            raise EngineError.of("", "the engine has gone")
        return result

    bench.change = break_off
    if store_fails:
        monkeypatch.setattr(Store, "finish", fail)
    said = iodyno_says("measure", place, *SMALL)
    run = stored_in(tmp_path).run
    assert said.code == 1
    assert said.err == (
        f"failed: 2 of 4 points are kept in run {run.id}\n"
        f"hint: `iodyno measure --resume {run.id}` goes on\n"
        "error: the engine has gone\n"
    )


@pytest.mark.parametrize(
    ("each", "points", "told"),
    [
        (3, (), "12 I/Os"),
        (1000, (), "4,000 I/Os"),
        (1, ("--outstanding", "1"), "1 I/O"),
    ],
)
def test_io_errors_are_data_and_end_with_1(
    iodyno_says: CommandLine, bench: Bench, place: Path, tmp_path: Path, each: int, points: tuple[str, ...],
    told: str,
) -> None:  # fmt: skip
    def with_error(result: PointResult) -> PointResult:
        error = IoError(errno=5, name="EIO", count=each, first_offset_bytes=4096)
        reads = Direction.model_validate({**result.reading.reads.model_dump(), "errors": [error]})
        return result.model_copy(update={"reading": result.reading.model_copy(update={"reads": reads})})

    bench.change = with_error
    said = iodyno_says("measure", place, *SMALL, *points)
    assert said.code == 1
    assert f"error: {told} failed or came back short" in said.err
    assert stored_in(tmp_path).run.status == "finished"


def test_of_one_point_what_is_kept_is_told_as_of_one(
    iodyno_says: CommandLine, bench: Bench, place: Path
) -> None:
    def break_off(_: PointResult) -> PointResult:
        raise EngineError.of("", "the engine has gone")

    bench.change = break_off
    said = iodyno_says("measure", place, *SMALL, "--outstanding", "1")
    assert said.err.startswith("failed: 0 of 1 point is kept in run ")


def test_papers_are_written_when_the_run_is_done(
    iodyno_says: CommandLine, bench: Bench, place: Path, tmp_path: Path
) -> None:
    paper = tmp_path / "paper.html"
    said = iodyno_says("measure", place, *SMALL, "-o", paper)
    assert said.code == 0
    assert f"wrote {paper}" in said.out
    assert paper.read_text().lower().startswith("<!doctype html>")
    assert bench.measured


def test_a_bad_report_is_refused_before_anything_is_done(
    iodyno_says: CommandLine, bench: Bench, place: Path, tmp_path: Path
) -> None:
    said = iodyno_says("measure", place, *SMALL, "-o", tmp_path / "paper.docx")
    assert said.code == 2
    assert not (tmp_path / "runs.db").exists()
    assert not bench.measured


def test_a_refused_target_leaves_nothing(
    iodyno_says: CommandLine, bench: Bench, place: Path, tmp_path: Path
) -> None:
    precious = place / "precious"
    precious.write_bytes(b"x" * 65536)
    said = iodyno_says("measure", precious, *SMALL)
    assert said.code == 2
    assert "--write-existing" in said.err
    assert precious.read_bytes() == b"x" * 65536
    assert not (tmp_path / "runs.db").exists()
    assert not bench.measured


def test_a_store_that_is_none_is_refused_before_anything_is_made(
    iodyno_says: CommandLine, bench: Bench, place: Path, tmp_path: Path
) -> None:
    other = tmp_path / "other.db"
    other.write_text("no database")
    said = iodyno_says("measure", place, *SMALL, "--store", other)
    assert said.code == 2
    assert other.read_text() == "no database"
    assert list(place.iterdir()) == []
    assert not bench.measured


def test_serials_can_be_left_out_of_the_command(
    iodyno_says: CommandLine, bench: Bench, place: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    arguments = ["measure", str(place), *SMALL, "--identity", "S4EVNX0M123456", "--no-serials"]
    monkeypatch.setattr("sys.argv", ["iodyno", *arguments])
    assert iodyno_says(*arguments).code == 0
    command = stored_in(tmp_path).run.command
    assert "--identity" in command
    assert "S4EVNX0M123456" not in command
    assert bench.measured


def test_what_names_a_device_is_left_out_of_a_path_by_id_too(monkeypatch: pytest.MonkeyPatch) -> None:
    """`/dev/disk/by-id/nvme-…_SERIAL` of a run that only reads stood in its command."""
    target = Target(path="/dev/nvme0n1", asked="", kind="device", size_bytes=512_000, serial="S3X 12",
                    wwn="eui.0025385b61b0")  # fmt: skip
    words = ["measure", "/dev/disk/by-id/nvme-Drive_S3X_12", "/dev/disk/by-id/nvme-eui.0025385b61b0"]
    monkeypatch.setattr("sys.argv", ["iodyno", *words])
    left = around.command_line(measuring._names_of(Permissions(), (target,)))
    shown = ("/dev/disk/by-id/nvme-Drive_left-out", "/dev/disk/by-id/nvme-eui.left-out")
    assert left == ("iodyno", "measure", *shown)
