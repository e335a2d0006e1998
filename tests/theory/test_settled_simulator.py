"""Shipped studies begin to measure when what caches held before has gone: the law of utilisation.

Sequential writes pass the data path of an SSD once, whole stripes with their copies or parity. So its
utilisation is the bytes written in a second ÷ the members that share them ÷ its rate (Lazowska and others,
Quantitative System Performance, 1984, chapter 3), and no more: what a cache still gives away of before would
come on top of it.
"""

from __future__ import annotations

import pytest

from iodyno import bench
from iodyno.plan import Plan, PlannedTarget, Point, Stopping
from iodyno.profiles import Block, LoadProfile
from iodyno.study import load_study, plan_simulation, resolve_all
from iodyno.study.configuration import Configuration
from iodyno.study.systems import resolve
from iodyno.virtual import SsdModel

TOLERANCE = 0.02


@pytest.fixture(scope="module")
def raid_controllers() -> Plan:
    study = load_study("raid-controllers")
    return plan_simulation(study, resolve_all(study.configurations, resolve))


@pytest.mark.parametrize(
    ("system", "sharing", "outstanding"),
    [
        ("ep400i-4x-sata-ssd-raid0-performance", 4, 1),
        ("ep400i-8x-sas-ssd-raid10-performance", 4, 1),
        ("ep420i-8x-sas-ssd-raid0-performance", 8, 2),
        ("ep420i-24x-sas-ssd-raid0-performance", 24, 64),
    ],
)
def test_ssds_write_no_more_than_what_comes(
    raid_controllers: Plan, system: str, sharing: int, outstanding: int
) -> None:
    point = next(
        one
        for one in raid_controllers.points
        if (one.system, one.profile.name, one.outstanding) == (system, "restore", outstanding)
    )
    virtual = raid_controllers.systems[system]
    model = virtual.drives[0].model
    assert isinstance(model, SsdModel)
    reading = bench.simulate_point(point, virtual)
    assert reading.simulation is not None
    written_bytes_s = reading.writes.bytes / reading.measured_s
    (path,) = (one for one in reading.simulation.stations if one.name.endswith("data path"))
    law = written_bytes_s / sharing / model.data_write_bytes_s
    assert law < 1 - TOLERANCE, "the drives keep up"
    assert path.utilisation_mean == pytest.approx(law, abs=TOLERANCE), (system, point.seed)


def test_at_a_rate_of_its_own_a_load_is_destaged_as_it_comes() -> None:
    """The utilisation of a processor is the rate × what an I/O takes of it: from the beginning on no more is
    destaged than is written, however many may be outstanding."""
    system = resolve(Configuration(name="array", system="raid-controllers", changes={"level": "5"}))
    volume = system.volumes[0]
    block = Block(bytes=8 << 10, weight=1.0)

    def takes_s(rate_io_s: float) -> float:
        point = Point(
            index=0, sweep="s", system="array", engine="simulator", seed=7, outstanding=4096, workers=1,
            rate_io_s=rate_io_s, arrival="fixed",
            profile=LoadProfile(name="made", random_share=1.0, read_share=0.7, blocks=(block,)),
            targets=(PlannedTarget(path=volume.name, kind="virtual", size_bytes=volume.size_bytes,
                                   area_length_bytes=volume.size_bytes // 4),),
            stopping=Stopping(warmup_s=0, floor_s=1, cap_s=1, precision=0.02, confidence=0.95,
                              warmup_ios=4000, floor_ios=20_000, cap_ios=20_000),
        )  # fmt: skip
        reading = bench.simulate_point(point, system)
        assert reading.simulation is not None
        (processor,) = (one for one in reading.simulation.stations if one.name.endswith(": processor"))
        assert processor.utilisation_mean < 1 - TOLERANCE, rate_io_s
        return processor.utilisation_mean / reading.transaction_rate_io_s

    assert takes_s(95_000) == pytest.approx(takes_s(20_000), rel=TOLERANCE)
