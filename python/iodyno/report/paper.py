"""The white paper of a run, as a document that HTML and PDF render."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from iodyno.analysis.run import analyse
from iodyno.errors import ReportError
from iodyno.report.captions import told_apart
from iodyno.report.coinciding import with_coinciding
from iodyno.report.context import Context
from iodyno.report.document import Block, Document, Figure, Labels, Table
from iodyno.report.explained import with_marks
from iodyno.report.layout.outline import with_numbers
from iodyno.report.messages import SOURCE_LANGUAGE, Messages
from iodyno.report.sections import (
    attachments,
    closeness,
    comparison,
    conditioning,
    convergence,
    disclosure,
    glossary,
    history,
    integrity,
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
from iodyno.report.sections import beside as beside_runs
from iodyno.store.records import StoredRun

SECTIONS = (
    history.blocks,
    introduction.blocks,
    technical.blocks,
    closeness.blocks,
    reading_guide.blocks,
    method.blocks,
    system.blocks,
    results.blocks,
    overall.blocks,
    integrity.blocks,
    comparison.blocks,
    practice.practice,
    practice.conclusion,
    literature.blocks,
    disclosure.blocks,
    conditioning.blocks,
    convergence.blocks,
    glossary.blocks,
)
"""The sections in their order; each makes its blocks from the context."""


def build(stored: StoredRun, language: str = SOURCE_LANGUAGE, beside: Sequence[StoredRun] = ()) -> Document:
    """Build the paper of a run.

    Parameters
    ----------
    stored
        A run with at least one result.
    language
        ``en``, or one that has a catalogue.
    beside
        Other runs with results, that the paper compares this one with.

    Returns
    -------
    Document
        All texts final, ready to be rendered. The same run gives the same document.

    Raises
    ------
    ReportError
        If the run has no results, or there is no catalogue for the language.
    """
    return build_with(stored, Messages(language, frozenset({stored.run.plan.study})), beside)


def build_with(stored: StoredRun, messages: Messages, beside: Sequence[StoredRun] = ()) -> Document:
    """Build the paper of a run with messages that are already there."""
    for one in (stored, *beside):
        if not one.results:
            command = f"iodyno {'simulate' if one.run.simulated else 'measure'} --resume {one.run.id}"
            raise ReportError.of(one.run.id, "the run has no results yet", f"`{command}` goes on with it")
    context = Context(stored, analyse(stored), messages, tuple(beside))
    blocks: list[Block] = []
    for section in SECTIONS:
        blocks.extend(section(context))
    files = attachments.attachments(context)
    document = Document(
        language=messages.language,
        title_page=title.title_page(context),
        blocks=tuple(
            with_coinciding(messages, with_marks(messages, _marked(context, block)))
            for block in told_apart(messages, blocks)
        ),
        simulated=stored.run.simulated,
        footer=title.footer(context),
        date=stored.run.started_at[:10],
        labels=_labels(messages),
        keywords=title.keywords(context),
        attachments=(*files, *beside_runs.attachments(context, files)),
    )
    return with_numbers(document)


OF_RESULTS = ("table-load", "table-side", "table-offered", "table-maxima", "table-lowest",
              "table-latencies", "table-limits", "table-latency", "table-scaling", "table-disclosure",
              "table-bottlenecks", "table-rebuilds", "table-against")  # fmt: skip
"""Beginnings of the keys of tables that hold figures."""


def _marked(context: Context, block: Block) -> Block:
    """Say in the caption of each figure and table of results that it is simulated, where it is."""
    if not context.run.simulated or not isinstance(block, Figure | Table) or "comparison" in block.key:
        return block
    if isinstance(block, Table) and not block.key.startswith(OF_RESULTS):
        return block
    messages = context.messages
    return replace(block, caption=messages.remarked(block.caption, messages.say("simulated")))


def _labels(messages: Messages) -> Labels:
    return Labels(
        contents=messages.say("Contents"),
        figure=messages.say("Figure"),
        table=messages.say("Table"),
        continued=messages.say("Table {number}, continued", number="{number}"),
        page=messages.say("Page {page} of {pages}", page="{page}", pages="{pages}"),
        note=messages.say("Note."),
        warning=messages.say("Warning."),
        copy=messages.say("Copy"),
        skip=messages.say("Skip to the text"),
        theme=messages.say("Light or dark"),
        attached=messages.say("Attached"),
        copy_data=messages.say("Copy data"),
        enlarge=messages.say("Enlarge"),
        close=messages.say("Close"),
        series=messages.say("Show or hide"),
    )
