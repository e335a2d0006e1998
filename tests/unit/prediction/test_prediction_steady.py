"""Writes that buffers of SSDs answer take as long each time, and meet nobody at a core until it is full."""

from __future__ import annotations

from typing import Any

import pytest

from iodyno import bench
from iodyno.catalog.resolve import resolve
from iodyno.catalog.tree import system_of
from iodyno.plan import PlannedTarget, Point, Stopping
from iodyno.prediction import build, predict
from iodyno.prediction.records import Fewest, NetworkStation
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


def core_of(
    drive: str, level: str | None = None, *, workers: int = 1, buffers: bool = True, **asked: Any
) -> NetworkStation:  # fmt: skip
    """Give the station of the cores for random writes on four drives, changed where asked."""
    drives = {"drive": drive, "count": 4, **({"level": level} if level else {})}
    host = {"processor": "xeon-e5-2660-v3", "software": "linux-nvme"}
    system = resolve(system_of({"name": "steady", "host": host, "drives": [drives]}))
    if not buffers:
        off = {"write_cache": False, "protected_share": 0.0}
        slots = ((slot, slot.model.model_copy(update=off)) for slot in system.drives)
        drives_off = tuple(slot.model_copy(update={"model": model}) for slot, model in slots)
        system = system.model_copy(update={"drives": drives_off})
    targets = tuple(
        PlannedTarget(path=one.name, kind="virtual", size_bytes=one.size_bytes, area_length_bytes=1 << 40)
        for one in system.volumes
    )
    rate = asked.pop("rate_io_s", None)
    profile = {"name": "x", "random_share": 1, "read_share": 0, "blocks": ({"bytes": 4096},), **asked}
    stopping = Stopping(warmup_s=0, floor_s=1, cap_s=60, precision=0.01, confidence=0.95)
    point = Point(
        index=0, sweep="s", profile=LoadProfile.model_validate(profile), targets=targets, outstanding=3,
        workers=workers, seed=3, engine="simulator", system="steady", stopping=stopping, rate_io_s=rate,
    )  # fmt: skip
    (core,) = (one for one in build(point, system).network.stations if one.name == "core")
    return core


def test_who_finds_nobody_at_a_core() -> None:
    """Writes that take as long each time, of one worker too, are as if each had a server of its own: three on
    each of four targets. Others are spread over the cores of several workers alone."""
    assert core_of("samsung-pm1743-7680").fewest == Fewest(of=12, sets=1)
    assert core_of("samsung-pm1743-7680", workers=2).fewest == Fewest(of=24, sets=1)
    assert core_of("samsung-pm1743-7680", "0").fewest == Fewest(of=3, sets=1)
    sizes = ({"bytes": 4096}, {"bytes": 8192})
    unlike: tuple[dict[str, Any], ...] = (
        {"read_share": 1.0}, {"read_share": 0.5}, {"blocks": sizes}, {"think_time_us": 10},
        {"rate_io_s": 1000.0},
    )  # fmt: skip
    for asked in unlike:
        assert core_of("samsung-pm1743-7680", **asked).fewest is None
        assert core_of("samsung-pm1743-7680", workers=2, **asked).fewest == Fewest(of=2, sets=1)
    # What is programmed first takes as long as its die needs.
    assert core_of("samsung-pm1743-7680", buffers=False).fewest is None
    # An update reads before it writes.
    assert core_of("samsung-pm1743-7680", "5").fewest is None
    # More workers than cores meet on them.
    assert core_of("samsung-pm1743-7680", workers=11, read_share=1.0).fewest is None
