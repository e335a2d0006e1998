"""Several loads at once, where they are shown: tables, names, the disclosure, the command that repeats."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest

from factories import at_once, make_plan, make_point, make_result, make_run, on_two_targets
from iodyno.analysis.compare import compare
from iodyno.analysis.curves import curves
from iodyno.analysis.estimate import Estimate
from iodyno.analysis.figures import CommandFigures, point_figures
from iodyno.analysis.rows import histogram_rows, point_rows, series_rows, target_rows
from iodyno.analysis.run import analyse
from iodyno.cli.wording import row_of_figures, verdict_text
from iodyno.plan import Plan, Point
from iodyno.reading import Cause, PointResult
from iodyno.report.context import Context
from iodyno.report.curve_names import beside_name, curve_name
from iodyno.report.document import Facts, Figure, LineChart, Table
from iodyno.report.messages import Messages, plain
from iodyno.report.sections import at_once as at_once_section
from iodyno.report.sections import convergence, disclosure, disclosure_compact, method, overall
from iodyno.report.sections.commands import repeat
from iodyno.report.sentences.causes import gathered_text
from iodyno.store.records import StoredRun
from iodyno.study import parse_study, plan_study
from iodyno.targets import Target

STUDY = """
schema = 1
name = "mine"
title = "Mine"
[[sweep]]
name = "one"
profiles = "database"
outstanding = [1, 8]
targets = [2]
[[sweep.beside]]
profile = "restore"
targets = [1]
"""


def stored(results: Sequence[PointResult] = ()) -> StoredRun:
    """Store results; two points of several loads where none are given."""
    found = results or [at_once(outstanding, index=place) for place, outstanding in enumerate((2, 8))]
    plan = make_plan().model_copy(update={"points": tuple(item.point for item in found)})
    return StoredRun(run=make_run(plan), results=tuple(found))


def context(run: StoredRun, language: str = "en") -> Context:
    """Give what sections are made from."""
    return Context(run, analyse(run), Messages(language))


def planned(text: str, *paths: str) -> Plan:
    """Plan a study on files."""
    found = [{"path": path, "asked": path, "kind": "file", "size_bytes": 1 << 30} for path in paths]
    return plan_study(parse_study(text), [Target.model_validate(item) for item in found])


def test_no_table_mixes_the_loads_of_a_point() -> None:
    (whole,) = results = [at_once()]
    parts = whole.reading.loads
    rows: list[dict[str, Any]] = series_rows(results)
    for number, part in enumerate(parts):
        own = [row for row in rows if row["load"] == number]
        assert [row["completed_reads"] for row in own] == list(part.series.reads)
        assert {row["profile"] for row in own} == {whole.point.profiles[number].name}
    bins = histogram_rows(results)
    for number, part in enumerate(parts):
        own = [row for row in bins if row["load"] == number and row["measure"] == "latency"]
        counts: list[Any] = [row["count"] for row in own]
        assert sum(counts) == part.reads.completed + part.writes.completed


@pytest.mark.parametrize(
    ("load", "said"),
    [(0, "(97%)."), (1, "(Streaming: 97%)."), (2, "(File copy: 97%).")],
)
def test_a_note_names_the_load_beside_that_it_is_of(load: int, said: str) -> None:
    whole = at_once()
    values: dict[str, float | int | str] = {"share": 0.97, **({"load": load} if load else {})}
    verdict = whole.verdict.model_copy(update={"notes": (Cause(code="host_cpu", values=values),)})
    made = context(stored([whole.model_copy(update={"verdict": verdict})]))
    (item,) = made.analysis.curves
    assert any(gathered_text(made.messages, cause, item.curve).endswith(said) for cause in item.causes)
    assert verdict_text(verdict) == f"steady: host CPU{' (beside)' if load else ''}"
    (table,) = [block for block in overall._causes(made) if isinstance(block, Table)]
    assert plain(table.rows[0][2].text) == whole.point.profiles[load].title


def test_all_profiles_are_those_of_the_loads_beside_too() -> None:
    whole = at_once()
    notes = tuple(
        Cause(code="host_cpu", values={"share": 0.97, **({"load": load} if load else {})})
        for load in range(len(whole.point.profiles))
    )
    verdict = whole.verdict.model_copy(update={"notes": notes})
    made = context(stored([whole.model_copy(update={"verdict": verdict})]))
    (table,) = [block for block in overall._causes(made) if isinstance(block, Table)]
    assert plain(table.rows[0][2].text) == "all"


def test_targets_are_told_with_the_load_that_they_are_of() -> None:
    whole = at_once()
    asked = [load for load in whole.point.loads for _ in load.targets]
    numbers = [number for number, load in enumerate(whole.point.loads) for _ in load.targets]
    part, _ = on_two_targets().reading.per_target
    reading = whole.reading.model_copy(update={"per_target": (part,) * len(asked)})
    rows = target_rows([whole.model_copy(update={"reading": reading})])
    for row, load, number in zip(rows, asked, numbers, strict=True):
        assert (row["load"], row["profile"]) == (number, load.profile.name)
        assert (row["rate_asked_io_s"], row["outstanding"]) == (load.rate_io_s, load.outstanding)


def test_a_sum_of_loads_has_no_digit_that_they_lack() -> None:
    """54,600 that are known to two digits, and 200 beside, are 55,000: not 54,800."""
    found = point_figures(at_once())
    beside = tuple(replace(load, transaction_rate_io_s=Estimate(100.0)) for load in found.beside)
    point = replace(found, transaction_rate_io_s=Estimate(54_600.0), beside=beside)
    *parts, whole = at_once_section.rows(context(stored()), point, late=False)
    assert [plain(row[3].text) for row in parts] == ["55,000", "100", "100"]
    assert plain(whole[3].text) == "55,000"


def test_a_load_beside_is_told_with_its_syncs_and_its_response_time() -> None:
    found = point_figures(at_once())
    streaming, copying = found.beside
    synced = replace(copying, syncs=CommandFigures(rate_s=250.0, latency_ms_mean=1.5, latency_ms_p99=4.0))
    first, second = row_of_figures(replace(found, beside=(streaming, synced))).at_once
    assert (streaming.point.rate_io_s, copying.point.rate_io_s) == (100.0, None)
    assert first.startswith("Streaming (100/s): ")
    assert ", response " in first
    assert "syncs" not in first
    assert second.startswith("File copy (")
    assert "response" not in second
    assert second.endswith(", 250 syncs/s, mean 1.50 ms, p99 4.00 ms")


def test_the_hash_of_every_row_is_that_of_the_point_with_all_its_loads() -> None:
    whole = at_once()
    assert {row["config_hash"] for row in point_rows([whole])} == {whole.point.config_hash}
    assert point_figures(whole).planned == whole.point
    assert whole.point.config_hash != whole.point.loads[0].config_hash


@pytest.mark.parametrize(
    ("language", "name"),
    [
        ("en", "Database beside Streaming and File copy"),
        ("de", "Datenbank (zugleich: Streaming und Dateikopie)"),
        ("ja", "と同時"),
    ],
)
def test_a_curve_is_named_with_what_ran_beside_it(language: str, name: str) -> None:
    found = context(stored(), language)
    (item,) = found.analysis.curves
    assert name in curve_name(found.messages, item.curve)


@pytest.mark.parametrize("name", ["Random read 4 kB", "Sequential write 256 kB"])
def test_what_ran_beside_is_named_as_elsewhere_in_german(name: str) -> None:
    """`Datenbank neben Wahlfreies Lesen` has no case; in brackets names need none."""
    messages, found = Messages("de"), point_figures(at_once())
    planned = found.beside[0].point
    profile = planned.profile.model_copy(update={"title": name})
    load = replace(found.beside[0], point=planned.model_copy(update={"profile": profile}))
    said = beside_name(messages, replace(found, beside=(load,)))
    assert said == f"Datenbank (zugleich: {messages.of_study(name)})"
    assert messages.of_study(name) != name
    assert (
        beside_name(messages, replace(found, beside=(load,) * 3)) == "Datenbank (zugleich: 3 weitere Lasten)"
    )


def test_loads_that_differ_beside_the_same_profile_are_told_apart() -> None:
    def at(index: int, outstanding: int) -> PointResult:
        found = at_once(index=index, sweep=f"sweep-{index}")
        other = found.point.beside[1].model_copy(update={"outstanding": outstanding})
        point = found.point.model_copy(update={"beside": (found.point.beside[0], other)})
        return found.model_copy(update={"point": point})

    named = [curve_name(Messages("en"), curve) for curve in curves(map(point_figures, (at(0, 2), at(1, 16))))]
    assert named == [
        "Database beside Streaming (100 IO/s) and File copy (2)",
        "Database beside Streaming (100 IO/s) and File copy (16)",
    ]


@pytest.mark.parametrize(
    ("first_s", "others_s", "expected"),
    [
        (0.0, (1.5, 0.0), "Database beside Streaming (after 1.5 s) and File copy"),
        (2.0, (0.0, 0.0), "Database (after 2 s) beside Streaming and File copy"),
        (0.0, (1.0, 3.0), "Database beside Streaming (after 1 s) and File copy (after 3 s)"),
        (0.0, (1.0, 3.0, 3.0), "Database beside 3 other loads (after 1 s, after 3 s)"),
    ],
)
def test_sweeps_that_differ_in_when_a_load_begins_are_told_apart(
    first_s: float, others_s: tuple[float, ...], expected: str
) -> None:
    def at(index: int, first_s: float, others_s: tuple[float, ...]) -> PointResult:
        found = at_once(index=index, sweep=f"sweep-{index}")
        more = len(others_s) - len(found.point.beside)
        beside = (*found.point.beside, *(found.point.beside[-1:] * more))
        loads = (*found.reading.loads, *(found.reading.loads[-1:] * more))
        late = tuple(
            load.model_copy(update={"begins_after_s": begins})
            for load, begins in zip(beside, others_s, strict=True)
        )
        targets = (*found.point.targets, *(found.point.targets[-2:] * more))
        changes = {"beside": late, "begins_after_s": first_s, "targets": targets}
        reading = found.reading.model_copy(update={"loads": loads})
        return found.model_copy(update={"point": found.point.model_copy(update=changes), "reading": reading})

    usual = at(0, 0.0, (0.0,) * len(others_s))
    found = curves(map(point_figures, (usual, at(1, first_s, others_s))))
    named = [curve_name(Messages("en"), curve) for curve in found]
    assert named[1] == expected
    assert "after" not in named[0]


def test_a_point_is_compared_with_one_that_has_the_same_loads_beside_it() -> None:
    alone = at_once()
    first = alone.loads[0]
    assert not compare(stored([alone]), stored([first])).points
    assert len(compare(stored([alone]), stored([alone])).points) == 1


def test_that_a_load_began_later_is_a_difference_of_method() -> None:
    usual = stored()
    assert not compare(usual, usual).differences
    (difference,) = compare(usual, late(0, 1.5)).differences
    assert (difference.what, difference.base, difference.other) == (
        "beginning", "0 s, 0 s, 0 s", "0 s, 1.5 s, 0 s",
    )  # fmt: skip


def test_loads_on_one_target_are_not_compared_with_loads_on_several() -> None:
    apart = at_once()

    def on(*paths: str) -> StoredRun:
        targets = zip(apart.point.targets, paths, strict=True)
        moved = tuple(target.model_copy(update={"path": path}) for target, path in targets)
        return stored([apart.model_copy(update={"point": apart.point.model_copy(update={"targets": moved})})])

    assert len(compare(on("/a", "/b", "/a", "/b"), on("/c", "/d", "/c", "/d")).points) == 1
    assert not compare(on("/a", "/b", "/a", "/b"), on("/a", "/a", "/a", "/b")).points


def test_the_disclosure_has_the_loads_beside_and_the_hash_of_all() -> None:
    run = stored()
    blocks = disclosure.blocks(context(run))
    facts = [fact for block in blocks if isinstance(block, Facts) for fact in block.items]
    beside = [str(value) for name, value in facts if name == "At the same time"]
    both = run.results[0].point.targets[0].path
    assert beside == [
        "Streaming on /log: 1 worker, at an offered rate of 100 IO/s",
        f"File copy on {both} and /log: 2 workers, at 2 outstanding I/Os",
    ]
    assert run.results[1].point.config_hash in repr(blocks)


def late(first_s: float, other_s: float) -> StoredRun:
    """Store points whose first load, or the first beside it, begins later."""
    results = []
    for item in stored().results:
        other, *more = item.point.beside
        beside = (other.model_copy(update={"begins_after_s": other_s}), *more)
        point = item.point.model_copy(update={"begins_after_s": first_s, "beside": beside})
        results.append(item.model_copy(update={"point": point}))
    return stored(results)


@pytest.mark.parametrize(
    ("language", "head", "fact"),
    [
        ("en", "Begins after", "1 worker, at an offered rate of 100 IO/s, after 1.5 s"),
        ("de", "Beginn nach", "nach 1,5 s"),
        ("ja", "開始まで", "1.5 s 後"),
    ],
)
def test_where_a_load_begins_later_table_and_disclosure_say_when(language: str, head: str, fact: str) -> None:
    usual, found = context(stored(), language), context(late(0, 1.5), language)
    (table,) = at_once_section.loads_table(found, found.analysis.curves[0])
    place = [column.title for column in table.columns].index(head)
    numbers = found.numbers
    told = [numbers.shortest(0), numbers.shortest(1.5), numbers.shortest(0)]
    assert [row[place].text for row in table.rows[:3]] == told
    assert {len(row) for row in table.rows} == {len(table.columns)}
    (before,) = at_once_section.loads_table(usual, usual.analysis.curves[0])
    assert head not in [column.title for column in before.columns]
    assert {len(row) for row in before.rows} == {len(before.columns)}
    said = [value for _, value in at_once_section.facts(found, found.analysis.curves[0])]
    assert fact in said[0]
    assert list(at_once_section.said(found)) != list(at_once_section.said(usual))


def test_the_table_of_points_tells_when_each_load_begins() -> None:
    for run, expected in ((stored(), [0, 0, 0]), (late(0, 1.5), [0, 1.5, 0]), (late(2, 0), [2, 0, 0])):
        assert [row["begins_after_s"] for row in point_rows(run.results)][:3] == expected


def test_the_warm_up_that_is_disclosed_is_from_the_last_beginning_on() -> None:
    """Half a second before what counts, of which a fifth passes until all loads have begun."""

    def told(run: StoredRun) -> tuple[list[str], bool]:
        blocks = disclosure.blocks(context(run))
        table = next(block for block in blocks if isinstance(block, Table) and "disclosure" in block.key)
        place = [column.title for column in table.columns].index("Warm-up")
        assert isinstance(table.notes, tuple)
        return [str(row[place].text) for row in table.rows], "from when the last load began" in repr(
            table.notes
        )

    assert told(stored()) == (["0.5", "0.5"], False)
    assert told(late(0, 0.2)) == (["0.3", "0.3"], True)
    assert told(late(0.9, 0)) == (["0.0", "0.0"], True)


def test_a_first_load_that_begins_later_is_disclosed() -> None:
    found = context(late(2, 0))
    facts = list(at_once_section.facts(found, found.analysis.curves[0]))
    assert facts[0] == ("Beginning", "after 2 s")


def test_the_chart_over_time_tells_when_all_loads_run() -> None:
    def shaded(run: StoredRun) -> list[tuple[float, str]]:
        (figure,) = [block for block in convergence.blocks(context(run)) if isinstance(block, Figure)]
        (chart,) = figure.charts
        assert isinstance(chart, LineChart)
        assert [start for start, _, _ in chart.shaded[1:]] == [end for _, end, _ in chart.shaded[:-1]]
        return [(end, name) for _, end, name in chart.shaded]

    ((measured_s, usual),) = shaded(stored())
    assert usual == "not counted"
    assert shaded(late(0, 0.2)) == [(0.2, "not all loads run"), (measured_s, "not counted")]
    assert shaded(late(0, measured_s)) == [(measured_s, "not all loads run")]


def test_a_short_disclosure_defines_profiles_that_are_only_beside() -> None:
    found = disclosure_compact.blocks(context(stored()), ())
    assert "file-copy, version 1" in repr(found)


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("en", "blocks of 8 kB, fdatasync after every 4 writes, think time 0.200 ms"),
        ("de", "Blöcke von 8 kB, fdatasync nach je 4 Schreibzugriffen, Denkzeit 0,200 ms"),
        ("ja", "ブロックサイズ 8 kB、4 ライトごとに fdatasync、シンクタイム 0.200 ms"),
    ],
)
def test_both_forms_of_the_disclosure_define_what_a_profile_does_beside(language: str, said: str) -> None:
    """The short one left syncs and pauses out: by its definition the load was another one."""
    changes = {"fdatasync_every": 4, "think_time_us": 200}
    at = make_result(
        make_point().model_copy(update={"profile": make_point().profile.model_copy(update=changes)})
    )
    found = context(stored([at]), language)
    for blocks in (disclosure.blocks(found), disclosure_compact.blocks(found, ())):
        facts = [plain(text) for block in blocks if isinstance(block, Facts) for _, text in block.items]
        assert any(said in text for text in facts), facts


def test_the_method_says_that_some_loads_wait_and_others_do_not() -> None:
    said = repr(method.blocks(context(stored())))
    assert "(closed loop)" in said
    assert "(open loop)" in said


def test_of_virtual_systems_it_is_said_whose_limit_it_is() -> None:
    real, stored_run = context(stored()), stored()
    run = stored_run.run.model_copy(update={"simulated": True})
    virtual = replace(real, stored=StoredRun(run=run, results=stored_run.results))
    told = "What limits a point, and the shares of its latency, are those of the first of its loads"
    assert not any(text.startswith(told) for text in at_once_section.said(real))
    assert any(text.startswith(told) for text in at_once_section.said(virtual))


def repeated(plan: Plan, point: Point) -> list[str]:
    """Give the words of the command that repeats a point."""
    return shlex.split(repeat(make_run(plan), point))


def test_the_command_names_targets_in_the_order_of_their_numbers() -> None:
    plan = planned(STUDY, "/a", "/b")
    words = repeated(plan, plan.points[1])
    assert words[2 : words.index("--study")] == ["/a", "/b"]
    again = planned(STUDY, *words[2 : words.index("--study")])
    assert again.points[1].config_hash == plan.points[1].config_hash


def test_the_command_names_a_target_of_several_loads_once() -> None:
    plan = planned(STUDY.replace("targets = [2]", "").replace("targets = [1]", ""), "/a", "/b")
    words = repeated(plan, plan.points[0])
    assert words[2 : words.index("--study")] == ["/a", "/b"]
