"""Onboard controllers: arrays lie on one instance each, and a board has one chipset.

Six ports and four more, says Intel's datasheet of C610 (330788); four on each of two instances in PRIMERGY
RX2540 M1, says RAID Controller Performance 2016.
"""

from __future__ import annotations

import itertools
from typing import Any

import pytest

from iodyno.catalog.checks import check, checked
from iodyno.catalog.onboard_checks import _lie_on
from iodyno.catalog.parts import ServerPart
from iodyno.catalog.shelf import Catalog, shipped
from iodyno.catalog.tree import system_of
from iodyno.errors import CatalogError

RX2540 = "primergy-rx2540-m1"
LEVEL = {1: "0", 2: "1", 3: "0", 4: "10", 5: "0", 6: "10"}


def table(*counts: int, level: str | None = None, instances: int = 1, part: str = "c610") -> dict[str, Any]:
    drive = "seagate-st91000640ns"
    logical = [{"drive": drive, "count": count, "level": level or LEVEL[count]} for count in counts]
    return {"part": part, "instances": instances, "logical": logical}


def told(
    *tables: dict[str, Any], server: str | None = None, catalog: Catalog | None = None
) -> dict[str, str]:
    host = {"processor": "xeon-e5-2660-v3", "software": "windows-onboard-raid"}
    for at, one in enumerate(logical for of in tables for logical in of["logical"]):
        one["name"] = f"v{at}"
    given = host | ({"server": server} if server else {})
    system = system_of({"name": "made", "host": given, "controller": list(tables)})
    found = check(system, catalog, "it")
    return {problem.where.removeprefix("it: "): problem.what for problem in found}


@pytest.mark.parametrize(
    ("counts", "large"), [((6,), 6), ((5,), 5), ((5, 3), 5), ((4, 4), 0), ((4, 2, 2), 0)]
)
def test_an_array_is_no_larger_than_an_instance_here(counts: tuple[int, ...], large: int) -> None:
    what = f"{large} drives in one array, an instance has 4"
    expected = {"controller[0].logical[0].count": what} if large else {}
    assert told(table(*counts, instances=2), server=RX2540) == expected


@pytest.mark.parametrize(
    ("server", "counts", "fits"),
    [(None, (5, 5), False), (None, (6, 4), True), (None, (4, 6), True), (None, (5, 4), True),
     (None, (4, 3, 3), True), (None, (5, 3, 2), False), (RX2540, (3, 3, 2), False),
     (RX2540, (3, 3, 1), True)],
)  # fmt: skip
def test_all_arrays_find_an_instance(server: str | None, counts: tuple[int, ...], fits: bool) -> None:
    """In one table or in two: an array more than there is room for is told."""
    ports = "4 and 4" if server else "6 and 4"
    sizes = f"{', '.join(map(str, counts[:-1]))} and {counts[-1]}"
    what = f"arrays of {sizes} drives, 2 instances of C610 (onboard) have {ports}: each lies on one"
    assert told(table(*counts, instances=2), server=server) == (
        {} if fits else {"controller[0].logical": what}
    )
    if len(counts) == 2:
        apart = told(table(counts[0]), table(counts[1]), server=server)
        assert apart == ({} if fits else {"controller[1].logical": what})


def test_drives_by_themselves_lie_anywhere() -> None:
    assert told(table(5, 5, level="JBOD", instances=2)) == {}
    assert told(table(4, instances=2), table(6, level="JBOD", instances=1)) == {
        "controller[1].instances": "3 instances of C610 (onboard), at most 2"
    }


@pytest.mark.parametrize("ports", [(4, 4), (6, 4), (3, 3, 3), (5, 2, 1)])
def test_where_arrays_lie_is_tried_out(ports: tuple[int, ...]) -> None:
    """Beside every way to lay them, one by one."""
    for many in range(1, 5):
        for arrays in itertools.combinations_with_replacement(range(1, 7), many):
            ways = itertools.product(range(len(ports)), repeat=many)
            possible = any(
                all(
                    sum(size for size, on in zip(arrays, way, strict=True) if on == at) <= room
                    for at, room in enumerate(ports)
                )
                for way in ways
            )
            assert _lie_on(arrays, ports) == possible, (arrays, ports)


def test_a_board_has_one_chipset() -> None:
    what = "C236 (onboard) and C610 (onboard) are on no board together: it has one chipset"
    assert told(table(2), table(2, part="c236")) == {"controller[1].part": what}
    assert told(table(2), table(2)) == {}
    both = shipped().take(RX2540, ServerPart)
    taken = {**both.takes, "c236": both.takes["c610"]}
    catalog = shipped().having(both.model_copy(update={"takes": taken}))
    assert told(table(2), table(2, part="c236"), server=RX2540, catalog=catalog) == {}
    assert told(table(2), table(2, part="c236"), server=RX2540) == {
        "controller[1].part": "no release matrix says that PRIMERGY RX2540 M1 takes C236 (onboard)"
    }


@pytest.mark.parametrize("units", [(None, RX2540), (RX2540, None), (RX2540, RX2540), (None, None)])
def test_a_table_that_names_the_server_as_its_unit_is_of_the_same_board(
    units: tuple[str | None, str | None],
) -> None:
    """The board is one, however it is named: its instances are counted together, and its link is one."""

    def both(*tables: dict[str, Any]) -> dict[str, str]:
        named = zip(tables, units, strict=True)
        return told(*(one | ({"unit": unit} if unit else {}) for one, unit in named), server=RX2540)

    assert both(table(4), table(4)) == {}
    assert both(table(4, instances=2), table(4, instances=2)) == {
        "controller[1].instances": "4 instances of C610 (onboard), at most 2 here"
    }
    wide, narrow = (table(4) | {"link": f"DMI 2.0 x{lanes}"} for lanes in (4, 1))
    what = "the table of C610 (onboard) before has"
    assert both(wide, narrow) == {
        "controller[1].link": f'"DMI 2.0 x1": {what} "DMI 2.0 x4", and both share one link'
    }


def test_a_table_whose_unit_cannot_be_read_is_of_no_board() -> None:
    """Two of them are not taken for two of one board."""
    document = {
        "name": "made",
        "host": {"processor": "xeon-e5-2660-v3", "software": "windows-onboard-raid", "server": RX2540},
        "controller": [table(4) | {"unit": 3, "link": f"DMI 2.0 x{lanes}"} for lanes in (4, 1)],
    }
    with pytest.raises(CatalogError) as raised:
        checked(document, "it")
    assert {problem.where for problem in raised.value.problems} >= {"it: controller[0].unit"}
    assert not [one for one in raised.value.problems if "share" in one.what or "instances" in one.what]
