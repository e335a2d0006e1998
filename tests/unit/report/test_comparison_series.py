"""Of two runs the points of one curve are compared together: no closed loop with rates, no two volumes."""

from __future__ import annotations

from pathlib import Path

from command_line import CommandLine
from factories import make_plan, make_result, make_run
from iodyno.report import paper
from iodyno.report.document import Document, Figure, Heading, LineChart, Table
from iodyno.report.messages import plain
from iodyno.store import Store
from iodyno.store.records import StoredRun
from virtual_systems import two_drives

STUDY = (
    two_drives("series")
    + """
[[sweep]]
name = "each"
title = "Each drive"
profiles = ["database"]
targets = "each"
outstanding = [1, 32]
[[sweep]]
name = "again"
title = "Once more"
profiles = ["database"]
targets = [1]
workers = [1, 2]
outstanding = [1, 32]
[[sweep]]
name = "rates"
title = "Offered"
profiles = ["database"]
targets = [1]
rate_io_s = [1000, 4000]
outstanding = 64
"""
)


def compared(iodyno_says: CommandLine, folder: Path, text: str = STUDY) -> Document:
    """Simulate a study with two seeds, and make the paper of one run beside the other."""
    (folder / "series.toml").write_text(text)
    for seed in ("1", "2"):
        said = iodyno_says("simulate", folder / "series.toml", "--seed", seed)
        assert said.code == 0, said.err
    with Store.open() as store:
        first, second = (store.load(run.id) for run in store.runs())
        return paper.build(first, beside=(second,))


def titles(document: Document) -> list[str]:
    headings = (block for block in document.blocks if isinstance(block, Heading))
    return [block.text for block in headings if block.key.startswith("comparison-profile")]


def test_each_curve_has_a_part_of_its_own(iodyno_says: CommandLine, tmp_path: Path) -> None:
    """All were one table, of `a load of 1, 32, 1, 32, 1,000, and 4,000`, and a line over outstanding I/Os."""
    document = compared(iodyno_says, tmp_path)
    assert titles(document) == [
        "Database, fast",
        "Database, slow",
        "Database, only fast of 2 targets, 1 worker",
        "Database, only fast of 2 targets, 2 workers",
        "Database, only fast of 2 targets, open loop",
    ]
    tables = [b for b in document.blocks if isinstance(b, Table) and b.key.startswith("table-comparison")]
    loads = [[plain(row[0].text) for row in table.rows] for table in tables]
    assert loads == [["1", "32"]] * 4 + [["1,000", "4,000"]]
    figures = [b for b in document.blocks if isinstance(b, Figure) and b.key.startswith("figure-comparison")]
    axes = [chart.x.label for figure in figures for chart in figure.charts if isinstance(chart, LineChart)]
    each = "Outstanding I/Os per target and worker"  # two workers have as many each
    assert axes == ["Outstanding I/Os"] * 3 + [each, "Offered rate in IO/s"]


def test_bold_quotients_are_those_that_are_told_apart() -> None:
    """1,000 and 2,000 IO/s, each ± 5 %, are; 4,000 and 4,040 are not."""

    def run(ident: str, *rates: float) -> StoredRun:
        plan = make_plan(("database",), (1, 8))
        results = tuple(
            make_result(point, rate_io_s=rate, half_width=0.05)
            for point, rate in zip(plan.points, rates, strict=True)
        )
        return StoredRun(run=make_run(plan=plan, run_id=ident), results=results)

    first, second = run("20261121-101010-aaaa", 1000, 4000), run("20261122-101010-bbbb", 2000, 4040)
    document = paper.build(first, beside=(second,))
    (table,) = (b for b in document.blocks if isinstance(b, Table) and b.key.startswith("table-comparison-"))
    place = [plain(column.title) for column in table.columns].index("Quotient")
    assert [row[place].strong for row in table.rows] == [True, False]


def test_where_runs_were_asked_shares_no_rate_is_told_as_that_of_both(
    iodyno_says: CommandLine, tmp_path: Path
) -> None:
    """Beside the rate that one run was asked stood what the other served of another one."""
    text = STUDY.replace("rate_io_s = [1000, 4000]", 'rate_share = ["20%", "90%"]')
    document = compared(iodyno_says, tmp_path, text)
    tables = [b for b in document.blocks if isinstance(b, Table) and b.key.startswith("table-comparison")]
    heads = [(str(table.columns[0].title), [plain(row[0].text) for row in table.rows]) for table in tables]
    assert heads[-1] == ("Share", ["20%", "90%"])
    assert {title for title, _ in heads[:-1]} == {"Load"}
    assert "Share: of the greatest rate of the closed loop." in [plain(note) for note in tables[-1].notes]


def test_curves_of_one_name_are_told_by_their_sections(iodyno_says: CommandLine, tmp_path: Path) -> None:
    text = STUDY.replace("workers = [1, 2]\n", "").replace('targets = "each"', "targets = [1]")
    name = "Database, only fast of 2 targets"
    assert titles(compared(iodyno_says, tmp_path, text)) == [
        f"Each drive – {name}",
        f"Once more – {name}",
        f"{name}, open loop",
    ]
