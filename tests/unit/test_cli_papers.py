"""Which papers a command writes: files and languages."""

from __future__ import annotations

from pathlib import Path

import pytest

from iodyno.cli.papers import Paper, check_papers
from iodyno.errors import ReportError


def named(folder: Path, outputs: list[str], languages: list[str]) -> list[tuple[str, str]]:
    papers = check_papers([folder / name for name in outputs], languages)
    return [(paper.file.name, paper.language) for paper in papers]


@pytest.mark.parametrize(
    ("outputs", "languages", "expected"),
    [
        (["a.pdf"], [], [("a.pdf", "en")]),
        (["a.pdf"], ["ja"], [("a.pdf", "ja")]),
        (["a.de.pdf", "a.html"], [], [("a.de.pdf", "de"), ("a.html", "en")]),
        (["a.pdf"], ["de", "ja"], [("a.de.pdf", "de"), ("a.ja.pdf", "ja")]),
        (["a.pdf"], ["all"], [("a.en.pdf", "en"), ("a.de.pdf", "de"), ("a.ja.pdf", "ja")]),
        (["a.pdf", "a.de.pdf"], ["de", "en"], [("a.de.pdf", "de"), ("a.en.pdf", "en")]),
        (["v1.2.pdf"], ["de", "en"], [("v1.2.de.pdf", "de"), ("v1.2.en.pdf", "en")]),
        ([], ["de"], []),
    ],
)
def test_a_name_or_the_option_says_the_language(
    tmp_path: Path, outputs: list[str], languages: list[str], expected: list[tuple[str, str]]
) -> None:
    assert named(tmp_path, outputs, languages) == expected


def test_everything_that_cannot_be_is_said_at_once(tmp_path: Path) -> None:
    with pytest.raises(ReportError) as caught:
        check_papers([tmp_path / "a.de.pdf", tmp_path / "a.odt"], ["fr", "ja"])
    problems = caught.value.problems
    assert [problem.where for problem in problems] == [
        "--language",
        *(str(tmp_path / name) for name in ("a.de.pdf", "a.odt")),
    ]
    assert problems[0].hint == "choose of en, de, ja, or all"
    assert problems[1].hint == "add --language de"


def test_a_paper_is_a_file_and_a_language() -> None:
    assert Paper(Path("a.pdf"), "de") == Paper(Path("a.pdf"), "de")
