"""``iodyno remove``: take runs out of the store."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

from iodyno.cli import named, parameters
from iodyno.cli.options import store_option
from iodyno.cli.telling import TellingCommand

if TYPE_CHECKING:
    from collections.abc import Sequence

    from iodyno.store.records import RunSummary


@click.command(cls=TellingCommand, named=named.of_comparing)
@click.argument("runs", nargs=-1, required=True, metavar="RUN...", shell_complete=parameters.complete_runs)
@click.option("-y", "--yes", is_flag=True, help="Remove without asking.")
@store_option
def command(runs: tuple[str, ...], yes: bool, store: str | None) -> None:
    """Remove runs with all their results from the store.

    RUN is an id of `iodyno runs`, the beginning of one, or latest. What was filled and verified
    is forgotten with a run: `iodyno verify` cannot read again what it has written. Targets are
    not touched. Where one of the runs cannot be removed, none is.
    """
    from iodyno.cli.console import console
    from iodyno.cli.runs import runs_table
    from iodyno.store import Store

    with Store.open(store, create=False) as kept:
        meant = _meant(runs, kept.runs())
        if not yes:
            console().print(runs_table(meant))
            if not _wanted(len(meant)):
                click.echo("nothing was removed")
                return
        for run in meant:
            kept.remove(run.id)
            click.echo(f"removed {run.id}")
        if not kept.compact():
            click.echo("the store keeps its size for now: runs to come use what is free in it", err=True)


def _meant(references: Sequence[str], kept: Sequence[RunSummary]) -> list[RunSummary]:
    """Give the runs that are meant, each once; all that is wrong is told together."""
    from iodyno.errors import Problem, StoreError
    from iodyno.store.references import resolve

    by_id, problems = {run.id: run for run in kept}, list[Problem]()
    meant: dict[str, RunSummary] = {}
    for reference in references:
        try:
            run = by_id[resolve(reference, list(by_id))]
        except StoreError as error:
            problems.extend(error.problems)
            continue
        if run.status == "running":
            problems.append(
                Problem(reference, "the run is still being written", "wait for its end, or end it")
            )
        meant[run.id] = run
    if problems:
        raise StoreError(*problems)
    return list(meant.values())


def _wanted(count: int) -> bool:
    from iodyno.cli.ending import HintedUsageError, InterruptedRunError, say

    if not sys.stdin.isatty():
        raise HintedUsageError("nobody can be asked here whether to remove", "--yes removes without asking")
    question = "Remove this run?" if count == 1 else f"Remove these {count} runs?"
    while True:
        try:
            answer = click.prompt(f"{question} [y/N]", default="", show_default=False).strip()
        except click.Abort:
            click.echo(err=True)
            raise InterruptedRunError("nothing was removed") from None
        if answer.lower() in ("", "n", "no", "y", "yes"):
            return answer.lower() in ("y", "yes")
        say("error", f'"{answer}" is neither yes nor no', "write y or n")
