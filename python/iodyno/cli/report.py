"""``iodyno report``: the white paper of a run."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from iodyno.cli import parameters
from iodyno.cli.options import store_option
from iodyno.cli.papers import Paper, check_papers, language_option

if TYPE_CHECKING:
    from iodyno.store.records import StoredRun


@click.command()
@click.argument("run", default="latest", shell_complete=parameters.complete_runs)
@click.option(
    "-o",
    "--output",
    "outputs",
    multiple=True,
    type=click.Path(readable=False),
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
    run: str, outputs: tuple[str, ...], beside: tuple[str, ...], languages: tuple[str, ...], store: str | None
) -> None:
    """Write the white paper of a run, as PDF or HTML.

    RUN is an id of `iodyno runs`, the beginning of one, or latest.

    \b
    iodyno report -o paper.pdf -o paper.html
    iodyno report 20261121 --language de -o bericht.pdf
    iodyno report -o paper.pdf --language all
    iodyno report measured-run --beside simulated-run -o both.pdf
    """  # fmt: skip
    from iodyno.collecting import paused
    from iodyno.store import Store

    papers = check_papers(outputs, languages)
    with paused():
        with Store.open(store, create=False) as kept:
            stored, others = kept.load(run), [kept.load(other) for other in beside]
        wanted = papers or check_papers(default_files(stored), languages)
        for file in write_papers(stored, wanted, others):
            click.echo(f"wrote {file}")


def default_files(stored: StoredRun) -> tuple[Path, ...]:
    """Name the files where the user did not."""
    return Path(f"iodyno-{stored.run.id}.html"), Path(f"iodyno-{stored.run.id}.pdf")


def write_papers(stored: StoredRun, papers: Iterable[Paper], beside: Sequence[StoredRun] = ()) -> list[Path]:
    """Write the paper of a run into files, each in its language and in the format of its name.

    Other runs can stand beside it: the paper compares them.

    Raises
    ------
    ReportError
        If the run has no results, a language is not known, or a file cannot be written.
    """
    from iodyno.cli.output import write_output
    from iodyno.report.paper import build

    wanted = list(papers)
    documents = {
        name: build(stored, name, beside) for name in dict.fromkeys(paper.language for paper in wanted)
    }
    written = []
    for paper in wanted:
        file, document = paper.file, documents[paper.language]
        if file.suffix.lower() == ".pdf":
            from iodyno.report import pdf

            write_output(file, pdf.render(document))
        else:
            from iodyno.report import html

            write_output(file, html.render(document).encode())
        written.append(file)
    return written
