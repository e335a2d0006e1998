"""Where a line may break: inside long paths, hashes and command lines; not between a number and its unit."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import NamedTuple

_LONGEST = 18
_PIECE = 12
_WORD = re.compile(r"\W*[^\W\d_]{1,26}\W*")
"""A word of a language, with the signs around it: nobody reads one that breaks without a hyphen."""
_SPACES = re.compile(r"(\s+)")
_RANGE = re.compile(r"(?<=\d\u2013)(?=\d)")
_AFTER = re.compile(r"(?<=[/\\:_.,;=&?-])(?=[^\s/\\:_.,;=&?-])")

_WIDE = "\u2e80-\u9fff\uf900-\ufaff\uff01-\uff60\uffe0-\uffe6"
"""Signs of Chinese and Japanese, full-width forms among them: lines break between them without a space."""
_FIRST_WIDE = "\u2e80"
_HIRAGANA, _KATAKANA, _KANJI = "\u3041-\u3096", "\u30a1-\u30ff", "\u3005\u4e00-\u9fff"
_RATE = "\u30ec\u30fc\u30c8"
"""The word for a rate, at the end of long words: a line may end before it: columns of rates are narrow."""
_OF = "\u306e"
"""The particle of a genitive: no line begins with it."""
_CLOSING = (
    "\u3001\u3002\uff0c\uff0e\uff1a\uff1b\uff1f\uff01\uff09\u3015"
    "\uff3d\uff5d\u3009\u300b\u300d\u300f\u3011\u30fb\u301c*\u2020\u2021%"
)
_OPENING = "\uff08\u3014\uff3b\uff5b\u3008\u300a\u300c\u300e\u3010"
_NARROW_UNITS = re.compile("[^ \t\n\u00ad]+\u00ad?[ \t\n]*|\u00ad+[ \t\n]*|[ \t\n]+")


class _Japanese(NamedTuple):
    """Patterns for texts that have a wide sign."""

    sign: re.Pattern[str]
    gap: re.Pattern[str]
    runs: re.Pattern[str]
    short: re.Pattern[str]
    """A text so short stays whole."""
    units: re.Pattern[str]


@lru_cache(maxsize=1)
def _japanese() -> _Japanese:
    """Compile them when a text needs them: such large sets of signs take long."""
    return _Japanese(
        sign=re.compile(f"[{_WIDE}]"),
        gap=re.compile(f"(?<=[{_WIDE}]) (?=[{_WIDE}])"),
        runs=re.compile(rf"[{_WIDE}]+|[^{_WIDE}]+"),
        short=re.compile(rf"[{_WIDE}]{{1,6}}[{_CLOSING}]*"),
        units=re.compile(
            rf"[{_OPENING}]*(?:[{_KANJI}]{{1,4}}[{_HIRAGANA}]{{0,3}}"
            rf"|[{_KATAKANA}]{{5,}}?(?={_RATE})|[{_KATAKANA}]+(?:[{_HIRAGANA}](?![{_HIRAGANA}]))?"
            rf"|[{_HIRAGANA}]{{1,4}}{_OF}?"
            rf"|[^ \t\n\u00ad{_WIDE}]+|[{_WIDE}])\u00ad?[{_CLOSING}]*[ \t\n]*"
            rf"|[{_CLOSING}\u00ad]+[ \t\n]*|[{_OPENING}]+[ \t\n]*|[ \t\n]+"
        ),
    )


_SHELL_WORDS = re.compile(r"""(?:[^\s'"\\]|\\.|'[^']*'|"(?:[^"\\]|\\.)*")+""")
SOFT_HYPHEN = "\u00ad"
_NO_BREAK = "\u00a0"
_LATIN = "A-Za-z0-9_\u00c0-\u00ff"
"""Signs of a Latin word: those of Japanese follow on it without a space."""
_UNIT = rf"(?:IO/s|I/Os?|[kMGT]?B/s|[KMGT]iB(?:/s)?|[kMGT]?B|[kMG]Hz|k?rpm|U/min|[mµμn]?s|%)(?![{_LATIN}/])"
_COUNTED = "(?:drives?|disks?|workers?|targets?|Laufwerken?|Festplatten?|Workern?|Zielen?|Ziel)"
"""Short words for what is counted: also in the narrow columns of a table they stay with their number."""
_APART = re.compile(
    rf"(?<=[\d*†‡]) (?={_UNIT})|(?<=[≥≤÷×]) (?=\d)|(?<=\d) (?=[*†‡×])|(?<=[†‡]) (?=[^\W\d_])"
    rf"|(?<=RAID) (?=\d)|(?<=PCIe) (?=\d)|(?<=\d) (?=(?:SAS|SATA|SSDs?|x\d+)(?![{_LATIN}]))"
    rf"|(?<=\d) (?={_COUNTED}(?![{_LATIN}]))"
    rf"|(?<=I/O) (?=数)|(?<=[A-Z]\d{{4}}) (?=M\d(?![{_LATIN}]))|(?<=[A-Z]\d-\d{{4}}) (?=v\d(?![{_LATIN}]))"
    r"|(?<=\d) (?=[\u53f0\u672c\u4ef6\u500b\u56de\u679a\u7a2e]|\u30d7\u30ed\u30bb\u30b9(?![\u30a1-\u30ff]))",
)
_NAMES = re.compile(
    rf"((?<![{_LATIN}])(?:[A-Z]{{3,}}|NVMe|Xeon|DC)) (?=[A-Z]{{0,3}}\d)|(\d[ {_NO_BREAK}]×) (?=[A-Z])"
    rf"|(\d) (?=(?:(?:hard|solid.state) (?:disks?|drives?)|HDDs?|controllers?|points?|curves?)(?![{_LATIN}]))"
    rf"|(\d) (?=(?:HDDs?|Controllern?|Punkten?|Punkt|Kurven?|weiteren?)(?![{_LATIN}]))"
    rf"|(\d) (?=(?:outstanding|ausstehenden?) I/Os?(?![{_LATIN}]))"
    r"|(\d) (?=(?:of|von) \d)|(?<=\d of) (?=\d)|(?<=\d von) (?=\d)"
)
"""What belongs to a number in running text: the name of a model, and longer words for what is counted, or of
how many it is."""


def has_wide(text: str) -> bool:
    """Tell whether there is anything Japanese in a text."""
    if text.isascii() or max(text) < _FIRST_WIDE:
        return False
    return bool(_japanese().sign.search(text))


def without_gaps(text: str) -> str:
    """Take the spaces out that stand between two Japanese signs: what fills a message may be Latin or not.

    Examples
    --------
    >>> without_gaps("最大値は データベース の 300 IO/s です")
    '最大値はデータベースの 300 IO/s です'
    """
    return _japanese().gap.sub("", text) if has_wide(text) else text


def keep_units(text: str) -> str:
    """Put no-break spaces between a number and its unit, around the mark of a verdict, and in ``RAID 5``.

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
    return _APART.sub(_NO_BREAK, text) if " " in text else text


def keep_names(text: str) -> str:
    """Put no-break spaces as :func:`keep_units` does, into names of models, and before things counted.

    For running text: in the narrow columns of a table such names have to break.

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
    >>> keep_names("a PRAID EP420i with 8 drives, PCIe 3.0 x4").split(" ")
    ['a', 'PRAID\\xa0EP420i', 'with', '8\\xa0drives,', 'PCIe\\xa03.0\\xa0x4']
    >>> keep_names("1 von 156 Punkten").split(" ")
    ['1\\xa0von\\xa0156\\xa0Punkten']
    """
    kept = keep_units(text)
    return _NAMES.sub(_held_together, kept) if " " in kept else kept


def whole_words(text: str) -> str:
    """Leave out the soft hyphens of a text that has room for its words.

    They are for narrow columns: inside of a line of a PDF they would be in what is searched and copied.

    Examples
    --------
    >>> whole_words("Transaktions\\u00adrate")
    'Transaktionsrate'
    """
    return text.replace(SOFT_HYPHEN, "")


def _held_together(found: re.Match[str]) -> str:
    return found[0].removesuffix(" ") + _NO_BREAK


def breakable(text: str) -> list[str]:
    """Split a text where it may break although there is no space.

    Parameters
    ----------
    text
        Any text.

    Returns
    -------
    list of str
        The pieces; together they are the text. Words of up to 18 characters stay whole, and those of up to 26
        letters.

    Examples
    --------
    >>> breakable("see /sys/block/nvme0n1/queue")
    ['see /', 'sys/', 'block/', 'nvme0n1/', 'queue']
    >>> breakable("(0.000555–0.000582)")
    ['(0.000555–', '0.000582)']
    >>> breakable("Befehlsverarbeitung 0123456789abcdef0123")
    ['Befehlsverarbeitung 0123456789ab', 'cdef0123']
    """
    return list(_breakable(text))


@lru_cache(maxsize=1 << 14)
def _breakable(text: str) -> tuple[str, ...]:
    if len(text) <= _LONGEST:
        return (text,) if text else ()
    pieces = [""]
    for word in _SPACES.split(text):
        first, *rest = _pieces(word) or [""]
        pieces[-1] += first
        pieces += rest
    return tuple(piece for piece in pieces if piece)


def units(text: str) -> list[str]:
    """Split a text at every place where a line of a heading or a label may end.

    Parameters
    ----------
    text
        Any text; a soft hyphen is a place too. In Japanese, which may break nearly everywhere, lines end
        where the script changes: mostly at the end of a word. No line begins with a closing sign.

    Returns
    -------
    list of str
        The pieces; together they are the text. Spaces stand at their ends.

    Examples
    --------
    >>> units("random read")
    ['random ', 'read']
    >>> units("負荷プロファイル（標準）")
    ['負荷', 'プロファイル', '（標準）']
    >>> units("トランザクションレート")
    ['トランザクション', 'レート']
    """
    return list(_units(text))


@lru_cache(maxsize=1 << 14)
def _units(text: str) -> tuple[str, ...]:
    wide = has_wide(text)
    if wide and _japanese().short.fullmatch(text):
        return (text,)
    pattern = _japanese().units if wide else _NARROW_UNITS
    found = [unit for piece in _breakable(text) for unit in pattern.findall(piece)]
    return tuple(_held(found)) if _NO_BREAK in text else tuple(found)


def _held(pieces: Iterable[str]) -> Iterator[str]:
    """Put pieces together that a no-break space stands between: the patterns part Japanese beside it."""
    held = ""
    for piece in pieces:
        if held and not (held.endswith(_NO_BREAK) or piece.startswith(_NO_BREAK)):
            yield held
            held = ""
        held += piece
    if held:
        yield held


def continued(command: str, width: int) -> str:
    """Break a command line before its options, as a shell goes on with it: what is copied is all of it.

    Parameters
    ----------
    command
        A command line in one line, its words quoted for a shell.
    width
        Characters of a line. A word that is longer stays whole.

    Returns
    -------
    str
        The command; every line but the last ends in a backslash.

    Examples
    --------
    >>> print(continued("iodyno simulate quick --on 'my own' --outstanding 8", 36))
    iodyno simulate quick \\
      --on 'my own' --outstanding 8
    """
    room = width - len("  ") - len(" \\")
    options: list[list[str]] = []
    for word in _SHELL_WORDS.findall(command):
        if options and not word.startswith("--"):
            options[-1].append(word)
        else:
            options.append([word])
    lines: list[str] = []
    for words in options:
        whole = " ".join(words)
        for piece in [whole] if len(whole) <= room else words:
            if lines and len(lines[-1]) + 1 + len(piece) <= room:
                lines[-1] += f" {piece}"
            else:
                lines.append(f"  {piece}" if lines else piece)
    return " \\\n".join(lines)


def _pieces(word: str) -> list[str]:
    """Break words that are too long; what is Japanese in them breaks by itself."""
    if len(word) <= _LONGEST:
        return [word]
    if not has_wide(word):
        return _broken(word)
    made = [""]
    for run in _japanese().runs.findall(word):
        first, *rest = [run] if has_wide(run) else _broken(run)
        made[-1] += first
        made += rest
    return made


def _broken(word: str) -> list[str]:
    if len(word) <= _LONGEST:
        return [word]
    if len(ends := _RANGE.split(word)) > 1:  # a number stays whole
        return [piece for end in ends for piece in _broken(end)]
    return [
        part[start : start + _PIECE] if _is_long(part) else part
        for part in _AFTER.split(word)
        for start in (range(0, len(part), _PIECE) if _is_long(part) else (0,))
    ]


def _is_long(part: str) -> bool:
    return len(part) > _LONGEST and not _WORD.fullmatch(part)
