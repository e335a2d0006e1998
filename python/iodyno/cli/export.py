"""``iodyno export``: a run for other programs."""

from __future__ import annotations

import io
import sys
from pathlib import Path
from typing import TYPE_CHECKING, cast

import click

from iodyno.cli import named, parameters
from iodyno.cli.options import store_option
from iodyno.cli.output import EXPORT_SUFFIXES, wrong_output
from iodyno.cli.papers import told_with
from iodyno.cli.sections import SectionedCommand

if TYPE_CHECKING:
    from iodyno.export import Format, What
    from iodyno.store.records import StoredRun

FORMATS = (*EXPORT_SUFFIXES.values(), "fio-json")

_WHOLE = {
    "json": "a file of JSON holds the whole run",
    "fio-json": "results as fio writes them hold the whole run",
}
"""Formats that hold all of a run."""


@click.command(cls=SectionedCommand, named=named.of_exporting)
@click.argument("run", default="latest", shell_complete=parameters.complete_runs)
@click.option("--format", "-f", "kind", type=click.Choice(FORMATS), help="Format; otherwise as FILE ends.")
@click.option(
    "-o",
    "--output",
    type=parameters.File(),
    metavar="FILE",
    help="File to write; otherwise stdout. With fio-json a name that does not end in .json is a folder, made "
    "where it is missing: files for each point in it.",
)
@click.option(
    "--table",
    type=click.Choice(("points", "series", "histogram", "targets", "comparisons")),
    help="Table of CSV and Parquet: a row a point, a window (of 100 ms, or of virtual time by the rate), a "
    "histogram bucket, one of several targets, or a quotient that the study asks for.  [default: points]",
)
@click.option("--no-serials", is_flag=True, help="Leave serial numbers out.")
@store_option
def command(
    run: str, kind: str | None, output: str | None, table: str | None, no_serials: bool, store: str | None
) -> None:
    """Write a run as JSON, CSV or Parquet, or as fio writes its results.

    JSON holds the whole run; CSV and Parquet hold one table of it; fio-json is what fio writes with
    --output-format=json+, for programs that read that. Of several loads at once each has rows of its own
    (column load, 0 for the first), and a job in fio-json. RUN is an id of `iodyno runs`, the beginning of
    one, or latest.

    \b
    iodyno export -o run.json
    iodyno export 20261121 -o latencies.csv --table histogram
    iodyno export -f fio-json -o folder
    """  # fmt: skip
    from iodyno.analysis.compared_rows import comparisons_of
    from iodyno.analysis.rows import target_rows
    from iodyno.cli.ending import HintedUsageError
    from iodyno.cli.output import write_output
    from iodyno.export import export_run
    from iodyno.store import Store

    chosen = _format(kind, output)
    if table and chosen in _WHOLE:
        hint = f"leave --table out, or take --format csv for {table} alone"
        raise HintedUsageError(f"{_WHOLE[chosen]}, no single table", hint)
    if chosen == "fio-json" and output and _is_folder(output):
        _into_folder(run, Path(output), serials=not no_serials, store=store)
        return
    with told_with(wrong_output(output or "")), Store.open(store, create=False) as kept:
        stored = kept.load(run)
    if table == "targets" and not target_rows(stored.results):
        click.echo("each point has one target: no rows, --table points has its figures", err=True)
    if table == "comparisons" and not any(comparisons_of(stored)):
        click.echo("the study sets nothing against each other: no rows", err=True)
    content = io.BytesIO()
    export_run(stored, chosen, content, what=cast("What", table or "points"), serials=not no_serials)
    if chosen == "fio-json":
        _say_what_is_not_said(stored)
    if output and output != "-":
        write_output(Path(output), content.getvalue())
        click.echo(f"wrote {output}")
    else:
        sys.stdout.buffer.write(content.getvalue())


def _is_folder(output: str) -> bool:
    """Tell whether a name stands for a folder: one that is there, or one to make.

    Raises
    ------
    HintedUsageError
        If it ends as a folder does and is none.
    """
    from iodyno.cli.ending import HintedUsageError

    place = Path(output)
    if place.is_dir() or output == "-":
        return output != "-"
    if output.endswith("/") and place.exists():
        raise HintedUsageError(f"{output}: is no folder", "leave out the / to replace the file")
    return output.endswith("/") or (place.suffix.lower() != ".json" and not place.exists())


def _into_folder(run: str, folder: Path, *, serials: bool, store: str | None) -> None:
    """Write the files of each point below a folder, as bench-fio lays them out."""
    from iodyno.cli.output import check_outputs, write_output
    from iodyno.export import without_serials
    from iodyno.fio.exporting import files
    from iodyno.store import Store

    with Store.open(store, create=False) as kept:
        stored = kept.load(run)
    written = {
        folder / place: content for place, content in files(stored if serials else without_serials(stored))
    }
    for parent in dict.fromkeys(file.parent for file in written):
        parent.mkdir(parents=True, exist_ok=True)
    check_outputs(written)
    for file, content in written.items():
        write_output(file, content.encode())
    click.echo(f"wrote {len(written)} file{'' if len(written) == 1 else 's'} to {folder}")
    _say_what_is_not_said(stored)


def _say_what_is_not_said(stored: StoredRun) -> None:
    """Say how many jobs of fio are only the nearest to their points, and how many not every fio takes."""
    from iodyno.cli.ending import say
    from iodyno.fio.exporting import not_said, not_taken

    if count := not_said(stored):
        jobs = "1 job does not say" if count == 1 else f"{count} jobs do not say"
        say("note", f"{jobs} all of what was asked: what, stands in iodyno.otherwise of each")
    if count := not_taken(stored):
        jobs = "1 job" if count == 1 else f"{count} jobs"
        say("note", f"not every fio takes {jobs}: why, stands in iodyno.needs of each")


def _format(kind: str | None, output: str | None) -> Format:
    from iodyno.cli.ending import HintedUsageError

    suffix = Path(output).suffix.lower() if output else ""
    found = kind or EXPORT_SUFFIXES.get(suffix, "" if suffix else "json")
    if not found:
        raise HintedUsageError(
            f"{output}: its format is not known", "end the name in .json, .csv or .parquet"
        )
    said = EXPORT_SUFFIXES.get(suffix, found)
    if said not in (found, found.removeprefix("fio-")):
        raise HintedUsageError(
            f"{output}: its name says {said}, and --format says {found}", "change one, or leave --format out"
        )
    if found == "parquet" and (output is None or output == "-") and sys.stdout.isatty():
        raise HintedUsageError("Parquet is no text for a terminal", "name a file with -o")
    return cast("Format", found)
