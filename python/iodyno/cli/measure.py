"""``iodyno measure``: from a study to kept readings."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from iodyno.cli import named, parameters
from iodyno.cli.fio_jobs import is_job
from iodyno.cli.in_options import told_as_options
from iodyno.cli.options import (
    approximate_option,
    choices_of_a_study,
    outcome_options,
    permissions,
    plan_option,
    store_option,
)
from iodyno.cli.papers import Paper, papers_of_a_run, refuse_papers_of_plans, told_with
from iodyno.cli.sections import SectionedCommand
from iodyno.cli.sentences import say_line

if TYPE_CHECKING:
    from iodyno.plan import Plan, Point
    from iodyno.reading import Cause
    from iodyno.store import Store
    from iodyno.store.records import Run, StoredRun
    from iodyno.study import Overrides
    from iodyno.targets import Permissions, Target


@click.command(cls=SectionedCommand, named=named.of_measuring)
@click.argument("paths", nargs=-1, type=click.Path(readable=False), metavar="TARGET...")
@click.option(
    "--study",
    type=parameters.NAME,
    metavar="STUDY",
    shell_complete=parameters.complete_studies,
    help="Study to measure: one that `iodyno studies` lists, or a TOML file.  [default: standard]",
)
@click.option("--quick", is_flag=True, help="Short for --study quick: about three minutes.")
@click.option("--resume", metavar="RUN", shell_complete=parameters.complete_runs, help="Go on with this run.")
@plan_option
@approximate_option
@choices_of_a_study
@permissions
@click.option("--keep", is_flag=True, help="Keep the file that iodyno makes.")
@click.option("--no-serials", is_flag=True, help="Leave serial numbers out of what is kept.")
@store_option
@outcome_options("run")
def command(
    paths: tuple[str, ...],
    study: str | None,
    quick: bool,
    resume: str | None,
    overrides: dict[str, Any],
    permissions: dict[str, Any],
    **rest: Any,
) -> int:
    """Measure targets and keep the readings.

    TARGET is a folder or a new path, where iodyno makes a file, writes it in full and
    removes it afterwards; or an existing file; or a block device. Writing to what iodyno did
    not make is refused without --write-existing, and devices in use are never written.

    The first TARGET may be a job file of fio, its name ending in .fio: its jobs are measured, on the
    files that they name or on the targets after it.

    Each point is kept when it is finished. Ctrl-C stops, and --resume goes on.

    \b
    iodyno measure --quick .
    iodyno measure /mnt/a /mnt/b --study my-study.toml -o paper.pdf
    iodyno measure /dev/nvme1n1 --write-existing --identity S4EVNX0M123456
    iodyno measure randread.fio /mnt/a
    iodyno measure --resume latest
    """  # fmt: skip
    from iodyno.cli.asked import overrides_of, permissions_of

    papers, wrong = papers_of_a_run(rest.pop("reports"), rest.pop("languages"))
    refuse_papers_of_plans(papers, plan_only=rest["plan_only"])
    if paths and is_job(paths[0]) and not (study or quick or resume):
        study, paths = paths[0], paths[1:]
    request = Request(
        paths=paths,
        study=_one_study(study, quick),
        choices=overrides_of(overrides, permissions),
        allowed=permissions_of(permissions),
        papers=papers,
        **rest,
    )
    if resume is None:
        with told_with(wrong), told_as_options(request.choices, study=request.study):
            plan, targets = _planned(request)
        return measure_plan(request, plan, targets)
    with told_with(wrong):
        chosen = overrides | {"plan": rest["plan_only"] or None}
        _refuse_other_choices(paths, study or ("quick" if quick else None), chosen)
    return go_on(request, resume)


@dataclass(frozen=True)
class Request:
    """What the command line asks for."""

    paths: tuple[str, ...]
    study: str
    choices: Overrides
    allowed: Permissions
    plan_only: bool
    approximate: bool
    keep: bool
    no_serials: bool
    store: str | None
    papers: tuple[Paper, ...]
    as_json: bool
    quiet: bool


def measure_plan(request: Request, plan: Plan, targets: tuple[Target, ...]) -> int:
    """Measure a plan from its first point, or print it alone, and give the exit status."""
    from iodyno.cli.around import command_line, refuse_engines, refuse_purge
    from iodyno.cli.plan_text import print_plan
    from iodyno.new_runs import new_run
    from iodyno.store import Store
    from iodyno.system import read_system

    refuse_purge(plan, targets)
    if request.plan_only:
        print_plan(plan, supposed=False, as_json=request.as_json)
        return 0
    refuse_engines(plan)
    with Store.open(request.store) as store:
        secrets = _names_of(request.allowed, targets) if request.no_serials else ()
        system = read_system(targets, serials=not request.no_serials)
        run = store.begin(new_run(plan, system, command_line(secrets)))
        return carry_out(request, store, run, targets)


def _names_of(allowed: Permissions, targets: tuple[Target, ...]) -> tuple[str, ...]:
    """Give what can name a device in the words of the command line: a path of /dev/disk/by-id does too."""
    serials = [target.serial for target in targets if target.serial]
    wwns = [target.wwn.split(".")[-1] for target in targets if target.wwn]
    return (*allowed.identity, *serials, *(serial.replace(" ", "_") for serial in serials), *wwns)


def _planned(request: Request) -> tuple[Plan, tuple[Target, ...]]:
    """Decide every point of the study, or of the jobs of fio, on the targets."""
    from iodyno.cli import fio_jobs
    from iodyno.cli.asked import rest_told, targets_of
    from iodyno.study import load_study, plan_study

    if fio_jobs.is_job(request.study):
        found = fio_jobs.planned(
            request.study, request.paths, request.choices, request.allowed, approximate=request.approximate
        )
        return found.plan, found.targets
    with rest_told(request.choices, request.paths, request.allowed):
        study = load_study(request.study)
    targets = targets_of(study, request.choices, request.paths, request.allowed, quiet=request.quiet)
    return plan_study(study, targets, request.choices), targets


def go_on(request: Request, reference: str) -> int:
    """Measure what a run still lacks, by its own plan, and give the exit status."""
    from iodyno.cli.around import refuse_engines, refuse_purge
    from iodyno.cli.resuming import targets_of_plan
    from iodyno.errors import StoreError
    from iodyno.store import Store

    with Store.open(request.store, create=False) as store:
        run = store.find(reference)
        if run.simulated:
            hint = f"`iodyno simulate --resume {run.id}` goes on"
            raise StoreError.of(run.id, "the run is a simulation: there is nothing to measure", hint)
        if run.imported:
            what = f"the run was imported: {run.imported} measured it"
            raise StoreError.of(run.id, what, "import its results again")
        store.refuse_complete(run)
        if not store.lacks(run):
            return _end_at_last(request, store, run)
        targets = targets_of_plan(run.plan, request.allowed)
        refuse_purge(run.plan, targets)
        refuse_engines(run.plan)
        return carry_out(request, store, store.reopen(run.id), targets)


def _end_at_last(request: Request, store: Store, run: Run) -> int:
    """End a run that has every point and was cut off after the last one, and give the exit status."""
    from iodyno.cli.around import afterwards, ending, run_started, under_way
    from iodyno.cli.resuming import clear_leftovers
    from iodyno.cli.views import JsonLines, Quiet
    from iodyno.store import ledger_path

    run = store.reopen(run.id)
    view = JsonLines() if request.as_json else Quiet()
    with ending(store, run, view), under_way():
        view(run_started(run, store.done(run.id)))
        clear_leftovers(run, ledger_path(store.path, run.id), keep=request.keep)
    if not (request.quiet or request.as_json):
        say_line(f"run {run.id} had every point and lacked its end: it is finished now")
    with afterwards(run):
        return _afterwards(request, store, run)


def carry_out(request: Request, store: Store, run: Run, targets: tuple[Target, ...]) -> int:
    """Make the files, measure what is not done, keep each point, and end the run."""
    from iodyno import bench
    from iodyno.cli.around import (
        afterwards,
        conditioner_of,
        ctrl_c_for_every_end,
        ending,
        hang_told,
        made,
        remembered,
        run_started,
        under_way,
    )
    from iodyno.cli.views import choose_view

    done, earlier = store.done(run.id), store.load(run.id).results
    view = choose_view(as_json=request.as_json, quiet=request.quiet, plan=run.plan, done=done)
    files = made(targets, request.allowed, keep=request.keep)
    ledger = bench.ledger_of(run.plan)
    written = remembered(store, run, targets, ledger, keep=request.keep)
    with (
        ending(store, run, view), ctrl_c_for_every_end(), view, written as remember, files as ready,
        under_way(), hang_told(),
    ):  # fmt: skip
        view(run_started(run, done))
        conditioner = conditioner_of(store, run, ready, view)
        if conditioner:
            conditioner.begin(min(point.index for point in run.plan.points if point.index not in done))
            ready = conditioner.as_left()
        else:
            bench.prepare(ready, run.plan.seed, view, data=run.plan.fill_data, ledger=ledger)
        remember(None)

        def prepare(point: Point) -> tuple[Cause, ...]:
            if any(profile.trim_share for profile in point.profiles):
                remember(point)
            return conditioner.before(point) if conditioner else ()

        def after(point: Point) -> tuple[Cause, ...]:
            return conditioner.after(point) if conditioner else ()

        for result in bench.measure(
            run.plan, ready, earlier=earlier, listener=view, before=prepare, after=after, ledger=ledger
        ):
            store.add(run.id, result)
            remember(None)
        if conditioner:
            conditioner.end(len(run.plan.points))
    with afterwards(run):
        return _afterwards(request, store, run)


def _afterwards(request: Request, store: Store, run: Run) -> int:
    """Sum up, write the papers, and give the exit status: 1 where I/O errors or wrong data were seen."""
    from iodyno.cli.corruption import is_nothing_compared
    from iodyno.cli.ending import say, whoever_reads

    stored = store.load(run.id)
    files = _write(stored, request.papers) if request.papers else []
    if not (request.quiet or request.as_json):
        with whoever_reads():
            _sum_up(stored, files)
    if is_nothing_compared(stored.results) and not request.quiet:
        what = "nothing was verified: nothing was read of which the run knows what was written there last"
        say("note", what, "--verify checks what the run itself has written: choose a load that writes")
    errors = sum(result.reading.errors for result in stored.results)
    if errors:
        said = f"{errors:,} I/O{'' if errors == 1 else 's'} failed or came back short"
        say("error", said, f"`iodyno show {run.id}` tells where")
    wrong = sum(result.reading.corruptions for result in stored.results)
    if wrong:
        places = "place" if wrong == 1 else "places"
        say("error", f"data came back wrong at {wrong:,} {places}", f"`iodyno show {run.id}` tells where")
    return 1 if errors or wrong else 0


def _write(stored: StoredRun, papers: tuple[Paper, ...]) -> list[Path]:
    from iodyno.cli.written import write_papers

    return write_papers(stored, papers)


def _sum_up(stored: StoredRun, files: list[Path]) -> None:
    from iodyno.analysis.figures import point_figures
    from iodyno.cli.console import console
    from iodyno.cli.precision import precision_lines
    from iodyno.cli.searching import search_lines
    from iodyno.cli.two_sweeps import print_comparisons
    from iodyno.cli.wording import points_text, states_text

    run, results = stored.run, stored.results
    print_comparisons(console(), stored)
    say_line(f"\nrun {run.id} finished: {points_text(len(results))}, {states_text(results)}")
    for line in precision_lines([point_figures(result) for result in results], run):
        say_line(line)
    for line in search_lines(results):
        say_line(line)
    for file in files:
        click.echo(f"wrote {file}")
    if not files:
        click.echo(f"paper:   iodyno report {run.id}\nfigures: iodyno show {run.id}")


def _one_study(study: str | None, quick: bool) -> str:
    from iodyno.cli.ending import HintedUsageError

    if study and quick and study != "quick":
        raise HintedUsageError(f"both --quick and --study {study} are given", "keep one of them")
    return "quick" if quick else study or "standard"


def _refuse_other_choices(paths: tuple[str, ...], study: str | None, overrides: dict[str, Any]) -> None:
    from iodyno.cli.ending import HintedUsageError

    if paths or study or any(value not in (None, ()) for value in overrides.values()):
        raise HintedUsageError(
            "--resume goes on with the plan that the run has: it takes no targets and no choices of a study",
            "leave them out, or start a new run",
        )
