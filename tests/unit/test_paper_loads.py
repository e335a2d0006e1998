"""What a paper says of the load, outstanding I/Os or a rate, and of places where data came back wrong."""

from __future__ import annotations

import pytest

from factories import make_plan, make_point, make_result, make_stored_run
from iodyno.corruption import Finding, Findings, Found, Integrity
from iodyno.plan import Point
from iodyno.reading import FinalPass, PointResult
from iodyno.report import paper
from iodyno.report.document import Document, Heading, Paragraph, Table
from iodyno.report.messages import plain
from iodyno.report.sections.integrity import KINDS, SHOWN
from iodyno.store.records import StoredRun


def built(points: list[Point], language: str = "en", **readings: Integrity) -> Document:
    """Build the paper of these points; with ``integrity``, all of them were verified."""
    stored = make_stored_run(profiles=("database",), intensities=(1,))
    plan = make_plan().model_copy(update={"points": tuple(points)})
    run = stored.run.model_copy(update={"plan": plan})
    results = tuple(checked(make_result(point), readings) for point in points)
    return paper.build(StoredRun(run=run, results=results), language)


def checked(result: PointResult, readings: dict[str, Integrity]) -> PointResult:
    return result.model_copy(update={"reading": result.reading.model_copy(update=readings)})


def tables(document: Document) -> dict[str, Table]:
    return {block.key: block for block in document.blocks if isinstance(block, Table)}


def guide(document: Document) -> list[str]:
    """Give the paragraphs that say what a load is."""
    at = next(
        place
        for place, block in enumerate(document.blocks)
        if isinstance(block, Heading) and block.key == "reading-guide"
    )
    return [plain(block.text) for block in document.blocks[at + 1 : at + 3] if isinstance(block, Paragraph)]


CLOSED = [make_point("database", load, index=index) for index, load in enumerate((1, 8))]
OPEN = [
    make_point("database", 64, index=2 + index, rate_io_s=rate) for index, rate in enumerate((500.0, 2000.0))
]


@pytest.mark.parametrize(
    ("points", "title", "loads", "begins"),
    [
        (CLOSED, "At outstanding I/Os", {"8"}, ["The load is the number of outstanding I/Os"]),
        (OPEN, "At offered rate", {"2,000"}, ["Where a rate is given, it is the load"]),
        ([*CLOSED, *OPEN], "Outstanding I/Os or rate", {"8", "2,000 IO/s"},
         ["The load is the number of outstanding I/Os", "Where a rate is given, it is the load"]),
    ],
)  # fmt: skip
def test_a_rate_is_not_called_outstanding_i_os(
    points: list[Point], title: str, loads: set[str], begins: list[str]
) -> None:
    document = built(points)
    shown = tables(document)["table-maxima"]
    place = [column.title for column in shown.columns].index(title)
    assert {plain(row[place].text) for row in shown.rows} == loads
    latency = tables(document)["table-latency"]
    assert [column.title for column in latency.columns][2] == title.removeprefix("At ").capitalize().replace(
        "i/os", "I/Os"
    )
    assert loads <= {plain(row[2].text) for row in latency.rows}
    said = guide(document)
    assert len(said) == len(begins)
    assert all(text.startswith(begin) for text, begin in zip(said, begins, strict=True))


def finding(**changes: object) -> Finding:
    values = {"kind": "lost", "target": 0, "offset_bytes": 4096, "bytes": 512, "expected_generation": 77}
    return Finding.model_validate(values | changes)


ELSEWHERE = Found(this_run=True, target=0, offset_bytes=1 << 20, generation=1234)
FOUND = (
    finding(kind="misdirected", found=ELSEWHERE, lasting=True),
    finding(kind="misdirected", found=ELSEWHERE.model_copy(update={"target": 1}), target=0),
    finding(kind="bit_flip", offset_bytes=1_000_448, lasting=False),
    finding(
        kind="foreign", found=Found(this_run=False, target=0, offset_bytes=0, generation=3), trimmed=True
    ),
    *[finding(kind="stale", found=ELSEWHERE)] * SHOWN,
)


def wrong() -> Integrity:
    counts = {"misdirected": 2, "bit_flip": 1, "foreign": 1, "stale": SHOWN}
    load = Findings.model_validate({"counts": counts, "first": FOUND})
    after = FinalPass(findings=Findings(counts={"lost": 1}, first=(finding(),)), seconds=1.0)
    return Integrity(session=9, unit_bytes=4096, targets=("/dev/x", "/dev/y"), load=load, final_pass=after)


def test_the_paper_says_where_data_came_back_wrong() -> None:
    document = built(CLOSED[:1], integrity=wrong())
    table = tables(document)["table-integrity"]
    rows = [[plain(cell.text) for cell in row] for row in table.rows]
    assert len(rows) == SHOWN
    where = ["Database, 1", "the load", "/dev/x"]
    assert rows[0] == [
        *where, "misdirected", "4,096", "512", "write 77", "write 1,234, for 1,048,576", "wrong again",
    ]  # fmt: skip
    assert rows[1][-2:] == ["write 1,234, for 1,048,576 of /dev/y", "–"]
    assert rows[2] == [*where, "bit flip", "1,000,448", "512", "write 77", "–", "right"]
    assert rows[3][-3:-1] == ["trim 77", "write 3 of another run"]
    assert rows[4][-2] == "write 1,234"
    notes = " ".join(plain(note) for note in table.notes)
    assert "5 more places are not shown" in notes, "of 25"
    assert "stale: older data came back" in notes
    said = " ".join(plain(block.text) for block in document.blocks if isinstance(block, Paragraph))
    assert "bit flip: 1; lost: 1; stale: 20; misdirected: 2; foreign: 1" in said


def test_a_paper_of_data_that_came_back_right_has_no_such_section() -> None:
    right = wrong().model_copy(update={"load": Findings(checked_bytes=1), "final_pass": None})
    assert "table-integrity" not in tables(built(CLOSED[:1], integrity=right))
    assert "table-integrity" not in tables(built(CLOSED[:1]))


@pytest.mark.parametrize("language", ["de", "ja"])
def test_the_kinds_are_said_in_each_language(language: str) -> None:
    document = built(CLOSED[:1], language, integrity=wrong())
    table = tables(document)["table-integrity"]
    assert not {plain(row[3].text) for row in table.rows} & set(KINDS.values())
