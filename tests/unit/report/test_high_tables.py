"""Long names: what is higher than a page is parted, names have room, the first page is one."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from iodyno.report import pdf
from iodyno.report.document import Block, Cell, Column, Document, Facts, Paragraph, Table, TitlePage
from iodyno.report.layout.columns import fit
from iodyno.report.layout.parting import together
from iodyno.report.layout.placed import BOTTOM_MM, Filled
from pdf_texts import facts, read
from unit.report.test_filling import document

LONG = "a configuration whose name explains at great length what it is and how it differs from others "
"""Some 95 letters."""
NUMBERS = tuple(Column(f"Number {number}", "right", "MB/s") for number in range(8))


def high(rows: int, times: int, **how: Any) -> Table:
    """Give a table of names that break into many lines, beside numbers."""
    cells = tuple(Cell("123,456") for _ in NUMBERS)
    names = (f"{LONG * times}, row-{number}" for number in range(rows))
    of = tuple((Cell(name), *cells) for name in names)
    return Table((Column("Configuration"), *NUMBERS), of, "what it shows", "t", **how)


def lowest(of: Document) -> float:
    """Give how far down the last block ends, on the page on which it does."""
    _, places = pdf._Setting(of).places(Filled(frozenset()))
    return max(place.ends[1] for place in places if place)


@pytest.mark.parametrize(
    ("of", "count"),
    [
        (high(12, 4, notes=("A note.",)), 12),
        (high(12, 4), 12),
        (high(9, 8), 9),
        (high(20, 4), 20),
        (Facts(tuple((f"row-{number}", LONG * 12) for number in range(10))), 10),
        (Facts(tuple((f"row-{number}", LONG * 40) for number in range(4))), 4),
    ],
)
@pytest.mark.parametrize("before", [1, 20])
def test_what_is_higher_than_a_page_is_parted(
    tmp_path: Path, of: Table | Facts, count: int, before: int
) -> None:
    """Its last rows were printed over its notes and over the foot of the page."""
    lines: list[Block] = [Paragraph(f"line {number}") for number in range(before)]
    paper = document(*lines, of)
    assert lowest(paper) <= BOTTOM_MM + 1
    text = read(pdf.render(paper), tmp_path, "-layout")
    assert text.count("row-") == count
    assert before > 1 or "row-" in text.split("\f")[2]  # no empty page after the heading


@pytest.mark.parametrize(("letters", "held"), [(1, [3, 0, 0, *[1] * 12, 5, 0, 0, 0, 0]), (8, [])])
def test_rows_stay_on_one_page_where_they_fit_on_it(letters: int, held: list[int]) -> None:
    """The last five would be as high as 150 mm: a page would end after its first rows."""
    rows = tuple((Cell(f"row {number}"), Cell(LONG * letters)) for number in range(20))
    block = Table((Column("Configuration"), Column("What it is")), rows, "what it shows", "t")
    assert (sum(fit(block).heights_mm[-5:]) > 100) is (not held)
    assert together(block) == held


def test_headings_of_rows_have_a_line_each() -> None:
    """Estimates of heights belong to the rows that are estimated."""
    rows = ((Cell("A heading"),), (Cell("row"), Cell(LONG * 8)), (Cell("Another"),), (Cell("row"), Cell("1")))
    lines = fit(Table((Column("Configuration"), Column("What it is")), rows, "what it shows", "t")).lines
    assert [line > 1 for line in lines] == [False, False, True, False, False]


def test_a_name_gets_the_room_that_no_other_column_needs() -> None:
    """The names had five lines, those beside them two: parts are named in 45 letters, and may have three."""
    part = "PRAID EP420i, 8 drives in RAID 6: data path of"
    names = ("Database, RAID 6, one failed, rebuilding", "File server, RAID 6, one failed, rebuilding")
    rows = tuple(
        (Cell(name, strong=True), Cell("88,010 IO/s"), Cell("64"), Cell(part), Cell("100.0%"), Cell(part),
         Cell("78.9%"))
        for name in names
    )  # fmt: skip
    columns = (
        Column("Load profile"),
        Column("Maximum", "right"),
        Column("Outstanding I/Os", "right"),
        Column("Limit"),
        Column("Utilisation", "right"),
        Column("Next station"),
        Column("Utilisation", "right"),
    )
    assert max(fit(Table(columns, rows, "what limits", "t")).lines) <= 3


def test_letters_are_smaller_where_names_would_break_into_many_lines() -> None:
    """Six lines of some letters each stood beside five columns of numbers, in letters as large as any."""
    quotient = "0.40 (0.39–0.40)"
    rows = tuple(
        (
            Cell(f"P3700 {size} GB (whole capacity) ÷ P3700 {size} GB (32 GB, as before)"),
            *(Cell(quotient, strong=True) for _ in range(5)),
        )
        for size in (800, 1600, 2000)
    )
    columns = (Column("Configuration"), *(Column(name, "right") for name in "ABCDE"))
    found = fit(Table(columns, rows, "quotients", "t"))
    assert max(found.lines) <= 4


def test_the_first_page_is_one_however_long_its_names_are(tmp_path: Path) -> None:
    """Its facts stood alone on the second page."""
    title = TitlePage(
        "White Paper",
        LONG * 2,
        LONG * 3,
        (("Date", "2024-05-17"), ("Systems", LONG * 3), ("Study", "s" * 90), ("Run", "facts-end")),
        tuple((LONG * 2, "123,456 IO/s", "Maximum, at 64 outstanding I/Os, ±1.5%") for _ in range(6)),
        "Simulated, not measured. " * 6,
    )
    paper = Document("en", title, (Paragraph("text"),), "", "2024-05-17")
    data = pdf.render(paper)
    assert "facts-end" in read(data, tmp_path).split("\f")[0]
    assert facts(data, tmp_path)["Pages"] == "3"
