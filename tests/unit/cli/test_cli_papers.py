"""Which papers a command writes: files and languages."""

from __future__ import annotations

from pathlib import Path

import pytest

from command_line import CommandLine
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


@pytest.mark.parametrize(
    "command", [("simulate", "quick", "--on", "p3700"), ("measure", ".", "--quick"), ("search",)]
)
def test_a_language_without_a_paper_is_refused(iodyno_says: CommandLine, command: tuple[str, ...]) -> None:
    words = ("--profile", "database", "--p99", "2ms", "--on", "p3700") if command == ("search",) else ()
    said = iodyno_says(*command, *words, "--language", "de")
    assert (said.code, said.out) == (2, "")
    assert said.err.splitlines() == [
        "error: --language: is the language of a paper, and none is asked for",
        "hint: name its file with -o, or leave it out",
    ]
    assert "there is no paper in 'fr'" in iodyno_says(*command, *words, "--language", "fr").err


def test_a_paper_is_a_file_and_a_language() -> None:
    assert Paper(Path("a.pdf"), "de") == Paper(Path("a.pdf"), "de")
