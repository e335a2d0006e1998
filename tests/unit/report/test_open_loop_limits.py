"""Open loops below saturation: the rate asked for is served, and no latency is a limit."""

from __future__ import annotations

import re

import pytest

from command_line import CommandLine
from iodyno.analysis.run import analyse
from iodyno.report import paper
from iodyno.report.document import Document, Paragraph, Table
from iodyno.report.messages import Messages, plain
from iodyno.report.sentences.side_by_side import common_limit
from iodyno.store import Store

SHORT = ("--area", "8G", "--floor-ios", "2000", "--cap-ios", "20000")
SERVED = r"rate asked for, and served; the busiest station: core of the host\s+\d+\.\d%"


def simulated(iodyno_says: CommandLine, *rates: str, profiles: tuple[str, ...] = ("database",)) -> str:
    chosen = [word for name in profiles for word in ("--profile", name)]
    said = iodyno_says("simulate", "quick", "--on", "p3700", *chosen, "--rate", ",".join(rates), *SHORT)
    assert said.code == 0, said.err
    return said.out


def made(language: str = "en") -> Document:
    with Store.open() as store:
        return paper.build(store.load("latest"), language)


def texts(document: Document) -> str:
    return "\n".join(plain(block.text) for block in document.blocks if isinstance(block, Paragraph))


def test_the_terminal_says_that_the_rate_is_served(iodyno_says: CommandLine) -> None:
    assert re.search(SERVED, simulated(iodyno_says, "2000", "20000"))
    shown = iodyno_says("show").out
    assert len(re.findall(SERVED, shown)) == 2
    assert "latency: media" not in shown.split("station")[0]
    said = iodyno_says(
        "simulate", "quick", "--on", "p3700", "--profile", "database", "--rate", "2000", *SHORT, "--analytic"
    )
    assert re.search(SERVED, said.out)


def test_a_rate_that_is_not_served_has_the_limit_that_it_had(iodyno_says: CommandLine) -> None:
    assert "core of the host, 100.0%" in simulated(iodyno_says, "2000", "400000")
    assert len(re.findall(SERVED, iodyno_says("show").out)) == 1
    # Neither served nor is anything saturated: one outstanding I/O is what it waits for.
    choices = ("--profile", "database", "--rate", "50000", "--outstanding", "1")
    said = iodyno_says("simulate", "quick", "--on", "p3700", *choices, *SHORT).out
    assert "latency: " in said
    assert "served" not in said


def test_the_paper_names_the_offered_rate_and_the_busiest_station(iodyno_says: CommandLine) -> None:
    simulated(iodyno_says, "2000", "20000")
    document = made()
    (table,) = (
        block for block in document.blocks if isinstance(block, Table) and block.key == "table-bottlenecks"
    )
    (row,) = ([plain(cell.text) for cell in row] for row in table.rows)
    assert row[3:6] == ["offered rate", "–", "core of the host"]
    assert table.notes == (
        "Of open loops whose rates are all served it is the highest of these, and no maximum.",
        "Offered rate: it is served, and no station is saturated there.",
        "Where no station is saturated, the next station is the busiest one.",
    )
    assert "a rate that is offered is served, the rate is the limit itself" in texts(document)
    assert "the latency is the limit" not in texts(document)


def test_of_several_profiles_too(iodyno_says: CommandLine) -> None:
    simulated(iodyno_says, "2000", "20000", profiles=("database", "file-server"))
    said = texts(made())
    with Store.open() as store:
        curves = analyse(store.load("latest")).curves
    expected = "The offered rates are served, and no part is saturated at any of the maxima."
    assert common_limit(Messages("en"), curves) == expected
    assert "What limits every maximum" not in said  # None is known: more was not asked.
    assert "latency is the limit" not in said.replace("elsewhere the latency is", "")


@pytest.mark.parametrize(
    ("language", "limit"), [("de", "angebotene Rate"), ("ja", "投入レート")]
)  # fmt: skip
def test_in_every_language(iodyno_says: CommandLine, language: str, limit: str) -> None:
    simulated(iodyno_says, "2000", "20000")
    document = made(language)
    (table,) = (
        block for block in document.blocks if isinstance(block, Table) and block.key == "table-bottlenecks"
    )
    assert plain(table.rows[0][3].text) == limit
