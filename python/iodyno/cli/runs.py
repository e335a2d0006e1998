"""``iodyno runs``: the runs that are kept."""

from __future__ import annotations

import json
from datetime import datetime
from typing import TYPE_CHECKING

import click

from iodyno.cli.options import json_option, store_option
from iodyno.cli.telling import TellingCommand

if TYPE_CHECKING:
    from collections.abc import Sequence

    from iodyno.cli.narrow import FittedTable
    from iodyno.store.records import RunSummary

MOST_TARGETS = 4
"""Targets of a run that are listed."""


@click.command(cls=TellingCommand)
@store_option
@json_option
def command(store: str | None, as_json: bool) -> None:
    """List the runs that are kept, latest first.

    Commands that take a run take its id, a beginning of the id that no other run has,
    latest, or latest~1 for the one before.
    """
    from iodyno.cli.console import console
    from iodyno.errors import StoreError
    from iodyno.store import Store, default_path

    try:
        with Store.open(store, create=False) as kept:
            runs = kept.runs()
    except StoreError:
        if store or default_path().exists():
            raise
        runs = []
    if as_json:
        click.echo(json.dumps([run.model_dump(mode="json") for run in runs], indent=2))
        return
    if not runs:
        click.echo("no runs yet: `iodyno measure --quick .` makes one")
        return
    console().print(runs_table(runs))


def runs_table(runs: Sequence[RunSummary]) -> FittedTable:
    """Give a table with a row for each run."""
    from iodyno.cli.console import table

    columns = (
        ("run", "whole"),
        ("started", "left"),
        ("study", "left"),
        ("points", "right"),
        ("status", "left"),
    )
    return table([*columns, ("targets", "left")], [_row(run) for run in runs])


def local_time(moment: str) -> str:
    """Write a moment of a record in the time zone of this machine."""
    return datetime.fromisoformat(moment).astimezone().strftime("%Y-%m-%d %H:%M")


def _row(run: RunSummary) -> tuple[str, ...]:
    points, targets = f"{run.done}/{run.points}", ", ".join(run.targets[:MOST_TARGETS])
    more = len(run.targets) - MOST_TARGETS
    if more > 0:
        targets += f" and {more} more"
    if run.simulated:
        targets = f"simulated: {targets}"
    if run.imported:
        targets = f"imported from {run.imported}: {targets}"
    return run.id, local_time(run.started_at), run.study, points, run.status, targets
