"""How a fit is shown."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from iodyno.cli.console import console, table
from iodyno.cli.wording import four_digits, left_out_percent, signed_percent

if TYPE_CHECKING:
    from iodyno.catalog.shelf import Catalog
    from iodyno.fitting.fit import Fit
    from iodyno.fitting.least_squares import Determined


def print_fit(fit: Fit, catalog: Catalog) -> None:
    """Print what was found, between which values, and how close the figures are met."""
    from iodyno.catalog.quantity import shown_unit

    out = console()
    units = map(shown_unit, _units(fit, catalog))
    rows = [
        (one.name, four_digits(one.value) + unit, _interval(one, unit))
        for one, unit in zip(fit.found, units, strict=True)
    ]
    out.print("Numbers found", style="bold")
    out.print(table((("number", "whole"), ("value", "right"), ("between", "left")), rows))
    out.print()
    met = [
        (
            one.name,
            f"{one.published:,.6g}",
            f"{one.simulated:,.6g}",
            signed_percent(one.residual),
            left_out_percent(one.left_out),
        )
        for one in fit.met
    ]
    out.print("Figures", style="bold")
    columns = (
        ("figure", "whole"),
        (fit.spec.figures_are, "right"),
        ("simulated", "right"),
        ("error", "right"),
        ("left out", "right"),
    )
    out.print(table(columns, met))
    out.print()
    counted = (_many(len(fit.met), "figure"), _many(len(fit.found), "number"))
    off = f"the figures are {fit.off * 100:.3g}% off on average (mean of the errors without sign)"
    out.print(f"{', '.join(counted)}, simulated {_many(fit.minimum.evaluations, 'time')}: {off}.")
    out.print(_held_by_others(fit))
    if not fit.minimum.converged:
        out.print("The steps ran out before the search settled.")
    _print_missed(fit)
    stopped = _stopped(fit, catalog)
    if stopped and not fit.found_nothing:
        hint = "The figures ask for more than the bounds allow."
        out.print(f"Stopped at a bound: {', '.join(stopped)}. {hint}", style="yellow")


def say_nothing_found(fit: Fit, catalog: Catalog, *, write: bool) -> None:
    """Say of a fit that has found nothing, number by number, why that is so.

    Parameters
    ----------
    fit
        What came of fitting.
    catalog
        The parts as they were.
    write
        Whether what was found was to be written.
    """
    from iodyno.cli.ending import say

    told = [stopped.replace(" at ", " stopped at ", 1) for stopped in _stopped(fit, catalog)]
    told += [f"no figure moves {_key(one)}" for one in fit.found if one.unmoved and not one.at_bound]
    kept = "nothing was written; " if write else ""
    hint = (
        f"{kept}give a bound more room where the part can have such a number, or figures of loads that need "
        "the number; or the figures are of another part or system than the fit has"
    )
    say("error", f"{fit.spec.name}: the fit has found nothing: {'; '.join(told)}", hint)


def _stopped(fit: Fit, catalog: Catalog) -> list[str]:
    """Name the numbers that a bound stopped: ``model.data_read at 600 MB/s, its greatest``."""
    from iodyno.catalog.quantity import shown_unit

    return [
        f"{_key(one)} at {four_digits(one.value)}{shown_unit(unit)}, its "
        f"{'least' if one.value - asked.low < asked.high - one.value else 'greatest'}"
        for one, asked, unit in zip(fit.found, fit.spec.parameters, _units(fit, catalog), strict=True)
        if one.at_bound
    ]


def _key(one: Determined) -> str:
    return one.name.partition(": ")[2] or one.name


def _held_by_others(fit: Fit) -> str:
    """Tell of how many figures the fit says anything, and how far off they would be without it."""
    errors = [abs(one.left_out) for one in fit.met if one.left_out is not None]
    if not errors:
        return "Left out, none of them is foretold by the others: each holds a number, or no number moves it."
    mean = f"{sum(errors) / len(errors) * 100:.3g}%"
    return (
        f"Left out of the fit in turn, {len(errors)} of them would be {mean} off on average, by the slopes"
        " here; each of the others holds a number, or no number moves it."
    )


MISSED = 0.1
"""Error of a figure from which on it is said that it is missed."""


def _print_missed(fit: Fit) -> None:
    """Name figures that no value of the numbers comes near."""
    missed = [f"{one.name} ({signed_percent(one.residual)})" for one in fit.met if abs(one.residual) > MISSED]
    if missed:
        hint = (
            "Numbers that are not searched for may limit it: simulate the part with that load to see what "
            "does, and search for that too, or correct it."
        )
        console().print(f"More than {MISSED:.0%} off: {', '.join(missed)}. {hint}", style="yellow")


def _many(count: int, what: str) -> str:
    return f"{count} {what}{'' if count == 1 else 's'}"


def _units(fit: Fit, catalog: Catalog) -> list[str]:
    """Give the unit of each number that was found, as it stands in the file of the part."""
    from iodyno.fitting.fit import parts_of

    units = []
    for parameter in fit.spec.parameters:
        table_name, key = parameter.keys[0].split(".")
        part = catalog.get(parts_of(fit.spec, parameter)[0])
        units.append(getattr(part, table_name)[key].unit)
    return units


def _interval(one: Determined, unit: str) -> str:
    """Give the interval, or why there is none."""
    stopped = "; stopped at the bound of what makes sense" if one.at_bound else ""
    if one.low is None or one.high is None:
        others = f"; exchanged for {', '.join(one.together_with)}" if one.together_with else ""
        return f"not determined by these figures{others}{stopped}"
    return f"{four_digits(one.low)} and {four_digits(one.high)}{unit}{stopped}"


def fit_json(fit: Fit, catalog: Catalog) -> dict[str, Any]:
    """Give a fit as JSON."""
    return {
        "name": fit.spec.name,
        "converged": fit.minimum.converged,
        "off": fit.off,
        "numbers": [
            {
                "name": one.name,
                "value": one.value,
                "low": one.low,
                "high": one.high,
                "unit": unit,
                "at_bound": one.at_bound,
            }
            for one, unit in zip(fit.found, _units(fit, catalog), strict=True)
        ],
        "figures": [
            {
                "figure": one.name,
                fit.spec.figures_are: one.published,
                "simulated": one.simulated,
                "error": one.residual,
                "left_out": one.left_out,
            }
            for one in fit.met
        ],
    }
