"""``iodyno import``: results of fio into the store."""

from __future__ import annotations

import sys
from datetime import datetime, timezone
from pathlib import Path

import click

from iodyno.cli.options import store_option
from iodyno.cli.sentences import say_line
from iodyno.cli.telling import TellingCommand


@click.command(cls=TellingCommand)
@click.argument("paths", nargs=-1, required=True, type=click.Path(readable=False), metavar="FILE...")
@click.option("--title", default="", metavar="TEXT", help="Title of the run.")
@click.option("--skip-unreadable", is_flag=True, help="Leave out files that hold no result, and name them.")
@store_option
def command(paths: tuple[str, ...], title: str, skip_unreadable: bool, store: str | None) -> None:
    """Take results of fio into the store as a run.

    FILE is what fio wrote with --output-format=json or json+, or a folder with such files, as
    bench-fio makes it. json+ has the bins of the latencies: without them only some percentiles are
    known. The run is marked as imported: nothing of it is judged. A file that cannot be read refuses
    all, unless --skip-unreadable leaves it out.

    \b
    iodyno import result.json
    iodyno import benchmarks/ --title "The old array"
    """  # fmt: skip
    from iodyno import bench
    from iodyno.cli.ending import say
    from iodyno.cli.wording import points_text
    from iodyno.fio.importing import import_results
    from iodyno.store import Store, new_run_id
    from iodyno.store.records import ToolFacts

    now = datetime.now(timezone.utc)
    stored, notes = import_results(
        [Path(path) for path in paths],
        run_id=new_run_id(now),
        now=now,
        tool=ToolFacts(**bench.build_facts()),
        command=("iodyno", *sys.argv[1:]),
        title=title,
        skip_unreadable=skip_unreadable,
    )
    with Store.open(store) as kept:
        run = kept.begin(stored.run)
        kept.add_all(run.id, stored.results)
        kept.finish(run.id, "finished", now=now)
    for note in notes:
        say("note", note)
    say_line(f"run {run.id}: {points_text(len(stored.results))} imported from {run.imported}")
    click.echo(f"paper:   iodyno report {run.id}\nfigures: iodyno show {run.id}")
