"""Names that stand together: what all of them say is said once, and the rest tells them apart."""

from __future__ import annotations

import re
from collections.abc import Sequence

from iodyno.report.layout.breaking import has_wide

_PIECES = re.compile(r"(:\s*|：\s*|,\s+|、|，\s*)(?![^()（）]*[)）])")
"""Commas and colons, but not those within brackets."""
_IN_BRACKETS = re.compile(r"([^()（）,:、：，]+?)(?: \((?P<narrow>[^()（）]+)\)|（(?P<wide>[^()（）]+)）)")
"""A name that was told apart before: the pieces after its first are in brackets."""
_QUOTED = re.compile(r"“[^“”]*”|„[^„“]*“|「[^「」]*」")
"""What is quoted, in each language: it stays whole."""
_SIGNS = ",:、：，()（）"
_HELD = {ord(sign): 0xE000 + place for place, sign in enumerate(_SIGNS)}
"""Signs that would take a quotation apart, and what stands for them meanwhile, of Unicode's private use."""
_SQUARE = str.maketrans("()（）", "[]［］")
_RELEASED = {held: sign for sign, held in _HELD.items()}


def told_apart(names: Sequence[str]) -> tuple[str, tuple[str, ...]]:
    """Take out of names what all of them share.

    Names are taken apart at commas and colons, and at the brackets of one that was before, but for those
    in what is quoted; a piece that stands in every name, as often in each, is shared. Where a name has
    nothing but shared pieces, the last of them stays in all. What is left of a name after its first comma
    stands in brackets: such names can stand in a list.

    Returns
    -------
    tuple
        The shared pieces, joined by commas, and the short names. Where nothing is shared, or short names
        would be the same, the first is empty and the names are whole.

    Examples
    --------
    >>> told_apart(["c220: 2 SSDs, RAID 1", "c236: 2 SSDs, RAID 1"])
    ('2 SSDs, RAID 1', ('c220', 'c236'))
    >>> told_apart(["A drive", "A drive, its cache off"])
    ('', ('A drive', 'A drive (its cache off)'))
    >>> told_apart(["2 SSDs, cached", "2 SSDs, cached, read ahead"])
    ('2 SSDs', ('cached', 'cached (read ahead)'))
    >>> told_apart(["Disk, as in “4 disks, RAID 5”", "Disk, as in “4 disks, RAID 6”"])
    ('Disk', ('as in “4 disks, RAID 5”', 'as in “4 disks, RAID 6”'))

    Brackets of a piece that stands in brackets are square.

    >>> told_apart(["A drive", "A drive, RAID 0 (of the host)"])
    ('', ('A drive', 'A drive (RAID 0 [of the host])'))

    Brackets are full-width around Japanese words, or a Japanese comma, as they are elsewhere.

    >>> told_apart(["EP400i：SSD 8 台、Fast Path", "EP420i：SSD 8 台、Performance、先読みなし"])
    ('SSD 8 台', ('EP400i (Fast Path)', 'EP420i（Performance、先読みなし）'))
    """
    split = [taken_apart(name) for name in names]
    pieces = [parts[::2] for parts in split]
    shared = (
        [piece for piece in pieces[0] if all(piece in other for other in pieces)] if len(names) > 1 else []
    )
    if shared and any(set(of) <= set(shared) for of in pieces):
        shared = shared[:-1]  # the last stays, so that the one that has nothing of its own keeps a name
    short = tuple(_without(parts, shared) for parts in split)
    if not shared or not all(short) or len(set(short)) < len(set(names)):
        return "", tuple(names) if len(names) < 2 else tuple(_without(parts, ()) for parts in split)
    separator = "、" if any("、" in name for name in names) else ", "
    return separator.join(shared), short


def squared(text: str) -> str:
    """Give a text that is to stand in brackets square ones.

    Examples
    --------
    >>> squared("write-through (fast path)"), squared("ライトスルー（Fast Path）")
    ('write-through [fast path]', 'ライトスルー［Fast Path］')
    """
    return text.translate(_SQUARE)


def taken_apart(name: str) -> list[str]:
    """Take a name apart: its pieces, and what stands between them.

    Examples
    --------
    >>> taken_apart("Board: 2 SSDs, RAID 1")
    ['Board', ': ', '2 SSDs', ', ', 'RAID 1']
    """
    held = _QUOTED.sub(lambda quoted: quoted[0].translate(_HELD), name)
    return [part.translate(_RELEASED) for part in _pieces_of(held)]


def _pieces_of(name: str) -> list[str]:
    found = _IN_BRACKETS.fullmatch(name)
    if not found:
        return _PIECES.split(name)
    if found["wide"]:
        return [found[1], "、", *_PIECES.split(found["wide"])]
    return [found[1], ", ", *_PIECES.split(found["narrow"])]


def _without(parts: Sequence[str], shared: Sequence[str]) -> str:
    """Join the pieces that are not shared, all but the first in brackets: such names can stand in a list."""
    left = [piece for piece in parts[::2] if piece not in shared]
    if len(left) < 2:
        return "".join(left)
    wide = any(sign.strip() in ("、", "：", "，") for sign in parts[1::2])
    rest = squared(("、" if wide else ", ").join(left[1:]))
    return f"{left[0]}（{rest}）" if has_wide(left[0] + rest) else f"{left[0]} ({rest})"
