"""A number of the catalogue: value, unit, kind and source, and what it is in whole base units."""

from __future__ import annotations

import math
from collections.abc import Mapping
from fractions import Fraction
from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Field, ValidationError

from iodyno.profiles import Record
from iodyno.units import GIB, KIB, MIB

Kind = Literal["datasheet", "published", "fitted", "assumed"]
"""Where a number comes from: what a maker says of its product or a standard of its links, a published
measurement or paper, a fit to such figures, or a sensible guess that says so."""
Dimension = Literal[
    "time", "size", "rate", "share", "count", "frequency", "rotation", "transfer", "cycles", "io_rate",
    "power", "endurance", "temperature", "bits",
]  # fmt: skip

_S = 10**12
UNITS: dict[str, tuple[Dimension, int]] = {
    "s": ("time", _S),
    "ms": ("time", _S // 10**3),
    "us": ("time", _S // 10**6),
    "ns": ("time", _S // 10**9),
    "ps": ("time", 1),
    "h": ("time", 3600 * _S),
    "B": ("size", 1),
    "KiB": ("size", KIB),
    "MiB": ("size", MIB),
    "GiB": ("size", GIB),
    "GB": ("size", 10**9),
    "TB": ("size", 10**12),
    "MB/s": ("rate", MIB),
    "MB/s(10^6)": ("rate", 10**6),
    "share": ("share", 1),
    "count": ("count", 1),
    "MHz": ("frequency", 10**6),
    "GHz": ("frequency", 10**9),
    "rpm": ("rotation", 1),
    "GT/s": ("transfer", 10**9),
    "cycles": ("cycles", 1),
    "IO/s": ("io_rate", 1),
    "W": ("power", 1),
    "DWPD": ("endurance", 1),
    "degC": ("temperature", 1),
    "Pbit": ("bits", 10**15),
}
"""Each unit's dimension and factor to the base: ps, bytes, bytes/s, Hz, rpm, transfers/s.

Sizes and rates follow the method: MB/s is 2^20 bytes/s, MB/s(10^6) what makers print; GB and TB are
capacities, base 10; KiB, MiB, GiB are base 2.
"""


MOST_VALUE = 10**300
"""Largest whole number that is read: what a float can hold."""


def _number(value: Any) -> Any:
    """Refuse what is no number, true and false too."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        shown = f'"{value}"' if isinstance(value, str) else "it"
        raise ValueError(f"{shown} is no number")
    if isinstance(value, int) and abs(value) > MOST_VALUE:
        raise ValueError(f"a number of {len(str(abs(value)))} digits is none that can be calculated with")
    if not math.isfinite(value):
        raise ValueError(f"{value} is no number that can be calculated with")
    return value


FiniteNumber = Annotated[int | float, BeforeValidator(_number)]
"""A number that can be calculated with; no text, true or false."""


class Quantity(Record):
    """A number with unit, kind and source.

    Examples
    --------
    >>> Quantity(value=0.5, unit="us", kind="assumed", note="a guess").whole
    500000
    """

    value: FiniteNumber
    """The number, in its unit."""
    unit: str
    """Its unit: see units and bounds."""
    kind: Kind
    """Where it comes from: see above."""
    source: str = ""
    """Key of the part's ``[sources]``; an assumption may have a note instead."""
    note: str = ""
    """What a reader should know of it."""
    interval: tuple[float, float] | None = Field(None)
    """Of a fitted number: between which values the figures leave it, in its unit."""

    @property
    def dimension(self) -> Dimension:
        """What the unit measures."""
        return UNITS[self.unit][0]

    @property
    def base(self) -> Fraction:
        """The number in base units, exactly as written."""
        return Fraction(str(self.value)) * UNITS[self.unit][1]

    @property
    def whole(self) -> int:
        """The number in base units, rounded."""
        return round(self.base)

    @property
    def real(self) -> float:
        """The number in base units: for shares."""
        return float(self.base)

    def __str__(self) -> str:
        unit = shown_unit(self.unit)
        if isinstance(self.value, int) or abs(self.value) >= 1000:
            return f"{self.value:,.0f}".replace(",", "\N{NO-BREAK SPACE}") + unit
        return f"{self.value:.4g}{unit}"


def shown_unit(unit: str) -> str:
    """Write a unit as it stands behind a number, with the space before it; nothing for shares and counts.

    Examples
    --------
    >>> shown_unit("us"), shown_unit("GB"), shown_unit("count")
    (' µs', ' GB', '')
    """
    return {"share": "", "count": "", "us": " µs", "degC": " °C"}.get(unit, f" {unit}")


def as_written(number: Any) -> Quantity | None:
    """Read value and unit of a number, whatever else is wrong with it; none where one of the two is.

    Examples
    --------
    >>> number = as_written({"value": 2, "unit": "KiB", "kind": "guess"})
    >>> number and number.whole
    2048
    """
    if not isinstance(number, Mapping) or not isinstance(number.get("unit"), str):
        return None
    if number["unit"] not in UNITS:
        return None
    try:
        return Quantity(value=number.get("value"), unit=number["unit"], kind="assumed")
    except ValidationError:
        return None
