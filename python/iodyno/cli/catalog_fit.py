"""How a fit is shown."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from iodyno.cli.console import console, table
from iodyno.cli.wording import four_digits, signed_percent

if TYPE_CHECKING:
    from iodyno.fitting.fit import Fit
    from iodyno.fitting.least_squares import Determined


def print_fit(fit: Fit) -> None:
    """Print what was found, between which values, and how close the figures are met."""
    out = console()
    rows = [(one.name, four_digits(one.value), _interval(one)) for one in fit.found]
    out.print("Numbers found", style="bold")
    out.print(table((("number", "whole"), ("value", "right"), ("between", "left")), rows))
    out.print()
    met = [
        (one.name, f"{one.published:,.6g}", f"{one.simulated:,.6g}", signed_percent(one.residual))
        for one in fit.met
    ]
    out.print("Figures", style="bold")
    columns = ("figure", "whole"), ("published", "right"), ("simulated", "right"), ("error", "right")
    out.print(table(columns, met))
    out.print()
    out.print(
        f"{len(fit.met)} figures, {len(fit.found)} numbers, {fit.minimum.evaluations} simulations of them."
    )
    if not fit.minimum.converged:
        out.print("The steps ran out before the search settled.")


def _interval(one: Determined) -> str:
    """Give the interval, or why there is none."""
    stopped = "; stopped at the bound of what makes sense" if one.at_bound else ""
    if one.low is None or one.high is None:
        others = f"; exchanged for {', '.join(one.together_with)}" if one.together_with else ""
        return f"not determined by these figures{others}{stopped}"
    return f"{four_digits(one.low)} and {four_digits(one.high)}{stopped}"


def fit_json(fit: Fit) -> dict[str, Any]:
    """Give a fit as JSON."""
    return {
        "name": fit.spec.name,
        "converged": fit.minimum.converged,
        "numbers": [
            {"name": one.name, "value": one.value, "low": one.low, "high": one.high, "at_bound": one.at_bound}
            for one in fit.found
        ],
        "figures": [
            {
                "figure": one.name,
                "published": one.published,
                "simulated": one.simulated,
                "error": one.residual,
            }
            for one in fit.met
        ],
    }
