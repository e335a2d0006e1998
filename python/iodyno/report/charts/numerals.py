"""Numbers on axes, with the signs of the language.

Only where a chart itself chooses a value, a tick; every other number comes in the document as text.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import lru_cache

_SUPERSCRIPT = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")


@dataclass(frozen=True)
class Numerals:
    """The signs of a language for numbers."""

    decimal: str = "."
    group: str = ","
    percent_sign: str = "%"
    """With the space before it, if the language has one."""

    def fixed(self, value: float, decimals: int) -> str:
        """Write a value with so many decimals.

        Examples
        --------
        >>> Numerals().fixed(1234.5, 1), Numerals(decimal=",", group=".").fixed(-1234.5, 1)
        ('1,234.5', '−1.234,5')
        """
        text = f"{value:,.{decimals}f}"
        signs = {",": self.group, ".": self.decimal, "-": "−"}
        return "".join(signs.get(character, character) for character in text)

    def plain(self, value: float, digits: int = 6) -> str:
        """Write a value as short as it is, up to so many digits.

        Examples
        --------
        >>> [Numerals().plain(value) for value in (0.0, 512.0, 0.25, 0.0001, 200000.0)]
        ['0', '512', '0.25', '0.0001', '200,000']
        """
        if value == 0:
            return "0"
        if not math.isfinite(value):
            return "–" if math.isnan(value) else "∞"
        if not _is_plain(value):
            return self._power(value, digits)
        text = f"{value:.{digits}g}"
        if "e" in text:
            text = f"{float(text):f}".rstrip("0").rstrip(".")
        return self.fixed(float(text), len(text.partition(".")[2]))

    def alike(self, values: Iterable[float]) -> Callable[[float], str]:
        """Give what writes all of these in one notation: with powers of ten where one of them has to.

        Examples
        --------
        >>> [Numerals().alike([5e6, largest])(5e6) for largest in (9e6, 1e7)]
        ['5,000,000', '5\\u202f×\\u202f10⁶']
        """
        if all(value == 0 or not math.isfinite(value) or _is_plain(value) for value in values):
            return self.plain
        return lambda value: self._power(value, 6) if value and math.isfinite(value) else self.plain(value)

    def scaled(self, value: float, exponent: int, decimals: int) -> str:
        """Write a value as a multiple of a power of ten, with so many decimals.

        Examples
        --------
        >>> Numerals().scaled(5e6, 7, 1), Numerals().scaled(0, 7, 1)
        ('0.5\\u202f×\\u202f10⁷', '0')
        """
        if not value:
            return "0"
        return f"{self.fixed(value / 10.0**exponent, decimals)}\u202f×\u202f{_power_of_ten(exponent)}"

    def _power(self, value: float, digits: int) -> str:
        mantissa, exponent = f"{value:.{digits - 1}e}".split("e")
        power, factor = _power_of_ten(int(exponent)), float(mantissa)
        return power if factor == 1 else f"{self.plain(factor, digits)}\u202f×\u202f{power}"

    def percent(self, share: float) -> str:
        """Write a share of 0 to 1 in percent.

        Examples
        --------
        >>> Numerals().percent(0.999), numerals("de").percent(0.999)
        ('99.9%', '99,9\\u202f%')
        """
        return f"{self.plain(share * 100, 12)}{self.percent_sign}"


def _is_plain(value: float) -> bool:
    return 1e-5 <= abs(value) < 1e7


def _power_of_ten(exponent: int) -> str:
    # The font has no raised minus.
    return f"10^−{-exponent}" if exponent < 0 else "10" + str(exponent).translate(_SUPERSCRIPT)


@lru_cache(maxsize=8)
def numerals(language: str) -> Numerals:
    """Find the signs of a language; an unknown one is written as in English.

    Examples
    --------
    >>> numerals("de")
    Numerals(decimal=',', group='.', percent_sign='\\u202f%')
    """
    from babel import Locale, UnknownLocaleError

    try:
        locale = Locale.parse(language, sep="-")
        symbols, pattern = locale.number_symbols["latn"], locale.percent_formats[None].pattern
    except (UnknownLocaleError, ValueError):
        return Numerals()
    sign = "%" if pattern.endswith("0%") else "\u202f%"
    return Numerals(symbols["decimal"], symbols["group"], sign)
