"""Several targets and open loops, wherever they are shown: show, export, the live view and the paper."""

from __future__ import annotations

import pytest
from rich.console import Console

from command_line import CommandLine
from factories import make_plan, make_point, make_result, make_run, on_two_targets, one_value
from iodyno.analysis.columns import TARGET_COLUMNS
from iodyno.analysis.estimate import Estimate
from iodyno.analysis.rows import point_rows, series_rows, target_rows
from iodyno.analysis.run import analyse
from iodyno.analysis.targets import target_figures
from iodyno.cli.live import Live
from iodyno.cli.wording import target_cells
from iodyno.events import PointStarted, Sample
from iodyno.histogram import Histogram
from iodyno.plan import Point
from iodyno.reading import Direction, Growth, IoError, PointResult
from iodyno.report import paper
from iodyno.report.document import Figure, Table
from iodyno.report.messages import plain
from iodyno.store.records import StoredRun


def test_each_target_has_its_rate_throughput_and_latency() -> None:
    fast, slow = target_figures(on_two_targets())
    assert (fast.path, fast.transaction_rate_io_s, slow.transaction_rate_io_s) == ("/fast", 1000, 2000)
    assert (fast.throughput_mb_s, slow.throughput_mb_s) == (62.5, 125)
    assert (fast.latency_ms_mean, slow.latency_ms_mean) == (100e-6, 200e-6)
    assert (fast.latency_ms_at(0.99), slow.latency_ms_at(0.99)) == (100e-6, 200e-6)
    assert fast.response_time_ms_at(0.99) is None
    assert target_figures(on_two_targets(3000.0))[0].response_time_ms_at(0.99) == 150e-6
    assert target_figures(make_result(make_point("streaming", 4))) == ()


def with_commands(syncs: int, of_100: int) -> PointResult:
    """Give the same point with syncs of 100 ns, others of 120 ns, and 300 trims of 250 ns on each target."""
    result = on_two_targets()
    parts = []
    for part in result.reading.per_target:
        assert part.split
        latency = Histogram.merged((one_value(of_100, 100), one_value(syncs - of_100, 120)))
        error = IoError(errno=5, name="EIO", count=4, first_offset_bytes=0)
        split = part.split.model_copy(
            update={
                "syncs": Direction(completed=syncs, latency=latency, errors=(error,)),
                "trims": Direction(completed=300, latency=one_value(300, 250)),
            }
        )
        parts.append(part.model_copy(update={"split": split, "syncs": syncs, "trims": 300}))
    reading = result.reading.model_copy(update={"per_target": tuple(parts)})
    return result.model_copy(update={"reading": reading})


def test_each_target_has_the_latencies_of_its_commands() -> None:
    """Where 30 of 2000 syncs are longer the 99th percentile is theirs; where 10 of them are it is not."""
    for longer, p99 in ((30, 120e-6), (10, 100e-6)):
        fast, slow = target_figures(with_commands(2000, 2000 - longer))
        assert (fast.sync_latency_ms_p99, slow.sync_latency_ms_p99) == (p99, p99)
    assert (fast.syncs, fast.trims, fast.errors) == (2000, 300, 4)
    # Trims are accesses: 3300 in 3 s, their latency among the others.
    assert (fast.completed, fast.transaction_rate_io_s) == (3300, 1100)
    assert fast.latency_ms_mean == pytest.approx((3000 * 100 + 300 * 250) / 3300 / 1e6)
    assert (fast.trim_latency_ms_p99, fast.latency_ms_at(0.99)) == (None, 250e-6)  # 3 of 300 lie beyond it
    row, _ = target_rows([with_commands(2000, 1970)])
    assert (row["completed_syncs"], row["sync_latency_ms_p99"]) == (2000, 120e-6)
    row, _ = target_rows([on_two_targets()])
    assert (row["completed_syncs"], row["sync_latency_ms_p99"], row["trim_latency_ms_p99"]) == (0, None, None)


def test_a_row_a_target_is_exported() -> None:
    rows = target_rows([on_two_targets(), make_result(make_point("streaming", 4))])
    assert [(row["target"], row["completed_reads"]) for row in rows] == [("/fast", 3000), ("/slow", 6000)]
    assert all(set(row) == {column.name for column in TARGET_COLUMNS} for row in rows)


def test_the_paper_has_a_table_of_the_targets() -> None:
    run = make_run(plan=make_plan(("streaming",), (4,)))
    found = analyse(StoredRun(run=run, results=(on_two_targets(),)))
    (curve,) = found.curves
    assert [item.path for item in curve.targets_at_maximum] == ["/fast", "/slow"]


def counted(fast: int, slow: int) -> PointResult:
    """Give the same point with so many reads of 64 kB in 3 s on each target."""
    result = on_two_targets()
    parts = []
    for part, count in zip(result.reading.per_target, (fast, slow), strict=True):
        assert part.split
        reads = Direction(completed=count, bytes=count << 16, latency=one_value(count, 100))
        split = part.split.model_copy(update={"reads": reads})
        parts.append(part.model_copy(update={"split": split, "reads": count, "read_bytes": count << 16}))
    reading = result.reading.model_copy(update={"per_target": tuple(parts)})
    return result.model_copy(update={"reading": reading})


def test_a_target_is_known_no_better_than_its_i_os_and_the_total_allow() -> None:
    few, many = target_figures(counted(156, 1_000_000))
    # 1/√156 is 8.0 %, 1/√1,000,000 is 0.1 %.
    assert few.known_as(1094.0, Estimate(14_000.0, 0.01)).half_width == pytest.approx(0.0801, abs=1e-4)
    assert many.known_as(1094.0, Estimate(14_000.0, 0.0002)).half_width == pytest.approx(0.001)
    assert many.known_as(1094.0, Estimate(14_000.0, 0.3)).half_width == 0.3
    assert many.known_as(1094.0, Estimate(14_000.0)).half_width is None
    nothing, _ = target_figures(counted(0, 100))
    assert nothing.known_as(0.0, Estimate(14_000.0, 0.01)).half_width is None


def test_the_table_of_targets_has_the_digits_that_are_known() -> None:
    """3282 I/Os in 3 s are 1094 IO/s, known to 1/√3282 = 1.7 % at best: to three digits."""
    run = make_run(plan=make_plan(("streaming",), (4,)))
    document = paper.build(StoredRun(run=run, results=(counted(3282, 6000),)), "en")
    (table,) = (
        block
        for block in document.blocks
        if isinstance(block, Table) and block.key.startswith("table-targets-")
    )
    written = [[plain(cell.text) for cell in row[1:3]] for row in table.rows]
    assert written == [["1,090", "68.4"], ["2,000", "125"]]


@pytest.mark.parametrize(
    ("rate_io_s", "caption"),
    [(None, "each target at the maximum"), (3000.0, "each target at an offered rate of 3,000 IO/s")],
)
def test_what_has_no_maximum_is_named_by_its_rate(rate_io_s: float | None, caption: str) -> None:
    """An offered rate that is served is no maximum."""
    run = make_run(plan=make_plan(("streaming",), (4,), rate_io_s=rate_io_s))
    document = paper.build(StoredRun(run=run, results=(on_two_targets(rate_io_s),)), "en")
    captions = [
        plain(block.caption)
        for block in document.blocks
        if isinstance(block, Table | Figure) and block.key.startswith(("table-targets", "figure-series"))
    ]
    assert len(captions) == 2
    assert captions[0].endswith(": " + caption)
    assert captions[1].endswith("throughput over time"), "one load is no maximum of several"
    served = "of offered rates that are all served and of searches the one that their title names"
    assert (served in str(document.blocks)) is bool(rate_io_s)


def test_show_has_the_digits_that_are_known() -> None:
    assert target_cells(target_figures(counted(3282, 6000))[0])[1:3] == ("1,090 IO/s", "68.4 MB/s")


def test_show_prints_each_target(iodyno_says: CommandLine, monkeypatch: pytest.MonkeyPatch) -> None:
    from iodyno.cli import show

    out = Console(width=200, force_terminal=False)
    with out.capture() as capture:
        show._print_targets(out, [on_two_targets()])
        show._print_targets(out, [make_result(make_point("streaming", 4))])
    text = capture.get()
    assert text.count("each target at 4 outstanding") == 1
    assert "/fast" in text
    assert "2,000 IO/s" in text


def opened(**changes: object) -> Point:
    return make_point("database", 64, rate_io_s=1000.0).model_copy(update=changes)


def test_an_open_loop_exports_its_starts_and_its_backlog() -> None:
    result = make_result(opened())
    assert result.reading.open_loop
    schedule = result.reading.open_loop.model_copy(
        update={
            "late_starts": 3,
            "host_late_starts": 1,
            "held_starts": 2,
            "waited_starts": 5,
            "backlog_start": 7,
            "backlog_end": 9,
            "growth": Growth(rate_io_s=4.5, proven=False),
        }
    )
    windows = len(result.reading.series.reads)
    series = result.reading.series.model_copy(
        update={
            "backlog": tuple(range(windows)),
            "under_way": tuple(range(1, windows + 1)),
            "response_p99_ns": (2_000_000,) * windows,
        }
    )
    reading = result.reading.model_copy(update={"open_loop": schedule, "series": series})
    (row,) = point_rows([result.model_copy(update={"reading": reading})])
    starts = ("late_starts", "late_starts_host", "held_starts", "waited_starts")
    names = (*starts, "backlog_start", "backlog_end", "queue_growth_io_s")
    assert [row[name] for name in names] == [3, 1, 2, 5, 7, 9, 4.5]
    assert row["start_delay_ms_p99"] is not None
    rows = series_rows([result.model_copy(update={"reading": reading})])
    assert [row["backlog"] for row in rows] == list(range(windows))
    assert [row["under_way"] for row in rows] == list(range(1, windows + 1))
    assert {row["response_time_ms_p99"] for row in rows} == {2.0}
    (closed,) = point_rows([make_result(make_point("database", 4))])
    assert {closed[name] for name in names} == {None}
    of_closed = series_rows([make_result(make_point("database", 4))])
    assert {(row["backlog"], row["under_way"]) for row in of_closed} == {(None, None)}


def test_the_live_view_shows_response_time_and_backlog_of_an_open_loop() -> None:
    console = Console(width=200, force_terminal=True, color_system=None)
    plan = make_plan(("database",), (64,))
    live = Live(console, plan, ())
    live(PointStarted(point=opened()))
    sample = {
        "index": 0, "phase": "measured", "elapsed_s": 1.0, "rate_io_s": 900.0, "throughput_bytes_s": 1e6,
        "latency_mean_ns": 1e6, "p99_ns": 2_000_000,
    }  # fmt: skip
    for waiting, words in (
        ({}, 0),
        ({"response_mean_ns": 5e6, "response_p99_ns": 7_000_000, "backlog": 1234}, 1),
    ):
        live(Sample.model_validate(sample | waiting))
        with console.capture() as capture:
            console.print(live.render())
        assert ("response p99 7.00 ms" in capture.get()) == bool(words)
        assert ("backlog 1,234" in capture.get()) == bool(words)
