"""Which papers a command writes: files, and the language of each."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import click

from iodyno.cli.suggesting import ALL, complete_languages

if TYPE_CHECKING:
    from iodyno.errors import Problem

language_option = click.option(
    "--language",
    "languages",
    multiple=True,
    metavar="CODE",
    shell_complete=complete_languages,
    help="Language of the paper: en, de, ja, or all; may be repeated. Several of them put their code "
    "before the end of each name, paper.de.pdf; a name that has one needs no --language.  [default: en]",
)


@dataclass(frozen=True)
class Paper:
    """A file to write, and the language that it is in."""

    file: Path
    language: str


def papers_of_a_run(
    outputs: Sequence[str | Path], languages: Sequence[str]
) -> tuple[tuple[Paper, ...], tuple[Problem, ...]]:
    """Decide which papers are written when a run is done, and give what is wrong with them.

    The second is that of :func:`check_papers`, and a language without a file: for :func:`told_with`.
    """
    papers, wrong = checked_papers(outputs, languages)
    if languages and not (outputs or wrong):
        from iodyno.errors import Problem

        what = "is the language of a paper, and none is asked for"
        return (), (Problem("--language", what, "name its file with -o, or leave it out"),)
    return papers, wrong


def checked_papers(
    outputs: Sequence[str | Path], languages: Sequence[str]
) -> tuple[tuple[Paper, ...], tuple[Problem, ...]]:
    """Do what :func:`check_papers` does, and give what is wrong instead of raising it."""
    if not outputs and not languages:
        return (), ()
    from iodyno.errors import ReportError

    try:
        return check_papers(outputs, languages), ()
    except ReportError as error:
        return (), error.problems


@contextmanager
def told_with(wrong: Sequence[Problem], *, more_to_come: bool = False) -> Iterator[None]:
    """Tell what was found wrong before together with what is wrong in this block.

    Raises
    ------
    IodynoError
        That of the block with both; a ReportError where the block has none, unless more is to come.
    """
    from iodyno.errors import IodynoError, ReportError

    try:
        yield
    except IodynoError as error:
        if not wrong:
            raise
        raise type(error)(*wrong, *error.problems) from None
    if wrong and not more_to_come:
        raise ReportError(*wrong)


def check_papers(outputs: Sequence[str | Path], languages: Sequence[str]) -> tuple[Paper, ...]:
    """Decide which papers are written, before any work is done.

    Parameters
    ----------
    outputs
        Files as they were named. One whose name has a language, ``paper.de.pdf``, is in it.
    languages
        Languages as they were asked for; none: that of the name, else English.

    Returns
    -------
    tuple of Paper
        Each file once.

    Raises
    ------
    ReportError
        With every language that is not there and every file that cannot be written.
    """
    if not outputs and not languages:
        return ()
    from iodyno.cli.output import REPORT_SUFFIXES, check_outputs
    from iodyno.errors import Problem, ReportError
    from iodyno.report.messages import languages as known_languages

    known = known_languages()
    choice = f"choose of {', '.join(known)}, or {ALL}"
    problems = [
        Problem("--language", f"there is no paper in {name!r}", choice)
        for name in languages
        if name not in (*known, ALL)
    ]
    asked = dict.fromkeys(name for name in languages if name in known)
    wanted = known if ALL in languages else tuple(asked)
    problems += [
        Problem(str(file), f"its name says {said!r}, which --language leaves out", f"add --language {said}")
        for file, said in ((file, _language_of(Path(file), known)) for file in outputs)
        if said and wanted and said not in wanted
    ]
    problems += _not_written(outputs, wanted, known) if not problems else ()
    papers = tuple(dict.fromkeys(paper for file in outputs for paper in _papers(Path(file), wanted, known)))
    try:
        check_outputs((paper.file for paper in papers), REPORT_SUFFIXES)
    except ReportError as error:
        problems += error.problems
    if problems:
        raise ReportError(*problems)
    return papers


def _papers(file: Path, wanted: Sequence[str], known: Sequence[str]) -> Iterator[Paper]:
    said = _language_of(file, known)
    if said:
        yield Paper(file, said)
    elif len(wanted) <= 1:
        yield Paper(file, wanted[0] if wanted else known[0])
    else:
        yield from (Paper(file.with_suffix(f".{name}{file.suffix}"), name) for name in wanted)


def _not_written(outputs: Sequence[str | Path], wanted: Sequence[str], known: Sequence[str]) -> list[Problem]:
    """Give the languages asked for that no file is in, as their names say others."""
    from iodyno.errors import Problem

    said = [_language_of(Path(file), known) for file in outputs]
    if not said or "" in said or len(wanted) < 2:
        return []
    lacking = [name for name in wanted if name not in said]
    what = f"{', '.join(lacking)} too, and the names of all files say another language"
    hint = "leave the language out of the name: each gets its own, paper.de.pdf"
    return [Problem("--language", what, hint)] if lacking else []


def _language_of(file: Path, known: Sequence[str]) -> str:
    """Read the language in a name; empty where it has none."""
    said = Path(file.stem).suffix[1:]
    return said if said in known else ""


def refuse_papers_of_plans(papers: tuple[Paper, ...], *, plan_only: bool) -> None:
    """Refuse a paper where nothing is measured."""
    from iodyno.cli.ending import HintedUsageError

    if papers and plan_only:
        raise HintedUsageError("no paper comes of what is not measured", "leave out -o, or --plan")
