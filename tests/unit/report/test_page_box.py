"""No word of a PDF stands in its margin, off its page or on another word; links of the page lead there."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

import pytest

import shelf as papers
from iodyno.report.document import Heading
from shelf import KINDS, Shelf

MARGIN_PT = 20 / 25.4 * 72 - 5.0
"""Least room beside a word: the margin, less the empty half of a wide bracket that begins a line."""
LETTERS = (0.22, 0.82)
"""Where letters stand between the upper and the lower edge of their line, as shares of its height."""
LEAST_PT = 0.7
"""What two words may share by rounding."""
HALF_A_SIGN = 0.6
"""What a Japanese bracket or full stop gives away of its width, which is empty, beside another."""
WIDE_SIGN = re.compile("[\u3001-\u3015\u30fb\uff01-\uff5e]")
PAGE = re.compile(r'<page width="([\d.]+)" height="([\d.]+)">(.*?)</page>', re.DOTALL)
WORD = re.compile(r'<word xMin="([-\d.]+)" yMin="([-\d.]+)" xMax="([-\d.]+)" yMax="([-\d.]+)">(.*?)</word>')


class Word(NamedTuple):
    """A word and its edges in points, from the upper left corner."""

    left: float
    top: float
    right: float
    bottom: float
    text: str

    def meets(self, other: Word) -> bool:
        """Say whether the letters of two words stand on each other."""
        first, second = sorted((self, other), key=lambda word: word.left)
        trimmed = WIDE_SIGN.match(first.text[-1]) or WIDE_SIGN.match(second.text[0])
        least = (self.bottom - self.top) * HALF_A_SIGN if trimmed else LEAST_PT
        across = min(self.right, other.right) - second.left
        return across > least and min(self.feet, other.feet) - max(self.head, other.head) > LEAST_PT

    @property
    def head(self) -> float:
        """Upper edge of small letters."""
        return self.top + LETTERS[0] * (self.bottom - self.top)

    @property
    def feet(self) -> float:
        """Line that letters stand on."""
        return self.top + LETTERS[1] * (self.bottom - self.top)


def pages(kind: str, shelf: Shelf) -> list[tuple[float, float, list[Word]]]:
    """Give width, height and words of each page."""
    found = PAGE.findall(shelf.said(kind, "pdftotext", "-bbox"))
    assert found, "pdftotext gave no pages"
    return [
        (
            float(width),
            float(height),
            [
                Word(float(left), float(top), float(right), float(bottom), text)
                for left, top, right, bottom, text in WORD.findall(words)
            ],
        )
        for width, height, words in found
    ]


def near(words: list[Word]) -> Iterator[tuple[Word, Word]]:
    """Yield words that are on one height, in pairs."""
    ordered = sorted(words, key=lambda word: word.top)
    for place, one in enumerate(ordered):
        for other in ordered[place + 1 :]:
            if other.top >= one.bottom:
                break
            yield one, other


@pytest.mark.parametrize("kind", KINDS)
def test_no_word_leaves_the_text_of_its_page(kind: str, shelf: Shelf) -> None:
    outside = [
        f"page {number}: {word}"
        for number, (width, height, words) in enumerate(pages(kind, shelf), start=1)
        for word in words
        if word.left < MARGIN_PT or word.right > width - MARGIN_PT or word.top < 0 or word.bottom > height
    ]
    assert outside == []


@pytest.mark.parametrize("kind", KINDS)
def test_no_word_stands_on_another(kind: str, shelf: Shelf) -> None:
    over = [
        f"page {number}: {one} and {other}"
        for number, (_, _, words) in enumerate(pages(kind, shelf), start=1)
        for one, other in near(words)
        if one.meets(other)
    ]
    assert over == []


@pytest.mark.parametrize("kind", KINDS)
def test_every_link_of_the_page_leads_to_a_block(kind: str) -> None:
    page = papers.page(kind)
    idents = re.findall(r'\bid="([^"]+)"', page)
    assert len(idents) == len(set(idents))
    linked = set(re.findall(r'href="#([^"]+)"', page))
    assert linked & {block.key for block in papers.document(kind).blocks if isinstance(block, Heading)}
    assert linked <= set(idents)
