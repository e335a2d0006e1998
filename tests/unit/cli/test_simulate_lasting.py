"""Points that last for hard disks while faster parts go on are told with what they come to, and no others."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import iodyno
from command_line import Bench, CommandLine
from iodyno import bench as bench_module
from iodyno.cli import lasting
from iodyno.cli.lasting import Longer, longer
from iodyno.plan import Plan
from iodyno.study import load_study, on_systems, plan_simulation, resolve_all
from iodyno.study.systems import resolve

BEATS_S = 16
"""Eight beats of disks of 15,000 revolutions per minute that differ by 0.2 %: 4000 revolutions."""
SYSTEM = """
schema = 1
name = "mixed"
title = "Disks and SSDs"
[host]
processor = "epyc-9354"
software = ["linux-nvme", "linux-scsi"]
[[controller]]
part = "praid-cp400i"
mode = "performance"
[[controller.logical]]
drive = "hgst-huc156045css204"
count = 4
level = "0"
drive_cache = "off"
[[drives]]
drive = "samsung-pm1743-7680"
count = 3
"""
HEAD = """
schema = 1
name = "made"
title = "Made"
[simulation]
warmup_ios = 200
floor_ios = 200
cap_ios = 800
"""
SWEEP = """
[[sweep]]
name = "all"
profiles = ["restore"]
workers = [2]
"""
FEW = "outstanding = [16]\n"


@pytest.fixture
def mixed(tmp_path: Path) -> Path:
    """A system of an array of disks, which is the first volume, and three SSDs."""
    path = tmp_path / "mixed.toml"
    path.write_text(SYSTEM)
    return path


def study_of(path: Path, *sweeps: str) -> Path:
    study = path.parent / "made.toml"
    study.write_text(HEAD + "".join(sweeps))
    return study


def planned(path: Path, *sweeps: str) -> Plan:
    study = on_systems(load_study(study_of(path, *sweeps)), [str(path)])
    return plan_simulation(study, resolve_all(study.configurations, resolve))


@pytest.mark.parametrize(
    ("more", "rate_io_s"),
    [
        # Of the rate of four targets the SSDs have three quarters, whoever drives them.
        ("rate_io_s = [2000]\n", 1500),
        ("rate_io_s = [2000]\ntargets_per_worker = 2\n", 1500),
        ("rate_io_s = [1000]\ntargets = [1, 2]\n", 500),
        # One load on the disks, one on an SSD, which begins later.
        ("rate_io_s = [100]\ntargets = [1]\n[[sweep.beside]]\nprofile = 'database'\nrate_io_s = 1000\n"
         "outstanding = 16\ntargets = [3]\nbegins_after_s = 4\n", 1000),
        # The first load is on an SSD.
        ("rate_io_s = [900]\ntargets = [4]\n[[sweep.beside]]\nprofile = 'restore'\nrate_io_s = 100\n"
         "outstanding = 16\ntargets = [1]\n", 900),
    ],
)  # fmt: skip
def test_what_goes_on_beside_disks_is_what_is_simulated(mixed: Path, more: str, rate_io_s: float) -> None:
    """A rate that was asked for tells how many I/Os the SSDs have in the time of the disks."""
    plan = planned(mixed, SWEEP, FEW, more)
    (found,) = longer(plan)
    (system,) = plan.systems.values()
    assert found.lasts_s == BEATS_S + found.point.all_begun_s
    assert found.ios == pytest.approx(found.lasts_s * rate_io_s, rel=0.1)
    reading = bench_module.simulate_point(found.point, system)
    own = {target.path for target in found.beside.targets}
    every = zip(found.point.targets, reading.per_target, strict=True)
    completed = sum(one.reads + one.writes for target, one in every if target.path in own)
    assert reading.measured_s >= BEATS_S
    assert completed == pytest.approx(reading.measured_s * rate_io_s, rel=0.05)


@pytest.mark.parametrize(
    "more",
    [
        FEW + "rate_io_s = [2000]\ntargets = [1]\n",  # the disks alone
        FEW + "rate_io_s = [2000]\ntargets = [2, 3, 4]\n",  # the SSDs alone
        FEW + "rate_io_s = [200]\n",  # 2,400 I/Os of the SSDs are no more than the rule allows
        "outstanding = [4]\nprofiles = ['file-server']\n",  # what is random lasts for no disks
    ],
)
def test_what_is_no_longer_than_its_rule_allows_is_not_told(
    mixed: Path, iodyno_says: CommandLine, more: str
) -> None:
    sweep = SWEEP.replace('profiles = ["restore"]\n', "") if "profiles" in more else SWEEP
    said = iodyno_says("simulate", study_of(mixed, sweep, more), "--on", mixed, "--plan")
    assert said.code == 0, said.err
    assert "\nlong " not in said.out
    assert longer(planned(mixed, sweep, more)) == []


def test_a_plan_says_which_points_are_long_and_by_what(mixed: Path, iodyno_says: CommandLine) -> None:
    study = study_of(mixed, SWEEP, FEW, 'rate_io_s = [2000, 40000]\n[[sweep]]\nname = "ssds"\n')
    study.write_text(study.read_text() + "profiles = ['restore']\ntargets = [2, 3]\noutstanding = [4]\n")
    said = iodyno_says("simulate", study, "--on", mixed, "--plan")
    assert said.code == 0, said.err
    found = re.search(r"^long +(.*\n(?: .*\n)*)", said.out, re.MULTILINE)
    assert found is not None, said.out
    told = " ".join(found[1].split())
    which, _, text = told.partition(": ")
    assert which == "2 points, sweep all"
    ios = re.match(r"about ([\d,]+) I/Os in the longest: while disks take 16 s of virtual time, ", text)
    assert ios is not None, text
    assert float(ios[1].replace(",", "")) == pytest.approx(BEATS_S * 30_000, rel=0.1)
    assert "volume-2, volume-3, volume-4 go on at about" in text


@pytest.mark.parametrize(
    ("pace_io_s", "told"), [(2e5, "about 0:16 here, all of them about 0:24 with 2 at a time"), (2e6, "")]
)
def test_a_run_says_it_of_what_takes_long_here(
    mixed: Path,
    iodyno_says: CommandLine,
    bench: Bench,
    monkeypatch: pytest.MonkeyPatch,
    pace_io_s: float,
    told: str,
) -> None:
    """16 s at 200,000 I/Os a second are 3,200,000, which take 16 s where as many are simulated in one; three
    points take 48, on two cores 24."""
    monkeypatch.setattr(lasting, "_trial", lambda beside, plan: (2e5, pace_io_s))
    monkeypatch.setattr(iodyno.bench, "processors", lambda: 2, raising=False)
    study = study_of(mixed, SWEEP, "outstanding = [1, 2, 4]\n")
    said = iodyno_says("simulate", study, "--on", mixed)
    assert said.code == 0, said.err
    notes = [line for line in said.err.splitlines() if "come to" in line]
    assert len(notes) == (1 if told else 0)
    if told:
        assert notes[0].startswith("note: 3 points come to about 3,200,000 I/Os in the longest: while disks")
        assert notes[0].endswith(f"go on at about 200,000 IO/s; that takes {told}")
        assert "hint: in sweeps of their own (targets = …) disks" in said.err
    assert "come to" not in iodyno_says("simulate", study, "--on", mixed, "--quiet").err


def test_what_is_done_already_is_not_told(mixed: Path, bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lasting, "_trial", lambda beside, plan: (2e5, 1e6))
    plan = planned(mixed, SWEEP, "outstanding = [1, 2, 4]\n")
    left: list[Longer] = longer(plan, {0, 2})
    assert [one.point.index for one in left] == [1]
