"""Nothing is concluded from points that were disturbed: neither what limited them nor what to choose."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

from factories import make_result, make_stored_run
from iodyno.analysis.figures import PointFigures
from iodyno.analysis.run import CurveAnalysis, analyse
from iodyno.analysis.things import Described
from iodyno.reading import Cause, PointResult, State
from iodyno.report import paper
from iodyno.report.document import Table
from iodyno.report.messages import Messages
from iodyno.report.sentences.practice import practice
from iodyno.store.records import StoredRun
from unit.report.test_enough import concluded, run_of
from unit.report.test_pairs import SYSTEMS
from unit.report.test_side_by_side import of_sweep

RATES = {1: 10_000.0, 2: 20_000.0, 4: 40_000.0, 8: 60_000.0, 16: 60_100.0, 32: 60_200.0}
"""Rates in IO/s by outstanding I/Os: the knee and saturation are at 8."""


def of_state(state: State) -> StoredRun:
    def judged(result: PointResult) -> PointResult:
        rate = RATES[result.point.outstanding]
        return make_result(result.point, rate_io_s=rate, half_width=0.005, state=state)

    return make_stored_run(profiles=("database",), intensities=tuple(RATES), change=judged)


def disturbed(item: CurveAnalysis) -> CurveAnalysis:
    def at(point: PointFigures) -> PointFigures:
        return dataclasses.replace(point, verdict=point.verdict.model_copy(update={"state": "disturbed"}))

    points = tuple(map(at, item.curve.points))
    return dataclasses.replace(
        item,
        curve=dataclasses.replace(item.curve, points=points),
        maximum=dataclasses.replace(item.maximum, at=at(item.maximum.at)),
    )


def advised(items: Sequence[CurveAnalysis], words: str, systems: dict[str, Described] | None = None) -> bool:
    return any(words in text for text in practice(Messages("en"), items, systems))


def test_no_system_is_chosen_where_another_was_disturbed() -> None:
    best, other = of_sweep([100, 325], "four", "p4"), of_sweep([100], "one", "p1")
    assert advised([best, other], "choose p4")
    assert not advised([best, disturbed(other)], "choose")
    assert not advised([disturbed(best), other], "choose")


def test_no_change_is_told_of_pairs_one_of_which_was_disturbed() -> None:
    """The gain is told of two pairs at the least."""
    rates = {"a5": 100, "a0": 300, "b5": 100, "b0": 200}
    items = [of_sweep([rate], "levels", name) for name, rate in rates.items()]
    assert advised(items, "RAID 0 instead of RAID 5", SYSTEMS)
    assert not advised([*items[:3], disturbed(items[3])], "instead of RAID 5", SYSTEMS)


def test_no_load_is_advised_of_a_curve_that_was_disturbed() -> None:
    states: dict[State, bool] = {"steady": True, "disturbed": False}
    for state, told in states.items():
        items = analyse(of_state(state)).curves
        assert advised(items, "more mainly waits") is told
        assert advised(items, "the best balance is") is told


def test_from_how_many_workers_on_more_brings_little_is_not_told_of_a_disturbed_curve() -> None:
    stored = run_of({1: 100_000.0, 2: 200_000.0, 4: 201_000.0})
    assert "Workers" in concluded(stored)
    results = tuple(
        result.model_copy(update={"verdict": result.verdict.model_copy(update={"state": "disturbed"})})
        for result in stored.results
    )
    assert "Workers" not in concluded(stored.model_copy(update={"results": results}))


def test_of_disturbed_points_no_limit_is_told() -> None:
    """It was the host at 2 of 2 points, and "at least this much"."""

    def disturb(result: PointResult) -> PointResult:
        state = "disturbed" if result.point.outstanding == 2 else result.verdict.state
        verdict = result.verdict.model_copy(update={"notes": (Cause(code="host_busy"),), "state": state})
        return result.model_copy(update={"verdict": verdict})

    document = paper.build(make_stored_run(profiles=("database",), intensities=(1, 2), change=disturb))
    assert "At 1 of 2 points the host was the limit, not the storage." in str(document.title_page.remark)
    words = str(document.blocks)
    assert "The host was the limit at 1 outstanding I/O: what" in words
    [table] = [
        block
        for block in document.blocks
        if isinstance(block, Table) and block.key.startswith("table-limits")
    ]
    assert [(cell.text, cell.tone) for cell in table.rows[0][1:]] == [
        ("host", "warning"),
        ("host‡", "warning"),
    ]
    assert table.notes == ("‡ disturbed.",)
