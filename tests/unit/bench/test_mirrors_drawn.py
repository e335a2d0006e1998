"""Mirrors that are equally busy: no seed decides for good how their reads meet."""

from __future__ import annotations

import pytest

from iodyno import bench
from iodyno.catalog.changes import changed
from iodyno.catalog.resolve import resolve
from iodyno.catalog.tree import load_system
from iodyno.plan import PlannedTarget, Point, Stopping
from iodyno.profiles import Block, LoadProfile


@pytest.mark.parametrize(("level", "count", "outstanding"), [("10", 4, 8), ("1", 2, 4), ("10", 8, 16)])
def test_a_stream_on_mirrors_has_one_rate_whatever_the_seed(level: str, count: int, outstanding: int) -> None:
    """By turns two rates were seen on four drives, a seventh apart, each with an interval of nothing."""
    changes = {
        "controller": "praid-ep400i", "mode": "fast-path-optimum", "drive": "intel-ssdsc2ba400g3c",
        "level": level, "count": count,
    }  # fmt: skip
    system = resolve(changed(load_system("raid-controllers"), changes))
    volume = system.volumes[0]
    target = PlannedTarget(
        path=volume.name, kind="virtual", size_bytes=volume.size_bytes, area_length_bytes=volume.size_bytes
    )
    stream = LoadProfile(
        name="stream", random_share=0.0, read_share=1.0, blocks=(Block(bytes=65536, weight=1.0),)
    )
    rates = []
    for seed in range(11, 19):
        point = Point(
            index=0, sweep="s", profile=stream, targets=(target,), outstanding=outstanding, workers=1,
            seed=seed,
            engine="simulator", system=system.name,
            stopping=Stopping(warmup_s=0, floor_s=1, cap_s=60, precision=0.02, confidence=0.95,
                              warmup_ios=2500, floor_ios=3000, cap_ios=12000),
        )  # fmt: skip
        rates.append(bench.simulate_point(point, system).transaction_rate_io_s)
    assert max(rates) == pytest.approx(min(rates), rel=0.05), rates
