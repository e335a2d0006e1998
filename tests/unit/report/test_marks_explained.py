"""Every mark of a paper is explained where it stands: under its table, or in the caption of its figure."""

from __future__ import annotations

import re

import pytest

from command_line import CommandLine
from factories import make_stored_run
from iodyno.reading import PointResult, State
from iodyno.report import paper
from iodyno.report.document import BarChart, Block, Document, Figure, Table
from iodyno.report.messages import Messages, plain
from iodyno.store import Store
from iodyno.store.records import StoredRun

MEANT = {"*": "capped", "†": "not steady", "‡": "disturbed"}


def judged(low: State, high: State) -> StoredRun:
    """Make a run whose points have one state at the lowest load, and another above."""

    def change(result: PointResult) -> PointResult:
        state = high if result.point.outstanding > 1 else low
        return result.model_copy(update={"verdict": result.verdict.model_copy(update={"state": state})})

    return make_stored_run(profiles=("database",), intensities=(1, 4), change=change)


def marks_in(texts: list[str]) -> set[str]:
    """Give the marks behind figures; beside the name of its verdict a mark needs no explanation."""
    return {mark for text in texts for mark in re.findall(r"[\w)]([*†‡])", text)}


def bars(block: Figure) -> list[str]:
    return [
        bar.label
        for chart in block.charts
        if isinstance(chart, BarChart)
        for _, row in chart.rows
        for bar in row
    ]


def unexplained(document: Document) -> list[str]:
    """Name the tables and figures whose marks are not explained exactly, in English."""

    def wrong(block: Block) -> bool:
        if isinstance(block, Table):
            shown = marks_in([plain(cell.text) for row in block.rows for cell in row])
            told = " ".join(map(plain, block.notes))
        elif isinstance(block, Figure):
            shown, told = marks_in(bars(block)), block.caption
        else:
            return False
        return {mark for mark, name in MEANT.items() if f"{mark} {name}" in told} != shown

    return [block.key for block in document.blocks if isinstance(block, Table | Figure) if wrong(block)]


@pytest.mark.parametrize(
    ("low", "high"),
    [("steady", "steady"), ("capped", "steady"), ("steady", "not_steady"), ("disturbed", "capped")],
)
def test_a_measured_run_and_one_beside_it(low: State, high: State) -> None:
    """Under the tables of a comparison, and of percentiles, stood nothing of the marks in them."""
    other = judged(high, "steady")
    other = other.model_copy(update={"run": other.run.model_copy(update={"id": "20261122-101010-bbbb"})})
    document = paper.build(judged(low, high), beside=(other,))
    keys = [block.key for block in document.blocks if isinstance(block, Table)]
    assert {"table-comparison-0-0", "table-latency", "table-maxima"} <= set(keys)
    assert unexplained(document) == []


def test_a_simulated_run_of_many_systems(iodyno_says: CommandLine) -> None:
    """Nor under the lowest loads of many systems, the maxima of a section, and beside bars."""
    said = iodyno_says("simulate", "raid-controllers", "--sweep", "four-drives", "--floor-ios", "200",
                       "--cap-ios", "200", "--precision", "1%")  # fmt: skip
    assert said.code == 0, said.err
    with Store.open() as store:
        document = paper.build(store.load("latest"))
    marked = [b.key for b in document.blocks if isinstance(b, Figure) and marks_in(bars(b))]
    assert any(key.startswith("figure-matrix") for key in marked)
    assert unexplained(document) == []


@pytest.mark.parametrize(
    ("language", "said"), [("de", "* begrenzt"), ("ja", "* 打ち切り"), ("en", "* capped")]
)
def test_captions_explain_marks_in_each_language(language: str, said: str) -> None:
    document = paper.build_with(judged("steady", "capped"), Messages(language))
    [figure] = [b for b in document.blocks if isinstance(b, Figure) and b.key == "figure-maxima"]
    assert said in figure.caption
