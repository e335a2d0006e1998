"""Which rows of a table stay on one page, and what may be parted where a page would end early.

Short tables and lists stay whole as a rule, and small tables always. Where that leaves much of a page empty
the others are parted, but so that a reader sees a table on either page: some rows under the first head, more
under the one repeated. What is high, as names of it break into many lines, breaks in any case: it could be
higher than a page.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise, takewhile

from iodyno.report.document import Block, Facts, Table
from iodyno.report.layout.columns import fact_height_mm, fit
from iodyno.report.layout.outline import WHOLE_ROWS

FIRST_TOGETHER, LAST_TOGETHER = 3, 5
"""Rows at the beginning and at the end of what is broken that stay on one page."""
HEADED_TOGETHER = 2
"""Rows of one heading that stay on one page at their beginning and end, in a table that breaks."""
WHOLE_MM = 125.0
"""Height up to which something short stays whole, half of that of a page."""
SMALL_MM = 50.0
"""Height up to which a short table is never parted: it leaves less than a fifth of a page empty."""
HELD_MM = 100.0
"""Height up to which rows stay on one page."""
LAST_WHOLE = 24
"""Rows of the list that ends a paper, a glossary, up to which it stays whole."""


def stays_whole(block: Table | Facts, *, ends: bool = False) -> bool:
    """Tell whether something is not broken as a rule: it is short, or ends the paper."""
    if isinstance(block, Table):
        return not block.lookup and len(block.rows) <= WHOLE_ROWS and sum(fit(block).heights_mm) <= WHOLE_MM
    return len(block.items) <= (LAST_WHOLE if ends else WHOLE_ROWS) and not is_high(block)


def is_short_lookup(block: Block) -> bool:
    """Tell whether a table to look things up in has so few rows that it is not broken as a rule."""
    return isinstance(block, Table) and block.lookup and len(block.rows) <= WHOLE_ROWS


def is_high(block: Facts) -> bool:
    """Tell whether a list of few facts is so high that it breaks."""
    heights = [fact_height_mm(*item) for item in block.items]
    return sum(heights) > WHOLE_MM and (len(heights) <= WHOLE_ROWS or max(heights) > HELD_MM / LAST_TOGETHER)


def held_facts(block: Facts) -> tuple[int, int]:
    """Give how many facts at the begin and at the end of a list that breaks stay on one page."""
    return (1, 1) if is_high(block) else (FIRST_TOGETHER, LAST_TOGETHER)


def may_be_parted(block: Block, *, ends: bool = False) -> bool:
    """Tell whether something that stays whole as a rule has rows enough for two pages."""
    if not isinstance(block, Table | Facts) or not (stays_whole(block, ends=ends) or is_short_lookup(block)):
        return False
    if isinstance(block, Facts):
        return len(block.items) >= FIRST_TOGETHER + LAST_TOGETHER
    if sum(fit(block).heights_mm) <= SMALL_MM:
        return False
    if any(len(row) != len(block.columns) for row in block.rows):
        return False  # the heading of some rows stays with all of them
    counts = [count for count in together(block, parted=True) if count]
    return len(counts) > 1


def together(block: Table, *, parted: bool = False, inside: bool = False) -> list[int]:
    """Count, at the first of some rows that stay on one page, how many: a name and those without one.

    So do the first and the last rows of a long table, and of one that is parted: fewer would stand alone on
    a page. Those between them do so where figures that float leave room for few of them on a page.

    Parameters
    ----------
    block
        The table.
    parted
        Whether it is broken although it is short.
    inside
        Whether rows between the first and the last ones stay together too.

    Returns
    -------
    list of int
        One for each row; 0 at the others of rows that stay, and at headings of rows. Empty where none stay.
    """
    counts, first = list[int](), 0
    for place, row in enumerate(block.rows):
        whole = len(row) == len(block.columns)
        if whole and not row[0].text and counts and 0 < counts[first] < WHOLE_ROWS:
            counts[first] += 1
            counts.append(0)
        else:
            first = place
            counts.append(int(whole))
    named = counts.copy()
    if parted:
        counts = _ends_held(counts)
    elif len(counts) > WHOLE_ROWS:
        begins = next((place for place, count in enumerate(counts) if count), 0)  # behind a heading of rows
        alone = list(takewhile(lambda count: count == 1, counts[begins : begins + FIRST_TOGETHER]))
        if alone:
            counts[begins : begins + len(alone)] = [len(alone)] + [0] * (len(alone) - 1)
        rows, starts = len(counts), (place for place, count in enumerate(counts) if count)
        last = max((place for place in starts if rows - place >= LAST_TOGETHER), default=0)
        headings = [place for place, row in enumerate(block.rows) if len(row) != len(block.columns)]
        if headings and headings[-1] >= last:  # those of the last heading alone, if they are few
            last = headings[-1] + 1
            last = last if rows - last < LAST_TOGETHER and counts[last:] else 0
        if last and rows - last <= WHOLE_ROWS:
            counts[last:] = [rows - last] + [0] * (rows - last - 1)
    within = [_headed_held(block, _inside_held(block, counts))] if inside else []
    headed = [] if parted or len(counts) <= WHOLE_ROWS else [_headed_held(block, counts)]
    for held in (*within, *headed, counts, named):
        if max(held, default=0) <= 1:
            return []
        if not _too_high(block, held):
            return held
    return []


def _inside_held(block: Table, counts: Sequence[int]) -> list[int]:
    """Put what stays together into groups of enough rows, those of one heading each, all through a table."""
    held, first = list(counts), None
    for place, count in enumerate(counts):
        if len(block.rows[place]) != len(block.columns):
            first = None
        elif count and first is not None and held[first] < FIRST_TOGETHER:
            held[first] += count
            held[place] = 0
        elif count:
            first = place
    return held


def _headed_held(block: Table, counts: Sequence[int]) -> list[int]:
    """Put what stays together into groups of which none leaves a row alone that others of its heading
    stand with: the first and the last of them."""
    held, begins = list(counts), list[int]()
    headed = (len(row) != len(block.columns) for row in block.rows)
    for place, (count, heading) in enumerate(zip((*counts, 0), (*headed, True), strict=True)):
        if count:
            begins.append(place)
        elif heading:
            _hold_ends(held, begins)
            begins = []
    return held


def _hold_ends(held: list[int], begins: Sequence[int]) -> None:
    """Let the first two groups be one, and the last two, where a row would stand alone."""
    for one, other, alone in ((0, 1, 0), (-2, -1, -1)):
        left = [place for place in begins if held[place]]
        if len(left) > 1 and held[left[alone]] < HEADED_TOGETHER:
            held[left[one]] += held[left[other]]
            held[left[other]] = 0


def _too_high(block: Table, counts: Sequence[int]) -> bool:
    """Tell whether rows that are to stay on one page could not all."""
    heights = fit(block).heights_mm[1:]
    return any(
        sum(heights[place : place + count]) > HELD_MM for place, count in enumerate(counts) if count > 1
    )


def _ends_held(counts: list[int]) -> list[int]:
    """Put what stays together at the begin and at the end of a table into groups of enough rows."""
    begins = [place for place, count in enumerate(counts) if count]
    rows = len(counts)
    first = next((place for place in begins if place >= FIRST_TOGETHER), rows)
    last = next((place for place in reversed(begins) if rows - place >= LAST_TOGETHER), 0)
    if first > last:
        return [rows] + [0] * (rows - 1)
    inside = [place for place in begins if first <= place < last]
    bounds = [0, *inside, last, rows]
    held = [0] * rows
    for start, end in pairwise(bounds):
        held[start] = end - start
    return held
