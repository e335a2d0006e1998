"""RAID levels: how many drives they need, what they survive and what they hold."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from iodyno.virtual import Level

Mirrors = Literal["two", "any"]
"""Drives that a RAID 1 is made of: two, or any number from two on. RAID that mirrors over any number has a
RAID 10 of any number too, as md of Linux does (md(4)), of which only that of pairs is modelled."""

_LEAST: dict[Level, int] = {"JBOD": 1, "0": 1, "1": 2, "1E": 3, "10": 4, "5": 3, "6": 4}


def least_drives(level: Level) -> int:
    """Give the fewest drives that a level can be built of: of RAID 50 and 60 in two groups.

    Examples
    --------
    >>> least_drives("5"), least_drives("60")
    (3, 8)
    """
    return 2 * _LEAST["5" if level == "50" else "6"] if level in ("50", "60") else _LEAST[level]


def shown_level(level: Level) -> str:
    """Write a level as it is called.

    Examples
    --------
    >>> shown_level("5"), shown_level("JBOD")
    ('RAID 5', 'JBOD')
    """
    return level if level == "JBOD" else f"RAID {level}"


def drives_problem(level: Level, count: int, groups: int, mirrors: Mirrors = "two") -> str:
    """Say what is wrong with a number of drives; nothing where it is right.

    Examples
    --------
    >>> drives_problem("10", 5, 1)
    'RAID 10 needs an even number of drives, not 5'
    >>> drives_problem("1", 3, 1), drives_problem("1", 3, 1, "any")
    ('RAID 1 needs 2 drives, not 3', '')
    >>> drives_problem("10", 3, 1, "any")
    'RAID 10 of 3 drives is not modelled'
    """
    if level == "1" and mirrors == "two" and count != 2:
        return f"RAID 1 needs 2 drives, not {count}"
    if level == "10" and mirrors == "any" and count >= 2 and (count % 2 or count < _LEAST[level]):
        return f"RAID 10 of {count} drives is not modelled"
    if level == "10" and count % 2:
        return f"RAID 10 needs an even number of drives, not {count}"
    if level in ("50", "60"):
        return _groups_problem(level, count, groups)
    if count < _LEAST[level]:
        return f"RAID {level} needs at least {_LEAST[level]} drives, not {count}"
    return f"RAID {level} has no groups" if groups != 1 else ""


def drives_alone_problem(level: Level, count: int) -> str:
    """Say what is wrong with a number of drives where nothing tells of groups, and a RAID 1 of any number is
    meant; nothing where it is right.

    Examples
    --------
    >>> drives_alone_problem("6", 2), drives_alone_problem("50", 9), drives_alone_problem("1", 3)
    ('RAID 6 needs at least 4 drives, not 2', '', '')
    >>> drives_alone_problem("60", 6), drives_alone_problem("50", 7)
    ('RAID 60 needs at least 8 drives, not 6', 'RAID 50 of 7 drives has no equal groups')
    """
    if level == "1":
        return drives_problem(level, count, 1, "any")
    if level not in ("50", "60"):
        return drives_problem(level, count, 1)
    if count < least_drives(level):
        return f"RAID {level} needs at least {least_drives(level)} drives, not {count}"
    if any(not _groups_problem(level, count, groups) for groups in range(2, count)):
        return ""
    return f"RAID {level} of {count} drives has no equal groups"


def drives_hint(level: Level, mirrors: Mirrors = "two") -> str:
    """Say how many drives a level takes.

    Examples
    --------
    >>> drives_hint("5"), drives_hint("60")
    ('take 3 drives or more', 'take 2 groups or more of equally many drives, each of 4 or more')
    """
    if level == "1" and mirrors == "two":
        return "take 2 drives, or RAID 10"
    if level in ("50", "60"):
        least = _LEAST["5" if level == "50" else "6"]
        return f"take 2 groups or more of equally many drives, each of {least} or more"
    if level == "10":
        return f"take an even number of drives, {_LEAST[level]} or more"
    return f"take {_LEAST[level]} drives or more"


def _groups_problem(level: Level, count: int, groups: int) -> str:
    least = _LEAST["5" if level == "50" else "6"]
    if groups < 2:
        return f"RAID {level} needs at least 2 groups, not {groups}"
    if count % groups:
        return f"{count} drives cannot be divided into {groups} equal groups"
    if count // groups < least:
        return f"a group of RAID {level} needs at least {least} drives, not {count // groups}"
    return ""


def groups_of(level: Level, groups: int | None) -> int:
    """Give the number of groups: 2 of RAID 50 and 60 unless another is given, else 1."""
    return groups or (2 if level in ("50", "60") else 1)


def survives(level: Level, count: int, groups: int, failed: Sequence[int]) -> bool:
    """Tell whether an array lives on with some members failed, by position."""
    lost = set(failed)
    if level in ("JBOD", "0"):
        return not lost
    if level == "1":
        return len(lost) < count
    if level == "10":
        return not any({first, first + 1} <= lost for first in range(0, count, 2))
    if level == "1E":
        return not any({member, (member + 1) % count} <= lost for member in lost)
    width = count // groups
    parity = 2 if level in ("6", "60") else 1
    return all(sum(m // width == group for m in lost) <= parity for group in range(groups))


def capacity_bytes(level: Level, count: int, groups: int, member_bytes: int, strip_bytes: int) -> int:
    """Compute what an array holds in bytes: whole strips of its smallest member.

    Examples
    --------
    >>> capacity_bytes("5", 4, 1, 1000, 100), capacity_bytes("1E", 3, 1, 1000, 100)
    (3000, 1500)
    """
    strips = member_bytes // strip_bytes
    if level == "1E":
        return strips // 2 * count * strip_bytes
    if level == "1":
        return strips * strip_bytes
    if level == "10":
        return strips * (count // 2) * strip_bytes
    parity = {"JBOD": 0, "0": 0, "5": 1, "50": 1, "6": 2, "60": 2}[level]
    return strips * (count - parity * groups) * strip_bytes
