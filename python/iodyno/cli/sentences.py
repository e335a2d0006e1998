"""Sentences on a terminal: a line breaks between words, and never inside a command that is to be copied."""

from __future__ import annotations

import os
import re
import sys
import textwrap
from typing import TextIO

import click

_COMMAND = re.compile("`[^`\n]*`")
_HELD = "\ue000"
"""What stands for the blanks of a command meanwhile, of Unicode's private use."""
_NARROWEST = 20
"""Columns of a terminal from which on sentences are broken: of none at all nothing is known."""


def broken(text: str, width: int) -> str:
    """Break a text into lines between its words.

    Parameters
    ----------
    text
        What is said; its own lines stay.
    width
        Columns of a line. A word, and a command in backticks, that is longer stands whole on one line.

    Examples
    --------
    >>> broken("hint: `iodyno runs` lists them", 20).split("\\n")
    ['hint: `iodyno runs`', 'lists them']
    """
    held = _COMMAND.sub(lambda command: command[0].replace(" ", _HELD), text)
    lines = (
        textwrap.wrap(line, width, break_long_words=False, break_on_hyphens=False) or [""]
        for line in held.split("\n")
    )
    return "\n".join("\n".join(line) for line in lines).replace(_HELD, " ")


def fitted(text: str, file: TextIO) -> str:
    """Break a text as the terminal needs it that a file is; elsewhere it stays whole, as programs read it."""
    width = _columns(file)
    return text if width is None else broken(text, width)


def say_line(text: str) -> None:
    """Print a sentence to stdout."""
    click.echo(fitted(text, sys.stdout))


def _columns(file: TextIO) -> int | None:
    """Give the width of a terminal; none where the file is none."""
    if not file.isatty():
        return None
    asked = os.environ.get("COLUMNS", "")
    try:
        columns = int(asked) if asked.isdecimal() else os.get_terminal_size(file.fileno()).columns
    except (OSError, ValueError):
        return None
    return columns if columns >= _NARROWEST else None
