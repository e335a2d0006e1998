"""Copies of which the first is read until it has enough under way: Windows does so from nine on."""

from __future__ import annotations

import math
from collections.abc import Hashable

import pytest

from iodyno import bench
from iodyno.catalog.resolve import resolve
from iodyno.catalog.tree import system_of
from iodyno.plan import Point
from iodyno.prediction import Prediction, predict
from iodyno.prediction.mirrors import first_share
from iodyno.prediction.network import BuiltNetwork, build
from iodyno.prediction.records import Solution
from iodyno.virtual import VirtualSystem
from mirrored_systems import mirrored, reading

WINDOWS = "windows-2012-ntfs-nvme"
ENOUGH = 9


def asked(system: VirtualSystem, outstanding: int, kib: int, random: float = 1.0) -> Point:
    made = reading(system, 1, outstanding, kib)
    return made.model_copy(update={"profile": made.profile.model_copy(update={"random_share": random})})


def with_delays(
    point: Point, system: VirtualSystem, delays_s: tuple[float, float], at_host_s: float = 0.0
) -> float | None:
    """Ask for the share where each copy takes so long, whatever is there."""

    def time_s(keys: frozenset[Hashable], share: float) -> float:
        times: dict[Hashable, float] = {"core": at_host_s}
        for drive in range(0, len(system.drives), 2):
            times["dies", drive] = share * delays_s[0]
            times["dies", drive + 1] = (1 - share) * delays_s[1]
        return sum(times.get(key, 0.0) for key in keys)

    def answer(share: float | None) -> tuple[BuiltNetwork, Solution]:
        assert share is not None
        built = build(point, system, first_share=share)
        (solution,) = bench.solve_network(built.network, [point.outstanding])
        rows = zip(solution.stations, built.keys, strict=True)
        stations = [row.model_copy(update={"residence_s": time_s(keys, share)}) for row, keys in rows]
        return built, solution.model_copy(update={"stations": tuple(stations)})

    return first_share(point, system, answer)


@pytest.mark.parametrize("outstanding", [1, 8, 9, 12, 17, 18, 19, 64])
def test_what_is_beyond_enough_goes_to_the_other(outstanding: int) -> None:
    """Equal times: as many of all as are under way there. Nine of twelve, and half from eighteen on."""
    system = mirrored("1", 2, WINDOWS)
    found = with_delays(asked(system, outstanding, 4), system, (1e-4, 1e-4))
    assert found == pytest.approx(max(min(1, ENOUGH / outstanding), 0.5), abs=0.01)


@pytest.mark.parametrize("outstanding", [2, 24])
@pytest.mark.parametrize("random", [0.0, 1.0])
def test_of_two_sets_each_has_half_in_order_and_what_chance_gives_it_at_random(
    outstanding: int, random: float
) -> None:
    """Of N at a set the first copy has nine, or half where that is more: of 12 and 12, or of N by a coin."""
    system = mirrored("10", 4, WINDOWS)
    half = outstanding // 2
    by_chance = [(count, math.comb(outstanding, count) / 2**outstanding) for count in range(outstanding + 1)]
    there = by_chance if random else [(half, 1.0)]
    expected = sum(chance * max(min(count, ENOUGH), count / 2) for count, chance in there) / half
    found = with_delays(asked(system, outstanding, 4, random), system, (1e-4, 1e-4))
    assert found == pytest.approx(expected, abs=0.004)


@pytest.mark.parametrize("at_host", [0.0, 3e-4])
@pytest.mark.parametrize(("outstanding", "slower"), [(12, 2.0), (12, 5.0), (12, 0.5), (16, 1.2)])
def test_a_slow_first_copy_has_fewer(outstanding: int, slower: float, at_host: float) -> None:
    """s · (slower + host) : (1 - s) · (1 + host) are under way at the two, and nine at the first."""
    system = mirrored("1", 2, WINDOWS)
    found = with_delays(asked(system, outstanding, 4), system, (slower * 1e-4, 1e-4), at_host)
    there, host = ENOUGH / outstanding, at_host / 1e-4
    expected = there * (1 + host) / (there * (1 + host) + (1 - there) * (slower + host))
    # The other has no more under way than the first, and is no slower here than as fast as it.
    assert found == pytest.approx(max(expected, 0.5), abs=0.01)


@pytest.mark.parametrize(("level", "count"), [("1", 2), ("10", 4), ("10", 8)])
@pytest.mark.parametrize("kib", [4, 64, 256])
@pytest.mark.parametrize("outstanding", [12, 16, 32, 128])
def test_the_simulator_shares_reads_out_so(level: str, count: int, kib: int, outstanding: int) -> None:
    """Rates, of which 256 kB had half to two thirds at 16 outstanding, and how unequally busy drives are."""
    system = mirrored(level, count, WINDOWS)
    point = asked(system, outstanding, kib)
    simulated, found = bench.simulate_point(point, system), predict(point, system, bench.solve_network)
    assert found.rate_io_s == pytest.approx(simulated.transaction_rate_io_s, rel=0.125)
    assert simulated.simulation
    (firmware,) = [row for row in simulated.simulation.stations if row.name.endswith(": firmware")]
    # Those of which nothing is read at all are not among the stations.
    measured = firmware.utilisation_max / (firmware.utilisation_mean * 2 * firmware.count / count)
    assert first_of(found, count) == pytest.approx(measured, abs=0.1)


def first_of(found: Prediction, drives: int) -> float:
    """Give what the first copies have by the formulas."""
    most, *least = sorted(
        (row for row in found.stations if row.name.endswith(": firmware")),
        key=lambda row: -row.utilisation_mean,
    )
    if most.count == drives:
        return 0.5
    return most.utilisation_mean / (most.utilisation_mean + sum(row.utilisation_mean for row in least))


@pytest.mark.parametrize("outstanding", [16, 32])
def test_beside_another_target_it_is_the_same(outstanding: int) -> None:
    """Chains have a share each; with 32 outstanding half was said, as of firsts that are read alone."""
    host = {"processor": "xeon-e5-2660-v3", "processors": 2, "software": WINDOWS}
    groups = [{"drive": "intel-p3700-1600", "count": 8, "level": "10"}, {"drive": "intel-p3700-800"}]
    system = resolve(system_of({"name": "made-up", "host": host, "drives": groups}))
    point = asked(system, outstanding, 256)
    targets = tuple(
        point.targets[0].model_copy(
            update={"path": volume.name, "size_bytes": volume.size_bytes, "area_length_bytes": 1 << 38}
        )
        for volume in system.volumes
    )
    both = point.model_copy(update={"targets": targets, "targets_per_worker": 1})
    found, simulated = predict(both, system, bench.solve_network), bench.simulate_point(both, system)
    assert found.rate_io_s == pytest.approx(simulated.transaction_rate_io_s, rel=0.12)


def test_what_does_not_depend_on_what_is_under_way_is_not_asked_for() -> None:
    """Writes are with both and count as under way; where the idlest is read at all times all are alike."""

    def never(share: float | None) -> tuple[BuiltNetwork, Solution]:
        raise AssertionError(share)

    system = mirrored("1", 2, WINDOWS)
    point = asked(system, 32, 4)
    assert first_share(point, system, never) == 0.5
    assert first_share(point.model_copy(update={"outstanding": 9}), system, never) == 1
    mixed = point.profile.model_copy(update={"read_share": 0.5})
    assert first_share(point.model_copy(update={"profile": mixed}), system, never) is None
    for other in (mirrored("1", 2), mirrored("10", 8), mirrored("0", 2, WINDOWS)):
        assert first_share(asked(other, 12, 4), other, never) is None


def test_of_a_rate_that_is_asked_for_few_are_under_way() -> None:
    """All come to the first copy then, however many might be outstanding."""
    system = mirrored("1", 2, WINDOWS)
    calm = asked(system, 64, 4).model_copy(update={"rate_io_s": 20_000.0})
    assert first_of(predict(calm, system, bench.solve_network), 2) == pytest.approx(1, abs=0.01)
