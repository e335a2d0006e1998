"""Technical data: what a part is in every system of a run, and not in one of them."""

from __future__ import annotations

import pytest

from command_line import simulated_result
from factories import make_run
from iodyno.report import paper
from iodyno.report.document import Table
from iodyno.report.messages import plain
from iodyno.store.records import StoredRun
from iodyno.study import parse_study, plan_simulation
from iodyno.study.configuration import Configuration
from iodyno.study.systems import resolve
from iodyno.system.virtual import describe
from iodyno.virtual import VirtualSystem
from virtual_systems import virtual_system

STUDY = """
schema = 1
name = "links"
title = "Links"
[[configuration]]
name = "{name}"
system = "made-up"
each = { name = ["first", "second", "third"] }
[[sweep]]
name = "one"
profiles = ["database"]
outstanding = [1]
"""


def on_link(name: str, bytes_s: int) -> VirtualSystem:
    link = {"name": name, "bytes_s": bytes_s, "full_duplex": True, "command_ps": 0, "side": "host"}
    return virtual_system(links=[link])


@pytest.mark.parametrize("order", [(0, 1, 2), (2, 1, 0)])
def test_a_drive_has_the_links_of_all_systems_the_fastest_first(order: tuple[int, ...]) -> None:
    """A drive of four lanes hangs on two behind a narrow adapter: its row has both."""
    links = [("PCIe 3.0 x4 of a", 3_380), ("PCIe 3.0 x4 of b", 3_380), ("PCIe 3.0 x2 of c", 1_690)]
    names = ("first", "second", "third")
    systems = {name: on_link(*links[at]) for name, at in zip(names, order, strict=True)}
    plan = plan_simulation(parse_study(STUDY), systems)
    run = make_run(plan, system=describe(systems), simulated=True, status="finished")
    stored = StoredRun(run=run, results=tuple(simulated_result(point) for point in plan.points))
    blocks = paper.build(stored).blocks
    (table,) = (block for block in blocks if isinstance(block, Table) and block.key == "table-drives")
    (row,) = table.rows
    assert plain(row[3].text) == "PCIe 3.0 x4, PCIe 3.0 x2"


@pytest.mark.parametrize(("level", "shown"), [("5", "1,700"), ("1", "–")])
def test_a_rate_with_parity_is_told_of_who_has_an_array_with_it(level: str, shown: str) -> None:
    """As the part PRAID CP400i has it, in MB/s."""
    changes = {"count": 3 if level == "5" else 2, "level": level, "controller": "praid-cp400i"}
    changes |= {"mode": "performance", "backup_unit": False}
    system = resolve(Configuration(name="first", system="raid-controllers", changes=changes))
    plan = plan_simulation(parse_study(STUDY), {"first": system})
    run = make_run(plan, system=describe({"first": system}), simulated=True, status="finished")
    stored = StoredRun(run=run, results=tuple(simulated_result(point) for point in plan.points))
    blocks = paper.build(stored).blocks
    (table,) = (block for block in blocks if isinstance(block, Table) and block.key == "table-controllers")
    assert plain(table.rows[0][-1].text) == shown
