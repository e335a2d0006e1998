"""Host software for NVMe drives is refused where all are behind controllers, the other where none is."""

from __future__ import annotations

from typing import Any

import pytest

from iodyno.catalog.checks import check
from iodyno.catalog.shelf import shipped
from iodyno.catalog.tree import system_of

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


def test_software_that_mirrors_over_more_is_named_behind_an_adapter_too() -> None:
    three = {"drive": "seagate-exos-x20-20tb", "level": "1", "count": 3}
    for software, named in (("windows-2012-ntfs-nvme", True), ("linux-scsi", False)):
        found = problems(software, controller=[BEHIND | {"logical": [three | {"raid": "host"}]}])
        assert ["linux-scsi" in hint for where, _, hint in found if where.endswith("count")] == [True] * named
    found = problems(
        "windows-raw-megaraid", controller=[BEHIND | {"part": "praid-cp400i", "logical": [three]}]
    )
    assert ["linux-scsi" in hint for where, _, hint in found if where.endswith("count")] == [False]
