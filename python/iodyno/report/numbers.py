"""Numbers with the digits that their precision supports, in the format of a language."""

from __future__ import annotations

import math
from decimal import ROUND_HALF_EVEN, Context, Decimal
from functools import lru_cache
from typing import TYPE_CHECKING

from iodyno.analysis.estimate import Estimate, Quotient
from iodyno.rates import DIGITS_OF_A_SEARCH, WHOLE_FROM_IO_S

if TYPE_CHECKING:
    from babel import Locale

_EXACT = Context(prec=400)
"""Digits for every number that a float can be."""
NOT_KNOWN = "–"
"""What stands for a figure that is not known."""
FEWEST_DIGITS, MOST_DIGITS = 2, 4
MOST_APART = 10.0
"""So many times the low end of an interval may be the high one, for both to have the same decimals."""
MOST_DIGITS_OF_ENDS = 4
"""Digits up to which the ends of a narrow interval are told apart."""
NEARLY_SURE = 0.03
"""Width of the interval of a share up to which its value stands for it: a percent or so to each side."""
LEAST_SHOWN = 0.0005
"""Half-widths below this share would round to 0.0 %."""
DIGITS_OF_A_PERCENTILE = 3
"""Buckets of the histogram are 1/128 wide, 0.8 %: a third digit is still meant."""
DIGITS_WITHOUT_INTERVAL = 2
MOST_DECIMALS_CHOSEN = 6
"""Percentages that were chosen are written with up to so many decimals; those with more never end."""
ASYMMETRIC = 0.1
"""Half-width from which on the interval of a reciprocal is written by its ends: below it they are
equally far from the value, within rounding."""
WHOLE_FROM = 1000.0
"""From here on figures of up to four digits have no decimals, and the digits that their intervals support."""
BELOW_A_TENTH = 0.0995
"""Percentages below 10 get a decimal."""


def digits_for(half_width: float | None) -> int:
    """Give the significant digits of a value: the last one is of the order of its half-width.

    Parameters
    ----------
    half_width
        Half-width of the interval as a share of the value; none where there is none.

    Examples
    --------
    >>> digits_for(0.02), digits_for(0.12), digits_for(0.003), digits_for(None)
    (3, 2, 4, 2)
    """
    if half_width is None:
        return DIGITS_WITHOUT_INTERVAL
    wanted = 1 + math.ceil(-math.log10(max(half_width, 1e-9)))
    return min(MOST_DIGITS, max(FEWEST_DIGITS, wanted))


def digits_of(estimate: Estimate) -> int:
    """Give the significant digits of a figure: below 1,000 those of percentiles, else what its interval
    supports."""
    small = abs(estimate.value) < WHOLE_FROM
    return DIGITS_OF_A_PERCENTILE if small else digits_for(estimate.half_width)


def rounded(value: float, digits: int) -> float:
    """Round a number to so many significant digits."""
    if not value or not math.isfinite(value):
        return value
    return round(value, digits - 1 - math.floor(math.log10(abs(value))))


def _decimals(value: float, digits: int) -> int:
    """Give the decimals of a number that has so many significant digits when it is rounded to them."""
    if not value:
        return digits - 1
    rounded = float(f"{value:.{digits - 1}e}")
    return max(0, digits - 1 - math.floor(math.log10(abs(rounded))))


def _decimals_of_a_percent(share: float) -> int:
    """Give the decimals that a share has in percent; what a float lacks of it, as in 1 - 0.9, is left out."""
    return max(0, len(f"{share:.10f}".rstrip("0").partition(".")[2]) - 2)


@lru_cache(maxsize=1 << 16)
def _written(value: float, decimals: int, language: str) -> str:
    """Write a number; a paper writes the same ones many times."""
    rounded = Decimal(str(value)).quantize(Decimal(1).scaleb(-decimals), ROUND_HALF_EVEN, _EXACT)
    return f"{rounded:,f}".translate(_signs(language))


@lru_cache(maxsize=8)
def _signs(language: str) -> dict[int, str]:
    """Give the signs of a language for those that Python writes."""
    symbols = _locale(language).number_symbols["latn"]
    return str.maketrans({",": symbols["group"], ".": symbols["decimal"], "-": symbols["minusSign"]})


@lru_cache(maxsize=8)
def _locale(language: str) -> Locale:
    from babel import Locale

    return Locale.parse(language)


class Numbers:
    """How a language writes numbers.

    Examples
    --------
    >>> numbers = Numbers("en")
    >>> numbers.estimate(Estimate(48123.4, 0.02)), numbers.significant(0.08123)
    ('48,100', '0.0812')
    >>> Numbers("de").significant(1234.5, 4)
    '1.234'
    """

    def __init__(self, language: str) -> None:
        self.language = language

    def decimal(self, value: float, decimals: int = 0) -> str:
        """Write a number with so many decimals."""
        return _written(value or 0, decimals, self.language)

    def integer(self, value: int) -> str:
        """Write a whole number."""
        return self.decimal(value)

    def shortest(self, value: float) -> str:
        """Write a number that was chosen by someone: no more decimals than it has."""
        return self.decimal(value, len(f"{value:.6f}".rstrip("0").partition(".")[2]))

    def asked(self, rate_io_s: float) -> str:
        """Write a rate that was asked for, in IO/s: an input, so as it was asked, whole from 1,000 on.

        Examples
        --------
        >>> [Numbers("en").asked(rate) for rate in (0.5, 93.123, 1000.0, 73355.0, 61180.4)]
        ['0.5', '93.123', '1,000', '73,355', '61,180']
        """
        if rate_io_s >= WHOLE_FROM_IO_S:
            return self.decimal(rate_io_s)
        return self.shortest(float(f"{rate_io_s:.{DIGITS_OF_A_SEARCH}g}"))

    def significant(self, value: float, digits: int = DIGITS_OF_A_PERCENTILE) -> str:
        """Write a number with so many significant digits, never as a power of ten."""
        if not value or not math.isfinite(value):
            return self.decimal(0) if not value else "∞"
        shown = rounded(value, digits)
        return self.decimal(shown, max(0, digits - 1 - math.floor(math.log10(abs(shown)))))

    def estimate(self, estimate: Estimate) -> str:
        """Write a figure: below 1,000 as percentiles are written, else with the digits that its interval
        supports; wherever it stands. With other digits in a column than in a sentence it would be two
        figures.

        Examples
        --------
        >>> [Numbers("en").estimate(Estimate(115.4, half_width)) for half_width in (None, 0.2, 0.0002)]
        ['115', '115', '115']
        >>> [Numbers("en").estimate(Estimate(1154.2, half_width)) for half_width in (None, 0.2, 0.0002)]
        ['1,200', '1,200', '1,154']
        """
        return self.significant(estimate.value, digits_of(estimate))

    def reads_higher(self, one: Estimate, other: Estimate) -> bool:
        """Tell whether a figure is higher than another as both are written, each with its own digits.

        Examples
        --------
        >>> hardly_known, known = Estimate(18_240.0, 0.8), Estimate(18_010.0, 0.02)
        >>> Numbers("en").estimate(hardly_known), Numbers("en").estimate(known)
        ('18,000', '18,000')
        >>> Numbers("en").reads_higher(hardly_known, known)
        False
        """
        return rounded(one.value, digits_of(one)) > rounded(other.value, digits_of(other))

    def latency(self, estimate: Estimate) -> str:
        """Write a mean latency as percentiles are written, wherever it stands; of 0 none is known, as no I/O
        takes no time.

        Its digits are not those that its interval supports: many a latency has no interval, where outstanding
        I/Os are not as many as were asked for.

        Examples
        --------
        >>> numbers = Numbers("en")
        >>> [numbers.latency(Estimate(27.71, half_width)) for half_width in (None, 0.2, 0.0002)]
        ['27.7', '27.7', '27.7']
        >>> numbers.latency(Estimate(0.0))
        '–'
        """
        return self.significant(estimate.value) if estimate.value else NOT_KNOWN

    def percent(self, share: float, decimals: int | None = None) -> str:
        """Write a share as a percentage, by default with two significant digits below 10 %."""
        if decimals is None:
            decimals = 1 if abs(share) < BELOW_A_TENTH else 0
        pattern = _locale(self.language).percent_formats[None]
        return self.decimal(share * 100, decimals) + str(pattern.suffix[0])

    def quotient(self, quotient: Quotient | None) -> str:
        """Write a ratio with its interval: ``2.57 (2.55–2.60)``; a dash where there is none.

        An interval whose ends are written alike is told by its half-width, as beside a figure; exactly 1
        has none, and the digits of others.

        Examples
        --------
        >>> Numbers("en").quotient(Quotient(1.0, 1.0, 1.0))
        '1.00'
        >>> Numbers("en").quotient(Quotient(1.0001, 0.9994, 1.0012))
        '1.000 (0.999–1.001)'
        >>> Numbers("en").quotient(Quotient(3.3271, 3.3268, 3.3274))
        '3.33 (<±0.1%)'
        """
        if quotient is None or not quotient.known:
            return "–"
        if quotient.low == quotient.high == 1:
            return self.significant(1.0)
        of = self.with_ends(quotient)
        if of["low"] != of["high"]:
            return f"{of['factor']} ({of['low']}–{of['high']})"
        reach = max(quotient.high - quotient.value, quotient.value - quotient.low)
        return f"{of['factor']} ({self.within(reach / quotient.value)})"

    def ratio(self, quotient: Quotient | None) -> str:
        """Write a ratio with its interval, and alone where it has none; a dash where there is no ratio.

        Examples
        --------
        >>> [Numbers("en").ratio(Quotient(0.5, low, math.inf)) for low in (0.0, 0.2)]
        ['0.500', '0.500 (≥0.200)']
        """
        if quotient is None or quotient.known:
            return self.quotient(quotient)
        value = self.significant(quotient.value)
        return f"{value} (≥{self.significant(quotient.low)})" if quotient.bounded else value

    def with_ends(self, quotient: Quotient) -> dict[str, str]:
        """Write a ratio and the ends of its interval, all with the same decimals.

        They are as many as it takes to tell the ends apart, and to tell from 1 an end that is not 1: whether
        the interval leaves it out is what is read from them. Ends that are more than ten times apart have
        digits of their own: those of the low one would be lost.

        Examples
        --------
        >>> Numbers("en").with_ends(Quotient(1.391, 1.3888, 1.3932))
        {'factor': '1.391', 'low': '1.389', 'high': '1.393'}
        >>> Numbers("en").with_ends(Quotient(1.02, 1.003, 1.04))
        {'factor': '1.020', 'low': '1.003', 'high': '1.040'}
        """
        parts = {"factor": quotient.value, "low": quotient.low, "high": quotient.high}
        if quotient.high > MOST_APART * quotient.low:
            return {name: self.significant(value) for name, value in parts.items()}
        fewest = _decimals(quotient.high, DIGITS_OF_A_PERCENTILE)
        most = max(fewest, _decimals(quotient.low, MOST_DIGITS_OF_ENDS))
        written = [
            {name: self.decimal(value, decimals) for name, value in {**parts, "one": 1.0}.items()}
            for decimals in range(fewest, most + 1)
        ]
        apart = [of for of in written if of["low"] != of["high"]]
        found = next((of for of in apart if of["one"] not in (of["low"], of["high"])), (apart or written)[0])
        if found["low"] == found["high"]:
            found["factor"] = self.significant(quotient.value)
        return {name: found[name] for name in parts}

    def lost(self, quotient: Quotient) -> str:
        """Write what a figure lacks of another, in percent: ``33%``, or ``44–69%`` where that is not sure.

        Examples
        --------
        >>> Numbers("en").lost(Quotient(0.42, 0.31, 0.56)), Numbers("en").lost(Quotient(0.67, 0.666, 0.674))
        ('44–69%', '33%')
        """
        if quotient.high - quotient.low <= NEARLY_SURE:
            return self.percent(1 - quotient.value)
        return f"{self.decimal((1 - quotient.high) * 100)}–{self.percent(1 - quotient.low, 0)}"

    def half_width(self, estimate: Estimate) -> str:
        """Write the interval of a figure: ``±2.0%``, or its ends where it is far from symmetric, with the
        digits that mean latencies have: see :meth:`latency`.

        Examples
        --------
        >>> numbers = Numbers("en")
        >>> numbers.half_width(Estimate(3, 0.5)), numbers.half_width(Estimate(3, 0.5, reciprocal=True))
        ('±50%', '2.00–6.00')
        >>> numbers.half_width(Estimate(3, 1.5, reciprocal=True)), numbers.half_width(Estimate(3))
        ('≥ 1.20', '–')
        >>> numbers.half_width(Estimate(3, 0.0))
        '<±0.1%'
        """
        if estimate.half_width is None:
            return "–"
        if self.wide(estimate):
            low = self.significant(estimate.low)
            return f"{low}–{self.significant(estimate.high)}" if math.isfinite(estimate.high) else f"≥ {low}"
        return self.within(estimate.half_width)

    def within(self, share: float) -> str:
        """Write a half-width as a percentage; none is said to be nothing.

        Examples
        --------
        >>> Numbers("en").within(0.012), Numbers("en").within(0.0002)
        ('±1.2%', '<±0.1%')
        """
        return f"±{self.percent(share)}" if share >= LEAST_SHOWN else f"<±{self.percent(0.001)}"

    def wide(self, estimate: Estimate) -> bool:
        """Tell whether an interval is too far from symmetric to be written with ±."""
        return estimate.reciprocal and (estimate.half_width or 0.0) >= ASYMMETRIC

    def percentile(self, share: float) -> str:
        """Write a percentile's share: ``99.9%``, with as many decimals as it needs."""
        return self.percent(share, _decimals_of_a_percent(share))

    def chosen(self, share: float) -> str:
        """Write a share that was chosen by someone, with all of its decimals: 99.9 % is not 100 %.

        One that never ends, as of weights of 1 and 2, has two digits, or those that tell it from 0 and 1.

        Examples
        --------
        >>> [Numbers("en").chosen(share) for share in (0.999, 0.005, 0.7, 1.1, 1 / 3, 1 / 3000, 2999 / 3000)]
        ['99.9%', '0.5%', '70%', '110%', '33%', '0.033%', '99.967%']
        """
        decimals = _decimals_of_a_percent(share)
        if decimals > MOST_DECIMALS_CHOSEN:
            nearest = min(share, abs(1 - share))
            decimals = _decimals(nearest * 100, DIGITS_WITHOUT_INTERVAL)
        return self.percent(share, decimals)
