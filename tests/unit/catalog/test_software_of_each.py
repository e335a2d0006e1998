"""A host can have software for each kind of its drives: each volume costs what that says which drives it."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from command_line import CommandLine
from iodyno.catalog.changes import changed, document_of_system
from iodyno.catalog.checks import check, checked
from iodyno.catalog.parts import ProcessorPart, SettingsPart, SoftwarePart
from iodyno.catalog.reading import write_toml
from iodyno.catalog.resolve import resolve
from iodyno.catalog.shelf import Catalog, shipped
from iodyno.catalog.tree import load_system, part_names, system_of
from iodyno.errors import CatalogError
from iodyno.study.systems import Written
from iodyno.system.virtual import describe
from iodyno.virtual import OnHostRaid, VirtualSystem

NVME = {"name": "fast", "drive": "samsung-pm1743-7680", "count": 2}
SAS = {
    "part": "praid-ep420i",
    "logical": [{"name": "slow", "drive": "toshiba-px02smf040", "level": "5", "count": 4}],
}
ADAPTER: dict[str, Any] = {
    "part": "psas-cp400i",
    "logical": [
        {"name": "slow", "drive": "toshiba-px02smf040", "level": "10", "count": 4, "raid": "host"},
    ],
}
ONBOARD = {"part": "c610", "logical": [{"name": "board", "drive": "seagate-st91000640ns"}]}
LINUX = ["linux-nvme", "linux-scsi"]
TOLD = (
    "what an I/O costs on drives behind PRAID EP420i is taken from Linux, NVMe driver, io_uring, "
    "which is not for them"
)
LEAVE = "leave one of them out"
HINT = 'add linux-scsi: software = ["linux-nvme", …]'


def tree(software: Any, **parts: Any) -> dict[str, Any]:
    return {"name": "a", "host": {"processor": "xeon-e5-2660-v3", "software": software}, **parts}


def built(software: Any, catalog: Catalog | None = None, **parts: Any) -> VirtualSystem:
    return resolve(system_of(tree(software, **parts)), catalog or shipped())


def problems(software: Any, **parts: Any) -> list[tuple[str, str, str]]:
    found = check(system_of(tree(software, **parts)), shipped())
    return [(one.where, one.what, one.hint) for one in found]


def test_each_volume_costs_what_the_software_of_its_drives_says() -> None:
    """Cycles by the frequency that the settings hold: of the part's numbers, and as in a host of its own."""
    both = built(LINUX, controller=[SAS], drives=[NVME])
    catalog = shipped()
    held = catalog.take("performance", SettingsPart).model["frequency_share"].base
    hz = catalog.take("xeon-e5-2660-v3", ProcessorPart).model["frequency"].base * held
    for volume in both.volumes:
        name = "linux-scsi" if volume.name == "slow" else "linux-nvme"
        cycles = catalog.take(name, SoftwarePart).model["read"].base
        assert volume.cpu.read_ps == round(Fraction(cycles) * 10**12 / hz)
    assert len({volume.cpu.read_ps for volume in both.volumes}) == 2
    alone = (*built("linux-scsi", controller=[SAS]).volumes, *built("linux-nvme", drives=[NVME]).volumes)
    assert [(volume.cpu, volume.child_cpu) for volume in both.volumes] == [
        (volume.cpu, volume.child_cpu) for volume in alone
    ]


@pytest.mark.parametrize("software", [LINUX, LINUX[::-1]])
def test_each_array_of_the_host_is_joined_by_the_software_of_its_drives(software: list[str]) -> None:
    """Strip and mirror reads, in whatever order they are named."""
    scsi = shipped().take("linux-scsi", SoftwarePart)
    own = scsi.model_copy(update={"strip": 128 << 10, "mirror_read": "primary"})
    fast = NVME | {"level": "10", "count": 4}
    for controller in (
        ADAPTER,
        ONBOARD | {"logical": [{**ADAPTER["logical"][0], "drive": "seagate-st91000640ns"}]},
    ):
        system = built(software, shipped().having(own), controller=[controller], drives=[fast])
        arrays = {
            volume.name: volume.on.array for volume in system.volumes if isinstance(volume.on, OnHostRaid)
        }
        found = [(name, one.strip_bytes >> 10, one.mirror_read.policy) for name, one in arrays.items()]
        assert found == [("slow", 128, "primary"), ("fast", 64, "spread")]


def test_levels_are_those_of_the_software_of_the_drives() -> None:
    """Behind the adapter those that its own software has, of NVMe drives those that Linux has for them."""
    six = NVME | {"level": "6", "count": 4}
    own = shipped().take("linux-scsi", SoftwarePart).model_copy(update={"levels": ("0", "1")})
    catalog = shipped().having(own)
    assert check(system_of(tree(LINUX, controller=[SAS], drives=[six])), catalog) == []
    adapter = ADAPTER | {"logical": [{**ADAPTER["logical"][0], "level": "6"}]}
    (found,) = check(system_of(tree(LINUX, controller=[adapter], drives=[six])), catalog)
    assert found.where.endswith("controller[0].logical[0].level")
    assert found.what.startswith("Linux, SCSI driver, io_uring has no RAID 6")


def test_one_in_a_list_is_that_one() -> None:
    for parts in ({"drives": [NVME]}, {"controller": [SAS], "drives": [NVME]}):
        assert built(["linux-nvme"], **parts) == built("linux-nvme", **parts)
    assert document_of_system(system_of(tree(["linux-nvme"])))["host"]["software"] == "linux-nvme"


def test_a_single_one_is_charged_for_all_as_ever() -> None:
    both = built("linux-nvme", controller=[SAS], drives=[NVME])
    assert len({volume.cpu.read_ps for volume in both.volumes}) == 1


@pytest.mark.parametrize(
    ("software", "parts", "what", "hint"),
    [
        (["linux-nvme", "linux-nvme"], {"drives": [NVME]}, "linux-nvme is named twice",
         "name each software once"),
        (["linux-nvme", "linux-scsi", "windows-raw-megaraid"], {"controller": [SAS], "drives": [NVME]},
         "a host has one operating system: linux-nvme, linux-scsi of Linux and windows-raw-megaraid of "
         "Windows",
         "take software of one"),
        (["windows-2012-ntfs-nvme", "windows-raw-megaraid"], {"controller": [SAS], "drives": [NVME]},
         "windows-2012-ntfs-nvme and windows-raw-megaraid are both for drives behind PRAID EP420i", LEAVE),
        (["linux-nvme", "rhel-7.3-nvme"], {"drives": [NVME]},
         "linux-nvme and rhel-7.3-nvme are both for NVMe drives of the host", LEAVE),
        (LINUX, {"drives": [NVME]},
         "Linux, SCSI driver, io_uring is for drives behind controllers, and no drive is behind one",
         "leave linux-scsi out"),
        (LINUX, {"controller": [SAS]},
         "Linux, NVMe driver, io_uring is for NVMe drives of the host, and all drives are behind PRAID "
         "EP420i",
         "leave linux-nvme out"),
        (["windows-2012-ntfs-nvme", "windows-onboard-raid"], {"drives": [NVME]},
         "Windows, raw device, onboard software RAID is for drives of an onboard controller, and no drive is "
         "on one", "leave windows-onboard-raid out"),
        (["windows-raw-megaraid", "windows-onboard-raid"], {"controller": [SAS, ONBOARD], "drives": [NVME]},
         "none of the software is for NVMe drives of the host",
         "take windows-2012-ntfs-nvme in place of another"),
    ],
)  # fmt: skip
def test_software_that_does_not_go_together(software: list[str], parts: Any, what: str, hint: str) -> None:
    assert problems(software, **parts) == [("a: host.software", what, hint)]


def test_what_is_missing_of_the_same_operating_system_is_named() -> None:
    scsi = shipped().take("linux-scsi", SoftwarePart)
    own = scsi.model_copy(update={"name": "linux-ahci", "reaches": ("onboard",)})
    catalog = shipped().having(own, scsi.model_copy(update={"reaches": ("scsi",)}))
    parts = {"controller": [SAS, ONBOARD], "drives": [NVME]}
    (found,) = check(system_of(tree(["linux-scsi", "linux-ahci"], **parts)), catalog)
    assert (found.what, found.hint) == (
        "none of the software is for NVMe drives of the host", "add linux-nvme or rhel-7.3-nvme",
    )  # fmt: skip


def test_software_that_does_not_say_what_it_is_for_stands_alone() -> None:
    own = shipped().take("linux-scsi", SoftwarePart).model_copy(update={"name": "own", "reaches": ()})
    catalog = shipped().having(own)
    assert check(system_of(tree("own", controller=[SAS], drives=[NVME])), catalog) == []
    (found,) = check(system_of(tree(["linux-nvme", "own"], controller=[SAS], drives=[NVME])), catalog)
    assert found.what.endswith("does not say which drives it is for")
    assert found.hint == "give reaches in its part, or leave own out"


@pytest.mark.parametrize(
    ("software", "told"),
    [
        (3, "3 is no text in quotes"), ([], "is empty"), (["linux-nvme", 3], "3 is no text in quotes"),
        (["linux-nvme", "linux-sas"], 'there is no part "linux-sas"'),
        (["linux-nvme", "praid-ep420i"], "PRAID EP420i is no software"),
    ],
)  # fmt: skip
def test_what_is_no_software_is_told_alone(software: Any, told: str) -> None:
    with pytest.raises(CatalogError) as raised:
        checked(tree(software, controller=[SAS], drives=[NVME]), "a", shipped())
    assert [one.what for one in raised.value.problems] == [told]
    assert raised.value.problems[0].where.startswith("a: host.software")


EMPTY = (
    "is empty",
    "name one, or one for each kind of drives; `iodyno catalog list software` lists them",
)


def test_an_empty_list_is_told_with_what_goes_there() -> None:
    with pytest.raises(CatalogError) as raised:
        checked(tree([], drives=[NVME]), "a", shipped())
    assert [(one.where, one.what, one.hint) for one in raised.value.problems] == [
        ("a: host.software", *EMPTY)
    ]


@pytest.mark.parametrize(
    ("level", "count", "parts", "hint"),
    [
        ("JBOD", 1, {"drives": [NVME]}, 'add linux-scsi: software = ["linux-nvme", …]'),
        ("1", 2, {"drives": [NVME], "controller": [SAS]}, 'add linux-scsi: software = ["linux-nvme", …]'),
        ("10", 4, {}, "take linux-scsi or windows-onboard-raid"),
    ],
)
def test_what_drives_the_board_is_added_to_what_drives_others(
    level: str, count: int, parts: Any, hint: str
) -> None:
    """Of the same operating system; software that drives nothing here is replaced."""
    logical = {"drive": "seagate-st91000640ns", "level": level, "count": count}
    board = {"part": "c610", "logical": [logical]}
    parts = parts | {"controller": [board, *parts.get("controller", [])]}
    assert problems("linux-nvme", **parts) == [
        ("a: host.software", "C610 (onboard) leaves its drives to the host, and Linux, NVMe driver, io_uring "
         "has no driver for them", hint)
    ]  # fmt: skip
    if hint.startswith("add"):
        assert problems(LINUX, **parts) == []


def test_changes_take_several() -> None:
    system = changed(system_of(tree("linux-nvme", controller=[SAS], drives=[NVME])), {"software": LINUX})
    assert part_names(system)[1:3] == LINUX
    assert changed(load_system("p3700"), {"software": "linux-nvme"}).host.software == ("linux-nvme",)


def test_a_study_takes_several(iodyno_says: CommandLine, tmp_path: Any) -> None:
    """As a change, and as what an axis of it changes."""
    (tmp_path / "a.toml").write_text(write_toml(tree("linux-nvme", controller=[SAS], drives=[NVME])))
    named = {"system": str(tmp_path / "a.toml")}
    study = {
        "name": "compared", "title": "Compared",
        "sweep": [{"name": "one", "profiles": ["database"], "outstanding": [1]}],
        "configuration": [
            {"name": "both", "changes": {"software": LINUX}, **named},
            {"name": "part-{of}", "changes": {"software": ["linux-nvme", "{of}"]}, **named,
             "each": {"of": ["linux-scsi"]}},
            {"name": "whole-{of}", "changes": {"software": "{of}"}, **named,
             "each": {"of": [LINUX, ["windows-2012-ntfs-nvme"]]}},
        ],
    }  # fmt: skip
    (tmp_path / "study.toml").write_text(write_toml(study))
    said = iodyno_says("simulate", str(tmp_path / "study.toml"), "--plan")
    assert (said.err, said.code) == ("", 0)
    assert "whole-linux-nvme-linux-scsi" in said.out


def test_a_single_one_for_drives_of_both_kinds_is_told(iodyno_says: CommandLine, tmp_path: Any) -> None:
    """By ``catalog check``, by ``catalog show``, and once by ``simulate``; several are listed."""
    file = tmp_path / "a.toml"
    file.write_text(write_toml(tree("linux-nvme", controller=[SAS], drives=[NVME])))
    for asked in ("check", "show"):
        said = " ".join(iodyno_says("catalog", asked, str(file)).out.split())
        assert TOLD[1:] in said
        assert HINT[1:] in said
    said = iodyno_says("simulate", "quick", "--on", str(file), "--plan").err
    assert said == f"note: {TOLD}\nhint: {HINT}\n"
    file.write_text(write_toml(tree(LINUX, controller=[SAS], drives=[NVME])))
    out = iodyno_says("catalog", "check", str(file)).out
    assert "linux-nvme, linux-scsi" in out
    assert "is taken from" not in out
    assert iodyno_says("simulate", "quick", "--on", str(file), "--plan").err == ""


def test_the_order_of_a_list_is_no_difference() -> None:
    told = []
    for software in (LINUX, LINUX[::-1]):
        document = tree(software, controller=[SAS], drives=[NVME])
        system = resolve(system_of(document), shipped())
        told.append(describe({"a": system}, trees={"a": Written(document, "catalogue")}))
    assert told[0] == told[1]


@pytest.mark.parametrize("name", ["p3700", "raid-onboard", "raid-controllers"])
def test_of_drives_of_one_kind_nothing_is_told(iodyno_says: CommandLine, name: str) -> None:
    assert "is taken from" not in iodyno_says("catalog", "check", name).out


def test_one_that_is_missing_is_asked_for_as_a_name() -> None:
    with pytest.raises(CatalogError) as raised:
        system_of({"name": "a", "host": {"processor": "xeon-e5-2660-v3"}, "drives": [NVME]})
    assert [one.hint for one in raised.value.problems] == ['add software = "…"']
