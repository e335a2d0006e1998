"""Rows of many systems with the same cells: one for all of them, named by what they alone have in common."""

from __future__ import annotations

import itertools
from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace

from iodyno.report.context import Context
from iodyno.report.document import Cell, Column
from iodyno.report.matrix_rows import MOST_APART
from iodyno.report.messages import plain
from iodyno.report.shared_words import taken_apart

MOST_AXES = 2
"""In how many of their pieces the names of a row can differ."""
MOST_LETTERS = 90
"""Letters of a name of several systems: more are no name but a list."""


def in_common(names: Sequence[str], of: Sequence[int]) -> list[tuple[str, tuple[int, ...]]]:
    """Name several of many things by what they alone have in common.

    Names are taken apart at commas and colons. What all of the several have stays; where they differ all that
    they have stands with slashes between, or nothing, where the others are told from them without it. A name
    is one only where it fits none of the others. Where they have no such name they are parted by one of their
    pieces, into as few as can be; what has no name then stands alone.

    Parameters
    ----------
    names
        What all of the things are called.
    of
        Places of the several among the names.

    Returns
    -------
    list
        Names, and the places that each holds for; every place of the several once.

    Examples
    --------
    >>> names = ["a: 2 SSDs, RAID 0", "b: 2 SSDs, RAID 0", "b: 2 SSDs, RAID 5", "b: 4 SSDs, RAID 5"]
    >>> in_common(names, (0, 1)), in_common(names, (0, 1, 2))
    ([('2 SSDs, RAID 0', (0, 1))], [('2 SSDs', (0, 1, 2))])
    >>> in_common([*names, "c: 2 SSDs, RAID 0"], (0, 1))
    [('a / b: 2 SSDs, RAID 0', (0, 1))]
    """
    parts = [taken_apart(name) for name in names]
    if name := _named(parts, of):
        return [(name, tuple(of))]
    ways = [
        list(_parted(names, parts, of, place)) for place in range(max(len(parts[one][::2]) for one in of))
    ]
    alone: list[tuple[str, tuple[int, ...]]] = [(names[one], (one,)) for one in of]
    return min((*ways, alone), key=len)


def _parted(
    names: Sequence[str], parts: Sequence[Sequence[str]], of: Sequence[int], place: int
) -> Iterator[tuple[str, tuple[int, ...]]]:
    """Part things by a piece of their names."""
    groups: dict[str, list[int]] = {}
    for one in of:
        groups.setdefault(_piece(parts[one], place), []).append(one)
    for those in groups.values():
        name = _named(parts, those)
        if name:
            yield name, tuple(those)
        else:
            yield from ((names[one], (one,)) for one in those)


def _piece(parts: Sequence[str], place: int) -> str:
    return parts[2 * place] if 2 * place < len(parts) else ""


def _named(parts: Sequence[Sequence[str]], of: Sequence[int]) -> str:
    """Name things by what they alone have; empty where nothing does."""
    if len(of) == 1:
        return "".join(parts[of[0]])
    pieces = [set(each[::2]) for each in parts]
    shared = set.intersection(*(pieces[one] for one in of))
    differ = {
        place: tuple(dict.fromkeys(_piece(parts[one], place) for one in of))
        for place, piece in enumerate(parts[of[0]][::2])
        if piece not in shared
    }
    axes = {place: values for place, values in differ.items() if "" not in values}
    for count in range(MOST_AXES + 1):
        for chosen in itertools.combinations(axes, count):
            ways = [axes[place] for place in chosen]
            if _fitting(pieces, shared, ways) == set(of):
                name = _written(parts[of[0]], shared, {place: axes[place] for place in chosen})
                return name if len(name) <= MOST_LETTERS else ""
    return ""


def _fitting(
    pieces: Sequence[Collection[str]], shared: Collection[str], ways: Sequence[Sequence[str]]
) -> set[int]:
    """Give the places of all things that have what is shared, and of each list at least one."""
    return {
        place
        for place, those in enumerate(pieces)
        if all(piece in those for piece in shared) and all(any(one in those for one in way) for way in ways)
    }


def _written(first: Sequence[str], shared: Collection[str], axes: dict[int, tuple[str, ...]]) -> str:
    """Write the name of several as the first of them is written."""
    name, between = "", ""
    for place, piece in enumerate(first[::2]):
        if piece in shared or place in axes:
            name += between + " / ".join(axes.get(place, (piece,)))
            between = "".join(first[2 * place + 1 : 2 * place + 2])
    return name


def counted_columns(context: Context, systems: int) -> tuple[Column, ...]:
    """Give the column of how many systems a row holds for, where rows hold for several."""
    return (Column(context.messages.say("Systems"), "right"),) if systems > MOST_APART else ()


def rows_of(
    context: Context, names: Sequence[str], cells: Sequence[tuple[Cell, ...]], of: Sequence[int]
) -> list[tuple[Cell, ...]]:
    """Give the rows of systems, of many of them those with the same cells as one that counts them.

    A cell that says what the name says too, as its controller, keeps no systems apart: all that they have
    stands in it, with slashes between.

    Parameters
    ----------
    context
        The paper.
    names
        What all systems of the table are called.
    cells
        The cells of each beside its name.
    of
        Places of the systems whose rows these are; the names hold among all.
    """
    if len(names) <= MOST_APART:
        return [(Cell(names[place], strong=True), *cells[place]) for place in of]
    alike: dict[tuple[Cell | None, ...], list[int]] = {}
    for place in of:
        said = taken_apart(names[place])
        key = tuple(None if cell.text in said else cell for cell in cells[place])
        alike.setdefault(key, []).append(place)
    found = [row for those in alike.values() for row in in_common(names, those)]
    return [
        (
            Cell(name, strong=True),
            *(_joined(column) for column in zip(*(cells[place] for place in places), strict=True)),
            Cell(context.numbers.integer(len(places))),
        )
        for name, places in sorted(found, key=lambda row: row[1][0])
    ]


def _joined(column: Sequence[Cell]) -> Cell:
    """Write the cells of several systems as one: each text once, and none of them broken."""
    texts = tuple(dict.fromkeys(plain(cell.text) for cell in column))
    if len(texts) == 1:
        return column[0]
    return replace(column[0], text=" / ".join(text.replace(" ", "\u00a0") for text in texts))


def note(context: Context, systems: int) -> tuple[str, ...]:
    """Say what a row of several systems holds for; nothing where each system has its own."""
    if systems <= MOST_APART:
        return ()
    return (
        context.messages.say(
            "A row holds for every system of this paper that has all that the row names, and one of what "
            "slashes separate."
        ),
    )
