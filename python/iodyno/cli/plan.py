"""``iodyno plan``: every point of a study, decided."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from iodyno.cli import named, parameters
from iodyno.cli.in_options import told_as_options
from iodyno.cli.options import approximate_option, choices_of_a_study, json_option, permissions
from iodyno.cli.papers import told_with
from iodyno.cli.sections import SectionedCommand

if TYPE_CHECKING:
    from iodyno.plan import Plan
    from iodyno.study import Overrides


@click.command(cls=SectionedCommand, named=named.of_planning)
@click.argument("study", type=parameters.NAME, default="standard", shell_complete=parameters.complete_studies)
@click.option(
    "--target",
    "paths",
    multiple=True,
    type=click.Path(readable=False),
    metavar="TARGET",
    help="Plan on this folder, file or device; may be repeated. Otherwise on a file of the study's size.",
)
@approximate_option
@choices_of_a_study
@permissions
@json_option
def command(
    study: str,
    paths: tuple[str, ...],
    approximate: bool,
    overrides: dict[str, Any],
    permissions: dict[str, Any],
    as_json: bool,
) -> None:
    """Print every point of a study, decided, and stop.

    STUDY is one that `iodyno studies` lists, standard unless another is given, the path of a TOML file,
    or a job file of fio. Nothing is written and nothing is measured. What is wrong with the virtual
    systems of a study is told, too. The same study, targets and choices give the same plan, byte for byte.

    \b
    iodyno plan quick
    iodyno plan my-study.toml --target /dev/nvme0n1 --json
    """  # fmt: skip
    from iodyno.cli import fio_jobs
    from iodyno.cli.asked import overrides_of, permissions_of
    from iodyno.cli.plan_text import print_plan

    choices = overrides_of(overrides, permissions)
    with told_as_options(choices, study=study):
        if fio_jobs.is_job(study):
            allowed = permissions_of(permissions) if paths else None
            plan = fio_jobs.planned(study, paths, choices, allowed, approximate=approximate).plan
        else:
            plan = _plan_of(study, paths, choices, permissions)
    print_plan(plan, supposed=not paths, as_json=as_json)


def _plan_of(name: str, paths: tuple[str, ...], choices: Overrides, permissions: dict[str, Any]) -> Plan:
    """Plan a study on targets, or on supposed ones; what is wrong with its virtual systems is told as well,
    as nothing else looks at a study before it runs."""
    from iodyno.cli.asked import permissions_of, rest_told, supposed, targets_of
    from iodyno.study import load_to_simulate, plan_study
    from iodyno.study.at_once import system_problems
    from iodyno.study.systems import resolve

    allowed = permissions_of(permissions)
    with rest_told(choices, paths, allowed):
        study = load_to_simulate(name, (), resolve)
    with told_with(system_problems(study, resolve)):
        targets = targets_of(study, choices, paths, allowed) if paths else supposed(study, choices)
        return plan_study(study, targets, choices)
