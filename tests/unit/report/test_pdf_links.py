"""The PDF's bookmarks are its headings, and every link lands where the text says."""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Iterator
from dataclasses import replace
from html import unescape
from pathlib import Path

import pytest

import shelf as papers
from iodyno.report import pdf
from iodyno.report.document import (
    Block,
    Bullets,
    Callout,
    Document,
    Facts,
    Figure,
    Heading,
    Link,
    Paragraph,
    Table,
    Text,
)
from iodyno.report.layout.outline import outline, parts, with_numbers
from pdf_objects import PdfLink, PdfObjects, Place
from sample_document import PROSE, RATE_AND_LATENCY, sample_document
from shelf import KINDS, Shelf, joined

CONTENTS = {"en": "Contents", "de": "Inhalt", "ja": "目次"}
BOOKMARK = re.compile(r'<item page="(\d+)">(.*?)</item>|<(/?)outline>')
ROOM_PT = 10.0
"""How far a heading's destination may be above its letters, which have their own room above them."""


def bookmarks(said: str) -> Iterator[tuple[int, int, str]]:
    """Yield level, page and text of each bookmark, as ``pdftohtml -xml`` writes them."""
    level = 0
    for page, text, closing in BOOKMARK.findall(said[said.index("<outline>") :]):
        if page:
            yield level, int(page), unescape(text)
        else:
            level += -1 if closing else 1


def texts(document: Document) -> Iterator[Text]:
    """Yield the texts that are printed, in order."""
    yield document.title_page.remark
    for block in document.blocks:
        if isinstance(block, Paragraph | Callout):
            yield block.text
        elif isinstance(block, Bullets):
            yield from block.items
        elif isinstance(block, Facts):
            yield from (value for _, value in block.items)
        elif isinstance(block, Table) and block.printed:
            yield from (cell.text for row in block.rows for cell in row)
            yield from block.notes


def links(document: Document) -> list[Link]:
    """List the links that are printed, in order."""
    return [part for text in texts(document) for part in parts(text) if isinstance(part, Link)]


@pytest.mark.parametrize("kind", KINDS)
def test_bookmarks_are_the_headings(kind: str, shelf: Shelf) -> None:
    places = PdfObjects(shelf.pdf(kind)).places
    found = list(bookmarks(shelf.said(kind, "pdftohtml", "-xml", "-i")))
    expected = [
        (entry.level, places[entry.key].page, joined(entry.number + entry.text))
        for entry in outline(papers.document(kind)).headings
    ]
    assert [(level, page, joined(text)) for level, page, text in found] == expected


@pytest.mark.parametrize("kind", KINDS)
def test_contents_list_every_heading_with_its_page(kind: str, shelf: Shelf) -> None:
    objects, document = PdfObjects(shelf.pdf(kind)), papers.document(kind)
    first = min(place.page for place in objects.places.values())
    pages = shelf.said(kind, "pdftotext", "-layout").split("\f")
    assert joined(CONTENTS[document.language]) in joined(pages[1])
    listed = "".join(map(joined, pages[1 : first - 1]))
    at = 0
    for entry in outline(document).headings:
        line = re.compile(
            re.escape(joined(entry.number + entry.text)) + rf"\.+{objects.places[entry.key].page}(?!\d\.*$)"
        )
        found = line.search(listed, at)
        assert found, entry
        at = found.end()
    of_contents = [link for link in objects.links if link.page < first]
    assert [link.place for link in of_contents] == [
        objects.places[entry.key] for entry in outline(document).headings
    ]


@pytest.mark.parametrize("kind", KINDS)
def test_every_link_lands_on_what_it_names(kind: str, shelf: Shelf) -> None:
    document = with_numbers(papers.document(kind))
    objects, found = PdfObjects(shelf.pdf(kind)), outline(document)
    first = min(place.page for place in objects.places.values())
    printed = [link for link in objects.links if link.page >= first]
    expected = links(document)
    assert len(printed) == len(expected)
    if document.language != "ja":  # there a line is one word to pdftotext
        said = [joined(text) for text in linked(kind, printed, shelf)]
        assert said == [joined(link.text) for link in expected]
    captions = {block.key: block.caption for block in document.blocks if isinstance(block, Figure | Table)}
    headings = {block.key: block for block in document.blocks if isinstance(block, Heading)}
    pages = [joined(page) for page in shelf.said(kind, "pdftotext").split("\f")]
    for link, made in zip(expected, printed, strict=True):
        if link.key in headings:
            entry = found.heading(link.key)
            assert made.place == objects.places[link.key]
            named = joined(entry.number + entry.text)
        else:
            label, numbers = (
                (document.labels.figure, found.figures)
                if link.key in found.figures
                else (document.labels.table, found.tables)
            )
            named = joined(f"{label}{numbers[link.key]}{captions[link.key]}")
        assert named in pages[made.place.page - 1], link


def linked(kind: str, made: list[PdfLink], shelf: Shelf) -> list[str]:
    """Read what stands inside the edges of links."""
    said = shelf.said(kind, "pdftotext", "-bbox")
    words = [
        (page, float(left), float(top), float(right), float(bottom), unescape(text))
        for page, content in enumerate(said.split("<page ")[1:], start=1)
        for left, top, right, bottom, text in WORD.findall(content)
    ]
    heights = [float(height) for height in re.findall(r'<page width="[\d.]+" height="([\d.]+)"', said)]
    return [
        "".join(
            text
            for page, left, top, right, bottom, text in words
            if page == link.page and covered(link, (left + right) / 2, heights[page - 1] - (top + bottom) / 2)
        ).rstrip(".,;。、）)")
        for link in made
    ]


def covered(link: PdfLink, across: float, up: float) -> bool:
    """Say whether a point is in one of the areas of a link."""
    return any(left <= across <= right and low <= up <= high for left, low, right, high in link.areas)


WORD = re.compile(r'<word xMin="([-\d.]+)" yMin="([-\d.]+)" xMax="([-\d.]+)" yMax="([-\d.]+)">(.*?)</word>')


@pytest.mark.skipif(shutil.which("pdftotext") is None, reason="pdftotext (poppler-utils) is not installed")
@pytest.mark.parametrize("floats", [False, True])
def test_a_link_to_a_figure_lands_where_it_stands_and_not_where_it_is_written(
    floats: bool, tmp_path: Path
) -> None:
    """Between paragraphs in all amounts some figures find no room any more: they move to another page."""
    figures = [
        replace(RATE_AND_LATENCY, key=f"figure-{n}", caption=f"The curve number {n}", floats=floats)
        for n in range(12)
    ]
    blocks: list[Block] = []
    for n, figure in enumerate(figures):
        blocks += [Heading(1, f"Part {n}", f"part-{n}"), *[Paragraph(PROSE)] * (1 + n * 5 % 7)]
        blocks += [
            Paragraph(("See ", Link(figure.key, figure.key), ".")),
            figure,
            *[Paragraph(PROSE)] * (n % 3),
        ]
    document = replace(sample_document(), blocks=tuple(blocks))
    (tmp_path / "moved.pdf").write_bytes(pdf.render(document))
    objects = PdfObjects((tmp_path / "moved.pdf").read_bytes())
    first = min(place.page for place in objects.places.values())
    printed = [link for link in objects.links if link.page >= first]
    pages = subprocess.run(
        ["pdftotext", "moved.pdf", "-"], cwd=tmp_path, check=True, capture_output=True, text=True
    ).stdout.split("\f")
    stands = [
        next(number for number, page in enumerate(pages, 1) if joined(figure.caption) in joined(page))
        for figure in figures
    ]
    assert [link.place.page for link in printed] == stands
    assert [link.page for link in printed] != stands  # some have moved


@pytest.mark.parametrize("kind", KINDS)
def test_a_heading_is_where_its_destination_is(kind: str, shelf: Shelf) -> None:
    objects = PdfObjects(shelf.pdf(kind))
    said = shelf.said(kind, "pdftotext", "-bbox").split("<page ")[1:]
    for entry in outline(papers.document(kind)).headings:
        place: Place = objects.places[entry.key]
        content = said[place.page - 1]
        height = float(content.split('height="')[1].split('"')[0])
        tops = [
            float(top)
            for left, top, _, _, text in WORD.findall(content)
            if text == entry.number and float(left) < place.left + 1
        ]
        assert any(-ROOM_PT <= top - (height - place.up) <= ROOM_PT for top in tops), (entry, place, tops)


@pytest.mark.parametrize("kind", KINDS)
def test_no_link_leads_out_of_the_paper(kind: str, shelf: Shelf) -> None:
    assert shelf.said(kind, "pdfinfo", "-url").split() == ["Page", "Type", "URL"]
    assert PdfObjects(shelf.pdf(kind)).links
