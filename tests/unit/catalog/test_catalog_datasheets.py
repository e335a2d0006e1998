"""What is printed of a drive comes out of the simulator under the load that it is printed of."""

from __future__ import annotations

from typing import NamedTuple

import pytest

from iodyno import bench
from iodyno.catalog.parts import DrivePart
from iodyno.catalog.resolve import resolve
from iodyno.catalog.shelf import shipped
from iodyno.catalog.tree import SystemSpec
from iodyno.profiles import LoadProfile
from iodyno.reading import Reading
from iodyno.study import Configuration, SimulationOptions, Study, Sweep
from iodyno.study.simulating import plan_simulation

HOST = {"processor": "epyc-9354", "software": "linux-nvme"}


class Load(NamedTuple):
    """A load as datasheets name it."""

    random_share: float
    read_share: float
    block: str
    workers: int
    outstanding: int


READ, WRITE = Load(0, 1, "128k", 4, 32), Load(0, 0, "128k", 4, 32)
RANDOM_READ, RANDOM_WRITE = Load(1, 1, "4k", 16, 64), Load(1, 0, "4k", 4, 32)


def simulated(drive: str, load: Load) -> Reading:
    part = shipped().take(drive, DrivePart)
    system: dict[str, object] = {"name": "one", "host": HOST}
    if part.interface.startswith("PCIe"):
        system["drives"] = [{"drive": drive}]
    else:
        system["host"] = HOST | {"software": "linux-scsi"}
        system["controller"] = [{"part": "psas-cp400i", "drive_cache": "on", "logical": [{"drive": drive}]}]
    study = Study(
        name="datasheet",
        title="A datasheet",
        simulation=SimulationOptions(warmup_ios=20_000, floor_ios=20_000, cap_ios=20_000),
        profile=(
            LoadProfile.model_validate(
                {"name": "load", "random_share": load.random_share, "read_share": load.read_share,
                 "blocks": load.block}
            ),
        ),
        configuration=(Configuration(name="one", system=system),),
        sweep=(
            Sweep.model_validate(
                {"name": "s", "profiles": ["load"], "workers": load.workers, "outstanding": load.outstanding}
            ),
        ),
    )  # fmt: skip
    spec = resolve(SystemSpec.model_validate(system), where="one")
    plan = plan_simulation(study, {"one": spec})
    (point,) = plan.points
    return bench.simulate_point(point, plan.systems[point.system or ""])


@pytest.mark.parametrize("drive", ["samsung-pm9a3-3840", "samsung-pm1743-7680"])
def test_rates_of_todays_ssds(drive: str) -> None:
    part = shipped().take(drive, DrivePart)
    for load, printed in ((READ, part.model["data_read"]), (WRITE, part.model["data_write"])):
        assert simulated(drive, load).throughput_bytes_s == pytest.approx(printed.real, rel=0.01), load
    for load, printed in (
        (RANDOM_READ, part.facts["random_read_4k"]),
        (RANDOM_WRITE, part.facts["random_write_4k"]),
    ):
        assert simulated(drive, load).transaction_rate_io_s == pytest.approx(printed.real, rel=0.02), load


def test_random_reads_of_a_nearline_disk() -> None:
    printed = shipped().take("seagate-exos-x20-20tb", DrivePart).facts["random_read_4k"]
    rate = simulated("seagate-exos-x20-20tb", Load(1, 1, "4k", 1, 16)).transaction_rate_io_s
    assert rate == pytest.approx(printed.real, rel=0.03)


def test_one_random_read_of_an_iodrive2() -> None:
    """Of the maker's 68 microseconds, on a host that is not told: a tenth is what hosts differ by."""
    printed = shipped().take("fusion-io-iodrive2-1200", DrivePart).facts["latency_read"]
    rate = simulated("fusion-io-iodrive2-1200", Load(1, 1, "512", 1, 1)).transaction_rate_io_s
    assert 1e12 / rate == pytest.approx(printed.real, rel=0.1)
