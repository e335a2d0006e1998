"""What papers of simulated runs say of what limits each maximum: cells, notes, captions and counts."""

from __future__ import annotations

from dataclasses import replace

import pytest

from iodyno.analysis.run import CurveAnalysis, analyse
from iodyno.reading import Bottleneck, Station
from iodyno.report import paper
from iodyno.report.document import Table
from iodyno.report.messages import Messages, plain
from iodyno.report.sentences.practice import usual_limit
from iodyno.report.sentences.side_by_side import common_limit, latency_note
from iodyno.store.records import StoredRun
from simulated_papers import STUDY, made, many


@pytest.fixture(scope="module")
def stored() -> StoredRun:
    """Give a simulated run of two systems."""
    return made(STUDY)


def test_every_maximum_names_its_limit_with_the_utilisations(stored: StoredRun) -> None:
    blocks = paper.build(stored).blocks
    (table,) = (block for block in blocks if isinstance(block, Table) and block.key == "table-bottlenecks")
    rows = [[cell.text for cell in row] for row in table.rows]
    assert [row[0] for row in rows] == [
        f"{profile}, {count} drives" for count in (1, 2) for profile in ("Database", "Streaming")
    ]
    # In the made-up results links are the limit, busy for 97 %, and cores are next with 40 %.
    assert {tuple(row[3:]) for row in rows} == {("made-up link", "97.0%", "core 0", "40.0%")}


@pytest.mark.parametrize(
    ("mean", "busiest", "limit", "expected"),
    [
        (0.91, 1.0, 0.91, ("made-up link", "91.0%", "core 0", "40.0%")),
        (0.5, 1.0, 1.0, ("made-up link", "100.0%", "made-up dies", "93.0%")),
    ],
)
def test_no_station_is_busier_than_the_limit(
    stored: StoredRun, mean: float, busiest: float, limit: float, expected: tuple[str, ...]
) -> None:
    """Of equal stations the limit is their mean, or the busiest of them: the next is measured alike."""
    results = []
    for result in stored.results:
        where = result.reading.simulation
        assert where is not None
        link = where.stations[-1].model_copy(update={"utilisation_mean": mean, "utilisation_max": busiest})
        dies = link.model_copy(
            update={"name": "made-up dies", "utilisation_mean": 0.3, "utilisation_max": 0.93}
        )
        named = where.bottleneck.model_copy(
            update={"station": "made-up link", "utilisation": limit, "kind": "saturated"}
        )
        changed = where.model_copy(
            update={"stations": (*where.stations[:-1], link, dies), "bottleneck": named}
        )
        reading = result.reading.model_copy(update={"simulation": changed})
        results.append(result.model_copy(update={"reading": reading}))
    blocks = paper.build(StoredRun(run=stored.run, results=tuple(results))).blocks
    (table,) = (block for block in blocks if isinstance(block, Table) and block.key == "table-bottlenecks")
    assert {tuple(cell.text for cell in row[3:]) for row in table.rows} == {expected}


@pytest.fixture(scope="module")
def waiting() -> StoredRun:
    """Give a simulated run of two systems of which no station is ever saturated."""
    return made(STUDY.replace("[1, 2, 4, 8, 16]", "[1, 2]"))


def test_where_no_station_is_saturated_the_table_says_latency_and_whose_utilisation_stands_there(
    waiting: StoredRun,
) -> None:
    blocks = paper.build(waiting).blocks
    (table,) = (block for block in blocks if isinstance(block, Table) and block.key == "table-bottlenecks")
    # Three quarters of the made-up latency are spent in links to the drives, and the cores are busiest.
    expected = ("latency: links to the drives, 75% of it", "–", "core 0", "40.0%")
    assert {tuple(cell.text for cell in row[3:]) for row in table.rows} == {expected}
    assert table.notes == (
        "Latency: no station is saturated there; beside it stands the place where most of it is spent.",
        "Where no station is saturated, the next station is the busiest one.",
    )


def of_limits(*stations: str) -> list[CurveAnalysis]:
    """Give curves whose maxima these stations limit, all in one place and each for another share of the I/Os;
    an empty name is the latency."""
    found: list[CurveAnalysis] = []
    for item, name in zip(analyse(many(len(stations), '"database"')).curves, stations, strict=True):
        top = item.maximum.at
        assert top.simulation is not None
        kind = "saturated" if name else "outstanding"
        share = 0.6 - 0.01 * len(found) if name else None
        limit = Bottleneck(
            station=name or None, place="drive_media", utilisation=0.95, kind=kind, share=share
        )
        where = top.simulation.model_copy(update={"bottleneck": limit})
        found.append(replace(item, maximum=replace(item.maximum, at=replace(top, simulation=where))))
    return found


@pytest.mark.parametrize(
    ("stations", "said_of_them"),
    [
        (
            ("a drive: dies", "a drive: dies", "a drive: data path", ""),
            "The most frequent limit of the maxima: a drive: media (dies), at 2 of 4. At 1 of 4 maxima no "
            "station is saturated: the latency is the limit there.",
        ),
        (
            ("a: dies", "a: dies", "b: dies", "b: dies", ""),
            "The most frequent limits of the maxima are a: media (dies) and b: media (dies), each at 2 of 5. "
            "At 1 of 5 maxima no station is saturated: the latency is the limit there.",
        ),
        (("a: dies", "a: dies"), "Every maximum has the same limit: a: media (dies)."),
        (("a: dies", "b: dies", "c: dies"), ""),
        (("", "", ""), "No station is saturated at any of the maxima: the latency is the limit."),
    ],
)
def test_limits_are_counted_by_station_and_the_latency_apart(
    stations: tuple[str, ...], said_of_them: str
) -> None:
    assert usual_limit(Messages("en"), of_limits(*stations)) == said_of_them


@pytest.mark.parametrize(
    ("stations", "said_of_them"),
    [
        (("a: dies", "a: dies"), "Every maximum has the same limit: a: media (dies)."),
        (
            ("a: dies", "a: data path"),
            "All maxima are limited in the same place: media of the drive.",
        ),
        (("a: dies", ""), ""),
        (
            ("", ""),
            "No part is saturated at any of the maxima: the latency is the limit, above all of media of the "
            "drive.",
        ),
    ],
)
def test_one_limit_of_all_is_one_station_and_not_one_place(
    stations: tuple[str, ...], said_of_them: str
) -> None:
    assert common_limit(Messages("en"), of_limits(*stations)) == said_of_them


def test_tables_that_name_places_say_that_a_limit_can_be_of_a_part_of_the_ios() -> None:
    told = latency_note(Messages("en"), of_limits("a: dies", ""))
    assert told[0].startswith("Targets are unlike: ")
    assert not any("unlike" in note for note in latency_note(Messages("en"), of_limits("", "")))


def limited_at(busy: tuple[float, float], kind: str = "saturated") -> StoredRun:
    """Give a run of which the first system has another limit than all others, with a utilisation each."""
    stored, results = many(8, '"database", "streaming", "restore"'), []
    for result in stored.results:
        where = result.reading.simulation
        assert where is not None
        first = result.point.system == stored.results[0].point.system
        place, utilisation = ("drive_front", busy[0]) if first else ("host_link", busy[1])
        limit = where.bottleneck.model_copy(update={"place": place, "utilisation": utilisation, "kind": kind})
        told = where.model_copy(update={"bottleneck": limit})
        reading = result.reading.model_copy(update={"simulation": told})
        results.append(result.model_copy(update={"reading": reading}))
    return stored.model_copy(update={"results": tuple(results)})


def limits_of(stored: StoredRun, language: str) -> tuple[set[str], set[str]]:
    """Give the cells of the tables of limits of a paper, and their notes that have a share."""
    blocks = paper.build(stored, language).blocks
    found = [one for one in blocks if isinstance(one, Table) and one.key.startswith("table-limits-")]
    cells = {plain(cell.text) for one in found for row in one.rows for cell in row[1:]}
    return cells, {text for one in found for note in one.notes if "%" in (text := plain(note))}


@pytest.mark.parametrize(
    ("language", "cells", "same"),
    [
        ("en", {"firmware", "host link"}, "Utilisation of each station that limits: 97%."),
        (
            "de",
            {"Firmware", "Hostanbindung"},
            "Auslastung jeder Station, die ein Maximum begrenzt: 97\N{NO-BREAK SPACE}%.",
        ),
        ("ja", {"ファームウェア", "ホスト接続"}, "ボトルネックであるステーションの使用率：いずれも 97%。"),
    ],
)
def test_a_utilisation_that_all_limits_have_is_told_once(language: str, cells: set[str], same: str) -> None:
    """Each cell had it, and a long word, as that for firmware in Japanese, took a second line for it."""
    assert limits_of(limited_at((0.97, 0.972)), language) == (cells, {same})
    apart, notes = limits_of(limited_at((0.97, 0.94)), language)
    assert len(apart) == 2
    assert all(text.rstrip("%").rstrip().endswith(("97", "94")) for text in apart)
    assert not notes


def test_a_caption_promises_utilisations_only_where_cells_have_them() -> None:
    """Tables in which the latency limits all spoke of utilisations too."""

    def captions(stored: StoredRun) -> list[str]:
        found = paper.build(stored).blocks
        return [
            one.caption for one in found if isinstance(one, Table) and one.key.startswith("table-limits-")
        ]

    for kind, busy, told in (
        ("saturated", (0.97, 0.94), True),
        ("saturated", (0.97, 0.97), False),
        ("outstanding", (0.6, 0.5), False),
    ):  # fmt: skip
        found = captions(limited_at(busy, kind))
        assert found
        assert all(("utilisation" in one) == told for one in found)


@pytest.mark.parametrize(
    ("systems", "table", "marked", "others"),
    [
        (5, "table-side-", "host link\N{SECTION SIGN}", "host link"),
        (8, "table-limits-", "host link\N{SECTION SIGN}", "host link"),
    ],
)
def test_a_limit_of_a_part_of_the_ios_is_marked_in_its_cell(
    systems: int, table: str, marked: str, others: str
) -> None:
    """The note below has the mark too; where nearly all I/Os are limited nothing is marked."""
    stored, changed = many(systems, '"database", "streaming", "restore"'), []
    for result in stored.results:
        where = result.reading.simulation
        assert where is not None
        first = result.point.system == stored.results[0].point.system
        limit = where.bottleneck.model_copy(update={"share": 0.4 if first else 0.97, "place": "host_link"})
        told = where.model_copy(update={"bottleneck": limit})
        changed.append(
            result.model_copy(update={"reading": result.reading.model_copy(update={"simulation": told})})
        )
    found = paper.build(stored.model_copy(update={"results": tuple(changed)})).blocks
    tables = [block for block in found if isinstance(block, Table) and block.key.startswith(table)]
    assert tables
    for block in tables:
        column = -1 if table == "table-side-" else 1
        assert [cell.text for cell in (row[column] for row in block.rows)] == [
            marked, *[others] * (systems - 1)
        ]  # fmt: skip
        assert any(str(note).startswith("\N{SECTION SIGN} Targets are unlike") for note in block.notes)


def next_stations(stored: StoredRun, share: float) -> set[str]:
    """Give the next stations of a paper where core 0, the busiest of them, has a share of the I/Os."""
    results = []
    for result in stored.results:
        where = result.reading.simulation
        assert where is not None
        shared = [
            one.model_copy(update={"share": share if one.name == "core 0" else None})
            for one in where.stations
        ]
        dies = Station(name="dies", place="drive_media", utilisation_mean=0.3, utilisation_max=0.3, jobs=10)
        told = where.model_copy(update={"stations": (*shared, dies)})
        results.append(
            result.model_copy(update={"reading": result.reading.model_copy(update={"simulation": told})})
        )
    blocks = paper.build(StoredRun(run=stored.run, results=tuple(results))).blocks
    (table,) = (block for block in blocks if isinstance(block, Table) and block.key == "table-bottlenecks")
    return {str(row[5].text) for row in table.rows}


def test_the_next_station_has_its_share_of_the_ios(stored: StoredRun) -> None:
    assert next_stations(stored, 0.6) == {"core 0, for 60.0% of the I/Os"}
    assert next_stations(stored, 0.5) == {"core 0, for 50.0% of the I/Os"}


def test_the_next_station_is_not_one_of_few_of_the_ios(stored: StoredRun) -> None:
    """As the limit itself: a disk beside SSDs stood there for 0.2% of the I/Os, and the core was not told."""
    assert next_stations(stored, 0.002) == {"dies"}
