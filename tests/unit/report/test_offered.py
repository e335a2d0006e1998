"""Open loops beside closed ones: what was offered is no maximum, and its response times are shown."""

from __future__ import annotations

import itertools
import re
from collections.abc import Sequence
from pathlib import Path

import pytest

from command_line import CommandLine
from factories import make_plan, make_point, make_reading, make_result, make_stored_run
from iodyno.analysis.run import analyse
from iodyno.plan import Point
from iodyno.reading import Cause
from iodyno.report import paper
from iodyno.report.document import Bullets, Document, Figure, Heading, LineChart, Paragraph, Table
from iodyno.report.messages import Messages, plain
from iodyno.report.sentences import offered as offered_text
from iodyno.store import Store
from iodyno.store.records import StoredRun

STUDY = """
schema = 1
name = "shares"
title = "Shares"
[[configuration]]
name = "{frequency}"
title = "Host at {frequency} GHz"
system = "p3700"
changes = { processor = "{processor}" }
each.case = [
    { frequency = "1.6", processor = "xeon-e5-2603-v3" },
    { frequency = "2.3", processor = "xeon-e5-2698-v3" },
]
[[sweep]]
name = "load"
profiles = ["database", "file-server", "streaming", "restore", "file-copy"]
outstanding = [1, 8]
workers = 1
[[sweep]]
name = "shares"
profiles = ["database"]
rate_share = ["20%", "80%"]
arrival = "poisson"
"""
SHORT = ("--area", "8G", "--floor-ios", "2000", "--cap-ios", "8000")


@pytest.fixture
def shares(iodyno_says: CommandLine, tmp_path_factory: pytest.TempPathFactory) -> Document:
    """Give the paper of two systems with closed loops and shares of what these serve: fourteen curves."""
    path = tmp_path_factory.mktemp("study") / "shares.toml"
    path.write_text(STUDY)
    said = iodyno_says("simulate", str(path), *SHORT)
    assert said.code == 0, said.err
    with Store.open() as store:
        return paper.build(store.load("latest"))


def under(document: Document, key: str) -> str:
    keys = [getattr(block, "key", "") for block in document.blocks]
    after = document.blocks[keys.index(key) + 1 :]
    end = next(place for place, block in enumerate(after) if isinstance(block, Heading) and block.level == 1)
    said = [plain(block.text) for block in after[:end] if isinstance(block, Paragraph)]
    return "\n".join(said + [plain(text) for b in after[:end] if isinstance(b, Bullets) for text in b.items])


def test_response_times_at_shares_have_a_chart_and_a_table(shares: Document) -> None:
    (table,) = (block for block in shares.blocks if getattr(block, "key", "").startswith("table-offered"))
    assert isinstance(table, Table)
    assert [plain(row[1].text) for row in table.rows] == ["20%", "80%"] * 2
    places = [str(column.title) for column in table.columns]
    times = [float(plain(row[places.index("Response time 99%")].text)) for row in table.rows]
    (figure,) = (block for block in shares.blocks if getattr(block, "key", "").startswith("figure-offered"))
    assert isinstance(figure, Figure)
    mean, tail = figure.charts
    assert isinstance(tail, LineChart)
    drawn = [point.y for line in tail.lines for point in line.points]
    assert drawn == pytest.approx(times, rel=0.01)
    assert len(tail.lines) == 2
    with Store.open() as store:
        curves = analyse(store.load("latest")).curves
    expected = [
        at.response_time_ms_at(0.99) for item in curves if item.curve.open_loop for at in item.curve.points
    ]
    assert drawn == expected
    assert isinstance(mean, LineChart)


def test_a_percentile_that_no_point_has_is_not_drawn(iodyno_says: CommandLine, tmp_path: Path) -> None:
    """1,000 I/Os are needed for the 99th: with fewer an empty chart stood beside that of the means."""
    path = tmp_path / "shares.toml"
    path.write_text(STUDY)
    short = ("--area", "8G", "--floor-ios", "300", "--cap-ios", "600", "--warmup-ios", "300")
    assert iodyno_says("simulate", str(path), *short).code == 0
    with Store.open() as store:
        made = paper.build(store.load("latest"))
    (figure,) = (block for block in made.blocks if getattr(block, "key", "").startswith("figure-offered"))
    assert isinstance(figure, Figure)
    assert [chart.title for chart in figure.charts] == ["Mean response time"]
    assert figure.alt.startswith("A line chart of the mean response time")


def test_show_names_the_sweep_of_what_several_have(iodyno_says: CommandLine, tmp_path: Path) -> None:
    """The closed loop of the shares is of the profile of the first sweep, too."""
    path = tmp_path / "shares.toml"
    path.write_text(STUDY)
    assert iodyno_says("simulate", str(path), *SHORT, "-q").code == 0
    said = iodyno_says("show", "--stations").out
    for sweep, system in itertools.product(("load", "shares"), ("1.6", "2.3")):
        name = f"{sweep}: {system}, Database"
        assert len(re.findall(f"^{name}.*8 kB$", said, re.MULTILINE)) == 1
        assert len(re.findall(f"^{name}.*8 kB, maximum ", said, re.MULTILINE)) == 1
    assert re.search("^1.6, Restore", said, re.MULTILINE)
    compared = iodyno_says("compare", "latest", "latest").out
    assert re.findall(r"^(\w+): 1.6, Database.*8 kB$", compared, re.MULTILINE) == ["load", "shares"]
    formulas = iodyno_says("simulate", str(path), "--analytic").out
    assert re.findall(r"^(\w+): 1.6, Database.*8 kB$", formulas, re.MULTILINE) == ["load", "shares"]


def test_what_is_offered_and_served_is_no_maximum(shares: Document) -> None:
    assert "Every rate that was offered is served" in under(shares, "results")
    sides = [block for block in shares.blocks if getattr(block, "key", "").startswith("table-side")]
    loads = [plain(row[5].text) for table in sides if isinstance(table, Table) for row in table.rows]
    assert loads
    assert not any("IO/s" in text for text in loads)
    said = under(shares, "conclusion")
    assert "of what the closed loop reached, 99% of the response times are at most" in said
    assert "Closed loops: The least mean latency" in said  # at 20% of the rate it is less
    assert "at an offered rate of" not in under(shares, "practice")
    assert re.search(r"at \d+ of 12\b", said)  # The closed loops alone.


def of_points(points: Sequence[Point], *, overloaded: Sequence[int] = ()) -> StoredRun:
    stored = make_stored_run(profiles=("database",), intensities=(1,), varied=False)
    plan = make_plan().model_copy(update={"points": tuple(points)})
    results = []
    for point in points:
        result = make_result(point, rate_io_s=point.rate_io_s or 1_000.0)
        if point.index in overloaded:
            verdict = result.verdict.model_copy(
                update={"state": "not_steady", "causes": (Cause(code="overload", values={}),)}
            )
            result = result.model_copy(update={"verdict": verdict})
        results.append(result)
    return StoredRun(run=stored.run.model_copy(update={"plan": plan}), results=tuple(results))


def test_one_open_loop_that_is_served_grows_to_no_maximum() -> None:
    rates = (1_000.0, 2_000.0, 4_000.0)
    points = [make_point("database", 64, index=index, rate_io_s=rate) for index, rate in enumerate(rates)]
    served = under(paper.build(of_points(points)), "results")
    assert "Every rate that was offered is served, up to 4,000 IO/s" in served
    assert "grows to a maximum" not in served
    beyond = under(paper.build(of_points(points, overloaded=[2])), "results")
    assert "Every rate that was offered is served" not in beyond
    assert "grows to a maximum" in beyond


def test_the_common_load_is_the_highest_that_all_serve() -> None:
    """Of two curves one does not serve 4,000: they are compared at 2,000, and one rate is not served."""
    rates = (1_000.0, 2_000.0, 4_000.0)
    points = [
        make_point("database", 64, index=3 * place + index, rate_io_s=rate, workers=workers)
        for place, workers in enumerate((1, 2))
        for index, rate in enumerate(rates)
    ]
    curves = analyse(of_points(points, overloaded=[5])).curves
    said = offered_text.paragraph(Messages("en"), curves, lambda item: f"{item.curve.first.workers} workers")
    assert "1 of 6 offered rates is not served" in said
    assert "At an offered rate of 2,000 IO/s, 99% of the response times are at most" in said


@pytest.mark.parametrize(("half_width", "said_of_intervals"), [(None, False), (1.75, False), (0.2, True)])
def test_nothing_is_said_of_intervals_that_tell_nothing(
    half_width: float | None, said_of_intervals: bool
) -> None:
    """Of 135 ms without an interval, beside 0.1 ms, none can tell them apart: that is no finding."""
    points = [
        make_point("database", outstanding, index=place, rate_io_s=1_000.0, workers=place + 1)
        for place, outstanding in enumerate((64, 31))
    ]
    stored = of_points(points)
    results = []
    for result in stored.results:
        loop = result.reading.open_loop
        assert loop is not None
        loop = loop.model_copy(update={"response_p99_half_width": half_width})
        reading = result.reading.model_copy(update={"open_loop": loop})
        results.append(result.model_copy(update={"reading": reading}))
    curves = analyse(StoredRun(run=stored.run, results=tuple(results))).curves
    said = offered_text.at_common_load(Messages("en"), curves, lambda item: str(item.curve.first.workers))
    assert said.startswith("At an offered rate of 1,000 IO/s, 99% of the response times are at most ")
    assert " ms to " in said
    assert ("the intervals do not tell these apart" in said) == said_of_intervals


@pytest.mark.parametrize(("rates", "scale"), [("[1000, 4000]", "linear"), ("[10, 4000]", "log10")])
@pytest.mark.parametrize("layout", ["together", "each"])
def test_rates_that_are_far_apart_have_a_logarithmic_axis(
    iodyno_says: CommandLine, tmp_path: Path, layout: str, rates: str, scale: str
) -> None:
    """Of 100, 10,000 and 1,000,000 the lower two stood in one spot."""
    path = tmp_path / "rates.toml"
    text = STUDY.replace(
        'rate_share = ["20%", "80%"]', f'rate_io_s = {rates}\nchart = {{ layout = "{layout}" }}'
    )
    path.write_text(text)
    assert iodyno_says("simulate", path, *SHORT).code == 0
    with Store.open() as store:
        blocks = paper.build(store.load("latest")).blocks
    figures = [block for block in blocks if isinstance(block, Figure)]
    charts = [chart for figure in figures for chart in figure.charts if isinstance(chart, LineChart)]
    offered = [chart.x.scale for chart in charts if chart.x.label == "Offered rate in IO/s"]
    assert set(offered) == {scale}


def test_no_table_calls_what_was_offered_a_maximum() -> None:
    """A paper of one open loop has no part on maxima, and of the loads in its table none is bold."""
    points = [make_point("database", 64, index=index, rate_io_s=1_000.0 * 2**index) for index in range(3)]
    document = paper.build(of_points(points))
    keys = [getattr(block, "key", "") for block in document.blocks]
    assert "overall-maxima" not in keys
    tables = {block.key: block for block in document.blocks if isinstance(block, Table)}
    (load,) = (table for key, table in tables.items() if key.startswith("table-load"))
    assert not any(cell.strong for row in load.rows for cell in row)
    assert not any("maximum" in str(note) for note in load.notes)
    assert "highest rate offered" in [plain(row[1].text) for row in tables["table-latency"].rows]
    said = under(document, "results")
    assert "At the maximum" not in said
    assert "At an offered rate of 4,000 IO/s, 99% of the response times are at most " in said
    name, figure, remark = document.title_page.summary[0]
    assert (name, remark) == (
        "Database: response time",
        "99% of the response times, at an offered rate of 4,000 IO/s",
    )
    (row,) = (row for row in load.rows if plain(row[0].text) == "4,000")
    place = [str(column.title) for column in load.columns].index("Response time 99%")
    assert figure == f"{plain(row[place].text)} ms"
    whole = paper.build(of_points(points, overloaded=[2]))
    assert "overall-maxima" in [getattr(block, "key", "") for block in whole.blocks]


@pytest.mark.parametrize(("rate_io_s", "excepted"), [(1000.0, True), (None, False)])
def test_the_rules_agree_with_the_limit_of_a_rate_that_is_served_on_a_busy_host(
    rate_io_s: float | None, excepted: bool
) -> None:
    """The table said that the rate is the limit, and the rules that the host comes first."""
    stored = of_points([make_point("database", 64, rate_io_s=rate_io_s)])
    (steady,) = stored.results
    verdict = steady.verdict.model_copy(update={"notes": (Cause(code="host_busy"),)})
    busy = steady.model_copy(update={"verdict": verdict})
    stored = stored.model_copy(update={"results": (busy,)})
    limits = [limit.by for item in analyse(stored).curves for limit in item.limits]
    assert limits == (["rate"] if excepted else ["host"])
    blocks = paper.build(stored).blocks
    told = [str(plain(item)) for block in blocks if isinstance(block, Bullets) for item in block.items]
    (host,) = [item for item in told if "all processors together" in item]
    assert ("does not count where the rate that was offered is served" in host) == excepted


def test_the_disclosure_says_what_stands_for_an_open_loop(shares: Document) -> None:
    (table,) = (block for block in shares.blocks if getattr(block, "key", "") == "table-disclosure-shares")
    assert isinstance(table, Table)
    assert any("no maximum" in str(note) for note in table.notes)


def without_ios(rates: Sequence[float], *, empty: int) -> StoredRun:
    """Make a run of one open loop at whose first rates no I/O completed: at 0.01 IO/s none is due."""
    points = [make_point("database", 64, index=index, rate_io_s=rate) for index, rate in enumerate(rates)]
    stored = of_points(points)
    nothing = tuple(
        make_result(point, reading=make_reading(point, rate_io_s=0.0, latency_ms=0.0, half_width=None))
        for point in points[:empty]
    )
    return stored.model_copy(update={"results": (*nothing, *stored.results[empty:])})


def test_a_rate_without_any_io_is_not_said_to_be_served() -> None:
    """Nothing was done: neither is its response time 0 ms, nor was the rate its limit."""
    stored = without_ios((0.01, 50.0), empty=1)
    (item,) = analyse(stored).curves
    assert [entry.by for entry in item.limits] == ["unknown", "rate"]
    assert item.curve.lowest.response_time_ms_mean is None
    document = paper.build(stored)
    assert "maximum" not in " ".join(document.title_page.summary[0])
    said = under(document, "results")
    assert "No I/O completed at an offered rate of 0.01 IO/s: whether that is served is not known." in said
    assert "Every other rate that was offered is served, up to 50.0 IO/s" in said
    (load,) = (b for b in document.blocks if isinstance(b, Table) and b.key.startswith("table-load"))
    place = [str(column.title) for column in load.columns].index("Mean response time")
    assert plain(load.rows[0][place].text) == "–"
    named = offered_text.served(Messages("en"), [item])
    assert named == (
        "No I/O completed at 1 of 2 offered rates: whether it is served is not known. Every other one is "
        "served."
    )


def test_of_rates_without_any_io_alone_nothing_is_said_to_be_served() -> None:
    stored = without_ios((0.01, 0.02), empty=2)
    assert "served, " not in under(paper.build(stored), "results")
    assert "Every" not in offered_text.served(Messages("en"), analyse(stored).curves)


def test_where_no_maximum_is_known_nothing_is_said_of_what_limits_every_maximum() -> None:
    points = [
        make_point(name, 64, index=index, rate_io_s=1_000.0)
        for index, name in enumerate(("database", "file-copy"))
    ]
    assert "What limits every maximum" not in under(paper.build(of_points(points)), "conclusion")


def test_an_open_loop_has_no_knee() -> None:
    """The table and a chart showed one where the text has none."""
    points = [
        make_point("database", 64, index=index, rate_io_s=rate)
        for index, rate in enumerate((1_000.0, 8_000.0, 9_000.0, 9_500.0))
    ]
    times = {1_000.0: 1.0, 8_000.0: 1.1, 9_000.0: 4.0, 9_500.0: 20.0}
    stored = of_points(points)
    results = tuple(
        make_result(point, rate_io_s=point.rate_io_s, latency_ms=times[point.rate_io_s or 0.0])
        for point in points
    )
    document = paper.build(stored.model_copy(update={"results": results}))
    (latency,) = (b for b in document.blocks if isinstance(b, Table) and b.key == "table-latency")
    assert [plain(row[1].text) for row in latency.rows] == ["lowest load", "highest rate offered"]
    charts = [chart for b in document.blocks if isinstance(b, Figure) for chart in b.charts]
    names = [line.name for chart in charts if isinstance(chart, LineChart) for line in chart.lines]
    assert "mean latency" in names
    assert "knee" not in names


def test_the_highest_rate_offered_is_the_highest() -> None:
    """1,000 IO/s are within 0.5% of 1,003, and as a maximum the lower load would count."""
    points = [
        make_point("database", 64, index=i, rate_io_s=rate) for i, rate in enumerate((1_000.0, 1_003.0))
    ]
    document = paper.build(of_points(points))
    (latency,) = (b for b in document.blocks if isinstance(b, Table) and b.key == "table-latency")
    places = {plain(row[1].text): plain(row[2].text) for row in latency.rows}
    assert places == {"lowest load": "1,000", "highest rate offered": "1,003"}
