"""How wide the columns of a table are in print, and how small its letters must be to fit."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

from iodyno.report.breaking import SOFT_HYPHEN, keep_units, units
from iodyno.report.document import Cell, Code, Column, Link, Strong, Table, Text
from iodyno.report.metrics import text_width
from iodyno.report.outline import parts

PORTRAIT_PT, LANDSCAPE_PT = 481.9, 722.8
"""Width between the margins in points: A4 less 2 × 20 mm, and turned, less 2 × 21 mm."""
_SIZES = (9.0, 8.5, 8.0, 7.5, 7.0)
DENSE_ROWS = 20
"""Tables of more rows are for looking something up: they are set close, in letters no larger than this."""
_DENSE_SIZE = 7.5
_READABLE = 8.0
"""Letters for a table that fits in them without a break; smaller ones only where it must."""
_TIGHT = 6.6
"""Only to spare a page from being turned."""
_PADDING = {9.0: 6.0, 8.5: 5.0, 8.0: 4.5, 7.5: 4.0, 7.0: 3.0, _TIGHT: 2.6}
_SLACK, _ICON = 1.03, 1.35
_MONO = 0.6


@dataclass(frozen=True)
class Fit:
    """How a table is set."""

    size: float
    """Size of the letters in points."""
    padding: float
    """Free room left and right of a column in points."""
    widths: tuple[float, ...]
    """Width of each column in points, padding included."""
    landscape: bool


def fit(table: Table) -> Fit:
    """Find the largest letters with which a table fits the page.

    Each column is at least as wide as its longest word. What room is left goes to the columns whose texts
    would take more than one line, by how much they would take. Letters are rather somewhat smaller than that
    a text of the table breaks. A table that does not fit in the smallest letters is turned.
    """
    needs = _needs(table)
    most = _DENSE_SIZE if len(table.rows) > DENSE_ROWS else _SIZES[0]
    for size in (one for one in _SIZES if _READABLE <= one <= most):
        _, wanted = _at(needs, size)
        if sum(wanted) <= PORTRAIT_PT:
            return Fit(size, _PADDING[size], tuple(wanted), landscape=False)
    for size in (one for one in _SIZES if one <= most):
        least, wanted = _at(needs, size)
        if sum(least) <= PORTRAIT_PT and (sum(wanted) <= PORTRAIT_PT or size <= _SIZES[-2] or _easy(least)):
            return Fit(size, _PADDING[size], _shared(least, wanted, PORTRAIT_PT), landscape=False)
    least, wanted = _at(needs, _TIGHT)
    if sum(least) <= PORTRAIT_PT < sum(_at(needs, _SIZES[-1])[0]):
        return Fit(_TIGHT, _PADDING[_TIGHT], _shared(least, wanted, PORTRAIT_PT), landscape=False)
    size = _SIZES[-1]
    least, wanted = _at(needs, size)
    turned = sum(least) > PORTRAIT_PT
    room = LANDSCAPE_PT if turned else PORTRAIT_PT
    return Fit(size, _PADDING[size], _shared(least, wanted, room), landscape=turned)


def _easy(least: Sequence[float]) -> bool:
    """There is room for texts to break into few lines."""
    return sum(least) <= 0.72 * PORTRAIT_PT


Needs: TypeAlias = tuple[tuple[float, float], ...]
"""Of each column the least width and that in which nothing breaks, both for letters of 1 point."""


def _at(needs: Needs, size: float) -> tuple[list[float], list[float]]:
    """Give what the columns need in letters of a size: the least widths, and those without a break."""
    last = len(needs) - 1
    around = [_PADDING[size] * ((index > 0) + (index < last)) for index in range(len(needs))]
    least = [need * size * _SLACK + free for (need, _), free in zip(needs, around, strict=True)]
    wanted = [want * size * _SLACK + free for (_, want), free in zip(needs, around, strict=True)]
    return least, wanted


def _needs(table: Table) -> Needs:
    whole = [row for row in table.rows if len(row) == len(table.columns)]
    return tuple(_need(column, [row[index] for row in whole]) for index, column in enumerate(table.columns))


def _need(column: Column, cells: Sequence[Cell]) -> tuple[float, float]:
    pieces = [_cell(cell) for cell in cells]
    unit = text_width(column.unit, 1)
    whole = max((width for width, _ in pieces), default=0.0)
    head = [text_width(_line(word), 1, bold=True) for word in units(column.title)]
    if column.align == "right":
        smallest = max([*head, unit, whole])
        return smallest, max([smallest, *_title_in_two(column.title)])
    smallest = max([*head, unit, *(longest for _, longest in pieces)])
    return smallest, max(smallest, whole, text_width(column.title, 1, bold=True))


def _line(unit: str) -> str:
    """A unit as it looks at the end of a line: without a space, and with its hyphen."""
    shown = unit.rstrip()
    return f"{shown[:-1]}-" if shown.endswith(SOFT_HYPHEN) else shown


def _title_in_two(title: str) -> list[float]:
    """The width of a title that may take two lines: numbers below need not be as wide as their name."""
    words = units(title.replace(SOFT_HYPHEN, ""))
    halves = [
        max(text_width("".join(half).rstrip(), 1, bold=True) for half in (words[:cut], words[cut:]))
        for cut in range(1, len(words))
    ]
    return [min(halves)] if halves else [text_width(title, 1, bold=True)]


def _cell(cell: Cell) -> tuple[float, float]:
    """The width of a cell in one line, and that of its longest piece."""
    sign = _ICON if cell.tone != "plain" else 0.0
    whole, longest = text_widths(cell.text, 1, bold=cell.strong)
    return whole + sign, longest + sign


def text_widths(text: Text, size: float, *, bold: bool = False) -> tuple[float, float]:
    """The width of a text in one line, and that of its longest piece that does not break."""
    whole, longest = 0.0, 0.0
    for part in parts(text):
        words = part.text if isinstance(part, Strong | Code | Link) else part
        words = words if isinstance(part, Code) else keep_units(words)
        for unit in units(words):
            longest = max(longest, _width(unit.rstrip(" "), part, size, bold))
        whole += _width(words, part, size, bold)
    return whole, longest


def _width(words: str, part: object, size: float, bold: bool) -> float:
    if isinstance(part, Code):
        return len(words) * _MONO * size
    return text_width(words, size, bold=bold or isinstance(part, Strong))


def _shared(least: Sequence[float], wanted: Sequence[float], room: float) -> tuple[float, ...]:
    if sum(wanted) <= room:
        return tuple(wanted)
    missing = [want - need for need, want in zip(least, wanted, strict=True)]
    free = max(0.0, room - sum(least))
    return tuple(need + free * miss / sum(missing) for need, miss in zip(least, missing, strict=True))
