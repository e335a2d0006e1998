"""A disk's link takes what is read while more of it passes the head: formulas beside the simulator."""

from __future__ import annotations

import pytest

from iodyno import bench
from iodyno.catalog.resolve import resolve
from iodyno.catalog.tree import system_of
from iodyno.plan import PlannedTarget, Point, Stopping
from iodyno.prediction import predict
from iodyno.profiles import Block, LoadProfile

SEED = 20_160_324


@pytest.mark.parametrize("drive", ["hgst-huc156045css204", "seagate-st91000640ns", "seagate-exos-x20-20tb"])
@pytest.mark.parametrize("kib", [256, 1024])
def test_a_large_read_waits_for_its_first_page_on_the_link_alone(drive: str, kib: int) -> None:
    """Were the link behind the medium, a read would take 5 to 16 % longer."""
    controller = {"part": "psas-cp400i", "logical": [{"drive": drive, "level": "JBOD"}]}
    host = {"processor": "xeon-e5-2660-v3", "software": "windows-raw-megaraid"}
    system = resolve(system_of({"name": "made-up", "host": host, "controller": [controller]}))
    (volume,) = system.volumes
    target = PlannedTarget(
        path=volume.name, kind="virtual", size_bytes=volume.size_bytes,
        area_length_bytes=volume.size_bytes // 4 >> 20 << 20,
    )  # fmt: skip
    profile = LoadProfile(
        name="made", random_share=1.0, read_share=1.0, blocks=(Block(bytes=kib << 10, weight=1.0),)
    )
    stopping = Stopping(
        warmup_s=0, floor_s=1, cap_s=600, precision=0.01, confidence=0.95,
        warmup_ios=200, floor_ios=20_000, cap_ios=20_000,
    )  # fmt: skip
    point = Point(
        index=0, sweep="s", profile=profile, targets=(target,), outstanding=1, workers=1, seed=SEED,
        engine="simulator", system="made-up", stopping=stopping,
    )  # fmt: skip
    simulated = bench.simulate_point(point, system).latency.mean_ns
    found = predict(point, system, bench.solve_network).latency_ns_mean
    assert found == pytest.approx(simulated, rel=0.015)
