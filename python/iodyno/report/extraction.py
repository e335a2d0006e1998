"""The template of the message catalogues: every message of the paper, for translators.

``python -m iodyno.report.extraction`` writes ``locale/iodyno.pot``; a test tells when that
is due. A language starts with ``pybabel init`` and follows with ``pybabel update``.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timezone
from io import BytesIO
from pathlib import Path

from babel.messages.catalog import Catalog
from babel.messages.extract import extract
from babel.messages.pofile import write_po

from iodyno.study import load_study, shipped
from iodyno.system import FACT_LABELS, MISSING_REASONS, SECTION_LABELS
from iodyno.verdict import CAUSES

KEYWORDS = {"say": None, "compose": None, "N_": None, "say_n": (1, 2)}
"""Functions whose texts are messages; two of ``say_n`` are one with its plural."""
FOLDER = Path(__file__).parent
TEMPLATE = FOLDER / "locale" / "iodyno.pot"
_MADE = datetime(2026, 1, 1, tzinfo=timezone.utc)
"""Always the same: the template changes with the messages and not with the day."""


def catalogue() -> Catalog:
    """Gather the messages as the sources are now: each once."""
    gathered = Catalog(
        project="iodyno",
        version="1",
        copyright_holder="the iodyno authors",
        creation_date=_MADE,
        charset="utf-8",
    )
    gathered.header_comment = "# Messages of the iodyno papers."
    for file, message in messages():
        gathered.add(message, locations=[(file, 1)] if file else [])
    return gathered


def template() -> str:
    """Write the template."""
    written = BytesIO()
    write_po(written, catalogue(), width=100, include_lineno=False, sort_output=True)
    return written.getvalue().decode()


def messages() -> Iterator[tuple[str, str | tuple[str, ...]]]:
    """Yield file and message: those of the sources, then texts of data that the paper looks up."""
    for source in sorted(FOLDER.rglob("*.py")):
        with source.open("rb") as opened:
            for _, message, _, _ in extract("python", opened, KEYWORDS):
                yield source.relative_to(FOLDER).as_posix(), message
    for text in _of_studies():
        yield "", text
    for text in (*SECTION_LABELS.values(), *FACT_LABELS.values(), *MISSING_REASONS, *CAUSES.values()):
        yield "", text


def _of_studies() -> Iterator[str]:
    """Yield the texts of the studies that are shipped."""
    for name in shipped():
        study = load_study(name)
        sweeps = (text for sweep in study.sweep for text in (sweep.title, sweep.description))
        yield from (text for text in (study.title, study.question, *sweeps) if text)


if __name__ == "__main__":
    TEMPLATE.write_text(template(), encoding="utf-8")
