"""What is kept is listed, shown, compared, exported and printed."""

from __future__ import annotations

import csv
import io
import json
import re
from pathlib import Path

import pytest

from command_line import CommandLine
from factories import make_plan, make_result, make_run, make_stored_run
from iodyno.store import Store
from iodyno.store.records import StoredRun

FIRST, SECOND = "20260314-092653-4f2a", "20260315-101112-0b1c"


@pytest.fixture
def kept(iodyno_says: CommandLine, tmp_path: Path) -> list[StoredRun]:
    """Keep two runs, the second on a drive that is a tenth faster."""
    runs = [make_stored_run(run_id=FIRST), make_stored_run(run_id=SECOND, factor=1.1, varied=False)]
    with Store.open(tmp_path / "runs.db") as store:
        for stored in runs:
            started = f"2026-03-{stored.run.id[6:8]}T09:26:53+00:00"
            store.create_run(stored.run.model_copy(update={"started_at": started}))
            for result in stored.results:
                store.add(stored.run.id, result)
            store.finish(stored.run.id, "finished")
    return runs


def test_no_runs_yet(iodyno_says: CommandLine) -> None:
    said = iodyno_says("runs")
    assert (said.code, said.err) == (0, "")
    assert "no runs yet" in said.out
    assert json.loads(iodyno_says("runs", "--json").out) == []


@pytest.mark.usefixtures("kept")
def test_runs_are_listed_latest_first(iodyno_says: CommandLine) -> None:
    lines = iodyno_says("runs").out.splitlines()
    assert [line.split()[0] for line in lines[1:]] == [SECOND, FIRST]
    assert "50/50" in lines[1]
    assert [run["id"] for run in json.loads(iodyno_says("runs", "--json").out)] == [SECOND, FIRST]


@pytest.mark.usefixtures("kept")
def test_runs_are_removed_and_their_room_given_back(iodyno_says: CommandLine, tmp_path: Path) -> None:
    before = (tmp_path / "runs.db").stat().st_size
    said = iodyno_says("remove", "latest~1", "--yes")
    assert (said.code, said.out, said.err) == (0, f"removed {FIRST}\n", "")
    assert [run["id"] for run in json.loads(iodyno_says("runs", "--json").out)] == [SECOND]
    assert (tmp_path / "runs.db").stat().st_size < 0.7 * before
    # Of one run told twice there is one.
    said = iodyno_says("remove", SECOND, "latest", "-y")
    assert (said.code, said.out, said.err) == (0, f"removed {SECOND}\n", "")
    assert json.loads(iodyno_says("runs", "--json").out) == []


@pytest.mark.usefixtures("kept")
def test_where_one_run_cannot_be_removed_none_is(iodyno_says: CommandLine, tmp_path: Path) -> None:
    with Store.open(tmp_path / "runs.db") as writer:
        writer.create_run(make_run(run_id="20260316-000000-0000"))
        said = iodyno_says("remove", FIRST, "20260316", "1999", "latest~7", "--yes")
    assert said.code == 2
    for words in (
        "20260316: the run is still being written",
        "1999: there is no such run",
        "has only 3 runs",
    ):
        assert words in said.err
    assert len(json.loads(iodyno_says("runs", "--json").out)) == 3


@pytest.mark.usefixtures("kept")
@pytest.mark.parametrize(
    "words", [("compare", "1999", FIRST, "latest~7"), ("report", "1999", "--beside", "latest~7")]
)
def test_all_names_that_mean_no_run_are_told_together(
    iodyno_says: CommandLine, words: tuple[str, ...]
) -> None:
    said = iodyno_says(*words)
    assert (said.code, said.out) == (2, "")
    assert "1999: there is no such run" in said.err
    assert "latest~7: the store has only 2 runs" in said.err


@pytest.mark.usefixtures("kept")
def test_a_paper_that_cannot_be_is_told_with_the_run_that_is_none(iodyno_says: CommandLine) -> None:
    said = iodyno_says("report", "1999", "-o", "a.docx")
    assert (said.code, said.out) == (2, "")
    assert "1999: there is no such run" in said.err
    assert "a.docx: its format is not known" in said.err
    assert iodyno_says("report", "latest", "-o", "a.docx").err.startswith("error: a.docx")


@pytest.mark.usefixtures("kept")
def test_nothing_is_removed_where_nobody_can_be_asked_or_says_no(
    iodyno_says: CommandLine, monkeypatch: pytest.MonkeyPatch
) -> None:
    said = iodyno_says("remove", FIRST)
    assert said.code == 2
    assert "--yes" in said.err
    assert len(json.loads(iodyno_says("runs", "--json").out)) == 2
    monkeypatch.setattr("sys.stdin.isatty", lambda: True)
    monkeypatch.setattr("click.termui.visible_prompt_func", lambda _: "n")
    assert iodyno_says("remove", FIRST).out.endswith("nothing was removed\n")
    assert len(json.loads(iodyno_says("runs", "--json").out)) == 2


@pytest.mark.usefixtures("kept")
def test_ctrl_c_instead_of_an_answer_removes_nothing_and_says_so(
    iodyno_says: CommandLine, monkeypatch: pytest.MonkeyPatch
) -> None:
    """`interrupted: nothing was kept` is what nobody wants to read who was asked what to remove."""

    def ctrl_c(_: str) -> str:
        raise KeyboardInterrupt

    monkeypatch.setattr("sys.stdin.isatty", lambda: True)
    monkeypatch.setattr("click.termui.visible_prompt_func", ctrl_c)
    said = iodyno_says("remove", FIRST)
    assert (said.code, said.err) == (130, "\ninterrupted: nothing was removed\n")
    assert len(json.loads(iodyno_says("runs", "--json").out)) == 2


@pytest.mark.usefixtures("kept")
def test_an_answer_that_is_neither_yes_nor_no_is_asked_for_again(
    iodyno_says: CommandLine, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It was `Error: invalid input`, as nothing else here is told, and of nothing that could be written."""
    answers = iter(["perhaps", "YES"])
    monkeypatch.setattr("sys.stdin.isatty", lambda: True)
    monkeypatch.setattr("click.termui.visible_prompt_func", lambda _: next(answers))
    said = iodyno_says("remove", FIRST)
    assert (said.code, said.out.splitlines()[-1]) == (0, f"removed {FIRST}")
    assert said.err == 'error: "perhaps" is neither yes nor no\nhint: write y or n\n'


@pytest.mark.usefixtures("kept")
def test_show_has_every_point_with_interval_and_verdict(iodyno_says: CommandLine) -> None:
    said = iodyno_says("show", FIRST)
    assert said.code == 0
    assert said.out.count("±") >= 50
    for profile in ("File copy", "File server", "Database", "Streaming", "Restore"):
        assert f"{profile}: " in said.out
    assert "44 steady, 2 capped, 3 not steady, 1 disturbed" in said.out
    assert "disturbed: steal" in said.out
    assert "the hypervisor took CPU time away (1: 7.0%, limit 2.0%)" in said.out


def test_show_as_json_is_the_stored_run(iodyno_says: CommandLine, kept: list[StoredRun]) -> None:
    stored = StoredRun.model_validate_json(iodyno_says("show", FIRST, "--json").out)
    assert stored.results == kept[0].results


@pytest.mark.usefixtures("kept")
def test_the_run_is_the_latest_where_none_is_named(iodyno_says: CommandLine) -> None:
    assert iodyno_says("show").out == iodyno_says("show", SECOND).out
    assert iodyno_says("show", "latest~1").out == iodyno_says("show", "20260314").out


@pytest.mark.usefixtures("kept")
@pytest.mark.parametrize(
    ("runs", "limit", "code"),
    [
        ((SECOND, FIRST), "5%", 1),  # 1 ÷ 1.1 is 9 % less
        ((SECOND, FIRST), "15%", 0),
        ((FIRST, SECOND), "5%", 0),
        ((FIRST, FIRST), "0%", 0),
        ((FIRST, SECOND, FIRST), "0%", 0),
    ],
)
def test_the_exit_status_tells_whether_a_run_is_slower(
    iodyno_says: CommandLine, runs: tuple[str, ...], limit: str, code: int
) -> None:
    said = iodyno_says("compare", *runs, "--fail-if-slower", limit)
    assert said.code == code
    assert ("% slower at" in said.err and "is more than" in said.err) is bool(code)


@pytest.mark.usefixtures("kept")
def test_points_that_could_hide_a_loss_are_counted(iodyno_says: CommandLine) -> None:
    """Half-widths are 0.4 % and more: a loss of 0.1 % is shown by none of them."""
    said = iodyno_says("compare", FIRST, FIRST, "--fail-if-slower", "0.1%")
    count = json.loads(iodyno_says("compare", FIRST, FIRST, "--json").out)[0]["points"]
    assert said.code == 0
    assert f"note: {FIRST} may be 0.1% slower at {len(count)} of {len(count)} points: intervals" in said.err


@pytest.mark.usefixtures("kept")
def test_what_is_slowest_is_named_as_the_table_above_it(iodyno_says: CommandLine) -> None:
    said = iodyno_says("compare", SECOND, FIRST, "--fail-if-slower", "5%")
    (load, heading) = re.findall(
        r'most by 9\.\d% at (\d+) outstanding of "([^"]+)"', " ".join(said.err.split())
    )[0]
    lines = [" ".join(line.split()) for line in said.out.splitlines()]
    table = lines[lines.index(heading) + 1 :]
    assert any(line.startswith(f"{load} ") for line in table[: table.index("")])


def test_runs_of_different_methods_cannot_be_judged(iodyno_says: CommandLine, tmp_path: Path) -> None:
    first, second = make_stored_run(run_id=FIRST), make_stored_run(run_id=SECOND)
    moved = [
        result.model_copy(
            update={
                "point": result.point.model_copy(
                    update={
                        "targets": tuple(
                            target.model_copy(update={"area_length_bytes": 4096 * 1024})
                            for target in result.point.targets
                        )
                    }
                )
            }
        )
        for result in second.results
    ]
    plan = second.run.plan.model_copy(update={"points": tuple(result.point for result in moved)})
    with Store.open(tmp_path / "runs.db") as store:
        for run, results in (
            (first.run, first.results),
            (second.run.model_copy(update={"plan": plan}), moved),
        ):
            store.create_run(run)
            for result in results:
                store.add(run.id, result)
            store.finish(run.id, "finished")
    said = iodyno_says("compare", FIRST, SECOND, "--fail-if-slower", "5%")
    assert said.code == 2
    assert "the methods differ (area)" in said.err


def test_a_limit_that_is_no_share_is_refused(iodyno_says: CommandLine) -> None:
    assert iodyno_says("compare", FIRST, SECOND, "--fail-if-slower", "100%").code == 2


@pytest.mark.usefixtures("kept")
def test_compare_calls_a_tenth_faster(iodyno_says: CommandLine) -> None:
    said = iodyno_says("compare", FIRST, SECOND)
    assert said.code == 0
    assert said.out.startswith(f"{SECOND} beside {FIRST}")
    (comparison,) = json.loads(iodyno_says("compare", FIRST, SECOND, "--json").out)
    assert {point["outcome"] for point in comparison["points"]} >= {"faster"}
    assert comparison["points"][0]["ratio"]["value"] == pytest.approx(1.1, rel=0.01)


@pytest.mark.usefixtures("kept")
def test_a_run_beside_itself_shows_no_difference(iodyno_says: CommandLine) -> None:
    (comparison,) = json.loads(iodyno_says("compare", FIRST, FIRST, "--json").out)
    assert {point["outcome"] for point in comparison["points"]} == {"no difference shown"}


def test_show_has_the_response_time_of_an_open_loop_and_names_the_engine_that_differs(
    iodyno_says: CommandLine, tmp_path: Path
) -> None:
    plan = make_plan(("database",), (8,), rate_io_s=1000.0)
    (point,) = plan.points
    points = (point, point.model_copy(update={"index": 1, "engine": "sync"}))
    plan = plan.model_copy(update={"points": points})
    with Store.open(tmp_path / "runs.db") as store:
        store.create_run(make_run(plan, run_id=FIRST))
        for each in points:
            store.add(FIRST, make_result(each))
    said = iodyno_says("show", FIRST)
    assert (said.code, said.err) == (0, "")
    assert said.out.count("response time") == len(points)
    assert "engine sync\n" in said.out
    assert f"engine {point.engine}\n" in said.out


@pytest.mark.usefixtures("kept")
def test_a_run_beside_itself_is_said_to_be(iodyno_says: CommandLine) -> None:
    said = iodyno_says("compare", FIRST, FIRST)
    assert (said.code, said.err) == (0, f"note: run {FIRST} is compared with itself\n")
    assert iodyno_says("compare", FIRST, SECOND).err == ""


@pytest.mark.usefixtures("kept")
@pytest.mark.parametrize("width", [40, 60])
def test_the_id_of_a_run_is_never_folded(
    iodyno_says: CommandLine, monkeypatch: pytest.MonkeyPatch, width: int
) -> None:
    monkeypatch.setattr("iodyno.cli.console.WIDE", width)
    said = iodyno_says("runs")
    assert FIRST in said.out
    assert SECOND in said.out


def test_three_runs_give_two_comparisons(iodyno_says: CommandLine, kept: list[StoredRun]) -> None:
    assert len(json.loads(iodyno_says("compare", FIRST, SECOND, FIRST, "--json").out)) == len(kept)


@pytest.mark.usefixtures("kept")
def test_export_to_a_file_and_to_stdout(iodyno_says: CommandLine, tmp_path: Path) -> None:
    file = tmp_path / "points.csv"
    assert iodyno_says("export", FIRST, "-o", file).out == f"wrote {file}\n"
    rows = list(csv.DictReader(io.StringIO(file.read_text())))
    assert len(rows) == 50
    assert {row["run"] for row in rows} == {FIRST}
    assert len(list(tmp_path.glob(".*"))) == 0


@pytest.mark.usefixtures("kept")
def test_a_table_of_targets_without_rows_is_told(iodyno_says: CommandLine) -> None:
    """The head alone is a table too, for who reads it by program."""
    said = iodyno_says("export", FIRST, "-f", "csv", "--table", "targets")
    assert (said.code, len(said.out.splitlines())) == (0, 1)
    assert said.err == "each point has one target: no rows, --table points has its figures\n"
    assert iodyno_says("export", FIRST, "-f", "csv", "--table", "points").err == ""


@pytest.mark.usefixtures("kept")
def test_report_writes_what_the_name_says(iodyno_says: CommandLine, tmp_path: Path) -> None:
    html, pdf = tmp_path / "paper.html", tmp_path / "paper.PDF"
    said = iodyno_says("report", FIRST, "-o", html, "-o", pdf)
    assert (said.code, said.err) == (0, "")
    assert html.read_text().lower().startswith("<!doctype html>")
    assert pdf.read_bytes().startswith(b"%PDF-")


@pytest.mark.usefixtures("kept")
def test_report_names_files_after_the_run(
    iodyno_says: CommandLine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert iodyno_says("report").out.split() == [
        "wrote", f"iodyno-{SECOND}.html", "wrote", f"iodyno-{SECOND}.pdf",
    ]  # fmt: skip


@pytest.mark.usefixtures("kept")
@pytest.mark.parametrize(
    "arguments",
    [
        ["show", "2099"],
        ["show", "2026"],
        ["show", "latest~7"],
        ["show", "--store", "/dev/null"],
        ["report", "--language", "xx"],
        ["export", "-o", "/no/such/folder/a.csv"],
    ],
)
def test_what_cannot_be_found_is_an_error(iodyno_says: CommandLine, arguments: list[str]) -> None:
    said = iodyno_says(*arguments)
    assert (said.code, said.out) == (2, "")
    assert said.err.startswith("error: ")
    assert "hint: " in said.err


def test_a_file_is_written_whole_or_not_at_all(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from iodyno.cli.output import write_output
    from iodyno.errors import ReportError

    file = tmp_path / "paper.html"
    file.write_text("before")

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "replace", full)
    with pytest.raises(ReportError, match="no space left on device"):
        write_output(file, b"after")
    assert [path.name for path in tmp_path.iterdir()] == ["paper.html"]
    assert file.read_text() == "before"


def test_run_ids_are_completed(iodyno_says: CommandLine, kept: list[StoredRun]) -> None:
    from click.shell_completion import ShellComplete

    from iodyno.cli.commands import iodyno as command_line

    shell = ShellComplete(command_line, {}, "iodyno", "_IODYNO_COMPLETE")
    found = [item.value for item in shell.get_completions(["show"], "2026")]
    assert found == [stored.run.id for stored in reversed(kept)]
    assert [item.value for item in shell.get_completions(["report"], "la")] == ["latest"]


@pytest.mark.usefixtures("kept")
@pytest.mark.parametrize(
    ("kind", "name"), [("csv", "a.parquet"), ("parquet", "a.json"), ("fio-json", "a.csv")]
)
def test_a_file_is_in_the_format_that_its_name_says(
    iodyno_says: CommandLine, tmp_path: Path, kind: str, name: str
) -> None:
    said = iodyno_says("export", "--format", kind, "-o", tmp_path / name)
    assert (said.code, said.out) == (2, "")
    assert f"{name}: its name says {name[2:]}, and --format says {kind}" in said.err
    assert not (tmp_path / name).exists()
