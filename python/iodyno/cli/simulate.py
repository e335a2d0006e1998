"""``iodyno simulate``: a study on virtual hardware, from the catalogue to kept readings."""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any

import click

from iodyno.cli import named, parameters
from iodyno.cli.in_options import told_as_options
from iodyno.cli.options import (
    approximate_option,
    choices_of_a_simulation,
    outcome_options,
    plan_option,
    store_option,
)
from iodyno.cli.papers import Paper, papers_of_a_run, told_with
from iodyno.cli.sections import SectionedCommand
from iodyno.cli.sentences import say_line
from iodyno.cli.suggesting import complete_configurations

if TYPE_CHECKING:
    from iodyno.analysis.figures import PointFigures
    from iodyno.errors import Problem
    from iodyno.fio import Translated
    from iodyno.plan import Plan
    from iodyno.store import Store
    from iodyno.store.records import Run
    from iodyno.study import Configuration, Overrides, Study


@click.command(cls=SectionedCommand, named=named.of_simulating)
@click.argument(
    "study",
    type=parameters.NAME,
    required=False,
    metavar="[STUDY]",
    shell_complete=parameters.complete_studies,
)
@click.option(
    "--on",
    "systems",
    type=parameters.NAME,
    multiple=True,
    metavar="SYSTEM",
    shell_complete=parameters.complete_systems,
    help="Simulate on this system of the catalogue, or on one in a TOML file, instead of the study's "
    "configurations; may be repeated.",
)
@click.option(
    "--only",
    multiple=True,
    metavar="NAME",
    shell_complete=complete_configurations,
    help="Only this configuration of the study; * stands for any part of a name; may be repeated.",
)
@click.option("--resume", metavar="RUN", shell_complete=parameters.complete_runs, help="Go on with this run.")
@click.option(
    "--jobs",
    "-j",
    type=parameters.JOBS,
    metavar="NUMBER",
    help="Points at a time, 1 to 1024.  [default: one for each processor]",
)
@plan_option
@click.option("--analytic", is_flag=True, help="Calculate from queueing formulas, keep nothing, and stop.")
@click.option(
    "--compare", is_flag=True, help="With --analytic: simulate too, and tell how far apart they are."
)
@approximate_option
@choices_of_a_simulation
@store_option
@outcome_options("run")
def command(
    study: str | None,
    systems: tuple[str, ...],
    only: tuple[str, ...],
    overrides: dict[str, Any],
    resume: str | None,
    **rest: Any,
) -> int:
    """Simulate a study on virtual hardware, and keep the readings.

    STUDY is one that `iodyno studies` lists, standard unless another is given, the path of a TOML
    file, or a job file of fio. One with configurations runs on each of them; any study runs on what
    --on names. The same study and seed give the same readings, byte for byte, on however many processors.

    At the end stand the maxima, each with what limits it: the station of the system that is
    busiest, with its utilisation; one on the way to less than half of the I/Os after all others,
    and of several loads at once none that only others than the first go through. `iodyno show`
    tells all stations, of more than ten maxima with --stations.

    \b
    iodyno simulate p3700
    iodyno simulate standard --on raid-controllers -o paper.pdf
    iodyno simulate raid-controllers --only "*raid5*" --profile database
    iodyno simulate quick --on p3700 --analytic --compare
    """  # fmt: skip
    from iodyno.study import Overrides

    papers, wrong = papers_of_a_run(rest.pop("reports"), rest.pop("languages"))
    given = {name: value for name, value in overrides.items() if value not in (None, ())}
    request = Request(
        study=study or "standard",
        systems=systems,
        only=only,
        choices=Overrides(**given),
        papers=papers,
        **rest,
    )
    with told_with(wrong), told_as_options(request.choices, study=request.study):
        _refuse_contradictions(request, resume, chosen=bool(study or systems or only or given))
        plan = plan_of(request) if resume is None else None
    if plan is None:
        assert resume is not None, "neither a plan nor a run that has one"
        return go_on(request, resume)
    if request.plan_only:
        from iodyno.cli.plan_text import print_plan

        print_plan(plan, supposed=False, as_json=request.as_json)
        return 0
    if request.analytic:
        from iodyno.cli.analytic import calculate

        return calculate(
            plan, compare=request.compare, jobs=request.jobs, as_json=request.as_json, quiet=request.quiet
        )
    return simulate(request, plan)


@dataclass(frozen=True)
class Request:
    """What the command line asks for."""

    study: str
    systems: tuple[str, ...]
    only: tuple[str, ...]
    choices: Overrides
    jobs: int | None
    plan_only: bool
    analytic: bool
    compare: bool
    approximate: bool
    store: str | None
    papers: tuple[Paper, ...]
    as_json: bool
    quiet: bool


def plan_of(request: Request) -> Plan:
    """Decide every point: the study's configurations resolved, or the systems that were named."""
    from iodyno.cli import fio_jobs
    from iodyno.study import load_to_simulate
    from iodyno.study.systems import resolve

    if fio_jobs.is_job(request.study):
        return _plan_of_jobs(request)
    study = load_to_simulate(request.study, request.systems, resolve, request.choices)
    return plan_on_systems(request, study, request.choices)


def plan_on_systems(request: Request, study: Study, choices: Overrides) -> Plan:
    """Decide every point of a study on its configurations, or on the systems that were named."""
    from iodyno.cli.ending import HintedUsageError, say
    from iodyno.study import on_systems, plan_with_all_problems
    from iodyno.study.systems import resolve

    if request.systems:
        study = on_systems(study, request.systems)
    if not study.configuration:
        raise HintedUsageError(
            f"the study {study.name} has no configurations",
            "name a system with --on: `iodyno catalog list system` lists them",
        )
    if study.conditioning:
        say("note", "the model begins in the steady state of its load: [conditioning] is left out")
    chosen, wrong = _chosen(request, study)
    with told_with(wrong):
        named = "" if request.systems else study.name
        plan = plan_with_all_problems(study, chosen, resolve, choices, named)
    for what, hint in _charged_beyond(plan, chosen):
        say("note", what, hint)
    return plan


def _charged_beyond(plan: Plan, chosen: Sequence[Configuration]) -> Iterable[tuple[str, str]]:
    """Say once of which drives the costs in the host are those of software that is for others."""
    from iodyno.catalog.driver import charged_beyond
    from iodyno.catalog.shelf import catalogue
    from iodyno.catalog.tree import system_of
    from iodyno.study.systems import written

    of = (written(one).document for one in chosen if one.name in plan.systems)
    return dict.fromkeys(note for tree in of for note in charged_beyond(system_of(tree), catalogue()))


def _chosen(request: Request, study: Study) -> tuple[Sequence[Configuration], list[Problem]]:
    """Give the configurations that --only names, all where there is none of them, and what is wrong with it.

    What --on names is no hint, as it may be wrong too.
    """
    from iodyno.errors import ProfileError
    from iodyno.problems import named_again
    from iodyno.study import chosen_configurations
    from iodyno.study.naming import named_twice

    known: list[str] = []
    wrong: list[Problem] = []
    twice = [*named_twice(request.systems), *named_again("--only", request.only, "pattern")]
    for pattern in dict.fromkeys(request.only):
        try:
            chosen_configurations(study, (pattern,))
            known.append(pattern)
        except ProfileError as error:
            wrong += error.problems
    if request.systems:
        hint = "leave --only out: --on says what is simulated"
        wrong = [replace(problem, hint=hint) for problem in wrong]
    return chosen_configurations(study, known), twice + wrong


def _plan_of_jobs(request: Request) -> Plan:
    """Decide the points of the jobs of fio as one study."""
    from iodyno.cli import fio_jobs
    from iodyno.errors import ProfileError
    from iodyno.study.naming import configurations_of
    from iodyno.study.simulating import resolve_each
    from iodyno.study.systems import resolve

    choices = request.choices.model_copy(update={"profiles": ()})

    def plan(jobs: Translated) -> Plan:
        with fio_jobs.told_in_lines(jobs, choices):
            return plan_on_systems(request, jobs.study, choices)

    try:
        return fio_jobs.planned_by(
            plan, request.study, (), request.choices, approximate=request.approximate, real=False
        )
    except ProfileError as error:
        _, more = resolve_each(configurations_of(request.systems), resolve)
        raise ProfileError(*dict.fromkeys((*error.problems, *more))) from None


def simulate(request: Request, plan: Plan) -> int:
    """Simulate a plan from its first point, and give the exit status."""
    from iodyno.cli.around import command_line
    from iodyno.cli.lengthy import tell_of_lengthy
    from iodyno.new_runs import new_simulated_run
    from iodyno.store import Store

    tell_of_lengthy(plan, (), request.jobs, quiet=request.quiet)
    with Store.open(request.store) as store:
        run = store.begin(new_simulated_run(plan, command_line()))
        return carry_out(request, store, run)


def go_on(request: Request, reference: str) -> int:
    """Simulate what a run still lacks, by its own plan, and give the exit status."""
    from iodyno.cli.lengthy import tell_of_lengthy
    from iodyno.errors import StoreError
    from iodyno.store import Store

    with Store.open(request.store, create=False) as store:
        run = store.find(reference)
        if not run.simulated:
            raise StoreError.of(
                run.id, "the run is no simulation", f"`iodyno measure --resume {run.id}` goes on"
            )
        if store.lacks(run):
            _refuse_another_model(run)
            tell_of_lengthy(run.plan, store.done(run.id), request.jobs, quiet=request.quiet)
        return carry_out(request, store, store.reopen(run.id))


def _refuse_another_model(run: Run) -> None:
    """Refuse points of another iodyno in a run, whose paper names the one that began it."""
    from iodyno import bench
    from iodyno.errors import StoreError
    from iodyno.store.records import ToolFacts

    began, here = (f"{tool.version} ({tool.commit})" for tool in (run.tool, ToolFacts(**bench.build_facts())))
    if began != here:
        raise StoreError.of(
            run.id,
            f"iodyno {began} began the run, and this is iodyno {here}, which may simulate other figures",
            "simulate the study anew, or go on with the iodyno that began it",
        )


def carry_out(request: Request, store: Store, run: Run) -> int:
    """Simulate what is not done, keep the points, and end the run."""
    from iodyno import bench
    from iodyno.analysis.figures import point_figures
    from iodyno.cli.around import afterwards, ctrl_c_for_every_end, ending, run_started, under_way
    from iodyno.cli.progress import choose_progress
    from iodyno.collecting import paused

    done = store.done(run.id)
    view = choose_progress(as_json=request.as_json, quiet=request.quiet, plan=run.plan, done=len(done))
    began, earlier = time.monotonic(), store.load(run.id).results if done else ()
    figures = [point_figures(result) for result in earlier]
    with ending(store, run, view), ctrl_c_for_every_end(), view, under_way(), paused():
        view(run_started(run, done))
        results = bench.simulate(
            run.plan, jobs=request.jobs, earlier=earlier, keep=partial(store.add_all, run.id), listener=view
        )
        figures += [point_figures(result) for result in results]
    with afterwards(run):
        return _afterwards(request, store, run, figures, time.monotonic() - began)


def _afterwards(
    request: Request, store: Store, run: Run, figures: Sequence[PointFigures], took_s: float
) -> int:
    """Sum up, write the papers, and give the exit status."""
    from iodyno.cli.written import write_papers

    files = write_papers(store.load(run.id), request.papers) if request.papers else []
    if not (request.quiet or request.as_json):
        from iodyno.cli.console import console
        from iodyno.cli.maxima import print_maxima
        from iodyno.cli.precision import precision_lines
        from iodyno.cli.searching import search_lines
        from iodyno.cli.two_sweeps import print_comparisons, sets_sweeps_against_others
        from iodyno.cli.wording import points_text, states_text
        from iodyno.rates import answers, has_searches

        results = store.load(run.id).results if has_searches(run.plan) else ()
        print_maxima(figures, run, answers(results))
        if sets_sweeps_against_others(run.plan):
            print_comparisons(console(), store.load(run.id))
        count = points_text(len(figures))
        for line in search_lines(results):
            say_line(line)
        say_line(f"\nrun {run.id} finished, simulated in {took_s:.1f} s: {count}, {states_text(figures)}")
        for line in precision_lines(figures, run):
            say_line(line)
        for file in files:
            click.echo(f"wrote {file}")
        if not files:
            click.echo(f"paper:   iodyno report {run.id}\nfigures: iodyno show {run.id}")
    return 0


def _refuse_contradictions(request: Request, resume: str | None, *, chosen: bool) -> None:
    from iodyno.cli.ending import HintedUsageError

    if resume is not None and (chosen or request.plan_only or request.analytic or request.compare):
        raise HintedUsageError(
            "--resume goes on with the plan that the run has: it takes no study and no choices of one",
            "leave them out, or start a new run",
        )
    if request.compare and not request.analytic:
        raise HintedUsageError("--compare compares with what --analytic calculates", "give both")
    if request.plan_only and request.analytic:
        hint = "leave one of them out"
        raise HintedUsageError("--plan prints the points and stops, and --analytic calculates them", hint)
    if request.analytic and request.quiet and not request.as_json:
        what = "--analytic keeps nothing, and --quiet prints nothing of it"
        raise HintedUsageError(what, "leave --quiet out, or add --json")
    if request.papers and (request.analytic or request.plan_only):
        raise HintedUsageError("no paper comes of what is not kept", "leave out -o, or --analytic and --plan")
