"""What takes a controller's fast path by the formulas: shares by hand, from strips of 256 KiB."""

from __future__ import annotations

import json
from typing import Any

import pytest
from pydantic import ValidationError

from iodyno import bench
from iodyno.catalog.changes import changed
from iodyno.catalog.resolve import resolve
from iodyno.catalog.tree import load_system
from iodyno.plan import PlannedTarget, Point, Stopping
from iodyno.prediction import predict
from iodyno.prediction.accesses import loads
from iodyno.prediction.controllers import LogicalMap
from iodyno.profiles import Block, LoadProfile
from iodyno.virtual import VirtualSystem


def system_with(**changes: Any) -> VirtualSystem:
    changes = {"mode": "fast-path-optimum", "level": "0", "count": 24, **changes}
    return resolve(changed(load_system("raid-controllers-24"), changes))


def point(
    kib: int,
    write: bool = False,
    random: float = 1.0,
    grain_kib: int = 4,
    workers: int = 1,
    start_kib: int = 0,
) -> Point:
    asked = LoadProfile(
        name="made", random_share=random, read_share=0.0 if write else 1.0,
        blocks=(Block(bytes=kib << 10, weight=1.0),), alignment_bytes=grain_kib << 10,
    )  # fmt: skip
    target = PlannedTarget(
        path="volume", kind="virtual", size_bytes=1 << 41, area_length_bytes=1 << 40,
        area_start_bytes=start_kib << 10,
    )  # fmt: skip
    return Point(
        index=0, sweep="s", profile=asked, outstanding=64, workers=workers, seed=1, system="made-up",
        engine="simulator", targets=(target,),
        stopping=Stopping(warmup_s=0, floor_s=1, cap_s=10, precision=0.02, confidence=0.95,
                          warmup_ios=4000, floor_ios=40000, cap_ios=40000),
    )  # fmt: skip


@pytest.mark.parametrize(
    ("changes", "asked", "share"),
    [
        ({}, point(4), 1),
        # Of the offsets in a strip, multiples of 4 KiB, so many leave no room: 1 of 64, 2, 15, all.
        ({}, point(8), 1 - 1 / 64),
        ({}, point(12), 1 - 2 / 64),
        ({}, point(12, grain_kib=12), 1 - 2 / 64),
        ({}, point(64), 1 - 15 / 64),
        ({}, point(64, grain_kib=64), 1),
        ({}, point(64, random=0.0), 1),
        # Of an area that begins within a strip of 256 KiB: one of four does not end where it begins.
        ({}, point(64, random=0.0, start_kib=16), 1 - 1 / 4),
        ({}, point(64, grain_kib=64, start_kib=16), 1 - 1 / 4),
        ({}, point(8, start_kib=16), 1 - 1 / 64),
        ({}, point(256, random=0.0, start_kib=16), 0),
        ({}, point(512), 0),
        ({}, point(8, write=True), 1 - 1 / 64),
        ({"count": 1}, point(512, write=True), 1),
        # Copies and parity are written by the firmware; what is read of them is in one place.
        *(({"level": level, "count": 16}, point(4), 1) for level in ("10", "5", "6")),
        *(({"level": level, "count": 16}, point(4, write=True), 0) for level in ("10", "5", "6")),
        ({"level": "5", "failed": [3]}, point(4), 1 - 1 / 24),
        ({"level": "10", "count": 16, "failed": [3]}, point(4), 1),
        ({"level": "5", "failed": [3], "rebuild_mb_s": 10.0}, point(4), 0),
        ({"write": "write-back"}, point(4), 0),
        ({"mode": "performance"}, point(4), 0),
        ({"drive": "hgst-huc156045css204"}, point(4), 0),
    ],
)  # fmt: skip
def test_what_of_the_accesses_takes_the_fast_path(
    changes: dict[str, Any], asked: Point, share: float
) -> None:
    system = system_with(**changes)
    load = next(loads(asked))[1]
    found = LogicalMap(system, 0, system.controllers[0].logicals[0], load).fast_share(load.classes[0])
    assert found == pytest.approx(share)


def test_no_write_that_the_cache_answers_takes_it() -> None:
    system, load = system_with(), next(loads(point(4, write=True)))[1]
    logical = system.controllers[0].logicals[0].model_copy(update={"write_back": True})
    assert LogicalMap(system, 0, logical, load).fast_share(load.classes[0]) == 0


@pytest.mark.parametrize("kib", [8, 12, 64])
@pytest.mark.parametrize(("level", "write"), [("0", False), ("0", True), ("5", False)])
def test_formulas_and_simulator_agree_on_it(level: str, write: bool, kib: int) -> None:
    system = system_with(level=level)
    volume = system.volumes[0]
    target = PlannedTarget(path=volume.name, kind="virtual", size_bytes=volume.size_bytes,
                           area_length_bytes=volume.size_bytes >> 22 << 20)  # fmt: skip
    asked = point(kib, write, workers=4).model_copy(update={"targets": (target,), "system": system.name})
    calculated = predict(asked, system, bench.solve_network).rate_io_s
    reading = bench.simulate_point(asked, system)
    side = reading.writes if write else reading.reads
    assert calculated == pytest.approx(side.completed / reading.measured_s, rel=0.01)


def test_runs_that_kept_a_size_of_the_fast_path_are_read() -> None:
    system = system_with()
    kept = system.model_dump(mode="json")
    kept["controllers"][0]["logicals"][0]["fast_path_bytes"] = 8192
    assert VirtualSystem.model_validate_json(json.dumps(kept)) == system
    kept["controllers"][0]["logicals"][0]["fast_path_size"] = 8192
    with pytest.raises(ValidationError, match="fast_path_size"):
        VirtualSystem.model_validate(kept)
