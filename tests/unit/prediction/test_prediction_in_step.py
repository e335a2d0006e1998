"""Streams on disks that nothing buffers, against what can be reckoned by hand."""

from __future__ import annotations

import math

import pytest

from iodyno import bench
from iodyno.catalog.resolve import resolve
from iodyno.catalog.tree import system_of
from iodyno.plan import PlannedTarget, Point, Stopping
from iodyno.prediction.in_step import Way, rate_s
from iodyno.profiles import Block, LoadProfile
from iodyno.reading import Reading
from iodyno.virtual import VirtualSystem

REVOLUTION = 4e-3
TRANSFER = 16e-6


def rate(outstanding: int, way: Way, drives: int = 1, run: int = 1) -> float | None:
    return rate_s(
        way,
        outstanding=outstanding,
        transfer_s=TRANSFER,
        revolution_s=REVOLUTION,
        drives=drives,
        run=run,
    )


@pytest.mark.parametrize("outstanding", [1, 2, 5])
def test_all_that_is_outstanding_passes_with_each_revolution(outstanding: int) -> None:
    """All of them are late by the time that the first could follow: a revolution behind their own passing."""
    way = Way(total_s=100e-6, shared_s=5e-6, own_s=0.0)
    found = rate(outstanding, way)
    assert found == pytest.approx(outstanding / (REVOLUTION + outstanding * TRANSFER))


@pytest.mark.parametrize("outstanding", [10, 20, 30])
def test_some_come_while_the_others_pass(outstanding: int) -> None:
    """The first comes when there is still something to pass, the others a command apart, and lose ground."""
    command = 70e-6
    way = Way(total_s=100e-6, shared_s=command, own_s=0.0)
    ahead = (outstanding - 1) * TRANSFER - way.total_s
    passed = outstanding + math.floor(ahead / (command - TRANSFER)) + 1
    assert rate(outstanding, way) == pytest.approx(passed / (REVOLUTION + passed * TRANSFER))


def test_who_comes_in_time_loses_nothing() -> None:
    """Seven behind the first pass in 112 µs, and the way takes 100; six in 96."""
    way = Way(total_s=100e-6, shared_s=5e-6, own_s=0.0)
    assert rate(8, way) is None
    assert rate(7, way) is not None


def test_one_at_a_time_gains_nothing_from_more_disks() -> None:
    """But for the turns of sixteen, at whose beginning a disk may stand anywhere, each loses a revolution."""
    found = rate(1, Way(total_s=100e-6, shared_s=5e-6, own_s=0.0), drives=2, run=16)
    assert found is not None
    assert 15 / 16 / (REVOLUTION + TRANSFER) < found < 17 / 16 / (REVOLUTION + TRANSFER)


def of_controller(logicals: list[dict[str, object]]) -> VirtualSystem:
    """Logical drives of disks whose caches are off, behind a controller that writes through."""
    drive = {"drive": "sas-12g-hdd-450-15k"}
    controller = {
        "part": "praid-ep420i",
        "write": "write-through",
        "logical": [drive | one for one in logicals],
    }
    host = {"processor": "xeon-e5-2660-v3", "software": "windows-raw-megaraid"}
    system = resolve(system_of({"name": "made", "host": host, "controller": [controller]}))
    models = (slot.model.model_copy(update={"write_cache": False}) for slot in system.drives)
    slots = zip(system.drives, models, strict=True)
    drives = tuple(slot.model_copy(update={"model": model}) for slot, model in slots)
    return system.model_copy(update={"drives": drives})


def predicted(
    system: VirtualSystem, outstanding: int, read_share: float, size: int, rate_io_s: float | None = None
) -> Reading:
    """Streams on all volumes of a system."""
    targets = tuple(
        PlannedTarget(
            path=one.name,
            kind="virtual",
            size_bytes=one.size_bytes,
            area_length_bytes=one.size_bytes >> 20 << 20,
        )
        for one in system.volumes
    )
    blocks = (Block(bytes=size, weight=1.0),)
    profile = LoadProfile(name="w", random_share=0.0, read_share=read_share, blocks=blocks)
    stopping = Stopping(
        warmup_s=0, floor_s=1, cap_s=60, precision=0.01, confidence=0.95, warmup_ios=600, floor_ios=2000,
        cap_ios=4000,
    )  # fmt: skip
    point = Point(
        index=0, sweep="s", profile=profile, targets=targets, outstanding=outstanding, workers=1, seed=3,
        engine="analytic", system="made", stopping=stopping, rate_io_s=rate_io_s,
    )  # fmt: skip
    return bench.predict_point(point, system)


@pytest.mark.parametrize("outstanding", [2, 4])
@pytest.mark.parametrize("drives", [1, 2, 4])
def test_a_stream_of_small_writes_loses_turns_on_several_disks_too(drives: int, outstanding: int) -> None:
    """In a strip of 64 writes all that is outstanding is late for one turn after the other, however many
    disks there are; between strips few come sooner."""
    system = of_controller([{"count": drives, "level": "0"}])
    model = system.drives[0].model
    assert model.kind == "hdd"
    turn = model.revolution_ps / 1e12 + outstanding * 4096 / model.outer_bytes_s
    found = predicted(system, outstanding, 0.0, 4096).transaction_rate_io_s
    assert found == pytest.approx(outstanding / turn, rel=0.04)


@pytest.mark.parametrize("volumes", [1, 2])
@pytest.mark.parametrize("read_share", [0.0, 1.0])
@pytest.mark.parametrize("rate_io_s", [None, 200.0])
def test_a_controller_is_as_busy_as_what_it_moves(
    volumes: int, read_share: float, rate_io_s: float | None
) -> None:
    """The law of utilisation: what passes ÷ what can pass, for all volumes together."""
    system = of_controller([{"count": 2, "level": "0"}] * volumes)
    found = predicted(system, 8, read_share, 65_536, rate_io_s)
    assert found.simulation
    way, rate = (
        ("data to host", system.controllers[0].read_bytes_s)
        if read_share
        else ("data from host", system.controllers[0].write_bytes_s)
    )
    (station,) = [one for one in found.simulation.stations if one.name.endswith(way)]
    assert station.utilisation_mean == pytest.approx(found.throughput_bytes_s / rate, rel=1e-3)
