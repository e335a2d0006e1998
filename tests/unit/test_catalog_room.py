"""What a server, or a system of several boards, has room for: controllers, drives, boards."""

from __future__ import annotations

from typing import Any

import pytest

from iodyno.catalog import shelf
from iodyno.catalog.checks import check
from iodyno.catalog.fits import fits
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
    assert [what for _, what in card] == ["PRIMERGY RX2560 M1 takes it as SFF, not as AIC"]


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
