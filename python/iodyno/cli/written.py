"""Papers of a run, written into files."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from iodyno.cli.papers import Paper
    from iodyno.report.document import Document
    from iodyno.store.records import StoredRun


def write_papers(stored: StoredRun, papers: Iterable[Paper], beside: Sequence[StoredRun] = ()) -> list[Path]:
    """Write the paper of a run into files, each in its language and in the format of its name.

    Other runs can stand beside it: the paper compares them.

    Raises
    ------
    ReportError
        If the run has no results, a language is not known, or a file cannot be written.
    """
    from concurrent.futures import ThreadPoolExecutor

    from iodyno.cli.output import write_output
    from iodyno.report.paper import build

    wanted = list(papers)
    # A PDF is set outside of Python: meanwhile its page is written, or the next document is built.
    with ThreadPoolExecutor(max_workers=1) as setting:
        pdfs, pages = {}, {}
        for language in dict.fromkeys(paper.language for paper in wanted):
            document = build(stored, language, beside)
            formats = {_is_pdf(paper) for paper in wanted if paper.language == language}
            if True in formats:
                pdfs[language] = setting.submit(_pdf, document)
            if False in formats:
                pages[language] = _page(document)
        made = [
            pdfs[paper.language].result() if _is_pdf(paper) else pages[paper.language] for paper in wanted
        ]
    for paper, data in zip(wanted, made, strict=True):
        write_output(paper.file, data)
    return [paper.file for paper in wanted]


def _is_pdf(paper: Paper) -> bool:
    return paper.file.suffix.lower() == ".pdf"


def _pdf(document: Document) -> bytes:
    from iodyno.report import pdf

    return pdf.render(document)


def _page(document: Document) -> bytes:
    from iodyno.report import html

    return html.render(document).encode()
