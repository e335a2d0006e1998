"""How many drives a target is on, of virtual systems and of what the kernel tells of real ones."""

from __future__ import annotations

import pytest

from factories import make_section, make_stored_run
from iodyno.catalog.resolve import resolve
from iodyno.fitting.curves import Series
from iodyno.fitting.joined import Drives, drives_of, drives_of_run
from iodyno.fitting.lab import configuration_of, spec_of
from iodyno.system import Section, System


@pytest.mark.parametrize(
    ("study", "configuration", "drives"),
    [
        ("p3700", "single-800g", Drives(1)),
        ("p3700", "raid1-of-2", Drives(2, "RAID 1")),
        ("p3700", "raid0-of-4", Drives(4, "RAID 0")),
        ("raid-controllers", "single-sas-ssd", Drives(1)),
        ("raid-controllers", "ep420i-8x-sas-ssd-raid5-performance", Drives(8, "RAID 5")),
        ("raid-controllers", "c610-4x-sata-hdd-raid10", Drives(4, "RAID 10")),
    ],
)
def test_the_drives_of_a_virtual_volume_are_those_of_its_array(
    study: str, configuration: str, drives: Drives
) -> None:
    system = resolve(spec_of(configuration_of(Series(study, configuration, "database"))))
    assert drives_of(system, system.volumes[0]) == drives


def _device(name: str, serial: str = "", stands_on: str = "", **facts: str) -> Section:
    told = {"kind": "sas", "serial": serial, "stands_on": stands_on, **facts}
    return make_section("device", name, None, **{key: value for key, value in told.items() if value})


def _array(stands_on: str) -> Section:
    return _device("md0", stands_on=stands_on, kind="md", raid_level="raid5")


THREE = "sda, sdb, sdc"
BARE = tuple(map(_device, THREE.split(", ")))


@pytest.mark.parametrize(
    ("sections", "drives"),
    [
        # Only md is known to join what has no serial numbers; those of some are no count of all.
        ((_array(THREE), *BARE), Drives(3, "RAID 5", ("sda", "sdb", "sdc"))),
        ((_array(THREE), _device("sda", "S1"), *BARE[1:]), Drives(3, "RAID 5", ("sda", "sdb", "sdc"))),
        ((_device("md0", stands_on=THREE, kind="device mapper"), *BARE), None),
        # Two paths to each of two drives.
        (
            (_array(THREE), _device("sda", "S1"), _device("sdb", "S1"), _device("sdc", "S2")),
            Drives(2, "RAID 5", ("sda", "sdb", "sdc")),
        ),
        # What lies between the array and its drives is none of them.
        (
            (_array("dm-0, sda, sdb"), _device("dm-0", stands_on="sda"), *BARE),
            Drives(2, "RAID 5", ("sda", "sdb")),
        ),
        ((_array("sda"), *BARE), None),
        ((_device("md0"),), None),
        ((), None),
    ],
)
def test_drives_below_a_device_are_told_apart_by_their_serial_numbers(
    sections: tuple[Section, ...], drives: Drives | None
) -> None:
    stored = make_stored_run("quick")
    first = stored.results[0]
    target = first.point.targets[0].model_copy(update={"path": "/dev/md0", "kind": "device"})
    used = first.model_copy(update={"point": first.point.model_copy(update={"targets": (target,)})})
    run = stored.run.model_copy(update={"system": System(sections=sections)})
    assert drives_of_run(run, [used]) == drives


def test_four_drives_are_named_and_more_are_not() -> None:
    assert str(Drives(1, "RAID 0", ("sda",))) == "one drive"
    assert str(Drives(2)) == "2 drives"
    assert str(Drives(4, "RAID 5", ("a", "b", "c", "d"))) == "RAID 5 of 4 drives (a, b, c, d)"
    assert str(Drives(5, "RAID 5", ("a", "b", "c", "d", "e"))) == "RAID 5 of 5 drives (a, b, c, d, …)"
