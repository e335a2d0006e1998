"""Tables on a terminal of any width: nothing of them is cut off, however narrow it is."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.console import Console, ConsoleOptions, RenderableType, RenderResult
    from rich.table import Table

GAPS = 2, 1
"""Blanks between columns: as many as there is room for."""
TEXT_WIDTHS = 20, 14
"""Least width of a column of text that has more to say, and where two such columns have no room."""
LONG_WORD = 30
"""Letters from which on a word of a text, a path as a rule, may be broken."""
_UNLIMITED = 1 << 20


@dataclass(frozen=True)
class Room:
    """How wide a column has to be."""

    least: int
    """Columns of the terminal below which a number or a word would be broken."""
    most: int
    """Columns in which everything of it is in one line."""


class FittedTable:
    """Rows and columns that are shown whole.

    Where there is not enough room for a line a row, headings and texts break between words and columns stand
    closer. Where that is not enough, the columns stand in several tables below each other, each with the
    first column; and where even two columns have no room, each cell has a line.

    Parameters
    ----------
    columns
        Title and alignment, ``left`` or ``right``; ``whole`` is left and never broken.
    rows
        One cell a column.
    title
        What stands above it; nothing where empty.
    """

    def __init__(
        self,
        columns: Sequence[tuple[str, str]],
        rows: Sequence[Sequence[RenderableType]],
        title: str = "",
    ) -> None:
        self.columns, self.rows, self.title = columns, rows, title

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        """Yield the tables that it comes to in this width."""
        from rich.text import Text

        from iodyno.cli.console import is_terminal

        if not is_terminal(console):
            yield self._part(range(len(self.columns)), title=self.title)
            return
        if self.title:
            yield Text(self.title, "bold")
        for text_width in TEXT_WIDTHS:
            rooms = self._rooms(console, options, text_width)
            parts = parted(rooms, self._together(), options.max_width)
            if parts is not None:
                break
        else:
            yield from self._stacked(console, options)
            return
        for number, part in enumerate(parts):
            if number:
                yield ""
            widths, gap = fitted([rooms[place] for place in part], options.max_width)
            yield self._part(part, widths, gap, self._headings(console, part, widths))

    def _rooms(self, console: Console, options: ConsoleOptions, text_width: int) -> list[Room]:
        from rich.measure import Measurement

        wide = options.update(max_width=_UNLIMITED)
        rooms = []
        for place, (name, side) in enumerate(self.columns):
            heading = Measurement.get(console, wide, name)
            cells = [Measurement.get(console, wide, row[place]) for row in self.rows]
            longest = max((cell.maximum for cell in cells), default=0)
            word = min(max((cell.minimum for cell in cells), default=0), LONG_WORD)
            least = longest if side != "left" else max(word, min(longest, text_width))
            rooms.append(Room(max(least, heading.minimum), max(longest, heading.maximum)))
        return rooms

    def _together(self) -> list[bool]:
        """Tell of each column whether it is read with the one before it: an interval, of several."""
        names = [name for name, _ in self.columns]
        return [place > 1 and names.count(name) > 1 for place, name in enumerate(names)]

    def _headings(self, console: Console, part: Sequence[int], widths: Sequence[int]) -> list[str]:
        """Break headings between words, and let all of them end in one line."""
        from rich.text import Text

        lines = [
            [line.plain.rstrip() for line in Text(self.columns[place][0]).wrap(console, width)]
            for place, width in zip(part, widths, strict=True)
        ]
        most = max(map(len, lines))
        return ["\n".join([""] * (most - len(own)) + own) for own in lines]

    def _part(
        self,
        part: Sequence[int],
        widths: Sequence[int] | None = None,
        gap: int = GAPS[0],
        headings: Sequence[str] | None = None,
        title: str = "",
    ) -> Table:
        """Make a table without lines of some columns, as wide as they are unless given."""
        from rich.table import Table

        made = Table(box=None, pad_edge=False, padding=(0, gap, 0, 0), title=title or None)
        made.title_justify, made.title_style = "left", "bold"
        for number, place in enumerate(part):
            name, side = self.columns[place]
            made.add_column(
                headings[number] if headings else name,
                justify="right" if side == "right" else "left",
                header_style="dim",
                overflow="fold",
                no_wrap=side != "left" and not widths,
                width=widths[number] if widths else None,
            )
        for row in self.rows:
            made.add_row(*(row[place] for place in part))
        return made

    def _stacked(self, console: Console, options: ConsoleOptions) -> Iterator[RenderableType]:
        """Yield each row as lines of what a cell is and what stands in it."""
        from rich.cells import cell_len
        from rich.table import Table

        names = max(cell_len(name) for name, _ in self.columns)
        cells = max(room.least for room in self._rooms(console, options, TEXT_WIDTHS[-1]))
        beside = names + GAPS[0] + cells <= options.max_width
        for row in self.rows:
            made = Table.grid(padding=(0, GAPS[0], 0, 0), pad_edge=False)
            if beside:
                made.add_column(style="dim", no_wrap=True)
            made.add_column(overflow="fold")
            for (name, _), cell in zip(self.columns, row, strict=True):
                if not str(cell):
                    continue
                if not beside and name:
                    made.add_row(name, style="dim")
                made.add_row(*((name, cell) if beside else (cell,)))
            yield made
            yield ""


def fitted(rooms: Sequence[Room], width: int) -> tuple[list[int], int]:
    """Give the widths of columns that have room beside each other, and the blanks between them.

    Columns stand closer where each row has one line then. What is left beyond their least goes to the
    narrowest ones first.

    Examples
    --------
    >>> fitted([Room(4, 4), Room(8, 20), Room(8, 10)], 36)
    ([4, 20, 10], 1)
    >>> fitted([Room(4, 4), Room(8, 40), Room(8, 10)], 34)
    ([4, 16, 10], 2)
    """
    whole = [Room(room.most, room.most) for room in rooms]
    ways = ((kind, gap) for kind in (whole, rooms) for gap in GAPS)
    gap = next((gap for kind, gap in ways if _least(kind, gap) <= width), GAPS[-1])
    widths = [room.least for room in rooms]
    left = width - _least(rooms, gap)
    while left > 0:
        growing = [at for at, room in enumerate(rooms) if widths[at] < room.most]
        if not growing:
            break
        widths[min(growing, key=lambda at: widths[at])] += 1
        left -= 1
    return widths, gap


def parted(rooms: Sequence[Room], together: Sequence[bool], width: int) -> list[list[int]] | None:
    """Give the columns of each table that they come to in a width; nothing where two have no room.

    Parameters
    ----------
    rooms
        How wide each column has to be; the first stands in each table.
    together
        Of each column, whether it stays in the table of the one before it if there is room for that.
    width
        Columns of the terminal.

    Examples
    --------
    >>> parted([Room(4, 4), Room(8, 8), Room(8, 8), Room(8, 8)], [False] * 4, 24)
    [[0, 1, 2], [0, 3]]
    >>> parted([Room(20, 20), Room(8, 8)], [False, False], 24)
    """
    groups: list[list[int]] = []
    for place in range(1, len(rooms)):
        if together[place] and groups and _fits([0, *groups[-1], place], rooms, width):
            groups[-1].append(place)
        else:
            groups.append([place])
    parts: list[list[int]] = [[0]]
    for group in groups:
        if _fits([*parts[-1], *group], rooms, width):
            parts[-1] += group
        elif parts == [[0]]:
            return None
        else:
            parts.append([0, *group])
    return parts if all(_fits(part, rooms, width) for part in parts) else None


def _fits(part: Sequence[int], rooms: Sequence[Room], width: int) -> bool:
    return _least([rooms[place] for place in part], GAPS[-1]) <= width


def _least(rooms: Sequence[Room], gap: int) -> int:
    return sum(room.least for room in rooms) + gap * (len(rooms) - 1)
