"""What a reader who does not see hears of the PDF: every text in its order, each thing as what it is."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

import shelf as papers
from iodyno.report.document import (
    Bullets,
    Callout,
    Code,
    CodeBlock,
    Document,
    Facts,
    Figure,
    Heading,
    Inline,
    Paragraph,
    Text,
)
from iodyno.report.layout.breaking import continued
from iodyno.report.layout.outline import outline, parts, with_numbers
from iodyno.report.pdf import COMMAND, FACT_COMMAND
from shelf import KINDS, Shelf, joined


def plain(text: Text) -> str:
    """Read a text with its inline parts, a command as it is broken for a shell."""
    return joined("".join(map(written, parts(text))))


def written(part: Inline) -> str:
    if isinstance(part, Code) and part.command:
        return continued(part.text, FACT_COMMAND)
    return part if isinstance(part, str) else part.text


def in_order(document: Document) -> Iterator[str]:
    """Yield what is printed after the contents, in order; a figure that floats has no place."""
    found, labels = outline(document), document.labels
    for block in document.blocks:
        if isinstance(block, Heading):
            entry = found.heading(block.key)
            yield joined(entry.number + entry.text)
        elif isinstance(block, Paragraph | Callout):
            yield plain(block.text)
        elif isinstance(block, Bullets):
            yield from map(plain, block.items)
        elif isinstance(block, CodeBlock):
            yield joined(continued(block.text, COMMAND) if block.command else block.text)
        elif isinstance(block, Facts):
            for name, value in block.items:
                yield joined(name) + plain(value)
        elif isinstance(block, Figure):
            if not block.floats:
                yield joined(f"{labels.figure}{found.figures[block.key]}{block.caption}")
        elif block.printed:
            yield joined(f"{labels.table}{found.tables[block.key]}{block.caption}")
            yield "".join(joined(column.title + column.unit) for column in block.columns)
            for row in block.rows:
                yield "".join(plain(cell.text) for cell in row)
            yield from map(plain, block.notes)


def first_out_of_order(document: Document, read: str) -> str:
    """Find the first text that does not come after the one before it; empty where all do."""
    at = 0
    for text in in_order(document):
        place = read.find(text, at)
        if place < 0:
            return text
        at = place + len(text)
    return ""


@pytest.mark.parametrize("kind", KINDS)
def test_texts_are_read_in_the_order_of_the_document_and_tables_row_by_row(kind: str, shelf: Shelf) -> None:
    document = with_numbers(papers.document(kind))
    pages = shelf.said(kind, "pdftotext", "-raw").split("\f")[2:]
    foot = joined(document.footer)
    read = "".join(joined(page).rpartition(foot)[0] for page in pages)
    assert first_out_of_order(document, read) == ""
    captions = [block.caption for block in document.blocks if isinstance(block, Figure) and block.floats]
    assert [caption for caption in captions if joined(caption) not in read] == []


@pytest.mark.parametrize("kind", KINDS)
def test_every_paper_keeps_the_standards_for_readers_and_archives(kind: str, shelf: Shelf) -> None:
    data = shelf.pdf(kind)
    assert b"<pdfuaid:part>1</pdfuaid:part>" in data
    assert b"<pdfaid:part>3</pdfaid:part>" in data
    assert b"<pdfaid:conformance>A</pdfaid:conformance>" in data
