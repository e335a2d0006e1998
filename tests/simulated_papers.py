"""Simulated runs of made-up systems, and what their papers say."""

from __future__ import annotations

from command_line import simulated_result
from factories import make_run
from iodyno.report import paper
from iodyno.store.records import StoredRun
from iodyno.study import parse_study, plan_simulation
from iodyno.system.virtual import describe
from paper_texts import texts
from virtual_systems import virtual_system

STUDY = """
schema = 1
name = "quick"
title = "Quick look at a drive"
[[configuration]]
name = "{n}-drives"
title = "{n} drives"
system = "made-up"
each = { n = [1, 2] }
[[sweep]]
name = "field"
profiles = ["database", "streaming"]
outstanding = [1, 2, 4, 8, 16]
"""


def made(study: str) -> StoredRun:
    systems = {f"{count}-drives": virtual_system(drives=count) for count in (1, 2)}
    plan = plan_simulation(parse_study(study), systems)
    titles = {name: name.replace("-", " ") for name in systems}
    command = ("iodyno", "simulate", "quick")
    run = make_run(plan, system=describe(systems, titles), simulated=True, command=command, status="finished")
    return StoredRun(run=run, results=tuple(simulated_result(point) for point in plan.points))


def said(stored: StoredRun, language: str = "en") -> str:
    document = paper.build(stored, language)
    return "\n".join(texts((document.title_page, document.blocks, document.footer), codes=True))


def many(configurations: int, profiles: str) -> StoredRun:
    """Give a simulated run of many systems, their names alike but for the end."""
    study = f"""
schema = 1
name = "many"
title = "Many"
[[configuration]]
name = "manufacturer-model-0123456789-controller-abcdefgh-raid{{n}}-8"
system = "made-up"
each = {{ n = {list(range(configurations))} }}
[[sweep]]
name = "field"
profiles = [{profiles}]
outstanding = [1, 16]
"""
    names = [f"manufacturer-model-0123456789-controller-abcdefgh-raid{n}-8" for n in range(configurations)]
    systems = {name: virtual_system(drives=2) for name in names}
    plan = plan_simulation(parse_study(study), systems)
    run = make_run(plan, system=describe(systems, {name: name for name in names}), simulated=True,
                   command=("iodyno", "simulate", "many"), status="finished")  # fmt: skip
    return StoredRun(run=run, results=tuple(simulated_result(point) for point in plan.points))
