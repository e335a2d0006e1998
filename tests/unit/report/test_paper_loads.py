"""What a paper says of the load, outstanding I/Os or a rate, and of places where data came back wrong."""

from __future__ import annotations

import math
from collections.abc import Sequence

import pytest

from factories import make_plan, make_point, make_profile, make_result, make_stored_run
from iodyno.corruption import Finding, Findings, Found, Integrity
from iodyno.plan import Point, RateShare
from iodyno.profiles import Block
from iodyno.reading import Cause, FinalPass, PointResult
from iodyno.report import paper
from iodyno.report.document import Bullets, Document, Facts, Heading, Paragraph, Table
from iodyno.report.messages import Messages, plain
from iodyno.report.names import blocks
from iodyno.report.sections.integrity import KINDS, SHOWN
from iodyno.report.sentences.causes import details
from iodyno.store.records import StoredRun
from iodyno.verdict.causes import describe


def built(
    points: list[Point], language: str = "en", *, overload_io_s: float = math.inf, **readings: Integrity
) -> Document:
    """Build the paper of these points; with ``integrity``, all were verified. Rates from one on are not
    served."""
    stored = make_stored_run(profiles=("database",), intensities=(1,))
    plan = make_plan().model_copy(update={"points": tuple(points)})
    run = stored.run.model_copy(update={"plan": plan})
    results = tuple(
        overloaded(result) if (result.point.rate_io_s or 0) >= overload_io_s else result
        for result in (checked(make_result(point), readings) for point in points)
    )
    return paper.build(StoredRun(run=run, results=results), language)


def overloaded(result: PointResult) -> PointResult:
    changes = {"state": "not_steady", "causes": (Cause(code="overload", values={}),)}
    return result.model_copy(update={"verdict": result.verdict.model_copy(update=changes)})


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
    document = built(points, overload_io_s=2_000)  # What is served has no maximum.
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


def said_by(document: Document) -> str:
    """Give everything that is said in paragraphs, bullets and facts, and the headings."""
    parts: list[str] = []
    for block in document.blocks:
        if isinstance(block, Paragraph):
            parts.append(plain(block.text))
        elif isinstance(block, Heading):
            parts.append(block.text)
        elif isinstance(block, Bullets):
            parts += map(plain, block.items)
        elif isinstance(block, Facts):
            parts += [f"{name}: {plain(text)}" for name, text in block.items]
    return "\n".join(parts)


@pytest.mark.parametrize("arrival", ["fixed", "poisson"])
def test_arrivals_and_shares_are_told(arrival: str) -> None:
    """Of a p99 nobody could say what it is worth without: Poisson arrivals queue at any rate."""
    rule = RateShare(of=(0, 1), share=0.8)
    point = OPEN[0].model_copy(update={"arrival": arrival, "rate_from": rule})
    said = said_by(built([*CLOSED, point]))
    name = {"fixed": "fixed arrivals", "poisson": "Poisson arrivals"}
    assert f"\nOffered rates: {name[arrival]}, 80% of what the closed loop reached" in said
    assert ("drawn from the exponential distribution" in said) == (arrival == "poisson")
    assert ("at equal distances in time" in said) == (arrival == "fixed")
    assert "shares of what the target served in a closed loop" in said
    assert "shares of what" not in said_by(built([*CLOSED, OPEN[0]]))
    assert not {"Offered rates", "arrivals"} & set(said_by(built(CLOSED)).replace(":", " ").split())


def test_curves_of_both_loops_are_told_apart() -> None:
    said = said_by(built([*CLOSED, *OPEN]))
    assert {"Database, closed loop", "Database, open loop"} <= set(said.split("\n"))
    assert "closed loop\n" not in said_by(built(CLOSED))


def test_a_paper_of_shared_and_own_areas_does_not_say_that_each_worker_has_one() -> None:
    own = [point.model_copy(update={"workers": 2, "workers_area": "own", "index": 7}) for point in CLOSED[:1]]
    assert "Each worker accesses a part of the area of its own" in said_by(built(own))
    said = said_by(built([*CLOSED, *own]))
    assert "Each worker accesses a part" not in said
    assert "Workers with areas of their own each access a part of the area" in said


def test_the_limit_of_outstanding_i_os_is_no_share() -> None:
    values = {"held": 780, "completed": 24_894, "limit": 1024}
    english = Messages("en")
    assert details(english, Cause(code="outstanding_limit", values=values)) == "780 of 24,894, 1,024 allowed"
    rates = {"rate_io_s": 72_981.4, "asked_io_s": 73_355.0}
    assert details(english, Cause(code="catching_up", values=rates)) == "72,980 of 73,355 IO/s"
    queued = {"backlog": 40, "backlog_s": 0.000545, "growth_io_s": 20.0}
    told = details(english, Cause(code="overload", values=rates | queued))
    assert told == "72,980 of 73,355 IO/s, backlog 40 I/Os or 0.000545 s, growing by 20.0 I/Os a second"
    told = details(english, Cause(code="overload", values=rates | queued | {"growth_io_s": 0.0}))
    assert told == "72,980 of 73,355 IO/s, backlog 40 I/Os or 0.000545 s, not growing"
    assert describe(Cause(code="overload", values=rates | queued | {"growth_io_s": 0.0})).endswith(
        "not growing)"
    )
    told = details(english, Cause(code="overload", values=rates | queued | {"growth_io_s": -20.0}))
    assert told == "72,980 of 73,355 IO/s, backlog 40 I/Os or 0.000545 s, shrinking by 20.0 I/Os a second"
    under_way = Cause(code="overload", values=rates | {"backlog": 0, "backlog_s": 0.0, "growth_io_s": 0.0})
    assert details(english, under_way) == "72,980 of 73,355 IO/s"
    assert describe(under_way) == "the target did not keep up with the rate asked for (72981 of 73355 IO/s)"
    assert details(english, Cause(code="steal", values={"share": 0.031, "limit": 0.02})) == "3.1%, limit 2.0%"
    hardly = Cause(code="steal", values={"share": 0.0203, "limit": 0.02})
    assert details(english, hardly) == "2.03%, limit 2.00%", "not 2.0% where the limit is 2.0%"
    assert describe(hardly).endswith("(2.03%, limit 2.00%)")


@pytest.mark.parametrize(
    ("sizes", "weights", "text"),
    [(range(4096, 131_073, 4096), 1, "4 kB to 128 kB in steps of 4 kB, equally often"),
     ((4096, 8192), 1, "4 kB (50%), 8 kB (50%)"),
     ((4096, 8192, 16_384, 32_768, 65_536), 1,
      "4 kB (20%), 8 kB (20%), 16 kB (20%), 32 kB (20%), 64 kB (20%)"),
     ((4096, 8192, 12_288, 16_384, 20_480), 0,
      "4 kB (10%), 8 kB (15%), 12 kB (20%), 16 kB (25%), 20 kB (30%)")],
)  # fmt: skip
def test_many_sizes_are_a_range(sizes: Sequence[int], weights: int, text: str) -> None:
    found = tuple(Block(bytes=size, weight=weights or 2 + place) for place, size in enumerate(sizes))
    assert blocks(Messages("en"), make_profile(blocks=found)) == text


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


def test_a_maximum_at_the_lowest_load_is_once_as_much_without_an_interval() -> None:
    """A figure and itself are not two that are independent: the factor was 1.00 (0.79 to 1.27)."""
    stored = make_stored_run(profiles=("database", "restore"), intensities=(1, 2))
    first, _, *others = stored.results
    results = tuple(make_result(result.point, half_width=0.1) for result in (first, *others))
    document = paper.build(stored.model_copy(update={"results": results}))
    table = tables(document)["table-maxima"]
    alone, grown = (str(row[-1].text) for row in table.rows)
    assert alone == "1.00"
    assert "–" in grown
    assert not any(str(note).startswith("– as a factor") for note in table.notes)
    none = tuple(make_result(result.point, half_width=None) for result in (first, *others))
    table = tables(paper.build(stored.model_copy(update={"results": none})))["table-maxima"]
    assert [str(row[-1].text) for row in table.rows] == ["1.00", "–"]


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("en", "A chart shows how the latency is distributed. See "),
        ("de", "Ein Diagramm zeigt, wie sich die Latenz verteilt. Siehe "),
        ("ja", "レイテンシの分布は図に示すとおりです。"),
    ],
)
def test_no_paragraph_is_a_pointer_alone(language: str, said: str) -> None:
    """Of few I/Os at one load there is nothing to say, and `See Figure 5.` stood by itself."""
    stored = make_stored_run(profiles=("database",), intensities=(1,))
    reading = stored.results[0].reading
    few = reading.latency.model_copy(update={"index": reading.latency.index[:1], "count": (500,)})
    result = stored.results[0].model_copy(update={"reading": reading.model_copy(update={"latency": few})})
    document = paper.build(stored.model_copy(update={"results": (result,)}), language)
    told = [plain(block.text) for block in document.blocks if isinstance(block, Paragraph)]
    assert any(text.startswith(said) for text in told)


@pytest.mark.parametrize(("workers", "said"), [(1, False), (4, True)])
def test_a_table_says_how_many_ios_are_outstanding_in_all(workers: int, said: bool) -> None:
    """The title page has `at 32 outstanding I/Os (8 × 4)` of what is 8 in the table."""
    points = [make_point("database", load, workers=workers, index=place) for place, load in enumerate((1, 8))]
    (table,) = (b for b in built(points).blocks if isinstance(b, Table) and b.key.startswith("table-load-"))
    assert any("in all 4 times as many" in str(note) for note in table.notes) is said


def test_what_limited_points_of_one_load_each_stands_in_one_table() -> None:
    """Job files of other depths: each made a table of its own, of one cell."""
    stored = make_stored_run(profiles=("database", "streaming", "restore"), intensities=(1, 2, 4))
    alone = tuple(
        result
        for result in stored.results
        if (result.point.profile.name, result.point.outstanding)
        in {("database", 1), ("streaming", 2), ("restore", 1), ("restore", 2), ("restore", 4)}
    )
    document = paper.build(stored.model_copy(update={"results": alone}))
    found = [
        block
        for block in document.blocks
        if isinstance(block, Table) and block.key.startswith("table-limits")
    ]
    assert [len(table.rows) for table in found] == [1, 2]
    rows = [tuple(str(cell.text) for cell in row) for row in found[1].rows]
    assert [row[:2] for row in rows] == [("Database", "1"), ("Streaming", "2")]
    assert found[1].caption == "What limited each point"
