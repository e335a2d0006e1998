"""What the interfaces of a degraded array let through is what the simulator comes to, by the same limit."""

from __future__ import annotations

from typing import Any

import pytest

from iodyno import bench
from iodyno.analysis.interfaces import chain
from iodyno.catalog.resolve import resolve
from iodyno.catalog.tree import system_of
from iodyno.plan import PlannedTarget, Point, Stopping
from iodyno.profiles import Block, LoadProfile
from iodyno.virtual import VirtualSystem


def of_host(link: str, **more: Any) -> VirtualSystem:
    """Give RAID of the host over six drives, each on a link of its own."""
    group = {"drive": "samsung-pm1743-7680", "count": 6, "link": link, **more}
    host = {"processor": "epyc-9354", "software": "linux-nvme"}
    return resolve(system_of({"name": "made", "host": host, "drives": [group]}))


def behind(count: int, **more: Any) -> VirtualSystem:
    """Give an array of SSDs behind a controller."""
    logical = {"drive": "toshiba-px02smf040", "count": count, **more}
    host = {"processor": "xeon-e5-2660-v3", "processors": 2, "software": "windows-raw-megaraid"}
    return resolve(
        system_of(
            {"name": "made", "host": host, "controller": [{"part": "praid-ep420i", "logical": [logical]}]}
        )
    )


def stream(system: VirtualSystem) -> Point:
    """Give a stream of reads that keeps every drive busy."""
    volume = system.volumes[0]
    area = volume.size_bytes // 4 >> 20 << 20
    target = PlannedTarget(
        path=volume.name, kind="virtual", size_bytes=volume.size_bytes, area_length_bytes=area
    )
    profile = LoadProfile(name="x", random_share=0, read_share=1, blocks=(Block(bytes=1 << 20, weight=1.0),))
    stopping = Stopping(
        warmup_s=0, floor_s=1, cap_s=10, precision=0.005, confidence=0.95, warmup_ios=2000, floor_ios=4000,
        cap_ios=8000,
    )  # fmt: skip
    return Point(
        index=0, sweep="s", profile=profile, outstanding=64, workers=1, seed=1, system="made",
        engine="simulator", targets=(target,), stopping=stopping,
    )  # fmt: skip


@pytest.mark.parametrize("failed", [[], [0], [0, 3]])
@pytest.mark.parametrize(("link", "place"), [("PCIe 3.0 x2", "host_link"), ("PCIe 5.0 x4", "drive_media")])
def test_a_degraded_raid_10_is_limited_by_what_the_simulator_says(
    link: str, place: str, failed: list[int]
) -> None:
    """Links were counted of all drives that work: with slow ones the media seemed to be the limit, or more
    came through than did."""
    system = of_host(link, level="10", failed=failed)
    found = chain(system)
    reading = bench.simulate_point(stream(system), system)
    assert reading.simulation is not None
    assert reading.simulation.bottleneck.place == place
    assert found.least == (found.host if place == "host_link" else found.media)
    assert reading.throughput_bytes_s == pytest.approx(found.least, rel=0.02)


def test_links_behind_a_controller_keep_that_pace_too() -> None:
    whole, degraded = (chain(behind(8, level="10", failed=failed)) for failed in ([], [2]))
    assert whole.disk is not None
    assert degraded.disk == whole.disk / 2
    assert degraded.media == whole.media / 2


def test_groups_keep_the_pace_of_the_one_with_the_fewest() -> None:
    # Two groups of four, in one of which three are left: six of eight.
    whole, degraded = (chain(behind(8, level="50", failed=failed)) for failed in ([], [3]))
    assert whole.disk is not None
    assert degraded.disk == pytest.approx(whole.disk * 6 / 8)


def test_the_link_of_a_survivor_sets_the_pace_of_all_pairs() -> None:
    system = of_host("PCIe 3.0 x2", level="10", failed=[0])
    slow = system.links[1].model_copy(update={"bytes_s": system.links[1].bytes_s // 2})
    narrow = system.model_copy(update={"links": (system.links[0], slow, *system.links[2:])})
    assert chain(narrow).host == pytest.approx(3 * slow.bytes_s)
