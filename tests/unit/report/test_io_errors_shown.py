"""I/Os that failed: by which name, how often and where first, in terminal and paper."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from command_line import CommandLine
from factories import (
    at_once,
    make_observation,
    make_plan,
    make_point,
    make_reading,
    make_result,
    make_run,
    on_two_targets,
)
from iodyno.reading import Cause, Direction, IoError, PointResult, Reading
from iodyno.report.messages import Messages
from iodyno.report.sentences.causes import details
from iodyno.store import Store
from iodyno.verdict import describe, judge

EIO = IoError(errno=5, name="EIO", count=1200, first_offset_bytes=1_048_576)
SHORT = IoError(errno=0, name="SHORT", count=1, first_offset_bytes=8192)


def with_errors(direction: Direction, *errors: IoError) -> Direction:
    return direction.model_copy(update={"errors": errors})


def failed(point_changes: dict[str, Any] | None = None, **directions: Direction) -> PointResult:
    point = make_point("database", 8, **(point_changes or {}))
    reading = make_reading(point)
    changes = {
        "reads": with_errors(reading.reads, EIO, SHORT),
        "writes": with_errors(reading.writes, EIO),
    } | directions
    return make_result(point, reading=reading.model_copy(update=changes))


def shown(iodyno_says: CommandLine, tmp_path: Path, *results: PointResult) -> list[list[str]]:
    """Give the words of each row of the table."""
    plan = make_plan().model_copy(update={"points": tuple(result.point for result in results)})
    with Store.open(tmp_path / "runs.db") as store:
        run = make_run(plan)
        store.create_run(run)
        for result in results:
            store.add(run.id, result)
        store.finish(run.id, "finished")
    said = iodyno_says("show", run.id)
    assert said.code == 0
    _, _, table = said.out.partition("I/Os that failed or came back short\nat")
    return [line.split() for line in table.splitlines()[1:]]


def test_each_kind_is_shown_with_its_count_and_its_first_offset(
    iodyno_says: CommandLine, tmp_path: Path
) -> None:
    syncs = with_errors(Direction(), IoError(errno=28, name="ENOSPC", count=2, first_offset_bytes=0))
    rows = shown(iodyno_says, tmp_path, failed(syncs=syncs))
    assert [row[-5:-1] for row in rows] == [
        ["reads", "EIO", "1,200", "1,048,576"],
        ["reads", "SHORT", "1", "8,192"],
        ["writes", "EIO", "1,200", "1,048,576"],
        ["syncs", "ENOSPC", "2", "–"],
    ]
    assert all(row[:4] == ["point", "0,", "Database,", "8"] for row in rows)
    assert all(row[-1] == "/data/iodyno.dat" for row in rows)


def test_where_all_was_well_nothing_is_shown(iodyno_says: CommandLine, tmp_path: Path) -> None:
    assert shown(iodyno_says, tmp_path, make_result(make_point("database", 8))) == []


def test_of_several_targets_each_has_its_own(iodyno_says: CommandLine, tmp_path: Path) -> None:
    result = on_two_targets()
    first, second = result.reading.per_target
    assert second.split
    split = second.split.model_copy(update={"reads": with_errors(second.split.reads, EIO)})
    reading = result.reading.model_copy(
        update={
            "per_target": (first, second.model_copy(update={"split": split})),
            "reads": with_errors(result.reading.reads, EIO),
        }
    )
    (row,) = shown(iodyno_says, tmp_path, result.model_copy(update={"reading": reading}))
    assert row[-5:] == ["reads", "EIO", "1,200", "1,048,576", result.point.targets[1].path]


def test_of_several_loads_the_one_is_named(iodyno_says: CommandLine, tmp_path: Path) -> None:
    result = at_once()
    first, second, third = result.reading.loads
    loads = (first, second.model_copy(update={"reads": with_errors(second.reads, EIO)}), third)
    whole = {"loads": loads, "reads": with_errors(result.reading.reads, EIO)}
    reading = result.reading.model_copy(update=whole)
    (row,) = shown(iodyno_says, tmp_path, result.model_copy(update={"reading": reading}))
    assert "Streaming," in row
    assert row[-5:] == ["reads", "EIO", "1,200", "1,048,576", "/log"]


def test_the_verdict_counts_each_name() -> None:
    result = failed()
    reading: Reading = result.reading
    found = judge(result.point, reading, make_observation(reading), contents="written", optimised=True).causes
    assert found == (Cause(code="io_errors", values={"errors": 2401, "kinds": "EIO: 2400, SHORT: 1"}),)
    assert describe(found[0]) == "I/Os failed or came back short (EIO: 2,400, SHORT: 1)"
    assert details(Messages("de"), found[0]) == "EIO: 2.400, SHORT: 1"


def test_counts_of_a_verdict_have_their_thousands_apart() -> None:
    waited = Cause(code="waited", values={"waited": 1361, "writes": 26983})
    assert describe(waited).endswith(" (1,361 of 26,983)")
    missed = {"asked_io_s": 20_000.0, "rate_io_s": 19_000.0}
    many, one = (Cause(code="overload", values={**missed, "backlog": count}) for count in (17_408, 1))
    assert describe(many).endswith(", backlog 17,408 I/Os)")
    assert describe(one).endswith(", backlog 1 I/O)")
