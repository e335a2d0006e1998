"""A document as one HTML file, which needs nothing else."""

from __future__ import annotations

import base64
import json
import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from html import escape
from pathlib import Path
from string import Template

from iodyno.report.charts import DARK, LIGHT, SCREEN, SIMULATED_DARK, SIMULATED_LIGHT, draw_figure
from iodyno.report.document import (
    Attachment,
    Block,
    Bullets,
    Callout,
    Cell,
    Code,
    CodeBlock,
    Column,
    Document,
    Facts,
    Figure,
    Heading,
    Inline,
    Link,
    Paragraph,
    Strong,
    Table,
    Text,
    Tone,
)
from iodyno.report.icons import icon
from iodyno.report.layout.breaking import SOFT_HYPHEN, breakable, keep_names, keep_units, units
from iodyno.report.layout.metrics import text_width
from iodyno.report.layout.outline import WHOLE_ROWS, Outline, outline, parts

_HERE = Path(__file__).parent
_JAPANESE = "Noto Sans CJK JP"
_FONTS = (
    ("IBM Plex Sans", 400, "IBMPlexSans_400Regular.woff2"),
    ("IBM Plex Sans", 600, "IBMPlexSans_600SemiBold.woff2"),
    ("IBM Plex Mono", 400, "IBMPlexMono_400Regular.woff2"),
)
_FIRST_JAPANESE = 0x2E80
_SHORT, _MANY_COLUMNS, _MOST_COLUMNS = 9.6, 10, 13
_WHOLE = re.compile(r"\b(?:SSDs?|I/Os?|IO/s|[kMGT]?B/s)\b[*†‡]?|--[A-Za-z][A-Za-z-]*|\d[\d.,]*–\d[\d.,]*%?")
_TONE_COLOURS: dict[Tone, str] = {"plain": "accent", "good": "good", "warning": "warning", "bad": "bad"}


def render(document: Document) -> str:
    """Write a document as HTML.

    Parameters
    ----------
    document
        What to write. Its texts are escaped; nothing in them is markup.

    Returns
    -------
    str
        One file: fonts, styles and script are inside, nothing is loaded. The same document gives the
        same text.
    """
    found, labels = outline(document), document.labels
    body = "\n".join(_block(block, document, found) for block in document.blocks)
    values = {
        "language": escape(document.language),
        "title": escape(document.title_page.title),
        "subtitle": escape(document.title_page.subtitle),
        "keywords": escape(", ".join(document.keywords)),
        "date": escape(document.date),
        "css": _colours(document) + _asset("page.css"),
        "script": _asset("page.js") + "\n" + _asset("charts.js"),
        "copy_data": escape(labels.copy_data),
        "enlarge": escape(labels.enlarge),
        "close": escape(labels.close),
        "series": escape(labels.series),
        "copy": escape(labels.copy),
        "theme": escape(labels.theme),
        "skip": escape(labels.skip),
        "title_page": _title_page(document),
        "contents_title": escape(labels.contents),
        "contents": _contents(found),
        "body": body,
        "footer": escape(document.footer),
        "attachments": _attachments(document),
    }
    fonts = "\n".join((_font_faces(), *_japanese_faces(set().union(*values.values()))))
    return Template(_asset("page.html")).substitute(values, fonts=fonts)


def _attachments(document: Document) -> str:
    """Link the files that the page carries."""
    if not document.attachments:
        return ""
    links = ", ".join(_attachment(item) for item in document.attachments)
    return f'<p class="attached">{escape(document.labels.attached)}: {links}</p>'


def _attachment(item: Attachment) -> str:
    data = base64.b64encode(item.data).decode("ascii")
    return (
        f'<a download="{escape(item.name)}" href="data:{item.media_type};base64,{data}" '
        f'title="{escape(item.description)}">{escape(item.name)}</a>'
    )


@lru_cache(maxsize=8)
def _asset(name: str) -> str:
    return (_HERE / "page" / name).read_text(encoding="utf-8").strip()


@lru_cache(maxsize=1)
def _font_faces() -> str:
    return "\n".join(_font_face(*font) for font in _FONTS)


def _font_face(family: str, weight: int, name: str, signs: str = "") -> str:
    data = base64.b64encode((_HERE / "fonts" / name).read_bytes()).decode("ascii")
    source = f'url("data:font/woff2;base64,{data}") format("woff2")'
    only = f";unicode-range:{_ranges(signs)}" if signs else ""
    return f'@font-face{{font-family:"{family}";font-weight:{weight};font-display:block;src:{source}{only}}}'


def _japanese_faces(written: set[str]) -> Iterator[str]:
    """Carry the slices of the Japanese font that have a sign of the page, and no other."""
    if max(map(ord, written), default=0) < _FIRST_JAPANESE:
        return
    slices = json.loads((_HERE / "fonts" / "japanese" / "slices.json").read_text(encoding="utf-8"))
    for number, signs in enumerate(slices):
        if not written.isdisjoint(signs):
            for weight, name in ((400, "regular"), (600, "bold")):
                yield _font_face(_JAPANESE, weight, f"japanese/{name}-{number:02}.woff2", signs)


def _ranges(signs: str) -> str:
    """Write the code points of signs, which are in order, as CSS does."""
    made: list[list[int]] = []
    for code in map(ord, signs):
        if made and code == made[-1][1] + 1:
            made[-1][1] = code
        else:
            made.append([code, code])
    return ",".join(f"U+{low:X}" if low == high else f"U+{low:X}-{high:X}" for low, high in made)


def _colours(document: Document) -> str:
    """The colours as variables: as the system is or the reader chooses; print is light."""
    chosen = (SIMULATED_LIGHT, SIMULATED_DARK) if document.simulated else (LIGHT, DARK)
    light, dark = ("".join(f"--{role}:{value};" for role, value in colours.items()) for colours in chosen)
    return (
        f":root{{color-scheme:light;{light}}}\n"
        f"@media screen{{:root[data-theme=dark]{{color-scheme:dark;{dark}}}}}\n"
        f"@media screen and (prefers-color-scheme:dark){{"
        f":root:not([data-theme=light]){{color-scheme:dark;{dark}}}}}\n"
    )


# Title page and contents


def _title_page(document: Document) -> str:
    page = document.title_page
    made = [
        f'<p class="kind">{escape(page.kind)}</p>',
        f"<h1>{escape(page.title)}</h1>",
        f'<p class="subtitle">{escape(page.subtitle)}</p>' if page.subtitle else "",
        _summary(page.summary),
        f'<p class="remark">{_text(page.remark)}</p>' if page.remark else "",
        _facts(page.facts) if page.facts else "",
    ]
    return "\n".join(line for line in made if line)


def _summary(summary: Iterable[tuple[str, str, str]]) -> str:
    items = [
        f"<li><strong>{escape(keep_units(name))}</strong> "
        f'<span class="value">{escape(keep_units(value))}</span> '
        f'<span class="note">{escape(keep_names(remark))}</span></li>'
        for name, value, remark in summary
    ]
    return f'<ul class="summary">{"".join(items)}</ul>' if items else ""


def _contents(found: Outline) -> str:
    items = [
        f'<li class="level-{entry.level}"><a href="#{escape(entry.key)}">'
        f'<span class="number">{entry.number}</span> <span class="name">{escape(entry.text)}</span></a></li>'
        for entry in found.headings
    ]
    return f"<ol>{''.join(items)}</ol>"


# Blocks


def _block(block: Block, document: Document, found: Outline) -> str:
    if isinstance(block, Heading):
        return _heading(block, found)
    if isinstance(block, Paragraph):
        return f"<p>{_text(block.text)}</p>"
    if isinstance(block, Bullets):
        items = "".join(f"<li>{_text(item)}</li>" for item in block.items)
        begun = '<ul class="titles">' if block.titles else "<ul>"
        return f"{begun}{items}</ul>"
    if isinstance(block, CodeBlock):
        return f'<div class="code"><pre tabindex="0"><code>{escape(block.text)}</code></pre></div>'
    if isinstance(block, Callout):
        return _callout(block, document)
    if isinstance(block, Facts):
        return _facts(block.items)
    if isinstance(block, Figure):
        return _figure(block, document, found)
    return _table(block, document, found)


def _heading(block: Heading, found: Outline) -> str:
    entry = found.heading(block.key)
    tag = f"h{entry.level + 1}"
    number = f'<span class="number">{entry.number}</span>'
    return f'<{tag} id="{escape(entry.key)}">{number}{escape(entry.text)}</{tag}>'


def _callout(block: Callout, document: Document) -> str:
    labels = document.labels
    word = {"plain": labels.note, "good": "", "warning": labels.warning, "bad": labels.warning}[block.tone]
    lead = f"<strong>{escape(word)}</strong> " if word else ""
    text = f"<p>{lead}{_text(block.text)}</p>"
    return f'<div class="callout {block.tone}" role="note">{_icon(block.tone)}{text}</div>'


def _icon(tone: Tone) -> str:
    return icon(tone, f"var(--{_TONE_COLOURS[tone]})")


def _facts(items: Iterable[tuple[str, Text]]) -> str:
    rows = "".join(f"<div><dt>{escape(name)}</dt><dd>{_text(value)}</dd></div>" for name, value in items)
    return f'<dl class="facts">{rows}</dl>'


def _figure(block: Figure, document: Document, found: Outline) -> str:
    wide = draw_figure(block, SCREEN, document.language)
    alone = len(wide) == 1 and not block.half
    narrow = draw_figure(block, SCREEN, document.language, narrow=True) if alone else ()
    charts = "".join(f'<div class="wide">{drawing.svg}</div>' for drawing in wide)
    charts += "".join(f'<div class="narrow">{drawing.svg}</div>' for drawing in narrow)
    kind = "one" if alone else "two"
    number = f"<b>{escape(document.labels.figure)} {found.figures[block.key]}</b>"
    return (
        f'<figure class="figure" id="{escape(block.key)}"><div class="charts {kind}">{charts}</div>'
        f"<figcaption>{number} {escape(keep_names(block.caption))}</figcaption></figure>"
    )


def _table(block: Table, document: Document, found: Outline) -> str:
    key = escape(block.key)
    kind = "table"
    kind += " whole" if len(block.rows) <= WHOLE_ROWS else ""
    kind += " dense" if len(block.columns) >= _MANY_COLUMNS else ""
    kind += " denser" if len(block.columns) >= _MOST_COLUMNS else ""
    number = f"<b>{escape(document.labels.table)} {found.tables[block.key]}</b>" if block.printed else ""
    caption = f"{number} {escape(keep_names(block.caption))}".lstrip()
    head = "".join(_column(column) for column in block.columns)
    rows = "".join(_row(row, block.columns) for row in block.rows)
    return (
        f'<div class="{kind}" id="{key}">'
        f'<div class="scroll" role="region" aria-labelledby="{key}-caption" tabindex="0"><table>'
        f'<caption id="{key}-caption"><span>{caption}</span></caption>'
        f"<thead><tr>{head}</tr></thead>{_bodies(rows)}</table></div>"
        f"{_notes(block)}</div>"
    )


def _bodies(rows: str) -> str:
    """Put rows into bodies: a heading among them begins one."""
    return f"<tbody>{rows}</tbody>".replace("<tbody></tbody>", "")


def _notes(block: Table) -> str:
    notes = "".join(f"<p>{_text(note)}</p>" for note in block.notes)
    return f'<div class="notes">{notes}</div>' if notes else ""


def _column(column: Column) -> str:
    unit = f' <span class="unit">{escape(column.unit)}</span>' if column.unit else ""
    title = "".join(_breaking(word) for word in units(keep_units(column.title))).removesuffix("<wbr>")
    return f'<th scope="col"{_side(column)}>{title}{unit}</th>'


def _breaking(unit: str) -> str:
    """Let a line end after a unit where a browser would not see that it may."""
    return escape(unit) if unit.endswith((" ", SOFT_HYPHEN)) else f"{escape(unit)}<wbr>"


def _row(row: tuple[Cell, ...], columns: tuple[Column, ...]) -> str:
    if len(row) < len(columns):
        head = f'<th colspan="{len(columns)}" scope="rowgroup">{_cell(row[0])}</th>'
        return f'</tbody><tbody><tr class="group">{head}</tr>'
    tags = ['th scope="row"'] + ["td"] * (len(columns) - 1)
    cells = (
        f"<{tag}{_side(column, cell)}>{_cell(cell)}</{tag[:2]}>"
        for tag, cell, column in zip(tags, row, columns, strict=True)
    )
    return f"<tr>{''.join(cells)}</tr>"


def _side(column: Column, cell: Cell | None = None) -> str:
    """Numbers stand at the right; a short text stays in one line."""
    if column.align == "right":
        return ' class="right"'
    return (
        ' class="short"'
        if cell and isinstance(cell.text, str) and text_width(cell.text, 1.0) <= _SHORT
        else ""
    )


def _cell(cell: Cell) -> str:
    text = f"<strong>{_text(cell.text)}</strong>" if cell.strong else _text(cell.text)
    if cell.tone == "plain":
        return text
    return f'<span class="state">{_icon(cell.tone)}<span>{text}</span></span>'


# Texts


def _text(text: Text) -> str:
    return "".join(_inline(part) for part in parts(text))


def _inline(part: Inline) -> str:
    if isinstance(part, Strong):
        return f"<strong>{_words(part.text)}</strong>"
    if isinstance(part, Code):
        return f"<code>{_words(part.text, code=True)}</code>"
    if isinstance(part, Link):
        return f'<a href="#{escape(part.key)}">{_words(part.text)}</a>'
    return _words(part)


def _words(text: str, *, code: bool = False) -> str:
    """Escape a text; units and options stay in one line, and words that are too long may break."""
    kept = text if code else keep_names(text)
    written = "<wbr>".join(escape(piece) for piece in breakable(kept))
    return _WHOLE.sub(r'<span class="together">\g<0></span>', written)
