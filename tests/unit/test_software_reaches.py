"""Host software for NVMe drives is refused where all drives are behind controllers, and taken elsewhere."""

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
