"""The live view fits the terminal, shows what runs, and guesses the time left from what points took."""

from __future__ import annotations

import io
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len
from rich.console import Console

from command_line import make_sample
from factories import make_plan, make_result, make_target
from iodyno.analysis.figures import point_figures
from iodyno.cli.live import Live
from iodyno.cli.live_lines import result_line
from iodyno.cli.pace import Pace, clock_text
from iodyno.cli.spark import BARS, sparkline
from iodyno.cli.views import JsonLines, PlainLines, Quiet, choose_view
from iodyno.cli.wording import row_of, series_text, verdict_text
from iodyno.events import Filling, PointFinished, PointStarted, RunStarted
from iodyno.plan import Plan, RateShare
from iodyno.reading import Cause, State, Verdict

PLAN = make_plan(("database", "streaming"), (1, 8))


class Clock:
    """A clock that is set by hand."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


def console(width: int) -> Console:
    """Make a terminal that keeps what is drawn."""
    return Console(
        file=io.StringIO(), width=width, height=24, force_terminal=True, color_system=None, markup=False
    )


def drawn(live: Live, width: int) -> list[str]:
    """Draw the view; give its lines."""
    terminal = console(width)
    with terminal.capture() as captured:
        terminal.print(live.render())
    return captured.get().splitlines()


def running(width: int, plan: Plan = PLAN, clock: Clock | None = None) -> Live:
    """Make a view with one finished point and one that runs."""
    clock = clock or Clock()
    live = Live(console(width), plan, frozenset(), clock)
    live(RunStarted(run="20260314-092653-4f2a", study="quick", points=4, done=0, longest_s=14.0))
    live(PointStarted(point=plan.points[0]))
    clock.now += 3.2
    live(PointFinished(result=make_result(plan.points[0])))
    live(PointStarted(point=plan.points[1]))
    for step in range(30):
        live(make_sample(plan.points[1], elapsed_s=step / 10))
    return live


@pytest.mark.parametrize("width", [40, 60, 80, 120, 200])
def test_no_line_is_wider_than_the_terminal(width: int) -> None:
    lines = drawn(running(width), width)
    assert lines
    assert all(cell_len(line) <= width for line in lines)


@pytest.mark.parametrize("width", [80, 120])
def test_what_runs_is_shown(width: int) -> None:
    text = "\n".join(drawn(running(width), width))
    assert "1 of 4" in text
    assert "Database: random, 67% read, 8 kB, 8 outstanding" in text
    assert "41,234 IO/s" in text
    assert "321.4 MB/s" in text  # 337,000,000 bytes/s ÷ 2^20
    assert "latency 0.193 ms" in text
    assert "p99 0.912 ms" in text
    assert "±1.8%" in text
    assert "measured" in text
    assert "2.9 of 3.5 s" in text
    assert BARS[-1] * 30 in text


@pytest.mark.parametrize(
    ("rule", "asked"),
    [(None, "5,000 IO/s asked for"), (RateShare(of=(0,), share=0.5), "5,000 IO/s (50%) asked for")],
)
def test_the_rate_that_is_asked_for_has_one_unit(rule: RateShare | None, asked: str) -> None:
    live = Live(console(120), PLAN, frozenset(), Clock())
    live(PointStarted(point=PLAN.points[1].model_copy(update={"rate_io_s": 5000.0, "rate_from": rule})))
    assert f"fixed arrivals, {asked}" in " ".join(drawn(live, 120))


def test_finished_points_scroll_up() -> None:
    live = running(100)
    file = live._console.file
    assert isinstance(file, io.StringIO)
    printed = file.getvalue()
    assert "Quick look at a drive" in printed
    assert "Database: random, 67% read, 8 kB" in printed
    assert row_of(make_result(PLAN.points[0])).main in printed


def test_a_file_that_is_written_is_shown_with_the_time_left() -> None:
    clock = Clock()
    live = Live(console(80), PLAN, frozenset(), clock)
    live(Filling(path="/data/file", done_bytes=0, total_bytes=2 << 30))
    clock.now += 10
    live(Filling(path="/data/file", done_bytes=1 << 30, total_bytes=2 << 30))
    text = "\n".join(drawn(live, 80))
    assert "1,024 of 2,048 MB" in text
    assert "0:10 left" in text


def test_a_view_of_a_resumed_run_counts_what_was_done() -> None:
    live = Live(console(80), PLAN, frozenset({0, 1, 2}), Clock())
    assert "3 of 4" in "\n".join(drawn(live, 80))


def test_the_time_left_follows_what_points_took() -> None:
    pace = Pace.of([10.0] * 5)
    assert not pace.known
    assert pace.left_s() == 50.0
    for index in (0, 1):
        pace.started(index)
        pace.finished(index, 4.0)
    assert pace.known
    assert pace.left_s() == pytest.approx(3 * 4.0)
    pace.started(2)
    assert pace.left_s(1.0) == pytest.approx(2 * 4.0 + 3.0)
    assert pace.left_s(99.0) == pytest.approx(2 * 4.0)


def test_the_time_left_of_a_plan_leaves_out_what_is_done() -> None:
    whole, part = Pace(PLAN), Pace(PLAN, {0, 1})
    assert part.left_s() == pytest.approx(whole.left_s() / 2)


@given(st.lists(st.floats(0.5, 60), min_size=1, max_size=20))
def test_when_all_is_done_nothing_is_left(times: list[float]) -> None:
    pace = Pace.of([60.0] * len(times))
    for index, took in enumerate(times):
        pace.started(index)
        assert pace.left_s(took) >= 0
        pace.finished(index, took)
    assert pace.left_s() == 0


@pytest.mark.parametrize(
    ("seconds", "text"), [(0, "0:00"), (59.6, "1:00"), (3599, "59:59"), (3600, "1:00:00"), (-1, "0:00")]
)
def test_clock_text(seconds: float, text: str) -> None:
    assert clock_text(seconds) == text


@given(st.lists(st.floats(0, 1e9), max_size=50), st.integers(0, 20))
def test_a_sparkline_is_as_long_as_its_values_and_fits(values: list[float], width: int) -> None:
    line = sparkline(values, width)
    assert len(line) == min(len(values), width)
    assert set(line) <= set(BARS)


def test_a_verdict_in_short() -> None:
    verdict = Verdict(
        state="disturbed",
        causes=(Cause(code="other_io"), Cause(code="imprecise")),
        notes=(Cause(code="host_cpu"),),
    )
    assert verdict_text(verdict) == "disturbed: other I/O, host CPU"
    assert verdict_text(Verdict(state="not_steady")) == "not steady"


def test_a_series_says_what_its_points_share() -> None:
    point = PLAN.points[0].model_copy(update={"workers": 4, "rate_io_s": 1000.0, "arrival": "poisson"})
    assert series_text(point) == "Database: random, 67% read, 8 kB, 4 workers, Poisson arrivals"


def test_a_series_names_the_engine_and_the_targets_that_differ() -> None:
    point = PLAN.points[0]
    aio = point.model_copy(update={"engine": "aio"})
    other = point.model_copy(update={"targets": (make_target("/data/other"),)})
    assert series_text(point, PLAN.points) == "Database: random, 67% read, 8 kB"
    assert series_text(aio, (point, aio)).endswith("8 kB, engine aio")
    assert series_text(other, (point, other)).endswith("8 kB, on /data/other")
    assert series_text(point.model_copy(update={"targets_per_worker": 1})) == series_text(point), "it has one"
    two = point.model_copy(update={"targets": (*point.targets, *other.targets), "targets_per_worker": 1})
    assert series_text(two).endswith("8 kB, 1 worker for each target, 2 targets")


def test_an_open_loop_shows_response_time_beside_latency(capsys: pytest.CaptureFixture[str]) -> None:
    closed = make_result(PLAN.points[0])
    result = make_result(PLAN.points[0].model_copy(update={"rate_io_s": 1000.0}))
    figures = point_figures(result)
    row = row_of(result)
    assert figures.response_time_ms_mean is not None
    assert float(row.response.split()[0]) == pytest.approx(figures.response_time_ms_mean, rel=0.01)
    assert row.response != row.latency
    assert row.response_p99 != row.p99
    assert row.response in result_line(row, 120).plain
    assert row_of(closed).response == ""
    view = PlainLines(PLAN)
    view(PointFinished(result=result))
    view(PointFinished(result=closed))
    lines = [line for line in capsys.readouterr().out.splitlines() if "latency" in line]
    assert ["response time" in line for line in lines] == [True, False]


def test_the_view_is_live_on_a_terminal_only(monkeypatch: pytest.MonkeyPatch) -> None:
    def chosen(*, as_json: bool = False, quiet: bool = False) -> type:
        return type(choose_view(as_json=as_json, quiet=quiet, plan=PLAN, done=()))

    assert (chosen(as_json=True), chosen(quiet=True), chosen()) == (JsonLines, Quiet, PlainLines)
    monkeypatch.setattr("sys.stdout", Terminal())
    monkeypatch.setenv("TERM", "xterm")
    assert chosen() is Live
    monkeypatch.setenv("TERM", "dumb")
    assert chosen() is PlainLines


class Terminal(io.StringIO):
    """A text that says that it is a terminal."""

    def isatty(self) -> bool:
        """Say yes."""
        return True


CAUSES = tuple(Cause(code=code) for code in ("kernel_workers", "host_busy", "outstanding_limit"))


def finished(width: int, rate_io_s: float | None = None, state: State = "capped") -> list[str]:
    """Give the lines that stay of a finished point with several causes, on a terminal of this width."""
    point = PLAN.points[0].model_copy(update={"rate_io_s": rate_io_s})
    result = make_result(point).model_copy(update={"verdict": Verdict(state=state, causes=CAUSES)})
    live = Live(console(width), PLAN, frozenset(), Clock())
    live(PointFinished(result=result))
    file = live._console.file
    assert isinstance(file, io.StringIO)
    return [line.rstrip() for line in re.sub(r"\x1b\[[\d;?]*[a-zA-Z]", "", file.getvalue()).splitlines()]


@pytest.mark.parametrize("rate_io_s", [None, 1000.0, 2_000_000.0])
@pytest.mark.parametrize("state", ["steady", "not_steady"])
def test_a_finished_point_has_whole_figures_and_words_in_any_width(
    state: State, rate_io_s: float | None
) -> None:
    """What a line has is what it has on a wide terminal, or less of it; state and main figure are there."""
    title, whole = (re.sub("[,:]", "", line).split() for line in finished(400, rate_io_s, state)[-2:])
    for width in range(40, 150):
        *_, head, line = finished(width, rate_io_s, state)
        words = line.replace("…", "").replace(",", "").replace(":", "").split()
        assert max(cell_len(head), cell_len(line)) <= width
        assert set(words) <= set(whole)
        assert words[:3] == whole[:3]  # load, main figure and its unit
        assert state.replace("_", " ") in line
        assert set(head.split()) <= {*title, "resp."}
    assert line.endswith("kernel workers, host busy, outstanding limit")


def test_the_columns_of_a_finished_point_stand_under_their_titles() -> None:
    for rate_io_s in (None, 1000.0):
        for width in (40, 60, 80, 120):
            *_, head, line = finished(width, rate_io_s)
            assert line[head.index("verdict") :].startswith("capped")
            assert line[head.index("verdict") - 1] == " "


def figures_shown(width: int) -> list[str]:
    """Give the pieces of the line that tells what an open loop does now."""
    live = running(width)
    live(make_sample(PLAN.points[1], response_p99_ns=1_234_000, backlog=56_789))
    (line,) = (line for line in drawn(live, width) if "41,234 IO/s" in line)
    return re.split(r"  +", line.strip())


@pytest.mark.parametrize("width", range(40, 120))
def test_figures_of_what_runs_are_whole(width: int) -> None:
    wide, shown = figures_shown(400), figures_shown(width)
    assert wide == ["41,234 IO/s", "321.4 MB/s", "latency 0.193 ms", "p99 0.912 ms", "response p99 1.23 ms",
                    "backlog 56,789", "±1.8%"]  # fmt: skip
    assert shown == [piece for piece in wide if piece in shown]
    assert {"41,234 IO/s", "±1.8%", "backlog 56,789"} <= set(shown)


def test_what_a_finished_point_was_is_told_whole_in_few_columns() -> None:
    said = " ".join(finished(40, 1000.0))
    assert series_text(PLAN.points[0].model_copy(update={"rate_io_s": 1000.0})) in re.sub(r"\s+", " ", said)
