"""Every figure beside the simulated one, and every statement decided."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Literal, TypeVar

from iodyno.catalog.shelf import shipped
from iodyno.fitting.answered import ANSWERS
from iodyno.fitting.answers import Answer, Curves
from iodyno.fitting.fit import parts_of
from iodyno.fitting.published import Figure
from iodyno.fitting.specs import SPECS, fitted_to
from iodyno.validation.statements import Finding, Statement
from iodyno.validation.tables import STATEMENTS

T = TypeVar("T", Answer, Statement)
Use = Literal["fitted", "prediction", "follows"]
"""Used by a fit, or the same quantity as a figure that was; used by none; or a quotient of figures of
which one at least was fitted."""


@dataclass(frozen=True)
class Compared:
    """A figure beside the simulated one."""

    figure: Figure
    answer: Answer
    simulated: float
    """As the paper prints it: in its unit, in percent where it prints percent."""
    error: float
    """Relative error; 0 inside a range."""
    use: Use
    fit: str
    """The fit that used it; empty where none did."""
    left_out: float | None = None
    """Relative error, had the fit done without it; none where that tells nothing, or no fit used this row."""


@dataclass(frozen=True)
class Decided:
    """A statement, and whether the figures bear it out."""

    figure: Figure
    statement: Statement
    finding: Finding


@dataclass(frozen=True)
class Errors:
    """Errors of a group of figures."""

    count: int
    mean: float
    """Mean of the absolute relative errors."""
    most: float
    """Greatest of them."""
    worst: str
    """Id of the figure that has it."""


def compare(figures: Mapping[str, Figure], curves: Curves) -> list[Compared]:
    """Compare every figure that is simulated, in the order of the papers."""
    return [compared(figures[name], answer, curves) for name, answer in _in_order(figures, ANSWERS)]


def decide(figures: Mapping[str, Figure], curves: Curves) -> list[Decided]:
    """Decide every statement, in the order of the papers."""
    return [
        Decided(figures[name], statement, statement.check(curves))
        for name, statement in _in_order(figures, STATEMENTS)
    ]


def errors(found: Iterable[Compared], *uses: Use) -> Errors:
    """Sum up the errors of a group."""
    return _summed({one.figure.id: abs(one.error) for one in found if one.use in uses})


def errors_left_out(found: Iterable[Compared]) -> Errors:
    """Sum up the errors of figures that fits used, each left out of its fit in turn."""
    group = {one.figure.id: abs(one.left_out) for one in found if one.left_out is not None}
    return _summed(group)


def _summed(group: Mapping[str, float]) -> Errors:
    worst = max(group, key=lambda name: group[name], default="")
    return Errors(len(group), sum(group.values()) / max(len(group), 1), group.get(worst, 0.0), worst)


def use_of(answer: Answer) -> tuple[Use, str]:
    """Tell whether a figure was used, and by which fit."""
    fit = fitted_to(answer.figure) or fitted_to(answer.repeats)
    if fit:
        return "fitted", fit
    return ("follows" if answer.follows else "prediction"), ""


def compared(figure: Figure, answer: Answer, curves: Curves) -> Compared:
    """Compare one figure."""
    value = answer.expression.value(curves)
    use, fit = use_of(answer)
    error = answer.published(figure).error(value)
    without = _left_out(fit, figure.id) if fit else None
    return Compared(figure, answer, answer.shown(value), error, use, fit, without)


def _left_out(fit: str, figure: str) -> float | None:
    """Look up in the file of the fitted part how far off a figure would be that its fit had not used."""
    part = shipped().get(parts_of(SPECS[fit], SPECS[fit].parameters[0])[0])
    kept = (part.fit or {})[fit].figures
    return next((one.left_out for one in kept if one.figure == figure), None)


def _in_order(figures: Mapping[str, Figure], table: Mapping[str, T]) -> list[tuple[str, T]]:
    return [(name, table[name]) for name in figures if name in table]
