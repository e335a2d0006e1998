"""A run that ended before it had all loads of a curve: that has no maximum, and nothing follows from one."""

from __future__ import annotations

import pytest

from factories import make_run
from iodyno import bench
from iodyno.analysis.against import against
from iodyno.analysis.run import analyse
from iodyno.report import paper
from iodyno.report.document import Document, Paragraph, Table
from iodyno.report.messages import plain
from iodyno.store.records import StoredRun
from iodyno.study import parse_study, plan_simulation
from iodyno.study.systems import resolve
from iodyno.system.virtual import describe

STUDY = """
schema = 1
name = "early"
title = "Ended early"
[simulation]
warmup_ios = 500
floor_ios = 2000
cap_ios = 4000
[[configuration]]
name = "raid0-of-{count}"
title = "{count} drives"
system = "p3700"
changes = { count = "{count}", level = "0" }
each.count = [2, 4, 8]
[[sweep]]
name = "load"
profiles = ["random-write-4k"]
outstanding = [1, 8, 64]
workers = 1
chart = { layout = "LAYOUT" }
"""
LAST = 8
"""Drives of the curve that has its first load alone."""


def stopped(layout: str, *, whole: bool = False) -> StoredRun:
    """Give a run of which the last curve lacks all loads but the first."""
    study = parse_study(STUDY.replace("LAYOUT", layout))
    systems = {one.name: resolve(one) for one in study.configurations}
    plan = plan_simulation(study, systems)
    run = make_run(plan, system=describe(systems), simulated=True, status="interrupted",
                   command=("iodyno", "simulate", "early"))  # fmt: skip
    results = tuple(bench.simulate(plan, jobs=1))
    kept = [one for one in results if one.point.system != f"raid0-of-{LAST}" or one.point.outstanding == 1]
    return StoredRun(run=run, results=results if whole else tuple(kept))


def texts(document: Document) -> str:
    return " ".join(plain(block.text) for block in document.blocks if isinstance(block, Paragraph))


def test_a_curve_without_all_of_its_loads_is_told() -> None:
    assert [item.whole for item in analyse(stopped("matrix")).curves] == [True, True, False]
    assert all(item.whole for item in analyse(stopped("matrix", whole=True)).curves)


@pytest.mark.parametrize(("loads", "pairs"), [("each", 2), ("maximum", 1), ("1-64", 1)])
def test_neither_its_maximum_nor_a_range_is_set_against_others(loads: str, pairs: int) -> None:
    compare = {"title": "t", "of": ["raid0-of-[48]"], "to": "raid0-of-2", "loads": [loads]}
    assert len(against(analyse(stopped("matrix")).curves, compare)) == pairs
    assert len(against(analyse(stopped("matrix", whole=True)).curves, compare)) == 2


@pytest.mark.parametrize("layout", ["matrix", "together", "each"])
def test_a_paper_says_which_and_concludes_nothing_from_it(layout: str) -> None:
    document = paper.build(stopped(layout))
    tables = {block.key: block for block in document.blocks if isinstance(block, Table)}
    factors = tables["table-scaling-drives"]
    shown = [*(column.title for column in factors.columns), *(plain(cell.text) for cell in factors.rows[1])]
    assert not any(str(LAST) in text.split() for text in shown)
    notes = [
        text for table in tables.values() for text in map(plain, table.notes) if text.startswith("Not all")
    ]
    assert notes
    assert all(f"{LAST} drives" in note for note in notes)
    assert f"The lowest is that of {LAST} drives" not in texts(document)


@pytest.mark.parametrize(
    ("language", "says"),
    [
        ("en", "; 2 of 3 points are missing"),
        ("de", "; 2 von 3 Punkten fehlen"),
        ("ja", "；データ点 3 個中 2 個が欠落"),
    ],
)
def test_a_figure_of_the_first_page_says_that_points_are_missing(language: str, says: str) -> None:
    """The only point of three stood there as a maximum."""
    *maxima, latency = paper.build(stopped("matrix"), language).title_page.summary
    assert [remark.endswith(says) for _, _, remark in maxima] == [False, False, True]
    assert latency[2].endswith(says.replace("3", "9"))  # of all points: the least may be among them
    whole = paper.build(stopped("matrix", whole=True), language).title_page.summary
    assert not any(says[-5:] in remark for _, _, remark in whole)


def test_the_only_system_of_several_that_has_points_is_named() -> None:
    run = stopped("matrix")
    first = tuple(result for result in run.results if result.point.system == "raid0-of-2")
    summary = paper.build(StoredRun(run=run.run, results=first)).title_page.summary
    assert all("2 drives" in name for name, _, _ in summary)
