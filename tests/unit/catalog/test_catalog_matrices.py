"""Release matrices: what ``fits`` says a server takes is what ``check`` lets it have, no less and no more."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click
import pytest

from command_line import CommandLine
from iodyno.catalog.checks import check
from iodyno.catalog.fits import Fit, fits
from iodyno.catalog.interfaces import parse_interface
from iodyno.catalog.levels import drives_problem, groups_of
from iodyno.catalog.matrix import more_hint, notes, reach
from iodyno.catalog.parts import ControllerPart, DrivePart, Part, ServerPart, SwitchPart, Taken
from iodyno.catalog.quantity import Quantity
from iodyno.catalog.reading import parse_part
from iodyno.catalog.resolve import resolve
from iodyno.catalog.shelf import Catalog, part_files, shipped
from iodyno.catalog.tree import system_of
from iodyno.cli.catalog import fits_, show
from iodyno.errors import CatalogError
from iodyno.virtual import Level

HOST = {"processor": "epyc-9354", "software": "linux-nvme"}
SR850 = next(file for file in part_files() if file.name == "thinksystem-sr850.toml").read_text("utf-8")
DRIVES = {"SAS": "toshiba-px02smf040", "SATA": "seagate-st91000640ns"}
EM400I = "1E and 5 need 3 drives, 6 and 10 need 4, 50 needs 6, 60 needs 8"


def _told(catalog: Catalog, server: str | None, **tables: Any) -> dict[str, str]:
    host = HOST | ({"server": server} if server else {})
    found = check(system_of({"name": "made", "host": host, **tables}), catalog)
    return {
        problem.where.removeprefix("made: "): problem.what for problem in found
        if not problem.where.startswith("made: host")
    }  # fmt: skip


def _tables(part: Part, count: int, level: str | None = None) -> dict[str, Any]:
    """Put so many drives on a controller or a switch adapter, or connect so many of a drive to the host."""
    if isinstance(part, DrivePart):
        return {"drives": [{"drive": part.name, "count": count}]}
    if isinstance(part, SwitchPart):
        return {"drives": [{"drive": "toshiba-px04pmb-960", "count": count, "switch": part.name}]}
    assert isinstance(part, ControllerPart)
    drive = DRIVES[parse_interface(part.drive_interface).family]
    level = level or ("JBOD" if "JBOD" in part.levels else "0")
    with_expander = {"expander": "sas-expander-12g"} if part.most_drives_expanded else {}
    logical = {"drive": drive, "count": count, "level": level}
    return {"controller": [{"part": part.name, "logical": [logical], **with_expander}]}


def _takers() -> Iterator[tuple[str, str, Fit | None]]:
    catalog = shipped()
    for part in catalog.of(ControllerPart, SwitchPart, DrivePart):
        if isinstance(part, DrivePart) and parse_interface(part.interface).family != "PCIe":
            continue
        there = {fit.part.name: fit for fit in fits(catalog.get(part.name), catalog)}
        for server in catalog.of(ServerPart):
            yield part.name, server.name, there.get(server.name)


@pytest.mark.parametrize(("part", "server", "fit"), list(_takers()))
def test_check_lets_a_server_have_what_fits_says_it_takes(part: str, server: str, fit: Fit | None) -> None:
    catalog = shipped()
    if fit is None:
        told = _told(catalog, server, **_tables(catalog.get(part), 1))
        what = f"no release matrix says that {catalog.get(server).title} takes {catalog.get(part).title}"
        assert what in told.values()
        return
    assert fit.drives is not None
    assert _told(catalog, server, **_tables(catalog.get(part), fit.drives.whole)) == {}
    assert _told(catalog, server, **_tables(catalog.get(part), fit.drives.whole + 1)) != {}


def _holders() -> list[str]:
    return [part.name for part in shipped().of(ControllerPart, SwitchPart)]


@pytest.mark.parametrize("name", _holders())
def test_without_a_server_a_part_has_the_drives_that_fits_says(name: str) -> None:
    catalog = shipped()
    part = catalog.get(name)
    used = _tables(part, 1)
    drive = used["drives"][0]["drive"] if "drives" in used else used["controller"][0]["logical"][0]["drive"]
    (most,) = {fit.drives.whole for fit in fits(part, catalog) if fit.part.name == drive and fit.drives}
    assert _told(catalog, None, **_tables(part, most)) == {}
    assert _told(catalog, None, **_tables(part, most + 1)) != {}


def test_a_switch_adapter_in_a_server_that_takes_none_is_told_with_all_else() -> None:
    group = {"drive": "intel-p3700-800", "switch": "nvme-1610-4p", "form_factor": "AIC", "count": 9}
    told = _told(shipped(), "primergy-rx2540-m1", drives=[group])
    assert told.keys() == {"drives[0].form_factor", "drives[0].switch", "drives[0].count"}
    assert (
        told["drives[0].switch"]
        == "no release matrix says that PRIMERGY RX2540 M1 takes 1610-4P NVMe Switch Adapter"
    )


def _with_two() -> Catalog:
    """Give a catalogue whose server has two drives on a 1610-4P."""
    lines = SR850.split("[takes.nvme-1610-4p]\n")
    assert len(lines) == 2
    server = parse_part(f"{lines[0]}[takes.nvme-1610-4p]\n{lines[1].replace('value = 4', 'value = 2', 1)}")
    return shipped().having(server)


def test_a_server_connects_fewer_drives_than_a_switch_adapter_has_ports() -> None:
    switch = "1610-4P NVMe Switch Adapter"
    for count, told in (
        (2, {}),
        (3, {"drives[0].count": f"3 drives, at most 2 fit on {switch} here"}),
    ):
        tables = _tables(shipped().get("nvme-1610-4p"), count)
        assert _told(_with_two(), "thinksystem-sr850", **tables) == told
    (most,) = [fit.drives for fit in fits(_with_two().get("nvme-1610-4p"), _with_two())
               if fit.part.name == "thinksystem-sr850"]  # fmt: skip
    assert most is not None
    assert most.value == 2


def test_an_adapter_of_which_a_slot_gives_less_is_slower() -> None:
    catalog = shipped().having(
        parse_part(SR850.replace("[takes.nvme-1610-4p]", '[takes.nvme-1610-4p]\nlink = "PCIe 3.0 x8"'))
    )
    host = HOST | {"server": "thinksystem-sr850", "processor": "xeon-platinum-8176"}
    tables = _tables(catalog.get("nvme-1610-4p"), 4)
    system = system_of({"name": "made", "host": host, **tables})
    names = [resolve(system, of).links[0].name for of in (shipped(), catalog)]
    assert names == [f"PCIe 3.0 x{lanes} of 1610-4P NVMe Switch Adapter" for lanes in (16, 8)]


@pytest.mark.parametrize("name", ["nvme-1610-4p", "toshiba-px04pmb", "praid-ep420i"])
def test_a_slot_that_a_part_does_not_go_into_is_told_with_all_else(name: str) -> None:
    number = '{ value = 8, unit = "count", kind = "assumed", note = "made up" }'
    text = f"{SR850}\n[takes.praid-ep420i]\ndrives = {number}\n"
    text = text.replace(f"[takes.{name}]", f'[takes.{name}]\nlink = "DMI 2.0 x4"')
    catalog = shipped().having(parse_part(text))
    tables = _tables(catalog.get("nvme-1610-4p"), 1) | _tables(catalog.get("praid-ep420i"), 9)
    del tables["controller"][0]["expander"]
    told = _told(catalog, "thinksystem-sr850", **tables)
    assert "ThinkSystem SR850 gives " in " ".join(told.values())
    assert "DMI 2.0 x4, it has PCIe 3.0" in " ".join(told.values())
    assert told["controller[0].logical"] == "9 drives, at most 8 fit on PRAID EP420i here"


@pytest.mark.parametrize(
    ("name", "key", "value"),
    [("nvme-1610-4p", "levels", '["0"]'), ("nvme-810-4p", "form_factors", '["SFF"]'),
     ("toshiba-px04pmb", "lanes", '{ value = 2, unit = "count", kind = "assumed", note = "x" }')],
)  # fmt: skip
def test_nothing_that_a_server_says_is_passed_over(name: str, key: str, value: str) -> None:
    text = SR850.replace(f"[takes.{name}]", f"[takes.{name}]\n{key} = {value}")
    catalog = shipped().having(parse_part(text))
    tables = _tables(catalog.get("nvme-810-4p" if name == "nvme-810-4p" else "nvme-1610-4p"), 1)
    told = _told(catalog, "thinksystem-sr850", **tables)
    assert [what for what in told.values() if f"ThinkSystem SR850 says {key.replace('_', ' ')} of " in what]


def test_a_drive_that_a_server_names_itself_fits() -> None:
    """Own servers name drives that have no family."""
    text = SR850.replace("[takes.toshiba-px04pmb]", "[takes.samsung-pm9a3-3840]")
    catalog = shipped().having(parse_part(text))
    assert "thinksystem-sr850" in {fit.part.name for fit in fits(catalog.get("samsung-pm9a3-3840"), catalog)}
    tables = {"drives": [{"drive": "samsung-pm9a3-3840", "count": 4}]}
    assert _told(catalog, "thinksystem-sr850", **tables) == {}


# Lanes of EM400i and CM400i: two in the one server that takes them (RAID Controller Performance 2016).


@pytest.mark.parametrize("name", ["praid-em400i", "praid-cm400i"])
@pytest.mark.parametrize("server", [None, "primergy-bx2560-m1"])
def test_two_lanes_reach_two_drives_whatever_the_controller_could_have(name: str, server: str | None) -> None:
    catalog = shipped()
    title = catalog.get(name).title
    assert _told(catalog, server, **_tables(catalog.get(name), 2)) == {}
    here = f"at most 2 fit on {title} here" if server else f"{title} has 2 lanes to drives"
    assert _told(catalog, server, **_tables(catalog.get(name), 8)) == {
        "controller[0].logical": f"8 drives, {here}"
    }
    for fit in fits(catalog.get(name), catalog):
        assert fit.drives is not None
        assert fit.drives.value == 2
        assert "2 lanes to drives" in fit.note


def test_a_controller_shows_what_its_lanes_leave_of_its_levels(iodyno_says: CommandLine) -> None:
    said = " ".join(iodyno_says("catalog", "show", "praid-em400i").out.split())
    assert f"of them there 2 lanes to drives; RAID 0, 1: {EM400I}" in said
    assert "of them there" not in iodyno_says("catalog", "show", "praid-ep400i").out


def test_levels_that_more_drives_need_are_told_as_such() -> None:
    """What to do about it can be done: no drive can be added."""
    catalog = shipped()
    (fit,) = [fit for fit in fits(catalog.get("praid-em400i"), catalog) if fit.part.kind == "server"]
    assert fit.note == f"2 lanes to drives; RAID 0, 1: {EM400I}"
    for server in (None, "primergy-bx2560-m1"):
        host = HOST | ({"server": server} if server else {})
        tables = _tables(catalog.get("praid-em400i"), 2, "5")
        found = check(system_of({"name": "made", "host": host, **tables}), catalog)
        (problem,) = [one for one in found if not one.where.startswith("made: host")]
        assert problem.where == "made: controller[0].logical[0].level"
        here = " here" if server else ""
        assert problem.what == f"RAID 5 needs 3 drives or more, PRAID EM400i reaches 2{here}"
        assert problem.hint == "levels that 2 drives can have: 0, 1"


@pytest.mark.parametrize("name", [part.name for part in shipped().of(ControllerPart)])
def test_every_level_that_fits_offers_can_be_built_and_no_other(name: str) -> None:
    catalog = shipped()
    part = catalog.take(name, ControllerPart)
    for fit in fits(part, catalog):
        if fit.part.kind != "server":
            continue
        assert fit.drives is not None
        for level in part.levels:
            note = re.sub(r"RAID \w+ up to \d+", "", fit.note)  # where a level ends: it is there
            said = "RAID" not in note or level in _levels_of(note)
            assert (_can_be(catalog, part, fit.part.name, level, fit.drives.whole)) == said, (fit, level)


def _levels_of(note: str) -> set[str]:
    listed = next(text for text in note.split("; ") if "RAID" in text)
    return set(listed.split(":")[0].replace("RAID ", "").split(", "))


def _can_be(catalog: Catalog, part: ControllerPart, server: str, level: Level, most: int) -> bool:
    counts = range(1, most + 1)
    able = [n for n in counts if not drives_problem(level, n, groups_of(level, None))]
    return any(_told(catalog, server, **_tables(part, count, level)) == {} for count in able)


# Families.


def test_a_family_is_one_by_name(iodyno_says: CommandLine) -> None:
    said = iodyno_says("catalog", "fits", "intel-p3700")
    assert said.code == 0
    assert "intel-p3700 is a family: intel-p3700-1600, intel-p3700-2000, intel-p3700-800" in said.out
    assert "primergy-rx2540-m1" in said.out
    alone = iodyno_says("catalog", "fits", "intel-p3700-800")
    assert "of the family intel-p3700" in alone.out
    family = json.loads(iodyno_says("catalog", "fits", "intel-p3700", "--json").out)
    member = json.loads(iodyno_says("catalog", "fits", "intel-p3700-800", "--json").out)
    assert [entry["name"] for entry in family] == [entry["name"] for entry in member]
    assert all(entry["members"] == ["intel-p3700-1600", "intel-p3700-2000", "intel-p3700-800"]
               for entry in family)  # fmt: skip


def test_what_can_be_shown_is_completed() -> None:
    """A system is shown as a part is, and so is a file of either."""

    def completed(begun: str) -> list[tuple[str, str]]:
        context = click.Context(show)
        return [(item.value, item.type) for item in show.params[0].shell_complete(context, begun)]

    assert completed("p3700") == [("p3700", "plain"), ("p3700-media", "plain")]
    assert completed("praid-ep4") == [("praid-ep400i", "plain"), ("praid-ep420i", "plain")]
    assert completed("./mine") == [("./mine", "file")]


def test_families_are_completed_where_they_are_taken() -> None:
    offered = {
        command.name: [
            getattr(item, "value", item)
            for item in command.params[0].shell_complete(click.Context(command), "intel-p3700")
        ]
        for command in (fits_, show)
    }
    assert offered["show"] == ["intel-p3700-1600", "intel-p3700-2000", "intel-p3700-800"]
    assert offered["fits"] == ["intel-p3700", *offered["show"]]


def test_a_family_is_no_part(iodyno_says: CommandLine, tmp_path: Path) -> None:
    said = iodyno_says("catalog", "show", "intel-p3700")
    assert said.code == 2
    assert "intel-p3700: is a family, no part" in said.err
    assert "hint: its parts: intel-p3700-1600, intel-p3700-2000, intel-p3700-800" in said.err
    (tmp_path / "a.toml").write_text(
        'name = "a"\n[host]\nprocessor = "epyc-9354"\nsoftware = "linux-nvme"\n'
        '[[drives]]\ndrive = "intel-p3700"\n'
    )
    said = iodyno_says("catalog", "check", tmp_path / "a.toml")
    assert 'drives[0].drive: "intel-p3700" is a family, no part' in said.err
    assert "hint: its parts: intel-p3700-1600, intel-p3700-2000, intel-p3700-800" in said.err


def test_a_server_shows_what_it_takes(iodyno_says: CommandLine) -> None:
    said = iodyno_says("catalog", "show", "primergy-rx2540-m1").out
    assert "family of intel-p3700-1600, intel-p3700-2000, intel-p3700-800" in " ".join(said.split())
    assert "praid-ep420i" in said
    listed = iodyno_says("catalog", "list", "server").out
    assert "c610, intel-p3700 (family), praid-cp400i" in listed
    fitting = iodyno_says("catalog", "fits", "primergy-rx2540-m1").out
    assert "of the family intel-p3700, 8 in all; as SFF" in fitting


def test_every_name_of_a_matrix_is_one_of_the_catalogue() -> None:
    names = {part.name for part in shipped().parts.values()}
    families = {part.family for part in shipped().of(DrivePart)}
    for server in shipped().of(ServerPart):
        assert set(server.takes) <= names | families, server.name


def test_a_name_of_a_matrix_that_is_none_is_told(iodyno_says: CommandLine, tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    file.write_text(SR850.replace("[takes.toshiba-px04pmb]", "[takes.toshiba-px04pm]"))
    said = iodyno_says("catalog", "show", file).out
    told = "toshiba-px04pm is no part and no family of the catalogue: did you mean toshiba-px04pmb or "
    assert f"{told}toshiba-px04pmb-960?" in said


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("sas-expander-12g", "SAS 12G expander with 36 ports is nothing that a server takes so"),
        ("toshiba-px02smf040", "Toshiba PX02SMF040 400 GB is nothing that a server takes so"),
    ],
)
def test_a_name_of_a_matrix_that_no_server_takes_is_told(
    iodyno_says: CommandLine, tmp_path: Path, name: str, told: str
) -> None:
    """An expander hangs on a controller, and so does a drive with SAS."""
    file = tmp_path / "mine.toml"
    file.write_text(SR850.replace("[takes.toshiba-px04pmb]", f"[takes.{name}]"))
    assert told in iodyno_says("catalog", "show", file).out
    assert name not in iodyno_says("catalog", "fits", file).out


# Instances.


@pytest.mark.parametrize(
    ("part", "server", "instances", "most", "drives"),
    [
        ("c610", "primergy-rx2540-m1", 5, "at most 2 here",
         "99 drives, at most 8 fit on C610 (onboard) here"),
        ("c610", None, 5, "at most 2", "99 drives, C610 (onboard) takes 10"),
        ("praid-ep420i", "primergy-rx2560-m1", 3, "at most 1 here",
         "99 drives, at most 32 fit on PRAID EP420i here"),
        ("praid-ep420i", None, 3, "at most 1", "99 drives, PRAID EP420i takes 32"),
    ],
)  # fmt: skip
def test_instances_that_are_not_there_hold_no_drives(
    part: str, server: str | None, instances: int, most: str, drives: str
) -> None:
    tables = _tables(shipped().get(part), 99)
    tables["controller"][0]["instances"] = instances
    tables["controller"][0]["logical"][0]["level"] = "JBOD" if part == "c610" else "0"
    told = _told(shipped(), server, **tables)
    title = shipped().get(part).title
    assert told == {
        "controller[0].instances": f"{instances} instances of {title}, {most}",
        "controller[0].logical": drives,
    }


def test_the_source_of_a_number_of_drives_is_that_of_who_says_it(iodyno_says: CommandLine) -> None:
    there = json.loads(iodyno_says("catalog", "fits", "primergy-rx2540-m1", "--json").out)
    drive = next(entry for entry in there if entry["name"] == "intel-p3700-800")
    assert drive["drives_source"].startswith("Fujitsu, White Paper, Performance Report PCIe SSDs P3700")
    there = json.loads(iodyno_says("catalog", "fits", "samsung-pm9a3-3840", "--json").out)
    adapter = next(entry for entry in there if entry["name"] == "nvme-1610-4p")
    there = json.loads(iodyno_says("catalog", "fits", "nvme-1610-4p", "--json").out)
    back = next(entry for entry in there if entry["name"] == "samsung-pm9a3-3840")
    assert adapter["drives_source"].startswith("Lenovo Press, Comparing the Effect of PCIe Host Connections")
    assert back["drives_source"] == adapter["drives_source"]


def test_a_form_that_a_server_does_not_take_does_not_fit() -> None:
    text = next(file for file in part_files() if file.name == "intel-p3700-800.toml").read_text("utf-8")
    text = text.replace('"intel-p3700-800"', '"my-p3700"', 1).replace('["AIC", "SFF"]', '["AIC"]')
    catalog = shipped().having(parse_part(text))
    assert "primergy-rx2540-m1" not in {fit.part.name for fit in fits(catalog.get("my-p3700"), catalog)}
    with pytest.raises(CatalogError, match="there is no part"):
        shipped().get("my-p3700")


def test_a_drive_of_a_family_that_comes_in_no_form_of_a_matrix_is_refused() -> None:
    """PRIMERGY RX2540 M1 has P3700 for its bays: what comes as a card alone is not what its matrix names, and
    cannot be taken as anything else."""
    text = next(file for file in part_files() if file.name == "intel-p3700-800.toml").read_text("utf-8")
    text = text.replace('"intel-p3700-800"', '"my-p3700"', 1).replace('["AIC", "SFF"]', '["AIC"]')
    catalog = shipped().having(parse_part(text))
    title = catalog.get("my-p3700").title
    told = f"the release matrix of PRIMERGY RX2540 M1 has it as SFF, {title} comes as AIC"
    for form in ({}, {"form_factor": "AIC"}):
        drives = [{"drive": "my-p3700", "count": 1, **form}]
        assert _told(catalog, "primergy-rx2540-m1", drives=drives) == {"drives[0].drive": told}


def _counted(value: int) -> Quantity:
    return Quantity(value=value, unit="count", kind="published", source="raid")


@pytest.mark.parametrize(
    ("bays", "most", "told"),
    [(6, 6, False), (8, 8, False), (9, 9, True), (40, 24, True), (None, 24, True)],
)
def test_an_expander_is_told_of_where_more_drives_are_there_with_it(
    bays: int | None, most: int, told: bool
) -> None:
    """PRAID EP420i has eight lanes, and PRIMERGY RX2540 M1 takes 24 drives on it."""
    catalog = shipped()
    server, part = (
        catalog.take("primergy-rx2540-m1", ServerPart),
        catalog.take("praid-ep420i", ControllerPart),
    )
    room = _counted(bays) if bays else None
    taken = server.takes[part.name]
    assert reach(part, taken, room).value == most
    assert ("more than 8 with an expander" in notes(part, taken, room)) is told


@pytest.mark.parametrize(("bays", "most"), [(None, 10), (12, 10), (9, 9), (8, 8)])
def test_instances_together_have_the_drives_that_there_are_bays_for(bays: int | None, most: int) -> None:
    """Both instances of C610 have ten ports."""
    part = shipped().take("c610", ControllerPart)
    taken = Taken(drives=_counted(6), instances=_counted(2))
    assert f"{most} with 2 instances" in notes(part, taken, _counted(bays) if bays else None)


def test_a_hint_names_some_of_the_servers_with_more_and_counts_the_others() -> None:
    with_more = [  # of the matrix of the paper, more than the four of the system board
        "primergy-cx2550-m1", "primergy-cx2570-m1", "primergy-rx1330-m1", "primergy-rx1330-m2",
        "primergy-rx2530-m1", "primergy-rx2540-m1", "primergy-rx2560-m1", "primergy-rx4770-m2",
        "primergy-sx960-s1", "primergy-tx1320-m2", "primergy-tx1330-m2", "primergy-tx2560-m1",
    ]  # fmt: skip
    catalog = shipped()
    board = catalog.take("primequest-2800e3-sb", ServerPart)
    hint = more_hint(catalog.get("praid-ep420i"), board, catalog)
    assert hint.startswith("take fewer drives, or another server: ")
    assert [name in hint for name in with_more] == [True] * 4 + [False] * 8
    assert hint.endswith(" and 8 more")
    largest = catalog.take("primergy-rx2560-m1", ServerPart)
    none = "take fewer drives: no server in the catalogue takes more"
    assert more_hint(catalog.get("praid-ep420i"), largest, catalog) == none


def test_both_instances_of_an_onboard_controller_have_the_ports_of_its_chip() -> None:
    """Six ports of SATA and four more, says Intel's datasheet of C610."""
    catalog = shipped()
    there = {fit.part.name: fit for fit in fits(catalog.get("c610"), catalog)}
    fit = there["intel-ssdsc2ba400g3c"]
    assert fit.drives
    assert (fit.drives.whole, fit.note) == (6, "10 with 2 instances")


@pytest.mark.parametrize(
    ("controller", "server", "most", "told"),
    [("praid-ep420i", "primergy-rx2540-m1", 24, True), ("praid-ep420i", "primergy-rx2560-m1", 32, True),
     ("praid-ep400i", "primergy-rx2540-m1", 24, True), ("praid-ep420i", "primequest-2800e3-sb", 4, False),
     ("praid-cp400i", "primergy-rx2540-m1", 8, False), ("praid-ep420i", "toshiba-px02smf040", 32, True)],
)  # fmt: skip
def test_fits_says_where_a_level_ends(controller: str, server: str, most: int, told: bool) -> None:
    """RAID 10 of 16 drives at most, says RAID Controller Performance 2016 of EP400i and EP420i."""
    catalog = shipped()
    there = {fit.part.name: fit for fit in fits(catalog.get(controller), catalog)}
    back = {fit.part.name: fit for fit in fits(catalog.get(server), catalog)}
    for fit in (there[server], back[controller]):
        assert fit.drives
        assert (fit.drives.whole, "RAID 10 up to 16" in fit.note) == (most, told)
