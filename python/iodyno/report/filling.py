"""Pages that end early are filled: figures are drawn lower, within a bound, so that what follows finds room.

A figure, and a table that stays whole, that does not fit on what is left of a page begins the next one, and
leaves up to a third of the page empty. Where the charts of both pages can give that much, they do.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from iodyno.report.document import Document, Figure, LineChart, Table
from iodyno.report.outline import WHOLE_ROWS

LOWEST = 0.7
"""What is left at least of the height of a plot."""
TOP_MM, BOTTOM_MM = 22.0, 272.0
"""Where the text of a page begins and ends, from its upper edge."""
WORTH_FILLING_MM = 25.0
"""Empty room at the end of a page from which on it is filled."""
APART_MM = 8.0
"""What is free above a figure or a table, and some more."""
PLOT_MM = {1: 52.9, 2: 39.7}
"""Height of the plot of a chart by how many stand side by side: see ``charts``."""
MOST_PASSES = 10
"""Pages of a paper that are filled at most: each takes setting it once more."""

Lowered = Mapping[str, float]
"""What is left of the height of the plots of a figure, by its key."""


@dataclass(frozen=True)
class Place:
    """Where a block of the printed paper begins and ends."""

    begins: tuple[int, float]
    """Page from 1, and mm below its upper edge."""
    ends: tuple[int, float]


Places = Sequence[Place | None]
"""One for each block; none for headings, and what is not printed."""


def lowered(
    document: Document, floats: frozenset[str], places: Callable[[Lowered], tuple[int, Places]]
) -> dict[str, float]:
    """Find which figures are drawn lower, and by how much.

    Parameters
    ----------
    document
        The paper.
    floats
        Figures that float.
    places
        Sets the paper with some figures lowered: gives its pages, and where its blocks are.

    Returns
    -------
    dict
        The paper never has more pages with them than without.
    """
    found: dict[str, float] = {}
    tried: set[str] = set()
    pages, now = places(found)
    for _ in range(MOST_PASSES):
        step = _step(document, floats, now, found, tried)
        if step is None:
            break
        key, changed = step
        tried.add(key)
        after, then = places({**found, **changed})
        index = next(place for place, block in enumerate(document.blocks) if getattr(block, "key", "") == key)
        before, moved = now[index], then[index]
        if after <= pages and before and moved and moved.begins[0] < before.begins[0]:
            found, pages, now = {**found, **changed}, after, then
    return found


def _step(
    document: Document, floats: frozenset[str], places: Places, found: Lowered, tried: set[str]
) -> tuple[str, dict[str, float]] | None:
    """Give the first block that begins a page though lower figures would let it stand on the one before, and
    those figures."""
    flow = [index for index, block in enumerate(document.blocks) if getattr(block, "key", "") not in floats]
    ended = 0.0
    page = 1
    for index in flow:
        block, place = document.blocks[index], places[index]
        if place is None:
            continue
        if place.begins[0] == page + 1 and ended and isinstance(block, Figure | Table):
            changed = _room(document, floats, places, found, index, ended)
            if changed and block.key not in tried:
                return block.key, changed
        page, ended = place.ends
    return None


def _room(
    document: Document,
    floats: frozenset[str],
    places: Places,
    found: Lowered,
    index: int,
    ended: float,
) -> dict[str, float]:
    """Give the figures that make room for a block at the end of the page before; none where they cannot."""
    block, place = document.blocks[index], places[index]
    if place is None or place.ends[0] != place.begins[0]:
        return {}
    if isinstance(block, Table) and len(block.rows) > WHOLE_ROWS:
        return {}
    page = place.begins[0] - 1
    at_foot = [
        other.begins[1]
        for one, other in zip(document.blocks, places, strict=True)
        if other and isinstance(one, Figure) and one.key in floats and other.begins[0] == page
    ]
    free = min(at_foot, default=BOTTOM_MM + APART_MM) - APART_MM - ended
    need = place.ends[1] - TOP_MM + APART_MM - free
    plots = {
        one.key: PLOT_MM[min(len(one.charts), 2)]
        for one, other in zip(document.blocks, places, strict=True)
        if other
        and isinstance(one, Figure)
        and all(isinstance(chart, LineChart) for chart in one.charts)
        and one.key not in found
        and (other.begins[0] == page or one is block)
    }
    share = need / sum(plots.values()) if plots else 1.0
    if free < WORTH_FILLING_MM or not 0 < share <= 1 - LOWEST:
        return {}
    return dict.fromkeys(plots, 1 - share)
