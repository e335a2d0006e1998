"""``iodyno report``: the white paper of a run."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from iodyno.cli import named, parameters
from iodyno.cli.options import store_option
from iodyno.cli.papers import check_papers, checked_papers, language_option, told_with
from iodyno.cli.telling import TellingCommand

if TYPE_CHECKING:
    from iodyno.errors import Problem
    from iodyno.store.records import StoredRun


@click.command(cls=TellingCommand, named=named.of_reporting)
@click.argument("runs", nargs=-1, metavar="[RUN]", shell_complete=parameters.complete_runs)
@click.option(
    "-o",
    "--output",
    "outputs",
    multiple=True,
    type=parameters.File(),
    metavar="FILE",
    help="File to write, .pdf or .html; may be repeated. Otherwise both, named after the run.",
)
@click.option(
    "--beside",
    multiple=True,
    metavar="RUN",
    shell_complete=parameters.complete_runs,
    help="Compare with this run in a section of its own; may be repeated.",
)
@language_option
@store_option
def command(
    runs: tuple[str, ...],
    outputs: tuple[str, ...],
    beside: tuple[str, ...],
    languages: tuple[str, ...],
    store: str | None,
) -> None:
    """Write the white paper of a run, as PDF or HTML.

    RUN is an id of `iodyno runs`, the beginning of one, or latest.

    \b
    iodyno report -o paper.pdf -o paper.html
    iodyno report 20261121 --language de -o bericht.pdf
    iodyno report -o paper.pdf --language all
    iodyno report latest~1 --beside latest -o both.pdf
    """  # fmt: skip
    from iodyno.cli.counterparts import tell_of_itself
    from iodyno.cli.ending import WrongRequestError
    from iodyno.cli.written import write_papers
    from iodyno.collecting import paused
    from iodyno.report.sentences.unlike import refuse_unlike
    from iodyno.store import Store

    papers, wrong = checked_papers(outputs, languages)
    run, *more = runs or ("latest",)
    if more:
        values = {"runs": runs, "beside": beside, "outputs": outputs, "languages": languages, "store": store}
        raise WrongRequestError(_several(runs), *named.of_reporting(values))
    with paused():
        with told_with(wrong), Store.open(store, create=False) as kept:
            stored, *others = kept.load_each((run, *beside))
        tell_of_itself(stored, others)
        refuse_unlike(stored, others)
        wanted = papers or check_papers(default_files(stored), languages)
        for file in write_papers(stored, wanted, others):
            click.echo(f"wrote {file}")


def _several(runs: Sequence[str]) -> Problem:
    """Say how papers are written of several runs."""
    from iodyno.errors import Problem

    first, *others = dict.fromkeys(runs)
    beside = "".join(f" --beside {run}" for run in others)
    what = f"a paper is of one run, and {len(runs)} are given: {', '.join(runs)}"
    compares = f"`iodyno report {first}{beside}` compares them in the first's paper"
    return Problem("", what, compares if others else "name it once")


def default_files(stored: StoredRun) -> tuple[Path, ...]:
    """Name the files where the user did not."""
    return Path(f"iodyno-{stored.run.id}.html"), Path(f"iodyno-{stored.run.id}.pdf")
