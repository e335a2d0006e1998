"""Values of a fio job file, read as fio reads them.

What fio reads in a way that nobody means (``4.5k`` is 4 bytes to it) is refused; what is
accepted here has the value that fio gives it.
"""

from __future__ import annotations

import re
from typing import TypeVar

T = TypeVar("T")

KB_BASES = (1024, 1000)
DIRECTIONS = ("read", "write", "trim")
"""Order of the values between commas."""

_SIZE = re.compile(r"(\d+)(?:([kmgtp])(ib|i|b)?|b)?", re.IGNORECASE | re.ASCII)
_HEX = re.compile(r"0x[0-9a-f]+", re.IGNORECASE | re.ASCII)
_SHARE = re.compile(r"(\d+)%", re.ASCII)
_TIME = re.compile(r"(\d+)(us|usec|ms|msec|s|m|h|d)?", re.IGNORECASE | re.ASCII)
_POWER = {"k": 1, "m": 2, "g": 3, "t": 4, "p": 5}
_TIME_US = {
    "us": 1, "usec": 1, "ms": 1000, "msec": 1000, "s": 10**6, "m": 60 * 10**6, "h": 3600 * 10**6,
    "d": 86400 * 10**6,
}  # fmt: skip
_MOST = (1 << 63) - 1


class NotTakenError(ValueError):
    """A value that fio may take and iodyno does not, with a hint of its own."""

    def __init__(self, what: str, hint: str) -> None:
        super().__init__(what)
        self.hint = hint


def hint_of(error: Exception) -> str:
    """Give what to write instead of a value that cannot be read."""
    return error.hint if isinstance(error, NotTakenError) else "write it as fio documents it"


def parse_size(text: str, kb_base: int = 1024) -> int:
    """Read a size in bytes, or any whole number: fio lets every number have a suffix.

    Parameters
    ----------
    text
        Digits with k, M, G, T or P, in any case; or hexadecimal digits after 0x.
    kb_base
        1024: k is 1024 and kiB is 1000, fio's default; 1000: k is 1000 and kiB is 1024.

    Examples
    --------
    >>> parse_size("4k"), parse_size("4KiB"), parse_size("4k", 1000), parse_size("0x10")
    (4096, 4000, 4000, 16)
    """
    if _HEX.fullmatch(text):
        return _within(int(text, 16), text)
    match = _SIZE.fullmatch(text)
    if not match:
        raise ValueError(f"{text!r} is no number or size that fio reads as it looks")
    other = {1024: 1000, 1000: 1024}[kb_base]
    factor = other if (match[3] or "").lower() == "ib" else kb_base
    return _within(int(match[1]) * factor ** _POWER.get((match[2] or "").lower(), 0), text)


def _within(value: int, text: str) -> int:
    if value > _MOST:
        raise ValueError(f"{text!r} is above 2^63 - 1")
    return value


def parse_extent(text: str, kb_base: int = 1024) -> int | float:
    """Read a size in bytes, or a percentage as a share from 0 to 1.

    Examples
    --------
    >>> parse_extent("1g"), parse_extent("25%")
    (1073741824, 0.25)
    """
    match = _SHARE.fullmatch(text)
    if not match:
        return parse_size(text, kb_base)
    percent = int(match[1])
    if percent > 100:
        raise ValueError(f"{text!r} is above 100%")
    return percent / 100


def parse_time_us(text: str, *, bare_s: bool) -> int:
    """Read a time in microseconds.

    Parameters
    ----------
    text
        Digits with us, ms, s, m, h or d.
    bare_s
        Whether a number alone is in seconds; it is in microseconds otherwise, as fio has it for each
        option.

    Examples
    --------
    >>> parse_time_us("2m", bare_s=True), parse_time_us("5", bare_s=True), parse_time_us("5", bare_s=False)
    (120000000, 5000000, 5)
    """
    match = _TIME.fullmatch(text)
    if not match:
        raise ValueError(f"{text!r} is no time that fio reads as it looks: digits with us, ms, s, m, h or d")
    factor = _TIME_US[match[2].lower()] if match[2] else 10**6 if bare_s else 1
    return _within(int(match[1]) * factor, text)


def parse_flag(text: str) -> bool:
    """Read a switch: 0 or 1.

    Examples
    --------
    >>> parse_flag("1")
    True
    """
    if text not in ("0", "1"):
        raise ValueError(f"{text!r} is not 0 or 1")
    return text == "1"


def by_direction(text: str, default: str | None = None) -> dict[str, str | None]:
    """Take a value apart that can differ for reads, writes and trims.

    One value is for all; the last of two is for writes and trims. An empty place, and what follows a
    comma at the end, keeps the default.

    Examples
    --------
    >>> by_direction("4k,64k")
    {'read': '4k', 'write': '64k', 'trim': '64k'}
    >>> by_direction("4k,64k,", "1k")
    {'read': '4k', 'write': '64k', 'trim': '1k'}
    """
    parts = text.split(",")
    if len(parts) > len(DIRECTIONS):
        raise ValueError(f"{text!r} has more than three values")
    filled = parts + [parts[-1]] * (len(DIRECTIONS) - len(parts))
    return {name: part or default for name, part in zip(DIRECTIONS, filled, strict=True)}


def parse_split(text: str, kb_base: int = 1024) -> tuple[tuple[int, float], ...]:
    """Read block sizes with their percentages; what is not given is shared out among those without one.

    Examples
    --------
    >>> parse_split("4k/60:64k")
    ((4096, 60.0), (65536, 40.0))
    """
    entries: list[tuple[int, int]] = []
    for part in text.split(":"):
        size, _, percent = part.partition("/")
        if percent and not (percent.isascii() and percent.isdigit() and int(percent) <= 100):
            raise ValueError(f"{part!r} has no percentage from 1 to 100")
        entries.append((_positive(parse_size(size, kb_base), size), int(percent or 0)))
    given = sum(percent for _, percent in entries)
    missing = sum(not percent for _, percent in entries)
    if given > 100 or (given < 100 and not missing):
        raise ValueError(f"the percentages of {text!r} add up to {given}")
    rest = (100 - given) // missing if missing else 0
    return tuple((size, float(percent or rest)) for size, percent in entries if percent or rest)


def _positive(value: int, text: str) -> int:
    if value < 1:
        raise ValueError(f"{text!r} is no size above 0")
    return value


def parse_range(text: str, kb_base: int = 1024) -> tuple[int, int]:
    """Read the least and the greatest of a range, in either order.

    Examples
    --------
    >>> parse_range("1k-4k"), parse_range("4k:1k")
    ((1024, 4096), (1024, 4096))
    """
    ends = re.split("-" if "-" in text else ":", text)
    if len(ends) != 2:
        raise ValueError(f"{text!r} is no range: write 1k-4k")
    low, high = sorted(_positive(parse_size(end, kb_base), end) for end in ends)
    return low, high
