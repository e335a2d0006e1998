"""The three streams that every process is meant to begin with, whoever starts it."""

from __future__ import annotations

import codecs
import io
import os
import sys

NEAREST = {
    "\N{MICRO SIGN}": "u", "\N{PLUS-MINUS SIGN}": "+-", "\N{EN DASH}": "-", "\N{EM DASH}": "-",
    "\N{MINUS SIGN}": "-", "\N{HORIZONTAL ELLIPSIS}": "...", "\N{MULTIPLICATION SIGN}": "x",
    "\N{DIVISION SIGN}": "/", "\N{NO-BREAK SPACE}": " ", "\N{DEGREE SIGN}": " deg ", "\N{CHECK MARK}": "+",
    "\N{BALLOT X}": "x", "\N{GREEK SMALL LETTER MU}": "u",
}  # fmt: skip
"""What is written of a character that a terminal lacks; of others their number."""


def _nearest(error: UnicodeError) -> tuple[str, int]:
    """Give the nearest text that every terminal has."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    lacking = error.object[error.start : error.end]
    numbers = (NEAREST.get(one) or one.encode("ascii", "backslashreplace").decode() for one in lacking)
    return "".join(numbers), error.end


codecs.register_error("iodyno.nearest", _nearest)


def make_ready() -> None:
    """Open what of the streams is closed on nothing, and let none refuse a character.

    Where one is closed (``iodyno measure … >&-``), the next file that is opened takes its number: what is
    printed, or a library complains, would go into the store or onto a target. A new number is the lowest that
    is free, so each takes its own.
    """
    for name, way in (("stdin", os.O_RDONLY), ("stdout", os.O_WRONLY), ("stderr", os.O_WRONLY)):
        if getattr(sys, name) is None:
            number = os.open(os.devnull, way)
            os.set_inheritable(number, True)
            setattr(sys, name, os.fdopen(number, "w" if way else "r", encoding="utf-8"))
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="iodyno.nearest")
