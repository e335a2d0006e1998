"""The conclusion compares the systems of a run, profile by profile, as far as the intervals let it."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from command_line import simulated_result
from factories import make_result, make_run, make_stored_run
from iodyno.report import paper
from iodyno.report.document import Bullets, Heading, Paragraph
from iodyno.report.messages import plain
from iodyno.store.records import StoredRun
from iodyno.study import parse_study, plan_simulation
from iodyno.system.virtual import describe
from virtual_systems import virtual_system

STUDY = """
schema = 1
name = "answers"
title = "Answers"
question = "Which is the fastest?"
{configurations}
[[sweep]]
name = "one"
profiles = ["{profiles}"]
workers = 1
outstanding = [1, 8]
"""


def run_of(
    rates: Mapping[str, float], *, profiles: str = "database", half_width: float | None = 0.005
) -> StoredRun:
    """Make a run of systems ``NAME-DRIVES`` with these rates in IO/s at the highest load."""
    tables = "\n".join(f'[[configuration]]\nname = "{name}"\nsystem = "made-up"' for name in rates)
    systems = {name: virtual_system(drives=int(name.rpartition("-")[2])) for name in rates}
    plan = plan_simulation(parse_study(STUDY.format(configurations=tables, profiles=profiles)), systems)
    run = make_run(plan, system=describe(systems), simulated=True, status="finished")
    results = []
    for point in plan.points:
        rate = rates[point.system or ""] * (1.0 if point.outstanding > 1 else 0.3)
        made = make_result(point, rate_io_s=rate, half_width=half_width)
        simulation = simulated_result(point).reading.simulation
        reading = made.reading.model_copy(update={"simulation": simulation})
        results.append(made.model_copy(update={"reading": reading}))
    return StoredRun(run=run, results=tuple(results))


def concluded(stored: StoredRun, language: str = "en") -> tuple[list[str], str]:
    """Give the comparisons of the conclusion, and its other text."""
    blocks = paper.build(stored, language).blocks
    keys = [getattr(block, "key", "") for block in blocks]
    after = blocks[keys.index("conclusion") + 1 :]
    end = next(place for place, block in enumerate(after) if isinstance(block, Heading))
    bullets = [plain(text) for block in after[:end] if isinstance(block, Bullets) for text in block.items]
    said = "\n".join(plain(block.text) for block in after[:end] if isinstance(block, Paragraph))
    return bullets, said


FAR_APART = {
    "a-4": 40_000.0,
    "b-4": 20_000.0,
    "c-2": 30_000.0,
    "d-1": 9_000.0,
    "e-1": 8_000.0,
    "f-1": 7_000.0,
}


def test_the_fastest_is_compared_with_the_next_of_as_many_drives() -> None:
    """40,000 are twice the 20,000 of the other with four drives; two drives are nearer, and no like."""
    bullets, said = concluded(run_of({**FAR_APART, "g-1": 6_000.0}))
    assert bullets == [
        "Database: 40,000 IO/s with a-4, 2.00 (1.99–2.01) times that of the next with as many drives, b-4."
    ]
    assert said.startswith("The question was: Which is the fastest? How the configurations compare")
    assert "The highest transaction rate" not in said


def test_what_the_intervals_do_not_tell_apart_is_said_so() -> None:
    bullets, _ = concluded(run_of({**FAR_APART, "g-2": 39_950.0}))
    assert bullets == ["Database: 40,000 IO/s with a-4; not distinguishable from it: g-2."]


def test_of_few_systems_the_lowest_is_told_too() -> None:
    bullets, _ = concluded(run_of({"a-1": 40_000.0, "b-1": 20_000.0}))
    assert bullets == [
        "Database: The highest maximum is that of a-1 with 40,000 IO/s. The lowest is that of b-1: "
        "20,000 IO/s. The highest is 2.00 times as much (interval 1.99 to 2.01)."
    ]


def test_without_intervals_nothing_is_compared() -> None:
    bullets, said = concluded(run_of(FAR_APART, half_width=None))
    assert not bullets
    assert "The highest transaction rate is" in said


def test_one_system_has_no_comparison() -> None:
    bullets, said = concluded(make_stored_run(varied=False))
    assert not bullets
    assert "The highest transaction rate is" in said


@pytest.mark.parametrize(
    ("language", "words"), [("de", "mit gleich vielen Laufwerken"), ("ja", "ドライブ数が同じ")]
)  # fmt: skip
def test_so_it_is_in_other_languages(language: str, words: str) -> None:
    (bullet,), _ = concluded(run_of({**FAR_APART, "g-1": 6_000.0}), language)
    assert words in bullet
