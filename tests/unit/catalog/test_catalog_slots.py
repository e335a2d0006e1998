"""What the slot of a drive of the host gives: its link by the rule, what is refused, what a study changes."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from command_line import CommandLine
from iodyno.catalog.changes import changed
from iodyno.catalog.checks import check, checked
from iodyno.catalog.parts import ServerPart
from iodyno.catalog.resolve import resolve
from iodyno.catalog.shelf import Catalog, shipped
from iodyno.catalog.tree import load_system, system_of
from iodyno.errors import CatalogError
from iodyno.study.configuration import Configuration
from iodyno.study.systems import resolve as resolved
from iodyno.units import MIB
from iodyno.virtual import LinkHop

DRIVE = "samsung-pm1743-7680"
TITLE = "Samsung PM1743 7.68 TB (PCIe 5.0)"
HOST = {"processor": "epyc-9354", "software": "linux-nvme"}
LANE_BYTES_S = {"2.0": 5e9 * 0.8 / 8, "3.0": 8e9 * 128 / 130 / 8, "5.0": 32e9 * 128 / 130 / 8}
"""PCI Express Base Specification: transfers of a lane × coding ÷ 8."""
ARRAY: dict[str, Any] = {
    "part": "praid-ep420i",
    "logical": [{"name": "array", "drive": "toshiba-px02smf040", "count": 2, "level": "1"}],
}


def system(host: Mapping[str, Any] | None = None, **drives: Any) -> dict[str, Any]:
    """Give the table of a system with a group of drives."""
    return {"name": "made", "host": {**HOST, **(host or {})}, "drives": [{"drive": DRIVE, **drives}]}


def told(document: Mapping[str, Any], catalog: Catalog | None = None) -> dict[str, tuple[str, str]]:
    """Give what is wrong with a system, and what to do about it, by place."""
    try:
        checked(document, "made", catalog)
    except CatalogError as error:
        return {one.where.removeprefix("made: "): (one.what, one.hint) for one in error.problems}
    return {}


@pytest.mark.parametrize(
    ("link", "version", "lanes"),
    [("PCIe 5.0 x4", "5.0", 4), ("PCIe 3.0 x4", "3.0", 4), ("PCIe 3.0 x2", "3.0", 2),
     ("PCIe 2.0 x1", "2.0", 1), ("PCIe 3.0 x16", "3.0", 4)],
)  # fmt: skip
def test_the_link_is_that_of_the_slot(link: str, version: str, lanes: int) -> None:
    """A wider slot does not make the drive wider: it has four lanes."""
    made = resolve(system_of(system(link=link, count=2)))
    assert [one.name for one in made.links] == [f"PCIe {version} x{lanes}"] * 2
    assert [one.bytes_s for one in made.links] == [round(0.9 * lanes * LANE_BYTES_S[version])] * 2


def test_a_slot_that_gives_more_than_a_drive_takes_is_none_of_its_problems() -> None:
    document = system({"processor": "xeon-e5-2637-v3"}, drive="intel-p3700-800", link="PCIe 5.0 x16")
    assert told(document) == {}
    assert [one.name for one in resolve(system_of(document)).links] == ["PCIe 3.0 x4"]


@pytest.mark.parametrize(
    ("switch", "link", "name", "wrong"),
    [
        ("nvme-810-4p", "PCIe 3.0 x1", "PCIe 3.0 x1", ""),
        ("nvme-810-4p", "PCIe 3.0 x2", "PCIe 3.0 x2", ""),
        ("nvme-1610-4p", "PCIe 2.0 x4", "PCIe 2.0 x4", ""),
        ("nvme-810-4p", "PCIe 3.0 x4", "", "810-4P NVMe Switch Adapter gives {}, PCIe 3.0 x2"),
        ("nvme-1610-4p", "PCIe 5.0 x2", "", "1610-4P NVMe Switch Adapter gives {}, PCIe 3.0 x4"),
    ],
)
def test_behind_a_switch_it_is_that_of_the_port(switch: str, link: str, name: str, wrong: str) -> None:
    document = system(switch=switch, link=link)
    if wrong:
        what = f'"{link}" is more than {wrong.format(TITLE)}'
        assert told(document) == {"drives[0].link": (what, "leave link out, or give less")}
        return
    made = resolve(system_of(document))
    last = made.drives[0].path[-1]
    assert isinstance(last, LinkHop)
    assert made.links[last.link].name == name
    wide = 16 if switch == "nvme-1610-4p" else 8
    assert made.links[0].name.startswith(f"PCIe 3.0 x{wide} of")  # the adapter's own slot is as it was


def test_no_more_than_the_processor_has() -> None:
    document = system({"processor": "xeon-e5-2637-v3"}, link="PCIe 5.0 x2")
    what = f'"PCIe 5.0 x2" is more than Intel Xeon E5-2637 v3 gives {TITLE}, PCIe 3.0 x4'
    assert told(document) == {"drives[0].link": (what, "leave link out, or give less")}
    assert told(system({"processor": "xeon-e5-2637-v3"}, link="PCIe 3.0 x2")) == {}


def serving(link: str) -> Catalog:
    """Give the catalogue with a server that gives the drive a link."""
    server = shipped().take("primergy-rx2540-m1", ServerPart)
    taken = server.takes["intel-p3700"].model_copy(update={"link": link, "form_factors": ()})
    made = server.model_copy(update={"takes": {DRIVE: taken}, "socket": None})
    return shipped().having(made)


@pytest.mark.parametrize(
    ("link", "more"),
    [("PCIe 4.0 x2", False), ("PCIe 3.0 x1", False), ("PCIe 4.0 x4", True), ("PCIe 5.0 x1", True)],
)
def test_no_more_than_the_server_gives(link: str, more: bool) -> None:
    found = told(system({"server": "primergy-rx2540-m1"}, link=link), serving("PCIe 4.0 x2"))
    what = f'"{link}" is more than PRIMERGY RX2540 M1 gives {TITLE}, PCIe 4.0 x2'
    assert found == ({"drives[0].link": (what, "leave link out, or give less")} if more else {})


@pytest.mark.parametrize("table", ["drives", "controller"])
def test_a_server_that_gives_no_pcie_is_told_of_and_no_crash(table: str) -> None:
    """The matrix of a server of one's own can be wrong: then a link was asked of what fits nothing."""
    if table == "drives":
        catalog, asked = serving("DMI 2.0 x4"), system({"server": "primergy-rx2540-m1"}, link="PCIe 3.0 x4")
    else:
        server = shipped().take("primergy-rx2540-m1", ServerPart)
        taken = server.takes["praid-ep420i"].model_copy(update={"link": "DMI 2.0 x4"})
        made = server.model_copy(update={"takes": {"praid-ep420i": taken}})
        catalog = shipped().having(made)
        host = {"server": server.name, "processor": "xeon-e5-2660-v3", "software": "windows-raw-megaraid"}
        asked = {"name": "made", "host": host, "controller": [{**ARRAY, "link": "PCIe 3.0 x4"}]}
    (found,) = [what for what, _ in told(asked, catalog).values()]
    assert "gives" in found
    assert "DMI 2.0 x4, it has PCIe" in found


@pytest.mark.parametrize(
    ("link", "what", "hint"),
    [
        ("PCIe 9.0 x4", "has a version that PCIe does not have", "known versions: 1.0, 2.0, 3.0, 4.0, 5.0"),
        ("PCIe 3.0", "says nothing of its width",
         "write PCIe 3.0 and then its lanes: x1, x2, x4, x8, x12, x16 or x32"),
        ("PCIe 3.0 x3", "has a width that PCIe does not have", "write x1, x2, x4, x8, x12, x16 or x32"),
        ("x4", "is no interface", "write SATA 6G, SAS 12G, PCIe 3.0 x4 or DMI 2.0 x4"),
        ("SAS 12G", "does not fit PCIe 5.0 x4", f"{TITLE} has PCIe 5.0 x4"),
        ("DMI 2.0 x4", "does not fit PCIe 5.0 x4", f"{TITLE} has PCIe 5.0 x4"),
    ],
)  # fmt: skip
def test_what_is_no_slot(link: str, what: str, hint: str) -> None:
    assert told(system(link=link)) == {"drives[0].link": (f'"{link}" {what}', hint)}


def test_drives_without_a_slot_and_all_other_problems_at_once() -> None:
    """A drive with SAS or SATA sits in none, and a controller's drives hang on the controller."""
    document = {
        "name": "made",
        "host": {**HOST, "processors": 9},
        "controller": [{**ARRAY, "logical": [{**ARRAY["logical"][0], "link": "PCIe 3.0 x4"}]}],
        "drives": [
            {"drive": "toshiba-px02smf040", "link": "PCIe 3.0 x4", "name": "sas"},
            {"drive": "seagate-st91000640ns", "link": "SATA 3G", "name": "sata"},
            {"drive": DRIVE, "link": "PCIe 9.0 x4", "filled": 7, "name": "nvme"},
            {"drive": DRIVE, "link": 3, "name": "number"},
        ],
    }
    found = told(document)
    sas, leave = "Toshiba PX02SMF040 400 GB", "leave link out: it is what a slot of PCIe gives"
    assert found["drives[0].link"] == (f"{sas} has SAS 12G, and sits in no slot of PCIe", leave)
    assert found["drives[1].link"][0].endswith("has SATA 6G, and sits in no slot of PCIe")
    assert found["drives[2].link"][0] == '"PCIe 9.0 x4" has a version that PCIe does not have'
    assert found["drives[3].link"][0] == "3 is no text in quotes"
    what, hint = found["controller[0].logical[0].link"]
    assert what == "is no key of this table"
    assert hint.startswith("it is a key of [[controller]] or [[drives]]; ")
    assert {"host.processors", "drives[0].drive", "drives[1].drive", "drives[2].filled"} <= set(found)


def test_a_switch_that_is_not_known_leaves_its_port_out() -> None:
    """Nothing is said of the processor then, which does not give the drive its link."""
    document = system({"processor": "xeon-e5-2637-v3"}, switch="nvme-1610", link="PCIe 5.0 x4")
    assert list(told(document)) == ["drives[0].switch"]


@pytest.mark.parametrize(
    ("link", "count", "used"), [("PCIe 3.0 x4", 32, 0), ("PCIe 3.0 x4", 33, 132), ("PCIe 3.0 x2", 64, 0),
                                ("PCIe 3.0 x2", 65, 130), ("PCIe 5.0 x16", 33, 132)],
)  # fmt: skip
def test_a_drive_takes_the_lanes_of_its_slot(link: str, count: int, used: int) -> None:
    """An EPYC 9354 has 128 lanes."""
    found = told(system(link=link, count=count))
    what = f"the parts use {used} lanes of PCIe, the processors have 128"
    assert {place: one for place, (one, _) in found.items()} == ({"host.processors": what} if used else {})


def test_a_study_changes_the_link() -> None:
    """The question of a purchase: what does a drive of PCIe 5.0 do in an older slot, or in a narrower one?"""
    links = ["PCIe 5.0 x4", "PCIe 3.0 x4", "PCIe 3.0 x2"]
    changes = {"link": "PCIe {version} x{lanes}"}
    each: dict[str, Any] = {"version": ["5.0", "3.0"], "lanes": [4, 2]}
    asked = Configuration(name="x{lanes}-{version}", system="nvme-today", changes=changes, each=each)
    made = [resolved(one) for one in asked.expanded()]
    links = ["PCIe 5.0 x4", "PCIe 5.0 x2", "PCIe 3.0 x4", "PCIe 3.0 x2"]
    assert [{one.name for one in system.links} for system in made] == [{link} for link in links]
    assert made[2].links[0].bytes_s / MIB == pytest.approx(3380, abs=1)


def test_a_change_takes_it_away_again() -> None:
    narrow = changed(load_system("nvme-today"), {"link": "PCIe 3.0 x2"})
    assert narrow.drives[0].link == "PCIe 3.0 x2"
    wide = changed(narrow, {"link": "none"})
    assert wide == load_system("nvme-today")
    assert {one.name for one in resolve(wide).links} == {"PCIe 5.0 x4"}


@pytest.mark.parametrize("link", ["PCIe 3.0 x2", "none"])
def test_whose_link_a_study_means_has_to_be_clear(link: str) -> None:
    """Controllers and drives have one each: a change of both would slow down what nobody asked about."""
    host = {"processor": "epyc-9354", "software": ["linux-nvme", "linux-scsi"]}
    both = system_of({"name": "made", "host": host, "controller": [ARRAY], "drives": [{"drive": DRIVE}]})
    with pytest.raises(CatalogError) as raised:
        changed(both, {"link": link, "levl": "5"}, "study")
    first, second = raised.value.problems
    assert first.where == "study: link"
    assert first.what == "could be that of its controllers or of its drives"
    assert first.hint == "leave it out, and give a system that has it in [[controller]] or in [[drives]]"
    assert second.where == "study: levl"


def test_what_was_changed_is_checked() -> None:
    found = check(changed(load_system("nvme-today"), {"switch": "nvme-1610-4p", "link": "PCIe 5.0 x4"}))
    what = f'"PCIe 5.0 x4" is more than 1610-4P NVMe Switch Adapter gives {TITLE}, PCIe 3.0 x4'
    assert [one.what for one in found] == [what]


def test_the_commands_tell_the_link(
    iodyno_says: CommandLine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    text = f"""schema = 1
name = "narrow"
[host]
processor = "epyc-9354"
software = "linux-nvme"
[[drives]]
drive = "{DRIVE}"
count = 2
link = "PCIe 3.0 x2"
"""
    Path("narrow.toml").write_text(text, "utf-8")
    for command in ("check", "show"):
        shown = iodyno_says("catalog", command, "narrow.toml").out
        assert "PCIe 3.0 x2       2  1,690 MB/s  in each direction" in shown


def test_the_two_systems_beside_each_other(
    iodyno_says: CommandLine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The question of a purchase, as a user asks it: the drive in its own slot, and in one of PCIe 3.0 x4."""
    monkeypatch.chdir(tmp_path)
    block = 64 << 10
    slot = block / (block / (0.9 * 4 * LANE_BYTES_S["3.0"]) + 20e-9)  # and 13 GB/s of the drive by its maker
    text = """schema = 1
name = "wide"
host = { processor = "epyc-9354", software = "linux-nvme" }
[[drives]]
drive = "samsung-pm1743-7680"
"""
    Path("wide.toml").write_text(text, "utf-8")
    Path("narrow.toml").write_text(text.replace("wide", "narrow") + 'link = "PCIe 3.0 x4"\n', "utf-8")
    for name in ("wide", "narrow"):
        load = ("--area", "32G", "--profile", "streaming", "--outstanding", "64", "--store", "runs.db")
        assert iodyno_says("simulate", "quick", "--on", f"{name}.toml", *load).code == 0
    (found,) = json.loads(iodyno_says("compare", "latest~1", "latest", "--json", "--store", "runs.db").out)
    (point,) = found["points"]
    assert point["outcome"] == "slower"
    assert point["ratio"]["value"] == pytest.approx(slot / 13e9, rel=0.005)
