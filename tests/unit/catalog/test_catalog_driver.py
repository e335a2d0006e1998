"""A drive whose own driver works on the host: each process pays for its own I/Os."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

import pytest

from iodyno import bench
from iodyno.catalog import shelf
from iodyno.catalog.reading import parse_part
from iodyno.catalog.resolve import resolve
from iodyno.catalog.tree import system_of
from iodyno.errors import CatalogError
from iodyno.plan import PlannedTarget, Point, Stopping
from iodyno.profiles import STANDARD_LOADS, Block
from iodyno.virtual import VirtualSystem

CARD = "fusion-io-iodrive2-1200"
HZ = 3.5e9
"""The Xeon E5-2637 v3 at its nominal frequency."""
SHIPPED = {file.name.removesuffix(".toml"): file.read_text("utf-8") for file in shelf.part_files()}


def on_host(drive: str = CARD, **group: Any) -> VirtualSystem:
    host = {"processor": "xeon-e5-2637-v3", "software": "windows-2012-ntfs-nvme"}
    return resolve(system_of({"name": "card", "host": host, "drives": [{"drive": drive, **group}]}))


def cycles(part: str) -> Mapping[str, float]:
    return {key: float(number.value) for key, number in shelf.catalogue().get(part).model.items()}


def test_the_worker_pays_for_software_and_driver() -> None:
    card, plain = on_host().volumes[0].cpu, on_host("intel-p3700-800").volumes[0].cpu
    driver = cycles(CARD)
    assert card.read_ps - plain.read_ps == pytest.approx(driver["driver_read"] / HZ * 1e12, abs=1)
    assert card.write_ps - plain.write_ps == pytest.approx(driver["driver_write"] / HZ * 1e12, abs=1)
    assert card.per_kib_ps == plain.per_kib_ps


def test_each_member_of_a_raid_of_the_host_has_the_driver() -> None:
    both = on_host(count=2, level="1").volumes[0]
    plain = on_host("intel-p3700-800", count=2, level="1").volumes[0]
    paid = round(cycles(CARD)["driver_write"] / HZ * 1e12)
    assert both.child_cpu.write_ps - plain.child_cpu.write_ps == pytest.approx(paid, abs=1)


@cache
def rate(workers: int) -> float:
    """Simulate random reads of 512 bytes by so many workers; give IO/s."""
    system = on_host()
    name, size = system.volumes[0].name, system.volumes[0].size_bytes
    target = PlannedTarget(path=name, kind="virtual", size_bytes=size, area_length_bytes=32 << 30)
    point = Point(
        index=0, sweep="driver", profile=STANDARD_LOADS["database"].profile.model_copy(
            update={"read_share": 1.0, "blocks": (Block(bytes=512),)}
        ),
        targets=(target,),
        outstanding=32, workers=workers, engine="simulator", seed=1, system="card",
        stopping=Stopping(
            warmup_s=0, floor_s=1, cap_s=1, precision=0.01, confidence=0.95, warmup_ios=4000, floor_ios=8000,
            cap_ios=8000,
        ),
    )  # fmt: skip
    return bench.simulate_point(point, system).transaction_rate_io_s


def test_processes_add_up_until_the_card_is_the_limit() -> None:
    software, driver = cycles("windows-2012-ntfs-nvme"), cycles(CARD)
    one = HZ / (software["read"] + driver["driver_read"] + software["per_kib"] / 2)
    assert rate(1) == pytest.approx(one, rel=0.02)
    assert rate(2) == pytest.approx(2 * one, rel=0.03)
    assert rate(4) == pytest.approx(1e6 / driver["command_read"], rel=0.02)


def test_a_drive_behind_a_controller_has_no_driver_of_its_own() -> None:
    drive = SHIPPED["toshiba-px02smf040"]
    with pytest.raises(CatalogError, match="a drive with SAS 12G has no driver of its own"):
        parse_part(
            drive.replace(
                "[model]", '[model]\ndriver_read = { value = 9, unit = "cycles", kind = "assumed" }', 1
            ),
            "mine.toml",
        )
