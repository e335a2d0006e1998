"""A figure has the same digits on the terminal and in the paper: as many as its interval supports."""

from __future__ import annotations

import re
from pathlib import Path

from command_line import CommandLine

FEW = (
    "quick", "--on", "raid-controllers", "--profile", "file-server", "--outstanding", "8",
    "--cap-ios", "600", "--floor-ios", "600", "--warmup-ios", "0",
)  # fmt: skip


def test_a_capped_figure_is_one_on_the_terminal_and_in_the_paper(
    iodyno_says: CommandLine, tmp_path: Path
) -> None:
    """It was 3,359* beside 3,360*: two figures of one measurement."""
    page = tmp_path / "paper.html"
    simulated = iodyno_says("simulate", *FEW, "-o", page)
    assert simulated.code == 0, simulated.err
    (main,) = re.findall(r"([\d,.]+)\* IO/s", simulated.out)
    assert re.search(rf"(?<![\d,.]){main}(?![\d,.])", page.read_text())
    (shown,) = re.findall(r"^ +8 +([\d,.]+) IO/s +±([\d.]+)", iodyno_says("show").out, re.MULTILINE)
    assert shown[0] == main
    # Wider than 1 %, the fourth digit says nothing.
    assert float(shown[1]) > 1
    assert len(main.replace(",", "").strip("0")) <= 3
