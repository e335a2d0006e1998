"""The numbers of headings, figures and tables, the same in every rendering."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from iodyno.report.document import (
    Block,
    Bullets,
    Callout,
    Document,
    Facts,
    Figure,
    Heading,
    Inline,
    Link,
    Paragraph,
    Table,
    Text,
)

NO_BREAK = "\N{NO-BREAK SPACE}"
WHOLE_ROWS = 12
"""Tables of up to so many rows are not broken across pages."""


@dataclass(frozen=True)
class Entry:
    """A heading as the contents list it."""

    number: str
    level: int
    text: str
    key: str


@dataclass(frozen=True)
class Outline:
    """What is numbered in a document."""

    headings: tuple[Entry, ...]
    figures: dict[str, int]
    tables: dict[str, int]

    def heading(self, key: str) -> Entry:
        """Find the entry of a heading."""
        return next(entry for entry in self.headings if entry.key == key)


def outline(document: Document) -> Outline:
    """Number a document.

    A heading that leaves out a level comes one level below the one before.

    Parameters
    ----------
    document
        Its keys must be unique, and each link must lead to one of them; a document that breaks this
        is a mistake of whoever built it.

    Returns
    -------
    Outline
        Headings in order, the numbers of figures and tables by key.
    """
    _check(document)
    return Outline(
        headings=tuple(_headings(document)),
        figures=_numbered(document, Figure),
        tables=_numbered(document, Table),
    )


def _headings(document: Document) -> Iterator[Entry]:
    counts: list[int] = []
    for block in document.blocks:
        if isinstance(block, Heading):
            level = min(block.level, len(counts) + 1)
            counts = [*counts[:level], *([0] if level > len(counts) else [])]
            counts[-1] += 1
            yield Entry(".".join(map(str, counts)), level, block.text, block.key)


def _numbered(document: Document, kind: type[Figure] | type[Table]) -> dict[str, int]:
    found = (
        block.key
        for block in document.blocks
        if isinstance(block, kind) and not (isinstance(block, Table) and not block.printed)
    )
    return {key: number for number, key in enumerate(found, start=1)}


def _check(document: Document) -> None:
    keys = [block.key for block in document.blocks if isinstance(block, Heading | Figure | Table)]
    twice = {key for key in keys if keys.count(key) > 1}
    assert not twice, f"keys of more than one block: {', '.join(sorted(twice))}"
    links = {part.key for text in _texts(document) for part in parts(text) if isinstance(part, Link)}
    assert links <= set(keys), f"links to nothing: {', '.join(sorted(links - set(keys)))}"


def _texts(document: Document) -> Iterator[Text]:
    yield document.title_page.remark
    for block in document.blocks:
        if isinstance(block, Paragraph | Callout):
            yield block.text
        elif isinstance(block, Bullets):
            yield from block.items
        elif isinstance(block, Facts):
            yield from (text for _, text in block.items)
        elif isinstance(block, Table):
            yield from (cell.text for row in block.rows for cell in row)
            yield from block.notes


def with_numbers(document: Document) -> Document:
    """Write the numbers of figures and tables into the paragraphs and lists that refer to them, and those of
    headings into the tables that do."""
    figures, tables = _numbered(document, Figure), _numbered(document, Table)
    names = {entry.key: entry.number for entry in _headings(document)}
    names |= {key: f"{document.labels.figure}{NO_BREAK}{number}" for key, number in figures.items()}
    names |= {key: f"{document.labels.table}{NO_BREAK}{number}" for key, number in tables.items()}
    return replace(document, blocks=tuple(_block_with_numbers(block, names) for block in document.blocks))


def _block_with_numbers(block: Block, names: dict[str, str]) -> Block:
    if isinstance(block, Paragraph):
        return replace(block, text=_with_numbers(block.text, names))
    if isinstance(block, Bullets):
        return replace(block, items=tuple(_with_numbers(item, names) for item in block.items))
    if isinstance(block, Table):
        rows = (
            tuple(replace(cell, text=_with_numbers(cell.text, names)) for cell in row) for row in block.rows
        )
        return replace(block, rows=tuple(rows))
    return block


def _with_numbers(text: Text, names: dict[str, str]) -> Text:
    if isinstance(text, str):
        return text
    return tuple(
        replace(part, text=names[part.key]) if isinstance(part, Link) and not part.text else part
        for part in text
    )


def parts(text: Text) -> tuple[Inline, ...]:
    """Take a text apart.

    Examples
    --------
    >>> parts("as it is")
    ('as it is',)
    """
    return (text,) if isinstance(text, str) else text
