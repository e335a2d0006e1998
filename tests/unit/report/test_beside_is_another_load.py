"""What ran beside another load is no repetition of what ran alone, whatever else they have in common."""

from __future__ import annotations

import pytest

from factories import make_run
from iodyno import bench
from iodyno.analysis.repeated import highest_of_each, once_each
from iodyno.analysis.run import CurveAnalysis, analyse
from iodyno.report import paper
from iodyno.report.messages import plain
from iodyno.store.records import StoredRun
from iodyno.study import parse_study, plan_simulation
from iodyno.study.systems import resolve
from iodyno.system.virtual import describe

STUDY = """
schema = 1
name = "beside"
title = "Beside"
[simulation]
warmup_ios = 200
floor_ios = 1000
cap_ios = 2000
[[configuration]]
name = "one"
system = "p3700"
[[sweep]]
name = "alone"
profiles = ["database"]
outstanding = [1, 8, 64]
[[sweep]]
name = "beside"
profiles = ["database"]
outstanding = [8]
[[sweep.beside]]
profile = "restore"
outstanding = 8
"""


@pytest.fixture(scope="module", name="kept")
def _kept() -> StoredRun:
    study = parse_study(STUDY)
    systems = {one.name: resolve(one) for one in study.configurations}
    plan = plan_simulation(study, systems)
    run = make_run(plan, system=describe(systems), simulated=True, status="finished",
                   command=("iodyno", "simulate", "beside"))  # fmt: skip
    return StoredRun(run=run, results=tuple(bench.simulate(plan, jobs=1)))


@pytest.mark.parametrize("left", [once_each, highest_of_each])
def test_a_curve_beside_another_load_is_not_within_one_of_the_profile_alone(
    kept: StoredRun, left: object
) -> None:
    curves: tuple[CurveAnalysis, ...] = analyse(kept).curves
    assert callable(left)
    assert [item.curve.sweep for item in left(curves)] == ["alone", "beside"]


def test_the_title_page_has_the_maximum_of_each(kept: StoredRun) -> None:
    document = paper.build(kept)
    names = [plain(name) for name, _, _ in document.title_page.summary]
    assert [name for name in names if name.startswith("Database") and "latency" not in name] == [
        "Database", "Database beside Restore",
    ]  # fmt: skip
