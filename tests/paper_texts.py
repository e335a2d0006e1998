"""Texts and tables of papers, a language in which every message is marked, and a run of everything."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterator

from factories import make_stored_run
from iodyno.reading import Cause, PointResult
from iodyno.report.document import Code, CodeBlock, Document, Link, Strong, Table
from iodyno.report.messages import Messages
from iodyno.store.records import StoredRun
from iodyno.system import Fact, Section, System
from iodyno.verdict import CAUSES

OPEN, CLOSE = "⟦", "⟧"


class Pseudo(Messages):
    """A language in which every message is known, and marked."""

    def __init__(self) -> None:
        super().__init__("en")
        self.seen: set[str] = set()

    def _lookup(self, message: str) -> str:
        self.seen.add(message)
        return f"{OPEN}{message}{CLOSE}"

    def _lookup_n(self, one: str, many: str, count: int) -> str:
        self.seen.add(one)
        return f"{OPEN}{one if count == 1 else many}{CLOSE}"

    def of_study(self, text: str) -> str:
        """Take every study for a shipped one."""
        return self.known(text)


def noted(result: PointResult) -> PointResult:
    """Give a result every cause once over the points, and the host as limit somewhere."""
    codes = sorted(CAUSES)
    code = codes[result.point.index % len(codes)]
    values: dict[str, float | int | str] = {"share": 0.07, "limit": 0.02, "tags": 64, "outstanding": 128}
    notes: tuple[Cause, ...] = (
        Cause(code=code, values=values),
        Cause(code="host_cpu", values={"share": 0.98}),
    )
    if result.point.outstanding != 256:
        notes = notes[:1]
    return result.model_copy(update={"verdict": result.verdict.model_copy(update={"notes": notes})})


def described() -> StoredRun:
    """Make a run of everything: a system, notes, all states of verdict."""
    stored = make_stored_run(change=noted)
    facts = (
        Fact(code="model", value="ACME Turbo 1TB"),
        Fact(code="capacity", value=1_000_204_886_016, unit="bytes_base10"),
        Fact(code="rotational", value=False),
        Fact(code="temperature", value=41.5, unit="degC"),
        Fact(code="serial", missing="left out on request"),
    )
    system = System(sections=(Section(code="device", subject="sda", facts=facts),))
    return stored.model_copy(update={"run": stored.run.model_copy(update={"system": system})})


def texts(value: object, *, codes: bool = False) -> Iterator[str]:
    """Yield every text of a part of a document; without what is typed or named, unless asked."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, Code | CodeBlock):
        if codes:
            yield value.text
    elif isinstance(value, tuple | list) and any(isinstance(item, Strong | Code | Link) for item in value):
        yield "".join(text for item in value for text in texts(item, codes=codes))
    elif isinstance(value, tuple | list):
        for item in value:
            yield from texts(item, codes=codes)
    elif dataclasses.is_dataclass(value):
        for field in dataclasses.fields(value):
            if field.name not in ("key", "align", "tone", "scale", "language", "date"):
                yield from texts(getattr(value, field.name), codes=codes)


def unmarked(text: str) -> str:
    """Give what of a text stands outside of all messages."""
    depth, left = 0, []
    for letter in text:
        depth += (letter == OPEN) - (letter == CLOSE)
        if depth == 0 and letter != CLOSE:
            left.append(letter)
    assert depth == 0, text
    return "".join(left)


NAMES = re.compile(
    r"IO/s|MB/s|\b(?:ms|s|kB|MB|GB|TB|B|UTC|AM|PM)\b|/data/iodyno\.dat|io_uring|SINGLE_ISSUER|iodyno|quick|"
    r"0\.1\.0|\(?4f2a9c1\)?|release|20260314-092653-4f2a|\bMar(?:ch)?\b|ACME Turbo 1TB|sda|°C"
)


def outside_the_catalogue(document: Document) -> list[str]:
    """List the texts of which words stand outside of all messages, names and units aside."""
    start = next(
        place for place, block in enumerate(document.blocks) if getattr(block, "key", "") == "literature"
    )
    blocks = document.blocks[: start + 1] + document.blocks[start + 2 :]  # titles of books are not translated
    parts = texts((document.title_page, blocks, document.footer, document.labels, document.keywords))
    return [text for text in parts if re.search(r"[A-Za-z]", NAMES.sub("", unmarked(text)))]


def tables(document: Document, start: str) -> list[Table]:
    """Give the tables whose key begins so."""
    return [block for block in document.blocks if isinstance(block, Table) and block.key.startswith(start)]
