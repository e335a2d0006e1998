"""Where the blocks of a printed paper stand: what is asked of its pages before one of them is filled."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from iodyno.report.charts import PRINT, plot_heights
from iodyno.report.document import Block, Document, Facts, Figure, Heading, Paragraph, Table
from iodyno.report.layout.parting import FIRST_TOGETHER

TOP_MM, BOTTOM_MM = 22.0, 272.0
"""Where the text of a page begins and ends, from its upper edge."""
APART_MM = 8.0
"""What is free above a figure or a table, and some more."""
HEADED_MM = {1: 13.0, 2: 10.0}
"""What is free above headings, by their levels, where that is more."""
LEADING_FACTS = 3
"""Facts before a table that do not part from it, at most."""
MM = 25.4 / 96
"""A unit of a chart in mm."""


@dataclass(frozen=True)
class Place:
    """Where a block of the printed paper begins and ends."""

    begins: tuple[int, float]
    """Page from 1, and mm below its upper edge."""
    ends: tuple[int, float]
    rows: tuple[int, ...] = ()
    """How many rows of a table are on each of its pages, where they are counted."""


Places = Sequence[Place | None]
"""One for each block; none for headings, and what is not printed."""


@dataclass(frozen=True)
class Filled:
    """How figures are set so that pages are filled."""

    floats: frozenset[str]
    """Figures that may stand at the foot of a page, by their keys."""
    heads: frozenset[str] = frozenset()
    """Figures that stand at the head of the page after the one on which they are written."""
    lowered: Mapping[str, float] = field(default_factory=dict)
    """What is left of the height of the plots of a figure, by its key; all where it is not there."""
    parted: frozenset[int] = frozenset()
    """Tables and facts that are broken although they are short, by their places among the blocks."""
    held: frozenset[int] = frozenset()
    """Tables of which no few rows stand alone between figures, by their places among the blocks."""
    counted: frozenset[int] = frozenset()
    """Tables of which the rows on each page are counted, by their places among the blocks."""
    begun: frozenset[int] = frozenset()
    """Tables that begin a page although some rows fit on the one before, by their places among the blocks."""

    def flushed(self, document: Document) -> frozenset[int]:
        """Give the headings before which a figure must stand: those of the sections after it."""
        found: set[int] = set()
        waiting = False
        for index, block in enumerate(document.blocks):
            if isinstance(block, Heading):
                found |= {index} if waiting else set()
                waiting = False
            elif isinstance(block, Figure) and block.key in self.heads:
                waiting = True
        return frozenset(found)


def table_at(document: Document, index: int) -> Table:
    """Give the table that a block is known to be."""
    block = document.blocks[index]
    assert isinstance(block, Table)
    return block


def interrupted_tables(document: Document, places: Places) -> frozenset[int]:
    """Give the tables that have a figure on a page between their first and their last."""
    placed = [(block, place) for block, place in zip(document.blocks, places, strict=True)]
    figures = {place.begins[0] for block, place in placed if place and isinstance(block, Figure)}
    tables = ((index, place) for index, (block, place) in enumerate(placed) if isinstance(block, Table))
    return frozenset(
        index for index, place in tables if place and figures & set(range(place.begins[0] + 1, place.ends[0]))
    )


def in_few_rows(places: Places) -> list[int]:
    """Give the tables of which too few rows are on one of their pages."""
    return [
        index
        for index, place in enumerate(places)
        if place and len(place.rows) > 1 and min(place.rows) < FIRST_TOGETHER
    ]


def key_at(document: Document, index: int) -> str:
    """Give the key of a block; empty where it has none."""
    return str(getattr(document.blocks[index], "key", ""))


def figures_before(document: Document, places: Places) -> Iterator[int]:
    """Give the figures that stand on a later page than what is written before them."""
    last = None
    for index, (block, place) in enumerate(zip(document.blocks, places, strict=True)):
        if place and last and isinstance(block, Figure) and last.ends[0] < place.begins[0]:
            yield index
        last = place or last


def same_pages(before: tuple[int, Places], after: tuple[int, Places]) -> bool:
    """Tell whether every block is on the page on which it was."""
    spans = (
        [place and (place.begins[0], place.ends[0]) for place in places] for _, places in (before, after)
    )
    return before[0] == after[0] and next(spans) == next(spans)


def ends_of_pages(places: Places, document: Document, found: Filled) -> dict[int, float]:
    """Give how far down each page is filled, but for what floats at its foot."""
    ends: dict[int, float] = {}
    for block, place in zip(document.blocks, places, strict=True):
        if place and getattr(block, "key", "") not in found.floats:
            page, down = place.ends
            ends[page] = max(down, ends.get(page, 0.0))
    return ends


def free_above(document: Document, index: int) -> float:
    """Give what is free above a block, or above the first of the headings before it."""
    above = APART_MM
    for block in reversed(document.blocks[:index]):
        if not isinstance(block, Heading):
            break
        above = max(APART_MM, HEADED_MM.get(block.level, 0.0))
    return above


def led_to(document: Document, index: int) -> int:
    """Give the figure, table or list that a text at the head of a page leads to: neither parts from it."""
    for place in range(index, len(document.blocks)):
        if not leads(document.blocks[place], document.blocks[place + 1 : place + 2]):
            return place
    return index


def leads(block: Block, after: Sequence[Block]) -> bool:
    """Tell whether a block leads to what comes after it, and does not part from it."""
    if isinstance(block, Facts):
        return len(block.items) <= LEADING_FACTS and isinstance((*after, None)[0], Table)
    return isinstance(block, Heading | Paragraph)


def bottom_of(document: Document, places: Places, found: Filled, page: int) -> float:
    """Give where the text of a page ends: above what floats there."""
    tops = [
        place.begins[1]
        for block, place in zip(document.blocks, places, strict=True)
        if place and place.begins[0] == page and getattr(block, "key", "") in found.floats
    ]
    return min(tops, default=BOTTOM_MM + APART_MM)


def figures_on(document: Document, places: Places, page: int) -> list[Figure]:
    """Give the figures that begin on a page."""
    return [
        block
        for block, place in zip(document.blocks, places, strict=True)
        if place and isinstance(block, Figure) and place.begins[0] == page
    ]


def heights_mm(document: Document, figure: Figure) -> tuple[float, float]:
    """Give how high the plots of a figure are, and how high at the least, in mm."""
    height, least = plot_heights(figure, PRINT, document.language)
    return height * MM, least * MM


def page_of(places: Places, index: int) -> int:
    """Give the page on which a block begins, from 1; 0 where it has none."""
    place = places[index] if index < len(places) else None
    return place.begins[0] if place else 0


def following(document: Document, index: int, found: Filled) -> int:
    """Give the block that goes on where a figure floats."""
    return next(
        (
            place
            for place, block in enumerate(document.blocks)
            if place > index
            and not isinstance(block, Heading)
            and getattr(block, "key", "") not in found.floats | found.heads
        ),
        index,
    )


def out_of_place(document: Document, places: Places, index: int) -> bool:
    """Tell whether a figure at the head of a page stands on the page on which it is written, where it could
    stand before its own heading, or after the beginning of the next section, or behind a later figure."""
    if getattr(document.blocks[index], "key", "") in turned_figures(document, places):
        return True
    before = next((place for place in reversed(places[:index]) if place), None)
    section = next(
        (
            place
            for place, block in enumerate(document.blocks)
            if place > index and isinstance(block, Heading)
        ),
        len(document.blocks),
    )
    after = next((place for place in places[section:] if place), None)
    own = places[index]
    return (
        own is None
        or before is None
        or after is None
        or not before.ends[0] < own.begins[0] <= after.begins[0]
    )


def heads_out_of_place(document: Document, places: Places, found: Filled) -> set[int]:
    """Give the figures at the head of a page that are out of place."""
    heads = (index for index in range(len(document.blocks)) if key_at(document, index) in found.heads)
    return {index for index in heads if out_of_place(document, places, index)}


def turned_figures(document: Document, places: Places) -> list[str]:
    """Give the figures after which a later one stands first, by their keys."""
    drawn = [
        (block.key, place.begins)
        for block, place in zip(document.blocks, places, strict=True)
        if place and isinstance(block, Figure)
    ]
    return [key for (key, one), (_, next_one) in pairwise(drawn) if one > next_one]
