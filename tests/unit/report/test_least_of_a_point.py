"""What is said of the least of a point: it is cut before it is counted."""

from __future__ import annotations

from pathlib import Path

from command_line import CommandLine
from iodyno.store import Store

DOCS = Path(__file__).parents[3] / "docs"


def test_a_point_may_count_fewer_than_its_floor_and_no_fewer_than_half(iodyno_says: CommandLine) -> None:
    words = ("--sweep", "single", "--profile", "streaming", "--outstanding", "8,32", "-q")
    assert iodyno_says("simulate", "p3700", "--only", "single-800g", *words).code == 0
    with Store.open() as store:
        results = store.load("latest").results
    for result in results:
        floor = result.point.stopping.floor_ios or 0
        assert (result.verdict.state, result.reading.stopped) == ("steady", "precise")
        assert floor / 2 <= result.reading.reads.completed < floor


def test_nobody_says_that_the_floor_is_what_is_counted(iodyno_says: CommandLine) -> None:
    """A point that was steady and precise had counted 8,600 I/Os, where 10,000 were the "least counted"."""
    said = [iodyno_says(command, "--help").out for command in ("simulate", "measure")]
    said += [(DOCS / "reference" / page).read_text("utf-8") for page in ("study.md", "cli.md")]
    for text in said:
        assert "Least counted" not in text
        assert "Least measured" not in text
    validation = " ".join((DOCS / "validation.md").read_text("utf-8").split())
    assert "20 000 I/Os are counted" not in validation
    assert "about 20 000 I/Os follow the warm-up" in validation
