"""Arrays from one drive's curve against the simulator: both curve and array are simulated, and the formulas
know nothing of the drive but that curve.

They suppose exponential service, which waits longer where drives are neither idle nor full: with customers
as many as drives an exponential network has half the rate of the bound, one of constant service more.
"""

from __future__ import annotations

import pytest

from iodyno import bench
from iodyno.catalog.resolve import resolve
from iodyno.catalog.tree import system_of
from iodyno.errors import EngineError
from iodyno.plan import PlannedTarget, Point, Stopping
from iodyno.profiles import Block, LoadProfile

LOW, HIGH = 0.89, 1.02
SEED = 20_160_829
DEPTHS = (1, 2, 4, 8, 16, 32, 64)


def rate(drives: int, level: str, read_share: float, outstanding: int) -> float:
    """Simulate small random I/O on 15k disks behind a controller that writes through and is no limit."""
    logical = {"drive": "hgst-huc156045css204", "count": drives, "level": level}
    controller = {
        "part": "praid-ep420i", "mode": "data-protection", "expander": "sas-expander-12g",
        "logical": [logical],
    }  # fmt: skip
    host = {"processor": "xeon-e5-2660-v3", "software": "windows-raw-megaraid"}
    system = resolve(system_of({"name": "made-up", "host": host, "controller": [controller]}))
    size = system.volumes[0].size_bytes
    profile = LoadProfile(name="small", random_share=1.0, read_share=read_share, blocks=(Block(bytes=4096),))
    stopping = Stopping(
        warmup_s=0, floor_s=1, cap_s=60, precision=0.01, confidence=0.95,
        warmup_ios=4_000, floor_ios=20_000, cap_ios=20_000,
    )  # fmt: skip
    point = Point(
        index=0, sweep="s", profile=profile, outstanding=outstanding, workers=1, seed=SEED,
        engine="simulator",
        targets=(PlannedTarget(path="volume", kind="virtual", size_bytes=size, area_length_bytes=size),),
        system=system.name, stopping=stopping,
    )  # fmt: skip
    reading = bench.simulate_point(point, system)
    return reading.completed / reading.measured_s


@pytest.mark.parametrize(("level", "read_share"), [("0", 1.0), ("0", 0.67)])
def test_an_array_is_as_fast_as_its_drives_at_the_depths_that_they_get(level: str, read_share: float) -> None:
    curve = {depth: rate(1, level, read_share, depth) for depth in DEPTHS}
    array = bench.array_network(curve, 12, level, read_share)
    for solution in bench.solve_network(array, [1, 8, 32, 128, 256]):
        simulated = rate(12, level, read_share, solution.customers)
        assert LOW < solution.rate_s / simulated < HIGH, (solution.customers, SEED)


def test_all_that_is_wrong_with_a_curve_is_said_at_once() -> None:
    with pytest.raises(EngineError) as caught:
        bench.array_network({2: 180.0, 32: -1.0}, 0, "7", 1.5)
    said = [problem.what for problem in caught.value.problems]
    assert len(said) == 5, said


@pytest.mark.parametrize(
    ("level", "drives", "what", "hint"),
    [
        ("5", 2, "RAID 5 needs at least 3 drives, not 2", "take 3 drives or more"),
        ("6", 2, "RAID 6 needs at least 4 drives, not 2", "take 4 drives or more"),
        (
            "10", 5, "RAID 10 needs an even number of drives, not 5",
            "take an even number of drives, 4 or more",
        ),
        ("1", 1, "RAID 1 needs at least 2 drives, not 1", "take 2 drives or more"),
        (
            "50", 5, "RAID 50 needs at least 6 drives, not 5",
            "take 2 groups or more of equally many drives, each of 3 or more",
        ),
    ],
)  # fmt: skip
def test_no_array_is_made_of_drives_that_its_level_cannot_be_made_of(
    level: str, drives: int, what: str, hint: str
) -> None:
    with pytest.raises(EngineError) as caught:
        bench.array_network({1: 180.0}, drives, level, 0.5)
    assert [(one.what, one.hint) for one in caught.value.problems] == [(what, hint)]


@pytest.mark.parametrize(
    ("level", "drives"), [("1", 2), ("1", 3), ("1E", 3), ("50", 9), ("60", 8), ("JBOD", 1)]
)
def test_groups_of_an_array_are_of_any_number(level: str, drives: int) -> None:
    (station,) = bench.array_network({1: 180.0}, drives, level, 0.5).stations
    assert station.copies == drives
