"""Maxima in the terminal have the marks of the paper: what has a reservation does not stand there bare."""

from __future__ import annotations

import re

import pytest

from command_line import CommandLine
from factories import make_stored_run
from iodyno.reading import PointResult, State
from iodyno.report import paper
from iodyno.report.document import Table
from iodyno.report.messages import plain
from iodyno.store import Store

NOTES = {"*": "* capped.", "†": "† not steady.", "": ""}
"""What explains the marks that stand there, and no other."""
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
    assert re.findall("^[*†‡] .*", said.out, re.MULTILINE) == [NOTES[mark]] * bool(mark)
    with Store.open() as store:
        document = paper.build(store.load("latest"))
    texts = [
        plain(cell.text) for b in document.blocks if isinstance(b, Table) for row in b.rows for cell in row
    ]
    marks = {found[1] for text in texts if (found := re.fullmatch(r"[\d.,]+([*†‡])", text))}
    assert marks == ({mark} if mark else set())


@pytest.mark.parametrize(
    ("states", "note"),
    [
        (("steady", "steady"), ()),
        (("not_judged", "not_judged"), ()),
        (("capped", "steady"), ("* capped.",)),
        (("not_steady", "capped"), ("* capped, † not steady.",)),
        (("disturbed", "disturbed"), ("‡ disturbed.",)),
    ],
)
def test_the_table_of_maxima_explains_the_marks_that_stand_in_it(
    states: tuple[State, State], note: tuple[str, ...]
) -> None:
    def judged(result: PointResult) -> PointResult:
        state = states[result.point.outstanding > 1]
        return result.model_copy(update={"verdict": result.verdict.model_copy(update={"state": state})})

    document = paper.build(make_stored_run(profiles=("database",), intensities=(1, 4), change=judged))
    [table] = [b for b in document.blocks if isinstance(b, Table) and b.key == "table-maxima"]
    assert tuple(text for text in map(plain, table.notes) if text[0] in "*†‡") == note
