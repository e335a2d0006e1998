"""Systems: checked with all problems at once, and resolved to every number."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

from iodyno.catalog.building import Building, drive_model
from iodyno.catalog.changes import changed
from iodyno.catalog.checks import check
from iodyno.catalog.fits import fits
from iodyno.catalog.interfaces import parse_version
from iodyno.catalog.levels import capacity_bytes, drives_problem, survives
from iodyno.catalog.parts import BasePart, DrivePart, LinkPart, ProcessorPart, Switchable
from iodyno.catalog.resolve import host_costs, resolve
from iodyno.catalog.shelf import Catalog, shipped
from iodyno.catalog.tree import load_system, parse_system, shipped_systems, system_of
from iodyno.errors import CatalogError, Problem
from iodyno.units import MIB
from iodyno.virtual import (
    Level,
    LinkHop,
    MirrorRead,
    NearestReads,
    OnDrive,
    OnHostRaid,
    PrimaryReads,
    SpreadReads,
    SsdModel,
    VirtualSystem,
)

GUIDE = Path(__file__).resolve().parents[3] / "docs" / "guides" / "catalog.md"
HOST = {"processor": "xeon-e5-2660-v3", "processors": 2, "software": "windows-raw-megaraid"}
SSD = "toshiba-px02smf040"


def _controller(part: str, logical: dict[str, Any], **settings: Any) -> dict[str, Any]:
    return {"name": "made", "host": HOST, "controller": [{"part": part, "logical": [logical], **settings}]}


def _told(problems: Iterable[Problem]) -> dict[str, str]:
    return {problem.where.split(": ")[1]: problem.what for problem in problems}


@pytest.mark.parametrize("name", shipped_systems())
def test_shipped_systems_resolve_and_read_back(name: str) -> None:
    system = resolve(load_system(name))
    assert VirtualSystem.model_validate_json(system.model_dump_json()) == system
    assert len({volume.name for volume in system.volumes}) == len(system.volumes)


def test_a_system_that_cannot_be_read_is_told_by_its_path(tmp_path: Path) -> None:
    path = tmp_path / "My.toml"
    with pytest.raises(CatalogError) as refused:
        load_system(path)
    (problem,) = refused.value.problems
    assert (problem.where, problem.what) == (str(path), "cannot be read: no such file or directory")
    assert problem.hint == "`iodyno catalog list system` names those that are shipped"


def test_one_failed_member_needs_no_list() -> None:
    system = system_of(_controller("praid-ep420i", {"drive": SSD, "count": 8, "level": "5", "failed": 3}))
    assert system.controller[0].logical[0].failed == (3,)
    assert changed(system, {"failed": 0}).controller[0].logical[0].failed == (0,)
    with pytest.raises(CatalogError, match="failed"):
        changed(system, {"failed": True})


def test_all_problems_of_a_system_at_once() -> None:
    broken = system_of({
        "name": "broken",
        "host": {"server": "primergy-rx2540-m1", "processor": "xeon-e5-2637-v4", "processors": 3,
                 "software": "windows-raw-megaraid"},
        "controller": [
            {"part": "praid-cp400i", "mode": "fast-path-optimum", "write": "write-back", "backup_unit": True,
             "expander": "sas-expander-12g", "link": "DMI 2.0 x4",
             "logical": [{"drive": SSD, "count": 30, "level": "6", "strip": "256k"},
                         {"drive": "intel-p3700-800", "count": 3, "level": "10"}]},
            {"part": "c220", "logical": [{"drive": "seagate-st91000640ns", "count": 2, "level": "1"}]},
        ],
        "drives": [
            {"drive": "intel-p3700-2000", "count": 12, "form_factor": "AIC", "level": "5"},
            {"drive": "hgst-huc156045css204", "switch": "nvme-1610-4p"},
        ],
    })  # fmt: skip
    found = check(broken)
    told = [f"{problem.where.removeprefix('broken: ')}: {problem.what}" for problem in found]
    for wanted in (
        'host.processor: there is no part "xeon-e5-2637-v4"',
        "host.processors: 3 processors, PRIMERGY RX2540 M1 has 2 sockets",
        "controller[0].mode: PRAID CP400i has no mode fast-path-optimum",
        "controller[0].write: PRAID CP400i has no such setting",
        "controller[0].backup_unit: PRAID CP400i takes no flash backup unit",
        "controller[0].expander: PRAID CP400i takes no expander",
        'controller[0].link: "DMI 2.0 x4" does not fit PCIe 3.0 x8',
        "controller[0].logical: 33 drives, at most 8 fit on PRAID CP400i here",
        "controller[0].logical[0].level: PRAID CP400i has no RAID 6",
        "controller[0].logical[0].strip: PRAID CP400i has no strips of 256k",
        "controller[0].logical[1].count: RAID 10 needs an even number of drives, not 3",
        "controller[1].part: no release matrix says that PRIMERGY RX2540 M1 takes C220 (onboard)",
        "drives[0].count: 12 drives, PRIMERGY RX2540 M1 takes 8 of them",
        "drives[0].form_factor: the release matrix of PRIMERGY RX2540 M1 has it as SFF, not as AIC",
    ):
        assert wanted in told, wanted
    assert any("has SAS 12G, the host only PCIe" in text for text in told)
    assert any("PCIe 3.0 x4, PRAID CP400i takes SAS 12G" in text for text in told)
    with pytest.raises(CatalogError) as raised:
        resolve(broken)
    assert list(raised.value.problems) == found


def test_a_wrong_link_is_told_with_the_other_problems() -> None:
    logical = {"drive": SSD, "count": 5, "level": "10", "failed": 9}
    host = {**HOST, "processors": 9}
    broken = system_of({**_controller("praid-ep400i", logical, link="PCIe 9.0 x4"), "host": host})
    assert {"host.processors", "controller[0].link", "controller[0].logical[0].count"} <= set(
        _told(check(broken))
    )


@pytest.mark.parametrize(
    ("link", "hint"),
    [
        ("PCIe 9.0 x4", "known versions: 1.0, 2.0, 3.0, 4.0, 5.0"),
        ("PCIe 3.0 x3", "write x1, x2, x4, x8, x12, x16 or x32"),
        ("PCI", "write SATA 6G, SAS 12G, PCIe 3.0 x4 or DMI 2.0 x4"),
        ("DMI 2.0 x4", "PRAID EP420i has PCIe 3.0 x8"),
    ],
)
def test_what_to_do_about_a_wrong_link(link: str, hint: str) -> None:
    found = check(changed(load_system("raid-controllers"), {"link": link}))
    assert [problem.hint for problem in found] == [hint]


def test_processors_that_work_together() -> None:
    most = {part.name: part.model["sockets"].value for part in shipped().of(ProcessorPart)}
    # E3-12xx: one socket, E5-26xx: two, E7-88xx and Platinum 81xx: eight; Intel's numbering says so.
    for name, sockets in most.items():
        few = 1 if "e3-12" in name else 2 if "e5-26" in name or "epyc" in name else 8
        assert sockets == few, name


def test_all_problems_of_a_document_at_once() -> None:
    with pytest.raises(CatalogError) as raised:
        parse_system(
            'name = "Two Words"\n[host]\nprocesor = "x"\nsoftware = "y"\n[[drives]]\ncount = 0\n', "my.toml"
        )
    told = {problem.where: problem for problem in raised.value.problems}
    assert told["my.toml: host.procesor"].hint.startswith("did you mean processor?")
    assert {"my.toml: name", "my.toml: drives[0].drive", "my.toml: drives[0].count"} <= set(told)
    assert "my.toml: host.processor" not in told  # it is there, mistyped


@pytest.mark.parametrize(
    ("changes", "place", "what"),
    [
        ({"count": 9}, "controller[0].logical", "9 drives, PRAID EP420i takes 8"),
        ({"level": "10", "count": 18, "expander": "sas-expander-12g"}, "controller[0].logical[0].count",
         "18 drives, RAID 10 on PRAID EP420i takes 16"),
        ({"level": "5", "failed": [0, 1]}, "controller[0].logical[0].failed", "RAID 5 does not survive that"),
        ({"failed": [8]}, "controller[0].logical[0].failed", "there are 8 members, counted from 0"),
        ({"rebuild_mb_s": 30.0}, "controller[0].logical[0].rebuild_mb_s", "no member has failed"),
        ({"level": "5", "failed": [0], "rebuild_mb_s": 1e-7}, "controller[0].logical[0].rebuild_mb_s",
         "1e-07 MB/s is less than 0.1 MB/s"),
        ({"write": "write-back", "backup_unit": False}, "controller[0].write",
         "write-back needs a flash backup unit"),
        ({"processors": 3}, "host.processors", "3 processors, PRIMERGY RX2560 M1 has 2 sockets"),
        ({"processors": 9, "server": "none"}, "host.processors",
         "9 processors, of Intel Xeon E5-2660 v3 at most 2 work together"),
        ({"link": "PCIe 9.0 x4"}, "controller[0].link",
         '"PCIe 9.0 x4" has a version that PCIe does not have'),
        ({"link": "PCIe 3.0 x3"}, "controller[0].link", '"PCIe 3.0 x3" has a width that PCIe does not have'),
        ({"link": "PCIe 3.0 x0"}, "controller[0].link", '"PCIe 3.0 x0" has a width that PCIe does not have'),
        ({"link": "PCI"}, "controller[0].link", '"PCI" is no interface'),
        ({"controller": "praid-cm400i"}, "controller[0].part",
         "no release matrix says that PRIMERGY RX2560 M1 takes PRAID CM400i"),
        ({"drive": "intel-p3700-800"}, "controller[0].logical[0].drive",
         "Intel SSD DC P3700 800 GB has PCIe 3.0 x4, PRAID EP420i takes SAS 12G"),
        ({"level": "50", "count": 8, "groups": 3}, "controller[0].logical[0].count",
         "8 drives cannot be divided into 3 equal groups"),
        ({"server": "primergy-rx2540-m1", "expander": "sas-expander-12g", "count": 25},
         "controller[0].logical", "25 drives, at most 24 fit on PRAID EP420i here"),
        ({"instances": 2}, "controller[0].instances", "2 instances of PRAID EP420i, at most 1 here"),
        ({"write": "write-through", "controller": "praid-cp400i"}, "controller[0].write",
         "PRAID CP400i has no such setting"),
        ({"read": "read-ahead", "controller": "psas-cp400i", "level": "JBOD"},
         "controller[0].read",
         "PSAS CP400i passes drives of JBOD through, and reads nothing ahead"),
    ],
)  # fmt: skip
def test_what_is_refused(changes: dict[str, Any], place: str, what: str) -> None:
    system = changed(load_system("raid-controllers"), changes)
    assert _told(check(system))[place] == what


def test_lanes_of_the_processors_are_counted() -> None:
    system = changed(load_system("p3700"), {"count": 20})
    assert _told(check(system)) == {}
    system = changed(load_system("p3700"), {"count": 21})
    assert _told(check(system))["host.processors"] == "the parts use 84 lanes of PCIe, the processors have 80"


def test_ports_of_a_switch_adapter() -> None:
    system = changed(load_system("p3700"), {"switch": "nvme-1610-4p", "count": 5})
    assert _told(check(system))["drives[0].count"] == "5 drives, 1610-4P NVMe Switch Adapter has 4 ports"


def test_a_lane_short() -> None:
    system = system_of(_controller("praid-em400i", {"drive": SSD, "count": 3, "level": "5"}))
    assert _told(check(system)) == {
        "controller[0].logical": "3 drives, PRAID EM400i has 2 lanes to drives",
        "controller[0].logical[0].level": "RAID 5 needs 3 drives or more, PRAID EM400i reaches 2",
    }


def test_what_the_host_would_rebuild_is_refused() -> None:
    system = changed(load_system("raid-onboard"), {"failed": [0], "rebuild_mb_s": 30.0})
    told = {"controller[0].logical[0].rebuild_mb_s":
            "C610 (onboard) leaves RAID to the host, whose rebuilding is not modelled"}  # fmt: skip
    assert _told(check(system)) == told


def test_changes_that_nothing_has() -> None:
    with pytest.raises(CatalogError) as raised:
        changed(load_system("p3700"), {"levle": "5", "mode": "performance"})
    told = _told(raised.value.problems)
    assert told == {"levle": "is nothing that can be changed", "mode": "this system has nothing with it"}


def test_changes_leave_the_rest() -> None:
    base = load_system("raid-controllers")
    system = changed(base, {"level": 5, "settings": "default", "title": "Other"})
    assert (system.controller[0].logical[0].level, system.host.settings, system.title) == (
        "5",
        "default",
        "Other",
    )
    assert changed(system, {"level": "0", "settings": "performance", "title": base.title}) == base


def test_two_unnamed_volumes_are_numbered() -> None:
    names = [volume.name for volume in resolve(changed(load_system("p3700"), {"count": 3})).volumes]
    assert names == ["volume-1", "volume-2", "volume-3"]


def test_volumes_of_one_name_are_refused() -> None:
    drives = [{"drive": "intel-p3700-800", "name": "a"}] * 2
    system = system_of({"name": "made", "host": HOST, "drives": drives})
    assert "name" in _told(check(system))


def _logical(changes: dict[str, Any]) -> Any:
    return resolve(changed(load_system("raid-controllers"), changes)).controllers[0].logicals[0]


@pytest.mark.parametrize(
    ("changes", "read_ahead", "write_back", "fast_path"),
    [
        ({"mode": "performance"}, True, True, False),
        ({"mode": "performance", "backup_unit": False}, True, True, False),
        ({"mode": "data-protection"}, True, True, False),
        ({"mode": "data-protection", "backup_unit": False}, True, False, False),
        ({"mode": "fast-path-optimum"}, False, False, True),
        ({"mode": "fast-path-optimum", "drive": "hgst-huc156045css204"}, False, False, False),
        ({"mode": "performance", "controller": "praid-cp400i", "backup_unit": False}, True, False, False),
        ({"mode": "performance", "controller": "psas-cp400i", "level": "JBOD", "backup_unit": False},
         False, False, False),
    ],
)  # fmt: skip
def test_modes(changes: dict[str, Any], read_ahead: bool, write_back: bool, fast_path: bool) -> None:
    """Fujitsu, RAID Controller Performance 2016: modes; without a cache they only read ahead."""
    logical = _logical(changes)
    assert (logical.read_ahead, logical.write_back, logical.fast_path) == (read_ahead, write_back, fast_path)


@pytest.mark.parametrize(
    ("mode", "on"), [("performance", True), ("fast-path-optimum", True), ("data-protection", False)]
)
def test_the_mode_switches_the_drives_cache(mode: str, on: bool) -> None:
    system = resolve(changed(load_system("raid-controllers"), {"mode": mode}))
    assert system.drives[0].model.write_cache is on


def test_a_setting_wins_over_the_mode() -> None:
    system = changed(load_system("raid-controllers"), {"drive_cache": "off", "read": "no-read-ahead"})
    resolved = resolve(system)
    assert not resolved.drives[0].model.write_cache
    assert not resolved.controllers[0].logicals[0].read_ahead


def test_a_controller_moves_a_share_of_what_its_link_gives() -> None:
    """5900 of 6761 MB/s at PCIe 3.0 x8, 1483 of 1716 at PCIe 2.0 x4: 87 % of both."""
    wide = resolve(load_system("raid-controllers")).controllers[0]
    narrow = resolve(load_system("primequest-2800e3")).controllers[0]
    assert wide.read_bytes_s / narrow.read_bytes_s == pytest.approx(6761 / 1716, rel=1e-3)


def test_drives_behind_an_expander_share_a_port() -> None:
    system = resolve(load_system("raid-controllers-24"))
    shared = system.drives[0].path[0]
    assert all(slot.path[0] == shared for slot in system.drives)
    assert len({slot.path[1] for slot in system.drives}) == 24
    assert system.links[1].bytes_s / MIB == pytest.approx(8240, abs=1)


def test_drives_of_6g_halve_the_port() -> None:
    system = resolve(changed(load_system("raid-controllers-24"), {"drive": "intel-ssdsc2ba400g3c"}))
    assert system.links[1].bytes_s / MIB == pytest.approx(4120, abs=1)


@pytest.mark.parametrize(("version", "port_mb_s", "drive_mb_s"), [("6G", 4120, 515), ("3G", 2060, 257.5)])
def test_an_expander_of_a_lower_version_holds_port_and_drives_to_it(
    version: str, port_mb_s: float, drive_mb_s: float
) -> None:
    """Eight lanes of 6 GT/s, 8b/10b: 4800 MB/s, 90 % of it in practice, in units of 2^20; 3 GT/s half."""
    expander = shipped().get("sas-expander-12g")
    slower = expander.model_copy(update={"interface": f"SAS {version}"})
    catalog = Catalog([*shipped().parts.values(), slower])
    system = resolve(load_system("raid-controllers-24"), catalog)
    port, own = (system.links[hop.link] for hop in system.drives[0].path if isinstance(hop, LinkHop))
    assert port.bytes_s / MIB == pytest.approx(port_mb_s, abs=1)
    assert own.bytes_s / MIB == pytest.approx(drive_mb_s, abs=1)
    assert (port.name, own.name) == (f"8 x SAS {version} of PRAID EP420i", f"SAS {version}")


@pytest.mark.parametrize(("switch", "lanes", "mb_s"), [("nvme-1610-4p", 16, 3380), ("nvme-810-4p", 8, 1690)])
def test_switch_adapters(switch: str, lanes: int, mb_s: float) -> None:
    """Lenovo Press LP0865: x4 to each drive through the 1610-4P, x2 through the 810-4P."""
    system = resolve(changed(load_system("nvme-host-connections"), {"switch": switch}))
    assert [hop.model_dump() for hop in system.drives[3].path] == [{"link": 0}, {"switch": 0}, {"link": 4}]
    assert system.links[0].bytes_s / MIB == pytest.approx(lanes * 845.1, abs=1)
    assert system.links[4].bytes_s / MIB == pytest.approx(mb_s, abs=1)


def test_onboard_controllers_leave_raid_to_the_host() -> None:
    system = resolve(load_system("raid-onboard"))
    on = system.volumes[0].on
    assert isinstance(on, OnHostRaid)
    assert on.array.mirror_read == PrimaryReads()
    assert [system.links[hop.link].name for hop in system.drives[1].path if hasattr(hop, "link")] == [
        "DMI 2.0 x4 of C610 (onboard)", "SATA 6G",
    ]  # fmt: skip


def test_raid_of_the_operating_system() -> None:
    system = resolve(changed(load_system("p3700"), {"count": 2, "level": "1"}))
    on = system.volumes[0].on
    assert isinstance(on, OnHostRaid)
    assert on.array.mirror_read == SpreadReads(from_outstanding=9)
    assert system.volumes[0].size_bytes == 800 * 10**9 // 65536 * 65536


@pytest.mark.parametrize(
    ("drive", "expected"),
    [("hgst-huc156045css204", NearestReads()), ("toshiba-px02smf040", SpreadReads(from_outstanding=0))],
)
def test_controllers_follow_the_arms_of_hard_disks_alone(drive: str, expected: MirrorRead) -> None:
    system = resolve(changed(load_system("raid-controllers"), {"level": "10", "drive": drive}))
    assert system.controllers[0].logicals[0].array.mirror_read == expected


def test_a_lower_frequency_costs_more_time() -> None:
    fast = resolve(load_system("p3700")).volumes[0].cpu
    slow = resolve(changed(load_system("p3700"), {"processor": "xeon-e5-2603-v3"})).volumes[0].cpu
    assert slow.read_ps / fast.read_ps == pytest.approx(3.5 / 1.6, rel=1e-4)


def test_default_settings_cost_more_time_and_wake_up() -> None:
    base = resolve(load_system("p3700"))
    default = resolve(changed(load_system("p3700"), {"settings": "default"}))
    assert default.volumes[0].cpu.write_ps > base.volumes[0].cpu.write_ps
    assert default.host.wakeup_ps > base.host.wakeup_ps == 0


def test_only_flushes_of_sata_are_no_queued_commands() -> None:
    """FLUSH CACHE EXT is no NCQ command (Serial ATA Revision 3.0); flushes of NVMe and SAS are queued."""
    systems = [resolve(load_system(name)) for name in shipped_systems()]
    drives = {
        (slot.flush, system.links[slot.path[-1].link].name.split()[0])
        for system in systems
        for slot in system.drives
        if isinstance(slot.path[-1], LinkHop)
    }
    assert drives == {("alone", "SATA"), ("queued", "SAS"), ("queued", "PCIe"), ("unneeded", "PCIe")}


def test_a_drive_with_sata_takes_32_commands_at_once() -> None:
    """Native Command Queuing has 32 tags (Serial ATA Revision 3.0); SAS and NVMe have more."""
    systems = [resolve(load_system(name)) for name in shipped_systems()]
    drives = {
        (slot.commands, system.links[slot.path[-1].link].name.split()[0])
        for system in systems
        for slot in system.drives
        if isinstance(slot.path[-1], LinkHop)
    }
    assert drives == {(32, "SATA"), (None, "SAS"), (None, "PCIe")}


@pytest.mark.parametrize(
    ("software", "protected", "write_cache", "flush"),
    [
        ("linux-nvme", 1.0, "on", "unneeded"),
        ("linux-nvme", 0.9, "on", "queued"),
        ("linux-nvme", 0.9, "off", "unneeded"),
        ("windows-2012-ntfs-nvme", 1.0, "on", "queued"),
    ],
)
def test_linux_flushes_volatile_caches_only(
    software: str, protected: float, write_cache: Switchable, flush: str
) -> None:
    """An NVMe drive that loses nothing tells of no volatile cache (Linux, writeback_cache_control)."""
    spec = system_of({"name": "made", "host": {**HOST, "software": software},
                      "drives": [{"drive": "intel-p3700-800"}]})  # fmt: skip
    building = Building(shipped(), host_costs(spec.host, shipped()), parse_version("PCIe 3.0"))
    part = shipped().take("intel-p3700-800", DrivePart)
    model = drive_model(part, write_cache, None)
    assert isinstance(model, SsdModel)
    assert model.protected_share == 1
    building.add_drive(part, (), model.model_copy(update={"protected_share": protected}))
    assert building.drives[0].flush == flush


@pytest.mark.parametrize("drive", ["intel-p3700-800", "intel-ssdsc2ba400g3c", "toshiba-px02smf040"])
def test_no_setting_turns_a_protected_buffer_off(drive: str) -> None:
    """What is turned off is a volatile cache; hosts then send no flush: Ceph's documentation advises it."""
    part = shipped().take(drive, DrivePart)
    off = drive_model(part, "off", None)
    assert isinstance(off, SsdModel)
    assert (off.write_cache, off.buffers) == (False, True)
    assert not off.model_copy(update={"protected_share": 0.9}).buffers


def test_only_the_link_of_sata_takes_turns_and_every_link_costs_a_command() -> None:
    """SATA is half duplex (Serial ATA Revision 3.0); the others have lanes for each direction."""
    links = [link for name in shipped_systems() for link in resolve(load_system(name)).links]
    assert {link.name.split()[0] for link in links if not link.full_duplex} == {"SATA"}
    assert {link.full_duplex for link in links if link.name.startswith("SATA")} == {False}
    commands = {part.name: part.model["command"].whole for part in shipped().of(LinkPart)}
    for link in links:
        (family,) = {word.lower() for word in link.name.split()} & commands.keys()
        assert link.command_ps == commands[family] > 0, link.name


def test_a_drive_passed_through() -> None:
    system = resolve(load_system("raid-single-drive"))
    assert system.controllers[0].logicals[0].array.level == "JBOD"
    direct = resolve(load_system("p3700"))
    assert direct.volumes[0].on == OnDrive(drive=0)
    assert direct.host.cores == 8


def test_a_newer_drive_in_an_older_host_is_slower() -> None:
    system = resolve(changed(load_system("nvme-today"), {"processor": "xeon-e5-2637-v3"}))
    assert system.links[0].name == "PCIe 3.0 x4"


def test_the_full_machine() -> None:
    """Fujitsu, Performance Report PRIMEQUEST 2800E3: 4 SB + 2 DU(2C) are 8 controllers and 24 drives."""
    system = resolve(load_system("primequest-2800e3-full"))
    assert (len(system.controllers), len(system.drives)) == (8, 24)


@pytest.mark.parametrize(
    ("level", "count", "groups", "members"),
    [("JBOD", 1, 1, 1), ("0", 5, 1, 5), ("1", 2, 1, 1), ("10", 6, 1, 3), ("1E", 5, 1, 2.5), ("5", 5, 1, 4),
     ("6", 6, 1, 4), ("50", 8, 2, 6), ("60", 8, 2, 4)],
)  # fmt: skip
def test_what_an_array_holds(level: Level, count: int, groups: int, members: float) -> None:
    assert capacity_bytes(level, count, groups, 1000, 100) == members * 1000
    assert drives_problem(level, count, groups) == ""


def test_each_of_many_mirrors_holds_all() -> None:
    assert [capacity_bytes("1", count, 1, 1000, 100) for count in (2, 3, 7)] == [1000] * 3
    assert [drives_problem("1", count, 1, "any") for count in (2, 3, 7)] == [""] * 3
    assert drives_problem("1", 1, 1, "any") == "RAID 1 needs at least 2 drives, not 1"


@pytest.mark.parametrize(
    ("level", "count", "groups", "enough"),
    [("0", 0, 1, False), ("1", 3, 1, False), ("1E", 2, 1, False), ("10", 2, 1, False), ("10", 5, 1, False),
     ("10", 6, 1, True), ("5", 2, 1, False), ("5", 3, 1, True), ("6", 3, 1, False), ("6", 4, 1, True),
     ("5", 6, 2, False), ("50", 6, 1, False), ("50", 6, 2, True), ("50", 4, 2, False), ("50", 7, 2, False),
     ("60", 6, 2, False), ("60", 8, 2, True), ("60", 8, 1, False)],
)  # fmt: skip
def test_fewest_drives_of_a_level(level: Level, count: int, groups: int, enough: bool) -> None:
    """Parity needs two strips of data, a second one a drive more; RAID 50 and 60 two such groups."""
    assert (drives_problem(level, count, groups) == "") is enough


@pytest.mark.parametrize(
    ("level", "count", "failed", "lives"),
    [("0", 4, [1], False), ("1", 2, [0], True), ("1", 2, [0, 1], False), ("1", 3, [0, 1], True),
     ("1", 4, [0, 2, 3], True), ("1", 3, [0, 1, 2], False), ("10", 4, [0, 2], True),
     ("10", 4, [2, 3], False), ("1E", 5, [0, 2], True), ("1E", 5, [4, 0], False), ("5", 4, [3], True),
     ("6", 4, [0, 3], True), ("6", 5, [0, 1, 2], False), ("50", 6, [0, 5], True), ("50", 6, [0, 1], False)],
)  # fmt: skip
def test_what_an_array_survives(level: Level, count: int, failed: list[int], lives: bool) -> None:
    assert survives(level, count, 2 if level == "50" else 1, failed) is lives


@pytest.mark.parametrize(
    ("part", "server", "drives"),
    [
        ("praid-ep420i", "primergy-rx2560-m1", 32), ("praid-ep420i", "primergy-rx2540-m1", 24),
        ("praid-ep420i", "primergy-tx1320-m2", 6), ("praid-ep420i", "primequest-2800b2-du", 4),
        ("psas-cp400i", "primergy-sx960-s1", 10), ("c236", "primergy-rx1330-m2", 4),
        ("intel-p3700-800", "primergy-rx2540-m1", 8), ("intel-p3700-2000", "primergy-rx4770-m1", 4),
    ],
)  # fmt: skip
def test_release_matrices(part: str, server: str, drives: int) -> None:
    """Release matrices of the two papers, by hand."""
    there = {fit.part.name: fit.drives for fit in fits(shipped().get(part), shipped())}
    found = there[server]
    assert found is not None
    assert found.value == drives
    back = {fit.part.name for fit in fits(shipped().get(server), shipped())}
    assert part in back


def test_what_fits_a_part_is_fitted_by_it() -> None:
    """Whichever of two parts is asked about says the same of link, drives and limits."""
    said = {
        (part.name, fit.part.name): (fit.link, fit.note, fit.drives and fit.drives.value)
        for part in shipped().of(BasePart)
        for fit in fits(shipped().get(part.name), shipped())
    }
    assert len(said) > 100
    assert {pair: said.get(pair[::-1]) for pair in said} == said


def test_a_drive_that_is_a_card_is_behind_no_switch_adapter() -> None:
    there = {fit.part.name for fit in fits(shipped().get("nvme-1610-4p"), shipped())}
    assert "intel-p3700-800" in there
    assert "fusion-io-iodrive2-1200" not in there


def test_sas_drives_fit_no_sata_port() -> None:
    there = {fit.part.name for fit in fits(shipped().get(SSD), shipped())}
    assert "praid-ep420i" in there
    assert "c610" not in there


def test_the_systems_of_the_guide() -> None:
    blocks = re.findall(r"```toml\n(.*?)```", GUIDE.read_text("utf-8"), re.DOTALL)
    array, tiers, joined = (resolve(parse_system(text)).volumes for text in blocks if "\n[host]\n" in text)
    assert [volume.size_bytes for volume in array] == [400 * 10**9 // 262144 * 262144 * 7]
    assert [volume.name for volume in tiers] == ["capacity", "fast"]
    assert tiers[0].cpu != tiers[1].cpu
    assert len(joined) == 1


@pytest.mark.parametrize(
    ("part", "server", "note"),
    [
        ("intel-p3700-800", "primergy-rx2540-m1", "as SFF"),
        ("praid-ep420i", "primequest-2800e3-du-2c", "RAID 0, 1"),
    ],
)
def test_what_is_less_in_a_server_than_a_part_could_is_said(part: str, server: str, note: str) -> None:
    there = {fit.part.name: fit.note for fit in fits(shipped().get(part), shipped())}
    assert note in there[server].split("; ")


def test_only_controllers_that_know_expanders_take_one() -> None:
    there = {
        fit.part.name: fit.drives and fit.drives.value
        for fit in fits(shipped().get("sas-expander-12g"), shipped())
    }
    assert there["praid-ep420i"] == 32
    assert not {"c610", "c220"} & set(there)
