"""The paper as a document: what it must hold, and that every text of it can be translated."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterator

import pytest

from factories import (
    make_plan,
    make_point,
    make_profile,
    make_result,
    make_run,
    make_stored_run,
    make_target,
    make_tool,
)
from iodyno.analysis.bottleneck import HOST_NOTES
from iodyno.errors import ReportError
from iodyno.histogram import Histogram
from iodyno.reading import Cause, PointResult, Precision
from iodyno.report import extraction, paper
from iodyno.report.document import (
    Code,
    CodeBlock,
    Document,
    Figure,
    Heading,
    LineChart,
    Link,
    Table,
)
from iodyno.store.records import StoredRun
from iodyno.system import Fact, Section, System
from paper_texts import (
    Pseudo,
    described,
    outside_the_catalogue,
    tables,
    texts,
)


def test_every_text_goes_through_the_catalogue() -> None:
    assert outside_the_catalogue(paper.build_with(described(), Pseudo())) == []


def test_a_text_past_the_catalogue_is_found() -> None:
    document = paper.build_with(described(), Pseudo())
    smuggled = dataclasses.replace(document, footer="a footer")
    assert outside_the_catalogue(smuggled) == ["a footer"]


def test_every_message_that_is_said_is_in_the_template() -> None:
    pseudo = Pseudo()
    paper.build_with(described(), pseudo)
    known = {message if isinstance(message, str) else message[0] for _, message in extraction.messages()}
    data = {"Quick look at a drive"}  # the title of the run, from its study
    placeholders_only = {message for message in pseudo.seen if re.fullmatch(r"\{\w+\}", message)}
    assert pseudo.seen - known - data - placeholders_only == set()


def test_the_template_is_up_to_date() -> None:
    from babel.messages.pofile import read_po

    with extraction.TEMPLATE.open("rb") as opened:
        kept = read_po(opened)
    now = extraction.catalogue()
    assert {message.id for message in kept} == {message.id for message in now}, (
        "run: python -m iodyno.report.extraction"
    )


@pytest.fixture(scope="module")
def document() -> Document:
    return paper.build(described())


def test_keys_are_unique_and_links_lead_somewhere(document: Document) -> None:
    keys = [block.key for block in document.blocks if isinstance(block, Heading | Table | Figure)]
    assert len(keys) == len(set(keys))

    def links(value: object) -> Iterator[str]:
        if isinstance(value, Link):
            yield value.key
        elif isinstance(value, tuple | list):
            for item in value:
                yield from links(item)
        elif dataclasses.is_dataclass(value):
            for field in dataclasses.fields(value):
                yield from links(getattr(value, field.name))

    assert set(links(document)) <= set(keys)


def test_rows_are_as_long_as_their_head(document: Document) -> None:
    for table in tables(document, ""):
        assert table.rows
        assert {len(row) for row in table.rows} == {len(table.columns)}, table.key


def test_sections_are_there_in_order(document: Document) -> None:
    found = [block.key for block in document.blocks if isinstance(block, Heading) and block.level == 1]
    assert found == [
        "history", "introduction", "reading-guide", "method", "system", "results", "overall", "practice",
        "conclusion", "literature", "disclosure", "time-series", "glossary",
    ]  # fmt: skip


def test_title_page_has_at_most_six_figures_with_interval_and_says_what_is_wrong(document: Document) -> None:
    page = document.title_page
    assert 1 <= len(page.summary) <= 6
    assert all("±" in remark for _, _, remark in page.summary)
    assert "disturbed" in str(page.remark)
    assert page.subtitle == "Measured on ACME Turbo 1TB, sda"


def test_the_latency_of_the_title_page_carries_its_mark() -> None:
    def disturbed(result: PointResult) -> PointResult:
        verdict = result.verdict.model_copy(update={"state": "disturbed"})
        return result.model_copy(update={"verdict": verdict})

    page = paper.build(make_stored_run(change=disturbed)).title_page
    assert page.summary[-1][1].endswith(" ms‡")


def test_a_run_without_reproach_has_no_remark() -> None:
    assert paper.build(make_stored_run(varied=False)).title_page.remark == ""


def test_an_unoptimised_build_is_said_first() -> None:
    stored = make_stored_run(profiles=("database",), intensities=(1, 2))
    tool = make_tool(optimised=False, build_profile="debug")
    document = paper.build(stored.model_copy(update={"run": stored.run.model_copy(update={"tool": tool})}))
    assert str(document.title_page.remark).startswith("The engine was built without optimisation")


def test_buffered_io_and_errors_are_said() -> None:
    def buffered(result: PointResult) -> PointResult:
        engine = result.reading.engine.model_copy(update={"direct": False})
        return result.model_copy(update={"reading": result.reading.model_copy(update={"engine": engine})})

    document = paper.build(make_stored_run(profiles=("database",), intensities=(1, 2), change=buffered))
    assert "can be those of main memory" in str(document.title_page.remark)


def test_a_time_series_whose_windows_are_several_says_so() -> None:
    def long(result: PointResult) -> PointResult:
        series = result.reading.series
        series = series.model_copy(update={"windows": (2,) * len(series.reads)})
        return result.model_copy(update={"reading": result.reading.model_copy(update={"series": series})})

    words = "several windows are shown as one"
    short = make_stored_run(profiles=("database",), intensities=(1, 2))
    assert words not in str(paper.build(short))
    assert words in str(paper.build(make_stored_run(profiles=("database",), intensities=(1, 2), change=long)))


@pytest.mark.parametrize(
    ("code", "words"),
    [
        ("host_busy", "At 2 of 2 points the host was the limit, not the storage."),
        ("null_engine", "The engine asked nothing of the storage: the figures are its own cost."),
        ("nop_engine", "The engine asked nothing of the storage: the figures are its own cost."),
        ("contents_not_written", "Part of what was read had not been written before"),
    ],
)
def test_what_limits_the_meaning_of_a_run_is_said(code: str, words: str) -> None:
    def note(result: PointResult) -> PointResult:
        verdict = result.verdict.model_copy(update={"notes": (Cause(code=code),)})
        return result.model_copy(update={"verdict": verdict})

    document = paper.build(make_stored_run(profiles=("database",), intensities=(1, 2), change=note))
    assert words in str(document.title_page.remark)


def test_a_depth_that_was_not_kept_is_a_remark_of_its_own() -> None:
    """Half of what was asked for at the second of two loads."""

    def shallow(result: PointResult) -> PointResult:
        if result.point.outstanding == 1:
            return result
        halved = [
            worker.model_copy(update={"io_time_s": worker.elapsed_s}) for worker in result.reading.workers
        ]
        reading = result.reading.model_copy(update={"workers": tuple(halved)})
        verdict = result.verdict.model_copy(update={"notes": (Cause(code="depth_not_reached"),)})
        return result.model_copy(update={"reading": reading, "verdict": verdict})

    stored = make_stored_run(profiles=("database",), intensities=(1, 2), varied=False, change=shallow)
    document = paper.build(stored)
    assert document.title_page.remark == (
        "At 1 of 2 points the host kept only 50% of the I/Os asked for outstanding."
    )
    [table] = tables(document, "table-limits")
    assert table.rows[0][-1].text == "submission"


def test_the_mark_of_a_knee_says_which_loads_it_can_be() -> None:
    """Rate² ÷ outstanding is 1, 2, 1.9 and 0.5 million: with ±2 % of the rate two of them are level."""
    stored = make_stored_run(profiles=("database",), intensities=(1, 2, 4, 8))
    for half_width, label in (
        (0.005, "knee: 2 outstanding I/Os"),
        (0.02, "knee: between 2 and 4 outstanding I/Os"),
    ):
        results = tuple(
            make_result(result.point, rate_io_s=rate, half_width=half_width)
            for result, rate in zip(stored.results, (1000.0, 2000.0, 2757.0, 2000.0), strict=True)
        )
        document = paper.build(stored.model_copy(update={"results": results}))
        assert label in set(texts(document.blocks))


def test_missing_points_are_said() -> None:
    stored = make_stored_run(profiles=("database",), intensities=(1, 2, 4), varied=False)
    document = paper.build(stored.model_copy(update={"results": stored.results[:2]}))
    assert document.title_page.remark == "1 of 3 planned points is missing: the run ended before it."


def test_every_point_is_disclosed_with_its_hash(document: Document) -> None:
    found = tables(document, "table-disclosure")
    assert sum(len(table.rows) for table in found) == 50
    hashes = {
        part.text for table in found for row in table.rows for part in row[-1].text if isinstance(part, Code)
    }
    assert hashes == {result.point.config_hash for result in described().results}


def test_what_is_not_steady_is_marked_in_tables_and_hollow_in_charts(document: Document) -> None:
    row = next(row for row in tables(document, "table-load-field-streaming")[0].rows if row[0].text == "16")
    assert row[-1].text == "‡\N{NO-BREAK SPACE}disturbed"
    assert row[-1].tone == "bad"
    figure = next(
        block
        for block in document.blocks
        if isinstance(block, Figure) and "load-field-streaming" in block.key
    )
    for chart in figure.charts:
        assert isinstance(chart, LineChart)
        for line in chart.lines:
            assert [point.x for point in line.points if point.hollow] == [16.0]


def test_the_limit_of_each_point_is_in_the_table(document: Document) -> None:
    assert "host_cpu" in HOST_NOTES
    [table] = tables(document, "table-limits")
    assert len(table.rows) == 5
    column = [str(column.title) for column in table.columns].index("256")
    assert {row[column].text for row in table.rows} == {"host"}


def test_every_table_of_a_figure_has_its_alternative_text(document: Document) -> None:
    figures = [block for block in document.blocks if isinstance(block, Figure)]
    assert len(figures) == 5 * 2 + 1 + 3
    assert all(figure.alt and figure.caption and figure.charts for figure in figures)


def test_the_command_repeats_a_point(document: Document) -> None:
    commands = [block.text for block in document.blocks if isinstance(block, CodeBlock)]
    assert commands[2] == (
        "iodyno measure /data/iodyno.dat --study quick --profile database --outstanding 16 --workers 1 "
        "--seed 7 --size 4G --warmup 0.5s --floor 1s --cap 3s --precision 2%"
    )


def test_it_is_said_which_words_of_the_command_another_row_changes(document: Document) -> None:
    said = [
        text for text in texts(document.blocks, codes=True) if text.startswith("The command that repeats")
    ]
    assert len(said) == 5
    assert "takes the place of 16 in --outstanding 16, and nothing else changes" in said[2]


def test_a_load_table_leads_to_its_disclosure(document: Document) -> None:
    for table in tables(document, "table-load"):
        [link] = [part for note in table.notes for part in note if isinstance(part, Link)]
        assert link.key == table.key.replace("table-load", "disclosure")


def test_a_higher_value_that_is_hardly_known_is_named_under_the_table() -> None:
    stored = make_stored_run(profiles=("database",), intensities=(1, 2))
    widths = {1: 0.01, 2: 0.83}
    results = tuple(
        make_result(result.point, rate_io_s=1000.0 * load, half_width=width)
        for result, (load, width) in zip(stored.results, widths.items(), strict=True)
    )
    [table] = tables(paper.build(stored.model_copy(update={"results": results})), "table-load")
    assert any(
        str(note).startswith("2,000 IO/s")
        and str(note).endswith("is higher but known only to within ±83%: it does not count as the maximum.")
        for note in table.notes
    )


def test_what_was_not_counted_is_disclosed_apart(document: Document) -> None:
    table = tables(document, "table-disclosure")[0]
    titles = [str(column.title) for column in table.columns]
    assert titles[2:5] == ["Warm-up", "Discarded", "Measured"]
    assert [titles[6], *titles[8:11]] == ["Rate", "Latency 50%", "Latency 99%", "Latency 99.9%"]


def test_discarded_seconds_are_neither_warm_up_nor_measured() -> None:
    """0.7 s of 1.1 s before the measured part were discarded, so 0.4 s were warm-up."""
    stored = make_stored_run(profiles=("database",), intensities=(1,))
    precision = Precision(half_width=0.02, discarded_windows=7)
    result = make_result(stored.results[0].point, precision=precision, warmup_s=1.1, measured_s=3.0)
    document = paper.build(stored.model_copy(update={"results": (result,)}))
    [table] = tables(document, "table-disclosure")
    assert [cell.text for cell in table.rows[0][2:5]] == ["0.4", "0.7", "3.0"]
    charts = [chart for block in document.blocks if isinstance(block, Figure) for chart in block.charts]
    shaded = {name for chart in charts if isinstance(chart, LineChart) for *_, name in chart.shaded}
    assert shaded == {"not counted"}


@pytest.mark.parametrize(("half_width", "said"), [(0.01, False), (None, True), (1.2, True)])
def test_a_factor_that_is_missing_is_explained(half_width: float | None, said: bool) -> None:
    stored = make_stored_run(profiles=("database",), intensities=(1, 2))
    results = tuple(make_result(result.point, half_width=half_width) for result in stored.results)
    document = paper.build(stored.model_copy(update={"results": results}))
    [table] = tables(document, "table-maxima")
    assert any(str(note).startswith("– as a factor") for note in table.notes) is said


def test_the_paper_does_not_claim_more_than_it_has(document: Document) -> None:
    said = " ".join(texts(document.blocks))
    for claim in ("is sound", "much longer than", "latency of the storage alone", "below, carries"):
        assert claim not in said
    assert "up to a half, is not counted either" in said


def test_the_latency_table_says_what_a_row_stands_for(document: Document) -> None:
    [table] = tables(document, "table-latency")
    assert [column.title for column in table.columns][1] == "Load"
    assert {str(row[1].text) for row in table.rows} >= {"lowest load", "maximum"}


@pytest.mark.parametrize("profiles", [("database",), ("database", "streaming")])
def test_where_each_profile_has_one_load_no_load_is_called_the_lowest(
    profiles: tuple[str, ...],
) -> None:
    document = paper.build(make_stored_run(profiles=profiles, intensities=(8,)))
    said = " ".join(texts(document.blocks))
    assert "owest load" not in said
    assert "all 1 " not in said
    assert not any("maximum" in remark for *_, remark in document.title_page.summary)
    assert [len(table.rows) for table in tables(document, "table-maxima")] == [2] * (len(profiles) - 1)
    [latency] = tables(document, "table-latency")
    assert latency.caption.startswith("Latency of each profile")


@pytest.mark.parametrize("described_by", [("", ""), ("", "A mail server"), ("A shop", "A mail server")])
def test_what_profiles_stand_for_has_a_column_where_one_says_it(described_by: tuple[str, str]) -> None:
    own = make_profile("database")
    points = [
        make_point(own.model_copy(update={"name": f"own-{number}", "stands_for": text}), 4, index=number)
        for number, text in enumerate(described_by)
    ]
    plan = make_plan().model_copy(update={"points": tuple(points)})
    results = tuple(make_result(point) for point in points)
    document = paper.build(StoredRun(run=make_run(plan, status="finished"), results=results))
    [table] = tables(document, "table-profiles")
    assert ("Stands for" in [column.title for column in table.columns]) is any(described_by)
    said = " ".join(texts(document.blocks))
    assert ("Each stands for a kind of work" in said) is all(described_by)
    assert "A load profile says how storage is accessed" in said
    assert {len(row) for row in table.rows} == {len(table.columns)}
    if any(described_by):
        assert [row[-1].text for row in table.rows] == [described or "–" for described in described_by]


def test_a_virtual_machine_is_a_remark() -> None:
    stored = make_stored_run(profiles=("database",), intensities=(1, 2), varied=False)
    facts = (Fact(code="virtual_machine", value=True),)
    system = System(sections=(Section(code="virtualisation", facts=facts),))
    run = stored.run.model_copy(update={"system": system})
    document = paper.build(stored.model_copy(update={"run": run}))
    assert "The system is a virtual machine" in str(document.title_page.remark)


def test_every_point_is_said_where_it_is_every_point() -> None:
    def capped(result: PointResult) -> PointResult:
        return result.model_copy(update={"verdict": result.verdict.model_copy(update={"state": "capped"})})

    page = paper.build(make_stored_run(profiles=("database",), intensities=(1, 2), change=capped)).title_page
    assert "All 2 points lasted as long as allowed" in str(page.remark)


@pytest.mark.parametrize(("cap_s", "said"), [(3.0, True), (5.0, False)])
def test_a_short_measurement_says_what_its_interval_leaves_out(cap_s: float, said: bool) -> None:
    stored = make_stored_run(profiles=("database",), intensities=(1,))
    stopping = stored.run.plan.points[0].stopping.model_copy(update={"cap_s": cap_s})
    point = make_point("database", 1, stopping=stopping)
    run = stored.run.model_copy(update={"plan": make_plan().model_copy(update={"points": (point,)})})
    document = paper.build(StoredRun(run=run, results=(make_result(point),)))
    assert any("An interval of a few seconds" in text for text in texts(document.blocks)) is said


def test_later_points_are_said_to_find_what_earlier_ones_wrote() -> None:
    for profiles, said in ((("database",), True), (("streaming",), False)):
        document = paper.build(make_stored_run(profiles=profiles, intensities=(1,)))
        found = any("found what earlier ones had written" in text for text in texts(document.blocks))
        assert found is said


def test_the_same_run_gives_the_same_paper() -> None:
    assert paper.build(described()) == paper.build(described())


def test_a_run_without_results_has_no_paper() -> None:
    stored = make_stored_run(profiles=("database",), intensities=(1,))
    for simulated, command in ((False, "measure"), (True, "simulate")):
        run = stored.run.model_copy(update={"simulated": simulated})
        with pytest.raises(ReportError, match="no results") as caught:
            paper.build(stored.model_copy(update={"run": run, "results": ()}))
        (problem,) = caught.value.problems
        assert problem.hint == f"`iodyno {command} --resume {run.id}` goes on with it"


def test_a_language_without_catalogue_is_refused() -> None:
    with pytest.raises(ReportError, match="no paper in 'tlh'"):
        paper.build(make_stored_run(profiles=("database",), intensities=(1,)), "tlh")


def test_one_point_makes_a_paper() -> None:
    document = paper.build(make_stored_run(profiles=("database",), intensities=(8,)))
    assert [len(table.rows) for table in tables(document, "table-load")] == [1]


def test_several_workers_and_targets_are_counted_in_all() -> None:
    stored = make_stored_run(profiles=("database",), intensities=(1,))
    targets = (make_target("/data/a"), make_target("/data/b"))
    points = [make_point("database", load, index=load - 1, workers=4, targets=targets) for load in (1, 2, 3)]
    plan = make_plan().model_copy(update={"points": tuple(points)})
    results = tuple(make_result(point) for point in points)
    run = stored.run.model_copy(update={"plan": plan})
    document = paper.build(StoredRun(run=run, results=results))
    [table] = tables(document, "table-disclosure")
    assert [row[1].text for row in table.rows] == ["8", "16", "24"]
    assert any("at most 4 × 2 × 3 = 24" in text for text in texts(document.blocks))


def test_an_open_loop_makes_a_paper() -> None:
    stored = make_stored_run(profiles=("database",), intensities=(1,))
    points = [make_point("database", 64, index=index, rate_io_s=1000.0 * 2**index) for index in range(4)]
    plan = make_plan().model_copy(update={"points": tuple(points)})
    run = stored.run.model_copy(update={"plan": plan})
    results = tuple(make_result(point) for point in points)
    document = paper.build(StoredRun(run=run, results=results))
    said = " ".join(texts(document.blocks))
    assert "response time" in said.lower()
    assert "Offered rate in IO/s" in said
    [table] = tables(document, "table-load")
    titles = [column.title for column in table.columns]
    place = titles.index("Mean response time")
    assert titles[place + 1] == "Response time 99%"
    for point, row in zip(points, table.rows, strict=True):
        result = next(item for item in results if item.point == point)
        parts = (result.reading.reads.response_time, result.reading.writes.response_time)
        response = Histogram.merged(part for part in parts if part)
        shown = float(str(row[place].text).replace(",", ""))
        assert shown == pytest.approx(response.mean_ns / 1e6, rel=0.01)
    panels = [block.charts for block in document.blocks if isinstance(block, Figure)]
    names = {
        line.name
        for charts in panels
        for chart in charts
        if isinstance(chart, LineChart)
        for line in chart.lines
    }
    assert "response time, 99th percentile" in names


def test_workers_that_differ_are_a_scaling() -> None:
    """10 000 IO/s with 1 worker and 19 000 with 2: a factor of 1.90 where 2 is ideal."""
    stored = make_stored_run(profiles=("database",), intensities=(1,))
    rates = {(1, 1): 8000.0, (1, 2): 10_000.0, (2, 1): 16_000.0, (2, 2): 19_000.0}
    points = [
        make_point("database", load, index=index, workers=workers)
        for index, (workers, load) in enumerate(rates)
    ]
    results = tuple(
        make_result(point, rate_io_s=rate, half_width=0.01)
        for point, rate in zip(points, rates.values(), strict=True)
    )
    run = stored.run.model_copy(update={"plan": make_plan().model_copy(update={"points": tuple(points)})})
    document = paper.build(StoredRun(run=run, results=results))
    [table] = tables(document, "table-scaling")
    assert [row[1].text for row in table.rows] == ["1", "2"]
    assert [str(row[5].text)[:6] for row in table.rows] == ["1.00", "1.90 ("]
    assert [row[6].text for row in table.rows] == ["1.00", "2.00"]
    headings = [block.text for block in document.blocks if isinstance(block, Heading)]
    assert "Database, 2 workers" in headings


@pytest.mark.parametrize(
    ("created", "words"), [(True, "was written in full before"), (False, "what the targets held")]
)
def test_only_what_iodyno_wrote_is_said_to_be_written(created: bool, words: str) -> None:
    stored = make_stored_run(profiles=("database",), intensities=(1,))
    point = make_point("database", 1, targets=[make_target(created=created)])
    run = stored.run.model_copy(update={"plan": make_plan().model_copy(update={"points": (point,)})})
    document = paper.build(StoredRun(run=run, results=(make_result(point),)))
    assert any(words in text for text in texts(document.blocks))
