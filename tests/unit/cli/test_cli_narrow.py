"""Tables on terminals of every width: no digit, no word and no column of them is lost."""

from __future__ import annotations

import io
import re

import pytest

from command_line import Bench, CommandLine
from iodyno.cli.console import console, table
from iodyno.cli.narrow import Room, fitted, parted

COLUMNS = (
    ("run", "whole"), ("rate asked", "right"), ("main figure", "right"), ("interval", "right"),
    ("latency", "right"), ("interval", "right"), ("verdict", "left"), ("limited by", "left"),
)  # fmt: skip
ROWS = [
    ("20261125-161056-27f4", "2,000/s", "2,000 IO/s", "<±0.1%", "0.0972 ms", "±0.2%", "steady",
     "rate asked for, and served; the busiest station: Intel SSD DC P3700 800 GB: dies 1.5%"),
    ("20261125-161056-9a01", "300,000/s", "132,300 IO/s", "±0.7%", "3.87 ms", "±1.3%",
     "not steady: overload, outstanding limit", "Intel SSD DC P3700 800 GB: dies, 100.0%"),
]  # fmt: skip


class Terminal(io.StringIO):
    """A text that calls itself a terminal."""

    def isatty(self) -> bool:
        """Say that it is one."""
        return True


def shown(width: int, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setenv("COLUMNS", str(width))
    monkeypatch.setenv("NO_COLOR", "1")
    file = Terminal()
    console(file).print(table(COLUMNS, ROWS, title="A title of some length, in bold above the table"))
    return re.sub(r"\x1b\[[\d;]*m", "", file.getvalue())


@pytest.mark.parametrize("width", range(22, 200))
def test_nothing_is_lost_in_any_width(width: int, monkeypatch: pytest.MonkeyPatch) -> None:
    said = shown(width, monkeypatch)
    assert max(map(len, said.splitlines())) <= width
    words = said.split()
    for row in ROWS:
        for (_, side), cell in zip(COLUMNS, row, strict=True):
            if side != "left":  # a number or an id stands in one line
                assert re.search(rf"(?<!\S){re.escape(cell)}(?!\S)", said), cell
            for word in cell.split():
                assert words.count(word) >= sum(other.split().count(word) for other in row), word
    assert all(word in words for name, _ in COLUMNS for word in name.split())


def test_where_two_columns_have_no_room_each_cell_has_a_line(monkeypatch: pytest.MonkeyPatch) -> None:
    lines = [line.rstrip() for line in shown(34, monkeypatch).splitlines()]
    assert "rate asked   300,000/s" in lines
    assert "run          20261125-161056-9a01" in lines


def test_an_interval_stays_with_what_it_is_of() -> None:
    rooms = [Room(10, 10)] * 5
    together = [False, False, False, False, True]
    assert parted(rooms, [False] * 5, 43) == [[0, 1, 2, 3], [0, 4]]
    assert parted(rooms, together, 43) == [[0, 1, 2], [0, 3, 4]]


def test_columns_stand_closer_before_they_are_parted() -> None:
    assert fitted([Room(10, 10), Room(20, 60)], 32) == ([10, 20], 2)
    assert fitted([Room(10, 10), Room(20, 60)], 31) == ([10, 20], 1)
    assert parted([Room(10, 10), Room(20, 60)], [False, False], 30) is None


@pytest.mark.parametrize("width", [80, 60, 40])
def test_figures_of_a_run_are_whole(
    iodyno_says: CommandLine, bench: Bench, monkeypatch: pytest.MonkeyPatch, width: int
) -> None:
    load = ("quick", "--on", "p3700", "--profile", "database", "--outstanding", "1,64")
    runs = [iodyno_says("simulate", *load).code for _ in range(2)]
    commands = ("show", "latest"), ("compare", "latest~1", "latest"), ("runs",), ("catalog", "show", "c610")
    wide = [iodyno_says(*words).out for words in commands]
    assert (runs, "no difference shown" in wide[1]) == ([0, 0], True)
    monkeypatch.setattr("sys.stdout.isatty", lambda: True)
    monkeypatch.setenv("COLUMNS", str(width))
    for words, whole in zip(commands, wide, strict=True):
        said = re.sub(r"\x1b\[[\d;]*m", "", iodyno_says(*words).out)
        figures = re.findall(r"\d[\d,.]*[%/]?", whole)
        assert {figure for figure in figures if figure not in said} == set(), words
        assert max(map(len, said.splitlines())) <= width
