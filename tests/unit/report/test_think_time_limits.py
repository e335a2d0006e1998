"""Loads that pause for most of the time: the think time asked for is the limit, not the latency."""

from __future__ import annotations

import csv
import re
from dataclasses import replace
from pathlib import Path

import pytest

from command_line import CommandLine
from factories import make_stored_run
from iodyno.analysis.bottleneck import limited, think_share, thinks
from iodyno.analysis.figures import PointFigures
from iodyno.analysis.run import analyse
from iodyno.reading import Cause
from iodyno.report import paper
from iodyno.report.document import Bullets, Document, Paragraph, Table
from iodyno.report.messages import plain
from iodyno.store import Store

STUDY = """
schema = 1
name = "thinking"
title = "Thinking"
[[profile]]
name = "pausing"
random_share = 1
read_share = 1
blocks = "4k"
think_time_us = "{think}"
think_every = {every}
[[sweep]]
name = "one"
profiles = ["pausing"]
outstanding = [1, 8]
workers = [2]
"""
SHORT = ("--on", "p3700", "--area", "8G", "--warmup-ios", "500", "--floor-ios", "2000", "--cap-ios", "20000")
ASKED = r"think time asked for; the busiest station: [^,;]+ \d+\.\d%"


def simulated(iodyno_says: CommandLine, tmp_path: Path, think: str = "1ms", every: int = 1) -> str:
    study = tmp_path / "thinking.toml"
    study.write_text(STUDY.format(think=think, every=every))
    said = iodyno_says("simulate", study, *SHORT)
    assert said.code == 0, said.err
    return said.out


def figures() -> list[PointFigures]:
    with Store.open() as store:
        return [at for item in analyse(store.load("latest")).curves for at in item.curve.points]


def made(language: str = "en") -> Document:
    with Store.open() as store:
        return paper.build(store.load("latest"), language)


def on_a_busy_host(at: PointFigures, *more: str) -> PointFigures:
    """Give a point as if it had been measured while all processors were busy."""
    notes = tuple(Cause(code=code) for code in ("host_busy", *more))
    return replace(at, simulation=None, verdict=at.verdict.model_copy(update={"notes": notes}))


@pytest.mark.parametrize("every", [1, 8])
def test_the_share_is_what_is_left_of_a_cycle_without_the_latency(
    iodyno_says: CommandLine, tmp_path: Path, every: int
) -> None:
    """One access at a time: a cycle is n × latency + pause (docs/guides/studies.md)."""
    simulated(iodyno_says, tmp_path, every=every)
    at = figures()[0]
    latency_ms = at.latency_ms_mean.value
    assert at.outstanding == 1
    assert think_share(at) == pytest.approx(1 / (1 + every * latency_ms), rel=0.02)


def test_terminal_and_export_name_the_think_time(iodyno_says: CommandLine, tmp_path: Path) -> None:
    assert re.search(ASKED, simulated(iodyno_says, tmp_path))
    assert len(re.findall(ASKED, iodyno_says("show").out)) == 2
    table = tmp_path / "points.csv"
    assert iodyno_says("export", "latest", "-o", table).code == 0
    with table.open() as file:
        assert {row["limited_by"] for row in csv.DictReader(file)} == {"think"}
    study = tmp_path / "thinking.toml"
    assert re.search(ASKED, iodyno_says("simulate", study, *SHORT, "--outstanding", "1", "--analytic").out)


def test_a_short_pause_leaves_the_limit_to_the_latency(iodyno_says: CommandLine, tmp_path: Path) -> None:
    """10 µs beside some 80 are less than half."""
    assert "latency: media of the drive" in simulated(iodyno_says, tmp_path, "10us")
    assert all(0 < think_share(at) < 0.5 and not thinks(at) for at in figures())


def test_the_paper_promises_nothing_of_more_outstanding_ios(iodyno_says: CommandLine, tmp_path: Path) -> None:
    simulated(iodyno_says, tmp_path)
    document = made()
    said = " ".join(plain(block.text) for block in document.blocks if isinstance(block, Paragraph))
    assert "the think time is the limit: more outstanding I/Os would bring little" in said
    assert "No station is saturated at any of the maxima: the latency is the limit" not in said
    (table,) = [block for block in document.blocks if isinstance(block, Table)
                and block.key == "table-bottlenecks"]  # fmt: skip
    assert "think time" in [str(plain(cell.text)) for row in table.rows for cell in row]
    assert any("Denkzeit" in str(block) for block in made("de").blocks if isinstance(block, Table))


@pytest.mark.parametrize(
    ("every", "said"),
    [
        (4, "unless a load with think time may have all accesses between two pauses outstanding"),
        (9, "There more outstanding I/Os bring more as a rule."),
    ],
)
def test_more_outstanding_than_there_are_between_pauses_bring_nothing(
    iodyno_says: CommandLine, tmp_path: Path, every: int, said: str
) -> None:
    """The latency is the limit at both loads: of four between two pauses at most four are outstanding."""
    simulated(iodyno_says, tmp_path, "10us", every)
    assert all(at.simulation and at.simulation.bottleneck.kind == "outstanding" for at in figures())
    assert said in " ".join(plain(block.text) for block in made().blocks if isinstance(block, Paragraph))


def test_nobody_is_told_to_choose_by_rates_that_the_pauses_give(
    iodyno_says: CommandLine, tmp_path: Path
) -> None:
    """Four workers pause as long as one: four times the rate is what was asked, and no merit of anything."""
    study = tmp_path / "thinking.toml"
    for think, advised in (("10ms", False), ("0us", True)):
        study.write_text(STUDY.format(think=think, every=1).replace("[2]", "[1, 4]"))
        assert iodyno_says("simulate", study, *SHORT).code == 0
        advice = [str(item) for block in made().blocks if isinstance(block, Bullets) for item in block.items]
        assert any("choose 4 workers" in item for item in advice) == advised


def test_a_measured_load_that_pauses_is_limited_by_its_pauses(
    iodyno_says: CommandLine, tmp_path: Path
) -> None:
    """Its curve is level, for think time keeps it there: no device is at its end."""
    simulated(iodyno_says, tmp_path)
    with Store.open() as store:
        (item,) = analyse(store.load("latest")).curves
    real = [replace(at, simulation=None) for at in item.curve.points]
    assert {limited(at, item.saturation).by for at in real} == {"think"}


@pytest.mark.parametrize(("think", "by"), [("1ms", "think"), ("10us", "host")])
def test_pauses_limit_a_load_on_a_busy_host(
    iodyno_says: CommandLine, tmp_path: Path, think: str, by: str
) -> None:
    """Others may keep the processors busy: a worker that pauses for 9 of 10 parts of its time does not."""
    simulated(iodyno_says, tmp_path, think)
    with Store.open() as store:
        (item,) = analyse(store.load("latest")).curves
    assert {limited(on_a_busy_host(at), item.saturation).by for at in item.curve.points} == {by}


@pytest.mark.parametrize(
    ("more", "overloaded", "by"), [((), False, "rate"), (("late_starts",), False, "host"), ((), True, "host")]
)
def test_a_rate_that_is_served_limits_a_load_on_a_busy_host(
    more: tuple[str, ...], overloaded: bool, by: str
) -> None:
    stored = make_stored_run(profiles=("database",), intensities=(1, 2))
    (item,) = analyse(stored).curves
    for at in item.curve.points:
        offered = replace(on_a_busy_host(at, *more), point=at.point.model_copy(update={"rate_io_s": 100.0}))
        if overloaded:
            verdict = offered.verdict.model_copy(update={"causes": (Cause(code="queue_grew"),)})
            offered = replace(offered, verdict=verdict)
            assert offered.verdict.overloaded
        assert limited(offered, item.saturation).by == by


def test_a_mean_latency_has_the_same_digits_on_the_title_page_and_in_tables(
    iodyno_says: CommandLine, tmp_path: Path
) -> None:
    """It has no interval beside think time: three digits, as percentiles have."""
    simulated(iodyno_says, tmp_path)
    at = figures()[0]
    assert at.latency_ms_mean.half_width is None
    written = f"{at.latency_ms_mean.value:#.3g}"
    document = made()
    (told,) = [figure for name, figure, _ in document.title_page.summary if "latency" in name]
    assert told == f"{written} ms"
    tables = [block for block in document.blocks if isinstance(block, Table)]
    assert any(str(plain(cell.text)) == written for table in tables for row in table.rows for cell in row)


BESIDE = """
[[profile]]
name = "busy"
random_share = 1
read_share = 1
blocks = "{blocks}"
shown_as = "transaction_rate"
[[sweep]]
name = "two"
profiles = ["busy"]
outstanding = [1, 8]
workers = [2]
"""


@pytest.mark.parametrize(
    ("blocks", "said"),
    [("4k", True), ("1m", False)],
)
def test_pauses_of_one_profile_leave_the_highest_rate_to_the_others(
    iodyno_says: CommandLine, tmp_path: Path, blocks: str, said: bool
) -> None:
    """Two workers that pause for 1 ms are below 2,000 IO/s; reads of 1 MB from one drive are some 2,500 IO/s,
    and with pauses of 200 us those of 4 kB come to more than that: the highest figure may be no maximum."""
    study = tmp_path / "thinking.toml"
    think = "1ms" if said else "200us"
    study.write_text(STUDY.format(think=think, every=1) + BESIDE.format(blocks=blocks))
    assert iodyno_says("simulate", study, *SHORT).code == 0
    told = " ".join(plain(block.text) for block in made().blocks if isinstance(block, Paragraph))
    assert ("The highest transaction rate is" in told) == said
    assert "by pausing" not in told
