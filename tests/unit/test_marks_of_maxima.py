"""Maxima in the terminal have the marks of the paper: what has a reservation does not stand there bare."""

from __future__ import annotations

import re

import pytest

from command_line import CommandLine
from iodyno.report import paper
from iodyno.report.document import Table
from iodyno.report.messages import plain
from iodyno.store import Store

NOTE = "* capped, † not steady, ‡ disturbed."
PRECISE = ("--floor-ios", "2000", "--cap-ios", "200000", "--precision", "5%")


@pytest.mark.parametrize(
    ("asked", "mark"),
    [
        (("--outstanding", "16", "--floor-ios", "1000", "--cap-ios", "1000", "--precision", "0.1%"), "*"),
        (("--outstanding", "16", *PRECISE), ""),
        # What the P3700's datasheet has at most is 295,000 IO/s: its queue grows.
        (("--rate", "600000", *PRECISE), "†"),
    ],
)
def test_marks_and_their_note_are_those_of_the_paper(
    iodyno_says: CommandLine, asked: tuple[str, ...], mark: str
) -> None:
    said = iodyno_says("simulate", "quick", "--on", "p3700", "--profile", "database", "--area", "8G", *asked)
    assert said.code == 0, said.err
    (figure,) = re.findall(r"^Database \(area 8 GB\) +(\S+) IO/s ", said.out, re.MULTILINE)
    assert re.sub(r"[\d,]+", "", figure) == mark
    assert said.out.count(NOTE) == bool(mark)
    with Store.open() as store:
        document = paper.build(store.load("latest"))
    texts = [
        plain(cell.text) for b in document.blocks if isinstance(b, Table) for row in b.rows for cell in row
    ]
    marks = {found[1] for text in texts if (found := re.fullmatch(r"[\d.,]+([*†‡])", text))}
    assert marks == ({mark} if mark else set())
