"""No word of a PDF stands in its margin or off its page; every link of both renderings leads somewhere."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from factories import make_stored_run
from iodyno.report import html, paper, pdf
from iodyno.report.document import Document, Heading
from sample_document import sample_document

MARGIN_PT = 20 / 25.4 * 72 - 5.0
"""Least room beside a word: the margin, less the empty half of a wide bracket that begins a line."""
PAGE = re.compile(r'<page width="([\d.]+)" height="([\d.]+)">(.*?)</page>', re.DOTALL)
WORD = re.compile(r'<word xMin="([-\d.]+)" yMin="([-\d.]+)" xMax="([-\d.]+)" yMax="([-\d.]+)">(.*?)</word>')


LANGUAGES = ("en", "de", "ja")


def documents() -> dict[str, Document]:
    """Each kind of document that the tests make: of few curves, of two runs, and of texts of all sorts."""
    run, other = make_stored_run(), make_stored_run(profiles=("database", "streaming"))
    other = other.model_copy(update={"run": other.run.model_copy(update={"id": "20260315-092653-5b3c"})})
    return {
        "sample": sample_document(),
        **{f"paper-{language}": paper.build(run, language) for language in LANGUAGES},
        **{f"beside-{language}": paper.build(run, language, beside=(other,)) for language in LANGUAGES},
    }


DOCUMENTS = documents()


def printed(program: str, data: bytes, folder: Path, *options: str) -> str:
    """Run a program of poppler on a PDF."""
    if shutil.which(program) is None:
        pytest.skip(f"{program} is not installed")
    (folder / "paper.pdf").write_bytes(data)
    return subprocess.run([program, *options], cwd=folder, check=True, capture_output=True, text=True).stdout


def outside(data: bytes, folder: Path) -> list[str]:
    """List the words that reach into a margin or over the edge, with their page."""
    said = printed("pdftotext", data, folder, "-bbox", "paper.pdf", "-")
    pages = PAGE.findall(said)
    assert pages, "pdftotext gave no pages"
    return [
        f"page {number}: {word} ({left}–{right})"
        for number, (width, height, words) in enumerate(pages, start=1)
        for left, top, right, bottom, word in WORD.findall(words)
        if float(left) < MARGIN_PT
        or float(right) > float(width) - MARGIN_PT
        or float(top) < 0
        or float(bottom) > float(height)
    ]


@pytest.mark.parametrize("kind", DOCUMENTS)
def test_no_word_leaves_the_text_of_its_page(kind: str, tmp_path: Path) -> None:
    assert outside(pdf.render(DOCUMENTS[kind]), tmp_path) == []


@pytest.mark.parametrize("kind", DOCUMENTS)
def test_every_link_of_the_page_leads_to_a_block(kind: str) -> None:
    page = html.render(DOCUMENTS[kind])
    idents = re.findall(r'\bid="([^"]+)"', page)
    assert len(idents) == len(set(idents))
    assert set(re.findall(r'href="#([^"]+)"', page)) <= set(idents)


@pytest.mark.parametrize("kind", DOCUMENTS)
def test_every_heading_that_is_linked_has_a_place_in_the_pdf(kind: str, tmp_path: Path) -> None:
    document = DOCUMENTS[kind]
    said = printed("pdfinfo", pdf.render(document), tmp_path, "-dests", "paper.pdf")
    places = set(re.findall(r'"(.+)"$', said, re.MULTILINE))
    linked = set(re.findall(r'href="#([^"]+)"', html.render(document)))
    keys = {block.key for block in document.blocks if isinstance(block, Heading)}
    assert linked & keys
    assert linked & keys <= places
