"""Points at the cap that are less precise than asked: what helps, and that they are no maximum, is said."""

from __future__ import annotations

from pathlib import Path

import pytest

from command_line import Bench, CommandLine
from factories import make_result
from iodyno.reading import PointResult
from iodyno.report import paper
from iodyno.store.records import StoredRun
from paper_texts import tables
from simulated_papers import many

RATES = {1: 500.0, 64: 853.0, 512: 1055.0}
MEASURED = ("--quick", "--size", "64k", "--profile", "database", "--outstanding", "1,64,512", "--buffered")
SIMULATED = ("simulate", "quick", "--on", "p3700", "--profile", "database", "--outstanding", "1,64,512")
CAPPED = "1 point ended at the cap, less precise than asked: a larger {option} makes it more precise"
HIGHER = (
    "1 point is higher and does not count as a maximum: its interval is wider than ±25%, or it has none; a "
    "larger {option} makes it narrower"
)


def wide_at_the_end(result: PointResult) -> PointResult:
    """Give a curve that is highest at 512 outstanding, where it is known to ±35 % at the cap."""
    point, last = result.point, result.point.outstanding == 512
    return make_result(
        point, rate_io_s=RATES[point.outstanding], half_width=0.35 if last else 0.005,
        stopped="cap" if last else "precise", engine=result.reading.engine,
        simulation=result.reading.simulation, observation=result.observation if point.simulated else None,
    )  # fmt: skip


@pytest.mark.parametrize(("command", "option"), [("measure", "--cap"), ("simulate", "--cap-ios")])
def test_the_terminal_says_what_is_no_maximum_and_what_helps(
    iodyno_says: CommandLine, bench: Bench, tmp_path: Path, command: str, option: str
) -> None:
    bench.change = wide_at_the_end
    words = SIMULATED if command == "simulate" else (command, tmp_path, *MEASURED)
    for said in (iodyno_says(*words), iodyno_says("show")):
        assert said.code == 0
        assert CAPPED.format(option=option) in " ".join(said.out.split())
        assert HIGHER.format(option=option) in " ".join(said.out.split())


def test_the_terminal_counts_only_what_reads_higher(
    iodyno_says: CommandLine, bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    """18,240 IO/s known to within 35 % are 18,000 in print, as the 18,010 of the maximum are."""
    monkeypatch.setitem(RATES, 64, 18_010.0)
    monkeypatch.setitem(RATES, 512, 18_240.0)
    bench.change = wide_at_the_end
    for said in (iodyno_says(*SIMULATED), iodyno_says("show")):
        assert said.code == 0
        assert CAPPED.format(option="--cap-ios") in " ".join(said.out.split())
        assert "higher" not in said.out


def test_nothing_is_said_where_all_points_are_precise(iodyno_says: CommandLine, bench: Bench) -> None:
    for said in (iodyno_says(*SIMULATED), iodyno_says("show")):
        assert said.code == 0
        assert "--cap" not in said.out
        assert "does not count" not in said.out
    assert bench.measured


def widened(stored: StoredRun, rates: tuple[float, float] = (500.0, 600.0), width: float = 0.35) -> StoredRun:
    """Make the higher of two loads on the first two systems one that is hardly known."""
    chosen = list(stored.run.plan.systems)[:2]
    results = [
        make_result(
            result.point, rate_io_s=rates[result.point.outstanding == 16],
            half_width=width if result.point.outstanding == 16 else 0.005, engine=result.reading.engine,
            simulation=result.reading.simulation, observation=result.observation,
        )
        if result.point.system in chosen
        else result
        for result in stored.results
    ]  # fmt: skip
    return stored.model_copy(update={"results": tuple(results)})


THREE = '"database", "file-server", "random-read-4k"'


@pytest.mark.parametrize(
    ("systems", "profiles", "key"),
    [(13, '"database"', "table-maxima"), (5, THREE, "table-side")],
    ids=["matrix", "side by side"],
)
@pytest.mark.parametrize(
    ("language", "said"),
    [("en", "2 points are higher and do not count"), ("de", "2 Punkte sind höher"), ("ja", "2 個の")],
)
def test_tables_of_maxima_count_what_is_higher_and_none(
    systems: int, profiles: str, key: str, language: str, said: str
) -> None:
    document = paper.build(widened(many(systems, profiles)), language)
    found = tables(document, key)
    notes = [[str(note) for note in table.notes if said in str(note)] for table in found]
    assert notes == [[note] for (note,) in notes]
    assert all("--cap-ios" in note and "25" in note for (note,) in notes)
    assert found


@pytest.mark.parametrize(
    ("systems", "profiles"), [(13, '"database"'), (5, THREE)], ids=["matrix", "side by side"]
)
def test_tables_of_maxima_count_only_what_reads_higher(systems: int, profiles: str) -> None:
    """18,240 IO/s known to within 83% are 18,000 in print, as the maximum is: nothing there is higher."""
    stored = many(systems, profiles)
    for rates, width, counted in (((18_010.0, 18_240.0), 0.83, False), ((18_010.0, 29_000.0), 0.83, True)):
        found = tables(paper.build(widened(stored, rates, width)), "table-")
        notes = [str(note) for table in found for note in table.notes]
        assert any("not count as maxima" in note for note in notes) == counted
