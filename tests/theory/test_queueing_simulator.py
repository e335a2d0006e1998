"""Formulas and simulator on the same networks: host processor, links and SSDs with constant service.

Neither knows the other, and they share no code. The tolerance is that of the residual-life correction, 2 to
3 % against Markov chains, and as much again where stations before make arrivals more even than chance.
"""

from __future__ import annotations

import pytest

from iodyno import bench
from iodyno.plan import PlannedTarget, Point, Stopping
from iodyno.prediction import predict
from iodyno.profiles import Block, LoadProfile
from iodyno.virtual import VirtualSystem
from virtual_systems import GB, ssd, virtual_system

TOLERANCE = 0.05
SEED = 20_160_324
READS = LoadProfile(name="reads", random_share=1.0, read_share=1.0, blocks=(Block(bytes=8192, weight=1.0),))
WRITES = LoadProfile(
    name="writes", random_share=0.0, read_share=0.0, blocks=(Block(bytes=65536, weight=1.0),)
)
STREAM = LoadProfile(
    name="stream", random_share=0.0, read_share=1.0, blocks=(Block(bytes=65536, weight=1.0),)
)
MIXED = LoadProfile(name="mixed", random_share=1.0, read_share=0.67, blocks=(Block(bytes=8192, weight=1.0),))


def asked(profile: LoadProfile, outstanding: int, drives: int = 1) -> Point:
    stopping = Stopping(
        warmup_s=0, floor_s=1, cap_s=60, precision=0.01, confidence=0.95,
        warmup_ios=10_000, floor_ios=60_000, cap_ios=60_000,
    )  # fmt: skip
    targets = tuple(
        PlannedTarget(path=f"drive-{at}", kind="virtual", size_bytes=100 * GB, area_length_bytes=8 << 30)
        for at in range(drives)
    )
    return Point(
        index=0, sweep="s", profile=profile, targets=targets, outstanding=outstanding, workers=1, seed=SEED,
        engine="simulator", system="made-up", stopping=stopping,
    )  # fmt: skip


def compared(profile: LoadProfile, outstanding: int, system: VirtualSystem, drives: int = 1) -> float:
    """Give how far the formulas are from the simulator, as a share."""
    point = asked(profile, outstanding, drives)
    simulated = bench.simulate_point(point, system)
    predicted = predict(point, system, bench.solve_network)
    rate = simulated.completed / simulated.measured_s
    assert predicted.bounds.rate_io_s is not None
    assert rate <= predicted.bounds.rate_io_s * 1.01, (rate, predicted.bounds, SEED)
    return predicted.rate_io_s / rate - 1


def flat(**changes: int) -> VirtualSystem:
    """A host with an SSD of few dies, whose stations are used about equally: nothing dominates."""
    numbers = {"dies": 8, "read_ps": 40_000_000, "command_read_ps": 4_000_000, "delay_read_ps": 0, **changes}
    base = virtual_system()
    (slot,) = base.drives
    model = type(slot.model).model_validate(ssd(**numbers))
    return base.model_copy(update={"drives": (slot.model_copy(update={"model": model}),)})


@pytest.mark.parametrize("outstanding", [1, 2, 4, 8, 16, 32, 128])
def test_random_reads_of_one_drive(outstanding: int) -> None:
    assert abs(compared(READS, outstanding, virtual_system())) < TOLERANCE


@pytest.mark.parametrize("outstanding", [1, 2, 4, 8, 16, 32, 128])
def test_where_no_station_dominates(outstanding: int) -> None:
    assert abs(compared(READS, outstanding, flat())) < TOLERANCE


# Four on each drive are the knee: the core, busy for 80 % of the time, gives I/Os evenly, where the formulas
# suppose that they come by chance.
@pytest.mark.parametrize(("outstanding", "tolerance"), [(1, TOLERANCE), (4, 0.07), (32, TOLERANCE)])
def test_random_reads_of_four_drives(outstanding: int, tolerance: float) -> None:
    assert abs(compared(READS, outstanding, virtual_system(drives=4), drives=4)) < tolerance


@pytest.mark.parametrize("outstanding", [1, 2, 4, 8, 32])
def test_streams_keep_step(outstanding: int) -> None:
    assert abs(compared(STREAM, outstanding, virtual_system())) < TOLERANCE


@pytest.mark.parametrize("outstanding", [1, 2, 4, 8, 32])
def test_streams_of_what_planes_hold_side_by_side(outstanding: int) -> None:
    assert abs(compared(STREAM, outstanding, flat(read_bytes=65536, program_bytes=65536))) < TOLERANCE


@pytest.mark.parametrize("outstanding", [1, 8, 64])
@pytest.mark.parametrize("share", [0.5, 0.75])
def test_reads_that_are_partly_random(share: float, outstanding: int) -> None:
    partly = READS.model_copy(update={"random_share": share})
    assert abs(compared(partly, outstanding, flat(program_bytes=65536))) < TOLERANCE


@pytest.mark.parametrize("outstanding", [1, 8, 64])
def test_programs_limit_writes(outstanding: int) -> None:
    assert abs(compared(WRITES, outstanding, virtual_system())) < TOLERANCE


@pytest.mark.parametrize("outstanding", [1, 2, 4, 8, 128])
def test_reads_behind_programs(outstanding: int) -> None:
    assert abs(compared(MIXED, outstanding, virtual_system())) < TOLERANCE
