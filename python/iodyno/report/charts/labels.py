"""Places for labels where they hide nothing and do not meet."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from iodyno.report.layout.breaking import keep_units
from iodyno.report.layout.metrics import text_width, wrap

_BOUNDARY = re.compile(r".*[\s/:_.,-]")


@dataclass(frozen=True)
class Box:
    """A rectangle in a drawing, y downwards."""

    left: float
    top: float
    right: float
    bottom: float

    def meets(self, other: Box) -> bool:
        """Say whether two boxes share an area."""
        return (
            self.left < other.right
            and other.left < self.right
            and self.top < other.bottom
            and other.top < self.bottom
        )

    def grown(self, by: float) -> Box:
        """Give the box with this much room around it."""
        return Box(self.left - by, self.top - by, self.right + by, self.bottom + by)

    def distance(self, x: float, y: float) -> float:
        """Give how far a point is from the box."""
        across = max(self.left - x, 0.0, x - self.right)
        return math.hypot(across, max(self.top - y, 0.0, y - self.bottom))

    def holds(self, other: Box) -> bool:
        """Say whether the other box lies inside."""
        return (
            self.left <= other.left
            and self.top <= other.top
            and other.right <= self.right
            and other.bottom <= self.bottom
        )


def text_box(text: str, x: float, baseline: float, size: float, *, anchor: str = "start") -> Box:
    """Estimate the box of a line of text."""
    width = text_width(text, size)
    left = x - {"start": 0.0, "middle": width / 2, "end": width}[anchor]
    return Box(left, baseline - 0.78 * size, left + width, baseline + 0.22 * size)


def around(x: float, y: float, radius: float) -> Box:
    """The box around a marker."""
    return Box(x - radius, y - radius, x + radius, y + radius)


@dataclass(frozen=True)
class Placed:
    """A label and where it goes."""

    text: str
    x: float
    baseline: float
    anchor: str


# Directions to try, the best first: step in x, step in y, anchor.
_DIRECTIONS = (
    (0, -1, "middle"),
    (1, -0.7, "start"),
    (-1, -0.7, "end"),
    (1, 0, "start"),
    (-1, 0, "end"),
    (0, 1, "middle"),
    (1, 0.7, "start"),
    (-1, 0.7, "end"),
)

_ACROSS, _DOWN = 8, 4
"""Steps in which a place is looked for that is further off."""

_DISTANCES = (7.0, 13.0, 21.0)
"""From the middle of a marker; a further one where the nearer has no room, or a line goes through it."""


CLEAR = 1.4
"""Room between a label and a line or marker: nearer than that it seems to touch."""


def place_beside(
    points: Sequence[tuple[float, float, str]],
    area: Box,
    markers: Iterable[Box],
    strokes: Sequence[Box],
    size: float,
    taken: list[Box],
) -> list[Placed]:
    """Place a label beside each point.

    Parameters
    ----------
    points
        Place and text of each label.
    area
        No label leaves it.
    markers
        What no label may hide.
    strokes
        What a label should rather not hide: parts of lines.
    size
        Size of the font.
    taken
        Boxes of labels that are there; those placed are added.

    Returns
    -------
    list of Placed
        A label that finds no place is left out. The first and the last point have the first choice.
    """
    solid = list(markers)
    order = sorted(range(len(points)), key=lambda index: index not in (0, len(points) - 1))
    placed: dict[int, Placed] = {}
    for index in order:
        best = _best(points[index], area, [*solid, *taken], strokes, size, alone=len(points) == 1)
        if best:
            placed[index] = best[0]
            taken.append(best[1])
    return [placed[index] for index in sorted(placed)]


def _best(
    point: tuple[float, float, str],
    area: Box,
    solid: Sequence[Box],
    strokes: Sequence[Box],
    size: float,
    *,
    alone: bool,
) -> tuple[Placed, Box] | None:
    """Find a place: one clear of everything, for a label that stands alone further off too; else the one that
    hides least of the lines, and is near least."""
    free: list[tuple[tuple[int, int], Placed, Box]] = []
    for candidate in (one for distance in _DISTANCES for one in _candidates(*point, size, distance)):
        box = text_box(candidate.text, candidate.x, candidate.baseline, size, anchor=candidate.anchor)
        if area.holds(box) and not any(box.meets(other) for other in solid):
            hidden, near = sum(map(box.meets, strokes)), sum(map(box.grown(CLEAR).meets, [*solid, *strokes]))
            if not near:
                return candidate, box
            free.append(((hidden, near), candidate, box))
    if alone and (found := _further(point, area, [*solid, *strokes], size)):
        return found
    if not free:
        return None
    _, label, box = min(free, key=lambda entry: entry[0])
    return label, box


def _further(
    point: tuple[float, float, str], area: Box, solid: Sequence[Box], size: float
) -> tuple[Placed, Box] | None:
    """Find the place nearest to a point where a label is clear of everything."""
    x, y, text = point
    width = text_width(text, size)
    across = range(math.ceil(area.left), math.floor(area.right - width) + 1, _ACROSS)
    down = range(math.ceil(area.top + size), math.floor(area.bottom), _DOWN)
    places = [Placed(text, left, baseline, "start") for left in across for baseline in down]
    boxes = [(place, text_box(text, place.x, place.baseline, size)) for place in places]
    boxes.sort(key=lambda pair: pair[1].distance(x, y))
    return next(
        (pair for pair in boxes if area.holds(pair[1]) and not any(map(pair[1].grown(CLEAR).meets, solid))),
        None,
    )


def _candidates(x: float, y: float, text: str, size: float, distance: float) -> list[Placed]:
    middle = 0.28 * size
    return [
        Placed(text, x + dx * distance, y + middle + dy * (distance + 0.42 * size), anchor)
        for dx, dy, anchor in _DIRECTIONS
    ]


def set_apart(names: Sequence[str], size: float, width: float, lines: int) -> list[tuple[str, ...]]:
    """Break names into lines of a width; those too long are shortened so that they stay apart.

    First what all names begin with is left out, then the middle of those that are still too long.

    Parameters
    ----------
    names
        Names that stand in one column.
    size
        Size of the font.
    width
        Width of the column, in the unit of ``size``.
    lines
        The most lines of a name.

    Returns
    -------
    list of tuple of str
        The lines of each name; ``…`` stands for what is left out.

    Examples
    --------
    >>> set_apart(["a-very-long-name-1", "a-very-long-name-2"], 10, 60, 1)
    [('…1',), ('…2',)]
    """

    def fits(text: str) -> bool:
        broken = wrap(keep_units(text), size, width, lines=lines)
        return "".join("".join(broken).split()) == "".join(text.split())

    shown = list(names)
    if not all(map(fits, shown)):
        start = _common_start(names)
        shown = [f"…{name[start:]}" if start else name for name in names]
    found = [text if fits(text) else _without_middle(text, fits) for text in shown]
    alike: dict[str, set[str]] = {}
    for name, text in zip(names, found, strict=True):
        alike.setdefault(text, set()).add(name)
    kept = [
        text if len(alike[text]) == 1 else f"…{name[_same(alike[text]) :]}"
        for name, text in zip(names, found, strict=True)
    ]
    return [wrap(keep_units(text), size, width, lines=lines) for text in kept]


def _same(names: Iterable[str]) -> int:
    """How many characters all names begin with."""
    return next((at for at, found in enumerate(zip(*names, strict=False)) if len(set(found)) > 1), 0)


def _common_start(names: Sequence[str]) -> int:
    """How many characters all names begin with, up to the end of a word."""
    found = _BOUNDARY.match(names[0][: _same(names)]) if names else None
    return found.end() if found else 0


def _without_middle(text: str, fits: Callable[[str], bool]) -> str:
    """Leave out as little as needed; the end, on which most names differ, keeps more than the beginning."""
    for kept in range(len(text) - 1, 1, -1):
        shorter = f"{text[: kept // 3].rstrip()}…{text[len(text) - kept + kept // 3 :].lstrip()}"
        if fits(shorter):
            return shorter
    return text
