"""What one profile's closed loop shows says nothing of a profile that has open loops alone."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from factories import make_plan, make_point, make_result, make_run, make_system
from iodyno.analysis.run import RunAnalysis, analyse
from iodyno.plan import Point
from iodyno.reading import Bottleneck, Cause, PointResult, Simulation, Verdict
from iodyno.report import paper
from iodyno.report.messages import Messages
from iodyno.report.sentences import answer as answer_text
from iodyno.report.sentences import practice as practice_text
from iodyno.store.records import StoredRun

ENGLISH = Messages("en")
STEADY = Verdict(state="steady")
OVERLOAD = Verdict(state="not_steady", causes=(Cause(code="overload"),))


def point(profile: str, load: int, rate: float | None = None, system: str | None = None) -> Point:
    return make_point(profile, load, rate_io_s=rate, system=system, index=0)


def result(at: Point, rate: float, verdict: Verdict = STEADY, limit: str = "data path") -> PointResult:
    made = make_result(at, rate_io_s=rate)
    served = at.rate_io_s is not None and not verdict.causes
    bottleneck = Bottleneck(
        station="" if served else limit,
        place="drive_media",
        utilisation=0.3 if served else 1.0,
        kind="outstanding" if served else "saturated",
    )
    simulation = Simulation(model_version=1, virtual_s=1, events=1, bottleneck=bottleneck)
    reading = made.reading.model_copy(update={"simulation": simulation})
    return made.model_copy(update={"verdict": verdict, "reading": reading})


def run_of(results: Sequence[PointResult]) -> StoredRun:
    placed = [
        item.model_copy(update={"point": item.point.model_copy(update={"index": index})})
        for index, item in enumerate(results)
    ]
    plan = make_plan().model_copy(update={"points": tuple(item.point for item in placed)})
    return StoredRun(run=make_run(plan, system=make_system(), status="finished"), results=tuple(placed))


def analysed(results: Sequence[PointResult]) -> RunAnalysis:
    return analyse(run_of(results))


COPIES = [result(point("file-copy", load), rate) for load, rate in ((1, 4_000), (8, 9_000), (64, 10_900))]
SERVED = [result(point("database", 64, rate), rate) for rate in (1_000.0, 49_900.0)]
NOT_SERVED = [
    result(point("database", 64, 1_000.0), 1_000.0),
    result(point("database", 64, 60_000.0), 49_900.0, OVERLOAD),
]


def test_no_rate_below_one_that_is_served_is_called_the_highest() -> None:
    """10,900 IO/s by File copy, and 49,900 IO/s that Database served: it may do more."""
    assert practice_text.highest(ENGLISH, analysed([*COPIES, *SERVED]).curves) == []


def test_a_rate_that_is_not_served_is_the_maximum_of_its_profile() -> None:
    (said,) = practice_text.highest(ENGLISH, analysed([*COPIES, *NOT_SERVED]).curves)
    assert said.startswith("The highest transaction rate is 49,900 IO/s†, by Database ")


def test_open_loops_of_the_profile_itself_are_left_out() -> None:
    """The closed loop of Database shows what it can do: 47,000 IO/s; 49,900 come of a queue that grows."""
    closed = result(point("database", 8), 47_000.0)
    kept = practice_text.closed_where_any(analysed([*COPIES, closed, *NOT_SERVED]).curves)
    assert [item.curve.open_loop for item in kept] == [False, False]


@pytest.mark.parametrize(
    ("others", "expected"),
    [(SERVED, ""), (NOT_SERVED, "Every maximum has the same limit: data path.")],
)
def test_what_limits_every_maximum_is_that_of_every_profile(others: list[PointResult], expected: str) -> None:
    """Of a profile whose rates are served no maximum is known: one is left, and nothing is the same."""
    assert practice_text.usual_limit(ENGLISH, analysed([*COPIES, *others]).curves) == expected


def test_the_title_page_has_each_profile() -> None:
    summary = paper.build(run_of([*COPIES, *NOT_SERVED])).title_page.summary
    assert {name: figure for name, figure, _ in summary}.items() >= {
        ("File copy", "10,900 IO/s"),
        ("Database", "49,900 IO/s†"),
    }


def test_systems_are_compared_by_the_open_loops_of_a_profile_that_has_no_others() -> None:
    """Database is offered 60,000 IO/s on two systems: one has 49,900 of them, the other 30,000."""
    of = {
        name: [
            result(point("file-copy", 8, system=name), 9_000.0),
            result(point("database", 64, 1_000.0, name), 1_000.0),
            result(point("database", 64, 60_000.0, name), rate, OVERLOAD),
        ]
        for name, rate in (("one", 49_900.0), ("other", 30_000.0))
    }
    groups = answer_text.comparable(analysed([*of["one"], *of["other"]]).curves)
    assert {group[0].curve.profile.name: len(group) for group in groups} == {"file-copy": 2, "database": 2}


def test_a_highest_rate_beside_open_loops_is_told_as_that_of_closed_ones() -> None:
    """A rate of 12,000 IO/s that was offered and not served stands in the same paper, above the 10,900."""
    offered = [result(point("file-copy", 64, 12_000.0), 11_500.0, OVERLOAD)]
    (said,) = practice_text.highest(ENGLISH, analysed([*COPIES, *offered]).curves)
    assert said.startswith("Closed loops: The highest transaction rate is 10,900 IO/s, by File copy ")
    (alone,) = practice_text.highest(ENGLISH, analysed(COPIES).curves)
    assert alone.startswith("The highest transaction rate is 10,900 IO/s")
