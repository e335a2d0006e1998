"""The answer of a search is no maximum: nothing grows to it, and higher rates are served beside it."""

from __future__ import annotations

import math
from collections.abc import Sequence

import pytest

from factories import make_reading, make_result, make_run
from iodyno.analysis.run import CurveAnalysis, analyse
from iodyno.histogram import Histogram, bucket_bounds
from iodyno.plan import Point
from iodyno.rates import InTurn
from iodyno.reading import Cause, PointResult, Verdict
from iodyno.report import paper
from iodyno.report.document import Figure, Paragraph, Table
from iodyno.report.messages import Messages, plain
from iodyno.report.sentences.curve import rate_paragraph, unsteady
from iodyno.store.records import StoredRun
from iodyno.study import plan_study
from iodyno.study.load import parse_study
from iodyno.targets import Target

SERVED_IO_S = 10_000.0
"""Rate of a server whose response times are exponential: that of M/M/1."""
STUDY = """
name = "limit"
title = "A limit"
[[sweep]]
name = "search"
profiles = ["database"]
arrival = "poisson"
search = { percentile = "99%", limit = "2ms", resolution = "5%" }
"""
TARGET = Target(path="/made/up", asked="/made/up", kind="file", size_bytes=64 << 30)


def all_of(count: int, value_ns: float) -> Histogram:
    index = next(i for i in range(5000) if bucket_bounds(i)[1] > value_ns)
    value = int(value_ns)
    return Histogram(index=(index,), count=(count,), min_ns=value, max_ns=value, sum_ns=value * count)


def queue(point: Point, least_ns: float = 0.0) -> PointResult:
    """Answer as M/M/1: p99 is ln 100 ÷ (served - asked); of a rate that is too high most is served."""
    if point.rate_io_s is None:
        return make_result(point, rate_io_s=SERVED_IO_S)
    spare = SERVED_IO_S - point.rate_io_s
    p99_ns = max(math.log(100) / spare * 1e9, least_ns) if spare > 0 else 1e9
    reading = make_reading(point, rate_io_s=min(point.rate_io_s, 0.98 * SERVED_IO_S), latency_ms=1)
    halves = {
        name: half.model_copy(update={"response_time": all_of(half.completed, p99_ns)})
        for name, half in (("reads", reading.reads), ("writes", reading.writes))
    }
    made = make_result(point, reading=reading.model_copy(update=halves))
    if spare > 0:
        return made.model_copy(update={"verdict": Verdict(state="steady")})
    return made.model_copy(update={"verdict": Verdict(state="not_steady", causes=(Cause(code="overload"),))})


def searched(limit: str = "2ms", least_ns: float = 0.0) -> StoredRun:
    plan = plan_study(parse_study(STUDY.replace("2ms", limit)), [TARGET])
    turn, results = InTurn(plan), list[PointResult]()
    while ready := turn.take():
        for point in ready:
            results.append(queue(point, least_ns))
            turn.finish(results[-1])
    return StoredRun(run=make_run(plan, status="finished"), results=tuple(results))


def of_search(stored: StoredRun) -> CurveAnalysis:
    (item,) = (item for item in analyse(stored).curves if item.curve.open_loop)
    return item


def tables(stored: StoredRun) -> dict[str, Table]:
    return {block.key: block for block in paper.build(stored).blocks if isinstance(block, Table)}


def column(table: Table, place: int) -> Sequence[str]:
    return [plain(row[place].text) for row in table.rows]


def test_no_growth_to_the_answer_is_told() -> None:
    """Of 5,000, the answer of some 7,700 and 10,000 the first and the last made a growth "to the answer"."""
    item = of_search(searched())
    said = rate_paragraph(Messages("en"), item)
    answer = SERVED_IO_S - math.log(100) / 0.002
    at = item.maximum.at.point.rate_io_s or 0.0
    assert answer / 1.05 <= at <= answer
    assert f"at an offered rate of {at:,.0f} IO/s: the highest rate that keeps the limit" in said
    assert not any(word in said for word in ("grows", "times the first", "within 5%", "maximum", "level"))


def test_no_table_calls_the_answer_a_maximum() -> None:
    stored = searched()
    item, found = of_search(stored), tables(stored)
    answer = f"{item.maximum.at.point.rate_io_s:,.0f}"
    (load,) = (table for key, table in found.items() if key == f"table-load-{item.curve.key}")
    assert [plain(row[0].text) for row in load.rows if row[0].strong] == [answer]
    assert "Bold: the highest rate that keeps the limit of the response time." in load.notes
    assert not any("maximum" in str(note) for note in load.notes)
    assert column(found["table-maxima"], 0) == ["Database, closed loop"]
    latency = dict(zip(column(found["table-latency"], 2), column(found["table-latency"], 1), strict=True))
    assert latency[f"{answer} IO/s"] == "highest rate that keeps the limit"
    assert found["table-latency"].caption == "Latency at selected loads"
    document = paper.build(stored)
    captions = {block.key: block.caption for block in document.blocks if isinstance(block, Figure)}
    series = next(text for key, text in captions.items() if key.startswith("figure-series"))
    assert "over time" in series
    assert "maximum" not in series
    lead = next(
        plain(block.text)
        for block in document.blocks
        if isinstance(block, Paragraph) and plain(block.text).startswith("For each figure of this paper")
    )
    assert "maximum" not in lead, "commands of searches repeat all of their steps"


def test_of_a_search_without_an_answer_the_highest_rate_stands_for_it() -> None:
    """Every response time is 3 ms, so that no rate keeps 2 ms."""
    stored = searched(least_ns=3e6)
    item = of_search(stored)
    assert item.asked
    assert not item.answered
    assert item.maximum.at is item.curve.points[-1]
    said = rate_paragraph(Messages("en"), item)
    assert "No rate that was tried keeps the limit of the response time." in said
    assert "highest rate offered" in column(tables(stored)["table-latency"], 1)


def repeated(states: Sequence[str]) -> CurveAnalysis:
    """Make a curve of the rates 5,000, 6,000 twice, 7,000 and 8,000, with these states of their verdicts."""
    stored = searched()
    (first, *_) = (result for result in stored.results if result.point.rate_io_s is not None)
    rates = (5_000.0, 6_000.0, 6_000.0, 7_000.0, 8_000.0)
    results = [
        queue(first.point.model_copy(update={"index": 100 + place, "rate_io_s": rate})).model_copy(
            update={"verdict": Verdict.model_validate({"state": state})}
        )
        for place, (rate, state) in enumerate(zip(rates, states, strict=True))
    ]
    return of_search(stored.model_copy(update={"results": tuple(results)}))


@pytest.mark.parametrize(
    ("states", "expected"),
    [
        ("nssss", "at an offered rate of 5,000 IO/s ("),
        ("snsss", "at an offered rate of 6,000 IO/s (point 1 of 2 there) ("),
        ("ssnsn", "at offered rates of 6,000 (point 2 of 2 there) and 8,000 IO/s ("),
        ("snnss", "at an offered rate of 6,000 IO/s ("),
        ("snnns", "at offered rates of 6,000 and 7,000 IO/s ("),
        ("ssnnn", "at offered rates of 6,000 (point 2 of 2 there), 7,000, and 8,000 IO/s ("),
        ("snnnn", "at offered rates from 6,000 to 8,000 IO/s ("),
        ("nnnnn", "at any load ("),
    ],
)
def test_of_a_rate_that_was_tried_twice_the_point_is_told(states: str, expected: str) -> None:
    """The second of two points at a rate was steady: "no steady state" was said of the rate."""
    names = {"n": "not_steady", "s": "steady"}
    said = unsteady(Messages("en"), repeated([names[state] for state in states]))
    assert said.startswith(f"No steady state was reached {expected}")


@pytest.mark.parametrize("language", ["de", "ja"])
def test_other_languages_name_the_answer(language: str) -> None:
    item = of_search(searched())
    said = rate_paragraph(Messages(language), item)
    assert "search" not in said
    assert ("Suche" in said) == (language == "de")
