"""The document model: what a paper says, before anyone decides how it looks.

The paper builds one :class:`Document`; the HTML and the PDF are two renderings of it.
All texts are final: numbers are formatted and sentences translated before they come
here. A text may hold inline parts, see :class:`Strong` and :class:`Code`.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal, TypeAlias


@dataclass(frozen=True)
class Strong:
    """Words that stand out."""

    text: str


@dataclass(frozen=True)
class Code:
    """A command, path or name as typed."""

    text: str
    command: bool = False
    """Whether it is a command line to copy, see :class:`CodeBlock`."""


@dataclass(frozen=True)
class Link:
    """A link to a block of this document that has this key."""

    text: str
    """Empty in what refers to a figure, table or heading by its number: that comes there, ``Figure 3``."""
    key: str


Inline: TypeAlias = str | Strong | Code | Link
Text: TypeAlias = str | tuple[Inline, ...]
"""A text: plain, or with inline parts."""

Tone = Literal["plain", "good", "warning", "bad"]


@dataclass(frozen=True)
class Heading:
    """A heading that the contents list, levels 1 to 3; numbered by the renderer."""

    level: int
    text: str
    key: str
    """Unique in the document: the anchor."""


@dataclass(frozen=True)
class Paragraph:
    """A paragraph."""

    text: Text


@dataclass(frozen=True)
class Bullets:
    """A list without numbers."""

    items: tuple[Text, ...]
    titles: bool = False
    """Whether they are titles in languages of their own: no word is parted by the rules of the document's."""


@dataclass(frozen=True)
class CodeBlock:
    """Commands to copy, or a file."""

    text: str
    command: bool = False
    """Whether it is a command line: one that is too long for the print is broken as a shell reads it."""


@dataclass(frozen=True)
class Callout:
    """A remark that must not be missed."""

    text: Text
    tone: Tone = "plain"


@dataclass(frozen=True)
class Cell:
    """A cell of a table."""

    text: Text
    tone: Tone = "plain"
    strong: bool = False


@dataclass(frozen=True)
class Column:
    """A column of a table."""

    title: str
    align: Literal["left", "right"] = "left"
    unit: str = ""
    """Shown small under the title."""


@dataclass(frozen=True)
class Table:
    """A table with caption; numbered by the renderer; long ones break across pages."""

    columns: tuple[Column, ...]
    rows: tuple[tuple[Cell, ...], ...]
    """Each with a cell for each column; a row of one cell is the heading of the rows up to the next such."""
    caption: str
    key: str
    notes: tuple[Text, ...] = ()
    """Notes under the table."""
    lookup: bool = False
    """Whether it is for looking something up: set close, and its notes may stand on the next page."""
    printed: bool = True
    """Whether the PDF shows it. What it leaves out has no number and nothing refers to it."""


@dataclass(frozen=True)
class Facts:
    """Two columns: a name and what it is. For the system under test."""

    items: tuple[tuple[str, Text], ...]


@dataclass(frozen=True)
class Axis:
    """An axis of a chart."""

    label: str
    """With its unit: ``Latency in ms``."""
    scale: Literal["linear", "log2", "log10", "nines"] = "linear"
    """``nines`` spreads shares towards 1: 0, 0.9, 0.99, 0.999 … at equal steps."""
    ticks: tuple[float, ...] = ()
    """Where to put ticks; empty: the renderer chooses."""
    reach: tuple[float, ...] = ()
    """Values that have a place on it too: those of other charts that are to have the same axis."""


@dataclass(frozen=True)
class ChartPoint:
    """A value of a chart with its interval."""

    x: float
    y: float
    low: float | None = None
    high: float | None = None
    label: str = ""
    """What is shown when it is pointed at, or beside it where the series is labelled."""
    hollow: bool = False
    """Drawn hollow: a value that is not steady or was disturbed."""


@dataclass(frozen=True)
class ChartLine:
    """A series of a chart; told apart by colour, dash and marker."""

    name: str
    points: tuple[ChartPoint, ...]
    labelled: bool = False
    """Write the labels of the points beside them."""
    markers: bool = True


@dataclass(frozen=True)
class LineChart:
    """One panel: lines over an axis."""

    x: Axis
    y: Axis
    lines: tuple[ChartLine, ...]
    title: str = ""
    shaded: tuple[tuple[float, float, str], ...] = ()
    """Ranges of x to shade, with a name: warm-up."""


@dataclass(frozen=True)
class BarChart:
    """One panel: horizontal bars, one a row."""

    x: Axis
    rows: tuple[tuple[str, tuple[ChartPoint, ...]], ...]
    """Name of the row; its bars, x is ignored and y the length."""
    names: tuple[str, ...]
    """Names of the bars of a row, for the legend; none where it is the only name of the figure."""
    title: str = ""


Chart: TypeAlias = LineChart | BarChart


@dataclass(frozen=True)
class Figure:
    """One or two charts side by side with caption and text alternative; numbered by the renderer."""

    charts: tuple[Chart, ...]
    caption: str
    alt: str
    """What the figure shows, for who does not see it."""
    key: str
    floats: bool = False
    """Whether it may stand at the foot of a page in print, while the text goes on above. A text must refer to
    it."""
    half: bool = False
    """Whether its only chart is as wide as those of others of its kind, which stand side by side."""


Block: TypeAlias = Heading | Paragraph | Bullets | CodeBlock | Callout | Table | Facts | Figure


@dataclass(frozen=True)
class TitlePage:
    """The first page."""

    kind: str
    """White Paper."""
    title: str
    subtitle: str
    facts: tuple[tuple[str, str], ...]
    """Date, version, run, machine."""
    summary: tuple[tuple[str, str, str], ...] = ()
    """The figures that matter most: name, value with unit, interval or remark. At most six."""
    remark: Text = ""


@dataclass(frozen=True)
class Attachment:
    """A file that the paper carries: data that would fill too many pages."""

    name: str
    media_type: str
    description: str
    data: bytes


@dataclass(frozen=True)
class Labels:
    """Words that the renderers need, in the language of the document."""

    contents: str = "Contents"
    figure: str = "Figure"
    table: str = "Table"
    continued: str = "Table {number}, continued"
    """Above the head of a table on each page that it goes on to in print; the renderer puts in its number."""
    page: str = "Page {page} of {pages}"
    """The foot of a page; the renderer puts the numbers in."""
    note: str = "Note."
    warning: str = "Warning."
    copy: str = "Copy"
    skip: str = "Skip to the text"
    theme: str = "Light or dark"
    attached: str = "Attached"
    copy_data: str = "Copy data"
    enlarge: str = "Enlarge"
    close: str = "Close"
    series: str = "Show or hide"


@dataclass(frozen=True)
class Document:
    """A whole paper."""

    language: str
    """BCP 47: en, de, ja."""
    title_page: TitlePage
    blocks: tuple[Block, ...]
    footer: str
    """Left part of the foot of each page."""
    date: str
    """ISO date of the run, for the metadata: the same input gives the same bytes."""
    labels: Labels = field(default_factory=Labels)
    keywords: tuple[str, ...] = ()
    attachments: tuple[Attachment, ...] = ()
    simulated: bool = False
    """Whether its figures are those of a model: the paper then has a colour of its own."""
