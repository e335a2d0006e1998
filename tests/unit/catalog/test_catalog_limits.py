"""Limits that a fact of the catalogue decides, and values that no system has: refused with path and limit."""

from __future__ import annotations

from typing import Any

import pytest

from iodyno.catalog.changes import changed_document
from iodyno.catalog.checks import checked
from iodyno.catalog.tree import document_of
from iodyno.errors import CatalogError, Problem

LOGICAL = "controller[0].logical[0]"


def _problems(system: str, changes: dict[str, Any]) -> list[Problem]:
    document, wrong = changed_document(document_of(system), changes, "made")
    assert not wrong
    with pytest.raises(CatalogError) as raised:
        checked(document, "made")
    return list(raised.value.problems)


@pytest.mark.parametrize(
    ("system", "changes", "told"),
    [
        ("primequest-2800e3", {"link": "PCIe 3.0 x8"},
         'controller[0].link: "PCIe 3.0 x8" is more than PRIMEQUEST 2800E3 (SB) gives PRAID EP420i, '
         "PCIe 2.0 x4"),
        ("p3700", {"drive": "fusion-io-iodrive2-1200", "switch": "nvme-1610-4p"},
         "drives[0].switch: Fusion-io ioDrive2 1.2 TB comes as a card alone (AIC): "
         "it is on no cable of 1610-4P NVMe Switch Adapter"),
        ("p3700", {"form_factor": "AIC", "switch": "nvme-1610-4p"},
         "drives[0].form_factor: a card (AIC) is on no cable of 1610-4P NVMe Switch Adapter"),
        ("p3700", {"form_factor": ""},
         'drives[0].form_factor: Intel SSD DC P3700 800 GB does not come as ""'),
        ("p3700", {"failed": [0]},
         "drives[0].failed: without a RAID level each drive is a volume of its own"),
        ("p3700", {"strip": "64k"},
         "drives[0].strip: without a RAID level each drive is a volume of its own"),
        ("p3700", {"level": "0", "strip": 3000},
         "drives[0].strip: the operating system has no strips of 3000"),
        ("p3700", {"level": "0", "strip": "96k"},
         "drives[0].strip: the operating system has no strips of 96k"),
        ("p3700", {"level": "0", "strip": "2k"}, "drives[0].strip: the operating system has no strips of 2k"),
        ("p3700", {"level": "0", "strip": "1T"}, "drives[0].strip: the operating system has no strips of 1T"),
        ("p3700", {"count": 10**9}, "drives[0].count: 1000000000 is above the limit of 4096"),
        ("p3700", {"count": True}, "drives[0].count: true is no number"),
        ("p3700", {"name": "a\nb"},
         'drives[0].name: "a\\nb" is no name: write one line of letters, digits and signs'),
        ("raid-controllers", {"processors": True}, "host.processors: true is no number"),
        ("raid-controllers", {"instances": 10**9},
         "controller[0].instances: 1000000000 is above the limit of 4096"),
        ("raid-controllers", {"level": "5", "failed": [0], "rebuild_mb_s": float("inf")},
         f"{LOGICAL}.rebuild_mb_s: inf is above the limit of 100000"),
        ("raid-controllers", {"processors": 3, "server": "none"},
         "host.processors: 3 processors, of Intel Xeon E5-2660 v3 at most 2 work together"),
        ("raid-onboard", {"software": "windows-raw-megaraid"},
         "host.software: C610 (onboard) leaves RAID to the host, "
         "and Windows, raw device, MegaRAID driver has no RAID 1"),
        ("raid-onboard", {"level": "5", "count": 3}, f"{LOGICAL}.level: C610 (onboard) has no RAID 5"),
        ("raid-onboard", {"level": "0", "count": 7, "instances": 2},
         f"{LOGICAL}.count: 7 drives in one array, an instance has 6"),
        ("raid-onboard", {"level": "0", "count": 20},
         "controller[0].logical: 20 drives, C610 (onboard) takes 6"),
        ("raid-controllers", {"level": "6", "count": 8, "failed": [1, 1]},
         f"{LOGICAL}.failed: member 1 is there twice"),
        ("raid-controllers", {"level": "6", "count": 8, "failed": [1], "rebuild_mb_s": 0.099},
         f"{LOGICAL}.rebuild_mb_s: 0.099 MB/s is less than 0.1 MB/s"),
        ("raid-controllers", {"controller": "none"}, "controller[0].part: is missing"),
    ],
)  # fmt: skip
def test_one_thing_is_wrong_and_told_once(system: str, changes: dict[str, Any], told: str) -> None:
    assert [str(problem) for problem in _problems(system, changes)] == [f"made: {told}"]


def test_strips_that_an_operating_system_has() -> None:
    for strip in ("4k", "64k", "64M"):
        document, _ = changed_document(
            document_of("p3700"), {"level": "0", "strip": strip, "count": 2}, "made"
        )
        checked(document, "made")


def test_a_link_that_the_slot_gives_is_no_more() -> None:
    for link in ("PCIe 2.0 x4", "PCIe 1.0 x8", "PCIe 3.0 x2"):
        document, _ = changed_document(document_of("primequest-2800e3"), {"link": link}, "made")
        if link == "PCIe 2.0 x4":
            checked(document, "made")
        else:
            with pytest.raises(CatalogError, match="is more than"):
                checked(document, "made")


@pytest.mark.parametrize(
    ("system", "changes"),
    [
        ("p3700", {"switch": "nvme-1610-4p"}),
        ("p3700", {"switch": "nvme-1610-4p", "form_factor": "SFF"}),
        ("p3700", {"form_factor": "AIC"}),
        ("raid-controllers", {"level": "6", "count": 8, "failed": [1], "rebuild_mb_s": 0.1}),
    ],
)
def test_what_can_be_is_not_refused(system: str, changes: dict[str, Any]) -> None:
    """P3700 comes as a card and for a bay: on a cable it is that for a bay, unless the card is asked for."""
    document, wrong = changed_document(document_of(system), changes, "made")
    assert not wrong
    checked(document, "made")


@pytest.mark.parametrize(
    ("changes", "hint"),
    [
        ({"server": "rx2540"}, "did you mean primergy-rx2540-m1?"),
        ({"software": "raw"}, "did you mean windows-raw-megaraid?"),
        ({"drive": "p3700"}, "did you mean intel-p3700-1600, intel-p3700-2000 or intel-p3700-800?"),
        ({"settings": "none-such"}, "known power settings: default, performance, power-plan"),
        ({"processor": "x"}, "known processors: epyc-9354, "),
    ],
)
def test_a_name_that_is_not_known(changes: dict[str, Any], hint: str) -> None:
    (problem,) = _problems("raid-controllers", changes)
    assert problem.hint.startswith(hint)


def test_a_hint_names_some_of_many() -> None:
    (problem,) = _problems("raid-controllers", {"server": "x"})
    assert problem.hint.endswith(" more")


def test_a_newer_schema() -> None:
    with pytest.raises(CatalogError) as raised:
        checked({**document_of("p3700"), "schema": 2}, "made")
    assert [str(problem) for problem in raised.value.problems] == [
        "made: schema: 2 is newer than this iodyno reads, 1: update iodyno"
    ]
