"""Where a line may break: inside long paths, hashes and command lines; not between a number and its unit."""

from __future__ import annotations

import re

_LONGEST = 18
_PIECE = 12
_AFTER = re.compile(r"(?<=[/\\:_.,;=&?-])(?=[^\s/\\:_.,;=&?-])")

_NO_BREAK = "\u00a0"
_UNIT = r"(?:IO/s|I/Os?|[kMGT]?B/s|[KMGT]iB(?:/s)?|[kMGT]?B|[mµμn]?s|%)(?![\w/])"
_APART = re.compile(rf"(?<=[\d*†‡]) (?={_UNIT})|(?<=\d) (?=[*†‡])|(?<=[†‡]) (?=[^\W\d_])")


def keep_units(text: str) -> str:
    """Put no-break spaces between a number and its unit, and around the mark of a verdict.

    Parameters
    ----------
    text
        A text to read, not a command to copy.

    Returns
    -------
    str
        The same text but for the kind of some spaces.

    Examples
    --------
    >>> keep_units("in 0.60 ms at 3,450† MB/s").split(" ")
    ['in', '0.60\\xa0ms', 'at', '3,450†\\xa0MB/s']
    """
    return _APART.sub(_NO_BREAK, text)


def breakable(text: str) -> list[str]:
    """Split a text where it may break although there is no space.

    Parameters
    ----------
    text
        Any text.

    Returns
    -------
    list of str
        The pieces; together they are the text. Words of up to 18 characters stay whole.

    Examples
    --------
    >>> breakable("see /sys/block/nvme0n1/queue")
    ['see /', 'sys/', 'block/', 'nvme0n1/', 'queue']
    """
    pieces = [""]
    for word in re.split(r"(\s+)", text):
        first, *rest = _pieces(word) or [""]
        pieces[-1] += first
        pieces += rest
    return [piece for piece in pieces if piece]


def _pieces(word: str) -> list[str]:
    if len(word) <= _LONGEST:
        return [word]
    return [
        part[start : start + _PIECE] if len(part) > _LONGEST else part
        for part in _AFTER.split(word)
        for start in (range(0, len(part), _PIECE) if len(part) > _LONGEST else (0,))
    ]
