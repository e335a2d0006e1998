"""A document as PDF, set by typst with the fonts that iodyno carries."""

from __future__ import annotations

import json
from collections.abc import Collection, Sequence
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from iodyno.report.breaking import breakable, continued, has_wide, keep_units, units
from iodyno.report.charts import LIGHT, PRINT, SIMULATED_LIGHT, draw_figure
from iodyno.report.columns import DENSE_ROWS, fit
from iodyno.report.document import (
    Block,
    Bullets,
    Callout,
    Cell,
    Code,
    CodeBlock,
    Document,
    Facts,
    Figure,
    Heading,
    Inline,
    Labels,
    Link,
    Paragraph,
    Strong,
    Table,
    Text,
)
from iodyno.report.filling import Lowered, Place, lowered
from iodyno.report.floating import floating
from iodyno.report.icons import icon
from iodyno.report.outline import WHOLE_ROWS, Outline, outline, parts

if TYPE_CHECKING:
    import typst

Data = dict[str, Any]

_HERE = Path(__file__).parent
_LONG_CONTENTS = 42
"""Headings from which on the contents are set closer, so that they fill one page."""
_WHOLE_CONTENTS = 56
"""Headings that a page of contents holds; of more only the first two levels are listed."""
COMMAND, FACT_COMMAND = 94, 62
"""Characters of a line of a command, and of one among the facts; some more would fit."""
_SHORT = 40
"""Characters of a Japanese cell up to which its words stay whole; a longer one is set as a text."""


def render(document: Document) -> bytes:
    """Set a document as PDF.

    The file is tagged and keeps PDF/UA-1, for readers who do not see it, and PDF/A-3a, for archives. Only
    where a text has a sign that the fonts lack, which both forbid, it is tagged without claiming them.

    Parameters
    ----------
    document
        What to set. Its texts are data for the template, never markup.

    Returns
    -------
    bytes
        The PDF. The same document gives the same bytes.
    """
    import typst

    template = (_HERE / "typst" / "paper.typ").read_bytes()
    found = lowered(document, floating(document), lambda those: _places(document, those))
    inputs = {"document": json.dumps(encode(document, found), ensure_ascii=False)}
    try:
        return typst.compile(template, font_paths=_fonts(), sys_inputs=inputs, pdf_standards=["a-3a", "ua-1"])
    except typst.TypstError:
        return typst.compile(template, font_paths=_fonts(), sys_inputs=inputs)


def _places(document: Document, those: Lowered) -> tuple[int, list[Place | None]]:
    """Set a paper, and give its pages and where each block begins and ends."""
    import typst

    inputs = {"document": json.dumps({**encode(document, those), "marks": True}, ensure_ascii=False)}
    compiler = typst.Compiler(_HERE / "typst" / "paper.typ", font_paths=_fonts(), sys_inputs=inputs)
    marks = json.loads(compiler.query("<mark>", field="value"))
    ends: dict[int, dict[str, tuple[int, float]]] = {}
    for index, side, page, down in marks:
        ends.setdefault(index, {})[side] = page, down
    pages = max((page for _, _, page, _ in marks), default=1)
    printed = [
        index for index, block in enumerate(document.blocks) if not isinstance(block, Table) or block.printed
    ]
    found: list[Place | None] = [None] * len(document.blocks)
    for number, index in enumerate(printed):
        both = ends.get(number, {})
        if "begins" in both and "ends" in both:
            found[index] = Place(both["begins"], both["ends"])
    return pages, found


@lru_cache(maxsize=1)
def _fonts() -> typst.Fonts:
    """Only the fonts of this package: a paper looks the same on every machine."""
    import typst

    return typst.Fonts(
        include_system_fonts=False, include_embedded_fonts=False, font_paths=[str(_HERE / "fonts")]
    )


def encode(document: Document, lowered: Lowered | None = None) -> Data:
    """Turn a document into the data of the template; some of its figures lowered."""
    title, found, floats = document.title_page, outline(document), floating(document)
    colours = SIMULATED_LIGHT if document.simulated else LIGHT
    return {
        "language": document.language,
        "date": [int(part) for part in document.date.split("-")],
        "keywords": list(document.keywords),
        "footer": units(document.footer),
        "labels": vars(document.labels),
        "marks": False,
        "whole-rows": WHOLE_ROWS,
        "long-contents": _LONG_CONTENTS < len(found.headings) <= _WHOLE_CONTENTS,
        "contents-depth": 4 if len(found.headings) <= _WHOLE_CONTENTS else 2,
        "colours": colours,
        "icons": {
            "plain": icon("plain", colours["accent"]),
            "good": icon("good", LIGHT["good"]),
            "warning": icon("warning", LIGHT["warning"]),
            "bad": icon("bad", LIGHT["bad"]),
        },
        "title": {
            "kind": title.kind,
            "title": units(title.title),
            "subtitle": units(title.subtitle),
            "facts": [[units(name), _text(value)] for name, value in title.facts],
            "summary": [
                [name, keep_units(value), units(keep_units(remark))] for name, value, remark in title.summary
            ],
            "remark": _text(title.remark) if title.remark else [],
        },
        "attachments": [
            {
                "name": item.name,
                "type": item.media_type,
                "description": item.description,
                "text": item.data.decode("utf-8"),
            }
            for item in document.attachments
        ],
        "blocks": [
            _block(block, document, found, floats, lowered or {})
            for block in document.blocks
            if not isinstance(block, Table) or block.printed
        ],
    }


def _block(
    block: Block, document: Document, found: Outline, floats: Collection[str], lowered: Lowered
) -> Data:
    if isinstance(block, Heading):
        level = found.heading(block.key).level
        return {"kind": "heading", "level": level, "text": block.text, "key": block.key}
    if isinstance(block, Paragraph):
        return {"kind": "paragraph", "text": _text(block.text), "leads": _leads(block.text)}
    if isinstance(block, Bullets):
        return {"kind": "bullets", "items": [_text(item) for item in block.items]}
    if isinstance(block, CodeBlock):
        return {"kind": "code", "text": continued(block.text, COMMAND) if block.command else block.text}
    if isinstance(block, Callout):
        return _callout(block, document.labels)
    if isinstance(block, Facts):
        return {"kind": "facts", "items": [[units(name), _text(value)] for name, value in block.items]}
    if isinstance(block, Figure):
        height = lowered.get(block.key, 1.0)
        return _figure(block, document.language, floats=block.key in floats, lowered=height)
    return _table(block)


def _leads(text: Text) -> bool:
    """A text that ends in a colon stays with what follows."""
    last = parts(text)[-1] if parts(text) else ""
    return isinstance(last, str) and last.rstrip().endswith((":", "："))


def _callout(block: Callout, labels: Labels) -> Data:
    label = {"plain": labels.note, "good": "", "warning": labels.warning, "bad": labels.warning}[block.tone]
    return {"kind": "callout", "tone": block.tone, "label": label, "text": _text(block.text)}


def _figure(block: Figure, language: str, *, floats: bool, lowered: float) -> Data:
    drawn = draw_figure(block, PRINT, language, lowered=lowered)
    charts = [{"svg": drawing.svg, "alt": drawing.description, "width": drawing.width} for drawing in drawn]
    return {
        "kind": "figure",
        "charts": charts,
        "caption": units(keep_units(block.caption)),
        "alt": block.alt,
        "key": block.key,
        "floats": floats,
    }


def _table(block: Table) -> Data:
    found, together = fit(block), _together(block)
    columns = [
        {"title": units(keep_units(column.title)), "unit": column.unit, "align": column.align, "width": width}
        for column, width in zip(block.columns, found.widths, strict=True)
    ]
    return {
        "kind": "table",
        "columns": columns,
        "size": found.size,
        "padding": found.padding,
        "landscape": found.landscape,
        "dense": block.lookup or len(block.rows) > DENSE_ROWS,
        "whole": len(block.rows) <= WHOLE_ROWS,
        "breaks": block.lookup or len(block.rows) > WHOLE_ROWS,
        "rows": _rows(block, together),
        "keeps": bool(together),
        "caption": units(keep_units(block.caption)),
        "notes": [_text(note) for note in block.notes],
        "key": block.key,
    }


def _rows(block: Table, together: Sequence[int]) -> list[list[Data | str | int]]:
    """Give the cells of each row; behind the first of some rows that stay on one page, how many they are."""
    made: list[list[Data | str | int]] = [[_cell(cell) for cell in row] for row in block.rows]
    for row, count in zip(made, together, strict=False):
        if count:
            row.append(count)
    return made


def _together(block: Table) -> list[int]:
    """Count, at the first of some rows that stay on one page, how many: a name and those without one.

    Empty where every row has a name; 0 at the others of them, and at headings of rows.
    """
    counts, first = list[int](), 0
    for place, row in enumerate(block.rows):
        whole = len(row) == len(block.columns)
        if whole and not row[0].text and counts and 0 < counts[first] < WHOLE_ROWS:
            counts[first] += 1
            counts.append(0)
        else:
            first = place
            counts.append(int(whole))
    return counts if max(counts, default=0) > 1 else []


def _cell(cell: Cell) -> Data | str:
    text = cell.text
    if isinstance(text, str) and cell.tone == "plain" and not cell.strong and not has_wide(text):
        pieces = breakable(keep_units(text))
        if len(pieces) == 1:
            return pieces[0]
    if isinstance(text, str) and len(text) <= _SHORT and has_wide(text):
        return {"text": [{"kind": "words", "pieces": units(text)}], "tone": cell.tone, "strong": cell.strong}
    return {"text": _text(text), "tone": cell.tone, "strong": cell.strong}


def _text(text: Text) -> list[Data]:
    return [_inline(part) for part in parts(text)]


def _inline(part: Inline) -> Data:
    if isinstance(part, Strong):
        return {"kind": "strong", "pieces": breakable(keep_units(part.text))}
    if isinstance(part, Code) and part.command:
        lines = continued(part.text, FACT_COMMAND).split("\n")
        return {"kind": "command", "lines": [breakable(line) for line in lines]}
    if isinstance(part, Code):
        return {"kind": "code", "pieces": breakable(part.text)}
    if isinstance(part, Link):
        return {"kind": "link", "pieces": breakable(keep_units(part.text)), "key": part.key}
    return {"kind": "text", "pieces": breakable(keep_units(part))}
