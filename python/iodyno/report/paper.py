"""The white paper of a run, as a document that HTML and PDF render."""

from __future__ import annotations

from iodyno.analysis.run import analyse
from iodyno.errors import ReportError
from iodyno.report.context import Context
from iodyno.report.document import Block, Document, Labels
from iodyno.report.messages import SOURCE_LANGUAGE, Messages
from iodyno.report.sections import (
    attachments,
    convergence,
    disclosure,
    glossary,
    history,
    introduction,
    literature,
    method,
    overall,
    practice,
    reading_guide,
    results,
    system,
    technical,
    title,
)
from iodyno.store.records import StoredRun

SECTIONS = (
    history.blocks,
    introduction.blocks,
    technical.blocks,
    reading_guide.blocks,
    method.blocks,
    system.blocks,
    results.blocks,
    overall.blocks,
    practice.practice,
    practice.conclusion,
    literature.blocks,
    disclosure.blocks,
    convergence.blocks,
    glossary.blocks,
)
"""The sections in their order; each makes its blocks from the context."""


def build(stored: StoredRun, language: str = SOURCE_LANGUAGE) -> Document:
    """Build the paper of a run.

    Parameters
    ----------
    stored
        A run with at least one result.
    language
        ``en``, or one that has a catalogue.

    Returns
    -------
    Document
        All texts final, ready to be rendered. The same run gives the same document.

    Raises
    ------
    ReportError
        If the run has no results, or there is no catalogue for the language.
    """
    return build_with(stored, Messages(language))


def build_with(stored: StoredRun, messages: Messages) -> Document:
    """Build the paper of a run with messages that are already there."""
    if not stored.results:
        raise ReportError.of(
            stored.run.id,
            "the run has no results yet",
            "finish it with: iodyno measure --resume " + stored.run.id,
        )
    context = Context(stored, analyse(stored), messages)
    blocks: list[Block] = []
    for section in SECTIONS:
        blocks.extend(section(context))
    return Document(
        language=messages.language,
        title_page=title.title_page(context),
        blocks=tuple(blocks),
        footer=title.footer(context),
        date=stored.run.started_at[:10],
        labels=_labels(messages),
        keywords=title.keywords(context),
        attachments=attachments.attachments(context),
    )


def _labels(messages: Messages) -> Labels:
    return Labels(
        contents=messages.say("Contents"),
        figure=messages.say("Figure"),
        table=messages.say("Table"),
        page=messages.say("Page {page} of {pages}", page="{page}", pages="{pages}"),
        note=messages.say("Note."),
        warning=messages.say("Warning."),
        copy=messages.say("Copy"),
        skip=messages.say("Skip to the text"),
        theme=messages.say("Light or dark"),
        attached=messages.say("Attached"),
    )
