"""Configurations set against others: which pairs there are, their quotients, and what is said of them."""

from __future__ import annotations

import dataclasses
import math
import random
from collections.abc import Mapping
from fnmatch import fnmatchcase
from typing import Any

import pytest

from factories import make_plan, make_point, make_result, make_run, make_target
from iodyno.analysis.against import Compared, Loads, Pair, Relation, against, mean_quotient, rows, runs
from iodyno.analysis.estimate import Estimate, Quotient, quotient
from iodyno.analysis.run import CurveAnalysis, RunAnalysis, analyse
from iodyno.errors import ProfileError
from iodyno.plan import Plan
from iodyno.reading import PointResult
from iodyno.report.context import Context
from iodyno.report.document import Bullets, Document, Heading, Paragraph, Table, TitlePage
from iodyno.report.layout.outline import with_numbers
from iodyno.report.messages import Messages, plain
from iodyno.report.sections import against as section
from iodyno.report.sections.practice import conclusion
from iodyno.report.sentences.against import loads_text, pair_names, paragraphs, spans
from iodyno.store.records import StoredRun
from iodyno.study import Overrides, parse_study, plan_simulation, resolve_all
from iodyno.study.counterparts import counterpart
from iodyno.study.systems import resolve

ENGLISH = Messages("en")
LOADS = (1, 2, 4, 8)
FACTORS = {"one": 1.0, "two": 2.0, "late": 1.0}
"""By system, how much faster it is than the first; the last is so from 4 outstanding I/Os on."""


def rate(system: str, load: int) -> float:
    return 1000.0 * load * (3.0 if system == "late" and load >= 4 else FACTORS[system])


def stored(compare: Mapping[str, Any], half_width: float = 0.002) -> StoredRun:
    """Give a run of one sweep on three systems, with a comparison that the study asks for."""
    points = [
        make_point(
            outstanding=load, index=index, system=system, engine="simulator", targets=[make_target("/v")]
        )
        for index, (system, load) in enumerate((system, load) for system in FACTORS for load in LOADS)
    ]
    results = tuple(
        make_result(point, rate_io_s=rate(point.system or "", point.outstanding), half_width=half_width)
        for point in points
    )
    source = {"sweep": [{"name": "field", "chart": {"compare": [compare]}}]}
    plan = make_plan().model_copy(update={"points": tuple(points), "study_source": source})
    return StoredRun(run=make_run(plan, status="finished"), results=results)


def asked(of: str, to: str, *loads: str) -> dict[str, Any]:
    return {"title": "Some against others", "of": [of], "to": to, "loads": list(loads) or ["each"]}


def pairs(compare: Mapping[str, Any], half_width: float = 0.002) -> tuple[Pair, ...]:
    return against(analyse(stored(compare, half_width)).curves, compare)


def said(compare: Mapping[str, Any]) -> tuple[str, Table]:
    run = stored(compare)
    analysis: RunAnalysis = analyse(run)
    context = Context(run, analysis, ENGLISH)
    made = section.blocks(context, "field", run.run.plan.study_source["sweep"][0], 3)
    heading, *texts, table = made
    assert isinstance(heading, Heading)
    assert isinstance(table, Table)
    return " ".join(plain(text.text) for text in texts if isinstance(text, Paragraph)), table


@pytest.mark.parametrize(
    ("name", "of", "to", "found"),
    [
        ("single-800g-full", "single-*-full", "single-*", "single-800g"),
        ("raid0-of-4", "*-of-4", "single", "single"),
        ("raid0-of-4", "*-of-2", "single", ""),
        ("ep420i-8x-raid5", "ep420i-*x-*", "ep400i-*x-*", "ep400i-8x-raid5"),
        ("a.b", "a?b", "c", "c"),
        ("ab", "a?b", "c", ""),
        ("drive-2", "drive-?", "disk-?", "disk-2"),
        ("raid5-of-4", "raid[56]-of-*", "raid0-of-*", "raid0-of-4"),
        ("raid5-of-4", "raid[!5]-of-*", "raid0-of-*", ""),
        ("raid6-of-8", "raid[5-6]-*-?", "?-*", "6-of"),
    ],
)
def test_what_is_left_open_stands_for_the_same_words_in_both_names(
    name: str, of: str, to: str, found: str
) -> None:
    assert counterpart(name, of, to) == found


@pytest.mark.parametrize("seed", [20160829, 1])
def test_names_fit_a_pattern_as_they_do_where_sweeps_name_configurations(seed: int) -> None:
    chance = random.Random(seed)
    pieces = ["a", "b", "-", "*", "?", "[ab]", "[!a]", "[a-c]", "["]
    for _ in range(2000):
        name = "".join(chance.choices("abc-", k=chance.randrange(1, 7)))
        pattern = "".join(chance.choices(pieces, k=chance.randrange(1, 6)))
        assert bool(counterpart(name, pattern, "x")) == fnmatchcase(name, pattern), (name, pattern)


def test_quotients_are_those_of_the_same_load() -> None:
    (found,) = pairs(asked("late", "one"))
    values = {step.loads.first: step.quotient.value for step in found.steps if step.quotient}
    assert values == pytest.approx({1: 1, 2: 1, 4: 3, 8: 3})
    assert [[step.loads.first for step in run] for run in runs(found.steps)] == [[1, 2], [4, 8]]


def test_a_range_is_the_mean_of_its_quotients_and_a_maximum_that_of_maxima() -> None:
    (found,) = pairs(asked("late", "one", "1-4", "5-7", "8-512", "maximum"))
    # 5 to 7 has no load: it is no step.
    assert len(found.steps) == 3
    assert [step.quotient.value for step in found.steps if step.quotient] == pytest.approx([5 / 3, 3, 3])


@pytest.mark.parametrize("seed", [20160829, 1])
def test_the_interval_of_a_mean_of_quotients_covers_as_often_as_it_says(seed: int) -> None:
    # Six loads whose rates are normal around quotients of 1.02; intervals of 95 %, as wide as the noise asks.
    chance, half_width, tries = random.Random(seed), 0.02, 2000
    spread, covered = half_width / 1.96, 0
    for _ in range(tries):
        found = [
            quotient(
                Estimate(102 * (1 + chance.gauss(0, spread)), half_width),
                Estimate(100 * (1 + chance.gauss(0, spread)), half_width),
            )
            for _ in range(6)
        ]
        mean = mean_quotient(found)
        assert mean is not None
        covered += mean.low <= 1.02 <= mean.high
    # Four standard deviations of a binomial share of 0.95.
    assert abs(covered / tries - 0.95) < 4 * math.sqrt(0.95 * 0.05 / tries)


def test_a_system_is_not_set_against_itself_nor_against_one_that_is_not_there() -> None:
    assert pairs(asked("one", "one")) == ()
    assert pairs(asked("one", "three")) == ()
    assert [pair.systems for pair in pairs(asked("*", "one"))] == [("two", "one"), ("late", "one")]


@pytest.mark.parametrize("unlike", [{"workers": 2}, {"workers_area": "own"}])
def test_only_curves_that_are_asked_the_same_are_set_against_each_other(unlike: dict[str, Any]) -> None:
    """Twice as fast the one way, four times the other: each beside its own, not the first that is found."""
    rates = {("one", 0): 1000.0, ("one", 1): 3000.0, ("two", 0): 2000.0, ("two", 1): 12000.0}
    results: list[PointResult] = []
    for system, other in rates:
        point = make_point(
            outstanding=4, index=len(results), system=system, engine="simulator",
            targets=[make_target("/v")], **(unlike if other else {}),
        )  # fmt: skip
        results.append(make_result(point, rate_io_s=rates[system, other], half_width=0.002))
    points = tuple(result.point for result in results)
    run = make_run(make_plan().model_copy(update={"points": points}), status="finished")
    curves = analyse(StoredRun(run=run, results=tuple(results))).curves
    compare = asked("two", "one", "maximum")
    values = [
        step.quotient.value for pair in against(curves, compare) for step in pair.steps if step.quotient
    ]
    assert sorted(values) == pytest.approx([2, 4])


@pytest.mark.parametrize("served", [1.0, 0.7])
def test_rates_that_are_all_served_are_no_maxima_to_set_against_others(served: float) -> None:
    """Both serve what was asked, or one does and might serve more: the quotient is one of what was asked."""
    results: list[PointResult] = []
    for system, share in (("one", served), ("two", 1.0)):
        for rate in (1000.0, 5000.0):
            point = make_point(
                outstanding=64, index=len(results), system=system, engine="simulator", rate_io_s=rate,
                targets=[make_target("/v")],
            )  # fmt: skip
            results.append(make_result(point, rate_io_s=rate * share, half_width=0.002))
    points = tuple(result.point for result in results)
    run = make_run(make_plan().model_copy(update={"points": points}), status="finished")
    curves = analyse(StoredRun(run=run, results=tuple(results))).curves
    assert [item.asked for item in curves] == [served == 1.0, True]
    assert against(curves, asked("two", "one", "maximum")) == ()


def test_outstanding_ios_of_a_table_are_said_to_be_those_of_all_workers() -> None:
    """Tables beside it have those of each worker: 64 there were 512 here."""
    (found,) = pairs(asked("late", "one"))

    def with_workers(item: CurveAnalysis) -> CurveAnalysis:
        points = (
            dataclasses.replace(at, point=at.point.model_copy(update={"workers": 8}))
            for at in item.curve.points
        )
        return dataclasses.replace(item, curve=dataclasses.replace(item.curve, points=tuple(points)))

    pair = dataclasses.replace(found, item=with_workers(found.item), other=with_workers(found.other))
    run = stored(asked("late", "one"))
    context = Context(run, analyse(run), ENGLISH)
    words = "Outstanding I/Os are those of all targets and workers together."
    assert words in section._notes(context, [pair])
    assert words not in section._notes(context, [found])


def test_a_mean_is_unknown_where_one_of_its_quotients_is() -> None:
    assert mean_quotient([Quotient(2, 1.9, 2.1), None]) is None
    assert mean_quotient([]) is None


@pytest.mark.parametrize("nearly_once", [0.97, 1.02])
def test_a_range_is_level_too_where_it_is_shown_to_be_less_than_appreciable(nearly_once: float) -> None:
    """0.97 and 1.02 ± 0.001 leave out 1 and are within 5 % of it."""
    (found,) = pairs(asked("two", "one", "1-8"))
    nearly = [
        dataclasses.replace(point, transaction_rate_io_s=Estimate(point.main.value * nearly_once / 2, 0.002))
        for point in found.item.curve.points
    ]
    curve = dataclasses.replace(found.item.curve, points=tuple(nearly))
    item = dataclasses.replace(found.item, curve=curve)
    (pair,) = against([item, found.other], asked("two", "one", "1-8"))
    (step,) = pair.steps
    assert step.quotient
    assert step.quotient.value == pytest.approx(nearly_once)
    assert (step.told_apart, step.relation) == (True, "level")


def test_of_several_patterns_the_first_counts_whose_counterpart_the_sweep_has() -> None:
    compare = {**asked("", "*one"), "of": ["t*", "*two"]}
    # By the first pattern two is set against "woone", which is not there, by the second against "one".
    assert [pair.systems for pair in pairs(compare)] == [("two", "one")]
    assert pairs({**compare, "of": ["t*", "tw*"]}) == ()


def pair_with(of: str, widths: Mapping[str, float | None], loads: str) -> Pair:
    """Set a system against the first, some with another interval at the first load: a share of the figure."""
    compare = asked(of, "one", loads)
    made = []
    for item in analyse(stored(compare)).curves:
        first, *others = item.curve.points
        system = item.curve.first.system or ""
        if system in widths:
            figure = dataclasses.replace(first.main, half_width=widths[system])
            first = dataclasses.replace(first, transaction_rate_io_s=figure)
        made.append(dataclasses.replace(item, curve=dataclasses.replace(item.curve, points=(first, *others))))
    (pair,) = against(made, compare)
    return pair


@pytest.mark.parametrize(
    ("of", "widths", "loads", "relation"),
    [
        # 2,000 ± 1,800 is not told from 1,000 ± 2: that is no reason to call them level, as in a ranking.
        ("two", {"two": 0.9}, "1-1", "unknown"),
        ("late", {"one": 0.9}, "1-1", "unknown"),
        ("late", {"late": 0.9}, "1-1", "unknown"),
        # 2,000 ± 200 is known, and 1,000 ± 100 beside 1,000 ± 2 is too.
        ("two", {"two": 0.1}, "1-1", "more"),
        ("late", {"late": 0.1}, "1-1", "level"),
        # Where neither is known well, what the intervals do not tell apart is level: ± 1,400 and ± 700.
        ("two", {"two": 0.7, "one": 0.7}, "1-1", "level"),
        # The mean of 1 ± 0.9 and of 1 is not told from 1 either: 1 ± 0.45.
        ("late", {"late": 0.9}, "1-2", "unknown"),
        # Of 2 ± 1.8 and three that are known to be 2 the mean is above 1: 2 ± 0.45.
        ("two", {"two": 0.9}, "1-8", "more"),
    ],
)
def test_what_is_hardly_known_is_level_with_nothing_that_is_known(
    of: str, widths: dict[str, float | None], loads: str, relation: str
) -> None:
    (step,) = pair_with(of, widths, loads).steps
    assert step.relation == relation


def steps_of(*values: tuple[float | None, Relation]) -> tuple[Compared, ...]:
    return tuple(
        Compared(
            Loads(2**n, 2**n), None if value is None else Quotient(value, value * 0.99, value * 1.01), to
        )
        for n, (value, to) in enumerate(values)
    )


@pytest.mark.parametrize(
    ("values", "says"),
    [
        (
            [(2.0, "more"), (None, "unknown"), (2.1, "more"), (None, "unknown"), (2.2, "more")],
            "2.00 to 2.20 times as much at 3 of 5 loads and not known at 2 of 5 loads.",
        ),
        (
            [(2.0, "more"), (1.0, "level"), (2.1, "more"), (1.0, "level"), (0.5, "less")],
            "2.00 to 2.10 times as much at 2 of 5 loads, 0.500 times as much at 1 of 5 loads, and level at 2 "
            "of 5 loads.",
        ),
        (
            [(2.0, "more"), (None, "unknown"), (2.1, "more")],
            "2.00 times as much at 1, not known at 2, and 2.10 times as much at 4.",
        ),
    ],
)
def test_what_is_unknown_is_no_quotient_and_more_is_not_put_with_less(
    values: list[tuple[float | None, Relation]], says: str
) -> None:
    (pair,) = pairs(asked("late", "one"))
    (words,) = paragraphs(ENGLISH, [[dataclasses.replace(pair, steps=steps_of(*values))]], ["late"])
    assert plain(words).endswith(says)


@pytest.mark.parametrize(
    ("values", "says"),
    [
        (
            [(1.0, "level"), (None, "unknown")],
            "level wherever it is known. 1 of 2 cases is not known.",
        ),
        (
            [(2.0, "more"), (0.6, "unknown"), (None, "unknown")],
            "2.00 wherever it is known. 2 of 3 cases are not known.",
        ),
        (
            [(2.0, "more"), (0.6, "unknown"), (3.0, "more")],
            "from 2.00 (late, 2 to 3 outstanding I/Os) to 3.00 (late, 8 to 15 outstanding I/Os). 1 of 3 "
            "cases is not known.",
        ),
    ],
)
def test_of_ranges_what_is_unknown_is_counted_and_is_not_everywhere(
    values: list[tuple[float | None, Relation]], says: str
) -> None:
    (pair,) = pairs(asked("late", "one"))
    steps = tuple(
        dataclasses.replace(step, loads=Loads(2 * step.loads.first, 4 * step.loads.first - 1))
        for step in steps_of(*values)
    )
    (words,) = paragraphs(ENGLISH, [[dataclasses.replace(pair, steps=steps)]], ["late"])
    assert plain(words).endswith(says)


@pytest.mark.parametrize(
    ("language", "says"),
    [
        ("en", "from 2.00 to 3.00; least: P (all) ÷ P; most: Q ÷ P."),
        ("de", "von 2,00 bis 3,00; am wenigsten: P (all) ÷ P; am meisten: Q ÷ P."),
        ("ja", "2.00〜3.00。最小：P (all) ÷ P、最大：Q ÷ P。"),
    ],
)
def test_a_name_with_brackets_is_put_into_none(language: str, says: str) -> None:
    (pair,) = pairs(asked("late", "one"))
    found = [
        [dataclasses.replace(pair, steps=(dataclasses.replace(step, loads=Loads()),))]
        for step in steps_of((2.0, "more"), (3.0, "more"))
    ]
    words = paragraphs(Messages(language), found, ["P (all) ÷ P", "Q ÷ P"])
    assert plain(words[0]).endswith(says)


@pytest.mark.parametrize(
    ("language", "value", "says"),
    [
        ("en", (0.664, "less"), "0.664 times as much."),
        ("de", (0.664, "less"), "das 0,664\N{NON-BREAKING HYPHEN}Fache."),
        ("ja", (0.664, "less"), "0.664 倍。"),
        ("en", (1.0, "level"), "level."),
    ],
)
def test_one_quotient_of_a_profile_is_not_said_to_be_so_everywhere(
    language: str, value: tuple[float, Relation], says: str
) -> None:
    (pair,) = pairs(asked("late", "one"))
    steps = tuple(dataclasses.replace(step, loads=Loads()) for step in steps_of(value))
    (words,) = paragraphs(Messages(language), [[dataclasses.replace(pair, steps=steps)]], ["late"])
    assert plain(words).replace("：", ": ").endswith(f": {says}")


@pytest.mark.parametrize(
    ("values", "says"),
    [
        ([(1.0, "level"), (1.0, "level")], "level everywhere: Database."),
        ([(1.0, "level")], "level: Database."),
        ([(None, "unknown"), (None, "unknown")], "not known: Database."),
        ([(1.0, "level"), (None, "unknown")], "Database 1.00 where it is known."),
        ([(2.0, "more"), (2.0, "more")], "Database 2.00."),
        (
            [(2.0, "more"), (0.5, "less"), (None, "unknown")],
            "Database 0.500 (2 outstanding I/Os) to 2.00 (1 outstanding I/O) where it is known.",
        ),
    ],
)
def test_in_a_sentence_a_profile_has_the_range_of_its_quotients(
    values: list[tuple[float | None, Relation]], says: str
) -> None:
    (pair,) = pairs(asked("late", "one"))
    assert spans(ENGLISH, [[dataclasses.replace(pair, steps=steps_of(*values))]], ["late"]) == says


@pytest.mark.parametrize(
    ("places", "loads", "says"),
    [
        (("1 SSD", "2 SSDs"), 1, "Database 0.500 (2 SSDs) to 2.00 (1 SSD)."),
        (("1 SSD (new)", "2 SSDs"), 1, "Database 0.500 to 2.00."),
        (("1 SSD", "2 SSDs"), 2, "Database 0.500 to 2.00."),
    ],
)
def test_of_several_pairs_it_says_which_unless_the_load_is_needed_too(
    places: tuple[str, str], loads: int, says: str
) -> None:
    (pair,) = pairs(asked("late", "one"))
    steps = [
        tuple(dataclasses.replace(step, loads=Loads(load, load)) for load in range(1, loads + 1))
        for step in steps_of((2.0, "more"), (0.5, "less"))
    ]
    found = [[dataclasses.replace(pair, steps=of)] for of in steps]
    assert spans(ENGLISH, found, places) == says


def test_the_conclusion_says_what_came_of_it_and_names_the_table() -> None:
    run = stored(asked("late", "one"))
    context = Context(run, analyse(run), ENGLISH)
    blocks = (
        *section.blocks(context, "field", run.run.plan.study_source["sweep"][0], 3),
        *conclusion(context),
    )
    document = with_numbers(Document("en", TitlePage("K", "T", "", ()), blocks, "", "2024-05-17"))
    items = [plain(item) for block in document.blocks if isinstance(block, Bullets) for item in block.items]
    assert (
        "Some against others: Database 1.00 (1 outstanding I/O) to 3.00 (4 outstanding I/Os). "
        "See Table\N{NO-BREAK SPACE}1." in items
    )


def test_words_tell_where_two_are_level_and_what_one_has_more_elsewhere() -> None:
    text, table = said(asked("late", "one"))
    assert "level from 1 to 2 and 3.00 times as much from 4 to 8" in text
    assert [plain(row[0].text) for row in table.rows] == ["1", "2", "4", "8"]
    assert [row[1].strong for row in table.rows] == [False, False, True, True]
    assert "See " not in plain(table.caption)


def test_nothing_is_claimed_of_figures_without_an_interval() -> None:
    compare = asked("late", "one")
    found = analyse(stored(compare)).curves
    points = tuple(
        dataclasses.replace(at, transaction_rate_io_s=dataclasses.replace(at.main, half_width=None))
        for at in found[-1].curve.points
    )
    curve = dataclasses.replace(found[-1].curve, points=points)
    (pair,) = against((*found[:-1], dataclasses.replace(found[-1], curve=curve)), compare)
    assert {step.relation for step in pair.steps} == {"unknown"}
    assert not any(step.told_apart for step in pair.steps)
    (words,) = paragraphs(ENGLISH, [[pair]], ["late"])
    assert "not known at every load" in plain(words)


def test_words_on_ranges_tell_what_the_intervals_do_not() -> None:
    text, table = said(asked("late", "one", "1-2", "4-8"))
    assert "from 1.00 (" in text
    assert "to 3.00 (" in text
    assert "In 1 of 2 cases the interval does not tell the two apart." in text
    assert [plain(row[0].text) for row in table.rows] == ["1 to 2", "4 to 8"]


def test_pairs_of_unlike_workers_for_each_profile_make_one_row() -> None:
    (found,) = pairs(asked("late", "one"))
    first = found.item.curve.points[0]
    point = first.point.model_copy(
        update={"workers": 8, "profile": first.profile.model_copy(update={"name": "other"})}
    )
    curve = dataclasses.replace(found.item.curve, points=(dataclasses.replace(first, point=point),))
    other = dataclasses.replace(found, item=dataclasses.replace(found.item, curve=curve))
    assert len(rows([found, other])) == 1
    assert len(rows([found, found])) == 2


@pytest.mark.parametrize(
    "language",
    [
        ("en", "1 outstanding I/O", "2 outstanding I/Os"),
        ("de", "1 ausstehendes I/O", "2 ausstehende I/Os"),
        ("ja", "処理待ち I/O 数 1", "処理待ち I/O 数 2"),
    ],
)
def test_one_outstanding_io_is_one(language: tuple[str, str, str]) -> None:
    code, one, two = language
    assert [loads_text(Messages(code), Loads(at, at), alone=True) for at in (1, 2)] == [one, two]
    assert loads_text(Messages(code), Loads(1, 1)) == "1"


def test_what_all_pairs_share_is_said_once() -> None:
    found = pairs(asked("*", "one"))
    shared, names = pair_names(ENGLISH, found)
    assert (shared, names) == ("", ["two ÷ one", "late ÷ one"])


STUDY = """\
schema = 1
name = "own"
title = "Own"
[simulation]
floor_ios = 1000
cap_ios = 2000
[[configuration]]
name = "drive-{count}"
system = "p3700"
changes = { count = "{count}" }
each = { count = [1, 2] }
[[sweep]]
name = "first"
profiles = "database"
outstanding = 8
CAP
[[sweep.chart.compare]]
title = "Two against one"
of = "OF"
to = "TO"
LOADS
[[sweep]]
name = "second"
profiles = "database"
outstanding = 8
"""


def study_of(of: str = "drive-2", to: str = "drive-1", loads: str = "", cap: str = "") -> str:
    return STUDY.replace("OF", of).replace("TO", to).replace("LOADS", loads).replace("CAP", cap)


@pytest.mark.parametrize(
    ("text", "where"),
    [
        (study_of(of="disk-*"), "sweep[0].chart.compare[0].of"),
        (study_of(to="drive-3"), "sweep[0].chart.compare[0].to"),
        (study_of(loads='loads = "all"'), "sweep[0].chart.compare[0].loads"),
        (study_of(loads='loads = ["32-1"]'), "sweep[0].chart.compare[0].loads[0]"),
        (study_of(cap="cap_ios = 500"), "sweep[0].cap_ios"),
    ],
)
def test_a_comparison_that_cannot_be_is_refused(text: str, where: str) -> None:
    with pytest.raises(ProfileError) as caught:
        parse_study(text)
    assert any(problem.where.endswith(where) for problem in caught.value.problems)


def test_a_load_without_a_range_is_told_how_it_is_written() -> None:
    with pytest.raises(ProfileError) as caught:
        parse_study(study_of(loads='loads = ["8", "some"]'))
    assert [problem.hint for problem in caught.value.problems] == [
        'write "8-8" for this load alone', 'write "each", "maximum" or a range as "1-32"',
    ]  # fmt: skip


@pytest.mark.parametrize("of", ["drive-?", "drive-[23]", "*-?"])
def test_a_comparison_may_leave_one_character_open(of: str) -> None:
    (entry,) = parse_study(study_of(of=of)).sweep[0].chart.compare
    assert entry.of == (of,)


def plan_of(text: str, overrides: Overrides | None = None) -> Plan:
    study = parse_study(text)
    return plan_simulation(study, resolve_all(study.configurations, resolve), overrides)


def test_a_sweep_may_count_more_ios_than_the_others_and_the_command_line_decides() -> None:
    text = study_of(cap="cap_ios = 9000")
    caps = {(p.sweep, len(p.targets)): p.stopping.cap_ios for p in plan_of(text).points}
    # For each target.
    assert caps == {("first", 1): 9000, ("first", 2): 18000, ("second", 1): 2000, ("second", 2): 4000}
    chosen = plan_of(text, Overrides(cap_ios=3000))
    assert {p.stopping.cap_ios for p in chosen.points if len(p.targets) == 1} == {3000}


def test_a_table_of_many_profiles_has_loads_in_order_and_no_row_without_a_figure() -> None:
    """Profiles with other numbers of workers have other loads in all; six of them have a row each."""
    results: list[PointResult] = []
    for number in range(section.MOST_COLUMNS + 1):
        for system in ("one", "two"):
            for load in (1, 8):
                made = make_point(
                    outstanding=load, index=len(results), system=system, engine="simulator",
                    targets=[make_target("/v")], workers=2 if number else 1,
                )  # fmt: skip
                profile = made.profile.model_copy(update={"name": f"p{number}", "title": f"P{number}"})
                point = made.model_copy(update={"profile": profile})
                results.append(make_result(point, rate_io_s=100.0 * load, half_width=0.002))
    points = tuple(result.point for result in results)
    kept = make_run(make_plan().model_copy(update={"points": points}), status="finished")
    run = StoredRun(run=kept, results=tuple(results))
    found = against(analyse(run).curves, asked("two", "one", "maximum", "1-8", "each"))
    context = Context(run, analyse(run), ENGLISH)
    table = section._table(context, "Two against one", rows(found), ["two ÷ one"], "table")
    heads = [plain(row[0].text) for row in table.rows if len(row) == 1]
    assert heads == [
        "1 outstanding I/O", "1 to 8 outstanding I/Os", "2 outstanding I/Os", "8 outstanding I/Os",
        "16 outstanding I/Os", "Maximum",
    ]  # fmt: skip
    assert all(any(plain(cell.text) != "–" for cell in row[1:]) for row in table.rows if len(row) > 1)
