"""Writes that buffers of SSDs answer take as long each time, and meet nobody at a core until it is full."""

from __future__ import annotations

import pytest

from iodyno import bench
from iodyno.catalog.resolve import resolve
from iodyno.catalog.tree import system_of
from iodyno.plan import PlannedTarget, Point, Stopping
from iodyno.prediction import predict
from iodyno.profiles import Block, LoadProfile


def rates(
    count: int, level: str | None, workers: int, outstanding: int, read: float = 0.0
) -> tuple[float, float, float]:
    """Give the rate by the formulas, what cores allow, and the rate of a simulation."""
    drives = {"drive": "samsung-pm1743-7680", "count": count, **({"level": level} if level else {})}
    host = {"processor": "xeon-e5-2660-v3", "software": "linux-nvme"}
    system = resolve(system_of({"name": "steady", "host": host, "drives": [drives]}))
    targets = tuple(
        PlannedTarget(path=one.name, kind="virtual", size_bytes=one.size_bytes, area_length_bytes=1 << 40)
        for one in system.volumes
    )
    profile = LoadProfile(
        name="steady", random_share=1.0, read_share=read, blocks=(Block(bytes=4096, weight=1.0),)
    )
    stopping = Stopping(
        warmup_s=0, floor_s=1, cap_s=60, precision=0.01, confidence=0.95, warmup_ios=4000, floor_ios=10000,
        cap_ios=20000,
    )  # fmt: skip
    point = Point(
        index=0, sweep="s", profile=profile, targets=targets, outstanding=outstanding, workers=workers,
        seed=3, engine="simulator", system="steady", stopping=stopping,
    )  # fmt: skip
    predicted = predict(point, system, bench.solve_network)
    core = next(station for station in predicted.stations if station.name == "core")
    most = predicted.rate_io_s / core.utilisation_mean
    return predicted.rate_io_s, most, bench.simulate_point(point, system).transaction_rate_io_s


@pytest.mark.parametrize(("count", "level"), [(4, None), (8, "0")])
@pytest.mark.parametrize("workers", [1, 2])
def test_until_a_core_is_full_nobody_waits_for_it(count: int, level: str | None, workers: int) -> None:
    """D/D/1: n rounds of r seconds begin n / r times a second, until the core is busy all of the time."""
    targets = 1 if level else count
    one, _, _ = rates(1, None, 1, 1)
    for outstanding in (1, 4 // targets, 8 // targets):
        calculated, most, simulated = rates(count, level, workers, outstanding)
        expected = min(workers * targets * outstanding * one, most)
        assert calculated == pytest.approx(expected, rel=0.03)
        assert simulated == pytest.approx(expected, rel=0.03)


def test_reads_of_dies_take_unlike_times_and_meet_at_their_core() -> None:
    one, _, _ = rates(1, None, 1, 1, read=1.0)
    calculated, most, simulated = rates(8, "0", 1, 26, read=1.0)
    assert max(calculated, simulated) < 0.99 * min(26 * one, most)
    assert calculated == pytest.approx(simulated, rel=0.07)
