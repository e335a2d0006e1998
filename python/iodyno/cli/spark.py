"""A line of small bars."""

from __future__ import annotations

from collections.abc import Sequence

BARS = "▁▂▃▄▅▆▇█"


def sparkline(values: Sequence[float], width: int) -> str:
    """Draw the last values, from 0 to the largest of them.

    Parameters
    ----------
    values
        0 or more each.
    width
        Most characters.

    Examples
    --------
    >>> sparkline([0, 1, 2, 4], 8)
    '▁▂▄█'
    """
    shown = values[-width:] if width > 0 else []
    top = max(shown, default=0.0)
    return "".join(BARS[min(7, int(value / top * 7.999)) if top else 0] for value in shown)
