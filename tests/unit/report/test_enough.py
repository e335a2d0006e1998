"""From which number of drives, workers or outstanding I/Os on more bring little."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from itertools import pairwise

import pytest

from command_line import simulated_result
from factories import make_result, make_run
from iodyno.analysis.enough import Enough, enough
from iodyno.analysis.estimate import Estimate
from iodyno.analysis.kin import Family
from iodyno.report import paper
from iodyno.report.document import Block, Bullets, Figure, Heading, LineChart, Paragraph, Table
from iodyno.report.messages import Messages, plain
from iodyno.report.sentences import enough as enough_text
from iodyno.store.records import StoredRun
from iodyno.study import parse_study, plan_simulation
from iodyno.system.virtual import describe
from virtual_systems import virtual_system


def estimates(values: Mapping[int, float], half_width: float | None = 0.01) -> dict[int, Estimate]:
    return {count: Estimate(value, half_width) for count, value in values.items()}


@pytest.mark.parametrize(
    ("values", "half_width", "found"),
    [
        ({8: 100, 16: 160, 24: 163}, 0.005, Enough(16, True, 24)),
        ({8: 100, 16: 101, 24: 102}, 0.005, Enough(8, True, 24)),
        ({8: 100, 16: 200, 24: 300}, 0.005, Enough(None, True, 24)),
        ({8: 200, 16: 160, 24: 100}, 0.005, Enough(8, True, 24)),
        ({8: 95, 16: 160, 24: 163}, 0.05, None),  # 160 ÷ 163 is known to ±7 %: not shown to be within 5 %
        ({8: 100, 16: 104.5, 24: 105}, 0.007, Enough(16, False, 24)),  # 100 ÷ 105 may be either
        ({8: 100, 16: 101}, 0.005, Enough(8, True, 16)),
        ({8: 100, 16: 200}, None, None),
        ({8: 100}, 0.01, None),
        ({8: 100, 16: 0}, 0.01, None),  # of nothing there is no quotient
    ],
)
def test_the_least_that_is_enough_follows_from_the_intervals(
    values: Mapping[int, float], half_width: float | None, found: Enough | None
) -> None:
    assert enough(estimates(values, half_width)) == found


STUDY = """
schema = 1
name = "enough"
title = "Enough"
[[configuration]]
name = "{n}-drives"
title = "{n} drives"
system = "made-up"
each = { n = [1, 2, 4] }
[[sweep]]
name = "field"
profiles = ["database"]
workers = WORKERS
outstanding = [1, 8, 16]
"""
DRIVES = {1: 1.0, 2: 1.9, 4: 1.92}
LOADS = {1: 10_000.0, 8: 40_000.0, 16: 40_400.0}


def run_of(
    workers: Mapping[int, float], half_width: float = 0.005, profiles: str = '["database"]'
) -> StoredRun:
    """Make a run where two drives are enough, eight outstanding I/Os, and what these workers bring."""
    study = STUDY.replace("WORKERS", str(list(workers))).replace('["database"]', profiles)
    systems = {f"{count}-drives": virtual_system(drives=count) for count in DRIVES}
    plan = plan_simulation(parse_study(study), systems)
    run = make_run(plan, system=describe(systems), simulated=True, status="finished",
                   command=("iodyno", "simulate", "enough"))  # fmt: skip
    results = []
    for point in plan.points:
        drives = int(str(point.system)[0])
        rate = LOADS[point.outstanding] * DRIVES[drives] * workers[point.workers]
        made = make_result(point, rate_io_s=rate, half_width=half_width)
        simulation = simulated_result(point).reading.simulation
        reading = made.reading.model_copy(update={"simulation": simulation})
        results.append(made.model_copy(update={"reading": reading}))
    return StoredRun(run=run, results=tuple(results))


def conclusion_of(stored: StoredRun, language: str = "en") -> Sequence[Block]:
    blocks = paper.build(stored, language).blocks
    keys = [getattr(block, "key", "") for block in blocks]
    after = blocks[keys.index("conclusion") + 1 :]
    return after[: next(place for place, block in enumerate(after) if isinstance(block, Heading))]


def concluded(stored: StoredRun, language: str = "en") -> str:
    blocks = conclusion_of(stored, language)
    texts = [plain(block.text) for block in blocks if isinstance(block, Paragraph)]
    texts += [plain(text) for block in blocks if isinstance(block, Bullets) for text in block.items]
    return "\n".join(texts)


def test_the_conclusion_says_from_how_many_drives_workers_and_ios_on() -> None:
    said = concluded(run_of({1: 1.0, 2: 1.5, 4: 2.0}))
    assert "From these numbers on more brings less than 5%, compared with every higher number" in said
    assert "Drives, drive, independent drives: from 2 on: Database (1 worker), Database (2" in said
    assert (
        "Workers, 1 drives, 2 drives, 4 drives: still growing at 4, the highest number here: Database."
        in said
    )
    assert "Outstanding I/Os for each target and worker: Database from 8 on (in 9 of 9 curves)." in said


@pytest.mark.parametrize(
    ("language", "words"),
    [
        ("de", ("ab 2: Datenbank", "bei 4, der höchsten Zahl hier, noch Zuwachs: Daten", "Datenbank ab 8")),
        ("ja", ("2 から：データベース", "ここで最多の 4 でもなお増加：データベース", "は 8 から")),
    ],
)  # fmt: skip
def test_so_it_is_in_other_languages(language: str, words: tuple[str, ...]) -> None:
    said = concluded(run_of({1: 1.0, 2: 1.5, 4: 2.0}), language)
    assert [word for word in words if word not in said] == []


PROFILES = ["database", "file-server", "file-copy", "streaming", "restore"]


@pytest.mark.parametrize("several", [4, 5])
def test_of_many_profiles_each_has_a_line_of_its_own(several: int) -> None:
    """One item of the conclusion ran over eight lines."""
    profiles = json.dumps(PROFILES[:several])
    blocks = conclusion_of(run_of({1: 1.0, 2: 1.5}, profiles=profiles))
    *_, (lead, last) = (pair for pair in pairwise(blocks) if isinstance(pair[1], Bullets))
    assert isinstance(lead, Paragraph)
    assert isinstance(last, Bullets)
    if several == 4:
        assert plain(last.items[-1]).count(" from 8 on (in 6 of 6 curves)") == 4
        return
    names = ["Database", "File server", "File copy", "Streaming", "Restore"]
    assert [plain(item) for item in last.items] == [f"{name} from 8 on (in 6 of 6 curves)" for name in names]
    assert plain(lead.text).startswith("Outstanding I/Os for each target and worker from which on more bring")


def test_what_the_intervals_leave_open_is_not_said() -> None:
    assert "From which number on" not in concluded(run_of({1: 1.0}, half_width=0.2))


def scaling_table(stored: StoredRun) -> tuple[list[str], list[str]]:
    """Give the names of the rows of the table over drives, and of the lines of its chart."""
    blocks = paper.build(stored).blocks
    (table,) = (one for one in blocks if isinstance(one, Table) and one.key == "table-scaling-drives")
    (chart,) = (one.charts[0] for one in blocks
                if isinstance(one, Figure) and one.key == "figure-scaling-drives-0")  # fmt: skip
    assert isinstance(chart, LineChart)
    rows = [plain(row[0].text) for row in table.rows if len(row) > 1]
    return rows, [line.name for line in chart.lines[1:]]


def test_rows_over_drives_say_their_workers_where_these_differ() -> None:
    rows, lines = scaling_table(run_of({1: 1.0, 4: 2.0}))
    assert rows == ["Database (1 worker)", "Database (4 workers)"]
    assert lines == rows


def test_rows_over_drives_do_not_say_what_is_the_same_in_all() -> None:
    assert scaling_table(run_of({4: 1.0}))[0] == ["Database"]


def test_names_with_commas_are_in_quotes_among_others() -> None:
    """`from 8 on: Database, Random 4 kB, 67% read, Restore` were four profiles.

    Where one name of a sentence has quotes, all have.
    """
    most, early = (Enough(count=count, certain=True, most=8) for count in (None, 2))

    def said(names: list[str], found: list[Enough | None]) -> str:
        return enough_text._findings(Messages("en"), names, found)

    two = ["Database", "Random 4 kB, 67% read"]
    assert said(two, [most] * 2).endswith(": “Database”, “Random 4 kB, 67% read”")
    assert said(two, [early, most]) == (
        "from 2 on: “Database”; still growing at 8, the highest number here: “Random 4 kB, 67% read”"
    )
    assert said(["Database", "Restore"], [most] * 2).endswith(": Database, Restore")


def test_the_workers_that_several_profiles_share_are_said_once() -> None:
    """`(8 workers)` stood behind each of them."""
    most = Enough(count=None, certain=True, most=4)

    def said(workers: list[int], names: tuple[str, ...] = ("A", "B", "C")) -> str:
        found = [most] * len(names)
        return enough_text._findings(Messages("en"), names, found, workers).partition("here: ")[2]

    assert said([8, 8, 8]) == "with 8 workers A, B, C"
    assert said([8, 8, 1]) == "with 8 workers A, B; with 1 worker C"
    assert said([1, 8, 64], ("A", "A", "A")) == "A (1 worker), A (8 workers), A (64 workers)"
    assert said([8, 8], ("A", "B, C")) == "with 8 workers “A”, “B, C”"
    assert said([]) == "A, B, C"


@pytest.mark.parametrize(("language", "name"), [("en", "P3700 1.6 TB"), ("de", "P3700 1,6 TB")])
def test_drives_have_their_capacity_as_tables_write_it(language: str, name: str) -> None:
    """A German conclusion said 7.68 TB, as nowhere else."""
    kin = Family(drive="P3700 1.6 TB", level="5", behind="PRAID EP400i")
    assert enough_text.joined_name(Messages(language), kin) == f"{name}, RAID 5, PRAID EP400i"
