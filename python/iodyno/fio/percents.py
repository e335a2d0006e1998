"""Shares as whole percentages: fio takes no others."""

from __future__ import annotations

from collections.abc import Sequence

from iodyno.profiles import Block

_EXACT = 6
"""Decimal places of a percentage up to which it is told from a whole one."""


def whole_percent(share: float) -> int:
    """Give a share in whole percent: what is above 0 and below 1 stays so.

    Examples
    --------
    >>> whole_percent(0.67), whole_percent(0.997), whole_percent(0.001), whole_percent(1.0)
    (67, 99, 1, 100)
    """
    return round(share * 100) if share in (0, 1) else min(max(round(share * 100), 1), 99)


def whole_percents(shares: Sequence[float]) -> list[int]:
    """Give shares of one whole in whole percent, each as near as the sum allows.

    None that is above 0 becomes 0, and the sum is that of the shares, rounded.

    Examples
    --------
    >>> whole_percents([0.333, 0.333, 0.334]), whole_percents([0.996, 0.004])
    ([33, 33, 34], [99, 1])
    """
    exact = [round(share * 100, _EXACT) for share in shares]
    whole = [max(1, int(percent)) if share else 0 for share, percent in zip(shares, exact, strict=True)]
    left = max(round(sum(exact)), len([share for share in shares if share])) - sum(whole)
    for _ in range(abs(left)):
        step = 1 if left > 0 else -1
        free = [place for place, percent in enumerate(whole) if percent + step > 0]
        nearest = max(free, key=lambda place: step * (exact[place] - whole[place]))
        whole[nearest] += step
    return whole


def is_whole(share: float) -> bool:
    """Tell whether a share is a whole percentage."""
    percent = round(share * 100, _EXACT)
    return percent.is_integer() and (share in (0, 1) or 0 < percent < 100)


def shares_of(blocks: Sequence[Block]) -> list[float]:
    """Give the share of each block size."""
    weight = sum(block.weight for block in blocks)
    return [block.weight / weight for block in blocks]
