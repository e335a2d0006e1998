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

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from iodyno.report.document import Document, Facts, Figure, Table
from iodyno.report.layout.columns import fit
from iodyno.report.layout.parting import may_be_parted, stays_whole
from iodyno.report.layout.placed import (
    APART_MM,
    BOTTOM_MM,
    TOP_MM,
    Filled,
    Places,
    bottom_of,
    ends_of_pages,
    figures_before,
    figures_on,
    following,
    free_above,
    heads_out_of_place,
    heights_mm,
    in_few_rows,
    interrupted_tables,
    key_at,
    leads,
    led_to,
    out_of_place,
    page_of,
    same_pages,
    table_at,
    turned_figures,
)

WORTH_FILLING_MM = 40.0
"""Empty room at the end of a page from which on it is filled."""
WORTH_CLOSING_MM = 12.0
"""Empty room between a text and the figure at the foot of its page from which on the figure moves up."""
WORTH_PARTING_THE_END_MM = 50.0
"""Room for the list that ends a paper from which on it is parted: its last page is empty below it."""
LOWERED_SHARES = 0.5, 1.0
"""Shares of what charts can give that are tried where they let a table end on their page."""
MOST_PASSES = 24
"""How often a paper is set once more at most: each time fills a page, or finds that it cannot be filled."""


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
        if len(interrupted_tables(document, then)) <= len(interrupted_tables(document, now)):
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
        index = following(document, step.index, changed) if floating else step.index
        nearer = page_of(then, index) < page_of(now, index)
        if after <= pages and nearer and not (floating and out_of_place(document, then, step.index)):
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
        for index in sorted(interrupted_tables(document, now))
        if sum(fit(table_at(document, index)).heights_mm) <= BOTTOM_MM - TOP_MM
    ]
    for index in torn:
        for one in _joining(document, found, now, index):
            way, after, then = _in_order(document, one, places)
            fewer = len(interrupted_tables(document, then)) < len(interrupted_tables(document, now))
            in_place = heads_out_of_place(document, then, way) <= heads_out_of_place(document, now, found)
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
        of for page in range(place.begins[0] + 1, place.ends[0]) for of in figures_on(document, places, page)
    ]
    spare = sum(
        max(0.0, found.lowered.get(of.key, 1.0) * height - least)
        for of in figures
        for height, least in (heights_mm(document, of),)
    )
    for share in LOWERED_SHARES:
        if lower := _sharing(document, found, figures, share * spare):
            yield replace(found, lowered={**found.lowered, **lower})
    if not leads(document.blocks[index - 1], document.blocks[index : index + 1]):
        yield replace(found, begun=found.begun | {index})


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
    interrupted = interrupted_tables(document, now)
    if not interrupted:
        return found, pages, now
    found = replace(found, counted=interrupted)
    pages, now = places(found)
    out_of_place = heads_out_of_place(document, now, found)
    for index in in_few_rows(now):
        way, after, then = _in_order(document, replace(found, held=found.held | {index}), places)
        fewer = len(in_few_rows(then)) < len(in_few_rows(now))
        if after <= pages and fewer and heads_out_of_place(document, then, way) <= out_of_place:
            found, pages, now = way, after, then
    return replace(found, counted=frozenset()), pages, now


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
    written_before = {key_at(document, index) for index in figures_before(document, as_found[1])}
    for keys in (frozenset().union(*loose), *loose):
        if keys & found.floats:
            way = replace(found, floats=found.floats - keys, heads=found.heads | keys & written_before)
            found = way if same_pages(as_found, places(way)) else found
    return found


def _loose(document: Document, places: Places, found: Filled) -> Iterator[frozenset[str]]:
    """Give the figures at the foot of each page that has room above them, or nothing else."""
    ends = ends_of_pages(places, document, found)
    for page in range(1, max((place.ends[0] for place in places if place), default=0) + 1):
        keys = frozenset(
            block.key
            for block, place in zip(document.blocks, places, strict=True)
            if place and isinstance(block, Figure) and block.key in found.floats and place.begins[0] == page
        )
        down = ends.get(page, TOP_MM - APART_MM)
        if keys and bottom_of(document, places, found, page) - APART_MM - down >= WORTH_CLOSING_MM:
            yield keys


def _in_order(
    document: Document, way: Filled, places: Callable[[Filled], tuple[int, Places]]
) -> tuple[Filled, int, Places]:
    """Set a paper; a figure at the foot of a page floats no more where a later one stands above it."""
    pages, found = places(way)
    while turned := way.floats & set(turned_figures(document, found)):
        way = replace(way, floats=way.floats - turned)
        pages, found = places(way)
    return way, pages, found


def _steps(document: Document, places: Places, found: Filled) -> Iterator[_Step]:
    """Give what may fill a page each, in the order of pages, for what begins the next one."""
    ends = ends_of_pages(places, document, found)
    page = 0
    for index, (block, place) in enumerate(zip(document.blocks, places, strict=True)):
        if place is None or getattr(block, "key", "") in found.floats | found.heads:
            continue
        before = place.begins[0] - 1
        if before >= page and before in ends:
            free = bottom_of(document, places, found, before) - APART_MM - ends[before]
            if free >= WORTH_FILLING_MM:
                led = led_to(document, index)
                yield from _filling(document, places, found, led, free - free_above(document, index))
        page = place.ends[0]


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
            then = following(document, index, way)
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


def _lower(document: Document, places: Places, found: Filled, index: int, room: float) -> dict[str, float]:
    """Give how high figures are to be that make room for a block on the page before; none where they cannot
    be."""
    block, place = document.blocks[index], places[index]
    if place is None or place.ends[0] != place.begins[0]:
        return {}
    if isinstance(block, Table) and not stays_whole(block):
        return {}
    figures = figures_on(document, places, place.begins[0] - 1)
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
    figures = figures_on(document, places, place.begins[0] - 1)
    return _sharing(document, found, figures, place.ends[1] - place.begins[1] - room)


def _sharing(document: Document, found: Filled, figures: Sequence[Figure], need: float) -> dict[str, float]:
    """Give how high figures are that together give so much room, each by what it has to spare."""
    heights = {one.key: heights_mm(document, one) for one in figures}
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
