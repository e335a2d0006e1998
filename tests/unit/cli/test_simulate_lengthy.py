"""Simulations with very many I/Os in flight are told of before they begin, or refused."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import iodyno
from command_line import Bench, CommandLine
from iodyno import bench as bench_module
from iodyno import in_flight
from iodyno.cli import lengthy
from iodyno.errors import EngineError, ProfileError
from iodyno.store import Store
from iodyno.study import (
    Overrides,
    Rates,
    load_study,
    on_systems,
    parse_study,
    plan_simulation,
    resolve_all,
    simulating,
)
from iodyno.study.systems import resolve

MANY = ("simulate", "quick", "--on", "p3700", "--profile", "random-read-4k")
ALL = ("--workers", "1024", "--outstanding", "4096")
IN_FLIGHT = 1024 * 4096
LEAST_IOS = (24 + 24) * IN_FLIGHT
"""Rounds before anything counts and rounds that do, of docs/guides/simulating.md, each of all in flight."""


@pytest.fixture
def slow(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> Bench:
    """A machine that simulates a million I/Os a second, and has 8 GiB."""
    monkeypatch.setattr(lengthy, "trial_io_s", lambda point, plan: 1e6)
    monkeypatch.setattr(iodyno.bench, "available_memory", lambda: 8 << 30, raising=False)
    monkeypatch.setattr(iodyno.bench, "processors", lambda: 2, raising=False)
    return bench


def test_millions_of_ios_in_flight_are_told_before_they_are_simulated(
    iodyno_says: CommandLine, slow: Bench
) -> None:
    said = iodyno_says(*MANY, *ALL)
    assert said.code == 0
    assert slow.measured == [0]
    told = said.err.splitlines()
    assert told[0].startswith(
        f"note: 1 point keeps {IN_FLIGHT:,} I/Os in flight: it simulates {LEAST_IOS:,} at"
    )
    assert "about 3:21 here" in told[0]  # 201 s
    assert told[1].startswith("hint: fewer --workers or --outstanding")
    assert iodyno_says(*MANY, *ALL, "--quiet").err == ""


@pytest.mark.parametrize(
    ("jobs", "expected"),
    [("1", "about 5:02"), ("2", "about 3:21 with 2 at a time"), ("8", "about 3:21 with 2 at a time")],
)
def test_of_several_points_the_sum_is_told_beside_the_longest(
    iodyno_says: CommandLine, slow: Bench, jobs: str, expected: str
) -> None:
    """48 rounds of 4 Mi and of 2 Mi I/Os, at 1,000,000 a second: 201.3 s and 100.7 s.

    Two at a time are done when the longer is: 201.3 s, though half of the sum is 151.0 s.
    """
    said = iodyno_says(*MANY, "--workers", "1024", "--outstanding", "2048,4096", "--jobs", jobs)
    assert said.code == 0
    note = said.err.splitlines()[0]
    assert f"the longest of them simulates {LEAST_IOS:,} at the least, which takes about 3:21 here" in note
    assert note.endswith(f"; all of them simulate {LEAST_IOS * 3 // 2:,}, {expected}")


@pytest.mark.parametrize("few", [("--outstanding", "1,4096"), ("--workers", "16", "--outstanding", "1024")])
def test_what_is_soon_done_is_not_told(iodyno_says: CommandLine, slow: Bench, few: tuple[str, ...]) -> None:
    """16,384 · 48 I/Os are 0.8 s."""
    said = iodyno_says(*MANY, *few)
    assert (said.code, said.err) == (0, "")
    assert slow.measured


@pytest.mark.parametrize(
    ("available", "instead"), [(1 << 30, "hint: fewer"), (2 << 30, "hint: take --jobs 1, or")]
)
def test_what_memory_cannot_hold_is_refused_and_no_run_is_kept(
    iodyno_says: CommandLine, slow: Bench, monkeypatch: pytest.MonkeyPatch, available: int, instead: str
) -> None:
    """Two points at a time with 4 Mi I/Os each need 400 bytes · 8 Mi = 3200 MiB, and one 1600 MiB."""
    monkeypatch.setattr(iodyno.bench, "available_memory", lambda: available)
    said = iodyno_says(*MANY, *ALL, "--profile", "database")
    assert said.code == 2
    assert (
        "error: outstanding I/Os: 8,388,608 in flight, 2 points at a time, take 3200M of memory" in said.err
    )
    assert instead in said.err
    assert slow.measured == []
    with Store.open() as store:
        assert store.runs() == []


@pytest.mark.parametrize(
    ("available", "hint"),
    [
        (1 << 30, "fewer workers= or outstanding= show"),
        (2 << 30, "take jobs=1, or fewer workers= or outstanding="),
    ],
)
def test_python_refuses_what_memory_cannot_hold_in_words_of_its_arguments(
    slow: Bench, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, available: int, hint: str
) -> None:
    monkeypatch.setattr(iodyno.bench, "available_memory", lambda: available)
    asked: dict[str, Any] = {"profiles": ["random-read-4k", "database"], "workers": 1024, "outstanding": 4096}
    with Store.open(tmp_path / "runs.db") as store:
        with pytest.raises(ProfileError) as refused:
            iodyno.simulate("quick", "p3700", **asked, store=store)
        assert store.runs() == []
    (problem,) = refused.value.problems
    assert str(problem).startswith(
        "outstanding I/Os: 8,388,608 in flight, 2 points at a time, take 3200M of memory or more, and "
    )
    assert problem.hint.startswith(hint)
    assert "--" not in problem.hint
    assert slow.measured == []
    if available == 2 << 30:
        assert len(iodyno.simulate("quick", "p3700", **asked, jobs=1).results) == 2


def test_where_memory_is_not_told_nothing_is_refused(
    iodyno_says: CommandLine, slow: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(iodyno.bench, "available_memory", lambda: None)
    assert iodyno_says(*MANY, *ALL).code == 0
    assert slow.measured == [0]


@pytest.mark.parametrize(
    ("rate", "told"), [("50%", "3 points may have up to"), ("1000", "1 point may have up to")]
)
def test_an_open_loop_that_may_have_millions_in_flight_is_told(
    iodyno_says: CommandLine, slow: Bench, monkeypatch: pytest.MonkeyPatch, rate: str, told: str
) -> None:
    """Two rounds of the most that may be outstanding, and the 20,000 I/Os that the study counts at the least.

    Of a share the closed loops that it is a share of are among the points; they are shorter: 48 · 131,072.
    """
    monkeypatch.setattr(lengthy, "trial_io_s", lambda point, plan: 5e5)
    said = iodyno_says(*MANY, *ALL, "--rate", rate)
    assert said.code == 0
    ios = 2 * IN_FLIGHT + 20_000
    first, second = said.err.splitlines()[:2]
    assert first.startswith(f"note: {told} {IN_FLIGHT:,} I/Os in flight: ")
    assert f"simulates {ios:,} at the least, which takes about 0:17 here, and 512M of memory" in first
    assert second.startswith(
        "hint: fewer --workers or --outstanding show the same as long as they are enough"
    )
    few = ("--workers", "64", "--outstanding", "4096", "--rate", rate)  # 2 · 262,144 I/Os take a second
    assert iodyno_says(*MANY, *few).err == ""


def test_an_open_loop_that_memory_cannot_hold_is_refused(
    iodyno_says: CommandLine, slow: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    """128 bytes · 4 Mi are 512 MiB, for each of two points at a time."""
    monkeypatch.setattr(iodyno.bench, "available_memory", lambda: 1000 << 20)
    said = iodyno_says(*MANY, *ALL, "--rate", "1000,2000")
    assert said.code == 2
    assert "8,388,608 in flight, 2 points at a time, take 1G of memory or more, and 1000M is" in said.err
    assert "hint: take --jobs 1, or fewer" in said.err
    assert iodyno_says(*MANY, *ALL, "--rate", "1000,2000", "--jobs", "1").code == 0


MEASURE = """
import sys
from pathlib import Path
from iodyno import bench
from iodyno.study import Overrides, Rates, load_study, on_systems, plan_simulation, resolve_all
from iodyno.study.systems import resolve

study = on_systems(load_study("quick"), ["p3700"])
systems = resolve_all(study.configurations, resolve)
rates = Rates(io_s=(float(sys.argv[2]),)) if sys.argv[2:] else None
load = {"workers": (int(sys.argv[1]),), "outstanding": (4096,), "rates": rates}
choices = Overrides(profiles=("random-read-4k",), **load)
bench.simulate_point(plan_simulation(study, systems, choices).points[0], systems["p3700"])
lines = Path("/proc/self/status").read_text().splitlines()
print(next(line.split()[1] for line in lines if line.startswith("VmHWM:")))
"""


def _most_memory(workers: int, *rate: str) -> int:
    """Give what the kernel says a process took at the most that simulates so many workers, in bytes."""
    words = (sys.executable, "-c", MEASURE, str(workers), *rate)
    return int(subprocess.run(words, capture_output=True, text=True, check=True).stdout) * 1024


def test_an_io_in_flight_takes_no_less_memory_than_is_said() -> None:
    grown = (_most_memory(32) - _most_memory(8)) / (24 * 4096)
    assert in_flight.LEAST_BYTES <= grown < 2 * in_flight.LEAST_BYTES


def test_what_an_open_loop_may_have_in_flight_takes_no_less_memory_than_is_said() -> None:
    """At 1,000 I/Os a second hardly one is in flight."""
    grown = (_most_memory(128, "1000") - _most_memory(32, "1000")) / (96 * 4096)
    assert in_flight.SLOT_BYTES <= grown < 2 * in_flight.SLOT_BYTES


@pytest.mark.parametrize("rates", [Rates(io_s=(1000.0,)), Rates(shares=(0.5,))])
def test_the_trial_of_an_open_loop_needs_no_rate(rates: Rates) -> None:
    """Shares are known when the closed loops before them are done."""
    study = on_systems(load_study("quick"), ["p3700"])
    systems = resolve_all(study.configurations, resolve)
    choices = Overrides(profiles=("database",), workers=(64,), outstanding=(4096,), rates=rates)
    plan = plan_simulation(study, systems, choices)
    assert 1e3 < lengthy.trial_io_s(plan.points[-1], plan) < 1e9


def test_the_trial_tells_no_less_than_what_is_simulated() -> None:
    """Of 1,000 I/Os counted and 200 not: neither none nor a rate that no computer has."""
    study = on_systems(load_study("quick"), ["p3700"])
    systems = resolve_all(study.configurations, resolve)
    choices = Overrides(profiles=("database",), workers=(64,), outstanding=(4096,))
    plan = plan_simulation(study, systems, choices)
    assert 1e3 < lengthy.trial_io_s(plan.points[0], plan) < 1e9


def test_what_is_available_is_what_the_kernel_says_or_less() -> None:
    from iodyno import bench

    available = bench.available_memory()
    lines = Path("/proc/meminfo").read_text("ascii").splitlines()
    total = next(int(line.split()[1]) for line in lines if line.startswith("MemTotal:")) << 10
    assert available is None or 0 < available <= total


BESIDE = """
schema = 1
name = "beside"
title = "Beside"
[[sweep]]
name = "loads"
profiles = ["database"]
outstanding = [4096]
workers = [{workers}]
[[sweep.beside]]
profile = "streaming"
outstanding = 4096
workers = {others}
"""


@pytest.mark.parametrize(("workers", "others", "code"), [(1024, 1, 2), (512, 512, 130)])
def test_more_in_flight_than_can_be_simulated_is_refused_before_a_run_is_begun(
    iodyno_says: CommandLine, slow: Bench, tmp_path: Path, workers: int, others: int, code: int
) -> None:
    slow.interrupt_at = 0
    study = tmp_path / "beside.toml"
    study.write_text(BESIDE.format(workers=workers, others=others), "utf-8")
    said = iodyno_says("simulate", study, "--on", "p3700")
    assert said.code == code
    if code == 2:
        flight = (workers + others) * 4096
        assert f"keeps {flight:,} I/Os in flight in all, and {IN_FLIGHT:,} can be simulated" in said.err
        with Store.open() as store:
            assert store.runs() == []
    else:
        assert f"keeps {IN_FLIGHT:,} I/Os in flight" in said.err
        assert "--analytic" not in said.err  # formulas know one load at a time


def test_the_plan_allows_what_the_simulator_does(monkeypatch: pytest.MonkeyPatch) -> None:
    most = simulating.MOST_IN_FLIGHT
    monkeypatch.setattr(simulating, "MOST_IN_FLIGHT", 2 * most)
    study = on_systems(parse_study(BESIDE.format(workers=most // 4096, others=1)), ["p3700"])
    systems = resolve_all(study.configurations, resolve)
    (point,) = plan_simulation(study, systems).points
    with pytest.raises(EngineError, match=f"1 to {most} can be simulated"):
        bench_module.simulate_point(point, systems["p3700"])


def test_a_comparison_tells_what_answers_sooner(iodyno_says: CommandLine, slow: Bench) -> None:
    said = iodyno_says(*MANY, *ALL, "--analytic", "--compare")
    assert "without --compare it is calculated at once" in said.err
    assert iodyno_says(*MANY, *ALL, "--analytic").err == ""
