"""Host software for NVMe drives is refused where all are behind controllers, the other where none is."""

from __future__ import annotations

from typing import Any

import pytest

from iodyno.catalog.checks import check
from iodyno.catalog.parts import SoftwarePart
from iodyno.catalog.resolve import resolve
from iodyno.catalog.shelf import shipped
from iodyno.catalog.tree import system_of
from iodyno.virtual import OnHostRaid, PrimaryReads, SpreadReads

BEHIND = {"part": "psas-cp400i", "logical": [{"drive": "seagate-exos-x20-20tb", "level": "JBOD"}]}
ONBOARD = {"part": "c610", "logical": [{"drive": "seagate-st91000640ns", "level": "JBOD"}]}
NVME = ["linux-nvme", "rhel-7.3-nvme"]
SCSI = ["linux-scsi", "windows-2012-ntfs-nvme", "windows-raw-megaraid"]


def problems(software: str, **parts: Any) -> list[tuple[str, str, str]]:
    host = {"processor": "xeon-e5-2660-v3", "software": software}
    found = check(system_of({"name": "a", "host": host, **parts}), shipped())
    return [(one.where, one.what, one.hint) for one in found]


@pytest.mark.parametrize("software", NVME)
def test_software_for_nvme_drives_is_refused_where_all_are_behind_controllers(software: str) -> None:
    """With what else is wrong, and with software that is for them."""
    wrong = BEHIND | {"logical": [{"drive": "seagate-exos-x20-20tb", "level": "6", "count": 4}]}
    for controller, others in ((BEHIND, 0), (wrong, 1)):
        found = problems(software, controller=[controller])
        ((_, what, hint),) = (one for one in found if one[0].endswith("host.software"))
        assert what.endswith("is for NVMe drives of the host, and all drives are behind PSAS CP400i")
        # What is for both is taken, and not recommended.
        assert hint == "take linux-scsi or windows-raw-megaraid"
        assert len(found) == 1 + others


@pytest.mark.parametrize("software", SCSI)
def test_software_for_controllers_is_taken(software: str) -> None:
    assert problems(software, controller=[BEHIND]) == []


@pytest.mark.parametrize("software", NVME)
def test_a_host_with_nvme_drives_as_well_has_one_software_for_both(software: str) -> None:
    assert problems(software, controller=[BEHIND], drives=[{"drive": "intel-p3700-800"}]) == []


def test_an_onboard_controller_has_its_own_rule() -> None:
    ((_, what, _),) = problems("linux-nvme", controller=[ONBOARD])
    assert what.endswith("has no driver for them")


@pytest.mark.parametrize("software", ["linux-scsi", "windows-raw-megaraid"])
def test_software_for_controllers_is_refused_where_all_drives_are_on_pcie(software: str) -> None:
    """A drive that cannot be there is told alone: what reaches it depends on where it goes."""
    drives = {"drive": "intel-p3700-800", "count": 2}
    ((where, what, hint),) = problems(software, drives=[drives])
    assert where.endswith("host.software")
    assert what.endswith("is for drives behind controllers, and no drive is behind one")
    assert hint == "take linux-nvme or rhel-7.3-nvme or windows-2012-ntfs-nvme"
    assert problems(software, drives=[drives], controller=[BEHIND]) == []
    ((where, _, _),) = problems(software, drives=[{"drive": "seagate-exos-x20-20tb"}])
    assert where.endswith("drives[0].drive")


NVME_DRIVES = {"drive": "samsung-pm1743-7680", "count": 2}
SAS_SSDS = {"part": "praid-ep420i", "logical": [{"drive": "toshiba-px02smf040", "level": "5", "count": 4}]}


@pytest.mark.parametrize(
    ("parts", "hint"),
    [
        ({"controller": [SAS_SSDS]}, "take linux-scsi or windows-raw-megaraid"),
        ({"drives": [NVME_DRIVES]}, "take linux-nvme or rhel-7.3-nvme or windows-2012-ntfs-nvme"),
        ({"controller": [SAS_SSDS], "drives": [NVME_DRIVES]}, "take windows-2012-ntfs-nvme"),
    ],
)
def test_the_driver_of_an_onboard_controller_is_refused_where_none_is(
    parts: dict[str, Any], hint: str
) -> None:
    ((where, what, told),) = problems("windows-onboard-raid", **parts)
    assert where.endswith("host.software")
    assert what.endswith("is for drives of an onboard controller, and no drive is on one")
    assert told == hint


def test_the_driver_of_an_onboard_controller_is_taken_where_one_is() -> None:
    """Beside other drives too: a host has one software."""
    drives = [{**NVME_DRIVES, "name": "other"}]
    for parts in ({"controller": [ONBOARD]}, {"controller": [ONBOARD, SAS_SSDS]},
                  {"controller": [ONBOARD], "drives": drives}):  # fmt: skip
        assert problems("windows-onboard-raid", **parts) == []


def onboard(**logical: Any) -> dict[str, Any]:
    return {"part": "c610", "logical": [{"drive": "seagate-st91000640ns", **logical}]}


@pytest.mark.parametrize(
    "logical",
    [
        {"count": 4}, {"count": 2, "level": "1"}, {"count": 4, "level": "10"}, {"count": 4, "level": "0"},
        {"count": 4, "level": "5", "strip": "512k"}, {"count": 5, "level": "6"}, {"count": 3, "level": "1"},
        {"count": 4, "level": "5", "raid": "host"},
    ],
)  # fmt: skip
def test_linux_drives_and_joins_what_is_on_the_board(logical: dict[str, Any]) -> None:
    """AHCI through its SCSI layer (libata), and md over that, with all of md's levels and strips."""
    assert problems("linux-scsi", controller=[onboard(**logical)]) == []


def test_linux_joins_drives_of_both_instances_of_a_chipset() -> None:
    """The driver of the chipset's own RAID has each array on one."""
    both = onboard(count=8, level="10") | {"instances": 2}
    assert problems("linux-scsi", controller=[both]) == []
    ((where, _, _),) = problems("windows-onboard-raid", controller=[both])
    assert where.endswith("logical[0].count")


@pytest.mark.parametrize(
    ("logical", "at", "what"),
    [
        ({"count": 8, "level": "50"}, "level", "Linux, SCSI driver, io_uring has no RAID 50"),
        ({"count": 3, "level": "5", "strip": "96k"}, "strip", "the operating system has no strips of 96k"),
        ({"count": 3, "level": "5", "raid": "controller"}, "raid", "C610 (onboard) leaves RAID to the host"),
    ],
)
def test_what_linux_does_not_do_on_the_board(logical: dict[str, Any], at: str, what: str) -> None:
    found = problems("linux-scsi", controller=[onboard(**logical) | {"instances": 2}])
    assert [(where.rpartition(".")[2], told) for where, told, _ in found] == [(at, what)]


def test_linux_reads_both_of_a_pair_on_the_board_and_has_its_own_strip() -> None:
    """Its RAID is not that of the chipset, whose driver reads the first of a pair."""
    for name, reads, strip in (("linux-scsi", SpreadReads(from_outstanding=0), 128 << 10),
                               ("windows-onboard-raid", PrimaryReads(), 64 << 10)):  # fmt: skip
        software = shipped().take(name, SoftwarePart).model_copy(update={"strip": 128 << 10})
        host = {"processor": "xeon-e5-2660-v3", "software": name}
        spec = system_of({"name": "a", "host": host, "controller": [onboard(count=4, level="10")]})
        (volume,) = resolve(spec, shipped().having(software)).volumes
        assert isinstance(volume.on, OnHostRaid)
        assert (volume.on.array.mirror_read, volume.on.array.strip_bytes) == (reads, strip)


def test_software_of_which_nothing_is_known_is_held_to_its_levels_alone() -> None:
    unknown = {"name": "own", "reaches": ()}
    own = shipped().take("windows-onboard-raid", SoftwarePart).model_copy(update=unknown)
    catalog, host = shipped().having(own), {"processor": "xeon-e5-2660-v3", "software": "own"}
    for controller, told in ((ONBOARD, 0), (onboard(count=2, level="1"), 0), (BEHIND, 0),
                             (onboard(count=3, level="5"), 1)):  # fmt: skip
        found = check(system_of({"name": "a", "host": host, "controller": [controller]}), catalog)
        assert len(found) == told


def test_software_that_mirrors_over_more_is_named_behind_an_adapter_too() -> None:
    three = {"drive": "seagate-exos-x20-20tb", "level": "1", "count": 3}
    for software, named in (("windows-2012-ntfs-nvme", True), ("linux-scsi", False)):
        found = problems(software, controller=[BEHIND | {"logical": [three | {"raid": "host"}]}])
        assert ["linux-scsi" in hint for where, _, hint in found if where.endswith("count")] == [True] * named
    found = problems(
        "windows-raw-megaraid", controller=[BEHIND | {"part": "praid-cp400i", "logical": [three]}]
    )
    assert ["linux-scsi" in hint for where, _, hint in found if where.endswith("count")] == [False]
