"""A drive of PCIe 5.0 in an older or narrower slot: closed forms beside the simulator."""

from __future__ import annotations

import pytest

from iodyno import bench
from iodyno.catalog.changes import changed
from iodyno.catalog.resolve import resolve
from iodyno.catalog.tree import load_system
from iodyno.plan import PlannedTarget, Point, Stopping
from iodyno.prediction import predict
from iodyno.profiles import Block, LoadProfile
from iodyno.virtual import VirtualSystem

SEED = 20_160_324
BLOCK = 64 << 10
COMMAND_S = 20e-9
"""What a command takes on the link beside its data, as the part of PCI Express has it."""
LANE_BYTES_S = 0.9 * 8e9 * 128 / 130 / 8
"""Of PCIe 3.0 in practice: 90 % of the transfers × coding ÷ 8."""
DATA_BYTES_S = 13e9
"""The drive's own data path, from its announcement: less than PCIe 5.0 x4 carries."""


def read_in_sequence(link: str | None) -> tuple[Point, VirtualSystem]:
    """Give sequential reads of the drive in a slot, so many that what is slowest is always busy."""
    own = changed(load_system("nvme-today"), {"count": 1, **({"link": link} if link else {})})
    system = resolve(own)
    (volume,) = system.volumes
    target = PlannedTarget(
        path=volume.name, kind="virtual", size_bytes=volume.size_bytes,
        area_length_bytes=volume.size_bytes // 4 >> 20 << 20,
    )  # fmt: skip
    profile = LoadProfile(
        name="made", random_share=0.0, read_share=1.0, blocks=(Block(bytes=BLOCK, weight=1.0),)
    )
    stopping = Stopping(
        warmup_s=0, floor_s=1, cap_s=600, precision=0.01, confidence=0.95,
        warmup_ios=2_000, floor_ios=20_000, cap_ios=20_000,
    )  # fmt: skip
    point = Point(
        index=0, sweep="s", profile=profile, targets=(target,), outstanding=64, workers=1, seed=SEED,
        engine="simulator", system=system.name, stopping=stopping,
    )  # fmt: skip
    return point, system


def through(link_bytes_s: float) -> float:
    """Give the rate of reads in bytes/s that a link lets through, one after the other."""
    return BLOCK / (BLOCK / link_bytes_s + COMMAND_S)


@pytest.mark.parametrize(
    ("link", "expected"),
    [("PCIe 3.0 x4", through(4 * LANE_BYTES_S)), ("PCIe 3.0 x2", through(2 * LANE_BYTES_S)),
     ("PCIe 5.0 x4", DATA_BYTES_S), (None, DATA_BYTES_S)],
)  # fmt: skip
def test_sequential_reads_are_as_fast_as_the_slot_or_the_drive(link: str | None, expected: float) -> None:
    """13.0 GB/s of the drive in its own slot, 3.5 and 1.8 in those of PCIe 3.0."""
    point, system = read_in_sequence(link)
    reading = bench.simulate_point(point, system)
    assert reading.throughput_bytes_s == pytest.approx(expected, rel=0.005)
    found = predict(point, system, bench.solve_network)
    assert found.throughput_bytes_s == pytest.approx(expected, rel=0.005)
