"""A document as PDF, set by typst with the fonts that iodyno carries."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Sequence
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from iodyno.report.charts import LIGHT, PRINT, SIMULATED_LIGHT, Drawing, draw_figure, draw_legend
from iodyno.report.document import (
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
from iodyno.report.icons import icon
from iodyno.report.layout.breaking import (
    breakable,
    continued,
    has_wide,
    keep_names,
    keep_units,
    units,
    whole_words,
)
from iodyno.report.layout.columns import DENSE_ROWS, fit, with_whole_words
from iodyno.report.layout.filling import filled
from iodyno.report.layout.floating import floating
from iodyno.report.layout.metrics import text_width
from iodyno.report.layout.outline import Outline, outline, parts
from iodyno.report.layout.parting import held_facts, is_high, is_short_lookup, stays_whole, together
from iodyno.report.layout.placed import Filled, Place
from iodyno.report.messages import plain

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
LINE_EM = 36.0
"""Width of a text that is set in one line, in its size: lines have some more."""
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

    found = filled(document, floating(document), _Setting(document).places)
    files = _files(encode(document, found))
    try:
        return typst.compile(files, root=_HERE, font_paths=_fonts(), pdf_standards=["a-3a", "ua-1"])
    except typst.TypstError:
        return typst.compile(files, root=_HERE, font_paths=_fonts())


def _files(data: Data) -> Any:
    """Give the template and its data as files in memory, which the types of typst do not know yet."""
    written = json.dumps(data, ensure_ascii=False)
    return {"main.typ": _template(), "document.json": written.encode()}


@lru_cache(maxsize=1)
def _template() -> bytes:
    return (_HERE / "typst" / "paper.typ").read_bytes()


class _Setting:
    """Sets a paper to see where its blocks stand: without its attachments, and with figures that are as high
    as theirs but empty."""

    def __init__(self, document: Document) -> None:
        self._document = document
        self._outline = outline(document)
        self._data = {**encode(document), "attachments": [], "marks": True}
        self._printed = [
            index
            for index, block in enumerate(document.blocks)
            if not isinstance(block, Table) or block.printed
        ]

    def places(self, way: Filled) -> tuple[int, list[Place | None]]:
        """Set the paper in a way, and give its pages and where each block begins and ends."""
        import typst

        blocks = [
            self._in_a_way(index, data, way)
            for index, data in zip(self._printed, self._data["blocks"], strict=True)
        ]
        compiler = typst.Compiler(_files({**self._data, "blocks": blocks}), root=_HERE, font_paths=_fonts())
        sides: dict[int, dict[str, tuple[int, float]]] = {}
        rows: dict[int, Counter[int]] = {}
        pages = 1
        for number, side, page, down in json.loads(compiler.query("<mark>", field="value")):
            if side == "row":
                rows.setdefault(self._printed[number], Counter())[page] += 1
            else:
                sides.setdefault(self._printed[number], {})[side] = page, down
            pages = max(pages, page)
        return pages, [
            Place(of["begins"], of["ends"], tuple(count for _, count in sorted(rows.get(index, {}).items())))
            if (of := sides.get(index, {})).keys() == {"begins", "ends"}
            else None
            for index in range(len(self._document.blocks))
        ]

    def _in_a_way(self, index: int, data: Data, way: Filled) -> Data:
        block = self._document.blocks[index]
        if isinstance(block, Figure):
            charts = _empty(block, self._document.language, way)
            return {**data, "charts": charts, "floats": _floats(block, way)}
        if isinstance(block, Heading):
            return {**data, "after-floats": index in way.flushed(self._document)}
        if isinstance(block, Table | Facts) and index in way.parted | way.held | way.counted | way.begun:
            return _block(index, self._document, self._outline, way)
        return data


def _empty(block: Figure, language: str, way: Filled) -> list[Data]:
    """Give charts of the size that those of a figure have in a way, without what they show."""
    drawn = _drawn(block, language, way.lowered.get(block.key, 1.0))
    svg = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {:g} {:g}" width="{:g}" height="{:g}"/>'
    return [
        {"svg": svg.format(*size, *size), "alt": "", "width": one.width}
        for one in drawn
        for size in ((one.width, one.height),)
    ]


@lru_cache(maxsize=1)
def _fonts() -> typst.Fonts:
    """Only the fonts of this package: a paper looks the same on every machine."""
    import typst

    return typst.Fonts(
        include_system_fonts=False, include_embedded_fonts=False, font_paths=[str(_HERE / "fonts")]
    )


def encode(document: Document, way: Filled | None = None) -> Data:
    """Turn a document into the data of the template, its figures set in a way that fills pages."""
    title, found = document.title_page, outline(document)
    way = way or Filled(floating(document))
    colours = SIMULATED_LIGHT if document.simulated else LIGHT
    return {
        "language": document.language,
        "date": [int(part) for part in document.date.split("-")],
        "keywords": list(document.keywords),
        "footer": units(document.footer),
        "labels": vars(document.labels),
        "marks": False,
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
            "facts": [[units(whole_words(name)), _text(value)] for name, value in title.facts],
            "summary": [
                [_text(name), keep_units(value), units(_running(remark))]
                for name, value, remark in title.summary
            ],
            "remark": _prose(title.remark) if title.remark else [],
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
            _block(index, document, found, way)
            for index, block in enumerate(document.blocks)
            if not isinstance(block, Table) or block.printed
        ],
    }


def _block(index: int, document: Document, found: Outline, way: Filled) -> Data:
    block, parted = document.blocks[index], index in way.parted
    if isinstance(block, Heading):
        level = found.heading(block.key).level
        after = index in way.flushed(document)
        return {
            "kind": "heading",
            "level": level,
            "text": keep_units(whole_words(block.text)),
            "key": block.key,
            "after-floats": after,
        }
    if isinstance(block, Paragraph):
        short = text_width(plain(block.text), 1.0) <= LINE_EM
        return {"kind": "paragraph", "text": _prose(block.text), "leads": _leads(block.text), "short": short}
    if isinstance(block, Bullets):
        return {"kind": "bullets", "titles": block.titles, "items": [_prose(item) for item in block.items]}
    if isinstance(block, CodeBlock):
        return {"kind": "code", "text": continued(block.text, COMMAND) if block.command else block.text}
    if isinstance(block, Callout):
        return _callout(block, document.labels)
    if isinstance(block, Facts):
        return _facts(block, parted=parted, ends=index == len(document.blocks) - 1)
    if isinstance(block, Figure):
        lowered = way.lowered.get(block.key, 1.0)
        return _figure(block, document.language, floats=_floats(block, way), lowered=lowered)
    return _table(block, index, way)


def _facts(block: Facts, *, parted: bool, ends: bool) -> Data:
    """Give the data of a list; of one that breaks how many rows stay together at its begin and at its end."""
    long = not stays_whole(block, ends=ends)
    return {
        "kind": "facts",
        "items": [[units(whole_words(name)), _text(value)] for name, value in block.items],
        "held": list(held_facts(block)) if parted or long else [],
        "dense": long and not is_high(block),
    }


def _leads(text: Text) -> bool:
    """A text that ends in a colon stays with what follows."""
    last = parts(text)[-1] if parts(text) else ""
    return isinstance(last, str) and last.rstrip().endswith((":", "："))


def _callout(block: Callout, labels: Labels) -> Data:
    label = {"plain": labels.note, "good": "", "warning": labels.warning, "bad": labels.warning}[block.tone]
    return {"kind": "callout", "tone": block.tone, "label": label, "text": _prose(block.text)}


@lru_cache(maxsize=256)
def _drawn(block: Figure, language: str, lowered: float) -> tuple[Drawing, ...]:
    """Draw a figure for print; those of a paper are looked at many times until its pages are filled."""
    return draw_figure(block, PRINT, language, lowered=lowered)


def _floats(block: Figure, way: Filled) -> str:
    """Say where a figure stands that does not stand where it is written."""
    if block.key in way.floats:
        return "bottom"
    return "top" if block.key in way.heads else ""


def _figure(block: Figure, language: str, *, floats: str, lowered: float) -> Data:
    drawn = _drawn(block, language, lowered)
    charts = [{"svg": drawing.svg, "alt": drawing.description, "width": drawing.width} for drawing in drawn]
    return {
        "kind": "figure",
        "charts": charts,
        "half": block.half,
        "legend": legend.svg if (legend := draw_legend(block, PRINT)) else "",
        "caption": units(_running(block.caption)),
        "alt": block.alt,
        "key": block.key,
        "floats": floats,
    }


def _table(block: Table, index: int, way: Filled) -> Data:
    parted = index in way.parted
    found, breaks = fit(block), parted or not stays_whole(block)
    held = together(block, parted=parted, inside=index in way.held)
    if breaks and block.notes:
        held = _with_notes(held or [int(len(row) == len(block.columns)) for row in block.rows])
    block = with_whole_words(block, found)
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
        "whole": not breaks or (is_short_lookup(block) and not parted),
        "breaks": breaks,
        "counted": index in way.counted,
        "begins-a-page": index in way.begun,
        "rows": _rows(block, held),
        "keeps": bool(held),
        "caption": units(_running(block.caption)),
        "notes": [_prose(note) for note in block.notes],
        "key": block.key,
    }


def _with_notes(held: Sequence[int]) -> list[int]:
    """Let the last rows that stay on one page hold the row of the notes too."""
    last = max((place for place, count in enumerate(held) if count), default=len(held))
    return [count + (place == last) for place, count in enumerate(held)]


def _rows(block: Table, held: Sequence[int]) -> list[list[Data | str | int]]:
    """Give the cells of each row; behind the first of some rows that stay on one page, how many they are."""
    made: list[list[Data | str | int]] = [[_cell(cell) for cell in row] for row in block.rows]
    for row, count in zip(made, held, strict=False):
        if count:
            row.append(count)
    return made


def _cell(cell: Cell) -> Data | str:
    text = cell.text
    if isinstance(text, str) and cell.tone == "plain" and not cell.strong and not has_wide(text):
        pieces = breakable(keep_units(text))
        if len(pieces) == 1:
            return pieces[0]
    if isinstance(text, str) and len(text) <= _SHORT and has_wide(text):
        return {
            "text": [{"kind": "words", "pieces": units(keep_units(text))}],
            "tone": cell.tone,
            "strong": cell.strong,
        }
    return {"text": _text(text), "tone": cell.tone, "strong": cell.strong}


def _text(text: Text, keep: Callable[[str], str] = keep_units) -> list[Data]:
    return [_inline(part, keep) for part in parts(text)]


def _running(text: str) -> str:
    return keep_names(whole_words(text))


def _prose(text: Text) -> list[Data]:
    """Give a text in which names stay in a line too: there is room for them, other than in columns."""
    return _text(text, _running)


def _inline(part: Inline, keep: Callable[[str], str]) -> Data:
    if isinstance(part, Strong):
        return {"kind": "strong", "pieces": breakable(keep(part.text))}
    if isinstance(part, Code) and part.command:
        lines = continued(part.text, FACT_COMMAND).split("\n")
        return {"kind": "command", "lines": [breakable(line) for line in lines]}
    if isinstance(part, Code):
        return {"kind": "code", "pieces": breakable(part.text)}
    if isinstance(part, Link):
        return {"kind": "link", "pieces": breakable(keep(part.text)), "key": part.key}
    return {"kind": "text", "pieces": breakable(keep(part))}
