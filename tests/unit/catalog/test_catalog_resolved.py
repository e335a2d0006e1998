"""What parts come to in numbers, by the rules of the parts and not by the code that resolves them."""

from __future__ import annotations

from typing import Any

import pytest

from iodyno.catalog.building import drive_model
from iodyno.catalog.changes import changed
from iodyno.catalog.checks import check
from iodyno.catalog.parts import DrivePart, ProcessorPart, SoftwarePart, Switchable, SwitchPart
from iodyno.catalog.resolve import resolve
from iodyno.catalog.shelf import Catalog, shipped
from iodyno.catalog.tree import load_system, shipped_systems, system_of
from iodyno.units import KIB, MIB
from iodyno.virtual import CpuCost, LinkHop, Logical, OnHostRaid, PrimaryReads, SsdModel, VirtualSystem


def _with(*parts: Any) -> Catalog:
    return Catalog([*shipped().parts.values(), *parts])


def _resolved(system: str, catalog: Catalog | None = None, **changes: Any) -> VirtualSystem:
    return resolve(changed(load_system(system), changes), catalog)


@pytest.mark.parametrize(("settings", "hz"), [("performance", 3.5e9), ("default", 3.5e9 * 0.87)])
def test_time_is_cycles_over_frequency(settings: str, hz: float) -> None:
    """Intel ARK: Xeon E5-2637 v3 has 3.5 GHz; balanced settings hold 87 % of it."""
    volume = _resolved("p3700", settings=settings).volumes[0]
    cycles = shipped().take("windows-2012-ntfs-nvme", SoftwarePart).model

    def taken(prefix: str) -> CpuCost:
        keys = ("read", "write", "per_kib")
        return CpuCost(**{f"{key}_ps": round(cycles[prefix + key].value / hz * 1e12) for key in keys})

    assert (volume.cpu, volume.child_cpu) == (taken(""), taken("child_"))
    assert volume.cpu != volume.child_cpu


@pytest.mark.parametrize("drive", shipped().of(DrivePart), ids=lambda drive: drive.name)
def test_a_drive_has_its_write_cache_as_it_comes_unless_it_is_given(drive: DrivePart) -> None:
    """What it comes with is the first that its part names."""
    comes_with = drive.write_cache[0]
    choices: dict[Switchable | None, bool] = {None: comes_with == "on", "on": True, "off": False}
    for cache, on in choices.items():
        assert drive_model(drive, cache, None).write_cache is on


def test_links_are_those_of_an_older_processor() -> None:
    """What the processors have limits a controller and a switch adapter as it limits a drive."""
    names = ("xeon-e5-2660-v3", "xeon-platinum-8176")
    old = [shipped().take(name, ProcessorPart).model_copy(update={"pcie": "PCIe 2.0"}) for name in names]
    controller = _resolved("raid-controllers", _with(*old))
    assert controller.links[0].name.startswith("PCIe 2.0 x8 of")
    assert controller.links[0].bytes_s == 8 * 5e9 * 0.8 / 8 * 0.9
    switched = _resolved("nvme-host-connections", _with(*old), switch="nvme-1610-4p")
    assert [link.name for link in switched.links[:2]] == [
        "PCIe 2.0 x16 of 1610-4P NVMe Switch Adapter",
        "PCIe 3.0 x4",
    ]


@pytest.mark.parametrize(("unit", "link"), [("primequest-2800e3-sb", "PCIe 2.0 x4"), (None, "PCIe 3.0 x8")])
def test_a_controller_has_the_link_of_its_slot_in_a_unit(unit: str | None, link: str) -> None:
    """A system board of PRIMEQUEST 2800E3 gives PRAID EP420i less than it has."""
    host = {"processor": "xeon-e7-8891-v4", "software": "windows-raw-megaraid"}
    one = {"part": "praid-ep420i", "logical": [{"drive": "toshiba-px02smf040", "count": 1, "level": "0"}]}
    tables = [one | ({"unit": unit} if unit else {})]
    system = resolve(system_of({"name": "made", "host": host, "controller": tables}))
    assert system.links[0].name == f"{link} of PRAID EP420i"


def test_a_newer_switch_is_no_faster_than_its_host() -> None:
    newer = shipped().take("nvme-1610-4p", SwitchPart).model_copy(update={"version": "PCIe 4.0"})
    system = _resolved("nvme-host-connections", _with(newer), switch="nvme-1610-4p")
    assert system.links[0].name == "PCIe 3.0 x16 of 1610-4P NVMe Switch Adapter"


def test_a_controller_moves_what_was_published() -> None:
    """Fujitsu, RAID Controller Performance 2016: up to 5900 MB/s through PRAID EP420i at PCIe 3.0 x8."""
    system = _resolved("raid-controllers")
    assert system.controllers[0].read_bytes_s / MIB == pytest.approx(5900, rel=0.01)
    for found in (_resolved(name) for name in shipped_systems()):
        for controller in found.controllers:
            (hop,) = controller.path
            assert isinstance(hop, LinkHop)
            link = found.links[hop.link].bytes_s
            assert max(controller.read_bytes_s, controller.write_bytes_s) < link
            assert controller.parity_bytes_s <= controller.write_bytes_s


def test_parity_comes_no_faster_than_data() -> None:
    (slow,) = _resolved("raid-controllers", level="5", link="PCIe 1.0 x1").controllers
    assert slow.parity_bytes_s == slow.write_bytes_s


def test_the_strip_of_the_software_unless_another_is_given() -> None:
    name = "windows-2012-ntfs-nvme"
    wide = shipped().take(name, SoftwarePart).model_copy(update={"strip": 256 * KIB})
    for given, expected in (({}, 256 * KIB), ({"strip": "16k"}, 16 * KIB)):
        on = _resolved("p3700", _with(wide), count=2, level="0", **given).volumes[0].on
        assert isinstance(on, OnHostRaid)
        assert on.array.strip_bytes == expected


def _logical(**changes: Any) -> Logical:
    return _resolved("raid-controllers", **changes).controllers[0].logicals[0]


def test_reads_fill_the_cache_where_they_are_told_to() -> None:
    assert not _logical().cached_reads
    assert not _logical(cache="direct").cached_reads
    assert _logical(cache="cached").cached_reads


def test_a_rebuild_has_megabytes_of_the_method() -> None:
    array = _logical(level="5", failed=0, rebuild_mb_s=30.0).array
    assert array.rebuild_bytes_s == 30 * 2**20


def _told(system: str, catalog: Catalog | None = None, **changes: Any) -> dict[str, str]:
    found = check(changed(load_system(system), changes), catalog)
    return {problem.where.split(": ")[1]: problem.what for problem in found}


def test_what_is_refused_of_arrays_on_the_board() -> None:
    one = _told("raid-onboard", count=8, level="10", instances=2)
    assert one["controller[0].logical[0].count"] == "8 drives in one array, an instance has 6"
    assert _told("raid-onboard", count=8, level="JBOD", instances=2) == {}
    other = _told("raid-onboard", software="windows-raw-megaraid")["host.software"]
    assert other.startswith("C610 (onboard) leaves RAID to the host, and ")
    assert other.endswith(" has no RAID 1")


@pytest.mark.parametrize(
    "changes", [{"drive_cache": "off"}, {"drive_cache": "none", "mode": "data-protection"}]
)
def test_a_cache_that_a_drive_cannot_switch(changes: dict[str, str]) -> None:
    """Asked for by the controller or by its mode, which sets drives' caches off to protect data."""
    on = {"name": "kept-on", "title": "Kept on", "write_cache": ("on",)}
    kept = shipped().take("toshiba-px02smf040", DrivePart).model_copy(update=on)
    told = _told("raid-controllers", _with(kept), drive="kept-on", **changes)
    assert told == {"controller[0].logical[0].drive_cache": "Kept on cannot have it off"}
    assert _told("raid-controllers", _with(kept), drive="kept-on", mode="performance") == {}


@pytest.mark.parametrize("share", [0.0, 0.4, 1.0])
def test_what_an_ssd_holds_outside_the_accessed_area(share: float) -> None:
    model = _resolved("p3700", filled=share).drives[0].model
    assert isinstance(model, SsdModel)
    assert model.filled_share == share


def test_software_that_reads_the_first_of_a_pair() -> None:
    name = "windows-2012-ntfs-nvme"
    first = shipped().take(name, SoftwarePart).model_copy(update={"mirror_read": "primary"})
    on = _resolved("p3700", _with(first), count=2, level="1").volumes[0].on
    assert isinstance(on, OnHostRaid)
    assert on.array.mirror_read == PrimaryReads()


def test_of_too_many_drives_the_expander_is_told_with_the_server() -> None:
    """Not as another problem, whose hint contradicts the first one."""
    here = {"server": "primergy-rx2560-m1", "processor": "xeon-e5-2660-v3", "drive": "toshiba-px02smf040"}
    (many,) = check(changed(load_system("raid-controllers"), {**here, "count": 40, "level": "6"}))
    assert many.what == "40 drives, at most 32 fit on PRAID EP420i here"
    assert many.hint.endswith("; more than 8 need an expander")
    (some,) = check(changed(load_system("raid-controllers"), {**here, "count": 20, "level": "6"}))
    expanded = 'with an expander it takes 32 (expander = "sas-expander-12g")'
    assert (some.what, some.hint) == ("20 drives, PRAID EP420i takes 8", expanded)
    anywhere = {**here, "server": None, "level": "6"}
    (beyond,) = check(changed(load_system("raid-controllers"), {**anywhere, "count": 33}))
    assert beyond.hint == "take fewer drives: with an expander it takes 32"
    (just,) = check(changed(load_system("raid-controllers"), {**anywhere, "count": 32}))
    assert just.hint == expanded


@pytest.mark.parametrize(("level", "count"), [("JBOD", 1), ("0", 2), ("1", 2), ("10", 4), ("5", 3)])
@pytest.mark.parametrize("software", ["linux-nvme", "rhel-7.3-nvme", "windows-2012-ntfs-nvme"])
def test_a_driver_for_nvme_is_none_for_drives_on_the_board(software: str, level: str, count: int) -> None:
    """Whatever RAID it has over its own drives; that the controller lacks a level is told beside it."""
    system = changed(load_system("raid-onboard"), {"count": count, "level": level, "software": software})
    found = {problem.where.split(": ")[1]: problem for problem in check(system)}
    told = found.pop("host.software")
    assert told.what.startswith("C610 (onboard) leaves its drives to the host, and ")
    assert told.what.endswith(" has no driver for them")
    joined = "take linux-scsi" if level == "5" else "take linux-scsi or windows-onboard-raid"
    assert told.hint == joined
    lacks = {"5": ["C610 (onboard) has no RAID 5"]}.get(level, [])
    assert [problem.what for problem in found.values()] == lacks
