"""Many systems with the same cells stand in one row, named by what they alone have in common."""

from __future__ import annotations

import itertools
import random
from collections import Counter

import pytest

from command_line import simulated_result
from factories import make_run
from iodyno.analysis.configurations import configuration_title
from iodyno.analysis.interfaces import chain
from iodyno.analysis.units import mb_s
from iodyno.report import paper
from iodyno.report.document import Document, Table
from iodyno.report.messages import Messages, plain
from iodyno.report.rows_in_common import in_common
from iodyno.report.shared_words import taken_apart
from iodyno.store.records import StoredRun
from iodyno.study import chosen_configurations, load_study, plan_simulation
from iodyno.study.systems import resolve
from iodyno.system.virtual import describe
from paper_texts import tables, texts

LEVELS = [f"{unit}: {count} disks, RAID {level}" for unit in "ab" for count in (2, 4) for level in (0, 5, 10)]


def of(*words: str) -> tuple[int, ...]:
    """Give the places of the names with all of these."""
    return tuple(place for place, name in enumerate(LEVELS) if all(word in name for word in words))


def test_a_name_of_several_holds_for_no_other() -> None:
    """Four disks at RAID 0 and 10, but not 5, are no "4 disks"."""
    four = [place for place in of("4 disks") if not LEVELS[place].endswith("RAID 5")]
    assert in_common(LEVELS, four) == [("4 disks, RAID 0 / RAID 10", tuple(four))]
    assert in_common(LEVELS, of("4 disks")) == [("4 disks", of("4 disks"))]
    assert in_common(LEVELS, of("a", "4 disks")) == [("a: 4 disks", of("a", "4 disks"))]


def test_what_has_no_name_in_common_is_parted_or_stands_alone() -> None:
    mixed = (*of("a", "2 disks"), *of("b", "RAID 5"))
    found = in_common(LEVELS, mixed)
    assert sorted(place for _, places in found for place in places) == sorted(mixed)
    assert found == [("a: 2 disks", of("a", "2 disks")), ("b: RAID 5", of("b", "RAID 5"))]
    unlike = ("one", "two", "three")
    assert in_common(unlike, (0, 2)) == [("one / three", (0, 2))]


@pytest.mark.parametrize("seed", range(20))
def test_each_name_fits_the_systems_of_its_row_and_no_others(seed: int) -> None:
    drawn = random.Random(seed).sample(range(len(LEVELS)), 5)
    found = in_common(LEVELS, drawn)
    assert sorted(place for _, places in found for place in places) == sorted(drawn)
    for name, places in found:
        assert tuple(place for place in range(len(LEVELS)) if fits(name, LEVELS[place])) == tuple(
            sorted(places)
        )


def fits(row: str, name: str) -> bool:
    """Tell by the words alone whether a row holds for a system: all it names, and one between slashes."""
    has = set(taken_apart(name)[::2])
    return all(has.intersection(piece.split(" / ")) for piece in taken_apart(row)[::2])


def shipped(name: str) -> StoredRun:
    """Give a run of a shipped study with one point of each system."""
    study = load_study(name)
    systems = {item.name: resolve(item) for item in chosen_configurations(study)}
    plan = plan_simulation(study, systems)
    first = {point.system: point for point in reversed(plan.points)}
    points = tuple(point.model_copy(update={"index": place}) for place, point in enumerate(first.values()))
    plan = plan.model_copy(update={"points": points})
    titles = {one: str(configuration_title(plan, one)) for one in systems}
    run = make_run(plan, system=describe(systems, titles, {}), simulated=True, status="finished")
    return StoredRun(run=run, results=tuple(simulated_result(point) for point in points))


@pytest.fixture(scope="module")
def full() -> StoredRun:
    """Give a run of 55 systems."""
    return shipped("primequest-2800e3")


def rows_of(document: Document, key: str) -> tuple[Table, list[list[str]]]:
    [table] = tables(document, key)
    return table, [[plain(cell.text) for cell in row] for row in table.rows if len(row) > 1]


@pytest.mark.parametrize("language", ["en", "de", "ja"])
def test_the_limits_of_many_systems_are_a_few_rows_and_each_system_finds_its_own(
    full: StoredRun, language: str
) -> None:
    """The table of a paper of 55 systems had seven values on two pages."""
    messages, plan = Messages(language), full.run.plan
    table, rows = rows_of(paper.build(full, language), "table-interfaces")
    limits = {name: chain(system) for name, system in plan.systems.items()}
    written = {
        name: [
            messages.numbers.integer(round(mb_s(part)))
            for part in (found.host, found.controller or 0.0, found.disk or 0.0, found.media)
        ]
        for name, found in limits.items()
    }
    assert len(rows) == len(set(map(tuple, written.values()))) == 7
    counts: Counter[str] = Counter()
    for name, cells in written.items():
        title = messages.titled(configuration_title(plan, name))
        [row] = [row for row in rows if fits(row[0], title)]
        assert row[1:5] == cells
        counts[row[0]] += 1
    assert {row[0]: int(row[5]) for row in rows} == counts
    assert table.notes


def test_alike_virtual_systems_are_one_row_of_their_table(full: StoredRun) -> None:
    _, rows = rows_of(paper.build(full), "table-systems")
    assert sum(int(row[-1]) for row in rows) == len(full.run.plan.systems) == 55
    assert len({tuple(row[:-1]) for row in rows}) == len(rows) <= 25
    for name in full.run.plan.systems:
        [_] = [row for row in rows if fits(row[0], configuration_title(full.run.plan, name))]


def test_a_controller_that_the_name_says_keeps_no_systems_apart() -> None:
    _, rows = rows_of(paper.build(shipped("raid-controllers")), "table-systems")
    [row] = [row for row in rows if row[0].endswith("24 SAS SSDs, RAID 5, Performance")]
    assert row[1] == "PRAID\u00a0EP400i / PRAID\u00a0EP420i"
    assert row[-1] == "2"
    for one, other in itertools.combinations(rows, 2):
        assert one[0] != other[0]


def test_few_systems_have_a_row_each_and_no_columns_of_parts_that_none_has() -> None:
    """Two of four columns were dashes, below a text on what controllers move."""
    document = paper.build(shipped("nvme-host-connections"))
    table, rows = rows_of(document, "table-interfaces")
    assert len(rows) == 12
    assert [column.title for column in table.columns[1:]] == ["Links to the host", "Media of the drives"]
    assert not table.notes
    assert "What controllers move" not in "\n".join(texts(document.blocks))


def test_controllers_are_told_of_where_there_are_some(full: StoredRun) -> None:
    assert "What controllers move to the host" in "\n".join(texts(paper.build(full).blocks))
