"""How wide the columns of a table are in print, and how small its letters must be to fit."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from math import ceil, inf

from iodyno.report.document import Cell, Code, Column, Link, Strong, Table, Text
from iodyno.report.layout.breaking import SOFT_HYPHEN, keep_units, units, whole_words
from iodyno.report.layout.metrics import text_width
from iodyno.report.layout.outline import parts

PORTRAIT_PT, LANDSCAPE_PT = 481.9, 722.8
"""Width between the margins in points: A4 less 2 × 20 mm, and turned, less 2 × 21 mm."""
_SIZES = (9.0, 8.5, 8.0, 7.5, 7.0)
DENSE_ROWS = 20
"""Tables of more rows are for looking something up: they are set close, in letters no larger than this."""
_DENSE_SIZE = 7.5
_TIGHT = 6.6
"""Only to spare a page from being turned."""
_PADDING = {9.0: 6.0, 8.5: 5.0, 8.0: 4.5, 7.5: 4.0, 7.0: 3.0, _TIGHT: 2.6}
_SLACK, _ICON = 1.03, 1.35
_RAGGED = 1.1
"""How much more room a text takes that breaks between words."""
_AS_FEW = 1.1
"""In larger letters so many times the rows may break that break in smaller ones."""
_AS_LOW, _MANY = 1.35, 8
"""So many times the lines, and the texts that break, may be there that there are in smaller letters, where so
many rows break in all."""
_EASILY_READ = 3
"""Lines of a row up to which no smaller letters are taken for it."""
_EASILY_NAMED = 2
"""Lines of a name in the first column up to which no smaller letters are taken for it."""
_MOST_TRIED = 60
"""Lines of a cell up to which it is tried in how few all others fit."""
_STEP, _ROUNDING = 4.0, 0.01
_LINE, _BETWEEN = 1.15, 0.45
"""From a line to the next, and what is free between them, as shares of the size of the letters."""
_AROUND, _AROUND_DENSE = 7.7, 4.0
"""Free above and below a row in points."""
_FACT_SIZE, _FACT_LINE, _FACT_BETWEEN = 9.0, 1.2, 0.5
"""Size of the letters of facts in points; from a line to the next, and what is free between them, by it."""
_FACT_MM = (48.0, 118.0)
"""Room for the name of a fact, and for what it is."""
MM = 25.4 / 72
"""A point in mm."""
_MONO = 0.6
_DIGIT = re.compile(r"\d")
"""All digits of a table are as wide as each other."""


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
    lines: tuple[int, ...]
    """About how many lines the head has, and each row."""

    @property
    def heights_mm(self) -> tuple[float, ...]:
        """About how high the head is, and each row, in print."""
        dense = len(self.lines) - 1 > DENSE_ROWS
        around = _AROUND_DENSE if dense else _AROUND
        return tuple((around + self.size * (_LINE * lines - _BETWEEN)) * MM for lines in self.lines)


@lru_cache(maxsize=1024)
def fit(table: Table) -> Fit:
    """Find letters and widths with which a table is easy to read.

    Each column is at least as wide as its longest word. Of the sizes in which that fits the page the largest
    is taken in which hardly more texts break than must. A table that does not fit in the smallest letters is
    turned. Words of its head are parted only where whole ones would cost lines below, and those of its cells
    only where whole ones would not fit the page.
    """
    found = _fit(table)
    if any(SOFT_HYPHEN in column.title for column in table.columns):
        whole = _fit(replace(table, columns=tuple(map(_unparted, table.columns))))
        if whole.landscape == found.landscape and sum(whole.lines[1:]) <= sum(found.lines[1:]):
            found = whole
    if any(_parts(cell) for row in table.rows for cell in row):
        whole = _fit(replace(table, rows=tuple(tuple(map(_cell_unparted, row)) for row in table.rows)))
        if whole.landscape == found.landscape and sum(whole.lines[1:]) < sum(found.lines[1:]):
            found = whole
    return replace(found, lines=_with_headings(table, found.lines))


def _unparted(column: Column) -> Column:
    return replace(column, title=whole_words(column.title))


def _parts(cell: Cell) -> bool:
    return isinstance(cell.text, str) and SOFT_HYPHEN in cell.text


def _cell_unparted(cell: Cell) -> Cell:
    return replace(cell, text=whole_words(cell.text)) if isinstance(cell.text, str) else cell


def with_whole_words(table: Table, found: Fit) -> Table:
    """Let no word of a table be parted at a soft hyphen that has room in its column.

    Parameters
    ----------
    table
        The table.
    found
        How it is set: see :func:`fit`.
    """
    last = len(table.columns) - 1
    free = [found.padding * ((index > 0) + (index < last)) for index in range(last + 1)]
    rooms = [width - around for width, around in zip(found.widths, free, strict=True)]

    def whole(text: str, room: float, *, bold: bool) -> str:
        shown = whole_words(text)
        return shown if text_widths(shown, found.size, bold=bold)[1] <= room else text

    def cell(one: Cell, room: float) -> Cell:
        if not isinstance(one.text, str) or SOFT_HYPHEN not in one.text:
            return one
        return replace(one, text=whole(one.text, room, bold=one.strong))

    columns = (
        replace(column, title=whole(column.title, room, bold=True))
        for column, room in zip(table.columns, rooms, strict=True)
    )
    rows = (tuple(map(cell, row, rooms)) if len(row) == len(table.columns) else row for row in table.rows)
    return replace(table, columns=tuple(columns), rows=tuple(rows))


def _with_headings(table: Table, lines: Sequence[int]) -> tuple[int, ...]:
    """Give the lines of all rows: those of the head and of whole rows, and one for each heading of rows."""
    whole = iter(lines)
    head = next(whole, 1)
    return head, *(next(whole, 1) if len(row) == len(table.columns) else 1 for row in table.rows)


def _fit(table: Table) -> Fit:
    needs = _needs(table)
    most = _DENSE_SIZE if len(table.rows) > DENSE_ROWS else _SIZES[0]
    found = [_at(needs, size, PORTRAIT_PT) for size in _SIZES if size <= most]
    upright = [one for one in found if sum(one.fit.widths) <= PORTRAIT_PT + _ROUNDING]
    if upright:
        fewest, least = min(one.broken for one in upright), min(one.lines for one in upright)
        cells = min(one.cells for one in upright if one.broken <= _AS_FEW * fewest)
        good = [
            one
            for one in upright
            if one.broken <= _AS_FEW * fewest
            and (fewest < _MANY or (one.lines <= _AS_LOW * least and one.cells <= _AS_LOW * cells))
        ]
        for lines, easily in ((_highest_as_set, _EASILY_READ), (_highest_name, _EASILY_NAMED)):
            highest = [lines(table, one) for one in good]
            most = max(easily, _AS_LOW * min(highest))
            good = [one for one, lines_of in zip(good, highest, strict=True) if lines_of <= most]
        return good[0].fit
    tight = _at(needs, _TIGHT, PORTRAIT_PT)
    if sum(tight.fit.widths) <= PORTRAIT_PT + _ROUNDING:
        return tight.fit
    turned = _at(needs, _SIZES[-1], LANDSCAPE_PT).fit
    return replace(turned, landscape=True)


@dataclass(frozen=True)
class _Need:
    """What a column needs, for letters of 1 point."""

    least: float
    """Width of its longest piece that does not break."""
    wanted: float
    """Width in which nothing breaks."""
    cells: tuple[float, ...]
    """Width of its title and of each of its cells in one line."""


@dataclass(frozen=True)
class _Trial:
    """A table set in letters of one size."""

    fit: Fit
    broken: int
    """Rows in which a text breaks."""
    cells: int
    """Texts that break, but for those of the head."""
    lines: int
    """Lines of all rows."""
    highest: int
    """Lines of the highest row."""


def _at(needs: Sequence[_Need], size: float, room: float) -> _Trial:
    """Set a table in letters of a size, in some room: wider than it only where words are."""
    last = len(needs) - 1
    around = [_PADDING[size] * ((index > 0) + (index < last)) for index in range(len(needs))]
    scale = size * _SLACK
    columns = [
        _Wrapped(need.least * scale, need.wanted * scale, tuple(cell * scale for cell in need.cells))
        for need in needs
    ]
    widths, lines = _shared(columns, room - sum(around))
    whole = tuple(width + free for width, free in zip(widths, around, strict=True))
    rows = tuple(map(max, zip(*lines, strict=True)))
    found = Fit(size, _PADDING[size], whole, landscape=False, lines=rows)
    return _Trial(found, _broken(lines), _cells(lines), _height(lines), _highest(lines))


@dataclass(frozen=True)
class _Wrapped:
    """A column in letters of a size, without what is free around it."""

    least: float
    wanted: float
    cells: tuple[float, ...]

    def lines(self, width: float) -> list[int]:
        """Estimate the lines of each cell in a width."""
        return [1 if cell <= width else max(2, ceil(cell * _RAGGED / width)) for cell in self.cells]

    def for_lines(self, most: int) -> float:
        """Give the least width in which no cell has more lines; all that is wanted for one line."""
        if most == 1:
            return self.wanted
        cells = [cell for cell in self.cells if cell > self.least]
        needed = max((cell * _RAGGED / most for cell in cells), default=0.0)
        return min(self.wanted, max(self.least, needed))

    def narrower(self, width: float) -> float | None:
        """Give the next smaller width in which other cells would break; none where there is none."""
        wholes = {cell / parts for cell in self.cells for parts in (1, 2, 3)}
        steps = [_STEP * ceil(whole / _STEP) for whole in wholes if self.least < whole]
        below = [step for step in (*steps, self.least) if self.least <= step < width - _ROUNDING]
        return max(below, default=None)


_Shared = tuple[list[float], list[list[int]]]
"""Widths of columns, and the lines of each cell by column."""


def _shared(columns: Sequence[_Wrapped], room: float) -> _Shared:
    """Give columns widths with which they fit: of three ways the one whose rows are lower, and of fewer of
    whose texts break.

    One narrows a column after the other. It may narrow the names in the first column, while all others break
    into two lines, until these have six; so the others find the fewest lines that all can have.
    """
    ways = [_narrowed(columns, room), *_even(columns, room)]
    return min(ways, key=lambda way: (_height(way[1]), _broken(way[1]), _cells(way[1])))


def _narrowed(columns: Sequence[_Wrapped], room: float) -> _Shared:
    """Narrow columns until they fit, always the one that costs the fewest lines for what it frees."""
    widths = [column.wanted for column in columns]
    lines = [column.lines(width) for column, width in zip(columns, widths, strict=True)]
    while sum(widths) > room:
        over, now = sum(widths) - room, _height(lines)
        best: tuple[float, float, int, float] | None = None
        for index, column in enumerate(columns):
            width = column.narrower(widths[index])
            if width is None:
                continue
            freed = min(widths[index] - width, over)
            cost = _height([*lines[:index], column.lines(width), *lines[index + 1 :]]) - now
            best = min(best or (inf, 0.0, 0, 0.0), (cost / freed, -freed, index, width))
        if best is None:
            break
        index, width = best[2:]
        widths[index] = min(widths[index], max(width, widths[index] - over))
        lines[index] = columns[index].lines(widths[index])
    return widths, lines


def _even(columns: Sequence[_Wrapped], room: float) -> list[_Shared]:
    """Find the fewest lines that no cell exceeds, and share what is left among the columns that break: among
    all of them, and among those first in which it lets most texts have one line.
    """
    most = 1
    widths = [column.for_lines(most) for column in columns]
    while sum(widths) > room:
        most += 1
        if most > _MOST_TRIED:
            return []
        widths = [column.for_lines(most) for column in columns]
    shared = [_widened(columns, widths, room), _widened(columns, _unbroken(columns, widths, room), room)]
    return [
        (way, [column.lines(width) for column, width in zip(columns, way, strict=True)]) for way in shared
    ]


def _widened(columns: Sequence[_Wrapped], widths: Sequence[float], room: float) -> list[float]:
    """Share the room that is left among the columns that break."""
    gains = [column.wanted - width for column, width in zip(columns, widths, strict=True)]
    share = min(1.0, (room - sum(widths)) / sum(gains)) if sum(gains) > 0 else 0.0
    return [width + share * gain for width, gain in zip(widths, gains, strict=True)]


def _unbroken(columns: Sequence[_Wrapped], widths: Sequence[float], room: float) -> list[float]:
    """Widen columns so that no text of them breaks, while there is room: those first in which many do for
    little."""
    found, left = list(widths), room - sum(widths)
    broken = [sum(cell > width for cell in of.cells[1:]) for of, width in zip(columns, widths, strict=True)]
    whole = [max((*of.cells[1:], width)) for of, width in zip(columns, widths, strict=True)]
    gains = [wanted - width for wanted, width in zip(whole, widths, strict=True)]
    cheap = sorted(
        (index for index, count in enumerate(broken) if count), key=lambda one: gains[one] / broken[one]
    )
    for index in cheap:
        if gains[index] <= left:
            found[index], left = whole[index], left - gains[index]
    return found


def _broken(lines: Sequence[Sequence[int]]) -> int:
    """Count the rows of more than one line, without the head."""
    return sum(max(row) > 1 for row in list(zip(*lines, strict=True))[1:])


def _cells(lines: Sequence[Sequence[int]]) -> int:
    """Count the texts of more than one line, without the head."""
    return sum(of > 1 for column in lines for of in column[1:])


def _highest(lines: Sequence[Sequence[int]]) -> int:
    """Give the lines of the highest row, without the head."""
    return max((max(row) for row in list(zip(*lines, strict=True))[1:]), default=1)


def _highest_as_set(table: Table, trial: _Trial) -> int:
    """Give the lines of the highest row as they break; the estimate for tables of many rows.

    Japanese breaks between long words, and takes more lines than are estimated.
    """
    if trial.highest == 1 or len(table.rows) > DENSE_ROWS:
        return trial.highest
    last = len(table.columns) - 1
    free = [trial.fit.padding * ((index > 0) + (index < last)) for index in range(last + 1)]
    rooms = [width - around for width, around in zip(trial.fit.widths, free, strict=True)]
    return max(
        _lines_as_set(cell, room, trial.fit.size)
        for row in table.rows
        if len(row) > last
        for cell, room in zip(row, rooms, strict=True)
    )


def _highest_name(table: Table, trial: _Trial) -> int:
    """Count the lines of the highest name in the first column, as :func:`_highest_as_set` does."""
    if trial.highest == 1 or len(table.rows) > DENSE_ROWS:
        return 1
    room = trial.fit.widths[0] - trial.fit.padding * (len(table.columns) > 1)
    return max((_lines_as_set(row[0], room, trial.fit.size) for row in table.rows if len(row) > 1), default=1)


def _lines_as_set(cell: Cell, room: float, size: float) -> int:
    """Count the lines of a cell: each takes as many pieces as fit."""
    lines, filled = 1, _ICON * size if cell.tone != "plain" else 0.0
    for part in parts(cell.text):
        words = part.text if isinstance(part, Strong | Code | Link) else part
        for unit in units(words if isinstance(part, Code) else keep_units(words)):
            if filled and filled + _width(unit.rstrip(" "), part, size, cell.strong) > room + _ROUNDING:
                lines, filled = lines + 1, 0.0
            filled += _width(unit, part, size, cell.strong)
    return lines


def _height(lines: Sequence[Sequence[int]]) -> int:
    """Add up the lines of rows: each is as high as its highest cell."""
    return sum(map(max, zip(*lines, strict=True)))


def _needs(table: Table) -> tuple[_Need, ...]:
    whole = [row for row in table.rows if len(row) == len(table.columns)]
    first, *others = table.columns
    named = _unparted(first)  # there is room for its words
    return tuple(
        _need(column, [row[index] for row in whole]) for index, column in enumerate((named, *others))
    )


def _need(column: Column, cells: Sequence[Cell]) -> _Need:
    pieces = [_cell(cell) for cell in cells]
    unit = text_width(column.unit, 1)
    whole = max((width for width, _ in pieces), default=0.0)
    head = [text_width(_line(word), 1, bold=True) for word in units(keep_units(column.title))]
    title = text_width(column.title, 1, bold=True)
    widths = (title, *(width for width, _ in pieces))
    if column.align == "right":
        smallest = max([*head, unit, whole])
        return _Need(smallest, max([smallest, *_title_in_two(column.title)]), widths)
    smallest = max([*head, unit, *(longest for _, longest in pieces)])
    return _Need(smallest, max(smallest, whole, title), widths)


def _line(unit: str) -> str:
    """A unit as it looks at the end of a line: without a space, and with its hyphen."""
    shown = unit.rstrip()
    return f"{shown[:-1]}-" if shown.endswith(SOFT_HYPHEN) else shown


def _title_in_two(title: str) -> list[float]:
    """The width of a title that may take two lines: what is below need not be as wide as its name."""
    words = units(keep_units(whole_words(title)))
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
    return text_width(_DIGIT.sub("0", words), size, bold=bold or isinstance(part, Strong))


def fact_height_mm(name: str, value: Text) -> float:
    """Give about how high a fact is in print: a name, and what it is beside it."""
    widths = text_width(name, _FACT_SIZE), text_widths(value, _FACT_SIZE)[0]
    lines = max(
        1 if width * MM <= room else ceil(width * _RAGGED * MM / room)
        for width, room in zip(widths, _FACT_MM, strict=True)
    )
    return (_AROUND + _FACT_SIZE * (_FACT_LINE * lines - _FACT_BETWEEN)) * MM
