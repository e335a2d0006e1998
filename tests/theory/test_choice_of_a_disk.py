"""What a disk gains by choosing, and what several disks have that gain: beside simulations of a few lines.

They know an arm, a turn and a queue, and nothing of the simulator or of the formulas.
"""

from __future__ import annotations

import heapq
import math
from itertools import repeat
from random import Random

import pytest

from iodyno import bench
from iodyno.catalog.resolve import resolve
from iodyno.catalog.tree import system_of
from iodyno.plan import PlannedTarget, Point, Stopping
from iodyno.prediction import predict
from iodyno.prediction.hdd import GAIN, SERVICE_SCV
from iodyno.prediction.records import ClosedNetwork, NetworkStation, Rates
from iodyno.profiles import Block, LoadProfile

SEED = 20_160_324
MOST = 32
"""Accesses that a disk has at once in a network."""


def mean_way(random: Random, full: float, waiting: int, accesses: int) -> float:
    """Give the mean way of the arm to the nearest of so many, in turns of the disk; one takes its place.

    A seek takes 0.05 turns to the next track, ``full`` over all of them, and goes by the root of the way.
    """
    arm, now, total = 0.5, 0.0, 0.0
    queue = [(random.random(), random.random()) for _ in range(waiting)]

    def way(place: tuple[float, float]) -> float:
        there = 0.05 + (full - 0.05) * math.sqrt(abs(place[0] - arm))
        return there + (place[1] - now - there) % 1.0

    for _ in range(accesses):
        nearest = min(range(waiting), key=lambda at: way(queue[at]))
        total += (spent := way(queue[nearest]))
        arm, now = queue[nearest][0], now + spent
        queue[nearest] = (random.random(), random.random())
    return total / accesses


@pytest.mark.parametrize("full", [1.65, 2.0])
@pytest.mark.parametrize("waiting", [3, 7, 31, 63, 255, 1023])
def test_the_nearest_of_those_that_wait_is_so_much_sooner_there(full: float, waiting: int) -> None:
    alone = mean_way(Random(SEED), full, 1, 20_000)
    nearest = mean_way(Random(SEED), full, waiting, 20_000 if waiting < 128 else 2000)
    assert math.log(alone / nearest) / math.log(waiting) == pytest.approx(GAIN, abs=0.04), SEED


@pytest.mark.parametrize("drive", ["hgst-huc156045css204", "seagate-st91000640ns", "seagate-exos-x20-20tb"])
@pytest.mark.parametrize("kib", [4, 256])
def test_a_disk_chooses_of_all_writes_in_its_cache(drive: str, kib: int) -> None:
    """256, 512 and 1024 pieces of 64 KiB: what it has answered may wait for as long as it likes."""
    controller = {"part": "psas-cp400i", "drive_cache": "on", "logical": [{"drive": drive, "level": "JBOD"}]}
    host = {"processor": "xeon-e5-2660-v3", "software": "windows-raw-megaraid"}
    system = resolve(system_of({"name": "made-up", "host": host, "controller": [controller]}))
    (volume,) = system.volumes
    target = PlannedTarget(
        path=volume.name, kind="virtual", size_bytes=volume.size_bytes, area_length_bytes=volume.size_bytes
    )
    profile = LoadProfile(
        name="made", random_share=1.0, read_share=0.0, blocks=(Block(bytes=kib << 10, weight=1.0),)
    )
    stopping = Stopping(
        warmup_s=0, floor_s=1, cap_s=600, precision=0.01, confidence=0.95,
        warmup_ios=8000, floor_ios=8000, cap_ios=16_000,
    )  # fmt: skip
    point = Point(
        index=0, sweep="s", profile=profile, targets=(target,), outstanding=4, workers=1, seed=SEED,
        engine="simulator", system="made-up", stopping=stopping,
    )  # fmt: skip
    simulated = bench.simulate_point(point, system).transaction_rate_io_s
    found = predict(point, system, bench.solve_network).rate_io_s
    assert found == pytest.approx(simulated, rel=0.08), SEED


def rate_of_each(random: Random, disks: int, customers: int, gain: float, accesses: int) -> float:
    """Give the rate of each of several disks that customers take at random, one after the other.

    A disk chooses of those that wait when it is free, in which time one takes 1 s.
    """
    spread = math.sqrt(3 * SERVICE_SCV)
    there, ends, now = [0] * disks, list[tuple[float, int]](), 0.0

    def serve(disk: int) -> None:
        service = 1 + random.uniform(-spread, spread)
        heapq.heappush(ends, (now + service / min(there[disk], MOST - 1) ** gain, disk))

    def arrive() -> None:
        disk = random.randrange(disks)
        there[disk] += 1
        if there[disk] == 1:
            serve(disk)

    for _ in repeat(None, customers):
        arrive()
    for _ in repeat(None, accesses):
        now, disk = heapq.heappop(ends)
        there[disk] -= 1
        if there[disk]:
            serve(disk)
        arrive()
    return accesses / now / disks


# Exactly by Markov chains where service is exponential; here most of a service is the same for all.
@pytest.mark.parametrize("disks", [1, 2, 8])
@pytest.mark.parametrize("each", [1, 2, 8, 32])
@pytest.mark.parametrize("gain", [0.0, GAIN])
def test_disks_whose_accesses_vary_little(disks: int, each: int, gain: float) -> None:
    # With n present, n - 1 wait while one is served, and the next is one of them.
    rates = tuple(max(present - 1, 1) ** gain for present in range(1, MOST + 1))
    station = NetworkStation(
        name="disks", copies=disks, visits=1, service_s=1, service_scv=SERVICE_SCV, law=Rates(rates=rates)
    )
    customers = disks * each
    (found,) = bench.solve_network(ClosedNetwork(stations=(station,)), [customers])
    simulated = rate_of_each(Random(SEED), disks, customers, gain, 40_000)
    assert found.rate_s / disks == pytest.approx(simulated, rel=0.03), SEED
