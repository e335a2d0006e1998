"""The paper of a search answers what was asked: on its title page and in its conclusion."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from command_line import CommandLine
from factories import make_point, make_result, make_stored_run
from iodyno.analysis.run import analyse
from iodyno.rates import Step
from iodyno.report import paper
from iodyno.report.context import Context
from iodyno.report.document import Document, Heading, Link, Paragraph, Table
from iodyno.report.layout.columns import fit
from iodyno.report.messages import Messages, plain
from iodyno.report.sections.remarks import remarks
from iodyno.report.sentences import search as search_text
from iodyno.store import Store

SHORT = ("--area", "8G", "--resolution", "10%")


def made(language: str = "en") -> Document:
    with Store.open() as store:
        return paper.build(store.load("latest"), language)


def conclusion(document: Document) -> str:
    keys = [getattr(block, "key", "") for block in document.blocks]
    after = document.blocks[keys.index("conclusion") + 1 :]
    end = next(place for place, block in enumerate(after) if isinstance(block, Heading))
    return "\n".join(plain(block.text) for block in after[:end] if isinstance(block, Paragraph))


def searched(iodyno_says: CommandLine, limit: str) -> str:
    said = iodyno_says("search", "--on", "p3700", "--profile", "database", "--p99.9", limit, *SHORT)
    assert said.code == 0, said.err
    return said.out


def test_the_answer_stands_on_the_title_page_and_in_the_conclusion(iodyno_says: CommandLine) -> None:
    """It is that of the terminal, digit by digit, as in the table: the rate was asked for, not estimated."""
    out = searched(iodyno_says, "5ms")
    found = re.search(r"kept up to ([0-9,]+) IO/s .* broken at ([0-9,]+) IO/s", out)
    assert found
    kept, broken = found.groups()
    document = made()
    name, figure, remark = document.title_page.summary[0]
    assert (name, figure.strip("()")) == ("Database (area 8 GB), open loop", f"{kept} IO/s")
    assert remark.replace(f"({broken})", broken) == (
        f"highest rate with 99.9% of the response times at most 5 ms; {broken} IO/s breaks it"
    )
    said = conclusion(document).replace(f"({kept})", kept).replace(f"({broken})", broken)
    assert (
        "The highest rate of Database (area 8 GB) with 99.9% of the response times at most 5 ms is "
        f"{kept} IO/s: {broken} IO/s breaks the limit." in said
    )
    bracketed = "(" in figure + remark
    assert ("A rate in brackets rests on" in document.title_page.remark) == bracketed
    table = next(block for block in document.blocks if getattr(block, "key", "") == "table-searches-search")
    assert isinstance(table, Table)
    assert [str(table.rows[0][place].text).strip("()") for place in (2, 4)] == [kept, broken]


def test_the_terminal_shows_the_rate_that_keeps_the_limit_among_the_maxima(iodyno_says: CommandLine) -> None:
    """The row of the open loop is the answer: a rate that broke the limit serves more, and is none."""
    out = searched(iodyno_says, "2ms")
    found = re.search(r"kept up to ([0-9,]+) IO/s", out)
    assert found
    (row,) = re.findall(r"open loop .*? ([0-9,]+)/s  ", out)
    assert row == found[1]
    title = rf"highest rate that keeps the limit [0-9,]+ IO/s at {found[1]}/s asked"
    assert re.search(title, iodyno_says("show").out)
    assert "open loop" not in searched(iodyno_says, "1us")


def test_the_maximum_of_a_search_in_a_paper_is_its_answer(iodyno_says: CommandLine) -> None:
    """The highest rate tried broke the limit: it is no maximum."""
    out = searched(iodyno_says, "2ms")
    found = re.search(r"kept up to ([0-9,]+) IO/s .* broken at ([0-9,]+) IO/s", out)
    assert found
    kept, broken = (float(rate.replace(",", "")) for rate in found.groups())
    with Store.open() as store:
        (open_loop,) = [item for item in analyse(store.load("latest")).curves if item.curve.open_loop]
    top = open_loop.maximum.at.point.rate_io_s or 0.0
    assert abs(top / kept - 1) < 0.001 < abs(broken / kept - 1)


def test_response_times_are_told_of_the_answer_where_they_are_shown(iodyno_says: CommandLine) -> None:
    """They were those of the highest rate that was tried, which broke the limit, and pointed to a figure of
    latencies at other rates."""
    found = re.search(r"kept up to ([0-9,]+) IO/s", searched(iodyno_says, "2ms"))
    assert found
    (said,) = [
        block.text
        for block in made().blocks
        if isinstance(block, Paragraph)
        and "of the response times are at most" in plain(block.text)
        and "starts from" in plain(block.text)
    ]
    assert f"At an offered rate of {found[1]} IO/s, 99% of the response times" in plain(said)
    shown = [part.key for part in said if isinstance(part, Link)]
    assert [key.rsplit("-", 1)[0].startswith(("figure-load", "table-load")) for key in shown] == [True, True]


def test_of_many_searches_the_conclusion_says_how_many_have_an_answer(iodyno_says: CommandLine) -> None:
    searched(iodyno_says, "5ms")
    with Store.open() as store:
        analysis = analyse(store.load("latest"))
    (found,) = analysis.searches
    (said,) = search_text.sentences(Messages("en"), analysis.curves, [found] * 5)
    assert said == ("All 5 searches for the highest rate that keeps a limit of the response time found one.")
    none = replace(found, steps=())
    (said,) = search_text.sentences(Messages("en"), analysis.curves, [none] * 5)
    assert said == "None of 5 searches found a rate that keeps its limit of the response time."
    (said,) = search_text.sentences(Messages("en"), analysis.curves, [found, *[none] * 4])
    assert said.endswith(
        "Of 5 searches for the highest rate that keeps a limit of the response time, 1 found one."
    )
    assert len(search_text.sentences(Messages("en"), analysis.curves, [found] * 4)) == 4


def test_a_rate_in_brackets_is_explained_in_the_remarks(iodyno_says: CommandLine) -> None:
    """They stand on the title page, which has rates of a search too."""
    searched(iodyno_says, "5ms")
    with Store.open() as store:
        stored = store.load("latest")
    analysis = analyse(stored)
    (found,) = analysis.searches

    def disturbed(step: Step) -> Step:
        verdict = step.result.verdict.model_copy(update={"state": "disturbed"})
        return replace(step, result=step.result.model_copy(update={"verdict": verdict}))

    doubtful = replace(found, steps=tuple(map(disturbed, found.steps)))
    assert doubtful.doubtful
    assert not found.doubtful
    for search in (found, doubtful):
        context = Context(stored, replace(analysis, searches=(search,)), Messages("en"))
        told = [text for text in remarks(context) if text.startswith("A rate in brackets rests on")]
        assert bool(told) == bool(search.doubtful)


def test_a_limit_that_nothing_keeps_is_told(iodyno_says: CommandLine) -> None:
    assert "no rate that was tried keeps it" in searched(iodyno_says, "1us")
    document = made()
    said = conclusion(document)
    assert (
        "No rate of Database (area 8 GB) that was tried has 99.9% of the response times at most 0.001 ms."
        in said
    )
    assert "highest rate with" not in " ".join(" ".join(entry) for entry in document.title_page.summary)


@pytest.mark.parametrize(
    ("language", "title"),
    [
        ("de", "Höchste Rate mit p99.9 der Antwortzeit von höchstens 0,5 ms"),
        ("ja", "応答時間の p99.9 が 0.5 ms 以下となる最高レート"),
    ],
)
def test_the_title_is_in_the_language(iodyno_says: CommandLine, language: str, title: str) -> None:
    searched(iodyno_says, "500us")
    assert made(language).title_page.title == title


@pytest.mark.parametrize("language", ["en", "de", "ja"])
def test_no_table_needs_a_page_of_its_own_for_its_width(iodyno_says: CommandLine, language: str) -> None:
    searched(iodyno_says, "5ms")
    tables = [block for block in made(language).blocks if isinstance(block, Table) and block.printed]
    assert [table.key for table in tables if fit(table).landscape] == []


def test_the_rates_of_one_open_loop_stand_below_each_other() -> None:
    """Beside each other the many rates of a search leave the name of the profile no room."""
    stored = make_stored_run(profiles=("database",), intensities=(1, 2, 4), varied=False)
    rates = (61_180.0, 71_220.0, 73_355.0)
    results = tuple(
        make_result(make_point("database", 64, index=index, rate_io_s=rate), rate_io_s=rate)
        for index, rate in enumerate(rates)
    )
    document = paper.build(stored.model_copy(update={"results": results}))
    tables = (block for block in document.blocks if isinstance(block, Table))
    [table] = (table for table in tables if table.key.startswith("table-limits"))
    assert [row[0].text for row in table.rows] == ["61,180", "71,220", "73,355"]
    assert [str(column.title) for column in table.columns] == ["Offered rate", "Database"]
