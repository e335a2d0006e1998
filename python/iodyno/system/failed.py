"""How it is told which members of an array have failed: in the facts of a run, and read from them again."""

from __future__ import annotations

import re
from collections.abc import Sequence

_TOLD = re.compile(r"(\d+) failed \(positions? (\d+(?:(?: \+ |, and |, | and )\d+)*)\)")


def failed_text(positions: Sequence[int]) -> str:
    """Say how many members have failed, and at which positions.

    Examples
    --------
    >>> failed_text([3]), failed_text([3, 5])
    ('1 failed (position 3)', '2 failed (positions 3 and 5)')
    >>> failed_text([0, 2, 7])
    '3 failed (positions 0, 2, and 7)'
    """
    *others, last = map(str, positions)
    comma = "," if len(others) > 1 else ""
    named = f"positions {', '.join(others)}{comma} and {last}" if others else f"position {last}"
    return f"{len(positions)} failed ({named})"


def failed_positions(text: str) -> list[int]:
    """Read the positions that a text names, as written now or before; none if it names none.

    Examples
    --------
    >>> failed_positions("2 failed (positions 3 and 5)"), failed_positions("2 failed (position 3 + 5)")
    ([3, 5], [3, 5])
    >>> failed_positions("no rebuild")
    []
    """
    found = _TOLD.fullmatch(text)
    return [int(number) for number in re.findall(r"\d+", found[2])] if found else []


def as_now(text: str) -> str:
    """Write what a fact tells of failed members as it is written now, so that runs can be compared.

    Examples
    --------
    >>> as_now("RAID 6 of 8 drives, 2 failed (position 3 + 5), no rebuild")
    'RAID 6 of 8 drives, 2 failed (positions 3 and 5), no rebuild'
    """
    return _TOLD.sub(lambda found: failed_text(failed_positions(found[0])), text)
