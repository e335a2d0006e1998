"""Short tables are parted where a page would end early: some rows on either page, never those of one name."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from iodyno.report import pdf
from iodyno.report.document import (
    Axis,
    BarChart,
    Block,
    Cell,
    Column,
    Facts,
    Figure,
    Heading,
    Paragraph,
    Table,
)
from iodyno.report.layout.filling import WORTH_FILLING_MM, filled
from iodyno.report.layout.parting import FIRST_TOGETHER, LAST_TOGETHER, may_be_parted, together
from iodyno.report.layout.placed import APART_MM, BOTTOM_MM, TOP_MM, Filled, Place
from pdf_texts import read
from unit.report.test_filling import POINTS, best, document, figure, pages

Places = tuple[Place | None, ...]
TWO_LINES = " of two lines" * 13


def table(names: list[str], *, high: bool = False, **how: Any) -> Table:
    """Make a table; eight rows of a high one are some 75 mm, and too high for one that is never parted."""
    more = TWO_LINES if high else ""
    rows = tuple((Cell(name), Cell(f"row-{number}{more}")) for number, name in enumerate(names))
    return Table((Column("Name"), Column("Row")), rows, "what it shows", "t", **how)


def named(count: int) -> list[str]:
    return [f"name-{number}" for number in range(count)]


@given(st.lists(st.booleans(), min_size=1, max_size=11))
def test_no_name_is_parted_from_its_rows_and_no_page_has_few(begins: list[bool]) -> None:
    names = [f"name-{place}" if new or not place else "" for place, new in enumerate(begins)]
    of = table(names, high=True)
    counts = together(of, parted=True) or [1] * len(begins)
    starts = [place for place, count in enumerate(counts) if count]
    assert [end - start for start, end in pairwise([*starts, len(begins)])] == [c for c in counts if c]
    assert all(begins[place] for place in starts[1:])
    assert may_be_parted(of) == (len(starts) > 1)
    if len(starts) > 1:
        assert starts[1] >= FIRST_TOGETHER
        assert len(begins) - starts[-1] >= LAST_TOGETHER
    elif len(begins) >= FIRST_TOGETHER + LAST_TOGETHER:
        assert not any(begins[FIRST_TOGETHER : len(begins) - LAST_TOGETHER + 1])


@pytest.mark.parametrize(
    ("block", "may"),
    [
        (table(named(8), high=True), True),
        (table(named(12)), True),  # a page ended a quarter empty before it
        (table(named(9)), False),  # small
        (table(named(7), high=True), False),
        (table(["a", "", "", "", "b", "", "", ""], high=True), False),  # four rows of b would stand alone
        (table(["a", "", "", "b", "", "", "", ""], high=True), True),
        (table(named(9), high=True, lookup=True), True),
        (table(named(7), high=True, lookup=True), False),
        (table(named(13)), False),  # breaks in any case
        (table(named(13), lookup=True), False),
        (
            Table((Column("A"), Column("B")), ((Cell("head"),), *table(named(9), high=True).rows), "c", "t"),
            False,
        ),
        (Facts(tuple((name, "x") for name in named(8))), True),
        (Facts(tuple((name, "x") for name in named(7))), False),
        (Paragraph("text"), False),
    ],
)
def test_what_has_rows_for_two_pages_may_be_parted(block: Block, may: bool) -> None:
    assert may_be_parted(block) is may


def test_a_list_that_ends_the_paper_may_be_parted_though_it_is_long() -> None:
    glossary = Facts(tuple((name, "x") for name in named(17)))
    assert may_be_parted(glossary, ends=True)
    assert not may_be_parted(glossary)


@pytest.mark.parametrize("before", range(24, 32))
def test_a_table_fills_the_page_before_it(tmp_path: Path, before: int) -> None:
    """Between 40 and 85 mm are free there; the table with its caption is some 85 mm high."""
    lines = (Paragraph(f"line {number}") for number in range(before))
    of = document(*lines, table(named(8), high=True), figure("f"))
    read_pages = read(pdf.render(of), tmp_path, "-layout").split("\f")
    counts = [len(re.findall(r"row-\d+", page)) for page in read_pages if "row-" in page]
    assert sum(counts) == 8
    if len(counts) > 1:
        assert counts[0] >= 3
        assert counts[1] >= 5
        assert all("Name" in page for page in read_pages if "row-" in page)
    goes_on = [page.count("Table 1, continued") for page in read_pages if "row-" in page]
    assert goes_on == [0, 1][: len(counts)]


def test_a_small_table_stands_on_one_page(tmp_path: Path) -> None:
    """Wherever the page before it ends: nine rows stood on two pages."""
    for before in range(22, 34):
        lines = (Paragraph(f"line {number}") for number in range(before))
        read_pages = read(pdf.render(document(*lines, table(named(9)))), tmp_path, "-layout").split("\f")
        assert [len(re.findall(r"row-\d+", page)) for page in read_pages if "row-" in page] == [9], before


@pytest.mark.parametrize("headed", [False, True])
@pytest.mark.parametrize("before", range(28, 36))
def test_a_long_table_begins_with_some_rows(tmp_path: Path, before: int, headed: bool) -> None:
    """Behind the heading that is theirs: one row stood with it at the foot of a page."""
    rows = list(table(named(15)).rows)
    if headed:
        rows = [*((Cell("head"),), *rows[:5], (Cell("head"),), *rows[5:10], (Cell("head"),), *rows[10:])]
    long = Table((Column("Name"), Column("Row")), tuple(rows), "what it shows", "t")
    of = document(*(Paragraph(f"line {number}") for number in range(before)), long)
    read_pages = read(pdf.render(of), tmp_path, "-layout").split("\f")
    counts = [len(re.findall(r"row-\d+", page)) for page in read_pages if "row-" in page]
    assert sum(counts) == 15
    assert min(counts) >= FIRST_TOGETHER


def with_notes(rows: int, notes: int, *, lookup: bool = False, groups: int = 1) -> Table:
    """Make a table with notes, whose rows stand in groups under one name each."""
    names = ["" if number % groups else f"name-{number}" for number in range(rows)]
    said = tuple(f"note-{number} of what stands above." for number in range(notes))
    return replace(table(names, lookup=lookup), notes=said)


@pytest.mark.parametrize(
    ("of", "least"),
    [
        (with_notes(30, 1), 5),
        (with_notes(30, 6), 5),
        (with_notes(30, 2, groups=3), 3),
        (with_notes(11, 2, lookup=True), 1),
    ],
)
def test_notes_stand_with_the_last_rows_of_their_table(tmp_path: Path, of: Table, least: int) -> None:
    """Wherever the page ends: they stood at the head of a page, and the table on the one before."""
    ends = set()
    for before in range(40):
        lines = (Paragraph(f"line {number}") for number in range(before))
        read_pages = read(pdf.render(document(*lines, of)), tmp_path, "-layout").split("\f")
        ((place, page),) = [(place, page) for place, page in enumerate(read_pages) if "note-" in page]
        assert len(re.findall(r"row-\d+", page)) >= least, before
        assert len(re.findall(r"note-\d+", page)) == len(of.notes)
        ends.add((place, page.count("line ") > 0))
    assert len(ends) > 1  # a page has ended in the table


@pytest.mark.parametrize(
    ("names", "held"),
    [
        (named(13), {0: 3, 8: 5}),
        (["a", "", *named(11)], {0: 2, 8: 5}),
        ([*named(10), "a", "", "", "b", ""], {0: 3, 10: 5}),
        ([*named(9), "a", "", "", "", "", "b", ""], {0: 3, 9: 7}),
    ],
)
def test_what_a_long_table_holds(names: list[str], held: dict[int, int]) -> None:
    found = together(table(names))
    assert {place: count for place, count in enumerate(found) if count > 1} == held


def test_tables_are_parted_only_where_much_is_free() -> None:
    """A page that lacks less than that of its end is well filled, and a whole table is easier to read."""
    for free, parted in ((WORTH_FILLING_MM + 1, {2}), (WORTH_FILLING_MM - 1, set())):
        of = document(Paragraph("text"), table(named(9), high=True))
        ended = BOTTOM_MM - free
        places = (None, Place((3, 30.0), (3, ended)), Place((4, TOP_MM), (4, 90.0)))
        fills = (*places[:2], Place((3, ended + APART_MM), (4, 60.0)))

        def setting(way: Filled, now: Places = places, then: Places = fills) -> tuple[int, Places]:
            return 4, then if way.parted else now

        way = filled(of, frozenset(), setting)
        assert way.parted == parted


def test_a_text_that_leads_to_a_table_goes_with_it() -> None:
    """What begins the page is the text, under a heading of the first level: 13 mm are free above that."""
    text = Paragraph("What it shows:")
    of = document(figure("one"), Heading(1, "Next", "n"), text, table(named(2)))
    free, lacks = 45.0, 5.0
    high = TOP_MM + free - 13.0 + lacks
    places = (
        None,
        Place((3, 30.0), (3, BOTTOM_MM - free)),
        None,
        Place((4, 31.0), (4, 34.0)),
        Place((4, 40.0), (4, high)),
    )
    then = (*places[:3], Place((3, 250.0), (3, 255.0)), Place((3, 260.0), (3, 270.0)))
    way = filled(of, frozenset(), lambda way: (4, then if way.lowered else places))
    assert way.lowered == {"one": pytest.approx(1 - lacks / 52.9, abs=0.001)}


def bars(rows: int) -> Figure:
    named_rows = tuple((f"bar {number}", POINTS[:1]) for number in range(rows))
    return Figure((BarChart(Axis("x"), named_rows, ("bar",)),), "Bars", "alt", "bars", floats=True)


@pytest.mark.parametrize("level", [1, 3])
def test_no_text_of_the_next_section_stands_before_a_figure_at_the_head_of_a_page(
    tmp_path: Path, level: int
) -> None:
    """What follows in the section does not fill the page; the next section waits for the figure."""
    of = document(
        Paragraph("before " * 240),
        bars(40),
        Paragraph("after " * 150),
        Heading(level, "Next", "n"),
        Paragraph("end " * 300),
    )
    way = best(of)
    assert way.heads == {"bars"}
    assert way.flushed(of) == {4}
    _, _, first, second, *_ = read(pdf.render(of), tmp_path, "-layout").split("\f")
    assert "after" in first
    assert "Next" not in first
    assert second.index("Bars") < second.index("Next")


def test_a_table_behind_a_figure_that_floats_fills_the_page_before_both() -> None:
    """Twelve rows are higher than the room that the figure leaves, but some of them fit there."""
    of = document(
        Paragraph("before " * 410),
        bars(36),
        table(named(12), high=True),
        Heading(1, "Next", "n"),
        Paragraph("end " * 300),
    )
    way = best(of)
    assert way.heads == {"bars"}
    assert way.parted == {3}
    (before, plain), (after, found) = pages(of, Filled(frozenset())), pages(of, way)
    assert after <= before
    assert found == plain


def test_what_is_left_of_a_page_with_a_figure_at_its_head_is_filled_too() -> None:
    """The text before the figure ends a page earlier: its end is not that of the page of the figure."""
    end = (Heading(1, "Next", "n"), Paragraph("end"))
    of = document(Paragraph("text"), bars(36), Paragraph("more"), table(named(9), high=True), *end)
    text, whole, last = (
        Place((3, 200.0), (3, 210.0)),
        Place((5, 30.0), (5, 98.0)),
        Place((5, 120.0), (5, 125.0)),
    )
    high = Place((4, TOP_MM), (4, 200.0))
    plain = (None, text, high, Place((4, 210.0), (4, 225.0)), whole, None, last)
    floats = (None, text, high, Place((3, 215.0), (3, 270.0)), whole, None, last)
    fills = (*floats[:4], Place((4, 207.0), (5, 60.0)), None, last)

    def setting(way: Filled) -> tuple[int, tuple[Place | None, ...]]:
        return 5, fills if way.parted else floats if way.heads else plain

    way = filled(of, frozenset(), setting)
    assert way.heads == {"bars"}
    assert way.parted == {4}


@pytest.mark.parametrize(("free", "parted"), [(70.0, {3}), (55.0, set())])
def test_the_list_that_ends_a_paper_is_parted_only_where_more_is_free(free: float, parted: set[int]) -> None:
    """13 mm of it are above its heading; five rows on a page of their own are no better than a whole list."""
    glossary = Facts(tuple((name, "x") for name in named(17)))
    of = document(Paragraph("text"), Heading(1, "Glossary", "g"), glossary)
    text = Place((3, 30.0), (3, BOTTOM_MM - free))
    places = (None, text, None, Place((4, 31.0), (4, 148.0)))
    fills = (None, text, None, Place((3, BOTTOM_MM - free + 22), (4, 60.0)))
    way = filled(of, frozenset(), lambda way: (4, fills if way.parted else places))
    assert way.parted == parted


@pytest.mark.parametrize("between", [(), (Heading(4, "Part", "p"),)])
def test_a_line_below_a_heading_does_not_end_a_page_without_the_text_that_it_begins(
    tmp_path: Path, between: tuple[Heading, ...]
) -> None:
    """A heading and "All configurations here: 4 SSDs." ended a page, and all else stood on the next."""
    ends = set()
    for lines in range(26, 36):
        of = document(
            *(Paragraph("before") for _ in range(lines)),
            Heading(3, "Section", "s"),
            Paragraph("A line that all of it shares."),
            *between,
            Paragraph("What follows. " * 40),
        )
        text = read(pdf.render(of), tmp_path, "-layout").split("\f")
        (page,) = (page for page in text if "A line that all" in page)
        assert "What follows." in page, lines
        ends.add(page.count("before") > 0)
    assert ends == {True, False}


def test_no_row_below_the_last_heading_of_a_table_stands_alone_on_a_page() -> None:
    """The last of twelve systems in four groups of three stood alone below a head on the next page."""
    rows = [(Cell(f"row-{number}"), Cell("1")) for number in range(12)]
    groups = [[(Cell(f"group-{place}"),), *rows[place * 3 : place * 3 + 3]] for place in range(4)]
    of = Table((Column("Name"), Column("Row")), tuple(row for group in groups for row in group), "all", "t")
    found = together(of)
    assert found[-3:] == [3, 0, 0]
    assert [found[place] for place in (0, 4, 8, 12)] == [0, 0, 0, 0]


def headed(*groups: int) -> Table:
    """Make a table of groups of rows, each below a heading of its own."""
    rows: list[tuple[Cell, ...]] = []
    for place, count in enumerate(groups):
        rows.append((Cell(f"group-{place}"),))
        rows += [(Cell(f"row-{place}-{number}"), Cell("1")) for number in range(count)]
    return Table((Column("Name"), Column("Row")), tuple(rows), "all", "t")


@pytest.mark.parametrize("groups", [(5, 5, 5), (4, 2, 4, 6), (7, 3, 6)])
def test_no_row_of_a_group_stands_alone_on_a_page(tmp_path: Path, groups: tuple[int, ...]) -> None:
    """Wherever the page ends: the last of the five rows of an adapter stood on the next page."""
    ends = set()
    for before in range(24, 40):
        lines = (Paragraph(f"line {number}") for number in range(before))
        read_pages = read(pdf.render(document(*lines, headed(*groups))), tmp_path, "-layout").split("\f")
        counts = [Counter(re.findall(r"row-(\d+)-", page)) for page in read_pages if "row-" in page]
        assert sum(count.total() for count in counts) == sum(groups)
        assert min(least for count in counts for least in count.values()) >= 2, before
        ends.add(tuple(counts[0].items()))
    assert len(ends) > 2  # pages have ended in the table


def test_a_row_that_is_alone_below_its_heading_is_held_with_nothing() -> None:
    assert together(headed(6, 1, 6))[7:9] == [0, 1]
