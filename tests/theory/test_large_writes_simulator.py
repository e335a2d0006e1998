"""Writes larger than an SSD's buffer: answered when their last part is in it, by both ways and by hand."""

from __future__ import annotations

import pytest

from iodyno import bench
from iodyno.plan import PlannedTarget, Point, Stopping
from iodyno.prediction import predict
from iodyno.profiles import Block, LoadProfile
from iodyno.virtual import VirtualSystem
from virtual_systems import GB, ssd, virtual_system

SEED = 20_260_118
MIB = 1 << 20
ROUND_S, PROGRAM, DIES = 0.9e-3, 32768, 32


def system(buffer: int) -> VirtualSystem:
    """Dies that are slower than the data path."""
    document = virtual_system().model_dump(mode="json")
    document["drives"][0]["model"] = ssd(buffer_bytes=buffer)
    return VirtualSystem.model_validate(document)


def asked(size: int, outstanding: int, think_s: float = 0.0) -> Point:
    profile = LoadProfile(
        name="large", random_share=0.0, read_share=0.0, blocks=(Block(bytes=size),), alignment_bytes=4096,
        think_time_us=round(think_s * 1e6),
    )  # fmt: skip
    target = PlannedTarget(path="drive-0", kind="virtual", size_bytes=100 * GB, area_length_bytes=32 << 30)
    stopping = Stopping(
        warmup_s=0, floor_s=1, cap_s=600, precision=0.01, confidence=0.95, warmup_ios=200, floor_ios=1000,
        cap_ios=1000,
    )  # fmt: skip
    return Point(
        index=0, sweep="s", profile=profile, targets=(target,), outstanding=outstanding, workers=1, seed=SEED,
        engine="simulator", system="made-up", stopping=stopping,
    )  # fmt: skip


# With one outstanding the dies have what is in the buffer while the next one comes over the link.
@pytest.mark.parametrize(
    ("mib", "buffer", "outstanding"),
    [(8, 4, 1), (8, 4, 4), (17, 16, 1), (17, 16, 2), (64, 32, 1), (64, 16, 2), (64, 4, 2), (64, 4, 4)],
)
def test_one_behind_the_other(mib: int, buffer: int, outstanding: int) -> None:
    """The dies never wait, and are the limit."""
    point, made = asked(mib * MIB, outstanding), system(buffer * MIB)
    rate_s = DIES * PROGRAM / ROUND_S / (mib * MIB)
    assert bench.simulate_point(point, made).transaction_rate_io_s == pytest.approx(rate_s, rel=0.03)
    assert predict(point, made, bench.solve_network).rate_io_s == pytest.approx(rate_s, rel=0.05)


@pytest.mark.parametrize(("mib", "buffer"), [(4, 4), (5, 4), (8, 4), (17, 16), (64, 4), (64, 16)])
def test_a_single_one(mib: int, buffer: int) -> None:
    """It finds an empty buffer, and waits for as many rounds of the dies as free what does not fit."""
    point, made = asked(mib * MIB, 1, think_s=0.2), system(buffer * MIB)
    rounds = max(mib - buffer, 0) * MIB / (DIES * PROGRAM)
    # The core, the link, firmware and answer; the last program has passed the data path behind its round.
    others_s = 4e-6 + mib * MIB / 3.5e9 + 3e-6 + 5e-6
    passed_s = DIES * PROGRAM / 1.9e9 if rounds else 0.0
    latency_s = others_s + rounds * ROUND_S + passed_s
    simulated = bench.simulate_point(point, made)
    found = predict(point, made, bench.solve_network)
    assert simulated.latency.mean_ns / 1e9 == pytest.approx(latency_s, rel=0.01)
    assert found.latency_ns_mean / 1e9 == pytest.approx(latency_s, rel=0.01)
