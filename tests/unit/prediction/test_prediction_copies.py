"""Readers of copies: two with one read each have a copy each, whose drive fetches ahead of the one."""

from __future__ import annotations

from typing import Any

import pytest

from iodyno import bench
from iodyno.prediction import predict
from iodyno.prediction.accesses import loads
from iodyno.prediction.raid import ArrayMap
from iodyno.virtual import OnHostRaid, VirtualSystem
from mirrored_systems import mirrored, reading


def rate(system: VirtualSystem, workers: int, outstanding: int = 1, **more: Any) -> float:
    return predict(reading(system, workers, outstanding, **more), system, bench.solve_network).rate_io_s


@pytest.mark.parametrize(("level", "count"), [("1", 2), ("10", 4), ("10", 8)])
@pytest.mark.parametrize("kib", [8, 64, 256])
def test_two_readers_have_a_copy_each(level: str, count: int, kib: int) -> None:
    """Twice the rate of one, by both; a third of it was said, as of drives that see two streams."""
    system = mirrored(level, count)
    one, two = rate(system, 1, kib=kib), rate(system, 2, kib=kib)
    assert two == pytest.approx(2 * one, rel=0.01)
    simulated = [
        bench.simulate_point(reading(system, workers, kib=kib), system).transaction_rate_io_s
        for workers in (1, 2)
    ]
    assert simulated[1] == pytest.approx(2 * simulated[0], rel=0.01)
    assert two == pytest.approx(simulated[1], rel=0.1)


@pytest.mark.parametrize(
    ("random", "read", "under_way"), [(0.0, 1.0, 1), (0.5, 1.0, 2), (0.0, 0.5, 2), (0, 0, 2)]
)
def test_only_readers_in_order_have_a_copy_each(random: float, read: float, under_way: int) -> None:
    """Others go to either copy, and writes to both."""
    system = mirrored("1", 2)
    asked = reading(system, 2)
    profile = asked.profile.model_copy(update={"random_share": random, "read_share": read})
    asked = asked.model_copy(update={"profile": profile})
    (on,) = (volume.on for volume in system.volumes)
    assert isinstance(on, OnHostRaid)
    ((_, load),) = loads(asked)
    assert [ArrayMap(on.array, load).under_way(member, asked) for member in (0, 1)] == [under_way] * 2


def test_a_pair_that_has_lost_one_has_both_readers_on_the_other() -> None:
    """Each reads strips of the whole pair and of the other in turns: the times of both add up."""
    whole, other = rate(mirrored("1", 2), 2), rate(mirrored("1", 2, failed=[0]), 2)
    assert whole > 4 * other
    expected = 2 / (1 / whole + 1 / other)
    system = mirrored("10", 4, failed=[0])
    assert rate(system, 2) == pytest.approx(expected, rel=0.05)
    simulated = bench.simulate_point(reading(system, 2), system).transaction_rate_io_s
    assert simulated == pytest.approx(expected, rel=0.05)


@pytest.mark.parametrize(
    ("workers", "outstanding", "system", "more"),
    [
        (1, 2, mirrored("1", 2), {}),  # one stream that both copies take parts of
        (4, 1, mirrored("1", 2), {}),  # two streams on each
        (2, 2, mirrored("1", 2), {}),
        (2, 1, mirrored("0", 2), {}),  # no copies
        (2, 1, mirrored("1", 2, failed=[0]), {}),
        (2, 1, mirrored("1", 2, "windows-2012-ntfs-nvme"), {}),  # the first takes both
        (2, 1, mirrored("1", 2), {"workers_area": "stream"}),
    ],
)
def test_elsewhere_each_drive_sees_several_streams(
    workers: int, outstanding: int, system: VirtualSystem, more: dict[str, Any]
) -> None:
    """No drive fetches ahead: a read takes as long as on one drive with two outstanding."""
    alone = mirrored("0", 2)
    each = rate(alone, 1, 2) / 2
    assert rate(system, workers, outstanding, **more) == pytest.approx(workers * outstanding * each, rel=0.25)
    simulated = bench.simulate_point(reading(system, workers, outstanding, **more), system)
    assert simulated.transaction_rate_io_s == pytest.approx(workers * outstanding * each, rel=0.25)
