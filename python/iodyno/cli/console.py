"""The terminal: one console with one look, and tables."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, TextIO, cast

if TYPE_CHECKING:
    from rich.console import Console, RenderableType
    from rich.table import Table

    from iodyno.cli.narrow import FittedTable

WIDE = 200
"""Columns where the output is no terminal: nothing is cut off in a pipe."""
TONES = {
    "steady": "green",
    "capped": "yellow",
    "not_steady": "yellow",
    "disturbed": "red",
    "not_judged": "dim",
}
"""Colours of the states of a verdict; its word always stands there too."""


def console(file: TextIO | None = None) -> Console:
    """Make a console; rich itself heeds NO_COLOR and TERM."""
    from rich.console import Console

    class Told(Console):
        """One that leaves it to the command what becomes of it where nobody reads on."""

        def on_broken_pipe(self) -> None:
            raise BrokenPipeError

    out = file or sys.stdout
    if out.isatty():
        return Told(file=out, highlight=False, markup=False, emoji=False)
    return Told(file=cast("TextIO", _Trimmed(out)), width=WIDE, highlight=False, markup=False, emoji=False)


def is_terminal(console: Console) -> bool:
    """Tell whether a console shows a terminal, whose width is what there is."""
    return not isinstance(console.file, _Trimmed)


class _Trimmed:
    """A file whose lines lose the blanks at their ends, with which tables are filled up."""

    def __init__(self, file: TextIO) -> None:
        self._file = file

    def write(self, text: str) -> int:
        """Write a text that holds whole lines."""
        return self._file.write("\n".join(line.rstrip(" ") for line in text.split("\n")))

    def __getattr__(self, name: str) -> object:
        return getattr(self._file, name)


def table(
    columns: Sequence[tuple[str, str]], rows: Iterable[Sequence[RenderableType]], *, title: str = ""
) -> FittedTable:
    """Make a table without lines, of which a narrow terminal shows everything too.

    Parameters
    ----------
    columns
        Title and alignment, ``left`` or ``right``; ``whole`` is left and never broken.
    rows
        One cell a column.
    title
        What stands above it; nothing where empty.
    """
    from iodyno.cli.narrow import FittedTable

    return FittedTable(columns, [tuple(row) for row in rows], title)


def facts(pairs: Iterable[tuple[str, str]]) -> Table:
    """Make two columns: a name and what it is."""
    from rich.table import Table

    made = Table.grid(padding=(0, 2))
    made.add_column(style="dim", no_wrap=True)
    made.add_column(overflow="fold")
    for name, value in pairs:
        made.add_row(name, value)
    return made
