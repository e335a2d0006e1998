"""Captions tell figures apart, and say which lines lie on each other."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from command_line import CommandLine
from iodyno.report import paper
from iodyno.report.captions import told_apart
from iodyno.report.coinciding import with_coinciding
from iodyno.report.document import (
    Axis,
    Block,
    ChartLine,
    ChartPoint,
    Figure,
    Heading,
    LineChart,
    Table,
)
from iodyno.report.messages import Messages, plain
from iodyno.store import Store
from simulated_papers import many


def chart(lines: dict[str, tuple[float, ...]], scale: Any = "linear") -> LineChart:
    drawn = tuple(
        ChartLine(name, tuple(ChartPoint(2**place, y) for place, y in enumerate(values)))
        for name, values in lines.items()
    )
    return LineChart(Axis("x", "log2"), Axis("y", scale), drawn)


def figure(key: str, caption: str = "Streaming", *charts: LineChart, floats: bool = True) -> Figure:
    return Figure(charts or (chart({"a": (1, 2)}),), caption, "alt", key, floats=floats)


def captions(*blocks: Block) -> dict[str, str]:
    return {
        block.key: block.caption for block in told_apart(Messages("en"), blocks) if isinstance(block, Figure)
    }


def test_captions_that_are_alike_name_the_section_that_differs() -> None:
    found = captions(
        Heading(1, "Results", "r"),
        Heading(2, "Two SSDs", "two"), Heading(3, "Streaming", "s2"), figure("a"), figure("c", "Restore"),
        Heading(2, "Four SSDs", "four"), Heading(3, "Streaming", "s4"), figure("b"),
    )  # fmt: skip
    assert found == {"a": "Two SSDs – Streaming", "c": "Restore", "b": "Four SSDs – Streaming"}


def test_where_one_heading_is_not_enough_all_that_differ_are_named() -> None:
    found = captions(
        *(
            block
            for drives in ("Two drives", "Four, of SATA")
            for kind in ("disks", "SSDs")
            for block in (
                *((Heading(2, drives, drives),) if kind == "disks" else ()),
                Heading(3, kind, drives + kind),
                figure(drives[0] + kind[0], "Maxima"),
            )
        )
    )
    assert found == {
        "Td": "Two drives, disks – Maxima",
        "TS": "Two drives, SSDs – Maxima",
        "Fd": "Four, of SATA; disks – Maxima",
        "FS": "Four, of SATA; SSDs – Maxima",
    }


def said(*charts: LineChart, language: str = "en") -> str:
    block = with_coinciding(Messages(language), figure("f", "Streaming", *charts))
    assert isinstance(block, Figure)
    return block.caption


def test_lines_that_lie_on_each_other_are_named() -> None:
    """Of six lines that coincide only the last one shows."""
    rates = chart({"A": (100, 400), "B": (101, 402), "C": (100, 300)})
    times = chart({"A": (0.1, 9), "B": (0.1002, 9.1), "C": (0.1, 20)}, "log10")
    assert said(rates, times) == "Streaming; coinciding lines: A and B"
    assert said(rates) == "Streaming; coinciding lines: A and B"
    apart = chart({"A": (0.1, 9), "B": (0.1, 19), "C": (0.1, 20)}, "log10")
    assert said(rates, apart) == "Streaming"


def test_lines_of_a_narrow_range_lie_on_each_other_where_they_are_drawn_so() -> None:
    """An axis reaches from mark to mark: values a thousandth apart were told apart on a logarithmic one."""
    times = chart({"A": (0.5220, 0.5220), "B": (0.5221, 0.5221), "C": (0.5222, 0.5223)}, "log10")
    assert said(times) == "Streaming; all lines coincide"
    apart = chart({"A": (0.522, 0.522), "B": (0.522, 0.56), "C": (0.522, 0.522)}, "log10")
    assert said(apart) == "Streaming; coinciding lines: A and C"


def test_all_lines_and_names_with_commas() -> None:
    same = (100.0, 400.0)
    assert said(chart({"A": same, "B": same})) == "Streaming; all lines coincide"
    assert said(chart({"A": same})) == "Streaming"
    assert said(chart({"A": same, "B": (100.0,)})) == "Streaming"
    lines = chart({"A, x": same, "B": same, "C": (1.0, 2.0), "D": (1.0, 2.0), "E": (300.0, 9.0)})
    assert said(lines) == "Streaming; coinciding lines: “A, x” and “B”; “C” and “D”"
    assert said(lines, language="de") == "Streaming; aufeinander liegen: „A, x“ und „B“; „C“ und „D“"
    assert said(lines, language="ja") == "Streaming。重なっている線：「A, x」、「B」；「C」、「D」"


def test_a_decimal_comma_needs_no_quotes() -> None:
    """German captions had `P3700 1,6 TB` in quotes beside `P3700 800 GB`."""
    lines = chart({"P3700 1,6 TB": (100, 400), "P3700 2 TB": (101, 402), "c": (100, 300)})
    assert said(lines, language="de").endswith(": P3700 1,6 TB und P3700 2 TB")


def test_curves_of_one_name_are_told_apart_where_those_of_all_sections_stand(
    iodyno_says: CommandLine, tmp_path: Path
) -> None:
    """A closed loop and rates had two rows of one name in every table, and two headings in the appendix."""
    study = tmp_path / "both.toml"
    study.write_text(
        'schema = 1\nname = "both"\ntitle = "Both"\n'
        '[[sweep]]\nname = "load"\ntitle = "Loads"\nprofiles = ["database", "restore"]\noutstanding = [1]\n'
        '[[sweep]]\nname = "more"\ntitle = "More"\nprofiles = ["database"]\noutstanding = [2]\n'
        '[[sweep]]\nname = "rates"\ntitle = "Rates"\nprofiles = ["database"]\nrate_io_s = [500, 2000]\n'
    )
    short = ("--on", "p3700", "--floor-ios", "2000", "--cap-ios", "8000")
    assert iodyno_says("simulate", study, *short).code == 0
    with Store.open() as store:
        document = paper.build(store.load("latest"))
    blocks, names = document.blocks, ["Loads – Database", "Restore", "More – Database", "Rates – Database"]
    assert [name for name, _, _ in document.title_page.summary][:3] == names[:3]
    (table,) = (block for block in blocks if isinstance(block, Table) and block.key == "table-bottlenecks")
    assert [plain(row[0].text) for row in table.rows] == names
    headings = [block for block in blocks if isinstance(block, Heading)]
    assert [one.text for one in headings if one.key.startswith("disclosure-")] == names
    assert [one.text for one in headings if one.key.startswith("results-load-")] == ["Database", "Restore"]


@pytest.mark.parametrize("language", ["en", "ja"])
def test_no_caption_has_brackets_beside_brackets(language: str) -> None:
    """It was "（括弧内は平均レイテンシ、単位 ms）（シミュレーション）"."""
    blocks = paper.build(many(12, '"database", "file-server"'), language).blocks
    captions = [block.caption for block in blocks if isinstance(block, Figure | Table)]
    assert [caption for caption in captions if re.search(r"[)）]\s*[(（]", caption)] == []
    assert any("simulated)" in caption or "シミュレーション）" in caption for caption in captions)
