"""Sizes, shares and times as people write them.

Sizes are base 2, as in the published methods: ``64k`` is 65536 bytes. Capacities of
drives are base 10 only where they are shown.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from iodyno.errors import HintedValueError

KIB = 1 << 10
MIB = 1 << 20
GIB = 1 << 30
TIB = 1 << 40
LARGEST_SIZE_BYTES = (1 << 63) - 1
"""What a system can address in a file: 8 EiB less a byte."""

_SIZE = re.compile(r"\s*(\d+(?:\.\d+)?)\s*([kmgt]?)(?:i?b)?\s*", re.IGNORECASE)
_SHARE = re.compile(r"\s*(\d+(?:\.\d+)?)\s*%\s*")
_NUMBER = re.compile(r"\s*\d+(?:\.\d+)?\s*")
_DURATION = re.compile(r"\s*(\d+(?:\.\d+)?|\.\d+)\s*(us|µs|ms|s|m|min|h)?\s*", re.IGNORECASE)
_LONGEST_SIZE = 100
_SIZE_FACTOR = {"": 1, "k": KIB, "m": MIB, "g": GIB, "t": TIB}
_DURATION_FACTOR = {"us": 1e-6, "µs": 1e-6, "ms": 0.001, "s": 1.0, "m": 60.0, "min": 60.0, "h": 3600.0}


def parse_size(text: str | int) -> int:
    """Read a size in bytes.

    Parameters
    ----------
    text
        A number of bytes, or one with k, M, G or T for powers of 1024.

    Returns
    -------
    int
        Bytes.

    Raises
    ------
    ValueError
        If the text is no size or is no whole number of bytes, or is above what can be addressed.

    Examples
    --------
    >>> parse_size("64k"), parse_size("1.5M"), parse_size(4096)
    (65536, 1572864, 4096)
    """
    if isinstance(text, bool) or not isinstance(text, str | int):
        raise ValueError(f"{text!r} is no size")
    if isinstance(text, int):
        if text < 0:
            raise ValueError(f"{text} is no size: it is negative")
        return _addressed(text)
    match = _SIZE.fullmatch(text)
    if not match:
        raise ValueError(f"{text!r} is no size: write a number with k, M, G or T, for example 64k")
    whole, _, decimals = match[1].partition(".")
    if len(match[1]) > _LONGEST_SIZE:
        raise ValueError("is no size: it has too many digits")
    digits = int(whole + decimals) * _SIZE_FACTOR[match[2].lower()]
    size, rest = divmod(digits, int("1" + "0" * len(decimals)))
    if rest:
        raise ValueError(f"{text!r} is no whole number of bytes")
    return _addressed(size)


def _addressed(size_bytes: int) -> int:
    if size_bytes > LARGEST_SIZE_BYTES:
        raise ValueError("is above 8 EiB, the largest size that can be addressed")
    return size_bytes


def format_size(size_bytes: int) -> str:
    """Write a size the short way, exactly: what :func:`parse_size` reads back.

    Examples
    --------
    >>> format_size(65536), format_size(2 * GIB), format_size(1000)
    ('64k', '2G', '1000')
    """
    for suffix, factor in (("T", TIB), ("G", GIB), ("M", MIB), ("k", KIB)):
        if size_bytes >= factor and size_bytes % factor == 0:
            return f"{size_bytes // factor}{suffix}"
    return str(size_bytes)


def signed_size(size_bytes: int) -> str:
    """Write a size that can be below 0 the short way.

    Examples
    --------
    >>> signed_size(65536), signed_size(-8192)
    ('64k', '-8k')
    """
    return f"{'-' * (size_bytes < 0)}{format_size(abs(size_bytes))}"


def short_size(size_bytes: int) -> str:
    """Write a size to be read by people: exactly where that is short, else to four digits.

    Examples
    --------
    >>> short_size(2 * GIB), short_size(45_000_000_000)
    ('2G', '41.91 GiB')
    """
    exact = format_size(size_bytes)
    if len(exact.rstrip("kMGT")) <= 4:
        return exact
    unit, factor = next(
        (u, f) for u, f in (("T", TIB), ("G", GIB), ("M", MIB), ("k", KIB)) if size_bytes >= f
    )
    return f"{float(f'{size_bytes / factor:.4g}'):.10g} {unit.upper()}iB"


def plain_number(value: float, digits: int) -> str:
    """Write a number with so many digits, or all that are whole: never with a power of ten.

    Examples
    --------
    >>> plain_number(20480, 4), plain_number(2352.94, 4), plain_number(66.66667, 4), plain_number(0, 4)
    ('20480', '2353', '66.67', '0')
    """
    return f"{value:.0f}" if abs(value) >= 10**digits else f"{value:.{digits}g}"


def parse_share(text: str | float) -> float:
    """Read a share from 0 to 1, or a percentage.

    Examples
    --------
    >>> parse_share("25%"), parse_share(0.25)
    (0.25, 0.25)
    """
    if isinstance(text, str):
        match = _SHARE.fullmatch(text)
        if not match:
            bare = _NUMBER.fullmatch(text)
            raise _no_share(f"{text!r} is no share", float(text) if bare else 0.25)
        share = float(f"{match[1]}e-2")
    elif isinstance(text, bool) or not isinstance(text, int | float):
        raise ValueError(f"{text!r} is no share")
    else:
        share = text
        if share > 1:
            raise _no_share(f"{text!r} is outside 0 to 100%", share)
    if not 0 <= share <= 1:
        raise ValueError(f"{text!r} is outside 0 to 100%")
    return float(share)


def _no_share(what: str, meant: float) -> ValueError:
    """Say how a share is written, by the number that was: above 1 it was meant in percent."""
    if meant > 100:
        return ValueError(what)
    share = meant / 100 if meant > 1 else meant
    return HintedValueError(what, f'write "{share * 100:.12g}%" or {share:.12g}')


def parse_extent(value: str | float) -> int | float:
    """Read an end of an area: a size is a whole number of bytes, a share a float.

    Examples
    --------
    >>> parse_extent("32k"), parse_extent("25%"), parse_extent(0.25)
    (32768, 0.25, 0.25)
    """
    if isinstance(value, float) or value.strip().endswith("%"):
        return parse_share(value)
    if _NUMBER.fullmatch(value) and "." in value:
        bare, share = value.strip(), float(value)
        meant = f'"{share * 100:.12g}%"' if share <= 1 else f'"{bare}G" or "{bare}%"'
        raise HintedValueError(f"{value!r} is no whole number of bytes", f"write {meant}")
    return parse_size(value)


def parse_duration(text: str | float) -> float:
    """Read a duration in seconds.

    Examples
    --------
    >>> parse_duration("500ms"), parse_duration(".5s"), parse_duration("2m"), parse_duration(3)
    (0.5, 0.5, 120.0, 3.0)
    """
    if isinstance(text, str):
        match = _DURATION.fullmatch(text)
        if not match:
            raise ValueError(f"{text!r} is no duration: write a number with us, ms, s, m or h")
        return float(match[1]) * _DURATION_FACTOR[(match[2] or "s").lower()]
    if isinstance(text, bool):
        raise ValueError(f"{text!r} is no duration")
    return float(text)


_CPUS = re.compile(r"\d+(-\d+)?(,\d+(-\d+)?)*")
_MOST_CPUS = 8192


def parse_cpus(text: str) -> tuple[int, ...]:
    """Read a list of processors.

    Examples
    --------
    >>> parse_cpus("0-3,8")
    (0, 1, 2, 3, 8)
    """
    bare = "".join(text.split())
    if not _CPUS.fullmatch(bare):
        raise ValueError(f"{text!r} is no list of processors: write 0-3,8")
    found: set[int] = set()
    for part in bare.split(","):
        first, _, last = part.partition("-")
        low, high = int(first), int(last or first)
        if high < low or high >= _MOST_CPUS:
            raise ValueError(f"{part!r} is no range of processors from 0 to {_MOST_CPUS - 1}")
        found.update(range(low, high + 1))
    return tuple(sorted(found))


def format_cpus(cpus: Iterable[int]) -> str:
    """Write a list of processors, ranges shortened.

    Examples
    --------
    >>> format_cpus([0, 1, 2, 3, 8])
    '0-3,8'
    """
    runs: list[list[int]] = []
    for cpu in sorted(cpus):
        if runs and runs[-1][1] == cpu - 1:
            runs[-1][1] = cpu
        else:
            runs.append([cpu, cpu])
    return ",".join(str(low) if low == high else f"{low}-{high}" for low, high in runs)
