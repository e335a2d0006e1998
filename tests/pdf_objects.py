"""Links and their destinations in a PDF that typst wrote: its objects are plain text but for the streams."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

_OBJECT = re.compile(rb"(?:^|\n)(\d+) 0 obj\n(.*?)\nendobj", re.DOTALL)
_REFERENCE = re.compile(rb"(\d+) 0 R")
_NAMED = re.compile(rb"\(((?:[^()\\]|\\.)*)\)\s*(\d+) 0 R")
_PLACE = re.compile(rb"\[(\d+) 0 R\s*/XYZ ([-\d.]+) ([-\d.]+)")


@dataclass(frozen=True)
class Place:
    """Where something is: page from 1, points from the left and from the bottom."""

    page: int
    left: float
    up: float


@dataclass(frozen=True)
class PdfLink:
    """A link: its page, the areas that it covers, where it leads."""

    page: int
    areas: tuple[tuple[float, float, float, float], ...]
    """Left, lower, right and upper edge in points; one for each piece of its text."""
    place: Place


class PdfObjects:
    """What a PDF says of its pages, links and destinations."""

    def __init__(self, data: bytes) -> None:
        self._objects = {int(number): text for number, text in _OBJECT.findall(data)}
        root = next(text for text in self._objects.values() if b"/Type/Catalog" in text)
        tree = re.search(rb"/Pages (\d+) 0 R", root)
        assert tree, "a PDF without pages"
        self._pages = {number: place for place, number in enumerate(self._leaves(int(tree[1])), start=1)}
        self.places = self._find_places()
        self.links = [
            self._link(note, place) for page, place in self._pages.items() for note in self._notes(page)
        ]

    def _leaves(self, number: int) -> list[int]:
        kids = re.search(rb"/Kids\s*\[([^\]]*)\]", self._objects[number])
        if not kids:
            return [number]
        return [leaf for kid in _REFERENCE.findall(kids[1]) for leaf in self._leaves(int(kid))]

    def _find_places(self) -> dict[str, Place]:
        found = {}
        for text in self._objects.values():
            for name, number in _NAMED.findall(text):
                place = self._place(int(number))
                if place:
                    found[name.decode()] = place
        return found

    def _place(self, number: int) -> Place | None:
        found = _PLACE.match(self._objects.get(number, b""))
        return Place(self._pages[int(found[1])], float(found[2]), float(found[3])) if found else None

    def _notes(self, page: int) -> list[int]:
        listed = re.search(rb"/Annots\s*\[([^\]]*)\]", self._objects[page])
        return [int(number) for number in _REFERENCE.findall(listed[1])] if listed else []

    def _link(self, number: int, page: int) -> PdfLink:
        text = self._objects[number]
        leads = re.search(rb"/Dest\s*(?:\(((?:[^()\\]|\\.)*)\)|(\d+) 0 R)", text)
        assert leads, f"a link that leads out of the paper, or nowhere: {text!r}"
        place = self.places[leads[1].decode()] if leads[1] else self._place(int(leads[2]))
        assert place, f"a link to no place: {text!r}"
        return PdfLink(page, tuple(_areas(text)), place)


def _areas(text: bytes) -> Iterator[tuple[float, float, float, float]]:
    """Yield the areas of a link: its quadrilaterals, or its one rectangle."""
    corners = re.search(rb"/(?:QuadPoints|Rect)\s*\[([^\]]*)\]", text[max(0, text.find(b"/QuadPoints")) :])
    assert corners, text
    numbers = [float(number) for number in corners[1].split()]
    size = 4 if len(numbers) == 4 else 8
    for start in range(0, len(numbers), size):
        across, up = numbers[start : start + size : 2], numbers[start + 1 : start + size : 2]
        yield min(across), min(up), max(across), max(up)
