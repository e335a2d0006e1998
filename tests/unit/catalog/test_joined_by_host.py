"""Drives that a controller passes through, and the host joins: what can be, and what it comes to."""

from __future__ import annotations

from typing import Any

import pytest

from iodyno import bench
from iodyno.analysis.interfaces import chain
from iodyno.analysis.things import Described, Difference, differences
from iodyno.catalog.checks import check
from iodyno.catalog.parts import ControllerPart, SoftwarePart
from iodyno.catalog.resolve import resolve
from iodyno.catalog.shelf import Catalog, shipped
from iodyno.catalog.tree import SystemSpec, system_of
from iodyno.plan import PlannedTarget, Point, Stopping
from iodyno.profiles import STANDARD_LOADS, Block, LoadProfile
from iodyno.report.messages import Messages
from iodyno.report.sentences.change import _difference
from iodyno.study.expand import Draft
from iodyno.study.operations import untrimmed_problems
from iodyno.virtual import OnHostRaid, OnLogical, VirtualSystem

SSD = "toshiba-px02smf040"
ADAPTER = shipped().take("psas-cp400i", ControllerPart)
DRIVES = 8


def _spec(
    part: str = "psas-cp400i", software: str = "linux-scsi", of_controller: Any = None, **changes: Any
) -> SystemSpec:
    logical = {"drive": SSD, "count": DRIVES, "level": "5", "raid": "host", **changes}
    controller = {"part": part, "logical": [logical], **(of_controller or {})}
    host = {"processor": "xeon-e5-2660-v3", "processors": 2, "software": software}
    return system_of({"name": "made", "host": host, "controller": [controller]})


def _made(**changes: Any) -> VirtualSystem:
    return resolve(_spec(**changes))


def _told(spec: SystemSpec) -> dict[str, str]:
    return {problem.where.split(": ")[1]: problem.what for problem in check(spec)}


def test_each_drive_is_passed_through_and_the_host_has_the_array() -> None:
    system = _made(strip="128k")
    (volume,), (adapter,) = system.volumes, system.controllers
    assert isinstance(volume.on, OnHostRaid)
    array = volume.on.array
    assert (array.level, array.strip_bytes, len(array.drives)) == ("5", 128 << 10, DRIVES)
    member = system.drives[0].model.capacity_bytes // array.strip_bytes * array.strip_bytes
    assert volume.size_bytes == (DRIVES - 1) * member
    assert [logical.array.drives for logical in adapter.logicals] == [(drive,) for drive in array.drives]
    assert {logical.array.level for logical in adapter.logicals} == {"JBOD"}
    software = shipped().take("linux-scsi", SoftwarePart).model
    assert volume.child_cpu.read_ps == round(software["child_read"].value / 2.6e9 * 1e12)
    limits = chain(system)
    assert limits.media == sum(chain(_made(level="JBOD", count=1)).media for _ in range(DRIVES))
    assert limits.host == chain(_made(level="JBOD")).host


def test_without_a_level_nothing_is_joined() -> None:
    joined, alone = _made(level="JBOD"), _made(level="JBOD", raid=None)
    assert joined == alone
    assert all(isinstance(volume.on, OnLogical) for volume in joined.volumes)


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({}, {}),
        ({"level": "6", "strip": "4k", "failed": [0, 1]}, {}),
        ({"part": "praid-ep420i"},
         {"controller[0].logical[0].raid":
          "PRAID EP420i joins drives itself, and passes none through to the host"}),
        ({"software": "windows-raw-megaraid"},
         {"controller[0].logical[0].level": "Windows, raw device, MegaRAID driver has no RAID 5"}),
        ({"level": "50"}, {"controller[0].logical[0].level": "Linux, SCSI driver, io_uring has no RAID 50"}),
        ({"raid": None, "level": "JBOD", "strip": "64k"},
         {"controller[0].logical[0].strip": "without a RAID level each drive is a volume of its own"}),
        ({"raid": "host", "level": "JBOD", "strip": "64k"},
         {"controller[0].logical[0].strip": "without a RAID level each drive is a volume of its own"}),
        ({"level": "10", "count": 3},
         {"controller[0].logical[0].count": "RAID 10 of 3 drives is not modelled"}),
        ({"level": "10", "count": 2},
         {"controller[0].logical[0].count": "RAID 10 of 2 drives is not modelled"}),
        ({"level": "10", "count": 3, "software": "windows-2012-ntfs-nvme"},
         {"controller[0].logical[0].count": "RAID 10 needs an even number of drives, not 3"}),
        ({"strip": "96k", "count": 2},
         {"controller[0].logical[0].strip": "the operating system has no strips of 96k",
          "controller[0].logical[0].count": "RAID 5 needs at least 3 drives, not 2"}),
        ({"failed": [1, 2]}, {"controller[0].logical[0].failed": "RAID 5 does not survive that"}),
        ({"failed": [1], "rebuild_mb_s": 100},
         {"controller[0].logical[0].rebuild_mb_s":
          "the host joins the drives, whose rebuilding is not modelled"}),
        ({"read": "read-ahead"},
         {"controller[0].logical[0].read":
          "PSAS CP400i passes drives of JBOD through, and reads nothing ahead"}),
        ({"part": "c610", "software": "windows-onboard-raid", "raid": "controller", "level": "0", "count": 2,
          "drive": "intel-ssdsc2ba400g3c"},
         {"controller[0].logical[0].raid": "C610 (onboard) leaves RAID to the host"}),
    ],
)  # fmt: skip
def test_what_can_be_joined_and_what_is_refused(changes: dict[str, Any], told: dict[str, str]) -> None:
    assert _told(_spec(**changes)) == told


def _point(system: VirtualSystem, read_share: float, outstanding: int) -> Point:
    profile = LoadProfile(name="small", random_share=1.0, read_share=read_share, blocks=(Block(bytes=4096),))
    stopping = Stopping(
        warmup_s=0, floor_s=1, cap_s=60, precision=0.01, confidence=0.95,
        warmup_ios=4_000, floor_ios=20_000, cap_ios=20_000,
    )  # fmt: skip
    (volume,) = system.volumes
    size = volume.size_bytes // 4096 * 4096
    target = PlannedTarget(path=volume.name, kind="virtual", size_bytes=size, area_length_bytes=size)
    return Point(
        index=0, sweep="s", profile=profile, outstanding=outstanding, workers=8, seed=1, engine="simulator",
        targets=(target,), system=system.name, stopping=stopping,
    )  # fmt: skip


@pytest.mark.parametrize(
    ("level", "read_share", "operations"),
    [("0", 0.0, 1), ("10", 0.0, 2), ("5", 0.0, 4), ("6", 0.0, 6), ("5", 1.0, 1)],
)
def test_the_adapter_passes_on_each_operation_of_the_host(
    level: str, read_share: float, operations: int
) -> None:
    """Where its processor is the limit, by simulator and formulas: one of its I/Os for each operation."""
    system = _made(level=level)
    numbers = ADAPTER.model
    one_s = float(numbers["host_io"].value + numbers["disk_io"].value) / 1e6
    asked = _point(system, read_share, 8)
    for answer in (bench.simulate_point, bench.predict_point):
        reading = answer(asked, system)
        assert reading.transaction_rate_io_s * operations * one_s == pytest.approx(1, rel=0.005)
        assert reading.simulation is not None
        assert reading.simulation.bottleneck.station == "PSAS CP400i: processor"


@pytest.mark.parametrize("level", ["0", "10", "5", "6"])
def test_formulas_and_simulator_agree_where_nothing_is_the_limit(level: str) -> None:
    system = _made(level=level)
    asked = _point(system, 0.67, 2)
    simulated, calculated = bench.simulate_point(asked, system), bench.predict_point(asked, system)
    ratio = calculated.transaction_rate_io_s / simulated.transaction_rate_io_s
    assert 0.85 < ratio < 1.15


def _cached(fast_path: bool = True) -> Catalog:
    """Give a catalogue with a controller that has a cache, and passes drives through."""
    part = shipped().take("praid-ep420i", ControllerPart)
    changes = {"name": "own", "title": "Own", "levels": ("JBOD", "0"), "fast_path": fast_path}
    return Catalog([*shipped().parts.values(), part.model_copy(update=changes)])


@pytest.mark.parametrize(
    ("settings", "told"),
    [
        ({"mode": "fast-path-optimum"}, {}),
        ({"mode": "data-protection", "read": "no-read-ahead"}, {}),
        ({"write": "always-write-back"},
         {"write": "the host joins the drives, and Own has them always-write-back"}),
        ({"cache": "cached"}, {"cache": "the host joins the drives, and Own has them cached"}),
    ],
)  # fmt: skip
def test_what_the_host_joins_no_controller_caches(settings: dict[str, str], told: dict[str, str]) -> None:
    problems = check(_spec("own", of_controller=settings), _cached())
    found = {problem.where.rpartition(".")[2]: problem.what for problem in problems}
    assert found == told


@pytest.mark.parametrize("fast_path", [True, False])
def test_what_the_host_joins_takes_the_fast_path_of_the_controller(fast_path: bool) -> None:
    """By the formulas as in the simulator, where its processor is the limit."""
    catalog = _cached(fast_path)
    system = resolve(_spec("own", level="0", of_controller={"mode": "fast-path-optimum"}), catalog)
    part = catalog.take("own", ControllerPart).model
    one_s = float(part["fast_io" if fast_path else "host_io"].value + part["disk_io"].value) / 1e6
    (adapter,) = system.controllers
    assert {logical.fast_path for logical in adapter.logicals} == {fast_path}
    slow = {"host_io_ps": adapter.host_io_ps * 20, "fast_io_ps": adapter.fast_io_ps * 20}
    made = adapter.model_copy(update={**slow, "disk_io_ps": adapter.disk_io_ps * 20})
    system = system.model_copy(update={"controllers": (made,)})
    asked = _point(system, 1.0, 8)
    for answer in (bench.simulate_point, bench.predict_point):
        rate = answer(asked, system).transaction_rate_io_s
        assert rate * one_s * 20 / adapter.cores == pytest.approx(1, rel=0.01)


def test_who_joins_the_drives_is_told_as_a_change() -> None:
    by_host, by_adapter = _made(level="1", count=2), _made(level="1", count=2, raid=None)
    found = differences(Described(by_host), Described(by_adapter))
    assert found == (Difference("raid", "host", "controller"),)
    said = [_difference(Messages(language), found[0]) for language in ("en", "de", "ja")]
    assert said[0] == "Who joins the drives: the host instead of the controller"
    assert said[1] == "Wer die Laufwerke zusammenfasst: Host statt Controller"
    assert "ホスト" in said[2]


def test_a_controller_passes_no_trims_on_to_drives_that_the_host_joins() -> None:
    system = _made(level="0")
    trims = STANDARD_LOADS["database"].profile.model_copy(update={"trim_share": 0.1})
    draft = Draft.__new__(Draft)
    object.__setattr__(draft, "profile", trims)
    object.__setattr__(draft, "where", "here")
    (problem,) = untrimmed_problems([(draft, system, {"volume"})])
    assert problem.what.endswith("no trims are taken by volume of made: a controller passes none on")
