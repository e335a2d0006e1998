"""Syncs, trims, think time, polling and pinning: what a reading with them says, and a verdict on it."""

from __future__ import annotations

import io
from typing import Any

import pytest
from rich.console import Console

from factories import make_histogram, make_plan, make_point, make_profile, make_reading, make_result
from iodyno.analysis.figures import point_figures
from iodyno.cli.live import Live
from iodyno.cli.views import PlainLines
from iodyno.cli.wording import profile_text, row_of
from iodyno.events import PointFinished
from iodyno.reading import Direction, Observation, Reading, Series
from iodyno.verdict import laws
from iodyno.verdict.judge import judge


def with_commands(reading: Reading, trims: Direction | None, syncs: Direction | None) -> Reading:
    series = reading.series
    first = [0] * (len(series.reads) - 1)
    listed = {
        "trims": (*first, trims.completed if trims else 0), "syncs": (*first, syncs.completed if syncs else 0)
    }  # fmt: skip
    issued = reading.issued.model_copy(
        update={"trims": trims.completed if trims else 0, "syncs": syncs.completed if syncs else 0}
    )
    changes = {
        "series": Series.model_validate(series.model_dump() | listed), "trims": trims, "syncs": syncs,
        "issued": issued, "per_target": (),
    }  # fmt: skip
    return reading.model_copy(update=changes)


def direction(of: Reading, completed: int) -> Direction:
    """Take the latencies of the first reads for commands."""
    return Direction(completed=completed, bytes=0, latency=make_histogram([100_000] * completed))


def test_syncs_are_in_no_figure_but_their_own(capsys: pytest.CaptureFixture[str]) -> None:
    point = make_point(profile=make_profile(read_share=0.5, fsync_every=10))
    plain = make_reading(point)
    reading = with_commands(plain, None, direction(plain, 1000))
    result = make_result(point, reading=reading)
    figures = point_figures(result)
    assert (
        figures.transaction_rate_io_s.value
        == point_figures(make_result(point, reading=plain)).transaction_rate_io_s.value
    )
    assert figures.syncs
    assert figures.syncs.rate_s == pytest.approx(1000 / reading.measured_s)
    assert figures.latency_ms_mean.half_width is None, "Little's law does not give it"
    assert "syncs/s" in row_of(result).beside[0]
    PlainLines(make_plan(("database",), (8,)))(PointFinished(result=result))
    assert f"beside  {row_of(result).beside[0]}" in capsys.readouterr().out
    shown = io.StringIO()
    terminal = Console(file=shown, width=200, force_terminal=True, color_system=None)
    Live(terminal, make_plan(("database",), (8,)), frozenset())(PointFinished(result=result))
    assert f" beside  {row_of(result).beside[0]}" in shown.getvalue()
    assert "fsync after every 10 writes" in profile_text(point.profile)


def test_trims_are_accesses() -> None:
    point = make_point(profile=make_profile(read_share=0.5, trim_share=0.5))
    plain = make_reading(point)
    reading = with_commands(plain, direction(plain, plain.completed), None)
    assert reading.completed == 2 * plain.completed
    assert reading.bytes == plain.bytes
    assert "law_trims" not in {cause.code for cause in laws(point, reading)}
    few = with_commands(plain, direction(plain, plain.completed // 4), None)
    assert "law_trims" in {cause.code for cause in laws(point, few)}


def test_a_sync_that_is_not_in_the_series_breaks_a_law() -> None:
    point = make_point(profile=make_profile(fsync_every=10))
    reading = with_commands(make_reading(point), None, direction(make_reading(point), 100))
    series = reading.series.model_copy(update={"syncs": (*reading.series.syncs[:-1], 99)})
    found = laws(point, reading.model_copy(update={"series": series}))
    assert any(cause.values.get("what") == "syncs in the series" for cause in found)


@pytest.mark.parametrize(
    ("changes", "profile", "code"),
    [
        ({}, {"think_time_us": 500}, "think_time"),
        ({"iopoll": True}, {}, "polled"),
        ({}, {"trim_share": 0.5, "read_share": 0.5}, "trimmed_reads"),
        ({"worker_cpus": (0,)}, {}, "not_pinned"),
    ],
)
def test_a_reader_is_told(changes: dict[str, Any], profile: dict[str, Any], code: str) -> None:
    point = make_point(profile=make_profile(**profile)).model_copy(update=changes)
    reading = make_reading(make_point())
    verdict = judge(point, reading, Observation(), contents="written", optimised=True)
    assert code in {note.code for note in verdict.notes}
    plain = judge(make_point(), reading, Observation(), contents="written", optimised=True)
    assert code not in {note.code for note in plain.notes}


def test_think_time_is_no_fault_of_the_host() -> None:
    point = make_point(profile=make_profile(think_time_us=500))
    reading = make_reading(make_point())
    idle = tuple(worker.model_copy(update={"io_time_s": 0.1}) for worker in reading.workers)
    reading = reading.model_copy(update={"workers": idle})
    codes = {
        note.code for note in judge(point, reading, Observation(), contents="written", optimised=True).notes
    }
    assert "depth_not_reached" not in codes
