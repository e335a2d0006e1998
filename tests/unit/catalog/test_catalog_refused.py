"""What a server, a board or its software does not have is refused, whatever tables it is asked for in."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest

from command_line import CommandLine
from iodyno.catalog.changes import changed
from iodyno.catalog.checks import check
from iodyno.catalog.onboard_checks import on_its_board
from iodyno.catalog.parts import ProcessorPart, ServerPart
from iodyno.catalog.resolve import resolve
from iodyno.catalog.shelf import Catalog, shipped
from iodyno.catalog.tree import SystemSpec, load_system, system_of
from iodyno.errors import CatalogError, Problem

HOST = {"processor": "xeon-e5-2660-v3", "processors": 2, "software": "windows-raw-megaraid"}
SSD = "toshiba-px02smf040"


def _told(problems: Iterable[Problem]) -> dict[str, str]:
    return {problem.where.split(": ")[1]: problem.what for problem in problems}


@pytest.mark.parametrize(
    ("changes", "place", "what"),
    [
        ({"level": "6", "count": 4}, "level", "Windows Server 2012, NTFS, IaNVMe driver has no RAID 6"),
        ({"level": "5", "count": 3, "failed": [0, 2]}, "failed", "RAID 5 does not survive that"),
        ({"level": "5", "count": 3, "failed": [3]}, "failed", "there are 3 members, counted from 0"),
        ({"level": "10", "count": 3}, "count", "RAID 10 needs an even number of drives, not 3"),
        ({"server": "primergy-rx2530-m1", "drive": "fusion-io-iodrive2-1200"}, "drive",
         "no release matrix says that PRIMERGY RX2530 M1 takes Fusion-io ioDrive2 1.2 TB"),
        ({"server": "thinksystem-sr850", "drive": "toshiba-px04pmb-960", "switch": "made-up"}, "switch",
         "no release matrix says that ThinkSystem SR850 takes Made up"),
        ({"drive": "kept-on", "write_cache": "off"}, "write_cache", "Kept on cannot have it off"),
    ],
)  # fmt: skip
def test_what_is_refused_of_direct_drives(changes: dict[str, Any], place: str, what: str) -> None:
    switch = shipped().get("nvme-1610-4p").model_copy(update={"name": "made-up", "title": "Made up"})
    on = {"name": "kept-on", "title": "Kept on", "write_cache": ("on",)}
    drive = shipped().get("intel-p3700-800").model_copy(update=on)
    catalog = Catalog([*shipped().parts.values(), switch, drive])
    assert _told(check(changed(load_system("p3700"), changes), catalog))[f"drives[0].{place}"] == what


def test_a_setting_that_is_not_offered() -> None:
    system = changed(load_system("raid-onboard"), {"read": "no-read-ahead"})
    told = _told(check(system))["controller[0].read"]
    assert told == 'C610 (onboard) does not offer "no-read-ahead"'


def test_drives_of_all_tables_are_counted_together() -> None:
    """PRIMERGY RX2540 M1 takes eight P3700, whatever their capacity and however many tables they are in."""
    host = {**HOST, "server": "primergy-rx2540-m1", "software": "linux-nvme"}
    for counts, told in (((5, 3), {}), ((8,), {}), ((5, 4), {1: 9}), ((4, 4, 1, 1), {2: 9})):
        groups = [
            {"drive": f"intel-p3700-{800 * (1 + at % 2)}", "count": count, "name": f"v{at}"}
            for at, count in enumerate(counts)
        ]
        system = system_of({"name": "made", "host": host, "drives": groups})
        expected = {
            f"drives[{at}].count": f"{total} drives together, PRIMERGY RX2540 M1 takes 8 of them"
            for at, total in told.items()
        }
        assert _told(check(system)) == expected


@pytest.mark.parametrize(
    ("part", "server", "instances", "wrong"),
    [
        ("c610", "primergy-rx2540-m1", (2,), None), ("c610", "primergy-rx2540-m1", (1, 1), None),
        ("c610", "primergy-rx2540-m1", (2, 1), (1, 3, "at most 2 here")),
        ("c610", "primergy-cx2550-m1", (2,), (0, 2, "at most 1 here")), ("c610", None, (2,), None),
        ("c610", None, (2, 1), (1, 3, "at most 2")),
        ("c236", "primergy-rx1330-m2", (1, 1), (1, 2, "at most 1 here")),
    ],
)  # fmt: skip
def test_an_onboard_controller_is_there_as_often_as_the_board_has_it(
    part: str, server: str | None, instances: tuple[int, ...], wrong: tuple[int, int, str] | None
) -> None:
    """RAID Controller Performance 2016, release matrix: C610 twice in RX2530 M1 and RX2540 M1 alone."""
    host = {"processor": "xeon-e5-2660-v3", "software": "windows-onboard-raid"}
    controllers = [
        {"part": part, "instances": count,
         "logical": [{"drive": "seagate-st91000640ns", "count": 1, "level": "JBOD", "name": f"v{at}"}]}
        for at, count in enumerate(instances)
    ]  # fmt: skip
    given = {**host, "server": server} if server else host
    found = _told(check(system_of({"name": "made", "host": given, "controller": controllers})))
    found.pop("host.processor", None)  # no processor of the catalogue sits in every server
    title = shipped().get(part).title
    at, count, most = wrong or (0, 0, "")
    assert found == (
        {f"controller[{at}].instances": f"{count} instances of {title}, {most}"} if wrong else {}
    )


@pytest.mark.parametrize(("drives", "told"), [((5, 5), ""), ((6, 4), ""), ((6, 6), "12"), ((5, 6), "11")])
def test_the_instances_of_an_onboard_controller_share_its_ports(drives: tuple[int, ...], told: str) -> None:
    """Ten ports, says Intel's datasheet of C610 (330788), however they are divided up."""
    controllers = [
        {"part": "c610",
         "logical": [{"drive": "seagate-st91000640ns", "count": count, "level": "JBOD", "name": f"v{at}"}]}
        for at, count in enumerate(drives)
    ]  # fmt: skip
    host = {"processor": "xeon-e5-2660-v3", "software": "windows-onboard-raid"}
    found = _told(check(system_of({"name": "made", "host": host, "controller": controllers})))
    what = f"{told} drives, 2 instances of C610 (onboard) take 10"
    assert found == ({"controller[1].logical": what} if told else {})


@pytest.mark.parametrize("link", [None, "DMI 2.0 x2"])
def test_the_tables_of_an_onboard_controller_share_its_link_too(link: str | None) -> None:
    """RAID Controller Performance 2016: two C610 share the link to the processor."""
    logical = [
        {"drive": "intel-ssdsc2ba400g3c", "count": 4, "level": "0", "name": name} for name in ("one", "two")
    ]
    part = {"part": "c610", **({"link": link} if link else {})}
    host = {"processor": "xeon-e5-2660-v3", "software": "windows-onboard-raid"}
    together = [{**part, "instances": 2, "logical": logical}]
    apart = [{**part, "logical": [one]} for one in logical]
    made = [
        resolve(system_of({"name": "made", "host": host, "controller": tables}))
        for tables in (together, apart)
    ]
    assert made[0] == made[1]
    links = [found.name for found in made[1].links if found.side == "host"]
    assert links == [f"{link or 'DMI 2.0 x4'} of C610 (onboard)"]


@pytest.mark.parametrize(
    ("first", "second", "told"),
    [(None, "DMI 2.0 x2", '"DMI 2.0 x2": the table of C610 (onboard) before has DMI 2.0 x4'),
     ("DMI 2.0 x2", None, 'DMI 2.0 x4: the table of C610 (onboard) before has "DMI 2.0 x2"'),
     ("DMI 2.0 x2", "DMI 2.0 x2", None)],
)  # fmt: skip
def test_an_onboard_controller_has_one_link_however_many_tables(
    first: str | None, second: str | None, told: str | None
) -> None:
    drive = {"drive": "intel-ssdsc2ba400g3c", "count": 1, "level": "JBOD"}
    tables = [
        {"part": "c610", "logical": [{**drive, "name": f"v{at}"}], **({"link": link} if link else {})}
        for at, link in enumerate((first, second))
    ]
    host = {"processor": "xeon-e5-2660-v3", "software": "windows-onboard-raid"}
    found = _told(check(system_of({"name": "made", "host": host, "controller": tables})))
    assert found == ({"controller[1].link": f"{told}, and both share one link"} if told else {})


@pytest.mark.parametrize(("processors", "most"), [(1, 32), (2, 40)])
def test_two_processors_that_are_joined_by_lanes_have_fewer(processors: int, most: int) -> None:
    """EPYC 9004: 128 lanes of one processor, 160 of two (AMD), for a drive of four each."""
    host = {"processor": "epyc-9354", "processors": processors, "software": "linux-nvme"}
    for count in (most, most + 1):
        drives = [{"drive": "samsung-pm1743-7680", "count": count}]
        found = _told(check(system_of({"name": "made", "host": host, "drives": drives})))
        what = f"the parts use {4 * count} lanes of PCIe, the processors have {4 * most}"
        assert found == ({"host.processors": what} if count > most else {})


def test_controllers_take_lanes_too() -> None:
    """Two E5-2660 v3 have 80 lanes (Intel ARK): ten controllers of eight."""
    one = {"part": "praid-ep420i"}
    for count, told in (
        (10, {}),
        (11, {"host.processors": "the parts use 88 lanes of PCIe, the processors have 80"}),
    ):
        controllers = [
            {**one, "logical": [{"drive": SSD, "count": 1, "level": "0", "name": f"v{at}"}]}
            for at in range(count)
        ]
        assert _told(check(system_of({"name": "made", "host": HOST, "controller": controllers}))) == told


def _with_lanes(processor: str, lanes: int) -> Catalog:
    """Give the catalogue with a processor that has so many lanes."""
    part = shipped().take(processor, ProcessorPart)
    has = part.model["pcie_lanes"].model_copy(update={"value": lanes})
    fewer = part.model_copy(update={"model": {**part.model, "pcie_lanes": has}})
    others = [one for name, one in shipped().parts.items() if name != processor]
    return Catalog([*others, fewer])


@pytest.mark.parametrize(("unit", "lanes"), [("primequest-2800e3-sb", 4), (None, 8)])
def test_a_controller_takes_the_lanes_of_its_slot_in_a_unit(unit: str | None, lanes: int) -> None:
    """PRAID EP420i has eight, of which a system board of PRIMEQUEST 2800E3 gives four."""
    host = {"processor": "xeon-e7-8891-v4", "processors": 1, "software": "windows-raw-megaraid"}
    one = {"part": "praid-ep420i", "logical": [{"drive": SSD, "count": 1, "level": "0"}]}
    system = system_of({"name": "made", "host": host, "controller": [one | ({"unit": unit} if unit else {})]})
    assert _told(check(system, _with_lanes("xeon-e7-8891-v4", lanes))) == {}
    what = f"the parts use {lanes} lanes of PCIe, the processors have {lanes - 1}"
    assert _told(check(system, _with_lanes("xeon-e7-8891-v4", lanes - 1))) == {"host.processors": what}


def test_an_onboard_controller_takes_no_lanes_of_the_processors() -> None:
    """It hangs on DMI, beside them."""
    told = _told(check(load_system("raid-onboard"), _with_lanes("xeon-e5-2660-v3", 0)))
    assert load_system("raid-onboard").host.processor == "xeon-e5-2660-v3"
    assert "host.processors" not in told


def test_a_single_drive_needs_no_raid_of_its_controller() -> None:
    """That it leaves RAID to the host is told of arrays."""
    for level, told in (("JBOD", False), ("1", True)):
        system = changed(load_system("raid-onboard"), {"level": level, "raid": "controller"})
        assert ("controller[0].logical[0].raid" in _told(check(system))) is told


def test_boards_are_told_apart_by_their_units() -> None:
    units = ("one", None, "other", "mine", "one")
    one = {"part": "c610", "logical": [{"drive": "seagate-st91000640ns", "count": 1, "level": "JBOD"}]}
    tables = [one | ({"unit": unit} if unit else {}) for unit in units]
    system = system_of({"name": "made", "host": HOST, "controller": tables})
    server = shipped().take("primergy-rx2540-m1", ServerPart).model_copy(update={"name": "mine"})
    *before, last = system.controller
    assert on_its_board(last, server, before) == [before[0]]
    assert on_its_board(before[1], server, before) == [before[1], before[3]]
    assert on_its_board(before[1], None, before) == [before[1]]


def test_a_controller_takes_the_lanes_of_its_slot() -> None:
    """An E5-2660 v3 has 40 lanes: five controllers of eight, and in slots of four lanes ten of them."""
    host = {**HOST, "processors": 1}
    for link, count, told in (
        ("PCIe 3.0 x4", 10, {}),
        ("PCIe 3.0 x4", 11, {"host.processors": "the parts use 44 lanes of PCIe, the processors have 40"}),
        ("PCIe 2.0 x8", 6, {"host.processors": "the parts use 48 lanes of PCIe, the processors have 40"}),
    ):
        controllers = [
            {"part": "praid-ep420i", "link": link,
             "logical": [{"drive": SSD, "count": 1, "level": "0", "name": f"v{at}"}]}
            for at in range(count)
        ]  # fmt: skip
        assert _told(check(system_of({"name": "made", "host": host, "controller": controllers}))) == told


def array(**logical: Any) -> SystemSpec:
    drives = {"drive": "hgst-huc156045css204", "count": 8, "level": "5", **logical}
    controller = {"part": "praid-ep420i", "logical": [drives]}
    host = {"processor": "xeon-e5-2660-v3", "software": "windows-raw-megaraid"}
    return system_of({"name": "array", "host": host, "controller": [controller]})


@pytest.mark.parametrize(
    ("logical", "places"),
    [
        ({"filled": 0.5}, ["filled"]),
        ({"failed": [0, 0]}, ["failed"]),
        ({"groups": 2, "count": 2}, ["groups", "count"]),
        ({"failed": [9]}, ["failed"]),
        ({"failed": [0, 1]}, ["failed"]),
        ({"level": "60", "groups": 3}, ["count"]),
        ({"level": "10", "count": 5}, ["count"]),
        ({"level": "1"}, ["count"]),
        ({"rebuild_mb_s": 20}, ["rebuild_mb_s"]),
        ({"count": 12}, ["logical"]),
    ],
)
def test_each_problem_of_an_array_is_told_with_what_to_do(logical: dict[str, Any], places: list[str]) -> None:
    found = check(array(**logical))
    assert [problem.where.rpartition(".")[2] for problem in found] == places
    assert all(problem.hint for problem in found)


def test_every_problem_has_a_hint() -> None:
    host = {
        "processor": "xeon-e5-2637-v3", "processors": 2, "software": "windows-onboard-raid",
        "server": "primergy-rx1330-m2",
    }  # fmt: skip
    onboard = {"drive": "seagate-st91000640ns", "count": 9, "level": "0"}
    controllers = [
        {"part": "c236", "instances": 3, "logical": [onboard]},
        {"part": "praid-cp400i", "logical": [{**onboard, "count": 20, "level": "5"}]},
    ]
    drives = [
        {"drive": "intel-p3700-800", "count": 9, "switch": "nvme-810-4p", "form_factor": "U.3", "level": "1"},
        {"drive": "intel-p3700-800", "count": 2, "level": "1", "failed": [0, 1], "write_cache": "off"},
    ]
    found = check(system_of({"name": "bad", "host": host, "controller": controllers, "drives": drives}))
    assert len(found) >= 10
    assert [str(problem) for problem in found if not problem.hint] == []


@pytest.mark.parametrize("word", ["yes", 1, "True", "true", "false"])
def test_what_is_neither_true_nor_false(word: Any) -> None:
    system = load_system("raid-controllers").model_dump(mode="json", exclude_none=True, exclude_defaults=True)
    system["controller"][0]["backup_unit"] = word
    with pytest.raises(CatalogError) as raised:
        system_of(system)
    (problem,) = raised.value.problems
    assert problem.where.endswith("controller[0].backup_unit")
    assert problem.what.endswith("is neither true nor false")
    assert problem.hint == (f"write {word} without quotes" if word in ("true", "false") else "")


def test_a_controller_without_modes_is_told_to_have_none() -> None:
    """A hint that lists what there is has something to list."""
    part = shipped().get("praid-cp400i").model_copy(update={"modes": {}})
    logical = {"drive": SSD, "count": 2, "level": "0"}
    table = {"part": "praid-cp400i", "mode": "performance", "logical": [logical]}
    system = system_of({"name": "made", "host": HOST, "controller": [table]})
    (problem,) = check(system, shipped().having(part))
    assert problem.what == "PRAID CP400i has no mode performance"
    assert problem.hint == "it has none: leave mode out"


@pytest.mark.parametrize("server", ["primergy-rx2560-m1", "primequest-2800e3-du-1c"])
def test_what_no_matrix_says_is_told_as_that_and_is_taken_without_the_server(server: str) -> None:
    """The release matrices in the catalogue are a part of what is printed."""
    pair = {"mode": "performance", "backup_unit": False, "count": 2, "level": "1", "server": server}
    system = changed(load_system("raid-controllers"), {"controller": "praid-cm400i", **pair})
    (told,) = (one for one in check(system) if one.where.endswith("controller[0].part"))
    assert told.what == f"no release matrix says that {shipped().get(server).title} takes PRAID CM400i"
    known = "`iodyno catalog fits praid-cm400i` lists what is known to take it"
    assert told.hint == f"{known}; where it does, leave {server} out"
    assert check(changed(system, {"server": "none"})) == []


def test_fits_says_that_its_lists_are_incomplete(iodyno_says: CommandLine) -> None:
    for part in ("primergy-rx2560-m1", "c610", "intel-p3700-800", "nvme-1610-4p"):
        said = " ".join(iodyno_says("catalog", "fits", part).out.split())
        assert "known in part: what is not listed may fit" in said
