"""What a server, or a system of several boards, has room for: controllers, drives, boards."""

from __future__ import annotations

from typing import Any

import pytest

from iodyno.catalog import shelf
from iodyno.catalog.checks import check
from iodyno.catalog.fits import fits
from iodyno.catalog.parts import ServerPart
from iodyno.catalog.reading import parse_part
from iodyno.catalog.tree import system_of

SB, DU, DUS = "primequest-2800e3-sb", "primequest-2800e3-du-1c", "primequest-2800e3-du-2c"


def cards(count: int, drives: int, unit: str | None = None, **more: Any) -> list[dict[str, Any]]:
    logical = {"drive": "toshiba-px02smf040", "count": drives, "level": "0"}
    there = {"unit": unit} if unit else {}
    return [{"part": "praid-ep420i", "logical": [logical], **there, **more} for _ in range(count)]


def problems(
    controllers: list[dict[str, Any]],
    server: str | None = None,
    processor: str = "xeon-e7-8891-v4",
    drives: tuple[dict[str, Any], ...] = (),
) -> list[tuple[str, str]]:
    host = {"processor": processor, "software": "windows-raw-megaraid", "processors": 2 if server else 8}
    system = {"name": "room", "host": host | ({"server": server} if server else {}),
              "controller": controllers, "drives": list(drives)}  # fmt: skip
    found = check(system_of(system), where="it")
    return [(problem.where.removeprefix("it: "), problem.what) for problem in found]


def test_a_board_has_room_for_so_many_controllers() -> None:
    assert problems(cards(1, 4), SB) == []
    what = "2 controllers, PRIMEQUEST 2800E3 (SB) has room for 1"
    assert problems(cards(2, 2), SB) == [("controller[1]", what)]
    assert problems(cards(2, 2), DUS) == []


def test_all_drives_have_to_find_a_bay() -> None:
    here = "primergy-rx2560-m1", "xeon-e5-2660-v3"
    expanded = {"expander": "sas-expander-12g"}
    assert problems(cards(2, 16, **expanded), *here) == []
    what = "34 drives in all, PRIMERGY RX2560 M1 has 32 bays"
    assert problems(cards(2, 17, **expanded), *here) == [("controller", what)]

    assert problems([*cards(1, 32, **expanded), *cards(1, 2)], *here) == [("controller", what)]
    alone = problems(cards(1, 34, **expanded), *here)
    assert alone[0] == ("controller[0].logical", "34 drives, at most 32 fit on PRAID EP420i here")
    assert ("controller", what) not in alone


def test_a_drive_of_the_host_takes_a_bay_too_but_no_card() -> None:
    here = "primergy-rx2560-m1", "xeon-e5-2660-v3"
    bayed = {"drive": "intel-p3700-800", "count": 2, "form_factor": "SFF"}
    controllers = cards(2, 16, expander="sas-expander-12g")
    what = "34 drives in all, PRIMERGY RX2560 M1 has 32 bays"
    assert problems(controllers, *here, drives=(bayed,)) == [("drives", what)]
    card = problems(controllers, *here, drives=(bayed | {"form_factor": "AIC"},))
    matrix = "the release matrix of PRIMERGY RX2560 M1"
    assert [what for _, what in card] == [f"{matrix} has it as SFF, not as AIC"]


@pytest.mark.parametrize(
    ("controllers", "expected"),
    [
        ([*cards(4, 4, SB), *cards(4, 2, DUS)], []),
        ([*cards(4, 4, SB), *cards(2, 2, DUS), *cards(1, 4, DU)], []),
        (cards(5, 4, SB), ["5 of PRIMEQUEST 2800E3 (SB), there are 4 in one system"]),
        (cards(5, 2, DUS), ["3 of PRIMEQUEST 2800E3 (DU-2C), there are 2 in one system"]),
        (
            [*cards(3, 2, DUS), *cards(1, 4, DU)],
            ["3 of PRIMEQUEST 2800E3 (DU-2C), PRIMEQUEST 2800E3 (DU-1C), there are 2 in one system"],
        ),
    ],
    ids=["full", "one disk unit of each kind", "boards", "units", "units of two kinds"],
)
def test_a_system_has_so_many_boards(controllers: list[dict[str, Any]], expected: list[str]) -> None:
    assert [what for _, what in problems(controllers)] == expected


def test_fits_says_how_many_controllers_there_can_be() -> None:
    catalog = shelf.shipped()
    there = {fit.part.name: fit.note for fit in fits(catalog.get("praid-ep420i"), catalog)}
    assert there[SB].endswith("room for 1 controller")
    assert there[DUS].endswith("room for 2 controllers")


OWN = """
schema = 1
kind = "server"
name = "mine"
title = "Mine"
source = "me"
sources.me = "Counted"
[model]
sockets = { value = 2, unit = "count", kind = "assumed", note = "two" }
bays = { value = 4, unit = "count", kind = "assumed", note = "counted" }
[takes.praid-ep420i]
drives = { value = 40, unit = "count", kind = "assumed", note = "its cables" }
[takes.intel-p3700]
drives = { value = 40, unit = "count", kind = "assumed", note = "its cables" }
form_factors = ["SFF"]
"""
"""A server with four bays whose list says more of what it takes."""


def of_mine(text: str = OWN, **tables: Any) -> list[tuple[str, str]]:
    software = "windows-raw-megaraid" if "controller" in tables else "linux-nvme"
    host = {"processor": "xeon-e5-2660-v3", "processors": 2, "software": software}
    system = {"name": "room", "host": host | {"server": "mine"}, **tables}
    found = check(system_of(system), shelf.shipped().having(parse_part(text)), "it")
    return [(problem.where.removeprefix("it: "), problem.what) for problem in found]


@pytest.mark.parametrize("count", [4, 5, 8, 12])
def test_bays_count_for_one_group_of_drives_too(count: int) -> None:
    """Beside what the controller has lanes for: both are to be mended."""
    expected = [("drives[0].count", f"{count} drives, Mine has 4 bays")] * (count > 4)
    direct = {"drive": "intel-p3700-800", "count": count, "form_factor": "SFF"}
    assert of_mine(drives=[direct]) == expected
    expected = [("controller[0].logical", f"{count} drives, Mine has 4 bays")] * (count > 4)
    found = of_mine(controller=cards(1, count))
    assert found[-1:] == expected
    assert len(found) == (count > 4) + (count > 8)


def test_what_the_list_of_a_server_says_is_told_once() -> None:
    fewer = OWN.replace("value = 40", "value = 3")
    assert of_mine(fewer, controller=cards(1, 5)) == [
        ("controller[0].logical", "5 drives, at most 3 fit on PRAID EP420i here")
    ]
    assert of_mine(controller=cards(1, 3), drives=[{"drive": "intel-p3700-800", "count": 2}]) == [
        ("drives", "5 drives in all, Mine has 4 bays")
    ]


def test_each_board_has_bays_of_its_own() -> None:
    assert problems([*cards(1, 4), *cards(1, 2, DUS)], SB) == []
    assert problems([*cards(1, 4), *cards(2, 2, DUS)], SB) == []
    catalog = shelf.shipped()
    board = catalog.take(DUS, ServerPart)
    more = board.takes["praid-ep420i"].drives.model_copy(update={"value": 8})
    taken = board.takes["praid-ep420i"].model_copy(update={"drives": more, "lanes": None})
    wide = catalog.having(board.model_copy(update={"takes": {"praid-ep420i": taken}}))
    host = {"processor": "xeon-e7-8891-v4", "software": "windows-raw-megaraid", "processors": 8}
    for groups, told in (
        ((2, 2), []),
        ((4, 4, 4), ["12 drives in all, 2 of PRIMEQUEST 2800E3 (DU-2C) have 8 bays"]),
        ((3, 2), ["5 drives in all, PRIMEQUEST 2800E3 (DU-2C) has 4 bays"]),
        ((5, 1), ["5 drives, PRIMEQUEST 2800E3 (DU-2C) has 4 bays"]),
    ):
        there = [one for count in groups for one in cards(1, count, DUS)]
        system = system_of({"name": "units", "host": host, "controller": there})
        assert [problem.what for problem in check(system, wide)] == told


def test_fits_says_no_more_drives_than_there_are_bays() -> None:
    catalog = shelf.shipped().having(parse_part(OWN))
    there = {fit.part.name: fit for fit in fits(catalog.get("mine"), catalog)}
    for name in ("praid-ep420i", "intel-p3700-800"):
        most = there[name].drives
        assert most is not None
        assert most.value == 4
        assert "Mine has 4 bays" in there[name].note
    (mine,) = (fit for fit in fits(catalog.get("praid-ep420i"), catalog) if fit.part.name == "mine")
    assert mine.drives == there["praid-ep420i"].drives
    # Eight drives are what RAID 60 needs.
    assert "60 needs 8" in mine.note
    # A card is in no bay.
    slots = catalog.having(parse_part(OWN.replace('["SFF"]', '["SFF", "AIC"]')))
    (drive,) = (fit for fit in fits(slots.get("mine"), slots) if fit.part.name == "intel-p3700-800")
    assert drive.drives is not None
    assert drive.drives.value == 40


def test_a_unit_is_a_board_of_the_server() -> None:
    """PRIMERGY RX2540 M1 takes 24 drives on an EP420i, and is no larger by a name beside it."""
    many = cards(1, 32, "primergy-rx2560-m1", expander="sas-expander-12g")
    found = problems(many, "primergy-rx2540-m1", "xeon-e5-2660-v3")
    assert found == [("controller[0].unit", "PRIMERGY RX2560 M1 is no board or unit of a server")]
    for unit in (None, "primergy-rx2540-m1"):
        many = cards(1, 32, unit, expander="sas-expander-12g")
        found = problems(many, "primergy-rx2540-m1", "xeon-e5-2660-v3")
        assert found == [("controller[0].logical", "32 drives, at most 24 fit on PRAID EP420i here")]
    what = (
        "PRIMEQUEST 2800E3 (DU-2C) is a disk unit of PRIMEQUEST 2800E3, and the server is PRIMERGY RX2540 M1"
    )
    assert problems(cards(1, 2, DUS), "primergy-rx2540-m1", "xeon-e5-2660-v3") == [
        ("controller[0].unit", what)
    ]
    assert problems(cards(1, 2, DUS), SB) == []
    assert problems(cards(1, 4, "primequest-2x00e2-du"), "primequest-2x00e2-sb", "xeon-e5-2660-v3") == []


FAMILY = "primequest-2x00x2"
OF_IT = ["primequest-2800b2-du", "primequest-2x00e2-du", "primequest-2x00e2-sb"]


@pytest.mark.parametrize("unit", OF_IT)
def test_a_board_of_a_member_is_one_of_the_family(unit: str) -> None:
    """PRIMEQUEST 2x00x2 is by its note a family of systems: each x stands for what its members differ in."""
    assert problems(cards(1, 4, unit), FAMILY) == []


@pytest.mark.parametrize("unit", [DU, DUS, SB])
def test_a_board_of_no_member_is_none_of_the_family(unit: str) -> None:
    (problem,) = problems(cards(1, 2, unit), FAMILY)
    assert problem[0] == "controller[0].unit"
    assert problem[1].endswith("of PRIMEQUEST 2800E3, and the server is PRIMEQUEST 2x00x2")


def test_members_of_a_family_are_systems_of_which_there_are_boards() -> None:
    """A name that is mistyped would take the boards from the family again."""
    servers = shelf.shipped().of(ServerPart)
    wholes = {board.whole for board in servers if board.board_of}
    families = [server for server in servers if server.members]
    assert families
    for server in families:
        assert set(server.members) <= wholes
        assert server.board_of is None


def test_a_hint_names_the_boards_that_there_are() -> None:
    host = {"processor": "xeon-e7-8891-v4", "software": "windows-raw-megaraid", "processors": 2}
    for server, boards in ((SB, [DU, DUS, SB]), ("primergy-rx2540-m1", []), (FAMILY, OF_IT)):
        system = {
            "name": "it",
            "host": host | {"server": server},
            "controller": cards(1, 2, "thinksystem-sr850"),
        }
        (problem,) = (one for one in check(system_of(system)) if one.where.endswith("unit"))
        named = f"take {', '.join(boards)}, or " if boards else ""
        assert problem.hint == f"{named}leave unit out"


def test_an_own_server_can_have_own_boards() -> None:
    board = OWN.replace(
        'name = "mine"\ntitle = "Mine"', 'name = "shelf"\ntitle = "A shelf"\nboard_of = "shelf of Mine"'
    )
    catalog = shelf.shipped().having(parse_part(OWN), parse_part(board))
    host = {"processor": "xeon-e5-2660-v3", "processors": 2, "software": "windows-raw-megaraid"}
    there = [*cards(1, 4), *cards(1, 4, "shelf")]
    assert (
        check(system_of({"name": "it", "host": host | {"server": "mine"}, "controller": there}), catalog)
        == []
    )
