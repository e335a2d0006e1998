"""The three streams that every process is meant to begin with, whoever starts it."""

from __future__ import annotations

import io
import os
import sys


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
            stream.reconfigure(errors="backslashreplace")
