"""Rows of a matrix of configurations: what they are called, and which of many stand together in one."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from iodyno.analysis.layout import alike
from iodyno.analysis.run import CurveAnalysis
from iodyno.report.curve_names import curve_details, loaded_name
from iodyno.report.messages import Messages
from iodyno.report.shared_words import told_apart

Row: TypeAlias = tuple[CurveAnalysis | None, ...]

_WIDE = re.compile("[\u3000-\u30ff\u4e00-\u9fff]")
"""Signs of Japanese, which brackets as wide as they are go with."""
MOST_APART = 24
"""Rows up to which each configuration has its own, whatever its figures are: they fill half a page."""
MOST_LETTERS = 120
"""Letters of what tells the configurations of a row apart: a head of one line in every language."""
FEWEST_UNDER_A_HEAD = 3
"""Rows that a head has, in the mean, where a table has heads."""


@dataclass(frozen=True)
class Names:
    """What rows are called, by the key of each of their curves."""

    whole: Mapping[str, str]
    """The name without what all rows share; under heads without these too, where no two are the same then."""
    parts: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    """The same in a head that several rows have, and the rest; empty where a table has no heads."""

    def of(self, row: Row) -> str:
        """Name a row."""
        return self.whole[_first(row).curve.key]

    def head_and_rest(self, row: Row) -> tuple[str, str]:
        """Name a row under a head; the head is empty where there are none."""
        return self.parts.get(_first(row).curve.key, ("", self.of(row)))


def named_rows(messages: Messages, rows: Sequence[Row]) -> tuple[Sequence[Row], str, Names]:
    """Give the rows of a matrix, what all share in their names, and the names without it.

    Of many rows those that are alike in every figure become one: what their systems differ in is not used by
    these loads. Such a row is told by the first of them, and has a name of all. Many rows stand under heads,
    where their names begin with few.

    Examples
    --------
    Of 50 rows with the configurations of a board and of two units, these three would be one:

    ``Board / Unit with one controller / Unit with two controllers (2 SAS SSDs, RAID 1)``
    """
    shared, short = told_apart([_name(messages, row) for row in rows])
    apart = {place: _parted(name) for place, name in enumerate(short)}
    if len(rows) <= MOST_APART:
        return rows, shared, _names(rows, apart, headed=False)
    groups = {places[0]: _together([short[place] for place in places]) for places in alike(rows)}
    if all(map(any, groups.values())):  # else what is said of all rows that are alike would not be so
        apart = groups
    heads = list(dict.fromkeys(head for head, _ in apart.values()))
    headed = all(rest for _, rest in apart.values()) and FEWEST_UNDER_A_HEAD * len(heads) <= len(apart)
    order = sorted(apart, key=lambda place: heads.index(apart[place][0])) if headed else sorted(apart)
    kept = [rows[place] for place in order]
    return kept, shared, _names(kept, dict(enumerate(apart[place] for place in order)), headed=headed)


def _names(rows: Sequence[Row], apart: Mapping[int, tuple[str, str]], *, headed: bool) -> Names:
    each = {item.curve.key: apart[place] for place, row in enumerate(rows) for item in row if item}
    rests = [rest for _, rest in apart.values()]
    if headed and len(set(rests)) == len(rests):
        return Names({key: _listable(rest) for key, (_, rest) in each.items()}, each)
    return Names({key: _joined(*name) for key, name in each.items()}, each if headed else {})


def _listable(rest: str) -> str:
    """Put all but the first piece of a name into brackets: it can stand in a list."""
    first, _, others = rest.partition("、" if "、" in rest else ", ")
    return _joined(first, others)


def _first(row: Row) -> CurveAnalysis:
    return next(item for item in row if item is not None)


def _name(messages: Messages, row: Row) -> str:
    item = _first(row)
    return curve_details(messages, item.curve) or loaded_name(messages, item.curve)


def _parted(name: str) -> tuple[str, str]:
    """Take the brackets off a name that ends with them, and has no others."""
    for opening, closing in (" (", ")"), ("（", "）"):
        head, found, rest = name.partition(opening)
        if found and rest.endswith(closing) and opening not in rest and closing not in rest[:-1]:
            return head, rest[:-1]
    return name, ""


def _joined(head: str, rest: str) -> str:
    if not rest:
        return head
    return f"{head}（{rest}）" if _WIDE.search(head + rest) else f"{head} ({rest})"


def _together(names: Sequence[str]) -> tuple[str, str]:
    """Write names as one: what tells them apart, and what they share; both empty where that is no name."""
    if len(names) == 1:
        return _parted(names[0])
    shared, short = told_apart(names)
    head = " / ".join(short)
    if not shared or len(head) > MOST_LETTERS or any(sign in head for sign in "(（"):
        return "", ""
    return head, shared
