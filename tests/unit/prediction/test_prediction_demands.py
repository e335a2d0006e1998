"""What an I/O asks of single stations, by hand from the numbers of the system."""

from __future__ import annotations

import math
from dataclasses import fields, replace

import pytest

from iodyno.catalog.changes import changed
from iodyno.catalog.resolve import resolve
from iodyno.catalog.tree import load_system
from iodyno.plan import PlannedTarget, Point, Stopping
from iodyno.prediction import NetworkStation, build
from iodyno.prediction.accesses import DriveUse
from iodyno.prediction.demands import ONE, Demand
from iodyno.prediction.hdd import Disk
from iodyno.profiles import Block, LoadProfile
from iodyno.virtual import HddModel, SsdModel, VirtualSystem
from virtual_systems import ssd, virtual_system

BYTES = 8192


def _stations(
    system: VirtualSystem, read_share: float, random_share: float = 1.0
) -> dict[str, NetworkStation]:
    profile = LoadProfile(
        name="made", random_share=random_share, read_share=read_share, alignment_bytes=BYTES,
        blocks=(Block(bytes=BYTES, weight=1.0),),
    )  # fmt: skip
    volume = system.volumes[0]
    target = PlannedTarget(
        path=volume.name, kind="virtual", size_bytes=volume.size_bytes, area_length_bytes=32 << 30
    )
    point = Point(
        index=0, sweep="s", profile=profile, outstanding=1, workers=1, seed=1, system="made-up",
        engine="simulator", targets=(target,),
        stopping=Stopping(warmup_s=0, floor_s=1, cap_s=10, precision=0.02, confidence=0.95),
    )  # fmt: skip
    return {station.name: station for station in build(point, system).network.stations}


def _asked_s(station: NetworkStation) -> float:
    return station.visits * station.service_s


@pytest.mark.parametrize("reads", [1.0, 0.67, 0.3])
def test_a_turn_of_the_data_path_is_lost_where_the_direction_changes(reads: float) -> None:
    """An I/O turns the path, for each of its two pages, where the one before went the other way."""
    system = virtual_system()
    model = system.drives[0].model
    assert isinstance(model, SsdModel)
    turned = 2 * model.turnaround_ps * 1e-12
    read = BYTES / model.data_read_bytes_s + (1 - reads) * turned
    write = BYTES / model.data_write_bytes_s + reads * turned
    found = _asked_s(_stations(system, reads)["drive: data path"])
    assert found == pytest.approx(reads * read + (1 - reads) * write, rel=1e-9)


@pytest.mark.parametrize("suspend", [0.0, 0.2, 0.7, 1.0, 3.0])
def test_a_read_waits_for_a_program_until_it_ends_or_is_suspended(suspend: float) -> None:
    """What is left of a program is uniform: the mean of the lesser of it and the time to suspend."""
    base = virtual_system()
    model = base.drives[0].model
    assert isinstance(model, SsdModel)
    slower = model.model_copy(update={"suspend_ps": round(suspend * model.program_ps)})
    system = base.model_copy(update={"drives": (base.drives[0].model_copy(update={"model": slower}),)})
    dies = _stations(system, 0.5)["drive: dies"]
    share = min(suspend, 1.0)
    expected = (share - share**2 / 2) * model.program_ps * 1e-12
    assert dies.background_wait_s == pytest.approx(expected, rel=1e-6)


def test_disks_gain_by_what_waits() -> None:
    """Two have nothing to choose from: one is served, and the other is next. A stream gains nothing."""
    disk = changed(load_system("raid-single-drive"), {"drive": "hgst-huc156045css204"})
    model = resolve(disk).drives[0].model
    assert isinstance(model, HddModel)
    random, stream = (Disk(model, DriveUse((), share, 1e11, 0.0, 8.0)).choice for share in (1.0, 0.0))
    way_s, there_s = 0.004, 0.001
    assert random.chosen_s(way_s, there_s, 1) == random.chosen_s(way_s, there_s, 2) == 0.005
    assert random.chosen_s(way_s, there_s, 9) == pytest.approx(0.004 / random.gain(8) + 0.001, rel=1e-6)
    assert stream.chosen_s(way_s, there_s, 9) == 0.005


def test_accesses_that_were_passed_over_for_long_come_in_turn() -> None:
    """256 revolutions are 1.02 s: with 32 of a second each, nearly all have waited longer."""
    disk = changed(load_system("raid-single-drive"), {"drive": "hgst-huc156045css204"})
    model = resolve(disk).drives[0].model
    assert isinstance(model, HddModel)
    random = Disk(model, DriveUse((), 1.0, 1e11, 0.0, 32.0)).choice
    overdue = math.exp(-1.024 / (32 * random.chosen_s(0.1, 0.9, 32)))
    assert random.chosen_s(0.1, 0.9, 32) == pytest.approx(
        0.1 * (overdue + (1 - overdue) / random.gain(31)) + 0.9, rel=1e-4
    )


def test_an_update_of_parity_visits_the_processor_twice() -> None:
    """RAID 5: reads of old data and parity, then writes of both, and the parity of 8 KiB between them."""
    disks = {"level": "5", "drive": "hgst-huc156045css204", "write": "write-through", "read": "no-read-ahead"}
    system = resolve(changed(load_system("raid-controllers"), {**disks, "mode": "none"}))
    (controller,) = system.controllers
    processor = _stations(system, 0.0)[f"{controller.name}: processor"]
    expected = (
        controller.host_io_ps + 4 * controller.disk_io_ps + controller.parity_write_ps
        + 8 * controller.parity_per_kib_ps
    )  # fmt: skip
    assert processor.visits == pytest.approx(2)
    assert _asked_s(processor) == pytest.approx(expected * 1e-12, rel=1e-9)


@pytest.mark.parametrize("rates", [(1e9, 5e8), (5e8, 1e9), (1e9, 1e9)])
@pytest.mark.parametrize("reads", [0.0, 1.0])
def test_data_pass_links_in_a_row_at_once(rates: tuple[float, float], reads: float) -> None:
    """What an I/O waits for both: the slower one, and the first page on the faster."""
    first, second = (
        {"name": f"{at}", "bytes_s": int(rate), "full_duplex": True, "command_ps": 0, "side": "host"}
        for at, rate in enumerate(rates)
    )
    # A data path that takes next to nothing: nothing overlaps with it.
    drive = {"name": "drive", "path": [{"link": 0}, {"link": 1}], "model": ssd(data_read_bytes_s=10**15)}
    document = virtual_system().model_dump() | {"links": [first, second], "drives": [drive]}
    stations = _stations(VirtualSystem.model_validate(document), reads)
    direction = "reads" if reads else "writes"
    waited = 0.0
    for at in range(2):
        station = stations[f"{at}, {direction}"]
        assert station.passes is not None
        waited += station.passes * station.service_s
    assert waited == pytest.approx(BYTES / min(rates) + 4096 / max(rates), rel=1e-4)


@pytest.mark.parametrize("name", [one.name for one in fields(Demand) if one.type in ("float", "int")])
def test_demands_that_differ_in_anything_are_no_equal_stations(name: str) -> None:
    """The background waits of one of two were those of both."""
    one = Demand("dies", "drive_media", ONE, visits=1.0, service_s=1e-5, background_s=1e-6)
    other = replace(one, **{name: getattr(one, name) + 1})
    assert one.key() == replace(one).key()
    assert one.key() != other.key()
