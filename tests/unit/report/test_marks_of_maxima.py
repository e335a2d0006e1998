"""Maxima in the terminal have the marks of the paper: what has a reservation does not stand there bare."""

from __future__ import annotations

import re

import pytest

from command_line import CommandLine
from factories import make_run, make_stored_run
from iodyno import bench
from iodyno.reading import PointResult, State
from iodyno.report import paper
from iodyno.report.document import Table
from iodyno.report.messages import plain
from iodyno.store import Store
from iodyno.store.records import StoredRun
from iodyno.study import parse_study, plan_simulation
from iodyno.study.systems import resolve
from iodyno.system.virtual import describe

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


SHORT = """
schema = 1
name = "short"
title = "Too short to be precise"
[simulation]
warmup_ios = 100
floor_ios = 500
cap_ios = 1000
precision = "1%"
[[configuration]]
name = "raid{level}-of-{count}"
system = "p3700"
changes = { count = "{count}", level = "{level}" }
each.level = ["0", "5"]
each.count = [4, 8]
[[sweep]]
name = "over-the-load"
profiles = ["database", "file-server"]
outstanding = [1, 64]
LAYOUT
[[sweep]]
name = "at-one-load"
profiles = ["random-read-4k", "random-write-4k"]
outstanding = [1]
LAYOUT
[[sweep]]
name = "rates"
profiles = ["random-write-4k"]
rate_io_s = [1000, 900000]
configurations = ["raid0-*"]
"""


@pytest.mark.parametrize("layout", ["each", "together", "matrix"])
def test_every_table_explains_the_marks_that_stand_in_it_and_no_others(layout: str) -> None:
    study = parse_study(SHORT.replace("LAYOUT", f'chart = {{ layout = "{layout}" }}'))
    systems = {one.name: resolve(one) for one in study.configurations}
    plan = plan_simulation(study, systems)
    run = make_run(plan, system=describe(systems), simulated=True, status="finished",
                   command=("iodyno", "simulate", "short"))  # fmt: skip
    kept = StoredRun(run=run, results=tuple(bench.simulate(plan, jobs=1)))
    other = kept.model_copy(update={"run": run.model_copy(update={"id": "20261129-000000-0000"})})
    found = dict[str, tuple[set[str], set[str]]]()
    for block in paper.build(kept, beside=[other]).blocks:
        if isinstance(block, Table):
            texts = [plain(cell.text) for row in block.rows for cell in row]
            marks = {mark for text in texts for mark in re.findall(r"\d([*†‡])", text)}
            notes = {text[0] for note in map(plain, block.notes) for text in re.findall("[*†‡] [a-z]", note)}
            found[block.key] = marks, notes
    assert {key: both for key, both in found.items() if both[0] != both[1]} == {}
    assert {mark for marks, _ in found.values() for mark in marks} == {"*", "†"}
