"""One stream over the strips of an array: what follows within a strip meets on its drive."""

from __future__ import annotations

from typing import Any

import pytest

from iodyno import bench
from iodyno.catalog.resolve import resolve
from iodyno.catalog.tree import system_of
from iodyno.plan import PlannedTarget, Point, Stopping
from iodyno.prediction import predict
from iodyno.prediction.network import build
from iodyno.prediction.strips import stream_rate_s, waits_s
from iodyno.profiles import Block, LoadProfile
from iodyno.virtual import VirtualSystem

HOST = {"processor": "xeon-e5-2660-v3", "processors": 2, "software": "windows-raw-megaraid"}
FAST_PATH = {"part": "praid-ep420i", "mode": "fast-path-optimum"}
SATA, SAS = "intel-ssdsc2ba400g3c", "toshiba-px02smf040"


def system_with(controller: dict[str, Any] = FAST_PATH, **logical: Any) -> VirtualSystem:
    logical = {"drive": SATA, "count": 4, "level": "0", **logical}
    written = {"name": "made-up", "host": HOST, "controller": [{**controller, "logical": [logical]}]}
    return resolve(system_of(written))


def stream(
    system: VirtualSystem, outstanding: int, kib: int = 64, read: float = 1.0, **changes: Any
) -> Point:
    (volume,) = system.volumes
    target = PlannedTarget(
        path=volume.name, kind="virtual", size_bytes=volume.size_bytes, area_length_bytes=1 << 36
    )
    profile = LoadProfile(
        name="made", random_share=0.0, read_share=read, blocks=(Block(bytes=kib << 10, weight=1.0),)
    )
    stopping = Stopping(
        warmup_s=0, floor_s=1, cap_s=10, precision=0.02, confidence=0.95, warmup_ios=4000, floor_ios=4000,
        cap_ios=8000,
    )  # fmt: skip
    point = Point(
        index=0, sweep="s", profile=profile, outstanding=outstanding, workers=1, seed=1, system="made-up",
        engine="simulator", targets=(target,), stopping=stopping,
    )  # fmt: skip
    return point.model_copy(update=changes)


@pytest.mark.parametrize("strips", [1, 4])
def test_one_at_a_time_meets_nobody(strips: int) -> None:
    assert stream_rate_s([0] * strips + [1] * strips, 1, 3.0, 1.0) == pytest.approx(1 / 4)


def by_ticks(order: list[int], outstanding: int, served: int, other: int) -> float:
    """Work drives off tick by tick: who has come first is served, and after as long again begins the next."""
    ticks, begun, ended = 30_000, 0, 0
    queues: dict[int, list[int]] = {drive: [] for drive in order}
    returning: list[int] = []
    for tick in range(ticks):
        under_way = sum(map(len, queues.values())) + sum(end > tick for end in returning)
        returning = [end for end in returning if end > tick]
        for _ in range(outstanding - under_way):
            queues[order[begun % len(order)]].append(served)
            begun += 1
        for queue in queues.values():
            if queue:
                queue[0] -= 1
                if queue[0] == 0:
                    queue.pop(0)
                    returning.append(tick + 1 + other)
                    ended += tick >= ticks // 3
    return ended / (ticks - ticks // 3)


@pytest.mark.parametrize("outstanding", [2, 3, 5, 8, 13])
@pytest.mark.parametrize(("served", "other"), [(7, 0), (7, 3), (7, 7), (7, 29)])
@pytest.mark.parametrize(("drives", "within"), [(2, 2), (3, 2), (4, 4), (5, 16)])
def test_it_is_what_drives_do_that_are_worked_off_tick_by_tick(
    outstanding: int, served: int, other: int, drives: int, within: int
) -> None:
    """And never more than all drives serve, or all that are outstanding bring."""
    order = [drive for drive in range(drives) for _ in range(within)]
    rate = stream_rate_s(order, outstanding, served, other)
    assert rate == pytest.approx(by_ticks(order, outstanding, served, other), rel=0.03)
    assert rate <= 1.01 * min(drives / served, outstanding / (served + other))


@pytest.mark.parametrize("outstanding", [8, 64])
def test_with_many_outstanding_all_drives_are_busy(outstanding: int) -> None:
    order = [0, 0, 1, 1]
    assert stream_rate_s(order, outstanding, 1.0, 0.5) == pytest.approx(2, rel=0.02)


@pytest.mark.parametrize(
    ("logical", "read"),
    [
        ({}, 1.0),
        ({}, 0.0),
        ({"drive": SAS, "count": 8}, 1.0),
        ({"drive": SAS, "count": 8}, 0.0),
        ({"drive": SAS, "count": 8, "level": "5"}, 1.0),
        ({"drive": SAS, "count": 8, "level": "6"}, 1.0),
        ({"drive": SAS, "count": 8, "level": "10"}, 0.0),
    ],
)
@pytest.mark.parametrize("outstanding", [2, 4, 8, 16, 32])
def test_the_simulator_agrees(logical: dict[str, Any], read: float, outstanding: int) -> None:
    """Four of 64 kB lie in a strip: 1.1 to 1.5 times the simulator were said."""
    system = system_with(**logical)
    point = stream(system, outstanding, read=read)
    simulated = bench.simulate_point(point, system).transaction_rate_io_s
    assert predict(point, system, bench.solve_network).rate_io_s == pytest.approx(simulated, rel=0.14)


@pytest.mark.parametrize(
    ("system", "changes"),
    [
        (system_with(), {"outstanding": 1}),
        (system_with(), {"workers": 2}),
        (system_with(), {"kib": 256}),  # no two within a strip
        (system_with({"part": "praid-ep420i", "mode": "performance"}), {}),  # fetched ahead
        (system_with(level="10"), {}),  # copies share them
        (system_with(level="5"), {"read": 0.0}),  # parity is read and written with each
        (system_with(level="5", failed=[1]), {}),
        (system_with(drive="hgst-huc156045css204"), {}),
        (system_with(), {"rate_io_s": 1000.0}),
    ],
)
def test_of_what_is_no_such_stream_nothing_is_said(system: VirtualSystem, changes: dict[str, Any]) -> None:
    asked = {"outstanding": 8, **changes}
    kib, read, outstanding = asked.pop("kib", 64), asked.pop("read", 1.0), asked.pop("outstanding")
    point = stream(system, outstanding, kib, read, **asked)
    assert waits_s(point, system, lambda: build(point, system), bench.solve_network) == 0


def test_the_wait_is_told_as_one_of_the_drives() -> None:
    system = system_with()
    point = stream(system, 8)
    assert waits_s(point, system, lambda: build(point, system), bench.solve_network) > 1e-5
    found = predict(point, system, bench.solve_network)
    assert found.bottleneck.kind == "outstanding"
    assert max(found.latency_split, key=lambda place: found.latency_split[place]) == "drive_media"
