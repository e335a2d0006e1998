"""A figure that floats interrupts the table that goes on there: no few rows of it stand alone on a page."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import partial
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from iodyno.report import pdf
from iodyno.report.document import Cell, Column, Document, Heading, Paragraph, Table
from iodyno.report.layout.filling import filled
from iodyno.report.layout.outline import WHOLE_ROWS
from iodyno.report.layout.parting import FIRST_TOGETHER, LAST_TOGETHER, together
from iodyno.report.layout.placed import Filled, Place
from pdf_texts import read
from unit.report.test_filling import document
from unit.report.test_parting import bars, named, table


def interrupted(lines: int) -> Document:
    """Give a paper in which a figure of 37 bars stands at the foot of the page on which a table goes on."""
    before = (Paragraph(f"line {number}") for number in range(lines))
    return document(*before, bars(37), table(named(17)), Paragraph("word " * 600))


def rows_on_pages(of: Document, directory: Path) -> list[int]:
    found = read(pdf.render(of), directory, "-layout").split("\f")
    return [count for page in found if (count := len(re.findall(r"row-\d+", page)))]


@pytest.mark.parametrize("lines", range(24, 31))
def test_no_few_rows_stand_alone_above_a_figure_at_the_foot_of_a_page(lines: int, tmp_path: Path) -> None:
    counts = rows_on_pages(interrupted(lines), tmp_path)
    assert sum(counts) == 17
    assert min(counts) >= FIRST_TOGETHER


@pytest.mark.parametrize("lines", range(24, 31))
def test_a_table_that_one_page_would_hold_is_not_on_three(lines: int, tmp_path: Path) -> None:
    """Of 17 rows some stood before the figure, some above it on its page, and some on the page after it."""
    assert len(rows_on_pages(interrupted(lines), tmp_path)) <= 2


@pytest.mark.parametrize(
    ("helps", "pages_after", "how"),
    [
        ("lowered", 5, "lowered"),
        ("begun", 5, "begun"),
        ("begun", 6, ""),  # another page would be needed
        ("", 5, ""),
    ],
)
def test_charts_are_lower_or_the_table_begins_on_their_page(helps: str, pages_after: int, how: str) -> None:
    of = document(Paragraph("text"), bars(37), Table((Column("A"),), (), "first", "a"), table(named(17)))
    text, figure, first = (
        Place((3, 30.0), (3, 150.0)),
        Place((4, 84.0), (4, 272.0)),
        Place((3, 157.0), (3, 200.0)),
    )
    torn = (None, text, figure, first, Place((3, 208.0), (5, 60.0)))
    joined = (*torn[:4], Place((4, 22.0), (5, 60.0)))

    def places(way: Filled) -> tuple[int, tuple[Place | None, ...]]:
        changed = bool(helps and getattr(way, helps))
        return (pages_after, joined) if changed else (5, torn)

    found = filled(of, frozenset({"bars"}), places)
    assert {name for name in ("lowered", "begun") if getattr(found, name)} == ({how} - {""})
    assert found.begun == ({4} if how == "begun" else frozenset())


def test_no_table_begins_a_page_without_the_text_that_leads_to_it() -> None:
    of = document(bars(37), Paragraph("The rows:"), table(named(17)))
    figure, text = Place((4, 84.0), (4, 272.0)), Place((3, 157.0), (3, 200.0))
    torn = (None, figure, text, Place((3, 208.0), (5, 60.0)))
    joined = (*torn[:3], Place((4, 22.0), (5, 60.0)))
    found = filled(of, frozenset({"bars"}), lambda way: (5, joined if way.begun else torn))
    assert not found.begun


def test_pages_that_a_joined_table_leaves_early_are_filled() -> None:
    """Where a table came to end a page earlier, a figure behind it left half a page empty."""
    late, section = replace(bars(20), key="late"), (Heading(1, "Next", "n"), Paragraph("next"))
    of = document(bars(37), table(named(17)), Paragraph("text"), late, table(named(4)), *section)
    figure, drawn = Place((4, 84.0), (4, 272.0)), Place((6, 22.0), (6, 150.0))
    text, end = Place((5, 22.0), (5, 130.0)), (None, Place((7, 22.0), (7, 60.0)))
    torn = (None, figure, Place((3, 208.0), (5, 60.0)), Place((5, 68.0), (5, 250.0)), drawn, drawn, *end)
    joined = (None, figure, Place((4, 22.0), (5, 20.0)), text, drawn, Place((6, 158.0), (6, 200.0)), *end)
    nearer = (*joined[:5], Place((5, 138.0), (5, 180.0)), *end)

    def places(way: Filled) -> tuple[int, tuple[Place | None, ...]]:
        return 7, torn if not way.begun else nearer if "late" in way.heads else joined

    found = filled(of, frozenset({"bars"}), places)
    assert found.begun == {2}
    assert found.heads == {"late"}


@given(st.lists(st.sampled_from(["name", "", "heading"]), min_size=13, max_size=30))
def test_rows_inside_of_a_table_stay_together(kinds: list[str]) -> None:
    """Each group has enough rows, but for the last one below a heading, and begins with a name."""
    kinds[0] = "name" if not kinds[0] else kinds[0]
    rows = tuple(
        (Cell("heading"),) if kind == "heading" else (Cell(kind), Cell(f"row-{number}"))
        for number, kind in enumerate(kinds)
    )
    counts = together(Table((Column("Name"), Column("Row")), rows, "what it shows", "t"), inside=True)
    starts = [place for place, count in enumerate(counts) if count]
    for start, after in pairwise(starts):
        assert counts[start] >= FIRST_TOGETHER or "heading" in kinds[start:after]
        assert start + counts[start] <= after
        assert kinds[after] == "name" or kinds[after - 1] == "heading" or counts[start] >= WHOLE_ROWS
    assert all("heading" not in kinds[start : start + counts[start]] for start in starts)


def test_the_last_rows_are_still_held() -> None:
    assert [count for count in together(table(named(17)), inside=True) if count] == [3, 3, 3, 3, 5]
    assert [count for count in together(table(named(16)), inside=True) if count] == [
        3,
        3,
        3,
        2 + LAST_TOGETHER,
    ]


@pytest.mark.parametrize(
    ("pages_after", "rows_after", "held"),
    [
        (5, (9, 3, 5), {3}),
        (6, (9, 3, 5), set()),  # another page would be needed
        (5, (10, 2, 5), set()),  # it helps not
    ],
)
def test_rows_are_held_only_where_that_helps(
    pages_after: int, rows_after: tuple[int, ...], held: set[int]
) -> None:
    of = document(Paragraph("text"), bars(37), table(named(17)))
    text, figure = Place((3, 30.0), (3, 200.0)), Place((4, 60.0), (4, 270.0))
    spans = (3, 208.0), (5, 60.0)
    plain = (None, text, figure, Place(*spans, (10, 2, 5)))
    then = (None, text, figure, Place(*spans, rows_after))
    found = filled(of, frozenset(), lambda way: (pages_after, then) if way.held else (5, plain))
    assert found.held == held


def test_rows_are_counted_only_of_tables_that_a_figure_interrupts() -> None:
    of = document(Paragraph("text"), bars(37), table(named(17)))
    asked = []

    def places(figure: Place, way: Filled) -> tuple[int, list[Place | None]]:
        asked.append(way.counted)
        return 5, [None, Place((3, 30.0), (3, 200.0)), figure, Place((3, 208.0), (5, 60.0))]

    for page in (3, 5):
        filled(of, frozenset(), partial(places, Place((page, 60.0), (page, 200.0))))
    assert not any(asked)
    filled(of, frozenset(), partial(places, Place((4, 60.0), (4, 270.0))))
    assert {3} in asked
