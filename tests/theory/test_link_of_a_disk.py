"""A disk's link takes what is read while more of it passes the head: formulas beside the simulator."""

from __future__ import annotations

import pytest

from iodyno import bench
from iodyno.catalog.resolve import resolve
from iodyno.catalog.tree import system_of
from iodyno.plan import PlannedTarget, Point, Stopping
from iodyno.prediction import predict
from iodyno.profiles import Block, LoadProfile
from iodyno.virtual import LinkHop, VirtualSystem

SEED = 20_160_324


def asked(kib: int, drive: str, link_bytes_s: int | None = None) -> tuple[Point, VirtualSystem]:
    """Give random reads of one disk, one at a time, and the disk, whose link may be another."""
    controller = {"part": "psas-cp400i", "logical": [{"drive": drive, "level": "JBOD"}]}
    host = {"processor": "xeon-e5-2660-v3", "software": "windows-raw-megaraid"}
    system = resolve(system_of({"name": "made-up", "host": host, "controller": [controller]}))
    if link_bytes_s:
        (hop,) = system.drives[0].path
        assert isinstance(hop, LinkHop)
        other = system.links[hop.link].model_copy(update={"bytes_s": link_bytes_s})
        links = (*system.links[: hop.link], other, *system.links[hop.link + 1 :])
        system = system.model_copy(update={"links": links})
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
    return point, system


@pytest.mark.parametrize("drive", ["hgst-huc156045css204", "seagate-st91000640ns", "seagate-exos-x20-20tb"])
@pytest.mark.parametrize("kib", [256, 1024])
def test_a_large_read_waits_for_its_first_page_on_the_link_alone(drive: str, kib: int) -> None:
    """Were the link behind the medium, a read would take 5 to 16 % longer."""
    point, system = asked(kib, drive)
    simulated = bench.simulate_point(point, system).latency.mean_ns
    found = predict(point, system, bench.solve_network).latency_ns_mean
    assert found == pytest.approx(simulated, rel=0.015)


@pytest.mark.parametrize("kib", [4, 16, 64, 1024])
def test_the_formulas_wait_for_one_page_whatever_is_read(kib: int) -> None:
    """Of two links that are faster than the medium the slower one shows in that page."""
    fast, slow = 540_000_000, 270_000_000
    ns = {
        rate: predict(*asked(kib, "seagate-st91000640ns", rate), bench.solve_network).latency_ns_mean
        for rate in (fast, slow)
    }
    assert ns[slow] - ns[fast] == pytest.approx(4096e9 / slow - 4096e9 / fast, rel=1e-3)
