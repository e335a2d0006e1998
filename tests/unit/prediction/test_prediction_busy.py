"""How busy formulas say that hard disks are: for how long they work, at whatever rate."""

from __future__ import annotations

from typing import Any

import pytest

from iodyno import bench
from iodyno.catalog.resolve import resolve
from iodyno.catalog.tree import system_of
from iodyno.plan import PlannedTarget, Point, Stopping
from iodyno.prediction import Prediction, predict
from iodyno.profiles import Block, LoadProfile

SEEK_MS, REVOLUTION_MS, MISSED = 2.9, 4.0, 0.1452
"""Of the 15k disk: its average seek, a revolution, and the share of moves after which it misses one."""
TRANSFER_MS = 4096 / ((237 * 2**20 + 166e6) / 2) * 1000
"""4 KiB at the mean of its outermost and innermost tracks."""
MECHANICS_MS = SEEK_MS + REVOLUTION_MS / 2 + MISSED * REVOLUTION_MS + TRANSFER_MS


def random_reads(logicals: list[dict[str, Any]]) -> Prediction:
    """Predict one random read of 4 KiB at a time on each volume of 15k disks behind an adapter."""
    disks = [{"drive": "hgst-huc156045css204", **logical} for logical in logicals]
    controller = {"part": "psas-cp400i", "read": "no-read-ahead", "logical": disks}
    host = {"processor": "xeon-e5-2660-v3", "software": "windows-raw-megaraid"}
    system = resolve(system_of({"name": "disks", "host": host, "controller": [controller]}))
    targets = tuple(
        PlannedTarget(
            path=one.name, kind="virtual", size_bytes=one.size_bytes, area_length_bytes=one.size_bytes
        )
        for one in system.volumes
    )
    profile = LoadProfile(
        name="reads", random_share=1.0, read_share=1.0, blocks=(Block(bytes=4096, weight=1.0),)
    )
    point = Point(
        index=0, sweep="s", profile=profile, targets=targets, outstanding=1, workers=1, seed=1,
        engine="simulator", system="disks",
        stopping=Stopping(warmup_s=0, floor_s=1, cap_s=10, precision=0.02, confidence=0.95),
    )  # fmt: skip
    return predict(point, system, bench.solve_network)


@pytest.mark.parametrize("volumes", [1, 2])
def test_a_disk_is_busy_with_one_read_as_with_many(volumes: int) -> None:
    """What it could do with more to choose from, nearly three times as much, does not make it idle."""
    found = random_reads([{"level": "JBOD"}] * volumes)
    expected = found.rate_io_s / volumes * MECHANICS_MS / 1000
    assert expected == pytest.approx(0.98, abs=0.01)
    assert str(found.bottleneck.station).endswith("mechanics")
    assert (found.bottleneck.kind, found.bottleneck.place) == ("saturated", "drive_media")
    assert found.bottleneck.utilisation == pytest.approx(expected, rel=0.02)


def test_of_several_disks_one_at_a_time_is_busy() -> None:
    found = random_reads([{"level": "0", "count": 8}])
    disks = next(station for station in found.stations if station.name.endswith("mechanics"))
    assert disks.utilisation_mean == pytest.approx(found.rate_io_s * MECHANICS_MS / 1000 / 8, rel=0.02)
    assert found.bottleneck.kind == "outstanding"
