"""Marks of what is calculated roughly: loads on several volumes, and where a rule needs several drives."""

from __future__ import annotations

from typing import Any

from iodyno import bench
from iodyno.catalog.resolve import resolve
from iodyno.catalog.tree import system_of
from iodyno.plan import PlannedTarget, Point
from iodyno.prediction.rough import rough
from iodyno.virtual import VirtualSystem
from unit.prediction.test_prediction_rough import SSD, behind, load

IN_STEP = "writes in order on several disks without their caches"
BEYOND = "more readers in order than SSDs of an array follow"
TO_PARITY = "writes in order to parity that no cache gathers"


def marks(point: Point, system: VirtualSystem) -> set[str]:
    return {reason.what for reason in rough(point, system, bench.solve_network)}


def asked(system: VirtualSystem, **of: Any) -> set[str]:
    return marks(load(system, **of), system)


def test_a_load_on_several_volumes_has_the_marks_of_each() -> None:
    host = {"processor": "xeon-e5-2660-v3", "software": "windows-raw-megaraid"}
    logical = [{"drive": SSD, "count": 4, "level": level} for level in ("0", "5")]
    table = {"part": "praid-ep420i", "write": "write-through", "logical": logical}
    system = resolve(system_of({"name": "two", "host": host, "controller": [table]}))
    first = load(system, read=0.0)
    targets = tuple(
        PlannedTarget(path=one.name, kind="virtual", size_bytes=one.size_bytes, area_length_bytes=1 << 30)
        for one in system.volumes
    )
    assert TO_PARITY not in marks(first, system)
    assert TO_PARITY in marks(first.model_copy(update={"targets": targets[1:]}), system)
    assert TO_PARITY in marks(first.model_copy(update={"targets": targets}), system)


def test_one_writer_with_several_writes_waits_for_disks_that_are_turned_apart() -> None:
    """However small they are: a single one only where it is about a strip."""
    off = behind("praid-cp400i", "hgst-huc156045css204", 4, drive_cache="off")
    assert IN_STEP in asked(off, read=0.0, kib=(4,), outstanding=2)
    assert IN_STEP not in asked(off, read=0.0, kib=(4,), outstanding=1)
    strip_kib = off.controllers[0].logicals[0].array.strip_bytes >> 10
    assert IN_STEP in asked(off, read=0.0, kib=(strip_kib,), outstanding=1)
    assert IN_STEP not in asked(off, read=1.0, kib=(4,), outstanding=2)
    alone = behind("praid-cp400i", "hgst-huc156045css204", 1, drive_cache="off")
    assert IN_STEP not in asked(alone, read=0.0, kib=(4,), outstanding=2)


def test_a_single_ssd_sees_all_of_its_readers() -> None:
    assert BEYOND in asked(behind("praid-ep420i", SSD, 2), workers=9)
    assert BEYOND not in asked(behind("praid-ep420i", SSD, 1), workers=9)
    assert BEYOND not in asked(behind("praid-ep420i", SSD, 2), workers=8)
    assert BEYOND not in asked(behind("praid-ep420i", SSD, 2), workers=9, read=0.0)
