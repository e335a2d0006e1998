"""Workers that think, in order on a disk that nothing buffers: what turns on while they do."""

from __future__ import annotations

import math
from typing import Any

import pytest

from iodyno import bench
from iodyno.catalog.resolve import resolve
from iodyno.catalog.tree import system_of
from iodyno.plan import PlannedTarget, Point, Stopping
from iodyno.prediction import predict
from iodyno.prediction.rough import rough
from iodyno.profiles import Block, LoadProfile
from iodyno.virtual import HddModel, VirtualSystem

KIB = 64
WAY_S = 0.4e-3
"""More than an access is on its way to a disk and back, without the disk."""


def disks(count: int = 1, level: str = "JBOD") -> VirtualSystem:
    """Put disks with their caches off behind a controller without a cache."""
    part = "psas-cp400i" if level == "JBOD" else "praid-cp400i"
    logical = {"drive": "hgst-huc156045css204", "count": count, "level": level}
    controller = {"part": part, "drive_cache": "off", "logical": [logical]}
    host = {"processor": "xeon-e5-2660-v3", "software": "windows-raw-megaraid"}
    return resolve(system_of({"name": "made-up", "host": host, "controller": [controller]}))


def asked(system: VirtualSystem, think_us: int, every: int = 1, read: float = 0.0, **changes: Any) -> Point:
    profile = LoadProfile(
        name="made", random_share=0.0, read_share=read, think_time_us=think_us, think_every=every,
        blocks=(Block(bytes=KIB << 10, weight=1.0),),
    )  # fmt: skip
    (volume,) = system.volumes
    target = PlannedTarget(
        path=volume.name, kind="virtual", size_bytes=volume.size_bytes, area_length_bytes=64 << 30
    )
    stopping = Stopping(
        warmup_s=0, floor_s=1, cap_s=600, precision=0.01, confidence=0.95,
        warmup_ios=2000, floor_ios=2000, cap_ios=4000,
    )  # fmt: skip
    values: dict[str, Any] = {"outstanding": 1, "workers": 1, **changes}
    return Point(
        index=0, sweep="s", profile=profile, targets=(target,), seed=1, engine="simulator", system="made-up",
        stopping=stopping, **values,
    )  # fmt: skip


@pytest.mark.parametrize("level", ["JBOD", "1"])
@pytest.mark.parametrize("every", [1, 2, 10])
@pytest.mark.parametrize("think_ms", [0.5, 2.0, 3.0, 5.0, 10.0])
def test_who_thinks_takes_whole_revolutions_all_the_same(level: str, every: int, think_ms: float) -> None:
    """A write ends where the next begins: that one waits until the place comes by again, once more often for
    each revolution that is thought."""
    system = disks(1 if level == "JBOD" else 2, level)
    model = system.drives[0].model
    assert isinstance(model, HddModel)
    revolution_s, transfer_s = model.revolution_ps * 1e-12, (KIB << 10) / model.outer_bytes_s
    # No way of an access makes a difference to how many revolutions it takes.
    turns = {math.ceil((think_ms * 1e-3 + way) / revolution_s) for way in (0.0, WAY_S)}
    (turned,) = turns
    mean_s = ((every - 1) * revolution_s + turned * revolution_s) / every + transfer_s
    point = asked(system, round(think_ms * 1e3), every)
    assert rough(point, system, bench.solve_network) == ()
    found = predict(point, system, bench.solve_network)
    assert found.rate_io_s == pytest.approx(1 / mean_s, rel=0.01)
    # What is not thought of that is the latency (Little 1961).
    assert found.latency_ns_mean == pytest.approx((mean_s - think_ms * 1e-3 / every) * 1e9, rel=0.03)


def test_who_thinks_after_each_has_one_outstanding_whatever_is_asked() -> None:
    system = disks()
    one, four = (
        predict(asked(system, 3000, outstanding=each), system, bench.solve_network) for each in (1, 4)
    )
    assert four.rate_io_s == pytest.approx(one.rate_io_s)


@pytest.mark.parametrize(("workers", "read"), [(4, 0.67), (1, 0.67), (4, 1.0), (4, 0.0)])
@pytest.mark.parametrize("think_us", [1300, 10_000])
def test_streams_of_who_thinks_as_the_simulator_has_them(workers: int, read: float, think_us: int) -> None:
    """Below 1.1 ms four readers lose more revolutions or fewer by the ms: 1,200 to 3,100 IO/s."""
    system = disks()
    point = asked(system, think_us, read=read, workers=workers)
    simulated = bench.simulate_point(point, system)
    found = predict(point, system, bench.solve_network)
    assert found.rate_io_s == pytest.approx(simulated.transaction_rate_io_s, rel=0.1)
    assert found.latency_ns_mean == pytest.approx(simulated.latency.mean_ns, rel=0.25)
