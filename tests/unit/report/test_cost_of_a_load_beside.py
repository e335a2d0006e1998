"""What a load beside costs, in papers and on the terminal: a table of both sweeps, and a sentence."""

from __future__ import annotations

import io

import pytest
from rich.console import Console

from iodyno.cli.two_sweeps import print_comparisons
from iodyno.report.document import Bullets, Heading, Paragraph, Table
from iodyno.report.messages import plain
from iodyno.report.paper import build
from iodyno.report.sections import against
from iodyno.store.records import StoredRun
from two_sweeps import COSTS, OF_ALONE, STUDY, answered, by_sweep, context, planned


def run_of(text: str = STUDY) -> StoredRun:
    return answered(planned(text), COSTS)


def table_of(run: StoredRun) -> Table:
    made = context(run)
    source = run.run.plan.study_source["sweep"][1]
    (found,) = (one for one in against.blocks(made, "beside", source, 3) if isinstance(one, Table))
    return found


def said(run: StoredRun, language: str = "en") -> str:
    source = run.run.plan.study_source["sweep"][1]
    made = against.blocks(context(run, language), "beside", source, 3)
    return " ".join(plain(one.text) for one in made if isinstance(one, Paragraph))


def test_both_sweeps_stand_side_by_side_with_their_quotient() -> None:
    table = table_of(run_of())
    heads = [column.title for column in table.columns]
    assert heads == ["Outstanding I/Os", "Database alone", "Beside a backup", "Quotient"]
    rows = [[plain(cell.text) for cell in row] for row in table.rows]
    assert rows[:3] == [
        ["Transaction rate in IO/s"],
        ["1", "1,000", "250", "0.250 (0.246–0.254)"],
        ["8", "4,000", "2,000", "0.500 (0.493–0.507)"],
    ]
    assert rows[3:6] == [
        ["Mean latency in ms"],
        ["1", "1.00", "4.00", "4.00 (3.94–4.06)"],
        ["8", "2.00", "4.00", "2.00 (1.97–2.03)"],
    ]
    assert rows[6] == ["Latency 99% in ms"]
    assert table.rows[1][3].strong


def test_words_say_where_it_costs_most_with_the_intervals() -> None:
    words = said(run_of())
    assert words.startswith(
        "Database beside Streaming ÷ Database: transaction rate: 0.250 to 0.500 times as much at every "
        "load; mean latency: 2.00 to 4.00 times as much at every load. "
    )
    assert (
        "It costs most at 1 outstanding I/O, the quotients with their intervals: transaction rate: 0.250 "
        "(0.246–0.254); mean latency: 4.00 (3.94–4.06)." in words
    )


@pytest.mark.parametrize("language", ["en", "de", "ja"])
def test_a_paper_has_the_part_and_repeats_it_in_the_conclusion(language: str) -> None:
    document = build(run_of(), language)
    titles = [block.text for block in document.blocks if isinstance(block, Heading)]
    assert titles.count("What the backup costs") == 1
    told = [plain(item) for block in document.blocks if isinstance(block, Bullets) for item in block.items]
    number = {"en": "0.250 (0.246–0.254)", "de": "0,250 (0,246–0,254)", "ja": "0.250 (0.246–0.254)"}
    assert any("What the backup costs" in text and number[language] in text for text in told)


def test_one_load_is_said_with_its_interval_and_once() -> None:
    run = answered(
        planned(STUDY.replace(OF_ALONE, "outstanding = 8")),
        by_sweep({"alone": {8: 4000.0}, "beside": {8: 2000.0}}),
    )
    words = said(run)
    assert "transaction rate: 0.500 (0.493–0.507) times as much; mean latency: 2.00 (1.97–2.03)" in words
    assert "It costs most" not in words


def test_where_nothing_is_lost_it_is_level_and_costs_most_nowhere() -> None:
    same: dict[float, float] = {1: 1000.0, 8: 4000.0}
    words = said(answered(planned(), by_sweep({"alone": same, "beside": same})))
    assert "transaction rate: level at every load" in words
    assert "It costs most" not in words


def test_of_many_pairs_it_says_between_which_quotients_they_lie() -> None:
    text = STUDY.replace(OF_ALONE, f'{OF_ALONE}\ntargets = "each"')
    run = answered(planned(text, *(f"/{number}" for number in range(7))), COSTS)
    words = said(run)
    name = "Database beside Streaming ÷ Database"
    assert f"transaction rate: 0.250 ({name}, /0) to 0.500 ({name}, /0)" in words
    assert "times as much" not in words


def test_without_intervals_it_says_that_and_nothing_else() -> None:
    words = said(answered(planned(), COSTS, half_width=None))
    assert words.startswith("Database beside Streaming ÷ Database: no quotient has an interval.")
    assert "times as much" not in words


def test_a_run_that_ended_before_says_so() -> None:
    whole = run_of()
    words = said(whole.model_copy(update={"results": whole.results[:2]}))
    assert words == ("Not compared, as the run ended before all of their points: Database beside Streaming.")


def test_the_terminal_shows_the_same_table_and_words() -> None:
    out = io.StringIO()
    print_comparisons(Console(file=out, width=200, highlight=False), run_of())
    shown = out.getvalue()
    for text in ("What the backup costs", "Database alone", "0.250 (0.246–0.254)", "4.00 (3.94–4.06)"):
        assert text in shown
    assert "It costs most at 1 outstanding I/O" in shown
