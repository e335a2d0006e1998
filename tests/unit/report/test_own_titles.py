"""Titles of a study of one's own stay as they are, though a shipped study has the same words."""

from __future__ import annotations

from pathlib import Path

import pytest

from command_line import CommandLine
from iodyno.report import paper
from iodyno.report.document import Document, Heading
from iodyno.report.messages import Messages
from iodyno.store import Store

QUICK, SWEEP = "A quick look at disk I/O performance", "The standard load profiles"
SYSTEM = "P3700 800 GB, 2.5 inch"
SHORT = ("--area", "8G", "--floor-ios", "1000", "--cap-ios", "1000", "--profile", "database", "-q")
STUDY = f"""
schema = 1
name = "mine"
title = "{QUICK}"
[[configuration]]
name = "one"
title = "{SYSTEM}"
system = "p3700"
[[configuration]]
name = "two"
title = "4 × P3700 800 GB, independent"
system = "nvme-today"
[[sweep]]
name = "load"
title = "{SWEEP}"
profiles = ["database"]
outstanding = [8]
workers = 1
[[sweep]]
name = "workers"
profiles = ["database"]
outstanding = [8]
workers = 2
"""


def made(language: str) -> Document:
    with Store.open() as store:
        return paper.build(store.load("latest"), language)


@pytest.mark.parametrize("language", ["de", "ja"])
def test_titles_of_an_own_study_are_not_translated(
    iodyno_says: CommandLine, tmp_path: Path, language: str
) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(STUDY)
    assert iodyno_says("simulate", str(path), *SHORT).code == 0
    for text in (QUICK, SWEEP, "4 × P3700 800 GB, independent"):
        assert Messages(language).titled(text) != text  # a shipped study has it
    document = made(language)
    heads = [str(block.text) for block in document.blocks if isinstance(block, Heading)]
    assert document.title_page.title == QUICK
    assert SWEEP in heads
    said = str(document)
    assert "4 × P3700 800 GB, independent" in said
    assert Messages(language).titled("4 × P3700 800 GB, independent") not in said
    assert Messages(language).of_study("Database") in said  # a shipped profile


@pytest.mark.parametrize("language", ["de", "ja"])
def test_those_of_a_shipped_one_are(iodyno_says: CommandLine, language: str) -> None:
    assert iodyno_says("simulate", "quick", "--on", "p3700", *SHORT).code == 0
    assert made(language).title_page.title == Messages(language).of_study(QUICK) != QUICK


@pytest.mark.parametrize("language", ["de", "ja"])
def test_nor_are_they_beside_a_run_of_the_shipped_study(
    iodyno_says: CommandLine, tmp_path: Path, language: str
) -> None:
    """What stands beside it says nothing of whose words they are."""
    path = tmp_path / "mine.toml"
    path.write_text(STUDY)
    assert iodyno_says("simulate", "quick", "--on", "p3700", *SHORT).code == 0
    assert iodyno_says("simulate", str(path), *SHORT).code == 0
    with Store.open() as store:
        own, shipped = store.load("latest"), store.load("latest~1")
    document = paper.build(own, language, [shipped])
    heads = [str(block.text) for block in document.blocks if isinstance(block, Heading)]
    assert document.title_page.title == QUICK
    assert SWEEP in heads
    other = paper.build(shipped, language, [own])
    assert other.title_page.title == Messages(language).of_study(QUICK)


NAMED = f"""
schema = 1
name = "mine"
title = "One system"
[[configuration]]
name = "mine"
title = "{SYSTEM}"
system = "p3700"
[[sweep]]
name = "load"
profiles = ["database"]
outstanding = [8]
workers = 1
"""


@pytest.mark.parametrize("language", ["de", "ja"])
def test_each_run_of_a_comparison_speaks_its_own_words(
    iodyno_says: CommandLine, tmp_path: Path, language: str
) -> None:
    """The system of one is that of a shipped study, that of the other was called the same by somebody."""
    path = tmp_path / "mine.toml"
    path.write_text(NAMED)
    only = ("--only", "single-800g-sff", "--outstanding", "8", "--workers", "1")
    assert iodyno_says("simulate", "p3700", *only, *SHORT).code == 0
    assert iodyno_says("simulate", str(path), *SHORT).code == 0
    translated = Messages(language).titled(SYSTEM)
    assert translated != SYSTEM
    with Store.open() as store:
        own, shipped = store.load("latest"), store.load("latest~1")
    for run, other in ((own, shipped), (shipped, own)):
        blocks = paper.build(run, language, [other]).blocks
        place = next(
            place for place, block in enumerate(blocks) if getattr(block, "key", "") == "comparison-0"
        )
        said = str(blocks[place + 1])
        assert SYSTEM in said
        assert translated in said
