"""Pages that end early are filled: figures are drawn lower, or float, so that what follows finds room.

A figure, and a table that stays whole, that does not fit on what is left of a page begins the next one, and
leaves up to a third of the page empty. Where the charts of the page can give that much, they do, within a
bound. Else a figure may stand at the head of the next page while the text goes on before it, up to the next
heading, and a table that has rows enough is parted. Where a table behind such a figure hardly finds room,
the charts of the page give it. Where a figure on its page lets a table that one page would hold stand on
three, the charts of that page are drawn lower, or the table begins on it. Where a figure leaves few rows of
a table alone on a page, more of them stay together. A figure at the foot of a page, above which nothing
more found room, stands below its text: the page is empty at its end, not in the middle.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import Literal

from iodyno.report.charts import PRINT, plot_heights
from iodyno.report.columns import fit
from iodyno.report.document import Block, Document, Facts, Figure, Heading, Paragraph, Table
from iodyno.report.parting import FIRST_TOGETHER, may_be_parted, stays_whole

TOP_MM, BOTTOM_MM = 22.0, 272.0
"""Where the text of a page begins and ends, from its upper edge."""
WORTH_FILLING_MM = 40.0
"""Empty room at the end of a page from which on it is filled."""
WORTH_CLOSING_MM = 12.0
"""Empty room between a text and the figure at the foot of its page from which on the figure moves up."""
WORTH_PARTING_THE_END_MM = 50.0
"""Room for the list that ends a paper from which on it is parted: its last page is empty below it."""
APART_MM = 8.0
"""What is free above a figure or a table, and some more."""
HEADED_MM = {1: 13.0, 2: 10.0}
"""What is free above headings, by their levels, where that is more."""
LEADING_FACTS = 3
"""Facts before a table that do not part from it, at most."""
MM = 25.4 / 96
"""A unit of a chart in mm."""
LOWERED_SHARES = 0.5, 1.0
"""Shares of what charts can give that are tried where they let a table end on their page."""
MOST_PASSES = 24
"""How often a paper is set once more at most: each time fills a page, or finds that it cannot be filled."""


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


@dataclass(frozen=True)
class _Step:
    """What may fill a page."""

    index: int
    """The block that finds room there, or lets others."""
    how: Literal["lower", "float", "float and lower", "float and part", "part"]
    way: Filled


def filled(
    document: Document, floats: frozenset[str], places: Callable[[Filled], tuple[int, Places]]
) -> Filled:
    """Find which figures are drawn lower, and by how much, and which stand at the head of the next page.

    Parameters
    ----------
    document
        The paper.
    floats
        Figures that float in any case.
    places
        Sets the paper in a way: gives its pages, and where its blocks are.

    Returns
    -------
    Filled
        The paper never has more pages with it than without.
    """
    found, pages, now = _in_order(document, Filled(floats), places)
    found, pages, now = _stepped(document, found, (pages, now), places)
    joined, pages, now = _joined(document, found, (pages, now), places)
    if joined != found:  # tables that end on other pages may leave room there
        again, after, then = _stepped(document, joined, (pages, now), places)
        if len(_interrupted(document, then)) <= len(_interrupted(document, now)):
            joined, pages, now = again, after, then
    found, pages, now = _held(document, joined, (pages, now), places)
    return _closed(document, found, (pages, now), places)


def _stepped(
    document: Document,
    found: Filled,
    as_found: tuple[int, Places],
    places: Callable[[Filled], tuple[int, Places]],
) -> tuple[Filled, int, Places]:
    """Fill one page after the other, as far as each can be."""
    pages, now = as_found
    tried: set[tuple[int, str]] = set()
    for _ in range(MOST_PASSES):
        steps = _steps(document, now, found)
        step = next((one for one in steps if (one.index, one.how) not in tried), None)
        if step is None:
            break
        tried.add((step.index, step.how))
        changed, after, then = _in_order(document, step.way, places)
        floating = step.how.startswith("float")
        index = _following(document, step.index, changed) if floating else step.index
        nearer = _page(then, index) < _page(now, index)
        if after <= pages and nearer and not (floating and _out_of_place(document, then, step.index)):
            found, pages, now = changed, after, then
    return found, pages, now


def _joined(
    document: Document,
    found: Filled,
    as_found: tuple[int, Places],
    places: Callable[[Filled], tuple[int, Places]],
) -> tuple[Filled, int, Places]:
    """Let tables stand on two pages that would fit on one, and are on three as a figure is on the second."""
    pages, now = as_found
    torn = [
        index
        for index in sorted(_interrupted(document, now))
        if sum(fit(_table(document, index)).heights_mm) <= BOTTOM_MM - TOP_MM
    ]
    for index in torn:
        for one in _joining(document, found, now, index):
            way, after, then = _in_order(document, one, places)
            fewer = len(_interrupted(document, then)) < len(_interrupted(document, now))
            in_place = _heads_out_of_place(document, then, way) <= _heads_out_of_place(document, now, found)
            if after <= pages and fewer and in_place:
                found, pages, now = way, after, then
                break
    return found, pages, now


def _joining(document: Document, found: Filled, places: Places, index: int) -> Iterator[Filled]:
    """Give the ways that may let a table end on the page of the figure that interrupts it, or begin there:
    the least first."""
    place = places[index]
    if place is None:
        return
    figures = [
        of for page in range(place.begins[0] + 1, place.ends[0]) for of in _figures_on(document, places, page)
    ]
    spare = sum(
        max(0.0, found.lowered.get(of.key, 1.0) * height - least)
        for of in figures
        for height, least in (_heights_mm(document, of),)
    )
    for share in LOWERED_SHARES:
        if lower := _sharing(document, found, figures, share * spare):
            yield replace(found, lowered={**found.lowered, **lower})
    if not _leads(document.blocks[index - 1], document.blocks[index : index + 1]):
        yield replace(found, begun=found.begun | {index})


def _table(document: Document, index: int) -> Table:
    block = document.blocks[index]
    assert isinstance(block, Table)
    return block


def _held(
    document: Document,
    found: Filled,
    as_found: tuple[int, Places],
    places: Callable[[Filled], tuple[int, Places]],
) -> tuple[Filled, int, Places]:
    """Let more rows of a table stay together where few of them stand alone on a page.

    A figure that floats to the foot of a page, or to its head, interrupts the table that goes on there.
    """
    pages, now = as_found
    interrupted = _interrupted(document, now)
    if not interrupted:
        return found, pages, now
    found = replace(found, counted=interrupted)
    pages, now = places(found)
    out_of_place = _heads_out_of_place(document, now, found)
    for index in _in_few_rows(now):
        way, after, then = _in_order(document, replace(found, held=found.held | {index}), places)
        fewer = len(_in_few_rows(then)) < len(_in_few_rows(now))
        if after <= pages and fewer and _heads_out_of_place(document, then, way) <= out_of_place:
            found, pages, now = way, after, then
    return replace(found, counted=frozenset()), pages, now


def _interrupted(document: Document, places: Places) -> frozenset[int]:
    """Give the tables that have a figure on a page between their first and their last."""
    placed = [(block, place) for block, place in zip(document.blocks, places, strict=True)]
    figures = {place.begins[0] for block, place in placed if place and isinstance(block, Figure)}
    tables = ((index, place) for index, (block, place) in enumerate(placed) if isinstance(block, Table))
    return frozenset(
        index for index, place in tables if place and figures & set(range(place.begins[0] + 1, place.ends[0]))
    )


def _in_few_rows(places: Places) -> list[int]:
    """Give the tables of which too few rows are on one of their pages."""
    return [
        index
        for index, place in enumerate(places)
        if place and len(place.rows) > 1 and min(place.rows) < FIRST_TOGETHER
    ]


def _closed(
    document: Document,
    found: Filled,
    as_found: tuple[int, Places],
    places: Callable[[Filled], tuple[int, Places]],
) -> Filled:
    """Let figures at the foot of a page float no more where room is left above them, and nothing else moves.

    One that is written on the page before stands at the head of its page then.
    """
    loose = list(_loose(document, as_found[1], found))
    written_before = {_key(document, index) for index in _written_before(document, as_found[1])}
    for keys in (frozenset().union(*loose), *loose):
        if keys & found.floats:
            way = replace(found, floats=found.floats - keys, heads=found.heads | keys & written_before)
            found = way if _same_pages(as_found, places(way)) else found
    return found


def _key(document: Document, index: int) -> str:
    return str(getattr(document.blocks[index], "key", ""))


def _loose(document: Document, places: Places, found: Filled) -> Iterator[frozenset[str]]:
    """Give the figures at the foot of each page that has room above them."""
    for page, down in _ends(places, document, found).items():
        keys = frozenset(
            block.key
            for block, place in zip(document.blocks, places, strict=True)
            if place and isinstance(block, Figure) and block.key in found.floats and place.begins[0] == page
        )
        if keys and _bottom(document, places, found, page) - APART_MM - down >= WORTH_CLOSING_MM:
            yield keys


def _written_before(document: Document, places: Places) -> Iterator[int]:
    """Give the figures that stand on a later page than what is written before them."""
    last = None
    for index, (block, place) in enumerate(zip(document.blocks, places, strict=True)):
        if place and last and isinstance(block, Figure) and last.ends[0] < place.begins[0]:
            yield index
        last = place or last


def _same_pages(before: tuple[int, Places], after: tuple[int, Places]) -> bool:
    """Tell whether every block is on the page on which it was."""
    spans = (
        [place and (place.begins[0], place.ends[0]) for place in places] for _, places in (before, after)
    )
    return before[0] == after[0] and next(spans) == next(spans)


def _in_order(
    document: Document, way: Filled, places: Callable[[Filled], tuple[int, Places]]
) -> tuple[Filled, int, Places]:
    """Set a paper; a figure at the foot of a page floats no more where a later one stands above it."""
    pages, found = places(way)
    while turned := way.floats & set(_turned(document, found)):
        way = replace(way, floats=way.floats - turned)
        pages, found = places(way)
    return way, pages, found


def _steps(document: Document, places: Places, found: Filled) -> Iterator[_Step]:
    """Give what may fill a page each, in the order of pages, for what begins the next one."""
    ends = _ends(places, document, found)
    page = 0
    for index, (block, place) in enumerate(zip(document.blocks, places, strict=True)):
        if place is None or getattr(block, "key", "") in found.floats | found.heads:
            continue
        before = place.begins[0] - 1
        if before >= page and before in ends:
            free = _bottom(document, places, found, before) - APART_MM - ends[before]
            if free >= WORTH_FILLING_MM:
                led = _led(document, index)
                yield from _filling(document, places, found, led, free - _above(document, index))
        page = place.ends[0]


def _ends(places: Places, document: Document, found: Filled) -> dict[int, float]:
    """Give how far down each page is filled, but for what floats at its foot."""
    ends: dict[int, float] = {}
    for block, place in zip(document.blocks, places, strict=True):
        if place and getattr(block, "key", "") not in found.floats:
            page, down = place.ends
            ends[page] = max(down, ends.get(page, 0.0))
    return ends


def _filling(document: Document, places: Places, found: Filled, index: int, room: float) -> Iterator[_Step]:
    """Give what may bring a block of the next page into the room that a page has left: the least first."""
    block = document.blocks[index]
    if not isinstance(block, Figure | Table | Facts):
        return
    if lower := _lower(document, places, found, index, room):
        yield _Step(index, "lower", replace(found, lowered={**found.lowered, **lower}))
    if isinstance(block, Figure):
        if block.floats:
            way = replace(found, heads=found.heads | {block.key})
            yield _Step(index, "float", way)
            then = _following(document, index, way)
            if lower := _lower_for_next(document, places, found, then, room):
                lowered = {**found.lowered, **lower}
                yield _Step(index, "float and lower", replace(way, lowered=lowered))
            if _partable(document, found, then):
                yield _Step(index, "float and part", replace(way, parted=way.parted | {then}))
    elif _partable(document, found, index) and room >= _least_room(document, index):
        yield _Step(index, "part", replace(found, parted=found.parted | {index}))


def _least_room(document: Document, index: int) -> float:
    """Give the room from which on something is parted: more for the list that ends the paper."""
    ends = index == len(document.blocks) - 1 and isinstance(document.blocks[index], Facts)
    return WORTH_PARTING_THE_END_MM if ends else 0.0


def _partable(document: Document, found: Filled, index: int) -> bool:
    ends = index == len(document.blocks) - 1
    return index not in found.parted and may_be_parted(document.blocks[index], ends=ends)


def _above(document: Document, index: int) -> float:
    """Give what is free above a block, or above the first of the headings before it."""
    above = APART_MM
    for block in reversed(document.blocks[:index]):
        if not isinstance(block, Heading):
            break
        above = max(APART_MM, HEADED_MM.get(block.level, 0.0))
    return above


def _led(document: Document, index: int) -> int:
    """Give the figure, table or list that a text at the head of a page leads to: neither parts from it."""
    for place in range(index, len(document.blocks)):
        if not _leads(document.blocks[place], document.blocks[place + 1 : place + 2]):
            return place
    return index


def _leads(block: Block, after: Sequence[Block]) -> bool:
    if isinstance(block, Facts):
        return len(block.items) <= LEADING_FACTS and isinstance((*after, None)[0], Table)
    return isinstance(block, Heading | Paragraph)


def _bottom(document: Document, places: Places, found: Filled, page: int) -> float:
    """Give where the text of a page ends: above what floats there."""
    tops = [
        place.begins[1]
        for block, place in zip(document.blocks, places, strict=True)
        if place and place.begins[0] == page and getattr(block, "key", "") in found.floats
    ]
    return min(tops, default=BOTTOM_MM + APART_MM)


def _lower(document: Document, places: Places, found: Filled, index: int, room: float) -> dict[str, float]:
    """Give how high figures are to be that make room for a block on the page before; none where they cannot
    be."""
    block, place = document.blocks[index], places[index]
    if place is None or place.ends[0] != place.begins[0]:
        return {}
    if isinstance(block, Table) and not stays_whole(block):
        return {}
    figures = _figures_on(document, places, place.begins[0] - 1)
    if isinstance(block, Figure):
        figures.append(block)
    return _sharing(document, found, figures, place.ends[1] - TOP_MM - room)


def _lower_for_next(
    document: Document, places: Places, found: Filled, index: int, room: float
) -> dict[str, float]:
    """Give how high the figures of a page are to be that make room there for the table behind a figure that
    floats; none where they cannot be."""
    place = places[index] if index < len(places) else None
    if place is None or place.ends[0] != place.begins[0] or not isinstance(document.blocks[index], Table):
        return {}
    figures = _figures_on(document, places, place.begins[0] - 1)
    return _sharing(document, found, figures, place.ends[1] - place.begins[1] - room)


def _figures_on(document: Document, places: Places, page: int) -> list[Figure]:
    return [
        block
        for block, place in zip(document.blocks, places, strict=True)
        if place and isinstance(block, Figure) and place.begins[0] == page
    ]


def _sharing(document: Document, found: Filled, figures: Sequence[Figure], need: float) -> dict[str, float]:
    """Give how high figures are that together give so much room, each by what it has to spare."""
    heights = {one.key: _heights_mm(document, one) for one in figures}
    spare = {
        key: max(0.0, found.lowered.get(key, 1.0) * height - least)
        for key, (height, least) in heights.items()
    }
    if not 0 < need <= sum(spare.values()):
        return {}
    part = need / sum(spare.values())
    return {
        key: found.lowered.get(key, 1.0) - part * spare[key] / height
        for key, (height, _) in heights.items()
        if spare[key]
    }


def _heights_mm(document: Document, figure: Figure) -> tuple[float, float]:
    height, least = plot_heights(figure, PRINT, document.language)
    return height * MM, least * MM


def _page(places: Places, index: int) -> int:
    place = places[index] if index < len(places) else None
    return place.begins[0] if place else 0


def _following(document: Document, index: int, found: Filled) -> int:
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


def _out_of_place(document: Document, places: Places, index: int) -> bool:
    """Tell whether a figure at the head of a page stands on the page on which it is written, where it could
    stand before its own heading, or after the beginning of the next section, or behind a later figure."""
    if getattr(document.blocks[index], "key", "") in _turned(document, places):
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


def _heads_out_of_place(document: Document, places: Places, found: Filled) -> set[int]:
    """Give the figures at the head of a page that are out of place."""
    heads = (index for index in range(len(document.blocks)) if _key(document, index) in found.heads)
    return {index for index in heads if _out_of_place(document, places, index)}


def _turned(document: Document, places: Places) -> list[str]:
    """Give the figures after which a later one stands first, by their keys."""
    drawn = [
        (block.key, place.begins)
        for block, place in zip(document.blocks, places, strict=True)
        if place and isinstance(block, Figure)
    ]
    return [key for (key, one), (_, next_one) in pairwise(drawn) if one > next_one]
