"""What seeds differ by is what the interval of each says; points drawn at random: `benches/seeds.py`."""

from __future__ import annotations

from statistics import fmean, variance
from typing import Any

import pytest

from iodyno import bench
from iodyno.catalog.resolve import resolve
from iodyno.catalog.tree import system_of
from iodyno.plan import PlannedTarget, Point, Stopping
from iodyno.profiles import Block, LoadProfile

SEED, SEEDS = 4711, 8
NORMAL = 1.96
"""Half-width of a 95 % interval ÷ its standard error, of many degrees of freedom; of few it is more."""
CHI_SQUARE = 24.32
"""Sum of squares of seven degrees of freedom that one in a thousand is above, from printed tables."""


def array(controller: str, drive: str, count: int, level: str) -> dict[str, Any]:
    """Write down an array behind a controller whose SSDs are accessed past its cache."""
    logical = {"drive": drive, "count": count, "level": level}
    behind = {"part": controller, "mode": "fast-path-optimum", "logical": [logical]}
    host = {"processor": "xeon-e5-2660-v3", "processors": 2, "software": "windows-raw-megaraid"}
    return {"name": "array", "host": host, "controller": [behind]}


SAS, SATA = "toshiba-px02smf040", "intel-ssdsc2ba400g3c"


# Each update of RAID 5 reads what lies in order and programs as much: both go at one pace, so how the one
# meets the other must not stay as it began.
@pytest.mark.parametrize(
    ("drive", "count", "level", "outstanding", "read_share"),
    [
        (SAS, 8, "5", 1, 0.0),
        (SAS, 4, "5", 2, 0.0),
        (SAS, 8, "5", 2, 0.0),
        (SATA, 4, "5", 1, 0.0),
        (SAS, 8, "10", 16, 1.0),
        (SAS, 2, "1", 4, 0.5),
    ],
)
def test_streams_on_ssds_behind_a_controller(
    drive: str, count: int, level: str, outstanding: int, read_share: float
) -> None:
    system = resolve(system_of(array("praid-ep420i", drive, count, level)))
    profile = LoadProfile(
        name="stream", random_share=0.0, read_share=read_share, blocks=(Block(bytes=64 << 10),)
    )
    (volume,) = system.volumes
    target = PlannedTarget(
        path=volume.name, kind="virtual", size_bytes=volume.size_bytes,
        area_length_bytes=volume.size_bytes // 10 >> 20 << 20,
    )  # fmt: skip
    stopping = Stopping(
        warmup_s=0, floor_s=1, cap_s=60, precision=0.02, confidence=0.95,
        warmup_ios=2500, floor_ios=3000, cap_ios=12_000,
    )  # fmt: skip
    point = Point(
        index=0, sweep="s", profile=profile, targets=(target,), outstanding=outstanding, workers=1, seed=SEED,
        engine="simulator", system="array", stopping=stopping,
    )  # fmt: skip
    seeds = (point.model_copy(update={"seed": SEED + more}) for more in range(SEEDS))
    readings = [bench.simulate_point(one, system) for one in seeds]
    rates = [one.transaction_rate_io_s for one in readings]
    mean = fmean(rates)
    # Windows are cut at moments and hold whole I/Os: two thousandths that no interval has to tell.
    said = fmean((one.precision.half_width or 0.0) ** 2 for one in readings) / NORMAL**2 + 0.002**2
    assert (SEEDS - 1) * variance(rates, mean) / mean**2 <= CHI_SQUARE * said, (SEED, rates)
