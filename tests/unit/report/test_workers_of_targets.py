"""Where targets have workers of their own, names, tables and advice say so: two each are not two in all."""

from __future__ import annotations

import re
from functools import lru_cache
from pathlib import Path

import pytest

from command_line import CommandLine
from exports import exported, read_csv
from factories import make_point, make_profile, make_target
from iodyno.analysis.matching import lacking
from iodyno.analysis.run import analyse
from iodyno.cli.counterparts import lacking_lines
from iodyno.report import paper
from iodyno.report.context import Context
from iodyno.report.document import Table
from iodyno.report.messages import Messages, plain
from iodyno.report.names import access, workers_text
from iodyno.report.sections import disclosure_curves
from iodyno.report.sections.comparison import _groups
from iodyno.store.records import StoredRun
from simulated_papers import made, said

STUDY = """
schema = 1
name = "workers"
title = "Workers of each drive"
[[configuration]]
name = "{{n}}-drives"
system = "{system}"
each = {{ n = [1, 2] }}
{changes}
[[sweep]]
name = "own"
profiles = ["database"]
outstanding = [1, 8]
workers = [1, 2]
targets_per_worker = 1
"""
ENDS = {
    "en": ["1 worker", "2 workers", "1 worker for each target", "2 workers for each target"],
    "de": ["1 Worker", "2 Worker", "1 Worker je Ziel", "2 Worker je Ziel"],
    "ja": [
        "ワーカー数 1",
        "ワーカー数 2",
        "ターゲット別ワーカー数 1",
        "ターゲット別ワーカー数 2",
    ],
}
HEADS = {"en": "Workers for each target", "de": "Worker je Ziel", "ja": "ターゲット別ワーカー数"}
LANGUAGES = pytest.mark.parametrize("language", ["en", "de", "ja"])


@lru_cache(maxsize=1)
def stored() -> StoredRun:
    return made(STUDY.format(system="made-up", changes=""))


def context(language: str) -> Context:
    return Context(stored(), analyse(stored()), Messages(language))


@LANGUAGES
def test_a_paper_tells_workers_of_each_target_from_those_of_all(language: str) -> None:
    """One drive is one target: its two workers are two. Two drives with two workers each have four."""
    (table,) = (
        one
        for one in paper.build(stored(), language).blocks
        if isinstance(one, Table) and one.key == "table-maxima"
    )
    names = [plain(row[0].text) for row in table.rows]
    assert [re.split("[,、] ?", name)[-1] for name in names] == ENDS[language]


@LANGUAGES
def test_advice_on_workers_says_whose_they_are(language: str) -> None:
    """The rates of both numbers of workers are the same, so one is enough for each target."""
    assert re.search(rf"{HEADS[language]}[,、] ?2-drives[:：]", said(stored(), language))


@LANGUAGES
def test_the_disclosure_heads_workers_by_what_they_are_of(language: str) -> None:
    found = context(language)
    table = disclosure_curves.table(found, "own", found.analysis.curves)
    cells = [plain(row[2].text) for row in table.rows]
    assert (table.columns[2].title, cells) == (HEADS[language], ["1", "2", "1", "2"])


@pytest.mark.parametrize(
    ("language", "words"),
    [
        ("en", "2 workers for every 3 targets"),
        ("de", "2 Worker je 3 Ziele"),
        ("ja", "ターゲット 3 個ごとのワーカー数 2"),
    ],
)
def test_some_targets_can_have_workers_of_their_own_together(language: str, words: str) -> None:
    assert workers_text(Messages(language), 2, 3) == words


def test_the_terminal_says_the_same(iodyno_says: CommandLine, tmp_path: Path) -> None:
    study = tmp_path / "workers.toml"
    study.write_text(STUDY.format(system="nvme-today", changes='changes = { count = "{n}" }'))
    done = iodyno_says("simulate", study, "--warmup-ios", "400", "--floor-ios", "400", "--cap-ios", "400")
    assert done.code == 0, done.err
    names = re.findall(r"^Database, (.+?)  ", done.out, re.MULTILINE)
    assert names == ENDS["en"]
    shown = iodyno_says("show", done.out.split()[1].rstrip(":")).out
    assert "1 target for each worker" not in shown
    assert "2 workers for each target" in shown


def test_an_export_tells_workers_of_each_target_from_those_of_all() -> None:
    """Of one target every worker drives all that there is."""
    rows = read_csv(exported(stored(), "csv"))
    found = {(row["system"], row["workers"], row["targets_per_worker"]) for row in rows}
    assert found == {
        ("1-drives", "1", ""), ("1-drives", "2", ""), ("2-drives", "1", "1"), ("2-drives", "2", "1"),
    }  # fmt: skip


def test_lists_in_japanese_have_no_latin_commas() -> None:
    """Workers, accesses by zones and what a profile asks for were parted by those of English."""
    zones = make_profile(random_share=1.0, distribution="90/10, 10/90")
    assert access(Messages("ja"), zones) == "ランダム（10% に 90%、90% に 10%）"
    assert "、ワーカーごとにターゲット 1 個" in said(stored(), "ja")


def test_points_whose_targets_have_workers_of_their_own_are_told_apart() -> None:
    """One worker for all targets and one for each of them had one name, and their points one number."""
    two = (make_target("/a"), make_target("/b"))
    own = [make_point("database", load, targets=two, targets_per_worker=1) for load in (2, 4)]
    points = [*(make_point("database", load, targets=two) for load in (2, 4)), *own]
    points += [point.model_copy(update={"workers": 3}) for point in own]
    compared = [make_point("database", 1)]
    assert list(lacking_lines(points, compared)) == [
        "  Database, 2 targets at 2 and 4 outstanding I/Os: 2 points",
        "  Database, 1 worker for each target, 2 targets at 2 and 4 outstanding I/Os: 2 points",
        "  Database, 3 workers for each target, 2 targets at 2 and 4 outstanding I/Os: 2 points",
    ]
    assert _groups(Messages("en"), lacking(points, compared)) == [
        "Database, at 2 and 4 outstanding I/Os",
        "Database, 1 worker for each target, at 2 and 4 outstanding I/Os",
        "Database, 3 workers for each target, at 2 and 4 outstanding I/Os",
    ]
