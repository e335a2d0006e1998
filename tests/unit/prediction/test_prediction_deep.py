"""Hard disks with many accesses outstanding, by the formulas."""

from __future__ import annotations

from itertools import pairwise

import pytest

from iodyno import bench
from iodyno.catalog.changes import changed
from iodyno.catalog.resolve import resolve
from iodyno.catalog.tree import load_system
from iodyno.plan import PlannedTarget, Point, Stopping
from iodyno.prediction.network import build
from iodyno.prediction.records import Rates, Solution
from iodyno.profiles import Block, LoadProfile
from iodyno.virtual import VirtualSystem

SAS, SATA, NEARLINE = "hgst-huc156045css204", "seagate-st91000640ns", "seagate-exos-x20-20tb"


def array(drive: str, level: str, count: int) -> VirtualSystem:
    changes = {"controller": "praid-cp400i", "backup_unit": False, "mode": "performance"}
    made = {**changes, "drive": drive, "level": level, "count": count}
    return resolve(changed(load_system("raid-controllers"), made))


def reads(system: VirtualSystem, outstanding: int) -> Point:
    """Random reads of 4 kB on a quarter of the volume."""
    (volume,) = system.volumes
    return Point(
        index=0, sweep="s", outstanding=outstanding, workers=1, seed=1, system="made-up", engine="simulator",
        profile=LoadProfile(name="made", random_share=1.0, read_share=1.0, blocks=(Block(bytes=4096),)),
        targets=(
            PlannedTarget(
                path=volume.name, kind="virtual", size_bytes=volume.size_bytes,
                area_length_bytes=volume.size_bytes // 4 >> 20 << 20,
            ),
        ),
        stopping=Stopping(warmup_s=0, floor_s=1, cap_s=60, precision=0.01, confidence=0.95,
                          warmup_ios=10_000, floor_ios=20_000, cap_ios=20_000),
    )  # fmt: skip


def sweep(system: VirtualSystem, *customers: int) -> list[Solution]:
    return bench.solve_network(build(reads(system, 512), system).network, customers)


@pytest.mark.parametrize(
    ("drive", "level", "count"),
    [(SAS, "0", 8), (SAS, "5", 8), (SAS, "10", 4), (NEARLINE, "0", 8), (SATA, "0", 4)],
)
def test_more_outstanding_are_no_slower(drive: str, level: str, count: int) -> None:
    solutions = sweep(array(drive, level, count), *range(1, 513))
    rates = [solution.rate_s for solution in solutions]
    assert [after for before, after in pairwise(rates) if after < before * (1 - 1e-9)] == []
    assert all(solution.rate_s < 0.999 * solution.bounds.upper_s for solution in solutions[1:])


@pytest.mark.parametrize("outstanding", [300, 320, 340])
def test_disks_have_their_bound_not_yet_where_each_has_less_than_it_takes(outstanding: int) -> None:
    system = array(SAS, "0", 8)
    simulated = bench.simulate_point(reads(system, outstanding), system).transaction_rate_io_s
    (found,) = sweep(system, outstanding)
    assert found.rate_s == pytest.approx(simulated, rel=0.05)


def test_a_disk_without_missed_revolutions_gains_from_every_command_that_it_is_sent() -> None:
    system = array(SAS, "0", 1)
    (slot,) = system.drives
    model = slot.model.model_copy(update={"missed_revolution": 0.0})
    made = system.model_copy(update={"drives": (slot.model_copy(update={"model": model}),)})
    law = build(reads(made, 512), made).network.stations[-1].law
    assert isinstance(law, Rates)
    assert len(law.rates) == 64
