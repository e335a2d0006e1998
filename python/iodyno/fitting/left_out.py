"""What a fit says of figures that it was not told: each is left out in turn.

A figure that alone holds a number of its part is met whatever it is, and that it is met shows nothing. One
that others determine too is a trial of the part: how far off would it be, had nobody known it?
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Sequence

from iodyno.fitting.least_squares import NOT_DETERMINED, Bounded, Minimum
from iodyno.fitting.matrices import Matrix, Row, eigen, normal

ALONE = 0.9
"""Leverage from which on a figure has a number to itself: the others hardly hold what it holds."""
MOVED = 1e-3
"""Leverage below which no number that was searched for moves a figure: it says nothing of the fit."""


def left_out(
    minimum: Minimum,
    parameters: Sequence[Bounded],
    residuals: Sequence[float],
    same: Sequence[Hashable],
    *,
    least_spread: float,
) -> list[float | None]:
    """Tell how far off each figure would be, had the parameters been fitted to the others alone.

    Parameters
    ----------
    minimum
        Where the sum of squares is least, with the derivatives there.
    parameters
        Those that were moved.
    residuals
        Logarithms of simulated over published, one for each row of the derivatives.
    same
        What each figure is of: figures of the same are left out together, since one gives the other away.
    least_spread
        Standard deviation of a residual below which the figures are not believed; directions that move
        figures by far less are not determined by them, and are left as they are.

    Returns
    -------
    list of float or None
        Relative errors in the order of the residuals; none where the figure alone, or with those of the same
        quantity, holds a parameter, and where no parameter moves it.

    Notes
    -----
    For residuals r and the hat matrix H = J (JᵀJ)⁻¹ Jᵀ, those of a group G that is left out are
    (1 - H_GG)⁻¹ r_G: exact where figures are linear in the logarithms of the parameters (Allen, Technometrics
    16, 1974, 125-127; Cook and Weisberg, Residuals and Influence in Regression, 1982). A parameter at its
    bound stays there.
    """
    ways = _directions(minimum, parameters, least_spread)
    found: list[float | None] = [None] * len(residuals)
    for group in _groups(same):
        hat = [[_dot(ways[i], ways[j]) for j in group] for i in group]
        values, vectors = eigen(hat)
        if not MOVED <= max(values) < ALONE:
            continue
        for index, way in enumerate(group):
            error = sum(
                vector[index] * _dot(vector, [residuals[i] for i in group]) / (1 - value)
                for value, vector in zip(values, vectors, strict=True)
            )
            found[way] = math.expm1(error)
    return found


def _directions(minimum: Minimum, parameters: Sequence[Bounded], least_spread: float) -> Matrix:
    """Give the row of each residual along the directions that figures determine: H is row times row."""
    values = zip(parameters, minimum.values, strict=True)
    free = [index for index, (parameter, value) in enumerate(values) if not parameter.ends(value)]
    slopes = [[row[i] for i in free] for row in minimum.jacobian]
    if not free:
        return slopes
    product, _ = normal(slopes, minimum.residuals)
    flat = (least_spread / (100 * NOT_DETERMINED)) ** 2
    steep = [(value, vector) for value, vector in zip(*eigen(product), strict=True) if value > flat]
    return [[_dot(row, vector) / math.sqrt(value) for value, vector in steep] for row in slopes]


def _groups(same: Sequence[Hashable]) -> list[list[int]]:
    groups: dict[Hashable, list[int]] = {}
    for index, what in enumerate(same):
        groups.setdefault(what, []).append(index)
    return list(groups.values())


def _dot(one: Row, other: Row) -> float:
    return sum(a * b for a, b in zip(one, other, strict=True))
