"""Configurations and profiles that a study titles alike are told apart by their names."""

from __future__ import annotations

import re

import pytest

from iodyno.study import parse_study, plan_simulation
from iodyno.study.simulating import resolve_all
from iodyno.study.systems import resolve

STUDY = """
schema = 1
name = "alike"
title = "Alike"
[[configuration]]
name = "{part}"
title = "Server"
system = "{part}"
each.part = ["p3700", "nvme-today"]
[[configuration]]
name = "other"
title = "Other"
system = "p3700"
[[profile]]
name = "first"
title = "Orders"
random_share = 1
read_share = 1
blocks = "4k"
[[profile]]
name = "second"
title = "Orders"
random_share = 1
read_share = 0.5
blocks = "4k"
[[profile]]
name = "third"
title = "Database"
random_share = 1
read_share = 0.5
blocks = "8k"
[[sweep]]
name = "loads"
profiles = ["first", "second", "third"]
outstanding = 1
"""


def test_configurations_titled_alike_have_their_names_behind() -> None:
    study = parse_study(STUDY)
    shown = [item.shown for item in study.configurations]
    assert shown == ["Server (p3700)", "Server (nvme-today)", "Other"]
    again = [item["title"] for item in study.source()["configuration"]]
    assert again == shown, "the study that a paper carries has them too"


@pytest.mark.parametrize(
    ("profiles", "expected"),
    [
        ('"first", "second", "third"', ["Orders (first)", "Orders (second)", "Database (third)"]),
        ('"first", "third", "database"', ["Orders (first)", "Database (third)", "Database"]),
    ],
)
def test_profiles_titled_alike_have_their_names_behind(profiles: str, expected: list[str]) -> None:
    """A title of a standard profile is another's too, whichever are chosen: a point alone is the same one."""
    study = parse_study(re.sub(r"profiles = \[.*\]", f"profiles = [{profiles}]", STUDY))
    systems = resolve_all(study.configurations[:1], resolve)
    plan = plan_simulation(study, systems)
    assert [point.profile.shown for point in plan.points] == expected


def test_a_load_beside_counts_among_the_profiles() -> None:
    beside = '[[sweep.beside]]\nprofile = "database"\n'
    study = parse_study(STUDY.replace('"first", "second", ', "") + beside)
    (point,) = plan_simulation(study, resolve_all(study.configurations[:1], resolve)).points
    assert [load.profile.shown for load in point.loads] == ["Database (third)", "Database"]
