"""Curves of unlike numbers of targets: compared where as many I/Os are outstanding in all, or not at all."""

from __future__ import annotations

import itertools
from functools import cache

from factories import make_plan, make_point, make_result, make_run, make_target
from iodyno.analysis.common_load import common_totals, lowest_common, unlike_loads
from iodyno.analysis.layout import Group
from iodyno.analysis.run import CurveAnalysis, analyse
from iodyno.plan import Point
from iodyno.report.context import Context
from iodyno.report.document import Figure, LineChart, Table
from iodyno.report.messages import Messages, plain
from iodyno.report.sections.side_by_side import blocks
from iodyno.report.sentences.side_by_side import at_lowest_load
from iodyno.store.records import StoredRun

LOADS = (1, 2, 3, 4, 8)
ENGLISH = Messages("en")


@cache
def stored(counts: tuple[int, ...], loads: tuple[int, ...] = LOADS) -> StoredRun:
    """Give a run on numbers of targets that all serve 1,000 IO/s for each I/O that is outstanding in all."""
    pairs = [(count, load) for count in counts for load in loads]
    points = [
        make_point(
            outstanding=load, index=index, targets=[make_target(f"/data/{count}-{n}") for n in range(count)]
        )
        for index, (count, load) in enumerate(pairs)
    ]
    results = tuple(
        make_result(point, rate_io_s=1000.0 * point.outstanding_total, half_width=0.001) for point in points
    )
    plan = make_plan().model_copy(update={"points": tuple(points)})
    return StoredRun(run=make_run(plan, status="finished"), results=results)


def curves(*counts: int) -> tuple[CurveAnalysis, ...]:
    return analyse(stored(counts)).curves


def name(item: CurveAnalysis) -> str:
    return f"{len(item.curve.first.targets)} targets"


def test_points_are_compared_where_as_many_are_outstanding_in_all() -> None:
    found = [item.curve for item in curves(1, 4)]
    assert unlike_loads(found)
    # One target has 1, 2, 3, 4 and 8 in all; four have 4, 8, 12, 16 and 32.
    assert common_totals(found) == (4, 8)
    assert [at.outstanding for at in lowest_common(found)] == [4, 1]


def test_all_reach_one_figure_only_where_it_is_written_so_for_all() -> None:
    """36,510 was said of all, of which three had 36,470 in the table: to three digits both are 36,500."""
    rates = {"/data/a": 36_510.0, "/data/b": 36_470.0}
    points = [
        make_point(outstanding=load, index=index, targets=[make_target(path)])
        for index, (path, load) in enumerate((path, load) for path in rates for load in (1, 2))
    ]
    results = tuple(
        make_result(point, rate_io_s=rates[point.targets[0].path], half_width=0.001) for point in points
    )
    plan = make_plan().model_copy(update={"points": tuple(points)})
    found = analyse(StoredRun(run=make_run(plan, status="finished"), results=results)).curves
    said = at_lowest_load(ENGLISH, found, name)
    assert "all reach" not in said
    assert "36,470 to 36,510 IO/s" in said


def test_a_sentence_on_the_lowest_load_compares_equal_loads_and_says_which() -> None:
    said = at_lowest_load(ENGLISH, curves(1, 4), name)
    assert "4 outstanding I/Os in all" in said
    assert "all reach 4,000 IO/s" in said
    # With as many targets nothing has to be said of it.
    alike = [analyse(stored((2,), loads)).curves[0] for loads in ((1, 2), (1, 3))]
    assert "in all" not in at_lowest_load(ENGLISH, alike, name)


def test_nothing_is_said_where_no_load_is_common() -> None:
    one, other = analyse(stored((1,), (1, 3))).curves[0], analyse(stored((2,), (1, 2))).curves[0]
    assert common_totals([one.curve, other.curve]) == ()
    assert at_lowest_load(ENGLISH, (one, other), name) == ""


def test_chart_and_table_have_the_outstanding_ios_of_all_targets() -> None:
    run = stored((1, 4))
    context = Context(run, analyse(run), ENGLISH)
    _, _, figure, table = blocks(context, Group("profile", context.analysis.curves), 3)
    assert isinstance(figure, Figure)
    for chart in figure.charts:
        assert isinstance(chart, LineChart)
        assert "in all" in chart.x.label
        assert [[point.x for point in line.points] for line in chart.lines] == [
            [1, 2, 3, 4, 8],
            [4, 8, 12, 16, 32],
        ]
    assert isinstance(table, Table)
    # The lowest load of each, with what it is.
    assert [plain(row[1].text) for row in table.rows] == ["1,000 (1)", "4,000 (4)"]
    at = next(place for place, column in enumerate(table.columns) if "outstanding" in column.title)
    assert [plain(row[at].text) for row in table.rows] == ["8", "32"]
    notes = " ".join(plain(note) for note in table.notes)
    assert "all targets and workers together" in notes
    assert "in brackets how many I/Os are outstanding in all" in notes


def test_open_loops_are_compared_at_the_lowest_rate_where_they_may_have_as_many_outstanding() -> None:
    def opened(name: str, rates: tuple[float, ...], most: int) -> list[Point]:
        return [
            make_point(outstanding=most, rate_io_s=rate, targets=[make_target(f"/data/{name}")])
            for rate in rates
        ]

    def lowest(*of: list[Point]) -> list[tuple[str, float | None]]:
        points = [point.model_copy(update={"index": at}) for at, point in enumerate(itertools.chain(*of))]
        results = tuple(make_result(point, rate_io_s=point.rate_io_s, latency_ms=1.0) for point in points)
        plan = make_plan().model_copy(update={"points": tuple(points)})
        found = analyse(StoredRun(run=make_run(plan, status="finished"), results=results)).curves
        assert all([at.point.rate_io_s for at in item.curve.points] == [500, 1000] for item in found[:1])
        common = lowest_common([item.curve for item in found])
        return [(at.point.targets[0].path, at.point.rate_io_s) for at in common]

    # The rates in any order: a curve has its points by what they are asked.
    assert lowest(opened("a", (1000, 500), 64), opened("b", (500, 1000), 64)) == [
        ("/data/a", 500), ("/data/b", 500)
    ]  # fmt: skip
    assert lowest(opened("a", (1000, 500), 64), opened("b", (500, 1000), 128)) == []
    assert lowest(opened("a", (1000, 500), 64), opened("b", (750, 1000), 64)) == []
