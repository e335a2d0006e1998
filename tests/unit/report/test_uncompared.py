"""What a study sets against each other and cannot be compared is named in its section, with the reason."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from command_line import simulated_result
from factories import make_plan, make_point, make_result, make_run, make_target
from iodyno.analysis.run import analyse
from iodyno.plan import Point
from iodyno.reading import PointResult
from iodyno.report import paper
from iodyno.report.context import Context
from iodyno.report.document import Block, Heading, Link, Paragraph, Table
from iodyno.report.messages import Messages, plain
from iodyno.report.sections import against as section
from iodyno.report.sections.practice import conclusion
from iodyno.store.records import StoredRun
from iodyno.study import parse_study, plan_simulation
from iodyno.study.systems import resolve
from iodyno.system.virtual import describe

HEADING = "against-load-0"
Loads = Mapping[str, Sequence[tuple[int, float | None]]]
"""By system its loads: outstanding I/Os, and a rate."""
CLOSED: Loads = {name: [(1, None), (8, None), (64, None)] for name in ("one", "two", "late")}


def stored(
    planned: Loads, compare: Mapping[str, Any], answered: Loads | None = None, served: float = 1.0
) -> StoredRun:
    """Give a run of one sweep that has answered some points of those that are planned."""
    points: list[Point] = []
    results: list[PointResult] = []
    for system, loads in planned.items():
        for outstanding, rate in loads:
            point = make_point(
                outstanding=outstanding, rate_io_s=rate, index=len(points), system=system, engine="simulator",
                targets=[make_target("/v")],
            )  # fmt: skip
            points.append(point)
            if (outstanding, rate) in (answered or planned).get(system, ()):
                came = 1000.0 * outstanding if rate is None else rate * served
                results.append(make_result(point, rate_io_s=came, half_width=0.002))
    source = {"sweep": [{"name": "field", "chart": {"compare": [compare]}}]}
    plan = make_plan().model_copy(update={"points": tuple(points), "study_source": source})
    return StoredRun(run=make_run(plan, status="interrupted"), results=tuple(results))


def asked(of: str, to: str, *loads: str) -> dict[str, Any]:
    return {"title": "Some against others", "of": [of], "to": to, "loads": list(loads)}


def shown(run: StoredRun, language: str = "en") -> list[Block]:
    context = Context(run, analyse(run), Messages(language))
    return section.blocks(context, "field", run.run.plan.study_source["sweep"][0], 3)


def last(run: StoredRun, language: str = "en") -> str:
    block = shown(run, language)[-1]
    assert isinstance(block, Paragraph)
    return plain(block.text)


NOT_ALL = {**CLOSED, "late": [(1, None)]}
NONE = {name: loads for name, loads in CLOSED.items() if name != "late"}


@pytest.mark.parametrize(
    ("loads", "answered", "says"),
    [
        ("maximum", NOT_ALL, "Not compared, as the run ended before all of their points: late."),
        ("1-64", NOT_ALL, "Not compared, as the run ended before all of their points: late."),
        ("each", NOT_ALL, "Not compared at every load, as the run ended before all of their points: late."),
        ("maximum", NONE, "Not compared, as the run ended before all of their points: late."),
        ("each", NONE, "Not compared, as the run ended before all of their points: late."),
    ],
)
def test_what_a_run_did_not_get_to_is_named(loads: str, answered: Loads, says: str) -> None:
    """Nothing was said of it at all."""
    run = stored(CLOSED, asked("late", "one", loads), answered)
    made = shown(run)
    assert isinstance(made[0], Heading)
    assert any(isinstance(block, Table) for block in made) == says.startswith("Not compared at every")
    assert isinstance(made[-1], Paragraph)
    assert plain(made[-1].text) == says


def test_a_pair_that_is_compared_stands_beside_one_that_is_not() -> None:
    run = stored(CLOSED, asked("*", "one", "maximum"), NONE)
    *_, table, said = shown(run)
    assert isinstance(table, Table)
    assert [plain(row[0].text) for row in table.rows] == ["two ÷ one"]
    assert isinstance(said, Paragraph)
    assert plain(said.text).endswith(": late.")


def test_where_all_is_compared_nothing_is_said() -> None:
    run = stored(CLOSED, asked("*", "one", "each", "1-8", "maximum"))
    *_, table = shown(run)
    assert isinstance(table, Table)


@pytest.mark.parametrize(
    ("planned", "loads", "served", "says"),
    [
        (
            {"one": [(1, None)], "two": [(2, None)]},
            "each",
            1.0,
            "Not compared, as they have no number of outstanding I/Os in common: two ÷ one.",
        ),
        (
            {"one": [(1, None), (8, None)], "two": [(2, None), (8, None)]},
            "1-4",
            1.0,
            "Not compared in this range, in which they have no load in common, 1 to 4 outstanding I/Os: "
            "two ÷ one.",
        ),
        (
            {"one": [(64, 1000.0), (64, 5000.0)], "two": [(64, 1000.0), (64, 5000.0)]},
            "maximum",
            1.0,
            "Maxima not compared, as all rates offered are served: two; one.",
        ),
        (
            {"one": [(64, 1000.0)], "two": [(64, 1000.0)]},
            "each",
            0.5,
            "Not compared, as their load is a rate and no number of I/Os: two; one.",
        ),
    ],
)
def test_what_has_nothing_in_common_is_named(planned: Loads, loads: str, served: float, says: str) -> None:
    run = stored(planned, asked("two", "one", loads), served=served)
    assert last(run) == says.replace("two; one", "two, one")


def test_a_comparison_without_any_counterpart_says_so() -> None:
    assert last(stored(CLOSED, asked("one", "three", "each"))).startswith("Not compared: no configuration")


def test_of_many_the_number_is_told() -> None:
    planned = {f"late-{n}": CLOSED["one"] for n in range(5)} | {"one": CLOSED["one"]}
    run = stored(planned, asked("late-*", "one", "maximum"), {"one": CLOSED["one"]})
    assert last(run).endswith(": 5 configurations.")


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
title = "Over the load"
profiles = ["random-write-4k", "restore"]
outstanding = [1, 8]
workers = 1
[[sweep.chart.compare]]
title = "Eight against four"
of = "raid0-of-8"
to = "raid0-of-4"
loads = "maximum"
[[sweep]]
name = "later"
title = "Later"
profiles = ["database"]
outstanding = [1, 8]
workers = 1
"""


def ended(*systems: str) -> StoredRun:
    """Give a run that ended when it had the points of these systems in its first sweep."""
    study = parse_study(STUDY)
    found = {one.name: resolve(one) for one in study.configurations}
    plan = plan_simulation(study, found)
    run = make_run(plan, system=describe(found), simulated=True, status="interrupted",
                   command=("iodyno", "simulate", "early"))  # fmt: skip
    points = [point for point in plan.points if point.sweep == "load" and point.system in systems]
    return StoredRun(run=run, results=tuple(simulated_result(point) for point in points))


def test_a_paper_has_the_sentence_in_place_of_a_table_and_no_conclusion_from_it() -> None:
    run = ended("raid0-of-2", "raid0-of-4")
    blocks = paper.build(run).blocks
    place = next(place for place, one in enumerate(blocks) if isinstance(one, Heading) and one.key == HEADING)
    said = blocks[place + 1]
    assert isinstance(said, Paragraph)
    assert plain(said.text) == "Not compared, as the run ended before all of their points: 8 drives."
    assert not [one for one in blocks if isinstance(one, Table) and one.key.startswith("table-against")]
    context = Context(run, analyse(run), Messages("en"))
    texts = [plain(block.text) for block in conclusion(context) if isinstance(block, Paragraph)]
    assert not any("sets against" in text for text in texts)


CONCLUDED = {
    "en": "Comparisons that the study asks for and that could not be made, wholly or in part, with the "
    "reasons: {title}.",
    "de": "Vergleiche, die die Studie verlangt und die ganz oder teilweise nicht möglich waren, mit den "
    "Gründen: {title}.",
    "ja": "スタディが求める比較のうち、全部または一部を行えなかったもの（理由は各節に記載）：{title}。",
}


@pytest.mark.parametrize("language", CONCLUDED)
def test_the_conclusion_names_the_comparisons_that_are_not_made(language: str) -> None:
    """It passed over them, and who reads nothing else took the study's question for answered."""
    run = ended("raid0-of-2", "raid0-of-4")
    context = Context(run, analyse(run), Messages(language))
    blocks = [block for block in conclusion(context) if isinstance(block, Paragraph)]
    said = CONCLUDED[language].format(title="Eight against four")
    (found,) = (block for block in blocks if plain(block.text) == said)
    assert Link("Eight against four", HEADING) in found.text
    assert found in paper.build(run, language).blocks


def test_the_conclusion_is_silent_where_all_comparisons_are_made() -> None:
    run = ended("raid0-of-2", "raid0-of-4", "raid0-of-8")
    context = Context(run, analyse(run), Messages("en"))
    texts = [plain(block.text) for block in conclusion(context) if isinstance(block, Paragraph)]
    assert any("sets against" in text for text in texts)
    assert not any("could not be made" in text for text in texts)


@pytest.mark.parametrize(
    ("language", "says"),
    [
        ("en", "The run ended before the first point of these parts: Later."),
        ("de", "Der Lauf endete vor dem ersten Punkt dieser Teile: Later."),
        ("ja", "次の部分は、最初のデータ点の前に実行が終了しました：Later。"),
    ],
)
def test_parts_that_a_run_did_not_get_to_are_named_at_the_beginning_of_the_results(
    language: str, says: str
) -> None:
    blocks = paper.build(ended("raid0-of-2"), language).blocks
    place = next(
        place for place, one in enumerate(blocks) if isinstance(one, Heading) and one.key == "results"
    )
    said = blocks[place + 1]
    assert isinstance(said, Paragraph)
    assert plain(said.text) == says


@pytest.mark.parametrize(
    ("language", "says"),
    [
        ("en", "Without any point: Database."),
        ("de", "Ganz ohne Punkte: Datenbank."),
        ("ja", "データ点がまったくないもの：データベース。"),
    ],
)
def test_the_first_page_names_profiles_without_a_point(language: str, says: str) -> None:
    assert says in paper.build(ended("raid0-of-2"), language).title_page.remark
    run = ended("raid0-of-2")
    plan = run.run.plan.model_copy(update={"points": run.run.plan.points[: len(run.results) + 1]})
    begun = StoredRun(run=run.run.model_copy(update={"plan": plan}), results=run.results)
    assert says not in paper.build(begun, language).title_page.remark


@pytest.mark.parametrize(("language", "begins"), [("de", "Nicht verglichen"), ("ja", "実行が")])
def test_other_languages_say_it_too(language: str, begins: str) -> None:
    assert last(stored(CLOSED, asked("late", "one", "maximum"), NONE), language).startswith(begins)
