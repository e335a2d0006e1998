"""What is told of figures and statements that the lab does not reach, with the numbers of the run at hand."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass

from iodyno.catalog.shelf import Catalog
from iodyno.fitting.answers import Curves
from iodyno.fitting.published import Figure

NO_LONGER_SO = "**No longer so, to be written anew:** "
"""What a text begins with whose words the figures do not bear out; the numbers are those of the run."""
ONCE_CHANGED = " (found once, with the simulator or a part changed for it, and not by the run of this page)"
ONCE_COMPUTED = " (computed once, and not by the run of this page)"
"""What is said of numbers that no run of the page can give."""
_WORDS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")


@dataclass(frozen=True)
class Sources:
    """Where a text takes its numbers from."""

    curves: Curves
    """What the lab says."""
    figures: Mapping[str, Figure]
    """What the papers say."""
    catalog: Catalog
    """What datasheets say, and what is assumed."""

    def printed(self, figure: str) -> float:
        """Give the number that a paper prints."""
        return self.figures[figure].number

    def fact(self, part: str, key: str) -> float:
        """Give a figure of a datasheet, in the unit of its part."""
        return float(self.catalog.get(part).facts[key].base)


@dataclass(frozen=True)
class Unreached:
    """Why something is out of reach, and what was looked at."""

    text: str
    points: tuple[str, ...] = ()
    so: bool = True
    """Whether the figures bear out what the words say beside the numbers."""

    def lines(self) -> Iterator[str]:
        """Write it as items of a list."""
        yield f"- {'' if self.so else NO_LONGER_SO}{self.text}"
        yield from (f"  - {point}" for point in self.points)


Telling = Callable[[Sources], Unreached]


def round_number(value: float, digits: int = 3) -> str:
    """Write a rate with so many digits that count, thousands apart.

    Examples
    --------
    >>> round_number(169504), round_number(431.4), round_number(4.8)
    ('170 000', '431', '5')
    """
    return f"{float(f'{value:.{digits}g}'):,.0f}".replace(",", " ")


def percents(shares: Iterable[float], digits: int = 0) -> str:
    """Write shares as percentages, from the least to the greatest where they are not alike.

    Examples
    --------
    >>> percents([1.0, 0.307]), percents([0.149, 0.1504]), percents([0.0471], 1)
    ('31 to 100 %', '15 %', '4.7 %')
    """
    return f"{numbers((share * 100 for share in shares), lambda one: f'{one:.{digits}f}')} %"


def numbers(values: Iterable[float], written: Callable[[float], str] = round_number) -> str:
    """Write values from the least to the greatest, or one where they look alike; a dash where are none."""
    found = sorted(values)
    if not found:
        return "–"
    return " to ".join(dict.fromkeys((written(found[0]), written(found[-1]))))


def at_most(share: float, digits: int = 0) -> str:
    """Write a share that is not exceeded as a percentage.

    Examples
    --------
    >>> at_most(0.0012, 1), at_most(0.01), at_most(0.0101)
    ('0.2 %', '1 %', '2 %')
    """
    step = 10**digits
    return f"{math.ceil(round(share * 100 * step, 6)) / step:.{digits}f} %"


def within(over: Iterable[float], under: Iterable[float]) -> float:
    """Give by how much figures differ from others at the most, as a share."""
    return max(abs(a / b - 1) for a, b in zip(over, under, strict=True))


def listed(values: Iterable[str]) -> str:
    """Write items with ``and`` before the last."""
    *most, last = values
    return f"{', '.join(most)} and {last}" if most else last


def counted(number: int) -> str:
    """Write a small number as a word."""
    return _WORDS[number] if 0 <= number < len(_WORDS) else str(number)
