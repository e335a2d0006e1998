"""How wide a text is in IBM Plex Sans, without loading the font.

The advance widths of the fonts carried in ``fonts/``, in thousandths of the size.
Charts place labels by them, and the PDF decides by them how a table fits.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

from iodyno.report.layout.breaking import units

# fmt: off
_REGULAR = (
    236, 284, 419, 713, 598, 927, 694, 242, 335, 335, 450, 600, 272, 399, 272, 383, 600, 600, 600, 600,
    600, 600, 600, 600, 600, 600, 292, 292, 600, 600, 600, 477, 891, 641, 653, 621, 671, 583, 559, 695,
    707, 400, 510, 634, 501, 812, 707, 708, 606, 708, 640, 581, 572, 678, 609, 891, 613, 593, 580, 317,
    383, 317, 600, 565, 600, 534, 580, 503, 580, 549, 324, 528, 568, 250, 250, 527, 272, 873, 568, 560,
    580, 580, 367, 487, 351, 568, 492, 768, 507, 499, 464, 343, 314, 343, 600,
)
_SEMIBOLD = (
    236, 309, 471, 656, 600, 960, 713, 260, 337, 337, 556, 600, 299, 402, 299, 437, 600, 600, 600, 600,
    600, 600, 600, 600, 600, 600, 319, 319, 600, 600, 600, 493, 899, 672, 663, 642, 689, 600, 577, 712,
    719, 423, 545, 678, 521, 817, 719, 712, 641, 712, 664, 611, 580, 689, 638, 949, 655, 632, 599, 329,
    437, 329, 600, 559, 600, 559, 600, 513, 600, 558, 350, 545, 588, 275, 275, 562, 294, 888, 588, 563,
    600, 600, 393, 499, 374, 588, 524, 819, 544, 524, 502, 363, 376, 363, 600,
)
# fmt: on
_OTHER = {
    "\u00a0": 236,
    "\u2009": 118,
    "\u202f": 118,
    "\u200b": 0,
    "\u00ad": 0,
    "–": 588,
    "—": 780,
    "…": 869,
    "→": 876,
    "²": 347,
    "³": 347,
    "·": 349,
    "’": 292,
    "‘": 292,
    "“": 517,
    "”": 517,
    "✓": 912,
}  # fmt: skip
_FIRST, _DIGIT, _FULL_WIDTH = 32, 600, 1000


def text_width(text: str, size: float, *, bold: bool = False) -> float:
    """Estimate the width of a text in one line.

    Parameters
    ----------
    text
        The text; its characters are set one after the other, without kerning.
    size
        Size of the font, in any unit.
    bold
        Semi-bold instead of regular.

    Returns
    -------
    float
        The width in the unit of ``size``.

    Examples
    --------
    >>> text_width("512", 10)
    18.0
    """
    return _thousandths(text, bold) * size / 1000


@lru_cache(maxsize=1 << 15)
def _thousandths(text: str, bold: bool) -> int:
    """Give the width for a size of 1000; a paper asks for the same words many times."""
    widths = _SEMIBOLD if bold else _REGULAR
    return sum(_advance(character, widths) for character in text)


def _advance(character: str, widths: tuple[int, ...]) -> int:
    index = ord(character) - _FIRST
    if 0 <= index < len(widths):
        return widths[index]
    if character in _OTHER:
        return _OTHER[character]
    base = unicodedata.normalize("NFD", character)[0]
    if base != character:
        return _advance(base, widths)
    if unicodedata.east_asian_width(character) in "WF":
        return _FULL_WIDTH
    return 0 if unicodedata.combining(character) else _DIGIT


def wrap(text: str, size: float, width: float, *, bold: bool = False, lines: int = 3) -> tuple[str, ...]:
    """Break a text into at most so many lines; what does not fit ends in ``…``.

    A line ends at a space, or elsewhere where :func:`~iodyno.report.layout.breaking.units` says.

    Examples
    --------
    >>> wrap("random read of 4 kB", 10, 60)
    ('random read', 'of 4 kB')
    >>> wrap("toshiba-px02smf040-raid50", 10, 110)
    ('toshiba-px02smf040-', 'raid50')
    """
    broken: list[str] = []
    rest = units(re.sub(r"[ \t\n]+", " ", text.strip()))
    while rest and len(broken) < lines:
        count = len(rest)
        while count > 1 and text_width("".join(rest[:count]).strip(), size, bold=bold) > width:
            count -= 1
        if len(broken) == lines - 1:
            count = len(rest)
        line, rest = "".join(rest[:count]).strip(), rest[count:]
        broken.append(shorten(line, size, width, bold=bold))
    return tuple(broken)


def shorten(text: str, size: float, width: float, *, bold: bool = False) -> str:
    """Cut a text to a width; ``…`` says that something is missing."""
    if text_width(text, size, bold=bold) <= width:
        return text
    while text and text_width(text + "…", size, bold=bold) > width:
        text = text[:-1]
    return text.rstrip() + "…"
