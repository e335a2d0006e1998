"""Where a word that is too long for its line may break: paths, hashes, command lines."""

from __future__ import annotations

import re

_LONGEST = 18
_PIECE = 12
_AFTER = re.compile(r"(?<=[/\\:_.,;=&?-])(?=[^\s/\\:_.,;=&?-])")


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
