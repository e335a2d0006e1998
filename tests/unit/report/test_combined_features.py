"""What is said where features meet: rates beyond what is served, buffered I/O, changed profiles, trims."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest

from factories import (
    at_once,
    make_histogram,
    make_plan,
    make_point,
    make_profile,
    make_reading,
    make_result,
    make_stored_run,
)
from iodyno.analysis import matching
from iodyno.analysis.figures import PointFigures
from iodyno.analysis.layout import Group
from iodyno.analysis.run import CurveAnalysis, analyse
from iodyno.cli.compare import METHOD
from iodyno.plan import RateShare
from iodyno.profiles import OF_A_JOB_FILE
from iodyno.reading import Cause, Direction, PointResult, State
from iodyno.report.context import Context
from iodyno.report.document import Bullets, Facts, Figure, LineChart, Paragraph, Table
from iodyno.report.messages import Messages, plain
from iodyno.report.names import profile_name
from iodyno.report.sections import at_once as at_once_section
from iodyno.report.sections import (
    comparison,
    disclosure,
    literature,
    matrix,
    method,
    practice,
    remarks,
    side_by_side,
)
from iodyno.report.sentences import causes as cause_text
from iodyno.report.sentences import curve as text
from iodyno.report.sentences import offered as offered_text
from iodyno.store.records import StoredRun
from iodyno.study.expand import varied

ENGLISH = Messages("en")


def run_of(results: Sequence[PointResult]) -> StoredRun:
    """Make a run of these results."""
    stored = make_stored_run(profiles=("database",), intensities=(1,), varied=False)
    plan = make_plan().model_copy(update={"points": tuple(result.point for result in results)})
    return StoredRun(run=stored.run.model_copy(update={"plan": plan}), results=tuple(results))


def context_of(results: Sequence[PointResult]) -> Context:
    """Make what a section is written from, in English."""
    stored = run_of(results)
    return Context(stored, analyse(stored), ENGLISH)


def curve(results: Sequence[PointResult]) -> CurveAnalysis:
    """Analyse results of one curve."""
    return analyse(run_of(results)).curves[0]


def at_rates(rates: Sequence[float], overloaded: Sequence[float] = (), **changes: Any) -> CurveAnalysis:
    """Make an open loop; what is overloaded has half of the rate that was asked."""
    results = []
    for index, rate in enumerate(rates):
        point = make_point("database", 64, index=index, rate_io_s=rate, **changes)
        beyond = rate in overloaded
        causes = [Cause(code="overload", values={})] if beyond else []
        state: State = "not_steady" if beyond else "steady"
        had = rate / 2 if beyond else rate
        results.append(make_result(point, rate_io_s=had, state=state, causes=causes))
    return curve(results)


def test_beyond_what_is_served_no_time_is_told_within_which_ios_complete() -> None:
    """Of an I/O that waits to be issued the latency says nothing: told are times that have an end."""
    item = at_rates((1000.0, 2000.0, 8000.0), overloaded=(8000.0,))
    said = text.tail(ENGLISH, item)
    assert said.startswith("At an offered rate of 2,000 IO/s, 99% of the response times are at most")
    assert text.tail(ENGLISH, at_rates((8000.0, 9000.0), overloaded=(8000.0, 9000.0))) == ""


def test_one_in_a_thousand_is_not_said_to_take_longer_than_all_take() -> None:
    """All I/Os take 1 ms: none takes longer than 1.00 ms."""
    point = make_point("database", 1)
    reads = Direction(completed=100_000, bytes=1, latency=make_histogram([1_000_000], [100_000]))
    item = curve([make_result(point, reading=make_reading(point, reads=reads, writes=Direction()))])
    assert text.tail(ENGLISH, item) == "99.9% of the I/Os complete within 1.00 ms."  # one load: no maximum


@pytest.mark.parametrize(
    ("changes", "told"), [({}, True), ({"direct": False}, False), ({"engine": "nop"}, False)]
)
def test_a_host_that_limits_says_something_of_the_device_only_where_that_was_asked(
    changes: dict[str, Any], told: bool
) -> None:
    notes = [Cause(code="host_cpu", values={"share": 0.97})]
    points = [make_point("database", load, index=load, **changes) for load in (1, 2)]
    said = text.host(ENGLISH, curve([make_result(point, notes=notes) for point in points]))
    assert said.startswith("The host was the limit at every load")
    assert ("what the device itself can do" in said) == told


@pytest.mark.parametrize(("buffered", "first"), [((2,), "Not every point"), ((1, 2), "No point")])
def test_it_is_said_whether_all_points_went_through_the_caches(buffered: tuple[int, ...], first: str) -> None:
    points = [make_point("database", load, index=load, direct=load not in buffered) for load in (1, 2)]
    context = context_of([make_result(point) for point in points])
    (said,) = (one for one in remarks.remarks(context) if "main memory" in one)
    assert said.startswith(f"{first} bypassed the caches")
    loads = [
        plain(item) for block in method.blocks(context) if isinstance(block, Bullets) for item in block.items
    ]
    assert ("Points that are marked as buffered" in "".join(loads)) == (len(buffered) == 1)


def test_what_can_be_served_was_asked_where_rates_are_shares_of_it() -> None:
    rule = RateShare(of=(0,), share=0.5)
    item = at_rates((1000.0, 2000.0), rate_from=rule)
    assert text.served(ENGLISH, item).endswith("at an offered rate of 2,000 IO/s.")
    assert offered_text.served(ENGLISH, [item]) == "Every rate that was offered is served."
    assert "was not asked" in text.served(ENGLISH, at_rates((1000.0, 2000.0)))
    assert "was not asked" in offered_text.served(ENGLISH, [at_rates((1000.0, 2000.0))])


@pytest.mark.parametrize(
    ("language", "name"),
    [
        ("en", "Database (block 16 kB, read 50%)"),
        ("de", "Datenbank (Block 16 kB, 50 % Lesen)"),
        ("ja", "データベース（ブロック 16 kB、リード 50%）"),
    ],
)
def test_a_profile_that_an_axis_changed_has_a_name_in_the_language(language: str, name: str) -> None:
    messages = Messages(language)
    changed = varied(make_profile("database"), {"block_sizes": 16384, "read_share": 0.5})
    assert profile_name(messages, changed).replace("\xa0", " ") == name
    own = changed.model_copy(update={"title": "Mein Profil (read me)"})
    assert profile_name(messages, own) == "Mein Profil (read me)"


def test_a_size_of_an_axis_keeps_its_digits() -> None:
    """With three of them two curves had one name."""
    changed = make_profile("database").model_copy(update={"title": "x (area 1000.5k from 512)"})
    assert profile_name(ENGLISH, changed).replace("\xa0", " ") == "x (area 1,000.5 kB from 512 B)"


def with_workers(profile: str, workers: int, index: int) -> PointResult:
    return make_result(make_point(profile, 8 * (1 + index % 2), index=index, workers=workers))


def test_the_part_of_one_curve_is_named_after_its_profile() -> None:
    """Of several it is the unit that they share: one has a name of its own."""
    results = [make_result(make_point("database", load, index=at)) for at, load in enumerate((1, 8))]
    context = context_of(results)
    group = Group("unit", context.analysis.curves)
    assert side_by_side.title(context, group) == "Database"
    assert side_by_side.title(context, Group("unit", group.items * 2)) == "Transaction rate"


@pytest.mark.parametrize(
    ("curves", "said"),
    [
        (2, "Transaction rate, with intervals of 95%, and mean latency over the load"),
        (1, "Database: transaction rate with intervals of 95%, and mean latency over the load"),
    ],
)
def test_a_caption_says_once_what_is_measured(curves: int, said: str) -> None:
    results = [make_result(make_point("database", load, index=at)) for at, load in enumerate((1, 8))]
    results += [make_result(make_point("file-server", load, index=load)) for load in (2, 4)]
    context = context_of(results)
    blocks = side_by_side.blocks(context, Group("unit", context.analysis.curves[:curves]), 2)
    assert [plain(block.caption) for block in blocks if isinstance(block, Figure)] == [said]


def test_curves_of_other_numbers_of_workers_are_told_apart_side_by_side() -> None:
    """One curve has a worker, the other eight: at 8 outstanding I/Os each that is not one load."""
    results = [with_workers("database", 1, 0), with_workers("database", 1, 1)]
    results += [with_workers("file-server", 8, 2), with_workers("file-server", 8, 3)]
    context = context_of(results)
    blocks = side_by_side.blocks(context, Group("system", context.analysis.curves), 2)
    (table,) = (block for block in blocks if isinstance(block, Table))
    assert [plain(row[0].text) for row in table.rows] == ["Database (1 worker)", "File server (8 workers)"]
    told = "Outstanding I/Os are those of all targets and workers together."
    assert told in [plain(note) for note in table.notes]
    charts = [chart for block in blocks for chart in getattr(block, "charts", ())]
    assert {chart.x.label for chart in charts if isinstance(chart, LineChart)} == {"Outstanding I/Os in all"}


@pytest.mark.parametrize(
    ("changes", "told"),
    [({}, ()), ({"trim_share": 0.1}, ("Trims",)), ({"fsync_every": 4}, ("Syncs",))],
)
def test_it_is_said_what_trims_and_syncs_count_in(changes: dict[str, object], told: tuple[str, ...]) -> None:
    profile = make_profile("database").model_copy(update=changes)
    context = context_of([make_result(make_point(profile, 1))])
    items = [
        plain(item) for block in method.blocks(context) if isinstance(block, Bullets) for item in block.items
    ]
    assert tuple(text.split()[0] for text in items if text.startswith(("Trims", "Syncs"))) == told


def test_an_interval_whose_ends_are_written_alike_is_left_out_of_the_sentence() -> None:
    rates = {1: 1000.0, 8: 3260.0}
    item = curve(
        [
            make_result(make_point("database", load, index=load), rate_io_s=rate, half_width=1e-6)
            for load, rate in rates.items()
        ]
    )
    assert text.grows(ENGLISH, item).endswith(": 3.26 times the first value.")


@pytest.mark.parametrize(
    ("every", "said"), [(1, "0.200 ms after every access"), (4, "0.200 ms after every 4 accesses")]
)
def test_pauses_are_told_in_the_unit_of_other_times(every: int, said: str) -> None:
    cause = Cause(code="think_time", values={"time_us": 200, "every": every})
    assert cause_text.details(ENGLISH, cause).startswith(said)


def opened(**engine: object) -> dict[str, str]:
    """Give the method of a point whose targets were opened so."""
    result = make_result(make_point("database", 1, cold_cache=bool(engine.pop("cold", False))))
    facts = result.reading.engine.model_copy(update=engine)
    return matching.method(
        result.model_copy(update={"reading": result.reading.model_copy(update={"engine": facts})})
    )


@pytest.mark.parametrize(
    ("engine", "differs"),
    [({"write_through": True}, "durable"), ({"direct": False}, "direct"), ({"cold": True}, "cold")],
)
def test_runs_that_differ_in_durable_writes_are_not_said_to_differ_in_direct_io(
    engine: dict[str, object], differs: str
) -> None:
    one, other = opened(), opened(**engine)
    assert [what for what in one if one[what] != other[what]] == [differs]
    assert differs in comparison.METHODS
    assert differs in METHOD


def test_a_job_file_is_no_literature() -> None:
    profile = make_profile("database").model_copy(update={"source": OF_A_JOB_FILE})
    (_, bullets) = literature.blocks(context_of([make_result(make_point(profile, 1))]))
    assert isinstance(bullets, Bullets)
    assert not any(OF_A_JOB_FILE in plain(item) for item in bullets.items)


def test_it_is_said_which_load_a_point_waited_for_in_vain() -> None:
    """The figure of the first is known to 0.1 %, that of the load beside it to 5 %, and 2 % was asked for."""
    item = curve([at_once()])
    at = item.curve.points[0]

    def known_to(load: PointFigures, half_width: float) -> PointFigures:
        rate, throughput = (
            replace(one, half_width=half_width) for one in (load.transaction_rate_io_s, load.throughput_mb_s)
        )
        return replace(load, transaction_rate_io_s=rate, throughput_mb_s=throughput)

    def noted(own: float, beside: float) -> list[str]:
        capped = replace(known_to(at, own), verdict=at.verdict.model_copy(update={"state": "capped"}))
        first, *others = at.beside
        others = [known_to(load, 0.001) for load in others]
        point = replace(capped, beside=(known_to(first, beside), *others))
        changed = replace(item, curve=replace(item.curve, points=(point,)))
        (table,) = at_once_section.loads_table(context_of([at_once()]), changed)
        return [plain(note) for note in table.notes if plain(note).startswith("*")]

    assert noted(0.001, 0.05) == [
        "* at 8 outstanding I/Os: it is the figure of Streaming that is not as precise as asked for."
    ]
    assert noted(0.05, 0.05) == []
    assert noted(0.001, 0.001) == []


def test_of_imported_results_no_time_is_told_and_no_verdict() -> None:
    """They were imported when the run was made, and measured at another time; nothing judged them."""
    stored = run_of([make_result(make_point("database", 1), state="not_judged")])
    run = stored.run.model_copy(update={"imported": "fio-3.33"})
    stored = StoredRun(run=run, results=stored.results)
    context = Context(stored, analyse(stored), ENGLISH)
    (facts, *_) = (block for block in disclosure.blocks(context) if isinstance(block, Facts))
    names = [name for name, _ in facts.items]
    assert "Imported" in names
    assert not {"Started", "Ended"} & set(names)
    said = [plain(block.text) for block in practice.conclusion(context) if isinstance(block, Paragraph)]
    assert sum("no point was judged" in text for text in said) == 1
    assert not any("reservation" in text for text in said)


@pytest.mark.parametrize(
    ("loads", "note"),
    [
        ((1, 1), ["The lowest load is 1 outstanding I/O for each target and worker."]),
        ((32, 32), ["The lowest load is 32 outstanding I/Os for each target and worker."]),
        ((1, 32), []),
    ],
)
def test_a_matrix_says_which_load_is_the_lowest_where_it_is_one(
    loads: tuple[int, int], note: list[str]
) -> None:
    """Beside a section whose loads begin at 1 one that begins at 32 had the same words."""
    points = [
        make_point("database", load * factor, index=2 * place + index, workers=1 + place)
        for place, load in enumerate(loads)
        for index, factor in enumerate((1, 2))
    ]
    context = context_of([make_result(point) for point in points])
    blocks = matrix.blocks(context, context.analysis.curves, "x")
    (table,) = (block for block in blocks if isinstance(block, Table) and "lowest" in block.key)
    assert [plain(text) for text in table.notes] == note
