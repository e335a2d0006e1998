"""Student's t, for intervals from few numbers."""

from __future__ import annotations

import math
from statistics import NormalDist


def student(confidence: float, degrees: int | None) -> float:
    """Give the quantile of Student's t of a two-sided interval; without degrees that of the normal.

    Source: Cornish and Fisher's expansion; within 1 % from 3 degrees of freedom, exact for 1 and 2.

    Examples
    --------
    >>> round(student(0.95, 10), 2), round(student(0.95, 1), 1)
    (2.23, 12.7)
    """
    if degrees == 1:
        return math.tan(math.pi * confidence / 2)
    if degrees == 2:
        return confidence * math.sqrt(2 / (1 - confidence**2))
    z = NormalDist().inv_cdf(0.5 + confidence / 2)
    if degrees is None:
        return z
    n = float(degrees)
    return (
        z + (z**3 + z) / (4 * n) + (5 * z**5 + 16 * z**3 + 3 * z) / (96 * n**2)
        + (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / (384 * n**3)
    )  # fmt: skip
