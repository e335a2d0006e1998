"""Statements of the papers as predicates over the lab's figures: right or wrong, and what shows it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

from iodyno.fitting.answers import Curves
from iodyno.fitting.curves import Curve, Metric, Series, best

Check = Callable[[Curves], "Finding"]
POINT = 0.01
"""Shares that differ by no more than this are the same."""


@dataclass(frozen=True)
class Finding:
    """Whether a statement holds, with the figures that show it."""

    right: bool
    shown: str


@dataclass(frozen=True)
class Statement:
    """A statement of a paper, put so that figures can decide it."""

    figure: str
    """Id of the row that makes it."""
    claim: str
    """What is checked, tolerance included."""
    check: Check


@dataclass(frozen=True)
class Paper:
    """The statements of one paper, in the order in which they are added."""

    prefix: str
    """Prefix of its figures: ``raid``."""
    statements: list[Statement] = field(default_factory=list)

    def add(self, row: int, claim: str, check: Check) -> None:
        """Add what is checked for a row of the paper."""
        self.statements.append(Statement(f"{self.prefix}-{row:03d}", claim, check))

    def says(self, row: int, claim: str) -> Callable[[Check], Check]:
        """Add a function that checks a row of the paper."""

        def keep(check: Check) -> Check:
            self.add(row, claim, check)
            return check

        return keep


def number(value: float) -> str:
    """Write a figure with three digits or none after the point."""
    return f"{value:,.0f}".replace(",", " ") if abs(value) >= 100 else f"{value:.3g}"


def percent(factor: float) -> str:
    """Write a factor as more or less, in percent."""
    return f"{(factor - 1) * 100:+.1f} %"


def top(curves: Curves, series: Series | Iterable[Series], metric: Metric = "rate") -> float:
    """Give the maximum over the load, and over settings where there are several series."""
    many = (series,) if isinstance(series, Series) else tuple(series)
    return max(best(curves(one), metric) for one in many)


def all_of(*findings: Finding) -> Finding:
    """Hold where all hold."""
    assert findings, "a statement that looks at nothing would hold whatever is simulated"
    return Finding(all(f.right for f in findings), "; ".join(f.shown for f in findings if f.shown))


def each(checks: Iterable[Finding]) -> Finding:
    """Hold where all hold; show those that do not, else the first few."""
    found = list(checks)
    assert found, "a statement that looks at nothing would hold whatever is simulated"
    wrong = [f for f in found if not f.right]
    shown = wrong or found
    rest = f"; and {len(shown) - 4} more" if len(shown) > 4 else ""
    return Finding(not wrong, "; ".join(f.shown for f in shown[:4]) + rest)


def compare(
    name: str, over: float, under: float, *, least: float = 0.0, most: float = float("inf")
) -> Finding:
    """Hold where a quotient is from ``least`` to ``most``."""
    factor = over / under
    shown = f"{name} {number(over)} against {number(under)} ({percent(factor)})"
    return Finding(least <= factor <= most, shown)


def within(name: str, a: float, b: float, *, share: float) -> Finding:
    """Hold where two figures differ by no more than a share of the smaller."""
    return compare(name, a, b, least=1 / (1 + share), most=1 + share)


def alike(name: str, values: Sequence[float], share: float) -> Finding:
    """Hold where the greatest exceeds the least by no more than a share."""
    assert len(values) > 1, f"{name} one value is like itself"
    shown = f"{name} {number(min(values))} to {number(max(values))}"
    return Finding(max(values) <= min(values) * (1 + share), shown)


def rising(name: str, values: Sequence[float], *, step: float, gain: float = 0.0) -> Finding:
    """Hold where each value exceeds the greatest before it by ``step``, and the last the first by ``gain``.

    A ``step`` below 0 is how far a value may fall behind.
    """
    assert len(values) > 1, f"{name} one value does not rise"
    steps = all(values[at] >= max(values[:at]) * (1 + step) for at in range(1, len(values)))
    shown = f"{name} {' → '.join(map(number, values))}"
    return Finding(steps and values[-1] >= values[0] * (1 + gain), shown)


def growing(name: str, shares: Sequence[float], *, slack: float = 0.0) -> Finding:
    """Hold where each share is above the greatest before it, less ``slack``, and the last by over a point."""
    assert len(shares) > 1, f"{name} one share does not grow"
    shown = f"{name} {' → '.join(f'{share * 100:.1f} %' for share in shares)}"
    rises = all(shares[at] > max(shares[:at]) - slack for at in range(1, len(shares)))
    return Finding(rises and shares[-1] > max(shares[:-1]) + POINT, shown)


def loads(curve: Curve, low: int, high: int) -> list[int]:
    """List the loads of a curve from ``low`` to ``high``."""
    return [load for load in curve if low <= load <= high]
