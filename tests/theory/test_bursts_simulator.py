"""A load that comes in bursts: what is counted of it is no pause between two of them."""

from __future__ import annotations

from iodyno import bench
from iodyno.catalog.resolve import resolve
from iodyno.catalog.tree import system_of
from iodyno.plan import PlannedTarget, Point, Stopping
from iodyno.profiles import Block, LoadProfile


def counted(cap_ios: int) -> tuple[float, float]:
    """Give rate and half-width of its interval, in IO/s, of small reads in order between which a cache is
    written: it answers thousands of them, then destages."""
    controller = {
        "part": "praid-ep420i", "drive_cache": "on", "read": "read-ahead", "write": "always-write-back",
        "logical": [{"drive": "seagate-exos-x20-20tb", "level": "0"}],
    }  # fmt: skip
    host = {"processor": "xeon-e5-2660-v3", "processors": 2, "software": "windows-raw-megaraid"}
    system = resolve(system_of({"name": "one", "host": host, "controller": [controller]}))
    (volume,) = system.volumes
    profile = LoadProfile(name="mix", random_share=0.0, read_share=0.9, blocks=(Block(bytes=4096),))
    target = PlannedTarget(
        path=volume.name, kind="virtual", size_bytes=volume.size_bytes,
        area_length_bytes=volume.size_bytes // 4 >> 20 << 20,
    )  # fmt: skip
    stopping = Stopping(
        warmup_s=0, floor_s=1, cap_s=60, precision=0.01, confidence=0.95,
        warmup_ios=655_360, floor_ios=min(cap_ios, 20_000), cap_ios=cap_ios,
    )  # fmt: skip
    point = Point(
        index=0, sweep="test", profile=profile, targets=(target,), outstanding=8, workers=1,
        engine="simulator", stopping=stopping, seed=3_244_330_826_091_466_740, system="one",
    )  # fmt: skip
    reading = bench.simulate_point(point, system)
    rate = reading.transaction_rate_io_s
    assert reading.precision.half_width is not None, rate
    return rate, reading.precision.half_width * rate


def test_few_ios_tell_a_rate_that_many_confirm() -> None:
    """As many as come in a burst: all that was kept of them lay in a pause, and the rate was 0."""
    (few, width), (many, narrow) = counted(40_000), counted(1_000_000)
    assert abs(few - many) <= width + narrow
