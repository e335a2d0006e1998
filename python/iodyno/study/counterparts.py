"""What a configuration is set against: names with the same words in other places."""

from __future__ import annotations

import re
from collections.abc import Sequence
from fnmatch import fnmatchcase

PIECES = re.compile(r"\[!?\]?[^\]]*\]|.", re.DOTALL)
"""A pattern of names in pieces, as :mod:`fnmatch` reads it: ``*``, ``?``, ``[ab]`` or a character."""


def counterpart(name: str, of: str, to: str) -> str:
    """Give the name of what a configuration is set against; empty where its name does not fit.

    Parameters
    ----------
    name
        The configuration.
    of
        A pattern of names, read as :mod:`fnmatch` does: ``*`` for any part of one, ``?`` for one character,
        ``[ab]`` for one of these.
    to
        The other name: its first ``*`` stands for what the first one of ``of`` does, and so on; its first
        ``?`` for what the first ``?`` or ``[ab]`` does.

    Examples
    --------
    >>> counterpart("single-800g-full", "single-*-full", "single-*")
    'single-800g'
    >>> counterpart("raid0-of-4", "*-of-4", "single-800g")
    'single-800g'
    >>> counterpart("raid5-of-4", "raid[56]-of-*", "raid0-of-*")
    'raid0-of-4'
    >>> counterpart("raid0-of-4", "*-of-2", "single-800g")
    ''
    """
    if not fnmatchcase(name, of):
        return ""
    pieces = PIECES.findall(of)
    found = _fitted(name, pieces)
    if found is None:
        return ""
    taken = list(zip(pieces, found, strict=True))
    words = iter([word for piece, word in taken if piece == "*"])
    ones = iter([word for piece, word in taken if piece == "?" or len(piece) > 1])
    return "".join(next(words, "") if one == "*" else next(ones, "") if one == "?" else one for one in to)


def _fitted(name: str, pieces: Sequence[str]) -> list[str] | None:
    """Give what of a name each piece of a pattern stands for, the first as much as it can; none where it does
    not fit."""
    if not pieces:
        return None if name else []
    piece, *rest = pieces
    if piece == "*":
        lengths: Sequence[int] = range(len(name), -1, -1)
    else:
        lengths = (1,) if name and fnmatchcase(name[0], piece) else ()
    for length in lengths:
        found = _fitted(name[length:], rest)
        if found is not None:
            return [name[:length], *found]
    return None
